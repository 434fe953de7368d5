//! Nishio by sets of starts: which candidates lead to a contradiction of their digit.
//!
//! Whether a run of one digit ends in a contradiction does not depend on the order of its
//! queues: only its length does. So all runs of a digit go [at once](super::closure), and only
//! those that contradict themselves are [run](super::run) for their length. These are few.

use super::{
    closure::settle_unit,
    links::{Row, has},
    run::Known,
    state::{CANDIDATES, HOUSES_OF, State, bits, candidate},
};
use crate::{
    grid::{CELLS, HOUSE_CELLS, HOUSES},
    simd,
};

/// The candidates of some digits whose runs end in a contradiction: off and on.
pub(super) fn contradictions(state: &State, digits: u16) -> [Known; 2] {
    simd::with_words!(|| contradictions_of(state, digits))
}

#[inline(always)]
fn contradictions_of(state: &State, digits: u16) -> [Known; 2] {
    let mut found = [[0; CANDIDATES.div_ceil(64)]; 2];
    for digit in bits(digits) {
        let places = Places::of(state, digit);
        // A digit has up to 81 candidates, but most often not over 32.
        match places.count {
            0 => continue,
            1..=32 => places.contradicted::<1>(digit, &mut found),
            _ => places.contradicted::<3>(digit, &mut found),
        }
    }
    found
}

/// The places of a digit.
struct Places {
    cells: [u8; CELLS],
    count: usize,
    /// The numbers of the places in each house, and how many these are.
    houses: [([u16; 9], u8); HOUSES],
}

impl Places {
    #[inline(always)]
    fn of(state: &State, digit: usize) -> Self {
        let mut places = Self {
            cells: [0; CELLS],
            count: 0,
            houses: [([0; 9], 0); HOUSES],
        };
        let mut number = [0; CELLS];
        for (cell, digits) in state.cells.iter().enumerate() {
            number[cell] = places.count as u16;
            places.cells[places.count] = cell as u8;
            // The next cell takes the place of one without the digit.
            places.count += usize::from(digits >> digit & 1);
        }
        for (house, (numbers, count)) in places.houses.iter_mut().enumerate() {
            for place in bits(state.places[house][digit]) {
                numbers[usize::from(*count)] = number[usize::from(HOUSE_CELLS[house][place])];
                *count += 1;
            }
        }
        places
    }

    /// Notes the runs of the digit that end in a contradiction.
    #[inline(always)]
    fn contradicted<const W: usize>(&self, digit: usize, found: &mut [Known; 2]) {
        let (mut on, mut off) = ([[0; W]; CELLS], [[0; W]; CELLS]);
        let mut broken: Row<W> = [0; W];
        for n in 0..self.count {
            on[n][n / 64] |= 1 << (n % 64);
            off[n][(32 * W + n) / 64] |= 1 << ((32 * W + n) % 64);
        }
        // A house with one place from the start leads to nothing.
        let mut wanted = 0_u32;
        for (house, (_, count)) in self.houses.iter().enumerate() {
            wanted |= u32::from(*count > 1) << house;
        }
        let open = wanted;
        while wanted != 0 {
            // A house that is wanted again waits until all others have had their turn.
            let turn = std::mem::take(&mut wanted);
            for house in simd::ones(turn.into()) {
                let (numbers, count) = &self.houses[house];
                let numbers = &numbers[..usize::from(*count)];
                let changed = settle_unit(numbers, &mut on, &mut off, &mut broken);
                for place in bits(changed) {
                    let cell = self.cells[usize::from(numbers[place])];
                    for other in HOUSES_OF[usize::from(cell)] {
                        wanted |= 1 << other;
                    }
                    wanted &= open & !(1 << house);
                }
            }
        }
        for (n, &cell) in self.cells[..self.count].iter().enumerate() {
            let candidate = candidate(cell.into(), digit);
            for (known, bit) in found.iter_mut().zip([32 * W + n, n]) {
                let contradicts = u64::from(has(&broken, bit as u16));
                known[usize::from(candidate) / 64] |= contradicts << (candidate % 64);
            }
        }
    }
}
