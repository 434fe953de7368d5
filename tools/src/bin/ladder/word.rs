//! Rung 5: 64 puzzles in a word, one bit each.
//!
//! `x[digit][cell]` is one word. Bit i says whether the digit is still a candidate of
//! the cell in puzzle i. What a rule does to one puzzle it does to all 64, because it
//! is written with AND, OR and NOT only.
//!
//! The rules are those of rung 3. There is no search: whatever is not solved when
//! nothing changes any more goes to rung 3, from its clues.

use super::{Answer, Cells, triads};
use sudoku_batch::grid::HOUSE_CELLS;

/// Answers any number of puzzles, 64 at a time.
pub(crate) fn answers(puzzles: &[Cells]) -> Vec<Answer> {
    puzzles.chunks(64).flat_map(answer_64).collect()
}

fn answer_64(puzzles: &[Cells]) -> Vec<Answer> {
    let mut word = Word::of(puzzles);
    while word.pass() {}
    let solved = word.solved();
    let answer = |(lane, cells)| match solved >> lane & 1 {
        1 => {
            let mut answer = Answer::NONE;
            answer.add(&word.grid(lane));
            answer
        }
        _ => triads::answer(cells),
    };
    puzzles.iter().enumerate().map(answer).collect()
}

/// 64 puzzles: the candidates of each digit and cell, a bit a puzzle.
struct Word {
    x: [[u64; 81]; 9],
}

impl Word {
    fn of(puzzles: &[Cells]) -> Self {
        let mut word = Self { x: [[0; 81]; 9] };
        for cell in 0..81 {
            // The low four bits of a character: 1 to 9 for a clue, 14 for a blank.
            let mut clues = [0; 16];
            for (lane, cells) in puzzles.iter().enumerate() {
                clues[usize::from(cells[cell] & 15)] |= 1 << lane;
            }
            for (digit, x) in word.x.iter_mut().enumerate() {
                x[cell] = clues[digit + 1] | clues[14];
            }
        }
        word
    }

    /// Applies all rules once. Returns whether a candidate went, in any lane.
    fn pass(&mut self) -> bool {
        let (mut one, mut two) = ([0; 81], [0; 81]);
        for x in &self.x {
            for cell in 0..81 {
                two[cell] |= one[cell] & x[cell];
                one[cell] |= x[cell];
            }
        }
        let mut changed = 0;
        let (mut taken, mut single) = ([0; 81], [[0; 9]; 9]);
        for (x, single) in self.x.iter_mut().zip(&mut single) {
            let old = *x;
            close(x, &two);
            for (b, single) in single.iter_mut().enumerate() {
                *single = only_one(&boxed(b).map(|cell| x[cell]));
                for cell in boxed(b) {
                    taken[cell] |= x[cell] & *single;
                }
            }
            for (old, new) in old.iter().zip(&*x) {
                changed |= old ^ new;
            }
        }
        // A hidden single takes its cell: other digits leave it.
        for (x, single) in self.x.iter_mut().zip(&single) {
            for (b, single) in single.iter().enumerate() {
                for cell in boxed(b) {
                    let old = x[cell];
                    x[cell] &= !taken[cell] | single;
                    changed |= old ^ x[cell];
                }
            }
        }
        changed != 0
    }

    /// The lanes that are solved: one candidate in every cell, and every digit in every
    /// house. (Nine digits in nine cells then stand there once each.)
    fn solved(&self) -> u64 {
        let (mut one, mut two, mut everywhere) = ([0; 81], [0; 81], !0);
        for x in &self.x {
            for cell in 0..81 {
                two[cell] |= one[cell] & x[cell];
                one[cell] |= x[cell];
            }
            for house in HOUSE_CELLS {
                everywhere &= house
                    .iter()
                    .fold(0, |any, &cell| any | x[usize::from(cell)]);
            }
        }
        (0..81).fold(everywhere, |solved, cell| solved & one[cell] & !two[cell])
    }

    /// The grid of a solved lane.
    fn grid(&self, lane: usize) -> Cells {
        let mut grid = [b'0'; 81];
        for (digit, x) in (1..).zip(&self.x) {
            for (cell, x) in grid.iter_mut().zip(x) {
                *cell += digit * (x >> lane & 1) as u8;
            }
        }
        grid
    }
}

/// The cells of a box.
fn boxed(b: usize) -> [usize; 9] {
    [0, 1, 2, 9, 10, 11, 18, 19, 20].map(|i| 27 * (b / 3) + 3 * (b % 3) + i)
}

/// The words in which just one of nine is set.
fn only_one(x: &[u64; 9]) -> u64 {
    let (mut one, mut two) = (0, 0);
    for x in x {
        two |= one & x;
        one |= x;
    }
    one & !two
}

/// Closes the triads of one digit. `two` are the cells with two candidates or more: the
/// digit is a naked single where it is in none of them.
fn close(x: &mut [u64; 81], two: &[u64; 81]) {
    // A box with a naked single of the digit leaves only its row and column open.
    let (mut rows, mut columns) = ([[0; 9]; 3], [[0; 9]; 3]);
    for b in 0..9 {
        let (band, stack) = (b / 3, b % 3);
        let cells = boxed(b);
        let here = cells.map(|cell| x[cell]);
        let naked = cells.map(|cell| x[cell] & !two[cell]);
        let any = naked.iter().fold(0, |any, x| any | x);
        for i in 0..3 {
            let row = |x: &[u64; 9]| x[3 * i] | x[3 * i + 1] | x[3 * i + 2];
            let column = |x: &[u64; 9]| x[i] | x[3 + i] | x[6 + i];
            rows[band][3 * i + stack] = row(&naked) | row(&here) & !any;
            columns[stack][3 * i + band] = column(&naked) | column(&here) & !any;
        }
    }
    let (rows, columns) = (rows.map(closed), columns.map(closed));
    for (cell, x) in x.iter_mut().enumerate() {
        let (row, column) = (cell / 9, cell % 9);
        let (band, stack) = (row / 3, column / 3);
        *x &= rows[band][3 * (row % 3) + stack] & columns[stack][3 * (column % 3) + band];
    }
}

/// The entries of a 3x3 matrix that lie on a permutation inside it, in 64 matrices.
fn closed(m: [u64; 9]) -> [u64; 9] {
    std::array::from_fn(|entry| {
        let (row, column) = (entry / 3, entry % 3);
        let [a, b] = [3 * ((row + 1) % 3), 3 * ((row + 2) % 3)];
        let [l, r] = [(column + 1) % 3, (column + 2) % 3];
        m[entry] & (m[a + l] & m[b + r] | m[a + r] & m[b + l])
    })
}
