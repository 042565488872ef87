//! Tables of toguz kumalak, as users build and ask them.

mod common;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use common::{assert_error, mancala, stdout};
use serde_json::{Value, json};

fn built(game: &str, stones: &str, more: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    build(dir.path(), game, stones, more);
    dir
}

fn build(dir: &Path, game: &str, stones: &str, more: &[&str]) {
    let args = ["build", game, "--stones", stones, "--quiet", "--tables", text(dir)];
    mancala(&[&args[..], more].concat()).assert().success().stdout("").stderr("");
}

fn text(dir: &Path) -> &str {
    dir.to_str().expect("UTF-8")
}

fn json_of(dir: &Path, args: &[&str]) -> Value {
    let text = stdout(&[args, &["--tables", text(dir), "--format", "json"]].concat());
    serde_json::from_str(&text).expect("one JSON value")
}

fn layer(dir: &Path, folder: &str, stones: u32) -> std::path::PathBuf {
    dir.join(folder).join(format!("layer-{stones:03}.mnc"))
}

/// Positions of layer 4: C(21, 17) + 16 C(20, 16) + 56 C(19, 15).
#[test]
fn stats_count_a_layer() {
    let dir = built("toguz", "4", &[]);
    let stats = json_of(dir.path(), &["stats", "toguz", "--stones", "4"]);
    assert_eq!(stats["positions"], 300_561, "{stats}");
    assert_eq!(stats["draws"], 17_567, "{stats}");
    let values = stats["values"].as_object().expect("an object");
    let sum: u64 = values.values().filter_map(Value::as_u64).sum();
    assert_eq!(sum, 300_561);
    // Who cannot move loses what is left; the positions of the opponent's stones alone.
    assert!(stats["values"]["-4"].as_u64() > stats["live"]["-4"].as_u64());
}

#[test]
fn a_position_is_looked_up_and_judged() {
    let dir = built("toguz:3x4", "5", &["--codec", "packed"]);
    let query = |text: &str| json_of(dir.path(), &["query", "toguz:3x4", text]);
    // The only sowing ends in a pit of two stones, which becomes a tuzdyk: three stones for South.
    // North has none left to sow, so the last one is South's as well.
    let answer = query("0-0-2-2-0-0-10-10-S");
    assert_eq!((&answer["value"], &answer["source"]), (&json!(4), &json!("table")), "{answer}");
    assert_eq!(answer["final"], json!({"south": 14, "north": 10}), "{answer}");
    assert_eq!(query("0-0-1-t-0-0-13-10-N")["value"], -1);
    let lines = "0-0-1-t-0-0-13-10-N\n0-0-2-2-0-0-10-10-S\nnonsense\n1-1-1-1-1-1-9-9-S\n";
    let args = ["query", "toguz:3x4", "--tables", text(dir.path()), "--value-only"];
    let assert = mancala(&args).write_stdin(lines).assert().code(1);
    let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["-1", "4"]);
    assert!(lines[2].contains("line 3: `nonsense`"), "{text}");
    assert!(lines[3].contains("6 stones on the board, the tables reach to 5"), "{text}");
}

#[test]
fn files_are_packed_unpacked_and_verified() {
    let (toguz, other) = ("toguz:4x1", "kalah:3x1");
    let dir = built(toguz, "5", &["--threads", "1"]);
    build(dir.path(), other, "3", &[]);
    let folder = text(dir.path());
    let plain = fs::read(layer(dir.path(), "toguz_4", 5)).expect("readable");
    let again = built(toguz, "5", &["--threads", "3"]);
    assert!(fs::read(layer(again.path(), "toguz_4", 5)).expect("readable") == plain);
    for form in ["zstd", "packed"] {
        mancala(&["pack", toguz, "--codec", form, "--tables", folder]).assert().success();
        let right = json_of(dir.path(), &["verify", "--quiet"]);
        let keys = [0, 1].map(|at| right["tables"][at]["key"].clone());
        assert!(keys.contains(&json!("toguz:4")), "{right}");
    }
    mancala(&["unpack", toguz, "--tables", folder]).assert().success();
    assert!(fs::read(layer(dir.path(), "toguz_4", 5)).expect("readable") == plain);
    let mut damaged = plain;
    damaged[5000] ^= 1;
    fs::write(layer(dir.path(), "toguz_4", 5), damaged).expect("written");
    let assert = mancala(&["verify", toguz, "--tables", folder, "--quiet"]).assert().code(1);
    assert!(String::from_utf8_lossy(&assert.get_output().stderr).contains("layer-005.mnc"));
}

/// At whatever moment a build is killed, the next one completes the same files.
#[test]
fn a_killed_build_continues() {
    let whole = built("toguz:6x1", "7", &[]);
    let dir = tempfile::tempdir().expect("a folder");
    let args = ["build", "toguz:6x1", "--stones", "7", "--quiet", "--tables", text(dir.path())];
    for wait in [5, 20, 40, 80] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("mancala"));
        let mut child = command.args(args).stderr(Stdio::null()).spawn().expect("mancala runs");
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("killed");
        child.wait().expect("waited");
    }
    mancala(&args).assert().success();
    for stones in 0..=7 {
        let bytes = [&whole, &dir].map(|dir| fs::read(layer(dir.path(), "toguz_6", stones)));
        let [expected, found] = bytes.map(|bytes| bytes.expect("readable"));
        assert!(expected == found, "{stones}");
    }
}

#[test]
fn what_is_asked_wrongly_is_told() {
    let dir = built("toguz:3x1", "2", &[]);
    let folder = text(dir.path());
    for (args, part) in [
        (&["query", "toguz:3x1", "0-0-1-0-0-1-0-0-S"][..], "give tables to look up: --tables DIR"),
        (&["query", "toguz:3x1", "0-0-1-0-0-1-0-0-S", "--children", "--tables", folder], "tuzdyks"),
        (&["query", "toguz", "--tables", folder], "there are no tables of toguz:9"),
        (
            &[
                "build", "toguz", "--stones", "3", "--bounds", "--memory", "1GiB", "--tables",
                folder,
            ],
            "bounds of toguz are not built",
        ),
        (
            &["build", "toguz", "--stones", "12", "--memory", "1GiB", "--tables", folder],
            "10 stones",
        ),
        (&["stats", "toguz:3x1", "--stones", "3", "--tables", folder], "reach to layer 2"),
        (&["solve", "toguz:3x1", "0-0-1-0-0-1-0-0-S", "--winner", "--tables", folder], "leave out"),
    ] {
        assert_error(args, part);
    }
    assert!(!dir.path().join("toguz_9").exists());
}
