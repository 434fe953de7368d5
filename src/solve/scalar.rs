//! The scalar engine: one puzzle at a time.

use super::{Limit, NO_SOLUTION, SolutionLine};
use crate::grid::{CELLS, Digit, HOUSE_CELLS};

/// Solves a batch, see [`Solver::solve_lines`](super::Solver::solve_lines).
pub(super) fn solve_lines(
    cells: &[&[u8; CELLS]],
    limit: Limit,
    lines: &mut [SolutionLine],
    counts: &mut [u64],
) {
    for ((cells, line), count) in cells.iter().zip(lines).zip(counts) {
        *line = NO_SOLUTION;
        let mut grid = cells.map(|c| if matches!(c & 15, 1..=9) { c & 15 } else { 0 });
        *count = 0;
        search(&mut grid, limit.get(), line, count);
    }
}

fn search(grid: &mut [u8; CELLS], limit: u64, line: &mut SolutionLine, count: &mut u64) {
    let Some(blank) = grid.iter().position(|&d| d == 0) else {
        let valid = HOUSE_CELLS
            .iter()
            .all(|house| house.iter().fold(0, |s, &c| s | 1 << grid[c as usize]) == 0b11_1111_1110);
        if valid {
            if *count == 0 {
                line[..CELLS].copy_from_slice(&grid.map(|d| b'0' + d));
            }
            *count += 1;
        }
        return;
    };
    for digit in Digit::all() {
        let taken = HOUSE_CELLS
            .iter()
            .filter(|house| house.contains(&(blank as u8)))
            .any(|house| house.iter().any(|&c| grid[c as usize] == digit.get()));
        if !taken && *count < limit {
            grid[blank] = digit.get();
            search(grid, limit, line, count);
            grid[blank] = 0;
        }
    }
}
