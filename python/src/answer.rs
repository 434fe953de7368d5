//! The frame of all questions about records: an answer for each row.
//!
//! Each question answers a slice of rows ([`Task`]). [`ask`] does the rest: it cuts everything into slices, reads
//! the records, and hands the slices to the threads.

use crate::{
    capsules::{AsciiRows, AsciiSlice, Number, SharedNumbers, ascii, numpy_array, take_arrays},
    columns::{Column, list},
    memory::Memory,
    rows::{CandidateRows, Partly, Rows, Texts, no_texts, rows_of_all},
    work::{self, Kept, Lengths, run},
};
use arrow_schema::DataType;
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyByteArray, PyList, PyString, PyTuple},
};
use std::{borrow::Cow, fmt::Display, ops::Range};
use sudoku_batch::{
    Puzzle,
    format::Records,
    grid::{BLANK, CANDIDATES, CELLS},
    questions::{Answer, Data, MadeSet, STATUS_NAMES, Status, TableColumn},
    words::counted,
};

/// The code of a row that is null.
pub(crate) const NULL: u8 = u8::MAX;

/// A value of the caller that cannot be.
pub(crate) fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A status for each row, as codes. Their names are made when they are asked for.
#[pyclass(frozen, module = "sudoku_batch._engine")]
pub(crate) struct Statuses {
    pub(crate) codes: Vec<u8>,
    /// The number of rows of each column of the source.
    pub(crate) lengths: Vec<usize>,
}

#[pymethods]
impl Statuses {
    fn __len__(&self) -> usize {
        self.codes.len()
    }

    /// The names.
    fn names(&self, py: Python<'_>) -> Column {
        py.detach(|| Column::of_names(STATUS_NAMES, &self.codes, &self.lengths))
    }

    /// The codes: places in `STATUSES`, and 255 for null.
    fn codes<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        PyByteArray::new(py, &self.codes)
    }
}

/// The source of records.
pub(crate) struct Source {
    pub(crate) columns: Vec<Box<dyn Rows>>,
    pub(crate) kind: Kind,
    /// The number of the first row, and how many rows belong together by their numbers: one but for records that are made.
    together: (u64, usize),
}

/// The kind of the records, and of the cells that are returned.
#[derive(Clone)]
pub(crate) enum Kind {
    /// Text of an Arrow type.
    Text(DataType),
    /// A list of str.
    List,
    /// 81 numbers.
    Digits(Number),
    /// 729 of them. Solutions go as 81.
    Candidates(Number),
}

impl Source {
    /// The records of an object: text, of a list or one with `__arrow_c_array__` or
    /// `__arrow_c_stream__`, or numbers, of one with the buffer protocol. Numbers may come with a byte for each
    /// row, which is not 0 where the row is missing.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(arrays) = take_arrays(object)? {
            // The values of a dictionary are copied.
            let (data_type, columns) = object.py().detach(|| rows_of_all(arrays))?;
            let kind = Kind::Text(data_type);
            return Ok(Self::of_columns(columns, kind));
        }
        let (rows, kind): (Box<dyn Rows>, _) = if let Ok(list) = object.cast::<PyList>() {
            (Box::new(Texts::of(list)), Kind::List)
        } else if let Ok(pair) = object.cast::<PyTuple>() {
            let (numbers, missing): (Bound<'_, PyAny>, Vec<u8>) = pair.extract()?;
            let Self {
                mut columns, kind, ..
            } = Self::of(&numbers)?;
            let missing: Vec<_> = missing.iter().map(|&byte| byte != 0).collect();
            let rows = columns.remove(0);
            assert_eq!(rows.len(), missing.len());
            (Box::new(Partly { rows, missing }), kind)
        } else {
            let digits = SharedNumbers::of(object)?;
            let number = digits.number;
            match digits.width() {
                Some(CANDIDATES) => (Box::new(CandidateRows(digits)), Kind::Candidates(number)),
                _ => (Box::new(digits), Kind::Digits(number)),
            }
        };
        let columns = vec![rows];
        Ok(Self::of_columns(columns, kind))
    }

    /// Answers or texts that go with these records, one for each.
    pub(crate) fn beside(&self, object: &Bound<'_, PyAny>, what: &str) -> PyResult<Self> {
        let given = Self::of(object)?;
        given.check(true)?;
        if given.rows() != self.rows() {
            return Err(wrong(format_args!(
                "there are {} and {}: {what} i belongs to puzzle i",
                counted(self.rows() as u64, "puzzles"),
                counted(given.rows() as u64, &format!("{what}s"))
            )));
        }
        Ok(given)
    }

    /// Records in columns.
    pub(crate) fn of_columns(columns: Vec<Box<dyn Rows>>, kind: Kind) -> Self {
        Self {
            columns,
            kind,
            together: (0, 1),
        }
    }

    /// The records of a set to make, this number from the first on, as numbers or as text.
    pub(crate) fn made(set: &dyn MadeSet, (first, count): (u64, usize), digits: bool) -> Self {
        let columns = vec![no_texts(count)];
        let kind = match digits {
            true => Kind::Digits(Number::Whole(1)),
            false => Kind::Text(DataType::Utf8),
        };
        Self {
            together: (first, set.together()),
            ..Self::of_columns(columns, kind)
        }
    }

    /// The lengths of slices for this number of threads.
    fn slices(&self, threads: usize, most: usize) -> Lengths {
        let (first, together) = self.together;
        Lengths::of_numbers((first, self.rows()), threads, most, together)
    }

    /// The number of rows of each column.
    pub(crate) fn lengths(&self) -> Vec<usize> {
        self.columns.iter().map(|column| column.len()).collect()
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.lengths().iter().sum()
    }

    /// TypeError: a row has no type of records.
    pub(crate) fn check(&self, all: bool) -> PyResult<()> {
        self.columns.iter().try_for_each(|column| column.check(all))
    }

    /// The columns in which rows stand, which are counted through all columns, and their places there.
    fn parts(&self, rows: Range<usize>) -> impl Iterator<Item = (&dyn Rows, Range<usize>)> {
        let mut first = 0;
        let parts = self.columns.iter().map(move |column| {
            let place = |row: usize| row.saturating_sub(first).min(column.len());
            let part = place(rows.start)..place(rows.end);
            first += column.len();
            (&**column, part)
        });
        parts.filter(|(_, part)| !part.is_empty())
    }

    /// The texts of rows, counted through all columns.
    pub(crate) fn texts(&self, rows: Range<usize>) -> Vec<Option<Cow<'_, [u8]>>> {
        let mut texts = Vec::with_capacity(rows.len());
        for (column, part) in self.parts(rows) {
            column.texts(part, &mut texts);
        }
        texts
    }

    /// Reads rows, counted through all columns, into records that are empty.
    pub(crate) fn read(&self, rows: Range<usize>, records: &mut Records, nulls: &mut Vec<usize>) {
        for (column, part) in self.parts(rows) {
            column.read(part, records, nulls);
        }
    }
}

/// Room for 81 cells a row.
pub(crate) enum Cells {
    Text(DataType, Vec<AsciiRows>),
    List(Vec<Option<Py<PyString>>>),
    Digits(Memory, Number),
}

/// The room of a slice of rows.
pub(crate) enum CellsSlice<'c> {
    Text(AsciiSlice<'c>),
    List(&'c mut [Option<Py<PyString>>]),
    Digits(&'c mut [u8], Number),
}

impl CellsSlice<'_> {
    /// Writes rows. One without cells is null, or all 0.
    fn write<'a>(&mut self, rows: impl Iterator<Item = Option<&'a [u8; CELLS]>>) {
        match self {
            Self::Text(to) => to.write(rows),
            Self::List(list) => Python::attach(|py| {
                for (place, cells) in list.iter_mut().zip(rows) {
                    *place = cells.map(|cells| ascii(py, cells).unbind());
                }
            }),
            Self::Digits(bytes, number) => number.write_rows(rows, bytes),
        }
    }

    /// Writes the cells of a column.
    pub(crate) fn write_column(&mut self, column: &Data<'_>) {
        let rows = column.lines().expect("cells").iter();
        self.write(rows.map(|line| line.first_chunk().filter(|_| line[0] != BLANK)));
    }
}

impl Cells {
    /// Room for as many rows as some columns have.
    pub(crate) fn new(kind: &Kind, lengths: &[usize]) -> Self {
        let rows: usize = lengths.iter().sum();
        match kind {
            Kind::Text(data_type) => {
                let columns = lengths.iter().map(|&rows| AsciiRows::new(rows));
                Self::Text(data_type.clone(), columns.collect())
            }
            Kind::List => Self::List((0..rows).map(|_| None).collect()),
            Kind::Digits(number) | Kind::Candidates(number) => {
                Self::Digits(Memory::any(rows * CELLS * number.bytes()), *number)
            }
        }
    }

    /// The room of slices of some lengths.
    pub(crate) fn slices(&mut self, lengths: Lengths) -> Vec<CellsSlice<'_>> {
        match self {
            Self::Text(_, columns) => {
                let slices = columns.iter_mut().flat_map(|rows| rows.slices(lengths));
                slices.map(CellsSlice::Text).collect()
            }
            Self::List(list) => lengths.of_mut(list, 1).map(CellsSlice::List).collect(),
            Self::Digits(memory, number) => {
                let slices = lengths.of_mut(memory.bytes(), CELLS * number.bytes());
                let slices = slices.map(|slice| CellsSlice::Digits(slice, *number));
                slices.collect()
            }
        }
    }

    /// The cells as a `Column`, a list or an array of numpy.
    pub(crate) fn into_object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        match self {
            Self::Text(data_type, columns) => {
                let column = py.detach(|| Column::of_cells(&data_type, columns));
                Ok(Bound::new(py, column)?.into_any())
            }
            Self::List(list) => Ok(PyList::new(py, list)?.into_any()),
            Self::Digits(memory, number) => numpy_array(py, memory, CELLS, number),
        }
    }
}

impl Kind {
    /// The texts of a column, in its parts, as a `Column`, a list or an array of numpy. If any of them is candidates,
    /// or they are to be, text is a column of `large_string`, and numbers are 729 a row.
    pub(crate) fn object_of<'py>(
        &self,
        py: Python<'py>,
        parts: Vec<TableColumn>,
        are_candidates: bool,
        lengths: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        let texts = || parts.iter().flat_map(TableColumn::texts);
        let rows: usize = lengths.iter().sum();
        let are_cells = || texts().flatten().all(|text| text.len() == CELLS);
        match self {
            Self::List => {
                let texts = texts().map(|text| Ok(text.map(|text| ascii(py, text))));
                Ok(list(py, texts)?.into_any())
            }
            _ if !are_candidates && are_cells() => {
                let write = || {
                    let mut cells = Cells::new(self, lengths);
                    let mut texts = texts().map(|text| text.and_then(<[u8]>::as_array));
                    let lengths = lengths.iter().filter(|length| **length > 0);
                    let whole = Lengths::equal(rows.max(1));
                    for (mut slice, &length) in cells.slices(whole).into_iter().zip(lengths) {
                        slice.write(texts.by_ref().take(length));
                    }
                    cells
                };
                py.detach(write).into_object(py)
            }
            Self::Text(_) => {
                let column = py.detach(|| Column::of_table(TableColumn::joined(parts), 0, lengths));
                Ok(Bound::new(py, column)?.into_any())
            }
            Self::Digits(number) | Self::Candidates(number) => {
                let mut memory = Memory::any(rows * CANDIDATES * number.bytes());
                py.detach(|| {
                    let texts = texts().map(|text| text.and_then(<[u8]>::as_array::<CANDIDATES>));
                    number.write_rows(texts, memory.bytes());
                });
                numpy_array(py, memory, CANDIDATES, *number)
            }
        }
    }
}

/// A slice of rows, and where its answers go.
pub(crate) struct Task<'t> {
    pub(crate) rows: &'t dyn Rows,
    pub(crate) range: Range<usize>,
    /// The number of the first row, counted through all columns.
    pub(crate) first: usize,
    codes: &'t mut [u8],
    /// The memory for the cells among the answers, for each column of cells.
    pub(crate) cells: Vec<CellsSlice<'t>>,
}

impl Task<'_> {
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

/// The memory of a thread: a question or a maker of records, what it reads, and the answer that it fills.
pub(crate) struct Desk<Q> {
    pub(crate) by: Q,
    pub(crate) answer: Answer<'static>,
    pub(crate) records: Records,
    nulls: Vec<usize>,
    /// Room for cells without records.
    pub(crate) cells: Vec<[u8; CELLS]>,
}

impl<Q> Desk<Q> {
    pub(crate) fn new(by: Q, answer: Answer<'static>) -> Self {
        Self {
            by,
            answer,
            records: Records::default(),
            nulls: Vec::new(),
            cells: Vec::new(),
        }
    }

    pub(crate) fn read(&mut self, task: &Task<'_>) {
        self.records.clear();
        let range = task.range.clone();
        task.rows.read(range, &mut self.records, &mut self.nulls);
    }
}

/// Asks for each row of a source: `work` does a slice of at most `most` rows, with a desk that `make`
/// makes. `cells` is room for columns of cells. Gives the statuses, and what each slice gave. Rows that are null
/// get the code [`NULL`] afterwards.
pub(crate) fn ask<Q: Send, Done: Send>(
    py: Python<'_>,
    source: &Source,
    (threads, most): (Option<usize>, usize),
    cells: &mut [Cells],
    (desks, kind): (&Kept<Desk<Q>>, &str),
    make: impl Fn() -> Desk<Q> + Sync,
    work: impl Fn(&mut Desk<Q>, &mut Task<'_>) -> Done + Sync,
) -> PyResult<(Statuses, Vec<Done>)> {
    let lengths = source.lengths();
    let mut codes = vec![0; source.rows()];
    let threads = work::threads(threads);
    let most = most_rows(source, most);
    let of_slices = source.slices(threads, most);
    let slices = cells.iter_mut();
    let mut slices: Vec<_> = slices
        .map(|cells| cells.slices(of_slices).into_iter())
        .collect();
    let (mut tasks, mut first, mut rest) = (Vec::new(), 0, &mut codes[..]);
    for rows in &source.columns {
        for range in of_slices.slices(rows.len()) {
            let (codes, others) = std::mem::take(&mut rest).split_at_mut(range.len());
            rest = others;
            tasks.push(Task {
                rows: &**rows,
                first: first + range.start,
                range,
                codes,
                cells: slices.iter_mut().filter_map(Iterator::next).collect(),
            });
        }
        first += rows.len();
    }
    let quick = most == work::SLICE;
    // Nobody waits for an error if rows take long.
    if !quick {
        source.check(true)?;
    }
    let done = run(py, tasks, threads, quick, |mut task| {
        desks.with(threads, kind, &make, |desk| {
            desk.nulls.clear();
            let done = work(desk, &mut task);
            for &row in &desk.nulls {
                task.codes[row] = NULL;
            }
            done
        })
    })?;
    source.check(false)?;
    Ok((Statuses { codes, lengths }, done))
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
