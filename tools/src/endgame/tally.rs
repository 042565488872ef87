//! One pass over the positions of a layer.

use games::{Board, Game};
use rayon::prelude::*;
use tablebase::Probe;

use super::examples::{greedy_example, waiting_example};
use super::sowings::{Sowing, greedy};
use super::tables::Open;
use super::{Greed, Material, Tempo};

/// Positions looked at by a task.
const BATCH: u64 = 1 << 14;
/// Examples kept of each kind.
const EXAMPLES: usize = 3;

/// What is counted, and the positions with the strongest examples.
pub(super) struct Tally {
    stones: u32,
    /// By the stones on the mover's side.
    material: Vec<Material>,
    tempo: Tempo,
    zugzwangs: Strongest,
    greed: Greed,
    thrown: Strongest,
}

/// The positions that cost most: stones lost and number, the most first, then the lowest number.
#[derive(Default)]
struct Strongest(Vec<(i32, u64)>);

impl Strongest {
    fn add(&mut self, loss: i32, number: u64) {
        let place = self.0.partition_point(|&(l, n)| (-l, n) < (-loss, number));
        if place < EXAMPLES {
            self.0.insert(place, (loss, number));
            self.0.truncate(EXAMPLES);
        }
    }
}

impl Tally {
    /// Counts a layer on the threads of the current rayon pool.
    pub(super) fn of(open: &Open, stones: u32) -> Tally {
        let positions = open.values.index().positions(stones);
        let count = |batch: u64| {
            let mut tally = Tally::none(stones);
            let numbers = batch * BATCH..positions.min((batch + 1) * BATCH);
            let mut sowings = Vec::new();
            for number in numbers {
                let board = open.values.index().board(stones, number);
                sowings.clear();
                sowings.extend(open.sowings(board));
                // A board that is not over has a sowing.
                if !sowings.is_empty() {
                    tally.add(open, board, number, &sowings);
                }
            }
            tally
        };
        let batches = (0..positions.div_ceil(BATCH)).into_par_iter();
        batches.map(count).reduce(|| Tally::none(stones), Tally::plus)
    }

    fn none(stones: u32) -> Tally {
        let row = |held: u32| Material {
            advantage: 2 * held as i32 - stones as i32,
            ..Material::default()
        };
        Tally {
            stones,
            material: (0..=stones).map(row).collect(),
            tempo: Tempo::default(),
            zugzwangs: Strongest::default(),
            greed: Greed::default(),
            thrown: Strongest::default(),
        }
    }

    fn add(&mut self, open: &Open, board: Board, number: u64, sowings: &[Sowing]) {
        let value = open.values.value_at((self.stones, number));
        let row = &mut self.material[board.mover.stones() as usize];
        row.positions += 1;
        row.sum += i64::from(value);
        row.wins += u64::from(value > 0);
        row.losses += u64::from(value < 0);
        let other = board.flipped();
        if open.rules.remainder(other).is_none() {
            self.add_tempo(value, number, open, other);
        }
        if value > 0 {
            self.add_greed(value, number, sowings);
        }
    }

    fn add_tempo(&mut self, value: i32, number: u64, open: &Open, other: Board) {
        let place = open.values.locate(other);
        let flipped = open.values.value_at(place);
        let tempo = value + flipped;
        self.tempo.positions += 1;
        self.tempo.sum += i64::from(tempo);
        if tempo < 0 {
            self.tempo.zugzwang += 1;
            self.tempo.both_lose += u64::from(value < 0 && flipped < 0);
            // The same board with the sides exchanged is no example of its own.
            if number <= place.1 {
                self.zugzwangs.add(-tempo, number);
            }
        }
    }

    fn add_greed(&mut self, value: i32, number: u64, sowings: &[Sowing]) {
        let Some(best) = greedy(sowings).map(|sowing| sowing.value).max() else {
            return;
        };
        self.greed.positions += 1;
        self.greed.costly += u64::from(best < value);
        self.greed.lost += u64::from(best < 0);
        if best <= 0 {
            self.greed.thrown += 1;
            self.thrown.add(value - best, number);
        }
    }

    fn plus(mut self, more: Tally) -> Tally {
        for (sum, more) in self.material.iter_mut().zip(&more.material) {
            sum.positions += more.positions;
            sum.sum += more.sum;
            sum.wins += more.wins;
            sum.losses += more.losses;
        }
        self.tempo.positions += more.tempo.positions;
        self.tempo.sum += more.tempo.sum;
        self.tempo.zugzwang += more.tempo.zugzwang;
        self.tempo.both_lose += more.tempo.both_lose;
        self.greed.positions += more.greed.positions;
        self.greed.costly += more.greed.costly;
        self.greed.thrown += more.greed.thrown;
        self.greed.lost += more.greed.lost;
        for (kept, more) in [(&mut self.zugzwangs, more.zugzwangs), (&mut self.thrown, more.thrown)]
        {
            more.0.into_iter().for_each(|(loss, number)| kept.add(loss, number));
        }
        self
    }

    /// Live positions by material, where there are some.
    pub(super) fn material(&self) -> Vec<Material> {
        self.material.iter().filter(|row| row.positions > 0).cloned().collect()
    }

    pub(super) fn tempo(&self, open: &Open) -> Tempo {
        let board = |number| open.values.index().board(self.stones, number);
        let strongest = self.zugzwangs.0.iter();
        let strongest = strongest.map(|&(_, number)| waiting_example(open, board(number)));
        Tempo { strongest: strongest.collect(), ..self.tempo.clone() }
    }

    pub(super) fn greed(&self, open: &Open) -> Greed {
        let board = |number| open.values.index().board(self.stones, number);
        let strongest = self.thrown.0.iter();
        let strongest = strongest.map(|&(_, number)| greedy_example(open, board(number)));
        Greed { strongest: strongest.collect(), ..self.greed.clone() }
    }
}
