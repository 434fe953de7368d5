//! Singles, and the reference search as its definition reads, on sets of digits: slow,
//! and nothing shared with the library but the rules.

use std::collections::BTreeSet;
use sudoku_batch::{
    Cell, Puzzle,
    grid::{HOUSE_CELLS, PEERS},
};

type Candidates = Vec<BTreeSet<u8>>;

/// Puts a digit into a cell.
fn place(candidates: &mut Candidates, cell: usize, digit: u8) {
    candidates[cell].retain(|&other| other == digit);
    for &peer in &PEERS[cell] {
        candidates[usize::from(peer)].remove(&digit);
    }
}

/// Places singles until there is none; false at the end of a branch.
fn singles(candidates: &mut Candidates, naked_only: bool) -> bool {
    loop {
        let before = candidates.clone();
        for cell in 0..81 {
            if let (Some(&digit), 1) = (candidates[cell].first(), candidates[cell].len()) {
                place(candidates, cell, digit);
            }
        }
        for house in HOUSE_CELLS {
            for digit in 1..=9 {
                let has = |&&cell: &&u8| candidates[usize::from(cell)].contains(&digit);
                let cells: Vec<_> = house.iter().filter(has).collect();
                match cells[..] {
                    [] => return false,
                    [&cell] if !naked_only => place(candidates, usize::from(cell), digit),
                    _ => {}
                }
            }
        }
        if candidates.iter().any(BTreeSet::is_empty) {
            return false;
        }
        if *candidates == before {
            return true;
        }
    }
}

/// The candidates of a puzzle, or `None` where two clues contradict each other.
fn candidates(puzzle: &Puzzle) -> Option<Candidates> {
    let mut candidates: Candidates = vec![(1..=9).collect(); 81];
    for cell in Cell::all() {
        if let Some(digit) = puzzle.get(cell) {
            let kept = candidates[cell.index()].contains(&digit.get());
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
        singles(&mut candidates, naked_only) && candidates.iter().all(|cell| cell.len() == 1)
    })
}

/// The clues and the digits that singles fill in, unless they contradict each other.
pub fn expanded(puzzle: &Puzzle) -> Option<[u8; 81]> {
    let mut candidates = candidates(puzzle)?;
    let digit = |cell: &BTreeSet<u8>| match cell.len() {
        1 => b'0' + cell.first().unwrap(),
        _ => b'.',
    };
    singles(&mut candidates, false).then(|| std::array::from_fn(|cell| digit(&candidates[cell])))
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
    let open = (0..81).filter(|&cell| candidates[cell].len() > 1);
    let Some(cell) = open.min_by_key(|&cell| candidates[cell].len()) else {
        *solutions += 1;
        return;
    };
    for &digit in &candidates[cell] {
        if *solutions < 2 {
            *guesses += 1;
            let mut guess = candidates.clone();
            place(&mut guess, cell, digit);
            search(guess, guesses, solutions);
        }
    }
}
