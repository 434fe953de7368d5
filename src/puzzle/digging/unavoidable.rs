//! Unavoidable sets that are found without a search.
//!
//! A set of cells of a grid is *unavoidable* when other digits in these cells make another
//! grid. Every puzzle with one solution has a clue in each unavoidable set. So the last
//! clue of a set is needed, and no solver has to be asked. (The term and its use: G. McGuire,
//! B. Tugemann and G. Civario, *There is no 16-clue Sudoku*, 2012.)
//!
//! These are found:
//!
//! ```text
//!     two rows of a band        1 5 7 | 2 . .      the same digits stand in both rows, in
//!     (or columns of a stack)   5 7 1 | 2 . .      some columns: the rows change places
//!                               '-----'            there, and every house keeps its digits
//! ```
//!
//! For two rows r and s the columns fall into cycles: from a column to the one where r has
//! the digit that s has here. Each cycle is a set.

use crate::grid::{CELLS, Cell};

/// The sets that a cell is in: one for each other row of its band and each other column of
/// its stack.
const OF_CELL: usize = 4;

/// There are 18 pairs of lines, and a pair has four cycles at most: each has two columns or
/// more.
const MOST: usize = 18 * 4;

/// The unavoidable sets of a grid, and how many clues each still has.
#[derive(Clone, Debug)]
pub(super) struct UnavoidableSets {
    of_cell: [[u8; OF_CELL]; CELLS],
    clues: [u8; MOST],
}

/// The three pairs of lines of a band or stack, and which of the sets of a cell belongs to
/// the pair, for either line.
const PAIRS: [([usize; 2], [usize; 2]); 3] = [([0, 1], [0, 0]), ([0, 2], [1, 0]), ([1, 2], [1, 1])];

impl UnavoidableSets {
    /// No sets.
    pub(super) fn none() -> Self {
        Self {
            of_cell: [[0; OF_CELL]; CELLS],
            clues: [0; MOST],
        }
    }

    /// The sets of a grid with all its clues.
    pub(super) fn of(grid: &[u8; CELLS]) -> Self {
        let mut sets = Self::none();
        let next = sets.add_lines(grid, 0, 0, |row, column| 9 * row + column);
        sets.add_lines(grid, next, 2, |column, row| 9 * row + column);
        sets
    }

    /// Adds the sets of pairs of rows, or of columns if `cell` turns the grid. The first
    /// has the number `next`; returns the number after the last.
    #[inline(always)]
    fn add_lines(
        &mut self,
        grid: &[u8; CELLS],
        mut next: u8,
        place: usize,
        cell: impl Fn(usize, usize) -> usize,
    ) -> u8 {
        for band in 0..3 {
            let mut column_of = [[0; 16]; 3];
            for (line, columns) in column_of.iter_mut().enumerate() {
                for column in 0..9 {
                    columns[usize::from(grid[cell(3 * band + line, column)] & 15)] = column;
                }
            }
            for ([r, s], places) in PAIRS {
                let mut seen = [false; 9];
                for first in 0..9 {
                    if seen[first] {
                        continue;
                    }
                    let mut column = first;
                    while !seen[column] {
                        seen[column] = true;
                        let (above, below) =
                            (cell(3 * band + r, column), cell(3 * band + s, column));
                        self.of_cell[above][place + places[0]] = next;
                        self.of_cell[below][place + places[1]] = next;
                        self.clues[usize::from(next)] += 2;
                        column = column_of[r][usize::from(grid[below] & 15)];
                    }
                    next += 1;
                }
            }
        }
        next
    }

    /// Takes clues away, unless a set would lose its last clue. Returns whether they went.
    #[inline(always)]
    pub(super) fn take(&mut self, cells: &[Cell]) -> bool {
        for (taken, cell) in cells.iter().enumerate() {
            let mut least = u8::MAX;
            for set in self.of_cell[cell.index()] {
                let clues = &mut self.clues[usize::from(set)];
                *clues -= 1;
                least = least.min(*clues);
            }
            if least == 0 {
                self.put_back(&cells[..=taken]);
                return false;
            }
        }
        true
    }

    /// Puts clues back that were taken away.
    #[inline(always)]
    pub(super) fn put_back(&mut self, cells: &[Cell]) {
        for cell in cells {
            for set in self.of_cell[cell.index()] {
                self.clues[usize::from(set)] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generate::Uniform, grid::Grid};

    /// The sets by their numbers.
    fn sets_of(sets: &UnavoidableSets) -> Vec<Vec<usize>> {
        let is_in = |set: u8, cell: &usize| sets.of_cell[*cell].contains(&set);
        let all = (0..MOST as u8).map(|set| (0..CELLS).filter(|cell| is_in(set, cell)).collect());
        all.filter(|set: &Vec<usize>| !set.is_empty()).collect()
    }

    #[test]
    fn other_digits_in_a_set_make_another_grid() {
        let mut sizes = [0; 19];
        for number in 0..200 {
            let grid = Uniform::seeded(1).grid(number);
            let sets = UnavoidableSets::of(grid.as_ascii());
            let all = sets_of(&sets);
            for (set, cells) in all.iter().enumerate() {
                assert_eq!(usize::from(sets.clues[set]), cells.len());
                sizes[cells.len()] += 1;
                // The cells of a set lie in two lines: each takes the digit of the other.
                let line = |columns: bool, cell: usize| if columns { cell % 9 } else { cell / 9 };
                let across = [false, true].into_iter().filter(|&columns| {
                    let mut lines: Vec<_> = cells.iter().map(|&cell| line(columns, cell)).collect();
                    lines.sort_unstable();
                    lines.dedup();
                    lines.len() == 2
                });
                let swapped = across.map(|columns| {
                    let mut swapped = *grid.as_ascii();
                    for &a in cells {
                        let other = |&&b: &&usize| b != a && line(!columns, a) == line(!columns, b);
                        let b = cells.iter().find(other).expect("one in the other line");
                        swapped[a] = grid.as_ascii()[*b];
                    }
                    Grid::from_ascii(&swapped).unwrap()
                });
                assert!(
                    swapped
                        .into_iter()
                        .any(|other| other.is_valid() && other != grid)
                );
            }
            // Each pair of lines falls into sets that share no cell.
            assert_eq!(all.iter().map(Vec::len).sum::<usize>(), 18 * 18);
        }
        assert!(sizes[4] > 0 && sizes[18] > 0, "{sizes:?}");
    }

    #[test]
    fn the_last_clue_of_a_set_stays() {
        let grid = Uniform::seeded(2).grid(0);
        let mut sets = UnavoidableSets::of(grid.as_ascii());
        let all = sets_of(&sets);
        let cells = |cells: &[usize]| -> Vec<Cell> {
            cells.iter().map(|&cell| Cell::new(cell).unwrap()).collect()
        };
        for set in &all {
            let set = cells(set);
            let before = sets.clues;
            // All of it cannot go, and nothing changes then.
            assert!(!sets.take(&set));
            assert_eq!(sets.clues, before);
            let (last, others) = set.split_last().unwrap();
            if sets.take(others) {
                assert!(!sets.take(&[*last]));
                sets.put_back(others);
            }
            assert_eq!(sets.clues, before);
        }
    }
}
