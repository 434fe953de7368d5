//! The functions of the header, but for those of tables.

use super::{
    super::{
        asking::{Request, Sink, What, definition},
        engine::Engine,
        failure::Failure,
        listing::{self, SUDOKU_BATCH_INTERFACE},
    },
    guard::{Error, caught, guard},
    memory::{RowsIn, RowsOut, Shape, text},
    tables::Table,
};
use std::{
    ffi::{CString, c_char, c_int},
    ptr,
    sync::OnceLock,
};
use sudoku_batch::{
    grid::{CANDIDATES, CELLS},
    questions::{CANONICAL, CHECK, COUNT, Definition, Options, RATE, SOLVE, STATUS_NAMES, Status},
};

/// Exactly one solution.
pub const SUDOKU_BATCH_UNIQUE: u8 = 0;
/// Several solutions.
pub const SUDOKU_BATCH_MULTIPLE: u8 = 1;
/// The record is not 81 cells.
pub const SUDOKU_BATCH_MALFORMED: u8 = 2;
/// No solution: a digit stands twice in a row.
pub const SUDOKU_BATCH_ROW_DUPLICATE: u8 = 3;
/// No solution: a digit stands twice in a column.
pub const SUDOKU_BATCH_COLUMN_DUPLICATE: u8 = 4;
/// No solution: a digit stands twice in a box.
pub const SUDOKU_BATCH_BOX_DUPLICATE: u8 = 5;
/// No solution, which takes a search to see.
pub const SUDOKU_BATCH_NO_SOLUTION: u8 = 6;
/// The limit of guesses or of work ended the search.
pub const SUDOKU_BATCH_GAVE_UP: u8 = 7;
/// A valid grid, where records are checked as solved grids.
pub const SUDOKU_BATCH_VALID: u8 = 8;

/// The codes above, in order. cbindgen reads numbers and no names of Rust, so they are held against these.
const STATUSES: [(u8, Status); 9] = [
    (SUDOKU_BATCH_UNIQUE, Status::Unique),
    (SUDOKU_BATCH_MULTIPLE, Status::Multiple),
    (SUDOKU_BATCH_MALFORMED, Status::Malformed),
    (SUDOKU_BATCH_ROW_DUPLICATE, Status::RowDuplicate),
    (SUDOKU_BATCH_COLUMN_DUPLICATE, Status::ColumnDuplicate),
    (SUDOKU_BATCH_BOX_DUPLICATE, Status::BoxDuplicate),
    (SUDOKU_BATCH_NO_SOLUTION, Status::NoSolution),
    (SUDOKU_BATCH_GAVE_UP, Status::GaveUp),
    (SUDOKU_BATCH_VALID, Status::Valid),
];

const _: () = {
    assert!(STATUSES.len() == Status::ALL.len());
    let mut at = 0;
    while at < STATUSES.len() {
        assert!(STATUSES[at].0 == at as u8 && STATUSES[at].1 as u8 == at as u8);
        at += 1;
    }
};

/// The version of the interface that the library has: compare it with `SUDOKU_BATCH_INTERFACE` of the header
/// that a program was compiled with. A library with a smaller number lacks something.
#[unsafe(no_mangle)]
pub extern "C" fn sudoku_batch_interface() -> u32 {
    SUDOKU_BATCH_INTERFACE
}

/// The version of the library, such as "0.1.0". The text stays for ever.
#[unsafe(no_mangle)]
pub extern "C" fn sudoku_batch_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// A list as JSON: `questions` (for each its name, what it is about, its `options` and its `columns`), `sets`
/// (the same for `sudoku_batch_generate` and `sudoku_batch_puzzles`), `statuses` (their names, in the order of
/// the codes), and the `levels` of this CPU. The text stays for ever.
#[unsafe(no_mangle)]
pub extern "C" fn sudoku_batch_questions() -> *const c_char {
    static LIST: OnceLock<CString> = OnceLock::new();
    let list = caught(|| {
        let list = LIST.get_or_init(|| CString::new(listing::questions()).unwrap_or_default());
        Ok(list.as_ptr())
    });
    list.unwrap_or(c"".as_ptr())
}

/// The name of a status, such as "unique", or null for a code that no status has. The text stays for ever.
#[unsafe(no_mangle)]
pub extern "C" fn sudoku_batch_status(code: u8) -> *const c_char {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    let name = caught(|| {
        let names = NAMES.get_or_init(|| {
            let names = STATUS_NAMES.iter();
            names
                .map(|name| CString::new(*name).unwrap_or_default())
                .collect()
        });
        Ok(names.get(usize::from(code)).map(|name| name.as_ptr()))
    });
    name.ok().flatten().unwrap_or(ptr::null())
}

/// Opens an engine. `level` is the name of an instruction set ("portable", "avx2", "avx512", "neon"), or null
/// for the best that the CPU has. `threads` is the number of threads of each call, that of the caller among
/// them; 0 is one for each core. Answers are the same bytes for any level and any number of threads.
///
/// Threads may share an engine: calls at the same time do not wait for each other, and each has its own
/// threads. Or each thread may have an engine of its own. An engine keeps the memory of its solvers from call
/// to call, so keep it.
///
/// # Safety
///
/// `level` is null or a text; `engine` is null or has room for a pointer; `error` is null or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_open(
    level: *const c_char,
    threads: usize,
    engine: *mut *mut Engine,
    error: *mut Error,
) -> c_int {
    let work = || {
        let to = not_null("the place for the engine", engine)?;
        // SAFETY: it has room for a pointer, as the header demands.
        unsafe { to.write(ptr::null_mut()) };
        // SAFETY: it is null or a text, as the header demands.
        let level = unsafe { text("the level", level) }?;
        let opened = Box::new(Engine::new(level, threads)?);
        // SAFETY: as above.
        unsafe { to.write(Box::into_raw(opened)) };
        Ok(())
    };
    // SAFETY: `error` is null or has room, as the header demands.
    unsafe { guard(error, work) }
}

/// Closes an engine, which no call may use then or later. Null is no engine, and closes nothing. Tables stay.
///
/// # Safety
///
/// `engine` is null, or it is from `sudoku_batch_open`, is not closed yet, and no call uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_close(engine: *mut Engine) {
    let close = || {
        // SAFETY: it is an engine that is open and that nobody else uses, as the header demands.
        drop((!engine.is_null()).then(|| unsafe { Box::from_raw(engine) }));
        Ok(())
    };
    let _ = caught(close);
}

/// Ends all calls of an engine soon, those that run and those to come, with `SUDOKU_BATCH_STOPPED`, as long as
/// `is_stopped` is not 0. Any thread may call it, and a handler of signals too. Outputs of calls that end this
/// way have no meaning. Null is no engine, and does nothing.
///
/// # Safety
///
/// `engine` is null or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_stop(engine: *const Engine, is_stopped: c_int) {
    // SAFETY: it is null or open, as the header demands.
    if let Some(engine) = unsafe { engine.as_ref() } {
        engine.workers.stop(is_stopped != 0);
    }
}

/// Solves records. Each gets its only solution, or the smallest of several, the texts of solutions compared as
/// texts; 81 dots if there is none. With the option `"unique": true` a record with several has none.
///
/// With a `solutions_stride` of 82 there is a line feed behind each solution, also the last: the bytes that
/// the command writes, and the fastest way. With any other stride the bytes between solutions stay as they are.
///
/// # Safety
///
/// See the head of the header: memory is there, and nobody else writes to it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_solve(
    engine: *const Engine,
    options: *const c_char,
    records: *const u8,
    count: usize,
    stride: usize,
    solutions: *mut u8,
    solutions_stride: usize,
    statuses: *mut u8,
    error: *mut Error,
) -> c_int {
    // SAFETY: all of it, as the header demands.
    unsafe {
        guard(error, || {
            let mut call = Call::new(&SOLVE, engine, options, records, count, stride)?;
            call.cells("solution", "the solutions", solutions, solutions_stride)?;
            call.statuses(statuses)?;
            call.fast(true)
        })
    }
}

/// Counts the solutions of records, up to the option `"limit"` (1,000,000; 0 is all of them). `counts` gets a
/// number for each, 0 if the record is malformed. `more`, if it is not null, gets a 1 for each record that has
/// more, otherwise a 0.
///
/// # Safety
///
/// See the head of the header: memory is there, and nobody else writes to it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_count(
    engine: *const Engine,
    options: *const c_char,
    records: *const u8,
    count: usize,
    stride: usize,
    counts: *mut u64,
    more: *mut u8,
    statuses: *mut u8,
    error: *mut Error,
) -> c_int {
    const COLUMN: &str = "solution_count";
    // SAFETY: all of it, as the header demands.
    unsafe {
        guard(error, || {
            let mut call = Call::new(&COUNT, engine, options, records, count, stride)?;
            call.wanted(What::Whole(COLUMN), "the counts", counts, size_of::<u64>())?;
            call.perhaps(What::More(COLUMN), "the flags of more", more, 1)?;
            call.statuses(statuses)?;
            call.fast(false)
        })
    }
}

/// Checks records: `clues` gets the number of clues of each. `redundant`, if it is not null, gets the number of
/// clues that can each be left out, of a record with one solution: it is minimal if that is 0. A number that
/// does not apply is -1. (To compare answers with puzzles, see `sudoku_batch_ask`.)
///
/// # Safety
///
/// See the head of the header: memory is there, and nobody else writes to it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_check(
    engine: *const Engine,
    options: *const c_char,
    records: *const u8,
    count: usize,
    stride: usize,
    clues: *mut i32,
    redundant: *mut i32,
    statuses: *mut u8,
    error: *mut Error,
) -> c_int {
    const REDUNDANT: What = What::Small("redundant_clues");
    // SAFETY: all of it, as the header demands.
    unsafe {
        guard(error, || {
            let mut call = Call::new(&CHECK, engine, options, records, count, stride)?;
            call.wanted(
                What::Small("clue_count"),
                "the clues",
                clues,
                size_of::<i32>(),
            )?;
            call.perhaps(
                REDUNDANT,
                "the redundant clues",
                redundant,
                size_of::<i32>(),
            )?;
            call.statuses(statuses)?;
            call.fast(false)
        })
    }
}

/// Puts records into canonical form: equal forms for records that are images of each other by the symmetries of
/// Sudoku. 81 dots for a record that has not exactly one solution. `forms_stride` as in `sudoku_batch_solve`.
///
/// # Safety
///
/// See the head of the header: memory is there, and nobody else writes to it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_canonical(
    engine: *const Engine,
    options: *const c_char,
    records: *const u8,
    count: usize,
    stride: usize,
    forms: *mut u8,
    forms_stride: usize,
    statuses: *mut u8,
    error: *mut Error,
) -> c_int {
    // SAFETY: all of it, as the header demands.
    unsafe {
        guard(error, || {
            let mut call = Call::new(&CANONICAL, engine, options, records, count, stride)?;
            call.cells("canonical", "the forms", forms, forms_stride)?;
            call.statuses(statuses)?;
            call.fast(false)
        })
    }
}

/// Rates records as Sudoku Explainer does. `ratings` gets three bytes for each, `ratings_stride` bytes apart:
/// ER, EP and ED in tenths, so that 26 is 2.6; 0 where there is none. The option `"up-to": 4.4` looks for
/// nothing harder, and is faster. (For techniques and difficulties, see `sudoku_batch_ask`.)
///
/// # Safety
///
/// See the head of the header: memory is there, and nobody else writes to it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_rate(
    engine: *const Engine,
    options: *const c_char,
    records: *const u8,
    count: usize,
    stride: usize,
    ratings: *mut u8,
    ratings_stride: usize,
    statuses: *mut u8,
    error: *mut Error,
) -> c_int {
    const COLUMNS: [&str; 3] = ["er", "ep", "ed"];
    // SAFETY: all of it, as the header demands. The three bytes of a row are rows of a byte each.
    unsafe {
        guard(error, || {
            let mut call = Call::new(&RATE, engine, options, records, count, stride)?;
            let what = "the ratings";
            RowsOut::new(what, ratings, count, ratings_stride, COLUMNS.len())?;
            for (at, name) in COLUMNS.into_iter().enumerate() {
                let first = ratings.wrapping_add(at);
                let rows = RowsOut::new(what, first, count, ratings_stride, 1)?;
                call.add(What::Tenths(name), rows)?;
            }
            call.statuses(statuses)?;
            call.fast(false)
        })
    }
}

/// Makes solved grids: those with the numbers from `first` on, all different. Grid i depends on the options and
/// on i alone. `"seed"` picks the order, `"uniform": true` gives independent samples of all grids.
/// `grids_stride` as in `sudoku_batch_solve`.
///
/// # Safety
///
/// See the head of the header: memory is there, and nobody else writes to it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_generate(
    engine: *const Engine,
    options: *const c_char,
    first: u64,
    count: usize,
    grids: *mut u8,
    grids_stride: usize,
    error: *mut Error,
) -> c_int {
    // SAFETY: all of it, as the header demands.
    unsafe {
        guard(error, || {
            let (engine, options) = opened(engine, options)?;
            let rows = RowsOut::of_cells("the grids", grids, count, grids_stride)?;
            engine.generate(&options, first, rows)
        })
    }
}

/// Makes puzzles: those with the numbers from `first` on, as rows of a table with the columns `index`, `puzzle`,
/// `solution`, `clues` and what the options add. Puzzle i depends on the options and on i alone; one that
/// cannot be made has no row. `sudoku_batch_questions` lists the options, such as `{"seed": 7, "clues": 30}`.
///
/// # Safety
///
/// See the head of the header; `table` has room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_puzzles(
    engine: *const Engine,
    options: *const c_char,
    first: u64,
    count: usize,
    table: *mut *mut Table,
    error: *mut Error,
) -> c_int {
    // SAFETY: all of it, as the header demands.
    unsafe {
        guard(error, || {
            let to = not_null("the place for the table", table)?;
            to.write(ptr::null_mut());
            let (engine, options) = opened(engine, options)?;
            let made = engine.puzzles(&options, first, count)?;
            to.write(Table::into_raw(made));
            Ok(())
        })
    }
}

/// Asks any question that `sudoku_batch_questions` lists, by its name: all columns of its answer, as a table.
///
/// `length` is the number of characters of a record: 81 cells, or 729 candidates. `answers`, if it is not null,
/// are 81 characters for each record, `answers_stride` bytes apart, for a question that compares answers. The
/// first column of the table is the number of the record, from 0: a question may have several rows for a record,
/// or none. `statuses`, if it is not null, gets a code for each record.
///
/// # Safety
///
/// See the head of the header: memory is there, and nobody else writes to it meanwhile; `table` has room for a
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_ask(
    engine: *const Engine,
    question: *const c_char,
    options: *const c_char,
    records: *const u8,
    length: usize,
    count: usize,
    stride: usize,
    answers: *const u8,
    answers_stride: usize,
    statuses: *mut u8,
    table: *mut *mut Table,
    error: *mut Error,
) -> c_int {
    // SAFETY: all of it, as the header demands.
    unsafe {
        guard(error, || {
            let to = not_null("the place for the table", table)?;
            to.write(ptr::null_mut());
            if question.is_null() {
                return Err(Failure::null("the question"));
            }
            let definition = definition(text("the question", question)?)?;
            if length != CELLS && length != CANDIDATES {
                let message = format_args!("a record has 81 or 729 characters, not {length}");
                return Err(Failure::size(message));
            }
            let records = RowsIn::new("the records", records, count, stride, length)?;
            let mut call = Call::of(definition, engine, options, records)?;
            if !answers.is_null() {
                let rows = RowsIn::new("the answers", answers, count, answers_stride, CELLS)?;
                call.inputs.push(*rows.shape());
                call.request.answers = Some(rows);
            }
            call.statuses(statuses)?;
            let answered = call.engine.ask(call.request)?;
            to.write(Table::into_raw(answered));
            Ok(())
        })
    }
}

fn not_null<T>(what: &str, pointer: *mut T) -> Result<*mut T, Failure> {
    if pointer.is_null() {
        return Err(Failure::null(what));
    }
    Ok(pointer)
}

/// An engine and options of the caller.
///
/// # Safety
///
/// The engine is null, or open as long as `'c`; the options are null or a text.
unsafe fn opened<'c>(
    engine: *const Engine,
    options: *const c_char,
) -> Result<(&'c Engine, Options), Failure> {
    // SAFETY: as the caller of this function promises.
    let engine = unsafe { engine.as_ref() };
    let engine = engine.ok_or_else(|| Failure::null("the engine"))?;
    // SAFETY: the same.
    let options = unsafe { text("the options", options) }?;
    Ok((engine, Options::parse(options).map_err(Failure::option)?))
}

/// A call about records, while its arguments are looked at.
struct Call<'c> {
    engine: &'c Engine,
    request: Request<'c>,
    inputs: Vec<Shape>,
}

impl<'c> Call<'c> {
    /// A call of a question about records of 81 characters.
    ///
    /// # Safety
    ///
    /// The caller keeps what the header demands, as long as `'c`. This holds for all functions here.
    unsafe fn new(
        definition: &'static Definition,
        engine: *const Engine,
        options: *const c_char,
        records: *const u8,
        count: usize,
        stride: usize,
    ) -> Result<Self, Failure> {
        // SAFETY: as the caller of this function promises.
        unsafe {
            let records = RowsIn::new("the records", records, count, stride, CELLS)?;
            Self::of(definition, engine, options, records)
        }
    }

    unsafe fn of(
        definition: &'static Definition,
        engine: *const Engine,
        options: *const c_char,
        records: RowsIn<'c>,
    ) -> Result<Self, Failure> {
        // SAFETY: as the caller of this function promises.
        let (engine, options) = unsafe { opened(engine, options) }?;
        Ok(Self {
            engine,
            inputs: vec![*records.shape()],
            request: Request {
                definition,
                options,
                records,
                answers: None,
                sinks: Vec::new(),
                lends_lines: false,
            },
        })
    }

    /// Adds an output, unless it overlaps an input or another output.
    fn add(&mut self, what: What, rows: RowsOut<'c>) -> Result<(), Failure> {
        let outputs = self.request.sinks.iter().map(|sink| sink.rows.shape());
        let mut all = self.inputs.iter().chain(outputs);
        if all.any(|other| other.overlaps(rows.shape())) {
            let message = "an output overlaps the records or another output";
            return Err(Failure::size(message));
        }
        self.request.sinks.push(Sink { what, rows });
        Ok(())
    }

    /// Adds an output of 81 cells for each record.
    unsafe fn cells(
        &mut self,
        column: &'static str,
        name: &str,
        first: *mut u8,
        stride: usize,
    ) -> Result<(), Failure> {
        let count = self.request.records.len();
        // SAFETY: as the caller of this function promises.
        let rows = unsafe { RowsOut::of_cells(name, first, count, stride) }?;
        self.add(What::Cells(column), rows)
    }

    /// Adds an array with a value for each record.
    unsafe fn wanted<T>(
        &mut self,
        what: What,
        name: &str,
        first: *mut T,
        width: usize,
    ) -> Result<(), Failure> {
        let count = self.request.records.len();
        // SAFETY: as the caller of this function promises.
        let rows = unsafe { RowsOut::new(name, first.cast(), count, width, width) }?;
        self.add(what, rows)
    }

    /// Adds an array, unless it is null.
    unsafe fn perhaps<T>(
        &mut self,
        what: What,
        name: &str,
        first: *mut T,
        width: usize,
    ) -> Result<(), Failure> {
        if first.is_null() {
            return Ok(());
        }
        // SAFETY: as the caller of this function promises.
        unsafe { self.wanted(what, name, first, width) }
    }

    unsafe fn statuses(&mut self, statuses: *mut u8) -> Result<(), Failure> {
        // SAFETY: as the caller of this function promises.
        unsafe { self.perhaps(What::Status, "the statuses", statuses, 1) }
    }

    /// Asks, and writes into the memory of the caller alone.
    fn fast(mut self, lends_lines: bool) -> Result<(), Failure> {
        self.request.lends_lines = lends_lines;
        self.engine.fill(self.request)
    }
}
