//! The candidates of each cell, and the places of each digit in each house, while a run goes on.
//!
//! Each node is noted in four of these sets, and struck from them when it is followed. So one place in memory has all that a run
//! knows of a set.

use crate::{
    grid::{CELLS, HOUSES},
    technique::chain::state::{Candidate, SPOTS, Spot, State},
};

/// The candidates of a cell, or the places of a digit in a house.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    /// Those at the start.
    pub(super) start: u16,
    /// Those that are not struck.
    pub(super) now: u16,
    /// Those that are not known to be off.
    pub(super) left: u16,
    /// Those that are known to be on.
    pub(super) on: u16,
}

impl Places {
    const NONE: Self = Self::of(0);

    const fn of(places: u16) -> Self {
        Self {
            start: places,
            now: places,
            left: places,
            on: 0,
        }
    }
}

/// All candidates of a position.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The candidates of the cells.
    pub(super) cells: [Places; CELLS],
    /// The places by house and digit, see [`Spot::at`].
    pub(super) houses: [Places; 9 * HOUSES],
}

impl Table {
    pub(super) const NONE: Self = Self {
        cells: [Places::NONE; CELLS],
        houses: [Places::NONE; 9 * HOUSES],
    };

    pub(super) fn of(state: &State) -> Self {
        let mut table = Self::NONE;
        for (places, &digits) in table.cells.iter_mut().zip(&state.cells) {
            *places = Places::of(digits);
        }
        for (places, &of) in table.houses.iter_mut().zip(state.places.as_flattened()) {
            *places = Places::of(of);
        }
        table
    }

    /// Returns true if it is the table of a position, before a run.
    pub(super) fn is_of(&self, state: &State) -> bool {
        let cells = self.cells.iter().zip(&state.cells);
        cells.fold(true, |is_of, (places, &digits)| {
            is_of & (places.start == digits)
        })
    }

    /// Notes that a candidate is on or off.
    #[inline(always)]
    pub(super) fn note(&mut self, candidate: Candidate, on: bool) {
        let spot = &SPOTS[usize::from(candidate)];
        if on {
            self.cells[usize::from(spot.cell)].on |= 1 << spot.digit;
            for (&at, &bit) in spot.at.iter().zip(&spot.bits) {
                self.houses[usize::from(at)].on |= bit;
            }
        } else {
            self.cells[usize::from(spot.cell)].left &= !(1 << spot.digit);
            for (&at, &bit) in spot.at.iter().zip(&spot.bits) {
                self.houses[usize::from(at)].left &= !bit;
            }
        }
    }

    /// Returns true if a candidate is known to be on or off.
    #[inline(always)]
    pub(super) fn knows(&self, candidate: Candidate, on: bool) -> bool {
        let Spot { cell, digit, .. } = SPOTS[usize::from(candidate)];
        let places = &self.cells[usize::from(cell)];
        let known = if on { places.on } else { !places.left };
        known >> digit & 1 != 0
    }

    /// The position now, by that at the start.
    pub(super) fn now(&self, start: &State) -> State {
        let mut now = start.clone();
        for (digits, places) in now.cells.iter_mut().zip(&self.cells) {
            *digits = places.now;
        }
        let houses = now.places.as_flattened_mut().iter_mut();
        for (of, places) in houses.zip(&self.houses) {
            *of = places.now;
        }
        now
    }
}
