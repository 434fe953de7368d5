//! Quotas: how many clues each row, column and box has, and each digit.
//!
//! A *line* is a row, a column, a box or a digit: each has nine cells in a grid, and each cell is in four lines. The
//! nine lines of a *kind* share no cell.
//!
//! Digging keeps to the quotas clue by clue, so few grids are dug in vain:
//!
//! - No clue goes from a line that would have fewer than its least number.
//! - A clue more than the most of a line is one that has to go. If as many clues may still go as have to go from the
//!   lines of a kind, no other clue of that kind goes.
//! - Minimal puzzles end when nothing can go, whatever their number of clues. There the order keeps clues even: the
//!   next clue is one from the fullest lines. A clue that stays for a quota is asked about again at the end, because it
//!   may be redundant. Then the puzzle is not what is wanted.

use super::{FEWEST_CLUES, Pattern, RecipeError, recipe::span};
use crate::grid::{BLANK, CELLS, Cell, Digit, HouseKind, Puzzle};
use std::ops::RangeInclusive;

/// The number of lines.
const LINES: usize = 36;

/// The most clues of any known minimal puzzle.
const MOST_MINIMAL: usize = 40;

/// A kind of lines: their places, and what they are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Row,
    Column,
    Box,
    Digit,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Row, Self::Column, Self::Box, Self::Digit];

    const fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Box => "box",
            Self::Digit => "digit",
        }
    }

    const fn lines(self) -> std::ops::Range<usize> {
        9 * self as usize..9 * self as usize + 9
    }
}

impl From<HouseKind> for Kind {
    fn from(kind: HouseKind) -> Self {
        match kind {
            HouseKind::Row => Self::Row,
            HouseKind::Column => Self::Column,
            HouseKind::Box => Self::Box,
        }
    }
}

/// The line of a digit, which is a character.
fn line_of_digit(digit: u8) -> usize {
    27 + usize::from(digit - b'1')
}

/// The lines of a cell with a digit.
fn lines_of(cell: Cell, digit: u8) -> [usize; 4] {
    let (row, column) = (cell.row(), cell.column());
    let box_line = 18 + row / 3 * 3 + column / 3;
    [row, 9 + column, box_line, line_of_digit(digit)]
}

/// The number of clues in each line of a puzzle.
pub(crate) fn clues_by_line(puzzle: &Puzzle) -> [u8; LINES] {
    let mut clues = [0; LINES];
    for (cell, &digit) in Cell::all().zip(puzzle.as_ascii()) {
        if digit != BLANK {
            lines_of(cell, digit)
                .into_iter()
                .for_each(|line| clues[line] += 1);
        }
    }
    clues
}

/// The least and the most clues of each line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quotas {
    least: [u8; LINES],
    most: [u8; LINES],
}

/// Any number of clues.
impl Default for Quotas {
    fn default() -> Self {
        Self {
            least: [0; LINES],
            most: [9; LINES],
        }
    }
}

impl Quotas {
    /// Returns true if any puzzle meets them.
    pub(super) fn are_open(&self) -> bool {
        *self == Self::default()
    }

    /// Returns true if lines of a kind have quotas.
    fn bind(&self, kind: Kind) -> bool {
        let mut lines = kind.lines();
        lines.any(|line| (self.least[line], self.most[line]) != (0, 9))
    }

    /// Narrows the quotas of all lines of a kind. A digit that is missing has no clue, whatever the others have.
    ///
    /// # Errors
    ///
    /// No number is left, or a missing digit is to have clues.
    pub(super) fn narrow(
        &mut self,
        kind: Kind,
        clues: &RangeInclusive<usize>,
    ) -> Result<(), RecipeError> {
        let (least, most) = (*clues.start(), *clues.end());
        if least > most || most > 9 {
            return Err(RecipeError::Quota(format!(
                "{least} to {most} is no range of numbers from 0 to 9"
            )));
        }
        for line in kind.lines() {
            if kind == Kind::Digit && self.most[line] == 0 {
                let digit = line - Kind::Digit.lines().start + 1;
                if least > 0 {
                    return Err(RecipeError::Quota(format!(
                        "digit {digit} is missing, and each digit is to have at least {}",
                        span(&least, &least, "clues")
                    )));
                }
                continue;
            }
            self.least[line] = self.least[line].max(least as u8);
            self.most[line] = self.most[line].min(most as u8);
            if self.least[line] > self.most[line] {
                return Err(RecipeError::Quota(format!(
                    "two ranges of clues in each {} have no number in common",
                    kind.name()
                )));
            }
        }
        Ok(())
    }

    /// Takes all clues from a digit.
    ///
    /// # Errors
    ///
    /// Each digit is to have some, or another digit is missing: the two could change places.
    pub(super) fn leave_out(&mut self, digit: Digit) -> Result<(), RecipeError> {
        let own = line_of_digit(digit.to_ascii());
        if self.least[own] > 0 {
            return Err(RecipeError::Quota(format!(
                "digit {digit} is missing, and each digit is to have at least {}",
                span(&self.least[own].into(), &self.least[own].into(), "clues")
            )));
        }
        if let Some(other) = Kind::Digit
            .lines()
            .find(|&line| line != own && self.most[line] == 0)
        {
            let other = other - Kind::Digit.lines().start + 1;
            return Err(RecipeError::Quota(format!(
                "digits {other} and {digit} are missing, so they can change places in any solution"
            )));
        }
        self.most[own] = 0;
        Ok(())
    }

    /// The numbers of clues of a puzzle that the quotas of a kind allow.
    fn sums(&self, kind: Kind) -> RangeInclusive<usize> {
        let sum = |of: &[u8; LINES]| of[kind.lines()].iter().map(|&n| usize::from(n)).sum();
        sum(&self.least)..=sum(&self.most)
    }

    /// The numbers of clues of a puzzle that all quotas allow.
    ///
    /// # Errors
    ///
    /// There is none, or none among `clues`, or no puzzle with so few has one solution.
    pub(super) fn clues_of(
        &self,
        clues: RangeInclusive<usize>,
        is_unique: bool,
    ) -> Result<RangeInclusive<usize>, RecipeError> {
        let mut all = 0..=CELLS;
        let mut ends = [Kind::Row; 2];
        for kind in Kind::ALL.into_iter().filter(|kind| self.bind(*kind)) {
            let sums = self.sums(kind);
            if sums.start() > all.start() {
                (all, ends[0]) = (*sums.start()..=*all.end(), kind);
            }
            if sums.end() < all.end() {
                (all, ends[1]) = (*all.start()..=*sums.end(), kind);
            }
        }
        if all.is_empty() {
            let [most, least] = ends.map(Kind::name);
            return Err(RecipeError::Quota(format!(
                "the quota of each {most} takes at least {}, and that of each {least} allows {} at most",
                span(all.start(), all.start(), "clues"),
                all.end()
            )));
        }
        let both = *clues.start().max(all.start())..=*clues.end().min(all.end());
        if both.is_empty() {
            let kind = ends[usize::from(clues.start() > all.end())];
            return Err(RecipeError::Quota(format!(
                "{} are asked for, and the quota of each {} takes {}",
                span(clues.start(), clues.end(), "clues"),
                kind.name(),
                span(all.start(), all.end(), "clues")
            )));
        }
        if is_unique && *both.end() < FEWEST_CLUES {
            return Err(RecipeError::TooFewClues { clues: *both.end() });
        }
        Ok(both)
    }

    /// Refuses quotas that no minimal puzzle meets.
    ///
    /// # Errors
    ///
    /// A line has nine clues, or there are more clues than any known minimal puzzle has.
    pub(super) fn check_minimal(&self) -> Result<(), RecipeError> {
        let mut least = 0;
        for kind in Kind::ALL {
            least = least.max(*self.sums(kind).start());
            if kind.lines().any(|line| self.least[line] == 9) {
                let name = kind.name();
                return Err(RecipeError::Quota(format!(
                    "no {name} of a minimal puzzle has nine clues: eight of them give the ninth"
                )));
            }
        }
        if least > MOST_MINIMAL {
            return Err(RecipeError::Quota(format!(
                "the quotas take at least {}, and no minimal puzzle with more than {MOST_MINIMAL} is known",
                span(&least, &least, "clues")
            )));
        }
        Ok(())
    }

    /// Compares the quotas of rows, columns and boxes with a pattern.
    ///
    /// # Errors
    ///
    /// A house of the pattern has another number of clues.
    pub(super) fn check_pattern(&self, pattern: &Pattern) -> Result<(), RecipeError> {
        let mut clues = [0; LINES];
        for cell in Cell::all().filter(|&cell| pattern.has(cell)) {
            lines_of(cell, b'1')
                .into_iter()
                .for_each(|line| clues[line] += 1);
        }
        for kind in [Kind::Row, Kind::Column, Kind::Box] {
            for line in kind.lines() {
                if !self.allow(line, clues[line]) {
                    let [least, most] = [self.least, self.most].map(|of| usize::from(of[line]));
                    return Err(RecipeError::Quota(format!(
                        "{} {} of the pattern has {}, and {} are asked for",
                        kind.name(),
                        line - kind.lines().start + 1,
                        span(&clues[line].into(), &clues[line].into(), "clues"),
                        span(&least, &most, "clues")
                    )));
                }
            }
        }
        Ok(())
    }

    fn allow(&self, line: usize, clues: u8) -> bool {
        (self.least[line]..=self.most[line]).contains(&clues)
    }

    /// Returns true if a puzzle meets them.
    pub(super) fn are_met_by(&self, puzzle: &Puzzle) -> bool {
        self.are_open() || self.are_met(&clues_by_line(puzzle))
    }

    fn are_met(&self, clues: &[u8; LINES]) -> bool {
        (0..LINES).all(|line| self.allow(line, clues[line]))
    }

    /// Returns true if digits have quotas.
    pub(super) fn bind_digits(&self) -> bool {
        self.bind(Kind::Digit)
    }

    /// Returns true if no puzzle has a clue with this digit.
    pub(super) fn leaves_out(&self, digit: u8) -> bool {
        self.most[line_of_digit(digit)] == 0
    }

    /// Returns true if a clue of a puzzle may have another digit: neither digit is further from its quota then.
    pub(super) fn allow_exchange(&self, cells: &[u8; CELLS], from: u8, to: u8) -> bool {
        let count = |digit: u8| cells.iter().filter(|cell| **cell == digit).count();
        count(from) > usize::from(self.least[line_of_digit(from)])
            && count(to) < usize::from(self.most[line_of_digit(to)])
    }
}

/// The clues that a puzzle in the making has in each line.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    clues: [u8; LINES],
    /// For each kind, the clues that have to go.
    over: [u8; 4],
}

impl Tally {
    /// The tally of a grid. Only one with quotas is of use.
    pub(super) fn of_grid(quotas: Option<&Quotas>) -> Self {
        let mut tally = Self {
            clues: [9; LINES],
            over: [0; 4],
        };
        if let Some(quotas) = quotas {
            for line in 0..LINES {
                tally.over[line / 9] += 9 - quotas.most[line];
            }
        }
        tally
    }

    /// Takes clues out of their lines.
    pub(super) fn take(&mut self, quotas: &Quotas, cells: &[Cell], grid: &[u8; CELLS]) {
        for &cell in cells {
            for line in lines_of(cell, grid[cell.index()]) {
                self.over[line / 9] -= u8::from(self.clues[line] > quotas.most[line]);
                self.clues[line] -= 1;
            }
        }
    }

    /// Gives clues back to their lines.
    pub(super) fn put_back(&mut self, quotas: &Quotas, cells: &[Cell], grid: &[u8; CELLS]) {
        for &cell in cells {
            for line in lines_of(cell, grid[cell.index()]) {
                self.clues[line] += 1;
                self.over[line / 9] += u8::from(self.clues[line] > quotas.most[line]);
            }
        }
    }

    /// Returns true if the quotas allow that clues go after which `left` more may go.
    pub(super) fn may_go(
        &self,
        quotas: &Quotas,
        cells: &[Cell],
        grid: &[u8; CELLS],
        left: usize,
    ) -> bool {
        let mut after = self.clone();
        after.take(quotas, cells, grid);
        after.over.iter().all(|&over| usize::from(over) <= left)
            && cells.iter().all(|&cell| {
                let lines = lines_of(cell, grid[cell.index()]);
                lines
                    .into_iter()
                    .all(|line| after.clues[line] >= quotas.least[line])
            })
    }

    /// Returns true if the quotas allow that clues come back.
    pub(super) fn may_come(&self, quotas: &Quotas, cells: &[Cell], grid: &[u8; CELLS]) -> bool {
        let mut after = self.clone();
        after.put_back(quotas, cells, grid);
        cells.iter().all(|&cell| {
            let lines = lines_of(cell, grid[cell.index()]);
            lines
                .into_iter()
                .all(|line| after.clues[line] <= quotas.most[line])
        })
    }

    /// Returns true if no line has a clue that has to go.
    pub(super) fn has_none_over(&self) -> bool {
        self.over == [0; 4]
    }

    /// Returns true if each line has as many clues as it may have.
    pub(super) fn meets(&self, quotas: &Quotas) -> bool {
        quotas.are_met(&self.clues)
    }
}

/// Orders of digging.
impl Quotas {
    /// Puts the orbits that have a digit that is missing before all others.
    pub(super) fn missing_first(&self, order: &mut [u8], orbits: &[&[Cell]], grid: &[u8; CELLS]) {
        if self.bind_digits() {
            let is_missing = |cell: &Cell| self.leaves_out(grid[cell.index()]);
            order.sort_by_key(|&orbit| !orbits[usize::from(orbit)].iter().any(is_missing));
        }
    }

    /// Puts orbits into an order that keeps clues even: each is one from the fullest lines of those kinds that have
    /// quotas, and among equals the first of the given order.
    pub(super) fn even_order(&self, order: &mut [u8], orbits: &[&[Cell]], grid: &[u8; CELLS]) {
        let binds = Kind::ALL.map(|kind| self.bind(kind));
        let mut clues = [9_u32; LINES];
        for at in 0..order.len() {
            let fullness = |orbit: u8| {
                let cells = orbits[usize::from(orbit)];
                let of_cell = |&cell: &Cell| {
                    let lines = lines_of(cell, grid[cell.index()]).into_iter();
                    let lines = lines.filter(|line| binds[line / 9]);
                    lines.map(|line| clues[line]).sum::<u32>()
                };
                // The mean of its cells, in parts that all sizes of orbits divide.
                12 / cells.len() as u32 * cells.iter().map(of_cell).sum::<u32>()
            };
            // The first of those that are equal.
            let next = (at..order.len())
                .rev()
                .max_by_key(|&place| fullness(order[place]));
            let next = next.expect("an orbit is left");
            order[at..=next].rotate_right(1);
            for &cell in orbits[usize::from(order[at])] {
                lines_of(cell, grid[cell.index()])
                    .into_iter()
                    .for_each(|line| clues[line] -= 1);
            }
        }
    }
}
