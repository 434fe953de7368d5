//! Solutions: from lanes to planes of digits, and from there to text.

use super::{DigitPlanes, NOBODY, ROWS, Tasks, digit_planes, pass, state::State};
use crate::{
    grid::CELLS,
    simd::{Isa, Lanes, Vector},
};

/// Solutions in planes that wait to become text.
pub(super) struct Solved {
    planes: DigitPlanes,
    /// Where each is to be written.
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

    /// Takes the solutions out of lanes.
    #[inline(always)]
    pub(super) fn take<I: Isa>(
        &mut self,
        isa: I,
        lanes: &Lanes,
        state: &State<I::V>,
        line_of: &[u32; 512],
        batch: &mut Tasks<'_>,
    ) {
        // If a solution still waits in the place of a lane, its group of 64 is written
        // first.
        let mut due = Lanes::default();
        for g in 0..I::LANES / ROWS {
            if lanes.0[g] & self.waiting.0[g] != 0 {
                due.0[g] = self.waiting.0[g];
            }
        }
        self.write(isa, &due, batch);
        for lane in lanes.iter() {
            self.line_of[lane] = line_of[lane];
        }
        for (waiting, lanes) in self.waiting.0.iter_mut().zip(lanes.0) {
            *waiting |= lanes;
        }
        for cell in 0..CELLS {
            let x = pass::digits_of_cell(state, cell);
            let bits = [
                x[0].or3(x[2], x[4]).or(x[6].or(x[8])),
                x[1].or3(x[2], x[5]).or(x[6]),
                x[3].or3(x[4], x[5]).or(x[6]),
                x[7].or(x[8]),
            ];
            isa.set_column(&mut self.planes, cell, lanes, bits);
        }
    }

    /// Writes the lines of all solutions that wait.
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
            let lines = &self.line_of[ROWS * g..];
            for (i, (row, &line)) in rows.iter_mut().zip(lines).enumerate() {
                // No branch, because the CPU cannot predict which lanes are due.
                *row = if due.0[g] >> i & 1 != 0 { line } else { NOBODY };
            }
            isa.run(
                #[inline(always)]
                || isa.rows_of_planes(&self.planes[g], &rows, batch.lines),
            );
            self.waiting.0[g] &= !due.0[g];
        }
    }
}
