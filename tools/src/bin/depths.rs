//! Compares the depths of trial and error of a file, one puzzle and its depth to a line, with those that the
//! library finds: `depths FILE [LEVEL]`. Lines without a depth are counted.

use std::{env, fs, time::Instant};
use sudoku_batch::{Level, Puzzle, technique::Rater};

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
    let mut rater = Rater::with_level(level).expect("the CPU has it");
    let start = Instant::now();
    let depths: Vec<_> = puzzles
        .chunks(10_240)
        .flat_map(|chunk| rater.trial_depths(chunk))
        .collect();
    let time = start.elapsed();
    let mut counts = std::collections::BTreeMap::new();
    let mut differ = 0;
    for ((puzzle, depth), wanted) in puzzles.iter().zip(depths).zip(wanted) {
        let depth = depth.map_or_else(|error| error.to_string(), |depth| depth.to_string());
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
