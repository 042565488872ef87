//! `mancala verify`: are the tables right?

use std::collections::BTreeMap;

use games::Ruleset;
use serde::Serialize;
use tablebase::file::{folder_name, keys_in, layers_in};
use tablebase::verify::{self, Event};

use crate::args::{Folder, Memory, Threads};
use crate::error::Error;
use crate::output::{Output, Report};
use crate::progress::Meter;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game whose tables to check [default: all in the folder]
    game: Option<Ruleset>,
    #[command(flatten)]
    folder: Folder,
    /// Recompute only K random values of each layer; of a cyclic game this finds damage but
    /// proves nothing
    #[arg(long, value_name = "K")]
    sample: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
    /// Say nothing about progress
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let rulesets = match &self.game {
            Some(game) => vec![game.clone()],
            None => self.rulesets()?,
        };
        let meter = Meter::new(self.quiet);
        let memory = self.memory.told(&meter);
        let pool = self.threads.pool()?;
        let check = |ruleset: &Ruleset| {
            let key = ruleset.table_key();
            meter.say(&key);
            let tell = |event| tell(&meter, event);
            let tables = &self.folder.tables;
            let verified =
                pool.install(|| verify::verify(ruleset, tables, memory, self.sample, &tell))?;
            meter.end();
            let layers = verified.most_stones + 1;
            Ok(Table { key, layers, positions: verified.positions })
        };
        let tables = rulesets.iter().map(check).collect::<Result<_, Error>>()?;
        self.output.write(&Right { tables })
    }

    /// The rulesets that have tables in the folder.
    fn rulesets(&self) -> Result<Vec<Ruleset>, Error> {
        let tables = &self.folder.tables;
        let mut rulesets = BTreeMap::new();
        for key in keys_in(tables)? {
            if layers_in(tables, &key)?.is_empty() {
                continue;
            }
            let path = tables.join(folder_name(&key)).display().to_string();
            let ruleset = Ruleset::from_table_key(&key);
            let ruleset = ruleset.map_err(|_| Error::Key { path, key: key.clone() })?;
            rulesets.insert(key, ruleset);
        }
        if rulesets.is_empty() {
            return Err(Error::NoTables(tables.display().to_string()));
        }
        Ok(rulesets.into_values().collect())
    }
}

fn tell(meter: &Meter, event: Event) {
    match event {
        Event::Found(_) => {}
        Event::Checksums(layer) => meter.start(&format!("sums of layer {layer}"), 0),
        Event::Values(layer, positions) => meter.start(&format!("layer {layer}"), positions),
        Event::Checked(positions) => meter.add(positions),
        Event::Progress(_) => meter.message("proving"),
    }
}

#[derive(Serialize)]
struct Right {
    tables: Vec<Table>,
}

#[derive(Serialize)]
struct Table {
    /// The ruleset without what tables do not depend on.
    key: String,
    layers: u32,
    /// Values recomputed.
    positions: u64,
}

impl Report for Right {
    const COLUMNS: &'static [&'static str] = &["key", "layers", "positions"];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |table: &Table| {
            vec![table.key.clone(), table.layers.to_string(), table.positions.to_string()]
        };
        self.tables.iter().map(row).collect()
    }

    fn text(&self) -> String {
        let line = |table: &Table| {
            let Table { key, layers, positions } = table;
            format!("{key}: {layers} layers, {positions} values recomputed, all right\n")
        };
        self.tables.iter().map(line).collect()
    }

    fn lines(&self) -> serde_json::Result<Vec<String>> {
        self.tables.iter().map(serde_json::to_string).collect()
    }
}
