//! Batches of random mixtures: the answer to a record does not depend on its neighbours, on
//! the size of the batch, on the engine or on the level.

use super::{material, oracle};
use arbitrary::Unstructured;
use std::cell::RefCell;
use sudoku_batch::{
    Engine, Goal, Level, Puzzle,
    format::{Records, line},
    questions::{Question, SolveSettings, Status},
    solve::{NO_SOLUTION, guesses},
};

thread_local! {
    static SOLVES: RefCell<Vec<(Goal, Question)>> = RefCell::new(solves());
}

/// Both questions to each engine at each level, and to the solver that chooses.
fn solves() -> Vec<(Goal, Question)> {
    let questions = |goal| {
        let sliced = Level::available().map(|level| (Some(Engine::Sliced), Some(level)));
        let engines = sliced.chain([(Some(Engine::Scalar), None), (None, None)]);
        engines.map(move |(engine, level)| {
            let settings = SolveSettings {
                unique: goal == Goal::Unique,
                engine,
                level,
                ..SolveSettings::default()
            };
            (
                goal,
                Question::new(settings).expect("the level is available"),
            )
        })
    };
    questions(Goal::Solution)
        .chain(questions(Goal::Unique))
        .collect()
}

/// The guesses after which a puzzle is given up, where that is asked for.
const MOST_GUESSES: u64 = 3;

/// Answers a text of many records, and each of them alone.
pub fn run(data: &[u8]) {
    let text = mixture(&mut Unstructured::new(data));
    let mut records = Records::default();
    line::read(&text, &mut records);
    let expected: Vec<_> = (0..records.len()).map(|i| expected(&records, i)).collect();
    SOLVES.with_borrow_mut(|solves| {
        for (question, solve) in solves {
            let whole = answers(solve, &records);
            for (answer, expected) in whole.iter().zip(&expected) {
                expected.check(answer, *question);
            }
            check_parts(solve, &text, &whole);
        }
    });
    check_giving_up(&records);
}

/// Lines of many kinds: puzzles, most of them several times, and what is none.
fn mixture(from: &mut Unstructured<'_>) -> Vec<u8> {
    let mut text = Vec::new();
    let mut lines = 0;
    while !from.is_empty() && lines < 200 {
        let Ok(cells) = material::puzzle(from) else {
            break;
        };
        let kind = from.int_in_range(0..=40u8).unwrap_or(0);
        let mut line = cells.to_vec();
        match kind {
            0 => line.truncate(80),
            1 => line.extend(b"5"),
            2 => line.extend(b" a note"),
            3 => line[40] = b'a',
            4 => line.insert(0, b'#'),
            5 => line.clear(),
            6 => line
                .iter_mut()
                .for_each(|c| *c = if *c == b'.' { b'x' } else { *c }),
            _ => {}
        }
        line.push(b'\n');
        // Seldom so many that they need several groups of lanes.
        let times = match kind {
            40 if cells.iter().filter(|&&c| c != b'.').count() > 24 => 60,
            30..40 => 3,
            _ => 1,
        };
        for _ in 0..times {
            text.extend(&line);
            lines += 1;
        }
    }
    text
}

/// The status of a record, whether it is a reject, and its line.
type Answer = (Status, bool, [u8; 82]);

fn answers(solve: &mut Question, records: &Records) -> Vec<Answer> {
    // Every line must be overwritten.
    let mut lines = vec![[7; 82]; records.len()];
    let mut answer = solve.empty().renewed(Some(&mut lines));
    answer.begin(records.len());
    solve.fill(records, &mut answer);
    let sum: u64 = answer.counts.iter().map(|(_, n)| n).sum();
    assert_eq!(sum, records.len() as u64);
    let mut rejects = answer.rejects.iter().peekable();
    let found = answer
        .statuses
        .iter()
        .zip(answer.column(0).lines().expect("cells"))
        .enumerate();
    let found = found.map(|(record, (&status, &line))| {
        let reject = rejects.next_if(|reject| reject.record == record);
        assert!(reject.is_none_or(|reject| reject.reason.status() == status));
        (status, reject.is_some(), line)
    });
    let found = found.collect();
    assert_eq!(rejects.next(), None);
    found
}

/// The text in two parts, and its last line alone.
fn check_parts(solve: &mut Question, text: &[u8], whole: &[Answer]) {
    let ends: Vec<_> = oracle::lines(text).iter().map(|line| line.2).collect();
    let Some((_, rest)) = ends.split_last() else {
        return;
    };
    let mut cuts = vec![rest.get(rest.len() / 3).copied().unwrap_or(0)];
    cuts.push(rest.last().copied().unwrap_or(0));
    for cut in cuts {
        let mut found = Vec::new();
        for part in [&text[..cut], &text[cut..]] {
            let mut records = Records::default();
            line::read(part, &mut records);
            found.extend(answers(solve, &records));
        }
        for (number, (one, other)) in found.iter().zip(whole).enumerate() {
            assert_eq!(one, other, "record {number}, {solve:?}");
        }
        assert_eq!(found.len(), whole.len());
    }
}

/// The right answer to a record.
struct Expected {
    puzzle: Option<[u8; 81]>,
    /// The name of the status for [`Goal::Solution`], if the naive search found it.
    name: Option<&'static str>,
    smallest: Option<[u8; 81]>,
}

fn expected(records: &Records, record: usize) -> Expected {
    let Ok(puzzle) = records.puzzle_of_cells(record) else {
        let name = Some("malformed");
        return Expected {
            puzzle: None,
            name,
            smallest: None,
        };
    };
    let cells = *puzzle.as_ascii();
    let naive = oracle::solutions(&cells, 2);
    let name = match naive.found.len() {
        _ if !naive.known => None,
        0 => Some(oracle::conflict(&cells).unwrap_or("no-solution")),
        1 => Some("unique"),
        _ => Some("multiple"),
    };
    let smallest = match name {
        // Of a search that gave up, what was found first may be any.
        Some("multiple") | None => oracle::smallest(&cells),
        _ => naive.found.first().copied(),
    };
    Expected {
        puzzle: Some(cells),
        name,
        smallest,
    }
}

impl Expected {
    fn check(&self, (status, is_rejected, line): &Answer, question: Goal) {
        assert!(
            self.name.is_none_or(|name| name == status.name()),
            "{status:?}"
        );
        let several = status.name() == "multiple";
        assert!(!several || *is_rejected == (question == Goal::Unique));
        if *is_rejected {
            assert_eq!(*line, NO_SOLUTION);
            return;
        }
        let cells = line.first_chunk().expect("81 of 82");
        let puzzle = self.puzzle.expect("a malformed record has no solution");
        assert!(oracle::is_grid(cells) && oracle::fits(cells, &puzzle) && line[81] == b'\n');
        assert!(self.smallest.is_none_or(|smallest| smallest == *cells));
    }
}

/// With a limit of guesses the reference search alone decides.
fn check_giving_up(records: &Records) {
    let settings = SolveSettings {
        max_guesses: Some(MOST_GUESSES),
        ..SolveSettings::default()
    };
    let mut solve = Question::new(settings).expect("they go together");
    let found = answers(&mut solve, records);
    for (record, (status, ..)) in found.iter().enumerate() {
        let puzzle: Option<Puzzle> = records.puzzle_of_cells(record).ok();
        let gives_up = puzzle.is_some_and(|puzzle| guesses(&puzzle, MOST_GUESSES).is_none());
        assert_eq!(status.name() == "gave-up", gives_up);
    }
}
