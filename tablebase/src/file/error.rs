//! What can go wrong with a layer file, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use thiserror::Error;

use super::header::HeaderError;
use super::spec::{Step, ValueKind};

/// Why a layer file could not be written, opened or read. Each message says what to do.
#[derive(Debug, Error)]
pub enum FileError {
    /// The operating system refused.
    #[error("cannot {action} {path}: {source}", path = path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file does not begin as a layer file does.
    #[error("{path} is not a layer file (or its first bytes are damaged); move it away", path = path.display())]
    Magic {
        /// The file.
        path: PathBuf,
    },
    /// The file was written in the other byte order.
    #[error("{path} was written in another byte order; build the layer again on this machine", path = path.display())]
    ByteOrder {
        /// The file.
        path: PathBuf,
    },
    /// The file has another format version.
    #[error(
        "{path} has format version {found}, this program reads version {known}; build the layer \
         again or use the program that wrote it", path = path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version read here.
        known: u32,
    },
    /// The header is damaged or says what this version cannot read.
    #[error("the header of {path} cannot be used: {reason}; delete the file and build the layer again", path = path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: HeaderError,
    },
    /// The mark of a complete file is missing or damaged, or the length is wrong.
    #[error("{path} is incomplete or damaged: {reason}; delete it and build the layer again", path = path.display())]
    Incomplete {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: &'static str,
    },
    /// The file holds values of another ruleset.
    #[error("{path} holds `{found}`, not `{expected}`; it is in the wrong folder", path = path.display())]
    Ruleset {
        /// The file.
        path: PathBuf,
        /// The ruleset key of the file.
        found: String,
        /// The ruleset key asked for.
        expected: String,
    },
    /// The file holds another layer than its name says.
    #[error("{path} holds layer {found}; rename it back", path = path.display())]
    Layer {
        /// The file.
        path: PathBuf,
        /// The layer of its header.
        found: u32,
    },
    /// The file holds another kind of values than its name says.
    #[error("{path} holds {found}; rename it back", path = path.display())]
    Kind {
        /// The file.
        path: PathBuf,
        /// What its header says.
        found: ValueKind,
    },
    /// The table of blocks is damaged.
    #[error("the block table of {path} is damaged; delete the file and build the layer again", path = path.display())]
    Table {
        /// The file.
        path: PathBuf,
    },
    /// A block is damaged.
    #[error(
        "block {block} of {path} (positions from index {first} on) is damaged; delete the file and \
         build the layer again", path = path.display()
    )]
    Block {
        /// The file.
        path: PathBuf,
        /// Number of the block.
        block: u64,
        /// Its first position.
        first: u64,
    },
    /// A position beyond the layer was asked for.
    #[error("{path} has {count} positions; index {index} is beyond", path = path.display())]
    Index {
        /// The file.
        path: PathBuf,
        /// The index asked for.
        index: u64,
        /// Positions there are.
        count: u64,
    },
    /// A value was to be written that the layer cannot hold.
    #[error(
        "value {value} at index {index} cannot be in layer {stones} ({step:?} apart); nothing was \
         kept of {path}", path = path.display()
    )]
    Value {
        /// The file in work.
        path: PathBuf,
        /// Where.
        index: u64,
        /// The value.
        value: i8,
        /// The layer.
        stones: u32,
        /// The distance of its values.
        step: Step,
    },
    /// More or fewer values were written than the layer has.
    #[error("{written} values were written to {path}, the layer has {count}; nothing was kept", path = path.display())]
    Count {
        /// The file in work.
        path: PathBuf,
        /// Values written.
        written: u64,
        /// Values of the layer.
        count: u64,
    },
    /// The block size is not one that the format allows.
    #[error("a block of {0} values is not possible: take a multiple of 64 from 64 to 67108864")]
    BlockSize(u64),
    /// A file in work is there already.
    #[error(
        "{path} is there already: another program writes this layer, or one was killed; with the \
         folder locked, remove it", path = path.display()
    )]
    InWork {
        /// The temporary file.
        path: PathBuf,
    },
    /// Another process writes to the folder.
    #[error("another build is writing to {path}; wait for it or choose another folder", path = path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// The file system has not enough room.
    #[error(
        "{path} has {} free, up to {} are needed; free some or choose another folder",
        ByteSize(*.free), ByteSize(*.needed), path = path.display()
    )]
    Space {
        /// The folder.
        path: PathBuf,
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
}

impl FileError {
    /// For `map_err`: an error of the operating system, with what was tried and on what.
    pub(crate) fn io<'a>(action: &'static str, path: &'a Path) -> impl Fn(io::Error) -> Self + 'a {
        move |source| FileError::Io { action, path: path.to_owned(), source }
    }
}
