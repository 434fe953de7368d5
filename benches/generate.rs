//! The generator: grids a second in order, shuffled and uniform, ranks, canonical forms.
//!
//! ```text
//! cargo bench -p sudoku-batch-benches --bench generate
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use sudoku_batch::{Grid, generate::Grids, symmetry::CanonicalGrid};

/// The number that a thread of `sudoku-batch generate` makes at a time.
const LINES: u64 = 4096;

fn generate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generate");
    group.throughput(Throughput::Elements(LINES));
    for (name, grids) in [
        ("in order", Grids::in_order()),
        ("seeded", Grids::seeded(0)),
        ("uniform", Grids::uniform(0)),
    ] {
        let mut lines: Vec<[u8; 82]> = vec![[0; 82]; LINES as usize];
        let mut start = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                grids.write_lines(start, &mut lines);
                start += LINES;
                black_box(&lines);
            });
        });
    }
    group.finish();
}

fn rank(criterion: &mut Criterion) {
    let sequence = Grids::seeded(0);
    let grids: Vec<Grid> = (0..LINES).map_while(|i| sequence.grid(i)).collect();
    let mut group = criterion.benchmark_group("rank");
    group.throughput(Throughput::Elements(LINES));
    group.bench_function("position", |bencher| {
        bencher.iter(|| {
            grids
                .iter()
                .filter_map(|grid| sequence.position(grid))
                .sum::<u64>()
        });
    });
    group.bench_function("canonical form", |bencher| {
        let automorphisms = |grid| CanonicalGrid::new(grid).automorphisms();
        bencher.iter(|| grids.iter().map(automorphisms).sum::<u32>());
    });
    group.finish();
}

criterion_group!(benches, generate, rank);
criterion_main!(benches);
