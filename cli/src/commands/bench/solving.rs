//! Solving in memory: text to text, engines in turn.

use super::{
    Line,
    corpus::{Answers, Corpus},
    figures::{Figures, Label},
    options::Bench,
    rounds::{Contender, rounds, timed},
};
use crate::pipeline::input::{Chunk, Cut, Input};
use std::{cell::RefCell, io::Cursor};
use sudoku_batch::{
    Engine, Goal, Level, Solver,
    format::{Records, line},
    grid::CELLS,
    questions::solve_records,
    solve::registry,
};

/// Measures all that the options ask for on one corpus.
pub(super) fn solving(corpus: &Corpus, options: &Bench) -> anyhow::Result<Vec<Figures>> {
    let answers = Answers::of(corpus, options.question())?;
    // The answers of a turn, a line and a count for each record. All contenders use the same memory.
    let found = RefCell::<(Vec<Line>, Vec<u64>)>::default();
    let (engines, levels) = (options.engines(), options.levels());
    let mut contenders = Vec::new();
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
            let mut workers = Worker::crew(engine, level, threads, corpus)?;
            let (answers, found) = (&answers, &found);
            let turn = move || {
                let (lines, counts) = &mut *found.borrow_mut();
                // Nothing is left of the turn before.
                lines.clear();
                counts.clear();
                lines.resize(corpus.label.puzzles, [0; CELLS + 1]);
                counts.resize(corpus.label.puzzles, u64::MAX);
                let mut left = (&mut lines[..], &mut counts[..]);
                let mut parts = Vec::new();
                for worker in &mut workers {
                    let (here, counted);
                    (here, left.0) = left.0.split_at_mut(worker.records);
                    (counted, left.1) = left.1.split_at_mut(worker.records);
                    parts.push((worker, here, counted));
                }
                let time = timed(parts, |(worker, lines, counts)| {
                    worker.run(answers.question, lines, counts);
                })?;
                let name = format!("engine {engine} at level {level}");
                answers.check(&name, lines, counts)?;
                Ok((time, answers.checked))
            };
            let turn = Box::new(turn);
            contenders.push(Contender { label, turn });
        }
    }
    let figures = rounds(contenders, options.rounds, "puzzles")?;
    Ok(Figures::compare_with_one_thread(figures))
}

/// A thread's part of a corpus, and what it keeps from round to round.
struct Worker<'c> {
    solver: Solver,
    chunks: Vec<&'c [u8]>,
    /// The number of records in them.
    records: usize,
    /// The records of a chunk.
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
                solver: Solver::with_level(level)?.with_engine(engine),
                records: part.len(),
                chunks: chunks(corpus.lines(part))?,
                read: Records::default(),
            })
        };
        corpus.parts(threads).map(worker).collect()
    }

    /// Solves its part.
    fn run(&mut self, question: Goal, mut lines: &mut [Line], mut counts: &mut [u64]) {
        for &chunk in &self.chunks {
            self.read.clear();
            line::read(chunk, &mut self.read);
            let (here, counted);
            (here, lines) = lines.split_at_mut(self.read.len());
            (counted, counts) = counts.split_at_mut(self.read.len());
            solve_records(&mut self.solver, question, &self.read, here, counted);
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
