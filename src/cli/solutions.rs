//! `sudoku-batch solutions`.

use super::records::{RecordOptions, SolutionColumn, StatusColumn};

/// List the solutions of puzzles.
///
/// Every solution of a record gives one line: the number of the record, from 1, a tab and the solution.
/// The solutions of a record come in lexicographic order. A record without a solution gives no line.
///
/// In a table a record is repeated for each of its solutions, with the columns solution, record and
/// status; a record without a solution stands there once, with an empty solution.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Solutions {
    /// List up to this many solutions of a record, the first ones; 0 is all of them.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) limit: u64,

    /// Check each solution before it is written.
    ///
    /// It must be a grid, have the clues of its own record, and come after the solution before it.
    /// This costs about 20 ns a solution. A record without a solution is solved again by the other
    /// engine. The first record that fails ends the command with exit status 2 and no output.
    #[arg(long)]
    pub(crate) verify: bool,

    /// The column of solutions.
    #[command(flatten)]
    pub(crate) solution: SolutionColumn,

    /// The name of the column of the numbers of records.
    #[arg(long, value_name = "NAME", default_value = "record")]
    pub(crate) record_column: String,

    /// The column of statuses.
    #[command(flatten)]
    pub(crate) status: StatusColumn,

    /// The records, and where the answers go.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch solutions puzzles.txt
      The solutions of all records, up to 1000 of each.
  sudoku-batch solutions --limit 2 puzzles.txt | cut -f 1 | uniq -d
      The numbers of the puzzles that have more than one solution.
  sudoku-batch solutions --limit 0 few-clues.txt -o all.txt
      All of them. They are kept in memory until a batch of records is done.

The summary tells how many records have more solutions than were listed.

Exit status: 0 every record has a solution; 1 some have none, or are malformed; 2 wrong usage, or a file
that cannot be read or written; 130 after Ctrl-C.";
