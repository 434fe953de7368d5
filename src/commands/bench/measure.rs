//! Rounds in memory: text to text, engines in turn.

use super::{
    super::progress::Progress,
    corpus::{Answers, Corpus},
    figures::Figures,
};
use crate::cli::bench::Bench;
use anyhow::Context;
use std::{
    sync::{Condvar, Mutex},
    thread,
    time::{Duration, Instant},
};
use sudoku_batch::{
    Engine, Level, Question, Solver,
    format::{Records, line},
    grid::{CELLS, GridLine},
    pipeline::input::{HEAD, chunk_size},
    solve::{NO_SOLUTION, registry},
};

/// A way to solve that is measured.
#[derive(Clone, Copy)]
struct Contender {
    engine: Engine,
    level: Level,
    threads: usize,
}

/// The engines and levels that the options ask for, at each number of threads.
fn contenders(options: &Bench) -> Vec<Contender> {
    let (engines, levels) = (options.engines(), options.levels());
    let chosen = registry().filter(|(engine, level)| {
        // The scalar engine is the same at all levels.
        let level = *engine == Engine::Scalar || levels.contains(level);
        engines.contains(engine) && level
    });
    let mut contenders = Vec::new();
    for (engine, level) in chosen {
        for threads in super::threads(options) {
            contenders.push(Contender {
                engine,
                level,
                threads,
            });
        }
    }
    contenders
}

/// Measures all that the options ask for on one corpus.
pub(super) fn solving(corpus: &Corpus, options: &Bench) -> anyhow::Result<Vec<Figures>> {
    let answers = Answers::of(corpus, options.question())?;
    let contenders = contenders(options);
    let mut workers = contenders
        .iter()
        .map(|contender| Worker::crew(*contender, corpus))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let mut times = vec![Vec::new(); contenders.len()];
    let mut lines = vec![NO_SOLUTION; corpus.count()];
    let mut counts = vec![0; corpus.count()];
    let runs = u64::from(options.rounds + 1) * contenders.len() as u64;
    let mut progress = Progress::new(true, Some(runs), "puzzles");
    for round in 0..=options.rounds {
        for ((contender, crew), times) in contenders.iter().zip(&mut workers).zip(&mut times) {
            // Nothing is left of the run before.
            lines.fill([0; CELLS + 1]);
            counts.fill(u64::MAX);
            let time = run(crew, options.question(), &mut lines, &mut counts)?;
            let name = format!("engine {} at level {}", contender.engine, contender.level);
            answers.check(&name, &lines, &counts)?;
            if round > 0 {
                times.push(time);
            }
            progress.advance(1, corpus.count() as u64);
        }
    }
    progress.finish();
    let checked = answers.checked();
    let figures = contenders.iter().zip(times);
    let figures = figures.map(|(contender, times)| Figures {
        distinct: Some(corpus.distinct as u64),
        bytes: corpus.text.len(),
        engine: contender.engine.name().into(),
        level: Some(contender.level.name().into()),
        threads: Some(contender.threads),
        limit: Some(super::limit(options)),
        solved: checked.solved,
        checksum: checked.checksum,
        ..Figures::new(&corpus.name, corpus.count(), times)
    });
    let mut figures: Vec<_> = figures.collect();
    Figures::compare_with_one_thread(&mut figures);
    Ok(figures)
}

/// A thread's part of a corpus, and what it keeps from round to round.
struct Worker<'c> {
    solver: Solver,
    chunks: Vec<&'c [u8]>,
    /// How many records they have.
    records: usize,
    /// Those of a chunk.
    read: Records,
}

impl<'c> Worker<'c> {
    /// One for each thread.
    fn crew(contender: Contender, corpus: &'c Corpus) -> anyhow::Result<Vec<Self>> {
        let border = |thread: usize| corpus.count() * thread / contender.threads;
        let parts = (0..contender.threads).map(|thread| border(thread)..border(thread + 1));
        let worker = |part: std::ops::Range<usize>| {
            Ok(Self {
                solver: Solver::with_level(contender.level)?.with_engine(contender.engine),
                records: part.len(),
                chunks: chunks(corpus.lines(part)),
                read: Records::default(),
            })
        };
        parts.map(worker).collect()
    }

    /// Solves its part.
    fn run(&mut self, question: Question, mut lines: &mut [GridLine], mut counts: &mut [u64]) {
        for &chunk in &self.chunks {
            self.read.clear();
            line::read(chunk, &mut self.read);
            let here = self.read.len();
            let (out, rest) = lines.split_at_mut(here);
            let (counted, uncounted) = counts.split_at_mut(here);
            self.solver
                .solve_lines(question, self.read.cells(), out, counted);
            (lines, counts) = (rest, uncounted);
        }
    }
}

/// Text in chunks of whole lines, of the sizes that the pipeline cuts.
fn chunks(mut text: &[u8]) -> Vec<&[u8]> {
    let mut chunks = Vec::new();
    while !text.is_empty() {
        let size = chunk_size(chunks.len() as u64, &text[..text.len().min(HEAD)]).max(1);
        let after = text.get(size - 1..).unwrap_or_default();
        let end = after.iter().position(|&c| c == b'\n');
        let end = end.map_or(text.len(), |at| size + at);
        chunks.extend(text.split_off(..end));
    }
    chunks
}

/// All threads once, each on its part: the time from the first one's start to
/// the last one's end.
fn run(
    crew: &mut [Worker<'_>],
    question: Question,
    mut lines: &mut [GridLine],
    mut counts: &mut [u64],
) -> anyhow::Result<Duration> {
    let mut parts = Vec::new();
    for worker in crew {
        let (line_part, line_rest) = lines.split_at_mut(worker.records);
        let (count_part, count_rest) = counts.split_at_mut(worker.records);
        parts.push((worker, line_part, count_part));
        (lines, counts) = (line_rest, count_rest);
    }
    timed(parts, |(worker, lines, counts)| {
        worker.run(question, lines, counts);
    })
}

/// Does the parts of a work at the same time, a thread each. Returns the time from the first
/// one's start to the last one's end.
///
/// # Errors
///
/// The system does not give a thread. The threads that wait for it then do nothing.
pub(super) fn timed<P: Send>(parts: Vec<P>, work: impl Fn(P) + Sync) -> anyhow::Result<Duration> {
    let (work, gate) = (&work, &Gate::for_threads(parts.len()));
    let spans = thread::scope(|scope| {
        let mut threads = Vec::new();
        for (number, part) in (1..).zip(parts) {
            let part = move || {
                gate.pass().then(|| {
                    let start = Instant::now();
                    work(part);
                    (start, Instant::now())
                })
            };
            let thread = thread::Builder::new().spawn_scoped(scope, part);
            let thread = thread.inspect_err(|_| gate.close());
            threads.push(thread.with_context(|| format!("cannot start thread {number}"))?);
        }
        let spans = threads.into_iter().map(|thread| thread.join());
        let spans = spans.map(|span| span.expect("no panic").expect("the gate is open"));
        anyhow::Ok(spans.collect::<Vec<_>>())
    })?;
    let start = spans.iter().map(|span| span.0).min().expect("a thread");
    let end = spans.iter().map(|span| span.1).max().expect("a thread");
    Ok(end - start)
}

/// Where threads wait until all are there. Unlike a barrier of the standard library it lets
/// them go when one never comes.
struct Gate {
    /// How many threads are still to come, or `None` if one never comes.
    missing: Mutex<Option<usize>>,
    changed: Condvar,
}

impl Gate {
    fn for_threads(count: usize) -> Self {
        Self {
            missing: Mutex::new(Some(count)),
            changed: Condvar::new(),
        }
    }

    /// Waits for all threads. Returns whether all came.
    fn pass(&self) -> bool {
        let mut missing = self.missing.lock().expect("no thread panicked");
        *missing = missing.map(|missing| missing - 1);
        self.changed.notify_all();
        let is_shut = |missing: &mut Option<usize>| missing.is_some_and(|missing| missing > 0);
        let missing = self.changed.wait_while(missing, is_shut);
        missing.expect("no thread panicked").is_some()
    }

    /// Lets the threads go that wait for one that never comes.
    fn close(&self) {
        *self.missing.lock().expect("no thread panicked") = None;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same as the pipeline has from a stream of the same bytes.
    #[test]
    fn chunks_are_those_of_the_pipeline() {
        use sudoku_batch::pipeline::input::Input;
        let long = include_bytes!("../../../data/easy.txt").repeat(40);
        let short = b"1\n22\n\n".repeat(100_000);
        for text in [&long[..], &short, &long[..82], &long[..81], b""] {
            let mut input = Input::stream("text", std::io::Cursor::new(text.to_vec()));
            let expected: Vec<_> = input
                .chunks()
                .map(|c| c.unwrap().bytes().to_vec())
                .collect();
            assert_eq!(chunks(text), expected);
        }
    }
}
