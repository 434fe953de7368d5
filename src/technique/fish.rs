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
    desk::{COLUMNS, Desk, Pattern, ROWS, cells_in},
    planes::Planes,
    subsets::{each_set, strike_pairs, strike_triplets},
    words::{list, strikes},
};
use crate::{
    grid::House,
    simd::{Isa, Vector, ones},
};
use std::ops::ControlFlow;

/// Looks at digits. They stay on the list until neither kind of line has such a set, so that columns
/// come first.
#[inline(always)]
pub(super) fn find<const N: u32, D: Desk>(desk: &mut D, digits: &mut u32) -> ControlFlow<()> {
    for (base, cover) in [(COLUMNS, ROWS), (ROWS, COLUMNS)] {
        for digit in ones((*digits).into()) {
            if desk.missing(digit) < 2 * N {
                continue;
            }
            let rows = desk.places_in_nine(digit, base);
            each_set::<N>(
                &rows,
                #[inline(always)]
                |set, crossing| {
                    // The n-th cell of a crossing line lies in the n-th line.
                    let places = desk.places_in_nine(digit, cover);
                    for n in ones(crossing.into()) {
                        for cell in cells_in(cover + n, places[n] & !set) {
                            desk.strike(cell, digit);
                        }
                    }
                    let lines = ones(set.into()).map(|n| base + n);
                    let crossing = ones(crossing.into());
                    let cells = |n| cells_in(cover + n, places[n] & set);
                    desk.end(Pattern {
                        technique: match N {
                            2 => Technique::XWing,
                            3 => Technique::Swordfish,
                            _ => Technique::Jellyfish,
                        },
                        houses: lines.chain(crossing.clone().map(|n| cover + n)),
                        cells: crossing.flat_map(cells),
                        digits: 1 << digit,
                    })
                },
            )?;
        }
    }
    *digits = 0;
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
