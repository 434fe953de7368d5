//! `sudoku-batch psp`: the arguments of a course project.

use super::sequence::SequenceOptions;
use clap::error::ErrorKind;
use std::path::PathBuf;

/// Do what the well-known course project ("PSP" sudoku) asks of sudoku.exe.
///
/// Grids are nine lines of nine digits with a space between, and a blank line between grids. The file
/// appears whole or not at all, in the place of any that was there.
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = EXAMPLES,
    override_usage = "sudoku-batch psp [--out FILE] -c N [--student ID]\n       \
        sudoku-batch psp [--out FILE] -s PATH",
)]
pub(crate) struct Psp {
    /// Make so many solved grids, all different: 1 to 1000000.
    #[arg(short = 'c', value_name = "N", num_args = 0..=1, default_missing_value = "", allow_hyphen_values = true)]
    create: Option<String>,

    /// Solve the puzzles of a file, one solution each.
    ///
    /// A puzzle is nine lines of nine cells, with or without spaces between them; 0 or $ is a blank. A
    /// blank line ends a puzzle. Lines that start with # are left out.
    #[arg(short = 's', value_name = "PATH", num_args = 0..=1,
          conflicts_with_all = ["seed", "in_order", "first_digit", "student"])]
    solve: Option<Option<PathBuf>>,

    /// Where to write.
    #[arg(long, value_name = "FILE", default_value = "sudoku.txt")]
    pub(crate) out: PathBuf,

    /// Which grids -c makes.
    #[command(flatten)]
    pub(crate) sequence: SequenceOptions,

    /// Make so many puzzles (comes later).
    #[arg(short = 'n', value_name = "N", num_args = 0..=1, allow_hyphen_values = true)]
    puzzles: Option<Option<String>>,

    /// With -n: easy, medium or hard (comes later).
    #[arg(short = 'm', value_name = "1|2|3", num_args = 0..=1, allow_hyphen_values = true)]
    mode: Option<Option<String>>,

    /// With -n: how many blanks (comes later).
    #[arg(short = 'r', value_name = "L~U", num_args = 0..=1, allow_hyphen_values = true)]
    range: Option<Option<String>>,

    /// With -n: one solution only (comes later).
    #[arg(short = 'u')]
    unique: bool,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch psp -c 1000000
      A million grids to sudoku.txt.
  sudoku-batch psp -c 20 --student 2018301780
      With the first digit that belongs to a student: 9.
  sudoku-batch psp -s puzzles.txt --out solved.txt
      The solutions of a file of puzzles.

A puzzle without a solution, or a malformed one, gives nine lines of points, so that solutions line up
with puzzles. Standard error reports its line and what is wrong.

Exit status:
  0  all went well
  1  some puzzles are not solved
  2  wrong usage, or a file that cannot be read or written";

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task<'o> {
    /// Make so many grids.
    Create(u64),
    /// Solve a file.
    Solve(&'o PathBuf),
}

impl Psp {
    const MOST_GRIDS: u64 = 1_000_000;

    /// What is to be done, or an error that shows the usage.
    pub(crate) fn task(&self) -> Result<Task<'_>, clap::Error> {
        let later = [
            ("-n", self.puzzles.is_some()),
            ("-m", self.mode.is_some()),
            ("-r", self.range.is_some()),
            ("-u", self.unique),
        ];
        if let Some((flag, _)) = later.iter().find(|(_, given)| *given) {
            let message = format!("making puzzles ({flag}) comes in a later version");
            return Err(usage_error(ErrorKind::InvalidValue, message));
        }
        match (&self.create, &self.solve) {
            (Some(_), Some(_)) => Err(usage_error(
                ErrorKind::ArgumentConflict,
                "-c and -s cannot be used together".into(),
            )),
            (None, None) => Err(usage_error(
                ErrorKind::MissingRequiredArgument,
                "-c N or -s PATH is wanted".into(),
            )),
            (Some(number), None) => match number.parse() {
                Ok(number) if (1..=Self::MOST_GRIDS).contains(&number) => Ok(Task::Create(number)),
                _ => Err(usage_error(
                    ErrorKind::ValueValidation,
                    format!(
                        "-c wants a number from 1 to {}, not '{number}'",
                        Self::MOST_GRIDS
                    ),
                )),
            },
            (None, Some(None)) => Err(usage_error(
                ErrorKind::InvalidValue,
                "-s wants the path of a file".into(),
            )),
            (None, Some(Some(path))) => Ok(Task::Solve(path)),
        }
    }
}

fn usage_error(kind: ErrorKind, message: String) -> clap::Error {
    super::usage_error("psp", kind, message)
}
