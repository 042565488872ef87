//! `mancala verify`: are the tables right?

use std::collections::BTreeMap;

use games::{AnyRuleset, Ruleset};
use serde::Serialize;
use tablebase::Tabled;
use tablebase::bounds::keeper;
use tablebase::file::{ValueKind, folder_name, keys_in, layers_of_kind};
use tablebase::verify::{self, Event, Verified};

use super::against::{self, Against};
use crate::args::{Folder, Memory, Threads};
use crate::error::Error;
use crate::output::{Output, Report};
use crate::progress::Meter;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game whose tables to check [default: all in the folder]
    game: Option<AnyRuleset>,
    #[command(flatten)]
    folder: Folder,
    /// Recompute only K random values of each layer; of a cyclic game this finds damage but
    /// proves nothing
    #[arg(long, value_name = "K")]
    sample: Option<u64>,
    #[command(flatten)]
    against: Against,
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
        if let (Some(game), Some(asked)) = (&self.game, self.against.asked()) {
            let AnyRuleset::Sides(game) = game else {
                let text = "the form of the awari database knows no tuzdyks; leave out --against";
                return Err(Error::Usage(text.to_owned()));
            };
            return against::compare(game, &self.folder.tables, asked, &self.output);
        }
        let rulesets = match &self.game {
            Some(game) => vec![game.clone()],
            None => self.rulesets()?,
        };
        let meter = Meter::new(self.quiet);
        let memory = self.memory.told(&meter);
        let pool = self.threads.pool()?;
        let mut tables = Vec::new();
        for ruleset in &rulesets {
            tables.extend(pool.install(|| match ruleset {
                AnyRuleset::Sides(ruleset) => self.check(ruleset, memory, &meter),
                AnyRuleset::Toguz(ruleset) => self.check(ruleset, memory, &meter),
            })?);
            meter.end();
        }
        self.output.write(&Right { tables })
    }

    /// Checks the values and the bounds of a ruleset.
    fn check<R: Tabled>(
        &self,
        ruleset: &Ruleset<R>,
        memory: u64,
        meter: &Meter,
    ) -> Result<Vec<Table>, Error> {
        let (folder, tell) = (&self.folder.tables, |event| tell(meter, event));
        let keeper = keeper(ruleset);
        let [values, bounds] = self.kinds(ruleset, &keeper);
        let mut tables = Vec::new();
        if values || !bounds {
            meter.say(&ruleset.table_key());
            let verified = verify::verify(ruleset, folder, memory, self.sample, &tell)?;
            tables.push(Table::new(ruleset.table_key(), None, verified));
        }
        if bounds {
            meter.say(&format!("bounds of {}", keeper.table_key()));
            let verified = verify::verify_bounds(&keeper, folder, memory, self.sample, &tell)?;
            tables.push(Table::new(keeper.table_key(), Some("bounds"), verified));
        }
        Ok(tables)
    }

    /// Whether there are values and bounds of a ruleset.
    fn kinds<R: Tabled>(&self, ruleset: &Ruleset<R>, keeper: &Ruleset<R>) -> [bool; 2] {
        let there = |ruleset: &Ruleset<R>, kind| {
            let layers = layers_of_kind(&self.folder.tables, &ruleset.table_key(), kind);
            layers.is_ok_and(|layers| !layers.is_empty())
        };
        let bounds = ValueKind::BOUNDS.iter().any(|&kind| there(keeper, kind));
        [there(ruleset, ValueKind::Exact), bounds]
    }

    /// The rulesets that have tables in the folder.
    fn rulesets(&self) -> Result<Vec<AnyRuleset>, Error> {
        let tables = &self.folder.tables;
        let mut rulesets = BTreeMap::new();
        for key in keys_in(tables)? {
            let mut empty = true;
            for kind in ValueKind::ALL {
                empty &= layers_of_kind(tables, &key, kind)?.is_empty();
            }
            if empty {
                continue;
            }
            let path = tables.join(folder_name(&key)).display().to_string();
            let ruleset = AnyRuleset::from_table_key(&key);
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
    /// What the values are, if they are not exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    layers: u32,
    /// Values recomputed.
    positions: u64,
}

impl Table {
    fn new(key: String, kind: Option<&'static str>, verified: Verified) -> Table {
        let Verified { most_stones, positions } = verified;
        Table { key, kind, layers: most_stones + 1, positions }
    }
}

impl Report for Right {
    const COLUMNS: &'static [&'static str] = &["key", "layers", "positions", "kind"];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |table: &Table| {
            let kind = table.kind.unwrap_or("exact").to_owned();
            let [layers, positions] = [table.layers.to_string(), table.positions.to_string()];
            vec![table.key.clone(), layers, positions, kind]
        };
        self.tables.iter().map(row).collect()
    }

    fn text(&self) -> String {
        let line = |table: &Table| {
            let Table { key, kind, layers, positions } = table;
            let kind = kind.map_or(String::new(), |kind| format!("{kind}, "));
            format!("{key}: {kind}{layers} layers, {positions} values recomputed, all right\n")
        };
        self.tables.iter().map(line).collect()
    }

    fn lines(&self) -> serde_json::Result<Vec<String>> {
        self.tables.iter().map(serde_json::to_string).collect()
    }
}
