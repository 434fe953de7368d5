//! Every engine at every level on the puzzles in `data/`, and the text work
//! alone: `cargo bench -p sudoku-batch-benches --bench engines`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::{fs, hint::black_box};
use sudoku_batch::{
    Goal, Grid, Level, Puzzle, Solver,
    format::{Records, line},
    solve::{NO_SOLUTION, registry},
    verify::{wrong_grid, wrong_solution},
};

const CLASSES: [&str; 3] = ["easy", "minimal", "hard"];

/// So many puzzles at a time, the file repeated: as a long file is solved.
const BATCH: usize = 4096;

fn text(name: &str) -> Vec<u8> {
    fs::read(format!("{}/../data/{name}.txt", env!("CARGO_MANIFEST_DIR"))).expect("data")
}

fn solve(criterion: &mut Criterion) {
    for class in CLASSES {
        let text = text(class);
        let mut records = Records::default();
        line::read(&text, &mut records);
        let puzzles = (0..records.len()).map(|record| records.puzzle(record).expect("a puzzle"));
        let puzzles: Vec<_> = puzzles
            .cycle()
            .take(BATCH)
            .map(|puzzle| puzzle.clues())
            .collect();
        let mut solutions: Vec<[u8; 82]> = vec![NO_SOLUTION; BATCH];
        let mut counts = vec![0; BATCH];
        let mut group = criterion.benchmark_group(format!("solve {class}"));
        group
            .throughput(Throughput::Elements(BATCH as u64))
            .sample_size(10);
        for (engine, level) in registry() {
            let solver = Solver::with_level(level).expect("the registry has what is there");
            let mut solver = solver.with_engine(engine);
            solver.solve_lines(Goal::Unique, &puzzles, &mut solutions, &mut counts);
            assert!(counts.iter().all(|&count| count == 1));
            group.bench_function(BenchmarkId::new(engine.name(), level), |bench| {
                bench.iter(|| {
                    solver.solve_lines(Goal::Unique, &puzzles, &mut solutions, &mut counts);
                });
            });
        }
    }
}

/// The check of grids and solutions, and the same where a tenth of the records has none.
fn verify(criterion: &mut Criterion) {
    let (puzzles, solved) = (text("easy"), text("easy.solved"));
    let mut records = Records::default();
    line::read(&puzzles, &mut records);
    let cells: Vec<[u8; 81]> = records
        .cells()
        .expect("81 cells each")
        .iter()
        .copied()
        .cycle()
        .take(BATCH)
        .collect();
    let (lines, rest) = solved.as_chunks::<82>();
    assert!(rest.is_empty());
    let lines: Vec<[u8; 82]> = lines.iter().copied().cycle().take(BATCH).collect();
    let mut some = lines.clone();
    for line in some.iter_mut().step_by(10) {
        *line = NO_SOLUTION;
    }
    let mut group = criterion.benchmark_group("verify");
    group.throughput(Throughput::Elements(BATCH as u64));
    for level in Level::available() {
        group.bench_function(BenchmarkId::new("grids", level), |bench| {
            bench.iter(|| assert_eq!(wrong_grid(level, black_box(&lines)), None));
        });
        for (name, lines) in [("solutions", &lines), ("a tenth blank", &some)] {
            group.bench_function(BenchmarkId::new(name, level), |bench| {
                bench.iter(|| {
                    let wrong = wrong_solution(level, black_box(&cells), black_box(lines));
                    assert_eq!(wrong, None);
                });
            });
        }
    }
}

fn read_and_write(criterion: &mut Criterion) {
    let text = text("easy");
    let grids = fs::read_to_string(format!(
        "{}/../data/easy.solved.txt",
        env!("CARGO_MANIFEST_DIR")
    ));
    let grids: Vec<Grid> = grids
        .expect("data")
        .lines()
        .map(|line| line.parse().expect("a grid"))
        .collect();
    let mut group = criterion.benchmark_group("text");
    group.throughput(Throughput::Elements(grids.len() as u64));
    let mut records = Records::default();
    group.bench_function("read lines", |bench| {
        bench.iter(|| {
            records.clear();
            line::read(&text, &mut records);
            records.len()
        });
    });
    group.bench_function("parse puzzles", |bench| {
        bench.iter(|| {
            for line in str::from_utf8(&text).expect("ASCII").lines() {
                black_box(line.parse::<Puzzle>().expect("a puzzle"));
            }
        });
    });
    group.bench_function("format grids", |bench| {
        use std::fmt::Write;
        let mut written = String::new();
        bench.iter(|| {
            written.clear();
            for grid in &grids {
                writeln!(written, "{grid}").expect("to a string");
            }
            written.len()
        });
    });
}

criterion_group!(benches, solve, verify, read_and_write);
criterion_main!(benches);
