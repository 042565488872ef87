//! Building bounds of values that hold under any rule of repetition.

use std::io;

use games::Ruleset;
use memmap2::MmapMut;

use crate::file::{FileError, LayerFile, ValueKind};
use crate::index::{Index, layer_positions, positions_up_to};

use super::keep::{Keep, KeepNothing};
use super::work::{Ground, Work};
use super::{Builder, forward, levels, load};

/// A builder of two values a position: what the mover gets if play without end is the worst for
/// him, all stones of the board lost, and what he gets if it is the best. All layers are kept in
/// memory, two bytes a position; the layer in work takes four and a quarter.
///
/// [`crate::bounds`] says what they are worth. (The value under repetition=split is not always
/// the median of them and 0: after a capture of two stones, play without end is worth 2.)
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

    /// Bytes of memory that building the layers 0 to `stones` takes, with what reading and writing
    /// their files takes on top.
    #[must_use]
    pub fn memory(pits: usize, stones: u32) -> u64 {
        // What a second table takes on top of one: its layers, and as much again of that in work.
        let second = positions_up_to(pits, stones).saturating_add(layer_positions(pits, stones));
        Builder::memory(pits, stones).saturating_add(second)
    }

    /// How many layers are there: 0 to this number less one.
    #[must_use]
    pub fn layers(&self) -> u32 {
        self.lower.len() as u32
    }

    /// Fills the next layer on the threads of the current rayon pool. `progress` is told the
    /// bounds found since its last call, two a position, from any thread; those that play without
    /// end decides are not told.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub fn fill_next(&mut self, progress: &(dyn Fn(u64) + Sync)) -> io::Result<()> {
        self.fill_next_kept(progress, &mut KeepNothing)
    }

    /// As [`BoundsBuilder::fill_next`], keeping the layer in work now and then.
    pub(crate) fn fill_next_kept(
        &mut self,
        progress: &(dyn Fn(u64) + Sync),
        keep: &mut dyn Keep,
    ) -> io::Result<()> {
        let stones = self.layers();
        let mut lower = Work::new(&self.ground, stones)?;
        let mut upper = Work::new(&self.ground, stones)?;
        let from = match keep.resume(&mut [&mut lower, &mut upper]) {
            Some(level) => level,
            None => {
                // A capture hands the move over, and so what is worst for the one is best for
                // the other.
                forward::evaluate(&self.ground, &mut lower, &self.upper);
                forward::evaluate(&self.ground, &mut upper, &self.lower);
                stones as i8
            }
        };
        levels::close_bounds(&self.ground, &mut lower, &mut upper, from, progress, keep);
        self.lower.push(lower.into_values(&self.ground, -(stones as i8)));
        self.upper.push(upper.into_values(&self.ground, stones as i8));
        Ok(())
    }

    /// Takes the next layer from files, lower bounds first, instead of filling it.
    ///
    /// # Errors
    /// A file cannot be read, or the system does not give the memory.
    pub fn load_next(&mut self, [lower, upper]: [&LayerFile; 2]) -> Result<(), FileError> {
        let positions = self.ground.index.positions(self.layers()) as usize;
        let (lower, upper) = (load(lower, positions)?, load(upper, positions)?);
        self.lower.push(lower);
        self.upper.push(upper);
        Ok(())
    }

    /// The values of a kind of a filled layer.
    pub(crate) fn layer(&self, stones: u32, kind: ValueKind) -> &[i8] {
        match kind {
            ValueKind::UpperBound => self.upper(stones),
            ValueKind::Exact | ValueKind::LowerBound => self.lower(stones),
        }
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
