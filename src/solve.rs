//! Solving: one puzzle or a batch, a solution or a count.
//!
//! A [`Solver`] answers the first three questions about a puzzle:
//!
//! | question | method | answer |
//! |---|---|---|
//! | What is its solution? | [`Solver::solve`] | an [`Outcome`]: none, the only one, or the smallest of several |
//! | Has it exactly one? | [`Solver::solve_unique`] | the solution, or why there is no single one: [`NotUniqueError`] |
//! | How many has it? | [`Solver::count`] | a number, at most the limit |
//! | How many, if they are very many? | [`Counting`] | a count in steps, which threads can share |
//! | Which are they? | [`Solutions`] | all solutions, in lexicographic order |
//!
//! **The answer depends on the puzzle alone.** It does not depend on the other puzzles
//! of a batch, the engine, the level, the number of threads or the machine. Of several
//! solutions the answer is the lexicographically smallest: the one that comes first
//! when the solutions are sorted as text of 81 digits.
//!
//! ```
//! use sudoku_batch::{Outcome, Puzzle, Solver};
//! let puzzle: Puzzle =
//!     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
//! let mut solver = Solver::new();
//! let Outcome::Unique(grid) = solver.solve(&puzzle) else { panic!("it has one solution") };
//! assert!(grid.is_solution_of(&puzzle));
//! assert_eq!(solver.solve_unique(&puzzle), Ok(grid));
//! assert_eq!(solver.count(&Puzzle::EMPTY, 1000), 1000);
//! # Ok::<(), sudoku_batch::ParseError>(())
//! ```

mod reference;
mod scalar;
mod sliced;
mod tables;

pub(crate) use crate::grid::Batch;
pub use crate::grid::BatchPuzzle;
pub(crate) use reference::answer as reference_answer;
pub use reference::{gives_up, guesses};
#[doc(hidden)]
pub use scalar::Counting;
pub use scalar::Solutions;
#[doc(hidden)]
pub use scalar::effort as scalar_effort;
pub(crate) use scalar::solution_without;
pub(crate) use sliced::{candidates_of, read_rows};

use crate::{
    grid::{BLANK, CELLS, Candidate, Candidates, Cell, Digit, Digits, Grid, GridLine, Puzzle},
    name::{NameError, named},
    simd::{Isa, Kernel, Level},
};
use sliced::Sliced;
use std::fmt;

/// A question about each puzzle of a text.
///
/// [`Solver`] has a method for each question about a [`Puzzle`].
/// [`Solver::solve_lines`] takes the question as a value instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Goal {
    /// Its solution: of several it is the lexicographically smallest.
    Solution,
    /// Its only solution.
    Unique,
    /// How many solutions has it, counted up to this limit?
    Count(u64),
}

impl Goal {
    /// The number of solutions that the engines look for. Two are enough to distinguish an only solution
    /// from one of several.
    pub const fn limit(self) -> u64 {
        match self {
            Self::Solution | Self::Unique => 2,
            Self::Count(limit) => limit,
        }
    }
}

/// The solution of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// No grid fits the clues.
    NoSolution,
    /// Exactly one grid fits the clues: this one.
    Unique(Grid),
    /// Two or more grids fit the clues. This is the lexicographically smallest.
    Multiple(Grid),
}

impl Outcome {
    /// The only or the smallest solution, or `None` if there is none.
    pub const fn solution(&self) -> Option<Grid> {
        match self {
            Self::NoSolution => None,
            Self::Unique(grid) | Self::Multiple(grid) => Some(*grid),
        }
    }

    /// Returns true if exactly one grid fits the clues.
    pub const fn is_unique(&self) -> bool {
        matches!(self, Self::Unique(_))
    }
}

/// Which singles a puzzle may be solved by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Singles {
    /// Naked singles: a cell has one candidate left.
    Naked,
    /// Naked and hidden singles: a cell has one candidate left, or a digit has one cell
    /// left in a row, column or box.
    All,
}

/// Why a puzzle has no single solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NotUniqueError {
    /// No grid fits the clues.
    #[error("no grid fits the clues")]
    NoSolution,
    /// Two or more grids fit the clues.
    #[error("several grids fit the clues")]
    Multiple,
}

/// The line of a puzzle without a solution: 81 dots and a line feed.
pub const NO_SOLUTION: GridLine = {
    let mut line = [BLANK; CELLS + 1];
    line[CELLS] = b'\n';
    line
};

named! {
    /// A way of solving.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Engine, a "engine" {
        /// One puzzle at a time, on masks of candidates.
        Scalar = "scalar",
        /// Hundreds of puzzles at a time, one bit each in every register.
        Sliced = "sliced",
    }
}

/// Every engine at every level that this CPU has, best first. The tests compare these,
/// and the benches measure them. The scalar engine is the same at all levels.
#[doc(hidden)]
pub fn registry() -> impl Iterator<Item = (Engine, Level)> {
    let sliced = Level::available().map(|level| (Engine::Sliced, level));
    sliced.chain([(Engine::Scalar, Level::Portable)])
}

/// From this size of batch on, the sliced engine is faster than the scalar one on every
/// class of puzzles. `cargo bench -p sudoku-batch-benches --bench crossover` measures it. In smaller batches the
/// empty lanes cost more than they save. (`docs/internals/laboratory.md` has the figures.)
const fn crossover(level: Level) -> usize {
    match level {
        Level::Avx512 | Level::Avx2 => 48,
        Level::Portable => 64,
        Level::Neon => 192,
    }
}

/// Solves puzzles, one or a batch at a time.
///
/// It uses its memory again from call to call: make one for each thread and keep it.
pub struct Solver {
    level: Level,
    engine: Option<Engine>,
    sliced: Option<Box<dyn BatchEngine>>,
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("level", &self.level)
            .field("engine", &self.engine)
            .finish_non_exhaustive()
    }
}

/// The number of solutions to look for. Both numbers are at least 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) plain: u64,
    pub(crate) struck: u64,
}

impl Limits {
    pub(crate) const fn same(limit: u64) -> Self {
        Self {
            plain: limit,
            struck: limit,
        }
    }

    /// The number for a puzzle with or without a strike.
    const fn of(self, strike: Option<Candidate>) -> u64 {
        match strike {
            None => self.plain,
            Some(_) => self.struck,
        }
    }
}

/// Puzzles at a number of places, which [`Solver::interview`] asks about. Each may have a strike.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    pub(crate) cells: Vec<[u8; CELLS]>,
    pub(crate) strikes: Vec<Option<Candidate>>,
    /// The most solutions to look for at each place. If it is empty, [`Limits`] says it for all.
    pub(crate) limits: Vec<u64>,
}

impl Questions {
    /// The most solutions to look for at a place.
    #[inline]
    fn limit(&self, place: usize, limits: Limits) -> u64 {
        let of_all = || limits.of(self.strikes.get(place).copied().flatten());
        self.limits.get(place).copied().unwrap_or_else(of_all)
    }
}

/// Takes answers, and decides from them what is asked next.
pub(crate) trait Interviewer {
    /// A solution of the puzzle at a place, which has no strike. `holds` says whether the solution has
    /// a digit in a cell. An engine may leave solutions out.
    fn found(&mut self, _place: usize, _holds: &dyn Fn(Cell, Digit) -> bool) {}

    /// The number of solutions of the puzzle at a place. Puts the next puzzle there, or at any other
    /// place that has its answer, and adds these places to `ask`.
    fn answered(&mut self, place: usize, count: u64, questions: &mut Questions, ask: &mut Vec<u32>);
}

trait BatchEngine: Send + Sync {
    /// Counts the solutions of each puzzle up to its limit. `strikes` has one place for
    /// each puzzle, or is empty.
    ///
    /// Writes solutions into `lines`, which has as many lines for each puzzle as for the
    /// others. They get the solutions that are found first, which may depend on the batch,
    /// or 81 dots. Of several lines of a puzzle only those with its solutions mean
    /// anything: one may be missing or come twice. Without lines, solutions are only counted, which is faster.
    fn count_lines(
        &mut self,
        puzzles: Batch<'_>,
        strikes: &[Option<Candidate>],
        limits: Limits,
        lines: &mut [GridLine],
        counts: &mut [u64],
    );

    /// See [`Solver::interview`].
    fn interview(
        &mut self,
        questions: &mut Questions,
        ask: Vec<u32>,
        limits: Limits,
        interviewer: &mut dyn Interviewer,
    );

    fn singles_solve(&mut self, cells: &[[u8; CELLS]], singles: Singles, solved: &mut [bool]);

    /// Sets how many guesses the reference search needs for each puzzle, or `None` where the search of
    /// one puzzle is to decide.
    fn guesses(&mut self, cells: &[[u8; CELLS]], most: u64, guesses: &mut [Option<u64>]);

    /// Sets for each puzzle the candidates that occur in a solution. It has several.
    fn unite(&mut self, puzzles: Batch<'_>, unions: &mut [Candidates]);
}

/// The outcome for a puzzle with this number of solutions, up to two, and its solution.
fn outcome(count: u64, solution: Option<Grid>) -> Outcome {
    match count {
        0 => Outcome::NoSolution,
        1 => Outcome::Unique(solution.expect("a solution was found")),
        _ => Outcome::Multiple(solution.expect("a solution was found")),
    }
}

/// The only solution of a puzzle with this number of solutions, up to two.
fn only(count: u64, solution: Option<Grid>) -> Result<Grid, NotUniqueError> {
    match count {
        0 => Err(NotUniqueError::NoSolution),
        1 => Ok(solution.expect("a solution was found")),
        _ => Err(NotUniqueError::Multiple),
    }
}

struct MakeSliced;

impl Kernel for MakeSliced {
    type Output = Box<dyn BatchEngine>;
    fn call<I: Isa>(self, isa: I) -> Self::Output {
        Box::new(Sliced::new(isa))
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// A solver at the best level of this CPU. It chooses the engine by the size of the
    /// batch.
    pub fn new() -> Self {
        Self {
            level: Level::detect(),
            engine: None,
            sliced: None,
        }
    }

    /// A solver at a given level.
    ///
    /// # Errors
    ///
    /// This CPU lacks the level. The error names the levels that it has.
    pub fn with_level(level: Level) -> Result<Self, NameError> {
        level.check()?;
        Ok(Self {
            level,
            engine: None,
            sliced: None,
        })
    }

    /// The solver with one engine for batches of any size.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = Some(engine);
        self
    }

    /// The level.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The engine that solves a batch of this size.
    pub fn engine_for(&self, batch: usize) -> Engine {
        let by_size = if batch < crossover(self.level) {
            Engine::Scalar
        } else {
            Engine::Sliced
        };
        self.engine.unwrap_or(by_size)
    }

    /// The solution of a puzzle: the only one, or the lexicographically smallest one of
    /// several.
    ///
    /// ```
    /// use sudoku_batch::{Outcome, Puzzle, Solver};
    /// let Outcome::Multiple(smallest) = Solver::new().solve(&Puzzle::EMPTY) else { panic!() };
    /// assert!(smallest.as_str().starts_with("123456789456789123789123456"));
    /// ```
    pub fn solve(&mut self, puzzle: impl BatchPuzzle) -> Outcome {
        self.ask(Goal::Solution, Batch::one(&puzzle.into()), outcome)[0]
    }

    /// The solutions of a batch. Outcome i is what [`solve`](Self::solve) returns for
    /// puzzle i.
    pub fn solve_batch<P: BatchPuzzle>(&mut self, puzzles: &[P]) -> Vec<Outcome> {
        P::ask(puzzles, |batch| self.ask(Goal::Solution, batch, outcome))
    }

    /// The only solution of a puzzle.
    ///
    /// This is faster than [`solve`](Self::solve) for a puzzle with several solutions,
    /// because it need not find the smallest.
    ///
    /// # Errors
    ///
    /// The puzzle has no solution, or several.
    pub fn solve_unique(&mut self, puzzle: impl BatchPuzzle) -> Result<Grid, NotUniqueError> {
        self.ask(Goal::Unique, Batch::one(&puzzle.into()), only)[0]
    }

    /// The only solutions of a batch. Result i is what
    /// [`solve_unique`](Self::solve_unique) returns for puzzle i.
    pub fn solve_unique_batch<P: BatchPuzzle>(
        &mut self,
        puzzles: &[P],
    ) -> Vec<Result<Grid, NotUniqueError>> {
        P::ask(puzzles, |batch| self.ask(Goal::Unique, batch, only))
    }

    /// The number of solutions that a puzzle has, at most `limit`.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, Solver};
    /// // The digits 1 and 2 may change places in the four blank cells.
    /// let puzzle: Puzzle =
    ///     "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642".parse()?;
    /// let mut solver = Solver::new();
    /// assert_eq!(solver.count(&puzzle, 100), 2);
    /// assert_eq!(solver.count(&Puzzle::EMPTY, 100), 100);
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn count(&mut self, puzzle: impl BatchPuzzle, limit: u64) -> u64 {
        self.counts(Batch::one(&puzzle.into()), &[], limit)[0]
    }

    /// The number of solutions of each puzzle of a batch, at most `limit`.
    ///
    /// ```
    /// use sudoku_batch::{Candidates, Puzzle, Solver};
    /// let mut solver = Solver::new();
    /// assert_eq!(solver.count_batch(&[Puzzle::EMPTY], 10), [10]);
    /// assert_eq!(solver.count_batch(&[Candidates::ALL; 2], 10), [10, 10]);
    /// ```
    pub fn count_batch<P: BatchPuzzle>(&mut self, puzzles: &[P], limit: u64) -> Vec<u64> {
        P::ask(puzzles, |batch| self.counts(batch, &[], limit))
    }

    fn counts(
        &mut self,
        puzzles: Batch<'_>,
        strikes: &[Option<Candidate>],
        limit: u64,
    ) -> Vec<u64> {
        let mut counts = vec![0; puzzles.len()];
        if limit != 0 {
            self.count_lines(puzzles, strikes, Limits::same(limit), &mut [], &mut counts);
        }
        counts
    }

    /// The candidates of each puzzle that occur in at least one solution: its *true candidates*, as setters
    /// call them. A puzzle without a solution has none.
    ///
    /// No list of solutions is made. Each solution that is found marks 81 candidates, and the others are
    /// asked about: a puzzle with a million solutions takes no longer than one with fifty.
    ///
    /// ```
    /// use sudoku_batch::{Candidates, Puzzle, Solver};
    /// // The digits 1 and 2 may change places in the four blank cells.
    /// let puzzle: Puzzle =
    ///     "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642".parse()?;
    /// let [candidates, empty] = Solver::new().true_candidates_batch(&[puzzle, Puzzle::EMPTY])[..] else {
    ///     unreachable!()
    /// };
    /// assert_eq!(candidates.get(sudoku_batch::Cell::at(0, 0)).to_string(), "12");
    /// assert_eq!((candidates.count(), empty), (85, Candidates::ALL));
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn true_candidates_batch<P: BatchPuzzle>(&mut self, puzzles: &[P]) -> Vec<Candidates> {
        let none = Candidates::from_cells(&[Digits::NONE; CELLS]);
        let (mut places, mut several) = (Vec::new(), Vec::new());
        let outcomes = self.solve_unique_batch(puzzles);
        let mut unions: Vec<_> = outcomes
            .iter()
            .zip(puzzles)
            .enumerate()
            .map(|(place, (outcome, puzzle))| match outcome {
                Ok(grid) => Puzzle::from(*grid).into(),
                Err(NotUniqueError::NoSolution) => none,
                Err(NotUniqueError::Multiple) => {
                    places.push(place);
                    several.push(*puzzle);
                    none
                }
            })
            .collect();
        let found = self.true_candidates_of_several(&several);
        for (place, union) in places.into_iter().zip(found) {
            unions[place] = union;
        }
        unions
    }

    /// The same for puzzles that have several solutions.
    pub(crate) fn true_candidates_of_several<P: BatchPuzzle>(
        &mut self,
        puzzles: &[P],
    ) -> Vec<Candidates> {
        P::ask(puzzles, |batch| self.unite(batch))
    }

    fn unite(&mut self, puzzles: Batch<'_>) -> Vec<Candidates> {
        let mut unions = vec![Candidates::ALL; puzzles.len()];
        match self.engine_for(puzzles.len()) {
            Engine::Sliced => self.sliced().unite(puzzles, &mut unions),
            Engine::Scalar => {
                for (puzzle, union) in unions.iter_mut().enumerate() {
                    let mut marked = [0; CELLS];
                    scalar::unite(&puzzles.masks(puzzle), &mut marked);
                    *union = Candidates::from_cells(&marked.map(Digits::from_bits));
                }
            }
        }
        unions
    }

    /// The number of solutions that each puzzle of a batch has in which a given cell does *not*
    /// hold a given digit, at most `limit`. Strike i belongs to puzzle i. If it is a clue of the puzzle, there is no
    /// solution.
    ///
    /// This makes puzzles quickly. A program that removes clues from a grid knows the
    /// solution. It may remove a clue exactly when the puzzle without it, and with its
    /// digit struck from its cell, has no solution.
    ///
    /// ```
    /// use sudoku_batch::{Cell, Digit, Puzzle, Solver, grid::Candidate};
    /// // The digits 1 and 2 may change places in the four blank cells.
    /// let puzzle: Puzzle =
    ///     "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642".parse()?;
    /// let strike = |cell, digit| Candidate { cell, digit: Digit::new(digit).unwrap() };
    /// let strikes = [strike(Cell::at(0, 0), 1), strike(Cell::at(0, 2), 3)];
    /// assert_eq!(Solver::new().count_struck_batch(&[puzzle; 2], &strikes, 2), [1, 0]);
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// `strikes` and `puzzles` differ in length.
    pub fn count_struck_batch(
        &mut self,
        puzzles: &[Puzzle],
        strikes: &[Candidate],
        limit: u64,
    ) -> Vec<u64> {
        assert_eq!(puzzles.len(), strikes.len(), "a strike for each puzzle");
        let strikes: Vec<_> = strikes.iter().copied().map(Some).collect();
        Puzzle::ask(puzzles, |batch| self.counts(batch, &strikes, limit))
    }

    /// Returns true for each puzzle of a batch that singles alone solve: a cell has one candidate left, or a digit
    /// has one cell left in a row, column or box. Such a puzzle has one solution.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, Solver};
    /// let puzzle: Puzzle =
    ///     "3.65.84..52........87....31..3.1..8.9..863..5.5..9.6..13....25........74..52.63..".parse()?;
    /// let mut solver = Solver::new();
    /// assert_eq!(solver.singles_solve_batch(&[puzzle, Puzzle::EMPTY]), [true, false]);
    /// assert_eq!(solver.naked_singles_solve_batch(&[puzzle]), [false]);
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn singles_solve_batch(&mut self, puzzles: &[Puzzle]) -> Vec<bool> {
        let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
        self.singles_solve_cells(&cells, Singles::All)
    }

    /// Returns true for each puzzle of a batch that naked singles alone solve: a cell has one candidate left.
    pub fn naked_singles_solve_batch(&mut self, puzzles: &[Puzzle]) -> Vec<bool> {
        let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
        self.singles_solve_cells(&cells, Singles::Naked)
    }

    /// The number of guesses that the reference search needs for each puzzle of a batch, or `None` where it needs
    /// more than `most`: what [`guesses`] returns, sooner.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, Solver, solve::guesses};
    /// let puzzle: Puzzle =
    ///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
    /// let batch = [puzzle; 100];
    /// assert_eq!(Solver::new().guesses_batch(&batch, 1000), [guesses(&puzzle, 1000); 100]);
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn guesses_batch(&mut self, puzzles: &[Puzzle], most: u64) -> Vec<Option<u64>> {
        let mut numbers = vec![None; puzzles.len()];
        if self.engine_for(puzzles.len()) == Engine::Sliced {
            let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
            self.sliced().guesses(&cells, most, &mut numbers);
        }
        for (number, puzzle) in numbers.iter_mut().zip(puzzles) {
            *number = number.or_else(|| guesses(puzzle, most));
        }
        numbers
    }

    fn sliced(&mut self) -> &mut dyn BatchEngine {
        let level = self.level;
        let make = || level.with(MakeSliced).expect("the level was checked");
        self.sliced.get_or_insert_with(make).as_mut()
    }

    /// Returns true for each puzzle that singles alone solve, given as its cells.
    pub(crate) fn singles_solve_cells(
        &mut self,
        cells: &[[u8; CELLS]],
        singles: Singles,
    ) -> Vec<bool> {
        let mut solved = vec![false; cells.len()];
        self.sliced().singles_solve(cells, singles, &mut solved);
        solved
    }

    /// Counts the solutions of the puzzles at the places `ask`, and of those that the interviewer puts
    /// there when it has the answers, until it asks no more. Between a puzzle and the next one at its place
    /// the engine is not empty, as it is between two batches.
    pub(crate) fn interview(
        &mut self,
        questions: &mut Questions,
        mut ask: Vec<u32>,
        limits: Limits,
        interviewer: &mut dyn Interviewer,
    ) {
        if self.engine_for(ask.len()) == Engine::Scalar {
            // An interviewer may ask about more puzzles from answer to answer.
            let most = match self.engine {
                Some(_) => usize::MAX,
                None => crossover(self.level),
            };
            ask = scalar::interview(questions, ask, limits, interviewer, most);
        }
        if !ask.is_empty() {
            self.sliced().interview(questions, ask, limits, interviewer);
        }
    }

    /// Counts the solutions of puzzles up to a limit. Each has a strike, or none has. There are as many lines for each
    /// as for the others. They get solutions, which may depend on the batch: one may be missing or come twice.
    pub(crate) fn solutions_of(
        &mut self,
        cells: &[[u8; CELLS]],
        strikes: &[Option<Candidate>],
        limit: u64,
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        let limits = Limits::same(limit);
        self.count_lines(Batch::Cells(cells), strikes, limits, lines, counts);
    }

    /// Counts with the engine that suits the size of the batch, see [`BatchEngine`].
    fn count_lines(
        &mut self,
        puzzles: Batch<'_>,
        strikes: &[Option<Candidate>],
        limits: Limits,
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        match self.engine_for(puzzles.len()) {
            Engine::Scalar => scalar::count_lines(puzzles, strikes, limits, lines, counts),
            Engine::Sliced => self
                .sliced()
                .count_lines(puzzles, strikes, limits, lines, counts),
        }
    }

    /// Asks about a batch. `answer` gets the count of each puzzle and the solution in
    /// its line.
    fn ask<T>(
        &mut self,
        goal: Goal,
        puzzles: Batch<'_>,
        answer: impl Fn(u64, Option<Grid>) -> T,
    ) -> Vec<T> {
        let mut lines = vec![NO_SOLUTION; puzzles.len()];
        let mut counts = vec![0; puzzles.len()];
        self.answer_lines(goal, puzzles, &mut lines, &mut counts);
        let solution =
            |line: &GridLine| Grid::from_ascii(line.first_chunk().expect("81 of 82")).ok();
        let answers = lines.iter().zip(counts);
        answers
            .map(|(line, count)| answer(count, solution(line)))
            .collect()
    }

    /// Asks about a batch from text to text. This is the fastest way.
    ///
    /// `counts[i]` becomes the number of solutions of puzzle i, at most
    /// [the limit of the goal](Goal::limit). `lines[i]` becomes a solution and a
    /// line feed, or 81 dots and a line feed if there is none to give.
    /// [`Goal::Count`] gives a solution only if it is known to be the only one, which
    /// takes a limit of 2 or more.
    ///
    /// # Panics
    ///
    /// The three slices differ in length, or the sliced engine is given more than
    /// 2^32 - 2 puzzles.
    pub fn solve_lines<P: BatchPuzzle>(
        &mut self,
        goal: Goal,
        puzzles: &[P],
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        P::ask(puzzles, |batch| {
            self.answer_lines(goal, batch, lines, counts)
        });
    }

    /// The number of solutions of one puzzle, and its line: see [`solve_lines`](Self::solve_lines).
    #[doc(hidden)]
    pub fn solve_line(&mut self, goal: Goal, puzzle: impl BatchPuzzle) -> (u64, GridLine) {
        let (mut count, mut line) = ([0], [NO_SOLUTION]);
        self.answer_lines(goal, Batch::one(&puzzle.into()), &mut line, &mut count);
        (count[0], line[0])
    }

    /// [`solve_lines`](Self::solve_lines) of a batch of either kind.
    pub(crate) fn answer_lines(
        &mut self,
        goal: Goal,
        puzzles: Batch<'_>,
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        assert!(puzzles.len() == lines.len() && puzzles.len() == counts.len());
        let limit = goal.limit();
        if limit == 0 {
            counts.fill(0);
            lines.fill(NO_SOLUTION);
            return;
        }
        self.count_lines(puzzles, &[], Limits::same(limit), lines, counts);
        // Each line holds some solution now. If the limit is 2 or more and the count is
        // 1, it is the only one. Otherwise it may depend on the batch, so it is replaced.
        for (puzzle, (line, &count)) in lines.iter_mut().zip(&*counts).enumerate() {
            if count > 1 || limit == 1 && count == 1 {
                match goal {
                    Goal::Solution => scalar::smallest(puzzles, puzzle, line),
                    Goal::Unique | Goal::Count(_) => *line = NO_SOLUTION,
                }
            }
        }
    }
}
