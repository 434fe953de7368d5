//! Solving in memory: text to text, engines in turn.

use super::{
    corpus::{Answers, Corpus},
    figures::{Checked, Figures, Label},
    options::Bench,
    rounds::{Contender, rounds, timed},
};
use crate::pipeline::input::{Chunk, Cut, Input};
use std::{cell::RefCell, io::Cursor, time::Duration};
use sudoku_batch::{
    Engine, Goal, Level, Solver,
    format::{Records, line},
    grid::{CELLS, GridLine},
    questions::Solve,
    solve::registry,
};

/// Measures all that the options ask for on one corpus.
pub(super) fn solving(corpus: &Corpus, options: &Bench) -> anyhow::Result<Vec<Figures>> {
    let answers = Answers::of(corpus, options.question())?;
    let found = RefCell::default();
    let (engines, levels) = (options.engines(), options.levels());
    let mut contenders: Vec<Box<dyn Contender>> = Vec::new();
    for (engine, level) in registry() {
        // The scalar engine is the same at all levels.
        if !engines.contains(&engine) || engine != Engine::Scalar && !levels.contains(&level) {
            continue;
        }
        for threads in options.threads() {
            let label = Label {
                engine: engine.name().into(),
                level: Some(level.name()),
                threads: Some(threads),
                limit: Some(options.limit()),
                ..corpus.label.clone()
            };
            contenders.push(Box::new(Solving {
                label,
                workers: Worker::crew(engine, level, threads, corpus)?,
                answers: &answers,
                found: &found,
            }));
        }
    }
    let figures = rounds(contenders, options.rounds, "puzzles")?;
    Ok(Figures::compare_with_one_thread(figures))
}

/// An engine at a level with a number of threads.
struct Solving<'c> {
    label: Label,
    workers: Vec<Worker<'c>>,
    answers: &'c Answers<'c>,
    found: &'c RefCell<Found>,
}

/// What the last run found for each record. All contenders use the same memory.
#[derive(Default)]
struct Found {
    lines: Vec<GridLine>,
    counts: Vec<u64>,
}

impl Contender for Solving<'_> {
    fn label(&self) -> &Label {
        &self.label
    }

    /// All threads once, each on its part.
    fn run(&mut self) -> anyhow::Result<Duration> {
        let Found { lines, counts } = &mut *self.found.borrow_mut();
        // Nothing is left of the run before.
        lines.clear();
        counts.clear();
        lines.resize(self.label.puzzles, [0; CELLS + 1]);
        counts.resize(self.label.puzzles, u64::MAX);
        let (mut lines, mut counts) = (&mut lines[..], &mut counts[..]);
        let mut parts = Vec::new();
        for worker in &mut self.workers {
            let records = worker.records;
            let (here, counted);
            (here, lines) = lines.split_at_mut(records);
            (counted, counts) = counts.split_at_mut(records);
            parts.push((worker, here, counted));
        }
        let question = self.answers.question;
        timed(parts, |(worker, lines, counts)| {
            worker.run(question, lines, counts)
        })
    }

    fn check(&mut self) -> anyhow::Result<Checked> {
        let level = self.label.level.unwrap_or_default();
        let name = format!("engine {} at level {level}", self.label.engine);
        let found = self.found.borrow();
        self.answers.check(&name, &found.lines, &found.counts)?;
        Ok(self.answers.checked)
    }
}

/// A thread's part of a corpus, and what it keeps from round to round.
struct Worker<'c> {
    solver: Solve,
    chunks: Vec<&'c [u8]>,
    /// How many records they have.
    records: usize,
    /// Those of a chunk.
    read: Records,
}

impl<'c> Worker<'c> {
    /// One for each thread.
    fn crew(
        engine: Engine,
        level: Level,
        threads: usize,
        corpus: &'c Corpus,
    ) -> anyhow::Result<Vec<Self>> {
        let worker = |part: std::ops::Range<usize>| {
            Ok(Self {
                solver: Solve::new(Solver::with_level(level)?.with_engine(engine)),
                records: part.len(),
                chunks: chunks(corpus.lines(part))?,
                read: Records::default(),
            })
        };
        corpus.parts(threads).map(worker).collect()
    }

    /// Solves its part.
    fn run(&mut self, question: Goal, mut lines: &mut [GridLine], mut counts: &mut [u64]) {
        for &chunk in &self.chunks {
            self.read.clear();
            line::read(chunk, &mut self.read);
            let (here, counted);
            (here, lines) = lines.split_at_mut(self.read.len());
            (counted, counts) = counts.split_at_mut(self.read.len());
            self.solver.count(question, &self.read, here, counted);
        }
    }
}

/// Text in the chunks of whole lines that the pipeline cuts.
pub(super) fn chunks(mut text: &[u8]) -> anyhow::Result<Vec<&[u8]>> {
    let mut input = Input::stream("the corpus", Cursor::new(text.to_vec()));
    let cut = |chunk: Result<Chunk, _>| {
        let length = chunk?.bytes().len();
        Ok(text.split_off(..length).expect("a part of the text"))
    };
    input.chunks(Cut::default()).map(cut).collect()
}
