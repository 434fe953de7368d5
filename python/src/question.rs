//! Questions by their definitions, and sets that are made, grids and puzzles by number: columns of each kind become
//! arrays.
//!
//! Nothing here knows a question. The definition says which settings it takes and which columns it has, and
//! [`Table`] what is in them.

use crate::{
    answer::{Cells, Desk, Kind as Comes, NULL, Source, Statuses, Task, ask as ask_rows, wrong},
    columns::Column,
    work::{self, Kept},
};
use arrow_array::BooleanArray;
use arrow_buffer::NullBuffer;
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyByteArray};
use std::{iter, ops::Range};
use sudoku_batch::{
    Puzzle,
    format::{Records, Values},
    questions::{
        self, Answer, Batch, Buffer, Column as OfAnswer, Definition, GivenAnswer, MakeRecords,
        Question, SETS, SettingError, Status, Table, TableColumn,
    },
};

/// The name of a column, the method of Python's `Kind` (of that of the `answers.`, if it says so) that makes
/// of it what the user gets, and its object.
pub(crate) type Named<'py> = (String, &'static str, Bound<'py, PyAny>);

/// The columns to give, and the shape of their rows.
struct Shape<'s> {
    /// The columns that are filled.
    filled: &'s [OfAnswer],
    /// All columns. One that is not filled is null.
    all: &'s [OfAnswer],
    /// Whether a record may have several rows, or none.
    has_several_rows: bool,
    /// Whether a limit bounds the rows of a record: then there is a column that says where it did.
    has_limit: bool,
    /// The kind of the answers that go with the records.
    answers: Option<&'s Comes>,
}

/// The answers to a slice of rows.
struct Slice {
    table: Table,
    /// The records with more rows than the limit.
    limited: Vec<usize>,
}

impl Desk<Question> {
    /// Answers the records of a task, which may come with answers or texts.
    pub(crate) fn fill(&mut self, task: &Task<'_>, given: Option<&Source>) {
        let plain = task.rows.plain(task.range.clone(), &mut self.cells);
        if let Some(cells) = plain.filter(|_| given.is_none()) {
            self.answer.begin(cells.len());
            if self.by.fill_plain(cells, &mut self.answer) {
                return;
            }
        }
        self.read(task);
        self.answer.begin(self.records.len());
        let takes_texts = self.by.definition.takes_texts();
        let given = |are_texts| given.filter(|_| takes_texts == are_texts);
        let answers = given(false).map(|given| given_answers(given, task.rows()));
        let texts = given(true).map(|given| given.texts(task.rows()));
        let batch = Batch {
            records: &self.records,
            answers: answers.as_deref(),
            texts: texts.as_deref(),
        };
        self.by.fill(batch, &mut self.answer);
    }
}

/// The question with texts of settings.
pub(crate) fn asked(
    definition: &'static Definition,
    settings: &[(String, String)],
) -> PyResult<Question> {
    let texts = settings.iter().map(|(name, text)| (&name[..], &text[..]));
    definition.with(texts).map_err(wrong_setting)
}

/// Asks a question with these settings: all columns of its definition, in order, and statuses. A column that
/// is not asked for is null, or left out if it is [one of many](is_one_of_many).
#[pyfunction]
pub(crate) fn ask<'py>(
    question: &str,
    records: &Bound<'py, PyAny>,
    settings: Vec<(String, String)>,
    answers: Option<&Bound<'py, PyAny>>,
    threads: Option<usize>,
) -> PyResult<(Vec<Named<'py>>, Statuses)> {
    static KEPT: Kept<Desk<Question>> = Kept::new();
    let definition = questions::all().find(|definition| definition.name == question);
    let definition =
        definition.ok_or_else(|| wrong(format_args!("there is no question {question}")))?;
    let mut asked = asked(definition, &settings)?;
    asked.share(work::threads(threads));
    let source = Source::of(records)?;
    let takes_texts = definition.takes_texts();
    let what = if takes_texts { "text" } else { "answer" };
    let given = answers.map(|answers| source.beside(answers, what));
    let given = given.transpose()?;
    let is_text = |given: &Source| matches!(given.kind, Comes::Text(_) | Comes::List);
    if takes_texts && !given.as_ref().is_none_or(is_text) {
        return Err(PyTypeError::new_err("texts are str, and no numbers"));
    }
    let work = |desk: &mut Desk<Question>, task: &Task<'_>| desk.fill(task, given.as_ref());
    let key = format!("{question} {settings:?} {threads:?}");
    // Forks fill answers, and the question settles them.
    let fork = asked.fork();
    let shape = Shape {
        filled: &fork.columns,
        all: definition.columns,
        has_several_rows: definition.has_several_rows(),
        has_limit: definition.setting("limit").is_ok(),
        answers: given.as_ref().map(|given| &given.kind),
    };
    let most = asked.batch();
    let rows = (&source, threads, most);
    let (make, settles) = (|| fork.fork(), Some(&mut asked));
    fill(
        records.py(),
        rows,
        &shape,
        (&KEPT, &key),
        make,
        work,
        settles,
    )
}

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
    let work = |desk: &mut Desk<MakeRecords>, task: &Task<'_>| {
        let rows = task.rows();
        desk.answer.begin(rows.len());
        desk.answer.keep_places(true);
        let number = |row: usize| first + row as u64;
        (desk.by)(number(rows.start)..number(rows.end), &mut desk.answer);
    };
    let source = Source::made(&*set, numbers, digits);
    let rows = (&source, threads, set.batch());
    let kept = (&Kept::new(), "");
    let (made, _) = fill(py, rows, &shape, kept, || set.worker(), work, None)?;
    Ok(made)
}

/// An error of settings, which Python names in its way.
fn wrong_setting(mut error: SettingError) -> PyErr {
    error.setting = error.setting.replace('-', "_");
    // A range is no text here.
    let end = error.message.find(", or A..B");
    error.message.truncate(end.unwrap_or(error.message.len()));
    wrong(error)
}

/// The cells of some rows; `None` for a row that is malformed or null.
pub(crate) fn puzzles(source: &Source, rows: Range<usize>) -> Vec<Option<Puzzle>> {
    let mut records = Records::default();
    source.read(rows, &mut records, &mut Vec::new());
    let puzzles = (0..records.len()).map(|row| records.puzzle_of_cells(row).ok());
    puzzles.collect()
}

/// The answers of some rows. One that is null, or a text of nothing, is missing.
fn given_answers(source: &Source, rows: Range<usize>) -> Vec<GivenAnswer> {
    let (mut records, mut nulls) = (Records::default(), Vec::new());
    source.read(rows, &mut records, &mut nulls);
    let is_text = matches!(source.kind, Comes::Text(_) | Comes::List);
    let answer = |row| match GivenAnswer::of_record(&records, row) {
        // Rows of numbers have no text.
        GivenAnswer::Missing if !is_text && nulls.binary_search(&row).is_err() => {
            GivenAnswer::Malformed
        }
        given => given,
    };
    (0..records.len()).map(answer).collect()
}

/// Fills columns for all rows of a source, with this number of threads, at most `most` rows at a time: `work`
/// fills those of a slice, and a question with a step in order settles them.
fn fill<'py, Q: Send>(
    py: Python<'py>,
    (source, threads, most): (&Source, Option<usize>, usize),
    shape: &Shape<'_>,
    kept: (&Kept<Desk<Q>>, &str),
    make: impl Fn() -> Q + Sync,
    work: impl Fn(&mut Desk<Q>, &Task<'_>) + Sync,
    settles: Option<&mut Question>,
) -> PyResult<(Vec<Named<'py>>, Statuses)> {
    let Shape { filled, all, .. } = *shape;
    let several = shape.has_several_rows;
    let place = |columns: &[OfAnswer], name| columns.iter().position(|column| column.name == name);
    // Cells that nobody asks for are no column at all.
    let is_given = |about: &&OfAnswer| match about.values {
        Values::Status => false,
        values if values.are_cells() || values == Values::Pairs => {
            place(filled, about.name).is_some()
        }
        _ => place(filled, about.name).is_some() || !is_one_of_many(all, about),
    };
    let given: Vec<_> = all.iter().filter(is_given).copied().collect();
    // The cells of a row for each record are written by the threads.
    let is_written = |about: &&OfAnswer| !several && about.values == Values::Cells;
    let of_table = || given.iter().filter(|about| !is_written(about));
    let empty = || Table::new(of_table(), filled);
    let of_cells = given.iter().filter(is_written);
    let of_cells = of_cells.map(|about| place(filled, about.name).expect("it is filled"));
    let of_cells: Vec<_> = of_cells.collect();
    let lengths = source.lengths();
    let written = of_cells.iter().map(|_| Cells::new(&source.kind, &lengths));
    let mut written: Vec<_> = written.collect();
    let make = || {
        let mut answer = Answer::of(filled);
        answer.leave_out(|column| place(all, filled[column].name).is_none());
        Desk::new(make(), answer)
    };
    let work = |desk: &mut Desk<Q>, task: &mut Task<'_>| {
        work(desk, task);
        let filled = &mut desk.answer;
        task.set_statuses(&filled.statuses);
        for (cells, &column) in task.cells.iter_mut().zip(&of_cells) {
            cells.write_column(filled.column(column));
        }
        let mut table = empty();
        table.push_filled(task.first as u64, filled);
        let limited = filled.limited.iter().map(|record| task.first + record);
        Slice {
            limited: limited.collect(),
            table,
        }
    };
    let (statuses, mut slices) =
        ask_rows(py, source, (threads, most), &mut written, kept, make, work)?;
    if let Some(question) = settles.filter(|question| question.needs_order()) {
        py.detach(|| {
            slices.iter_mut().try_for_each(|slice| {
                Python::attach(|py| py.check_signals())?;
                slice.table.settle(question);
                PyResult::Ok(())
            })
        })?;
    }
    let (tables, limited): (Vec<_>, Vec<_>) = slices
        .into_iter()
        .map(|slice| (slice.table, slice.limited))
        .unzip();
    let rows = [tables.iter().map(Table::rows).sum()];
    let lengths = if several { &rows[..] } else { &lengths };
    // The parts of each column, behind one without rows.
    let tables = iter::once(empty()).chain(tables);
    let mut tables: Vec<_> = tables
        .map(|table| table.into_columns().into_iter())
        .collect();
    let mut parts = || {
        tables
            .iter_mut()
            .filter_map(Iterator::next)
            .collect::<Vec<_>>()
    };
    let method = |own: &'static str, other: &'static str| if several { other } else { own };
    let mut of_answers = Vec::new();
    let mut give = |name: &str, method, object| of_answers.push((name.to_owned(), method, object));
    let mut written = written.into_iter();
    for about in &given {
        if is_written(&about) {
            let of_rows = written.next().expect("it is written");
            give(about.name, "cells", of_rows.into_object(py)?);
            continue;
        }
        let is_of_answers = about.when == Some("answers");
        if about.values.are_cells() {
            let kind = match shape.answers {
                Some(answers) if is_of_answers => answers,
                _ => &source.kind,
            };
            let are_candidates = match about.values {
                Values::Candidates => true,
                Values::Puzzles => matches!(kind, Comes::Candidates(_)),
                _ => false,
            };
            let method = match about.values {
                Values::Candidates => method("candidates", "other_candidates"),
                Values::Puzzles => method("puzzles", "other_puzzles"),
                _ if is_of_answers => "answers.other_cells",
                _ => "other_cells",
            };
            let object = kind.object_of(py, parts(), are_candidates, lengths)?;
            give(about.name, method, object);
            continue;
        }
        let method = match about.values {
            Values::Pairs => "pairs",
            Values::CandidateCounts => "candidate_counts",
            Values::Record => "other_values",
            Values::Text | Values::Json => method("texts", "other_texts"),
            _ => method("values", "other_values"),
        };
        let number = if about.values == Values::Bounds { 2 } else { 1 };
        for _ in 0..number {
            let parts = parts();
            // The columns of many rows take a while.
            let (name, bytes, column) = py.detach(|| {
                let mut column = TableColumn::joined(parts);
                if !several && !about.of_missing {
                    let rows = column.is_there.iter_mut().zip(&statuses.codes);
                    rows.for_each(|(is_there, code)| *is_there &= *code != NULL);
                }
                let name = column.name.clone();
                match column.values {
                    Buffer::Pairs(bytes) => (name, Some(bytes), None),
                    Buffer::CandidateCounts(rows) => {
                        let numbers = rows.as_flattened().iter();
                        let bytes = numbers.flat_map(|number| number.to_ne_bytes());
                        (name, Some(bytes.collect()), None)
                    }
                    _ => (
                        name,
                        None,
                        Some(Column::of_table(column, about.most, lengths)),
                    ),
                }
            });
            let object = match column {
                Some(column) => Bound::new(py, column)?.into_any(),
                None => PyByteArray::new(py, &bytes.expect("one of both")).into_any(),
            };
            give(&name, method, object);
        }
    }
    if shape.has_limit && several {
        let column = py.detach(|| more(limited.into_iter().flatten(), &statuses));
        give("more", "values", Bound::new(py, column)?.into_any());
    }
    Ok((of_answers, statuses))
}

/// Whether each record has more rows than the limit. It is null for a malformed record.
fn more(limited: impl Iterator<Item = usize>, statuses: &Statuses) -> Column {
    let mut more = vec![false; statuses.codes.len()];
    limited.for_each(|record| more[record] = true);
    let is_there = |code: &u8| *code != NULL && *code != Status::Malformed as u8;
    let nulls: NullBuffer = statuses.codes.iter().map(is_there).collect();
    let more = BooleanArray::new(more.into(), Some(nulls));
    Column::cut(&more, &statuses.lengths)
}

/// Returns true if a setting asks for a column together with many others. If nobody asks, these are left out: a
/// null column for each would take more memory than the answer.
fn is_one_of_many(columns: &[OfAnswer], about: &OfAnswer) -> bool {
    const MANY: usize = 8;
    let with_it = |column: &&OfAnswer| column.when.is_some() && column.when == about.when;
    columns.iter().filter(with_it).count() > MANY
}

/// All definitions of questions, and those of sets, each as JSON: for functions that Python makes of them.
#[pyfunction]
pub(crate) fn definitions() -> [Vec<String>; 2] {
    let questions = questions::all().map(|definition| definition.to_json().to_string());
    let sets = SETS
        .iter()
        .map(|definition| definition.to_json().to_string());
    [questions.collect(), sets.collect()]
}
