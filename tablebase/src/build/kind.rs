//! The builder that a game needs.

use std::io;

use games::Ruleset;

use crate::file::{FileError, LayerFile, LayerWriter};

use super::{Builder, cyclic};

/// A builder of either kind of game.
pub(super) enum AnyBuilder {
    Acyclic(Builder),
    Cyclic(cyclic::Builder),
}

impl AnyBuilder {
    pub(super) fn new(ruleset: &Ruleset, stones: u32) -> io::Result<AnyBuilder> {
        Ok(match ruleset.spec().cyclic {
            true => AnyBuilder::Cyclic(cyclic::Builder::new(ruleset, stones)),
            false => AnyBuilder::Acyclic(Builder::new(ruleset, stones)?),
        })
    }

    /// Bytes of memory that building takes.
    pub(super) fn memory(ruleset: &Ruleset, stones: u32) -> u64 {
        match ruleset.spec().cyclic {
            true => cyclic::Builder::memory(ruleset.pits(), stones),
            false => Builder::memory(ruleset.pits(), stones),
        }
    }

    /// The most stones to which building takes no more than `memory` bytes.
    pub(super) fn most_stones_within(ruleset: &Ruleset, memory: u64) -> Option<u32> {
        let fits = |&stones: &u32| Self::memory(ruleset, stones) <= memory;
        (0..=games::MAX_STONES).take_while(fits).last()
    }

    pub(super) fn fill_next(&mut self, progress: &(dyn Fn(u64) + Sync)) -> io::Result<()> {
        match self {
            AnyBuilder::Acyclic(builder) => builder.fill_next(progress),
            AnyBuilder::Cyclic(builder) => builder.fill_next(progress)?,
        }
        Ok(())
    }

    pub(super) fn load_next(&mut self, file: &LayerFile) -> Result<(), FileError> {
        match self {
            AnyBuilder::Acyclic(builder) => builder.load_next(file),
            AnyBuilder::Cyclic(builder) => builder.load_next(file),
        }
    }

    pub(super) fn write_layer(
        &mut self,
        layer: u32,
        file: &mut LayerWriter,
    ) -> Result<(), FileError> {
        match self {
            AnyBuilder::Acyclic(builder) => builder.write_layer(layer, file),
            AnyBuilder::Cyclic(builder) => file.write(builder.layer(layer)),
        }
    }
}
