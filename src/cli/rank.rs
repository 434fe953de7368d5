//! `sudoku-batch rank`.

use super::{output::OutputOptions, sequence::SequenceOptions};
use std::path::PathBuf;

/// Number solved grids: the inverse of generate.
///
/// Every record, a line of 81 digits, gives one line, in the order of the input: the number of its grid
/// in the sequence, counted from 0, or `unknown`. A grid is unknown when it is not an image of any of the
/// 256 base grids, or when its first digit is not the one that is fixed.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Rank {
    /// The grids; `-` is standard input.
    #[arg(default_value = "-")]
    pub(crate) input: PathBuf,

    /// The sequence.
    #[command(flatten)]
    pub(crate) sequence: SequenceOptions,

    /// Where the numbers go.
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch generate 1M --seed 7 | sudoku-batch rank --seed 7 | sort -n | uniq -d
      No grid comes twice: no number is printed.
  sudoku-batch rank --in-order grids.txt -o indices.txt

A record that is no grid (it has not 81 digits, or a digit twice in a row, column or box) is unknown
too. Standard error reports the first ten of them.

Exit status:
  0  every grid has a number, or the reader of the output stopped reading
     (| head)
  1  some have none
  2  wrong usage, or a file that cannot be read or written";
