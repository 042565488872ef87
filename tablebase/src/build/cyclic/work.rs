//! A layer in work: two bytes a position, in one row for each side of the mover.

use games::{Board, Game, PitSet, Rules};
use rayon::prelude::*;

use crate::build::sowings::Sowings;
use crate::index::{Index, Sides};

use super::effects::SortedEffect;
use super::slots::{Bits, Slots, WORD, members};
use super::unsow::Sources;

/// Marks a position without a capture so far.
pub(super) const NOTHING: i8 = i8::MIN;
/// In place of the sowings that are open, once the value is known.
pub(super) const CLOSED: i8 = -1;

/// What does not depend on the layer.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) rules: Rules,
    pub(super) index: Index,
    pub(super) sowings: Sowings,
    pub(super) effects: Vec<SortedEffect>,
    pub(super) slots: Slots,
    pub(super) sources: Sources,
}

impl Ground {
    pub(super) fn new(rules: Rules, index: Index) -> Ground {
        let sides = index.sides();
        let sowings = Sowings::new(&rules, sides);
        let effects = SortedEffect::all(&sowings, sides);
        let slots = Slots::new(sides);
        let sources = Sources::new(&sowings, sides, &slots);
        Ground { rules, sowings, effects, slots, sources, index }
    }

    pub(super) fn sides(&self) -> &Sides {
        self.index.sides()
    }

    /// The pits that may be sown, if the opponent has no stones and the game goes on. Only then
    /// does it depend on more than the pit whether a sowing that captures nothing is legal.
    pub(super) fn legal_alone(&self, mover: u32) -> PitSet {
        let board = Board::new(self.sides().side(mover), games::Side::EMPTY);
        match self.rules.remainder(board) {
            Some(_) => PitSet::EMPTY,
            None => self.rules.legal(board),
        }
    }
}

/// The positions of a layer that is in work.
///
/// Blocks lie as in the [index](crate::index), by the mover's stones, but in a block there is a
/// row for each side of the mover. So all that is written about the sowings of one side is in
/// one row, which belongs to one thread.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) stones: u32,
    /// The value, once it is known; before, the most that a capture or the end of the game gives.
    best: Vec<i8>,
    /// How many sowings lead to positions of the layer that are not known to be won by as much
    /// as the level in work; [`CLOSED`] once the value is known.
    open: Vec<i8>,
}

/// All positions of one side of the mover, one for each side of the opponent.
#[derive(Debug)]
pub(super) struct Row<'a> {
    /// The mover's stones, the rank of its side and the number of that among the sides of as
    /// many stones.
    pub(super) mover_stones: u32,
    pub(super) mover: u32,
    pub(super) place: usize,
    pub(super) best: &'a mut [i8],
    pub(super) open: &'a mut [i8],
}

impl Work {
    pub(super) fn new(ground: &Ground, stones: u32) -> Work {
        let positions = ground.index.positions(stones) as usize;
        Work { stones, best: vec![NOTHING; positions], open: vec![0; positions] }
    }

    /// Does something with all rows, or those of some slots, on all threads.
    pub(super) fn rows(
        &mut self,
        ground: &Ground,
        some: Option<&Bits>,
        visit: impl Fn(Row<'_>) + Sync,
    ) {
        let mut rest = (&mut self.best[..], &mut self.open[..]);
        let mut blocks = Vec::new();
        for k in 0..=self.stones {
            let size = ground.index.rows(self.stones, k).len() as usize;
            let (best, best_rest) = rest.0.split_at_mut(size);
            let (open, open_rest) = rest.1.split_at_mut(size);
            rest = (best_rest, open_rest);
            blocks.push((k, best, open));
        }
        blocks.into_par_iter().for_each(|(k, best, open)| {
            let width = ground.sides().of(self.stones - k).len();
            let first = ground.sides().of(k).start;
            let word = ground.slots.first(k) as usize / WORD;
            let parts = best.par_chunks_mut(width * WORD).zip(open.par_chunks_mut(width * WORD));
            parts.enumerate().for_each(|(part, (best, open))| {
                let wanted = some.map_or(u64::MAX, |some| {
                    some.words()[word + part].load(std::sync::atomic::Ordering::Relaxed)
                });
                if wanted == 0 {
                    return;
                }
                let rows = best.chunks_mut(width).zip(open.chunks_mut(width));
                for (at, (best, open)) in rows.enumerate() {
                    if wanted >> at & 1 == 1 {
                        let place = part * WORD + at;
                        let mover = first + place as u32;
                        visit(Row { mover_stones: k, mover, place, best, open });
                    }
                }
            });
        });
    }

    /// The values in the order of the [index](crate::index), once all that are not 0 are known.
    pub(super) fn into_values(mut self, ground: &Ground) -> Vec<i8> {
        self.rows(ground, None, |row| {
            for (best, &open) in row.best.iter_mut().zip(&*row.open) {
                *best = if open == CLOSED { *best } else { 0 };
            }
        });
        // The numbers of open sowings are done with, so their room is.
        let mut values = self.open;
        let mut rest = (&self.best[..], &mut values[..]);
        for k in 0..=self.stones {
            let rows = ground.index.rows(self.stones, k);
            let (from, from_rest) = rest.0.split_at(rows.len() as usize);
            let (to, to_rest) = rest.1.split_at_mut(rows.len() as usize);
            rest = (from_rest, to_rest);
            transpose(from, to, rows.others.len(), rows.movers.len());
        }
        values
    }
}

/// Sides of a tile of [`transpose`].
const TILE: usize = 64;

/// Turns rows of `from_width` values into rows of `to_width`.
fn transpose(from: &[i8], to: &mut [i8], from_width: usize, to_width: usize) {
    to.par_chunks_mut(to_width * TILE).enumerate().for_each(|(part, to)| {
        for start in (0..to_width).step_by(TILE) {
            let end = to_width.min(start + TILE);
            for (at, row) in to.chunks_mut(to_width).enumerate() {
                let column = part * TILE + at;
                for (place, value) in (start..end).zip(&mut row[start..end]) {
                    *value = from[place * from_width + column];
                }
            }
        }
    });
}

/// The slots of the rows that a set of rows is reached from, in the layer of `stones` stones.
pub(super) fn sources(ground: &Ground, stones: u32, rows: &[std::sync::atomic::AtomicU64]) -> Bits {
    let found = Bits::new(ground.slots.words(stones));
    let end = ground.slots.first(stones + 1);
    rows.par_iter().with_min_len(WORD).enumerate().for_each(|(word, bits)| {
        for at in members(bits.load(std::sync::atomic::Ordering::Relaxed)) {
            let sources = ground.sources.of(word * WORD + at);
            sources.iter().filter(|&&slot| slot < end).for_each(|&slot| found.set(slot as usize));
        }
    });
    found
}
