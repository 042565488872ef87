//! Surveys: the values of many boards and of all their first turns.

use std::fs;
use std::io;
use std::path::Path;

use games::{Position, Ruleset};
use serde::{Deserialize, Serialize};
use solver::{Oracle, for_each_turn, turns};

use crate::commands::TurnValue;
use crate::engine::Resources;
use crate::error::Error;
use crate::output;

/// The survey file's version.
const VERSION: u32 = 1;

/// What a survey file holds.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Survey {
    version: u32,
    /// The command that makes the file.
    pub(crate) command: String,
    /// The program, with its commit, that solved the boards.
    pub(crate) program: String,
    pub(crate) machine: Machine,
    pub(crate) boards: Vec<Solved>,
}

/// What the boards were solved on.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) processor: String,
    pub(crate) threads: usize,
    pub(crate) memory: String,
}

/// A solved board.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Solved {
    pub(crate) game: String,
    /// The value of the start position for South.
    pub(crate) value: i32,
    /// The value of every first turn for South.
    pub(crate) turns: Vec<TurnValue>,
    /// The highest layer of the tables that were built for it.
    pub(crate) table_stones: u32,
    pub(crate) nodes: u64,
    pub(crate) probes: u64,
    /// With everything: tables included.
    pub(crate) seconds: f64,
}

impl Survey {
    /// A survey without boards.
    pub(crate) fn new(resources: &Resources) -> Survey {
        Survey {
            version: VERSION,
            command: crate::cli::command(),
            program: crate::cli::VERSION.to_owned(),
            machine: Machine {
                processor: processor(),
                threads: resources.threads(),
                memory: resources.memory().to_string(),
            },
            boards: Vec::new(),
        }
    }

    /// What a file holds already, or an empty survey.
    pub(crate) fn open(path: &Path, resources: &Resources) -> Result<Survey, Error> {
        let unreadable = |reason| Error::Survey { path: path.to_owned(), reason };
        match fs::read_to_string(path) {
            Ok(text) => Survey::parse(&text).map_err(unreadable),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Survey::new(resources)),
            Err(error) => Err(unreadable(error)),
        }
    }

    /// Reads the text of a survey file.
    pub(crate) fn parse(text: &str) -> io::Result<Survey> {
        let survey: Survey = serde_json::from_str(text)?;
        if survey.version != VERSION {
            let text = format!("it has version {}, not {VERSION}", survey.version);
            return Err(io::Error::other(text));
        }
        Ok(survey)
    }

    /// Writes the file.
    pub(crate) fn save(&self, path: &Path) -> Result<(), Error> {
        let json = serde_json::to_string_pretty(self).map_err(io::Error::from);
        json.and_then(|text| output::save(path, (text + "\n").as_bytes()))
            .map_err(|reason| Error::Output { path: path.to_owned(), reason })
    }
}

/// Solves a board and all its first turns, keeping what is proved in a file.
pub(crate) fn solve(
    game: &Ruleset,
    resources: &Resources,
    checkpoint: Option<&Path>,
) -> Result<Solved, Error> {
    let board = Position::start(game).board();
    let rules = game.rules();
    let mut engine = resources.engine(game, board.stones(), checkpoint)?;
    resources.say(&format!("solving {game}"));
    engine.label(board, "all".to_owned(), 0, true);
    for_each_turn(&rules, board, &mut |turn, won, last| {
        engine.label_turn(turn.to_string(), won, last);
        Ok::<_, Error>(())
    })?;
    let answer =
        engine.value(board).and_then(|value| Ok((value, turns(&rules, &mut engine, board)?)));
    let (value, turns) = engine.finish(answer)?;
    let turns = turns.iter().map(|(turn, value)| TurnValue::new(turn, *value));
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
