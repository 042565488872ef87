//! `mancala build`: tables of all positions of up to some number of stones.

use std::time::Instant;

use games::Ruleset;
use tablebase::build::folder::{self, BuildError, Event};
use tablebase::file::{Codec, Encoding};

use crate::args::{Folder, Memory, Threads};
use crate::bytes::Size;
use crate::error::Error;
use crate::progress::Meter;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: `NAME[:PITSxSEEDS][,option=value]...`; stones a pit do not matter
    game: Ruleset,
    /// Stones on the board of the highest layer
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(..=i64::from(games::MAX_STONES)))]
    stones: u32,
    #[command(flatten)]
    folder: Folder,
    /// The form of the files: byte, packed, zstd, zstd-bytes or zstd-packed
    #[arg(long, default_value = "byte")]
    codec: Codec,
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
        let meter = Meter::new(self.quiet);
        let memory = self.memory.told(&meter);
        let start = Instant::now();
        let tell = |event| tell(&meter, event, self.stones);
        let pool = self.threads.pool()?;
        let tables = &self.folder.tables;
        let encoding = Encoding::new(self.codec);
        pool.install(|| folder::build(&self.game, self.stones, tables, encoding, memory, &tell))
            .map_err(|error| explain(error, self.memory.given()))?;
        meter.end();
        meter.say(&format!(
            "layers 0 to {} of {} are complete in {} ({:.1} s)",
            self.stones,
            self.game.table_key(),
            tables.display(),
            start.elapsed().as_secs_f64(),
        ));
        Ok(())
    }
}

fn tell(meter: &Meter, event: Event, stones: u32) {
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
        Event::Found(layers) => meter.say(&found(layers, stones)),
        Event::Loading(layer, positions) => {
            meter.start(&format!("reading layer {layer}"), positions)
        }
        Event::Filling(layer, positions) => meter.start(&format!("layer {layer}"), positions),
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

/// Tells sizes as users give them.
fn explain(error: BuildError, given: Option<Size>) -> Error {
    match error {
        BuildError::Memory { stones, needed, allowed, most } => Error::BuildMemory {
            stones,
            needed: Size(needed),
            allowed: given.unwrap_or(Size(allowed)),
            most,
        },
        other => Error::Build(other),
    }
}
