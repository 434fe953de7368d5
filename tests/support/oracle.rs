//! The oracle: a naive backtracker that knows only the rules.

use sudoku_batch::{Grid, Puzzle, grid::PEERS};

/// The solutions of a puzzle, at most `limit` of them.
pub fn solutions(puzzle: &Puzzle, limit: usize) -> Vec<Grid> {
    let mut found = Vec::new();
    if puzzle.conflict().is_none() {
        search(&mut puzzle.as_ascii().clone(), limit, &mut found);
    }
    found
}

/// Tries the digits of the first of the blanks with the fewest.
fn search(cells: &mut [u8; 81], limit: usize, found: &mut Vec<Grid>) {
    let blanks = (0..81).filter(|&cell| cells[cell] == b'.');
    let with_digits = blanks.map(|cell| (cell, digits(cells, cell)));
    let Some((cell, digits)) = with_digits.min_by_key(|(_, digits)| digits.count_ones()) else {
        found.push(Grid::from_ascii(cells).unwrap());
        return;
    };
    for digit in (b'1'..=b'9').filter(|digit| digits >> (digit - b'0') & 1 == 1) {
        if found.len() < limit {
            cells[cell] = digit;
            search(cells, limit, found);
        }
    }
    cells[cell] = b'.';
}

/// The digits that no peer of a cell has: bit 1 for the digit 1. (A blank peer has bit 14, which is no digit.)
fn digits(cells: &[u8; 81], cell: usize) -> u16 {
    let peers = PEERS[cell].iter();
    let of_peers = peers.fold(0_u16, |all, &peer| {
        all | 1 << (cells[usize::from(peer)] % 16)
    });
    !of_peers & 0b11_1111_1110
}
