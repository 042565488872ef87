//! `mancala show`: a position as the players see it.

use games::{AnyRuleset, Finish, Playable, Player, Ruleset};
use serde::Serialize;

use super::Stores;
use crate::args::{self, Subject};
use crate::draw::draw;
use crate::error::Error;
use crate::output::{Output, Report};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject<AnyRuleset>,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        match &self.subject.game {
            AnyRuleset::Sides(game) => self.show(game),
            AnyRuleset::Toguz(game) => self.show(game),
        }
    }

    fn show<R: Playable>(&self, game: &Ruleset<R>) -> Result<(), Error> {
        let reached = self.subject.reach_in(game)?;
        let position = reached.position;
        let pits = game.pits();
        let setup = position.setup(pits);
        let [south, north] = setup.pits;
        let [south_tuzdyk, north_tuzdyk] = setup.tuzdyks.map(|tuzdyk| tuzdyk.map(|pit| pit + 1));
        let legal = match reached.finish {
            Some(_) => Vec::new(),
            None => reached.rules.legal(position.board()).map(|pit| pit + 1).collect(),
        };
        self.output.write(&Shown {
            game: game.to_string(),
            position: args::dashes(game, &position),
            to_move: position.to_move().name().to_lowercase(),
            pits: Pits { south, north },
            tuzdyks: setup
                .tuzdyks
                .iter()
                .any(Option::is_some)
                .then_some(Tuzdyks { south: south_tuzdyk, north: north_tuzdyk }),
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
    /// The tuzdyks in the rows of both players, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    tuzdyks: Option<Tuzdyks>,
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

/// For each row the number of the pit in it that is a tuzdyk.
#[derive(Serialize)]
struct Tuzdyks {
    south: Option<usize>,
    north: Option<usize>,
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
