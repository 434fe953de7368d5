//! The oracle: a naive backtracker that knows only the rules.

use sudoku_batch::{Cell, Digit, Grid, Puzzle, grid::PEERS};

/// The solutions of a puzzle, at most `limit` of them.
pub fn solutions(puzzle: &Puzzle, limit: usize) -> Vec<Grid> {
    let mut found = Vec::new();
    if puzzle.conflict().is_none() {
        search(&mut puzzle.clone(), limit, &mut found);
    }
    found
}

fn search(puzzle: &mut Puzzle, limit: usize, found: &mut Vec<Grid>) {
    let digits = |cell: Cell| -> Vec<Digit> {
        let peers = PEERS[cell.index()].map(|peer| Cell::new(peer.into()).unwrap());
        let possible = |&digit: &Digit| peers.iter().all(|&p| puzzle.get(p) != Some(digit));
        Digit::all().filter(possible).collect()
    };
    let blanks = Cell::all().filter(|&cell| puzzle.get(cell).is_none());
    let Some((cell, digits)) = blanks
        .map(|cell| (cell, digits(cell)))
        .min_by_key(|(_, digits)| digits.len())
    else {
        found.push(Grid::from_ascii(puzzle.as_ascii()).unwrap());
        return;
    };
    for digit in digits {
        if found.len() < limit {
            puzzle.set(cell, Some(digit));
            search(puzzle, limit, found);
        }
    }
    puzzle.set(cell, None);
}
