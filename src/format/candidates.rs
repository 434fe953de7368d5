//! Text of 729 candidates: what it looks like, and what is wrong with it.
//!
//! ```text
//!     1234.6789.2.......1.3......   the digit of each place, or a blank: a dot or 0
//!     | cell 1 | cell 2 | cell 3 |  ...  81 cells
//! ```

use super::{Expected, Found, ParseError, unexpected};
use crate::grid::{CANDIDATES, CELLS, Candidates, Cell, Digit};

/// A word that begins with more than 81 cells and has more characters than this is meant as
/// candidates: it is nearer to 729 of them than to 81.
const MOST_CELLS: usize = 405;

/// Candidates, and the character of the first blank among them: a dot if there is none.
pub(super) type WithBlank = (Candidates, u8);

/// The candidates at the start of a line, where a text begins that `column` bytes precede. `None` if
/// the text is not meant as candidates. `end` is what must follow the 729 characters.
pub(super) fn read(
    line: &[u8],
    column: usize,
    ends: impl Fn(u8) -> bool,
    end: Expected,
) -> Option<Result<WithBlank, ParseError>> {
    let text = &line[column..];
    if text.len() <= MOST_CELLS {
        return None;
    }
    if let Some((candidates, rest)) = text.split_first_chunk::<CANDIDATES>()
        && rest.first().is_none_or(|&c| ends(c))
        && let Ok(read) = Candidates::from_ascii(candidates)
    {
        let blank = read.first_blank().map_or(b'.', |place| candidates[place]);
        return Some(Ok((read, blank)));
    }
    let is_cell = |c: &u8| c.is_ascii_digit() || *c == b'.';
    let count = text.iter().take_while(|c| is_cell(c)).count();
    let word = text
        .iter()
        .take_while(|&&c| !ends(c) && c.is_ascii_graphic());
    let is_meant = count > CELLS && word.count() > MOST_CELLS;
    is_meant.then(|| Err(what_is_wrong(line, column, count, end)))
}

fn what_is_wrong(line: &[u8], column: usize, count: usize, end: Expected) -> ParseError {
    let text = &line[column..];
    let is_wrong = |place: &usize| {
        let byte = text[*place];
        !matches!(byte, b'.' | b'0') && usize::from(byte - b'1') != place % 9
    };
    let digit = |place: usize| Digit::new((place % 9 + 1) as u8).expect("1 to 9");
    if let Some(place) = (0..count.min(CANDIDATES)).find(is_wrong) {
        return unexpected(line, column + place, Expected::Candidate(digit(place)));
    }
    if count < CANDIDATES {
        return unexpected(line, column + count, Expected::Candidate(digit(count)));
    }
    let whole = text.first_chunk().expect("there are as many");
    match Candidates::from_ascii(whole) {
        Err(error) => empty(error.cell, column + 9 * error.cell.index()),
        Ok(_) => unexpected(line, column + CANDIDATES, end),
    }
}

fn empty(cell: Cell, column: usize) -> ParseError {
    ParseError {
        column: column + 1,
        found: Found::NoCandidate,
        expected: Expected::CandidateOf(cell),
    }
}

/// The error of candidates that are no puzzle of 81 cells.
pub(super) fn not_of_cells(candidates: &Candidates, cell: Cell) -> ParseError {
    ParseError {
        column: 9 * cell.index() + 1,
        found: Found::Candidates(cell, candidates.get(cell)),
        expected: Expected::CellsOfPuzzle,
    }
}
