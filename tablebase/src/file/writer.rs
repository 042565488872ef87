//! Writing layer files: streaming, then renamed into place.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::codec::{BlockEncoder, Encoding};
use super::error::FileError;
use super::folder::{self, IN_WORK};
use super::header::{self, HEADER_LEN, Header, HeaderError};
use super::spec::LayerSpec;
use super::tail::{ENTRY_LEN, Entry, TRAILER_LEN, Trailer};

/// Values encoded in parallel and then written in order; bounds the memory of a writer.
const BATCH: usize = 1 << 24;

/// Writes the file of one layer. It has a temporary name until [`LayerWriter::finish`]; a writer
/// that is dropped before removes it.
#[derive(Debug)]
pub struct LayerWriter {
    spec: LayerSpec,
    encoding: Encoding,
    file: TempFile,
    /// Values given and not yet encoded, less than a batch.
    pending: Vec<i8>,
    /// Values encoded and written.
    written: u64,
    data_len: u64,
    table: Vec<u8>,
}

impl LayerWriter {
    /// Starts the file of a layer in a folder, under a temporary name. Writers of one folder must
    /// hold its [`FolderLock`](super::FolderLock).
    ///
    /// # Errors
    ///
    /// If the file cannot be made, or another is in work there.
    pub fn create(
        dir: &Path,
        spec: LayerSpec,
        encoding: impl Into<Encoding>,
    ) -> Result<LayerWriter, FileError> {
        let mut file = TempFile::create(dir.join(folder::file_name(spec.stones(), spec.kind())))?;
        // Room for the header, which is known when all is written.
        file.write(&[0; HEADER_LEN])?;
        Ok(LayerWriter {
            spec,
            encoding: encoding.into(),
            file,
            pending: Vec::new(),
            written: 0,
            data_len: 0,
            table: Vec::new(),
        })
    }

    /// Appends the next values of the index, any number of them.
    ///
    /// # Errors
    ///
    /// If the layer cannot hold one of them, if they are more than the layer has, or if writing
    /// fails. The writer is of no use then.
    pub fn write(&mut self, values: &[i8]) -> Result<(), FileError> {
        let seen = self.written + self.pending.len() as u64;
        let total = seen.saturating_add(values.len() as u64);
        if total > self.spec.count() {
            return Err(self.wrong_count(total));
        }
        let block = self.encoding.block as usize;
        let batch = (BATCH / block).max(1) * block;
        let mut rest = values;
        if !self.pending.is_empty() {
            let (head, after) = rest.split_at(rest.len().min(batch - self.pending.len()));
            self.pending.extend_from_slice(head);
            rest = after;
            if self.pending.len() == batch {
                self.write_pending()?;
            }
        }
        // Whole batches go straight from the caller's memory.
        while rest.len() >= batch {
            let (head, after) = rest.split_at(batch);
            self.write_blocks(head)?;
            rest = after;
        }
        self.pending.extend_from_slice(rest);
        Ok(())
    }

    /// Completes the file and gives it its name, in place of one that had it. On return all of it
    /// is on the disk.
    ///
    /// # Errors
    ///
    /// If values are missing or writing fails; the file is removed then.
    pub fn finish(mut self) -> Result<PathBuf, FileError> {
        let total = self.written + self.pending.len() as u64;
        if total != self.spec.count() {
            return Err(self.wrong_count(total));
        }
        self.write_pending()?;
        let header = Header::new(self.spec, self.encoding, self.data_len).ok_or_else(|| {
            let reason = HeaderError::Field { field: "data length", found: self.data_len };
            FileError::Header { path: self.file.temp.clone(), reason }
        })?;
        let bytes = header.to_bytes();
        self.file.write(&self.table)?;
        self.file.write_start(&bytes[..])?;
        // The mark of a complete file must not reach the disk before what it vouches for.
        self.file.sync()?;
        let trailer = Trailer {
            file_len: header.file_len(),
            header_crc: header::stored_crc(&bytes),
            table_crc: crc32fast::hash(&self.table),
        };
        self.file.write(&trailer.to_bytes())?;
        self.file.publish()
    }

    fn write_pending(&mut self) -> Result<(), FileError> {
        let pending = std::mem::take(&mut self.pending);
        self.write_blocks(&pending)?;
        self.pending = pending;
        self.pending.clear();
        Ok(())
    }

    /// Encodes values in parallel and writes them. Only at the end of the layer may they end
    /// within a block.
    fn write_blocks(&mut self, values: &[i8]) -> Result<(), FileError> {
        let block = self.encoding.block as usize;
        let codes = self.spec.codes();
        if let Some((at, value)) = find_foreign(&self.spec, values, block) {
            return Err(self.foreign(self.written + at as u64, value));
        }
        let count = self.spec.count();
        let written = self.written;
        let encoded: Vec<(Cow<'_, [u8]>, u32)> = values
            .par_chunks(block)
            .enumerate()
            .map_init(
                || None,
                |encoder, (number, values)| {
                    let end = written + (number * block + values.len()) as u64;
                    let encoder = match encoder {
                        Some(encoder) => encoder,
                        none => none.insert(BlockEncoder::new(self.encoding, codes)?),
                    };
                    let bytes = encoder.encode(values, end == count)?;
                    let crc = crc32fast::hash(&bytes);
                    Ok((bytes, crc))
                },
            )
            .collect::<io::Result<_>>()
            .map_err(FileError::io("compress", &self.file.temp))?;
        for (bytes, crc) in encoded {
            let entry = Entry { offset: self.data_len, len: bytes.len() as u32, crc };
            self.file.write(&bytes)?;
            self.table.extend_from_slice(&entry.to_bytes());
            self.data_len += bytes.len() as u64;
        }
        self.written += values.len() as u64;
        Ok(())
    }

    #[cold]
    fn wrong_count(&self, written: u64) -> FileError {
        FileError::Count { path: self.file.temp.clone(), written, count: self.spec.count() }
    }

    #[cold]
    fn foreign(&self, index: u64, value: i8) -> FileError {
        let (stones, step) = (self.spec.stones(), self.spec.step());
        FileError::Value { path: self.file.temp.clone(), index, value, stones, step }
    }
}

fn find_foreign(spec: &LayerSpec, values: &[i8], block: usize) -> Option<(usize, i8)> {
    let codes = spec.codes();
    values
        .par_chunks(block)
        .enumerate()
        .filter_map(|(number, values)| {
            codes.find_foreign(values).map(|(at, value)| (number * block + at, value))
        })
        .find_first(|_| true)
}

/// Bytes of a layer's file: exactly for bytes and packed values, at most for compressed ones.
#[must_use]
pub fn max_file_len(spec: &LayerSpec, encoding: impl Into<Encoding>) -> u64 {
    let encoding = encoding.into();
    let blocks = spec.count().div_ceil(u64::from(encoding.block));
    let data = header::plain_data_len(spec, encoding.codec).unwrap_or_else(|| {
        let block = spec.count().min(u64::from(encoding.block)) as usize;
        let plain = encoding.codec.plain_len(spec.codes(), block).unwrap_or(usize::MAX / 2);
        blocks.saturating_mul(zstd::zstd_safe::compress_bound(plain) as u64)
    });
    let table = blocks.saturating_mul(ENTRY_LEN as u64);
    data.saturating_add(table).saturating_add((HEADER_LEN + TRAILER_LEN) as u64)
}

/// A file under its temporary name; removed when dropped unpublished.
#[derive(Debug)]
struct TempFile {
    file: File,
    temp: PathBuf,
    target: PathBuf,
    published: bool,
}

impl TempFile {
    fn create(target: PathBuf) -> Result<TempFile, FileError> {
        let mut temp = target.clone().into_os_string();
        temp.push(IN_WORK);
        let temp = PathBuf::from(temp);
        match File::options().write(true).create_new(true).open(&temp) {
            Ok(file) => Ok(TempFile { file, temp, target, published: false }),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                Err(FileError::InWork { path: temp })
            }
            Err(e) => Err(FileError::io("create", &temp)(e)),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.file.write_all(bytes).map_err(FileError::io("write", &self.temp))
    }

    /// Writes at the start of the file and returns to the end.
    fn write_start(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let file = &mut self.file;
        file.seek(SeekFrom::Start(0))
            .and_then(|_| file.write_all(bytes))
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map(|_| ())
            .map_err(FileError::io("write", &self.temp))
    }

    fn sync(&self) -> Result<(), FileError> {
        self.file.sync_all().map_err(FileError::io("sync", &self.temp))
    }

    fn publish(mut self) -> Result<PathBuf, FileError> {
        self.sync()?;
        fs::rename(&self.temp, &self.target).map_err(FileError::io("rename", &self.temp))?;
        self.published = true;
        sync_folder(&self.target)?;
        Ok(self.target.clone())
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        if !self.published {
            // Nobody to tell: what stays is found by its name and removed by the next build.
            let _ = fs::remove_file(&self.temp);
        }
    }
}

/// Makes the new name of a file last. Windows has no such call and needs none.
fn sync_folder(file: &Path) -> Result<(), FileError> {
    if cfg!(unix) {
        let dir = file.parent().filter(|dir| !dir.as_os_str().is_empty());
        let dir = dir.unwrap_or(Path::new("."));
        File::open(dir).and_then(|dir| dir.sync_all()).map_err(FileError::io("sync", dir))?;
    }
    Ok(())
}
