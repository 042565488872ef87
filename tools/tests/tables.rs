//! Commands about tables, as users run them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use games::Ruleset;
use serde_json::{Value, json};
use tablebase::Tables;
use tablebase::file::{FolderLock, LayerFile, LayerWriter, folder_name, layer_path, layers_in};

fn mancala(tables: &Path, args: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("mancala");
    command.args(args).arg("--tables").arg(tables);
    command
}

fn stdout(tables: &Path, args: &[&str]) -> String {
    let assert = mancala(tables, args).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

fn stderr(tables: &Path, args: &[&str], code: i32) -> String {
    let assert = mancala(tables, args).assert().code(code);
    String::from_utf8(assert.get_output().stderr.clone()).expect("UTF-8")
}

fn json_of(tables: &Path, args: &[&str]) -> Value {
    let text = stdout(tables, &[args, &["--format", "json"]].concat());
    serde_json::from_str(&text).expect("one JSON value")
}

fn built(game: &str, stones: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    mancala(dir.path(), &["build", game, "--stones", stones, "--quiet"])
        .assert()
        .success()
        .stdout("")
        .stderr("");
    dir
}

/// The layer files of a game by name.
fn files(tables: &Path, game: &str) -> BTreeMap<String, Vec<u8>> {
    let ruleset: Ruleset = game.parse().expect("a ruleset");
    let dir = fs::read_dir(tables.join(folder_name(&ruleset.table_key()))).expect("a folder");
    let paths = dir.map(|entry| entry.expect("an entry").path());
    let layers = paths.filter(|path| path.extension().is_some_and(|end| end == "mnc"));
    layers
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read(path).expect("readable"))
        })
        .collect()
}

fn layer(tables: &Path, game: &str, stones: u32) -> std::path::PathBuf {
    layer_path(tables, &game.parse::<Ruleset>().expect("a ruleset").table_key(), stones)
}

#[test]
fn build_tells_what_it_does_and_continues() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = stderr(dir.path(), &["build", "kalah:4x3", "--stones", "6"], 0);
    assert!(text.contains("memory may be filled"), "{text}");
    assert!(text.contains("layers 0 to 6 of kalah:4,"), "{text}");
    fs::write(layer(dir.path(), "kalah:4x3", 7).with_extension("mnc.tmp"), "half")
        .expect("written");
    let more = ["build", "kalah:4x3", "--stones", "8", "--memory", "1GiB"];
    let text = stderr(dir.path(), &more, 0);
    assert!(text.contains("continuing an interrupted build"), "{text}");
    assert!(text.contains("layer-007.mnc.tmp") && text.contains("7 of 9 layers"), "{text}");
    assert!(!text.contains("memory may be filled"), "{text}");
    let text = stderr(dir.path(), &more, 0);
    assert!(text.contains("all layers are there already"), "{text}");
    assert!(files(dir.path(), "kalah:4x3") == files(built("kalah:4x3", "8").path(), "kalah:4x3"));
}

#[test]
fn build_refuses_with_one_line_and_makes_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let refused = |args: &[&str], parts: &[&str]| {
        let text = stderr(dir.path(), &[&["build"], args].concat(), 2);
        let line = text.strip_prefix("error: ").expect("an error");
        assert_eq!(line.lines().count(), 1, "{text}");
        parts.iter().for_each(|part| assert!(line.contains(part), "`{part}` not in {line}"));
        assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 0);
    };
    refused(
        &["kalah", "--stones", "28", "--memory", "4GiB"],
        &["28 stones takes 5.", "GiB of memory, 4.0 GiB are allowed", "up to 27 stones fit"],
    );
    refused(
        &["oware,repetition=own-side", "--stones", "5", "--memory", "1GiB"],
        &["own-side", "repetition=split"],
    );
    refused(&["kalah", "--stones", "128"], &["128"]);
    refused(&["kalah", "--stones", "-1"], &["-1"]);
    refused(&["kalah", "--stones", "3", "--codec", "gzip"], &["gzip", "known: byte"]);
    refused(&["kalah:10x1", "--stones", "3"], &["10x1"]);
    refused(&["kalah"], &["--stones"]);
}

#[test]
fn a_second_build_is_refused_while_the_first_holds_the_lock() {
    let dir = built("mangala:3x1", "3");
    let path = layer(dir.path(), "mangala:3x1", 0);
    let lock = FolderLock::acquire(path.parent().expect("a folder")).expect("the lock");
    let build = ["build", "mangala:3x1", "--stones", "5", "--quiet"];
    let text = stderr(dir.path(), &build, 2);
    assert!(text.contains("another build is writing"), "{text}");
    drop(lock);
    stderr(dir.path(), &build, 0);
}

fn spawn(tables: &Path, args: &[&str]) -> Child {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("mancala"));
    command.args(args).arg("--tables").arg(tables).stderr(Stdio::null());
    command.spawn().expect("mancala runs")
}

/// Runs a build and kills it after some time; whether it had ended.
fn ended_before(kill: Duration, tables: &Path, args: &[&str]) -> bool {
    let mut child = spawn(tables, args);
    thread::sleep(kill);
    child.kill().expect("killed");
    child.wait().expect("waited").success()
}

/// When to kill one run after another: dozens of moments of the first second, but no more than that
/// on a machine where the last layer alone takes many.
fn moments() -> impl Iterator<Item = Duration> {
    let first = Duration::from_millis(4);
    std::iter::successors(Some(first), |moment| Some(moment.mul_f64(1.1)))
}

/// At whatever moment a build is killed, the files under their final names are whole, and the next
/// build completes the rest.
#[test]
fn a_killed_build_continues() {
    const GAME: &str = "kalah";
    let dir = tempfile::tempdir().expect("a folder");
    let args = ["build", GAME, "--stones", "17", "--quiet", "--codec", "zstd"];
    let mut killed = 0;
    for moment in moments() {
        if ended_before(moment, dir.path(), &args) {
            break;
        }
        killed += 1;
        let key = GAME.parse::<Ruleset>().expect("a ruleset").table_key();
        for layer in layers_in(dir.path(), &key).unwrap_or_default() {
            let file = LayerFile::open(&layer_path(dir.path(), &key, layer), &key).expect("whole");
            file.verify_checksums().expect("right");
        }
    }
    assert!(killed > 3, "{killed} builds were killed");
    let whole = tempfile::tempdir().expect("a folder");
    mancala(whole.path(), &args).assert().success();
    assert!(files(dir.path(), GAME) == files(whole.path(), GAME));
    stdout(dir.path(), &["verify", "--sample", "1000"]);
}

#[test]
fn verify_passes_good_tables_of_all_rulesets() {
    let dir = built("kalah:3x1", "6");
    mancala(dir.path(), &["build", "mangala", "--stones", "5", "--quiet"]).assert().success();
    let answer = json_of(dir.path(), &["verify"]);
    let expected = json!({"tables": [
        {"key": "kalah:3,capture=nonempty,remainder=owner,end=either", "layers": 7, "positions": 924},
        {"key": "mangala:6,lone=stay,remainder=emptied,end=either", "layers": 6, "positions": 6188},
    ]});
    assert_eq!(answer, expected);
    let text = stdout(dir.path(), &["verify", "mangala", "--sample", "10", "--quiet"]);
    assert!(text.contains("51 values recomputed, all right"), "{text}");
    assert_eq!(stdout(dir.path(), &["verify", "--format", "jsonl"]).lines().count(), 2);
}

#[test]
fn verify_names_a_wrong_value_under_right_checksums() {
    let dir = built("kalah", "6");
    let path = layer(dir.path(), "kalah", 6);
    let key = "kalah".parse::<Ruleset>().expect("a ruleset").table_key();
    let file = LayerFile::open(&path, &key).expect("opens");
    let mut values = vec![0; file.header().count() as usize];
    file.read_range(0, &mut values).expect("readable");
    values[4321] += if values[4321] > 0 { -2 } else { 2 };
    let spec = file.header().spec().clone();
    let encoding = file.header().encoding();
    let mut writer =
        LayerWriter::create(path.parent().expect("a folder"), spec, encoding).expect("a writer");
    writer.write(&values).expect("written");
    writer.finish().expect("finished");
    let text = stderr(dir.path(), &["verify", "--quiet"], 1);
    assert_eq!(text.lines().count(), 1, "{text}");
    for part in ["layer-006.mnc", "number 4321", "-0-0-S", "wrong value"] {
        assert!(text.contains(part), "`{part}` not in {text}");
    }
}

#[test]
fn verify_names_damaged_files_and_unknown_rulesets() {
    let dir = built("mangala:4x1", "6");
    let path = layer(dir.path(), "mangala:4x1", 4);
    let good = fs::read(&path).expect("readable");
    for (at, len) in [(4100, good.len()), (13, good.len()), (0, 100), (0, 0)] {
        let mut bad = good[..len].to_vec();
        if let Some(byte) = bad.get_mut(at) {
            *byte ^= 4;
        }
        fs::write(&path, bad).expect("written");
        let text = stderr(dir.path(), &["verify", "--quiet"], 1);
        assert!(text.contains("layer-004.mnc"), "{text}");
    }
    fs::remove_file(&path).expect("removed");
    let text = stderr(dir.path(), &["verify", "--quiet"], 1);
    assert!(text.contains("layer-004.mnc is missing"), "{text}");
    let strange = dir.path().join("kalah_6,capture=magic");
    fs::create_dir(&strange).expect("made");
    fs::write(strange.join("layer-000.mnc"), "").expect("written");
    let text = stderr(dir.path(), &["verify", "--quiet"], 1);
    assert!(text.contains("kalah:6,capture=magic"), "{text}");
    let empty = tempfile::tempdir().expect("a folder");
    assert!(stderr(empty.path(), &["verify", "--quiet"], 2).contains("no tables below"));
    assert!(stderr(&empty.path().join("none"), &["verify", "--quiet"], 2).contains("cannot read"));
}

#[test]
fn stats_counts_a_layer() {
    let dir = built("kalah,capture=empty", "5");
    let answer = json_of(dir.path(), &["stats", "kalah,capture=empty", "--stones", "5"]);
    let text = include_str!("../../data/oracles/layers.json");
    let oracle: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(answer["live"], oracle["kalah capture=empty"]["5"]);
    assert_eq!(answer["game"], "kalah:6x4,capture=empty,remainder=owner,end=either,stop=none");
    assert_eq!((&answer["stones"], &answer["positions"]), (&json!(5), &json!(4368)));
    // 252 sides of 5 stones against an empty one, both ways, have their end value.
    let value = |list: &str, value: &str| answer[list][value].as_u64().unwrap_or(0);
    assert_eq!(value("values", "5"), value("live", "5") + 252);
    assert_eq!(value("values", "-5"), value("live", "-5") + 252);
    let sum = |signs: &[&str]| signs.iter().map(|value_| value("values", value_)).sum::<u64>();
    assert_eq!(answer["wins"], sum(&["1", "3", "5"]));
    assert_eq!(answer["losses"], sum(&["-1", "-3", "-5"]));
    assert_eq!(answer["draws"], 0);
    let table =
        stdout(dir.path(), &["stats", "kalah,capture=empty", "--stones", "0", "--format", "csv"]);
    assert!(table.ends_with(",0,0,1,0\n"), "{table}");
    let text = stderr(dir.path(), &["stats", "kalah,capture=empty", "--stones", "6"], 2);
    assert!(text.contains("layer 6") && text.contains("reach to layer 5"), "{text}");
    let text = stderr(dir.path(), &["stats", "kalah", "--stones", "5"], 2);
    assert!(text.contains("no tables of kalah:6,capture=nonempty"), "{text}");
}

#[test]
fn pack_and_unpack_keep_values() {
    const GAME: &str = "mangala";
    let dir = built(GAME, "9");
    let bytes = files(dir.path(), GAME);
    let size = || files(dir.path(), GAME).values().map(Vec::len).sum::<usize>();
    let whole = size();
    for (command, options, share) in [
        ("pack", &["--codec", "packed"][..], 60),
        ("pack", &[], 50),
        ("pack", &["--level", "19"], 45),
        ("unpack", &["--codec", "packed"], 60),
    ] {
        let text = stderr(dir.path(), &[&[command, GAME][..], options].concat(), 0);
        assert!(text.contains("10 layers are"), "{text}");
        assert!(size() < whole * share / 100 + 10 * 4200, "{command} {options:?}: {}", size());
        stdout(dir.path(), &["verify", "--quiet"]);
        let counts = json_of(dir.path(), &["stats", GAME, "--stones", "8"]);
        assert_eq!(counts["live"]["8"], oracle_of_layer_8());
    }
    stderr(dir.path(), &["unpack", GAME], 0);
    assert!(files(dir.path(), GAME) == bytes);
    let again = stderr(dir.path(), &["unpack", GAME], 0);
    assert!(again.contains("0 were not"), "{again}");
    let text = stderr(dir.path(), &["pack", "kalah"], 2);
    assert!(text.contains("no tables"), "{text}");
    stderr(dir.path(), &["pack", GAME, "--level", "0"], 2);
}

fn oracle_of_layer_8() -> Value {
    let text = include_str!("../../data/oracles/layers.json");
    let oracle: Value = serde_json::from_str(text).expect("JSON");
    oracle["mangala"]["8"]["8"].clone()
}

#[test]
fn query_agrees_with_solve() {
    let dir = built("kalah:3x3", "18");
    for position in ["3-3-3-3-3-3-0-0-S", "0-4-1-2-0-3-7-1-N", "0-0-0-1-2-3-5-5-S"] {
        let mut solved = json_of_solve(position);
        let fields = solved.as_object_mut().expect("an object");
        for field in ["nodes", "probes", "seconds", "exact", "bounds"] {
            assert!(fields.remove(field).is_some(), "{field}");
        }
        fields.insert("source".to_owned(), json!("table"));
        assert_eq!(json_of(dir.path(), &["query", "kalah:3x3", position]), solved);
    }
}

fn json_of_solve(position: &str) -> Value {
    let mut command = cargo_bin_cmd!("mancala");
    command.args(["solve", "kalah:3x3", position, "--format", "json", "--memory", "1GiB"]);
    let assert = command.assert().success();
    serde_json::from_slice(&assert.get_output().stdout).expect("JSON")
}

/// Cyclic games have the same files and commands.
#[test]
fn awari_is_built_proved_counted_and_asked() {
    let dir = built("awari", "6");
    let text = stdout(dir.path(), &["verify", "awari", "--quiet"]);
    assert!(text.contains("7 layers, 18564 values recomputed, all right"), "{text}");
    let stats = json_of(dir.path(), &["stats", "awari", "--stones", "6"]);
    // Lincke 2002, appendix B.
    assert_eq!(stats["values"]["-6"], 4242);
    assert_eq!(stats["values"]["3"], 62);
    assert_eq!(stats["draws"], 1548);
    let won = json_of(dir.path(), &["query", "awari", "0-0-0-0-0-1-1-0-0-0-0-0-20-26-S"]);
    assert_eq!((&won["value"], &won["moves"][0]["captured"]), (&json!(2), &json!(2)));
    assert_eq!(won["final"], json!({"south": 22, "north": 26}));
    // Two stones that walk round for ever are split.
    let endless = json_of(dir.path(), &["query", "awari", "1-0-0-0-0-0-1-0-0-0-0-0-20-26-S"]);
    assert_eq!((&endless["value"], &endless["final"]), (&json!(0), &json!(null)));
    let text = stdout(dir.path(), &["query", "awari", "1-0-0-0-0-0-1-0-0-0-0-0-20-26-S"]);
    assert!(text.contains("play goes round without end"), "{text}");
    fs::remove_file(layer(dir.path(), "awari", 4)).expect("there");
    stdout(dir.path(), &["build", "awari", "--stones", "7", "--quiet"]);
    assert_eq!(files(dir.path(), "awari").len(), 8);
}

/// The order of the published awari database, sorted by its definition.
#[test]
fn awari_is_exported_as_the_published_database_has_it() {
    let dir = built("awari", "7");
    let out = dir.path().join("vu");
    let output = out.to_str().expect("UTF-8");
    let export = ["export", "awari", "--stones", "7", "--format", "vu", "--output", output];
    assert_eq!(stdout(dir.path(), &export), "");
    let awari: Ruleset = "awari".parse().expect("a ruleset");
    let tables = Tables::open(dir.path(), &awari, 7).expect("tables");
    for stones in 0..=7 {
        let mut positions = Vec::new();
        for number in 0..tables.index().positions(stones) {
            let board = tables.index().board(stones, number);
            let pits: Vec<u32> = board.mover.iter(6).chain(board.other.iter(6)).collect();
            if pits[6..].contains(&0) {
                let value = tables.value(board).expect("readable").expect("here");
                positions.push((pits.into_iter().rev().collect::<Vec<_>>(), value as i8 as u8));
            }
        }
        positions.sort();
        let expected: Vec<u8> = positions.into_iter().map(|(_, value)| value).collect();
        assert!(fs::read(out.join(format!("scores.{stones}"))).expect("written") == expected);
    }
    assert_eq!(fs::read_dir(&out).expect("a folder").count(), 8);
    let export = ["export", "awari", "--stones", "8", "--format", "vu", "--output", output];
    assert!(stderr(dir.path(), &export, 2).contains("layer 8"));
}

/// Bounds beside the values: built, proved, packed, counted and asked by the same commands.
#[test]
fn bounds_are_built_proved_counted_and_asked() {
    let dir = tempfile::tempdir().expect("a folder");
    let build = ["build", "awari", "--stones", "6", "--bounds", "--quiet"];
    stdout(dir.path(), &build);
    assert_eq!(files(dir.path(), "awari").len(), 21);
    let text = stdout(dir.path(), &["verify", "--quiet"]);
    assert!(text.contains("split: 7 layers, 18564 values recomputed"), "{text}");
    assert!(text.contains("split: bounds, 7 layers, 37128 values recomputed"), "{text}");
    let before = files(dir.path(), "awari");
    let packed = stderr(dir.path(), &["pack", "awari"], 0);
    assert!(packed.contains("21 layers are zstd-bytes now"), "{packed}");

    let stats = json_of(dir.path(), &["stats", "awari", "--stones", "6"]);
    let bounds = &stats["bounds"];
    assert_eq!(bounds["rule_independent"], bounds["widths"]["0"]);
    let sum = |counts: &Value| -> u64 {
        let counts = counts.as_object().expect("a map").values();
        counts.map(|count| count.as_u64().expect("a number")).sum()
    };
    assert_eq!(sum(&bounds["widths"]), 12376);
    let listed = bounds["intervals"].as_array().expect("a list");
    let meeting = listed.iter().filter(|row| row[0] == row[1]);
    let meeting: u64 = meeting.map(|row| row[2].as_u64().expect("a number")).sum();
    assert_eq!(bounds["rule_independent"], meeting);
    let text = stdout(dir.path(), &["stats", "awari", "--stones", "6"]);
    assert!(text.contains("the same value under every rule of repetition:"), "{text}");

    // A capture that nothing keeps from, and two stones that walk round.
    let won = json_of(dir.path(), &["query", "awari", "0-0-0-0-0-1-1-0-0-0-0-0-20-26-S"]);
    assert_eq!((&won["value"], &won["bounds"]), (&json!(2), &json!([2, 2])));
    assert_eq!(won["rule_independent"], true);
    let endless = ["query", "awari", "1-0-0-0-0-0-1-0-0-0-0-0-20-26-S"];
    let endless = json_of(dir.path(), &endless);
    assert_eq!((&endless["value"], &endless["bounds"]), (&json!(0), &json!([-2, 2])));
    assert_eq!(endless["rule_independent"], false);
    assert_eq!(endless["moves"][0]["bounds"], json!([-2, 2]));

    stderr(dir.path(), &["unpack", "awari"], 0);
    assert!(files(dir.path(), "awari") == before);
    fs::remove_file(layer(dir.path(), "awari", 4).with_file_name("layer-004-lower.mnc"))
        .expect("there");
    let text = stderr(dir.path(), &["verify", "--quiet"], 1);
    assert!(text.contains("layer-004-lower.mnc is missing"), "{text}");
    stdout(dir.path(), &build);
    assert!(files(dir.path(), "awari") == before);
}

/// Under the rule of tournaments a position has bounds, and a value where they meet.
#[test]
fn own_side_is_answered_from_bounds() {
    const GAME: &str = "oware,repetition=own-side";
    let dir = tempfile::tempdir().expect("a folder");
    stdout(dir.path(), &["build", GAME, "--stones", "6", "--bounds", "--quiet"]);
    // Nothing but bounds is there, in the folder of repetition=split.
    assert_eq!(files(dir.path(), "oware").len(), 14);
    stdout(dir.path(), &["verify", GAME, "--quiet"]);
    // South takes two, is given the last stone and cannot give it back.
    let won = "0-0-0-0-0-1-1-0-0-0-0-1-20-25-S";
    let endless = "1-0-0-0-0-0-1-0-0-0-0-0-20-26-S";
    for command in ["query", "solve"] {
        let exact = json_of(dir.path(), &[command, GAME, won]);
        assert_eq!((&exact["value"], &exact["line"]), (&json!(3), &json!("6 6")), "{exact}");
        assert_eq!(exact["final"], json!({"south": 23, "north": 25}), "{exact}");
        let open = json_of(dir.path(), &[command, GAME, endless]);
        assert_eq!((&open["value"], &open["best"]), (&json!(null), &json!(null)));
        assert_eq!((&open["bounds"], &open["line"]), (&json!([-2, 2]), &json!("")));
        assert_eq!((&open["keep_lower"], &open["keep_upper"]), (&json!([1]), &json!([1])));
        assert_eq!(
            open["game"],
            "oware:6x4,feed=must,end=unfed,slam=nothing,repetition=own-side,stop=none"
        );
        let text = stdout(dir.path(), &[command, GAME, endless]);
        assert!(
            text.contains("hangs on repetitions") && text.contains("at least -2 by 1"),
            "{text}"
        );
        let text = stderr(dir.path(), &[command, GAME, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"], 2);
        assert!(text.contains("reach to 6"), "{text}");
    }
    assert!(stderr(dir.path(), &["solve", GAME, won, "--value-only"], 2).contains("--value-only"));
    let stats = json_of(dir.path(), &["stats", GAME, "--stones", "6"]);
    let sum = |part: &dyn Fn(i64, i64) -> bool| -> u64 {
        let rows = stats["bounds"]["intervals"].as_array().expect("a list").iter();
        let rows =
            rows.filter(|row| part(row[0].as_i64().expect("i64"), row[1].as_i64().expect("i64")));
        rows.map(|row| row[2].as_u64().expect("a number")).sum()
    };
    assert_eq!(stats["wins"], sum(&|lower, _| lower > 0));
    assert_eq!(stats["losses"], sum(&|_, upper| upper < 0));
    assert_eq!(stats["draws"], sum(&|lower, upper| (lower, upper) == (0, 0)));
    let open = |lower, upper| lower <= 0 && upper >= 0 && lower < upper;
    assert_eq!((&stats["undecided"], &stats["positions"]), (&json!(sum(&open)), &json!(12376)));
    assert_eq!(stats["values"]["6"], sum(&|lower, upper| (lower, upper) == (6, 6)));
    assert!(stdout(dir.path(), &["stats", GAME, "--stones", "6"]).contains("\nopen    "));
    let text = stderr(dir.path(), &["stats", GAME, "--stones", "7"], 2);
    assert!(text.contains("those of layer 7 are not there") && text.contains("--bounds"), "{text}");
    assert!(stderr(dir.path(), &["query", "oware", won], 2).contains("no tables of oware"));
    let text = stderr(dir.path(), &["query", "awari,repetition=own-side", won], 2);
    assert!(text.contains("no bounds of awari") && text.contains("--bounds"), "{text}");
    let children = ["query", GAME, endless, "--children"];
    assert!(stderr(dir.path(), &children, 2).contains("repetition=split"));
    let text = stderr(dir.path(), &["build", "kalah", "--stones", "3", "--bounds", "--quiet"], 2);
    assert!(text.contains("positions of kalah do not recur"), "{text}");
}

/// As the program with the published awari database prints: a space after each number.
#[test]
fn children_are_told_as_the_published_database_tells_them() {
    let dir = built("awari", "5");
    let query = ["query", "awari", "--children", "0 0 0 0 0 1 1 0 0 0 0 0"];
    let expected = "board: 0 0 0 0 0 1 1 0 0 0 0 0 \nscore: 2\n\
                    children scores:  127 127 127 127 127 2 \n";
    assert_eq!(stdout(dir.path(), &query), expected);
    let query = ["query", "awari", "--children", "1 0 1 0 0 0 0 2 0 0 0 1"];
    let answer = json_of(dir.path(), &query);
    let moves = answer["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), 2);
    let (first, third) = (&moves[0]["value"], &moves[1]["value"]);
    assert_eq!(answer["children"], json!([first, 127, third, 127, 127, 127]));
}

#[test]
fn published_files_are_compared_with_the_tables() {
    let dir = built("awari", "7");
    let out = dir.path().join("vu");
    let output = out.to_str().expect("UTF-8");
    stdout(dir.path(), &["export", "awari", "--stones", "7", "--format", "vu", "--output", output]);
    let against = |stones: &str, file: &Path, code: i32| {
        let file = file.to_str().expect("UTF-8");
        let args = ["verify", "awari", "--against", file, "--stones", stones, "--format", "json"];
        let assert = mancala(dir.path(), &args).assert().code(code);
        let output = assert.get_output().clone();
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        (serde_json::from_slice::<Value>(&output.stdout).ok(), error)
    };
    for stones in 0..=7 {
        let file = out.join(format!("scores.{stones}"));
        let (report, _) = against(&stones.to_string(), &file, 0);
        assert_eq!(report.expect("JSON")["differing"], 0);
    }
    let file = out.join("scores.7");
    let mut bytes = fs::read(&file).expect("readable");
    // 31,824 positions less the 12 in which all pits of the opponent are full.
    assert_eq!(bytes.len(), 31_824 - 12);
    for at in [5, 100, 31_000] {
        bytes[at] = bytes[at].wrapping_add(1);
    }
    fs::write(&file, &bytes).expect("written");
    let (report, error) = against("7", &file, 1);
    let report = report.expect("JSON");
    assert_eq!((&report["differing"], &report["first"][2]["number"]), (&json!(3), &json!(31_000)));
    assert!(error.contains("3 of 31812 values"), "{error}");
    let first = &report["first"][0];
    let position = first["position"].as_str().expect("text");
    let right = json_of(dir.path(), &["query", "awari", position]);
    assert_eq!(right["value"], first["table"]);
    let (report, error) = against("6", &file, 2);
    assert!(report.is_none() && error.contains("31812 bytes"), "{error}");
    assert!(against("7", &out.join("none"), 2).1.contains("cannot read"));
    assert!(against("8", &file, 2).1.contains("layer 8"));
    let alone = ["verify", "--against", "x", "--stones", "7"];
    stderr(dir.path(), &alone, 2);
}

/// As of games without recurrence, also within a layer.
#[test]
fn a_killed_build_of_a_cyclic_game_continues() {
    const GAME: &str = "awari";
    let dir = tempfile::tempdir().expect("a folder");
    let args = ["build", GAME, "--stones", "11", "--bounds", "--keep-every", "0", "--quiet"];
    let args = [&args[..], &["--codec", "zstd"]].concat();
    let key = GAME.parse::<Ruleset>().expect("a ruleset").table_key();
    kill_within_a_layer(dir.path(), &key, &args);
    for moment in moments() {
        if ended_before(moment, dir.path(), &args) {
            break;
        }
        for path in entries(dir.path(), &key).filter(|path| ends_with(path, ".mnc")) {
            let file = LayerFile::open(&path, &key).expect("whole");
            file.verify_checksums().expect("right");
        }
    }
    // As a build leaves it that is killed when its last layer has just become whole.
    fs::write(layer(dir.path(), GAME, 11).with_extension("mnc.part"), b"kept").expect("written");
    mancala(dir.path(), &args).assert().success();
    let whole = tempfile::tempdir().expect("a folder");
    mancala(whole.path(), &args).assert().success();
    assert!(files(dir.path(), GAME) == files(whole.path(), GAME));
    assert_eq!(entries(dir.path(), &key).count(), 36 + 1);
}

/// Kills a build that leaves a layer in work, wherever that is.
fn kill_within_a_layer(tables: &Path, key: &str, args: &[&str]) {
    let is_kept = || entries(tables, key).any(|path| ends_with(&path, ".mnc.part"));
    while !is_kept() {
        // What was there was built before this could look.
        let _ = fs::remove_dir_all(tables.join(folder_name(key)));
        let mut child = spawn(tables, args);
        while !is_kept() && child.try_wait().expect("asked").is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("killed");
        child.wait().expect("waited");
    }
}

/// The files of a ruleset, none before its folder is made.
fn entries(tables: &Path, key: &str) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(tables.join(folder_name(key))).into_iter().flatten();
    entries.map(|entry| entry.expect("an entry").path())
}

fn ends_with(path: &Path, end: &str) -> bool {
    path.to_string_lossy().ends_with(end)
}
