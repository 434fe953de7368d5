//! Any text in any format: what the form is, what the records are, and what is written of them.

use super::{
    material,
    records::{self, Found, found, pieces},
};
use sudoku_batch::format::{
    Added, Detected, Form, Frame, Layout, Records, Values, Writer, one_line,
};

/// Detects the form of a text, reads it, and writes it in every format.
pub fn run(data: &[u8]) {
    let Some((&[how, least], rest)) = data.split_first_chunk() else {
        return;
    };
    let text = material::text(rest);
    let column = [None, None, None, Some("puzzle"), Some("2"), Some("a.b")];
    let column = column[usize::from(how >> 5) % column.len()];
    // Mostly the form that fits.
    let form = Form::ALL.get(usize::from(how & 31)).copied();
    let Ok(found) = Layout::detect(&text, form, column) else {
        return;
    };
    let records = check_read(&text, &found, form, least.into());
    check_columns(&found.layout, &records);
    for &form in Form::ALL {
        check_written(&found, &records, form);
    }
    let line = one_line(&text);
    assert!(!line.contains(&b'\n') && !line.contains(&b'\r'));
}

/// The records after the header, read as one and in pieces.
fn check_read(text: &[u8], found: &Detected, form: Option<Form>, least: usize) -> Records {
    assert!(form.is_none_or(|form| form == found.layout.form() || is_alike(form, &found.layout)));
    let rest = &text[found.skipped..];
    let layout = &found.layout;
    let lengths = match layout.is_of_lines() {
        true => lines_with_comments(rest),
        false => pieces(layout, rest, least),
    };
    records::check_pieces(layout, rest, lengths);
    let mut records = Records::default();
    layout.read(rest, &mut records);
    records
}

/// Whether a form that was asked for is read as another one: a table with tabs, blocks, a notation.
fn is_alike(form: Form, layout: &Layout) -> bool {
    match layout {
        Layout::Blocks(_) => form.is_of_nine_lines(),
        Layout::Written(_) => form.is_notation(),
        _ => false,
    }
}

/// The values of a record in each column.
fn check_columns(layout: &Layout, records: &Records) {
    for name in layout
        .columns()
        .iter()
        .map(String::as_str)
        .chain(["1", "puzzle", "a.b"])
    {
        let Ok(column) = layout.column(name) else {
            continue;
        };
        for record in 0..records.len() {
            let _ = layout.value(records.text(record), &column);
        }
    }
    assert!(
        layout
            .puzzle_column()
            .is_none_or(|column| column < layout.columns().len())
    );
}

/// The records in a form, with a column added and in the place of the puzzle, by the writer
/// and by its frames; and read again.
fn check_written(input: &Detected, records: &Records, form: Form) {
    let plain = Writer::new(form, input.layout.clone(), Vec::new(), input.line_end);
    let mut again = Vec::new();
    let mut kept = Vec::new();
    for (number, record) in found(records, 0).into_iter().enumerate() {
        let mut row = Vec::new();
        if plain.row(records, number, |_| b"", &mut row).is_ok() && record.puzzle.is_some() {
            again.extend(&row);
            kept.push(record);
        }
    }
    check_again(&plain, &again, &kept);
    let image = Added::new("image", Values::Cells).with_place_of_puzzle();
    let note = Added::new("note", Values::Text);
    let writer = Writer::new(
        form,
        input.layout.clone(),
        vec![image, note],
        input.line_end,
    );
    writer.header(&mut Vec::new()).expect("memory");
    let mut frame = Frame::default();
    let cells = [[b'5'; 81], [b'.'; 81]];
    let lines = cells.map(|cells| {
        let mut line = [b'\n'; 82];
        line[..81].copy_from_slice(&cells);
        line
    });
    for record in 0..records.len() {
        let mut row = Vec::new();
        let written = writer.row(records, record, |column| &cells[column], &mut row);
        let framed = frame.prepare(&writer, records, record);
        assert_eq!(written.is_ok(), framed.is_ok());
        if let (Ok(()), Ok(true)) = (written, framed) {
            let mut rows = Vec::new();
            frame
                .rows(&[&[lines[0]], &[lines[1]]], &mut rows)
                .expect("memory");
            assert_eq!(rows, row, "{}", rows.escape_ascii());
        }
    }
}

/// Rows that were written without another column are read as the same puzzles.
fn check_again(writer: &Writer, rows: &[u8], expected: &[Found]) {
    let layout = match writer.form() {
        Form::Line
        | Form::Text
        | Form::Block
        | Form::Grid
        | Form::Sdk
        | Form::Pretty
        | Form::Box
        | Form::Link
        | Form::SudokuExchange
        | Form::Hodoku
        | Form::S9b => {
            let Ok(found) = Layout::detect(rows, Some(writer.form()), None) else {
                return;
            };
            found.layout
        }
        // Which column has the puzzles is not known without the header of the user.
        Form::Csv | Form::Tsv | Form::Jsonl => return,
        _ => return,
    };
    let puzzles: Vec<_> = records::read(&layout, rows)
        .iter()
        .map(|r| r.puzzle)
        .collect();
    let expected: Vec<_> = expected.iter().map(|record| record.puzzle).collect();
    assert_eq!(
        puzzles,
        expected,
        "{:?} {}",
        writer.form(),
        rows.escape_ascii()
    );
}

/// The lengths of the lines of a text. A comment is one with the line below it.
fn lines_with_comments(text: &[u8]) -> Vec<usize> {
    let (mut lengths, mut comments) = (Vec::new(), 0);
    for (start, _, next) in super::oracle::lines(text) {
        comments += next - start;
        if text[start] != b'#' || next == text.len() {
            lengths.push(std::mem::take(&mut comments));
        }
    }
    lengths
}
