//! How hard records are for a person.

use crate::{
    answer::{Desk, Desks, NULL, Source, Statuses, Task, ask},
    columns::Column,
    make::rating,
    work::{self, Kept, SLICE},
};
use arrow_array::Int64Array;
use pyo3::prelude::*;
use std::sync::Arc;
use sudoku_batch::{
    questions::{Rate, Team},
    technique::{Difficulty, Rating, Ratings, Technique},
};

/// What is found out about a record with one solution.
#[derive(Clone, Copy, Default)]
struct Rated {
    ratings: Option<Ratings>,
    guesses: Option<i64>,
}

/// Rates records: ER, EP and ED, the bound where one of them is over it, techniques, numbers of
/// guesses if they are asked for, grades, and statuses.
#[pyfunction]
#[pyo3(signature = (records, count_guesses, up_to, max_work, threads))]
pub(crate) fn rate(
    records: &Bound<'_, PyAny>,
    count_guesses: bool,
    up_to: Option<f64>,
    max_work: Option<u64>,
    threads: Option<usize>,
) -> PyResult<(Columns, Statuses)> {
    /// Few rows a slice where chains are searched or guesses are counted: each may take long.
    const ROWS: usize = 512;
    static DESKS: [Desks<Rate>; 2] = [Kept::new(), Kept::new()];
    let source = Source::of(records)?;
    let up_to = up_to.map_or(Ok(Rating::HARDEST), rating)?;
    let is_slow = count_guesses || up_to > Rating::IN_PLANES;
    let most = if is_slow { ROWS } else { SLICE };
    let make = || {
        let question = Rate::default().up_to(up_to);
        let question = question.with_max_work(max_work.unwrap_or(u64::MAX));
        match count_guesses {
            true => question.with_guesses(),
            false => question,
        }
    };
    // A question is kept for the next call, unless it has bounds of its own.
    let bounded = Kept::new();
    let desks = match up_to == Rating::HARDEST && max_work.is_none() {
        true => &DESKS[usize::from(count_guesses)],
        false => &bounded,
    };
    let team = Arc::new(Team::new(work::threads(threads)));
    let work = |desk: &mut Desk<Rate>, task: &mut Task<'_, Rated>| {
        let rated = desk.question.ask_with(&desk.records, &team);
        task.set_statuses(rated.statuses);
        for (row, place) in task.answers.iter_mut().enumerate() {
            let guesses = rated.guesses.get(row).copied().flatten();
            *place = Rated {
                ratings: rated.ratings[row],
                guesses: guesses.map(|guesses| guesses as i64),
            };
        }
    };
    let answers = ask(
        records.py(),
        &source,
        threads,
        most,
        false,
        desks,
        make,
        work,
    )?;
    let ratings = |of: fn(&Ratings) -> Option<Rating>| {
        let number = |rated: &Rated| rated.ratings.as_ref().and_then(of).map(number_of);
        let columns = answers.answers.iter();
        Column::of_ratings(columns.map(|column| column.iter().map(number)))
    };
    let guesses = answers.answers.iter().map(|column| {
        let numbers = column.iter().map(|rated| rated.guesses);
        numbers.collect::<Int64Array>()
    });
    let names = |names: Vec<&str>, of: fn(&Ratings) -> Option<u8>| {
        let code = |rated: &Rated| rated.ratings.as_ref().and_then(of).unwrap_or(NULL);
        let columns = answers.answers.iter();
        let codes: Vec<_> = columns
            .map(|column| column.iter().map(code).collect())
            .collect();
        Column::of_names(&names, &codes)
    };
    let techniques = Technique::ALL.iter().map(|technique| technique.name());
    let grades = Difficulty::ALL.iter().map(|grade| grade.name());
    Ok((
        (
            ratings(|ratings| ratings.er),
            ratings(|ratings| ratings.ep),
            ratings(|ratings| ratings.ed),
            ratings(Ratings::beyond),
            names(techniques.collect(), |ratings| {
                Some(ratings.technique? as u8)
            }),
            Column::of_numbers(guesses.collect()),
            names(grades.collect(), |ratings| Some(ratings.grade()? as u8)),
        ),
        Statuses(answers.codes),
    ))
}

/// The columns: ER, EP, ED, bounds, techniques, guesses and grades.
type Columns = (Column, Column, Column, Column, Column, Column, Column);

/// A rating as a number.
fn number_of(rating: Rating) -> f64 {
    f64::from(rating.tenths()) / 10.0
}
