//! `sudoku-batch canonical`.

use super::records::{RecordOptions, StatusColumn};

/// Put puzzles and solved grids into canonical form.
///
/// Two records have the same form exactly if a symmetry turns one into the other: renamed digits,
/// reordered rows, columns, bands and stacks, transposition.
///
/// The form of a solved grid is the smallest of its 1,218,998,108,160 images, read as a number. The
/// symmetry that takes the solution of a puzzle to its form takes the puzzle to the form of the puzzle;
/// of several such symmetries, the one with the smallest image. So the form of a puzzle has its clues,
/// and the form of its solution as its solution. It is not `minlex`, the smallest image of the puzzle's
/// own 81 characters.
///
/// A record without exactly one solution has no form: its line has 81 points.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Canonical {
    /// Tell which operations lead to the form.
    ///
    /// `transpose/` if the grid is transposed; then rows=231456789: row 1 of the form is row 2 of the
    /// grid; the same for columns; digits=918273645: digit 1 becomes 9.
    #[arg(long)]
    pub(crate) transformation: bool,

    /// Tell how many symmetries map the record to itself, the identity among them: 1 for nearly all.
    #[arg(long)]
    pub(crate) automorphisms: bool,

    /// Check each form before it is written.
    ///
    /// A form is solved by the other engine, which costs about 1 to 30 µs: it must have one solution, and
    /// the digits of its record. With --transformation, the transformation is carried out too. A record
    /// without a form is solved again by the other engine. The first record that fails ends the command
    /// with exit status 2 and no output.
    #[arg(long)]
    pub(crate) verify: bool,

    /// The name of the column of forms.
    #[arg(long, value_name = "NAME", default_value = "canonical")]
    pub(crate) canonical_column: String,

    /// The name of the column of transformations.
    #[arg(long, value_name = "NAME", default_value = "transformation")]
    pub(crate) transformation_column: String,

    /// The name of the column of numbers of automorphisms.
    #[arg(long, value_name = "NAME", default_value = "automorphisms")]
    pub(crate) automorphisms_column: String,

    /// The column of statuses.
    #[command(flatten)]
    pub(crate) status: StatusColumn,

    /// The records, and where the answers go.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch canonical puzzles.txt | sort -u | wc -l
      How many puzzles are different up to symmetry (dedup is faster and keeps the order).
  sudoku-batch canonical --transformation --automorphisms puzzles.txt
      Form, transformation and automorphisms, with tabs between.
  sudoku-batch canonical puzzles.csv -o forms.csv
      The form in a column behind the others.

Exit status: 0 every record has a form; 1 some have none, or are malformed; 2 wrong usage, or a file that
cannot be read or written; 130 after Ctrl-C.";
