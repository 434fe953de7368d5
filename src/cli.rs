//! Flags to validated options. Touches no file.

pub(crate) mod solve;

use clap::{Parser, Subcommand};

/// Solve, check and make Sudoku in bulk.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The subcommands, each with its options in a file of its own.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Solve a file of puzzles.
    Solve(solve::Solve),
}
