//! Rating in memory: text to ratings, up to 4.4 and over the whole scale.

use super::{
    corpus::{Corpus, NO_BYTES, fnv},
    figures::{CheckResult, Figures, Label},
    options::Bench,
    rounds::{Contender, rounds},
    solving::chunks,
};
use anyhow::bail;
use std::{cell::RefCell, fmt::Write, ops::Range};
use sudoku_batch::{
    Level,
    format::{Records, line},
    grid::AnyPuzzle,
    questions::{Answer, Data, Question, RateSettings, Status},
    technique::{self, Rating, Ratings, Technique},
};

/// The bounds that are compared, and their names in the column of engines.
const BOUNDS: [(&str, Rating); 2] = [
    ("rater to 4.4", Rating::IN_PLANES),
    ("rater", Rating::HARDEST),
];

/// The number of puzzles of a corpus that are rated step by step too.
const BY_STEPS: usize = 100;

/// Measures all that the options ask for on one corpus.
pub(super) fn rating(corpus: &Corpus, options: &Bench) -> anyhow::Result<Vec<Figures>> {
    // The ratings that the first turn found, for each bound.
    let known = BOUNDS.map(|_| RefCell::<Option<Vec<Option<Ratings>>>>::default());
    let mut contenders = Vec::new();
    for ((name, up_to), known) in BOUNDS.into_iter().zip(&known) {
        for level in options.levels() {
            for threads in options.threads() {
                let label = Label {
                    engine: name.into(),
                    level: Some(level.name()),
                    threads: Some(threads),
                    ..corpus.label.clone()
                };
                let workers = Worker::crew(up_to, level, threads, corpus)?;
                let check = move |workers: &[Worker<'_>]| {
                    let found = workers.iter().flat_map(|worker| &worker.found);
                    let found: Vec<_> = found.copied().collect();
                    check(corpus, up_to, &found, &mut known.borrow_mut())
                };
                contenders.push(Contender::of_workers(label, workers, Worker::run, check));
            }
        }
    }
    let figures = rounds(contenders, options.rounds, "puzzles")?;
    Ok(Figures::compare_with_one_thread(figures))
}

/// Checks the ratings of a turn: the first are known to the others, and some of them are found step by
/// step.
fn check(
    corpus: &Corpus,
    up_to: Rating,
    found: &[Option<Ratings>],
    known: &mut Option<Vec<Option<Ratings>>>,
) -> anyhow::Result<CheckResult> {
    let name = &corpus.label.corpus;
    if known.is_none() {
        let some = corpus.puzzles.len().div_ceil(BY_STEPS);
        let wrong = |(puzzle, ratings): &(&AnyPuzzle, &Option<Ratings>)| {
            technique::rate_up_to(*puzzle, up_to).ok() != **ratings
        };
        let puzzles = corpus.puzzles.iter().zip(found).step_by(some);
        if let Some((puzzle, _)) = puzzles.into_iter().find(wrong) {
            bail!("{name}: the rating of {puzzle} is wrong");
        }
    }
    if *known.get_or_insert_with(|| found.to_vec()) != found {
        bail!("{name}: ratings differ from run to run");
    }
    let mut lines = String::new();
    for ratings in found {
        let _ = match ratings {
            Some(ratings) => writeln!(lines, "{ratings}"),
            None => writeln!(lines),
        };
    }
    Ok(CheckResult {
        solved: found.iter().flatten().count() as u64,
        checksum: fnv(NO_BYTES, lines.as_bytes()),
    })
}

/// A thread's part of a corpus, and what it keeps from round to round.
struct Worker<'c> {
    question: Question,
    answer: Answer<'static>,
    up_to: Rating,
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
            let question = Question::new(RateSettings {
                up_to,
                level: Some(level),
                ..RateSettings::default()
            })?;
            Ok(Self {
                answer: question.empty(),
                question,
                up_to,
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
            self.answer.begin(self.read.len());
            self.question.fill(&self.read, &mut self.answer);
            self.found.extend(ratings(&self.answer, self.up_to));
        }
    }
}

/// The ratings in an answer, for each record with one solution.
fn ratings(answer: &Answer<'_>, up_to: Rating) -> impl Iterator<Item = Option<Ratings>> {
    let of = |name| match answer.named(name) {
        Data::Ratings(ratings) => ratings,
        _ => unreachable!("the column has ratings"),
    };
    let Data::Names(techniques) = answer.named("technique") else {
        unreachable!("the column has names")
    };
    let [er, ep, ed] = ["er", "ep", "ed"].map(of);
    let statuses = answer.statuses.iter().enumerate();
    statuses.map(move |(record, status)| {
        (*status == Status::Unique).then(|| Ratings {
            er: er[record],
            ep: ep[record],
            ed: ed[record],
            technique: Technique::ALL.get(usize::from(techniques[record])).copied(),
            up_to,
            gave_up: false,
        })
    })
}
