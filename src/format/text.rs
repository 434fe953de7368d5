//! Lines with the puzzle somewhere among other words.
//!
//! ```text
//!     0000183b305c 050703060007000800000816000000030000005000100730040086906000204840572093  1.2
//!     hash         the puzzle: the first word that is 81 cells                                rating
//! ```
//!
//! The puzzle may also be 729 candidates. Words end at white space and at any of `, ; :
//! " '`. Blank lines and lines that start with `#` are not records.

use super::{
    Expected, ParseError, Records,
    candidates::{self, WithBlank},
    is_cell, line,
    records::{LeftOut, checked},
    split_line, unexpected,
};
use crate::grid::CELLS;
use std::ops::Range;

/// Reads the lines of a text that holds whole lines, and appends their records. The text of a
/// record is its line. `word` is the number, from 0, of the word that is usually the puzzle. If no
/// word of a line is 81 cells, the error points into this word.
///
/// ```
/// use sudoku_batch::format::{Records, text};
/// let mut records = Records::default();
/// text::read(format!("7f {} 1.2\n7e 12z 1.2\n", ".".repeat(81)).as_bytes(), 1, &mut records);
/// assert_eq!(records.puzzle(0).unwrap().clue_count(), 0);
/// assert_eq!(
///     records.error(1).unwrap().to_string(),
///     "column 6: 'z' where a cell should be"
/// );
/// ```
pub fn read(mut text: &[u8], word: usize, records: &mut Records) {
    while !text.is_empty() {
        let (line, rest) = split_line(text);
        text = rest;
        records.add_lines(1);
        let number = records.lines();
        if line::is_skipped(line) || is_rule_of_markdown(line) {
            line::skip(line, records);
            continue;
        }
        match puzzle(line) {
            Some((_, cells)) => {
                records.push_checked(number, &cells, line);
                if line.len() > 2 * CELLS && line::puzzles(line).nth(1).is_some() {
                    records.leave_out(LeftOut::AnotherPuzzle);
                }
            }
            None => match candidates(line) {
                Some((_, candidates)) => records.push_candidates(number, &candidates, line),
                None => records.push_error(number, what_is_wrong(line, word), line),
            },
        }
    }
}

/// Returns true if a line is the rule below the header of a table in Markdown, such as `|---|:-:|`.
fn is_rule_of_markdown(line: &[u8]) -> bool {
    let is_of_rule = |c: &u8| matches!(c, b'|' | b'-' | b':' | b' ');
    let line = line.trim_ascii();
    line.starts_with(b"|")
        && line.windows(3).any(|signs| signs == b"---")
        && line.iter().all(is_of_rule)
}

/// The number of bytes of a header in Markdown at the start of a text: a line with bars, and a rule.
#[cfg(feature = "formats")]
pub(super) fn markdown_header(text: &[u8]) -> usize {
    let (header, rest) = split_line(text);
    let (rule, rest) = split_line(rest);
    let is_header = header.trim_ascii().starts_with(b"|") && place(header).is_none();
    if is_header && is_rule_of_markdown(rule) {
        text.len() - rest.len()
    } else {
        0
    }
}

/// The place of the first word that is 81 cells, and the cells. A solution that stands before its puzzle is none.
pub(super) fn puzzle(line: &[u8]) -> Option<(Range<usize>, [u8; CELLS])> {
    let cells = |word: Range<usize>| checked(line[word].as_array()?).ok();
    let mut grids = words(line).filter_map(|word| Some((word.clone(), cells(word)?)));
    let first = grids.next()?;
    if first.1.iter().any(|cell| !matches!(cell, b'1'..=b'9')) {
        return Some(first);
    }
    Some(
        grids
            .find(|(_, cells)| is_solved_by(cells, &first.1))
            .unwrap_or(first),
    )
}

/// Returns true if cells have a blank, and a full grid has all their clues.
fn is_solved_by(cells: &[u8; CELLS], grid: &[u8; CELLS]) -> bool {
    let mut clues = 0;
    let pairs = cells
        .iter()
        .zip(grid)
        .filter(|(cell, _)| matches!(cell, b'1'..=b'9'));
    let are_equal = pairs
        .inspect(|_| clues += 1)
        .all(|(cell, digit)| cell == digit);
    are_equal && clues > 0 && clues < CELLS
}

/// Returns true if a line begins with a solution, and its puzzle follows.
pub(super) fn begins_with_solution(line: &[u8]) -> bool {
    let first = words(line).next();
    first.is_some_and(|word| {
        word.len() == CELLS && puzzle(line).is_some_and(|(place, _)| place.start > word.start)
    })
}

/// The place of the first word that is 729 candidates, and the candidates.
fn candidates(line: &[u8]) -> Option<(Range<usize>, WithBlank)> {
    words(line).find_map(|word| Some((word.clone(), read_candidates(line, &word)?.ok()?)))
}

/// The candidates of a word, if it is meant to have them.
fn read_candidates(line: &[u8], word: &Range<usize>) -> Option<Result<WithBlank, ParseError>> {
    candidates::read(
        &line[..word.end],
        word.start,
        |_| false,
        Expected::EndOfField,
    )
}

/// The place of the puzzle: the first word that is 81 cells, or else the first of 729 candidates.
pub(super) fn place(line: &[u8]) -> Option<Range<usize>> {
    let cells = puzzle(line).map(|(place, _)| place);
    cells.or_else(|| Some(candidates(line)?.0))
}

/// The columns of a line in a table: what stands before the puzzle, the puzzle, and what follows it.
pub(super) const COLUMNS: [&str; 3] = ["before", "puzzle", "after"];

/// The number of the puzzle among these.
pub(super) const PUZZLE: usize = 1;

/// The text before the puzzle of a line and after it, without quotes around either and what stands between.
pub(super) fn around(line: &[u8]) -> Option<[&[u8]; 2]> {
    let place = place(line)?;
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
    let (mut before, mut after) = (&line[..place.start], &line[place.end..]);
    // Quotes around the puzzle.
    if let ([rest @ .., open], [close, others @ ..]) = (before, after)
        && is_quote(open)
        && open == close
    {
        (before, after) = (rest, others);
    }
    Some([before, after].map(|part| {
        let is_between = |byte: &u8| byte.is_ascii_whitespace() || b",;:|".contains(byte);
        let start = part.iter().position(|byte| !is_between(byte));
        let end = part.iter().rposition(|byte| !is_between(byte));
        let (Some(start), Some(end)) = (start, end) else {
            return &[][..];
        };
        match &part[start..=end] {
            [open, text @ .., close] if open == close && is_quote(open) && !text.contains(open) => {
                text
            }
            text => text,
        }
    }))
}

/// The words of lines of comments, without the signs at their starts, one space between lines.
#[cfg(feature = "formats")]
pub(super) fn of_comments(lines: &[u8]) -> Vec<u8> {
    let lines = lines.split(|&byte| byte == b'\n');
    let words = lines.map(|line| {
        let signs = line.iter().take_while(|&&byte| byte == b'#').count();
        line[signs..].trim_ascii()
    });
    let words: Vec<_> = words.filter(|words| !words.is_empty()).collect();
    words.join(&b' ')
}

/// The number of the word that is the puzzle, from 0.
pub(super) fn word_of_puzzle(line: &[u8]) -> Option<usize> {
    let place = place(line)?;
    words(line).position(|word| word == place)
}

fn what_is_wrong(line: &[u8], word: usize) -> ParseError {
    let Some(word) = words(line).nth(word) else {
        return unexpected(line, line.len(), Expected::Cell);
    };
    if let Some(Err(error)) = read_candidates(line, &word) {
        return error;
    }
    let cells = line[word.clone()]
        .iter()
        .take_while(|&&c| is_cell(c))
        .count();
    match cells {
        CELLS.. => unexpected(line, word.start + CELLS, Expected::EndOfField),
        _ => unexpected(line, word.start + cells, Expected::Cell),
    }
}

/// The places of the words of a line.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let ends_word = |c: u8| c.is_ascii_whitespace() || b",;:|\"'".contains(&c);
    let mut at = 0;
    std::iter::from_fn(move || {
        at += line[at..].iter().position(|&c| !ends_word(c))?;
        let start = at;
        let length = line[at..].iter().position(|&c| ends_word(c));
        at = length.map_or(line.len(), |length| start + length);
        Some(start..at)
    })
}
