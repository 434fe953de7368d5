//! The canonical form of a grid. It is the smallest of the images of the grid under all 2 * 6^8 *
//! 9! symmetries, read as 81-digit numbers.
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
//! With column order q (place j takes column q\[j\]) the second row reads q^-1 p q, plus one. There
//! are 12,096 such p, because a digit of row b is not in the same box of row a. Conjugation by q
//! sorts them into a few classes. A table, made on first use, holds the smallest second row for the
//! class of each p, and the orders q that lead to it. A grid has 36 pairs of rows in one band. The
//! search writes out and compares only the pairs with the smallest second row, and only in the
//! orders q of the table. That leaves about a dozen images.

use super::{
    Transformation,
    line_order::{LINE_ORDER, PLACES, inverse, line_order},
};
use crate::{
    grid::{AnyPuzzle, BatchPuzzle, CELLS, Grid},
    stop,
};
use std::sync::OnceLock;

/// The canonical form of a grid, and the symmetries that lead to it.
///
/// Two grids are equivalent if these operations turn one into the other: renaming the
/// digits, reordering the bands, the rows in each band, the stacks and the columns in each
/// stack, and transposing. Two grids are equivalent exactly if their canonical forms are
/// the same.
///
/// ```
/// use sudoku_batch::{Grid, symmetry::CanonicalGrid};
/// let grid: Grid =
///     "496528713875143692132967854314289576729654381568731429687492135943815267251376948".parse()?;
/// let canonical = CanonicalGrid::new(&grid);
/// assert!(canonical.grid().as_str().starts_with("123456789"));
/// assert_eq!(CanonicalGrid::new(&canonical.grid()).grid(), canonical.grid());
/// assert_eq!(canonical.transformation().grid(&grid), canonical.grid());
/// assert_eq!(canonical.automorphisms(), 1);
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CanonicalGrid {
    form: Grid,
    first: Transformation,
    /// The other symmetries that lead to the canonical form. Nearly all grids have none.
    others: Vec<Transformation>,
}

impl CanonicalGrid {
    /// The canonical form of a grid.
    ///
    /// # Panics
    ///
    /// The grid is not valid.
    pub fn new(grid: &Grid) -> Self {
        assert!(grid.is_valid(), "a canonical form needs a valid grid");
        let sides = Side::both(grid);
        let mut images = smallest_thirds(&sides)
            .into_iter()
            .map(|start| Image::of(&sides, start));
        let mut best = images.next().expect("a grid has an image");
        let mut others = Vec::new();
        for image in images {
            if image.rows < best.rows {
                best = image;
                others.clear();
            } else if image.rows == best.rows {
                others.push(image);
            }
        }
        Self {
            form: best.grid(),
            first: best.transformation(&sides),
            others: others
                .iter()
                .map(|image| image.transformation(&sides))
                .collect(),
        }
    }

    /// The canonical form.
    pub fn grid(&self) -> Grid {
        self.form
    }

    /// The symmetry that turns the grid into the canonical form. If the grid has automorphisms, it is one of
    /// several.
    pub fn transformation(&self) -> &Transformation {
        &self.first
    }

    /// All symmetries that turn the grid into the canonical form. There are as many as the grid has
    /// automorphisms.
    pub fn transformations(&self) -> impl Iterator<Item = &Transformation> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// The number of symmetries that map the grid to itself, including the identity. It is 1 for
    /// nearly all grids.
    pub fn automorphisms(&self) -> u32 {
        1 + self.others.len() as u32
    }
}

/// The canonical form of a puzzle, and the symmetry that leads to it: [by its solution](Self::new), or
/// the [smallest](Self::smallest_image) or [largest](Self::largest_image) image of its own text.
///
/// The symmetry that takes the solution to its canonical form also takes the puzzle to its form. If
/// the solution has automorphisms, there are several such symmetries. The canonical form is then the smallest
/// of the images as text, where a blank `.` comes before all digits. Two puzzles with one solution
/// each are equivalent exactly if their canonical forms are the same.
///
/// This canonical form is not the [smallest image](Self::smallest_image) of the puzzle's own 81 characters, which takes far
/// longer to find. Both canonical forms distinguish the same puzzles.
///
/// ```
/// use sudoku_batch::{Outcome, Puzzle, Solver, symmetry::{CanonicalGrid, CanonicalPuzzle}};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let Outcome::Unique(solution) = Solver::new().solve(&puzzle) else { panic!("it has one") };
/// let canonical = CanonicalPuzzle::new(&puzzle, &solution);
/// assert_eq!(canonical.puzzle().clue_count(), puzzle.clue_count());
/// assert!(CanonicalGrid::new(&solution).grid().is_solution_of(&canonical.puzzle()));
/// assert_eq!(canonical.puzzle(), canonical.transformation().puzzle(&puzzle).into());
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CanonicalPuzzle {
    pub(super) form: AnyPuzzle,
    /// True if the puzzle is given by candidates.
    pub(super) by_candidates: bool,
    pub(super) transformation: Transformation,
    pub(super) automorphisms: u64,
}

impl CanonicalPuzzle {
    /// The canonical form of a puzzle with this only solution. The function does not check that the
    /// solution is the only one. If it is not, the result is the canonical form of the pair of puzzle and
    /// solution.
    ///
    /// Candidates that [a puzzle of 81 cells](crate::Candidates::to_puzzle) has count as that puzzle. Of
    /// several images of other candidates the canonical form is the smallest value.
    ///
    /// # Panics
    ///
    /// The grid is not a solution of the puzzle.
    pub fn new(puzzle: impl BatchPuzzle, solution: &Grid) -> Self {
        let puzzle = puzzle.into();
        let by_candidates = matches!(puzzle, AnyPuzzle::Candidates(_));
        let puzzle = &puzzle.simplest();
        assert!(
            puzzle.allows(solution),
            "a canonical form needs the solution of the puzzle"
        );
        stop::check();
        let canonical = CanonicalGrid::new(solution);
        let mut best = Self {
            form: canonical.first.puzzle(puzzle),
            by_candidates,
            transformation: canonical.first,
            automorphisms: 1,
        };
        for transformation in &canonical.others {
            let form = transformation.puzzle(puzzle);
            if form < best.form {
                (best.form, best.transformation) = (form, *transformation);
                best.automorphisms = 0;
            }
            best.automorphisms += u64::from(form == best.form);
        }
        best
    }

    /// The canonical form: by 81 cells where these say the same.
    pub fn puzzle(&self) -> AnyPuzzle {
        self.form
    }

    /// The canonical form, given as the puzzle is: by its cells or by candidates.
    pub fn as_given(&self) -> AnyPuzzle {
        if self.by_candidates {
            self.form.candidates().into()
        } else {
            self.form
        }
    }

    /// The symmetry that turns the puzzle into the canonical form. If the puzzle has automorphisms, it is one
    /// of several.
    pub fn transformation(&self) -> &Transformation {
        &self.transformation
    }

    /// The number of symmetries that map the puzzle to itself, including the identity. Of an
    /// [image without a solution](Self::smallest_image), symmetries that differ in the order of blank lines alone, or
    /// in the names of digits that do not occur, count each.
    pub fn automorphisms(&self) -> u64 {
        self.automorphisms
    }
}

/// A grid, or its transpose.
struct Side {
    /// The rows of the grid. Digits are 0 to 8.
    rows: [[u8; 16]; 9],
    /// For each row, the column of each digit.
    column_of: [[u8; 16]; 9],
}

impl Side {
    #[inline]
    fn both(grid: &Grid) -> [Self; 2] {
        let empty = || Self {
            rows: [[0; 16]; 9],
            column_of: [[0; 16]; 9],
        };
        let [mut plain, mut transposed] = [empty(), empty()];
        for (r, row) in grid.as_ascii().as_chunks::<9>().0.iter().enumerate() {
            for (c, character) in row.iter().enumerate() {
                let digit = (character & 15) - 1;
                plain.rows[r][c] = digit;
                plain.column_of[r][usize::from(digit & 15)] = c as u8;
                transposed.rows[c][r] = digit;
                transposed.column_of[c][usize::from(digit & 15)] = r as u8;
            }
        }
        [plain, transposed]
    }

    /// For each column of row `b`: the column in which row `a` has its digit.
    #[inline(always)]
    fn permutation(&self, a: usize, b: usize) -> [u8; 16] {
        // This loop and those below count. The compiler does not always inline iterators and
        // closures, and that made the whole canonical form half as fast.
        let (column_of, row) = (&self.column_of[a], &self.rows[b]);
        let mut p = [0; 16];
        let mut c = 0;
        while c < 9 {
            p[c] = column_of[usize::from(row[c] & 15)];
            c += 1;
        }
        p
    }
}

/// How an image begins: its side, its first two rows, and the order of its columns.
#[derive(Clone, Copy)]
struct Start {
    transposed: bool,
    a: u8,
    b: u8,
    columns: u16,
}

/// The images with the smallest second row, and of these the images with the smallest third row.
#[inline]
fn smallest_thirds(sides: &[Side; 2]) -> Vec<Start> {
    let table = SecondRows::get();
    let (pairs, count) = smallest_seconds(sides, table);
    let mut smallest = u64::MAX;
    let mut starts = Vec::with_capacity(8);
    for &(transposed, a, b) in &pairs[..count] {
        let side = &sides[usize::from(transposed)];
        let (a_row, b_row) = (usize::from(a), usize::from(b));
        let third = side.permutation(a_row, 9 * (a_row / 3) + 3 - a_row - b_row);
        let found = &table.found[key(&side.permutation(a_row, b_row))];
        for &columns in table.orders(found) {
            let image = image_of_row(&third, columns);
            if image < smallest {
                smallest = image;
                starts.clear();
            }
            if image == smallest {
                starts.push(Start {
                    transposed,
                    a,
                    b,
                    columns,
                });
            }
        }
    }
    starts
}

/// The pairs of rows with the smallest second row: the side, the first row and the second row. Also
/// the number of pairs.
#[inline]
fn smallest_seconds(sides: &[Side; 2], table: &SecondRows) -> ([(bool, u8, u8); 36], usize) {
    let mut pairs = [(false, 0, 0); 36];
    let (mut count, mut smallest) = (0, u8::MAX);
    let mut offer = |class: u8, pair: (bool, u8, u8)| {
        if class < smallest {
            smallest = class;
            count = 0;
        }
        if class == smallest {
            pairs[count] = pair;
            count += 1;
        }
    };
    for (side, transposed) in sides.iter().zip([false, true]) {
        for (a, b) in [
            (0, 1),
            (0, 2),
            (1, 2),
            (3, 4),
            (3, 5),
            (4, 5),
            (6, 7),
            (6, 8),
            (7, 8),
        ] {
            // The permutation of (b, a) is the inverse of that of (a, b), so one look-up
            // reports both classes.
            let p = side.permutation(usize::from(a), usize::from(b));
            let [forth, back] = table.classes[key(&p)];
            offer(forth, (transposed, a, b));
            offer(back, (transposed, b, a));
        }
    }
    (pairs, count)
}

/// A row of an image as a number. Each column takes four bits, the first column the highest. `row`
/// gives, for each column of the grid, the column where the first row of the image has that digit.
#[inline(always)]
fn image_of_row(row: &[u8; 16], columns: u16) -> u64 {
    let order = &LINE_ORDER[usize::from(columns)];
    let place = &PLACES[usize::from(columns)];
    let (mut image, mut j) = (0, 0);
    while j < 9 {
        let from = row[usize::from(order[j] & 15)];
        image = image << 4 | u64::from(place[usize::from(from & 15)]);
        j += 1;
    }
    image
}

/// The smallest image with a given start.
struct Image {
    /// The rows of the image, in the layout of [`image_of_row`].
    rows: [u64; 9],
    /// The rows of the side that these rows come from.
    order: [u8; 9],
    start: Start,
}

impl Image {
    #[inline]
    fn of(sides: &[Side; 2], start: Start) -> Self {
        let side = &sides[usize::from(start.transposed)];
        let (a, b) = (usize::from(start.a), usize::from(start.b));
        let third = 9 * (a / 3) + 3 - a - b;
        // The low bits hold the number of the row, so sorting moves it along with the image.
        let row =
            |row: usize| image_of_row(&side.permutation(a, row), start.columns) << 4 | row as u64;
        let band = |band: usize| sorted([row(3 * band), row(3 * band + 1), row(3 * band + 2)]);
        let head = [row(a), row(b), row(third)];
        let mut bands = [band((a / 3 + 1) % 3), band((a / 3 + 2) % 3)];
        if bands[0][0] > bands[1][0] {
            bands.swap(0, 1);
        }
        let rows = [head, bands[0], bands[1]];
        let mut order = [0; 9];
        for (place, row) in order.iter_mut().zip(rows.as_flattened()) {
            *place = (row & 15) as u8;
        }
        let mut images = [0; 9];
        for (image, row) in images.iter_mut().zip(rows.as_flattened()) {
            *image = row >> 4;
        }
        Self {
            rows: images,
            order,
            start,
        }
    }

    fn grid(&self) -> Grid {
        let mut cells = [0; CELLS];
        for (cells, row) in cells.as_chunks_mut::<9>().0.iter_mut().zip(&self.rows) {
            for (c, cell) in cells.iter_mut().enumerate() {
                *cell = b'1' + (row >> (4 * (8 - c)) & 15) as u8;
            }
        }
        Grid::from_ascii(&cells).expect("the names are digits")
    }

    fn transformation(&self, sides: &[Side; 2]) -> Transformation {
        let columns = line_order(usize::from(self.start.columns));
        let first = &sides[usize::from(self.start.transposed)].rows[usize::from(self.start.a)];
        let mut digits = [0; 9];
        for (name, &column) in (0..).zip(&columns) {
            digits[usize::from(first[usize::from(column)])] = name;
        }
        Transformation {
            transposed: self.start.transposed,
            rows: self.order,
            columns,
            digits,
        }
    }
}

#[inline(always)]
fn sorted([a, b, c]: [u64; 3]) -> [u64; 3] {
    let (a, b) = (a.min(b), a.max(b));
    let (b, c) = (b.min(c), b.max(c));
    [a.min(b), a.max(b), c]
}

/// All keys are below this number. Not every number is a key.
const KEYS: usize = 120 * 120 * 8;

/// A number for p, made of the numbers of its first two triples and the order of its last three
/// columns. The numbers have gaps, but they are much quicker to compute than numbers without gaps.
#[inline(always)]
fn key(p: &[u8; 16]) -> usize {
    let three =
        |i: usize| usize::from(p[i]) << 8 | usize::from(p[i + 1]) << 4 | usize::from(p[i + 2]);
    let first = usize::from(TRIPLES[0][three(0) & 0xfff]);
    let second = usize::from(TRIPLES[1][three(3) & 0xfff]);
    let less = |i: usize, j: usize| usize::from(p[i] < p[j]);
    (first * 120 + second) * 8 + (less(6, 7) << 2 | less(7, 8) << 1 | less(6, 8))
}

fn padded(p: &[u8; 9]) -> [u8; 16] {
    let mut padded = [0; 16];
    padded[..9].copy_from_slice(p);
    padded
}

/// Numbers for the 120 ordered triples of columns outside the first stack, and for those
/// outside the second. Each column has four bits of the index.
static TRIPLES: [[u8; 4096]; 2] = {
    let mut table = [[0; 4096]; 2];
    let mut stack = 0;
    while stack < 2 {
        let (mut code, mut number) = (0, 0);
        while code < 729 {
            let (a, b, c) = (code / 81, code / 9 % 9, code % 9);
            let outside = a / 3 != stack && b / 3 != stack && c / 3 != stack;
            if outside && a != b && a != c && b != c {
                table[stack][a << 8 | b << 4 | c] = number;
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

/// The smallest second row for each p, and the column orders that lead to it.
struct SecondRows {
    /// The classes of p and of its inverse, indexed by [`key`]. Classes are numbered by their
    /// smallest second rows, ascending. The entry is `u8::MAX` if no p has the key.
    classes: Vec<[u8; 2]>,
    /// The column orders that lead to the smallest second row, indexed by [`key`].
    found: Vec<Found>,
    /// The column orders. Those of one p are next to each other.
    orders: Vec<u16>,
}

/// The place where the column orders of one p begin, and their number.
#[derive(Clone, Copy)]
struct Found {
    start: u16,
    count: u16,
}

impl SecondRows {
    fn get() -> &'static Self {
        static TABLE: OnceLock<SecondRows> = OnceLock::new();
        TABLE.get_or_init(Self::new)
    }

    fn new() -> Self {
        let mut table = Self {
            classes: vec![[u8::MAX; 2]; KEYS],
            found: vec![Found { start: 0, count: 0 }; KEYS],
            orders: Vec::new(),
        };
        let mut class = 0;
        for second in permutations() {
            let stays = |(c, &p): (u8, &u8)| p / 3 == c / 3;
            if !(0..).zip(&second).any(stays) && table.classes[key(&padded(&second))][0] == u8::MAX
            {
                // This second row is the smallest of a new class, because the loop visits second
                // rows in ascending order.
                table.add_class(class, &second);
                class += 1;
            }
        }
        table
    }

    /// Adds the class of a smallest second row: the q second q^-1, for all q.
    fn add_class(&mut self, class: u8, second: &[u8; 9]) {
        let mut members: Vec<([u8; 9], u16)> = (0..)
            .zip(&LINE_ORDER)
            .map(|(q, order)| {
                let mut p = [0; 9];
                for (j, &image) in second.iter().enumerate() {
                    p[usize::from(order[j])] = order[usize::from(image)];
                }
                (p, q)
            })
            .collect();
        members.sort_unstable();
        for members in members.chunk_by(|a, b| a.0 == b.0) {
            let p = members[0].0;
            self.classes[key(&padded(&p))][0] = class;
            self.classes[key(&padded(&inverse(&p)))][1] = class;
            self.found[key(&padded(&p))] = Found {
                start: u16::try_from(self.orders.len()).expect("few classes"),
                count: members.len() as u16,
            };
            self.orders.extend(members.iter().map(|&(_, q)| q));
        }
    }

    fn orders(&self, found: &Found) -> &[u16] {
        &self.orders[usize::from(found.start)..][..usize::from(found.count)]
    }
}
