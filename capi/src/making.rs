//! Grids and puzzles by number: item i is made from the options and i alone.

use super::{
    border::memory::RowsOut,
    failure::Failure,
    options::Options,
    table::{Piece, Table},
    workers::{Kept, SLICE, Workers},
};
use std::{fmt::Display, ops::RangeInclusive, str::FromStr};
use sudoku_batch::{
    Digit,
    format::Values,
    generate::{Grids, Sequence, Uniform},
    grid::CELLS,
    puzzle::{self, Wanted},
    questions::{Answer, Column, GridSet, MadeSet, MakeRecords, PuzzleSet},
};

/// An option of a set: its name, the kind of its values, its usual value, and its meaning.
pub(crate) type Setting = (&'static str, &'static str, &'static str, &'static str);

/// The options of grids, which are those of puzzles too.
pub(crate) const OF_GRIDS: &[Setting] = &[
    (
        "seed",
        "number",
        "0",
        "Which pseudo-random order or sample.",
    ),
    (
        "uniform",
        "flag",
        "",
        "Independent samples of all grids. Puzzles take these unless it is false.",
    ),
    (
        "in-order",
        "flag",
        "",
        "Grids in the order of their indices, without a seed.",
    ),
    (
        "first-digit",
        "digit",
        "",
        "Only grids with this digit in the top left cell.",
    ),
];

/// The options of puzzles alone.
pub(crate) const OF_PUZZLES: &[Setting] = &[
    ("blanks", "range", "", "The number of blanks."),
    ("clues", "range", "", "The number of clues."),
    ("difficulty", "text", "", "A word for the difficulty."),
    ("rating", "range", "", "The ER, such as [2.6, 3.4]."),
    ("needs", "text", "", "The technique of the hardest step."),
    (
        "guesses",
        "number",
        "",
        "The least number of guesses of the reference search.",
    ),
    ("solved-by", "text", "", "A technique that suffices."),
    ("minimal", "flag", "", "Each clue is needed."),
    ("symmetry", "text", "none", "The symmetry of the clues."),
    (
        "unique",
        "flag",
        "true",
        "False allows more than one solution.",
    ),
    (
        "ratings",
        "flag",
        "",
        "Add er and technique, whatever is wanted.",
    ),
];

/// The columns of sets with the usual options.
pub(crate) fn usual_columns() -> [(&'static str, Vec<Column>); 2] {
    let grids = GridSet::new(Grids::Sequence(Sequence::seeded(0)));
    let all = Options::parse(r#"{"ratings": true, "guesses": 1}"#).expect("an object");
    let puzzles = puzzles(&all).expect("these can be");
    [
        ("generate", grids.columns()),
        ("puzzles", puzzles.columns()),
    ]
}

/// What a thread keeps: a maker of puzzles.
pub(crate) type Maker = MakeRecords<'static>;

/// Puzzles are made this many at a time: thousands keep the solver busy.
const PUZZLES: usize = 4096;

impl Workers {
    /// Makes the grids with the numbers from `first` on.
    pub(crate) fn generate(
        &self,
        options: &Options,
        first: u64,
        rows: RowsOut<'_>,
    ) -> Result<(), Failure> {
        all_are_known(options, &[OF_GRIDS])?;
        let grids = grids(options, false)?;
        let count = rows.len();
        check_range(first, count, grids.count())?;
        let length = self.slice(count, SLICE);
        let mut rest = Some(rows);
        let slices = (0..count).step_by(length).map_while(|start| {
            let (now, later) = rest.take()?.split_at(length.min(count - start));
            rest = Some(later);
            Some((first + start as u64, now))
        });
        self.run(slices, count.div_ceil(length), |(first, mut rows)| {
            if let Some(lines) = rows.as_lines() {
                grids.write_lines(first, lines);
                return Ok(());
            }
            // As many lines as stay in the second-level cache.
            let mut lines = [[0; CELLS + 1]; 512];
            for start in (0..rows.len()).step_by(lines.len()) {
                let lines = &mut lines[..512.min(rows.len() - start)];
                grids.write_lines(first + start as u64, lines);
                for (row, line) in (start..).zip(lines) {
                    rows.write(row, &line[..CELLS]);
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Makes the puzzles with the numbers from `first` on. One that cannot be made has no row.
    pub(crate) fn puzzles(
        &self,
        makers: &Kept<Maker>,
        options: &Options,
        first: u64,
        count: usize,
    ) -> Result<Table, Failure> {
        all_are_known(options, &[OF_GRIDS, OF_PUZZLES])?;
        let set = puzzles(options)?;
        check_range(first, count, puzzle::capacity(&grids(options, true)?))?;
        let columns = set.columns();
        let kind = format!("{set:?}");
        let length = self.slice(count, PUZZLES);
        let starts = (0..count).step_by(length);
        let pieces = self.run(starts, count.div_ceil(length), |start| {
            let kinds: Vec<Values> = columns.iter().map(|column| column.values).collect();
            let mut answer = Answer::new(kinds);
            let length = length.min(count - start);
            let first = first + start as u64;
            answer.begin(length);
            let make = || set.clone().into_worker();
            makers.with(&kind, make, |maker| {
                maker(first..first + length as u64, &mut answer);
            });
            Ok(Piece::new(first, &columns, &answer))
        })?;
        Ok(Table::new(&columns, pieces.into_iter()))
    }
}

fn all_are_known(options: &Options, lists: &[&[Setting]]) -> Result<(), Failure> {
    let names = || lists.iter().copied().flatten().map(|setting| setting.0);
    match options
        .iter()
        .find(|(name, _)| !names().any(|known| known == *name))
    {
        None => Ok(()),
        Some((name, _)) => {
            let names: Vec<_> = names().collect();
            let names = names.join(", ");
            let message = format_args!("{name}: there is no such option; there is: {names}");
            Err(Failure::option(message))
        }
    }
}

/// The grids that options ask for. Without a word they are samples, if those are usual, or a sequence.
fn grids(options: &Options, is_uniform: bool) -> Result<Grids, Failure> {
    let seed = parsed::<u64>(options, "seed")?;
    let in_order = parsed(options, "in-order")?.unwrap_or(false);
    let is_uniform = parsed(options, "uniform")?.unwrap_or(is_uniform && !in_order);
    if in_order && (is_uniform || seed.is_some()) {
        let other = if is_uniform { "uniform" } else { "seed" };
        let message = format_args!("in-order cannot be set beside {other}");
        return Err(Failure::option(message));
    }
    let digit = parsed::<u8>(options, "first-digit")?;
    let digit = digit.map(|digit| {
        let wrong = || Failure::option("first-digit: a digit from 1 to 9 is wanted");
        Digit::new(digit).ok_or_else(wrong)
    });
    let (seed, digit) = (seed.unwrap_or(0), digit.transpose()?);
    if is_uniform {
        let uniform = Uniform::seeded(seed);
        return Ok(Grids::Uniform(match digit {
            Some(digit) => uniform.with_first_digit(digit),
            None => uniform,
        }));
    }
    let sequence = if in_order {
        Sequence::in_order()
    } else {
        Sequence::seeded(seed)
    };
    Ok(Grids::Sequence(match digit {
        Some(digit) => sequence.with_first_digit(digit),
        None => sequence,
    }))
}

/// The set of puzzles that options ask for.
fn puzzles(options: &Options) -> Result<PuzzleSet, Failure> {
    let guesses = parsed(options, "guesses")?;
    let wanted = Wanted {
        blanks: range(options, "blanks")?,
        clues: range(options, "clues")?,
        difficulty: parsed(options, "difficulty")?,
        rating: range(options, "rating")?,
        needs: parsed(options, "needs")?,
        guesses: guesses.unwrap_or(0),
        solved_by: parsed(options, "solved-by")?,
        minimal: parsed(options, "minimal")?.unwrap_or(false),
        symmetry: parsed(options, "symmetry")?.unwrap_or_default(),
        unique: parsed(options, "unique")?.unwrap_or(true),
    };
    let seed = parsed(options, "seed")?.unwrap_or(0);
    let set = PuzzleSet::new(grids(options, true)?, seed, &wanted, guesses.is_some());
    let set = set.map_err(Failure::option)?;
    Ok(if parsed(options, "ratings")?.unwrap_or(false) {
        set.with_ratings()
    } else {
        set
    })
}

/// The value of an option, if it is given.
fn parsed<T: FromStr<Err: Display>>(options: &Options, name: &str) -> Result<Option<T>, Failure> {
    options.get(name).map(|text| value(name, text)).transpose()
}

fn value<T: FromStr<Err: Display>>(name: &str, text: &str) -> Result<T, Failure> {
    let wrong = |error| Failure::option(format_args!("{name}: {text:?}: {error}"));
    text.parse().map_err(wrong)
}

/// The least and the most of an option, such as `[45, 50]`, "45..50" or 45.
fn range<T: FromStr<Err: Display>>(
    options: &Options,
    name: &str,
) -> Result<Option<RangeInclusive<T>>, Failure> {
    let ends = options
        .get(name)
        .map(|text| text.split_once("..").unwrap_or((text, text)));
    let range = ends.map(|(first, last)| Ok(value(name, first)?..=value(name, last)?));
    range.transpose()
}

/// An error unless the numbers from `first` on are below the capacity.
fn check_range(first: u64, count: usize, capacity: u64) -> Result<(), Failure> {
    match first.checked_add(count as u64) {
        Some(end) if end <= capacity => Ok(()),
        _ => Err(Failure::option(format_args!(
            "there are {capacity}, and {count} from number {first} on are asked for"
        ))),
    }
}
