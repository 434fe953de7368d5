//! Puzzles and grids by number.

use crate::{
    failure::{Failure, json, options},
    puzzles::add_values,
    questions::{names_of, refused},
};
use serde_json::{Value, json};
use std::cell::RefCell;
use sudoku_batch::{
    format::{Added, Form, Records, Writer},
    questions::{
        Answer, Column, GENERATE, MakeRecords, PUZZLES, RowView, RowWriter, SetDefinition, Table,
    },
};
use wasm_bindgen::prelude::*;

/// Records that were made, and the format of the text, if one is wanted.
struct Made {
    columns: Vec<Column>,
    answer: Answer<'static>,
    /// The number of the first.
    first: u64,
    form: Option<Form>,
    /// Whether a table begins with its header: a later slice of a set does not.
    header: bool,
}

thread_local! {
    /// The set that was used last, and what makes it: the tables of a maker of puzzles take a millisecond.
    static KEPT: RefCell<Option<(String, MakeRecords)>> = const { RefCell::new(None) };
}

impl Made {
    /// Makes what a call asks for.
    fn new(definition: &'static SetDefinition, text: &str, header: bool) -> Result<Self, Failure> {
        let known = names_of(&["n", "start", "format"], definition);
        let mut given = options(definition.name, &known, text)?;
        let count = given.take_number("n")?.unwrap_or(1);
        let start = given.take_number("start")?.unwrap_or(0);
        let form = given.take("format").map(|name| match name.parse() {
            Ok(form @ (Form::Line | Form::Csv | Form::Tsv | Form::Jsonl)) => Ok(form),
            _ => Err(Failure::option(format_args!(
                "format is line, csv, tsv or jsonl, not {name:?}"
            ))),
        });
        let form = form.transpose()?;
        // Objects have all columns that there are.
        if definition.setting("ratings").is_ok() {
            let has_ratings = given.take_flag("ratings")? || form.is_none();
            given.set("ratings", if has_ratings { "true" } else { "false" });
        }
        let set = definition.with(given.iter());
        let set = set.map_err(|error| refused(definition, error))?;
        let (numbers, columns) = (set.numbers(start, count)?, set.columns());
        let mut answer = Answer::of(&columns);
        // Lines show cells alone.
        let is_line = form == Some(Form::Line);
        answer.leave_out(|column| is_line && !columns[column].values.are_cells());
        answer.begin(count as usize);
        let key = format!("{set:?}");
        let kept = KEPT.take().filter(|(kept, _)| *kept == key);
        let mut make = kept.map_or_else(|| set.worker(), |(_, make)| make);
        make(numbers, &mut answer);
        KEPT.set(Some((key, make)));
        Ok(Self {
            columns,
            answer,
            first: start,
            form,
            header,
        })
    }

    /// An object for each record.
    fn objects(&self) -> Value {
        let mut table = Table::new(&self.columns, &self.columns);
        table.push(self.first, &self.answer);
        let columns = table.into_columns();
        let object = |row| {
            let mut object = json!({});
            add_values(&mut object, &columns, row..row + 1, false);
            object
        };
        (0..self.answer.entries().count()).map(object).collect()
    }

    /// The text that the command writes.
    fn text(&self, form: Form) -> String {
        let columns = self.columns.iter();
        let added = columns.map(|column| Added::new(column.name, column.values));
        let writer = Writer::generated(form, added.collect());
        let mut out = Vec::new();
        if self.header {
            writer.header(&mut out).expect("into memory");
        }
        let (mut rows, none) = (RowWriter::default(), Records::default());
        for entry in self.answer.entries() {
            let (of, first) = ((&none, &self.answer), Some(self.first));
            let line = |_: &RowView<'_>, _: &mut Vec<u8>| false;
            let done = rows.write(&writer, of, entry, first, line, &mut out);
            done.expect("into memory");
        }
        String::from_utf8(out).expect("ASCII")
    }
}

/// Makes puzzles: an array of objects, or with `format` the text that the command writes; and the number of those
/// that no grid led to. All this as JSON. `header` says whether a table begins with its header.
#[wasm_bindgen]
pub fn puzzles(text: &str, header: bool) -> Result<String, Failure> {
    let made = Made::new(&PUZZLES, text, header)?;
    Ok(json(&json!({
        "made": made.form.map_or_else(|| made.objects(), |form| json!(made.text(form))),
        "missing": made.answer.counts.get("not-made"),
    })))
}

/// Makes solved grids as the text that the command writes: lines, if there is no `format`. `header` is that of
/// [`puzzles`].
#[wasm_bindgen]
pub fn generate(text: &str, header: bool) -> Result<String, Failure> {
    let made = Made::new(&GENERATE, text, header)?;
    Ok(made.text(made.form.unwrap_or(Form::Line)))
}
