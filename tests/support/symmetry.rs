//! The symmetries of the grid by their definition, cell by cell, and the best images over all of them. They stand here
//! because they run long, and this crate is optimised.

use crate::{
    brute_force::{Rows, line_orders, transposed},
    random_words::Words,
};
use sudoku_batch::{Digit, Grid, Puzzle, symmetry::Transformation};

/// The rows of a text.
pub fn cells(ascii: &[u8; 81]) -> Rows {
    std::array::from_fn(|r| std::array::from_fn(|c| ascii[9 * r + c]))
}

/// The grid of these rows.
pub fn grid(cells: &Rows) -> Grid {
    Grid::from_ascii(cells.as_flattened().try_into().unwrap()).unwrap()
}

/// The puzzle of these rows.
pub fn puzzle(cells: &Rows) -> Puzzle {
    Puzzle::from_ascii(cells.as_flattened().try_into().unwrap()).unwrap()
}

fn rearranged(cells: &Rows, rows: &[usize; 9], columns: &[usize; 9]) -> Rows {
    rows.map(|row| columns.map(|column| cells[row][column]))
}

/// One symmetry as the tests know it.
pub struct Symmetry {
    /// Rows and columns change places first.
    pub transposed: bool,
    /// The row that comes to each place.
    pub rows: [usize; 9],
    /// The column that comes to each place.
    pub columns: [usize; 9],
    /// The name that each byte of a cell gets.
    pub names: [u8; 256],
}

impl Symmetry {
    /// The image of a grid or a puzzle.
    pub fn image(&self, cells: &Rows) -> Rows {
        let side = if self.transposed {
            transposed(cells)
        } else {
            *cells
        };
        let image = rearranged(&side, &self.rows, &self.columns);
        image.map(|row| row.map(|c| self.names[usize::from(c)]))
    }

    /// This symmetry as the library knows it.
    pub fn transformation(&self) -> Transformation {
        Transformation::new(
            self.transposed,
            self.rows.map(|row| row as u8),
            self.columns.map(|column| column as u8),
            std::array::from_fn(|d| Digit::from_ascii(self.names[d + usize::from(b'1')]).unwrap()),
        )
        .unwrap()
    }

    /// One at random.
    pub fn random(words: &mut Words) -> Self {
        let orders = line_orders();
        let mut names = [b'.'; 256];
        let mut left: Vec<u8> = (b'1'..=b'9').collect();
        for digit in b'1'..=b'9' {
            names[usize::from(digit)] = left.swap_remove(words.below(left.len()));
        }
        Self {
            transposed: words.below(2) == 1,
            rows: orders[words.below(1296)],
            columns: orders[words.below(1296)],
            names,
        }
    }
}

/// The names that make the first row 123456789.
fn names_of(first_row: impl IntoIterator<Item = u8>) -> [u8; 256] {
    let mut names = [b'.'; 256];
    for (digit, name) in first_row.into_iter().zip(b'1'..) {
        names[usize::from(digit)] = name;
    }
    names
}

/// The smallest image of a grid over all 2 * 1296 * 1296 orders of its lines, each with all
/// 9! names, and all symmetries that lead to it. Of the names, those that make the first
/// row 123456789 are the smallest, for any order of the lines.
pub fn smallest_image(grid: &Rows) -> (Rows, Vec<Symmetry>) {
    let orders = line_orders();
    let mut best = [[u8::MAX; 9]; 9];
    let mut ways = Vec::new();
    for (transposed, side) in [(false, *grid), (true, transposed(grid))] {
        for rows in orders {
            for columns in orders {
                let names = names_of(columns.map(|column| side[rows[0]][column]));
                let mut less = false;
                let mut image = best;
                'cells: for (i, row) in image.iter_mut().enumerate() {
                    for (j, cell) in row.iter_mut().enumerate() {
                        let name = names[usize::from(side[rows[i]][columns[j]])];
                        if !less && name > *cell {
                            // The first cell that differs is greater.
                            *cell = u8::MAX;
                            break 'cells;
                        }
                        less |= name < *cell;
                        *cell = name;
                    }
                }
                if image.as_flattened().contains(&u8::MAX) {
                    continue;
                }
                if less {
                    best = image;
                    ways.clear();
                }
                ways.push(Symmetry {
                    transposed,
                    rows: *rows,
                    columns: *columns,
                    names,
                });
            }
        }
    }
    (best, ways)
}

/// The smallest or the largest image of cells over all 2 * 1296 * 1296 orders of the lines, and the
/// number of those that lead to it. For an order of the lines the best names are the names in turn: 1, 2, 3
/// and so on as digits appear, or 9, 8, 7 and so on.
pub fn extreme_image(cells: &Rows, largest: bool) -> (Rows, u64) {
    let orders = line_orders();
    // The worth of a cell: less is better.
    let worth = |c: u8| match (largest, c) {
        (true, b'.') => 10,
        (true, digit) => b'9' - digit,
        (false, b'.') => 0,
        (false, digit) => digit - b'0',
    };
    let mut best = [[u8::MAX; 9]; 9];
    let mut ways = 0;
    let mut best_image = [[b'.'; 9]; 9];
    for side in [*cells, transposed(cells)] {
        for rows in orders {
            'orders: for columns in orders {
                let mut names = [0; 256];
                names[usize::from(b'.')] = b'.';
                let mut turn = if largest { b'9' } else { b'1' };
                let (mut image, mut worths) = ([[b'.'; 9]; 9], [[u8::MAX; 9]; 9]);
                let mut is_better = false;
                for i in 0..9 {
                    for j in 0..9 {
                        let name = &mut names[usize::from(side[rows[i]][columns[j]])];
                        if *name == 0 {
                            *name = turn;
                            turn = if largest { turn - 1 } else { turn + 1 };
                        }
                        image[i][j] = *name;
                        worths[i][j] = worth(*name);
                        if !is_better && worths[i][j] > best[i][j] {
                            continue 'orders;
                        }
                        is_better |= worths[i][j] < best[i][j];
                    }
                }
                if is_better {
                    (best, best_image, ways) = (worths, image, 0);
                }
                ways += 1;
            }
        }
    }
    (best_image, ways)
}
