//! Symmetric images of puzzles, for training sets.
//!
//! The operations that are allowed form a group. Its elements have numbers, in mixed radix:
//!
//! ```text
//!     element, under N = digits (9!) * transposition (2) * bands and stacks (36) * lines (6^6)
//! ```
//!
//! A puzzle and a seed pick an order of these numbers, by the
//! [network](crate::random::order) that also shuffles grids. Element after element is applied,
//! and an image that came before is left out. Nearly every puzzle has N different images, so
//! nothing is left out. A puzzle with symmetries of its own has fewer. When half of the images
//! came before (it is looked at after 64 elements, 128, 256 ...), all images are made by trying
//! the generators of the group on every image, and those that did not come yet follow in
//! ascending order. So image j depends on the seed, the cells and j alone, and there is always
//! an end.

use super::PuzzleHasher;
use crate::{
    generate::arrangement::{ROW_ORDERS, Sixteen, head_and_tail},
    grid::{AnyPuzzle, BLANK, BatchPuzzle, CELLS, Candidates, Digit, GridLine, Puzzle},
    name::named,
    random::order::Order,
    simd::{
        bytes::{ByteKernel, ByteShuffle, Bytes, with_byte_shuffle},
        run,
    },
    solve::NO_SOLUTION,
    stop,
    symmetry::{LINE_ORDER, Transformation},
};
use std::collections::{BTreeMap, HashSet};

named! {
    /// An operation that images may be made by.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Operation, a "operation" {
        /// Digits are renamed: 9! ways.
        Relabelling = "relabelling",
        /// Rows and columns are exchanged: 2 ways.
        Transposition = "transposition",
        /// Bands and stacks change places: 6 * 6 ways.
        Bands = "bands",
        /// Rows change places within their bands, and columns within their stacks: 6^3 * 6^3 ways.
        Lines = "lines",
    }
}

impl Operation {
    const fn ways(self) -> u64 {
        match self {
            Self::Relabelling => ROW_ORDERS,
            Self::Transposition => 2,
            Self::Bands => 36,
            Self::Lines => 216 * 216,
        }
    }
}

/// Makes images of puzzles, and has those of the last one: all different, and those of its solution by the same
/// operations. Make one for each thread and keep it.
#[derive(Clone, Debug)]
pub(crate) struct Augmenter {
    group: Group,
    seed: u64,
    keys: PuzzleHasher,
    elements: Vec<Element>,
    puzzles: Vec<GridLine>,
    solutions: Vec<GridLine>,
    /// The images of a puzzle that is given by candidates.
    candidates: Vec<Candidates>,
    seen: Seen,
    seen_candidates: HashSet<Candidates>,
}

fn of_line(line: &GridLine) -> Puzzle {
    Puzzle::from_ascii(line.first_chunk().expect("81 of 82")).expect("an image of cells")
}

const GROUP: usize = 32;

impl Augmenter {
    /// Images by these operations, in the order that a seed picks. Operations that are named
    /// twice count once.
    pub(crate) fn new(seed: u64, operations: &[Operation]) -> Self {
        Self {
            group: Group::new(operations),
            seed,
            keys: PuzzleHasher::seeded(seed),
            elements: Vec::new(),
            puzzles: Vec::new(),
            solutions: Vec::new(),
            candidates: Vec::new(),
            seen: Seen::default(),
            seen_candidates: HashSet::new(),
        }
    }

    /// The number of images of the last puzzle.
    pub(crate) fn len(&self) -> usize {
        self.puzzles.len() + self.candidates.len()
    }

    /// Image `j` of the solution, if one was given.
    pub(crate) fn solution(&self, j: usize) -> Option<Puzzle> {
        self.solutions.get(j).map(of_line)
    }

    /// The images of a puzzle that is given by candidates; empty if it is given by cells.
    pub(crate) fn candidates(&self) -> &[Candidates] {
        &self.candidates
    }

    /// The images of the puzzle as lines of text; empty if it is given by candidates.
    pub(crate) fn puzzle_lines(&self) -> &[GridLine] {
        &self.puzzles
    }

    /// The images of the solution as lines of text; empty if none was given.
    pub(crate) fn solution_lines(&self) -> &[GridLine] {
        &self.solutions
    }

    /// Makes the first `copies` images of a puzzle, or all that it has. `solution` goes through the
    /// same operations: cells that are digits or blanks. Returns this augmenter, which has them.
    ///
    /// The puzzle itself is among its images. Where few operations are allowed it may be one
    /// of these.
    pub(crate) fn images(
        &mut self,
        puzzle: impl BatchPuzzle,
        solution: Option<&Puzzle>,
        copies: usize,
    ) -> &Self {
        self.make(&puzzle.into(), solution, copies, true);
        self
    }

    /// Makes the first `copies` images that differ from the puzzle, or all: as [`images`](Self::images), without
    /// the puzzle itself.
    pub(crate) fn other_images(
        &mut self,
        puzzle: impl BatchPuzzle,
        solution: Option<&Puzzle>,
        copies: usize,
    ) -> &Self {
        self.make(&puzzle.into(), solution, copies, false);
        self
    }

    fn make(&mut self, puzzle: &AnyPuzzle, solution: Option<&Puzzle>, copies: usize, itself: bool) {
        self.puzzles.clear();
        self.solutions.clear();
        self.candidates.clear();
        self.seen.clear();
        self.seen_candidates.clear();
        let (wanted, bases) = match puzzle {
            // One of the images may be the puzzle itself, so one more is made.
            AnyPuzzle::Cells(puzzle) => {
                let bases = [Some(puzzle), solution].map(|cells| cells.map(Base::of));
                (copies + usize::from(!itself), Some(bases))
            }
            AnyPuzzle::Candidates(candidates) => {
                self.seen_candidates
                    .extend((!itself).then_some(*candidates));
                (copies, None)
            }
        };
        let key = self.keys.key(puzzle);
        let order = Order::new(self.group.size, key as u64 ^ (key >> 64) as u64 ^ self.seed);
        let (mut position, mut checkpoint, mut found) = (0, 64, 0);
        while found < wanted && position < self.group.size {
            stop::check();
            let end = position + (wanted - found).min(GROUP) as u64;
            let end = end.min(self.group.size).min(checkpoint);
            self.elements.clear();
            let elements = (position..end).map(|at| self.group.element(order.index(at)));
            self.elements.extend(elements);
            if let Some(bases) = &bases {
                self.make_fresh(bases);
            } else {
                for at in 0..self.elements.len() {
                    let by = self.elements[at].transformation();
                    self.add(by.puzzle(puzzle), &by, solution);
                }
            }
            found = self.len();
            position = end;
            if position == checkpoint {
                if (found as u64) < checkpoint / 2 {
                    for (image, by) in self.group.orbit(puzzle) {
                        if self.len() == wanted {
                            break;
                        }
                        self.add(image, &by, solution);
                    }
                    break;
                }
                checkpoint *= 2;
            }
        }
        if let AnyPuzzle::Cells(puzzle) = puzzle
            && !itself
        {
            let is_itself = |line: &GridLine| line[..CELLS] == *puzzle.as_ascii();
            let itself = self.puzzles.iter().position(is_itself);
            for lines in [&mut self.puzzles, &mut self.solutions] {
                if let Some(itself) = itself
                    && !lines.is_empty()
                {
                    lines.remove(itself);
                }
                lines.truncate(copies);
            }
        }
    }

    /// Adds an image and that of the solution, if it is new.
    fn add(&mut self, image: AnyPuzzle, by: &Transformation, solution: Option<&Puzzle>) {
        let is_new = match image {
            AnyPuzzle::Cells(image) => {
                let line = line_of(&image);
                let is_new = self.seen.is_new(&line, &self.puzzles);
                self.puzzles.extend(is_new.then_some(line));
                is_new
            }
            AnyPuzzle::Candidates(image) => {
                let is_new = self.seen_candidates.insert(image);
                self.candidates.extend(is_new.then_some(image));
                is_new
            }
        };
        if is_new {
            self.solutions
                .extend(solution.map(|solution| line_of(&by.puzzle(solution))));
        }
    }

    fn make_fresh(&mut self, bases: &[Option<Base>; 2]) {
        let first = self.puzzles.len();
        for (base, lines) in bases.iter().zip([&mut self.puzzles, &mut self.solutions]) {
            if let Some(base) = base {
                lines.resize(first + self.elements.len(), NO_SOLUTION);
                write_images(base, &self.elements, &mut lines[first..]);
            }
        }
        // An image that is not new is seldom, and those after it take its place.
        let mut kept = first;
        for i in first..self.puzzles.len() {
            let line = self.puzzles[i];
            if self.seen.is_new(&line, &self.puzzles[..kept]) {
                if kept < i {
                    self.puzzles[kept] = line;
                    if bases[1].is_some() {
                        self.solutions[kept] = self.solutions[i];
                    }
                }
                kept += 1;
            }
        }
        self.puzzles.truncate(kept);
        self.solutions.truncate(kept);
    }
}

fn line_of(puzzle: &Puzzle) -> GridLine {
    let mut line = NO_SOLUTION;
    line[..CELLS].copy_from_slice(puzzle.as_ascii());
    line
}

/// The images that came before, by a hash of each. Equal hashes are looked at.
#[derive(Clone, Debug, Default)]
struct Seen {
    hashes: Vec<u64>,
    /// When they are many: the number of an image, plus one, at the place of its hash or soon
    /// after it. Twice as many places as images, at the least; their number is a power of two.
    places: Vec<u32>,
}

impl Seen {
    /// The number of images up to which they are few: comparing with each of them takes less than looking one up.
    const FEW: usize = 32;

    fn clear(&mut self) {
        self.hashes.clear();
        self.places.clear();
    }

    /// Returns true if a line is none of these; it is going to be the next of them then.
    #[inline]
    fn is_new(&mut self, line: &GridLine, lines: &[GridLine]) -> bool {
        let hash = hash(line);
        if self.hashes.len() < Self::FEW {
            // Without branches: there is seldom an equal one.
            let equal = |any: bool, other: &u64| any | (*other == hash);
            if self.hashes.iter().fold(false, equal) && lines.contains(line) {
                return false;
            }
            self.hashes.push(hash);
            return true;
        }
        if self.places.len() < 2 * self.hashes.len() + 2 {
            self.spread();
        }
        let mut at = self.first_place(hash);
        while let Some(i) = self.places[at].checked_sub(1) {
            let i = i as usize;
            if self.hashes[i] == hash && lines[i] == *line {
                return false;
            }
            at = (at + 1) % self.places.len();
        }
        self.hashes.push(hash);
        self.places[at] = self.hashes.len() as u32;
        true
    }

    fn first_place(&self, hash: u64) -> usize {
        hash as usize & (self.places.len() - 1)
    }

    #[cold]
    fn spread(&mut self) {
        let length = (8 * self.hashes.len()).next_power_of_two();
        self.places.clear();
        self.places.resize(length, 0);
        for (&hash, i) in self.hashes.iter().zip(1..) {
            let mut at = self.first_place(hash);
            while self.places[at] > 0 {
                at = (at + 1) % length;
            }
            self.places[at] = i;
        }
    }
}

/// A hash of a line: a sum of products of its words with odd numbers.
#[inline]
fn hash(line: &GridLine) -> u64 {
    let (words, rest) = line.as_chunks::<8>();
    let mut sum = u64::from(rest[0]);
    let mut factor = 0x9e37_79b9_7f4a_7c15_u64;
    for word in words {
        let word = u64::from_le_bytes(*word);
        sum = sum.wrapping_add((word ^ word >> 29).wrapping_mul(factor));
        factor = factor.wrapping_mul(0xd2b7_4407_b1ce_6e93);
    }
    sum ^ sum >> 32
}

/// The symmetries that are allowed.
#[derive(Clone, Debug)]
pub(super) struct Group {
    operations: Vec<Operation>,
    pub(super) size: u64,
}

/// A symmetry by the numbers of its parts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Element {
    pub(super) transposed: bool,
    pub(super) rows: u16,
    pub(super) columns: u16,
    /// The order of the digits.
    pub(super) digits: u32,
}

impl Element {
    /// The symmetry.
    fn transformation(&self) -> Transformation {
        let lines = u64::from(self.rows) * 1296 + u64::from(self.columns);
        let number = u64::from(self.transposed) * 1296 * 1296 + lines;
        Transformation::numbered(number * ROW_ORDERS + u64::from(self.digits))
    }
}

impl Group {
    pub(super) fn new(operations: &[Operation]) -> Self {
        let mut operations = operations.to_vec();
        operations.sort_unstable();
        operations.dedup();
        Self {
            size: operations
                .iter()
                .map(|operation| operation.ways())
                .product(),
            operations,
        }
    }

    /// Element `number`, under the size.
    #[inline]
    pub(super) fn element(&self, mut number: u64) -> Element {
        let mut element = Element::default();
        for &operation in &self.operations {
            // Each division is by a constant.
            match operation {
                Operation::Relabelling => {
                    element.digits = (number % ROW_ORDERS) as u32;
                    number /= ROW_ORDERS;
                }
                Operation::Transposition => {
                    element.transposed = number % 2 == 1;
                    number /= 2;
                }
                Operation::Bands => {
                    let ways = (number % 36) as u16;
                    element.rows += ways / 6 * 216;
                    element.columns += ways % 6 * 216;
                    number /= 36;
                }
                Operation::Lines => {
                    let ways = (number % (216 * 216)) as u32;
                    element.rows += (ways / 216) as u16;
                    element.columns += (ways % 216) as u16;
                    number /= 216 * 216;
                }
            }
        }
        element
    }

    /// All images of a puzzle, in ascending order, each with a symmetry that leads there.
    fn orbit(&self, puzzle: &AnyPuzzle) -> BTreeMap<AnyPuzzle, Transformation> {
        let generators = self.generators();
        let mut orbit = BTreeMap::from([(*puzzle, Transformation::IDENTITY)]);
        let mut open = vec![*puzzle];
        while let Some(image) = open.pop() {
            let by = orbit[&image];
            for generator in &generators {
                let next = generator.puzzle(&image);
                orbit.entry(next).or_insert_with(|| {
                    open.push(next);
                    by.then(generator)
                });
            }
        }
        orbit
    }

    fn generators(&self) -> Vec<Transformation> {
        let digits: [Digit; 9] = std::array::from_fn(Digit::known);
        let lines = LINE_ORDER[0].first_chunk().expect("9 of 16");
        let make = |transposed, rows, columns, digits| {
            Transformation::new(transposed, rows, columns, digits).expect("lines stay together")
        };
        let mut generators = Vec::new();
        for &operation in &self.operations {
            match operation {
                Operation::Relabelling => generators.extend((0..8).map(|d| {
                    let mut digits = digits;
                    digits.swap(d, d + 1);
                    make(false, *lines, *lines, digits)
                })),
                Operation::Transposition => generators.push(make(true, *lines, *lines, digits)),
                Operation::Bands => generators.extend((0..2).flat_map(|band| {
                    let mut order = *lines;
                    for line in 3 * band..3 * band + 3 {
                        order.swap(line, line + 3);
                    }
                    [
                        make(false, order, *lines, digits),
                        make(false, *lines, order, digits),
                    ]
                })),
                Operation::Lines => {
                    generators.extend([0, 1, 3, 4, 6, 7].iter().flat_map(|&line| {
                        let mut order = *lines;
                        order.swap(line, line + 1);
                        [
                            make(false, order, *lines, digits),
                            make(false, *lines, order, digits),
                        ]
                    }))
                }
            }
        }
        generators
    }
}

/// The place of a blank in the names: those of the nine digits come first, and the end of the
/// line.
const BLANK_ENTRY: u8 = 10;

/// The rows of a puzzle and of its transpose, for byte shuffles: entries 0 to 8 for digits,
/// [`BLANK_ENTRY`] for a blank, and entry 9 in column 9, which ends the line.
struct Base([[Sixteen; 9]; 2]);

impl Base {
    fn of(puzzle: &Puzzle) -> Self {
        let mut sides = [[[9; 16]; 9]; 2];
        for (r, row) in puzzle.as_ascii().as_chunks::<9>().0.iter().enumerate() {
            for (c, &cell) in row.iter().enumerate() {
                let entry = if cell == BLANK {
                    BLANK_ENTRY
                } else {
                    cell - b'1'
                };
                sides[0][r][c] = entry;
                sides[1][c][r] = entry;
            }
        }
        Self(sides)
    }
}

/// Writes the image by each element to its line.
fn write_images(base: &Base, elements: &[Element], lines: &mut [GridLine]) {
    let kernel = WriteImages {
        base,
        elements,
        lines,
    };
    if let Err(kernel) = with_byte_shuffle(kernel) {
        for (element, line) in kernel.elements.iter().zip(kernel.lines) {
            write_bytes(kernel.base, element, line);
        }
    }
}

fn write_bytes(base: &Base, element: &Element, line: &mut GridLine) {
    let (head, tail) = head_and_tail(element.digits.into());
    let mut names: Sixteen = tail.map(|at| head[usize::from(at & 15)]);
    names[usize::from(BLANK_ENTRY)] = BLANK;
    let side = &base.0[usize::from(element.transposed)];
    let [rows, columns] = [element.rows, element.columns].map(|i| &LINE_ORDER[usize::from(i)]);
    for i in 0..9 {
        let row = &side[usize::from(rows[i])];
        for j in 0..if i == 8 { 10 } else { 9 } {
            line[9 * i + j] = names[usize::from(row[usize::from(columns[j])])];
        }
    }
}

struct WriteImages<'a> {
    base: &'a Base,
    elements: &'a [Element],
    lines: &'a mut [GridLine],
}

impl ByteKernel for WriteImages<'_> {
    type Output = ();

    #[inline(always)]
    fn call<S: ByteShuffle>(self, isa: S) {
        run!(isa, || {
            for (element, line) in self.elements.iter().zip(self.lines) {
                write_image(isa, self.base, element, line);
            }
        });
    }
}

#[inline(always)]
fn write_image<S: ByteShuffle>(isa: S, base: &Base, element: &Element, line: &mut GridLine) {
    let (head, tail) = head_and_tail(element.digits.into());
    let mut names = [0; 16];
    isa.load(head).shuffle(isa.load(tail)).store(&mut names);
    names[usize::from(BLANK_ENTRY)] = BLANK;
    let names = isa.load(&names);
    let columns = isa.load(&LINE_ORDER[usize::from(element.columns)]);
    let rows = &LINE_ORDER[usize::from(element.rows)];
    let side = &base.0[usize::from(element.transposed)];
    let mut i = 0;
    while i < 9 {
        let row = isa.load(&side[usize::from(rows[i])]).shuffle(columns);
        names.shuffle(row).store_within(&mut line[9 * i..]);
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle() -> Puzzle {
        let cells =
            b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
        Puzzle::from_ascii(cells).unwrap()
    }

    #[test]
    fn groups_have_the_sizes_of_their_operations() {
        let sizes = [362_880, 2, 36, 46_656];
        for (operation, size) in Operation::ALL.iter().zip(sizes) {
            assert_eq!(Group::new(&[*operation, *operation]).size, size);
        }
        assert_eq!(Group::new(&[]).size, 1);
    }

    #[test]
    fn images_are_by_their_elements() {
        let group = Group::new(Operation::ALL);
        assert_eq!(group.size, Transformation::COUNT);
        let base = Base::of(&puzzle());
        let order = Order::new(group.size, 5);
        let elements: Vec<Element> = (0..3000).map(|at| group.element(order.index(at))).collect();
        let mut lines = vec![NO_SOLUTION; elements.len()];
        write_images(&base, &elements, &mut lines);
        for (element, line) in elements.iter().zip(lines) {
            let expected = line_of(&element.transformation().puzzle(&puzzle()));
            let mut bytes = NO_SOLUTION;
            write_bytes(&base, element, &mut bytes);
            assert_eq!((line, bytes), (expected, expected));
        }
    }
}
