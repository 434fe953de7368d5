//! `sudoku-batch solve`.

use crate::cli::solve::Solve;
use std::process::ExitCode;

/// Solves a file.
pub(crate) fn run(options: &Solve) -> anyhow::Result<ExitCode> {
    anyhow::bail!("cannot read {} yet", options.input.display())
}
