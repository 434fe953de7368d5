//! The command `sudoku-batch`: parse, run, exit status.
//!
//! The package [`sudoku_batch`] has the engines and the questions, and [`sudoku_batch_driver`] has files and threads. This one has
//! options, the game on a terminal, and charts. It is a library so that its parts can be tested and fuzzed, and its
//! interface may change with any version. For your own programs take [`sudoku_batch`].

pub mod chart;
mod commands;
pub mod game;
pub mod lattice;
pub mod page;
#[cfg(feature = "tui")]
#[doc(hidden)]
pub mod saved;

use crate::driver::{report, summary};
use std::{env, panic, process::ExitCode};
#[cfg(not(test))]
#[doc(hidden)]
pub use sudoku_batch_driver::pipeline;
#[cfg(all(not(test), feature = "book"))]
use sudoku_batch_driver::print;
#[cfg(not(test))]
use sudoku_batch_driver::{driver, sets};

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

#[cfg(all(test, feature = "book"))]
pub(crate) use self::sources::print;
#[cfg(test)]
pub(crate) use self::sources::{driver, pipeline, sets};

// The tests of the driver and those of the commands use each other's: for them both packages are one.
#[cfg(test)]
#[doc(hidden)]
#[path = "../driver/src"]
pub mod sources {
    pub mod driver;
    pub mod pipeline;
    #[cfg(feature = "book")]
    pub mod print;
    pub mod sets;
}
