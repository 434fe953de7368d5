//! The command `sudoku-batch`: parse, run, exit status.

mod cli;
mod commands;

use std::{panic, process::ExitCode};
use sudoku_batch::pipeline::memory::Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

/// The exit status of an error.
const FAILURE: u8 = 2;

fn main() -> ExitCode {
    commands::tell_of_panics();
    panic::catch_unwind(run).unwrap_or(FAILURE.into())
}

fn run() -> ExitCode {
    let done = match cli::Cli::of_arguments() {
        Ok(cli) => commands::run(cli),
        Err(message) => commands::tell(&message),
    };
    match done {
        Ok(code) => code,
        Err(error) if commands::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            commands::say(format_args!("sudoku-batch: {error:#}"));
            FAILURE.into()
        }
    }
}
