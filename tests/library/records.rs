//! Records: their cells, lines, texts and errors. Lines of text.

use crate::support::puzzles::PUZZLES;
use sudoku_batch::{
    Grid, ParseError, Puzzle,
    format::{Records, line::read},
};

const CLUES: &[u8; 81] = PUZZLES[0].as_bytes().first_chunk().unwrap();

fn line(tail: &str) -> Vec<u8> {
    [CLUES, tail.as_bytes()].concat()
}

/// The records of a text.
fn read_all(text: &[u8]) -> Records {
    let mut records = Records::default();
    read(text, &mut records);
    records
}

#[test]
fn a_trailer_is_ignored() {
    for tail in ["", " ", "\t5", ",solution", ";", ":1:x", "# note"] {
        for end in ["", "\n", "\r\n", "\r"] {
            let text = line(&format!("{tail}{end}"));
            let records = read_all(&text);
            assert_eq!((records.len(), records.lines()), (1, 1), "{tail:?}");
            assert_eq!(records.cells(), Some(&[*CLUES][..]), "{tail:?}");
            assert_eq!(records.text(0), line(tail));
            let parsed = str::from_utf8(&text).unwrap().parse();
            assert_eq!(parsed, records.puzzle_of_cells(0));
        }
    }
}

#[test]
fn any_blank_will_do() {
    for blank in *b".0*_-?xX" {
        let text = CLUES.map(|c| if c == b'.' { blank } else { c });
        let puzzle: Puzzle = str::from_utf8(&text).unwrap().parse().unwrap();
        assert_eq!(puzzle.as_ascii(), CLUES);
        let records = read_all(&text);
        assert_eq!(records.puzzle_of_cells(0), Ok(puzzle));
        assert_eq!(records.text(0), text);
    }
}

#[test]
fn lines_without_a_record() {
    for text in ["", "\r", " \t ", "#", "# 1..", "#\u{ff}"] {
        assert!(read_all(text.as_bytes()).is_empty());
        assert!(text.parse::<Puzzle>().is_err());
    }
}

#[test]
fn records_are_counted_by_line() {
    let plain = line("\n");
    let (noted, rewritten) = (line(" 5\r\n"), b"x".repeat(81));
    let text = [
        &plain[..],
        &plain,
        b"# note\n",
        &plain,
        b"bad\r\n\n",
        &noted,
        &plain,
        &rewritten,
    ];
    let records = read_all(&text.concat());
    assert_eq!((records.len(), records.lines()), (7, 9));
    let lines: Vec<_> = (0..7).map(|i| records.line(i)).collect();
    assert_eq!(lines, [1, 2, 4, 5, 7, 8, 9]);
    let bad: Vec<_> = (0..7).filter(|&i| records.error(i).is_some()).collect();
    assert_eq!(bad, [3]);
    assert_eq!(records.text(3), b"bad");
    assert_eq!(records.text(4), line(" 5"));
    assert_eq!(records.text(5), CLUES);
    assert_eq!(records.text(6), rewritten);
    // A text in two pieces. The second piece has different memory before it.
    let mut pieces = Records::default();
    read(&text[..3].concat(), &mut pieces);
    read(&text[3..].concat(), &mut pieces);
    let of = |records: &Records, i| (records.line(i), records.text(i).to_vec());
    for i in 0..7 {
        assert_eq!(of(&pieces, i), of(&records, i));
    }
}

/// The rule in words, written with `str::replace`: a text has the same records in the same
/// lines for every kind of line end.
#[test]
fn however_lines_end_the_records_are_the_same() {
    let plain = String::from_utf8(line("")).unwrap();
    let text = format!("{plain}\n# a\n\n{plain} note\nbad\n{plain}\n{plain}\n");
    let expected = read_all(text.as_bytes());
    assert_eq!((expected.len(), expected.lines()), (5, 7));
    let mixed = [text.replacen('\n', "\r", 3), text.replacen('\n', "\r\n", 2)];
    let ends = ["\r", "\r\n"].map(|end| text.replace('\n', end));
    for other in ends.iter().chain(&mixed) {
        for other in [other, other.trim_ascii_end()] {
            let records = read_all(other.as_bytes());
            assert_eq!(records.lines(), 7, "{other:?}");
            let of = |records: &Records, i| {
                (
                    records.puzzle_of_cells(i),
                    records.line(i),
                    records.text(i).to_vec(),
                )
            };
            for i in 0..5 {
                assert_eq!(of(&records, i), of(&expected, i), "{other:?}");
            }
        }
    }
    let two = format!("{plain}\r{plain}").parse::<Puzzle>().unwrap_err();
    assert_eq!(two.column, 82);
}

#[test]
fn errors_say_where_and_what() {
    let message = |text: &[u8]| read_all(text).error(0).unwrap().to_string();
    assert_eq!(
        message(&CLUES[..80]),
        "column 81: end of line where a cell should be"
    );
    assert_eq!(
        message(b" 12"),
        "column 4: end of line where a cell should be"
    );
    assert_eq!(message(b"12\t"), "column 3: '\\t' where a cell should be");
    assert_eq!(
        message("1é".as_bytes()),
        "column 2: 'é' where a cell should be"
    );
    assert_eq!(
        message(b"1\xff2"),
        "column 2: byte 0xff where a cell should be"
    );
    assert_eq!(
        message(&line("5")),
        "column 82: '5' where the end of the line or a trailer should be"
    );
    let grid = str::from_utf8(CLUES).unwrap().parse::<Grid>().unwrap_err();
    assert_eq!(grid.to_string(), "column 2: '.' where a digit should be");
}

#[test]
fn cells_are_digits_and_blanks_as_the_solver_takes_them() {
    for c in 0..=u8::MAX {
        let mut records = Records::default();
        let mut cells = [b'5'; 81];
        cells[40] = c;
        let pushed = records.push_cells(7, &cells);
        let is_blank = b".0*_-?xX".contains(&c);
        if !is_blank && !matches!(c, b'1'..=b'9') {
            assert_eq!(pushed.unwrap_err().column, 41);
            assert!(records.is_empty());
            continue;
        }
        assert_eq!(pushed, Ok(()));
        assert_eq!((records.line(0), records.text(0)), (7, &cells[..]));
        let low = records.cells().unwrap()[0][40] & 15;
        assert_eq!(is_blank, low == 0 || low > 9, "{c}");
        let clue = records.puzzle_of_cells(0).unwrap().as_ascii()[40];
        assert_eq!(clue, if is_blank { b'.' } else { c });
    }
}

#[test]
fn lines_and_texts_are_those_of_each_record() {
    let mut records = Records::default();
    let error: ParseError = "".parse::<Puzzle>().unwrap_err();
    let mut expected = Vec::new();
    // Lines that follow each other, with gaps, and that come again.
    for (i, line) in [1, 2, 3, 7, 8, 8, 20, 21, 5].into_iter().enumerate() {
        let text = format!("text {i}");
        match i % 3 {
            0 => {
                records.push_cells(line, &[b'.'; 81]).unwrap();
                expected.push((line, ".".repeat(81), false));
            }
            1 => {
                records.push_cells(line, &[b'x'; 81]).unwrap();
                records.set_text(b"longer than that which comes after it");
                records.set_text(text.as_bytes());
                expected.push((line, text, false));
            }
            _ => {
                records.push_error(line, error, text.as_bytes());
                expected.push((line, text, true));
            }
        }
    }
    for _ in 0..2 {
        assert_eq!(records.len(), expected.len());
        for (i, (line, text, malformed)) in expected.iter().enumerate() {
            assert_eq!(records.line(i), *line);
            assert_eq!(records.text(i), text.as_bytes());
            assert_eq!(records.puzzle_of_cells(i).is_err(), *malformed);
        }
        records.clear();
        assert_eq!((records.len(), records.lines()), (0, 0));
        expected = vec![(4, "1".repeat(81), false)];
        records.push_cells(4, &[b'1'; 81]).unwrap();
    }
}

#[test]
fn any_end_of_a_line() {
    for (text, lines, texts) in [
        ("a", 1, &[(1, "a")][..]),
        ("a\n", 1, &[(1, "a")]),
        ("a\r", 1, &[(1, "a")]),
        ("a\r\n", 1, &[(1, "a")]),
        ("a\nb\n", 2, &[(1, "a"), (2, "b")]),
        ("a\rb\n", 2, &[(1, "a"), (2, "b")]),
        ("a\r\nb", 2, &[(1, "a"), (2, "b")]),
        ("a\n\rb", 3, &[(1, "a"), (3, "b")]),
        ("\r\r\n", 2, &[]),
        ("\n", 1, &[]),
    ] {
        let records = read_all(text.as_bytes());
        let found: Vec<_> = (0..records.len())
            .map(|i| (records.line(i), str::from_utf8(records.text(i)).unwrap()))
            .collect();
        assert_eq!(
            (records.lines(), found.as_slice()),
            (lines, texts),
            "{text:?}"
        );
    }
}
