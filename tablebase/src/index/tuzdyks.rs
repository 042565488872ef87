//! The index of toguz kumalak: a part for each pair of tuzdyks, and in a part two rows, each
//! ranked by itself.
//!
//! What a position is besides its stones goes first: the tuzdyk in the mover's row, 0 for none,
//! then that in the opponent's. A tuzdyk holds no stones, so within a part the rows are sides of
//! one pit less, ordered as those of the [other index](super). A layer without tuzdyks has
//! the numbers of that one.

use std::ops::Range;

use games::toguz::{Board, LOW_PITS};
use games::{Player, Position, Setup};

use super::numbering::runs;
use super::{Numbering, binomial};

/// The positions of every layer up to a number of stones, numbered without gaps layer by layer.
#[derive(Debug)]
pub struct TuzdykIndex {
    pits: usize,
    /// The rows by their tuzdyk, 0 for none.
    rows: Vec<RankedRows>,
    /// For each layer where the positions of a pair of tuzdyks and of so many stones of the
    /// mover start, and the number of all positions at the end.
    starts: Vec<Vec<u64>>,
}

/// All rows with one tuzdyk, or with none, of up to a number of stones.
#[derive(Debug)]
struct RankedRows {
    /// As the mover's, against an empty one; by their stones, then lexicographically.
    rows: Vec<Board>,
    /// Where the rows of each number of stones start, and the number of all at the end.
    starts: Vec<usize>,
    /// For the stones right of each pit: how many rows are the same left of the pit but have more in
    /// it, and so come later. Summed over the pits it is by how much a row comes before the last one
    /// of as many stones. The last pit decides nothing, so a ninth one has no place here.
    later: Vec<[u32; LOW_PITS]>,
}

/// Where a position is.
struct Spot<'a> {
    movers: &'a [Board],
    mover: usize,
    other: Board,
}

impl RankedRows {
    fn new(pits: usize, tuzdyk: Option<usize>, most: u32) -> RankedRows {
        let (mut rows, mut starts) = (Vec::new(), vec![0]);
        for stones in 0..=most {
            list_rows(&mut vec![0; pits], 0, stones, tuzdyk, &mut |pits| {
                rows.push(against_nothing(pits, tuzdyk));
            });
            starts.push(rows.len());
        }
        let later = |stones: u32, pit: usize| {
            let right = (pit + 1..pits).filter(|&right| tuzdyk != Some(right)).count() as u64;
            match stones.checked_sub(1) {
                // A tuzdyk holds nothing, and nothing lies right of the last pit.
                Some(less) if tuzdyk != Some(pit) && right > 0 => {
                    binomial(u64::from(less) + right, right).unwrap_or(u64::MAX)
                }
                _ => 0,
            }
        };
        let of = |stones| std::array::from_fn(|pit| later(stones, pit) as u32);
        RankedRows { rows, starts, later: (0..=most).map(of).collect() }
    }

    /// How many rows have so many stones.
    #[inline]
    fn count(&self, stones: u32) -> u64 {
        (self.starts[stones as usize + 1] - self.starts[stones as usize]) as u64
    }

    /// The rows of so many stones.
    #[inline]
    fn of(&self, stones: u32) -> &[Board] {
        &self.rows[self.starts[stones as usize]..self.starts[stones as usize + 1]]
    }

    /// The rank of the mover's row of a board among those of as many stones.
    #[inline]
    fn rank(&self, board: Board, stones: u32) -> u64 {
        let sums = board.sums().into_iter().enumerate();
        let later = sums.map(|(pit, sum)| self.later[stones as usize - usize::from(sum)][pit]);
        self.count(stones) - 1 - u64::from(later.sum::<u32>())
    }
}

/// A row of the mover against an empty one.
fn against_nothing(pits: &[u32], tuzdyk: Option<usize>) -> Board {
    let setup = Setup {
        pits: [pits.to_vec(), vec![0; pits.len()]],
        tuzdyks: [tuzdyk, None],
        stores: [0; 2],
        to_move: Player::South,
    };
    Position::pack(&setup, pits.len()).expect("a row fits, and nothing lies in its tuzdyk").board()
}

/// All ways to lay the stones into the pits from `pit` on that are no tuzdyk, in lexicographic
/// order.
fn list_rows(
    row: &mut [u32],
    pit: usize,
    stones: u32,
    tuzdyk: Option<usize>,
    visit: &mut impl FnMut(&[u32]),
) {
    if pit == row.len() {
        if stones == 0 {
            visit(row);
        }
        return;
    }
    let most = if tuzdyk == Some(pit) { 0 } else { stones };
    for count in 0..=most {
        row[pit] = count;
        list_rows(row, pit + 1, stones - count, tuzdyk, visit);
    }
    row[pit] = 0;
}

/// The tuzdyk in the mover's row of a board, from 1; 0 for none.
#[inline]
fn tuzdyk(board: Board) -> usize {
    board.tuzdyk().map_or(0, |pit| pit + 1)
}

impl TuzdykIndex {
    /// Pits a side.
    #[must_use]
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// The pairs of tuzdyks that there are, in order: that of the mover's row, from 1 or 0 for none,
    /// and that of the opponent's. The last pit is none, and two have different numbers.
    pub fn parts(&self) -> impl Iterator<Item = [usize; 2]> {
        pairs(self.pits)
    }

    /// The numbers of the positions of a layer with some tuzdyks.
    #[must_use]
    pub fn part(&self, stones: u32, tuzdyks: [usize; 2]) -> Range<u64> {
        let starts = &self.starts[stones as usize];
        let first = self.block(stones, tuzdyks, 0);
        starts[first]..starts[first + stones as usize + 1]
    }

    /// As [`Numbering::board`], given the part that the number is in.
    #[inline]
    #[must_use]
    pub fn board_in(&self, stones: u32, tuzdyks: [usize; 2], number: u64) -> Board {
        let Spot { movers, mover, other } = self.spot_in(stones, tuzdyks, number);
        Board::of_rows(movers[mover], other)
    }

    /// Bytes the index occupies in memory, but for what does not grow with the stones by much.
    #[must_use]
    pub fn memory(pits: usize, max_stones: u32) -> u64 {
        let sides = super::side_count_up_to(pits, max_stones);
        sides.saturating_mul(pits as u64).saturating_mul(size_of::<Board>() as u64)
    }

    /// Where a start is among those of its layer.
    #[inline]
    fn block(&self, stones: u32, [mover, other]: [usize; 2], mover_stones: u32) -> usize {
        (mover * self.pits + other) * (stones as usize + 1) + mover_stones as usize
    }

    fn spot(&self, stones: u32, number: u64) -> Spot<'_> {
        let block = self.starts[stones as usize].partition_point(|&start| start <= number) - 1;
        let pair = block / (stones as usize + 1);
        self.spot_in(stones, [pair / self.pits, pair % self.pits], number)
    }

    /// The same, given the tuzdyks.
    #[inline]
    fn spot_in(&self, stones: u32, tuzdyks: [usize; 2], number: u64) -> Spot<'_> {
        let first = self.block(stones, tuzdyks, 0);
        let starts = &self.starts[stones as usize][first..=first + stones as usize];
        let k = starts.partition_point(|&start| start <= number) - 1;
        let movers = self.rows[tuzdyks[0]].of(k as u32);
        let others = self.rows[tuzdyks[1]].of(stones - k as u32);
        let (within, width) = (number - starts[k], movers.len() as u64);
        Spot { movers, mover: (within % width) as usize, other: others[(within / width) as usize] }
    }
}

impl Numbering for TuzdykIndex {
    type Board = Board;

    fn new(pits: usize, max_stones: u32) -> TuzdykIndex {
        let tuzdyks = std::iter::once(None).chain((0..pits - 1).map(Some));
        let rows = tuzdyks.map(|tuzdyk| RankedRows::new(pits, tuzdyk, max_stones));
        let mut index = TuzdykIndex { pits, rows: rows.collect(), starts: Vec::new() };
        for stones in 0..=max_stones {
            let mut sizes = vec![0; pits * pits * (stones as usize + 1)];
            for [mover, other] in pairs(pits) {
                for k in 0..=stones {
                    let rows = [index.rows[mover].count(k), index.rows[other].count(stones - k)];
                    sizes[index.block(stones, [mover, other], k)] = rows[0] * rows[1];
                }
            }
            let mut starts = vec![0];
            starts.extend(sizes.iter().scan(0, |sum, size| {
                *sum += size;
                Some(*sum)
            }));
            index.starts.push(starts);
        }
        index
    }

    fn positions(&self, stones: u32) -> u64 {
        self.starts[stones as usize].last().copied().unwrap_or(0)
    }

    #[inline]
    fn number(&self, board: Board) -> (u32, u64) {
        let other = board.flipped();
        let [k, rest] = [board, other].map(Board::mover_stones);
        let [mover_tuzdyk, other_tuzdyk] = [board, other].map(tuzdyk);
        let (movers, others) = (&self.rows[mover_tuzdyk], &self.rows[other_tuzdyk]);
        let stones = k + rest;
        let block = self.block(stones, [mover_tuzdyk, other_tuzdyk], k);
        let row = others.rank(other, rest) * movers.count(k);
        (stones, self.starts[stones as usize][block] + row + movers.rank(board, k))
    }

    #[inline]
    fn board(&self, stones: u32, number: u64) -> Board {
        let Spot { movers, mover, other } = self.spot(stones, number);
        Board::of_rows(movers[mover], other)
    }

    fn boards(&self, stones: u32, numbers: Range<u64>) -> impl Iterator<Item = Board> + '_ {
        runs(numbers, move |number| {
            let Spot { movers, mover, other } = self.spot(stones, number);
            movers[mover..].iter().map(move |&mover| Board::of_rows(mover, other))
        })
    }
}

/// The pairs of tuzdyks, from 1 or 0 for none, that a board of so many pits a side can have.
fn pairs(pits: usize) -> impl Iterator<Item = [usize; 2]> {
    let pairs = (0..pits).flat_map(move |mover| (0..pits).map(move |other| [mover, other]));
    pairs.filter(|[mover, other]| mover != other || *mover == 0)
}

/// The number of positions of a layer of toguz kumalak; `None` if it does not fit.
#[must_use]
pub fn tuzdyk_layer_positions(pits: usize, stones: u32) -> Option<u64> {
    let (places, pits) = (2 * pits as u64 - 1, pits as u64);
    let tuzdyks = [(0, 1), (1, 2 * (pits - 1)), (2, (pits - 1) * pits.saturating_sub(2))];
    tuzdyks.into_iter().filter(|&(_, ways)| ways > 0).try_fold(0u64, |sum, (fewer, ways)| {
        let places = places - fewer;
        sum.checked_add(binomial(u64::from(stones) + places, places)?.checked_mul(ways)?)
    })
}
