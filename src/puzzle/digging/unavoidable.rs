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

/// The unavoidable sets of a grid, and where it still has clues.
///
/// Pair `3 * band + 0, 1 or 2` of rows is the first and the second row of a band, the first
/// and the third, the second and the third. Pairs of columns come after those of rows.
#[derive(Clone, Debug)]
pub(super) struct UnavoidableSets {
    /// For each pair of lines and each place in them the cycle of the place: the places of
    /// its set in either line.
    cycles: [[u16; 9]; 18],
    /// The places of the clues in each row, and in each column.
    rows: [u16; 9],
    columns: [u16; 9],
}

/// For the first, second and third line of a band: the two others, and the pairs that it
/// makes with them.
const PARTNERS: [[(usize, usize); 2]; 3] = [[(1, 0), (2, 1)], [(0, 0), (2, 2)], [(0, 1), (1, 2)]];

impl UnavoidableSets {
    /// No sets.
    pub(super) const NONE: Self = Self {
        cycles: [[0; 9]; 18],
        rows: [0x1ff; 9],
        columns: [0x1ff; 9],
    };

    /// The sets of a grid with all its clues.
    pub(super) fn of(grid: &[u8; CELLS]) -> Self {
        let mut sets = Self::NONE;
        let (rows, columns) = sets.cycles.split_at_mut(9);
        for band in 0..3 {
            add_cycles(&mut rows[3 * band..], |line, place| {
                grid[9 * (3 * band + line) + place]
            });
            add_cycles(&mut columns[3 * band..], |line, place| {
                grid[9 * place + 3 * band + line]
            });
        }
        sets
    }

    /// Takes clues away, unless a set would lose its last clue. Returns whether they went.
    #[inline(always)]
    pub(super) fn take(&mut self, cells: &[Cell]) -> bool {
        for cell in cells {
            self.rows[cell.row()] &= !(1 << cell.column());
            self.columns[cell.column()] &= !(1 << cell.row());
        }
        let (rows, columns) = self.cycles.split_at(9);
        let emptied = cells.iter().any(|cell| {
            let (row, column) = (cell.row(), cell.column());
            is_empty(rows, &self.rows, row, column) || is_empty(columns, &self.columns, column, row)
        });
        if emptied {
            self.put_back(cells);
        }
        !emptied
    }

    /// Puts clues back that were taken away.
    #[inline(always)]
    pub(super) fn put_back(&mut self, cells: &[Cell]) {
        for cell in cells {
            self.rows[cell.row()] |= 1 << cell.column();
            self.columns[cell.column()] |= 1 << cell.row();
        }
    }
}

/// Whether a set of a place in a line has no clue left.
#[inline(always)]
fn is_empty(cycles: &[[u16; 9]], clues: &[u16; 9], line: usize, place: usize) -> bool {
    let band = line / 3 * 3;
    let [a, b] = PARTNERS[line % 3].map(
        #[inline(always)]
        |(other, pair)| (clues[line] | clues[band + other]) & cycles[band + pair][place],
    );
    a == 0 || b == 0
}

/// Finds the cycles of the three pairs of lines of a band.
#[inline(always)]
fn add_cycles(pairs: &mut [[u16; 9]], digit: impl Fn(usize, usize) -> u8) {
    let mut digits = [[0; 9]; 3];
    let mut places = [[0; 16]; 3];
    for line in 0..3 {
        for (place, of_place) in digits[line].iter_mut().enumerate() {
            *of_place = digit(line, place) & 15;
            places[line][usize::from(*of_place)] = place as u8;
        }
    }
    for (cycles, (first, second)) in pairs.iter_mut().zip([(0, 1), (0, 2), (1, 2)]) {
        let mut left: u16 = 0x1ff;
        while left != 0 {
            let mut cycle = 0;
            let mut place = left.trailing_zeros() as usize;
            while cycle >> place & 1 == 0 {
                cycle |= 1 << place;
                place = usize::from(places[first][usize::from(digits[second][place] & 15)]);
            }
            left &= !cycle;
            for (place, of_place) in cycles.iter_mut().enumerate() {
                // No branch, because the CPU could not predict it.
                *of_place |= cycle * (cycle >> place & 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generate::Uniform, grid::Grid};

    /// The cells of each set.
    fn sets_of(sets: &UnavoidableSets) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        for (pair, cycles) in sets.cycles.iter().enumerate() {
            let band = pair % 9 / 3 * 3;
            let lines = [[0, 1], [0, 2], [1, 2]][pair % 3].map(|line| band + line);
            let mut cycles = cycles.to_vec();
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
            let grid = Uniform::seeded(1).grid(number);
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
            let before = (sets.rows, sets.columns);
            // All of it cannot go, and nothing changes then.
            assert!(!sets.take(&set));
            assert_eq!((sets.rows, sets.columns), before);
            let (last, others) = set.split_last().unwrap();
            if sets.take(others) {
                assert!(!sets.take(&[*last]));
                sets.put_back(others);
            }
            assert_eq!((sets.rows, sets.columns), before);
        }
    }
}
