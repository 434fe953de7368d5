//! X-wing, swordfish and jellyfish: a digit whose places in some rows lie in as many columns.
//!
//! If a digit has places in two rows in the same two columns only, it stands once in each
//! of these columns, in these rows. The other cells of the columns lose it. So with three
//! rows and three columns (a swordfish), with four and four (a jellyfish, 5.2), and with rows
//! and columns exchanged.
//!
//! ```text
//!     X-wing, 3.2                          swordfish, 3.8
//!
//!     .  x  . | .  .  x | .  .  .          .  x  . | .  .  x | .  .  .
//!     .  -  . | .  .  . | .  .  .          .  -  . | .  .  . | .  .  .
//!     .  .  . | .  .  - | .  .  .          .  .  . | .  .  - | .  .  .
//!     --------+---------+---------         --------+---------+---------
//!     .  x  . | .  .  x | .  .  .          .  x  . | .  .  . | .  x  .
//!     .  .  . | .  .  . | .  .  .          .  .  . | .  .  . | .  -  .
//!     .  .  . | .  .  - | .  .  .          .  .  . | .  .  x | .  x  .
//! ```
//!
//! Each line has two places or more. An X-wing needs a digit that is missing in four cells
//! of the grid or more, a swordfish one that is missing in six or more, a jellyfish one that
//! is missing in eight or more.

use super::{
    Step, Technique,
    planes::Planes,
    position::{Found, View, cells_of},
    subsets::{strike_pairs, strike_triplets, subsets},
    words::{list, strikes},
};
use crate::{
    grid::{Digit, Digits, House, HouseKind},
    simd::{Isa, Vector},
    solve::Strike,
};
use std::ops::ControlFlow;

pub(super) fn find<const N: u32>(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    for [base, cover] in [
        [HouseKind::Column, HouseKind::Row],
        [HouseKind::Row, HouseKind::Column],
    ] {
        for digit in Digit::all() {
            if view.missing(digit) < 2 * N as usize {
                continue;
            }
            find_in_lines::<N>(view, [base, cover], digit, found)?;
        }
    }
    ControlFlow::Continue(())
}

/// The lines of a kind that a set of nine bits names.
fn lines(kind: HouseKind, set: u16) -> impl Iterator<Item = House> {
    let lines = House::all_of(kind).enumerate();
    lines
        .filter(move |(n, _)| set >> n & 1 != 0)
        .map(|(_, line)| line)
}

fn find_in_lines<const N: u32>(
    view: &View<'_>,
    [base, cover]: [HouseKind; 2],
    digit: Digit,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    let mut rows = [0; 9];
    for (row, line) in rows.iter_mut().zip(House::all_of(base)) {
        *row = view.places(line, digit);
    }
    for (set, crossing) in subsets::<N>(&rows) {
        // The n-th cell of a crossing line lies in the n-th line.
        let cells_in = |lines_kept: u16| -> Vec<_> {
            let crossing = lines(cover, crossing);
            let places = |line| cells_of(line, view.places(line, digit) & lines_kept);
            crossing.flat_map(places).collect()
        };
        let strikes: Vec<_> = cells_in(!set)
            .into_iter()
            .map(|cell| Strike { cell, digit })
            .collect();
        if strikes.is_empty() {
            continue;
        }
        found(Step {
            technique: match N {
                2 => Technique::XWing,
                3 => Technique::Swordfish,
                _ => Technique::Jellyfish,
            },
            houses: lines(base, set).chain(lines(cover, crossing)).collect(),
            cells: cells_in(set),
            digits: Digits::from_digit(digit),
            place: None,
            strikes,
            detail: None,
        })?;
    }
    ControlFlow::Continue(())
}

pub(super) fn words(step: &Step) -> String {
    let (base, cover) = step.houses.split_at(step.houses.len() / 2);
    let named = |lines: &[House]| {
        let numbers = lines.iter().map(|line| line.index() % 9 + 1);
        format!("{}s {}", lines[0].kind(), list(numbers))
    };
    let (base, cover) = (named(base), named(cover));
    let (digits, strikes) = (step.digits, strikes(step));
    format!("In {base}, {digits} fits only in {cover}, so those have it there. {strikes}")
}

/// X-wings or swordfish in all lanes at once; returns those where a candidate was struck.
#[inline(always)]
pub(super) fn strike_planes<I: Isa, const N: u32>(
    isa: I,
    planes: &mut Planes<I::V>,
    lanes: I::V,
) -> I::V {
    let mut changed = isa.zeros();
    for open in &mut planes.open {
        for [down, right] in [[9, 1], [1, 9]] {
            let mut lines = [[isa.zeros(); 9]; 9];
            for (i, line) in lines.iter_mut().enumerate() {
                for (j, place) in line.iter_mut().enumerate() {
                    *place = open[down * i + right * j];
                }
            }
            changed = changed.or(match N {
                2 => strike_pairs(isa, &mut lines, lanes),
                _ => strike_triplets(isa, &mut lines, lanes),
            });
            for (i, line) in lines.iter().enumerate() {
                for (j, &place) in line.iter().enumerate() {
                    open[down * i + right * j] = place;
                }
            }
        }
    }
    changed
}
