//! Questions about records: one answer for each row.

use crate::{
    capsules::{AsciiRows, AsciiSlice, FreshBytes, SharedBytes},
    columns::Column,
    rows::{Rows, Text, take_text},
    work::{self, Kept, run, slice_length},
};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use pyo3::{prelude::*, types::PyByteArray};
use std::ops::Range;
use sudoku_batch::{
    Batch, Question, Solver,
    batch::Status,
    format::Records,
    grid::{CELLS, GridLine},
    solve::NO_SOLUTION,
};

/// The statuses of records. A code is a place in this list.
pub(crate) const STATUSES: [&str; 7] = [
    "unique",
    "multiple",
    "no-solution",
    "malformed",
    "row-duplicate",
    "column-duplicate",
    "box-duplicate",
];
const UNIQUE: u8 = 0;
const MULTIPLE: u8 = 1;

/// The code of a row that is null.
const NULL: u8 = u8::MAX;

/// The code of a status.
fn code(status: Status) -> u8 {
    let name = match status {
        Status::Solved => return UNIQUE,
        Status::Several => return MULTIPLE,
        Status::Rejected(reason) => reason.name(),
        _ => unreachable!("a status of this version"),
    };
    let code = STATUSES.iter().position(|&status| status == name);
    code.expect("each reason is a status") as u8
}

/// A status for each row, as codes. Their names are made when they are asked for.
#[pyclass(frozen, module = "sudoku_batch._engine")]
pub(crate) struct Statuses(Vec<Vec<u8>>);

#[pymethods]
impl Statuses {
    fn __len__(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The names.
    fn names(&self, py: Python<'_>) -> Column {
        py.detach(|| Column::of_names(&STATUSES, &self.0))
    }

    /// The codes, places in `STATUSES`; 255 is null.
    fn codes<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        PyByteArray::new(py, &self.0.concat())
    }
}

/// What a thread keeps.
struct Desk {
    batch: Batch,
    records: Records,
    nulls: Vec<usize>,
    lines: Vec<GridLine>,
}

static DESKS: Kept<Desk> = Kept::new();

impl Desk {
    fn new() -> Self {
        Self {
            batch: Batch::new(Solver::new()),
            records: Records::default(),
            nulls: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Reads some rows.
    fn read(&mut self, rows: &dyn Rows, range: Range<usize>) {
        self.records.clear();
        self.nulls.clear();
        rows.read(range, &mut self.records, &mut self.nulls);
    }

    /// Solves the rows that were read: a code for each, and `write` gets the number and the
    /// cells of each row that has a solution to give.
    fn solve(
        &mut self,
        question: Question,
        codes: &mut [u8],
        mut write: impl FnMut(usize, &[u8; CELLS]),
    ) {
        self.lines.resize(self.records.len(), NO_SOLUTION);
        let answers = self.batch.solve(&self.records, question, &mut self.lines);
        if answers.tally().solved() == codes.len() as u64 && answers.tally().several == 0 {
            codes.fill(UNIQUE);
        } else {
            for (row, place) in codes.iter_mut().enumerate() {
                *place = code(answers.status(row));
            }
        }
        for (row, (line, &code)) in self.lines.iter().zip(&*codes).enumerate() {
            if is_solved(code, question) {
                write(row, line.first_chunk().expect("81 of 82"));
            }
        }
        for &row in &self.nulls {
            codes[row] = NULL;
        }
    }
}

/// Whether a row with this code has a solution to give.
fn is_solved(code: u8, question: Question) -> bool {
    code == UNIQUE || code == MULTIPLE && question == Question::Solution
}

fn question(unique: bool) -> Question {
    match unique {
        true => Question::Unique,
        false => Question::Solution,
    }
}

/// The nulls of the solutions with these codes.
fn unsolved(codes: &[u8], question: Question) -> Option<NullBuffer> {
    let solved = |row: usize| is_solved(codes[row], question);
    let nulls = NullBuffer::new(BooleanBuffer::collect_bool(codes.len(), solved));
    Some(nulls).filter(|nulls| nulls.null_count() > 0)
}

/// The ranges of slices of some length.
fn ranges(rows: usize, length: usize) -> impl Iterator<Item = Range<usize>> {
    let range = move |start| start..rows.min(start + length);
    (0..rows).step_by(length).map(range)
}

/// Solves the text of an object with `__arrow_c_array__` or `__arrow_c_stream__`: solutions,
/// in the type of the text, and statuses.
#[pyfunction]
#[pyo3(signature = (texts, unique, threads))]
pub(crate) fn solve(
    texts: &Bound<'_, PyAny>,
    unique: bool,
    threads: Option<usize>,
) -> PyResult<(Column, Statuses)> {
    struct Job<'j> {
        text: &'j Text,
        range: Range<usize>,
        cells: AsciiSlice<'j>,
        codes: &'j mut [u8],
    }
    let py = texts.py();
    let question = question(unique);
    let (data_type, texts) = take_text(texts)?;
    let mut cells: Vec<_> = texts
        .iter()
        .map(|text| AsciiRows::new(text.len()))
        .collect();
    let mut codes: Vec<_> = texts.iter().map(|text| vec![0; text.len()]).collect();
    let threads = work::threads(threads);
    let length = slice_length(texts.iter().map(Rows::len).sum(), threads);
    let mut jobs = Vec::new();
    for ((text, cells), codes) in texts.iter().zip(&mut cells).zip(&mut codes) {
        let places = cells.slices(length).zip(codes.chunks_mut(length));
        let slices = ranges(text.len(), length).zip(places);
        jobs.extend(slices.map(|(range, (cells, codes))| Job {
            text,
            range,
            cells,
            codes,
        }));
    }
    run(py, jobs, threads, |mut job| {
        DESKS.with(Desk::new, |desk| {
            desk.read(job.text, job.range);
            desk.solve(question, job.codes, |row, cells| {
                job.cells.write(row, cells)
            });
        });
    })?;
    let column = py.detach(|| {
        let nulls = codes.iter().map(|codes| unsolved(codes, question));
        Column::of_cells(&data_type, cells.into_iter().zip(nulls).collect())
    });
    Ok((column, Statuses(codes)))
}

/// Solves rows of 81 numbers, one byte each, of an object with the buffer protocol:
/// solutions, as such an array of numpy, and statuses. A row without a solution is all 0.
#[pyfunction]
#[pyo3(signature = (digits, unique, threads))]
pub(crate) fn solve_digits<'py>(
    digits: &Bound<'py, PyAny>,
    unique: bool,
    threads: Option<usize>,
) -> PyResult<(Bound<'py, PyAny>, Statuses)> {
    struct Job<'j> {
        range: Range<usize>,
        solutions: &'j mut [[u8; CELLS]],
        codes: &'j mut [u8],
    }
    let py = digits.py();
    let question = question(unique);
    let digits = SharedBytes::of(digits)?;
    let rows = Rows::len(&digits);
    let mut solutions = FreshBytes::new(py, rows, CELLS)?;
    let mut codes = vec![0; rows];
    let threads = work::threads(threads);
    let length = slice_length(rows, threads);
    let places = solutions.bytes().as_chunks_mut().0.chunks_mut(length);
    let places = places.zip(codes.chunks_mut(length));
    let jobs = ranges(rows, length).zip(places);
    let jobs = jobs.map(|(range, (solutions, codes))| Job {
        range,
        solutions,
        codes,
    });
    run(py, jobs.collect(), threads, |job| {
        DESKS.with(Desk::new, |desk| {
            desk.read(&digits, job.range);
            desk.solve(question, job.codes, |row, cells| {
                job.solutions[row] = cells.map(|cell| cell & 15);
            });
        });
    })?;
    Ok((solutions.into_array(), Statuses(vec![codes])))
}
