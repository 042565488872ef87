//! `mancala games-stats` as users run it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

const REAL: &str = "../data/games/toguz-73.txt";

fn mancala(args: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("mancala");
    command.arg("games-stats").args(args);
    command
}

fn output(args: &[&str], code: i32) -> Output {
    mancala(args).assert().code(code).get_output().clone()
}

/// The JSON of a run that exits with a code.
fn stats(args: &[&str], code: i32) -> Value {
    let output = output(&[args, &["--format", "json", "--quiet"]].concat(), code);
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

fn real() -> String {
    fs::read_to_string(REAL).expect("the committed records")
}

/// The records of the real file, each with its empty lines.
fn games(text: &str) -> Vec<String> {
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| text[start..end].to_owned()).collect()
}

fn has_moves(game: &str) -> bool {
    game.contains("\n1. ")
}

fn path_str(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn real_games_are_counted() {
    let text = real();
    let count = |part: &str| text.matches(part).count();
    let answer = stats(&["toguz", REAL, "--turns", "2"], 0);
    assert_eq!(answer["game"], "toguz:9x9,stop=82");
    assert_eq!(answer["games"], 73);
    assert_eq!(answer["illegal"], json!([]));
    assert_eq!(answer["mismatches"], json!([]));
    assert_eq!(answer["duplicates"], 0);
    assert_eq!(answer["results"]["south"], count("[Result \"1-0\"]"));
    assert_eq!(answer["results"]["north"], count("[Result \"0-1\"]"));
    assert_eq!(answer["results"]["draw"], count("[Result \"1/2-1/2\"]"));
    let with_moves = games(&text).iter().filter(|game| has_moves(game)).count();
    assert_eq!(answer["without_moves"], 73 - with_moves);
    assert_eq!(answer["plies"]["games"], with_moves);
    let first = answer["openings"].as_array().expect("a list");
    let sum: u64 = first.iter().map(|turn| turn["count"].as_u64().expect("a count")).sum();
    assert_eq!(sum, with_moves as u64);
    let seven = first.iter().find(|turn| turn["turn"] == "7").expect("the most frequent turn");
    assert_eq!(seven["count"], count("\n1. 76(10) "));
    let replies = seven["replies"].as_array().expect("a list");
    let nine = replies.iter().find(|turn| turn["turn"] == "9").expect("the most frequent reply");
    assert_eq!(nine["count"], count("\n1. 76(10) 98 "));
    assert_eq!(nine["replies"], json!([]));
}

#[test]
fn margins_and_ratings_are_means_over_the_games_that_have_them() {
    // South captures 10 and North 2, then South resigns; South captures 10 and runs out of time.
    let text = "\
[White \"a\"]\n[WhiteElo \"1000\"]\n[BlackElo \"2000\"]\n\n1. 76(10) 87(2) 0-1\n
[White \"b\"]\n[WhiteElo \"1500\"]\n\n1. 76(10) 87(2) 2. 99 0-1\n
[White \"c\"]\n\n1. 76(10) *\n";
    let output = mancala(&["toguz", "--turns", "3", "--format", "json"]).write_stdin(text).assert();
    let answer: Value = serde_json::from_slice(&output.code(0).get_output().stdout).expect("JSON");
    let south = &answer["openings"][0];
    assert_eq!(south["count"], 3);
    assert_eq!(south["results"], json!({"south": 0, "draw": 0, "north": 2}));
    assert_eq!(south["mean_rating"], 1250.0);
    let margin = south["margin_sum"].as_i64().expect("a sum");
    assert_eq!(south["mean_margin"], margin as f64 / 3.0);
    let north = &south["replies"][0];
    assert_eq!((&north["count"], &north["rated"]), (&json!(2), &json!(1)));
    assert_eq!(north["mean_rating"], 2000.0);
    assert_eq!(north["replies"][0]["mean_rating"], 1500.0);
    assert_eq!(margin - 10, north["margin_sum"].as_i64().expect("a sum"));
    assert_eq!(answer["without_result"], 1);
    assert_eq!(answer["plies"], json!({"mean": 2.0, "max": 3, "sum": 6, "games": 3}));
}

/// A record that is broken from its first tag on is counted as well.
#[test]
fn a_broken_first_tag_does_not_shift_the_numbers() {
    let game = |event: &str| format!("[Event \"{event}]\n[White \"a\"]\n\n1. 76 1-0\n\n");
    let text = [game("one\""), game("two"), game("three\""), "rubbish\n[\n".to_owned()].concat();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.txt");
    fs::write(&path, text).expect("written");
    let answer = stats(&["toguz", path_str(&path)], 1);
    assert_eq!(answer["games"], 3);
    let told = |at: usize| {
        ["game", "line", "ply"]
            .map(|field| answer["illegal"][at][field].as_u64().expect("a number"))
    };
    assert_eq!(told(0), [2, 6, 1]);
    assert_eq!(answer["mismatches"][1]["game"], 3, "{answer}");
}

#[test]
fn the_records_are_not_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.txt");
    fs::write(&path, real()).expect("written");
    let refused = output(&["toguz", path_str(&path), "--output", path_str(&path)], 2);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is the input"));
    assert_eq!(fs::read_to_string(&path).expect("there"), real());
}

#[test]
fn bad_records_are_listed_and_the_run_exits_with_1() {
    let mut games = games(&real());
    let broken: Vec<usize> =
        (0..games.len()).filter(|&game| has_moves(&games[game])).take(5).collect();
    let replace = |game: &mut String, from: &str, to: &str| {
        assert!(game.contains(from), "{from} in {game}");
        *game = game.replacen(from, to, 1);
    };
    replace(&mut games[broken[0]], "1. 76(10)", "1. 76(12)");
    replace(&mut games[broken[1]], "1. ", "1. 11 ");
    replace(&mut games[broken[2]], "[Result \"0-1\"]", "[Result \"1-0\"]");
    replace(&mut games[broken[3]], "2. ", "2. zz ");
    let moves = games[broken[4]].find("\n1. ").expect("moves");
    games[broken[4]].truncate(moves + 40);
    games[broken[4]] += "\n\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.txt");
    fs::write(&path, games.concat()).expect("written");
    let answer = stats(&["toguz", path_str(&path)], 1);
    let listed = |list: &str| -> Vec<(u64, String)> {
        let list = answer[list].as_array().expect("a list").iter();
        list.map(|bad| {
            let game = bad["game"].as_u64().expect("a number");
            let line = bad["line"].as_u64().expect("a number") as usize;
            (game, games.concat().lines().nth(line - 1).expect("a line").to_owned())
        })
        .collect()
    };
    let mismatches = listed("mismatches");
    let numbers = |list: &[(u64, String)]| -> Vec<usize> {
        list.iter().map(|(game, _)| *game as usize - 1).collect()
    };
    assert_eq!(numbers(&mismatches), broken[..3]);
    assert!(mismatches[0].1.contains("76(12)") && mismatches[1].1.contains("1. 11 "));
    let illegal = listed("illegal");
    assert_eq!(numbers(&illegal), broken[3..]);
    assert!(illegal[0].1.contains("zz"));
    assert_eq!((&answer["mismatch_count"], &answer["illegal_count"]), (&json!(3), &json!(2)));
    assert_eq!(answer["games"], 73);
    let sound: u64 = ["south", "draw", "north"]
        .map(|winner| answer["results"][winner].as_u64().expect("a count"))
        .iter()
        .sum();
    assert_eq!(sound, 68);
    let told = String::from_utf8(output(&["toguz", path_str(&path)], 1).stderr).expect("UTF-8");
    assert_eq!(told.lines().count(), 6, "{told}");
    assert!(told.contains("bad.txt: line ") && told.contains("`zz` is no turn"), "{told}");
}

#[test]
fn packed_files_and_standard_input_are_read() {
    let plain = stats(&["toguz", REAL], 0);
    let folder = tempfile::tempdir().expect("a folder");
    let gzip = folder.path().join("games.gz");
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(real().as_bytes()).expect("packed");
    let mut packed = encoder.finish().expect("packed");
    fs::write(&gzip, &packed).expect("written");
    let zstd = folder.path().join("games.zst");
    fs::write(&zstd, zstd::encode_all(real().as_bytes(), 1).expect("packed")).expect("written");
    for path in [&gzip, &zstd] {
        assert_eq!(stats(&["toguz", path_str(path)], 0), plain);
    }
    for args in [&["toguz", "-"][..], &["toguz"], &["toguz", "--threads", "1"]] {
        let mut command = mancala(&[args, &["--format", "json"]].concat());
        let assert = command.write_stdin(real()).assert().code(0);
        let read: Value = serde_json::from_slice(&assert.get_output().stdout).expect("JSON");
        assert_eq!(read, plain);
    }
    // A file that is cut off gives what can be read, then says so; the next is read.
    packed.truncate(packed.len() / 2);
    fs::write(&gzip, &packed).expect("written");
    let cut = stats(&["toguz", path_str(&gzip), path_str(&zstd)], 1);
    let errors = cut["illegal"].as_array().expect("a list");
    let last = errors.last().expect("an error")["error"].as_str().expect("a text");
    assert!(last.contains("cannot be read further"), "{last}");
    assert!(cut["duplicates"].as_u64().expect("a count") > 20);
    let results = |answer: &Value| answer["results"].clone();
    assert_eq!(results(&cut), results(&plain));
}

#[test]
fn a_game_counts_once() {
    let twice = stats(&["toguz", REAL, REAL], 0);
    let once = stats(&["toguz", REAL], 0);
    assert_eq!((&twice["games"], &twice["duplicates"]), (&json!(146), &json!(73)));
    for same in ["results", "plies", "openings", "without_moves"] {
        assert_eq!(twice[same], once[same]);
    }
    let kept = stats(&["toguz", REAL, REAL, "--keep-duplicates"], 0);
    assert_eq!(kept["duplicates"], 0);
    assert_eq!(kept["plies"]["sum"], 2 * once["plies"]["sum"].as_u64().expect("a sum"));
}

#[test]
fn files_merged_are_files_read_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let games = games(&real());
    let (first, second) = games.split_at(31);
    fs::write(at("first"), first.concat()).expect("written");
    fs::write(at("second"), second.concat() + "[White \"a\"]\n\n1. 11 *\n").expect("written");
    let [first, second, kept] = ["first", "second", "kept.json"].map(at);
    let [first, second, kept] = [&first, &second, &kept].map(|path| path_str(path));
    let common = ["toguz", "--format", "json", "--quiet", "--turns", "3"];
    let run = |args: &[&str], code| output(&[&common, args].concat(), code);
    run(&[first, "--output", kept], 0);
    run(&[second, "--merge", kept, "--output", kept], 1);
    let merged: Value = serde_json::from_slice(&fs::read(kept).expect("kept")).expect("JSON");
    let whole = run(&[first, second], 1);
    assert_eq!(merged, serde_json::from_slice::<Value>(&whole.stdout).expect("JSON"));
    // A run of which only the kept part has bad records is all right.
    let nothing = run(&["--merge", kept], 0);
    assert_eq!(merged, serde_json::from_slice::<Value>(&nothing.stdout).expect("JSON"));

    let refused = |args: &[&str], part: &str| {
        let output = mancala(args).assert().code(2).stdout("").get_output().clone();
        let told = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(told.contains(part) && told.lines().count() == 1, "{told}");
    };
    refused(&["toguz:9x9,stop=none", first, "--turns", "3", "--merge", kept], "toguz:9x9,stop=82");
    refused(&["toguz", first, "--turns", "2", "--merge", kept], "--turns 3");
    refused(&["toguz", first, "--turns", "3", "--min-plies", "1", "--merge", kept], "filters");
    refused(&["toguz", first, "--merge", first], "not the JSON");
    refused(&["toguz", first, "--merge", "no/such/file"], "no/such/file");
    refused(&["toguz", "no/such/file"], "no/such/file");
    let mad = fs::read_to_string(kept).expect("kept").replacen("\"games\": ", "\"games\": 9", 1);
    fs::write(kept, mad).expect("written");
    refused(&["toguz", first, "--turns", "3", "--merge", kept], "contradict");
}

#[test]
fn filters_choose_games() {
    let text = real();
    let games = games(&text);
    let count = |args: &[&str]| stats(&[&["toguz", REAL], args].concat(), 0)["games"].clone();
    let having = |is: &dyn Fn(&str) -> bool| games.iter().filter(|game| is(game)).count();
    assert_eq!(
        count(&["--player", "Player 0008"]),
        having(&|game| game.contains("\"Player 0008\""))
    );
    assert_eq!(count(&["--player", "Player"]), 0);
    assert_eq!(
        count(&["--from", "2025-03", "--to", "2025-05"]),
        having(&|game| ["2025.03", "2025.04", "2025.05"].iter().any(|month| game.contains(month)))
    );
    // The day is not given, so it may have been the first.
    assert_eq!(
        count(&["--from", "2025-03-02"]),
        having(&|game| !game.contains("2025.03")
            && !game.contains("2025.01")
            && !game.contains("2025.02")
            && !game.contains("2024"))
    );
    assert_eq!(count(&["--result", "draw"]), having(&|game| game.contains("[Result \"1/2-1/2\"]")));
    assert_eq!(count(&["--min-plies", "1"]), having(&has_moves));
    let ratings = |game: &str| -> Vec<u32> {
        let lines = game.lines().filter(|line| line.contains("Elo"));
        lines.filter_map(|line| line.split('"').nth(1)?.parse().ok()).collect()
    };
    assert_eq!(
        count(&["--min-rating", "1200", "--max-rating", "1300"]),
        having(&|game| {
            let ratings = ratings(game);
            ratings.len() == 2 && ratings.iter().all(|rating| (1200..=1300).contains(rating))
        })
    );
}

#[test]
fn every_form_has_the_openings() {
    let text =
        String::from_utf8(output(&["toguz", REAL, "--turns", "1"], 0).stdout).expect("UTF-8");
    assert!(text.starts_with("toguz:9x9,stop=82\n") && text.contains("mean plies"), "{text}");
    let csv = output(&["toguz", REAL, "--turns", "1", "--format", "csv"], 0).stdout;
    let csv = String::from_utf8(csv).expect("UTF-8");
    let header = "game,line,turns,count,south,draw,north,mean_margin,mean_rating\n";
    assert!(csv.starts_with(header), "{csv}");
    assert!(csv.lines().nth(1).is_some_and(|row| row.contains(",7,1,")), "{csv}");
    let jsonl = output(&["toguz", REAL, "--turns", "1", "--format", "jsonl"], 0).stdout;
    assert_eq!(String::from_utf8(jsonl).expect("UTF-8").lines().count(), 1);
}

#[test]
fn records_of_other_games_are_read() {
    let cases = [
        ("kalah", "[White \"a\"]\n\n1. 3-6 2-1 2. 2 4 1-0\n", "3-6"),
        ("mangala", "[White \"a\"]\n\n1. 4-6 4-3-1 2. 5 0-1\n", "4-6"),
        ("oware", "[South \"a\"]\n\n1. F f 2. E {x} (y) a 26-22\n", "6"),
        ("bestemshe", "[White \"a\"]\n\n1. 3 4 1/2-1/2\n", "3"),
    ];
    for (game, text, turn) in cases {
        let mut command = mancala(&[game, "--format", "json"]);
        let assert = command.write_stdin(text).assert().code(0);
        let answer: Value = serde_json::from_slice(&assert.get_output().stdout).expect("JSON");
        assert_eq!(answer["openings"][0]["turn"], turn, "{game}");
    }
    // Games from another start have no place in the tree of this one.
    let text = "[South \"a\"]\n[FEN \"3-4-4-4-4-4-4-4-4-4-4-4-1-0-S\"]\n\n1. F f 26-22\n";
    let mut command = mancala(&["oware", "--format", "json"]);
    let assert = command.write_stdin(text).assert().code(0);
    let answer: Value = serde_json::from_slice(&assert.get_output().stdout).expect("JSON");
    assert_eq!((&answer["openings"], &answer["games"]), (&json!([]), &json!(1)));
}
