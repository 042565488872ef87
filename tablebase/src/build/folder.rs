//! Building layers into a folder of files.

use std::path::{Path, PathBuf};

use games::Ruleset;
use thiserror::Error;

use crate::file::{
    Encoding, FileError, FolderLock, LayerFile, LayerSpec, LayerWriter, SpecError, Step,
    check_space, folder_name, layer_path, max_file_len,
};
use crate::index::layer_positions;

use super::kind::AnyBuilder;

/// What a build tells while it runs.
#[derive(Clone, Debug)]
pub enum Event {
    /// Files in work of a killed build were removed.
    RemovedStale(Vec<PathBuf>),
    /// So many layers are complete already.
    Found(u32),
    /// A complete layer of so many positions is read from its file.
    Loading(u32, u64),
    /// A layer of so many positions is being filled.
    Filling(u32, u64),
    /// So many positions more are filled; told from any thread.
    Filled(u64),
    /// A layer's file is being written.
    Writing(u32),
    /// A layer's file is complete.
    Written(u32, PathBuf),
}

/// Why tables could not be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The value of a position hangs on the positions before it.
    #[error(
        "under {0} a value hangs on the positions before, so there can be no table of values; \
         tables are built with repetition=split"
    )]
    Repetition(String),
    /// The memory allowed is too small.
    #[error(
        "building to {stones} stones takes {needed} bytes of memory, {allowed} are allowed; {}",
        most_text(.most)
    )]
    Memory {
        /// Stones asked for.
        stones: u32,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
        /// The most stones that fit.
        most: Option<u32>,
    },
    /// The system gave less memory than allowed.
    #[error("the system does not give {needed} bytes of memory: {source}; build to fewer stones")]
    Reserve {
        /// Bytes needed.
        needed: u64,
        /// Its reason.
        source: std::io::Error,
    },
    /// The layer cannot be kept in a file.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

fn most_text(most: &Option<u32>) -> String {
    most.map_or_else(
        || "not even an empty table fits".to_owned(),
        |most| format!("up to {most} stones fit, or allow more"),
    )
}

/// Builds the layers 0 to `stones` of a ruleset below the folder `tables`, on the threads of the
/// current rayon pool. Layers that are complete are kept: their checksums are checked, and their
/// values read instead of computed. `memory` is the most bytes to use.
///
/// A layer's file appears under its name only when it is whole and on the disk, so at any moment
/// an interruption costs at most the layer in work.
///
/// # Errors
/// Nothing of a failed layer stays.
pub fn build(
    ruleset: &Ruleset,
    stones: u32,
    tables: &Path,
    encoding: Encoding,
    memory: u64,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<(), BuildError> {
    if ruleset.choice("repetition").is_some_and(|rule| rule != "split") {
        return Err(BuildError::Repetition(ruleset.to_string()));
    }
    let needed = check_memory(ruleset, stones, memory)?;
    let lock = FolderLock::acquire(&tables.join(folder_name(&ruleset.table_key())))?;
    let removed = lock.remove_stale()?;
    if !removed.is_empty() {
        tell(Event::RemovedStale(removed));
    }
    let files = open_layers(ruleset, stones, tables)?;
    let found = files.iter().flatten().count() as u32;
    tell(Event::Found(found));
    if found == stones + 1 {
        return Ok(());
    }
    let refused = |source| BuildError::Reserve { needed, source };
    let mut builder = AnyBuilder::new(ruleset, stones).map_err(refused)?;
    for (layer, file) in (0..=stones).zip(files) {
        let positions = layer_positions(ruleset.pits(), layer);
        match file {
            Some(file) => {
                tell(Event::Loading(layer, positions));
                file.verify_checksums()?;
                builder.load_next(&file)?;
            }
            None => {
                tell(Event::Filling(layer, positions));
                let filled = builder.fill_next(&|positions| tell(Event::Filled(positions)));
                filled.map_err(refused)?;
                tell(Event::Writing(layer));
                let path = write(ruleset, &mut builder, layer, lock.dir(), encoding)?;
                tell(Event::Written(layer, path));
            }
        }
    }
    Ok(())
}

fn check_memory(ruleset: &Ruleset, stones: u32, allowed: u64) -> Result<u64, BuildError> {
    LayerSpec::new(&ruleset.table_key(), ruleset.pits() as u32, stones, Step::One)?;
    let needed = AnyBuilder::memory(ruleset, stones);
    if needed > allowed {
        let most = AnyBuilder::most_stones_within(ruleset, allowed);
        return Err(BuildError::Memory { stones, needed, allowed, most });
    }
    Ok(needed)
}

/// Opens the layers that are there.
fn open_layers(
    ruleset: &Ruleset,
    stones: u32,
    tables: &Path,
) -> Result<Vec<Option<LayerFile>>, FileError> {
    let key = ruleset.table_key();
    let open = |layer| {
        let path = layer_path(tables, &key, layer);
        path.exists().then(|| LayerFile::open(&path, &key)).transpose()
    };
    (0..=stones).map(open).collect()
}

fn write(
    ruleset: &Ruleset,
    builder: &mut AnyBuilder,
    layer: u32,
    dir: &Path,
    encoding: Encoding,
) -> Result<PathBuf, BuildError> {
    let step = if ruleset.has_parity() { Step::Two } else { Step::One };
    let spec = LayerSpec::new(&ruleset.table_key(), ruleset.pits() as u32, layer, step)?;
    check_space(dir, max_file_len(&spec, encoding))?;
    let mut writer = LayerWriter::create(dir, spec, encoding)?;
    builder.write_layer(layer, &mut writer)?;
    Ok(writer.finish()?)
}
