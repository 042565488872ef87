//! `mancala games-stats`: recorded games replayed, and how their openings score.

mod count;
mod date;
mod filter;
mod judge;
mod report;
pub(crate) mod stats;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use games::{AnyRuleset, Playable, Ruleset};

use self::count::Counter;
use self::filter::Filter;
use self::judge::Judge;
use self::stats::GamesStats;
use crate::args::Threads;
use crate::error::Error;
use crate::input;
use crate::output::Output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: `NAME[:PITSxSEEDS][,option=value]...`
    game: AnyRuleset,
    /// Files of game records, also packed by gzip or zstd; - is standard input [default: -]
    files: Vec<PathBuf>,
    /// Turns of the opening tree
    #[arg(long, value_name = "K", allow_negative_numbers = true, default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(0..=32))]
    turns: u32,
    #[command(flatten)]
    filter: Filter,
    /// Add to what an earlier run wrote as JSON
    #[arg(long, value_name = "FILE")]
    merge: Option<PathBuf>,
    /// Count every record, also one that was there before; saves 20 to 40 bytes a game
    #[arg(long)]
    keep_duplicates: bool,
    #[command(flatten)]
    threads: Threads,
    /// Do not list bad records on standard error
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        match &self.game {
            AnyRuleset::Sides(ruleset) => self.run_with(ruleset),
            AnyRuleset::Toguz(ruleset) => self.run_with(ruleset),
        }
    }

    fn run_with<R: Playable>(&self, ruleset: &Ruleset<R>) -> Result<(), Error> {
        self.output.spare(&self.files)?;
        let empty = GamesStats::new(ruleset.to_string(), self.filter.clone(), self.turns);
        let kept = self.merge.as_deref().map(|path| {
            let kept = GamesStats::kept(path, &empty);
            kept.map_err(|reason| Error::Merge { path: path.to_owned(), reason })
        });
        let rules = ruleset.rules();
        let judge = Judge::new(ruleset, &rules, &self.filter, self.turns);
        let kept = kept.transpose()?;
        let pool = self.threads.pool()?;
        let mut counter = Counter::new(empty, self.keep_duplicates);
        let stdin = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &stdin } else { self.files.as_slice() };
        for path in files {
            let failed = |reason| Error::Input { name: name(path), reason };
            let input = input::open(path).map_err(failed)?;
            pool.install(|| counter.read(input, &name(path), &judge));
        }
        let mut stats = counter.finish();
        let (illegal, mismatches, games) = (stats.illegal_count, stats.mismatch_count, stats.games);
        self.tell(&stats);
        if let Some(kept) = kept {
            stats.add(kept);
        }
        stats.settle();
        self.output.write(&stats)?;
        if illegal + mismatches > 0 {
            return Err(Error::Records { illegal, mismatches, games });
        }
        Ok(())
    }

    fn tell(&self, stats: &GamesStats) {
        if !self.quiet {
            let mut stderr = io::stderr().lock();
            for complaint in stats.illegal.iter().chain(&stats.mismatches) {
                // Nobody is left to tell when stderr is closed.
                let _ = writeln!(stderr, "error: {complaint}");
            }
        }
    }
}

fn name(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}
