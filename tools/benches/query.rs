//! `mancala query --value-only` on one thread: a million random positions of a layer over warm
//! raw tables, from reading the file to writing the values. `QUERY_STONES` sets the layer, 18 if
//! it is not set.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::notation::dash;
use games::{Player, Ruleset, Setup};
use tablebase::Tables;

const POSITIONS: u64 = 1_000_000;
const USUAL_STONES: u32 = 18;
/// The hash of the answers for [`USUAL_STONES`].
const USUAL_HASH: u64 = 0x98a5_bde4_5445_de07;

fn query(c: &mut Criterion) {
    let stones = std::env::var("QUERY_STONES").ok();
    let stones = stones.map_or(USUAL_STONES, |stones| stones.parse().expect("a number"));
    let dir = tempfile::tempdir().expect("a folder");
    let most = stones.to_string();
    mancala(dir.path(), &["build", "kalah", "--stones", &most, "--codec", "byte", "--quiet"]);
    let (positions, values) = random_positions(dir.path(), stones);
    let expected = hash(values.as_bytes());
    if stones == USUAL_STONES {
        assert_eq!(expected, USUAL_HASH, "{expected:#x}");
    }
    let path = dir.path().join("positions.txt");
    fs::write(&path, positions).expect("written");
    let input = path.to_str().expect("UTF-8");
    let args = ["query", "kalah", "--value-only", "--threads", "1", "--quiet", "--tables-only"];
    let args = [&args[..], &["--input", input]].concat();
    let mut group = c.benchmark_group(format!("query of layer {stones}"));
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    group.throughput(Throughput::Elements(POSITIONS));
    group.bench_function("values", |b| {
        b.iter(|| assert_eq!(hash(&mancala(dir.path(), &args)), expected));
    });
}

fn mancala(tables: &Path, args: &[&str]) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mancala"));
    let output = command.args(args).arg("--tables").arg(tables).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Positions of a layer in no order, and their values as the tables give them one by one.
fn random_positions(tables: &Path, stones: u32) -> (String, String) {
    let kalah: Ruleset = "kalah".parse().expect("a ruleset");
    let tables = Tables::open(tables, &kalah, stones).expect("opens");
    let (mut positions, mut values) = (String::new(), String::new());
    // A generator of Knuth's MMIX; only its high bits are good.
    let mut state = 1u64;
    for _ in 0..POSITIONS {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let board = tables.index().board(stones, (state >> 20) % tables.index().positions(stones));
        let pits = [board.mover, board.other].map(|side| side.iter(6).collect());
        let setup = Setup { pits, stores: [0; 2], to_move: Player::South, tuzdyks: [None; 2] };
        let value = tables.value(board).expect("undamaged").expect("the layer is there");
        writeln!(positions, "{}", dash::format(&setup)).expect("memory");
        writeln!(values, "{value}").expect("memory");
    }
    (positions, values)
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

criterion_group!(benches, query);
criterion_main!(benches);
