//! Puzzles and grids by number.

use crate::{
    failure::{Failure, json, number, options},
    puzzles::{in_numbers, rating},
};
use serde::Deserialize;
use serde_json::json;
use std::{collections::HashMap, fmt::Display, ops::Range, str::FromStr};
use sudoku_batch::{
    Digit, Puzzle, Solver,
    format::{Added, Form, Place, Values, Writer},
    generate::{Grids, Sequence, Uniform},
    grid::CELLS,
    puzzle::{self, Made, Maker, Recipe},
    solve::guesses,
    technique::{Difficulty, Rater, Rating, Technique},
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

    fn difficulty(&self) -> Result<Option<Difficulty>, Failure> {
        parsed(&self.difficulty)
    }

    /// The recipe that the command makes of the same options.
    fn recipe(&self) -> Result<Recipe, Failure> {
        let range = |span: Span<usize>| span.ends()[0]..=span.ends()[1];
        let ratings = self.rating.map(|span| -> Result<_, Failure> {
            let [least, most] = span.ends();
            Ok(rating(least)?..=rating(most)?)
        });
        let wanted = puzzle::Wanted {
            blanks: self.blanks.map(range),
            clues: self.clues.map(range),
            difficulty: self.difficulty()?,
            rating: ratings.transpose()?,
            needs: parsed(&self.needs)?,
            guesses: self.guesses.unwrap_or(0),
            solved_by: parsed(&self.solved_by)?,
            minimal: self.minimal,
            symmetry: parsed(&self.symmetry)?.unwrap_or_default(),
            unique: self.unique,
        };
        wanted.recipe().map_err(Failure::option)
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

/// The maker of the recipe that was used last: its tables take a millisecond to make.
struct Kept {
    key: String,
    maker: Maker,
}

thread_local! {
    static MAKERS: std::cell::RefCell<Option<Kept>> = const { std::cell::RefCell::new(None) };
}

/// Checks the options of [`puzzles`] without making any.
#[wasm_bindgen]
pub fn check_recipe(given: &str) -> Result<(), JsValue> {
    let given: Options = options(given)?;
    given.recipe()?;
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
    let recipe = given.recipe()?;
    let seed = given.seed.unwrap_or(0);
    let key = format!(
        "{seed} {:?} {recipe:?}",
        (given.first_digit, given.grids.map(|grids| grids as u8))
    );
    let kept = MAKERS.take().filter(|kept| kept.key == key);
    let mut maker = match kept {
        Some(kept) => kept.maker,
        None => Maker::new(Solver::new(), grids, seed, recipe).map_err(Failure::option)?,
    };
    let mut made = vec![None; given.n as usize];
    maker.make_batch(numbers.start, &mut made);
    MAKERS.set(Some(Kept { key, maker }));
    let made = numbers.zip(made);
    let made: Vec<(u64, Made)> = made.filter_map(|(n, made)| Some((n, made?))).collect();
    let ratings = ratings(&given, form, &made);
    match form {
        Some(form) => Ok(write_puzzles(&given, form, &made, &ratings)?),
        None => Ok(objects(&made, &ratings)),
    }
}

/// The ER and the technique of each puzzle, where they are shown.
fn ratings(
    given: &Options,
    form: Option<Form>,
    made: &[(u64, Made)],
) -> Vec<(String, &'static str)> {
    let is_rated = given.rating.is_some() || given.needs.is_some();
    if form == Some(Form::Line) || form.is_some() && !is_rated {
        return Vec::new();
    }
    let puzzles: Vec<Puzzle> = made.iter().map(|(_, made)| made.puzzle).collect();
    // What has no rating asked for may need hours of chains: 4.4 is enough for a word.
    let mut rater = match is_rated || given.difficulty.is_some() {
        true => Rater::new(),
        false => Rater::new().up_to(Rating::IN_PLANES),
    };
    let rated = rater.rate_batch(&puzzles).into_iter();
    rated
        .map(|ratings| {
            let ratings = ratings.ok();
            let er = ratings.and_then(|ratings| ratings.er);
            let technique = ratings.and_then(|ratings| ratings.technique);
            (
                er.map(|er| er.to_string()).unwrap_or_default(),
                technique.map_or("", Technique::name),
            )
        })
        .collect()
}

fn objects(made: &[(u64, Made)], ratings: &[(String, &str)]) -> String {
    let object = |((number, made), (er, technique)): (&(u64, Made), &(String, &str))| {
        json!({
            "index": number.to_string(),
            "puzzle": made.puzzle.to_string(),
            "solution": made.solution.to_string(),
            "clues": made.puzzle.clue_count(),
            "er": er.parse().ok().map(in_numbers),
            "technique": (!technique.is_empty()).then_some(technique),
        })
    };
    json(&made.iter().zip(ratings).map(object).collect::<Vec<_>>())
}

fn write_puzzles(
    given: &Options,
    form: Form,
    made: &[(u64, Made)],
    ratings: &[(String, &str)],
) -> Result<String, Failure> {
    let mut known = vec![("solution", Values::Cells), ("clues", Values::Numbers)];
    let difficulty = given.difficulty()?;
    if difficulty.is_some() {
        known.push(("difficulty", Values::Text));
    }
    if given.guesses.is_some() {
        known.push(("guesses", Values::Numbers));
    }
    if given.rating.is_some() || given.needs.is_some() {
        known.extend([("er", Values::Numbers), ("technique", Values::Text)]);
    }
    let mut row: HashMap<&str, String> = HashMap::new();
    row.insert("difficulty", difficulty.map_or("", Difficulty::name).into());
    write(given, form, "puzzle", &known, made.len(), |at, name| {
        let (number, made) = &made[at];
        match name {
            "index" => number.to_string(),
            "puzzle" => made.puzzle.to_string(),
            "solution" => made.solution.to_string(),
            "clues" => made.puzzle.clue_count().to_string(),
            "guesses" => guesses(&made.puzzle, u64::MAX)
                .expect("no limit")
                .to_string(),
            // Lines show neither, and have none.
            "er" => ratings
                .get(at)
                .map(|rated| rated.0.clone())
                .unwrap_or_default(),
            "technique" => ratings.get(at).map_or("", |rated| rated.1).to_owned(),
            _ => row[name].clone(),
        }
    })
}

/// Writes records by number as the command does.
fn write(
    given: &Options,
    form: Form,
    cells: &'static str,
    others: &[(&'static str, Values)],
    count: usize,
    value: impl Fn(usize, &str) -> String,
) -> Result<String, Failure> {
    let columns = [("index", Values::Numbers), (cells, Values::Cells)];
    let columns = columns.iter().chain(others);
    let names: Vec<_> = columns.clone().map(|(name, _)| *name).collect();
    let columns = columns.map(|&(name, values)| Added {
        name: name.into(),
        place: Place::End,
        values,
    });
    let writer = Writer::generated(form, columns.collect());
    let mut out = Vec::new();
    if given.header {
        writer.header(&mut out).expect("into memory");
    }
    for at in 0..count {
        let values: Vec<_> = names.iter().map(|name| value(at, name)).collect();
        let done = writer.generated_row(|column| values[column].as_bytes(), &mut out);
        done.expect("into memory");
    }
    Ok(String::from_utf8(out).expect("ASCII"))
}

/// Makes solved grids: a JSON array of texts, or with `format` the text that the command writes.
#[wasm_bindgen]
pub fn generate(text: &str) -> Result<String, JsValue> {
    let given: Options = options(text)?;
    let grids = given.grids(Source::Sequence)?;
    let numbers = given.numbers(grids.count())?;
    let form = given.form()?;
    let mut lines = vec![[0; CELLS + 1]; given.n as usize];
    grids.write_lines(numbers.start, &mut lines);
    let cells = |at: usize| str::from_utf8(&lines[at][..CELLS]).expect("digits");
    match form {
        None => Ok(json(&(0..lines.len()).map(cells).collect::<Vec<_>>())),
        Some(form) => {
            let value = |at: usize, name: &str| match name {
                "index" => (numbers.start + at as u64).to_string(),
                _ => cells(at).to_owned(),
            };
            Ok(write(&given, form, "grid", &[], lines.len(), value)?)
        }
    }
}
