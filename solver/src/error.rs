//! Why a search gives no value.

use std::io;

use bytesize::ByteSize;
use rayon::ThreadPoolBuildError;
use thiserror::Error;

use crate::checkpoint::CheckpointError;

use crate::unsolvable::Unsolvable;

/// Why there is no value.
#[derive(Debug, Error)]
pub enum SearchError {
    /// The ruleset cannot be solved by search.
    #[error(transparent)]
    Unsolvable(#[from] Unsolvable),
    /// The transposition table could not tell boards apart.
    #[error(
        "{} of memory, without tables, are too few to tell apart all boards of {pits} pits a side \
         with up to {stones} stones; allow more memory or take fewer stones", ByteSize(*.memory)
    )]
    Keys {
        /// Bytes for the transposition table.
        memory: u64,
        /// Pits a side.
        pits: usize,
        /// Stones of the position.
        stones: u32,
    },
    /// The position has more stones than the search was made for.
    #[error("this search was made for at most {0} stones")]
    Stones(u32),
    /// The tables asked for do not fit the memory.
    #[error(
        "tables to {stones} stones take {} of memory, and a tenth of the {} allowed must stay \
         free; ask for fewer stones or allow more", ByteSize(*.needed), ByteSize(*.memory)
    )]
    Tables {
        /// Stones asked for.
        stones: u32,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        memory: u64,
    },
    /// The system does not give the memory.
    #[error("the system does not give the memory: {0}; allow less")]
    Memory(#[from] io::Error),
    /// The threads could not be started.
    #[error("the search threads cannot be started: {0}")]
    Threads(#[from] ThreadPoolBuildError),
    /// Whoever watches the search stopped it.
    #[error("the search was interrupted")]
    Interrupted,
    /// The search took longer than it may.
    #[error("the search did not end in time")]
    Late,
    /// The [limits](crate::Limits) are reached.
    #[error("the search was not finished within the time and the nodes it was allowed")]
    Limit,
    /// The boards of a layer in work fill the memory.
    #[error("the boards that the search has to tell apart fill its memory; allow more")]
    Room,
    /// What is proved cannot be kept or read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

impl SearchError {
    /// Whether the search only stopped early: what [`Search::bounds`](crate::Search::bounds) tells is proved all the
    /// same.
    #[must_use]
    pub fn is_stop(&self) -> bool {
        matches!(self, Self::Interrupted | Self::Late | Self::Limit | Self::Room)
    }
}
