//! One player's pits, packed into a word.

use std::fmt;

/// Most pits a side can have.
pub const MAX_PITS: usize = 9;

/// Most stones a board can hold: any of its pits may come to hold all of them.
pub const MAX_STONES: u32 = 127;

const LANE_BITS: usize = Side::LANE_BITS;
const LANE: u64 = (1 << LANE_BITS) - 1;
/// One in every lane.
const ONES: u64 = 0x0102_0408_1020_4081;
/// The highest bit of every lane.
const HIGH: u64 = ONES << (LANE_BITS - 1);

/// The stones of one player's pits.
///
/// Nine lanes of seven bits; pits count from their owner's left, the direction of sowing:
///
/// ```text
///  bit 63  62......56  55......49        13.......7  6........0
///       0 |  pit 9   |  pit 8   |  ...  |  pit 2   |  pit 1   |
/// ```
///
/// Lanes past the board's last pit stay zero. No lane can overflow, because a board never holds
/// more than [`MAX_STONES`] stones; so a whole sowing is one addition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Side(u64);

impl Side {
    /// Bits of the packed word that a pit takes.
    pub const LANE_BITS: usize = 7;

    /// A side without stones.
    pub const EMPTY: Side = Side(0);

    /// Packs the pits, leftmost first. `None` if they are more than [`MAX_PITS`] or hold more
    /// than [`MAX_STONES`] stones together.
    #[must_use]
    pub fn from_pits(pits: &[u32]) -> Option<Side> {
        let mut left = MAX_STONES;
        let mut bits = 0;
        for (pit, &stones) in pits.iter().enumerate() {
            left = left.checked_sub(stones)?;
            if pit >= MAX_PITS {
                return None;
            }
            bits |= u64::from(stones) << (pit * LANE_BITS);
        }
        Some(Side(bits))
    }

    /// The stones of a pit (0 is the owner's leftmost).
    #[inline]
    #[must_use]
    pub const fn get(self, pit: usize) -> u32 {
        ((self.0 >> (pit * LANE_BITS)) & LANE) as u32
    }

    /// The side with one pit emptied.
    #[inline]
    #[must_use]
    pub const fn cleared(self, pit: usize) -> Side {
        Side(self.0 & !(LANE << (pit * LANE_BITS)))
    }

    /// The side with `stones` more in one pit; the caller keeps to [`MAX_STONES`].
    #[inline]
    #[must_use]
    pub const fn plus(self, pit: usize, stones: u32) -> Side {
        Side(self.0 + ((stones as u64) << (pit * LANE_BITS)))
    }

    /// Adds a difference of sides, lane by lane.
    #[inline]
    #[must_use]
    pub(crate) const fn shifted(self, difference: u64) -> Side {
        Side(self.0.wrapping_add(difference))
    }

    /// All stones of the side.
    #[inline]
    #[must_use]
    pub const fn stones(self) -> u32 {
        // The top lane of the product is the sum of all lanes; no lower lane carries into it.
        ((self.0.wrapping_mul(ONES) >> (8 * LANE_BITS)) & LANE) as u32
    }

    /// For each of all nine pits the stones from the first pit up to it.
    #[inline]
    #[must_use]
    pub const fn prefix_sums(self) -> Side {
        Side(self.0.wrapping_mul(ONES) & (u64::MAX >> 1))
    }

    /// Whether no pit holds a stone.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The pits that hold stones.
    #[inline]
    #[must_use]
    pub const fn occupied(self) -> PitSet {
        // Adding 63 to the low six bits of a lane sets its high bit unless they are zero.
        PitSet((((self.0 & !HIGH) + (HIGH - ONES)) | self.0) & HIGH)
    }

    /// The packed word, laid out as the type says.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The first `pits` pits, leftmost first.
    pub fn iter(self, pits: usize) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
        (0..pits).map(move |pit| self.get(pit))
    }
}

impl fmt::Debug for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter(MAX_PITS)).finish()
    }
}

/// A set of one side's pits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PitSet(u64);

impl PitSet {
    /// No pits.
    pub const EMPTY: PitSet = PitSet(0);

    const fn bit(pit: usize) -> u64 {
        1 << (pit * LANE_BITS + LANE_BITS - 1)
    }

    /// The set and one pit more.
    #[inline]
    #[must_use]
    pub const fn with(self, pit: usize) -> PitSet {
        PitSet(self.0 | Self::bit(pit))
    }

    /// Whether the pit is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, pit: usize) -> bool {
        self.0 & Self::bit(pit) != 0
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many pits are in the set.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }
}

/// Pits from left to right, or from right to left with `next_back`.
impl Iterator for PitSet {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let pit = self.0.trailing_zeros() as usize / LANE_BITS;
        self.0 &= self.0 - 1;
        Some(pit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let pits = (*self).len();
        (pits, Some(pits))
    }
}

impl ExactSizeIterator for PitSet {}

impl DoubleEndedIterator for PitSet {
    #[inline]
    fn next_back(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let pit = self.0.ilog2() as usize / LANE_BITS;
        self.0 ^= Self::bit(pit);
        Some(pit)
    }
}

impl fmt::Debug for PitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pit_can_hold_every_count() {
        for pit in 0..MAX_PITS {
            for stones in 0..=MAX_STONES {
                let mut pits = [0; MAX_PITS];
                pits[pit] = stones;
                let side = Side::from_pits(&pits).expect("fits");
                assert_eq!(side.get(pit), stones);
                assert_eq!(side.stones(), stones);
                assert_eq!(side.is_empty(), stones == 0);
                assert_eq!(side.occupied().contains(pit), stones > 0);
                assert_eq!(side.occupied().len(), usize::from(stones > 0));
                assert!(side.cleared(pit).is_empty());
            }
        }
    }

    #[test]
    fn pits_are_listed_from_both_ends() {
        let side = Side::from_pits(&[0, 64, 1, 0, 0, 2, 0, 0, 60]).expect("fits");
        assert_eq!(side.occupied().collect::<Vec<_>>(), [1, 2, 5, 8]);
        assert_eq!(side.occupied().rev().collect::<Vec<_>>(), [8, 5, 2, 1]);
        assert_eq!(side.stones(), 127);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(Side::from_pits(&[64, 64]), None);
        assert_eq!(Side::from_pits(&[u32::MAX, 2]), None);
        assert_eq!(Side::from_pits(&[0; 10]), None);
    }
}
