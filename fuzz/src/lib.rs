//! Targets of the fuzzers: the [`targets`] of the library and of the command, and the [`options`] of the
//! command.

#[path = "targets.rs"]
pub mod targets;

pub use targets::*;

/// The options of the command.
pub mod options {
    /// Makes up a command line and reads it.
    pub fn run(data: &[u8]) {
        sudoku_batch_cli::fuzz_options(data);
    }
}
