//! Toguz kumalak: two rows of nine pits, and tuzdyks.
//!
//! Its rules do not fit [`Game`](crate::Game), whose boards are two [sides](crate::Side): there
//! are more stones than those hold, a board is more than its stones, and a sowing may bring stones
//! to the opponent. So the game has a [`Board`] of its own; rulesets, positions, notation and play
//! are those of all games ([`Playable`]).

mod board;
mod drops;
mod unsow;

use crate::game::{Remainder, Sown};
use crate::playable::{Builder, Playable};
use crate::ruleset::{Build, GameSpec, OptionSpec, RulesetError};
use crate::track::Last;

pub use board::{Board, LOW_PITS, Pits};
use drops::Drops;

/// Most stones of a board: as many as the game has.
pub const MAX_STONES: u32 = 162;

/// The entry in the registry.
pub static TOGUZ: GameSpec = GameSpec {
    name: "toguz",
    title: "Toguz kumalak: even pits of the opponent are captured, one of three becomes a tuzdyk",
    source: "as played on PlayOK, whose records replay by these rules, and on PlayStrategy",
    default_size: (9, 9),
    cyclic: true,
    options: &[OptionSpec {
        name: "stop",
        about: "when play stops before the board is finished",
        source: "rules of the game (`82`); values stay those of full play",
        play_only: true,
        values: &[
            ("82", "when a store holds 82 stones or more, most of the usual 162"),
            ("majority", "when a store holds more than half of all stones"),
            ("none", "play goes on until the board is finished"),
        ],
        default: "82",
        default_when: None,
    }],
    build: Build::Toguz(|ruleset| Toguz { drops: Drops::new(ruleset.pits()) }),
};

/// The rules of toguz kumalak on a board of some size.
#[derive(Clone, Debug)]
pub struct Toguz {
    drops: Drops,
}

impl Toguz {
    /// Whether this pit of the opponent's row, in which the last stone of the player to move made
    /// so many, becomes his tuzdyk: he has none yet, it is not the last pit, and his opponent's
    /// tuzdyk has another number.
    #[inline]
    fn becomes_tuzdyk(&self, board: Board, pit: usize, stones: u32) -> bool {
        stones == 3
            && board.flipped().tuzdyk().is_none()
            && !self.drops.is_last(pit)
            && board.tuzdyk() != Some(pit)
    }
}

/// Whether the stones of a pit of the opponent, no tuzdyk, are captured that the last stone has
/// joined.
#[inline]
const fn is_captured(stones: u32) -> bool {
    stones.is_multiple_of(2)
}

impl Playable for Toguz {
    type Board = Board;
    type Pits = Pits;

    fn builder(build: &Build, game: &'static str) -> Result<Builder<Toguz>, RulesetError> {
        match build {
            Build::Toguz(build) => Ok(*build),
            Build::Sides(_) => Err(RulesetError::NoTuzdyks(game)),
        }
    }

    /// All pits with stones. A tuzdyk has none when a sowing is over.
    #[inline]
    fn legal(&self, board: Board) -> Pits {
        board.occupied()
    }

    /// Without stones of the player to move (atsyrau) the opponent keeps his rest.
    #[inline]
    fn remainder(&self, board: Board) -> Option<Remainder> {
        board.is_mover_empty().then(|| Remainder { mover: 0, other: board.stones() })
    }

    /// In the order of the rules: the stones are laid, those of a tuzdyk like any other; the last
    /// one captures, or makes a tuzdyk; then the stones in tuzdyks go to their owners.
    //
    // Inlined wherever it is called, because a search often wants only what is gained: then the
    // compiler leaves out the rest, and looking ahead took a tenth less.
    #[inline(always)]
    fn sow(&self, board: Board, pit: usize) -> Sown<Board> {
        let drop = self.drops.of(pit, board.get(pit));
        // Turned round: the opponent's row is where something is captured or made.
        let mut next = drop.laid(board).flipped();
        let mut captured = 0;
        if let Last::Other(last) = drop.last {
            let last = usize::from(last);
            let stones = next.get(last);
            if next.tuzdyk() != Some(last) {
                if is_captured(stones) {
                    captured = stones as u8;
                    next = next.cleared(last);
                } else if self.becomes_tuzdyk(board, last, stones) {
                    next = next.with_tuzdyk(last);
                }
            }
        }
        let (next, gain) = next.collect();
        let (next, given) = next.flipped().collect();
        Sown { board: next.flipped(), gain: captured + gain, given, captured, again: false }
    }

    #[inline]
    fn last(&self, board: Board, pit: usize) -> Last {
        self.drops.of(pit, board.get(pit)).last
    }
}
