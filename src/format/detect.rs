//! Detection of the layout of a text, from its first bytes.

use super::{
    Records, array,
    block::{self, Reader, RowStyle, Separation},
    closest::closest,
    csv,
    doubt::{self, Doubt},
    is_cell,
    jsonl::{self, Key},
    layout::{Blocks, Form, Layout, Objects, bytes},
    line,
    puzzle_column::{
        PUZZLE_NAMES, Seen, are_of_answers, column_of_puzzles, columns_of_answers, count_solutions,
        is_puzzle, looks_like_cells, named_once, words_of_name,
    },
    records::has_digits_of_puzzle,
    split_line,
    table::Table,
    text, without_mark,
    written::{Reading, WrittenError},
};
use crate::{
    grid::{CELLS, Puzzle},
    stop,
};
use std::collections::HashMap;

/// The facts about an input that are known before its records are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    /// The layout of its records.
    pub layout: Layout,
    /// The bytes before the first record: a header.
    pub skipped: usize,
    /// The number of lines in these bytes.
    pub skipped_lines: u64,
    /// The end of its first line.
    pub line_end: &'static str,
    /// The number of puzzles that the first line announces.
    pub announced: Option<u64>,
}

impl Layout {
    /// The number of bytes at the start of a text that decide its layout. If they hold no whole record,
    /// the first one decides.
    pub const HEAD: usize = 64 << 10;

    /// Detects the layout of a text from its first bytes. A given format is taken, otherwise
    /// the format that fits. A given column (its name, or its number from 1) is taken,
    /// otherwise the column that holds puzzles.
    ///
    /// That column is chosen by its name and by what the records in the first [`HEAD`](Self::HEAD)
    /// bytes hold. Give at least these bytes, or all: then more of them do not change the choice. The
    /// first kind of column that exists is taken:
    ///
    /// 1. one with a name for puzzles, in which most grids have blanks;
    /// 2. one with a name that says nothing, in which most grids have blanks;
    /// 3. one with a name for puzzles, with full grids;
    /// 4. one with a name for puzzles that is empty or damaged;
    /// 5. one with a name that says nothing, with full grids;
    /// 6. one with a name for puzzles and other text, or one with damaged puzzles alone;
    /// 7. one with a name for solutions or answers: first one with blanks.
    ///
    /// # Errors
    ///
    /// Nothing fits, or the table has no such column.
    pub fn detect(
        head: &[u8],
        form: Option<Form>,
        column: Option<&str>,
    ) -> Result<Detected, DetectError> {
        Self::detect_behind_mark(head, |text| Self::detect_text(text, form, column))
    }

    /// Detects a layout in a text that may begin with a mark of byte order, which is none of the text.
    fn detect_behind_mark(
        head: &[u8],
        detect: impl FnOnce(&[u8]) -> Result<Detected, DetectError>,
    ) -> Result<Detected, DetectError> {
        let text = without_mark(head);
        let found = detect(text)?;
        Ok(Detected {
            skipped: head.len() - text.len() + found.skipped,
            ..found
        })
    }

    /// Detects the layout of a text without a mark of byte order.
    fn detect_text(
        head: &[u8],
        form: Option<Form>,
        column: Option<&str>,
    ) -> Result<Detected, DetectError> {
        let quick = Self::detect_quick(head, form, column);
        if form.is_none()
            && matches!(quick, Err(DetectError::NotLines { .. }))
            && let Some(found) = spread_objects(head, column)
        {
            return Ok(found);
        }
        if form.is_some() || column.is_some() {
            return quick;
        }
        if quick
            .as_ref()
            .is_ok_and(|found| found.counts_from_zero(head))
        {
            return Err(DetectError::CountsFromZero);
        }
        let doubt = match &quick {
            Ok(found) => match Doubt::of(found, head) {
                None => return quick,
                doubt => doubt,
            },
            // A table or JSON lines with names that do not help are no other writing.
            Err(DetectError::Alike(_) | DetectError::Twice { .. }) => return quick,
            Err(DetectError::NoColumn { .. }) if head.trim_ascii_start().starts_with(b"{") => {
                return quick;
            }
            Err(_) => None,
        };
        let mut judge = doubt::judge();
        match Reading::choose(doubt::sample(head), &mut judge) {
            Ok(chosen)
                if doubt
                    .as_ref()
                    .is_none_or(|doubt| doubt.yields_to(&chosen, &mut judge)) =>
            {
                Ok(Detected {
                    layout: Self::Written(Box::new(chosen.reading)),
                    skipped: 0,
                    skipped_lines: 0,
                    line_end: line_end(head),
                    announced: None,
                })
            }
            Err(WrittenError::Ambiguous(two)) if doubt.as_ref().is_none_or(Doubt::has_nothing) => {
                Err(DetectError::Ambiguous(
                    two.map(|reading| reading.to_string()),
                ))
            }
            _ => quick,
        }
    }

    /// [Detects](Self::detect) the layout of a text whose digits are known.
    // For the command.
    #[doc(hidden)]
    pub fn detect_with_digits(head: &[u8]) -> Result<Detected, DetectError> {
        Self::detect_behind_mark(head, |text| Self::detect_quick(text, None, None))
    }

    /// Detects a layout of the quick readers.
    fn detect_quick(
        head: &[u8],
        form: Option<Form>,
        column: Option<&str>,
    ) -> Result<Detected, DetectError> {
        if matches!(form, None | Some(Form::Jsonl)) {
            check_lines_of_json(head)?;
        }
        let first = head.iter().position(|c| !c.is_ascii_whitespace());
        let first = first.unwrap_or(head.len());
        let start = head[..first]
            .iter()
            .rposition(|&c| matches!(c, b'\n' | b'\r'));
        let start = start.map_or(0, |end| end + 1);
        let is_given = form.is_some();
        let form = match form {
            Some(form) => form,
            None => Self::detect_form(head, column)?,
        };
        let (layout, skipped, announced) = match form {
            Form::Csv | Form::Tsv => {
                let start = after_comments(head, start, form);
                match detect_table(head, start, form, column) {
                    // A table of nine columns has blocks.
                    Err(DetectError::NoColumn { .. }) if column.is_none() && is_of_blocks(head) => {
                        detect_blocks(head, Form::Block, is_given)
                    }
                    found => {
                        let (table, skipped) = found?;
                        (Self::Table(table), skipped, None)
                    }
                }
            }
            Form::Block | Form::Grid | Form::Pretty | Form::Sdk | Form::Pencilmarks | Form::Box => {
                detect_blocks(head, form, is_given)
            }
            Form::Link | Form::SudokuExchange | Form::Hodoku | Form::S9b => {
                let reading = Reading::of_notation(form, doubt::sample(head));
                (Self::Written(Box::new(reading)), 0, None)
            }
            Form::Line | Form::Candidates => (Self::Line, 0, None),
            Form::Jsonl => {
                let objects = first_objects(&head[first..], first, column)?;
                (Self::Objects(objects), 0, None)
            }
            Form::Text => {
                let word = lines(head).find_map(text::word_of_puzzle);
                (
                    Self::Words(word.unwrap_or(0)),
                    text::markdown_header(head),
                    None,
                )
            }
        };
        Ok(Detected {
            layout,
            skipped,
            skipped_lines: csv::line_ends(&head[..skipped]),
            line_end: line_end(head),
            announced,
        })
    }

    fn detect_form(head: &[u8], column: Option<&str>) -> Result<Form, DetectError> {
        let Some(first) = lines(head).find(|line| !line.starts_with(b"#")) else {
            return Ok(Form::Line);
        };
        if first.starts_with(b"{") {
            return Ok(Form::Jsonl);
        }
        let is_line = line::begins_with_puzzle;
        if is_line(first) && column.is_none() {
            return Ok(match text::begins_with_solution(first) {
                true => Form::Text,
                false => Form::Line,
            });
        }
        let second = lines(head).filter(|line| !line.starts_with(b"#")).nth(1);
        if let Some(second) = second
            && column.is_none()
            && is_line(second)
            && is_spoiled_record(first, second, delimiter_of(second))
        {
            return Ok(Form::Line);
        }
        if let Some(form) = table_form(head, first, column) {
            return Ok(form);
        }
        if is_section(first) {
            return Ok(Form::Sdk);
        }
        if is_of_marks(head) {
            return Ok(Form::Pencilmarks);
        }
        if is_of_blocks(head) {
            return Ok(Form::Block);
        }
        if lines(head).any(is_line) {
            return Ok(Form::Line);
        }
        if lines(head).any(|line| text::word_of_puzzle(line).is_some()) {
            return Ok(Form::Text);
        }
        if column.is_none() && lines(head).any(line::has_puzzle) {
            return Ok(Form::Line);
        }
        if lines(head).any(is_section) {
            return Ok(Form::Sdk);
        }
        if block::style_of_spaces(head).is_some() || block::is_among_prose(head) {
            return Ok(Form::Block);
        }
        let before = &head[..first.as_ptr().addr() - head.as_ptr().addr()];
        let line = 1 + csv::line_ends(before);
        Err(match first.len() {
            cells @ 41..=162 if first.iter().all(|&c| is_cell(c)) => DetectError::Cells {
                line,
                text: String::from_utf8_lossy(first).into_owned(),
                cells,
            },
            _ => DetectError::Unknown {
                line,
                text: shown(first),
                closest: closest(head),
            },
        })
    }
}

/// The end of the first line of a text: `\n`, `\r\n` or `\r`.
pub(super) fn line_end(text: &[u8]) -> &'static str {
    let end = memchr::memchr2(b'\n', b'\r', text);
    match end.map(|end| &text[end..]) {
        Some([b'\r', b'\n', ..]) => "\r\n",
        // A line feed may follow.
        Some([b'\r', _, ..]) => "\r",
        _ => "\n",
    }
}

/// An error of a text whose format cannot be detected, or differs from the requested one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DetectError {
    /// No format fits.
    #[error(
        "cannot tell the format of this line: {text:?}{}",
        .closest.as_ref().map_or(String::new(), |closest| format!("; {closest}"))
    )]
    Unknown {
        /// The first line that is not blank, from 1.
        line: u64,
        /// Its text, shortened for display.
        text: String,
        /// The lines that come closest to a puzzle, and what they lack, in words.
        closest: Option<String>,
    },
    /// The first line is a puzzle with too few or too many cells.
    #[error("as a puzzle this line has {cells} of {CELLS} cells: {text:?}")]
    Cells {
        /// The line, from 1.
        line: u64,
        /// Its text.
        text: String,
        /// The number of cells.
        cells: usize,
    },
    /// The table lacks the requested column, or has no column of puzzles; or the JSON lines
    /// have no key of puzzles.
    #[error("there is no column {wanted}; {}", existing(.columns))]
    NoColumn {
        /// The column that was searched for.
        wanted: String,
        /// The columns that exist.
        columns: Vec<String>,
    },
    /// The text is JSON, and no JSON lines: one array, or an object of several lines.
    #[error(
        "column {column}: {what} where a JSON object on each line should be: {tool} FILE writes lines"
    )]
    NotLines {
        /// The line, from 1.
        line: u64,
        /// The column, counted in bytes from 1.
        column: usize,
        /// The thing that begins there.
        what: &'static str,
        /// The command that writes lines.
        tool: &'static str,
    },
    /// The text can be read in two ways, and its puzzles do not tell which is right.
    #[error("it can be read as {} or as {}", .0[0], .0[1])]
    Ambiguous([String; 2]),
    /// The puzzles have the digits 0 to 8: read so, they have one solution, and otherwise they do not.
    #[error("its puzzles seem to have the digits 0 to 8, and another sign for blanks")]
    CountsFromZero,
    /// Two columns fit a name, because they differ in case alone.
    #[error("the columns {} and {} differ in case alone", .0[0], .0[1])]
    Alike([String; 2]),
    /// Two columns of a table have one name.
    #[error("the columns {} and {} have one name, {name}: rename one of them", .numbers[0], .numbers[1])]
    Twice {
        /// The name.
        name: String,
        /// Their numbers, from 1.
        numbers: [usize; 2],
    },
}

/// The columns that exist, for the message of an error.
fn existing(columns: &[String]) -> String {
    match columns {
        [] => "the records have no columns".into(),
        columns => format!("the columns are: {}", columns.join(", ")),
    }
}

impl Detected {
    /// Cuts the whole input into pieces, from its first byte on: the first piece has the skipped
    /// bytes and then records, and all others have records alone. For a part of the input that
    /// begins later, use [`Layout::record_end`].
    ///
    /// The function takes the bytes that are not cut off yet. It returns the place after the first
    /// record that ends at or after `least`, as [`Layout::record_end`] does. If it returns `None`,
    /// call it again with more of the same bytes.
    ///
    /// ```
    /// use sudoku_batch::format::Layout;
    /// let block = "123456789\n".repeat(9);
    /// let text = format!("2\n{block}{block}");
    /// let found = Layout::detect(text.as_bytes(), None, None)?;
    /// assert_eq!((found.skipped, found.announced), (2, Some(2)));
    /// let mut piece_end = found.piece_ends();
    /// assert_eq!(piece_end(text.as_bytes(), 1), Some(2 + 90));
    /// assert_eq!(piece_end(&text.as_bytes()[92..], 1), Some(90));
    /// # Ok::<(), sudoku_batch::format::DetectError>(())
    /// ```
    pub fn piece_ends(&self) -> impl FnMut(&[u8], usize) -> Option<usize> + Send + use<'_> {
        let mut skipped = self.skipped;
        move |text, least| {
            let least = least.saturating_sub(skipped).max(1);
            let end = self.layout.record_end(text.get(skipped..)?, least)?;
            Some(std::mem::take(&mut skipped) + end)
        }
    }

    /// Returns true if the records in a head have the digits 0 to 8 and another sign for blanks: read so, more of a sample
    /// have one solution than otherwise.
    // For the command, which asks this of files whose format or column is given.
    #[doc(hidden)]
    pub fn counts_from_zero(&self, head: &[u8]) -> bool {
        doubt::counts_from_zero(self, head)
    }

    /// Returns true if more of the input cannot change what was detected in its head: the head has the
    /// skipped bytes and a whole record after them.
    #[doc(hidden)]
    pub fn is_certain(&self, head: &[u8]) -> bool {
        let (before, records) = head.split_at(self.skipped.min(head.len()));
        let is_whole = before.is_empty() || before.ends_with(b"\n") || before.ends_with(b"\r");
        let start = records.iter().position(|c| !c.is_ascii_whitespace());
        // A field in quotes may go on beyond the head.
        let has_row = match &self.layout {
            Layout::Table(table) => csv::record_end(head, 1, table.delimiter()).is_some(),
            // The first bytes alone decide.
            Layout::Written(_) if head.len() >= Layout::HEAD => return true,
            _ => true,
        };
        is_whole
            && has_row
            && start.is_some_and(|start| self.layout.record_end(&records[start..], 1).is_some())
    }
}

/// The columns of a table whose first row begins at `start`, and the number of bytes before its records.
fn detect_table(
    head: &[u8],
    start: usize,
    form: Form,
    column: Option<&str>,
) -> Result<(Table, usize), DetectError> {
    let delimiter = match form {
        Form::Tsv => b'\t',
        _ => delimiter_of(split_line(&head[start..]).0),
    };
    let text = &head[start..];
    // Comments may stand before the first row.
    let before = lines(&head[..start]).next().map_or(0, |_| start);
    let rows: Vec<_> = rows_of_head(text, delimiter, start).collect();
    let Some((header, rest)) = rows.split_first() else {
        return Ok((Table::without_header(1, delimiter, 0), before));
    };
    let first = &text[header.text.clone()];
    let mut texts = rest.iter().map(|row| &text[row.text.clone()]);
    let has_cells = |row: &[u8]| !cell_fields(row, delimiter).is_empty();
    let record = if has_cells(first) {
        Some(first)
    } else {
        texts
            .find(|row| has_cells(row))
            .filter(|row| is_spoiled_record(first, row, delimiter))
    };
    let (mut table, records, skipped) = match record {
        // A first row with a puzzle, or with what is left of one, is no header.
        Some(record) => {
            let table = Table::without_header(count(record, delimiter), delimiter, 0);
            (table, &rows[..], before)
        }
        None => {
            let table = Table::with_header(first, delimiter, 0);
            (table, rest, start + header.next)
        }
    };
    let columns = table.columns().len();
    let mut seen = vec![Seen::default(); columns];
    // The fields of other rows may be in other columns.
    let texts = records.iter().map(|row| &text[row.text.clone()]);
    let whole = texts.filter(|row| count(row, delimiter) == columns);
    for row in whole.clone() {
        let fields = csv::fields(row, delimiter);
        let seen = fields.zip(&mut seen);
        seen.for_each(|(field, seen)| seen.add(&csv::unquoted(&row[field])));
    }
    let puzzle = match column {
        // The cells of a row are no names.
        Some(name) if columns >= CELLS => table.position(name).unwrap_or(None),
        Some(name) => table.position(name)?,
        None => column_of_puzzles(table.columns(), &seen)?,
    };
    if let Some(puzzle) = puzzle {
        for row in whole {
            let fields = csv::fields(row, delimiter).map(|field| csv::unquoted(&row[field]));
            let asked = table.field(row, puzzle).unwrap_or_default();
            count_solutions(&asked, fields.zip(&mut seen));
        }
    }
    let answers = columns_of_answers(table.columns(), &seen, puzzle);
    let ends_with_cells = seen.last().is_some_and(|last| {
        let cells = last.full + last.blanks;
        cells > 0 && cells >= last.damaged + last.other
    });
    let is_spread = |puzzle: usize| {
        let fields = records
            .iter()
            .filter_map(|row| table.field(&text[row.text.clone()], puzzle));
        !fields.into_iter().any(|field| is_puzzle(&field))
    };
    if table.columns().len() >= CELLS
        && puzzle.is_none_or(is_spread)
        && let Some((mut spread, skipped)) =
            detect_spread(text, (&rows, delimiter), (before, start), column)?
    {
        spread.set_answers(answers);
        spread.set_ends_with_cells(ends_with_cells);
        return Ok((spread, skipped));
    }
    let Some(puzzle) = puzzle else {
        return Err(DetectError::NoColumn {
            wanted: column.unwrap_or("with a puzzle").into(),
            columns: table.columns().to_vec(),
        });
    };
    table.set_puzzle(puzzle);
    table.set_answers(answers);
    table.set_ends_with_cells(ends_with_cells);
    Ok((table, skipped))
}

/// The layout of a text of blocks. The bytes of a first line that is no row are skipped: it has the number of
/// puzzles, which is announced, or the names of nine columns. Where the format is given, no line is left out as
/// prose.
fn detect_blocks(head: &[u8], form: Form, is_given: bool) -> (Layout, usize, Option<u64>) {
    let sections = head.split(|&c| matches!(c, b'\n' | b'\r')).any(is_section);
    let has_rows_first = is_of_blocks(head);
    let is_plain = !matches!(form, Form::Pencilmarks | Form::Box) && !sections && !has_rows_first;
    let style = match form {
        Form::Pencilmarks => RowStyle::Marks,
        Form::Box => RowStyle::Boxes,
        _ if is_plain => block::style_of_spaces(head).unwrap_or_default(),
        _ => RowStyle::Cells,
    };
    let among_prose = is_plain && !is_given && style == RowStyle::Cells;
    // Leave out a last line that is cut off. It might look like a malformed row.
    let whole = memchr::memrchr2(b'\n', b'\r', head).map_or(head.len(), |end| end + 1);
    let mut reader = Reader::new(&head[..whole], style);
    reader.read(&mut Records::default());
    let first = lines(head).find(|line| !line.starts_with(b"#"));
    let layout = Layout::Blocks(Blocks {
        separation: if among_prose {
            Separation::Blank
        } else {
            reader.separation.unwrap_or(Separation::Nothing)
        },
        sections,
        begins_elsewhere: sections
            && !is_given
            && !has_rows_first
            && !first.is_some_and(is_section),
        style,
        among_prose,
        has_texts: false,
    });
    let first = reader.head.filter(|_| !among_prose);
    let skipped = first.map_or(0, |line| line.bytes);
    (layout, skipped, first.and_then(|line| line.puzzles))
}

/// The most rows with another value, of all, that a column of cells may have: it is a column of cells if
/// more have a cell.
fn is_mostly(cells: usize, rows: usize) -> bool {
    2 * cells > rows
}

/// The first of 81 columns that hold a cell each. They are the named one and those after it, or 81 columns
/// side by side, or those of more whose names are equal but for their numbers. More than half of the rows
/// decide about each column.
fn first_of_cells(
    names: &[String],
    rows: &[&[u8]],
    delimiter: u8,
    wanted: Option<usize>,
) -> Option<usize> {
    if names.len() < CELLS {
        return None;
    }
    let (mut cells, mut count_of_rows) = (vec![0; names.len()], 0);
    for row in rows
        .iter()
        .filter(|row| count(row, delimiter) == names.len())
    {
        count_of_rows += 1;
        for (cells, field) in cells.iter_mut().zip(csv::fields(row, delimiter)) {
            *cells += usize::from(block::field_cell(&row[field]).is_some());
        }
    }
    let is_cell = |column: usize| is_mostly(cells[column], count_of_rows);
    let are_cells = |start: usize| (start..start + CELLS).all(is_cell);
    let mut starts = 0..=names.len() - CELLS;
    if let Some(wanted) = wanted {
        return starts
            .contains(&wanted)
            .then_some(wanted)
            .filter(|&start| are_cells(start));
    }
    let length = |start: usize| {
        (start..names.len())
            .take_while(|&column| is_cell(column))
            .count()
    };
    let begins = |&start: &usize| start == 0 || !is_cell(start - 1);
    let run = starts.clone().filter(begins).find(|&start| {
        let length = length(start);
        length > 0 && length % CELLS == 0
    });
    let word = |name: &String| name.replace(|c: char| c.is_ascii_digit(), "");
    let are_numbered = |start: &usize| {
        let names = &names[*start..start + CELLS];
        let is_numbered =
            |name: &String| word(name).len() < name.len() && word(name) == word(&names[0]);
        // The names cost more: a table may have a hundred thousand.
        are_cells(*start) && names.iter().all(is_numbered)
    };
    run.or_else(|| starts.find(are_numbered))
}

/// The table with 81 columns of a cell each in place of one, if a text has such, and the number of bytes before
/// its records.
fn detect_spread(
    text: &[u8],
    (rows, delimiter): (&[csv::Row], u8),
    (before, start): (usize, usize),
    column: Option<&str>,
) -> Result<Option<(Table, usize)>, DetectError> {
    let texts = Vec::from_iter(rows.iter().map(|row| &text[row.text.clone()]));
    let Some((&first, rest)) = texts.split_first() else {
        return Ok(None);
    };
    let columns = count(first, delimiter);
    let without_header = Table::without_header(columns, delimiter, 0);
    let with_header = Table::with_header(first, delimiter, 0);
    for (table, records, skipped) in [
        (without_header, &texts[..], before),
        (with_header, rest, start + rows[0].next),
    ] {
        let wanted = match column {
            Some(name) => match table.position(name)? {
                None => continue,
                wanted => wanted,
            },
            None => None,
        };
        let found = first_of_cells(table.columns(), records, delimiter, wanted);
        // A header has names where records have cells.
        let is_record = |start: usize| {
            let fields = csv::fields(first, delimiter).skip(start).take(CELLS);
            let cells = fields.filter(|field| block::field_cell(&first[field.clone()]).is_some());
            is_mostly(cells.count(), CELLS)
        };
        if let Some(start) = found.filter(|&start| is_record(start) == table.header().is_none()) {
            return Ok(Some((table.spread_from(start, column.is_some()), skipped)));
        }
    }
    Ok(None)
}

impl Table {
    /// The number of a column, from 0, by its name or by its number from 1.
    pub(super) fn position(&self, name: &str) -> Result<Option<usize>, DetectError> {
        let number = name.parse().ok();
        let number = number.filter(|n| (1..=self.columns().len()).contains(n));
        Ok(named_once(self.columns(), name)?.or(number.map(|number| number - 1)))
    }
}

/// The puzzle of a text, if the text has one record in some format.
pub(super) fn written_puzzle(text: &str) -> Option<Puzzle> {
    /// Longer texts are no single puzzle.
    const LONGEST: usize = 64 << 10;
    if text.len() > LONGEST || !has_digits_of_puzzle(text.as_bytes()) {
        return None;
    }
    // A word of 80 or 82 cells, or of letters behind 81, is damaged. Its cells are no other puzzle.
    let word = text.trim();
    let is_word = word
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || is_cell(byte));
    if is_word && !word.starts_with("S9B") {
        return None;
    }
    let found = Layout::detect(text.as_bytes(), None, None).ok()?;
    let mut records = Records::default();
    found
        .layout
        .read(&text.as_bytes()[found.skipped..], &mut records);
    match records.len() {
        1 => records.puzzle_of_cells(0).ok(),
        _ => None,
    }
}

/// The rows of a table that decide about it, without blank lines: those that end among the first
/// [`Layout::HEAD`] bytes, and the first two. The text begins with the first row, after this many bytes.
pub(super) fn rows_of_head(
    text: &[u8],
    delimiter: u8,
    before: usize,
) -> impl Iterator<Item = csv::Row> {
    let rows = csv::Rows::new(text, delimiter);
    let rows = rows.filter(|row| !text[row.text.clone()].trim_ascii().is_empty());
    let is_in_head = move |row: &csv::Row| before + row.text.end < Layout::HEAD;
    let rows = rows.enumerate();
    let rows = rows.take_while(move |(number, row)| *number < 2 || is_in_head(row));
    rows.map(|(_, row)| row)
}

/// The first characters of a line, for a message.
pub(super) fn shown(line: &[u8]) -> String {
    const SHOWN: usize = 100;
    /// The most bytes of a character: one that is cut off is behind those that are shown.
    const LONGEST: usize = 4;
    let bytes = &line[..line.len().min(LONGEST * (SHOWN + 1))];
    String::from_utf8_lossy(bytes).chars().take(SHOWN).collect()
}

/// The lines that are not blank, without white space around them. There may be many before one is found.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|&c| matches!(c, b'\n' | b'\r'));
    lines
        .inspect(|_| stop::check())
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty())
}

/// The place where the line begins in which a place of a text is.
fn line_start(text: &[u8], place: usize) -> usize {
    memchr::memrchr2(b'\n', b'\r', &text[..place]).map_or(0, |end| end + 1)
}

/// Returns true if a line is the name of the section that holds a puzzle, in brackets, as the reader of
/// blocks sees it.
pub(super) fn is_section(line: &[u8]) -> bool {
    line.trim_ascii_end().eq_ignore_ascii_case(b"[puzzle]")
}

/// The place of the first row of a table, after the comments that begin at `start`. A first line
/// with a `#` is a header, and no comment, if the line after it has as many fields and one of
/// them is a puzzle: `#,puzzle`.
fn after_comments(head: &[u8], start: usize, form: Form) -> usize {
    let mut at = start;
    while head[at..].starts_with(b"#") {
        let (line, rest) = split_line(&head[at..]);
        let next = lines(rest).next().unwrap_or_default();
        let delimiter = match form {
            Form::Tsv => b'\t',
            _ => delimiter_of(next),
        };
        let is_header = count(line, delimiter) == count(next, delimiter)
            && !cell_fields(next, delimiter).is_empty();
        if is_header || rest.is_empty() {
            break;
        }
        let blank = rest.iter().take_while(|c| matches!(c, b'\n' | b'\r'));
        at = head.len() - rest.len() + blank.count();
    }
    at
}

/// The format of a table, if the first row, which begins with this line, is a header with a name for
/// puzzles or with the wanted one, or there are delimiters, and cells in a field of the first row or of the one
/// after it. The name of solutions alone, and cells after it, are a table of one column.
fn table_form(head: &[u8], first: &[u8], wanted: Option<&str>) -> Option<Form> {
    // A header in quotes may have several lines.
    let text = &head[first.as_ptr().addr() - head.as_ptr().addr()..];
    let forms = [(Form::Csv, delimiter_of(first)), (Form::Tsv, b'\t')];
    let fits = |&(form, delimiter): &(Form, u8)| {
        let before = head.len() - text.len();
        let mut rows = rows_of_head(text, delimiter, before).map(|row| text[row.text].trim_ascii());
        let first = rows.next().unwrap_or_default();
        let named = csv::fields(first, delimiter).any(|field| {
            let name = csv::unquoted(&first[field]);
            let mut known = PUZZLE_NAMES.iter().copied().chain(wanted);
            known.any(|known| known.as_bytes().eq_ignore_ascii_case(name.trim_ascii()))
        });
        let fields = count(first, delimiter);
        let has_cells = |row: &[u8]| !cell_fields(row, delimiter).is_empty();
        let mut rows = rows.enumerate().peekable();
        let is_of_answers = fields == 1
            && is_name_of_answers(&csv::unquoted(first))
            && rows.peek().is_some_and(|(_, row)| has_cells(row));
        let is_record = |(number, row): (usize, &[u8])| {
            has_cells(row) && (number == 0 || count(row, delimiter) == fields)
        };
        named
            || is_of_answers
            || fields > 1 && (has_cells(first) || rows.any(is_record))
            || fields >= CELLS && detect_table(head, line_start(head, before), form, None).is_ok()
    };
    forms.iter().find(|form| fits(form)).map(|(form, _)| *form)
}

/// Returns true if a header of one column is a name for solutions, such as `final_answer`.
fn is_name_of_answers(header: &[u8]) -> bool {
    /// The first line of a text that is no table may be of any length.
    const LONGEST_NAME: usize = 64;
    if header.len() > LONGEST_NAME {
        return false;
    }
    let name = str::from_utf8(header).unwrap_or_default().trim();
    !name.contains(char::is_whitespace) && are_of_answers(&words_of_name(name))
}

/// Returns true if the first row of a table is a malformed record, and no header. Then the table has
/// no header. The second row has a puzzle, and in its column the first row has what looks like
/// a part of one, or nothing but a number. If the rows have different numbers of fields,
/// any field counts.
fn is_spoiled_record(first: &[u8], second: &[u8], delimiter: u8) -> bool {
    let Some(&puzzle) = cell_fields(second, delimiter).first() else {
        return false;
    };
    let fields: Vec<_> = csv::fields(first, delimiter)
        .map(|field| first[field].trim_ascii())
        .collect();
    let is_number = |field: &&[u8]| !field.is_empty() && field.iter().all(u8::is_ascii_digit);
    match fields.get(puzzle) {
        Some([]) => fields.iter().any(is_number),
        Some(field) if fields.len() == count(second, delimiter) => looks_like_cells(field),
        _ => fields.iter().any(|field| looks_like_cells(field)),
    }
}

/// The delimiter of a table of the format CSV. It is a comma, or a semicolon if there are no
/// commas. Spreadsheets write semicolons in countries with a decimal comma.
fn delimiter_of(first: &[u8]) -> u8 {
    if first.contains(&b';') && !first.contains(&b',') {
        b';'
    } else {
        b','
    }
}

/// Returns true if a text begins with a block or something close to one. Its first line is a row,
/// or its first lines are a number or a frame and then a row.
fn is_of_blocks(head: &[u8]) -> bool {
    let mut text = lines(head).filter(|line| !line.starts_with(b"#"));
    // The number of puzzles may stand first, or a header, and frames may stand before it and after it.
    let mut has_head = false;
    let first = text.find(|line| {
        let is_head = !has_head && (block::is_count(line) || block::is_header(line));
        has_head |= is_head;
        !is_head && !block::is_frame(line)
    });
    first.is_some_and(block::is_row)
}

/// Returns true if a text begins with blocks of pencil marks: rows of nine cells, in one of the blocks a cell with
/// several. (Blocks before that one are solved.) A number may stand first, and frames may stand between.
fn is_of_marks(head: &[u8]) -> bool {
    let lines =
        lines(head).filter(|line| !line.starts_with(b"#") && !block::is_frame_of_marks(line));
    let has_several = |row: &[u8]| {
        let mut cells = row.split(|c| b" \t|".contains(c));
        cells.any(|cell| cell.len() > 1)
    };
    let mut any_has = false;
    for (number, row) in lines.skip_while(|line| block::is_count(line)).enumerate() {
        if any_has && number % 9 == 0 {
            return true;
        }
        if block::read_marks(row).is_err() {
            return false;
        }
        any_has |= has_several(row);
    }
    any_has
}

fn count(row: &[u8], delimiter: u8) -> usize {
    csv::fields(row, delimiter).count()
}

/// The numbers of the fields of a row that are puzzles.
fn cell_fields(row: &[u8], delimiter: u8) -> Vec<usize> {
    let fields = csv::fields(row, delimiter).enumerate();
    let cells = fields.filter(|(_, field)| is_puzzle(&row[field.clone()]));
    cells.map(|(number, _)| number).collect()
}

/// Refuses a text that is JSON, but no JSON lines. In a line of it there may be several puzzles, and in
/// several lines one.
fn check_lines_of_json(head: &[u8]) -> Result<(), DetectError> {
    let after = || lines(head).skip_while(|line| line.starts_with(b"#"));
    let Some(first) = after().next() else {
        return Ok(());
    };
    let has_more = || after().nth(1).is_some();
    let is_object =
        |line: &[u8]| str::from_utf8(line).is_ok_and(|line| jsonl::members(line).is_ok());
    let start = first.as_ptr().addr() - head.as_ptr().addr();
    let (what, tool) = match first.strip_prefix(b"[").map(<[u8]>::trim_ascii_start) {
        // An array of 81 cells on each line.
        Some(_) if array::cells(first).is_ok() => return Ok(()),
        // An array on each line is a text, whose words are the values.
        Some([b'"', ..]) if first.ends_with(b"]") && has_more() => return Ok(()),
        Some([b'"', ..]) => ("an array of JSON", "jq -r '.[]'"),
        Some([] | [b'{' | b'[' | b']', ..]) => ("an array of JSON", "jq -c '.[]'"),
        Some(_) => return Ok(()),
        None if !first.starts_with(b"{") || is_object(first) => return Ok(()),
        None => {
            if !has_more() || after().any(is_object) || !jsonl::begins_with_value(&head[start..]) {
                return Ok(());
            }
            ("an object of several lines", "jq -c .")
        }
    };
    Err(DetectError::NotLines {
        line: 1 + csv::line_ends(&head[..start]),
        column: start - line_start(head, start) + 1,
        what,
        tool,
    })
}

/// The keys of the first object of a text, which begins after this many bytes, and the key of the
/// puzzle: the given one, or one that the first objects have.
fn first_objects(text: &[u8], before: usize, wish: Option<&str>) -> Result<Objects, DetectError> {
    let objects = |text| lines(text).filter_map(|line| str::from_utf8(line).ok());
    let in_head = text.len().min(Layout::HEAD.saturating_sub(before));
    let mut sample: Vec<_> = members_of(objects(&text[..in_head])).collect();
    if sample.is_empty() {
        sample.extend(members_of(objects(text)).next());
    }
    objects_of(&sample, wish)
}

/// The layout of objects that stand in one array or over several lines, if the text is of such objects, and one of their
/// keys has puzzles. An object that the head cuts off tells nothing.
fn spread_objects(head: &[u8], wish: Option<&str>) -> Option<Detected> {
    let mut rest = doubt::sample(head);
    let begins = rest
        .iter()
        .position(|byte| !byte.is_ascii_whitespace() && *byte != b'[')?;
    if rest[begins] != b'{' {
        return None;
    }
    let mut texts = Vec::new();
    while let Some(part) = jsonl::next_part(rest) {
        texts.push(jsonl::on_one_line(&rest[part.clone()]));
        rest = &rest[part.end..];
    }
    let objects = texts.iter().filter_map(|text| str::from_utf8(text).ok());
    let sample: Vec<_> = members_of(objects).collect();
    // The last may be cut off.
    if sample.is_empty() || sample.len() + 1 < texts.len() {
        return None;
    }
    let mut objects = objects_of(&sample, wish).ok()?;
    objects.is_spread = true;
    let mut records = Records::default();
    for (object, _) in &sample {
        jsonl::read_key(object.as_bytes(), &objects.key, &mut records);
    }
    let are_puzzles = 2 * records.malformed().len() <= records.len();
    are_puzzles.then(|| Detected {
        layout: Layout::Objects(objects),
        skipped: 0,
        skipped_lines: 0,
        line_end: line_end(head),
        announced: None,
    })
}

/// An object, and the members that it has.
type ObjectAndMembers<'t> = (&'t str, Vec<(String, jsonl::JsonValue<'t>)>);

fn members_of<'t>(
    objects: impl Iterator<Item = &'t str>,
) -> impl Iterator<Item = ObjectAndMembers<'t>> {
    objects.filter_map(|object| Some((object, jsonl::members(object).ok()?)))
}

/// The facts about these objects, the first of a text.
fn objects_of(sample: &[ObjectAndMembers<'_>], wish: Option<&str>) -> Result<Objects, DetectError> {
    let first = sample.first().map_or("", |(first, _)| first);
    let members = sample.first().into_iter().flat_map(|(_, members)| members);
    let mut columns: Vec<_> = members.map(|(key, _)| key.clone()).collect();
    let (mut keys, mut seen) = (Vec::new(), Vec::<Seen>::new());
    let mut numbers = HashMap::new();
    for (key, value) in sample.iter().flat_map(|(_, members)| members) {
        let number = *numbers.entry(key.as_str()).or_insert_with(|| {
            keys.push(key.clone());
            seen.push(Seen::default());
            seen.len() - 1
        });
        seen[number].add(value.text().as_bytes());
    }
    let key = match wish {
        Some(wish) => Key::within(first, wish)?,
        None => match column_of_puzzles(&keys, &seen)? {
            Some(number) => Key::outermost(&keys[number]),
            // No line is an object: each is reported, whatever the key.
            None if keys.is_empty() => Key::outermost("puzzle"),
            None => {
                return Err(DetectError::NoColumn {
                    wanted: "with a puzzle".into(),
                    columns,
                });
            }
        },
    };
    for (object, members) in sample {
        let Ok(Some(puzzle)) = key.find(object) else {
            continue;
        };
        for (name, value) in members {
            let seen = &mut seen[numbers[name.as_str()]];
            count_solutions(
                puzzle.text().as_bytes(),
                [(bytes(value.text()), seen)].into_iter(),
            );
        }
    }
    let answers = columns_of_answers(&keys, &seen, key.number_in(&keys));
    if !columns.is_empty() && key.number_in(&columns).is_none() {
        columns.push(key.to_string());
    }
    Ok(Objects {
        key,
        first: first.to_owned(),
        columns,
        answers,
        is_spread: false,
    })
}
