//! Counting the values of a layer.

use std::ops::Range;

use rayon::prelude::*;

use crate::bounds::Interval;
use crate::file::{FileError, LayerFile};
use crate::index::Numbering;
use crate::tabled::Tabled;

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
    pub fn of<R: Tabled>(
        rules: &R,
        index: &R::Index,
        file: &LayerFile,
    ) -> Result<Counts, FileError> {
        let stones = file.header().spec().stones();
        let count = |numbers: Range<u64>| {
            let mut counts = Counts::none();
            let mut values = vec![0; (numbers.end - numbers.start) as usize];
            file.read_range(numbers.start, &mut values)?;
            for (board, &value) in index.boards(stones, numbers).zip(&values) {
                counts.add(value, rules.remainder(board).is_some());
            }
            Ok(counts)
        };
        batches(index.positions(stones))
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

    fn add(&mut self, value: i8, over: bool) {
        let slot = usize::from(value.wrapping_sub(i8::MIN) as u8);
        self.all[slot] += 1;
        self.live[slot] += u64::from(!over);
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
    pub fn of<R: Tabled>(
        rules: &R,
        index: &R::Index,
        [lower, upper]: [&LayerFile; 2],
    ) -> Result<BoundCounts, FileError> {
        let stones = lower.header().spec().stones();
        let none = || BoundCounts::none(stones);
        let count = |numbers: Range<u64>| {
            let len = (numbers.end - numbers.start) as usize;
            let mut values = [vec![0; len], vec![0; len]];
            lower.read_range(numbers.start, &mut values[0])?;
            upper.read_range(numbers.start, &mut values[1])?;
            let mut counts = none();
            let bounds = values[0].iter().zip(&values[1]);
            index.boards(stones, numbers).zip(bounds).for_each(|(board, (&lower, &upper))| {
                let over = rules.remainder(board).is_some();
                let [all, live] = &mut counts.counts[place(stones as i32, lower, upper)];
                *all += 1;
                *live += u64::from(!over);
            });
            Ok(counts)
        };
        batches(index.positions(stones))
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

fn listed(counts: &[u64]) -> impl Iterator<Item = (i32, u64)> + '_ {
    let values = counts.iter().zip(i32::from(i8::MIN)..);
    values.filter(|&(&count, _)| count > 0).map(|(&count, value)| (value, count))
}

/// Cuts the numbers of a layer into parts of [`BATCH`].
fn batches(positions: u64) -> impl ParallelIterator<Item = Range<u64>> {
    let parts = (0..positions.div_ceil(BATCH)).into_par_iter();
    parts.map(move |part| part * BATCH..positions.min((part + 1) * BATCH))
}
