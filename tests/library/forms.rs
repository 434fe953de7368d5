//! Every form of records: what is read is what was written, whatever stands around it and
//! however the text is cut.

use crate::support::{
    data, puzzles,
    shared_forms::{NOTATIONS, OF_SEVERAL_LINES, shared},
};
use proptest::{collection::vec, prelude::*, sample::select};
use sudoku_batch::format::{Added, DetectError, Detected, Form, Layout, Records, Values, Writer};

const PUZZLES: [&str; 3] = [
    puzzles::PUZZLES[0],
    puzzles::PUZZLES[1],
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
];

fn detect(text: &[u8]) -> Detected {
    Layout::detect(text, None, None).unwrap()
}

/// The records of a text, cut into pieces of at least so many bytes.
fn read_in_pieces(text: &[u8], found: &Detected, least: usize) -> Vec<Told> {
    let mut told = Vec::new();
    let mut rest = &text[found.skipped..];
    let mut lines = found.skipped_lines;
    while !rest.is_empty() {
        let end = found.layout.record_end(rest, least).unwrap_or(rest.len());
        let mut records = Records::default();
        found.layout.read(&rest[..end], &mut records);
        told.extend((0..records.len()).map(|i| Told {
            line: lines + records.line(i),
            puzzle: records.puzzle(i).ok().map(|puzzle| puzzle.to_string()),
            text: records.text(i).to_vec(),
        }));
        lines += records.lines();
        rest = &rest[end..];
    }
    told
}

/// The parts of a record that are read.
#[derive(Debug, PartialEq)]
struct Told {
    line: u64,
    puzzle: Option<String>,
    text: Vec<u8>,
}

/// A field as a table may have it, and what it says.
fn field() -> impl Strategy<Value = (String, String)> {
    let said = prop_oneof![
        "[a-z0-9 .]{0,8}",
        "[a-z\",;\t\r\n]{0,8}",
        select(&PUZZLES[..]).prop_map(|puzzle| format!("x{puzzle}")),
    ];
    (said, any::<bool>()).prop_map(|(said, quoted)| {
        let needs_quotes = said.contains([',', ';', '\t', '\r', '\n', '"']);
        match quoted || needs_quotes {
            true => (format!("\"{}\"", said.replace('"', "\"\"")), said),
            false => (said.clone(), said),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn tables_give_back_every_byte(
        rows in vec((vec(field(), 3), select(&PUZZLES[..]), any::<bool>()), 1..12),
        puzzle in 0..4usize,
        delimiter in select(&[b',', b';', b'\t'][..]),
        end in select(&["\n", "\r\n"][..]),
        last in any::<bool>(),
        least in 1..400usize,
    ) {
        let delimiter = char::from(delimiter).to_string();
        let mut header = vec!["a", "\"b \"\"c\"", "d"];
        header.insert(puzzle, "puzzle");
        let mut text = header.join(&delimiter) + end;
        let mut expected = Vec::new();
        for (number, (fields, cells, quoted)) in rows.iter().enumerate() {
            let mut raw: Vec<_> = fields.iter().map(|(raw, _)| raw.clone()).collect();
            raw.insert(puzzle, if *quoted { format!("\"{cells}\"") } else { cells.to_string() });
            let line = 1 + text.replace("\r\n", "\n").matches(['\n', '\r']).count() as u64;
            let row = raw.join(&delimiter);
            text += &row;
            if last || number + 1 < rows.len() {
                text += end;
            }
            expected.push(Told {
                line,
                puzzle: Some(cells.replace('0', ".")),
                text: row.into_bytes(),
            });
        }
        let found = detect(text.as_bytes());
        prop_assert_eq!(found.line_end == "\r\n", end == "\r\n");
        prop_assert_eq!(found.layout.columns(), &{
            let mut names = vec!["a", "b \"c", "d"];
            names.insert(puzzle, "puzzle");
            names
        }[..]);
        prop_assert_eq!(&read_in_pieces(text.as_bytes(), &found, usize::MAX), &expected);
        prop_assert_eq!(&read_in_pieces(text.as_bytes(), &found, least), &expected);
        // Fields say what they were made of.
        for (told, (fields, _, _)) in expected.iter().zip(&rows) {
            for (name, (_, said)) in ["a", "b \"c", "d"].iter().zip(fields) {
                let column = found.layout.column(name).unwrap();
                let value = found.layout.value(&told.text, &column).unwrap();
                prop_assert_eq!(&*value, said.as_bytes());
            }
        }
        // With nothing added, the text comes back as it was.
        let mut records = Records::default();
        found.layout.read(&text.as_bytes()[found.skipped..], &mut records);
        let form = found.layout.form();
        let writer = Writer::new(form, found.layout, Vec::new(), found.line_end);
        let mut out = Vec::new();
        writer.header(&mut out).unwrap();
        for record in 0..records.len() {
            writer.row(&records, record, |_| b"", &mut out).unwrap();
        }
        let whole = if last { text } else { text + end };
        prop_assert_eq!(String::from_utf8(out).unwrap(), whole);
    }

    /// However odd the text is, where it is cut changes nothing, and no line is lost.
    #[test]
    fn any_table_is_cut_without_harm(
        pieces in vec(
            prop_oneof![
                "[ab\",\n\r]{0,6}",
                select(&PUZZLES[..]).prop_map(|puzzle| format!("1,{puzzle}\n")),
                select(&PUZZLES[..]).prop_map(|puzzle| format!("\"x\ny\",{puzzle}\r\n")),
            ],
            0..30,
        ),
        least in 1..300usize,
    ) {
        let text = format!("id,puzzle\n{}", pieces.concat());
        let found = detect(text.as_bytes());
        let whole = read_in_pieces(text.as_bytes(), &found, usize::MAX);
        prop_assert_eq!(&read_in_pieces(text.as_bytes(), &found, least), &whole);
        let mut records = Records::default();
        found.layout.read(&text.as_bytes()[found.skipped..], &mut records);
        let lines = text.replace("\r\n", "\n").replace('\r', "\n");
        let lines = lines.strip_suffix('\n').unwrap_or(&lines).split('\n').count() as u64;
        prop_assert_eq!(records.lines() + found.skipped_lines, lines);
    }

    #[test]
    fn objects_give_back_every_byte(
        rows in vec(("[a-z\\\\\"\u{e9}\n]{0,6}", -5..500i32, select(&PUZZLES[..]), any::<bool>()), 1..8),
        spaced in any::<bool>(),
    ) {
        let (colon, comma) = if spaced { (": ", ", ") } else { (":", ",") };
        let mut text = String::new();
        for (note, number, cells, first) in &rows {
            let note = format!("\"note\"{colon}{}", serde_json::to_string(note).unwrap());
            let game = format!("\"game\"{colon}{{\"n\"{colon}{number}{comma}\"cells\"{colon}\"{cells}\"}}");
            let members = if *first { [note, game] } else { [game, note] };
            text += &format!("{{{}}}\n", members.join(comma));
        }
        let found = Layout::detect(text.as_bytes(), None, Some("game.cells")).unwrap();
        let told = read_in_pieces(text.as_bytes(), &found, 1);
        prop_assert_eq!(told.len(), rows.len());
        for ((told, line), (_, number, cells, _)) in told.iter().zip(text.lines()).zip(&rows) {
            prop_assert_eq!(&told.text, line.as_bytes());
            prop_assert_eq!(told.puzzle.clone(), Some(cells.replace('0', ".")));
            let column = found.layout.column("game.n").unwrap();
            let value = found.layout.value(line.as_bytes(), &column).unwrap();
            let number = number.to_string();
            prop_assert_eq!(&*value, number.as_bytes());
        }
        let mut records = Records::default();
        found.layout.read(text.as_bytes(), &mut records);
        let new = Added::new("new", Values::Text);
        let row = |added: Added| {
            let writer = Writer::new(Form::Jsonl, found.layout.clone(), vec![added], "\n");
            let mut out = Vec::new();
            writer.row(&records, 0, |_| b"a\"b", &mut out).unwrap();
            serde_json::from_slice::<serde_json::Value>(&out).unwrap()
        };
        // serde_json understands the line like this, with what is added or replaced.
        let mut expected: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        expected["new"] = "a\"b".into();
        prop_assert_eq!(row(new.clone()), expected.clone());
        expected.as_object_mut().unwrap().remove("new");
        expected["game"]["cells"] = "a\"b".into();
        prop_assert_eq!(row(new.with_place_of_puzzle()), expected);
    }

    #[test]
    fn blocks_are_cut_without_harm(
        puzzles in vec(select(&PUZZLES[..]), 1..6),
        between in select(&["", "\n", "\n\n", "# next\n"][..]),
        frame in any::<bool>(),
        least in 1..600usize,
    ) {
        let block = |cells: &&str| {
            let row = |row: usize| {
                let cells = &cells[9 * row..][..9];
                match frame {
                    true => format!("|{}|{}|{}|\n", &cells[..3], &cells[3..6], &cells[6..]),
                    false => format!("{cells}\n"),
                }
            };
            let rows: Vec<_> = (0..9).map(row).collect();
            match frame {
                true => format!(
                    "*-----------*\n{}|---+---+---|\n{}|---+---+---|\n{}*-----------*\n",
                    rows[..3].concat(), rows[3..6].concat(), rows[6..].concat()
                ),
                false => rows.concat(),
            }
        };
        let text = puzzles.iter().map(block).collect::<Vec<_>>().join(between);
        let found = detect(text.as_bytes());
        prop_assert_eq!(found.layout.form(), Form::Block);
        let told = read_in_pieces(text.as_bytes(), &found, least);
        let told: Vec<_> = told.into_iter().map(|told| told.puzzle).collect();
        let expected: Vec<_> = puzzles.iter().map(|cells| Some(cells.replace('0', "."))).collect();
        prop_assert_eq!(told, expected);
    }
}

/// Puzzles in the forms in which people share them are read as they were, whether the form is given or not, and
/// wherever the text is cut.
#[test]
fn shared_forms_are_read() {
    let mut puzzles: Vec<_> = data::puzzles("minimal").into_iter().take(40).collect();
    puzzles.extend(data::puzzles("easy").into_iter().take(40));
    let expected: Vec<_> = puzzles
        .iter()
        .map(|puzzle| Some(puzzle.to_string()))
        .collect();
    let forms = NOTATIONS.map(|form| (form, "")).into_iter();
    for (name, between) in forms.chain(OF_SEVERAL_LINES.map(|form| (form, "\n"))) {
        let records = puzzles
            .iter()
            .map(|puzzle| shared(name, &puzzle.to_string()));
        let text = records.collect::<Vec<_>>().join(between);
        for form in [None, Some(name.parse().unwrap())] {
            let found = Layout::detect(text.as_bytes(), form, None).unwrap();
            for least in [1, 100, 5_000, usize::MAX] {
                let told = read_in_pieces(text.as_bytes(), &found, least);
                let told: Vec<_> = told.into_iter().map(|told| told.puzzle).collect();
                assert_eq!(told, expected, "{name} {form:?} {least}");
            }
        }
    }
}

/// A form that is given is read as it says: grids with a digit twice, without a digit and beside their solutions are
/// records, and so is one that lacks a cell.
#[test]
fn a_shared_form_that_is_given_is_read_as_it_says() {
    let twice = format!("55{}", ".".repeat(79));
    let [puzzle, solution] = [PUZZLES[0], puzzles::SOLUTIONS[0]];
    let all = [puzzle, solution, &twice, &".".repeat(81), puzzle];
    let forms = NOTATIONS.map(|form| (form, "")).into_iter();
    for (name, between) in forms.chain(OF_SEVERAL_LINES.map(|form| (form, "\n"))) {
        let mut texts = all.map(|cells| shared(name, cells)).to_vec();
        let form = Some(name.parse().unwrap());
        for damaged in [false, true] {
            if damaged {
                let last = texts[1].rfind(|c: char| c.is_ascii_digit()).unwrap();
                texts[1].remove(last);
            }
            let text = texts.join(between);
            let found = Layout::detect(text.as_bytes(), form, None).unwrap();
            for least in [1, usize::MAX] {
                let told = read_in_pieces(text.as_bytes(), &found, least);
                let told = told.into_iter().map(|told| told.puzzle);
                let mut expected = all.map(|cells| Some(cells.replace('0', ".")));
                if damaged {
                    expected[1] = None;
                }
                assert_eq!(told.collect::<Vec<_>>(), expected, "{name} {least}");
            }
        }
    }
}

/// S9B has digits, or candidates as bits: bit 0 says that there is one, and bit 5 that 5 is a candidate. Two digits of
/// base 36 are enough for ten bits.
#[test]
fn s9b_that_is_given_has_digits_or_candidates() {
    let base_36 = |number: u32| {
        let digit = |digit| char::from_digit(digit, 36).unwrap();
        [digit(number / 36), digit(number % 36)]
    };
    let cell = |cell: char| match cell.to_digit(10) {
        None | Some(0) => base_36(0b11_1111_1110),
        Some(digit) => base_36(1 | 1 << digit),
    };
    for puzzle in PUZZLES {
        let code: String = puzzle.chars().flat_map(cell).collect();
        let texts = [
            format!("S9B{code}\n"),
            shared("s9b", &puzzle.replace('0', ".")),
        ];
        for text in texts {
            let found = Layout::detect(text.as_bytes(), Some(Form::S9b), None).unwrap();
            let told = read_in_pieces(text.as_bytes(), &found, 1);
            let told: Vec<_> = told.into_iter().map(|told| told.puzzle).collect();
            assert_eq!(told, [Some(puzzle.replace('0', "."))]);
        }
    }
}

/// One record in every format, by the name of the form, with what comes before the puzzle's line.
fn samples(cells: &str) -> Vec<(&'static str, String)> {
    let rows = |separator: &str| -> String {
        let row = |row: usize| {
            cells[9 * row..][..9]
                .split("")
                .collect::<Vec<_>>()
                .join(separator)
        };
        (0..9).map(|r| row(r).trim().to_owned() + "\n").collect()
    };
    vec![
        ("line", format!("{cells}\n")),
        (
            "line",
            format!("# a comment\n\n{cells} a trailer, with a comma\n"),
        ),
        ("line", format!("{cells},{cells}\n")),
        ("line", format!("\n{cells}\t7\n")),
        ("csv", format!("quizzes,solutions\n{cells},{cells}\n")),
        ("csv", format!("id,puzzle,solution\n1,{cells},\n")),
        (
            "csv",
            format!("source,question,answer,rating\nx,{cells},,1\n"),
        ),
        ("csv", format!("PUZZLE\n{cells}\n")),
        ("csv", format!("1,{cells}\n")),
        ("csv", format!("\"{cells}\",easy\n")),
        ("csv", format!("id;sudoku\n1;{cells}\n")),
        ("csv", format!("name,cells of it\n\"a, b\",\"{cells}\"\n")),
        ("tsv", format!("id\tpuzzle\n1\t{cells}\n")),
        ("tsv", format!("1\t{cells}\n")),
        ("jsonl", format!("{{\"puzzle\":\"{cells}\"}}\n")),
        ("jsonl", format!("{{\"n\": 1, \"board\": \"{cells}\"}}\n")),
        (
            "jsonl",
            format!("{{\"n\": 1, \"unheard of\": \"{cells}\"}}\n"),
        ),
        ("text", format!("0000183b305c {cells}  1.2\n")),
        ("text", format!("# names\neasy|{cells}|1\n")),
        ("block", rows("")),
        ("block", rows(" ")),
        ("block", format!("1\n{}", rows(" "))),
        ("block", format!("+-------+\n{}+-------+\n", rows(" "))),
        ("sdk", format!("#Aauthor\n[Puzzle]\n{}[State]\n", rows(""))),
    ]
}

#[test]
fn every_form_is_found() {
    for cells in PUZZLES {
        for (form, text) in samples(cells) {
            for (text, what) in [
                (text.clone(), "as it is"),
                (text.replace('\n', "\r\n"), "with CR LF"),
                (text.trim_end().to_owned(), "without its last line feed"),
            ] {
                let found = detect(text.as_bytes());
                assert_eq!(found.layout.form().name(), form, "{what}: {text:?}");
                let told = read_in_pieces(text.as_bytes(), &found, 1);
                let puzzles: Vec<_> = told
                    .iter()
                    .filter_map(|told| told.puzzle.as_deref())
                    .collect();
                assert_eq!(puzzles, [cells.replace('0', ".")], "{what}: {text:?}");
                assert_eq!(told.len(), 1, "{what}: {text:?}");
            }
        }
    }
}

/// Texts that are nearly of a form: what is taken for what.
#[test]
fn near_misses() {
    let cells = PUZZLES[0];
    let short = &cells[..80];
    for text in [
        "hello\n",
        "a,b,c\n1,2,3\n",
        "12345678\n",
        "[1, 2]\n",
        "\0\0\0\n",
        "\u{e9}t\u{e9}\n",
    ] {
        let error = Layout::detect(text.as_bytes(), None, None).unwrap_err();
        let shown = text.lines().next().unwrap();
        let shown = format!("cannot tell the format of this line: {shown:?}");
        assert_eq!(error.to_string(), shown, "{text:?}");
    }
    // The message says what comes closest, and where.
    let wide = "1 ".repeat(6) + "\n";
    for (text, line, closest) in [
        (
            format!("x,y\n1,{short}\n"),
            1,
            "line 2 comes closest, with 80 of 81 cells",
        ),
        (
            format!("\nhello\nat {} or {short}0.\n", &cells[..70]),
            2,
            "line 3 comes closest, with 82 of 81 cells",
        ),
        (
            "a game:\n".to_owned() + &wide.repeat(6),
            1,
            "lines 2 to 7 come closest, with 6 rows of 6 cells, and a puzzle has 9 rows of 9",
        ),
        (
            "a game:\n".to_owned() + &"|1|2| |4|5|6|7|8|9|\n".repeat(9),
            1,
            "lines 2 to 10 come closest, with 9 rows of 8 cells, and a puzzle has 9 rows of 9",
        ),
    ] {
        let error = Layout::detect(text.as_bytes(), None, None).unwrap_err();
        assert!(
            matches!(error, DetectError::Unknown { line: told, .. } if told == line),
            "{text}"
        );
        assert!(
            error.to_string().ends_with(&format!("; {closest}")),
            "{error}"
        );
    }
    // A character is shown whole.
    for before in ["", "a", "ab", "abc"] {
        let text = before.to_owned() + &"€".repeat(200) + "\n";
        let error = Layout::detect(text.as_bytes(), None, None).unwrap_err();
        let shown: String = text.chars().take(100).collect();
        assert!(
            error.to_string().ends_with(&format!("{shown:?}")),
            "{error}"
        );
    }
    for (text, form) in [
        // A malformed record first, and a good one later.
        (format!("{short}\n{cells}\n"), "line"),
        // A header that names the column, and a malformed first record.
        (format!("puzzle,n\n{short},1\n{cells},2\n"), "csv"),
        // The puzzle is first, so it is no table.
        (format!("{cells},1\n"), "line"),
        // A comma, but no field of 81 cells.
        (format!("note {cells} a, b\n"), "text"),
        (format!("{cells} {cells}\n"), "line"),
        (format!("x {cells}\n"), "text"),
        ("{not JSON\n".into(), "jsonl"),
        // Eight rows.
        ("123456789\n".repeat(8), "block"),
        (String::new(), "line"),
        ("# only comments\n\n".into(), "line"),
        ("puzzle,solution\n".into(), "csv"),
    ] {
        let found = detect(text.as_bytes());
        assert_eq!(found.layout.form().name(), form, "{text:?}");
    }
}

#[test]
fn the_column_is_the_one_that_is_named_or_looks_like_it() {
    let cells = PUZZLES[0];
    let other = PUZZLES[1];
    for (header, row, column, puzzle) in [
        // By the better name, wherever it stands.
        (
            "solution,puzzle",
            format!("{other},{cells}"),
            None,
            "puzzle",
        ),
        (
            "question,quizzes",
            format!("{other},{cells}"),
            None,
            "quizzes",
        ),
        // A column that is called so, and has none, is passed over.
        (
            "grid,puzzle,cells",
            format!("{cells},7,{other}"),
            None,
            "grid",
        ),
        ("id,cells", format!("1,{cells}"), None, "cells"),
        (
            "puzzle,other",
            format!("{other},{cells}"),
            Some("other"),
            "other",
        ),
        (
            "puzzle,other",
            format!("{other},{cells}"),
            Some("2"),
            "other",
        ),
    ] {
        let text = format!("{header}\n{row}\n");
        let found = Layout::detect(text.as_bytes(), None, column).unwrap();
        let number = found.layout.puzzle_column().unwrap();
        assert_eq!(found.layout.columns()[number], puzzle, "{text}");
        let told = read_in_pieces(text.as_bytes(), &found, 1);
        assert_eq!(told[0].puzzle.as_deref(), Some(cells), "{text}");
    }
    let text = format!("id,puzzle\n1,{cells}\n");
    let error = Layout::detect(text.as_bytes(), None, Some("board")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no column board; the columns are: id, puzzle"
    );
}

/// The first bytes choose the column, whatever follows them.
#[test]
fn bytes_beyond_the_head_choose_nothing() {
    let (cells, grid) = (PUZZLES[0], puzzles::SOLUTIONS[0]);
    for (rows, column) in [(1500, "b"), (300, "b"), (2, "b")] {
        // In the second half of the head, and after it, the columns change places.
        let values = |row: usize| match row * 170 < Layout::HEAD / 3 * 2 {
            true => [grid, cells],
            false => [cells, grid],
        };
        let row = |row| format!("{row},{}\n", values(row).join(","));
        let object = |row| {
            format!(
                "{{\"a\":\"{}\",\"b\":\"{}\"}}\n",
                values(row)[0],
                values(row)[1]
            )
        };
        let table = "n,a,b\n".to_owned() + &(0..rows).map(row).collect::<String>();
        let objects: String = (0..rows).map(object).collect();
        for text in [table, objects] {
            let whole = detect(text.as_bytes());
            let number = whole.layout.puzzle_column().unwrap();
            assert_eq!(whole.layout.columns()[number], column);
            for more in [0, 1, 50, 100, 1000, 50_000] {
                let head = &text.as_bytes()[..text.len().min(Layout::HEAD + more)];
                assert_eq!(detect(head), whole, "{more}");
            }
        }
    }
}

/// Rows and lines that are malformed, in the words of the program, and that spoil themselves
/// only.
#[test]
fn a_malformed_record_spoils_itself_only() {
    let (cells, other) = (PUZZLES[0], PUZZLES[1]);
    for (form, table) in [
        ("id,puzzle\n1,CELLS\nROW\n3,OTHER\n", OF_CSV),
        (
            "{\"puzzle\":\"CELLS\"}\nROW\n{\"puzzle\":\"OTHER\"}\n",
            OF_JSON,
        ),
        ("a CELLS 1\nROW\nb OTHER 2\n", OF_TEXT),
    ] {
        for entry in table.lines() {
            let words: Vec<&str> = entry.splitn(3, " | ").collect();
            let &[record, line, message] = &words[..] else {
                panic!("{entry}");
            };
            let text = form.replace("ROW", &record.replace("\\n", "\n").replace("NUL", "\0"));
            let text = text.replace("CELLS", cells).replace("SHORT", &cells[..80]);
            let text = text.replace("OTHER", other);
            let found = detect(text.as_bytes());
            let mut read = Records::default();
            read.add_lines(found.skipped_lines);
            (found.layout).read(&text.as_bytes()[found.skipped..], &mut read);
            assert_eq!(read.len(), 3, "{entry}");
            let errors =
                (0..3).filter_map(|i| Some(format!("{} | {}", read.line(i), read.error(i)?)));
            assert_eq!(
                errors.collect::<Vec<_>>(),
                [format!("{line} | {message}")],
                "{entry}"
            );
            assert_eq!(read.puzzle(2).unwrap().to_string(), other);
        }
    }
}

/// A malformed row, the line of its error, and the error.
const OF_CSV: &str = "\
2,SHORT | 3 | column 83: end of line where a cell should be
2,SHORTz | 3 | column 83: 'z' where a cell should be
2,CELLS5 | 3 | column 84: '5' where the end of the field should be
2 | 3 | column 2: end of line where field 2 of 2 should be
2,CELLS,x | 3 | column 84: ',' where the end of a row of 2 fields should be
\"2,CELLS | 3 | column 1: '\"' where a quoted field that ends with a quote and a delimiter should be
\"2\"x,CELLS | 3 | column 1: '\"' where a quoted field that ends with a quote and a delimiter should be
2, | 3 | column 3: end of line where a cell should be
\"a\\nb\",12 | 4 | column 6: end of line where a cell should be";

const OF_JSON: &str = r#"{"puzzle":"12"} | 2 | column 14: '"' where a cell should be
{"puzzle":12} | 2 | column 11: '1' where a string of 81 cells should be
{"puzle":"12"} | 2 | column 15: end of line where the key of the puzzle should be
{"puzzle":"12" | 2 | column 15: end of line where JSON should be
{"puzzle" "12"} | 2 | column 11: '"' where JSON should be
[] | 2 | column 1: '[' where a JSON object should be
{"x":"NUL"} | 2 | column 7: '\0' where JSON should be"#;

const OF_TEXT: &str = "\
c 12z 3 | 2 | column 5: 'z' where a cell should be
c | 2 | column 2: end of line where a cell should be
c CELLS1 | 2 | column 84: '1' where the end of the field should be";

/// A second row with more fields than the header has cells in a column that has no name.
#[test]
fn cells_beyond_the_header_are_no_column() {
    let text = format!("a,b\nx,y,{}\n", PUZZLES[0]);
    let error = Layout::detect(text.as_bytes(), Some(Form::Csv), None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no column with a puzzle; the columns are: a, b"
    );
    // With a name for puzzles that is the column, and the row is malformed.
    let text = format!("a,puzzle\nx,y,{}\n", PUZZLES[0]);
    let found = detect(text.as_bytes());
    assert_eq!(found.layout.puzzle_column(), Some(1));
    assert!(
        read_in_pieces(text.as_bytes(), &found, 1)[0]
            .puzzle
            .is_none()
    );
}

/// JSON allows an escape that is half of a character, which no text can hold.
#[test]
fn half_a_character_is_no_puzzle() {
    let text = format!(
        "{{\"puzzle\":\"\\ud800\"}}\n{{\"puzzle\":\"{}\",\"note\":\"\\udc00\"}}\n",
        PUZZLES[0]
    );
    let found = detect(text.as_bytes());
    let mut records = Records::default();
    found.layout.read(text.as_bytes(), &mut records);
    assert_eq!(
        records.error(0).unwrap().to_string(),
        "column 11: '\"' where a string of 81 cells should be"
    );
    assert!(records.puzzle(1).is_ok());
    let note = found.layout.column("note").unwrap();
    let said = found.layout.value(records.text(1), &note).unwrap();
    assert_eq!(*said, *br#""\udc00""#);
}

/// Nine lines for each puzzle, all with this end, and a blank line between puzzles.
fn blocks(end: &str) -> String {
    let block = |cells: &&str| -> String {
        let rows = (0..9).map(|row| cells[9 * row..][..9].to_owned() + end);
        rows.collect()
    };
    PUZZLES.iter().map(block).collect::<Vec<_>>().join(end)
}

/// A cut may fall on any byte, also between the CR and the LF of a row.
#[test]
fn blocks_are_cut_at_blank_lines_alone() {
    for end in ["\n", "\r\n", "\r"] {
        let text = blocks(end);
        let found = detect(text.as_bytes());
        let whole = read_in_pieces(text.as_bytes(), &found, usize::MAX);
        let puzzles: Vec<_> = whole.iter().map(|told| told.puzzle.clone()).collect();
        let expected = PUZZLES.map(|cells| Some(cells.replace('0', ".")));
        assert_eq!(puzzles, expected, "{end:?}");
        for least in 1..text.len() {
            assert_eq!(
                read_in_pieces(text.as_bytes(), &found, least),
                whole,
                "{end:?} {least}"
            );
        }
    }
}

/// Only a text with the section of puzzles has sections. In another one a name in brackets is a
/// malformed row wherever the text is cut, and what follows it is read.
#[test]
fn a_name_in_brackets_alone_begins_no_section() {
    let text = blocks("\n").replacen("\n\n", "\n\n[State]\n\n", 1);
    let found = detect(text.as_bytes());
    let whole = read_in_pieces(text.as_bytes(), &found, usize::MAX);
    let lines: Vec<_> = whole
        .iter()
        .map(|told| (told.line, told.puzzle.is_some()))
        .collect();
    assert_eq!(lines, [(1, true), (11, false), (13, true), (23, true)]);
    for least in 1..text.len() {
        assert_eq!(
            read_in_pieces(text.as_bytes(), &found, least),
            whole,
            "{least}"
        );
    }
}

/// A text is cut where a section begins. Whether one does is known when its line has an end, and
/// a name that is not at the start of its line begins none.
#[test]
fn sections_are_cut_at_their_names() {
    let block = blocks("\n");
    let text = format!("[Puzzle]\n{block}\n [Puzzle]\n{block}\n[Puzzle]x\n\n[Puzzle]\n{block}");
    let found = Layout::detect(text.as_bytes(), Some(Form::Sdk), None).unwrap();
    let whole = read_in_pieces(text.as_bytes(), &found, usize::MAX);
    let good = whole.iter().filter(|told| told.puzzle.is_some()).count();
    assert_eq!((whole.len(), good), (10, 8));
    for least in 1..text.len() {
        assert_eq!(
            read_in_pieces(text.as_bytes(), &found, least),
            whole,
            "{least}"
        );
        let border = found.layout.record_end(text.as_bytes(), least);
        for known in 0..text.len() {
            let early = found.layout.record_end(&text.as_bytes()[..known], least);
            assert!(early.is_none() || early == border, "{least} {known}");
        }
    }
}

/// JSON that is one array, or objects of several lines, is no JSON lines: where these are asked for, it is refused with
/// its place and the way out. JSON lines with a broken line are not. The puzzles are read if no form is asked for.
#[test]
fn json_that_is_not_lines_is_refused() {
    let puzzle =
        "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
    let object = |id: usize| format!("{{\"id\": {id}, \"puzzle\": \"{puzzle}\"}}");
    let pretty = |id: usize| format!("{{\n  \"id\": {id},\n  \"puzzle\": \"{puzzle}\"\n}}");
    let (one, two) = (object(1), object(2));
    let of_array = "an array of JSON where a JSON object on each line should be: jq -c '.[]' FILE writes lines";
    let of_strings = of_array.replace("-c", "-r");
    let of_object = "an object of several lines where a JSON object on each line should be: jq -c . FILE writes lines";
    let long = format!("[\n{}\n]\n", vec![object(7); 2000].join(",\n"));
    for (text, line, column, says) in [
        (format!("[{one}, {two}]"), 1, 1, of_array),
        (format!("[{one}]\n"), 1, 1, of_array),
        (format!("  [ {one},\n{two}]\n"), 1, 3, of_array),
        (format!("\r\n\n[\n  {one},\n  {two}\n]\n"), 3, 1, of_array),
        (
            format!("[\n{},\n{}\n]\n", pretty(1), pretty(2)),
            1,
            1,
            of_array,
        ),
        (
            format!("[[\"a\", \"{puzzle}\"], [\"b\", \"{puzzle}\"]]"),
            1,
            1,
            of_array,
        ),
        ("[]\n".to_owned(), 1, 1, of_array),
        (long[..1000].to_owned(), 1, 1, of_array),
        (long, 1, 1, of_array),
        (
            format!("[\"{puzzle}\", \"{puzzle}\"]\n"),
            1,
            1,
            &*of_strings,
        ),
        (
            format!("[\"{puzzle}\",\n\"{puzzle}\"]\n"),
            1,
            1,
            &of_strings,
        ),
        (pretty(1), 1, 1, of_object),
        (format!("{}\n{}\n", pretty(1), pretty(2)), 1, 1, of_object),
        (format!("\n {}", pretty(1)), 2, 2, of_object),
        (pretty(1)[..40].to_owned(), 1, 1, of_object),
    ] {
        let puzzles = text.matches(puzzle).count();
        if puzzles > 0 {
            let found = detect(text.as_bytes());
            let mut read = Records::default();
            found.layout.read(text.as_bytes(), &mut read);
            let good = (0..read.len()).filter(|&at| read.own_cells(at) == puzzle.as_bytes());
            // An object that is cut off is a malformed record.
            let cut_off = usize::from(!text.trim_end().ends_with([']', '}']));
            assert_eq!(
                (read.len(), good.count()),
                (puzzles + cut_off, puzzles),
                "{text:.200}"
            );
        }
        let forms = [Some(Form::Jsonl)]
            .into_iter()
            .chain((puzzles == 0).then_some(None));
        for form in forms {
            let error = Layout::detect(text.as_bytes(), form, None).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("column {column}: {says}"),
                "{text:.200}"
            );
            let DetectError::NotLines {
                line: found,
                column: at,
                ..
            } = error
            else {
                panic!("{error}");
            };
            assert_eq!((found, at), (line, column), "{text:.200}");
        }
    }
    // A broken line does not hide that the others are lines, nor that a form was asked for.
    for (text, form, records) in [
        (format!("{one}\n{two}\n"), None, [true, true]),
        (format!("{{\"id\":\n{two}\n"), None, [false, true]),
        (format!("{one}\n[{two}]\n"), None, [true, false]),
        ("{]\n{\n".to_owned(), None, [false, false]),
        (
            format!("[\"a\", \"{puzzle}\"]\n[\"b\", \"{puzzle}\"]\n"),
            None,
            [true, true],
        ),
        (format!("[{one},\n{two}]\n"), Some(Form::Text), [true, true]),
    ] {
        let found = Layout::detect(text.as_bytes(), form, None).unwrap();
        let mut read = Records::default();
        found.layout.read(text.as_bytes(), &mut read);
        let good: Vec<_> = (0..read.len()).map(|at| read.error(at).is_none()).collect();
        assert_eq!(good, records, "{text}");
    }
    assert!(
        Layout::detect(b"[Puzzle]\n", None, None)
            .is_ok_and(|found| found.layout.form() == Form::Sdk)
    );
}

/// The header and the rule of a table in Markdown are no records.
#[test]
fn a_table_of_markdown_has_a_header() {
    let puzzle = ".".repeat(80) + "7";
    let rows = format!("| 1 | {puzzle} | 0.3 |\n|  | {puzzle} | |\n");
    for header in [
        "| # | puzzle | rating |\n|---|:---:|---:|\n",
        "| a |\r\n| --- |\r\n",
    ] {
        let text = format!("{header}{rows}");
        let found = detect(text.as_bytes());
        assert_eq!(
            (found.layout.form(), found.skipped, found.skipped_lines),
            (Form::Text, header.len(), 2)
        );
        let mut records = Records::default();
        records.add_lines(found.skipped_lines);
        found.layout.read(rows.as_bytes(), &mut records);
        assert_eq!((records.len(), records.line(0), records.line(1)), (2, 3, 4));
        assert!((0..2).all(|at| records.own_cells(at) == puzzle.as_bytes()));
    }
}
