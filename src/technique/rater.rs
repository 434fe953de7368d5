//! Ratings of many puzzles.

use super::{
    ORDER, Position, Rating, Ratings, Step, Steps, Technique, Techniques, TrialDepth,
    batch::{Additional, BatchTechniques, Bounds, Found, MakeBatch},
    chain::{Crew, Work},
    climb::Stall,
    position::Known,
    trial::Trials,
};
use crate::{
    grid::{CELLS, Candidates, GridLine, Puzzle},
    name::NameError,
    simd::Level,
    solve::{Batch, BatchPuzzle, Goal, NO_SOLUTION, NotUniqueError, Solver},
};
use std::{fmt, sync::Arc};

/// Rates puzzles in bulk. It keeps its memory from batch to batch.
///
/// The ratings are those of [`rate`](super::rate). They depend on the puzzle alone, not on
/// the other puzzles of a batch or the level.
pub(crate) struct Rater {
    level: Level,
    bounds: Bounds,
    crew: Option<Arc<dyn Crew>>,
    batch: Box<dyn BatchTechniques>,
    /// The findings of techniques about the puzzles of a batch.
    found: Vec<Found>,
    solver: Solver,
    /// The trials, once a depth is asked for.
    trials: Option<Trials>,
    /// The puzzles that techniques up to 4.4 do not solve, their numbers in the batch, the solution of
    /// each that has one, and how many it has.
    unsolved: Vec<[u8; CELLS]>,
    unsolved_numbers: Vec<u32>,
    lines: Vec<GridLine>,
    unsolved_counts: Vec<u64>,
    /// The number of solutions that each puzzle of a batch has, up to two.
    counts: Vec<u64>,
}

impl fmt::Debug for Rater {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rater")
            .field("level", &self.level)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}

impl Default for Rater {
    fn default() -> Self {
        Self::new()
    }
}

impl Rater {
    /// A rater at the best level of this CPU.
    pub(crate) fn new() -> Self {
        Self::with_level(Level::detect()).expect("the CPU has the level that was detected")
    }

    /// A rater at a level, or an error if this CPU lacks it.
    pub(crate) fn with_level(level: Level) -> Result<Self, NameError> {
        Ok(Self {
            level,
            bounds: Bounds {
                up_to: Rating::HARDEST,
                max_work: u64::MAX,
            },
            crew: None,
            batch: level.with(MakeBatch)?,
            found: Vec::new(),
            solver: Solver::with_level(level)?,
            trials: None,
            unsolved: Vec::new(),
            unsolved_numbers: Vec::new(),
            lines: Vec::new(),
            unsolved_counts: Vec::new(),
            counts: Vec::new(),
        })
    }

    /// The rater that takes no step with a rating over `up_to`. What needs more is rated as
    /// beyond it, see [`Ratings`]. The lower the bound, the less work.
    pub(crate) fn with_max_rating(mut self, up_to: Rating) -> Self {
        self.bounds.up_to = up_to.min(Rating::HARDEST);
        self
    }

    /// Rates with these bounds from now on.
    pub(crate) fn bound(&mut self, up_to: Rating, max_work: u64) {
        self.bounds.up_to = up_to.min(Rating::HARDEST);
        self.bounds.max_work = max_work;
    }

    /// The rater that gives up on a puzzle when the searches for its chains have done this
    /// work. Work is counted in nodes of chains, so it is the same on every machine. See
    /// [`Ratings::gave_up`].
    pub(crate) fn with_max_work(mut self, max_work: u64) -> Self {
        self.bounds.max_work = max_work;
        self
    }

    /// The depth of trial and error of each puzzle, or the reason why it has no single solution. No bound of
    /// the rater changes it. A puzzle that is given by candidates begins with these.
    pub(crate) fn trial_depths<P: BatchPuzzle>(
        &mut self,
        puzzles: &[P],
    ) -> Vec<Result<TrialDepth, NotUniqueError>> {
        P::ask(puzzles, |batch| self.depths_of(batch))
    }

    /// [`trial_depths`](Self::trial_depths) of a batch of either kind.
    pub(crate) fn depths_of(
        &mut self,
        puzzles: Batch<'_>,
    ) -> Vec<Result<TrialDepth, NotUniqueError>> {
        let level = self.level;
        let make = || Trials::with_level(level).expect("the rater has the level");
        self.trials.get_or_insert_with(make).depths(puzzles)
    }

    /// Searches with these from now on, or alone. The ratings are the same.
    pub(crate) fn share_with(&mut self, crew: Option<Arc<dyn Crew>>) {
        self.batch.share_with(crew.clone());
        self.crew = crew;
    }

    /// Rates each puzzle of a batch, or says why it has no single solution. A puzzle that is given by
    /// candidates is rated from the position as it is: see [`Position::new`].
    pub(crate) fn rate_batch<P: BatchPuzzle>(
        &mut self,
        puzzles: &[P],
    ) -> Vec<Result<Ratings, NotUniqueError>> {
        let mut ratings = Vec::with_capacity(puzzles.len());
        P::ask(puzzles, |batch| match batch {
            Batch::Cells(cells) => self.rate_cells(cells, |rating| ratings.push(rating)),
            Batch::Candidates(puzzles) => ratings.extend(self.rate_candidates(puzzles)),
        });
        ratings
    }

    fn rate_candidates(
        &mut self,
        puzzles: &[Candidates],
    ) -> impl Iterator<Item = Result<Ratings, NotUniqueError>> {
        let solutions = self.solver.solve_unique_batch(puzzles);
        let Bounds { up_to, max_work } = self.bounds;
        puzzles
            .iter()
            .zip(solutions)
            .map(move |(puzzle, solution)| {
                solution?;
                let steps = Steps::from(Position::new(puzzle)).with_max_rating(up_to);
                let steps = steps.with_max_work(max_work).with_crew(self.crew.clone());
                Ok(steps.ratings(|_| ()))
            })
    }

    /// Rates puzzles given as text, in order. Characters other than the digits `1` to `9`
    /// are blanks.
    pub(crate) fn rate_cells(
        &mut self,
        cells: &[[u8; CELLS]],
        mut answer: impl FnMut(Result<Ratings, NotUniqueError>),
    ) {
        let climbs = self.bounds.up_to > Rating::IN_PLANES;
        let most = self.bounds.up_to.min(Rating::IN_PLANES);
        let additional = if climbs {
            Additional::Stuck
        } else {
            Additional::Nothing
        };
        self.batch.run(cells, most, additional, &mut self.found);
        self.count_solutions(cells);
        if climbs {
            let lines = (&self.unsolved_numbers, &self.unsolved_counts, &self.lines);
            let solution = |puzzle| {
                let (numbers, counts, lines) = lines;
                let n = numbers.binary_search(&puzzle).ok()?;
                (counts[n] == 1).then(|| &lines[n])
            };
            self.batch.climb(self.bounds, &solution, &mut self.found);
        }
        let answers = cells.iter().zip(&self.found).zip(&self.counts);
        for (puzzle, ((cells, found), count)) in (0..).zip(answers) {
            answer(match count {
                0 => Err(NotUniqueError::NoSolution),
                1 => Ok(ratings(
                    cells,
                    *found,
                    || self.batch.stalls(puzzle),
                    self.bounds,
                )),
                _ => Err(NotUniqueError::Multiple),
            });
        }
    }

    /// The ER of puzzles with one solution, in order. `None` is an ER over `most`, which is 4.4 at
    /// most. The lower it is, the less work.
    pub(crate) fn ers(
        &mut self,
        cells: &[[u8; CELLS]],
        most: Rating,
    ) -> impl Iterator<Item = Option<Rating>> {
        self.batch
            .run(cells, most, Additional::Nothing, &mut self.found);
        self.found.iter().map(|found| found.er)
    }

    /// [`ers`](Self::ers) of puzzles with one solution, and their techniques from 1.7 to `most` that lead on at once:
    /// each has a step in the position in which all easier techniques lead nowhere. Each path has these steps. It may have
    /// steps of other techniques after harder ones.
    pub(crate) fn leading(
        &mut self,
        cells: &[[u8; CELLS]],
        most: Rating,
    ) -> impl Iterator<Item = (Option<Rating>, Techniques)> {
        self.batch
            .run(cells, most, Additional::Leading, &mut self.found);
        self.found.iter().map(|found| (found.er, found.leading))
    }

    /// Counts the solutions of puzzles, up to two. A puzzle that techniques up to 4.4 solve has
    /// one.
    fn count_solutions(&mut self, cells: &[[u8; CELLS]]) {
        self.unsolved.clear();
        self.unsolved_numbers.clear();
        for ((cells, found), number) in cells.iter().zip(&self.found).zip(0..) {
            if found.er.is_none() {
                self.unsolved.push(*cells);
                self.unsolved_numbers.push(number);
            }
        }
        self.lines.resize(self.unsolved.len(), NO_SOLUTION);
        self.unsolved_counts.resize(self.unsolved.len(), 0);
        let (lines, counts) = (&mut self.lines, &mut self.unsolved_counts);
        let unsolved = Batch::Cells(&self.unsolved);
        self.solver
            .answer_lines(Goal::Count(2), unsolved, lines, counts);
        let mut unsolved = self.unsolved_counts.iter();
        self.counts.clear();
        self.counts
            .extend(self.found.iter().map(|found| match found.er {
                Some(_) => 1,
                None => *unsolved.next().expect("each of the others was counted"),
            }));
    }
}

/// The ratings of a puzzle with one solution.
fn ratings<'a>(
    cells: &[u8; CELLS],
    found: Found,
    stalls: impl FnOnce() -> &'a [Stall],
    bounds: Bounds,
) -> Ratings {
    let (ed, ep) = match found.ed {
        Some(first) => (Some(first), Some(first)),
        // Rare: neither a last cell nor a hidden single is there at the start.
        None => {
            let mut steps = FirstSteps {
                position: Position::new(Puzzle::with_blanks_for_others(cells)),
                stalls: stalls(),
                up_to: bounds.up_to,
                work: Work::up_to(bounds.max_work).without_nodes(),
            };
            let is_filled = steps.position.is_filled();
            let (ed, ep, _) = super::first_placement(&mut steps, is_filled, &mut |_| ());
            (ed, ep)
        }
    };
    // The planes know nothing of a bound.
    let within = |rating: Option<Rating>| rating.filter(|&rating| rating <= bounds.up_to);
    let er = within(found.er);
    let technique = er.and_then(|er| found.technique.or_else(|| Technique::in_planes(er)));
    Ratings {
        er,
        ep: within(ep),
        ed: within(ed),
        technique,
        up_to: bounds.up_to,
        gave_up: found.gave_up,
    }
}

/// The steps of a puzzle up to the first that places a digit. The steps over 4.4 are known: up to 4.4 all orders of
/// steps lead to the same candidates, so the climb stalled in the same positions.
struct FirstSteps<'a> {
    position: Position,
    stalls: &'a [Stall],
    up_to: Rating,
    work: Work,
}

impl Iterator for FirstSteps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let most = self.up_to.min(Rating::IN_PLANES);
        let position = &self.position;
        let work = &mut self.work;
        let step = position.first_step_of(&ORDER, most, Known::NOTHING, work, |_| true);
        let step = match step.ok()? {
            Some(step) => step,
            None if self.up_to <= Rating::IN_PLANES => return None,
            None => {
                let candidates = position.stalled();
                let mut stalls = self.stalls.iter();
                let stall = stalls.find(|(stalled, _)| *stalled == candidates);
                debug_assert!(stall.is_some(), "the climb stalled here");
                let step = match stall {
                    Some((_, step)) => step.clone(),
                    None => {
                        let (up_to, known) = (self.up_to, Known::NOTHING);
                        position.first_step_of(super::above_planes(), up_to, known, work, |_| true)
                    }
                };
                step.ok()??
            }
        };
        self.position.apply(&step);
        Some(step)
    }
}
