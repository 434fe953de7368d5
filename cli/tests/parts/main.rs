//! The parts of the command that are no subcommand: pipeline, game, charts, what fuzzers kept, and the
//! programs of the laboratory.

#[path = "../support/mod.rs"]
mod support;

mod chart;
mod compression;
#[cfg(feature = "tui")]
mod fuzz_corpus;
mod game;
mod lattice;
mod pipeline;
mod streams;

/// The rungs of the ladder in docs/internals/ladder.md, with their tests.
#[path = "../../../tools/src/bin/ladder/main.rs"]
#[allow(dead_code, reason = "its tests are what is wanted here")]
mod ladder;
