//! Questions about sets of records: repeats, statistics.

use crate::{
    answer::{Desk, NULL, Source, Statuses, Task, ask, wrong},
    columns::Column,
    work::{Kept, SLICE},
};
use arrow_array::{BooleanArray, Int64Array};
use pyo3::{prelude::*, types::PyDict};
use std::sync::Mutex;
use sudoku_batch::{
    dataset::{Equivalence, FirstSeen, PuzzleHasher, Statistics},
    questions::{Compare, Describe, Uniqueness},
};

/// For each record the number of the first that is the same, whether it is that one itself, and
/// statuses. A malformed record is the same as no other.
#[pyfunction]
#[pyo3(signature = (records, by, threads))]
pub(crate) fn dedup(
    records: &Bound<'_, PyAny>,
    by: &str,
    threads: Option<usize>,
) -> PyResult<(Column, Column, Statuses)> {
    let by: Equivalence = by.parse().map_err(wrong)?;
    let source = Source::of(records)?;
    let hasher = PuzzleHasher::random();
    let make = || (Compare::new(by), Uniqueness::default());
    let work = |desk: &mut Desk<(Compare, Uniqueness)>, task: &mut Task<'_, Option<u128>>| {
        desk.read(task);
        let (compare, uniqueness) = &mut desk.question;
        let mut keys = task.answers.iter_mut();
        let compared = compare.ask(&desk.records, |form| {
            let key = keys.next().expect("an answer for each record");
            *key = form.map(|form| hasher.key(&form));
        });
        // A comparison of cells solves nothing.
        task.set_statuses(match by.needs_solution() {
            true => compared.statuses,
            false => uniqueness.ask(&desk.records).solved.statuses,
        });
    };
    let (py, desks) = (records.py(), Kept::new());
    let answers = ask(py, &source, threads, SLICE, 0, (&desks, ""), make, work)?;
    let (first, kept) = py.detach(|| {
        let (mut seen, mut row) = (FirstSeen::new(), 0);
        let columns = answers.answers.iter().zip(&answers.codes);
        let columns = columns.map(|(keys, codes)| {
            let rows = keys.iter().zip(codes).map(|(key, &code)| {
                let before = key.and_then(|key| seen.insert(key, row));
                let first = before.unwrap_or(row) as i64;
                row += 1;
                (first, (code != NULL).then_some(before.is_none()))
            });
            let (first, kept): (Vec<_>, Vec<_>) = rows.unzip();
            (Int64Array::from(first), BooleanArray::from(kept))
        });
        columns.unzip()
    });
    Ok((
        Column::of_booleans(kept),
        Column::of_numbers(first),
        Statuses(answers.codes),
    ))
}

/// Statistics of a set of records, as a dict.
#[pyfunction]
#[pyo3(signature = (records, threads))]
pub(crate) fn stats<'py>(
    records: &Bound<'py, PyAny>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    /// Few rows a slice: the reference search may take long.
    const ROWS: usize = 512;
    static DESKS: Kept<Desk<Describe>> = Kept::new();
    let source = Source::of(records)?;
    let sum = Mutex::new(Statistics::default());
    let work = |desk: &mut Desk<Describe>, task: &mut Task<'_, ()>| {
        desk.read(task);
        let described = desk.question.ask(&desk.records);
        task.set_statuses(described.solved.statuses);
        *sum.lock().expect("no thread panicked with it") += described.statistics;
    };
    let py = records.py();
    let make = Describe::default;
    let answers = ask(py, &source, threads, ROWS, 0, (&DESKS, ""), make, work)?;
    let sum = sum.into_inner().expect("no thread panicked with it");
    let filled = |counts: &[u64]| {
        let counts: Vec<_> = counts.iter().copied().enumerate().collect();
        counts.into_iter().filter(|&(_, count)| count > 0)
    };
    let statuses = PyDict::new(py);
    for (code, name) in crate::answer::names().into_iter().enumerate() {
        let codes = answers.codes.iter().flatten();
        let count = codes.filter(|&&found| usize::from(found) == code).count();
        if count > 0 {
            statuses.set_item(name, count)?;
        }
    }
    let [clues, guesses, ratings] = [PyDict::new(py), PyDict::new(py), PyDict::new(py)];
    for (number, count) in filled(&sum.clues) {
        clues.set_item(number, count)?;
    }
    for (entry, count) in filled(&sum.guesses) {
        let (first, last) = Statistics::guess_range(entry).into_inner();
        guesses.set_item((first, last), count)?;
    }
    for (entry, count) in filled(&sum.ratings) {
        let rating = Statistics::rating(entry);
        ratings.set_item(
            rating.map(|rating| f64::from(rating.tenths()) / 10.0),
            count,
        )?;
    }
    let all = PyDict::new(py);
    all.set_item("records", source.rows())?;
    all.set_item("statuses", statuses)?;
    all.set_item("clues", clues)?;
    all.set_item("naked_singles_solve", sum.naked_singles)?;
    all.set_item("singles_solve", sum.singles)?;
    all.set_item("guesses", guesses)?;
    all.set_item("all_guesses", sum.all_guesses)?;
    all.set_item("most_guesses", sum.most_guesses)?;
    all.set_item("ratings", ratings)?;
    Ok(all)
}
