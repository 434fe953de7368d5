//! Grids and puzzles by number: item i is made from the seed and i alone.

use crate::{
    answer::{Cells, CellsSlice, Kind},
    columns::Column,
    work::{self, SLICE, run, slice_length},
};
use arrow_array::Int32Array;
use arrow_schema::DataType;
use pyo3::{exceptions::PyValueError, prelude::*};
use std::{fmt::Display, str::FromStr, sync::Mutex};
use sudoku_batch::{
    Digit, Solver,
    generate::{Grids, Sequence, Uniform},
    grid::CELLS,
    puzzle::{self, Maker, Recipe},
    technique::Rating,
};

/// The kind of cells: rows of numbers, or text.
fn kind(digits: bool) -> Kind {
    match digits {
        true => Kind::Digits,
        false => Kind::Text(DataType::Utf8),
    }
}

/// The digit in the top left cell.
pub(crate) fn first_digit(digit: Option<u8>) -> PyResult<Option<Digit>> {
    let wrong = || PyValueError::new_err("first_digit is a digit from 1 to 9");
    let digit = digit.map(|digit| Digit::new(digit).ok_or_else(wrong));
    digit.transpose()
}

/// Samples of all grids.
fn uniform(seed: u64, digit: Option<Digit>) -> Uniform {
    let uniform = Uniform::seeded(seed);
    match digit {
        Some(digit) => uniform.with_first_digit(digit),
        None => uniform,
    }
}

/// Distinct grids. Without a seed they are in order.
pub(crate) fn sequence(seed: Option<u64>, digit: Option<Digit>) -> Sequence {
    let sequence = seed.map_or_else(Sequence::in_order, Sequence::seeded);
    match digit {
        Some(digit) => sequence.with_first_digit(digit),
        None => sequence,
    }
}

/// That numbers `start..start + n` are below the capacity.
fn check_range(start: u64, n: usize, capacity: u64) -> PyResult<()> {
    match start.checked_add(n as u64) {
        Some(end) if end <= capacity => Ok(()),
        _ => Err(PyValueError::new_err(format!(
            "too many: there are {capacity}, and {n} from number {start} on are asked for"
        ))),
    }
}

/// Makes grids.
#[pyfunction]
#[pyo3(signature = (n, seed, start, uniform, in_order, first_digit, digits, threads))]
#[expect(clippy::too_many_arguments, reason = "the caller names them")]
pub(crate) fn generate<'py>(
    py: Python<'py>,
    n: usize,
    seed: u64,
    start: u64,
    uniform: bool,
    in_order: bool,
    first_digit: Option<u8>,
    digits: bool,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let first_digit = self::first_digit(first_digit)?;
    let grids = match uniform {
        true => Grids::Uniform(self::uniform(seed, first_digit)),
        false => Grids::Sequence(sequence((!in_order).then_some(seed), first_digit)),
    };
    check_range(start, n, grids.count())?;
    let mut cells = Cells::new(py, &kind(digits), &[n])?;
    let threads = work::threads(threads);
    let length = slice_length(n, threads, SLICE);
    let starts = (0..n).step_by(length);
    let jobs = starts.zip(cells.slices(length)).collect();
    run(
        py,
        jobs,
        threads,
        true,
        |(first, mut cells): (usize, CellsSlice<'_>)| {
            // As many lines as stay in the second-level cache.
            let mut lines = [[0; CELLS + 1]; 512];
            let count = length.min(n - first);
            for at in (0..count).step_by(lines.len()) {
                let lines = &mut lines[..512.min(count - at)];
                let number = start + (first + at) as u64;
                grids.write_lines(number, lines);
                for (row, line) in (at..).zip(lines) {
                    cells.write(row, line.first_chunk().expect("81 of 82"));
                }
            }
        },
    )?;
    cells.into_object(py, &[vec![true; n]])
}

/// What is wanted of puzzles.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Wanted {
    blanks: Option<(usize, usize)>,
    clues: Option<(usize, usize)>,
    difficulty: Option<String>,
    rating: Option<(f64, f64)>,
    needs: Option<String>,
    guesses: u64,
    solved_by: Option<String>,
    minimal: bool,
    symmetry: String,
    unique: bool,
}

impl Wanted {
    /// The recipe.
    fn recipe(&self) -> PyResult<Recipe> {
        let range = |(first, last): (usize, usize)| first..=last;
        let rating = self
            .rating
            .map(|(least, most)| -> PyResult<_> { Ok(rating(least)?..=rating(most)?) });
        let wanted = puzzle::Wanted {
            blanks: self.blanks.map(range),
            clues: self.clues.map(range),
            difficulty: parsed(self.difficulty.as_deref())?,
            rating: rating.transpose()?,
            needs: parsed(self.needs.as_deref())?,
            guesses: self.guesses,
            solved_by: parsed(self.solved_by.as_deref())?,
            minimal: self.minimal,
            symmetry: parsed(Some(&self.symmetry))?.unwrap_or_default(),
            unique: self.unique,
        };
        wanted.recipe().map_err(wrong)
    }
}

fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What a name stands for.
fn parsed<T: FromStr<Err: Display>>(name: Option<&str>) -> PyResult<Option<T>> {
    name.map(str::parse).transpose().map_err(wrong)
}

/// A rating such as 2.6.
pub(crate) fn rating(number: f64) -> PyResult<Rating> {
    let rating = number.to_string().parse::<Rating>();
    rating.map_err(wrong)
}

/// Makes puzzles: puzzles, solutions, numbers of clues.
#[pyfunction]
#[pyo3(signature = (n, wanted, seed, start, uniform, first_digit, digits, threads))]
#[expect(clippy::too_many_arguments, reason = "the caller names them")]
pub(crate) fn puzzles<'py>(
    py: Python<'py>,
    n: usize,
    wanted: Wanted,
    seed: u64,
    start: u64,
    uniform: bool,
    first_digit: Option<u8>,
    digits: bool,
    threads: Option<usize>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Column)> {
    /// How many puzzles are made at a time: thousands keep the solver busy.
    const AT_ONCE: usize = 4096;
    struct Job<'j> {
        first: usize,
        puzzles: CellsSlice<'j>,
        solutions: CellsSlice<'j>,
        clues: &'j mut [Option<i32>],
    }
    let recipe = wanted.recipe()?;
    let first_digit = self::first_digit(first_digit)?;
    let grids = match uniform {
        true => Grids::Uniform(self::uniform(seed, first_digit)),
        false => Grids::Sequence(sequence(Some(seed), first_digit)),
    };
    check_range(start, n, puzzle::capacity(&grids))?;
    // What is wrong with the recipe is told once, here.
    let maker = || Maker::new(Solver::new(), grids.clone(), seed, recipe.clone());
    let makers = Mutex::new(vec![maker().map_err(wrong)?]);
    let kind = kind(digits);
    let mut puzzles = Cells::new(py, &kind, &[n])?;
    let mut solutions = Cells::new(py, &kind, &[n])?;
    let mut clues = vec![None; n];
    let threads = work::threads(threads);
    let length = slice_length(n, threads, AT_ONCE);
    let places = puzzles
        .slices(length)
        .into_iter()
        .zip(solutions.slices(length));
    let places = (0..n)
        .step_by(length)
        .zip(places)
        .zip(clues.chunks_mut(length));
    let jobs = places.map(|((first, (puzzles, solutions)), clues)| Job {
        first,
        puzzles,
        solutions,
        clues,
    });
    run(py, jobs.collect(), threads, false, |mut job: Job<'_>| {
        let kept = makers.lock().ok().and_then(|mut makers| makers.pop());
        let mut maker = kept.unwrap_or_else(|| maker().expect("the recipe is checked"));
        let mut made = vec![None; job.clues.len()];
        maker.make_batch(start + job.first as u64, &mut made);
        for (row, (made, clues)) in made.iter().zip(job.clues).enumerate() {
            let Some(made) = made else { continue };
            job.puzzles.write(row, made.puzzle.as_ascii());
            job.solutions.write(row, made.solution.as_ascii());
            *clues = Some(made.puzzle.clue_count() as i32);
        }
        if let Ok(mut makers) = makers.lock() {
            makers.push(maker);
        }
    })?;
    let made = [clues.iter().map(Option::is_some).collect()];
    let clues = Column::of_numbers(vec![Int32Array::from(clues)]);
    Ok((
        puzzles.into_object(py, &made)?,
        solutions.into_object(py, &made)?,
        clues,
    ))
}
