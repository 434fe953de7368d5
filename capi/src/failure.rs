//! Errors of calls: a code for programs, and a message for people.

use std::fmt::Display;

/// The call did what it is for.
pub const SUDOKU_BATCH_OK: i32 = 0;
/// A pointer is null that must not be.
pub const SUDOKU_BATCH_NULL: i32 = 1;
/// A size is wrong: a stride is smaller than what it steps over, memory would not fit into the address
/// space, outputs overlap each other or the records, or there is no such column.
pub const SUDOKU_BATCH_SIZE: i32 = 2;
/// A question, an option or the value of an option is not known, or two options contradict each other.
pub const SUDOKU_BATCH_OPTION: i32 = 3;
/// `sudoku_batch_stop` ended the call.
pub const SUDOKU_BATCH_STOPPED: i32 = 4;
/// The library has a defect. The message names its place: please report it.
pub const SUDOKU_BATCH_DEFECT: i32 = 5;

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: i32,
    pub(crate) message: String,
}

impl Failure {
    fn new(code: i32, message: impl Display) -> Self {
        Self {
            code,
            message: message.to_string(),
        }
    }

    pub(crate) fn null(what: &str) -> Self {
        Self::new(SUDOKU_BATCH_NULL, format_args!("{what} is null"))
    }

    pub(crate) fn size(message: impl Display) -> Self {
        Self::new(SUDOKU_BATCH_SIZE, message)
    }

    pub(crate) fn option(message: impl Display) -> Self {
        Self::new(SUDOKU_BATCH_OPTION, message)
    }

    pub(crate) fn stopped() -> Self {
        Self::new(SUDOKU_BATCH_STOPPED, "the call was stopped")
    }

    pub(crate) fn defect(message: impl Display) -> Self {
        Self::new(SUDOKU_BATCH_DEFECT, message)
    }
}
