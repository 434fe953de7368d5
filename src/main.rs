//! The command `sudoku-batch`: parse, run, exit status.

mod cli;
mod commands;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match commands::run(cli) {
        Ok(code) => code,
        Err(error) if commands::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            commands::say(format_args!("sudoku-batch: {error:#}"));
            ExitCode::from(2)
        }
    }
}
