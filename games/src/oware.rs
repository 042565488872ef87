//! Oware and awari: one game whose published forms differ in a few options.

use crate::board::Board;
use crate::game::{Capture, Game, Remainder, Taken};
use crate::registry::Rules;
use crate::ruleset::{Build, GameSpec, OptionSpec, Ruleset, STOP_MAJORITY};
use crate::side::{PitSet, Side};
use crate::track::{Lap, Last, Track};

/// Oware's entry in the registry: the abapa rules of tournaments.
pub static OWARE: GameSpec = GameSpec {
    name: "oware",
    title: "Oware (abapa): captures of twos and threes, a grand slam captures nothing",
    source: "Oware Society, abapa rules",
    default_size: (6, 4),
    cyclic: true,
    options: &[FEED, END, slam("nothing"), REPETITION, STOP_MAJORITY],
    build: Build::Sides(|ruleset| Rules::Oware(Oware::new(ruleset))),
};

/// Awari's entry in the registry: the rules that were solved in 2002.
pub static AWARI: GameSpec = GameSpec {
    name: "awari",
    title: "Awari: as oware, but leaving the opponent no stone is illegal unless unavoidable",
    source: "Romein & Bal 2002; Lincke, Exploring the Computational Limits of Large Exhaustive \
             Search Problems, ETH Zurich 2002",
    default_size: (6, 4),
    cyclic: true,
    options: &[FEED, END, slam("illegal-unless-only"), REPETITION, STOP_MAJORITY],
    build: Build::Sides(|ruleset| Rules::Oware(Oware::new(ruleset))),
};

const FEED: OptionSpec = OptionSpec {
    name: "feed",
    about: "what a player owes an opponent without stones",
    source: "Oware Society, abapa rules (`must`); a quicker form in clubs (`free`)",
    play_only: false,
    values: &[
        ("must", "a sowing that gives the opponent stones must be played if there is one"),
        ("free", "nothing; unless told otherwise capturing all stones is free as well"),
    ],
    default: "must",
    default_when: None,
};

const END: OptionSpec = OptionSpec {
    name: "end",
    about: "when the board is finished",
    source: "Oware Society, abapa rules (`unfed`); a quicker form in clubs (`stuck`)",
    play_only: false,
    values: &[
        (
            "unfed",
            "when the player to move has no stones, or cannot feed an opponent who has none; \
             each keeps the stones of his row",
        ),
        ("stuck", "when the player to move has no stones; the opponent keeps the rest"),
    ],
    default: "unfed",
    default_when: None,
};

const fn slam(default: &'static str) -> OptionSpec {
    OptionSpec {
        name: "slam",
        about: "a capture that would take all stones of the opponent",
        source: "Oware Society, abapa rules (`nothing`); Lincke 2002 (`illegal-unless-only`); \
                 variants in play (`takes-all`, `illegal`)",
        play_only: false,
        values: &[
            ("nothing", "legal, captures nothing"),
            (
                "illegal-unless-only",
                "sowings that leave the opponent no stone, by capture or by not feeding, are \
                 illegal unless all are; then they are played and capture",
            ),
            ("takes-all", "legal, captures"),
            ("illegal", "illegal; without another sowing the game ends and each keeps his row"),
        ],
        default,
        default_when: Some(("feed", "free", "takes-all")),
    }
}

const REPETITION: OptionSpec = OptionSpec {
    name: "repetition",
    about: "what becomes of the stones left in play without end",
    source: "Romein & Bal 2002 (`split`); tournament rules (`own-side`)",
    play_only: false,
    values: &[
        ("split", "infinite play splits them: its value is 0"),
        ("own-side", "the third occurrence of a position ends the game, each takes his own row"),
    ],
    default: "split",
    default_when: None,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slam {
    Nothing,
    IllegalUnlessOnly,
    TakesAll,
    Illegal,
}

/// The rules of oware and awari.
#[derive(Clone, Debug)]
pub struct Oware {
    track: Track,
    slam: Slam,
    must_feed: bool,
    ends_unfed: bool,
}

impl Oware {
    fn new(ruleset: &Ruleset) -> Oware {
        Oware {
            track: Track::new(ruleset.pits(), Lap::SkipOrigin),
            slam: match ruleset.choice("slam") {
                Some("illegal-unless-only") => Slam::IllegalUnlessOnly,
                Some("takes-all") => Slam::TakesAll,
                Some("illegal") => Slam::Illegal,
                _ => Slam::Nothing,
            },
            must_feed: ruleset.choice("feed") == Some("must"),
            ends_unfed: ruleset.choice("end") == Some("unfed"),
        }
    }

    /// Whether sowing the pit leaves the opponent stones, captures counted.
    fn leaves_stones(&self, board: Board, pit: usize) -> bool {
        !self.sow(board, pit).board.mover.is_empty()
    }

    /// Whether sowing the pit drops stones on the opponent's row.
    fn gives(&self, board: Board, pit: usize) -> bool {
        self.track.drop(pit, board.mover.get(pit)).spill > 0
    }

    /// Whether sowing the pit captures all stones of the opponent.
    fn slams(&self, board: Board, pit: usize) -> bool {
        (self.gives(board, pit) || !board.other.is_empty()) && !self.leaves_stones(board, pit)
    }

    fn filter(&self, pits: PitSet, keep: impl Fn(usize) -> bool) -> PitSet {
        pits.filter(|&pit| keep(pit)).fold(PitSet::EMPTY, PitSet::with)
    }

    /// The sowings that give an opponent without stones some, as the `slam` option counts it.
    fn feeding(&self, board: Board) -> PitSet {
        let pits = board.mover.occupied();
        match self.slam {
            Slam::Nothing | Slam::TakesAll => self.filter(pits, |pit| self.gives(board, pit)),
            Slam::IllegalUnlessOnly | Slam::Illegal => {
                self.filter(pits, |pit| self.leaves_stones(board, pit))
            }
        }
    }

    /// The sowings the `slam` option allows.
    fn allowed(&self, board: Board) -> PitSet {
        let pits = board.mover.occupied();
        match self.slam {
            Slam::Nothing | Slam::TakesAll => pits,
            Slam::Illegal => self.filter(pits, |pit| !self.slams(board, pit)),
            Slam::IllegalUnlessOnly => {
                let leaving = self.filter(pits, |pit| self.leaves_stones(board, pit));
                if leaving.is_empty() { pits } else { leaving }
            }
        }
    }
}

impl Game for Oware {
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
        let Capture::Other(last) = capture else {
            return Taken::nothing(other);
        };
        let mut taken = Taken::nothing(other);
        for pit in (0..=last as usize).rev() {
            let stones = other.get(pit);
            if !(2..=3).contains(&stones) {
                break;
            }
            taken.other = taken.other.cleared(pit);
            taken.stones += stones as u8;
        }
        if self.slam == Slam::Nothing && taken.other.is_empty() {
            return Taken::nothing(other);
        }
        taken
    }

    fn legal(&self, board: Board) -> PitSet {
        if self.must_feed && board.other.is_empty() {
            let feeding = self.feeding(board);
            if !feeding.is_empty() || self.ends_unfed {
                return feeding;
            }
        }
        self.allowed(board)
    }

    fn remainder(&self, board: Board) -> Option<Remainder> {
        let unfed = self.ends_unfed && board.other.is_empty() && self.feeding(board).is_empty();
        let finished = board.mover.is_empty() || unfed || self.legal(board).is_empty();
        finished.then(|| Remainder { mover: board.mover.stones(), other: board.other.stones() })
    }
}
