//! The puzzles of `data/worst.txt`, on which the search takes longest.

use crate::support::{data, reference, registry::registry};
use sudoku_batch::{
    Engine, Goal, Puzzle, Solver,
    format::{Records, line},
    questions::{Question, SolveSettings, Status},
    solve::{NO_SOLUTION, gives_up, guesses},
};

/// Each puzzle with what the file tells of it: how many solutions it has (2: several), and
/// the guesses of the reference search.
fn worst() -> Vec<(Puzzle, u64, u64)> {
    let text = data::text("worst");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let words: Vec<_> = line.split_whitespace().collect();
            let number = |at: usize| words[at].parse().unwrap();
            assert_eq!((words[1], words[3]), ("#", "solutions,"), "{line}");
            assert_eq!(words[5..], ["guesses"], "{line}");
            (words[0].parse().unwrap(), number(2), number(4))
        })
        .collect()
}

fn records(puzzles: &[Puzzle]) -> Records {
    let text: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let mut records = Records::default();
    line::read(text.as_bytes(), &mut records);
    assert_eq!(records.len(), puzzles.len());
    records
}

/// The independent copy of the reference search counts as the file tells.
#[test]
fn the_file_tells_the_guesses_of_the_reference_search() {
    let worst = worst();
    assert!(worst.len() >= 30, "{}", worst.len());
    for (puzzle, _, most) in worst {
        assert_eq!(guesses(&puzzle, most), Some(most), "{puzzle}");
        // It is slow.
        if most < 1500 {
            assert_eq!(reference::guesses(&puzzle), most, "{puzzle}");
        }
    }
}

#[test]
fn engines_agree_with_the_file_and_with_the_reference_search() {
    let worst = worst();
    let puzzles: Vec<_> = worst.iter().map(|(puzzle, ..)| *puzzle).collect();
    let expected: Vec<_> = worst.iter().map(|&(_, solutions, _)| solutions).collect();
    for kind in 0..3 {
        assert!(expected.contains(&kind), "none with {kind} solutions");
    }
    for (engine, level) in registry() {
        let mut solver = Solver::with_level(level).unwrap().with_engine(engine);
        let counts = solver.count_batch(&puzzles, 2);
        assert_eq!(counts, expected, "{engine} {level}");
    }
    // Puzzles with no solution, one, several and very many.
    let counts = include_str!("../../data/counts.txt").lines();
    let counts = counts.filter(|line| !line.starts_with('#'));
    let counts = counts.map(|line| line[..81].parse().unwrap());
    let puzzles: Vec<_> = puzzles.into_iter().chain(counts).collect();
    let records = records(&puzzles);
    let answers = |unique, max_guesses| {
        let mut solve = question(SolveSettings {
            unique,
            max_guesses,
            engine: Some(Engine::Scalar),
            level: None,
        });
        let answer = solve.ask(&records);
        let lines = answer.column(0).lines().unwrap().to_vec();
        (lines, answer.statuses)
    };
    for unique in [false, true] {
        let by_engine = answers(unique, None);
        assert_eq!(by_engine, answers(unique, Some(u64::MAX)), "{unique}");
    }
}

fn question(settings: SolveSettings) -> Question {
    Question::new(settings).unwrap()
}

/// A puzzle with several solutions may need few guesses until the second and many until the
/// smallest.
#[test]
fn the_smallest_solution_may_be_given_up() {
    let puzzles: Vec<_> = worst().iter().map(|(puzzle, ..)| *puzzle).collect();
    let records = records(&puzzles);
    let mut for_the_smallest = 0;
    for most in [40, 50, 60] {
        let mut solve = question(SolveSettings {
            max_guesses: Some(most),
            ..SolveSettings::default()
        });
        let answer = solve.ask(&records);
        let lines = answer.column(0).lines().unwrap();
        for (record, puzzle) in puzzles.iter().enumerate() {
            let gave_up = answer.statuses[record] == Status::GaveUp;
            assert_eq!(gave_up, gives_up(puzzle, Goal::Solution, most));
            let over = guesses(puzzle, most).is_none();
            assert!(gave_up || !over, "{puzzle}");
            assert!(!gave_up || lines[record] == NO_SOLUTION);
            for_the_smallest += u32::from(gave_up && !over);
        }
    }
    assert!(for_the_smallest > 0);
}

/// The reference search alone decides who is given up.
#[test]
fn the_worst_are_given_up() {
    let worst = worst();
    let puzzles: Vec<_> = worst.iter().map(|(puzzle, ..)| *puzzle).collect();
    let records = records(&puzzles);
    for most in [10, 100, 1000] {
        for (engine, level) in registry() {
            let mut solve = question(SolveSettings {
                unique: true,
                max_guesses: Some(most),
                engine: Some(engine),
                level: Some(level),
            });
            let answer = solve.ask(&records);
            let mut gave_up = 0;
            for (record, (puzzle, solutions, guesses)) in worst.iter().enumerate() {
                let expected = match solutions {
                    _ if *guesses > most => Status::GaveUp,
                    0 => Status::NoSolution,
                    1 => Status::Unique,
                    _ => Status::Multiple,
                };
                assert_eq!(answer.statuses[record], expected, "{puzzle}");
                gave_up += usize::from(*guesses > most);
            }
            assert!(gave_up > 0 && gave_up < worst.len(), "{most}: {gave_up}");
        }
    }
}
