//! The consequences of one node of a run, link by link.

use super::{CELL, Manner, NONE, Walk, nodes::seen_from};
use crate::{
    grid::HOUSE_CELLS,
    simd,
    technique::chain::{
        proof,
        state::{Candidate, HOUSES_OF, PLACES_OF, SPOTS, candidate},
    },
};

impl Walk<'_> {
    /// Follows a node that is on. Whether that ends in a contradiction.
    #[inline(always)]
    pub(super) fn put_off(&mut self, manner: Manner, from: u16) -> bool {
        let node = self.run.nodes[usize::from(from)];
        let spot = &SPOTS[usize::from(node.candidate)];
        let (cell, table) = (usize::from(spot.cell), &self.desk.table);
        // All that it sees, and the part of it that is left: nine bits for the cell, the box, the row and the column.
        let (mut seen, mut left, mut contradicts) = (0, 0, 0);
        if manner.cells {
            let digits = &table.cells[cell];
            let others = digits.now & !(1 << spot.digit);
            contradicts = others & digits.on;
            seen = u64::from(others);
            left = u64::from(others & digits.left);
        }
        for side in 0..3 {
            let places = &table.houses[usize::from(spot.at[side])];
            let others = places.now & !spot.bits[side];
            contradicts |= others & places.on;
            seen |= u64::from(others) << (9 * (side + 1));
            left |= u64::from(others & places.left) << (9 * (side + 1));
        }
        // The places in the box have been seen.
        let in_box =
            |side: usize| 7 << (9 * (side + 1) + usize::from(PLACES_OF[cell][side]) / 3 * 3);
        let beyond: u64 = !(in_box(1) | in_box(2));
        if contradicts != 0 {
            return self.contradict(seen & beyond, from);
        }
        // A candidate that is known to be off is not noted again.
        self.note_off(left & beyond, from);
        false
    }

    /// Puts off what a node that is on sees, up to what is known to be on.
    fn contradict(&mut self, seen: u64, from: u16) -> bool {
        let node = self.run.nodes[usize::from(from)];
        for bit in simd::ones(seen) {
            let (to, why) = seen_from(node.candidate, bit);
            let known = self.find(to, true);
            if known != NONE {
                let new = self.append(to, false, why, from, 0);
                self.end(known, new);
                return true;
            }
            if self.find(to, false) == NONE {
                self.note(to, false, why, from, 0);
            }
        }
        false
    }

    /// Follows a node that is off, and strikes it. Whether that ends in a contradiction.
    #[inline(always)]
    pub(super) fn put_on(&mut self, manner: Manner, from: u16) -> bool {
        let node = self.run.nodes[usize::from(from)];
        let spot = &SPOTS[usize::from(node.candidate)];
        let (cell, digit) = (usize::from(spot.cell), usize::from(spot.digit));
        let table = &mut self.desk.table;
        // A cell or a house seldom has one candidate left that is new. So all are asked before any is looked at.
        let digits = &mut table.cells[cell];
        let others = digits.now & !(1 << digit);
        let is_new_one = |left: u16, on: u16| u8::from(left.is_power_of_two() & (left & on == 0));
        let mut are_one = is_new_one(others, digits.on) & u8::from(manner.cells);
        if manner.strikes {
            digits.now = others;
        }
        let mut left = [0; 3];
        for (side, left) in left.iter_mut().enumerate() {
            let places = &mut table.houses[usize::from(spot.at[side])];
            *left = places.now & !spot.bits[side];
            are_one |= is_new_one(*left, places.on) << (side + 1);
            if manner.strikes {
                places.now = *left;
            }
        }
        if are_one == 0 {
            return false;
        }
        if are_one & 1 != 0 {
            let to = candidate(cell, others.trailing_zeros() as usize);
            let lost = self.desk.table.cells[cell].start & !(others | 1 << digit);
            if self.see_on(to, CELL, from, lost) {
                return true;
            }
        }
        for (side, left) in left.into_iter().enumerate() {
            if are_one >> (side + 1) & 1 != 0 {
                let house = usize::from(HOUSES_OF[cell][side]);
                let other = HOUSE_CELLS[house][left.trailing_zeros() as usize];
                let places = &self.desk.table.houses[usize::from(spot.at[side])];
                let lost = places.start & !(left | spot.bits[side]);
                if self.see_on(candidate(other.into(), digit), side as u8, from, lost) {
                    return true;
                }
            }
        }
        false
    }

    /// Puts a candidate on. Whether it is known to be off.
    #[inline(always)]
    fn see_on(&mut self, to: Candidate, why: u8, from: u16, lost: u16) -> bool {
        let known = self.find(to, false);
        if known != NONE {
            let new = self.append(to, true, why, from, lost);
            self.end(new, known);
            return true;
        }
        if self.find(to, true) == NONE {
            self.note(to, true, why, from, lost);
        }
        false
    }

    fn end(&mut self, on: u16, off: u16) {
        self.run.contradiction = Some([on, off]);
        // The new node may say the same as one that is known, after a rule inside.
        for number in [on, off] {
            let node = self.run.nodes[usize::from(number)];
            let known = self.find(node.candidate, node.on);
            if known != NONE && known != number {
                self.forget_inner(number);
                let chain = proof::chain_to(&*self.run, number);
                let node = &mut self.run.nodes[usize::from(number)];
                node.ancestors = chain.items.len() as u16;
                node.nested = chain.items.iter().any(|item| item.inner.is_some());
            }
        }
    }
}
