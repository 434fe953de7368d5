//! `sudoku-batch dedup`.

mod spill;

use super::{
    firsts::Firsts,
    job,
    stream::{self, Done, Lot, RecordCommand, Rows},
    summary::Summary,
    turns::Turns,
    uniqueness::{Uniqueness, nowhere, statuses},
};
use crate::cli::{dedup::Dedup, output::SummaryFormat};
use anyhow::bail;
use spill::Spill;
use std::{
    io::Write, ops::AddAssign, path::PathBuf, process::ExitCode, sync::Mutex, time::SystemTime,
};
use sudoku_batch::{
    Reason,
    batch::Tally,
    dataset::{By, Key, KeyMaker},
    format::{Added, Layout},
    pipeline::{Error, output::Output},
};

/// Keeps the first of all records that are equal.
pub(crate) fn run(mut options: Dedup) -> anyhow::Result<ExitCode> {
    let duplicates = options.duplicates.as_deref();
    let duplicates = duplicates.map(job::create).transpose()?;
    let mut files_before = Vec::new();
    let repeats = match options.memory {
        Some(memory) if !fits(&options, memory) => {
            files_before = state_of_files(&options);
            Repeats::Spilt(Turns::new((0, find_on_disk(&mut options, memory)?)))
        }
        _ => Repeats::InMemory(Firsts::new()),
    };
    let command = Deduplicating {
        by: options.by,
        keys: KeyMaker::random(),
        repeats,
        options: &options,
        files_before,
        duplicates: duplicates.map(|list| Turns::new(Some(list))),
        error: Mutex::new(None),
    };
    stream::run(command, &options.records)
}

/// Whether the keys of all records fit into this much memory. A key takes 32 bytes, and no
/// record is shorter than a line.
fn fits(options: &Dedup, memory: u64) -> bool {
    let lengths = options.records.files.iter().map(|path| {
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
fn find_on_disk(options: &mut Dedup, memory: u64) -> anyhow::Result<spill::Repeats> {
    let files = &options.records.files;
    if files
        .iter()
        .any(|path| !path.metadata().is_ok_and(|about| about.is_file()))
    {
        bail!(
            "--memory: the input may not fit, and has to be read twice: give a file in place of \
             standard input or a pipe"
        );
    }
    let finding = Finding {
        by: options.by,
        keys: KeyMaker::random(),
        spill: Turns::new((0, Spill::new(memory)?)),
        error: Mutex::new(None),
    };
    // Only the second reading reports anything.
    let output = &mut options.records.output;
    let path = std::mem::replace(&mut output.output, nowhere());
    let (quiet, summary) = (output.quiet, output.summary);
    (output.quiet, output.summary) = (true, Some(SummaryFormat::None));
    let rejects = options.records.rejects.take();
    let found = Mutex::new(None);
    stream::run(Finder(&finding, &found), &options.records)?;
    let output = &mut options.records.output;
    (output.output, output.quiet, output.summary) = (path, quiet, summary);
    options.records.rejects = rejects;
    let found = found.into_inner().expect("no thread panicked");
    found.expect("the summary is asked for at the end")
}

/// Finds which record repeats which.
enum Repeats {
    /// By the distinct records so far.
    InMemory(Firsts),
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
        keys: &[Option<Key>],
        first: &mut Vec<Option<u64>>,
    ) -> anyhow::Result<u64> {
        match self {
            Self::InMemory(firsts) => Ok(firsts.find(batch, keys, first)),
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

/// The state of each input file, to see that two readings read the same: that of a new file
/// of the same name differs too.
fn state_of_files(options: &Dedup) -> Vec<Option<FileState>> {
    let state = |path: &PathBuf| {
        let about = path.metadata().ok()?;
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            (about.dev(), about.ino())
        };
        #[cfg(not(unix))]
        let identity = (0, 0);
        Some((identity, about.len(), about.modified().ok()))
    };
    options.records.files.iter().map(state).collect()
}

/// Which file it is, its size and its time of modification.
type FileState = ((u64, u64), u64, Option<SystemTime>);

struct Deduplicating<'o> {
    by: By,
    keys: KeyMaker,
    repeats: Repeats,
    options: &'o Dedup,
    /// The state of the files before the first of two readings; empty if there is one.
    files_before: Vec<Option<FileState>>,
    /// The list of duplicates, until the driver takes it.
    duplicates: Option<Turns<Option<Output>>>,
    /// The first error of a turn.
    error: Mutex<Option<anyhow::Error>>,
}

/// The error that was noted, if there is one.
fn first_error(noted: &Mutex<Option<anyhow::Error>>) -> anyhow::Result<()> {
    let error = noted.lock().expect("no thread panicked").take();
    error.map_or(Ok(()), Err)
}

/// The counts.
#[derive(Default)]
struct Total {
    tally: Tally,
    malformed: u64,
    kept: u64,
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.tally += other.tally;
        self.malformed += other.malformed;
        self.kept += other.kept;
    }
}

/// The state that a thread keeps.
struct Kept {
    uniqueness: Uniqueness,
    forms: Vec<Option<Key>>,
    first: Vec<Option<u64>>,
}

impl Kept {
    fn new() -> Self {
        Self {
            uniqueness: Uniqueness::new(),
            forms: Vec::new(),
            first: Vec::new(),
        }
    }

    /// The key to compare for each record. It is `None` if the record cannot be compared.
    fn find_forms(&mut self, by: By, keys: &KeyMaker, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        self.forms.clear();
        let mut total = Total::default();
        if !by.needs_solution() {
            total.tally.records = lot.records.len() as u64;
            for record in 0..lot.records.len() {
                let puzzle = lot.records.puzzle(record);
                if let Err(error) = puzzle {
                    let reason = Reason::Malformed(error);
                    rows.reject(record, reason.name(), reason);
                    total.malformed += 1;
                }
                self.forms.push(puzzle.ok().map(|puzzle| keys.key(&puzzle)));
            }
            return total;
        }
        let solved = self.uniqueness.of(lot);
        solved.tell(rows);
        let forms = (0..lot.records.len()).map(|record| {
            let (puzzle, solution) = solved.pair(lot, record)?;
            Some(keys.key(&by.form(&puzzle, &solution)))
        });
        self.forms.extend(forms);
        total.tally = solved.answers.tally();
        total
    }
}

impl Deduplicating<'_> {
    /// For each record of a batch, finds the first record that equals it, and lists who
    /// repeats whom.
    fn find_first(&self, kept: &mut Kept, lot: &Lot<'_>) -> anyhow::Result<()> {
        let found = (self.repeats).find(lot.number, &kept.forms, &mut kept.first);
        let Some(list) = &self.duplicates else {
            return found.map(|_| ());
        };
        let mut text = Vec::new();
        if let Ok(before) = found {
            for (record, first) in (before + 1..).zip(&kept.first) {
                if let Some(first) = first {
                    writeln!(text, "{record}\t{}", first + 1).expect("into memory");
                }
            }
        }
        // Every batch takes its turn, or the others would wait for it.
        let written = list.take(lot.number, |list| match list {
            Some(list) => list.write_next(&text),
            None => Ok(()),
        });
        found?;
        Ok(written?)
    }
}

impl RecordCommand for Deduplicating<'_> {
    type Kept = Kept;
    type Total = Total;

    fn columns(&mut self, _: &Layout) -> anyhow::Result<Vec<Added>> {
        Ok(Vec::new())
    }

    fn keep(&self) -> Kept {
        Kept::new()
    }

    fn answer(&self, kept: &mut Kept, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        let mut total = kept.find_forms(self.by, &self.keys, lot, rows);
        if let Err(error) = self.find_first(kept, lot) {
            self.error
                .lock()
                .expect("no thread panicked")
                .get_or_insert(error);
            return total;
        }
        for (record, first) in kept.first.iter().enumerate() {
            if first.is_none() {
                rows.row(record);
                total.kept += 1;
            }
        }
        total
    }

    fn failure(&self) -> anyhow::Result<()> {
        first_error(&self.error)
    }

    fn finish(&self, _: &Total) -> anyhow::Result<()> {
        if !self.files_before.is_empty() {
            // The driver sees what changes during a reading, but not what changes between two.
            let before = self.files_before.iter().zip(state_of_files(self.options));
            let mut files = before.zip(&self.options.records.files);
            if let Some((_, path)) = files.find(|((before, now), _)| *before != now) {
                let name = path.display().to_string();
                return Err(Error::Changed { name }.into());
            }
        }
        self.failure()
    }

    fn outputs(&self) -> Vec<Output> {
        let list = self.duplicates.as_ref();
        list.and_then(|list| list.with(Option::take))
            .into_iter()
            .collect()
    }

    fn abandon(&self, batch: u64) {
        match &self.repeats {
            Repeats::InMemory(firsts) => firsts.abandon(batch),
            Repeats::Spilt(repeats) => repeats.abandon(batch),
        }
        if let Some(list) = &self.duplicates {
            list.abandon(batch);
        }
    }

    fn summary(&self, total: &Total, done: &Done) -> Summary {
        let records = total.tally.records;
        let mut counts = vec![("kept", total.kept), ("repeated", records - total.kept)];
        let failed = match self.by.needs_solution() {
            true => {
                counts.extend(statuses(&total.tally));
                records - total.tally.solved()
            }
            false => {
                counts.push(("malformed", total.malformed));
                total.malformed
            }
        };
        Summary {
            total: ("records", records),
            counts,
            among_first: Vec::new(),
            unit: "records",
            facts: std::iter::once(("by", self.by.name().into()))
                .chain(done.facts())
                .collect(),
            failed,
            failure: "could not be compared, and are kept",
        }
    }
}

/// The first of two readings.
struct Finding {
    by: By,
    keys: KeyMaker,
    /// The number of records before, and their keys.
    spill: Turns<(u64, Spill)>,
    error: Mutex<Option<anyhow::Error>>,
}

/// The search for repeats, and the place for its result.
struct Finder<'f>(
    &'f Finding,
    &'f Mutex<Option<anyhow::Result<spill::Repeats>>>,
);

impl RecordCommand for Finder<'_> {
    type Kept = Kept;
    type Total = Total;

    fn columns(&mut self, _: &Layout) -> anyhow::Result<Vec<Added>> {
        Ok(Vec::new())
    }

    fn keep(&self) -> Kept {
        Kept::new()
    }

    fn answer(&self, kept: &mut Kept, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        let total = kept.find_forms(self.0.by, &self.0.keys, lot, rows);
        let spilt = self.0.spill.take(lot.number, |(records, spill)| {
            for key in &kept.forms {
                if let Some(key) = key {
                    spill.push(*key, *records)?;
                }
                *records += 1;
            }
            anyhow::Ok(())
        });
        if let Err(error) = spilt {
            self.0
                .error
                .lock()
                .expect("no thread panicked")
                .get_or_insert(error);
        }
        total
    }

    fn abandon(&self, batch: u64) {
        self.0.spill.abandon(batch);
    }

    fn failure(&self) -> anyhow::Result<()> {
        first_error(&self.0.error)
    }

    fn finish(&self, _: &Total) -> anyhow::Result<()> {
        self.failure()?;
        let repeats = self.0.spill.with(|(records, spill)| spill.find(*records));
        *self.1.lock().expect("no thread panicked") = Some(repeats);
        Ok(())
    }

    fn summary(&self, total: &Total, _: &Done) -> Summary {
        Summary {
            total: ("records", total.tally.records),
            counts: Vec::new(),
            among_first: Vec::new(),
            unit: "records",
            facts: Vec::new(),
            failed: 0,
            failure: "",
        }
    }
}
