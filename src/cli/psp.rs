//! `sudoku-batch psp`: the arguments of a course project.

use super::sequence::SequenceOptions;
use clap::error::ErrorKind;
use std::{ops::RangeInclusive, path::PathBuf};
use sudoku_batch::{
    grid::CELLS,
    puzzle::{Difficulty, Recipe},
};

/// Do what the well-known course project ("PSP" sudoku) asks of sudoku.exe.
///
/// Grids are nine lines of nine digits with a space between, and a blank line between grids. The file
/// appears whole or not at all, in the place of any that was there.
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = EXAMPLES,
    override_usage = "sudoku-batch psp [--out FILE] -c N [--student ID]\n       \
        sudoku-batch psp [--out FILE] -s PATH\n       \
        sudoku-batch psp [--out FILE] -n N [-m 1|2|3] [-r L~U] [-u]",
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

    /// Check each grid, solution or puzzle before it is written, as `generate`, `solve` and `puzzles`
    /// do.
    #[arg(long)]
    pub(crate) verify: bool,

    /// Which grids -c makes, and -n makes puzzles from.
    #[command(flatten)]
    pub(crate) sequence: SequenceOptions,

    /// Make so many puzzles: 1 to 10000.
    ///
    /// Without -m, -r or -u they are of the easy kind.
    #[arg(short = 'n', value_name = "N", num_args = 0..=1, default_missing_value = "", allow_hyphen_values = true)]
    puzzles: Option<String>,

    /// With -n: 1 is easy, 2 medium, 3 hard.
    ///
    /// They have 33 to 35, 36 to 38 or 39 to 41 blanks and one solution, and naked singles solve them.
    #[arg(short = 'm', value_name = "1|2|3", num_args = 0..=1, default_missing_value = "", allow_hyphen_values = true)]
    mode: Option<String>,

    /// With -n: L to U blanks, both from 20 to 55.
    ///
    /// Without -u a puzzle may have several solutions.
    #[arg(short = 'r', value_name = "L~U", num_args = 0..=1, default_missing_value = "", allow_hyphen_values = true)]
    range: Option<String>,

    /// With -n: one solution only. Without -r: 20 to 55 blanks.
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
  sudoku-batch psp -n 1000 -m 2
      A thousand puzzles of medium difficulty.
  sudoku-batch psp -n 20 -r 40~50 -u
      With 40 to 50 blanks and one solution each.

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
    /// Make so many puzzles of a kind.
    Puzzles(u64, Kind),
}

/// A kind of puzzles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Of a difficulty.
    Difficulty(Difficulty),
    /// With a number of blanks; unique or not.
    Blanks(RangeInclusive<usize>, bool),
}

impl Kind {
    /// How it is made.
    pub(crate) fn recipe(self) -> Recipe {
        match self {
            Self::Difficulty(difficulty) => Recipe::difficulty(difficulty),
            Self::Blanks(blanks, unique) => {
                let clues = CELLS - blanks.end()..=CELLS - blanks.start();
                let recipe = Recipe::clues(clues).expect("20 to 55 blanks");
                if unique {
                    return recipe;
                }
                recipe.not_unique().expect("a number of blanks")
            }
        }
    }
}

impl Psp {
    const MOST_GRIDS: u64 = 1_000_000;
    const MOST_PUZZLES: u64 = 10_000;

    /// What is to be done, or an error that shows the usage.
    pub(crate) fn task(&self) -> Result<Task<'_>, clap::Error> {
        let given = [
            ("-c", self.create.is_some()),
            ("-s", self.solve.is_some()),
            ("-n", self.puzzles.is_some()),
        ];
        let given: Vec<&str> = given
            .iter()
            .filter(|flag| flag.1)
            .map(|flag| flag.0)
            .collect();
        if let [first, second, ..] = given[..] {
            return conflict(format!("{first} and {second} cannot be used together"));
        }
        let only_with_n = [
            ("-m", self.mode.is_some()),
            ("-r", self.range.is_some()),
            ("-u", self.unique),
        ];
        if let (Some((flag, _)), None) = (only_with_n.iter().find(|flag| flag.1), &self.puzzles) {
            return missing(format!("{flag} goes with -n N"));
        }
        if let Some(number) = &self.create {
            return Ok(Task::Create(number_of("-c", number, Self::MOST_GRIDS)?));
        }
        match (&self.puzzles, &self.solve) {
            (Some(number), _) => {
                let number = number_of("-n", number, Self::MOST_PUZZLES)?;
                Ok(Task::Puzzles(number, self.kind()?))
            }
            (None, Some(Some(path))) => Ok(Task::Solve(path)),
            (None, Some(None)) => {
                let message = "-s wants the path of a file".into();
                Err(usage_error(ErrorKind::InvalidValue, message))
            }
            (None, None) => missing("-c N, -s PATH or -n N is wanted".into()),
        }
    }

    /// The kind of puzzles that -m, -r and -u ask for.
    fn kind(&self) -> Result<Kind, clap::Error> {
        let invalid = |message| Err(usage_error(ErrorKind::ValueValidation, message));
        match (self.mode.as_deref(), self.range.as_deref()) {
            (Some(_), Some(_)) => conflict("-m and -r cannot be used together".into()),
            (Some(_), None) if self.unique => conflict("-m and -u cannot be used together".into()),
            (Some("1"), None) => Ok(Kind::Difficulty(Difficulty::Easy)),
            (Some("2"), None) => Ok(Kind::Difficulty(Difficulty::Medium)),
            (Some("3"), None) => Ok(Kind::Difficulty(Difficulty::Hard)),
            (Some(mode), None) => invalid(format!("-m wants 1, 2 or 3, not '{mode}'")),
            (None, Some(range)) => match blanks(range) {
                Some(blanks) => Ok(Kind::Blanks(blanks, self.unique)),
                None => invalid(format!(
                    "-r wants L~U with 20 <= L <= U <= 55, not '{range}'"
                )),
            },
            (None, None) if self.unique => Ok(Kind::Blanks(BLANKS, true)),
            (None, None) => Ok(Kind::Difficulty(Difficulty::Easy)),
        }
    }
}

/// The blanks that -r may ask for.
const BLANKS: RangeInclusive<usize> = 20..=55;

fn blanks(text: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = text.split_once('~')?;
    let number = |text: &str| text.parse().ok().filter(|number| BLANKS.contains(number));
    let (first, last) = (number(first)?, number(last)?);
    (first <= last).then_some(first..=last)
}

/// The number of an option, from 1 to a limit.
fn number_of(flag: &str, number: &str, most: u64) -> Result<u64, clap::Error> {
    match number.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(usage_error(
            ErrorKind::ValueValidation,
            format!("{flag} wants a number from 1 to {most}, not '{number}'"),
        )),
    }
}

fn conflict<T>(message: String) -> Result<T, clap::Error> {
    Err(usage_error(ErrorKind::ArgumentConflict, message))
}

fn missing<T>(message: String) -> Result<T, clap::Error> {
    Err(usage_error(ErrorKind::MissingRequiredArgument, message))
}

fn usage_error(kind: ErrorKind, message: String) -> clap::Error {
    super::usage_error("psp", kind, message)
}
