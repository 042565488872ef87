//! Searches that are stopped, kept in files, and continued.

mod common;

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use common::{ruleset, search};
use games::{Board, Position};
use solver::{CheckpointError, Oracle, Search, SearchError, Solver, Status, Watch};
use tablebase::build::MemoryTables;

const MEMORY: u64 = 16 << 20;

/// Stops a search once, after some ticks.
struct StopAfter(AtomicU64);

impl Watch for StopAfter {
    fn tick(&self, _status: Status) -> ControlFlow<()> {
        match self.0.fetch_sub(1, Relaxed) {
            1 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Kalah 6x3 with empty captures is worth 2, and takes a million nodes over 8 stones.
fn six_by_three() -> (games::Ruleset, Board) {
    let ruleset = ruleset("kalah:6x3,capture=empty");
    let start = Position::start(&ruleset).board();
    (ruleset, start)
}

/// Kalah 6x2 with empty captures is worth 10 (Irving et al. 2000).
fn six_by_two() -> (games::Ruleset, Board) {
    let ruleset = ruleset("kalah:6x2,capture=empty");
    let start = Position::start(&ruleset).board();
    (ruleset, start)
}

#[test]
fn an_interrupted_search_answers_the_next_question() {
    let (ruleset, start) = six_by_three();
    for threads in [1, 2, 5] {
        let mut search = search(&ruleset, 36, 8, (MEMORY, threads), StopAfter(AtomicU64::new(0)));
        for ticks in [1, 2, 3, 5] {
            search.watch().0.store(ticks, Relaxed);
            let stopped = search.value(start);
            assert!(matches!(stopped, Err(SearchError::Interrupted)), "{threads} {stopped:?}");
        }
        assert_eq!(search.value(start).expect("nobody stops it"), 2);
    }
}

#[test]
fn a_late_search_answers_the_next_question() {
    let (ruleset, start) = six_by_three();
    for threads in [1, 3] {
        let mut search = search(&ruleset, 36, 8, (MEMORY, threads), ());
        for wait in [0, 1, 2] {
            search.set_deadline(Some(Instant::now() + Duration::from_millis(wait)));
            let late = search.value(start);
            assert!(matches!(late, Err(SearchError::Late) | Ok(2)), "{late:?}");
        }
        search.set_deadline(None);
        assert_eq!(search.value(start).expect("in time"), 2);
    }
}

fn kept(path: &Path) -> (Search<MemoryTables>, Board) {
    let (ruleset, start) = six_by_two();
    let mut search = search(&ruleset, 24, 4, (MEMORY, 1), ());
    search.keep_in(path).expect("no file yet, or a good one");
    (search, start)
}

#[test]
fn what_is_kept_need_not_be_searched_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kept");
    let (mut first, start) = kept(&path);
    assert_eq!(first.value(start).expect("found"), 10);
    first.save().expect("writable");
    let (mut second, _) = kept(&path);
    assert_eq!(second.value(start).expect("found"), 10);
    assert!(second.status().nodes * 10 < first.status().nodes, "{:?}", second.status());
    // Larger tables, more threads and another size of memory take it up as well.
    let (ruleset, _) = six_by_two();
    let mut other = search(&ruleset, 24, 8, (1 << 12, 4), ());
    assert!(other.keep_in(&path).expect("the same search") > 0);
    assert_eq!(other.value(start).expect("found"), 10);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn no_damaged_byte_is_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kept");
    let (mut search, start) = kept(&path);
    search.value(start).expect("found");
    search.save().expect("writable");
    let good = fs::read(&path).expect("written");
    let refused = |search: &mut Search<MemoryTables>, bytes: &[u8]| {
        fs::write(&path, bytes).expect("writable");
        let answer = search.keep_in(&path);
        assert!(
            matches!(answer, Err(SearchError::Checkpoint(CheckpointError::Damaged(_)))),
            "{answer:?}"
        );
    };
    for byte in 0..good.len() {
        for flip in [1, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[byte] ^= flip;
            refused(&mut search, &bad);
        }
    }
    for length in 0..good.len() {
        refused(&mut search, &good[..length]);
    }
    refused(&mut search, &[&good[..], &[0]].concat());
    refused(&mut search, b"no checkpoint at all");
    fs::write(&path, &good).expect("writable");
    assert!(search.keep_in(&path).expect("as it was written") > 0);
}

#[test]
fn what_another_search_has_kept_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kept");
    let (search, _) = kept(&path);
    search.save().expect("writable");
    for (text, stones) in [("kalah:6x2", 24), ("mangala:6x2", 24), ("kalah:6x3,capture=empty", 36)]
    {
        let ruleset = ruleset(text);
        let mut other = common::search(&ruleset, stones, 3, (MEMORY, 1), ());
        let refused = other.keep_in(&path);
        let Err(SearchError::Checkpoint(error @ CheckpointError::Other { .. })) = refused else {
            panic!("not refused: {refused:?}");
        };
        assert!(error.to_string().contains("capture=empty"), "{error}");
    }
    // Rules that only stop play change no value.
    let same = ruleset("kalah:6x2,capture=empty,stop=majority");
    let mut other = common::search(&same, 24, 3, (MEMORY, 1), ());
    assert!(other.keep_in(&path).is_ok());
}

#[test]
fn a_checkpoint_that_cannot_be_written_or_read_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ruleset, _) = six_by_two();
    let mut search = search(&ruleset, 24, 4, (MEMORY, 1), ());
    let told = |answer: Result<u64, SearchError>| {
        assert!(
            matches!(answer, Err(SearchError::Checkpoint(CheckpointError::Io { .. }))),
            "{answer:?}"
        );
    };
    // Before any search, not after it.
    told(search.keep_in(&folder.path().join("missing").join("kept")));
    told(search.keep_in(folder.path()));
}

#[test]
fn a_solver_that_builds_its_tables_is_interrupted_and_goes_on() {
    let ruleset = ruleset("kalah:6x3");
    let start = Position::start(&ruleset).board();
    let watch = Arc::new(StopAfter(AtomicU64::new(0)));
    let mut solver =
        Solver::new(&ruleset, 36, MemoryTables::none(&ruleset), 8 << 20, 3, watch.clone())
            .expect("acyclic");
    assert!(solver.table_stones() < 12);
    watch.0.store(2, Relaxed);
    assert!(matches!(solver.value(start), Err(SearchError::Interrupted)));
    assert_eq!(solver.value(start).expect("nobody stops it"), 2);
}
