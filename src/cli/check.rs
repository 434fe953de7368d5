//! `sudoku-batch check`.

use super::records::{RecordOptions, StatusColumn};
use std::path::PathBuf;
use sudoku_batch::Digit;

/// Check puzzles, answers to puzzles, and solved grids.
///
/// A puzzle is right if it has exactly one solution. The summary counts the statuses. With an output (-o
/// FILE) or with --rows, every record gives a row: its status and the number of its clues.
///
/// --answers or --answer-column compares given answers with the solutions. --grids checks solved grids.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Check {
    /// Check that no clue can be left out, and count those that can.
    #[arg(long, conflicts_with = "grids")]
    pub(crate) minimal: bool,

    /// Compare with the answers in this file: answer i belongs to record i.
    #[arg(long, value_name = "FILE", conflicts_with = "grids")]
    pub(crate) answers: Option<PathBuf>,

    /// The column of answers: of the records, or of the file that --answers names.
    #[arg(long, value_name = "NAME|N", conflicts_with = "grids")]
    pub(crate) answer_column: Option<String>,

    /// Check solved grids: 81 digits, each once in every row, column and box.
    #[arg(long)]
    pub(crate) grids: bool,

    /// Check that the first cell of each grid holds this digit.
    #[arg(long, value_name = "D", requires = "grids", value_parser = digit)]
    pub(crate) first_digit: Option<Digit>,

    /// Check that no two grids are equal.
    #[arg(long, requires = "grids")]
    pub(crate) distinct: bool,

    /// Print a row for each record. An output file has one in any case.
    #[arg(long)]
    pub(crate) rows: bool,

    /// The column of statuses.
    #[command(flatten)]
    pub(crate) status: StatusColumn,

    /// The records, and where the rows go.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

fn digit(text: &str) -> Result<Digit, String> {
    let digit = text.parse().ok().and_then(Digit::new);
    digit.ok_or_else(|| "a digit from 1 to 9".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch check puzzles.csv
      How many puzzles have one solution, several, none; the first ten that are wrong.
  sudoku-batch check --minimal puzzles.txt -o checked.tsv --format tsv
      Status, number of clues and of redundant clues of every puzzle.
  sudoku-batch check test.csv --answers predictions.txt
      How many grids a model has right, and its accuracy on blank cells and on all cells.
  sudoku-batch check pairs.csv --answer-column solution --summary json
      Whether the solutions of a data set are right.
  sudoku-batch check --grids --distinct --first-digit 7 grids.txt
      A million grids of an assignment: valid, all different, all with a 7 in the corner.

Columns of a row: status, clue_count; redundant_clues (--minimal); answer_right, wrong_cells (blank cells
of the puzzle that the answer does not have right) and changed_clues (--answers, --answer-column). With
--grids: status, first_digit_right (--first-digit), repeats (--distinct: the number of the first record that
is equal). Rows of the form line have tabs between.

An answer is right if it is the solution, or any of several. Accuracies are those of records with one
solution: on blank cells (cells that the puzzle leaves blank) and on all cells. An answer that is missing
or malformed has no cell right.

Exit status: 0 every record has exactly one solution, and all that was asked for holds; 1 not so; 2 wrong
usage, or a file that cannot be read or written; 130 after Ctrl-C.";
