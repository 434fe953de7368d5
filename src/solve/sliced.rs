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
//!                  |   solved, dead -> to the last branch    |
//!                  |                   left open, or free    |
//!                  |   stalled      -> branch: in, and out   |
//!                  |                   in a free lane,       |
//!                  |                   or left open          |
//!                  +-----------------------------------------+
//! ```
//!
//! - [`pass`]: the deductions, and how to tell solved, dead and stalled lanes.
//! - [`branch`]: the choice of a branch.
//! - [`moves`]: lanes copied into free lanes.
//! - [`path`]: the branches that a lane has left open.
//! - [`fresh`], [`solved`]: what goes in and comes out.
//! - [`batch`]: the puzzles and their answers.
//!
//! There is no order among the puzzles and no state but theirs in a lane: whose
//! it is is a number beside it. A puzzle is done when nothing of it is left in
//! the lanes, or when its solutions reach the limit: then whatever is left of it
//! is thrown away.
//!
//! The answers depend on the batch alone. The number of solutions, and a unique
//! solution, depend on the puzzle alone.

mod batch;
mod branch;
mod fresh;
mod moves;
mod pass;
mod path;
mod solved;

use super::{BatchEngine, NO_SOLUTION};
use crate::{
    grid::{CELLS, GridLine, HOUSE_CELLS},
    simd::{Isa, Lanes, RowPlanes, Vector, ones},
};
use batch::Batch;
use branch::{Branch, Choice};
use fresh::Fresh;
use moves::Moves;
use pass::{CANDIDATES, Signs, State};
use path::{Decision, Paths};
use solved::Solved;

/// The cells of each box: the last nine houses.
const BOX_CELLS: &[[u8; 9]] = HOUSE_CELLS.split_at(18).1;

/// Rows of text that are turned into planes at a time.
const ROWS: usize = 64;

/// The planes of 512 puzzles' digits, four bits a cell.
type DigitPlanes = Box<[RowPlanes; 8]>;

fn digit_planes() -> DigitPlanes {
    Box::new([RowPlanes::ZEROS; 8])
}

/// A puzzle that is not there: it fills up a group of rows.
const NOBODY: u32 = u32::MAX;

/// So few lanes and open branches are left to the scalar engine when nothing
/// else is: a node costs it 0.2 to 0.5 µs, a pass and a service cost 6 µs however
/// few there are.
const TAIL: usize = 24;

/// Branches are counted once in so many services.
const SAMPLE: u32 = 8;

/// Lanes are served when so many of a hundred have nothing to do.
const IDLE_PERCENT: usize = 60;

/// Passes before lanes are served, at least: after a branch the first one or two
/// often make no cell single, which would look like a stall,
const LEAST_PASSES: usize = 4;

/// and at most.
const MOST_PASSES: usize = 8;

/// Where more than one in so many puzzles reaches its limit of solutions, each
/// is kept to its lane: a puzzle that spreads over lanes does in vain what comes
/// after its last solution.
const SEVERAL: usize = 8;

/// So many puzzles that did not are what it takes to forget those that did.
const MEMORY: usize = 2048;

/// The pass that triads are counted before: each takes three digits.
const TAKE_THREE: usize = 2;

/// Solved lanes are taken out when there are so many, for it costs the same for
/// one as for all,
const SOLVED_AT_ONCE: usize = 16;

/// or when they were put off so often.
const PUT_OFF: usize = 3;

/// The engine at one level: planes, lanes and buffers, used again for every
/// batch.
pub(super) struct Sliced<I: Isa> {
    isa: I,
    state: Box<State<I::V>>,
    /// The candidates that a lane returns to, see [`path`].
    base: Box<[I::V; CANDIDATES]>,
    paths: Paths,
    /// The puzzle in each lane.
    puzzle_of: Box<[u32; 512]>,
    /// The lanes whose puzzle may be in others too.
    shared: Lanes,
    fresh: Fresh,
    solved: Solved,
    /// Fresh puzzles for which puzzles are still taken to have several solutions.
    several: usize,
    /// Whether a puzzle was decided that may be in other lanes.
    news: bool,
    /// The memory of [`Batch::branches`].
    branches: Vec<u32>,
    /// Services, modulo [`SAMPLE`].
    services: u32,
    /// How often solved lanes were left waiting.
    put_off: usize,
}

/// What became of stalled lanes.
struct Branched<V> {
    /// The triads to remove: inside for the lanes that branched, outside for
    /// their copies.
    branch: Branch<V>,
    /// How copies were made.
    moves: Option<Moves<V>>,
    /// The lanes that are copies.
    copies: V,
    /// The lanes whose candidates become their base.
    keep: V,
}

impl<I: Isa> BatchEngine for Sliced<I> {
    fn count_lines(
        &mut self,
        cells: &[[u8; CELLS]],
        limit: u64,
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        lines.fill(NO_SOLUTION);
        counts.fill(0);
        let mut branches = std::mem::take(&mut self.branches);
        branches.clear();
        branches.resize(cells.len(), 0);
        let mut batch = Batch {
            cells,
            limit,
            lines,
            counts,
            branches,
        };
        let isa = self.isa;
        isa.run(
            #[inline(always)]
            || self.run(&mut batch),
        );
        self.branches = batch.branches;
    }
}

impl<I: Isa> Sliced<I> {
    /// An engine with all its memory.
    pub(super) fn new(isa: I) -> Self {
        let zero = isa.zeros();
        Self {
            isa,
            state: Box::new(State {
                planes: [zero; CANDIDATES],
                triads: [[[zero; 9]; 9]; 6],
                two: [[zero; 9]; 9],
                settled: [zero; 9],
            }),
            base: Box::new([zero; CANDIDATES]),
            paths: Paths::new(),
            puzzle_of: Box::new([NOBODY; 512]),
            shared: Lanes::default(),
            fresh: Fresh::new(),
            solved: Solved::new(),
            several: 0,
            news: false,
            branches: Vec::new(),
            services: 0,
            put_off: 0,
        }
    }

    #[inline(always)]
    fn run(&mut self, batch: &mut Batch<'_>) {
        let isa = self.isa;
        (self.services, self.several, self.news, self.put_off) = (0, 0, false, 0);
        self.fresh.reset();
        let mut active = isa.zeros();
        let mut signs = Signs {
            dead: isa.zeros(),
            changed: isa.zeros(),
            open: isa.zeros(),
        };
        while self.serve(batch, &mut active, &signs) {
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
        self.solved.write_all(isa, batch);
    }

    /// Takes out what is at an end, branches what is stalled, and fills the free
    /// lanes. Returns whether anything is left.
    #[inline(always)]
    fn serve(&mut self, batch: &mut Batch<'_>, active: &mut I::V, signs: &Signs<I::V>) -> bool {
        let isa = self.isa;
        self.take_ends(batch, active, signs);
        let fresh = self.fresh.any(batch);
        if !fresh && active.lanes().count() + self.paths.count() <= TAIL {
            self.finish(active, batch);
            return false;
        }
        let open = isa.vector(self.paths.lanes());
        let back = open.and_not(*active);
        let mut free = active.or(open).not();
        let stalled = active.and(signs.open).and_not(signs.changed);

        let spread = !fresh || self.several == 0;
        let branched = self.branch(stalled, if spread { free } else { isa.zeros() }, batch);
        free = free.and_not(branched.copies);
        self.carry(&branched, back);
        let mut entering = back.or(branched.copies);
        let mut taken = None;
        if free.any() && fresh {
            entering = entering.or(self.start_fresh(free, batch));
        } else if free.any() {
            let moves = self.share(free, back);
            entering = entering.or(isa.vector(&moves.to));
            taken = Some(moves);
        }
        *active = active.or(entering);
        if entering.or(stalled).any() {
            let state = &mut *self.state;
            isa.run(
                #[inline(always)]
                || pass::reopen(state, entering, &branched.branch),
            );
        }
        self.follow_paths(back, taken.as_ref());
        true
    }

    /// Branches stalled lanes: the ways out go to `free` lanes, as far as they are
    /// easily reached, and are left open for the rest.
    #[inline(always)]
    fn branch(&mut self, stalled: I::V, free: I::V, batch: &mut Batch<'_>) -> Branched<I::V> {
        let isa = self.isa;
        let zero = isa.zeros();
        let mut branched = Branched {
            branch: Branch::none(isa),
            moves: None,
            copies: zero,
            keep: zero,
        };
        if !stalled.any() {
            return branched;
        }
        let choice = isa.run(
            #[inline(always)]
            || branch::choose(isa, &self.state.triads, stalled),
        );
        let mut moves = None;
        let mut moved = zero;
        if free.any() {
            let found = self.move_out(choice.lanes, free);
            moved = isa.vector(&found.from);
            moves = found.to.any().then_some(found);
        }
        let open = isa.vector(self.paths.lanes());
        branched.keep = choice.lanes.and_not(open.or(moved));
        self.note(&choice, moved, batch);
        branched.branch = choice.inside;
        if let Some(moves) = &moves {
            branched.copies = isa.vector(&moves.to);
            branched.branch.copy_out(moves, &choice.outside);
        }
        branched.moves = moves;
        branched
    }

    /// Finds places in free lanes for copies of others, and notes whose they are.
    #[inline(always)]
    fn move_out(&mut self, from: I::V, free: I::V) -> Moves<I::V> {
        let moves = Moves::new(self.isa, &from.lanes(), &free.lanes());
        for (from, to) in moves.pairs() {
            self.puzzle_of[to] = self.puzzle_of[from];
        }
        let ends = moves.from.0.iter().zip(moves.to.0);
        for (shared, (from, to)) in self.shared.0.iter_mut().zip(ends) {
            *shared |= from | to;
        }
        moves
    }

    /// Notes branches on the paths of their lanes, open unless the way out was
    /// `moved` to another lane; and counts them.
    #[inline(always)]
    fn note(&mut self, choice: &Choice<I::V>, moved: I::V, batch: &mut Batch<'_>) {
        let isa = self.isa;
        // What was moved matters only after an open branch.
        let open = isa.vector(self.paths.lanes());
        let noted = choice.lanes.and(open.or(moved.not())).lanes();
        let (moved, lanes) = (moved.lanes(), choice.lanes.lanes());
        let [low, high] = choice.numbers();
        for g in 0..I::LANES / 64 {
            if noted.0[g] == 0 {
                continue;
            }
            let (low, high) = (isa.bytes_of_planes(&low, g), isa.bytes_of_planes(&high, g));
            for bit in ones(noted.0[g]) {
                let lane = 64 * g + bit;
                let decision = Decision::inside(high[bit], low[bit] >> 4, low[bit] & 15);
                if !self.paths.push(lane, decision, !moved.has(lane)) {
                    batch.hand_over(self.puzzle_of[lane]);
                    self.news = true;
                }
            }
        }
        self.services = (self.services + 1) % SAMPLE;
        if self.services == 0 {
            for lane in lanes.iter() {
                self.news |= batch.branch(self.puzzle_of[lane], SAMPLE);
            }
        }
    }

    /// Copies lanes into free ones, puts lanes `back` to their base, and keeps
    /// the base of those that have left their first branch open.
    #[inline(always)]
    fn carry(&mut self, branched: &Branched<I::V>, back: I::V) {
        let keep = branched.keep;
        let planes = &mut self.state.planes;
        let with_base = planes.iter_mut().zip(self.base.iter_mut());
        match (&branched.moves, keep.or(back).any()) {
            (None, false) => {}
            (Some(moves), false) => self.isa.run(
                #[inline(always)]
                || {
                    for plane in planes {
                        *plane = moves.apply(*plane, *plane);
                    }
                },
            ),
            (None, true) => self.isa.run(
                #[inline(always)]
                || {
                    for (plane, base) in with_base {
                        let old = *plane;
                        *plane = back.select(*base, old);
                        *base = keep.select(old, *base);
                    }
                },
            ),
            (Some(moves), true) => self.isa.run(
                #[inline(always)]
                || {
                    for (plane, base) in with_base {
                        let old = *plane;
                        *plane = back.select(*base, moves.apply(old, old));
                        *base = keep.select(old, *base);
                    }
                },
            ),
        }
        let entering = back.or(branched.copies);
        for two in self.state.two.as_flattened_mut() {
            *two = two.or(entering);
        }
    }

    /// Lets free lanes take open branches of others, which are not just going
    /// back themselves.
    #[inline(always)]
    fn share(&mut self, free: I::V, back: I::V) -> Moves<I::V> {
        let isa = self.isa;
        let moves = self.move_out(isa.vector(self.paths.lanes()).and_not(back), free);
        let taken = isa.vector(&moves.to);
        if taken.any() {
            let planes = self.state.planes.iter_mut().zip(self.base.iter());
            isa.run(
                #[inline(always)]
                || {
                    for (plane, base) in planes {
                        *plane = moves.apply(*base, *plane);
                    }
                },
            );
            for two in self.state.two.as_flattened_mut() {
                *two = two.or(taken);
            }
        }
        moves
    }

    /// Removes from lanes that went back, and from those that took over a branch,
    /// what the decisions on the path remove.
    #[inline(always)]
    fn follow_paths(&mut self, back: I::V, taken: Option<&Moves<I::V>>) {
        let triads = self.state.triads.as_flattened_mut().as_flattened_mut();
        for lane in back.lanes().iter() {
            self.paths.turn_back(
                lane,
                #[inline(always)]
                |triad| triads[triad].unset(lane),
            );
        }
        for (from, to) in taken.into_iter().flat_map(Moves::pairs) {
            self.paths.give(
                from,
                #[inline(always)]
                |triad| triads[triad].unset(to),
            );
        }
    }

    /// Takes out lanes that are dead, solved, or of a puzzle that is decided.
    #[inline(always)]
    fn take_ends(&mut self, batch: &mut Batch<'_>, active: &mut I::V, signs: &Signs<I::V>) {
        let isa = self.isa;
        let mut ended = active.and(signs.dead);
        let single = active.and_not(signs.dead.or(signs.open));
        let waiting = single.lanes().count();
        self.put_off += usize::from(waiting != 0);
        if waiting >= SOLVED_AT_ONCE || self.put_off > PUT_OFF {
            self.put_off = 0;
            ended = ended.or(single);
            let solved = single.and(pass::complete(isa, &self.state));
            self.count_solutions(solved, batch);
        }
        *active = active.and_not(ended);
        if self.news {
            self.news = false;
            let mut done = Lanes::default();
            for lane in active.or(isa.vector(self.paths.lanes())).lanes().iter() {
                if batch.decided(self.puzzle_of[lane]) {
                    done.set(lane);
                    self.paths.clear(lane);
                }
            }
            *active = active.and_not(isa.vector(&done));
        }
    }

    /// Counts the solutions in lanes, and keeps the first of each puzzle.
    #[inline(always)]
    fn count_solutions(&mut self, solved: I::V, batch: &mut Batch<'_>) {
        let mut first = Lanes::default();
        for lane in solved.lanes().iter() {
            let puzzle = self.puzzle_of[lane];
            if !batch.decided(puzzle) {
                let count = &mut batch.counts[puzzle as usize];
                if *count == 0 {
                    first.set(lane);
                }
                *count += 1;
                if *count < batch.limit {
                    continue;
                }
                self.several = (self.several + SEVERAL).min(MEMORY);
                self.news |= self.shared.has(lane);
            }
            self.paths.clear(lane);
        }
        if first.count() != 0 {
            let (state, puzzle_of) = (&*self.state, &*self.puzzle_of);
            self.solved.take(self.isa, &first, state, puzzle_of, batch);
        }
    }

    /// Puts fresh puzzles into free lanes, and returns those lanes.
    #[inline(always)]
    fn start_fresh(&mut self, free: I::V, batch: &Batch<'_>) -> I::V {
        let (isa, state) = (self.isa, &mut *self.state);
        let fresh = self
            .fresh
            .start(isa, free, state, &mut self.puzzle_of, batch);
        let lanes = fresh.lanes();
        self.several = self.several.saturating_sub(lanes.count());
        for (shared, lanes) in self.shared.0.iter_mut().zip(lanes.0) {
            *shared &= !lanes;
        }
        fresh
    }

    /// Leaves all that is left to the scalar engine.
    #[cold]
    #[inline(never)]
    fn finish(&mut self, active: &I::V, batch: &mut Batch<'_>) {
        for lane in active.lanes().iter() {
            // Active lanes have been through a pass: their branches are in their
            // candidates.
            batch.finish(self.puzzle_of[lane], &candidates(&self.state.planes, lane));
        }
        for lane in self.paths.lanes().iter() {
            let base = candidates(&self.base, lane);
            while self.paths.lanes().has(lane) {
                let mut candidates = base;
                self.paths
                    .turn_back(lane, |triad| remove_triad(&mut candidates, triad));
                batch.finish(self.puzzle_of[lane], &candidates);
            }
        }
    }
}

/// The candidates of a lane, as masks of digits.
fn candidates<V: Vector>(planes: &[V; CANDIDATES], lane: usize) -> [u16; CELLS] {
    let mut candidates = [0; CELLS];
    for (n, plane) in planes.iter().enumerate() {
        let (b, d, c) = (n / 81, n / 9 % 9, n % 9);
        candidates[usize::from(BOX_CELLS[b][c])] |= u16::from(plane.lanes().has(lane)) << d;
    }
    candidates
}

/// Removes a triad, `81 * band + 9 * digit + triad of the matrix`, from masks of
/// candidates.
fn remove_triad(candidates: &mut [u16; CELLS], triad: usize) {
    let (band, digit) = (triad / 81, triad / 9 % 9);
    let (line, part) = (3 * (band % 3) + triad % 9 / 3, 3 * (triad % 3));
    for place in part..part + 3 {
        let cell = match band < 3 {
            true => 9 * line + place,
            false => 9 * place + line,
        };
        candidates[cell] &= !(1 << digit);
    }
}
