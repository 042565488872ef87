//! Sowings of toguz kumalak: the packing of the game against two others, and the plain rules.
//!
//! The others are here to be measured only. All must count the same captures.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::toguz::{Board, Toguz};
use games::{Playable, Position, Ruleset, Setup, perft, plain};

const PITS: usize = 9;
const COUNTS: usize = 163;
/// The lane of a row, after its pits, that holds the number of its tuzdyk.
const TUZDYK: usize = PITS;

/// A packing: rows as the mover sees them, and the table of what sowings add to them.
trait Packing: Copy {
    type Row: Copy;
    fn row(lanes: [u8; 16]) -> Self::Row;
    fn new(rows: [Self::Row; 2]) -> Self;
    fn get(self, pit: usize) -> u8;
    /// Gives the board after a sowing with the opponent to move, and what both stores gained.
    fn sow(self, table: &[([Self::Row; 2], u8)], pit: usize) -> (Self, u8, u8);
}

/// For each pit and count the stones that both rows gain, and the place of the last.
fn table<P: Packing>() -> Vec<([P::Row; 2], u8)> {
    let lay = |pit: usize, count: usize| {
        let mut lanes = [[0u8; 16]; 2];
        let mut place = pit + usize::from(count == 1);
        for _ in 0..count {
            lanes[place / PITS][place % PITS] += 1;
            place = (place + 1) % (2 * PITS);
        }
        // Lifting borrows from no lane: there are as many stones to lift.
        lanes[0][pit] = lanes[0][pit].wrapping_sub(count as u8);
        (lanes.map(P::row), ((place + 2 * PITS - 1) % (2 * PITS)) as u8)
    };
    (0..PITS).flat_map(|pit| (0..COUNTS).map(move |count| lay(pit, count))).collect()
}

/// Two words of 128 bits, eight a pit.
#[derive(Clone, Copy)]
struct Wide {
    mover: u128,
    other: u128,
}

const LANE: u128 = 0xff;

impl Wide {
    fn lane(row: u128, pit: usize) -> u8 {
        (row >> (8 * pit)) as u8
    }

    /// Empties the tuzdyk of a row.
    fn collect(row: u128) -> (u128, u8) {
        match Self::lane(row, TUZDYK) {
            0 => (row, 0),
            number => {
                let pit = usize::from(number) - 1;
                (row & !(LANE << (8 * pit)), Self::lane(row, pit))
            }
        }
    }
}

impl Packing for Wide {
    type Row = u128;

    /// A lifted lane borrows from those above, so the difference is made of whole words.
    fn row(lanes: [u8; 16]) -> u128 {
        let lanes = lanes.iter().enumerate();
        lanes.fold(0, |row, (pit, &stones)| {
            let stones =
                if stones > u8::MAX - 162 { i128::from(stones) - 256 } else { stones.into() };
            row.wrapping_add((stones as u128) << (8 * pit))
        })
    }

    fn new([mover, other]: [u128; 2]) -> Wide {
        Wide { mover, other }
    }

    fn get(self, pit: usize) -> u8 {
        Self::lane(self.mover, pit)
    }

    fn sow(self, table: &[([u128; 2], u8)], pit: usize) -> (Wide, u8, u8) {
        let ([own, others], last) = table[pit * COUNTS + usize::from(self.get(pit))];
        let mover = self.mover.wrapping_add(own);
        let mut other = self.other.wrapping_add(others);
        let mut captured = 0;
        if let Some(last) = usize::from(last).checked_sub(PITS) {
            let (stones, mine) = (Self::lane(other, last), Self::lane(other, TUZDYK));
            let number = last as u8 + 1;
            if number != mine {
                if stones.is_multiple_of(2) {
                    captured = stones;
                    other &= !(LANE << (8 * last));
                } else if stones == 3
                    && mine == 0
                    && last + 1 < PITS
                    && number != Self::lane(mover, TUZDYK)
                {
                    other |= u128::from(number) << (8 * TUZDYK);
                }
            }
        }
        let (other, gain) = Self::collect(other);
        let (mover, given) = Self::collect(mover);
        (Wide { mover: other, other: mover }, captured + gain, given)
    }
}

/// Two vectors of sixteen bytes, added lane by lane.
#[derive(Clone, Copy)]
struct Lanes {
    mover: [u8; 16],
    other: [u8; 16],
}

impl Lanes {
    fn add(row: [u8; 16], more: [u8; 16]) -> [u8; 16] {
        std::array::from_fn(|lane| row[lane].wrapping_add(more[lane]))
    }

    fn collect(row: &mut [u8; 16]) -> u8 {
        match row[TUZDYK] {
            0 => 0,
            number => std::mem::take(&mut row[usize::from(number - 1) % 16]),
        }
    }
}

impl Packing for Lanes {
    type Row = [u8; 16];

    fn row(lanes: [u8; 16]) -> [u8; 16] {
        lanes
    }

    fn new([mover, other]: [[u8; 16]; 2]) -> Lanes {
        Lanes { mover, other }
    }

    fn get(self, pit: usize) -> u8 {
        self.mover[pit]
    }

    fn sow(self, table: &[([[u8; 16]; 2], u8)], pit: usize) -> (Lanes, u8, u8) {
        let ([own, others], last) = table[pit * COUNTS + usize::from(self.get(pit))];
        let mut mover = Self::add(self.mover, own);
        let mut other = Self::add(self.other, others);
        let mut captured = 0;
        if let Some(last) = usize::from(last).checked_sub(PITS) {
            let (stones, mine) = (other[last % 16], other[TUZDYK]);
            let number = last as u8 + 1;
            if number != mine {
                if stones.is_multiple_of(2) {
                    captured = stones;
                    other[last % 16] = 0;
                } else if stones == 3 && mine == 0 && last + 1 < PITS && number != mover[TUZDYK] {
                    other[TUZDYK] = number;
                }
            }
        }
        let gain = Self::collect(&mut other);
        let given = Self::collect(&mut mover);
        (Lanes { mover: other, other: mover }, captured + gain, given)
    }
}

/// Positions of games played at random, each of them once.
fn walk(ruleset: &Ruleset<Toguz>, rules: &Toguz) -> Vec<Position<Board>> {
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut positions = Vec::new();
    while positions.len() < 4000 {
        let mut position = Position::start(ruleset);
        while rules.remainder(position.board()).is_none() {
            positions.push(position);
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let legal: Vec<usize> = rules.legal(position.board()).collect();
            position = position.sow(rules, legal[(random >> 33) as usize % legal.len()]).0;
        }
    }
    positions
}

fn packed<P: Packing>(setup: &Setup) -> P {
    let row = |player: usize| {
        let mut lanes = [0; 16];
        setup.pits[player].iter().zip(&mut lanes).for_each(|(&stones, lane)| *lane = stones as u8);
        lanes[TUZDYK] = setup.tuzdyks[player].map_or(0, |pit| pit as u8 + 1);
        lanes
    };
    let me = setup.to_move as usize;
    // A position is no difference: no lane is negative.
    P::new([row(me), row(1 - me)].map(P::row))
}

/// Sows all pits with stones; counts the sowings and adds up what they gain and lead to.
fn sow_all<P: Packing>(boards: &[P], table: &[([P::Row; 2], u8)]) -> (u64, u64) {
    let mut total = (0, 0);
    for board in boards {
        for pit in (0..PITS).filter(|&pit| board.get(pit) > 0) {
            let (next, gain, given) = board.sow(table, pit);
            total.0 += 1;
            total.1 += u64::from(gain) + 3 * u64::from(given) + u64::from(next.get(0));
        }
    }
    total
}

fn sowings(c: &mut Criterion) {
    let ruleset: Ruleset<Toguz> = "toguz,stop=none".parse().expect("a ruleset");
    let rules = ruleset.rules();
    let positions = walk(&ruleset, &rules);
    let setups: Vec<Setup> = positions.iter().map(|position| position.setup(PITS)).collect();
    let slow = || {
        let mut total = (0u64, 0u64);
        for setup in &setups {
            for pit in plain::legal(&ruleset, setup) {
                let sown = plain::sow(&ruleset, setup, pit);
                let next = &sown.setup.pits[sown.setup.to_move as usize];
                total.0 += 1;
                total.1 += u64::from(sown.gain + 3 * sown.given + next[0]);
            }
        }
        total
    };
    let words = || {
        let mut total = (0u64, 0u64);
        for position in &positions {
            for pit in rules.legal(position.board()) {
                let sown = rules.sow(position.board(), pit);
                total.0 += 1;
                total.1 +=
                    u64::from(sown.gain) + 3 * u64::from(sown.given) + u64::from(sown.board.get(0));
            }
        }
        total
    };
    let expected = slow();
    let wide: Vec<Wide> = setups.iter().map(packed).collect();
    let lanes: Vec<Lanes> = setups.iter().map(packed).collect();
    let (wide_table, lanes_table) = (table::<Wide>(), table::<Lanes>());
    let mut group = c.benchmark_group("sowings of toguz");
    group.throughput(Throughput::Elements(expected.0));
    group.sample_size(20).measurement_time(Duration::from_secs(2));
    group.bench_function("three words", |b| b.iter(|| assert_eq!(words(), expected)));
    group.bench_function("two words of 128 bits", |b| {
        b.iter(|| assert_eq!(sow_all(&wide, &wide_table), expected));
    });
    group.bench_function("vectors of bytes", |b| {
        b.iter(|| assert_eq!(sow_all(&lanes, &lanes_table), expected));
    });
    group.bench_function("plain", |b| b.iter(|| assert_eq!(slow(), expected)));
    group.finish();

    let start = Position::start(&ruleset);
    let mut group = c.benchmark_group("perft");
    group.throughput(Throughput::Elements(43_184));
    group.sample_size(20).measurement_time(Duration::from_secs(2));
    group.bench_function("toguz, 5 plies", |b| {
        b.iter(|| assert_eq!(perft(&ruleset, &rules, &start, 5)[5], 43_184));
    });
}

criterion_group!(benches, sowings);
criterion_main!(benches);
