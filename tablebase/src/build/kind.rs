//! The builder that a game needs.

use std::io;

use games::Ruleset;

use crate::file::{FileError, LayerFile, LayerWriter, ValueKind};
use crate::tabled::Tabled;

use super::cyclic::keep::Keep;
use super::{Builder, cyclic};

/// What tables are built of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Exact values.
    Values,
    /// Bounds that hold under any rule of repetition.
    Bounds,
}

impl What {
    /// The files of a layer.
    pub(super) fn kinds(self) -> &'static [ValueKind] {
        match self {
            What::Values => &[ValueKind::Exact],
            What::Bounds => &ValueKind::BOUNDS,
        }
    }

    /// Bytes of memory that building takes.
    pub(crate) fn memory(self, ruleset: &Ruleset, stones: u32) -> u64 {
        match (self, ruleset.spec().cyclic) {
            (What::Bounds, _) => cyclic::BoundsBuilder::memory(ruleset.pits(), stones),
            (What::Values, true) => cyclic::Builder::memory(ruleset.pits(), stones),
            (What::Values, false) => Builder::memory(ruleset.pits(), stones),
        }
    }

    /// The most stones to which building takes no more than `memory` bytes.
    pub(super) fn most_stones_within<R: Tabled>(
        self,
        ruleset: &Ruleset<R>,
        memory: u64,
    ) -> Option<u32> {
        let fits = |&stones: &u32| R::memory(ruleset, stones, self) <= memory;
        (0..=games::MAX_STONES).take_while(fits).last()
    }
}

/// What fills layer after layer, keeps them in memory, and has them read and written.
pub trait LayerBuilder {
    /// Fills the next layer on the threads of the current rayon pool; long ones may be kept in work.
    /// `progress` is told the positions done since its last call, from any thread.
    ///
    /// # Errors
    /// The system does not give the memory.
    fn fill_next(&mut self, progress: &(dyn Fn(u64) + Sync), keep: &mut dyn Keep)
    -> io::Result<()>;

    /// Takes the next layer from its files.
    ///
    /// # Errors
    /// A file is damaged.
    fn load_next(&mut self, files: &[LayerFile]) -> Result<(), FileError>;

    /// Writes the values of a filled layer.
    ///
    /// # Errors
    /// The file cannot be written.
    fn write_layer(
        &mut self,
        layer: u32,
        kind: ValueKind,
        file: &mut LayerWriter,
    ) -> Result<(), FileError>;
}

/// A builder of any kind for games on two packed sides.
pub(crate) enum AnyBuilder {
    Acyclic(Builder),
    Cyclic(cyclic::Builder),
    Bounds(cyclic::BoundsBuilder),
}

impl AnyBuilder {
    pub(crate) fn new(ruleset: &Ruleset, stones: u32, what: What) -> io::Result<AnyBuilder> {
        Ok(match (what, ruleset.spec().cyclic) {
            (What::Bounds, _) => AnyBuilder::Bounds(cyclic::BoundsBuilder::new(ruleset, stones)),
            (What::Values, true) => AnyBuilder::Cyclic(cyclic::Builder::new(ruleset, stones)),
            (What::Values, false) => AnyBuilder::Acyclic(Builder::new(ruleset, stones)?),
        })
    }
}

impl LayerBuilder for AnyBuilder {
    fn fill_next(
        &mut self,
        progress: &(dyn Fn(u64) + Sync),
        keep: &mut dyn Keep,
    ) -> io::Result<()> {
        match self {
            AnyBuilder::Acyclic(builder) => builder.fill_next(progress),
            AnyBuilder::Cyclic(builder) => builder.fill_next_kept(progress, keep)?,
            AnyBuilder::Bounds(builder) => builder.fill_next_kept(progress, keep)?,
        }
        Ok(())
    }

    fn load_next(&mut self, files: &[LayerFile]) -> Result<(), FileError> {
        match (self, files) {
            (AnyBuilder::Acyclic(builder), [file, ..]) => builder.load_next(file),
            (AnyBuilder::Cyclic(builder), [file, ..]) => builder.load_next(file),
            (AnyBuilder::Bounds(builder), [lower, upper]) => builder.load_next([lower, upper]),
            _ => unreachable!("a layer has a file of each kind"),
        }
    }

    fn write_layer(
        &mut self,
        layer: u32,
        kind: ValueKind,
        file: &mut LayerWriter,
    ) -> Result<(), FileError> {
        match self {
            AnyBuilder::Acyclic(builder) => builder.write_layer(layer, file),
            AnyBuilder::Cyclic(builder) => file.write(builder.layer(layer)),
            AnyBuilder::Bounds(builder) => file.write(builder.layer(layer, kind)),
        }
    }
}
