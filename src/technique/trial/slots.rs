//! Slots: equal parts of the lanes, each with a position and suppositions about it.
//!
//! ```text
//!     lane of the slot   0              1                  2                  ...
//!     holds              the position   with candidate 1   with candidate 2
//! ```
//!
//! All of them close under singles at the same time. When a supposition fails, its candidate is struck in all
//! lanes of the slot, by one write of a word: the position goes on, and the other suppositions go on from where they
//! are. So no supposition is ever made again within a slot, and the position is closed when
//! nothing in the slot changes.

use super::planes::{Cells, Planes, Signs};
use crate::{
    grid::CELLS,
    simd::{Isa, Lanes, Vector, ones, run},
};

/// The candidates of each cell, bit `d` for the digit `d + 1`.
pub(super) type Marks = [u16; CELLS];

/// The candidates in the lanes of a slot: a word for each digit and cell.
pub(super) type Field = [[u64; CELLS]; 9];

/// A candidate: the number of its plane, which is 81 times the digit plus the cell.
pub(super) type Candidate = u16;

/// The cell and the digit of a candidate.
#[inline(always)]
pub(super) fn parts(candidate: Candidate) -> (usize, usize) {
    (
        usize::from(candidate) % CELLS,
        usize::from(candidate) / CELLS,
    )
}

/// Slots of `WIDTH` lanes: 16, 32 or 64.
pub(super) struct Slots<I: Isa, const WIDTH: usize> {
    isa: I,
    pub(super) planes: Planes<I::V>,
}

/// The signs of a pass, in words.
pub(super) struct Seen {
    dead: Lanes,
    changed: Lanes,
    open: Lanes,
}

/// A run of suppositions in a slot.
#[derive(Clone)]
pub(super) struct Run<const WIDTH: usize> {
    /// The candidate that each lane supposes, but lane 0.
    pub(super) candidates: [Candidate; WIDTH],
    /// The lanes without a supposition, and those whose supposition has failed.
    pub(super) dead: u64,
    /// A supposition has failed that the position had as a candidate.
    pub(super) has_struck: bool,
}

/// The result of a pass in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// More passes may find more.
    Busy,
    /// The position has a contradiction.
    Refuted,
    /// The position is solved.
    Solved,
    /// Nothing changes any more.
    Closed,
}

impl<I: Isa, const WIDTH: usize> Slots<I, WIDTH> {
    /// The number of slots.
    pub(super) const COUNT: usize = I::LANES / WIDTH;

    const MASK: u64 = u64::MAX >> (64 - WIDTH);

    pub(super) fn new(isa: I) -> Self {
        Self {
            isa,
            planes: Planes::new(isa),
        }
    }

    #[inline(always)]
    fn get(plane: &I::V, slot: usize) -> u64 {
        let (word, shift) = (slot * WIDTH / 64, slot * WIDTH % 64);
        plane.as_words()[word] >> shift & Self::MASK
    }

    #[inline(always)]
    fn set(plane: &mut I::V, slot: usize, field: u64) {
        let (word, shift) = (slot * WIDTH / 64, slot * WIDTH % 64);
        let others = plane.as_words()[word] & !(Self::MASK << shift);
        plane.as_words_mut()[word] = others | (field & Self::MASK) << shift;
    }

    #[inline(always)]
    fn of_lanes(lanes: &Lanes, slot: usize) -> u64 {
        lanes.0[slot * WIDTH / 64] >> (slot * WIDTH % 64) & Self::MASK
    }

    /// Puts a position into a slot, and suppositions.
    pub(super) fn begin(&mut self, slot: usize, marks: &Marks, run: &Run<WIDTH>) {
        let isa = self.isa;
        run!(isa, || {
            let field = run.suppose(marks);
            self.load(slot, &field);
        });
    }

    /// Puts candidates into a slot. No cell counts as filled.
    pub(super) fn load(&mut self, slot: usize, field: &Field) {
        let (isa, planes) = (self.isa, &mut self.planes);
        run!(isa, || {
            let two = two_of(field);
            for (planes, field) in planes.open.iter_mut().zip(field) {
                for (plane, &field) in planes.iter_mut().zip(field) {
                    Self::set(plane, slot, field);
                }
            }
            for (plane, two) in planes.two.iter_mut().zip(two) {
                Self::set(plane, slot, two);
            }
            Self::set(&mut planes.fresh, slot, Self::MASK);
        });
    }

    /// The candidates in a slot.
    pub(super) fn save(&self, slot: usize, field: &mut Field) {
        let (isa, planes) = (self.isa, &self.planes.open);
        run!(isa, || {
            for (planes, field) in planes.iter().zip(field) {
                for (plane, field) in planes.iter().zip(field) {
                    *field = Self::get(plane, slot);
                }
            }
        });
    }

    /// The position in lane 0 of a slot.
    pub(super) fn position(&self, slot: usize) -> Marks {
        let (isa, planes) = (self.isa, &self.planes.open);
        run!(isa, || {
            let mut marks = [0; CELLS];
            for (digit, planes) in planes.iter().enumerate() {
                for (plane, marks) in planes.iter().zip(&mut marks) {
                    *marks |= ((Self::get(plane, slot) & 1) as u16) << digit;
                }
            }
            marks
        })
    }

    /// One pass over all slots.
    pub(super) fn pass(&mut self) -> Seen {
        let Signs {
            dead,
            changed,
            open,
        } = self.planes.pass(self.isa);
        Seen {
            dead: dead.lanes(),
            changed: changed.lanes(),
            open: open.lanes(),
        }
    }

    /// Strikes what a pass has shown to fail in a slot.
    #[inline(always)]
    pub(super) fn settle(&mut self, slot: usize, run: &mut Run<WIDTH>, seen: &Seen) -> Event {
        let dead = Self::of_lanes(&seen.dead, slot) & !run.dead;
        if dead & 1 != 0 {
            return Event::Refuted;
        }
        let changed = Self::of_lanes(&seen.changed, slot) & !(dead | run.dead);
        let open = Self::of_lanes(&seen.open, slot);
        if (changed | open) & 1 == 0 {
            return Event::Solved;
        }
        run.dead |= dead;
        let mut struck = false;
        for lane in ones(dead) {
            let (cell, digit) = parts(run.candidates[lane]);
            let plane = &mut self.planes.open[digit][cell];
            struck |= Self::get(plane, slot) & !run.dead != 0;
            run.has_struck |= Self::get(plane, slot) & 1 != 0;
            Self::set(plane, slot, 0);
        }
        if changed != 0 || struck {
            Event::Busy
        } else {
            Event::Closed
        }
    }
}

/// The lanes where cells have two candidates or more.
#[inline(always)]
fn two_of(field: &Field) -> Cells<u64> {
    let (mut one, mut two) = ([0; CELLS], [0; CELLS]);
    for cells in field {
        for ((&cell, one), two) in cells.iter().zip(&mut one).zip(&mut two) {
            *two |= *one & cell;
            *one |= cell;
        }
    }
    two
}

impl<const WIDTH: usize> Run<WIDTH> {
    /// Suppositions of these candidates: fewer than there are lanes.
    pub(super) fn of(supposed: &[Candidate]) -> Self {
        let mut candidates = [0; WIDTH];
        candidates[1..=supposed.len()].copy_from_slice(supposed);
        let dead = match supposed.len() + 1 {
            64 => 0,
            lanes => !0 << lanes,
        };
        Self {
            candidates,
            dead,
            has_struck: false,
        }
    }

    /// The number of suppositions that have not failed.
    pub(super) fn held(&self) -> u32 {
        // Lane 0 has the position.
        WIDTH as u32 - 1 - (self.dead & u64::MAX >> (64 - WIDTH)).count_ones()
    }

    /// The position in all lanes, with the suppositions in theirs.
    #[inline(always)]
    pub(super) fn suppose(&self, marks: &Marks) -> Field {
        let mut field = [[0; CELLS]; 9];
        for (digit, field) in field.iter_mut().enumerate() {
            for (field, marks) in field.iter_mut().zip(marks) {
                *field = 0u64.wrapping_sub(u64::from(marks >> digit & 1));
            }
        }
        for lane in ones(!self.dead & !1) {
            let (cell, digit) = parts(self.candidates[lane]);
            for other in (0..9).filter(|other| *other != digit) {
                field[other][cell] &= !(1 << lane);
            }
        }
        field
    }
}
