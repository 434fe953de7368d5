//! Naked pair, naked triplet and naked quad: cells of a house that share as many candidates
//! as they are.
//!
//! Two cells with the same two candidates take both of them, one each. So do three cells
//! whose candidates are three together, and four whose candidates are four. The other cells
//! of the house lose those candidates.
//!
//! ```text
//!     naked pair, 3.0                      naked triplet, 3.6
//!
//!     27   27   1257                       27   279  29   1257
//!     ==   ==    - -                       ==   ===  ==    - -
//!
//!     naked quad, 5.0
//!
//!     27   279   59   25   1257
//!     ==   ===   ==   ==    ---
//! ```
//!
//! Each of the cells has two candidates or more. A pair needs four empty cells or more in
//! the house, a triplet six or more, a quad eight or more: with fewer, the other cells show
//! the same in an easier way.

use super::{
    Step, Technique,
    desk::{CELLS_OF, Desk, Pattern, cells_in},
    planes::Planes,
    subsets::{each_set, strike_pairs, strike_triplets},
    words::{list, strikes},
};
use crate::{
    grid::HOUSE_CELLS,
    simd::{Isa, Vector, ones},
};
use std::ops::ControlFlow;

/// Looks through houses. Those without such a set leave the list.
#[inline(always)]
pub(super) fn find<const N: u32, D: Desk>(desk: &mut D, houses: &mut u32) -> ControlFlow<()> {
    for house in ones((*houses).into()) {
        if desk.empty_count(house) >= 2 * N {
            let rows = desk.candidates_of_all(house);
            each_set::<N>(
                &rows,
                #[inline(always)]
                |places, digits| {
                    for n in 0..9 {
                        if places >> n & 1 == 0 {
                            desk.strike_all(CELLS_OF[house][n], rows[n] & digits);
                        }
                    }
                    desk.end(Pattern {
                        technique: match N {
                            2 => Technique::NakedPair,
                            3 => Technique::NakedTriplet,
                            _ => Technique::NakedQuad,
                        },
                        houses: [house],
                        cells: cells_in(house, places),
                        digits,
                    })
                },
            )?;
        }
        *houses &= !(1 << house);
    }
    ControlFlow::Continue(())
}

pub(super) fn words(step: &Step) -> String {
    format!(
        "In {}, {} have no candidates but {}, so they take them all. {}",
        step.houses[0],
        list(&step.cells),
        list(step.digits.iter()),
        strikes(step)
    )
}

/// Naked pairs or triplets in all lanes at once; returns those where a candidate was struck.
#[inline(always)]
pub(super) fn strike_planes<I: Isa, const N: u32>(
    isa: I,
    planes: &mut Planes<I::V>,
    lanes: I::V,
) -> I::V {
    let mut changed = isa.zeros();
    for house in &HOUSE_CELLS {
        let mut cells = [[isa.zeros(); 9]; 9];
        for (row, &cell) in cells.iter_mut().zip(house) {
            *row = planes.candidates(usize::from(cell));
        }
        changed = changed.or(match N {
            2 => strike_pairs(isa, &mut cells, lanes),
            _ => strike_triplets(isa, &mut cells, lanes),
        });
        for (row, &cell) in cells.iter().zip(house) {
            for (digit, &candidate) in row.iter().enumerate() {
                planes.open[digit][usize::from(cell)] = candidate;
            }
        }
    }
    changed
}
