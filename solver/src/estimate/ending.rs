//! Exact values of boards with few stones, as a search asks for them.

use games::toguz;
use tablebase::build::tuzdyks;
use tablebase::{Probe, ResidentTables, Tabled};

/// Whatever knows the exact values of all boards of up to some number of stones.
pub trait Ending<B>: Sync {
    /// The most stones of these boards; `None` if there are none.
    fn most_stones(&self) -> Option<u32>;

    /// The value of one of these boards for its mover, in stones.
    fn value(&self, board: B) -> i32;
}

/// Knows nothing.
#[derive(Clone, Copy, Debug)]
pub struct Unknown;

impl<B> Ending<B> for Unknown {
    fn most_stones(&self) -> Option<u32> {
        None
    }

    fn value(&self, _board: B) -> i32 {
        unreachable!("there is no board of so few stones")
    }
}

impl<R: Tabled> Ending<R::Board> for ResidentTables<R> {
    fn most_stones(&self) -> Option<u32> {
        Probe::most_stones(self)
    }

    fn value(&self, board: R::Board) -> i32 {
        self.value_at(self.locate(board))
    }
}

/// Layers built in memory.
impl Ending<toguz::Board> for tuzdyks::Builder {
    fn most_stones(&self) -> Option<u32> {
        Probe::most_stones(self)
    }

    fn value(&self, board: toguz::Board) -> i32 {
        self.value_at(self.locate(board))
    }
}
