//! The puzzles of `data/`, for benchmarks. A package has no files of another one, so they are here.

/// Puzzles that naked singles solve.
pub const EASY: &str = include_str!("../data/easy.txt");

/// Random minimal puzzles.
pub const MINIMAL: &str = include_str!("../data/minimal.txt");

/// The hardest puzzles that a search found.
pub const HARD: &str = include_str!("../data/hard.txt");
