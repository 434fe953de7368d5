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

/// The last image of rows over all 2 * 1296 * 1296 orders of its lines, compared byte by byte.
pub fn last_image(cells: &Rows) -> Rows {
    let mut last = [[0; 9]; 9];
    for side in [*cells, transposed(cells)] {
        for columns in line_orders() {
            let side = side.map(|row| columns.map(|column| row[column]));
            for rows in line_orders() {
                // Most differ in the first row.
                if side[rows[0]] >= last[0] {
                    last = last.max(rows.map(|row| side[row]));
                }
            }
        }
    }
    last
}

/// The names that make the first row 123456789.
fn names_of(first_row: impl IntoIterator<Item = u8>) -> [u8; 256] {
    let mut names = [b'.'; 256];
    for (digit, name) in first_row.into_iter().zip(b'1'..) {
        names[usize::from(digit)] = name;
    }
    names
}

/// The orders of the rows, in groups with the same first three rows.
fn by_first_band() -> impl Iterator<Item = &'static [[usize; 9]]> {
    line_orders().chunks(36)
}

/// The first rows of an image, with the names that make the first of them 123456789, unless they are greater than the
/// best ones.
fn named(
    side: &Rows,
    rows: &[usize],
    columns: &[usize; 9],
    best: &Rows,
) -> Option<(Rows, [u8; 9], bool)> {
    let first_row = columns.map(|column| side[rows[0]][column]);
    // The low half of a byte is the digit.
    let mut names = [0; 16];
    for (digit, name) in first_row.into_iter().zip(b'1'..) {
        names[usize::from(digit % 16)] = name;
    }
    let (mut image, mut is_less) = (*best, false);
    for (image, row) in image.iter_mut().zip(rows) {
        for (cell, column) in image.iter_mut().zip(columns) {
            let name = names[usize::from(side[*row][*column] % 16)];
            // The first cell that differs decides.
            if !is_less && name > *cell {
                return None;
            }
            is_less |= name < *cell;
            *cell = name;
        }
    }
    Some((image, first_row, is_less))
}

/// The smallest image of a grid over all 2 * 1296 * 1296 orders of its lines, each with all
/// 9! names, and all symmetries that lead to it. Of the names, those that make the first
/// row 123456789 are the smallest, for any order of the lines. Orders whose first three rows are greater are left out
/// together.
pub fn smallest_image(grid: &Rows) -> (Rows, Vec<Symmetry>) {
    let mut best = [[u8::MAX; 9]; 9];
    let mut ways = Vec::new();
    for (transposed, side) in [(false, *grid), (true, transposed(grid))] {
        for columns in line_orders() {
            for orders in by_first_band() {
                if named(&side, &orders[0][..3], columns, &best).is_none() {
                    continue;
                }
                for rows in orders {
                    let Some((image, first_row, is_less)) = named(&side, rows, columns, &best)
                    else {
                        continue;
                    };
                    if is_less {
                        best = image;
                        ways.clear();
                    }
                    ways.push(Symmetry {
                        transposed,
                        rows: *rows,
                        columns: *columns,
                        names: names_of(first_row),
                    });
                }
            }
        }
    }
    (best, ways)
}

/// The first rows of an image, with the names in turn: 1, 2, 3 and so on as digits appear, or 9, 8, 7 and so on; and the
/// worth of each cell, where less is better. `None` if they are worse than the best ones.
fn in_turn(
    side: &Rows,
    rows: &[usize],
    columns: &[usize; 9],
    largest: bool,
    best: &Rows,
) -> Option<(Rows, Rows, bool)> {
    let worth = |c: u8| match (largest, c) {
        (true, b'.') => 10,
        (true, digit) => b'9' - digit,
        (false, b'.') => 0,
        (false, digit) => digit - b'0',
    };
    // The low half of a byte tells a digit from a blank.
    let mut names = [0; 16];
    names[usize::from(b'.' % 16)] = b'.';
    let mut turn = if largest { b'9' } else { b'1' };
    let (mut image, mut worths) = ([[b'.'; 9]; 9], [[u8::MAX; 9]; 9]);
    let mut is_better = false;
    for (i, &row) in rows.iter().enumerate() {
        for (j, &column) in columns.iter().enumerate() {
            let name = &mut names[usize::from(side[row][column] % 16)];
            if *name == 0 {
                *name = turn;
                turn = if largest { turn - 1 } else { turn + 1 };
            }
            image[i][j] = *name;
            worths[i][j] = worth(*name);
            if !is_better && worths[i][j] > best[i][j] {
                return None;
            }
            is_better |= worths[i][j] < best[i][j];
        }
    }
    Some((image, worths, is_better))
}

/// The smallest or the largest image of cells over all 2 * 1296 * 1296 orders of the lines, and the
/// number of those that lead to it. For an order of the lines the best names are the names in turn. Orders whose first
/// three rows are worse are left out together.
pub fn extreme_image(cells: &Rows, largest: bool) -> (Rows, u64) {
    let mut best = [[u8::MAX; 9]; 9];
    let mut ways = 0;
    let mut best_image = [[b'.'; 9]; 9];
    for side in [*cells, transposed(cells)] {
        for columns in line_orders() {
            for orders in by_first_band() {
                if in_turn(&side, &orders[0][..3], columns, largest, &best).is_none() {
                    continue;
                }
                for rows in orders {
                    let found = in_turn(&side, rows, columns, largest, &best);
                    let Some((image, worths, is_better)) = found else {
                        continue;
                    };
                    if is_better {
                        (best, best_image, ways) = (worths, image, 0);
                    }
                    ways += 1;
                }
            }
        }
    }
    (best_image, ways)
}
