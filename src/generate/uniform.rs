//! Uniform samples of all grids: each of the 6,670,903,752,021,072,936,960 grids has the same
//! probability.
//!
//! A grid is three *designs* of bands and three of stacks, such that in each of the nine boxes two
//! [partitions](partition) of the digits *cross*. A *try* chooses them in this order, each choice
//! equally likely:
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
//! If a try fails, everything is chosen again, from the next random word. Finally the digits are
//! renamed, and the rows of bands 2 and 3 and the columns of stacks 2 and 3 are reordered (the
//! [ending](Ending)). `docs/internals/uniform.md` proves that every grid comes from exactly one outcome and
//! one ending.
//!
//! The bytes of every seeded sequence depend on this file and its children. A change of the output
//! needs a new major version.

mod partition;

use crate::{
    grid::{CELLS, Digit, Grid, GridLine},
    random::{Words, below},
    symmetry::THREE,
};
use partition::{CROSSING, DESIGNS, Design, FITTING, Partition, Tables, Triples};
use std::sync::LazyLock;

/// Independent uniform samples of all grids, by number: see [`Grids::uniform`](super::Grids::uniform).
#[derive(Clone, Debug)]
pub(crate) struct Uniform {
    seed: u64,
    pub(super) first_digit: Option<Digit>,
}

impl Uniform {
    /// The samples of a seed, one for each number from 0 to `u64::MAX`.
    pub(crate) fn seeded(seed: u64) -> Self {
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
    #[must_use]
    pub(crate) fn with_first_digit(self, digit: Digit) -> Self {
        Self {
            first_digit: Some(digit),
            ..self
        }
    }

    /// The grid of a number.
    pub(crate) fn grid(&self, index: u64) -> Grid {
        let mut line = [[0; CELLS + 1]];
        self.write_lines(index, &mut line);
        let cells = line[0].first_chunk().expect("81 of 82");
        Grid::from_ascii(cells).expect("a digit in every cell")
    }

    /// Writes the grids from number `start` on, one to each line.
    ///
    /// # Panics
    ///
    /// When that goes beyond number `u64::MAX`.
    pub(crate) fn write_lines(&self, start: u64, lines: &mut [GridLine]) {
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

/// The choices of a try, each a number from 0.
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

const TRIES: u64 = (DESIGNS.pow(3) as u64) * (CROSSING.pow(4) as u64) * (FITTING.pow(3) as u64);

impl Choices {
    #[inline]
    fn new(mut number: u64) -> Self {
        let mut next = |radix| digit(&mut number, radix) as u8;
        let mut three = |radix| [next(radix), next(radix), next(radix)];
        let (fitting, designs) = (three(FITTING), three(DESIGNS));
        let [a, b, c] = three(CROSSING);
        Self {
            designs,
            crossing: [a, b, c, next(CROSSING)],
            fitting,
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

    /// The skeleton that the choices lead to, unless they fail.
    ///
    /// Whether boxes 5, 8 and 6 fail is asked after box 9, because box 9 fails
    /// most often: the processor foresees that, and goes on with the next try
    /// meanwhile. (To leave as soon as one fails was a few per cent slower on a busy
    /// machine.)
    #[inline]
    fn of(tables: &Tables, choices: Choices) -> Option<Self> {
        let [band1, stack1, band2] = choices.designs;
        let crossing = |p, i: usize| tables.crossing(p)[usize::from(choices.crossing[i])];
        let fitting = |first, q, i: usize| Design {
            first,
            number: tables.fitting(first, q)[usize::from(choices.fitting[i])],
        };

        let band1 = Design::new(FIRST_ROWS, band1);
        let stack1 = Design::new(tables.crossing(FIRST_ROWS)[0], stack1);
        let [rows2, rows3] = tables.others(band1);
        let [columns4, columns7] = tables.others(stack1);
        let (columns2, columns3) = (crossing(rows2, 0), crossing(rows3, 1));
        let (rows4, rows7) = (crossing(columns4, 2), crossing(columns7, 3));

        let band2 = Design::new(rows4, band2);
        let [rows5, rows6] = tables.others(band2);
        let stack2 = fitting(columns2, rows5, 0);
        let [columns5, columns8] = tables.others(stack2);
        let band3 = fitting(rows7, columns8, 1);
        let [rows8, rows9] = tables.others(band3);
        let stack3 = fitting(columns3, rows6, 2);
        let [columns6, columns9] = tables.others(stack3);

        let fits = tables.cross(rows9, columns9)
            && tables.cross(rows5, columns5)
            && tables.cross(rows8, columns8)
            && tables.cross(rows6, columns6);
        fits.then_some(Self {
            bands: [band1, band2, band3],
            stacks: [stack1, stack2, stack3],
        })
    }

    #[inline]
    fn write(&self, tables: &Tables, ending: &Ending, line: &mut GridLine) {
        let rows = triples(tables, &self.bands, &ending.rows);
        let columns = triples(tables, &self.stacks, &ending.columns);
        for r in 0..9 {
            for c in 0..9 {
                let digit = rows[r][c / 3] & columns[c][r / 3];
                line[9 * r + c] = ending.names[digit.trailing_zeros() as usize % 16];
            }
        }
        line[CELLS] = b'\n';
    }
}

/// The three minirows of each row, or the three minicolumns of each column.
#[inline]
fn triples(tables: &Tables, designs: &[Design; 3], orders: &[[u8; 3]; 3]) -> [Triples; 9] {
    let mut lines = [[0; 3]; 9];
    for three in 0..3 {
        let boxes = tables.triples(designs[three]);
        for (i, &place) in orders[three].iter().enumerate() {
            lines[3 * three + i] = boxes.map(|triples| triples[usize::from(place)]);
        }
    }
    lines
}

/// The steps that make a grid of a skeleton.
#[derive(Clone, Copy, Debug)]
struct Ending {
    names: [u8; 16],
    /// The order of the rows in each band, of the columns in each stack; those of
    /// box 1 stay.
    rows: [[u8; 3]; 3],
    columns: [[u8; 3]; 3],
}

/// The number of endings: 9! · 6^4.
const ENDINGS: u64 = 362_880 * 1296;

impl Ending {
    #[inline]
    fn draw(words: &mut Words) -> Self {
        // Drawing again only the ending is fair: all skeletons have the same number of
        // endings.
        loop {
            if let Some(number) = below(ENDINGS, words.next()) {
                return Self::new(number);
            }
        }
    }

    #[inline]
    fn new(mut number: u64) -> Self {
        let mut order = || THREE[digit(&mut number, 6)];
        let rows = [THREE[0], order(), order()];
        let columns = [THREE[0], order(), order()];
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

#[cfg(test)]
mod tests {
    use super::{partition::PARTITIONS, *};
    use std::collections::BTreeSet;
    use sudoku_batch_test_support::cases;

    /// The numbers of tries and endings are numbers in mixed radix: each choice
    /// has all its values, and they do not depend on each other.
    #[test]
    fn tries_are_numbered() {
        let mut words = Words::new(0, 0);
        let random = (0..100_000).filter_map(|_| below(TRIES, words.next()));
        for number in random.chain([0, 1, TRIES - 1]) {
            let Choices {
                designs,
                crossing,
                fitting,
            } = Choices::new(number);
            let digits = [
                (fitting.as_slice(), FITTING),
                (&designs, DESIGNS),
                (&crossing, CROSSING),
            ];
            let (mut back, mut place) = (0, 1);
            for (digits, radix) in digits {
                for &digit in digits {
                    assert!(usize::from(digit) < radix);
                    back += u64::from(digit) * place;
                    place *= radix as u64;
                }
            }
            assert_eq!((back, place), (number, TRIES));
        }
    }

    #[test]
    fn endings_are_all_different() {
        let orders: BTreeSet<_> = (0..1296)
            .map(|n| (Ending::new(n).rows, Ending::new(n).columns))
            .collect();
        assert_eq!(orders.len(), 1296);
        let names: BTreeSet<_> = (0..362_880).map(|n| Ending::new(1296 * n).names).collect();
        assert_eq!(names.len(), 362_880);
        for number in [0, 123_456_789, ENDINGS - 1] {
            let [ending, order, names] =
                [number, number % 1296, number / 1296 * 1296].map(Ending::new);
            assert_eq!((ending.rows, ending.columns), (order.rows, order.columns));
            assert_eq!(ending.names, names.names);
        }
    }

    /// All ways to choose boxes 2 and 3 differ: the reduced top bands of box 1.
    #[test]
    fn top_bands_differ() {
        let tables = Tables::new();
        let mut bands = BTreeSet::new();
        for number in 0..DESIGNS as u8 {
            let design = Design {
                first: FIRST_ROWS,
                number,
            };
            let [rows2, rows3] = tables.others(design);
            for &columns2 in tables.crossing(rows2) {
                for &columns3 in tables.crossing(rows3) {
                    bands.insert((tables.triples(design), columns2, columns3));
                }
            }
        }
        // Felgenhauer and Jarvis count 2,612,736 top bands to a box 1, here
        // without 6 orders of columns in each of two boxes.
        assert_eq!(bands.len(), 2_612_736 / 36);
    }

    /// The share of tries that pass box 5, over all bands 1 and 2, stacks 1 and
    /// boxes 2 and 4.
    #[test]
    fn the_share_of_tries_that_pass_box_5() {
        let tables = Tables::new();
        // The number of times that a partition comes with `first`, as the crossing one.
        let partners = |first| {
            let mut times = vec![0u64; PARTITIONS];
            for number in 0..DESIGNS as u8 {
                let [second, _] = tables.others(Design::new(first, number));
                for &p in tables.crossing(second) {
                    times[usize::from(p)] += 1;
                }
            }
            (0..).zip(times)
        };
        let mut pass = 0;
        for (rows4, a) in partners(tables.crossing(FIRST_ROWS)[0]) {
            for (columns2, b) in partners(FIRST_ROWS) {
                for number in 0..DESIGNS as u8 {
                    let first = rows4;
                    let [rows5, _] = tables.others(Design::new(first, number));
                    let first = columns2;
                    let number = tables.fitting(first, rows5)[0];
                    let [columns5, _] = tables.others(Design::new(first, number));
                    pass += a * b * u64::from(tables.cross(rows5, columns5));
                }
            }
        }
        let tries = (DESIGNS * CROSSING).pow(2) * DESIGNS;
        assert_eq!(pass * 889_056, tries as u64 * 800_285);
    }

    /// Everything that can come after boxes 1, 2, 3, 4 and 7: each way to
    /// complete the grid comes from exactly one choice. The ways are found
    /// by trying all designs, box by box.
    #[test]
    fn each_completion_comes_from_one_choice() {
        let tables = Tables::new();
        let mut words = Words::new(2026, 0);
        let mut counts = BTreeSet::new();
        // Each tries 28,672 choices. More of them meet rarer numbers of completions.
        let random = (0..cases(16))
            .filter_map(|_| below(TRIES, words.next()))
            .map(Choices::new);
        // The first choices of all make bands and stacks that repeat a box.
        for start in random.chain([Choices::new(0)]) {
            let mut found = Vec::new();
            for number in 0..(DESIGNS * FITTING.pow(3)) as u64 {
                let mut rest = number;
                let mut next = |radix| digit(&mut rest, radix) as u8;
                let mut choices = start;
                choices.fitting = [next(FITTING), next(FITTING), next(FITTING)];
                choices.designs[2] = next(DESIGNS);
                found.extend(Skeleton::of(&tables, choices));
            }
            found.sort_unstable();
            let expected = completions(&tables, &start);
            assert_eq!(found, expected);
            counts.insert(expected.len());
        }
        // They are not as many for all, so to choose again only what failed
        // would favour the grids with few neighbours.
        assert!(counts.len() > 10);
    }

    /// All skeletons with the boxes 1, 2, 3, 4 and 7 of these choices.
    fn completions(tables: &Tables, choices: &Choices) -> Vec<Skeleton> {
        let designs = |first| (0..DESIGNS as u8).map(move |number| Design::new(first, number));
        let [band, stack, _] = choices.designs;
        let band1 = Design::new(0, band);
        let columns1 = tables.crossing(0)[0];
        let stack1 = Design::new(columns1, stack);
        let nth = |p, i: usize| tables.crossing(p)[usize::from(choices.crossing[i])];
        let [columns2, columns3] = [0, 1].map(|i| nth(tables.others(band1)[i], i));
        let [rows4, rows7] = [0, 1].map(|i| nth(tables.others(stack1)[i], i + 2));
        // Whether a design of a band and one of a stack agree in a box that is
        // in place i of the band and in place j of the stack.
        let agree = |band, i: usize, stack, j: usize| {
            tables.cross(tables.others(band)[i - 1], tables.others(stack)[j - 1])
        };
        let mut all = Vec::new();
        for band2 in designs(rows4) {
            for stack2 in designs(columns2).filter(|&stack2| agree(band2, 1, stack2, 1)) {
                for band3 in designs(rows7).filter(|&band3| agree(band3, 1, stack2, 2)) {
                    for stack3 in designs(columns3) {
                        if agree(band2, 2, stack3, 1) && agree(band3, 2, stack3, 2) {
                            all.push(Skeleton {
                                bands: [band1, band2, band3],
                                stacks: [stack1, stack2, stack3],
                            });
                        }
                    }
                }
            }
        }
        all.sort_unstable();
        all
    }

    /// The share of tries that succeed measures the number of all grids. The
    /// bound is 4.9 standard errors: chance passes it once in a million.
    #[test]
    fn the_share_of_tries_gives_the_number_of_all_grids() {
        let tables = Tables::new();
        let mut words = Words::new(1, 0);
        let (mut tries, mut kept) = (0, 0);
        let wanted = cases(1_000_000) as u32;
        while tries < wanted {
            if let Some(number) = below(TRIES, words.next()) {
                tries += 1;
                kept += u32::from(Skeleton::of(&tables, Choices::new(number)).is_some());
            }
        }
        let (tries, kept) = (f64::from(tries), f64::from(kept));
        let estimate = ENDINGS as f64 * TRIES as f64 * (kept / tries);
        let error = estimate * ((1.0 - kept / tries) / kept).sqrt();
        let all = 6_670_903_752_021_072_936_960_f64;
        assert!(
            (estimate - all).abs() < 4.9 * error,
            "{estimate} +- {error}"
        );
        assert!(error < 0.004 * all);
    }
}
