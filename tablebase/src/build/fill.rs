//! Filling a layer of an acyclic game: each position once, in order of potential.
//!
//! In the block of a layer where the mover has k stones, the successors of a position (a, b)
//! that stay in the layer are the positions (b, a') of the block where he has n - k, with a' of
//! lower potential than a. So the two blocks are filled together, by rising potential of the
//! sides A of one of them: first all positions with the mover's side of that potential, then all
//! with the opponent's. Nothing else in the layer is read, so the pairs of blocks are
//! independent, and so are the tiles of each step.

// The argument above is what makes the accesses to the shared table sound.
#![allow(unsafe_code)]

use std::ops::Range;

use games::{Board, Game, Rules, Side};
use rayon::prelude::*;

use crate::raw::SharedTable;

use super::rows::Rows;
use super::sowings::{CAPTURER, Effect, EffectKind, SideSowing, Sowings};

/// Sides of the mover in a tile: the length of the runs in which values are written.
const TILE_MOVERS: usize = 64;
/// Sides of the opponent in a tile: the length of the inner loops. A tile fits the L1 cache.
const TILE_OTHERS: usize = 256;

type Column = [i8; TILE_OTHERS];

/// Everything a fill reads and writes.
#[derive(Debug)]
pub(crate) struct Filler<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) sowings: &'a Sowings,
    pub(crate) rows: &'a Rows,
    pub(crate) table: &'a SharedTable,
}

impl Filler<'_> {
    /// Fills the layer of `stones` stones; all lower ones are filled.
    pub(crate) fn layer(&self, stones: u32, progress: &(dyn Fn(u64) + Sync)) {
        self.edge(stones, progress);
        (1..=stones / 2).into_par_iter().for_each(|few| {
            self.block_pair(stones - few, few, progress);
        });
    }

    /// Fills the positions where a row is empty, in which the board may be finished.
    fn edge(&self, stones: u32, progress: &(dyn Fn(u64) + Sync)) {
        for rank in self.rows.sides().of(stones) {
            let side = self.rows.sides().side(rank);
            // A mover without stones is always finished, so his position is needed first.
            for board in [Board::new(Side::EMPTY, side), Board::new(side, Side::EMPTY)] {
                let value = self.plain_value(board);
                // SAFETY: the edge is filled by one thread before the rest of the layer.
                unsafe { self.table.write(self.rows.place(board), &[value]) };
            }
        }
        progress(if stones == 0 { 1 } else { 2 * self.rows.sides().of(stones).len() as u64 });
    }

    fn plain_value(&self, board: Board) -> i8 {
        if let Some(remainder) = self.rules.remainder(board) {
            return remainder.value() as i8;
        }
        let values = self.rules.legal(board).map(|pit| {
            let sown = self.rules.sow(board, pit);
            let place = self.rows.place(sown.board);
            // SAFETY: the edge is filled by one thread, successors first.
            let next = unsafe { self.table.read(place, 1) }[0];
            sown.value(i32::from(next)) as i8
        });
        values.max().expect("a board that is not finished has a sowing")
    }

    /// Fills the positions of `many` against `few` stones, whoever moves.
    fn block_pair(&self, many: u32, few: u32, progress: &(dyn Fn(u64) + Sync)) {
        let others = self.rows.sides().of(few);
        for group in self.rows.sides().groups(many) {
            // Of two sides of as many stones, the one of lower potential comes first.
            let (from, after) = match many == few {
                true => (group.start, group.end),
                false => (others.start, others.start),
            };
            self.tiles((group.clone(), many), (from..others.end, few));
            self.tiles((after..others.end, few), (group.clone(), many));
            let rest = (others.end - from) as u64 + (others.end - after) as u64;
            progress(group.len() as u64 * rest);
        }
    }

    /// Fills all positions of some movers' sides against some opponents' sides.
    fn tiles(&self, movers: (Range<u32>, u32), others: (Range<u32>, u32)) {
        let chunks = |range: &Range<u32>, size: usize| {
            let end = range.end;
            range.clone().step_by(size).map(move |start| start..end.min(start + size as u32))
        };
        let tiles: Vec<(Range<u32>, Range<u32>)> = chunks(&movers.0, TILE_MOVERS)
            .flat_map(|m| chunks(&others.0, TILE_OTHERS).map(move |o| (m.clone(), o)))
            .collect();
        tiles.into_par_iter().with_min_len(4).for_each_init(
            || [[0; TILE_OTHERS]; TILE_MOVERS],
            |columns, (m, o)| self.tile(columns, (m, movers.1), (o, others.1)),
        );
    }

    /// Fills one tile; `columns` is room to work in.
    fn tile(
        &self,
        columns: &mut [Column; TILE_MOVERS],
        movers: (Range<u32>, u32),
        others: (Range<u32>, u32),
    ) {
        let mut again = Vec::new();
        for (column, mover) in columns.iter_mut().zip(movers.0.clone()) {
            column[..others.0.len()].fill(i8::MIN);
            for sowing in self.sowings.of(mover) {
                let effect = &self.sowings.effects[sowing.effect()];
                if effect.kind == EffectKind::Again {
                    again.push(((mover - movers.0.start) as usize, sowing, effect));
                } else {
                    self.sow_passing(column, sowing, effect, &others);
                }
            }
        }
        self.finish(columns, &again, movers.0, others);
    }

    /// Raises the values of one mover's side to what a sowing that passes the move is worth.
    #[inline]
    fn sow_passing(
        &self,
        column: &mut Column,
        sowing: &SideSowing,
        effect: &Effect,
        (others, stones): &(Range<u32>, u32),
    ) {
        let len = others.len();
        let column = &mut column[..len];
        let range = others.start as usize..others.end as usize;
        let row = |rank: u32, own_stones: u32| {
            let start = self.rows.start(rank, own_stones);
            let len = self.rows.sides().up_to(stones + u32::from(effect.spill)) as usize;
            // SAFETY: the row up to here is in lower layers, or in this one with the opponent's
            // side of lower potential: filled, as the module says.
            unsafe { self.table.read(start, len) }
        };
        let own_stones = u32::from(sowing.own_stones);
        let own = row(sowing.own, own_stones);
        let gain = sowing.store as i8;
        match effect.kind {
            EffectKind::Pass if effect.after.is_empty() => {
                for (value, next) in column.iter_mut().zip(&own[range]) {
                    *value = (*value).max(gain - next);
                }
            }
            EffectKind::Pass => {
                for (value, &after) in column.iter_mut().zip(&effect.after[range]) {
                    *value = (*value).max(gain - own[after as usize]);
                }
            }
            EffectKind::Capture => {
                let after = effect.after[range.clone()].iter().zip(&effect.captured[range]);
                for (value, (&after, &captured)) in column.iter_mut().zip(after) {
                    *value = (*value).max(gain + captured as i8 - own[after as usize]);
                }
            }
            EffectKind::CaptureOpposite => {
                let cleared = row(sowing.cleared, own_stones - 1);
                let after = effect.after[range.clone()].iter().zip(&effect.captured[range]);
                for (value, (&after, &captured)) in column.iter_mut().zip(after) {
                    let row = if after & CAPTURER == 0 { own } else { cleared };
                    let next = row[(after & !CAPTURER) as usize];
                    *value = (*value).max(gain + captured as i8 - next);
                }
            }
            EffectKind::Again => unreachable!("extra sowings do not pass the move"),
        }
    }

    /// Turns the tile into rows, raises them by extra sowings, which stay in the opponent's
    /// row, and writes them.
    fn finish(
        &self,
        columns: &[Column; TILE_MOVERS],
        again: &[(usize, &SideSowing, &Effect)],
        movers: Range<u32>,
        (others, stones): (Range<u32>, u32),
    ) {
        let mut values = [0; TILE_MOVERS];
        for (index, other) in others.enumerate() {
            for (value, column) in values.iter_mut().zip(columns) {
                *value = column[index];
            }
            for &(mover, sowing, effect) in again {
                let after = effect.after.get(other as usize).map_or(other, |&after| after);
                let start = self.rows.start(after, stones + u32::from(effect.spill));
                // SAFETY: an extra sowing leads to a lower layer, which is filled.
                let next = unsafe { self.table.read(start + sowing.own as usize, 1) }[0];
                values[mover] = values[mover].max(sowing.store as i8 + next);
            }
            let start = self.rows.start(other, stones) + movers.start as usize;
            // SAFETY: each position belongs to one tile.
            unsafe { self.table.write(start, &values[..movers.len()]) };
        }
    }
}
