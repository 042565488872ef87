//! How long it takes until a value is cashed.
//!
//! In rounds: in round t a position is settled whose winner can sow into one that is settled with
//! less than t, or whose loser can only sow into such; only sowings that keep the value count. Those
//! into lower layers, or to where nothing is left to win, are settled before. Each won or lost
//! position of right tables is settled some day, by the theorem of the
//! [certificate](tablebase::verify).

use std::collections::BTreeMap;

use games::{Board, Game};
use rayon::prelude::*;
use tablebase::Probe;

use super::examples::Line;
use super::tables::{Open, Unfounded};
use crate::error::Error;

/// Positions looked at by a task.
const BATCH: u64 = 1 << 14;
/// Not settled yet.
const OPEN: u16 = u16::MAX;

/// The plies of all positions of the layers from 0 on, in the order of the index: 0 where the value
/// is 0 or the game is over.
#[derive(Default)]
pub(super) struct Plies(Vec<Vec<u16>>);

/// Positions that are not settled, with the numbers that their sowings lead to in the layer.
struct Batch {
    open: Vec<Unsettled>,
    next: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Unsettled {
    number: u32,
    /// Where its sowings begin in [`Batch::next`], and how many they are.
    start: u32,
    len: u8,
    /// Whether the mover wins.
    wins: bool,
    /// Of sowings out of the layer: the fewest plies for a winner, the most for a loser.
    outside: u16,
}

impl Unsettled {
    fn settles(&self, round: u16, next: &[u32], layer: &[u16]) -> bool {
        let next = &next[self.start as usize..][..usize::from(self.len)];
        let mut settled = next.iter().map(|&number| layer[number as usize] < round);
        match self.wins {
            true => self.outside < round || settled.any(|settled| settled),
            false => self.outside < round && settled.all(|settled| settled),
        }
    }
}

impl Plies {
    /// Finds the plies of the next layer, which is `stones`.
    pub(super) fn add_layer(&mut self, open: &Open, stones: u32) -> Result<(), Error> {
        let positions = open.values.index().positions(stones);
        let batches = (0..positions.div_ceil(BATCH)).into_par_iter();
        let batches = batches.map(|batch| {
            let numbers = batch * BATCH..positions.min((batch + 1) * BATCH);
            self.batch(open, stones, numbers)
        });
        let mut batches: Vec<Batch> = batches.collect();
        let mut layer = vec![0; positions as usize];
        let waiting = |batches: &[Batch]| batches.iter().any(|batch| !batch.open.is_empty());
        let all = || batches.iter().flat_map(|batch| &batch.open);
        all().for_each(|unsettled| layer[unsettled.number as usize] = OPEN);
        let outside = all().map(|unsettled| unsettled.outside).filter(|&plies| plies < OPEN);
        let most_outside = outside.max().unwrap_or(0);
        for round in 1..OPEN {
            if !waiting(&batches) {
                break;
            }
            let settled: Vec<Vec<u32>> =
                batches.par_iter_mut().map(|batch| batch.settle(round, &layer)).collect();
            if settled.iter().all(Vec::is_empty) && round > most_outside {
                return Err(Error::Unfounded(Unfounded { stones }));
            }
            settled.iter().flatten().for_each(|&number| layer[number as usize] = round);
        }
        self.0.push(layer);
        Ok(())
    }

    fn batch(&self, open: &Open, stones: u32, numbers: std::ops::Range<u64>) -> Batch {
        let mut batch = Batch { open: Vec::new(), next: Vec::new() };
        for number in numbers {
            let value = open.values.value_at((stones, number));
            let board = open.values.index().board(stones, number);
            if value == 0 || open.rules.remainder(board).is_some() {
                continue;
            }
            let (wins, start) = (value > 0, batch.next.len());
            // Without a sowing that keeps the value this stays, and the position is never settled.
            let mut outside = OPEN;
            for sowing in open.keeping(board, value) {
                // A loser who can go on in the layer need not leave it.
                let fewest = if wins { OPEN } else { 0 };
                let leaving = match sowing.place {
                    (layer, number) if layer == stones => {
                        batch.next.push(number as u32);
                        fewest
                    }
                    place => self.at(place),
                };
                outside = match (wins, outside) {
                    (true, known) => known.min(leaving),
                    (false, OPEN) => leaving,
                    (false, known) => known.max(leaving),
                };
            }
            let (number, len) = (number as u32, (batch.next.len() - start) as u8);
            batch.open.push(Unsettled { number, start: start as u32, len, wins, outside });
        }
        batch.open.shrink_to_fit();
        batch.next.shrink_to_fit();
        batch
    }

    fn at(&self, (layer, number): (u32, u64)) -> u16 {
        self.0[layer as usize][number as usize]
    }

    /// The live won positions of a layer by plies. A won position that is not live has none.
    pub(super) fn of_wins(&self, open: &Open, stones: u32) -> BTreeMap<u16, u64> {
        let mut wins = BTreeMap::new();
        for (number, &plies) in (0..).zip(&self.0[stones as usize]) {
            if plies > 0 && open.values.value_at((stones, number)) > 0 {
                *wins.entry(plies).or_default() += 1;
            }
        }
        wins
    }

    /// The first won position of a layer with so many plies, and how it goes.
    pub(super) fn line(&self, open: &Open, stones: u32, plies: u16) -> Option<Line> {
        let mut numbers = (0..).zip(&self.0[stones as usize]);
        let wins = |number| open.values.value_at((stones, number)) > 0;
        let (number, _) = numbers.find(|&(number, &found)| found == plies && wins(number))?;
        let board = open.values.index().board(stones, number);
        let line = self.play(open, board, plies);
        Some(Line { position: open.text(board), value: open.value(board), plies, line })
    }

    /// The sowings that take as many plies as the position has.
    fn play(&self, open: &Open, mut board: Board, plies: u16) -> String {
        let mut line = Vec::new();
        for left in (0..plies).rev() {
            let value = open.value(board);
            let next = open.keeping(board, value).find(|sowing| self.at(sowing.place) == left);
            let Some(sowing) = next else {
                break;
            };
            line.push((sowing.pit + 1).to_string());
            board = sowing.board;
        }
        line.join(" ")
    }
}

impl Batch {
    /// Takes out the positions that a round settles, and gives their numbers.
    fn settle(&mut self, round: u16, layer: &[u16]) -> Vec<u32> {
        let Batch { open, next } = self;
        let mut settled = Vec::new();
        open.retain(|unsettled| {
            let settles = unsettled.settles(round, next, layer);
            if settles {
                settled.push(unsettled.number);
            }
            !settles
        });
        settled
    }
}
