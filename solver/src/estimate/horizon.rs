//! What a search takes a board for where it stops.

use super::evaluation::{Estimated, UNIT};

/// A way to see the boards at the horizon. What holds for the mover there is, one ply earlier,
/// what the opponent fears or hopes; so each way has its counterpart.
pub(super) trait Horizon {
    /// How the boards one sowing later are seen.
    type Next: Horizon;

    /// Tells apart what the transposition table holds.
    const KIND: u8;

    /// The worth of a board of `stones` stones that is not finished, in units.
    fn leaf<R: Estimated>(rules: &R, board: R::Board, stones: i32) -> i32;

    /// The most that the horizon can give the sower, in units, if he gains so many stones by a
    /// sowing of this board that leaves `left` and does not finish it.
    fn most_after<R: Estimated>(rules: &R, board: R::Board, gain: i32, left: i32) -> i32;
}

/// By the evaluation.
pub(super) struct Guess;

/// As if the mover lost all that is left: the search proves a lower bound of the value.
pub(super) struct Lower;

/// As if the mover won all that is left: the search proves an upper bound of the value.
pub(super) struct Upper;

impl Horizon for Guess {
    type Next = Guess;
    const KIND: u8 = 0;

    #[inline]
    fn leaf<R: Estimated>(rules: &R, board: R::Board, stones: i32) -> i32 {
        rules.evaluate(board, stones)
    }

    #[inline]
    fn most_after<R: Estimated>(rules: &R, board: R::Board, gain: i32, left: i32) -> i32 {
        rules.most_after(board, gain, left)
    }
}

impl Horizon for Lower {
    type Next = Upper;
    const KIND: u8 = 1;

    #[inline]
    fn leaf<R: Estimated>(_rules: &R, _board: R::Board, stones: i32) -> i32 {
        -stones * UNIT
    }

    #[inline]
    fn most_after<R: Estimated>(_rules: &R, _board: R::Board, _gain: i32, left: i32) -> i32 {
        -left * UNIT
    }
}

impl Horizon for Upper {
    type Next = Lower;
    const KIND: u8 = 2;

    #[inline]
    fn leaf<R: Estimated>(_rules: &R, _board: R::Board, stones: i32) -> i32 {
        stones * UNIT
    }

    #[inline]
    fn most_after<R: Estimated>(_rules: &R, _board: R::Board, _gain: i32, left: i32) -> i32 {
        left * UNIT
    }
}
