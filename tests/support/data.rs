//! The files of `data`, for tests of the library.

use std::fs;
use sudoku_batch::Puzzle;

/// The text of a file.
pub(crate) fn text(name: &str) -> String {
    fs::read_to_string(format!("{}/data/{name}.txt", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The puzzles of a file: the first 81 characters of each line but for comments.
pub(crate) fn puzzles(name: &str) -> Vec<Puzzle> {
    let text = text(name);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line[..81].parse().unwrap()).collect()
}
