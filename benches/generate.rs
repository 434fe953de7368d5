//! The generator: grids a second in order, shuffled and uniform, ranks, canonical forms.
//!
//! ```text
//! cargo bench -p sudoku-batch-benches --bench generate
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use sudoku_batch::{
    Grid,
    generate::{Sequence, Uniform},
    symmetry::CanonicalGrid,
};

/// The number that a thread of `sudoku-batch generate` makes at a time.
const LINES: u64 = 4096;

fn generate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generate");
    group.throughput(Throughput::Elements(LINES));
    for (name, sequence) in [
        ("in order", Sequence::in_order()),
        ("seeded", Sequence::seeded(0)),
    ] {
        let mut lines: Vec<[u8; 82]> = vec![[0; 82]; LINES as usize];
        let mut start = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                sequence.write_lines(start, &mut lines);
                start += LINES;
                black_box(&lines);
            });
        });
    }
    let uniform = Uniform::seeded(0);
    let mut lines: Vec<[u8; 82]> = vec![[0; 82]; LINES as usize];
    let mut start = 0;
    group.bench_function("uniform", |bencher| {
        bencher.iter(|| {
            uniform.write_lines(start, &mut lines);
            start += LINES;
            black_box(&lines);
        });
    });
    group.finish();
}

fn rank(criterion: &mut Criterion) {
    let sequence = Sequence::seeded(0);
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
