//! Compares the depths of trial and error of a file, one puzzle and its depth to a line, with those that the
//! library finds: `depths FILE [LEVEL]`. Lines without a depth are counted.

use std::{env, fs, time::Instant};
use sudoku_batch::{
    Level, Puzzle,
    questions::{Data, Question, RateSettings},
    technique::{Rating, TrialDepth},
};

fn main() {
    let mut arguments = env::args().skip(1);
    let text = fs::read_to_string(arguments.next().expect("a file")).expect("it can be read");
    let level = arguments
        .next()
        .map_or(Level::detect(), |level| level.parse().expect("a level"));
    let (mut puzzles, mut wanted) = (Vec::<Puzzle>::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split([' ', ',', '\t']).filter(|word| !word.is_empty());
        let Some(Ok(puzzle)) = words.next().map(str::parse) else {
            continue;
        };
        puzzles.push(puzzle);
        wanted.push(words.next().map(str::to_owned));
    }
    let settings = RateSettings {
        up_to: Rating::NONE,
        te: true,
        level: Some(level),
        ..RateSettings::default()
    };
    let mut question = Question::new(settings).expect("the CPU has the level");
    let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
    let start = Instant::now();
    let depths = cells.chunks(10_240).flat_map(|chunk| {
        let answer = question.ask_cells(chunk);
        let Data::Names(places) = answer.named("te") else {
            unreachable!("the column has names")
        };
        let depths = places.iter().zip(&answer.statuses);
        let name = |(place, status): (&u8, _)| match TrialDepth::ALL.get(usize::from(*place)) {
            Some(depth) => depth.to_string(),
            None => format!("{status}"),
        };
        depths.map(name).collect::<Vec<_>>()
    });
    let depths: Vec<_> = depths.collect();
    let time = start.elapsed();
    let mut counts = std::collections::BTreeMap::new();
    let mut differ = 0;
    for ((puzzle, depth), wanted) in puzzles.iter().zip(depths).zip(wanted) {
        if let Some(wanted) = wanted.filter(|wanted| *wanted != depth) {
            differ += 1;
            if differ < 10 {
                println!("{puzzle} {depth}, not {wanted}");
            }
        }
        *counts.entry(depth).or_insert(0) += 1;
    }
    println!(
        "{counts:?}, {differ} differ, {time:?}, {:.0}/s",
        puzzles.len() as f64 / time.as_secs_f64()
    );
}
