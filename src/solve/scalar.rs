//! The scalar engine: one puzzle at a time. `docs/internals/ladder.md` explains it (rungs 3 and 4).
//!
//! The candidates are stored by digit, not by cell. A digit in a band is one word:
//!
//! ```text
//!              stack 0  stack 1  stack 2
//!     row 0     0  1  2| 3  4  5| 6  7  8     bit 9r + c: the digit is still
//!     row 1     9 10 11|12 13 14|15 16 17     possible in row r and column c
//!     row 2    18 19 20|21 22 23|24 25 26     of the band
//! ```
//!
//! Two steps of propagation take turns until neither changes anything. One takes the words that
//! have changed, a digit in a band each:
//!
//! ```text
//!     minirows with candidates -> 3x3 matrix, rows by stacks
//!     keep what is part of a permutation of it            (LOCKED)
//!     columns with candidates -> turned within the stacks (TURNED)
//!     in the other two bands keep the columns that are part of a permutation
//!         of the matrix bands by columns of each stack
//!     a row with one candidate: the digit is placed there
//! ```
//!
//! A hidden single of a box or a column ends up alone in its row, so hidden singles are looked for
//! in rows only. The other step takes all digits at once: placed cells lose other digits, and
//! carry-save counting over the nine vectors finds cells with no candidate, with one, and with two
//! or more. A naked single clears its row; the first step carries that on to its box and column.
//!
//! When propagation stalls, every minirow and minicolumn must be open to three digits at least and
//! sure of three at most. (Without this count, a sparse puzzle may put seven digits into three
//! cells, and the search looks for the error far below.) A branch then puts a digit into a minirow
//! or minicolumn, or excludes it: three cells at once. The hardest puzzles take 64 such guesses;
//! guesses at a cell with two candidates took 142.
//!
//! Sources. Words of 27 cells and tables on them: zhouyundong's and JasonLion's solvers, known
//! through champagne's JCZSolve. Deciding minirows by permutations, and branching on them: Tom
//! Dillon's tdoku. The turned columns, in place of a table of pointing pairs, are this project's own.

mod in_order;
mod shared;
mod smallest;
mod union;

pub use in_order::Solutions;
pub use shared::Counting;
pub(super) use smallest::smallest;
pub(super) use union::unite;

use super::{
    Batch, Interviewer, Limits, NO_SOLUTION, Questions,
    tables::{BAND, LOCKED, MINIROWS, PERMUTATIONS, ROW_STARTS, TURNED, WIDE, turned, whole_rows},
};
use crate::{
    grid::{CELLS, Candidate, GridLine, Puzzle},
    stop,
};

/// A word for each band. The fourth stays 0 and fills the vector.
type Bands = [u32; 4];

/// Counts the solutions of each puzzle, see [`BatchEngine`](super::BatchEngine).
pub(super) fn count_lines(
    puzzles: Batch<'_>,
    strikes: &[Option<Candidate>],
    limits: Limits,
    lines: &mut [GridLine],
    counts: &mut [u64],
) {
    lines.fill(NO_SOLUTION);
    let mut unwanted = NO_SOLUTION;
    let mut lines = lines.chunks_mut((lines.len() / puzzles.len().max(1)).max(1));
    for (i, count) in counts.iter_mut().enumerate() {
        if i % 64 == 63 {
            stop::check();
        }
        let line = lines.next().map_or(&mut unwanted, |lines| &mut lines[0]);
        let mut state = State::of(puzzles, i);
        let strike = strikes.get(i).copied().flatten();
        if let Some(strike) = strike {
            state.exclude(strike.cell.index(), strike.digit.index());
        }
        let turn = match puzzles {
            Batch::Cells(_) => FIRST_TURN,
            Batch::Candidates(_) => FIRST_TURN_OF_CANDIDATES,
        };
        let found = search_by_turns(&state, limits.of(strike), turn, u64::MAX, line);
        *count = found.expect("the turns have no end").0;
    }
}

/// See [`Solver::interview`](super::Solver::interview).
pub(super) fn interview(
    questions: &mut Questions,
    mut ask: Vec<u32>,
    limits: Limits,
    interviewer: &mut dyn Interviewer,
    most: usize,
) -> Vec<u32> {
    while ask.len() < most
        && let Some(place) = ask.pop()
    {
        let place = place as usize;
        let (mut line, mut count) = ([NO_SOLUTION], [0]);
        let puzzle = Batch::Cells(&questions.cells[place..=place]);
        let strike = &questions.strikes[place..=place];
        let limits = Limits::same(questions.limit(place, limits));
        count_lines(puzzle, strike, limits, &mut line, &mut count);
        if count[0] > 0 && strike[0].is_none() {
            interviewer.found(place, &|cell, digit| {
                line[0][cell.index()] == digit.to_ascii()
            });
        }
        interviewer.answered(place, count[0], questions, &mut ask);
    }
    ask
}

/// Some solution of a puzzle in which a cell does not hold a digit, if there is one: always the same.
pub(crate) fn solution_without(cells: &[u8; CELLS], strike: Candidate) -> Option<GridLine> {
    let mut state = State::from_clues(cells);
    state.exclude(strike.cell.index(), strike.digit.index());
    let mut line = NO_SOLUTION;
    (search(&state, 1, &mut line) == 1).then_some(line)
}

/// Counts the solutions that given candidates allow, up to a limit. Bit i of
/// `candidates[cell]` says that digit i + 1 is possible there. The first solution found,
/// or 81 dots, goes to `first`.
pub(super) fn count_from(candidates: &[u16; CELLS], limit: u64, first: &mut GridLine) -> u64 {
    search(&State::from_candidates(candidates), limit, first)
}

/// The number of solutions that a puzzle has, up to two, and how many times this engine guesses until it finds a
/// second one or shows that there is none. `None` if it takes more turns after `most` guesses. Guesses of a search
/// that was given up for the other rule count too.
///
/// The number changes with the engine; [`guesses`](super::guesses) never changes. The puzzles in `data/` were
/// chosen by this one.
pub fn effort(puzzle: &Puzzle, most: u64) -> Option<(u64, u64)> {
    let state = State::from_clues(puzzle.as_ascii());
    search_by_turns(&state, 2, FIRST_TURN, most, &mut NO_SOLUTION.clone())
}

fn search(state: &State, limit: u64, first: &mut GridLine) -> u64 {
    stop::check();
    let found = search_by_turns(state, limit, FIRST_TURN, u64::MAX, first);
    found.expect("the turns have no end").0
}

/// A search is given up after this number of guesses, and the other rule has its turn. The puzzles of
/// `data/hard.txt` need 497 at most.
const FIRST_TURN: u64 = 2000;

/// The same for puzzles that are given by candidates. Minimal ones take 3,000 guesses and more by
/// either rule.
const FIRST_TURN_OF_CANDIDATES: u64 = 1 << 15;

/// Counts solutions up to a limit. Returns the count and the guesses, or `None` when there is
/// no turn left after `all` guesses. The first turn has `turn` guesses.
///
/// There are puzzles that one rule of branching takes hours for, while the other needs a few
/// guesses: [`State::branch`] may decide most of the grid, again and again, before it comes to
/// the few cells that contradict each other. So the two rules take turns, and each turn is
/// four times as long as the one before. Neither takes long unless both do.
///
/// The turns are for at most two solutions. A count of very many takes long by any rule, so a
/// higher limit has no turns once there are two.
fn search_by_turns(
    state: &State,
    limit: u64,
    turn: u64,
    all: u64,
    first: &mut GridLine,
) -> Option<(u64, u64)> {
    let mut guesses = 0;
    let mut most = turn;
    if limit > 2 {
        let (count, first_guesses) = search_by_turns(state, 2, turn, all, first)?;
        if count < 2 {
            return Some((count, first_guesses));
        }
        most = u64::MAX;
    }
    for rule in [Rule::Triad, Rule::Cell].into_iter().cycle() {
        *first = NO_SOLUTION;
        let mut search = Search {
            rule,
            most,
            ..Search::new(limit, first)
        };
        search.run(&mut state.clone());
        guesses += search.guesses;
        if !search.gave_up {
            return Some((search.count, guesses));
        }
        if guesses >= all {
            break;
        }
        most = most.saturating_mul(4);
    }
    None
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// A triad, see [`State::branch`].
    Triad,
    /// The cell with the fewest candidates, as in the reference search.
    Cell,
}

/// The facts about a puzzle at one node of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    open: [Bands; 9],
    placed: [Bands; 9],
    left: Bands,
    /// The columns of `open`, turned, see [`TURNED`].
    turned: [Bands; 9],
    /// The words of `open` that have changed, see [`changed`].
    changed: u64,
}

/// The bit of a digit in a band. Each band has 16 bits.
///
/// ```text
///      40 .. 32           24 .. 16            8 .. 0
///     |band 2, digits|   |band 1, digits|   |band 0, digits|
/// ```
#[inline(always)]
const fn changed(band: usize, digit: usize) -> u64 {
    1 << (16 * band + digit)
}

/// The two other bands of each band. A constant would be copied to the stack, which cost
/// 4%.
static OTHERS: [[u8; 4]; 2] = [[1, 2, 0, 3], [2, 0, 1, 3]];

/// The bits of all nine digits in all three bands.
const ALL_CHANGED: u64 = 0x1FF * (changed(0, 0) | changed(1, 0) | changed(2, 0));

/// The minirows of a band that hold any of the given cells: a matrix of rows by stacks.
#[inline(always)]
fn minirows(band: u32) -> usize {
    let row = |r: u32| MINIROWS[(band >> (9 * r)) as usize & 0x1FF] as usize;
    (row(0) | row(1) << 3 | row(2) << 6) & 0x1FF
}

/// The columns of a band that hold any of the given cells.
#[inline(always)]
const fn columns(band: u32) -> u32 {
    (band | band >> 9 | band >> 18) & 0x1FF
}

/// The matrices of a digit in the three bands and the three stacks.
type Matrices = [u16; 8];

/// The entries of a matrix that are alone in their row.
#[inline(always)]
const fn alone(matrix: u16) -> u16 {
    let (next, last) = turned(matrix);
    matrix & !(next | last)
}

/// All ones for any word but 0, and 0 for 0.
#[inline(always)]
const fn filled(word: u32) -> u32 {
    if word != 0 { !0 } else { 0 }
}

enum Settled {
    Contradiction,
    Solution,
    Undecided,
}

/// A question with two answers. Each answer removes candidates of one digit from one
/// band.
struct Branch {
    digit: usize,
    band: usize,
    yes: u32,
    no: u32,
}

impl State {
    #[inline(always)]
    fn of(puzzles: Batch<'_>, puzzle: usize) -> Self {
        match puzzles {
            Batch::Cells(cells) => Self::from_clues(&cells[puzzle]),
            Batch::Candidates(_) => Self::from_candidates(&puzzles.masks(puzzle)),
        }
    }

    /// Collects the clues by digit and row first, then by digit and band. Updates of one
    /// word for a whole band would wait for each other.
    #[inline(always)]
    fn from_clues(cells: &[u8; CELLS]) -> Self {
        let mut clues = [[0u16; 16]; 9];
        for (clues, row) in clues.iter_mut().zip(cells.as_chunks::<9>().0) {
            for (column, cell) in row.iter().enumerate() {
                clues[(cell & 15) as usize] |= 1 << column;
            }
        }
        let mut state = Self::BLANK;
        for (digit, placed) in state.placed.iter_mut().enumerate() {
            for (band, clues) in clues.as_chunks::<3>().0.iter().enumerate() {
                let row = |r: usize| (clues[r][digit + 1] as u32) << (9 * r);
                placed[band] = row(0) | row(1) | row(2);
            }
        }
        for placed in &state.placed {
            for (left, placed) in state.left.iter_mut().zip(placed) {
                *left &= !placed;
            }
        }
        for (open, placed) in state.open.iter_mut().zip(&state.placed) {
            for b in 0..4 {
                open[b] = state.left[b] & !whole_rows(placed[b]) | placed[b];
            }
        }
        state
    }

    fn from_candidates(candidates: &[u16; CELLS]) -> Self {
        let mut state = Self::BLANK;
        for (digit, open) in state.open.iter_mut().enumerate() {
            for (open, candidates) in open.iter_mut().zip(candidates.as_chunks::<27>().0) {
                *open = (0..27).fold(0, |open, i| {
                    open | u32::from(candidates[i] >> digit & 1) << i
                });
            }
        }
        state
    }

    const BLANK: Self = Self {
        open: [[BAND, BAND, BAND, 0]; 9],
        placed: [[0; 4]; 9],
        left: [BAND, BAND, BAND, 0],
        turned: [[TURNED[0x1FF]; 4]; 9],
        changed: ALL_CHANGED,
    };

    #[inline(never)]
    fn settle(&mut self) -> Settled {
        loop {
            // In rounds: what changes in a round waits for the next one. Handling it at
            // once makes every update wait for the one before, and hard puzzles a
            // quarter slower.
            while self.changed != 0 {
                let mut round = std::mem::take(&mut self.changed);
                let mut next = 0;
                while round != 0 {
                    let i = round.trailing_zeros() as usize;
                    round &= round - 1;
                    if !self.settle_digit(i >> 4 & 3, i & 15, &mut next) {
                        return Settled::Contradiction;
                    }
                }
                self.changed = next;
            }
            if !self.settle_cells() {
                return Settled::Contradiction;
            }
            if self.changed == 0 {
                return if self.left == [0; 4] {
                    Settled::Solution
                } else {
                    Settled::Undecided
                };
            }
        }
    }

    /// Propagates one digit in one band. Returns false for a contradiction. Adds the
    /// changed words of other bands to `next`.
    #[inline(always)]
    fn settle_digit(&mut self, band: usize, digit: usize, next: &mut u64) -> bool {
        if digit >= 9 || band >= 4 {
            return false; // Never happens. It spares the bounds checks below.
        }
        let (open, turned) = (&mut self.open[digit], &mut self.turned[digit]);
        let cells = open[band] & LOCKED[minirows(open[band])];
        // Every row has a candidate now, so no row borrows from the next.
        let second = cells & cells.wrapping_sub(ROW_STARTS);
        let placed = &mut self.placed[digit][band];
        if cells == 0 || second & *placed != 0 {
            return false;
        }
        open[band] = cells;
        let single = cells & !whole_rows(second);
        *placed = single;
        self.left[band] &= !single;

        let here = TURNED[columns(cells) as usize];
        turned[band] = here;
        let [one, two] = OTHERS.map(|others| usize::from(others[band]) & 3);
        for (other, third) in [(one, two), (two, one)] {
            // A column stays if the two others of its stack can go to the two other
            // bands, one way round or the other.
            let either = here & turned[third].rotate_left(16);
            let keep = ((either | either >> 16) & 0x1FF) * ROW_STARTS;
            let (old, new) = (open[other], open[other] & keep);
            open[other] = new;
            *next |= u64::from(old != new) << (16 * other + digit);
        }
        true
    }

    /// Propagates all cells. Returns false for a contradiction.
    #[inline(always)]
    fn settle_cells(&mut self) -> bool {
        let (mut one, mut two, mut touched) = ([0; 4], [0; 4], [0; 4]);
        let left = self.left;
        for (digit, (open, placed)) in self.open.iter_mut().zip(&self.placed).enumerate() {
            for b in 0..4 {
                let (old, new) = (open[b], open[b] & (left[b] | placed[b]));
                two[b] |= one[b] & new;
                one[b] |= new;
                touched[b] |= filled(old ^ new) & 1 << digit;
                open[b] = new;
            }
        }
        let mut single = [0; 4];
        let mut wrong = 0;
        for b in 0..3 {
            wrong |= (one[b] ^ BAND) | (two[b] & !left[b]);
            single[b] = one[b] & !two[b] & left[b];
        }
        if wrong != 0 {
            return false;
        }
        if single != [0; 4] {
            for (digit, (open, placed)) in self.open.iter_mut().zip(&mut self.placed).enumerate() {
                for b in 0..4 {
                    let here = open[b] & single[b];
                    open[b] = open[b] & !whole_rows(here) | here;
                    placed[b] |= here;
                    touched[b] |= filled(here) & 1 << digit;
                }
            }
            for (left, single) in self.left.iter_mut().zip(single) {
                *left &= !single;
            }
        }
        self.changed = 0;
        for (band, &digits) in touched[..3].iter().enumerate() {
            self.changed |= u64::from(digits) << (16 * band);
        }
        true
    }

    /// The minirows and minicolumns of all digits as matrices. Bands 0 to 2 come first
    /// (rows by stacks), then stacks 0 to 2 (bands by columns).
    #[inline(always)]
    fn matrices(&self) -> [Matrices; 9] {
        let mut matrices = [[0; 8]; 9];
        for (matrices, open) in matrices.iter_mut().zip(&self.open) {
            let columns = [columns(open[0]), columns(open[1]), columns(open[2])];
            for i in 0..3 {
                let line = |band: usize| columns[band] >> (3 * i) & 7;
                matrices[i] = minirows(open[i]) as u16;
                matrices[3 + i] = (line(0) | line(1) << 3 | line(2) << 6) as u16;
            }
        }
        matrices
    }

    /// A minirow or minicolumn takes exactly three digits. Returns whether
    /// candidates were removed, or `None` for a contradiction.
    #[inline(always)]
    fn settle_triads(&mut self, matrices: &[Matrices; 9]) -> Option<bool> {
        const ENTRIES: Matrices = [0x1FF, 0x1FF, 0x1FF, 0x1FF, 0x1FF, 0x1FF, 0, 0];
        // Carry-save counting: entries that at least one digit has, at least two, three
        // and four.
        let [mut open1, mut open2, mut open3, mut open4] = [[0; 8]; 4];
        let [mut sure1, mut sure2, mut sure3, mut sure4] = [[0; 8]; 4];
        for matrices in matrices {
            for i in 0..8 {
                let (open, sure) = (matrices[i], alone(matrices[i]));
                open4[i] |= open3[i] & open;
                open3[i] |= open2[i] & open;
                open2[i] |= open1[i] & open;
                open1[i] |= open;
                sure4[i] |= sure3[i] & sure;
                sure3[i] |= sure2[i] & sure;
                sure2[i] |= sure1[i] & sure;
                sure1[i] |= sure;
            }
        }
        let (mut wrong, mut full, mut tight) = (0, [0; 8], [0; 8]);
        for i in 0..8 {
            wrong |= (ENTRIES[i] & !open3[i]) | sure4[i];
            full[i] = sure3[i];
            tight[i] = open3[i] & !open4[i];
        }
        if wrong != 0 {
            return None;
        }
        let mut any = 0;
        let mut gone = [[0; 8]; 9];
        for (gone, matrices) in gone.iter_mut().zip(matrices) {
            for i in 0..8 {
                let matrix = matrices[i];
                let needed = matrix & tight[i];
                let row = needed
                    | (needed & 0o333) << 1
                    | (needed & 0o111) << 2
                    | (needed & 0o666) >> 1
                    | (needed & 0o444) >> 2;
                gone[i] = matrix & (full[i] & !alone(matrix) | row & !needed);
                any |= gone[i];
            }
        }
        if any == 0 {
            return Some(false);
        }
        for (digit, gone) in gone.iter().enumerate() {
            for i in 0..3 {
                let (rows, columns) = (gone[i] as u32, gone[3 + i] as u32);
                if rows != 0 {
                    self.remove(digit, i, WIDE[rows as usize & 0x1FF]);
                }
                if columns != 0 {
                    for band in 0..3 {
                        let cells = (columns >> (3 * band) & 7) << (3 * i);
                        self.remove(digit, band, cells * ROW_STARTS);
                    }
                }
            }
        }
        Some(true)
    }

    /// The next question about a state that is settled and undecided.
    #[inline(always)]
    fn branch(matrices: &[Matrices; 9]) -> Branch {
        let mut best = (u8::MAX, 0, 0);
        for i in 0..6 {
            let (mut total, mut fewest, mut digit) = (0, u8::MAX, 0);
            for (d, matrices) in matrices.iter().enumerate() {
                let permutations = PERMUTATIONS[matrices[i] as usize & 0x1FF];
                total += permutations;
                if permutations > 1 && permutations < fewest {
                    (fewest, digit) = (permutations, d);
                }
            }
            if total > 9 && total < best.0 {
                best = (total, i, digit);
            }
        }
        let (_, i, digit) = best;
        let matrix = matrices[digit][i];
        // The first row of the matrix with two entries or more, and its first entry.
        let undecided = |row: &usize| !matches!(matrix >> (3 * row) & 7, 1 | 2 | 4);
        let row = (0..3)
            .find(undecided)
            .expect("two permutations differ in a row");
        let entry = (matrix >> (3 * row) & 7).trailing_zeros() as usize;
        let (band, line, cells) = if i < 3 {
            (i, 0x1FF << (9 * row), 7 << (9 * row + 3 * entry))
        } else {
            let first = 3 * (i - 3);
            (
                row,
                (7 * ROW_STARTS) << first,
                ROW_STARTS << (first + entry),
            )
        };
        Branch {
            digit,
            band,
            yes: line & !cells,
            no: cells,
        }
    }

    /// The cell with the fewest candidates, the first of equals in reading order, and its
    /// smallest candidate. The state must be settled and undecided.
    fn narrowest(&self) -> (usize, usize) {
        let count = |cell: usize| {
            let (band, bit) = (cell / 27, 1 << (cell % 27));
            let has = |open: &&Bands| open[band] & bit != 0;
            self.open.iter().filter(has).count()
        };
        let open = (0..CELLS).filter(|cell| self.left[cell / 27] >> (cell % 27) & 1 != 0);
        let cell = open.min_by_key(|&cell| count(cell));
        let cell = cell.expect("an undecided state has an open cell");
        let has = |digit: &usize| self.open[*digit][cell / 27] >> (cell % 27) & 1 != 0;
        let digit = (0..9).find(has);
        (cell, digit.expect("a settled cell has a candidate"))
    }

    fn exclude(&mut self, cell: usize, digit: usize) {
        self.remove(digit, cell / 27, 1 << (cell % 27));
    }

    fn remove(&mut self, digit: usize, band: usize, cells: u32) {
        self.open[digit][band] &= !cells;
        self.changed |= changed(band, digit);
    }

    /// Writes a solution: each digit has one cell in each row of each band.
    fn write(&self, line: &mut GridLine) {
        for (open, digit) in self.open.iter().zip(b'1'..) {
            for (open, cells) in open.iter().zip(line.as_chunks_mut::<27>().0) {
                for row in 0..3 {
                    // The last column is for the compiler: always a cell.
                    let place = (open >> (9 * row) | 1 << 8).trailing_zeros() as usize;
                    cells[9 * row + place] = digit;
                }
            }
        }
    }
}

struct Search<'a> {
    /// The search ends at this many solutions. It becomes 0 when the search gives up, so that
    /// this needs no question of its own on the way back.
    limit: u64,
    count: u64,
    guesses: u64,
    most: u64,
    gave_up: bool,
    rule: Rule,
    first: &'a mut GridLine,
}

impl<'a> Search<'a> {
    fn new(limit: u64, first: &'a mut GridLine) -> Self {
        Self {
            limit,
            count: 0,
            guesses: 0,
            most: u64::MAX,
            gave_up: false,
            rule: Rule::Triad,
            first,
        }
    }

    /// Counts below one node. One answer of a branch is a call, the other the
    /// next turn of the loop; no deeper than 162 calls, for a branch decides one row
    /// of the 162 that all matrices have.
    fn run(&mut self, state: &mut State) {
        loop {
            match state.settle() {
                Settled::Contradiction => return,
                Settled::Solution => {
                    if self.count == 0 {
                        state.write(self.first);
                    }
                    self.count += 1;
                    return;
                }
                Settled::Undecided => {}
            }
            if !self.guess(state) {
                return;
            }
        }
    }

    /// Asks and takes the one answer; leaves the state with the other, or with
    /// candidates less, or gives up: false. A call of its own because it would
    /// take registers from the propagation (5%).
    #[inline(never)]
    fn guess(&mut self, state: &mut State) -> bool {
        let matrices = state.matrices();
        match state.settle_triads(&matrices) {
            None => return false,
            Some(true) => return true,
            Some(false) => {}
        }
        if self.guesses == self.most {
            (self.limit, self.gave_up) = (0, true);
            return false;
        }
        self.guesses += 1;
        if self.guesses.is_multiple_of(256) {
            stop::check();
        }
        if self.rule == Rule::Cell {
            return self.guess_cell(state);
        }
        let branch = State::branch(&matrices);
        let mut yes = *state;
        yes.remove(branch.digit, branch.band, branch.yes);
        self.run(&mut yes);
        if self.count >= self.limit {
            return false;
        }
        state.remove(branch.digit, branch.band, branch.no);
        true
    }

    /// The same for the narrowest cell: it holds its smallest candidate, or it does not.
    #[cold]
    fn guess_cell(&mut self, state: &mut State) -> bool {
        let (cell, digit) = state.narrowest();
        let mut yes = *state;
        yes.place(cell, digit);
        self.run(&mut yes);
        if self.count >= self.limit {
            return false;
        }
        state.exclude(cell, digit);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_batch_test_support::cases;

    /// Numbers below a bound, from a fixed seed (xorshift, by G. Marsaglia).
    fn random() -> impl FnMut(usize) -> usize {
        let mut word = 1_u64;
        move |bound| {
            word ^= word << 13;
            word ^= word >> 7;
            word ^= word << 17;
            ((word >> 33) % bound as u64) as usize
        }
    }

    /// The candidates of each digit: whether it is possible in a row and column.
    type Candidates = [[[bool; 9]; 9]; 9];

    /// The cells of the 54 triads as rows and columns: of the minirows, three of a
    /// row side by side, then of the minicolumns, three of a box side by side. A
    /// digit goes to one of such three.
    fn triads() -> Vec<[(usize, usize); 3]> {
        let minirow = |i: usize| [0, 1, 2].map(|k| (i / 3, i % 3 * 3 + k));
        let minicolumn = |i: usize| [0, 1, 2].map(|k| (i / 3 % 3 * 3 + k, i / 9 * 3 + i % 3));
        (0..27)
            .map(minirow)
            .chain((0..27).map(minicolumn))
            .collect()
    }

    /// Candidates for every digit: its cells in a valid grid, and some more.
    fn random_candidates(random: &mut impl FnMut(usize) -> usize) -> Candidates {
        // All digits of one valid grid, or each of one of its own: rows turned
        // within their band, columns turned.
        let of_one_grid = random(2) == 0;
        let turns: [[usize; 4]; 9] = std::array::from_fn(|_| std::array::from_fn(|_| random(3)));
        let density = random(10);
        let emptied = (random(8) == 0).then(|| (random(9), random(9)));
        std::array::from_fn(|digit| {
            let turns = turns[if of_one_grid { 0 } else { digit }];
            std::array::from_fn(|row| {
                let place = (row + turns[row / 3]) % 3;
                std::array::from_fn(|column| {
                    let placed = (3 * place + row / 3 + column + turns[3]) % 9 == digit;
                    (placed || random(10) < density) && emptied != Some((row, column))
                })
            })
        })
    }

    /// The rule in words. A digit is open to a triad while it is possible in one
    /// of the cells; the triad is sure of it when the digit is open to neither of
    /// the two next to it. A triad to which fewer than three digits are open, or
    /// that is sure of more, is a contradiction. Where it is sure of three, it is
    /// closed to all others. Where just three are open to it, each of them is
    /// closed to the two next to it (unless just three are open there, too).
    ///
    /// Returns what is left, and how often a triad was closed by either half of
    /// the rule; or the numbers of triads with too few and with too many.
    fn ruled(candidates: &Candidates) -> Result<(Candidates, [usize; 2]), [usize; 2]> {
        let triads = triads();
        let open = |digit: usize, t: usize| {
            let possible = |&(row, column): &(usize, usize)| candidates[digit][row][column];
            triads[t].iter().any(possible)
        };
        let beside = |t: usize| (t / 3 * 3..t / 3 * 3 + 3).filter(move |&other| other != t);
        let sure =
            |digit: usize, t: usize| open(digit, t) && !beside(t).any(|other| open(digit, other));
        let opens: [usize; 54] =
            std::array::from_fn(|t| (0..9).filter(|&digit| open(digit, t)).count());
        let sures: [usize; 54] =
            std::array::from_fn(|t| (0..9).filter(|&digit| sure(digit, t)).count());
        let too_few = opens.iter().filter(|&&count| count < 3).count();
        let too_many = sures.iter().filter(|&&count| count > 3).count();
        if too_few + too_many > 0 {
            return Err([too_few, too_many]);
        }
        let (mut left, mut closed) = (*candidates, [0; 2]);
        for (digit, t) in (0..9).flat_map(|digit| (0..54).map(move |t| (digit, t))) {
            let full = sures[t] == 3 && !sure(digit, t);
            let needed_beside = beside(t).any(|other| opens[other] == 3 && open(digit, other));
            let halves = [full, needed_beside && opens[t] != 3];
            if open(digit, t) && halves != [false; 2] {
                for (closed, half) in closed.iter_mut().zip(halves) {
                    *closed += usize::from(half);
                }
                for &(row, column) in &triads[t] {
                    left[digit][row][column] = false;
                }
            }
        }
        Ok((left, closed))
    }

    #[test]
    fn triads_settle_by_the_rule() {
        let mut random = random();
        let [mut contradictions, mut closures] = [[0; 2]; 2];
        let mut unchanged = 0;
        for _ in 0..if cfg!(miri) { 20 } else { cases(2000) } {
            let candidates = random_candidates(&mut random);
            let mut state = State::BLANK;
            state.changed = 0;
            for (open, candidates) in state.open.iter_mut().zip(&candidates) {
                for (open, band) in open.iter_mut().zip(candidates.as_chunks::<3>().0) {
                    let cells = (0..).zip(band.as_flattened());
                    *open = cells.map(|(i, &possible)| u32::from(possible) << i).sum();
                }
            }
            let found = state.settle_triads(&state.matrices());
            let (left, closed) = match ruled(&candidates) {
                Ok(ruled) => ruled,
                Err(counts) => {
                    assert_eq!(found, None);
                    add(&mut contradictions, counts);
                    continue;
                }
            };
            add(&mut closures, closed);
            unchanged += usize::from(closed == [0; 2]);
            assert_eq!(found, Some(closed != [0; 2]));
            for (digit, row) in (0..9).flat_map(|digit| (0..9).map(move |row| (digit, row))) {
                let cells = state.open[digit][row / 3] >> (9 * (row % 3));
                let found = std::array::from_fn(|column| cells >> column & 1 == 1);
                assert_eq!(found, left[digit][row], "digit {digit}, row {row}");
                let marked = state.changed & changed(row / 3, digit) != 0;
                assert!(marked || found == candidates[digit][row], "{digit} {row}");
            }
        }
        let seen = [contradictions, closures].concat();
        assert!(
            cfg!(miri) || unchanged != 0 && !seen.contains(&0),
            "{seen:?} {unchanged}"
        );
    }

    fn add(sums: &mut [usize; 2], counts: [usize; 2]) {
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
}
