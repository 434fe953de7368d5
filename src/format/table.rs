//! The columns of a table, and its rows as records.
//!
//! A table may have a puzzle in 81 columns, with a cell in each. It is read as a table that has one column in
//! their place: so is its header, and so is the text of each record.

use super::{
    Expected, ParseError, Records,
    block::field_cell,
    candidates::{self, WithBlank},
    csv::{Rows, fields, line_ends, loose_cells, plain_fields, unquoted, write_field},
    is_cell,
    puzzle_column::AnswerColumn,
    records::checked,
    unexpected,
};
use crate::grid::{BLANK, CANDIDATES, CELLS};
use memchr::{memchr2, memrchr2};
use std::{borrow::Cow, ops::Range};

/// The columns of a table, and which of them holds the puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    delimiter: u8,
    columns: Vec<String>,
    header: Option<Vec<u8>>,
    puzzle: usize,
    /// True if the text has 81 columns with a cell each in the place of the column of puzzles.
    is_spread: bool,
    /// The columns that hold answers.
    answers: Vec<AnswerColumn>,
    /// True if most values of the last column are 81 cells.
    ends_with_cells: bool,
}

impl Table {
    /// A table with a header. `header` is its raw text without the end of the line.
    /// `puzzle` is the number, from 0, of the column with the puzzles.
    ///
    /// # Panics
    ///
    /// When the header has no such column.
    pub(super) fn with_header(header: &[u8], delimiter: u8, puzzle: usize) -> Self {
        let columns: Vec<_> = fields(header, delimiter)
            .map(|field| String::from_utf8_lossy(&unquoted(&header[field])).into_owned())
            .collect();
        assert!(puzzle < columns.len(), "no such column");
        Self {
            delimiter,
            columns,
            header: Some(header.to_vec()),
            puzzle,
            is_spread: false,
            answers: Vec::new(),
            ends_with_cells: false,
        }
    }

    /// A table without a header. The names of the columns are their numbers, from 1.
    ///
    /// # Panics
    ///
    /// When `puzzle` is not less than `columns`.
    pub(super) fn without_header(columns: usize, delimiter: u8, puzzle: usize) -> Self {
        assert!(puzzle < columns, "no such column");
        Self {
            delimiter,
            columns: (1..=columns).map(|number| number.to_string()).collect(),
            header: None,
            puzzle,
            is_spread: false,
            answers: Vec::new(),
            ends_with_cells: false,
        }
    }

    /// This table with one column in the place of the 81 from `start` on, which hold a cell each in the
    /// text. The column is called `puzzle`, unless another is, or it is to have the name of the first of
    /// them.
    pub(super) fn spread_from(mut self, start: usize, keeps_name: bool) -> Self {
        let of_cells = start..start + CELLS;
        if let Some(header) = &self.header {
            let is_other =
                |(at, name): (usize, &String)| of_cells.contains(&at) || name != "puzzle";
            let name = if keeps_name || !self.columns.iter().enumerate().all(is_other) {
                self.columns[start].clone()
            } else {
                "puzzle".into()
            };
            let mut field = Vec::new();
            let written = write_field(name.as_bytes(), self.delimiter, &mut field);
            written.expect("into memory");
            self.header = Some(with_one_field(
                header,
                self.delimiter,
                of_cells.clone(),
                &field,
            ));
            self.columns.splice(of_cells, [name]);
        } else {
            let columns = self.columns.len() - CELLS + 1;
            return Self {
                is_spread: true,
                ..Self::without_header(columns, self.delimiter, start)
            };
        }
        self.puzzle = start;
        self.is_spread = true;
        self
    }

    /// The delimiter between two fields.
    pub fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The raw header, without the end of its line.
    pub fn header(&self) -> Option<&[u8]> {
        self.header.as_deref()
    }

    /// The number of the column, from 0, that holds the puzzles.
    pub fn puzzle(&self) -> usize {
        self.puzzle
    }

    /// Takes the puzzles from another column.
    pub(super) fn set_puzzle(&mut self, column: usize) {
        self.puzzle = column;
    }

    /// Says that most values of the last column are 81 cells. Then a text that ends in fewer is cut off.
    pub(super) fn set_ends_with_cells(&mut self, ends_with_cells: bool) {
        self.ends_with_cells = ends_with_cells;
    }

    /// Returns true if 81 columns of the text have a cell each.
    pub(super) fn is_spread(&self) -> bool {
        self.is_spread
    }

    /// The columns that hold answers, the best evidence first.
    pub(super) fn answers(&self) -> &[AnswerColumn] {
        &self.answers
    }

    /// Sets the columns that hold answers. Their numbers are those in the text, where a puzzle may have 81 columns.
    pub(super) fn set_answers(&mut self, mut answers: Vec<AnswerColumn>) {
        if self.is_spread {
            let of_cells = self.puzzle..self.puzzle + CELLS;
            answers.retain(|column| !of_cells.contains(&column.number));
            for column in &mut answers {
                if column.number >= of_cells.end {
                    column.number -= CELLS - 1;
                }
            }
        }
        self.answers = answers;
    }

    /// Reads the rows of a text that holds whole rows, and appends their records. The text
    /// of a record is its row without the end of the line. Leave out the header, because it
    /// is not a row.
    pub(super) fn read(&self, text: &[u8], records: &mut Records) {
        for row in Rows::new(text, self.delimiter) {
            let line = records.lines() + 1;
            records.add_lines(row.lines);
            let row_end = row.text.end;
            let raw = &text[row.text];
            if raw.is_empty() {
                continue;
            }
            if self.ends_with_cells && row_end == text.len() && self.is_cut_off(raw) {
                records.push_error(line, unexpected(raw, raw.len(), Expected::Cell), raw);
                continue;
            }
            if self.is_spread && row.broken.is_none() {
                self.read_spread(raw, line, records);
                continue;
            }
            let cells = match row.broken {
                Some(column) => Err((0, unexpected(raw, column, Expected::QuotedField))),
                None => self.cells(raw, row.quoted),
            };
            match cells {
                Ok(cells) => records.push_checked(line, &cells, raw),
                Err((breaks, error)) => match self.candidates(raw, row.broken.is_some()) {
                    Some(Ok(candidates)) => records.push_candidates(line, &candidates, raw),
                    Some(Err(error)) => records.push_error(line, error, raw),
                    None => records.push_error(line + breaks, error, raw),
                },
            }
        }
    }

    /// Returns true if a row without a line end lacks cells of its last field, which has some.
    fn is_cut_off(&self, raw: &[u8]) -> bool {
        let last = fields(raw, self.delimiter).enumerate().last();
        last.is_some_and(|(number, field)| {
            let cells = raw[field].trim_ascii();
            let is_partial = (1..CELLS).contains(&cells.len()) && cells.iter().all(|&c| is_cell(c));
            number + 1 == self.columns.len() && is_partial
        })
    }

    /// Reads a row with 81 fields of one cell each. Its text has one field in their place.
    fn read_spread(&self, raw: &[u8], line: u64, records: &mut Records) {
        let places = Vec::from_iter(fields(raw, self.delimiter));
        let columns = self.columns.len() + CELLS - 1;
        if places.len() != columns {
            let surplus = places
                .get(columns)
                .map_or(raw.len(), |field| field.start - 1);
            let expected = Expected::Fields {
                expected: columns as u32,
                found: places.len() as u32,
            };
            return records.push_error(line, unexpected(raw, surplus, expected), raw);
        }
        let of_cells = self.puzzle..self.puzzle + CELLS;
        let (mut cells, mut error) = ([BLANK; CELLS], None);
        for (cell, place) in cells.iter_mut().zip(&places[of_cells.clone()]) {
            match field_cell(&raw[place.clone()]) {
                Some(found) => *cell = found,
                None => _ = error.get_or_insert(unexpected(raw, place.start, Expected::Cell)),
            }
        }
        let one_field = |field: &[u8]| with_one_field(raw, self.delimiter, of_cells.clone(), field);
        match error {
            None => {
                let checked = checked(&cells).expect("only cells were taken");
                records.push_checked(line, &checked, &one_field(&cells));
            }
            // Nothing of a malformed record is lost.
            Some(error) => {
                let fields = places[of_cells.clone()].iter();
                let said = fields.map(|place| unquoted(&raw[place.clone()]).into_owned());
                let mut field = Vec::new();
                let written = write_field(
                    &Vec::from_iter(said).join(&b' '),
                    self.delimiter,
                    &mut field,
                );
                written.expect("into memory");
                records.push_error(line, error, &one_field(&field));
            }
        }
    }

    /// The cells of a row, or the error and how many lines below the first line it is.
    fn cells(&self, raw: &[u8], quoted: bool) -> Result<[u8; CELLS], (u64, ParseError)> {
        let puzzle = if quoted {
            self.column_among(raw, fields(raw, self.delimiter))?
        } else {
            self.column_among(raw, plain_fields(raw, self.delimiter))?
        };
        let field = &raw[puzzle.clone()];
        if let Some(cells) = field.as_array()
            && let Ok(cells) = checked(cells)
        {
            return Ok(cells);
        }
        loose_cells(field).map_err(|(at, expected)| {
            let at = puzzle.start + at;
            let line_start = memrchr2(b'\n', b'\r', &raw[..at]).map_or(0, |end| end + 1);
            let line_end = memchr2(b'\n', b'\r', &raw[line_start..]);
            let line = &raw[line_start..line_end.map_or(raw.len(), |end| line_start + end)];
            let breaks = line_ends(&raw[..line_start]);
            (breaks, unexpected(line, at - line_start, expected))
        })
    }

    /// The candidates of a row, if its puzzle is meant to be given by them.
    fn candidates(&self, raw: &[u8], is_broken: bool) -> Option<Result<WithBlank, ParseError>> {
        if raw.len() < CANDIDATES / 2 || is_broken {
            return None;
        }
        let field = self.column_among(raw, fields(raw, self.delimiter)).ok()?;
        let before = raw[field.clone()].iter().take_while(|c| b" \"".contains(c));
        let start = field.start + before.count();
        let ends = |c: u8| c == self.delimiter || matches!(c, b'"' | b' ');
        candidates::read(raw, start, ends, Expected::EndOfField)
    }

    /// The field of the puzzle, if the row has the right number of fields.
    fn column_among(
        &self,
        raw: &[u8],
        fields: impl Iterator<Item = Range<usize>>,
    ) -> Result<Range<usize>, (u64, ParseError)> {
        let mut puzzle = 0..0;
        let (mut count, mut surplus) = (0, raw.len());
        for field in fields {
            if count == self.puzzle {
                puzzle = field.clone();
            }
            if count == self.columns.len() {
                surplus = field.start - 1;
            }
            count += 1;
        }
        if count == self.columns.len() {
            return Ok(puzzle);
        }
        let expected = Expected::Fields {
            expected: self.columns.len() as u32,
            found: count as u32,
        };
        Err((0, unexpected(raw, surplus, expected)))
    }

    /// The field of a row in the column with this number, without its quotes. Returns
    /// `None` if the row has no such field.
    pub(super) fn field<'r>(&self, row: &'r [u8], column: usize) -> Option<Cow<'r, [u8]>> {
        let field = fields(row, self.delimiter).nth(column)?;
        Some(unquoted(&row[field]))
    }
}

/// A row with another field in the place of some of its fields.
fn with_one_field(row: &[u8], delimiter: u8, replaced: Range<usize>, field: &[u8]) -> Vec<u8> {
    let places = Vec::from_iter(fields(row, delimiter));
    let (start, end) = (places[replaced.start].start, places[replaced.end - 1].end);
    [&row[..start], field, &row[end..]].concat()
}
