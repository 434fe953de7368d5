//! The example for those who read tables with the library.

#[allow(dead_code, reason = "an example has a `main`, which no test calls")]
#[path = "../../examples/read_csv.rs"]
mod example;

use crate::support::{
    puzzles::{PUZZLES, SOLUTIONS, TWO_SOLUTIONS},
    rated::Rater,
};
use sudoku_batch::Puzzle;

#[test]
fn each_row_has_its_id_its_ratings_and_its_solution() {
    let (first, second) = (PUZZLES[0], PUZZLES[1]);
    let puzzles = [first, second].map(|puzzle| puzzle.parse::<Puzzle>().unwrap());
    let ratings = Rater::new().rate_batch(&puzzles);
    let [a, b] = [0, 1].map(|n| format!("{} {}", ratings[n].unwrap(), SOLUTIONS[n]));
    let text = format!(
        "Id,puzzle,note\n\"x,1\",{first},\"two\nlines\"\n2,123,\n3,{TWO_SOLUTIONS},\n4,{second},\n"
    );
    let lines = example::rated(text.as_bytes()).unwrap();
    let lines: Vec<_> = lines.lines().collect();
    assert_eq!(
        (lines[0], lines[3]),
        (&*format!("x,1 {a}"), &*format!("4 {b}"))
    );
    assert!(lines[1].starts_with("line 4: malformed"), "{}", lines[1]);
    assert!(lines[2].starts_with("line 5: multiple"), "{}", lines[2]);
    assert_eq!(lines.len(), 4);
    // A table without ids, and a text that is no table.
    let lines = example::rated(format!("puzzle\n{first}\n").as_bytes()).unwrap();
    assert_eq!(lines, format!("- {a}\n"));
    assert!(example::rated(b"a,b\n1,2\n").is_err());
}
