//! Finds the puzzles of a batch that naked and hidden singles solve, without a search.
//!
//! All lanes start together, and passes repeat until nothing changes in any lane. A pass:
//!
//! ```text
//!     for each cell:    naked   = candidates where the cell has no other
//!     for each digit:   hidden  = candidates where a row, column or box has no other
//!                       single  = naked | hidden
//!     for each cell:    a hidden single clears the other candidates
//!     for each digit:   a single clears its row, column and box
//! ```
//!
//! The planes of one digit lie together, because the loops over rows, columns and boxes all
//! visit the cells of one digit: `planes[9 * 9 * digit + cell]`, with the cells in reading
//! order.

use super::{
    DigitPlanes, ROWS, digit_planes,
    fresh::{candidates_of, read_rows},
    state::CANDIDATES,
};
use crate::{
    grid::{CELLS, HOUSE_CELLS},
    simd::{Isa, Vector, array, run},
    solve::Singles,
};

/// The planes of a batch of as many puzzles as there are lanes.
pub(super) struct SinglesPlanes<V> {
    open: Box<[V; CANDIDATES]>,
    /// Scratch of a pass.
    single: Box<[V; CANDIDATES]>,
    text: DigitPlanes,
}

impl<V: Vector> SinglesPlanes<V> {
    pub(super) fn new<I: Isa<V = V>>(isa: I) -> Self {
        Self {
            open: Box::new([isa.zeros(); CANDIDATES]),
            single: Box::new([isa.zeros(); CANDIDATES]),
            text: digit_planes(),
        }
    }

    /// Tells for each puzzle, as many as there are lanes or fewer, whether singles solve
    /// it.
    #[inline(always)]
    pub(super) fn solve<I: Isa<V = V>>(
        &mut self,
        isa: I,
        cells: &[[u8; CELLS]],
        singles: Singles,
        solved: &mut [bool],
    ) {
        self.read(isa, cells);
        loop {
            let changed = run!(isa, || match singles {
                Singles::Naked => self.pass::<I, false>(isa),
                Singles::All => self.pass::<I, true>(isa),
            });
            if !changed.any() {
                break;
            }
        }
        let complete = run!(isa, || self.complete(isa));
        let complete = complete.lanes();
        for (lane, solved) in solved.iter_mut().enumerate() {
            *solved = complete.has(lane);
        }
    }

    #[inline(always)]
    fn read<I: Isa<V = V>>(&mut self, isa: I, cells: &[[u8; CELLS]]) {
        for (planes, cells) in self.text.iter_mut().zip(cells.chunks(ROWS)) {
            let mut rows = [&cells[0]; ROWS];
            for (row, cells) in rows.iter_mut().zip(cells) {
                *row = cells;
            }
            read_rows(isa, &rows, planes);
        }
        run!(isa, || {
            for cell in 0..CELLS {
                let (_, candidates) = candidates_of(isa.column(&self.text, cell));
                for (digit, candidates) in candidates.into_iter().enumerate() {
                    self.open[CELLS * digit + cell] = candidates;
                }
            }
        });
    }

    /// The lanes in which a cell has one candidate or more, and two or more.
    #[inline(always)]
    fn count_cell<I: Isa<V = V>>(&self, isa: I, cell: usize) -> (V, V) {
        let (mut one, mut two) = (isa.zeros(), isa.zeros());
        for digit in 0..9 {
            let open = self.open[CELLS * digit + cell];
            two = two.or_and(one, open);
            one = one.or(open);
        }
        (one, two)
    }

    /// One pass; returns the lanes in which a candidate was removed.
    #[inline(always)]
    fn pass<I: Isa<V = V>, const HIDDEN: bool>(&mut self, isa: I) -> V {
        for cell in 0..CELLS {
            let (_, two) = self.count_cell(isa, cell);
            for digit in 0..9 {
                let n = CELLS * digit + cell;
                self.single[n] = self.open[n].and_not(two);
            }
        }
        let mut changed = isa.zeros();
        if HIDDEN {
            for digit in 0..9 {
                self.add_hidden(isa, digit);
            }
            changed = self.clear_cells(isa);
        }
        for digit in 0..9 {
            changed = changed.or(self.clear_houses(isa, digit));
        }
        changed
    }

    /// Adds the candidates of a digit that are alone in a house to the singles.
    #[inline(always)]
    fn add_hidden<I: Isa<V = V>>(&mut self, isa: I, digit: usize) {
        let open: &[V; CELLS] = self.open[CELLS * digit..].first_chunk().expect("81 cells");
        let mut two = [isa.zeros(); 27];
        for (two, house) in two.iter_mut().zip(&HOUSE_CELLS) {
            let mut one = isa.zeros();
            for &cell in house {
                *two = two.or_and(one, open[usize::from(cell)]);
                one = one.or(open[usize::from(cell)]);
            }
        }
        for (cell, &open) in open.iter().enumerate() {
            let [row, column, in_box] = houses(cell);
            let crowded = two[row].and3(two[column], two[in_box]);
            let single = &mut self.single[CELLS * digit + cell];
            *single = single.or_and_not(open, crowded);
        }
    }

    /// Clears the other candidates of the cells of hidden singles; returns the lanes in
    /// which a candidate was removed.
    #[inline(always)]
    fn clear_cells<I: Isa<V = V>>(&mut self, isa: I) -> V {
        let mut changed = isa.zeros();
        for cell in 0..CELLS {
            let mut any = isa.zeros();
            for digit in 0..9 {
                any = any.or(self.single[CELLS * digit + cell]);
            }
            for digit in 0..9 {
                let n = CELLS * digit + cell;
                let gone = self.open[n].and(any).and_not(self.single[n]);
                changed = changed.or(gone);
                self.open[n] = self.open[n].and_not(gone);
            }
        }
        changed
    }

    /// Clears the houses of the singles of a digit; returns the lanes in which a
    /// candidate was removed.
    #[inline(always)]
    fn clear_houses<I: Isa<V = V>>(&mut self, isa: I, digit: usize) -> V {
        let single: &[V; CELLS] = self.single[CELLS * digit..]
            .first_chunk()
            .expect("81 cells");
        let mut taken = [isa.zeros(); 27];
        for (taken, house) in taken.iter_mut().zip(&HOUSE_CELLS) {
            let [a, b, c, d, e, f, g, h, i] = array!(|place| single[usize::from(house[place])]);
            *taken = a.or3(b, c).or3(d.or3(e, f), g.or3(h, i));
        }
        let mut changed = isa.zeros();
        for (cell, &single) in single.iter().enumerate() {
            let [row, column, in_box] = houses(cell);
            let open = &mut self.open[CELLS * digit + cell];
            let gone = taken[row].or3(taken[column], taken[in_box]);
            let gone = open.and(gone).and_not(single);
            changed = changed.or(gone);
            *open = open.and_not(gone);
        }
        changed
    }

    /// The lanes in which every cell has one candidate and every house every digit.
    #[inline(always)]
    fn complete<I: Isa<V = V>>(&self, isa: I) -> V {
        let mut complete = isa.ones();
        for cell in 0..CELLS {
            let (one, two) = self.count_cell(isa, cell);
            complete = complete.and(one).and_not(two);
        }
        for open in self.open.as_chunks::<CELLS>().0 {
            for house in &HOUSE_CELLS {
                let mut any = isa.zeros();
                for &cell in house {
                    any = any.or(open[usize::from(cell)]);
                }
                complete = complete.and(any);
            }
        }
        complete
    }
}

/// The row, the column and the box of a cell, as houses.
#[inline(always)]
const fn houses(cell: usize) -> [usize; 3] {
    let (row, column) = (cell / 9, cell % 9);
    [row, 9 + column, 18 + 3 * (row / 3) + column / 3]
}
