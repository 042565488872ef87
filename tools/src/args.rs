//! Arguments that commands share: the game, the position, the line.

use std::path::PathBuf;
use std::str::FromStr;

use bytesize::ByteSize;
use clap::Args;
use games::notation::{self, AnyLine, dash};
use games::{Finish, Play, Playable, Position, Rules, Ruleset, RulesetError};

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
#[derive(Args, Clone)]
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
#[derive(Args, Clone)]
pub(crate) struct Memory {
    /// Memory that tables may fill, for example 8GiB or 512MiB [default: most of what is available]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<ByteSize>,
}

/// Reads a size: `8GiB`, `512MiB`, `4GB`, `1000000`.
fn size(text: &str) -> Result<ByteSize, String> {
    text.parse()
        .map_err(|_| "it takes whole bytes or a unit, for example 8GiB, 512MiB or 4GB".to_owned())
}

impl Memory {
    /// The most bytes to fill.
    pub(crate) fn allowed(&self) -> u64 {
        self.memory.map_or_else(memory::most_of_available, |size| size.0)
    }

    /// The most bytes to fill; says so where the user has not.
    pub(crate) fn told(&self, meter: &Meter) -> u64 {
        let allowed = self.allowed();
        if self.memory.is_none() {
            let most = ByteSize(allowed);
            meter.say(&format!("up to {most} of memory may be filled, most of what is available"));
        }
        allowed
    }
}

/// What names a game on the command line.
pub(crate) trait Named: FromStr<Err = RulesetError> + Clone + Send + Sync + 'static {}
impl<G: FromStr<Err = RulesetError> + Clone + Send + Sync + 'static> Named for G {}

/// The position a command is about: of games on two packed sides, or of any game.
#[derive(Args)]
pub(crate) struct Subject<G: Named = Ruleset> {
    /// The game: `NAME[:PITSxSEEDS][,option=value]...`
    pub(crate) game: G,
    /// The position, for example 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S; a FEN of PlayStrategy and a
    /// list of integers, mover first, are read as well [default: the start]
    position: Option<String>,
    /// Turns to play first, for example "4-6 4-3-1", the last may stop in the middle; or moves
    /// from square to square, for example "f1e2 d2e1"
    #[arg(long, value_name = "TURNS")]
    line: Option<AnyLine>,
}

/// Where a game stands.
pub(crate) struct Reached<R: Playable = Rules> {
    pub(crate) rules: R,
    pub(crate) position: Position<R::Board>,
    pub(crate) finish: Option<Finish>,
    /// The stores of South and of North, if the game is over.
    pub(crate) stores: Option<[u32; 2]>,
}

impl<G: Named> Subject<G> {
    /// Plays the line from the position by the rules of the game, given as what it is.
    pub(crate) fn reach_in<R: Playable>(&self, game: &Ruleset<R>) -> Result<Reached<R>, Error> {
        let rules = game.rules();
        let start = start(game, self.position.as_deref())?;
        let mut play = Play::new(game, &rules, start);
        if let Some(line) = &self.line {
            play.any_line(line).map_err(|reason| Error::Line { text: line.to_string(), reason })?;
        }
        let (position, finish, stores) = (play.position(), play.finish(), play.final_stores());
        Ok(Reached { rules, position, finish, stores })
    }
}

/// A position of a game in the dash form.
pub(crate) fn dashes<R: Playable>(game: &Ruleset<R>, position: &Position<R::Board>) -> String {
    dash::format(&position.setup(game.pits()))
}

/// Reads a position of a game; the start position if none is given.
pub(crate) fn start<R: Playable>(
    game: &Ruleset<R>,
    text: Option<&str>,
) -> Result<Position<R::Board>, Error> {
    let Some(text) = text else {
        return Ok(Position::start(game));
    };
    let wrong = |reason| Error::Position { text: text.to_owned(), reason };
    let setup = notation::parse_setup(text).map_err(wrong)?;
    Position::pack(&setup, game.pits()).map_err(|reason| wrong(reason.into()))
}
