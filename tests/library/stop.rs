//! Work that is stopped: it asks often, ends at the first answer, and has no answer then.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};
use sudoku_batch::{
    Engine, Puzzle, Solver,
    format::Records,
    questions::{
        AUGMENT, CANONICAL, CHECK, COUNT, DEDUP, EXPLAIN, MadeSet, PuzzlesSettings, RATE,
        SOLUTIONS, SOLVE, STATS, TRACE,
    },
    solve,
    stop::Stop,
    technique::Rating,
};

/// The first of `data/worst.txt`: the reference search takes 92,455 guesses, and none up to 2 solutions.
const WORST: &str =
    ".8.9......5......1...1......1.8.........463...............8..5.9.....6....4...9..";

/// The first of `data/hard.txt`.
const HARD: &str =
    "......2....9.....65.29....3..87..9..4......2.....6......412..9......6....7.54.1..";

/// An ER of 11.8.
const MONSTER: &str =
    "........1.....2.34.35...6...72......65...78..8.3.257.6.8653....3.72.6...52..78.6.";

/// This number of records of these cells.
fn records(cells: &str, count: u64) -> Records {
    let mut records = Records::default();
    for number in 1..=count {
        let cells = cells.as_bytes().try_into().unwrap();
        records.push_cells(number, cells).unwrap();
    }
    records
}

/// A stop that is over when it is asked for the n-th time, and how often it was asked.
fn over_at(n: u64) -> (Stop, Arc<AtomicU64>) {
    let asked = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&asked);
    let stop = Stop::when(move || counter.fetch_add(1, Relaxed) + 1 >= n);
    (stop, asked)
}

/// A name, how often the work asks at least, and the work.
type LongWork = (&'static str, u64, Box<dyn FnOnce()>);

/// Work that takes seconds to hours.
fn long_work() -> Vec<LongWork> {
    let blank = ".".repeat(81);
    let of_blanks = |count| records(&blank, count);
    let puzzle: Puzzle = WORST.parse().unwrap();
    let made = |settings: PuzzlesSettings, count: u64| -> Box<dyn FnOnce()> {
        let set = settings.set().unwrap();
        Box::new(move || _ = set.make(0..count))
    };
    let hard = PuzzlesSettings {
        rating: Some(Rating::from_tenths(95)..=Rating::HARDEST),
        ..PuzzlesSettings::default()
    };
    let naked_singles = PuzzlesSettings {
        clues: Some(36..=36),
        naked_singles: true,
        ..PuzzlesSettings::default()
    };
    let solver = |engine| Solver::new().with_engine(engine);
    let many_blanks = of_blanks(1000);
    vec![
        // One record alone asks so often.
        (
            "rate",
            500,
            Box::new(|| _ = RATE.with([]).unwrap().ask(&records(MONSTER, 1))),
        ),
        (
            "rate with steps",
            500,
            Box::new(|| _ = EXPLAIN.with([]).unwrap().ask(&records(MONSTER, 1))),
        ),
        (
            "trace",
            500,
            Box::new(|| _ = TRACE.with([]).unwrap().ask(&records(MONSTER, 1))),
        ),
        (
            "guesses",
            300,
            Box::new(move || _ = solve::guesses(&puzzle, u64::MAX)),
        ),
        (
            "solutions",
            500,
            Box::new(|| {
                let mut asked = SOLUTIONS.with([("limit", "0")]).unwrap();
                asked.ask(&records(&".".repeat(81), 1));
            }),
        ),
        // Of many records nearly each asks.
        (
            "give up",
            900,
            Box::new(move || {
                let most = u64::MAX.to_string();
                let mut question = SOLVE.with([("max-guesses", &most[..])]).unwrap();
                _ = question.ask(&many_blanks);
            }),
        ),
        (
            "trace a search",
            900,
            Box::new(|| {
                let most = u64::MAX.to_string();
                let settings = [
                    ("search", "true"),
                    ("proof", "true"),
                    ("max-guesses", &most),
                ];
                _ = TRACE.with(settings).unwrap().ask(&records(HARD, 1000));
            }),
        ),
        (
            "canonical",
            900,
            Box::new(|| _ = CANONICAL.with([]).unwrap().ask(&records(HARD, 1000))),
        ),
        (
            "compare",
            900,
            Box::new(|| {
                _ = DEDUP.with([]).unwrap().ask(&records(HARD, 1000));
            }),
        ),
        (
            "augment",
            900,
            Box::new(|| {
                let mut question = AUGMENT.with([("copies", "100")]).unwrap();
                _ = question.ask(&records(HARD, 1000));
            }),
        ),
        // Hundreds of puzzles at a time ask once in a while.
        (
            "solve",
            30,
            Box::new(|| _ = SOLVE.with([]).unwrap().ask(&records(WORST, 20_000))),
        ),
        (
            "check",
            30,
            Box::new(|| {
                let mut asked = CHECK.with([("minimal", "true")]).unwrap();
                _ = asked.ask(&records(HARD, 2000));
            }),
        ),
        (
            "stats",
            30,
            Box::new(|| _ = STATS.with([]).unwrap().ask(&records(HARD, 20_000))),
        ),
        (
            "sliced",
            30,
            Box::new(move || _ = solver(Engine::Sliced).count_batch(&[puzzle; 20_000], 2)),
        ),
        (
            "scalar",
            30,
            Box::new(move || _ = solver(Engine::Scalar).count_batch(&[puzzle; 20_000], 2)),
        ),
        ("puzzles", 30, made(PuzzlesSettings::default(), 20_000)),
        ("puzzles of naked singles", 30, made(naked_singles, 20_000)),
        ("puzzles of a rating", 30, made(hard, 64)),
    ]
}

/// It ends the first time that it hears so, and never asks again.
#[test]
fn long_work_asks_often_and_ends_at_once() {
    for (name, asks, work) in long_work() {
        let (stop, asked) = over_at(asks);
        assert_eq!(stop.run(work), None, "{name}");
        assert_eq!(asked.load(Relaxed), asks, "{name}");
    }
}

/// Threads that share a search hear it too.
#[test]
fn all_threads_of_a_team_end() {
    for threads in [2, 5] {
        let mut question = RATE.with([]).unwrap();
        question.share(threads);
        let (stop, asked) = over_at(300);
        let rated = stop.run(|| _ = question.ask(&records(MONSTER, 1)));
        assert_eq!(rated, None);
        // Each asks once more at most.
        let asked = asked.load(Relaxed);
        assert!((300..=300 + threads as u64).contains(&asked), "{asked}");
    }
}

#[test]
fn all_threads_of_a_count_end() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3);
    let (stop, _) = over_at(300);
    let counted = pool.build().unwrap().install(|| {
        let mut asked = COUNT.with([("limit", "0")]).unwrap();
        stop.run(|| _ = asked.ask(&records(&".".repeat(81), 1)))
    });
    assert_eq!(counted, None);
}

#[test]
fn what_is_not_stopped_has_its_answer() {
    let (stop, asked) = over_at(u64::MAX);
    let records = records(HARD, 3);
    let rate = || format!("{:?}", RATE.with([]).unwrap().ask(&records));
    assert_eq!(stop.run(rate), Some(rate()));
    assert!(asked.load(Relaxed) > 0);
    // Outside of `run` nobody asks.
    let before = asked.load(Relaxed);
    rate();
    assert_eq!(asked.load(Relaxed), before);
}

#[test]
fn the_innermost_stop_counts() {
    let (never, _) = over_at(u64::MAX);
    let (at_once, _) = over_at(1);
    let work = || Solver::new().count(&WORST.parse::<sudoku_batch::Puzzle>().unwrap(), 2);
    let inside = |stop: &Stop| stop.run(work);
    assert_eq!(at_once.run(|| inside(&never)), Some(Some(0)));
    assert_eq!(never.run(|| inside(&at_once)), Some(None));
    assert_eq!(
        at_once.run(|| {
            _ = inside(&never);
            work()
        }),
        None
    );
}

#[test]
fn a_panic_is_no_stop() {
    let (never, _) = over_at(u64::MAX);
    let work = AssertUnwindSafe(|| never.run(|| assert_eq!(1 + 1, 3, "a wrong sum")));
    let panicked = catch_unwind(work);
    let message = panicked.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("a wrong sum"), "{message}");
}
