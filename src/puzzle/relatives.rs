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
        let mut words = Words::of_stream(hash(puzzle), 0, technique as u32);
        let mut relatives = vec![*puzzle];
        let mut seen = HashSet::from([*puzzle]);
        let mut solutions = HashSet::from([*solution]);
        let mut canonical = HashSet::from([CanonicalGrid::new(solution).grid()]);
        let mut since = 0;
        while since < PATIENCE {
            since += 1;
            let rests = Vec::from_iter((0..RESTS).map(|_| {
                // The later ones are farther from the puzzle.
                let [one, other] = [(); 2].map(|()| draw(&mut words, relatives.len()));
                (0, rest(&mut words, &relatives[one.max(other)]), u64::MAX)
            }));
            self.vicinity.begin(rests);
            for near in self.vicinity.by_ref() {
                if relatives.len() as u64 > most {
                    return;
                }
                if solutions.contains(&near.solution) || !seen.insert(near.puzzle) {
                    continue;
                }
                let trace = tracer.trace_until(near.puzzle, &mut |one| one == technique);
                let has_it = trace.techniques().any(|one| one == technique);
                if has_it
                    && solutions.insert(near.solution)
                    && canonical.insert(CanonicalGrid::new(&near.solution).grid())
                {
                    since = 0;
                    relatives.push(near.puzzle);
                    see(&near.puzzle, &near.solution, &trace);
                }
            }
        }
    }
}

/// A number that stands for a puzzle.
fn hash(puzzle: &Puzzle) -> u64 {
    let mut hash = HashOfCells::default();
    hash.write(puzzle.as_ascii());
    hash.finish()
}

/// A puzzle without a clue that chance chooses.
fn rest(words: &mut Words, puzzle: &Puzzle) -> Puzzle {
    let clues = Cell::all().filter(|&cell| puzzle.get(cell).is_some());
    let clues: Vec<_> = clues.collect();
    let mut rest = *puzzle;
    rest.set(clues[draw(words, clues.len())], None);
    rest
}
