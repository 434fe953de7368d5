//! Questions about a few puzzles, each a text of its own.

use crate::{
    failure::{Failure, camel, json, options, read, texts},
    questions::{asked, definition, names_of},
};
use serde_json::{Value, json};
use std::ops::Range;
use sudoku_batch::{
    format::{DetectError, Layout, ParseError, Records, Values},
    grid::AnyPuzzle,
    questions::{Answer, Batch, Buffer, Column, GivenAnswer, Question, Table, TableColumn},
    technique::Position,
    words::counted,
};
use wasm_bindgen::prelude::*;

/// The records of some texts, each of which should hold one puzzle in any format, and what is wrong with those that
/// do not, by their places.
fn records_of(texts: &[&str]) -> (Records, Vec<(usize, Failure)>) {
    let (mut records, mut failures) = (Records::default(), Vec::new());
    for (place, text) in texts.iter().enumerate() {
        let (number, bytes) = (place as u64 + 1, text.as_bytes());
        match puzzle(text) {
            Ok(puzzle) => records.push_puzzle(number, &puzzle, bytes),
            Err(failure) => {
                records.push_error(number, ParseError::NOTHING, bytes);
                failures.push((place, failure));
            }
        }
    }
    (records, failures)
}

/// The puzzle of a text in any format.
pub(crate) fn puzzle(text: &str) -> Result<AnyPuzzle, Failure> {
    let mut records = Records::default();
    if let Ok(cells) = text.as_bytes().try_into()
        && records.push_cells(1, cells).is_ok()
    {
        return Ok(records.puzzle(0).expect("cells"));
    }
    match Layout::detect(text.as_bytes(), None, None) {
        Ok(found) => {
            records.add_lines(found.skipped_lines);
            let rest = &text.as_bytes()[found.skipped..];
            found.layout.read(rest, &mut records);
        }
        // A text that is nearly a line has an error with a place.
        Err(DetectError::Unknown { .. } | DetectError::Cells { .. }) => {
            Layout::Line.read(text.as_bytes(), &mut records);
        }
        Err(error) => return Err(error.into()),
    }
    if records.is_empty() {
        return Err(Failure::malformed(1, ParseError::NOTHING));
    }
    // An error in the first puzzle may be why there seem to be several.
    let puzzle = records.puzzle(0);
    let puzzle = puzzle.map_err(|error| Failure::malformed(records.line(0), error))?;
    if records.len() > 1 {
        let count = records.len();
        let message =
            format_args!("the text has {count} records: this call takes one, `batch` takes all");
        return Err(Failure {
            line: Some(records.line(1)),
            ..Failure::new("several", message)
        });
    }
    Ok(puzzle)
}

/// Answers a question about each of some texts, a JSON array, as a JSON array of objects. A text
/// that is no puzzle has an `error`. `answers` is a JSON array of answers, or `null`.
#[wasm_bindgen]
pub fn ask(question: &str, texts: &str, given: &str, answers: &str) -> Result<String, Failure> {
    let (given_texts, answers) = (read(texts), read(answers));
    let texts = self::texts(&given_texts).unwrap_or_default();
    let definition = definition(question)?;
    let given = options(question, &names_of(&[], definition), given)?;
    let (records, failures) = records_of(&texts);
    let answers = self::texts(&answers);
    if let Some(answers) = &answers {
        let (puzzles, answers) = (texts.len(), answers.len());
        if puzzles != answers {
            let puzzles = counted(puzzles as u64, "puzzles");
            let answers = counted(answers as u64, "answers");
            return Err(Failure::option(format_args!(
                "there are {puzzles} and {answers}"
            )));
        }
    }
    let answers = answers.map(|answers| {
        let (answers, _) = records_of(&answers);
        let answer = |record| GivenAnswer::of_record(&answers, record);
        (0..answers.len()).map(answer).collect::<Vec<_>>()
    });
    let mut asked = asked(definition, &given, answers.is_some())?;
    let answer = asked.ask(Batch {
        records: &records,
        answers: answers.as_deref(),
        texts: None,
    });
    let mut objects = objects(&asked, &records, &answer);
    for reject in &answer.rejects {
        let (name, detail) = (reject.reason.name(), reject.reason.to_string());
        let detail = if detail.is_empty() { name } else { &detail };
        objects[reject.record]["detail"] = json!(detail);
    }
    for (place, mut failure) in failures {
        failure.index = Some(place);
        objects[place]["detail"] = json!(failure.reason.as_ref().unwrap_or(&failure.message));
        objects[place]["error"] = json!(failure);
    }
    Ok(json(&objects))
}

/// The answer to each record as an object: its status, and the columns by their names. A column of a question with
/// several rows for a record is an array.
fn objects(asked: &Question, records: &Records, answer: &Answer<'_>) -> Vec<Value> {
    let of_record = |column: &&Column| matches!(column.values, Values::Record | Values::Status);
    let columns = asked.columns.iter().filter(|column| !of_record(column));
    let mut table = Table::new(columns, &asked.columns);
    table.push(0, answer);
    let columns = table.into_columns();
    let mut rows = vec![0; records.len()];
    for (record, places) in answer.entries() {
        rows[record] += places.len();
    }
    let (several, mut first) = (asked.definition.has_several_rows(), 0);
    let object = |(record, count): (usize, usize)| {
        let mut object = json!({
            "status": answer.statuses[record].name(),
            "puzzle": records.puzzle(record).ok(),
            "detail": null,
        });
        add_values(&mut object, &columns, first..first + count, several);
        first += count;
        object
    };
    rows.into_iter().enumerate().map(object).collect()
}

/// Adds the values of rows of columns to an object, by the names of the columns: those of a row, or lists of
/// those of several.
pub(crate) fn add_values(
    object: &mut Value,
    columns: &[TableColumn],
    rows: Range<usize>,
    several: bool,
) {
    for column in columns {
        let mut values = rows.clone().map(|row| value(column, row));
        object[camel(&column.name)] = match several {
            true => values.collect(),
            false => values.next().unwrap_or_default(),
        };
    }
}

/// The value of a row. A whole number that JavaScript would round is a text of its digits.
fn value(column: &TableColumn, row: usize) -> Value {
    const MAX_SAFE: u64 = (1 << 53) - 1;
    match &column.values {
        _ if !column.is_there[row] => Value::Null,
        Buffer::Numbers(numbers) if numbers[row] > MAX_SAFE => json!(numbers[row].to_string()),
        Buffer::Numbers(numbers) => json!(numbers[row]),
        Buffer::Reals(reals) => json!(reals[row]),
        Buffer::Flags(flags) => json!(flags[row]),
        Buffer::Names(places, names) => json!(names[usize::from(places[row])]),
        Buffer::Texts(ends, bytes) => {
            let text = &bytes[ends[row] as usize..ends[row + 1] as usize];
            json!(String::from_utf8_lossy(text))
        }
        Buffer::Pairs(_) => Value::Null,
        Buffer::CandidateCounts(rows) => {
            rows[row].chunks(9).map(|of_cell| json!(of_cell)).collect()
        }
    }
}

/// A puzzle as a page shows it, without its solutions: its text, its cells, the candidates of each cell, and the
/// pairs of clues that contradict each other.
#[cfg(feature = "solving")]
#[wasm_bindgen]
pub fn look(text: &str) -> Result<String, Failure> {
    let puzzle = puzzle(text)?;
    let clues = puzzle.clues();
    let position = Position::new(&puzzle);
    let all = sudoku_batch::Cell::all();
    let candidates: Vec<u16> = all.map(|cell| position.candidates(cell).bits()).collect();
    let conflicts = clues.conflicts();
    let conflicts = conflicts.iter().map(|conflict| {
        json!({
            "cells": [conflict.first.index(), conflict.second.index()],
            "words": conflict.to_string(),
        })
    });
    Ok(json(&json!({
        "puzzle": puzzle,
        "cells": clues,
        "clues": clues.clue_count(),
        "candidates": candidates,
        "conflicts": conflicts.collect::<Value>(),
    })))
}
