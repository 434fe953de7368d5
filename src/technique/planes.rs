//! Candidates in planes, and the placing of singles: what all techniques of a batch share.
//!
//! Each pair of a digit and a cell has a plane with one bit, a *lane*, for each puzzle, as
//! in the sliced engine. The planes of a digit lie together, with the cells in reading
//! order, because houses of three kinds go through them:
//!
//! ```text
//!     open[digit][cell]       a candidate, or the digit that fills the cell
//!     filled[cell]            the cell is filled: by a clue or a step
//!
//!     minirow 3r + s: cells 9r + 3s and the two to its right
//!     minicolumn 9b + c: cells 27b + c and the two below
//! ```
//!
//! A filled cell keeps its digit as its only candidate, and its peers have lost it. So a
//! digit that stands in a house has one place there, like a hidden single. Placing it again
//! changes nothing, which saves distinguishing the two.
//!
//! When a cell is filled, its peers lose the digit at once. The cell itself loses its other
//! candidates when the pass comes to their digit the next time. Until then they are kept
//! apart by the rows: the digit that fills the cell has one place in its row, another
//! candidate has two.

#![allow(
    clippy::needless_range_loop,
    reason = "several arrays are gone through by one number"
)]

use super::subsets::sum;
use crate::{
    grid::CELLS,
    simd::{Isa, RowPlanes, Vector},
    solve::candidates_of,
};

/// The planes of one digit.
pub(super) type DigitPlanes<V> = [V; CELLS];

/// A vector for each of the nine rows, columns or boxes.
pub(super) type Nine<V> = [V; 9];

pub(super) struct Planes<V> {
    /// The candidates.
    pub(super) open: [DigitPlanes<V>; 9],
    /// The filled cells.
    filled: [V; CELLS],
    /// The cells with two candidates or more at the end of the last pass.
    two: [V; CELLS],
}

/// Which singles the lanes of a pass place besides the last cells of houses.
pub(super) struct Singles<V> {
    /// Hidden singles in boxes.
    pub(super) boxes: V,
    /// Hidden singles in rows and columns.
    pub(super) lines: V,
    /// Naked singles.
    pub(super) naked: V,
}

/// The findings of a pass about each lane.
pub(super) struct Signs<V> {
    /// It filled a cell. In the hard planes also: it took other candidates out of one, or
    /// a cell became a naked single.
    pub(super) changed: V,
    /// It has an empty cell.
    pub(super) open: V,
}

/// The houses of a kind that have two or more of some cells.
struct Twos<V> {
    rows: Nine<V>,
    columns: Nine<V>,
    boxes: Nine<V>,
}

/// The number of the box of a cell.
#[inline(always)]
const fn box_of(cell: usize) -> usize {
    cell / 27 * 3 + cell % 9 / 3
}

/// Whether three triads have two cells or more together, from whether each has one or more
/// and two or more.
#[inline(always)]
fn two_of<V: Vector>(one: &[V; 27], two: &[V; 27], [a, b, c]: [usize; 3]) -> V {
    let several = one[a].majority(one[b], one[c]);
    several.or(two[a].or3(two[b], two[c]))
}

/// The minirows, where `stride` is 1, or minicolumns, where it is 9, that have one cell or
/// more, and two or more.
#[inline(always)]
pub(super) fn triads<V: Vector>(x: &DigitPlanes<V>, stride: usize) -> ([V; 27], [V; 27]) {
    let (mut one, mut two) = ([x[0]; 27], [x[0]; 27]);
    for n in 0..27 {
        let first = if stride == 1 {
            3 * n
        } else {
            n / 9 * 27 + n % 9
        };
        let [a, b, c] = [x[first], x[first + stride], x[first + 2 * stride]];
        (one[n], two[n]) = (a.or3(b, c), a.majority(b, c));
    }
    (one, two)
}

impl<V: Vector> Twos<V> {
    #[inline(always)]
    fn of(x: &DigitPlanes<V>) -> Self {
        let mut twos = Self {
            rows: [x[0]; 9],
            columns: [x[0]; 9],
            boxes: [x[0]; 9],
        };
        let (one, two) = triads(x, 1);
        for n in 0..9 {
            twos.rows[n] = two_of(&one, &two, [3 * n, 3 * n + 1, 3 * n + 2]);
            let first = n / 3 * 9 + n % 3;
            twos.boxes[n] = two_of(&one, &two, [first, first + 3, first + 6]);
        }
        let (one, two) = triads(x, 9);
        for n in 0..9 {
            twos.columns[n] = two_of(&one, &two, [n, n + 9, n + 18]);
        }
        twos
    }
}

/// For each row, column and box, whether any of its cells is set.
#[inline(always)]
fn any_in_houses<V: Vector>(x: &DigitPlanes<V>) -> [Nine<V>; 3] {
    let mut any = [[x[0]; 9]; 3];
    let (mut minirows, mut minicolumns) = ([x[0]; 27], [x[0]; 27]);
    for n in 0..27 {
        let first = n / 9 * 27 + n % 9;
        minirows[n] = x[3 * n].or3(x[3 * n + 1], x[3 * n + 2]);
        minicolumns[n] = x[first].or3(x[first + 9], x[first + 18]);
    }
    for n in 0..9 {
        let first = n / 3 * 9 + n % 3;
        any[0][n] = minirows[3 * n].or3(minirows[3 * n + 1], minirows[3 * n + 2]);
        any[1][n] = minicolumns[n].or3(minicolumns[n + 9], minicolumns[n + 18]);
        any[2][n] = minirows[first].or3(minirows[first + 3], minirows[first + 6]);
    }
    any
}

impl<V: Vector> Planes<V> {
    pub(super) fn new<I: Isa<V = V>>(isa: I) -> Box<Self> {
        let zero = isa.zeros();
        Box::new(Self {
            open: [[zero; CELLS]; 9],
            filled: [zero; CELLS],
            two: [zero; CELLS],
        })
    }

    /// Sets the lanes `enter` to the clues of puzzles in planes of text.
    #[inline(always)]
    pub(super) fn enter<I: Isa<V = V>>(&mut self, isa: I, text: &[RowPlanes; 8], enter: V) {
        for cell in 0..CELLS {
            let (blank, candidates) = candidates_of(isa.column(text, cell));
            self.filled[cell] = enter.and_not(blank).or(self.filled[cell].and_not(enter));
            self.two[cell] = self.two[cell].or(enter);
            for (open, new) in self.open.iter_mut().zip(candidates) {
                open[cell] = enter.select(new, open[cell]);
            }
        }
        let mut clues = [isa.zeros(); CELLS];
        for open in &mut self.open {
            for cell in 0..CELLS {
                clues[cell] = open[cell].and3(self.filled[cell], enter);
            }
            clear_peers(open, &clues);
        }
    }

    /// Sets a cell in the lanes `enter` to these candidates, and to filled or not.
    #[inline(always)]
    pub(super) fn set_cell(&mut self, cell: usize, enter: V, candidates: &Nine<V>, filled: V) {
        self.filled[cell] = enter.select(filled, self.filled[cell]);
        self.two[cell] = self.two[cell].or(enter);
        for (open, &new) in self.open.iter_mut().zip(candidates) {
            open[cell] = enter.select(new, open[cell]);
        }
    }

    /// The lanes where some house has one empty cell.
    #[inline(always)]
    pub(super) fn has_last_cell<I: Isa<V = V>>(&self, isa: I) -> V {
        let mut empty = self.filled;
        for empty in &mut empty {
            *empty = empty.not();
        }
        let (any, two) = (any_in_houses(&empty), Twos::of(&empty));
        let mut last = isa.zeros();
        for n in 0..9 {
            last = last.or_and_not(any[0][n], two.rows[n]);
            last = last.or_and_not(any[1][n], two.columns[n]);
            last = last.or_and_not(any[2][n], two.boxes[n]);
        }
        last
    }

    /// Places singles: hidden ones, last cells of houses, and naked ones. With `EASY`, the
    /// lanes may be asked to leave hidden singles, and naked ones are left by all.
    #[inline(always)]
    pub(super) fn place_singles<I: Isa<V = V>, const EASY: bool>(
        &mut self,
        isa: I,
        singles: &Singles<V>,
    ) -> Signs<V> {
        let mut blocked = [[isa.zeros(); 9]; 3];
        if EASY {
            blocked = self.block_houses(singles);
        }
        // Cells that no digit fills for want of other candidates.
        let mut not_naked = self.two;
        for two in &mut not_naked {
            *two = two.or(singles.naked.not());
        }
        let (mut one, mut two) = ([isa.zeros(); CELLS], [isa.zeros(); CELLS]);
        let mut changed = isa.zeros();
        // Each digit writes all of it before it reads any. One array for all of them need not
        // be cleared or copied for each.
        let mut single = [isa.zeros(); CELLS];
        for open in &mut self.open {
            let (minirow, two_in_minirow) = triads(open, 1);
            for row in 0..9 {
                let in_row = [3 * row, 3 * row + 1, 3 * row + 2];
                let crowded = two_of(&minirow, &two_in_minirow, in_row);
                for cell in 9 * row..9 * row + 9 {
                    let other = self.filled[cell].and(crowded);
                    if !EASY {
                        changed = changed.or_and(open[cell], other);
                    }
                    open[cell] = open[cell].and_not(other);
                }
            }
            let mut twos = Twos::of(open);
            if EASY {
                for n in 0..9 {
                    twos.rows[n] = twos.rows[n].or(blocked[0][n]);
                    twos.columns[n] = twos.columns[n].or(blocked[1][n]);
                    twos.boxes[n] = twos.boxes[n].or(blocked[2][n]);
                }
            }
            for cell in 0..CELLS {
                let (row, column) = (twos.rows[cell / 9], twos.columns[cell % 9]);
                let crowded = row.and3(column, twos.boxes[box_of(cell)]);
                single[cell] = if EASY {
                    open[cell].and_not(crowded)
                } else {
                    open[cell].and_nand(crowded, not_naked[cell])
                };
                changed = changed.or_and_not(single[cell], self.filled[cell]);
                self.filled[cell] = self.filled[cell].or(single[cell]);
            }
            clear_peers(open, &single);
            if !EASY {
                for cell in 0..CELLS {
                    two[cell] = two[cell].or_and(one[cell], open[cell]);
                    one[cell] = one[cell].or(open[cell]);
                }
            }
        }
        let mut empty = isa.zeros();
        for cell in 0..CELLS {
            empty = empty.or(self.filled[cell].not());
            if !EASY {
                let became_naked = self.two[cell].and_not(two[cell]);
                changed = changed.or_and(became_naked, singles.naked);
            }
        }
        if !EASY {
            self.two = two;
        }
        Signs {
            changed,
            open: empty,
        }
    }

    /// The lanes that place no hidden single in each row, column and box: they are asked not
    /// to, and it has two empty cells or more.
    #[inline(always)]
    fn block_houses(&self, singles: &Singles<V>) -> [Nine<V>; 3] {
        let mut empty = self.filled;
        for empty in &mut empty {
            *empty = empty.not();
        }
        let twos = Twos::of(&empty);
        let mut blocked = [twos.rows, twos.columns, twos.boxes];
        for (houses, placed) in
            blocked
                .iter_mut()
                .zip([singles.lines, singles.lines, singles.boxes])
        {
            for house in houses {
                *house = house.and_not(placed);
            }
        }
        blocked
    }

    /// The lanes in which every cell has one candidate and every house every digit.
    #[inline(always)]
    pub(super) fn complete<I: Isa<V = V>>(&self, isa: I) -> V {
        let mut complete = isa.ones();
        for cell in 0..CELLS {
            let (mut one, mut two) = (isa.zeros(), isa.zeros());
            for open in &self.open {
                two = two.or_and(one, open[cell]);
                one = one.or(open[cell]);
            }
            complete = complete.and(one.and_not(two));
        }
        for open in &self.open {
            for houses in any_in_houses(open) {
                for any in houses {
                    complete = complete.and(any);
                }
            }
        }
        complete
    }

    /// The lanes where this number of these nine cells are empty: five or more, seven or more.
    #[inline(always)]
    pub(super) fn five_and_seven_empty(&self, cells: &[u8; 9]) -> [V; 2] {
        let mut filled = [self.filled[0]; 9];
        for (filled, &cell) in filled.iter_mut().zip(cells) {
            *filled = self.filled[usize::from(cell)];
        }
        // How many are filled: `one`, and two for each of the four carries.
        let (one, [a, b, c, d]) = sum(&filled);
        let (any_of_three, any_two) = (a.or3(b, c), a.majority(b, c));
        let two_carries = any_two.or_and(d, any_of_three);
        let three_carries = a.and3(b, c).or_and(d, any_two);
        let any_carry = any_of_three.or(d);
        [
            three_carries.or_and(two_carries, one).not(),
            two_carries.or_and(any_carry, one).not(),
        ]
    }

    /// The bits of the digits that fill the cells of the lanes: four planes for each cell,
    /// which are zero where it is empty.
    #[inline(always)]
    pub(super) fn filled_digits(&self, cell: usize) -> [V; 4] {
        let x = self.candidates(cell);
        let filled = self.filled[cell];
        [
            x[0].or3(x[2], x[4]).or(x[6].or(x[8])).and(filled),
            x[1].or3(x[2], x[5]).or(x[6]).and(filled),
            x[3].or3(x[4], x[5]).or(x[6]).and(filled),
            x[7].or(x[8]).and(filled),
        ]
    }

    /// The candidates of a cell, digit by digit.
    #[inline(always)]
    pub(super) fn candidates(&self, cell: usize) -> Nine<V> {
        let mut candidates = [self.open[0][cell]; 9];
        for (candidate, open) in candidates.iter_mut().zip(&self.open) {
            *candidate = open[cell];
        }
        candidates
    }
}

/// Takes a digit from the peers of the cells that it fills.
#[inline(always)]
fn clear_peers<V: Vector>(open: &mut DigitPlanes<V>, single: &DigitPlanes<V>) {
    let [rows, columns, boxes] = any_in_houses(single);
    for cell in 0..CELLS {
        let gone = rows[cell / 9].or3(columns[cell % 9], boxes[box_of(cell)]);
        open[cell] = single[cell].or_and_not(open[cell], gone);
    }
}

/// Strikes a candidate in some lanes, and marks those where it was there.
#[inline(always)]
pub(super) fn strike<V: Vector>(candidate: &mut V, lanes: V, changed: &mut V) {
    *changed = changed.or_and(*candidate, lanes);
    *candidate = candidate.and_not(lanes);
}
