//! `mancala perft`: sowings counted ply by ply.

use games::{AnyRuleset, Play, Playable, Position, Ruleset};
use rayon::prelude::*;
use serde::Serialize;

use crate::args::{self, Subject, Threads};
use crate::error::Error;
use crate::output::{Output, Report};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject<AnyRuleset>,
    /// Plies to count; an extra sowing is a ply of its own
    #[arg(long, value_name = "D", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(..=1000))]
    depth: u16,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        match &self.subject.game {
            AnyRuleset::Sides(game) => self.count(game),
            AnyRuleset::Toguz(game) => self.count(game),
        }
    }

    fn count<R: Playable>(&self, ruleset: &Ruleset<R>) -> Result<(), Error> {
        let reached = self.subject.reach_in(ruleset)?;
        let pool = self.threads.pool()?;
        let (rules, position) = (&reached.rules, reached.position);
        let nodes = pool.install(|| count(ruleset, rules, position, self.depth.into()));
        self.output.write(&Counted {
            game: ruleset.to_string(),
            position: args::dashes(ruleset, &position),
            nodes,
        })
    }
}

/// Plies that are walked before the rest is shared between threads.
const SHARED_FROM: usize = 3;

/// As [`games::perft`], on all threads of the pool.
fn count<R: Playable>(
    ruleset: &Ruleset<R>,
    rules: &R,
    start: Position<R::Board>,
    depth: usize,
) -> Vec<u64> {
    let mut nodes = Vec::with_capacity(depth + 1);
    let mut ply = vec![start];
    while nodes.len() < SHARED_FROM.min(depth) {
        nodes.push(ply.len() as u64);
        ply = ply.iter().flat_map(|position| after(ruleset, rules, position)).collect();
    }
    let rest = depth - nodes.len();
    let below = ply
        .par_iter()
        .map(|position| games::perft(ruleset, rules, position, rest))
        .reduce(|| vec![0; rest + 1], |a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect());
    nodes.extend(below);
    nodes
}

/// The positions one sowing later.
fn after<R: Playable>(
    ruleset: &Ruleset<R>,
    rules: &R,
    position: &Position<R::Board>,
) -> Vec<Position<R::Board>> {
    if Play::new(ruleset, rules, *position).finish().is_some() {
        return Vec::new();
    }
    rules.legal(position.board()).map(|pit| position.sow(rules, pit).0).collect()
}

#[derive(Serialize)]
struct Counted {
    game: String,
    position: String,
    nodes: Vec<u64>,
}

impl Report for Counted {
    const COLUMNS: &'static [&'static str] = &["game", "position", "ply", "nodes"];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |(ply, nodes): (usize, &u64)| {
            vec![self.game.clone(), self.position.clone(), ply.to_string(), nodes.to_string()]
        };
        self.nodes.iter().enumerate().map(row).collect()
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n{}\n\n ply  {:>20}\n", self.game, self.position, "nodes");
        for (ply, nodes) in self.nodes.iter().enumerate() {
            text += &format!("{ply:>4}  {nodes:>20}\n");
        }
        text
    }
}
