//! How good an answer is, and which clues say nothing new.

use crate::{
    grid::{BLANK, CELLS, Candidate, Candidates, Cell, Digit, Digits, Grid, Puzzle},
    puzzle::UnavoidableSets,
    solve::{Batch, BatchPuzzle, Interviewer, Limits, Questions, Solver},
};
use std::ops::AddAssign;

/// An answer to a puzzle compared with its only solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Score {
    /// The blank cells of the puzzle.
    pub(crate) blanks: u32,
    /// The blank cells of the puzzle that the answer does not have right. A cell that the
    /// answer leaves blank is one of them.
    pub(crate) wrong_blanks: u32,
    /// The clues that the answer does not have: it has another digit there, or none.
    pub(crate) changed_clues: u32,
}

impl Score {
    /// Compares an answer, 81 characters, with the solution of its puzzle, cell by cell.
    #[inline]
    pub(crate) fn new(puzzle: &Puzzle, solution: &Grid, answer: &[u8; CELLS]) -> Self {
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

    /// Returns true if the answer is the solution.
    pub(crate) fn is_right(&self) -> bool {
        self.wrong_cells() == 0
    }

    /// All cells that the answer does not have right.
    pub(crate) fn wrong_cells(&self) -> u32 {
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

/// The number of redundant clues of each puzzle: without such a clue, and with all others, the
/// puzzle still has one solution. Of a puzzle that is given by candidates it is the number of redundant missing
/// candidates: with such a candidate put back, and no other, it still has one. A puzzle without redundant ones is
/// minimal.
///
/// Puzzle i has the solution `solutions[i]`, and no other.
///
/// ```
/// use sudoku_batch::{Candidates, Outcome, Puzzle, Solver, dataset::redundant_clues};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let mut solver = Solver::new();
/// let Outcome::Unique(solution) = solver.solve(&puzzle) else { panic!() };
/// let full = Puzzle::from(solution);
/// let redundant = redundant_clues(&mut solver, &[puzzle, full], &[solution; 2]);
/// assert_eq!(redundant, [0, 81]);
/// // The solution alone leaves out 648 candidates, and none of them makes a second one.
/// let full = Candidates::from(full);
/// assert_eq!(redundant_clues(&mut solver, &[full], &[solution]), [648]);
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
///
/// # Panics
///
/// The slices differ in length.
pub fn redundant_clues<P: BatchPuzzle>(
    solver: &mut Solver,
    puzzles: &[P],
    solutions: &[Grid],
) -> Vec<u32> {
    assert_eq!(puzzles.len(), solutions.len(), "a solution for each puzzle");
    P::ask(puzzles, |batch| match batch {
        Batch::Cells(puzzles) => redundant_among_cells(solver, puzzles, solutions),
        Batch::Candidates(puzzles) => redundant_among_candidates(solver, puzzles),
    })
}

fn redundant_among_cells(
    solver: &mut Solver,
    puzzles: &[[u8; CELLS]],
    solutions: &[Grid],
) -> Vec<u32> {
    let mut clues = Clues {
        puzzles,
        solutions,
        next: 0,
        left: Vec::new(),
        owners: Vec::new(),
        redundant: vec![0; puzzles.len()],
    };
    let (mut questions, mut ask) = (Questions::default(), Vec::new());
    while ask.len() < PLACES
        && let Some((owner, cells, strike)) = clues.next()
    {
        ask.push(ask.len() as u32);
        clues.owners.push(owner);
        questions.cells.push(cells);
        questions.strikes.push(Some(strike));
    }
    let limits = Limits {
        plain: 1,
        struck: 1,
    };
    solver.interview(&mut questions, ask, limits, &mut clues);
    clues.redundant
}

/// The number of questions about clues that are in work: enough for the lanes of the engine and for those that
/// wait for one.
const PLACES: usize = 1024;

/// Asks about clues: is there a solution without it that has another digit there?
struct Clues<'a> {
    puzzles: &'a [[u8; CELLS]],
    solutions: &'a [Grid],
    next: usize,
    /// The clues of the puzzle before `next` that are not asked about yet.
    left: Vec<Candidate>,
    /// The puzzle that each place asks about.
    owners: Vec<usize>,
    redundant: Vec<u32>,
}

/// The number of a puzzle, its cells without a clue, and the clue.
impl Iterator for Clues<'_> {
    type Item = (usize, [u8; CELLS], Candidate);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(strike) = self.left.pop() {
                let mut cells = self.puzzles[self.next - 1];
                cells[strike.cell.index()] = BLANK;
                return Some((self.next - 1, cells, strike));
            }
            let (puzzle, solution) = (self.puzzles.get(self.next)?, &self.solutions[self.next]);
            self.next += 1;
            let mut sets = UnavoidableSets::of_puzzle(puzzle, solution.as_ascii());
            let clues = Cell::all().filter_map(|cell| {
                let digit = Digit::from_ascii(puzzle[cell.index()])?;
                Some(Candidate { cell, digit })
            });
            self.left.extend(clues.filter(|clue| !sets.need(clue.cell)));
        }
    }
}

impl Interviewer for Clues<'_> {
    fn answered(
        &mut self,
        place: usize,
        count: u64,
        questions: &mut Questions,
        ask: &mut Vec<u32>,
    ) {
        self.redundant[self.owners[place]] += u32::from(count == 0);
        if let Some((owner, cells, strike)) = self.next() {
            self.owners[place] = owner;
            questions.cells[place] = cells;
            questions.strikes[place] = Some(strike);
            ask.push(place as u32);
        }
    }
}

fn redundant_among_candidates(solver: &mut Solver, puzzles: &[Candidates]) -> Vec<u32> {
    /// A puzzle has up to 648 missing candidates, so a batch has as many questions as this.
    const TOGETHER: usize = 16;
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
        let counts = solver.count_batch(&questions, 1);
        let mut start = 0;
        for &end in &ends {
            let without = counts[start..end].iter().filter(|&&count| count == 0);
            redundant.push(without.count() as u32);
            start = end;
        }
    }
    redundant
}
