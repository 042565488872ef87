//! All `unsafe` code of the crate.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::{Mmap, MmapOptions};

/// Maps `len` bytes of a file from `offset`, read-only.
pub(crate) fn map(file: &File, offset: u64, len: usize) -> io::Result<Mmap> {
    // SAFETY: the map must not change while it is borrowed. Layer files are never written under
    // their final name: they are renamed into place when whole, and replaced only by another
    // rename, which leaves this file alive behind the map. Someone who edits one in place could
    // make bytes change between two reads; every read stays within bounds whatever the bytes
    // are, because sizes come from the header, which was copied and checked.
    unsafe { MmapOptions::new().offset(offset).len(len).map(file) }
}

/// Asks the processor to bring the cache line of `bytes[at]` closer; does nothing out of bounds.
#[inline]
pub(crate) fn prefetch(bytes: &[u8], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(byte) = bytes.get(at) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of every x86-64, and a prefetch has no effect that a program sees.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, at);
}
