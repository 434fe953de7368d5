//! Uniform samples of all grids: every one of the 6,670,903,752,021,072,936,960
//! comes with the same probability.
//!
//! The minirows of a box are a partition of the digits into triples, its
//! minicolumns another; two partitions that *cross* fill a box in one way. The
//! partitions of a band's three boxes are one of few *designs*, those of a stack
//! likewise ([`partition`] draws this). So a grid is three designs of bands and
//! three of stacks, such that in each of the nine boxes two partitions cross. A
//! *try* chooses them in this order, each choice equally likely:
//!
//! ```text
//!     box 1 2 3     box 1            fixed: rows 123 456 789, columns 147 258 369
//!         4 5 6     band 1, stack 1  one of 56 designs each
//!         7 8 9     boxes 2 and 3    one of the 36 columns that cross their rows
//!                   boxes 4 and 7    one of the 36 rows that cross their columns
//!                   band 2           one of 56 designs
//!                   stack 2          one of 8 that cross in box 5, or fail
//!                   band 3           one of 8 that cross in box 8, or fail
//!                   stack 3          one of 8 that cross in box 6, or fail
//!                   box 9            fail unless it crosses too
//! ```
//!
//! A try that fails is forgotten and all is chosen anew, from the next random
//! word. Every choice has the same number of values whatever came before, so each
//! outcome is the outcome of one of [`TRIES`] equally likely numbers. To choose
//! again only what failed would be biased; `docs/generation.md` has the whole
//! argument. One try in 10.65 succeeds.
//!
//! At last the digits are renamed in one of 9! ways, and the rows of bands 2 and
//! 3 and the columns of stacks 2 and 3 put in order, 6 ways each. These change
//! box 1, the minirows of boxes 4 and 7 and the minicolumns of boxes 2 and 3 in
//! ways that can be told from each other, so every grid comes from one outcome
//! and one [ending](Ending).
//!
//! The bytes of every seeded sequence rest on this file and its children: a change
//! of what comes out is a new major version.

mod partition;
mod philox;

use crate::grid::{CELLS, Digit, Grid, GridLine};
use partition::{CROSSING, DESIGNS, Design, FITTING, Partition, Tables};
use philox::{Words, below};
use std::sync::LazyLock;

/// Independent uniform samples of all grids, by number.
///
/// Grid i of a seed depends on the seed and i alone, so any machine can make
/// any slice. It is the same on every machine and in every version of the same
/// major number. Two grids of n are equal with a probability of about
/// n² / (1.33 · 10²²); for grids that differ for sure see
/// [`Sequence`](super::Sequence).
///
/// ```
/// use sudoku_batch::generate::Uniform;
/// let grids = Uniform::seeded(0);
/// let grid = grids.grid(123_456_789_012_345);
/// assert!(grid.is_valid());
/// assert_eq!(grids.grid(123_456_789_012_345), grid);
/// ```
#[derive(Clone, Debug)]
pub struct Uniform {
    seed: u64,
    first_digit: Option<Digit>,
}

impl Uniform {
    /// The samples of a seed, one for each number from 0 to `u64::MAX`.
    pub fn seeded(seed: u64) -> Self {
        Self {
            seed,
            first_digit: None,
        }
    }

    /// Uniform samples of the grids with this digit in the top left cell: in
    /// each grid of the seed, this digit and the one that is there change their names.
    ///
    /// Each ninth of all grids is renamed one to one to the grids with this
    /// digit, so they are equally likely too.
    ///
    /// ```
    /// use sudoku_batch::{Cell, Digit, generate::Uniform};
    /// let five = Digit::new(5).unwrap();
    /// let grid = Uniform::seeded(0).with_first_digit(five).grid(7);
    /// assert_eq!(grid.get(Cell::at(0, 0)), five);
    /// ```
    #[must_use]
    pub fn with_first_digit(self, digit: Digit) -> Self {
        Self {
            first_digit: Some(digit),
            ..self
        }
    }

    /// The grid of a number.
    pub fn grid(&self, index: u64) -> Grid {
        let mut line = [[0; CELLS + 1]];
        self.write_lines(index, &mut line);
        let cells = line[0].first_chunk().expect("81 of 82");
        Grid::from_ascii(cells).expect("a digit in every cell")
    }

    /// Writes the grids from number `start` on, one to each line.
    ///
    /// ```
    /// use sudoku_batch::generate::Uniform;
    /// let mut lines = [[0; 82]; 3];
    /// Uniform::seeded(0).write_lines(100, &mut lines);
    /// assert_eq!(&lines[2][..81], Uniform::seeded(0).grid(102).as_ascii());
    /// assert_eq!(lines[2][81], b'\n');
    /// ```
    ///
    /// # Panics
    ///
    /// When that goes beyond number `u64::MAX`.
    pub fn write_lines(&self, start: u64, lines: &mut [GridLine]) {
        let Some(more) = (lines.len() as u64).checked_sub(1) else {
            return;
        };
        let end = start.checked_add(more).expect("numbers end at u64::MAX");
        let tables = &*TABLES;
        for (index, line) in (start..=end).zip(lines) {
            let mut words = Words::new(self.seed, index);
            let skeleton = Skeleton::draw(tables, &mut words);
            let mut ending = Ending::draw(&mut words);
            if let Some(digit) = self.first_digit {
                ending.name_first(digit);
            }
            skeleton.write(tables, &ending, line);
        }
    }
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// The rows of box 1: 123 456 789. Its columns are the first partition that
/// crosses them, 147 258 369.
const FIRST_ROWS: Partition = 0;

/// What a try chooses, each a number from 0.
#[derive(Clone, Copy, Debug)]
struct Choices {
    /// The designs of band 1, stack 1 and band 2.
    designs: [u8; 3],
    /// Of the partitions that cross: the columns of boxes 2 and 3, the rows of
    /// boxes 4 and 7.
    crossing: [u8; 4],
    /// Of the designs that fit: those of stack 2, band 3 and stack 3.
    fitting: [u8; 3],
}

/// How many tries there are.
const TRIES: u64 = (DESIGNS.pow(3) as u64) * (CROSSING.pow(4) as u64) * (FITTING.pow(3) as u64);

impl Choices {
    /// Try `number` of [`TRIES`].
    #[inline]
    fn new(mut number: u64) -> Self {
        Self {
            fitting: [(); 3].map(|()| digit(&mut number, FITTING) as u8),
            designs: [(); 3].map(|()| digit(&mut number, DESIGNS) as u8),
            crossing: [(); 4].map(|()| digit(&mut number, CROSSING) as u8),
        }
    }
}

/// Takes the lowest digit off a number in mixed radix.
#[inline]
fn digit(number: &mut u64, radix: usize) -> usize {
    let digit = *number % radix as u64;
    *number /= radix as u64;
    digit as usize
}

/// A grid but for the names of the digits and the orders of rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Skeleton {
    bands: [Design; 3],
    stacks: [Design; 3],
}

impl Skeleton {
    #[inline]
    fn draw(tables: &Tables, words: &mut Words) -> Self {
        loop {
            // A word that `below` leaves out fails like any other try.
            let number = below(TRIES, words.next());
            let skeleton = number.and_then(|number| Self::of(tables, Choices::new(number)));
            if let Some(skeleton) = skeleton {
                return skeleton;
            }
        }
    }

    /// What the choices lead to, unless they fail.
    #[inline]
    fn of(tables: &Tables, choices: Choices) -> Option<Self> {
        let [band1, stack1, band2] = choices.designs;
        let crossing = |p, i: usize| tables.crossing(p)[usize::from(choices.crossing[i])];
        let fitting = |first, q, i: usize| {
            let numbers = tables.fitting(first, q)?;
            let number = numbers[usize::from(choices.fitting[i])];
            Some(Design { first, number })
        };

        let band1 = Design {
            first: FIRST_ROWS,
            number: band1,
        };
        let [rows2, rows3] = tables.others(band1);
        let (columns2, columns3) = (crossing(rows2, 0), crossing(rows3, 1));
        let stack1 = Design {
            first: tables.crossing(FIRST_ROWS)[0],
            number: stack1,
        };
        let [columns4, columns7] = tables.others(stack1);
        let (rows4, rows7) = (crossing(columns4, 2), crossing(columns7, 3));

        let band2 = Design {
            first: rows4,
            number: band2,
        };
        let [rows5, rows6] = tables.others(band2);
        let stack2 = fitting(columns2, rows5, 0)?;
        let [_, columns8] = tables.others(stack2);
        let band3 = fitting(rows7, columns8, 1)?;
        let [_, rows9] = tables.others(band3);
        let stack3 = fitting(columns3, rows6, 2)?;
        let [_, columns9] = tables.others(stack3);
        tables.cross(rows9, columns9).then_some(Self {
            bands: [band1, band2, band3],
            stacks: [stack1, stack2, stack3],
        })
    }

    /// Writes the grid.
    #[inline]
    fn write(&self, tables: &Tables, ending: &Ending, line: &mut GridLine) {
        let triples = |designs: &[Design; 3], orders: &[[u8; 3]; 3]| -> [[u16; 3]; 9] {
            let triples = designs.map(|design| tables.triples(design));
            std::array::from_fn(|i| {
                let (three, place) = (i / 3, usize::from(orders[i / 3][i % 3]));
                triples[three].map(|triples| triples[place])
            })
        };
        // For each row its three minirows, for each column its minicolumns.
        let rows = triples(&self.bands, &ending.rows);
        let columns = triples(&self.stacks, &ending.columns);
        for r in 0..9 {
            for c in 0..9 {
                let digit = rows[r][c / 3] & columns[c][r / 3];
                line[9 * r + c] = ending.names[digit.trailing_zeros() as usize % 16];
            }
        }
        line[CELLS] = b'\n';
    }
}

/// What makes a grid of a skeleton.
#[derive(Clone, Copy, Debug)]
struct Ending {
    /// The characters of the nine digits.
    names: [u8; 16],
    /// The order of the rows in each band, of the columns in each stack; those of
    /// box 1 stay.
    rows: [[u8; 3]; 3],
    columns: [[u8; 3]; 3],
}

/// How many endings there are: 9! · 6^4.
const ENDINGS: u64 = 362_880 * 1296;

/// The orders of three things.
const ORDERS: [[u8; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

impl Ending {
    #[inline]
    fn draw(words: &mut Words) -> Self {
        // Nothing hangs on what is drawn again here: all skeletons have as many
        // endings.
        loop {
            if let Some(number) = below(ENDINGS, words.next()) {
                return Self::new(number);
            }
        }
    }

    /// Ending `number` of [`ENDINGS`].
    #[inline]
    fn new(mut number: u64) -> Self {
        let mut order = || ORDERS[digit(&mut number, 6)];
        let rows = [ORDERS[0], order(), order()];
        let columns = [ORDERS[0], order(), order()];
        let mut names = *b"123456789.......";
        for last in (1..9).rev() {
            names.swap(last, digit(&mut number, last + 1));
        }
        Self {
            names,
            rows,
            columns,
        }
    }

    /// Exchanges two names, so that the top left cell gets this digit.
    fn name_first(&mut self, digit: Digit) {
        // Digit 0 is in the first triple of both partitions of box 1.
        let old = self.names[0];
        for name in &mut self.names {
            if *name == digit.to_ascii() {
                *name = old;
            }
        }
        self.names[0] = digit.to_ascii();
    }
}
