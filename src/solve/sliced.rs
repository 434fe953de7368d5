//! The sliced engine: hundreds of puzzles in one register.
//!
//! Each pair of a cell and a digit has a *plane*, 729 in all. A plane has one bit, a *lane*, for
//! each puzzle, and every deduction is Boolean algebra on planes. `docs/internals/ladder.md` explains the
//! engine from the start (rungs 5 to 9).
//!
//! ```text
//!              fresh puzzle, or the way out of another lane's branch
//!     FREE ---------------------------------------------------------> ACTIVE <----+
//!      ^                                                              |  |  |     |
//!      |                          stalled: goes in, the way out is    |  |  +-----+
//!      |                          copied to a free lane or left open  |  | branch
//!      |    ends (solved, dead) with nothing open on its path         |  |
//!      +--------------------------------------------------------------+  |
//!      |    its puzzle is decided                                        |
//!      +-----------------------------------------------------------------+
//!                                                                        |
//!                 ends with a branch left open on its path               v
//!     ACTIVE <-------------------------------------------------------- RETURNING
//!              goes back to its base and takes the last way out
//! ```
//!
//! At every moment each lane is in one of three sets:
//!
//! - *active*: its planes hold candidates of a puzzle;
//! - *returning*: it is not active, and its [path] has an open branch;
//! - *free*: it is not active and has no path.
//!
//! An active lane may have a path too. A service first ends lanes: an active lane then becomes
//! returning or free. When the service is over, every returning lane is active again. A number
//! next to each lane names its puzzle, and puzzles may be in any order. A puzzle is done when no lane
//! and no path has anything of it, or when its solutions reach the limit; then the rest of it is
//! thrown away.
//!
//! The number of solutions depends on the puzzle alone. So does an only solution. Of several
//! solutions the engine keeps the one it finds first, which depends on the batch;
//! [`Solver`](super::Solver) replaces it.

mod branch;
mod fresh;
mod moves;
mod pass;
mod path;
mod singles;
mod solved;
mod state;
mod tasks;
mod tuning;
mod union;

use super::{Batch, BatchEngine, Interviewer, Limits, NO_SOLUTION, Questions, Singles};
use crate::{
    grid::{CELLS, Candidate, Candidates, GridLine, HOUSE_CELLS},
    simd::{Isa, Lanes, RowPlanes, Vector, ones, run},
    stop,
};
use branch::{Choice, Weights};
use fresh::Fresh;
pub(crate) use fresh::{candidates_of, read_rows};
use moves::Moves;
use pass::Signs;
use path::{Decision, Paths};
use singles::SinglesPlanes;
use solved::Solved;
use state::{CANDIDATES, Removal, State};
use tasks::{Source, Tasks};
use union::Union;

/// The cells of each box: the last nine houses.
const BOX_CELLS: &[[u8; 9]] = HOUSE_CELLS.split_at(18).1;

/// Rows of text that are turned into planes at a time.
const ROWS: usize = 64;

/// The planes of 512 puzzles' digits, four bits a cell.
type DigitPlanes = Box<[RowPlanes; 8]>;

fn digit_planes() -> DigitPlanes {
    Box::new([RowPlanes::ZEROS; 8])
}

/// The number of no puzzle: it fills up a group of rows.
const NOBODY: u32 = u32::MAX;

/// The engine at one level: planes, lanes and buffers. It uses them again for every batch.
pub(super) struct Sliced<I: Isa> {
    isa: I,
    state: Box<State<I::V>>,
    /// The candidates that a lane returns to, see [`path`].
    base: Box<[I::V; CANDIDATES]>,
    paths: Paths,
    active: I::V,
    /// The puzzle in each lane that is not free.
    puzzle_of: Box<[u32; 512]>,
    /// The line for the solution in each lane that was just solved.
    line_of: Box<[u32; 512]>,
    /// The lanes whose puzzle may be in other lanes too.
    spread: Lanes,
    /// Lanes whose puzzle has a solution already. (Other lanes may have such a puzzle too.)
    found: Lanes,
    /// True if a puzzle was decided that may be in other lanes.
    decided_elsewhere: bool,
    /// True if lanes were stalled at the last service. Otherwise nobody needs the digits of triads.
    stalls: bool,
    fresh: Fresh,
    solved: Solved,
    /// Branches are not copied until this many fresh puzzles have started.
    pause: usize,
    /// In how many services solved lanes have been left waiting.
    waited: usize,
    /// Services, modulo [`tuning::COUNT_BRANCHES_EVERY`].
    services: u32,
    /// The memory of [`Tasks::branches`], kept from batch to batch.
    branches: Vec<u32>,
    /// In how many lanes the puzzle of each place is, or waits to be. Empty without an interviewer.
    parts: Vec<u32>,
    singles: Option<SinglesPlanes<I::V>>,
    union: Option<Box<Union<I::V>>>,
}

struct Branched<V> {
    /// The triads to remove: the lanes that branch go in, their copies go out.
    removal: Removal<V>,
    copies: Option<Moves<V>>,
    /// The lanes that leave their first branch open. Their candidates become their base.
    rebased: V,
}

impl<V: Vector> Branched<V> {
    #[inline(always)]
    fn copied<I: Isa<V = V>>(&self, isa: I) -> V {
        match &self.copies {
            Some(moves) => isa.vector(&moves.to),
            None => isa.zeros(),
        }
    }
}

impl<I: Isa> BatchEngine for Sliced<I> {
    fn count_lines(
        &mut self,
        puzzles: Batch<'_>,
        strikes: &[Option<Candidate>],
        limits: Limits,
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        assert!(
            puzzles.len().max(lines.len()) < NOBODY as usize,
            "a batch has at most 2^32 - 2 puzzles"
        );
        lines.fill(NO_SOLUTION);
        counts.fill(0);
        self.parts.clear();
        self.fresh.reset(0, &[]);
        self.run_all(Source::Batch(puzzles, strikes), limits, lines, counts);
    }

    fn interview(
        &mut self,
        questions: &mut Questions,
        ask: Vec<u32>,
        limits: Limits,
        interviewer: &mut dyn Interviewer,
    ) {
        let mut counts = vec![0; questions.cells.len()];
        self.fresh.reset(counts.len(), &ask);
        self.parts.clear();
        self.parts.resize(counts.len(), 0);
        for place in ask {
            self.parts[place as usize] = 1;
        }
        let source = Source::Interview(questions, interviewer);
        self.run_all(source, limits, &mut [], &mut counts);
    }

    fn singles_solve(&mut self, cells: &[[u8; CELLS]], singles: Singles, solved: &mut [bool]) {
        let isa = self.isa;
        let planes = self.singles.get_or_insert_with(|| SinglesPlanes::new(isa));
        planes.solve(isa, cells, singles, solved);
    }

    fn guesses(&mut self, cells: &[[u8; CELLS]], most: u64, guesses: &mut [Option<u64>]) {
        let isa = self.isa;
        let planes = self.singles.get_or_insert_with(|| SinglesPlanes::new(isa));
        planes.guesses(isa, cells, most, guesses);
    }

    fn unite(&mut self, puzzles: Batch<'_>, unions: &mut [Candidates]) {
        assert!(
            puzzles.len() < NOBODY as usize,
            "a batch has at most 2^32 - 2 puzzles"
        );
        self.unite_all(puzzles, unions);
    }
}

impl<I: Isa> Sliced<I> {
    pub(super) fn new(isa: I) -> Self {
        Self {
            isa,
            state: State::new(isa),
            base: Box::new([isa.zeros(); CANDIDATES]),
            paths: Paths::new(),
            active: isa.zeros(),
            puzzle_of: Box::new([NOBODY; 512]),
            line_of: Box::new([NOBODY; 512]),
            spread: Lanes::default(),
            found: Lanes::default(),
            decided_elsewhere: false,
            stalls: false,
            fresh: Fresh::new(),
            solved: Solved::new(),
            pause: 0,
            waited: 0,
            services: 0,
            branches: Vec::new(),
            parts: Vec::new(),
            singles: None,
            union: None,
        }
    }

    fn run_all<'a>(
        &mut self,
        source: Source<'a>,
        limits: Limits,
        lines: &'a mut [GridLine],
        counts: &'a mut [u64],
    ) {
        let mut branches = std::mem::take(&mut self.branches);
        branches.clear();
        branches.resize(counts.len(), 0);
        let mut batch = Tasks {
            source,
            limits,
            kept: lines.len() / counts.len().max(1),
            any_handed_over: false,
            lines,
            counts,
            branches,
        };
        let isa = self.isa;
        run!(isa, || self.run(&mut batch));
        self.branches = batch.branches;
    }

    /// Alternates passes and services until the batch is done.
    #[inline(always)]
    fn run(&mut self, batch: &mut Tasks<'_>) {
        let isa = self.isa;
        self.active = isa.zeros();
        (
            self.decided_elsewhere,
            self.pause,
            self.waited,
            self.services,
        ) = (false, 0, 0, 0);
        let mut signs = Signs::none(isa);
        while self.serve(batch, &signs) {
            stop::check();
            for passes in 1..=tuning::MOST_PASSES {
                signs = self.pass(passes);
                if passes >= tuning::LEAST_PASSES && self.is_idle(&signs) {
                    break;
                }
            }
        }
        debug_assert!(!self.active.any() && self.paths.count() == 0);
        self.solved.write_all(isa, batch);
    }

    /// One pass over all lanes. `passes` counts from 1 after each service.
    #[inline(always)]
    fn pass(&mut self, passes: usize) -> Signs<I::V> {
        let (isa, state, stalls) = (self.isa, &mut *self.state, self.stalls);
        run!(isa, || {
            if stalls && passes == tuning::COUNT_TRIADS_BEFORE_PASS {
                pass::take_three(isa, state);
            }
            pass::pass(isa, state)
        })
    }

    /// Returns true if enough lanes have nothing to do that a service pays.
    #[inline(always)]
    fn is_idle(&self, signs: &Signs<I::V>) -> bool {
        let alive = self.active.and_not(signs.dead);
        let busy = alive.and(signs.open).and(signs.changed);
        busy.lanes().count() < I::LANES - I::LANES * tuning::IDLE_PERCENT / 100
    }

    /// Ends dead and solved lanes, branches stalled ones, and fills free ones. Returns
    /// whether anything is left to do.
    ///
    /// The order of the steps matters:
    ///
    /// 1. Lanes end first, which makes room.
    /// 2. Stalled lanes branch before fresh puzzles enter. A way out that is copied to a
    ///    free lane need not be deduced again from a path.
    /// 3. Planes are copied once the copies are known, and before anything else is
    ///    written to a free lane.
    /// 4. Lanes that are still free take fresh puzzles. Only when there are none do they
    ///    take over open branches of other lanes, whose base was kept in step 3.
    /// 5. Triads are computed from the candidates, for all lanes that were written.
    /// 6. The triads that paths remove are removed last, because step 5 opens them again.
    #[inline(always)]
    fn serve(&mut self, batch: &mut Tasks<'_>, signs: &Signs<I::V>) -> bool {
        let isa = self.isa;
        self.end_lanes(batch, signs);
        let mut any_fresh = self.fresh.any(batch);
        if !any_fresh && self.active.lanes().count() + self.paths.count() <= tuning::LEFT_TO_SCALAR
        {
            let held = self.active.or(isa.vector(self.paths.lanes()));
            self.leave_to_scalar(batch);
            self.answer(held, batch);
            // An interviewer may ask again.
            any_fresh = self.fresh.any(batch);
            if !any_fresh {
                return false;
            }
        }
        let with_path = isa.vector(self.paths.lanes());
        let returning = with_path.and_not(self.active);
        let free = self.active.or(with_path).not();
        let stalled = self.active.and(signs.open).and_not(signs.changed);

        self.stalls = stalled.any();
        let may_copy = !any_fresh || self.pause == 0;
        let branched = self.branch(stalled, if may_copy { free } else { isa.zeros() }, batch);
        let copied = branched.copied(isa);
        debug_assert!(!copied.and_not(free).any() && !branched.rebased.and_not(stalled).any());
        self.carry(&branched, returning);

        let still_free = free.and_not(copied);
        let (mut started, mut taken_over) = (isa.zeros(), None);
        if still_free.any() && any_fresh {
            started = self.start_fresh(still_free, batch);
        } else if still_free.any() {
            let moves = self.take_over_branches(still_free, returning);
            started = isa.vector(&moves.to);
            taken_over = Some(moves);
        }
        debug_assert!(!started.and_not(still_free).any());

        let entering = returning.or3(copied, started);
        self.active = self.active.or(entering);
        if entering.or(stalled).any() {
            let state = &mut *self.state;
            run!(isa, || pass::reopen(state, entering, &branched.removal));
        }
        self.follow_paths(returning, taken_over.as_ref());
        true
    }

    /// Ends lanes that are dead or solved, or whose puzzle is decided.
    #[inline(always)]
    fn end_lanes(&mut self, batch: &mut Tasks<'_>, signs: &Signs<I::V>) {
        let isa = self.isa;
        let held = self.active.or(isa.vector(self.paths.lanes()));
        let mut ended = self.active.and(signs.dead);
        let single = self.active.and_not(signs.dead.or(signs.open));
        let waiting = single.lanes().count();
        self.waited += usize::from(waiting != 0);
        if waiting >= tuning::SOLVED_AT_ONCE || self.waited > tuning::LONGEST_WAIT {
            self.waited = 0;
            ended = ended.or(single);
            let mut takes = single.lanes();
            if batch.kept == 1 {
                takes = single.and_not(isa.vector(&self.found)).lanes();
            }
            let keeps = batch.kept > 0 && takes.any();
            let solved = if keeps {
                self.solved.take(isa, &takes, &self.state, batch)
            } else {
                let state = &*self.state;
                run!(isa, || pass::complete(isa, state))
            };
            let kept = self.count_solutions(single.and(solved).lanes(), batch);
            if keeps {
                let (solved, line_of) = (&mut self.solved, &self.line_of);
                run!(isa, || solved.keep(isa, &kept, line_of));
                for (found, kept) in self.found.0.iter_mut().zip(kept.0) {
                    *found |= kept;
                }
            }
        }
        self.active = self.active.and_not(ended);
        if self.decided_elsewhere {
            self.decided_elsewhere = false;
            self.free_decided(batch);
        }
        self.answer(held, batch);
    }

    /// Passes on the answers for puzzles that are in no lane any more. `held` are the lanes that were
    /// not free before.
    #[inline(always)]
    fn answer(&mut self, held: I::V, batch: &mut Tasks<'_>) {
        if self.parts.is_empty() {
            return;
        }
        let left = self.active.or(self.isa.vector(self.paths.lanes()));
        for lane in held.and_not(left).lanes().iter() {
            let puzzle = self.puzzle_of[lane];
            let parts = &mut self.parts[puzzle as usize];
            *parts -= 1;
            if *parts == 0 {
                let before = self.fresh.returned.len();
                batch.answer(puzzle, &mut self.fresh.returned);
                for &puzzle in &self.fresh.returned[before..] {
                    self.parts[puzzle as usize] = 1;
                }
            }
        }
    }

    /// Counts the solutions in lanes. Returns the lanes of those that are kept: the first
    /// ones of each puzzle.
    #[inline(always)]
    fn count_solutions(&mut self, solved: Lanes, batch: &mut Tasks<'_>) -> Lanes {
        let mut kept = Lanes::default();
        let all_alike = batch.kept == 1 && batch.strikes().is_empty() && batch.limits.plain > 1;
        for (g, &word) in solved.0.iter().enumerate() {
            for bit in ones(word) {
                let lane = 64 * g + bit;
                let puzzle = self.puzzle_of[lane];
                let count = &mut batch.counts[puzzle as usize];
                // Nearly always this is the only solution of the puzzle.
                if all_alike && *count == 0 && !batch.any_handed_over {
                    *count = 1;
                    self.line_of[lane] = puzzle;
                    kept.0[g] |= 1 << bit;
                } else if self.count_solution(lane, batch) {
                    kept.0[g] |= 1 << bit;
                }
            }
        }
        kept
    }

    /// Counts the solution in a lane. Returns whether it is kept.
    #[inline(always)]
    fn count_solution(&mut self, lane: usize, batch: &mut Tasks<'_>) -> bool {
        let puzzle = self.puzzle_of[lane];
        let mut is_kept = false;
        if !batch.is_decided(puzzle) {
            let (limit, is_struck) = (batch.limit(puzzle), batch.strike(puzzle).is_some());
            let count = &mut batch.counts[puzzle as usize];
            if *count < batch.kept as u64 {
                is_kept = true;
                self.line_of[lane] = puzzle * batch.kept as u32 + *count as u32;
            }
            *count += 1;
            let is_decided = *count >= limit;
            if !is_struck && let Some(interviewer) = batch.interviewer() {
                let triads = &self.state.triads;
                interviewer.found(puzzle as usize, &|cell, digit| {
                    pass::holds(triads, lane, cell, digit)
                });
            }
            if !is_decided {
                return is_kept;
            }
            self.pause = (self.pause + tuning::PAUSE_AFTER_LIMIT).min(tuning::LONGEST_PAUSE);
            self.decided_elsewhere |= self.spread.has(lane);
        }
        self.paths.clear(lane);
        is_kept
    }

    #[inline(always)]
    fn free_decided(&mut self, batch: &Tasks<'_>) {
        let mut decided = Lanes::default();
        let held = self.active.or(self.isa.vector(self.paths.lanes()));
        for lane in held.lanes().iter() {
            if batch.is_decided(self.puzzle_of[lane]) {
                decided.set(lane);
                self.paths.clear(lane);
            }
        }
        self.active = self.active.and_not(self.isa.vector(&decided));
    }

    /// Chooses branches for stalled lanes. A way out is copied to one of the `free` lanes
    /// if one is easily reached. Otherwise it is left open on the path.
    #[inline(always)]
    fn branch(&mut self, stalled: I::V, free: I::V, batch: &mut Tasks<'_>) -> Branched<I::V> {
        let isa = self.isa;
        let mut branched = Branched {
            removal: Removal::none(isa),
            copies: None,
            rebased: isa.zeros(),
        };
        if !stalled.any() {
            return branched;
        }
        let weights = match batch.puzzles() {
            Batch::Cells(_) => Weights::OfCells,
            Batch::Candidates(_) => Weights::OfCandidates,
        };
        let choice = run!(isa, || branch::choose(
            isa,
            &self.state.triads,
            stalled,
            weights,
            None
        ));
        let mut copied_from = isa.zeros();
        if free.any() {
            let moves = self.find_places(choice.lanes, free);
            copied_from = isa.vector(&moves.from);
            branched.copies = moves.to.any().then_some(moves);
        }
        let with_path = isa.vector(self.paths.lanes());
        branched.rebased = choice.lanes.and_not(with_path.or(copied_from));
        self.extend_paths(&choice, copied_from, batch);
        self.count_branches(&choice, batch);
        branched.removal = choice.inside;
        if let Some(moves) = &branched.copies {
            branched.removal.copy_out(moves, &choice.outside);
        }
        branched
    }

    /// Finds places in free lanes for copies of other lanes, and notes their puzzles.
    #[inline(always)]
    fn find_places(&mut self, from: I::V, free: I::V) -> Moves<I::V> {
        let moves = Moves::new(self.isa, &from.lanes(), &free.lanes());
        for (from, to) in moves.pairs() {
            self.puzzle_of[to] = self.puzzle_of[from];
            if let Some(parts) = self.parts.get_mut(self.puzzle_of[from] as usize) {
                *parts += 1;
            }
        }
        let ends = moves.from.0.iter().zip(moves.to.0);
        for (spread, (from, to)) in self.spread.0.iter_mut().zip(ends) {
            *spread |= from | to;
        }
        for (found, to) in self.found.0.iter_mut().zip(moves.to.0) {
            *found &= !to;
        }
        moves
    }

    /// Adds the decisions of lanes to their paths. The way out is open, unless it was
    /// copied to another lane (`copied_from`). A decision without an open one before it
    /// is not needed on a path.
    #[inline(always)]
    fn extend_paths(&mut self, choice: &Choice<I::V>, copied_from: I::V, batch: &mut Tasks<'_>) {
        let isa = self.isa;
        let with_path = isa.vector(self.paths.lanes());
        let extended = choice.lanes.and(with_path.or(copied_from.not())).lanes();
        let copied_from = copied_from.lanes();
        let [low, high] = choice.numbers();
        for g in 0..I::LANES / 64 {
            if extended.0[g] == 0 {
                continue;
            }
            let (low, high) = (isa.bytes_of_planes(&low, g), isa.bytes_of_planes(&high, g));
            for bit in ones(extended.0[g]) {
                let lane = 64 * g + bit;
                let decision = Decision::inside(high[bit], low[bit] >> 4, low[bit] & 15);
                if !self.paths.push(lane, decision, !copied_from.has(lane)) {
                    batch.hand_over(self.puzzle_of[lane]);
                    self.decided_elsewhere = true;
                }
            }
        }
    }

    /// Counts the branches of each puzzle, in one of several services.
    #[inline(always)]
    fn count_branches(&mut self, choice: &Choice<I::V>, batch: &mut Tasks<'_>) {
        self.services = (self.services + 1) % tuning::COUNT_BRANCHES_EVERY;
        if self.services == 0 {
            for lane in choice.lanes.lanes().iter() {
                let puzzle = self.puzzle_of[lane];
                self.decided_elsewhere |=
                    batch.count_branches(puzzle, tuning::COUNT_BRANCHES_EVERY);
            }
        }
    }

    /// Copies lanes into free ones, sets returning lanes to their base, and stores the
    /// base of those that leave their first branch open.
    #[inline(always)]
    fn carry(&mut self, branched: &Branched<I::V>, returning: I::V) {
        let with_base = branched.rebased.or(returning).any();
        // The base is as large as the planes, and copying takes time. So each case skips
        // what it does not need.
        match (&branched.copies, with_base) {
            (None, false) => {}
            (None, true) => self.carry_planes::<false, true>(branched, returning),
            (Some(_), false) => self.carry_planes::<true, false>(branched, returning),
            (Some(_), true) => self.carry_planes::<true, true>(branched, returning),
        }
        let copied = branched.copied(self.isa);
        self.state.forget_counts(returning.or(copied));
    }

    #[inline(always)]
    fn carry_planes<const COPIES: bool, const BASE: bool>(
        &mut self,
        branched: &Branched<I::V>,
        returning: I::V,
    ) {
        let planes = self.state.planes.iter_mut().zip(self.base.iter_mut());
        run!(self.isa, || {
            for (plane, base) in planes {
                let old = *plane;
                if COPIES && let Some(moves) = &branched.copies {
                    *plane = moves.apply(old, *plane);
                }
                if BASE {
                    *plane = returning.select(*base, *plane);
                    *base = branched.rebased.select(old, *base);
                }
            }
        });
    }

    #[inline(always)]
    fn start_fresh(&mut self, free: I::V, batch: &Tasks<'_>) -> I::V {
        let (isa, state) = (self.isa, &mut *self.state);
        let started = self
            .fresh
            .start(isa, free, state, &mut self.puzzle_of, batch);
        let lanes = started.lanes();
        self.pause = self.pause.saturating_sub(lanes.count());
        for (spread, lanes) in self.spread.0.iter_mut().zip(lanes.0) {
            *spread &= !lanes;
        }
        for (found, lanes) in self.found.0.iter_mut().zip(lanes.0) {
            *found &= !lanes;
        }
        started
    }

    /// Lets free lanes take over the first open branches of other lanes. Returning lanes
    /// keep theirs: they need one themselves.
    #[inline(always)]
    fn take_over_branches(&mut self, free: I::V, returning: I::V) -> Moves<I::V> {
        let isa = self.isa;
        let with_path = isa.vector(self.paths.lanes());
        let moves = self.find_places(with_path.and_not(returning), free);
        let taken = isa.vector(&moves.to);
        if taken.any() {
            let planes = self.state.planes.iter_mut().zip(self.base.iter());
            run!(isa, || {
                for (plane, base) in planes {
                    *plane = moves.apply(*base, *plane);
                }
            });
            self.state.forget_counts(taken);
        }
        moves
    }

    /// Removes triads from returning lanes, and from lanes that took over a branch: those
    /// that the decisions on the path remove.
    #[inline(always)]
    fn follow_paths(&mut self, returning: I::V, taken_over: Option<&Moves<I::V>>) {
        let triads = self.state.triads.as_flattened_mut().as_flattened_mut();
        for lane in returning.lanes().iter() {
            self.paths.turn_back(
                lane,
                #[inline(always)]
                |triad| triads[triad].unset(lane),
            );
        }
        for (from, to) in taken_over.into_iter().flat_map(Moves::pairs) {
            self.paths.give(
                from,
                #[inline(always)]
                |triad| triads[triad].unset(to),
            );
        }
    }

    #[cold]
    #[inline(never)]
    fn leave_to_scalar(&mut self, batch: &mut Tasks<'_>) {
        for lane in self.active.lanes().iter() {
            // Active lanes have been through a pass, so their candidates include what
            // they decided.
            batch.finish(self.puzzle_of[lane], &candidates(&self.state.planes, lane));
        }
        self.active = self.isa.zeros();
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

/// The candidates of a lane: a mask of digits for each cell.
fn candidates<V: Vector>(planes: &[V; CANDIDATES], lane: usize) -> [u16; CELLS] {
    let mut candidates = [0; CELLS];
    for (planes, cells) in planes.as_chunks::<81>().0.iter().zip(BOX_CELLS) {
        for (d, planes) in planes.as_chunks::<9>().0.iter().enumerate() {
            for (plane, &cell) in planes.iter().zip(cells) {
                candidates[usize::from(cell)] |= u16::from(plane.has(lane)) << d;
            }
        }
    }
    candidates
}

/// Removes a triad from masks of candidates. Its number is
/// `81 * band + 9 * digit + triad of the matrix`.
fn remove_triad(candidates: &mut [u16; CELLS], triad: usize) {
    let (band, digit) = (triad / 81, triad / 9 % 9);
    let (line, part) = (3 * (band % 3) + triad % 9 / 3, 3 * (triad % 3));
    for place in part..part + 3 {
        let cell = if band < 3 {
            9 * line + place
        } else {
            9 * place + line
        };
        candidates[cell] &= !(1 << digit);
    }
}
