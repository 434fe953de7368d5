//! The consequences of one node of a run, link by link.

use super::{CELL, Manner, NONE, Walk};
use crate::{
    grid::HOUSE_CELLS,
    technique::chain::{
        proof,
        state::{
            Candidate, HOUSES_OF, PLACES_OF, SPOTS, State, bits, candidate, cell_of, digit_of,
            is_two,
        },
    },
};

impl Walk<'_> {
    /// Follows a node that is on. Whether that ends in a contradiction.
    #[inline(always)]
    pub(super) fn put_off(&mut self, now: &State, manner: Manner, from: u16) -> bool {
        let node = self.run.nodes[usize::from(from)];
        let spot = &SPOTS[usize::from(node.candidate)];
        let (cell, digit) = (usize::from(spot.cell), usize::from(spot.digit));
        let others = if manner.cells {
            now.cells[cell] & !(1 << digit)
        } else {
            0
        };
        let mut places = [0; 3];
        let mut contradicts = others & self.desk.on.cells[cell];
        for side in 0..3 {
            let at = usize::from(spot.at[side]);
            places[side] = now.places.as_flattened()[at] & !spot.bits[side];
            contradicts |= places[side] & self.desk.on.places.as_flattened()[at];
            if side > 0 {
                // The places in the box have been seen.
                places[side] &= !(7 << (PLACES_OF[cell][side] / 3 * 3));
            }
        }
        if contradicts != 0 {
            return self.contradict(others, &places, from);
        }
        // A candidate that is known to be off is not noted again.
        for other in bits(others & !self.desk.off.cells[cell]) {
            self.note(candidate(cell, other), false, CELL, from, 0);
        }
        for (side, places) in places.into_iter().enumerate() {
            let known = self.desk.off.places.as_flattened()[usize::from(spot.at[side])];
            let house = usize::from(HOUSES_OF[cell][side]);
            for place in bits(places & !known) {
                let to = candidate(HOUSE_CELLS[house][place].into(), digit);
                self.note(to, false, side as u8, from, 0);
            }
        }
        false
    }

    /// Puts off what a node that is on sees, up to what is known to be on.
    fn contradict(&mut self, others: u16, places: &[u16; 3], from: u16) -> bool {
        let node = self.run.nodes[usize::from(from)];
        let (cell, digit) = (cell_of(node.candidate), digit_of(node.candidate));
        for other in bits(others) {
            if self.see_off(candidate(cell, other), CELL, from) {
                return true;
            }
        }
        for (side, &places) in places.iter().enumerate() {
            let house = usize::from(HOUSES_OF[cell][side]);
            for place in bits(places) {
                let to = candidate(HOUSE_CELLS[house][place].into(), digit);
                if self.see_off(to, side as u8, from) {
                    return true;
                }
            }
        }
        false
    }

    /// Puts a candidate off. Whether it is known to be on.
    fn see_off(&mut self, to: Candidate, why: u8, from: u16) -> bool {
        let known = self.find(to, true);
        if known != NONE {
            let new = self.append(to, false, why, from, 0);
            self.end(known, new);
            return true;
        }
        if self.find(to, false) == NONE {
            self.note(to, false, why, from, 0);
        }
        false
    }

    /// Follows a node that is off, and strikes it. Whether that ends in a contradiction.
    #[inline(always)]
    pub(super) fn put_on(
        &mut self,
        now: &mut State,
        start: &State,
        manner: Manner,
        from: u16,
    ) -> bool {
        let node = self.run.nodes[usize::from(from)];
        let spot = &SPOTS[usize::from(node.candidate)];
        let (cell, digit) = (usize::from(spot.cell), usize::from(spot.digit));
        // The candidates that are put on, in order: why, and what the cell or house has lost.
        let mut found = [(0, 0, 0); 4];
        let mut count = 0;
        if manner.cells && is_two(now.cells[cell]) {
            let other = now.cells[cell] & !(1 << digit);
            let digit = other.trailing_zeros() as usize;
            found[0] = (
                candidate(cell, digit),
                CELL,
                start.cells[cell] & !now.cells[cell],
            );
            count = 1;
        }
        for (side, house) in HOUSES_OF[cell].into_iter().enumerate() {
            let at = usize::from(spot.at[side]);
            let places = now.places.as_flattened()[at];
            if is_two(places) {
                let other = places & !spot.bits[side];
                let other = HOUSE_CELLS[usize::from(house)][other.trailing_zeros() as usize];
                let to = candidate(other.into(), digit);
                let lost = start.places.as_flattened()[at] & !places;
                found[count] = (to, side as u8, lost);
                count += 1;
            }
        }
        if manner.strikes {
            now.strike(node.candidate);
        }
        for &(to, why, lost) in &found[..count] {
            let known = self.find(to, false);
            if known != NONE {
                let new = self.append(to, true, why, from, lost);
                self.end(new, known);
                return true;
            }
            if self.find(to, true) == NONE {
                self.note(to, true, why, from, lost);
            }
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
