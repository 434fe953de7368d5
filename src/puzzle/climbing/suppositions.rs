//! How long puzzles hold out against suppositions that singles close.
//!
//! That a candidate fails when it is supposed is the simplest of the hard steps. So a puzzle is hard whose candidates
//! hold out, and those of 9.5 and more are nearly all puzzles that no such step solves. Of the 741 puzzles from 8.0
//! up of magictour, the three of 9.5 and more are the three that hold out to the end. There are three measures, from
//! the cheapest to the best:
//!
//! - [`held`](Suppositions::held): the suppositions that hold out until those that fail have solved the puzzle. It takes
//!   some 10 µs, and says with certainty which puzzles hold out to the end.
//! - [`worths`](Suppositions::worths): the suppositions that hold out at first, less those that fail.
//! - [`resistances`](Suppositions::resistances): the worth, and the candidates that are left after each of eight rounds.
//!   A round strikes all candidates that fail. The figures by ER stand in docs/internals/laboratory.md.
//!
//! Resistances and the second look of `held` take locked candidates, pairs and X-wings away between rounds. Without that,
//! puzzles come first in which these techniques do what suppositions do not: of seven puzzles that held out, four were rated
//! 8.4 to 9.1.

use super::Solved;
use crate::{
    grid::{BLANK, CELLS, Candidates, Cell, Digits, Puzzle},
    order,
    solve::Batch,
    technique::{Closures, Position, Rating, Refutations, Steps},
};

/// The candidates of each cell, bit `d` for the digit `d + 1`.
type Marks = [u16; CELLS];

/// The rounds that count.
const ROUNDS: usize = 8;

/// The techniques that are taken away before suppositions: those up to hidden pairs.
const SIMPLE: Rating = Rating::from_tenths(34);

/// The resistance of a puzzle to suppositions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// The number of suppositions that held out on the way.
    pub(super) count: u32,
    /// The number of false candidates that are left in the end. A puzzle that is solved has none.
    pub(super) left: u32,
}

/// Measures puzzles. It keeps its memory.
#[derive(Default)]
pub(super) struct Suppositions {
    closures: Closures,
    refutations: Refutations,
}

impl Suppositions {
    /// The worth of puzzles: the number of false candidates whose supposition singles do not refute, less that of
    /// the others. A puzzle that singles solve is worth least.
    pub(super) fn worths(&mut self, puzzles: &[Solved]) -> Vec<i32> {
        self.measure(puzzles, 1)
            .iter()
            .map(|round| round.worth)
            .collect()
    }

    /// The resistances of puzzles. A puzzle that singles solve has the least.
    pub(super) fn resistances(&mut self, puzzles: &[Solved]) -> Vec<i32> {
        let measured = self.measure(puzzles, ROUNDS);
        measured
            .iter()
            .map(|rounds| rounds.worth.saturating_add(rounds.left))
            .collect()
    }

    fn measure(&mut self, puzzles: &[Solved], rounds: usize) -> Vec<Measured> {
        let mut measured = vec![Measured::EASIEST; puzzles.len()];
        let mut open = self.closed(puzzles);
        for round in 0..rounds {
            let mut supposed = Vec::new();
            let mut about = Vec::new();
            for (at, (_, marks, solution)) in open.iter().enumerate() {
                for (cell, (&marks_of, &right)) in marks.iter().zip(solution).enumerate() {
                    if !marks_of.is_power_of_two() {
                        for digit in (0..9).filter(|digit| (marks_of & !right) >> digit & 1 != 0) {
                            let mut marks = *marks;
                            marks[cell] = 1 << digit;
                            supposed.push(candidates(&marks));
                            about.push((at, cell, digit));
                        }
                    }
                }
            }
            // None of them is filled: the only solution has another digit there.
            let mut fails = vec![true; supposed.len()];
            self.closures
                .left(Batch::Candidates(&supposed), &mut |number, marks| {
                    fails[number] = *marks == [0; CELLS];
                });
            let mut counts = vec![[0_i32; 2]; open.len()];
            for (&fails, &(at, cell, digit)) in fails.iter().zip(&about) {
                counts[at][usize::from(fails)] += 1;
                if fails {
                    open[at].1[cell] &= !(1 << digit);
                }
            }
            let mut next = Vec::new();
            for ((number, marks, solution), [held, failed]) in open.drain(..).zip(counts) {
                if round == 0 {
                    measured[number].worth = held - failed;
                }
                if failed == 0 {
                    // All further rounds leave the same.
                    measured[number].left += held * (ROUNDS - round) as i32;
                } else if rounds > 1 {
                    next.push((number, marks, solution));
                }
            }
            let positions: Vec<_> = next.iter().map(|(_, marks, _)| candidates(marks)).collect();
            self.closures
                .left(Batch::Candidates(&positions), &mut |at, marks| {
                    let (number, _, solution) = next[at];
                    if let Some(marks) = simplified(marks) {
                        measured[number].left += false_candidates(&marks, &solution) as i32;
                        open.push((number, marks, solution));
                    }
                });
            order::sort_by_key(&mut open, |(number, ..)| *number);
        }
        measured
    }

    /// The resistance of puzzles to suppositions. With `simplify`, simple techniques are taken away before, and again where
    /// suppositions lead no further.
    pub(super) fn held(&mut self, puzzles: &[Solved], simplify: bool) -> Vec<Held> {
        let mut all = vec![Held::default(); puzzles.len()];
        let mut open = self.closed(puzzles);
        if simplify {
            open.retain_mut(|(_, marks, _)| match simplified(marks) {
                Some(simple) => {
                    *marks = simple;
                    true
                }
                None => false,
            });
        }
        while !open.is_empty() {
            let mut next = Vec::new();
            let positions = open.iter().map(|(_, marks, solution)| (*marks, *solution));
            self.refutations.run(positions, |at, held, left| {
                let (number, _, solution) = open[at];
                all[number].count += held;
                let Some(left) = left else { return };
                match simplify.then(|| simplified(left)) {
                    Some(None) => {}
                    Some(Some(marks)) if marks != *left => next.push((number, marks, solution)),
                    _ => all[number].left = false_candidates(left, &solution),
                }
            });
            open = next;
        }
        all
    }

    /// The puzzles that singles do not solve, in order: their numbers, what singles leave, and their solutions.
    fn closed(&mut self, puzzles: &[Solved]) -> Vec<(usize, Marks, Marks)> {
        let cells: Vec<_> = puzzles
            .iter()
            .map(|(puzzle, _)| *puzzle.as_ascii())
            .collect();
        let mut closed = Vec::new();
        self.closures
            .left(Batch::Cells(&cells), &mut |number, marks| {
                let (_, solution) = &puzzles[number];
                let digit = |at: usize| solution.as_ascii()[at] - b'1';
                closed.push((number, *marks, std::array::from_fn(|at| 1 << digit(at))));
            });
        order::sort_by_key(&mut closed, |(number, ..)| *number);
        closed
    }
}

/// The parts of a resistance.
#[derive(Clone, Copy)]
struct Measured {
    worth: i32,
    /// The false candidates that are left after each round, added.
    left: i32,
}

impl Measured {
    /// That of a puzzle that singles solve.
    const EASIEST: Self = Self {
        worth: i32::MIN,
        left: 0,
    };
}

/// The candidates that simple techniques leave, or none if they solve the puzzle.
fn simplified(marks: &Marks) -> Option<Marks> {
    let mut filled = [BLANK; CELLS];
    let mut open = [Digits::from_bits(0); CELLS];
    for ((&marks, filled), open) in marks.iter().zip(&mut filled).zip(&mut open) {
        match marks.is_power_of_two() {
            true => *filled = b'1' + marks.trailing_zeros() as u8,
            false => *open = Digits::from_bits(marks),
        }
    }
    let filled = Puzzle::with_blanks_for_others(&filled);
    let mut position = Position::with_candidates(&filled, &open);
    for step in Steps::from(position.clone()).with_max_rating(SIMPLE) {
        position.apply(&step);
    }
    (!position.is_filled()).then(|| {
        std::array::from_fn(|at| {
            let cell = Cell::new(at).expect("81 cells");
            match position.filled().get(cell) {
                Some(digit) => Digits::from_digit(digit).bits(),
                None => position.candidates(cell).bits(),
            }
        })
    })
}

fn candidates(marks: &Marks) -> Candidates {
    Candidates::from_cells(&marks.map(Digits::from_bits))
}

fn false_candidates(marks: &Marks, solution: &Marks) -> u32 {
    let cells = marks.iter().zip(solution);
    cells
        .map(|(marks, right)| (marks & !right).count_ones())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::Suppositions;
    use crate::{
        generate::Grids,
        puzzle::{Maker, Recipe},
        solve::Solver,
    };
    use sudoku_batch_test_support::cases;

    /// A measure depends on the puzzle alone: not on those beside it, and not on those before it.
    #[test]
    fn measures_depend_on_the_puzzle_alone() {
        let maker = Maker::new(Solver::new(), Grids::uniform(11), 11, Recipe::minimal()).unwrap();
        // The sources run unoptimised here: five puzzles are measured alone, and more of them with more cases.
        let made: Vec<_> = maker.into_puzzles(0..cases(50) as u64).flatten().collect();
        let puzzles: Vec<_> = made
            .iter()
            .map(|made| (made.puzzle, made.solution))
            .collect();
        let mut suppositions = Suppositions::default();
        let resistances = suppositions.resistances(&puzzles);
        let worths = suppositions.worths(&puzzles);
        let held = [false, true].map(|simplify| suppositions.held(&puzzles, simplify));
        for (at, puzzle) in puzzles.iter().enumerate().step_by(10) {
            let mut alone = Suppositions::default();
            let puzzle = std::slice::from_ref(puzzle);
            assert_eq!(alone.resistances(puzzle), [resistances[at]], "{puzzle:?}");
            assert_eq!(alone.worths(puzzle), [worths[at]], "{puzzle:?}");
            for (simplify, held) in [false, true].into_iter().zip(&held) {
                assert_eq!(alone.held(puzzle, simplify), [held[at]], "{puzzle:?}");
            }
        }
        assert_eq!(suppositions.resistances(&puzzles), resistances);
    }
}
