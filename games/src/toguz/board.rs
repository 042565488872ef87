//! The board of toguz kumalak, packed into three words.

use std::fmt;

use crate::position::{Player, Setup, SetupError};
use crate::rows::Rows;
use crate::side::MAX_PITS;

/// Pits of a row that lie in its own word: all but the ninth.
pub const LOW_PITS: usize = 8;
const LANE_BITS: usize = 8;
const LANE: u64 = 0xff;
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;
/// The half of the third word that belongs to the mover's row.
const MOVER_HALF: u64 = (1 << HALF) - 1;
/// Where the tuzdyk of a row lies in its half of the third word.
const TUZDYK: usize = 8;
const HALF: u32 = 32;
/// The lane of each tuzdyk number; none has no lane.
const TUZDYK_LANES: [u64; LOW_PITS + 1] = {
    let mut lanes = [0; LOW_PITS + 1];
    let mut pit = 0;
    while pit < LOW_PITS {
        lanes[pit + 1] = LANE << (pit * LANE_BITS);
        pit += 1;
    }
    lanes
};

/// Both rows, the one of the player to move first. Stores are not here: they never enter a value.
///
/// Lanes of eight bits, pits counted from their owner's left, the direction of sowing:
///
/// ```text
///            bit 63...56  55...48        15.....8  7......0
///   mover       | pit 8  | pit 7 |  ...  | pit 2  | pit 1  |
///   other       | pit 8  | pit 7 |  ...  | pit 2  | pit 1  |
///
///            bit 63..........48  47...40  39....32  31...........16  15....8  7......0
///   rest        |      0       | tuzdyk | pit 9   |       0        | tuzdyk | pit 9  |
///               |  of the opponent's row          |  of the mover's row              |
/// ```
///
/// `tuzdyk` is the number, from 1, of the pit of that row which is a tuzdyk of the other player;
/// 0 if there is none. It is never the ninth pit, so what happens in tuzdyks happens in the first
/// two words. No lane can overflow: a board holds at most 162 stones. So sowing is three additions,
/// and giving the move to the opponent swaps two words and rotates the third.
///
/// Measured on 400,000 positions of random games, one Zen 4 core, CPU time of a sowing on a loaded
/// machine: 9.5 to 10.4 ns (about 100 million a second), against 12.0 to 12.8 ns for two words of 128
/// bits and 13.4 to 14.3 ns for two vectors of sixteen bytes (`cargo bench -p benches --bench toguz`
/// has all three). Deciding captures without branches was slower for this packing, 10.3 to 11.5 ns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Board {
    pub(super) mover: u64,
    pub(super) other: u64,
    pub(super) rest: u64,
}

impl Board {
    /// The packed words, as the type says: two boards are equal if these are.
    #[inline]
    #[must_use]
    pub const fn words(self) -> [u64; 3] {
        [self.mover, self.other, self.rest]
    }

    /// A hash of the board for transposition tables: 64 bits of about 80 that tell boards apart,
    /// so a table must compare [`Board::words`] as well.
    #[inline]
    #[must_use]
    pub const fn key(self) -> u64 {
        let mut key = 0;
        let words = [self.mover, self.other, self.rest];
        let mut at = 0;
        while at < words.len() {
            // The multiplier and the shifts of a finalizer of SplitMix64.
            key = (key ^ words[at]).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            key ^= key >> 32;
            at += 1;
        }
        key.wrapping_mul(0x94d0_49bb_1331_11eb) ^ key >> 29
    }

    /// The same stones with the other player to move.
    #[inline]
    #[must_use]
    pub const fn flipped(self) -> Board {
        Board { mover: self.other, other: self.mover, rest: self.rest.rotate_left(HALF) }
    }

    /// The row of the mover of one board against that of another.
    #[inline]
    #[must_use]
    pub const fn of_rows(mover: Board, other: Board) -> Board {
        let rest = mover.rest & MOVER_HALF | (other.rest & MOVER_HALF) << HALF;
        Board { mover: mover.mover, other: other.mover, rest }
    }

    /// The stones of a pit of the player to move (0 is his leftmost).
    #[inline]
    #[must_use]
    pub const fn get(self, pit: usize) -> u32 {
        let low = self.mover >> (pit % LOW_PITS * LANE_BITS) & LANE;
        (if pit < LOW_PITS { low } else { self.rest & LANE }) as u32
    }

    /// The board with `stones` more in a pit of the player to move; the caller keeps to
    /// [`MAX_STONES`](super::MAX_STONES).
    #[inline]
    pub(super) const fn plus(self, pit: usize, stones: u64) -> Board {
        let low = stones << (pit % LOW_PITS * LANE_BITS);
        match pit < LOW_PITS {
            true => Board { mover: self.mover + low, ..self },
            false => Board { rest: self.rest + stones, ..self },
        }
    }

    /// The board with a pit of the player to move emptied.
    #[inline]
    pub(super) const fn cleared(self, pit: usize) -> Board {
        let lane = LANE << (pit % LOW_PITS * LANE_BITS);
        match pit < LOW_PITS {
            true => Board { mover: self.mover & !lane, ..self },
            false => Board { rest: self.rest & !LANE, ..self },
        }
    }

    /// The pit (0 is the leftmost) of the mover's row that is a tuzdyk of the opponent.
    #[inline]
    #[must_use]
    pub const fn tuzdyk(self) -> Option<usize> {
        self.tuzdyk_number().checked_sub(1)
    }

    /// Its number from 1; 0 if there is none.
    #[inline]
    const fn tuzdyk_number(self) -> usize {
        (self.rest >> TUZDYK & LANE) as usize
    }

    /// The board on which a pit of the mover's row has become a tuzdyk.
    #[inline]
    pub(super) const fn with_tuzdyk(self, pit: usize) -> Board {
        Board { rest: self.rest | (pit as u64 + 1) << TUZDYK, ..self }
    }

    /// Takes the stones out of the mover's pit that is a tuzdyk.
    #[inline]
    pub(super) const fn collect(self) -> (Board, u8) {
        let lane = TUZDYK_LANES[self.tuzdyk_number() % TUZDYK_LANES.len()];
        // All other lanes of the masked word are empty, so the sum of its lanes is this one.
        let stones = (self.mover & lane).wrapping_mul(ONES) >> (64 - LANE_BITS);
        (Board { mover: self.mover & !lane, ..self }, stones as u8)
    }

    /// The stones of the player to move in each of his first eight pits and those left of it, on a
    /// board of up to 255 stones.
    #[inline]
    #[must_use]
    pub const fn sums(self) -> [u8; LOW_PITS] {
        self.mover.wrapping_mul(ONES).to_le_bytes()
    }

    /// Stones in the pits of the player to move.
    #[inline]
    #[must_use]
    pub const fn mover_stones(self) -> u32 {
        ((self.mover.wrapping_mul(ONES) >> (64 - LANE_BITS)) + (self.rest & LANE)) as u32
    }

    /// Stones in all pits.
    #[inline]
    #[must_use]
    pub const fn stones(self) -> u32 {
        self.mover_stones() + self.flipped().mover_stones()
    }

    /// Whether the player to move has no stone.
    #[inline]
    #[must_use]
    pub const fn is_mover_empty(self) -> bool {
        self.mover | self.rest & LANE == 0
    }

    /// The pits of the player to move that hold stones.
    #[inline]
    #[must_use]
    pub const fn occupied(self) -> Pits {
        // Adding 127 to the low seven bits of a lane sets its high bit unless they are zero.
        let full = (((self.mover & !HIGH) + !HIGH) | self.mover) & HIGH;
        // Brings the high bit of each lane together in the highest byte.
        let low = (full >> 7).wrapping_mul(0x0102_0408_1020_4080) >> (64 - LANE_BITS);
        let ninth = (self.rest & LANE != 0) as u16;
        Pits(low as u16 | ninth << LOW_PITS)
    }
}

impl Rows for Board {
    const MAX_STONES: u32 = super::MAX_STONES;

    fn pack(setup: &Setup) -> Result<Board, SetupError> {
        let pits = setup.pits[0].len();
        for (player, &tuzdyk) in Player::BOTH.into_iter().zip(&setup.tuzdyks) {
            let Some(pit) = tuzdyk else { continue };
            if pit + 1 >= pits {
                return Err(SetupError::LastTuzdyk { player, pit: pit + 1 });
            }
            if setup.pits[player as usize][pit] != 0 {
                return Err(SetupError::StonesInTuzdyk { player, pit: pit + 1 });
            }
        }
        if let [Some(south), Some(north)] = setup.tuzdyks
            && south == north
        {
            return Err(SetupError::SameTuzdyks(south + 1));
        }
        let row = |board: Board, player: Player| {
            let stones = setup.pits[player as usize].iter().enumerate();
            let board = stones
                .fold(board.flipped(), |board, (pit, &stones)| board.plus(pit, stones.into()));
            setup.tuzdyks[player as usize].map_or(board, |pit| board.with_tuzdyk(pit))
        };
        Ok(row(row(Board::default(), setup.to_move.opponent()), setup.to_move))
    }

    fn unpack(self, pits: usize) -> [(Vec<u32>, Option<usize>); 2] {
        [self, self.flipped()]
            .map(|board| ((0..pits).map(|pit| board.get(pit)).collect(), board.tuzdyk()))
    }

    #[inline]
    fn tuzdyks(self) -> [Option<usize>; 2] {
        [self.tuzdyk(), self.flipped().tuzdyk()]
    }

    fn stones(self) -> u32 {
        Board::stones(self)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.unpack(MAX_PITS)).finish()
    }
}

/// A set of pits of one row, a bit each, listed from left to right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Pits(u16);

impl Iterator for Pits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let pit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(pit)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let pits = self.0.count_ones() as usize;
        (pits, Some(pits))
    }
}

impl DoubleEndedIterator for Pits {
    #[inline]
    fn next_back(&mut self) -> Option<usize> {
        let pit = self.0.checked_ilog2()?;
        self.0 ^= 1 << pit;
        Some(pit as usize)
    }
}

impl ExactSizeIterator for Pits {}
