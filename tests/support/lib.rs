//! Support of the tests: oracles, random words, known puzzles. `rated` alone asks the library, for tests that need its ratings.

pub mod brute_force;
pub mod chains;
pub mod data;
pub mod english;
pub mod formats;
pub mod gangsters;
pub mod oracle;
pub mod premises;
pub mod puzzles;
pub mod random_words;
pub mod rated;
pub mod reference;
pub mod registry;
pub mod rules;
pub mod samples;
pub mod shared_forms;
pub mod symmetry;
pub mod trials;

/// The folder of the repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The number of cases of a slow test: the usual one, times `SUDOKU_BATCH_CASES` if it is set.
pub fn cases(usual: usize) -> usize {
    let times = std::env::var("SUDOKU_BATCH_CASES").ok();
    usual * times.map_or(1, |times| times.parse::<usize>().expect("a number"))
}

/// A slow test takes each one of this number of its inputs, and more of them with
/// `SUDOKU_BATCH_CASES`.
pub fn one_of(usual: usize) -> usize {
    usual.div_ceil(cases(1)).max(1)
}

/// Whether a case of a slow test, by its number, has its turn: one of this number of cases, and more of them with
/// `SUDOKU_BATCH_CASES`. The sum of two numbers gives each row and each column of a table its turns.
pub fn has_turn(number: usize, usual: usize) -> bool {
    number.is_multiple_of(one_of(usual))
}

/// Settings of a slow property test.
pub fn slow(usual: usize) -> proptest::test_runner::Config {
    proptest::test_runner::Config::with_cases(cases(usual) as u32)
}
