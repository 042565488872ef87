//! Proving the values of a cyclic layer.
//!
//! That every value follows from its successors is not enough where positions recur: two
//! positions can each claim a win because the other is a loss. So let a layer have a *lower* and an
//! *upper* value for each position, each lower one following from the upper ones of its successors and
//! each upper one from the lower ones, and let play without end be worth `floor` to the
//! player who is to get the lower value. For `repetition=split` both are the same table and
//! `floor` is 0; for bounds it is the loss of all stones, the least of all values. Let there be
//! a number r for each lower value above `floor` and each upper value below `-floor`, so that
//!
//! * a position of lower value v > `floor` has a capture worth v, or is finished, or has a sowing
//!   into a position of the layer of upper value -v with a lower r;
//! * from a position of upper value -v < `-floor` every sowing into a position of the layer of lower
//!   value v leads to a lower r.
//!
//! Then the values are right, those of the layers below being so. *The player to get v > `floor`
//! gets it*: call what a position is to give him his claim, the lower value where he moves and less
//! the upper one where the opponent does. He plays the sowing of the first kind. The reply
//! captures, which by the recurrence gives him at least v, or leads to a claim of more than v, or
//! to v with a lower r. So (claim, r) never repeats, and as there are finitely many, a
//! capture or the end comes, worth v or more. *He gets v <= `floor`*: he plays any sowing that the
//! value follows from. Both recurrences keep the claim at v or more for him, a capture or the end gives
//! him at least the claim, and play without end gives him `floor`. *He gets no more than v*: if
//! v >= `floor` the opponent, too, just plays what the value follows from; no sowing raises the claim,
//! and play without end gives `floor`, no more than v. For bounds that is every v: the upper bound of
//! one player is the lower one of the other, so the two tables prove each other. With
//! `repetition=split` the game is the same for both players, so v < 0 is what the first
//! two show for the opponent.
//!
//! Conversely right tables have such numbers: the sowings that forcing the value takes. They are
//! found in sweeps over the positions that have none, and need not be kept: a bit tells whether a
//! position has one. The rules are asked position by position, nothing is taken from the builder.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use games::Rows;
use rayon::prelude::*;

use crate::index::Numbering;
use crate::probe::Probe;
use crate::tabled::Tabled;
use crate::tables::ResidentTables;

/// Words of positions looked at by a task.
const BATCH: usize = 1 << 8;
const WORD: usize = u64::BITS as usize;

/// The values of a layer that are to be proved, and of the layers below.
#[derive(Debug)]
pub(super) struct Values<'a, R: Tabled> {
    /// What the mover gets if play without end is worth `floor` to him.
    pub(super) lower: &'a ResidentTables<R>,
    /// What he gets if it is worth that to the opponent.
    pub(super) upper: &'a ResidentTables<R>,
    pub(super) floor: i32,
}

/// A value that nothing brings about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unfounded {
    /// Whether it is an upper value.
    pub(super) upper: bool,
    /// Where it is in the layer.
    pub(super) number: u64,
}

/// Gives the lowest number of a position of a layer whose value nothing brings about; `None` if
/// all values are right. They must follow from their successors, and the lower layers be right.
pub(super) fn unfounded<R: Tabled>(
    rules: &R,
    values: Values<'_, R>,
    stones: u32,
) -> Option<Unfounded> {
    let Values { lower, upper, floor } = values;
    let layer = Layer {
        rules,
        stones,
        forcing: Claims::new(lower, stones, &|value| value > floor),
        forced: Claims::new(upper, stones, &|value| -value > floor),
    };
    loop {
        let any = layer.sweep(&layer.forcing, &|number| layer.can_progress(number));
        let more = layer.sweep(&layer.forced, &|number| layer.must_progress(number));
        if !any && !more {
            break;
        }
    }
    let claims = [(false, &layer.forcing), (true, &layer.forced)];
    let open = claims.into_iter().filter_map(|(upper, claims)| {
        claims.first_open().map(|number| Unfounded { upper, number })
    });
    open.min_by_key(|unfounded| unfounded.number)
}

/// What the player to get the lower value claims where one of the players moves.
struct Claims<'a, R: Tabled> {
    tables: &'a ResidentTables<R>,
    stones: u32,
    /// The positions that need a number r and have none, a bit each.
    open: Vec<AtomicU64>,
}

impl<'a, R: Tabled> Claims<'a, R> {
    fn new(
        tables: &'a ResidentTables<R>,
        stones: u32,
        needs: &(dyn Fn(i32) -> bool + Sync),
    ) -> Claims<'a, R> {
        let positions = tables.index().positions(stones);
        let bit = |number: u64| u64::from(needs(tables.value_at((stones, number))));
        let word = |word: u64| {
            let start = word * WORD as u64;
            let numbers = start..positions.min(start + WORD as u64);
            AtomicU64::new(numbers.fold(0, |bits, number| bits | bit(number) << (number - start)))
        };
        let words = positions.div_ceil(WORD as u64);
        Claims { tables, stones, open: (0..words).into_par_iter().map(word).collect() }
    }

    fn value(&self, number: u64) -> i32 {
        self.tables.value_at((self.stones, number))
    }

    fn is_open(&self, number: u64) -> bool {
        self.open[number as usize / WORD].load(Relaxed) >> (number % WORD as u64) & 1 == 1
    }

    fn first_open(&self) -> Option<u64> {
        let open = self.open.iter().enumerate().find(|(_, word)| word.load(Relaxed) != 0);
        open.map(|(at, word)| (at * WORD) as u64 + u64::from(word.load(Relaxed).trailing_zeros()))
    }
}

struct Layer<'a, R: Tabled> {
    rules: &'a R,
    stones: u32,
    /// Where the player who is to get the lower value moves.
    forcing: Claims<'a, R>,
    /// Where his opponent does.
    forced: Claims<'a, R>,
}

impl<R: Tabled> Layer<'_, R> {
    /// Looks at every open position again. Gives whether one got a number.
    fn sweep(&self, claims: &Claims<'_, R>, progresses: &(dyn Fn(u64) -> bool + Sync)) -> bool {
        let any = AtomicBool::new(false);
        claims.open.par_chunks(BATCH).enumerate().for_each(|(batch, words)| {
            for (at, word) in words.iter().enumerate() {
                let start = ((batch * BATCH + at) * WORD) as u64;
                let mut open = word.load(Relaxed);
                while open != 0 {
                    let bit = open.trailing_zeros();
                    open &= open - 1;
                    if progresses(start + u64::from(bit)) {
                        word.fetch_and(!(1 << bit), Relaxed);
                        any.store(true, Relaxed);
                    }
                }
            }
        });
        any.into_inner()
    }

    /// Whether a number is found for a position of the forcing player, given those of the
    /// others.
    fn can_progress(&self, number: u64) -> bool {
        let board = self.forcing.tables.index().board(self.stones, number);
        if self.rules.remainder(board).is_some() {
            return true;
        }
        let value = self.forcing.value(number);
        let replies = &self.forced;
        self.rules.legal(board).any(|pit| {
            let sown = self.rules.sow(board, pit);
            let place = replies.tables.locate(sown.board);
            let follows = sown.value(replies.tables.value_at(place)) == value;
            follows && !(self.in_layer(sown.board) && replies.is_open(place.1))
        })
    }

    /// The same for a position of his opponent.
    fn must_progress(&self, number: u64) -> bool {
        let board = self.forced.tables.index().board(self.stones, number);
        if self.rules.remainder(board).is_some() {
            return true;
        }
        let value = self.forced.value(number);
        let replies = &self.forcing;
        self.rules.legal(board).all(|pit| {
            let sown = self.rules.sow(board, pit);
            if !self.in_layer(sown.board) {
                return true;
            }
            let (_, next) = replies.tables.locate(sown.board);
            replies.value(next) != -value || !replies.is_open(next)
        })
    }

    fn in_layer(&self, board: R::Board) -> bool {
        board.stones() == self.stones
    }
}
