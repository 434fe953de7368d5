//! Traces: the order in which the cells of a puzzle are filled, and why.
//!
//! A trace is what a program learns from that is to solve puzzles as a person does ([`Tracer::trace`]),
//! or as a search does ([`Tracer::search`]). The steps of a person are those of
//! [`technique::steps`](crate::technique::steps), the easiest first each time, without the words. They
//! are recorded compactly, in memory that is kept. `docs/internals/sets.md` has the speed.
//!
//! The questions `TRACE` and `TRACE_STEPS` give them to users.

mod board;
mod human;
mod replay;
mod search;
mod text;

pub(crate) use replay::Extras;
pub(crate) use search::SearchTrace;
use search::{Event, EventKind};
pub(crate) use text::TraceRow;

use crate::{
    grid::{AnyPuzzle, BatchPuzzle, CELLS, Candidate, Cell, Digit, Puzzle},
    name::NameError,
    simd::{Isa, Kernel, Level, run},
    stop,
    technique::{Position, Rating, Step, Technique, chain::Work, harder_step},
};
use board::Board;
use human::Human;
use std::fmt;

/// Cells and digits, from 1, in the order in which they are filled, as `--format npy` has them: row by
/// row the number of the cell, from 0, and its digit. The rest of a row is −1.
pub(crate) type Pairs = [[i8; 2]; CELLS];

/// A step in compact layout. Its cells and strikes end at these places of the lists of [`Steps`].
#[derive(Clone, Copy, Debug)]
struct Record {
    technique: Technique,
    rating: Rating,
    /// The cell that it fills and its digit, from 0.
    place: Option<(u8, u8)>,
    digits: u16,
    cells: u32,
    strikes: u32,
}

/// The steps of one puzzle.
#[derive(Debug, Default)]
struct Steps {
    steps: Vec<Record>,
    cells: Vec<u8>,
    strikes: Vec<(u8, u8)>,
}

impl Steps {
    fn clear(&mut self) {
        self.steps.clear();
        self.cells.clear();
        self.strikes.clear();
    }

    /// Ends a step: the cells and strikes noted since the last one are its own.
    #[inline(always)]
    fn end(&mut self, technique: Technique, rating: Rating, digits: u16, place: Option<(u8, u8)>) {
        self.steps.push(Record {
            technique,
            rating,
            place,
            digits,
            cells: self.cells.len() as u32,
            strikes: self.strikes.len() as u32,
        });
    }

    /// The number of strikes before those of the next step.
    #[inline(always)]
    fn strikes_before(&self) -> usize {
        self.steps.last().map_or(0, |step| step.strikes as usize)
    }

    fn get(&self, n: usize) -> TraceStep<'_> {
        let record = &self.steps[n];
        let before = n.checked_sub(1).map(|before| &self.steps[before]);
        let (cells, strikes) = before.map_or((0, 0), |before| (before.cells, before.strikes));
        TraceStep {
            record,
            cells: &self.cells[cells as usize..record.cells as usize],
            strikes: &self.strikes[strikes as usize..record.strikes as usize],
        }
    }

    /// Notes a step of the searches over 4.4.
    fn note(&mut self, step: &Step) {
        self.cells
            .extend(step.cells.iter().map(|cell| cell.index() as u8));
        let strikes = step.strikes.iter();
        let pair = |cell: Cell, digit: Digit| (cell.index() as u8, digit.index() as u8);
        self.strikes
            .extend(strikes.map(|strike| pair(strike.cell, strike.digit)));
        let place = step.place.map(|place| pair(place.cell, place.digit));
        self.end(step.technique, step.rating(), step.digits.bits(), place);
    }
}

/// One step of a [`Trace`]: it fills a cell or strikes candidates.
#[derive(Clone, Copy, Debug)]
struct TraceStep<'t> {
    record: &'t Record,
    cells: &'t [u8],
    strikes: &'t [(u8, u8)],
}

/// The steps by which a person solves a puzzle, as far as a [`Tracer`] took them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trace<'t> {
    puzzle: &'t AnyPuzzle,
    steps: &'t Steps,
    is_filled: bool,
    gave_up: bool,
}

impl<'t> Trace<'t> {
    /// The steps in order.
    fn steps(&self) -> impl ExactSizeIterator<Item = TraceStep<'t>> + use<'t> {
        let steps = self.steps;
        (0..steps.steps.len()).map(|n| steps.get(n))
    }

    /// The technique of each step.
    pub(crate) fn techniques(&self) -> impl Iterator<Item = Technique> + use<'t> {
        self.steps.steps.iter().map(|step| step.technique)
    }

    /// Returns true if the steps fill every cell.
    pub(crate) fn is_filled(&self) -> bool {
        self.is_filled
    }

    /// Shows the positions just before the steps of some techniques, with the numbers of these steps, from 1.
    pub(crate) fn positions(
        &self,
        is_wanted: impl Fn(Technique) -> bool,
        mut see: impl FnMut(u64, Technique, &Position),
    ) {
        if !self.techniques().any(&is_wanted) {
            return;
        }
        let mut position = Position::new(*self.puzzle);
        for (number, step) in (1..).zip(self.steps()) {
            let technique = step.record.technique;
            if is_wanted(technique) {
                see(number, technique, &position);
            }
            let candidate = |(cell, digit): (u8, u8)| Candidate::known(cell.into(), digit.into());
            for &strike in step.strikes {
                position.strike(candidate(strike));
            }
            if let Some(place) = step.record.place.map(candidate) {
                position.place(place.cell, place.digit);
            }
        }
    }

    /// Returns true if the steps end because the searches for chains did the work that
    /// [`Tracer::with_max_work`] allows.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// The ER of the puzzle: the rating of the hardest step, or [`Rating::NONE`] if there is none.
    /// `None` where the steps do not fill every cell.
    pub(crate) fn rating(&self) -> Option<Rating> {
        let ratings = self.steps.steps.iter().map(|step| step.rating);
        self.is_filled
            .then(|| ratings.max().unwrap_or(Rating::NONE))
    }

    /// The cells that the steps fill, in order, and their digits.
    pub(crate) fn pairs(&self) -> Pairs {
        let mut pairs = [[-1; 2]; CELLS];
        let places = self.steps.steps.iter().filter_map(|step| step.place);
        for (pair, (cell, digit)) in pairs.iter_mut().zip(places) {
            *pair = [cell as i8, digit as i8 + 1];
        }
        pairs
    }
}

/// Records traces. It keeps its memory from puzzle to puzzle.
///
/// A trace depends on the puzzle and the bounds alone, not on the level.
pub(crate) struct Tracer {
    kernel: Box<dyn Run>,
    up_to: Rating,
    max_work: u64,
    steps: Steps,
    /// The work of the searches for chains.
    work: Work,
    search: search::Search,
    puzzle: AnyPuzzle,
}

impl fmt::Debug for Tracer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tracer")
            .field("up_to", &self.up_to)
            .field("max_work", &self.max_work)
            .finish_non_exhaustive()
    }
}

impl Default for Tracer {
    fn default() -> Self {
        Self::new()
    }
}

/// The searches up to 4.4, compiled for a level.
trait Run: Send + Sync {
    fn board(&self, puzzle: &AnyPuzzle) -> Board;
    fn run(&self, human: &mut Human<'_>, up_to: Rating);
}

struct Runner<I>(I);

struct MakeRunner;

impl Kernel for MakeRunner {
    type Output = Box<dyn Run>;
    fn call<I: Isa>(self, isa: I) -> Box<dyn Run> {
        Box::new(Runner(isa))
    }
}

impl<I: Isa> Run for Runner<I> {
    fn board(&self, puzzle: &AnyPuzzle) -> Board {
        run!(self.0, || Board::of(puzzle))
    }

    fn run(&self, human: &mut Human<'_>, up_to: Rating) {
        run!(self.0, || human.run(up_to));
    }
}

impl Tracer {
    /// A tracer at the best level of this CPU.
    pub(crate) fn new() -> Self {
        Self::with_level(Level::detect()).expect("the CPU has the level that was detected")
    }

    /// A tracer at a level, or an error if this CPU lacks it.
    pub(crate) fn with_level(level: Level) -> Result<Self, NameError> {
        Ok(Self {
            kernel: level.with(MakeRunner)?,
            up_to: Rating::HARDEST,
            max_work: u64::MAX,
            steps: Steps::default(),
            work: Work::unbounded(),
            search: search::Search::default(),
            puzzle: Puzzle::EMPTY.into(),
        })
    }

    /// The tracer whose steps end before the first with a rating over `up_to`.
    #[must_use]
    pub(crate) fn with_max_rating(mut self, up_to: Rating) -> Self {
        self.up_to = up_to.min(Rating::HARDEST);
        self
    }

    /// Ends the steps of later puzzles before the first with a rating over `up_to`.
    pub(crate) fn bound(&mut self, up_to: Rating) {
        self.up_to = up_to.min(Rating::HARDEST);
    }

    /// The tracer whose steps end when the searches for the chains of a puzzle have done this work,
    /// counted in nodes of chains.
    #[must_use]
    pub(crate) fn with_max_work(mut self, max_work: u64) -> Self {
        self.max_work = max_work;
        self
    }

    /// Records the steps of a person. The puzzle must have one solution: unique loops and BUG count on
    /// that, and a search for chains in a puzzle with very many solutions may not end.
    pub(crate) fn trace(&mut self, puzzle: impl BatchPuzzle) -> Trace<'_> {
        self.trace_until(puzzle, &mut |_| false)
    }

    /// The same up to a step for whose technique `until` returns true. It is not asked about hidden singles.
    pub(crate) fn trace_until(
        &mut self,
        puzzle: impl BatchPuzzle,
        until: &mut dyn FnMut(Technique) -> bool,
    ) -> Trace<'_> {
        stop::check();
        self.puzzle = puzzle.into();
        self.steps.clear();
        self.work.restart(self.max_work);
        let mut board = self.kernel.board(&self.puzzle);
        let in_planes = self.up_to.min(Rating::IN_PLANES);
        let mut gave_up = false;
        let mut human = Human::new(&mut board, &mut self.steps, until);
        loop {
            self.kernel.run(&mut human, in_planes);
            if human.is_filled() || human.is_enough() || self.up_to <= Rating::IN_PLANES {
                break;
            }
            let (filled, candidates) = human.position();
            match harder_step(&filled, &candidates, self.up_to, &mut self.work) {
                Ok(Some(step)) => {
                    human.take(&step);
                    if human.is_enough() {
                        break;
                    }
                }
                Ok(None) => break,
                Err(_) => {
                    gave_up = true;
                    break;
                }
            }
        }
        Trace {
            puzzle: &self.puzzle,
            is_filled: human.is_filled(),
            steps: &self.steps,
            gave_up,
        }
    }

    /// Records the [reference search](crate::solve::guesses) up to the first solution, or with `proof`
    /// to its end. `None`: it needs more guesses than `most`.
    ///
    /// If several singles are there, the order is that of the steps of a person: last cells, hidden
    /// singles in boxes, columns and rows, naked singles. Before each single comes the look for a
    /// contradiction.
    pub(crate) fn search(
        &mut self,
        puzzle: impl BatchPuzzle,
        proof: bool,
        most: u64,
    ) -> Option<SearchTrace<'_>> {
        stop::check();
        self.puzzle = puzzle.into();
        let board = self.kernel.board(&self.puzzle);
        let (search, puzzle) = (&mut self.search, &self.puzzle);
        search.run(board, proof, most).then(|| search.trace(puzzle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_batch_test_support::one_of;

    /// Puzzles with ER, EP and ED.
    const RATED: [&str; 2] = [
        include_str!("../tests/support/rated.txt"),
        include_str!("../tests/support/rated_chains.txt"),
    ];

    #[test]
    fn all_levels_give_the_same_steps() {
        let lines = RATED.into_iter().flat_map(str::lines);
        let puzzles = lines.filter_map(|line| line.get(..81)?.parse::<Puzzle>().ok());
        // Each sees a few steps of a kind. The sources run unoptimised here, and a third of them takes half a minute.
        let puzzles: Vec<_> = puzzles.step_by(one_of(30)).collect();
        let of = |level| {
            let mut tracer = Tracer::with_level(level).unwrap();
            let mut text = Vec::new();
            for puzzle in &puzzles {
                tracer
                    .trace(puzzle)
                    .write_json(Extras::default(), &mut text);
            }
            text
        };
        let best = of(Level::detect());
        assert!(Level::available().all(|level| of(level) == best));
    }
}
