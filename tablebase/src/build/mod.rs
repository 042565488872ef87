//! Building the tables of games: here of acyclic ones, in [`cyclic`] of those that recur.
//!
//! A [`Builder`] fills layer after layer in memory; [`folder::build`] keeps them in files as
//! well. [`plain`] is the slow twin.

pub mod cyclic;
mod fill;
pub mod folder;
mod kind;
pub mod plain;
mod rows;
mod sowings;

use std::io;

use games::{Board, Rules, Ruleset};
use memmap2::Mmap;

use crate::file::{FileError, LayerFile, LayerWriter};
use crate::index::{Index, layer_positions, positions_up_to};
use crate::probe::Probe;
use crate::raw::SharedTable;

use fill::Filler;
use kind::What;
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
        let values = self.table.freeze()?;
        Ok(MemoryTables { order: Layout::Rows(self.rows), values, layers: self.layers })
    }
}

/// All layers up to a number of stones in memory, one byte a position.
#[derive(Debug)]
pub struct MemoryTables {
    order: Layout,
    values: Mmap,
    layers: u32,
}

/// In which order the values lie.
#[derive(Debug)]
enum Layout {
    /// As acyclic builders leave them.
    Rows(Rows),
    /// One layer after the other as the [index](crate::index) has them, with the start of each.
    Layers(Index, Vec<usize>),
}

impl MemoryTables {
    /// Builds the layers 0 to `stones` on the threads of the current rayon pool.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub fn build(
        ruleset: &Ruleset,
        stones: u32,
        progress: &(dyn Fn(u64) + Sync),
    ) -> io::Result<MemoryTables> {
        if ruleset.spec().cyclic {
            let mut builder = cyclic::Builder::new(ruleset, stones);
            for _ in 0..=stones {
                builder.fill_next(progress)?;
            }
            return builder.finish();
        }
        let mut builder = Builder::new(ruleset, stones)?;
        for _ in 0..=stones {
            builder.fill_next(progress);
        }
        builder.finish()
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
    type Place = usize;

    #[inline]
    fn most_stones(&self) -> Option<u32> {
        self.layers.checked_sub(1)
    }

    #[inline]
    fn locate(&self, board: Board) -> usize {
        match &self.order {
            Layout::Rows(rows) => rows.place(board),
            Layout::Layers(index, starts) => {
                let (layer, number) = index.number(board);
                starts[layer as usize] + number as usize
            }
        }
    }

    #[inline]
    fn prefetch(&self, place: usize) {
        crate::raw::prefetch(&self.values, place);
    }

    #[inline]
    fn value_at(&self, place: usize) -> i32 {
        i32::from(self.values[place] as i8)
    }
}
