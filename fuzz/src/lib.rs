//! What the fuzzers run: the [`targets`] of the library, and the [`options`] of the command.

#[path = "../../src/commands.rs"]
#[allow(dead_code, unused_imports, reason = "a part of the program")]
mod commands;
#[path = "../../src/driver.rs"]
#[allow(dead_code, unused_imports, reason = "a part of the program")]
mod driver;
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
