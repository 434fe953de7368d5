//! Every engine at every level gives what the oracle gives.

use crate::support::{
    cases, data, oracle,
    puzzles::{PUZZLES, SOLUTIONS},
    reference,
    registry::registry,
};
use proptest::{prelude::*, sample::subsequence};
use sudoku_batch::{
    Candidates, Cell, Digit, Goal, Grid, NotUniqueError, Outcome, Puzzle, Solver,
    format::Records,
    grid::Candidate,
    questions::{Question, SolveSettings, Status},
    solve::guesses,
    symmetry::Transformation,
};

/// The worked examples, and more grids to make puzzles of.
const EXAMPLES: [(&str, &str); 2] = [(PUZZLES[0], SOLUTIONS[0]), (PUZZLES[1], SOLUTIONS[1])];

/// One solver for each engine at each level: the registry that also drives the
/// benches.
fn solvers() -> impl Iterator<Item = (String, Solver)> {
    registry().map(|(engine, level)| {
        let solver = Solver::with_level(level).expect("the registry has what is there");
        (format!("{engine} at {level}"), solver.with_engine(engine))
    })
}

/// The question for the only solution, to each engine.
fn questions() -> impl Iterator<Item = (String, Question)> {
    registry().map(|(engine, level)| {
        let question = Question::new(SolveSettings {
            unique: true,
            engine: Some(engine),
            level: Some(level),
            ..SolveSettings::default()
        });
        (format!("{engine} at {level}"), question.unwrap())
    })
}

/// Asks all engines everything, with a small batch and one by one, and compares with
/// the oracle.
fn assert_all_agree(puzzles: &[Puzzle], limit: usize) {
    let all_grids: Vec<_> = puzzles
        .iter()
        .map(|puzzle| oracle::solutions(puzzle, 200))
        .collect();
    for (who, mut solver) in solvers() {
        let outcomes = solver.solve_batch(puzzles);
        let unique = solver.solve_unique_batch(puzzles);
        let counts = solver.count_batch(puzzles, limit as u64);
        assert_eq!(
            [outcomes.len(), unique.len(), counts.len()],
            [puzzles.len(); 3]
        );
        for (i, puzzle) in puzzles.iter().enumerate() {
            let what = format!("{who}: {puzzle}");
            let grids = &all_grids[i];
            assert_eq!(counts[i], grids.len().min(limit) as u64, "{what}");
            assert_eq!(solver.count(puzzle, limit as u64), counts[i], "{what}");
            assert_eq!(solver.solve(puzzle), outcomes[i], "{what}");
            assert_eq!(solver.solve_unique(puzzle), unique[i], "{what}");
            match (grids.as_slice(), outcomes[i]) {
                ([], Outcome::NoSolution) => {
                    assert_eq!(unique[i], Err(NotUniqueError::NoSolution), "{what}");
                }
                ([grid], Outcome::Unique(found)) => {
                    assert_eq!(found, *grid, "{what}");
                    assert_eq!(unique[i], Ok(found), "{what}");
                }
                ([_, _, ..], Outcome::Multiple(found)) => {
                    assert!(found.is_solution_of(puzzle), "{what}");
                    // The oracle may not have all of very many.
                    let smallest = *grids.iter().min().unwrap();
                    assert!(found <= smallest, "{what}");
                    assert!(grids.len() == 200 || found == smallest, "{what}");
                    assert_eq!(unique[i], Err(NotUniqueError::Multiple), "{what}");
                }
                (_, found) => panic!("{what}: {found:?}, but {} solutions", grids.len()),
            }
        }
    }
}

fn symmetry() -> impl Strategy<Value = Transformation> {
    (0..Transformation::COUNT).prop_map(Transformation::numbered)
}

fn example(i: usize) -> (Puzzle, Grid) {
    let (puzzle, solution) = EXAMPLES[i];
    (puzzle.parse().unwrap(), solution.parse().unwrap())
}

prop_compose! {
    /// Some clues of a grid: one solution, or several.
    fn solvable()(
        i in 0..EXAMPLES.len(),
        symmetry in symmetry(),
        cells in subsequence(Cell::all().collect::<Vec<_>>(), 22..40),
    ) -> Puzzle {
        let mut puzzle = Puzzle::EMPTY;
        for cell in cells {
            puzzle.set(cell, Some(example(i).1.get(cell)));
        }
        symmetry.puzzle(&puzzle)
    }
}

prop_compose! {
    /// An example with some clues added from its solution or changed at will:
    /// one solution, or mostly none.
    fn strained()(
        i in 0..EXAMPLES.len(),
        symmetry in symmetry(),
        changes in prop::collection::vec((0..81usize, 1..=9u8), 0..4),
    ) -> Puzzle {
        let mut puzzle = symmetry.puzzle(&example(i).0);
        for (cell, digit) in changes {
            puzzle.set(Cell::new(cell).unwrap(), Digit::new(digit));
        }
        puzzle
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn engines_agree_with_the_oracle(
        puzzles in prop::collection::vec(prop_oneof![solvable(), strained()], 1..8),
        limit in 1..40usize,
    ) {
        assert_all_agree(&puzzles, limit);
    }

    #[test]
    fn symmetries_keep_the_count(puzzle in prop_oneof![solvable(), strained()], by in symmetry()) {
        for (who, mut solver) in solvers() {
            let count = solver.count(&puzzle, 500);
            prop_assert_eq!(solver.count(&by.puzzle(&puzzle), 500), count, "{}", who);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The count is that of the oracle's solutions without that digit there: in cells that are
    /// blank, in clues, and in clues of another digit.
    #[test]
    fn struck_candidates_are_in_no_solution(
        puzzles in prop::collection::vec(prop_oneof![solvable(), strained()], 1..12),
        places in prop::collection::vec((0..81usize, 1..=9u8), 12),
        limit in 1..5u64,
    ) {
        let strike = |(cell, digit)| Candidate {
            cell: Cell::new(cell).unwrap(),
            digit: Digit::new(digit).unwrap(),
        };
        let strikes: Vec<_> = places.into_iter().map(strike).take(puzzles.len()).collect();
        let expected: Vec<_> = puzzles.iter().zip(&strikes).map(|(puzzle, strike)| {
            let grids = oracle::solutions(puzzle, 100);
            let left = grids.iter().filter(|grid| grid.get(strike.cell) != strike.digit).count();
            // The oracle may not have all of very many.
            (grids.len() < 100 || left as u64 >= limit).then_some(limit.min(left as u64))
        }).collect();
        for (who, mut solver) in solvers() {
            let found = solver.count_struck_batch(&puzzles, &strikes, limit);
            for (i, expected) in expected.iter().enumerate() {
                let found = expected.map(|_| found[i]);
                prop_assert_eq!(found, *expected, "{}: {} {:?}", who, puzzles[i], strikes[i]);
            }
        }
    }
}

#[test]
fn worked_examples() {
    for (who, mut solver) in solvers() {
        for i in 0..EXAMPLES.len() {
            let (puzzle, solution) = example(i);
            assert_eq!(solver.solve(&puzzle), Outcome::Unique(solution), "{who}");
        }
    }
}

/// A puzzle of clues `(row, column, digit)`.
fn clues(clues: &[(usize, usize, u8)]) -> Puzzle {
    let mut puzzle = Puzzle::EMPTY;
    for &(row, column, digit) in clues {
        puzzle.set(Cell::at(row, column), Digit::new(digit));
    }
    puzzle
}

#[test]
fn contradictory_clues_have_no_solution() {
    // Two cells of one row, turned into two of one column, and two of one box.
    let lines = [[(4, 0), (4, 8)], [(0, 3), (0, 4)], [(8, 8), (8, 2)]];
    let columns = lines.map(|line| line.map(|(row, column)| (column, row)));
    let boxes = [[(0, 1), (2, 2)], [(3, 6), (5, 8)], [(8, 5), (6, 3)]];
    for (who, mut solver) in solvers() {
        for cells in lines.iter().chain(&columns).chain(&boxes) {
            let puzzle = clues(&cells.map(|(row, column)| (row, column, 9)));
            assert_eq!(
                solver.solve(&puzzle),
                Outcome::NoSolution,
                "{who}: {puzzle}"
            );
            assert_eq!(solver.count(&puzzle, 1000), 0, "{who}: {puzzle}");
        }
    }
}

#[test]
fn limits_are_kept() {
    for (who, mut solver) in solvers() {
        for limit in [0, 1, 2, 3, 64, 513, 1000] {
            assert_eq!(solver.count(&Puzzle::EMPTY, limit), limit, "{who}");
        }
        // A full grid has one solution, itself.
        let (_, grid) = example(0);
        assert_eq!(solver.count(&Puzzle::from(grid), 9), 1, "{who}");
        assert_eq!(
            solver.solve(&Puzzle::from(grid)),
            Outcome::Unique(grid),
            "{who}"
        );
    }
}

/// Swaps of two digits in four cells make two solutions of one: n such
/// rectangles, blanked, make 2^n where they do not touch.
#[test]
fn batches_of_any_length_keep_their_order() {
    let kinds: Vec<(Puzzle, usize)> = {
        let (first, grid) = example(0);
        let (second, _) = example(1);
        let mut several = first;
        for cell in Cell::all().filter(|c| c.box_index() < 2) {
            several.set(cell, None);
        }
        let mut wrong = Puzzle::from(grid);
        wrong.set(Cell::at(8, 8), Digit::new(1));
        let kinds = [first, several, wrong, second, Puzzle::EMPTY, grid.into()];
        kinds
            .map(|puzzle| (puzzle, oracle::solutions(&puzzle, 5).len()))
            .into()
    };
    let counts: Vec<_> = kinds.iter().map(|kind| kind.1).collect();
    assert_eq!(counts, [1, 5, 0, 1, 5, 1]);
    for (who, mut solver) in solvers() {
        for length in [0, 1, 2, 63, 64, 65, 511, 512, 513] {
            // 7 is prime to the six kinds: each meets every place of a group.
            let kind = |i: usize| kinds[i * 7 / 3 % kinds.len()];
            let puzzles: Vec<_> = (0..length).map(|i| kind(i).0).collect();
            let counts = solver.count_batch(&puzzles, 5);
            let expected: Vec<_> = (0..length).map(|i| kind(i).1 as u64).collect();
            assert_eq!(counts, expected, "{who}, {length}");
        }
    }
}

#[test]
fn engines_take_each_blank_as_records_keep_it() {
    let (puzzle, solution) = example(0);
    let cells = |blank| puzzle.as_ascii().map(|c| if c == b'.' { blank } else { c });
    let mut records = Records::default();
    for blank in *b".0*_-?xX" {
        records.push_cells(1, &cells(blank)).unwrap();
    }
    for (who, mut question) in questions() {
        let answer = question.ask(&records);
        assert_eq!(answer.statuses, [Status::Unique; 8], "{who}");
        for &line in answer.column(0).lines().unwrap() {
            assert_eq!(line, *format!("{solution}\n").as_bytes(), "{who}");
        }
    }
}

/// Bytes are cells by one rule, and never by a few of their bits. Each of the 256 stands for a clue that is
/// needed, among puzzles that are none of its business.
#[test]
fn a_byte_that_is_no_cell_is_an_error_of_its_puzzle() {
    let (puzzle, solution) = example(0);
    let cell = puzzle.as_ascii().iter().position(|&c| c == b'4').unwrap();
    let with = |byte: u8| {
        let mut cells = *puzzle.as_ascii();
        cells[cell] = byte;
        cells
    };
    let mut cells = vec![*puzzle.as_ascii()];
    for byte in 0..=u8::MAX {
        cells.extend([with(byte), *puzzle.as_ascii()]);
    }
    for (who, mut question) in questions() {
        let answer = question.ask_cells(&cells);
        let lines = answer.column(0).lines().unwrap();
        let mut rejects = answer
            .rejects
            .iter()
            .filter(|reject| reject.reason.status() == Status::Malformed);
        for byte in 0..=u8::MAX {
            let at = 1 + 2 * usize::from(byte);
            assert_eq!(answer.statuses[at - 1], Status::Unique, "{who}");
            assert_eq!(lines[at - 1], *format!("{solution}\n").as_bytes(), "{who}");
            if byte == b'.' || byte.is_ascii_digit() {
                assert_ne!(answer.statuses[at], Status::Malformed, "{who}: {byte}");
                assert_eq!(
                    answer.statuses[at] == Status::Unique,
                    byte == b'4',
                    "{who}: {byte}"
                );
            } else {
                assert_eq!(answer.statuses[at], Status::Malformed, "{who}: {byte}");
                assert_eq!(lines[at], sudoku_batch::solve::NO_SOLUTION, "{who}: {byte}");
                let reject = rejects.next().unwrap();
                let column = format!("column {}: ", cell + 1);
                assert_eq!(reject.record, at, "{who}: {byte}");
                assert!(
                    reject.reason.to_string().starts_with(&column),
                    "{who}: {byte}"
                );
                // The types have the same rule.
                assert!(Puzzle::from_ascii(&cells[at]).is_err(), "{byte}");
            }
        }
        assert_eq!(rejects.next(), None, "{who}");
    }
}

#[test]
fn a_puzzle_without_a_solution_gets_a_line_of_points() {
    let puzzle = clues(&[(0, 0, 1), (0, 1, 1)]);
    for (who, mut solver) in solvers() {
        let (mut lines, mut counts) = ([[0; 82]], [7]);
        solver.solve_lines(Goal::Solution, &[puzzle], &mut lines, &mut counts);
        assert_eq!(
            (counts, lines),
            ([0], [sudoku_batch::solve::NO_SOLUTION]),
            "{who}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn guesses_are_those_of_the_definition(puzzle in prop_oneof![solvable(), strained()]) {
        let expected = reference::guesses(&puzzle);
        prop_assert_eq!(guesses(&puzzle, u64::MAX), Some(expected));
        prop_assert_eq!(guesses(&puzzle, expected), Some(expected));
        if expected > 0 {
            prop_assert_eq!(guesses(&puzzle, expected - 1), None);
        }
    }
}

/// Every level tells which puzzles singles solve as the rule reads, in batches round the
/// lane counts.
#[test]
fn singles_solve_what_the_rule_says() {
    let mut puzzles = data::puzzles("easy");
    puzzles.truncate(200);
    puzzles.extend(data::puzzles("minimal").into_iter().take(400));
    puzzles.extend([
        Puzzle::EMPTY,
        clues(&[(0, 0, 1), (0, 1, 1)]),
        example(0).1.into(),
    ]);
    // A clue more makes some of them contradictory.
    for i in (0..600).step_by(5) {
        puzzles[i].set(Cell::at(i % 9, i / 9 % 9), Digit::new((i % 9) as u8 + 1));
    }
    for naked_only in [true, false] {
        let expected: Vec<_> = puzzles
            .iter()
            .map(|puzzle| reference::singles_solve(puzzle, naked_only))
            .collect();
        let solved = expected.iter().filter(|&&solved| solved).count();
        assert!((100..500).contains(&solved), "{solved}");
        for (who, mut solver) in solvers() {
            for count in [
                0,
                1,
                63,
                64,
                65,
                127,
                128,
                129,
                511,
                512,
                513,
                puzzles.len(),
            ] {
                let asked = &puzzles[..count];
                let found = match naked_only {
                    true => solver.naked_singles_solve_batch(asked),
                    false => solver.singles_solve_batch(asked),
                };
                assert_eq!(found, expected[..count], "{who}, {naked_only}");
            }
        }
    }
}

/// Every level counts the guesses of a batch as the rule reads, with limits, in batches round the lane
/// counts: puzzles with one solution, with several and without any.
#[test]
fn guesses_of_a_batch_are_those_of_the_definition() {
    let mut puzzles = data::puzzles("minimal");
    puzzles.truncate(400);
    puzzles.extend(data::puzzles("easy").into_iter().take(50));
    puzzles.extend([
        Puzzle::EMPTY,
        clues(&[(0, 0, 1), (0, 1, 1)]),
        example(0).1.into(),
    ]);
    for i in (0..200).step_by(4) {
        // A clue more makes some of them contradictory, a clue less gives some several solutions.
        let digit = Digit::new((i % 9) as u8 + 1);
        puzzles[i].set(Cell::at(i % 9, i / 9 % 9), digit);
        let clue = Cell::all().find(|&cell| puzzles[i + 1].get(cell).is_some());
        puzzles[i + 1].set(clue.expect("it has clues"), None);
    }
    let expected: Vec<_> = puzzles.iter().map(reference::guesses).collect();
    assert!(expected.iter().filter(|&&guesses| guesses > 3).count() > 100);
    for (who, mut solver) in solvers() {
        for count in [0, 1, 63, 65, 127, 129, 511, puzzles.len()] {
            let count = count.min(puzzles.len());
            for most in [u64::MAX, 7, 0] {
                let found = solver.guesses_batch(&puzzles[..count], most);
                let expected = expected.iter().map(|&n| (n <= most).then_some(n));
                assert!(found.into_iter().eq(expected.take(count)), "{who}, {most}");
            }
        }
    }
}

/// The memory of a solver from one question is not in the answer to the next, of another kind and size.
#[test]
fn questions_of_one_solver_take_turns() {
    let mut puzzles = data::puzzles("minimal");
    puzzles.truncate(300);
    puzzles.extend(data::puzzles("easy").into_iter().take(200));
    for i in (0..puzzles.len()).step_by(4) {
        puzzles[i].set(Cell::at(0, 0), Digit::new((i % 9) as u8 + 1));
        let clue = Cell::all().find(|&cell| puzzles[i + 1].get(cell).is_some());
        puzzles[i + 1].set(clue.expect("it has clues"), None);
    }
    let with_grids = puzzles.iter().map(|p| (*p, oracle::solutions(p, 50)));
    let (puzzles, grids): (Vec<_>, Vec<_>) =
        { with_grids }.filter(|(_, grids)| grids.len() < 50).unzip();
    let strikes: Vec<_> = (0..puzzles.len())
        .map(|i| Candidate {
            cell: Cell::new(i % 81).expect("a cell"),
            digit: Digit::new((i % 9) as u8 + 1).expect("a digit"),
        })
        .collect();
    let struck = grids.iter().zip(&strikes).map(|(grids, strike)| {
        let left = |grid: &&Grid| grid.get(strike.cell) != strike.digit;
        grids.iter().filter(left).count().min(2) as u64
    });
    let struck: Vec<_> = struck.collect();
    let guesses: Vec<_> = puzzles.iter().map(reference::guesses).collect();
    let naked: Vec<_> = puzzles
        .iter()
        .map(|p| reference::singles_solve(p, true))
        .collect();
    let all: Vec<_> = puzzles
        .iter()
        .map(|p| reference::singles_solve(p, false))
        .collect();
    for kind in 0..3 {
        let has = |grids: &Vec<Grid>| grids.len().min(2) == kind;
        assert!(
            grids.iter().filter(|grids| has(grids)).count() >= 10,
            "{kind}"
        );
    }
    let is_outcome = |i: usize, found: Outcome| match (grids[i].as_slice(), found) {
        ([], Outcome::NoSolution) => true,
        ([grid], Outcome::Unique(found)) => *grid == found,
        (several @ [_, _, ..], Outcome::Multiple(found)) => several.iter().min() == Some(&found),
        _ => false,
    };
    for (who, mut solver) in solvers() {
        // A generator of Knuth's, so that all solvers meet the same questions.
        let mut state = 29_u64;
        let mut below = |bound: usize| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((state >> 33) as usize) % bound
        };
        // Each question comes after most others. More turns find what outlives several questions.
        for turn in 0..cases(50) {
            let question = below(8);
            let from = below(puzzles.len());
            let to = from + 1 + below(puzzles.len() - from);
            let asked = &puzzles[from..to];
            let rest = from..to;
            let good = match question {
                0 => {
                    let found = solver.solve_batch(asked);
                    rest.zip(found).all(|(i, found)| is_outcome(i, found))
                }
                1 => {
                    let found = solver.solve_unique_batch(asked);
                    rest.zip(found).all(|(i, found)| match grids[i].as_slice() {
                        [] => found == Err(NotUniqueError::NoSolution),
                        [grid] => found == Ok(*grid),
                        _ => found == Err(NotUniqueError::Multiple),
                    })
                }
                2 => {
                    let limit = 1 + below(60) as u64;
                    let counts = grids[rest]
                        .iter()
                        .map(|grids| limit.min(grids.len() as u64));
                    solver.count_batch(asked, limit).into_iter().eq(counts)
                }
                3 => solver.count_struck_batch(asked, &strikes[rest.clone()], 2) == struck[rest],
                4 => {
                    let asked: Vec<_> = asked.iter().copied().map(Candidates::from).collect();
                    let found = solver.solve_batch(&asked);
                    rest.zip(found).all(|(i, found)| is_outcome(i, found))
                }
                5 => solver.naked_singles_solve_batch(asked) == naked[rest],
                6 => solver.singles_solve_batch(asked) == all[rest],
                _ => {
                    let most = [u64::MAX, 6][below(2)];
                    let expected = guesses[rest].iter().map(|&n| (n <= most).then_some(n));
                    solver.guesses_batch(asked, most).into_iter().eq(expected)
                }
            };
            assert!(
                good,
                "{who}, turn {turn}: question {question} of {from}..{to}"
            );
        }
    }
}

/// The number of guesses never changes.
#[test]
fn guesses_of_known_puzzles() {
    let known = [
        (example(0).0, 6),
        (example(1).0, 0),
        (Puzzle::EMPTY, 48),
        (clues(&[(0, 0, 1), (0, 1, 1)]), 0),
        (example(0).1.into(), 0),
    ];
    for (puzzle, expected) in known {
        assert_eq!(reference::guesses(&puzzle), expected, "{puzzle}");
        assert_eq!(guesses(&puzzle, u64::MAX), Some(expected), "{puzzle}");
    }
}
