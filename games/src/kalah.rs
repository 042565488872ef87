//! Kalah.

use crate::board::Board;
use crate::ending::{END, Ending, remainder_option};
use crate::game::{Capture, Game, Remainder, Taken};
use crate::registry::Rules;
use crate::ruleset::{Build, GameSpec, OptionSpec, Ruleset, STOP_MAJORITY};
use crate::side::Side;
use crate::track::{Lap, Last, Track};

/// Kalah's entry in the registry.
pub static KALAH: GameSpec = GameSpec {
    name: "kalah",
    title: "Kalah: sowing through the own store, extra turns, captures of the opposite pit",
    source: "Champion (1940s); Irving, Donkers & Uiterwijk, Solving Kalah, ICGA Journal 23(3), \
             2000",
    default_size: (6, 4),
    cyclic: false,
    options: &[
        OptionSpec {
            name: "capture",
            about: "what a last stone in an own empty pit captures",
            source: "`nonempty`: common rule, Rawlings 2015; `empty`: Irving, Donkers & \
                     Uiterwijk 2000",
            play_only: false,
            values: &[
                ("nonempty", "it and the opposite stones, only if there are opposite stones"),
                ("empty", "it and the opposite stones, also if there are none"),
            ],
            default: "nonempty",
            default_when: None,
        },
        remainder_option(
            "owner",
            &[
                ("owner", "the owner of the row they lie in"),
                ("emptied", "the player whose row is empty"),
                ("none", "nobody"),
            ],
            "Irving, Donkers & Uiterwijk 2000 (`owner`); variants in play (`emptied`, `none`)",
        ),
        END,
        STOP_MAJORITY,
    ],
    build: Build::Sides(|ruleset| Rules::Kalah(Kalah::new(ruleset))),
};

/// The rules of Kalah.
#[derive(Clone, Debug)]
pub struct Kalah {
    track: Track,
    captures_empty: bool,
    ending: Ending,
}

impl Kalah {
    fn new(ruleset: &Ruleset) -> Kalah {
        Kalah {
            track: Track::new(ruleset.pits(), Lap::ThroughStore),
            captures_empty: ruleset.choice("capture") == Some("empty"),
            ending: Ending::new(ruleset),
        }
    }
}

impl Game for Kalah {
    #[inline]
    fn track(&self) -> &Track {
        &self.track
    }

    #[inline]
    fn reach(&self, own: Side, last: Last) -> Capture {
        match last {
            Last::Own(pit) if own.get(pit as usize) == 1 => Capture::Opposite(pit),
            _ => Capture::None,
        }
    }

    #[inline]
    fn take(&self, capture: Capture, other: Side) -> Taken {
        let Capture::Opposite(pit) = capture else {
            return Taken::nothing(other);
        };
        let taken = Taken::pit(other, self.track.pits() - 1 - pit as usize);
        Taken { capturer: taken.stones > 0 || self.captures_empty, ..taken }
    }

    #[inline]
    fn remainder(&self, board: Board) -> Option<Remainder> {
        self.ending.remainder(board)
    }
}
