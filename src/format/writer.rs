//! Records to text, in any form, with what a command adds to them.

use super::{
    Column, Expected, Form, Layout, Records,
    csv::{self, Table},
    jsonl,
};
use crate::grid::CELLS;
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// A column that a command gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// Its name: in the header of a table, or as a key.
    pub name: String,
    /// Where it stands.
    pub place: Place,
    /// What is in it.
    pub values: Values,
}

/// Where a column of a command stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// After those of the user.
    End,
    /// In the place of the puzzle.
    Puzzle,
    /// In the place of a column of the user.
    Column(Column),
}

/// What is in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// 81 cells, or nothing.
    Cells,
    /// Text.
    Text,
    /// Numbers, `true` and `false`: JSON lines have them without quotes, and `null` where
    /// there is nothing.
    Numbers,
}

/// Writes records of one layout in a form.
#[derive(Clone, Debug)]
pub struct Writer {
    form: Form,
    /// How the records were read.
    input: Layout,
    columns: Vec<Added>,
    line_end: &'static [u8],
    /// For each column of the table that is read, the number of the one in its place.
    replaced: Vec<Option<usize>>,
}

/// The key, or the column, that holds the text of a record which cannot be told apart.
const TEXT: &str = "text";

impl Writer {
    /// Writes records that were read with this layout, in this form, with these columns.
    pub fn new(form: Form, input: Layout, columns: Vec<Added>, crlf: bool) -> Self {
        let of_table = |table: &Table| {
            let mut replaced = vec![None; table.columns().len()];
            for (number, column) in columns.iter().enumerate() {
                let place = match &column.place {
                    Place::End => None,
                    Place::Puzzle => Some(table.puzzle()),
                    Place::Column(column) => column.number(),
                };
                if let Some(place) = place {
                    replaced[place] = Some(number);
                }
            }
            replaced
        };
        let replaced = match &input {
            Layout::Table(table) => of_table(table),
            _ => Vec::new(),
        };
        Self {
            form,
            input,
            columns,
            line_end: if crlf { b"\r\n" } else { b"\n" },
            replaced,
        }
    }

    /// The form.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The columns.
    pub fn columns(&self) -> &[Added] {
        &self.columns
    }

    /// Writes what stands before the first record: the header of a table.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn header(&self, out: &mut impl Write) -> io::Result<()> {
        let delimiter = match self.form {
            Form::Csv => b',',
            Form::Tsv => b'\t',
            Form::Line | Form::Jsonl => return Ok(()),
        };
        let mut header = Vec::new();
        match &self.input {
            Layout::Table(table) => match table.header() {
                Some(raw) if table.delimiter() == delimiter => header.extend_from_slice(raw),
                Some(_) => push_fields(table.columns(), delimiter, &mut header),
                // A table without a header stays one.
                None if table.delimiter() == delimiter => return Ok(()),
                None => push_fields(table.columns(), delimiter, &mut header),
            },
            Layout::Line | Layout::Objects(_) => header.extend_from_slice(b"puzzle"),
        }
        for column in self.added() {
            header.push(delimiter);
            csv::push_field(column.name.as_bytes(), delimiter, &mut header);
        }
        header.extend_from_slice(self.line_end);
        out.write_all(&header)
    }

    fn added(&self) -> impl Iterator<Item = &Added> {
        self.columns
            .iter()
            .filter(|column| column.place == Place::End)
    }

    /// Writes a row: a record as it was read, with the values of the columns.
    ///
    /// # Errors
    ///
    /// Those of writing.
    #[inline]
    pub fn row<'v>(
        &self,
        records: &Records,
        record: usize,
        value: impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        match self.form {
            Form::Line => self.line(records, record, &value, out),
            Form::Csv => self.fields(records, record, b',', &value, out),
            Form::Tsv => self.fields(records, record, b'\t', &value, out),
            Form::Jsonl => self.object(records, record, &value, out),
        }
    }

    /// A line: the cells of the first column, if cells are in it, or all values with tabs
    /// between; without columns, the cells of the record.
    fn line<'v>(
        &self,
        records: &Records,
        record: usize,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        if let [
            Added {
                values: Values::Cells,
                ..
            },
            ..,
        ] = self.columns[..]
        {
            out.write_all(cells_or_points(value(0)))?;
        } else if self.columns.is_empty() {
            match records.error(record) {
                None => out.write_all(&records.cells()[record])?,
                Some(_) => out.write_all(records.text(record))?,
            }
        } else {
            for number in 0..self.columns.len() {
                if number > 0 {
                    out.write_all(b"\t")?;
                }
                out.write_all(value(number))?;
            }
        }
        out.write_all(b"\n")
    }

    fn fields<'v>(
        &self,
        records: &Records,
        record: usize,
        delimiter: u8,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let text = records.text(record);
        match &self.input {
            Layout::Table(table) => {
                let same = table.delimiter() == delimiter;
                if is_torn(records, record) {
                    self.torn_row(table, text, delimiter, out)?;
                } else if same && self.replaced.iter().all(Option::is_none) {
                    out.write_all(text)?;
                } else {
                    self.replaced_row(table, text, delimiter, value, out)?;
                }
            }
            Layout::Line | Layout::Objects(_) => {
                let puzzle = self.columns.iter().position(|c| c.place == Place::Puzzle);
                match (puzzle, records.error(record)) {
                    (Some(number), _) => out.write_all(value(number))?,
                    (None, None) => out.write_all(&records.cells()[record])?,
                    (None, Some(_)) => write_field(text, delimiter, out)?,
                }
            }
        }
        for (number, column) in self.columns.iter().enumerate() {
            if column.place == Place::End {
                out.write_all(&[delimiter])?;
                match column.values {
                    Values::Text => write_field(value(number), delimiter, out)?,
                    Values::Cells | Values::Numbers => out.write_all(value(number))?,
                }
            }
        }
        out.write_all(self.line_end)
    }

    /// A row of a table with other values in some of its columns, or other delimiters.
    fn replaced_row<'v>(
        &self,
        table: &Table,
        text: &[u8],
        delimiter: u8,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let fields = csv::fields(text, table.delimiter());
        for (number, (field, replaced)) in fields.zip(&self.replaced).enumerate() {
            if number > 0 {
                out.write_all(&[delimiter])?;
            }
            let field = &text[field];
            match replaced {
                Some(column) => write_field(value(*column), delimiter, out)?,
                None if table.delimiter() == delimiter => out.write_all(field)?,
                None => write_field(&csv::unquoted(field), delimiter, out)?,
            }
        }
        Ok(())
    }

    /// The row of a record whose fields cannot be told apart: its text stands in the column
    /// of the puzzle, and the others are empty.
    fn torn_row(
        &self,
        table: &Table,
        text: &[u8],
        delimiter: u8,
        out: &mut impl Write,
    ) -> io::Result<()> {
        for number in 0..table.columns().len() {
            if number > 0 {
                out.write_all(&[delimiter])?;
            }
            if number == table.puzzle() {
                write_field(text, delimiter, out)?;
            }
        }
        Ok(())
    }

    fn object<'v>(
        &self,
        records: &Records,
        record: usize,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let text = records.text(record);
        let mut object = Vec::new();
        match &self.input {
            Layout::Objects(_) if !is_torn(records, record) => {
                self.members(text, value, &mut object);
            }
            Layout::Table(table) if !is_torn(records, record) => {
                object.push(b'{');
                let fields = csv::fields(text, table.delimiter());
                for (number, (field, replaced)) in fields.zip(&self.replaced).enumerate() {
                    let comma = if number > 0 { "," } else { "" };
                    object.extend_from_slice(comma.as_bytes());
                    jsonl::push_string(&table.columns()[number], &mut object);
                    object.push(b':');
                    match replaced {
                        Some(column) => self.push_value(*column, value, &mut object),
                        None => push_text(&csv::unquoted(&text[field]), &mut object),
                    }
                }
            }
            Layout::Line if records.error(record).is_none() => {
                let puzzle = self.columns.iter().position(|c| c.place == Place::Puzzle);
                object.extend_from_slice(b"{\"puzzle\":\"");
                object.extend_from_slice(match puzzle {
                    Some(number) => value(number),
                    None => &records.cells()[record],
                });
                object.push(b'"');
            }
            _ => {
                object.push(b'{');
                jsonl::push_string(TEXT, &mut object);
                object.push(b':');
                push_text(text, &mut object);
            }
        }
        for (number, column) in self.columns.iter().enumerate() {
            if column.place == Place::End {
                object.push(b',');
                jsonl::push_string(&column.name, &mut object);
                object.push(b':');
                self.push_value(number, value, &mut object);
            }
        }
        object.extend_from_slice(b"}");
        object.extend_from_slice(self.line_end);
        out.write_all(&object)
    }

    /// An object as it was read, without its last brace, with other values under some of its
    /// keys.
    fn members<'v>(&self, text: &[u8], value: &impl Fn(usize) -> &'v [u8], object: &mut Vec<u8>) {
        let end = text
            .iter()
            .rposition(|&c| c == b'}')
            .expect("it was read as an object");
        let mut places = Vec::new();
        for (number, column) in self.columns.iter().enumerate() {
            let key = match (&column.place, &self.input) {
                (Place::Puzzle, Layout::Objects(key)) => Some(key),
                (Place::Column(column), _) => column.key(),
                _ => None,
            };
            let text = str::from_utf8(text).expect("it was read as an object");
            let found = key.and_then(|key| key.find(text).ok().flatten());
            places.extend(found.map(|found| (found.place, number)));
        }
        places.sort_by_key(|(place, _)| place.start);
        let mut at = 0;
        for (place, number) in places {
            object.extend_from_slice(&text[at..place.start]);
            self.push_value(number, value, object);
            at = place.end;
        }
        object.extend_from_slice(text[at..end].trim_ascii_end());
    }

    fn push_value<'v>(
        &self,
        number: usize,
        value: &impl Fn(usize) -> &'v [u8],
        object: &mut Vec<u8>,
    ) {
        let text = value(number);
        match self.columns[number].values {
            Values::Text => push_text(text, object),
            Values::Numbers if text.is_empty() => object.extend_from_slice(b"null"),
            Values::Numbers => object.extend_from_slice(text),
            Values::Cells => {
                object.push(b'"');
                object.extend_from_slice(text);
                object.push(b'"');
            }
        }
    }
}

/// Whether a record is malformed in such a way that its fields cannot be told apart.
fn is_torn(records: &Records, record: usize) -> bool {
    records.error(record).is_some_and(|error| {
        matches!(
            error.expected,
            Expected::Fields { .. } | Expected::QuotedField | Expected::Json | Expected::Object
        )
    })
}

fn cells_or_points(cells: &[u8]) -> &[u8] {
    match cells {
        [] => &[b'.'; CELLS],
        cells => cells,
    }
}

fn push_fields(fields: &[String], delimiter: u8, to: &mut Vec<u8>) {
    for (number, field) in fields.iter().enumerate() {
        if number > 0 {
            to.push(delimiter);
        }
        csv::push_field(field.as_bytes(), delimiter, to);
    }
}

/// Writes a field, in quotes where it needs them.
fn write_field(text: &[u8], delimiter: u8, out: &mut impl Write) -> io::Result<()> {
    let mut field = Vec::new();
    csv::push_field(text, delimiter, &mut field);
    out.write_all(&field)
}

fn push_text(text: &[u8], to: &mut Vec<u8>) {
    let text: Cow<'_, str> = String::from_utf8_lossy(text);
    jsonl::push_string(&text, to);
}
