//! Writes records as text in any format, together with the columns that a command adds.

use super::{
    ColumnPlace, DetectError, Form, Layout, Records, Values, array,
    choice::Chosen,
    csv,
    jsonl::{self, JsonValue, Key},
    line, nine_lines, notation, one_line,
    table::Table,
    text,
};
use crate::grid::{BLANK, CELLS, Candidates, Puzzle};
use memchr::{memchr, memmem::Finder};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    io::{self, Write},
};

/// A column that a command adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// Its name: in the header of a table, or as a JSON key.
    pub name: String,
    /// The kind of its values.
    pub values: Values,
    /// Its place among the columns of the user.
    place: Place,
}

/// The place of a column that a command adds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    /// After the columns of the user.
    End,
    /// In the place of the puzzle.
    Puzzle,
    /// In the place of a column of the user.
    Column(ColumnPlace),
    /// The same, but a value that is empty leaves what is there, and an object of JSON lines without the key stays
    /// without it.
    ColumnIfThere(ColumnPlace),
    /// In a column of the user, which keeps its values: an empty one is filled, one that says the
    /// same stays as it is, and any other is an error. In JSON lines, an object without the key
    /// gets it at its end.
    Kept(ColumnPlace),
}

impl Added {
    /// A column that comes after the columns of the user.
    pub fn new(name: impl Into<String>, values: Values) -> Self {
        Self {
            name: name.into(),
            values,
            place: Place::End,
        }
    }

    /// A value in the place of the puzzle.
    #[must_use]
    pub fn with_place_of_puzzle(mut self) -> Self {
        self.place = Place::Puzzle;
        self
    }

    /// A value in the place of a column of the user. In JSON lines, an object without the key gets it at its end.
    #[must_use]
    pub fn with_place_of(mut self, column: ColumnPlace) -> Self {
        self.place = Place::Column(column);
        self
    }

    /// A column in the place of one of the user. A value that is empty leaves the old one, such as `null`. In
    /// JSON lines, an object without the key stays without it.
    #[must_use]
    pub fn with_place_if_there(mut self, column: ColumnPlace) -> Self {
        self.place = Place::ColumnIfThere(column);
        self
    }

    /// Returns true if it takes the place of the puzzle.
    pub fn is_puzzle(&self) -> bool {
        self.place == Place::Puzzle
    }

    /// Returns true if it is only where the column of the user is.
    pub fn is_only_if_there(&self) -> bool {
        matches!(self.place, Place::ColumnIfThere(_))
    }

    /// The column of the user whose place it takes, unless it is the puzzle.
    pub fn replaced(&self) -> Option<&ColumnPlace> {
        match &self.place {
            Place::End | Place::Puzzle => None,
            Place::Column(column) | Place::ColumnIfThere(column) | Place::Kept(column) => {
                Some(column)
            }
        }
    }

    /// The column of the user whose place it takes, that of the puzzle too.
    pub(super) fn column(&self, layout: &Layout) -> Option<ColumnPlace> {
        match self.is_puzzle() {
            true => layout.column_of_puzzles(),
            false => self.replaced().cloned(),
        }
    }
}

/// An error of a new column that has no place.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// Two columns of the user have its name in different cases.
    #[error(transparent)]
    Alike(#[from] DetectError),
    /// Two columns of the output would have its name.
    #[error("two columns would have the name {0}")]
    Twice(String),
}

/// New columns in their places, for records of this layout that are written in this format.
///
/// A value of the user is never lost unasked. Where the user has a column of the name of a new one,
/// the column is kept: empty values are filled, values that say the same stay, and any
/// other value is an error. So commands run on what commands wrote. With `replace` the new column
/// takes the place of the old one.
///
/// No two columns may have one name, in whatever case.
// For the command and the packages.
#[doc(hidden)]
pub fn placed(
    mut columns: Vec<Added>,
    layout: &Layout,
    form: Form,
    replace: bool,
) -> Result<Vec<Added>, PlaceError> {
    let is_alike = |a: &str, b: &str| a.trim().to_lowercase() == b.trim().to_lowercase();
    let has_names = matches!(form, Form::Csv | Form::Tsv | Form::Jsonl);
    let mut own = layout.written_names();
    own.retain(|_| has_names);
    // A table may have a name twice, and an object may have a key twice, but not where it is the other.
    let is_other = (form == Form::Jsonl) != (layout.form() == Form::Jsonl);
    let mut seen = HashSet::new();
    if let Some(name) = own.iter().find(|name| is_other && !seen.insert(**name)) {
        return Err(PlaceError::Twice((*name).into()));
    }
    let (mut new, mut places) = (Vec::<String>::new(), Vec::new());
    for column in &mut columns {
        let name = &column.name;
        if column.place == Place::End {
            let there = if has_names {
                layout.present_or_later(name)?
            } else {
                None
            };
            // The names that the writer gives, and not the user.
            let is_text = form == Form::Jsonl && is_alike(TEXT, name);
            let is_given = is_text || own.iter().any(|own| is_alike(own, name));
            let is_new = !new.iter().any(|new| is_alike(new, name));
            if !is_new || there.is_none() && is_given {
                return Err(PlaceError::Twice(name.clone()));
            }
            new.push(name.clone());
            let place = if replace { Place::Column } else { Place::Kept };
            column.place = there.map_or(Place::End, place);
        }
        let place = column.column(layout);
        if let Some(place) = place {
            if places.contains(&place) {
                return Err(PlaceError::Twice(layout.name(&place)));
            }
            places.push(place);
        }
    }
    Ok(columns)
}

/// An error of a record that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// A column of the user that is to keep its values has another value.
    #[error("the column {column} has the value {old:?} already, and the new one is {new}")]
    Differs {
        /// The name of the new column.
        column: String,
        /// The value of the user.
        old: String,
        /// The new value, or words for it.
        new: String,
    },
    /// An object has a key that is no column of the table.
    #[error("the key {0} is not one of the first object, which give the columns")]
    UnknownKey(String),
    /// The writer failed.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Writes records in a format: those that were [read](Self::new) with one layout, or those that a
/// program [generates](Self::generated).
///
/// ```
/// use sudoku_batch::format::{Added, Form, Layout, Records, Values, Writer};
/// let text = format!("id,puzzle\n7,{}\n", ".".repeat(81));
/// let found = Layout::detect(text.as_bytes(), None, None)?;
/// let mut records = Records::default();
/// found.layout.read(&text.as_bytes()[found.skipped..], &mut records);
/// let clues = Added::new("clues", Values::Numbers);
/// let writer = Writer::new(Form::Csv, found.layout, vec![clues], found.line_end);
/// let mut out = Vec::new();
/// writer.header(&mut out)?;
/// writer.row(&records, 0, |_| b"0", &mut out)?;
/// assert_eq!(out, format!("id,puzzle,clues\n7,{},0\n", ".".repeat(81)).into_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Writer {
    pub(super) form: Form,
    /// The layout with which the records were read, or nothing if they are generated.
    pub(super) input: Option<Layout>,
    /// The names of the columns, or keys, that a record has where its format is a table or JSON lines.
    names: Vec<String>,
    /// The number of each of the names of keys.
    numbers: HashMap<String, usize>,
    /// The number, among these, of the puzzle.
    puzzle: usize,
    pub(super) columns: Vec<Added>,
    /// The first column that holds cells.
    cells: Option<usize>,
    /// For each column, a comma, its name as a JSON key, and a colon.
    members: Vec<Vec<u8>>,
    pub(super) line_end: &'static [u8],
    /// The delimiter between the fields of a table.
    pub(super) delimiter: u8,
    /// For each of the names, the number of the added column that replaces it.
    replaced: Vec<Option<usize>>,
    /// For each column, its key in JSON lines, and the search for its name in a line.
    keys: Vec<(Key, Finder<'static>)>,
    /// The column of a puzzle that is in an object within the object, and its key.
    nested: Option<(usize, Key)>,
    /// The columns that are written, in their order; none where all are.
    pub(super) chosen: Vec<Chosen>,
}

/// The key or column for the text of a record whose fields cannot be separated.
const TEXT: &str = "text";

impl Writer {
    /// A writer in this format, for records that were read with this layout, with these added
    /// columns.
    pub fn new(form: Form, input: Layout, columns: Vec<Added>, line_end: &'static str) -> Self {
        let names: Vec<_> = input
            .written_names()
            .iter()
            .map(|&name| name.to_owned())
            .collect();
        let puzzle = match &input {
            layout if layout.has_texts() => text::PUZZLE,
            layout => layout.puzzle_column().unwrap_or(0),
        };
        // The first of equal names is the column. Other records have their fields in order.
        let keys = names
            .iter()
            .enumerate()
            .rev()
            .filter(|_| matches!(input, Layout::Objects(_)));
        let numbers = keys.map(|(number, name)| (name.clone(), number)).collect();
        let mut replaced = vec![None; names.len()];
        for (number, column) in columns.iter().enumerate() {
            let place = column.column(&input);
            let place = place.and_then(|place| place.number_in(&input));
            if let Some(place) = place.or(column.is_puzzle().then_some(puzzle)) {
                replaced[place] = Some(number);
            }
        }
        let key = |column: &Added| {
            let place = column.column(&input);
            let key = place.as_ref().and_then(ColumnPlace::key).cloned();
            key.unwrap_or_else(|| Key::outermost(&column.name))
        };
        let keys = columns.iter().map(key);
        let keys = keys.map(|key| {
            let name = Finder::new(key.last()).into_owned();
            (key, name)
        });
        let nested = input.column_of_puzzles().and_then(|column| {
            let key = column.key().filter(|key| key.is_nested())?;
            Some((column.number_in(&input)?, key.clone()))
        });
        Self {
            nested,
            keys: keys.collect(),
            line_end: line_end.as_bytes(),
            delimiter: match (&input, form) {
                (Layout::Table(table), Form::Csv) if table.delimiter() != b'\t' => {
                    table.delimiter()
                }
                (_, Form::Tsv) => b'\t',
                _ => b',',
            },
            numbers,
            names,
            puzzle,
            replaced,
            input: Some(input),
            ..Self::generated(form, columns)
        }
    }

    /// A writer in this format, for records that a program generates: they have these columns and
    /// no others, whatever their place. [`generated_row`](Self::generated_row) writes them.
    ///
    /// ```
    /// use sudoku_batch::format::{Added, Form, Values, Writer};
    /// let columns = vec![Added::new("index", Values::Numbers), Added::new("grid", Values::Cells)];
    /// let cells = "7".repeat(81);
    /// let mut out = Vec::new();
    /// let writer = Writer::generated(Form::Csv, columns);
    /// writer.header(&mut out)?;
    /// writer.generated_row(|column| [b"0", cells.as_bytes()][column], &mut out)?;
    /// assert_eq!(out, format!("index,grid\n0,{cells}\n").into_bytes());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn generated(form: Form, columns: Vec<Added>) -> Self {
        let member = |column: &Added| {
            let mut member = b",".to_vec();
            let name = jsonl::write_string(column.name.as_bytes(), &mut member);
            name.expect("into memory");
            member.push(b':');
            member
        };
        Self {
            form,
            cells: columns.iter().position(|c| c.values.are_cells()),
            members: columns.iter().map(member).collect(),
            input: None,
            names: Vec::new(),
            numbers: HashMap::new(),
            puzzle: 0,
            columns,
            line_end: b"\n",
            delimiter: if form == Form::Tsv { b'\t' } else { b',' },
            replaced: Vec::new(),
            keys: Vec::new(),
            nested: None,
            chosen: Vec::new(),
        }
    }

    /// A writer of the same records without added columns.
    pub fn without_columns(&self) -> Self {
        let mut plain = self.clone();
        plain.columns.clear();
        plain.cells = None;
        plain.replaced.fill(None);
        plain.chosen = self.chosen.iter().map(Chosen::without_added).collect();
        plain
    }

    /// The format.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The columns.
    pub fn columns(&self) -> &[Added] {
        &self.columns
    }

    /// Writes what comes before the first record: the header of a table. A table that was
    /// read without a header is written in the same format without one, unless columns are
    /// [chosen](Self::choosing).
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer.
    pub fn header(&self, out: &mut impl Write) -> io::Result<()> {
        if !matches!(self.form, Form::Csv | Form::Tsv) {
            return Ok(());
        }
        if self.is_choosing() {
            return self.chosen_header(out);
        }
        let delimiter = self.delimiter;
        match &self.input {
            Some(Layout::Table(table)) if table.delimiter() == delimiter => match table.header() {
                Some(raw) => out.write_all(raw)?,
                None => return Ok(()),
            },
            _ => {
                for (number, name) in self.names.iter().enumerate() {
                    if number > 0 {
                        out.write_all(&[delimiter])?;
                    }
                    csv::write_field(name.as_bytes(), delimiter, out)?;
                }
            }
        }
        let mut is_first = self.input.is_none();
        for column in self.columns.iter().filter(|column| self.is_added(column)) {
            if !std::mem::take(&mut is_first) {
                out.write_all(&[delimiter])?;
            }
            csv::write_field(column.name.as_bytes(), delimiter, out)?;
        }
        out.write_all(self.line_end)
    }

    /// Returns true if each row begins with a blank line, which separates it from the row before. Leave
    /// out this line, which is one byte, before the first row of a text.
    ///
    /// [`Form::Grid`] is so, and so are generated records in the other formats of nine lines. The
    /// records of an input have a blank line after each.
    pub fn begins_with_blank_line(&self) -> bool {
        self.form == Form::Grid || self.input.is_none() && self.form.is_of_nine_lines()
    }

    /// Returns true if a table has an added column after the columns of the user.
    #[inline]
    fn is_added(&self, column: &Added) -> bool {
        // Generated rows ask this for each of their columns, a hundred million times a second.
        let Some(input) = &self.input else {
            return true;
        };
        match &column.place {
            Place::End => true,
            Place::Puzzle | Place::ColumnIfThere(_) => false,
            Place::Column(column) | Place::Kept(column) => column.number_in(input).is_none(),
        }
    }

    /// Writes a row: a record as it was read, with the values of the added columns. A writer of
    /// [generated](Self::generated) records writes the values alone, as
    /// [`generated_row`](Self::generated_row) does.
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
        if self.input.is_none() && !self.is_choosing() {
            return Ok(self.generated_row(value, out)?);
        }
        if self.input.is_none() {
            return self.chosen_row(None, &value, out);
        }
        let row = &Row {
            records,
            record,
            value: &value,
        };
        if self.is_choosing() {
            return self.chosen_row(Some(row), &value, out);
        }
        match self.form {
            Form::Line | Form::Candidates => self.line(row, out)?,
            Form::Csv | Form::Tsv => self.fields(row, out)?,
            Form::Jsonl => self.object(row, out)?,
            Form::Text => self.words(row, out)?,
            Form::Block | Form::Grid | Form::Sdk | Form::Pretty | Form::Box | Form::Pencilmarks => {
                // The comments of lines are left out: many a drawing is printed.
                let is_of_lines = matches!(self.input, Some(Layout::Line));
                if self.columns.is_empty() && !is_of_lines && self.keeps_texts(row) {
                    self.above(row, out)?;
                }
                if self.form == Form::Pencilmarks
                    && let Some(marks) = self.marks(row)
                {
                    // A blank line after the nine, as after any record of an input.
                    return Ok(out.write_all(&nine_lines::marks(&marks))?);
                }
                let cells = self.cells(row);
                self.nine_lines(cells.as_ref(), out)?;
            }
            Form::Link | Form::SudokuExchange | Form::Hodoku | Form::S9b => {
                // A malformed record has no cells. Its text stays as it is, as in lines.
                if self.columns.is_empty() && row.is_malformed() {
                    return Ok(self.line(row, out)?);
                }
                let cells = self.cells(row);
                notation::write(self.form, cells.as_ref().unwrap_or(&[BLANK; CELLS]), out)?;
            }
        }
        Ok(())
    }

    /// Writes a generated record: `value` gives the value of each column, by its number from 0.
    /// The formats of nine lines, and the formats of one line without columns, hold the cells of the
    /// first column that has cells, or the candidates that these say. All columns are written, chosen or not: [`row`](Self::row) writes those that
    /// are chosen.
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer.
    #[inline]
    pub fn generated_row<'v>(
        &self,
        value: impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        match self.form {
            Form::Csv | Form::Tsv => {
                self.added_fields(&value, out)?;
                out.write_all(self.line_end)
            }
            Form::Jsonl => {
                out.write_all(b"{")?;
                self.added_members(&value, out)?;
                out.write_all(b"}")?;
                out.write_all(self.line_end)
            }
            Form::Line | Form::Text => {
                out.write_all(cells_or_points(self.cells.map_or(&[], &value)))?;
                out.write_all(b"\n")
            }
            Form::Candidates => {
                let cells = self.cells.map_or(&[][..], &value);
                match cells.as_array() {
                    Some(cells) => {
                        let (candidates, blank) = candidates_of(cells);
                        out.write_all(&candidates.to_ascii(blank))?;
                    }
                    None => out.write_all(cells_or_points(cells))?,
                }
                out.write_all(b"\n")
            }
            Form::Link | Form::SudokuExchange | Form::Hodoku | Form::S9b => {
                let cells = self.cells.and_then(|column| value(column).as_array());
                notation::write(self.form, cells.unwrap_or(&[BLANK; CELLS]), out)
            }
            Form::Block | Form::Grid | Form::Sdk | Form::Pretty | Form::Box | Form::Pencilmarks => {
                let cells = self.cells.and_then(|column| value(column).as_array());
                match cells.filter(|_| self.form == Form::Pencilmarks) {
                    Some(cells) => {
                        let marks = nine_lines::marks(&candidates_of(cells).0);
                        // The blank line comes first.
                        out.write_all(b"\n")?;
                        out.write_all(&marks[..marks.len() - 1])
                    }
                    None => self.nine_lines(cells, out),
                }
            }
        }
    }

    /// Nine lines, and a blank line before or after them. Blocks that are generated have no
    /// spaces between the cells.
    #[inline]
    fn nine_lines(&self, cells: Option<&[u8; CELLS]>, out: &mut impl Write) -> io::Result<()> {
        // A line feed before the lines, and one after them: one of the two is the blank line.
        let from = usize::from(!self.begins_with_blank_line());
        let mut write = |text: &[u8]| out.write_all(&text[from..][..text.len() - 1]);
        match (self.form, cells) {
            (Form::Pretty, cells) => write(&nine_lines::framed(cells.unwrap_or(&[BLANK; CELLS]))),
            (Form::Grid, Some(cells)) => {
                let digit = |cell| {
                    if matches!(cell, b'1'..=b'9') {
                        cell
                    } else {
                        b'0'
                    }
                };
                write(&nine_lines::spaced(&cells.map(digit)))
            }
            (Form::Block, cells) if self.input.is_none() => {
                write(&nine_lines::compact(cells.unwrap_or(&[BLANK; CELLS])))
            }
            (Form::Sdk, cells) => write(&nine_lines::section(cells.unwrap_or(&[BLANK; CELLS]))),
            (Form::Box, cells) => write(&nine_lines::boxed(cells.unwrap_or(&[BLANK; CELLS]))),
            (_, cells) => write(&nine_lines::spaced(cells.unwrap_or(&[BLANK; CELLS]))),
        }
    }

    /// The cells of the first added column that has cells, otherwise those of the record.
    fn cells(&self, row: &Row<'_, '_>) -> Option<[u8; CELLS]> {
        match self.cells {
            Some(number) => (row.value)(number).as_array().copied(),
            None if row.is_malformed() => None,
            None => Some(row.records.own_cells(row.record)),
        }
    }

    /// The candidates that take the place of 81 cells: those of the first added column that has cells,
    /// otherwise those of the record.
    fn marks(&self, row: &Row<'_, '_>) -> Option<Candidates> {
        match self.cells {
            Some(number) => Candidates::from_ascii((row.value)(number).as_array()?).ok(),
            None => Some(row.records.puzzle(row.record).ok()?.candidates()),
        }
    }

    /// A line. It holds the cells of the first column, if that column has cells. Otherwise
    /// it holds all values with tabs between. Without added columns it holds the cells of
    /// the record, and the text that belongs to them if they come from lines or from another writing: the comments above, and
    /// what follows.
    fn line(&self, row: &Row<'_, '_>, out: &mut impl Write) -> io::Result<()> {
        match &self.columns[..] {
            [] => {
                let is_kept = self.keeps_texts(row);
                if is_kept {
                    self.above(row, out)?;
                }
                if row.is_malformed() {
                    out.write_all(&one_line(row.text()))?;
                } else {
                    let own = row.own();
                    out.write_all(own.as_ref())?;
                    // The text of a block is its rows.
                    if is_kept && !matches!(self.input, Some(Layout::Blocks(_))) {
                        out.write_all(line::after_cells(row.text()))?;
                    }
                }
            }
            [first, ..] if first.values.are_cells() => {
                out.write_all(cells_or_points((row.value)(0)))?;
            }
            columns => {
                for number in 0..columns.len() {
                    if number > 0 {
                        out.write_all(b"\t")?;
                    }
                    out.write_all((row.value)(number))?;
                }
            }
        }
        out.write_all(b"\n")
    }

    /// Returns true if records have texts of their own, which stay where no column takes their place.
    fn keeps_texts(&self, row: &Row<'_, '_>) -> bool {
        // Most records are cells alone. To look for the text of each took 15 % more instructions.
        row.records.have_texts()
            && matches!(
                self.input,
                Some(Layout::Line | Layout::Blocks(_) | Layout::Written(_))
            )
    }

    /// The comments above a record.
    fn above(&self, row: &Row<'_, '_>, out: &mut impl Write) -> io::Result<()> {
        out.write_all(row.records.above(row.record))
    }

    /// The line of a record, followed by the values of the columns, each after a tab: values may have
    /// spaces, and none has a tab. If the record is not a line, its cells take the place of the line.
    fn words(&self, row: &Row<'_, '_>, out: &mut impl Write) -> io::Result<()> {
        let has_texts = self.input.as_ref().is_some_and(Layout::has_texts);
        if has_texts && self.columns.is_empty() {
            self.above(row, out)?;
        }
        let own = row.own();
        let has_words = has_texts && row.text().len() > own.as_ref().len();
        let line = if has_words || row.is_malformed() {
            one_line(row.text())
        } else {
            Cow::Borrowed(own.as_ref())
        };
        match (self.replaced[self.puzzle], text::place(&line)) {
            (Some(number), Some(place)) if self.columns[number].is_puzzle() => {
                out.write_all(&line[..place.start])?;
                out.write_all((row.value)(number))?;
                out.write_all(&line[place.end..])?;
            }
            _ => out.write_all(&line)?,
        }
        for (number, column) in self.columns.iter().enumerate() {
            if !column.is_puzzle() {
                out.write_all(b"\t")?;
                out.write_all(match (column.values, (row.value)(number)) {
                    (values, cells) if values.are_cells() => cells_or_points(cells),
                    (_, []) => b"-",
                    (_, value) => value,
                })?;
            }
        }
        out.write_all(self.line_end)
    }

    fn fields(&self, row: &Row<'_, '_>, out: &mut impl Write) -> Result<(), RowError> {
        let is_plain = |table: &Table| {
            let is_same = table.delimiter() == self.delimiter;
            is_same && self.replaced.iter().all(Option::is_none) && !row.is_torn()
        };
        match &self.input {
            Some(Layout::Table(table)) if is_plain(table) => out.write_all(row.text())?,
            _ => self.each_field(row, |field| {
                if field.number > 0 {
                    out.write_all(&[self.delimiter])?;
                }
                match (self.new_field(&field, row)?, field.raw) {
                    (Some((_, new)), _) => csv::write_field(new, self.delimiter, out)?,
                    (None, Some(raw)) => out.write_all(raw)?,
                    // The only field of a row has quotes if it is empty: a blank line is no row.
                    (None, None) if field.text.is_empty() && self.has_one_field() => {
                        out.write_all(b"\"\"")?;
                    }
                    (None, None) => csv::write_field(&field.text, self.delimiter, out)?,
                }
                Ok(())
            })?,
        }
        self.added_fields(&row.value, out)?;
        Ok(out.write_all(self.line_end)?)
    }

    /// Returns true if a row of a table has one field.
    fn has_one_field(&self) -> bool {
        self.names.len() == 1 && !self.columns.iter().any(|column| self.is_added(column))
    }

    /// Returns true if a record has the fields of all columns. Otherwise its text is all that there is.
    pub(super) fn has_fields(&self, row: &Row<'_, '_>) -> bool {
        match &self.input {
            Some(Layout::Table(_) | Layout::Objects(_)) => !row.is_torn(),
            _ => !row.is_malformed(),
        }
    }

    /// Gives the fields of a record, one for each column. Where they cannot be separated, the text of the
    /// record is in the column of the puzzle, and the other columns are empty.
    fn each_field(
        &self,
        row: &Row<'_, '_>,
        mut give: impl FnMut(Field<'_>) -> Result<(), RowError>,
    ) -> Result<(), RowError> {
        let (has_fields, text) = (self.has_fields(row), row.text());
        let mut columns = self.replaced.iter().enumerate();
        let mut give = |text: Cow<'_, [u8]>, raw: Option<&[u8]>| match columns.next() {
            Some((number, replaced)) => give(Field {
                number,
                replaced: replaced.filter(|_| has_fields || number != self.puzzle),
                text,
                raw,
            }),
            None => Ok(()),
        };
        match &self.input {
            _ if !has_fields => (0..self.names.len()).try_for_each(|number| {
                let text = if number == self.puzzle { text } else { b"" };
                give(text.into(), None)
            }),
            Some(Layout::Table(table)) => {
                let mut fields = csv::fields(text, table.delimiter()).map(|field| &text[field]);
                let is_same = table.delimiter() == self.delimiter && self.form != Form::Jsonl;
                fields.try_for_each(|raw| give(csv::unquoted(raw), is_same.then_some(raw)))
            }
            Some(Layout::Objects(_)) => {
                let object = read_object(text);
                let mut members = vec![None; self.names.len()];
                for (key, value) in jsonl::members(object).expect("it was read as an object") {
                    match self.numbers.get(&key) {
                        // If a key occurs twice, the last one counts.
                        Some(&number) => members[number] = Some(value),
                        None => return Err(RowError::UnknownKey(key)),
                    }
                }
                for (number, name) in self.names.iter().enumerate() {
                    let value = match &self.nested {
                        Some((at, key)) if *at == number => key.find(object).ok().flatten(),
                        _ => members[self.numbers[name]].clone(),
                    };
                    let is_array = |value: &JsonValue<'_>| value.json.starts_with('[');
                    // A puzzle has 81 characters where it is no value of an object.
                    if number == self.puzzle
                        && value.as_ref().is_some_and(is_array)
                        && !row.is_malformed()
                    {
                        give(row.own().as_ref().into(), None)?;
                        continue;
                    }
                    let text = value.map_or("".into(), |value| value.text());
                    give(text.as_bytes().into(), None)?;
                }
                Ok(())
            }
            input => {
                let own = row.own();
                if !input.as_ref().is_some_and(Layout::has_texts) {
                    return give(own.as_ref().into(), Some(own.as_ref()));
                }
                let [before, after] = self.around(row).unwrap_or_default();
                give(before, None)?;
                give(own.as_ref().into(), Some(own.as_ref()))?;
                give(after, None)
            }
        }
    }

    /// The text before the puzzle of a record and after it: the words of its line, or its titles and the words behind it.
    pub(super) fn around<'r>(&self, row: &Row<'r, '_>) -> Option<[Cow<'r, [u8]>; 2]> {
        let [before, after] = text::around(row.text())?.map(Cow::from);
        Some(match self.input {
            Some(Layout::Blocks(_) | Layout::Written(_)) => [
                text::of_comments(row.records.above(row.record)).into(),
                after,
            ],
            _ => [before, after],
        })
    }

    /// The added columns at the end of a row.
    #[inline]
    fn added_fields<'v>(
        &self,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let delimiter = self.delimiter;
        for (number, column) in self.columns.iter().enumerate() {
            if !self.is_added(column) {
                continue;
            }
            if number > 0 || self.input.is_some() {
                out.write_all(&[delimiter])?;
            }
            // Text may have characters that stand in quotes. Numbers and cells have none.
            match column.values {
                Values::Text | Values::Json => csv::write_field(value(number), delimiter, out)?,
                _ => out.write_all(value(number))?,
            }
        }
        Ok(())
    }

    fn object(&self, row: &Row<'_, '_>, out: &mut impl Write) -> Result<(), RowError> {
        let has_fields = self.has_fields(row);
        if has_fields && matches!(self.input, Some(Layout::Objects(_))) {
            self.members(row, out)?;
        } else {
            if has_fields {
                self.each_field(row, |field| {
                    out.write_all(if field.number > 0 { b"," } else { b"{" })?;
                    jsonl::write_string(self.names[field.number].as_bytes(), out)?;
                    out.write_all(b":")?;
                    match self.new_field(&field, row)? {
                        Some((column, _)) => self.write_value(column, &row.value, out)?,
                        None => jsonl::write_string(&field.text, out)?,
                    }
                    Ok(())
                })?;
            } else {
                out.write_all(b"{")?;
                jsonl::write_string(TEXT.as_bytes(), out)?;
                out.write_all(b":")?;
                jsonl::write_string(row.text(), out)?;
            }
            self.added_members(&row.value, out)?;
        }
        out.write_all(b"}")?;
        Ok(out.write_all(self.line_end)?)
    }

    /// The added columns at the end of an object.
    #[inline]
    fn added_members<'v>(
        &self,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        for (number, column) in self.columns.iter().enumerate() {
            if self.is_added(column) {
                let is_first = number == 0 && self.input.is_none();
                self.write_member(number, is_first, value, out)?;
            }
        }
        Ok(())
    }

    /// The added column that replaces a field, and its value, unless the field is kept.
    fn new_field<'v>(
        &self,
        field: &Field<'_>,
        row: &Row<'_, 'v>,
    ) -> Result<Option<(usize, &'v [u8])>, RowError> {
        let Some(column) = field.replaced else {
            return Ok(None);
        };
        let new = self.new_value(column, row, &field.text)?;
        Ok(new.map(|new| (column, new)))
    }

    /// The value for a column of the user that says this now, unless the column is kept.
    #[inline]
    pub(super) fn new_value<'v>(
        &self,
        column: usize,
        row: &Row<'_, 'v>,
        said: &[u8],
    ) -> Result<Option<&'v [u8]>, RowError> {
        let new = (row.value)(column);
        let Added {
            name,
            place,
            values,
        } = &self.columns[column];
        match place {
            Place::Kept(_) => {}
            Place::ColumnIfThere(_) if new.is_empty() => return Ok(None),
            _ => return Ok(Some(new)),
        }
        let said = said.trim_ascii();
        if is_room(said, *values) {
            return Ok((!new.is_empty()).then_some(new));
        }
        // No command has an answer to a malformed record.
        if new.is_empty() && row.is_malformed() || is_same(said, new, *values) {
            return Ok(None);
        }
        Err(RowError::Differs {
            column: name.clone(),
            old: shown(said),
            new: match values {
                Values::Record => "the number of the record".into(),
                _ if new.is_empty() => "empty".into(),
                _ => format!("{:?}", shown(new)),
            },
        })
    }

    /// An object as it was read, without its last brace. Some of its keys get new values,
    /// and missing keys are added.
    fn members(&self, row: &Row<'_, '_>, out: &mut impl Write) -> Result<(), RowError> {
        let text = row.text();
        let mut places = Vec::new();
        let mut kept = Vec::new();
        for number in 0..self.columns.len() {
            let Some(found) = find(&self.keys[number], text) else {
                continue;
            };
            let said = found.text();
            match self.new_value(number, row, said.as_bytes())? {
                Some(_) => places.push((found.place, number)),
                None => kept.push(number),
            }
        }
        places.sort_unstable_by_key(|(place, number)| (place.start, *number));
        let end = text.iter().rposition(|&c| c == b'}');
        let end = end.expect("it was read as an object");
        let mut at = 0;
        for (place, number) in &places {
            out.write_all(&text[at..place.start])?;
            self.write_value(*number, &row.value, out)?;
            at = place.end;
        }
        let rest = text[at..end].trim_ascii_end();
        out.write_all(rest)?;
        let empty = places.is_empty() && rest.trim_ascii() == b"{";
        let mut missing = (0..self.columns.len()).filter(|&number| {
            !self.columns[number].is_only_if_there()
                && !places.iter().any(|(_, replaced)| *replaced == number)
                && !kept.contains(&number)
        });
        if empty && let Some(first) = missing.next() {
            self.write_member(first, true, &row.value, out)?;
        }
        for number in missing {
            self.write_member(number, false, &row.value, out)?;
        }
        Ok(())
    }

    /// The name of a column and its value, after a comma unless they are the first.
    #[inline]
    fn write_member<'v>(
        &self,
        number: usize,
        is_first: bool,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        out.write_all(&self.members[number][usize::from(is_first)..])?;
        self.write_value(number, value, out)
    }

    #[inline]
    pub(super) fn write_value<'v>(
        &self,
        number: usize,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        match (self.columns[number].values, value(number)) {
            (values, []) if values.are_bare_in_json() => out.write_all(b"null"),
            (values, bare) if values.are_bare_in_json() || values == Values::Record => {
                out.write_all(bare)
            }
            (
                Values::Cells
                | Values::Status
                | Values::Names(_)
                | Values::Pairs
                | Values::CandidateCounts,
                text,
            ) => {
                out.write_all(b"\"")?;
                out.write_all(text)?;
                out.write_all(b"\"")
            }
            (_, text) => jsonl::write_string(text, out),
        }
    }
}

/// Returns true if a column has room for a new value here: the old one is empty, or a grid without a digit.
fn is_room(said: &[u8], values: Values) -> bool {
    // Most grids have digits. To take their cells apart took a sixth of the time of a run.
    let is_blank = || !said.iter().any(is_digit) && cells_of(said).is_some();
    matches!(said, b"" | b"null") || values.are_cells() && is_blank()
}

/// The cells of an old value: 81 characters, or an array.
fn cells_of(said: &[u8]) -> Option<[u8; CELLS]> {
    let of_array = || array::cells(said).ok().map(|(cells, _)| cells);
    csv::loose_cells(said).ok().or_else(of_array)
}

/// Returns true if an old value says what the new one does. A program between may have written `7` as `7.0`,
/// `true` as `True`, and JSON with other spaces.
fn is_same(said: &[u8], new: &[u8], values: Values) -> bool {
    match values {
        _ if said == new => true,
        // Blanks may differ.
        values if values.are_cells() => cells_of(said).is_some_and(|cells| {
            let mut pairs = cells.iter().zip(new);
            new.len() == CELLS && pairs.all(|(a, b)| a == b || !is_digit(a) && !is_digit(b))
        }),
        Values::Json => without_spaces(said).eq(without_spaces(new)),
        _ if said.eq_ignore_ascii_case(new) => true,
        _ => without_zeros(said).is_some_and(|said| without_zeros(new) == Some(said)),
    }
}

/// A decimal number without the zeros at its end that say nothing, and nothing if it is none.
fn without_zeros(number: &[u8]) -> Option<&[u8]> {
    let digits = number.strip_prefix(b"-").unwrap_or(number);
    let is_number = digits.first().is_some_and(u8::is_ascii_digit)
        && digits.iter().all(|c| c.is_ascii_digit() || *c == b'.')
        && digits.iter().filter(|&&c| c == b'.').count() <= 1;
    let text = str::from_utf8(number).ok().filter(|_| is_number)?;
    let text = match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.'),
        None => text,
    };
    Some(text.as_bytes())
}

/// The bytes of JSON without the white space between its parts.
fn without_spaces(json: &[u8]) -> impl Iterator<Item = &u8> {
    let (mut in_string, mut escaped) = (false, false);
    json.iter().filter(move |&&byte| {
        let is_between = !in_string && byte.is_ascii_whitespace();
        in_string ^= byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        !is_between
    })
}

fn is_digit(cell: &u8) -> bool {
    matches!(cell, b'1'..=b'9')
}

/// A value for a message.
fn shown(value: &[u8]) -> String {
    const LONGEST: usize = 100;
    let text = String::from_utf8_lossy(value);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

/// The text of a line that was read as an object.
fn read_object(text: &[u8]) -> &str {
    str::from_utf8(text).expect("it was read as an object")
}

/// A key in an object that was read, with the search for its name. If neither its name nor an
/// escape is in the text, the object need not be read again.
fn find<'t>((key, name): &(Key, Finder<'_>), text: &'t [u8]) -> Option<JsonValue<'t>> {
    if memchr(b'\\', text).is_none() && name.find(text).is_none() {
        return None;
    }
    key.find(read_object(text)).ok().flatten()
}

/// A row of a record that was read.
pub(super) struct Row<'r, 'v> {
    records: &'r Records,
    record: usize,
    /// The value of an added column, by its number.
    value: &'r dyn Fn(usize) -> &'v [u8],
}

impl<'r> Row<'r, '_> {
    /// The row of a record without added columns.
    pub(super) fn read(records: &'r Records, record: usize) -> Self {
        Self {
            records,
            record,
            value: &|_| &[],
        }
    }

    pub(super) fn text(&self) -> &'r [u8] {
        self.records.text(self.record)
    }

    pub(super) fn own(&self) -> impl AsRef<[u8]> + use<> {
        self.records.own(self.record)
    }

    pub(super) fn is_malformed(&self) -> bool {
        self.records.error(self.record).is_some()
    }

    fn is_torn(&self) -> bool {
        self.records.is_torn(self.record)
    }
}

/// A field of a record.
struct Field<'r> {
    /// The number of its column, among the names of the writer.
    number: usize,
    /// The added column that replaces it.
    replaced: Option<usize>,
    /// Its content, without quotes and escapes.
    text: Cow<'r, [u8]>,
    /// Its bytes for a table with the delimiter of the output, if they are known.
    raw: Option<&'r [u8]>,
}

/// The candidates that 81 cells say, and the character of their blanks.
fn candidates_of(cells: &[u8; CELLS]) -> (Candidates, u8) {
    let blank = if cells.contains(&b'0') { b'0' } else { BLANK };
    (Puzzle::with_blanks_for_others(cells).into(), blank)
}

fn cells_or_points(cells: &[u8]) -> &[u8] {
    match cells {
        [] => &[BLANK; CELLS],
        cells => cells,
    }
}
