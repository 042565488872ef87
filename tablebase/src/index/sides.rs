//! Sides of as many pits, ranked.

use std::ops::Range;

use games::{MAX_PITS, MAX_STONES, Side};

use super::side_count_up_to;

/// How sides of as many stones are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// By the stones of the leftmost pit, then of the next.
    Lexicographic,
    /// By potential, the sum over pits of the stones times the steps to the store, then
    /// lexicographically. A sowing that stays on its own side lowers the potential.
    Potential,
}

/// All sides of up to a number of stones, ranked by their stones and then in some order.
#[derive(Debug)]
pub struct Sides {
    pits: usize,
    /// Rank of the first side of each number of stones, and the number of all sides at the end.
    starts: Vec<u32>,
    /// Where each run of equal potential starts, for each number of stones.
    groups: Vec<Vec<u32>>,
    sides: Vec<Side>,
    lookup: Lookup,
}

impl Sides {
    /// Ranks all sides of `pits` pits with up to `max_stones` stones.
    #[must_use]
    pub fn new(pits: usize, max_stones: u32, order: Order) -> Sides {
        debug_assert!(max_stones <= MAX_STONES);
        let mut sides = Vec::with_capacity(side_count_up_to(pits, max_stones) as usize);
        let mut starts = vec![0];
        let mut groups = Vec::new();
        for stones in 0..=max_stones {
            let mut layer = Vec::new();
            let mut pits_so_far = Vec::with_capacity(pits);
            list_sides(pits, stones, &mut pits_so_far, &mut layer);
            if order == Order::Potential {
                // A stable sort keeps the lexicographic order within a potential.
                layer.sort_by_key(|&(potential, _)| potential);
            }
            let mut bounds = vec![sides.len() as u32];
            for group in layer.chunk_by(|a, b| a.0 == b.0) {
                sides.extend(group.iter().map(|&(_, side)| side));
                bounds.push(sides.len() as u32);
            }
            groups.push(bounds);
            starts.push(sides.len() as u32);
        }
        let lookup = Lookup::new(pits, max_stones, &sides);
        Sides { pits, starts, groups, sides, lookup }
    }

    /// Pits a side.
    #[must_use]
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// The most stones a ranked side holds.
    #[must_use]
    pub fn max_stones(&self) -> u32 {
        self.groups.len() as u32 - 1
    }

    /// The rank of a side of at most [`Sides::max_stones`] stones.
    #[inline]
    #[must_use]
    pub fn rank(&self, side: Side) -> u32 {
        self.lookup.get(side)
    }

    /// The side of a rank.
    #[inline]
    #[must_use]
    pub fn side(&self, rank: u32) -> Side {
        self.sides[rank as usize]
    }

    /// The ranks of the sides with exactly `stones` stones.
    #[inline]
    #[must_use]
    pub fn of(&self, stones: u32) -> Range<u32> {
        self.starts[stones as usize]..self.starts[stones as usize + 1]
    }

    /// How many sides hold at most `stones` stones: their ranks are `0..up_to(stones)`.
    #[inline]
    #[must_use]
    pub fn up_to(&self, stones: u32) -> u32 {
        self.starts[stones as usize + 1]
    }

    /// The ranks of the sides with `stones` stones, in runs of equal potential: rising, if that is
    /// their order.
    pub fn groups(&self, stones: u32) -> impl Iterator<Item = Range<u32>> + '_ {
        self.groups[stones as usize].windows(2).map(|bounds| bounds[0]..bounds[1])
    }

    /// Bytes the ranking occupies in memory.
    #[must_use]
    pub fn memory(pits: usize, max_stones: u32) -> u64 {
        let entry = size_of::<Side>() as u64 + 4;
        side_count_up_to(pits, max_stones) * entry + Lookup::memory(pits, max_stones)
    }
}

/// Lists the ways to put `stones` stones in `pits` more pits, in lexicographic order, each with
/// its potential.
fn list_sides(pits: usize, stones: u32, so_far: &mut Vec<u32>, found: &mut Vec<(u32, Side)>) {
    if so_far.len() + 1 == pits {
        so_far.push(stones);
        let potential = so_far.iter().zip((1..=pits as u32).rev()).map(|(s, steps)| s * steps);
        let side = Side::from_pits(so_far).expect("a ranked side fits the packing");
        found.push((potential.sum(), side));
        so_far.pop();
        return;
    }
    for here in 0..=stones {
        so_far.push(here);
        list_sides(pits, stones - here, so_far, found);
        so_far.pop();
    }
}

/// From a packed side to its rank in three reads.
///
/// The pits are cut into a left and a right half. All right halves are numbered by their
/// stones; the halves that fit beside a left half are then the first ones of that numbering, so
/// a triangular table without gaps holds the ranks.
#[derive(Debug)]
struct Lookup {
    left_half: Half,
    right_half: Half,
    left: Vec<u32>,
    right: Vec<u32>,
    ranks: Vec<u32>,
}

impl Lookup {
    fn new(pits: usize, max_stones: u32, sides: &[Side]) -> Lookup {
        let [left_half, right_half] = Lookup::halves(pits, max_stones);
        let left_pits = left_half.pits;
        let mut lookup = Lookup {
            left: vec![0; left_half.keys()],
            right: vec![0; right_half.keys()],
            ranks: vec![0; sides.len()],
            left_half,
            right_half,
        };
        let (mut lefts, mut rights) = (0, 0);
        // Sides come by rising stones, so halves are first met, and numbered, by rising stones.
        for &side in sides {
            if side.occupied().all(|pit| pit < left_pits) {
                let stones = side.stones();
                let key = lookup.left_half.key(side);
                lookup.left[key] = lefts;
                lefts += side_count_up_to(pits - left_pits, max_stones - stones) as u32;
            }
            if side.occupied().all(|pit| pit >= left_pits) {
                let key = lookup.right_half.key(side);
                lookup.right[key] = rights;
                rights += 1;
            }
        }
        for (rank, &side) in sides.iter().enumerate() {
            let slot = lookup.slot(side);
            lookup.ranks[slot] = rank as u32;
        }
        lookup
    }

    fn halves(pits: usize, max_stones: u32) -> [Half; 2] {
        let left = pits.div_ceil(2);
        [Half::new(0, left, max_stones), Half::new(left, pits - left, max_stones)]
    }

    fn memory(pits: usize, max_stones: u32) -> u64 {
        Lookup::halves(pits, max_stones).iter().map(|half| 4 * half.keys() as u64).sum()
    }

    #[inline]
    fn slot(&self, side: Side) -> usize {
        let (left, right) = (self.left_half.key(side), self.right_half.key(side));
        (self.left[left] + self.right[right]) as usize
    }

    #[inline]
    fn get(&self, side: Side) -> u32 {
        self.ranks[self.slot(side)]
    }
}

/// Most pits of half a side.
const HALF_PITS: usize = MAX_PITS.div_ceil(2);

/// Some neighbouring pits of a side, and how their stones are moved together into a key: of each
/// pit the bits that the most stones need.
#[derive(Debug)]
struct Half {
    pits: usize,
    bits: usize,
    /// Where the first of the pits is in a packed side.
    shift: u32,
    /// Bits between the pits that the key leaves out.
    gap: u32,
    /// Where the stones of each pit are in the key; nothing beyond the last pit, so that a fixed
    /// number of steps does for every board.
    masks: [u64; HALF_PITS],
}

impl Half {
    fn new(first: usize, pits: usize, max_stones: u32) -> Half {
        let bits = (u32::BITS - max_stones.leading_zeros()).max(1) as usize;
        let mask = |pit| if pit < pits { ((1u64 << bits) - 1) << (pit * bits) } else { 0 };
        Half {
            pits,
            bits,
            shift: (first * Side::LANE_BITS) as u32,
            gap: (Side::LANE_BITS - bits) as u32,
            masks: std::array::from_fn(mask),
        }
    }

    fn keys(&self) -> usize {
        1 << (self.bits * self.pits)
    }

    #[inline]
    fn key(&self, side: Side) -> usize {
        let mut lanes = side.bits() >> self.shift;
        let mut key = 0;
        for mask in self.masks {
            key |= lanes & mask;
            lanes >>= self.gap;
        }
        key as usize
    }
}
