//! How records stand in a text, and how that is found out.

use super::{
    Records,
    csv::{self, Table},
    jsonl::{self, Key},
    line,
};
use crate::grid::CELLS;
use std::{borrow::Cow, fmt};

/// A form of records in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// 81 cells at the start of each line; what follows them is dropped.
    Line,
    /// Comma-separated values, by RFC 4180.
    Csv,
    /// The same with tabs.
    Tsv,
    /// A JSON object on each line.
    Jsonl,
}

impl Form {
    /// All forms, with their names.
    pub const ALL: &'static [(Self, &'static str)] = &[
        (Self::Line, "line"),
        (Self::Csv, "csv"),
        (Self::Tsv, "tsv"),
        (Self::Jsonl, "jsonl"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let entry = Self::ALL.iter().find(|(form, _)| *form == self);
        entry.expect("all forms have names").1
    }
}

/// The name.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How records stand in one input: its form, and where in a record its puzzle is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// Of [`Form::Line`].
    Line,
    /// Of [`Form::Csv`] or [`Form::Tsv`].
    Table(Table),
    /// Of [`Form::Jsonl`], with the key of the puzzle.
    Objects(Key),
}

/// A column of a table, or a key of JSON lines: [`Layout::column`] finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column(Place);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Number(usize),
    Key(Key),
}

impl Column {
    /// Its number in a table, from 0.
    pub(super) fn number(&self) -> Option<usize> {
        match self.0 {
            Place::Number(number) => Some(number),
            Place::Key(_) => None,
        }
    }

    /// Its key in JSON lines.
    pub(super) fn key(&self) -> Option<&Key> {
        match &self.0 {
            Place::Number(_) => None,
            Place::Key(key) => Some(key),
        }
    }
}

/// What is known of an input before its records are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    /// How its records stand.
    pub layout: Layout,
    /// The bytes before the first record: a header.
    pub skipped: usize,
    /// The lines that they are.
    pub skipped_lines: u64,
    /// Whether its lines end with a carriage return and a line feed.
    pub crlf: bool,
}

/// Why the form of a text is not found, or is not the one that is wished.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DetectError {
    /// No form fits.
    #[error("cannot tell the form of this line: {line:?}")]
    Unknown {
        /// The first line that has anything on it, cut to a length that can be shown.
        line: String,
    },
    /// The table has no such column, or none that holds puzzles.
    #[error("there is no column {wanted}; the columns are: {}", .columns.join(", "))]
    NoColumn {
        /// What was looked for.
        wanted: String,
        /// The columns that there are.
        columns: Vec<String>,
    },
}

/// Names that data sets give to the column of puzzles, in the order in which they are
/// looked for.
const PUZZLE_NAMES: [&str; 12] = [
    "puzzle", "puzzles", "quizzes", "quiz", "question", "sudoku", "clues", "problem", "givens",
    "board", "grid", "input",
];

impl Layout {
    /// Finds the layout of a text from its first bytes: a form that is given, or the one
    /// that fits; a column that is given (its name, or its number from 1), or the one that
    /// holds puzzles.
    ///
    /// # Errors
    ///
    /// Nothing fits, or the table has no such column.
    pub fn detect(
        head: &[u8],
        form: Option<Form>,
        column: Option<&str>,
    ) -> Result<Detected, DetectError> {
        let first = head.iter().position(|c| !c.is_ascii_whitespace());
        let first = first.unwrap_or(head.len());
        let start = head[..first]
            .iter()
            .rposition(|&c| matches!(c, b'\n' | b'\r'));
        let start = start.map_or(0, |end| end + 1);
        let form = match form {
            Some(form) => form,
            None => Self::detect_form(head, column)?,
        };
        let end = memchr::memchr(b'\n', head);
        let crlf = end.is_some_and(|end| head[..end].ends_with(b"\r"));
        let delimiter = match form {
            Form::Line => return Ok(Detected::without_header(Self::Line, crlf)),
            Form::Jsonl => {
                let key = column.map_or_else(|| key_of_puzzle(&head[first..]), Key::new);
                return Ok(Detected::without_header(Self::Objects(key), crlf));
            }
            Form::Csv => b',',
            Form::Tsv => b'\t',
        };
        let Some(row) = csv::Rows::new(&head[start..], delimiter).next() else {
            let table = Table::without_header(1, delimiter, 0);
            return Ok(Detected::without_header(Self::Table(table), crlf));
        };
        let text = &head[start..][row.text];
        match cell_fields(text, delimiter).first() {
            // A first row with a puzzle is no header.
            Some(&puzzle) => {
                let mut table = Table::without_header(count(text, delimiter), delimiter, puzzle);
                table.choose(column, &[])?;
                Ok(Detected::without_header(Self::Table(table), crlf))
            }
            None => {
                let mut table = Table::with_header(text, delimiter, 0);
                let next = &head[start + row.next..];
                let records = csv::Rows::new(next, delimiter).next();
                let cells = records.map(|row| cell_fields(&next[row.text], delimiter));
                table.choose(column, &cells.unwrap_or_default())?;
                Ok(Detected {
                    layout: Self::Table(table),
                    skipped: start + row.next,
                    skipped_lines: csv::line_ends(&head[..start]) + row.lines,
                    crlf,
                })
            }
        }
    }

    fn detect_form(head: &[u8], column: Option<&str>) -> Result<Form, DetectError> {
        let lines = head.split(|&c| matches!(c, b'\n' | b'\r'));
        let mut lines = lines
            .map(<[u8]>::trim_ascii)
            .filter(|line| !line.is_empty());
        let Some(first) = lines.clone().find(|line| !line.starts_with(b"#")) else {
            return Ok(Form::Line);
        };
        if first.starts_with(b"{") {
            return Ok(Form::Jsonl);
        }
        let is_line = |line: &[u8]| {
            let mut records = Records::default();
            line::read(line, &mut records);
            records.len() == 1 && records.error(0).is_none()
        };
        if is_line(first) && column.is_none() {
            return Ok(Form::Line);
        }
        for (form, delimiter) in [(Form::Csv, b','), (Form::Tsv, b'\t')] {
            let named = csv::fields(first, delimiter).any(|field| {
                let name = String::from_utf8_lossy(&first[field]).to_ascii_lowercase();
                PUZZLE_NAMES.contains(&name.trim().trim_matches('"'))
            });
            let cells = |line: &[u8]| !cell_fields(line, delimiter).is_empty();
            let delimited = first.contains(&delimiter);
            if named || delimited && (cells(first) || lines.clone().nth(1).is_some_and(cells)) {
                return Ok(form);
            }
        }
        if lines.any(is_line) {
            return Ok(Form::Line);
        }
        const SHOWN: usize = 100;
        let line = String::from_utf8_lossy(&first[..first.len().min(SHOWN)]).into_owned();
        Err(DetectError::Unknown { line })
    }

    /// The form.
    pub fn form(&self) -> Form {
        match self {
            Self::Line => Form::Line,
            Self::Table(table) if table.delimiter() == b'\t' => Form::Tsv,
            Self::Table(_) => Form::Csv,
            Self::Objects(_) => Form::Jsonl,
        }
    }

    /// Reads a text that holds whole records, and appends them.
    pub fn read(&self, text: &[u8], records: &mut Records) {
        match self {
            Self::Line => line::read(text, records),
            Self::Table(table) => table.read(text, records),
            Self::Objects(key) => jsonl::read(text, key, records),
        }
    }

    /// Where the last whole record ends of a text that begins with a record and ends with a
    /// line feed. What is after it belongs to the text that follows.
    pub fn last_record_end(&self, text: &[u8]) -> usize {
        match self {
            Self::Table(table) => csv::last_row_end(text, table.delimiter()),
            Self::Line | Self::Objects(_) => text.len(),
        }
    }

    /// Whether every line ends a record, so that [`last_record_end`](Self::last_record_end)
    /// is the end of the text.
    pub fn is_of_lines(&self) -> bool {
        matches!(self, Self::Line | Self::Objects(_))
    }

    /// A column by its name or, from 1, its number; in JSON lines the key, whether the
    /// objects have it or not. A form without columns has none.
    pub fn column(&self, name: &str) -> Option<Column> {
        match self {
            Self::Line => None,
            Self::Table(table) => table.position(name).map(|n| Column(Place::Number(n))),
            Self::Objects(_) => Some(Column(Place::Key(Key::new(name)))),
        }
    }

    /// The names of the columns, where they are known before the records are read.
    pub fn columns(&self) -> &[String] {
        match self {
            Self::Table(table) => table.columns(),
            Self::Line | Self::Objects(_) => &[],
        }
    }

    /// What a record says in a column, without quotes and escapes; `text` is that of the
    /// record ([`Records::text`]). Nothing, where the record has no such column or is
    /// malformed.
    pub fn value<'t>(&self, text: &'t [u8], column: &Column) -> Option<Cow<'t, [u8]>> {
        match (self, &column.0) {
            (Self::Table(table), &Place::Number(number)) => table.field(text, number),
            (Self::Objects(_), Place::Key(key)) => {
                let value = key.find(str::from_utf8(text).ok()?).ok()??;
                Some(match value.text() {
                    Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                    Cow::Owned(text) => Cow::Owned(text.into_bytes()),
                })
            }
            _ => None,
        }
    }
}

impl Detected {
    fn without_header(layout: Layout, crlf: bool) -> Self {
        Self {
            layout,
            skipped: 0,
            skipped_lines: 0,
            crlf,
        }
    }
}

impl Table {
    /// The number of a column, from 0, by its name or by its number from 1.
    fn position(&self, name: &str) -> Option<usize> {
        let named = self.columns().iter().position(|column| column == name);
        let numbered = || {
            name.parse()
                .ok()
                .filter(|n| (1..=self.columns().len()).contains(n))
        };
        named.or_else(|| numbered().map(|number: usize| number - 1))
    }

    /// Takes the puzzles from the column that is wished, or else from the one that is called
    /// so, or else from the first of those in which cells stand.
    fn choose(&mut self, wish: Option<&str>, with_cells: &[usize]) -> Result<(), DetectError> {
        let columns = || self.columns().iter();
        let fits = |name: &str| columns().position(|c| c.trim().eq_ignore_ascii_case(name));
        let chosen = match wish {
            Some(name) => self.position(name),
            None if self.header().is_none() => Some(self.puzzle()),
            None => {
                let named = || PUZZLE_NAMES.iter().find_map(|name| fits(name));
                let alike = PUZZLE_NAMES.iter().filter_map(|name| fits(name));
                let mut alike = alike.filter(|column| with_cells.contains(column));
                alike
                    .next()
                    .or_else(|| with_cells.first().copied())
                    .or_else(named)
            }
        };
        let Some(column) = chosen else {
            return Err(DetectError::NoColumn {
                wanted: wish.unwrap_or("with a puzzle").into(),
                columns: self.columns().to_vec(),
            });
        };
        self.set_puzzle(column);
        Ok(())
    }
}

fn count(row: &[u8], delimiter: u8) -> usize {
    csv::fields(row, delimiter).count()
}

/// The numbers of the fields of a row that are 81 cells.
fn cell_fields(row: &[u8], delimiter: u8) -> Vec<usize> {
    let is_cells = |field: &[u8]| field.len() >= CELLS && csv::loose_cells(field).is_ok();
    let fields = csv::fields(row, delimiter).enumerate();
    let cells = fields.filter(|(_, field)| is_cells(&row[field.clone()]));
    cells.map(|(number, _)| number).collect()
}

/// The key under which the first object has its puzzle.
fn key_of_puzzle(head: &[u8]) -> Key {
    let line = head
        .split(|&c| matches!(c, b'\n' | b'\r'))
        .next()
        .unwrap_or_default();
    let members = str::from_utf8(line)
        .ok()
        .and_then(|line| jsonl::members(line).ok());
    let members = members.unwrap_or_default();
    let named = PUZZLE_NAMES.iter().find_map(|name| {
        let mut keys = members.iter().map(|(key, _)| key);
        keys.find(|key| key.eq_ignore_ascii_case(name))
    });
    let with_cells = || {
        let mut cells = members.iter().filter(|(_, value)| {
            value.json.len() >= CELLS && csv::loose_cells(value.text().as_bytes()).is_ok()
        });
        cells.next().map(|(key, _)| key)
    };
    let key = named.or_else(with_cells);
    Key::outermost(key.map_or("puzzle", |key| key))
}
