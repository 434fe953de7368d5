//! The puzzles of a batch, of either kind.

use crate::grid::{AnyPuzzle, CELLS, Candidates, Digits, Puzzle};
use std::slice;

/// The puzzles of a batch: all by their cells, or all by their candidates.
#[derive(Clone, Copy, Debug)]
pub enum Batch<'b> {
    /// The cells of each: the low four bits of a clue are 1 to 9, those of a blank 0 or 10 to 15.
    Cells(&'b [[u8; CELLS]]),
    /// The candidates of each.
    Candidates(&'b [Candidates]),
}

/// A puzzle that a batch may have: a [`Puzzle`], its 81 characters, [`Candidates`], or [`AnyPuzzle`]. All
/// puzzles of a batch are of one type.
///
/// In 81 characters the low four bits of a clue are 1 to 9, and those of a blank are 0 or 10 to 15.
pub trait BatchPuzzle: Sized {
    /// Asks about a batch.
    #[doc(hidden)]
    fn ask<T>(puzzles: &[Self], ask: impl FnOnce(Batch<'_>) -> T) -> T;
}

impl BatchPuzzle for [u8; CELLS] {
    fn ask<T>(puzzles: &[Self], ask: impl FnOnce(Batch<'_>) -> T) -> T {
        ask(Batch::Cells(puzzles))
    }
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

impl<'b> Batch<'b> {
    /// The batch of one puzzle.
    pub(super) fn one(puzzle: &'b AnyPuzzle) -> Self {
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
    pub(super) fn masks(&self, puzzle: usize) -> [u16; CELLS] {
        match self {
            Self::Cells(cells) => cells[puzzle].map(|c| match c & 15 {
                digit @ 1..=9 => 1 << (digit - 1),
                _ => Digits::ALL.bits(),
            }),
            Self::Candidates(candidates) => candidates[puzzle].cells().map(Digits::bits),
        }
    }
}
