//! Finds the puzzles of a batch that naked and hidden singles solve, without a search.
//!
//! Passes repeat over all lanes. When most lanes have nothing left to find, they give their answers and
//! take the next puzzles. A pass walks over the digits once, from 1 to 9 or back, in turn:
//!
//! ```text
//!     for each digit:   clear it in cells in which this pass has found another digit
//!                       naked    = candidates where the cell had no other before the pass
//!                       hidden   = candidates where a row, column or box has no other
//!                       clear it in the rows, columns and boxes of both
//! ```
//!
//! So a digit that a pass finds leaves the cell's later digits at once, and its earlier ones in the next
//! pass, which meets the same single before them.
//!
//! The planes of one digit lie together, because the loops over rows, columns and boxes all
//! visit the cells of one digit: `planes[9 * 9 * digit + cell]`, with the cells in reading
//! order.

mod guesses;

use super::{
    DigitPlanes, NOBODY, ROWS, digit_planes,
    fresh::{candidates_of, read_rows},
    state::CANDIDATES,
};
use crate::{
    grid::CELLS,
    simd::{Isa, Lanes, Vector, array, ones, run},
    solve::Singles,
    stop,
};

/// New puzzles start when at least this many lanes of a hundred have nothing to do.
const IDLE_PERCENT: usize = 50;

/// A plane for each cell.
type Cells<V> = [V; CELLS];

/// The planes of as many puzzles as there are lanes.
pub(super) struct SinglesPlanes<V> {
    open: Box<[V; CANDIDATES]>,
    /// The lanes in which a cell has two candidates or more.
    two: Box<Cells<V>>,
    text: DigitPlanes,
    puzzle_of: Box<[u32; 512]>,
}

impl<V: Vector> SinglesPlanes<V> {
    pub(super) fn new<I: Isa<V = V>>(isa: I) -> Self {
        Self {
            open: Box::new([isa.zeros(); CANDIDATES]),
            two: Box::new([isa.zeros(); CELLS]),
            text: digit_planes(),
            puzzle_of: Box::new([NOBODY; 512]),
        }
    }

    /// Sets for each puzzle whether singles solve it.
    pub(super) fn solve<I: Isa<V = V>>(
        &mut self,
        isa: I,
        cells: &[[u8; CELLS]],
        singles: Singles,
        solved: &mut [bool],
    ) {
        // Guesses may have left numbers of other puzzles.
        self.puzzle_of.fill(NOBODY);
        let (mut next, mut upwards) = (0, true);
        let mut idle = run!(isa, || isa.ones().lanes());
        self.start(isa, &idle, || take_next(cells, &mut next));
        while self.puzzle_of.iter().any(|&puzzle| puzzle != NOBODY) {
            stop::check();
            let most_idle = if next < cells.len() {
                I::LANES * IDLE_PERCENT / 100
            } else {
                I::LANES
            };
            loop {
                let changed = self.pass(isa, upwards, singles == Singles::All);
                upwards = !upwards;
                idle = run!(isa, || changed.not().lanes());
                if idle.count() >= most_idle {
                    break;
                }
            }
            self.finish(isa, &idle, solved);
            self.start(isa, &idle, || take_next(cells, &mut next));
        }
    }

    /// Sets the answers of the puzzles in these lanes, which are free then.
    fn finish<I: Isa<V = V>>(&mut self, isa: I, idle: &Lanes, solved: &mut [bool]) {
        let complete = run!(isa, || self.complete(isa).lanes());
        for lane in idle.iter() {
            let puzzle = std::mem::replace(&mut self.puzzle_of[lane], NOBODY);
            if puzzle != NOBODY {
                solved[puzzle as usize] = complete.has(lane);
            }
        }
    }

    /// Puts puzzles into free lanes, as many as `fresh` gives, with their numbers. Returns those lanes.
    fn start<'p, I: Isa<V = V>>(
        &mut self,
        isa: I,
        free: &Lanes,
        mut fresh: impl FnMut() -> Option<(u32, &'p [u8; CELLS])>,
    ) -> Lanes {
        let mut enter = Lanes::default();
        for (g, planes) in self.text.iter_mut().enumerate().take(I::LANES / ROWS) {
            let mut rows = [&[b'.'; CELLS]; ROWS];
            for bit in ones(free.0[g]) {
                let Some((puzzle, cells)) = fresh() else {
                    break;
                };
                rows[bit] = cells;
                self.puzzle_of[ROWS * g + bit] = puzzle;
                enter.set(ROWS * g + bit);
            }
            if enter.0[g] != 0 {
                read_rows(isa, &rows, planes);
            }
        }
        if !enter.any() {
            return enter;
        }
        run!(isa, || {
            let enter = isa.vector(&enter);
            for cell in 0..CELLS {
                let (blank, candidates) = candidates_of(isa.column(&self.text, cell));
                self.two[cell] = enter.select(blank, self.two[cell]);
                for (digit, candidates) in candidates.into_iter().enumerate() {
                    let open = &mut self.open[CELLS * digit + cell];
                    *open = enter.select(candidates, *open);
                }
            }
        });
        enter
    }

    /// One pass. Returns the lanes that need another one: a candidate was removed, or will be.
    #[inline(never)]
    fn pass<I: Isa<V = V>>(&mut self, isa: I, upwards: bool, hidden: bool) -> V {
        run!(isa, || {
            let mut found = [isa.zeros(); CELLS];
            let mut single = [isa.zeros(); CELLS];
            let mut changed = isa.zeros();
            for step in 0..9 {
                let digit = if upwards { step } else { 8 - step };
                let open = &mut self.open.as_chunks_mut::<CELLS>().0[digit];
                for (open, &found) in open.iter_mut().zip(&found) {
                    changed = changed.or_and(*open, found);
                    *open = open.and_not(found);
                }
                let crowded = if hidden {
                    Houses::crowded(open)
                } else {
                    Houses::all(isa.ones())
                };
                for cell in 0..CELLS {
                    let (row, column, in_box) = crowded.of_cell(cell);
                    let crowded = row.and3(column, in_box);
                    single[cell] = open[cell].and_nand(self.two[cell], crowded);
                    // The other candidates of a hidden single may come earlier in this pass.
                    changed = changed.or_and(single[cell], self.two[cell]);
                    found[cell] = found[cell].or(single[cell]);
                }
                let taken = Houses::any(&single);
                for (cell, open) in open.iter_mut().enumerate() {
                    let (row, column, in_box) = taken.of_cell(cell);
                    let new = open.and_implies(row.or3(column, in_box), single[cell]);
                    changed = changed.or_xor(*open, new);
                    *open = new;
                }
            }
            for (cell, two) in self.two.iter_mut().enumerate() {
                let mut one = isa.zeros();
                *two = isa.zeros();
                for digit in 0..9 {
                    let open = self.open[CELLS * digit + cell];
                    *two = two.or_and(one, open);
                    one = one.or(open);
                }
            }
            changed
        })
    }

    /// The lanes in which every cell has one candidate and every house every digit.
    #[inline(always)]
    fn complete<I: Isa<V = V>>(&self, isa: I) -> V {
        let mut complete = self.whole(isa);
        for &two in &*self.two {
            complete = complete.and_not(two);
        }
        complete
    }

    /// The lanes in which every cell has a candidate and every house every digit.
    #[inline(always)]
    fn whole<I: Isa<V = V>>(&self, isa: I) -> V {
        let mut one = [isa.zeros(); CELLS];
        let mut whole = isa.ones();
        for open in self.open.as_chunks::<CELLS>().0 {
            let any = Houses::any(open);
            for house in 0..9 {
                let all = any.rows[house].and3(any.columns[house], any.boxes[house]);
                whole = whole.and(all);
            }
            for (one, &open) in one.iter_mut().zip(open) {
                *one = one.or(open);
            }
        }
        for one in one {
            whole = whole.and(one);
        }
        whole
    }
}

/// The puzzle with the number `next`, and that number, which goes up by one.
fn take_next<'p>(cells: &'p [[u8; CELLS]], next: &mut usize) -> Option<(u32, &'p [u8; CELLS])> {
    let puzzle = cells.get(*next)?;
    *next += 1;
    Some((*next as u32 - 1, puzzle))
}

/// A plane for each house.
struct Houses<V> {
    rows: [V; 9],
    columns: [V; 9],
    boxes: [V; 9],
}

impl<V: Vector> Houses<V> {
    /// The result of a function of three cells, and of another one of three of these results. Rows and boxes share
    /// minirows.
    #[inline(always)]
    fn of<T: Copy>(
        cells: &Cells<V>,
        of_cells: impl Fn(V, V, V) -> T,
        of_house: impl Fn(T, T, T) -> V,
    ) -> Self {
        let minirows: [T; 27] =
            array!(|n| of_cells(cells[3 * n], cells[3 * n + 1], cells[3 * n + 2]));
        let in_columns: [T; 27] = array!(|n| {
            let first = 27 * (n / 9) + n % 9;
            of_cells(cells[first], cells[first + 9], cells[first + 18])
        });
        Self {
            rows: array!(|row| {
                let first = 3 * row;
                of_house(minirows[first], minirows[first + 1], minirows[first + 2])
            }),
            columns: array!(|column| {
                of_house(
                    in_columns[column],
                    in_columns[column + 9],
                    in_columns[column + 18],
                )
            }),
            boxes: array!(|n| {
                let first = 9 * (n / 3) + n % 3;
                of_house(minirows[first], minirows[first + 3], minirows[first + 6])
            }),
        }
    }

    /// The lanes in which a cell of the house is set.
    #[inline(always)]
    fn any(cells: &Cells<V>) -> Self {
        Self::of(
            cells,
            #[inline(always)]
            |a, b, c| a.or3(b, c),
            #[inline(always)]
            |a, b, c| a.or3(b, c),
        )
    }

    /// The lanes in which two cells of the house or more are set.
    #[inline(always)]
    fn crowded(cells: &Cells<V>) -> Self {
        Self::of(
            cells,
            #[inline(always)]
            |a, b, c| (a.or3(b, c), a.majority(b, c)),
            #[inline(always)]
            |(a, two_a), (b, two_b), (c, two_c)| two_a.or3(two_b, two_c).or(a.majority(b, c)),
        )
    }

    /// The same plane for each house.
    #[inline(always)]
    fn all(plane: V) -> Self {
        Self {
            rows: [plane; 9],
            columns: [plane; 9],
            boxes: [plane; 9],
        }
    }

    /// The row, the column and the box of a cell.
    #[inline(always)]
    fn of_cell(&self, cell: usize) -> (V, V, V) {
        let (row, column) = (cell / 9, cell % 9);
        let in_box = 3 * (row / 3) + column / 3;
        (self.rows[row], self.columns[column], self.boxes[in_box])
    }
}
