//! Chosen columns: an output that has some columns, in an order, and no others.
//!
//! A column is one that is added, a column of a table, a key of JSON lines with dots between nested keys, or a part
//! of a line: the words `before` and `after` the puzzle, or one word by its number, from 1 on or from -1 back.
//! `NAME=COLUMN` gives it another name. (csvkit's `csvcut -c` and `xan select` choose by name and by number; the way to rename is that of
//! `dplyr::select`.)

use super::{
    ColumnPlace, DetectError, Form, Layout, Records, RowError, Values, Writer, csv, jsonl,
    one_line, text, writer::Row,
};
use std::{borrow::Cow, io::Write};

/// An error of a list of columns.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// There is no such column.
    #[error("there is no column {wanted}; one of: {}", .known.join(", "))]
    Unknown {
        /// The name.
        wanted: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// Two columns would have one name.
    #[error("two columns would have the name {0}: NEW=COLUMN gives one of them another")]
    Twice(String),
    /// Two columns of the user have the name in different cases.
    #[error(transparent)]
    Alike(#[from] DetectError),
}

/// Reads a column of records: any that [`Writer::choosing`] finds by a name.
///
/// ```
/// use sudoku_batch::format::{ColumnReader, Layout, Records};
/// let text = format!("id,puzzle\n7,{}\n", ".".repeat(81));
/// let found = Layout::detect(text.as_bytes(), None, None)?;
/// let mut records = Records::default();
/// found.layout.read(&text.as_bytes()[found.skipped..], &mut records);
/// let column = ColumnReader::find(&found.layout, "ID")?;
/// assert_eq!(column.value(&records, 0).as_deref(), Some(&b"7"[..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// For the command.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct ColumnReader {
    writer: Writer,
    own: Own,
}

impl ColumnReader {
    /// The reader of the column with this name.
    ///
    /// # Errors
    ///
    /// There is no such column, or the name means two.
    pub fn find(layout: &Layout, name: &str) -> Result<Self, ChoiceError> {
        let writer = Writer::new(Form::Csv, layout.clone(), Vec::new(), "\n");
        let own = writer.find(name)?.and_then(|chosen| chosen.own);
        match own {
            Some(own) => Ok(Self { writer, own }),
            None => Err(ChoiceError::Unknown {
                wanted: name.to_owned(),
                known: writer.known(),
            }),
        }
    }

    /// The value of a record, without quotes and escapes. `None` if the record has none, or has `null` in JSON.
    pub fn value<'r>(&self, records: &'r Records, record: usize) -> Option<Cow<'r, [u8]>> {
        let row = Row::read(records, record);
        match self.writer.own_value(&self.own, &row) {
            Value::Own(_, Some("null")) | Value::Added(_) | Value::Missing => None,
            Value::Own(text, _) => Some(text),
        }
    }
}

/// A column of the output.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    name: String,
    /// Its name as a JSON key, and a colon.
    member: Vec<u8>,
    /// The number of the column that is added.
    added: Option<usize>,
    /// The part of the record that it shows, unless the added column has a value.
    own: Option<Own>,
}

/// A part of a record.
#[derive(Clone, Debug)]
enum Own {
    /// A column of a table, or a key.
    Column(ColumnPlace),
    /// The puzzle, where a record has no columns.
    Puzzle,
    /// The words before the puzzle of a line, or after it.
    Around(usize),
    /// A word of a line, by its number from 0, or from -1 back from the last.
    Word(isize),
}

/// The value of a chosen column.
enum Value<'r> {
    /// That of an added column, by its number.
    Added(usize),
    /// A part of the record, and its JSON if it is one.
    Own(Cow<'r, [u8]>, Option<&'r str>),
    /// Nothing.
    Missing,
}

impl Writer {
    /// The writer of these columns alone, in this order: of the added columns, and of those of the records. The
    /// formats of one line have their values with tabs between, as a table of the format [`Form::Tsv`] without a header
    /// has them.
    ///
    /// ```
    /// use sudoku_batch::format::{Added, Form, Layout, Records, Values, Writer};
    /// let text = format!("id,puzzle,name\n7,{},x\n", ".".repeat(81));
    /// let found = Layout::detect(text.as_bytes(), None, None)?;
    /// let mut records = Records::default();
    /// found.layout.read(&text.as_bytes()[found.skipped..], &mut records);
    /// let clues = Added::new("clues", Values::Numbers);
    /// let writer = Writer::new(Form::Csv, found.layout, vec![clues], found.line_end);
    /// let writer = writer.choosing(&["name", "clues", "number=id"].map(str::to_owned))?;
    /// let mut out = Vec::new();
    /// writer.header(&mut out)?;
    /// writer.row(&records, 0, |_| b"0", &mut out)?;
    /// assert_eq!(out, b"name,clues,number\nx,0,7\n");
    /// assert_eq!(
    ///     writer.choosing(&["er".to_owned()]).unwrap_err().to_string(),
    ///     "there is no column er; one of: clues, id, puzzle, name"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A column is not there, or two would have one name.
    pub fn choosing(mut self, names: &[String]) -> Result<Self, ChoiceError> {
        let mut all = Vec::<Chosen>::new();
        for wanted in names {
            let mut found = self.find(wanted)?;
            if found.is_none()
                && let Some((new, old)) = wanted.split_once('=').filter(|(new, _)| !new.is_empty())
            {
                found = self.find(old)?.map(|chosen| chosen.named(new));
            }
            let chosen = found.ok_or_else(|| ChoiceError::Unknown {
                wanted: wanted.clone(),
                known: self.known(),
            })?;
            let name = chosen.name.to_lowercase();
            if all.iter().any(|other| other.name.to_lowercase() == name) {
                return Err(ChoiceError::Twice(chosen.name));
            }
            all.push(chosen);
        }
        self.chosen = all;
        Ok(self)
    }

    /// Returns true if it writes [chosen](Self::choosing) columns.
    pub fn is_choosing(&self) -> bool {
        !self.chosen.is_empty()
    }

    /// The column with this name. An exact name wins.
    fn find(&self, name: &str) -> Result<Option<Chosen>, DetectError> {
        let input = self.input.as_ref();
        let own = match input {
            Some(layout) => layout.present(name)?,
            None => None,
        };
        let is_exact = |own: &ColumnPlace| input.is_some_and(|layout| layout.name(own) == name);
        let added = |is_it: &dyn Fn(&str) -> bool| {
            let number = self.columns.iter().position(|column| is_it(&column.name))?;
            let column = &self.columns[number];
            let place = input.and_then(|layout| column.column(layout));
            let name = match (&place, input) {
                (Some(place), Some(layout)) => layout.name(place),
                _ => column.name.clone(),
            };
            let own = place.map(Own::Column);
            Some(Chosen::new(name, Some(number), own))
        };
        // A column that replaces one of the user stands for it under either name.
        let replacing = |own: &ColumnPlace| {
            let replaces = |column: &super::Added| {
                input.and_then(|layout| column.column(layout)).as_ref() == Some(own)
            };
            self.columns.iter().position(replaces)
        };
        if let Some(chosen) = added(&|column| column == name) {
            return Ok(Some(chosen));
        }
        if own.as_ref().is_none_or(|own| !is_exact(own))
            && let Some(chosen) = added(&|column| column.eq_ignore_ascii_case(name))
        {
            return Ok(Some(chosen));
        }
        if let (Some(own), Some(layout)) = (own, input) {
            let (added, name) = (replacing(&own), layout.name(&own));
            return Ok(Some(Chosen::new(name, added, Some(Own::Column(own)))));
        }
        let Some(layout) = input else {
            return Ok(None);
        };
        let is_puzzle = name.eq_ignore_ascii_case(text::COLUMNS[text::PUZZLE]);
        let around = || {
            let is_it = |column: &&str| column.eq_ignore_ascii_case(name);
            let place = text::COLUMNS.iter().position(is_it);
            place.map(|place| Own::Around(place / 2))
        };
        let own = match layout {
            Layout::Table(_) | Layout::Objects(_) if is_puzzle => {
                layout.column_of_puzzles().map(Own::Column)
            }
            Layout::Table(_) | Layout::Objects(_) => None,
            _ if is_puzzle => Some(Own::Puzzle),
            Layout::Line | Layout::Words(_) => match name.parse::<isize>() {
                Ok(number @ 1..) => Some(Own::Word(number - 1)),
                Ok(number @ ..=-1) => Some(Own::Word(number)),
                _ => around(),
            },
            Layout::Blocks(_) | Layout::Written(_) => around(),
        };
        let added = match &own {
            Some(Own::Column(own)) => replacing(own),
            Some(Own::Puzzle) => self.columns.iter().position(super::Added::is_puzzle),
            _ => None,
        };
        Ok(own.map(|own| Chosen::new(name.to_owned(), added, Some(own))))
    }

    /// The names of all columns that can be chosen.
    fn known(&self) -> Vec<String> {
        let mut known: Vec<_> = self
            .columns
            .iter()
            .map(|column| column.name.clone())
            .collect();
        let own = match &self.input {
            None => Vec::new(),
            Some(layout @ (Layout::Table(_) | Layout::Objects(_))) => layout.written_names(),
            Some(_) => text::COLUMNS.to_vec(),
        };
        for name in own {
            if !known.iter().any(|other| other == name) {
                known.push(name.to_owned());
            }
        }
        if matches!(self.input, Some(Layout::Line | Layout::Words(_))) {
            known
                .push("and the number of a word of the line, from 1, or from -1 at its end".into());
        }
        known
    }

    /// The header of chosen columns.
    pub(super) fn chosen_header(&self, out: &mut impl Write) -> std::io::Result<()> {
        for (number, chosen) in self.chosen.iter().enumerate() {
            if number > 0 {
                out.write_all(&[self.delimiter])?;
            }
            csv::write_field(chosen.name.as_bytes(), self.delimiter, out)?;
        }
        out.write_all(self.line_end)
    }

    /// A row of chosen columns: of a record that was read, or of one that is made.
    pub(super) fn chosen_row<'v>(
        &self,
        row: Option<&Row<'_, 'v>>,
        value: &dyn Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> Result<(), RowError> {
        if self.form == Form::Jsonl {
            for (number, chosen) in self.chosen.iter().enumerate() {
                out.write_all(if number > 0 { b"," } else { b"{" })?;
                out.write_all(&chosen.member)?;
                match self.value_of(chosen, row)? {
                    Value::Added(number) => self.write_value(number, &value, out)?,
                    Value::Own(_, Some(json)) => out.write_all(json.as_bytes())?,
                    Value::Own(text, None) => jsonl::write_string(&text, out)?,
                    Value::Missing => out.write_all(b"null")?,
                }
            }
            out.write_all(b"}")?;
            return Ok(out.write_all(self.line_end)?);
        }
        let is_line = self.form.is_of_lines();
        let delimiter = if is_line { b'\t' } else { self.delimiter };
        for (number, chosen) in self.chosen.iter().enumerate() {
            if number > 0 {
                out.write_all(&[delimiter])?;
            }
            let text = match self.value_of(chosen, row)? {
                Value::Added(number) => {
                    let values = self.columns[number].values;
                    if !matches!(values, Values::Text | Values::Json) && !value(number).is_empty() {
                        // Numbers, names and cells have nothing that stands in quotes.
                        out.write_all(value(number))?;
                        continue;
                    }
                    value(number).into()
                }
                Value::Own(text, _) => text,
                Value::Missing => b"".into(),
            };
            if text.is_empty() && self.chosen.len() == 1 && !is_line {
                // A blank line is no row.
                out.write_all(b"\"\"")?;
            } else {
                csv::write_field(&text, delimiter, out)?;
            }
        }
        Ok(out.write_all(if is_line { b"\n" } else { self.line_end })?)
    }

    fn value_of<'r>(
        &self,
        chosen: &Chosen,
        row: Option<&Row<'r, '_>>,
    ) -> Result<Value<'r>, RowError> {
        let own = match (&chosen.own, row) {
            (Some(own), Some(row)) => self.own_value(own, row),
            _ => Value::Missing,
        };
        let Some(number) = chosen.added else {
            return Ok(own);
        };
        let Some(row) = row.filter(|_| chosen.own.is_some()) else {
            return Ok(Value::Added(number));
        };
        let said: &[u8] = match &own {
            Value::Own(text, _) => text,
            _ => b"",
        };
        Ok(match self.new_value(number, row, said)? {
            Some(_) => Value::Added(number),
            None => own,
        })
    }

    /// A part of a record. The text of a record whose parts cannot be told is that of its puzzle.
    fn own_value<'r>(&self, own: &Own, row: &Row<'r, '_>) -> Value<'r> {
        let Some(layout) = &self.input else {
            return Value::Missing;
        };
        let text = row.text();
        match own {
            Own::Column(column) if !self.has_fields(row) => {
                if layout.column_of_puzzles().as_ref() == Some(column) {
                    Value::Own(text.into(), None)
                } else {
                    Value::Missing
                }
            }
            Own::Column(column) => match column.key() {
                Some(key) => {
                    let object = str::from_utf8(text).unwrap_or_default();
                    match key.find(object).ok().flatten() {
                        Some(value) => {
                            let json = value.json;
                            let text = match value.text() {
                                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
                            };
                            Value::Own(text, Some(json))
                        }
                        None => Value::Missing,
                    }
                }
                None => match layout.value(text, column) {
                    Some(text) => Value::Own(text, None),
                    None => Value::Missing,
                },
            },
            Own::Puzzle if row.is_malformed() => Value::Own(one_line(text), None),
            Own::Puzzle => Value::Own(row.own().as_ref().to_vec().into(), None),
            Own::Around(side) => match self.around(row) {
                Some([before, after]) => Value::Own(if *side == 0 { before } else { after }, None),
                None => Value::Missing,
            },
            Own::Word(number) => {
                let words: Vec<_> = text::words(text).collect();
                let place = match number {
                    0.. => Some(*number as usize),
                    ..=-1 => words.len().checked_add_signed(*number),
                };
                match place.and_then(|place| words.get(place)) {
                    Some(word) => Value::Own(text[word.clone()].into(), None),
                    None => Value::Missing,
                }
            }
        }
    }
}

impl Chosen {
    fn new(name: String, added: Option<usize>, own: Option<Own>) -> Self {
        let mut member = Vec::new();
        jsonl::write_string(name.as_bytes(), &mut member).expect("into memory");
        member.push(b':');
        Self {
            name,
            member,
            added,
            own,
        }
    }

    /// A column under another name.
    fn named(self, name: &str) -> Self {
        Self::new(name.to_owned(), self.added, self.own)
    }

    /// A value of records that stay as they were read.
    pub(super) fn without_added(&self) -> Self {
        Self {
            added: None,
            ..self.clone()
        }
    }
}
