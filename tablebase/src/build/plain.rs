//! The plain builder: unrank, sow, rank, for one position after the other.
//!
//! It knows nothing of sides, effects or potentials, and is what the fast builder is compared
//! with, for its values and for its speed.

use games::{Board, Game, Rules, Ruleset};

use crate::index::Index;

/// Marks a position whose value is not known yet.
const OPEN: i8 = i8::MIN;

/// Layers filled one after the other.
#[derive(Debug)]
pub struct PlainBuilder {
    rules: Rules,
    index: Index,
    layers: Vec<Vec<i8>>,
}

impl PlainBuilder {
    /// A builder for the layers 0 to `stones` of an acyclic game.
    #[must_use]
    pub fn new(ruleset: &Ruleset, stones: u32) -> PlainBuilder {
        let index = Index::new(ruleset.pits(), stones);
        PlainBuilder { rules: ruleset.rules(), index, layers: Vec::new() }
    }

    /// Fills the next layer.
    pub fn fill_next(&mut self) {
        let stones = self.layers.len() as u32;
        let positions = self.index.positions(stones);
        self.layers.push(vec![OPEN; positions as usize]);
        for number in 0..positions {
            self.value(self.index.board(stones, number));
        }
    }

    /// Drops the layers from `stones` on, to fill them again.
    pub fn drop_from(&mut self, stones: u32) {
        self.layers.truncate(stones as usize);
    }

    /// The values of a filled layer, in the order of the [index](crate::index).
    #[must_use]
    pub fn layer(&self, stones: u32) -> &[i8] {
        &self.layers[stones as usize]
    }

    fn value(&mut self, board: Board) -> i8 {
        let (stones, number) = self.index.number(board);
        let (layer, number) = (stones as usize, number as usize);
        if self.layers[layer][number] == OPEN {
            self.layers[layer][number] = self.compute(board);
        }
        self.layers[layer][number]
    }

    fn compute(&mut self, board: Board) -> i8 {
        if let Some(remainder) = self.rules.remainder(board) {
            return remainder.value() as i8;
        }
        let values = self.rules.legal(board).map(|pit| {
            let sown = self.rules.sow(board, pit);
            sown.value(i32::from(self.value(sown.board))) as i8
        });
        values.max().expect("a board that is not finished has a sowing")
    }
}
