//! A layer in work: two bytes a position, in one row for each side of the mover.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use games::{Board, Game, PitSet, Rules};
use memmap2::MmapMut;
use rayon::prelude::*;

use crate::build::sowings::Sowings;
use crate::index::{Index, Sides, side_count_up_to};
use crate::raw;

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

    /// An upper estimate of the bytes that this occupies, without the index.
    pub(super) fn memory(pits: usize, stones: u32) -> u64 {
        let sides = |stones| side_count_up_to(pits, stones);
        // An effect a number of spilled stones; of each side before, what a capture leads to,
        // or of each side after, the side before and a bit.
        let spills: u64 = 2 * (0..=stones).map(sides).sum::<u64>();
        Sowings::memory(pits, stones) + 16 * spills + (4 * pits as u64 + 4) * sides(stones)
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
pub struct Work {
    pub(super) stones: u32,
    /// The value, once it is known; before, the most that a capture or the end of the game gives.
    best: MmapMut,
    /// How many sowings lead to positions of the layer that are not known to be won by as much
    /// as the level in work; [`CLOSED`] once the value is known.
    open: MmapMut,
}

/// The rows of some neighbouring sides of the mover, as many as a word has bits.
#[derive(Debug)]
pub(super) struct Part<'a> {
    /// The mover's stones, the rank of its first side and the number of that among the sides of
    /// as many stones.
    pub(super) mover_stones: u32,
    pub(super) mover: u32,
    pub(super) place: usize,
    /// The rows that are wanted, a bit each.
    pub(super) wanted: u64,
    /// Positions in a row: one for each side of the opponent.
    pub(super) width: usize,
    pub(super) best: &'a mut [i8],
    pub(super) open: &'a mut [i8],
}

/// All positions of one side of the mover, one for each side of the opponent.
#[derive(Debug)]
pub(super) struct Row<'a> {
    /// As in [`Part`].
    pub(super) mover_stones: u32,
    pub(super) mover: u32,
    pub(super) place: usize,
    pub(super) best: &'a mut [i8],
    pub(super) open: &'a mut [i8],
}

impl<'a> Part<'a> {
    /// Each row by itself.
    fn rows(self) -> impl Iterator<Item = Row<'a>> {
        let Part { mover_stones, mover, place, width, .. } = self;
        let rows = self.best.chunks_mut(width).zip(self.open.chunks_mut(width));
        rows.enumerate().map(move |(at, (best, open))| {
            let (mover, place) = (mover + at as u32, place + at);
            Row { mover_stones, mover, place, best, open }
        })
    }
}

impl Work {
    pub(super) fn new(ground: &Ground, stones: u32) -> io::Result<Work> {
        let positions = usize::try_from(ground.index.positions(stones));
        let positions = positions.map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(Work { stones, best: raw::zeroed(positions)?, open: raw::zeroed(positions)? })
    }

    /// All bytes of the layer, in two arrays.
    pub(super) fn bytes(&self) -> [&[u8]; 2] {
        [&self.best, &self.open]
    }

    /// The same to be restored.
    pub(super) fn bytes_mut(&mut self) -> [&mut [u8]; 2] {
        [&mut self.best, &mut self.open]
    }

    /// Does something with all rows, on all threads.
    pub(super) fn rows(&mut self, ground: &Ground, visit: impl Fn(Row<'_>) + Sync) {
        self.parts(ground, None, |part| part.rows().for_each(&visit));
    }

    /// Does something with all parts, or those that have rows of some slots, on all threads.
    pub(super) fn parts(
        &mut self,
        ground: &Ground,
        some: Option<&Bits>,
        visit: impl Fn(Part<'_>) + Sync,
    ) {
        let bytes = (&mut self.best[..], &mut self.open[..]);
        let mut rest: (&mut [i8], &mut [i8]) =
            (bytemuck::cast_slice_mut(bytes.0), bytemuck::cast_slice_mut(bytes.1));
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
                let wanted = some.map_or(u64::MAX, |some| some.words()[word + part].load(Relaxed));
                let place = part * WORD;
                let mover = first + place as u32;
                if wanted != 0 {
                    visit(Part { mover_stones: k, mover, place, wanted, width, best, open });
                }
            });
        });
    }

    /// The values in the order of the [index](crate::index); `unknown` where no level has reached.
    pub(super) fn into_values(mut self, ground: &Ground, unknown: i8) -> MmapMut {
        self.rows(ground, |row| {
            for (best, &open) in row.best.iter_mut().zip(&*row.open) {
                *best = if open == CLOSED { *best } else { unknown };
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
fn transpose(from: &[u8], to: &mut [u8], from_width: usize, to_width: usize) {
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
pub(super) fn sources(ground: &Ground, stones: u32, rows: &[AtomicU64]) -> Bits {
    let found = Bits::new(ground.slots.words(stones));
    let end = ground.slots.first(stones + 1);
    rows.par_iter().with_min_len(WORD).enumerate().for_each(|(word, bits)| {
        for at in members(bits.load(Relaxed)) {
            let sources = ground.sources.of(word * WORD + at);
            sources.iter().filter(|&&slot| slot < end).for_each(|&slot| found.set(slot as usize));
        }
    });
    found
}
