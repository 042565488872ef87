//! Bounds that hold under any rule of repetition.
//!
//! Let a position of a cyclic game be worth L to the mover if play without end were the worst
//! for him, all stones of the board lost, and U if it were the best. `mancala build --bounds` keeps both.
//!
//! *Theorem.* Take any rule that leaves play alone until a position has recurred, and then goes
//! on, or ends the game giving each player some of the stones on the board (`repetition=split`,
//! `repetition=own-side` and `repetition=draw` are such rules). If it counts recurrences from this position on, each
//! player can make sure of his bound: the mover gets at least L and at most U under best play.
//! Where L = U that is the value, whatever the rule.
//!
//! *Proof.* Call the mover A. A position with A to move claims L for him, one with the
//! opponent to move claims less its U, stones captured on the way added. A sows as L follows
//! from its successors, and of several such sowings one that comes nearer to a capture or an end (the
//! rank r of the [certificate](crate::verify)). No sowing of the opponent lowers the claim, and one
//! that keeps it lowers r, unless the claim is the loss of all stones left, which nothing undercuts. So
//! (claim, r) only gets better along play. A position stands for one claim and one r, so until the
//! claim is cashed none recurs but such as claim the loss of everything, and there any award does.
//! Captures lead to layers where all positions are new, so this goes on to the end. Likewise
//! for the opponent with less U. ∎
//!
//! *Sowings.* The same holds of each sowing from the position, if, as with `own-side`, the rule needs a
//! third occurrence: then it does no harm that the position itself has occurred once, since play
//! as above comes to it at most once more.
//!
//! What is *not* claimed: values after a history in which positions of this layer have occurred
//! already. After a capture there are none.

use std::path::Path;

use games::{Rules, Ruleset, Sown};

use crate::file::{FileError, LayerFile, ValueKind};
use crate::tabled::Tabled;
use crate::tables::{OpenError, Tables};

/// A lower and an upper bound of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The value is at least this,
    pub lower: i32,
    /// and at most this.
    pub upper: i32,
}

impl Interval {
    /// Bounds that meet.
    #[must_use]
    pub const fn exactly(value: i32) -> Interval {
        Interval { lower: value, upper: value }
    }

    /// The value, if the bounds meet.
    #[must_use]
    pub const fn value(self) -> Option<i32> {
        if self.lower == self.upper { Some(self.lower) } else { None }
    }

    /// Turns the bounds of the position that a sowing leads to into those of the sowing for the sower.
    #[must_use]
    pub const fn before<B>(self, sown: &Sown<B>) -> Interval {
        let (lower, upper) = (sown.value(self.lower), sown.value(self.upper));
        if sown.again { Interval { lower, upper } } else { Interval { lower: upper, upper: lower } }
    }
}

/// The ruleset under whose key the bounds of a ruleset are kept, which do not depend on its rule of
/// repetition: the one that has exact values beside them.
#[must_use]
pub fn keeper<R: Tabled>(ruleset: &Ruleset<R>) -> Ruleset<R> {
    ruleset.with("repetition", "split").unwrap_or_else(|| ruleset.clone())
}

/// The bounds of the layers 0 to some number of stones of a ruleset, in files of any codec.
/// Threads may share them.
#[derive(Debug)]
pub struct BoundTables<R: Tabled = Rules> {
    lower: Tables<R>,
    upper: Tables<R>,
}

impl<R: Tabled> BoundTables<R> {
    /// Opens the bounds of a ruleset below the folder `tables`, whatever its rule of repetition:
    /// all layers from 0 up to the first of which a file is missing, but none above `most`. `None`
    /// if there are none.
    ///
    /// # Errors
    /// A file is not in order.
    pub fn open(
        tables: &Path,
        ruleset: &Ruleset<R>,
        most: u32,
    ) -> Result<Option<BoundTables<R>>, OpenError> {
        let keeper = keeper(ruleset);
        let open = |kind, most| match Tables::open_kind(tables, &keeper, most, kind) {
            Err(OpenError::Empty { .. }) => Ok(None),
            tables => tables.map(Some),
        };
        let Some(lower) = open(ValueKind::LowerBound, most)? else {
            return Ok(None);
        };
        let Some(upper) = open(ValueKind::UpperBound, lower.most_stones())? else {
            return Ok(None);
        };
        Ok(Some(BoundTables { lower, upper }))
    }

    /// The highest layer.
    #[must_use]
    pub fn most_stones(&self) -> u32 {
        self.upper.most_stones()
    }

    /// The index of all layers.
    #[must_use]
    pub fn index(&self) -> &R::Index {
        self.upper.index()
    }

    /// The files of a layer, the lower bounds first; `None` if it is not here.
    #[must_use]
    pub fn layer(&self, stones: u32) -> Option<[&LayerFile; 2]> {
        let at = stones as usize;
        Some([self.lower.layers().get(at)?, self.upper.layers().get(at)?])
    }

    /// The bounds of a position for the side to move; `None` if its layer is not here.
    ///
    /// # Errors
    /// A block is damaged.
    pub fn bounds(&self, board: R::Board) -> Result<Option<Interval>, FileError> {
        let Some(upper) = self.upper.value(board)? else {
            return Ok(None);
        };
        Ok(self.lower.value(board)?.map(|lower| Interval { lower, upper }))
    }
}
