//! `solve` of toguz and Bestemshe: estimates, what is proved, and what is refused.

mod common;

use serde_json::{Value, json};

use common::{mancala, stdout};

/// South to move wins by 82 stones: pit 9 captures ten. Enough is left that the margin is open.
const WON: &str = "3-2-0-1-2-0-0-2-2-9-0-1-0-3-0-1-0-0-72-64-S";

/// The sowings of a recorded game on a public server (1-0), by the first digit of each move.
const GAME: &str = "7 9 6 8 1 7 2 7 5 3 9 1 3 8 1 1 9 3 4 3 1 1 9 9 8 6 2 2 5 5 1 9 3 1 9";

/// The sowings of one that ended by atsyrau (0-1).
const STARVED: &str = "7 7 9 1 7 5 8 2 9 9 8 4 7 7 1 3 2 6 1 5 2 7 9 8 9 7 1 8 8 2 9 2 7 7 8 8 5 6 9 3 8 \
    8 9 8 7 7 8 7 9 6 6 2 9 8 8 5 7 8 6 7 5 8 9 6 8 7 7 3 6 3 9 8 8 4 1 8 7 7 9 8 8 7 7 6 9 5 8 6 9 8 8 7 \
    9 8 9 7 2 6 3 8 8 8 7 7 6 5 7 6 6 7 5 4 2 5 3 6 6 5 5 4 5 3 9 2 8 4 7 3 6 8 9 8 8 7 7 7 6 6 9 8 8 8 7 7 \
    9 6 8 7 7 5 9 6 9 5 8 4 9 5 8 6 9 8 3 7";

fn json_of(args: &[&str]) -> Value {
    let text = stdout(&[&["solve"], args, &["--format", "json"]].concat());
    serde_json::from_str(&text).expect("one JSON object")
}

fn assert_error(args: &[&str], part: &str) {
    common::assert_error(&[&["solve"], args].concat(), part);
}

/// All but the last sowings of a game.
fn without_last(game: &str, count: usize) -> String {
    let sowings: Vec<&str> = game.split(' ').filter(|sowing| !sowing.is_empty()).collect();
    sowings[..sowings.len() - count].join(" ")
}

#[test]
fn estimates_say_that_they_are() {
    for game in ["toguz", "bestemshe", "bestemshe,repetition=draw"] {
        let answer = json_of(&[game, "--depth", "6"]);
        assert_eq!((&answer["value"], &answer["exact"]), (&Value::Null, &json!(false)), "{answer}");
        assert_eq!((&answer["winner"], &answer["depth"]), (&Value::Null, &json!(6)));
        let moves = answer["moves"].as_array().expect("a list");
        let most = moves
            .iter()
            .map(|sowing| sowing["estimate"].as_f64())
            .reduce(|one, two| one.zip(two).map(|(one, two)| one.max(two)));
        assert_eq!(most.flatten(), answer["estimate"].as_f64(), "{answer}");
        let best = answer["best"].to_string();
        assert_eq!(
            answer["line"].as_str().and_then(|line| line.split(' ').next()),
            Some(&best[..])
        );
        let text = stdout(&["solve", game, "--depth", "6"]);
        assert!(text.contains("\nestimate  ") && !text.contains("\nvalue"), "{text}");
        let alone = json_of(&[game, "--depth", "6", "--value-only"]);
        for field in ["estimate", "bounds", "exact"] {
            assert_eq!(alone[field], answer[field], "{field}");
        }
    }
}

#[test]
fn a_win_by_82_is_proved_before_the_margin_is() {
    let answer = json_of(&["toguz", WON, "--depth", "1"]);
    assert_eq!((&answer["best"], &answer["winner"]), (&json!(9), &json!("south")), "{answer}");
    assert_eq!((&answer["exact"], &answer["line"]), (&json!(false), &json!("9")), "{answer}");
    let lower = answer["bounds"][0].as_i64().expect("a number");
    assert!(72 - 64 + lower > 0, "{answer}");
    assert!(stdout(&["solve", "toguz", WON, "--depth", "1"]).contains("South wins, proved"));
}

/// Three sowings before its end it is proved that the winner of the record wins; at the end the
/// game is over.
#[test]
fn recorded_games_are_proved_at_their_end() {
    let before = without_last(GAME, 3);
    let answer = json_of(&["toguz", "--line", &before, "--depth", "5"]);
    assert_eq!((&answer["winner"], &answer["best"]), (&json!("south"), &json!(3)), "{answer}");
    let over = json_of(&["toguz", "--line", GAME, "--depth", "5"]);
    assert_eq!(over["final"], json!({"south": 84, "north": 25}));
    assert_eq!((&over["winner"], &over["best"]), (&json!("south"), &Value::Null), "{over}");
    let before = without_last(STARVED, 7);
    let answer = json_of(&["toguz", "--line", &before, "--depth", "7"]);
    assert_eq!((&answer["value"], &answer["exact"]), (&json!(31), &json!(true)), "{answer}");
    assert_eq!(answer.get("estimate"), None);
    assert_eq!((&answer["winner"], &answer["bounds"]), (&json!("north"), &json!([31, 31])));
}

/// All that is told but the seconds, for any number of threads, whether they build tables or not.
#[test]
fn threads_change_nothing() {
    for args in [
        &["toguz", "5-6-7-5-6-7-6-6-4-2-1-8-7-5-7-6-7-8-30-29-S", "--depth", "6"][..],
        &["toguz", WON, "--depth", "7", "--table-stones", "4"],
        &["toguz", "--depth", "6", "--value-only", "--memory", "1MiB"],
        &["bestemshe", "--depth", "9"],
    ] {
        let told = |threads: &str| {
            let mut answer = json_of(&[args, &["--threads", threads]].concat());
            let fields = answer.as_object_mut().expect("an object");
            assert!(fields.remove("seconds").is_some());
            answer
        };
        let alone = told("1");
        for threads in ["2", "5", "0"] {
            assert_eq!(told(threads), alone, "{args:?} {threads}");
        }
    }
}

/// The time holds for all threads together, and what is told is as deep for each sowing.
#[test]
fn threads_keep_to_the_time() {
    let answer = json_of(&["toguz", "--time", "0.5", "--threads", "4"]);
    // How deep depends on the machine.
    assert!(answer["depth"].as_u64() >= Some(1), "{answer}");
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(9));
    let depth = answer["depth"].to_string();
    let again = json_of(&["toguz", "--depth", &depth, "--threads", "1"]);
    for field in ["moves", "estimate", "bounds", "line"] {
        assert_eq!(again[field], answer[field], "{field}");
    }
}

/// The same exact value by tables of few stones, by a deeper search, and from table files.
#[test]
fn tables_are_probed() {
    let few = "0-1-0-0-t-0-0-1-1-0-0-t-1-0-1-0-1-0-70-70-N";
    let answer = json_of(&["toguz", few, "--table-stones", "6", "--depth", "1", "--threads", "1"]);
    assert_eq!(answer["exact"], true, "{answer}");
    assert!(answer["probes"].as_u64() > Some(0));
    let searched = json_of(&["toguz", few, "--depth", "12"]);
    let bound = |at: usize| searched["bounds"][at].as_i64();
    assert!(bound(0) <= answer["value"].as_i64() && answer["value"].as_i64() <= bound(1));

    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().to_str().expect("UTF-8");
    let build = ["build", "bestemshe", "--stones", "6", "--tables", tables, "--quiet"];
    mancala(&build).assert().success();
    let (inside, above) = ("1-0-2-0-0-0-1-0-1-1-20-24-S", "1-0-2-0-1-0-1-0-1-1-20-23-S");
    let known = json_of(&["bestemshe", inside, "--tables", tables]);
    assert_eq!(known["source"], "table");
    let searched = json_of(&["bestemshe", inside, "--tables", tables, "--value-only"]);
    assert_eq!((&searched["value"], &searched["exact"]), (&known["value"], &json!(true)));
    let answer = json_of(&["bestemshe", above, "--tables", tables, "--depth", "8"]);
    assert!(answer["probes"].as_u64() > Some(0), "{answer}");

    let build = ["build", "toguz", "--stones", "4", "--tables", tables, "--quiet"];
    mancala(&build).assert().success();
    let inside = "0-1-0-0-t-0-0-0-1-0-0-t-1-0-0-0-1-0-70-70-N";
    let known = json_of(&["toguz", inside, "--tables", tables]);
    assert_eq!((&known["source"], &known["exact"]), (&json!("table"), &json!(true)), "{known}");
    for more in [["--tables", tables], ["--table-stones", "4"]] {
        let answer = json_of(&[&["toguz", inside, "--value-only"][..], &more].concat());
        assert_eq!(answer["value"], known["value"], "{answer}");
    }
    let by_files = json_of(&["toguz", few, "--tables", tables, "--depth", "6"]);
    let by_memory = json_of(&["toguz", few, "--table-stones", "4", "--depth", "6"]);
    assert!(by_files["probes"].as_u64() > Some(0), "{by_files}");
    for field in ["estimate", "bounds", "moves", "nodes"] {
        assert_eq!(by_files[field], by_memory[field], "{field}");
    }
}

#[test]
fn what_is_asked_wrongly_is_told() {
    let not_a_number = "a number of seconds";
    for (args, part) in [
        (&["toguz", "--depth", "0"][..], "0 is not in 1..=250"),
        (&["toguz", "--depth", "-1"], "-1 is not in 1..=250"),
        (&["toguz", "--depth", "9", "--time", "9"], "cannot be used with"),
        (&["toguz", "--time", "-1"], not_a_number),
        (&["toguz", "--time", "NaN"], not_a_number),
        (&["toguz", "--time", "long"], not_a_number),
        (&["toguz", "--winner"], "leave out --winner"),
        (&["bestemshe", "--turns"], "leave out --winner, --turns"),
        (&["toguz", "--tables", "nowhere"], "there are no tables of toguz:9 below nowhere"),
        (&["toguz", "--table-stones", "12", "--memory", "1GiB"], "up to 10 stones fit"),
        (&["bestemshe", "--table-stones", "3"], "mancala build"),
        (&["kalah", "--depth", "3"], "solved exactly"),
        (&["toguz", "--line", "1 1 1 1 1"], "is empty"),
    ] {
        assert_error(args, part);
    }
}

#[test]
fn every_form_has_all_sowings() {
    let args = ["toguz", "--depth", "2"];
    let table = stdout(&[&["solve"], &args[..], &["--format", "csv"]].concat());
    assert!(table.starts_with("game,position,pit,value,estimate,lower,upper,captured\n"));
    assert_eq!(table.lines().count(), 11, "the header, the position, nine sowings");
    assert!(stdout(&["solve", "toguz", "--time", "0"]).contains(", 1 sowing ahead"));
}
