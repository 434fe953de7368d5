//! Traces: the steps are those of `technique::steps`, and the text replays by rules in words.

use crate::support::one_of;
use std::path::PathBuf;
use sudoku_batch::{
    Cell, Puzzle,
    format::Records,
    questions::{Answer, Data, TRACE, TRACE_STEPS},
    solve::guesses,
    technique::{self, Rating},
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

/// The text of a column in a row.
fn text(answer: &Answer<'_>, row: usize, column: usize) -> String {
    let mut text = Vec::new();
    answer.push_text(0, row, column, &mut text);
    String::from_utf8(text).unwrap()
}

/// Every step of `TRACE_STEPS` has the technique, rating, pattern, place and strikes of the step of
/// `technique::steps`, with each bound of the rating.
fn compare(puzzles: impl Iterator<Item = Puzzle>, up_to: Rating) {
    let up_to_text = up_to.to_string();
    let settings = || [("up-to", &*up_to_text)];
    let mut whole = TRACE.with(settings()).unwrap();
    let mut asked = TRACE_STEPS.with(settings()).unwrap();
    let names: Vec<_> = asked.columns.iter().map(|column| column.name).collect();
    let columns = [
        "cell",
        "digit",
        "technique",
        "rating",
        "cells",
        "digits",
        "strikes",
    ];
    let columns = columns.map(|name| names.iter().position(|known| *known == name).unwrap());
    for puzzle in puzzles {
        let mut records = Records::default();
        records.push_cells(1, puzzle.as_ascii()).unwrap();
        let mut steps = technique::steps(&puzzle).with_max_rating(up_to);
        let expected = steps.by_ref().map(|step| {
            let join = |texts: Vec<String>| texts.join(" ");
            let (place, strikes) = (step.place, step.strikes.iter());
            [
                place.map_or(String::new(), |place| place.cell.to_string()),
                place.map_or(String::new(), |place| place.digit.to_string()),
                step.technique.name().into(),
                step.rating().to_string(),
                join(step.cells.iter().map(Cell::to_string).collect()),
                step.digits.to_string(),
                join(strikes.map(|s| format!("{}-{}", s.cell, s.digit)).collect()),
            ]
        });
        let expected: Vec<_> = expected.collect();
        let answer = asked.ask(&records);
        let rows = answer.entries().map(|(_, places)| places.len()).sum();
        let found: Vec<_> = (0..rows)
            .map(|row| columns.map(|column| text(&answer, row, column)))
            .collect();
        assert_eq!(found, expected, "{puzzle} up to {up_to}");
        let answer = whole.ask(&records);
        let Data::Ratings(ratings) = answer.column(1) else {
            unreachable!()
        };
        let is_filled = steps.position().is_filled();
        assert_eq!(ratings[0].is_some(), is_filled, "{puzzle}");
        if up_to == Rating::HARDEST {
            assert_eq!(ratings[0], technique::rate(&puzzle).unwrap().er, "{puzzle}");
        }
    }
}

/// These have every band of ratings. More of them find a step that is seldom told wrong.
#[test]
fn steps_are_those_of_explain() {
    let mut bands = [0; 12];
    for puzzle in puzzles().step_by(one_of(5)) {
        let er = technique::rate(&puzzle).unwrap().er.unwrap();
        bands[usize::from(er.tenths() / 10)] += 1;
    }
    assert!(bands[1..=9].iter().all(|&n| n > 0), "{bands:?}");
    compare(puzzles().step_by(one_of(5)), Rating::HARDEST);
}

/// More of them find a bound that is seldom heeded.
#[test]
fn steps_end_at_the_bound() {
    for tenths in [
        0, 10, 12, 14, 15, 17, 20, 23, 25, 26, 28, 30, 34, 38, 42, 44, 45, 62, 70,
    ] {
        compare(puzzles().step_by(one_of(10)), Rating::from_tenths(tenths));
    }
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
        let puzzles = text.lines().step_by(5).map(|line| line[..81].parse());
        compare(puzzles.map(Result::unwrap), Rating::IN_PLANES);
        println!("{name}");
    }
}

#[test]
fn a_proof_takes_the_guesses_of_the_reference_search() {
    let search = |puzzle: &Puzzle, proof: &str, most: u64| {
        let most = most.to_string();
        let settings = [("search", "true"), ("proof", proof), ("max-guesses", &most)];
        let settings = settings.into_iter().chain([("pairs", "true")]);
        let mut records = Records::default();
        records.push_cells(1, puzzle.as_ascii()).unwrap();
        let answer = TRACE.with(settings).unwrap().ask(&records);
        let (Data::Numbers(guesses), Data::Pairs(pairs)) = (answer.column(1), answer.column(2))
        else {
            unreachable!()
        };
        guesses[0].zip(pairs[0].clone())
    };
    for puzzle in puzzles() {
        let number = guesses(&puzzle, u64::MAX).unwrap();
        let (all, pairs) = search(&puzzle, "true", number).unwrap();
        assert_eq!(all, number, "{puzzle}");
        let (some, first) = search(&puzzle, "false", number).unwrap();
        assert!(some <= number && first == pairs);
        assert!(number == 0 || search(&puzzle, "true", number - 1).is_none());
    }
}
