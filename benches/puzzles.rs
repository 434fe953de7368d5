//! Puzzles a second of each kind: `cargo bench -p sudoku-batch-benches --bench puzzles`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use sudoku_batch::{
    generate::Grids,
    puzzle::Symmetry,
    questions::{Answer, MadeSet, PuzzlesSettings},
    technique::Difficulty,
};

/// The number that a thread of `sudoku-batch puzzles` makes at a time.
const AT_ONCE: u64 = 8192;

fn puzzles(criterion: &mut Criterion) {
    let minimal = PuzzlesSettings::default;
    let clues = |clues| PuzzlesSettings {
        clues: Some(clues..=clues),
        ..minimal()
    };
    let difficulty = |difficulty| PuzzlesSettings {
        difficulty: Some(difficulty),
        ..minimal()
    };
    let mut group = criterion.benchmark_group("puzzles");
    group.throughput(Throughput::Elements(AT_ONCE));
    group.sample_size(10);
    for (name, settings) in [
        ("minimal", minimal()),
        ("45 blanks", clues(36)),
        (
            "32 clues, rotate180",
            PuzzlesSettings {
                symmetry: Symmetry::Rotate180,
                ..clues(32)
            },
        ),
        ("easy", difficulty(Difficulty::Easy)),
        ("medium", difficulty(Difficulty::Medium)),
        ("hard", difficulty(Difficulty::Hard)),
        ("expert", difficulty(Difficulty::Expert)),
    ] {
        let set = settings.set().expect("a symmetry can have this number");
        let set = set.with_grids(Grids::uniform(0)).expect("samples");
        let columns = set.columns();
        let mut answer = Answer::of(&columns);
        // No rating is computed that the maker does not need.
        answer.leave_out(|column| columns[column].name != "puzzle");
        let mut make = set.worker();
        let mut start = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                answer.begin(AT_ONCE as usize);
                make(start..start + AT_ONCE, &mut answer);
                start += AT_ONCE;
                black_box(&answer);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, puzzles);
criterion_main!(benches);
