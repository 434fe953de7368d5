//! Fresh puzzles: from text to planes, and from there into lanes.

use super::{
    BOX_CELLS, Batch, DigitPlanes, NOBODY, ROWS, Source, Tasks, digit_planes, state::State,
};
use crate::{
    grid::{CELLS, Candidate, Candidates},
    simd::{Isa, Lanes, RowPlanes, Vector, ones, run},
};

/// The digits of 64 rows of text in planes.
///
/// A function of its own, because the kernel is to be compiled once: with two callers the
/// compiler leaves parts of it out of line, and intrinsics become calls.
#[inline(never)]
pub(crate) fn read_rows<I: Isa>(isa: I, rows: &[&[u8; CELLS]; ROWS], planes: &mut RowPlanes) {
    run!(isa, || isa.planes_of_rows(rows, planes));
}

/// The candidates of a cell from the four bits of its text, and where it is blank: 0 and
/// 10 to 15 are blanks.
#[inline(always)]
pub(crate) fn candidates_of<V: Vector>([b0, b1, b2, b3]: [V; 4]) -> (V, [V; 9]) {
    let any = b0.or3(b1, b2);
    let blank = b3.and(b1.or(b2)).or_nor(any, b3);
    let (not0, not1) = (b1.and_not(b0), b0.and_not(b1));
    let (both, none) = (b0.and(b1), b0.or(b1).not());
    let (low, high) = (b3.or(b2).not(), b2.and_not(b3));
    let candidates = [
        blank.or_and(low, not1),
        blank.or_and(low, not0),
        blank.or_and(low, both),
        blank.or_and(high, none),
        blank.or_and(high, not1),
        blank.or_and(high, not0),
        blank.or_and(high, both),
        blank.or_and_not(b3, b0),
        blank.or_and(b3, b0),
    ];
    (blank, candidates)
}

/// The bits of the digit, 1 to 9, of a cell with one candidate. The inverse of [`candidates_of`].
#[inline(always)]
pub(super) fn digit_of<V: Vector>(x: [V; 9]) -> [V; 4] {
    [
        x[0].or3(x[2], x[4]).or3(x[6], x[8]),
        x[1].or3(x[2], x[5]).or(x[6]),
        x[3].or3(x[4], x[5]).or(x[6]),
        x[7].or(x[8]),
    ]
}

/// The plane of a candidate, see [`State`].
fn plane_of(strike: Candidate) -> usize {
    let (row, column) = (strike.cell.row(), strike.cell.column());
    (9 * strike.cell.box_index() + strike.digit.index()) * 9 + row % 3 * 3 + column % 3
}

/// Puzzles in planes. Each waits for the lane of its own number.
pub(super) struct Fresh {
    planes: DigitPlanes,
    /// The planes of puzzles that are given by candidates.
    candidates: Option<CandidatePlanes>,
    puzzle_of: Box<[u32; 512]>,
    waiting: Lanes,
    next: usize,
    /// Puzzles to be read again, for other lanes, and places that an interviewer asks about again.
    pub(super) returned: Vec<u32>,
}

impl Fresh {
    pub(super) fn new() -> Self {
        Self {
            planes: digit_planes(),
            candidates: None,
            puzzle_of: Box::new([NOBODY; 512]),
            waiting: Lanes::default(),
            next: 0,
            returned: Vec::with_capacity(512),
        }
    }

    /// Begins with puzzle `next` of a batch and all after it, or at the places `ask`.
    pub(super) fn reset(&mut self, next: usize, ask: &[u32]) {
        self.next = next;
        self.waiting = Lanes::default();
        self.returned.clear();
        self.returned.extend_from_slice(ask);
    }

    pub(super) fn any(&self, batch: &Tasks<'_>) -> bool {
        self.next < batch.puzzles().len() || self.waiting.any() || !self.returned.is_empty()
    }

    /// Puts puzzles into free lanes, their candidates into the state and their
    /// numbers into `puzzle_of`. Returns those lanes.
    #[inline(always)]
    pub(super) fn start<I: Isa>(
        &mut self,
        isa: I,
        free: I::V,
        state: &mut State<I::V>,
        puzzle_of: &mut [u32; 512],
        batch: &Tasks<'_>,
    ) -> I::V {
        let wanted = free.lanes();
        for g in 0..I::LANES / ROWS {
            let waiting = self.waiting.0[g];
            let missing = wanted.0[g] & !waiting;
            // A group is read as a whole while there are many puzzles to read.
            let many = match batch.source {
                Source::Batch(..) => self.returned.is_empty(),
                Source::Interview(..) => self.returned.len() >= ROWS,
            };
            if many {
                if missing != 0 && (waiting.count_ones() <= 16 || missing.count_ones() >= 24) {
                    self.read(isa, g, !0, batch);
                }
            } else if missing != 0 && !self.returned.is_empty() {
                self.read(isa, g, missing, batch);
            }
        }
        let mut lanes = wanted;
        for (lanes, waiting) in lanes.0.iter_mut().zip(self.waiting.0) {
            *lanes &= waiting;
        }
        for (lanes, waiting) in lanes.0.iter().zip(&mut self.waiting.0) {
            *waiting ^= lanes;
        }
        run!(isa, || {
            let numbers = puzzle_of.as_chunks_mut().0.iter_mut();
            let numbers = numbers.zip(self.puzzle_of.as_chunks().0);
            for ((to, from), lanes) in numbers.zip(lanes.0) {
                isa.copy_numbers(lanes, from, to);
            }
        });
        if self.next == batch.puzzles().len() && self.returned.is_empty() {
            self.return_stuck(wanted.count() - lanes.count());
        }
        let enter = isa.vector(&lanes);
        if enter.any() {
            match &self.candidates {
                Some(planes) if matches!(batch.puzzles(), Batch::Candidates(_)) => {
                    enter_candidates(isa, planes, enter, state);
                }
                _ => run!(isa, || self.decode(isa, enter, state)),
            }
            if !batch.strikes().is_empty() {
                for lane in lanes.iter() {
                    if let Some(strike) = batch.strike(puzzle_of[lane]) {
                        state.planes[plane_of(strike)].unset(lane);
                    }
                }
            }
        }
        enter
    }

    /// Sets the candidates of the lanes `enter` from the planes of their digits.
    #[inline(always)]
    fn decode<I: Isa>(&self, isa: I, enter: I::V, state: &mut State<I::V>) {
        let boxes = state.planes.as_chunks_mut::<81>().0;
        for (n, x) in boxes.iter_mut().enumerate() {
            for c in 0..9 {
                let cell = usize::from(BOX_CELLS[n][c]);
                let (blank, new) = candidates_of(isa.column(&self.planes, cell));
                let two = &mut state.two[n][c];
                *two = enter.select(blank, *two);
                for (d, new) in new.into_iter().enumerate() {
                    x[9 * d + c] = enter.select(new, x[9 * d + c]);
                }
            }
        }
    }

    /// At the end of a batch, puzzles may wait for busy lanes while other lanes are free.
    /// Returns up to `free` of them, to be read again for the free lanes.
    #[inline(always)]
    fn return_stuck(&mut self, mut free: usize) {
        for lane in self.waiting.iter() {
            if free == 0 {
                break;
            }
            free -= 1;
            self.waiting.unset(lane);
            self.returned.push(self.puzzle_of[lane]);
        }
    }

    /// Reads puzzles into the given lanes of group `g`, except those that hold one that
    /// waits. (Their numbers fit: a batch has fewer than [`NOBODY`] puzzles, as
    /// `solve_lines` asserts.)
    #[inline(always)]
    fn read<I: Isa>(&mut self, isa: I, g: usize, lanes: u64, batch: &Tasks<'_>) {
        let puzzle_of = &mut self.puzzle_of.as_chunks_mut::<ROWS>().0[g];
        let waiting = &mut self.waiting.0[g];
        for bit in ones(lanes & !*waiting) {
            let puzzle = match self.returned.pop() {
                Some(puzzle) => puzzle,
                None if self.next < batch.puzzles().len() => {
                    self.next += 1;
                    (self.next - 1) as u32
                }
                None => break,
            };
            puzzle_of[bit] = puzzle;
            *waiting |= 1 << bit;
        }
        let mut numbers = [NOBODY; ROWS];
        run!(isa, || isa.copy_numbers(*waiting, puzzle_of, &mut numbers));
        match batch.puzzles() {
            Batch::Cells(cells) => {
                let mut rows = [&[b'.'; CELLS]; ROWS];
                for (row, puzzle) in rows.iter_mut().zip(numbers) {
                    *row = cells.get(puzzle as usize).unwrap_or(*row);
                }
                read_rows(isa, &rows, &mut self.planes[g]);
            }
            Batch::Candidates(candidates) => {
                let planes = self.candidates.get_or_insert_with(candidate_planes);
                read_candidates(isa, candidates, &numbers, g, planes);
            }
        }
    }
}

/// The number of words that hold the candidates of a puzzle.
const WORDS: usize = 12;

/// A plane for each candidate, in the order of [`Candidates::words`], and for the bits that fill up
/// the last word.
type CandidatePlanes = Box<[Lanes; 768]>;

fn candidate_planes() -> CandidatePlanes {
    Box::new([Lanes::default(); 768])
}

/// Turns the candidates of 64 puzzles into word `g` of the planes: the words of a puzzle side by side,
/// as many as a vector has.
#[inline(never)]
fn read_candidates<I: Isa>(
    isa: I,
    candidates: &[Candidates],
    numbers: &[u32; ROWS],
    g: usize,
    planes: &mut [Lanes; 768],
) {
    run!(isa, || {
        for first in (0..WORDS).step_by(I::LANES / 64) {
            let words = (WORDS - first).min(I::LANES / 64);
            let mut rows = [isa.zeros(); ROWS];
            for (row, &number) in rows.iter_mut().zip(numbers) {
                if let Some(candidates) = candidates.get(number as usize) {
                    let mut part = Lanes::default();
                    part.0[..words].copy_from_slice(&candidates.words()[first..first + words]);
                    *row = isa.vector(&part);
                }
            }
            transpose(isa, &mut rows);
            for (bit, row) in rows.iter().enumerate() {
                let row = row.lanes();
                for word in 0..words {
                    planes[64 * (first + word) + bit].0[g] = row.0[word];
                }
            }
        }
    });
}

/// Transposes 64 x 64 bits for each word of a vector: bit `c` of row `r` and bit `r` of row `c` change
/// places. Blocks of 32 x 32 bits change places first, then blocks of half the size in each, and so
/// on. (H. S. Warren, *Hacker's Delight*, 7-3.)
///
/// Loops over words in place of vectors were tried: the compiler went through the rows side by side, with
/// gathers and scatters, and took 110 ns a puzzle.
#[inline(always)]
fn transpose<I: Isa>(isa: I, rows: &mut [I::V; ROWS]) {
    halves::<I, 32>(isa, rows, 0x0000_0000_FFFF_FFFF);
    halves::<I, 16>(isa, rows, 0x0000_FFFF_0000_FFFF);
    halves::<I, 8>(isa, rows, 0x00FF_00FF_00FF_00FF);
    halves::<I, 4>(isa, rows, 0x0F0F_0F0F_0F0F_0F0F);
    halves::<I, 2>(isa, rows, 0x3333_3333_3333_3333);
    halves::<I, 1>(isa, rows, 0x5555_5555_5555_5555);
}

/// One step of [`transpose`]: blocks of this size change places.
#[inline(always)]
fn halves<I: Isa, const SIZE: usize>(isa: I, rows: &mut [I::V; ROWS], low: u64) {
    // Bits that a turn brings from the other end are no part of the mask, or was not before.
    let (low, up) = (isa.splat(low), isa.splat(SIZE as u64));
    let down = isa.splat(64 - SIZE as u64);
    let mut start = 0;
    while start < ROWS {
        for i in start..start + SIZE {
            let (upper, lower) = (rows[i], rows[i + SIZE]);
            let moved = upper.turn_words(down).xor(lower).and(low);
            rows[i] = upper.xor(moved.turn_words(up));
            rows[i + SIZE] = lower.xor(moved);
        }
        start += 2 * SIZE;
    }
}

/// Sets the candidates of the lanes `enter`, and which of their cells have two or more.
#[inline(never)]
fn enter_candidates<I: Isa>(
    isa: I,
    candidates: &[Lanes; 768],
    enter: I::V,
    state: &mut State<I::V>,
) {
    run!(isa, || {
        for (n, planes) in state.planes.as_chunks_mut::<81>().0.iter_mut().enumerate() {
            for c in 0..9 {
                let of_cell = &candidates[9 * usize::from(BOX_CELLS[n][c])..];
                let (mut one, mut two) = (isa.zeros(), isa.zeros());
                for (d, new) in of_cell[..9].iter().enumerate() {
                    let (plane, new) = (&mut planes[9 * d + c], isa.vector(new));
                    *plane = enter.select(new, *plane);
                    two = two.or_and(one, new);
                    one = one.or(new);
                }
                state.two[n][c] = enter.select(two, state.two[n][c]);
            }
        }
    });
}
