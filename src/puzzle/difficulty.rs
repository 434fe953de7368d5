//! Difficulties and their names.

use crate::name::{NameError, find};
use std::{fmt, str::FromStr};

/// The difficulty of a puzzle.
///
/// ```
/// use sudoku_batch::puzzle::Difficulty;
/// assert_eq!("hard".parse(), Ok(Difficulty::Hard));
/// assert_eq!(Difficulty::Extreme(100).to_string(), "extreme");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Difficulty {
    /// 33 to 35 blanks that naked singles fill.
    Easy,
    /// 36 to 38 blanks that naked singles fill.
    Medium,
    /// 39 to 41 blanks that naked singles fill.
    Hard,
    /// Minimal, and naked and hidden singles do not suffice.
    Expert,
    /// Minimal, and the [reference search](crate::solve::guesses) needs at least this
    /// many guesses.
    Extreme(u64),
}

impl Difficulty {
    /// The guesses of an [`Extreme`](Self::Extreme) puzzle, unless another number is given.
    pub const USUAL_GUESSES: u64 = 25;

    /// All difficulties, the easiest first.
    pub const ALL: [Self; 5] = [
        Self::Easy,
        Self::Medium,
        Self::Hard,
        Self::Expert,
        Self::Extreme(Self::USUAL_GUESSES),
    ];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Expert => "expert",
            Self::Extreme(_) => "extreme",
        }
    }

    /// The same difficulty, where extreme puzzles need at least this many guesses.
    #[must_use]
    pub const fn with_guesses(self, guesses: u64) -> Self {
        match self {
            Self::Extreme(_) => Self::Extreme(guesses),
            other => other,
        }
    }
}

/// The name.
impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads a name. Extreme puzzles need [`USUAL_GUESSES`](Difficulty::USUAL_GUESSES).
impl FromStr for Difficulty {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        find("difficulty", &Self::ALL, Self::name, name)
    }
}
