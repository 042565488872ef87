//! What a run can fail with.

use std::io;
use std::path::PathBuf;

use games::PlayError;
use games::notation::PositionError;
use thiserror::Error;

use crate::bytes::Size;

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
    Solve(solver::plain::Error),
    #[error(
        "--memory {limit} is too little: {entries} positions fill it and the next step needs \
         {wanted}; give more memory or a position with fewer stones"
    )]
    Memory { wanted: Size, limit: Size, entries: usize },
    #[error("cannot start {threads} threads: {reason}")]
    Threads { threads: usize, reason: rayon::ThreadPoolBuildError },
    #[error("cannot write {}: {reason}", .path.display())]
    Output { path: PathBuf, reason: io::Error },
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
}

impl Error {
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

impl From<solver::plain::Error> for Error {
    fn from(error: solver::plain::Error) -> Error {
        match error {
            solver::plain::Error::Memory { wanted, limit, entries } => {
                Error::Memory { wanted: Size(wanted), limit: Size(limit), entries }
            }
            other => Error::Solve(other),
        }
    }
}
