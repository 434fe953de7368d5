//! Parts of sets, and images.

use crate::{
    answer::{CandidateCells, Cells, Desk, Kind, NULL, Source, Statuses, Task, ask},
    columns::Column,
    work::{Kept, SLICE},
};
use arrow_array::Int64Array;
use pyo3::{exceptions::PyValueError, prelude::*};
use std::{iter::repeat_n, ops::Range};
use sudoku_batch::{
    Candidates, Puzzle,
    dataset::{self, Equivalence, Operation},
    format::Records,
    grid::{AnyPuzzle, BLANK, CELLS, GridLine},
    questions::{Augment, REJECTED, Split, Uniqueness},
    solve::NO_SOLUTION,
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
    let wrong = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
    if names.len() != weights.len() || names.len() > MOST_PARTS {
        return Err(PyValueError::new_err("there are to be 1 to 254 parts"));
    }
    if names.iter().any(|name| name == REJECTED) {
        return Err(PyValueError::new_err(
            "the part \"rejected\" is for records that cannot be compared",
        ));
    }
    let by: Equivalence = by.parse().map_err(|error| wrong(&error))?;
    let split = dataset::Split::new(seed, &weights).map_err(|error| wrong(&error))?;
    let source = Source::of(records)?;
    let make = || {
        (
            Split::new(split.clone(), names.clone(), by),
            Uniqueness::default(),
        )
    };
    let work = |desk: &mut Desk<(Split, Uniqueness)>, task: &mut Task<'_, u8>| {
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
    let mut answers = ask(py, &source, threads, SLICE, false, &desks, make, work)?;
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

/// The cells of some rows; `None` for a row that is malformed or null.
pub(crate) fn puzzles(source: &Source, rows: Range<usize>) -> Vec<Option<Puzzle>> {
    let mut records = Records::default();
    source.read(rows, &mut records, &mut Vec::new());
    let puzzles = (0..records.len()).map(|row| records.puzzle_of_cells(row).ok());
    puzzles.collect()
}

/// The operations of images, by their names.
pub(crate) fn operations(names: &[String]) -> PyResult<Vec<Operation>> {
    let operation = |name: &String| {
        let known = Operation::ALL.iter();
        let found = known.clone().find(|operation| operation.name() == name);
        found.copied().ok_or_else(|| {
            let names: Vec<_> = known.map(|operation| operation.name()).collect();
            PyValueError::new_err(format!(
                "no operation is called {name:?}; there is: {}",
                names.join(", ")
            ))
        })
    };
    names.iter().map(operation).collect()
}

/// The images of a record, and of its solution. With `keep` the record itself comes first.
#[derive(Clone, Default)]
pub(crate) struct Made {
    pub(crate) puzzles: Vec<GridLine>,
    /// These in place of `puzzles`, where the record is given by candidates.
    candidates: Vec<(Candidates, u8)>,
    /// As many, or none.
    solutions: Vec<GridLine>,
}

impl Made {
    fn rows(&self) -> usize {
        self.puzzles.len() + self.candidates.len()
    }
}

/// Images of each record: the numbers of the records, images, and those of the solutions, if
/// there are solutions.
#[pyfunction]
#[pyo3(signature = (records, solutions, copies, seed, include, keep, threads))]
pub(crate) fn augment<'py>(
    records: &Bound<'py, PyAny>,
    solutions: Option<&Bound<'py, PyAny>>,
    copies: usize,
    seed: u64,
    include: Vec<String>,
    keep: bool,
    threads: Option<usize>,
) -> PyResult<(Column, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)> {
    let py = records.py();
    let operations = operations(&include)?;
    let source = Source::of(records)?;
    let given = solutions.map(Source::of).transpose()?;
    if given
        .as_ref()
        .is_some_and(|given| given.rows() != source.rows())
    {
        return Err(PyValueError::new_err(
            "there is not a solution for each record",
        ));
    }
    // A slice is to take well under a second.
    let most = (SLICE / copies.max(1)).clamp(1, SLICE);
    let make = || {
        let question = Augment::new(seed, &operations, copies);
        if keep { question.keep() } else { question }
    };
    let work = |desk: &mut Desk<Augment>, task: &mut Task<'_, Made>| {
        let solutions = given.as_ref().map(|given| puzzles(given, task.rows()));
        let solution = |row: usize| solutions.as_ref().and_then(|solutions| solutions[row]);
        desk.question.ask(&desk.records, solution, |row, images| {
            let Ok(images) = images else { return };
            let made = &mut task.answers[row];
            let blank = desk.records.blank(row);
            if keep {
                match desk.records.puzzle(row) {
                    Ok(AnyPuzzle::Cells(puzzle)) => made.puzzles.push(line_of(&puzzle)),
                    Ok(AnyPuzzle::Candidates(of_row)) => made.candidates.push((of_row, blank)),
                    Err(_) => {}
                }
                made.solutions
                    .extend(solution(row).map(|solution| line_of(&solution)));
            }
            made.puzzles.extend_from_slice(images.puzzle_lines());
            let candidates = images.candidates().iter();
            made.candidates
                .extend(candidates.map(|&of_image| (of_image, blank)));
            made.solutions.extend_from_slice(images.solution_lines());
            if blank != BLANK {
                for cell in made.puzzles.iter_mut().flatten() {
                    *cell = if *cell == BLANK { blank } else { *cell };
                }
            }
        });
    };
    let desks = Kept::new();
    let answers = ask(py, &source, threads, most, false, &desks, make, work)?;
    let made: Vec<_> = answers.answers.into_iter().flatten().collect();
    let given = given.as_ref().map(|given| given.kind.of_solutions());
    flatten(py, &source.kind, given.as_ref(), &made)
}

/// All that records were made into: the number of the record of each row, the rows, and their
/// solutions where these are of a kind.
pub(crate) fn flatten<'py>(
    py: Python<'py>,
    kind: &Kind,
    solutions_kind: Option<&Kind>,
    made: &[Made],
) -> PyResult<(Column, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)> {
    let numbers = made.iter().enumerate();
    let numbers = numbers.flat_map(|(row, made)| repeat_n(row as i64, made.rows()));
    let numbers: Int64Array = numbers.collect::<Vec<_>>().into();
    let rows = numbers.len();
    type Lines<'l> = dyn Iterator<Item = Option<&'l GridLine>> + Send + 'l;
    let cells_of = |kind: &Kind, all: &mut Lines<'_>, candidates: &CandidateCells| {
        let mut cells = Cells::new(py, kind, &[rows])?;
        let mut written = vec![false; rows];
        if let Some(mut slice) = cells.slices(rows.max(1)).pop() {
            py.detach(|| {
                for (row, (line, written)) in all.zip(&mut written).enumerate() {
                    if let Some(line) = line {
                        slice.write(row, line.first_chunk().expect("81 of 82"));
                        *written = true;
                    }
                }
            });
        }
        cells.into_puzzles(py, kind, &[written], candidates)
    };
    let rows_of = |made: &'_ Made| 0..made.rows();
    let mut puzzles = (made.iter()).flat_map(|made| rows_of(made).map(|row| made.puzzles.get(row)));
    let candidates = made
        .iter()
        .flat_map(|made| rows_of(made).map(|row| made.candidates.get(row).copied().map(Box::new)));
    let images = cells_of(kind, &mut puzzles, &vec![candidates.collect()])?;
    let mut solutions =
        (made.iter()).flat_map(|made| rows_of(made).map(|row| made.solutions.get(row)));
    let none = vec![vec![None; rows]];
    let solutions = solutions_kind.map(|kind| cells_of(kind, &mut solutions, &none));
    Ok((
        Column::of_numbers(vec![numbers]),
        images,
        solutions.transpose()?,
    ))
}

fn line_of(puzzle: &Puzzle) -> GridLine {
    let mut line = NO_SOLUTION;
    line[..CELLS].copy_from_slice(puzzle.as_ascii());
    line
}
