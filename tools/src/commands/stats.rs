//! `mancala stats`: the positions of a layer by value.

use std::collections::BTreeMap;

use games::{AnyRuleset, Ruleset};
use serde::{Serialize, Serializer};
use tablebase::file::{FileError, LayerFile};
use tablebase::{BoundCounts, BoundTables, Counts, Interval, Tabled, Tables};

use crate::args::{Folder, Threads};
use crate::error::Error;
use crate::output::{Output, Report};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: `NAME[:PITSxSEEDS][,option=value]...`; stones a pit do not matter
    game: AnyRuleset,
    /// Stones on the board of the layer
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(..=i64::from(games::MAX_STONES)))]
    stones: u32,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        match &self.game {
            AnyRuleset::Sides(game) => self.run_with(game),
            AnyRuleset::Toguz(game) => self.run_with(game),
        }
    }

    fn run_with<R: Tabled>(&self, game: &Ruleset<R>) -> Result<(), Error> {
        let stones = self.stones;
        let bounds = match game.spec().cyclic {
            true => BoundTables::open(&self.folder.tables, game, stones)?,
            false => None,
        };
        let bounds = match bounds.as_ref().and_then(|tables| Some((tables, tables.layer(stones)?)))
        {
            Some((tables, files)) => {
                let count = |rules: &R| BoundCounts::of(rules, tables.index(), files);
                Some(self.count(game, &files, count)?)
            }
            None => None,
        };
        let stats = match (&bounds, game.has_values()) {
            (_, true) => self.of_values(game)?,
            (Some(bounds), false) => self.of_bounds(game, bounds),
            (None, false) => {
                let text = format!(
                    "under this rule of repetition positions have bounds of their value, and those \
                     of layer {stones} are not there; make them with: mancala build {} --stones \
                     {stones} --bounds --tables {}",
                    game,
                    self.folder.tables.display()
                );
                return Err(Error::Usage(text));
            }
        };
        let bounds = bounds.as_ref().map(Bounds::new);
        self.output.write(&Stats { bounds, ..stats })
    }

    /// Counts the positions of a layer, whose files are checked first.
    fn count<R: Tabled, T: Send>(
        &self,
        game: &Ruleset<R>,
        files: &[&LayerFile],
        count: impl FnOnce(&R) -> Result<T, FileError> + Send,
    ) -> Result<T, Error> {
        files.iter().try_for_each(|file| file.verify_checksums())?;
        let rules = game.rules();
        Ok(self.threads.pool()?.install(|| count(&rules))?)
    }

    fn of_values<R: Tabled>(&self, game: &Ruleset<R>) -> Result<Stats, Error> {
        let stones = self.stones;
        let tables = Tables::open(&self.folder.tables, game, stones)?;
        let most = tables.most_stones();
        let Some(file) = tables.layers().get(stones as usize) else {
            return Err(Error::NoLayer { key: game.table_key(), stones, most });
        };
        let counts = self.count(game, &[file], |rules| Counts::of(rules, tables.index(), file))?;
        let sum = |part: &dyn Fn(i32) -> bool| {
            counts.all().filter(|&(value, _)| part(value)).map(|(_, positions)| positions).sum()
        };
        Ok(Stats {
            game: game.to_string(),
            stones,
            positions: sum(&|_| true),
            wins: sum(&|value| value > 0),
            draws: sum(&|value| value == 0),
            losses: sum(&|value| value < 0),
            undecided: None,
            values: ByValue(counts.all().collect()),
            live: ByValue(counts.live().collect()),
            bounds: None,
        })
    }

    /// What bounds alone tell.
    fn of_bounds<R: Tabled>(&self, game: &Ruleset<R>, counts: &BoundCounts) -> Stats {
        let sum = |part: &dyn Fn(Interval) -> bool| {
            counts.all().filter(|&(bounds, ..)| part(bounds)).map(|(_, all, _)| all).sum::<u64>()
        };
        let exact =
            || counts.all().filter_map(|(bounds, all, live)| Some((bounds.value()?, all, live)));
        let positions = sum(&|_| true);
        let wins = sum(&|bounds| bounds.lower > 0);
        let draws = sum(&|bounds| bounds.value() == Some(0));
        let losses = sum(&|bounds| bounds.upper < 0);
        Stats {
            game: game.to_string(),
            stones: self.stones,
            positions,
            wins,
            draws,
            losses,
            undecided: Some(positions - wins - draws - losses),
            values: ByValue(exact().map(|(value, all, _)| (value, all)).collect()),
            live: ByValue(
                exact()
                    .map(|(value, _, live)| (value, live))
                    .filter(|&(_, live)| live > 0)
                    .collect(),
            ),
            bounds: None,
        }
    }
}

#[derive(Serialize)]
struct Stats {
    game: String,
    stones: u32,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Those of which the rule of repetition leaves open who wins, if there is such a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<u64>,
    /// All positions whose value is known, a finished one with its end value.
    values: ByValue,
    /// The positions where the game is not over.
    live: ByValue,
    /// What holds under every rule of repetition, if that is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Bounds>,
}

/// Positions by their bounds.
#[derive(Serialize)]
struct Bounds {
    /// Positions with the same value under every rule of repetition: their bounds meet.
    rule_independent: u64,
    /// Those of them where the game is not over.
    rule_independent_live: u64,
    /// Positions by the distance of their bounds.
    widths: ByValue,
    /// Positions by their bounds, `[lower, upper, all, live]`.
    intervals: Vec<(i32, i32, u64, u64)>,
}

impl Bounds {
    fn new(counts: &BoundCounts) -> Bounds {
        let meeting = || counts.all().filter(|(bounds, ..)| bounds.value().is_some());
        let mut widths = BTreeMap::new();
        for (Interval { lower, upper }, all, _) in counts.all() {
            *widths.entry(upper - lower).or_default() += all;
        }
        let pairs =
            counts.all().map(|(Interval { lower, upper }, all, live)| (lower, upper, all, live));
        Bounds {
            rule_independent: meeting().map(|(_, all, _)| all).sum(),
            rule_independent_live: meeting().map(|(_, _, live)| live).sum(),
            widths: ByValue(widths.into_iter().collect()),
            intervals: pairs.collect(),
        }
    }

    fn text(&self, positions: u64) -> String {
        let Bounds { rule_independent, rule_independent_live, widths, .. } = self;
        let share = 100.0 * *rule_independent as f64 / positions as f64;
        let mut text = format!(
            "\nthe same value under every rule of repetition: {rule_independent} ({share:.2} %), \
             {rule_independent_live} of them not over\n\nbounds apart by  positions\n"
        );
        for (width, positions) in &widths.0 {
            text += &format!("{width:>15}  {positions:>9}\n");
        }
        text
    }
}

/// Positions by value, from low to high.
struct ByValue(Vec<(i32, u64)>);

impl Serialize for ByValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

impl ByValue {
    fn of(&self, value: i32) -> u64 {
        self.0.iter().find(|&&(known, _)| known == value).map_or(0, |&(_, positions)| positions)
    }
}

impl Report for Stats {
    const COLUMNS: &'static [&'static str] = &["game", "stones", "value", "positions", "live"];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |&(value, positions): &(i32, u64)| {
            let numbers = [value.to_string(), positions.to_string()];
            let layer = [self.game.clone(), self.stones.to_string()];
            let live = self.live.of(value).to_string();
            layer.into_iter().chain(numbers).chain([live]).collect()
        };
        self.values.0.iter().map(row).collect()
    }

    fn text(&self) -> String {
        let Stats { game, stones, positions, wins, draws, losses, undecided, .. } = self;
        let mut text = format!("{game}\nlayer {stones}: {positions} positions\n\n");
        text += &format!("wins    {wins}\ndraws   {draws}\nlosses  {losses}\n");
        text += &undecided.map_or(String::new(), |open| format!("open    {open}\n"));
        text.push('\n');
        text += &format!("value  {:>16}  {:>16}\n", "positions", "not over");
        for &(value, positions) in &self.values.0 {
            text += &format!("{value:>5}  {positions:>16}  {:>16}\n", self.live.of(value));
        }
        text += &self.bounds.as_ref().map_or(String::new(), |bounds| bounds.text(*positions));
        text
    }
}
