//! `mancala openings`: the exact tree of the first turns of a game.

use std::path::PathBuf;

use games::Ruleset;

use crate::engine::Options;
use crate::error::Error;
use crate::openings::played::Statistics;
use crate::openings::{Book, Store, solve};
use crate::output::Output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: `NAME[:PITSxSEEDS][,option=value]...`
    game: Ruleset,
    /// How many turns the tree has
    #[arg(long, value_name = "K", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u8).range(1..=12))]
    turns: u8,
    /// A file that keeps every proved board: what it holds is not solved again, and it grows with
    /// each board
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Statistics of recorded games, the JSON of `games-stats`: how often each turn is played and
    /// how it scores, beside what it is worth
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let Args { game, options, .. } = self;
        let turns = self.turns.into();
        let mut store = match &self.store {
            Some(path) => Store::open(path, game)?,
            None => Store::in_memory(game),
        };
        if store.len() > 0 {
            options.say(&format!("continuing: {} boards are in the store", store.len()));
        }
        let engine = || options.engine(game, game.stones());
        let solution = solve(game, turns, &mut store, engine, &|text| options.say(text))?;
        let statistics = self
            .games
            .as_deref()
            .map(|path| Statistics::read(path, &game.to_string(), &solution.tree));
        let statistics = statistics.transpose()?;
        self.output.write(&Book::new(game, turns, &solution, statistics.as_ref()))
    }
}
