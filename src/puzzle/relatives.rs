//! Relatives of a puzzle that have a technique of its path on theirs.
//!
//! Of a million minimal puzzles 200 have a hidden quad. But of the minimal neighbours {-1+1} of one that has it, one in six
//! has it too, and the neighbours of these in turn:
//!
//! ```text
//!     puzzle --> neighbours with other solutions --> those that have the technique --> relatives
//!                     ^                                                                    |
//!                     +--------------------- some of them and of their clues, by chance <--+
//! ```
//!
//! Most neighbours with the technique have the solution of the puzzle, and then mostly the same position before the step
//! too. So a neighbour counts only if its solution is new: no symmetric copy of that of the puzzle or of a relative before it.
//! Positions with different solutions are different, also up to symmetry.
//!
//! All neighbours count, not the minimal ones alone. Those are found three times as slowly, and puzzles of 40 records with one
//! technique gave fewer relatives (2026-11-29: 483 drills of hidden quads in 0.77 s in place of 431 in 2.2 s, 232 of unique
//! loops of type 3 in 0.84 s in place of 123 in 1.7 s).
//!
//! The relatives depend on the puzzle, its technique and the bounds of the tracer alone: the puzzle is the seed of chance.

use super::{
    climbing::draw,
    vicinity::{HashOfCells, Vicinity},
};
use crate::{
    grid::{Cell, Grid, Puzzle},
    random::Words,
    symmetry::CanonicalGrid,
    technique::Technique,
    trace::{Trace, Tracer},
};
use std::{collections::HashSet, hash::Hasher};

/// The rests, each of a relative without a clue, whose neighbours are looked at together.
const RESTS: usize = 48;

/// The rounds without a new relative after which there are no more. Some puzzles have hundreds of relatives and others have none.
/// With 16 rounds of half as many rests a walk took twice as long, and found a tenth more.
const PATIENCE: u32 = 2;

/// Finds relatives, with its memory.
#[derive(Debug)]
pub(crate) struct Relatives {
    vicinity: Vicinity,
}

impl Default for Relatives {
    fn default() -> Self {
        Self {
            vicinity: Vicinity::new(0, 1, false),
        }
    }
}

impl Relatives {
    /// Shows up to `most` relatives of a puzzle with this solution that have a technique on their paths: each with its
    /// solution, and with its path up to that step.
    pub(crate) fn find(
        &mut self,
        tracer: &mut Tracer,
        (puzzle, solution): (&Puzzle, &Grid),
        technique: Technique,
        most: u64,
        mut see: impl FnMut(&Puzzle, &Grid, &Trace<'_>),
    ) {
        let mut walk = Walk::new(
            Words::of_stream(hash(puzzle), 0, technique as u32),
            (*puzzle, *solution),
        );
        let mut solutions = Solutions::default();
        solutions.add(solution);
        let (mut since, mut found) = (0, 0);
        while since < PATIENCE {
            since += 1;
            let rests = (0..RESTS).map(|_| walk.rest());
            let rests = rests.map(|rest| (0, rest.puzzle, rest.solution));
            self.vicinity.begin_with_other_solutions(rests);
            for near in self.vicinity.by_ref() {
                if found >= most {
                    return;
                }
                if solutions.has(&near.solution) || !walk.is_new(&near.puzzle) {
                    continue;
                }
                let trace = tracer.trace_until(near.puzzle, &mut |one| one == technique);
                let has_it = trace.techniques().any(|one| one == technique);
                if has_it && solutions.add(&near.solution) {
                    (since, found) = (0, found + 1);
                    walk.add(near.puzzle, near.solution);
                    see(&near.puzzle, &near.solution, &trace);
                }
            }
        }
    }
}

/// A puzzle without one of its clues.
#[derive(Debug)]
pub(super) struct Rest {
    pub(super) puzzle: Puzzle,
    /// The solution of the puzzle with the clue.
    pub(super) solution: Grid,
    /// The cell of the clue.
    pub(super) gone: Cell,
}

/// A walk from a puzzle to those near it, as chance goes.
#[derive(Debug)]
pub(super) struct Walk {
    words: Words,
    /// The puzzle and its relatives so far, with their solutions.
    relatives: Vec<(Puzzle, Grid)>,
    seen: HashSet<Puzzle>,
}

impl Walk {
    /// A walk from a puzzle with these random words.
    pub(super) fn new(words: Words, first: (Puzzle, Grid)) -> Self {
        Self {
            words,
            relatives: vec![first],
            seen: HashSet::from([first.0]),
        }
    }

    /// One of the puzzles without a clue, as chance chooses both, and its solution. The neighbours with another solution come
    /// next.
    pub(super) fn rest(&mut self) -> Rest {
        let words = &mut self.words;
        // The later ones are farther from the first.
        let [one, other] = [(); 2].map(|()| draw(words, self.relatives.len()));
        let (mut puzzle, solution) = self.relatives[one.max(other)];
        let clues = Cell::all().filter(|&cell| puzzle.get(cell).is_some());
        let clues: Vec<_> = clues.collect();
        let gone = clues[draw(words, clues.len())];
        puzzle.set(gone, None);
        Rest {
            puzzle,
            solution,
            gone,
        }
    }

    /// A number under `range`, each as likely as the others.
    pub(super) fn draw(&mut self, range: usize) -> usize {
        draw(&mut self.words, range)
    }

    /// Returns true if a puzzle comes for the first time.
    pub(super) fn is_new(&mut self, puzzle: &Puzzle) -> bool {
        self.seen.insert(*puzzle)
    }

    /// Goes on from a puzzle too.
    pub(super) fn add(&mut self, puzzle: Puzzle, solution: Grid) {
        self.relatives.push((puzzle, solution));
    }
}

/// Solutions that are no symmetric copies of each other.
#[derive(Debug, Default)]
pub(super) struct Solutions {
    grids: HashSet<Grid>,
    canonical: HashSet<Grid>,
}

impl Solutions {
    /// Returns true if a grid is known. A symmetric copy of one need not be.
    pub(super) fn has(&self, grid: &Grid) -> bool {
        self.grids.contains(grid)
    }

    /// Adds a grid. Returns true if it is no symmetric copy of one before.
    pub(super) fn add(&mut self, grid: &Grid) -> bool {
        self.grids.insert(*grid) && self.canonical.insert(CanonicalGrid::new(grid).grid())
    }
}

/// A number that stands for a puzzle.
fn hash(puzzle: &Puzzle) -> u64 {
    let mut hash = HashOfCells::default();
    hash.write(puzzle.as_ascii());
    hash.finish()
}
