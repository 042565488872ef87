//! The games there are. A new game is a file of its own and one line here.

use crate::board::Board;
use crate::game::{Capture, Game, Remainder, Sown, Taken};
use crate::ruleset::GameSpec;
use crate::side::{PitSet, Side};
use crate::track::{Last, Track};

macro_rules! games {
    ($($module:ident::$rules:ident: $($spec:ident),+;)+) => {
        /// The rules of any game of the registry whose boards are two packed
        /// [sides](crate::Side), made by
        /// [`Ruleset::rules`](crate::Ruleset::rules).
        #[derive(Clone, Debug)]
        pub enum Rules {
            $(
                #[doc = concat!("The rules in `", stringify!($module), "`.")]
                $rules(crate::$module::$rules),
            )+
        }

        static ON_SIDES: &[&GameSpec] = &[$($(&crate::$module::$spec),+),+];

        impl Game for Rules {
            #[inline]
            fn track(&self) -> &Track {
                match self { $(Rules::$rules(rules) => rules.track(),)+ }
            }

            #[inline]
            fn reach(&self, own: Side, last: Last) -> Capture {
                match self { $(Rules::$rules(rules) => rules.reach(own, last),)+ }
            }

            #[inline]
            fn take(&self, capture: Capture, other: Side) -> Taken {
                match self { $(Rules::$rules(rules) => rules.take(capture, other),)+ }
            }

            #[inline]
            fn legal(&self, board: Board) -> PitSet {
                match self { $(Rules::$rules(rules) => rules.legal(board),)+ }
            }

            #[inline]
            fn remainder(&self, board: Board) -> Option<Remainder> {
                match self { $(Rules::$rules(rules) => rules.remainder(board),)+ }
            }

            #[inline]
            fn sow(&self, board: Board, pit: usize) -> Sown {
                match self { $(Rules::$rules(rules) => rules.sow(board, pit),)+ }
            }
        }
    };
}

games! {
    kalah::Kalah: KALAH;
    mangala::Mangala: MANGALA;
    oware::Oware: OWARE, AWARI;
    bestemshe::Bestemshe: BESTEMSHE;
}

/// Games with boards of their own.
static OTHERS: &[&GameSpec] = &[&crate::toguz::TOGUZ];

/// All games.
pub fn games() -> impl Iterator<Item = &'static GameSpec> {
    ON_SIDES.iter().chain(OTHERS).copied()
}

/// The game of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static GameSpec> {
    games().find(|spec| spec.name == name)
}
