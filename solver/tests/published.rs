//! The search against published and independently computed values of whole games.

mod common;

use std::collections::BTreeMap;

use common::{published, ruleset, table};
use games::notation::{Line, Turn, dash};
use games::{Play, Position, Ruleset};
use solver::{Oracle, PlayedLine, Search, Verdict, judge, turns};
use tablebase::build::MemoryTables;
use tablebase::index::positions_up_to;

const MEMORY: u64 = 512 << 20;
/// Positions of the tables, at most: a second or so of building.
const TABLE: u64 = 20_000_000;
/// Larger boards take a test too long.
const MOST_STONES: u32 = 48;

/// A search of the ruleset over tables that leave it some work.
fn search(ruleset: &Ruleset) -> Search<MemoryTables> {
    let most = ruleset.stones() / 2;
    let layers = (0..=most).take_while(|&layer| positions_up_to(ruleset.pits(), layer) <= TABLE);
    let layer = layers.last().unwrap_or(0);
    common::search(ruleset, ruleset.stones(), layer, (MEMORY, 2), ())
}

fn start(ruleset: &Ruleset) -> games::Board {
    Position::start(ruleset).board()
}

fn assert_values(key: &str, name: &str, options: &str, at_least: usize) {
    let mut checked = 0;
    for (size, value) in table::<i32>(&published()[key]) {
        let ruleset = ruleset(&format!("{name}:{size}{options}"));
        // 6x4 has a test of its own.
        if ruleset.stones() <= MOST_STONES && size != "6x4" {
            let mut search = search(&ruleset);
            assert_eq!(search.value(start(&ruleset)).expect("found"), value, "{ruleset}");
            checked += 1;
        }
    }
    assert!(checked >= at_least, "only {checked} values of {key}");
}

#[test]
fn kalah_capture_empty_is_as_published() {
    assert_values("kalah capture=empty", "kalah", ",capture=empty", 31);
}

#[test]
fn kalah_capture_nonempty_is_as_computed_elsewhere() {
    assert_values("kalah capture=nonempty", "kalah", "", 31);
}

#[test]
fn mangala_is_as_computed_elsewhere() {
    assert_values("mangala", "mangala", "", 18);
}

#[test]
fn first_turns_are_worth_what_was_published() {
    for (key, options) in [("empty", ",capture=empty"), ("nonempty", "")] {
        let key = format!("kalah capture={key}, first turns");
        for (size, values) in table::<BTreeMap<String, i32>>(&published()[&key]) {
            let ruleset = ruleset(&format!("kalah:{size}{options}"));
            let found = turns(&ruleset.rules(), &mut search(&ruleset), start(&ruleset));
            let found = found.expect("found").into_iter();
            let found: BTreeMap<_, _> =
                found.map(|(turn, value)| (turn.to_string(), value)).collect();
            assert_eq!(found, values, "{ruleset}");
        }
    }
}

/// A line in the notation of the published games (pits from 0, the turns joined by `-`).
fn published_line(game: &str) -> Line {
    let pit = |digit: char| digit.to_digit(10).expect("a pit") as usize;
    Line::new(game.split('-').map(|turn| Turn::new(turn.chars().map(pit).collect())).collect())
}

#[test]
fn every_turn_of_the_perfect_games_of_table_9_is_best() {
    let published = published();
    let games = &published["kalah capture=empty, perfect games of table 9"]["games"];
    for (size, game) in table::<String>(games) {
        let ruleset = ruleset(&format!("kalah:{size},capture=empty"));
        if ruleset.stones() > MOST_STONES || size == "6x4" {
            continue;
        }
        let played = PlayedLine::new(&ruleset, Position::start(&ruleset), &published_line(&game));
        let judged = played.expect("legal").judge(&mut search(&ruleset)).expect("found");
        for turn in judged {
            assert_eq!(turn.verdict, Verdict::Best, "{size} {turn:?}");
        }
    }
}

#[test]
fn best_lines_end_with_the_margin_of_the_game() {
    for (size, value) in table::<i32>(&published()["kalah capture=empty"]) {
        let ruleset = ruleset(&format!("kalah:{size},capture=empty"));
        if ruleset.stones() > 30 {
            continue;
        }
        let rules = ruleset.rules();
        let position = Position::start(&ruleset);
        let judgement = judge(&rules, &mut search(&ruleset), &position).expect("found");
        let mut play = Play::new(&ruleset, &rules, position);
        play.line(&judgement.line).expect("legal");
        let [south, north] = play.final_stores().expect("the game is over");
        assert_eq!((south as i32 - north as i32, judgement.value), (value, value), "{size}");
    }
}

/// The fair start positions of Neller & Neller (CG 2022) that `which` picks are draws, stores
/// counted.
fn assert_fair(which: impl Fn(usize) -> bool) {
    let ruleset = ruleset("kalah,capture=empty");
    let mut search = common::search(&ruleset, 48, 18, (MEMORY, 2), ());
    let text = include_str!("../../data/oracles/fairkalah-54.txt");
    let positions: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(positions.len(), 54);
    for (_, text) in positions.iter().enumerate().filter(|(index, _)| which(*index)) {
        let setup = dash::parse(text).expect("dash form");
        let position = Position::new(&setup, 6).expect("fits");
        let [south, north] = position.stores().map(|store| store as i32);
        let board = position.board();
        assert!(search.at_least(board, north - south).expect("found"), "{text}");
        assert!(!search.at_least(board, north - south + 1).expect("found"), "{text}");
    }
}

#[test]
fn a_fair_start_position_is_a_draw() {
    assert_fair(|index| index == 7);
}

#[test]
fn kalah_6x4_capture_empty_is_as_published() {
    let ruleset = ruleset("kalah:6x4,capture=empty");
    let mut search = common::search(&ruleset, 48, 18, (MEMORY, 2), ());
    assert_eq!(search.value(start(&ruleset)).expect("found"), 10);
}
