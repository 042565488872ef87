//! Counting the values of a layer.

use std::ops::Range;

use games::{Board, Game, Rules};
use rayon::prelude::*;

use crate::bounds::Interval;
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
        for (board, &value) in boards(index, rows).zip(values) {
            let over = rules.remainder(board).is_some();
            let slot = usize::from(value.wrapping_sub(i8::MIN) as u8);
            self.all[slot] += 1;
            self.live[slot] += u64::from(!over);
        }
    }

    fn plus(mut self, more: &Counts) -> Counts {
        for (sum, more) in [(&mut self.all, &more.all), (&mut self.live, &more.live)] {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        self
    }
}

/// How many positions of a layer have each pair of bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundCounts {
    stones: i32,
    /// For each pair: all positions, and those where the game is not over.
    counts: Vec<[u64; 2]>,
}

impl BoundCounts {
    /// Counts the bounds of a layer, the lower ones first, on the threads of the current rayon
    /// pool.
    ///
    /// # Errors
    /// A file is damaged.
    pub fn of(
        rules: &Rules,
        index: &Index,
        [lower, upper]: [&LayerFile; 2],
    ) -> Result<BoundCounts, FileError> {
        let stones = lower.header().spec().stones();
        let none = || BoundCounts::none(stones);
        let count = |rows: Rows| {
            let start = rows.number(rows.movers.start, rows.others.start);
            let mut values = [vec![0; rows.len() as usize], vec![0; rows.len() as usize]];
            lower.read_range(start, &mut values[0])?;
            upper.read_range(start, &mut values[1])?;
            let mut counts = none();
            let [lower, upper] = &values;
            let bounds = lower.iter().zip(upper);
            boards(index, &rows).zip(bounds).for_each(|(board, (&lower, &upper))| {
                let over = rules.remainder(board).is_some();
                let [all, live] = &mut counts.counts[place(stones as i32, lower, upper)];
                *all += 1;
                *live += u64::from(!over);
            });
            Ok(counts)
        };
        (0..=stones)
            .into_par_iter()
            .flat_map(|k| batches(&index.rows(stones, k)))
            .map(count)
            .try_reduce(none, |sum, counts| Ok(sum.plus(&counts)))
    }

    /// The bounds that occur, by the lower and then the upper one, each with its positions and those
    /// of them where the game is not over.
    pub fn all(&self) -> impl Iterator<Item = (Interval, u64, u64)> + '_ {
        let width = (2 * self.stones + 1) as usize;
        let bounds = move |at: usize| Interval {
            lower: (at / width) as i32 - self.stones,
            upper: (at % width) as i32 - self.stones,
        };
        let counts = self.counts.iter().enumerate().filter(|(_, [all, _])| *all > 0);
        counts.map(move |(at, &[all, live])| (bounds(at), all, live))
    }

    fn none(stones: u32) -> BoundCounts {
        let width = 2 * stones as usize + 1;
        BoundCounts { stones: stones as i32, counts: vec![[0; 2]; width * width] }
    }

    fn plus(mut self, more: &BoundCounts) -> BoundCounts {
        for (sum, more) in self.counts.iter_mut().zip(&more.counts) {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        self
    }
}

/// Where a pair of bounds is counted.
fn place(stones: i32, lower: i8, upper: i8) -> usize {
    let at = |value: i8| (i32::from(value) + stones) as usize;
    at(lower) * (2 * stones as usize + 1) + at(upper)
}

/// The positions of whole rows, in order.
fn boards<'a>(index: &'a Index, rows: &Rows) -> impl Iterator<Item = Board> + 'a {
    let sides = index.sides();
    let (movers, others) = (rows.movers.clone(), rows.others.clone());
    others.flat_map(move |other| {
        movers.clone().map(move |mover| Board::new(sides.side(mover), sides.side(other)))
    })
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
