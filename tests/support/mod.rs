//! What the tests stand on, and nothing of it is the library's: oracles, random words, known
//! puzzles, and the runner of the program.

#![allow(dead_code, reason = "each of the three binaries uses a part")]

pub(crate) mod chains;
pub(crate) mod oracle;
pub(crate) mod premises;
pub(crate) mod process;
pub(crate) mod puzzles;
pub(crate) mod random_words;
pub(crate) mod reference;
pub(crate) mod registry;
pub(crate) mod rules;
#[cfg(feature = "cli")]
pub(crate) mod runner;
pub(crate) mod tools;

/// Settings of a slow property test: `cases` of them, times `SUDOKU_BATCH_CASES` if it is set.
/// `.ci/run` sets it to 4.
pub(crate) fn slow(cases: u32) -> proptest::test_runner::Config {
    let times = std::env::var("SUDOKU_BATCH_CASES");
    let times: u32 = times.map_or(1, |times| times.parse().expect("a number"));
    proptest::test_runner::Config::with_cases(cases * times)
}
