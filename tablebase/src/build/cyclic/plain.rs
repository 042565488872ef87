//! The plain builder of cyclic games: whole sweeps over a layer until nothing changes.
//!
//! It knows nothing of sides, effects or rounds, and is what the fast builder is compared with.

use games::{Board, Game, Rules, Ruleset};

use crate::index::Index;

/// Layers filled one after the other, infinite play counting 0.
#[derive(Debug)]
pub struct PlainBuilder {
    rules: Rules,
    index: Index,
    layers: Vec<Vec<i8>>,
}

impl PlainBuilder {
    /// A builder for the layers 0 to `stones`.
    #[must_use]
    pub fn new(ruleset: &Ruleset, stones: u32) -> PlainBuilder {
        let index = Index::new(ruleset.pits(), stones);
        PlainBuilder { rules: ruleset.rules(), index, layers: Vec::new() }
    }

    /// Fills the next layer.
    ///
    /// All values start at 0, what play without end is worth, and each sweep replaces them by
    /// what follows from their successors. By induction a position of true value above 0 only
    /// rises, one below 0 only falls, and neither goes past its true value; a gain or a loss
    /// that takes s sowings to force is reached by the sweep numbered s.
    pub fn fill_next(&mut self) {
        let stones = self.layers.len() as u32;
        let positions = self.index.positions(stones);
        self.layers.push(vec![0; positions as usize]);
        loop {
            let mut changed = false;
            for number in 0..positions {
                let value = self.follows(self.index.board(stones, number));
                let stored = &mut self.layers[stones as usize][number as usize];
                changed |= *stored != value;
                *stored = value;
            }
            if !changed {
                return;
            }
        }
    }

    /// The values of a filled layer, in the order of the [index](crate::index).
    #[must_use]
    pub fn layer(&self, stones: u32) -> &[i8] {
        &self.layers[stones as usize]
    }

    fn follows(&self, board: Board) -> i8 {
        if let Some(remainder) = self.rules.remainder(board) {
            return remainder.value() as i8;
        }
        let values = self.rules.legal(board).map(|pit| {
            let sown = self.rules.sow(board, pit);
            let (layer, number) = self.index.number(sown.board);
            sown.value(i32::from(self.layers[layer as usize][number as usize])) as i8
        });
        values.max().expect("a board that is not finished has a sowing")
    }
}

/// The plain builder of bounds: as [`PlainBuilder`], with two values a position.
#[derive(Debug)]
pub struct PlainBounds {
    rules: Rules,
    index: Index,
    /// Lower and upper bounds.
    layers: Vec<[Vec<i8>; 2]>,
}

impl PlainBounds {
    /// A builder for the layers 0 to `stones`.
    #[must_use]
    pub fn new(ruleset: &Ruleset, stones: u32) -> PlainBounds {
        let index = Index::new(ruleset.pits(), stones);
        PlainBounds { rules: ruleset.rules(), index, layers: Vec::new() }
    }

    /// Fills the next layer: lower bounds rise from the loss of all stones, upper ones fall from
    /// their gain, each following from the other ones of the successors.
    pub fn fill_next(&mut self) {
        let stones = self.layers.len() as u32;
        let positions = self.index.positions(stones);
        let start = |value| vec![value; positions as usize];
        self.layers.push([start(-(stones as i8)), start(stones as i8)]);
        loop {
            let mut changed = false;
            for (number, bound) in (0..positions).flat_map(|number| [(number, 0), (number, 1)]) {
                let value = self.follows(self.index.board(stones, number), 1 - bound);
                let stored = &mut self.layers[stones as usize][bound][number as usize];
                changed |= *stored != value;
                *stored = value;
            }
            if !changed {
                return;
            }
        }
    }

    /// The lower and the upper bounds of a filled layer, in the order of the
    /// [index](crate::index).
    #[must_use]
    pub fn layer(&self, stones: u32) -> &[Vec<i8>; 2] {
        &self.layers[stones as usize]
    }

    /// What follows from one of the bounds of the successors.
    fn follows(&self, board: Board, bound: usize) -> i8 {
        if let Some(remainder) = self.rules.remainder(board) {
            return remainder.value() as i8;
        }
        let values = self.rules.legal(board).map(|pit| {
            let sown = self.rules.sow(board, pit);
            let (layer, number) = self.index.number(sown.board);
            sown.value(i32::from(self.layers[layer as usize][bound][number as usize])) as i8
        });
        values.max().expect("a board that is not finished has a sowing")
    }
}
