//! Exact values of boards with few stones, as a search asks for them.

use games::Rows;
use tablebase::Probe;

/// Whatever knows the exact values of all boards of up to some number of stones.
pub trait Ending<B>: Sync {
    /// The most stones of these boards; `None` if there are none.
    fn most_stones(&self) -> Option<u32>;

    /// The value of one of these boards for its mover, in stones.
    fn value(&self, board: B) -> i32;
}

/// Tables, of files or built in memory.
impl<B: Rows, P: Probe<B>> Ending<B> for P {
    fn most_stones(&self) -> Option<u32> {
        Probe::most_stones(self)
    }

    fn value(&self, board: B) -> i32 {
        self.value_at(self.locate(board))
    }
}
