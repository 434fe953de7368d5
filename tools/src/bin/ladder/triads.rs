//! Rung 3: whole digits in whole bands, by table.
//!
//! ```text
//!              stack 0  stack 1  stack 2
//!     row 0     0  1  2| 3  4  5| 6  7  8     bit 9r + c: the digit may still stand
//!     row 1     9 10 11|12 13 14|15 16 17     in row r and column c of the band
//!     row 2    18 19 20|21 22 23|24 25 26
//! ```
//!
//! A *triad* is three neighbouring cells of a row (or column) in one box. The nine
//! triads of a digit in a band are a 3x3 matrix of bits: rows by boxes. A solution
//! takes one triad from each row and each box, so it is a permutation of the matrix.
//! Triads on no permutation go. One look-up finds them: there are 512 matrices.

use super::{Answer, Cells};

/// The 27 cells of a band.
const BAND: u32 = (1 << 27) - 1;

/// The first cell of each row of a band.
const ROW_STARTS: u32 = 1 | 1 << 9 | 1 << 18;

/// The six permutations of a 3x3 matrix, entry 3i + j in bit 3i + j.
const PERMUTATIONS: [u16; 6] = [
    0b100_010_001,
    0b010_100_001,
    0b100_001_010,
    0b001_100_010,
    0b010_001_100,
    0b001_010_100,
];

/// Closure: the entries of each matrix that lie on a permutation inside it.
const CLOSED: [u16; 512] = {
    let mut closed = [0; 512];
    let mut matrix = 0;
    while matrix < 512 {
        let mut n = 0;
        while n < 6 {
            if matrix as u16 & PERMUTATIONS[n] == PERMUTATIONS[n] {
                closed[matrix] |= PERMUTATIONS[n];
            }
            n += 1;
        }
        matrix += 1;
    }
    closed
};

/// Answers one puzzle, see [`backtracker`](super::backtracker).
pub(crate) fn answer(cells: &Cells) -> Answer {
    let mut state = State {
        open: [[BAND; 3]; 9],
    };
    for (cell, &c) in cells.iter().enumerate() {
        if c != b'.' {
            state.place(cell, (c - b'1').into());
        }
    }
    let mut answer = Answer::NONE;
    state.search(&mut answer);
    answer
}

/// The cells where each digit may still stand, in each band.
#[derive(Clone, PartialEq)]
struct State {
    open: [[u32; 3]; 9],
}

impl State {
    /// Deduces, then tries each candidate of a cell with few.
    fn search(mut self, answer: &mut Answer) {
        let Some([two, three]) = self.settle() else {
            return; // A contradiction.
        };
        let pairs = [0, 1, 2].map(|band| two[band] & !three[band]);
        let Some(cell) = first(pairs).or_else(|| first(two)) else {
            answer.add(&self.grid());
            return;
        };
        for digit in 0..9 {
            if self.has(digit, cell) && answer.count < 2 {
                let mut guess = self.clone();
                guess.place(cell, digit);
                guess.search(answer);
            }
        }
    }

    /// Deduces until nothing changes. Returns the cells with two or more candidates and
    /// those with three or more, or `None` for a contradiction.
    fn settle(&mut self) -> Option<[[u32; 3]; 2]> {
        loop {
            let before = self.clone();
            let [mut one, mut two, mut three, mut filled] = [[0; 3]; 4];
            for open in &mut self.open {
                if !close(open) {
                    return None;
                }
                for band in 0..3 {
                    three[band] |= two[band] & open[band];
                    two[band] |= one[band] & open[band];
                    one[band] |= open[band];
                    filled[band] |= alone_in_row(open[band]);
                }
            }
            if one != [BAND; 3] {
                return None;
            }
            for open in &mut self.open {
                for band in 0..3 {
                    // A hidden single takes its cell: other digits leave it.
                    open[band] &= !filled[band] | alone_in_row(open[band]);
                    // A naked single takes its row. Closure carries that on to the box
                    // and the column.
                    let naked = open[band] & !two[band];
                    open[band] &= !whole_rows(naked) | naked;
                }
            }
            if *self == before {
                return Some([two, three]);
            }
        }
    }

    /// Whether a digit is a candidate of a cell.
    fn has(&self, digit: usize, cell: usize) -> bool {
        self.open[digit][cell / 27] >> (cell % 27) & 1 == 1
    }

    /// Leaves one candidate in a cell, and the cell alone in the row of its digit.
    fn place(&mut self, cell: usize, digit: usize) {
        let (band, bit) = (cell / 27, 1 << (cell % 27));
        for open in &mut self.open {
            open[band] &= !bit;
        }
        let open = &mut self.open[digit][band];
        *open = *open & !whole_rows(bit) | bit;
    }

    fn grid(&self) -> Cells {
        std::array::from_fn(|cell| {
            let digit = (0..9).find(|&digit| self.has(digit, cell));
            b'1' + digit.expect("every cell has a candidate") as u8
        })
    }
}

/// The first of some cells.
fn first(cells: [u32; 3]) -> Option<usize> {
    let band = cells.iter().position(|&cells| cells != 0)?;
    Some(27 * band + cells[band].trailing_zeros() as usize)
}

/// Closes the matrices of a digit in the three bands and the three stacks. False when
/// the digit has no place in one of them.
fn close(open: &mut [u32; 3]) -> bool {
    for open in &mut *open {
        let row = |r: u32| minirows(*open >> (9 * r));
        let closed = CLOSED[row(0) | row(1) << 3 | row(2) << 6];
        let mut cells = 0;
        for entry in 0..9 {
            cells |= (u32::from(closed >> entry & 1) * 7) << (3 * entry);
        }
        *open &= cells;
        if closed == 0 {
            return false;
        }
    }
    for stack in 0..3 {
        let columns = |band: u32| (band | band >> 9 | band >> 18) >> (3 * stack) & 7;
        let matrix = columns(open[0]) | columns(open[1]) << 3 | columns(open[2]) << 6;
        let closed = u32::from(CLOSED[matrix as usize]);
        for (band, open) in open.iter_mut().enumerate() {
            let gone = (!closed >> (3 * band) & 7) << (3 * stack);
            *open &= !(gone * ROW_STARTS);
        }
        if closed == 0 {
            return false;
        }
    }
    true
}

/// The triads of a row with any cell: bit s for stack s.
fn minirows(row: u32) -> usize {
    let any = |stack: u32| usize::from(row >> (3 * stack) & 7 != 0) << stack;
    any(0) | any(1) | any(2)
}

/// The cells that are the only ones in their row of the band.
fn alone_in_row(open: u32) -> u32 {
    let mut alone = 0;
    for row in 0..3 {
        let cells = open & 0x1FF << (9 * row);
        if cells & cells.wrapping_sub(1) == 0 {
            alone |= cells;
        }
    }
    alone
}

/// All cells of the rows that hold any of these cells.
fn whole_rows(cells: u32) -> u32 {
    let mut rows = 0;
    for row in 0..3 {
        let all = 0x1FF << (9 * row);
        if cells & all != 0 {
            rows |= all;
        }
    }
    rows
}
