//! The sliced engine: hundreds of puzzles in one register.
//!
//! One bit *plane* for each (cell, digit), 729 in all, and in each plane one
//! bit, a *lane*, for each puzzle. Every deduction is Boolean algebra on planes
//! and costs the same for one puzzle as for as many as a register has bits.
//!
//! ```text
//!     text --> fresh --+                                  +--> solved --> text
//!           64 rows at | any puzzle into any free lane    | 64 at a time
//!           a time     v                                  |
//!                  +--------------------------------------+--+
//!                  | lanes:  K passes of deductions, then:   |
//!                  |   solved, dead   -> free                |
//!                  |   stalled        -> branch: stays, and  |--+
//!                  +-----------------------------------------+  | the other way
//!                      ^                                        v
//!                      +------------------------------- stack of records
//! ```
//!
//! - [`pass`]: the deductions, and how to tell solved, dead and stalled lanes.
//! - [`branch`]: the choice of a branch.
//! - [`stack`]: the branches not taken yet, of all puzzles together.
//!
//! There is no order among the puzzles and no state but theirs in a lane: what
//! a lane or a record belongs to is a number beside it. A puzzle is done when
//! nothing of it is left in lanes or stack, or when its solutions reach the
//! limit: then whatever is left of it is thrown away where it is met.
//!
//! The answers depend on the batch alone. The number of solutions, and a unique
//! solution, depend on the puzzle alone.

mod branch;
mod pass;
mod stack;

use super::{BatchEngine, Limit, NO_SOLUTION, SolutionLine, scalar};
use crate::{
    grid::{CELLS, HOUSE_CELLS},
    simd::{Isa, Lanes, RowPlanes, Vector},
};
use branch::{BRANCH, Branch};
use pass::{CANDIDATES, State};
use stack::Stack;

/// The cells of each box: the last nine houses.
const BOX_CELLS: &[[u8; 9]] = HOUSE_CELLS.split_at(18).1;

/// Rows of text that are turned into planes at a time.
const ROWS: usize = 64;

/// The planes of 512 puzzles' digits, four bits a cell.
type DigitPlanes = Box<[RowPlanes; 8]>;

/// The engine at one level: planes, lanes and buffers, used again for every
/// batch.
pub(super) struct Sliced<I: Isa> {
    isa: I,
    state: Box<State<I::V>>,
    /// The puzzle in each lane.
    puzzle_of: Box<[u32; 512]>,
    stack: Stack,
    fresh: Fresh,
    solved: Solved,
    /// Whether a puzzle was decided whose lanes may go on.
    news: bool,
    /// Services for which puzzles are still taken to have several solutions.
    several: u32,
    /// Services, modulo [`SAMPLE`].
    services: u32,
    /// How often solved lanes were left waiting.
    put_off: usize,
}

/// Puzzles in planes that wait for a lane of their own number.
struct Fresh {
    planes: DigitPlanes,
    puzzle_of: Box<[u32; 512]>,
    waiting: Lanes,
    /// The next puzzle of the batch.
    next: usize,
}

impl Fresh {
    /// Whether any puzzle has not been started.
    fn any(&self, batch: &Batch<'_>) -> bool {
        self.next < batch.cells.len() || self.waiting.count() != 0
    }
}

/// Solutions in planes that wait to become text.
struct Solved {
    planes: DigitPlanes,
    puzzle_of: Box<[u32; 512]>,
    waiting: Lanes,
}

/// A batch: what came in and where answers go.
struct Batch<'a> {
    cells: &'a [&'a [u8; CELLS]],
    limit: u64,
    lines: &'a mut [SolutionLine],
    counts: &'a mut [u64],
    /// Branches of each puzzle so far, or [`HANDED_OVER`].
    branches: Vec<u32>,
}

/// So few lanes are left to the scalar engine when nothing else is: a node costs
/// it 0.2 to 0.5 µs, a pass and a service cost 8 µs however few there are.
const TAIL: usize = 24;

/// A puzzle with more branches than this, and some for every solution asked for,
/// is handed over to the scalar engine. Few clues make a search of triads
/// barren: a band is filled long before its cells contradict each other. (The
/// hardest known puzzles take some hundred.)
const MOST_BRANCHES: u32 = 1024;

/// They are counted once in so many services.
const SAMPLE: u32 = 8;

/// The branches of a puzzle that the scalar engine has solved.
const HANDED_OVER: u32 = u32::MAX;

/// A puzzle that is not there: it fills up a group of rows.
const NOBODY: u32 = u32::MAX;

/// Lanes are served when so many of a hundred have nothing to do.
const IDLE_PERCENT: usize = 45;

/// Passes before lanes are served, at least: after a branch the first one or two
/// often make no cell single, which would look like a stall,
const LEAST_PASSES: usize = 3;

/// and at most.
const MOST_PASSES: usize = 8;

/// The pass that triads are counted before: each takes three digits.
const TAKE_THREE: usize = 2;

/// Solved lanes are taken out when there are so many, for it costs the same for
/// one as for all,
const SOLVED_AT_ONCE: usize = 16;

/// or when they were put off so often.
const PUT_OFF: usize = 3;

impl<I: Isa> BatchEngine for Sliced<I> {
    fn solve_lines(
        &mut self,
        cells: &[&[u8; CELLS]],
        limit: Limit,
        lines: &mut [SolutionLine],
        counts: &mut [u64],
    ) {
        lines.fill(NO_SOLUTION);
        counts.fill(0);
        let batch = Batch {
            cells,
            limit: limit.get(),
            lines,
            counts,
            branches: vec![0; cells.len()],
        };
        let isa = self.isa;
        isa.run(
            #[inline(always)]
            || self.run(batch),
        );
    }
}

impl<I: Isa> Sliced<I> {
    /// An engine with all its memory.
    pub(super) fn new(isa: I) -> Self {
        let digits = || Box::new([RowPlanes::ZEROS; 8]);
        let zero = isa.zeros();
        Self {
            isa,
            state: Box::new(State {
                planes: [zero; 760],
                triads: [[[zero; 9]; 9]; 6],
                two: [[zero; 9]; 9],
                settled: [zero; 9],
            }),
            puzzle_of: Box::new([NOBODY; 512]),
            news: false,
            several: 0,
            services: 0,
            put_off: 0,
            stack: Stack::new(),
            fresh: Fresh {
                planes: digits(),
                puzzle_of: Box::new([NOBODY; 512]),
                waiting: Lanes::default(),
                next: 0,
            },
            solved: Solved {
                planes: digits(),
                puzzle_of: Box::new([NOBODY; 512]),
                waiting: Lanes::default(),
            },
        }
    }

    #[inline(always)]
    fn run(&mut self, mut batch: Batch<'_>) {
        let isa = self.isa;
        self.stack.clear();
        (self.several, self.services, self.news, self.put_off) = (0, 0, false, 0);
        self.fresh.next = 0;
        self.fresh.waiting = Lanes::default();
        self.solved.waiting = Lanes::default();
        let mut active = isa.zeros();
        let mut signs = pass::Signs {
            dead: isa.zeros(),
            changed: isa.zeros(),
            open: isa.zeros(),
        };
        while self.serve(&mut batch, &mut active, &signs) {
            for passes in 1..=MOST_PASSES {
                signs = isa.run(
                    #[inline(always)]
                    || {
                        if passes == TAKE_THREE {
                            pass::take_three(isa, &mut self.state);
                        }
                        pass::pass(isa, &mut self.state)
                    },
                );
                let busy = active
                    .and(signs.open)
                    .and(signs.changed)
                    .and_not(signs.dead);
                if passes >= LEAST_PASSES
                    && busy.lanes().count() < I::LANES - I::LANES * IDLE_PERCENT / 100
                {
                    break;
                }
            }
        }
        let waiting = self.solved.waiting;
        self.write_solved(&waiting, &mut batch);
    }

    /// Takes out what is finished, branches what is stalled, and fills the free
    /// lanes. Returns whether anything is left.
    #[inline(always)]
    fn serve(
        &mut self,
        batch: &mut Batch<'_>,
        active: &mut I::V,
        signs: &pass::Signs<I::V>,
    ) -> bool {
        let isa = self.isa;
        let mut dead = active.and(signs.dead);
        let mut solved = active.and_not(signs.dead.or(signs.open));
        let mut stalled = active.and(signs.open).and_not(signs.changed.or(signs.dead));
        let waiting = solved.lanes().count();
        self.put_off += usize::from(waiting != 0);
        if waiting >= SOLVED_AT_ONCE || self.put_off > PUT_OFF {
            self.put_off = 0;
            let complete = pass::complete(isa, &self.state);
            dead = dead.or(solved.and_not(complete));
            solved = solved.and(complete);
            self.take_solved(solved, batch);
        } else {
            solved = isa.zeros();
        }
        *active = active.and_not(dead.or(solved));
        self.several = self.several.saturating_sub(1);
        if self.news {
            self.news = false;
            self.several = 64;
            let mut done = Lanes::default();
            for lane in active.lanes().iter() {
                if batch.decided(self.puzzle_of[lane]) {
                    done.set(lane);
                }
            }
            *active = active.and_not(isa.vector(&done));
        }
        stalled = stalled.and(*active);
        if active.lanes().count() + self.stack.len() <= TAIL && !self.fresh.any(batch) {
            if self.stack.is_empty() {
                for lane in active.lanes().iter() {
                    self.finish(lane, batch);
                }
                return false;
            }
            // First all of them into lanes.
            stalled = isa.zeros();
        }
        let mut free = active.not();

        // Branch.
        let (mut pushed, mut stays) = (Lanes::default(), None);
        if stalled.any() {
            let (lanes, inside, outside) = isa.run(
                #[inline(always)]
                || branch::choose(isa, &self.state.triads, stalled),
            );
            pushed = lanes.lanes().first(self.stack.room());
            if pushed.count() == 0 && lanes.any() && !free.any() {
                // The stack is full, and no lane is free to take from it.
                let lane = lanes.lanes().iter().next().expect("a lane");
                self.finish(lane, batch);
                let mut finished = Lanes::default();
                finished.set(lane);
                let finished = isa.vector(&finished);
                *active = active.and_not(finished);
                free = free.or(finished);
            }
            self.services = (self.services + 1) % SAMPLE;
            if self.services == 0 {
                for lane in pushed.iter() {
                    self.news |= batch.branch(self.puzzle_of[lane]);
                }
            }
            let out = Branch {
                band: inside.band,
                digit: inside.digit,
                remove: outside,
            };
            out.store(
                self.state.planes[CANDIDATES..]
                    .first_chunk_mut()
                    .expect("24 planes"),
            );
            stays = Some((isa.vector(&pushed), inside));
        }

        // Pop.
        let more = self.fresh.any(batch);
        let stack = &mut self.stack;
        isa.run(
            #[inline(always)]
            || stack.tidy(isa, |puzzle| !batch.decided(puzzle)),
        );
        let popped = free
            .lanes()
            .first(self.stack.ready(more && self.several != 0));
        let mut entering = isa.vector(&popped);
        if pushed.count() + popped.count() != 0 {
            let Self {
                stack,
                state,
                puzzle_of,
                ..
            } = self;
            isa.run(
                #[inline(always)]
                || stack.exchange(isa, &mut state.planes, puzzle_of, &pushed, &popped),
            );
            // Records of puzzles that were decided meanwhile are dropped here: to
            // look for them in the stack costs more than to pop them.
            let mut dropped = Lanes::default();
            for lane in popped.iter() {
                if batch.decided(self.puzzle_of[lane]) {
                    dropped.set(lane);
                }
            }
            entering = entering.and_not(isa.vector(&dropped));
            *active = active.or(entering);
            free = free.and_not(entering);
        }

        // Fresh puzzles.
        let mut changed = entering;
        if free.any() {
            let lanes = self.start_fresh(free, batch);
            *active = active.or(lanes);
            changed = changed.or(lanes);
        }
        let branched = stays.is_some();
        let branch = self.merge(stays, entering);
        if changed.any() || branched {
            for two in self.state.two.as_flattened_mut() {
                *two = two.or(entering);
            }
            let state = &mut self.state;
            isa.run(
                #[inline(always)]
                || pass::reopen(state, changed, &branch),
            );
        }
        active.any() || !self.stack.is_empty() || self.fresh.any(batch)
    }

    /// Hands a lane over to the scalar engine. A lane that has been through a
    /// pass has its branches in its candidates.
    #[cold]
    #[inline(never)]
    fn finish(&self, lane: usize, batch: &mut Batch<'_>) {
        let mut candidates = [0; CELLS];
        for (n, plane) in self.state.planes[..CANDIDATES].iter().enumerate() {
            let (b, d, c) = (n / 81, n / 9 % 9, n % 9);
            candidates[usize::from(BOX_CELLS[b][c])] |= u16::from(plane.lanes().has(lane)) << d;
        }
        let puzzle = self.puzzle_of[lane] as usize;
        let missing = batch.limit - batch.counts[puzzle];
        if batch.decided(puzzle as u32) {
            return;
        }
        let mut line = NO_SOLUTION;
        let count = scalar::count_from(&candidates, missing, &mut line);
        if batch.counts[puzzle] == 0 && count != 0 {
            batch.lines[puzzle] = line;
        }
        batch.counts[puzzle] += count;
    }

    /// The branches to apply: inside for the lanes that stay, and what came with
    /// the record for those that were popped.
    #[inline(always)]
    fn merge(&self, stays: Option<(I::V, Branch<I::V>)>, entering: I::V) -> Branch<I::V> {
        let isa = self.isa;
        let mut planes: [I::V; BRANCH] = *self.state.planes[CANDIDATES..]
            .first_chunk()
            .expect("24 planes");
        for plane in &mut planes {
            *plane = plane.and(entering);
        }
        if let Some((lanes, branch)) = stays {
            let mut inside = [isa.zeros(); BRANCH];
            branch.store(&mut inside);
            for (plane, inside) in planes.iter_mut().zip(inside) {
                *plane = plane.or_and(inside, lanes);
            }
        }
        Branch::load(&planes)
    }

    /// Counts solutions, and keeps the first of each puzzle.
    #[inline(always)]
    fn take_solved(&mut self, solved: I::V, batch: &mut Batch<'_>) {
        let isa = self.isa;
        let mut first = Lanes::default();
        for lane in solved.lanes().iter() {
            let puzzle = self.puzzle_of[lane];
            if batch.decided(puzzle) {
                continue;
            }
            let count = &mut batch.counts[puzzle as usize];
            if *count == 0 {
                first.set(lane);
            }
            *count += 1;
            self.news |= *count == batch.limit;
        }
        if first.count() == 0 {
            return;
        }
        // A lane that already holds a solution makes its group of 64 due.
        let mut due = Lanes::default();
        for g in 0..I::LANES / ROWS {
            if first.0[g] & self.solved.waiting.0[g] != 0 {
                due.0[g] = self.solved.waiting.0[g];
            }
        }
        self.write_solved(&due, batch);
        for lane in first.iter() {
            self.solved.puzzle_of[lane] = self.puzzle_of[lane];
        }
        for (word, first) in self.solved.waiting.0.iter_mut().zip(first.0) {
            *word |= first;
        }
        for cell in 0..CELLS {
            let x = pass::digits_of_cell(&self.state, cell);
            let bits = [
                x[0].or3(x[2], x[4]).or(x[6].or(x[8])),
                x[1].or3(x[2], x[5]).or(x[6]),
                x[3].or3(x[4], x[5]).or(x[6]),
                x[7].or(x[8]),
            ];
            isa.set_column(&mut self.solved.planes, cell, &first, bits);
        }
    }

    /// Writes the lines of waiting solutions, 64 lanes at a time.
    #[inline(always)]
    fn write_solved(&mut self, due: &Lanes, batch: &mut Batch<'_>) {
        let isa = self.isa;
        for g in 0..I::LANES / ROWS {
            if due.0[g] == 0 {
                continue;
            }
            let mut rows = [NOBODY; ROWS];
            let puzzles = &self.solved.puzzle_of[ROWS * g..];
            for (i, (row, &puzzle)) in rows.iter_mut().zip(puzzles).enumerate() {
                // No branch: which lanes are due is anybody's guess.
                *row = if due.0[g] >> i & 1 != 0 {
                    puzzle
                } else {
                    NOBODY
                };
            }
            let planes = &self.solved.planes[g];
            isa.run(
                #[inline(always)]
                || isa.rows_of_planes(planes, &rows, batch.lines),
            );
            self.solved.waiting.0[g] &= !due.0[g];
        }
    }

    /// Puts fresh puzzles into free lanes, and returns those lanes.
    #[inline(always)]
    fn start_fresh(&mut self, free: I::V, batch: &Batch<'_>) -> I::V {
        let isa = self.isa;
        let wanted = free.lanes();
        for g in 0..I::LANES / ROWS {
            let waiting = self.fresh.waiting.0[g];
            let missing = (wanted.0[g] & !waiting).count_ones();
            if missing != 0 && (waiting.count_ones() <= 16 || missing >= 24) {
                self.read_fresh(g, batch);
            }
        }
        let mut lanes = wanted;
        for (lanes, waiting) in lanes.0.iter_mut().zip(&mut self.fresh.waiting.0) {
            *lanes &= *waiting;
            *waiting &= !*lanes;
        }
        if lanes.count() == 0 {
            return isa.zeros();
        }
        for lane in lanes.iter() {
            self.puzzle_of[lane] = self.fresh.puzzle_of[lane];
        }
        let enter = isa.vector(&lanes);
        let two = &mut self.state.two;
        for (n, x) in self.state.planes[..CANDIDATES]
            .as_chunks_mut::<81>()
            .0
            .iter_mut()
            .enumerate()
        {
            for c in 0..9 {
                let cell = usize::from(BOX_CELLS[n][c]);
                let [b0, b1, b2, b3] = isa.column(&self.fresh.planes, cell);
                // 0 and 10 to 15 are blanks.
                let any = b0.or3(b1, b2);
                let blank = b3.and(b1.or(b2)).or_nor(any, b3);
                let (not0, not1) = (b1.and_not(b0), b0.and_not(b1));
                let (both, none) = (b0.and(b1), b0.or(b1).not());
                let (low, high) = (b3.or(b2).not(), b2.and_not(b3));
                let new = [
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
                two[n][c] = enter.select(blank, two[n][c]);
                for (d, new) in new.into_iter().enumerate() {
                    x[9 * d + c] = enter.select(new, x[9 * d + c]);
                }
            }
        }
        enter
    }

    /// Fills group `g` of the fresh puzzles from the batch.
    #[inline(always)]
    fn read_fresh(&mut self, g: usize, batch: &Batch<'_>) {
        let isa = self.isa;
        let fresh = &mut self.fresh;
        let mut rows = [&[b'.'; CELLS]; ROWS];
        for (i, row) in rows.iter_mut().enumerate() {
            let (lane, bit) = (ROWS * g + i, 1 << i);
            if fresh.waiting.0[g] & bit == 0 && fresh.next < batch.cells.len() {
                fresh.puzzle_of[lane] = fresh.next as u32;
                fresh.next += 1;
                fresh.waiting.0[g] |= bit;
            }
            if fresh.waiting.0[g] & bit != 0 {
                *row = batch.cells[fresh.puzzle_of[lane] as usize];
            }
        }
        let planes = &mut fresh.planes[g];
        isa.run(
            #[inline(always)]
            || isa.planes_of_rows(&rows, planes),
        );
    }
}

impl Batch<'_> {
    /// Whether a puzzle has as many solutions as are asked for.
    #[inline(always)]
    fn decided(&self, puzzle: u32) -> bool {
        self.counts[puzzle as usize] >= self.limit || self.branches[puzzle as usize] == HANDED_OVER
    }

    /// Counts a branch of a puzzle. Returns whether that was too much, and the
    /// scalar engine has solved it.
    #[inline(always)]
    fn branch(&mut self, puzzle: u32) -> bool {
        let branches = &mut self.branches[puzzle as usize];
        *branches = branches.saturating_add(SAMPLE);
        let most = MOST_BRANCHES.saturating_add(self.limit.saturating_mul(8).min(1 << 31) as u32);
        let over = *branches > most && *branches != HANDED_OVER;
        if over {
            self.hand_over(puzzle as usize);
        }
        over
    }

    #[cold]
    #[inline(never)]
    fn hand_over(&mut self, puzzle: usize) {
        let candidates = self.cells[puzzle].map(|c| match c & 15 {
            digit @ 1..=9 => 1 << (digit - 1),
            _ => 0x1ff,
        });
        self.counts[puzzle] = scalar::count_from(&candidates, self.limit, &mut self.lines[puzzle]);
        self.branches[puzzle] = HANDED_OVER;
    }
}
