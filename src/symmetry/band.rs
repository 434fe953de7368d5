//! The 416 classes of bands, and the 44 gangsters.
//!
//! A *band* is three rows of a grid that share boxes; a stack is a band of the transposed grid. Bands are equivalent
//! if these operations turn one into the other: renaming the digits, reordering the rows, the stacks and the columns
//! in each stack. There are 9! * 2,612,736 = 948,109,639,680 bands in 416 classes. Each class has the number of its
//! smallest band, read as text, among those of all classes.
//!
//! A table gives the class of each band. It needs no more than the bands that begin so:
//!
//! ```text
//!     1 2 3 | . . . | . . .     56 ways to divide the digits among the rows of box 2 (box 3 takes the rest)
//!     4 5 6 | . . . | . . .     36 ways to make columns of them in box 2, in any order of the columns
//!     7 8 9 | . . . | . . .     36 in box 3
//! ```
//!
//! The names of the digits make box 1 so, which leaves 72,576 bands. Six exchanges of neighbours (rows, stacks, columns of
//! box 1) make all others, so a class is what they lead to from any of its bands. The table is made at the first
//! use, which takes some 30 ms.
//!
//! A *gangster* is a class of the columns of a band: each box divides the digits into three columns of three. Bands
//! of one gangster have the same completions, up to the names of digits and the order of lines. A digit is in one column
//! of each box, so nine points of a cube of 3 * 3 * 3 stand for these columns. Gangsters have the order of their
//! smallest text: the digits of the three columns of box 1, of box 2 and of box 3, with the digits of a column, and
//! the columns of a box, in ascending order.
//!
//! The numbers of bands are those of the forums of Sudoku players, who count gangsters in the same order. (G. Penet's
//! Virtual-calatog gives both, from 0.)

use super::THREE;
use crate::grid::{CELLS, Grid};
use std::sync::OnceLock;

/// A class of equivalent bands.
///
/// ```
/// use sudoku_batch::{Grid, symmetry::{BandClass, CanonicalGrid}};
/// let grid: Grid =
///     "496528713875143692132967854314289576729654381568731429687492135943815267251376948".parse()?;
/// let classes = BandClass::of_grid(&grid);
/// let least = classes.iter().min().unwrap();
/// // The canonical form begins with the smallest band of that class.
/// assert_eq!(&CanonicalGrid::new(&grid).grid().as_ascii()[..27], least.smallest());
/// assert_eq!((least.number(), least.gangster()), (79, 23));
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BandClass(u16);

impl BandClass {
    /// The number of classes: 416.
    pub const COUNT: u32 = 416;

    /// The number of gangsters: 44.
    pub const GANGSTERS: u32 = 44;

    /// The classes of the three bands and the three stacks of a grid.
    ///
    /// # Panics
    ///
    /// The grid is not valid.
    pub fn of_grid(grid: &Grid) -> [Self; 6] {
        assert!(grid.is_valid(), "the class of a band needs a valid grid");
        let table = Table::get();
        let mut digits = [0; CELLS];
        for (digit, cell) in digits.iter_mut().zip(grid.as_ascii()) {
            *digit = cell - b'1';
        }
        std::array::from_fn(|number| {
            let first = 3 * (number % 3);
            let band: Band = std::array::from_fn(|row| {
                std::array::from_fn(|column| match number < 3 {
                    true => digits[9 * (first + row) + column],
                    false => digits[9 * column + first + row],
                })
            });
            Self(table.classes[table.place(&band)])
        })
    }

    /// The class with a number from 1 to 416.
    pub fn numbered(number: u32) -> Option<Self> {
        (1..=Self::COUNT)
            .contains(&number)
            .then(|| Self(number as u16 - 1))
    }

    /// Its number, from 1 to 416.
    pub fn number(self) -> u32 {
        u32::from(self.0) + 1
    }

    /// The number of the gangster of its bands, from 1 to 44.
    pub fn gangster(self) -> u32 {
        u32::from(self.about().gangster) + 1
    }

    /// The number of bands in the class.
    pub fn bands(self) -> u64 {
        u64::from(self.about().places) * NAMES * COLUMN_ORDERS
    }

    /// The number of symmetries that map a band of the class to itself, the identity among them: 1 to 216.
    pub fn automorphisms(self) -> u64 {
        SYMMETRIES / self.bands()
    }

    /// The smallest band of the class, as text of three rows.
    pub fn smallest(self) -> &'static [u8; 27] {
        &self.about().smallest
    }

    fn about(self) -> &'static Class {
        &Table::get().about[usize::from(self.0)]
    }
}

/// The names of nine digits: 9!.
const NAMES: u64 = 362_880;

/// The orders of the columns in boxes 2 and 3. A place of the table stands for all of them.
const COLUMN_ORDERS: u64 = 36;

/// The symmetries of bands: names, orders of rows, of stacks, and of the columns in each.
const SYMMETRIES: u64 = NAMES * 6 * 6 * 216;

/// Three rows, with digits from 0.
type Band = [[u8; 9]; 3];

/// The digits of three rows of a box, or of its three columns, as sets.
type Sets = [u16; 3];

const DESIGNS: usize = 56;
const PLACES: usize = DESIGNS * 36 * 36;

struct Table {
    /// The class of the band at each place.
    classes: Vec<u16>,
    about: Vec<Class>,
    /// The number of each division of the digits among the rows of box 2, by its [key](design_key).
    designs: [u8; 1 << 12],
}

#[derive(Clone)]
struct Class {
    smallest: [u8; 27],
    /// The number of its places in the table.
    places: u16,
    gangster: u8,
}

impl Table {
    fn get() -> &'static Self {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(Self::new)
    }

    fn new() -> Self {
        let divisions = divisions();
        let mut designs = [0; 1 << 12];
        for (number, sets) in (0..).zip(&divisions) {
            designs[design_key(sets)] = number;
        }
        let mut table = Self {
            classes: vec![u16::MAX; PLACES],
            about: Vec::new(),
            designs,
        };
        for place in 0..PLACES {
            if table.classes[place] == u16::MAX {
                table.add_class_of(place, &divisions);
            }
        }
        table.put_in_order();
        table.add_gangsters();
        table
    }

    /// The place of a band: that of the band that has its names so that box 1 is 123 456 789.
    #[inline(always)]
    fn place(&self, band: &Band) -> usize {
        let mut names = [0; 16];
        for (row, digits) in band.iter().enumerate() {
            for column in 0..3 {
                names[usize::from(digits[column] & 15)] = (3 * row + column) as u8;
            }
        }
        let named = |row: usize, column: usize| names[usize::from(band[row][column] & 15)];
        let mut design = [0; 3];
        let mut columns = [0; 2];
        for (columns, first) in columns.iter_mut().zip([3, 6]) {
            let orders: [usize; 3] = std::array::from_fn(|row| {
                let [a, b, c] = [0, 1, 2].map(|column| named(row, first + column));
                if first == 3 {
                    design[row] = 1 << a | 1 << b | 1 << c;
                }
                ORDER_OF[usize::from(a < b) | usize::from(a < c) << 1 | usize::from(b < c) << 2]
            });
            let relative = |row: usize| usize::from(RELATIVE[orders[0]][orders[row]]);
            *columns = 6 * relative(1) + relative(2);
        }
        let design = usize::from(self.designs[design_key(&design)]);
        (design * 36 + columns[0]) * 36 + columns[1]
    }

    /// Gives a class to all places that exchanges of neighbours lead to.
    fn add_class_of(&mut self, first: usize, divisions: &[Sets]) {
        let class = self.about.len() as u16;
        let mut open = vec![first];
        self.classes[first] = class;
        let mut places = 0;
        while let Some(place) = open.pop() {
            places += 1;
            let band = band_at(place, divisions);
            for next in neighbours(&band) {
                let next = self.place(&next);
                if self.classes[next] == u16::MAX {
                    self.classes[next] = class;
                    open.push(next);
                }
            }
        }
        self.about.push(Class {
            smallest: smallest(&band_at(first, divisions)),
            places,
            gangster: 0,
        });
    }

    /// Numbers the classes in the order of their smallest bands. (To count the smaller ones takes a millisecond, and no
    /// code of a sort in the program for a page.)
    fn put_in_order(&mut self) {
        let texts: Vec<_> = self.about.iter().map(|class| class.smallest).collect();
        let numbers: Vec<_> = texts.iter().map(|text| place_among(text, &texts)).collect();
        for class in &mut self.classes {
            *class = numbers[usize::from(*class)] as u16;
        }
        let mut about = self.about.clone();
        for (class, &number) in self.about.drain(..).zip(&numbers) {
            about[number] = class;
        }
        self.about = about;
    }

    /// Finds the gangster of each class.
    fn add_gangsters(&mut self) {
        // Each with its cube, and with its smallest text.
        let mut gangsters: Vec<(u64, [Sets; 3])> = Vec::new();
        let of_classes: Vec<_> = self
            .about
            .iter()
            .map(|class| cube(&class.smallest))
            .collect();
        for (class, &cube) in self.about.iter().zip(&of_classes) {
            if gangsters.iter().all(|(known, _)| *known != cube) {
                gangsters.push((cube, smallest_columns(&columns_of(&class.smallest))));
            }
        }
        let orders: Vec<_> = gangsters
            .iter()
            .map(|(_, columns)| columns.map(|sets| sets.map(text_order)))
            .collect();
        for (class, cube) in self.about.iter_mut().zip(of_classes) {
            let known = gangsters.iter().position(|(known, _)| *known == cube);
            let order = &orders[known.expect("each is there")];
            class.gangster = place_among(order, &orders) as u8;
        }
    }
}

/// The number of values that are smaller than one of them.
fn place_among<T: Ord>(value: &T, values: &[T]) -> usize {
    values.iter().filter(|other| *other < value).count()
}

/// Three things in the order of their keys.
fn sort_three<T>(things: &mut [T], key: impl Fn(&T) -> u16) {
    for (a, b) in [(0, 1), (1, 2), (0, 1)] {
        if key(&things[a]) > key(&things[b]) {
            things.swap(a, b);
        }
    }
}

/// The order of three numbers a, b and c, as a number of [`THREE`], by whether a < b, a < c and b < c: `THREE` there
/// has the rank of each.
const ORDER_OF: [usize; 8] = {
    let mut table = [0; 8];
    let mut order = 0;
    while order < 6 {
        let [a, b, c] = THREE[order];
        table[(a < b) as usize | ((a < c) as usize) << 1 | ((b < c) as usize) << 2] = order;
        order += 1;
    }
    table
};

/// The order of a second row of a box once the columns stand so that the first row ascends.
const RELATIVE: [[u8; 6]; 6] = {
    let mut table = [[0; 6]; 6];
    let mut first = 0;
    while first < 6 {
        let mut second = 0;
        while second < 6 {
            let mut sorted = [0; 3];
            let mut column = 0;
            while column < 3 {
                sorted[THREE[first][column] as usize] = THREE[second][column];
                column += 1;
            }
            let [a, b, c] = sorted;
            let key = (a < b) as usize | ((a < c) as usize) << 1 | ((b < c) as usize) << 2;
            table[first][second] = ORDER_OF[key] as u8;
            second += 1;
        }
        first += 1;
    }
    table
};

/// A number below 4096 for the digits of the first two rows of box 2. The first has none of 012, and the second none
/// of 345.
#[inline(always)]
fn design_key([first, second, _]: &Sets) -> usize {
    usize::from(first >> 3 | (second & 7) << 6 | (second >> 6) << 9)
}

/// The 56 ways to divide the digits among the rows of box 2.
fn divisions() -> Vec<Sets> {
    let threes = |outside: u16| {
        (0..1_u16 << 9).filter(move |set| set.count_ones() == 3 && set & outside == 0)
    };
    let mut divisions = Vec::with_capacity(DESIGNS);
    for first in threes(0o007) {
        for second in threes(0o070 | first) {
            let third = 0o777 & !(first | second);
            if third & 0o700 == 0 {
                divisions.push([first, second, third]);
            }
        }
    }
    divisions
}

/// The band at a place, with ascending first rows in boxes 2 and 3.
fn band_at(place: usize, divisions: &[Sets]) -> Band {
    let rows = divisions[place / 36 / 36];
    let mut band = [
        [0, 1, 2, 0, 0, 0, 0, 0, 0],
        [3, 4, 5, 0, 0, 0, 0, 0, 0],
        [6, 7, 8, 0, 0, 0, 0, 0, 0],
    ];
    for (row, cells) in band.iter_mut().enumerate() {
        let rest = 0o777 & !(rows[row] | 0o7 << (3 * row));
        for (first, set, columns) in [(3, rows[row], place / 36 % 36), (6, rest, place % 36)] {
            let digits: Vec<u8> = (0..9).filter(|digit| set >> digit & 1 == 1).collect();
            let order = THREE[[0, columns / 6, columns % 6][row]];
            for (cell, rank) in cells[first..first + 3].iter_mut().zip(order) {
                *cell = digits[usize::from(rank)];
            }
        }
    }
    band
}

/// A band with two neighbouring rows, stacks, or columns of box 1 exchanged.
fn neighbours(band: &Band) -> [Band; 6] {
    let columns = |order: [usize; 9]| band.map(|row| order.map(|column| row[column]));
    [
        [band[1], band[0], band[2]],
        [band[0], band[2], band[1]],
        columns([3, 4, 5, 0, 1, 2, 6, 7, 8]),
        columns([0, 1, 2, 6, 7, 8, 3, 4, 5]),
        columns([1, 0, 2, 3, 4, 5, 6, 7, 8]),
        columns([0, 2, 1, 3, 4, 5, 6, 7, 8]),
    ]
}

/// The smallest band that is equivalent to a band, as text. The first row names the digits. The order of
/// the columns of stacks 2 and 3 names those of the second row in stack 1, and these stand in ascending order.
fn smallest(band: &Band) -> [u8; 27] {
    let mut smallest = [b'9'; 27];
    for rows in THREE {
        let [first, second, third] = rows.map(|row| &band[usize::from(row)]);
        for stacks in THREE {
            for orders in 0..36 {
                let mut order = [0; 9];
                for (place, column) in order.iter_mut().enumerate() {
                    let within = [0, orders / 6, orders % 6][place / 3];
                    *column = usize::from(3 * stacks[place / 3] + THREE[within][place % 3]);
                }
                let mut names = [0; 9];
                for place in 3..9 {
                    names[usize::from(first[order[place]])] = b'1' + place as u8;
                }
                sort_three(&mut order[..3], |column| {
                    names[usize::from(second[*column])].into()
                });
                for place in 0..3 {
                    names[usize::from(first[order[place]])] = b'1' + place as u8;
                }
                let row = |row: &[u8; 9]| order.map(|column| names[usize::from(row[column])]);
                let second = row(second);
                if second[..] > smallest[9..18] {
                    continue;
                }
                let image = [row(first), second, row(third)];
                let image = image.as_flattened();
                if *image < smallest[..] {
                    smallest.copy_from_slice(image);
                }
            }
        }
    }
    smallest
}

/// The digits of the columns of each box, as sets.
fn columns_of(band: &[u8; 27]) -> [Sets; 3] {
    let set = |column: usize| (0..3).map(|row| 1 << (band[9 * row + column] - b'1')).sum();
    std::array::from_fn(|stack| std::array::from_fn(|column| set(3 * stack + column)))
}

/// The columns of a band as points of a cube: two bits for each of its 27 places, the number of digits that stand in
/// one column of box 1, one of box 2 and one of box 3. It is the smallest for any order of the boxes and of their columns, so
/// bands of one gangster share it.
fn cube(band: &[u8; 27]) -> u64 {
    let columns = columns_of(band);
    let column_of = |digit: usize| {
        let of_box = |sets: &Sets| sets.iter().position(|set| set >> digit & 1 == 1);
        columns
            .each_ref()
            .map(|sets| of_box(sets).expect("each digit is there"))
    };
    let points: [[usize; 3]; 9] = std::array::from_fn(column_of);
    let mut smallest = u64::MAX;
    for boxes in THREE {
        for orders in 0..216 {
            let orders = [orders / 36, orders / 6 % 6, orders % 6];
            let place = |point: &[usize; 3]| {
                (0..3).fold(0, |place, axis| {
                    let column = point[usize::from(boxes[axis])];
                    3 * place + usize::from(THREE[orders[axis]][column])
                })
            };
            smallest = smallest.min(points.iter().map(|point| 1_u64 << (2 * place(point))).sum());
        }
    }
    smallest
}

/// The smallest columns, as text, for any names of the digits and any order of the boxes. Box 1 is 123 456 789.
fn smallest_columns(columns: &[Sets; 3]) -> [Sets; 3] {
    let mut smallest = [[0o7, 0o70, 0o700]; 3];
    let mut order = [[u16::MAX; 3]; 2];
    for boxes in THREE {
        let [first, second, third] = boxes.map(|number| &columns[usize::from(number)]);
        for orders in 0..1296 {
            let of_columns = THREE[orders / 216];
            let within = [orders / 36 % 6, orders / 6 % 6, orders % 6];
            let mut names = [0_u8; 9];
            for (column, set) in first.iter().enumerate() {
                let digits = (0..9).filter(|digit| set >> digit & 1 == 1);
                for (digit, name) in digits.zip(THREE[within[column]]) {
                    names[digit] = 3 * of_columns[column] + name;
                }
            }
            let named = |sets: &Sets| {
                let mut sets = sets.map(|set| {
                    let digits = (0..9).filter(|digit| set >> digit & 1 == 1);
                    digits.map(|digit| 1_u16 << names[digit]).sum()
                });
                sort_three(&mut sets, |set| text_order(*set));
                sets
            };
            let second = named(second);
            if second.map(text_order) > order[0] {
                continue;
            }
            let third = named(third);
            let image = [second, third].map(|sets| sets.map(text_order));
            if image < order {
                order = image;
                smallest[1..].copy_from_slice(&[second, third]);
            }
        }
    }
    smallest
}

/// A number that sorts sets of three digits as their texts: the smallest digit counts most.
fn text_order(set: u16) -> u16 {
    !(set.reverse_bits())
}
