//! The reference search: a measure of how hard a puzzle is for programs. It is defined in words and
//! never changes, so that anyone can write it again and get the same number:
//!
//! 1. Place *naked singles* (a cell has one candidate left) and *hidden singles* (a digit has one
//!    cell left in a row, column or box) until there is none. A placed digit is removed from the
//!    candidates of the cell's peers.
//! 2. This branch ends if a cell has no candidate, a digit has no cell in a house, or a digit stands
//!    twice in a house.
//! 3. If all cells are filled, this is a solution. The search ends at the second one.
//! 4. Otherwise take the cell with the fewest candidates; of several such cells, the first in
//!    reading order. Try its candidates in ascending order. Each is a *guess*, and the search
//!    continues from it with step 1.
//!
//! The order in which singles are placed does not matter. All singles are placed before a guess, and
//! a contradiction is found in any order.
//!
//! The candidates of a digit are 81 bits, 27 for each band, in the order of the cells. A row is nine
//! neighbouring bits. A box becomes nine neighbouring bits when the minirows change places
//! ([`swap_minirows`]). Columns are found by combining the nine rows.

use super::{
    NO_SOLUTION, Question,
    tables::{BAND, ROW_STARTS, whole_rows},
};
use crate::grid::{AnyPuzzle, CELLS, Cell, GridLine, Puzzle};
use std::array;

/// How many guesses the reference search needs for a puzzle, or `None` when it needs
/// more than `most`.
///
/// The number is a property of the puzzle alone. The source of this function's module
/// defines it, and so does `docs/design.md`. It is 0 if naked and hidden singles solve the
/// puzzle or show that it has no solution.
///
/// ```
/// use sudoku_batch::{Puzzle, solve::guesses};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let number = guesses(&puzzle, 1000).expect("it needs fewer");
/// assert_eq!(guesses(&puzzle, number), Some(number));
/// assert_eq!(guesses(&puzzle, number - 1), None);
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
pub fn guesses(puzzle: &Puzzle, most: u64) -> Option<u64> {
    guesses_of_any(&AnyPuzzle::Cells(*puzzle), most)
}

/// The same for a puzzle that is given by its cells or by their candidates.
///
/// ```
/// use sudoku_batch::{Candidates, Puzzle, solve::{guesses, guesses_of_any}};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// assert_eq!(guesses_of_any(&Candidates::from(puzzle).into(), 1000), guesses(&puzzle, 1000));
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
pub fn guesses_of_any(puzzle: &AnyPuzzle, most: u64) -> Option<u64> {
    let mut search = Search::new(most, 2);
    let gave_up = search.run(State::of(puzzle)) == Next::GiveUp;
    (!gave_up).then_some(search.guesses)
}

/// Whether [`Solve::with_max_guesses`](crate::questions::Solve::with_max_guesses) gives up on a puzzle:
/// the reference search needs more guesses than `most`, for the puzzle or, if the question asks
/// for the smallest of several solutions, for one of the searches that find it.
///
/// ```
/// use sudoku_batch::{Puzzle, Question, solve::gives_up};
/// assert!(gives_up(&Puzzle::EMPTY, Question::Unique, 10));
/// assert!(!gives_up(&Puzzle::EMPTY, Question::Unique, 1000));
/// ```
pub fn gives_up(puzzle: &Puzzle, question: Question, most: u64) -> bool {
    gives_up_any(&AnyPuzzle::Cells(*puzzle), question, most)
}

/// The same for a puzzle that is given by its cells or by their candidates.
#[doc(hidden)]
pub fn gives_up_any(puzzle: &AnyPuzzle, question: Question, most: u64) -> bool {
    match question {
        Question::Count(_) => guesses_of_any(puzzle, most).is_none(),
        Question::Solution | Question::Unique => {
            answer(puzzle, question == Question::Solution, most).is_none()
        }
    }
}

/// The answer of the reference search alone: how many solutions a puzzle has, up to two, and
/// the line of the only or the smallest one, or 81 points. With `smallest` false, several
/// solutions have 81 points. `None` if a search needs more guesses than `most`.
///
/// An engine is nearly always faster. But a puzzle that takes this search a few guesses can
/// take an engine a second. This function makes at most 649 searches of `most` guesses each,
/// and [`IN_ORDER`] more guesses.
pub(crate) fn answer(puzzle: &AnyPuzzle, smallest: bool, most: u64) -> Option<(u64, GridLine)> {
    Answering {
        most,
        in_order: IN_ORDER,
        guesses: 0,
    }
    .answer(State::of(puzzle), smallest)
}

/// The search in reading order gives up after this many guesses.
const IN_ORDER: u64 = 200;

/// What [`answer`] may do, and how many guesses it has made.
struct Answering {
    most: u64,
    /// Those of the search in reading order.
    in_order: u64,
    guesses: u64,
}

impl Answering {
    fn answer(&mut self, state: State, smallest: bool) -> Option<(u64, GridLine)> {
        let search = self.search(state, Search::new(self.most, 2))?;
        let line = match (search.solutions, search.first) {
            (1, Some(first)) => first.line(),
            (2, Some(first)) if smallest => self.smallest(state, first)?.line(),
            _ => NO_SOLUTION,
        };
        Some((search.solutions, line))
    }

    /// The search when it has ended, or `None` if it gave up.
    fn search(&mut self, state: State, mut search: Search) -> Option<Search> {
        let next = search.run(state);
        self.guesses += search.guesses;
        (next != Next::GiveUp).then_some(search)
    }

    /// The smallest solution of a state, which has the solution `known`. As in
    /// `scalar/smallest.rs`, a search in reading order is tried first. Then the cells are
    /// decided one by one: is there a solution with a smaller digit here?
    fn smallest(&mut self, mut state: State, mut known: State) -> Option<State> {
        let in_order = Search {
            in_order: true,
            ..Search::new(self.in_order, 1)
        };
        if let Some(search) = self.search(state, in_order) {
            return search.first;
        }
        while let Settled::Undecided = state.settle() {
            let (cell, mut digits) = state.first_open();
            let digit = digits.next().expect("an open cell has candidates");
            let mut with = state;
            with.placed[digit] = with.placed[digit].or(cell);
            let fits = |solution: &State| solution.placed[digit].and(cell).any();
            if !fits(&known) {
                let search = self.search(with, Search::new(self.most, 1))?;
                known = search.first.unwrap_or(known);
            }
            match fits(&known) {
                true => state = with,
                false => state.open[digit] = state.open[digit].and_not(cell),
            }
        }
        Some(state)
    }
}

/// 81 bits, one for each cell: 27 for each band. A fourth word stays 0, so that the four
/// fill a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cells([u32; 4]);

impl Cells {
    const NONE: Self = Self([0; 4]);
    const ALL: Self = Self([BAND, BAND, BAND, 0]);

    fn of(cell: usize) -> Self {
        let mut cells = Self::NONE;
        cells.0[cell / 27] = 1 << (cell % 27);
        cells
    }

    #[inline(always)]
    fn map(self, f: impl Fn(u32) -> u32) -> Self {
        Self(self.0.map(f))
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        Self(array::from_fn(|b| f(self.0[b], other.0[b])))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    fn any(self) -> bool {
        self != Self::NONE
    }
}

#[derive(Clone, Copy)]
struct State {
    /// The cells where each digit is a candidate.
    open: [Cells; 9],
    /// The cells where each digit stands.
    placed: [Cells; 9],
}

enum Settled {
    End,
    Solution,
    Undecided,
}

impl State {
    fn of(puzzle: &AnyPuzzle) -> Self {
        let mut state = Self {
            open: [Cells::ALL; 9],
            placed: [Cells::NONE; 9],
        };
        if let AnyPuzzle::Candidates(candidates) = puzzle {
            state.open = [Cells::NONE; 9];
            for (cell, digits) in candidates.cells().into_iter().enumerate() {
                for digit in digits.iter() {
                    let open = &mut state.open[digit.index()];
                    *open = open.or(Cells::of(cell));
                }
            }
        }
        let puzzle = puzzle.clues();
        for cell in Cell::all() {
            if let Some(digit) = puzzle.get(cell) {
                let placed = &mut state.placed[digit.index()];
                *placed = placed.or(Cells::of(cell.index()));
            }
        }
        state
    }

    /// Steps 1 to 3.
    fn settle(&mut self) -> Settled {
        loop {
            let filled = self.placed.into_iter().fold(Cells::NONE, Cells::or);
            let (mut one, mut two) = (Cells::NONE, Cells::NONE);
            let mut everywhere = true;
            let mut single = [Cells::NONE; 9];
            for ((open, placed), single) in self.open.iter_mut().zip(&self.placed).zip(&mut single)
            {
                // A placed digit is removed from its peers. A digit that stands twice in
                // a house is removed from both cells, which then have no candidate.
                let houses = Houses::of(*placed);
                let left = open.and_not(filled).and_not(houses.once);
                *open = left.or(placed.and_not(houses.twice));
                let houses = Houses::of(*open);
                *single = open.and_not(houses.twice_in_all);
                everywhere &= houses.all_once;
                two = two.or(one.and(*open));
                one = one.or(*open);
            }
            // Two digits may be placed in one cell. Then the cell is filled and has two
            // candidates.
            if !everywhere || filled.and(two).any() || one != Cells::ALL {
                return Settled::End;
            }
            let mut new = Cells::NONE;
            for ((open, placed), single) in self.open.iter().zip(&mut self.placed).zip(single) {
                let here = single.or(open.and_not(two));
                new = new.or(here.and_not(*placed));
                *placed = placed.or(here);
            }
            if !new.any() {
                return match two.any() {
                    true => Settled::Undecided,
                    false => Settled::Solution,
                };
            }
        }
    }

    /// The cell of step 4 and its candidates, where 0 is digit 1.
    fn narrowest(&self) -> (Cells, impl Iterator<Item = usize> + use<>) {
        // Cells with one candidate or more, two or more, and so on.
        let mut least = [Cells::NONE; 9];
        for &open in &self.open {
            for n in (1..9).rev() {
                least[n] = least[n].or(least[n - 1].and(open));
            }
            least[0] = least[0].or(open);
        }
        let exactly = |n: usize| match least.get(n) {
            Some(&more) => least[n - 1].and_not(more),
            None => least[n - 1],
        };
        let narrow = (2..=9).map(exactly).find(|cells| cells.any());
        let narrow = narrow.expect("a cell has two candidates or more");
        self.first_of(narrow)
    }

    /// The first cell with two candidates or more, and its candidates.
    fn first_open(&self) -> (Cells, impl Iterator<Item = usize> + use<>) {
        let (mut one, mut two) = (Cells::NONE, Cells::NONE);
        for &open in &self.open {
            two = two.or(one.and(open));
            one = one.or(open);
        }
        self.first_of(two)
    }

    /// The first of some cells, and its candidates.
    fn first_of(&self, cells: Cells) -> (Cells, impl Iterator<Item = usize> + use<>) {
        let first = (0..CELLS)
            .map(Cells::of)
            .find(|cell| cells.and(*cell).any());
        let cell = first.expect("a set that is not empty has a first cell");
        let has = self.open.map(|open| open.and(cell).any());
        (cell, (0..9).filter(move |&digit| has[digit]))
    }

    fn line(&self) -> GridLine {
        let mut line = NO_SOLUTION;
        for (digit, placed) in (b'1'..).zip(&self.placed) {
            for cell in (0..CELLS).filter(|&cell| placed.and(Cells::of(cell)).any()) {
                line[cell] = digit;
            }
        }
        line
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    GoOn,
    Stop,
    GiveUp,
}

struct Search {
    guesses: u64,
    most: u64,
    solutions: u64,
    /// The search ends at this many solutions.
    wanted: u64,
    first: Option<State>,
    /// Guesses the first open cell in place of the narrowest one.
    in_order: bool,
}

impl Search {
    fn new(most: u64, wanted: u64) -> Self {
        Self {
            guesses: 0,
            most,
            solutions: 0,
            wanted,
            first: None,
            in_order: false,
        }
    }

    fn run(&mut self, mut state: State) -> Next {
        match state.settle() {
            Settled::End => return Next::GoOn,
            Settled::Solution => {
                self.solutions += 1;
                self.first.get_or_insert(state);
                return match self.solutions == self.wanted {
                    true => Next::Stop,
                    false => Next::GoOn,
                };
            }
            Settled::Undecided => {}
        }
        match self.in_order {
            true => self.guess(&state, state.first_open()),
            false => self.guess(&state, state.narrowest()),
        }
    }

    /// Tries the candidates of a cell in ascending order.
    fn guess(
        &mut self,
        state: &State,
        (cell, digits): (Cells, impl Iterator<Item = usize>),
    ) -> Next {
        for digit in digits {
            if self.guesses == self.most {
                return Next::GiveUp;
            }
            self.guesses += 1;
            let mut guess = *state;
            guess.placed[digit] = guess.placed[digit].or(cell);
            match self.run(guess) {
                Next::GoOn => {}
                end => return end,
            }
        }
        Next::GoOn
    }
}

/// What the cells of one digit are in each house.
struct Houses {
    /// All cells of the houses that hold one or more.
    once: Cells,
    /// All cells of the houses that hold two or more.
    twice: Cells,
    /// The cells whose three houses all hold two or more. Any other cell of the digit is
    /// a hidden single.
    twice_in_all: Cells,
    all_once: bool,
}

impl Houses {
    #[inline(always)]
    fn of(cells: Cells) -> Self {
        let boxes = cells.map(swap_minirows);
        let (row_once, box_once) = (cells.map(whole_rows), boxes.map(whole_rows));
        // Removes the first cell of each row. Nothing is subtracted from a row without a
        // cell, so no row borrows from the next.
        let less = |cell: u32, row: u32| cell & cell.wrapping_sub(row & ROW_STARTS);
        let row_twice = cells.zip(row_once, less).map(whole_rows);
        let box_twice = boxes.zip(box_once, less).map(whole_rows);
        let (box_once, box_twice) = (box_once.map(swap_minirows), box_twice.map(swap_minirows));

        // Combines the three rows of each band, then the three bands.
        let rows = [cells, cells.map(|c| c >> 9), cells.map(|c| c >> 18)];
        let once = rows[0].or(rows[1]).or(rows[2]);
        let twice = rows[0].and(rows[1]).or(rows[2].and(rows[0].or(rows[1])));
        let (mut column_once, mut column_twice) = (0, 0);
        for (once, twice) in once.0.into_iter().zip(twice.0) {
            column_twice |= twice | column_once & once;
            column_once |= once;
        }
        let spread = |columns: u32| Cells::ALL.map(|all| all & ((columns & 0x1FF) * ROW_STARTS));
        let (column_once, column_twice) = (spread(column_once), spread(column_twice));

        Self {
            once: row_once.or(box_once).or(column_once),
            twice: row_twice.or(box_twice).or(column_twice),
            twice_in_all: row_twice.and(box_twice).and(column_twice),
            all_once: row_once.and(box_once).and(column_once) == Cells::ALL,
        }
    }
}

/// Turns boxes into rows and rows into boxes: minirow s of row r changes places with
/// minirow r of row s.
#[inline(always)]
const fn swap_minirows(band: u32) -> u32 {
    const NEAR: u32 = 7 << 3 | 7 << 15;
    const FAR: u32 = 7 << 6;
    let near = (band ^ band >> 6) & NEAR;
    let band = band ^ near ^ near << 6;
    let far = (band ^ band >> 12) & FAR;
    band ^ far ^ far << 12
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzles(text: &str) -> impl Iterator<Item = Puzzle> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let lines = lines.filter_map(|line| line.get(..81));
        lines.map(|cells| cells.parse().expect("a puzzle"))
    }

    #[test]
    fn no_puzzle_takes_more_guesses_than_are_allowed() {
        let (mut gave_up, mut longest) = (0, 0);
        for puzzle in puzzles(include_str!("../../data/worst.txt"))
            .chain(puzzles(include_str!("../../data/counts.txt")))
        {
            for most in [0, 1, 10, 100, 1000] {
                let mut answering = Answering {
                    most,
                    in_order: IN_ORDER,
                    guesses: 0,
                };
                let answer = answering.answer(State::of(&puzzle.into()), true);
                let needed = guesses(&puzzle, most);
                assert!(answer.is_none() || needed.is_some(), "{puzzle}");
                assert!(answering.guesses <= 649 * most + IN_ORDER, "{puzzle}");
                gave_up += u32::from(answer.is_none());
                longest = longest.max(answering.guesses);
            }
        }
        assert!(gave_up > 50 && longest > 1000, "{gave_up}, {longest}");
    }
}
