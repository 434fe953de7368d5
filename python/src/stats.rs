//! Statistics: the sums over the answers to all records.

use crate::{
    answer::{Asking, Desk, Source, Task, ask, wrong},
    work::Kept,
};
use pyo3::{
    prelude::*,
    types::{IntoPyDict, PyDict},
};
use sudoku_batch::{
    dataset::Statistics,
    questions::{Question, STATUS_NAMES, StatsSettings},
};

/// Statistics of a set of records, as a dict.
#[pyfunction]
pub(crate) fn stats<'py>(
    records: &Bound<'py, PyAny>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    /// Few rows a slice: the reference search may take long.
    const ROWS: usize = 512;
    static DESKS: Kept<Desk<Asking>> = Kept::new();
    let source = Source::of(records)?;
    let question = Question::new(StatsSettings::default()).map_err(wrong)?;
    let work =
        |desk: &mut Desk<Asking>, task: &mut Task<'_>| Statistics::of(Asking::ask(desk, task));
    let (py, desks) = (records.py(), (&DESKS, ""));
    let make = || Asking::of(&question);
    let (of_rows, parts) = ask(py, &source, (threads, ROWS), &mut [], desks, make, work)?;
    let mut sum = Statistics::default();
    parts.into_iter().for_each(|part| sum += part);
    let count = |code: usize| {
        let codes = of_rows.codes.iter();
        codes.filter(|&&found| usize::from(found) == code).count()
    };
    let statuses = (0..).map(count).zip(STATUS_NAMES);
    let statuses = statuses.filter(|(count, _)| *count > 0);
    let statuses = statuses.map(|(count, name)| (name, count));
    fn filled(counts: &[u64]) -> impl Iterator<Item = (usize, u64)> {
        let counts = counts.iter().copied().enumerate();
        counts.filter(|&(_, count)| count > 0)
    }
    let guesses = filled(&sum.guesses);
    let guesses =
        guesses.map(|(entry, count)| (Statistics::guess_range(entry).into_inner(), count));
    let ratings = filled(&sum.ratings).map(|(entry, count)| {
        let rating = Statistics::rating(entry);
        (rating.map(f64::from), count)
    });
    let all = PyDict::new(py);
    all.set_item("records", source.rows())?;
    all.set_item("statuses", statuses.into_py_dict(py)?)?;
    all.set_item("clues", filled(&sum.clues).into_py_dict(py)?)?;
    all.set_item("naked_singles_solve", sum.naked_singles)?;
    all.set_item("singles_solve", sum.singles)?;
    all.set_item("guesses", guesses.into_py_dict(py)?)?;
    all.set_item("all_guesses", sum.all_guesses)?;
    all.set_item("most_guesses", sum.most_guesses)?;
    all.set_item("ratings", ratings.into_py_dict(py)?)?;
    Ok(all)
}
