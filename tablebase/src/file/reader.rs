//! Opening and reading layer files of every codec.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use rayon::prelude::*;

use crate::raw;

use super::cache::BlockCache;
use super::checked::Checked;
use super::codec::{BlockDecoder, Codec};
use super::error::FileError;
use super::folder;
use super::header::{self, HEADER_LEN, Header, HeaderError, VERSION};
use super::packed::Packed;
use super::tail::{ENTRY_LEN, Entry, TRAILER_LEN, Trailer};

/// An open layer file. Threads may share it.
#[derive(Debug)]
pub struct LayerFile {
    path: PathBuf,
    header: Header,
    data: Data,
    table: Mmap,
    /// Of bytes and packed values; compressed blocks are checked whenever they are decompressed.
    checked: Checked,
}

#[derive(Debug)]
enum Data {
    Byte(Mmap),
    Packed(Packed<Mmap>),
    Zstd(Mmap, Box<BlockCache>),
}

impl LayerFile {
    /// Opens a file for probing in place: pages of the data are read when first touched.
    /// The ruleset key ([`games::Ruleset::table_key`]) must be that of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is no complete layer file of this version, is damaged outside
    /// the data, or is of another ruleset or layer. Damage to the data themselves is found when
    /// they are first asked for, or by [`LayerFile::verify_checksums`].
    pub fn open(path: &Path, expected_key: &str) -> Result<LayerFile, FileError> {
        LayerFile::open_with(path, expected_key, |file, header, len| {
            raw::map(file, header.data_offset(), len)
        })
    }

    /// As [`LayerFile::open`], but copies the data into memory, on huge pages where the system
    /// offers them.
    ///
    /// # Errors
    ///
    /// As [`LayerFile::open`], and if memory is short.
    pub fn load(path: &Path, expected_key: &str) -> Result<LayerFile, FileError> {
        LayerFile::open_with(path, expected_key, |file, header, len| {
            let mut memory = raw::zeroed(len)?;
            let mut file = file;
            file.seek(SeekFrom::Start(header.data_offset()))?;
            file.read_exact(&mut memory)?;
            memory.make_read_only()
        })
    }

    fn open_with(
        path: &Path,
        expected_key: &str,
        get_data: impl FnOnce(&File, &Header, usize) -> io::Result<Mmap>,
    ) -> Result<LayerFile, FileError> {
        let file = File::open(path).map_err(FileError::io("open", path))?;
        let (header, trailer) = read_ends(&file, path)?;
        check_identity(&header, path, expected_key)?;
        let data_len = address(header.data_len(), path)?;
        let table_len = address(header.blocks() * ENTRY_LEN as u64, path)?;
        let table_at = header.data_offset() + header.data_len();
        let data = get_data(&file, &header, data_len).map_err(FileError::io("read", path))?;
        let table = raw::map(&file, table_at, table_len).map_err(FileError::io("map", path))?;
        if crc32fast::hash(&table) != trailer.table_crc || !is_gapless(&table, &header) {
            return Err(FileError::Table { path: path.to_owned() });
        }
        let codes = header.spec().codes();
        let data = match header.codec() {
            Codec::Byte => Data::Byte(data),
            Codec::Packed => Packed::from_bytes(codes, address(header.count(), path)?, data)
                .map(Data::Packed)
                .ok_or_else(|| incomplete(path, "its data have another length"))?,
            Codec::ZstdBytes | Codec::ZstdPacked => Data::Zstd(data, Box::default()),
        };
        let checked = Checked::new(header.blocks());
        Ok(LayerFile { path: path.to_owned(), header, data, table, checked })
    }

    /// What the file says about itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where the file was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All values, if they are kept as bytes.
    #[must_use]
    pub fn as_bytes(&self) -> Option<&[i8]> {
        match &self.data {
            Data::Byte(map) => Some(bytemuck::cast_slice(map)),
            _ => None,
        }
    }

    /// The packed values, if that is the codec.
    #[must_use]
    pub fn as_packed(&self) -> Option<&Packed<Mmap>> {
        match &self.data {
            Data::Packed(packed) => Some(packed),
            _ => None,
        }
    }

    /// The value of a position. Bytes and packed values come straight from memory or the map,
    /// once the block has been checked; a compressed block is decompressed and kept for later
    /// probes nearby.
    ///
    /// # Errors
    ///
    /// If the index is beyond the layer, or the block is damaged.
    #[inline]
    pub fn value(&self, index: u64) -> Result<i32, FileError> {
        if index >= self.header.count() {
            return Err(self.beyond(index));
        }
        match &self.data {
            Data::Byte(map) => {
                self.check(index)?;
                Ok(i32::from(map[index as usize] as i8))
            }
            Data::Packed(packed) => {
                self.check(index)?;
                Ok(packed.get(index as usize))
            }
            Data::Zstd(data, cache) => self.probe_block(data, cache, index),
        }
    }

    /// Refuses a value in a damaged block; each block is read for it once.
    #[inline]
    pub(crate) fn check(&self, index: u64) -> Result<(), FileError> {
        self.check_block(self.block_of(index))
    }

    #[inline]
    fn block_of(&self, index: u64) -> u64 {
        index / u64::from(self.header.encoding().block())
    }

    /// Asks the processor to bring the value closer, for a [`LayerFile::value`] soon after. Does
    /// nothing for compressed files and beyond the layer.
    #[inline]
    pub fn prefetch(&self, index: u64) {
        match &self.data {
            Data::Byte(map) => raw::prefetch(map, index as usize),
            Data::Packed(packed) => packed.prefetch(index as usize),
            Data::Zstd(..) => {}
        }
    }

    /// Reads the values from index `start` on, long ranges in parallel.
    ///
    /// # Errors
    ///
    /// If `out` reaches beyond the layer, or a block is damaged.
    pub fn read_range(&self, start: u64, out: &mut [i8]) -> Result<(), FileError> {
        let end = start.checked_add(out.len() as u64);
        if end.is_none_or(|end| end > self.header.count()) {
            return Err(self.beyond(end.unwrap_or(u64::MAX)));
        }
        let mut pieces = Vec::new();
        let (mut start, mut rest) = (start, out);
        while !rest.is_empty() {
            let block = self.block_of(start);
            let (first, len) = self.header.block_range(block);
            let within = (start - first) as usize;
            let (piece, after) = rest.split_at_mut((len - within).min(rest.len()));
            start += piece.len() as u64;
            rest = after;
            pieces.push((block, within, piece));
        }
        match &self.data {
            Data::Zstd(data, _) => pieces.into_par_iter().try_for_each_init(
                || None,
                |decoder, (block, within, piece)| {
                    let decoder = match decoder {
                        Some(decoder) => decoder,
                        none => none.insert(self.decoder()?),
                    };
                    self.read_compressed(data, decoder, block, within, piece)
                },
            ),
            Data::Byte(_) | Data::Packed(_) => {
                pieces.into_par_iter().try_for_each(|(block, within, piece)| {
                    self.check_block(block)?;
                    let first = self.header.block_range(block).0 as usize;
                    self.copy_plain(first + within, piece);
                    Ok(())
                })
            }
        }
    }

    fn copy_plain(&self, start: usize, out: &mut [i8]) {
        match &self.data {
            Data::Byte(map) => {
                out.copy_from_slice(bytemuck::cast_slice(&map[start..start + out.len()]));
            }
            Data::Packed(packed) => packed.read(start, out),
            Data::Zstd(..) => unreachable!("compressed blocks are decoded by read_compressed"),
        }
    }

    fn decoder(&self) -> Result<BlockDecoder, FileError> {
        BlockDecoder::new(self.header.codec(), self.header.spec().codes())
            .map_err(FileError::io("decompress", &self.path))
    }

    /// Decodes a block, or the part of it from `within` on.
    fn read_compressed(
        &self,
        data: &[u8],
        decoder: &mut BlockDecoder,
        block: u64,
        within: usize,
        out: &mut [i8],
    ) -> Result<(), FileError> {
        let (_, len) = self.header.block_range(block);
        if out.len() == len {
            return self.decode_block(data, decoder, block, out);
        }
        let mut whole = vec![0; len];
        self.decode_block(data, decoder, block, &mut whole)?;
        out.copy_from_slice(&whole[within..within + out.len()]);
        Ok(())
    }

    fn decode_block(
        &self,
        data: &[u8],
        decoder: &mut BlockDecoder,
        block: u64,
        out: &mut [i8],
    ) -> Result<(), FileError> {
        Entry::read(&self.table, block)
            .and_then(|entry| entry.checked(data))
            .and_then(|bytes| decoder.decode(bytes, out))
            .ok_or_else(|| self.damaged(block))
    }

    fn probe_block(&self, data: &[u8], cache: &BlockCache, index: u64) -> Result<i32, FileError> {
        let block = self.block_of(index);
        let (first, len) = self.header.block_range(block);
        let read = |decoder: &mut BlockDecoder, out: &mut [i8]| {
            self.decode_block(data, decoder, block, out)
        };
        let make = || self.decoder();
        cache.value(block, (index - first) as usize, len, make, read).map(i32::from)
    }

    /// Checks the checksum of every block, in parallel. With what opening checks this covers
    /// every byte of the file.
    ///
    /// # Errors
    ///
    /// Names the first block that is damaged.
    pub fn verify_checksums(&self) -> Result<(), FileError> {
        let damaged = |&block: &u64| !self.checked.or_check(block, || self.is_undamaged(block));
        let first = (0..self.header.blocks()).into_par_iter().find_first(damaged);
        first.map_or(Ok(()), |block| Err(self.damaged(block)))
    }

    #[inline]
    fn check_block(&self, block: u64) -> Result<(), FileError> {
        match self.checked.or_check(block, || self.is_undamaged(block)) {
            true => Ok(()),
            false => Err(self.damaged(block)),
        }
    }

    #[cold]
    fn is_undamaged(&self, block: u64) -> bool {
        let entry = Entry::read(&self.table, block);
        entry.and_then(|entry| entry.checked(self.data_bytes())).is_some()
    }

    fn data_bytes(&self) -> &[u8] {
        match &self.data {
            Data::Byte(map) | Data::Zstd(map, _) => map,
            Data::Packed(packed) => packed.bytes(),
        }
    }

    #[cold]
    fn beyond(&self, index: u64) -> FileError {
        FileError::Index { path: self.path.clone(), index, count: self.header.count() }
    }

    #[cold]
    fn damaged(&self, block: u64) -> FileError {
        let (first, _) = self.header.block_range(block);
        FileError::Block { path: self.path.clone(), block, first }
    }
}

/// Whether the blocks of a table follow each other from the first byte of the data to the last.
fn is_gapless(table: &[u8], header: &Header) -> bool {
    let mut entries = (0..header.blocks()).map(|block| Entry::read(table, block));
    let end = entries.try_fold(0u64, |at, entry| {
        let entry = entry.filter(|entry| entry.offset == at)?;
        at.checked_add(u64::from(entry.len))
    });
    end == Some(header.data_len())
}

/// Reads and checks the header and the trailer, and the length against both.
fn read_ends(mut file: &File, path: &Path) -> Result<(Header, Trailer), FileError> {
    let io = FileError::io("read", path);
    let file_len = file.metadata().map_err(&io)?.len();
    if file_len < (HEADER_LEN + TRAILER_LEN) as u64 {
        return Err(incomplete(path, "it is shorter than any layer file"));
    }
    let mut bytes = [0; HEADER_LEN];
    file.read_exact(&mut bytes).map_err(&io)?;
    let header = Header::try_from(&bytes).map_err(|reason| header_error(path, reason))?;
    if file_len != header.file_len() {
        return Err(incomplete(path, "its length is not what its header says"));
    }
    let mut end = [0; TRAILER_LEN];
    file.seek(SeekFrom::End(-(TRAILER_LEN as i64))).map_err(&io)?;
    file.read_exact(&mut end).map_err(&io)?;
    let trailer = Trailer::read(&end)
        .filter(|trailer| trailer.file_len == file_len)
        .filter(|trailer| trailer.header_crc == header::stored_crc(&bytes))
        .ok_or_else(|| incomplete(path, "its completeness mark is missing or damaged"))?;
    Ok((header, trailer))
}

fn check_identity(header: &Header, path: &Path, expected_key: &str) -> Result<(), FileError> {
    let spec = header.spec();
    if spec.key() != expected_key {
        return Err(FileError::Ruleset {
            path: path.to_owned(),
            found: spec.key().to_owned(),
            expected: expected_key.to_owned(),
        });
    }
    match folder::layer_of(path) {
        Some((layer, _)) if layer != spec.stones() => {
            Err(FileError::Layer { path: path.to_owned(), found: spec.stones() })
        }
        Some((_, kind)) if kind != spec.kind() => {
            Err(FileError::Kind { path: path.to_owned(), found: spec.kind() })
        }
        _ => Ok(()),
    }
}

fn header_error(path: &Path, reason: HeaderError) -> FileError {
    let path = path.to_owned();
    match reason {
        HeaderError::Magic => FileError::Magic { path },
        HeaderError::ByteOrder => FileError::ByteOrder { path },
        HeaderError::Version(found) => FileError::Version { path, found, known: VERSION },
        reason => FileError::Header { path, reason },
    }
}

fn incomplete(path: &Path, reason: &'static str) -> FileError {
    FileError::Incomplete { path: path.to_owned(), reason }
}

/// A length as a size in memory; a 32-bit machine cannot map every file.
fn address(len: u64, path: &Path) -> Result<usize, FileError> {
    let too_large = |_| io::Error::from(io::ErrorKind::FileTooLarge);
    usize::try_from(len).map_err(too_large).map_err(FileError::io("map", path))
}
