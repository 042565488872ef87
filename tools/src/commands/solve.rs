//! `mancala solve`: exact values by search.

use std::time::Instant;

use games::Player;
use serde::Serialize;
use solver::judge;
use solver::plain::Plain;

use super::Stores;
use crate::args::Subject;
use crate::bytes::Size;
use crate::error::Error;
use crate::output::{Output, Report};
use crate::progress;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// Memory the search may fill, for example 8GiB or 512MiB
    #[arg(long, value_name = "SIZE", default_value = "8GiB")]
    memory: Size,
    /// Say nothing about progress
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let reached = self.subject.reach()?;
        let start = Instant::now();
        let mut solver = Plain::new(&self.subject.game, self.memory.0)?;
        if !self.quiet {
            solver.watch(progress::lines());
        }
        let judgement = judge(&reached.rules, &mut solver, &reached.position)?;
        let sowing = |sowing: &solver::Move| Move {
            pit: sowing.pit + 1,
            value: sowing.value,
            captured: sowing.captured,
            again: sowing.again,
        };
        self.output.write(&Solved {
            game: self.subject.game.to_string(),
            position: self.subject.dashes(&reached.position),
            value: judgement.value,
            stores_at_end: judgement.stores.into(),
            best: judgement.best().map(ToString::to_string),
            moves: judgement.moves.iter().map(sowing).collect(),
            line: judgement.line.to_string(),
            source: "search",
            nodes: solver.nodes(),
            probes: 0,
            seconds: start.elapsed().as_secs_f64(),
            player: reached.position.to_move(),
        })
    }
}

#[derive(Serialize)]
struct Solved {
    game: String,
    position: String,
    value: i32,
    #[serde(rename = "final")]
    stores_at_end: Stores,
    best: Option<String>,
    moves: Vec<Move>,
    line: String,
    source: &'static str,
    nodes: u64,
    /// Questions put to tables.
    probes: u64,
    seconds: f64,
    #[serde(skip)]
    player: Player,
}

#[derive(Serialize)]
struct Move {
    pit: usize,
    value: i32,
    captured: u8,
    again: bool,
}

impl Solved {
    fn outcome(&self) -> String {
        let Stores { south, north } = self.stores_at_end;
        match south.cmp(&north) {
            std::cmp::Ordering::Greater => format!("South wins {south} to {north}"),
            std::cmp::Ordering::Less => format!("North wins {north} to {south}"),
            std::cmp::Ordering::Equal => format!("a draw, {south} each"),
        }
    }
}

impl Report for Solved {
    const COLUMNS: &'static [&'static str] =
        &["game", "position", "pit", "value", "captured", "again"];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |sowing: &Move| {
            let Move { pit, value, captured, again } = sowing;
            let cells = [pit.to_string(), value.to_string(), captured.to_string()];
            let place = [self.game.clone(), self.position.clone()];
            place.into_iter().chain(cells).chain([again.to_string()]).collect()
        };
        self.moves.iter().map(row).collect()
    }

    fn text(&self) -> String {
        let Solved { game, position, value, line, nodes, seconds, .. } = self;
        let player = self.player.name();
        let mut text = format!("{game}\n{position}\n\n");
        text += &format!("value  {value} for {player}, to move: {}\n", self.outcome());
        if let Some(best) = &self.best {
            text += &format!("best   {best}\nline   {line}\n\n pit  value  captured\n");
        }
        for Move { pit, value, captured, again } in &self.moves {
            let again = if *again { "  sows again" } else { "" };
            text += &format!("{pit:>4}  {value:>5}  {captured:>8}{again}\n");
        }
        text + &format!("\n{nodes} nodes in {seconds:.2} s\n")
    }
}
