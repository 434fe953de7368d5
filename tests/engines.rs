//! Every engine at every level gives what the oracle gives.

mod oracle;
mod registry;

use proptest::{array, prelude::*, sample::subsequence};
use registry::registry;
use std::num::NonZeroU64;
use sudoku_batch::{Cell, Digit, Grid, Limit, Outcome, Puzzle, Solver};

/// The worked examples, and more grids to make puzzles of.
const EXAMPLES: [(&str, &str); 2] = [
    (
        "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8",
        "496528713875143692132967854314289576729654381568731429687492135943815267251376948",
    ),
    (
        "3.65.84..52........87....31..3.1..8.9..863..5.5..9.6..13....25........74..52.63..",
        "316578492529134768487629531263415987974863125851792643138947256692351874745286319",
    ),
];

/// One solver for each engine at each level: the registry that also drives the
/// benches.
fn solvers() -> impl Iterator<Item = (String, Solver)> {
    registry().map(|(engine, level)| {
        let solver = Solver::with_level(level).expect("the registry has what is there");
        (format!("{engine} at {level}"), solver.with_engine(engine))
    })
}

fn up_to(limit: usize) -> Limit {
    Limit::UpTo(NonZeroU64::new(limit as u64).unwrap())
}

/// An outcome is right when its count is, and its solution solves the puzzle.
fn assert_right(who: &str, puzzle: &Puzzle, outcome: &Outcome, count: usize) {
    assert_eq!(outcome.count, count as u64, "{who}: count of {puzzle}");
    match &outcome.solution {
        Some(grid) => assert!(grid.is_solution_of(puzzle), "{who}: {puzzle} {grid}"),
        None => assert_eq!(count, 0, "{who}: {puzzle} without a solution"),
    }
}

/// Asks all engines, with a small batch and one by one.
fn assert_all_agree(puzzles: &[Puzzle], limit: usize) {
    let counts: Vec<_> = puzzles
        .iter()
        .map(|puzzle| oracle::solutions(puzzle, limit).len())
        .collect();
    for (who, mut solver) in solvers() {
        let outcomes = solver.solve_batch(puzzles, up_to(limit));
        assert_eq!(outcomes.len(), puzzles.len());
        for ((puzzle, outcome), &count) in puzzles.iter().zip(&outcomes).zip(&counts) {
            assert_right(&who, puzzle, outcome, count);
            let alone = solver.solve(puzzle, up_to(limit));
            assert_right(&who, puzzle, &alone, count);
        }
    }
}

/// A change of a grid that keeps it valid.
#[derive(Clone, Debug)]
struct Symmetry {
    digits: Vec<u8>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    transposed: bool,
}

impl Symmetry {
    fn apply(&self, puzzle: &Puzzle) -> Puzzle {
        let mut image = Puzzle::EMPTY;
        for cell in Cell::all() {
            let (r, c) = (self.rows[cell.row()], self.columns[cell.column()]);
            let from = if self.transposed {
                Cell::at(c, r)
            } else {
                Cell::at(r, c)
            };
            let digit = puzzle.get(from).map(|d| self.digits[d.index()]);
            image.set(cell, digit.and_then(Digit::new));
        }
        image
    }
}

fn order<const N: usize>() -> impl Strategy<Value = Vec<usize>> {
    Just((0..N).collect::<Vec<_>>()).prop_shuffle()
}

/// An order of nine lines that keeps bands (or stacks) together.
fn lines() -> impl Strategy<Value = Vec<usize>> {
    (order::<3>(), array::uniform3(order::<3>())).prop_map(|(bands, within)| {
        let lines = bands.iter().zip(&within);
        lines
            .flat_map(|(band, order)| order.iter().map(move |line| 3 * band + line))
            .collect()
    })
}

prop_compose! {
    fn symmetry()(
        digits in Just((1..=9).collect::<Vec<u8>>()).prop_shuffle(),
        rows in lines(),
        columns in lines(),
        transposed: bool,
    ) -> Symmetry {
        Symmetry { digits, rows, columns, transposed }
    }
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
        symmetry.apply(&puzzle)
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
        let mut puzzle = symmetry.apply(&example(i).0);
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
        let limit = up_to(500);
        for (who, mut solver) in solvers() {
            let count = solver.solve(&puzzle, limit).count;
            prop_assert_eq!(solver.solve(&by.apply(&puzzle), limit).count, count, "{}", who);
        }
    }
}

#[test]
fn worked_examples() {
    for (who, mut solver) in solvers() {
        for i in 0..EXAMPLES.len() {
            let (puzzle, solution) = example(i);
            let outcome = solver.solve(&puzzle, Limit::Unique);
            assert_eq!(
                outcome,
                Outcome {
                    count: 1,
                    solution: Some(solution)
                },
                "{who}"
            );
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
            let outcome = solver.solve(&puzzle, up_to(1000));
            assert_right(&who, &puzzle, &outcome, 0);
        }
    }
}

#[test]
fn limits_are_kept() {
    for (who, mut solver) in solvers() {
        for limit in [1, 2, 3, 64, 513, 1000] {
            let outcome = solver.solve(&Puzzle::EMPTY, up_to(limit));
            assert_right(&who, &Puzzle::EMPTY, &outcome, limit);
        }
        // A full grid has one solution, itself.
        let (_, grid) = example(0);
        let outcome = solver.solve(&grid.into(), up_to(9));
        assert_eq!(
            outcome,
            Outcome {
                count: 1,
                solution: Some(grid)
            },
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
            let outcomes = solver.solve_batch(&puzzles, up_to(5));
            assert_eq!(outcomes.len(), length);
            for (i, outcome) in outcomes.iter().enumerate() {
                assert_right(
                    &format!("{who}, {i} of {length}"),
                    &kind(i).0,
                    outcome,
                    kind(i).1,
                );
            }
        }
    }
}

#[test]
fn any_low_four_bits_but_a_digit_are_a_blank() {
    let (puzzle, solution) = example(0);
    for (who, mut solver) in solvers() {
        for blank in *b".0*_-? \x0a\x0f" {
            let cells = puzzle.as_ascii().map(|c| if c == b'.' { blank } else { c });
            let (mut lines, mut counts) = ([[0; 82]], [7]);
            solver.solve_lines(&[&cells], Limit::Unique, &mut lines, &mut counts);
            assert_eq!(counts, [1], "{who}: {blank:?}");
            assert_eq!(lines[0], *format!("{solution}\n").as_bytes(), "{who}");
        }
    }
}

#[test]
fn a_puzzle_without_a_solution_gets_a_line_of_points() {
    let cells = *clues(&[(0, 0, 1), (0, 1, 1)]).as_ascii();
    for (who, mut solver) in solvers() {
        let (mut lines, mut counts) = ([[0; 82]], [7]);
        solver.solve_lines(&[&cells], Limit::First, &mut lines, &mut counts);
        assert_eq!(
            (counts, lines),
            ([0], [sudoku_batch::solve::NO_SOLUTION]),
            "{who}"
        );
    }
}
