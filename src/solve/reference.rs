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
//! neighbouring bits. Boxes and columns are found by combining the three rows of a band. Only what
//! is new is looked at: the peers of newly placed digits, and digits that lost a candidate.

use super::{
    Goal, NO_SOLUTION,
    tables::{BAND, ROW_STARTS},
};
use crate::{
    grid::{AnyPuzzle, BatchPuzzle, CELLS, Cell, GridLine},
    stop,
};

/// The number of guesses that the reference search needs for a puzzle, or `None` when it needs
/// more than `most`.
///
/// The number is a property of the puzzle alone. The source of this function's module
/// defines it, and so does `docs/internals/ladder.md`. It is 0 if naked and hidden singles solve the
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
pub fn guesses(puzzle: impl BatchPuzzle, most: u64) -> Option<u64> {
    stop::check();
    let mut search = Search::new(most, 2);
    let gave_up = search.run(State::of(&puzzle.into())) == Next::GiveUp;
    (!gave_up).then_some(search.guesses)
}

/// Returns true if [`SolveSettings::max_guesses`](crate::questions::SolveSettings::max_guesses) gives up on a puzzle:
/// the reference search needs more guesses than `most`, for the puzzle or, if the question asks
/// for the smallest of several solutions, for one of the searches that find it.
///
/// ```
/// use sudoku_batch::{Puzzle, Goal, solve::gives_up};
/// assert!(gives_up(&Puzzle::EMPTY, Goal::Unique, 10));
/// assert!(!gives_up(&Puzzle::EMPTY, Goal::Unique, 1000));
/// ```
pub fn gives_up(puzzle: impl BatchPuzzle, question: Goal, most: u64) -> bool {
    let puzzle = puzzle.into();
    match question {
        Goal::Count(_) => guesses(puzzle, most).is_none(),
        Goal::Solution | Goal::Unique => {
            answer(&puzzle, question == Goal::Solution, most).is_none()
        }
    }
}

/// The answer of the reference search alone: how many solutions a puzzle has, up to two, and
/// the line of the only or the smallest one, or 81 dots. With `smallest` false, several
/// solutions have 81 dots. `None` if a search needs more guesses than `most`.
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

/// The limit of [`answer`], and the number of guesses that it has made.
struct Answering {
    most: u64,
    /// The guesses of the search in reading order.
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
        stop::check();
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
            if fits(&known) {
                state = with
            } else {
                state.open[digit] = state.open[digit].and_not(cell);
                state.lost[digit] = true;
            }
        }
        Some(state)
    }
}

/// 81 bits, one for each cell: 27 for each band. Two bands share the first word, from bit 0 and
/// bit 32 on, and the third has the second word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cells([u64; 2]);

/// The same bits in both halves of a word.
const fn both(bits: u32) -> u64 {
    (bits as u64) << 32 | bits as u64
}

impl Cells {
    const NONE: Self = Self([0; 2]);
    const ALL: Self = Self::in_each_band(BAND);

    /// The same cells of each band.
    const fn in_each_band(band: u32) -> Self {
        Self([both(band), band as u64])
    }

    const fn of(cell: usize) -> Self {
        let place = cell / 27 * 32 + cell % 27;
        let mut cells = Self::NONE;
        cells.0[place / 64] = 1 << (place % 64);
        cells
    }

    #[inline(always)]
    fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Self([f(self.0[0]), f(self.0[1])])
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self([f(self.0[0], other.0[0]), f(self.0[1], other.0[1])])
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

    #[inline(always)]
    fn any(self) -> bool {
        self.0[0] | self.0[1] != 0
    }

    /// The first of some cells, or none.
    #[inline(always)]
    fn first(self) -> Self {
        let [a, b] = self.0;
        match a {
            0 => Self([0, b & b.wrapping_neg()]),
            _ => Self([a & a.wrapping_neg(), 0]),
        }
    }

    /// Each band becomes the next one.
    #[inline(always)]
    fn next_band(self) -> Self {
        let [a, b] = self.0;
        Self([a >> 32 | b << 32, a & u64::from(u32::MAX)])
    }

    /// The first cell of each row that holds any of the cells.
    #[inline(always)]
    fn rows_with(self) -> Self {
        const LOW: u64 = both(0xFF * ROW_STARTS);
        const STARTS: u64 = both(ROW_STARTS);
        // The last bit of each row: set, or set by a carry from the others.
        self.map(|c| (((c & LOW) + LOW) | c) >> 8 & STARTS)
    }
}

/// The cells that share a house with a cell, without itself, by its bit.
static PEERS: [Cells; 96] = {
    let mut peers = [Cells::NONE; 96];
    let mut n = 0;
    while n < CELLS * CELLS {
        let (a, b) = (n / CELLS, n % CELLS);
        let same_box = a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3;
        if a != b && (a / 9 == b / 9 || a % 9 == b % 9 || same_box) {
            let (place, other) = (a / 27 * 32 + a % 27, Cells::of(b));
            peers[place].0[0] |= other.0[0];
            peers[place].0[1] |= other.0[1];
        }
        n += 1;
    }
    peers
};

#[derive(Clone, Copy)]
struct State {
    /// The cells where each digit is a candidate.
    open: [Cells; 9],
    /// The cells where each digit stands.
    placed: [Cells; 9],
    /// The placed digits that their peers have lost.
    carried_out: [Cells; 9],
    /// The digits that lost a candidate since their hidden singles were looked for.
    lost: [bool; 9],
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
            carried_out: [Cells::NONE; 9],
            lost: [true; 9],
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
            self.carry_out();
            let (mut one, mut two) = (Cells::NONE, Cells::NONE);
            for &open in &self.open {
                two = two.or(one.and(open));
                one = one.or(open);
            }
            // Two equal digits in a house have removed each other, two digits in a cell all of it.
            if one != Cells::ALL {
                return Settled::End;
            }
            let mut any_new = false;
            let digits = self.open.iter().zip(&mut self.placed).zip(&mut self.lost);
            for ((open, placed), lost) in digits {
                let mut single = open.and_not(two);
                if std::mem::take(lost) {
                    let Some(hidden) = hidden_singles(*open) else {
                        return Settled::End;
                    };
                    single = single.or(hidden);
                }
                any_new |= single.and_not(*placed).any();
                *placed = placed.or(single);
            }
            if !any_new {
                return if two.any() {
                    Settled::Undecided
                } else {
                    Settled::Solution
                };
            }
        }
    }

    /// Removes newly placed digits from their peers, and other digits from their cells. Digits
    /// that lose a candidate are marked.
    #[inline(always)]
    fn carry_out(&mut self) {
        let (mut filled, mut twice) = (Cells::NONE, Cells::NONE);
        let mut new = [Cells::NONE; 9];
        for (digit, new) in new.iter_mut().enumerate() {
            *new = self.placed[digit].and_not(self.carried_out[digit]);
            twice = twice.or(filled.and(*new));
            filled = filled.or(*new);
        }
        self.carried_out = self.placed;
        for (digit, new) in new.into_iter().enumerate() {
            let before = self.open[digit];
            let mut open = before.and_not(filled.and_not(new).or(twice));
            for (w, mut word) in new.0.into_iter().enumerate() {
                while word != 0 {
                    open = open.and_not(PEERS[64 * w + word.trailing_zeros() as usize]);
                    word &= word - 1;
                }
            }
            self.lost[digit] |= open != before;
            self.open[digit] = open;
        }
    }

    /// The cell of step 4 and its candidates, where 0 is digit 1.
    fn narrowest(&self) -> (Cells, impl Iterator<Item = usize> + use<>) {
        // Cells with one candidate or more, two or more, and three or more. Nearly always a cell
        // has two.
        let [mut one, mut two, mut three] = [Cells::NONE; 3];
        for &open in &self.open {
            three = three.or(two.and(open));
            two = two.or(one.and(open));
            one = one.or(open);
        }
        let pairs = two.and_not(three);
        if pairs.any() {
            return self.first_of(pairs);
        }
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
        let narrow = (3..=9).map(exactly).find(|cells| cells.any());
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
        let cell = cells.first();
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
                return if self.solutions == self.wanted {
                    Next::Stop
                } else {
                    Next::GoOn
                };
            }
            Settled::Undecided => {}
        }
        if self.in_order {
            self.guess(&state, state.first_open())
        } else {
            self.guess(&state, state.narrowest())
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
            if self.guesses.is_multiple_of(256) {
                stop::check();
            }
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

/// The cells of one digit that are alone in a row, column or box. `None` if a house has none
/// of them.
#[inline(always)]
fn hidden_singles(cells: Cells) -> Option<Cells> {
    const ROW: u64 = both(0x1FF);
    const STACKS: u64 = both(0o111);
    let row_once = cells.rows_with();
    // Without the first cell of each row. Nothing is subtracted from a row without a cell, so no
    // row borrows from the next.
    let more = cells.zip(row_once, |c, row| c & c.wrapping_sub(row));
    let row_twice = more
        .rows_with()
        .map(|starts| (starts << 9).wrapping_sub(starts));

    // The three rows of each band on top of each other: columns with a cell, and with two.
    let row = |r: usize| cells.map(|c| c >> (9 * r) & ROW);
    let [a, b, c] = [row(0), row(1), row(2)];
    let once = a.or(b).or(c);
    let twice = a.and(b).or(c.and(a.or(b)));

    // A box has two cells if a column of it has, or if two of its columns have one.
    let box_once = once.map(|o| (o | o >> 1 | o >> 2) & STACKS);
    let box_twice = once.zip(twice, |o, t| {
        let starts = (t | t >> 1 | t >> 2 | o & (o >> 1 | o >> 2) | o >> 1 & o >> 2) & STACKS;
        (starts << 3) - starts
    });

    // The same of the three bands.
    let (next, next_twice) = (once.next_band(), twice.next_band());
    let (last, last_twice) = (next.next_band(), next_twice.next_band());
    let column_once = once.or(next).or(last);
    let column_twice = twice.or(next_twice).or(last_twice);
    let column_twice = column_twice.or(once.and(next)).or(last.and(once.or(next)));

    let crowded = column_twice.and(box_twice).map(|c| c | c << 9 | c << 18);
    let everywhere = row_once == Cells::in_each_band(ROW_STARTS)
        && box_once == Cells::in_each_band(0o111)
        && column_once == Cells::in_each_band(0x1FF);
    everywhere.then(|| cells.and_not(row_twice.and(crowded)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Puzzle;

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
