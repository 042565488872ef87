//! Positions as players know them: a board, the stores, the player to move.

use thiserror::Error;

use crate::board::Board;
use crate::game::Sown;
use crate::playable::Playable;
use crate::rows::Rows;
use crate::ruleset::Ruleset;
use crate::side::{MAX_PITS, Side};

/// One of the two players. South moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The player at the bottom of the drawn board.
    South,
    /// The player at the top.
    North,
}

impl Player {
    /// Both players, South first: the order of everything listed by player.
    pub const BOTH: [Player; 2] = [Player::South, Player::North];

    /// The other player.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Player {
        match self {
            Player::South => Player::North,
            Player::North => Player::South,
        }
    }

    /// `South` or `North`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Player::South => "South",
            Player::North => "North",
        }
    }
}

/// The largest number of stones a store may be set up with.
pub const MAX_STORE: u32 = 999_999_999;

/// A position as it was written down, not checked against any board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The pits of South and of North, each from their owner's left.
    pub pits: [Vec<u32>; 2],
    /// The pit of South's row and of North's (0 is the leftmost) that is a tuzdyk, where there is
    /// one; it is the other player's.
    pub tuzdyks: [Option<usize>; 2],
    /// The stores of South and of North.
    pub stores: [u32; 2],
    /// The player to move.
    pub to_move: Player,
}

impl Setup {
    /// Stones in the pits.
    #[must_use]
    pub fn on_board(&self) -> u64 {
        self.pits.iter().flatten().map(|&stones| u64::from(stones)).sum()
    }
}

/// Why a [`Setup`] is no position of a ruleset.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// A side has not as many pits as the board.
    #[error("{} has {found} pits, but the board has {expected} a side", .player.name())]
    Pits {
        /// Whose side.
        player: Player,
        /// Pits given.
        found: usize,
        /// Pits of the board.
        expected: usize,
    },
    /// More stones than a board can pack.
    #[error("{stones} stones on the board: at most {most} fit")]
    Stones {
        /// Stones given.
        stones: u64,
        /// Stones that fit.
        most: u32,
    },
    /// More stones in a store than can be counted.
    #[error("{stones} stones in the store of {}: at most {MAX_STORE} can be counted", .player.name())]
    Store {
        /// Whose store.
        player: Player,
        /// Stones given.
        stones: u32,
    },
    /// The game has no tuzdyks.
    #[error("a pit of {} is marked as a tuzdyk, but this game has none", .0.name())]
    NoTuzdyks(Player),
    /// A tuzdyk where none can be made.
    #[error("pit {pit} of {} cannot be a tuzdyk: it is the last of its row", .player.name())]
    LastTuzdyk {
        /// Whose row.
        player: Player,
        /// The pit's number.
        pit: usize,
    },
    /// Two tuzdyks of one number.
    #[error("pit {0} of both players is a tuzdyk, but tuzdyks have different numbers")]
    SameTuzdyks(usize),
    /// Stones in a tuzdyk, whose owner has taken them.
    #[error("pit {pit} of {} is a tuzdyk and cannot hold stones", .player.name())]
    StonesInTuzdyk {
        /// Whose row.
        player: Player,
        /// The pit's number.
        pit: usize,
    },
}

/// A checked position, on a board of two packed sides unless told otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position<B = Board> {
    board: B,
    stores: [u32; 2],
    to_move: Player,
}

impl Position {
    /// [`Position::pack`] for a board of two packed sides.
    ///
    /// # Errors
    /// What does not fit.
    pub fn new(setup: &Setup, pits: usize) -> Result<Position, SetupError> {
        Position::pack(setup, pits)
    }

    /// A player's pits.
    #[must_use]
    pub fn side(&self, player: Player) -> Side {
        if player == self.to_move { self.board.mover } else { self.board.other }
    }
}

impl<B: Rows> Position<B> {
    /// The start position of a ruleset, South to move.
    #[must_use]
    pub fn start<R: Playable<Board = B>>(ruleset: &Ruleset<R>) -> Position<B> {
        let row = vec![ruleset.seeds(); ruleset.pits()];
        let pits = [row.clone(), row];
        let setup = Setup { pits, tuzdyks: [None; 2], stores: [0; 2], to_move: Player::South };
        Position::pack(&setup, ruleset.pits()).expect("a ruleset's board fits the packing")
    }

    /// Checks a position against the number of pits of its board. Any number of stones that
    /// can be packed and any stores are legal.
    ///
    /// # Errors
    /// What does not fit.
    pub fn pack(setup: &Setup, pits: usize) -> Result<Position<B>, SetupError> {
        for (player, side) in Player::BOTH.into_iter().zip(&setup.pits) {
            if side.len() != pits || pits > MAX_PITS {
                return Err(SetupError::Pits { player, found: side.len(), expected: pits });
            }
            let stones = setup.stores[player as usize];
            if stones > MAX_STORE {
                return Err(SetupError::Store { player, stones });
            }
        }
        let (stones, most) = (setup.on_board(), B::MAX_STONES);
        if stones > u64::from(most) {
            return Err(SetupError::Stones { stones, most });
        }
        Ok(Position { board: B::pack(setup)?, stores: setup.stores, to_move: setup.to_move })
    }

    /// The position written out for a board with `pits` pits a side.
    #[must_use]
    pub fn setup(&self, pits: usize) -> Setup {
        let [mut south, mut north] = self.board.unpack(pits);
        if self.to_move == Player::North {
            std::mem::swap(&mut south, &mut north);
        }
        Setup {
            pits: [south.0, north.0],
            tuzdyks: [south.1, north.1],
            stores: self.stores,
            to_move: self.to_move,
        }
    }

    /// The board, as the player to move sees it.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> B {
        self.board
    }

    /// The stores of South and of North.
    #[must_use]
    pub const fn stores(&self) -> [u32; 2] {
        self.stores
    }

    /// The player to move.
    #[must_use]
    pub const fn to_move(&self) -> Player {
        self.to_move
    }

    /// All stones, stores included.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.board.stones() + self.stores[0] + self.stores[1]
    }

    /// Sows a pit (0 is the mover's leftmost) that holds stones.
    #[inline]
    #[must_use]
    pub fn sow<R: Playable<Board = B>>(&self, rules: &R, pit: usize) -> (Position<B>, Sown<B>) {
        let sown = rules.sow(self.board, pit);
        let stores = self.stores_after(sown.gain.into(), sown.given.into());
        let to_move = if sown.again { self.to_move } else { self.to_move.opponent() };
        (Position { board: sown.board, stores, to_move }, sown)
    }

    /// The stores with some stones more for the player to move and for the opponent.
    #[inline]
    #[must_use]
    pub fn stores_after(&self, mover: u32, other: u32) -> [u32; 2] {
        let mut stores = self.stores;
        stores[self.to_move as usize] += mover;
        stores[self.to_move.opponent() as usize] += other;
        stores
    }

    /// Whether a store holds more than half of all stones.
    #[must_use]
    pub fn has_majority(&self) -> bool {
        let total = u64::from(self.total());
        self.stores.iter().any(|&store| 2 * u64::from(store) > total)
    }
}
