//! Names of table folders and files, the lock of a folder, and room on its disk.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::error::FileError;
use super::spec::ValueKind;

const LOCK_NAME: &str = ".lock";
const PREFIX: &str = "layer-";
const SUFFIX: &str = ".mnc";
pub(crate) const IN_WORK: &str = ".tmp";
/// Follows the name of a layer that is not complete but kept.
pub(crate) const PART: &str = ".part";

/// The name of the folder that holds the tables of a ruleset key: safe on every file system, and
/// never the same for two keys.
#[must_use]
pub fn folder_name(key: &str) -> String {
    let mut name = String::new();
    for byte in key.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b',' | b'=' | b'-' => name.push(char::from(byte)),
            b':' => name.push('_'),
            other => name += &format!("%{other:02X}"),
        }
    }
    name
}

/// The ruleset key whose tables a folder of this name holds; `None` if [`folder_name`] gives no
/// key this name.
#[must_use]
pub fn key_of_folder(name: &str) -> Option<String> {
    let mut key = Vec::new();
    let mut rest = name.bytes();
    while let Some(byte) = rest.next() {
        key.push(match byte {
            b'_' => b':',
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(key).ok().filter(|key| folder_name(key) == name)
}

/// The ruleset keys that have a folder below the folder the user gave, in order.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn keys_in(tables: &Path) -> Result<Vec<String>, FileError> {
    let io = FileError::io("read", tables);
    let mut keys = Vec::new();
    for entry in fs::read_dir(tables).map_err(&io)? {
        let entry = entry.map_err(&io)?;
        let key = entry.file_name().to_str().and_then(key_of_folder);
        if entry.path().is_dir() {
            keys.extend(key);
        }
    }
    keys.sort();
    Ok(keys)
}

/// The layers of which a ruleset's folder holds a file of exact values, whole or not, from low to
/// high.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn layers_in(tables: &Path, key: &str) -> Result<Vec<u32>, FileError> {
    layers_of_kind(tables, key, ValueKind::Exact)
}

/// As [`layers_in`], of files of some kind of values.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn layers_of_kind(tables: &Path, key: &str, kind: ValueKind) -> Result<Vec<u32>, FileError> {
    let dir = tables.join(folder_name(key));
    let io = FileError::io("read", &dir);
    let mut layers = Vec::new();
    for entry in fs::read_dir(&dir).map_err(&io)? {
        let name = entry.map_err(&io)?.file_name();
        let named = layer_of(Path::new(&name));
        layers.extend(
            named.map(|(layer, _)| layer).filter(|&layer| *name == *file_name(layer, kind)),
        );
    }
    layers.sort_unstable();
    Ok(layers)
}

/// The name of the file of a layer's exact values.
#[must_use]
pub fn layer_name(stones: u32) -> String {
    file_name(stones, ValueKind::Exact)
}

/// The name of the file of a layer's values of some kind.
#[must_use]
pub fn file_name(stones: u32, kind: ValueKind) -> String {
    format!("{PREFIX}{stones:03}{}{SUFFIX}", mark(kind))
}

/// Where the file of a layer's exact values is below the folder the user gave.
#[must_use]
pub fn layer_path(tables: &Path, key: &str, stones: u32) -> PathBuf {
    file_path(tables, key, stones, ValueKind::Exact)
}

/// Where the file of a layer's values of some kind is below the folder the user gave.
#[must_use]
pub fn file_path(tables: &Path, key: &str, stones: u32, kind: ValueKind) -> PathBuf {
    tables.join(folder_name(key)).join(file_name(stones, kind))
}

/// The layer and the kind of values that the name of a file states, if it states them.
#[must_use]
pub fn layer_of(path: &Path) -> Option<(u32, ValueKind)> {
    layer_of_name(path.file_name()?.to_str()?)
}

fn layer_of_name(name: &str) -> Option<(u32, ValueKind)> {
    let name = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let stated = |kind| Some((name.strip_suffix(mark(kind))?.parse().ok()?, kind));
    ValueKind::ALL.into_iter().find_map(stated)
}

/// What follows the number of the layer in the name of a file.
const fn mark(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Exact => "",
        ValueKind::LowerBound => "-lower",
        ValueKind::UpperBound => "-upper",
    }
}

/// Bytes that may still be written to the file system of a folder.
///
/// # Errors
///
/// If the system does not tell.
pub fn free_space(dir: &Path) -> Result<u64, FileError> {
    fs4::available_space(dir).map_err(FileError::io("ask for the free space of", dir))
}

/// Refuses if the file system of a folder has fewer than `needed` bytes free.
///
/// # Errors
///
/// [`FileError::Space`], or if the system does not tell.
pub fn check_space(dir: &Path, needed: u64) -> Result<(), FileError> {
    let free = free_space(dir)?;
    if free < needed {
        return Err(FileError::Space { path: dir.to_owned(), needed, free });
    }
    Ok(())
}

/// The right to write to a folder. The operating system takes it back when it is dropped and when
/// the process ends, however it ends.
#[derive(Debug)]
pub struct FolderLock {
    dir: PathBuf,
    file: File,
}

/// A program that is being started by another thread has the file open as well for a moment, so
/// closing it is not enough.
impl Drop for FolderLock {
    fn drop(&mut self) {
        // Closing it unlocks it in the end.
        let _ = self.file.unlock();
    }
}

impl FolderLock {
    /// Locks a folder, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// [`FileError::Locked`] if someone else has the lock, without waiting.
    pub fn acquire(dir: &Path) -> Result<FolderLock, FileError> {
        fs::create_dir_all(dir).map_err(FileError::io("make", dir))?;
        let path = dir.join(LOCK_NAME);
        // The file is never removed: a second process could hold the removed one while a third
        // locks a new one.
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(FileError::io("open", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock { dir: dir.to_owned(), file }),
            Err(TryLockError::WouldBlock) => Err(FileError::Locked { path: dir.to_owned() }),
            Err(TryLockError::Error(source)) => Err(FileError::io("lock", &path)(source)),
        }
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Removes the layer files in work that killed writers left in the folder, and names them.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read or a file not removed.
    pub fn remove_stale(&self) -> Result<Vec<PathBuf>, FileError> {
        let io = FileError::io("read", &self.dir);
        let mut removed = Vec::new();
        for entry in fs::read_dir(&self.dir).map_err(&io)? {
            let entry = entry.map_err(&io)?;
            let name = entry.file_name();
            let whole = name.to_str().and_then(|name| name.strip_suffix(IN_WORK));
            let layer = whole.map(|whole| whole.strip_suffix(PART).unwrap_or(whole));
            if layer.and_then(layer_of_name).is_some() {
                let path = entry.path();
                fs::remove_file(&path).map_err(FileError::io("remove", &path))?;
                removed.push(path);
            }
        }
        removed.sort();
        Ok(removed)
    }
}
