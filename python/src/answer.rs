//! Questions about records: an answer for each row.
//!
//! Each question says what a thread does with a slice of rows ([`Task`]). [`ask`] does the
//! rest: it makes room for the answers, cuts everything into slices, and hands the slices to
//! the threads.

use crate::{
    capsules::{AsciiRows, AsciiSlice, FreshBytes, SharedBytes},
    columns::Column,
    rows::{Rows, Text, take_text},
    work::{self, Kept, Stop, run, slice_length},
};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::DataType;
use pyo3::{prelude::*, types::PyByteArray};
use std::ops::Range;
use sudoku_batch::{
    Batch, Grid, Puzzle, Question, Reason, Solver,
    format::Records,
    grid::{CELLS, GridLine},
    solve::NO_SOLUTION,
    technique::Rater,
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
pub(crate) const UNIQUE: u8 = 0;
pub(crate) const MULTIPLE: u8 = 1;
pub(crate) const MALFORMED: u8 = 3;

/// The code of a row that is null.
pub(crate) const NULL: u8 = u8::MAX;

/// The code of a status.
fn code(name: &str) -> u8 {
    let code = STATUSES.iter().position(|&known| known == name);
    code.expect("each status has a code") as u8
}

/// The code of a puzzle without a solution: a digit may stand twice in a house.
pub(crate) fn code_of_unsolvable(puzzle: &Puzzle) -> u8 {
    let reason = puzzle
        .conflict()
        .map_or(Reason::NoSolution, Reason::Duplicate);
    code(reason.name())
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
        py.detach(|| Column::of_names(&STATUSES, &self.0))
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
}

impl Source {
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
        Ok(Self {
            columns: vec![Box::new(digits)],
            kind: Kind::Digits,
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
            Kind::Digits => Self::Digits(FreshBytes::new(py, lengths.iter().sum(), CELLS)?),
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

    /// The cells as a `Column` or an array of numpy. Tells for each row by its code whether
    /// it was written.
    pub(crate) fn into_object(
        self,
        py: Python<'py>,
        codes: &[Vec<u8>],
        written: impl Fn(u8) -> bool + Send + Sync,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Text(data_type, columns) => {
                let column = py.detach(|| {
                    let nulls = codes.iter().map(|codes| {
                        let written = |row: usize| written(codes[row]);
                        let nulls = BooleanBuffer::collect_bool(codes.len(), written);
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

/// A slice of rows, and where its answers go.
pub(crate) struct Task<'t, A> {
    rows: &'t dyn Rows,
    range: Range<usize>,
    /// The number of the first row, counted through all columns.
    pub(crate) first: usize,
    pub(crate) codes: &'t mut [u8],
    pub(crate) answers: &'t mut [A],
    /// Where cells are among the answers.
    pub(crate) cells: Option<CellsSlice<'t>>,
}

/// The answers to a question, for each column of the source.
pub(crate) struct Answers<'py, A> {
    pub(crate) codes: Vec<Vec<u8>>,
    pub(crate) answers: Vec<Vec<A>>,
    pub(crate) cells: Option<Cells<'py>>,
}

/// Asks for each record: `work` does a slice of at most `most` rows.
pub(crate) fn ask<'py, A: Clone + Default + Send>(
    py: Python<'py>,
    source: &Source,
    threads: Option<usize>,
    most: usize,
    cells: bool,
    work: impl Fn(&mut Desk, Task<'_, A>, &Stop) + Sync,
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
    run(py, tasks, threads, quick, |task, stop| {
        DESKS.with(Desk::new, |desk| work(desk, task, stop));
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
    match (0..records.len()).any(|row| records.puzzle(row).is_ok_and(is_sparse)) {
        true => most.min(OF_SPARSE),
        false => most,
    }
}

/// What a thread keeps from task to task.
pub(crate) struct Desk {
    pub(crate) batch: Batch,
    pub(crate) records: Records,
    nulls: Vec<usize>,
    lines: Vec<GridLine>,
    /// Room for cells without records.
    cells: Vec<[u8; CELLS]>,
    counts: Vec<u64>,
    /// For other questions than those of the batch; made when it is needed.
    solver: Option<Solver>,
    /// Made when it is needed.
    rater: Option<Rater>,
}

static DESKS: Kept<Desk> = Kept::new();

impl Desk {
    pub(crate) fn new() -> Self {
        Self {
            batch: Batch::new(Solver::new()),
            records: Records::default(),
            nulls: Vec::new(),
            lines: Vec::new(),
            cells: Vec::new(),
            counts: Vec::new(),
            solver: None,
            rater: None,
        }
    }

    /// A solver for other questions.
    pub(crate) fn solver(&mut self) -> &mut Solver {
        self.solver.get_or_insert_with(Solver::new)
    }

    /// A rater.
    pub(crate) fn rater(&mut self) -> &mut Rater {
        self.rater.get_or_insert_with(Rater::new)
    }

    /// Reads the rows of a task.
    pub(crate) fn read<A>(&mut self, task: &Task<'_, A>) {
        self.records.clear();
        self.nulls.clear();
        let range = task.range.clone();
        task.rows.read(range, &mut self.records, &mut self.nulls);
    }

    /// Reads the rows of a task and solves those with one solution: a code for each.
    /// [`solution`](Self::solution) has the solutions then.
    pub(crate) fn solve<A>(&mut self, task: &mut Task<'_, A>) {
        self.read(task);
        self.lines.resize(self.records.len(), NO_SOLUTION);
        let answers = self
            .batch
            .solve(&self.records, Question::Unique, &mut self.lines);
        if answers.tally().solved() == task.codes.len() as u64 && answers.tally().several == 0 {
            task.codes.fill(UNIQUE);
        } else {
            for (row, place) in task.codes.iter_mut().enumerate() {
                *place = code(answers.status(row).name());
            }
        }
        self.mark_nulls(task.codes);
    }

    /// As [`solve`](Self::solve), for those who need [`line`](Self::line) and no more: without
    /// records where the rows allow it.
    fn solve_lines<A>(&mut self, task: &mut Task<'_, A>) {
        let Some(cells) = task.rows.plain(task.range.clone(), &mut self.cells) else {
            return self.solve(task);
        };
        self.lines.resize(cells.len(), NO_SOLUTION);
        self.counts.resize(cells.len(), 0);
        let solver = self.solver.get_or_insert_with(Solver::new);
        solver.solve_lines(Question::Unique, cells, &mut self.lines, &mut self.counts);
        for ((code, &count), cells) in task.codes.iter_mut().zip(&self.counts).zip(cells) {
            *code = match count {
                1 => UNIQUE,
                0 => {
                    let text = str::from_utf8(cells).expect("digits and points");
                    code_of_unsolvable(&text.parse().expect("digits and points"))
                }
                _ => MULTIPLE,
            };
        }
    }

    /// As [`solve_lines`](Self::solve_lines), with the smallest solution of a row with several.
    /// An empty grid takes a tenth of a millisecond, so it stops between some rows.
    fn solve_smallest<A>(&mut self, task: &mut Task<'_, A>, stop: &Stop) {
        const ROWS: usize = 64;
        self.solve_lines(task);
        let several = (0..task.codes.len()).filter(|&row| task.codes[row] == MULTIPLE);
        let several: Vec<_> = several.collect();
        if several.is_empty() {
            return;
        }
        self.read(task);
        let mut lines = [NO_SOLUTION; ROWS];
        let mut counts = [0; ROWS];
        for rows in several.chunks(ROWS) {
            if stop.is_set() {
                return;
            }
            let cells = rows.iter().map(|&row| *self.puzzle(row).as_ascii());
            let cells: Vec<_> = cells.collect();
            let (lines, counts) = (&mut lines[..rows.len()], &mut counts[..rows.len()]);
            self.solver()
                .solve_lines(Question::Solution, &cells, lines, counts);
            for (&row, line) in rows.iter().zip(lines) {
                self.lines[row] = *line;
            }
        }
    }

    /// Gives the rows that are null, of those that were read, their code.
    pub(crate) fn mark_nulls(&self, codes: &mut [u8]) {
        for &row in &self.nulls {
            codes[row] = NULL;
        }
    }

    /// The line of a row that is solved.
    fn line(&self, row: usize) -> &[u8; CELLS] {
        self.lines[row].first_chunk().expect("81 of 82")
    }

    /// The puzzle of a row that is not malformed.
    pub(crate) fn puzzle(&self, row: usize) -> Puzzle {
        self.records.puzzle(row).expect("it is not malformed")
    }

    /// The solution of a row that is solved.
    pub(crate) fn solution(&self, row: usize) -> Grid {
        Grid::from_ascii(self.line(row)).expect("it is solved")
    }
}

/// Solves each record: solutions, as cells of the kind that came in, and statuses.
#[pyfunction]
#[pyo3(signature = (records, unique, threads))]
pub(crate) fn solve<'py>(
    records: &Bound<'py, PyAny>,
    unique: bool,
    threads: Option<usize>,
) -> PyResult<(Bound<'py, PyAny>, Statuses)> {
    let py = records.py();
    let solved = |code: u8| code == UNIQUE || code == MULTIPLE && !unique;
    let source = Source::of(records)?;
    let answers = ask(
        py,
        &source,
        threads,
        work::SLICE,
        true,
        |desk: &mut Desk, mut task: Task<'_, ()>, stop: &Stop| {
            match unique {
                true => desk.solve_lines(&mut task),
                false => desk.solve_smallest(&mut task, stop),
            }
            let cells = task.cells.as_mut().expect("solutions are asked for");
            for (row, &code) in task.codes.iter().enumerate() {
                if solved(code) {
                    cells.write(row, desk.line(row));
                }
            }
        },
    )?;
    let cells = answers.cells.expect("solutions are asked for");
    Ok((
        cells.into_object(py, &answers.codes, solved)?,
        Statuses(answers.codes),
    ))
}
