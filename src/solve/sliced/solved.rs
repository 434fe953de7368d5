//! Solutions: from lanes to planes of digits, and from there to text.

use super::{DigitPlanes, NOBODY, ROWS, Tasks, digit_planes, fresh::digit_of, pass, state::State};
use crate::{
    grid::CELLS,
    simd::{Isa, Lanes, Vector, run},
};

/// Solutions in planes that wait to become text.
pub(super) struct Solved {
    planes: DigitPlanes,
    line_of: Box<[u32; 512]>,
    waiting: Lanes,
}

impl Solved {
    pub(super) fn new() -> Self {
        Self {
            planes: digit_planes(),
            line_of: Box::new([NOBODY; 512]),
            waiting: Lanes::default(),
        }
    }

    /// Takes solutions out of `lanes`. Returns the lanes of all that are solved, see
    /// [`pass::complete`]: one walk over the triads does both. [`keep`](Self::keep) follows
    /// and names the solutions that are kept.
    #[inline(always)]
    pub(super) fn take<I: Isa>(
        &mut self,
        isa: I,
        lanes: &Lanes,
        state: &State<I::V>,
        batch: &mut Tasks<'_>,
    ) -> I::V {
        // If a solution still waits in the place of a lane, its group of 64 is written
        // first.
        let mut due = Lanes::default();
        for g in 0..I::LANES / ROWS {
            if lanes.0[g] & self.waiting.0[g] != 0 {
                due.0[g] = self.waiting.0[g];
            }
        }
        self.write(isa, &due, batch);
        let planes = &mut self.planes;
        run!(isa, || {
            let mut solved = pass::one_triad_each(isa, state);
            for cell in 0..CELLS {
                let bits = digit_of(pass::digits_of_cell(state, cell));
                solved = solved.and(bits[0].or3(bits[1], bits[2].or(bits[3])));
                isa.set_column(planes, cell, lanes, bits);
            }
            solved
        })
    }

    /// Keeps the solutions that were just taken out of these lanes. They go to the lines
    /// `line_of`.
    #[inline(always)]
    pub(super) fn keep<I: Isa>(&mut self, isa: I, lanes: &Lanes, line_of: &[u32; 512]) {
        let groups = self.line_of.as_chunks_mut::<ROWS>().0;
        for (g, (to, from)) in groups.iter_mut().zip(line_of.as_chunks().0).enumerate() {
            isa.copy_numbers(lanes.0[g], from, to);
            self.waiting.0[g] |= lanes.0[g];
        }
    }

    #[inline(always)]
    pub(super) fn write_all<I: Isa>(&mut self, isa: I, batch: &mut Tasks<'_>) {
        let waiting = self.waiting;
        self.write(isa, &waiting, batch);
    }

    /// Writes the lines of the lanes that are `due`, 64 lanes at a time.
    #[inline(always)]
    fn write<I: Isa>(&mut self, isa: I, due: &Lanes, batch: &mut Tasks<'_>) {
        for g in 0..I::LANES / ROWS {
            if due.0[g] == 0 {
                continue;
            }
            let mut rows = [NOBODY; ROWS];
            let line_of = &self.line_of.as_chunks().0[g];
            run!(isa, || {
                isa.copy_numbers(due.0[g], line_of, &mut rows);
                isa.rows_of_planes(&self.planes[g], &rows, batch.lines);
            });
            self.waiting.0[g] &= !due.0[g];
        }
    }
}
