//! Singles, and the reference search as its definition reads, on sets of digits: slow,
//! and nothing shared with the library but the rules.

use sudoku_batch::{
    Cell, Puzzle,
    grid::{HOUSE_CELLS, PEERS},
};

/// The digits of each cell: bit 1 for the digit 1.
type Candidates = [u16; 81];

/// The digits of a cell, the smallest first.
fn digits(cell: u16) -> impl Iterator<Item = u8> {
    (1..=9).filter(move |digit| cell >> digit & 1 == 1)
}

/// Puts a digit into a cell.
fn place(candidates: &mut Candidates, cell: usize, digit: u8) {
    candidates[cell] &= 1 << digit;
    for &peer in &PEERS[cell] {
        candidates[usize::from(peer)] &= !(1 << digit);
    }
}

/// Places singles until there is none; false at the end of a branch.
fn singles(candidates: &mut Candidates, naked_only: bool) -> bool {
    loop {
        let before = *candidates;
        for cell in 0..81 {
            if candidates[cell].count_ones() == 1 {
                let digit = candidates[cell].trailing_zeros() as u8;
                place(candidates, cell, digit);
            }
        }
        for house in HOUSE_CELLS {
            for digit in 1..=9 {
                let has = |cell: &&u8| candidates[usize::from(**cell)] >> digit & 1 == 1;
                let mut cells = house.iter().filter(has);
                match (cells.next(), cells.next()) {
                    (None, _) => return false,
                    (Some(&cell), None) if !naked_only => place(candidates, cell.into(), digit),
                    _ => {}
                }
            }
        }
        if candidates.contains(&0) {
            return false;
        }
        if *candidates == before {
            return true;
        }
    }
}

/// The candidates of a puzzle, or `None` where two clues contradict each other.
fn candidates(puzzle: &Puzzle) -> Option<Candidates> {
    let mut candidates: Candidates = [0b11_1111_1110; 81];
    for cell in Cell::all() {
        if let Some(digit) = puzzle.get(cell) {
            let kept = candidates[cell.index()] >> digit.get() & 1 == 1;
            place(&mut candidates, cell.index(), digit.get());
            if !kept {
                return None;
            }
        }
    }
    Some(candidates)
}

/// Whether singles lead to a digit in every cell.
pub fn singles_solve(puzzle: &Puzzle, naked_only: bool) -> bool {
    candidates(puzzle).is_some_and(|mut candidates| {
        singles(&mut candidates, naked_only) && candidates.iter().all(|cell| cell.count_ones() == 1)
    })
}

/// The clues and the digits that singles fill in, unless they contradict each other.
pub fn expanded(puzzle: &Puzzle) -> Option<[u8; 81]> {
    let mut candidates = candidates(puzzle)?;
    let digit = |cell: u16| match cell.count_ones() {
        1 => b'0' + cell.trailing_zeros() as u8,
        _ => b'.',
    };
    singles(&mut candidates, false).then(|| candidates.map(digit))
}

/// The filled cells where singles lead no further, and the candidates of the others, unless singles contradict each
/// other.
pub fn left_by_singles(puzzle: &sudoku_batch::Candidates, naked_only: bool) -> Option<[u64; 2]> {
    let digits = puzzle.cells().map(|digits| digits.iter());
    let mut cells = digits.map(|digits| digits.fold(0, |cell, digit| cell | 1 << digit.get()));
    let count = |cells: Candidates| {
        let open = cells
            .iter()
            .map(|cell| u64::from(cell.count_ones()))
            .filter(|n| *n > 1);
        [81 - open.clone().count() as u64, open.sum()]
    };
    singles(&mut cells, naked_only).then(|| count(cells))
}

/// The guesses of the reference search.
pub fn guesses(puzzle: &Puzzle) -> u64 {
    let (mut guesses, mut solutions) = (0, 0);
    if let Some(candidates) = candidates(puzzle) {
        search(candidates, &mut guesses, &mut solutions);
    }
    guesses
}

fn search(mut candidates: Candidates, guesses: &mut u64, solutions: &mut u64) {
    if !singles(&mut candidates, false) {
        return;
    }
    let open = (0..81).filter(|&cell| candidates[cell].count_ones() > 1);
    let Some(cell) = open.min_by_key(|&cell| candidates[cell].count_ones()) else {
        *solutions += 1;
        return;
    };
    for digit in digits(candidates[cell]) {
        if *solutions < 2 {
            *guesses += 1;
            let mut guess = candidates;
            place(&mut guess, cell, digit);
            search(guess, guesses, solutions);
        }
    }
}
