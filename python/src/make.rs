//! Grids and puzzles by number: item i is made from the seed and i alone.

use crate::{
    answer::{Desk, Source, Task},
    question::{Filling, Named, Shape, fill},
    work::{Kept, SLICE},
};
use pyo3::{exceptions::PyValueError, prelude::*};
use std::{fmt::Display, str::FromStr};
use sudoku_batch::{
    Digit,
    generate::{Grids, Sequence, Uniform},
    puzzle::{self, Wanted},
    questions::{Answer, GridSet, MadeSet, MakeRecords, PuzzleSet},
    technique::Rating,
};

/// Which records to make, and what of: options that grids and puzzles share.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Numbers {
    n: usize,
    start: u64,
    seed: u64,
    uniform: bool,
    in_order: bool,
    first_digit: Option<u8>,
    digits: bool,
    threads: Option<usize>,
}

impl Numbers {
    fn grids(&self) -> PyResult<Grids> {
        let digit = self.first_digit.map(|digit| {
            let wrong = || PyValueError::new_err("first_digit is a digit from 1 to 9");
            Digit::new(digit).ok_or_else(wrong)
        });
        let sequence = match self.in_order {
            true => Sequence::in_order(),
            false => Sequence::seeded(self.seed),
        };
        let uniform = Uniform::seeded(self.seed);
        Ok(match (self.uniform, digit.transpose()?) {
            (true, None) => Grids::Uniform(uniform),
            (true, Some(digit)) => Grids::Uniform(uniform.with_first_digit(digit)),
            (false, None) => Grids::Sequence(sequence),
            (false, Some(digit)) => Grids::Sequence(sequence.with_first_digit(digit)),
        })
    }

    /// Makes the records of a set, of which there are `capacity`, at most `most` at a time.
    fn make<'py>(
        &self,
        py: Python<'py>,
        set: &dyn MadeSet,
        (capacity, most): (u64, usize),
    ) -> PyResult<Vec<Named<'py>>> {
        let (n, start) = (self.n, self.start);
        let end = start.checked_add(n as u64);
        if end.is_none_or(|end| end > capacity) {
            return Err(PyValueError::new_err(format!(
                "too many: there are {capacity}, and {n} from number {start} on are asked for"
            )));
        }
        let columns = set.columns();
        let shape = Shape {
            filled: &columns,
            // Neither the number of the record, nor what is known of its difficulty.
            all: &columns[1..columns.len().min(4)],
            has_several_rows: false,
            has_limit: false,
            answers: None,
        };
        let work = |desk: &mut Desk<Filling<MakeRecords<'_>>>,
                    task: &Task<'_, ()>,
                    answer: &mut Answer<'_>| {
            let rows = task.rows();
            answer.begin(rows.len());
            answer.keep_places(true);
            let number = |row: usize| start + row as u64;
            (desk.question.by)(number(rows.start)..number(rows.end), answer);
        };
        let source = Source::made(n, self.digits);
        let rows = (&source, self.threads, most);
        let (made, _) = fill(py, rows, &shape, (&Kept::new(), ""), || set.worker(), work)?;
        Ok(made)
    }
}

/// Makes grids.
#[pyfunction]
pub(crate) fn generate(py: Python<'_>, numbers: Numbers) -> PyResult<Vec<Named<'_>>> {
    let grids = numbers.grids()?;
    let capacity = grids.count();
    numbers.make(py, &GridSet::new(grids), (capacity, SLICE))
}

/// What is wanted of puzzles.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Wishes {
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

/// Makes puzzles.
#[pyfunction]
pub(crate) fn puzzles(
    py: Python<'_>,
    numbers: Numbers,
    wishes: Wishes,
) -> PyResult<Vec<Named<'_>>> {
    /// How many puzzles are made at a time: thousands keep the solver busy.
    const AT_ONCE: usize = 4096;
    let range = |(first, last): (usize, usize)| first..=last;
    let rating = |number: f64| -> PyResult<Rating> { number.to_string().parse().map_err(wrong) };
    let ratings = wishes
        .rating
        .map(|(least, most)| -> PyResult<_> { Ok(rating(least)?..=rating(most)?) });
    let wanted = Wanted {
        blanks: wishes.blanks.map(range),
        clues: wishes.clues.map(range),
        difficulty: parsed(wishes.difficulty)?,
        rating: ratings.transpose()?,
        needs: parsed(wishes.needs)?,
        guesses: wishes.guesses,
        solved_by: parsed(wishes.solved_by)?,
        minimal: wishes.minimal,
        symmetry: parsed(Some(wishes.symmetry))?.unwrap_or_default(),
        unique: wishes.unique,
    };
    let grids = numbers.grids()?;
    let capacity = puzzle::capacity(&grids);
    let set = PuzzleSet::new(grids, numbers.seed, &wanted, false).map_err(wrong)?;
    numbers.make(py, &set, (capacity, AT_ONCE))
}

fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What a name stands for.
fn parsed<T: FromStr<Err: Display>>(name: Option<String>) -> PyResult<Option<T>> {
    name.as_deref().map(str::parse).transpose().map_err(wrong)
}
