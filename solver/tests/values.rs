//! The plain solver against published and independently computed values, and against plain
//! recursion.

mod common;

use std::collections::BTreeMap;

use common::{any_pits, any_ruleset, board, published, ruleset, table};
use games::notation::{Line, Turn};
use games::{Board, Finish, Game, Play, Position, Rules, Ruleset, Side};
use proptest::prelude::*;
use solver::Unsolvable;
use solver::plain::{Error, Plain};
use solver::{Judgement, Oracle, judge};

/// Enough for every board here.
const MEMORY: u64 = 1 << 30;

/// Larger boards take the plain solver too long for a test.
const MOST_STONES: u32 = 40;

fn solver(ruleset: &Ruleset) -> Plain {
    Plain::new(ruleset, MEMORY).expect("an acyclic game")
}

fn judge_start(ruleset: &Ruleset) -> Judgement {
    let start = Position::start(ruleset);
    judge(&ruleset.rules(), &mut solver(ruleset), &start).expect("enough memory")
}

/// Asserts all values of one ruleset that the plain solver reaches quickly.
fn assert_values(key: &str, name: &str, options: &str, at_least: usize) {
    let values: BTreeMap<String, i32> = table(&published()[key]);
    let mut checked = 0;
    for (size, value) in values {
        let ruleset = ruleset(&format!("{name}:{size}{options}"));
        if ruleset.stones() <= MOST_STONES {
            let start = Position::start(&ruleset).board();
            assert_eq!(solver(&ruleset).value(start).expect("enough memory"), value, "{ruleset}");
            checked += 1;
        }
    }
    assert!(checked >= at_least, "only {checked} values of {key}");
}

#[test]
fn kalah_capture_empty_is_as_published() {
    assert_values("kalah capture=empty", "kalah", ",capture=empty", 28);
}

#[test]
fn kalah_capture_nonempty_is_as_computed_elsewhere() {
    assert_values("kalah capture=nonempty", "kalah", ",capture=nonempty", 28);
}

#[test]
fn mangala_is_as_computed_elsewhere() {
    assert_values("mangala", "mangala", "", 18);
}

#[test]
fn the_published_values_agree_with_table_10() {
    let published = published();
    let key = "kalah capture=empty, Irving table 10 (first player wins, draws, loses)";
    let letters: BTreeMap<String, String> = table(&published[key]);
    for (size, value) in table::<i32>(&published["kalah capture=empty"]) {
        let (pits, seeds) = size.split_once('x').expect("PITSxSEEDS");
        let seeds: usize = seeds.parse().expect("a number");
        let letter = letters[pits].split(' ').nth(seeds - 1).expect("a column for it");
        assert_eq!(letter, ["L", "D", "W"][(value.signum() + 1) as usize], "{size}");
    }
}

/// Values of whole first turns: after the turn, South's store counts and the sign changes if
/// North is to move.
fn assert_first_turns(key: &str, options: &str) {
    let sizes: BTreeMap<String, BTreeMap<String, i32>> = table(&published()[key]);
    for (size, turns) in sizes {
        let ruleset = ruleset(&format!("kalah:{size}{options}"));
        let rules = ruleset.rules();
        let mut solver = solver(&ruleset);
        for (turn, value) in turns {
            let mut play = Play::new(&ruleset, &rules, Position::start(&ruleset));
            play.line(&turn.parse().expect("a turn")).expect("legal");
            let after = play.position();
            let next = solver.value(after.board()).expect("enough memory");
            assert_eq!(after.stores()[0] as i32 - next, value, "{ruleset} {turn}");
        }
    }
}

#[test]
fn first_turns_capture_empty() {
    assert_first_turns("kalah capture=empty, first turns", ",capture=empty");
}

#[test]
fn first_turns_capture_nonempty() {
    assert_first_turns("kalah capture=nonempty, first turns", "");
}

/// A line in the notation of the published games (pits from 0, the turns joined by `-`).
fn published_line(game: &str) -> Line {
    let pit = |digit: char| digit.to_digit(10).expect("a pit") as usize;
    Line::new(game.split('-').map(|turn| Turn::new(turn.chars().map(pit).collect())).collect())
}

#[test]
fn perfect_games_of_table_9_end_with_their_margin() {
    let published = published();
    let games: BTreeMap<String, String> =
        table(&published["kalah capture=empty, perfect games of table 9"]["games"]);
    let margins: BTreeMap<String, i32> = table(&published["kalah capture=empty"]);
    assert_eq!(games.len(), 13);
    for (size, game) in games {
        let ruleset = ruleset(&format!("kalah:{size},capture=empty"));
        let rules = ruleset.rules();
        let mut play = Play::new(&ruleset, &rules, Position::start(&ruleset));
        play.line(&published_line(&game)).expect(&size);
        assert_eq!(play.finish(), Some(Finish::Board), "{size}");
        let [south, north] = play.final_stores().expect("the game is over");
        assert_eq!(south as i32 - north as i32, margins[&size], "{size}");
    }
}

#[test]
fn judgements_agree_with_their_line() {
    for text in ["kalah:4x3", "mangala:3x4", "kalah:3x3,remainder=none", "mangala:2x3,end=mover"] {
        let ruleset = ruleset(text);
        let judgement = judge_start(&ruleset);
        let best = judgement.moves.iter().map(|sowing| sowing.value).max();
        assert_eq!(best, Some(judgement.value), "{text}");
        let [south, north] = judgement.stores.expect("play ends");
        assert_eq!(south as i32 - north as i32, judgement.value, "{text}");
        let rules = ruleset.rules();
        let mut play = Play::new(&ruleset, &rules, Position::start(&ruleset));
        play.line(&judgement.line).expect("best play is legal");
        assert_eq!(play.final_stores(), judgement.stores, "{text}");
        assert_eq!(judgement.best(), judgement.line.turns().first());
    }
}

#[test]
fn of_equal_sowings_the_lowest_pit_is_best() {
    let judgement = judge_start(&ruleset("mangala:4x2"));
    let first = judgement.moves.iter().find(|sowing| sowing.value == judgement.value);
    let best = judgement.best().expect("the game is not over");
    assert_eq!(Some(best.pits()[0]), first.map(|sowing| sowing.pit));
}

#[test]
fn a_finished_board_has_its_end_value() {
    let ruleset = ruleset("kalah:3x1");
    let board = Board::new(Side::EMPTY, Side::from_pits(&[2, 0, 1]).expect("fits"));
    assert_eq!(solver(&ruleset).value(board).expect("no search"), -3);
}

#[test]
fn sowing_into_the_store_at_the_end_is_no_extra_sowing() {
    // The only stone goes into the store: the row is empty and the game over.
    let ruleset = ruleset("kalah:2x1");
    let setup = games::notation::dash::parse("0-1-1-1-0-0-S").expect("dash form");
    let position = Position::new(&setup, 2).expect("fits");
    let judgement = judge(&ruleset.rules(), &mut solver(&ruleset), &position).expect("solved");
    assert!(!judgement.moves[0].again);
    assert_eq!((judgement.value, judgement.stores), (-1, Some([1, 2])));
    assert_eq!(judgement.line.to_string(), "2");
}

#[test]
fn what_does_not_fit_the_memory_is_refused() {
    let ruleset = ruleset("kalah:9x7");
    let start = Position::start(&ruleset).board();
    let refused = Plain::new(&ruleset, 1 << 20).expect("acyclic").value(start);
    let Err(Error::Memory { wanted, limit, entries }) = refused else {
        panic!("not refused: {refused:?}");
    };
    assert!(wanted > limit && entries > 10_000, "{wanted} {limit} {entries}");
}

#[test]
fn the_largest_board_does_not_overflow_the_stack() {
    for name in ["kalah", "mangala"] {
        let ruleset = ruleset(&format!("{name}:9x7,end=mover"));
        let side = |pits| Side::from_pits(pits).expect("fits");
        let board = Board::new(side(&[64, 0, 0, 0, 0, 0, 0, 0, 0]), side(&[63]));
        let refused = Plain::new(&ruleset, 1 << 22).expect("acyclic").value(board);
        assert!(matches!(refused, Err(Error::Memory { .. }) | Ok(_)), "{refused:?}");
    }
}

#[test]
fn cyclic_games_are_refused() {
    let refused = |text| Plain::new(&ruleset(text), MEMORY).err();
    assert!(matches!(refused("awari:2x1"), Some(Error::Unsolvable(Unsolvable::Cyclic("awari")))));
    for (text, rule) in
        [("oware:6x4,repetition=own-side", "own-side"), ("bestemshe,repetition=draw", "draw")]
    {
        let told = refused(text);
        let expected = Unsolvable::Repetition(rule);
        assert!(matches!(told, Some(Error::Unsolvable(told)) if told == expected), "{text}");
    }
}

/// The value by the definition: every line to its end.
fn recursion(rules: &Rules, board: Board) -> i32 {
    if let Some(rest) = rules.remainder(board) {
        return rest.value();
    }
    let values = rules.legal(board).map(|pit| {
        let sown = rules.sow(board, pit);
        let next = recursion(rules, sown.board);
        i32::from(sown.gain) + if sown.again { next } else { -next }
    });
    values.max().expect("an unfinished board has a legal sowing")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn pruning_and_memory_change_no_value(
        text in any_ruleset(),
        pits in any_pits(6, 6),
    ) {
        let ruleset = ruleset(&text.replace("PITS", &(pits.len() / 2).to_string()));
        let board = board(&pits);
        let value = solver(&ruleset).value(board).expect("enough memory");
        prop_assert_eq!(value, recursion(&ruleset.rules(), board));
    }
}
