//! Hidden pair, hidden triplet and hidden quad: digits that share as many cells of a house
//! as they are.
//!
//! If two digits have the same two places in a house, these cells take them, one each. So
//! do three cells that are the only places of three digits, and four that are the only
//! places of four. The cells lose their other candidates.
//!
//! ```text
//!     hidden pair of 2 and 7, 3.4          hidden triplet of 2, 7 and 9, 4.0
//!
//!     1257  358  2478  18  135  46         1257  358  24789  79  138  135  146  46
//!      = =       = =                        = =       = ==   ==
//! ```
//!
//! Each digit has two places or more. A pair needs more than four empty cells in the house,
//! a triplet more than six, a quad (5.4) all nine: with fewer, the other cells are a naked
//! set, which is easier to see.

use super::{
    Step, Technique,
    desk::{Desk, Pattern, cells_in},
    direct_hidden_set,
    planes::Planes,
    subsets::each_set,
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
        if desk.empty_count(house) > 2 * N {
            let rows = desk.places_of_all(house);
            each_set::<N>(
                &rows,
                #[inline(always)]
                |digits, places| {
                    for cell in cells_in(house, places) {
                        desk.strike_all(cell, desk.candidates(cell.into()) & !digits);
                    }
                    desk.end(Pattern {
                        technique: match N {
                            2 => Technique::HiddenPair,
                            3 => Technique::HiddenTriplet,
                            _ => Technique::HiddenQuad,
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
        "In {}, {} fit only in {}, which take them. {}",
        step.houses[0],
        list(step.digits.iter()),
        list(&step.cells),
        strikes(step)
    )
}

/// The lanes that use hidden sets.
pub(super) struct Lanes<V> {
    /// Only where they leave another digit one place.
    pub(super) direct: V,
    /// All.
    pub(super) all: V,
}

/// Hidden pairs or triplets in all lanes at once; returns those where a candidate was
/// struck. In the lanes of direct ones, only the digits that are left one place are struck
/// from the cells of the set. They become hidden singles by that.
#[inline(always)]
pub(super) fn strike_planes<I: Isa, const N: u32>(
    isa: I,
    planes: &mut Planes<I::V>,
    lanes: &Lanes<I::V>,
) -> I::V {
    let mut changed = isa.zeros();
    for house in &HOUSE_CELLS {
        let mut digits = [[isa.zeros(); 9]; 9];
        for (row, open) in digits.iter_mut().zip(&planes.open) {
            for (place, &cell) in row.iter_mut().zip(house) {
                *place = open[usize::from(cell)];
            }
        }
        let strikes = match N {
            2 => direct_hidden_set::strike_pairs(isa, &mut digits, lanes),
            _ => {
                // With fewer empty cells, the other cells are an easier set. That leaves
                // most of the houses of a lane out.
                let [five, seven] = planes.five_and_seven_empty(house);
                let (all, direct) = (lanes.all.and(seven), lanes.direct.and_not(lanes.all));
                let direct = direct.and(five);
                direct_hidden_set::strike_triplets(isa, &mut digits, &Lanes { direct, all })
            }
        };
        changed = changed.or(strikes);
        for (row, open) in digits.iter().zip(&mut planes.open) {
            for (&place, &cell) in row.iter().zip(house) {
                open[usize::from(cell)] = place;
            }
        }
    }
    changed
}
