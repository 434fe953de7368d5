//! Records of nine lines: their layouts, errors and texts.

use crate::support::puzzles::PUZZLES;
use sudoku_batch::format::{Form, Layout, Records, block};

const CLUES: &str = PUZZLES[0];

/// The nine lines of a puzzle, changed by `row`.
fn block(row: impl Fn(&str) -> String) -> String {
    (0..9).map(|r| row(&CLUES[9 * r..][..9]) + "\n").collect()
}

fn spaced(row: &str) -> String {
    row.split("").collect::<Vec<_>>().join(" ").trim().into()
}

/// Line and puzzle or error of each.
fn read(text: &str) -> Vec<String> {
    let mut records = Records::default();
    block::read(text.as_bytes(), false, &mut records);
    let lines = text
        .replace("\r\n", "\n")
        .replace('\r', "\n")
        .lines()
        .count();
    assert_eq!(records.lines(), lines as u64);
    let found = |i| match records.puzzle_of_cells(i) {
        Ok(puzzle) => format!("{}: {puzzle}", records.line(i)),
        Err(error) => format!("{}: {error}", records.line(i)),
    };
    (0..records.len()).map(found).collect()
}

#[test]
fn any_layout_of_nine_lines_is_read() {
    let plain = block(str::to_owned);
    let layouts = [
        plain.clone(),
        block(spaced),
        block(|row| row.replace('.', "0")),
        block(|row| spaced(row).replace('.', "$")),
        block(|row| format!(" {} \t", spaced(row))),
        plain.replace('\n', "\r\n"),
        plain.replace('\n', "\r"),
        plain.trim_end().into(),
    ];
    for text in layouts {
        assert_eq!(read(&text), [format!("1: {CLUES}")], "{text}");
        for (between, second) in [("", 10), ("\n", 11), ("\r\n \n", 12)] {
            let end = if text.ends_with('\n') { "" } else { "\n" };
            let two = format!("{text}{end}{between}{text}");
            let expected = [format!("1: {CLUES}"), format!("{second}: {CLUES}")];
            assert_eq!(read(&two), expected, "{two}");
        }
    }
}

#[test]
fn a_first_line_may_announce_the_number_of_puzzles() {
    for (first, announced) in [("1", Some(1)), (" 1000000\r", Some(1_000_000))] {
        let text = format!("{first}\n{}", block(spaced));
        let mut records = Records::default();
        let found = block::read(text.as_bytes(), false, &mut records);
        assert_eq!(found, announced);
        assert_eq!((records.len(), records.line(0)), (1, 2));
    }
    assert_eq!(read("123456789"), ["1: 1 row, 9 expected"]);
    assert_eq!(read("# a comment\n7\n"), [""; 0]);
}

#[test]
fn a_malformed_line_spoils_its_puzzle_only() {
    let good = block(spaced);
    let lines: Vec<&str> = good.lines().collect();
    let with = |row: usize, line: &str| {
        let mut lines = lines.clone();
        lines[row] = line;
        lines.join("\n") + "\n"
    };
    let cases = [
        (
            with(2, "1 . . a . . . . ."),
            "3: column 7: 'a' where a cell should be",
        ),
        (
            with(8, "1 . . ."),
            "9: column 8: end of line where a cell should be",
        ),
        (
            with(0, "1........5"),
            "1: column 10: '5' where the end of the row should be",
        ),
    ];
    for (bad, message) in cases {
        let found = read(&format!("{bad}\n{good}"));
        assert_eq!(found[0], message);
        assert_eq!(found.last().unwrap(), &format!("11: {CLUES}"));
    }
    assert_eq!(read(&lines[..3].join("\n")), ["1: 3 rows, 9 expected"]);
    assert!(read("").is_empty() && read("\n\r\n").is_empty());
}

/// Blocks of any number of rows, with blank lines between: each is one record, and
/// those of nine rows are read, whatever stands before them.
#[test]
fn a_block_of_too_few_or_too_many_rows_is_one_record() {
    let good = block(spaced);
    let rows = |count: usize| {
        good.repeat(2)
            .lines()
            .take(count)
            .collect::<Vec<_>>()
            .join("\n")
    };
    for wrong in (1..9).chain(10..18) {
        let text = [good.trim_end(), &rows(wrong), "# a comment", &good].join("\n\n");
        let plural = if wrong == 1 { "" } else { "s" };
        let expected = [
            format!("1: {CLUES}"),
            format!("11: {wrong} row{plural}, 9 expected"),
            format!("{}: {CLUES}", 14 + wrong),
        ];
        assert_eq!(read(&text), expected, "{text}");
    }
    // A blank line that is missing between two blocks.
    let text = [good.trim_end(), &rows(18), &good].join("\n\n");
    let expected = [1, 11, 20, 30].map(|line| format!("{line}: {CLUES}"));
    assert_eq!(read(&text), expected);
    // Without blank lines the last block may be short.
    let expected = [format!("1: {CLUES}"), "10: 8 rows, 9 expected".into()];
    assert_eq!(read(&rows(17)), expected);
}

/// A malformed record keeps its rows.
#[test]
fn the_text_of_a_malformed_block_is_its_rows() {
    let good = block(spaced);
    let short = "1 2 3 . . . . . .\n# a comment\n . x 5\t\n";
    let bad_row = good.replacen("2 . 1 .", "2 . Z .", 1);
    let long = format!("{good}1........\n");
    let text = format!("{good}\n{short}\n{bad_row}\n{long}\r\n{good}");
    let expected = [short.trim_end(), bad_row.trim_end(), long.trim_end()];
    let mut records = Records::default();
    block::read(text.as_bytes(), false, &mut records);
    let bad = (0..records.len()).filter(|&i| records.error(i).is_some());
    let texts: Vec<_> = bad.map(|i| records.text(i)).collect();
    assert_eq!(texts, expected.map(str::as_bytes));
}

#[test]
fn comments_are_no_rows() {
    let commented = format!("# a\n{}# b\n", block(spaced).replace('\n', "\n# c\n"));
    for text in [commented.clone(), commented.repeat(3)] {
        let found = read(&text);
        assert_eq!(found.len(), text.len() / commented.len());
        assert_eq!(found[0], format!("2: {CLUES}"));
        assert!(found.iter().all(|record| record.ends_with(CLUES)));
    }
}

/// Block `i`, with another puzzle in each, in a frame or not.
fn numbered(i: usize, is_framed: bool) -> String {
    let rule = if is_framed { "+---+---+---+\n" } else { "" };
    let row = |row: usize| {
        let mut cells = CLUES[9 * row..][..9].to_owned();
        cells.replace_range(i % 9..=i % 9, &(i % 7 + 1).to_string());
        if is_framed {
            cells = format!("|{}|{}|{}|", &cells[..3], &cells[3..6], &cells[6..]);
        }
        format!("{cells}\n{}", if row % 3 == 2 { rule } else { "" })
    };
    rule.to_owned() + &(0..9).map(row).collect::<String>()
}

/// Lines and puzzles, or errors.
fn found(records: &Records, before: u64) -> Vec<(u64, String)> {
    let of_record = |i| {
        let puzzle = records.puzzle(i);
        let text = puzzle.map_or_else(|error| error.to_string(), |p| p.to_string());
        (before + records.line(i), text)
    };
    (0..records.len()).map(of_record).collect()
}

/// Pieces of any size have the records that one reader finds in the whole text.
#[test]
fn pieces_of_blocks_are_those_of_one_reader() {
    for (style, count) in [0, 1, 2, 30].into_iter().cycle().take(64).enumerate() {
        let is_framed = style & 1 > 0;
        let between = if style & 2 > 0 { "\n" } else { "" };
        let first = ["", "30\n", "# a comment\n\n30\n\n", "+---+---+---+\n30\n"][style >> 2 & 3];
        let end = ["\n", "\r\n", "\r", "\n"][style >> 4];
        // The first row of a block may look like a count line.
        let mut blocks: Vec<_> = (0..count).map(|i| numbered(i, is_framed)).collect();
        if count > 9 && style >> 4 == 3 {
            blocks[9] = blocks[9].replacen("4.", "30\n# ", 1);
        }
        let text = (first.to_owned() + &blocks.join(between)).replace('\n', end);
        let mut records = Records::default();
        block::read(text.as_bytes(), false, &mut records);
        let expected = found(&records, 0);
        let detected = Layout::detect(text.as_bytes(), Some(Form::Block), None).unwrap();
        assert_eq!(detected.announced, (!first.is_empty()).then_some(30));
        for least in (1..40).chain([90, 91, 180, 999, 1500, 100_000]) {
            let mut piece_end = detected.piece_ends();
            let (mut pieces, mut before, mut at) = (Vec::new(), 0, 0);
            while at < text.len() {
                let rest = &text.as_bytes()[at..];
                // The bytes arrive a few at a time.
                let known = (least..rest.len()).step_by(37);
                let length = known
                    .chain([rest.len()])
                    .find_map(|known| piece_end(&rest[..known], least));
                let length = length.unwrap_or(rest.len());
                assert!(length >= least || length == rest.len());
                let skipped = if at == 0 { detected.skipped } else { 0 };
                let mut records = Records::default();
                records.add_lines(if at == 0 { detected.skipped_lines } else { 0 });
                (detected.layout).read(&rest[skipped..length], &mut records);
                pieces.extend(found(&records, before));
                before += records.lines();
                at += length;
            }
            assert_eq!(pieces, expected, "{least} {text}");
        }
    }
}

#[test]
fn a_number_before_frames_begins_blocks() {
    for first in ["2\n", "# a comment\n2\n\n", "+---+---+---+\n2\n"] {
        let text = format!("{first}{}{}", numbered(0, true), numbered(1, true));
        let found = Layout::detect(text.as_bytes(), None, None).unwrap();
        assert_eq!(found.layout.form(), Form::Block);
        let count_line = first.trim_end().len() + 1;
        assert_eq!((found.skipped, found.announced), (count_line, Some(2)));
    }
}
