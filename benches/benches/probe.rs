//! Random probes of each codec, one by one and in batches that prefetch. `PROBE_STONES` sets
//! the layer, 18 if it is not set; the times of a warm large layer are those that matter.

use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::{Board, Ruleset};
use tablebase::build::folder::build;
use tablebase::file::{Codec, Encoding};
use tablebase::{Probe, ResidentTables, Tables};

/// Probes a round.
const PROBES: usize = 1 << 20;
/// Probes a round where each decompresses a block.
const SLOW_PROBES: usize = 1 << 10;

fn probes(c: &mut Criterion) {
    let stones =
        std::env::var("PROBE_STONES").map_or(18, |stones| stones.parse().expect("a number"));
    let ruleset: Ruleset = "kalah".parse().expect("a ruleset");
    let mut group = c.benchmark_group(format!("probes of layer {stones}"));
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    let mut expected = None;
    for codec in [Codec::Byte, Codec::Packed, Codec::ZstdBytes] {
        let dir = tempfile::tempdir().expect("a folder");
        build(&ruleset, stones, dir.path(), Encoding::new(codec), u64::MAX, &|_| ())
            .expect("built");
        let files = open(dir.path(), &ruleset, stones);
        let boards = random_boards(&files, stones);
        if codec.is_compressed() {
            group.throughput(Throughput::Elements(SLOW_PROBES as u64));
            group.bench_function(format!("{codec}, block by block"), |b| {
                b.iter(|| sum_of_files(&files, &boards[..SLOW_PROBES]));
            });
        }
        let tables = files.into_resident(u64::MAX).expect("memory");
        group.throughput(Throughput::Elements(PROBES as u64));
        let sum = sum(&tables, &boards);
        assert_eq!(*expected.get_or_insert(sum), sum, "{codec}");
        group.bench_function(format!("{codec}, one by one"), |b| {
            b.iter(|| assert_eq!(self::sum(&tables, &boards), sum));
        });
        let mut values = vec![0; boards.len()];
        group.bench_function(format!("{codec}, batch"), |b| {
            b.iter(|| {
                tables.values(&boards, &mut values);
                assert_eq!(values.iter().map(|&value| i64::from(value)).sum::<i64>(), sum);
            });
        });
    }
}

fn open(dir: &Path, ruleset: &Ruleset, stones: u32) -> Tables {
    Tables::open(dir, ruleset, stones).expect("opens")
}

/// Boards of a layer in no order.
fn random_boards(tables: &Tables, stones: u32) -> Vec<Board> {
    let positions = tables.index().positions(stones);
    // A generator of Knuth's MMIX; only its high bits are good.
    let mut state = 1u64;
    let next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        tables.index().board(stones, (state >> 20) % positions)
    };
    std::iter::repeat_with(next).take(PROBES).collect()
}

fn sum(tables: &ResidentTables, boards: &[Board]) -> i64 {
    boards.iter().map(|&board| i64::from(tables.value(board).expect("the layer is there"))).sum()
}

fn sum_of_files(tables: &Tables, boards: &[Board]) -> i64 {
    let value = |&board| tables.value(board).expect("undamaged").expect("the layer is there");
    boards.iter().map(value).map(i64::from).sum()
}

criterion_group!(benches, probes);
criterion_main!(benches);
