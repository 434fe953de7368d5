//! `sudoku-batch solve`.

use super::{
    engines::{AUTO, Choice, engine, level},
    records::{RecordOptions, SolutionColumn, StatusColumn},
    usage_error,
};
use clap::error::ErrorKind;
use sudoku_batch::{Engine, Level};

/// Solve puzzles: lines, tables, JSON lines, blocks.
///
/// The command detects the form of the input, and the output has the same form. For a line it gives
/// a line of 81 digits, the solution, or 81 points if there is none. A table keeps its columns and
/// gets two more, solution and status. JSON lines get the same two as keys. Every record gets an
/// answer, in the order of the input.
///
/// A cell is a digit for a clue, or any of . 0 * _ - ? x X for a blank. docs/files.md shows every form.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Solve {
    /// Count a puzzle as solved only if it has exactly one solution.
    #[arg(long)]
    pub(crate) unique: bool,

    /// Give up on puzzles that need more guesses than N.
    ///
    /// The reference search (docs/design.md) counts the guesses of every puzzle and answers it, so
    /// the same puzzles are given up at any level, with any engine and beside any neighbours. Such
    /// a record has the reason gave-up. An ordinary puzzle needs no more than a few dozen guesses.
    #[arg(long, value_name = "N")]
    pub(crate) max_guesses: Option<u64>,

    /// Solve with one engine.
    ///
    /// scalar solves one puzzle at a time. sliced solves hundreds at a time. auto uses sliced for
    /// all but the smallest inputs.
    #[arg(long, value_name = "NAME", default_value = AUTO, value_parser = engine())]
    pub(crate) engine: Choice,

    /// Run the sliced engine at this level (instruction set).
    ///
    /// The default is the best level that the CPU has. A level that the CPU lacks is an error.
    #[arg(long, value_name = "NAME", value_parser = level())]
    pub(crate) level: Option<Level>,

    /// Check each record before it is written, on another way than it was solved.
    ///
    /// A solution must be a grid, and have the clues of its own record. This is read from the 81
    /// characters that are about to be written, and costs about 20 ns a record. A record without a
    /// solution is solved again by the other engine, which costs about 1 to 30 µs. The first record
    /// that fails ends the command with exit status 2 and no output.
    #[arg(long)]
    pub(crate) verify: bool,

    /// The name of the column of solutions.
    #[command(flatten)]
    pub(crate) solution: SolutionColumn,

    /// The name of the column of statuses.
    #[command(flatten)]
    pub(crate) status: StatusColumn,

    /// The records, and where the answers go.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

impl Solve {
    /// Refuses options that have no effect beside the others.
    pub(crate) fn check(&self) -> Result<(), clap::Error> {
        match (self.engine.0, self.level) {
            (Some(Engine::Scalar), Some(_)) => Err(usage_error(
                "solve",
                ErrorKind::ArgumentConflict,
                "--level has no effect on the scalar engine".into(),
            )),
            _ => Ok(()),
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch solve puzzles.txt -o solved.txt
      Solve a file with all cores.
  sudoku-batch solve --unique puzzles.txt -o solved.txt --rejects bad.tsv
      Take only proper puzzles, and learn what is wrong with the others.
  sudoku-batch solve sudoku.csv -o solved.csv
      Solve a table: each row gets its solution and its status.
  sudoku-batch solve train.csv.gz --column question --replace -o train.csv.zst
      Name the column of the puzzles, and write into a column solution that is there.
  sudoku-batch solve -q < puzzles.txt | paste -d, puzzles.txt - > pairs.csv
      Work in a pipe: lines out match records in.
  sudoku-batch solve --max-guesses 10000 crawled.txt -o solved.txt
      Bound the time that a single record can take.
  sudoku-batch solve puzzles.txt -o /dev/null --summary json
      Only count.
  sudoku-batch solve 4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8
      One puzzle: an argument of 81 cells that names no file.

Reasons why a record is not solved:
  malformed          not 81 cells: the column, and what stood there
  row-duplicate      a digit twice in a row: the digit and the two cells
  column-duplicate   the same in a column
  box-duplicate      the same in a box
  no-solution        no grid fits the clues
  multiple           more than one does (only with --unique)
  gave-up            it needs more guesses than --max-guesses allows
The first ten are told on standard error, with their line numbers, then how many there are.

Exit status:
  0  every record is solved, or the reader of the output stopped reading
     (| head)
  1  some records are not solved
  2  wrong usage, or a file that cannot be read or written
After Ctrl-C a shell shows 130, and after SIGTERM 143: the process dies of the signal.

Do not write to an input file while it is read. If another program does, that is an error, and output
files stay as they were.";
