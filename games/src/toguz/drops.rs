//! Where the stones of a sowing fall: one table row for each pit and count.

use crate::track::Last;

use super::MAX_STONES;
use super::board::Board;

const COUNTS: usize = MAX_STONES as usize + 1;

/// What laying the stones of one pit adds to the words of a [`Board`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Drop {
    mover: u64,
    other: u64,
    rest: u64,
    /// Where the last stone falls.
    pub(super) last: Last,
}

impl Drop {
    /// The board after lifting the pit and laying its stones.
    #[inline]
    pub(super) const fn laid(&self, board: Board) -> Board {
        Board {
            mover: board.mover.wrapping_add(self.mover),
            other: board.other.wrapping_add(self.other),
            rest: board.rest.wrapping_add(self.rest),
        }
    }

    /// The board before the pit was lifted and its stones were laid.
    #[inline]
    pub(super) const fn taken_back(&self, board: Board) -> Board {
        Board {
            mover: board.mover.wrapping_sub(self.mover),
            other: board.other.wrapping_sub(self.other),
            rest: board.rest.wrapping_sub(self.rest),
        }
    }
}

/// All sowings of a board size.
#[derive(Clone, Debug)]
pub(super) struct Drops {
    pits: usize,
    drops: Box<[Drop]>,
}

impl Drops {
    pub(super) fn new(pits: usize) -> Drops {
        let drops = (0..pits).flat_map(|pit| (0..COUNTS).map(move |count| lay(pits, pit, count)));
        Drops { pits, drops: drops.collect() }
    }

    /// Pits a row.
    #[inline]
    pub(super) const fn pits(&self) -> usize {
        self.pits
    }

    #[inline]
    pub(super) fn of(&self, pit: usize, count: u32) -> &Drop {
        &self.drops[pit * COUNTS + count as usize]
    }

    /// Whether a pit is the last of its row.
    #[inline]
    pub(super) const fn is_last(&self, pit: usize) -> bool {
        pit + 1 == self.pits
    }
}

/// Lays the stones one by one, as the game's text says; the twin of the table is
/// [`crate::plain`], which does the same on whole boards.
fn lay(pits: usize, origin: usize, count: usize) -> Drop {
    let mut laid = Board::default();
    let mut place = if count == 1 { origin + 1 } else { origin };
    let mut last = Last::Own(origin as u8);
    for _ in 0..count {
        let pit = place % pits;
        last = match place < pits {
            true => {
                laid = laid.plus(pit, 1);
                Last::Own(pit as u8)
            }
            false => {
                laid = laid.flipped().plus(pit, 1).flipped();
                Last::Other(pit as u8)
            }
        };
        place = (place + 1) % (2 * pits);
    }
    let lifted = Board::default().plus(origin, count as u64);
    Drop {
        mover: laid.mover.wrapping_sub(lifted.mover),
        other: laid.other,
        rest: laid.rest.wrapping_sub(lifted.rest),
        last,
    }
}
