//! What positions and notation need of a board, however it is packed.

use std::fmt::Debug;
use std::hash::Hash;

use crate::board::Board;
use crate::position::{Player, Setup, SetupError};
use crate::side::{MAX_STONES, Side};

/// A board of two rows of pits as the player to move sees it, without stores.
pub trait Rows: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// Most stones that fit, whichever pits they lie in.
    const MAX_STONES: u32;

    /// Packs a position that has at most [`Rows::MAX_STONES`] stones and as many pits a side as
    /// [`MAX_PITS`](crate::MAX_PITS) allows.
    ///
    /// # Errors
    /// What such a board cannot hold: tuzdyks where there are none, or wrong ones.
    fn pack(setup: &Setup) -> Result<Self, SetupError>;

    /// The rows of the player to move and of the opponent: each pit's stones from its owner's
    /// left, and the pit (0 is the leftmost) that is a tuzdyk of the other player.
    fn unpack(self, pits: usize) -> [(Vec<u32>, Option<usize>); 2];

    /// The pits (0 is the leftmost) of the rows of the player to move and of the opponent that
    /// are tuzdyks of the other player.
    fn tuzdyks(self) -> [Option<usize>; 2];

    /// Stones in the pits.
    fn stones(self) -> u32;
}

impl Rows for Board {
    const MAX_STONES: u32 = MAX_STONES;

    fn pack(setup: &Setup) -> Result<Board, SetupError> {
        let rows = Player::BOTH.into_iter().zip(&setup.tuzdyks);
        if let Some((player, _)) = rows.into_iter().find(|(_, tuzdyk)| tuzdyk.is_some()) {
            return Err(SetupError::NoTuzdyks(player));
        }
        let [mover, other] = [setup.to_move, setup.to_move.opponent()].map(|player| {
            let too_many = SetupError::Stones { stones: setup.on_board(), most: MAX_STONES };
            Side::from_pits(&setup.pits[player as usize]).ok_or(too_many)
        });
        Ok(Board::new(mover?, other?))
    }

    fn unpack(self, pits: usize) -> [(Vec<u32>, Option<usize>); 2] {
        [self.mover, self.other].map(|side| (side.iter(pits).collect(), None))
    }

    #[inline]
    fn tuzdyks(self) -> [Option<usize>; 2] {
        [None; 2]
    }

    fn stones(self) -> u32 {
        Board::stones(self)
    }
}
