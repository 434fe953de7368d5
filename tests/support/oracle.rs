//! The oracle: a naive backtracker that knows only the rules.

use sudoku_batch::{Grid, Puzzle};

/// The solutions of a puzzle, at most `limit` of them.
pub fn solutions(puzzle: &Puzzle, limit: usize) -> Vec<Grid> {
    let mut found = Vec::new();
    if puzzle.conflict().is_none() {
        let mut board = Board {
            cells: *puzzle.as_ascii(),
            has: [0; 27],
        };
        for (cell, &digit) in puzzle.as_ascii().iter().enumerate() {
            if digit != b'.' {
                board.exchange(cell, digit);
            }
        }
        board.search(limit, &mut found);
    }
    found
}

struct Board {
    cells: [u8; 81],
    /// The digits that are in each row, column and box: bit 1 for the digit 1.
    has: [u16; 27],
}

/// The row, the column and the box of a cell.
fn houses(cell: usize) -> [usize; 3] {
    let (row, column) = (cell / 9, cell % 9);
    [row, 9 + column, 18 + row / 3 * 3 + column / 3]
}

impl Board {
    /// Tries the digits of the first of the blanks with the fewest, or of one with less than two.
    fn search(&mut self, limit: usize, found: &mut Vec<Grid>) {
        let mut fewest = None;
        for cell in (0..81).filter(|&cell| self.cells[cell] == b'.') {
            let digits = self.digits(cell);
            let count = digits.count_ones();
            if fewest.is_none_or(|(_, _, fewest)| count < fewest) {
                fewest = Some((cell, digits, count));
            }
            if count < 2 {
                break;
            }
        }
        let Some((cell, digits, _)) = fewest else {
            found.push(Grid::from_ascii(&self.cells).unwrap());
            return;
        };
        for digit in (b'1'..=b'9').filter(|digit| digits >> (digit - b'0') & 1 == 1) {
            if found.len() < limit {
                self.cells[cell] = digit;
                self.exchange(cell, digit);
                self.search(limit, found);
                self.exchange(cell, digit);
            }
        }
        self.cells[cell] = b'.';
    }

    /// The digits that no house of a cell has.
    fn digits(&self, cell: usize) -> u16 {
        let [row, column, r#box] = houses(cell).map(|house| self.has[house]);
        !(row | column | r#box) & 0b11_1111_1110
    }

    /// Notes a digit in the houses of a cell, or that it is gone.
    fn exchange(&mut self, cell: usize, digit: u8) {
        for house in houses(cell) {
            self.has[house] ^= 1 << (digit - b'0');
        }
    }
}
