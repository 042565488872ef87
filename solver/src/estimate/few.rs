//! Exact values of toguz boards with few stones, in memory.
//!
//! A layer holds all boards of so many stones, in a part for each pair of tuzdyks: none or one in
//! the mover's row, and none or one in the opponent's. What a sowing takes off the board leads to a
//! lower layer, and so does making a tuzdyk, because its three stones are taken. So within a layer
//! the tuzdyks stay what they are, only the rows change places: a part and its mirror image depend on
//! each other and on lower layers alone.
//!
//! Play can go round within a layer, and is worth 0 from there on then (the rest is split). Values
//! start at 0 and each becomes the best of its sowings, again and again until none changes: a win is
//! forced in finitely many sowings, so it is found, and so is a loss; what stays 0 is a draw or goes
//! round.

use games::toguz::{Board, Toguz};
use games::{Playable, Player, Position, Ruleset, Setup};
use rayon::prelude::*;
use tablebase::index::binomial;

use super::ending::Ending;

/// The most stones that tables are made for: with nine pits a side 41 million boards.
pub const MOST_FEW_STONES: u32 = 8;

/// Values of all boards up to some number of stones.
pub struct FewStones {
    numbers: Numbers,
    /// By stones, then by the tuzdyks of both rows.
    layers: Vec<Vec<Vec<i8>>>,
}

/// Numbers boards within their part: the colexicographic rank of their stars-and-bars word.
struct Numbers {
    pits: usize,
    /// `C(sum + place, place + 1)` by place and sum.
    terms: Vec<[u32; MOST_FEW_STONES as usize + 1]>,
}

impl Numbers {
    fn new(pits: usize) -> Numbers {
        let term = |place: usize, sum: usize| {
            let ways = if sum == 0 {
                0
            } else {
                binomial((sum + place) as u64, place as u64 + 1).unwrap_or(0)
            };
            ways as u32
        };
        let terms = (0..2 * pits).map(|place| std::array::from_fn(|sum| term(place, sum)));
        Numbers { pits, terms: terms.collect() }
    }

    /// The part that the board belongs to: each row's tuzdyk, from 1, or 0.
    #[inline]
    fn part(&self, board: Board) -> usize {
        let number = |board: Board| board.tuzdyk().map_or(0, |pit| pit + 1);
        number(board) * self.pits + number(board.flipped())
    }

    /// The number of a board in its part. A tuzdyk is empty, and not a place for stones.
    #[inline]
    fn number(&self, board: Board) -> usize {
        let (mut sum, mut place, mut number) = (0, 0, 0);
        for row in [board, board.flipped()] {
            for pit in (0..self.pits).filter(|&pit| row.tuzdyk() != Some(pit)) {
                sum += row.get(pit) as usize;
                number += self.terms[place][sum] as usize;
                place += 1;
            }
        }
        // The sum at the last place is the same for the whole layer.
        number - self.terms[place - 1][sum] as usize
    }
}

/// A part while it is worked out.
struct Part {
    /// What the sowings that take stones are worth at best, if there are any.
    fixed: Vec<Option<i8>>,
    /// Numbers, in the mirrored part, of the boards after the other sowings.
    next: Vec<Vec<u32>>,
}

impl FewStones {
    /// Works all values out for a board size, up to `most` stones and no more than
    /// [`MOST_FEW_STONES`], on all threads of the current pool.
    #[must_use]
    pub fn build(game: &Ruleset<Toguz>, most: u32) -> FewStones {
        let (pits, rules) = (game.pits(), game.rules());
        let mut few = FewStones { numbers: Numbers::new(pits), layers: Vec::new() };
        for stones in 0..=most.min(MOST_FEW_STONES) {
            let pairs = (0..pits).flat_map(|one| (one..pits).map(move |two| (one, two)));
            // Tuzdyks of the same number there are not.
            let pairs: Vec<_> = pairs.filter(|&(one, two)| one != two || one == 0).collect();
            let solved: Vec<_> =
                pairs.par_iter().map(|&(one, two)| few.solve(&rules, stones, one, two)).collect();
            let mut layer = vec![Vec::new(); pits * pits];
            for (&(one, two), [values, mirrored]) in pairs.iter().zip(solved) {
                layer[two * pits + one] = mirrored;
                layer[one * pits + two] = values;
            }
            few.layers.push(layer);
        }
        few
    }

    /// The values of a part and of its mirror image.
    fn solve(&self, rules: &Toguz, stones: u32, one: usize, two: usize) -> [Vec<i8>; 2] {
        let parts = [(one, two), (two, one)].map(|tuzdyks| self.part(rules, stones, tuzdyks));
        let mut values = [0, 1].map(|which| vec![0i8; parts[which].fixed.len()]);
        // A part without or with equal tuzdyks is its own mirror image.
        let other = |which: usize| if one == two { which } else { 1 - which };
        let sweeps = if one == two { 0..1 } else { 0..2 };
        loop {
            let mut changed = false;
            for which in sweeps.clone() {
                for (number, (fixed, next)) in
                    parts[which].fixed.iter().zip(&parts[which].next).enumerate()
                {
                    let after = next.iter().map(|&next| -values[other(which)][next as usize]);
                    let value = after.chain(*fixed).max().unwrap_or(0);
                    changed |= std::mem::replace(&mut values[which][number], value) != value;
                }
            }
            if !changed {
                return values;
            }
        }
    }

    /// Sows all boards of a part.
    fn part(&self, rules: &Toguz, stones: u32, tuzdyks: (usize, usize)) -> Part {
        let pits = self.numbers.pits;
        let mut boards = Vec::new();
        let tuzdyks = [tuzdyks.0, tuzdyks.1].map(|number| number.checked_sub(1));
        let mut row = vec![0; 2 * pits];
        let mut visit = |all: &[u32]| boards.push(board(all, tuzdyks));
        each(&mut row, 0, stones, tuzdyks, &mut visit);
        let mut part =
            Part { fixed: vec![None; boards.len()], next: vec![Vec::new(); boards.len()] };
        for board in boards {
            let number = self.numbers.number(board);
            if let Some(rest) = rules.remainder(board) {
                part.fixed[number] = Some(rest.value() as i8);
                continue;
            }
            for pit in rules.legal(board) {
                let sown = rules.sow(board, pit);
                if sown.gain == 0 && sown.given == 0 {
                    part.next[number].push(self.numbers.number(sown.board) as u32);
                } else {
                    let value = sown.value(self.value(sown.board)) as i8;
                    part.fixed[number] = part.fixed[number].max(Some(value));
                }
            }
        }
        part
    }
}

/// A board of the stones of both rows, the mover's first.
fn board(all: &[u32], tuzdyks: [Option<usize>; 2]) -> Board {
    let (mover, other) = all.split_at(all.len() / 2);
    let pits = [mover.to_vec(), other.to_vec()];
    let setup = Setup { pits, tuzdyks, stores: [0; 2], to_move: Player::South };
    let position: Position<Board> =
        Position::pack(&setup, mover.len()).expect("few stones fit, and none lie in tuzdyks");
    position.board()
}

/// All ways to lay the stones into the pits from `pit` on that are no tuzdyks.
fn each(
    all: &mut [u32],
    pit: usize,
    stones: u32,
    tuzdyks: [Option<usize>; 2],
    visit: &mut impl FnMut(&[u32]),
) {
    if pit == all.len() {
        if stones == 0 {
            visit(all);
        }
        return;
    }
    let pits = all.len() / 2;
    let is_tuzdyk = tuzdyks[pit / pits] == Some(pit % pits);
    let most = if is_tuzdyk { 0 } else { stones };
    for count in 0..=most {
        all[pit] = count;
        each(all, pit + 1, stones - count, tuzdyks, visit);
    }
    all[pit] = 0;
}

impl Ending<Board> for FewStones {
    fn most_stones(&self) -> Option<u32> {
        (self.layers.len() as u32).checked_sub(1)
    }

    #[inline]
    fn value(&self, board: Board) -> i32 {
        let part = &self.layers[board.stones() as usize][self.numbers.part(board)];
        i32::from(part[self.numbers.number(board)])
    }
}
