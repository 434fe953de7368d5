//! Questions about sets of records: repeats, statistics, all solutions.

use crate::{
    answer::{Desk, Desks, NULL, Source, Statuses, Task, ask},
    columns::Column,
    dataset::{Made, flatten},
    work::{Kept, SLICE},
};
use arrow_array::{BooleanArray, Int64Array};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};
use std::sync::Mutex;
use sudoku_batch::{
    dataset::{Equivalence, FirstSeen, PuzzleHasher, Statistics},
    questions::{Compare, Describe, List, Status, Uniqueness},
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
    let wrong = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
    let by: Equivalence = by.parse().map_err(|error| wrong(&error))?;
    let source = Source::of(records)?;
    let hasher = PuzzleHasher::random();
    let make = || (Compare::new(by), Uniqueness::default());
    let work = |desk: &mut Desk<(Compare, Uniqueness)>, task: &mut Task<'_, Option<u128>>| {
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
    let answers = ask(py, &source, threads, SLICE, false, &desks, make, work)?;
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

/// The first solutions of each record: the numbers of the records, the solutions, and for each
/// record whether there are more, and its status.
#[pyfunction]
#[pyo3(signature = (records, limit, threads))]
pub(crate) fn solutions<'py>(
    records: &Bound<'py, PyAny>,
    limit: u64,
    threads: Option<usize>,
) -> PyResult<(Column, Bound<'py, PyAny>, Column, Statuses)> {
    /// Few rows a slice: each may have many solutions.
    const ROWS: usize = 64;
    /// About how many bytes a part has.
    const PART: usize = 1 << 20;
    let source = Source::of(records)?;
    let limit = if limit > 0 { limit } else { u64::MAX };
    // One more shows whether there are more.
    let make = || List::new(limit.checked_add(1));
    let work = |desk: &mut Desk<List>, task: &mut Task<'_, (Made, Option<bool>)>| {
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut statuses = Vec::new();
        loop {
            // In parts, because one record may have solutions without end.
            let part = desk.question.ask_on(&desk.records, PART);
            statuses.extend(&part.statuses[usize::from(part.goes_on)..]);
            for (at, &status) in part.statuses.iter().enumerate() {
                let (made, more) = &mut task.answers[part.first + at];
                let solutions = part.solutions(at);
                let count = solutions.len().min(most - made.puzzles.len());
                made.puzzles.extend_from_slice(&solutions[..count]);
                *more = (status != Status::Malformed).then_some(solutions.len() > count);
            }
            if part.next.is_none() {
                return task.set_statuses(&statuses);
            }
        }
    };
    let (py, desks) = (records.py(), Kept::new());
    let answers = ask(py, &source, threads, ROWS, false, &desks, make, work)?;
    let more = answers.answers.iter().zip(&answers.codes);
    let more = more.map(|(column, codes)| {
        let rows = column.iter().zip(codes);
        rows.map(|((_, more), &code)| more.filter(|_| code != NULL))
            .collect()
    });
    let more = Column::of_booleans(more.collect());
    let made: Vec<_> = answers.answers.into_iter().flatten().collect();
    let made: Vec<_> = made.into_iter().map(|(made, _)| made).collect();
    let (numbers, solutions, _) = flatten(py, &source.kind.of_solutions(), None, &made)?;
    Ok((numbers, solutions, more, Statuses(answers.codes)))
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
    static DESKS: Desks<Describe> = Kept::new();
    let source = Source::of(records)?;
    let sum = Mutex::new(Statistics::default());
    let work = |desk: &mut Desk<Describe>, task: &mut Task<'_, ()>| {
        let described = desk.question.ask(&desk.records);
        task.set_statuses(described.solved.statuses);
        *sum.lock().expect("no thread panicked with it") += described.statistics;
    };
    let py = records.py();
    let make = Describe::default;
    let answers = ask(py, &source, threads, ROWS, false, &DESKS, make, work)?;
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
