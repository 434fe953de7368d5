//! The depth of trial and error (T&E) that a puzzle takes.

mod context;
mod nested;
mod once;
mod planes;
mod singles;
mod slots;

use crate::{
    grid::{CELLS, Candidates, GridLine, Puzzle},
    name::named,
    simd::{Isa, Kernel, Level, LevelError},
    solve::{Goal, NO_SOLUTION, NotUnique, Solver},
};
use nested::Nested;
use once::Once;
use singles::{Puzzles, Singles};
use slots::Marks;
use std::fmt;

named! {
    /// The depth of trial and error that a puzzle takes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum TrialDepth, a "depth" {
        /// Singles solve it.
        Zero = "0",
        /// One.
        One = "1",
        /// Two.
        Two = "2",
        /// Three.
        Three = "3",
        /// More than three.
        Beyond = "beyond",
    }
}

/// A position that singles do not solve.
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
    fn singles(&mut self, puzzles: Puzzles<'_>, stuck: &mut dyn FnMut(usize, &Marks));

    /// Finds the depths of positions that singles do not solve.
    fn depths(&mut self, tasks: &[Task], answer: &mut dyn FnMut(usize, TrialDepth));
}

struct AtLevel<I: Isa> {
    singles: Singles<I>,
    once: Once<I>,
    nested: Nested<I>,
}

impl<I: Isa> BatchTrials for AtLevel<I> {
    fn singles(&mut self, puzzles: Puzzles<'_>, stuck: &mut dyn FnMut(usize, &Marks)) {
        self.singles.run(puzzles, stuck);
    }

    fn depths(&mut self, tasks: &[Task], answer: &mut dyn FnMut(usize, TrialDepth)) {
        let mut left = Vec::new();
        let mut is_left = vec![false; tasks.len()];
        self.once.run(tasks, |number, marks| {
            left.push((number, marks));
            is_left[number] = true;
        });
        for number in (0..tasks.len()).filter(|number| !is_left[*number]) {
            answer(number, TrialDepth::One);
        }
        let nested: Vec<_> = left.iter().map(|(number, marks)| (&tasks[*number], *marks)).collect();
        self.nested.run(&nested, |number, depth| answer(left[number].0, depth));
    }
}

/// Finds the depths of puzzles.
pub struct Trials {
    level: Level,
    lanes: Box<dyn BatchTrials>,
    solver: Solver,
}

impl fmt::Debug for Trials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trials").field("level", &self.level).finish_non_exhaustive()
    }
}

impl Default for Trials {
    fn default() -> Self {
        Self::new()
    }
}

impl Trials {
    /// At the best level of this CPU.
    pub fn new() -> Self {
        Self::with_level(Level::detect()).expect("the CPU has the level that was detected")
    }

    /// At a level, or an error if this CPU lacks it.
    pub fn with_level(level: Level) -> Result<Self, LevelError> {
        Ok(Self {
            level,
            lanes: level.with(MakeLanes)?,
            solver: Solver::with_level(level)?,
        })
    }

    /// The depth of each puzzle.
    pub fn depths(&mut self, puzzles: &[Puzzle]) -> Vec<Result<TrialDepth, NotUnique>> {
        let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
        self.depths_of_cells(&cells)
    }

    /// The depth of each puzzle that is given by candidates.
    pub fn depths_of_candidates(&mut self, puzzles: &[Candidates]) -> Vec<Result<TrialDepth, NotUnique>> {
        self.find(Puzzles::Candidates(puzzles), |solver, stuck, lines, counts| {
            let puzzles: Vec<Candidates> = stuck.iter().map(|&number| puzzles[number]).collect();
            solver.solve_candidate_lines(Goal::Count(2), &puzzles, lines, counts);
        })
    }

    /// The depths of puzzles given as text. Characters other than the digits `1` to `9` are blanks.
    #[doc(hidden)]
    pub fn depths_of_cells(&mut self, cells: &[[u8; CELLS]]) -> Vec<Result<TrialDepth, NotUnique>> {
        self.find(Puzzles::Cells(cells), |solver, stuck, lines, counts| {
            let cells: Vec<[u8; CELLS]> = stuck.iter().map(|&number| cells[number]).collect();
            solver.solve_lines(Goal::Count(2), &cells, lines, counts);
        })
    }

    fn find(
        &mut self,
        puzzles: Puzzles<'_>,
        solve: impl FnOnce(&mut Solver, &[usize], &mut [GridLine], &mut [u64]),
    ) -> Vec<Result<TrialDepth, NotUnique>> {
        let mut depths = vec![Ok(TrialDepth::Zero); puzzles.len()];
        let (mut stuck, mut positions) = (Vec::new(), Vec::new());
        self.lanes.singles(puzzles, &mut |number, marks| {
            stuck.push(number);
            positions.push(*marks);
        });
        let mut lines = vec![NO_SOLUTION; stuck.len()];
        let mut counts = vec![0; stuck.len()];
        solve(&mut self.solver, &stuck, &mut lines, &mut counts);
        let (mut tasks, mut numbers) = (Vec::new(), Vec::new());
        for ((&number, marks), (line, count)) in stuck.iter().zip(positions).zip(lines.iter().zip(counts)) {
            match count {
                0 => depths[number] = Err(NotUnique::NoSolution),
                1 => {
                    let mut solution = [0; CELLS];
                    for (solution, digit) in solution.iter_mut().zip(line) {
                        *solution = 1 << (digit - b'1');
                    }
                    numbers.push(number);
                    tasks.push(Task { marks, solution });
                }
                _ => depths[number] = Err(NotUnique::Multiple),
            }
        }
        self.lanes.depths(&tasks, &mut |task, depth| depths[numbers[task]] = Ok(depth));
        depths
    }
}
