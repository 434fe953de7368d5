//! Puzzles closed by singles, one lane each: depth 0.

use super::{
    planes::{Planes, Signs},
    slots::Marks,
};
use crate::{
    grid::{BLANK, CELLS, Cell},
    simd::{Isa, Lanes, RowPlanes, Vector, ones, run},
    solve::{Batch, candidates_of, read_rows},
    stop,
};

/// Rows of text that are turned into planes at a time.
const ROWS: usize = 64;

/// New puzzles start when at least this many lanes of a hundred have nothing to do.
const IDLE_PERCENT: usize = 50;

/// No puzzle.
const NOBODY: u32 = u32::MAX;

/// The lanes of puzzles.
pub(super) struct Singles<I: Isa> {
    isa: I,
    planes: Planes<I::V>,
    text: Box<[RowPlanes; 8]>,
    puzzle_of: Box<[u32; 512]>,
}

impl<I: Isa> Singles<I> {
    pub(super) fn new(isa: I) -> Self {
        Self {
            isa,
            planes: Planes::new(isa),
            text: Box::new([RowPlanes::ZEROS; 8]),
            puzzle_of: Box::new([NOBODY; 512]),
        }
    }

    /// Closes the puzzles by singles. `stuck` gets the numbers of those that are not solved, with what is left: nothing in any
    /// cell where singles lead to a contradiction. (How far a lane goes on after that depends on the others.)
    pub(super) fn run(&mut self, puzzles: Batch<'_>, mut stuck: impl FnMut(usize, &Marks)) {
        let isa = self.isa;
        self.puzzle_of.fill(NOBODY);
        let mut marks = Box::new([[0; CELLS]; ROWS]);
        let mut next = 0;
        let mut free = run!(isa, || isa.ones().lanes());
        let mut held = Lanes::default();
        loop {
            stop::check();
            self.start(puzzles, &free, &mut next);
            for lane in free.iter() {
                if self.puzzle_of[lane] != NOBODY {
                    held.set(lane);
                }
            }
            if !held.any() {
                return;
            }
            let most_busy = match next < puzzles.len() {
                true => held.count() * (100 - IDLE_PERCENT) / 100,
                false => 0,
            };
            let mut ended;
            let mut unsolved;
            let mut died = isa.zeros();
            let dead_lanes;
            loop {
                let signs = self.planes.pass(isa);
                (ended, unsolved) = run!(isa, || {
                    let Signs {
                        dead,
                        changed,
                        open,
                    } = signs;
                    died = died.or(dead);
                    let ended = isa.vector(&held).and(died.or(changed.not()));
                    (ended.lanes(), ended.and(died.or(open)).lanes())
                });
                if held.count() - ended.count() <= most_busy {
                    dead_lanes = run!(isa, || died.lanes());
                    break;
                }
            }
            for g in 0..I::LANES / ROWS {
                if unsolved.0[g] != 0 {
                    self.read(g, &mut marks);
                    for bit in ones(unsolved.0[g]) {
                        let marks = match dead_lanes.has(ROWS * g + bit) {
                            true => &[0; CELLS],
                            false => &marks[bit],
                        };
                        stuck(self.puzzle_of[ROWS * g + bit] as usize, marks);
                    }
                }
            }
            for lane in ended.iter() {
                self.puzzle_of[lane] = NOBODY;
                held.unset(lane);
            }
            free = run!(isa, || isa.vector(&held).not().lanes());
        }
    }

    /// Puts puzzles into free lanes.
    fn start(&mut self, puzzles: Batch<'_>, free: &Lanes, next: &mut usize) {
        let isa = self.isa;
        let mut enter = Lanes::default();
        for lane in free.iter().take(puzzles.len() - *next) {
            self.puzzle_of[lane] = *next as u32;
            *next += 1;
            enter.set(lane);
        }
        if !enter.any() {
            return;
        }
        if let Batch::Cells(cells) = puzzles {
            for (g, text) in self.text.iter_mut().enumerate().take(I::LANES / ROWS) {
                let mut rows = [&[BLANK; CELLS]; ROWS];
                for bit in ones(enter.0[g]) {
                    rows[bit] = &cells[self.puzzle_of[ROWS * g + bit] as usize];
                }
                if enter.0[g] != 0 {
                    read_rows(isa, &rows, text);
                }
            }
        }
        let entering = enter;
        let (planes, text, puzzle_of) = (&mut self.planes, &self.text, &self.puzzle_of);
        run!(isa, || {
            let enter = isa.vector(&entering);
            for (cell, place) in Cell::all().enumerate() {
                let (two, candidates) = match puzzles {
                    Batch::Cells(_) => candidates_of(isa.column(text, cell)),
                    Batch::Candidates(candidates) => {
                        let mut digits = [Lanes::default(); 9];
                        for lane in entering.iter() {
                            let puzzle = &candidates[puzzle_of[lane] as usize];
                            for digit in ones(puzzle.get(place).bits().into()) {
                                digits[digit].set(lane);
                            }
                        }
                        let mut planes = [isa.zeros(); 9];
                        for (plane, digit) in planes.iter_mut().zip(&digits) {
                            *plane = isa.vector(digit);
                        }
                        (super::planes::count(planes).1, planes)
                    }
                };
                planes.two[cell] = enter.select(two, planes.two[cell]);
                for (open, new) in planes.open.iter_mut().zip(candidates) {
                    open[cell] = enter.select(new, open[cell]);
                }
            }
            planes.fresh = planes.fresh.or(enter);
        });
    }

    /// Reads the candidates of 64 lanes.
    fn read(&self, g: usize, marks: &mut [Marks; ROWS]) {
        let isa = self.isa;
        let open = &self.planes.open;
        run!(isa, || {
            for cell in 0..CELLS {
                let mut low = [Lanes::default(); 8];
                for (low, open) in low.iter_mut().zip(&**open) {
                    *low = open[cell].lanes();
                }
                let ninth = open[8][cell].as_words()[g];
                let bytes = isa.bytes_of_planes(&low, g);
                for (bit, marks) in marks.iter_mut().enumerate() {
                    marks[cell] = u16::from(bytes[bit]) | ((ninth >> bit & 1) as u16) << 8;
                }
            }
        });
    }
}
