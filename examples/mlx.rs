use std::io::{BufRead, Write};
use sudoku_batch::{Puzzle, symmetry::ExtremeImage};
fn main() {
    let largest = std::env::args().nth(1).as_deref() == Some("max");
    let quiet = std::env::args().nth(2).is_some();
    let stdin = std::io::stdin();
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for line in stdin.lock().lines() {
        let line = line.unwrap();
        let puzzle: Puzzle = line[..81].parse().unwrap();
        let form = if largest {
            ExtremeImage::largest(&puzzle)
        } else {
            ExtremeImage::smallest(&puzzle)
        }
        .unwrap();
        assert_eq!(form.transformation().puzzle(&puzzle), form.puzzle());
        if !quiet {
            writeln!(out, "{}\t{}", form.puzzle(), form.automorphisms()).unwrap();
        }
    }
}
