//! Estimates at equal depth: CPU time and nodes from positions after five random plies.
//!
//! `cargo bench -p benches --bench estimate [-- DEPTH...]` prints the medians of twenty positions
//! for each game and depth on one thread, and how much sooner two have done all positions. A table
//! starts empty for each position.

use std::str::FromStr;
use std::time::{Duration, Instant};

use games::toguz::Toguz;
use games::{Playable, Position, Rules, Ruleset};
use rustix::time::{ClockId, clock_gettime};
use solver::estimate::{Analysis, Estimated, Limits, Scope, analyse};
use tablebase::NoTables;

const POSITIONS: usize = 20;
const PLIES: usize = 5;
const MEMORY: u64 = 1 << 28;

/// CPU time of all threads: the machine may be shared.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Positions after random sowings from the start.
fn positions<R: Playable>(game: &Ruleset<R>) -> Vec<R::Board> {
    let (rules, mut random) = (game.rules(), fastrand::Rng::with_seed(5));
    let one = |_| {
        let mut position = Position::start(game);
        for _ in 0..PLIES {
            let legal: Vec<usize> = rules.legal(position.board()).collect();
            let pit = random.choice(legal).expect("no game ends so soon");
            position = position.sow(&rules, pit).0;
        }
        position.board()
    };
    (0..POSITIONS).map(one).collect()
}

fn measure<R: Estimated>(name: &str, depth: u8, scope: Scope)
where
    Ruleset<R>: FromStr<Err: std::fmt::Debug>,
{
    let game: Ruleset<R> = name.parse().expect("a game");
    let rules = game.rules();
    let limits = Limits { depth, step: 2, memory: MEMORY, stop: &|| false };
    let one = |board: R::Board| {
        let start = now();
        let analysis = analyse(&rules, &NoTables, board, 0, scope, &limits);
        (now() - start, analysis)
    };
    let boards = positions(&game);
    let run = |threads: usize| -> (Duration, Vec<(Duration, Analysis)>) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let start = Instant::now();
        let all = pool.install(|| boards.iter().map(|&board| one(board)).collect());
        (start.elapsed(), all)
    };
    let [(alone, mut all), (together, others)] = [1, 2].map(run);
    assert!(
        all.iter().zip(&others).all(|(one, other)| one.1 == other.1),
        "the same by two threads"
    );
    let (time, nodes) = all
        .iter()
        .fold((Duration::ZERO, 0), |(time, nodes), one| (time + one.0, nodes + one.1.nodes));
    let sum: i32 = all.iter().map(|one| one.1.estimate).sum();
    all.sort_by_key(|one| one.0);
    let median = (all[POSITIONS / 2 - 1].0 + all[POSITIONS / 2].0) / 2;
    all.sort_by_key(|one| one.1.nodes);
    let middle = (all[POSITIONS / 2 - 1].1.nodes + all[POSITIONS / 2].1.nodes) / 2;
    println!(
        "{name:10} depth {depth:2} {scope:?}: median {:.4} s, {middle} nodes; worst {:.3} s; {:.1} M nodes a second; \
         two threads {:.2} times as fast; sum of estimates {sum}",
        median.as_secs_f64(),
        all.iter().map(|one| one.0.as_secs_f64()).fold(0.0, f64::max),
        nodes as f64 / time.as_secs_f64() / 1e6,
        alone.as_secs_f64() / together.as_secs_f64(),
    );
}

fn main() {
    let given: Vec<u8> = std::env::args().filter_map(|text| text.parse().ok()).collect();
    let depths = if given.is_empty() { vec![10, 12] } else { given };
    for scope in [Scope::Estimate, Scope::Value, Scope::Sowings] {
        for &depth in &depths {
            measure::<Toguz>("toguz", depth, scope);
            measure::<Rules>("bestemshe", depth, scope);
        }
    }
}
