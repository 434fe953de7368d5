//! `sudoku-batch convert`.

use super::records::RecordOptions;

/// Turn records from one form into another.
///
/// Nothing is solved. A table keeps its columns, JSON lines their keys; lines and blocks become a column
/// or a key `puzzle`. In lines, blocks and grids only the cells are left.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Convert {
    /// The records, and where they go.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch convert puzzles.csv --format line -o puzzles.txt
      Only the puzzles of a table, a line each.
  sudoku-batch convert sudoku.txt --format jsonl
      Blocks of nine lines to JSON lines.
  sudoku-batch convert train.csv.gz --column question --format pretty | less
      Look at the puzzles of a compressed table.
  sudoku-batch convert puzzles.jsonl --format csv -o puzzles.csv.zst
      JSON lines to a compressed table: the keys of the first object are its columns.

A malformed record keeps its place: its text stands in the column of the puzzle, or on its line; in blocks
and grids it is 81 points. It is told on standard error.

Exit status: 0 all went well; 1 some records are malformed; 2 wrong usage, or a file that cannot be read
or written.";
