//! The canonical forms of patterns, against all symmetric copies.

use crate::support::{
    brute_force::Rows,
    cases, data,
    random_words::Words,
    symmetry::{Symmetry, cells, last_image, puzzle},
};
use sudoku_batch::{
    Puzzle,
    format::Records,
    grid::AnyPuzzle,
    questions::{Data, PATTERNS},
};

/// The patterns of puzzles, as the question gives them.
fn patterns(puzzles: &[Puzzle]) -> Vec<Rows> {
    let mut records = Records::default();
    for puzzle in puzzles {
        let text = puzzle.to_string();
        records.push_puzzle(1, &AnyPuzzle::from(*puzzle), text.as_bytes());
    }
    let answer = PATTERNS.with([]).unwrap().ask(&records);
    let Data::Texts(texts) = answer.named("pattern") else {
        unreachable!("patterns are texts")
    };
    let texts = (0..puzzles.len()).map(|record| texts.get(record));
    texts.map(|text| cells(text.try_into().unwrap())).collect()
}

/// The pattern of a puzzle by its definition.
fn pattern(puzzle: &Puzzle) -> Rows {
    let clue = |&cell: &u8| if cell.is_ascii_digit() { b'x' } else { b'.' };
    cells(
        &puzzle
            .to_string()
            .as_bytes()
            .iter()
            .map(clue)
            .collect::<Vec<_>>()
            .try_into()
            .unwrap(),
    )
}

/// Patterns of few cells and of many, with and without symmetries of their own.
fn boards() -> Vec<Puzzle> {
    let full = data::puzzles("easy.solved")[0];
    let mut words = Words::new(20261130);
    let mut boards = vec![Puzzle::EMPTY, full];
    for class in ["easy", "minimal", "hard"] {
        boards.extend(&data::puzzles(class)[..cases(2)]);
    }
    for number in 0..cases(6) {
        let mut cells = cells(full.as_ascii());
        for cell in cells.as_flattened_mut() {
            if words.below(7) > number % 6 {
                *cell = b'.';
            }
        }
        boards.push(puzzle(&cells));
    }
    boards
}

#[test]
fn a_canonical_form_is_the_last_of_all_copies() {
    let boards = boards();
    for (board, found) in boards.iter().zip(patterns(&boards)) {
        assert_eq!(found, last_image(&pattern(board)), "{board}");
    }
}

#[test]
fn symmetric_copies_have_the_same_pattern() {
    let mut words = Words::new(7);
    let boards = [boards(), data::puzzles("minimal")].concat();
    let copies: Vec<_> = boards
        .iter()
        .map(|board| {
            let ascii = board.to_string().into_bytes().try_into().unwrap();
            puzzle(&Symmetry::random(&mut words).image(&cells(&ascii)))
        })
        .collect();
    assert_eq!(patterns(&boards), patterns(&copies));
}
