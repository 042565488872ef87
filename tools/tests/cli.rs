//! The binary as users run it: answers, exit codes, and one clear line for each mistake.

mod common;

use std::fs;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use common::{mancala, stdout};

const KALAH: &str = "kalah:6x4,capture=nonempty,remainder=owner,end=either,stop=none";

fn json_of(args: &[&str]) -> Value {
    let text = stdout(&[args, &["--format", "json"]].concat());
    serde_json::from_str(&text).expect("one JSON object")
}

/// Runs what must fail and gives its one line.
fn error_of(args: &[&str]) -> String {
    let assert = mancala(args).assert().code(2).stdout("");
    let text = String::from_utf8(assert.get_output().stderr.clone()).expect("UTF-8");
    let line = text.strip_suffix('\n').expect("a whole line").to_owned();
    assert!(line.starts_with("error: ") && !line.contains('\n'), "{text}");
    line
}

fn assert_error(args: &[&str], parts: &[&str]) {
    let line = error_of(args);
    for part in parts {
        assert!(line.contains(part), "`{part}` is not in: {line}");
    }
}

#[test]
fn games_lists_options_and_sources() {
    let answer = json_of(&["games"]);
    let games = answer["games"].as_array().expect("a list");
    let names: Vec<&Value> = games.iter().map(|game| &game["name"]).collect();
    assert_eq!(names, ["kalah", "mangala", "oware", "awari", "bestemshe", "toguz"]);
    assert_eq!(games[5]["default"], "toguz:9x9,stop=82");
    assert_eq!(games[0]["default"], KALAH);
    assert_eq!(games[3]["cyclic"], true);
    let capture = &games[0]["options"][0];
    assert_eq!(capture["name"], "capture");
    assert_eq!(capture["default"], "nonempty");
    assert_eq!(capture["values"].as_array().expect("a list").len(), 2);
    let text = stdout(&["games"]);
    assert!(text.contains("* nonempty") && text.contains("Irving"), "{text}");
    assert_eq!(stdout(&["games", "--format", "jsonl"]).lines().count(), 6);
}

#[test]
fn show_answers_in_json() {
    let answer = json_of(&["show", "mangala", "--line", "4-6 4-3-1"]);
    assert_eq!(answer["position"], "4-4-4-1-5-1-1-6-2-3-7-6-2-2-S");
    assert_eq!(answer["to_move"], "south");
    assert_eq!(answer["pits"]["north"], json!([1, 6, 2, 3, 7, 6]));
    assert_eq!(answer["stores"], json!({"south": 2, "north": 2}));
    assert_eq!(answer["legal"], json!([1, 2, 3, 4, 5, 6]));
    assert_eq!(answer["over"], Value::Null);
}

#[test]
fn show_plays_moves_from_square_to_square_and_marks_tuzdyks() {
    let line = "f1e2 d2e1 i1a2 b2i1 b1g2 f2e1";
    let args = ["show", "toguz", "--line", line];
    let answer = json_of(&args);
    let reached = "12-2-13-13-t-3-12-12-1-12-12-0-1-2-3-12-2-13-22-15-S";
    assert_eq!(answer["position"], reached);
    assert_eq!(answer["tuzdyks"], json!({"south": 5, "north": null}));
    assert_eq!(answer["legal"], json!([1, 2, 3, 4, 6, 7, 8, 9]));
    let text = stdout(&args);
    assert!(text.contains("| 12 |  2 | 13 | 13 |  t |  3 | 12 | 12 |  1 |"), "{text}");
    let fen = "13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4";
    for game in ["toguz", "toguz,stop=none"] {
        assert_eq!(json_of(&["show", game, fen])["position"], reached);
    }
    let line = "c1d2 c2b1 c1d1 b2d1 e1a2 e2b1 c1d1 c2a2 e1e2 d2c2 a1c2";
    let answer = json_of(&["show", "bestemshe", "--line", line]);
    assert_eq!(answer["position"], "1-1-1-2-1-1-2-3-4-2-16-16-N");
    assert_eq!(answer["tuzdyks"], Value::Null);
    let over = json_of(&["show", "toguz", "1-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-80-81-N"]);
    assert_eq!(
        (&over["over"], &over["final"]),
        (&json!("board"), &json!({"south": 81, "north": 81}))
    );
}

#[test]
fn wrong_moves_from_square_to_square_are_told() {
    let wrong = |line: &str, part: &str| assert_error(&["show", "toguz", "--line", line], &[part]);
    wrong("f1d2", "move 1 `f1d2`: the last stone falls on e2");
    wrong("f1e2 f1e2", "move 2 `f1e2`: f1 is no pit of North, who is to move");
    wrong("f1e2 d3e1", "move 2 `d3e1` is not the squares of two pits such as f1e2");
    assert_error(&["show", "bestemshe", "--line", "f1e2"], &["there is no square f1"]);
    assert_error(&["show", "kalah", "--line", "c1c2"], &["the last stone falls into the store"]);
}

#[test]
fn what_knows_no_tuzdyks_refuses_toguz() {
    for args in [
        &["line", "toguz", "1"][..],
        &["survey", "toguz"],
        &["export", "toguz", "--stones", "3", "--tables", "nowhere"],
    ] {
        assert_error(args, &["toguz is not for this command, because of its tuzdyks"]);
    }
}

#[test]
fn positions_are_read_in_every_form() {
    let fen = "3S,5S,4S,4S,4S,1/4S,4S,4S,4S,4S,4S 1 3 N 1";
    let answer = json_of(&["show", "oware", fen]);
    assert_eq!(answer["position"], "4-4-4-4-4-4-0-4-4-4-5-3-1-3-N");
    let answer = json_of(&["show", "awari", "1 2 3 4 5 6 7 8 9 0 0 1"]);
    assert_eq!(answer["position"], "1-2-3-4-5-6-7-8-9-0-0-1-0-0-S");
}

#[test]
fn show_draws_north_on_top_from_right_to_left() {
    let text = stdout(&["show", "kalah:3x4", "1-2-3-4-5-6-7-18-N"]);
    let drawing = "\
      North  <- to move
       3    2    1
    +----+----+----+
    |  6 |  5 |  4 |
 18 +----+----+----+  7
    |  1 |  2 |  3 |
    +----+----+----+
       1    2    3
      South
";
    assert!(text.contains(drawing), "{text}");
}

#[test]
fn show_tells_the_end() {
    let answer = json_of(&["show", "kalah:2x1", "0-0-1-2-3-4-S"]);
    assert_eq!(answer["over"], "board");
    assert_eq!(answer["final"], json!({"south": 3, "north": 7}));
    assert_eq!(answer["legal"], json!([]));
    let stopped = json_of(&["show", "kalah,stop=majority", "1-1-1-1-1-1-1-1-1-1-1-1-30-0-S"]);
    assert_eq!(stopped["over"], "majority");
}

#[test]
fn perft_agrees_with_the_published_counts() {
    let text = include_str!("../../data/oracles/perft.json");
    let oracle: Value = serde_json::from_str(text).expect("the oracle file is JSON");
    for (name, nodes) in oracle["games"].as_object().expect("a map") {
        let depth = (nodes.as_array().expect("a list").len() - 1).to_string();
        // `oware:6x4 and awari:6x4 (defaults; ..)` names two games.
        for game in name.split(" (").next().unwrap_or(name).split(" and ") {
            for threads in ["1", "3"] {
                let answer = json_of(&["perft", game, "--depth", &depth, "--threads", threads]);
                assert_eq!(&answer["nodes"], nodes, "{game}");
            }
        }
    }
}

#[test]
fn perft_counts_from_any_position() {
    let finished = json_of(&["perft", "kalah:2x1", "0-0-1-2-3-4-S", "--depth", "4"]);
    assert_eq!(finished["nodes"], json!([1, 0, 0, 0, 0]));
    let after = json_of(&["perft", "kalah", "--line", "3", "--depth", "0"]);
    assert_eq!(after["nodes"], json!([1]));
    assert_eq!(after["position"], "4-4-0-5-5-5-4-4-4-4-4-4-1-0-S");
    let table = stdout(&["perft", "kalah", "--depth", "2", "--format", "csv"]);
    let expected = format!(
        "game,position,ply,nodes\n\
         \"{KALAH}\",4-4-4-4-4-4-4-4-4-4-4-4-0-0-S,0,1\n\
         \"{KALAH}\",4-4-4-4-4-4-4-4-4-4-4-4-0-0-S,1,6\n\
         \"{KALAH}\",4-4-4-4-4-4-4-4-4-4-4-4-0-0-S,2,35\n"
    );
    assert_eq!(table, expected);
}

#[test]
fn solve_answers_with_all_fields() {
    let mut answer = json_of(&["solve", "--quiet", "kalah:4x3"]);
    let fields = answer.as_object_mut().expect("an object");
    assert!(fields.remove("probes").expect("probes").as_u64() > Some(0));
    assert!(fields.remove("seconds").expect("seconds").as_f64() > Some(0.0));
    let moves = [(1, -6, false), (2, 6, true), (3, 2, false), (4, -2, false)].map(
        |(pit, value, again)| json!({"pit": pit, "value": value, "captured": 0, "again": again}),
    );
    let expected = json!({
        "game": "kalah:4x3,capture=nonempty,remainder=owner,end=either,stop=none",
        "position": "3-3-3-3-3-3-3-3-0-0-S",
        "value": 6,
        "final": {"south": 15, "north": 9},
        "best": "2-3",
        "moves": moves,
        "line": "2-3 2 1-4 1 1 4-2 2 4-3 1 4",
        "source": "search",
        "nodes": 0,
        "exact": true,
        "bounds": [6, 6],
    });
    assert_eq!(answer, expected);
}

#[test]
fn solve_values_a_position_for_its_mover_and_keeps_its_stores() {
    // After South's extra sowing 2 of `2-3 ..` it is South's move still.
    let inside = json_of(&["solve", "--quiet", "kalah:4x3", "--line", "2"]);
    assert_eq!(inside["position"], "3-0-4-4-3-3-3-3-1-0-S");
    assert_eq!((&inside["value"], &inside["best"]), (&json!(5), &json!("3")));
    assert_eq!(inside["final"], json!({"south": 15, "north": 9}));
    let after = json_of(&["solve", "--quiet", "kalah:4x3", "--line", "2-3"]);
    assert_eq!(after["final"], json!({"south": 15, "north": 9}));
    let stores: i64 = 2;
    assert_eq!(after["value"], json!(stores - 6));
    let rich = json_of(&["solve", "--quiet", "kalah:4x3", "3-3-3-3-3-3-3-3-100-7-S"]);
    assert_eq!(rich["value"], 6);
    assert_eq!(rich["final"], json!({"south": 115, "north": 16}));
}

#[test]
fn solve_finds_nothing_to_sow_on_a_finished_board() {
    let answer = json_of(&["solve", "--quiet", "kalah:2x1", "0-0-1-2-3-4-S"]);
    assert_eq!(answer["value"], -3);
    assert_eq!(answer["best"], Value::Null);
    assert_eq!((&answer["moves"], &answer["line"]), (&json!([]), &json!("")));
    assert_eq!(answer["final"], json!({"south": 3, "north": 7}));
    let table = stdout(&["solve", "--quiet", "kalah:2x1", "0-0-1-2-3-4-S", "--format", "csv"]);
    assert_eq!(table, "game,position,pit,value,captured,again,lower,upper\n");
}

#[test]
fn jsonl_is_one_object_a_line() {
    let text = stdout(&["solve", "--quiet", "mangala:3x2", "--format", "jsonl"]);
    assert_eq!(text.lines().count(), 1);
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(answer["value"], 0);
}

#[test]
fn solve_writes_a_table_of_sowings() {
    let text = stdout(&["solve", "--quiet", "kalah:2x1,capture=empty", "--format", "csv"]);
    let game = "kalah:2x1,capture=empty,remainder=owner,end=either,stop=none";
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[1].starts_with(&format!("\"{game}\",1-1-1-1-0-0-S,1,")), "{text}");
}

#[test]
fn wrong_games_are_told() {
    assert_error(&["show", "kalha"], &["<GAME>", "unknown game `kalha`", "kalah, mangala"]);
    assert_error(&["show", "kalah:6"], &["board size `6` is not PITSxSEEDS"]);
    assert_error(&["show", "kalah:12x4"], &["a board of 12x4 does not fit", "1 to 9 pits"]);
    assert_error(&["show", "kalah:9x8"], &["at most 127 stones"]);
    assert_error(&["show", "kalah,catch=all"], &["no option `catch`", "capture, remainder"]);
    assert_error(&["show", "kalah,capture=all"], &["cannot be `all`", "nonempty, empty"]);
    assert_error(&["show", "kalah,stop=none,stop=none"], &["option `stop` is given twice"]);
}

#[test]
fn wrong_positions_are_told() {
    let wrong = |text, parts: &[&str]| assert_error(&["show", "kalah:3x3", text], parts);
    wrong("3-3-3-3-3-3-0-0", &["position `3-3-3-3-3-3-0-0`", "player to move: S or N"]);
    wrong("3-3-3-3-0-0-S", &["2 pits", "3 a side"]);
    wrong("3-3-3-3-3-x-0-0-S", &["field 6", "`x` is not a number"]);
    wrong("3-3-3-3-3-120-0-0-S", &["135 stones", "at most 127"]);
    wrong("3-3-3-3-3-9999999999-0-0-S", &["field 6"]);
    wrong("3-3-3-3-3-3-0-4000000000-S", &["store of North"]);
    wrong("hello", &["position `hello`"]);
    wrong("", &["position ``"]);
}

#[test]
fn wrong_lines_are_told() {
    let wrong = |text, parts: &[&str]| assert_error(&["solve", "kalah", "--line", text], parts);
    wrong("4 x", &["turn 2 `x`"]);
    wrong("0", &["turn 1 `0`"]);
    wrong("7", &["there is no pit 7: pits are 1 to 6"]);
    wrong("3-3", &["turn 1 `3-3`, sowing 2", "pit 3 of South is empty"]);
    wrong("3 1", &["South sows again in the same turn"]);
    wrong("1-2", &["the turn is over"]);
    assert_error(&["show", "kalah:2x1", "0-0-1-2-3-4-S", "--line", "1"], &["the game is over"]);
}

#[test]
fn wrong_command_lines_are_told() {
    assert_error(&[], &["subcommand", "mancala --help"]);
    assert_error(&["solv", "kalah"], &["unrecognized subcommand 'solv'", "'solve'"]);
    assert_error(&["solve"], &["<GAME>"]);
    assert_error(&["show", "kalah", "--form", "json"], &["--form", "--format"]);
    assert_error(&["show", "kalah", "--format", "xml"], &["'xml'", "text, json, jsonl, csv"]);
    assert_error(&["perft", "kalah"], &["--depth"]);
    assert_error(&["perft", "kalah", "--depth", "-1"], &["-1", "0..=1000"]);
    assert_error(&["perft", "kalah", "--depth", "two"], &["'two'", "--depth"]);
    assert_error(&["perft", "kalah", "--depth", "1", "--threads", "9999"], &["0..=1024"]);
    for size in ["8Gigs", "", "8 apples", "GiB", "nan", "99999999999999999999"] {
        let named = format!("'{size}'");
        assert_error(&["solve", "kalah", "--memory", size], &[&named, "8GiB, 512MiB or 4GB"]);
    }
}

#[test]
fn what_cannot_be_solved_is_refused_with_the_reason() {
    assert_error(&["solve", "oware,repetition=own-side"], &["repetition=own-side", "history"]);
    assert_error(
        &["solve", "kalah:9x7", "--memory", "4MiB", "--quiet"],
        &["too few to tell apart all boards of 9 pits a side with up to 126 stones"],
    );
}

#[test]
fn output_goes_to_a_file_as_a_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("answer.json");
    let name = path.to_str().expect("UTF-8");
    for game in ["kalah", "mangala"] {
        let text = stdout(&["show", game, "--format", "json", "--output", name]);
        assert_eq!(text, "");
        let answer: Value =
            serde_json::from_slice(&fs::read(&path).expect("written")).expect("JSON");
        assert!(answer["game"].as_str().expect("a string").starts_with(game));
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn outputs_that_cannot_be_written_are_told() {
    assert_error(
        &["show", "kalah", "--output", "/no/such/folder/x"],
        &["cannot write /no/such/folder/x: No such file or directory"],
    );
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().to_str().expect("UTF-8");
    assert_error(&["show", "kalah", "--output", name], &["cannot write", "directory"]);
    // A failed run leaves what was there.
    let path = folder.path().join("kept");
    fs::write(&path, "before").expect("writable");
    error_of(&["solve", "awari,repetition=own-side", "--output", path.to_str().expect("UTF-8")]);
    assert_eq!(fs::read_to_string(&path).expect("still there"), "before");
}

#[cfg(unix)]
#[test]
fn output_follows_links_and_leaves_devices() {
    let folder = tempfile::tempdir().expect("a folder");
    let (link, file) = (folder.path().join("link"), folder.path().join("file"));
    fs::write(&file, "").expect("writable");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    stdout(&["show", "kalah", "--output", link.to_str().expect("UTF-8")]);
    assert!(link.is_symlink() && fs::metadata(&file).expect("there").len() > 0);
    stdout(&["show", "kalah", "--output", "/dev/null"]);
    assert!(!fs::metadata("/dev/null").expect("there").is_file());
}

fn spawn(args: &[&str]) -> std::process::Child {
    std::process::Command::new(assert_cmd::cargo::cargo_bin!("mancala"))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

#[test]
fn a_closed_pipe_is_no_failure() {
    for args in [&["games"][..], &["--help"], &["solve", "kalah:2x2", "--format", "json"]] {
        let mut child = spawn(args);
        drop(child.stdout.take());
        let Output { status, stderr, .. } = child.wait_with_output().expect("it ends");
        assert_eq!((status.code(), stderr), (Some(0), Vec::new()), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("mancala"))
        .args(["show", "kalah"])
        .stdout(full)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: cannot write to standard"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_exits_130() {
    use std::io::{BufRead, BufReader};
    // A line about nodes shows that the search is under way; on a busy machine lines about tables
    // come first.
    let mut child = spawn(&["solve", "kalah:8x4", "--memory", "256MiB", "--table-stones", "6"]);
    let progress = BufReader::new(child.stderr.take().expect("piped"));
    let mut lines = progress.lines().map(|line| line.expect("progress"));
    assert!(lines.any(|line| line.contains("nodes")));
    common::interrupt(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

#[test]
fn version_and_help_are_answers() {
    let version = stdout(&["--version"]);
    assert!(version.starts_with(concat!("mancala ", env!("CARGO_PKG_VERSION"), " (")), "{version}");
    assert!(stdout(&["solve", "--help"]).contains("--memory"));
}
