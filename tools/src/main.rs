//! `mancala`: exact answers about sowing games on the command line.

#![forbid(unsafe_code)]

mod args;
mod claim;
mod cli;
mod commands;
mod draw;
mod endgame;
mod engine;
mod error;
mod input;
mod interrupt;
mod memory;
mod openings;
mod output;
mod progress;
mod report;
mod survey;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::error::Error;

fn main() -> ExitCode {
    interrupt::handle();
    match Cli::try_parse() {
        Ok(cli) => finish(cli.run()),
        Err(error) if error.use_stderr() => finish(Err(Error::Usage(cli::one_line(&error)))),
        // Help or version: a reader who has seen enough of it is no failure.
        Err(help) => {
            let _ = help.print();
            ExitCode::SUCCESS
        }
    }
}

fn finish(result: Result<(), Error>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell when stderr is closed.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
