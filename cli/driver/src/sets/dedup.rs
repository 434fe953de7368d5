//! `sudoku-batch dedup`.

use crate::driver::{
    self, Asking, Continuation, Done, Files, InputFile, OutputFile, PartOptions, Purpose,
    RecordBatch, RecordCommand, SetOptions, Sink, Summary, Task, Worker,
    files::STANDARD,
    first_seen::OrderedFirstSeen,
    options::{FormOptions, ReadOptions, RunOptions, help},
    read_twice::ReadTwice,
};
use crate::pipeline::{
    output::Output,
    spill::{self, Spill},
    turns::Turns,
};
use anyhow::bail;
use std::{io::Write, path::Path, process::ExitCode};
use sudoku_batch::{
    dataset::{Equivalence, FirstSeen, PuzzleHasher},
    format::one_line,
    questions::{Counts, DedupSettings, Question},
};

/// Keep the first of each group of equivalent records.
///
/// Records are equivalent if a symmetry turns one into the other: so puzzles that look different are dropped. With --by
/// they are compared by their cells, or by their solutions. The output has the order of the input and all its columns.
///
/// With --against, records that also occur in another file are dropped too; with --shared only those records
/// are kept.
///
/// Records are compared by keys of 127 bits, made with random numbers. Among ten billion records the
/// probability that any two different ones are taken for the same is under 10^-18. A record takes
/// about 28 bytes of memory.
///
/// A record with no solution or several has no canonical form: it is the same as records with equal cells
/// alone. By minlex it has one, which takes a few microseconds to find. A malformed record is kept. The summary
/// counts both.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records have no canonical form, or by equality are malformed, those of --against among them"))]
pub struct Dedup {
    /// Compare records by equality, symmetry, solution or minlex.
    ///
    /// equality: the 81 cells. symmetry: symmetric copies of each other, which needs one solution. solution: the
    /// solutions are copies of each other. minlex: copies of each other, whatever number of solutions they have.
    #[arg(long, value_name = "WHAT", default_value = "symmetry")]
    by: Equivalence,

    /// Leave out the records that also occur in these files.
    ///
    /// All files up to the next option are compared with, so the input stands before. They may have any format and any
    /// compression, whatever the records have. --puzzle-column names the column of their
    /// puzzles too, if they have one of that name. They are read first and take as much memory for a record.
    /// Standard error reports their malformed records; they equal none.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    against: Vec<InputFile>,

    /// Keep only the records that also occur in a file of --against.
    #[arg(long, requires = "against")]
    shared: bool,

    /// List the dropped records: number, tab, number of the record that it repeats.
    ///
    /// Records count from 1, over all files.
    ///
    /// For a record that also occurs in a file of --against, the second number is that of the first such
    /// record, counted from 1 in its file, and a tab and the name of this file follow. With --shared the list
    /// has these records alone.
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

pub fn size(text: &str) -> Result<u64, String> {
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
      One puzzle of each group of symmetric copies.
  sudoku-batch dedup --by equality a.txt b.txt c.txt -o all.txt
      Only the same 81 cells count as the same; several files.
  sudoku-batch dedup --by solution puzzles.txt --duplicates repeats.tsv -o different.txt
      One puzzle for each solution up to symmetry, and a list of the others.
  sudoku-batch dedup --memory 4G huge.csv -o different.csv
      More records than fit into memory.
  sudoku-batch dedup test.csv --against train.csv -o clean.csv
      The records of a test set that are no copies of a training puzzle.
  sudoku-batch dedup test.csv --against train.csv --shared --duplicates leaks.tsv -o leaks.csv
      The others, and where they are in both files.
  sudoku-batch dedup --by minlex several.txt -o different.txt
      Puzzles with any number of solutions, up to symmetry.";

impl Dedup {
    pub fn run(self, files: &Files) -> anyhow::Result<ExitCode> {
        let comparing = self.comparing();
        comparing.check_standard_input()?;
        let duplicates = self.duplicates.as_deref();
        let duplicates = duplicates.map(|path| files.create("--duplicates", path, None));
        let duplicates = duplicates.transpose()?;
        let hasher = PuzzleHasher::random();
        let mut others = Others::default();
        let memory = self.memory.filter(|memory| !self.fits(*memory));
        let files_before = comparing.files_before(memory)?;
        let mut seen = comparing.note_others(files, &hasher, Seen::new(memory)?, &mut others)?;
        if memory.is_some() {
            // Only the second reading reports anything.
            let before = (&self.records.read, Purpose::Before);
            (seen, _) = comparing.note(files, &hasher, seen, before)?;
        }
        let mut selecting = Selecting {
            by: self.by,
            keys: question(self.by, hasher),
            seen: seen.answered(others.records)?,
            others: &others,
            options: &self,
            files_before,
            duplicates: duplicates.map(|list| Turns::new(Some(list))),
        };
        let status = driver::run(files, &mut selecting, &self.records.task())?;
        Ok(status_after(others.have_failed, status))
    }

    /// The records to compare with.
    fn comparing(&self) -> Comparing<'_> {
        Comparing {
            by: self.by,
            against: &self.against,
            read: &self.records.read,
            run: &self.records.run,
        }
    }

    /// Whether the keys of all records fit into this much memory. A key takes 32 bytes, and no
    /// record is shorter than a line.
    fn fits(&self, memory: u64) -> bool {
        let inputs = self.against.iter().chain(&self.records.read.files);
        let lengths = inputs.map(|path| {
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
}

/// The files that records are compared with, and how they are read.
pub struct Comparing<'o> {
    pub by: Equivalence,
    /// The files of `--against`.
    pub against: &'o [InputFile],
    pub read: &'o ReadOptions,
    pub run: &'o RunOptions,
}

impl<'o> Comparing<'o> {
    /// Checks that standard input is read once.
    pub fn check_standard_input(&self) -> anyhow::Result<()> {
        let is_standard = |path: &&InputFile| ***path == *STANDARD;
        let inputs = self.against.iter().chain(&self.read.files);
        if inputs.filter(is_standard).count() > 1 {
            bail!("standard input (-) can be read once");
        }
        Ok(())
    }

    /// The state of the input files before the first of two readings, if little memory makes for two. Checks that
    /// they can be read twice.
    pub fn files_before(&self, memory: Option<u64>) -> anyhow::Result<ReadTwice> {
        if memory.is_none() {
            return Ok(ReadTwice::NO);
        }
        let mut inputs = self.read.files.iter();
        if inputs.any(|path| !path.metadata().is_ok_and(|about| about.is_file())) {
            bail!(
                "--memory: the input may not fit, and has to be read twice: give a file in place of \
                 standard input or a pipe"
            );
        }
        Ok(ReadTwice::of(&self.read.files))
    }

    /// Notes the keys of the files of `--against`. Each is a run of its own, because they may differ in format
    /// and columns.
    pub fn note_others(
        &self,
        files: &Files,
        hasher: &PuzzleHasher,
        mut seen: Seen,
        others: &mut Others<'o>,
    ) -> anyhow::Result<Seen> {
        for path in self.against {
            others.files.push((seen.records(), path));
            let read = ReadOptions {
                files: vec![path.clone()],
                form: FormOptions {
                    column: self.read.form.column.clone(),
                    digits: self.read.form.digits,
                    ..FormOptions::AUTO
                },
                part: PartOptions::ALL,
                rejects: None,
                ..self.read.clone()
            };
            let status;
            (seen, status) = self.note(files, hasher, seen, (&read, Purpose::Compare))?;
            others.have_failed |= status != ExitCode::SUCCESS;
        }
        others.records = seen.records();
        Ok(seen)
    }

    /// Notes the keys of records.
    fn note(
        &self,
        files: &Files,
        hasher: &PuzzleHasher,
        seen: Seen,
        (read, purpose): (&ReadOptions, Purpose),
    ) -> anyhow::Result<(Seen, ExitCode)> {
        let mut noting = Noting {
            by: self.by,
            keys: question(self.by, hasher.clone()),
            seen,
            name: read.files[0].display().to_string(),
        };
        let task = Task {
            purpose,
            ..Task::new(read, self.run, Sink::None)
        };
        let status = driver::run(files, &mut noting, &task)?;
        Ok((noting.seen.again(), status))
    }
}

/// The keys of the records so far, and which record repeats which.
pub enum Seen {
    /// Distinct keys in memory: each batch learns at once what it repeats.
    InMemory(OrderedFirstSeen),
    /// The number of records so far, and their keys, which go to disk. No batch learns what it repeats.
    OnDisk(Turns<(u64, Spill)>),
    /// The number of records so far in a second reading, and the repeats that were found on disk.
    Spilt(Turns<(u64, spill::Repeats)>),
}

impl Seen {
    /// Before the first record: on disk, if the memory for keys is bounded.
    pub fn new(memory: Option<u64>) -> anyhow::Result<Self> {
        Ok(match memory {
            Some(memory) => Self::OnDisk(Turns::new((0, Spill::new(memory)?))),
            None => Self::InMemory(OrderedFirstSeen::default()),
        })
    }

    /// The number of records so far, between two runs.
    fn records(&self) -> u64 {
        match self {
            Self::InMemory(seen) => seen.records(),
            Self::OnDisk(spill) => spill.with(|(records, _)| *records),
            Self::Spilt(repeats) => repeats.with(|(records, _)| *records),
        }
    }

    /// The same, before the first batch of another run.
    pub fn again(self) -> Self {
        match self {
            Self::InMemory(seen) => Self::InMemory(seen.again()),
            Self::OnDisk(spill) => Self::OnDisk(spill.again()),
            Self::Spilt(repeats) => Self::Spilt(repeats.again()),
        }
    }

    /// The same, before the first reading that learns what it repeats. Of the records so far, this number are of other
    /// files, and all others are read again.
    pub fn answered(self, others: u64) -> anyhow::Result<Self> {
        let Self::OnDisk(spill) = self else {
            return Ok(self);
        };
        let repeats = spill.with(|(records, spill)| spill.find(*records, distinct))?;
        Ok(Self::Spilt(Turns::new((others, repeats))))
    }

    /// Takes the keys of a batch. It may come in parts, of which one is the last. Finds for each record the number of
    /// the first that equals it, if there is one before: records of other files are before. Returns the number of the
    /// first record of the batch, or nothing while keys go to disk.
    pub fn find(
        &self,
        (batch, is_last): (u64, bool),
        keys: &[Option<u128>],
        first: &mut Vec<Option<u64>>,
    ) -> anyhow::Result<Option<u64>> {
        match self {
            Self::InMemory(seen) => Ok(Some(seen.find((batch, is_last), keys, first))),
            Self::OnDisk(spill) => spill.take_part(batch, is_last, |(records, spill)| {
                for key in keys {
                    if let Some(key) = key {
                        spill.push(*key, *records)?;
                    }
                    *records += 1;
                }
                Ok(None)
            }),
            Self::Spilt(repeats) => repeats.take_part(batch, is_last, |(records, repeats)| {
                first.clear();
                let before = *records;
                *records += keys.len() as u64;
                for number in before..*records {
                    first.push(repeats.first(number)?);
                }
                Ok(Some(before))
            }),
        }
    }

    /// Ends the waiting for a batch, see [`Turns::abandon`].
    pub fn abandon(&self, batch: u64) {
        match self {
            Self::InMemory(seen) => seen.abandon(batch),
            Self::OnDisk(spill) => spill.abandon(batch),
            Self::Spilt(repeats) => repeats.abandon(batch),
        }
    }
}

/// A set of the distinct keys so far, with the number of the first record of each.
fn distinct() -> impl FnMut(u128, u64) -> Option<u64> {
    let mut distinct = FirstSeen::new();
    move |key, number| distinct.insert(key, number)
}

/// The question for keys to compare. Nobody settles its answers: [`Seen`] compares the keys on many threads, and with little
/// memory.
pub fn question(by: Equivalence, hasher: PuzzleHasher) -> Question {
    let hasher = Some(hasher);
    Question::new(DedupSettings { by, hasher }).expect("any keys and any way to compare will do")
}

/// Keeps the first of all equal records.
struct Selecting<'o> {
    by: Equivalence,
    keys: Question,
    seen: Seen,
    others: &'o Others<'o>,
    options: &'o Dedup,
    /// The state of the files before the first of two readings; empty if there is one.
    files_before: ReadTwice,
    /// The list of duplicates, until the driver takes it.
    duplicates: Option<Turns<Option<Output>>>,
}

impl Selecting<'_> {
    /// Lists which record of a batch repeats which. `before` records come before the batch.
    fn list(
        &self,
        batch: &RecordBatch<'_>,
        before: u64,
        first: &[Option<u64>],
    ) -> anyhow::Result<()> {
        let Some(list) = &self.duplicates else {
            return Ok(());
        };
        let mut text = Vec::new();
        let before = before - self.others.records;
        for (record, first) in (before..).zip(first) {
            let Some(first) = *first else { continue };
            let record = batch.number_of(record);
            match self.others.place(first) {
                Some((number, path)) => {
                    let name = path.display().to_string();
                    write!(text, "{record}\t{}\t", number + 1).expect("into memory");
                    text.extend_from_slice(&one_line(name.as_bytes()));
                    text.push(b'\n');
                }
                None if self.options.shared => {}
                None => {
                    let first = batch.number_of(first - self.others.records);
                    writeln!(text, "{record}\t{first}").expect("into memory");
                }
            }
        }
        Ok(list.take(batch.number, |list| match list {
            Some(list) => list.write_next(&text),
            None => Ok(()),
        })?)
    }
}

impl RecordCommand for Selecting<'_> {
    fn worker(&self) -> Worker<'_> {
        let mut asking = Asking::of(&self.keys).without_statuses();
        let mut first = Vec::new();
        Box::new(move |batch, answer| {
            let keys = asking.ask(batch, answer).keys();
            let statuses = std::mem::take(&mut answer.counts);
            let before = self.seen.find((batch.number, true), keys, &mut first)?;
            let before = before.expect("what is read at last learns what it repeats");
            self.list(batch, before, &first)?;
            let (mut kept, mut shared) = (0, 0);
            for (record, first) in first.iter().enumerate() {
                let is_shared = first.is_some_and(|first| first < self.others.records);
                shared += u64::from(is_shared);
                if self.options.shared && is_shared || !self.options.shared && first.is_none() {
                    answer.row(record);
                    kept += 1;
                }
            }
            let left_out = first.len() as u64 - kept;
            answer.counts.add("kept", kept);
            if self.options.shared {
                answer.counts.add("others", left_out);
            } else {
                answer.counts.add("repeated", left_out - shared);
                if !self.options.against.is_empty() {
                    answer.counts.add("shared", shared);
                }
            }
            answer.counts += statuses;
            Ok(())
        })
    }

    fn continuation(&self) -> Continuation {
        match &self.duplicates {
            Some(_) => Continuation::Anew("a list of --duplicates always begins anew"),
            None => Continuation::Replay,
        }
    }

    fn abandon(&self, batch: u64) {
        self.seen.abandon(batch);
        if let Some(list) = &self.duplicates {
            list.abandon(batch);
        }
    }

    fn finish(&mut self, _: &Counts) -> anyhow::Result<Vec<Output>> {
        self.files_before.check_unchanged()?;
        let list = self.duplicates.as_ref();
        Ok(list
            .and_then(|list| list.with(Option::take))
            .into_iter()
            .collect())
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let failed = self.keys.outcome(counts, done.records).failed;
        let how = failure(self.by);
        // Statuses of what is compared say nothing: "unique" would read as "not repeated".
        let summary = Summary::of_records(done, counts.without(&["unique"]))
            .fact("by", self.by.name())
            .failed(failed, how);
        match self.options.against.is_empty() {
            true => summary,
            false => summary.fact("against", self.others.records),
        }
    }
}

/// The words for records that have no form to compare.
fn failure(by: Equivalence) -> &'static str {
    match by {
        Equivalence::Equality => "are malformed, and are kept",
        Equivalence::Minlex => {
            "have no smallest image: malformed ones are kept, the others are compared by their cells"
        }
        _ => {
            "have no canonical form: malformed ones are kept, the others are compared by their cells"
        }
    }
}

/// The exit status of a command whose other files were read before.
pub fn status_after(others_have_failed: bool, status: ExitCode) -> ExitCode {
    match others_have_failed {
        true => ExitCode::from(1),
        false => status,
    }
}

/// The records of other files, which come before the first record.
#[derive(Default)]
pub struct Others<'o> {
    /// The number of the first record of each file, and the file.
    files: Vec<(u64, &'o Path)>,
    pub records: u64,
    /// True if some of their records failed.
    pub have_failed: bool,
}

impl Others<'_> {
    /// The place of a record by its number over all files: its number in its file, from 0, and the file.
    /// It has none if it is in no other file.
    fn place(&self, number: u64) -> Option<(u64, &Path)> {
        let file = self.files.partition_point(|(first, _)| *first <= number);
        let (first, path) = self.files.get(file.checked_sub(1)?)?;
        (number < self.records).then_some((number - first, path))
    }
}

/// Notes the keys of records, and answers none.
struct Noting {
    by: Equivalence,
    keys: Question,
    seen: Seen,
    /// The name of the file, for messages.
    name: String,
}

impl RecordCommand for Noting {
    fn worker(&self) -> Worker<'_> {
        let mut asking = Asking::of(&self.keys).without_statuses();
        let mut first = Vec::new();
        Box::new(move |batch, answer| {
            let keys = asking.ask(batch, answer).keys();
            self.seen.find((batch.number, true), keys, &mut first)?;
            Ok(())
        })
    }

    fn abandon(&self, batch: u64) {
        self.seen.abandon(batch);
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let failed = self.keys.outcome(counts, done.records).failed;
        let how = failure(self.by);
        // The count of those that are kept is of the records that are answered.
        let how = how.split([':', ',']).next().unwrap_or_default();
        let how = format!("of {} {how}", self.name);
        Summary::of_records(done, Counts::default()).failed(failed, how)
    }
}
