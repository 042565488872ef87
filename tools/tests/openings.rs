//! `openings` as users run it: against `solve`, with a store that is kept, grown, damaged and
//! killed, and beside statistics of games.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::{Value, json};

fn mancala(args: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("mancala");
    command.args(args).args(["--quiet", "--memory", "1GiB"]);
    command
}

fn stdout(args: &[&str]) -> String {
    let assert = mancala(args).assert().success().stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

fn json_of(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[args, &["--format", "json"]].concat())).expect("one object")
}

fn error_of(args: &[&str], code: i32) -> String {
    let assert = mancala(args).assert().code(code).stdout("");
    String::from_utf8(assert.get_output().stderr.clone()).expect("UTF-8")
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

/// What is said of turns, without what differs from run to run.
fn exact(mut book: Value) -> Value {
    for key in ["command", "solved", "nodes", "probes", "seconds"] {
        book.as_object_mut().expect("an object").remove(key);
    }
    book
}

#[test]
fn every_turn_has_the_value_that_solve_proves() {
    for game in ["kalah:4x3", "mangala:3x4", "kalah:3x4,capture=empty"] {
        let book = json_of(&["openings", game, "--turns", "2"]);
        for opening in list(&book["positions"]) {
            let line = opening["line"].as_str().expect("text");
            let solved = json_of(&["solve", game, "--turns", "--line", line]);
            assert_eq!(opening["position"], solved["position"]);
            assert_eq!(opening["value"], solved["value"], "{game} {line}");
            let turns = list(&opening["turns"]).iter();
            let turns: Vec<Value> =
                turns.map(|turn| json!({"turn": turn["turn"], "value": turn["value"]})).collect();
            assert_eq!(Value::Array(turns), solved["turns"], "{game} {line}");
            let best =
                list(&solved["turns"]).iter().filter(|turn| turn["value"] == solved["value"]);
            let best: Vec<Value> = best.map(|turn| turn["turn"].clone()).collect();
            assert_eq!(opening["best"], Value::Array(best), "{game} {line}");
            let ends = &solved["final"];
            let margin = ends["south"].as_i64().zip(ends["north"].as_i64()).map(|(s, n)| s - n);
            assert_eq!(opening["margin"].as_i64(), margin, "{game} {line}");
        }
    }
}

#[test]
fn positions_are_the_first_turns_and_their_replies() {
    let book = json_of(&["openings", "kalah:4x3", "--turns", "2"]);
    let positions = list(&book["positions"]);
    let lines: Vec<&str> = positions.iter().filter_map(|p| p["line"].as_str()).collect();
    assert_eq!(lines, ["", "1", "2-1", "2-3", "2-4", "3", "4"]);
    let start = &positions[0];
    assert_eq!((&start["value"], &start["best"]), (&json!(6), &json!(["2-3", "2-4"])));
    let turn = &start["turns"][0];
    assert_eq!(
        (&turn["turn"], &turn["value"], &turn["loss"]),
        (&json!("1"), &json!(-6), &json!(12))
    );
    assert_eq!(turn["verdict"], "turns a win into a loss");
    assert_eq!(turn["ends"], json!({"south": 2, "draw": 0, "north": 4}));
    let all: u64 = ["south", "draw", "north"].iter().filter_map(|k| book["ends"][k].as_u64()).sum();
    let replies: usize = positions[1..].iter().map(|p| list(&p["turns"]).len()).sum();
    assert_eq!(all, replies as u64);
}

#[test]
fn forms_tell_the_same() {
    let args = ["openings", "kalah:3x3", "--turns", "2"];
    let book = json_of(&args);
    let positions = list(&book["positions"]);
    let turns: usize = positions.iter().map(|p| list(&p["turns"]).len()).sum();
    let table = stdout(&[&args[..], &["--format", "csv"]].concat());
    assert_eq!(table.lines().count(), turns + 1);
    let lines = stdout(&[&args[..], &["--format", "jsonl"]].concat());
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    assert!(lines.eq(positions.iter().cloned()));
    let text = stdout(&args);
    assert!(text.contains("the start: 2 for South to move, "), "{text}");
}

#[test]
fn a_store_is_taken_up_and_grows() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store");
    let store = path.to_str().expect("UTF-8");
    let game = "kalah:4x2";
    for (turns, repeated) in [("1", false), ("1", true), ("3", false), ("2", true), ("3", true)] {
        let plain = json_of(&["openings", game, "--turns", turns]);
        let kept = json_of(&["openings", game, "--turns", turns, "--store", store]);
        assert_eq!(kept["solved"] == 0, repeated, "{turns}");
        assert_eq!(exact(plain), exact(kept));
    }
    // Boards of another ruleset have the file in common and do not mix.
    let other = "kalah:4x2,capture=empty";
    let plain = json_of(&["openings", other, "--turns", "2"]);
    let kept = json_of(&["openings", other, "--turns", "2", "--store", store]);
    assert_eq!((kept["solved"].clone(), exact(kept)), (plain["solved"].clone(), exact(plain)));
    // Files are joined with cat.
    let text = fs::read_to_string(&path).expect("it is there");
    fs::write(&path, text.repeat(2)).expect("writable");
    assert_eq!(json_of(&["openings", game, "--turns", "3", "--store", store])["solved"], 0);
}

#[test]
fn values_of_a_store_are_those_of_the_plain_solver() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store");
    let store = path.to_str().expect("UTF-8");
    json_of(&["openings", "mangala:4x2", "--turns", "3", "--store", store]);
    let game: games::Ruleset = "mangala:4x2".parse().expect("a ruleset");
    let mut plain = solver::plain::Plain::new(&game, 1 << 28).expect("acyclic");
    let text = fs::read_to_string(&path).expect("it is there");
    let mut count = 0;
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(line["game"], game.table_key());
        let board = line["board"].as_str().expect("text");
        let position = games::notation::parse_position(board, 4).expect("a position");
        let value = solver::Oracle::value(&mut plain, position.board()).expect("small");
        assert_eq!(line["value"], value, "{board}");
        count += 1;
    }
    assert!(count > 50, "{count}");
}

/// A line of a store with a right checksum.
fn store_line(game: &str, board: &str, value: i32) -> String {
    let crc = crc32fast::hash(format!("{game} {board} {value}").as_bytes());
    format!(
        "{{\"game\":\"{game}\",\"board\":\"{board}\",\"value\":{value},\"crc\":\"{crc:08x}\"}}\n"
    )
}

#[test]
fn damaged_stores_are_told_and_left_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store");
    let store = path.to_str().expect("UTF-8");
    let args = ["openings", "kalah:2x2", "--turns", "1", "--store", store];
    json_of(&args);
    let whole = fs::read_to_string(&path).expect("it is there");
    let key = "kalah:2,capture=nonempty,remainder=owner,end=either";
    let board = "1-0-0-0-0-0-S";
    let cases = [
        (whole.replacen("\"value\":", "\"value\":1", 1), "line 1: its checksum is wrong"),
        (whole.clone() + "rubbish\n", "expected value at line 1"),
        (whole.clone() + "\n", "EOF while parsing"),
        (whole.clone() + "\u{0}\u{ff}\n", "expected value"),
        (store_line(key, board, 1) + &store_line(key, board, -1), "line 2: an earlier line"),
        (store_line(key, board, 5), "more than all stones"),
        (store_line(key, "1-0-0-0-3-0-S", 1), "empty stores"),
        (store_line(key, "1-0-0-0-0-0-N", 1), "South to move"),
        (store_line(key, "1-0-0-0-0-0-0-0-S", 1), "line 1: "),
        (store_line(key, "1-0", 1), "line 1: "),
    ];
    for (text, expected) in cases {
        fs::write(&path, &text).expect("writable");
        let error = error_of(&args, 2);
        assert!(
            error.contains(expected) && error.contains(store),
            "`{expected}` is not in {error}"
        );
        assert_eq!(fs::read(&path).expect("still there"), text.as_bytes());
    }
    // The values that are kept must fit each other: a start that is worth something else.
    fs::write(&path, whole.clone() + &store_line(key, "0-0-0-1-0-0-S", 1)).expect("writable");
    assert_eq!(json_of(&args)["solved"], 0);
    fs::write(&path, store_line(key, "2-2-2-2-0-0-S", 6)).expect("writable");
    let error = error_of(&args, 1);
    assert!(error.contains("the store says 6 of the position after ``"), "{error}");
    assert!(error_of(&["openings", "kalah", "--turns", "1", "--store", "/"], 2).contains("/"));
}

#[test]
fn a_line_without_its_end_is_dropped() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store");
    let args = ["openings", "kalah:3x2", "--turns", "2", "--store", path.to_str().expect("UTF-8")];
    let first = json_of(&args);
    let whole = fs::read(&path).expect("it is there");
    let lines = whole.iter().filter(|&&byte| byte == b'\n').count();
    for cut in [1, 2, 40, 60] {
        fs::write(&path, &whole[..whole.len() - cut]).expect("writable");
        let again = json_of(&args);
        assert_eq!(exact(again), exact(first.clone()));
        let found = fs::read_to_string(&path).expect("UTF-8");
        assert_eq!(found.lines().count(), lines, "after a cut of {cut}");
        assert!(found.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    }
}

#[test]
fn a_store_in_use_is_not_touched() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store");
    let file = File::create(&path).expect("a file");
    file.lock().expect("nobody has it");
    let args = ["openings", "kalah:2x2", "--turns", "1", "--store", path.to_str().expect("UTF-8")];
    assert!(error_of(&args, 2).contains("another run is using it"));
    // Closing it is not enough: what another test starts has it open as well for a moment.
    file.unlock().expect("locked");
    json_of(&args);
}

/// Whole lines; the last one may have been cut off.
fn lines_of(path: &Path) -> usize {
    fs::read(path).unwrap_or_default().iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
fn a_killed_run_loses_nothing_that_was_proved() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store");
    let store = path.to_str().expect("UTF-8");
    // Without tables this takes long enough to be killed in the middle.
    let args = ["openings", "kalah:5x3", "--turns", "2", "--table-stones", "4", "--store", store];
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("mancala"));
    command.args(args).args(["--quiet", "--memory", "256MiB", "--threads", "1"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
    while lines_of(&path) < 3 && child.try_wait().expect("asked").is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    let kept = lines_of(&path);
    assert!(kept >= 3, "{kept}");
    let plain = json_of(&["openings", "kalah:5x3", "--turns", "2"]);
    let again = json_of(&["openings", "kalah:5x3", "--turns", "2", "--store", store]);
    let solved = |book: &Value| book["solved"].as_u64().expect("a number") as usize;
    assert_eq!(solved(&again) + kept.min(solved(&plain)), solved(&plain));
    assert_eq!(exact(again), exact(plain));
}

#[test]
fn statistics_stand_beside_what_turns_are_worth() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stats.json");
    let of =
        |south: u64, draw: u64, north: u64| json!({"south": south, "draw": draw, "north": north});
    let statistics = json!({
        "game": "kalah:4x3,capture=nonempty,remainder=owner,end=either,stop=none",
        "turns": 2,
        "games": 100,
        "openings": [
            {"turn": "3", "count": 60, "results": of(30, 10, 20), "mean_margin": 1.5, "replies": [
                {"turn": "1-2", "count": 60, "results": of(30, 10, 20)},
            ]},
            {"turn": "2-3", "count": 30, "results": of(30, 0, 0), "mean_margin": 7.0},
            {"turn": "1", "count": 10, "results": of(0, 0, 0)},
        ],
    });
    fs::write(&path, statistics.to_string()).expect("writable");
    let file = path.to_str().expect("UTF-8");
    let args = ["openings", "kalah:4x3", "--turns", "2", "--games", file];
    let book = json_of(&args);
    let start = &book["positions"][0];
    let turns = list(&start["turns"]).iter();
    let played: BTreeMap<&str, &Value> =
        turns.map(|turn| (turn["turn"].as_str().expect("text"), &turn["played"])).collect();
    assert_eq!(played["3"]["count"], 60);
    assert_eq!(played["3"]["share"], 0.6);
    // South won 30 of 60 and drew 10.
    assert_eq!(played["3"]["score"], 35.0 / 60.0);
    assert_eq!(played["3"]["mean_margin"], 1.5);
    assert_eq!(played["1"]["score"], Value::Null);
    assert_eq!(played["2-4"], &Value::Null);
    // The reply scores for North.
    let after = list(&book["positions"]).iter().find(|p| p["line"] == "3").expect("it is there");
    assert_eq!(after["turns"][0]["played"]["score"], 25.0 / 60.0);
    // 3 gives away 4 stones of 6, 1 gives away 12; only 2-3 is best.
    let first = &book["practice"]["turns"][0];
    assert_eq!((&first["count"], &first["best"]), (&json!(100), &json!(0.3)));
    assert_eq!(first["mean_loss"], (60.0 * 4.0 + 10.0 * 12.0) / 100.0);
    assert_eq!((&first["positions"], &first["favourite_best"]), (&json!(1), &json!(0)));
    let mistakes = list(&book["practice"]["mistakes"]);
    assert_eq!((&mistakes[0]["turn"], &mistakes[0]["loss"]), (&json!("3"), &json!(4)));
    let text = stdout(&args);
    assert!(text.contains("loses 4; played 60 times, 60.0 %, scores 58.3 %"), "{text}");

    for (change, expected) in [
        (
            json!({"openings": [{"turn": "9", "count": 1}]}),
            "at the start the turn `9` is not to be",
        ),
        (json!({"openings": [{"turn": "2", "count": 1}]}), "the turn `2` is not to be played"),
        (json!({"game": "kalah", "openings": []}), "they are of kalah"),
        (json!({"openings": [{"turn": "1", "count": -1}]}), "invalid value"),
        (json!({}), "missing field"),
        (json!([]), "invalid length"),
    ] {
        fs::write(&path, change.to_string()).expect("writable");
        let error = error_of(&args, 2);
        assert!(error.contains(expected), "`{expected}` is not in {error}");
    }
}

#[test]
fn orders_of_turns_that_meet_have_their_statistics_added() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stats.json");
    let file = path.to_str().expect("UTF-8");
    let args = ["openings", "kalah:4x1", "--turns", "4"];
    let book = json_of(&args);
    let positions = list(&book["positions"]);
    let shared = positions.iter().find(|p| p["lines"] == 2).expect("some lines do meet");
    let next = text(&shared["turns"][0]["turn"]);
    // The two ways to it, each a tree of statistics with 5 games.
    let mut openings = Vec::new();
    for opening in positions {
        for turn in list(&opening["turns"]).iter().filter(|t| t["position"] == shared["position"]) {
            let line = format!("{} {} {next}", text(&opening["line"]), text(&turn["turn"]));
            let nested = line.split(' ').rev().fold(
                json!([]),
                |replies, turn| json!([{"turn": turn, "count": 5, "replies": replies}]),
            );
            openings.push(nested[0].clone());
        }
    }
    assert_eq!(openings.len(), 2, "{openings:?}");
    fs::write(&path, json!({"openings": openings}).to_string()).expect("writable");
    let counted = json_of(&[&args[..], &["--games", file]].concat());
    let same = list(&counted["positions"]).iter().find(|p| p["line"] == shared["line"]);
    assert_eq!(same.expect("it is there")["turns"][0]["played"]["count"], 10);
}

#[test]
fn what_cannot_be_solved_is_told() {
    assert!(error_of(&["openings", "kalah"], 2).contains("--turns"));
    assert!(error_of(&["openings", "kalah", "--turns", "0"], 2).contains("0"));
    let own_side = error_of(&["openings", "awari:2x2,repetition=own-side", "--turns", "1"], 2);
    assert!(own_side.contains("another history"), "{own_side}");
    assert!(
        error_of(&["openings", "kalah:2x2", "--turns", "1", "--games", "/none"], 2)
            .contains("/none")
    );
}

#[test]
fn replies_follow_each_turn_of_a_line() {
    let judged = json_of(&["line", "mangala:4x3", "1 2", "--replies"]);
    for (turn, line) in list(&judged["turns"]).iter().zip(["1", "1 2"]) {
        let solved = json_of(&["solve", "mangala:4x3", "--turns", "--line", line]);
        assert_eq!(turn["replies"], solved["turns"], "{line}");
        assert_eq!(turn["play"], solved["line"], "{line}");
    }
    assert!(json_of(&["line", "mangala:4x3", "1"])["turns"][0].get("replies").is_none());
    let text = stdout(&["line", "mangala:4x3", "1 2", "--replies"]);
    assert!(text.contains("\nafter 1: ") && text.contains("best play: "), "{text}");
}
