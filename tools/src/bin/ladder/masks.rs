//! Rung 2: one bit for each digit, and the cell with the fewest candidates first.
//!
//! A mask for each row, column and box says which digits it has. The candidates of a
//! cell are then one expression, and counting them is one instruction.

use super::{Answer, Cells};

/// Answers one puzzle, see [`backtracker`](super::backtracker).
pub(crate) fn answer(cells: &Cells) -> Answer {
    let mut search = Search {
        grid: *cells,
        used: [[0; 9]; 3],
        answer: Answer::NONE,
    };
    let mut blanks = Vec::new();
    for (cell, &c) in cells.iter().enumerate() {
        match c {
            b'.' => blanks.push(cell),
            _ => search.flip(cell, 1 << (c - b'1')),
        }
    }
    search.run(&mut blanks);
    search.answer
}

struct Search {
    grid: Cells,
    /// The digits that each row, column and box has: bit 0 for digit 1.
    used: [[u16; 9]; 3],
    answer: Answer,
}

impl Search {
    /// Fills the blank cells, the one with the fewest candidates first.
    fn run(&mut self, blanks: &mut [usize]) {
        let fewest = |&i: &usize| self.candidates(blanks[i]).count_ones();
        let Some(next) = (0..blanks.len()).min_by_key(fewest) else {
            self.answer.add(&self.grid);
            return;
        };
        let last = blanks.len() - 1;
        blanks.swap(next, last);
        let (cell, rest) = blanks.split_last_mut().expect("not empty");
        let mut candidates = self.candidates(*cell);
        while candidates != 0 && self.answer.count < 2 {
            let digit = candidates & candidates.wrapping_neg();
            candidates ^= digit;
            self.grid[*cell] = b'1' + digit.trailing_zeros() as u8;
            self.flip(*cell, digit);
            self.run(rest);
            self.flip(*cell, digit);
        }
    }

    /// The digits that no house of the cell has.
    fn candidates(&self, cell: usize) -> u16 {
        let [row, column, boxed] = houses(cell);
        !(self.used[0][row] | self.used[1][column] | self.used[2][boxed]) & 0x1FF
    }

    /// Puts a digit into the houses of a cell, or takes it out again.
    fn flip(&mut self, cell: usize, digit: u16) {
        for (used, house) in self.used.iter_mut().zip(houses(cell)) {
            used[house] ^= digit;
        }
    }
}

/// The row, column and box of a cell.
fn houses(cell: usize) -> [usize; 3] {
    let (row, column) = (cell / 9, cell % 9);
    [row, column, row / 3 * 3 + column / 3]
}
