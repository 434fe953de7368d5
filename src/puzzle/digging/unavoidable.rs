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

use crate::grid::{BLANK, CELLS, Cell};

/// Pairs of lines in a grid: nine of rows, nine of columns.
const PAIRS: usize = 18;

/// The unavoidable sets of a grid, and where it still has clues.
///
/// Pair `3 * band + 0, 1 or 2` of rows is the first and the second row of a band, the first
/// and the third, the second and the third. Pairs of columns come after those of rows.
#[derive(Clone, Debug)]
pub(crate) struct UnavoidableSets {
    /// For each place in a line and each pair of lines the cycle of the place: the places of
    /// its set in either line.
    cycles: [[u16; PAIRS]; 9],
    /// The places of the clues in each row, and in each column.
    rows: [u16; 9],
    columns: [u16; 9],
}

/// For the first, second and third line of a band: the two others, and the pairs that it
/// makes with them.
const PARTNERS: [[(usize, usize); 2]; 3] = [[(1, 0), (2, 1)], [(0, 0), (2, 2)], [(0, 1), (1, 2)]];

/// The first and the second line of each pair of a band.
const LINES_OF_PAIR: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

impl UnavoidableSets {
    pub(super) const NONE: Self = Self {
        cycles: [[0; PAIRS]; 9],
        rows: [0x1ff; 9],
        columns: [0x1ff; 9],
    };

    pub(super) fn of(grid: &[u8; CELLS]) -> Self {
        let mut steps = [[0; PAIRS]; 9];
        add_steps(&mut steps, 0, |line, place| grid[9 * line + place]);
        add_steps(&mut steps, 9, |line, place| grid[9 * place + line]);
        Self {
            cycles: close(steps),
            ..Self::NONE
        }
    }

    /// The sets of a grid, with the clues of a puzzle.
    pub(crate) fn of_puzzle(puzzle: &[u8; CELLS], grid: &[u8; CELLS]) -> Self {
        let mut sets = Self::of(grid);
        for cell in Cell::all().filter(|cell| puzzle[cell.index()] == BLANK) {
            sets.rows[cell.row()] &= !(1 << cell.column());
            sets.columns[cell.column()] &= !(1 << cell.row());
        }
        sets
    }

    /// Returns true if a clue is the last one of a set.
    pub(crate) fn need(&mut self, clue: Cell) -> bool {
        let is_needed = !self.take(&[clue]);
        if !is_needed {
            self.put_back(&[clue]);
        }
        is_needed
    }

    /// Takes clues away, unless a set would lose its last clue. Returns whether they went.
    #[inline(always)]
    pub(super) fn take(&mut self, cells: &[Cell]) -> bool {
        for cell in cells {
            self.rows[cell.row()] &= !(1 << cell.column());
            self.columns[cell.column()] &= !(1 << cell.row());
        }
        let mut emptied = false;
        for cell in cells {
            let (row, column) = (cell.row(), cell.column());
            emptied |= is_empty(&self.cycles[column], 0, &self.rows, row)
                | is_empty(&self.cycles[row], 9, &self.columns, column);
        }
        if emptied {
            self.put_back(cells);
        }
        !emptied
    }

    #[inline(always)]
    pub(super) fn put_back(&mut self, cells: &[Cell]) {
        for cell in cells {
            self.rows[cell.row()] |= 1 << cell.column();
            self.columns[cell.column()] |= 1 << cell.row();
        }
    }
}

/// Whether a set of a place in a line has no clue left. `cycles` are those of the place. Of
/// these, the nine from `first` on belong to rows, or to columns.
#[inline(always)]
fn is_empty(cycles: &[u16; PAIRS], first: usize, clues: &[u16; 9], line: usize) -> bool {
    let band = line / 3 * 3;
    // No `map`: nothing forces the compiler to put it in line.
    let [(one, pair), (two, other_pair)] = PARTNERS[line % 3];
    let cycles = &cycles[first + band..];
    ((clues[line] | clues[band + one]) & cycles[pair] == 0)
        | ((clues[line] | clues[band + two]) & cycles[other_pair] == 0)
}

/// Notes for each place in the pairs of rows, or of columns, the place itself and the one
/// where the first line has the digit that the second line has here.
#[inline(always)]
fn add_steps(steps: &mut [[u16; PAIRS]; 9], first: usize, digit: impl Fn(usize, usize) -> u8) {
    let mut digits = [[0; 9]; 9];
    let mut places = [[0; 16]; 9];
    for (line, (digits, places)) in digits.iter_mut().zip(&mut places).enumerate() {
        for (place, of_place) in digits.iter_mut().enumerate() {
            *of_place = digit(line, place) & 15;
            places[usize::from(*of_place)] = 1_u16 << place;
        }
    }
    for pair in 0..9 {
        let (one, other) = LINES_OF_PAIR[pair % 3];
        let band = pair / 3 * 3;
        for (place, (steps, digit)) in steps.iter_mut().zip(digits[band + other]).enumerate() {
            steps[first + pair] = 1 << place | places[band + one][usize::from(digit)];
        }
    }
}

/// The cycles that steps make, by Warshall's algorithm: who reaches a place reaches all that
/// the place reaches. It takes the same steps for all pairs at once, without a branch. To walk
/// along each cycle took twice as long, because the CPU cannot predict where a cycle ends.
#[inline(always)]
fn close(mut reached: [[u16; PAIRS]; 9]) -> [[u16; PAIRS]; 9] {
    for via in 0..9 {
        let further = reached[via];
        for from in &mut reached {
            for (from, further) in from.iter_mut().zip(further) {
                *from |= (*from >> via & 1).wrapping_neg() & further;
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generate::Grids, grid::Grid};

    /// The cells of each set.
    fn sets_of(sets: &UnavoidableSets) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        for pair in 0..PAIRS {
            let band = pair % 9 / 3 * 3;
            let lines = [[0, 1], [0, 2], [1, 2]][pair % 3].map(|line| band + line);
            let mut cycles = sets.cycles.map(|of_place| of_place[pair]).to_vec();
            cycles.sort_unstable();
            cycles.dedup();
            for cycle in cycles {
                let places = (0..9).filter(|place| cycle >> place & 1 != 0);
                let cells = places.flat_map(|place| {
                    lines.map(|line| {
                        if pair < 9 {
                            9 * line + place
                        } else {
                            9 * place + line
                        }
                    })
                });
                all.push(cells.collect());
            }
        }
        all
    }

    #[test]
    fn other_digits_in_a_set_make_another_grid() {
        let mut sizes = [0; 19];
        for number in 0..200 {
            let grid = Grids::uniform(1).grid(number).unwrap();
            let sets = UnavoidableSets::of(grid.as_ascii());
            let all = sets_of(&sets);
            for cells in &all {
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
}
