//! Writes records as text in any form, together with the columns that a command adds.

use super::{
    Column, Expected, Form, Layout, Records,
    block::{self, BLOCK, PRETTY},
    csv::{self, Table},
    jsonl::{self, Key, Value},
    one_line, text,
};
use crate::grid::CELLS;
use memchr::{memchr, memmem::Finder};
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// A column that a command adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// Its name: in the header of a table, or as a JSON key.
    pub name: String,
    /// Its place among the columns of the user.
    pub place: Place,
    /// The kind of its values.
    pub values: Values,
}

/// The place of a column that a command adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// After the columns of the user.
    End,
    /// In the place of the puzzle.
    Puzzle,
    /// In the place of a column of the user. In JSON lines, an object without the key gets
    /// it at its end.
    Column(Column),
    /// In the place of a column of the user. In JSON lines, an object without the key stays
    /// without it.
    ColumnIfThere(Column),
}

/// The kind of values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// 81 cells, or nothing.
    Cells,
    /// Text.
    Text,
    /// Numbers, `true` and `false`. JSON lines have them without quotes, and `null` for an
    /// empty value.
    Numbers,
    /// The number of the record in the whole input, from 1. The caller of the writer must
    /// know it.
    Record,
}

/// Why a record cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// An object already has a key that the command adds.
    #[error("the object has a key {0} already")]
    Taken(String),
    /// An object has a key that is no column of the table.
    #[error("the key {0} is not one of the first object, which give the columns")]
    UnknownKey(String),
    /// The writer failed.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Writes records of one layout in a form.
///
/// ```
/// use sudoku_batch::format::{Added, Form, Layout, Place, Records, Values, Writer};
/// let text = format!("id,puzzle\n7,{}\n", ".".repeat(81));
/// let found = Layout::detect(text.as_bytes(), None, None)?;
/// let mut records = Records::default();
/// found.layout.read(&text.as_bytes()[found.skipped..], &mut records);
/// let clues = Added { name: "clues".into(), place: Place::End, values: Values::Numbers };
/// let writer = Writer::new(Form::Csv, found.layout, vec![clues], found.crlf);
/// let mut out = Vec::new();
/// writer.header(&mut out)?;
/// writer.row(&records, 0, |_| b"0", &mut out)?;
/// assert_eq!(out, format!("id,puzzle,clues\n7,{},0\n", ".".repeat(81)).into_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Writer {
    form: Form,
    /// How the records were read.
    input: Layout,
    columns: Vec<Added>,
    line_end: &'static [u8],
    /// The delimiter between the fields of a table.
    delimiter: u8,
    /// For each column of the input table, the number of the added column that replaces it.
    replaced: Vec<Option<usize>>,
    /// For each column, its key in JSON lines, and the search for its name in a line.
    keys: Vec<(Key, Finder<'static>)>,
}

/// The key or column for the text of a record whose fields cannot be separated.
const TEXT: &str = "text";

/// The column or key of the puzzle, if the input has no names.
const PUZZLE: &str = "puzzle";

impl Writer {
    /// A writer in this form, for records that were read with this layout, with these added
    /// columns.
    pub fn new(form: Form, input: Layout, columns: Vec<Added>, crlf: bool) -> Self {
        let mut replaced = vec![None; input.columns().len()];
        for (number, column) in columns.iter().enumerate() {
            let place = match &column.place {
                Place::End => None,
                Place::Puzzle => input.puzzle_column(),
                Place::Column(column) | Place::ColumnIfThere(column) => column.number_in(&input),
            };
            if let Some(place) = place {
                replaced[place] = Some(number);
            }
        }
        let key = |column: &Added| {
            let key = match (&column.place, &input) {
                (Place::Puzzle, Layout::Objects(objects)) => objects.key().clone(),
                (Place::Column(column) | Place::ColumnIfThere(column), _)
                    if column.key().is_some() =>
                {
                    column.key().expect("it has one").clone()
                }
                _ => Key::outermost(&column.name),
            };
            let name = Finder::new(key.last()).into_owned();
            (key, name)
        };
        let delimiter = match (&input, form) {
            (Layout::Table(table), Form::Csv) if table.delimiter() != b'\t' => table.delimiter(),
            (_, Form::Tsv) => b'\t',
            _ => b',',
        };
        Self {
            form,
            keys: columns.iter().map(key).collect(),
            input,
            columns,
            line_end: if crlf { b"\r\n" } else { b"\n" },
            delimiter,
            replaced,
        }
    }

    /// The same, for rows without added columns.
    pub fn without_columns(&self) -> Self {
        let mut plain = self.clone();
        plain.columns.clear();
        plain.replaced.fill(None);
        plain
    }

    /// The form.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The columns.
    pub fn columns(&self) -> &[Added] {
        &self.columns
    }

    /// Writes what comes before the first record: the header of a table. A table that was
    /// read without a header is written in the same form without one.
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer.
    pub fn header(&self, out: &mut impl Write) -> io::Result<()> {
        if !matches!(self.form, Form::Csv | Form::Tsv) {
            return Ok(());
        }
        let delimiter = self.delimiter;
        match &self.input {
            Layout::Table(table) if table.delimiter() == delimiter => match table.header() {
                Some(raw) => out.write_all(raw)?,
                None => return Ok(()),
            },
            layout if !layout.columns().is_empty() => {
                for (number, column) in layout.columns().iter().enumerate() {
                    if number > 0 {
                        out.write_all(&[delimiter])?;
                    }
                    csv::write_field(column.as_bytes(), delimiter, out)?;
                }
            }
            _ => out.write_all(PUZZLE.as_bytes())?,
        }
        for column in &self.columns {
            if self.is_added(column) {
                out.write_all(&[delimiter])?;
                csv::write_field(column.name.as_bytes(), delimiter, out)?;
            }
        }
        out.write_all(self.line_end)
    }

    /// Whether a table has an added column after the columns of the user.
    fn is_added(&self, column: &Added) -> bool {
        match &column.place {
            Place::End => true,
            Place::Puzzle | Place::ColumnIfThere(_) => false,
            Place::Column(column) => column.number_in(&self.input).is_none(),
        }
    }

    /// Writes a row: a record as it was read, with the values of the added columns.
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer, or an error if the record does not fit the
    /// columns. A part of the row may be written then.
    #[inline]
    pub fn row<'v>(
        &self,
        records: &Records,
        record: usize,
        value: impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> Result<(), RowError> {
        match self.form {
            Form::Line => self.line(records, record, &value, out)?,
            Form::Csv | Form::Tsv => self.fields(records, record, &value, out)?,
            Form::Jsonl => self.object(records, record, &value, out)?,
            Form::Text => self.words(records, record, &value, out)?,
            Form::Block | Form::Sdk => {
                let mut block = [b'\n'; BLOCK + 1];
                let cells = self.cells(records, record, &value);
                block::write_block(&cells, block.first_chunk_mut().expect("a block and more"));
                out.write_all(&block)?;
            }
            Form::Pretty => {
                let mut pretty = [b'\n'; PRETTY + 1];
                let cells = self.cells(records, record, &value);
                block::write_pretty(&cells, pretty.first_chunk_mut().expect("a grid and more"));
                out.write_all(&pretty)?;
            }
        }
        Ok(())
    }

    /// The added column in the place of the puzzle.
    fn puzzle(&self) -> Option<usize> {
        self.columns.iter().position(|c| c.place == Place::Puzzle)
    }

    /// The cells of the first added column that has cells, otherwise those of the record.
    /// Gives points if there are none.
    fn cells<'v>(
        &self,
        records: &Records,
        record: usize,
        value: &impl Fn(usize) -> &'v [u8],
    ) -> [u8; CELLS] {
        let of_column = |column: &Added| column.values == Values::Cells;
        let cells = match self.columns.iter().position(of_column) {
            Some(number) => value(number).as_array(),
            None if records.error(record).is_none() => Some(&records.cells()[record]),
            None => None,
        };
        cells.copied().unwrap_or([b'.'; CELLS])
    }

    /// A line. It holds the cells of the first column, if that column has cells. Otherwise
    /// it holds all values with tabs between. Without added columns it holds the cells of
    /// the record.
    fn line<'v>(
        &self,
        records: &Records,
        record: usize,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        match &self.columns[..] {
            [] => match records.error(record) {
                None => out.write_all(&records.cells()[record])?,
                Some(_) => out.write_all(&one_line(records.text(record)))?,
            },
            [first, ..] if first.values == Values::Cells => {
                out.write_all(cells_or_points(value(0)))?;
            }
            columns => {
                for number in 0..columns.len() {
                    if number > 0 {
                        out.write_all(b"\t")?;
                    }
                    out.write_all(value(number))?;
                }
            }
        }
        out.write_all(b"\n")
    }

    /// The line of a record, followed by the values of the columns. A space comes before
    /// each value, or a tab if the line has one. If the record is not a line, its cells
    /// take the place of the line.
    fn words<'v>(
        &self,
        records: &Records,
        record: usize,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let line = match (&self.input, records.error(record)) {
            (Layout::Words(_), _) | (_, Some(_)) => one_line(records.text(record)),
            _ => Cow::Borrowed(&records.cells()[record][..]),
        };
        let line = &line[..];
        let separator = if line.contains(&b'\t') { b'\t' } else { b' ' };
        let rest = match (self.puzzle(), text::puzzle(line)) {
            (Some(number), Some((place, _))) => {
                out.write_all(&line[..place.start])?;
                out.write_all(value(number))?;
                &line[place.end..]
            }
            _ => line,
        };
        out.write_all(rest)?;
        for (number, column) in self.columns.iter().enumerate() {
            if column.place != Place::Puzzle {
                out.write_all(&[separator])?;
                out.write_all(match (column.values, value(number)) {
                    (Values::Cells, cells) => cells_or_points(cells),
                    (_, []) => b"-",
                    (_, value) => value,
                })?;
            }
        }
        out.write_all(self.line_end)
    }

    fn fields<'v>(
        &self,
        records: &Records,
        record: usize,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> Result<(), RowError> {
        let (text, delimiter) = (records.text(record), self.delimiter);
        let torn = is_torn(records, record);
        match &self.input {
            Layout::Table(table) if !torn => {
                let same = table.delimiter() == delimiter;
                match same && self.replaced.iter().all(Option::is_none) {
                    true => out.write_all(text)?,
                    false => self.replaced_row(table, text, value, out)?,
                }
            }
            Layout::Objects(_) if !torn => self.row_of_object(text, value, out)?,
            layout @ (Layout::Table(_) | Layout::Objects(_)) => {
                let puzzle = layout.puzzle_column().unwrap_or(0);
                torn_row(layout.columns().len(), puzzle, text, delimiter, out)?;
            }
            _ => match (self.puzzle(), records.error(record)) {
                (Some(number), _) => out.write_all(value(number))?,
                (None, None) => out.write_all(&records.cells()[record])?,
                (None, Some(_)) => csv::write_field(text, delimiter, out)?,
            },
        }
        for (number, column) in self.columns.iter().enumerate() {
            if self.is_added(column) {
                out.write_all(&[delimiter])?;
                match column.values {
                    Values::Text => csv::write_field(value(number), delimiter, out)?,
                    Values::Cells | Values::Numbers | Values::Record => {
                        out.write_all(value(number))?;
                    }
                }
            }
        }
        Ok(out.write_all(self.line_end)?)
    }

    /// A row of a table with new values in some of its columns, or with another delimiter.
    fn replaced_row<'v>(
        &self,
        table: &Table,
        text: &[u8],
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let delimiter = self.delimiter;
        let fields = csv::fields(text, table.delimiter());
        for (number, (field, replaced)) in fields.zip(&self.replaced).enumerate() {
            if number > 0 {
                out.write_all(&[delimiter])?;
            }
            let field = &text[field];
            match replaced {
                Some(column) => csv::write_field(value(*column), delimiter, out)?,
                None if table.delimiter() == delimiter => out.write_all(field)?,
                None => csv::write_field(&csv::unquoted(field), delimiter, out)?,
            }
        }
        Ok(())
    }

    /// The fields of an object, in the columns that the first object defined.
    fn row_of_object<'v>(
        &self,
        text: &[u8],
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> Result<(), RowError> {
        let members = jsonl::members(read_object(text)).expect("it was read as an object");
        let columns = self.input.columns();
        if let Some((key, _)) = members.iter().find(|(key, _)| !columns.contains(key)) {
            return Err(RowError::UnknownKey(key.clone()));
        }
        for (number, (column, replaced)) in columns.iter().zip(&self.replaced).enumerate() {
            if number > 0 {
                out.write_all(&[self.delimiter])?;
            }
            let member = members.iter().rfind(|(key, _)| key == column);
            let said = member.map(|(_, value)| value.text());
            let said = match replaced {
                Some(column) => value(*column),
                None => said.as_deref().unwrap_or_default().as_bytes(),
            };
            csv::write_field(said, self.delimiter, out)?;
        }
        Ok(())
    }

    fn object<'v>(
        &self,
        records: &Records,
        record: usize,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> Result<(), RowError> {
        let text = records.text(record);
        match &self.input {
            Layout::Objects(_) if !is_torn(records, record) => {
                self.members(text, value, out)?;
                out.write_all(b"}")?;
                return Ok(out.write_all(self.line_end)?);
            }
            Layout::Table(table) if !is_torn(records, record) => {
                let fields = csv::fields(text, table.delimiter());
                for (number, (field, replaced)) in fields.zip(&self.replaced).enumerate() {
                    out.write_all(if number > 0 { b"," } else { b"{" })?;
                    jsonl::write_string(table.columns()[number].as_bytes(), out)?;
                    out.write_all(b":")?;
                    match replaced {
                        Some(column) => self.write_value(*column, value, out)?,
                        None => jsonl::write_string(&csv::unquoted(&text[field]), out)?,
                    }
                }
            }
            Layout::Line | Layout::Words(_) | Layout::Blocks(_)
                if records.error(record).is_none() =>
            {
                out.write_all(b"{")?;
                jsonl::write_string(PUZZLE.as_bytes(), out)?;
                out.write_all(b":")?;
                let cells = match self.puzzle() {
                    Some(number) => value(number),
                    None => &records.cells()[record],
                };
                jsonl::write_string(cells, out)?;
            }
            _ => {
                out.write_all(b"{")?;
                jsonl::write_string(TEXT.as_bytes(), out)?;
                out.write_all(b":")?;
                jsonl::write_string(text, out)?;
            }
        }
        for (number, column) in self.columns.iter().enumerate() {
            if self.is_added(column) {
                self.write_member(number, value, out)?;
            }
        }
        out.write_all(b"}")?;
        Ok(out.write_all(self.line_end)?)
    }

    /// An object as it was read, without its last brace. Some of its keys get new values,
    /// and missing keys are added.
    fn members<'v>(
        &self,
        text: &[u8],
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> Result<(), RowError> {
        let mut places = Vec::new();
        for (number, column) in self.columns.iter().enumerate() {
            let found = find(&self.keys[number], text);
            match (found, &column.place) {
                (Some(_), Place::End) => return Err(RowError::Taken(column.name.clone())),
                (Some(found), _) => places.push((found.place, number)),
                (None, _) => {}
            }
        }
        places.sort_by_key(|(place, _)| place.start);
        let end = text.iter().rposition(|&c| c == b'}');
        let end = end.expect("it was read as an object");
        let mut at = 0;
        for (place, number) in &places {
            out.write_all(&text[at..place.start])?;
            self.write_value(*number, value, out)?;
            at = place.end;
        }
        let rest = text[at..end].trim_ascii_end();
        out.write_all(rest)?;
        let empty = places.is_empty() && rest.trim_ascii() == b"{";
        let mut missing = (0..self.columns.len()).filter(|&number| {
            !matches!(self.columns[number].place, Place::ColumnIfThere(_))
                && !places.iter().any(|(_, replaced)| *replaced == number)
        });
        if empty && let Some(first) = missing.next() {
            jsonl::write_string(self.columns[first].name.as_bytes(), out)?;
            out.write_all(b":")?;
            self.write_value(first, value, out)?;
        }
        for number in missing {
            self.write_member(number, value, out)?;
        }
        Ok(())
    }

    /// A comma, the name of a column and its value.
    fn write_member<'v>(
        &self,
        number: usize,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        out.write_all(b",")?;
        jsonl::write_string(self.columns[number].name.as_bytes(), out)?;
        out.write_all(b":")?;
        self.write_value(number, value, out)
    }

    fn write_value<'v>(
        &self,
        number: usize,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        match (self.columns[number].values, value(number)) {
            (Values::Numbers, []) => out.write_all(b"null"),
            (Values::Numbers | Values::Record, number) => out.write_all(number),
            (Values::Text | Values::Cells, text) => jsonl::write_string(text, out),
        }
    }
}

/// The text of a line that was read as an object.
fn read_object(text: &[u8]) -> &str {
    str::from_utf8(text).expect("it was read as an object")
}

/// A key in an object that was read, with the search for its name. If neither its name nor an
/// escape is in the text, the object need not be read again.
fn find<'t>((key, name): &(Key, Finder<'_>), text: &'t [u8]) -> Option<Value<'t>> {
    if memchr(b'\\', text).is_none() && name.find(text).is_none() {
        return None;
    }
    key.find(read_object(text)).ok().flatten()
}

/// The row of a record whose fields cannot be separated. Its text goes into the column of
/// the puzzle, and the other columns are empty.
fn torn_row(
    columns: usize,
    puzzle: usize,
    text: &[u8],
    delimiter: u8,
    out: &mut impl Write,
) -> io::Result<()> {
    for number in 0..columns.max(1) {
        if number > 0 {
            out.write_all(&[delimiter])?;
        }
        if number == puzzle {
            csv::write_field(text, delimiter, out)?;
        }
    }
    Ok(())
}

/// Whether a record is malformed so that its fields cannot be separated.
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
