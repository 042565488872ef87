//! The builder against the plain one: one layer of 4.46 million positions, on one thread.

use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use games::Ruleset;
use tablebase::Probe;
use tablebase::build::plain::PlainBuilder;
use tablebase::build::{Builder, MemoryTables};
use tablebase::index::{Index, layer_positions};

/// The layer that is filled.
const LAYER: u32 = 14;
/// How much faster the builder is to be at least.
const TARGET: f64 = 15.0;

fn fast(ruleset: &Ruleset, layers: u32) -> Builder {
    let mut builder = Builder::new(ruleset, LAYER).expect("memory");
    (0..layers).for_each(|_| builder.fill_next(&|_| ()));
    builder
}

fn assert_equal(ruleset: &Ruleset, fast: Builder, plain: &PlainBuilder) {
    let tables: MemoryTables = fast.finish().expect("memory");
    let index = Index::new(ruleset.pits(), LAYER);
    for (number, &value) in (0..).zip(plain.layer(LAYER)) {
        let board = index.board(LAYER, number);
        assert_eq!(tables.value(board), Some(i32::from(value)), "{ruleset}: {board:?}");
    }
}

fn layer(c: &mut Criterion) {
    // One thread, so that time is CPU time.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool yet");
    for name in ["kalah", "mangala"] {
        let ruleset: Ruleset = name.parse().expect("a ruleset");
        let mut group = c.benchmark_group(format!("layer {LAYER} of {name}"));
        group.throughput(Throughput::Elements(layer_positions(ruleset.pits(), LAYER)));
        group.sample_size(10).measurement_time(Duration::from_secs(4));
        let mut best = [Duration::MAX; 2];
        group.bench_function("builder", |b| {
            b.iter_batched_ref(
                || fast(&ruleset, LAYER),
                |builder| best[0] = best[0].min(time(|| builder.fill_next(&|_| ()))),
                BatchSize::PerIteration,
            );
        });
        let mut plain = PlainBuilder::new(&ruleset, LAYER);
        (0..LAYER).for_each(|_| plain.fill_next());
        group.bench_function("plain", |b| {
            b.iter(|| {
                plain.drop_from(LAYER);
                best[1] = best[1].min(time(|| plain.fill_next()));
            });
        });
        group.finish();
        assert_equal(&ruleset, fast(&ruleset, LAYER + 1), &plain);
        let ratio = best[1].as_secs_f64() / best[0].as_secs_f64();
        println!("{name}: the builder is {ratio:.1} times as fast as the plain one, values equal");
        assert!(ratio >= TARGET, "{name}: {ratio:.1} times, {TARGET} are wanted");
    }
}

fn time(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

criterion_group!(benches, layer);
criterion_main!(benches);
