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

mod numbering;
mod sides;
mod tuzdyks;

use std::ops::Range;

use games::Board;

pub use numbering::Numbering;
pub use sides::{Order, Sides};
pub use tuzdyks::{TuzdykIndex, tuzdyk_layer_positions};

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
    side_layer_positions(pits, stones).unwrap_or(u64::MAX)
}

/// The same; `None` if it does not fit.
pub(crate) fn side_layer_positions(pits: usize, stones: u32) -> Option<u64> {
    let places = 2 * pits as u64 - 1;
    binomial(u64::from(stones) + places, places)
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
        let (movers, other) = self.run(stones, number);
        Board::new(self.sides.side(movers.start), self.sides.side(other))
    }

    /// The rank of the mover's side of a number, up to the last one in its row, and that of the
    /// opponent's side.
    fn run(&self, stones: u32, number: u64) -> (Range<u32>, u32) {
        let starts = &self.starts[stones as usize];
        let k = starts.partition_point(|&start| start <= number) - 1;
        let (movers, others) = (self.sides.of(k as u32), self.sides.of(stones - k as u32));
        let within = number - starts[k];
        let row = (within / movers.len() as u64) as u32;
        let column = (within % movers.len() as u64) as u32;
        (movers.start + column..movers.end, others.start + row)
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
