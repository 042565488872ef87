//! `mancala survey`: the exact values of many boards and of every first turn, kept in one file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use games::{Position, Ruleset};
use serde::{Deserialize, Serialize};
use solver::{Oracle, for_each_turn, turns};

use crate::engine::Resources;
use crate::error::Error;
use crate::output;

/// The survey file's version.
const VERSION: u32 = 1;

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

/// What the file holds.
#[derive(Serialize, Deserialize)]
struct Survey {
    version: u32,
    /// The command that makes the file.
    command: String,
    /// The program, with its commit, that solved the boards.
    program: String,
    machine: Machine,
    boards: Vec<Solved>,
}

#[derive(Serialize, Deserialize)]
struct Machine {
    processor: String,
    threads: usize,
    memory: String,
}

/// A solved board.
#[derive(Serialize, Deserialize)]
struct Solved {
    game: String,
    /// The value of the start position for South.
    value: i32,
    /// The value of every first turn for South.
    turns: Vec<Turn>,
    /// The highest layer of the tables that were built for it.
    table_stones: u32,
    nodes: u64,
    probes: u64,
    /// With everything: tables included.
    seconds: f64,
}

#[derive(Serialize, Deserialize)]
struct Turn {
    turn: String,
    value: i32,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let mut survey = self.open()?;
        let boards = self.games.iter().flat_map(|boards| &boards.0);
        for game in boards.filter(|game| game.stones() <= self.most_stones) {
            if survey.boards.iter().any(|solved| solved.game == game.to_string()) {
                continue;
            }
            let solved = self.solve(game)?;
            self.resources.say(&solved.to_string());
            survey.boards.push(solved);
            let json = serde_json::to_string_pretty(&survey).map_err(io::Error::from);
            json.and_then(|text| output::save(&self.output, (text + "\n").as_bytes()))
                .map_err(|reason| Error::Output { path: self.output.clone(), reason })?;
            remove(&self.checkpoint())?;
        }
        Ok(())
    }

    /// Solves a board, with a checkpoint beside the file while it lasts.
    fn solve(&self, game: &Ruleset) -> Result<Solved, Error> {
        let board = Position::start(game).board();
        let rules = game.rules();
        let mut engine = self.resources.engine(game, board.stones(), Some(&self.checkpoint()))?;
        self.resources.say(&format!("solving {game}"));
        engine.label(board, "all".to_owned(), 0, true);
        for_each_turn(&rules, board, &mut |turn, won, board| {
            engine.label(board, turn.to_string(), won, false);
            Ok::<_, Error>(())
        })?;
        let answer =
            engine.value(board).and_then(|value| Ok((value, turns(&rules, &mut engine, board)?)));
        let (value, turns) = engine.finish(answer)?;
        let turns = turns.into_iter().map(|(turn, value)| Turn { turn: turn.to_string(), value });
        let effort = engine.effort();
        Ok(Solved {
            game: game.to_string(),
            value,
            turns: turns.collect(),
            table_stones: engine.table_stones(),
            nodes: effort.nodes,
            probes: effort.probes,
            seconds: effort.seconds,
        })
    }

    fn checkpoint(&self) -> PathBuf {
        let mut path = self.output.clone().into_os_string();
        path.push(".checkpoint");
        path.into()
    }

    /// What the file holds already, or an empty survey.
    fn open(&self) -> Result<Survey, Error> {
        let unreadable = |reason| Error::Survey { path: self.output.clone(), reason };
        let survey: Survey = match fs::read_to_string(&self.output) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| unreadable(error.into()))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(self.new_survey()),
            Err(error) => return Err(unreadable(error)),
        };
        if survey.version != VERSION {
            let text = format!("it has version {}, not {VERSION}", survey.version);
            return Err(unreadable(io::Error::other(text)));
        }
        Ok(survey)
    }

    fn new_survey(&self) -> Survey {
        Survey {
            version: VERSION,
            command: std::env::args()
                .skip(1)
                .fold("mancala".to_owned(), |line, word| line + " " + &word),
            program: crate::cli::VERSION.to_owned(),
            machine: Machine {
                processor: processor(),
                threads: self.resources.threads(),
                memory: self.resources.memory().to_string(),
            },
            boards: Vec::new(),
        }
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

/// The processor's name, where Linux tells it.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or("unknown".to_owned(), |(_, name)| name.trim().to_owned())
}

impl std::fmt::Display for Solved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} in {:.1} s", self.game, self.value, self.seconds)
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
