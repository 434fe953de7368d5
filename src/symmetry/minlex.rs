//! The smallest and the largest image of a puzzle's own characters, for puzzles with any number of
//! solutions: what the forums of Sudoku players call *minlex* and *maxlex*.
//!
//! ```text
//!     smallest    blank < 1 < 2 < ... < 9     digits are named 1, 2, 3 ... as they appear
//!     largest     9 > 8 > ... > 1 > blank     digits are named 9, 8, 7 ... as they appear
//! ```
//!
//! Both are the smallest image for some order of the codes of cells. A digit has the code of its
//! turn, 1 to 9. A blank has the code 0 for the smallest image and 10 for the largest.
//!
//! The search goes row by row. It keeps all partial symmetries whose image begins with the smallest
//! rows. Each of them adds each row that may come next, in the way that makes the row smallest, and
//! those with the smallest row stay. A partial symmetry decides no more than its rows show:
//!
//! ```text
//!     columns    a column is free while it is blank in all rows so far. Free columns of a stack
//!                stand to its left (smallest image) or to its right (largest)
//!     stacks     a stack is open while all its columns are free. Open stacks stand likewise
//!     digits     a digit has no name until it appears
//!
//!     . . .|. . 7|. 4 7       open stacks: none    free: 1 2 3, 4 5, 7
//!     . . 4|. 2 7|. . 1  ->   row 2 decides which column of stack 1 is the third, and which of
//!                             stack 2 is the second
//! ```
//!
//! A row determines its own order, up to digits that are new to the image: two of them in free columns
//! of one stack, or in two open stacks, can take their names in either order. The search tries all of
//! these orders. Everything else is a sort of three: blanks, then digits with names by their names, then
//! new digits.
//!
//! Lines without a clue are equivalent. So the search takes the blank rows of a band, and blank bands,
//! in one order only; blank columns and stacks are never decided. What is left at the end is one
//! partial symmetry for each automorphism, up to the order of those lines and the names of digits that
//! do not occur. No digit stands twice in a house, so there are at most a few thousand partial
//! symmetries. (The most that was found is 23,328, in a solved grid: each order of the columns of
//! each line. [`CanonicalGrid`] finds the smallest image of solved grids faster.)
//!
//! M. Dobrichev's `sudoku-minlexing-tool` goes row by row too, over the cells that have clues alone, and
//! compares digits in the end. Its canonical form is another one: the smallest set of cells, and of those
//! images the smallest.

use super::{CanonicalGrid, CanonicalPuzzle, Transformation};
use crate::{
    grid::{BLANK, CELLS, Conflict, Grid, Puzzle},
    stop,
};

impl CanonicalPuzzle {
    /// The smallest image of a puzzle, as text of 81 characters, under all symmetries. A blank comes before all
    /// digits: programs call this image *minlex*.
    ///
    /// Two puzzles are equivalent exactly if their smallest images are the same, whatever number of solutions they
    /// have. The smallest image of a solved grid is its [canonical form](CanonicalGrid). That of a puzzle is not its
    /// [canonical form by the solution](Self::new), which is faster to find.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, symmetry::{CanonicalPuzzle, Transformation}};
    /// let puzzle: Puzzle =
    ///     "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?;
    /// let smallest = CanonicalPuzzle::smallest_image(&puzzle).unwrap();
    /// assert_eq!(
    ///     smallest.puzzle().to_string(),
    ///     "........1.....2.3...4.5.6.....6..7....678.....3...9.....8...5...9...7.1.12.....9.",
    /// );
    /// assert_eq!(smallest.puzzle(), smallest.transformation().puzzle(&puzzle).into());
    /// let image = Transformation::numbered(123_456_789_012).puzzle(&puzzle);
    /// let of_image = CanonicalPuzzle::smallest_image(&image).unwrap();
    /// assert_eq!(of_image.puzzle(), smallest.puzzle());
    /// // The puzzle without clues is its only image.
    /// let empty = CanonicalPuzzle::smallest_image(&Puzzle::EMPTY).unwrap();
    /// assert_eq!(empty.automorphisms(), Transformation::COUNT);
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A digit stands twice in a house. The search is fast because none does.
    pub fn smallest_image(puzzle: &Puzzle) -> Result<Self, Conflict> {
        if let Ok(grid) = Grid::from_ascii(puzzle.as_ascii())
            && grid.is_valid()
        {
            let canonical = CanonicalGrid::new(&grid);
            return Ok(Self {
                form: Puzzle::from(canonical.grid()).into(),
                by_candidates: false,
                transformation: *canonical.transformation(),
                automorphisms: canonical.automorphisms().into(),
            });
        }
        Self::find::<false>(puzzle)
    }

    /// The largest image of a puzzle, where a blank comes after all digits: *maxlex*. It distinguishes the same
    /// puzzles as the smallest.
    ///
    /// # Errors
    ///
    /// A digit stands twice in a house. The search is fast because none does.
    pub fn largest_image(puzzle: &Puzzle) -> Result<Self, Conflict> {
        Self::find::<true>(puzzle)
    }

    fn find<const LARGEST: bool>(puzzle: &Puzzle) -> Result<Self, Conflict> {
        if has_repeats(puzzle) {
            return Err(puzzle.conflict().expect("a digit repeats in a house"));
        }
        Ok(Search::<LARGEST>::new(puzzle).run())
    }
}

/// Returns true if a digit stands twice in a house: what [`Puzzle::conflict`] finds, in a sixth of the time.
fn has_repeats(puzzle: &Puzzle) -> bool {
    let (mut rows, mut columns, mut boxes) = ([0_u16; 9], [0_u16; 9], [0_u16; 9]);
    let mut repeated = 0;
    for (r, row) in puzzle.as_ascii().as_chunks::<9>().0.iter().enumerate() {
        for (c, &cell) in row.iter().enumerate() {
            // A blank has no bit.
            let digit = if cell == BLANK { 0 } else { 1 << (cell & 15) };
            let b = r / 3 * 3 + c / 3;
            repeated |= digit & (rows[r] | columns[c] | boxes[b]);
            rows[r] |= digit;
            columns[c] |= digit;
            boxes[b] |= digit;
        }
    }
    repeated != 0
}

/// A puzzle, or its transpose.
struct Side {
    /// The digits of the rows, 0 for a blank.
    rows: [[u8; 9]; 9],
    /// For each row, the stacks with a clue, as a set.
    stacks: [u8; 9],
    /// For each row, rows that have to be used before: of blank rows in a band, and of blank bands, the
    /// one before.
    before: [u16; 9],
}

impl Side {
    fn new(cells: impl Fn(usize, usize) -> u8) -> Self {
        let rows: [[u8; 9]; 9] = std::array::from_fn(|r| std::array::from_fn(|c| cells(r, c)));
        let is_blank = rows.map(|row| row == [0; 9]);
        let mut before = [0; 9];
        let mut blank_band = None;
        for band in 0..3 {
            let mut blank_row = None;
            for row in 3 * band..3 * band + 3 {
                if is_blank[row] {
                    before[row] |= blank_row.map_or(0, |row: usize| 1 << row);
                    blank_row = Some(row);
                }
            }
            if is_blank[3 * band..3 * band + 3] == [true; 3] {
                before[3 * band] |= blank_band.map_or(0, |band: usize| 1 << (3 * band));
                blank_band = Some(band);
            }
        }
        let stacks = rows.map(|row| {
            let with_clues = row.as_chunks::<3>().0.iter().map(|three| *three != [0; 3]);
            let sets = with_clues.zip([1, 2, 4]);
            sets.map(|(is_there, stack)| if is_there { stack } else { 0 })
                .sum()
        });
        Self {
            rows,
            stacks,
            before,
        }
    }

    /// The number of orders of its rows that change nothing but the order of blank rows and blank
    /// bands.
    fn blank_orders(&self) -> u64 {
        const ORDERS: [u64; 4] = [1, 1, 2, 6];
        let blank_rows = self.rows.as_chunks::<3>().0.iter().map(|band| {
            let blank = band.iter().filter(|row| **row == [0; 9]);
            blank.count()
        });
        let bands = blank_rows.clone().filter(|&rows| rows == 3).count();
        ORDERS[bands] * blank_rows.map(|rows| ORDERS[rows]).product::<u64>()
    }
}

/// A symmetry as far as the first rows of the image decide it.
#[derive(Clone, Copy)]
struct Partial {
    transposed: bool,
    /// The number of stacks that are open.
    open: u8,
    /// The number of digits that have a name.
    named: u8,
    /// The rows of the image so far.
    rows: [u8; 9],
    /// The rows as a set.
    used: u16,
    /// The columns that are free, as a set.
    free: u16,
    /// The stack at each place. Open stacks are at the places of open stacks, in ascending order.
    stacks: [u8; 3],
    /// The column at each place, where it is not free.
    columns: [u8; 9],
    /// The codes of the digits. That of digit 0 is the code of a blank, and 0 otherwise is a digit
    /// without a name.
    codes: [u8; 10],
}

/// Three cells of a row that stand in the free columns of a stack.
#[derive(Clone, Copy, Default)]
struct Loose {
    /// The number of blanks.
    blanks: u8,
    /// The columns with named digits: their codes, and the columns in the low four bits. They ascend.
    named: [u8; 3],
    named_count: u8,
    /// The columns with new digits.
    new: [u8; 3],
    new_count: u8,
}

impl Loose {
    /// The number of clues.
    #[inline(always)]
    fn clues(&self) -> u8 {
        self.named_count + self.new_count
    }
}

/// A row of an image: four bits a cell, the first cell highest.
type Text = u64;

struct Search<const LARGEST: bool> {
    sides: [Side; 2],
    /// The partial symmetries with the smallest rows so far.
    partials: Vec<Partial>,
    /// The ways with one more row.
    next: Vec<Partial>,
    /// The partial symmetries and rows that make the smallest next row.
    smallest: Vec<(u32, u8)>,
}

impl<const LARGEST: bool> Search<LARGEST> {
    const BLANK_CODE: u8 = if LARGEST { 10 } else { 0 };

    fn new(puzzle: &Puzzle) -> Self {
        let cells = puzzle.as_ascii();
        let digit = |row: usize, column: usize| match cells[9 * row + column] {
            BLANK => 0,
            digit => digit & 15,
        };
        let sides = [
            Side::new(digit),
            Side::new(|row, column| digit(column, row)),
        ];
        let mut codes = [0; 10];
        codes[0] = Self::BLANK_CODE;
        let start = |transposed| Partial {
            transposed,
            open: 3,
            named: 0,
            rows: [0; 9],
            used: 0,
            free: 0x1ff,
            stacks: [0, 1, 2],
            columns: [0; 9],
            codes,
        };
        Self {
            sides,
            partials: vec![start(false), start(true)],
            next: Vec::new(),
            smallest: Vec::new(),
        }
    }

    fn run(mut self) -> CanonicalPuzzle {
        let mut texts = [0; 9];
        for (row, text) in texts.iter_mut().enumerate() {
            stop::check();
            *text = self.find_smallest(row);
            self.next.clear();
            for &(partial, from) in &self.smallest {
                let partial = &self.partials[partial as usize];
                let cells = &self.sides[usize::from(partial.transposed)].rows[usize::from(from)];
                let mut partial = *partial;
                partial.rows[row] = from;
                partial.used |= 1 << from;
                Self::add(partial, cells, 0, &mut self.next);
            }
            std::mem::swap(&mut self.partials, &mut self.next);
        }
        let unnamed = 9 - u64::from(self.partials[0].named);
        let automorphisms = self.partials.len() as u64
            * self
                .sides
                .each_ref()
                .map(Side::blank_orders)
                .iter()
                .product::<u64>()
            * (1..=unnamed).product::<u64>();
        CanonicalPuzzle {
            form: Self::form(&texts).into(),
            by_candidates: false,
            transformation: Self::transformation(&self.partials[0]),
            automorphisms,
        }
    }

    /// Notes all ways to make the smallest row with this number, and gives the row.
    fn find_smallest(&mut self, row: usize) -> Text {
        let mut smallest = Text::MAX;
        self.smallest.clear();
        for (number, partial) in (0..).zip(&self.partials) {
            let side = &self.sides[usize::from(partial.transposed)];
            let rows = match row % 3 {
                0 => 0..9,
                _ => {
                    let band = partial.rows[row - 1] / 3;
                    3 * band..3 * band + 3
                }
            };
            for from in rows {
                let at = usize::from(from);
                let bands_used = partial.used | partial.used >> 1 | partial.used >> 2;
                let is_used = match row % 3 {
                    0 => bands_used >> (at / 3 * 3) & 1 == 1,
                    _ => partial.used >> at & 1 == 1,
                };
                if is_used || side.before[at] & !partial.used != 0 {
                    continue;
                }
                if Self::begins_larger(partial, side.stacks[at], smallest) {
                    continue;
                }
                let text = Self::text(partial, &side.rows[at], smallest);
                if text < smallest {
                    smallest = text;
                    self.smallest.clear();
                }
                if text == smallest {
                    self.smallest.push((number, from));
                }
            }
        }
        smallest
    }

    /// Returns true if the blank stacks of a row show that its text is larger than the limit. `clues` is the set of
    /// stacks with a clue. This saves three of four texts.
    #[inline(always)]
    fn begins_larger(partial: &Partial, clues: u8, limit: Text) -> bool {
        let is_blank = |place: usize| clues >> partial.stacks[place] & 1 == 0;
        if LARGEST {
            // The first stack comes with a clue, if one of those that may come first has one.
            let begins_blank = clues == 0 || partial.open < 3 && is_blank(0);
            return begins_blank && limit < 0xaaa_000_000;
        }
        // The number of blank stacks that come first. Open stacks do if they are blank.
        let open = usize::from(partial.open);
        let of_open = (0..open).filter(|&place| is_blank(place)).count();
        let of_decided = (open..3).take_while(|&place| is_blank(place)).count();
        let blanks = of_open + if of_open == open { of_decided } else { 0 };
        let of_limit = match limit {
            0 => 3,
            1..0x1000 => 2,
            0x1000..0x100_0000 => 1,
            _ => 0,
        };
        blanks < of_limit
    }

    /// The cells of a row in the free columns of a stack.
    #[inline(always)]
    fn loose(partial: &Partial, cells: &[u8; 9], stack: u8) -> Loose {
        let mut loose = Loose::default();
        for column in 3 * stack..3 * stack + 3 {
            if partial.free >> column & 1 == 0 {
                continue;
            }
            let digit = cells[usize::from(column)];
            let code = partial.codes[usize::from(digit)];
            if digit == 0 {
                loose.blanks += 1;
            } else if code == 0 {
                loose.new[usize::from(loose.new_count)] = column;
                loose.new_count += 1;
            } else {
                let (mut place, named) = (usize::from(loose.named_count), code << 4 | column);
                while place > 0 && loose.named[place - 1] > named {
                    loose.named[place] = loose.named[place - 1];
                    place -= 1;
                }
                loose.named[place] = named;
                loose.named_count += 1;
            }
        }
        loose
    }

    /// Appends the smallest order of loose cells to a text. `named` counts the digits with names.
    #[inline(always)]
    fn push_loose(loose: &Loose, text: &mut Text, named: &mut u8) {
        let blanks = |text: &mut Text| {
            for _ in 0..loose.blanks {
                *text = *text << 4 | Text::from(Self::BLANK_CODE);
            }
        };
        if !LARGEST {
            blanks(text);
        }
        for &code in &loose.named[..usize::from(loose.named_count)] {
            *text = *text << 4 | Text::from(code >> 4);
        }
        for _ in 0..loose.new_count {
            *named += 1;
            *text = *text << 4 | Text::from(*named);
        }
        if LARGEST {
            blanks(text);
        }
    }

    /// The open stacks in the order that makes a row smallest, with their loose cells and with their texts
    /// if they came first.
    #[inline(always)]
    fn open_stacks(partial: &Partial, cells: &[u8; 9]) -> [(Text, u8, Loose); 3] {
        let mut sorted = [(Text::MAX, 0, Loose::default()); 3];
        let count = usize::from(partial.open);
        let first = if LARGEST { 3 - count } else { 0 };
        for i in 0..count {
            let stack = partial.stacks[first + i];
            let loose = Self::loose(partial, cells, stack);
            let (mut text, mut named) = (0, partial.named);
            Self::push_loose(&loose, &mut text, &mut named);
            let mut place = i;
            while place > 0 && sorted[place - 1].0 > text {
                sorted[place] = sorted[place - 1];
                place -= 1;
            }
            sorted[place] = (text, stack, loose);
        }
        sorted
    }

    /// The smallest text of a row as the next one, or any larger text than the limit if it is larger.
    #[inline]
    fn text(partial: &Partial, cells: &[u8; 9], limit: Text) -> Text {
        let (mut text, mut named) = (0, partial.named);
        let open = usize::from(partial.open);
        let decided = if LARGEST { 0..3 - open } else { open..3 };
        if !LARGEST && open > 0 {
            for (_, _, loose) in &Self::open_stacks(partial, cells)[..open] {
                Self::push_loose(loose, &mut text, &mut named);
            }
        }
        for place in decided {
            if text > limit >> (36 - 12 * place) {
                return Text::MAX;
            }
            let stack = partial.stacks[place];
            let loose = Self::loose(partial, cells, stack);
            let free = usize::from(loose.blanks + loose.clues());
            if !LARGEST {
                Self::push_loose(&loose, &mut text, &mut named);
            }
            let fixed = if LARGEST { 0..3 - free } else { free..3 };
            for column in &partial.columns[3 * place..][fixed] {
                let digit = cells[usize::from(*column)];
                let mut code = partial.codes[usize::from(digit)];
                if code == 0 && digit != 0 {
                    named += 1;
                    code = named;
                }
                text = text << 4 | Text::from(code);
            }
            if LARGEST {
                Self::push_loose(&loose, &mut text, &mut named);
            }
        }
        if LARGEST && open > 0 {
            for (_, _, loose) in &Self::open_stacks(partial, cells)[..open] {
                Self::push_loose(loose, &mut text, &mut named);
            }
        }
        text
    }

    /// Adds a partial symmetry with one more row, in all orders that make the row smallest. The stacks
    /// before `place` are done.
    fn add(mut partial: Partial, cells: &[u8; 9], place: usize, all: &mut Vec<Partial>) {
        if place == 3 {
            all.push(partial);
            return;
        }
        let open = usize::from(partial.open);
        let first_open = if LARGEST { 3 - open } else { 0 };
        if !(first_open..first_open + open).contains(&place) {
            Self::add_stack(&mut partial, cells, place, all);
            return;
        }
        let sorted = Self::open_stacks(&partial, cells);
        let sorted = &sorted[..open];
        let blank = sorted.iter().filter(|(_, _, loose)| loose.clues() == 0);
        let blank_count = blank.clone().count();
        if blank_count == open {
            // They stay open. Smallest image: the decided stacks follow. Largest: the row ends.
            Self::add(partial, cells, if LARGEST { 3 } else { open }, all);
            return;
        }
        // One stack with a clue takes its place: the last, or for the largest image the first. Those that
        // are equal to it can come in any order; the names of digits go from left to right.
        let mut blanks = [0; 3];
        for (to, (_, stack, _)) in blanks.iter_mut().zip(blank) {
            *to = *stack;
        }
        Self::add_open(partial, cells, (sorted, &blanks[..blank_count]), all);
    }

    /// Adds a partial symmetry whose open stacks have clues in this row: those that are blank stay open,
    /// and the others are decided, in all orders of equal ones.
    fn add_open(
        partial: Partial,
        cells: &[u8; 9],
        (sorted, blanks): (&[(Text, u8, Loose)], &[u8]),
        all: &mut Vec<Partial>,
    ) {
        let first = if LARGEST { 3 - sorted.len() } else { 0 };
        let first_decided = if LARGEST { first } else { blanks.len() };
        let with_clues = match LARGEST {
            true => &sorted[..sorted.len() - blanks.len()],
            false => &sorted[blanks.len()..],
        };
        for order in orders(with_clues.len()).iter().copied() {
            let is_sorted = order
                .windows(2)
                .all(|two| with_clues[two[0]].0 <= with_clues[two[1]].0);
            if !is_sorted {
                continue;
            }
            let mut partial = partial;
            partial.open = blanks.len() as u8;
            for (place, &number) in (first_decided..).zip(order) {
                partial.stacks[place] = with_clues[number].1;
            }
            let first_blank = if LARGEST { 3 - blanks.len() } else { 0 };
            for (place, &stack) in (first_blank..).zip(blanks) {
                partial.stacks[place] = stack;
            }
            Self::add_stack(&mut partial, cells, first_decided, all);
        }
    }

    /// Decides the columns of a stack at a place, and adds the partial symmetry in all orders of new digits.
    fn add_stack(partial: &mut Partial, cells: &[u8; 9], place: usize, all: &mut Vec<Partial>) {
        let stack = partial.stacks[place];
        let loose = Self::loose(partial, cells, stack);
        let free = usize::from(loose.blanks + loose.clues());
        let fixed = if LARGEST { 0..3 - free } else { free..3 };
        if LARGEST {
            Self::name(partial, cells, place, fixed.clone());
        }
        let (named, new) = (usize::from(loose.named_count), usize::from(loose.new_count));
        let first = 3 * place
            + if LARGEST {
                3 - free
            } else {
                usize::from(loose.blanks)
            };
        for (at, &code) in (first..).zip(&loose.named[..named]) {
            partial.columns[at] = code & 15;
            partial.free &= !(1 << (code & 15));
        }
        for order in orders(new).iter().copied() {
            let mut partial = *partial;
            for (at, &number) in (first + named..).zip(order) {
                let column = loose.new[number];
                partial.columns[at] = column;
                partial.free &= !(1 << column);
                partial.named += 1;
                partial.codes[usize::from(cells[usize::from(column)])] = partial.named;
            }
            if !LARGEST {
                Self::name(&mut partial, cells, place, fixed.clone());
            }
            Self::add(partial, cells, place + 1, all);
        }
    }

    /// Names the new digits in these columns of the stack at a place.
    fn name(partial: &mut Partial, cells: &[u8; 9], place: usize, columns: std::ops::Range<usize>) {
        for at in columns {
            let digit = cells[usize::from(partial.columns[3 * place + at])];
            let code = &mut partial.codes[usize::from(digit)];
            if digit != 0 && *code == 0 {
                partial.named += 1;
                *code = partial.named;
            }
        }
    }

    /// The image with these rows.
    fn form(texts: &[Text; 9]) -> Puzzle {
        let mut cells = [BLANK; CELLS];
        for (cells, text) in cells.as_chunks_mut::<9>().0.iter_mut().zip(texts) {
            for (c, cell) in cells.iter_mut().enumerate() {
                let code = (text >> (4 * (8 - c)) & 15) as u8;
                if code != Self::BLANK_CODE {
                    *cell = b'1' + Self::digit(code);
                }
            }
        }
        Puzzle::from_ascii(&cells).expect("codes are those of digits")
    }

    /// The digit less one for a code from 1 to 9.
    fn digit(code: u8) -> u8 {
        if LARGEST { 9 - code } else { code - 1 }
    }

    /// The symmetry, with ascending orders for all that the image does not decide.
    fn transformation(partial: &Partial) -> Transformation {
        let mut columns = [0; 9];
        for place in 0..3 {
            let stack = partial.stacks[place];
            let free: Vec<u8> = (3 * stack..3 * stack + 3)
                .filter(|column| partial.free >> column & 1 == 1)
                .collect();
            let of_place = &mut columns[3 * place..3 * place + 3];
            of_place.copy_from_slice(&partial.columns[3 * place..3 * place + 3]);
            let first = if LARGEST { 3 - free.len() } else { 0 };
            of_place[first..first + free.len()].copy_from_slice(&free);
        }
        let mut named = partial.named;
        let digits = std::array::from_fn(|digit| {
            let mut code = partial.codes[digit + 1];
            if code == 0 {
                named += 1;
                code = named;
            }
            Self::digit(code)
        });
        Transformation {
            transposed: partial.transposed,
            rows: partial.rows,
            columns,
            digits,
        }
    }
}

/// All orders of this number of things, at most three.
fn orders(count: usize) -> &'static [&'static [usize]] {
    match count {
        0 => &[&[]],
        1 => &[&[0]],
        2 => &[&[0, 1], &[1, 0]],
        _ => &[
            &[0, 1, 2],
            &[0, 2, 1],
            &[1, 0, 2],
            &[1, 2, 0],
            &[2, 0, 1],
            &[2, 1, 0],
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_batch_test_support::one_of;

    /// Two methods that share no code: the table of second rows, and the search row by row. The first grid has
    /// the most automorphisms, the others have one.
    #[test]
    fn the_smallest_image_of_a_grid_is_its_canonical_form() {
        let grids = [
            "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
            "496528713875143692132967854314289576729654381568731429687492135943815267251376948",
            "316578492529134768487629531263415987974863125851792643138947256692351874745286319",
        ];
        let numbers = (0..Transformation::COUNT).step_by(40_000_000_003 * one_of(8));
        for (grid, number) in grids
            .iter()
            .flat_map(|grid| numbers.clone().map(move |n| (grid, n)))
        {
            let grid: Grid = grid.parse().expect("a grid");
            let grid = Transformation::numbered(number).grid(&grid);
            let found = CanonicalPuzzle::find::<false>(&grid.into()).expect("a grid has an image");
            let canonical = CanonicalGrid::new(&grid);
            assert_eq!(found.puzzle(), Puzzle::from(canonical.grid()).into());
            assert_eq!(found.automorphisms(), u64::from(canonical.automorphisms()));
            assert_eq!(found.transformation().grid(&grid), canonical.grid());
        }
    }
}
