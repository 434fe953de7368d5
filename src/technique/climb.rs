//! Puzzles that are stuck at 4.4: one harder step at a time, then back into the planes.
//!
//! Above 4.4 the order of steps matters: a strike can destroy a unique loop. So each step is
//! the very one that Sudoku Explainer takes, found in one puzzle at a time. Up to 4.4 all
//! orders lead to the same candidates, so after the step the planes take the puzzle as far as
//! they can again, together with hundreds of others.
//!
//! ```text
//!     hard planes --stuck--> one solution? --> a step over 4.4 --> planes at level 4.4
//!                                                    ^                |        |
//!                                                    +-----stuck------+     solved
//!                                                    |
//!                                               no step: more than the bound
//! ```
//!
//! Only puzzles with one solution get here: unique loops and BUG count on that, and a search
//! among the candidates of an empty grid would not end. The solution shows searches what they need
//! not try.

use super::{
    Hardest, ORDER, Rating, Step, Technique,
    batch::{Batch, Bounds, Found, HardLanes, LEAVING_PERCENT},
    cells::CellSet,
    chain::{GaveUpError, Memory, Work},
    planes::Planes,
    position::{Known, Position},
};
use crate::{
    grid::{CELLS, Cell, Digits, GridLine},
    simd::{Isa, Lanes, Vector, ones},
    solve::NO_SOLUTION,
    stop,
};
use std::collections::HashMap;

/// The candidates of each cell as nine bits.
pub(super) type Candidates = [u16; CELLS];

/// A puzzle that is stuck at 4.4, by its number in the batch.
pub(super) struct Stalled {
    pub(super) puzzle: u32,
    /// A filled cell has its digit as the only candidate, and no other cell has one.
    pub(super) candidates: Candidates,
}

impl Stalled {
    /// The next step over 4.4, if its rating is at most `up_to`.
    fn step(
        &self,
        up_to: Rating,
        known: Known<'_>,
        work: &mut Work,
    ) -> Result<Option<Step>, GaveUpError> {
        let position = Position::of_stalled(&self.candidates);
        position.first_step_of(super::above_planes(), up_to, known, work, |_| true)
    }
}

/// A position in which no step up to 4.4 leads on, and the search for a step over 4.4 in it.
pub(super) type Stall = (Candidates, Result<Option<Step>, GaveUpError>);

/// The stalls of puzzles before their first digit is placed, where neither ED nor EP is known yet: both need the steps that
/// lead to them once more. A puzzle has some more of them if a step up to 4.4 places its first digit.
///
/// Three in five of the hardest puzzles begin without a single, and most of the time of a rating is before the first digit.
/// Searching twice made puzzles rated 10.x take twice as long.
#[derive(Default)]
pub(super) struct Stalls(HashMap<u32, Vec<Stall>>);

impl Stalls {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The stalls of a puzzle, by its number in the batch.
    pub(super) fn of(&self, puzzle: u32) -> &[Stall] {
        self.0.get(&puzzle).map_or(&[], |stalls| stalls)
    }

    /// Notes a stall, unless a digit was placed since the first.
    fn note(
        &mut self,
        puzzle: u32,
        candidates: &Candidates,
        step: &Result<Option<Step>, GaveUpError>,
    ) {
        let filled = |of: &Candidates| of.iter().filter(|of| of.is_power_of_two()).count();
        let stalls = self.0.entry(puzzle).or_default();
        if stalls
            .first()
            .is_none_or(|(first, _)| filled(first) == filled(candidates))
        {
            stalls.push((*candidates, step.clone()));
        }
    }
}

/// The puzzle in a lane, its solution, its hardest step so far, and the work that its searches
/// for chains may still do.
struct Climber<'a> {
    puzzle: u32,
    solution: &'a GridLine,
    hardest: Hardest,
    work_left: u64,
    /// The candidates for which the searches for aligned pairs, and for triplets, last found nothing.
    calm: [Option<Candidates>; 2],
    /// The memory of the searches for chains: some 35 kB from a first search for dynamic chains on.
    memory: Memory,
}

impl Climber<'_> {
    /// The next step of its puzzle for the planes, if it needs any more. If the search gives up, that is noted.
    ///
    /// With its first chain that has techniques inside, a puzzle goes on alone to its end. Such searches go on from what the one
    /// before them knows, and that is kept for one puzzle at a time.
    fn step(
        &mut self,
        candidates: Candidates,
        up_to: Rating,
        work: &mut Work,
        notes: (&mut [Found], &mut Stalls),
    ) -> Option<Step> {
        work.search_in(Some(std::mem::take(&mut self.memory)));
        let step = self.step_on(candidates, up_to, work, notes);
        let memory = work.search_in(None);
        self.memory = memory.filter(|_| step.is_some()).unwrap_or_default();
        step
    }

    /// The next step, with the memory of the puzzle in `work`.
    fn step_on(
        &mut self,
        mut candidates: Candidates,
        up_to: Rating,
        work: &mut Work,
        (found, stalls): (&mut [Found], &mut Stalls),
    ) -> Option<Step> {
        let mut is_alone = false;
        loop {
            let step = self.find(candidates, up_to, work, (&mut *found, &mut *stalls))?;
            is_alone |= step.technique >= Technique::DynamicPlus;
            if !is_alone {
                return Some(step);
            }
            let mut position = Position::of_stalled(&candidates);
            position.apply(&step);
            position.climb_in_planes(work);
            if position.is_filled() {
                let found = &mut found[self.puzzle as usize];
                (found.er, found.technique) = (Some(self.hardest.rating), self.hardest.technique);
                return None;
            }
            candidates = position.stalled();
        }
    }

    fn find(
        &mut self,
        candidates: Candidates,
        up_to: Rating,
        work: &mut Work,
        (found, stalls): (&mut [Found], &mut Stalls),
    ) -> Option<Step> {
        let stalled = Stalled {
            puzzle: self.puzzle,
            candidates,
        };
        work.restart(self.work_left);
        let known = Known {
            solution: Some(self.solution),
            changed: self.calm.each_ref().map(|calm| match calm {
                Some(calm) => changed(calm, &candidates),
                None => CellSet::ALL,
            }),
        };
        let step = stalled.step(up_to, known, work);
        self.work_left = self.work_left.saturating_sub(work.done());
        let found = &mut found[self.puzzle as usize];
        found.gave_up |= step.is_err();
        if found.ed.is_none() {
            stalls.note(self.puzzle, &candidates, &step);
        }
        let step = step.ok()??;
        self.hardest.note(&step);
        // A later search was asked.
        let aligned = [Technique::AlignedPair, Technique::AlignedTriplet];
        for (calm, aligned) in self.calm.iter_mut().zip(aligned) {
            if step.technique > aligned {
                *calm = Some(candidates);
            }
        }
        Some(step)
    }
}

/// The cells whose candidates differ.
fn changed(before: &Candidates, now: &Candidates) -> CellSet {
    let (before, now) = (before.as_chunks::<9>().0, now.as_chunks::<9>().0);
    let mut rows = [0; 9];
    for ((row, before), now) in rows.iter_mut().zip(before).zip(now) {
        // Most rows are as they were.
        if before != now {
            let cells = before.iter().zip(now).enumerate();
            *row = cells.fold(0, |row, (place, (before, now))| {
                row | u16::from(before != now) << place
            });
        }
    }
    CellSet::of_rows(rows)
}

impl<I: Isa> Batch<I> {
    /// Goes on with those stalled puzzles that have one solution.
    #[inline(always)]
    pub(super) fn run_climb<'a>(
        &mut self,
        bounds: Bounds,
        solution: &dyn Fn(u32) -> Option<&'a GridLine>,
        found: &mut [Found],
    ) {
        let isa = self.isa;
        let mut stalled = std::mem::take(&mut self.stalled);
        let mut work = std::mem::replace(&mut self.work, Work::unbounded());
        let mut stalls = std::mem::take(&mut self.stalls);
        let mut fresh = stalled.drain(..);
        let climber = |puzzle, solution| Climber {
            puzzle,
            solution,
            hardest: Hardest::NONE,
            work_left: bounds.max_work,
            calm: [None; 2],
            memory: Memory::default(),
        };
        let none = || climber(0, &NO_SOLUTION);
        let mut climbers: Vec<_> = (0..I::LANES).map(|_| none()).collect();
        let mut lanes = HardLanes::new(isa, Rating::IN_PLANES);
        loop {
            stop::check();
            let free = lanes.active.not().lanes();
            let entered = self.admit(free, &mut climbers, || {
                // Puzzles without a step have no rating, and take no lane.
                fresh.find_map(|Stalled { puzzle, candidates }| {
                    let mut climber = climber(puzzle, solution(puzzle)?);
                    let notes = (&mut *found, &mut stalls);
                    let step = climber.step(candidates, bounds.up_to, &mut work, notes)?;
                    Some((climber, candidates, step))
                })
            });
            lanes.enter_last(isa.vector(&entered));
            if !lanes.active.any() {
                break;
            }
            let enough = match fresh.len() {
                0 => usize::MAX,
                _ => I::LANES * LEAVING_PERCENT / 100,
            };
            let (mut stuck, mut filled) = (isa.zeros(), isa.zeros());
            while let Some(pass) = lanes.most_wanted() {
                let changed = self.hard_pass(pass, &mut lanes);
                lanes.note(pass, changed);
                stuck = lanes.stuck();
                filled = lanes.active.and_not(lanes.open);
                if filled.or(stuck).lanes().count() >= enough {
                    break;
                }
            }
            let solved = isa.run(
                #[inline(always)]
                || filled.and(self.planes.complete(isa)),
            );
            for lane in solved.lanes().iter() {
                let Climber {
                    puzzle, hardest, ..
                } = climbers[lane];
                climbers[lane].memory = Memory::default();
                let found = &mut found[puzzle as usize];
                (found.er, found.technique) = (Some(hardest.rating), hardest.technique);
            }
            read_lanes(isa, &self.planes, &stuck.lanes(), &mut self.grids);
            let (mut beyond, mut restarted) = (Lanes::default(), Lanes::default());
            for lane in stuck.lanes().iter() {
                let notes = (&mut *found, &mut stalls);
                match climbers[lane].step(self.grids[lane], bounds.up_to, &mut work, notes) {
                    Some(step) => {
                        do_step(&mut self.planes, lane, &step);
                        restarted.set(lane);
                    }
                    None => beyond.set(lane),
                }
            }
            lanes.want_all(isa.vector(&restarted));
            lanes.leave(filled.or(isa.vector(&beyond)));
        }
        drop(fresh);
        (self.stalled, self.work, self.stalls) = (stalled, work, stalls);
    }

    /// Lets fresh puzzles enter free lanes, with their first step over 4.4. Returns the lanes
    /// that were entered.
    #[inline(always)]
    fn admit<'a>(
        &mut self,
        free: Lanes,
        climbers: &mut [Climber<'a>],
        mut next: impl FnMut() -> Option<(Climber<'a>, Candidates, Step)>,
    ) -> Lanes {
        let mut entered = Lanes::default();
        let mut entering = Vec::new();
        for lane in free.iter().take_while(|&lane| lane < I::LANES) {
            let Some((climber, candidates, step)) = next() else {
                break;
            };
            climbers[lane] = climber;
            entered.set(lane);
            entering.push((lane, candidates, step));
        }
        if entering.is_empty() {
            return entered;
        }
        write_lanes(self.isa, &mut self.planes, &entered, &entering);
        for (lane, _, step) in &entering {
            do_step(&mut self.planes, *lane, step);
        }
        entered
    }
}

/// Does in the planes of a lane what a step says. A digit that it places becomes the only
/// candidate of its cell, a naked single.
fn do_step<V: Vector>(planes: &mut Planes<V>, lane: usize, step: &Step) {
    for strike in &step.strikes {
        planes.open[strike.digit.index()][strike.cell.index()].unset(lane);
    }
    if let Some(place) = step.place {
        for (digit, open) in planes.open.iter_mut().enumerate() {
            if digit != place.digit.index() {
                open[place.cell.index()].unset(lane);
            }
        }
    }
}

/// Reads the candidates of some lanes.
#[inline(always)]
pub(super) fn read_lanes<I: Isa>(
    isa: I,
    planes: &Planes<I::V>,
    lanes: &Lanes,
    grids: &mut [Candidates; 512],
) {
    if !lanes.any() {
        return;
    }
    isa.run(
        #[inline(always)]
        || {
            #[expect(
                clippy::needless_range_loop,
                reason = "it is the second index of the grids"
            )]
            for cell in 0..CELLS {
                let [low @ .., ninth] = planes.candidates(cell).map(Vector::lanes);
                for (g, &word) in lanes.0.iter().enumerate().filter(|(_, word)| **word != 0) {
                    let bytes = isa.bytes_of_planes(&low, g);
                    for bit in ones(word) {
                        let ninth = (ninth.0[g] >> bit & 1) as u16;
                        grids[64 * g + bit][cell] = u16::from(bytes[bit]) | ninth << 8;
                    }
                }
            }
        },
    );
}

/// Sets some lanes to the candidates of stalled puzzles.
#[inline(always)]
fn write_lanes<I: Isa>(
    isa: I,
    planes: &mut Planes<I::V>,
    lanes: &Lanes,
    entering: &[(usize, Candidates, Step)],
) {
    let enter = isa.vector(lanes);
    for cell in 0..CELLS {
        let mut digits = [Lanes::default(); 9];
        let mut filled = Lanes::default();
        for (lane, candidates, _) in entering {
            let candidates = candidates[cell];
            let (g, bit) = (lane / 64, lane % 64);
            for (digit, lanes) in digits.iter_mut().enumerate() {
                lanes.0[g] |= u64::from(candidates >> digit & 1) << bit;
            }
            filled.0[g] |= u64::from(candidates.is_power_of_two()) << bit;
        }
        let digits = digits.map(|lanes| isa.vector(&lanes));
        planes.set_cell(cell, enter, &digits, isa.vector(&filled));
    }
}

impl Position {
    /// Takes steps up to 4.4 until none is left.
    fn climb_in_planes(&mut self, work: &mut Work) {
        let (most, known) = (Rating::IN_PLANES, Known::NOTHING);
        while let Ok(Some(step)) = self.first_step_of(&ORDER, most, known, work, |_| true) {
            self.apply(&step);
        }
    }

    /// The position of a puzzle in which just the filled cells have one candidate.
    fn of_stalled(candidates: &Candidates) -> Self {
        let mut digits = candidates.map(Digits::from_bits);
        let mut filled = crate::grid::Puzzle::EMPTY;
        for (cell, digits) in Cell::all().zip(&mut digits) {
            if digits.len() == 1 {
                filled.set(cell, digits.iter().next());
                *digits = Digits::NONE;
            }
        }
        Self::from_parts(filled, digits)
    }

    /// The candidates of the position, where a filled cell has its digit alone.
    pub(super) fn stalled(&self) -> Candidates {
        let mut candidates = [0; CELLS];
        for (cell, candidates) in Cell::all().zip(&mut candidates) {
            *candidates = match self.filled().get(cell) {
                Some(digit) => 1 << digit.index(),
                None => self.candidates(cell).bits(),
            };
        }
        candidates
    }
}
