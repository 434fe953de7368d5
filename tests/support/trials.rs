//! The depth of trial and error, from its definition: sets of digits for each cell, and no thought of speed.

use std::sync::LazyLock;
use sudoku_batch::{Candidates, Cell, Digit};

/// The cells of each house: rows, columns, boxes.
static HOUSES: LazyLock<Vec<Vec<usize>>> = LazyLock::new(|| {
    let cells = |house: usize| (0..81).filter(move |&cell| is_in(cell, house)).collect();
    (0..27).map(cells).collect()
});

/// The peers of each cell.
static PEERS: LazyLock<Vec<Vec<usize>>> = LazyLock::new(|| {
    let see =
        |cell: usize, peer: usize| (0..27).any(|house| is_in(cell, house) && is_in(peer, house));
    let peers = |cell: usize| {
        (0..81)
            .filter(move |&peer| peer != cell && see(cell, peer))
            .collect()
    };
    (0..81).map(peers).collect()
});

/// The digits of each cell: bit 0 for the 1.
type State = [u16; 81];

/// The depth of a puzzle with one solution: the least n up to `most` such that T&E(n) solves it.
pub fn depth(puzzle: &Candidates, most: usize) -> Option<usize> {
    let mut state = [0; 81];
    for (cell, state) in Cell::all().zip(&mut state) {
        *state = puzzle.get(cell).bits();
    }
    (0..=most).find(|&n| {
        let mut state = state;
        assert!(
            close(&mut state, n),
            "a puzzle with a solution has no contradiction"
        );
        state.iter().all(|digits| digits.count_ones() == 1)
    })
}

/// Closes a state under T&E(n). Returns false if there is a contradiction.
fn close(state: &mut State, n: usize) -> bool {
    if !singles(state) {
        return false;
    }
    if n == 0 {
        return true;
    }
    loop {
        let before = *state;
        for cell in 0..81 {
            for digit in Digit::all().map(|digit| 1 << (digit.get() - 1)) {
                if state[cell] & digit == 0 || state[cell] == digit {
                    continue;
                }
                let mut supposed = *state;
                supposed[cell] = digit;
                if !close(&mut supposed, n - 1) {
                    state[cell] &= !digit;
                    if !singles(state) {
                        return false;
                    }
                }
            }
        }
        if *state == before {
            return true;
        }
    }
}

/// Strikes the peers of placed digits, and places naked and hidden singles. Returns false if a cell or a digit of
/// a house is left without a candidate.
fn singles(state: &mut State) -> bool {
    loop {
        let before = *state;
        for cell in 0..81 {
            if state[cell].count_ones() == 1 {
                for &peer in &PEERS[cell] {
                    state[peer] &= !state[cell];
                }
            }
        }
        for house in &*HOUSES {
            for digit in (0..9).map(|digit| 1 << digit) {
                let mut places = house.iter().filter(|&&cell| state[cell] & digit != 0);
                match (places.next(), places.next()) {
                    (None, _) => return false,
                    (Some(&only), None) => state[only] = digit,
                    _ => {}
                }
            }
        }
        if state.contains(&0) {
            return false;
        }
        if *state == before {
            return true;
        }
    }
}

/// Returns true if a cell is in a house: rows, columns, boxes.
fn is_in(cell: usize, house: usize) -> bool {
    match house {
        0..9 => cell / 9 == house,
        9..18 => cell % 9 == house - 9,
        _ => cell / 27 * 3 + cell % 9 / 3 == house - 18,
    }
}
