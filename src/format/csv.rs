//! Tables: CSV and TSV, after RFC 4180.
//!
//! ```text
//!     id,puzzle,note                      a header, if there is one, names the columns
//!     1,4.....8.5.3....,easy
//!     2,....7..2.8.....,"said ""hard"",   a field in quotes may hold delimiters, line
//!     by two of us"                       breaks, and quotes, which are doubled
//! ```
//!
//! A quote opens a field only at the beginning of the field. Elsewhere it is an ordinary
//! character. A row ends with a line feed, a carriage return, or both. The reader keeps the
//! bytes of a row, so a writer can write the table again with every column unchanged.
//!
//! **A stray quote spoils its line only.** A quoted field is *broken* when something other
//! than a delimiter or the end of the row follows its closing quote, or when it has no
//! closing quote within [`LONGEST_FIELD`] bytes. Its row then ends with the line in which the
//! field began, and the next row begins on the next line.
//
// We wrote this scanner ourselves. Measured, the crate `csv` takes 150 ns for a row of one
// puzzle, and `simd-csv` takes 50 ns. Both give unquoted fields, but writing a row again
// byte for byte needs its raw text. One search per chunk shows whether the text has a
// quote. Where it has none, a row costs one search for its end and one for each delimiter.

use super::{Expected, is_cell, records::checked};
use crate::grid::CELLS;
use memchr::{memchr, memchr_iter, memchr2, memchr2_iter, memchr3};
use std::{
    borrow::Cow,
    io::{self, Write},
    ops::Range,
};

/// The most bytes of a quoted field.
pub const LONGEST_FIELD: usize = 1 << 20;

/// The cells of a field that is more than 81 plain bytes: it is quoted, or has white space
/// around or between the cells. On failure it gives the place of the first byte that does
/// not fit, and what was expected there.
pub(super) fn loose_cells(field: &[u8]) -> Result<[u8; CELLS], (usize, Expected)> {
    let quotes = usize::from(field.len() > 1 && field.starts_with(b"\""));
    let inside = &field[quotes..field.len() - quotes];
    let mut cells = [0; CELLS];
    let mut count = 0;
    for (at, &byte) in inside.iter().enumerate() {
        if byte.is_ascii_whitespace() {
            continue;
        }
        match count {
            CELLS => return Err((quotes + at, Expected::EndOfField)),
            _ if !is_cell(byte) => return Err((quotes + at, Expected::Cell)),
            _ => {}
        }
        cells[count] = byte;
        count += 1;
    }
    match count {
        CELLS => Ok(checked(&cells).expect("only cells were taken")),
        _ => Err((field.len() - quotes, Expected::Cell)),
    }
}

/// The number of line ends in a text.
pub(super) fn line_ends(text: &[u8]) -> u64 {
    let ends = memchr2_iter(b'\n', b'\r', text);
    let pairs = ends.filter(|&at| !(text[at] == b'\r' && text.get(at + 1) == Some(&b'\n')));
    pairs.count() as u64
}

/// A row in a text.
pub(super) struct Row {
    /// Its bytes, without the end of the line.
    pub(super) text: Range<usize>,
    /// The place where the next row begins.
    pub(super) next: usize,
    /// The number of lines that it takes.
    pub(super) lines: u64,
    /// True if it contains a quote.
    pub(super) quoted: bool,
    /// The place in the row where a broken quoted field begins.
    pub(super) broken: Option<usize>,
}

/// The rows of a text that holds whole rows.
pub(super) struct Rows<'t> {
    text: &'t [u8],
    delimiter: u8,
    at: usize,
    /// The first quote at or after `at`, or the end of the text.
    quote: usize,
}

impl<'t> Rows<'t> {
    /// The rows of this text.
    pub(super) fn new(text: &'t [u8], delimiter: u8) -> Self {
        Self {
            text,
            delimiter,
            at: 0,
            quote: memchr(b'"', text).unwrap_or(text.len()),
        }
    }
}

impl Iterator for Rows<'_> {
    type Item = Row;

    #[inline]
    fn next(&mut self) -> Option<Row> {
        let Self { text, at, .. } = *self;
        if at == text.len() {
            return None;
        }
        let end = memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |end| at + end);
        let row = if end <= self.quote {
            Row {
                text: at..end,
                next: after_line_end(text, end),
                lines: 1,
                quoted: false,
                broken: None,
            }
        } else {
            row_with_quotes(text, at, self.delimiter)
        };
        self.at = row.next;
        if self.quote < self.at {
            let quote = memchr(b'"', &text[self.at..]);
            self.quote = quote.map_or(text.len(), |quote| self.at + quote);
        }
        Some(row)
    }
}

/// The place after the end of a line, which is at `end`, or the end of the text.
fn after_line_end(text: &[u8], end: usize) -> usize {
    match text[end..] {
        [b'\r', b'\n', ..] => end + 2,
        [] => end,
        _ => end + 1,
    }
}

fn row_with_quotes(text: &[u8], start: usize, delimiter: u8) -> Row {
    let mut field = start;
    let (end, broken) = loop {
        let after = match text.get(field) {
            Some(b'"') => match closing(text, field, delimiter) {
                Closing::At(quote) => quote + 1,
                Closing::Broken | Closing::Beyond => {
                    let end = memchr2(b'\n', b'\r', &text[field..]);
                    let end = end.map_or(text.len(), |end| field + end);
                    break (end, Some(field - start));
                }
            },
            _ => {
                let end = memchr3(delimiter, b'\n', b'\r', &text[field..]);
                end.map_or(text.len(), |end| field + end)
            }
        };
        match text.get(after) {
            Some(&byte) if byte == delimiter => field = after + 1,
            _ => break (after, None),
        }
    };
    Row {
        text: start..end,
        next: after_line_end(text, end),
        lines: 1 + line_ends(&text[start..end]),
        quoted: true,
        broken,
    }
}

/// The end of a field that a quote opens.
enum Closing {
    /// The field ends with the quote at this place.
    At(usize),
    /// The field is broken.
    Broken,
    /// The end of the field is not in this text.
    Beyond,
}

/// The end of the field that the quote at `open` opens.
fn closing(text: &[u8], open: usize, delimiter: u8) -> Closing {
    let limit = text.len().min(open + LONGEST_FIELD);
    let mut from = open + 1;
    while let Some(quote) = memchr(b'"', &text[from..limit]) {
        let quote = from + quote;
        match text.get(quote + 1) {
            Some(b'"') => from = (quote + 2).min(limit),
            None | Some(b'\n' | b'\r') => return Closing::At(quote),
            Some(&byte) if byte == delimiter => return Closing::At(quote),
            Some(_) => return Closing::Broken,
        }
    }
    if limit < text.len() {
        Closing::Broken
    } else {
        Closing::Beyond
    }
}

/// The place after the first row that ends at or after `least`, including its line end, in
/// a text that begins with a row. Returns `None` if that place is not in this text.
///
/// It jumps from quote to quote, so it takes almost no time where there are none. That
/// matters because it runs under the lock of the input, before the threads share the rows.
pub(super) fn record_end(text: &[u8], least: usize, delimiter: u8) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        let quote = memchr(b'"', &text[at..]).map(|quote| at + quote);
        let plain = quote.unwrap_or(text.len());
        // A line that ends before the quote, and late enough: its last byte is at `from` or
        // behind it.
        let from = least.saturating_sub(1).max(at);
        if from < plain
            && let Some(end) = line_end(text, from, plain)
        {
            return Some(end);
        }
        let quote = quote?;
        let opens =
            quote == 0 || matches!(text[quote - 1], b'\n' | b'\r') || text[quote - 1] == delimiter;
        at = match opens {
            false => quote + 1,
            true => match closing(text, quote, delimiter) {
                Closing::At(quote) => quote + 1,
                Closing::Broken => {
                    let end = memchr2(b'\n', b'\r', &text[quote..]);
                    end.map_or(text.len(), |end| quote + end)
                }
                Closing::Beyond => return None,
            },
        };
    }
    None
}

/// The place where a line ends among the bytes `from..to`, or with the line feed right
/// after them.
fn line_end(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let end = from + memchr2(b'\n', b'\r', &text[from..to])?;
    match text[end..] {
        // Its line feed may follow.
        [b'\r'] => None,
        [b'\r', b'\n', ..] => Some(end + 2),
        _ => Some(end + 1),
    }
}

/// The raw fields of a row, with their quotes.
pub fn fields(row: &[u8], delimiter: u8) -> impl Iterator<Item = Range<usize>> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let closed = match row.get(start) {
            Some(b'"') => match closing(row, start, delimiter) {
                Closing::At(quote) => quote + 1,
                Closing::Broken | Closing::Beyond => start,
            },
            _ => start,
        };
        let end = memchr(delimiter, &row[closed..]).map(|end| closed + end);
        next = end.map(|end| end + 1);
        Some(start..end.unwrap_or(row.len()))
    })
}

/// The fields of a row that has no quotes.
pub(super) fn plain_fields(row: &[u8], delimiter: u8) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    memchr_iter(delimiter, row)
        .chain([row.len()])
        .map(move |end| {
            let field = start..end;
            start = end + 1;
            field
        })
}

/// The content of a field, without the quotes around it.
pub fn unquoted(field: &[u8]) -> Cow<'_, [u8]> {
    match field {
        [b'"', inside @ .., b'"'] => match memchr(b'"', inside) {
            None => Cow::Borrowed(inside),
            Some(_) => {
                let mut text = Vec::with_capacity(inside.len());
                let mut doubled = false;
                for &byte in inside {
                    doubled = byte == b'"' && !doubled;
                    if !doubled {
                        text.push(byte);
                    }
                }
                Cow::Owned(text)
            }
        },
        _ => Cow::Borrowed(field),
    }
}

/// Writes a field with this text, and quotes it if needed.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_field(text: &[u8], delimiter: u8, out: &mut impl Write) -> io::Result<()> {
    if memchr3(b'"', b'\n', b'\r', text).is_none() && memchr(delimiter, text).is_none() {
        return out.write_all(text);
    }
    out.write_all(b"\"")?;
    let mut rest = text;
    while let Some(quote) = memchr(b'"', rest) {
        let (before, after) = rest.split_at(quote + 1);
        out.write_all(before)?;
        out.write_all(b"\"")?;
        rest = after;
    }
    out.write_all(rest)?;
    out.write_all(b"\"")
}
