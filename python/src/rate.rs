//! How hard records are for a person.

use crate::{
    answer::{Desk, Desks, NULL, Source, Statuses, Task, ask},
    columns::Column,
    work::{Kept, SLICE, Stop},
};
use arrow_array::Int64Array;
use pyo3::prelude::*;
use sudoku_batch::{
    questions::Rate,
    technique::{Difficulty, Rating, Ratings},
};

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
    static DESKS: [Desks<Rate>; 2] = [Kept::new(), Kept::new()];
    let source = Source::of(records)?;
    let most = if count_guesses { ROWS } else { SLICE };
    let make = || match count_guesses {
        true => Rate::default().with_guesses(),
        false => Rate::default(),
    };
    let work = |desk: &mut Desk<Rate>, task: &mut Task<'_, Rated>, stop: &Stop| {
        let rated = desk.question.ask_until(&desk.records, &|| stop.is_set());
        task.set_statuses(rated.statuses);
        for (row, place) in task.answers.iter_mut().enumerate() {
            let guesses = rated.guesses.get(row).copied().flatten();
            *place = Rated {
                ratings: rated.ratings[row],
                guesses: guesses.map(|guesses| guesses as i64),
            };
        }
    };
    let (py, desks) = (records.py(), &DESKS[usize::from(count_guesses)]);
    let answers = ask(py, &source, threads, most, false, desks, make, work)?;
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
        let grade = rated
            .ratings
            .map(|ratings| Difficulty::of(ratings.er) as u8);
        grade.unwrap_or(NULL)
    };
    let grades = answers.answers.iter();
    let grades: Vec<_> = grades
        .map(|column| column.iter().map(grade).collect())
        .collect();
    let names: Vec<_> = Difficulty::ALL.iter().map(|grade| grade.name()).collect();
    Ok((
        ratings(|ratings| ratings.er),
        ratings(|ratings| ratings.ep),
        ratings(|ratings| ratings.ed),
        Column::of_numbers(guesses.collect()),
        Column::of_names(&names, &grades),
        Statuses(answers.codes),
    ))
}

/// A rating as a number; one that is not known is infinite.
fn number_of(rating: Option<Rating>) -> f64 {
    rating.map_or(f64::INFINITY, |rating| f64::from(rating.tenths()) / 10.0)
}
