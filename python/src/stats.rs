//! Statistics: the sums over the answers to all records.

use crate::{
    answer::{Desk, Source, Task, ask},
    question::asked,
    work::Kept,
};
use pyo3::{
    prelude::*,
    types::{IntoPyDict, PyDict},
};
use sudoku_batch::{
    dataset::Statistics,
    questions::{Question, STATS, STATUS_NAMES},
};

/// Statistics of a set of records, as a dict.
#[pyfunction]
pub(crate) fn stats<'py>(
    records: &Bound<'py, PyAny>,
    settings: Vec<(String, String)>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    static KEPT: Kept<Desk<Question>> = Kept::new();
    let question = asked(&STATS, &settings)?;
    let source = Source::of(records)?;
    let work = |desk: &mut Desk<Question>, task: &mut Task<'_>| {
        desk.fill(task, None);
        task.set_statuses(&desk.answer.statuses);
        Statistics::of(&desk.answer)
    };
    let (py, rows) = (records.py(), (threads, question.batch()));
    let kept = (&KEPT, &format!("{settings:?}")[..]);
    let make = || Desk::new(question.fork(), question.empty());
    let (of_rows, parts) = ask(py, &source, rows, &mut [], kept, make, work)?;
    let mut sum = Statistics::default();
    parts.into_iter().for_each(|part| sum += part);
    let count = |code: usize| {
        let codes = of_rows.codes.iter();
        codes.filter(|&&found| usize::from(found) == code).count()
    };
    let statuses = (0..).map(count).zip(STATUS_NAMES);
    let statuses = statuses.filter(|(count, _)| *count > 0);
    let statuses = statuses.map(|(count, name)| (name, count));
    let guesses = sum.guess_counts();
    let guesses = guesses.map(|(guesses, count)| (guesses.into_inner(), count));
    let ratings = sum.rating_counts();
    let ratings = ratings.map(|(rating, count)| (rating.map(f64::from), count));
    let all = PyDict::new(py);
    all.set_item("records", source.rows())?;
    all.set_item("statuses", statuses.into_py_dict(py)?)?;
    all.set_item("clues", sum.clue_counts().into_py_dict(py)?)?;
    all.set_item("naked_singles_solve", sum.naked_singles)?;
    all.set_item("singles_solve", sum.singles)?;
    all.set_item("guesses", guesses.into_py_dict(py)?)?;
    all.set_item("all_guesses", sum.all_guesses)?;
    all.set_item("most_guesses", sum.most_guesses)?;
    all.set_item("ratings", ratings.into_py_dict(py)?)?;
    Ok(all)
}
