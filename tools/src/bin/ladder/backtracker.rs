//! Rung 1: the backtracker that everybody writes first.

use super::{Answer, Cells};

/// Answers one puzzle: its solutions, counted up to two, and the first of them.
pub(crate) fn answer(cells: &Cells) -> Answer {
    let mut answer = Answer::NONE;
    search(&mut cells.clone(), &mut answer);
    answer
}

/// Tries the digits 1 to 9 in the first blank cell and goes on from each that fits.
fn search(grid: &mut Cells, answer: &mut Answer) {
    let Some(cell) = grid.iter().position(|&c| c == b'.') else {
        answer.add(grid);
        return;
    };
    for digit in b'1'..=b'9' {
        if answer.count < 2 && fits(grid, cell, digit) {
            grid[cell] = digit;
            search(grid, answer);
        }
    }
    grid[cell] = b'.';
}

/// Whether neither the row, the column nor the box of a cell has the digit yet.
fn fits(grid: &Cells, cell: usize, digit: u8) -> bool {
    let (row, column) = (cell / 9, cell % 9);
    let (top, left) = (row / 3 * 3, column / 3 * 3);
    (0..9).all(|i| {
        grid[9 * row + i] != digit
            && grid[9 * i + column] != digit
            && grid[9 * (top + i / 3) + left + i % 3] != digit
    })
}
