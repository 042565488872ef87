//! Keeping a layer in work on disk, so that a killed build goes on within it.
//!
//! Between two levels the state of a layer is the two bytes of each position and the number of
//! the level; `FORMAT.md` describes the file. It appears under its name only when it is
//! whole and on the disk, and one that is damaged or of something else is ignored.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::file::{FileError, IN_WORK, PART, check_space};

use super::work::Work;

const MAGIC: [u8; 8] = *b"\x89MNCWK\r\n";
const VERSION: u32 = 1;

/// Something that keeps a layer in work.
pub trait Keep {
    /// Restores what was kept; gives the level to go on with. If there is nothing, the
    /// positions are left with any values.
    fn resume(&mut self, works: &mut [&mut Work]) -> Option<i8>;

    /// Is told that all levels above this one are done.
    fn reached(&mut self, level: i8, works: &[&Work]);
}

/// Keeps nothing.
pub(crate) struct KeepNothing;

impl Keep for KeepNothing {
    fn resume(&mut self, _: &mut [&mut Work]) -> Option<i8> {
        None
    }

    fn reached(&mut self, _: i8, _: &[&Work]) {}
}

/// What is told of a layer kept on disk.
pub(crate) enum Told {
    /// The build goes on with a level of it.
    Resumed(i8),
    /// It was kept before this level.
    Kept(i8),
    /// It could not be kept.
    NotKept(FileError),
}

/// Keeps a layer in a file, at most so often.
pub(crate) struct KeepFile<'a> {
    path: PathBuf,
    /// What the file starts with, apart from the level.
    key: String,
    every: Duration,
    last: Instant,
    tell: &'a dyn Fn(Told),
}

impl<'a> KeepFile<'a> {
    /// `file` is the name that the layer will have, `key` that of its ruleset.
    pub(crate) fn new(
        file: &Path,
        key: String,
        every: Duration,
        tell: &'a dyn Fn(Told),
    ) -> KeepFile<'a> {
        KeepFile { path: part_of(file), key, every, last: Instant::now(), tell }
    }

    fn save(&self, level: i8, works: &[&Work]) -> Result<(), FileError> {
        let dir = self.path.parent().unwrap_or(Path::new("."));
        let arrays = || works.iter().flat_map(|work| work.bytes());
        let len = arrays().map(|bytes| bytes.len() as u64).sum::<u64>();
        check_space(dir, len + (1 << 12))?;
        let mut temp = self.path.clone().into_os_string();
        temp.push(IN_WORK);
        let temp = PathBuf::from(temp);
        let written = || {
            let mut file =
                Summed { inner: BufWriter::new(File::create(&temp)?), crc: Default::default() };
            file.write_all(&self.header(level, works))?;
            arrays().try_for_each(|bytes| file.write_all(bytes))?;
            let crc = file.crc.clone().finalize();
            file.write_all(&crc.to_le_bytes())?;
            file.flush()?;
            file.inner.get_ref().sync_all()?;
            fs::rename(&temp, &self.path)
        };
        written().map_err(FileError::io("write", &temp))
    }

    fn load(&self, works: &mut [&mut Work]) -> io::Result<Option<i8>> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let shared: Vec<&Work> = works.iter().map(|work| &**work).collect();
        let expected = self.header(0, &shared);
        let mut file = Summed { inner: BufReader::new(file), crc: Default::default() };
        let mut header = vec![0; expected.len()];
        file.read_exact(&mut header)?;
        let level = std::mem::take(&mut header[LEVEL_AT]) as i8;
        if header != expected {
            return Ok(None);
        }
        for bytes in works.iter_mut().flat_map(|work| work.bytes_mut()) {
            file.read_exact(bytes)?;
        }
        let crc = file.crc.clone().finalize().to_le_bytes();
        let mut stored = [0; 4];
        file.read_exact(&mut stored)?;
        let ends = file.read(&mut [0])? == 0;
        Ok((ends && stored == crc).then_some(level))
    }

    fn header(&self, level: i8, works: &[&Work]) -> Vec<u8> {
        let stones = works.first().map_or(0, |work| work.stones);
        let len = works.first().map_or(0, |work| work.bytes()[0].len() as u64);
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        header.extend(stones.to_le_bytes());
        header.extend((works.len() as u32).to_le_bytes());
        header.extend([level as u8, 0, 0, 0]);
        header.extend(len.to_le_bytes());
        header.extend((self.key.len() as u64).to_le_bytes());
        header.extend(self.key.bytes());
        header
    }
}

/// Where the level is in the header.
const LEVEL_AT: usize = 20;

/// The name of what is kept of a layer in work.
pub(crate) fn part_of(file: &Path) -> PathBuf {
    let mut path = file.to_owned().into_os_string();
    path.push(PART);
    PathBuf::from(path)
}

impl Keep for KeepFile<'_> {
    fn resume(&mut self, works: &mut [&mut Work]) -> Option<i8> {
        // What cannot be read is built again.
        let level = self.load(works).ok().flatten()?;
        (self.tell)(Told::Resumed(level));
        self.last = Instant::now();
        Some(level)
    }

    fn reached(&mut self, level: i8, works: &[&Work]) {
        if self.last.elapsed() < self.every {
            return;
        }
        // The layer does not suffer from it if it cannot be kept.
        (self.tell)(self.save(level, works).map_or_else(Told::NotKept, |()| Told::Kept(level)));
        self.last = Instant::now();
    }
}

/// Sums up what is read or written.
struct Summed<T> {
    inner: T,
    crc: crc32fast::Hasher,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.inner.write(bytes)?;
        self.crc.update(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(bytes)?;
        self.crc.update(&bytes[..len]);
        Ok(len)
    }
}
