//! The canonical form of a grid: the smallest, read as an 81-digit number, of
//! all its images under 2 * 6^8 * 9! symmetries.
//!
//! The smallest image begins `123456789`, because the digits can be renamed for any first
//! row and any order of the columns. The choice of the first row and of the columns forces
//! all else: the names of the digits, and the smallest order of the other rows. So there
//! are 2 (transposed or not) * 9 (first row) * 1296 (columns) = 23,328 images to compare.
//! The second row alone rules out nearly all of them.
//!
//! ```text
//!     row a   d1 d2 d3 | d4 d5 d6 | d7 d8 d9     In which column of row a is the digit
//!     row b   d5 d8 d4 | d1 d7 d2 | d6 d3 d9 ->  that row b has in column c? That
//!                                                permutation p of the columns is all
//!     p = 4 7 3 | 0 6 1 | 5 2 8                  that the second row depends on.
//! ```
//!
//! With column order q (place j takes column q\[j\]) the second row reads q^-1 p q, plus
//! one. There are 12,096 such p, because a digit of row b is not in the same box of row a.
//! Conjugation by q sorts them into a few classes. A table made on first use has the
//! smallest second row of each p's class, and the orders q that reach it. A grid has 36
//! pairs of rows in one band. Only the pairs with the smallest second row are written out
//! and compared, and only in the orders q of the table: about a dozen images.

use super::{
    line_order::{LINE_ORDER, inverse},
    rearrangement::Rearrangement,
};
use crate::grid::{CELLS, Digit, Grid};
use std::sync::OnceLock;

/// The canonical form of a grid, and the symmetries that lead to it.
///
/// Two grids are equivalent if these operations turn one into the other: renaming the
/// digits, reordering the bands, the rows in each band, the stacks and the columns in each
/// stack, and transposing. Two grids are equivalent exactly if their canonical forms are
/// the same.
///
/// ```
/// use sudoku_batch::{Grid, symmetry::Canonical};
/// let grid: Grid =
///     "496528713875143692132967854314289576729654381568731429687492135943815267251376948".parse()?;
/// let canonical = Canonical::of(&grid);
/// assert!(canonical.grid().as_str().starts_with("123456789"));
/// assert_eq!(Canonical::of(&canonical.grid()).grid(), canonical.grid());
/// assert_eq!(canonical.automorphisms(), 1);
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Canonical {
    cells: [u8; CELLS],
    automorphisms: u32,
    rearrangement: Rearrangement,
}

impl Canonical {
    /// The canonical form of a grid.
    ///
    /// # Panics
    ///
    /// The grid is not valid.
    pub fn of(grid: &Grid) -> Self {
        assert!(grid.is_valid(), "a canonical form needs a valid grid");
        let sides = sides(grid);
        let table = SecondRows::get();
        // The pairs of rows (a, b) with the smallest second row.
        let mut pairs = Vec::with_capacity(36);
        let mut smallest = u16::MAX;
        for (transposed, side) in sides.iter().enumerate() {
            for a in 0..9 {
                let column_of = inverse(&side[a]);
                for b in others_in_band(a) {
                    let p = side[b].map(|digit| column_of[usize::from(digit)]);
                    let found = &table.found[key(&p)];
                    if found.class < smallest {
                        smallest = found.class;
                        pairs.clear();
                    }
                    if found.class == smallest {
                        pairs.push((transposed, a, b, found));
                    }
                }
            }
        }
        let mut best = Self {
            cells: [u8::MAX; CELLS],
            automorphisms: 0,
            rearrangement: Rearrangement {
                transposed: false,
                rows: [0; 9],
                columns: [0; 9],
            },
        };
        for (transposed, a, b, found) in pairs {
            for &q in table.orders(found) {
                let columns = &LINE_ORDER[usize::from(q)];
                best.try_image(&sides[transposed], transposed == 1, (a, b), columns);
            }
        }
        best
    }

    /// Compares the best image so far with the smallest image that has these first two rows
    /// and this order of the columns.
    fn try_image(
        &mut self,
        side: &[[u8; 9]; 9],
        transposed: bool,
        (a, b): (usize, usize),
        columns: &[u8; 9],
    ) {
        let mut names = [0; 9];
        for (name, &column) in (b'1'..).zip(columns) {
            names[usize::from(side[a][usize::from(column)])] = name;
        }
        let name = |row: usize, j: usize| names[usize::from(side[row][usize::from(columns[j])])];
        let image = |row: usize| -> [u8; 9] { std::array::from_fn(|j| name(row, j)) };
        // The third row rules out nearly all images before the other rows are sorted.
        let third = 9 * (a / 3) + 3 - a - b;
        if self.automorphisms > 0 && image(third).as_slice() > &self.cells[18..27] {
            return;
        }
        let mut rows = [a, b, third, 0, 0, 0, 0, 0, 0];
        let mut bands = [(a / 3 + 1) % 3, (a / 3 + 2) % 3].map(|band| {
            let mut rows = [3 * band, 3 * band + 1, 3 * band + 2];
            rows.sort_unstable_by_key(|&row| name(row, 0));
            rows
        });
        bands.sort_unstable_by_key(|band| name(band[0], 0));
        rows[3..].copy_from_slice(bands.as_flattened());

        let mut smaller = self.automorphisms == 0;
        for (i, &row) in rows.iter().enumerate() {
            let image = image(row);
            let best = &mut self.cells[9 * i..][..9];
            if !smaller && image.as_slice() > best {
                return;
            }
            if smaller || image.as_slice() < best {
                smaller = true;
                best.copy_from_slice(&image);
            }
        }
        if smaller {
            self.automorphisms = 0;
            self.rearrangement = Rearrangement {
                transposed,
                rows: rows.map(|row| row as u8),
                columns: *columns,
            };
        }
        // Each way to the same smallest image is one automorphism.
        self.automorphisms += 1;
    }

    /// The form itself.
    pub fn grid(&self) -> Grid {
        Grid::from_ascii(&self.cells).expect("names are digits")
    }

    /// What turns the grid into the form, when the digits are renamed too; one of
    /// several where the grid has automorphisms.
    pub(crate) fn rearrangement(&self) -> &Rearrangement {
        &self.rearrangement
    }

    /// How many symmetries map the grid to itself, including the identity. It is 1 for
    /// nearly all grids.
    pub fn automorphisms(&self) -> u32 {
        self.automorphisms
    }
}

/// The rows of a grid and of its transpose, digits as 0 to 8.
fn sides(grid: &Grid) -> [[[u8; 9]; 9]; 2] {
    let rows: [[u8; 9]; 9] = std::array::from_fn(|r| {
        std::array::from_fn(|c| {
            let digit = Digit::from_ascii(grid.as_ascii()[9 * r + c]);
            digit.expect("cells are digits").index() as u8
        })
    });
    let columns = std::array::from_fn(|r| std::array::from_fn(|c| rows[c][r]));
    [rows, columns]
}

fn others_in_band(row: usize) -> impl Iterator<Item = usize> {
    let band = row / 3 * 3;
    (band..band + 3).filter(move |&other| other != row)
}

/// Keys are below this number. Not all of them occur.
const KEYS: usize = 120 * 120 * 8;

/// A number for p, made of the numbers of its first two triples and the order of its last
/// three columns. It leaves gaps, but is much quicker than a number without gaps.
#[inline]
fn key(p: &[u8; 9]) -> usize {
    let triple = |stack: usize| {
        let [a, b, c] = [0, 1, 2].map(|i| usize::from(p[3 * stack + i]));
        usize::from(TRIPLES[stack][81 * a + 9 * b + c])
    };
    let order = [p[6] < p[7], p[7] < p[8], p[6] < p[8]];
    let order = order
        .iter()
        .fold(0, |bits, &less| 2 * bits + usize::from(less));
    (triple(0) * 120 + triple(1)) * 8 + order
}

/// Numbers for the 120 ordered triples of columns outside the first stack, and for those
/// outside the second.
static TRIPLES: [[u8; 729]; 2] = {
    let mut table = [[0; 729]; 2];
    let mut stack = 0;
    while stack < 2 {
        let (mut code, mut number) = (0, 0);
        while code < 729 {
            let (a, b, c) = (code / 81, code / 9 % 9, code % 9);
            let outside = a / 3 != stack && b / 3 != stack && c / 3 != stack;
            if outside && a != b && a != c && b != c {
                table[stack][code] = number;
                number += 1;
            }
            code += 1;
        }
        assert!(number == 120);
        stack += 1;
    }
    table
};

/// The permutations of 0 to 8 in lexicographic order.
fn permutations() -> impl Iterator<Item = [u8; 9]> {
    let first = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    std::iter::successors(Some(first), |permutation| {
        let mut next = *permutation;
        // The last place that can take more, the least that is more, and what
        // comes after it in ascending order.
        let place = (0..8).rfind(|&i| next[i] < next[i + 1])?;
        let more = (place + 1..9).rfind(|&i| next[i] > next[place])?;
        next.swap(place, more);
        next[place + 1..].reverse();
        Some(next)
    })
}

/// The smallest second row for each p, and how to reach it.
struct SecondRows {
    /// Indexed by [`key`]. `class` is `u16::MAX` if no p has the key.
    found: Vec<Found>,
    /// The column orders, those of one p side by side.
    orders: Vec<u16>,
}

#[derive(Clone, Copy)]
struct Found {
    /// Classes are numbered by their smallest second rows, ascending.
    class: u16,
    /// Where the column orders begin, and how many there are.
    start: u16,
    count: u16,
}

impl SecondRows {
    fn get() -> &'static Self {
        static TABLE: OnceLock<SecondRows> = OnceLock::new();
        TABLE.get_or_init(Self::new)
    }

    fn new() -> Self {
        let none = Found {
            class: u16::MAX,
            start: 0,
            count: 0,
        };
        let mut found = vec![none; KEYS];
        let mut orders = Vec::new();
        let mut classes = 0;
        for second in permutations() {
            let stays = |(c, &p): (u8, &u8)| p / 3 == c / 3;
            if (0..).zip(&second).any(stays) || found[key(&second)].class != u16::MAX {
                continue;
            }
            // This second row is the smallest of a new class, because second rows come
            // in ascending order. The p of the class are q second q^-1, for all q.
            let mut members: Vec<(usize, u16)> = (0..)
                .zip(&LINE_ORDER)
                .map(|(q, order)| {
                    let mut p = [0; 9];
                    for (j, &image) in second.iter().enumerate() {
                        p[usize::from(order[j])] = order[usize::from(image)];
                    }
                    (key(&p), q)
                })
                .collect();
            members.sort_unstable();
            for member in members.chunk_by(|a, b| a.0 == b.0) {
                found[member[0].0] = Found {
                    class: classes,
                    start: u16::try_from(orders.len()).expect("few classes"),
                    count: member.len() as u16,
                };
                orders.extend(member.iter().map(|&(_, q)| q));
            }
            classes += 1;
        }
        Self { found, orders }
    }

    fn orders(&self, found: &Found) -> &[u16] {
        &self.orders[usize::from(found.start)..][..usize::from(found.count)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_are_all_and_ascend() {
        let all: Vec<[u8; 9]> = permutations().collect();
        assert_eq!(all.len(), (1..=9).product());
        assert!(all.is_sorted_by(|a, b| a < b));
        let whole = |p: &[u8; 9]| p.iter().fold(0u16, |seen, &i| seen | 1 << i) == 0x1ff;
        assert!(all.iter().all(whole));
    }

    #[test]
    fn the_table_of_second_rows_is_whole() {
        let table = SecondRows::get();
        let known = |found: &&Found| found.class != u16::MAX;
        let members: Vec<&Found> = table.found.iter().filter(known).collect();
        // 56 ways to fill the minirows of the second row, 6 orders in each.
        assert_eq!(members.len(), 56 * 6 * 6 * 6);
        let classes = 1 + members.iter().map(|found| found.class).max().unwrap();
        assert_eq!(table.orders.len(), 1296 * usize::from(classes));
        let all: usize = members.iter().map(|found| usize::from(found.count)).sum();
        assert_eq!(all, table.orders.len());
    }
}
