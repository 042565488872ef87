//! Turkish Mangala.

use crate::board::Board;
use crate::ending::{END, Ending, remainder_option};
use crate::game::{Capture, Game, Remainder, Taken};
use crate::registry::Rules;
use crate::ruleset::{Build, GameSpec, OptionSpec, Ruleset};
use crate::side::Side;
use crate::track::{Lap, Last, Track};

/// Mangala's entry in the registry.
pub static MANGALA: GameSpec = GameSpec {
    name: "mangala",
    title: "Turkish Mangala: the first stone goes back, even pits of the opponent are captured",
    source: "rules of the Turkish Mangala federation",
    default_size: (6, 4),
    cyclic: false,
    options: &[
        OptionSpec {
            name: "lone",
            about: "what happens to a last stone in an own empty pit opposite an empty pit",
            source: "federation rules (`stay`); a variant in play (`take`)",
            play_only: false,
            values: &[("stay", "it stays"), ("take", "it goes to the sower's store")],
            default: "stay",
            default_when: None,
        },
        remainder_option(
            "emptied",
            &[
                ("emptied", "the player whose row is empty, also when a capture emptied it"),
                ("owner", "the owner of the row they lie in"),
            ],
            "federation rules (`emptied`); as in Kalah (`owner`)",
        ),
        END,
    ],
    build: Build::Sides(|ruleset| Rules::Mangala(Mangala::new(ruleset))),
};

/// The rules of Mangala.
#[derive(Clone, Debug)]
pub struct Mangala {
    track: Track,
    takes_lone: bool,
    ending: Ending,
}

impl Mangala {
    fn new(ruleset: &Ruleset) -> Mangala {
        Mangala {
            track: Track::new(ruleset.pits(), Lap::FirstBackThroughStore),
            takes_lone: ruleset.choice("lone") == Some("take"),
            ending: Ending::new(ruleset),
        }
    }
}

impl Game for Mangala {
    #[inline]
    fn track(&self) -> &Track {
        &self.track
    }

    #[inline]
    fn reach(&self, own: Side, last: Last) -> Capture {
        match last {
            Last::Own(pit) if own.get(pit as usize) == 1 => Capture::Opposite(pit),
            Last::Other(pit) => Capture::Other(pit),
            _ => Capture::None,
        }
    }

    #[inline]
    fn take(&self, capture: Capture, other: Side) -> Taken {
        match capture {
            Capture::Opposite(pit) => {
                let taken = Taken::pit(other, self.track.pits() - 1 - pit as usize);
                Taken { capturer: taken.stones > 0 || self.takes_lone, ..taken }
            }
            Capture::Other(pit) if other.get(pit as usize).is_multiple_of(2) => {
                Taken::pit(other, pit as usize)
            }
            _ => Taken::nothing(other),
        }
    }

    #[inline]
    fn remainder(&self, board: Board) -> Option<Remainder> {
        self.ending.remainder(board)
    }
}
