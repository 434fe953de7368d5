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
#[pyo3(signature = (records, names, weights, seed, by, threads))]
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
    let work = |desk: &mut Desk<(Split, Uniqueness)>, task: &mut Task<'_, u8>| {
        desk.read(task);
        let (split, uniqueness) = &mut desk.question;
        let divided = split.ask(&desk.records);
        for (answer, &part) in task.answers.iter_mut().zip(divided.parts) {
            *answer = part as u8;
        }
        // A comparison of cells solves nothing.
        task.set_statuses(match by.needs_solution() {
            true => divided.compared.statuses,
            false => uniqueness.ask(&desk.records).solved.statuses,
        });
    };
    let (py, desks) = (records.py(), Kept::new());
    let mut answers = ask(py, &source, threads, SLICE, 0, (&desks, ""), make, work)?;
    for (parts, codes) in answers.answers.iter_mut().zip(&answers.codes) {
        let nulls = parts
            .iter_mut()
            .zip(codes)
            .filter(|(_, code)| **code == NULL);
        nulls.for_each(|(part, _)| *part = NULL);
    }
    let names = names.iter().map(String::as_str).chain([REJECTED]);
    let parts = Column::of_names(&names.collect::<Vec<_>>(), &answers.answers);
    Ok((parts, Statuses(answers.codes)))
}

/// The operations of images, by their names.
pub(crate) fn operations(names: &[String]) -> PyResult<Vec<Operation>> {
    let operations = names.iter().map(|name| name.parse().map_err(wrong));
    operations.collect()
}
