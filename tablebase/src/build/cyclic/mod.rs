//! Building the tables of cyclic games, where positions recur and infinite play counts 0.
//!
//! A [`Builder`] fills layer after layer: captures lead to lower layers and are evaluated once,
//! then values spread within the layer from the highest down. [`plain`] is the slow twin.
//! A [`BoundsBuilder`] does the same for bounds that hold under any rule of repetition.
//!
//! The other way to spread values was tried: sweeps over the rows that lead to a row that
//! has changed (a bit a row), side by side as well, with values kept in rows by the mover's and in
//! rows by the opponent's side, three bytes a position. Awari on one thread of a loaded machine,
//! M positions a second of user CPU time, and what the sweeps took:
//!
//! ```text
//! layer   values down   dirty rows   sweeps   evaluations a position
//!    12           6.8          4.0      127                     42
//!    13           6.1          4.5       83                     34
//!    14           7.7          4.3       57                     37
//!    15           7.4          4.2       60                     34
//! ```
//!
//! An evaluation is cheap, but nearly every row is dirty in nearly every sweep. A list of single
//! positions instead of rows would be what values going down do already, without their order, in
//! which a position's value is found once. Of the time of values going down 78 % are the
//! rounds of a level, with no place in them above a tenth, and 11 % the search for
//! what captures decide.

mod bounds;
mod effects;
mod forward;
pub(crate) mod keep;
mod levels;
pub mod plain;
mod slots;
mod unsow;
mod work;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use games::Ruleset;
use memmap2::MmapMut;

use crate::file::{FileError, LayerFile};
use crate::index::{Index, layer_positions, positions_up_to, side_count_up_to};
use crate::raw;

use super::{BATCH, Layout, MemoryTables};

pub use bounds::BoundsBuilder;
use keep::{Keep, KeepNothing};
use work::{Ground, Work};

/// A builder that keeps all layers in memory, one byte a position; the layer in work takes two
/// and a quarter.
#[derive(Debug)]
pub struct Builder {
    ground: Ground,
    layers: Vec<MmapMut>,
}

impl Builder {
    /// A builder for the layers 0 to `stones` of a game in which nothing is sown into stores and
    /// infinite play counts 0.
    #[must_use]
    pub fn new(ruleset: &Ruleset, stones: u32) -> Builder {
        Builder::with_layers(ruleset, stones, Vec::new())
    }

    /// As [`Builder::new`], going on from the values of the lowest layers.
    pub(super) fn with_layers(ruleset: &Ruleset, stones: u32, layers: Vec<MmapMut>) -> Builder {
        let index = Index::new(ruleset.pits(), stones);
        Builder { ground: Ground::new(ruleset.rules(), index), layers }
    }

    /// Bytes of memory that building the layers 0 to `stones` takes, with what reading and writing
    /// their files takes on top.
    #[must_use]
    pub fn memory(pits: usize, stones: u32) -> u64 {
        // The writer's batch, encoded and as it is.
        let files = 2 * layer_positions(pits, stones).min(BATCH as u64);
        // The layer in work, less what it takes when it is done.
        let marks = layer_positions(pits, stones) / 4 + 16 * side_count_up_to(pits, stones);
        let work = layer_positions(pits, stones).saturating_add(marks);
        positions_up_to(pits, stones)
            .saturating_add(work.saturating_add(files))
            .saturating_add(Index::memory(pits, stones))
            .saturating_add(Ground::memory(pits, stones))
    }

    /// How many layers are there: 0 to this number less one.
    #[must_use]
    pub fn layers(&self) -> u32 {
        self.layers.len() as u32
    }

    /// Fills the next layer on the threads of the current rayon pool. `progress` is told the
    /// positions done since its last call, from any thread.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub fn fill_next(&mut self, progress: &(dyn Fn(u64) + Sync)) -> io::Result<()> {
        self.fill_next_kept(progress, &mut KeepNothing)
    }

    /// As [`Builder::fill_next`], keeping the layer in work now and then.
    pub(crate) fn fill_next_kept(
        &mut self,
        progress: &(dyn Fn(u64) + Sync),
        keep: &mut dyn Keep,
    ) -> io::Result<()> {
        let mut work = Work::new(&self.ground, self.layers())?;
        let mut rest = AtomicU64::new(self.ground.index.positions(self.layers()));
        let from = keep.resume(&mut [&mut work]).unwrap_or_else(|| {
            forward::evaluate(&self.ground, &mut work, &self.layers);
            self.layers() as i8
        });
        let known = |known| {
            rest.fetch_sub(known, Relaxed);
            progress(known);
        };
        levels::close(&self.ground, &mut work, from, &known, keep);
        // What is worth 0.
        progress(*rest.get_mut());
        self.layers.push(work.into_values(&self.ground, 0));
        Ok(())
    }

    /// Takes the next layer from a file instead of filling it.
    ///
    /// # Errors
    /// The file cannot be read, or the system does not give the memory.
    pub fn load_next(&mut self, file: &LayerFile) -> Result<(), FileError> {
        let positions = self.ground.index.positions(self.layers()) as usize;
        self.layers.push(load(file, positions)?);
        Ok(())
    }

    /// The values of a filled layer, in the order of the [index](crate::index).
    #[must_use]
    pub fn layer(&self, stones: u32) -> &[i8] {
        bytemuck::cast_slice(&self.layers[stones as usize])
    }

    /// The finished tables.
    #[must_use]
    pub fn finish(self) -> MemoryTables {
        let Builder { ground, layers } = self;
        MemoryTables { layout: Layout::Layers { index: ground.index, layers } }
    }
}

/// Reads the values of a file.
fn load(file: &LayerFile, positions: usize) -> Result<MmapMut, FileError> {
    let mut values = raw::zeroed(positions).map_err(FileError::io("load", file.path()))?;
    for (part, batch) in values.chunks_mut(BATCH).enumerate() {
        file.read_range((part * BATCH) as u64, bytemuck::cast_slice_mut(batch))?;
    }
    Ok(values)
}
