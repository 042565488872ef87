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

use std::ops::Range;

use games::Board;

use crate::index::{Order, Sides, side_count_up_to};

/// Where the rows lie.
#[derive(Debug)]
pub(crate) struct Rows {
    sides: Sides,
    /// The ranks of the sides in the order of the [index](crate::index).
    indexed: Vec<u32>,
    /// For each number of stones of the opponent: where the row of rank 0 would lie if all rows
    /// were as long as these (it wraps below zero), and their length.
    blocks: Vec<(usize, usize)>,
}

impl Rows {
    /// The rows of the layers up to `most` stones.
    pub(crate) fn new(pits: usize, most: u32) -> Rows {
        let sides = Sides::new(pits, most, Order::Potential);
        let indexed = Sides::new(pits, most, Order::Lexicographic);
        let indexed = (0..indexed.up_to(most)).map(|rank| sides.rank(indexed.side(rank)));
        let indexed = indexed.collect();
        let mut start = 0usize;
        let blocks = (0..=most).map(|stones| {
            let length = side_count_up_to(sides.pits(), most - stones) as usize;
            let ranks = sides.of(stones);
            let base = start;
            start += ranks.len() * length;
            (base.wrapping_sub(ranks.start as usize * length), length)
        });
        let blocks = blocks.collect();
        Rows { sides, indexed, blocks }
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

    /// The rows that make up a layer, in the order of the [index](crate::index): where each
    /// starts, and the ranks of the movers' sides in it in that order.
    pub(crate) fn of_layer(&self, layer: u32) -> impl Iterator<Item = (usize, &[u32])> + '_ {
        let indexed = |range: Range<u32>| &self.indexed[range.start as usize..range.end as usize];
        (0..=layer).flat_map(move |k| {
            let movers = indexed(self.sides.of(k));
            let others = indexed(self.sides.of(layer - k));
            others.iter().map(move |&rank| (self.start(rank, layer - k), movers))
        })
    }

    /// Bytes the ranking takes in memory, at most while it is made.
    pub(crate) fn memory(pits: usize, most: u32) -> u64 {
        2 * Sides::memory(pits, most) + 4 * side_count_up_to(pits, most)
    }
}
