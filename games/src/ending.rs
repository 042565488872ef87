//! How games that sow into stores end: shared by Kalah and Mangala.

use crate::board::Board;
use crate::game::Remainder;
use crate::ruleset::{OptionSpec, Ruleset};

/// When the board is finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Either,
    Mover,
}

/// Who gets the stones left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    Owner,
    Emptied,
    None,
}

/// The options `end` and `remainder` of a ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ending {
    end: End,
    rest: Rest,
}

/// The option `end`.
pub(crate) const END: OptionSpec = OptionSpec {
    name: "end",
    about: "when the board is finished",
    source: "Irving, Donkers & Uiterwijk, Solving Kalah, ICGA Journal 23(3), 2000 (`either`); \
             common play (`mover`)",
    play_only: false,
    values: &[
        ("either", "as soon as either row is empty after a sowing, also in the middle of a turn"),
        ("mover", "when the player to move has no stone"),
    ],
    default: "either",
    default_when: None,
};

/// The option `remainder`.
pub(crate) const fn remainder_option(
    default: &'static str,
    values: &'static [(&'static str, &'static str)],
    source: &'static str,
) -> OptionSpec {
    OptionSpec {
        name: "remainder",
        about: "who gets the stones left when the board is finished",
        source,
        play_only: false,
        values,
        default,
        default_when: None,
    }
}

impl Ending {
    pub(crate) fn new(ruleset: &Ruleset) -> Ending {
        Ending {
            end: match ruleset.choice("end") {
                Some("mover") => End::Mover,
                _ => End::Either,
            },
            rest: match ruleset.choice("remainder") {
                Some("emptied") => Rest::Emptied,
                Some("none") => Rest::None,
                _ => Rest::Owner,
            },
        }
    }

    #[inline]
    pub(crate) fn remainder(self, board: Board) -> Option<Remainder> {
        let finished =
            board.mover.is_empty() || (self.end == End::Either && board.other.is_empty());
        if !finished {
            return None;
        }
        let (mover, other) = (board.mover.stones(), board.other.stones());
        Some(match self.rest {
            Rest::Owner => Remainder { mover, other },
            // One of the rows is empty, so "the player whose row is empty takes what is left"
            // is an exchange.
            Rest::Emptied => Remainder { mover: other, other: mover },
            Rest::None => Remainder { mover: 0, other: 0 },
        })
    }
}
