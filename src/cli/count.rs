//! `sudoku-batch count`.

use super::records::{RecordOptions, StatusColumn};

/// Count the solutions of puzzles.
///
/// Every record gives one line: the number of its solutions, in the order of the input. A `+` behind a
/// number says that there are more. In a table the number goes into the column solution_count.
///
/// All threads share the work on a record that has very many.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Count {
    /// Count up to this many solutions of a record; 0 is all of them.
    ///
    /// A sparse puzzle may have more than anyone can count: the empty grid has 6.67 * 10^21.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) limit: u64,

    /// The name of the column of numbers.
    #[arg(long, value_name = "NAME", default_value = "solution_count")]
    pub(crate) solution_count_column: String,

    /// The column of statuses.
    #[command(flatten)]
    pub(crate) status: StatusColumn,

    /// The records, and where the answers go.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch count puzzles.txt
      1, 0, 2 or 1000000+: a number for each line.
  sudoku-batch count --limit 2 puzzles.csv -o counted.csv
      Only tell none, one, two and more (2+) apart, in a column behind the others.
  sudoku-batch count --limit 0 sparse.txt --summary json
      All solutions, however many.

Status of a record: unique, multiple, no-solution, malformed, row-duplicate, column-duplicate or
box-duplicate. A malformed record has no number.

Exit status: 0 every record could be counted; 1 some are malformed; 2 wrong usage, or a file that cannot
be read or written; 130 after Ctrl-C.";
