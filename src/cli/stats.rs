//! `sudoku-batch stats`.

use super::records::RecordOptions;
use std::path::PathBuf;

/// Tell what is in a set of puzzles.
///
/// Statuses and numbers of clues of all records; of those with one solution, how many naked singles
/// solve, how many naked and hidden singles, how many guesses the reference search needs (the search
/// that docs/design.md defines, not that of an engine), and the ratings: the hardest step of each, as
/// rate gives it, up to 4.4 and above.
///
/// The bars go to the output, the counts to the summary: --summary json has all of them.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Stats {
    /// Write a page with the same to a file.
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,

    /// The records, and where the bars go.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch stats puzzles.csv
  sudoku-batch stats -q --summary json train.csv 2> train.json
      All counts as one JSON object: clues_24, guesses_2_to_3, rating_2_6, rating_over_4_4 and so on.
  sudoku-batch stats puzzles.csv --report puzzles.html

Exit status: 0 every record has exactly one solution; 1 not so; 2 wrong usage, or a file that cannot be
read or written; 130 after Ctrl-C.";
