//! Direct hidden pair and direct hidden triplet: a hidden set that leaves another digit one
//! place.
//!
//! Two digits that have the same two places in a house take those cells
//! ([hidden pair](super::hidden_set)). If that leaves a third digit just one place in the
//! house, it goes there. So with three digits. The person sees this at once, so no
//! candidate is struck.
//!
//! ```text
//!     direct hidden pair of 2 and 7, 2.0
//!
//!     257   358   2457   18   138          2 and 7 take the first and the third cell. So 5,
//!     = =    #    =  =                     which had places there, has only the second left.
//! ```
//!
//! Each digit of the set has two places or more, and so has the digit that is placed. The
//! house has more empty cells than the set. 2.0 for a pair, 2.5 for a triplet.

use super::{
    Step, Technique,
    desk::{CELLS_OF, Desk, Pattern, cells_in, is_single},
    hidden_set::Lanes,
    planes::strike,
    subsets::{Matrix, each_set, each_triplet, sum, two_and_three},
    words::list,
};
use crate::simd::{Isa, Vector, ones};
use std::ops::ControlFlow;

/// Looks through houses. Those without such a set leave the list.
#[inline(always)]
pub(super) fn find<const N: u32, D: Desk>(desk: &mut D, houses: &mut u32) -> ControlFlow<()> {
    for house in ones((*houses).into()) {
        if desk.empty_count(house) > N {
            let rows = desk.places_of_all(house);
            each_set::<N>(
                &rows,
                #[inline(always)]
                |digits, taken| {
                    for (digit, places) in rows.iter().enumerate() {
                        // The digit needs another place, among the cells that the set takes.
                        // (The digits of the set have no place outside.)
                        let (inside, outside) = (places & taken, places & !taken);
                        if inside == 0 || !is_single(outside) {
                            continue;
                        }
                        let pattern = Pattern {
                            technique: match N {
                                2 => Technique::DirectHiddenPair,
                                _ => Technique::DirectHiddenTriplet,
                            },
                            houses: [house],
                            cells: cells_in(house, taken),
                            digits,
                        };
                        let place = outside.trailing_zeros() as usize;
                        desk.place(pattern, CELLS_OF[house][place], digit)?;
                    }
                    ControlFlow::Continue(())
                },
            )?;
        }
        *houses &= !(1 << house);
    }
    ControlFlow::Continue(())
}

pub(super) fn words(step: &Step) -> String {
    let place = step.place.expect("a direct step places a digit");
    format!(
        "In {}, {} fit only in {}, which take them. So {} fits only in {}.",
        step.houses[0],
        list(step.digits.iter()),
        list(&step.cells),
        place.digit,
        place.cell
    )
}

/// Takes the cells of hidden pairs from other digits, see
/// [`hidden_set::strike_planes`](super::hidden_set::strike_planes).
///
/// Goes through the pairs of cells, not those of digits: whether a digit is left one place
/// outside two cells depends on these alone.
///
/// ```text
///     places of the digit      struck from the first of two cells, direct
///     two                      if the second cell is not the other one
///     three                    if the second cell is one of the others
/// ```
#[inline(always)]
pub(super) fn strike_pairs<I: Isa>(isa: I, digits: &mut Matrix<I::V>, lanes: &Lanes<I::V>) -> I::V {
    let zero = isa.zeros();
    let (mut pairs, mut may_lose) = ([[zero; 9]; 9], [[zero; 9]; 9]);
    for (digit, places) in digits.iter().enumerate() {
        let [two, three] = two_and_three(places);
        for (cell, &place) in places.iter().enumerate() {
            pairs[digit][cell] = place.and(two);
            // The candidates that the digit loses in another cell, if this one is in the set too.
            let (if_in, if_out) = (lanes.all.and_not(two), lanes.all.or_and(lanes.direct, two));
            may_lose[digit][cell] = place.select(if_in.or_and(lanes.direct, three), if_out);
        }
    }
    let mut lost = [[zero; 9]; 9];
    for a in 0..8 {
        for b in a + 1..9 {
            // Two digits or more have just these places.
            let mut here = [zero; 9];
            for (here, pair) in here.iter_mut().zip(&pairs) {
                *here = pair[a].and(pair[b]);
            }
            let (_, [c0, c1, c2, c3]) = sum(&here);
            let two = c0.or3(c1, c2).or(c3);
            for (lost, may_lose) in lost.iter_mut().zip(&may_lose) {
                lost[a] = lost[a].or_and(two, may_lose[b]);
                lost[b] = lost[b].or_and(two, may_lose[a]);
            }
        }
    }
    strike_all(isa, digits, &lost)
}

/// The same with hidden triplets.
#[inline(always)]
pub(super) fn strike_triplets<I: Isa>(
    isa: I,
    digits: &mut Matrix<I::V>,
    lanes: &Lanes<I::V>,
) -> I::V {
    let mut lost = [[isa.zeros(); 9]; 9];
    let places = *digits;
    each_triplet(
        isa,
        digits,
        lanes.all.or(lanes.direct),
        #[inline(always)]
        |members, cells, triplet| {
            // In few lanes, if any. The other digits are gone through only for these.
            if !triplet.any() {
                return;
            }
            for (digit, lost) in lost.iter_mut().enumerate() {
                if members.contains(&digit) {
                    continue;
                }
                let (mut one, mut two) = (isa.zeros(), isa.zeros());
                for (place, cell) in places[digit].iter().zip(cells) {
                    let outside = place.and_not(*cell);
                    two = two.or_and(one, outside);
                    one = one.or(outside);
                }
                let left_one = lanes.direct.and(one).and_not(two);
                let loses = triplet.and(lanes.all.or(left_one));
                for (lost, cell) in lost.iter_mut().zip(cells) {
                    *lost = lost.or_and(loses, *cell);
                }
            }
        },
    );
    strike_all(isa, digits, &lost)
}

#[inline(always)]
fn strike_all<I: Isa>(isa: I, digits: &mut Matrix<I::V>, lost: &Matrix<I::V>) -> I::V {
    let mut changed = isa.zeros();
    for (places, lost) in digits.iter_mut().zip(lost) {
        for (place, lost) in places.iter_mut().zip(lost) {
            strike(place, *lost, &mut changed);
        }
    }
    changed
}
