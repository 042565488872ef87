//! Building the tables of games: here of acyclic ones, in [`cyclic`] of those that recur.
//!
//! A [`Builder`] fills layer after layer in memory; [`folder::build`] keeps them in files as
//! well. [`plain`] is the slow twin. [`tuzdyks`] has the builder of toguz kumalak.

pub mod cyclic;
mod fill;
pub mod folder;
mod kind;
pub mod plain;
mod rows;
mod sowings;
pub mod tuzdyks;

use std::io;

use games::{Board, Rules, Ruleset};
use memmap2::{Mmap, MmapMut};

use crate::file::{FileError, LayerFile, LayerWriter};
use crate::index::{Index, layer_positions, positions_up_to};
use crate::probe::Probe;
use crate::raw;
use crate::raw::SharedTable;
use crate::tables::{ResidentTables, Tables};

use fill::Filler;
pub(crate) use kind::{AnyBuilder, LayerBuilder, What};
use rows::Rows;
use sowings::Sowings;

/// Values moved between rows and files at a time.
const BATCH: usize = 1 << 24;

/// A builder that keeps all layers in memory, one byte a position.
#[derive(Debug)]
pub struct Builder {
    rules: Rules,
    sowings: Sowings,
    rows: Rows,
    table: SharedTable,
    /// How many layers are there.
    layers: u32,
}

impl Builder {
    /// Reserves memory for the layers 0 to `stones`. Building is meant for acyclic games.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub fn new(ruleset: &Ruleset, stones: u32) -> io::Result<Builder> {
        debug_assert!(!ruleset.spec().cyclic);
        let rules = ruleset.rules();
        let bytes = usize::try_from(positions_up_to(ruleset.pits(), stones));
        let table = SharedTable::new(bytes.map_err(|_| io::ErrorKind::OutOfMemory)?)?;
        let rows = Rows::new(ruleset.pits(), stones);
        let sowings = Sowings::new(&rules, rows.sides());
        Ok(Builder { rules, sowings, rows, table, layers: 0 })
    }

    /// Bytes of memory that building the layers 0 to `stones` takes, with what reading and writing
    /// their files takes on top.
    #[must_use]
    pub fn memory(pits: usize, stones: u32) -> u64 {
        // A batch, its encoded form, and both once more in the writer.
        let files = 4 * layer_positions(pits, stones).min(BATCH as u64);
        positions_up_to(pits, stones)
            .saturating_add(files)
            .saturating_add(Rows::memory(pits, stones))
            .saturating_add(Sowings::memory(pits, stones))
    }

    /// The most stones to which building takes no more than `memory` bytes; `None` if not even
    /// layer 0 fits.
    #[must_use]
    pub fn most_stones_within(pits: usize, memory: u64) -> Option<u32> {
        (0..=games::MAX_STONES).take_while(|&stones| Self::memory(pits, stones) <= memory).last()
    }

    /// How many layers are there: 0 to this number less one.
    #[must_use]
    pub fn layers(&self) -> u32 {
        self.layers
    }

    /// Fills the next layer on the threads of the current rayon pool. `progress` is told the
    /// positions done since its last call, from any thread.
    pub fn fill_next(&mut self, progress: &(dyn Fn(u64) + Sync)) {
        let Builder { rules, sowings, rows, table, layers } = self;
        Filler { rules, sowings, rows, table }.layer(*layers, progress);
        *layers += 1;
    }

    /// Takes the next layer from a file instead of filling it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn load_next(&mut self, file: &LayerFile) -> Result<(), FileError> {
        let table = self.table.all();
        let mut number = 0;
        let mut values = Vec::new();
        let mut rows = self.rows.of_layer(self.layers).peekable();
        while rows.peek().is_some() {
            let mut batch = Vec::new();
            let mut len = 0;
            while let Some(row) = rows.next_if(|_| len < BATCH) {
                batch.push(row);
                len += row.1.len();
            }
            values.resize(len, 0);
            file.read_range(number, &mut values)?;
            number += len as u64;
            let places = batch
                .iter()
                .flat_map(|(start, movers)| movers.iter().map(move |m| start + *m as usize));
            places.zip(&values).for_each(|(place, &value)| table[place] = value);
        }
        self.layers += 1;
        Ok(())
    }

    /// Appends the values of a layer to a file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_layer(&mut self, layer: u32, file: &mut LayerWriter) -> Result<(), FileError> {
        let table = self.table.all();
        let mut values = Vec::new();
        for (start, movers) in self.rows.of_layer(layer) {
            values.extend(movers.iter().map(|&mover| table[start + mover as usize]));
            if values.len() >= BATCH {
                file.write(&values)?;
                values.clear();
            }
        }
        file.write(&values)
    }

    /// The finished tables.
    ///
    /// # Errors
    /// The system refuses to protect the memory.
    pub fn finish(self) -> io::Result<MemoryTables> {
        let Builder { rows, table, layers, .. } = self;
        Ok(MemoryTables { layout: Layout::Rows { rows, values: table.freeze()?, layers } })
    }
}

/// All layers up to a number of stones, every value one memory access away.
#[derive(Debug)]
pub struct MemoryTables {
    layout: Layout,
}

/// How the values lie.
#[derive(Debug)]
enum Layout {
    /// As files have them.
    Files(ResidentTables),
    /// As acyclic builders leave them, all layers in one piece.
    Rows { rows: Rows, values: Mmap, layers: u32 },
    /// Each layer by itself, as the [index](crate::index) has it.
    Layers { index: Index, layers: Vec<MmapMut> },
}

impl From<ResidentTables> for MemoryTables {
    /// Tables that stay as they are: to [`MemoryTables::grow`] they are built anew.
    fn from(files: ResidentTables) -> MemoryTables {
        MemoryTables { layout: Layout::Files(files) }
    }
}

/// In a place among layers by themselves the bits of the number in the layer; those of the layer
/// follow.
const NUMBER_BITS: u32 = 56;

impl MemoryTables {
    /// No layer yet.
    #[must_use]
    pub fn none(ruleset: &Ruleset) -> MemoryTables {
        let index = Index::new(ruleset.pits(), 0);
        MemoryTables { layout: Layout::Layers { index, layers: Vec::new() } }
    }

    /// Builds the layers 0 to `stones` on the threads of the current rayon pool.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub fn build(
        ruleset: &Ruleset,
        stones: u32,
        progress: &(dyn Fn(u64) + Sync),
    ) -> io::Result<MemoryTables> {
        let mut tables = MemoryTables::none(ruleset);
        tables.grow(ruleset, stones, progress)?;
        Ok(tables)
    }

    /// Builds on up to the layer `stones`, on the threads of the current rayon pool. Layers of
    /// cyclic games are kept; those of others are built anew, since their rows get longer.
    ///
    /// # Errors
    /// The system does not give the memory; then some layers may be missing.
    pub fn grow(
        &mut self,
        ruleset: &Ruleset,
        stones: u32,
        progress: &(dyn Fn(u64) + Sync),
    ) -> io::Result<()> {
        // Old layers that are not kept go before the new ones come.
        let old = std::mem::replace(self, MemoryTables::none(ruleset)).layout;
        if !ruleset.spec().cyclic {
            drop(old);
            let mut builder = Builder::new(ruleset, stones)?;
            (0..=stones).for_each(|_| builder.fill_next(progress));
            *self = builder.finish()?;
            return Ok(());
        }
        let layers = match old {
            Layout::Layers { layers, .. } => layers,
            Layout::Files(_) | Layout::Rows { .. } => Vec::new(),
        };
        let mut builder = cyclic::Builder::with_layers(ruleset, stones, layers);
        let filled = (builder.layers()..=stones).try_for_each(|_| builder.fill_next(progress));
        *self = builder.finish();
        filled
    }

    /// Reads the tables of a cyclic game from their files.
    ///
    /// # Errors
    /// A file is damaged, or the system does not give the memory.
    pub fn load(ruleset: &Ruleset, tables: &Tables) -> Result<MemoryTables, FileError> {
        let mut builder = cyclic::Builder::new(ruleset, tables.most_stones());
        tables.layers().iter().try_for_each(|file| builder.load_next(file))?;
        Ok(builder.finish())
    }

    /// Bytes of memory that building the layers 0 to `stones` takes.
    #[must_use]
    pub fn memory(ruleset: &Ruleset, stones: u32) -> u64 {
        What::Values.memory(ruleset, stones)
    }

    /// The most stones to which building takes no more than `memory` bytes; `None` if not even
    /// layer 0 fits.
    #[must_use]
    pub fn most_stones_within(ruleset: &Ruleset, memory: u64) -> Option<u32> {
        What::Values.most_stones_within(ruleset, memory)
    }
}

impl Probe for MemoryTables {
    type Place = u64;

    #[inline]
    fn most_stones(&self) -> Option<u32> {
        match &self.layout {
            Layout::Files(files) => files.most_stones(),
            Layout::Rows { layers, .. } => layers.checked_sub(1),
            Layout::Layers { layers, .. } => (layers.len() as u32).checked_sub(1),
        }
    }

    #[inline]
    fn locate(&self, board: Board) -> u64 {
        match &self.layout {
            Layout::Files(files) => joined(files.locate(board)),
            Layout::Rows { rows, .. } => rows.place(board) as u64,
            Layout::Layers { index, .. } => joined(index.number(board)),
        }
    }

    #[inline]
    fn prefetch(&self, place: u64) {
        match &self.layout {
            Layout::Files(files) => files.prefetch(parted(place)),
            Layout::Rows { values, .. } => raw::prefetch(values, place as usize),
            Layout::Layers { layers, .. } => {
                let (layer, number) = parted(place);
                raw::prefetch(&layers[layer as usize], number as usize);
            }
        }
    }

    #[inline]
    fn value_at(&self, place: u64) -> i32 {
        match &self.layout {
            Layout::Files(files) => files.value_at(parted(place)),
            Layout::Rows { values, .. } => i32::from(values[place as usize] as i8),
            Layout::Layers { layers, .. } => {
                let (layer, number) = parted(place);
                i32::from(layers[layer as usize][number as usize] as i8)
            }
        }
    }
}

/// The place of a number in a layer.
#[inline]
fn joined((layer, number): (u32, u64)) -> u64 {
    u64::from(layer) << NUMBER_BITS | number
}

/// The layer of a place, and the number in it.
#[inline]
fn parted(place: u64) -> (u32, u64) {
    ((place >> NUMBER_BITS) as u32, place & ((1 << NUMBER_BITS) - 1))
}
