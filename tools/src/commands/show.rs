//! `mancala show`: a position as the players see it.

use games::{Finish, Game, Player};
use serde::Serialize;

use super::Stores;
use crate::args::Subject;
use crate::draw::draw;
use crate::error::Error;
use crate::output::{Output, Report};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let reached = self.subject.reach()?;
        let position = reached.position;
        let pits = self.subject.game.pits();
        let [south, north] = position.setup(pits).pits;
        let legal = match reached.finish {
            Some(_) => Vec::new(),
            None => reached.rules.legal(position.board()).map(|pit| pit + 1).collect(),
        };
        self.output.write(&Shown {
            game: self.subject.game.to_string(),
            position: self.subject.dashes(&position),
            to_move: position.to_move().name().to_lowercase(),
            pits: Pits { south, north },
            stores: position.stores().into(),
            legal,
            over: reached.finish.map(reason),
            stores_at_end: reached.stores.map(Stores::from),
            drawing: draw(&position, pits),
            player: position.to_move(),
        })
    }
}

const fn reason(finish: Finish) -> &'static str {
    match finish {
        Finish::Board => "board",
        Finish::Majority => "majority",
        Finish::Repetition => "repetition",
    }
}

#[derive(Serialize)]
struct Shown {
    game: String,
    position: String,
    to_move: String,
    pits: Pits,
    stores: Stores,
    /// Numbers of the pits that may be sown.
    legal: Vec<usize>,
    /// Why the game is over, if it is.
    over: Option<&'static str>,
    #[serde(rename = "final")]
    stores_at_end: Option<Stores>,
    #[serde(skip)]
    drawing: String,
    #[serde(skip)]
    player: Player,
}

#[derive(Serialize)]
struct Pits {
    south: Vec<u32>,
    north: Vec<u32>,
}

impl Shown {
    fn legal_numbers(&self) -> String {
        let numbers: Vec<String> = self.legal.iter().map(usize::to_string).collect();
        numbers.join(" ")
    }
}

impl Report for Shown {
    const COLUMNS: &'static [&'static str] = &["game", "position", "to_move", "legal", "over"];

    fn rows(&self) -> Vec<Vec<String>> {
        let over = self.over.unwrap_or_default();
        let legal = self.legal_numbers();
        let cells = [&self.game, &self.position, &self.to_move, legal.as_str(), over];
        vec![cells.map(str::to_owned).to_vec()]
    }

    fn text(&self) -> String {
        let Shown { game, position, drawing, .. } = self;
        let state = match (self.over, self.stores_at_end) {
            (Some(over), Some(Stores { south, north })) => {
                format!("the game is over ({over}): South {south}, North {north}")
            }
            _ => format!("{} may sow: {}", self.player.name(), self.legal_numbers()),
        };
        format!("{game}\n{position}\n\n{drawing}\n{state}\n")
    }
}
