//! The steps of a person up to 4.4, taken on a [`Board`].
//!
//! The searches are those of `technique`. But a [`technique::Step`](crate::technique::Step) has lists, and
//! is looked for in all houses each time. Here a step is 24 bytes in a list that is kept, and a search
//! looks only at houses that have changed since it last found nothing there. Whether a set is there
//! depends on the house alone, so a house without one stays so.

use super::{Steps, board::Board};
use crate::{
    grid::{CELLS, Candidate, Digits, Puzzle},
    technique::{
        Rating, Step, Technique, Todo,
        desk::{Desk, Pattern},
        find_easy,
    },
};
use std::ops::ControlFlow;

/// A board, and the steps taken on it. A search ends with the first step.
struct Recorder<'r> {
    board: &'r mut Board,
    steps: &'r mut Steps,
}

impl Desk for Recorder<'_> {
    #[inline(always)]
    fn places(&self, digit: usize, house: usize) -> u16 {
        self.board.places[digit][house]
    }

    #[inline(always)]
    fn candidates(&self, cell: usize) -> u16 {
        self.board.candidates[cell]
    }

    #[inline(always)]
    fn empty_count(&self, house: usize) -> u32 {
        self.board.empty_count(house)
    }

    #[inline(always)]
    fn missing(&self, digit: usize) -> u32 {
        self.board.missing[digit].into()
    }

    #[inline(always)]
    fn may_have_single_cell(&self) -> bool {
        self.board.has_naked_single()
    }

    #[inline(always)]
    fn strike(&mut self, cell: u8, digit: usize) {
        self.steps.strikes.push((cell, digit as u8));
    }

    #[inline(always)]
    fn end(
        &mut self,
        pattern: Pattern<impl IntoIterator<Item = usize>, impl IntoIterator<Item = u8>>,
    ) -> ControlFlow<()> {
        let first = self.steps.strikes_before();
        if first == self.steps.strikes.len() {
            return ControlFlow::Continue(());
        }
        self.steps.cells.extend(pattern.cells);
        for n in first..self.steps.strikes.len() {
            let (cell, digit) = self.steps.strikes[n];
            self.board.strike(cell, digit);
        }
        let (technique, digits) = (pattern.technique, pattern.digits);
        self.steps.end(technique, technique.rating(), digits, None);
        ControlFlow::Break(())
    }

    #[inline(always)]
    fn place(
        &mut self,
        pattern: Pattern<impl IntoIterator<Item = usize>, impl IntoIterator<Item = u8>>,
        cell: u8,
        digit: usize,
    ) -> ControlFlow<()> {
        self.steps.cells.extend(pattern.cells);
        let (technique, digits, digit) = (pattern.technique, pattern.digits, digit as u8);
        self.steps
            .end(technique, technique.rating(), digits, Some((cell, digit)));
        self.board.place(cell, digit);
        ControlFlow::Break(())
    }
}

/// A recorder at work on one puzzle.
pub(super) struct Human<'r> {
    recorder: Recorder<'r>,
    todo: Todo,
    /// Returns true if the steps end with one of this technique. It is not asked about hidden singles.
    until: &'r mut dyn FnMut(Technique) -> bool,
    is_enough: bool,
}

impl<'r> Human<'r> {
    #[inline(always)]
    pub(super) fn new(
        board: &'r mut Board,
        steps: &'r mut Steps,
        until: &'r mut dyn FnMut(Technique) -> bool,
    ) -> Self {
        Self {
            recorder: Recorder { board, steps },
            todo: Todo::default(),
            until,
            is_enough: false,
        }
    }

    /// Takes steps until no technique up to 4.4, and up to the bound, leads on.
    #[inline(always)]
    pub(super) fn run(&mut self, up_to: Rating) {
        loop {
            while let Some(single) = self.recorder.board.single() {
                if single.technique.rating() > up_to {
                    return;
                }
                let pattern = Pattern {
                    technique: single.technique,
                    houses: [],
                    cells: [single.cell],
                    digits: 1 << single.digit,
                };
                let _ = (self.recorder).place(pattern, single.cell, single.digit.into());
            }
            if self.is_filled() {
                return;
            }
            let (houses, digits) = self.recorder.board.take_changes();
            self.todo.add(houses, digits.into());
            if find_easy(&mut self.recorder, &mut self.todo, up_to).is_continue() {
                return;
            }
            let last = self.recorder.steps.steps.last();
            self.is_enough = last.is_some_and(|step| (self.until)(step.technique));
            if self.is_enough {
                return;
            }
        }
    }

    /// Returns true if the steps end although there may be more.
    pub(super) fn is_enough(&self) -> bool {
        self.is_enough
    }

    /// Returns true if no cell is empty.
    pub(super) fn is_filled(&self) -> bool {
        self.recorder.board.open == 0
    }

    /// The filled cells, and the candidates of the others.
    pub(super) fn position(&self) -> (Puzzle, [Digits; CELLS]) {
        let board = &self.recorder.board;
        let filled = Puzzle::from_ascii(&board.filled).expect("digits and points");
        let candidates = board.candidates.first_chunk().expect("81 of 96");
        (filled, candidates.map(Digits::from_bits))
    }

    /// Notes and does a step of the searches over 4.4.
    pub(super) fn take(&mut self, step: &Step) {
        self.is_enough = (self.until)(step.technique);
        let Recorder { board, steps } = &mut self.recorder;
        steps.note(step);
        if let Some(Candidate { cell, digit }) = step.place {
            board.place(cell.index() as u8, digit.index() as u8);
        }
        for strike in &step.strikes {
            if step.place.is_none_or(|place| place.cell != strike.cell) {
                board.strike(strike.cell.index() as u8, strike.digit.index() as u8);
            }
        }
    }
}
