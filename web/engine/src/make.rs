//! Puzzles and grids by number.

use crate::{
    failure::{Failure, camel, json, number, options},
    puzzles::{rating, value},
};
use serde::Deserialize;
use serde_json::json;
use std::{fmt::Display, ops::Range, str::FromStr};
use sudoku_batch::{
    Digit,
    format::{Added, Form, Place, Values, Writer},
    generate::{Grids, Sequence, Uniform},
    puzzle::{self, Wanted},
    questions::{Answer, Column, GridSet, MadeSet, MakeRecords, PuzzleSet, RowTexts},
};
use wasm_bindgen::prelude::*;

/// One number, or the least and the most.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Span<T> {
    One(T),
    Two([T; 2]),
}

impl<T: Copy> Span<T> {
    fn ends(self) -> [T; 2] {
        match self {
            Self::One(number) => [number, number],
            Self::Two(ends) => ends,
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Source {
    Uniform,
    Sequence,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Options {
    n: u32,
    #[serde(deserialize_with = "number")]
    seed: Option<u64>,
    #[serde(deserialize_with = "number")]
    start: Option<u64>,
    grids: Option<Source>,
    first_digit: Option<u8>,
    blanks: Option<Span<usize>>,
    clues: Option<Span<usize>>,
    difficulty: Option<String>,
    rating: Option<Span<f64>>,
    needs: Option<String>,
    #[serde(deserialize_with = "number")]
    guesses: Option<u64>,
    solved_by: Option<String>,
    minimal: bool,
    symmetry: Option<String>,
    unique: bool,
    format: Option<String>,
    /// Whether a table begins with its header: a later slice of a set does not.
    header: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            n: 1,
            seed: None,
            start: None,
            grids: None,
            first_digit: None,
            blanks: None,
            clues: None,
            difficulty: None,
            rating: None,
            needs: None,
            guesses: None,
            solved_by: None,
            minimal: false,
            symmetry: None,
            unique: true,
            format: None,
            header: true,
        }
    }
}

impl Options {
    fn first_digit(&self) -> Result<Option<Digit>, Failure> {
        let digit = self.first_digit.map(|digit| {
            Digit::new(digit).ok_or_else(|| Failure::option("firstDigit is a digit from 1 to 9"))
        });
        digit.transpose()
    }

    /// The grids that were asked for; `usual` ones, if nothing was said of them.
    fn grids(&self, usual: Source) -> Result<Grids, Failure> {
        let (seed, digit) = (self.seed.unwrap_or(0), self.first_digit()?);
        Ok(match (self.grids.unwrap_or(usual), digit) {
            (Source::Uniform, None) => Grids::Uniform(Uniform::seeded(seed)),
            (Source::Uniform, Some(digit)) => {
                Grids::Uniform(Uniform::seeded(seed).with_first_digit(digit))
            }
            (Source::Sequence, None) => Grids::Sequence(Sequence::seeded(seed)),
            (Source::Sequence, Some(digit)) => {
                Grids::Sequence(Sequence::seeded(seed).with_first_digit(digit))
            }
        })
    }

    /// The numbers to make, of which there are `capacity`.
    fn numbers(&self, capacity: u64) -> Result<Range<u64>, Failure> {
        let start = self.start.unwrap_or(0);
        match start.checked_add(u64::from(self.n)) {
            Some(end) if end <= capacity => Ok(start..end),
            _ => Err(Failure::option(format!(
                "there are {capacity}, and {} from number {start} on are asked for",
                self.n
            ))),
        }
    }

    /// What is wanted, as the command reads the same options.
    fn wanted(&self) -> Result<Wanted, Failure> {
        let range = |span: Span<usize>| span.ends()[0]..=span.ends()[1];
        let ratings = self.rating.map(|span| -> Result<_, Failure> {
            let [least, most] = span.ends();
            Ok(rating(least)?..=rating(most)?)
        });
        Ok(Wanted {
            blanks: self.blanks.map(range),
            clues: self.clues.map(range),
            difficulty: parsed(&self.difficulty)?,
            rating: ratings.transpose()?,
            needs: parsed(&self.needs)?,
            guesses: self.guesses.unwrap_or(0),
            solved_by: parsed(&self.solved_by)?,
            minimal: self.minimal,
            symmetry: parsed(&self.symmetry)?.unwrap_or_default(),
            unique: self.unique,
        })
    }

    /// The set of puzzles.
    fn set(&self) -> Result<PuzzleSet, Failure> {
        let (grids, seed) = (self.grids(Source::Uniform)?, self.seed.unwrap_or(0));
        let set = PuzzleSet::new(grids, seed, &self.wanted()?, self.guesses.is_some());
        set.map_err(Failure::option)
    }

    /// The form of the text, if one is wanted.
    fn form(&self) -> Result<Option<Form>, Failure> {
        let Some(name) = &self.format else {
            return Ok(None);
        };
        match name.as_str() {
            "line" => Ok(Some(Form::Line)),
            "csv" => Ok(Some(Form::Csv)),
            "tsv" => Ok(Some(Form::Tsv)),
            "jsonl" => Ok(Some(Form::Jsonl)),
            _ => Err(Failure::option(format!(
                "format is line, csv, tsv or jsonl, not {name:?}"
            ))),
        }
    }
}

/// What a name stands for.
fn parsed<T: FromStr<Err: Display>>(name: &Option<String>) -> Result<Option<T>, Failure> {
    let parsed = name.as_deref().map(str::parse);
    parsed.transpose().map_err(Failure::option)
}

/// The set of puzzles that was used last, with its maker: the tables of a maker take a millisecond.
struct Kept {
    key: String,
    make: MakeRecords<'static>,
}

thread_local! {
    static KEPT: std::cell::RefCell<Option<Kept>> = const { std::cell::RefCell::new(None) };
}

/// Checks the options of [`puzzles`] without making any.
#[wasm_bindgen]
pub fn check_recipe(given: &str) -> Result<(), JsValue> {
    let given: Options = options(given)?;
    given.set()?;
    given.form()?;
    given.numbers(puzzle::capacity(&given.grids(Source::Uniform)?))?;
    Ok(())
}

/// Makes puzzles: a JSON array of objects, or with `format` the text that the command writes.
#[wasm_bindgen]
pub fn puzzles(text: &str) -> Result<String, JsValue> {
    let given: Options = options(text)?;
    let grids = given.grids(Source::Uniform)?;
    let numbers = given.numbers(puzzle::capacity(&grids))?;
    let form = given.form()?;
    let mut set = given.set()?;
    if form.is_none() {
        set = set.with_ratings();
    }
    let columns = set.columns();
    let key = format!("{set:?}");
    let kept = KEPT.take().filter(|kept| kept.key == key);
    let mut make = match kept {
        Some(kept) => kept.make,
        None => set.into_worker(),
    };
    let answer = made(&columns, form, numbers.clone(), &mut make);
    KEPT.set(Some(Kept { key, make }));
    match form {
        Some(form) => Ok(write(&given, form, &columns, numbers.start, &answer)),
        None => Ok(objects(&columns, numbers.start, &answer)),
    }
}

/// The records with these numbers. Lines show cells alone.
fn made(
    columns: &[Column],
    form: Option<Form>,
    numbers: Range<u64>,
    make: &mut MakeRecords<'_>,
) -> Answer<'static> {
    let kinds: Vec<_> = columns.iter().map(|column| column.values).collect();
    let mut answer = Answer::new(kinds);
    answer.leave_out(|column| form == Some(Form::Line) && !columns[column].values.are_cells());
    answer.begin((numbers.end - numbers.start) as usize);
    make(numbers, &mut answer);
    answer
}

/// An object for each puzzle. The numbers of records are text: they may exceed the numbers of JavaScript.
fn objects(columns: &[Column], first: u64, answer: &Answer<'_>) -> String {
    let entries = answer.entries().map(|entry| {
        let mut object = json!({});
        for (number, column) in columns.iter().enumerate() {
            object[camel(column.name)] = match column.values {
                Values::Record => json!((first + entry.record() as u64).to_string()),
                _ => value(answer, number, entry.values().start),
            };
        }
        object
    });
    json(&entries.collect::<Vec<_>>())
}

/// Writes records as the command does.
fn write(
    given: &Options,
    form: Form,
    columns: &[Column],
    first: u64,
    answer: &Answer<'_>,
) -> String {
    let added = columns.iter().map(|column| Added {
        name: column.name.into(),
        place: Place::End,
        values: column.values,
    });
    let writer = Writer::generated(form, added.collect());
    let mut out = Vec::new();
    if given.header {
        writer.header(&mut out).expect("into memory");
    }
    let mut texts = RowTexts::default();
    for entry in answer.entries() {
        let (record, place) = (entry.record(), entry.values().start);
        let number = (first + record as u64).to_string();
        answer.write_row(place, &mut texts);
        let value = |column: usize| match columns[column].values {
            Values::Record => number.as_bytes(),
            _ => answer.value(record, place, column, &texts),
        };
        writer.generated_row(value, &mut out).expect("into memory");
    }
    String::from_utf8(out).expect("ASCII")
}

/// Makes solved grids: a JSON array of texts, or with `format` the text that the command writes.
#[wasm_bindgen]
pub fn generate(text: &str) -> Result<String, JsValue> {
    let given: Options = options(text)?;
    let grids = given.grids(Source::Sequence)?;
    let numbers = given.numbers(grids.count())?;
    let (form, set) = (given.form()?, GridSet::new(grids));
    let columns = set.columns();
    let answer = made(&columns, form, numbers.clone(), &mut set.worker());
    match form {
        Some(form) => Ok(write(&given, form, &columns, numbers.start, &answer)),
        None => {
            let all = 0..answer.records();
            Ok(json(
                &all.map(|at| value(&answer, 1, at)).collect::<Vec<_>>(),
            ))
        }
    }
}
