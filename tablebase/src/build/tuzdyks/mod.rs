//! Building the tables of toguz kumalak, where play without end counts 0.
//!
//! What a sowing brings to a store leaves the board, also what falls into a tuzdyk and the three
//! stones that make one, so it leads to a lower layer, which is final. Any other sowing leaves
//! stones and tuzdyks as they are and has the opponent see the board: within a layer the positions
//! with some tuzdyks lead to those with the same tuzdyks seen from the other side, and only to
//! these. So a layer falls into *pairs* of such parts that know nothing of each other. Each pair is
//! worked out by one thread, without locks, and a file is the same for any number of threads.
//!
//! Within a pair values spread from the highest down (`pair.rs`). [`plain`] is the slow twin.

mod pair;
pub mod plain;

use std::io;

use games::toguz::{Board, Toguz};
use games::{Rows, Ruleset};
use memmap2::MmapMut;
use rayon::prelude::*;

use crate::file::{FileError, LayerFile, LayerWriter, ValueKind};
use crate::index::{Numbering, TuzdykIndex, tuzdyk_layer_positions};
use crate::probe::Probe;
use crate::raw;

use super::BATCH;
use super::cyclic::keep::Keep;
use super::kind::LayerBuilder;
use pair::{Ground, Pair};

/// A builder that keeps all layers in memory, one byte a position; the layer in work takes another
/// one where pairs are being worked out.
#[derive(Debug)]
pub struct Builder {
    rules: Toguz,
    index: TuzdykIndex,
    layers: Vec<MmapMut>,
}

impl Builder {
    /// A builder for the layers 0 to `stones`.
    #[must_use]
    pub fn new(ruleset: &Ruleset<Toguz>, stones: u32) -> Builder {
        let index = TuzdykIndex::new(ruleset.pits(), stones);
        Builder { rules: ruleset.rules(), index, layers: Vec::new() }
    }

    /// An upper estimate of the bytes of memory that building the layers 0 to `stones` takes, with
    /// what writing their files takes on top.
    #[must_use]
    pub fn memory(pits: usize, stones: u32) -> u64 {
        let layer = |stones| tuzdyk_layer_positions(pits, stones).unwrap_or(u64::MAX);
        let all = (0..=stones).map(layer).fold(0, u64::saturating_add);
        // The open sowings of the pairs in work; the writer's batch, encoded and as it is.
        all.saturating_add(layer(stones))
            .saturating_add(2 * layer(stones).min(BATCH as u64))
            .saturating_add(TuzdykIndex::memory(pits, stones))
    }

    /// How many layers are there: 0 to this number less one.
    #[must_use]
    pub fn layers(&self) -> u32 {
        self.layers.len() as u32
    }

    /// The values of a filled layer, in the order of the index.
    #[must_use]
    pub fn layer(&self, stones: u32) -> &[i8] {
        bytemuck::cast_slice(&self.layers[stones as usize])
    }

    /// Fills the next layer on the threads of the current rayon pool. `progress` is told the
    /// positions done since its last call, from any thread.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub fn fill_next(&mut self, progress: &(dyn Fn(u64) + Sync)) -> io::Result<()> {
        let stones = self.layers();
        let mut values = self.room(stones)?;
        let ground = Ground { rules: &self.rules, index: &self.index, lower: &self.layers, stones };
        let pairs = pairs(&self.index, stones, bytemuck::cast_slice_mut(&mut values));
        pairs.into_par_iter().for_each(|pair| {
            let positions = pair.positions();
            pair.solve(&ground);
            progress(positions);
        });
        self.layers.push(values);
        Ok(())
    }

    /// Zeroed room for the values of a layer.
    fn room(&self, stones: u32) -> io::Result<MmapMut> {
        let positions = usize::try_from(self.index.positions(stones));
        raw::zeroed(positions.map_err(|_| io::ErrorKind::OutOfMemory)?)
    }
}

/// Cuts the values of a layer into its pairs, the largest first.
fn pairs<'a>(index: &TuzdykIndex, stones: u32, mut values: &'a mut [i8]) -> Vec<Pair<'a>> {
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    for [mover, other] in index.parts() {
        let numbers = index.part(stones, [mover, other]);
        let (part, rest) = values.split_at_mut((numbers.end - numbers.start) as usize);
        values = rest;
        let part = Pair::new([mover, other], numbers.start, part);
        // The part with the smaller number first comes before its mirror image.
        match pairs.iter_mut().find(|pair| pair.tuzdyks() == [other, mover]) {
            Some(pair) => pair.add(part),
            None => pairs.push(part),
        }
    }
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.positions()));
    pairs
}

impl LayerBuilder for Builder {
    fn fill_next(&mut self, progress: &(dyn Fn(u64) + Sync), _: &mut dyn Keep) -> io::Result<()> {
        Builder::fill_next(self, progress)
    }

    fn load_next(&mut self, files: &[LayerFile]) -> Result<(), FileError> {
        for file in files {
            let room = self.room(self.layers());
            let mut values = room.map_err(FileError::io("find memory for", file.path()))?;
            file.read_range(0, bytemuck::cast_slice_mut(&mut values))?;
            self.layers.push(values);
        }
        Ok(())
    }

    fn write_layer(
        &mut self,
        layer: u32,
        _: ValueKind,
        file: &mut LayerWriter,
    ) -> Result<(), FileError> {
        file.write(self.layer(layer))
    }
}

impl Probe<Board> for Builder {
    type Place = (u32, u64);

    fn most_stones(&self) -> Option<u32> {
        self.layers().checked_sub(1)
    }

    #[inline]
    fn locate(&self, board: Board) -> (u32, u64) {
        debug_assert!(Rows::stones(board) < self.layers());
        self.index.number(board)
    }

    #[inline]
    fn prefetch(&self, (layer, number): (u32, u64)) {
        raw::prefetch(&self.layers[layer as usize], number as usize);
    }

    #[inline]
    fn value_at(&self, (layer, number): (u32, u64)) -> i32 {
        i32::from(self.layers[layer as usize][number as usize] as i8)
    }
}
