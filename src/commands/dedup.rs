//! `sudoku-batch dedup`.

mod spill;

use super::{
    job,
    stream::{self, Done, Lot, RecordCommand, Rows},
    summary::Summary,
    turns::Turns,
    uniqueness::{Uniqueness, nowhere, statuses},
};
use crate::cli::{dedup::Dedup, output::SummaryFormat};
use anyhow::bail;
use spill::Spill;
use std::{io::Write, ops::AddAssign, process::ExitCode, sync::Mutex};
use sudoku_batch::{
    Reason,
    batch::Tally,
    dataset::{By, Distinct, Key, KeyMaker},
    format::{Added, Layout},
    pipeline::output::Output,
};

/// Keeps the first of all records that are equal.
pub(crate) fn run(mut options: Dedup) -> anyhow::Result<ExitCode> {
    let duplicates = options.duplicates.as_deref();
    let duplicates = duplicates.map(job::create).transpose()?;
    let first = match options.memory {
        Some(memory) if !fits(&options, memory) => {
            Repeats::Spilt(find_on_disk(&mut options, memory)?)
        }
        _ => Repeats::InMemory(Distinct::new()),
    };
    let command = Deduplicating {
        by: options.by,
        keys: KeyMaker::random(),
        state: Turns::new(State {
            records: 0,
            repeats: first,
            duplicates: duplicates.map(List::new),
        }),
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

/// What is needed about all records before.
struct State {
    /// The number of these records.
    records: u64,
    repeats: Repeats,
    duplicates: Option<List>,
}

/// Finds which record repeats which.
enum Repeats {
    /// The distinct records so far.
    InMemory(Distinct),
    /// The repeats that a first reading found.
    Spilt(spill::Repeats),
}

impl Repeats {
    /// The number of the first record that equals this one, if there is one before it.
    fn first(&mut self, key: Option<Key>, number: u64) -> anyhow::Result<Option<u64>> {
        match self {
            Self::InMemory(distinct) => Ok(key.and_then(|key| distinct.insert(key, number))),
            Self::Spilt(repeats) => repeats.first(number),
        }
    }
}

/// The list of duplicates.
struct List {
    output: Output,
    text: Vec<u8>,
}

impl List {
    fn new(output: Output) -> Self {
        Self {
            output,
            text: Vec::new(),
        }
    }

    fn add(&mut self, record: u64, first: u64) {
        writeln!(self.text, "{}\t{}", record + 1, first + 1).expect("into memory");
    }

    fn write(&mut self) -> anyhow::Result<()> {
        self.output.write_next(&self.text)?;
        self.text.clear();
        Ok(())
    }
}

struct Deduplicating {
    by: By,
    keys: KeyMaker,
    state: Turns<State>,
    /// The first error of a turn.
    error: Mutex<Option<anyhow::Error>>,
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

impl Deduplicating {
    /// For each record of a batch, the first record that equals it.
    fn find_first(&self, kept: &mut Kept, lot: &Lot<'_>) -> anyhow::Result<()> {
        kept.first.clear();
        self.state.take(lot.number, |state| {
            for &key in &kept.forms {
                let number = state.records;
                state.records += 1;
                let first = state.repeats.first(key, number)?;
                if let (Some(first), Some(list)) = (first, &mut state.duplicates) {
                    list.add(number, first);
                }
                kept.first.push(first);
            }
            match &mut state.duplicates {
                Some(list) => list.write(),
                None => Ok(()),
            }
        })
    }
}

impl RecordCommand for Deduplicating {
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

    fn finish(&self, _: &Total) -> anyhow::Result<()> {
        match self.error.lock().expect("no thread panicked").take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn outputs(&self) -> Vec<Output> {
        let list = self.state.with(|state| state.duplicates.take());
        list.map(|list| list.output).into_iter().collect()
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

    fn finish(&self, _: &Total) -> anyhow::Result<()> {
        if let Some(error) = self.0.error.lock().expect("no thread panicked").take() {
            return Err(error);
        }
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
