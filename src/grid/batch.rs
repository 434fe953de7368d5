//! The puzzles of a batch, of either kind.

use super::{AnyPuzzle, CELLS, Candidates, Digits, Puzzle};
use std::slice;

/// The puzzles of a batch: all by their cells, or all by their candidates.
#[derive(Clone, Copy, Debug)]
pub enum Batch<'b> {
    /// The cells of each: the low four bits of a clue are 1 to 9, those of a blank 0 or 10 to 15.
    Cells(&'b [[u8; CELLS]]),
    /// The candidates of each.
    Candidates(&'b [Candidates]),
}

/// A puzzle that questions take, alone or in a batch: a [`Puzzle`], [`Candidates`], [`AnyPuzzle`], or a reference to
/// one. All puzzles of a batch are of one type.
///
/// A text becomes a puzzle by `parse`. Bytes become one by [`Puzzle::from_ascii`] or [`Puzzle::from_digits`], whose
/// error names the cell that is none. [`Question::ask_cells`](crate::questions::Question::ask_cells) takes them as they
/// are, and has a status for each.
///
/// ```
/// use sudoku_batch::{Candidates, Puzzle, Solver, solve::BatchPuzzle};
/// fn solvable<P: BatchPuzzle>(puzzles: &[P]) -> usize {
///     Solver::new().solve_batch(puzzles).iter().filter(|outcome| outcome.solution().is_some()).count()
/// }
/// assert_eq!((solvable(&[Puzzle::EMPTY]), solvable(&[&Candidates::ALL; 2])), (1, 2));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no puzzle",
    label = "a `Puzzle`, `Candidates` or `AnyPuzzle` is expected here",
    note = "a text becomes a puzzle by `.parse::<Puzzle>()?`, 81 bytes by `Puzzle::from_ascii` or `Puzzle::from_digits`"
)]
pub trait BatchPuzzle: Into<AnyPuzzle> + Copy {
    /// Asks about a batch.
    #[doc(hidden)]
    fn ask<T>(puzzles: &[Self], ask: impl FnOnce(Batch<'_>) -> T) -> T;
}

impl BatchPuzzle for Puzzle {
    fn ask<T>(puzzles: &[Self], ask: impl FnOnce(Batch<'_>) -> T) -> T {
        let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
        ask(Batch::Cells(&cells))
    }
}

impl BatchPuzzle for Candidates {
    fn ask<T>(puzzles: &[Self], ask: impl FnOnce(Batch<'_>) -> T) -> T {
        ask(Batch::Candidates(puzzles))
    }
}

/// All go by their cells if they can, and all by their candidates otherwise.
impl BatchPuzzle for AnyPuzzle {
    fn ask<T>(puzzles: &[Self], ask: impl FnOnce(Batch<'_>) -> T) -> T {
        let cells = puzzles.iter().map(|puzzle| match puzzle {
            Self::Cells(puzzle) => Some(*puzzle.as_ascii()),
            Self::Candidates(_) => None,
        });
        match cells.collect::<Option<Vec<_>>>() {
            Some(cells) => ask(Batch::Cells(&cells)),
            None => {
                let candidates: Vec<_> = puzzles.iter().map(Self::candidates).collect();
                ask(Batch::Candidates(&candidates))
            }
        }
    }
}

// Not for all references at once: the compiler would then say of `&str` that `str` is no puzzle.
macro_rules! references {
    ($($puzzle:ty),+) => {$(
        impl BatchPuzzle for &$puzzle {
            fn ask<T>(puzzles: &[Self], ask: impl FnOnce(Batch<'_>) -> T) -> T {
                let puzzles: Vec<_> = puzzles.iter().map(|puzzle| **puzzle).collect();
                <$puzzle>::ask(&puzzles, ask)
            }
        }
    )+};
}

references!(Puzzle, Candidates, AnyPuzzle);

impl<'b> Batch<'b> {
    /// The batch of one puzzle.
    pub(crate) fn one(puzzle: &'b AnyPuzzle) -> Self {
        match puzzle {
            AnyPuzzle::Cells(puzzle) => Self::Cells(slice::from_ref(puzzle.as_ascii())),
            AnyPuzzle::Candidates(candidates) => Self::Candidates(slice::from_ref(candidates)),
        }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Cells(cells) => cells.len(),
            Self::Candidates(candidates) => candidates.len(),
        }
    }

    /// The candidates of a puzzle. Bit i of a cell stands for digit i + 1.
    pub(crate) fn masks(&self, puzzle: usize) -> [u16; CELLS] {
        match self {
            Self::Cells(cells) => cells[puzzle].map(|c| match c & 15 {
                digit @ 1..=9 => 1 << (digit - 1),
                _ => Digits::ALL.bits(),
            }),
            Self::Candidates(candidates) => candidates[puzzle].cells().map(Digits::bits),
        }
    }
}
