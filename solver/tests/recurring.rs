//! The search of games whose positions recur, against tables of the layers that it searches.

mod common;

use common::{any_pits, board, ruleset};
use games::{Board, Ruleset};
use proptest::prelude::*;
use solver::{Driver, Limits, Oracle, Search, SearchError};
use tablebase::build::MemoryTables;
use tablebase::build::cyclic::plain::PlainBuilder;
use tablebase::index::Index;
use tablebase::{NoTables, Probe};

/// Only what is used of it is touched.
const MEMORY: u64 = 128 << 20;

/// Every rule that values depend on, `PITSx1` for the board.
const RULESETS: [&str; 8] = [
    "awari:PITSx1",
    "oware:PITSx1",
    "oware:PITSx1,slam=takes-all",
    "oware:PITSx1,slam=illegal",
    "oware:PITSx1,slam=illegal-unless-only,end=stuck",
    "oware:PITSx1,feed=free",
    "oware:PITSx1,feed=free,end=stuck,slam=nothing",
    "awari:PITSx1,feed=free,slam=illegal",
];

fn sized(text: &str, pits: usize) -> Ruleset {
    ruleset(&text.replace("PITS", &pits.to_string()))
}

/// A search over tables to so many stones; without any if that is `None`.
fn value_of(ruleset: &Ruleset, tables: Option<u32>, threads: usize, board: Board) -> i32 {
    let stones = board.stones();
    let value = match tables {
        None => {
            Search::new(ruleset, stones, NoTables, MEMORY, threads, ()).expect("new").value(board)
        }
        Some(layer) => {
            let tables = MemoryTables::build(ruleset, layer, &|_| ()).expect("memory");
            Search::new(ruleset, stones, tables, MEMORY, threads, ()).expect("new").value(board)
        }
    };
    value.expect("found")
}

/// Asserts the values of all boards of the layers above `tables` to `most`, on one search that
/// keeps what it proves in `memory` bytes. Gives how many.
fn assert_layers(ruleset: &Ruleset, tables: u32, most: u32, memory: u64) -> u64 {
    let known = MemoryTables::build(ruleset, most, &|_| ()).expect("memory");
    let small = MemoryTables::build(ruleset, tables, &|_| ()).expect("memory");
    let mut search = Search::new(ruleset, most, small, memory, 1, ()).expect("a search");
    let index = Index::new(ruleset.pits(), most);
    let mut count = 0;
    // From the top, so that what lower layers prove does not help.
    for stones in (tables + 1..=most).rev() {
        for number in 0..index.positions(stones) {
            let board = index.board(stones, number);
            let expected = known.value(board).expect("in the tables");
            assert_eq!(search.value(board).expect("found"), expected, "{ruleset} {board:?}");
            count += 1;
        }
    }
    count
}

#[test]
fn every_value_of_small_boards_is_that_of_the_tables() {
    for text in RULESETS {
        assert_layers(&sized(text, 1), 0, 9, 1 << 20);
        assert_layers(&sized(text, 2), 1, 8, 1 << 20);
        assert_layers(&sized(text, 3), 3, 6, 1 << 20);
        // Some hundred entries for thousands of boards.
        assert_layers(&sized(text, 2), 2, 8, 1 << 14);
    }
}

/// The table it is compared with is the plain one here, and nothing is below the search.
#[test]
fn without_tables_values_are_those_of_plain_sweeps() {
    for text in RULESETS {
        let ruleset = sized(text, 2);
        let (mut plain, index) = (PlainBuilder::new(&ruleset, 6), Index::new(2, 6));
        (0..=6).for_each(|_| plain.fill_next());
        for stones in 0..=6 {
            for (number, &value) in plain.layer(stones).iter().enumerate() {
                let board = index.board(stones, number as u64);
                assert_eq!(
                    value_of(&ruleset, None, 1, board),
                    i32::from(value),
                    "{ruleset} {board:?}"
                );
            }
        }
    }
}

/// Every threshold, also those beyond all values, with nothing known beforehand.
#[test]
fn bounds_are_true_for_every_threshold() {
    for text in RULESETS {
        let ruleset = sized(text, 2);
        let (layer, index) = (7, Index::new(2, 7));
        let known = MemoryTables::build(&ruleset, layer, &|_| ()).expect("memory");
        for number in (0..index.positions(layer)).step_by(11) {
            let board = index.board(layer, number);
            let value = known.value(board).expect("in the tables");
            for threshold in -9..=9 {
                let tables = MemoryTables::build(&ruleset, 2, &|_| ()).expect("memory");
                let mut search = Search::new(&ruleset, layer, tables, 1 << 14, 1, ()).expect("new");
                let bound = search.bound(board, threshold).expect("found");
                let told = format!("{ruleset} {board:?}, value {value}: {bound} at {threshold}");
                assert_eq!(bound >= threshold, value >= threshold, "{told}");
                assert!(if bound >= threshold { bound <= value } else { bound >= value }, "{told}");
                let (lower, upper) = search.bounds(board);
                assert!(lower <= value && value <= upper, "{told}, bounds {lower} to {upper}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Boards of any width, tables of any height, threads that race.
    #[test]
    fn random_boards_have_the_value_of_the_tables(
        text in prop::sample::select(&RULESETS[..]),
        pits in any_pits(6, 9),
        below in 1u32..4,
        threads in 1usize..=3,
    ) {
        let ruleset = sized(text, pits.len() / 2);
        let board = board(&pits);
        let known = MemoryTables::build(&ruleset, board.stones(), &|_| ()).expect("memory");
        let expected = known.value(board).expect("in the tables");
        let layer = board.stones().saturating_sub(below);
        prop_assert_eq!(value_of(&ruleset, Some(layer), threads, board), expected);
    }

    /// However early it is stopped, what it claims is true, and it can be continued.
    #[test]
    fn a_stopped_search_tells_true_bounds(
        text in prop::sample::select(&RULESETS[..]),
        pits in any_pits(4, 8),
        nodes in 0u64..2000,
        bisects in any::<bool>(),
    ) {
        let ruleset = sized(text, pits.len() / 2);
        let board = board(&pits);
        let known = MemoryTables::build(&ruleset, board.stones(), &|_| ()).expect("memory");
        let expected = known.value(board).expect("in the tables");
        let mut search =
            Search::new(&ruleset, board.stones(), NoTables, MEMORY, 1, ()).expect("new");
        if bisects {
            search.set_driver(Driver::Bisection);
        }
        search.set_limits(Limits { nodes: Some(nodes), until: None });
        match search.value(board) {
            Ok(value) => prop_assert_eq!(value, expected),
            Err(error) => prop_assert!(matches!(error, SearchError::Limit), "{}", error),
        }
        let (lower, upper) = search.bounds(board);
        prop_assert!(lower <= expected && expected <= upper, "{lower} to {upper}");
        search.set_limits(Limits::default());
        prop_assert_eq!(search.value(board).expect("found"), expected);
    }
}

/// A search that stops after some boards, gets a layer more and goes on, as long as it takes.
#[test]
fn over_growing_tables_a_search_finds_the_same_values() {
    const STEPS: u64 = 40;
    for text in RULESETS {
        let ruleset = sized(text, 3);
        let (layer, index) = (9, Index::new(3, 9));
        let known = MemoryTables::build(&ruleset, layer, &|_| ()).expect("memory");
        for number in (0..index.positions(layer)).step_by(97) {
            let board = index.board(layer, number);
            let none = MemoryTables::none(&ruleset);
            let mut search = Search::new(&ruleset, layer, none, 1 << 14, 1, ()).expect("new");
            let found = (0..layer).find_map(|stones| {
                let nodes = search.status().nodes + STEPS;
                search.set_limits(Limits { nodes: Some(nodes), until: None });
                let found = search.value(board).ok();
                let mut tables = search.exchange_tables(MemoryTables::none(&ruleset));
                tables.grow(&ruleset, stones, &|_| ()).expect("memory");
                assert_eq!(tables.most_stones(), Some(stones));
                search.exchange_tables(tables);
                found
            });
            search.set_limits(Limits::default());
            let found = found.unwrap_or_else(|| search.value(board).expect("found"));
            assert_eq!(Some(found), known.value(board), "{ruleset} {board:?}");
        }
    }
}

/// Closures that fill the memory end the search, not the program.
#[test]
fn too_little_room_is_told() {
    let ruleset = ruleset("awari:6x4");
    let start = Board::start(6, 4).expect("fits");
    let mut search = Search::new(&ruleset, 48, NoTables, 8 << 20, 1, ()).expect("new");
    search.set_limits(Limits { nodes: Some(3_000_000), until: None });
    let error = search.value(start).expect_err("too hard");
    assert!(error.is_stop() && matches!(error, SearchError::Room), "{error}");
    // Awari is a draw (Romein & Bal 2003).
    let (lower, upper) = search.bounds(start);
    assert!(lower <= 0 && upper >= 0, "{lower} to {upper}");
}

/// A large run, not part of the suite: `cargo test --release -p solver --test recurring -- --ignored
/// --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn layers_of_many_stones_have_the_values_of_the_tables() {
    let mut count = 0;
    for text in RULESETS {
        for (pits, tables, most) in [(1, 0, 30), (2, 3, 18), (3, 4, 10), (4, 4, 7), (6, 4, 6)] {
            count += assert_layers(&sized(text, pits), tables, most, 64 << 20);
        }
        count += assert_layers(&sized(text, 6), 6, 7, 1 << 20);
        println!("{text}: {count} boards so far");
    }
}
