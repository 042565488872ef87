//! `mancala query` as users run it.

mod common;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use games::notation::dash;
use games::{Player, Position, Ruleset, Setup};
use serde_json::{Value, json};
use tablebase::Tables;
use tempfile::TempDir;

const GAME: &str = "kalah:3x3";
/// Layers of the tables of most tests.
const STONES: u32 = 9;
const MALFORMED: &str = include_str!("../../data/malformed/positions.tsv");

/// A folder with tables of a game.
struct Folder {
    dir: TempDir,
    game: &'static str,
}

impl Folder {
    fn new(game: &'static str, stones: u32) -> Folder {
        Folder::with_codec(game, stones, "byte")
    }

    fn with_codec(game: &'static str, stones: u32, codec: &str) -> Folder {
        let dir = tempfile::tempdir().expect("a folder");
        let stones = stones.to_string();
        let args = ["build", game, "--stones", &stones, "--codec", codec, "--quiet", "--tables"];
        let built = mancala().args(args).arg(dir.path()).status().expect("runs");
        assert!(built.success());
        Folder { dir, game }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("written");
        path
    }

    fn query(&self, args: &[&str]) -> Command {
        let mut command = mancala();
        command.args(["query", self.game, "--quiet", "--tables"]).arg(self.dir.path()).args(args);
        command
    }

    /// Runs a query over tables alone with some standard input.
    fn run(&self, args: &[&str], input: &[u8]) -> Output {
        let mut command = self.query(&[&["--tables-only"], args].concat());
        let mut child = piped(&mut command);
        let mut stdin = child.stdin.take().expect("piped");
        let input = input.to_vec();
        let writer = thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().expect("ends");
        // The run may end before it has read everything.
        let _ = writer.join().expect("writes");
        output
    }

    /// All positions of up to so many stones, with their values.
    fn positions(&self, most: u32) -> Vec<(String, i32)> {
        let ruleset: Ruleset = self.game.parse().expect("a ruleset");
        let tables = Tables::open(self.dir.path(), &ruleset, most).expect("tables");
        let mut found = Vec::new();
        for stones in 0..=most {
            for number in 0..tables.index().positions(stones) {
                let board = tables.index().board(stones, number);
                let value = tables.value(board).expect("readable").expect("here");
                let pits = [board.mover, board.other];
                let mut setup = Setup {
                    pits: pits.map(|side| side.iter(ruleset.pits()).collect()),
                    stores: [number as u32 % 50, 3],
                    to_move: Player::South,
                    tuzdyks: [None; 2],
                };
                if number % 2 == 1 {
                    setup.pits.reverse();
                    setup.to_move = Player::North;
                }
                found.push((dash::format(&setup), value));
            }
        }
        found
    }
}

fn mancala() -> Command {
    Command::new(env!("CARGO_BIN_EXE_mancala"))
}

fn piped(command: &mut Command) -> Child {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn lines(bytes: &[u8]) -> Vec<String> {
    text(bytes).lines().map(str::to_owned).collect()
}

fn jsonl(bytes: &[u8]) -> Vec<Value> {
    lines(bytes).iter().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("memory")
}

/// The fast form against the plain reading of the tables, in every input and output form.
#[test]
fn values_are_those_of_the_tables_in_every_form() {
    let folder = Folder::new(GAME, STONES);
    let positions = folder.positions(6);
    assert!(positions.len() > 900);
    let plain: String = positions.iter().map(|(text, _)| format!("{text}\n")).collect();
    let table: String = ["x,position\n".to_owned()]
        .into_iter()
        .chain(positions.iter().map(|(text, _)| format!("\"a,\",{text}\r\n")))
        .collect();
    let object = |(text, _): &(String, i32)| json!({"n": 1, "position": text}).to_string() + "\n";
    let objects: String = positions.iter().map(object).collect();
    let values: String = positions.iter().map(|(_, value)| format!("{value}\n")).collect();
    let inputs =
        [("a.txt", "lines", plain), ("a.csv", "csv", table), ("a.jsonl", "jsonl", objects)];
    for (name, kind, input) in inputs {
        let bytes = input.as_bytes();
        // Several members, as concatenated files have.
        let halves = bytes.split_at(bytes.len() / 2);
        let zipped = [gzip(halves.0), gzip(halves.1)].concat();
        let packed = [zstd(halves.0), zstd(halves.1)].concat();
        for (ending, bytes) in [("", bytes.to_vec()), (".gz", zipped), (".zst", packed)] {
            let path = folder.write(&format!("{name}{ending}"), &bytes);
            let input = path.to_str().expect("UTF-8");
            for threads in ["1", "3"] {
                let args = ["--value-only", "--threads", threads, "--input", input];
                let output = folder.run(&args, b"");
                assert_eq!(text(&output.stderr), "", "{input}");
                assert!(text(&output.stdout) == values, "{input}");
            }
        }
        let output = folder.run(&["--value-only", "--input-format", kind], bytes);
        assert!(text(&output.stdout) == values, "{kind} from standard input");
    }
}

#[test]
fn fields_are_written_in_the_order_asked() {
    let folder = Folder::new("mangala:2x2", 8);
    let input = b"2-2-2-2-0-0-S\n\n line: 1 \n1-0-0-1-9-9-N";
    let all = jsonl(&folder.run(&["--format", "jsonl"], input).stdout);
    assert_eq!(all.len(), 3);
    assert_eq!(all[2]["final"], json!({"south": 9, "north": 11}));
    // Whatever the whole object holds can be chosen.
    let keys = all[0].as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(",");
    let chosen = folder.run(&["--format", "jsonl", "--fields", &keys], input);
    assert_eq!(jsonl(&chosen.stdout), all);
    let args = ["--format", "jsonl", "--fields", "value,number,best,input"];
    let output = text(&folder.run(&args, input).stdout);
    for (line, full) in output.lines().zip(&all) {
        let parts: Vec<&str> = line.split("\":").collect();
        assert!(parts[0].ends_with("value") && parts[3].ends_with("input"), "{line}");
        let chosen: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!((&chosen["value"], &chosen["best"]), (&full["value"], &full["best"]));
    }
    assert!(output.lines().nth(1).expect("a line").contains(r#""number":3"#));
    assert!(output.lines().nth(1).expect("a line").ends_with(r#""input":"line: 1"}"#));
    let args = ["--format", "csv", "--fields", "position,final,exact,bounds,source"];
    let output = lines(&folder.run(&args, input).stdout);
    assert_eq!(output[0], "position,final,exact,bounds,source,error");
    let value = &all[2]["value"];
    let expected =
        format!(r#"1-0-0-1-9-9-N,"{{""north"":11,""south"":9}}",true,"[{value},{value}]",table,"#);
    assert_eq!(output[3], expected);
    let output = lines(&folder.run(&[], input).stdout);
    assert_eq!(output.len(), 3);
    assert!(output[0].starts_with("2-2-2-2-0-0-S\t"), "{}", output[0]);
    let refused = folder.run(&["--fields", "value,valeu"], input);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("the fields are number, input, game"));
}

/// What hangs on the rule of repetition has no bounds, unless the tables hold such as hold under
/// every rule.
#[test]
fn bounds_hold_under_every_rule_of_repetition() {
    let folder = Folder::new("awari", 4);
    let input = b"1 0 0 0 0 0 1 0 0 0 0 0\n0 0 0 0 0 1 1 0 0 0 0 0\n9 9 9 9 9 9 9 9 9 9 9 9\n";
    let fields = ["--format", "jsonl", "--fields", "value,bounds,exact"];
    let without = jsonl(&folder.run(&fields, input).stdout);
    assert_eq!(without[0], json!({"value": 0, "bounds": null, "exact": true}));
    let build = ["build", "awari", "--stones", "4", "--bounds", "--quiet", "--tables"];
    assert!(mancala().args(build).arg(folder.dir.path()).status().expect("runs").success());
    let with = jsonl(&folder.run(&fields, input).stdout);
    assert_eq!(with[0], json!({"value": 0, "bounds": [-2, 2], "exact": true}));
    assert_eq!(with[1], json!({"value": 2, "bounds": [2, 2], "exact": true}));
    let full = jsonl(&folder.run(&["--format", "jsonl", "--children"], input).stdout);
    assert_eq!(
        (&full[0]["bounds"], &full[0]["rule_independent"]),
        (&json!([-2, 2]), &json!(false))
    );
    assert_eq!(full[1]["children"], json!([127, 127, 127, 127, 127, 2]));
    let keys =
        full[0].as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(",");
    let chosen = folder.run(&["--format", "jsonl", "--fields", &keys], input);
    assert_eq!(jsonl(&chosen.stdout), full);
    // A rule that leaves a position without a value of its own.
    let other = Folder { dir: folder.dir, game: "awari,repetition=own-side" };
    let open = jsonl(&other.run(&fields, input).stdout);
    assert_eq!(open[0], json!({"value": null, "bounds": [-2, 2], "exact": false}));
    assert_eq!(open[1], with[1]);
    let mut searched = other.query(&fields);
    let path = other.dir.path().join("in.txt");
    fs::write(&path, input).expect("written");
    let searched = jsonl(&searched.arg("--input").arg(path).output().expect("runs").stdout);
    assert_eq!(searched, open);
    assert!(searched[2]["error"].as_str().expect("an error").contains("reach to 4"));
    assert_eq!(text(&other.run(&["--value-only"], input).stdout).lines().next(), Some("-2..2"));
}

/// One argument is answered as `solve` answers it, several like lines.
#[test]
fn arguments_are_positions() {
    let folder = Folder::new("mangala:2x2", 8);
    let one = |args: &[&str]| folder.run(&[args, &["2-2-2-2-0-0-S"]].concat(), b"");
    assert!(text(&one(&[]).stdout).contains("value  "));
    let object: Value = serde_json::from_slice(&one(&["--format", "json"]).stdout).expect("JSON");
    assert!(object["moves"].is_array());
    assert_eq!(text(&one(&["--value-only"]).stdout), format!("{}\n", object["value"]));
    let rows = text(&one(&["--format", "csv"]).stdout);
    assert!(rows.starts_with("game,position,pit,value,captured,again,lower,upper\n"), "{rows}");
    let two = folder.run(&["--format", "json", "line: 1", "2-2-2-2-0-0-S"], b"");
    let list: Value = serde_json::from_slice(&two.stdout).expect("JSON");
    assert_eq!(list.as_array().expect("a list").len(), 2);
    assert_eq!(list[1]["value"], object["value"]);
    let none = folder.run(&["--format", "json"], b"\n\n");
    assert_eq!(text(&none.stdout), "[]\n");
    let wrong = folder.run(&["2-2-2"], b"");
    assert_eq!((wrong.status.code(), text(&wrong.stdout)), (Some(2), String::new()));
    assert!(text(&wrong.stderr).contains("position `2-2-2`"));
}

/// Each reader gives every malformed input the right error, in its place.
#[test]
fn malformed_positions_are_told_in_their_place() {
    let folder = Folder::new("kalah", 0);
    let cases: Vec<(&str, &str)> = MALFORMED
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once('\t').expect("two columns"))
        // A blank line is no position, and a line begins with its first character.
        .filter(|(_, text)| !text.trim().is_empty())
        .collect();
    assert!(cases.len() >= 200);
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(["position", "more"]).expect("memory");
    for (_, text) in &cases {
        table.write_record([text, "x"]).expect("memory");
    }
    let table = table.into_inner().expect("memory");
    let plain: String = cases.iter().map(|(_, text)| format!("{text}\n")).collect();
    let objects: String =
        cases.iter().map(|(_, text)| json!({"position": text}).to_string() + "\n").collect();
    let inputs: [(&str, &[u8], u64); 3] =
        [("lines", plain.as_bytes(), 1), ("csv", &table, 2), ("jsonl", objects.as_bytes(), 1)];
    for (kind, input, first) in inputs {
        // A search could answer what is right; the tables cannot, but they can read it.
        let args = ["--input-format", kind, "--format", "jsonl", "--fields", "position"];
        let output = folder.run(&args, input);
        assert_eq!(output.status.code(), Some(1));
        let answers = jsonl(&output.stdout);
        assert_eq!(answers.len(), cases.len());
        for ((number, (expected, text)), answer) in (first..).zip(&cases).zip(&answers) {
            let told = answer["error"].as_str().unwrap_or_default();
            match expected.strip_prefix('!') {
                Some(part) => {
                    assert!(told.contains(part), "{kind} `{text}`: {told}");
                    assert_eq!(answer["line"], number);
                }
                None if answer["position"].is_null() => {
                    assert!(told.contains("the tables reach to 0"), "{kind} `{text}`: {told}");
                }
                None => assert_eq!(answer["position"], *expected),
            }
        }
        let bad = answers.iter().filter(|answer| !answer["error"].is_null()).count();
        let all = answers.len();
        let last = format!("error: {bad} of {all} positions could not be judged\n");
        assert_eq!(text(&output.stderr), last);
    }
}

#[test]
fn bad_lines_are_told_in_their_place() {
    let folder = Folder::new(GAME, STONES);
    let good = "1-0-0-0-0-0-0-0-S";
    let long = "1".repeat((1 << 20) + 1);
    let input = format!("{good}\n\n4 4\r\n{long}\n{good}\n\u{fffd}\0\n{{}}\n");
    let output = folder.run(&["--value-only", "--format", "jsonl"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let answers = jsonl(&output.stdout);
    assert_eq!(answers[0], answers[3]);
    let told = [(1, 3, "1 pits"), (2, 4, "longer than"), (4, 6, "not a number"), (5, 7, "jsonl")];
    for (index, line, part) in told {
        assert_eq!(answers[index]["line"], line);
        let error = answers[index]["error"].as_str().expect("an error");
        assert!(error.contains(part) && error.len() < 1000, "{error}");
    }
    assert_eq!(answers.len(), 6);
    let output = folder.run(&["--value-only"], input.as_bytes());
    let answers = lines(&output.stdout);
    assert_eq!(answers.len(), 6);
    assert!(answers[1].starts_with("error: line 3: `4 4`: "), "{}", answers[1]);
    let table = format!("position\n{good}\n\"a\"\"\t,\"\n");
    let args = ["--input-format", "csv", "--format", "csv", "--value-only"];
    let output = folder.run(&args, table.as_bytes());
    let mut reader = csv::Reader::from_reader(output.stdout.as_slice());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!((rows.len(), &rows[0][1], &rows[1][0]), (2, "", ""));
    assert!(rows[1][1].starts_with("line 3: `a\"\\t,`: "), "{:?}", rows[1]);
}

#[test]
fn strict_stops_at_the_first_bad_line() {
    let folder = Folder::new(GAME, STONES);
    let good = "1-0-0-0-0-0-0-0-S\n";
    let input = good.repeat(5000) + "x\n" + good;
    let output = folder.run(&["--value-only", "--strict"], input.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(lines(&output.stdout).len(), 5000);
    assert!(text(&output.stderr).starts_with("error: line 5001: `x`: "));
}

#[test]
fn wrong_inputs_are_refused() {
    let folder = Folder::new(GAME, STONES);
    let position = "1-0-0-0-0-0-0-0-S\n".repeat(3000);
    let zipped = gzip(position.as_bytes());
    let cut = folder.write("cut.gz", &zipped[..zipped.len() - 9]);
    let packed = zstd(position.as_bytes());
    let torn = folder.write("torn.zst", &packed[..packed.len() - 3]);
    let table = folder.write("no.csv", b"a,b\n1,2\n");
    let empty = folder.write("empty.csv", b"");
    let lost = folder.path("lost.txt");
    let told: [(&Path, &str); 5] = [
        (&cut, "cannot read"),
        (&torn, "cannot read"),
        (&table, "no column `position`"),
        (&empty, "no header line"),
        (&lost, "cannot read"),
    ];
    for (path, part) in told {
        let input = path.to_str().expect("UTF-8");
        let output = folder.run(&["--value-only", "--input", input], b"");
        assert_eq!(output.status.code(), Some(2), "{input}");
        let error = text(&output.stderr);
        assert!(error.contains(part) && error.contains(input), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    for args in [
        &["--column", "p"][..],
        &["--resume"],
        &["--time", "0"],
        &["--time", "1"],
        &["--value-only", "--fields", "value"],
        &["x", "--input", "y"],
    ] {
        assert_eq!(folder.run(args, b"").status.code(), Some(2), "{args:?}");
    }
}

/// Several files are one input; errors name the file.
#[test]
fn files_are_read_one_after_the_other() {
    let folder = Folder::new(GAME, STONES);
    let first = folder.write("first.csv", b"p,q\n1,1-0-0-0-0-0-0-0-S\n2,x\n");
    let second = folder.write("second.jsonl", b"{\"q\":\"2-0-0-0-0-0-0-0-S\"}\n{}\n");
    let [first, second] = [first, second].map(|path| path.to_str().expect("UTF-8").to_owned());
    let args = ["--column", "q", "--format", "jsonl", "--fields", "number,value"];
    let output = folder.run(&[&args[..], &["--input", &first, "--input", &second]].concat(), b"");
    let answers = jsonl(&output.stdout);
    assert_eq!((&answers[0]["number"], &answers[2]["number"]), (&json!(2), &json!(1)));
    assert_eq!((&answers[1]["file"], &answers[1]["line"]), (&json!(first), &json!(3)));
    assert_eq!((&answers[3]["file"], &answers[3]["line"]), (&json!(second), &json!(2)));
}

/// What the tables do not reach is solved, to the same values.
#[test]
fn beyond_the_tables_positions_are_solved() {
    let low = Folder::new(GAME, 3);
    let high = Folder::new(GAME, STONES);
    let input: String =
        high.positions(7).iter().step_by(97).map(|(p, _)| p.clone() + "\n").collect();
    let fields = ["--format", "jsonl", "--fields", "position,value,best,line,moves,final"];
    let expected = high.run(&fields, input.as_bytes());
    let refused = low.run(&fields, input.as_bytes());
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stdout).contains("the tables reach to 3"));
    let path = low.write("in.txt", input.as_bytes());
    let input = path.to_str().expect("UTF-8");
    let searched = [&fields[..], &["--memory", "512MiB", "--input", input]].concat();
    let output = low.query(&searched).output().expect("runs");
    assert_eq!(text(&output.stderr), "");
    assert!(output.stdout == expected.stdout);
    let sources = ["--fields", "source", "--memory", "512MiB", "--input", input];
    let sources = low.query(&sources).output().expect("runs");
    let searched = lines(&sources.stdout).iter().filter(|source| *source == "search").count();
    assert!(searched > 10 && searched < lines(&sources.stdout).len());
    // Without any tables.
    let mut command = mancala();
    command.args(["query", GAME, "--quiet", "--memory", "512MiB", "--input", input]).args(fields);
    assert!(command.output().expect("runs").stdout == expected.stdout);
}

/// A position that takes too long has bounds, and its true value (Irving et al.) is within.
#[test]
fn bounds_are_told_when_the_time_is_over() {
    let common = ["query", "kalah:6x4,capture=empty", "--quiet", "--memory", "512MiB"];
    let limits = ["--table-stones", "4", "--time", "0.1"];
    let position = Position::start(&"kalah".parse::<Ruleset>().expect("a ruleset"));
    let dashes = dash::format(&position.setup(6));
    let run = |args: &[&str]| {
        let mut command = mancala();
        command.args(common).args(limits).args(args);
        let output = command.output().expect("runs");
        assert_eq!(text(&output.stderr), "");
        text(&output.stdout)
    };
    for args in [&["--format", "json"][..], &["--format", "jsonl", "--value-only"]] {
        let answer = run(&[args, &[&dashes]].concat());
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!((&answer["value"], &answer["exact"]), (&Value::Null, &json!(false)));
        let bound = |index: usize| answer["bounds"][index].as_i64().expect("a number");
        assert!(-48 <= bound(0) && bound(0) <= 10 && 10 <= bound(1) && bound(1) <= 48);
    }
    let searched = run(&["--fields", "nodes,seconds", &dashes, "0-0-0-0-0-1-0-0-0-0-0-0-0-0-S"]);
    let searched: Vec<Vec<&str>> =
        searched.lines().map(|line| line.split('\t').collect()).collect();
    // How many depends on how much of the time the machine gave.
    assert!(searched[0][0].parse::<u64>().is_ok());
    assert!(searched[0][1].parse::<f64>().expect("seconds") >= 0.1);
    assert_eq!(searched[1][0], "0", "the tables that were built have it");
    let told = run(&["--value-only", &dashes, "0-0-0-0-0-1-0-0-0-0-0-0-0-0-S"]);
    let (open, exact) = told.trim_end().split_once('\n').expect("two lines");
    let (lower, upper) = open.split_once("..").expect("bounds");
    assert!(lower.parse::<i32>().expect("a number") <= 10);
    assert!(upper.parse::<i32>().expect("a number") >= 10);
    assert_eq!(exact, "1");
}

/// Compressed tables are unpacked, or read block by block where memory is short.
#[test]
fn tables_of_every_codec_answer_the_same() {
    let positions = Folder::new(GAME, STONES);
    let plain: String = positions.positions(5).iter().map(|(p, _)| p.clone() + "\n").collect();
    let expected = positions.run(&["--value-only"], plain.as_bytes()).stdout;
    for codec in ["packed", "zstd"] {
        let folder = Folder::with_codec(GAME, STONES, codec);
        for memory in ["1GiB", "1KiB"] {
            let args = ["--value-only", "--memory", memory];
            let output = folder.run(&args, plain.as_bytes());
            assert!(output.stdout == expected, "{codec} {memory}: {}", text(&output.stderr));
        }
    }
}

/// Whoever types a line sees its answer before the next; a closed pipe ends the run quietly, even
/// while the input is open.
#[test]
fn answers_come_at_once_and_a_closed_pipe_is_no_failure() {
    let folder = Folder::new(GAME, STONES);
    for threads in ["1", "2"] {
        let mut child = piped(&mut folder.query(&["--value-only", "--threads", threads]));
        let mut stdin = child.stdin.take().expect("piped");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        for _ in 0..3 {
            stdin.write_all(b"1-0-0-0-0-0-0-0-S\n").expect("read");
            let mut line = String::new();
            stdout.read_line(&mut line).expect("an answer");
            assert!(line.trim_end().parse::<i32>().is_ok(), "{line}");
        }
        drop(stdout);
        // What another test starts has the pipe open as well for a moment, so one answer may still
        // be taken.
        while child.try_wait().expect("asked").is_none() {
            let _ = stdin.write_all(b"1-0-0-0-0-0-0-0-S\n");
            thread::sleep(Duration::from_millis(10));
        }
        let output = child.wait_with_output().expect("ends");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
        drop(stdin);
    }
}

/// A reader that pauses holds the input back; nothing is lost, and memory stays small.
#[test]
fn a_slow_reader_holds_the_input_back() {
    const LINES: u64 = 600_000;
    let folder = Folder::new(GAME, STONES);
    // So many chunks are on their way for each thread.
    let query = ["--value-only", "--tables-only", "--threads", "2"];
    let mut child = piped(&mut folder.query(&query));
    let mut stdin = child.stdin.take().expect("piped");
    let written = Arc::new(AtomicU64::new(0));
    let count = written.clone();
    let writer = thread::spawn(move || {
        let block = "1-0-0-0-0-0-0-0-S\n".repeat(1000);
        for _ in 0..LINES / 1000 {
            stdin.write_all(block.as_bytes()).expect("read in the end");
            count.fetch_add(block.len() as u64, Relaxed);
        }
    });
    // Until nothing moves any more.
    let mut before = 0;
    loop {
        thread::sleep(Duration::from_millis(300));
        let now = written.load(Relaxed);
        if now > 0 && now == before {
            break;
        }
        before = now;
    }
    assert!(before < LINES * 18 / 2, "{before} bytes were read ahead");
    let memory = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().to_owned();
        line.strip_suffix(" kB")?.trim().parse::<u64>().ok()
    };
    if cfg!(target_os = "linux") {
        assert!(memory().expect("told") < 200_000);
    }
    let mut answers = Vec::new();
    child.stdout.take().expect("piped").read_to_end(&mut answers).expect("read");
    writer.join().expect("all is written");
    assert!(child.wait().expect("ends").success());
    assert_eq!(answers.iter().filter(|&&byte| byte == b'\n').count() as u64, LINES);
}

/// Killed and interrupted at any moment, a run that is continued gives what it gives in one go.
#[test]
fn an_interrupted_run_is_continued() {
    let folder = Folder::new(GAME, STONES);
    let mut input = String::new();
    for (number, (position, _)) in folder.positions(8).iter().cycle().take(60_000).enumerate() {
        match number % 1000 {
            7 => input += "nonsense\n",
            8 => input += "\n",
            _ => input += &format!("{position}\n"),
        }
    }
    let path = folder.write("in.txt.gz", &gzip(input.as_bytes()));
    let input_name = path.to_str().expect("UTF-8");
    let mut state = 12345u64;
    for format in ["jsonl", "csv", "text"] {
        let args = ["--format", format, "--fields", "number,position,value", "--tables-only"];
        let args = [&args[..], &["--input", input_name, "--output"]].concat();
        let whole = folder.path("whole");
        let code = folder.query(&args).arg(&whole).status().expect("runs").code();
        assert_eq!(code, Some(1));
        let (out, partial) = (folder.path(format), folder.path(&format!("{format}.partial")));
        let mut stops = 0;
        loop {
            let mut child = folder.query(&args).arg(&out).arg("--resume").spawn().expect("starts");
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            thread::sleep(Duration::from_millis((state >> 33) % 60));
            // After a few stops it may end.
            if stops < 8 {
                interrupt(&mut child, stops % 2 == 0);
                stops += 1;
            }
            let code = child.wait().expect("ends").code();
            if code == Some(1) {
                break;
            }
            assert!(matches!(code, None | Some(130)), "{code:?}");
            if out.exists() {
                // Stopped after it had done all.
                assert!(fs::read(&out).expect("whole") == fs::read(&whole).expect("whole"));
            } else if stops == 4 && fs::metadata(&partial).is_ok_and(|partial| partial.len() > 0) {
                // As if it had been stopped inside a line.
                let mut file = File::options().append(true).open(&partial).expect("there");
                file.write_all(b"{\"number\":1").expect("written");
            }
        }
        assert!(fs::read(&out).expect("whole") == fs::read(&whole).expect("whole"), "{format}");
        assert!(!partial.exists());
        let again = folder.query(&args).arg(&out).arg("--resume").output().expect("runs");
        assert_eq!(again.status.code(), Some(1), "the bad lines are still bad");
        assert!(fs::read(&out).expect("whole") == fs::read(&whole).expect("whole"), "{format}");
    }
}

fn interrupt(child: &mut Child, kill: bool) {
    if kill {
        child.kill().expect("killed");
    } else {
        common::interrupt(child);
    }
}

#[test]
fn the_input_is_not_written_over() {
    let folder = Folder::new(GAME, STONES);
    let input = folder.write("in.txt", b"1-0-0-0-0-0-0-0-S\n");
    let linked = folder.path("linked.txt");
    fs::hard_link(&input, &linked).expect("one file system");
    for output in [&input, &linked] {
        let [input, output] = [&input, output].map(|path| path.to_str().expect("UTF-8"));
        let refused = folder.run(&["--input", input, "--output", output], b"");
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains("is the input"), "{}", text(&refused.stderr));
    }
    assert_eq!(fs::read(&input).expect("there"), b"1-0-0-0-0-0-0-0-S\n");
}

#[test]
fn only_the_same_question_is_continued() {
    let folder = Folder::new(GAME, STONES);
    let path = folder.write("in.txt", "1-0-0-0-0-0-0-0-S\n".repeat(10).as_bytes());
    let short = folder.write("short.txt", b"1-0-0-0-0-0-0-0-S\n");
    let out = folder.path("out");
    let [path, short, name] = [&path, &short, &out].map(|path| path.to_str().expect("UTF-8"));
    let asked = ["--value-only", "--input", path, "--output", name];
    let run = |args: &[&str]| folder.run(&[&asked[..], args].concat(), b"");
    assert!(run(&[]).status.success());
    let partial = folder.write("out.partial", b"1\n1\n1");
    fs::remove_file(&out).expect("there");
    let refused = run(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("continue it with --resume"));
    for other in [&["--format", "csv"][..], &["--input", short]] {
        let refused = run(&[other, &["--resume"]].concat());
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains("another question"), "{}", text(&refused.stderr));
    }
    let lock = File::open(&partial).expect("there");
    lock.lock().expect("free");
    for args in [&["--resume"][..], &[]] {
        assert!(text(&run(args).stderr).contains("another run"));
    }
    // Closing it is not enough: what another test starts has it open as well for a moment.
    lock.unlock().expect("locked");
    fs::write(folder.path("in.txt"), "1-0-0-0-0-0-0-0-S\n").expect("written");
    assert!(text(&run(&["--resume"]).stderr).contains("more positions are answered"));
    fs::write(folder.path("in.txt"), "1-0-0-0-0-0-0-0-S\n".repeat(10)).expect("written");
    assert!(run(&["--resume"]).status.success());
    assert_eq!(fs::read_to_string(&out).expect("whole"), "1\n".repeat(10));
    fs::remove_file(folder.path("out.query.json")).expect("there");
    assert_eq!(run(&["--resume"]).status.code(), Some(2));
}
