//! The frame of all questions about records: an answer for each row.
//!
//! Each question answers a slice of rows ([`Task`]). [`ask`] does the rest: it makes
//! room for the answers, cuts everything into slices, reads the records, and hands the slices to the
//! threads.

use crate::{
    capsules::{AsciiRows, AsciiSlice, FreshBytes, Number, SharedNumbers, cut},
    columns::Column,
    rows::{ArrowText, CandidateRows, Rows, Texts, Unread, take_text},
    work::{self, Kept, run, slice_length},
};
use arrow_array::{ArrayRef, LargeStringArray};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyByteArray, PyList, PyString},
};
use std::{borrow::Cow, fmt::Display, ops::Range, sync::Arc};
use sudoku_batch::{
    Candidates, Puzzle,
    format::Records,
    grid::{BLANK, CANDIDATES, CELLS},
    questions::{Data, PuzzleValue, Status},
};

/// The code of a row that is null.
pub(crate) const NULL: u8 = u8::MAX;

/// A value of the caller that cannot be.
pub(crate) fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

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
    /// A list of str.
    List,
    /// 81 numbers.
    Digits(Number),
    /// 729 of them. Solutions go as 81.
    Candidates(Number),
}

impl Kind {
    /// The kind of rows that are given by candidates.
    pub(crate) fn of_candidates(&self) -> Self {
        match self {
            Self::Text(_) | Self::List => Self::Candidates(Number::Whole(1)),
            Self::Digits(number) | Self::Candidates(number) => Self::Candidates(*number),
        }
    }
}

impl Source {
    /// The records of an object: text, of a list or one with `__arrow_c_array__` or
    /// `__arrow_c_stream__`, or numbers, of one with the buffer protocol.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(list) = object.cast::<PyList>() {
            return Ok(Self {
                columns: vec![Box::new(Texts::of(list))],
                kind: Kind::List,
            });
        }
        let arrow = ["__arrow_c_array__", "__arrow_c_stream__"];
        for method in arrow {
            if object.hasattr(method)? {
                let (data_type, texts) = take_text(object)?;
                let columns = texts.into_iter().map(|text: ArrowText| Box::new(text) as _);
                let kind = Kind::Text(data_type);
                return Ok(Self {
                    columns: columns.collect(),
                    kind,
                });
            }
        }
        let digits = SharedNumbers::of(object)?;
        let number = digits.number;
        let (rows, kind): (Box<dyn Rows>, _) = match digits.width() {
            Some(CANDIDATES) => (Box::new(CandidateRows(digits)), Kind::Candidates(number)),
            _ => (Box::new(digits), Kind::Digits(number)),
        };
        Ok(Self {
            columns: vec![rows],
            kind,
        })
    }

    /// This number of records to make, as numbers or as text.
    pub(crate) fn made(count: usize, digits: bool) -> Self {
        Self {
            columns: vec![Box::new(Unread(count))],
            kind: if digits {
                Kind::Digits(Number::Whole(1))
            } else {
                Kind::Text(DataType::Utf8)
            },
        }
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.columns.iter().map(|column| column.len()).sum()
    }

    /// TypeError: a row has no type of records.
    pub(crate) fn check(&self, all: bool) -> PyResult<()> {
        self.columns.iter().try_for_each(|column| column.check(all))
    }

    /// TypeError: the rows are no texts, but numbers.
    pub(crate) fn check_texts(&self) -> PyResult<()> {
        match self.kind {
            Kind::Text(_) | Kind::List => Ok(()),
            _ => Err(PyTypeError::new_err("texts are str, and no numbers")),
        }
    }

    /// The texts of rows, counted through all columns.
    pub(crate) fn texts(&self, rows: Range<usize>) -> Vec<Option<Cow<'_, [u8]>>> {
        let (mut texts, mut first) = (Vec::with_capacity(rows.len()), 0);
        for column in &self.columns {
            let end = first + column.len();
            let (from, to) = (rows.start.max(first), rows.end.min(end));
            if from < to {
                column.texts(from - first..to - first, &mut texts);
            }
            first = end;
        }
        texts
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

/// Room for 81 cells a row, and for text whether a row is written.
pub(crate) enum Cells<'py> {
    Text(DataType, Vec<(AsciiRows, Vec<bool>)>),
    List(Vec<Option<Py<PyString>>>),
    Digits(FreshBytes<'py>, Number),
}

/// The room of a slice of rows.
pub(crate) enum CellsSlice<'c> {
    Text(AsciiSlice<'c>, &'c mut [bool]),
    List(&'c mut [Option<Py<PyString>>]),
    Digits(&'c mut [u8], Number),
}

/// Rows of candidates in the places of cells, with the character for those that are missing: for each
/// column, and each of its rows.
pub(crate) type CandidateCells = Vec<Vec<Option<Box<(Candidates, u8)>>>>;

impl CellsSlice<'_> {
    /// Writes rows, from one on. One without cells is null, or all 0.
    fn write<'a>(&mut self, first: usize, rows: impl Iterator<Item = Option<&'a [u8; CELLS]>>) {
        match self {
            Self::Text(to, written) => {
                for (row, cells) in (first..).zip(rows) {
                    if let Some(cells) = cells {
                        to.write(row, cells);
                        written[row] = true;
                    }
                }
            }
            Self::List(list) => write_list(&mut list[first..], rows),
            Self::Digits(bytes, number) => {
                let width = CELLS * number.bytes();
                // A digit is the low half of its character; that of a point is 14.
                let digit = |cell| if cell == b'.' { 0 } else { cell & 15 };
                let places = bytes[first * width..].chunks_exact_mut(width);
                for (place, cells) in places.zip(rows) {
                    let digits = cells.map_or([0; CELLS], |cells| cells.map(digit));
                    number.write(&digits, place);
                }
            }
        }
    }

    /// Writes the cells of a column, from a row on. Returns the row after the last.
    pub(crate) fn write_column(&mut self, first: usize, column: &Data<'_>) -> usize {
        match column {
            Data::Cells(lines) => {
                let lines = lines.as_slice();
                let rows = lines.iter();
                self.write(
                    first,
                    rows.map(|line| line.first_chunk().filter(|_| line[0] != BLANK)),
                );
                first + lines.len()
            }
            Data::Puzzles(puzzles) => {
                let cells = |row| match puzzles.get(row) {
                    PuzzleValue::Cells(cells) => Some(cells),
                    _ => None,
                };
                self.write(first, (0..puzzles.len()).map(cells));
                first + puzzles.len()
            }
            other => unreachable!("{other:?} are no cells"),
        }
    }
}

/// Writes rows of cells as objects of Python. Some at a time are one text first, whose characters stay in the
/// second-level cache.
fn write_list<'a>(
    list: &mut [Option<Py<PyString>>],
    rows: impl Iterator<Item = Option<&'a [u8; CELLS]>>,
) {
    const AT_ONCE: usize = 1024;
    let (mut places, mut rows) = (list.iter_mut(), rows.peekable());
    let (mut text, mut written) = (Vec::with_capacity(AT_ONCE * CELLS), Vec::new());
    Python::attach(|py| {
        while rows.peek().is_some() {
            for (cells, place) in rows.by_ref().take(AT_ONCE).zip(&mut places) {
                if let Some(cells) = cells {
                    text.extend_from_slice(cells);
                    written.push(place);
                }
            }
            let texts = PyString::new(py, str::from_utf8(&text).expect("ASCII"));
            for (place, text) in written.drain(..).zip(cut(&texts, CELLS)) {
                *place = Some(text.unbind());
            }
            text.clear();
        }
    });
}

impl<'py> Cells<'py> {
    /// Room for as many rows as some columns have.
    pub(crate) fn new(py: Python<'py>, kind: &Kind, lengths: &[usize]) -> PyResult<Self> {
        Ok(match kind {
            Kind::Text(data_type) => {
                let rows = lengths.iter();
                let rows = rows.map(|&rows| (AsciiRows::new(rows), vec![false; rows]));
                Self::Text(data_type.clone(), rows.collect())
            }
            Kind::List => Self::List((0..lengths.iter().sum()).map(|_| None).collect()),
            Kind::Digits(number) | Kind::Candidates(number) => {
                let bytes = FreshBytes::new(py, lengths.iter().sum(), CELLS, *number)?;
                Self::Digits(bytes, *number)
            }
        })
    }

    /// The room of slices of some length.
    pub(crate) fn slices(&mut self, length: usize) -> Vec<CellsSlice<'_>> {
        match self {
            Self::Text(_, columns) => {
                let slices = columns.iter_mut().flat_map(|(rows, written)| {
                    let rows = rows.slices(length);
                    rows.zip(written.chunks_mut(length))
                });
                let slices = slices.map(|(rows, written)| CellsSlice::Text(rows, written));
                slices.collect()
            }
            Self::List(list) => list.chunks_mut(length).map(CellsSlice::List).collect(),
            Self::Digits(bytes, number) => {
                let slices = bytes.bytes().chunks_mut(length * CELLS * number.bytes());
                let slices = slices.map(|slice| CellsSlice::Digits(slice, *number));
                slices.collect()
            }
        }
    }

    /// The cells as a `Column`, a list or an array of numpy. Rows that have candidates in the place of cells
    /// make text a column of `large_string`, and so does the kind of candidates. Numbers are 729 a row if the
    /// kind says so.
    pub(crate) fn into_object(
        self,
        py: Python<'py>,
        kind: &Kind,
        candidates: Option<&CandidateCells>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let is_any = |all: &&CandidateCells| {
            matches!(kind, Kind::Candidates(_)) || all.iter().flatten().any(Option::is_some)
        };
        let column = match (self, candidates, kind) {
            (Self::Text(data_type, columns), candidates, _) => {
                py.detach(|| match candidates.filter(is_any) {
                    Some(candidates) => {
                        let columns = columns.iter().zip(candidates);
                        let arrays = columns.map(|((rows, written), of_rows)| {
                            let cells = rows.texts().zip(written).zip(of_rows);
                            let texts = cells.map(|((cells, written), of_row)| match of_row {
                                Some(of_row) => {
                                    let text = of_row.0.to_ascii(of_row.1);
                                    Some(text.map(char::from).iter().collect())
                                }
                                None => written.then(|| cells.to_owned()),
                            });
                            Arc::new(texts.collect::<LargeStringArray>()) as ArrayRef
                        });
                        Column::new(DataType::LargeUtf8, arrays.collect())
                    }
                    None => {
                        let arrays = columns.into_iter().map(|(rows, written)| {
                            let nulls = NullBuffer::from(written);
                            (rows, Some(nulls).filter(|nulls| nulls.null_count() > 0))
                        });
                        Column::of_cells(&data_type, arrays.collect())
                    }
                })
            }
            (Self::List(mut list), candidates, _) => {
                let of_rows = candidates
                    .iter()
                    .flat_map(|columns| columns.iter().flatten());
                for (text, of_row) in list.iter_mut().zip(of_rows) {
                    if let Some(of_row) = of_row {
                        let places = of_row.0.to_ascii(of_row.1);
                        let places = str::from_utf8(&places).expect("ASCII");
                        *text = Some(PyString::new(py, places).unbind());
                    }
                }
                return Ok(PyList::new(py, list)?.into_any());
            }
            (_, Some(candidates), Kind::Candidates(number)) => {
                let rows = candidates.iter().map(Vec::len).sum();
                let mut numbers = FreshBytes::new(py, rows, CANDIDATES, *number)?;
                let places = numbers.bytes().chunks_mut(CANDIDATES * number.bytes());
                for (place, candidates) in places.zip(candidates.iter().flatten()) {
                    let digits = candidates.as_ref().map(|of_row| of_row.0.to_ascii(b'0'));
                    let digits = digits.map(|digits| digits.map(|digit| digit - b'0'));
                    number.write(&digits.unwrap_or([0; CANDIDATES]), place);
                }
                return Ok(numbers.into_array());
            }
            (Self::Digits(bytes, _), ..) => return Ok(bytes.into_array()),
        };
        Ok(Bound::new(py, column)?.into_any())
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
    /// Where the cells among the answers go, for each column of cells.
    pub(crate) cells: Vec<CellsSlice<'t>>,
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
    pub(crate) cells: Vec<Cells<'py>>,
}

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

/// Asks for each row of a source: `work` does a slice of at most `most` rows, with a question that `make`
/// makes. There is room for this number of columns of `cells`. Rows that are null get the code [`NULL`]
/// afterwards.
#[expect(
    clippy::too_many_arguments,
    reason = "each call names them in one place"
)]
pub(crate) fn ask<'py, Q: Send, A: Clone + Default + Send>(
    py: Python<'py>,
    source: &Source,
    threads: Option<usize>,
    most: usize,
    cells: usize,
    (desks, kind): (&Kept<Desk<Q>>, &str),
    make: impl Fn() -> Q + Sync,
    work: impl Fn(&mut Desk<Q>, &mut Task<'_, A>) + Sync,
) -> PyResult<Answers<'py, A>> {
    let lengths: Vec<_> = source.columns.iter().map(|column| column.len()).collect();
    let mut codes: Vec<_> = lengths.iter().map(|&rows| vec![0; rows]).collect();
    let mut answers: Vec<_> = lengths
        .iter()
        .map(|&rows| vec![A::default(); rows])
        .collect();
    let cells = (0..cells).map(|_| Cells::new(py, &source.kind, &lengths));
    let mut cells = cells.collect::<PyResult<Vec<_>>>()?;
    let threads = work::threads(threads);
    let most = most_rows(source, most);
    let length = slice_length(source.rows(), threads, most);
    let slices = cells
        .iter_mut()
        .map(|cells| cells.slices(length).into_iter());
    let mut slices: Vec<_> = slices.collect();
    let (mut tasks, mut first) = (Vec::new(), 0);
    for ((rows, codes), answers) in source.columns.iter().zip(&mut codes).zip(&mut answers) {
        let places = codes.chunks_mut(length).zip(answers.chunks_mut(length));
        for (start, (codes, answers)) in (0..rows.len()).step_by(length).zip(places) {
            let range = start..start + codes.len();
            let (rows, slices) = (&**rows, slices.iter_mut());
            tasks.push(Task {
                rows,
                range,
                first: first + start,
                codes,
                answers,
                cells: slices.filter_map(Iterator::next).collect(),
            });
        }
        first += rows.len();
    }
    let quick = most == work::SLICE;
    // Where rows take long, nobody waits for an error.
    if !quick {
        source.check(true)?;
    }
    run(py, tasks, threads, quick, |mut task| {
        desks.with(
            threads,
            kind,
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
    source.check(false)?;
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
