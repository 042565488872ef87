//! Bounds of values that hold under any rule of repetition.

use std::io;

use games::Ruleset;
use memmap2::MmapMut;

use crate::index::Index;

use super::work::{Ground, Work};
use super::{forward, levels};

/// A builder of two values a position: what the mover gets if play without end is the worst for
/// him, all stones of the board lost, and what he gets if it is the best. All layers are kept in
/// memory, two bytes a position; the layer in work takes four and a quarter.
///
/// Where the two are equal, the position has this value whatever becomes of repetitions that
/// begin after it: a gain forced by play that ends is forced without coming twice to a
/// position. Otherwise its value under any such rule lies between them. (It is not always the
/// median of them and 0 with repetition=split: after a capture of two stones, play without end
/// is worth 2.)
#[derive(Debug)]
pub struct BoundsBuilder {
    ground: Ground,
    lower: Vec<MmapMut>,
    upper: Vec<MmapMut>,
}

impl BoundsBuilder {
    /// A builder for the layers 0 to `stones` of a game in which nothing is sown into stores. The
    /// `repetition` option does not matter.
    #[must_use]
    pub fn new(ruleset: &Ruleset, stones: u32) -> BoundsBuilder {
        let index = Index::new(ruleset.pits(), stones);
        let ground = Ground::new(ruleset.rules(), index);
        BoundsBuilder { ground, lower: Vec::new(), upper: Vec::new() }
    }

    /// Fills the next layer on the threads of the current rayon pool. `progress` is told the
    /// bounds found since its last call, two a position, from any thread; those that play without
    /// end decides are not told.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub fn fill_next(&mut self, progress: &(dyn Fn(u64) + Sync)) -> io::Result<()> {
        let stones = self.lower.len() as u32;
        let mut lower = Work::new(&self.ground, stones)?;
        let mut upper = Work::new(&self.ground, stones)?;
        // A capture hands the move over, and so what is worst for the one is best for the other.
        forward::evaluate(&self.ground, &mut lower, &self.upper);
        forward::evaluate(&self.ground, &mut upper, &self.lower);
        levels::close_bounds(&self.ground, &mut lower, &mut upper, progress);
        self.lower.push(lower.into_values(&self.ground, -(stones as i8)));
        self.upper.push(upper.into_values(&self.ground, stones as i8));
        Ok(())
    }

    /// The lower bounds of a filled layer, in the order of the [index](crate::index).
    #[must_use]
    pub fn lower(&self, stones: u32) -> &[i8] {
        bytemuck::cast_slice(&self.lower[stones as usize])
    }

    /// The upper bounds.
    #[must_use]
    pub fn upper(&self, stones: u32) -> &[i8] {
        bytemuck::cast_slice(&self.upper[stones as usize])
    }
}
