//! Checking values against their successors.
//!
//! The rules are asked directly, position by position; nothing here shares code with the
//! builder. In an acyclic game this proves a table: a value that follows from right values is
//! right, and the end values follow from nothing. In a cyclic one values can follow from each
//! other and all be wrong; there a progress certificate is found as well (`progress.rs` says why
//! that is a proof).

mod folder;
mod progress;
mod tour;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use games::Rows;
use rayon::prelude::*;

use crate::index::Numbering;
use crate::probe::Probe;
use crate::tabled::Tabled;
use crate::tables::ResidentTables;

pub use folder::{Event, Verified, VerifyError, verify, verify_bounds};
pub use tour::Tour;

/// Random positions drawn by a task.
const DRAWS: u64 = 1 << 12;
/// Random positions whose values are on their way from memory together.
const BATCH: usize = 16;

/// A position with a wrong value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The layer.
    pub stones: u32,
    /// The position's number in the [index](crate::index) of the layer.
    pub number: u64,
    /// The value in the table.
    pub stored: i32,
    /// What follows from its successors.
    pub right: i32,
}

/// Recomputes the values of layers from the layers below.
#[derive(Debug)]
pub struct Verifier<'a, R: Tabled> {
    /// The rules of the tables.
    pub rules: &'a R,
    /// The layers.
    pub tables: &'a ResidentTables<R>,
    /// The layers that values follow from: the same, or for bounds those of the other bound.
    pub replies: &'a ResidentTables<R>,
    /// Whether positions recur. Then a value that does not follow from its successors is named
    /// as it is, though one of them may be the wrong one, and that every value follows proves
    /// nothing yet.
    pub cyclic: bool,
}

impl<R: Tabled> Verifier<'_, R> {
    /// Checks every value of a layer on the threads of the current rayon pool and gives the
    /// wrong one of the lowest number. The layers below are taken for right, so check them first.
    /// `progress` is told the positions done since its last call, from any thread.
    #[must_use]
    pub fn layer(&self, stones: u32, progress: &(dyn Fn(u64) + Sync)) -> Option<Wrong> {
        let first = FirstWrong::default();
        self.index().tiles(stones).into_par_iter().for_each(|tile| {
            let (lowest, positions) = R::Index::extent(&tile);
            if lowest < first.number() {
                self.index().visit(stones, &tile, |number, board, memory| {
                    self.check(number, board, memory, &first);
                });
            }
            progress(positions);
        });
        self.describe(stones, &first)
    }

    /// Checks `draws` positions of a layer, drawn by a fixed rule; the whole layer if it has no
    /// more. A wrong value may be reported that is itself right but has a wrong successor in a lower
    /// layer, if not all of that was checked.
    #[must_use]
    pub fn sample(
        &self,
        stones: u32,
        draws: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Option<Wrong> {
        let positions = self.index().positions(stones);
        if draws >= positions {
            return self.layer(stones, progress);
        }
        let first = FirstWrong::default();
        (0..draws.div_ceil(DRAWS)).into_par_iter().for_each(|task| {
            let range = task * DRAWS..draws.min((task + 1) * DRAWS);
            progress(range.end - range.start);
            let mut drawn = range.map(|draw| {
                let number = scatter(u64::from(stones) << 56 ^ draw) % positions;
                (number, self.index().board(stones, number))
            });
            let mut batch = Vec::with_capacity(BATCH);
            loop {
                batch.clear();
                batch.extend(drawn.by_ref().take(BATCH));
                if batch.is_empty() {
                    break;
                }
                batch.iter().for_each(|&(_, board)| self.prefetch(board));
                for &(number, board) in &batch {
                    self.check(number, board, &mut self.index().memory(), &first);
                }
            }
        });
        self.describe(stones, &first)
    }

    fn index(&self) -> &R::Index {
        self.tables.index()
    }

    #[inline]
    fn check(
        &self,
        number: u64,
        board: R::Board,
        memory: &mut <R::Index as Tour>::Memory,
        first: &FirstWrong,
    ) {
        let stored = self.tables.value_at((board.stones(), number));
        // A value that does not follow from its successors may be right and one of them wrong.
        let is_wrong = stored != self.follows(board, memory)
            && number < first.number()
            && (self.cyclic || stored != self.proved(board, &mut HashMap::new()));
        if is_wrong {
            first.found(number);
        }
    }

    /// Has everything brought closer that a check of the position reads.
    fn prefetch(&self, board: R::Board) {
        let sown = self.rules.legal(board).map(|pit| self.rules.sow(board, pit).board);
        sown.for_each(|board| self.replies.prefetch(self.replies.locate(board)));
        self.tables.prefetch(self.tables.locate(board));
    }

    #[inline]
    fn stored(&self, board: R::Board) -> i32 {
        self.tables.value_at(self.tables.locate(board))
    }

    /// The value by what is stored of the successors.
    #[inline]
    fn follows(&self, board: R::Board, memory: &mut <R::Index as Tour>::Memory) -> i32 {
        if let Some(remainder) = self.rules.remainder(board) {
            return remainder.value();
        }
        let values = self.rules.legal(board).map(|pit| {
            let sown = self.rules.sow(board, pit);
            let place = self.index().number_after(memory, pit, sown.board);
            sown.value(self.replies.value_at(place))
        });
        values.max().unwrap_or(i32::MIN)
    }

    /// The value by what is stored in lower layers, without a look at this one.
    #[cold]
    fn proved(&self, board: R::Board, known: &mut HashMap<R::Board, i32>) -> i32 {
        if let Some(&value) = known.get(&board) {
            return value;
        }
        let value = match self.rules.remainder(board) {
            Some(remainder) => remainder.value(),
            None => {
                let values = self.rules.legal(board).map(|pit| {
                    let sown = self.rules.sow(board, pit);
                    let stays = sown.board.stones() == board.stones();
                    let next = match stays {
                        true => self.proved(sown.board, known),
                        false => self.stored(sown.board),
                    };
                    sown.value(next)
                });
                values.max().unwrap_or(i32::MIN)
            }
        };
        known.insert(board, value);
        value
    }

    fn describe(&self, stones: u32, first: &FirstWrong) -> Option<Wrong> {
        let number = first.number();
        (number < u64::MAX).then(|| {
            let board = self.index().board(stones, number);
            let right = match self.cyclic {
                true => self.follows(board, &mut self.index().memory()),
                false => self.proved(board, &mut HashMap::new()),
            };
            Wrong { stones, number, stored: self.stored(board), right }
        })
    }
}

/// The lowest number of a wrong value found so far.
struct FirstWrong(AtomicU64);

impl Default for FirstWrong {
    fn default() -> FirstWrong {
        FirstWrong(AtomicU64::new(u64::MAX))
    }
}

impl FirstWrong {
    #[inline]
    fn number(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn found(&self, number: u64) {
        self.0.fetch_min(number, Ordering::Relaxed);
    }
}

/// The mixing step of SplitMix64 (Steele, Lea, Flood 2014): a bijection that looks random.
fn scatter(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
