//! `sudoku-batch solve`.

use std::path::PathBuf;

/// Solve a file of puzzles, one of 81 characters a line.
#[derive(Debug, clap::Args)]
pub(crate) struct Solve {
    /// The puzzles; `-` is standard input.
    #[arg(default_value = "-")]
    pub(crate) input: PathBuf,
}
