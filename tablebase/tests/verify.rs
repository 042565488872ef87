//! Checks of tables: good ones pass, every kind of damage is named.

mod common;

use std::fs;
use std::path::Path;

use common::rulesets;
use games::Ruleset;
use tablebase::build::folder::build;
use tablebase::file::{
    Codec, Encoding, FileError, LayerFile, LayerWriter, key_of_folder, keys_in, layer_path,
};
use tablebase::verify::{Event, Verified, VerifyError, Wrong, verify};
use tablebase::{OpenError, Tables};

const MEMORY: u64 = 1 << 30;

fn built(name: &str, stones: u32, codec: Codec) -> (tempfile::TempDir, Ruleset) {
    let dir = tempfile::tempdir().unwrap();
    let ruleset: Ruleset = name.parse().unwrap();
    build(&ruleset, stones, dir.path(), Encoding::new(codec), MEMORY, &|_| ()).unwrap();
    (dir, ruleset)
}

fn check(dir: &Path, ruleset: &Ruleset) -> Result<Verified, VerifyError> {
    verify(ruleset, dir, MEMORY, None, &|_| ())
}

/// Changes values of a layer and gives the file right checksums.
fn plant(dir: &Path, ruleset: &Ruleset, layer: u32, numbers: &[u64]) {
    let key = ruleset.table_key();
    let path = layer_path(dir, &key, layer);
    let file = LayerFile::open(&path, &key).unwrap();
    let mut values = vec![0; file.header().count() as usize];
    file.read_range(0, &mut values).unwrap();
    for &number in numbers {
        let value = &mut values[number as usize];
        *value += if *value > 0 { -2 } else { 2 };
    }
    let (spec, encoding) = (file.header().spec().clone(), file.header().encoding());
    let mut writer = LayerWriter::create(path.parent().unwrap(), spec, encoding).unwrap();
    writer.write(&values).unwrap();
    writer.finish().unwrap();
}

fn wrong(result: Result<Verified, VerifyError>) -> (String, Wrong) {
    match result {
        Err(error @ VerifyError::Value { .. }) => {
            assert!(error.is_failure());
            let text = error.to_string();
            let VerifyError::Value { position, wrong, .. } = error else { unreachable!() };
            assert!(text.contains(&position) && text.contains(&wrong.stored.to_string()), "{text}");
            (position, wrong)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_the_builder_makes_passes_in_every_codec() {
    for codec in Codec::ALL {
        for name in ["kalah", "mangala", "kalah:3x1,remainder=none"] {
            let (dir, ruleset) = built(name, 8, codec);
            let checked = std::sync::atomic::AtomicU64::new(0);
            let tell = |event| {
                if let Event::Checked(positions) = event {
                    checked.fetch_add(positions, std::sync::atomic::Ordering::Relaxed);
                }
            };
            let verified = verify(&ruleset, dir.path(), MEMORY, None, &tell).unwrap();
            assert_eq!(verified.most_stones, 8);
            assert_eq!(verified.positions, checked.into_inner());
            assert_eq!(verified.positions, tablebase::index::positions_up_to(ruleset.pits(), 8));
        }
    }
}

#[test]
fn every_ruleset_passes() {
    for game in ["kalah", "mangala"] {
        for ruleset in rulesets(game, 3) {
            let (dir, ruleset) = built(&ruleset.to_string(), 9, Codec::Byte);
            check(dir.path(), &ruleset).unwrap();
        }
    }
}

/// Not a predecessor that no longer follows from it, also where that has a lower number.
#[test]
fn a_planted_value_is_named_wherever_it_is() {
    for codec in Codec::ALL {
        let (dir, ruleset) = built("kalah:3x1", 7, codec);
        let index = Tables::open(dir.path(), &ruleset, 7).unwrap().index().positions(7);
        for number in [0, 1, index / 3, index / 2, index - 5, index - 1] {
            plant(dir.path(), &ruleset, 7, &[number]);
            let (_, found) = wrong(check(dir.path(), &ruleset));
            assert_eq!((found.stones, found.number), (7, number));
            assert_eq!((found.stored - found.right).abs(), 2);
            plant_back(dir.path(), &ruleset, 7);
        }
    }
}

/// Builds the layer again.
fn plant_back(dir: &Path, ruleset: &Ruleset, layer: u32) {
    let path = layer_path(dir, &ruleset.table_key(), layer);
    let encoding = LayerFile::open(&path, &ruleset.table_key()).unwrap().header().encoding();
    fs::remove_file(path).unwrap();
    build(ruleset, layer, dir, encoding, MEMORY, &|_| ()).unwrap();
}

#[test]
fn every_single_wrong_value_of_a_layer_is_found() {
    for name in ["kalah:2x1", "mangala:2x1"] {
        let (dir, ruleset) = built(name, 6, Codec::Byte);
        for number in 0..Tables::open(dir.path(), &ruleset, 6).unwrap().index().positions(5) {
            plant(dir.path(), &ruleset, 5, &[number]);
            let (_, found) = wrong(check(dir.path(), &ruleset));
            assert_eq!((found.stones, found.number), (5, number), "{name}");
            plant_back(dir.path(), &ruleset, 5);
        }
    }
}

#[test]
fn the_lowest_layer_and_number_come_first() {
    let (dir, ruleset) = built("mangala", 8, Codec::Byte);
    plant(dir.path(), &ruleset, 8, &[3]);
    plant(dir.path(), &ruleset, 6, &[9000, 777, 5000]);
    let (position, found) = wrong(check(dir.path(), &ruleset));
    assert_eq!((found.stones, found.number), (6, 777));
    let parsed = games::notation::parse_position(&position, 6).unwrap();
    let tables = Tables::open(dir.path(), &ruleset, 8).unwrap();
    assert_eq!(parsed.board(), tables.index().board(6, 777));
}

#[test]
fn a_sample_is_a_fixed_part_of_each_layer() {
    let (dir, ruleset) = built("kalah", 9, Codec::Byte);
    let sample = |k| verify(&ruleset, dir.path(), MEMORY, Some(k), &|_| ());
    // Layers 0 to 3 have fewer than 500 positions: 1, 12, 78 and 364.
    assert_eq!(sample(500).unwrap().positions, 455 + 6 * 500);
    // Two of three values are wrong, so a sample of a hundred cannot miss them all.
    let numbers: Vec<u64> = (0..167_960).filter(|number| number % 3 > 0).collect();
    plant(dir.path(), &ruleset, 9, &numbers);
    let first = wrong(sample(100));
    assert_eq!(first.1.stones, 9);
    assert_eq!(first, wrong(sample(100)));
}

#[test]
fn damage_and_gaps_are_failures_but_no_tables_are_not() {
    let (dir, ruleset) = built("kalah:4x1", 6, Codec::ZstdBytes);
    let path = layer_path(dir.path(), &ruleset.table_key(), 5);
    let good = fs::read(&path).unwrap();
    for at in (0..good.len()).step_by(101).chain([good.len() - 1]) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, bytes).unwrap();
        let error = check(dir.path(), &ruleset).unwrap_err();
        assert!(error.is_failure(), "byte {at}: {error}");
        assert!(error.to_string().contains("layer-005.mnc"), "byte {at}: {error}");
    }
    fs::remove_file(&path).unwrap();
    let error = check(dir.path(), &ruleset).unwrap_err();
    assert!(matches!(error, VerifyError::Gap { above: 6, .. }) && error.is_failure(), "{error}");
    fs::remove_file(layer_path(dir.path(), &ruleset.table_key(), 0)).unwrap();
    let error = check(dir.path(), &ruleset).unwrap_err();
    assert!(matches!(error, VerifyError::Gap { above: 1, .. }), "{error}");
    let other = "kalah:5x1".parse().unwrap();
    let error = check(dir.path(), &other).unwrap_err();
    assert!(matches!(error, VerifyError::Open(OpenError::Empty { .. })), "{error}");
    assert!(!error.is_failure());
}

#[test]
fn compressed_tables_need_memory() {
    let (dir, ruleset) = built("kalah", 8, Codec::ZstdPacked);
    let error = verify(&ruleset, dir.path(), 1000, None, &|_| ()).unwrap_err();
    assert!(matches!(error, VerifyError::Open(OpenError::Memory { .. })), "{error}");
}

#[test]
fn folders_name_their_rulesets() {
    let (dir, ruleset) = built("kalah:3x1", 2, Codec::Byte);
    fs::create_dir(dir.path().join("Notes")).unwrap();
    fs::write(dir.path().join("readme"), "").unwrap();
    assert_eq!(keys_in(dir.path()).unwrap(), [ruleset.table_key()]);
    let missing = keys_in(&dir.path().join("none"));
    assert!(matches!(missing, Err(FileError::Io { .. })));
    for name in ["a%", "a%4", "a%zz", "A", "a%61"] {
        assert_eq!(key_of_folder(name), None, "{name}");
    }
    for key in ["kalah:6,capture=empty", "Käse:9_x%", ""] {
        let name = tablebase::file::folder_name(key);
        assert_eq!(key_of_folder(&name).as_deref(), Some(key));
    }
}
