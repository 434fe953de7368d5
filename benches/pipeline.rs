//! The pipeline: file to file as `sudoku-batch solve` works, and alone, with
//! the bytes copied, which is what it costs by itself.
//!
//! ```text
//! cargo bench -p sudoku-batch-benches --bench pipeline
//! ```

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::{fs, path::Path};
use sudoku_batch::{
    format::{Records, line},
    grid::CELLS,
    questions::{Question, SOLVE},
};
use sudoku_batch_cli::pipeline::{
    self, Error, Out, Threads,
    input::{Cut, Input},
    output::Output,
};

/// The bytes of a record.
const LINE: usize = CELLS + 1;

/// The easy puzzles, so many times.
const REPEATED: usize = 20;

fn copy((): &mut (), chunk: &[u8], out: Out<'_>) -> u64 {
    out.exactly(chunk.len()).copy_from_slice(chunk);
    (chunk.len() / LINE) as u64
}

fn solve((records, question): &mut (Records, Question), chunk: &[u8], out: Out<'_>) -> u64 {
    records.clear();
    line::read(chunk, records);
    let out = out.exactly(records.len() * LINE);
    let mut answer = question.empty().renewed(Some(out.as_chunks_mut().0));
    answer.begin(records.len());
    question.fill(&*records, &mut answer);
    (records.len() - answer.rejects.len()) as u64
}

/// A file to a file: opens, maps, works, writes and commits.
fn run<S>(
    threads: Threads,
    from: &Path,
    to: &Path,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &[u8], Out<'_>) -> u64 + Sync,
) -> Result<u64, Error> {
    let mut input = Input::open(from)?;
    let output = Output::create(to)?;
    let mut lines = 0;
    pipeline::run(
        threads,
        input.chunks(Cut::default()),
        Some(&output),
        state,
        |state, mut chunk, out| work(state, chunk.bytes(), out),
        |count| {
            lines += count;
            Ok::<_, Error>(())
        },
    )?;
    input.check_unchanged()?;
    output.commit()?;
    Ok(lines)
}

fn pipeline(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (&folder.path().join("in"), &folder.path().join("out"));
    let text = fs::read(format!("{}/../data/easy.txt", env!("CARGO_MANIFEST_DIR")));
    let text = text.expect("data").repeat(REPEATED);
    let lines = (text.len() / LINE) as u64;
    fs::write(from, text).expect("room for the puzzles");
    let mut group = criterion.benchmark_group("pipeline");
    group
        .throughput(Throughput::Elements(lines))
        .sample_size(10);
    for number in [1, 2] {
        let threads = Threads::new(number);
        group.bench_function(BenchmarkId::new("copy", number), |bench| {
            bench.iter(|| run(threads, from, to, || (), copy).expect("a copy"));
        });
        let question = || (Records::default(), SOLVE.with([]).expect("no settings"));
        group.bench_function(BenchmarkId::new("solve", number), |bench| {
            bench.iter(|| {
                assert_eq!(
                    run(threads, from, to, question, solve).expect("a run"),
                    lines
                )
            });
        });
    }
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
