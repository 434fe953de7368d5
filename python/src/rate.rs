//! How hard records are for a person.

use crate::{
    answer::{
        Desk, MALFORMED, MULTIPLE, NULL, Source, Statuses, Task, UNIQUE, ask, code_of_unsolvable,
    },
    columns::Column,
    work::{SLICE, Stop},
};
use arrow_array::Int64Array;
use pyo3::prelude::*;
use sudoku_batch::{
    NotUnique, Puzzle,
    solve::guesses,
    technique::{Grade, Rating, Ratings},
};

/// The reference search stops after this many guesses, as that of `sudoku-batch rate` does. They
/// take about a second.
const MOST_GUESSES: u64 = 1_000_000;

/// What is found out about a record with one solution.
#[derive(Clone, Copy, Default)]
struct Rated {
    ratings: Option<Ratings>,
    guesses: Option<i64>,
}

/// Rates records: ER, EP and ED, numbers of guesses if they are asked for, grades, and statuses.
/// A rating above the hardest that the library knows is infinite.
#[pyfunction]
#[pyo3(signature = (records, count_guesses, threads))]
pub(crate) fn rate(
    records: &Bound<'_, PyAny>,
    count_guesses: bool,
    threads: Option<usize>,
) -> PyResult<(Column, Column, Column, Column, Column, Statuses)> {
    /// Few rows a slice where guesses are counted: each may take long.
    const ROWS: usize = 512;
    let source = Source::of(records)?;
    let most = if count_guesses { ROWS } else { SLICE };
    let work = |desk: &mut Desk, mut task: Task<'_, Rated>, stop: &Stop| {
        desk.read(&task);
        rate_rows(desk, &mut task);
        if count_guesses {
            for (row, rated) in task.answers.iter_mut().enumerate() {
                let is_beyond = rated.ratings.is_some_and(|ratings| ratings.er.is_none());
                if is_beyond && !stop.is_set() {
                    let number = guesses(&desk.puzzle(row), MOST_GUESSES);
                    rated.guesses = number.map(|number| number as i64);
                }
            }
        }
    };
    let answers = ask(records.py(), &source, threads, most, false, work)?;
    let ratings = |of: fn(&Ratings) -> Option<Rating>| {
        let number = |rated: &Rated| rated.ratings.map(|ratings| number_of(of(&ratings)));
        let columns = answers.answers.iter();
        Column::of_ratings(columns.map(|column| column.iter().map(number)))
    };
    let guesses = answers.answers.iter().map(|column| {
        let numbers = column.iter().map(|rated| rated.guesses);
        numbers.collect::<Int64Array>()
    });
    let grade = |rated: &Rated| {
        let grade = rated.ratings.map(|ratings| Grade::of(ratings.er) as u8);
        grade.unwrap_or(NULL)
    };
    let grades = answers.answers.iter();
    let grades: Vec<_> = grades
        .map(|column| column.iter().map(grade).collect())
        .collect();
    let names: Vec<_> = Grade::ALL.iter().map(|grade| grade.name()).collect();
    Ok((
        ratings(|ratings| ratings.er),
        ratings(|ratings| ratings.ep),
        ratings(|ratings| ratings.ed),
        Column::of_numbers(guesses.collect()),
        Column::of_names(&names, &grades),
        Statuses(answers.codes),
    ))
}

/// Rates the rows of a task that are read, and says for each why it has no rating.
fn rate_rows(desk: &mut Desk, task: &mut Task<'_, Rated>) {
    task.codes.fill(MALFORMED);
    let puzzle = |row| desk.records.puzzle(row).ok().map(|puzzle| (row, puzzle));
    let (rows, puzzles): (Vec<usize>, Vec<Puzzle>) =
        (0..task.codes.len()).filter_map(puzzle).unzip();
    let ratings = desk.rater().rate_batch(&puzzles);
    for ((row, puzzle), ratings) in rows.into_iter().zip(puzzles).zip(ratings) {
        task.codes[row] = match ratings {
            Ok(_) => UNIQUE,
            Err(NotUnique::Multiple) => MULTIPLE,
            Err(NotUnique::NoSolution) => code_of_unsolvable(&puzzle),
        };
        task.answers[row].ratings = ratings.ok();
    }
    desk.mark_nulls(task.codes);
}

/// A rating as a number; one that is not known is infinite.
fn number_of(rating: Option<Rating>) -> f64 {
    rating.map_or(f64::INFINITY, |rating| f64::from(rating.tenths()) / 10.0)
}
