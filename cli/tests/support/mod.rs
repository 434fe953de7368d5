//! What the tests of the command stand on: what those of the library do, and the runner of the program.

#![allow(dead_code, reason = "each of the three binaries uses a part")]

pub(crate) mod process;
pub(crate) mod runner;
pub(crate) mod tools;

#[allow(unused_imports, reason = "each of the three binaries uses a part")]
pub(crate) use sudoku_batch_test_support::*;
