//! Rows as the writer makes them.

use crate::support::{
    puzzles::PUZZLES,
    shared_forms::{NOTATIONS, OF_SEVERAL_LINES, shared},
};
use sudoku_batch::format::{Added, Form, Frame, Layout, Records, Values, Writer, line};

const CLUES: &str = PUZZLES[0];

/// The rows of the cells with something between two cells, without the last line feed.
fn rows(cells: &str, between: &str) -> String {
    let row = |row: usize| -> Vec<_> { cells[9 * row..][..9].split("").collect() };
    let rows = (0..9).map(|number| row(number)[1..10].join(between));
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn generated_records_have_their_columns_alone() {
    let columns = vec![
        Added::new("index", Values::Numbers),
        Added::new("puzzle", Values::Cells),
        Added::new("note", Values::Text),
        Added::new("er", Values::Numbers),
    ];
    let value = |column: usize| [b"7", CLUES.as_bytes(), b"a,\"b\"", b""][column];
    let zeros = CLUES.replace('.', "0");
    let expected = [
        (Form::Line, format!("{CLUES}\n")),
        (
            Form::Csv,
            format!("index,puzzle,note,er\n7,{CLUES},\"a,\"\"b\"\"\",\n"),
        ),
        (
            Form::Tsv,
            format!("index\tpuzzle\tnote\ter\n7\t{CLUES}\t\"a,\"\"b\"\"\"\t\n"),
        ),
        (
            Form::Jsonl,
            format!(
                "{{\"index\":7,\"puzzle\":\"{CLUES}\",\"note\":\"a,\\\"b\\\"\",\"er\":null}}\n"
            ),
        ),
        (Form::Block, format!("\n{}\n", rows(CLUES, ""))),
        (Form::Grid, format!("\n{}\n", rows(&zeros, " "))),
    ];
    let of_several = OF_SEVERAL_LINES.map(|form| (form, "\n"));
    let of_one = NOTATIONS.map(|form| (form, ""));
    let others = of_several.into_iter().chain(of_one);
    let others = others.map(|(form, before)| {
        let text = before.to_owned() + &shared(form, CLUES);
        (form.parse().unwrap(), text)
    });
    for (form, text) in expected.into_iter().chain(others) {
        let writer = Writer::generated(form, columns.clone());
        let mut out = Vec::new();
        writer.header(&mut out).unwrap();
        writer.generated_row(value, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), text, "{form}");
        assert_eq!(writer.begins_with_blank_line(), text.starts_with('\n'));
    }
}

#[test]
fn a_grid_has_zeros_for_blanks_and_points_for_no_cells() {
    let mut records = Records::default();
    line::read(format!("{CLUES}\nbad\n").as_bytes(), &mut records);
    let plain = Writer::new(Form::Grid, Layout::Line, Vec::new(), "\n");
    let solution = Added::new("solution", Values::Cells);
    let solved = Writer::new(Form::Grid, Layout::Line, vec![solution], "\n");
    let zeros = CLUES.replace('.', "0");
    let points = ".".repeat(81);
    for (writer, record, value, cells) in [
        (&plain, 0, "", &zeros),
        (&plain, 1, "", &points),
        (&solved, 0, "", &points),
        (&solved, 0, CLUES, &zeros),
    ] {
        let mut out = Vec::new();
        let written = writer.row(&records, record, |_| value.as_bytes(), &mut out);
        written.unwrap();
        let expected = format!("\n{}\n", rows(cells, " "));
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}

/// The forms in which puzzles are shared, by their rules: a record without cells has blanks alone, and the text of one
/// that is malformed stays a line.
#[test]
fn shared_forms_are_as_their_rules_say() {
    let mut records = Records::default();
    let zeros = CLUES.replace('.', "0");
    line::read(format!("{zeros}\nbad\n").as_bytes(), &mut records);
    let points = ".".repeat(81);
    for name in NOTATIONS.into_iter().chain(OF_SEVERAL_LINES) {
        let form: Form = name.parse().unwrap();
        let is_line = NOTATIONS.contains(&name);
        assert_eq!(
            (form.is_of_lines(), form.is_of_nine_lines()),
            (is_line, !is_line)
        );
        let solution = Added::new("solution", Values::Cells);
        let status = Added::new("status", Values::Status);
        assert!(form.holds(&[solution.clone(), status.clone()]) && !form.holds(&[status]));
        let plain = Writer::new(form, Layout::Line, Vec::new(), "\n");
        let solved = Writer::new(form, Layout::Line, vec![solution], "\n");
        // A blank of `sdk` and `box` is that of the record.
        let own = match name {
            "sdk" | "box" => &shared(name, &zeros),
            _ => &shared(name, CLUES),
        };
        let (none, end) = (shared(name, &points), if is_line { "" } else { "\n" });
        let malformed = if is_line { "bad\n" } else { &none };
        for (writer, record, value, expected) in [
            (&plain, 0, "", own),
            (&plain, 1, "", &malformed.to_owned()),
            (&solved, 0, "", &none),
            (&solved, 1, "", &none),
            (&solved, 0, CLUES, &shared(name, CLUES)),
        ] {
            let mut out = Vec::new();
            let written = writer.row(&records, record, |_| value.as_bytes(), &mut out);
            written.unwrap();
            let expected = format!("{expected}{end}");
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{name}");
        }
    }
}

/// A record with columns before, between and after the cells, and cells that look like
/// marks.
fn writer(form: Form, input: &str) -> (Writer, Records) {
    let found = Layout::detect(input.as_bytes(), None, None).unwrap();
    let mut records = Records::default();
    (found.layout).read(&input.as_bytes()[found.skipped..], &mut records);
    let mut solution = Added::new("solution", Values::Text);
    if let Ok(column) = found.layout.column("solution") {
        solution = solution.with_place_of(column);
    }
    let puzzle = Added::new("puzzle", Values::Cells).with_place_of_puzzle();
    let columns = vec![puzzle, solution];
    let writer = Writer::new(form, found.layout, columns, found.line_end);
    (writer, records)
}

#[test]
fn rows_are_those_of_the_writer() {
    let cells = "1".repeat(81);
    let table = format!("a,solution,puzzle,b\n\"x,\"\"y\",{cells},{cells},é\n");
    let objects = format!("{{\"a\":\"{cells}\",\"solution\":1,\"puzzle\":\"{cells}\"}}\n");
    let lines = [[b'3'; 82], [b'4'; 82], [b'5'; 82]].map(|mut line| {
        line[81] = b'\n';
        line
    });
    let others = [lines[2], lines[0], lines[1]];
    for input in [table, objects, format!("{cells}\n")] {
        for &form in Form::ALL {
            let (writer, records) = writer(form, &input);
            let mut frame = Frame::default();
            let framed = frame.prepare(&writer, &records, 0).unwrap();
            let is_notation = NOTATIONS.contains(&form.name());
            let has_frame = !form.is_of_nine_lines() && !is_notation;
            assert_eq!(framed, has_frame, "{form} {input}");
            if !framed {
                continue;
            }
            let (mut rows, mut expected) = (Vec::new(), Vec::new());
            frame.rows(&[&lines, &others], &mut rows).unwrap();
            for (line, other) in lines.iter().zip(&others) {
                let value = |column: usize| &[line, other][column][..81];
                (writer.row(&records, 0, value, &mut expected)).unwrap();
            }
            assert_eq!(rows, expected, "{form} {input}");
        }
    }
}
