//! Questions by their definitions, and sets that are made: columns of each kind become arrays.
//!
//! Nothing here knows a question. The definition says which settings it takes and which columns it has, and
//! [`Data`] what is in them.

use crate::{
    answer::{
        CandidateCells, Cells, Desk, Kind as Comes, NULL, Source, Statuses, Task, ask as ask_rows,
        wrong,
    },
    columns::Column,
    work::{self, Kept},
};
use arrow_array::{
    ArrayRef, BooleanArray, PrimitiveArray,
    builder::LargeStringBuilder,
    types::{ArrowPrimitiveType, Int32Type, Int64Type},
};
use arrow_schema::DataType;
use pyo3::{
    prelude::*,
    types::{PyByteArray, PyDict, PyList},
};
use std::{
    iter::repeat_n,
    ops::Range,
    sync::{Arc, Mutex},
};
use sudoku_batch::{
    Puzzle,
    format::{Records, Values},
    grid::CELLS,
    questions::{
        self, Answer, Asked, Batch, Column as About, Data, Definition, Doors, Entry, Kind, NO_NAME,
        PuzzleValue, SETS, SettingError, Status,
    },
    technique::Rating,
};

/// The name of a column, the method of Python's `Kind` (of that of the `answers.`, if it says so) that makes
/// of it what the user gets, and its object.
pub(crate) type Named<'py> = (String, &'static str, Bound<'py, PyAny>);

/// What a thread keeps: what fills the columns, and the memory of an answer.
pub(crate) struct Filling<Q> {
    pub(crate) by: Q,
    answer: Answer<'static>,
}

/// The columns to give, and the shape of their rows.
pub(crate) struct Shape<'s> {
    /// The columns that are filled.
    pub(crate) filled: &'s [About],
    /// All columns. One that is not filled is null.
    pub(crate) all: &'s [About],
    /// Whether a record may have several rows, or none.
    pub(crate) has_several_rows: bool,
    /// Whether a limit bounds the rows of a record: then there is a column that says where it did.
    pub(crate) has_limit: bool,
    /// What the answers that stand beside the records come as.
    pub(crate) answers: Option<&'s Comes>,
}

/// The values of a slice of rows, column by column.
struct Slice {
    /// The number of the first record.
    first: usize,
    columns: Vec<Data<'static>>,
    /// The record of each row, where a record may have several.
    records: Vec<i64>,
    /// The records with more rows than the limit.
    limited: Vec<usize>,
}

/// Asks a question with these settings: all columns of its definition, in order, and statuses. A column that
/// is not asked for is null, or left out if it is [one of many](is_one_of_many).
#[pyfunction]
#[pyo3(signature = (question, records, settings, answers, threads))]
pub(crate) fn ask<'py>(
    question: &str,
    records: &Bound<'py, PyAny>,
    settings: Vec<(String, String)>,
    answers: Option<&Bound<'py, PyAny>>,
    threads: Option<usize>,
) -> PyResult<(Vec<Named<'py>>, Statuses)> {
    static KEPT: Kept<Desk<Filling<Asked>>> = Kept::new();
    let definition = questions::all().find(|definition| definition.name == question);
    let definition =
        definition.ok_or_else(|| wrong(format_args!("there is no question {question}")))?;
    let texts = settings.iter().map(|(name, text)| (&name[..], &text[..]));
    let mut asked = definition.with(texts).map_err(wrong_setting)?;
    asked.question.share(work::threads(threads));
    let source = Source::of(records)?;
    let given = answers.map(Source::of).transpose()?;
    given.iter().try_for_each(|given| given.check(true))?;
    let takes_texts = definition.takes_texts();
    if let Some(given) = given.as_ref().filter(|_| takes_texts) {
        given.check_texts()?;
    }
    if let Some(given) = &given
        && given.rows() != source.rows()
    {
        let what = if takes_texts { "text" } else { "answer" };
        return Err(wrong(format_args!(
            "there are {} puzzles and {} {what}s: {what} i belongs to puzzle i",
            source.rows(),
            given.rows()
        )));
    }
    let work = |desk: &mut Desk<Filling<Asked>>, task: &Task<'_, ()>, answer: &mut Answer<'_>| {
        let question = &mut desk.question.by.question;
        let plain = task.rows.plain(task.range.clone(), &mut desk.cells);
        if let Some(cells) = plain.filter(|_| given.is_none()) {
            answer.begin(cells.len());
            if question.fill_plain(cells, answer) {
                return;
            }
        }
        desk.read(task);
        answer.begin(desk.records.len());
        let (mut answers, mut texts) = (None, None);
        match &given {
            Some(given) if takes_texts => texts = Some(given.texts(task.rows())),
            Some(given) => answers = Some(puzzles(given, task.rows())),
            None => {}
        }
        let batch = Batch {
            records: &desk.records,
            answers: answers.as_deref(),
            texts: texts.as_deref(),
        };
        desk.question.by.question.fill(batch, answer);
    };
    let key = format!("{question} {settings:?} {threads:?}");
    let shape = Shape {
        filled: &asked.columns,
        all: definition.columns,
        has_several_rows: definition.has_several_rows(),
        has_limit: definition.setting("limit").is_ok(),
        answers: given.as_ref().map(|given| &given.kind),
    };
    let most = asked.question.batch();
    let rows = (&source, threads, most);
    let make = || asked.fork();
    fill(records.py(), rows, &shape, (&KEPT, &key), make, work)
}

/// An error of settings, which Python names in its way.
pub(crate) fn wrong_setting(mut error: SettingError) -> PyErr {
    error.setting = error.setting.replace('-', "_");
    wrong(error)
}

/// The cells of some rows; `None` for a row that is malformed or null.
pub(crate) fn puzzles(source: &Source, rows: Range<usize>) -> Vec<Option<Puzzle>> {
    let mut records = Records::default();
    source.read(rows, &mut records, &mut Vec::new());
    let puzzles = (0..records.len()).map(|row| records.puzzle_of_cells(row).ok());
    puzzles.collect()
}

/// Fills columns for all rows of a source, with this number of threads, at most `most` rows at a time: `work`
/// fills those of a slice.
pub(crate) fn fill<'py, Q: Send>(
    py: Python<'py>,
    (source, threads, most): (&Source, Option<usize>, usize),
    shape: &Shape<'_>,
    kept: (&Kept<Desk<Filling<Q>>>, &str),
    make: impl Fn() -> Q + Sync,
    work: impl Fn(&mut Desk<Filling<Q>>, &Task<'_, ()>, &mut Answer<'_>) + Sync,
) -> PyResult<(Vec<Named<'py>>, Statuses)> {
    let kinds: Vec<_> = shape.filled.iter().map(|column| column.values).collect();
    // The cells of a row for each record are written by the threads.
    let is_written = |column: &usize| kinds[*column].are_cells() && !shape.has_several_rows;
    let of_cells: Vec<_> = (0..kinds.len()).filter(is_written).collect();
    let slices = Mutex::new(Vec::new());
    let is_given = |column: &About| shape.all.iter().any(|given| given.name == column.name);
    let make = || {
        let mut answer = Answer::new(&kinds[..]);
        answer.leave_out(|column| !is_given(&shape.filled[column]));
        Filling { by: make(), answer }
    };
    let work = |desk: &mut Desk<Filling<Q>>, task: &mut Task<'_, ()>| {
        let mut filled = std::mem::take(&mut desk.question.answer).renewed(None);
        work(desk, task, &mut filled);
        task.set_statuses(&filled.statuses);
        for (cells, &column) in task.cells.iter_mut().zip(&of_cells) {
            cells.write_column(0, filled.column(column));
        }
        // Cells are written already, and their memory is used again.
        let has_more = |column| match filled.column(column) {
            Data::Cells(_) => shape.has_several_rows,
            Data::OfRecord => false,
            _ => true,
        };
        if (0..kinds.len()).any(has_more) {
            let first = task.rows().start;
            let of_entry =
                |entry: Entry| repeat_n((first + entry.record()) as i64, entry.values().len());
            let entries = filled.entries().filter(|_| shape.has_several_rows);
            slices.lock().expect("nothing panics with it").push(Slice {
                first,
                records: entries.flat_map(of_entry).collect(),
                limited: std::mem::take(&mut filled.limited),
                columns: (0..kinds.len()).map(|column| filled.take(column)).collect(),
            });
        }
        desk.question.answer = filled;
    };
    let cells = of_cells.len();
    let mut done = ask_rows(py, source, threads, most, cells, kept, make, work)?;
    let mut slices = slices.into_inner().expect("nothing panics with it");
    slices.sort_by_key(|slice| slice.first);
    let mut given = Vec::new();
    let mut give = |name: &str, method, object| given.push((name.to_owned(), method, object));
    let count = slices.iter().map(|slice| slice.records.len()).sum();
    let of_rows = [vec![0; count]];
    let codes = if shape.has_several_rows {
        &of_rows[..]
    } else {
        &done.codes
    };
    let method = |own: &'static str, other: &'static str| match shape.has_several_rows {
        true => other,
        false => own,
    };
    let mut written = std::mem::take(&mut done.cells).into_iter();
    for about in shape.all {
        let found = shape
            .filled
            .iter()
            .position(|column| column.name == about.name);
        if found.is_none() && is_one_of_many(shape.all, about) {
            continue;
        }
        let parts: Option<Vec<_>> =
            found.map(|column| slices.iter().map(|slice| &slice.columns[column]).collect());
        match (about.values, parts) {
            (Values::Status, _) => {}
            (Values::Record, _) => {
                let numbers = slices.iter().flat_map(|slice| &slice.records);
                let numbers = numbers.copied().collect::<PrimitiveArray<Int64Type>>();
                let column = Bound::new(py, Column::of_numbers(vec![numbers]))?;
                give(about.name, "other_values", column.into_any());
            }
            (Values::Cells | Values::Puzzles | Values::Candidates, None) => {}
            (values @ (Values::Cells | Values::Puzzles | Values::Candidates), Some(parts)) => {
                let always = source.kind.of_candidates();
                let kind = match shape.answers {
                    _ if values == Values::Candidates => &always,
                    Some(answers) if about.when == Some("answers") => answers,
                    _ => &source.kind,
                };
                let cells = match written.next() {
                    Some(cells) => cells,
                    None => {
                        let mut cells = Cells::new(py, kind, &[count])?;
                        if let Some(mut slice) = cells.slices(count.max(1)).pop() {
                            let write = |row, part: &&Data<'static>| slice.write_column(row, part);
                            py.detach(|| parts.iter().fold(0, write));
                        }
                        cells
                    }
                };
                let (candidates, method) = match values {
                    Values::Puzzles => (
                        Some(candidates(codes, &parts)),
                        method("puzzles", "other_puzzles"),
                    ),
                    Values::Candidates => (Some(candidates(codes, &parts)), "candidates"),
                    _ if about.when == Some("answers") => (None, "answers.other_cells"),
                    _ => (None, method("cells", "other_cells")),
                };
                let cells = cells.into_object(py, kind, candidates.as_ref())?;
                give(about.name, method, cells);
            }
            (Values::Pairs, None) => {}
            (Values::Pairs, Some(parts)) => {
                let bytes = pairs(&parts);
                give(about.name, "pairs", PyByteArray::new(py, &bytes).into_any());
            }
            (values_of, parts) => {
                let method = match values_of {
                    Values::Text | Values::Json => method("texts", "other_texts"),
                    _ => method("values", "other_values"),
                };
                for (name, column) in values(about, parts.as_deref(), codes) {
                    give(&name, method, Bound::new(py, column)?.into_any());
                }
            }
        }
    }
    if shape.has_limit && shape.has_several_rows {
        let column = Bound::new(py, more(&slices, &done.codes))?;
        give("more", "values", column.into_any());
    }
    Ok((given, Statuses(done.codes)))
}

/// Whether each record has more rows than the limit. It is null for a malformed record.
fn more(slices: &[Slice], codes: &[Vec<u8>]) -> Column {
    let limited = slices
        .iter()
        .flat_map(|slice| slice.limited.iter().map(|record| slice.first + record));
    let (mut limited, mut record) = (limited.peekable(), 0..);
    let of_record = |code: &u8| {
        let is_limited = limited.next_if_eq(&record.next()?).is_some();
        (*code != NULL && *code != Status::Malformed as u8).then_some(is_limited)
    };
    let mut of_record = of_record;
    let arrays = codes.iter();
    Column::of_booleans(
        arrays
            .map(|codes| codes.iter().map(&mut of_record).collect())
            .collect(),
    )
}

/// The orders in which the cells of records are filled: 162 bytes each, -1 behind the end.
fn pairs(parts: &[&Data<'static>]) -> Vec<u8> {
    const NOTHING: [u8; 2 * CELLS] = [u8::MAX; 2 * CELLS];
    let mut bytes = Vec::new();
    for data in parts {
        let Data::Pairs(pairs) = data else {
            unreachable!("{data:?} are no pairs");
        };
        for pairs in pairs {
            match pairs {
                Some(pairs) => bytes.extend(pairs.as_flattened().iter().map(|&n| n as u8)),
                None => bytes.extend_from_slice(&NOTHING),
            }
        }
    }
    bytes
}

/// Returns true if a setting asks for a column together with many others. If nobody asks, these are left out: a
/// null column for each would take more memory than the answer.
fn is_one_of_many(columns: &[About], about: &About) -> bool {
    const MANY: usize = 8;
    let with_it = |column: &&About| column.when.is_some() && column.when == about.when;
    columns.iter().filter(with_it).count() > MANY
}

/// The arrays of a column: two for numbers of solutions.
fn values(
    about: &About,
    parts: Option<&[&Data<'static>]>,
    codes: &[Vec<u8>],
) -> Vec<(String, Column)> {
    let parts = || parts.unwrap_or_default().iter();
    /// The values of one kind: a row after the other, and nothing in rows that are null.
    macro_rules! rows {
        ($kind:ident) => {{
            let mut values = parts().flat_map(|data| match data {
                Data::$kind(values) => values.iter().copied(),
                other => unreachable!("{other:?} are of another kind"),
            });
            let of_row = |code: &u8| values.next().filter(|_| *code != NULL);
            let mut of_row = of_row;
            let rows = codes.iter();
            rows.map(|codes| {
                codes
                    .iter()
                    .map(&mut of_row)
                    .map(Option::flatten)
                    .collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
        }};
    }
    let one = |column| vec![(about.name.to_owned(), column)];
    match about.values {
        Values::Numbers if about.most <= i32::MAX as u64 => {
            one(numbers::<Int32Type, _>(rows!(Numbers), |number| {
                number as i32
            }))
        }
        Values::Numbers => one(numbers::<Int64Type, _>(rows!(Numbers), whole)),
        Values::Ratings => {
            let tenths = |rating: Rating| f64::from(rating.tenths()) / 10.0;
            let rows = rows!(Ratings);
            let rows = rows.iter();
            one(Column::of_ratings(rows.map(|rows| {
                rows.iter().map(move |rating| rating.map(tenths))
            })))
        }
        Values::Reals => {
            let rows = rows!(Reals);
            one(Column::of_ratings(
                rows.iter().map(|rows| rows.iter().copied()),
            ))
        }
        Values::Flags => one(flags(rows!(Flags))),
        Values::Bounds => {
            let rows = rows!(Bounds);
            let more = rows.iter();
            let more = more.map(|rows| rows.iter().map(|bound| bound.map(|bound| bound.more)));
            let more = more.map(Iterator::collect).collect();
            let numbers = numbers::<Int64Type, _>(rows, |bound| whole(bound.number));
            let name = about.name.to_owned();
            vec![(format!("{name}_more"), flags(more)), (name, numbers)]
        }
        Values::Names(names) => {
            let mut places = parts().flat_map(|data| match data {
                Data::Names(places) => places.iter().copied(),
                other => unreachable!("{other:?} are no names"),
            });
            let of_row = |code: &u8| places.next().filter(|_| *code != NULL).unwrap_or(NO_NAME);
            let mut of_row = of_row;
            let places = codes.iter();
            let places = places.map(|codes| codes.iter().map(&mut of_row).collect());
            one(Column::of_names(names, &places.collect::<Vec<_>>()))
        }
        Values::Text | Values::Json => {
            let mut texts = parts().flat_map(|data| match data {
                Data::Texts(texts) => (0..texts.len()).map(|row| texts.get(row)),
                other => unreachable!("{other:?} are no texts"),
            });
            let arrays = codes.iter().map(|codes| -> ArrayRef {
                let mut array = LargeStringBuilder::with_capacity(codes.len(), 0);
                for &code in codes {
                    let text = texts.next().filter(|text| code != NULL && !text.is_empty());
                    array.append_option(text.map(String::from_utf8_lossy));
                }
                Arc::new(array.finish())
            });
            one(Column::new(DataType::LargeUtf8, arrays.collect()))
        }
        other => unreachable!("{other:?} are no values of a record"),
    }
}

/// A number as arrays have it.
fn whole(number: u64) -> i64 {
    number.min(i64::MAX as u64) as i64
}

fn numbers<T: ArrowPrimitiveType, V>(
    rows: Vec<Vec<Option<V>>>,
    to: impl Fn(V) -> T::Native,
) -> Column {
    let array = |rows: Vec<Option<V>>| {
        let numbers = rows.into_iter().map(|value| value.map(&to));
        numbers.collect::<PrimitiveArray<T>>()
    };
    Column::of_numbers(rows.into_iter().map(array).collect())
}

fn flags(rows: Vec<Vec<Option<bool>>>) -> Column {
    Column::of_booleans(rows.into_iter().map(BooleanArray::from).collect())
}

/// The rows of puzzles that have candidates in the place of cells.
fn candidates(codes: &[Vec<u8>], parts: &[&Data<'static>]) -> CandidateCells {
    let mut values = parts.iter().flat_map(|data| match data {
        Data::Puzzles(puzzles) => (0..puzzles.len()).map(|row| puzzles.get(row)),
        other => unreachable!("{other:?} are no puzzles"),
    });
    let of_row = |_: &u8| match values.next() {
        Some(PuzzleValue::Candidates(candidates, blank)) => Some(Box::new((*candidates, blank))),
        _ => None,
    };
    let mut of_row = of_row;
    let columns = codes.iter();
    columns
        .map(|codes| codes.iter().map(&mut of_row).collect())
        .collect()
}

/// All definitions of questions and sets: for functions that Python makes of them.
#[pyfunction]
pub(crate) fn definitions(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let questions = questions::all().map(|definition| about(py, definition, false));
    let sets = SETS.iter().map(|definition| about(py, definition, true));
    questions.chain(sets).collect()
}

/// The name of a definition, its help, its settings and its columns.
fn about<'py, Make>(
    py: Python<'py>,
    definition: &'static Definition<Make>,
    is_set: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let settings = PyList::empty(py);
    let of_calls = definition.settings.iter();
    for setting in of_calls.filter(|setting| setting.is_for_calls()) {
        let (kind, least) = match setting.kind {
            Kind::Flag => ("flag", 0),
            Kind::Rating => ("rating", 0),
            Kind::Answers => ("answers", 0),
            Kind::Texts => ("texts", 0),
            Kind::Number(least) => ("number", least),
            Kind::Digit => ("digit", 1),
            Kind::Range(..) => ("range", 0),
            Kind::Ratings => ("ratings", 0),
            Kind::Names(_) | Kind::Techniques | Kind::Name(_) | Kind::Technique | Kind::Pattern => {
                ("names", 0)
            }
            _ => ("number", 0),
        };
        settings.append((setting.name, kind, least, setting.usual, setting.about))?;
    }
    let columns = PyList::empty(py);
    for column in definition.columns {
        let of_calls = |name| {
            definition
                .setting(name)
                .is_ok_and(|setting| setting.doors != Doors::Written)
        };
        if column.when.is_none_or(of_calls) {
            columns.append((column.name, column.about, column.when.or(column.unless)))?;
        }
    }
    let about = PyDict::new(py);
    about.set_item("name", definition.name)?;
    about.set_item("about", definition.about)?;
    about.set_item("details", definition.details)?;
    about.set_item("settings", settings)?;
    about.set_item("columns", columns)?;
    about.set_item("has_several_rows", definition.has_several_rows())?;
    about.set_item("is_set", is_set)?;
    Ok(about)
}
