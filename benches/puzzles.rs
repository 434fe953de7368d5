//! Puzzles a second of each kind: `cargo bench -p sudoku-batch-benches --bench puzzles`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use sudoku_batch::{
    Solver,
    generate::{Grids, Uniform},
    puzzle::{Maker, Recipe, Symmetry},
    technique::Difficulty,
};

/// The number that a thread of `sudoku-batch puzzles` makes at a time.
const AT_ONCE: u64 = 8192;

fn puzzles(criterion: &mut Criterion) {
    let clues = |clues| Recipe::clues(clues..=clues).expect("a number of clues");
    let mut group = criterion.benchmark_group("puzzles");
    group.throughput(Throughput::Elements(AT_ONCE));
    group.sample_size(10);
    for (name, recipe) in [
        ("minimal", Ok(Recipe::minimal())),
        ("45 blanks", Ok(clues(36))),
        (
            "32 clues, rotate180",
            clues(32).with_symmetry(Symmetry::Rotate180),
        ),
        ("easy", Ok(Recipe::difficulty(Difficulty::Easy))),
        ("medium", Ok(Recipe::difficulty(Difficulty::Medium))),
        ("hard", Ok(Recipe::difficulty(Difficulty::Hard))),
        ("expert", Ok(Recipe::difficulty(Difficulty::Expert))),
    ] {
        let grids = Grids::Uniform(Uniform::seeded(0));
        let recipe = recipe.expect("a symmetry can have this number");
        let mut maker = Maker::new(Solver::new(), grids, 0, recipe).expect("17 clues or more");
        let mut made = vec![None; AT_ONCE as usize];
        let mut start = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                maker.make_batch(start, &mut made);
                start += AT_ONCE;
                black_box(&made);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, puzzles);
criterion_main!(benches);
