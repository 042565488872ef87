//! What a run can fail with.

use std::io;
use std::path::PathBuf;

use games::PlayError;
use games::notation::PositionError;
use solver::SearchError;
use tablebase::OpenError;
use tablebase::build::folder::BuildError;
use tablebase::file::FileError;
use tablebase::verify::VerifyError;
use thiserror::Error;

use crate::endgame::Unfounded;
use crate::interrupt::INTERRUPTED;

/// Why a command did not do what it was asked; its text is the one line that users see.
#[derive(Debug, Error)]
pub(crate) enum Error {
    #[error("{0}")]
    Usage(String),
    #[error("position `{text}`: {reason}")]
    Position { text: String, reason: PositionError },
    #[error("line `{text}`: {reason}")]
    Line { text: String, reason: PlayError },
    #[error("{0}")]
    Search(#[from] SearchError),
    #[error("{0}")]
    Build(#[from] BuildError),
    #[error("{0}")]
    Open(#[from] OpenError),
    #[error("{0}")]
    File(#[from] FileError),
    #[error("{0}")]
    Verify(#[from] VerifyError),
    #[error(
        "{path} holds tables of `{key}`, which is no ruleset known here; use the program that wrote them"
    )]
    Key { path: String, key: String },
    #[error(
        "there are no tables below {0}; make them with: mancala build GAME --stones N --tables {0}"
    )]
    NoTables(String),
    #[error(
        "there are no bounds of {key} below {folder}, and under another rule of repetition a position \
         has nothing else; make them with: mancala build GAME --stones N --bounds --tables {folder}"
    )]
    NoBounds { key: String, folder: String },
    #[error("{differing} of {all} values of {} are not those of the tables", .path.display())]
    Against { path: PathBuf, differing: u64, all: u64 },
    #[error(
        "{} has {found} bytes; layer {stones} of this game has {needed} values there, one byte each",
        .path.display()
    )]
    ScoresLength { path: PathBuf, found: u64, stones: u32, needed: u64 },
    #[error("layer {stones} of {key} is not there: the tables reach to layer {most}; build it")]
    NoLayer { key: String, stones: u32, most: u32 },
    #[error("position `{text}`: {reason}")]
    Query { text: String, reason: solver::tables::Error },
    #[error("{0}")]
    Bad(String),
    #[error("cannot read {name}: {reason}")]
    Input { name: String, reason: io::Error },
    #[error("{}: {reason}", .path.display())]
    Resume { path: PathBuf, reason: String },
    #[error("answers were lost, as a thread has failed; please report this")]
    Lost,
    #[error("{} is no survey that can be continued: {reason}; name another file", .path.display())]
    Survey { path: PathBuf, reason: io::Error },
    #[error("{} cannot keep proved boards: {reason}; name another file", .path.display())]
    Store { path: PathBuf, reason: io::Error },
    #[error(
        "the store says {known} of the position after `{line}`, its turns say {found}: one of the \
         stored boards is wrong; solve again with another store"
    )]
    Contradiction { line: String, known: i32, found: i32 },
    #[error("the results `{name}` that this program holds cannot be used: {reason}")]
    Results { name: String, reason: String },
    #[error("{name} says {expected} of {what}, solved again it is {found}; please report this")]
    Sample { name: String, what: String, expected: String, found: String },
    #[error("{0}")]
    Unfounded(#[from] Unfounded),
    #[error("{} are no statistics of these games: {reason}", .path.display())]
    Statistics { path: PathBuf, reason: io::Error },
    #[error("{bad} of {all} positions could not be judged")]
    Batch { bad: u64, all: u64 },
    #[error("{wrong} of {all} searches found a wrong value; please report this")]
    Bench { wrong: usize, all: usize },
    #[error(
        "{illegal} illegal records and {mismatches} that contradict the rules, of {games} games"
    )]
    Records { illegal: u64, mismatches: u64, games: u64 },
    #[error("cannot add to {}: {reason}", .path.display())]
    Merge { path: PathBuf, reason: String },
    #[error("cannot start {threads} threads: {reason}")]
    Threads { threads: usize, reason: rayon::ThreadPoolBuildError },
    #[error("cannot write {}: {reason}", .path.display())]
    Output { path: PathBuf, reason: io::Error },
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
}

impl Error {
    /// The exit code: 1 if the question was understood and the answer is no, 2 otherwise.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Error::Verify(error) if error.is_failure() => 1,
            Error::Batch { .. } | Error::Bench { .. } | Error::Key { .. } => 1,
            Error::Against { .. } | Error::Unfounded(_) => 1,
            Error::Contradiction { .. } | Error::Sample { .. } | Error::Results { .. } => 1,
            Error::Records { .. } => 1,
            Error::Search(SearchError::Interrupted) => INTERRUPTED,
            _ => 2,
        }
    }

    /// Whether the reader of the output has closed it, having seen enough.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        match self {
            Error::Stdout(reason) | Error::Output { reason, .. } => {
                reason.kind() == io::ErrorKind::BrokenPipe
            }
            _ => false,
        }
    }
}
