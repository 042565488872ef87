//! Arguments that commands share: the game, the position, the line.

use std::path::PathBuf;

use clap::Args;
use games::notation::{self, Line, dash};
use games::{Finish, Play, Position, Rules, Ruleset};

use crate::bytes::Size;
use crate::error::Error;
use crate::memory;
use crate::progress::Meter;

/// The folder of the tables.
#[derive(Args)]
pub(crate) struct Folder {
    /// The folder of the tables
    #[arg(long, value_name = "DIR")]
    pub(crate) tables: PathBuf,
}

/// Threads to work with.
#[derive(Args)]
pub(crate) struct Threads {
    /// Threads to work with; 0 for all
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 0,
          value_parser = clap::value_parser!(u16).range(..=1024))]
    threads: u16,
}

impl Threads {
    /// How many; 0 for one each core.
    pub(crate) fn number(&self) -> usize {
        self.threads.into()
    }

    /// Starts them.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        let threads = self.number();
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        builder.build().map_err(|reason| Error::Threads { threads, reason })
    }
}

/// Memory that may be filled with tables.
#[derive(Args)]
pub(crate) struct Memory {
    /// Memory that tables may fill, for example 8GiB or 512MiB [default: most of what is available]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,
}

impl Memory {
    pub(crate) fn given(&self) -> Option<Size> {
        self.memory
    }

    /// The most bytes to fill.
    pub(crate) fn allowed(&self) -> u64 {
        self.memory.map_or_else(memory::most_of_available, |size| size.0)
    }

    /// The most bytes to fill; says so where the user has not.
    pub(crate) fn told(&self, meter: &Meter) -> u64 {
        let allowed = self.allowed();
        if self.memory.is_none() {
            let most = Size(allowed);
            meter.say(&format!("up to {most} of memory may be filled, most of what is available"));
        }
        allowed
    }
}

/// The position a command is about.
#[derive(Args)]
pub(crate) struct Subject {
    /// The game: `NAME[:PITSxSEEDS][,option=value]...`
    pub(crate) game: Ruleset,
    /// The position, for example 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S; a FEN of PlayStrategy and a
    /// list of integers, mover first, are read as well [default: the start]
    position: Option<String>,
    /// Turns to play first, for example "4-6 4-3-1"; the last may stop in the middle
    #[arg(long, value_name = "TURNS")]
    line: Option<Line>,
}

/// Where a game stands.
pub(crate) struct Reached {
    pub(crate) rules: Rules,
    pub(crate) position: Position,
    pub(crate) finish: Option<Finish>,
    /// The stores of South and of North, if the game is over.
    pub(crate) stores: Option<[u32; 2]>,
}

impl Subject {
    /// Plays the line from the position.
    pub(crate) fn reach(&self) -> Result<Reached, Error> {
        let rules = self.game.rules();
        let start = start(&self.game, self.position.as_deref())?;
        let mut play = Play::new(&self.game, &rules, start);
        if let Some(line) = &self.line {
            play.line(line).map_err(|reason| Error::Line { text: line.to_string(), reason })?;
        }
        let (position, finish, stores) = (play.position(), play.finish(), play.final_stores());
        Ok(Reached { rules, position, finish, stores })
    }

    /// A position of the game in the dash form.
    pub(crate) fn dashes(&self, position: &Position) -> String {
        dash::format(&position.setup(self.game.pits()))
    }
}

/// Reads a position of a game; the start position if none is given.
pub(crate) fn start(game: &Ruleset, text: Option<&str>) -> Result<Position, Error> {
    let Some(text) = text else {
        return Ok(Position::start(game));
    };
    notation::parse_position(text, game.pits())
        .map_err(|reason| Error::Position { text: text.to_owned(), reason })
}
