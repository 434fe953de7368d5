//! The frame of all questions about records: an answer for each row.
//!
//! Each question answers a slice of rows ([`Task`]). [`ask`] does the rest: it makes
//! room for the answers, cuts everything into slices, reads the records, and hands the slices to the
//! threads.

use crate::{
    capsules::{AsciiRows, AsciiSlice, FreshBytes, SharedBytes},
    columns::Column,
    rows::{CandidateRows, Rows, Text, take_text},
    work::{self, Keeper, Kept, run, slice_length},
};
use arrow_array::{ArrayRef, LargeStringArray};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::DataType;
use pyo3::{prelude::*, types::PyByteArray};
use std::{ops::Range, sync::Arc};
use sudoku_batch::{
    Candidates, Puzzle,
    format::Records,
    grid::{CANDIDATES, CELLS},
    questions::Status,
};

/// The code of a row that is null.
pub(crate) const NULL: u8 = u8::MAX;

/// The names of the statuses. A code is a place among them.
pub(crate) fn names() -> Vec<&'static str> {
    Status::ALL.iter().map(|status| status.name()).collect()
}

/// A status for each row, as codes. Their names are made when they are asked for.
#[pyclass(frozen, module = "sudoku_batch._engine")]
pub(crate) struct Statuses(pub(crate) Vec<Vec<u8>>);

#[pymethods]
impl Statuses {
    fn __len__(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The names.
    fn names(&self, py: Python<'_>) -> Column {
        py.detach(|| Column::of_names(&names(), &self.0))
    }

    /// The codes: places in `STATUSES`, and 255 for null.
    fn codes<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        PyByteArray::new(py, &self.0.concat())
    }
}

/// Where records come from.
pub(crate) struct Source {
    pub(crate) columns: Vec<Box<dyn Rows>>,
    pub(crate) kind: Kind,
}

/// What records come as, and cells go as.
#[derive(Clone)]
pub(crate) enum Kind {
    /// Text of an Arrow type.
    Text(DataType),
    /// 81 numbers of one byte each.
    Digits,
    /// 729 of them. Solutions go as 81.
    Candidates,
}

impl Kind {
    /// The kind of the solutions of such records.
    pub(crate) fn of_solutions(&self) -> Self {
        match self {
            Self::Candidates => Self::Digits,
            other => other.clone(),
        }
    }
}

impl Source {
    /// The kind of rows that are given by candidates.
    pub(crate) const CANDIDATES: Kind = Kind::Candidates;

    /// The records of an object: text, of one with `__arrow_c_array__` or
    /// `__arrow_c_stream__`, or numbers, of one with the buffer protocol.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let arrow = ["__arrow_c_array__", "__arrow_c_stream__"];
        for method in arrow {
            if object.hasattr(method)? {
                let (data_type, texts) = take_text(object)?;
                let columns = texts.into_iter().map(|text: Text| Box::new(text) as _);
                let kind = Kind::Text(data_type);
                return Ok(Self {
                    columns: columns.collect(),
                    kind,
                });
            }
        }
        let digits = SharedBytes::of(object)?;
        let (rows, kind): (Box<dyn Rows>, _) = match digits.width() {
            Some(CANDIDATES) => (Box::new(CandidateRows(digits)), Kind::Candidates),
            _ => (Box::new(digits), Kind::Digits),
        };
        Ok(Self {
            columns: vec![rows],
            kind,
        })
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.columns.iter().map(|column| column.len()).sum()
    }

    /// Reads rows, counted through all columns, into records that are empty.
    pub(crate) fn read(&self, rows: Range<usize>, records: &mut Records, nulls: &mut Vec<usize>) {
        let mut first = 0;
        for column in &self.columns {
            let end = first + column.len();
            let (from, to) = (rows.start.max(first), rows.end.min(end));
            if from < to {
                column.read(from - first..to - first, records, nulls);
            }
            first = end;
        }
    }
}

/// Room for 81 cells a row.
pub(crate) enum Cells<'py> {
    Text(DataType, Vec<AsciiRows>),
    Digits(FreshBytes<'py>),
}

/// The room of a slice of rows.
pub(crate) enum CellsSlice<'c> {
    Text(AsciiSlice<'c>),
    Digits(&'c mut [[u8; CELLS]]),
}

impl CellsSlice<'_> {
    /// Writes a row. Rows that are never written are null, or all 0.
    pub(crate) fn write(&mut self, row: usize, cells: &[u8; CELLS]) {
        match self {
            Self::Text(rows) => rows.write(row, cells),
            // A digit is the low half of its character; that of a point is 14.
            Self::Digits(rows) => {
                rows[row] = cells.map(|cell| if cell == b'.' { 0 } else { cell & 15 });
            }
        }
    }
}

impl<'py> Cells<'py> {
    /// Room for as many rows as some columns have.
    pub(crate) fn new(py: Python<'py>, kind: &Kind, lengths: &[usize]) -> PyResult<Self> {
        Ok(match kind {
            Kind::Text(data_type) => {
                let rows = lengths.iter().map(|&rows| AsciiRows::new(rows));
                Self::Text(data_type.clone(), rows.collect())
            }
            Kind::Digits | Kind::Candidates => {
                Self::Digits(FreshBytes::new(py, lengths.iter().sum(), CELLS)?)
            }
        })
    }

    /// The room of slices of some length.
    pub(crate) fn slices(&mut self, length: usize) -> Vec<CellsSlice<'_>> {
        match self {
            Self::Text(_, columns) => {
                let slices = columns.iter_mut().flat_map(|column| column.slices(length));
                slices.map(CellsSlice::Text).collect()
            }
            Self::Digits(bytes) => {
                let slices = bytes.bytes().as_chunks_mut().0.chunks_mut(length);
                slices.map(CellsSlice::Digits).collect()
            }
        }
    }

    /// The cells as a `Column` or an array of numpy. `written` says which rows of each column have
    /// cells.
    pub(crate) fn into_object(
        self,
        py: Python<'py>,
        written: &[Vec<bool>],
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Text(data_type, columns) => {
                let column = py.detach(|| {
                    let nulls = written.iter().map(|written| {
                        let nulls = BooleanBuffer::collect_bool(written.len(), |row| written[row]);
                        Some(NullBuffer::new(nulls)).filter(|nulls| nulls.null_count() > 0)
                    });
                    Column::of_cells(&data_type, columns.into_iter().zip(nulls).collect())
                });
                Ok(Bound::new(py, column)?.into_any())
            }
            Self::Digits(bytes) => Ok(bytes.into_array()),
        }
    }
}

/// Rows of candidates in the places of cells, with the character for those that are missing: for each
/// column, and each of its rows.
pub(crate) type CandidateCells = Vec<Vec<Option<Box<(Candidates, u8)>>>>;

impl<'py> Cells<'py> {
    /// The same for puzzles of records: some rows have candidates in place of their cells. If any has, or the
    /// kind says so, text is a column of `large_string`. Numbers are 729 a row if the kind says so.
    pub(crate) fn into_puzzles(
        self,
        py: Python<'py>,
        kind: &Kind,
        written: &[Vec<bool>],
        candidates: &CandidateCells,
    ) -> PyResult<Bound<'py, PyAny>> {
        let any = candidates.iter().flatten().any(Option::is_some);
        match (self, kind) {
            (Self::Text(_, columns), kind) if any || matches!(kind, Kind::Candidates) => {
                let column = py.detach(|| {
                    let columns = columns.iter().zip(candidates).zip(written);
                    let arrays = columns.map(|((rows, candidates), written)| {
                        let cells = rows.texts().zip(written);
                        let texts =
                            cells
                                .zip(candidates)
                                .map(|((cells, &is_there), candidates)| match candidates {
                                    Some(of_row) => {
                                        let text = of_row.0.to_ascii(of_row.1);
                                        Some(text.map(char::from).iter().collect())
                                    }
                                    None => is_there.then(|| cells.to_owned()),
                                });
                        Arc::new(texts.collect::<LargeStringArray>()) as ArrayRef
                    });
                    Column::new(DataType::LargeUtf8, arrays.collect())
                });
                Ok(Bound::new(py, column)?.into_any())
            }
            (_, Kind::Candidates) => {
                let rows = candidates.iter().map(Vec::len).sum();
                let mut numbers = FreshBytes::new(py, rows, CANDIDATES)?;
                let places = numbers.bytes().as_chunks_mut::<CANDIDATES>().0;
                for (place, candidates) in places.iter_mut().zip(candidates.iter().flatten()) {
                    if let Some(of_row) = candidates {
                        *place = of_row.0.to_ascii(b'0').map(|digit| digit - b'0');
                    }
                }
                Ok(numbers.into_array())
            }
            (cells, _) => cells.into_object(py, written),
        }
    }
}

/// A slice of rows, and where its answers go.
pub(crate) struct Task<'t, A> {
    pub(crate) rows: &'t dyn Rows,
    pub(crate) range: Range<usize>,
    /// The number of the first row, counted through all columns.
    first: usize,
    codes: &'t mut [u8],
    pub(crate) answers: &'t mut [A],
    /// Where cells are among the answers.
    pub(crate) cells: Option<CellsSlice<'t>>,
}

impl<A> Task<'_, A> {
    /// The rows, counted through all columns.
    pub(crate) fn rows(&self) -> Range<usize> {
        self.first..self.first + self.codes.len()
    }

    /// Takes the statuses of the rows.
    pub(crate) fn set_statuses(&mut self, statuses: &[Status]) {
        for (code, &status) in self.codes.iter_mut().zip(statuses) {
            *code = status as u8;
        }
    }
}

/// The answers to a question, for each column of the source.
pub(crate) struct Answers<'py, A> {
    pub(crate) codes: Vec<Vec<u8>>,
    pub(crate) answers: Vec<Vec<A>>,
    pub(crate) cells: Option<Cells<'py>>,
}

/// A question that threads keep from call to call, with their memory.
pub(crate) type Desks<Q> = Kept<Desk<Q>>;

/// A question, and what a thread reads.
pub(crate) struct Desk<Q> {
    pub(crate) question: Q,
    pub(crate) records: Records,
    nulls: Vec<usize>,
    /// Room for cells without records.
    pub(crate) cells: Vec<[u8; CELLS]>,
}

impl<Q> Desk<Q> {
    fn new(question: Q) -> Self {
        Self {
            question,
            records: Records::default(),
            nulls: Vec::new(),
            cells: Vec::new(),
        }
    }

    pub(crate) fn read<A>(&mut self, task: &Task<'_, A>) {
        self.records.clear();
        let range = task.range.clone();
        task.rows.read(range, &mut self.records, &mut self.nulls);
    }
}

/// Asks for each record: `work` does a slice of at most `most` rows, with a question that `make`
/// makes. Rows that are null get the code [`NULL`] afterwards.
#[expect(
    clippy::too_many_arguments,
    reason = "each call names them in one place"
)]
pub(crate) fn ask<'py, Q: Send, A: Clone + Default + Send>(
    py: Python<'py>,
    source: &Source,
    threads: Option<usize>,
    most: usize,
    cells: bool,
    desks: &impl Keeper<Desk<Q>>,
    make: impl Fn() -> Q + Sync,
    work: impl Fn(&mut Desk<Q>, &mut Task<'_, A>) + Sync,
) -> PyResult<Answers<'py, A>> {
    ask_unread(
        py,
        source,
        threads,
        most,
        cells,
        desks,
        make,
        |desk, task| {
            desk.read(task);
            work(desk, task);
        },
    )
}

/// As [`ask`], for work that reads the rows itself.
#[expect(
    clippy::too_many_arguments,
    reason = "each call names them in one place"
)]
pub(crate) fn ask_unread<'py, Q: Send, A: Clone + Default + Send>(
    py: Python<'py>,
    source: &Source,
    threads: Option<usize>,
    most: usize,
    cells: bool,
    desks: &impl Keeper<Desk<Q>>,
    make: impl Fn() -> Q + Sync,
    work: impl Fn(&mut Desk<Q>, &mut Task<'_, A>) + Sync,
) -> PyResult<Answers<'py, A>> {
    let lengths: Vec<_> = source.columns.iter().map(|column| column.len()).collect();
    let mut codes: Vec<_> = lengths.iter().map(|&rows| vec![0; rows]).collect();
    let mut answers: Vec<_> = lengths
        .iter()
        .map(|&rows| vec![A::default(); rows])
        .collect();
    let cells = cells.then(|| Cells::new(py, &source.kind, &lengths));
    let mut cells = cells.transpose()?;
    let threads = work::threads(threads);
    let most = most_rows(source, most);
    let length = slice_length(source.rows(), threads, most);
    let slices = cells.as_mut().map(|cells| cells.slices(length));
    let mut slices = slices.into_iter().flatten();
    let (mut tasks, mut first) = (Vec::new(), 0);
    for ((rows, codes), answers) in source.columns.iter().zip(&mut codes).zip(&mut answers) {
        let places = codes.chunks_mut(length).zip(answers.chunks_mut(length));
        for (start, (codes, answers)) in (0..rows.len()).step_by(length).zip(places) {
            let range = start..start + codes.len();
            let (rows, cells) = (&**rows, slices.next());
            tasks.push(Task {
                rows,
                range,
                first: first + start,
                codes,
                answers,
                cells,
            });
        }
        first += rows.len();
    }
    let quick = most == work::SLICE;
    run(py, tasks, threads, quick, |mut task| {
        desks.with(
            || Desk::new(make()),
            |desk| {
                desk.nulls.clear();
                work(desk, &mut task);
                for &row in &desk.nulls {
                    task.codes[row] = NULL;
                }
            },
        );
    })?;
    Ok(Answers {
        codes,
        answers,
        cells,
    })
}

/// How many rows a slice has at most, for Ctrl-C to be heard soon: few where records are sparse.
/// A puzzle with fewer than 17 clues never has one solution, and an empty grid takes the solver a
/// tenth of a millisecond, a thousand times as long as a good puzzle. A few rows are looked at.
fn most_rows(source: &Source, most: usize) -> usize {
    const LOOKED_AT: usize = 32;
    const OF_SPARSE: usize = 256;
    let (mut records, mut nulls) = (Records::default(), Vec::new());
    let rows = source.rows();
    for row in (0..rows).step_by(rows.div_ceil(LOOKED_AT).max(1)) {
        source.read(row..row + 1, &mut records, &mut nulls);
    }
    let is_sparse = |puzzle: Puzzle| puzzle.clue_count() < 17;
    match (0..records.len()).any(|row| records.puzzle_of_cells(row).is_ok_and(is_sparse)) {
        true => most.min(OF_SPARSE),
        false => most,
    }
}
