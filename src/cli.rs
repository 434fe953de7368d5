//! Flags to validated options. Touches no file.

pub(crate) mod bench;
pub(crate) mod engines;
pub(crate) mod generate;
pub(crate) mod output;
pub(crate) mod psp;
pub(crate) mod puzzles;
pub(crate) mod rank;
pub(crate) mod records;
pub(crate) mod sequence;
pub(crate) mod solve;

use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};

/// Solve, check and make Sudoku in bulk.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch solve puzzles.txt -o solved.txt    a line out for every record in
  sudoku-batch generate 10M -o grids.txt          ten million grids, all different
  sudoku-batch puzzles 1M -o puzzles.txt          a million minimal puzzles
  sudoku-batch bench                              how fast this machine solves
  sudoku-batch help solve                         all about one command

Exit status: 0 all went well; 1 some records did not; 2 wrong usage, or a file
that cannot be read or written; 130 after Ctrl-C.";

/// The subcommands, each with its options in a file of its own.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Solve(solve::Solve),
    Generate(generate::Generate),
    Puzzles(puzzles::Puzzles),
    Rank(rank::Rank),
    Psp(psp::Psp),
    Bench(bench::Bench),
    /// Print the manual page of the program or of one command.
    ///
    /// For example: sudoku-batch man solve | man -l -
    Man {
        /// The command.
        #[arg(value_name = "COMMAND")]
        page: Option<String>,
    },
    /// Print the completions for a shell.
    ///
    /// For example: sudoku-batch completions bash > ~/.local/share/bash-completion/completions/sudoku-batch
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// A wrong use of the flags of a command, as clap prints it, with the usage of the command.
pub(crate) fn usage_error(command: &str, kind: ErrorKind, message: String) -> clap::Error {
    let mut program = Cli::command();
    program.build();
    let command = program.find_subcommand_mut(command);
    command.expect("the command is there").error(kind, message)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_flags_fit_together() {
        super::Cli::command().debug_assert();
    }
}
