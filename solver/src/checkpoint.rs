//! Keeping what a long search has proved in a file.
//!
//! ```text
//! offset  bytes
//!      0      8  "MANCALCP"
//!      8      4  version
//!     12      4  bits of a key
//!     16      8  number of entries
//!     24      4  length of the ruleset key
//!     28      .  ruleset key
//!      .     12  for each entry: mixed key (8), lower and upper bound, pit, effort (1 each)
//!      .      4  CRC32 of all before
//! ```
//!
//! All numbers are little-endian. Version 1 mixes keys as [`crate::transposition`] does; a change
//! there needs a new version here.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::transposition::{Entry, Transpositions};

const MAGIC: &[u8; 8] = b"MANCALCP";
const VERSION: u32 = 1;
const ENTRY: usize = 12;
/// Entries that took fewer nodes are proved again sooner than read.
const WORTH_KEEPING: u8 = 10;

/// Why a checkpoint cannot be kept or used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// Reading or writing failed.
    #[error("cannot {action} the checkpoint {}: {source}", .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is no checkpoint, or damaged.
    #[error("{} is no checkpoint of this version or is damaged; delete it or name another", .0.display())]
    Damaged(PathBuf),
    /// The file is of another search.
    #[error(
        "{} is a checkpoint of {found}, not of {expected} from a position of as many stones; name \
         another file", .path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// The ruleset of the file.
        found: String,
        /// The ruleset of the search.
        expected: String,
    },
}

/// Writes what took work to prove. The file is there whole or not at all.
pub(crate) fn save(path: &Path, key: &str, table: &Transpositions) -> Result<(), CheckpointError> {
    let error = |action| {
        let path = path.to_owned();
        move |source| CheckpointError::Io { action, path, source }
    };
    let mut bytes = Vec::new();
    let entries: Vec<Entry> = table.entries().filter(|e| e.effort >= WORTH_KEEPING).collect();
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&table.key_bits().to_le_bytes());
    bytes.extend_from_slice(&(entries.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&(key.len() as u32).to_le_bytes());
    bytes.extend_from_slice(key.as_bytes());
    for entry in entries {
        bytes.extend_from_slice(&entry.mixed.to_le_bytes());
        bytes.extend_from_slice(&[entry.lower as u8, entry.upper as u8, entry.pit, entry.effort]);
    }
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    let mut temporary = path.to_owned().into_os_string();
    temporary.push(".tmp");
    let write = || {
        let mut file = BufWriter::new(File::create(&temporary)?);
        file.write_all(&bytes)?;
        file.into_inner()?.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().map_err(error("write"))
}

/// Puts what a checkpoint holds into the table; nothing if there is no file yet. Gives the
/// number of entries.
pub(crate) fn load(
    path: &Path,
    key: &str,
    table: &mut Transpositions,
) -> Result<u64, CheckpointError> {
    let mut bytes = Vec::new();
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        // A device may have no end.
        let source = io::Error::other("it is no file");
        return Err(CheckpointError::Io { action: "read", path: path.to_owned(), source });
    }
    match File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => {}
        Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(source) => {
            return Err(CheckpointError::Io { action: "read", path: path.to_owned(), source });
        }
    }
    let damaged = || CheckpointError::Damaged(path.to_owned());
    let parsed = Parsed::new(&bytes).ok_or_else(damaged)?;
    if parsed.key != key || parsed.key_bits != table.key_bits() {
        return Err(CheckpointError::Other {
            path: path.to_owned(),
            found: parsed.key.to_owned(),
            expected: key.to_owned(),
        });
    }
    while table.can_grow() && table.capacity() < 2 * parsed.entries.len() as u64 {
        let grown = table.grow();
        grown.map_err(|source| CheckpointError::Io {
            action: "hold",
            path: path.to_owned(),
            source,
        })?;
    }
    for &entry in &parsed.entries {
        table.put_entry(entry);
    }
    Ok(parsed.entries.len() as u64)
}

/// A checkpoint whose checksum and lengths are right.
struct Parsed<'a> {
    key: &'a str,
    key_bits: u32,
    entries: Vec<Entry>,
}

impl Parsed<'_> {
    fn new(bytes: &[u8]) -> Option<Parsed<'_>> {
        let (body, crc) = bytes.split_last_chunk::<4>()?;
        if crc32fast::hash(body) != u32::from_le_bytes(*crc) {
            return None;
        }
        let rest = body.strip_prefix(MAGIC)?.strip_prefix(&VERSION.to_le_bytes())?;
        let (key_bits, rest) = rest.split_first_chunk::<4>()?;
        let (count, rest) = rest.split_first_chunk::<8>()?;
        let (key_len, rest) = rest.split_first_chunk::<4>()?;
        let (key, rest) = rest.split_at_checked(u32::from_le_bytes(*key_len) as usize)?;
        let (entries, odd) = rest.as_chunks::<ENTRY>();
        let right = odd.is_empty() && entries.len() as u64 == u64::from_le_bytes(*count);
        right.then_some(())?;
        let entries = entries.iter().map(|entry| {
            let [a, b, c, d, e, f, g, h, lower, upper, pit, effort] = *entry;
            let mixed = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            Entry { mixed, lower: lower as i8, upper: upper as i8, pit, effort }
        });
        Some(Parsed {
            key: str::from_utf8(key).ok()?,
            key_bits: u32::from_le_bytes(*key_bits),
            entries: entries.collect(),
        })
    }
}
