//! `sudoku-batch puzzles`.

use super::{
    making::{MadeOptions, SliceOptions, at_least_one},
    records::FormOptions,
    sequence::SequenceOptions,
};
use anyhow::{Context, bail};
use std::{
    ops::{Range, RangeInclusive},
    path::PathBuf,
};
use sudoku_batch::{
    generate::Grids,
    puzzle::{Difficulty, Recipe, Symmetry},
    technique::Rating,
};

/// Make puzzles with exactly one solution.
///
/// Clues are taken away from a solved grid in random order, as long as one solution remains. What is
/// wanted is one of: a number of --blanks or --clues, a --difficulty, a --rating, or --minimal puzzles,
/// which is the default.
///
/// Puzzle number i of a seed is made from the seed and i alone. So any machine can make any part of a
/// set, and the output is the same for any number of threads.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Puzzles {
    /// How many: a number, with `_` between digits and k, M or G after it if you like.
    #[arg(value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) count: u64,

    /// What is wanted.
    #[command(flatten)]
    pub(crate) wanted: Wanted,

    /// Which grids the puzzles are made from.
    #[arg(long, value_enum, default_value_t = Source::Uniform)]
    pub(crate) grids: Source,

    /// Make puzzle i from grid i of a file, counted from 0; `-` is standard input.
    ///
    /// The file has grids in any form that solve reads: lines, tables, JSON lines, blocks, compressed
    /// or not. --input-format and --column say which, if it cannot be told.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["grids", "in_order", "first_digit", "student"])]
    pub(crate) from: Option<PathBuf>,

    /// The form of that file.
    #[command(flatten)]
    pub(crate) form: FormOptions,

    /// Check each puzzle before it is written: solve it again by the other engine.
    ///
    /// It must have one solution (without --not-unique), the one that is written beside it, and the
    /// number of clues and the symmetry that were asked for. This costs 1 to 3 µs a puzzle. The first
    /// puzzle that fails ends the command with exit status 2 and no output. Whether a puzzle is minimal,
    /// `check --minimal` tells.
    #[arg(long)]
    pub(crate) verify: bool,

    /// The seed and the grids.
    #[command(flatten)]
    pub(crate) sequence: SequenceOptions,

    /// The part of them.
    #[command(flatten)]
    pub(crate) slice: SliceOptions,

    /// The form of the puzzles, and where they go.
    #[command(flatten)]
    pub(crate) made: MadeOptions,
}

/// What is wanted of a puzzle.
#[derive(Debug, clap::Args)]
pub(crate) struct Wanted {
    /// Puzzles with so many blanks: a number, or A..B for each number from A to B equally often.
    #[arg(long, value_name = "A..B", value_parser = range, conflicts_with_all = ["clues", "minimal"], allow_hyphen_values = true)]
    blanks: Option<Numbers>,

    /// Puzzles with so many clues: a number, or A..B for each number from A to B equally often.
    ///
    /// With --minimal: minimal puzzles with a number of clues in this range.
    #[arg(long, value_name = "A..B", value_parser = range, allow_hyphen_values = true)]
    clues: Option<Numbers>,

    /// Puzzles of a difficulty.
    #[arg(long, value_enum, conflicts_with_all = ["blanks", "clues", "minimal"])]
    pub(crate) difficulty: Option<Level>,

    /// For --difficulty extreme: how many guesses the reference search needs at least.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u64).range(1..))]
    guesses: u64,

    /// Minimal puzzles with this rating: a number, or A..B, from 1.0 to 4.4.
    ///
    /// The rating is the ER that sudoku-batch rate tells: the hardest step a person needs, on the scale
    /// of Sudoku Explainer.
    #[arg(long, value_name = "A..B", value_parser = ratings, conflicts_with_all = ["blanks", "clues", "minimal", "difficulty"], allow_hyphen_values = true)]
    pub(crate) rating: Option<RangeInclusive<Rating>>,

    /// Minimal puzzles: each clue is needed for there to be one solution. (The default.)
    #[arg(long)]
    minimal: bool,

    /// A symmetry of the pattern of clues.
    ///
    /// With --minimal, no set of clues that belong together can be taken away.
    #[arg(long, value_enum, default_value_t = Pattern::None)]
    symmetry: Pattern,

    /// With --blanks or --clues: a puzzle may have several solutions.
    #[arg(long)]
    not_unique: bool,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch puzzles 1M -o puzzles.txt
      A million minimal puzzles, one on each line.
  sudoku-batch puzzles 100 --blanks 45..50 --format csv -o puzzles.csv
      With 45 to 50 blanks; the columns are index, puzzle, solution and clues.
  sudoku-batch puzzles 12 --difficulty medium --format grid
      For a book: nine lines each.
  sudoku-batch puzzles 1000 --clues 30 --symmetry rotate180 --format jsonl
      The pattern of clues looks the same upside down.
  sudoku-batch puzzles 10k --minimal --clues 20..22
      Minimal puzzles with few clues.
  sudoku-batch puzzles 5k --difficulty extreme --guesses 100
      Puzzles that are hard for programs.
  sudoku-batch puzzles 100 --rating 2.0..2.8 --format csv
      For people: no step is harder than pointing, and some step is not much easier.
  sudoku-batch puzzles 1G --shard 2/4 -o part2.txt
      The second quarter of a billion, on the second of four machines.
  sudoku-batch generate 1k --seed 5 | sudoku-batch puzzles 1k --from -
      From your own grids.

200 grids are tried for a puzzle. If none of them leads to what is wanted, a line of 81 points stands
for the puzzle in the format `line`, and nothing in other formats. Standard error tells how many puzzles
could not be made. Few clues (about 20 and less) and some ratings (3.2, 3.6, 3.8 and 4.0 alone) are
mostly out of reach.

Exit status:
  0  all went well, or the reader of the output stopped reading (| head)
  1  some puzzles could not be made
  2  wrong usage, or a file that cannot be read or written";

/// Where grids come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Source {
    /// Independent samples: all grids there are are equally likely.
    Uniform,
    /// The sequence of distinct grids that `generate` makes.
    Sequence,
}

/// A difficulty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Level {
    /// 33 to 35 blanks; naked singles suffice.
    Easy,
    /// 36 to 38 blanks; naked singles suffice.
    Medium,
    /// 39 to 41 blanks; naked singles suffice.
    Hard,
    /// Minimal; naked and hidden singles do not suffice.
    Expert,
    /// Minimal; the reference search needs at least so many guesses as --guesses tells.
    Extreme,
}

impl Level {
    /// Its name, as in the options and in what is written.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Expert => "expert",
            Self::Extreme => "extreme",
        }
    }
}

/// A symmetry, as clap knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pattern(Symmetry);

impl Pattern {
    #[expect(non_upper_case_globals, reason = "as a variant is spelt")]
    const None: Self = Self(Symmetry::None);
}

impl clap::ValueEnum for Pattern {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Pattern; Symmetry::ALL.len()] = {
            let mut all = [Pattern::None; _];
            let mut i = 0;
            while i < all.len() {
                all[i] = Pattern(Symmetry::ALL[i]);
                i += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let help = match self.0 {
            Symmetry::None => "Any pattern",
            Symmetry::Rotate180 => "The pattern stays when it is turned by half a turn",
            Symmetry::Rotate90 => "The pattern stays when it is turned by a quarter turn",
            Symmetry::Horizontal => "The lower half mirrors the upper half",
            Symmetry::Vertical => "The right half mirrors the left half",
            Symmetry::Diagonal => "The pattern stays when rows and columns change places",
        };
        Some(clap::builder::PossibleValue::new(self.0.name()).help(help))
    }
}

/// The numbers from the first to the last.
type Numbers = RangeInclusive<usize>;

impl Wanted {
    /// The recipe.
    pub(crate) fn recipe(&self) -> anyhow::Result<Recipe> {
        let symmetry = self.symmetry.0;
        let recipe = match (&self.blanks, &self.clues, self.difficulty) {
            (Some(blanks), _, _) => {
                let told = || format!("--blanks {}", shown(blanks));
                let clues = |blanks: usize| {
                    let left = 81usize.checked_sub(blanks);
                    left.with_context(|| format!("{}: a grid has 81 cells", told()))
                };
                let clues = clues(*blanks.end())?..=clues(*blanks.start())?;
                let recipe = Recipe::clues(clues.clone())
                    .and_then(|recipe| recipe.with_symmetry(symmetry))
                    .and_then(|recipe| {
                        if self.not_unique {
                            Ok(recipe)
                        } else {
                            recipe.check().map(|()| recipe)
                        }
                    });
                recipe.with_context(|| format!("{} leaves {} clues", told(), shown(&clues)))?
            }
            (None, Some(clues), _) if self.minimal => {
                Recipe::minimal_with_clues(clues.clone())?.with_symmetry(symmetry)?
            }
            (None, Some(clues), _) => Recipe::clues(clues.clone())?.with_symmetry(symmetry)?,
            (None, None, Some(level)) => {
                let difficulty = match level {
                    Level::Easy => Difficulty::Easy,
                    Level::Medium => Difficulty::Medium,
                    Level::Hard => Difficulty::Hard,
                    Level::Expert => Difficulty::Expert,
                    Level::Extreme => Difficulty::Extreme(self.guesses),
                };
                Recipe::difficulty(difficulty).with_symmetry(symmetry)?
            }
            (None, None, None) => match &self.rating {
                Some(range) => Recipe::rating(range.clone())?.with_symmetry(symmetry)?,
                None => Recipe::minimal().with_symmetry(symmetry)?,
            },
        };
        let recipe = match self.not_unique {
            true => recipe.not_unique()?,
            false => recipe,
        };
        recipe.check()?;
        Ok(recipe)
    }
}

impl Puzzles {
    /// The grids, unless they come from a file.
    pub(crate) fn grids(&self) -> anyhow::Result<Grids> {
        match self.grids {
            Source::Uniform if self.sequence.in_order => {
                bail!("--in-order is an order of --grids sequence")
            }
            Source::Uniform => Ok(self.sequence.uniform()),
            Source::Sequence => Ok(Grids::Sequence(self.sequence.sequence())),
        }
    }

    /// The numbers of all puzzles, and of those that are made here.
    pub(crate) fn ranges(&self, capacity: u64) -> anyhow::Result<[Range<u64>; 2]> {
        let whole = self.slice.whole(self.count, capacity)?;
        let part = self.slice.part(self.count, capacity)?;
        Ok([whole, part])
    }

    /// What the summary tells.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = self.sequence.facts();
        let grids = match (&self.from, self.grids) {
            (Some(_), _) => "given",
            (None, Source::Uniform) => "uniform",
            (None, Source::Sequence) => "sequence",
        };
        facts.insert(0, ("grids", grids.into()));
        facts
    }
}

/// A number, or two with `..` between.
fn range(text: &str) -> Result<Numbers, String> {
    let number = |text: &str| text.parse::<u8>().ok().map(usize::from);
    let range = match text.split_once("..") {
        Some((first, last)) => number(first).zip(number(last)),
        None => number(text).map(|number| (number, number)),
    };
    match range {
        Some((first, last)) if first > last => Err(format!(
            "{first} is over {last}: the smaller number comes first"
        )),
        Some((first, last)) if last <= 81 => Ok(first..=last),
        _ => Err("a number from 0 to 81 is wanted, or A..B, like 45..50".into()),
    }
}

/// A rating, or two with `..` between.
fn ratings(text: &str) -> Result<RangeInclusive<Rating>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse::<Rating>(), last.parse::<Rating>()) {
        (Ok(first), Ok(last)) if first > last => Err(format!(
            "{first} is over {last}: the smaller rating comes first"
        )),
        (Ok(_), Ok(last)) if last > Rating::HARDEST => Err(format!(
            "ratings are exact up to {}, and {last} is over it",
            Rating::HARDEST
        )),
        (Ok(first), Ok(last)) => Ok(first..=last),
        _ => Err("a rating is wanted, like 2.6, or A..B, like 2.0..2.8".into()),
    }
}

/// A range as it is given.
fn shown(range: &Numbers) -> String {
    match range.start() == range.end() {
        true => range.start().to_string(),
        false => format!("{}..{}", range.start(), range.end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_ratings() {
        let tenths = |text: &str| {
            let range = ratings(text)?;
            Ok::<_, String>((range.start().tenths(), range.end().tenths()))
        };
        assert_eq!(tenths("2.6"), Ok((26, 26)));
        assert_eq!(tenths("2..4.4"), Ok((20, 44)));
        for text in [
            "", "..", "2.6..", "..2", "3..2", "4.5", "1.0..5", "x", "2.65", "-1",
        ] {
            assert!(ratings(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges() {
        for (text, numbers) in [
            ("0", 0..=0),
            ("81", 81..=81),
            ("45..50", 45..=50),
            ("7..7", 7..=7),
        ] {
            assert_eq!(range(text), Ok(numbers.clone()), "{text}");
        }
        assert_eq!(shown(&(45..=50)), "45..50");
        assert_eq!(shown(&(7..=7)), "7");
        for text in [
            "", "..", "3..", "..3", "82", "-1", "5..4", "1..82", "a", "1...2", "1..2..3", "1-2",
        ] {
            assert!(range(text).is_err(), "{text}");
        }
    }
}
