//! `sudoku-batch dedup`.

use crate::driver::{
    self, Done, Files, OutputFile, RecordBatch, RecordCommand, SetOptions, Sink, Summary, Task,
    Worker, first_seen::OrderedFirstSeen, options::help,
};
use crate::pipeline::{
    Error,
    identity::Identity,
    output::Output,
    spill::{self, Spill},
    turns::Turns,
};
use anyhow::bail;
use std::{io::Write, path::Path, process::ExitCode, time::SystemTime};
use sudoku_batch::{
    dataset::{Equivalence, FirstSeen, PuzzleHasher},
    questions::{Answer, Compare, Counts},
};

/// Keep the first of all records that are the same.
///
/// Records are the same if their cells are equal, if a symmetry turns one into the other, or if a
/// symmetry turns the solution of one into that of the other. What is kept stands in the order of the
/// input, with all its columns.
///
/// Records are compared by keys of 127 bits, made with random numbers. Among ten billion records the
/// probability that any two different ones are taken for the same is under 10^-18. A record takes
/// about 32 bytes of memory.
///
/// A record with no solution or several has no canonical form: it is the same as records with equal cells
/// alone. A malformed record is kept. The summary counts both.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records have no canonical form, or by equality are malformed"))]
pub(crate) struct Dedup {
    /// What is the same: equality, symmetry or solution.
    #[arg(long, value_name = "WHAT", default_value = "symmetry")]
    by: Equivalence,

    /// Write who repeats whom to a file: the number of a record that is left out, a tab, and the number
    /// of the first that is the same. Records count from 1, over all files.
    #[arg(long, value_name = "FILE")]
    duplicates: Option<OutputFile>,

    /// Use at most this much memory for the records, such as 500M or 8G, and the disk for the rest.
    ///
    /// The input is read twice then, and cannot be standard input. The disk is that of the folder for
    /// temporary files; it needs 24 bytes a record.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,

    #[command(flatten)]
    records: SetOptions,
}

fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, 'K' | 'k')) => (&text[..at], 10),
        Some((at, 'M' | 'm')) => (&text[..at], 20),
        Some((at, 'G' | 'g')) => (&text[..at], 30),
        Some((at, 'T' | 't')) => (&text[..at], 40),
        _ => (text, 0),
    };
    let number: u64 = number
        .parse()
        .map_err(|_| "a number of bytes, or of K, M, G or T".to_owned())?;
    number
        .checked_mul(1 << unit)
        .filter(|&bytes| bytes >= 16 << 20)
        .ok_or_else(|| "16M at the least".to_owned())
}

const NOTES: &str = "\
Examples:
  sudoku-batch dedup puzzles.csv -o different.csv
      One puzzle of all that are images of each other.
  sudoku-batch dedup --by equality a.txt b.txt c.txt -o all.txt
      Only the same 81 cells count as the same; several files.
  sudoku-batch dedup --by solution puzzles.txt --duplicates repeats.tsv -o different.txt
      One puzzle for each solution up to symmetry, and a list of the others.
  sudoku-batch dedup --memory 4G huge.csv -o different.csv
      More records than fit into memory.";

impl Dedup {
    pub(crate) fn run(self, files: &Files) -> anyhow::Result<ExitCode> {
        let duplicates = self.duplicates.as_deref();
        let duplicates = duplicates.map(|path| files.create("--duplicates", path, None));
        let duplicates = duplicates.transpose()?;
        let mut files_before = Vec::new();
        let repeats = match self.memory {
            Some(memory) if !self.fits(memory) => {
                files_before = self.state_of_files();
                Repeats::Spilt(Turns::new((0, self.find_on_disk(files, memory)?)))
            }
            _ => Repeats::InMemory(OrderedFirstSeen::new()),
        };
        let mut selecting = Selecting {
            by: self.by,
            keys: PuzzleHasher::random(),
            repeats,
            options: &self,
            files_before,
            duplicates: duplicates.map(|list| Turns::new(Some(list))),
        };
        driver::run(files, &mut selecting, &self.records.task())
    }

    /// Whether the keys of all records fit into this much memory. A key takes 32 bytes, and no
    /// record is shorter than a line.
    fn fits(&self, memory: u64) -> bool {
        let lengths = self.records.read.files.iter().map(|path| {
            let about = path.metadata().ok().filter(|about| about.is_file())?;
            // Compressed data may unpack to hundreds of times its length.
            let packed = path
                .extension()
                .is_some_and(|ending| ending == "gz" || ending == "zst");
            Some(about.len() * if packed { 1000 } else { 1 })
        });
        let length: Option<u64> = lengths.sum();
        length.is_some_and(|length| length / 82 * 32 <= memory)
    }

    /// The first of two readings: finds all repeats, on disk.
    fn find_on_disk(&self, files: &Files, memory: u64) -> anyhow::Result<spill::Repeats> {
        let inputs = &self.records.read.files;
        if inputs
            .iter()
            .any(|path| !path.metadata().is_ok_and(|about| about.is_file()))
        {
            bail!(
                "--memory: the input may not fit, and has to be read twice: give a file in place of \
                 standard input or a pipe"
            );
        }
        let mut finding = Finding {
            by: self.by,
            keys: PuzzleHasher::random(),
            spill: Turns::new((0, Spill::new(memory)?)),
            repeats: None,
        };
        // Only the second reading reports anything.
        let task = Task {
            silent: true,
            ..Task::new(&self.records.read, &self.records.run, Sink::None)
        };
        driver::run(files, &mut finding, &task)?;
        Ok(finding.repeats.expect("the driver finishes every run"))
    }

    /// The state of each input file, to see that two readings read the same: that of a new file
    /// of the same name differs too.
    fn state_of_files(&self) -> Vec<Option<FileState>> {
        let state = |path: &Path| {
            let about = path.metadata().ok()?;
            Some((Identity::of(path)?, about.len(), about.modified().ok()))
        };
        self.records
            .read
            .files
            .iter()
            .map(|path| state(path))
            .collect()
    }
}

/// The identity of a file, its size and its time of modification.
type FileState = (Identity, u64, Option<SystemTime>);

/// Finds which record repeats which.
enum Repeats {
    /// By the distinct records so far.
    InMemory(OrderedFirstSeen),
    /// By the repeats that a first reading found. The number of records before comes with
    /// them.
    Spilt(Turns<(u64, spill::Repeats)>),
}

impl Repeats {
    /// For each record of a batch, the number of the first that equals it, if there is one
    /// before. Returns the number of the first record of the batch.
    fn find(
        &self,
        batch: u64,
        keys: &[Option<u128>],
        first: &mut Vec<Option<u64>>,
    ) -> anyhow::Result<u64> {
        match self {
            Self::InMemory(seen) => Ok(seen.find(batch, keys, first)),
            Self::Spilt(repeats) => repeats.take(batch, |(records, repeats)| {
                first.clear();
                let before = *records;
                *records += keys.len() as u64;
                for number in before..*records {
                    first.push(repeats.first(number)?);
                }
                Ok(before)
            }),
        }
    }
}

/// The keys of the records of a batch.
struct Keys<'k> {
    hasher: &'k PuzzleHasher,
    compare: Compare,
    keys: Vec<Option<u128>>,
}

impl<'k> Keys<'k> {
    fn new(by: Equivalence, hasher: &'k PuzzleHasher) -> Self {
        Self {
            hasher,
            compare: Compare::new(by),
            keys: Vec::new(),
        }
    }

    /// The key to compare for each record. It is `None` if the record is malformed.
    fn find(&mut self, batch: &RecordBatch<'_>, answer: &mut Answer<'_>) -> &[Option<u128>] {
        self.keys.clear();
        let compared = self.compare.ask(batch.records, |form| {
            let key = form.map(|form| self.hasher.key(&form));
            self.keys.push(key);
        });
        answer.rejects.extend_from_slice(compared.rejects);
        answer.counts += compared.counts;
        &self.keys
    }
}

/// Keeps the first of all equal records.
struct Selecting<'o> {
    by: Equivalence,
    keys: PuzzleHasher,
    repeats: Repeats,
    options: &'o Dedup,
    /// The state of the files before the first of two readings; empty if there is one.
    files_before: Vec<Option<FileState>>,
    /// The list of duplicates, until the driver takes it.
    duplicates: Option<Turns<Option<Output>>>,
}

impl Selecting<'_> {
    /// Lists which record of a batch repeats which. `before` records come before the batch.
    fn list(&self, batch: u64, before: u64, first: &[Option<u64>]) -> anyhow::Result<()> {
        let Some(list) = &self.duplicates else {
            return Ok(());
        };
        let mut text = Vec::new();
        for (record, first) in (before + 1..).zip(first) {
            if let Some(first) = first {
                writeln!(text, "{record}\t{}", first + 1).expect("into memory");
            }
        }
        Ok(list.take(batch, |list| match list {
            Some(list) => list.write_next(&text),
            None => Ok(()),
        })?)
    }
}

impl RecordCommand for Selecting<'_> {
    fn worker(&self) -> Worker<'_> {
        let mut keys = Keys::new(self.by, &self.keys);
        let mut first = Vec::new();
        Box::new(move |batch, answer| {
            let keys = keys.find(batch, answer);
            let statuses = std::mem::take(&mut answer.counts);
            let before = self.repeats.find(batch.number, keys, &mut first)?;
            self.list(batch.number, before, &first)?;
            let mut kept = 0;
            for record in (0..first.len()).filter(|&record| first[record].is_none()) {
                answer.row(record);
                kept += 1;
            }
            answer.counts.add("kept", kept);
            answer.counts.add("repeated", first.len() as u64 - kept);
            answer.counts += statuses;
            Ok(())
        })
    }

    fn abandon(&self, batch: u64) {
        match &self.repeats {
            Repeats::InMemory(seen) => seen.abandon(batch),
            Repeats::Spilt(repeats) => repeats.abandon(batch),
        }
        if let Some(list) = &self.duplicates {
            list.abandon(batch);
        }
    }

    fn finish(&mut self, _: &Counts) -> anyhow::Result<Vec<Output>> {
        if !self.files_before.is_empty() {
            // The driver sees what changes during a reading, but not what changes between two.
            let before = self.files_before.iter().zip(self.options.state_of_files());
            let mut files = before.zip(&self.options.records.read.files);
            if let Some((_, path)) = files.find(|((before, now), _)| *before != now) {
                let name = path.display().to_string();
                return Err(Error::Changed { name }.into());
            }
        }
        let list = self.duplicates.as_ref();
        Ok(list
            .and_then(|list| list.with(Option::take))
            .into_iter()
            .collect())
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let (failed, how) = match self.by.needs_solution() {
            true => (
                done.records - counts.get("unique"),
                "have no canonical form: malformed ones are kept, the others are compared by their cells",
            ),
            false => (counts.get("malformed"), "are malformed, and are kept"),
        };
        // Statuses of what is compared say nothing: "unique" would read as "not repeated".
        Summary::of_records(done, counts.without(&["unique"]))
            .fact("by", self.by.name())
            .failed(failed, how)
    }
}

/// A set of the distinct keys so far, with the number of the first record of each.
fn distinct() -> impl FnMut(u128, u64) -> Option<u64> {
    let mut distinct = FirstSeen::new();
    move |key, number| distinct.insert(key, number)
}

/// The first of two readings.
struct Finding {
    by: Equivalence,
    keys: PuzzleHasher,
    /// The number of records before, and their keys.
    spill: Turns<(u64, Spill)>,
    /// The result.
    repeats: Option<spill::Repeats>,
}

impl RecordCommand for Finding {
    fn worker(&self) -> Worker<'_> {
        let mut keys = Keys::new(self.by, &self.keys);
        Box::new(move |batch, answer| {
            let keys = keys.find(batch, answer);
            self.spill.take(batch.number, |(records, spill)| {
                for key in keys {
                    if let Some(key) = key {
                        spill.push(*key, *records)?;
                    }
                    *records += 1;
                }
                Ok(())
            })
        })
    }

    fn abandon(&self, batch: u64) {
        self.spill.abandon(batch);
    }

    fn finish(&mut self, _: &Counts) -> anyhow::Result<Vec<Output>> {
        self.repeats = Some(
            self.spill
                .with(|(records, spill)| spill.find(*records, distinct))?,
        );
        Ok(Vec::new())
    }

    fn summary(&self, _: &Counts, done: &Done) -> Summary {
        Summary::of_records(done, Counts::default())
    }
}
