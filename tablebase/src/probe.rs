//! Asking for exact values.

use games::Board;

/// Exact values of all positions of up to a number of stones, found in two steps so that a
/// search can have the memory fetched while it does other work.
pub trait Probe: Sync {
    /// Where a value lies.
    type Place: Copy + Send;

    /// The highest layer here; it and all below are. `None` if there is no layer at all.
    fn most_stones(&self) -> Option<u32>;

    /// Where the value of a position of at most [`Probe::most_stones`] stones lies.
    fn locate(&self, board: Board) -> Self::Place;

    /// Asks the processor to bring a value closer.
    fn prefetch(&self, place: Self::Place);

    /// The value in a place, for the side to move.
    fn value_at(&self, place: Self::Place) -> i32;

    /// The value of a position, if its layer is here.
    #[inline]
    fn value(&self, board: Board) -> Option<i32> {
        let here = self.most_stones().is_some_and(|most| board.stones() <= most);
        here.then(|| self.value_at(self.locate(board)))
    }
}

/// No tables.
#[derive(Clone, Copy, Debug)]
pub struct NoTables;

impl Probe for NoTables {
    type Place = ();

    fn most_stones(&self) -> Option<u32> {
        None
    }

    fn locate(&self, _board: Board) {}

    fn prefetch(&self, (): ()) {}

    fn value_at(&self, (): ()) -> i32 {
        unreachable!("there is no layer to probe")
    }
}
