//! Moves, to be undone and done again.

use super::board::{Board, CellState};
use sudoku_batch::grid::Cell;

/// Cells and their new states: what one event changed.
pub type Change = Vec<(Cell, CellState)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    cell: Cell,
    before: CellState,
    after: CellState,
}

/// The changes of a game, and the number of them that are not undone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    changes: Vec<Vec<Step>>,
    done: usize,
}

impl History {
    /// Returns true if nothing was done, undone or not.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The number of changes that are not undone.
    pub fn done(&self) -> usize {
        self.done
    }

    /// All changes, undone ones too.
    pub fn changes(&self) -> impl Iterator<Item = Change> {
        let after = |step: &Step| (step.cell, step.after);
        self.changes
            .iter()
            .map(move |change| change.iter().map(after).collect())
    }

    /// Does all changes of a saved game, of which some were undone. `None` if there are not
    /// that number, or one changes nothing.
    pub(super) fn replay(board: &mut Board, changes: Vec<Change>, done: usize) -> Option<Self> {
        let mut history = Self::default();
        let count = changes.len();
        for change in changes {
            if !history.apply(board, change) {
                return None;
            }
        }
        for _ in done..count {
            history.undo(board)?;
        }
        (history.done == done).then_some(history)
    }

    /// Changes the board. What was undone is forgotten. Returns whether anything changed.
    pub(super) fn apply(&mut self, board: &mut Board, change: Change) -> bool {
        let step = |(cell, after): (Cell, CellState)| {
            let before = *board.cell(cell);
            (before != after).then_some(Step {
                cell,
                before,
                after,
            })
        };
        let steps: Vec<Step> = change.into_iter().filter_map(step).collect();
        if steps.is_empty() {
            return false;
        }
        for step in &steps {
            board.set(step.cell, step.after);
        }
        self.changes.truncate(self.done);
        self.changes.push(steps);
        self.done += 1;
        true
    }

    /// Undoes the last change: the cell where it was.
    pub(super) fn undo(&mut self, board: &mut Board) -> Option<Cell> {
        let last = self.done.checked_sub(1)?;
        self.done = last;
        let steps = &self.changes[last];
        for step in steps.iter().rev() {
            board.set(step.cell, step.before);
        }
        Some(steps[0].cell)
    }

    /// Does again what was undone: the cell where it is.
    pub(super) fn redo(&mut self, board: &mut Board) -> Option<Cell> {
        let steps = self.changes.get(self.done)?;
        self.done += 1;
        for step in steps {
            board.set(step.cell, step.after);
        }
        Some(steps[0].cell)
    }

    pub(super) fn undo_all(&self, board: &mut Board) {
        for step in self.changes[..self.done].iter().flatten().rev() {
            board.set(step.cell, step.before);
        }
    }
}
