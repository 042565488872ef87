//! The crate's `unsafe`: a large table of atomic words.

#![allow(unsafe_code)]

use std::io;
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;

/// A zeroed table of words, on huge pages where the system grants them.
#[derive(Debug)]
pub(crate) struct Words {
    map: MmapMut,
    len: usize,
}

impl Words {
    pub(crate) fn new(len: usize) -> io::Result<Words> {
        let bytes = len.checked_mul(size_of::<AtomicU64>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapMut::map_anon(bytes.max(1))?;
        // Only a hint: huge pages spare the TLB miss of a random access.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Words { map, len })
    }

    #[inline]
    pub(crate) fn all(&self) -> &[AtomicU64] {
        // SAFETY: the mapping is page-aligned, zeroed, `len` words long, lives as long as
        // `self`, and is only ever accessed through these atomics.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.len) }
    }

    /// Asks the processor to fetch the cache line of a word.
    #[inline]
    pub(crate) fn prefetch(&self, index: usize) {
        prefetch(self.all(), index);
    }
}

/// Asks the processor to fetch the cache line where an element begins.
#[inline]
pub(crate) fn prefetch<T>(elements: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let element = elements.as_ptr().wrapping_add(index);
        // SAFETY: SSE is part of every x86-64, and a prefetch never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(element.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (elements, index);
}
