//! The fast builder against the plain one, the plain rules and published counts; builds in a
//! folder: resumed, refused, read meanwhile.

mod common;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use common::{in_pool, rulesets};
use games::{Board, Player, Ruleset, Setup, plain};
use serde_json::Value;
use tablebase::build::folder::{BuildError, Event, build};
use tablebase::build::plain::PlainBuilder;
use tablebase::build::{Builder, MemoryTables};
use tablebase::file::{Codec, Encoding, FileError, FolderLock, folder_name, layer_path};
use tablebase::index::Index;
use tablebase::{Counts, Probe, Tables};

/// Values by the plain rules, without boards, index or layers.
struct Twin<'a> {
    ruleset: &'a Ruleset,
    known: HashMap<[Vec<u32>; 2], i32>,
}

impl Twin<'_> {
    /// The value for South, to move.
    fn value(&mut self, pits: [Vec<u32>; 2]) -> i32 {
        if let Some(&value) = self.known.get(&pits) {
            return value;
        }
        let setup = Setup {
            pits: pits.clone(),
            tuzdyks: [None; 2],
            stores: [0; 2],
            to_move: Player::South,
        };
        let value = match plain::remainder(self.ruleset, &setup) {
            Some(remainder) => remainder.value(),
            None => {
                let values = plain::legal(self.ruleset, &setup).into_iter().map(|pit| {
                    let sowing = plain::sow(self.ruleset, &setup, pit);
                    let [south, north] = sowing.setup.pits;
                    let gain = sowing.gain as i32;
                    match sowing.again {
                        true => gain + self.value([south, north]),
                        false => gain - self.value([north, south]),
                    }
                });
                values.max().expect("a game that goes on has a sowing")
            }
        };
        self.known.insert(pits, value);
        value
    }
}

fn check_against_both_twins(ruleset: &Ruleset, stones: u32) {
    let pits = ruleset.pits();
    let tables = MemoryTables::build(ruleset, stones, &|_| ()).unwrap();
    let mut plain = PlainBuilder::new(ruleset, stones);
    let mut twin = Twin { ruleset, known: HashMap::new() };
    let index = Index::new(pits, stones);
    for layer in 0..=stones {
        plain.fill_next();
        for (number, &value) in (0..).zip(plain.layer(layer)) {
            let board = index.board(layer, number);
            assert_eq!(index.number(board), (layer, number));
            let name = || format!("{ruleset}: {board:?}");
            assert_eq!(tables.value(board), Some(i32::from(value)), "{}", name());
            let sides = [board.mover, board.other].map(|side| side.iter(pits).collect());
            assert_eq!(twin.value(sides), i32::from(value), "{}", name());
        }
    }
    assert_eq!(tables.value(index_beyond(pits, stones)), None);
}

/// A board of a layer that is not there.
fn index_beyond(pits: usize, stones: u32) -> Board {
    Index::new(pits, stones + 1).board(stones + 1, 0)
}

/// Every combination of options, every position, with as many stones as a short test allows;
/// on small boards that is many laps.
#[test]
fn every_ruleset_agrees_with_its_plain_twins_on_every_position() {
    for (pits, stones) in [(1, 40), (2, 24), (3, 12), (4, 9), (5, 7), (6, 7)] {
        for game in ["kalah", "mangala"] {
            for ruleset in rulesets(game, pits) {
                check_against_both_twins(&ruleset, stones);
            }
        }
    }
}

/// Sowings of one lap and more on 6 pits begin at 13 stones in a pit.
#[test]
fn layers_with_laps_agree_with_the_plain_builder() {
    for (game, pits, stones) in [
        ("kalah", 1, 127),
        ("mangala", 1, 127),
        ("kalah", 2, 36),
        ("mangala", 2, 36),
        ("kalah", 3, 20),
        ("mangala", 3, 20),
        ("kalah", 6, 13),
        ("mangala", 6, 13),
        ("kalah", 7, 6),
    ] {
        let ruleset: Ruleset = format!("{game}:{pits}x0").parse().unwrap();
        let tables = MemoryTables::build(&ruleset, stones, &|_| ()).unwrap();
        let mut plain = PlainBuilder::new(&ruleset, stones);
        let index = Index::new(pits, stones);
        for layer in 0..=stones {
            plain.fill_next();
            for (number, &value) in (0..).zip(plain.layer(layer)) {
                let board = index.board(layer, number);
                assert_eq!(tables.value(board), Some(i32::from(value)), "{ruleset}: {board:?}");
            }
        }
    }
}

#[test]
fn numbers_of_large_layers_come_back() {
    let index = Index::new(6, 26);
    for layer in [17, 24, 26] {
        let positions = index.positions(layer);
        let step = positions / 200_003;
        for number in (0..positions).step_by(step as usize).chain([positions - 1]) {
            assert_eq!(index.number(index.board(layer, number)), (layer, number));
        }
    }
}

fn by_value(counts: impl Iterator<Item = (i32, u64)>) -> BTreeMap<String, u64> {
    counts.map(|(value, positions)| (value.to_string(), positions)).collect()
}

#[test]
fn counts_agree_with_two_other_programs() {
    let text = include_str!("../../data/oracles/layers.json");
    let oracle: Value = serde_json::from_str(text).unwrap();
    for (title, name) in [
        ("kalah capture=nonempty", "kalah"),
        ("kalah capture=empty", "kalah,capture=empty"),
        ("mangala", "mangala"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let ruleset: Ruleset = name.parse().unwrap();
        build_bytes(&ruleset, 10, dir.path()).unwrap();
        let tables = Tables::open(dir.path(), &ruleset, 10).unwrap();
        for (layer, expected) in oracle[title].as_object().unwrap() {
            let file = &tables.layers()[layer.parse::<usize>().unwrap()];
            let counts = Counts::of(&ruleset.rules(), tables.index(), file).unwrap();
            let expected: BTreeMap<String, u64> = serde_json::from_value(expected.clone()).unwrap();
            assert_eq!(by_value(counts.live()), expected, "{title} layer {layer}");
            let all: u64 = counts.all().map(|(_, positions)| positions).sum();
            assert_eq!(all, file.header().count());
        }
    }
}

fn build_bytes(ruleset: &Ruleset, stones: u32, tables: &Path) -> Result<(), BuildError> {
    build(ruleset, stones, tables, Encoding::new(Codec::Byte), 1 << 30, &|_| ())
}

/// The files of a ruleset by name.
fn files(tables: &Path, ruleset: &Ruleset) -> BTreeMap<String, Vec<u8>> {
    let dir = tables.join(folder_name(&ruleset.table_key()));
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let read = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()));
    read.collect()
}

#[test]
fn any_number_of_threads_gives_the_same_files() {
    for name in ["kalah", "mangala:4x1,lone=take", "oware:5x1"] {
        let ruleset: Ruleset = name.parse().unwrap();
        for codec in [Codec::Byte, Codec::ZstdBytes] {
            let built = [1, 2, 5].map(|threads| {
                let dir = tempfile::tempdir().unwrap();
                let encoding = Encoding::new(codec);
                let build = || build(&ruleset, 12, dir.path(), encoding, 1 << 30, &|_| ());
                in_pool(threads, build).unwrap();
                files(dir.path(), &ruleset)
            });
            assert_eq!(built[0].len(), 14);
            assert!(built[0] == built[1] && built[0] == built[2], "{name} {codec}");
        }
    }
}

#[test]
fn a_layer_that_is_gone_is_built_again_and_only_that() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["kalah:4x1", "awari:4x1"] {
        rebuild(dir.path(), &name.parse().unwrap());
    }
}

fn rebuild(dir: &Path, ruleset: &Ruleset) {
    build_bytes(ruleset, 12, dir).unwrap();
    let whole = files(dir, ruleset);
    let path = |layer| layer_path(dir, &ruleset.table_key(), layer);
    fs::remove_file(path(7)).unwrap();
    // What a killed writer leaves.
    fs::write(path(9).with_extension("mnc.tmp"), "half").unwrap();
    let told = std::sync::Mutex::new(Vec::new());
    let tell = |event| told.lock().unwrap().push(event);
    build(ruleset, 12, dir, Encoding::new(Codec::Byte), 1 << 30, &tell).unwrap();
    assert!(files(dir, ruleset) == whole);
    let told = told.into_inner().unwrap();
    assert!(matches!(&told[0], Event::RemovedStale(files) if files.len() == 1));
    assert!(matches!(told[1], Event::Found(12)));
    let written: Vec<u32> = told
        .iter()
        .filter_map(|event| if let Event::Written(layer, _) = event { Some(*layer) } else { None })
        .collect();
    assert_eq!(written, [7]);
}

#[test]
fn too_little_memory_is_refused_with_sizes_before_anything_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let ruleset: Ruleset = "kalah".parse().unwrap();
    let error = build(&ruleset, 30, dir.path(), Encoding::new(Codec::Byte), 1 << 30, &|_| ());
    let Err(BuildError::Memory { stones: 30, needed, allowed, most: Some(most) }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(allowed, 1 << 30);
    assert!(Builder::memory(6, most) <= allowed && Builder::memory(6, most + 1) > allowed);
    assert!(needed > 11_000_000_000);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    // What the issue promises.
    assert!(Builder::memory(6, 26) < 4 << 30);
    assert!(Builder::memory(6, 28) < 8 << 30);
}

#[test]
fn damaged_foreign_and_locked_folders_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let [kalah, other]: [Ruleset; 2] =
        ["kalah:3x1", "kalah:3x1,capture=empty"].map(|name| name.parse().unwrap());
    build_bytes(&kalah, 5, dir.path()).unwrap();
    build_bytes(&other, 5, dir.path()).unwrap();
    let path = |ruleset: &Ruleset, layer| layer_path(dir.path(), &ruleset.table_key(), layer);
    fs::copy(path(&other, 3), path(&kalah, 3)).unwrap();
    let error = build_bytes(&kalah, 6, dir.path());
    assert!(matches!(error, Err(BuildError::File(FileError::Ruleset { .. }))), "{error:?}");
    fs::remove_file(path(&kalah, 3)).unwrap();
    let mut bytes = fs::read(path(&kalah, 4)).unwrap();
    bytes[4096] ^= 1;
    fs::write(path(&kalah, 4), bytes).unwrap();
    let error = build_bytes(&kalah, 6, dir.path());
    assert!(matches!(error, Err(BuildError::File(FileError::Block { .. }))), "{error:?}");
    let lock = FolderLock::acquire(path(&other, 0).parent().unwrap()).unwrap();
    let error = build_bytes(&other, 6, dir.path());
    assert!(matches!(error, Err(BuildError::File(FileError::Locked { .. }))), "{error:?}");
    drop(lock);
    build_bytes(&other, 6, dir.path()).unwrap();
    let history = build_bytes(&"oware,repetition=own-side".parse().unwrap(), 3, dir.path());
    assert!(matches!(history, Err(BuildError::Repetition(_))), "{history:?}");
}

#[test]
fn readers_probe_while_a_build_writes() {
    let dir = tempfile::tempdir().unwrap();
    let ruleset: Ruleset = "mangala".parse().unwrap();
    let right = MemoryTables::build(&ruleset, 11, &|_| ()).unwrap();
    let rounds = std::sync::atomic::AtomicUsize::new(0);
    let check = || {
        let tables = Tables::open(dir.path(), &ruleset, 11).unwrap();
        let most = tables.most_stones();
        for number in (0..tables.index().positions(most)).step_by(7) {
            let board = tables.index().board(most, number);
            assert_eq!(tables.value(board).unwrap(), right.value(board));
        }
        rounds.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    };
    // While one layer is written, all written before are read.
    let tell = |event| {
        if matches!(event, Event::Writing(layer) if layer > 0) {
            check();
        }
    };
    build(&ruleset, 11, dir.path(), Encoding::new(Codec::ZstdPacked), 1 << 30, &tell).unwrap();
    check();
    assert_eq!(rounds.into_inner(), 12);
}

#[test]
fn batches_of_probes_agree_with_single_ones() {
    let ruleset: Ruleset = "kalah".parse().unwrap();
    let dir = tempfile::tempdir().unwrap();
    for codec in Codec::ALL {
        let dir = dir.path().join(codec.name());
        build(&ruleset, 9, &dir, Encoding::new(codec), 1 << 30, &|_| ()).unwrap();
        let tables = Tables::open(&dir, &ruleset, 9).unwrap().into_resident(1 << 30).unwrap();
        let index = tables.index();
        let board = |n: u64| index.board(n as u32 % 10, n * 7919 % index.positions(n as u32 % 10));
        let boards: Vec<Board> = (0..20_000).map(board).collect();
        for len in [0, 1, 15, 16, 17, 100, boards.len()] {
            let mut values = vec![0; len];
            tables.values(&boards[..len], &mut values);
            let single = boards[..len].iter().map(|&board| tables.value(board).unwrap());
            assert!(single.eq(values), "{codec} {len}");
        }
    }
}
