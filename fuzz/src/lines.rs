//! Lines of 81 cells, against the rule of `docs/using.md` written once more; whole and in pieces.

use super::{
    material,
    oracle::{is_cell, lines, puzzle_of},
    records::{Found, found},
};
use sudoku_batch::{
    Puzzle,
    format::{Records, line},
};

/// Reads a text, whole, in pieces, and line by line.
pub fn run(data: &[u8]) {
    let text = material::text(data);
    let mut records = Records::default();
    line::read(&text, &mut records);
    let all = lines(&text);
    assert_eq!(records.lines(), all.len() as u64);
    let read = found(&records, 0);
    // Long words may be candidates, which have a target of their own.
    let is_long = |line: &Found| line.text.len() > 405;
    let [of_reader, of_rule] = [&read, &expected(&text)].map(|all| {
        let short = all.iter().filter(|line| !is_long(line));
        short.cloned().collect::<Vec<_>>()
    });
    assert_eq!(of_reader, of_rule);

    // In pieces of whole lines, all of which go to one set of records.
    let mut pieces = Records::default();
    let mut start = 0;
    for (number, &(.., next)) in all.iter().enumerate() {
        if number % 3 != 0 || next == text.len() {
            line::read(&text[start..next], &mut pieces);
            start = next;
        }
    }
    assert_eq!(found(&pieces, 0), read);

    // One by one, as `Puzzle` is parsed.
    for record in read {
        let Ok(line) = str::from_utf8(&record.text) else {
            continue;
        };
        let parsed = line.parse::<Puzzle>().map(|puzzle| *puzzle.as_ascii());
        assert_eq!(parsed.ok(), record.puzzle, "{line:?}");
    }
}

/// The records by the rule: a line that is not blank and does not start with `#` is one; 81
/// cells come first, and after them the end or one of a few characters.
fn expected(text: &[u8]) -> Vec<Found> {
    let mut expected = Vec::new();
    for (number, &(start, end, _)) in lines(text).iter().enumerate() {
        let line = &text[start..end];
        if line.first() == Some(&b'#') || line.iter().all(|c| b" \t\n\x0c\r".contains(c)) {
            continue;
        }
        let cells = line.iter().take(81).take_while(|&&c| is_cell(c)).count();
        let ends = line.get(81).is_none_or(|c| b" \t,;:#".contains(c));
        let good = cells == 81 && ends;
        expected.push(Found {
            line: number as u64 + 1,
            text: line.to_vec(),
            puzzle: good.then(|| puzzle_of(line)),
            column: (!good).then_some(cells + 1),
        });
    }
    expected
}
