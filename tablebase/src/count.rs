//! Counting the values of a layer.

use std::ops::Range;

use games::{Board, Game, Rules};
use rayon::prelude::*;

use crate::file::{FileError, LayerFile};
use crate::index::{Index, Rows};

/// Values read by a task.
const BATCH: u64 = 1 << 20;

/// How many positions of a layer have each value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    all: Vec<u64>,
    live: Vec<u64>,
}

impl Counts {
    /// Counts the values of a layer on the threads of the current rayon pool.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn of(rules: &Rules, index: &Index, file: &LayerFile) -> Result<Counts, FileError> {
        let stones = file.header().spec().stones();
        let count = |rows: Rows| {
            let mut counts = Counts::none();
            let mut values = vec![0; rows.len() as usize];
            file.read_range(rows.number(rows.movers.start, rows.others.start), &mut values)?;
            counts.add(rules, index, &rows, &values);
            Ok(counts)
        };
        (0..=stones)
            .into_par_iter()
            .flat_map(|k| batches(&index.rows(stones, k)))
            .map(count)
            .try_reduce(Counts::none, |sum, counts| Ok(sum.plus(&counts)))
    }

    /// The values that occur, from low to high, each with its positions.
    pub fn all(&self) -> impl Iterator<Item = (i32, u64)> + '_ {
        listed(&self.all)
    }

    /// As [`Counts::all`], of the positions in which the game is not over.
    pub fn live(&self) -> impl Iterator<Item = (i32, u64)> + '_ {
        listed(&self.live)
    }

    fn none() -> Counts {
        Counts { all: vec![0; 256], live: vec![0; 256] }
    }

    fn add(&mut self, rules: &Rules, index: &Index, rows: &Rows, values: &[i8]) {
        let sides = index.sides();
        let width = rows.movers.len();
        for (other, row) in rows.others.clone().zip(values.chunks(width)) {
            let other = sides.side(other);
            for (mover, &value) in rows.movers.clone().zip(row) {
                let over = rules.remainder(Board::new(sides.side(mover), other)).is_some();
                let slot = usize::from(value.wrapping_sub(i8::MIN) as u8);
                self.all[slot] += 1;
                self.live[slot] += u64::from(!over);
            }
        }
    }

    fn plus(mut self, more: &Counts) -> Counts {
        for (sum, more) in [(&mut self.all, &more.all), (&mut self.live, &more.live)] {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        self
    }
}

fn listed(counts: &[u64]) -> impl Iterator<Item = (i32, u64)> + '_ {
    let values = counts.iter().zip(i32::from(i8::MIN)..);
    values.filter(|&(&count, _)| count > 0).map(|(&count, value)| (value, count))
}

/// Cuts rows into parts of about [`BATCH`] positions, each a whole number of rows.
fn batches(rows: &Rows) -> Vec<Rows> {
    let size = (BATCH / rows.movers.len() as u64).max(1) as u32;
    let Range { start, end } = rows.others;
    let parts = (start..end).step_by(size as usize);
    parts.map(|at| rows.part(rows.movers.clone(), at..end.min(at + size))).collect()
}
