//! An endless stream of symmetric images of puzzles and their solutions, for a training loop.
//!
//! Pair p of the stream depends on the seed and p alone, so any part can be made without those
//! before it. With n puzzles:
//!
//! ```text
//!     epoch = p / n        puzzle = order(seed, epoch)[p mod n]      draw = epoch
//!     with weights         puzzle = by its weight, by random word p  draw = p
//!     image                element order(seed, puzzle)[draw] of the group of symmetries
//! ```
//!
//! The orders are those of [`random::order`](crate::random::order). So an epoch has each puzzle
//! once, and no element comes twice for a puzzle before all 1.2 · 10^12 came. A puzzle without
//! symmetries of its own then has a different image each time.
//!
//! Draws by weight take the alias method: M. D. Vose, *A linear algorithm for generating random
//! numbers with a given distribution* (1991).

use super::{
    DatasetError,
    augment::{Element, Group, Operation},
};
use crate::{
    generate::arrangement::head_and_tail,
    grid::{BLANK, CELLS, Grid, Puzzle},
    random::{Words, order::Order},
    simd::{
        bytes::{ByteKernel, ByteShuffle, Bytes, with_byte_shuffle},
        run,
    },
    symmetry::LINE_ORDER,
};
use std::hint::black_box;

/// Multipliers that keep the orders of puzzles and of epochs apart: the fractions of the square
/// roots of 2 and of 3, made odd.
const OF_PUZZLE: u64 = 0x6a09_e667_f3bc_c909;
const OF_EPOCH: u64 = 0xbb67_ae85_84ca_a73b;

/// The words of draws by weight, apart from those of other uses of a seed.
const STREAM: u32 = 0x7374;

/// An endless stream of images. It is shared by all threads.
///
/// ```
/// use sudoku_batch::{Outcome, Puzzle, Solver, dataset::Stream};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let Outcome::Unique(solution) = Solver::new().solve(&puzzle) else { panic!() };
/// let stream = Stream::new(7, [(puzzle, solution)]).unwrap();
/// let (mut puzzles, mut solutions) = ([[0; 81]; 5], [[0; 81]; 5]);
/// stream.write(100, puzzles.as_flattened_mut(), solutions.as_flattened_mut());
/// // Pair 102 by itself is the same.
/// let (mut one, mut its_solution) = ([0; 81], [0; 81]);
/// stream.write(102, &mut one, &mut its_solution);
/// assert_eq!((one, its_solution), (puzzles[2], solutions[2]));
/// assert!(one.iter().zip(its_solution).all(|(&cell, digit)| cell == 0 || cell == digit));
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    seed: u64,
    pairs: Vec<Pair>,
    group: Group,
    /// By weight: the share of a place that is its own, and the puzzle of the rest.
    alias: Vec<(u64, u32)>,
    orders: Vec<FillOrder>,
    fingerprint: u64,
}

/// The cells of a puzzle in the order in which they are filled, from 0, and their digits; -1 behind the end.
type FillOrder = [[i8; 2]; CELLS];

/// A puzzle and its solution, and both transposed. A byte has the entry of the puzzle in its low
/// half, and that of the solution in its high half: 0 to 8 for a digit, 9 for a blank. Rows follow
/// each other, so that sixteen bytes from the start of each can be loaded. Either side lies in two
/// cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(align(64))]
struct Pair([[u8; SIDE]; 2]);

const SIDE: usize = 96;

/// The number of pairs that are looked up before the first is made. A set of a million puzzles is in no cache.
/// Their first bytes are read together, so that one does not wait for the next. Without that, and with
/// sides of 88 bytes in up to three lines, it was 2.0 million pairs a second in place of 7.9.
const AHEAD: usize = 64;

const BLANK_ENTRY: u8 = 9;

impl Stream {
    /// A stream of these pairs.
    ///
    /// # Errors
    ///
    /// There are no pairs, or a grid is not a solution of its puzzle.
    pub fn new(
        seed: u64,
        pairs: impl IntoIterator<Item = (Puzzle, Grid)>,
    ) -> Result<Self, DatasetError> {
        let mut fingerprint = Fingerprint::default();
        let pair = |(at, (puzzle, solution)): (usize, (Puzzle, Grid))| {
            fingerprint.add(puzzle.as_ascii());
            fingerprint.add(solution.as_ascii());
            let is_solved = solution.is_solution_of(&puzzle);
            is_solved
                .then(|| pair_of(&puzzle, &solution))
                .ok_or(DatasetError::NotSolved(at))
        };
        let pairs: Vec<_> = pairs
            .into_iter()
            .enumerate()
            .map(pair)
            .collect::<Result<_, _>>()?;
        if !(1..=1 << 31).contains(&pairs.len()) {
            return Err(DatasetError::Count);
        }
        Ok(Self {
            seed,
            pairs,
            group: Group::new(Operation::ALL),
            alias: Vec::new(),
            orders: Vec::new(),
            fingerprint: fingerprint.0,
        })
    }

    /// Draws puzzles with replacement, each as often as its weight says.
    ///
    /// # Errors
    ///
    /// The weights are not a number from 0 up for each puzzle, with one above 0.
    pub fn with_weights(mut self, weights: &[f64]) -> Result<Self, DatasetError> {
        let sum: f64 = weights.iter().sum();
        let is_good = |&weight: &f64| weight >= 0.0 && weight.is_finite();
        if weights.len() != self.pairs.len()
            || !weights.iter().all(is_good)
            || !(sum.is_finite() && sum > 0.0)
        {
            return Err(DatasetError::Weights);
        }
        self.alias = alias(weights, sum);
        let bytes: Vec<_> = weights
            .iter()
            .flat_map(|weight| weight.to_le_bytes())
            .collect();
        self.fingerprint = Fingerprint(self.fingerprint).with(&bytes);
        Ok(self)
    }

    /// Adds the order in which the cells of each puzzle are filled, for [`write_orders`](Self::write_orders).
    ///
    /// # Errors
    ///
    /// There is not one for each puzzle, or a number is that of no cell or digit.
    pub fn with_orders(mut self, orders: Vec<FillOrder>) -> Result<Self, DatasetError> {
        let is_good = |&[cell, digit]: &[i8; 2]| {
            [cell, digit] == [-1; 2] || (0..81).contains(&cell) && (1..=9).contains(&digit)
        };
        if orders.len() != self.pairs.len() || !orders.as_flattened().iter().all(is_good) {
            return Err(DatasetError::Orders);
        }
        let bytes: Vec<_> = orders
            .as_flattened()
            .as_flattened()
            .iter()
            .map(|&n| n as u8)
            .collect();
        self.fingerprint = Fingerprint(self.fingerprint).with(&bytes);
        self.orders = orders;
        Ok(self)
    }

    /// A number that streams of other puzzles, solutions, weights or orders do not have, but for an accident. It is the
    /// same on any machine.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The number of puzzles.
    pub fn puzzles(&self) -> usize {
        self.pairs.len()
    }

    /// Writes the pairs from number `first` on: a digit or 0 for each of 81 cells, pair after pair.
    ///
    /// # Panics
    ///
    /// The two parts differ in length, or it is no multiple of 81.
    pub fn write(&self, first: u64, puzzles: &mut [u8], solutions: &mut [u8]) {
        assert_eq!(puzzles.len(), solutions.len());
        assert!(puzzles.len().is_multiple_of(CELLS));
        let mut images = self
            .images(first)
            .map(|(puzzle, element)| (&self.pairs[puzzle], element));
        let mut block = Vec::with_capacity(AHEAD);
        let parts = puzzles.chunks_mut(AHEAD * CELLS);
        for (puzzles, solutions) in parts.zip(solutions.chunks_mut(AHEAD * CELLS)) {
            block.clear();
            block.extend(images.by_ref().take(puzzles.len() / CELLS));
            let touch = |sum: u8, (pair, element): &(&Pair, Element)| {
                let side = &pair.0[usize::from(element.transposed)];
                sum ^ side[0] ^ side[SIDE - 1]
            };
            black_box(block.iter().fold(0, touch));
            let kernel = WritePairs {
                images: &block,
                puzzles,
                solutions,
            };
            if let Err(kernel) = with_byte_shuffle(kernel) {
                let cells = kernel.puzzles.as_chunks_mut::<CELLS>().0.iter_mut();
                let cells = cells.zip(kernel.solutions.as_chunks_mut::<CELLS>().0);
                for ((pair, element), (puzzle, solution)) in kernel.images.iter().zip(cells) {
                    write_bytes(pair, element, puzzle, solution);
                }
            }
        }
    }

    /// Writes the orders that belong to the pairs from number `first` on: those of the puzzles, as their images are
    /// filled.
    ///
    /// # Panics
    ///
    /// The stream has no orders.
    ///
    /// ```
    /// use sudoku_batch::{Outcome, Puzzle, Solver, dataset::Stream};
    /// let puzzle: Puzzle =
    ///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
    /// let Outcome::Unique(solution) = Solver::new().solve(&puzzle) else { panic!() };
    /// let mut order = [[-1; 2]; 81];
    /// order[0] = [1, 9]; // r1c2 is filled first: with a 9
    /// let stream = Stream::new(7, [(puzzle, solution)]).unwrap().with_orders(vec![order]).unwrap();
    /// let (mut image, mut its_solution, mut orders) = ([0; 81], [0; 81], [[[0; 2]; 81]]);
    /// stream.write(5, &mut image, &mut its_solution);
    /// stream.write_orders(5, &mut orders);
    /// let [cell, digit] = orders[0][0].map(|number| number as usize);
    /// assert_eq!((image[cell], usize::from(its_solution[cell])), (0, digit));
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn write_orders(&self, first: u64, to: &mut [FillOrder]) {
        for (to, (puzzle, element)) in to.iter_mut().zip(self.images(first)) {
            let names = names(&element);
            // The line of the image that has a line of the puzzle.
            let place = |order: u16| {
                let mut place = [0; 9];
                let lines = LINE_ORDER[usize::from(order)].iter().take(9).zip(0..);
                lines.for_each(|(&line, at)| place[usize::from(line)] = at);
                place
            };
            let (rows, columns) = (place(element.rows), place(element.columns));
            *to = self.orders[puzzle].map(|[cell, digit]| {
                let Ok(cell) = usize::try_from(cell) else {
                    return [cell, digit];
                };
                let (row, column) = if element.transposed {
                    (cell % 9, cell / 9)
                } else {
                    (cell / 9, cell % 9)
                };
                [
                    9 * rows[row] + columns[column],
                    names[digit as usize - 1] as i8,
                ]
            });
        }
    }

    /// The puzzles of the stream from number `first` on, each with the symmetry of its image.
    #[inline]
    fn images(&self, first: u64) -> impl Iterator<Item = (usize, Element)> {
        let count = self.pairs.len() as u64;
        let order_of =
            move |epoch: u64| Order::new(count, self.seed ^ (epoch + 1).wrapping_mul(OF_EPOCH));
        let (mut epoch, mut place) = (first / count, first % count);
        let mut order = order_of(epoch);
        (first..).map(move |number| {
            let (puzzle, draw) = if self.alias.is_empty() {
                if place == count {
                    (epoch, place) = (epoch + 1, 0);
                    order = order_of(epoch);
                }
                place += 1;
                (order.index(place - 1), epoch)
            } else {
                (self.drawn(number), number)
            };
            let by = self.seed ^ (puzzle + 1).wrapping_mul(OF_PUZZLE);
            let element = Order::new(self.group.size, by).index(draw % self.group.size);
            (puzzle as usize, self.group.element(element))
        })
    }

    /// The puzzle of draw `number`, by its weight.
    #[inline]
    fn drawn(&self, number: u64) -> u64 {
        let word = Words::of_stream(self.seed, number, STREAM).next();
        let scaled = u128::from(word) * self.alias.len() as u128;
        let place = (scaled >> 64) as u64;
        let (own, other) = self.alias[place as usize];
        if (scaled as u64) < own {
            place
        } else {
            other.into()
        }
    }
}

/// A hash of bytes that is the same everywhere: FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) of eight bytes at a time, with
/// the upper half mixed in.
struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    fn add(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            let mixed = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(OF_PUZZLE);
            self.0 = mixed ^ mixed >> 32;
        }
    }

    fn with(mut self, bytes: &[u8]) -> u64 {
        self.add(bytes);
        self.0
    }
}

/// For each place, the share of 2^64 that is its own, and the place that has the rest.
fn alias(weights: &[f64], sum: f64) -> Vec<(u64, u32)> {
    let count = weights.len() as f64;
    let mut shares: Vec<f64> = weights.iter().map(|weight| weight / sum * count).collect();
    let mut table = vec![(u64::MAX, 0); weights.len()];
    let (mut small, mut large): (Vec<_>, Vec<_>) =
        (0..weights.len()).partition(|&at| shares[at] < 1.0);
    while let (Some(&less), Some(&more)) = (small.last(), large.last()) {
        small.pop();
        // 2^64 times the share.
        table[less] = (
            (shares[less] * 18_446_744_073_709_551_616.0) as u64,
            more as u32,
        );
        shares[more] -= 1.0 - shares[less];
        if shares[more] < 1.0 {
            large.pop();
            small.push(more);
        }
    }
    // The rest has all of its place, but for rounding. A weight of 0 is never left, unless all
    // others are used up by rounding: then it takes the puzzle with the largest weight.
    let largest = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
    for at in small.into_iter().filter(|&at| weights[at] == 0.0) {
        table[at] = (0, largest.expect("there are some") as u32);
    }
    for (at, entry) in table.iter_mut().enumerate() {
        if entry.0 == u64::MAX {
            entry.1 = at as u32;
        }
    }
    table
}

fn pair_of(puzzle: &Puzzle, solution: &Grid) -> Pair {
    let mut pair = Pair([[0; SIDE]; 2]);
    let cells = puzzle.as_ascii().iter().zip(solution.as_ascii());
    for (cell, (&clue, digit)) in cells.enumerate() {
        let low = if clue == BLANK {
            BLANK_ENTRY
        } else {
            clue - b'1'
        };
        let both = low | (digit - b'1') << 4;
        let (row, column) = (cell / 9, cell % 9);
        pair.0[0][cell] = both;
        pair.0[1][9 * column + row] = both;
    }
    pair
}

/// Digit `names[entry]` stands for each entry. A blank is 0.
#[inline]
fn names(element: &Element) -> [u8; 16] {
    let (head, tail) = head_and_tail(element.digits.into());
    let mut names = tail.map(|at| head[usize::from(at & 15)] & 15);
    names[usize::from(BLANK_ENTRY)] = 0;
    names
}

fn write_bytes(
    pair: &Pair,
    element: &Element,
    puzzle: &mut [u8; CELLS],
    solution: &mut [u8; CELLS],
) {
    let names = names(element);
    let side = &pair.0[usize::from(element.transposed)];
    let [rows, columns] = [element.rows, element.columns].map(|i| &LINE_ORDER[usize::from(i)]);
    for i in 0..9 {
        for j in 0..9 {
            let both = side[9 * usize::from(rows[i]) + usize::from(columns[j])];
            puzzle[9 * i + j] = names[usize::from(both & 15)];
            solution[9 * i + j] = names[usize::from(both >> 4)];
        }
    }
}

struct WritePairs<'w> {
    images: &'w [(&'w Pair, Element)],
    puzzles: &'w mut [u8],
    solutions: &'w mut [u8],
}

impl ByteKernel for WritePairs<'_> {
    type Output = ();

    #[inline(always)]
    fn call<S: ByteShuffle>(self, isa: S) {
        run!(isa, || {
            let starts = (0..self.puzzles.len()).step_by(CELLS);
            for (start, (pair, element)) in starts.zip(self.images) {
                let (puzzle, solution) = (&mut self.puzzles[start..], &mut self.solutions[start..]);
                write_pair(isa, pair, element, puzzle, solution);
            }
        });
    }
}

/// Writes a pair at the start of both parts. Up to seven bytes after it may change.
#[inline(always)]
fn write_pair<S: ByteShuffle>(
    isa: S,
    pair: &Pair,
    element: &Element,
    puzzle: &mut [u8],
    solution: &mut [u8],
) {
    let (head, tail) = head_and_tail(element.digits.into());
    let mut names = [0; 16];
    isa.load(head).shuffle(isa.load(tail)).store(&mut names);
    names = names.map(|name| name & 15);
    names[usize::from(BLANK_ENTRY)] = 0;
    let names = isa.load(&names);
    let columns = isa.load(&LINE_ORDER[usize::from(element.columns)]);
    let rows = &LINE_ORDER[usize::from(element.rows)];
    let side = &pair.0[usize::from(element.transposed)];
    let mut i = 0;
    while i < 9 {
        let from = 9 * usize::from(rows[i]).min(8);
        let row: &[u8; 16] = side[from..].first_chunk().expect("a side is long enough");
        let low = isa.load(&row.map(|both| both & 15)).shuffle(columns);
        let high = isa.load(&row.map(|both| both >> 4)).shuffle(columns);
        names.shuffle(low).store_within(&mut puzzle[9 * i..]);
        names.shuffle(high).store_within(&mut solution[9 * i..]);
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        solve::{Outcome, Solver},
        symmetry::Transformation,
    };

    fn pairs() -> Vec<(Puzzle, Grid)> {
        let puzzle: Puzzle =
            "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
                .parse()
                .unwrap();
        let images = (0..7).map(|at| Transformation::numbered(at * 987_654_321).puzzle(&puzzle));
        let mut solver = Solver::new();
        let pair = |puzzle: Puzzle| match solver.solve(&puzzle) {
            Outcome::Unique(solution) => (puzzle, solution),
            other => panic!("{other:?}"),
        };
        images.map(pair).collect()
    }

    fn digits(cells: &[u8; CELLS]) -> [u8; CELLS] {
        cells.map(|cell| if cell == BLANK { 0 } else { cell - b'0' })
    }

    /// The symmetry that an element stands for, by the numbers of transformations.
    fn transformation(element: &Element) -> Transformation {
        let lines = u64::from(element.rows) * 1296 + u64::from(element.columns);
        let number = u64::from(element.transposed) * 1296 * 1296 + lines;
        Transformation::numbered(number * 362_880 + u64::from(element.digits))
    }

    #[test]
    fn pairs_are_by_their_elements() {
        let pairs = pairs();
        let stream = Stream::new(3, pairs.clone()).unwrap();
        const N: usize = 500;
        let (mut puzzles, mut solutions) = (vec![0; N * CELLS], vec![0; N * CELLS]);
        stream.write(0, &mut puzzles, &mut solutions);
        let images = stream.images(0).take(N).enumerate();
        for (at, (of_pair, element)) in images {
            let by = transformation(&element);
            let (pair, (puzzle, solution)) = (&stream.pairs[of_pair], &pairs[of_pair]);
            let puzzle = digits(by.puzzle(puzzle).as_ascii());
            let solution = digits(by.puzzle(&Puzzle::from(*solution)).as_ascii());
            let range = at * CELLS..(at + 1) * CELLS;
            assert_eq!(puzzles[range.clone()], puzzle);
            assert_eq!(solutions[range], solution);
            let mut bytes = ([0; CELLS], [0; CELLS]);
            write_bytes(pair, &element, &mut bytes.0, &mut bytes.1);
            assert_eq!(bytes, (puzzle, solution));
        }
    }

    #[test]
    fn an_epoch_has_each_puzzle_once_and_no_image_comes_twice() {
        let pairs = pairs();
        let stream = Stream::new(5, pairs.clone()).unwrap();
        let mut elements = std::collections::BTreeSet::new();
        let images: Vec<_> = stream.images(7 * 40).take(7 * 100).collect();
        for epoch in images.chunks(7) {
            let mut met: Vec<_> = epoch.iter().map(|(puzzle, _)| *puzzle).collect();
            met.sort_unstable();
            met.dedup();
            assert_eq!(met.len(), 7);
        }
        for (pair, element) in images {
            let Element {
                transposed,
                rows,
                columns,
                digits,
            } = element;
            assert!(elements.insert((pair, transposed, rows, columns, digits)));
        }
    }

    #[test]
    fn orders_are_those_of_the_images() {
        let pairs = pairs();
        // All cells, in another order for each puzzle: so the images of their prefixes are known.
        let order = |(at, (_, solution)): (usize, &(Puzzle, Grid))| {
            let cells = (0..CELLS).map(|n| (n * 50 + 7 * at) % CELLS);
            let mut order = [[-1; 2]; CELLS];
            let places = order.iter_mut().zip(cells).take(81 - at);
            places.for_each(|(to, cell)| {
                *to = [cell as i8, (solution.as_ascii()[cell] - b'0') as i8]
            });
            order
        };
        let orders: Vec<_> = pairs.iter().enumerate().map(order).collect();
        let stream = Stream::new(3, pairs.clone()).unwrap();
        assert_eq!(
            stream.clone().with_orders(vec![]).unwrap_err(),
            DatasetError::Orders
        );
        let plain = stream.fingerprint();
        let stream = stream.with_orders(orders.clone()).unwrap();
        assert_ne!(stream.fingerprint(), plain);
        const N: usize = 300;
        let mut images = [[[0; 2]; CELLS]; N];
        stream.write_orders(40, &mut images);
        for (image, (puzzle, element)) in images.iter().zip(stream.images(40)) {
            let by = transformation(&element);
            for (&[cell, digit], to) in orders[puzzle].iter().zip(image) {
                if cell < 0 {
                    assert_eq!(*to, [-1; 2]);
                    continue;
                }
                // A puzzle of this digit alone goes to one of that digit alone.
                let mut one = [BLANK; CELLS];
                one[cell as usize] = digit as u8 + b'0';
                let one = by.puzzle(&Puzzle::from_ascii(&one).unwrap());
                let at = one.as_ascii().iter().position(|&c| c != BLANK).unwrap();
                assert_eq!(*to, [at as i8, (one.as_ascii()[at] - b'0') as i8]);
            }
        }
    }

    #[test]
    fn a_fingerprint_is_of_all_that_the_stream_has() {
        let pairs = pairs();
        let of = |pairs: &[(Puzzle, Grid)]| Stream::new(1, pairs.to_vec()).unwrap().fingerprint();
        let mut others = pairs.clone();
        others.swap(0, 1);
        let weighted = Stream::new(1, pairs.clone())
            .unwrap()
            .with_weights(&[1.0; 7])
            .unwrap();
        let all = [
            of(&pairs),
            of(&pairs[1..]),
            of(&others),
            weighted.fingerprint(),
        ];
        let distinct: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
    }

    #[test]
    fn draws_follow_the_weights() {
        let weights = [0.0, 1.0, 2.0, 0.5, 0.0, 4.0, 0.5];
        let stream = Stream::new(9, pairs())
            .unwrap()
            .with_weights(&weights)
            .unwrap();
        const N: u64 = 80_000;
        let mut met = [0_u32; 7];
        (0..N).for_each(|number| met[stream.drawn(number) as usize] += 1);
        for (met, weight) in met.iter().zip(weights) {
            let expected = weight / 8.0 * N as f64;
            // Five standard deviations.
            assert!(
                (f64::from(*met) - expected).abs() <= 5.0 * expected.sqrt(),
                "{met}"
            );
        }
    }

    #[test]
    fn bad_input_is_refused() {
        let mut pairs = pairs();
        let stream = Stream::new(0, pairs.clone()).unwrap();
        for weights in [
            &[1.0; 6][..],
            &[0.0; 7],
            &[f64::NAN; 7],
            &[-1.0; 7],
            &[f64::INFINITY; 7],
        ] {
            let refused = stream.clone().with_weights(weights);
            assert_eq!(refused.unwrap_err(), DatasetError::Weights);
        }
        assert_eq!(Stream::new(0, []).unwrap_err(), DatasetError::Count);
        pairs[3].1 = pairs[2].1;
        assert_eq!(
            Stream::new(0, pairs).unwrap_err(),
            DatasetError::NotSolved(3)
        );
    }
}
