//! `sudoku-batch solve`.

use super::records::{RecordOptions, SolutionColumn, StatusColumn};
use sudoku_batch::{Engine, Level, solve::EngineError};

/// Solve puzzles, a line out for every record in.
///
/// A record is a line of 81 cells: digits for clues, any of . 0 * _ - ? x X for a blank. What follows
/// after a space, tab or any of , ; : # is ignored. Blank lines and lines that start with # are no
/// records.
///
/// Every record gives one line of 81 characters, in the order of the input: its solution, or 81 points
/// where there is none to give. So line i belongs to record i, and starts at byte 82 i.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Solve {
    /// Take as solved only puzzles with exactly one solution.
    #[arg(long)]
    pub(crate) unique: bool,

    /// Solve with one engine: auto, scalar or sliced.
    ///
    /// scalar solves one puzzle at a time, sliced hundreds; auto takes sliced for all but the smallest
    /// inputs.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = engine)]
    pub(crate) engine: Choice,

    /// Run the sliced engine at a level: avx512, avx2 or portable.
    ///
    /// The best one that the CPU has is the default; one that it lacks is an error.
    #[arg(long, value_name = "NAME")]
    pub(crate) level: Option<Level>,

    /// The column of solutions.
    #[command(flatten)]
    pub(crate) solution: SolutionColumn,

    /// The column of statuses.
    #[command(flatten)]
    pub(crate) status: StatusColumn,

    /// The records, and where the answers go.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

/// An engine, or none in particular.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice(pub(crate) Option<Engine>);

fn engine(name: &str) -> Result<Choice, String> {
    if name == "auto" {
        return Ok(Choice(None));
    }
    let error = |error: EngineError| format!("{error}; there is: auto, scalar, sliced");
    name.parse()
        .map(|engine| Choice(Some(engine)))
        .map_err(error)
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch solve puzzles.txt -o solved.txt
      Solve a file with all cores.
  sudoku-batch solve --unique puzzles.txt -o solved.txt --rejects bad.tsv
      Take only proper puzzles, and learn what is wrong with the others.
  zcat puzzles.gz | sudoku-batch solve -q | paste -d, <(zcat puzzles.gz) - > pairs.csv
      Work in a pipe: lines out match records in.
  sudoku-batch solve puzzles.txt -o /dev/null --summary json
      Only count.

Reasons why a record is not solved:
  malformed          not 81 cells: the column, and what stood there
  row-duplicate      a digit twice in a row: the digit and the two cells
  column-duplicate   the same in a column
  box-duplicate      the same in a box
  no-solution        no grid fits the clues
  multiple           more than one does (only with --unique)
The first ten are told on standard error, with their line numbers, then how many there are.

Exit status: 0 every record is solved; 1 some are not; 2 wrong usage, or a file that cannot be read
or written; 130 after Ctrl-C. When the reader of a pipe goes away (| head): 0.

A file that others write to while it is read is an error, and output files stay as they were. It must
not be cut short: that would end the process.";
