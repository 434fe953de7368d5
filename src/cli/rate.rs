//! `sudoku-batch rate`.

use super::records::{RecordOptions, StatusColumn};
use sudoku_batch::Level;

/// Rate puzzles by the techniques that a person needs.
///
/// The ratings are those of Sudoku Explainer 1.2.1: ER is the hardest step of a solution that always
/// takes the easiest step, EP the hardest step up to the first digit that is placed, ED the first step.
/// They are exact up to 4.4. What is harder is told as >4.4.
///
/// In lines, every record gives its 81 cells and ER/EP/ED. In the other forms the columns er, ep, ed,
/// guesses and status are added.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Rate {
    /// Add a word for the ER: gentle, moderate, tricky, tough, fierce or diabolical.
    #[arg(long)]
    pub(crate) grade: bool,

    /// Tell the steps of each record in order, a row for each step, and why each holds.
    #[arg(long, conflicts_with = "grade")]
    pub(crate) explain: bool,

    /// Rate at a level: avx512, avx2 or portable.
    ///
    /// The best one that the CPU has is the default; one that it lacks is an error. The ratings are the
    /// same at every level.
    #[arg(long, value_name = "NAME")]
    pub(crate) level: Option<Level>,

    /// The column of statuses.
    #[command(flatten)]
    pub(crate) status: StatusColumn,

    /// The records, and where the answers go.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch rate puzzles.txt -o ratings.txt
      Rate a file with all cores: a line `puzzle ER/EP/ED` for each record.
  sudoku-batch rate --grade puzzles.csv -o graded.csv
      Add the columns er, ep, ed, guesses, grade and status.
  sudoku-batch rate --explain puzzle.txt
      Tell the steps of a solution in words.
  sudoku-batch rate --explain --format jsonl puzzle.txt
      The same for programs: an object for each step.

Techniques and their ratings:
  1.0       last cell of a house
  1.2, 1.5  hidden single in a box, in a row or column
  1.7, 1.9  direct pointing, direct claiming
  2.0       direct hidden pair
  2.3       naked single
  2.5       direct hidden triplet
  2.6, 2.8  pointing, claiming
  3.0-3.4   naked pair, X-wing, hidden pair
  3.6-4.0   naked triplet, swordfish, hidden triplet
  4.2, 4.4  XY-wing, XYZ-wing

Grades:
  gentle      ER up to 1.2
  moderate    1.5 to 2.0
  tricky      2.3 to 2.8
  tough       3.0 to 3.4
  fierce      3.6 to 4.4
  diabolical  more than 4.4

guesses is how many guesses the reference search needs for a puzzle over 4.4: a measure of its own for
those. The forms csv, tsv and jsonl have it.

Statuses: unique, and for what has no rating: multiple, no-solution, row-duplicate, column-duplicate,
box-duplicate, malformed. In lines, such a record gives its status in place of the ratings.

Exit status: 0 every record is rated; 1 some are not; 2 wrong usage, or a file that cannot be read or
written; 130 after Ctrl-C.";
