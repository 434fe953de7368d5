//! Puzzles to measure on, and what is known of their solutions.

use super::{
    Line,
    figures::{CheckResult, Label},
    options::Bench,
};
use crate::driver::{
    reader::{ReadBatch, RecordReader},
    words::counted,
};
use anyhow::{anyhow, bail};
use std::{collections::HashSet, path::Path};
use sudoku_batch::{
    Engine, Goal, Grid, Solver,
    format::{Records, line},
    grid::{AnyPuzzle, BatchPuzzle, CELLS},
    solve::NO_SOLUTION,
};

/// The classes that are built in.
const CLASSES: [(&str, &str); 3] = [
    ("easy", sudoku_batch::samples::EASY),
    ("minimal", sudoku_batch::samples::MINIMAL),
    ("hard", sudoku_batch::samples::HARD),
];

/// Fewer puzzles than this are solved too quickly to be measured well.
const ENOUGH: usize = 20_000;

/// Puzzles, as text to be solved.
pub(super) struct Corpus {
    /// The label of all that is measured on it: the name of the class or file, and how many
    /// puzzles there are.
    pub(super) label: Label,
    /// The records, a line each, comments left out.
    pub(super) text: Vec<u8>,
    /// The end of each line in `text`.
    ends: Vec<usize>,
    /// The puzzles, before they are repeated: that of record i is
    /// `puzzles[i % puzzles.len()]`.
    pub(super) puzzles: Vec<AnyPuzzle>,
}

/// Adds the puzzles of records, each with its text, up to `most` in all. `line` gives the line of a record in the file `name`.
fn add(
    all: &mut Vec<(AnyPuzzle, Vec<u8>)>,
    most: usize,
    name: &str,
    records: &Records,
    line: impl Fn(usize) -> u64,
) -> anyhow::Result<()> {
    for record in 0..records.len().min(most - all.len()) {
        let malformed = |error| anyhow!("{name}:{}: {error}", line(record));
        let puzzle = records.puzzle(record).map_err(malformed)?;
        all.push((puzzle, records.own(record).as_ref().to_vec()));
    }
    Ok(())
}

/// The most puzzles that the options ask for.
fn most_puzzles(options: &Bench) -> anyhow::Result<usize> {
    Ok(options.puzzles.map_or(Ok(usize::MAX), usize::try_from)?)
}

impl Corpus {
    /// The files or classes that the options name, cut or repeated as they say.
    pub(super) fn all(options: &Bench) -> anyhow::Result<Vec<Self>> {
        if options.files.is_empty() {
            let classes = CLASSES.iter();
            let read = |(name, text): &(&str, &str)| Self::built_in(name, text.as_bytes(), options);
            return classes.map(read).collect();
        }
        let files = options.files.iter();
        files.map(|path| Self::load(path, options)).collect()
    }

    fn load(path: &Path, options: &Bench) -> anyhow::Result<Self> {
        let most = most_puzzles(options)?;
        let mut reader = RecordReader::open(path, &options.form)?;
        let name = reader.name().to_owned();
        let (mut batch, mut all) = (ReadBatch::default(), Vec::new());
        while all.len() < most && reader.next_batch(&mut batch)? {
            add(&mut all, most, &name, &batch.records, |record| {
                batch.line(record)
            })?;
        }
        reader.check_unchanged()?;
        Self::of(&name, all, options)
    }

    fn built_in(name: &str, text: &[u8], options: &Bench) -> anyhow::Result<Self> {
        let (mut records, mut all) = (Records::default(), Vec::new());
        line::read(text, &mut records);
        add(&mut all, most_puzzles(options)?, name, &records, |record| {
            records.line(record)
        })?;
        Self::of(name, all, options)
    }

    fn of(name: &str, all: Vec<(AnyPuzzle, Vec<u8>)>, options: &Bench) -> anyhow::Result<Self> {
        let most = most_puzzles(options)?;
        if all.is_empty() {
            bail!("{name} has no puzzles");
        }
        let count = match (options.exact, options.puzzles) {
            (true, _) => all.len(),
            (false, Some(_)) => most,
            (false, None) if options.never_repeats() => all.len(),
            (false, None) => all.len().max(ENOUGH),
        };
        let (mut text, mut ends) = (Vec::new(), Vec::new());
        for (_, own) in all.iter().cycle().take(count) {
            text.extend_from_slice(own);
            text.push(b'\n');
            ends.push(text.len());
        }
        let mut label = Label::new(name, count, text.len());
        let distinct: HashSet<_> = all.iter().map(|(puzzle, _)| puzzle.simplest()).collect();
        label.distinct = Some(distinct.len() as u64);
        Ok(Self {
            label,
            text,
            ends,
            puzzles: all.into_iter().map(|(puzzle, _)| puzzle).collect(),
        })
    }

    /// Returns true if puzzles come more than once for the sake of time.
    pub(super) fn is_repeated(&self) -> bool {
        self.label.puzzles > self.puzzles.len()
    }

    /// The parts of this number of threads: ranges of records, none more than one longer than another.
    pub(super) fn parts(&self, threads: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
        let border = move |thread: usize| self.label.puzzles * thread / threads;
        (0..threads).map(move |thread| border(thread)..border(thread + 1))
    }

    /// The text of a range of records.
    pub(super) fn lines(&self, range: std::ops::Range<usize>) -> &[u8] {
        let start = |record: usize| record.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start(range.start)..start(range.end)]
    }
}

/// The answers to a question about a corpus, to check others by.
pub(super) struct Answers<'c> {
    corpus: &'c Corpus,
    /// For each puzzle the number of its solutions, at most the limit of the
    /// question, and the line that the question asks for.
    known: Vec<(u64, Line)>,
    pub(super) question: Goal,
    /// The figures of solutions that are all right.
    pub(super) checked: CheckResult,
}

impl<'c> Answers<'c> {
    /// Asks about all puzzles once, each alone, and checks that what is found are
    /// solutions. Whether there are more is for the engines to agree on.
    pub(super) fn of(corpus: &'c Corpus, question: Goal) -> anyhow::Result<Self> {
        let mut solver = Solver::new().with_engine(Engine::Scalar);
        let known = (1..).zip(&corpus.puzzles).map(|(number, puzzle)| {
            let (count, line) = solver.solve_line(question, puzzle);
            if line != NO_SOLUTION && !is_solution(&line[..CELLS], puzzle) {
                let name = &corpus.label.corpus;
                bail!("{name}: the solution of puzzle {number} is wrong");
            }
            Ok((count, line))
        });
        let mut answers = Self {
            corpus,
            known: known.collect::<Result<_, _>>()?,
            question,
            checked: CheckResult::default(),
        };
        let (mut solved, mut checksum) = (0, NO_BYTES);
        for (_, (count, line)) in answers.records() {
            solved += u64::from(*count == 1 || *count > 1 && question == Goal::Solution);
            checksum = fnv(checksum, if *count == 1 { line } else { &NO_SOLUTION });
        }
        answers.checked = CheckResult { solved, checksum };
        Ok(answers)
    }

    /// The answer for each record.
    pub(super) fn records(&self) -> impl Iterator<Item = (&AnyPuzzle, &(u64, Line))> {
        let puzzles = self.corpus.puzzles.iter().zip(&self.known).cycle();
        puzzles.take(self.corpus.label.puzzles)
    }

    /// Checks what an engine found for all records.
    pub(super) fn check(&self, by: &str, lines: &[Line], counts: &[u64]) -> anyhow::Result<()> {
        let found = lines.iter().zip(counts);
        for (number, (found, known)) in (1..).zip(found.zip(self.records())) {
            let ((line, &count), (_, known)) = (found, known);
            if (count, *line) != *known {
                bail!(
                    "{}: {by} is wrong about puzzle {number}: {}, {}",
                    self.corpus.label.corpus,
                    counted(count, "solutions"),
                    String::from_utf8_lossy(line).trim_end()
                );
            }
        }
        Ok(())
    }
}

/// Returns true if a line is a solution of a puzzle.
pub(super) fn is_solution(line: &[u8], puzzle: impl BatchPuzzle) -> bool {
    let grid = line
        .first_chunk()
        .and_then(|cells| Grid::from_ascii(cells).ok());
    grid.is_some_and(|grid| grid.is_solution_of(puzzle))
}

/// The checksum of no bytes.
pub(crate) const NO_BYTES: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds text to a checksum. It is 64-bit FNV-1a: short enough to be written again by whoever
/// doubts it.
pub(crate) fn fnv(sum: u64, text: &[u8]) -> u64 {
    let add = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    text.iter().fold(sum, add)
}
