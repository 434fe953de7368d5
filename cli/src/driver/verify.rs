//! The error of `--verify`. The checks are those of [`verification`](sudoku_batch::questions::verification).

use std::fmt::Display;

/// The error for a record at a place.
pub(crate) fn error(place: impl Display, what: impl Display) -> anyhow::Error {
    anyhow::anyhow!(
        "{place}: --verify found a wrong answer: {what}; output files stay as they were"
    )
}
