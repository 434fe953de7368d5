//! The files of `data`, for tests of the library.

use std::fs;
use sudoku_batch::Puzzle;

/// The text of a file.
pub fn text(name: &str) -> String {
    fs::read_to_string(format!("{}/data/{name}.txt", crate::ROOT)).unwrap()
}

/// The puzzles of a file: the first 81 characters of each line that is neither empty nor a comment.
pub fn puzzles(name: &str) -> Vec<Puzzle> {
    let text = text(name);
    let is_puzzle = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let lines = text.lines().filter(is_puzzle);
    lines.map(|line| line[..81].parse().unwrap()).collect()
}
