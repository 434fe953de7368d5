//! What the fuzzers run: the [`targets`] of the library, and the [`options`] of the command.

/// The rooms of the program that read options. Inside a module with their folder, so that their own
/// modules are looked for where they are.
#[path = "../../src"]
#[allow(dead_code, unused_imports, reason = "a part of the program")]
mod program {
    pub mod commands;
    pub mod driver;
}
use program::{commands, driver};

#[path = "targets.rs"]
pub mod targets;

pub use targets::*;

/// The options of the command.
pub mod options {
    /// Makes up a command line and reads it.
    pub fn run(data: &[u8]) {
        crate::commands::options_fuzzer::run(data);
    }
}
