//! The packed values of one layer, in memory or mapped.

use crate::raw;

use super::codes::{Codes, PAD};

/// The values of one layer, a few bits each, with random access: one unaligned load, a shift and
/// a mask. Generic over its bytes: a `Vec<u8>` in memory, a map of a file.
#[derive(Clone, Debug)]
pub struct Packed<B = Vec<u8>> {
    codes: Codes,
    len: usize,
    bytes: B,
}

impl Packed<Vec<u8>> {
    /// Room for `capacity` values; none yet.
    #[must_use]
    pub fn with_capacity(codes: Codes, capacity: usize) -> Packed {
        let words = codes.packed_len(capacity).unwrap_or(0);
        let mut bytes = Vec::with_capacity(words + PAD);
        bytes.resize(PAD, 0);
        Packed { codes, len: 0, bytes }
    }

    /// Appends values.
    ///
    /// # Errors
    ///
    /// The first value that the layer cannot hold and its place among `values`; nothing is
    /// appended then.
    pub fn extend(&mut self, values: &[i8]) -> Result<(), (usize, i8)> {
        self.codes.find_foreign(values).map_or(Ok(()), Err)?;
        // A chunk that ended inside a word is read back, so that packing always starts at one.
        let open = self.len % 64;
        let whole = self.len - open;
        let mut rest = [0; 64];
        self.codes.unpack(&self.bytes, whole, &mut rest[..open]);
        let fill = if open == 0 { 0 } else { values.len().min(64 - open) };
        rest[open..open + fill].copy_from_slice(&values[..fill]);
        self.bytes.truncate(whole / 8 * self.codes.width() as usize);
        self.codes.pack(&rest[..open + fill], &mut self.bytes);
        self.codes.pack(&values[fill..], &mut self.bytes);
        self.bytes.resize(self.bytes.len() + PAD, 0);
        self.len += values.len();
        Ok(())
    }
}

impl<B: AsRef<[u8]>> Packed<B> {
    /// Packed values that were written before, with the padding after them. `None` if the length
    /// is not that of `len` values.
    #[must_use]
    pub fn from_bytes(codes: Codes, len: usize, bytes: B) -> Option<Packed<B>> {
        let expected = codes.packed_len(len)?.checked_add(PAD)?;
        (bytes.as_ref().len() == expected).then_some(Packed { codes, len, bytes })
    }

    /// How values are coded.
    #[must_use]
    pub fn codes(&self) -> Codes {
        self.codes
    }

    /// Values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The packed bytes with their padding, as a packed file holds them.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// The value of a position.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`Packed::len`].
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> i32 {
        assert!(index < self.len, "index {index} of {} values", self.len);
        self.codes.get(self.bytes.as_ref(), index)
    }

    /// Asks the processor to bring the value closer, for a [`Packed::get`] soon after.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        let bit = index.wrapping_mul(self.codes.width() as usize);
        raw::prefetch(self.bytes.as_ref(), bit / 8);
    }

    /// Reads the values from `start` on.
    ///
    /// # Panics
    ///
    /// If `out` reaches beyond [`Packed::len`].
    pub fn read(&self, start: usize, out: &mut [i8]) {
        assert!(
            start.checked_add(out.len()).is_some_and(|end| end <= self.len),
            "{} values from {start} of {}",
            out.len(),
            self.len
        );
        self.codes.unpack(self.bytes.as_ref(), start, out);
    }
}
