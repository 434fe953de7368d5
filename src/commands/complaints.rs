//! Lines of an input that are not as they should be: the first ten are told on
//! standard error.

use super::{files, progress::Progress};
use std::path::Path;

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

    /// Tells what is wrong with a line (the name of the reason, and its detail),
    /// unless enough was told.
    pub(crate) fn tell(&mut self, line: u64, name: &str, detail: &str, progress: &Progress) {
        if self.left > 0 {
            self.left -= 1;
            let input = &self.input;
            let colon = if detail.is_empty() { "" } else { ": " };
            progress.say(&format!("{input}:{line}: {name}{colon}{detail}"));
        }
    }
}
