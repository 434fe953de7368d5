//! The candidates that occur in a solution, of hundreds of puzzles side by side: the union of all
//! solutions of each, without a list of them.
//!
//! A lane keeps one puzzle to the end, and three planes for each candidate:
//!
//! ```text
//!     root      it may occur in a solution, as far as is known
//!     marked    it occurs in one that was found
//!     planes    the question that the lane asks now
//!
//!     a question     root, and one cell has only candidates that are not marked
//!     a solution     marks 81 candidates, one or more of them for the first time
//!     no solution    these candidates of the cell leave the root
//! ```
//!
//! A lane is done when root and marked are the same. Each question marks or strikes a candidate, so there
//! are at most 648, however many solutions there are.
//!
//! All puzzles have several solutions. So each lane stalls before its first question ends, and its root is
//! what propagation has left by then.
//!
//! *Solutions that differ* mark more. A branch takes the first triad of a row, or the last, by chance: then
//! 20.9 solutions mark the 207 candidates of a puzzle, and 26.7 where it takes the first always (20,000
//! minimal puzzles less one to three clues; 9.3 questions have no solution). That is a quarter of the time.
//! These were tried too, in place of it or with it:
//!
//! - a branch takes a triad that is in no solution so far: 23.9 solutions, and 20.4 with chance;
//! - a stalled lane restricts another cell, or several, to unmarked candidates, and asks again with one
//!   cell if that leads to a contradiction: 25 solutions, but 20 questions more that say nothing;
//! - the first cell with two unmarked candidates: 27.7 solutions.
//!
//! The answer does not depend on chance, for it is a set of candidates and not of solutions.

#![expect(
    clippy::needless_range_loop,
    reason = "planes, cells and digits index several arrays at once"
)]

use super::{
    BOX_CELLS, Branched, CANDIDATES, Removal, Signs, Sliced, Source, State, Tasks, branch,
    candidates, pass, path::Decision, tuning,
};
use crate::{
    grid::{CELLS, Candidates, Digits},
    simd::{Isa, Lanes, Vector, ones, run},
    solve::{Batch, Limits, NO_SOLUTION, scalar},
    stop,
};

/// The data that the engine keeps for unions besides its planes.
pub(super) struct Union<V> {
    root: Box<[V; CANDIDATES]>,
    marked: Box<[V; CANDIDATES]>,
    /// The cell that each lane asks about, `[box][cell of the box]`. None is the first question.
    asked: Box<[[V; 9]; 9]>,
    /// The lanes whose root is not known yet: they have not stalled.
    fresh: V,
    /// The branches of each lane since its question began.
    branches: Box<[u32; 512]>,
    /// The lanes whose question is left to the scalar engine.
    overdue: Lanes,
    /// Says which lanes are turned at the next branch.
    random: u64,
}

impl<V: Vector> Union<V> {
    fn new<I: Isa<V = V>>(isa: I) -> Self {
        let zero = isa.zeros();
        Self {
            root: Box::new([zero; CANDIDATES]),
            marked: Box::new([zero; CANDIDATES]),
            asked: Box::new([[zero; 9]; 9]),
            fresh: zero,
            branches: Box::new([0; 512]),
            overdue: Lanes::default(),
            random: 1,
        }
    }

    /// Takes the answers of lanes, and begins their next questions: what solved lanes hold is marked, and
    /// what refused lanes have asked about is struck. Then the first cell with an unmarked candidate
    /// loses the marked ones. Returns the lanes that have no such cell. One walk does all, because the
    /// planes are larger than the first-level cache.
    #[inline(always)]
    fn ask(&mut self, state: &mut State<V>, solved: V, refused: V) -> V {
        let ended = solved.or(refused);
        let mut left = ended;
        for n in 0..9 {
            let root: &mut [V; 81] = self.root[81 * n..].first_chunk_mut().expect("a box");
            let marked: &mut [V; 81] = self.marked[81 * n..].first_chunk_mut().expect("a box");
            for c in 0..9 {
                let digits = pass::digits_of_cell(&*state, usize::from(BOX_CELLS[n][c]));
                let asked = &mut self.asked[n][c];
                let struck = refused.and(*asked);
                let mut any = left.and_not(left);
                if struck.any() {
                    for d in 0..9 {
                        let (root, marked) = (&mut root[9 * d + c], &marked[9 * d + c]);
                        *root = root.and_not(struck.and_not(*marked));
                    }
                }
                for d in 0..9 {
                    let (root, marked) = (&root[9 * d + c], &mut marked[9 * d + c]);
                    *marked = marked.or_and(digits[d], solved);
                    any = any.or_and_not(*root, *marked);
                }
                let here = left.and(any);
                left = left.and_not(any);
                *asked = ended.select(here, *asked);
                let planes: &mut [V; 81] = state.planes[81 * n..].first_chunk_mut().expect("a box");
                for d in 0..9 {
                    let new = root[9 * d + c].and_not(here.and(marked[9 * d + c]));
                    let plane = &mut planes[9 * d + c];
                    *plane = ended.select(new, *plane);
                }
            }
        }
        state.forget_counts(ended);
        left
    }

    /// Begins with lanes that stall for the first time: their candidates are the root.
    #[inline(always)]
    fn take_roots(&mut self, planes: &[V; CANDIDATES], lanes: V) {
        for n in 0..CANDIDATES {
            self.root[n] = lanes.select(planes[n], self.root[n]);
            self.marked[n] = self.marked[n].and_not(lanes);
        }
        for asked in self.asked.as_flattened_mut() {
            *asked = asked.and_not(lanes);
        }
        self.fresh = self.fresh.and_not(lanes);
    }

    /// Half of all lanes (xorshift, by G. Marsaglia).
    fn random_lanes(&mut self) -> Lanes {
        let mut lanes = Lanes::default();
        for word in &mut lanes.0 {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            *word = self.random;
        }
        lanes
    }

    /// The question of a lane: the candidates of each cell.
    fn question(&self, lane: usize) -> [u16; CELLS] {
        let mut question = candidates(&self.root, lane);
        let marked = candidates(&self.marked, lane);
        let cells = BOX_CELLS
            .as_flattened()
            .iter()
            .map(|&cell| usize::from(cell));
        for (asked, cell) in self.asked.as_flattened().iter().zip(cells) {
            if asked.has(lane) {
                question[cell] &= !marked[cell];
            }
        }
        question
    }
}

impl<I: Isa> Sliced<I> {
    pub(super) fn unite_all(&mut self, puzzles: Batch<'_>, unions: &mut [Candidates]) {
        let mut union = self.union.take();
        let of_batch = union.get_or_insert_with(|| Box::new(Union::new(self.isa)));
        let mut counts = vec![0; puzzles.len()];
        let batch = Tasks {
            source: Source::Batch(puzzles, &[]),
            limits: Limits::same(1),
            kept: 0,
            any_handed_over: false,
            lines: &mut [],
            counts: &mut counts,
            branches: Vec::new(),
        };
        self.fresh.reset(0, &[]);
        let isa = self.isa;
        run!(isa, || self.run_union(of_batch, &batch, unions));
        self.union = union;
    }

    /// Alternates passes and services until the batch is done.
    #[inline(always)]
    fn run_union(&mut self, union: &mut Union<I::V>, batch: &Tasks<'_>, unions: &mut [Candidates]) {
        let isa = self.isa;
        (self.active, self.waited, union.fresh) = (isa.zeros(), 0, isa.zeros());
        union.overdue = Lanes::default();
        let mut signs = Signs::none(isa);
        while self.serve_union(union, batch, &signs, unions) {
            stop::check();
            for passes in 1..=tuning::MOST_PASSES {
                signs = self.pass(passes);
                if passes >= tuning::LEAST_PASSES && self.is_idle(&signs) {
                    break;
                }
            }
        }
    }

    /// Takes the answers of lanes, and gives them their next questions. Returns whether anything is left to
    /// do.
    #[inline(always)]
    fn serve_union(
        &mut self,
        union: &mut Union<I::V>,
        batch: &Tasks<'_>,
        signs: &Signs<I::V>,
        unions: &mut [Candidates],
    ) -> bool {
        let isa = self.isa;
        let with_path = isa.vector(self.paths.lanes());
        let mut failed = self.active.and(signs.dead);
        let mut solved = self.take_solved(signs, &mut failed);
        for lane in solved.lanes().iter() {
            self.paths.clear(lane);
        }
        let mut refused = failed.and_not(with_path);
        let mut returning = failed.and(with_path);
        if union.overdue.any() {
            let overdue = isa.vector(&union.overdue).and_not(solved);
            let answered = self.leave_overdue(union, &overdue.lanes());
            refused = refused.or(overdue).and_not(answered);
            returning = returning.and_not(overdue);
            solved = solved.or(answered);
        }
        let ended = solved.or(refused);
        if ended.any() {
            let state = &mut *self.state;
            let done = run!(isa, || union.ask(state, solved, refused));
            for lane in ended.lanes().iter() {
                union.branches[lane] = 0;
            }
            for lane in done.lanes().iter() {
                unions[self.puzzle_of[lane] as usize] = union_of(&union.marked, lane);
            }
            self.active = self.active.and_not(done);
        }
        let any_fresh = self.fresh.any(batch);
        if !any_fresh && self.active.lanes().count() <= tuning::UNIONS_LEFT_TO_SCALAR {
            self.leave_unions_to_scalar(union, unions);
            return false;
        }

        let going = self.active.and_not(ended.or(returning));
        let stalled = going.and(signs.open).and_not(signs.changed);
        self.stalls = stalled.any();
        let rooted = stalled.and(union.fresh);
        if rooted.any() {
            let planes = &self.state.planes;
            run!(isa, || union.take_roots(planes, rooted));
        }
        let with_path = isa.vector(self.paths.lanes());
        let branched = self.branch_union(union, stalled, with_path);
        self.carry(&branched, returning);

        let free = self.active.not();
        let mut started = isa.zeros();
        // Planes of fresh puzzles cost as much for one lane as for all.
        if any_fresh && free.lanes().count() >= I::LANES / tuning::FRESH_UNIONS {
            started = self.start_fresh(free, batch);
            union.fresh = union.fresh.or(started);
            for lane in started.lanes().iter() {
                union.branches[lane] = 0;
            }
        }
        self.active = self.active.or(started);
        let entering = returning.or3(started, ended);
        if entering.or(stalled).any() {
            let state = &mut *self.state;
            run!(isa, || pass::reopen(state, entering, &branched.removal));
        }
        self.follow_paths(returning, None);
        true
    }

    /// Marks what solved lanes hold, when there are enough of them. Returns these lanes. Those that look
    /// solved and are not have failed.
    #[inline(always)]
    fn take_solved(&mut self, signs: &Signs<I::V>, failed: &mut I::V) -> I::V {
        let isa = self.isa;
        let single = self.active.and_not(signs.dead.or(signs.open));
        let waiting = single.lanes().count();
        self.waited += usize::from(waiting != 0);
        if waiting < tuning::SOLVED_AT_ONCE && self.waited <= tuning::LONGEST_WAIT {
            return isa.zeros();
        }
        self.waited = 0;
        let state = &*self.state;
        let solved = single.and(run!(isa, || pass::complete(isa, state)));
        *failed = failed.or(single.and_not(solved));
        solved
    }

    /// Chooses branches for lanes, and leaves the ways out open on their paths.
    #[inline(always)]
    fn branch_union(
        &mut self,
        union: &mut Union<I::V>,
        stalled: I::V,
        with_path: I::V,
    ) -> Branched<I::V> {
        let isa = self.isa;
        let mut branched = Branched {
            removal: Removal::none(isa),
            copies: None,
            rebased: isa.zeros(),
        };
        if !stalled.any() {
            return branched;
        }
        let triads = &self.state.triads;
        let turned = isa.vector(&union.random_lanes());
        let choice = run!(isa, || branch::choose(
            isa,
            triads,
            stalled,
            branch::Weights::OfCells,
            Some(turned)
        ));
        branched.rebased = choice.lanes.and_not(with_path);
        let [low, high] = choice.numbers();
        let lanes = choice.lanes.lanes();
        for g in 0..I::LANES / 64 {
            if lanes.0[g] == 0 {
                continue;
            }
            let (low, high) = (isa.bytes_of_planes(&low, g), isa.bytes_of_planes(&high, g));
            for bit in ones(lanes.0[g]) {
                let lane = 64 * g + bit;
                let decision = Decision::inside(high[bit], low[bit] >> 4, low[bit] & 15);
                union.branches[lane] += 1;
                let has_room = self.paths.push(lane, decision, true);
                if !has_room || union.branches[lane] > tuning::MOST_BRANCHES {
                    union.overdue.set(lane);
                }
            }
        }
        branched.removal = choice.inside;
        branched
    }

    /// Lets the scalar engine answer the questions of lanes. Returns those that have a solution, which is
    /// marked.
    #[inline(always)]
    fn leave_overdue(&mut self, union: &mut Union<I::V>, lanes: &Lanes) -> I::V {
        let mut answered = Lanes::default();
        for lane in lanes.iter() {
            self.paths.clear(lane);
            let mut line = NO_SOLUTION;
            if scalar::count_from(&union.question(lane), 1, &mut line) == 0 {
                continue;
            }
            answered.set(lane);
            let mut here = Lanes::default();
            here.set(lane);
            let here = self.isa.vector(&here);
            let boxes = union.marked.as_chunks_mut::<81>().0.iter_mut();
            for (marked, cells) in boxes.zip(BOX_CELLS) {
                for (c, &cell) in cells.iter().enumerate() {
                    let digit = usize::from(line[usize::from(cell)] - b'1');
                    let marked = &mut marked[9 * digit + c];
                    *marked = marked.or(here);
                }
            }
        }
        union.overdue = Lanes::default();
        self.isa.vector(&answered)
    }

    /// Lets the scalar engine go on with all lanes that are left.
    #[cold]
    #[inline(never)]
    fn leave_unions_to_scalar(&mut self, union: &mut Union<I::V>, unions: &mut [Candidates]) {
        for lane in self.active.lanes().iter() {
            self.paths.clear(lane);
            let (mut root, mut marked) = (candidates(&self.state.planes, lane), [0; CELLS]);
            if !union.fresh.has(lane) {
                root = candidates(&union.root, lane);
                marked = candidates(&union.marked, lane);
            }
            scalar::unite(&root, &mut marked);
            let cells = marked.map(Digits::from_bits);
            unions[self.puzzle_of[lane] as usize] = Candidates::from_cells(&cells);
        }
        union.overdue = Lanes::default();
        self.active = self.isa.zeros();
    }
}

/// The candidates of a lane.
fn union_of<V: Vector>(marked: &[V; CANDIDATES], lane: usize) -> Candidates {
    /// The plane of each place in the text of candidates.
    static PLANES: [u16; CANDIDATES] = {
        let (mut planes, mut place) = ([0; CANDIDATES], 0);
        while place < CANDIDATES {
            let (cell, digit) = (place / 9, place % 9);
            let (row, column) = (cell / 9, cell % 9);
            let (of_box, in_box) = (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3);
            planes[place] = (81 * of_box + 9 * digit + in_box) as u16;
            place += 1;
        }
        planes
    };
    let mut words = [0; 12];
    for (word, planes) in words.iter_mut().zip(PLANES.chunks(64)) {
        for (bit, &plane) in planes.iter().enumerate() {
            *word |= u64::from(marked[usize::from(plane)].has(lane)) << bit;
        }
    }
    Candidates::from_words(words)
}
