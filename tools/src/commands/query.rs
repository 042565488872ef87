//! `mancala query`: exact values of positions from tables.

use std::io::{self, BufRead, Write};

use games::notation;
use games::{Position, Rules, Ruleset};
use serde::Serialize;

use super::judged::Judged;
use super::known::Known;
use crate::args::Folder;
use crate::error::Error;
use crate::output::{Output, Report};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: `NAME[:PITSxSEEDS][,option=value]...`
    game: Ruleset,
    /// Positions in any form that `show` reads [default: one a line from standard input]
    positions: Vec<String>,
    /// Tell the value of each sowing in pit order, 127 for none, as the published awari database
    /// does
    #[arg(long)]
    children: bool,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let tables = Known::open(&self.folder.tables, &self.game)?;
        let rules = self.game.rules();
        let judge = |text: &str| self.judge(&tables, &rules, text);
        if let [text] = self.positions.as_slice() {
            return self.output.write(&One(judge(text)?));
        }
        let mut judged = Vec::new();
        let mut bad = 0;
        let mut take = |place: &str, text: &str| match judge(text) {
            Ok(position) => judged.push(position),
            Err(reason) => {
                bad += 1;
                let _ = writeln!(io::stderr(), "error: {place}{reason}");
            }
        };
        if self.positions.is_empty() {
            for (number, line) in (1..).zip(io::stdin().lock().lines()) {
                let line = line.map_err(Error::Stdin)?;
                if !line.trim().is_empty() {
                    take(&format!("line {number}: "), line.trim());
                }
            }
        }
        self.positions.iter().for_each(|text| take("", text));
        let all = judged.len() + bad;
        self.output.write(&Many(judged))?;
        if bad > 0 { Err(Error::Batch { bad, all }) } else { Ok(()) }
    }

    fn judge(&self, tables: &Known, rules: &Rules, text: &str) -> Result<Judged, Error> {
        let pits = self.game.pits();
        let position: Position = notation::parse_position(text, pits)
            .map_err(|reason| Error::Position { text: text.to_owned(), reason })?;
        let judged = tables.judge(&self.game, rules, &position, text)?;
        if self.children { judged.with_children(&self.game, &position) } else { Ok(judged) }
    }
}

/// The only position asked for.
#[derive(Serialize)]
#[serde(transparent)]
struct One(Judged);

impl Report for One {
    const COLUMNS: &'static [&'static str] = Judged::COLUMNS;

    fn rows(&self) -> Vec<Vec<String>> {
        self.0.rows()
    }

    fn text(&self) -> String {
        self.0.text()
    }
}

/// A list, in the order asked.
#[derive(Serialize)]
#[serde(transparent)]
struct Many(Vec<Judged>);

impl Report for Many {
    const COLUMNS: &'static [&'static str] = Judged::COLUMNS;

    fn rows(&self) -> Vec<Vec<String>> {
        self.0.iter().flat_map(Judged::rows).collect()
    }

    fn text(&self) -> String {
        self.0.iter().map(Judged::text).collect::<Vec<_>>().join("\n")
    }

    fn lines(&self) -> serde_json::Result<Vec<String>> {
        self.0.iter().map(serde_json::to_string).collect()
    }
}
