//! CSV and TSV, against the rules of `format::csv` followed byte by byte.

use super::{
    material,
    oracle::{is_cell, lines, puzzle_of},
    records::{self, Found},
};
use sudoku_batch::format::{Form, Layout, csv};

/// Reads a table, whole and in pieces.
pub fn run(data: &[u8]) {
    let Some((&[how, least], rest)) = data.split_first_chunk() else {
        return;
    };
    let text = material::text(rest);
    let form = if how & 1 == 0 { Form::Csv } else { Form::Tsv };
    let column = [None, None, Some("1"), Some("2")][usize::from(how >> 1 & 3)];
    let Ok(found) = Layout::detect(&text, Some(form), column) else {
        return;
    };
    let Layout::Table(table) = &found.layout else {
        panic!("a table was asked for");
    };
    let (start, delimiter) = (found.skipped, table.delimiter());
    assert_eq!(found.skipped_lines, lines(&text[..start]).len() as u64);
    let rows = &text[start..];
    let read = records::read(&found.layout, rows);
    let expected = expected(rows, delimiter, table.columns().len(), table.puzzle());
    assert_eq!(read, expected, "{table:?} {}", rows.escape_ascii());
    let lengths = records::pieces(&found.layout, rows, least.into());
    records::check_pieces(&found.layout, rows, lengths);
    for Found { text, .. } in &read {
        check_fields(text, delimiter);
    }
}

/// A row: its bytes, how many lines it takes, and where a broken field begins.
struct Row {
    start: usize,
    end: usize,
    broken: Option<usize>,
    fields: Vec<(usize, usize)>,
}

/// The rows of a text, and where each field of them is.
fn rows(text: &[u8], delimiter: u8) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let row = row(text, at, delimiter);
        at = match text[row.end..] {
            [b'\r', b'\n', ..] => row.end + 2,
            [] => row.end,
            _ => row.end + 1,
        };
        rows.push(row);
    }
    rows
}

fn row(text: &[u8], start: usize, delimiter: u8) -> Row {
    let ends_line = |at: usize| text.get(at).is_none_or(|&c| c == b'\n' || c == b'\r');
    let ends_field = |at: usize| ends_line(at) || text[at] == delimiter;
    let mut fields = Vec::new();
    let mut field = start;
    loop {
        let mut at = field;
        if text.get(at) == Some(&b'"') {
            at += 1;
            loop {
                match (text.get(at), text.get(at + 1)) {
                    (Some(b'"'), Some(b'"')) => at += 2,
                    (Some(b'"'), _) if ends_field(at + 1) => {
                        at += 1;
                        break;
                    }
                    (Some(b'"') | None, _) => {
                        let mut end = field;
                        while !ends_line(end) {
                            end += 1;
                        }
                        return Row {
                            start,
                            end,
                            broken: Some(field),
                            fields,
                        };
                    }
                    _ => at += 1,
                }
            }
        }
        while !ends_field(at) {
            at += 1;
        }
        fields.push((field, at));
        if ends_line(at) {
            return Row {
                start,
                end: at,
                broken: None,
                fields,
            };
        }
        field = at + 1;
    }
}

fn expected(text: &[u8], delimiter: u8, columns: usize, puzzle: usize) -> Vec<Found> {
    let mut expected = Vec::new();
    for row in rows(text, delimiter) {
        let raw = &text[row.start..row.end];
        if raw.is_empty() {
            continue;
        }
        let cells = match (row.broken, row.fields.len()) {
            (Some(at), _) => Err(at),
            (None, count) if count < columns => Err(row.end),
            (None, count) if count > columns => Err(row.fields[columns].0 - 1),
            _ => {
                let (start, end) = row.fields[puzzle];
                cells(&text[start..end]).map_err(|at| start + at)
            }
        };
        // The place where it is malformed: a line, and a column of that line. An error of a row as
        // a whole is told with its first line.
        let (line, column) = match cells {
            Ok(_) => (row.start, None),
            Err(at) if row.broken.is_some() || row.fields.len() != columns => {
                (row.start, Some(at - row.start + 1))
            }
            Err(at) => {
                let line = (row.start..at)
                    .rev()
                    .find(|&i| matches!(text[i], b'\n' | b'\r'));
                let line = line.map_or(row.start, |end| end + 1);
                (line, Some(at - line + 1))
            }
        };
        let ended = lines(text)
            .iter()
            .filter(|(.., next)| *next <= line)
            .count();
        expected.push(Found {
            line: ended as u64 + 1,
            text: raw.to_vec(),
            puzzle: cells.ok(),
            column,
        });
    }
    expected
}

/// The puzzle of a field that may be quoted and have white space in it, or the place of what
/// is no cell.
fn cells(field: &[u8]) -> Result<[u8; 81], usize> {
    let quotes = usize::from(field.len() > 1 && field[0] == b'"');
    let inside = &field[quotes..field.len() - quotes];
    let is_space = |c: u8| matches!(c, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c');
    let said = inside.iter().enumerate().filter(|(_, c)| !is_space(**c));
    let mut cells = Vec::new();
    for (at, &byte) in said {
        if cells.len() == 81 || !is_cell(byte) {
            return Err(quotes + at);
        }
        cells.push(byte);
    }
    match cells.len() {
        81 => Ok(puzzle_of(&cells)),
        _ => Err(field.len() - quotes),
    }
}

/// A field that is written and read again is the same.
fn check_fields(row: &[u8], delimiter: u8) {
    for field in csv::fields(row, delimiter) {
        let content = csv::unquoted(&row[field]);
        let mut written = Vec::new();
        csv::write_field(&content, delimiter, &mut written).expect("memory");
        let read: Vec<_> = csv::fields(&written, delimiter).collect();
        assert_eq!(read.len(), 1);
        assert_eq!(read[0], 0..written.len());
        assert_eq!(csv::unquoted(&written), content);
    }
}
