//! Parts of sets, and images.

use crate::{
    answer::{Desk, NULL, Source, Statuses, Task, ask, wrong},
    columns::Column,
    work::{Kept, SLICE},
};
use pyo3::{exceptions::PyValueError, prelude::*};
use sudoku_batch::{
    dataset::{self, Equivalence, Operation},
    questions::{REJECTED, Split, Uniqueness},
};

/// The name of the part of each record, with `rejected` for those that have no form to compare, and
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
    /// As many as one byte tells apart, beside `rejected` and null.
    const MOST_PARTS: usize = 254;
    if names.len() != weights.len() || names.len() > MOST_PARTS {
        return Err(PyValueError::new_err("there are to be 1 to 254 parts"));
    }
    if names.iter().any(|name| name == REJECTED) {
        return Err(PyValueError::new_err(
            "the part \"rejected\" is for records that cannot be compared",
        ));
    }
    let by: Equivalence = by.parse().map_err(wrong)?;
    let split = dataset::Split::new(seed, &weights).map_err(wrong)?;
    let source = Source::of(records)?;
    let make = || {
        (
            Split::new(split.clone(), names.clone(), by),
            Uniqueness::default(),
        )
    };
    let work = |desk: &mut Desk<(Split, Uniqueness)>, task: &mut Task<'_>| {
        desk.read(task);
        let (split, uniqueness) = &mut desk.question;
        let divided = split.ask(&desk.records);
        // A comparison of cells solves nothing.
        task.set_statuses(match by.needs_solution() {
            true => divided.compared.statuses,
            false => uniqueness.ask(&desk.records).solved.statuses,
        });
        let parts = divided.parts.iter().map(|&part| part as u8);
        parts.collect::<Vec<_>>()
    };
    let (py, desks) = (records.py(), (&Kept::new(), ""));
    let (statuses, parts) = ask(py, &source, (threads, SLICE), &mut [], desks, make, work)?;
    let parts = parts.iter().flatten().zip(&statuses.codes);
    let parts = parts.map(|(&part, &code)| if code == NULL { NULL } else { part });
    let names = names.iter().map(String::as_str).chain([REJECTED]);
    let (names, parts): (Vec<_>, Vec<_>) = (names.collect(), parts.collect());
    Ok((
        Column::of_names(&names, &parts, &statuses.lengths),
        statuses,
    ))
}

/// The operations of images, by their names.
pub(crate) fn operations(names: &[String]) -> PyResult<Vec<Operation>> {
    let operations = names.iter().map(|name| name.parse().map_err(wrong));
    operations.collect()
}
