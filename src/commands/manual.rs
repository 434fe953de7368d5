//! `sudoku-batch man` and `sudoku-batch completions`.

use super::print;
use crate::cli::Cli;
use anyhow::Context;
use clap::CommandFactory;
use std::process::ExitCode;

/// Prints the manual page of the program, or of one of its commands.
pub(crate) fn print_page(name: Option<&str>) -> anyhow::Result<ExitCode> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let command = match name {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .with_context(|| format!("there is no command `{name}`"))?
            .clone(),
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    print(page)
}

/// Prints the completions for a shell.
pub(crate) fn print_completions(shell: clap_complete::Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sudoku-batch", &mut script);
    print(script)
}
