//! How good an answer is, and which clues say nothing new.

use crate::{
    grid::{BLANK, CELLS, Candidates, Cell, Digit, Digits, Grid, Puzzle},
    solve::{Solver, Strike},
};
use std::ops::AddAssign;

/// An answer to a puzzle compared with its only solution.
///
/// ```
/// use sudoku_batch::{Outcome, Puzzle, Solver, dataset::Score};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let Outcome::Unique(solution) = Solver::new().solve(&puzzle) else { panic!() };
/// let mut answer = *Puzzle::from(solution).as_ascii();
/// assert!(Score::new(&puzzle, &solution, &answer).is_right());
/// answer[0] = b'9'; // a clue
/// answer[80] = b'.'; // a clue that is left out
/// answer[1] = b'1'; // a blank, filled wrongly
/// let score = Score::new(&puzzle, &solution, &answer);
/// assert_eq!((score.changed_clues, score.wrong_blanks, score.blanks), (2, 1, 56));
/// assert!(!score.is_right());
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score {
    /// The blank cells of the puzzle.
    pub blanks: u32,
    /// The blank cells of the puzzle that the answer does not have right. A cell that the
    /// answer leaves blank is one of them.
    pub wrong_blanks: u32,
    /// The clues that the answer does not have: it has another digit there, or none.
    pub changed_clues: u32,
}

impl Score {
    /// Compares an answer, 81 characters, with the solution of its puzzle, cell by cell.
    #[inline]
    pub fn new(puzzle: &Puzzle, solution: &Grid, answer: &[u8; CELLS]) -> Self {
        let mut score = Self::default();
        let solution = solution.as_ascii();
        for ((&clue, &digit), &answer) in puzzle.as_ascii().iter().zip(solution).zip(answer) {
            let (blank, wrong) = (u32::from(clue == BLANK), u32::from(answer != digit));
            score.blanks += blank;
            score.wrong_blanks += blank & wrong;
            score.changed_clues += (1 - blank) & wrong;
        }
        score
    }

    /// Whether the answer is the solution.
    pub fn is_right(&self) -> bool {
        self.wrong_cells() == 0
    }

    /// All cells that the answer does not have right.
    pub fn wrong_cells(&self) -> u32 {
        self.wrong_blanks + self.changed_clues
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.blanks += other.blanks;
        self.wrong_blanks += other.wrong_blanks;
        self.changed_clues += other.changed_clues;
    }
}

/// How many clues of each puzzle are redundant: without such a clue, and with all others, the
/// puzzle still has one solution. A puzzle without redundant clues is minimal.
///
/// Puzzle i has the solution `solutions[i]`, and no other.
///
/// ```
/// use sudoku_batch::{Outcome, Puzzle, Solver, dataset::redundant_clues};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let mut solver = Solver::new();
/// let Outcome::Unique(solution) = solver.solve(&puzzle) else { panic!() };
/// let full = Puzzle::from(solution);
/// let redundant = redundant_clues(&mut solver, &[puzzle, full], &[solution; 2]);
/// assert_eq!(redundant, [0, 81]);
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
///
/// # Panics
///
/// The slices differ in length.
pub fn redundant_clues(solver: &mut Solver, puzzles: &[Puzzle], solutions: &[Grid]) -> Vec<u32> {
    assert_eq!(puzzles.len(), solutions.len(), "a solution for each puzzle");
    // A question for each clue: is there a solution without it that has another digit there?
    let (mut questions, mut strikes, mut owners) = (Vec::new(), Vec::new(), Vec::new());
    for (owner, (puzzle, solution)) in puzzles.iter().zip(solutions).enumerate() {
        for (cell, digit) in clues(puzzle) {
            debug_assert_eq!(solution.get(cell), digit);
            let mut without = *puzzle;
            without.set(cell, None);
            questions.push(without);
            strikes.push(Strike { cell, digit });
            owners.push(owner);
        }
    }
    let mut redundant = vec![0; puzzles.len()];
    let counts = solver.count_struck_batch(&questions, &strikes, 1);
    for (owner, count) in owners.into_iter().zip(counts) {
        redundant[owner] += u32::from(count == 0);
    }
    redundant
}

/// How many missing candidates of each puzzle are redundant: with such a candidate put back, and no
/// other, the puzzle still has one solution. A puzzle without redundant ones is minimal: any one
/// missing candidate that is put back gives it a second solution.
///
/// Puzzle i has the solution `solutions[i]`, and no other.
///
/// ```
/// use sudoku_batch::{Candidates, Outcome, Puzzle, Solver, dataset::redundant_candidates};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let mut solver = Solver::new();
/// let Outcome::Unique(solution) = solver.solve(&puzzle) else { panic!() };
/// // The solution alone leaves out 648 candidates, and none of them makes a second one.
/// let full = Candidates::from(Puzzle::from(solution));
/// assert_eq!(redundant_candidates(&mut solver, &[full], &[solution]), [648]);
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
///
/// # Panics
///
/// The slices differ in length.
pub fn redundant_candidates(
    solver: &mut Solver,
    puzzles: &[Candidates],
    solutions: &[Grid],
) -> Vec<u32> {
    /// A puzzle has up to 648 missing candidates, so a batch has as many questions as this.
    const TOGETHER: usize = 16;
    assert_eq!(puzzles.len(), solutions.len(), "a solution for each puzzle");
    let mut redundant = Vec::with_capacity(puzzles.len());
    let (mut questions, mut ends) = (Vec::new(), Vec::new());
    for puzzles in puzzles.chunks(TOGETHER) {
        questions.clear();
        ends.clear();
        // A question for each missing candidate: is there a solution with it in its cell?
        for puzzle in puzzles {
            for cell in Cell::all() {
                let digits = puzzle.get(cell);
                for digit in Digit::all().filter(|&digit| !digits.contains(digit)) {
                    let mut with = *puzzle;
                    with.set(cell, Digits::from_digit(digit));
                    questions.push(with);
                }
            }
            ends.push(questions.len());
        }
        let counts = solver.count_candidates_batch(&questions, 1);
        let mut start = 0;
        for &end in &ends {
            let without = counts[start..end].iter().filter(|&&count| count == 0);
            redundant.push(without.count() as u32);
            start = end;
        }
    }
    redundant
}

fn clues(puzzle: &Puzzle) -> impl Iterator<Item = (Cell, Digit)> {
    Cell::all().filter_map(|cell| puzzle.get(cell).map(|digit| (cell, digit)))
}
