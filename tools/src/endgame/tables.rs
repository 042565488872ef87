//! The tables that a study is made from.

use std::path::Path;

use games::{Rules, Ruleset};
use tablebase::build::folder::{KEEP_EVERY, Plan, What};
use tablebase::file::{Codec, Encoding, FileError, LayerFile};
use tablebase::{BoundTables, ResidentTables, Tables};
use tempfile::TempDir;
use thiserror::Error;

use super::Checksums;
use crate::error::Error;

/// Values of a checksum read at a time.
const BATCH: u64 = 1 << 20;

/// A value of a table that nothing brings about, so the table is wrong.
#[derive(Debug, Error)]
#[error(
    "layer {stones} has values that no play brings about; check the tables with: mancala verify"
)]
pub(crate) struct Unfounded {
    pub(super) stones: u32,
}

/// What tables there are and what may be used.
pub(crate) struct Given<'a> {
    /// The folder with values and bounds; without it they are built in a temporary folder.
    pub(crate) folder: Option<&'a Path>,
    /// Bytes that tables may fill.
    pub(crate) memory: u64,
}

/// Open tables of a game.
pub(super) struct Open {
    pub(super) rules: Rules,
    pub(super) pits: usize,
    /// For counting and checksums.
    pub(super) files: Tables,
    /// For probing.
    pub(super) values: ResidentTables,
    pub(super) bounds: BoundTables,
    /// Built tables are there as long as this is.
    _folder: Option<TempDir>,
}

impl Given<'_> {
    /// Opens or builds the layers 0 to `stones`; of given tables those that are there.
    pub(super) fn open(&self, game: &Ruleset, stones: u32) -> Result<Open, Error> {
        let (folder, built) = match self.folder {
            Some(folder) => (folder.to_owned(), None),
            None => {
                let built = self.build(game, stones)?;
                (built.path().to_owned(), Some(built))
            }
        };
        let bounds = BoundTables::open(&folder, game, stones)?;
        let bounds = bounds.ok_or_else(|| Error::NoBounds {
            key: game.table_key(),
            folder: folder.display().to_string(),
        })?;
        let most = bounds.most_stones();
        let files = Tables::open(&folder, game, most)?;
        let values = Tables::open(&folder, game, most)?.into_resident(self.memory)?;
        let (rules, pits) = (game.rules(), game.pits());
        Ok(Open { rules, pits, files, values, bounds, _folder: built })
    }

    fn build(&self, game: &Ruleset, stones: u32) -> Result<TempDir, Error> {
        let unwritable = |reason| Error::Output { path: std::env::temp_dir(), reason };
        let folder = tempfile::tempdir().map_err(unwritable)?;
        for what in [What::Values, What::Bounds] {
            let plan = Plan {
                ruleset: game,
                stones,
                what,
                tables: folder.path(),
                encoding: Encoding::new(Codec::Byte),
                memory: self.memory,
                keep_every: KEEP_EVERY,
            };
            plan.run(&|_| ())?;
        }
        Ok(folder)
    }
}

impl Open {
    /// The highest layer that all tables have.
    pub(super) fn most_stones(&self) -> u32 {
        self.files.most_stones().min(self.bounds.most_stones())
    }

    /// The file of values of a layer and those of its bounds.
    pub(super) fn files(&self, stones: u32) -> Result<(&LayerFile, [&LayerFile; 2]), Error> {
        let file = self.files.layers().get(stones as usize).zip(self.bounds.layer(stones));
        file.ok_or_else(|| Error::Results {
            name: "tables".to_owned(),
            reason: format!("layer {stones} is missing"),
        })
    }
}

/// Checks the checksums of the files of a layer, and takes those of its values.
pub(super) fn checksums(
    values: &LayerFile,
    [lower, upper]: [&LayerFile; 2],
) -> Result<Checksums, FileError> {
    Ok(Checksums { values: checksum(values)?, lower: checksum(lower)?, upper: checksum(upper)? })
}

fn checksum(file: &LayerFile) -> Result<String, FileError> {
    file.verify_checksums()?;
    let count = file.header().count();
    let mut hasher = crc32fast::Hasher::new();
    let mut values = Vec::new();
    for start in (0..count).step_by(BATCH as usize) {
        values.resize((count - start).min(BATCH) as usize, 0);
        file.read_range(start, &mut values)?;
        let bytes: Vec<u8> = values.iter().map(|value| value.to_le_bytes()[0]).collect();
        hasher.update(&bytes);
    }
    Ok(format!("{:08x}", hasher.finalize()))
}
