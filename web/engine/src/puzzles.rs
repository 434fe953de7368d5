//! Questions about a few puzzles, each a text of its own.

use crate::{
    failure::{Failure, camel, json, read},
    questions::{asked, definition},
};
use serde_json::{Value, json};
use std::borrow::Cow;
use sudoku_batch::{
    Puzzle, Reason, Solver,
    format::{DetectError, Layout, ParseError, Records, Values},
    grid::{AnyPuzzle, BLANK, CELLS, GridLine},
    questions::{Answer, Batch, Data, Definition, Options, PuzzleValue, Status},
    technique::{Position, Rating},
};
use wasm_bindgen::prelude::*;

/// The records of some texts, and the line and the error of each text that is no puzzle.
struct Texts {
    records: Records,
    errors: Vec<Option<(u64, ParseError)>>,
}

impl Texts {
    /// Reads texts in any form. Each must hold one puzzle.
    fn read(texts: &[String]) -> Result<Self, Failure> {
        let mut read = Self {
            records: Records::default(),
            errors: Vec::with_capacity(texts.len()),
        };
        for (number, text) in (1..).zip(texts) {
            if let Ok(cells) = text.as_bytes().try_into()
                && read.records.push_cells(number, cells).is_ok()
            {
                read.errors.push(None);
                continue;
            }
            let (line, puzzle) = one(text)?;
            let records = &mut read.records;
            match &puzzle {
                Ok(AnyPuzzle::Cells(puzzle)) => {
                    let pushed = records.push_cells(number, puzzle.as_ascii());
                    pushed.expect("a puzzle has cells");
                }
                Ok(AnyPuzzle::Candidates(candidates)) => {
                    records.push_candidates(number, &(*candidates, BLANK), text.as_bytes());
                }
                Err(error) => records.push_error(number, *error, text.as_bytes()),
            }
            read.errors.push(puzzle.err().map(|error| (line, error)));
        }
        Ok(read)
    }

    /// What is wrong with a text that is no puzzle.
    fn error(&self, text: usize) -> Value {
        match self.errors[text] {
            Some((line, error)) => json!(Failure::malformed(line, error)),
            None => Value::Null,
        }
    }
}

/// The puzzle of a text in any form, and its line.
fn one(text: &str) -> Result<(u64, Result<AnyPuzzle, ParseError>), Failure> {
    let mut records = Records::default();
    match Layout::detect(text.as_bytes(), None, None) {
        Ok(found) => {
            records.add_lines(found.skipped_lines);
            let rest = &text.as_bytes()[found.skipped..];
            found.layout.read(rest, &mut records);
        }
        // What is nearly a line has an error with a place.
        Err(DetectError::Unknown { .. }) => Layout::Line.read(text.as_bytes(), &mut records),
        Err(error) => return Err(Failure::form(error)),
    }
    match records.len() {
        0 => {
            let error = "".parse::<Puzzle>().expect_err("no cells");
            Ok((1, Err(error)))
        }
        1 => Ok((records.line(0), records.puzzle(0))),
        count => Err(Failure {
            code: "several",
            message: format!(
                "the text has {count} records: this call takes one, `batch` takes all"
            ),
            line: Some(records.line(1)),
            ..Failure::default()
        }),
    }
}

/// The puzzle of a text in any form.
pub(crate) fn puzzle(text: &str) -> Result<AnyPuzzle, Failure> {
    let (line, puzzle) = one(text)?;
    puzzle.map_err(|error| Failure::malformed(line, error))
}

/// A rating as a number such as 2.6.
pub(crate) fn in_numbers(rating: Rating) -> f64 {
    f64::from(rating.tenths()) / 10.0
}

/// Answers a question about each of some texts, a JSON array, as a JSON array of objects. A text
/// that is no puzzle has an `error`. `answers` is a JSON array of answers, or empty.
#[wasm_bindgen]
pub fn ask(question: &str, texts: &str, given: &str, answers: &str) -> Result<String, JsValue> {
    let texts: Vec<String> = read(texts)?;
    let mut given = Options::parse(given).map_err(Failure::from)?;
    let texts = Texts::read(&texts)?;
    let Some(definition) = definition(question) else {
        return Err(Failure::option(format!("no question `{question}`")).into());
    };
    let mut made = values(definition, &texts.records, &mut given, answers)?;
    for (text, answer) in made.iter_mut().enumerate() {
        if texts.errors[text].is_some() {
            answer["error"] = texts.error(text);
        }
    }
    Ok(json(&made))
}

/// The answer to each record as an object: its status, what is wrong, and the columns by their names. A column
/// of a question with several rows for a record is an array.
fn values(
    definition: &'static Definition,
    records: &Records,
    given: &mut Options,
    answers: &str,
) -> Result<Vec<Value>, Failure> {
    let mut texts = None;
    let answers = match answers {
        "" => None,
        answers => {
            let answers: Vec<String> = read(answers)?;
            if answers.len() != records.len() {
                return Err(Failure::option("there is not one answer for each puzzle"));
            }
            let takes_texts = definition.takes_texts();
            given.set(if takes_texts { "texts" } else { "answers" }, "true");
            let parse = |answer: &String| match puzzle(answer).ok()?.simplest() {
                AnyPuzzle::Cells(answer) => Some(answer),
                AnyPuzzle::Candidates(_) => None,
            };
            let cells = answers.iter().map(parse).collect::<Vec<_>>();
            if takes_texts {
                let bytes = |text: String| Some(Cow::Owned(text.into_bytes()));
                texts = Some(answers.into_iter().map(bytes).collect::<Vec<_>>());
            }
            Some(cells).filter(|_| !takes_texts)
        }
    };
    let mut asked = asked(definition, given)?;
    let answers = answers.as_deref();
    let texts = texts.as_deref();
    let answer = asked.ask(Batch {
        records,
        answers,
        texts,
    });
    let mut details = vec![None; records.len()];
    for reject in &answer.rejects {
        let detail = reject.reason.to_string();
        details[reject.record] = Some(match detail.is_empty() {
            true => reject.reason.name().to_owned(),
            false => detail,
        });
    }
    let has_several_rows = definition.has_several_rows();
    let mut entries = answer.entries().peekable();
    let mut of_record = |record: usize| {
        let mut places = Vec::new();
        while let Some(entry) = entries.next_if(|entry| entry.record() == record) {
            places.extend(entry.values());
        }
        places
    };
    let mut object = |record: usize| {
        let puzzle = records.puzzle(record).ok();
        let mut object = json!({
            "status": answer.statuses[record].name(),
            "puzzle": puzzle.map(|puzzle| puzzle.to_string()),
            "detail": details[record],
        });
        if has_several_rows {
            let is_limited = answer.limited.binary_search(&record).is_ok();
            object["more"] = json!(is_limited);
        }
        let of_record = of_record(record);
        for (number, column) in asked.columns.iter().enumerate() {
            if matches!(answer.column(number), Data::OfRecord) {
                continue;
            }
            if let Data::Bounds(bounds) = answer.column(number) {
                object["more"] = json!(bounds[record].is_some_and(|bound| bound.more));
            }
            object[camel(column.name)] = match has_several_rows {
                true => of_record
                    .iter()
                    .map(|place| value(&answer, number, *place))
                    .collect(),
                false => value(&answer, number, record),
            };
        }
        object
    };
    Ok((0..records.len()).map(&mut object).collect())
}

/// A value of a column, by its kind.
pub(crate) fn value(answer: &Answer<'_>, column: usize, place: usize) -> Value {
    match answer.column(column) {
        Data::Cells(lines) => json!(solution(&lines.as_slice()[place])),
        Data::Puzzles(puzzles) => match puzzles.get(place) {
            PuzzleValue::Cells(cells) => json!(str::from_utf8(cells).unwrap_or_default()),
            PuzzleValue::Candidates(candidates, _) => json!(candidates.to_string()),
            PuzzleValue::Nothing | PuzzleValue::Text(_) => Value::Null,
        },
        Data::Numbers(numbers) => json!(numbers[place]),
        // Text: it may exceed the numbers of JavaScript.
        Data::Bounds(bounds) => json!(bounds[place].map(|bound| bound.number.to_string())),
        Data::Ratings(ratings) => json!(ratings[place].map(in_numbers)),
        Data::Reals(reals) => json!(reals[place]),
        Data::Names(places) => match answer.kinds()[column] {
            Values::Names(names) => json!(names.get(usize::from(places[place]))),
            _ => Value::Null,
        },
        Data::Flags(flags) => json!(flags[place]),
        Data::Texts(texts) => match texts.get(place) {
            [] => Value::Null,
            text => json!(String::from_utf8_lossy(text)),
        },
        _ => Value::Null,
    }
}

/// The cells of a line, or nothing for points.
fn solution(line: &GridLine) -> Option<&str> {
    let cells = &line[..CELLS];
    (cells[0] != b'.').then(|| str::from_utf8(cells).expect("digits"))
}

/// What a page shows of a puzzle at once: its text, its cells, the candidates of each cell, the pairs of clues
/// that contradict each other, the status, the number of solutions up to 1,000, and a solution.
#[cfg(feature = "solving")]
#[wasm_bindgen]
pub fn look(text: &str) -> Result<String, JsValue> {
    let puzzle = puzzle(text)?;
    let clues = puzzle.clues();
    let position = Position::new(&puzzle);
    let all = sudoku_batch::Cell::all();
    let candidates: Vec<u16> = all.map(|cell| position.candidates(cell).bits()).collect();
    let conflicts: Vec<_> = clues
        .conflicts()
        .iter()
        .map(|conflict| {
            json!({
                "cells": [conflict.first.index(), conflict.second.index()],
                "words": conflict.to_string(),
            })
        })
        .collect();
    const MOST: u64 = 1000;
    let mut solver = Solver::new();
    let (count, solution) = match conflicts.is_empty() {
        true => (
            solver.count(&puzzle, MOST + 1),
            solver.solve(&puzzle).solution(),
        ),
        false => (0, None),
    };
    let status = match count {
        0 => Reason::from_unsolvable(&clues).status(),
        1 => Status::Unique,
        _ => Status::Multiple,
    };
    Ok(json(&json!({
        "puzzle": puzzle.to_string(),
        "cells": clues.to_string(),
        "clues": clues.clue_count(),
        "candidates": candidates,
        "conflicts": conflicts,
        "status": status.name(),
        "solutions": count.min(MOST),
        "more": count > MOST,
        "solution": solution.map(|grid| grid.to_string()),
    })))
}
