//! `sudoku-batch rank`.

use super::{
    records::{RecordOptions, StatusColumn},
    sequence::SequenceOptions,
};

/// Number solved grids: the inverse of generate.
///
/// Every record is a solved grid. It gets the number of its grid in the sequence, counted from 0. In the
/// form `line`, the output has one line for each record, in the order of the input: the number, or
/// `unknown`. A grid is unknown when it is not an image of any of the 256 base grids, or when its first
/// digit is not the one that is fixed.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Rank {
    /// The sequence.
    #[command(flatten)]
    pub(crate) sequence: SequenceOptions,

    /// Check each number before it is written: make the grid of that number again.
    ///
    /// It must be the grid of the record. This costs about 100 ns a record. The first record that fails
    /// ends the command with exit status 2 and no output.
    #[arg(long)]
    pub(crate) verify: bool,

    /// The name of the column, or key, for the number of each grid.
    #[arg(long, value_name = "NAME", default_value = "index")]
    pub(crate) index_column: String,

    /// The name of the column of statuses.
    #[command(flatten)]
    pub(crate) status: StatusColumn,

    /// The grids, and where their numbers go.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch generate 1M --seed 7 | sudoku-batch rank --seed 7 | sort -n | uniq -d
      No grid comes twice: no number is printed.
  sudoku-batch rank --in-order grids.txt -o indices.txt
  sudoku-batch rank solved.csv --column solution -o numbered.csv
      The table with two more columns, index and status.

The status of a valid grid is `unique`, whether it is known or not. A record that is no grid (it has not
81 digits, or a digit twice in a row, column or box) is unknown too. Standard error reports the first ten
of them.

Exit status:
  0  every grid has a number, or the reader of the output stopped reading
     (| head)
  1  some have none
  2  wrong usage, or a file that cannot be read or written";
