//! The numbers of `features`, against plain counts and rules.

use crate::support::{brute_force, cases, data, random_words::Words, reference};
use sudoku_batch::{
    Candidates, Cell, Puzzle, Solver,
    format::Records,
    grid::AnyPuzzle,
    questions::{Answer, Data, FEATURES, Status},
};

/// The value of a column.
fn value(answer: &Answer<'_>, name: &str, row: usize) -> Option<u64> {
    let at = FEATURES
        .columns
        .iter()
        .position(|column| column.name == name);
    match answer.column(at.unwrap_or_else(|| panic!("a column {name}"))) {
        Data::Numbers(numbers) => numbers[row],
        Data::Flags(flags) => flags[row].map(u64::from),
        _ => unreachable!("a number or a flag"),
    }
}

fn ask(puzzles: &[AnyPuzzle]) -> Answer<'static> {
    let mut records = Records::default();
    for puzzle in puzzles {
        records.push_puzzle(1, puzzle, puzzle.to_string().as_bytes());
    }
    FEATURES.with([]).unwrap().ask(&records)
}

/// Puzzles of all kinds: as they are, with fewer clues, with a clue that leaves no solution, and by candidates, some of
/// which are struck.
fn boards() -> Vec<AnyPuzzle> {
    let puzzles = [data::puzzles("minimal"), data::puzzles("hard")].concat();
    let mut words = Words::new(20261129);
    let mut solver = Solver::new();
    let mut boards = vec![Puzzle::EMPTY.into()];
    for number in 0..cases(200) {
        let mut puzzle = puzzles[words.below(puzzles.len())];
        let solution = solver.solve_unique(puzzle).unwrap();
        let mut cell = || Cell::new(words.below(81)).unwrap();
        match number % 4 {
            0 => boards.push(puzzle.into()),
            1 => {
                for _ in 0..number % 20 {
                    puzzle.set(cell(), None);
                }
                boards.push(puzzle.into());
            }
            2 => {
                let (one, other) = (cell(), cell());
                puzzle.set(one, Some(solution.get(other)));
                boards.push(puzzle.into());
            }
            _ => {
                let mut candidates = Candidates::from(puzzle);
                for _ in 0..number % 30 {
                    let (one, other) = (cell(), cell());
                    let digit = solution.get(other);
                    if solution.get(one) != digit {
                        candidates.strike(one, digit);
                    }
                }
                boards.push(candidates.into());
            }
        }
    }
    boards
}

#[test]
fn clues_and_symmetries_are_those_of_plain_counts() {
    let boards = boards();
    let answer = ask(&boards);
    for (row, board) in boards.iter().enumerate() {
        let cells = board.clues().to_string().into_bytes();
        let count = |of: &dyn Fn(usize) -> bool| {
            (0..81)
                .filter(|&cell| cells[cell] != b'.' && of(cell))
                .count() as u64
        };
        let number = |name: String| value(&answer, &name, row).unwrap();
        for n in 0..9 {
            let counts = [
                ("row", count(&|cell| cell / 9 == n)),
                ("column", count(&|cell| cell % 9 == n)),
                ("box", count(&|cell| cell / 27 * 3 + cell % 9 / 3 == n)),
                ("digit", count(&|cell| cells[cell] == b'1' + n as u8)),
            ];
            for (kind, count) in counts {
                assert_eq!(
                    number(format!("{kind}_{}", n + 1)),
                    count,
                    "{board} {kind} {n}"
                );
            }
        }
        let keeps = |image: &dyn Fn(usize, usize) -> usize| {
            let has = |cell: usize| cells[cell] != b'.';
            u64::from((0..81).all(|cell| has(cell) == has(image(cell / 9, cell % 9))))
        };
        let symmetries = [
            ("rotate180", keeps(&|r, c| 9 * (8 - r) + 8 - c)),
            ("rotate90", keeps(&|r, c| 9 * c + 8 - r)),
            ("horizontal", keeps(&|r, c| 9 * (8 - r) + c)),
            ("vertical", keeps(&|r, c| 9 * r + 8 - c)),
            ("diagonal", keeps(&|r, c| 9 * c + r)),
        ];
        for (name, is_kept) in symmetries {
            assert_eq!(number(name.into()), is_kept, "{board} {name}");
        }
    }
}

/// Reference: singles, one after the other, on sets of digits.
#[test]
fn singles_lead_as_far_as_by_hand() {
    let boards = boards();
    let answer = ask(&boards);
    let mut seen = [0; 3];
    for (row, board) in boards.iter().enumerate() {
        let number = |name| value(&answer, name, row);
        let found = [number("after_singles"), number("candidates_left")];
        if !matches!(answer.statuses[row], Status::Unique | Status::Multiple) {
            assert_eq!(
                (number("after_naked_singles"), found),
                (None, [None; 2]),
                "{board}"
            );
            seen[2] += 1;
            continue;
        }
        let candidates = board.candidates();
        let expected = reference::left_by_singles(&candidates, false).unwrap();
        assert_eq!(found, expected.map(Some), "{board}");
        let naked = reference::left_by_singles(&candidates, true).unwrap()[0];
        assert_eq!(number("after_naked_singles"), Some(naked), "{board}");
        seen[usize::from(expected[0] == 81)] += 1;
    }
    assert!(seen.iter().all(|n| *n > 10), "{seen:?}");
    assert!(
        answer
            .rejects
            .iter()
            .all(|reject| reject.reason.status() != Status::Multiple)
    );
}

/// Reference: all 3,359,232 symmetries of cells.
#[test]
fn automorphisms_of_patterns_are_those_that_trying_all_finds() {
    // By row and column: boxes on the diagonal, both diagonals, a chessboard, and cells apart.
    let patterns: [fn(usize, usize) -> bool; 4] = [
        |row, column| row / 3 == column / 3,
        |row, column| row == column || row + column == 8,
        |row, column| (row + column) % 2 == 0,
        |row, column| column == 3 * (row % 3) + row / 3 && row != 2,
    ];
    // Digits do not matter.
    let of_pattern = |has: fn(usize, usize) -> bool| {
        let clue = |cell: usize| if has(cell / 9, cell % 9) { '1' } else { '.' };
        AnyPuzzle::from(
            (0..81)
                .map(clue)
                .collect::<String>()
                .parse::<Puzzle>()
                .unwrap(),
        )
    };
    let mut puzzles: Vec<_> = patterns.into_iter().map(of_pattern).collect();
    let hard = data::puzzles("hard");
    puzzles.extend(hard.iter().take(cases(1)).map(AnyPuzzle::from));
    let answer = ask(&puzzles);
    for (row, puzzle) in puzzles.iter().enumerate() {
        let cells = puzzle.clues();
        let cells: Vec<_> = Cell::all().map(|cell| cells.get(cell).is_some()).collect();
        let expected = brute_force::automorphisms_of_cells(cells.as_slice().try_into().unwrap());
        assert_eq!(
            value(&answer, "pattern_automorphisms", row),
            Some(expected),
            "{puzzle}"
        );
    }
}
