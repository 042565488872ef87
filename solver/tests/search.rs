//! The search against the plain solver, against tables, and against itself under stress.

mod common;

use common::{any_pits, any_ruleset, board, ruleset, search};
use games::{Board, Position};
use proptest::prelude::*;
use solver::{Driver, plain::Plain};
use solver::{Oracle, Search, SearchError};
use tablebase::build::MemoryTables;
use tablebase::index::Index;
use tablebase::{NoTables, Probe};

const MEMORY: u64 = 16 << 20;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Under every option, with parity and without, whatever part of the tree the tables cut.
    #[test]
    fn search_agrees_with_the_plain_solver_and_with_larger_tables(
        text in any_ruleset(),
        pits in any_pits(6, 14),
        layer in 0u32..6,
        threads in 1usize..=2,
    ) {
        let ruleset = ruleset(&text.replace("PITS", &(pits.len() / 2).to_string()));
        let board = board(&pits);
        let stones = board.stones();
        let expected = Plain::new(&ruleset, 1 << 30).expect("acyclic").value(board);
        let expected = expected.expect("enough memory");
        let mut small = search(&ruleset, stones, layer, (MEMORY, threads), ());
        prop_assert_eq!(small.value(board).expect("found"), expected);
        let mut larger = search(&ruleset, stones, layer + 1, (MEMORY, threads), ());
        prop_assert_eq!(larger.value(board).expect("found"), expected);
        let without = Search::new(&ruleset, stones, NoTables, MEMORY, threads, ());
        prop_assert_eq!(without.expect("acyclic").value(board).expect("found"), expected);
    }
}

/// Asserts for all boards of `layer` and all thresholds that a bound is on the right side of the
/// threshold and is a true bound of its kind.
fn assert_bounds(text: &str, layer: u32, tables: u32, keeps: bool) {
    let ruleset = ruleset(text);
    let known = MemoryTables::build(&ruleset, layer, &|_| ()).expect("memory");
    let index = Index::new(ruleset.pits(), layer);
    let fresh = || search(&ruleset, layer, tables, (1 << 12, 1), ());
    let mut asked = fresh();
    for number in 0..index.positions(layer) {
        let board = index.board(layer, number);
        let value = known.value(board).expect("in the tables");
        let all = layer as i32;
        for threshold in -all - 2..=all + 2 {
            if !keeps {
                asked = fresh();
            }
            let bound = asked.bound(board, threshold).expect("found");
            let told = format!("{text} {board:?}, value {value}: {bound} at {threshold}");
            assert_eq!(bound >= threshold, value >= threshold, "{told}");
            assert!(if bound >= threshold { bound <= value } else { bound >= value }, "{told}");
            assert_eq!(asked.at_least(board, threshold).expect("found"), value >= threshold);
        }
    }
}

#[test]
fn bounds_are_true_for_every_threshold() {
    for options in ["", ",capture=empty", ",remainder=none", ",remainder=emptied,end=mover"] {
        assert_bounds(&format!("kalah:2x1{options}"), 8, 2, true);
        assert_bounds(&format!("kalah:3x1{options}"), 7, 3, true);
        assert_bounds(&format!("kalah:2x1{options}"), 5, 1, false);
    }
    for options in ["", ",lone=take", ",remainder=owner", ",end=mover"] {
        assert_bounds(&format!("mangala:2x1{options}"), 8, 2, true);
        assert_bounds(&format!("mangala:3x1{options}"), 6, 2, true);
        assert_bounds(&format!("mangala:1x1{options}"), 9, 0, false);
    }
}

#[test]
fn every_driver_leads_to_the_value() {
    for text in ["kalah:4x3", "mangala:4x2", "kalah:3x3,remainder=none"] {
        let ruleset = ruleset(text);
        let start = Position::start(&ruleset).board();
        let value = Plain::new(&ruleset, 1 << 30).expect("acyclic").value(start).expect("memory");
        for driver in [Driver::Mtdf, Driver::Bisection] {
            let mut search = search(&ruleset, ruleset.stones(), 6, (MEMORY, 1), ());
            search.set_driver(driver);
            assert_eq!(search.value(start).expect("found"), value, "{text} {driver:?}");
        }
    }
}

/// Far more boards than entries, far more threads than cores: entries are replaced all the time,
/// by all threads at once.
#[test]
fn a_tiny_table_and_many_threads_change_no_value() {
    let cases = [
        ("kalah:4x3", 6),
        ("kalah:4x4,capture=empty", 2),
        ("kalah:5x3,remainder=none", 5),
        ("kalah:6x2", 6),
        ("mangala:3x4", 6),
        ("mangala:5x2,end=mover", 2),
    ];
    for (text, layer) in cases {
        let ruleset = ruleset(text);
        let start = Position::start(&ruleset).board();
        let value = Plain::new(&ruleset, 1 << 30).expect("acyclic").value(start).expect("memory");
        for memory in [0, 1 << 10, 1 << 12] {
            for threads in [1, 8] {
                let mut search = search(&ruleset, ruleset.stones(), layer, (memory, threads), ());
                for _ in 0..2 {
                    assert_eq!(search.value(start).expect("found"), value, "{text} {threads}");
                }
            }
        }
    }
}

/// Fewer boards than threads and more, some of them twice, finished or in the tables.
#[test]
fn many_boards_are_valued_together() {
    for text in ["kalah:3x4", "mangala:3x4", "awari:3x4"] {
        let ruleset = ruleset(text);
        let known = MemoryTables::build(&ruleset, 9, &|_| ()).expect("memory");
        let index = Index::new(3, 9);
        let layers = (3..=9).flat_map(|layer| {
            let numbers = (0..index.positions(layer)).step_by(701);
            numbers.map(move |number| (layer, number))
        });
        let boards: Vec<Board> = layers.map(|(layer, n)| index.board(layer, n)).collect();
        let boards: Vec<Board> = boards.iter().chain(&boards[..5]).copied().collect();
        let values: Vec<i32> = boards.iter().filter_map(|&board| known.value(board)).collect();
        for (threads, driver) in [(1, Driver::Mtdf), (3, Driver::Bisection), (8, Driver::Mtdf)] {
            for memory in [1 << 10, 1 << 16] {
                let mut search = search(&ruleset, 9, 4, (memory, threads), ());
                search.set_driver(driver);
                let few = &boards[boards.len() - 7..];
                assert_eq!(search.values(few).expect("found"), values[values.len() - 7..]);
                assert_eq!(search.values(&boards).expect("found"), values, "{text} {threads}");
                let bounds: Vec<_> = boards.iter().map(|&board| search.bounds(board)).collect();
                assert!(bounds.iter().zip(&values).all(|(&bounds, &v)| bounds == (v, v)));
            }
        }
        let mut search = search(&ruleset, 8, 4, (1 << 10, 2), ());
        assert!(search.values(&[]).expect("nothing to find").is_empty());
        let error = search.values(&boards).expect_err("too many stones");
        assert!(matches!(error, SearchError::Stones(8)), "{error}");
    }
}

#[test]
fn questions_of_one_search_do_not_disturb_each_other() {
    let ruleset = ruleset("kalah:3x4");
    let known = MemoryTables::build(&ruleset, 9, &|_| ()).expect("memory");
    let index = Index::new(3, 9);
    let mut search = search(&ruleset, 9, 4, (1 << 14, 3), ());
    for layer in 0..=9 {
        for number in (0..index.positions(layer)).step_by(37) {
            let board = index.board(layer, number);
            assert_eq!(search.value(board).ok(), known.value(board), "{board:?}");
        }
    }
}

#[test]
fn a_table_that_grows_keeps_what_it_knows() {
    let ruleset = ruleset("kalah:5x4");
    let start = Position::start(&ruleset).board();
    // The first table has room for four million boards and is full after two. It takes three and a
    // half, more or less as the threads meet.
    let mut search = search(&ruleset, 40, 10, (1 << 28, 2), ());
    assert_eq!(search.value(start).expect("found"), 10);
    assert!(search.status().nodes > 2 << 20, "{:?}", search.status());
    let nodes = search.status().nodes;
    assert_eq!(search.value(start).expect("found"), 10);
    assert!(search.status().nodes - nodes < 1000);
}

#[test]
fn boards_of_every_width_and_few_stones_are_solved() {
    for pits in 1..=9 {
        for name in ["kalah", "mangala"] {
            let ruleset = ruleset(&format!("{name}:{pits}x1"));
            let start = Position::start(&ruleset).board();
            let mut plain = Plain::new(&ruleset, 1 << 30).expect("acyclic");
            let mut search =
                Search::new(&ruleset, ruleset.stones(), NoTables, MEMORY, 2, ()).expect("acyclic");
            let values = [search.value(start).ok(), plain.value(start).ok()];
            assert!(values[0].is_some() && values[0] == values[1], "{ruleset}: {values:?}");
            for pit in 0..2 * pits {
                let mut stones = vec![0; 2 * pits];
                stones[pit] = 1;
                let one = board(&stones);
                assert_eq!(search.value(one).ok(), plain.value(one).ok(), "{ruleset} {one:?}");
            }
            assert_eq!(search.value(Board::default()).ok(), Some(0));
        }
    }
}

#[test]
fn a_board_with_too_many_stones_is_refused() {
    let ruleset = ruleset("kalah:6x1");
    let mut search = search(&ruleset, 12, 4, (MEMORY, 1), ());
    let refused = search.value(board(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]));
    assert!(matches!(refused, Err(SearchError::Stones(12))), "{refused:?}");
    assert!(search.value(board(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2])).is_ok());
}
