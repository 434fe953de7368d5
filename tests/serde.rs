//! Puzzles, grids and candidates as JSON, by the feature `serde`.

use serde_json::{Value, from_str, from_value, json, to_value};
use sudoku_batch::{
    Candidates, Cell, Digit, Grid, Puzzle,
    grid::{AnyPuzzle, Candidate},
};

const PUZZLE: &str =
    "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
const GRID: &str =
    "496528713875143692132967854314289576729654381568731429687492135943815267251376948";

#[test]
fn values_are_the_strings_that_they_display() {
    let puzzle: Puzzle = PUZZLE.parse().unwrap();
    let grid: Grid = GRID.parse().unwrap();
    let candidates = Candidates::from(puzzle).reduced().unwrap();
    assert_eq!(to_value(puzzle).unwrap(), Value::from(PUZZLE));
    assert_eq!(to_value(grid).unwrap(), Value::from(GRID));
    let text = candidates.to_string();
    assert_eq!(text.len(), 729);
    assert_eq!(to_value(candidates).unwrap(), Value::from(text.clone()));
    let all = [AnyPuzzle::from(puzzle), AnyPuzzle::from(candidates)];
    assert_eq!(
        to_value(all).unwrap(),
        Value::from(vec![PUZZLE.to_owned(), text])
    );
    assert_eq!(
        from_value::<[AnyPuzzle; 2]>(to_value(all).unwrap()).unwrap(),
        all
    );
    assert_eq!(
        from_value::<Puzzle>(Value::from(PUZZLE.replace('.', "0"))).unwrap(),
        puzzle
    );
    assert_eq!(from_value::<Grid>(Value::from(GRID)).unwrap(), grid);
    assert_eq!(
        from_value::<Candidates>(to_value(candidates).unwrap()).unwrap(),
        candidates
    );
    assert_eq!(
        from_value::<Candidates>(Value::from(PUZZLE)).unwrap(),
        puzzle.into()
    );
}

#[test]
fn a_cell_is_its_name_and_a_digit_a_number() {
    let (cell, digit) = (Cell::at(4, 7), Digit::new(9).unwrap());
    let candidate = to_value(Candidate { cell, digit }).unwrap();
    assert_eq!(candidate, json!({ "cell": "r5c8", "digit": 9 }));
}

#[test]
fn what_is_none_is_refused_in_the_words_of_the_parser() {
    let error = from_str::<Puzzle>("\"123\"").unwrap_err().to_string();
    assert!(
        error.starts_with("column 4: end of line where a cell should be"),
        "{error}"
    );
    let error = from_str::<Grid>(&format!("{PUZZLE:?}"))
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("column 2: '.' where a digit should be"),
        "{error}"
    );
    let error = from_str::<Candidates>("7").unwrap_err().to_string();
    assert!(
        error.contains("expected a string of 729 candidates or 81 cells"),
        "{error}"
    );
}
