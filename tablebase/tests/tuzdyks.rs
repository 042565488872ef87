//! Tables of toguz kumalak: the index, the builder against the plain one, files and their proof.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::in_pool;
use games::toguz::{Board, Toguz};
use games::{Playable, Ruleset};
use tablebase::build::folder::{BuildError, Plan, What, build};
use tablebase::build::tuzdyks::Builder;
use tablebase::build::tuzdyks::plain::PlainBuilder;
use tablebase::file::{Codec, Encoding, FileError, LayerFile, LayerWriter, layer_path};
use tablebase::index::{Index, Numbering, TuzdykIndex, tuzdyk_layer_positions};
use tablebase::verify::{Verified, VerifyError, verify};
use tablebase::{Counts, OpenError, Probe, Tables};

const MEMORY: u64 = 1 << 30;

fn toguz(pits: usize) -> Ruleset<Toguz> {
    format!("toguz:{pits}x1").parse().unwrap()
}

/// Every board of the twin, which knows nothing of the index, has a number, and no two the same.
#[test]
fn the_index_is_gapless_and_knows_every_position() {
    for (pits, most) in [(1, 9), (2, 8), (3, 5), (4, 4), (9, 2)] {
        let index = TuzdykIndex::new(pits, most);
        let mut plain = PlainBuilder::new(&toguz(pits));
        for stones in 0..=most {
            plain.fill_next();
            let positions = index.positions(stones);
            assert_eq!(tuzdyk_layer_positions(pits, stones), Some(positions));
            let mut boards: BTreeMap<u64, Board> = BTreeMap::new();
            for (board, _) in plain.layer(stones as usize) {
                let (layer, number) = index.number(board);
                assert!(layer == stones && number < positions, "{board:?}");
                assert_eq!(boards.insert(number, board), None, "{board:?}");
                assert_eq!(index.board(stones, number), board);
            }
            assert_eq!(boards.len() as u64, positions);
            let listed: Vec<Board> = index.boards(stones, 0..positions).collect();
            assert!(listed.into_iter().eq(boards.values().copied()));
            let (from, to) = (positions / 3, positions - positions / 4);
            let part = boards.range(from..to).map(|(_, &board)| board);
            assert!(index.boards(stones, from..to).eq(part));
        }
    }
}

/// The documented order: tuzdyks first, and without them the index of other games.
#[test]
fn the_index_is_that_of_other_games_where_there_are_no_tuzdyks() {
    let (index, sides) = (TuzdykIndex::new(4, 5), Index::new(4, 5));
    for stones in 0..=5 {
        let positions = sides.positions(stones);
        assert_eq!(index.part(stones, [0, 0]), 0..positions);
        for number in 0..positions {
            let (found, board) = (index.board(stones, number), sides.board(stones, number));
            let rows = [(found, board.mover), (found.flipped(), board.other)];
            assert!(rows.iter().all(|(row, side)| (0..4).all(|pit| row.get(pit) == side.get(pit))));
        }
    }
    let pairs: Vec<[usize; 2]> = TuzdykIndex::new(3, 0).parts().collect();
    assert_eq!(pairs, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]);
    // C(n + 17, 17) + 16 C(n + 16, 16) + 56 C(n + 15, 15) on nine pits.
    let counts = [0, 1, 8, 10].map(|stones| tuzdyk_layer_positions(9, stones));
    assert_eq!(counts, [73, 1186, 40_306_695, 276_474_605].map(Some));
}

#[test]
fn every_position_has_the_value_of_the_plain_builder() {
    for (pits, most) in [(1, 20), (2, 13), (3, 8), (4, 5), (5, 4), (9, 2)] {
        let ruleset = toguz(pits);
        let (mut builder, mut plain) = (Builder::new(&ruleset, most), PlainBuilder::new(&ruleset));
        let mut decided = 0;
        for stones in 0..=most {
            builder.fill_next(&|_| ()).unwrap();
            plain.fill_next();
            for (board, value) in plain.layer(stones as usize) {
                assert_eq!(builder.value(board), Some(value), "{board:?}");
                decided += u32::from(value != 0);
            }
        }
        assert!(decided > 30, "{pits}: {decided}");
    }
}

fn built(ruleset: &Ruleset<Toguz>, stones: u32, codec: Codec) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    build(ruleset, stones, dir.path(), Encoding::new(codec), MEMORY, &|_| ()).unwrap();
    dir
}

fn check(dir: &Path, ruleset: &Ruleset<Toguz>) -> Result<Verified, VerifyError> {
    verify(ruleset, dir, MEMORY, None, &|_| ())
}

fn path(dir: &Path, ruleset: &Ruleset<Toguz>, layer: u32) -> std::path::PathBuf {
    layer_path(dir, &ruleset.table_key(), layer)
}

#[test]
fn files_are_the_same_for_any_number_of_threads_and_after_an_interruption() {
    let ruleset = toguz(4);
    let one = in_pool(1, || built(&ruleset, 6, Codec::ZstdPacked));
    let three = in_pool(3, || built(&ruleset, 6, Codec::ZstdPacked));
    let resumed = built(&ruleset, 3, Codec::ZstdPacked);
    fs::write(path(resumed.path(), &ruleset, 4).with_extension("mnc.tmp"), "half").unwrap();
    let encoding = Encoding::new(Codec::ZstdPacked);
    build(&ruleset, 6, resumed.path(), encoding, MEMORY, &|_| ()).unwrap();
    for layer in 0..=6 {
        let bytes = |dir: &tempfile::TempDir| fs::read(path(dir.path(), &ruleset, layer)).unwrap();
        assert!(bytes(&one) == bytes(&three) && bytes(&one) == bytes(&resumed), "{layer}");
    }
}

#[test]
fn files_hold_what_was_built_in_every_codec_and_are_proved() {
    let ruleset = toguz(4);
    let mut builder = Builder::new(&ruleset, 6);
    (0..=6).for_each(|_| builder.fill_next(&|_| ()).unwrap());
    for codec in Codec::ALL {
        let dir = built(&ruleset, 6, codec);
        let positions = (0..=6).filter_map(|stones| tuzdyk_layer_positions(4, stones)).sum();
        let verified = check(dir.path(), &ruleset).unwrap();
        assert_eq!(verified, Verified { most_stones: 6, positions });
        let tables = Tables::open(dir.path(), &ruleset, 127).unwrap();
        for stones in 0..=6 {
            let file = &tables.layers()[stones as usize];
            let mut values = vec![0; file.header().count() as usize];
            file.read_range(0, &mut values).unwrap();
            assert!(values == builder.layer(stones), "{codec} {stones}");
            let counts = Counts::of(&ruleset.rules(), tables.index(), file).unwrap();
            let mut all: BTreeMap<i32, u64> = BTreeMap::new();
            values.iter().for_each(|&value| *all.entry(value.into()).or_default() += 1);
            assert!(counts.all().eq(all), "{codec} {stones}");
        }
        let board = tables.index().board(6, 1234);
        let value = i32::from(builder.layer(6)[1234]);
        assert_eq!(tables.value(board).unwrap(), Some(value));
        assert_eq!(tables.into_resident(MEMORY).unwrap().value(board), Some(value));
    }
}

/// Replaces a layer, with right checksums.
fn plant(dir: &Path, ruleset: &Ruleset<Toguz>, layer: u32, values: &[i8]) {
    let path = path(dir, ruleset, layer);
    let file = LayerFile::open(&path, &ruleset.table_key()).unwrap();
    let (spec, encoding) = (file.header().spec().clone(), file.header().encoding());
    let mut writer = LayerWriter::create(path.parent().unwrap(), spec, encoding).unwrap();
    writer.write(values).unwrap();
    writer.finish().unwrap();
}

#[test]
fn every_single_wrong_value_of_a_layer_is_found() {
    let ruleset = toguz(3);
    let dir = built(&ruleset, 4, Codec::Byte);
    let mut builder = Builder::new(&ruleset, 4);
    (0..=4).for_each(|_| builder.fill_next(&|_| ()).unwrap());
    let right = builder.layer(4);
    for (number, &value) in right.iter().enumerate() {
        let mut values = right.to_vec();
        values[number] = if value == 0 { 1 } else { -value };
        plant(dir.path(), &ruleset, 4, &values);
        let error = check(dir.path(), &ruleset).unwrap_err();
        assert!(error.is_failure(), "{number}: {error}");
    }
}

/// What follows from the values of the layer and of those below, by number.
fn follows(rules: &Toguz, index: &TuzdykIndex, below: &Builder, layer: &[i8], board: Board) -> i8 {
    if let Some(rest) = rules.remainder(board) {
        return rest.value() as i8;
    }
    let values = rules.legal(board).map(|pit| {
        let sown = rules.sow(board, pit);
        let (stones, number) = index.number(sown.board);
        let inside = sown.gain == 0 && sown.given == 0;
        let next = if inside { layer } else { below.layer(stones) };
        sown.value(next[number as usize].into()) as i8
    });
    values.max().unwrap()
}

/// A layer in which every value follows from the others, though one that is 0 is claimed not to be:
/// swept from there until nothing changes. `None` if that does not keep the claim up.
fn consistent_lie(
    rules: &Toguz,
    (index, below): (&TuzdykIndex, &Builder),
    stones: u32,
    (start, claim): (usize, i8),
) -> Option<Vec<i8>> {
    let mut values = below.layer(stones).to_vec();
    values[start] = claim;
    for _ in 0..40 {
        let before = values.clone();
        for (number, board) in index.boards(stones, 0..values.len() as u64).enumerate() {
            values[number] = follows(rules, index, below, &values, board);
        }
        if values == before {
            return (values[start] == claim).then_some(values);
        }
    }
    None
}

/// Where play goes round, lies can keep each other up; a check of successors alone passes them.
#[test]
fn a_consistent_lie_is_caught() {
    let mut lies = 0;
    for (pits, stones) in (3..=20).map(|stones| (1, stones)).chain([(2, 8), (3, 6)]) {
        let ruleset = toguz(pits);
        let (rules, index) = (ruleset.rules(), TuzdykIndex::new(pits, stones));
        let dir = built(&ruleset, stones, Codec::Byte);
        let mut builder = Builder::new(&ruleset, stones);
        (0..=stones).for_each(|_| builder.fill_next(&|_| ()).unwrap());
        let draws = (0..builder.layer(stones).len()).filter(|&at| builder.layer(stones)[at] == 0);
        for start in draws.flat_map(|start| [(start, 1), (start, -1)]) {
            let lie = consistent_lie(&rules, (&index, &builder), stones, start);
            let Some(values) = lie else { continue };
            lies += 1;
            plant(dir.path(), &ruleset, stones, &values);
            let error = check(dir.path(), &ruleset).unwrap_err();
            assert!(matches!(error, VerifyError::Unfounded { .. }), "{error}");
            assert!(error.is_failure());
        }
    }
    assert!(lies > 10, "{lies}");
}

#[test]
fn what_cannot_be_is_told() {
    let ruleset = toguz(9);
    let dir = tempfile::tempdir().unwrap();
    let encoding = Encoding::new(Codec::Byte);
    let plan = |stones, what, memory| Plan {
        ruleset: &ruleset,
        stones,
        what,
        tables: dir.path(),
        encoding,
        memory,
        keep_every: std::time::Duration::ZERO,
    };
    let error = plan(3, What::Bounds, MEMORY).run(&|_| ()).unwrap_err();
    assert!(matches!(error, BuildError::NoBounds("toguz")), "{error}");
    let error = plan(12, What::Values, MEMORY).run(&|_| ()).unwrap_err();
    assert!(matches!(error, BuildError::Memory { most: Some(10), .. }), "{error}");
    let error = plan(127, What::Values, u64::MAX).run(&|_| ()).unwrap_err();
    assert!(matches!(error, BuildError::Spec(_)), "{error}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    let missing = Tables::open(dir.path(), &ruleset, 127);
    assert!(matches!(missing, Err(OpenError::Empty { .. })));
}

/// A file whose name and key are right but whose positions are numbered in another way.
#[test]
fn files_of_another_index_are_refused() {
    use tablebase::file::{LayerSpec, Scheme, Step};
    let ruleset = toguz(3);
    let dir = built(&ruleset, 0, Codec::Byte);
    for (scheme, pits) in [(Scheme::Sides, 3), (Scheme::Tuzdyks, 2)] {
        let spec = LayerSpec::new(&ruleset.table_key(), scheme, pits, 0, Step::One).unwrap();
        let count = spec.count() as usize;
        let path = path(dir.path(), &ruleset, 0);
        let mut writer = LayerWriter::create(path.parent().unwrap(), spec, Codec::Byte).unwrap();
        writer.write(&vec![0; count]).unwrap();
        writer.finish().unwrap();
        let error = Tables::open(dir.path(), &ruleset, 127).unwrap_err();
        assert!(matches!(error, OpenError::File(FileError::Header { .. })), "{error}");
    }
}
