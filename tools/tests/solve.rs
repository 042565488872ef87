//! `solve`, `line` and `bench` as users run them: every question, tables of every form,
//! interrupted and continued.

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use common::{assert_error, interrupt, mancala};

/// What differs from run to run.
const EFFORT: [&str; 3] = ["nodes", "probes", "seconds"];

fn json_of(args: &[&str]) -> Value {
    let args = [args, &["--quiet", "--format", "json"]].concat();
    let assert = mancala(&args).assert().success().stderr("");
    serde_json::from_slice(&assert.get_output().stdout).expect("one JSON object")
}

fn stdout(args: &[&str]) -> String {
    let assert = mancala(args).arg("--quiet").assert().success().stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

#[test]
fn value_only_is_the_value_for_the_player_to_move() {
    let answer = json_of(&["solve", "kalah:4x3", "--value-only"]);
    assert_eq!(
        (&answer["value"], &answer["position"]),
        (&json!(6), &json!("3-3-3-3-3-3-3-3-0-0-S"))
    );
    assert!(answer.get("moves").is_none() && answer["nodes"].is_u64(), "{answer}");
    // After 2-3 South has two stones and is worth 6, so North to move loses 4.
    let after = json_of(&["solve", "kalah:4x3", "--value-only", "--line", "2-3"]);
    assert_eq!(after["value"], -4);
    let table = stdout(&["solve", "kalah:4x3,capture=empty", "--value-only", "--format", "csv"]);
    assert!(table.ends_with("\",3-3-3-3-3-3-3-3-0-0-S,8\n"), "{table}");
    let text = stdout(&["solve", "kalah:4x3", "--value-only"]);
    assert!(text.contains("value  6 for the player to move"), "{text}");
}

#[test]
fn winner_counts_the_stores() {
    let winner =
        |position: &str| json_of(&["solve", "kalah:4x3", position, "--winner"])["winner"].clone();
    for (stores, expected) in
        [("0-0", "south"), ("0-5", "south"), ("0-6", "draw"), ("0-7", "north"), ("9-16", "north")]
    {
        assert_eq!(winner(&format!("3-3-3-3-3-3-3-3-{stores}-S")), expected, "{stores}");
    }
    // North to move has the 6.
    assert_eq!(winner("3-3-3-3-3-3-3-3-0-0-N"), "north");
    assert_eq!(winner("3-3-3-3-3-3-3-3-6-0-N"), "draw");
    assert_eq!(winner("3-3-3-3-3-3-3-3-7-0-N"), "south");
    assert_eq!(winner("0-0-0-0-0-0-0-0-1-1-N"), "draw");
    assert!(stdout(&["solve", "kalah:4x6", "--winner"]).contains("a draw"));
}

#[test]
fn turns_are_worth_what_was_published() {
    let text = include_str!("../../data/oracles/values.json");
    let oracle: Value = serde_json::from_str(text).expect("the oracle file is JSON");
    for capture in ["empty", "nonempty"] {
        let published = &oracle[format!("kalah capture={capture}, first turns")]["6x3"];
        let answer = json_of(&["solve", &format!("kalah:6x3,capture={capture}"), "--turns"]);
        let turns = answer["turns"].as_array().expect("a list").iter();
        let turns = turns.map(|turn| (turn["turn"].as_str().expect("a turn"), &turn["value"]));
        let found: Value = turns.map(|(turn, value)| (turn.to_owned(), value.clone())).collect();
        assert_eq!(&found, published, "{capture}");
    }
}

#[test]
fn tables_of_every_form_give_the_same_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().to_str().expect("UTF-8");
    let game = "kalah:5x2";
    let answer = |more: &[&str]| {
        let mut answer = json_of(&[&["solve", game, "--turns"], more].concat());
        let fields = answer.as_object_mut().expect("an object");
        fields.retain(|field, _| !EFFORT.contains(&field.as_str()));
        answer
    };
    let own = answer(&[]);
    assert_eq!(own["value"], 2);
    mancala(&["build", game, "--stones", "8", "--tables", tables, "--quiet"]).assert().success();
    assert_eq!(answer(&["--tables", tables]), own);
    assert_eq!(answer(&["--tables", tables, "--threads", "3", "--memory", "1MiB"]), own);
    for form in ["zstd", "packed"] {
        mancala(&["pack", game, "--tables", tables, "--codec", form, "--quiet"]).assert().success();
        assert_eq!(answer(&["--tables", tables]), own, "{form}");
    }
    assert_error(&["solve", "kalah:5x2,capture=empty", "--tables", tables], "no tables of kalah:5");
    assert_error(&["solve", game, "--tables", "/no/such/folder"], "/no/such/folder");
}

#[test]
fn flags_that_exclude_each_other_are_told() {
    assert_error(&["solve", "kalah", "--winner", "--value-only"], "--winner");
    assert_error(&["solve", "kalah", "--winner", "--turns"], "--turns");
    assert_error(&["solve", "kalah", "--turns", "--value-only"], "--value-only");
}

#[test]
fn little_memory_and_many_threads_change_no_value() {
    for memory in ["0", "1MiB", "32MiB"] {
        for threads in ["1", "16"] {
            let args = ["solve", "kalah:6x2", "--memory", memory, "--threads", threads];
            assert_eq!(json_of(&args)["value"], 6, "{memory} {threads}");
        }
    }
}

#[test]
fn a_checkpoint_that_cannot_be_used_is_told_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kept");
    let name = path.to_str().expect("UTF-8");
    let hours = |name: &str| {
        assert_error(
            &["solve", "kalah:8x4", "--memory", "1GiB", "--quiet", "--checkpoint", name],
            name,
        )
    };
    fs::write(&path, "MANCALCP, or so").expect("writable");
    hours(name);
    hours("/no/such/folder/kept");
    fs::remove_file(&path).expect("there");
    json_of(&["solve", "kalah:4x3", "--checkpoint", name]);
    let other = ["solve", "mangala:4x3", "--quiet", "--checkpoint", name];
    assert_error(&other, "is a checkpoint of kalah:4,");
    let same = ["solve", "kalah:4x3", "--quiet", "--checkpoint", name];
    let lock = fs::File::create(folder.path().join("kept.lock")).expect("writable");
    lock.lock().expect("free");
    assert_error(&same, "another run is using it");
    // Closing it is not enough: what another test starts has it open as well for a moment.
    lock.unlock().expect("locked");
    json_of(&["solve", "kalah:4x3", "--checkpoint", name]);
    assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 1);
    assert_error(&["solve", "kalah:4x3", "--quiet", "--checkpoint", "."], "it is no file");
    // What has the name of the lock and is none stays.
    let other = folder.path().join("kept.lock");
    fs::write(&other, "mine").expect("writable");
    assert_error(&same, "in the way of a lock");
    assert_eq!(fs::read_to_string(&other).expect("there"), "mine");
}

/// A search that takes a second.
const QUICK: [&str; 5] =
    ["solve", "kalah:5x4", "--value-only", "--memory=512MiB", "--table-stones=16"];
/// The same on one thread, without tables and in hardly any memory, which takes much longer.
const SLOW: [&str; 4] = ["--memory=8KiB", "--table-stones=0", "--threads=1", "--checkpoint"];

/// Starts the slow search and waits until it has its checkpoint, and some time more.
#[cfg(unix)]
fn searching(checkpoint: &Path, time: Duration) -> Child {
    let continues = checkpoint.exists();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("mancala"))
        .args(&QUICK[..3])
        .args(SLOW)
        .arg(checkpoint)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    if continues {
        let told = BufReader::new(child.stderr.as_mut().expect("piped"));
        let mut lines = told.lines().map(|line| line.expect("UTF-8"));
        assert!(lines.any(|line| line.starts_with("continuing: ")));
    }
    while !checkpoint.exists() {
        thread::sleep(Duration::from_millis(10));
    }
    thread::sleep(time);
    child
}

#[test]
fn line_judges_every_turn() {
    let mut answer = json_of(&["line", "mangala:4x3", "1 2 3"]);
    let fields = answer.as_object_mut().expect("an object");
    assert!(EFFORT.iter().all(|&field| fields.remove(field).is_some()));
    let turn = |number, player, turn, position, values: [i32; 3], best, verdict| {
        let [value, best_value, loss] = values;
        json!({
            "number": number, "player": player, "turn": turn, "position": position,
            "value": value, "best": best, "best_value": best_value, "loss": loss,
            "verdict": verdict,
        })
    };
    let expected = json!({
        "game": "mangala:4x3,lone=stay,remainder=emptied,end=either",
        "position": "3-3-3-3-3-3-3-3-0-0-S",
        "turns": [
            turn(1, "south", "1", "1-4-4-3-3-3-3-3-0-0-N", [0, 4, 4], "3-4",
                 "turns a win into a draw"),
            turn(2, "north", "2", "1-4-4-3-3-1-4-4-0-0-S", [-2, 0, 2], "3-1",
                 "turns a draw into a loss"),
            turn(3, "south", "3", "1-4-1-4-0-1-4-4-5-0-N", [2, 2, 0], "2-3", "best"),
        ],
    });
    assert_eq!(answer, expected);
}

#[test]
fn line_judges_from_any_position_with_its_stores() {
    let verdict = |position| {
        let answer = json_of(&["line", "mangala:4x3", "1", "--position", position]);
        answer["turns"][0]["verdict"].clone()
    };
    assert_eq!(verdict("3-3-3-3-3-3-3-3-9-0-S"), "loses 4");
    assert_eq!(verdict("3-3-3-3-3-3-3-3-0-2-S"), "turns a win into a loss");
    assert_eq!(verdict("3-3-3-3-3-3-3-3-4-0-N"), "turns a draw into a loss");
}

#[test]
fn a_line_that_stops_inside_a_turn_is_judged_so_far() {
    let answer = json_of(&["line", "kalah:4x3", "2"]);
    let turn = &answer["turns"][0];
    assert_eq!((&turn["value"], &turn["best"]), (&json!(6), &json!("2-3")));
    assert_eq!((&turn["verdict"], &turn["loss"]), (&json!("best"), &json!(0)));
    assert_eq!(turn["position"], "3-0-4-4-3-3-3-3-1-0-S");
}

#[test]
fn line_has_a_row_a_turn() {
    let table = stdout(&["line", "kalah:4x3", "2-3 2", "--format", "csv"]);
    let expected = "number,player,turn,position,value,best,best_value,loss,verdict\n\
                    1,south,2-3,3-0-0-5-4-4-3-3-2-0-N,6,2-3,6,0,best\n\
                    2,north,2,4-0-0-5-4-0-4-4-2-1-S,-4,2,-4,0,best\n";
    assert_eq!(table, expected);
    let lines = stdout(&["line", "kalah:4x3", "2-3 2", "--format", "jsonl"]);
    let numbers = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    assert!(numbers.map(|turn| turn["number"].clone()).eq([1, 2]), "{lines}");
    let text = stdout(&["line", "kalah:4x3", "2-3 2"]);
    assert!(text.contains("  2  North   2        -4  2        -4  best"), "{text}");
}

#[test]
fn lines_that_cannot_be_judged_are_told() {
    assert_error(&["line", "kalah"], "<TURNS>");
    assert_error(&["line", "kalah", " "], "the line has no turns");
    assert_error(&["line", "kalah", "4 x"], "turn 2 `x`");
    assert_error(&["line", "kalah", "7"], "there is no pit 7");
    assert_error(&["line", "kalah", "3 1"], "South sows again in the same turn");
    assert_error(&["line", "kalah", "1-2"], "the turn is over");
    assert_error(&["line", "kalah", "1", "--position", "hello"], "position `hello`");
    assert_error(&["line", "kalah:2x1", "1", "--position", "0-0-1-2-3-4-S"], "the game is over");
    assert_error(&["line", "awari,repetition=own-side", "1"], "another history");
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_saves_and_continues() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kept");
    // How soon there is something to save depends on the machine.
    let mut time = Duration::from_millis(100);
    let saved = loop {
        let mut child = searching(&path, time);
        interrupt(&child);
        assert_eq!(child.wait().expect("it ends").code(), Some(130));
        let saved = fs::read(&path).expect("saved");
        if saved.len() > 1000 {
            break saved;
        }
        time *= 2;
    };
    // Killed without a chance to save, it leaves what was saved before.
    let mut child = searching(&path, time);
    child.kill().expect("killed");
    assert_eq!(child.wait().expect("it ends").code(), None);
    assert!(fs::read(&path).expect("still there") == saved);
    let mut quick = mancala(&QUICK);
    let answer = quick.args(["--format", "json", "--checkpoint"]).arg(&path).assert().success();
    let told = String::from_utf8_lossy(&answer.get_output().stderr);
    // On a busy machine lines about tables come first.
    assert!(told.lines().any(|line| line.starts_with("continuing: ")), "{told}");
    let value: Value = serde_json::from_slice(&answer.get_output().stdout).expect("JSON");
    assert_eq!(value["value"], 10);
}

/// A search of a game that goes round spreads over all that it may take; tests run side by side.
const MEMORY: [&str; 2] = ["--memory", "256MiB"];

/// Over tables of its own and over those of a folder, with the same moves as the table has.
#[test]
fn games_that_go_round_are_solved_above_tables() {
    let folders = [8, 5].map(|stones: u32| {
        let folder = tempfile::tempdir().expect("a folder");
        let name = folder.path().to_str().expect("UTF-8");
        let build = ["build", "awari", "--stones", &stones.to_string(), "--tables", name];
        mancala(&build).arg("--quiet").assert().success();
        folder
    });
    let [all, tables] = folders.each_ref().map(|folder| folder.path().to_str().expect("UTF-8"));
    let position = "1-0-2-0-1-0-0-1-1-0-2-0-20-20-S";
    let query = ["query", "awari", position, "--tables", all, "--format", "json"];
    let stored = mancala(&query).assert().success();
    let stored: Value = serde_json::from_slice(&stored.get_output().stdout).expect("an object");
    let ways = [
        (&["--table-stones", "4"][..], true),
        (&["--tables", tables, "--table-stones", "5"], true),
        (&["--tables", tables, "--table-stones", "3"], true),
        // More layers are built on those of the folder, until there is nothing to search.
        (&["--tables", tables, "--table-stones", "8"], false),
        (&["--tables", tables], false),
        (&["--tables", all], false),
    ];
    for (from, searches) in ways {
        let found = json_of(&[&["solve", "awari", position], from, &MEMORY].concat());
        for field in ["value", "moves", "position"] {
            assert_eq!(found[field], stored[field], "{field}");
        }
        assert_eq!(found["exact"], true);
        assert_eq!(found["bounds"], json!([stored["value"], stored["value"]]));
        assert_eq!(found["nodes"].as_u64() > Some(0), searches, "{from:?}: {found}");
    }
    let both = ["kalah:4x3", "--tables", tables, "--table-stones", "3"];
    assert_error(
        &[&["solve"], &both[..]].concat(),
        "--table-stones with --tables is for games whose positions recur",
    );
    assert_error(&[&["query"], &both[..]].concat(), "games whose positions recur");
    // No more of a folder than asked for.
    let source = |stones| {
        let fields = ["--fields", "source", "--table-stones", stones, "--quiet"];
        let mut query = mancala(&["query", "awari", position, "--tables", all]);
        let answer = query.args(fields).args(MEMORY).assert();
        String::from_utf8(answer.success().get_output().stdout.clone()).expect("UTF-8")
    };
    assert_eq!([source("5"), source("8")], ["search\n", "table\n"]);
    let huge = ["solve", "awari", "--tables", tables, "--table-stones", "60", "--memory", "1KiB"];
    assert_error(&huge, "tables to 60 stones take");
}

/// Nothing is built on a damaged layer, searched over it or read from it.
#[test]
fn damaged_tables_are_not_used() {
    for (game, position) in
        [("awari", "1-0-2-0-1-0-0-1-1-0-2-0-20-20-S"), ("kalah", "1-0-2-0-1-0-0-1-1-0-2-0-20-20-S")]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let name = folder.path().to_str().expect("UTF-8");
        let tables = ["--tables", name];
        let build = ["build", game, "--stones", "6", "--quiet"];
        mancala(&build).args(tables).assert().success();
        let solve = [&["solve", game, position, "--quiet"], &tables[..]].concat();
        mancala(&solve).assert().success();
        let key = game.parse::<games::Ruleset>().expect("a ruleset").table_key();
        let path = tablebase::file::layer_path(folder.path(), &key, 5);
        let mut bytes = fs::read(&path).expect("readable");
        let at = bytes.len() - 2000;
        bytes[at] ^= 1;
        fs::write(&path, bytes).expect("written");
        assert_error(&solve, "layer-005.mnc");
        for form in [&[][..], &["--value-only"]] {
            let low = "1-0-2-0-1-0-0-0-1-0-0-0-20-20-S";
            let query = [&["query", game, low, "--quiet"], &tables[..], form].concat();
            let told = mancala(&query).assert().failure().get_output().clone();
            let told = String::from_utf8([told.stdout, told.stderr].concat()).expect("UTF-8");
            assert!(told.contains("block 0 of") && told.contains("layer-005.mnc"), "{told}");
        }
    }
}

/// What a stopped search claims is true and says that it is not all.
#[test]
fn limits_give_bounds() {
    // Far more boards than the threads may search between two looks at the limit.
    let kalah = ["solve", "kalah:6x4", "--table-stones", "2", "--nodes", "1000"];
    for (args, value) in [(&kalah[..], Some(8)), (&["solve", "awari", "--time", "0"], None)] {
        let answer = json_of(args);
        assert_eq!((&answer["exact"], &answer["value"]), (&json!(false), &Value::Null), "{answer}");
        let bound = |at: usize| answer["bounds"][at].as_i64().expect("a number");
        assert!(bound(0) < bound(1), "{answer}");
        if let Some(value) = value {
            assert!((bound(0)..=bound(1)).contains(&value), "{answer}");
        }
        for sowing in answer["moves"].as_array().expect("a list") {
            assert!(sowing["bounds"][0].as_i64() <= sowing["bounds"][1].as_i64(), "{sowing}");
            assert!(sowing["bounds"][1].as_i64() <= Some(48), "{sowing}");
        }
    }
    assert!(
        stdout(&["solve", "awari", "--time", "0"]).contains("-48 to 48 for the player to move")
    );
    let table = stdout(&["solve", "awari", "--nodes", "0", "--format", "csv"]);
    assert!(table.starts_with("game,position,pit,lower,upper,captured\n"), "{table}");
    assert_error(&["solve", "awari", "--time", "-1"], "a number of seconds");
    assert_error(&["solve", "awari", "--time", "soon"], "a number of seconds");
}

/// Ctrl-C tells the bounds and ends with the documented code.
#[cfg(unix)]
#[test]
fn an_interrupted_search_tells_its_bounds() {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("mancala"));
    command.args(["solve", "awari", "--format", "json", "--table-stones", "8"]);
    // Enough for a search much longer than to the first line about it.
    command.args(["--memory", "1GiB", "--threads", "2"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let progress = BufReader::new(child.stderr.take().expect("piped"));
    let mut lines = progress.lines().map(|line| line.expect("progress"));
    assert!(lines.any(|line| line.contains("nodes")));
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(answer["exact"], false);
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(6));
}
