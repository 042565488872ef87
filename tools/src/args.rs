//! Arguments that commands share: the game, the position, the line.

use clap::Args;
use games::notation::{self, Line, dash};
use games::{Finish, Play, Position, Rules, Ruleset};

use crate::error::Error;

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
        let start = self.start()?;
        let mut play = Play::new(&self.game, &rules, start);
        if let Some(line) = &self.line {
            play.line(line).map_err(|reason| Error::Line { text: line.to_string(), reason })?;
        }
        let (position, finish, stores) = (play.position(), play.finish(), play.final_stores());
        Ok(Reached { rules, position, finish, stores })
    }

    fn start(&self) -> Result<Position, Error> {
        let Some(text) = &self.position else {
            return Ok(Position::start(&self.game));
        };
        notation::parse_position(text, self.game.pits())
            .map_err(|reason| Error::Position { text: text.clone(), reason })
    }

    /// A position of the game in the dash form.
    pub(crate) fn dashes(&self, position: &Position) -> String {
        dash::format(&position.setup(self.game.pits()))
    }
}
