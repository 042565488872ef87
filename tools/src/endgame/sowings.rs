//! The sowings of a position with their values.

use games::{Board, Game};
use tablebase::Probe;

use super::tables::Open;

/// A sowing of a live position.
#[derive(Clone, Copy)]
pub(super) struct Sowing {
    pub(super) pit: usize,
    pub(super) captured: u8,
    /// For the sower.
    pub(super) value: i32,
    /// The layer of the board it leads to and its number there.
    pub(super) place: (u32, u64),
    pub(super) board: Board,
}

impl Open {
    /// The legal sowings of a board, by pit; none if the game is over.
    pub(super) fn sowings(&self, board: Board) -> impl Iterator<Item = Sowing> + '_ {
        let live = self.rules.remainder(board).is_none();
        let pits = live.then(|| self.rules.legal(board)).into_iter().flatten();
        pits.map(move |pit| {
            let sown = self.rules.sow(board, pit);
            let place = self.values.locate(sown.board);
            let value = sown.value(self.values.value_at(place));
            Sowing { pit, captured: sown.captured, value, place, board: sown.board }
        })
    }

    /// Those that keep the value of the board.
    pub(super) fn keeping(&self, board: Board, value: i32) -> impl Iterator<Item = Sowing> + '_ {
        self.sowings(board).filter(move |sowing| sowing.value == value)
    }
}

/// The greedy ones among the sowings of a position: they capture as much as any, and something.
pub(super) fn greedy(sowings: &[Sowing]) -> impl Iterator<Item = &Sowing> {
    let most = sowings.iter().map(|sowing| sowing.captured).max().unwrap_or(0);
    sowings.iter().filter(move |sowing| most > 0 && sowing.captured == most)
}
