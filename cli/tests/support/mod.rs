//! Support of the tests of the command: that of the tests of the library, and the runner of the program.

#![allow(dead_code, reason = "each of the three binaries uses a part")]

pub(crate) mod process;
pub(crate) mod runner;
pub(crate) mod tools;

#[allow(unused_imports, reason = "each of the three binaries uses a part")]
pub(crate) use sudoku_batch_test_support::*;
