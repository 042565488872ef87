//! Bounds in files: built, continued, proved, counted.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use common::{in_pool, rulesets};
use games::{Game, Ruleset};
use tablebase::bounds::keeper;
use tablebase::build::cyclic::plain::PlainBounds;
use tablebase::build::folder::{BuildError, Event, Plan, What};
use tablebase::file::{
    Codec, Encoding, FileError, LayerFile, LayerWriter, ValueKind, file_path, folder_name,
    transcode,
};
use tablebase::verify::{Verified, VerifyError, verify_bounds};
use tablebase::{BoundCounts, BoundTables, Interval};

const MEMORY: u64 = 1 << 30;

fn plan<'a>(ruleset: &'a Ruleset, stones: u32, what: What, tables: &'a Path) -> Plan<'a> {
    Plan {
        ruleset,
        stones,
        what,
        tables,
        encoding: Encoding::new(Codec::Byte),
        memory: MEMORY,
        keep_every: Duration::from_secs(600),
    }
}

fn built(ruleset: &Ruleset, stones: u32, what: What, codec: Codec) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let encoding = Encoding::new(codec);
    Plan { encoding, ..plan(ruleset, stones, what, dir.path()) }.run(&|_| ()).unwrap();
    dir
}

fn check(dir: &Path, ruleset: &Ruleset) -> Result<Verified, VerifyError> {
    verify_bounds(ruleset, dir, MEMORY, None, &|_| ())
}

/// All files of a ruleset's folder by name.
fn files(dir: &Path, ruleset: &Ruleset) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir.join(folder_name(&keeper(ruleset).table_key()))).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let named = paths.map(|path| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap())
    });
    named.filter(|(name, _)| name != ".lock").collect()
}

fn open(dir: &Path, ruleset: &Ruleset, layer: u32, kind: ValueKind) -> LayerFile {
    let key = keeper(ruleset).table_key();
    LayerFile::open(&file_path(dir, &key, layer, kind), &key).unwrap()
}

fn read(dir: &Path, ruleset: &Ruleset, layer: u32, kind: ValueKind) -> Vec<i8> {
    let file = open(dir, ruleset, layer, kind);
    let mut values = vec![0; file.header().count() as usize];
    file.read_range(0, &mut values).unwrap();
    values
}

/// Replaces a file, with right checksums.
fn plant(dir: &Path, ruleset: &Ruleset, layer: u32, kind: ValueKind, values: &[i8]) {
    let file = open(dir, ruleset, layer, kind);
    let (spec, encoding) = (file.header().spec().clone(), file.header().encoding());
    let mut writer = LayerWriter::create(file.path().parent().unwrap(), spec, encoding).unwrap();
    writer.write(values).unwrap();
    writer.finish().unwrap();
}

#[test]
fn files_hold_what_the_plain_builder_finds_and_are_proved_in_every_codec() {
    for (codec, name) in Codec::ALL.into_iter().zip([
        "awari:3x1",
        "oware:3x1,slam=takes-all",
        "oware:4x1,repetition=own-side",
        "awari:2x1,feed=free",
    ]) {
        let ruleset: Ruleset = name.parse().unwrap();
        let dir = built(&ruleset, 8, What::Bounds, codec);
        let verified = check(dir.path(), &ruleset).unwrap();
        let positions = tablebase::index::positions_up_to(ruleset.pits(), 8);
        assert_eq!(verified, Verified { most_stones: 8, positions: 2 * positions });
        let tables = BoundTables::open(dir.path(), &ruleset, 127).unwrap().unwrap();
        assert_eq!(tables.most_stones(), 8);
        let mut plain = PlainBounds::new(&ruleset, 8);
        for layer in 0..=8 {
            plain.fill_next();
            let [lower, upper] = plain.layer(layer);
            let mut counts = BTreeMap::<_, (u64, u64)>::new();
            for (number, (&lower, &upper)) in (0..).zip(lower.iter().zip(upper)) {
                let board = tables.index().board(layer, number);
                let bounds = Interval { lower: lower.into(), upper: upper.into() };
                assert_eq!(tables.bounds(board).unwrap(), Some(bounds), "{name}: {board:?}");
                let (all, live) = counts.entry((lower, upper)).or_default();
                *all += 1;
                *live += u64::from(ruleset.rules().remainder(board).is_none());
            }
            let files = tables.layer(layer).unwrap();
            let counted = BoundCounts::of(&ruleset.rules(), tables.index(), files).unwrap();
            let counted = counted.all().map(|(Interval { lower, upper }, all, live)| {
                ((lower as i8, upper as i8), (all, live))
            });
            assert_eq!(counted.collect::<BTreeMap<_, _>>(), counts);
        }
    }
}

#[test]
fn every_ruleset_passes() {
    for ruleset in ["awari", "oware"].iter().flat_map(|game| rulesets(game, 2)) {
        check(built(&ruleset, 10, What::Bounds, Codec::Byte).path(), &ruleset).unwrap();
    }
}

#[test]
fn any_number_of_threads_gives_the_same_files() {
    let ruleset: Ruleset = "oware".parse().unwrap();
    let [one, two, five] = [1, 2, 5].map(|threads| {
        let dir = in_pool(threads, || built(&ruleset, 8, What::Bounds, Codec::ZstdBytes));
        files(dir.path(), &ruleset)
    });
    assert!(one == two && one == five);
    assert_eq!(one.len(), 18);
}

#[test]
fn every_single_wrong_bound_of_a_layer_is_found() {
    let ruleset: Ruleset = "awari:2x1".parse().unwrap();
    let dir = built(&ruleset, 4, What::Bounds, Codec::Byte);
    for kind in ValueKind::BOUNDS {
        let right = read(dir.path(), &ruleset, 4, kind);
        for number in 0..right.len() {
            for lie in [-4, -1, 0, 1, 4].into_iter().filter(|&lie| lie != right[number]) {
                let mut values = right.clone();
                values[number] = lie;
                plant(dir.path(), &ruleset, 4, kind, &values);
                let error = check(dir.path(), &ruleset).unwrap_err();
                assert!(error.is_failure(), "{number} {lie}: {error}");
            }
        }
        plant(dir.path(), &ruleset, 4, kind, &right);
        check(dir.path(), &ruleset).unwrap();
    }
}

/// In the lowest layer with play without end, every bound follows from the others as well if
/// that is said to be worth something in between: 0 for both, as with repetition=split, or a
/// stone for one.
#[test]
fn consistent_lies_are_caught() {
    for (name, stones) in [("awari", 2), ("oware", 2), ("awari:3x1", 2), ("oware:2x1", 2)] {
        let ruleset: Ruleset = name.parse().unwrap();
        let dir = built(&ruleset, stones, What::Bounds, Codec::Byte);
        let [lower, upper] = ValueKind::BOUNDS.map(|kind| read(dir.path(), &ruleset, stones, kind));
        let apart = |at: &usize| lower[*at] < upper[*at];
        assert!((0..lower.len()).any(|at| apart(&at)), "{name}");
        for below in 0..stones {
            let [lower, upper] =
                ValueKind::BOUNDS.map(|kind| read(dir.path(), &ruleset, below, kind));
            assert!(lower == upper, "{name}: play without end in layer {below}");
        }
        for worth in [0, 1] {
            let lie = |bounds: &[i8], value: i8| -> Vec<i8> {
                let pairs = (0..bounds.len()).map(|at| if apart(&at) { value } else { bounds[at] });
                pairs.collect()
            };
            // Less for the one is more for the other.
            plant(dir.path(), &ruleset, stones, ValueKind::LowerBound, &lie(&lower, -worth));
            plant(dir.path(), &ruleset, stones, ValueKind::UpperBound, &lie(&upper, worth));
            // Looking at successors alone does not find it.
            verify_bounds(&ruleset, dir.path(), MEMORY, Some(lower.len() as u64), &|_| ()).unwrap();
            let error = check(dir.path(), &ruleset).unwrap_err();
            assert!(matches!(error, VerifyError::Unfounded { .. }), "{name}: {error}");
            assert!(error.is_failure() && error.to_string().contains("layer-002-"), "{error}");
        }
    }
}

#[test]
fn a_missing_bound_is_a_gap_and_is_built_again() {
    let ruleset: Ruleset = "awari:3x1".parse().unwrap();
    let dir = built(&ruleset, 6, What::Bounds, Codec::Packed);
    let before = files(dir.path(), &ruleset);
    let path = open(dir.path(), &ruleset, 4, ValueKind::UpperBound).path().to_owned();
    fs::remove_file(&path).unwrap();
    let error = check(dir.path(), &ruleset).unwrap_err();
    assert!(matches!(error, VerifyError::Gap { above: 4, .. }) && error.is_failure(), "{error}");
    assert!(error.to_string().contains("layer-004-upper.mnc is missing"), "{error}");
    let opened = BoundTables::open(dir.path(), &ruleset, 127).unwrap().unwrap();
    assert_eq!(opened.most_stones(), 3);
    let encoding = Encoding::new(Codec::Packed);
    Plan { encoding, ..plan(&ruleset, 6, What::Bounds, dir.path()) }.run(&|_| ()).unwrap();
    assert!(files(dir.path(), &ruleset) == before);
}

/// A name states the kind, so that no bound is ever read for a value.
#[test]
fn files_under_the_name_of_another_kind_are_refused() {
    let ruleset: Ruleset = "awari:3x1".parse().unwrap();
    let dir = built(&ruleset, 3, What::Bounds, Codec::Byte);
    let key = ruleset.table_key();
    let [lower, upper] = ValueKind::BOUNDS.map(|kind| file_path(dir.path(), &key, 3, kind));
    for name in [file_path(dir.path(), &key, 3, ValueKind::Exact), lower] {
        fs::copy(&upper, &name).unwrap();
        let error = LayerFile::open(&name, &key).unwrap_err();
        assert!(matches!(error, FileError::Kind { found: ValueKind::UpperBound, .. }), "{error}");
    }
    let file = LayerFile::open(&upper, &key).unwrap();
    let packed = transcode(&file, upper.parent().unwrap(), Codec::ZstdPacked).unwrap();
    assert_eq!(packed, upper);
}

#[test]
fn games_without_recurrence_have_no_bounds() {
    let kalah: Ruleset = "kalah:3x3".parse().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let error = plan(&kalah, 3, What::Bounds, dir.path()).run(&|_| ()).unwrap_err();
    assert!(matches!(error, BuildError::NoRecurrence("kalah")), "{error}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// Builds until a layer has been kept in work for the last of `times` times; that is where the
/// build is broken off.
fn broken_off(plan: &Plan<'_>, times: u32) -> bool {
    let kept = AtomicU32::new(0);
    let tell = |event| {
        if matches!(event, Event::Kept(..)) && kept.fetch_add(1, Relaxed) + 1 == times {
            panic!("broken off");
        }
    };
    catch_unwind(AssertUnwindSafe(|| plan.run(&tell).unwrap())).is_err()
}

/// Counts the layers that a build goes on within.
fn resumed(plan: &Plan<'_>) -> u32 {
    let resumed = AtomicU32::new(0);
    let tell = |event| {
        if matches!(event, Event::Resumed(..)) {
            resumed.fetch_add(1, Relaxed);
        }
    };
    plan.run(&tell).unwrap();
    resumed.into_inner()
}

#[test]
fn a_build_broken_off_within_a_layer_goes_on_there_and_gives_the_same_files() {
    let ruleset: Ruleset = "awari:3x1".parse().unwrap();
    for what in [What::Values, What::Bounds] {
        let whole = built(&ruleset, 9, what, Codec::Byte);
        let whole = files(whole.path(), &ruleset);
        for times in [1, 5, 14, 35] {
            let dir = tempfile::tempdir().unwrap();
            let often = Plan { keep_every: Duration::ZERO, ..plan(&ruleset, 9, what, dir.path()) };
            assert!(broken_off(&often, times), "{what:?} {times}");
            let part = |name: &&String| name.ends_with(".part");
            assert_eq!(files(dir.path(), &ruleset).keys().filter(part).count(), 1);
            assert_eq!(resumed(&often), 1, "{what:?} {times}");
            assert!(files(dir.path(), &ruleset) == whole, "{what:?} {times}");
        }
    }
}

#[test]
fn a_damaged_layer_in_work_is_not_used() {
    let ruleset: Ruleset = "oware:3x1".parse().unwrap();
    let whole = files(built(&ruleset, 7, What::Bounds, Codec::Byte).path(), &ruleset);
    let dir = tempfile::tempdir().unwrap();
    let often = Plan { keep_every: Duration::ZERO, ..plan(&ruleset, 7, What::Bounds, dir.path()) };
    assert!(broken_off(&often, 50));
    let (name, good) =
        files(dir.path(), &ruleset).into_iter().find(|(name, _)| name.ends_with(".part")).unwrap();
    let path = dir.path().join(folder_name(&ruleset.table_key())).join(name);
    let flip = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let longer = [&good[..], &[0]].concat();
    for bad in [flip(0), flip(20), flip(300), good[..good.len() - 1].to_vec(), vec![], longer] {
        fs::write(&path, bad).unwrap();
        let once = Plan { keep_every: Duration::from_secs(600), ..often };
        assert_eq!(resumed(&once), 0);
        assert!(files(dir.path(), &ruleset) == whole);
        // Once more from the same layer on.
        for layer in whole.keys().filter(|name| path.to_string_lossy().contains(&name[..9])) {
            fs::remove_file(path.parent().unwrap().join(layer)).unwrap();
        }
    }
}
