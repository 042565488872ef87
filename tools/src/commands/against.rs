//! Comparing a published file with our tables.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use games::notation::integers;
use games::{Player, Ruleset, Setup};
use serde::Serialize;
use tablebase::Tables;
use tablebase::vu::{self, Differing, VuError};

use crate::error::Error;
use crate::output::{Output, Report};

/// How many differences are listed.
const LISTED: usize = 10;

/// What to compare.
#[derive(clap::Args)]
pub(crate) struct Against {
    /// Instead, compare this file `scores.N` of the published awari database, or one written by
    /// `mancala export`, with the tables of the game
    #[arg(long, value_name = "FILE", requires_all = ["game", "stones"], conflicts_with = "sample")]
    against: Option<PathBuf>,
    /// Stones on the board of the layer in that file
    #[arg(long, value_name = "N", requires = "against", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(..=i64::from(games::MAX_STONES)))]
    stones: Option<u32>,
}

impl Against {
    /// The file and the layer, if that is what is asked.
    pub(crate) fn asked(&self) -> Option<(&Path, u32)> {
        Some((self.against.as_deref()?, self.stones?))
    }
}

/// Compares a file with a layer; what differs is an error, and told before.
pub(crate) fn compare(
    game: &Ruleset,
    folder: &Path,
    (path, stones): (&Path, u32),
    output: &Output,
) -> Result<(), Error> {
    let tables = Tables::open(folder, game, stones)?;
    let most = tables.most_stones();
    let Some(layer) = tables.layers().get(stones as usize) else {
        return Err(Error::NoLayer { key: game.table_key(), stones, most });
    };
    layer.verify_checksums()?;
    let unreadable = |reason| Error::Input { name: path.display().to_string(), reason };
    let file = File::open(path).map_err(unreadable)?;
    let found = file.metadata().map_err(unreadable)?.len();
    let needed = vu::count(game.pits(), stones);
    if found != needed {
        return Err(Error::ScoresLength { path: path.to_owned(), found, stones, needed });
    }
    let mut first = Vec::new();
    let mut list = |differing: Differing| {
        if first.len() < LISTED {
            first.push(Listed::new(game, &differing));
        }
    };
    let differing = vu::compare(&tables, stones, &mut BufReader::new(file), &mut list);
    let differing = differing.map_err(|error| match error {
        VuError::File(error) => Error::File(error),
        VuError::Io(reason) => unreadable(reason),
    })?;
    let (game, file) = (game.to_string(), path.display().to_string());
    output.write(&Compared { game, file, stones, positions: needed, differing, first })?;
    match differing {
        0 => Ok(()),
        _ => Err(Error::Against { path: path.to_owned(), differing, all: needed }),
    }
}

#[derive(Serialize)]
struct Compared {
    game: String,
    file: String,
    stones: u32,
    positions: u64,
    differing: u64,
    /// The first differences.
    first: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    /// In the file, from 0.
    number: u64,
    /// The mover's pits, then the opponent's.
    position: String,
    file: i8,
    table: i32,
}

impl Listed {
    fn new(game: &Ruleset, differing: &Differing) -> Listed {
        let Differing { number, board, found, right } = *differing;
        let pits = [board.mover, board.other].map(|side| side.iter(game.pits()).collect());
        let setup = Setup { pits, tuzdyks: [None; 2], stores: [0; 2], to_move: Player::South };
        Listed { number, position: integers::format(&setup), file: found, table: right }
    }
}

impl Report for Compared {
    const COLUMNS: &'static [&'static str] = &["number", "position", "file", "table"];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |Listed { number, position, file, table }: &Listed| {
            vec![number.to_string(), position.clone(), file.to_string(), table.to_string()]
        };
        self.first.iter().map(row).collect()
    }

    fn text(&self) -> String {
        let Compared { game, file, stones, positions, differing, first } = self;
        let mut text = format!("{game}\n{file}: layer {stones}, {positions} values\n");
        if *differing == 0 {
            return text + "all are those of the tables\n";
        }
        text += &format!("{differing} are not those of the tables, the first of them:\n");
        text += "    number  file  table  position\n";
        for Listed { number, position, file, table } in first {
            text += &format!("{number:>10}  {file:>4}  {table:>5}  {position}\n");
        }
        text
    }
}
