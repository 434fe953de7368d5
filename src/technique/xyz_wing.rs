//! XYZ-wing: a cell with three candidates that leaves one of them to itself or two peers.
//!
//! A cell has the candidates x, y and z. One of its peers has x and z, another y and z. If
//! the cell is x, the first peer is z; if it is y, the second is; otherwise the cell is z
//! itself. So one of the three is z, and every cell that sees all three loses it.
//!
//! ```text
//!     xyz -  -  | .  xz  .  | .  .  .      The cells - see xyz, xz and yz:
//!     .   yz .  | .  .   .  | .  .  .      they lose z.
//!     .   .  .  | .  .   .  | .  .  .
//! ```
//!
//! Rated 4.4.

use super::{
    Step, Technique,
    desk::{Desk, Pattern},
    planes::{Planes, strike},
    subsets::two_and_three,
    words::strikes,
    xy_wing::{DIRECTIONS, Geometry, strike_seen, wings},
};
use crate::{
    grid::CELLS,
    simd::{Isa, Vector},
};
use std::ops::ControlFlow;

#[inline(always)]
pub(super) fn find<D: Desk>(desk: &mut D) -> ControlFlow<()> {
    for pivot in 0..CELLS {
        let xyz = desk.candidates(pivot);
        if xyz.count_ones() != 3 {
            continue;
        }
        let (wings, count) = wings(desk, pivot, |digits| digits & !xyz == 0);
        for (n, &first) in wings[..count].iter().enumerate() {
            let of_first = desk.candidates(first.into());
            for &second in &wings[n + 1..count] {
                let of_second = desk.candidates(second.into());
                if of_first == of_second {
                    continue;
                }
                let cells = [pivot as u8, first, second];
                strike_seen(desk, &cells, of_first & of_second);
                desk.end(Pattern {
                    technique: Technique::XyzWing,
                    houses: [],
                    cells,
                    digits: xyz,
                })?;
            }
        }
    }
    ControlFlow::Continue(())
}

pub(super) fn words(step: &Step) -> String {
    let [pivot, first, second] = step.cells[..] else {
        unreachable!("a wing has three cells");
    };
    let z = step.strikes[0].digit;
    format!(
        "{pivot} has three candidates. One makes {first} {z}, one makes {second} {z}, and the \
         third is {z} itself. So no cell that sees all three can be {z}. {}",
        strikes(step)
    )
}

/// XYZ-wings in all lanes at once; returns those where a candidate was struck.
///
/// All three cells in one house are a naked triplet, which is easier. So one wing is in a
/// line of the pivot outside its box, and the other in its box, but not in that line. What
/// the cells next to the pivot in that line lose depends only on the candidate that each
/// wing lacks: if some wing here lacks x and some wing there lacks y, they lose the third.
#[inline(always)]
pub(super) fn strike_planes<I: Isa>(isa: I, planes: &mut Planes<I::V>, lanes: I::V) -> I::V {
    let mut twos = [isa.zeros(); CELLS];
    for (cell, two) in twos.iter_mut().enumerate() {
        *two = two_and_three(&planes.candidates(cell))[0].and(lanes);
    }
    let mut changed = isa.zeros();
    for pivot in 0..CELLS {
        let xyz = planes.candidates(pivot);
        let three = two_and_three(&xyz)[1];
        for direction in DIRECTIONS {
            let geometry = Geometry { pivot, direction };
            let mut lacking = [[isa.zeros(); 9]; 2];
            for n in 0..2 {
                let groups = [
                    geometry.own(n + 1),
                    geometry.in_box(geometry.other_lines()[n], 0),
                ];
                for (lacking, group) in lacking.iter_mut().zip(groups) {
                    for wing in group {
                        let wings = three.and(twos[wing]);
                        add_lacking(isa, &xyz, &planes.candidates(wing), wings, lacking);
                    }
                }
            }
            let struck = struck_digits(isa, &lacking);
            for cell in geometry.beside() {
                for (digit, struck) in struck.iter().enumerate() {
                    let candidate = &mut planes.open[digit][cell];
                    strike(candidate, struck.and(xyz[digit]), &mut changed);
                }
            }
        }
    }
    changed
}

/// Adds the digit of the pivot that a wing lacks, in the lanes where the wing has no other
/// digits than the pivot.
#[inline(always)]
fn add_lacking<I: Isa>(
    isa: I,
    xyz: &[I::V; 9],
    wing: &[I::V; 9],
    lanes: I::V,
    lacking: &mut [I::V; 9],
) {
    let mut other = isa.zeros();
    for (wing, xyz) in wing.iter().zip(xyz) {
        other = other.or_and_not(*wing, *xyz);
    }
    let lanes = lanes.and_not(other);
    for (lacking, (wing, xyz)) in lacking.iter_mut().zip(wing.iter().zip(xyz)) {
        *lacking = lacking.or_and(lanes, xyz.and_not(*wing));
    }
}

/// The digits that are struck: each wing lacks another digit, and neither lacks this one.
#[inline(always)]
fn struck_digits<I: Isa>(isa: I, lacking: &[[I::V; 9]; 2]) -> [I::V; 9] {
    let [here, there] = lacking;
    let mut struck = [isa.zeros(); 9];
    let (mut one, mut two, mut three) = (isa.zeros(), isa.zeros(), isa.zeros());
    for digit in 0..9 {
        let either = here[digit].or(there[digit]);
        three = three.or_and(two, either);
        two = two.or_and(one, either);
        one = one.or(either);
    }
    let (others_here, others_there) = (any_other(isa, here), any_other(isa, there));
    for (digit, struck) in struck.iter_mut().enumerate() {
        // Of the two other digits of the pivot, wings lack both, some here and some there.
        let either = here[digit].or(there[digit]);
        let both = either.select(three, two);
        *struck = both.and3(others_here[digit], others_there[digit]);
    }
    struck
}

/// For each digit, whether any other is set.
#[inline(always)]
fn any_other<I: Isa>(isa: I, digits: &[I::V; 9]) -> [I::V; 9] {
    let mut others = [isa.zeros(); 9];
    let mut before = isa.zeros();
    for (other, digit) in others.iter_mut().zip(digits) {
        *other = before;
        before = before.or(*digit);
    }
    let mut after = isa.zeros();
    for (other, digit) in others.iter_mut().zip(digits).rev() {
        *other = other.or(after);
        after = after.or(*digit);
    }
    others
}
