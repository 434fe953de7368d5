//! The command `sudoku-batch`: parse, run, exit status.

mod cli;
mod commands;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match cli::Cli::try_parse() {
        Ok(cli) => commands::run(cli),
        Err(message) => commands::tell(&message),
    };
    match done {
        Ok(code) => code,
        Err(error) if commands::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            commands::say(format_args!("sudoku-batch: {error:#}"));
            ExitCode::from(2)
        }
    }
}
