//! The command `sudoku-batch`: parse, run, exit status.

mod commands;
mod driver;

use driver::report;
use std::{env, panic, process::ExitCode};
use sudoku_batch::pipeline::memory::Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

/// The exit status of an error.
const FAILURE: u8 = 2;

fn main() -> ExitCode {
    report::report_panics();
    panic::catch_unwind(run).unwrap_or(FAILURE.into())
}

fn run() -> ExitCode {
    let done = match commands::Program::parse(env::args_os()) {
        Ok(program) => program.run(),
        Err(message) => report::print_clap(&message),
    };
    match done {
        Ok(code) => code,
        Err(error) if report::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report::say(format_args!("sudoku-batch: {error:#}"));
            FAILURE.into()
        }
    }
}
