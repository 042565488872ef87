//! Tables as an oracle.

use games::Rows;
use tablebase::file::FileError;
use tablebase::{Tabled, Tables};
use thiserror::Error;

use crate::judge::Oracle;

/// Why tables do not know a value.
#[derive(Debug, Error)]
pub enum Error {
    /// The layer is not there.
    #[error("the position has {stones} stones on the board, the tables reach to {most}")]
    Beyond {
        /// Stones on the board.
        stones: u32,
        /// The highest layer.
        most: u32,
    },
    /// A file is damaged.
    #[error(transparent)]
    File(#[from] FileError),
}

/// No sowing puts stones back on the board, so whoever finds a position here finds all that
/// follow.
impl<R: Tabled> Oracle<R::Board> for &Tables<R> {
    type Error = Error;

    fn value(&mut self, board: R::Board) -> Result<i32, Error> {
        let beyond = Error::Beyond { stones: board.stones(), most: self.most_stones() };
        Tables::value(self, board)?.ok_or(beyond)
    }
}
