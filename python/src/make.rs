//! Grids and puzzles by number: item i is made from the seed and i alone.

use crate::{
    answer::{Desk, Source, Task, wrong},
    question::{Filling, Named, Shape, fill, wrong_setting},
    work::Kept,
};
use pyo3::prelude::*;
use sudoku_batch::questions::{Answer, MakeRecords, SETS};

/// Makes the records of a set with the numbers from `first` on: the columns that are wanted.
#[pyfunction]
pub(crate) fn make<'py>(
    py: Python<'py>,
    set: &str,
    settings: Vec<(String, String)>,
    wanted: Vec<String>,
    numbers: (u64, usize),
    digits: bool,
    threads: Option<usize>,
) -> PyResult<Vec<Named<'py>>> {
    let definition = SETS.iter().find(|definition| definition.name == set);
    let definition = definition.ok_or_else(|| wrong(format_args!("there is no set {set}")))?;
    let texts = settings.iter().map(|(name, text)| (&name[..], &text[..]));
    let set = definition.with(texts).map_err(wrong_setting)?;
    let (first, count) = numbers;
    set.numbers(first, count as u64).map_err(wrong_setting)?;
    let columns = set.columns();
    let is_wanted = |name: &str| wanted.iter().any(|wanted| wanted == name);
    let given: Vec<_> = columns
        .iter()
        .filter(|column| is_wanted(column.name))
        .copied()
        .collect();
    let shape = Shape {
        filled: &columns,
        all: &given,
        has_several_rows: false,
        has_limit: false,
        answers: None,
    };
    let work = |desk: &mut Desk<Filling<MakeRecords>>, task: &Task<'_>, answer: &mut Answer<'_>| {
        let rows = task.rows();
        answer.begin(rows.len());
        answer.keep_places(true);
        let number = |row: usize| first + row as u64;
        (desk.question.by)(number(rows.start)..number(rows.end), answer);
    };
    let source = Source::made(count, digits);
    let rows = (&source, threads, set.batch());
    let (made, _) = fill(py, rows, &shape, (&Kept::new(), ""), || set.worker(), work)?;
    Ok(made)
}
