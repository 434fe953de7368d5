//! One function per subcommand.

mod solve;

use crate::cli::{Cli, Command};
use std::process::ExitCode;

/// Runs the command. An error is for exit status 2.
pub(crate) fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Solve(options) => solve::run(&options),
    }
}
