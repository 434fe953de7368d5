//! Puzzles and grids by number.

use crate::{
    failure::{Failure, camel, json},
    puzzles::value,
};
use serde_json::{Value, json};
use std::ops::Range;
use sudoku_batch::{
    format::{Added, Form, Records, Values, Writer},
    questions::{
        Answer, Column, GENERATE, MadeSet, MakeRecords, Options, PUZZLES, RowWriter, SetDefinition,
    },
};
use wasm_bindgen::prelude::*;

/// What a call asks for: a set, the numbers of its records, and the form of the text, if one is wanted.
struct Wish {
    set: Box<dyn MadeSet>,
    numbers: Range<u64>,
    form: Option<Form>,
    /// Whether a table begins with its header: a later slice of a set does not.
    header: bool,
}

impl Wish {
    fn read(definition: &'static SetDefinition, text: &str) -> Result<Self, Failure> {
        let mut given = Options::parse(text)?;
        let count = given.take_number("n")?.unwrap_or(1);
        let start = given.take_number("start")?.unwrap_or(0);
        let header = given.take("header").is_none_or(|header| header == "true");
        let form = given.take("format").map(|name| match name.as_str() {
            "line" => Ok(Form::Line),
            "csv" => Ok(Form::Csv),
            "tsv" => Ok(Form::Tsv),
            "jsonl" => Ok(Form::Jsonl),
            _ => Err(Failure::option(format!(
                "format is line, csv, tsv or jsonl, not {name:?}"
            ))),
        });
        let form = form.transpose()?;
        for (name, _) in given.iter() {
            definition.setting_of_calls(name)?;
        }
        // Objects have all columns that there are.
        let all = definition
            .settings
            .iter()
            .filter(|setting| setting.name == "ratings");
        let all = all
            .filter(|_| form.is_none())
            .map(|setting| (setting.name, "true"));
        let set = definition.with(given.iter().chain(all))?;
        let numbers = set.numbers(start, count)?;
        Ok(Self {
            set,
            numbers,
            form,
            header,
        })
    }
}

/// The set of puzzles that was used last, with its maker: the tables of a maker take a millisecond.
struct Kept {
    key: String,
    make: MakeRecords,
}

thread_local! {
    static KEPT: std::cell::RefCell<Option<Kept>> = const { std::cell::RefCell::new(None) };
}

/// Makes puzzles: an array of objects, or with `format` the text that the command writes; and the number of those
/// that no grid led to. All this as JSON.
#[wasm_bindgen]
pub fn puzzles(text: &str) -> Result<String, JsValue> {
    let wish = Wish::read(&PUZZLES, text)?;
    let columns = wish.set.columns();
    let key = format!("{:?}", wish.set);
    let kept = KEPT.take().filter(|kept| kept.key == key);
    let mut make = match kept {
        Some(kept) => kept.make,
        None => wish.set.worker(),
    };
    let answer = made(&wish, &columns, &mut make);
    KEPT.set(Some(Kept { key, make }));
    let made = match wish.form {
        Some(form) => json!(write(&wish, form, &columns, &answer)),
        None => objects(&columns, wish.numbers.start, &answer),
    };
    let missing = answer.counts.get("not-made");
    Ok(json(&json!({ "made": made, "missing": missing })))
}

/// The records. Lines show cells alone.
fn made(wish: &Wish, columns: &[Column], make: &mut MakeRecords) -> Answer<'static> {
    let mut answer = Answer::of(columns);
    let is_line = wish.form == Some(Form::Line);
    answer.leave_out(|column| is_line && !columns[column].values.are_cells());
    answer.begin((wish.numbers.end - wish.numbers.start) as usize);
    make(wish.numbers.clone(), &mut answer);
    answer
}

/// The largest whole number that JavaScript has exactly, with all below it.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// A whole number, as its digits where JavaScript would round it.
fn whole(number: u64) -> Value {
    if number > MAX_SAFE {
        json!(number.to_string())
    } else {
        json!(number)
    }
}

/// An object for each puzzle.
fn objects(columns: &[Column], first: u64, answer: &Answer<'_>) -> Value {
    let entries = answer.entries().map(|(record, places)| {
        let mut object = json!({});
        for (number, column) in columns.iter().enumerate() {
            object[camel(column.name)] = match column.values {
                Values::Record => whole(first + record as u64),
                _ => value(answer, number, places.start),
            };
        }
        object
    });
    entries.collect()
}

/// Writes records as the command does.
fn write(wish: &Wish, form: Form, columns: &[Column], answer: &Answer<'_>) -> String {
    let added = columns
        .iter()
        .map(|column| Added::new(column.name, column.values));
    let writer = Writer::generated(form, added.collect());
    let mut out = Vec::new();
    if wish.header {
        writer.header(&mut out).expect("into memory");
    }
    let (mut rows, none) = (RowWriter::default(), Records::default());
    let first = Some(wish.numbers.start);
    for entry in answer.entries() {
        let done = rows.write(
            &writer,
            (&none, answer),
            entry,
            first,
            |_, _| false,
            &mut out,
        );
        done.expect("into memory");
    }
    String::from_utf8(out).expect("ASCII")
}

/// Makes solved grids as the text that the command writes: lines, if there is no `format`.
#[wasm_bindgen]
pub fn generate(text: &str) -> Result<String, JsValue> {
    let mut wish = Wish::read(&GENERATE, text)?;
    let form = *wish.form.get_or_insert(Form::Line);
    let columns = wish.set.columns();
    let answer = made(&wish, &columns, &mut wish.set.worker());
    Ok(write(&wish, form, &columns, &answer))
}
