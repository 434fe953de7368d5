//! Lines of an input that are not as they should be: the first ten are told on
//! standard error.

use super::{files, progress::Progress};
use std::path::Path;
use sudoku_batch::Reason;

/// How many are told.
pub(crate) const SHOWN: usize = 10;

/// Tells of the first.
pub(crate) struct Complaints {
    input: String,
    left: usize,
}

impl Complaints {
    /// About the lines of this file.
    pub(crate) fn new(input: &Path, quiet: bool) -> Self {
        Self {
            input: files::name_of_input(input),
            left: if quiet { 0 } else { SHOWN },
        }
    }

    /// Tells what is wrong with a line, unless enough was told.
    pub(crate) fn tell(&mut self, line: u64, reason: &Reason, progress: &Progress) {
        if self.left > 0 {
            self.left -= 1;
            let (input, name, detail) = (&self.input, reason.name(), reason.to_string());
            let colon = if detail.is_empty() { "" } else { ": " };
            progress.say(&format!("{input}:{line}: {name}{colon}{detail}"));
        }
    }
}
