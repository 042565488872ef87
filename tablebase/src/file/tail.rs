//! What follows the data: the block table and the trailer that marks a complete file.

use super::header::{u32_at, u64_at};

/// Bytes of a block's entry in the table.
pub(crate) const ENTRY_LEN: usize = 16;
/// Bytes of the trailer.
pub(crate) const TRAILER_LEN: usize = 32;

const MAGIC: [u8; 8] = *b"MNC-END\n";

/// Where a block is, and its checksum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// From the start of the data.
    pub(crate) offset: u64,
    pub(crate) len: u32,
    pub(crate) crc: u32,
}

impl Entry {
    pub(crate) fn to_bytes(self) -> [u8; ENTRY_LEN] {
        let mut bytes = [0; ENTRY_LEN];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.len.to_le_bytes());
        bytes[12..].copy_from_slice(&self.crc.to_le_bytes());
        bytes
    }

    /// The entry of a block. `None` if the table has no such block.
    pub(crate) fn read(table: &[u8], block: u64) -> Option<Entry> {
        let at = usize::try_from(block).ok()?.checked_mul(ENTRY_LEN)?;
        let bytes = table.get(at..)?.get(..ENTRY_LEN)?;
        Some(Entry { offset: u64_at(bytes, 0), len: u32_at(bytes, 8), crc: u32_at(bytes, 12) })
    }

    /// The bytes of the block. `None` if they would lie outside the data.
    pub(crate) fn slice(self, data: &[u8]) -> Option<&[u8]> {
        data.get(usize::try_from(self.offset).ok()?..)?.get(..self.len as usize)
    }

    /// The bytes of the block, if their checksum is right.
    pub(crate) fn checked(self, data: &[u8]) -> Option<&[u8]> {
        self.slice(data).filter(|bytes| crc32fast::hash(bytes) == self.crc)
    }
}

/// The mark of a complete file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trailer {
    pub(crate) file_len: u64,
    pub(crate) header_crc: u32,
    pub(crate) table_crc: u32,
}

impl Trailer {
    pub(crate) fn to_bytes(self) -> [u8; TRAILER_LEN] {
        let mut bytes = [0; TRAILER_LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..16].copy_from_slice(&self.file_len.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.header_crc.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.table_crc.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..28]);
        bytes[28..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// The trailer, if it is one and undamaged.
    pub(crate) fn read(bytes: &[u8; TRAILER_LEN]) -> Option<Trailer> {
        let whole = bytes[..8] == MAGIC && crc32fast::hash(&bytes[..28]) == u32_at(bytes, 28);
        whole.then(|| Trailer {
            file_len: u64_at(bytes, 8),
            header_crc: u32_at(bytes, 16),
            table_crc: u32_at(bytes, 20),
        })
    }
}
