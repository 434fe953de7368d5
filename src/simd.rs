//! What the CPU can do, as types.

pub(crate) mod shuffle;

use std::{fmt, str::FromStr};

/// An instruction-set level that the sliced engine runs at.
///
/// ```
/// use sudoku_batch::Level;
/// let best = Level::available()[0];
/// assert_eq!(best.name().parse::<Level>()?, best);
/// # Ok::<(), sudoku_batch::LevelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Plain 64-bit words: any CPU.
    Portable,
}

/// A level that is not known, or that this CPU lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "level `{name}` is not available here; there is: {}",
    available_names()
)]
pub struct LevelError {
    /// The name that was asked for.
    pub name: String,
}

fn available_names() -> String {
    Level::available()
        .iter()
        .map(|level| level.name())
        .collect::<Vec<_>>()
        .join(", ")
}

impl Level {
    /// The levels that this CPU has, best first.
    pub fn available() -> &'static [Self] {
        &[Self::Portable]
    }

    /// The best level that this CPU has.
    pub fn detect() -> Self {
        Self::available()[0]
    }

    /// Its name, as in `--level` and the summary.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The level of that name, when this CPU has it.
impl FromStr for Level {
    type Err = LevelError;

    fn from_str(name: &str) -> Result<Self, LevelError> {
        let found = Self::available().iter().find(|level| level.name() == name);
        found
            .copied()
            .ok_or_else(|| LevelError { name: name.into() })
    }
}
