//! The games that tables can be built of.

use std::io;
use std::path::Path;

use games::toguz::Toguz;
use games::{Playable, Rules, Ruleset};

use crate::build::{AnyBuilder, LayerBuilder, What, tuzdyks};
use crate::file::{FileError, HeaderError, LayerFile, LayerSpec, Scheme, SpecError, Step};
use crate::index::{Index, TuzdykIndex};
use crate::verify::Tour;

/// Rules of games that tables can be built of. What files hold, how values are counted, looked up
/// and verified is the same for all; a game has its index and its builder.
pub trait Tabled: Playable {
    /// How positions are numbered.
    type Index: Tour<Board = Self::Board>;

    /// The name of this index in files.
    const SCHEME: Scheme;

    /// Whether bounds can be built that hold under any rule of repetition.
    fn has_bounds(ruleset: &Ruleset<Self>) -> bool;

    /// Bytes of memory that building the layers 0 to `stones` takes.
    fn memory(ruleset: &Ruleset<Self>, stones: u32, what: What) -> u64;

    /// A builder of the layers 0 to `stones`, none of which is there.
    ///
    /// # Errors
    /// The system does not give the memory.
    fn layer_builder(
        ruleset: &Ruleset<Self>,
        stones: u32,
        what: What,
    ) -> io::Result<Box<dyn LayerBuilder>>;
}

impl Tabled for Rules {
    type Index = Index;

    const SCHEME: Scheme = Scheme::Sides;

    fn has_bounds(ruleset: &Ruleset) -> bool {
        ruleset.spec().cyclic
    }

    fn memory(ruleset: &Ruleset, stones: u32, what: What) -> u64 {
        what.memory(ruleset, stones)
    }

    fn layer_builder(
        ruleset: &Ruleset,
        stones: u32,
        what: What,
    ) -> io::Result<Box<dyn LayerBuilder>> {
        Ok(Box::new(AnyBuilder::new(ruleset, stones, what)?))
    }
}

impl Tabled for Toguz {
    type Index = TuzdykIndex;

    const SCHEME: Scheme = Scheme::Tuzdyks;

    fn has_bounds(_: &Ruleset<Toguz>) -> bool {
        false
    }

    fn memory(ruleset: &Ruleset<Toguz>, stones: u32, _: What) -> u64 {
        tuzdyks::Builder::memory(ruleset.pits(), stones)
    }

    fn layer_builder(
        ruleset: &Ruleset<Toguz>,
        stones: u32,
        _: What,
    ) -> io::Result<Box<dyn LayerBuilder>> {
        Ok(Box::new(tuzdyks::Builder::new(ruleset, stones)))
    }
}

/// What the file of a layer's exact values says.
///
/// # Errors
/// The format has no room for such a layer.
pub(crate) fn layer_spec<R: Tabled>(
    ruleset: &Ruleset<R>,
    stones: u32,
) -> Result<LayerSpec, SpecError> {
    let step = if ruleset.has_parity() { Step::Two } else { Step::One };
    LayerSpec::new(&ruleset.table_key(), R::SCHEME, ruleset.pits() as u32, stones, step)
}

/// Opens a layer of a ruleset, whose index then knows all its positions.
///
/// # Errors
/// As [`LayerFile::open`], and if the positions are numbered in another way.
pub(crate) fn open_layer<R: Tabled>(
    path: &Path,
    ruleset: &Ruleset<R>,
) -> Result<LayerFile, FileError> {
    let file = LayerFile::open(path, &ruleset.table_key())?;
    let spec = file.header().spec();
    let foreign = |field, found| {
        let reason = HeaderError::Field { field, found };
        Err(FileError::Header { path: path.to_owned(), reason })
    };
    if spec.pits() as usize != ruleset.pits() {
        return foreign("pits", spec.pits().into());
    }
    if spec.scheme() != R::SCHEME {
        return foreign("index scheme", spec.scheme() as u64 + 1);
    }
    Ok(file)
}
