//! Packed sowing against the plain rules, and perft.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::{Game, Position, Ruleset, Setup, perft, plain};

/// Sowings counted at the last ply from the start position of 6x4, as `data/oracles/perft.json` has
/// them.
const PERFT: [(&str, usize, u64); 3] =
    [("kalah", 7, 114_430), ("mangala", 7, 204_921), ("oware", 7, 139_157)];

/// The positions some sowings after the start.
fn walk(ruleset: &Ruleset) -> Vec<Position> {
    let rules = ruleset.rules();
    let mut positions = vec![Position::start(ruleset)];
    for at in 0..2000 {
        let position = positions[at];
        let legal = rules.legal(position.board());
        positions.extend(legal.map(|pit| position.sow(&rules, pit).0));
    }
    positions.truncate(2000);
    positions
}

fn sowings(c: &mut Criterion) {
    for (name, _, _) in PERFT {
        let ruleset: Ruleset = name.parse().expect("a ruleset");
        let rules = ruleset.rules();
        let positions = walk(&ruleset);
        let setups: Vec<Setup> =
            positions.iter().map(|position| position.setup(ruleset.pits())).collect();
        let packed = || {
            let gains = positions.iter().flat_map(|position| {
                let board = position.board();
                rules.legal(board).map(move |pit| (board, pit))
            });
            let sown = gains.map(|(board, pit)| rules.sow(board, pit));
            sown.fold((0u64, 0u64), |(sowings, gain), sown| {
                (sowings + 1, gain + u64::from(sown.gain) + u64::from(sown.board.mover.get(0)))
            })
        };
        let slow = || {
            let mut total = (0u64, 0u64);
            for setup in &setups {
                for pit in plain::legal(&ruleset, setup) {
                    let sown = plain::sow(&ruleset, setup, pit);
                    let mover = &sown.setup.pits[sown.setup.to_move as usize];
                    total.0 += 1;
                    total.1 += u64::from(sown.gain) + u64::from(mover[0]);
                }
            }
            total
        };
        let expected = slow();
        let mut group = c.benchmark_group(format!("sowings of {name}"));
        group.throughput(Throughput::Elements(expected.0));
        group.sample_size(20).measurement_time(Duration::from_secs(2));
        group.bench_function("packed", |b| b.iter(|| assert_eq!(packed(), expected)));
        group.bench_function("plain", |b| b.iter(|| assert_eq!(slow(), expected)));
    }
}

fn perfts(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(20).measurement_time(Duration::from_secs(2));
    for (name, depth, nodes) in PERFT {
        let ruleset: Ruleset = name.parse().expect("a ruleset");
        let rules = ruleset.rules();
        let start = Position::start(&ruleset);
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{name}, {depth} plies"), |b| {
            b.iter(|| assert_eq!(perft(&ruleset, &rules, &start, depth)[depth], nodes));
        });
    }
}

criterion_group!(benches, sowings, perfts);
criterion_main!(benches);
