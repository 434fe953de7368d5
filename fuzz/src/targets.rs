//! Targets of the fuzzers of the library, a module for each.
//!
//! `run` takes the bytes that a fuzzer makes up, and panics where something is wrong. The
//! fuzzers in `fuzz_targets/` call it, and so does the plain test `cli/tests/parts/fuzz_corpus.rs`, which
//! runs the kept corpus.

mod material;
mod oracle;
mod records;

pub mod batch;
pub mod blocks;
pub mod border;
pub mod candidates;
pub mod canonical;
pub mod detect;
pub mod games;
pub mod lines;
pub mod objects;
pub mod prose;
pub mod rank;
pub mod rate;
pub mod sets;
pub mod solve;
pub mod stream;
pub mod tables;
pub mod unpack;
pub mod verify;
pub mod written;
