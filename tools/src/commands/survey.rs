//! `mancala survey`: the exact values of many boards and of every first turn, kept in one file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use games::Ruleset;

use crate::engine::Resources;
use crate::error::Error;
use crate::survey::{self, Survey};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games with single sizes or ranges, for example kalah:1..6x1..5,capture=empty
    #[arg(required = true)]
    games: Vec<Boards>,
    /// Leave out boards with more stones
    #[arg(long, value_name = "N", default_value_t = games::MAX_STONES)]
    most_stones: u32,
    /// The JSON file: boards that it holds already are kept, and it is whole after each board
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    resources: Resources,
}

/// A game in a range of sizes, by rising number of stones.
#[derive(Clone)]
struct Boards(Vec<Ruleset>);

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let mut survey = Survey::open(&self.output, &self.resources)?;
        let boards = self.games.iter().flat_map(|boards| &boards.0);
        for game in boards.filter(|game| game.stones() <= self.most_stones) {
            if survey.boards.iter().any(|solved| solved.game == game.to_string()) {
                continue;
            }
            let solved = survey::solve(game, &self.resources, Some(&self.checkpoint()))?;
            self.resources.say(&solved.to_string());
            survey.boards.push(solved);
            survey.save(&self.output)?;
            remove(&self.checkpoint())?;
        }
        Ok(())
    }

    fn checkpoint(&self) -> PathBuf {
        let mut path = self.output.clone().into_os_string();
        path.push(".checkpoint");
        path.into()
    }
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(reason) if reason.kind() != io::ErrorKind::NotFound => {
            Err(Error::Output { path: path.to_owned(), reason })
        }
        _ => Ok(()),
    }
}

impl FromStr for Boards {
    type Err = String;

    /// Reads a ruleset in whose size each number may be a range.
    fn from_str(text: &str) -> Result<Boards, String> {
        let (head, options) = text.split_at(text.find(',').unwrap_or(text.len()));
        let one = || {
            text.parse()
                .map(|game| Boards(vec![game]))
                .map_err(|error: games::RulesetError| error.to_string())
        };
        let Some((name, size)) = head.split_once(':').filter(|(_, size)| size.contains(".."))
        else {
            return one();
        };
        let (pits, seeds) =
            size.split_once('x').ok_or_else(|| format!("`{size}` is not PITSxSEEDS"))?;
        let (pits, seeds) = (range(pits)?, range(seeds)?);
        let mut games = Vec::new();
        for (pits, seeds) in pits.flat_map(|pits| seeds.clone().map(move |seeds| (pits, seeds))) {
            let game = format!("{name}:{pits}x{seeds}{options}").parse::<Ruleset>();
            games.push(game.map_err(|error| error.to_string())?);
        }
        games.sort_by_key(Ruleset::stones);
        Ok(Boards(games))
    }
}

/// Reads `3` or `1..6`; both ends belong to the range.
fn range(text: &str) -> Result<std::ops::RangeInclusive<u8>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| {
        text.parse::<u8>()
            .map_err(|_| format!("`{text}` is neither a number nor a range such as 1..6"))
    };
    let range = number(first)?..=number(last)?;
    if range.is_empty() { Err(format!("the range `{text}` is empty")) } else { Ok(range) }
}
