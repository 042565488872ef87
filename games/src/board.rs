//! The board: what determines a position's value.

use crate::side::Side;

/// Both sides, the side to move first. Stores are not here: they never enter a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Board {
    /// The pits of the player to move.
    pub mover: Side,
    /// The pits of the opponent.
    pub other: Side,
}

impl Board {
    /// A board of two sides.
    #[must_use]
    pub const fn new(mover: Side, other: Side) -> Board {
        Board { mover, other }
    }

    /// The start position: `seeds` stones in each of `pits` pits a side. `None` if the board
    /// cannot hold them.
    #[must_use]
    pub fn start(pits: usize, seeds: u32) -> Option<Board> {
        let side = Side::from_pits(&vec![seeds; pits])?;
        (2 * side.stones() <= crate::MAX_STONES).then_some(Board::new(side, side))
    }

    /// The same stones with the other player to move.
    #[inline]
    #[must_use]
    pub const fn flipped(self) -> Board {
        Board::new(self.other, self.mover)
    }

    /// Stones in the pits: the layer the board belongs to.
    #[inline]
    #[must_use]
    pub const fn stones(self) -> u32 {
        self.mover.stones() + self.other.stones()
    }
}
