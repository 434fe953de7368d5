//! Rating in memory: text to ratings, up to 4.4 and over the whole scale.

use super::{
    corpus::{Corpus, NO_BYTES, fnv},
    figures::{Checked, Figures, Label},
    options::Bench,
    rounds::{Contender, rounds, timed},
    solving::chunks,
};
use anyhow::bail;
use std::{cell::RefCell, fmt::Write, ops::Range, time::Duration};
use sudoku_batch::{
    Level,
    format::{Records, line},
    questions::Rate,
    technique::{self, Rating, Ratings},
};

/// The bounds that are compared, and their names in the column of engines.
const BOUNDS: [(&str, Rating); 2] = [
    ("rater to 4.4", Rating::IN_PLANES),
    ("rater", Rating::HARDEST),
];

/// How many puzzles of a corpus are rated step by step too.
const BY_STEPS: usize = 100;

/// Measures all that the options ask for on one corpus.
pub(super) fn rating(corpus: &Corpus, options: &Bench) -> anyhow::Result<Vec<Figures>> {
    let known = BOUNDS.map(|_| RefCell::default());
    let mut contenders: Vec<Box<dyn Contender>> = Vec::new();
    for ((name, up_to), known) in BOUNDS.into_iter().zip(&known) {
        for level in options.levels() {
            for threads in options.threads() {
                let label = Label {
                    engine: name.into(),
                    level: Some(level.name()),
                    threads: Some(threads),
                    ..corpus.label.clone()
                };
                contenders.push(Box::new(Rater {
                    label,
                    corpus,
                    up_to,
                    workers: Worker::crew(up_to, level, threads, corpus)?,
                    known,
                }));
            }
        }
    }
    let figures = rounds(contenders, options.rounds, "puzzles")?;
    Ok(Figures::compare_with_one_thread(figures))
}

/// The rater at a level, with a bound and a number of threads.
struct Rater<'c> {
    label: Label,
    corpus: &'c Corpus,
    up_to: Rating,
    workers: Vec<Worker<'c>>,
    /// The ratings that the first run found.
    known: &'c RefCell<Option<Vec<Option<Ratings>>>>,
}

impl Contender for Rater<'_> {
    fn label(&self) -> &Label {
        &self.label
    }

    fn run(&mut self) -> anyhow::Result<Duration> {
        timed(self.workers.iter_mut().collect(), Worker::run)
    }

    fn check(&mut self) -> anyhow::Result<Checked> {
        let found = self.workers.iter().flat_map(|worker| &worker.found);
        let found: Vec<_> = found.copied().collect();
        let known = &mut *self.known.borrow_mut();
        if known.is_none() {
            let puzzles = self.corpus.puzzles.iter();
            let some = puzzles.len().div_ceil(BY_STEPS);
            let wrong = puzzles.zip(&found).step_by(some).find(|(puzzle, ratings)| {
                technique::rate_up_to(*puzzle, self.up_to).ok() != **ratings
            });
            if let Some((puzzle, _)) = wrong {
                bail!("{}: the rating of {puzzle} is wrong", self.label.corpus);
            }
        }
        if *known.get_or_insert_with(|| found.clone()) != found {
            bail!("{}: ratings differ from run to run", self.label.corpus);
        }
        let mut lines = String::new();
        for ratings in &found {
            let _ = match ratings {
                Some(ratings) => writeln!(lines, "{ratings}"),
                None => writeln!(lines),
            };
        }
        Ok(Checked {
            solved: found.iter().flatten().count() as u64,
            checksum: fnv(NO_BYTES, lines.as_bytes()),
        })
    }
}

/// A thread's part of a corpus, and what it keeps from round to round.
struct Worker<'c> {
    question: Rate,
    chunks: Vec<&'c [u8]>,
    read: Records,
    found: Vec<Option<Ratings>>,
}

impl<'c> Worker<'c> {
    /// One for each thread.
    fn crew(
        up_to: Rating,
        level: Level,
        threads: usize,
        corpus: &'c Corpus,
    ) -> anyhow::Result<Vec<Self>> {
        let worker = |part: Range<usize>| {
            Ok(Self {
                question: Rate::with_level(level)?.up_to(up_to),
                chunks: chunks(corpus.lines(part))?,
                read: Records::default(),
                found: Vec::new(),
            })
        };
        corpus.parts(threads).map(worker).collect()
    }

    /// Rates its part.
    fn run(&mut self) {
        self.found.clear();
        for &chunk in &self.chunks {
            self.read.clear();
            line::read(chunk, &mut self.read);
            let rated = self.question.ask(&self.read);
            self.found.extend_from_slice(rated.ratings);
        }
    }
}
