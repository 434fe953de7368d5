//! The candidates that occur in a solution, against lists of all solutions.

use crate::support::{
    cases, oracle,
    puzzles::{PUZZLES, SOLUTIONS},
    random_words::Words,
    registry::registry,
};
use std::sync::LazyLock;
use sudoku_batch::{
    Candidates, Cell, Puzzle, Solver,
    format::{Records, line},
    grid::Digits,
    questions::{Data, PuzzleValue, Status, TRUE_CANDIDATES},
};

/// The union of solutions, as the rule says it.
fn union<'g>(solutions: impl IntoIterator<Item = &'g sudoku_batch::Grid>) -> Candidates {
    let mut cells = [Digits::NONE; 81];
    for solution in solutions {
        for (cell, digits) in Cell::all().zip(&mut cells) {
            digits.insert(solution.get(cell));
        }
    }
    Candidates::from_cells(&cells)
}

/// Puzzles with up to a few thousand solutions, and the union of those that the oracle lists.
fn listed() -> &'static [(Puzzle, Candidates)] {
    static LISTED: LazyLock<Vec<(Puzzle, Candidates)>> = LazyLock::new(list);
    &LISTED
}

fn list() -> Vec<(Puzzle, Candidates)> {
    const MOST: usize = 2000;
    let mut words = Words::new(20261124);
    let mut listed = Vec::new();
    // Some of each number of solutions, by a power of ten. More of them find what only some puzzles show.
    let (mut sizes, wanted) = ([0; 4], cases(150));
    while listed.len() < wanted {
        let mut puzzle: Puzzle = SOLUTIONS[words.below(SOLUTIONS.len())].parse().unwrap();
        let clues = 22 + words.below(20);
        while puzzle.clue_count() > clues {
            puzzle.set(Cell::new(words.below(81)).unwrap(), None);
        }
        let solutions = oracle::solutions(&puzzle, MOST + 1);
        if solutions.len() <= MOST {
            sizes[solutions.len().ilog10() as usize] += 1;
            listed.push((puzzle, union(&solutions)));
        }
    }
    assert!(sizes.iter().all(|&size| size > 5), "{sizes:?}");
    // And the ends of the scale.
    let none: Puzzle = format!("11{}", ".".repeat(79)).parse().unwrap();
    listed.push((none, union(&[])));
    listed.push((Puzzle::EMPTY, Candidates::ALL));
    listed
}

#[test]
fn unions_are_those_of_all_solutions() {
    let listed = listed();
    let puzzles: Vec<_> = listed.iter().map(|(puzzle, _)| *puzzle).collect();
    for (engine, level) in registry() {
        let mut solver = Solver::with_level(level).unwrap().with_engine(engine);
        // Another order and other neighbours change nothing.
        for turn in [0, 100] {
            let mut turned = puzzles.clone();
            turned.rotate_left(turn);
            let mut found = solver.true_candidates_batch(&turned);
            found.rotate_right(turn);
            for ((puzzle, expected), found) in listed.iter().zip(found) {
                assert_eq!(found, *expected, "{engine} {level} {puzzle}");
            }
        }
    }
}

/// With two clues every other candidate that they leave is true: digits and rows can be exchanged.
#[test]
fn two_clues_rule_out_what_they_see() {
    let mut words = Words::new(7);
    // Each has some 700 candidates. More of them have other places of the two.
    let puzzles: Vec<Puzzle> = (0..cases(20))
        .map(|_| {
            let mut puzzle = Puzzle::EMPTY;
            while puzzle.clue_count() < 2 {
                let digit = sudoku_batch::Digit::new(1 + words.below(9) as u8);
                puzzle.set(Cell::new(words.below(81)).unwrap(), digit);
                if puzzle.conflict().is_some() {
                    puzzle = Puzzle::EMPTY;
                }
            }
            puzzle
        })
        .collect();
    let seen = |puzzle: &Puzzle| Candidates::from(*puzzle).reduced().unwrap();
    let (mut all, mut fewer) = (0, 0);
    for (puzzle, found) in puzzles
        .iter()
        .zip(Solver::new().true_candidates_batch(&puzzles))
    {
        // Locked candidates may rule out more, so the rule is an upper bound there.
        let bound = seen(puzzle);
        assert!(Cell::all().all(|cell| found.get(cell).bits() & !bound.get(cell).bits() == 0));
        let has_solution = |cell: Cell, digit| {
            let mut with = *puzzle;
            with.set(cell, Some(digit));
            Solver::new().count(&with, 1) == 1
        };
        for cell in Cell::all() {
            for digit in bound.get(cell).iter() {
                let is_true = found.contains(cell, digit);
                assert_eq!(is_true, has_solution(cell, digit), "{puzzle} {cell}");
                *(if is_true { &mut all } else { &mut fewer }) += 1;
            }
        }
    }
    assert!(all > 1000, "{all} {fewer}");
}

/// The question, with records of every kind side by side: cells, candidates, malformed ones.
#[test]
fn records_of_each_kind_have_their_candidates() {
    let mut text = String::new();
    let mut expected = Vec::new();
    for (number, &(puzzle, union)) in listed().iter().enumerate() {
        // Some by their candidates: what clues leave, or all true ones and nothing else.
        let given = match number % 3 {
            0 => puzzle.to_string(),
            1 => match Candidates::from(puzzle).reduced() {
                Some(reduced) => reduced.to_string(),
                None => puzzle.to_string(),
            },
            _ if union.count() > 0 => union.to_string(),
            _ => puzzle.to_string(),
        };
        text += &format!("{given}\n");
        expected.push(union);
        if number % 50 == 0 {
            text += "11\n";
            expected.push(Candidates::from_cells(&[Digits::NONE; 81]));
        }
    }
    text += PUZZLES[0];
    expected.push(SOLUTIONS[0].parse::<Puzzle>().unwrap().into());
    let mut records = Records::default();
    line::read(text.as_bytes(), &mut records);
    let answer = TRUE_CANDIDATES.with([]).unwrap().ask(&records);
    let (Data::Puzzles(found), Data::Numbers(counts)) = (answer.column(0), answer.column(1)) else {
        panic!("{answer:?}");
    };
    for (record, expected) in expected.iter().enumerate() {
        let status = answer.statuses[record];
        match found.get(record) {
            PuzzleValue::Candidates(found, _) => assert_eq!(found, expected),
            PuzzleValue::Nothing => assert_eq!(expected.count(), 0),
            other => panic!("{other:?}"),
        }
        let count = expected.count() as u64;
        assert_eq!(counts[record], Some(count).filter(|count| *count > 0));
        let is_good = matches!(status, Status::Unique | Status::Multiple);
        assert_eq!(is_good, count > 0, "{status:?}");
        assert_eq!(status == Status::Unique, count == 81);
        let rejected = answer.rejects.iter().any(|reject| reject.record == record);
        assert_eq!(rejected, !is_good);
    }
}
