//! Counts of many grids, which know nothing of the code that draws them. They stand here because they run long, and
//! this crate is optimised.

#[path = "../../tools/src/bin/count_grids.rs"]
mod count_grids;

use crate::brute_force::{Rows, transposed};
pub use count_grids::Class;
use count_grids::Classes;
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
    sync::LazyLock,
    thread,
};
use sudoku_batch::{Grid, generate::Grids};

/// The classes of bands, counted.
pub static CLASSES: LazyLock<Classes> = LazyLock::new(Classes::count);

/// The rows of a grid, digits from 0.
fn rows(line: &[u8; 82]) -> Rows {
    std::array::from_fn(|r| std::array::from_fn(|c| line[9 * r + c] - b'1'))
}

/// The class of a band.
fn class(band: &[[u8; 9]]) -> usize {
    let column = |c: usize| band.iter().map(|row| 1 << row[c]).sum::<u16>();
    CLASSES.of(&std::array::from_fn(column))
}

/// In which column of row 4 the digit of the top left cell stands.
fn place(rows: &Rows) -> usize {
    let place = rows[3].iter().position(|&digit| digit == rows[0][0]);
    place.expect("every digit is in every row")
}

/// The counts of many grids.
#[derive(Clone)]
pub struct Figures {
    /// The number of grids.
    pub grids: u64,
    /// The number of valid lines.
    pub valid: u64,
    /// Digits in cells.
    pub digits: Vec<[u64; 9]>,
    /// Classes of the three bands and the three stacks.
    pub classes: [Vec<u64>; 6],
    /// Classes of top band and left stack together.
    pub class_pairs: Vec<Vec<u64>>,
    /// The place of the first digit in row 4, and in column 4.
    pub place_pairs: Vec<Vec<u64>>,
}

impl Figures {
    /// The figures of the grids of a range.
    pub fn of(grids: &Grids, range: Range<u64>) -> Self {
        let [mut first, second] = each_half(grids, range, Self::new, Self::take);
        first.add(&second);
        first
    }

    fn new() -> Self {
        let classes = CLASSES.classes.len();
        Self {
            grids: 0,
            valid: 0,
            digits: vec![[0; 9]; 81],
            classes: [(); 6].map(|()| vec![0; classes]),
            class_pairs: vec![vec![0; classes]; classes],
            place_pairs: vec![vec![0; 9]; 9],
        }
    }

    fn take(&mut self, line: &[u8; 82]) {
        self.grids += 1;
        let grid = Grid::from_ascii(line.first_chunk().unwrap());
        self.valid += u64::from(grid.is_ok_and(|grid| grid.is_valid()) && line[81] == b'\n');
        let upright = rows(line);
        let lying = transposed(&upright);
        for (counts, &digit) in self.digits.iter_mut().zip(upright.as_flattened()) {
            counts[usize::from(digit)] += 1;
        }
        let bands = upright.chunks(3).chain(lying.chunks(3)).map(class);
        let classes: Vec<usize> = bands.collect();
        for (counts, &class) in self.classes.iter_mut().zip(&classes) {
            counts[class] += 1;
        }
        self.class_pairs[classes[0]][classes[3]] += 1;
        self.place_pairs[place(&upright)][place(&lying)] += 1;
    }

    fn add(&mut self, other: &Self) {
        fn add<'a>(
            to: impl IntoIterator<Item = &'a mut u64>,
            from: impl IntoIterator<Item = &'a u64>,
        ) {
            to.into_iter().zip(from).for_each(|(to, from)| *to += from);
        }
        self.grids += other.grids;
        self.valid += other.valid;
        add(self.digits.as_flattened_mut(), other.digits.as_flattened());
        add(
            self.classes.iter_mut().flatten(),
            other.classes.iter().flatten(),
        );
        add(
            self.class_pairs.iter_mut().flatten(),
            other.class_pairs.iter().flatten(),
        );
        add(
            self.place_pairs.iter_mut().flatten(),
            other.place_pairs.iter().flatten(),
        );
    }
}

/// Two threads make a value each from the grids of a range, 4096 at a time.
fn each_half<T: Send>(
    grids: &Grids,
    range: Range<u64>,
    new: impl Fn() -> T + Sync,
    take: impl Fn(&mut T, &[u8; 82]) + Sync,
) -> [T; 2] {
    let half = |range: Range<u64>| {
        let (mut made, mut lines) = (new(), vec![[0; 82]; 4096]);
        for start in range.clone().step_by(lines.len()) {
            let lines = &mut lines[..(range.end - start).min(4096) as usize];
            grids.write_lines(start, lines);
            lines.iter().for_each(|line| take(&mut made, line));
        }
        made
    };
    let middle = range.start.midpoint(range.end);
    thread::scope(|scope| {
        let first = scope.spawn(|| half(range.start..middle));
        let second = half(middle..range.end);
        [first.join().unwrap(), second]
    })
}

/// The hashes of the lines of a range, sorted.
pub fn sorted_hashes(grids: &Grids, range: Range<u64>) -> Vec<u64> {
    let [mut hashes, second] = each_half(grids, range, Vec::new, |hashes, line| {
        let mut hasher = DefaultHasher::new();
        line.hash(&mut hasher);
        hashes.push(hasher.finish());
    });
    hashes.extend(second);
    hashes.sort_unstable();
    hashes
}
