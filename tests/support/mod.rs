//! What the tests stand on, and nothing of it is the library's: oracles, random words, known puzzles.

#![allow(dead_code, reason = "each of the three binaries uses a part")]

pub(crate) mod chains;
pub(crate) mod data;
pub(crate) mod oracle;
pub(crate) mod premises;
pub(crate) mod puzzles;
pub(crate) mod random_words;
pub(crate) mod reference;
pub(crate) mod registry;
pub(crate) mod rules;
pub(crate) mod trials;

/// The number of cases of a slow test: the usual one, times `SUDOKU_BATCH_CASES` if it is set.
/// `.ci/run` sets it to 2.
pub(crate) fn cases(usual: usize) -> usize {
    let times = std::env::var("SUDOKU_BATCH_CASES").ok();
    usual * times.map_or(1, |times| times.parse::<usize>().expect("a number"))
}

/// A slow test takes each one of this number of its inputs, and more of them with
/// `SUDOKU_BATCH_CASES`.
pub(crate) fn one_of(usual: usize) -> usize {
    usual.div_ceil(cases(1)).max(1)
}

/// Settings of a slow property test.
pub(crate) fn slow(usual: usize) -> proptest::test_runner::Config {
    proptest::test_runner::Config::with_cases(cases(usual) as u32)
}
