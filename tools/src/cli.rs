//! The commands, and how a wrong command line is told.

use clap::{Parser, Subcommand};

use crate::commands::{
    bench, build, export, games, games_stats, line, openings, pack, perft, query, report, show,
    solve, stats, survey, verify,
};
use crate::error::Error;

/// Version and commit of the program.
pub(crate) const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("MANCALA_COMMIT"), ")");

/// The command as it was given, without the folder of the program.
pub(crate) fn command() -> String {
    std::env::args().skip(1).fold("mancala".to_owned(), |line, word| match word.contains(' ') {
        true => format!("{line} \"{word}\""),
        false => format!("{line} {word}"),
    })
}

/// Exact answers about sowing games.
///
/// GAME is `NAME[:PITSxSEEDS][,option=value]...`, for example kalah:6x4,capture=empty;
/// `mancala games` lists names and options. POSITION is South's pits, North's pits (each from
/// their owner's left), South's and North's store and the player to move, for example
/// 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S.
#[derive(Parser)]
#[command(name = "mancala", version = VERSION, arg_required_else_help = false)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the games with their options and sources
    Games(games::Args),
    /// Draw the board
    Show(show::Args),
    /// Count sowings ply by ply
    Perft(perft::Args),
    /// Find the exact value, the value of each sowing and a best line
    Solve(solve::Args),
    /// Solve many boards, every first turn of each, into one file
    Survey(survey::Args),
    /// Judge every turn of a line against the best
    Line(line::Args),
    /// Solve the tree of the first turns: every turn, its best replies, only moves
    Openings(openings::Args),
    /// Build tables of all positions of up to N stones, or continue an interrupted build
    Build(build::Args),
    /// Check tables: checksums, and every value against its successors
    Verify(verify::Args),
    /// Count the positions of a layer by value
    Stats(stats::Args),
    /// Compress tables
    Pack(pack::Pack),
    /// Turn compressed tables into such that search can use in place
    Unpack(pack::Unpack),
    /// Write tables in the forms of other programs
    Export(export::Args),
    /// Find exact values of many positions, from tables and by search
    Query(query::Args),
    /// Write the studies as pages, Markdown, CSV and JSON
    Report(report::Args),
    /// Replay recorded games and count how their openings score
    GamesStats(games_stats::Args),
    /// Run a fixed set of searches: their speed, and a signature of the search trees
    Bench(bench::Args),
}

impl Cli {
    pub(crate) fn run(&self) -> Result<(), Error> {
        match &self.command {
            Command::Games(args) => args.run(),
            Command::Show(args) => args.run(),
            Command::Perft(args) => args.run(),
            Command::Solve(args) => args.run(),
            Command::Survey(args) => args.run(),
            Command::Line(args) => args.run(),
            Command::Openings(args) => args.run(),
            Command::Build(args) => args.run(),
            Command::Verify(args) => args.run(),
            Command::Stats(args) => args.run(),
            Command::Pack(args) => args.run(),
            Command::Unpack(args) => args.run(),
            Command::Export(args) => args.run(),
            Command::Query(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::GamesStats(args) => args.run(),
            Command::Bench(args) => args.run(),
        }
    }
}

/// What clap has to say, in one line: the error itself and its tip.
pub(crate) fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        words.join(" ")
    });
    let told: Vec<String> = paragraphs
        .filter(|paragraph| paragraph.starts_with("error:") || paragraph.starts_with("tip:"))
        .collect();
    let line = told.join("; ");
    format!("{}; see `mancala --help`", line.trim_start_matches("error: "))
}
