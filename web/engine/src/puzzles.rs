//! Questions about a few puzzles, each a text of its own.

use crate::{
    failure::{Failure, camel, json, read},
    questions::{asked, definition},
};
use serde_json::{Value, json};
use sudoku_batch::{
    Reason, Solver,
    format::{DetectError, Layout, ParseError, Records, Values},
    grid::{AnyPuzzle, BLANK, CELLS},
    questions::{Answer, Batch, Data, Definition, Options, PuzzleValue, Status},
    technique::Position,
};
use wasm_bindgen::prelude::*;

/// The records of some texts, each of which should hold one puzzle in any form, and what is wrong with those that
/// do not, by their places.
fn records_of(texts: &[String]) -> (Records, Vec<(usize, Failure)>) {
    let (mut records, mut failures) = (Records::default(), Vec::new());
    for (place, text) in texts.iter().enumerate() {
        let (number, bytes) = (place as u64 + 1, text.as_bytes());
        if let Ok(cells) = bytes.try_into()
            && records.push_cells(number, cells).is_ok()
        {
            continue;
        }
        match puzzle(text) {
            Ok(AnyPuzzle::Cells(puzzle)) => {
                let pushed = records.push_cells(number, puzzle.as_ascii());
                pushed.expect("a puzzle has cells");
            }
            Ok(AnyPuzzle::Candidates(candidates)) => {
                records.push_candidates(number, &(candidates, BLANK), bytes);
            }
            Err(failure) => {
                records.push_error(number, ParseError::NOTHING, bytes);
                failures.push((place, failure));
            }
        }
    }
    (records, failures)
}

/// The puzzle of a text in any form.
pub(crate) fn puzzle(text: &str) -> Result<AnyPuzzle, Failure> {
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
    if records.is_empty() {
        return Err(Failure::malformed(1, ParseError::NOTHING));
    }
    // What is wrong with the first puzzle may be why there seem to be several.
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
/// that is no puzzle has an `error`. `answers` is a JSON array of answers, or empty.
#[wasm_bindgen]
pub fn ask(question: &str, texts: &str, given: &str, answers: &str) -> Result<String, JsValue> {
    let texts: Vec<String> = read(texts)?;
    let mut given = Options::parse(given).map_err(Failure::from)?;
    let (records, failures) = records_of(&texts);
    let Some(definition) = definition(question) else {
        return Err(Failure::option(format!("no question `{question}`")).into());
    };
    let mut made = values(definition, &records, &mut given, answers)?;
    for (place, mut failure) in failures {
        failure.index = Some(place);
        made[place]["detail"] = json!(failure.reason.as_ref().unwrap_or(&failure.message));
        made[place]["error"] = json!(failure);
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
    let answers = if answers.is_empty() {
        None
    } else {
        let answers: Vec<String> = read(answers)?;
        if answers.len() != records.len() {
            let (puzzles, answers) = (records.len(), answers.len());
            let message = format!("there are {puzzles} puzzles and {answers} answers");
            return Err(Failure::option(message));
        }
        given.set("answers", "true");
        let parse = |answer: &String| match puzzle(answer).ok()?.simplest() {
            AnyPuzzle::Cells(answer) => Some(answer),
            AnyPuzzle::Candidates(_) => None,
        };
        Some(answers.iter().map(parse).collect::<Vec<_>>())
    };
    let mut asked = asked(definition, given)?;
    let answer = asked.ask(Batch {
        records,
        answers: answers.as_deref(),
        texts: None,
    });
    let mut details = vec![None; records.len()];
    for reject in &answer.rejects {
        let detail = reject.reason.to_string();
        let is_named = !detail.is_empty();
        details[reject.record] = Some(if is_named {
            detail
        } else {
            reject.reason.name().to_owned()
        });
    }
    let has_several_rows = definition.has_several_rows();
    let mut entries = answer.entries().peekable();
    let mut of_record = |record: usize| {
        let mut places = Vec::new();
        while let Some(entry) = entries.next_if(|entry| entry.0 == record) {
            places.extend(entry.1);
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
        Data::Cells(lines) => json!(solution(&lines[place])),
        Data::Puzzles(puzzles) => match puzzles.get(place) {
            PuzzleValue::Cells(cells) => json!(str::from_utf8(cells).unwrap_or_default()),
            PuzzleValue::Candidates(candidates, _) => json!(candidates.to_string()),
            PuzzleValue::Nothing | PuzzleValue::Text(_) => Value::Null,
        },
        Data::Numbers(numbers) => json!(numbers[place]),
        Data::Bounds(bounds) => json!(bounds[place].map(|bound| bound.number)),
        Data::Ratings(ratings) => json!(ratings[place].map(f64::from)),
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
fn solution(line: &[u8; 82]) -> Option<&str> {
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
