//! The index: two sides, each ranked by itself.
//!
//! A position of layer n is addressed by k, the mover's stones, then by the opponent's side among
//! those of n - k stones, then by the mover's side among those of k stones, all sides in
//! lexicographic order. The order does not matter for probing; of those tried it makes the
//! smallest files. Layer 15 in zstd blocks of 2^15 values takes, in bits a position,
//!
//! ```text
//!                                    kalah   mangala
//! lexicographic, leftmost pit first   2.60      2.72
//! lexicographic, rightmost first      3.02      2.99
//! by potential                        3.27      3.26
//! ```

use std::ops::Range;

use games::{Board, MAX_PITS, MAX_STONES, Side};

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

/// `n` over `k`; `None` if it does not fit.
#[must_use]
pub fn binomial(n: u64, k: u64) -> Option<u64> {
    (1..=k.min(n - k.min(n))).try_fold(1u64, |product, i| {
        // The product of i consecutive factors is divisible by i at each step.
        u64::try_from(u128::from(product) * u128::from(n - i + 1) / u128::from(i)).ok()
    })
}

/// The number of sides of `pits` pits with at most `stones` stones.
#[must_use]
pub fn side_count_up_to(pits: usize, stones: u32) -> u64 {
    binomial(u64::from(stones) + pits as u64, pits as u64).unwrap_or(u64::MAX)
}

/// The number of positions of a layer: `stones` stones in the pits of both sides.
#[must_use]
pub fn layer_positions(pits: usize, stones: u32) -> u64 {
    let pits = 2 * pits as u64;
    binomial(u64::from(stones) + pits - 1, pits - 1).unwrap_or(u64::MAX)
}

/// The number of positions of the layers 0 to `stones`.
#[must_use]
pub fn positions_up_to(pits: usize, stones: u32) -> u64 {
    let pits = 2 * pits as u64;
    binomial(u64::from(stones) + pits, pits).unwrap_or(u64::MAX)
}

/// The positions of every layer up to a number of stones, numbered without gaps layer by layer.
#[derive(Debug)]
pub struct Index {
    sides: Sides,
    /// For each layer, where the positions with k stones of the mover start, and the number of
    /// all positions at the end.
    starts: Vec<Vec<u64>>,
    /// For the mover's stones and then the opponent's: the number that the position of rank 0 on
    /// both sides would have if all sides were ranked like these (it wraps below zero), and the
    /// numbers from a row to the next.
    blocks: Vec<(u64, u64)>,
}

impl Index {
    /// The index of the layers of up to `max_stones` stones on `pits` pits a side.
    #[must_use]
    pub fn new(pits: usize, max_stones: u32) -> Index {
        let sides = Sides::new(pits, max_stones, Order::Lexicographic);
        let mut starts = Vec::new();
        let mut blocks = vec![(0, 0); (max_stones as usize + 1).pow(2)];
        for stones in 0..=max_stones {
            let mut layer = vec![0u64];
            for k in 0..=stones {
                let (movers, others) = (sides.of(k), sides.of(stones - k));
                let (start, width) = (layer[k as usize], movers.len() as u64);
                let skipped = u64::from(others.start) * width + u64::from(movers.start);
                let block = k * (max_stones + 1) + stones - k;
                blocks[block as usize] = (start.wrapping_sub(skipped), width);
                layer.push(start + others.len() as u64 * width);
            }
            starts.push(layer);
        }
        Index { sides, starts, blocks }
    }

    /// The ranked sides.
    #[must_use]
    pub fn sides(&self) -> &Sides {
        &self.sides
    }

    /// The number of positions of a layer.
    #[must_use]
    pub fn positions(&self, stones: u32) -> u64 {
        self.starts[stones as usize][stones as usize + 1]
    }

    /// The layer of a position and its number there.
    #[inline]
    #[must_use]
    pub fn number(&self, board: Board) -> (u32, u64) {
        self.number_ranked(board, [self.sides.rank(board.mover), self.sides.rank(board.other)])
    }

    /// As [`Index::number`], given the ranks of the mover's and of the opponent's side.
    #[inline]
    #[must_use]
    pub fn number_ranked(&self, board: Board, [mover, other]: [u32; 2]) -> (u32, u64) {
        let (k, rest) = (board.mover.stones(), board.other.stones());
        let (base, width) = self.blocks[(k * self.starts.len() as u32 + rest) as usize];
        (k + rest, base.wrapping_add(u64::from(other) * width + u64::from(mover)))
    }

    /// The position of a number below [`Index::positions`].
    #[must_use]
    pub fn board(&self, stones: u32, number: u64) -> Board {
        let starts = &self.starts[stones as usize];
        let k = starts.partition_point(|&start| start <= number) - 1;
        let (movers, others) = (self.sides.of(k as u32), self.sides.of(stones - k as u32));
        let within = number - starts[k];
        let row = (within / movers.len() as u64) as u32;
        let column = (within % movers.len() as u64) as u32;
        Board::new(self.sides.side(movers.start + column), self.sides.side(others.start + row))
    }

    /// The positions of a layer with `mover_stones` stones on the mover's side.
    #[must_use]
    pub fn rows(&self, stones: u32, mover_stones: u32) -> Rows {
        let movers = self.sides.of(mover_stones);
        let others = self.sides.of(stones - mover_stones);
        let start = self.starts[stones as usize][mover_stones as usize];
        Rows {
            first: (movers.start, others.start),
            width: movers.len() as u64,
            start,
            movers,
            others,
        }
    }

    /// Bytes the index occupies in memory.
    #[must_use]
    pub fn memory(pits: usize, max_stones: u32) -> u64 {
        Sides::memory(pits, max_stones)
    }
}

/// Positions of a layer that share the number of stones on the mover's side: all pairs of some
/// sides, given by rank.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The mover's sides.
    pub movers: Range<u32>,
    /// The opponent's sides.
    pub others: Range<u32>,
    /// The ranks of the sides of the position numbered `start`.
    first: (u32, u32),
    /// Numbers from a row to the next.
    width: u64,
    start: u64,
}

impl Rows {
    /// The number in its layer of the position of two ranked sides.
    #[inline]
    #[must_use]
    pub fn number(&self, mover: u32, other: u32) -> u64 {
        let (row, column) = (other - self.first.1, mover - self.first.0);
        self.start + u64::from(row) * self.width + u64::from(column)
    }

    /// The pairs of fewer sides.
    #[must_use]
    pub fn part(&self, movers: Range<u32>, others: Range<u32>) -> Rows {
        Rows { movers, others, ..*self }
    }

    /// Positions.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.movers.len() as u64 * self.others.len() as u64
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
