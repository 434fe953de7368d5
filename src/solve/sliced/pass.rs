//! One pass of deductions over all lanes.
//!
//! ```text
//!     for each box:
//!         for each digit:                              closure
//!             close the triad matrices of its band and stack, for this box only:
//!             h[0..3]  may it be in each row of the box?     v[0..3]  in each column?
//!             unsettled = two rows or more, or two columns or more
//!         for each cell:                               candidates
//!             x[d] &= h[row][d] & v[column][d]               locked candidates
//!             if some x[d] is settled: x[d] &= settled       hidden single
//!             two = two or more are left, dead if none
//!         for each digit:                              triads
//!             a naked single of the digit empties the other triads of the box;
//!             a triad is open while one of its three cells is
//! ```
//!
//! `docs/internals/ladder.md` explains triads, their matrices and closure (rungs 3 and 6). Closure is computed
//! where it is used, for the one column of the matrix that a box needs, and is never stored. Storing
//! closed matrices and "two or more in this row" planes for both directions took 700 more stores and
//! 2,400 more loads a pass. A digit is settled in a box when one row and one column of the box are
//! left. One plane a box holds that; before, two planes a cell did.

#![expect(
    clippy::needless_range_loop,
    reason = "cells and digits index several arrays at once"
)]

use super::{
    state::{Removal, State, add},
    tuning,
};
use crate::{
    grid::{Cell, Digit},
    simd::{Isa, Vector},
};

pub(super) struct Signs<V> {
    /// A cell or a digit of a house has no candidate.
    pub(super) dead: V,
    /// A cell became single.
    pub(super) changed: V,
    /// A cell has two or more candidates.
    pub(super) open: V,
}

impl<V: Vector> Signs<V> {
    #[inline(always)]
    pub(super) fn none<I: Isa<V = V>>(isa: I) -> Self {
        Self {
            dead: isa.zeros(),
            changed: isa.zeros(),
            open: isa.zeros(),
        }
    }
}

#[inline(always)]
pub(super) fn pass<I: Isa>(isa: I, state: &mut State<I::V>) -> Signs<I::V> {
    let mut signs = Signs::none(isa);
    for n in 0..9 {
        let counts = match n {
            0 => candidates::<_, 0, 0>(isa, state, &mut signs),
            1 => candidates::<_, 0, 1>(isa, state, &mut signs),
            2 => candidates::<_, 0, 2>(isa, state, &mut signs),
            3 => candidates::<_, 1, 0>(isa, state, &mut signs),
            4 => candidates::<_, 1, 1>(isa, state, &mut signs),
            5 => candidates::<_, 1, 2>(isa, state, &mut signs),
            6 => candidates::<_, 2, 0>(isa, state, &mut signs),
            7 => candidates::<_, 2, 1>(isa, state, &mut signs),
            _ => candidates::<_, 2, 2>(isa, state, &mut signs),
        };
        triads(state, &counts, n);
    }
    signs
}

/// The candidates that are left in the nine cells of a box.
struct Counts<V> {
    two: [V; 9],
    settled: [V; 9],
}

/// Restricts the candidates of a box to its closed triads, and counts the rest.
#[inline(always)]
fn candidates<I: Isa, const BAND: usize, const STACK: usize>(
    isa: I,
    state: &mut State<I::V>,
    signs: &mut Signs<I::V>,
) -> Counts<I::V> {
    let n = 3 * BAND + STACK;
    let counts = if tuning::counts_cell_by_cell(I::LANES, I::REGISTERS) {
        cell_by_cell::<_, BAND, STACK>(isa, state, &mut signs.dead)
    } else {
        digit_by_digit::<_, BAND, STACK>(isa, state, &mut signs.dead)
    };
    for c in 0..9 {
        signs.changed = signs.changed.or_xor(counts.two[c], state.two[n][c]);
        signs.open = signs.open.or(counts.two[c]);
        state.two[n][c] = counts.two[c];
    }
    counts
}

/// The closed triads of a digit in a box: its rows and its columns. Notes where the digit is settled.
#[inline(always)]
fn close<V: Vector, const BAND: usize, const STACK: usize>(
    state: &mut State<V>,
    dead: &mut V,
    d: usize,
) -> ([V; 3], [V; 3]) {
    let h = close_column::<_, STACK>(&state.triads[BAND][d]);
    let v = close_column::<_, BAND>(&state.triads[3 + STACK][d]);
    *dead = dead.or_nand(h[0].or3(h[1], h[2]), v[0].or3(v[1], v[2]));
    state.settled[d] = h[0].majority(h[1], h[2]).nor(v[0].majority(v[1], v[2]));
    (h, v)
}

/// Counts all cells while the digits go by. The count of a cell takes two planes. Those of all nine
/// cells fit in 32 registers:
///
/// ```text
///     (one, more) = 0 0  none       1 1  two or more
///                   1 0  one        0 1  a settled digit, and any others
/// ```
#[inline(always)]
fn digit_by_digit<I: Isa, const BAND: usize, const STACK: usize>(
    isa: I,
    state: &mut State<I::V>,
    dead: &mut I::V,
) -> Counts<I::V> {
    let mut one = [isa.zeros(); 9];
    let mut more = [isa.zeros(); 9];
    for d in 0..9 {
        let (h, v) = close::<_, BAND, STACK>(state, dead, d);
        let settled = state.settled[d];
        let x = box_planes(state, 3 * BAND + STACK);
        for c in 0..9 {
            let z = x[9 * d + c].and3(h[c / 3], v[c % 3]);
            x[9 * d + c] = z;
            let first = one[c].or_and_not(z, more[c]);
            more[c] = more[c].or_and(one[c], z).or_and(settled, z);
            one[c] = first.and_nand(settled, z);
        }
    }
    let mut counts = Counts {
        two: one,
        settled: one,
    };
    for c in 0..9 {
        counts.two[c] = one[c].and(more[c]);
        counts.settled[c] = more[c].and_not(one[c]);
        *dead = dead.or_nor(one[c], more[c]);
    }
    counts
}

/// Counts one cell after the other, with the triads of all digits in memory. That takes more loads, but
/// fewer operations and stores where the counts of nine cells do not fit in registers.
#[inline(always)]
fn cell_by_cell<I: Isa, const BAND: usize, const STACK: usize>(
    isa: I,
    state: &mut State<I::V>,
    dead: &mut I::V,
) -> Counts<I::V> {
    let mut rows = [[isa.zeros(); 3]; 9];
    let mut columns = rows;
    for d in 0..9 {
        (rows[d], columns[d]) = close::<_, BAND, STACK>(state, dead, d);
    }
    let of_digits = state.settled;
    let x = box_planes(state, 3 * BAND + STACK);
    let mut counts = Counts {
        two: [isa.zeros(); 9],
        settled: [isa.zeros(); 9],
    };
    for c in 0..9 {
        let (mut one, mut more, mut settled) = (isa.zeros(), isa.zeros(), isa.zeros());
        for d in 0..9 {
            let z = x[9 * d + c].and3(rows[d][c / 3], columns[d][c % 3]);
            x[9 * d + c] = z;
            more = more.or_and(one, z);
            one = one.or(z);
            settled = settled.or_and(of_digits[d], z);
        }
        counts.two[c] = one.and(more).and_not(settled);
        counts.settled[c] = settled;
        *dead = dead.or(one.not());
    }
    counts
}

#[inline(always)]
fn box_planes<V>(state: &mut State<V>, n: usize) -> &mut [V; 81] {
    state.planes[81 * n..]
        .first_chunk_mut()
        .expect("a box of planes")
}

/// The closed column `K` of a 3×3 matrix: the entries `(0, K)`, `(1, K)` and
/// `(2, K)` through which a permutation goes.
#[inline(always)]
fn close_column<V: Vector, const K: usize>(m: &[V; 9]) -> [V; 3] {
    let (l, r) = ((K + 1) % 3, (K + 2) % 3);
    let ([l0, l1, l2], [r0, r1, r2]) = ([m[l], m[3 + l], m[6 + l]], [m[r], m[3 + r], m[6 + r]]);
    [
        m[K].and(l1.and(r2).or_and(l2, r1)),
        m[3 + K].and(l0.and(r2).or_and(l2, r0)),
        m[6 + K].and(l0.and(r1).or_and(l1, r0)),
    ]
}

/// Computes the triads of a box from the candidates of its cells.
#[inline(always)]
fn triads<V: Vector>(state: &mut State<V>, counts: &Counts<V>, n: usize) {
    let (band, stack) = (n / 3, n % 3);
    let planes: &[V; 81] = state.planes[81 * n..]
        .first_chunk()
        .expect("a box of planes");
    let (bands, stacks) = state.triads.split_at_mut(3);
    for d in 0..9 {
        let mut x: [V; 9] = *planes[9 * d..].first_chunk().expect("nine cells");
        for c in 0..9 {
            x[c] = x[c].and_implies(counts.settled[c], state.settled[d]);
        }
        let (rows, columns) = triads_of_digit(&x, &counts.two);
        for i in 0..3 {
            bands[band][d][3 * i + stack] = rows[i];
            stacks[stack][d][3 * i + band] = columns[i];
        }
    }
}

/// The triads of the rows and of the columns of a box that one digit's
/// candidates leave open.
#[inline(always)]
fn triads_of_digit<V: Vector>(x: &[V; 9], two: &[V; 9]) -> ([V; 3], [V; 3]) {
    let mut n = *x;
    for c in 0..9 {
        n[c] = n[c].and_not(two[c]);
    }
    let (r0, r1, r2) = (
        n[0].or3(n[1], n[2]),
        n[3].or3(n[4], n[5]),
        n[6].or3(n[7], n[8]),
    );
    let (c0, c1, c2) = (
        n[0].or3(n[3], n[6]),
        n[1].or3(n[4], n[7]),
        n[2].or3(n[5], n[8]),
    );
    let single = r0.or3(r1, r2);
    let rows = [
        r0.or_and_not(x[0].or3(x[1], x[2]), single),
        r1.or_and_not(x[3].or3(x[4], x[5]), single),
        r2.or_and_not(x[6].or3(x[7], x[8]), single),
    ];
    let columns = [
        c0.or_and_not(x[0].or3(x[3], x[6]), single),
        c1.or_and_not(x[1].or3(x[4], x[7]), single),
        c2.or_and_not(x[2].or3(x[5], x[8]), single),
    ];
    (rows, columns)
}

/// Each triad takes three digits. A pass does not count them; it is done once in several passes.
///
/// 1. If fewer than three are open to a triad, the lane is dead. If just three are, all three stand
///    there, so they are closed in the rest of its row of the matrix. Closure carries that on to the
///    column.
/// 2. If three are *sure* of a triad, because no other triad of its row is open to them, it is closed
///    to the others.
///
/// A dead lane loses a digit in a whole band, so the next pass finds it dead.
#[inline(always)]
pub(super) fn take_three<I: Isa>(isa: I, state: &mut State<I::V>) {
    for t in &mut state.triads {
        let mut dead = isa.zeros();
        for row in [0, 3, 6] {
            let mut three = [dead; 3];
            for i in 0..3 {
                let (some, four) = three_and_four(
                    #[inline(always)]
                    |d| t[d][row + i],
                );
                three[i] = some.and_not(four);
                dead = dead.or_nor(some, four);
            }
            for m in t.iter_mut() {
                let (a, b, c) = (m[row], m[row + 1], m[row + 2]);
                let sure = [three[0].and(a), three[1].and(b), three[2].and(c)];
                m[row] = a.and_not(sure[1].or(sure[2]));
                m[row + 1] = b.and_not(sure[0].or(sure[2]));
                m[row + 2] = c.and_not(sure[0].or(sure[1]));
            }
            let mut full = [dead; 3];
            for i in 0..3 {
                let others = [row + (i + 1) % 3, row + (i + 2) % 3];
                let (some, four) = three_and_four(
                    #[inline(always)]
                    |d| t[d][row + i].and_not(t[d][others[0]].or(t[d][others[1]])),
                );
                full[i] = some.or(four);
            }
            for m in t.iter_mut() {
                let (a, b, c) = (m[row], m[row + 1], m[row + 2]);
                m[row] = a.and_not(full[0].and(b.or(c)));
                m[row + 1] = b.and_not(full[1].and(a.or(c)));
                m[row + 2] = c.and_not(full[2].and(a.or(b)));
            }
        }
        for triad in &mut t[0] {
            *triad = triad.and_not(dead);
        }
    }
}

/// The lanes in which three or more of nine digits are set, but for some of the lanes of the second: there four or
/// more are.
#[inline(always)]
fn three_and_four<V: Vector>(digit: impl Fn(usize) -> V) -> (V, V) {
    let (a0, b0) = add(digit(0), digit(1), digit(2));
    let (a1, b1) = add(digit(3), digit(4), digit(5));
    let (a2, b2) = add(digit(6), digit(7), digit(8));
    let (odd, b3) = add(a0, a1, a2);
    // The number is `odd` plus two for each of b0 to b3.
    let b = b0.or3(b1, b2);
    let four = b0.majority(b1, b2).or_and(b, b3);
    (b.or(b3).and(odd), four)
}

/// Computes the triads of the given `lanes`, whose candidates were replaced. Other lanes
/// keep theirs. Then removes the triads that lanes have decided against.
#[inline(always)]
pub(super) fn reopen<V: Vector>(state: &mut State<V>, lanes: V, removal: &Removal<V>) {
    let (bands, stacks) = state.triads.split_at_mut(3);
    for n in 0..9 {
        let (band, stack) = (n / 3, n % 3);
        let planes: &[V; 81] = state.planes[81 * n..]
            .first_chunk()
            .expect("a box of planes");
        for d in 0..9 {
            let x = planes[9 * d..].first_chunk().expect("nine cells");
            let (rows, columns) = triads_of_digit(x, &state.two[n]);
            let in_band = removal.digit[d].and(removal.band[band]);
            let in_stack = removal.digit[d].and(removal.band[3 + stack]);
            for i in 0..3 {
                let row = &mut bands[band][d][3 * i + stack];
                *row = lanes
                    .select(rows[i], *row)
                    .and_nand(in_band, removal.triads[3 * i + stack]);
                let column = &mut stacks[stack][d][3 * i + band];
                *column = lanes
                    .select(columns[i], *column)
                    .and_nand(in_stack, removal.triads[3 * i + band]);
            }
        }
    }
}

/// Whether a solved lane has a digit in a cell: it is in the row and in the column of the box.
#[inline(always)]
pub(super) fn holds<V: Vector>(
    triads: &[[[V; 9]; 9]; 6],
    lane: usize,
    cell: Cell,
    digit: Digit,
) -> bool {
    /// The two triads of a cell, of digit 1.
    static TRIADS: [[u16; 2]; 81] = {
        let mut triads = [[0; 2]; 81];
        let mut cell = 0;
        while cell < 81 {
            let (row, column) = (cell / 9, cell % 9);
            let (band, stack) = (row / 3, column / 3);
            triads[cell] = [
                (81 * band + 3 * (row % 3) + stack) as u16,
                (81 * (3 + stack) + 3 * (column % 3) + band) as u16,
            ];
            cell += 1;
        }
        triads
    };
    let triads = triads.as_flattened().as_flattened();
    let [row, column] = TRIADS[cell.index()];
    let (row, column) = (usize::from(row), usize::from(column));
    triads[row + 9 * digit.index()].has(lane) & triads[column + 9 * digit.index()].has(lane)
}

/// The planes of the digits in a cell, for solved lanes, from triads: a digit stands
/// where its row and its column of the box meet.
#[inline(always)]
pub(super) fn digits_of_cell<V: Vector>(state: &State<V>, cell: usize) -> [V; 9] {
    let (row, column) = (cell / 9, cell % 9);
    let (band, stack) = (row / 3, column / 3);
    let mut digits = state.two[0];
    for (d, digit) in digits.iter_mut().enumerate() {
        let h = state.triads[band][d][3 * (row % 3) + stack];
        let v = state.triads[3 + stack][d][3 * (column % 3) + band];
        *digit = h.and(v);
    }
    digits
}

/// The solved lanes among those whose cells are all single. In a solved lane each digit
/// has one triad in each row of each band and in each column of each stack, and each cell
/// has a digit. (It then has just one, because 81 places belong to 81 cells.)
#[inline(always)]
pub(super) fn complete<I: Isa>(isa: I, state: &State<I::V>) -> I::V {
    let mut all = one_triad_each(isa, state);
    for cell in 0..81 {
        let x = digits_of_cell(state, cell);
        let any = x[0]
            .or3(x[1], x[2])
            .or3(x[3].or3(x[4], x[5]), x[6].or3(x[7], x[8]));
        all = all.and(any);
    }
    all
}

/// The lanes in which each digit has one triad in each row of each band and in each column
/// of each stack.
#[inline(always)]
pub(super) fn one_triad_each<I: Isa>(isa: I, state: &State<I::V>) -> I::V {
    let mut all = isa.ones();
    for t in state.triads.as_flattened() {
        for i in [0, 3, 6] {
            let (a, b, c) = (t[i], t[i + 1], t[i + 2]);
            all = all.and(a.xor3(b, c)).and_nand(a, b);
        }
    }
    all
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::simd::{
        Lanes,
        tests::{Random, at_every_level, lanes_where},
    };
    use std::array::from_fn;

    at_every_level! {
        /// Random triads in every lane, then [`take_three`].
        fn a_triad_takes_three_digits<I>(isa) {
            let mut random = Random(1);
            let zero = isa.zeros();
            let mut state = Box::new(State {
                planes: [zero; _],
                triads: from_fn(|_| {
                    from_fn(|_| from_fn(|_| isa.vector(&Lanes(from_fn(|_| random.word() | random.word())))))
                }),
                two: [[zero; 9]; 9],
                settled: [zero; 9],
            });
            let lanes = |state: &State<I::V>| {
                state
                    .triads
                    .map(|band| band.map(|digit| digit.map(I::V::lanes)))
            };
            let before = lanes(&state);
            take_three(isa, &mut state);
            let after = lanes(&state);
            let (mut alive, mut closed, mut full) = (0, 0, 0);
            for lane in 0..I::LANES {
                for (before, after) in before.iter().zip(&after) {
                    let open: [[bool; 9]; 9] = from_fn(|d| from_fn(|n| before[d][n].has(lane)));
                    let digits: [usize; 9] =
                        from_fn(|n| open.iter().filter(|digit| digit[n]).count());
                    let dead = digits.iter().any(|&count| count < 3);
                    alive += usize::from(!dead);
                    let left: [[bool; 9]; 9] = from_fn(|d| {
                        from_fn(|n| {
                            let mut row = 3 * (n / 3)..3 * (n / 3) + 3;
                            let taken = row.any(|o| o != n && digits[o] == 3 && open[d][o]);
                            closed += usize::from(taken && open[d][n]);
                            open[d][n] && !taken
                        })
                    });
                    let is_sure = |d: usize, n: usize| {
                        let mut row = 3 * (n / 3)..3 * (n / 3) + 3;
                        left[d][n] && row.all(|o| o == n || !left[d][o])
                    };
                    for n in 0..9 {
                        let is_full = (0..9).filter(|&d| is_sure(d, n)).count() >= 3;
                        for d in 0..9 {
                            let shut = is_full && !is_sure(d, n);
                            let expected = left[d][n] && !shut && !(dead && d == 0);
                            assert_eq!(
                                after[d][n].has(lane),
                                expected,
                                "{lane} {d} {n} {digits:?}"
                            );
                            full += usize::from(shut && left[d][n]);
                        }
                    }
                }
            }
            assert!(alive != 0 && closed != 0 && full != 0, "{alive} {closed} {full}");
        }
    }

    /// The six permutations of a 3×3 matrix: the column that each row takes.
    pub(in crate::solve::sliced) const PERMUTATIONS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];

    at_every_level! {
        /// Random matrices in every lane, then [`close_column`].
        fn closure_keeps_what_a_permutation_goes_through<I>(isa) {
            let mut random = Random(1);
            let (mut kept, mut removed, mut empty) = (0, 0, 0);
            for _ in 0..if cfg!(miri) { 1 } else { 20 } {
                // Three quarters of the entries are open.
                let lanes: [Lanes; 9] =
                    from_fn(|_| Lanes(from_fn(|_| random.word() | random.word())));
                let matrix = lanes.each_ref().map(|lanes| isa.vector(lanes));
                let columns = [
                    close_column::<_, 0>(&matrix),
                    close_column::<_, 1>(&matrix),
                    close_column::<_, 2>(&matrix),
                ];
                let columns = columns.map(|column| column.map(I::V::lanes));
                for lane in 0..I::LANES {
                    let open = |row: usize, column: usize| lanes[3 * row + column].has(lane);
                    for (row, column) in (0..3).flat_map(|row| (0..3).map(move |c| (row, c))) {
                        let expected = PERMUTATIONS.iter().any(|permutation| {
                            permutation[row] == column && (0..3).all(|r| open(r, permutation[r]))
                        });
                        let found = columns[column][row].has(lane);
                        assert_eq!(found, expected, "lane {lane}, row {row}, column {column}");
                        match (open(row, column), expected) {
                            (_, true) => kept += 1,
                            (true, false) => removed += 1,
                            (false, false) => empty += 1,
                        }
                    }
                }
            }
            assert!(kept != 0 && removed != 0 && empty != 0);
        }
    }

    /// A valid grid, digits 0 to 8: cyclic, its rows in another order within the
    /// bands and its digits renamed.
    fn random_grid(random: &mut Random) -> [[usize; 9]; 9] {
        let mut below = |n: usize| (random.word() % n as u64) as usize;
        let mut names: [usize; 9] = from_fn(|d| d);
        for i in 1..9 {
            names.swap(i, below(i + 1));
        }
        let within = [below(6), below(6), below(6)].map(|n| PERMUTATIONS[n]);
        from_fn(|row| {
            let (band, place) = (row / 3, within[row / 3][row % 3]);
            from_fn(|column| names[(3 * place + band + column) % 9])
        })
    }

    /// The triads of one lane, as [`State::triads`] has them.
    type Triads = [[[bool; 9]; 9]; 6];

    /// The triads of a grid: its rows' from the one, its columns' from the other.
    fn triads_of_grids(rows: &[[usize; 9]; 9], columns: &[[usize; 9]; 9]) -> Triads {
        let mut triads = [[[false; 9]; 9]; 6];
        for (row, column) in (0..9).flat_map(|row| (0..9).map(move |column| (row, column))) {
            let (band, stack) = (row / 3, column / 3);
            triads[band][rows[row][column]][3 * (row % 3) + stack] = true;
            triads[3 + stack][columns[row][column]][3 * (column % 3) + band] = true;
        }
        triads
    }

    at_every_level! {
        /// Triads of valid grids, and of such with one triad less, with one more,
        /// and with rows and columns of two grids; then [`complete`].
        fn solved_lanes_have_one_triad_a_row_and_a_digit_a_cell<I>(isa) {
            let mut random = Random(1);
            let lanes: Vec<Triads> = (0..I::LANES)
                .map(|lane| {
                    let grid = random_grid(&mut random);
                    let other = random_grid(&mut random);
                    let columns = if lane % 4 == 3 { &other } else { &grid };
                    let mut triads = triads_of_grids(&grid, columns);
                    let any = random.word() as usize % 486;
                    let triads_in_a_row = triads.as_flattened_mut().as_flattened_mut();
                    let mut from_any = (any..486).chain(0..any);
                    if let 1 | 2 = lane % 4 {
                        let there = lane % 4 == 1;
                        let changed = from_any.find(|&t| triads_in_a_row[t] == there).unwrap();
                        triads_in_a_row[changed] = !there;
                    }
                    triads
                })
                .collect();
            let zero = isa.zeros();
            let state = Box::new(State {
                planes: [zero; _],
                triads: from_fn(|o| {
                    from_fn(|d| {
                        from_fn(|t| isa.vector(&lanes_where(I::LANES, |lane| lanes[lane][o][d][t])))
                    })
                }),
                two: [[zero; 9]; 9],
                settled: [zero; 9],
            });
            let found = complete(isa, &state).lanes();
            let (mut solved, mut too_few, mut too_many, mut no_digit) = (0, 0, 0, 0);
            for (lane, triads) in lanes.iter().enumerate() {
                let rows = triads
                    .as_flattened()
                    .iter()
                    .flat_map(|t| t.as_chunks::<3>().0);
                let counts = rows.map(|row| row.iter().filter(|&&open| open).count());
                let counts: Vec<usize> = counts.collect();
                let has_digit = |row: usize, column: usize| {
                    let (band, stack) = (row / 3, column / 3);
                    (0..9).any(|d| {
                        triads[band][d][3 * (row % 3) + stack]
                            && triads[3 + stack][d][3 * (column % 3) + band]
                    })
                };
                let all_have = (0..81).all(|cell| has_digit(cell / 9, cell % 9));
                let one_each = counts.iter().all(|&count| count == 1);
                assert_eq!(found.has(lane), one_each && all_have, "lane {lane}");
                assert!(
                    found.has(lane) || lane % 4 != 0,
                    "lane {lane} is a valid grid"
                );
                solved += usize::from(found.has(lane));
                too_few += usize::from(counts.contains(&0));
                too_many += usize::from(counts.contains(&2));
                no_digit += usize::from(one_each && !all_have);
            }
            for lane in I::LANES..512 {
                assert!(!found.has(lane), "lane {lane} is beyond the vector");
            }
            assert!(solved != 0 && too_few != 0 && too_many != 0 && no_digit != 0);
        }
    }
}
