//! `sudoku-batch rate --explain`.

mod explain;

use super::question::Ask;
use crate::driver::{self, Files};
use clap::{Arg, ArgAction, Command};
use explain::Explanation;
use std::process::ExitCode;

/// The command `rate` with the option that asks for steps in place of ratings.
pub(super) fn with_explain(command: Command) -> Command {
    if command.get_name() != "rate" {
        return command;
    }
    let explain = Arg::new("explain")
        .long("explain")
        .alias("steps")
        .conflicts_with("grade")
        .action(ArgAction::SetTrue)
        .help("Print the steps of each record in order, a row for each step, and why each holds");
    command.arg(explain)
}

/// Runs a question, or explains the steps of its records.
pub(super) fn run(ask: Ask, files: &Files) -> anyhow::Result<ExitCode> {
    if !ask.explain {
        return ask.run(files);
    }
    let (records, added) = (ask.records.clone(), ask.added.clone());
    let task = records.task().adding(&added);
    driver::run(files, &mut Explanation::new(&ask), &task)
}
