//! One function per subcommand.

mod bench;
mod generate;
mod interrupt;
mod job;
mod manual;
mod progress;
mod psp;
mod rank;
mod solve;
mod summary;

use crate::cli::{Cli, Command};
use std::{
    fmt,
    io::{self, Write},
    process::ExitCode,
};

/// Runs the command. An error is for exit status 2, unless it is
/// [a closed pipe](is_closed_pipe).
pub(crate) fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Solve(options) => solve::run(&options),
        Command::Generate(options) => generate::run(&options),
        Command::Rank(options) => rank::run(&options),
        Command::Psp(options) => psp::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Man { page } => manual::print_page(page.as_deref()),
        Command::Completions { shell } => manual::print_completions(shell),
    }
}

/// Whether the reader of our output went away (`| head`): it has what it
/// wanted, and nothing is wrong.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Says something on standard error. Nobody may be listening, which is no
/// reason to stop.
pub(crate) fn say(message: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{message}");
}
