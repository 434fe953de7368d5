//! The command `sudoku-batch`: parse, run, exit status.
//!
//! The package [`sudoku_batch`] has the engines and the questions. This one has files, threads, options,
//! the game on a terminal, and charts. It is a library so that its parts can be tested and fuzzed, and its
//! interface may change with any version. For your own programs take [`sudoku_batch`].

pub mod chart;
mod commands;
mod driver;
pub mod game;
pub mod lattice;
pub mod page;
#[doc(hidden)]
pub mod pipeline;
#[cfg(feature = "book")]
mod print;
#[cfg(feature = "tui")]
#[doc(hidden)]
pub mod saved;

use crate::{
    driver::{report, summary},
    pipeline::memory::Memory,
};
use std::{env, panic, process::ExitCode};

#[global_allocator]
static MEMORY: Memory = Memory;

/// The exit status of an error.
const FAILURE: u8 = 2;

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    summary::started();
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

/// Makes up a command line from bytes, and reads it: the fuzzer of options.
#[cfg(fuzzing)]
#[doc(hidden)]
pub fn fuzz_options(data: &[u8]) {
    commands::options_fuzzer::run(data);
}
