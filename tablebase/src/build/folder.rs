//! Building layers into a folder of files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytesize::ByteSize;
use games::{Rules, Ruleset};
use thiserror::Error;

use crate::bounds::keeper;
use crate::file::{
    Encoding, FileError, FolderLock, LayerFile, LayerWriter, SpecError, ValueKind, check_space,
    file_path, folder_name, max_file_len,
};
use crate::tabled::{Tabled, layer_spec, open_layer};

use super::cyclic::keep::{KeepFile, Told, part_of};
use super::kind::LayerBuilder;

pub use super::kind::What;

/// What a build tells while it runs.
#[derive(Clone, Debug)]
pub enum Event {
    /// Files in work of a killed build were removed.
    RemovedStale(Vec<PathBuf>),
    /// So many layers are complete already.
    Found(u32),
    /// A complete layer of so many positions is read from its file.
    Loading(u32, u64),
    /// A layer of so many values is being filled.
    Filling(u32, u64),
    /// A layer that was kept in work goes on with this level.
    Resumed(u32, i32),
    /// A layer in work was kept before this level.
    Kept(u32, i32),
    /// A layer in work could not be kept, and why.
    NotKept(u32, String),
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
         tables are built with repetition=split, and bounds of the value with --bounds"
    )]
    Repetition(String),
    /// There is only one value.
    #[error("positions of {0} do not recur, so its values hold under any rule of repetition")]
    NoRecurrence(&'static str),
    /// Bounds of such a game are not built.
    #[error("bounds of {0} are not built, only its values; leave out --bounds")]
    NoBounds(&'static str),
    /// The memory allowed is too small.
    #[error(
        "building to {stones} stones takes {} of memory, {} are allowed; {}",
        ByteSize(*.needed), ByteSize(*.allowed), most_text(.most)
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
    #[error("the system does not give {} of memory: {source}; build to fewer stones", ByteSize(*.needed))]
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
        |most| format!("up to {most} stones fit, or allow more with --memory"),
    )
}

/// Builds the exact values of the layers 0 to `stones` of a ruleset below the folder `tables`, as
/// [`Plan::run`] does.
///
/// # Errors
/// Nothing of a failed layer stays.
pub fn build<R: Tabled>(
    ruleset: &Ruleset<R>,
    stones: u32,
    tables: &Path,
    encoding: Encoding,
    memory: u64,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<(), BuildError> {
    let keep_every = KEEP_EVERY;
    Plan { ruleset, stones, what: What::Values, tables, encoding, memory, keep_every }.run(tell)
}

/// How often a layer in work is kept, if nothing else is said.
pub const KEEP_EVERY: Duration = Duration::from_secs(600);

/// Tables to be built.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a, R: Tabled = Rules> {
    /// The rules.
    pub ruleset: &'a Ruleset<R>,
    /// The highest layer.
    pub stones: u32,
    /// Values or bounds.
    pub what: What,
    /// The folder of all tables.
    pub tables: &'a Path,
    /// How files are encoded.
    pub encoding: Encoding,
    /// The most bytes of memory to use.
    pub memory: u64,
    /// How often a layer of a cyclic game is kept while it is in work.
    pub keep_every: Duration,
}

impl<R: Tabled> Plan<'_, R> {
    /// Refuses what cannot be built, before anything is touched.
    ///
    /// # Errors
    /// There are no such tables, or they take too much memory.
    pub fn check(&self) -> Result<(), BuildError> {
        self.keeper_within_memory().map(|_| ())
    }

    /// Builds the layers on the threads of the current rayon pool. Layers that are complete are
    /// kept: their checksums are checked, and their values read instead of computed.
    ///
    /// A layer's file appears under its name only when it is whole and on the disk, so at any
    /// moment an interruption costs at most the layer in work, and of a long layer of a cyclic
    /// game what was done since it was kept last.
    ///
    /// # Errors
    /// Nothing of a failed layer stays.
    pub fn run(&self, tell: &(dyn Fn(Event) + Sync)) -> Result<(), BuildError> {
        let (keeper, needed) = self.keeper_within_memory()?;
        let lock = FolderLock::acquire(&self.tables.join(folder_name(&keeper.table_key())))?;
        let removed = lock.remove_stale()?;
        if !removed.is_empty() {
            tell(Event::RemovedStale(removed));
        }
        let layers = self.open_layers(&keeper)?;
        let whole = |files: &&Vec<LayerFile>| files.len() == self.what.kinds().len();
        let found = layers.iter().filter(whole).count() as u32;
        tell(Event::Found(found));
        let part = |layer| part_of(&self.path(&keeper, layer, self.what.kinds()[0]));
        for (layer, _) in (0..).zip(&layers).filter(|(_, files)| whole(files)) {
            // Of a build that was killed when the layer had just become whole.
            remove(&part(layer))?;
        }
        if found == self.stones + 1 {
            return Ok(());
        }
        let refused = |source| BuildError::Reserve { needed, source };
        let mut builder = R::layer_builder(&keeper, self.stones, self.what).map_err(refused)?;
        for (layer, files) in (0..).zip(&layers) {
            let positions = layer_spec(&keeper, layer)?.count();
            if whole(&files) {
                tell(Event::Loading(layer, positions));
                files.iter().try_for_each(LayerFile::verify_checksums)?;
                builder.load_next(files)?;
            } else {
                tell(Event::Filling(layer, positions * self.what.kinds().len() as u64));
                self.fill(&keeper, &mut *builder, layer, tell).map_err(refused)?;
                tell(Event::Writing(layer));
                self.write(&keeper, &mut *builder, layer, files, tell)?;
                remove(&part(layer))?;
            }
        }
        Ok(())
    }

    /// The ruleset under whose key the files are, and the bytes of memory that building takes.
    fn keeper_within_memory(&self) -> Result<(Ruleset<R>, u64), BuildError> {
        let keeper = self.keeper()?;
        layer_spec(&keeper, self.stones)?;
        let needed = check_memory(&keeper, self.stones, self.what, self.memory)?;
        Ok((keeper, needed))
    }

    /// The ruleset under whose key the files are.
    fn keeper(&self) -> Result<Ruleset<R>, BuildError> {
        match self.what {
            What::Bounds if !self.ruleset.spec().cyclic => {
                Err(BuildError::NoRecurrence(self.ruleset.spec().name))
            }
            What::Bounds if !R::has_bounds(self.ruleset) => {
                Err(BuildError::NoBounds(self.ruleset.spec().name))
            }
            What::Bounds => Ok(keeper(self.ruleset)),
            What::Values if !self.ruleset.has_values() => {
                Err(BuildError::Repetition(self.ruleset.to_string()))
            }
            What::Values => Ok(self.ruleset.clone()),
        }
    }

    /// Opens the files that are there, of each layer.
    fn open_layers(&self, keeper: &Ruleset<R>) -> Result<Vec<Vec<LayerFile>>, FileError> {
        let open = |layer| {
            let paths = self.what.kinds().iter().map(|&kind| self.path(keeper, layer, kind));
            let there = paths.filter(|path| path.exists());
            there.map(|path| open_layer(&path, keeper)).collect()
        };
        (0..=self.stones).map(open).collect()
    }

    fn path(&self, keeper: &Ruleset<R>, layer: u32, kind: ValueKind) -> PathBuf {
        file_path(self.tables, &keeper.table_key(), layer, kind)
    }

    /// Fills a layer, which is kept in work beside its file.
    fn fill(
        &self,
        keeper: &Ruleset<R>,
        builder: &mut dyn LayerBuilder,
        layer: u32,
        tell: &(dyn Fn(Event) + Sync),
    ) -> io::Result<()> {
        let file = self.path(keeper, layer, self.what.kinds()[0]);
        let told = |told| match told {
            Told::Resumed(level) => tell(Event::Resumed(layer, level.into())),
            Told::Kept(level) => tell(Event::Kept(layer, level.into())),
            Told::NotKept(error) => tell(Event::NotKept(layer, error.to_string())),
        };
        let mut keep = KeepFile::new(&file, keeper.table_key(), self.keep_every, &told);
        builder.fill_next(&|positions| tell(Event::Filled(positions)), &mut keep)
    }

    /// Writes the files of a layer that are not there.
    fn write(
        &self,
        keeper: &Ruleset<R>,
        builder: &mut dyn LayerBuilder,
        layer: u32,
        there: &[LayerFile],
        tell: &(dyn Fn(Event) + Sync),
    ) -> Result<(), BuildError> {
        for &kind in self.what.kinds() {
            if there.iter().any(|file| file.header().spec().kind() == kind) {
                continue;
            }
            let spec = layer_spec(keeper, layer)?.with_kind(kind);
            let dir = self.tables.join(folder_name(&keeper.table_key()));
            check_space(&dir, max_file_len(&spec, self.encoding))?;
            let mut writer = LayerWriter::create(&dir, spec, self.encoding)?;
            builder.write_layer(layer, kind, &mut writer)?;
            tell(Event::Written(layer, writer.finish()?));
        }
        Ok(())
    }
}

/// Refuses layers that take more than `allowed` bytes of memory to build; gives what they take.
///
/// # Errors
/// [`BuildError::Memory`].
pub fn check_memory<R: Tabled>(
    ruleset: &Ruleset<R>,
    stones: u32,
    what: What,
    allowed: u64,
) -> Result<u64, BuildError> {
    let needed = R::memory(ruleset, stones, what);
    if needed > allowed {
        let most = what.most_stones_within(ruleset, allowed);
        return Err(BuildError::Memory { stones, needed, allowed, most });
    }
    Ok(needed)
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(FileError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}
