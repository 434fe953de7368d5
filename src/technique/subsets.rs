//! The common part of naked sets, hidden sets and fish: rows of a matrix of candidates
//! that share as many columns as they are.
//!
//! ```text
//!                    rows of the matrix       its columns
//!     naked set      cells of a house         digits
//!     hidden set     digits                   cells of a house
//!     fish           lines                    the lines that cross them
//!
//!              columns
//!              . x . . x . . . .   <- these two rows take columns 1 and 4,
//!              . . x x . . x . .
//!              . x . . x . . . .   <- one each,
//!              x x . . . . . x .   so no other row can take them
//!                ^     ^
//! ```

#![allow(
    clippy::needless_range_loop,
    reason = "several arrays are gone through by one number"
)]

use super::planes::strike;
use crate::simd::{Isa, Vector};
use std::ops::ControlFlow;

/// Shows the sets of `N` rows of a matrix that have `N` columns together, and those columns, two to
/// four. Each row has two columns or more. The sets come as ascending numbers.
///
/// Row by row, the highest first, so most sets end with the second row: they have too many columns
/// already.
#[inline(always)]
pub(super) fn each_set<const N: u32>(
    rows: &[u16; 9],
    mut see: impl FnMut(u16, u16) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (mut usable, mut count) = ([0; 9], 0);
    for row in 0..9 {
        if (2..=N).contains(&rows[row].count_ones()) {
            usable[count] = row;
            count += 1;
        }
    }
    for (n, &d) in usable[..count].iter().enumerate() {
        for (m, &c) in usable[..n].iter().enumerate() {
            let (set, columns) = (1 << c | 1 << d, rows[c] | rows[d]);
            if columns.count_ones() > N {
                continue;
            }
            if N == 2 {
                see(set, columns)?;
                continue;
            }
            for (l, &b) in usable[..m].iter().enumerate() {
                let (set, columns) = (set | 1 << b, columns | rows[b]);
                if columns.count_ones() > N {
                    continue;
                }
                if N == 3 {
                    if columns.count_ones() == N {
                        see(set, columns)?;
                    }
                    continue;
                }
                for &a in &usable[..l] {
                    let columns = columns | rows[a];
                    if columns.count_ones() == N {
                        see(set | 1 << a, columns)?;
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// All subsets of a set of bits but the empty one, as ascending numbers.
pub(super) fn sets_within(all: u16) -> impl Iterator<Item = u16> {
    let mut set = 0_u16;
    std::iter::from_fn(move || {
        // Adding one to a number with ones in the other places carries over them.
        set = set.wrapping_sub(all) & all;
        (set != 0).then_some(set)
    })
}

/// A matrix of nine rows and nine columns, one bit for each puzzle.
pub(super) type Matrix<V> = [[V; 9]; 9];

/// The sum of three bits, and what is carried.
#[inline(always)]
fn add_three<V: Vector>(a: V, b: V, c: V) -> (V, V) {
    (a.xor3(b, c), a.majority(b, c))
}

/// The sum of nine bits: a bit of weight one, and four of weight two.
#[inline(always)]
pub(super) fn sum<V: Vector>(bits: &[V; 9]) -> (V, [V; 4]) {
    // The sum of each third, then the sum of the thirds.
    let (s0, c0) = add_three(bits[0], bits[1], bits[2]);
    let (s1, c1) = add_three(bits[3], bits[4], bits[5]);
    let (s2, c2) = add_three(bits[6], bits[7], bits[8]);
    let (one, c3) = add_three(s0, s1, s2);
    (one, [c0, c1, c2, c3])
}

/// The lanes where a row has exactly two columns, and exactly three.
#[inline(always)]
pub(super) fn two_and_three<V: Vector>(row: &[V; 9]) -> [V; 2] {
    // One bit of weight two is wanted.
    let (ones, [c0, c1, c2, c3]) = sum(row);
    let several = c0.majority(c1, c3).or_and(c2, c0.or3(c1, c3));
    let one_two = c0.xor3(c1, c2).xor(c3).and_not(several);
    [one_two.and_not(ones), one_two.and(ones)]
}

/// Takes the columns of sets of two rows from the other rows, in some lanes. Rows that
/// change are marked.
#[inline(always)]
pub(super) fn strike_pairs<I: Isa>(isa: I, rows: &mut Matrix<I::V>, lanes: I::V) -> I::V {
    let mut narrow = [isa.zeros(); 9];
    for (narrow, row) in narrow.iter_mut().zip(&*rows) {
        *narrow = two_and_three(row)[0].and(lanes);
    }
    let (mut taken, mut taking) = ([isa.zeros(); 9], [isa.zeros(); 9]);
    for a in 0..8 {
        for b in a + 1..9 {
            let mut differ = isa.zeros();
            for column in 0..9 {
                differ = differ.or_xor(rows[a][column], rows[b][column]);
            }
            let pair = narrow[a].and(narrow[b]).and_not(differ);
            for column in 0..9 {
                taken[column] = taken[column].or_and(pair, rows[a][column]);
            }
            taking[a] = taking[a].or(pair);
            taking[b] = taking[b].or(pair);
        }
    }
    strike_taken(isa, rows, &taken, &taking)
}

/// The same with sets of three rows.
#[inline(always)]
pub(super) fn strike_triplets<I: Isa>(isa: I, rows: &mut Matrix<I::V>, lanes: I::V) -> I::V {
    let (mut taken, mut taking) = ([isa.zeros(); 9], [isa.zeros(); 9]);
    each_triplet(
        isa,
        rows,
        lanes,
        #[inline(always)]
        |members, columns, triplet| {
            for (taken, column) in taken.iter_mut().zip(columns) {
                *taken = taken.or_and(triplet, *column);
            }
            for member in members {
                taking[member] = taking[member].or(triplet);
            }
        },
    );
    strike_taken(isa, rows, &taken, &taking)
}

/// Shows each set of three rows with the columns that they have together, and the lanes
/// where these are three. Each row has two or three columns there.
#[inline(always)]
pub(super) fn each_triplet<I: Isa>(
    isa: I,
    rows: &Matrix<I::V>,
    lanes: I::V,
    mut see: impl FnMut([usize; 3], &[I::V; 9], I::V),
) {
    let mut narrow = [isa.zeros(); 9];
    for (narrow, row) in narrow.iter_mut().zip(rows) {
        let [two, three] = two_and_three(row);
        *narrow = two.or(three).and(lanes);
    }
    for a in 0..7 {
        for b in a + 1..8 {
            let both = narrow[a].and(narrow[b]);
            for c in b + 1..9 {
                let mut columns = [isa.zeros(); 9];
                for (column, columns) in columns.iter_mut().enumerate() {
                    *columns = rows[a][column].or3(rows[b][column], rows[c][column]);
                }
                let triplet = both.and3(narrow[c], at_most_three(&columns));
                see([a, b, c], &columns, triplet);
            }
        }
    }
}

/// The lanes where no more than three columns are set.
#[inline(always)]
fn at_most_three<V: Vector>(columns: &[V; 9]) -> V {
    let (s0, c0) = add_three(columns[0], columns[1], columns[2]);
    let (s1, c1) = add_three(columns[3], columns[4], columns[5]);
    let (s2, c2) = add_three(columns[6], columns[7], columns[8]);
    let c3 = s0.majority(s1, s2);
    c0.majority(c1, c3).or_and(c2, c0.or3(c1, c3)).not()
}

/// Takes columns from the rows that are in no set.
///
/// A row that is in a set keeps all of its columns: they are the columns of its set. That
/// another set takes one of them too happens only in a puzzle without solution.
#[inline(always)]
fn strike_taken<I: Isa>(
    isa: I,
    rows: &mut Matrix<I::V>,
    taken: &[I::V; 9],
    taking: &[I::V; 9],
) -> I::V {
    let mut changed = isa.zeros();
    for (row, taking) in rows.iter_mut().zip(taking) {
        for (candidate, taken) in row.iter_mut().zip(taken) {
            strike(candidate, taken.and_not(*taking), &mut changed);
        }
    }
    changed
}
