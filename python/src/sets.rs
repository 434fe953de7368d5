//! Questions about sets of records: repeats, parts, statistics.

use crate::{
    answer::{Asking, Desk, NULL, Source, Statuses, Task, ask, wrong},
    columns::Column,
    work::{Kept, SLICE},
};
use arrow_array::{BooleanArray, Int64Array};
use pyo3::{
    prelude::*,
    types::{IntoPyDict, PyDict},
};
use sudoku_batch::{
    dataset::{Equivalence, FirstSeen, PuzzleHasher, Statistics},
    questions::{
        Data, KeysSettings, Question, REJECTED, STATUS_NAMES, SettingError, SplitSettings,
        StatsSettings, keys,
    },
};

/// For each record the number of the first that is the same, whether it is that one itself, and
/// statuses. A malformed record is the same as no other.
#[pyfunction]
pub(crate) fn dedup(
    records: &Bound<'_, PyAny>,
    by: &str,
    threads: Option<usize>,
) -> PyResult<(Column, Column, Statuses)> {
    let by: Equivalence = by.parse().map_err(wrong)?;
    let source = Source::of(records)?;
    let question = Question::new(KeysSettings {
        by,
        hasher: PuzzleHasher::random(),
        statuses: true,
    });
    let question = question.map_err(refused)?;
    let make = || Asking::of(&question);
    let work = |desk: &mut Desk<Asking>, task: &mut Task<'_>| {
        keys(Asking::ask(desk, task)).collect::<Vec<_>>()
    };
    let (py, desks) = (records.py(), (&Kept::new(), ""));
    let (statuses, keys) = ask(py, &source, (threads, SLICE), &mut [], desks, make, work)?;
    let columns = py.detach(|| {
        let mut seen = FirstSeen::new();
        let (mut first, mut kept) = (Vec::new(), Vec::new());
        for keys in keys {
            Python::attach(|py| py.check_signals())?;
            for key in keys {
                let row = kept.len();
                let before = key.and_then(|key| seen.insert(key, row as u64));
                first.push(before.unwrap_or(row as u64) as i64);
                kept.push((statuses.codes[row] != NULL).then_some(before.is_none()));
            }
        }
        let kept = Column::cut(&BooleanArray::from(kept), &statuses.lengths);
        PyResult::Ok((
            kept,
            Column::cut(&Int64Array::from(first), &statuses.lengths),
        ))
    });
    let (kept, first) = columns?;
    Ok((kept, first, statuses))
}

/// The name of the part of each record, with `rejected` for those that have no canonical form to compare, and
/// statuses.
#[pyfunction]
pub(crate) fn split(
    records: &Bound<'_, PyAny>,
    names: Vec<String>,
    weights: Vec<f64>,
    seed: u64,
    by: &str,
    threads: Option<usize>,
) -> PyResult<(Column, Statuses)> {
    /// One byte tells so many apart, without `rejected` and null.
    const MOST_PARTS: usize = 254;
    if names.len() != weights.len() || names.len() > MOST_PARTS {
        return Err(wrong("there are to be 1 to 254 parts"));
    }
    if names.iter().any(|name| name == REJECTED) {
        return Err(wrong(
            "the part \"rejected\" is for records that cannot be compared",
        ));
    }
    let by: Equivalence = by.parse().map_err(wrong)?;
    let question = Question::new(SplitSettings {
        by,
        seed,
        weights,
        statuses: true,
    });
    let question = question.map_err(refused)?;
    let source = Source::of(records)?;
    let make = || Asking::of(&question);
    let work = |desk: &mut Desk<Asking>, task: &mut Task<'_>| {
        let Data::Numbers(parts) = Asking::ask(desk, task).named("part") else {
            unreachable!("parts are numbers")
        };
        let parts = parts.iter().flatten().map(|part| *part as u8);
        parts.collect::<Vec<_>>()
    };
    let (py, desks) = (records.py(), (&Kept::new(), ""));
    let (statuses, parts) = ask(py, &source, (threads, SLICE), &mut [], desks, make, work)?;
    let column = py.detach(|| {
        let parts = parts.iter().flatten().zip(&statuses.codes);
        let parts = parts.map(|(&part, &code)| if code == NULL { NULL } else { part });
        let names = names.iter().map(String::as_str).chain([REJECTED]);
        let (names, parts): (Vec<_>, Vec<_>) = (names.collect(), parts.collect());
        Column::of_names(&names, &parts, &statuses.lengths)
    });
    Ok((column, statuses))
}

/// The error of a setting in its own words.
fn refused(error: SettingError) -> PyErr {
    wrong(error.message)
}

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
    let question = Question::new(StatsSettings::default()).map_err(refused)?;
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
