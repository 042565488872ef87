//! Checking values against their successors.
//!
//! The rules are asked directly, position by position; nothing here shares code with the
//! builder. In an acyclic game this proves a table: a value that follows from right values is
//! right, and the end values follow from nothing. In a cyclic one values can follow from each
//! other and all be wrong; there a progress certificate is found as well (`progress.rs` says why
//! that is a proof).

mod folder;
mod progress;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use games::{Board, Game, MAX_PITS, Rules, Side};
use rayon::prelude::*;

use crate::index::{Index, Rows, Sides};
use crate::probe::Probe;
use crate::tables::ResidentTables;

pub use folder::{Event, Verified, VerifyError, verify, verify_bounds};

/// Mover's sides of a tile. With one of them fixed, each sowing leads along a row of the table
/// as the opponent's side varies, so a tile reads few cache lines.
const TILE_MOVERS: usize = 1024;
/// Opponent's sides of a tile.
const TILE_OTHERS: usize = 128;
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
    /// The position.
    pub board: Board,
    /// The value in the table.
    pub stored: i32,
    /// What follows from its successors.
    pub right: i32,
}

/// Recomputes the values of layers from the layers below.
#[derive(Clone, Copy, Debug)]
pub struct Verifier<'a> {
    /// The rules of the tables.
    pub rules: &'a Rules,
    /// The layers.
    pub tables: &'a ResidentTables,
    /// The layers that values follow from: the same, or for bounds those of the other bound.
    pub replies: &'a ResidentTables,
    /// Whether positions recur. Then a value that does not follow from its successors is named
    /// as it is, though one of them may be the wrong one, and that every value follows proves
    /// nothing yet.
    pub cyclic: bool,
}

impl Verifier<'_> {
    /// Checks every value of a layer on the threads of the current rayon pool and gives the
    /// wrong one of the lowest number. The layers below are taken for right, so check them first.
    /// `progress` is told the positions done since its last call, from any thread.
    #[must_use]
    pub fn layer(&self, stones: u32, progress: &(dyn Fn(u64) + Sync)) -> Option<Wrong> {
        let first = FirstWrong::default();
        (0..=stones).into_par_iter().flat_map(|k| self.tiles(stones, k)).for_each(|tile| {
            self.tile(&tile, &first);
            progress((tile.movers.len() * tile.others.len()) as u64);
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
                    self.check(number, board, &mut Ranks::new(self.index().sides()), &first);
                }
            }
        });
        self.describe(stones, &first)
    }

    fn index(&self) -> &Index {
        self.tables.index()
    }

    /// Cuts the positions with `k` stones of the mover into tiles.
    fn tiles(&self, stones: u32, k: u32) -> Vec<Rows> {
        let rows = self.index().rows(stones, k);
        let cut = |range: &Range<u32>, size: usize| {
            let end = range.end;
            range.clone().step_by(size).map(move |start| start..end.min(start + size as u32))
        };
        cut(&rows.others, TILE_OTHERS)
            .flat_map(|others| cut(&rows.movers, TILE_MOVERS).map(move |m| (m, others.clone())))
            .map(|(movers, others)| rows.part(movers, others))
            .collect()
    }

    fn tile(&self, tile: &Rows, first: &FirstWrong) {
        if tile.number(tile.movers.start, tile.others.start) >= first.number() {
            return;
        }
        let sides = self.index().sides();
        for mover in tile.movers.clone() {
            let mut ranks = Ranks::new(sides);
            for other in tile.others.clone() {
                let board = Board::new(sides.side(mover), sides.side(other));
                self.check(tile.number(mover, other), board, &mut ranks, first);
            }
        }
    }

    #[inline]
    fn check(&self, number: u64, board: Board, ranks: &mut Ranks<'_>, first: &FirstWrong) {
        let stored = self.tables.value_at((board.stones(), number));
        // A value that does not follow from its successors may be right and one of them wrong.
        let is_wrong = stored != self.follows(board, ranks)
            && number < first.number()
            && (self.cyclic || stored != self.proved(board, &mut HashMap::new()));
        if is_wrong {
            first.found(number);
        }
    }

    /// Has everything brought closer that a check of the position reads.
    fn prefetch(&self, board: Board) {
        let sown = self.rules.legal(board).map(|pit| self.rules.sow(board, pit).board);
        sown.for_each(|board| self.replies.prefetch(self.replies.locate(board)));
        self.tables.prefetch(self.tables.locate(board));
    }

    #[inline]
    fn stored(&self, board: Board) -> i32 {
        self.tables.value_at(self.tables.locate(board))
    }

    /// The value by what is stored of the successors.
    #[inline]
    fn follows(&self, board: Board, ranks: &mut Ranks<'_>) -> i32 {
        if let Some(remainder) = self.rules.remainder(board) {
            return remainder.value();
        }
        let values = self.rules.legal(board).map(|pit| {
            let sown = self.rules.sow(board, pit);
            let ranked = ranks.of(pit, sown.board);
            sown.value(self.replies.value_at(self.index().number_ranked(sown.board, ranked)))
        });
        values.max().unwrap_or(i32::MIN)
    }

    /// The value by what is stored in lower layers, without a look at this one.
    #[cold]
    fn proved(&self, board: Board, known: &mut HashMap<Board, i32>) -> i32 {
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
                true => self.follows(board, &mut Ranks::new(self.index().sides())),
                false => self.proved(board, &mut HashMap::new()),
            };
            Wrong { stones, number, board, stored: self.stored(board), right }
        })
    }
}

/// Ranks of the sides that each sowing of a mover's side last led to: as the opponent's side
/// varies, one of the two mostly stays the same.
struct Ranks<'a> {
    sides: &'a Sides,
    known: [[(Side, u32); 2]; MAX_PITS],
}

impl Ranks<'_> {
    fn new(sides: &Sides) -> Ranks<'_> {
        Ranks { sides, known: [[(Side::EMPTY, sides.rank(Side::EMPTY)); 2]; MAX_PITS] }
    }

    /// The ranks of the mover's and of the opponent's side after the sowing of a pit.
    #[inline]
    fn of(&mut self, pit: usize, sown: Board) -> [u32; 2] {
        let [mover, other] = &mut self.known[pit];
        for (known, side) in [(&mut *mover, sown.mover), (&mut *other, sown.other)] {
            if known.0 != side {
                *known = (side, self.sides.rank(side));
            }
        }
        [mover.1, other.1]
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
