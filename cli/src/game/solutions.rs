//! All solutions of a puzzle, a page at a time.

use super::Direction;
use sudoku_batch::{
    grid::{AnyPuzzle, Grid},
    solve::Solutions,
};

/// The solutions of a puzzle in ascending order. They are found as the pages are turned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pager {
    rest: Solutions,
    found: Vec<Grid>,
    page: usize,
    complete: bool,
}

impl Pager {
    pub(super) fn new(puzzle: &AnyPuzzle, first: Grid) -> Self {
        let mut rest = Solutions::new(puzzle);
        rest.next();
        let mut pager = Self {
            rest,
            found: vec![first],
            page: 0,
            complete: false,
        };
        pager.look_ahead();
        pager
    }

    /// The solution that is shown.
    pub fn solution(&self) -> &Grid {
        &self.found[self.page]
    }

    /// Its number, from 1.
    pub fn number(&self) -> usize {
        self.page + 1
    }

    /// The number of solutions that are found so far, and `true` if these are all.
    pub fn found(&self) -> (usize, bool) {
        (self.found.len(), self.complete)
    }

    pub(super) fn turn(&mut self, direction: Direction) {
        match direction.is_forward() {
            true if self.page + 1 < self.found.len() => self.page += 1,
            true => {}
            false => self.page = self.page.saturating_sub(1),
        }
        self.look_ahead();
    }

    /// Finds the solution after the one that is shown, so that it is known whether there is
    /// one.
    fn look_ahead(&mut self) {
        if self.page + 1 == self.found.len() && !self.complete {
            match self.rest.next() {
                Some(grid) => self.found.push(grid),
                None => self.complete = true,
            }
        }
    }
}
