//! `mancala bench`: a fixed set of searches, for comparing their speed and their trees.

use std::time::Instant;

use games::{Position, Ruleset};
use serde::Serialize;
use solver::{Oracle, Search, SearchError, Status};
use tablebase::build::MemoryTables;

use crate::error::Error;
use crate::output::{Output, Report};

/// Memory of each search besides its tables: small enough that entries are replaced.
const MEMORY: u64 = 64 << 20;

/// One search: a start position over tables of a fixed size, and its right value.
struct Case {
    game: &'static str,
    stones: u32,
    value: i32,
}

const fn case(game: &'static str, stones: u32, value: i32) -> Case {
    Case { game, stones, value }
}

/// Values of Kalah are published ones (`data/oracles/values.json`), those of Mangala were found
/// over tables of several sizes. The tables are so small that searching takes longer than
/// building.
const CASES: &[Case] = &[
    case("kalah:4x4,capture=empty", 6, 2),
    case("kalah:5x4,capture=nonempty", 10, 10),
    case("kalah:6x3,capture=empty", 8, 2),
    case("kalah:6x3,capture=nonempty", 8, 2),
    case("kalah:6x4,capture=empty", 18, 10),
    case("kalah:8x2,capture=nonempty", 6, 0),
    case("mangala:3x4", 6, 6),
    case("mangala:4x5", 12, 10),
    case("mangala:5x4", 17, 4),
    case("mangala:6x2", 8, 2),
];

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let bench = Bench::run(CASES)?;
        self.output.write(&bench)?;
        match bench.searches.iter().filter(|search| !search.right).count() {
            0 => Ok(()),
            wrong => Err(Error::Bench { wrong, all: bench.searches.len() }),
        }
    }
}

/// All searches on one thread, so that their trees are always the same.
#[derive(Serialize)]
struct Bench {
    searches: Vec<Measured>,
    nodes: u64,
    /// A hash over the counts of all searches.
    signature: String,
    seconds: f64,
}

#[derive(Serialize)]
struct Measured {
    game: String,
    table_stones: u32,
    value: i32,
    right: bool,
    nodes: u64,
    probes: u64,
    /// Of the search alone.
    seconds: f64,
}

impl Case {
    fn measure(&self) -> Result<Measured, SearchError> {
        let game: Ruleset = self.game.parse().expect("the cases are rulesets");
        let none = MemoryTables::none(&game);
        let mut search = Search::new(&game, game.stones(), none, MEMORY, 1, ())?;
        let built = search.pool().install(|| MemoryTables::build(&game, self.stones, &|_| ()));
        search.exchange_tables(built?);
        let start = Instant::now();
        let value = search.value(Position::start(&game).board())?;
        let seconds = start.elapsed().as_secs_f64();
        let Status { nodes, probes } = search.status();
        let (table_stones, right) = (self.stones, value == self.value);
        Ok(Measured {
            game: self.game.to_owned(),
            table_stones,
            value,
            right,
            nodes,
            probes,
            seconds,
        })
    }
}

impl Bench {
    fn run(cases: &[Case]) -> Result<Bench, SearchError> {
        let searches = cases.iter().map(Case::measure).collect::<Result<Vec<_>, _>>()?;
        Ok(Bench {
            nodes: searches.iter().map(|search| search.nodes).sum(),
            signature: format!("{:016x}", signature(&searches)),
            seconds: searches.iter().map(|search| search.seconds).sum(),
            searches,
        })
    }
}

/// FNV-1a over the numbers that a change of a search tree changes.
fn signature(searches: &[Measured]) -> u64 {
    let numbers = searches.iter().flat_map(|search| [search.nodes, search.probes]);
    numbers.flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn per_second(count: u64, seconds: f64) -> f64 {
    count as f64 / seconds / 1e6
}

impl Report for Bench {
    const COLUMNS: &'static [&'static str] =
        &["game", "table_stones", "value", "right", "nodes", "probes", "seconds"];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |search: &Measured| {
            let Measured { game, table_stones, value, right, nodes, probes, seconds } = search;
            let numbers = [table_stones.to_string(), value.to_string(), right.to_string()];
            let counts = [nodes.to_string(), probes.to_string(), format!("{seconds:.6}")];
            [game.clone()].into_iter().chain(numbers).chain(counts).collect()
        };
        self.searches.iter().map(row).collect()
    }

    fn text(&self) -> String {
        let Bench { searches, nodes, signature, seconds } = self;
        let mut text = format!(
            "{:28} tables  value {:>11} {:>8} {:>13} {:>14}\n",
            "game", "nodes", "seconds", "M nodes / s", "M probes / s"
        );
        for Measured { game, table_stones, value, right, nodes, probes, seconds } in searches {
            let (speed, reads) = (per_second(*nodes, *seconds), per_second(*probes, *seconds));
            let wrong = if *right { "" } else { "  WRONG" };
            text += &format!(
                "{game:28} {table_stones:>6} {value:>6} {nodes:>11} {seconds:>8.2} {speed:>13.2} \
                 {reads:>14.2}{wrong}\n"
            );
        }
        let speed = per_second(*nodes, *seconds);
        text + &format!(
            "\n{nodes} nodes in {seconds:.2} s, {speed:.2} M a second\nsignature {signature}\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_right_and_trees_always_the_same() {
        let quick = |case: &&Case| case.game.parse::<Ruleset>().expect("a ruleset").stones() <= 32;
        let cases: Vec<Case> =
            CASES.iter().filter(quick).map(|c| case(c.game, c.stones, c.value)).collect();
        assert!(cases.len() >= 3);
        let [first, second] = [0; 2].map(|_| Bench::run(&cases).expect("memory for small tables"));
        assert!(first.searches.iter().all(|search| search.right), "{}", first.text());
        assert_eq!(first.signature, second.signature);
        let fewer = Bench::run(&cases[1..]).expect("memory for small tables");
        assert_ne!(first.signature, fewer.signature);
    }

    #[test]
    fn a_wrong_value_is_seen() {
        let wrong = Bench::run(&[case("kalah:4x2", 4, 5)]).expect("memory for small tables");
        assert!(!wrong.searches[0].right && wrong.text().contains("WRONG"));
    }
}
