//! The depth of trial and error (T&E) that a puzzle takes, by Denis Berthier's definition.
//!
//! *T&E(0)* is the closure by singles: a placed digit is struck from its peers, and naked and hidden singles are placed, to the
//! end. *T&E(n)* supposes each candidate in turn, and closes the supposition by T&E(n-1). A candidate whose supposition
//! ends in a contradiction (a cell or a digit of a house without a candidate) is struck for good, and T&E(0) follows;
//! again and again, until a whole round strikes nothing. The depth of a puzzle is the smallest n such that T&E(n) solves it.
//! (D. Berthier, *Pattern-Based Constraint Satisfaction and Logic Puzzles*, 2012; his program is SHC.)
//!
//! All rules only strike, and what they strike with more candidates they strike with fewer. So the order does
//! not matter: the depth is a property of the puzzle, and suppositions can be made side by side, in lanes.
//!
//! ```text
//!     puzzles --> one lane each --> 16 lanes each --> 64 lanes for each supposition
//!                 (singles.rs)      (once.rs)         (nested.rs, context.rs)
//!                 depth 0           depth 1           depths 2 and 3
//! ```
//!
//! Three thoughts save most of the work:
//!
//! - *The solution is known.* The solver has counted the solutions, so only false candidates are supposed. A true one cannot
//!   fail. Inside a false supposition all candidates may fail, and all are supposed.
//! - *Few failures are enough.* A puzzle that depth n solves needs no closure: it is done when the candidates
//!   that have failed so far solve it. So those come first that are likely to fail, and whose failure places a digit.
//! - *Nothing is made twice.* A supposition goes on from where it was when a candidate that it has left is struck,
//!   and is as good as new when it had not left it.

mod context;
mod nested;
mod once;
mod planes;
mod singles;
mod slots;

use crate::{
    grid::CELLS,
    name::{NameError, named},
    simd::{Isa, Kernel, Level},
    solve::{Batch, Goal, NO_SOLUTION, NotUniqueError, Solver},
};
use nested::Nested;
use once::{Ended, Once};
use singles::Singles;
use slots::Marks;

named! {
    /// The depth of trial and error that a puzzle takes: the smallest n such that T&E(n) with singles solves it.
    ///
    /// T&E(0) places naked and hidden singles. T&E(n) strikes each candidate whose supposition, closed by T&E(n-1), ends
    /// in a contradiction. Nearly all puzzles have depth 0 or 1, the hardest known ones 2, and very few 3.
    ///
    /// ```
    /// use sudoku_batch::technique::TrialDepth;
    /// assert_eq!("2".parse(), Ok(TrialDepth::Two));
    /// assert!(TrialDepth::Beyond > TrialDepth::Three);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum TrialDepth, a "depth" {
        /// Singles solve it.
        Zero = "0",
        /// Suppositions that are closed by singles solve it.
        One = "1",
        /// Suppositions that are closed by T&E(1) solve it.
        Two = "2",
        /// Suppositions that are closed by T&E(2) solve it.
        Three = "3",
        /// T&E(3) does not solve it. No such puzzle is known.
        Beyond = "beyond",
    }
}

/// A position that singles do not solve, closed by them.
struct Task {
    marks: Marks,
    solution: Marks,
}

/// Makes the lanes at a level.
struct MakeLanes;

impl Kernel for MakeLanes {
    type Output = Box<dyn BatchTrials>;
    fn call<I: Isa>(self, isa: I) -> Self::Output {
        Box::new(AtLevel {
            singles: Singles::new(isa),
            once: Once::new(isa),
            nested: Nested::new(isa),
        })
    }
}

/// Finds depths at some level.
trait BatchTrials: Send + Sync {
    /// Closes puzzles by singles. `stuck` gets those that are not solved, in any order.
    fn singles(&mut self, puzzles: Batch<'_>, stuck: &mut dyn FnMut(usize, &Marks));

    /// Finds the depths of positions that singles do not solve.
    fn depths(&mut self, tasks: &[Task], answer: &mut dyn FnMut(usize, TrialDepth));
}

struct AtLevel<I: Isa> {
    singles: Singles<I>,
    once: Once<I>,
    nested: Nested<I>,
}

impl<I: Isa> BatchTrials for AtLevel<I> {
    fn singles(&mut self, puzzles: Batch<'_>, stuck: &mut dyn FnMut(usize, &Marks)) {
        self.singles.run(puzzles, stuck);
    }

    fn depths(&mut self, tasks: &[Task], answer: &mut dyn FnMut(usize, TrialDepth)) {
        let mut left = Vec::new();
        let mut is_left = vec![false; tasks.len()];
        self.once.run(tasks, |number, ended| {
            if let Some(marks) = ended.marks {
                left.push((number, marks));
                is_left[number] = true;
            }
        });
        for number in (0..tasks.len()).filter(|number| !is_left[*number]) {
            answer(number, TrialDepth::One);
        }
        let nested: Vec<_> = left
            .iter()
            .map(|(number, marks)| (&tasks[*number], *marks))
            .collect();
        self.nested
            .run(&nested, |number, depth| answer(left[number].0, depth));
    }
}

/// Finds the [depths](TrialDepth) of puzzles in bulk. It keeps its memory from batch to batch.
///
/// A depth depends on the puzzle alone, not on the other puzzles of a batch or the level.
pub(super) struct Trials {
    lanes: Box<dyn BatchTrials>,
    solver: Solver,
}

impl Trials {
    /// The trials at a level, or an error if this CPU lacks it.
    pub(super) fn with_level(level: Level) -> Result<Self, NameError> {
        Ok(Self {
            lanes: level.with(MakeLanes)?,
            solver: Solver::with_level(level)?,
        })
    }

    /// Answers `Rater::trial_depths`.
    pub(super) fn depths(&mut self, puzzles: Batch<'_>) -> Vec<Result<TrialDepth, NotUniqueError>> {
        let mut depths = vec![Ok(TrialDepth::Zero); puzzles.len()];
        let (mut stuck, mut positions) = (Vec::new(), Vec::new());
        self.lanes.singles(puzzles, &mut |number, marks| {
            stuck.push(number);
            positions.push(*marks);
        });
        let mut lines = vec![NO_SOLUTION; stuck.len()];
        let mut counts = vec![0; stuck.len()];
        let (solver, goal) = (&mut self.solver, Goal::Count(2));
        match puzzles {
            Batch::Cells(cells) => {
                let stuck = chosen(cells, &stuck);
                solver.answer_lines(goal, Batch::Cells(&stuck), &mut lines, &mut counts);
            }
            Batch::Candidates(candidates) => {
                let stuck = chosen(candidates, &stuck);
                solver.answer_lines(goal, Batch::Candidates(&stuck), &mut lines, &mut counts);
            }
        }
        let (mut tasks, mut numbers) = (Vec::new(), Vec::new());
        for ((&number, marks), (line, count)) in
            stuck.iter().zip(positions).zip(lines.iter().zip(counts))
        {
            match count {
                0 => depths[number] = Err(NotUniqueError::NoSolution),
                1 => {
                    let mut solution = [0; CELLS];
                    for (solution, digit) in solution.iter_mut().zip(line) {
                        *solution = 1 << (digit - b'1');
                    }
                    numbers.push(number);
                    tasks.push(Task { marks, solution });
                }
                _ => depths[number] = Err(NotUniqueError::Multiple),
            }
        }
        self.lanes
            .depths(&tasks, &mut |task, depth| depths[numbers[task]] = Ok(depth));
        depths
    }
}

/// Closes puzzles by singles, in lanes.
pub(crate) struct Closures(Box<dyn BatchSingles>);

/// Closes puzzles by singles at some level.
trait BatchSingles: Send + Sync {
    /// See [`Singles::run`].
    fn run(&mut self, puzzles: Batch<'_>, stuck: &mut dyn FnMut(usize, &Marks));
}

impl<I: Isa> BatchSingles for Singles<I> {
    fn run(&mut self, puzzles: Batch<'_>, stuck: &mut dyn FnMut(usize, &Marks)) {
        Singles::run(self, puzzles, stuck);
    }
}

/// Makes the lanes of singles alone at a level.
struct MakeSingles;

impl Kernel for MakeSingles {
    type Output = Box<dyn BatchSingles>;
    fn call<I: Isa>(self, isa: I) -> Self::Output {
        Box::new(Singles::new(isa))
    }
}

impl Default for Closures {
    fn default() -> Self {
        Self(
            Level::detect()
                .with(MakeSingles)
                .expect("this CPU has the level"),
        )
    }
}

impl Closures {
    /// Tells, in any order, which puzzles singles do not solve, and the cells that are filled then: bit `c` for the cell
    /// `c`. The puzzles have a solution.
    pub(crate) fn stuck(&mut self, puzzles: Batch<'_>, stuck: &mut dyn FnMut(usize, u128)) {
        self.left(puzzles, &mut |number, marks| {
            let cells = marks.iter().enumerate();
            let filled = cells.filter(|(_, marks)| marks.count_ones() <= 1);
            stuck(
                number,
                filled.fold(0, |filled, (cell, _)| filled | 1 << cell),
            );
        });
    }
}

impl Closures {
    /// Tells the same puzzles, and the candidates that are left in each cell: a bit for each digit. No cell has any where
    /// singles lead to a contradiction.
    pub(crate) fn left(&mut self, puzzles: Batch<'_>, left: &mut dyn FnMut(usize, &[u16; CELLS])) {
        self.0.run(puzzles, left);
    }
}

/// Closes positions by suppositions that singles close: T&E(1).
pub(crate) struct Refutations(Box<dyn BatchRefutations>);

/// Closes positions at some level.
trait BatchRefutations: Send + Sync {
    /// See [`Once::run`].
    fn run(&mut self, tasks: &[Task], ended: &mut dyn FnMut(usize, Ended));
}

impl<I: Isa> BatchRefutations for Once<I> {
    fn run(&mut self, tasks: &[Task], ended: &mut dyn FnMut(usize, Ended)) {
        Once::run(self, tasks, ended);
    }
}

/// Makes the lanes of suppositions alone at a level.
struct MakeRefutations;

impl Kernel for MakeRefutations {
    type Output = Box<dyn BatchRefutations>;
    fn call<I: Isa>(self, isa: I) -> Self::Output {
        Box::new(Once::new(isa))
    }
}

impl Default for Refutations {
    fn default() -> Self {
        let lanes = Level::detect().with(MakeRefutations);
        Self(lanes.expect("this CPU has the level"))
    }
}

impl Refutations {
    /// Closes positions that singles do not solve, and that are closed by them, each with its solution: a bit for each
    /// candidate of a cell. Tells for each number, in any order, how many suppositions held out on the way, and what
    /// is left if it is not solved.
    pub(crate) fn run(
        &mut self,
        positions: impl IntoIterator<Item = ([u16; CELLS], [u16; CELLS])>,
        mut ended: impl FnMut(usize, u32, Option<&[u16; CELLS]>),
    ) {
        let task = |(marks, solution)| Task { marks, solution };
        let tasks: Vec<_> = positions.into_iter().map(task).collect();
        self.0.run(&tasks, &mut |number, end| {
            ended(number, end.held, end.marks.as_ref());
        });
    }
}

/// The puzzles with these numbers.
fn chosen<P: Copy>(puzzles: &[P], numbers: &[usize]) -> Vec<P> {
    numbers.iter().map(|&number| puzzles[number]).collect()
}
