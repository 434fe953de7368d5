//! Candidates in planes, and a pass that places naked and hidden singles in all lanes.
//!
//! ```text
//!     open[digit][cell]     a candidate, or the digit that fills the cell
//!     two[cell]             the cell had two candidates or more when the last pass ended
//!     filled[cell]          a pass has placed a digit there, and struck it from the peers
//!     held[digit][house]    the last pass found the digit placed in the house: rows, columns, boxes
//!     fresh                 no pass has seen what is in the lane now
//! ```
//!
//! A pass walks over the digits once, from 1 to 9 or back, in turn, as the pass of
//! singles does:
//!
//! ```text
//!     for each digit:   clear it in cells in which this pass has found another digit
//!                       a house without it ends the lane
//!                       naked    = candidates where the cell had no other before the pass
//!                       hidden   = candidates where a row, column or box has no other
//!                       clear it in the rows, columns and boxes of both
//! ```
//!
//! Two cells of a house may become a place of the same digit at once. Each of them is spared by the other, so
//! no cell becomes empty. But from the next pass on, the house holds the digit and has two places for it, which
//! no other house has: that ends the lane. (To count the placed digits twice in the pass itself
//! would take 121 operations a digit, this takes 27.)
//!
//! Stores limit a pass: of 512 bits, a core of Zen 4 makes one in two cycles. So nothing is kept that can be had
//! again from planes that are loaded anyway, and cells are cleared where they are read. A pass that kept the triads
//! of all houses and the cleared cells in arrays took 6.3 µs on a loaded machine, and this one 4.3.

use crate::{
    grid::CELLS,
    simd::{Isa, Vector, array, run},
};

/// A plane for each cell.
pub(super) type Cells<V> = [V; CELLS];

/// A plane for each house of a kind.
type Nine<V> = [V; 9];

/// The planes of as many positions as there are lanes.
pub(super) struct Planes<V> {
    pub(super) open: Box<[Cells<V>; 9]>,
    pub(super) two: Box<Cells<V>>,
    filled: Box<Cells<V>>,
    held: Box<[[Nine<V>; 3]; 9]>,
    /// The lanes that have begun since the last pass: what `filled` and `held` say of them is old.
    pub(super) fresh: V,
    upwards: bool,
}

/// The result of a pass, for each lane.
pub(super) struct Signs<V> {
    /// A cell has no candidate, or a house no place for a digit or two cells with it.
    pub(super) dead: V,
    /// Another pass may find more.
    pub(super) changed: V,
    /// A cell has two candidates or more.
    pub(super) open: V,
}

/// The lanes in which any of three planes is set, and those in which two or more are.
#[inline(always)]
fn one_and_two<V: Vector>(a: V, b: V, c: V) -> (V, V) {
    (a.or3(b, c), a.majority(b, c))
}

/// The same of nine, three of which each pair is about.
#[inline(always)]
fn several<V: Vector>((a, two_a): (V, V), (b, two_b): (V, V), (c, two_c): (V, V)) -> (V, V) {
    (a.or3(b, c), two_a.or3(two_b, two_c).or(a.majority(b, c)))
}

/// The lanes in which either has one, and those in which both together have two or more.
#[inline(always)]
fn joined<V: Vector>((a, two_a): (V, V), (b, two_b): (V, V)) -> (V, V) {
    (a.or(b), two_a.or(two_b).or_and(a, b))
}

impl<V: Vector> Planes<V> {
    pub(super) fn new<I: Isa<V = V>>(isa: I) -> Self {
        let zero = isa.zeros();
        Self {
            open: Box::new([[zero; CELLS]; 9]),
            two: Box::new([zero; CELLS]),
            filled: Box::new([zero; CELLS]),
            held: Box::new([[[zero; 9]; 3]; 9]),
            fresh: zero,
            upwards: true,
        }
    }

    /// One pass over all lanes.
    #[inline(never)]
    #[expect(
        clippy::needless_range_loop,
        reason = "several arrays are gone through by one number"
    )]
    pub(super) fn pass<I: Isa<V = V>>(&mut self, isa: I) -> Signs<V> {
        run!(isa, || {
            let (mut found, mut single) = ([isa.zeros(); CELLS], [isa.zeros(); CELLS]);
            let (mut whole, mut twice) = (isa.ones(), isa.zeros());
            let (mut crowded_rows, mut crowded_boxes) = ([isa.zeros(); 9], [isa.zeros(); 9]);
            for step in 0..9 {
                let digit = if self.upwards { step } else { 8 - step };
                let (open, held) = (&mut self.open[digit], &mut self.held[digit]);
                // The lanes in which columns have the digit, and those in which they have two or more.
                let mut columns = [(isa.zeros(), isa.zeros()); 9];
                for band in 0..3 {
                    let mut rows = [(isa.zeros(), isa.zeros()); 3];
                    for stack in 0..3 {
                        let x: [[V; 3]; 3] = array!(|row| array!(|column| {
                            let cell = 27 * band + 9 * row + 3 * stack + column;
                            open[cell].and_not(found[cell])
                        }));
                        let minirows: [(V, V); 3] =
                            array!(|row| one_and_two(x[row][0], x[row][1], x[row][2]));
                        let in_box = several(minirows[0], minirows[1], minirows[2]);
                        whole = whole.and(in_box.0);
                        twice = twice.or_and(in_box.1, held[2][3 * band + stack]);
                        crowded_boxes[3 * band + stack] = in_box.1;
                        for n in 0..3 {
                            rows[n] = joined(rows[n], minirows[n]);
                            let column = &mut columns[3 * stack + n];
                            *column = joined(*column, one_and_two(x[0][n], x[1][n], x[2][n]));
                        }
                    }
                    for n in 0..3 {
                        whole = whole.and(rows[n].0);
                        twice = twice.or_and(rows[n].1, held[0][3 * band + n]);
                        crowded_rows[3 * band + n] = rows[n].1;
                    }
                }
                for column in 0..9 {
                    whole = whole.and(columns[column].0);
                    twice = twice.or_and(columns[column].1, held[1][column]);
                }
                for row in &mut held[0] {
                    *row = isa.zeros();
                }
                for stack in 0..3 {
                    let mut in_columns = [isa.zeros(); 3];
                    for band in 0..3 {
                        let mut in_box = isa.zeros();
                        for row in 3 * band..3 * band + 3 {
                            let full = crowded_rows[row].and(crowded_boxes[3 * band + stack]);
                            let mut minirow = isa.zeros();
                            for n in 0..3 {
                                let cell = 9 * row + 3 * stack + n;
                                let full = full.and(columns[3 * stack + n].1);
                                let x = open[cell].and_not(found[cell]);
                                let placed = x.and_nand(self.two[cell], full);
                                single[cell] = placed;
                                minirow = minirow.or(placed);
                                in_columns[n] = in_columns[n].or(placed);
                            }
                            held[0][row] = held[0][row].or(minirow);
                            in_box = in_box.or(minirow);
                        }
                        held[2][3 * band + stack] = in_box;
                    }
                    for n in 0..3 {
                        held[1][3 * stack + n] = in_columns[n];
                    }
                }
                for minirow in 0..27 {
                    let (row, stack) = (minirow / 3, minirow % 3);
                    let taken = held[0][row].or(held[2][row / 3 * 3 + stack]);
                    for cell in 3 * minirow..3 * minirow + 3 {
                        let taken = taken.or(held[1][cell % 9]);
                        let x = open[cell].and_not(found[cell]);
                        open[cell] = x.and_implies(taken, single[cell]);
                        found[cell] = found[cell].or(single[cell]);
                    }
                }
            }
            self.upwards = !self.upwards;
            let fresh = std::mem::replace(&mut self.fresh, isa.zeros());
            let (mut changed, mut undecided) = (isa.zeros(), isa.zeros());
            for cell in 0..CELLS {
                let x: [V; 9] = array!(|digit| self.open[digit][cell]);
                let (one, two) = count(x);
                whole = whole.and(one);
                let filled = self.filled[cell].and_not(fresh);
                changed = changed.or_and_not(found[cell], filled);
                let filled = filled.or(found[cell]);
                // A cell with one candidate that no pass has placed.
                changed = changed.or_nor(two, filled);
                undecided = undecided.or(two);
                (self.two[cell], self.filled[cell]) = (two, filled);
            }
            Signs {
                dead: twice.and_not(fresh).or(whole.not()),
                changed,
                open: undecided,
            }
        })
    }
}

/// The lanes with one of nine or more, and with two or more.
#[inline(always)]
pub(super) fn count<V: Vector>(x: [V; 9]) -> (V, V) {
    let one = [
        x[0].or3(x[1], x[2]),
        x[3].or3(x[4], x[5]),
        x[6].or3(x[7], x[8]),
    ];
    let two = x[0]
        .majority(x[1], x[2])
        .or3(x[3].majority(x[4], x[5]), x[6].majority(x[7], x[8]));
    (
        one[0].or3(one[1], one[2]),
        two.or(one[0].majority(one[1], one[2])),
    )
}
