//! Bestemshe: toguz kumalak for beginners, on five pits and without tuzdyks.

use crate::board::Board;
use crate::game::{Capture, Game, Remainder, Taken};
use crate::registry::Rules;
use crate::ruleset::{Build, GameSpec, OptionSpec};
use crate::side::Side;
use crate::track::{Lap, Last, Track};

/// Bestemshe's entry in the registry.
pub static BESTEMSHE: GameSpec = GameSpec {
    name: "bestemshe",
    title: "Bestemshe: the first stone goes back, an opponent's pit that becomes even is captured",
    source: "as played on PlayStrategy",
    default_size: (5, 5),
    cyclic: true,
    options: &[
        OptionSpec {
            name: "repetition",
            about: "what becomes of play without end",
            source: "as in awari, Romein & Bal 2002 (`split`); tournament rules (`draw`)",
            play_only: false,
            values: &[
                ("split", "the stones left are split: infinite play is worth 0, stores count"),
                (
                    "draw",
                    "the third occurrence of a position ends the game as a draw: the stones left \
                     make the stores alike (unless one holds more than half, which `stop` does not \
                     let happen: then the other takes them)",
                ),
            ],
            default: "split",
            default_when: None,
        },
        OptionSpec {
            name: "stop",
            about: "when play stops before the board is finished",
            source: "rules of the game (`26`); values stay those of full play",
            play_only: true,
            values: &[
                ("26", "when a store holds 26 stones or more, most of the usual 50"),
                ("majority", "when a store holds more than half of all stones"),
                ("none", "play goes on until the board is finished"),
            ],
            default: "26",
            default_when: None,
        },
    ],
    build: Build::Sides(|ruleset| {
        let track = Track::new(ruleset.pits(), Lap::FirstBackPastStores);
        Rules::Bestemshe(Bestemshe { track })
    }),
};

/// The rules of Bestemshe.
#[derive(Clone, Debug)]
pub struct Bestemshe {
    track: Track,
}

impl Game for Bestemshe {
    #[inline]
    fn track(&self) -> &Track {
        &self.track
    }

    #[inline]
    fn reach(&self, _own: Side, last: Last) -> Capture {
        Capture::on_other_side(last)
    }

    #[inline]
    fn take(&self, capture: Capture, other: Side) -> Taken {
        match capture {
            Capture::Other(pit) if other.get(pit as usize).is_multiple_of(2) => {
                Taken::pit(other, pit as usize)
            }
            _ => Taken::nothing(other),
        }
    }

    #[inline]
    fn remainder(&self, board: Board) -> Option<Remainder> {
        let rest = Remainder { mover: 0, other: board.other.stones() };
        board.mover.is_empty().then_some(rest)
    }
}
