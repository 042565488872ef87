//! A number for every board of up to a number of stones, without gaps.

use games::{Board, MAX_STONES};
use tablebase::index::{binomial, positions_up_to};

/// Ranks boards in colexicographic order of their stars-and-bars words.
///
/// With `S_i` the stones of the first i + 1 of all 2m pits, the mover's first, the key of a board
/// is the sum of `C(S_i + i, i + 1)`: a bijection between the boards of at most n stones and the
/// numbers below `C(n + 2m, 2m)`. The sums come from one multiplication a side.
#[derive(Debug)]
pub(crate) struct Keys {
    pits: usize,
    /// `C(S + i, i + 1)`, for each pit i and each sum S.
    terms: Box<[u64]>,
    bits: u32,
}

const SUMS: usize = MAX_STONES as usize + 1;

impl Keys {
    /// Keys of the boards with up to `stones` stones; `None` if they need more than 64 bits.
    pub(crate) fn new(pits: usize, stones: u32) -> Option<Keys> {
        let last = Some(positions_up_to(pits, stones)).filter(|&count| count < u64::MAX)? - 1;
        let mut terms = vec![0; 2 * pits * SUMS];
        for pit in 0..2 * pits {
            for sum in 1..=stones as usize {
                terms[pit * SUMS + sum] = binomial((sum + pit) as u64, pit as u64 + 1)?;
            }
        }
        Some(Keys { pits, terms: terms.into(), bits: (u64::BITS - last.leading_zeros()).max(1) })
    }

    /// How many bits a key has at most.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// The key of a board with at most as many stones as the keys are made for.
    #[inline]
    pub(crate) fn key(&self, board: Board) -> u64 {
        let (mover, other) = (board.mover.prefix_sums(), board.other.prefix_sums());
        let before = board.mover.stones() as usize;
        let (own_terms, other_terms) = self.terms.split_at(self.pits * SUMS);
        let own = (0..self.pits).map(|pit| own_terms[pit * SUMS + mover.get(pit) as usize]);
        let others =
            (0..self.pits).map(|pit| other_terms[pit * SUMS + before + other.get(pit) as usize]);
        own.chain(others).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablebase::index::Index;

    /// All boards of up to `stones` stones have different keys without gaps.
    fn check(pits: usize, stones: u32) {
        let index = Index::new(pits, stones);
        let keys = Keys::new(pits, stones).expect("few boards");
        let mut seen = vec![false; positions_up_to(pits, stones) as usize];
        for layer in 0..=stones {
            for number in 0..index.positions(layer) {
                let key = keys.key(index.board(layer, number)) as usize;
                assert!(!std::mem::replace(&mut seen[key], true));
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }

    #[test]
    fn keys_are_a_bijection() {
        check(1, 127);
        check(2, 20);
        check(3, 12);
        check(6, 6);
        check(9, 4);
    }

    #[test]
    fn boards_beyond_64_bits_have_no_keys() {
        assert_eq!(Keys::new(6, 72).expect("fits").bits(), 47);
        assert!(Keys::new(9, 72).is_some());
        assert!(Keys::new(9, 127).is_none());
    }
}
