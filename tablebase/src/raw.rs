//! All `unsafe` code of the crate.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::{Mmap, MmapMut, MmapOptions};

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

/// A large zeroed byte table, written in place by many threads.
///
/// The builder fills each byte once and reads it only afterwards, with a barrier of the thread
/// pool between; so plain loads and stores suffice, and inner loops can be vectorised.
#[derive(Debug)]
pub(crate) struct SharedTable {
    map: MmapMut,
    start: *mut i8,
}

// SAFETY: the table is plain memory owned by `map`; `read` and `write` put the duty to keep
// concurrent accesses disjoint on their callers, the other methods are exclusive.
unsafe impl Send for SharedTable {}
// SAFETY: as above.
unsafe impl Sync for SharedTable {}

impl SharedTable {
    /// Reserves `len` zeroed bytes, on huge pages where the system grants them.
    pub(crate) fn new(len: usize) -> io::Result<SharedTable> {
        let mut map = zeroed(len)?;
        let start = map.as_mut_ptr().cast();
        Ok(SharedTable { map, start })
    }

    /// A part of the table.
    ///
    /// # Safety
    /// The part is inside the table, and no thread writes to it while the slice lives.
    #[inline]
    pub(crate) unsafe fn read(&self, start: usize, len: usize) -> &[i8] {
        debug_assert!(start + len <= self.map.len());
        // SAFETY: the caller's duty.
        unsafe { std::slice::from_raw_parts(self.start.add(start), len) }
    }

    /// Overwrites a part of the table.
    ///
    /// # Safety
    /// The part is inside the table, and no other thread reads or writes it at the same time.
    #[inline]
    pub(crate) unsafe fn write(&self, start: usize, values: &[i8]) {
        debug_assert!(start + values.len() <= self.map.len());
        // SAFETY: the caller's duty; `values` is no part of the table, as nobody reads the part.
        unsafe {
            std::ptr::copy_nonoverlapping(values.as_ptr(), self.start.add(start), values.len());
        }
    }

    /// The whole table, while nobody else has it.
    pub(crate) fn all(&mut self) -> &mut [i8] {
        bytemuck::cast_slice_mut(&mut self.map)
    }

    /// The finished table.
    pub(crate) fn freeze(self) -> io::Result<Mmap> {
        self.map.make_read_only()
    }
}

/// Zeroed memory on huge pages, where the system grants them.
pub(crate) fn zeroed(len: usize) -> io::Result<MmapMut> {
    let map = MmapMut::map_anon(len.max(1))?;
    // Only a hint: huge pages spare the TLB miss of a random probe; without them all still works.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}
