//! The plain twin of the search: every sowing to the full depth, nothing remembered, nothing cut.

use games::Rows;

use super::ending::Ending;
use super::evaluation::{Estimated, UNIT};
use super::horizon::{Guess, Horizon, Lower, Upper};

/// The worth of a board in units, and the bounds proved of it, when `depth` sowings are looked
/// ahead: what [`analyse`](super::analyse) finds faster.
#[must_use]
pub fn look_ahead<R: Estimated>(
    rules: &R,
    ending: &dyn Ending<R::Board>,
    board: R::Board,
    depth: u8,
) -> (i32, [i32; 2]) {
    let bounds = [
        value::<Lower, R>(rules, ending, board, depth),
        value::<Upper, R>(rules, ending, board, depth),
    ];
    (value::<Guess, R>(rules, ending, board, depth), bounds)
}

fn value<H: Horizon, R: Estimated>(
    rules: &R,
    ending: &dyn Ending<R::Board>,
    board: R::Board,
    depth: u8,
) -> i32 {
    if let Some(rest) = rules.remainder(board) {
        return rest.value() * UNIT;
    }
    if ending.most_stones().is_some_and(|most| board.stones() <= most) {
        return ending.value(board) * UNIT;
    }
    if depth == 0 {
        return H::leaf(rules, board, board.stones() as i32);
    }
    let sowings = rules.legal(board).map(|pit| {
        let sown = rules.sow(board, pit);
        let won = i32::from(sown.gain) - i32::from(sown.given);
        won * UNIT - value::<H::Next, R>(rules, ending, sown.board, depth - 1)
    });
    sowings.max().unwrap_or(0)
}
