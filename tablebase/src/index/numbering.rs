//! What an index must do, whatever the board.

use std::fmt::Debug;
use std::ops::Range;

use games::{Board, Rows as Packed};

use super::Index;

/// Numbers the positions of a game: those of each layer from 0, without gaps.
pub trait Numbering: Debug + Send + Sync + Sized {
    /// The board of the game.
    type Board: Packed;

    /// The index of the layers of up to `max_stones` stones on `pits` pits a side.
    fn new(pits: usize, max_stones: u32) -> Self;

    /// The number of positions of a layer.
    fn positions(&self, stones: u32) -> u64;

    /// The layer of a position and its number there.
    fn number(&self, board: Self::Board) -> (u32, u64);

    /// The position of a number below [`Numbering::positions`].
    fn board(&self, stones: u32, number: u64) -> Self::Board;

    /// The positions of some numbers, in order.
    fn boards(&self, stones: u32, numbers: Range<u64>) -> impl Iterator<Item = Self::Board> + '_;
}

impl Numbering for Index {
    type Board = Board;

    fn new(pits: usize, max_stones: u32) -> Index {
        Index::new(pits, max_stones)
    }

    fn positions(&self, stones: u32) -> u64 {
        self.positions(stones)
    }

    #[inline]
    fn number(&self, board: Board) -> (u32, u64) {
        self.number(board)
    }

    fn board(&self, stones: u32, number: u64) -> Board {
        self.board(stones, number)
    }

    fn boards(&self, stones: u32, numbers: Range<u64>) -> impl Iterator<Item = Board> + '_ {
        runs(numbers, move |number| {
            let (movers, other) = self.run(stones, number);
            let other = self.sides().side(other);
            movers.map(move |mover| Board::new(self.sides().side(mover), other))
        })
    }
}

/// Walks through numbers that come in runs; `run` gives what belongs to a number and those after
/// it up to the end of its run.
pub(super) fn runs<R: ExactSizeIterator>(
    numbers: Range<u64>,
    run: impl Fn(u64) -> R,
) -> impl Iterator<Item = R::Item> {
    let Range { mut start, end } = numbers;
    let next = move || {
        (start < end).then(|| {
            let run = run(start);
            let length = (end - start).min(run.len() as u64);
            start += length;
            run.take(length as usize)
        })
    };
    std::iter::from_fn(next).flatten()
}
