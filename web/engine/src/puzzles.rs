//! Questions about a few puzzles, each a text of its own.

use crate::failure::{Failure, json, number, options};
use serde::Deserialize;
use serde_json::{Value, json};
use sudoku_batch::{
    Puzzle, Reason, Solver,
    format::{DetectError, Layout, ParseError, Records},
    grid::{AnyPuzzle, BLANK, CELLS, GridLine},
    questions::{Canonicalize, Check, Count, List, Rate, Solve, Status},
    solve::NO_SOLUTION,
    technique::{Difficulty, Position, Rating},
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

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Options {
    unique: bool,
    minimal: bool,
    answers: Option<Vec<String>>,
    #[serde(deserialize_with = "number")]
    limit: Option<u64>,
    up_to: Option<f64>,
    #[serde(deserialize_with = "number")]
    max_work: Option<u64>,
}

/// A rating such as 2.6.
pub(crate) fn rating(number: f64) -> Result<Rating, Failure> {
    json!(number).to_string().parse().map_err(Failure::option)
}

/// A rating as a number such as 2.6.
pub(crate) fn in_numbers(rating: Rating) -> f64 {
    f64::from(rating.tenths()) / 10.0
}

/// Answers a question about each of some texts, a JSON array, as a JSON array of objects. A text
/// that is no puzzle has an `error`.
#[wasm_bindgen]
pub fn ask(question: &str, texts: &str, given: &str) -> Result<String, JsValue> {
    let texts: Vec<String> = options(texts)?;
    let given: Options = options(given)?;
    let texts = Texts::read(&texts)?;
    let mut answers = match question {
        #[cfg(feature = "solving")]
        "solve" => solve(&texts.records, given.unique),
        #[cfg(feature = "solving")]
        "check" => check(&texts.records, &given)?,
        #[cfg(feature = "solving")]
        "count" => count(&texts.records, given.limit),
        #[cfg(feature = "solving")]
        "solutions" => solutions(&texts.records, given.limit),
        #[cfg(feature = "rating")]
        "rate" => rate(&texts.records, &given)?,
        #[cfg(feature = "solving")]
        "canonical" => canonical(&texts.records),
        _ => return Err(Failure::option(format!("no question `{question}`")).into()),
    };
    for (text, answer) in answers.iter_mut().enumerate() {
        if texts.errors[text].is_some() {
            answer["error"] = texts.error(text);
        }
    }
    Ok(json(&answers))
}

/// The detail of each record that fails.
fn details(records: &Records, rejects: &[sudoku_batch::questions::Reject]) -> Vec<Option<String>> {
    let mut details = vec![None; records.len()];
    for reject in rejects {
        let detail = reject.reason.to_string();
        details[reject.record] = Some(match detail.is_empty() {
            true => reject.reason.name().to_owned(),
            false => detail,
        });
    }
    details
}

fn cells(records: &Records, record: usize) -> Option<String> {
    let puzzle = records.puzzle(record).ok();
    puzzle.map(|puzzle| puzzle.to_string())
}

/// The cells of a line, or nothing for points.
fn solution(line: &GridLine) -> Option<&str> {
    let cells = &line[..CELLS];
    (cells[0] != b'.').then(|| str::from_utf8(cells).expect("digits"))
}

fn solve(records: &Records, unique: bool) -> Vec<Value> {
    let solver = Solver::new();
    let mut question = match unique {
        true => Solve::unique(solver),
        false => Solve::new(solver),
    };
    let mut lines = vec![NO_SOLUTION; records.len()];
    let solved = question.ask(records, &mut lines);
    let details = details(records, solved.rejects);
    let answer = |record: usize| {
        json!({
            "status": solved.statuses[record].name(),
            "solution": solution(&lines[record]),
            "puzzle": cells(records, record),
            "detail": details[record],
        })
    };
    (0..records.len()).map(answer).collect()
}

fn check(records: &Records, given: &Options) -> Result<Vec<Value>, Failure> {
    let answers = match &given.answers {
        None => None,
        Some(answers) if answers.len() == records.len() => {
            let parse = |answer: &String| match puzzle(answer).ok()?.simplest() {
                AnyPuzzle::Cells(answer) => Some(answer),
                AnyPuzzle::Candidates(_) => None,
            };
            Some(answers.iter().map(parse).collect::<Vec<_>>())
        }
        Some(_) => return Err(Failure::option("there is not one answer for each puzzle")),
    };
    let mut question = Check::default();
    if given.minimal {
        question = question.minimal();
    }
    let checked = question.ask(records, answers.as_deref());
    let details = details(records, checked.rejects);
    let answer = |record: usize| {
        let mut value = json!({
            "status": checked.statuses[record].name(),
            "clues": checked.clues[record],
            "detail": details[record],
        });
        if let Some(redundant) = checked.redundant.get(record) {
            value["redundantClues"] = json!(redundant);
        }
        if let Some(answer) = checked.answers.get(record) {
            value["answerRight"] = json!(answer.right);
            value["wrongCells"] = json!(answer.score.map(|score| score.wrong_blanks));
            value["changedClues"] = json!(answer.score.map(|score| score.changed_clues));
        }
        value
    };
    Ok((0..records.len()).map(answer).collect())
}

/// The number of solutions that are counted if the caller does not say.
pub(crate) const LIMIT: u64 = 1_000_000;

fn count(records: &Records, limit: Option<u64>) -> Vec<Value> {
    let limit = limit.unwrap_or(LIMIT);
    let mut question = Count::new((limit > 0).then_some(limit));
    let counted = question.ask(records);
    let answer = |record: usize| {
        json!({
            "status": counted.statuses[record].name(),
            // Text: it may exceed the numbers of JavaScript.
            "solutions": counted.solutions[record].map(|count| count.number.to_string()),
            "more": counted.solutions[record].is_some_and(|count| count.more),
        })
    };
    (0..records.len()).map(answer).collect()
}

fn solutions(records: &Records, limit: Option<u64>) -> Vec<Value> {
    let mut question = List::new(Some(limit.unwrap_or(1000)));
    let listed = question.ask(records);
    let answer = |record: usize| {
        let lines = listed.solutions(record).iter();
        json!({
            "status": listed.statuses[record].name(),
            "solutions": lines.filter_map(solution).collect::<Vec<_>>(),
        })
    };
    (0..records.len()).map(answer).collect()
}

fn rate(records: &Records, given: &Options) -> Result<Vec<Value>, Failure> {
    let mut question = Rate::default().with_guesses();
    if let Some(up_to) = given.up_to {
        question = question.up_to(rating(up_to)?);
    }
    question = question.with_max_work(given.max_work.unwrap_or(u64::MAX));
    let rated = question.ask(records);
    let details = details(records, rated.rejects);
    let tenths = |rating: Option<Rating>| rating.map(in_numbers);
    let answer = |record: usize| {
        let status = rated.statuses[record];
        let Some(ratings) = rated.ratings[record] else {
            return json!({
                "status": status.name(), "er": null, "ep": null, "ed": null, "beyond": null,
                "technique": null, "grade": null, "guesses": null, "detail": details[record],
            });
        };
        json!({
            "status": status.name(),
            "er": tenths(ratings.er),
            "ep": tenths(ratings.ep),
            "ed": tenths(ratings.ed),
            "beyond": tenths(ratings.beyond()),
            "technique": ratings.technique.map(|technique| technique.name()),
            "grade": ratings.grade().map(Difficulty::name),
            "guesses": rated.guesses[record],
            "detail": details[record],
        })
    };
    Ok((0..records.len()).map(answer).collect())
}

fn canonical(records: &Records) -> Vec<Value> {
    let mut question = Canonicalize::default();
    let answer = question.ask(records);
    let form = |record: usize| {
        let form = answer.forms[record].as_ref();
        json!({
            "status": answer.solved.statuses[record].name(),
            "form": form.map(|form| form.as_given().to_string()),
            "transformation": form.map(|form| form.transformation().to_string()),
            "automorphisms": form.map(|form| form.automorphisms()),
        })
    };
    (0..records.len()).map(form).collect()
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
