//! Decompressed blocks kept for later probes.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::codec::BlockDecoder;
use super::error::FileError;

/// Blocks kept. Probes of a search scatter over a layer, so more of them gain little before they
/// are the whole layer; these are enough to keep threads from waiting for each other.
const SLOTS: usize = 16;

/// A direct-mapped cache: block b can only be in slot b mod [`SLOTS`], which has its own lock,
/// buffer and decompressor, made at its first use and kept.
#[derive(Default)]
pub(crate) struct BlockCache {
    slots: [Mutex<Slot>; SLOTS],
}

#[derive(Default)]
struct Slot {
    block: Option<u64>,
    values: Vec<i8>,
    decoder: Option<BlockDecoder>,
}

impl BlockCache {
    /// Value number `within` of a block of `len` values. If the block is not there, `make` makes a
    /// decoder (once a slot) and `decode` fills the buffer.
    pub(crate) fn value(
        &self,
        block: u64,
        within: usize,
        len: usize,
        make: impl FnOnce() -> Result<BlockDecoder, FileError>,
        decode: impl FnOnce(&mut BlockDecoder, &mut [i8]) -> Result<(), FileError>,
    ) -> Result<i8, FileError> {
        // A slot is without a block while it is filled, so one left by a panic is sound.
        let slot = &self.slots[(block % SLOTS as u64) as usize];
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.block != Some(block) {
            let Slot { block: held, values, decoder } = &mut *slot;
            *held = None;
            values.resize(len, 0);
            let decoder = match decoder {
                Some(decoder) => decoder,
                none => none.insert(make()?),
            };
            decode(decoder, values)?;
            *held = Some(block);
        }
        Ok(slot.values[within])
    }
}

impl fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockCache").finish_non_exhaustive()
    }
}
