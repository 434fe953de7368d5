//! Questions that have a definition, by their names: columns of each kind become arrays.
//!
//! Nothing here knows a question. The definition says which settings it takes and which columns it has, and
//! [`Data`] what is in them.

use crate::{
    answer::{CandidateCells, Desk, NULL, Source, Statuses, Task, ask_unread},
    columns::Column,
    dataset::puzzles,
    work::{self, KeptBy},
};
use arrow_array::{
    ArrayRef, BooleanArray, PrimitiveArray,
    builder::LargeStringBuilder,
    types::{ArrowPrimitiveType, Int32Type, Int64Type},
};
use arrow_schema::DataType;
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyList},
};
use std::sync::{Arc, Mutex};
use sudoku_batch::{
    format::Values,
    grid::BLANK,
    questions::{
        self, Answer, Asked, Batch, Column as About, Data, Definition, Doors, Kind, NO_NAME, Other,
        PuzzleValue, SettingError,
    },
    technique::Rating,
};

/// The values of a slice of rows, column by column, and the number of its first row.
type Slice = (usize, Vec<Data<'static>>);

/// The name of a column, what it is (`cells`, `puzzles`, `candidates`, `values` or `texts`), and its object for
/// Python.
type Named<'py> = (String, &'static str, Bound<'py, PyAny>);

/// What a thread keeps: the question, and the memory of an answer.
struct Asking {
    asked: Asked,
    answer: Answer<'static>,
}

fn wrong(error: &SettingError) -> PyErr {
    PyValueError::new_err(format!(
        "{}: {}",
        error.setting.replace('-', "_"),
        error.message
    ))
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
    static KEPT: KeptBy<Desk<Asking>> = KeptBy::new();
    let py = records.py();
    let definition = definition(question)?;
    let key = format!("{question} {settings:?} {threads:?}");
    let texts = settings.iter().map(|(name, text)| (&name[..], &text[..]));
    let mut asked = definition.with(texts).map_err(|error| wrong(&error))?;
    let number_of_threads = work::threads(threads);
    asked.question.share(number_of_threads);
    let source = Source::of(records)?;
    let given = answers.map(Source::of).transpose()?;
    if let Some(given) = &given
        && given.rows() != source.rows()
    {
        return Err(PyValueError::new_err(format!(
            "there are {} puzzles and {} answers: answer i belongs to puzzle i",
            source.rows(),
            given.rows()
        )));
    }
    let shape = asked.columns.clone();
    let of_cells = shape.iter().position(|column| column.values.are_cells());
    let slices = Mutex::new(Vec::<Slice>::new());
    let work = |desk: &mut Desk<Asking>, task: &mut Task<'_, bool>| {
        let plain = task.rows.plain(task.range.clone(), &mut desk.cells);
        let Asking { asked, answer } = &mut desk.question;
        let mut filled = std::mem::take(answer).renewed(None);
        let is_plain = plain.is_some_and(|cells| {
            filled.begin(cells.len());
            given.is_none() && asked.question.fill_plain(cells, &mut filled)
        });
        if !is_plain {
            desk.read(task);
            filled.begin(desk.records.len());
            let given = given.as_ref().map(|given| puzzles(given, task.rows()));
            let batch = Batch {
                records: &desk.records,
                answers: given.as_deref(),
            };
            desk.question.asked.question.fill(batch, &mut filled);
        }
        task.set_statuses(&filled.statuses);
        if let (Some(column), Some(cells)) = (of_cells, &mut task.cells) {
            match filled.column(column) {
                Data::Cells(lines) => {
                    for (row, line) in lines.as_slice().iter().enumerate() {
                        task.answers[row] = line[0] != BLANK;
                        if task.answers[row] {
                            cells.write(row, line.first_chunk().expect("81 of 82"));
                        }
                    }
                }
                Data::Puzzles(puzzles) => {
                    for row in 0..puzzles.len() {
                        let value = puzzles.get(row);
                        task.answers[row] = !matches!(value, PuzzleValue::Nothing);
                        if let PuzzleValue::Cells(of_row) = value {
                            cells.write(row, of_row);
                        }
                    }
                }
                other => unreachable!("{other:?} are no cells"),
            }
        }
        // Solutions are written already, and their memory is used again.
        let has_more = |data: &Data<'_>| !matches!(data, Data::Cells(_) | Data::OfRecord);
        let columns = 0..shape.len();
        if columns
            .clone()
            .any(|column| has_more(filled.column(column)))
        {
            let first = task.rows().start;
            let taken = columns.map(|column| filled.take(column)).collect();
            slices
                .lock()
                .expect("nothing panics with it")
                .push((first, taken));
        }
        desk.question.answer = filled;
    };
    let most = asked.question.batch();
    let make = || Asking {
        asked: asked.fork(),
        answer: asked.empty(),
    };
    let has_cells = of_cells.is_some();
    let kept = &KEPT.of(&key);
    let mut done = ask_unread(py, &source, threads, most, has_cells, kept, make, work)?;
    let mut slices = slices.into_inner().expect("nothing panics with it");
    slices.sort_by_key(|slice| slice.0);
    let (mut cells, mut columns) = (done.cells.take(), Vec::new());
    for about in definition.columns {
        let found = shape.iter().position(|column| column.name == about.name);
        if found.is_none() && is_one_of_many(definition, about) {
            continue;
        }
        let parts: Option<Vec<_>> =
            found.map(|column| slices.iter().map(|(_, data)| &data[column]).collect());
        match (about.values, parts) {
            (Values::Status, _) => {}
            (Values::Cells, _) => {
                let cells = cells.take().expect("cells are asked for");
                let cells = cells.into_object(py, &done.answers)?;
                columns.push((about.name.into(), "cells", cells));
            }
            (values @ (Values::Puzzles | Values::Candidates), Some(parts)) => {
                let cells = cells.take().expect("puzzles are asked for");
                let candidates = candidates(&done.codes, &parts);
                let always = Source::CANDIDATES;
                let (kind, what) = match values {
                    Values::Candidates => (&always, "candidates"),
                    _ => (&source.kind, "puzzles"),
                };
                let cells = cells.into_puzzles(py, kind, &done.answers, &candidates)?;
                columns.push((about.name.into(), what, cells));
            }
            (_, parts) => {
                for (name, what, column) in values(about, parts.as_deref(), &done.codes) {
                    columns.push((name, what, Bound::new(py, column)?.into_any()));
                }
            }
        }
    }
    Ok((columns, Statuses(done.codes)))
}

/// Returns true if a setting asks for a column together with many others. If nobody asks, these are left out: a
/// null column for each would take more memory than the answer.
fn is_one_of_many(definition: &Definition, about: &About) -> bool {
    const MANY: usize = 8;
    let with_it = |column: &&About| column.when.is_some() && column.when == about.when;
    definition.columns.iter().filter(with_it).count() > MANY
}

/// The arrays of a column: two for numbers of solutions.
fn values(
    about: &About,
    parts: Option<&[&Data<'static>]>,
    codes: &[Vec<u8>],
) -> Vec<(String, &'static str, Column)> {
    /// The values of one kind: a row after the other, and nothing in rows that are null.
    macro_rules! rows {
        ($kind:ident) => {{
            let parts = parts
                .unwrap_or_default()
                .iter()
                .flat_map(|data| match data {
                    Data::$kind(values) => &values[..],
                    other => unreachable!("{other:?} are of another kind"),
                });
            let mut parts = parts.copied();
            codes
                .iter()
                .map(|codes| {
                    let of_row = |code: &u8| parts.next().flatten().filter(|_| *code != NULL);
                    codes.iter().map(of_row).collect::<Vec<_>>()
                })
                .collect::<Vec<_>>()
        }};
    }
    let one = |column| vec![(about.name.to_owned(), "values", column)];
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
        Values::Flags => one(flags(rows!(Flags))),
        Values::Bounds => {
            let rows = rows!(Bounds);
            let more = rows.iter();
            let more = more.map(|rows| rows.iter().map(|bound| bound.map(|bound| bound.more)));
            let more = more.map(Iterator::collect).collect();
            vec![
                (
                    about.name.to_owned(),
                    "values",
                    numbers::<Int64Type, _>(rows, |bound| whole(bound.number)),
                ),
                (format!("{}_more", about.name), "values", flags(more)),
            ]
        }
        Values::Names(names) => {
            let parts = parts
                .unwrap_or_default()
                .iter()
                .flat_map(|data| match data {
                    Data::Names(places) => &places[..],
                    other => unreachable!("{other:?} are no names"),
                });
            let mut parts = parts.copied();
            let places = codes.iter().map(|codes| {
                let of_row = |code: &u8| match parts.next() {
                    Some(place) if *code != NULL => place,
                    _ => NO_NAME,
                };
                codes.iter().map(of_row).collect()
            });
            one(Column::of_names(names, &places.collect::<Vec<_>>()))
        }
        Values::Text | Values::Json => {
            let parts = parts
                .unwrap_or_default()
                .iter()
                .flat_map(|data| match data {
                    Data::Texts(texts) => (0..texts.len()).map(|row| texts.get(row)),
                    other => unreachable!("{other:?} are no texts"),
                });
            let mut parts = parts;
            let arrays = codes.iter().map(|codes| -> ArrayRef {
                let mut array = LargeStringBuilder::with_capacity(codes.len(), 0);
                for &code in codes {
                    let text = parts.next().filter(|text| code != NULL && !text.is_empty());
                    array.append_option(text.map(String::from_utf8_lossy));
                }
                Arc::new(array.finish())
            });
            let column = Column::new(DataType::LargeUtf8, arrays.collect());
            vec![(about.name.to_owned(), "texts", column)]
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
    let values = parts.iter().flat_map(|data| match data {
        Data::Puzzles(puzzles) => (0..puzzles.len()).map(|row| puzzles.get(row)),
        other => unreachable!("{other:?} are no puzzles"),
    });
    let mut values = values;
    let of_row = |_: &u8| match values.next() {
        Some(PuzzleValue::Other(Other::Candidates(candidates, blank))) => {
            Some(Box::new((**candidates, *blank)))
        }
        _ => None,
    };
    let mut of_row = of_row;
    let columns = codes.iter();
    columns
        .map(|codes| codes.iter().map(&mut of_row).collect())
        .collect()
}

/// The definition of a question.
fn definition(name: &str) -> PyResult<&'static Definition> {
    let found = questions::all().find(|definition| definition.name == name);
    found.ok_or_else(|| PyValueError::new_err(format!("there is no question {name}")))
}

/// All definitions: the name of each, its help, its settings and its columns, for functions that Python makes of them.
#[pyfunction]
pub(crate) fn definitions(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let about = |definition: &'static Definition| {
        let settings = PyList::empty(py);
        let of_calls = definition.settings.iter();
        for setting in of_calls.filter(|setting| setting.doors != Doors::Command) {
            let kind = match setting.kind {
                Kind::Flag => "flag",
                Kind::Rating => "rating",
                Kind::Answers => "answers",
                Kind::Techniques => "text",
                _ => "number",
            };
            settings.append((setting.name, kind, setting.usual, setting.about))?;
        }
        let columns = PyList::empty(py);
        for column in definition.columns {
            columns.append((column.name, column.about, column.when))?;
        }
        let about = PyDict::new(py);
        about.set_item("name", definition.name)?;
        about.set_item("about", definition.about)?;
        about.set_item("details", definition.details)?;
        about.set_item("settings", settings)?;
        about.set_item("columns", columns)?;
        Ok(about)
    };
    questions::all().map(about).collect()
}
