//! Hundreds of puzzles rated side by side, one lane each.
//!
//! **Up to 4.4 the order of steps does not matter.** A step that could be taken can still
//! be taken later, or what it says has been found by easier ones. So ER is the smallest
//! level such that all steps up to it, applied as far as they go, solve the puzzle. A lane
//! begins at the lowest level. When its puzzle is stuck there, it goes up one level. When
//! the puzzle is solved, its level is ER.
//!
//! ```text
//!     puzzles --> easy planes: last cells, hidden singles (1.0 to 1.5)
//!                  |      |
//!               solved   stuck --> hard planes: all techniques (1.7 to 4.4)
//!                                   |      |
//!                                solved   stuck: more than 4.4, or not one solution
//! ```
//!
//! [`climb`](super::climb) goes on with those that are stuck.
//!
//! Most puzzles are solved by hidden singles. Their planes have just one kind of pass. The
//! others go on in the hard planes, with the cells that are filled by then. There each
//! technique has the set of lanes that want it: lanes that have reached its level, and have
//! changed since it was last tried. A lane takes the cheapest technique that it wants first.
//! The technique that most lanes want to take comes next.
//!
//! Filling cells is not a level of its own: a technique that strikes candidates leaves it
//! to singles to place what is left. For the same reason, direct techniques strike the
//! places that they do not leave.

use super::{
    Rating, Technique, Techniques,
    chain::{Crew, Work},
    climb::{Candidates, Stall, Stalled, Stalls, read_lanes},
    hidden_set,
    lanes::Entrance,
    locking, passes,
    planes::{Planes, Signs, Singles},
    progress::Progress,
};
use crate::{
    grid::{CELLS, GridLine},
    simd::{Isa, Kernel, Vector},
    stop,
};
use std::sync::Arc;

/// The findings of techniques about a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// ER, if they solve the puzzle. Then it has one solution.
    pub(super) er: Option<Rating>,
    /// The technique of ER, if that is over 4.4.
    pub(super) technique: Option<Technique>,
    /// ED and EP, if the first step is a last cell or a hidden single.
    pub(super) ed: Option<Rating>,
    /// A search for chains gave up.
    pub(super) gave_up: bool,
    /// The techniques from 1.7 up that lead on at once, if they are wanted: see [`Additional::Leading`].
    pub(super) leading: Techniques,
}

/// The findings of a batch in addition to the ER up to 4.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Additional {
    Nothing,
    /// The candidates of puzzles that are stuck at 4.4, for [`climb`](BatchTechniques::climb).
    Stuck,
    /// The techniques that lead on at once. The position in which all techniques below a level lead nowhere depends on no
    /// order. The technique of the level leads on at once if it has a step there. So each path has that step.
    Leading,
}

/// How far a puzzle is rated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// No step has a higher rating.
    pub(super) up_to: Rating,
    /// The work that the searches for chains may do for a puzzle.
    pub(super) max_work: u64,
}

/// Rates batches at some level.
pub(super) trait BatchTechniques: Send + Sync {
    /// Finds for each puzzle what techniques up to `most` do, which is 4.4 at most.
    fn run(
        &mut self,
        cells: &[[u8; CELLS]],
        most: Rating,
        additional: Additional,
        found: &mut Vec<Found>,
    );

    /// Goes on with the puzzles that were stuck and have one solution. `solution` gives it.
    fn climb<'a>(
        &mut self,
        bounds: Bounds,
        solution: &dyn Fn(u32) -> Option<&'a GridLine>,
        found: &mut [Found],
    );

    /// The stalls of a puzzle before its first digit is placed, if the climb met some and ED is not known yet.
    fn stalls(&self, puzzle: u32) -> &[Stall];

    /// Searches for chains with these, or alone.
    fn share_with(&mut self, crew: Option<Arc<dyn Crew>>);
}

/// Makes the planes at a level.
pub(super) struct MakeBatch;

impl Kernel for MakeBatch {
    type Output = Box<dyn BatchTechniques>;
    fn call<I: Isa>(self, isa: I) -> Self::Output {
        Box::new(Batch {
            isa,
            planes: Planes::new(isa),
            entrance: Entrance::new(),
            stuck: Progress::new(),
            additional: Additional::Nothing,
            stalled: Vec::new(),
            grids: Box::new([[0; CELLS]; 512]),
            stalls: Stalls::default(),
            work: Work::unbounded().without_nodes(),
        })
    }
}

pub(super) struct Batch<I: Isa> {
    pub(super) isa: I,
    pub(super) planes: Box<Planes<I::V>>,
    entrance: Entrance,
    /// The puzzles that hidden singles do not solve.
    stuck: Progress,
    additional: Additional,
    pub(super) stalled: Vec<Stalled>,
    pub(super) stalls: Stalls,
    /// Candidates on their way out of the lanes.
    pub(super) grids: Box<[Candidates; 512]>,
    /// The memory of the searches for chains.
    pub(super) work: Work,
}

impl<I: Isa> BatchTechniques for Batch<I> {
    fn run(
        &mut self,
        cells: &[[u8; CELLS]],
        most: Rating,
        additional: Additional,
        found: &mut Vec<Found>,
    ) {
        u32::try_from(cells.len()).expect("a batch has fewer than 2^32 puzzles");
        found.clear();
        let nothing = Found {
            er: None,
            technique: None,
            ed: None,
            gave_up: false,
            leading: Techniques::NONE,
        };
        found.resize(cells.len(), nothing);
        self.stuck.clear();
        self.stalled.clear();
        self.stalls.clear();
        self.additional = additional;
        let isa = self.isa;
        isa.run(
            #[inline(always)]
            || {
                self.run_easy(cells, found);
                if most > IN_LINE {
                    self.run_hard(most, found);
                }
            },
        );
    }

    fn climb<'a>(
        &mut self,
        bounds: Bounds,
        solution: &dyn Fn(u32) -> Option<&'a GridLine>,
        found: &mut [Found],
    ) {
        let isa = self.isa;
        isa.run(
            #[inline(always)]
            || self.run_climb(bounds, solution, found),
        );
    }

    fn stalls(&self, puzzle: u32) -> &[Stall] {
        self.stalls.of(puzzle)
    }

    fn share_with(&mut self, crew: Option<Arc<dyn Crew>>) {
        self.work.share_with(crew);
    }
}

/// The levels of the easy planes.
const LAST_CELL: Rating = Rating(10);
const IN_BOX: Rating = Rating(12);
const IN_LINE: Rating = Rating(15);

/// The lanes of the easy planes, by their levels.
struct EasyLanes<V> {
    active: V,
    /// The lanes at 1.2 or more.
    boxes: V,
    /// The lanes at 1.5.
    lines: V,
    /// The lanes that have not taken a step.
    unmoved: V,
    /// The lanes whose first step was a last cell, and a hidden single in a box.
    first: [V; 2],
}

impl<I: Isa> Batch<I> {
    /// Places last cells and hidden singles.
    #[inline(always)]
    fn run_easy(&mut self, cells: &[[u8; CELLS]], found: &mut [Found]) {
        let isa = self.isa;
        let zero = isa.zeros();
        self.entrance.reset();
        let mut lanes = EasyLanes {
            active: zero,
            boxes: zero,
            lines: zero,
            unmoved: zero,
            first: [zero; 2],
        };
        loop {
            stop::check();
            let free = lanes.active.not();
            let entered = isa.run(
                #[inline(always)]
                || {
                    let planes = &mut *self.planes;
                    let entered = self.entrance.fill(isa, free, planes, cells);
                    lanes.enter(isa, planes, entered);
                    entered
                },
            );
            if !lanes.active.any() {
                return;
            }
            // Puzzles that have just entered need some passes in any case.
            let least = if entered.any() { LEAST_EASY_PASSES } else { 1 };
            let fresh_left = self.entrance.any(cells.len());
            let signs = self.easy_passes(&mut lanes, least, fresh_left);
            self.leave_easy(&mut lanes, &signs, cells, found);
        }
    }

    /// Passes until many lanes are done or stuck.
    #[inline(always)]
    fn easy_passes(
        &mut self,
        lanes: &mut EasyLanes<I::V>,
        least: usize,
        fresh_left: bool,
    ) -> Signs<I::V> {
        let isa = self.isa;
        let most_busy = if fresh_left {
            I::LANES - I::LANES * IDLE_PERCENT / 100
        } else {
            0
        };
        for pass in 1.. {
            let signs = easy_pass(isa, &mut self.planes, lanes);
            if pass >= least {
                let busy = lanes.active.and(signs.open).and(signs.changed);
                if busy.lanes().count() <= most_busy {
                    return signs;
                }
            }
        }
        unreachable!("passes end")
    }

    /// Takes lanes out that are solved, or stuck at the last level of the easy planes.
    #[inline(always)]
    fn leave_easy(
        &mut self,
        lanes: &mut EasyLanes<I::V>,
        signs: &Signs<I::V>,
        cells: &[[u8; CELLS]],
        found: &mut [Found],
    ) {
        let isa = self.isa;
        let filled = lanes.active.and_not(signs.open);
        let stuck = lanes.active.and(signs.open).and_not(signs.changed);
        let solved = isa.run(
            #[inline(always)]
            || filled.and(self.planes.complete(isa)),
        );
        let (is_solved, unmoved) = (solved.lanes(), lanes.unmoved.lanes());
        let (boxes, lines) = (lanes.boxes.lanes(), lanes.lines.lanes());
        let first = lanes.first.map(Vector::lanes);
        let leaving = filled.or(stuck);
        for lane in leaving.lanes().iter() {
            let puzzle = self.entrance.puzzle_of[lane];
            let found = &mut found[puzzle as usize];
            found.ed = match () {
                () if unmoved.has(lane) => None,
                () if first[0].has(lane) => Some(LAST_CELL),
                () if first[1].has(lane) => Some(IN_BOX),
                () => Some(IN_LINE),
            };
            if is_solved.has(lane) {
                found.er = Some(match () {
                    () if unmoved.has(lane) => Rating::NONE,
                    () if lines.has(lane) => IN_LINE,
                    () if boxes.has(lane) => IN_BOX,
                    () => LAST_CELL,
                });
            }
        }
        let (unsolved, puzzle_of) = (leaving.and_not(solved).lanes(), &self.entrance.puzzle_of);
        self.stuck
            .take(isa, &unsolved, &self.planes, puzzle_of, cells);
        lanes.active = lanes.active.and_not(leaving);
    }
}

/// The least passes between two services of the easy planes.
const LEAST_EASY_PASSES: usize = 4;

/// A service begins when this number of lanes of a hundred are done or stuck.
const IDLE_PERCENT: usize = 50;

impl<V: Vector> EasyLanes<V> {
    /// Sets the levels of lanes that were entered.
    #[inline(always)]
    fn enter<I: Isa<V = V>>(&mut self, isa: I, planes: &Planes<V>, entered: V) {
        if !entered.any() {
            return;
        }
        self.active = self.active.or(entered);
        self.unmoved = self.unmoved.or(entered);
        let above = entered.and_not(planes.has_last_cell(isa));
        self.boxes = self.boxes.and_not(entered).or(above);
        self.lines = self.lines.and_not(entered);
        for first in &mut self.first {
            *first = first.and_not(entered);
        }
    }
}

/// One pass of the easy planes. Lanes that are stuck go up a level; those that a pass at
/// the last level did not change are stuck for good.
#[inline(never)]
fn easy_pass<I: Isa>(
    isa: I,
    planes: &mut Planes<I::V>,
    lanes: &mut EasyLanes<I::V>,
) -> Signs<I::V> {
    isa.run(
        #[inline(always)]
        || {
            let singles = Singles {
                boxes: lanes.boxes,
                lines: lanes.lines,
                naked: isa.zeros(),
            };
            let mut signs = planes.place_singles::<I, true>(isa, &singles);
            let moved = lanes.unmoved.and(signs.changed);
            lanes.unmoved = lanes.unmoved.and_not(moved);
            lanes.first[0] = lanes.first[0].or_and_not(moved, lanes.boxes);
            lanes.first[1] = lanes.first[1].or_and(moved, lanes.boxes.and_not(lanes.lines));
            // A lane that goes up a level counts as changed.
            let unchanged = signs.open.and_not(signs.changed);
            let up_to_lines = unchanged.and(lanes.boxes).and_not(lanes.lines);
            let up_to_boxes = unchanged.and_not(lanes.boxes);
            lanes.lines = lanes.lines.or(up_to_lines);
            lanes.boxes = lanes.boxes.or(up_to_boxes);
            signs.changed = signs.changed.or3(up_to_lines, up_to_boxes);
            signs
        },
    )
}

/// The passes of the hard planes, the cheapest first: in thousands of cycles for 512 lanes,
/// measured on 2026-11-21 on a Xeon with AVX-512.
///
/// ```text
///     place singles   20     locking   18     X-wing    16     naked pair     24
///     swordfish       40     hidden pair  50  XYZ-wing  58     naked triplet  59
///     hidden triplet  75     XY-wing  109
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    PlaceSingles,
    Locking,
    XWing,
    NakedPair,
    Swordfish,
    HiddenPair,
    XyzWing,
    NakedTriplet,
    HiddenTriplet,
    XyWing,
}

impl Pass {
    const ALL: [Self; 10] = [
        Self::PlaceSingles,
        Self::Locking,
        Self::XWing,
        Self::NakedPair,
        Self::Swordfish,
        Self::HiddenPair,
        Self::XyzWing,
        Self::NakedTriplet,
        Self::HiddenTriplet,
        Self::XyWing,
    ];

    /// The first rung of the ladder that uses it.
    const fn first_rung(self) -> usize {
        let mut rung = 0;
        while RUNGS[rung].1 as usize != self as usize {
            rung += 1;
        }
        rung
    }
}

/// The levels of the hard planes: the rating, and the pass that has more to do from there
/// on.
const RUNGS: [(u8, Pass); 15] = [
    (15, Pass::PlaceSingles),
    (17, Pass::Locking),
    (20, Pass::HiddenPair),
    (23, Pass::PlaceSingles),
    (25, Pass::HiddenTriplet),
    (26, Pass::Locking),
    (28, Pass::Locking),
    (30, Pass::NakedPair),
    (32, Pass::XWing),
    (34, Pass::HiddenPair),
    (36, Pass::NakedTriplet),
    (38, Pass::Swordfish),
    (40, Pass::HiddenTriplet),
    (42, Pass::XyWing),
    (44, Pass::XyzWing),
];

/// The rung of a rating.
const fn rung(tenths: u8) -> usize {
    let mut rung = 0;
    while RUNGS[rung].0 != tenths {
        rung += 1;
    }
    rung
}

/// The lanes of the hard planes.
pub(super) struct HardLanes<V> {
    /// The last rung that is used.
    last: usize,
    pub(super) active: V,
    /// The lanes that have reached each rung.
    at: [V; RUNGS.len()],
    /// The lanes that want each pass.
    wanted: [V; Pass::ALL.len()],
    /// The lanes with an empty cell, as the last placing of singles found.
    pub(super) open: V,
    /// The lanes that nothing has changed since they went up to their rung.
    raised: V,
    /// The lanes that the technique of each rung changed first when they had gone up to it.
    leading: [V; RUNGS.len()],
}

impl<V: Vector> HardLanes<V> {
    /// No lane. Rungs over `most` are not used.
    #[inline(always)]
    pub(super) fn new<I: Isa<V = V>>(isa: I, most: Rating) -> Self {
        let zero = isa.zeros();
        Self {
            last: RUNGS.partition_point(|rung| rung.0 <= most.0) - 1,
            active: zero,
            at: [zero; RUNGS.len()],
            wanted: [zero; Pass::ALL.len()],
            open: zero,
            raised: zero,
            leading: [zero; RUNGS.len()],
        }
    }

    /// Lanes that were entered are on the last rung, and want all passes.
    #[inline(always)]
    pub(super) fn enter_last(&mut self, entered: V) {
        self.active = self.active.or(entered);
        self.open = self.open.or(entered);
        for at in &mut self.at {
            *at = at.or(entered);
        }
        self.want_all(entered);
    }

    /// Lanes on the last rung want all passes.
    #[inline(always)]
    pub(super) fn want_all(&mut self, lanes: V) {
        for wanted in &mut self.wanted {
            *wanted = wanted.or(lanes);
        }
    }

    /// Takes lanes out.
    #[inline(always)]
    pub(super) fn leave(&mut self, leaving: V) {
        self.active = self.active.and_not(leaving);
        for wanted in &mut self.wanted {
            *wanted = wanted.and_not(leaving);
        }
    }

    /// Lanes that were entered begin at the first rung.
    #[inline(always)]
    fn enter(&mut self, entered: V) {
        self.active = self.active.or(entered);
        self.open = self.open.or(entered);
        for at in &mut self.at[1..] {
            *at = at.and_not(entered);
        }
        self.at[0] = self.at[0].or(entered);
        for wanted in &mut self.wanted {
            *wanted = wanted.and_not(entered);
        }
        self.raised = self.raised.and_not(entered);
        for leading in &mut self.leading {
            *leading = leading.and_not(entered);
        }
        let singles = &mut self.wanted[Pass::PlaceSingles as usize];
        *singles = singles.or(entered);
    }

    /// The lanes with an empty cell that want no pass.
    #[inline(always)]
    pub(super) fn stuck(&self) -> V {
        let mut stuck = self.active.and(self.open);
        for wanted in &self.wanted {
            stuck = stuck.and_not(*wanted);
        }
        stuck
    }

    /// Lets lanes that want no pass go up a rung. Returns those that are on the last one in use.
    #[inline(always)]
    fn raise(&mut self) -> V {
        let stuck = self.stuck();
        let last = self.last;
        let at_last = stuck.and(self.at[last]);
        for r in (0..last).rev() {
            let up = stuck.and(self.at[r]).and_not(self.at[r + 1]);
            self.at[r + 1] = self.at[r + 1].or(up);
            let wanted = &mut self.wanted[RUNGS[r + 1].1 as usize];
            *wanted = wanted.or(up);
            self.raised = self.raised.or(up);
        }
        at_last
    }

    /// Notes what a pass has changed: those lanes want all passes that they have.
    #[inline(always)]
    pub(super) fn note(&mut self, pass: Pass, changed: V) {
        let changed = changed.and(self.active);
        // No pass of a lower rung can change a lane that was raised.
        let mut first = self.raised.and(changed);
        self.raised = self.raised.and_not(changed);
        for (r, (_, its)) in RUNGS.iter().enumerate().rev() {
            if *its == pass {
                self.leading[r] = self.leading[r].or_and(first, self.at[r]);
                first = first.and_not(self.at[r]);
            }
        }
        let wanted = &mut self.wanted[pass as usize];
        *wanted = wanted.and_not(self.active);
        for (wanted, pass) in self.wanted.iter_mut().zip(Pass::ALL) {
            *wanted = wanted.or_and(changed, self.at[pass.first_rung()]);
        }
    }

    /// The next pass, or `None` if no lane wants any.
    ///
    /// Each lane has a pass that it wants next: the cheapest that it wants. The pass that most
    /// lanes want next is the next one, whatever it costs. So each pass runs for many lanes.
    /// (The lanes divided by the cost, or by its square root, was slower: the cheap passes ran
    /// for a few lanes again and again. Puzzles with 17 clues took 15 to 25 % longer.)
    #[inline(always)]
    pub(super) fn most_wanted(&self) -> Option<Pass> {
        let mut undecided = self.active.and(self.open);
        let (mut best, mut most) = (None, 0);
        for pass in Pass::ALL {
            let wanted = &self.wanted[pass as usize];
            let count = undecided.and(*wanted).lanes().count();
            undecided = undecided.and_not(*wanted);
            if count > most {
                (best, most) = (Some(pass), count);
            }
        }
        best
    }
}

impl<I: Isa> Batch<I> {
    /// Lets the puzzles that are stuck go up the rungs.
    #[inline(always)]
    fn run_hard(&mut self, most: Rating, found: &mut [Found]) {
        let isa = self.isa;
        self.entrance.reset();
        let mut lanes = HardLanes::new(isa, most);
        loop {
            stop::check();
            let free = lanes.active.not();
            isa.run(
                #[inline(always)]
                || {
                    let planes = &mut *self.planes;
                    let entered = self.entrance.fill(isa, free, planes, &self.stuck.rows);
                    lanes.enter(entered);
                },
            );
            if !lanes.active.any() {
                break;
            }
            let fresh_left = self.entrance.any(self.stuck.rows.len());
            let enough = if fresh_left {
                I::LANES * LEAVING_PERCENT / 100
            } else {
                usize::MAX
            };
            let mut stuck_for_good = isa.zeros();
            let mut filled = isa.zeros();
            while let Some(pass) = lanes.most_wanted() {
                let changed = self.hard_pass(pass, &mut lanes);
                lanes.note(pass, changed);
                stuck_for_good = lanes.raise();
                filled = lanes.active.and_not(lanes.open);
                if filled.or(stuck_for_good).lanes().count() >= enough {
                    break;
                }
            }
            self.leave_hard(&mut lanes, filled, stuck_for_good, found);
        }
    }

    /// Takes lanes out that are filled or stuck on the last rung.
    #[inline(always)]
    fn leave_hard(
        &mut self,
        lanes: &mut HardLanes<I::V>,
        filled: I::V,
        stuck: I::V,
        found: &mut [Found],
    ) {
        let isa = self.isa;
        let solved = isa.run(
            #[inline(always)]
            || filled.and(self.planes.complete(isa)),
        );
        let at = lanes.at.map(Vector::lanes);
        for lane in solved.lanes().iter() {
            let reached = at.iter().rposition(|at| at.has(lane));
            let rung = reached.expect("a lane is on a rung");
            let puzzle = self.stuck.puzzles[self.entrance.puzzle_of[lane] as usize];
            found[puzzle as usize].er = Some(Rating(RUNGS[rung].0));
        }
        if self.additional == Additional::Leading {
            let leaving = filled.or(stuck);
            for (leading, (tenths, _)) in lanes.leading.iter().zip(RUNGS) {
                let technique = Technique::in_planes(Rating(tenths)).into_iter().collect();
                for lane in leading.and(leaving).lanes().iter() {
                    let puzzle = self.stuck.puzzles[self.entrance.puzzle_of[lane] as usize];
                    let all = &mut found[puzzle as usize].leading;
                    *all = all.or(technique);
                }
            }
        }
        if self.additional == Additional::Stuck && stuck.any() {
            let stuck = stuck.lanes();
            read_lanes(isa, &self.planes, &stuck, &mut self.grids);
            for lane in stuck.iter() {
                let puzzle = self.stuck.puzzles[self.entrance.puzzle_of[lane] as usize];
                let candidates = self.grids[lane];
                self.stalled.push(Stalled { puzzle, candidates });
            }
        }
        lanes.leave(filled.or(stuck));
    }

    /// Runs one pass over all lanes. Returns those that it changed.
    #[inline(always)]
    pub(super) fn hard_pass(&mut self, pass: Pass, lanes: &mut HardLanes<I::V>) -> I::V {
        let isa = self.isa;
        let planes = &mut *self.planes;
        let at = |tenths: u8| lanes.active.and(lanes.at[rung(tenths)]);
        match pass {
            Pass::PlaceSingles => {
                let signs = passes::place_singles(isa, planes, at(23));
                lanes.open = signs.open;
                signs.changed
            }
            Pass::Locking => {
                let lanes = locking::Lanes {
                    direct_pointing: at(17),
                    pointing: at(26),
                    claiming: at(28),
                };
                passes::locking(isa, planes, &lanes)
            }
            Pass::HiddenPair => {
                let (direct, all) = (at(20), at(34));
                passes::hidden_sets::<I, 2>(isa, planes, &hidden_set::Lanes { direct, all })
            }
            Pass::HiddenTriplet => {
                let (direct, all) = (at(25), at(40));
                passes::hidden_sets::<I, 3>(isa, planes, &hidden_set::Lanes { direct, all })
            }
            Pass::NakedPair => passes::naked_sets::<I, 2>(isa, planes, at(30)),
            Pass::XWing => passes::fish::<I, 2>(isa, planes, at(32)),
            Pass::NakedTriplet => passes::naked_sets::<I, 3>(isa, planes, at(36)),
            Pass::Swordfish => passes::fish::<I, 3>(isa, planes, at(38)),
            Pass::XyWing => passes::xy_wings(isa, planes, at(42)),
            Pass::XyzWing => passes::xyz_wings(isa, planes, at(44)),
        }
    }
}

/// A service begins when this number of lanes of a hundred are solved or stuck for good.
pub(super) const LEAVING_PERCENT: usize = 20;
