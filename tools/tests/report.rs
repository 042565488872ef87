//! `report` as users run it: complete and well-formed files that say the same in every form, and
//! committed results that are true.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use games::Ruleset;
use serde_json::Value;
use solver::{Oracle, plain, turns};

fn report(folder: &Path, args: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("mancala");
    command.arg("report").args(args).args(["--quiet", "--memory", "1GiB"]);
    command.arg("--output").arg(folder);
    command
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no text `{key}`"))
}

/// Elements that have no end tag.
const VOID: [&str; 1] = ["meta"];

/// Every start tag has its end tag, in the right order; attributes are quoted, ids are not needed.
fn assert_well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let style_end = page.find("</style>").expect("a style");
    let body = page.strip_prefix("<!DOCTYPE html>").expect("a doctype");
    assert!(!page[..style_end].contains("@import"), "the style needs something else");
    for piece in body.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').expect("a tag ends");
        let name = tag.split_whitespace().next().expect("a tag has a name");
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{piece}");
        } else if !VOID.contains(&name) {
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// The files of a study agree with each other, and its page needs nothing else.
fn assert_complete(folder: &Path, study: &str) -> Value {
    let read = |name: String| {
        fs::read_to_string(folder.join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let told: Value = serde_json::from_str(&read(format!("{study}.json"))).expect("JSON");
    let (page, markdown) = (read(format!("{study}.html")), read(format!("{study}.md")));
    assert_well_formed(&page);
    for part in ["http", "src=", "<link", "<script", "url(", "href="] {
        assert!(!page.contains(part), "{study}.html has `{part}`");
    }
    let title = text(&told, "title");
    for part in [&format!("<title>{title}</title>"), "width=device-width", "prefers-color-scheme"] {
        assert!(page.contains(part), "{study}.html has no `{part}`");
    }
    assert!(markdown.starts_with(&format!("# {title}\n")));
    // A drawing is told to those who cannot see it.
    let drawings = page.matches("<svg").count();
    assert_eq!(page.matches("role=\"img\" aria-label=\"").count(), drawings);
    for key in ["command", "program"] {
        assert!(page.contains(text(&told, key)) && markdown.contains(text(&told, key)), "{key}");
    }
    for source in list(&told["sources"]) {
        for key in ["name", "crc32", "program"] {
            assert!(page.contains(text(source, key)), "{study}.html does not name {source}");
        }
    }
    let mut names = BTreeSet::new();
    for table in list(&told["tables"]) {
        let name = text(table, "name");
        assert!(names.insert(name), "two tables are named {name}");
        let file = format!("{study}-{name}.csv");
        assert!(markdown.contains(&file), "{study}.md does not name {file}");
        let csv = read(file);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let columns: Vec<String> =
            reader.headers().expect("a header").iter().map(str::to_owned).collect();
        assert_eq!(Value::from(columns), table["columns"]);
        let rows: Vec<Value> = reader
            .records()
            .map(|row| {
                Value::from(row.expect("a row").iter().map(str::to_owned).collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(Value::from(rows), table["rows"], "{name}");
    }
    let written = fs::read_dir(folder).expect("a folder").flatten();
    let mine = written.filter(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.starts_with(&format!("{study}-")) && name.ends_with(".csv")
    });
    assert_eq!(mine.count(), names.len(), "CSV files without a table");
    told
}

/// The rows of a table of a study.
fn rows<'a>(told: &'a Value, name: &str) -> Vec<Vec<&'a str>> {
    let table = list(&told["tables"]).iter().find(|table| table["name"] == name);
    let rows = list(&table.unwrap_or_else(|| panic!("no table {name}"))["rows"]);
    rows.iter().map(|row| list(row).iter().filter_map(Value::as_str).collect()).collect()
}

#[test]
fn the_study_of_kalah_is_complete_and_proves_a_sample() {
    let folder = tempfile::tempdir().expect("a folder");
    report(folder.path(), &["kalah", "--samples", "1", "--seed", "7"]).assert().success();
    let told = assert_complete(folder.path(), "kalah");
    let page = fs::read_to_string(folder.path().join("kalah.html")).expect("it is there");
    assert!(page.contains("<svg class=\"chart\""));
    // Four boards of the survey and one of each book.
    let checked = list(&told["checked"]);
    assert!(checked.len() >= 4, "{checked:?}");
    let published: Value =
        serde_json::from_str(include_str!("../../data/oracles/values.json")).expect("JSON");
    let rows = rows(&told, "published");
    assert!(rows.len() >= 69, "{}", rows.len());
    for row in rows {
        let known = &published[format!("kalah capture={}", row[1])][row[0]];
        match known.as_i64() {
            Some(value) => {
                assert_eq!((row[3], row[4]), (&*value.to_string(), "yes"), "{row:?}");
                assert_eq!(row[2], row[3]);
            }
            None => assert_eq!((row[3], row[4]), ("", "")),
        }
    }
}

#[test]
fn all_studies_that_have_results_are_made() {
    let folder = tempfile::tempdir().expect("a folder");
    report(folder.path(), &["--samples", "0"]).assert().success();
    assert_complete(folder.path(), "kalah");
    for study in ["oware", "mangala"] {
        assert_complete(folder.path(), study);
    }
}

/// Counts per value of the committed layers, against those of other programs.
#[test]
fn committed_endgames_have_the_published_counts() {
    let layers: Value =
        serde_json::from_str(include_str!("../../data/oracles/layers.json")).expect("JSON");
    let awari: Value =
        serde_json::from_str(include_str!("../../data/oracles/awari-lincke.json")).expect("JSON");
    for (text, oracle) in [
        (include_str!("../../data/results/oware-endgames.json"), &layers["oware"]),
        (include_str!("../../data/results/awari-endgames.json"), &awari),
    ] {
        let study: Value = serde_json::from_str(text).expect("JSON");
        let mut compared = 0;
        for layer in list(&study["layers"]) {
            if let Some(known) = oracle.get(layer["stones"].to_string()) {
                assert_eq!(&layer["values"], known, "layer {}", layer["stones"]);
                compared += 1;
            }
        }
        assert!(compared >= 9, "{compared}");
    }
}

#[test]
fn the_study_of_oware_computed_anew_is_what_is_committed() {
    let folder = tempfile::tempdir().expect("a folder");
    report(folder.path(), &["oware", "--recompute", "--stones", "8"]).assert().success();
    let told = assert_complete(folder.path(), "oware");
    let page = fs::read_to_string(folder.path().join("oware.html")).expect("it is there");
    assert!(page.contains("<svg class=\"board\"") && page.contains("<svg class=\"chart\""));
    for (index, name, committed) in [
        (0, "oware-endgames.json", include_str!("../../data/results/oware-endgames.json")),
        (1, "awari-endgames.json", include_str!("../../data/results/awari-endgames.json")),
    ] {
        let committed: Value = serde_json::from_str(committed).expect("JSON");
        let kept = fs::read_to_string(folder.path().join(name)).expect("it is kept");
        let kept: Value = serde_json::from_str(&kept).expect("JSON");
        assert_eq!(kept, told["data"][index]);
        assert_eq!(kept["game"], committed["game"]);
        assert_eq!(list(&kept["layers"])[..], list(&committed["layers"])[..9]);
    }
}

#[test]
fn the_study_of_oware_computes_its_lower_layers_again() {
    let folder = tempfile::tempdir().expect("a folder");
    report(folder.path(), &["oware"]).assert().success();
    let told = assert_complete(folder.path(), "oware");
    let checked: Vec<&str> = list(&told["checked"]).iter().filter_map(Value::as_str).collect();
    let again = checked.iter().filter(|text| text.contains("computed again")).count();
    assert_eq!((checked.len(), again), (4, 2), "{checked:?}");
}

#[test]
fn kalah_computed_anew_is_what_is_committed() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["kalah", "--recompute", "--most-stones", "16"];
    report(folder.path(), &args).assert().success();
    let told = assert_complete(folder.path(), "kalah");
    let committed: Value =
        serde_json::from_str(include_str!("../../data/results/kalah.json")).expect("JSON");
    let find = |game: &Value| list(&committed["boards"]).iter().find(|b| b["game"] == *game);
    let boards = list(&told["data"]["survey"]["boards"]);
    assert!(boards.len() > 25, "{}", boards.len());
    for board in boards {
        let known =
            find(&board["game"]).unwrap_or_else(|| panic!("{} is not committed", board["game"]));
        assert_eq!((&board["value"], &board["turns"]), (&known["value"], &known["turns"]));
    }
    // An interrupted run goes on from what it kept.
    let kept = folder.path().join("kalah-survey.json");
    let before = fs::read(&kept).expect("it is kept");
    report(folder.path(), &args).assert().success();
    assert_eq!(fs::read(&kept).expect("still there"), before);
}

/// The committed surveys, recomputed by the plain solver on the boards that it can solve quickly.
#[test]
fn committed_values_are_those_of_the_plain_solver() {
    let mut count = 0;
    for text in [
        include_str!("../../data/results/kalah.json"),
        include_str!("../../data/results/mangala.json"),
    ] {
        let survey: Value = serde_json::from_str(text).expect("JSON");
        for board in list(&survey["boards"]) {
            let game: Ruleset = self::text(board, "game").parse().expect("a ruleset");
            if game.stones() > 24 {
                continue;
            }
            let start = games::Position::start(&game).board();
            let mut plain = plain::Plain::new(&game, 1 << 29).expect("acyclic");
            assert_eq!(board["value"], plain.value(start).expect("small"), "{game}");
            let found = turns(&game.rules(), &mut plain, start).expect("small");
            let found: Vec<(String, i64)> =
                found.iter().map(|(turn, value)| (turn.to_string(), (*value).into())).collect();
            let known: Vec<(String, i64)> = list(&board["turns"])
                .iter()
                .map(|t| (self::text(t, "turn").to_owned(), t["value"].as_i64().expect("a number")))
                .collect();
            assert_eq!(found, known, "{game}");
            count += 1;
        }
    }
    assert!(count >= 40, "{count}");
}

#[test]
fn what_cannot_be_written_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("writable");
    let assert = report(&file, &["kalah", "--samples", "0"]).assert().code(2);
    let told = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(told.starts_with("error: cannot write "), "{told}");
    report(folder.path(), &["chess"]).assert().code(2);
    report(folder.path(), &["kalah", "--recompute", "--samples", "3"]).assert().code(2);
}
