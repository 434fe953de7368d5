//! Blocks of nine lines, with and without frames and sections, against the rules of
//! `format::block` followed line by line.

use super::{
    material,
    oracle::lines,
    records::{self, found},
};
use sudoku_batch::format::{Added, Form, Layout, Records, Values, Writer, block};

/// Reads blocks, and pieces of them.
pub fn run(data: &[u8]) {
    let Some((&[how, least], rest)) = data.split_first_chunk() else {
        return;
    };
    let text = material::text(rest);
    let mut whole = Records::default();
    block::read(&text, false, &mut whole);
    let whole = found(&whole, 0);
    let expected = expected(&text);
    assert_eq!(
        whole.len(),
        expected.len(),
        "{} {whole:?}",
        text.escape_ascii()
    );
    for (read, expected) in whole.iter().zip(&expected) {
        assert_eq!(
            (read.line, read.puzzle),
            (expected.line, expected.puzzle),
            "{read:?}"
        );
        if let Some(text) = &expected.text {
            assert_eq!(read.text, *text);
        }
        assert_eq!(read.column, expected.column, "{read:?}");
    }

    let forms = [Form::Block, Form::Pretty, Form::Sdk, Form::Grid, Form::Box];
    let form = forms[usize::from(how) % forms.len()];
    if let Ok(found) = Layout::detect(&text, Some(form), None) {
        let text = &text[found.skipped..];
        let lengths = records::pieces(&found.layout, text, least.into());
        records::check_pieces(&found.layout, text, lengths);
    }
    for puzzle in whole.iter().filter_map(|record| record.puzzle).take(3) {
        check_written(&puzzle);
    }
}

/// A block that is written is read as it was.
fn check_written(puzzle: &[u8; 81]) {
    let cells = Added::new("puzzle", Values::Cells).with_place_of_puzzle();
    for form in [Form::Block, Form::Grid, Form::Pretty, Form::Sdk] {
        let mut text = Vec::new();
        let writer = Writer::generated(form, vec![cells.clone()]);
        let written = writer.generated_row(|_| puzzle, &mut text);
        written.expect("into memory");
        let mut records = Records::default();
        block::read(&text, false, &mut records);
        let read = found(&records, 0);
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].puzzle, Some(*puzzle));
    }
    let notations = [Form::Link, Form::SudokuExchange, Form::Hodoku, Form::S9b];
    for form in notations.into_iter().chain([Form::Box]) {
        let mut text = Vec::new();
        let writer = Writer::generated(form, vec![cells.clone()]);
        let written = writer.generated_row(|_| puzzle, &mut text);
        written.expect("into memory");
        let layout = Layout::detect(&text, Some(form), None).expect("a form that is given");
        let mut records = Records::default();
        layout.layout.read(&text, &mut records);
        let read = found(&records, 0);
        assert_eq!(read.len(), 1, "{form}");
        assert_eq!(read[0].puzzle, Some(*puzzle), "{form}");
    }
}

/// A record by the rules.
struct Expected {
    line: u64,
    puzzle: Option<[u8; 81]>,
    column: Option<usize>,
    /// For a malformed record: its rows, with what stands between them.
    text: Option<Vec<u8>>,
}

/// A line that is a row, well or badly written.
struct Row {
    line: u64,
    start: usize,
    end: usize,
    cells: Result<[u8; 9], usize>,
}

/// The records: groups of rows between blank lines, in nines.
fn expected(text: &[u8]) -> Vec<Expected> {
    let mut expected = Vec::new();
    let mut group: Vec<Row> = Vec::new();
    // Whether blank lines separate blocks, once the first group of nine rows or more told.
    let mut by_blanks = None;
    let mut elsewhere = false;
    let mut begun = false;
    for (number, &(start, end, _)) in lines(text).iter().enumerate() {
        let line = text[start..end].trim_ascii_end();
        if line.is_empty() {
            end_group(&mut group, &mut by_blanks, text, &mut expected);
        } else if line[0] == b'#' || is_frame(line) {
            // Comments and frames are passed over, also in the middle of a block.
        } else if line[0] == b'[' && line.ends_with(b"]") && line.len() > 1 {
            end_group(&mut group, &mut by_blanks, text, &mut expected);
            elsewhere = !line.eq_ignore_ascii_case(b"[puzzle]");
        } else if !elsewhere {
            let announces = !begun && is_count(line);
            begun = true;
            if !announces {
                let (line_number, end) = (number as u64 + 1, start + line.len());
                group.push(Row {
                    line: line_number,
                    start,
                    end,
                    cells: row(line),
                });
            }
        }
    }
    end_group(&mut group, &mut by_blanks, text, &mut expected);
    expected
}

fn end_group(
    group: &mut Vec<Row>,
    by_blanks: &mut Option<bool>,
    text: &[u8],
    expected: &mut Vec<Expected>,
) {
    if group.len() >= 9 && by_blanks.is_none() {
        *by_blanks = Some(group.len() == 9);
    }
    // Ten rows are not a block and a row if blank lines count. But eighteen are two blocks.
    let step = if *by_blanks == Some(true) { 18 } else { 9 };
    let mut rest = &group[..];
    while rest.len() >= step {
        for block in rest[..step].chunks(9) {
            expected.push(record(block, text));
        }
        rest = &rest[step..];
    }
    if !rest.is_empty() {
        expected.push(record(rest, text));
    }
    group.clear();
}

/// The record of some rows: nine that are well written, or what is wrong with them.
fn record(rows: &[Row], text: &[u8]) -> Expected {
    let bad = rows.iter().take(if rows.len() == 9 {
        9
    } else {
        rows.len().min(9)
    });
    let bad = bad
        .filter_map(|row| Some((row.line, *row.cells.as_ref().err()?)))
        .next();
    let (line, column) = match bad {
        Some((line, column)) => (line, Some(column + 1)),
        None if rows.len() != 9 => (rows[0].line, Some(1)),
        None => (rows[0].line, None),
    };
    let cells = rows.iter().filter_map(|row| row.cells.ok()).flatten();
    let cells: Vec<u8> = cells.collect();
    let of_rows = &text[rows[0].start..rows[rows.len() - 1].end];
    Expected {
        line,
        column,
        puzzle: if column.is_none() {
            cells.try_into().ok()
        } else {
            None
        },
        text: column.map(|_| of_rows.to_vec()),
    }
}

/// A line of `+ - = * |` and spaces, with a `+` or without nine that could be cells.
fn is_frame(line: &[u8]) -> bool {
    let cells = line.iter().filter(|c| b"-*=".contains(c)).count();
    line.iter().all(|c| b"+-=*| \t".contains(c)) && (line.contains(&b'+') || cells != 9)
}

/// A number that is no row, and fits 64 bits.
fn is_count(line: &[u8]) -> bool {
    let digits = line.trim_ascii_start();
    digits.iter().all(u8::is_ascii_digit)
        && digits.len() != 9
        && String::from_utf8_lossy(digits).parse::<u64>().is_ok()
}

/// Nine cells with spaces, tabs and `|` anywhere; or where it goes wrong.
fn row(line: &[u8]) -> Result<[u8; 9], usize> {
    let mut cells = Vec::new();
    for (at, &byte) in line.iter().enumerate() {
        match byte {
            b' ' | b'\t' | b'|' => {}
            _ if cells.len() == 9 => return Err(at),
            b'1'..=b'9' => cells.push(byte),
            b'.' | b'0' | b'*' | b'_' | b'-' | b'?' | b'x' | b'X' | b'$' => cells.push(b'.'),
            _ => return Err(at),
        }
    }
    cells.try_into().map_err(|_| line.len())
}
