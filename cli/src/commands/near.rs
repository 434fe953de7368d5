//! `sudoku-batch near`.

use crate::driver::{
    self, AddedColumns, Asking, Continuation, Done, Files, InputFile, Plan, Purpose, RecordCommand,
    SetOptions, Sink, Summary, Task, Worker,
    options::help,
    read_twice::ReadTwice,
    settings::{Defined, Settings},
};
use crate::pipeline::output::Output;
use crate::sets::{
    dedup::{self, Comparing, Others, Seen},
    filter::{self, HowHard},
};
use anyhow::bail;
use std::process::ExitCode;
use sudoku_batch::{
    dataset::{Equivalence, PuzzleHasher},
    format::{Added, Form, Layout, Records, Values, line},
    questions::{
        Answer, Counts, Data, Definition, FILTER, FilterSettings, NEAR, NearSettings, Question,
        RowView,
    },
};

/// List the puzzles that differ from a puzzle in a few clues.
///
/// A neighbour has one solution, and comes from a record (the seed) when exactly --drop of its clues go and --add
/// others come. A clue that comes stands in a blank cell, or has another digit in the cell of a clue that went.
///
/// Every neighbour gives one line: the number of its seed, from 1, a tab and the neighbour, and with --rating and
/// --te these. In a table the columns record, near, er, te and status follow those of the seed. Neighbours stand in
/// the order of the seeds, then of the clues that went, then of those that came.
///
/// Of all neighbours that are symmetric copies of each other, only the first is in the output, whatever its
/// seed. Copies of the seeds themselves stay unless --against names their file.
///
/// A seed may have any number of solutions. A seed that is given by candidates stands for its clues.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records have too many sets of clues, too few clues, or are malformed, those of --against among them"))]
pub(crate) struct Near {
    #[command(flatten)]
    settings: Settings<Self>,

    #[command(flatten)]
    hard: Settings<HowHard>,

    /// Leave out symmetric copies of the records in these files.
    ///
    /// All files up to the next option are meant, so the seeds stand before. They may have any format and any compression,
    /// whatever the seeds have. They are read first. Standard error reports their malformed records; they equal none.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    against: Vec<InputFile>,

    /// Use at most this much memory to compare neighbours, such as 500M or 8G, and the disk for the rest.
    ///
    /// All neighbours are found twice then, and rated once. The input cannot be standard input. The disk is that of
    /// the folder for temporary files; it needs 24 bytes a neighbour. Without this option a neighbour takes about 32
    /// bytes of memory.
    #[arg(long, value_name = "SIZE", value_parser = dedup::size)]
    memory: Option<u64>,

    #[command(flatten)]
    added: AddedColumns,

    #[command(flatten)]
    records: SetOptions,
}

/// The settings of neighbours are those of the definition.
impl Defined for Near {
    type Typed = NearSettings;
}

const NOTES: &str = "\
Examples:
  sudoku-batch near --minimal puzzles.txt -o near.txt
      All minimal puzzles in which one clue is another.
  sudoku-batch near known.txt --drop 2 --add 2 --minimal --against known.txt --rating 9.0.. -o new.txt
      Hard puzzles near known ones, without those.
  sudoku-batch near --drop 2 --add 1 --te 2.. seeds.txt | cut -f 2
      Puzzles with a clue less whose depth of trial and error is 2 or more.
  sudoku-batch near --drop 0 --add 1 several.txt
      Puzzles with several solutions, and one clue that leaves one.

The summary gives the numbers of neighbours, of those that repeat another, and of those that are kept.";

/// About how many bytes of neighbours of a batch are found together, before any is left out.
const PART: usize = 16 << 20;

impl Near {
    /// The question whether neighbours are as hard as is wanted, if anything is. With a rating it gives the ER, too.
    fn filter(&self) -> Option<Question> {
        let settings = FilterSettings {
            ratings: self.hard.typed().rating.is_some(),
            ..self.hard.typed().clone()
        };
        let is_asked = settings != FilterSettings::default();
        is_asked.then(|| Question::new(settings).expect("the conditions were checked"))
    }

    pub(crate) fn run(self, files: &Files) -> anyhow::Result<ExitCode> {
        let NearSettings { drop, add, .. } = *self.settings.typed();
        if drop == 0 && add == 0 {
            bail!("--drop 0 --add 0: at least one clue is to be another");
        }
        for (name, number) in [("drop", drop), ("add", add)] {
            if number > 81 {
                bail!("--{name} {number}: a puzzle has 81 cells");
            }
        }
        let comparing = Comparing {
            by: Equivalence::Symmetry,
            against: &self.against,
            read: &self.records.read,
            run: &self.records.run,
        };
        comparing.check_standard_input()?;
        let mut others = Others::default();
        let files_before = comparing.files_before(self.memory)?;
        let hasher = PuzzleHasher::random();
        let seen = comparing.note_others(files, &hasher, Seen::new(self.memory)?, &mut others)?;
        let mut search = Search {
            near: &self,
            asked: Question::new(self.settings.typed().clone())?,
            keys: dedup::question(Equivalence::Symmetry, hasher),
            seen,
            others: others.records,
            files_before,
        };
        if self.memory.is_some() {
            // Only the second search reports anything.
            let before = Task {
                purpose: Purpose::Before,
                ..Task::new(&self.records.read, &self.records.run, Sink::None)
            };
            driver::run(files, &mut search, &before)?;
            search.seen = search.seen.again().answered(others.records)?;
        }
        let task = self.records.task().adding(&self.added);
        let status = driver::run(files, &mut search, &task)?;
        Ok(dedup::status_after(others.have_failed, status))
    }
}

/// Finds the neighbours of all seeds, and keeps the first of those that are the same.
struct Search<'s> {
    near: &'s Near,
    asked: Question,
    /// The question for the keys of neighbours.
    keys: Question,
    seen: Seen,
    /// The number of records of other files, which come before all neighbours.
    others: u64,
    /// The input files before the first of two readings.
    files_before: ReadTwice,
}

/// The memory of a thread.
struct Finding {
    question: Question,
    answer: Answer<'static>,
    compare: Question,
    compared: Answer<'static>,
    /// The question whether neighbours are as hard as is wanted.
    filter: Option<Asking>,
    /// The neighbours of a part, and those that are rated.
    found: Records,
    kept: Records,
    text: Vec<u8>,
    /// The seed of each neighbour.
    seeds: Vec<usize>,
    first: Vec<Option<u64>>,
}

impl RecordCommand for Search<'_> {
    fn plan(&mut self, _: &Layout, _: Form) -> anyhow::Result<Plan> {
        let column =
            |name: &str, definition: &Definition| Added::new(name, definition.column(name).values);
        let mut columns = vec![column("record", &NEAR), Added::new("near", Values::Puzzles)];
        let hard = self.near.hard.typed();
        columns.extend(hard.rating.as_ref().map(|_| column("er", &FILTER)));
        columns.extend(hard.te.as_ref().map(|_| column("te", &FILTER)));
        columns.push(driver::status_column(&self.near.added.status_column));
        // A batch is to take some tenths of a second at the most.
        let settings = self.near.settings.typed();
        let is_quick = settings.drop <= 1 && settings.add <= 1;
        let rows = if is_quick { 16 } else { 1024 };
        Ok(Plan::new(columns).with_rows(rows).taking_long(true))
    }

    fn worker(&self) -> Worker<'_> {
        let mut finding = Finding {
            question: self.asked.fork(),
            answer: self.asked.empty(),
            compare: self.keys.fork(),
            compared: self.keys.empty().without_statuses(),
            filter: self.near.filter().as_ref().map(Asking::of),
            found: Records::default(),
            kept: Records::default(),
            text: Vec::new(),
            seeds: Vec::new(),
            first: Vec::new(),
        };
        Box::new(move |batch, answer| {
            finding.find(batch.records);
            let next = finding.answer.next();
            let turn = (batch.number, next.is_none());
            answer.counts += std::mem::take(&mut finding.answer.counts);
            let before = self
                .seen
                .find(turn, finding.compared.keys(), &mut finding.first)?;
            if before.is_some() && !batch.is_replayed {
                finding.give(self, answer);
            }
            answer.statuses.append(&mut finding.answer.statuses);
            answer.rejects.append(&mut finding.answer.rejects);
            answer.go_on_at(next);
            Ok(())
        })
    }

    /// All values with tabs between, but for the status.
    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        for column in 0..row.answer.kinds().len() - 1 {
            if column > 0 {
                line.push(b'\t');
            }
            row.push(column, line);
        }
        true
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn abandon(&self, batch: u64) {
        self.seen.abandon(batch);
    }

    /// A neighbour may repeat one of the seeds before. To find neighbours takes little of the time of their ratings.
    fn continuation(&self) -> Continuation {
        Continuation::Replay
    }

    fn finish(&mut self, _: &Counts) -> anyhow::Result<Vec<Output>> {
        self.files_before.check_unchanged()?;
        Ok(Vec::new())
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let outcome = self.asked.outcome(counts, done.records);
        let summary =
            Summary::of_records(done, outcome.counts).failed(outcome.failed, outcome.failure);
        if self.near.against.is_empty() {
            summary
        } else {
            summary.fact("against", self.others)
        }
    }
}

impl Finding {
    /// Finds the next part of the neighbours of a batch, and their keys (`compared`).
    fn find(&mut self, records: &Records) {
        let answer = &mut self.answer;
        answer.begin(records.len());
        answer.in_parts_of(PART);
        self.question.fill(records, answer);
        let Data::Puzzles(puzzles) = answer.named("near") else {
            unreachable!("neighbours are puzzles")
        };
        self.text.clear();
        self.seeds.clear();
        for (seed, places) in answer.entries() {
            let lines = puzzles.lines(places);
            self.text.extend_from_slice(lines.as_flattened());
            self.seeds.extend(lines.iter().map(|_| seed));
        }
        self.found.clear();
        line::read(&self.text, &mut self.found);
        self.compared.begin(self.found.len());
        self.compare.fill(&self.found, &mut self.compared);
    }

    /// Gives the neighbours that repeat no other and fulfil the conditions.
    fn give(&mut self, search: &Search<'_>, answer: &mut Answer<'_>) {
        let near = search.near;
        let is_new = |place: &usize| self.first[*place].is_none();
        let new: Vec<_> = (0..self.seeds.len()).filter(is_new).collect();
        let shared = self
            .first
            .iter()
            .flatten()
            .filter(|first| **first < search.others)
            .count();
        if self.filter.is_some() {
            let lines = self.text.as_chunks::<82>().0;
            let lines = Vec::from_iter(new.iter().map(|&place| lines[place]));
            self.kept.clear();
            line::read(lines.as_flattened(), &mut self.kept);
        }
        let filtered = self.filter.as_mut();
        let filtered = filtered.map(|filter| &*filter.answer(&self.kept));
        let meets = filtered.map(|answer| Vec::from_iter(filter::kept(answer)));
        let hard = near.hard.typed();
        let mut kept = 0;
        for (number, &place) in new.iter().enumerate() {
            if meets.as_ref().is_some_and(|meets| !meets[number]) {
                continue;
            }
            kept += 1;
            let mut row = answer
                .row(self.seeds[place])
                .own(self.found.own(place).as_ref());
            for (name, is_shown) in [("er", hard.rating.is_some()), ("te", hard.te.is_some())] {
                row = match filtered
                    .filter(|_| is_shown)
                    .map(|answer| answer.named(name))
                {
                    Some(Data::Ratings(er)) => row.rating(er[number]),
                    Some(Data::Names(depths)) => row.name(Some(depths[number].into())),
                    _ => row,
                };
            }
        }
        answer
            .counts
            .add("repeated", (self.seeds.len() - new.len() - shared) as u64);
        if !near.against.is_empty() {
            answer.counts.add("shared", shared as u64);
        }
        answer.counts.add("kept", kept);
    }
}
