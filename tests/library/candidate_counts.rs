//! The numbers of solutions with each candidate, against a search that shares no code with the engines.

use crate::support::{brute_force, cases, data, random_words::Words};
use sudoku_batch::{
    Candidates, Cell, Digit, Puzzle, Solver,
    format::Records,
    grid::AnyPuzzle,
    questions::{CANDIDATE_COUNTS, Data, RowTexts, Status},
};

/// The answer to a record: its status, its numbers and their text.
type Found = (Status, Vec<i16>, String);

fn ask(records: &Records, limit: usize) -> Vec<Found> {
    let limit = limit.to_string();
    let mut question = CANDIDATE_COUNTS.with([("limit", &limit[..])]).unwrap();
    let answer = question.ask(records);
    let Data::CandidateCounts { numbers, .. } = answer.column(0) else {
        unreachable!("the kind of the column");
    };
    let mut texts = RowTexts::default();
    let mut text = |row| {
        answer.write_row(row, &mut texts);
        String::from_utf8(answer.value(row, row, 0, &texts).to_vec()).unwrap()
    };
    (0..records.len())
        .map(|row| (answer.statuses[row], numbers[row].to_vec(), text(row)))
        .collect()
}

/// The numbers that a text says. `more` stands for a number with a plus sign.
fn read(text: &str, more: usize) -> Vec<i16> {
    let mut numbers = vec![0; 729];
    assert_eq!(text.split(' ').count(), 81, "{text}");
    for (cell, word) in text.split(' ').enumerate().filter(|(_, word)| *word != "-") {
        for part in word.split('/') {
            let (digit, count) = part.split_once(':').unwrap();
            let digit: usize = digit.parse().unwrap();
            let number = match count.strip_suffix('+') {
                Some(limit) => {
                    assert_eq!(limit.parse(), Ok(more - 1), "{text}");
                    more
                }
                None => count.parse().unwrap(),
            };
            assert!(number > 0 && numbers[9 * cell + digit - 1] == 0, "{text}");
            numbers[9 * cell + digit - 1] = number as i16;
        }
    }
    numbers
}

/// Boards with no solution, with one, with a few and with many: of a puzzle by turns as it is, with digits of its
/// solution, with a wrong digit too, and with fewer clues.
fn boards(wanted: usize) -> Vec<AnyPuzzle> {
    let puzzles = [data::puzzles("minimal"), data::puzzles("hard")].concat();
    let mut words = Words::new(20261129);
    let mut solver = Solver::new();
    let mut boards = Vec::new();
    while boards.len() < wanted {
        let number = boards.len();
        let mut board = puzzles[words.below(puzzles.len())];
        let solution = solver.solve_unique(&board).unwrap();
        let mut cell = || Cell::new(words.below(81)).unwrap();
        let (moves, fewer) = match number % 6 {
            0 => (0, 0),
            1 => (20, 0),
            2 => (9, 1),
            3 => (30, 9),
            4 => (12, 3),
            // They have so many solutions that the search takes a tenth of a second for one.
            _ if number % 24 == 5 => (0, 6),
            _ => (20, 6),
        };
        for _ in 0..moves {
            let cell = cell();
            board.set(cell, Some(solution.get(cell)));
        }
        for _ in 0..fewer {
            let clues: Vec<_> = Cell::all()
                .filter(|cell| board.get(*cell).is_some())
                .collect();
            board.set(clues[cell().index() % clues.len()], None);
        }
        if number % 6 == 2 {
            // A digit that no clue forbids, and that is wrong.
            let right = |cell: &Cell| solution.get(*cell);
            let wrong = Cell::all()
                .filter(|cell| board.get(*cell).is_none())
                .find_map(|cell| {
                    let mut digits = board.candidates(cell).iter();
                    digits
                        .find(|digit| *digit != right(&cell))
                        .map(|digit| (cell, digit))
                });
            let (cell, digit) = wrong.unwrap();
            board.set(cell, Some(digit));
        }
        if number % 4 != 3 {
            boards.push(AnyPuzzle::from(board));
            continue;
        }
        // Some of the candidates that are wrong in the solution are struck.
        let mut candidates = Candidates::from(board);
        for _ in 0..40 {
            let cell = Cell::new(words.below(81)).unwrap();
            let digit = Digit::new(words.below(9) as u8 + 1).unwrap();
            if solution.get(cell) != digit && candidates.get(cell).len() > 1 {
                candidates.strike(cell, digit);
            }
        }
        boards.push(AnyPuzzle::from(candidates));
    }
    boards
}

/// Malformed records stand between the boards: neither answers for the other. A record alone has the answer that
/// it has among others. More boards find rarer numbers.
#[test]
fn counts_are_those_of_all_solutions() {
    let boards = boards(cases(200));
    let mut records = Records::default();
    let mut of_boards = Vec::new();
    for (number, board) in boards.iter().enumerate() {
        if number % 5 == 1 {
            let error = "no board".parse::<Puzzle>().unwrap_err();
            records.push_error(records.len() as u64 + 1, error, b"no board");
        }
        of_boards.push(records.len());
        records.push_puzzle(records.len() as u64 + 1, board, b"");
    }
    let mut seen = [0; Status::ALL.len()];
    let (mut exact, mut at_limit, mut over) = (0, 0, 0);
    let limits = [1, 2, 7, 100];
    let all: Vec<_> = limits.iter().map(|limit| ask(&records, *limit)).collect();
    for (number, (board, &row)) in boards.iter().zip(&of_boards).enumerate() {
        // To list a hundred solutions with each candidate takes the search long.
        let most = if number % 40 == 5 { 101 } else { 8 };
        let (counts, are_exact) = brute_force::candidate_counts(&board.candidates(), most);
        for (limit, found) in limits.into_iter().zip(&all) {
            if limit >= most && !are_exact {
                continue;
            }
            let (status, numbers, text) = &found[row];
            let expected = counts.iter().map(|count| *count.min(&(limit + 1)) as i16);
            assert_eq!(*numbers, expected.collect::<Vec<_>>(), "{limit} {board}");
            assert_eq!(read(text, limit + 1), *numbers, "{limit} {board}");
            let most = numbers.iter().max();
            seen[*status as usize] += usize::from(limit == 7);
            exact += usize::from(most.is_some_and(|most| (2..limit as i16).contains(most)));
            at_limit += usize::from(numbers.contains(&(limit as i16)));
            over += usize::from(numbers.contains(&(limit as i16 + 1)));
        }
        if number % 10 == 0 {
            let mut alone = Records::default();
            alone.push_puzzle(1, board, b"");
            assert_eq!(ask(&alone, 7)[0], all[2][row], "{board}");
        }
    }
    for found in &all {
        let others = (0..records.len()).filter(|row| of_boards.binary_search(row).is_err());
        for row in others {
            assert_eq!(
                found[row],
                (Status::Malformed, vec![-1; 729], String::new())
            );
        }
    }
    let of = |status: Status| seen[status as usize];
    let kinds = [Status::Unique, Status::Multiple, Status::NoSolution].map(of);
    assert!(kinds.iter().all(|&kind| kind > 20), "{kinds:?}");
    assert!(
        exact > 20 && at_limit > 20 && over > 20,
        "{exact} {at_limit} {over}"
    );
}

/// Each candidate of the empty grid has more solutions than any limit, and a limit has its end at the numbers that
/// 16 bits hold.
#[test]
fn a_limit_has_an_end() {
    let swapped =
        "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642";
    let mut records = Records::default();
    records.push_puzzle(1, &AnyPuzzle::from(Puzzle::EMPTY), b"");
    records.push_puzzle(2, &AnyPuzzle::from(swapped.parse::<Puzzle>().unwrap()), b"");
    assert!(ask(&records, 3)[0].1.iter().all(|&number| number == 4));
    let mut two = Records::default();
    two.push_puzzle(1, &AnyPuzzle::from(swapped.parse::<Puzzle>().unwrap()), b"");
    let [(status, numbers, text)] = &ask(&two, 1 << 40)[..] else {
        unreachable!("a record");
    };
    assert_eq!(*status, Status::Multiple);
    assert_eq!(numbers[..9], [1, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert!(text.starts_with("1:1/2:1 1:1/2:1 3:2 4:2 "), "{text}");
    let error = CANDIDATE_COUNTS.with([("limit", "0")]).unwrap_err();
    assert_eq!(error.setting, "limit");
}
