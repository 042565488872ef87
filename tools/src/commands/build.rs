//! `mancala build`: tables of all positions of up to some number of stones.

use std::time::{Duration, Instant};

use games::{AnyRuleset, Ruleset};
use tablebase::Tabled;
use tablebase::build::folder::{Event, KEEP_EVERY, Plan, What};
use tablebase::file::{Codec, Encoding};

use crate::args::{Folder, Memory, Threads};
use crate::error::Error;
use crate::progress::Meter;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: `NAME[:PITSxSEEDS][,option=value]...`; stones a pit do not matter
    game: AnyRuleset,
    /// Stones on the board of the highest layer
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(..=i64::from(games::MAX_STONES)))]
    stones: u32,
    #[command(flatten)]
    folder: Folder,
    /// The form of the files: byte, packed, zstd, zstd-bytes or zstd-packed
    #[arg(long, default_value = "byte")]
    codec: Codec,
    /// Build the bounds as well that hold under any rule of repetition (oware, awari); with
    /// repetition=own-side nothing else
    #[arg(long)]
    bounds: bool,
    /// Keep a layer in work on disk every so many seconds, so that a killed build goes on within
    /// it (games whose positions recur, toguz excepted)
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true,
          default_value_t = KEEP_EVERY.as_secs(), value_parser = clap::value_parser!(u64).range(0..))]
    keep_every: u64,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
    /// Say nothing about progress
    #[arg(long)]
    quiet: bool,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        match &self.game {
            AnyRuleset::Sides(game) => self.build(game),
            AnyRuleset::Toguz(game) => self.build(game),
        }
    }

    fn build<R: Tabled>(&self, game: &Ruleset<R>) -> Result<(), Error> {
        let meter = Meter::new(self.quiet);
        let memory = self.memory.told(&meter);
        let pool = self.threads.pool()?;
        let plans = self.plans(game, memory);
        plans.iter().try_for_each(Plan::check)?;
        plans.iter().try_for_each(|plan| {
            let start = Instant::now();
            let tell = |event| tell(&meter, event, plan);
            pool.install(|| plan.run(&tell))?;
            meter.end();
            meter.say(&format!(
                "{}layers 0 to {} of {} are complete in {} ({:.1} s)",
                prefix(plan.what),
                self.stones,
                game.table_key(),
                plan.tables.display(),
                start.elapsed().as_secs_f64(),
            ));
            Ok(())
        })
    }

    /// The tables to build: under a rule of repetition that leaves a position no value of its
    /// own only the bounds.
    fn plans<'a, R: Tabled>(&'a self, game: &'a Ruleset<R>, memory: u64) -> Vec<Plan<'a, R>> {
        let values = (game.has_values() || !self.bounds).then_some(What::Values);
        let all = values.into_iter().chain(self.bounds.then_some(What::Bounds));
        let plan = |what| Plan {
            ruleset: game,
            stones: self.stones,
            what,
            tables: &self.folder.tables,
            encoding: Encoding::new(self.codec),
            memory,
            keep_every: Duration::from_secs(self.keep_every),
        };
        all.map(plan).collect()
    }
}

/// What messages begin with.
fn prefix(what: What) -> &'static str {
    match what {
        What::Values => "",
        What::Bounds => "bounds: ",
    }
}

fn tell<R: Tabled>(meter: &Meter, event: Event, plan: &Plan<'_, R>) {
    let prefix = prefix(plan.what);
    match event {
        Event::RemovedStale(files) => {
            let names = files.iter().filter_map(|path| path.file_name());
            let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
            meter.say(&format!(
                "continuing an interrupted build: removed the unfinished {}",
                names.join(", ")
            ));
        }
        Event::Found(0) => {}
        Event::Found(layers) => meter.say(&format!("{prefix}{}", found(layers, plan.stones))),
        Event::Loading(layer, positions) => {
            meter.start(&format!("{prefix}reading layer {layer}"), positions)
        }
        Event::Filling(layer, positions) => {
            meter.start(&format!("{prefix}layer {layer}"), positions)
        }
        Event::Resumed(layer, level) => {
            meter.say(&format!("{prefix}going on within layer {layer}, at value {level}"));
        }
        Event::Kept(layer, level) => {
            meter.say(&format!("{prefix}layer {layer} is kept as it is before value {level}"));
        }
        Event::NotKept(layer, reason) => {
            meter.say(&format!("warning: {prefix}layer {layer} in work is not kept: {reason}"));
        }
        Event::Filled(positions) => meter.add(positions),
        Event::Writing(_) => meter.message("writing"),
        Event::Written(..) => meter.end(),
    }
}

fn found(layers: u32, stones: u32) -> String {
    if layers > stones {
        return "all layers are there already".to_owned();
    }
    format!("continuing: {layers} of {} layers are there already and are kept", stones + 1)
}
