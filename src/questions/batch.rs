//! The records of a batch, and the answers and texts that come with them.

use super::Reason;
use crate::{
    format::{ParseError, Records},
    grid::Puzzle,
};
use std::borrow::Cow;

/// The answer that comes with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenAnswer {
    /// There is none.
    Missing,
    /// A text that is not 81 cells.
    Malformed,
    /// 81 cells.
    Cells(Puzzle),
    /// One that is refused for this reason, whatever it says.
    Refused(Reason),
}

impl GivenAnswer {
    /// The answer of a text. White space alone, and the `null` of JSON, are no answer.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, questions::GivenAnswer};
    /// let cells = "1".repeat(81);
    /// assert_eq!(GivenAnswer::of_text(cells.as_bytes()), GivenAnswer::Cells(cells.parse()?));
    /// assert_eq!(GivenAnswer::of_text(&cells.as_bytes()[1..]), GivenAnswer::Malformed);
    /// assert_eq!(GivenAnswer::of_text(b""), GivenAnswer::Missing);
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn of_text(text: &[u8]) -> Self {
        let text = text.trim_ascii();
        if matches!(text, b"" | b"null") {
            return Self::Missing;
        }
        let cells = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
        cells.map_or(Self::Malformed, Self::Cells)
    }

    /// The answer that a record is. A record without text is no answer.
    pub fn of_record(records: &Records, record: usize) -> Self {
        match records.puzzle_of_cells(record) {
            Ok(puzzle) => Self::Cells(puzzle),
            Err(ParseError::NOTHING) if records.text(record).is_empty() => Self::Missing,
            Err(_) => Self::Malformed,
        }
    }

    /// The solution that it gives, if it is there. 81 blanks are no solution.
    ///
    /// # Errors
    ///
    /// It is malformed or refused.
    pub fn solution(self) -> Result<Option<Puzzle>, Reason> {
        match self {
            Self::Malformed => Err(Reason::MalformedAnswer),
            Self::Refused(reason) => Err(reason),
            given => Ok(given.puzzle().filter(|cells| *cells != Puzzle::EMPTY)),
        }
    }

    /// Its cells, if it has 81.
    pub fn puzzle(self) -> Option<Puzzle> {
        match self {
            Self::Cells(puzzle) => Some(puzzle),
            Self::Missing | Self::Malformed | Self::Refused(_) => None,
        }
    }
}

/// The records of a batch, and what comes with them.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'b> {
    /// The records.
    pub records: &'b Records,
    /// The answers that come with them, one for each. There are some where the question has a setting for
    /// [answers](super::Kind::Answers) that is set.
    pub answers: Option<&'b [GivenAnswer]>,
    /// The free texts that come with them, one for each: `None` is a text that is missing. There are some where
    /// the question has a setting for [texts](super::Kind::Texts).
    pub texts: Option<&'b [Option<Cow<'b, [u8]>>]>,
}

impl<'b> From<&'b Records> for Batch<'b> {
    fn from(records: &'b Records) -> Self {
        Self {
            records,
            answers: None,
            texts: None,
        }
    }
}
