//! Proving the values of a cyclic layer.
//!
//! That every value follows from its successors is not enough where positions recur: two
//! positions can each claim a win because the other is a loss. Let every value of a layer follow
//! from its successors (the lower layers being right), and let there be a number r for each
//! value v other than 0 so that
//!
//! * a position worth v > 0 has a capture worth v, or is finished, or has a sowing into a
//!   position of the layer worth -v with a lower r;
//! * from a position worth -v < 0 every sowing into a position of the layer worth v leads to a
//!   lower r.
//!
//! Then the values are right. *The mover can get v > 0*: he plays the sowing of the first kind.
//! The reply captures, which by the recurrence gives him at least v, or leads to a position
//! worth more than v, or to one worth v with a lower r. So (value, r) never repeats, and as
//! there are finitely many, a capture or the end comes, worth v or more. *The mover can get
//! v <= 0*: he plays any sowing that the value follows from. Both recurrences keep the
//! claim at v or more for him, a capture or the end gives him at least the claim, and play
//! without end gives him 0. So each player can get at least what each value claims, and hence
//! neither can get more.
//!
//! Conversely a right table has such numbers: the sowings that forcing the value takes. They are
//! found in sweeps over the positions that have none, and need not be kept: a bit tells whether a
//! position has one. The rules are asked position by position, nothing is taken from the builder.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use games::{Board, Game, Rules};
use rayon::prelude::*;

use crate::probe::Probe;
use crate::tables::ResidentTables;

/// Words of positions looked at by a task.
const BATCH: usize = 1 << 8;
const WORD: usize = u64::BITS as usize;

/// Gives the lowest number of a position of a layer whose value nothing brings about; `None` if
/// all values are right. They must follow from their successors, and the lower layers be right.
pub(super) fn unfounded(rules: &Rules, tables: &ResidentTables, stones: u32) -> Option<u64> {
    let layer = Layer::new(rules, tables, stones);
    while layer.sweep() {}
    let open = layer.open.iter().enumerate().find(|(_, word)| word.load(Relaxed) != 0);
    open.map(|(at, word)| (at * WORD) as u64 + u64::from(word.load(Relaxed).trailing_zeros()))
}

struct Layer<'a> {
    rules: &'a Rules,
    tables: &'a ResidentTables,
    stones: u32,
    /// The positions worth something for which no number r is known yet, a bit each.
    open: Vec<AtomicU64>,
}

impl Layer<'_> {
    fn new<'a>(rules: &'a Rules, tables: &'a ResidentTables, stones: u32) -> Layer<'a> {
        let positions = tables.index().positions(stones);
        let bit = |number: u64| u64::from(tables.value_at((stones, number)) != 0);
        let word = |word: u64| {
            let start = word * WORD as u64;
            let numbers = start..positions.min(start + WORD as u64);
            AtomicU64::new(numbers.fold(0, |bits, number| bits | bit(number) << (number - start)))
        };
        let words = positions.div_ceil(WORD as u64);
        let open = (0..words).into_par_iter().map(word).collect();
        Layer { rules, tables, stones, open }
    }

    /// Looks at every open position again. Gives whether one got a number.
    fn sweep(&self) -> bool {
        let any = AtomicBool::new(false);
        self.open.par_chunks(BATCH).enumerate().for_each(|(batch, words)| {
            for (at, word) in words.iter().enumerate() {
                let start = ((batch * BATCH + at) * WORD) as u64;
                let mut open = word.load(Relaxed);
                while open != 0 {
                    let bit = open.trailing_zeros();
                    open &= open - 1;
                    let number = start + u64::from(bit);
                    if self.progresses(number) {
                        word.fetch_and(!(1 << bit), Relaxed);
                        any.store(true, Relaxed);
                    }
                }
            }
        });
        any.into_inner()
    }

    /// Whether a number is found for a position, given those of the others.
    fn progresses(&self, number: u64) -> bool {
        let board = self.tables.index().board(self.stones, number);
        if self.rules.remainder(board).is_some() {
            return true;
        }
        let value = self.tables.value_at((self.stones, number));
        let mut sown = self.rules.legal(board).map(|pit| self.rules.sow(board, pit));
        if value < 0 {
            return sown
                .all(|sown| !self.in_layer(sown.board) || self.is_passed(sown.board, value));
        }
        sown.any(|sown| {
            if self.in_layer(sown.board) {
                let (_, next) = self.tables.locate(sown.board);
                return self.stored(next) == -value && !self.is_open(next);
            }
            let next = self.tables.value_at(self.tables.locate(sown.board));
            sown.value(next) == value
        })
    }

    fn in_layer(&self, board: Board) -> bool {
        board.stones() == self.stones
    }

    /// Whether the opponent, moving on this board, has another claim than `-value`, or a number.
    fn is_passed(&self, board: Board, value: i32) -> bool {
        let (_, number) = self.tables.locate(board);
        self.stored(number) != -value || !self.is_open(number)
    }

    fn stored(&self, number: u64) -> i32 {
        self.tables.value_at((self.stones, number))
    }

    fn is_open(&self, number: u64) -> bool {
        self.open[number as usize / WORD].load(Relaxed) >> (number % WORD as u64) & 1 == 1
    }
}
