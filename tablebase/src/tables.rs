//! Reading a folder of tables.

use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use games::{Rows, Rules, Ruleset};
use rayon::prelude::*;
use thiserror::Error;

use crate::file::{Codec, FileError, LayerFile, Packed, ValueKind, file_path, max_file_len};
use crate::index::Numbering;
use crate::probe::Probe;
use crate::tabled::{Tabled, open_layer};

/// Values unpacked at a time.
const BATCH: u64 = 1 << 24;

/// Why tables could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// There is not even layer 0.
    #[error(
        "there are no tables of {key} below {tables}; make them with: mancala build GAME --stones N \
         --tables {tables}", tables = .tables.display()
    )]
    Empty {
        /// The ruleset key.
        key: String,
        /// The folder the user gave.
        tables: PathBuf,
    },
    /// Compressed layers do not fit the memory allowed.
    #[error(
        "the compressed tables of {key} take {} of memory when unpacked, {} are allowed; allow \
         more, or make them packed on disk with: mancala unpack", ByteSize(*.needed),
        ByteSize(*.allowed)
    )]
    Memory {
        /// The ruleset key.
        key: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The layers 0 to some number of stones of a ruleset, in files of any codec. Threads may share
/// them.
#[derive(Debug)]
pub struct Tables<R: Tabled = Rules> {
    index: R::Index,
    layers: Vec<LayerFile>,
}

impl<R: Tabled> Tables<R> {
    /// Opens the tables of a ruleset below the folder `tables`: all layers from 0 up to the
    /// first that is missing, but none above `most`. Takes a moment for the index, none for the
    /// files, which are mapped.
    ///
    /// # Errors
    /// There are none, or a file is not in order.
    pub fn open(tables: &Path, ruleset: &Ruleset<R>, most: u32) -> Result<Tables<R>, OpenError> {
        Tables::open_kind(tables, ruleset, most, ValueKind::Exact)
    }

    /// As [`Tables::open`], of values of some kind.
    pub(crate) fn open_kind(
        tables: &Path,
        ruleset: &Ruleset<R>,
        most: u32,
        kind: ValueKind,
    ) -> Result<Tables<R>, OpenError> {
        let key = ruleset.table_key();
        let mut layers = Vec::new();
        for stones in 0..=most {
            let path = file_path(tables, &key, stones, kind);
            if !path.exists() {
                break;
            }
            layers.push(open_layer(&path, ruleset)?);
        }
        if layers.is_empty() {
            return Err(OpenError::Empty { key, tables: tables.to_owned() });
        }
        Ok(Tables { index: Numbering::new(ruleset.pits(), layers.len() as u32 - 1), layers })
    }

    /// The highest layer.
    #[must_use]
    pub fn most_stones(&self) -> u32 {
        self.layers.len() as u32 - 1
    }

    /// The files of the layers, from layer 0 on.
    #[must_use]
    pub fn layers(&self) -> &[LayerFile] {
        &self.layers
    }

    /// Checks that the layers up to `stones` are undamaged, in parallel.
    ///
    /// # Errors
    /// One is damaged.
    pub fn verify_checksums(&self, stones: u32) -> Result<(), FileError> {
        let layers = self.layers.par_iter().take(stones as usize + 1);
        layers.try_for_each(LayerFile::verify_checksums)
    }

    /// The index of all layers.
    #[must_use]
    pub fn index(&self) -> &R::Index {
        &self.index
    }

    /// The value of a position for the side to move; `None` if its layer is not here.
    ///
    /// # Errors
    /// Its block is damaged.
    #[inline]
    pub fn value(&self, board: R::Board) -> Result<Option<i32>, FileError> {
        if board.stones() > self.most_stones() {
            return Ok(None);
        }
        let (layer, number) = self.index.number(board);
        self.layers[layer as usize].value(number).map(Some)
    }

    /// The same tables with every value one memory access away: layers of bytes and packed ones
    /// stay mapped, compressed ones are unpacked into at most `memory` bytes. As a [`Probe`] they
    /// give mapped values as they are; [`Tables::verify_checksums`] before or
    /// [`ResidentTables::checked_values`] find damage.
    ///
    /// # Errors
    /// They need more memory, or a block is damaged.
    pub fn into_resident(self, memory: u64) -> Result<ResidentTables<R>, OpenError> {
        let compressed = self.layers.iter().filter(|file| is_compressed(file));
        let needed = compressed.map(|file| max_file_len(file.header().spec(), Codec::Packed)).sum();
        if needed > memory {
            let key = self.layers[0].header().spec().key().to_owned();
            return Err(OpenError::Memory { key, needed, allowed: memory });
        }
        let layers = self.layers.into_iter().map(Resident::new).collect::<Result<_, _>>()?;
        Ok(ResidentTables { index: self.index, layers })
    }
}

fn is_compressed(file: &LayerFile) -> bool {
    matches!(file.header().codec(), Codec::ZstdBytes | Codec::ZstdPacked)
}

/// Tables whose values cannot fail to be read.
#[derive(Debug)]
pub struct ResidentTables<R: Tabled = Rules> {
    index: R::Index,
    layers: Vec<Resident>,
}

#[derive(Debug)]
enum Resident {
    /// A file of bytes or packed values.
    File(LayerFile),
    /// What a compressed file held.
    Memory(Packed),
}

impl Resident {
    fn new(file: LayerFile) -> Result<Resident, FileError> {
        if !is_compressed(&file) {
            return Ok(Resident::File(file));
        }
        let count = file.header().count();
        let mut packed = Packed::with_capacity(file.header().spec().codes(), count as usize);
        let mut values = Vec::new();
        for start in (0..count).step_by(BATCH as usize) {
            values.resize((count - start).min(BATCH) as usize, 0);
            file.read_range(start, &mut values)?;
            packed.extend(&values).map_err(|(at, value)| FileError::Value {
                path: file.path().to_owned(),
                index: start + at as u64,
                value,
                stones: file.header().spec().stones(),
                step: file.header().spec().step(),
            })?;
        }
        Ok(Resident::Memory(packed))
    }
}

impl<R: Tabled> ResidentTables<R> {
    /// Bytes that compressed layers were unpacked into.
    pub(crate) fn unpacked(&self) -> u64 {
        let unpacked = |layer: &Resident| match layer {
            Resident::File(_) => 0,
            Resident::Memory(packed) => packed.bytes().len() as u64,
        };
        self.layers.iter().map(unpacked).sum()
    }

    /// The index of all layers.
    #[must_use]
    pub fn index(&self) -> &R::Index {
        &self.index
    }

    /// As [`Probe::values`], once the blocks of all these values are known to be undamaged.
    ///
    /// # Errors
    /// A block is damaged.
    ///
    /// # Panics
    /// As [`Probe::values`].
    pub fn checked_values(&self, boards: &[R::Board], values: &mut [i32]) -> Result<(), FileError> {
        for (layer, number) in boards.iter().map(|&board| self.locate(board)) {
            if let Resident::File(file) = &self.layers[layer as usize] {
                file.check(number)?;
            }
        }
        self.values(boards, values);
        Ok(())
    }
}

impl<R: Tabled> Probe<R::Board> for ResidentTables<R> {
    type Place = (u32, u64);

    #[inline]
    fn most_stones(&self) -> Option<u32> {
        Some(self.layers.len() as u32 - 1)
    }

    #[inline]
    fn locate(&self, board: R::Board) -> (u32, u64) {
        self.index.number(board)
    }

    #[inline]
    fn prefetch(&self, (layer, number): (u32, u64)) {
        match &self.layers[layer as usize] {
            Resident::File(file) => file.prefetch(number),
            Resident::Memory(packed) => packed.prefetch(number as usize),
        }
    }

    #[inline]
    fn value_at(&self, (layer, number): (u32, u64)) -> i32 {
        let number = number as usize;
        match &self.layers[layer as usize] {
            Resident::Memory(packed) => packed.get(number),
            Resident::File(file) => match (file.as_bytes(), file.as_packed()) {
                (Some(bytes), _) => i32::from(bytes[number]),
                (_, Some(packed)) => packed.get(number),
                (None, None) => unreachable!("compressed layers are unpacked"),
            },
        }
    }
}
