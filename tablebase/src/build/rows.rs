//! How all layers lie in memory, one byte a position.
//!
//! The values are kept in one row for each opponent's side, and in a row by the rank of the
//! mover's side, whatever its stones:
//!
//! ```text
//!            mover's side: 0 stones | 1 stone   | 2 stones  | ...  | N - k stones
//!   opponent of k stones [ layer k  | layer k+1 | layer k+2 | ...  | layer N     ]
//! ```
//!
//! So a successor is found by its row and one rank, also where captures lead to many layers.

use games::Board;

use crate::index::{Sides, side_count_up_to};

/// Where the rows lie.
#[derive(Debug)]
pub(crate) struct Rows {
    sides: Sides,
    /// For each number of stones of the opponent: where the row of rank 0 would lie if all rows
    /// were as long as these (it wraps below zero), and their length.
    blocks: Vec<(usize, usize)>,
}

impl Rows {
    /// The rows of the layers up to the stones of the ranked sides.
    pub(crate) fn new(sides: Sides) -> Rows {
        let most = sides.max_stones();
        let mut start = 0usize;
        let blocks = (0..=most).map(|stones| {
            let length = side_count_up_to(sides.pits(), most - stones) as usize;
            let ranks = sides.of(stones);
            let base = start;
            start += ranks.len() * length;
            (base.wrapping_sub(ranks.start as usize * length), length)
        });
        let blocks = blocks.collect();
        Rows { sides, blocks }
    }

    #[inline]
    pub(crate) fn sides(&self) -> &Sides {
        &self.sides
    }

    /// Where the row of an opponent's side starts, given its rank and its stones.
    #[inline]
    pub(crate) fn start(&self, rank: u32, stones: u32) -> usize {
        let (base, length) = self.blocks[stones as usize];
        base.wrapping_add(rank as usize * length)
    }

    /// Where the value of a position lies.
    #[inline]
    pub(crate) fn place(&self, board: Board) -> usize {
        let start = self.start(self.sides.rank(board.other), board.other.stones());
        start + self.sides.rank(board.mover) as usize
    }

    /// The runs of places that make up a layer, start and length, in the order of the
    /// [index](crate::index).
    pub(crate) fn runs(&self, layer: u32) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..=layer).flat_map(move |k| {
            let movers = self.sides.of(k);
            let others = self.sides.of(layer - k);
            others.map(move |rank| {
                (self.start(rank, layer - k) + movers.start as usize, movers.len())
            })
        })
    }
}
