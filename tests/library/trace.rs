//! Traces: the steps are those of `technique::steps`, and the text replays by rules in words.

use crate::support::one_of;
use std::path::PathBuf;
use sudoku_batch::{
    Cell, Digit, Level, Puzzle,
    grid::Candidate,
    solve::guesses,
    technique::{self, Rating},
    trace::{Extras, Tracer},
};

/// Puzzles with ER, EP and ED.
const RATED: [&str; 2] = [
    include_str!("../support/rated.txt"),
    include_str!("../support/rated_chains.txt"),
];

fn puzzles() -> impl Iterator<Item = Puzzle> {
    let lines = RATED.into_iter().flat_map(str::lines);
    lines.filter_map(|line| line.get(..81)?.parse().ok())
}

/// Every step of `trace` has the technique, rating, pattern, place and strikes of the step of
/// `technique::steps`, with each bound of the rating.
fn compare(puzzle: &Puzzle, tracer: &mut Tracer, up_to: Rating) {
    let trace = tracer.trace(puzzle);
    let mut steps = technique::steps(puzzle).with_max_rating(up_to);
    let expected = steps.by_ref().map(|step| {
        let join = |texts: Vec<String>| texts.join(" ").into_bytes();
        let strikes = step.strikes.iter();
        (
            step.place,
            step.technique.name(),
            step.rating(),
            join(step.cells.iter().map(Cell::to_string).collect()),
            step.digits.to_string().into_bytes(),
            join(strikes.map(|s| format!("{}-{}", s.cell, s.digit)).collect()),
        )
    });
    let expected: Vec<_> = expected.collect();
    let mut found = Vec::new();
    trace.rows(Extras::default(), |row| {
        let place = row.cell.zip(row.digit).map(|(cell, digit)| Candidate {
            cell,
            digit: Digit::new(digit).unwrap(),
        });
        let rating = row.rating.unwrap();
        let texts = [row.cells, row.digits, row.strikes].map(<[u8]>::to_vec);
        let [cells, digits, strikes] = texts;
        found.push((place, row.technique, rating, cells, digits, strikes));
    });
    assert_eq!(found, expected, "{puzzle} up to {up_to}");
    assert_eq!(trace.is_filled(), steps.position().is_filled(), "{puzzle}");
}

#[test]
fn steps_are_those_of_explain() {
    let mut tracer = Tracer::new();
    let mut bands = [0; 12];
    for puzzle in puzzles().step_by(one_of(2)) {
        let er = technique::rate(&puzzle).unwrap().er.unwrap();
        bands[usize::from(er.tenths() / 10)] += 1;
        compare(&puzzle, &mut tracer, Rating::HARDEST);
        assert_eq!(tracer.trace(&puzzle).rating(), Some(er));
    }
    assert!(bands[1..=9].iter().all(|&n| n > 0), "{bands:?}");
}

#[test]
fn steps_end_at_the_bound() {
    for tenths in [
        0, 10, 12, 14, 15, 17, 20, 23, 25, 26, 28, 30, 34, 38, 42, 44, 45, 62, 70,
    ] {
        let up_to = Rating::from_tenths(tenths);
        let mut tracer = Tracer::new().with_max_rating(up_to);
        for puzzle in puzzles().step_by(5) {
            compare(&puzzle, &mut tracer, up_to);
        }
    }
}

#[test]
fn all_levels_give_the_same_steps() {
    let of = |level| {
        let mut tracer = Tracer::with_level(level).unwrap();
        let mut text = Vec::new();
        for puzzle in puzzles().step_by(3) {
            tracer
                .trace(&puzzle)
                .write_json(Extras::default(), &mut text);
        }
        text
    };
    let best = of(Level::detect());
    assert!(Level::available().all(|level| of(level) == best));
}

/// Every fifth puzzle of four corpora, up to 4.4, where every technique has its turn.
///
///     CORPORA=/path/to/corpora cargo test --release --test library trace::steps_of_corpora -- --ignored
#[test]
#[ignore = "needs corpora that are not part of the project; name their folder in CORPORA"]
fn steps_of_corpora_are_those_of_explain() {
    let folder = PathBuf::from(std::env::var_os("CORPORA").expect("CORPORA names a folder"));
    for name in [
        "17-clue.txt",
        "minimal-50k.txt",
        "easy-100k.txt",
        "magictour-top1465.txt",
    ] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let mut tracer = Tracer::new().with_max_rating(Rating::IN_PLANES);
        for line in text.lines().step_by(5) {
            let puzzle: Puzzle = line[..81].parse().unwrap();
            compare(&puzzle, &mut tracer, Rating::IN_PLANES);
        }
        println!("{name}");
    }
}

#[test]
fn a_proof_takes_the_guesses_of_the_reference_search() {
    let mut tracer = Tracer::new();
    for puzzle in puzzles() {
        let number = guesses(&puzzle, u64::MAX).unwrap();
        let whole = tracer.search(&puzzle, true, number).unwrap();
        assert_eq!(whole.guesses(), number, "{puzzle}");
        let pairs = whole.pairs();
        let first = tracer.search(&puzzle, false, number).unwrap();
        assert!(first.guesses() <= number && first.pairs() == pairs);
        assert!(number == 0 || tracer.search(&puzzle, true, number - 1).is_none());
    }
}
