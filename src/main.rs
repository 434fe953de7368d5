//! The command `sudoku-batch`: parse, run, exit status.

mod cli;
mod commands;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match commands::run(cli) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("sudoku-batch: {error:#}");
            ExitCode::from(2)
        }
    }
}
