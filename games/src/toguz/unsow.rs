//! Sowing backwards.

use super::board::Board;
use super::{Toguz, is_captured};

impl Toguz {
    /// Visits the boards from which a sowing that brings no stones to the stores leads to `board`:
    /// each once for every such sowing.
    #[inline]
    pub fn unsow(&self, board: Board, mut visit: impl FnMut(Board)) {
        // As the sower sees it.
        let after = board.flipped();
        let pits = self.drops.pits();
        let held = |place: usize| match place < pits {
            true => after.get(place),
            false => board.get(place - pits),
        };
        // No sowing begins or goes through a tuzdyk: it is empty afterwards, and had a stone been
        // laid there, that would have come to a store.
        for pit in (0..pits).filter(|&pit| after.tuzdyk() != Some(pit)) {
            let home = held(pit);
            if home == 0 {
                // Only a single stone leaves its pit empty.
                let last = (pit + 1) % (2 * pits);
                if held(last) > 0 && self.stays(after, last, held(last)) {
                    visit(self.drops.of(pit, 1).taken_back(after));
                }
                continue;
            }
            let mut place = pit;
            let (mut count, mut lap) = (0, 1);
            while held(place) >= lap {
                count += 1;
                // The pit was empty before the first stone went back into it.
                if count > 1 && home == lap && self.stays(after, place, held(place)) {
                    visit(self.drops.of(pit, count).taken_back(after));
                }
                place = (place + 1) % (2 * pits);
                lap += u32::from(place == pit);
            }
        }
    }

    /// Whether the last stone, which made so many in a place of the sower's or then of the
    /// opponent's row, neither captures nor makes a tuzdyk. `after` is the board after the sowing as
    /// the sower sees it; its tuzdyks are those from before.
    #[inline]
    fn stays(&self, after: Board, place: usize, stones: u32) -> bool {
        place
            .checked_sub(self.drops.pits())
            .is_none_or(|last| !is_captured(stones) && !self.becomes_tuzdyk(after, last, stones))
    }
}
