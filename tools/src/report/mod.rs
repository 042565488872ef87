//! The studies: what is exactly known, written for readers.
//!
//! A study is made from results that the program holds (`data/results`), some of which are proved
//! again, or computed anew. It becomes a [`document::Document`], from which its files are written:
//! a page, Markdown, a CSV for each table, and JSON with all of it.

mod board;
mod chart;
mod check;
mod document;
mod html;
mod kalah;
mod mangala;
mod markdown;
mod oware;
mod plot;
mod results;
mod tree;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueEnum;
use games::Ruleset;
use serde::Serialize;
use serde_json::Value;

use crate::error::Error;
use crate::openings::{self, Book, Store};
use crate::output;
pub(crate) use check::Checker;
use document::{Block, Cell, Document, Section, Table};
use results::Source;

/// The studies there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Name {
    /// Which boards and first turns win and by how much, under both capture rules
    Kalah,
    /// The endgames
    Oware,
    /// Every first turn and reply of 6x4, claims about them, a line with its refutation
    Mangala,
}

/// What is asked of a study.
pub(crate) struct Request<'a> {
    pub(crate) recompute: bool,
    pub(crate) most_stones: u32,
    /// The highest layer of endgames.
    pub(crate) endgame_stones: u32,
    /// Where files go, also those that keep what is computed so far.
    pub(crate) folder: &'a Path,
    pub(crate) checker: Checker<'a>,
}

/// A study that has been made.
pub(crate) struct Study {
    document: Document,
    sources: Vec<Source>,
    data: Value,
}

/// The JSON of a study.
#[derive(Serialize)]
struct Told<'a> {
    study: &'a str,
    title: &'a str,
    command: String,
    program: &'a str,
    seconds: f64,
    sources: &'a [Source],
    /// What has been proved again while the study was made.
    checked: &'a [String],
    tables: Vec<&'a Table>,
    /// What the tables were made from.
    data: &'a Value,
}

impl Request<'_> {
    /// A file that keeps what is computed.
    fn kept(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Solves the first turns of a game, keeping every proved board in a file.
    fn book(&self, game: &Ruleset, turns: usize) -> Result<Book, Error> {
        let resources = self.checker.resources;
        let mut store = Store::open(&self.kept("openings.store"), game)?;
        let engine = || resources.engine(game, game.stones(), None);
        let solution =
            openings::solve(game, turns, &mut store, engine, &|text| resources.say(text))?;
        Ok(Book::new(game, turns, &solution, None))
    }
}

impl Study {
    fn new(
        document: Document,
        sources: Vec<Source>,
        data: &impl Serialize,
    ) -> Result<Study, Error> {
        let name = document.name;
        let data = serde_json::to_value(data).map_err(|error| check::wrong(name, error))?;
        Ok(Study { document, sources, data })
    }
}

/// Makes a study and writes its files. Gives their paths; none if there is nothing to make it from.
pub(crate) fn make(name: Name, request: &mut Request) -> Result<Vec<PathBuf>, Error> {
    let start = Instant::now();
    request.checker.done.clear();
    let study = match name {
        Name::Kalah => kalah::study(request)?,
        Name::Oware => oware::study(request)?,
        Name::Mangala => mangala::study(request)?,
    };
    let Some(mut study) = study else {
        return Ok(Vec::new());
    };
    let seconds = start.elapsed().as_secs_f64();
    let checked = &request.checker.done;
    study.document.sections.push(provenance(&study.sources, checked, seconds));
    write(&study, checked, seconds, request.folder)
}

/// How the study was made.
fn provenance(sources: &[Source], checked: &[String], seconds: f64) -> Section {
    let program = crate::cli::VERSION;
    let command = crate::cli::command();
    let mut blocks = vec![Block::Text(format!(
        "Made by `{command}`, program {program}, in {seconds:.1} seconds."
    ))];
    if sources.is_empty() {
        let text = "Everything was computed by this command.";
        blocks.push(Block::Text(text.to_owned()));
        return Section::new("How this was made", blocks);
    }
    let columns = ["result", "bytes", "CRC-32", "command", "program", "seconds"];
    let caption = "The results that this is made from, each with the command that computes it; searches built their \
                   tables in memory";
    let mut table = Table::new("sources", caption, &columns);
    for source in sources {
        table.rows.push(vec![
            Cell::text(&source.name),
            Cell::number(source.bytes),
            Cell::text(&source.crc32),
            Cell::text(&source.command),
            Cell::text(&source.program),
            Cell::number(format!("{:.1}", source.seconds)),
        ]);
    }
    blocks.push(Block::Table(table));
    if checked.is_empty() {
        blocks.push(Block::Text("Nothing was proved again.".to_owned()));
    } else {
        blocks.push(Block::Text("Checked while this was made:".to_owned()));
        blocks.push(Block::List(checked.to_vec()));
    }
    Section::new("How this was made", blocks)
}

fn write(
    study: &Study,
    checked: &[String],
    seconds: f64,
    folder: &Path,
) -> Result<Vec<PathBuf>, Error> {
    let Study { document, sources, data } = study;
    let name = document.name;
    let told = Told {
        study: name,
        title: &document.title,
        command: crate::cli::command(),
        program: crate::cli::VERSION,
        seconds,
        sources,
        checked,
        tables: document.tables().collect(),
        data,
    };
    let json = serde_json::to_vec_pretty(&told).map_err(io::Error::from);
    let mut files = vec![
        (format!("{name}.html"), Ok(html::page(document).into_bytes())),
        (format!("{name}.md"), Ok(markdown::text(document).into_bytes())),
        (format!("{name}.json"), json),
    ];
    let tables = document.tables();
    files.extend(tables.map(|table| (format!("{name}-{}.csv", table.name), table.csv())));
    let mut paths = Vec::new();
    for (file, bytes) in files {
        let path = folder.join(file);
        bytes
            .and_then(|bytes| output::save(&path, &bytes))
            .map_err(|reason| Error::Output { path: path.clone(), reason })?;
        paths.push(path);
    }
    Ok(paths)
}

/// Makes the folder of the reports.
pub(crate) fn prepare(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|reason| Error::Output { path: folder.to_owned(), reason })
}
