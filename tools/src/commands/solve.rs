//! `mancala solve`: exact values by search.

use std::time::Instant;

use serde::Serialize;
use solver::judge;
use solver::plain::Plain;

use super::judged::Judged;
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
        let Subject { game, .. } = &self.subject;
        let dashes = self.subject.dashes(&reached.position);
        self.output.write(&Solved {
            judged: Judged::new(game, &reached.position, dashes, &judgement, "search"),
            nodes: solver.nodes(),
            probes: 0,
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

#[derive(Serialize)]
struct Solved {
    #[serde(flatten)]
    judged: Judged,
    nodes: u64,
    /// Questions put to tables.
    probes: u64,
    seconds: f64,
}

impl Report for Solved {
    const COLUMNS: &'static [&'static str] = Judged::COLUMNS;

    fn rows(&self) -> Vec<Vec<String>> {
        self.judged.rows()
    }

    fn text(&self) -> String {
        let Solved { judged, nodes, seconds, .. } = self;
        format!("{}\n{nodes} nodes in {seconds:.2} s\n", judged.text())
    }
}
