//! The pipeline: file to file as `sudoku-batch solve` works, and alone, with
//! the bytes copied, which is what it costs by itself.
//!
//! ```text
//! cargo bench --bench pipeline
//! ```

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::{fs, path::Path};
use sudoku_batch::{
    Batch, Question, Solver,
    grid::GridLine,
    pipeline::{self, Error, Out, input::Input, output::Output},
};

/// The bytes of a record.
const LINE: u64 = size_of::<GridLine>() as u64;

/// The easy puzzles, so many times.
const REPEATED: usize = 20;

fn copy((): &mut (), chunk: &[u8], out: Out<'_>) -> u64 {
    out.exactly(chunk.len()).copy_from_slice(chunk);
    chunk.len() as u64 / LINE
}

fn solve(batch: &mut Batch, chunk: &[u8], out: Out<'_>) -> u64 {
    let records = batch.read(chunk);
    let out = out.exactly(records.count() * size_of::<GridLine>());
    let tally = records.solve(Question::Solution, out.as_chunks_mut().0, |_| {});
    tally.solved()
}

/// A file to a file: opens, maps, works, writes and commits.
fn run<S>(
    pool: &rayon::ThreadPool,
    from: &Path,
    to: &Path,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &[u8], Out<'_>) -> u64 + Sync,
) -> Result<u64, Error> {
    let mut input = Input::open(from).map_err(Error::Input)?;
    let output = Output::create(to).map_err(Error::Output)?;
    let mut lines = 0;
    pipeline::run(
        pool,
        input.chunks(),
        &output,
        state,
        |state, chunk, out| work(state, &chunk, out),
        |count| {
            lines += count;
            Ok::<_, Error>(())
        },
    )?;
    output.commit().map_err(Error::Output)?;
    Ok(lines)
}

fn pipeline(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (&folder.path().join("in"), &folder.path().join("out"));
    let text = fs::read(format!("{}/data/easy.txt", env!("CARGO_MANIFEST_DIR")));
    let text = text.expect("data").repeat(REPEATED);
    let lines = text.len() as u64 / LINE;
    fs::write(from, text).expect("room for the puzzles");
    let mut group = criterion.benchmark_group("pipeline");
    group
        .throughput(Throughput::Elements(lines))
        .sample_size(10);
    for threads in [1, 2] {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = &builder.build().expect("threads");
        group.bench_function(BenchmarkId::new("copy", threads), |bench| {
            bench.iter(|| run(pool, from, to, || (), copy).expect("a copy"));
        });
        let batch = || Batch::new(Solver::new());
        group.bench_function(BenchmarkId::new("solve", threads), |bench| {
            bench.iter(|| assert_eq!(run(pool, from, to, batch, solve).expect("a run"), lines));
        });
    }
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
