//! The reference search: a measure of how hard a puzzle is for programs.
//!
//! The number of guesses of an engine says more about the engine than about the
//! puzzle, and changes with every idea that makes it faster. This search is
//! defined in words, never changes, and is simple enough to be written again by
//! whoever wants the same number:
//!
//! 1. Place *naked singles* (a cell has one candidate left) and *hidden singles* (a
//!    digit has one cell left in a row, column or box) until there is none. A placed
//!    digit is no candidate of the cell's peers any more.
//! 2. Where a cell has no candidate, a digit has no cell in a house, or a digit
//!    stands twice in a house, this branch is at its end.
//! 3. Where all cells are filled, a solution is found. The search ends at the second.
//! 4. Otherwise take the cell with the fewest candidates, and of several the first in
//!    reading order. Try its candidates in ascending order: each is a *guess*, and the
//!    search goes on from it with step 1.
//!
//! The order in which singles are placed does not matter: all that can be placed are
//! placed in the end, and an end of a branch is found in any order.
//!
//! # Layout
//!
//! A digit's candidates are 81 bits, 27 for each band, in the order of the cells.
//! Rows are then groups of nine bits. Boxes become such groups when the minirows
//! change places, and columns are looked at by laying the nine rows on each other.

use super::tables::{BAND, ROW_STARTS};
use crate::grid::Puzzle;

/// How many guesses the reference search needs for a puzzle, or `None` when it needs
/// more than `most`.
///
/// The number is a property of the puzzle alone: see the definition in the source of
/// this function's module, or `docs/design.md`. It is 0 when naked and hidden singles
/// suffice, or show that there is no solution.
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
    let mut search = Search {
        guesses: 0,
        most,
        solutions: 0,
    };
    let gave_up = search.run(State::of(puzzle)) == Next::GiveUp;
    (!gave_up).then_some(search.guesses)
}

/// 81 bits, one for each cell.
type Cells = [u32; 3];

/// What is known of a puzzle in one branch.
#[derive(Clone, Copy)]
struct State {
    /// The cells where each digit is a candidate.
    open: [Cells; 9],
    /// The cells where each digit stands.
    placed: [Cells; 9],
}

/// How far singles lead.
enum Settled {
    End,
    Solution,
    Undecided,
}

impl State {
    fn of(puzzle: &Puzzle) -> Self {
        let mut state = Self {
            open: [[BAND; 3]; 9],
            placed: [[0; 3]; 9],
        };
        for cell in crate::grid::Cell::all() {
            if let Some(digit) = puzzle.get(cell) {
                let (band, bit) = (cell.index() / 27, 1 << (cell.index() % 27));
                state.placed[digit.index()][band] |= bit;
            }
        }
        state
    }

    /// Steps 1 to 3.
    fn settle(&mut self) -> Settled {
        loop {
            // Placed digits leave their peers. A digit that stands twice in a house
            // leaves both cells, which are then without a candidate.
            let mut filled = [0; 3];
            for placed in &self.placed {
                for (filled, placed) in filled.iter_mut().zip(placed) {
                    *filled |= placed;
                }
            }
            let (mut one, mut two) = ([0; 3], [0; 3]);
            let mut missing = false;
            let mut single = [[0; 3]; 9];
            for ((open, placed), single) in self.open.iter_mut().zip(&self.placed).zip(&mut single)
            {
                let houses = houses_of(placed);
                for b in 0..3 {
                    let stays = placed[b] & !houses.twice[b];
                    open[b] = open[b] & !filled[b] & !houses.cells[b] | stays;
                    two[b] |= one[b] & open[b];
                    one[b] |= open[b];
                }
                let houses = houses_of(open);
                for b in 0..3 {
                    missing |= houses.missing[b];
                    single[b] = open[b] & houses.single[b];
                }
            }
            // Of two digits placed in one cell one has no other cell.
            let clash = (0..3).any(|b| filled[b] & two[b] != 0);
            if missing || clash || one != [BAND; 3] {
                return Settled::End;
            }
            let mut new = false;
            for ((open, placed), single) in self.open.iter().zip(&mut self.placed).zip(&single) {
                for b in 0..3 {
                    let here = single[b] | open[b] & !two[b];
                    new |= here & !placed[b] != 0;
                    placed[b] |= here;
                }
            }
            if !new {
                return match two {
                    [0, 0, 0] => Settled::Solution,
                    _ => Settled::Undecided,
                };
            }
        }
    }

    /// The cell of step 4 and its candidates: its band, its bit and a mask of digits.
    fn narrowest(&self) -> (usize, u32, u16) {
        // Cells with one candidate or more, two or more, and so on.
        let mut least = [[0; 3]; 9];
        for open in &self.open {
            for b in 0..3 {
                for n in (1..9).rev() {
                    least[n][b] |= least[n - 1][b] & open[b];
                }
                least[0][b] |= open[b];
            }
        }
        let exactly = |n: usize, b: usize| match n {
            9 => least[8][b],
            n => least[n - 1][b] & !least[n][b],
        };
        let narrow = (2..=9).flat_map(|n| (0..3).map(move |b| (n, b)));
        let (n, band) = { narrow }
            .find(|&(n, b)| exactly(n, b) != 0)
            .expect("a cell has two candidates or more");
        let cells = exactly(n, band);
        let bit = cells & cells.wrapping_neg();
        let has = |d: &usize| self.open[*d][band] & bit != 0;
        let digits = (0..9).filter(has).fold(0, |digits, d| digits | 1 << d);
        (band, bit, digits)
    }
}

/// Whether the search goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    GoOn,
    Stop,
    GiveUp,
}

struct Search {
    guesses: u64,
    most: u64,
    solutions: u32,
}

impl Search {
    fn run(&mut self, mut state: State) -> Next {
        match state.settle() {
            Settled::End => return Next::GoOn,
            Settled::Solution => {
                self.solutions += 1;
                return match self.solutions {
                    2 => Next::Stop,
                    _ => Next::GoOn,
                };
            }
            Settled::Undecided => {}
        }
        let (band, bit, digits) = state.narrowest();
        for digit in (0..9).filter(|digit| digits >> digit & 1 != 0) {
            if self.guesses == self.most {
                return Next::GiveUp;
            }
            self.guesses += 1;
            let mut guess = state;
            guess.placed[digit][band] |= bit;
            match self.run(guess) {
                Next::GoOn => {}
                end => return end,
            }
        }
        Next::GoOn
    }
}

/// Cells of one digit, seen by house.
struct Houses {
    /// All cells of the houses that hold one.
    cells: Cells,
    /// The cells that are alone in a house.
    single: Cells,
    /// All cells of the houses that hold two or more.
    twice: Cells,
    /// Whether a house of the band, or a column, holds none.
    missing: [bool; 3],
}

fn houses_of(cells: &Cells) -> Houses {
    let mut houses = Houses {
        cells: [0; 3],
        single: [0; 3],
        twice: [0; 3],
        missing: [false; 3],
    };
    let (mut one, mut two) = (0, 0);
    for &band in cells {
        for row in [band, band >> 9, band >> 18] {
            two |= one & row;
            one |= row;
        }
    }
    let (one, two) = (one & 0x1FF, two & 0x1FF);
    for (b, &rows) in cells.iter().enumerate() {
        let boxes = swap_minirows(rows);
        let (row_two, box_two) = (two_in_rows(rows), swap_minirows(two_in_rows(boxes)));
        let column_two = two * ROW_STARTS;
        let (any_row, any_box) = (whole_rows(rows), whole_rows(boxes));
        houses.cells[b] = any_row | swap_minirows(any_box) | (one * ROW_STARTS);
        houses.twice[b] = row_two | box_two | column_two;
        houses.single[b] = rows & !(row_two & box_two & column_two);
        houses.missing[b] = any_row != BAND || any_box != BAND || one != 0x1FF;
    }
    houses
}

/// The rows that hold two or more cells, whole.
fn two_in_rows(band: u32) -> u32 {
    // Each row less its first cell. No row borrows from the next: those without a
    // cell have nothing subtracted.
    whole_rows(band & band.wrapping_sub(whole_rows(band) & ROW_STARTS))
}

/// The rows that hold any cell, whole.
const fn whole_rows(band: u32) -> u32 {
    const LOW: u32 = 0xFF * ROW_STARTS;
    const HIGH: u32 = ROW_STARTS << 8;
    // The last bit of each row: carried into, or set.
    let any = (((band & LOW) + LOW) | band) & HIGH;
    any | (any - (any >> 8))
}

/// Boxes become rows and rows boxes: minirow s of row r changes places with
/// minirow r of row s.
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
    use crate::grid::{CELLS, HOUSE_CELLS};

    fn bits(cells: &[usize]) -> Cells {
        let mut bits = [0; 3];
        for &cell in cells {
            bits[cell / 27] |= 1 << (cell % 27);
        }
        bits
    }

    #[test]
    fn houses_by_the_rule() {
        let mut word = 1_u64;
        for round in 0..2000 {
            // Dense and sparse sets of cells.
            let cells: Vec<usize> = (0..CELLS)
                .filter(|_| {
                    word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (word >> 60) <= round % 16
                })
                .collect();
            let held = HOUSE_CELLS.map(|house| {
                let held = house.iter().filter(|&&c| cells.contains(&usize::from(c)));
                (house.map(usize::from), held.count())
            });
            let with = |least: usize, most: usize| {
                let houses = held.iter().filter(|(_, n)| (least..=most).contains(n));
                bits(&houses.flat_map(|(house, _)| *house).collect::<Vec<_>>())
            };
            let houses = houses_of(&bits(&cells));
            assert_eq!(houses.cells, with(1, 9));
            assert_eq!(houses.twice, with(2, 9));
            let (alone, all) = (with(1, 1), bits(&cells));
            assert_eq!(houses.single, [0, 1, 2].map(|b| alone[b] & all[b]));
            let missing = held.iter().any(|(_, n)| *n == 0);
            assert_eq!(houses.missing.contains(&true), missing);
        }
    }
}
