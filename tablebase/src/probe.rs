//! Asking for exact values.

use games::{Board, Rows};

/// Values of a batch on their way from memory at a time: about what the processor can keep in
/// flight, and few enough that a value is read before its cache line is pushed out again.
const AHEAD: usize = 16;

/// Exact values of all positions of up to a number of stones, found in two steps so that a
/// search can have the memory fetched while it does other work.
pub trait Probe<B: Rows = Board>: Sync {
    /// Where a value lies.
    type Place: Copy + Send;

    /// The highest layer here; it and all below are. `None` if there is no layer at all.
    fn most_stones(&self) -> Option<u32>;

    /// Where the value of a position of at most [`Probe::most_stones`] stones lies.
    fn locate(&self, board: B) -> Self::Place;

    /// Asks the processor to bring a value closer.
    fn prefetch(&self, place: Self::Place);

    /// The value in a place, for the side to move.
    fn value_at(&self, place: Self::Place) -> i32;

    /// The value of a position, if its layer is here.
    #[inline]
    fn value(&self, board: B) -> Option<i32> {
        let here = self.most_stones().is_some_and(|most| board.stones() <= most);
        here.then(|| self.value_at(self.locate(board)))
    }

    /// Puts the values of many positions into `values`, while those of the next are on
    /// their way from memory.
    ///
    /// # Panics
    /// If the slices differ in length, or a position has more stones than
    /// [`Probe::most_stones`].
    fn values(&self, boards: &[B], values: &mut [i32]) {
        assert_eq!(boards.len(), values.len(), "one value a board");
        let Some(&first) = boards.first() else {
            return;
        };
        let most = self.most_stones();
        let find = |board: B| {
            assert!(most.is_some_and(|most| board.stones() <= most), "the layer is not here");
            let place = self.locate(board);
            self.prefetch(place);
            place
        };
        let mut places = [find(first); AHEAD];
        for (place, &board) in places.iter_mut().zip(boards) {
            *place = find(board);
        }
        for (index, value) in values.iter_mut().enumerate() {
            let place = &mut places[index % AHEAD];
            *value = self.value_at(*place);
            if let Some(&board) = boards.get(index + AHEAD) {
                *place = find(board);
            }
        }
    }
}

/// No tables.
#[derive(Clone, Copy, Debug)]
pub struct NoTables;

impl<B: Rows> Probe<B> for NoTables {
    type Place = ();

    fn most_stones(&self) -> Option<u32> {
        None
    }

    fn locate(&self, _board: B) {}

    fn prefetch(&self, (): ()) {}

    fn value_at(&self, (): ()) -> i32 {
        unreachable!("there is no layer to probe")
    }
}
