//! Options of the commands that make records without input, in every format: `generate` makes grids, `puzzles`
//! makes puzzles, and `psp` makes both. A [`MadeSet`] of the library makes them, and the driver writes them.

use crate::{
    driver::{
        self, Done, Files, MadeRecords, Plan, RecordCommand, Sink, Summary, Task, Worker,
        listed::ListedName,
        options::{
            ColumnsOption, CompressionOption, OutputForm, OutputOption, ResumeOptions, RunOptions,
            form_of, number_from,
        },
        words::grouped,
    },
    pipeline::input::Shard,
};
use anyhow::bail;
use clap::builder::{PossibleValue, TypedValueParser};
use std::{ops::Range, process::ExitCode};
use sudoku_batch::{
    format::{Added, Form, Layout},
    generate::shard,
    questions::{Column, Counts, MISSES, MadeSet, NumberError, number},
};

/// Says which records of a sequence to make. A record has a number, counted from 0.
#[derive(Debug, clap::Args)]
pub(crate) struct SliceOptions {
    /// Begin with the record of this number, counted from 0.
    #[arg(long, value_name = "I", default_value = "0", value_parser = number_from::<u64>(0), allow_negative_numbers = true)]
    pub(crate) start: u64,

    /// Make only the K-th of M parts of the whole.
    ///
    /// Parts follow each other: the lines of all of them, one after the other, are what would be made
    /// without this option. (Put a blank line between parts that are written as nine lines, and leave out
    /// the headers of later tables.)
    #[arg(long, value_name = "K/M")]
    pub(crate) shard: Option<Shard>,
}

impl SliceOptions {
    /// The numbers of all `count` records from the start on. There are `most` numbers.
    /// There may be fewer, which is an error.
    pub(crate) fn whole(&self, count: u64, most: u64) -> anyhow::Result<Range<u64>> {
        let start = self.start;
        match start.checked_add(count) {
            Some(end) if end <= most => Ok(start..end),
            _ if start == 0 => bail!("too many grids: there are {}", grouped(most)),
            _ => bail!(
                "--start {start} leaves too few grids: there are {}",
                grouped(most)
            ),
        }
    }

    /// The numbers of the records to make here: those of the shard, or all.
    /// There may be fewer, which is an error.
    pub(crate) fn part(&self, count: u64, most: u64) -> anyhow::Result<Range<u64>> {
        let whole = self.whole(count, most)?;
        Ok(match self.shard {
            Some(part) => shard(whole, part.part(), part.parts()),
            None => whole,
        })
    }
}

/// Says in which format the records are written, and where they go.
#[derive(Debug, clap::Args)]
pub(crate) struct MadeOptions {
    /// The format of the output.
    ///
    /// Without it: the one that the ending of its name says (.csv, .tsv, .jsonl or .npy), or else line.
    #[arg(long, alias = "output-format", value_name = "FORMAT", value_parser = made_form())]
    pub(crate) format: Option<OutputForm>,

    #[command(flatten)]
    pub(crate) columns: ColumnsOption,

    /// The compression.
    #[command(flatten)]
    pub(crate) compression: CompressionOption,

    /// The place of the records.
    #[command(flatten)]
    pub(crate) output: OutputOption,

    #[command(flatten)]
    pub(crate) resume: ResumeOptions,

    #[command(flatten)]
    pub(crate) run: RunOptions,
}

/// The formats of records that a command makes, with their help.
const MADE_FORMS: [(Form, &str); 15] = [
    (Form::Line, "81 cells on a line, `.` for a blank"),
    (
        Form::Csv,
        "A header, and for each record a row: its number, its cells and what else is known",
    ),
    (Form::Tsv, "The same with tabs"),
    (
        Form::Jsonl,
        "A JSON object on each line, with the same names",
    ),
    (
        Form::Block,
        "Nine lines of nine cells, `.` for a blank; a blank line between records",
    ),
    (
        Form::Grid,
        "Nine lines of nine digits with spaces between, 0 for a blank; a blank line between records",
    ),
    (
        Form::Pretty,
        "Nine lines in a frame, `.` for a blank; a blank line between records",
    ),
    (
        Form::Candidates,
        "729 characters on a line, nine for each cell: a clue is its only candidate, and a blank has all nine",
    ),
    (
        Form::Pencilmarks,
        "Nine lines of the candidates of each cell; a blank line between records",
    ),
    (
        Form::Sdk,
        "Nine lines of nine cells below a line `[Puzzle]`; a blank line between records",
    ),
    (
        Form::Box,
        "Nine lines in a frame of box drawing; a blank line between records",
    ),
    (Form::Link, "A link to SudokuWiki's solver on each line"),
    (
        Form::SudokuExchange,
        "A link to SudokuExchange's player on each line",
    ),
    (Form::Hodoku, "A line of HoDoKu's library"),
    (Form::S9b, "SudokuWiki's S9B, a line for each record"),
];

fn made_form() -> impl TypedValueParser<Value = OutputForm> {
    let values = MADE_FORMS.map(|(form, help)| PossibleValue::new(form.name()).help(help));
    let npy =
        PossibleValue::new("npy").help("Arrays of numpy, a file for each column, 0 for a blank");
    ListedName::of(values.into_iter().chain([npy]))
        .map(|name| form_of(&name).map_or(OutputForm::Npy, OutputForm::Text))
}

impl MadeOptions {
    fn asked(&self) -> Option<OutputForm> {
        OutputForm::of(self.format, &self.output.output)
    }

    /// Whether arrays are written.
    pub(crate) fn is_npy(&self) -> bool {
        self.asked() == Some(OutputForm::Npy)
    }

    /// The format of the records: a table where arrays are written, because it has all columns.
    pub(crate) fn form(&self) -> Form {
        match self.asked() {
            Some(OutputForm::Text(form)) => form,
            _ if self.is_npy() => Form::Csv,
            _ => Form::Line,
        }
    }

    /// Makes the records of a set.
    pub(crate) fn run(
        &self,
        files: &Files,
        (making, made): (&mut dyn RecordCommand, &MadeRecords),
        blank: Option<u8>,
    ) -> anyhow::Result<ExitCode> {
        let task = Task {
            form: self.asked().and_then(OutputForm::text),
            arrays: self.is_npy().then_some(&self.columns.columns),
            columns: &self.columns.columns,
            packing: self.compression.compress,
            blank,
            resume: Some(&self.resume),
            ..Task::making(made, &self.run, Sink::One(&self.output.output))
        };
        driver::run(files, making, &task)
    }
}

/// Reads how many records to make. A number that is beyond 64 bits is their largest, which is over any capacity.
pub(crate) fn at_least_one(text: &str) -> Result<u64, String> {
    match number(text) {
        Ok(0) => Err("at least 1 is wanted".into()),
        Ok(number) => Ok(number),
        Err(NumberError::TooLarge) => Ok(u64::MAX),
        Err(wrong) => Err(wrong.to_string()),
    }
}

/// A set of records at work: a command of the driver.
pub(crate) struct Making<'s> {
    /// A word for the records: `grids`.
    pub(crate) noun: &'static str,
    pub(crate) set: &'s dyn MadeSet,
    pub(crate) verify: bool,
    /// Whether a record that cannot be made has a row with nothing in it.
    pub(crate) keeps_places: bool,
    /// The number of records of other files that none is like, if there are such files.
    pub(crate) others: Option<u64>,
}

impl RecordCommand for Making<'_> {
    fn plan(&mut self, _: &Layout, output: Form) -> anyhow::Result<Plan> {
        let columns = self.set.columns();
        // Formats without room for columns show the first cells, and `--verify` looks at the next.
        let has_columns = !output.is_of_lines() && !output.is_of_nine_lines();
        let cells = |column: &Column| column.values.are_cells();
        let hidden = columns.iter().map(|column| !has_columns && !cells(column));
        let hidden = hidden.collect();
        let columns: Vec<_> = columns
            .iter()
            .map(|column| Added::new(column.name, column.values))
            .collect();
        Ok(Plan::alone(columns)
            .verified(self.verify, Some(self.set.check()))
            .hiding(hidden))
    }

    fn worker(&self) -> Worker<'_> {
        let mut make = self.set.worker();
        Box::new(move |batch, answer| {
            answer.keep_places(self.keeps_places);
            make(batch.numbers.clone(), answer);
            Ok(())
        })
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let failed = counts.get("not-made");
        let summary = Summary::new(self.noun, done.records, counts.without(&MISSES))
            .facts(self.set.facts())
            .failed(failed, "could not be made");
        let summary = match misses(counts) {
            Some(misses) if failed > 0 => summary.fact("tried", misses),
            _ => summary,
        };
        match self.others {
            Some(records) => summary.fact("against", records),
            None => summary,
        }
    }
}

/// The puzzles that were tried where some could not be made, and what they lacked.
fn misses(counts: &Counts) -> Option<String> {
    let names = MISSES
        .into_iter()
        .zip(["too easy", "too hard", "with other steps"]);
    let told = names.filter_map(|(name, words)| {
        let n = counts.get(name);
        (n > 0).then(|| format!("{n} {words}"))
    });
    let told: Vec<_> = told.collect();
    (!told.is_empty()).then(|| told.join(", "))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::path::Path;
    use sudoku_batch::{
        format::Values,
        generate::Grids,
        questions::{Data, MakeRecords, verification::Check},
    };

    /// Makes grids, and panics at some.
    #[derive(Debug)]
    struct Panicking(Vec<u64>);

    impl MadeSet for Panicking {
        fn columns(&self) -> Vec<Column> {
            let column = |name, values| Column::new(name, values, "");
            vec![
                column("index", Values::Record),
                column("grid", Values::Cells),
            ]
        }

        fn worker(&self) -> MakeRecords {
            let panics = self.0.clone();
            Box::new(move |numbers, answer| {
                for number in &panics {
                    assert!(!numbers.contains(number), "this panic is meant: {number}");
                }
                Grids::in_order().write_lines(numbers.start, answer.lines(1_usize));
            })
        }

        fn check(&self) -> Check {
            Check::Grids
        }

        fn capacity(&self) -> u64 {
            u64::MAX
        }
    }

    /// A change of a line that is about to be written.
    pub(in crate::commands) type Change = fn(&mut [u8]);

    /// Makes records of which some are changed before they are checked: the first column of grids or puzzles.
    #[derive(Debug)]
    pub(in crate::commands) struct Corrupting<'s> {
        pub(in crate::commands) set: &'s dyn MadeSet,
        pub(in crate::commands) numbers: Vec<u64>,
        pub(in crate::commands) change: Change,
    }

    impl MadeSet for Corrupting<'_> {
        fn columns(&self) -> Vec<Column> {
            self.set.columns()
        }

        fn worker(&self) -> MakeRecords {
            let (mut make, change) = (self.set.worker(), self.change);
            let changed = self.numbers.clone();
            Box::new(move |numbers, answer| {
                make(numbers.clone(), answer);
                for number in changed.iter().filter(|n| numbers.contains(n)) {
                    let at = (number - numbers.start) as usize;
                    change(match answer.column_mut(1) {
                        Data::Cells(lines) => &mut lines[at],
                        Data::Lent(lines) => &mut lines[at],
                        Data::Puzzles(puzzles) => puzzles.line_mut(at),
                        other => panic!("{other:?}"),
                    });
                }
            })
        }

        fn check(&self) -> Check {
            self.set.check()
        }

        fn capacity(&self) -> u64 {
            self.set.capacity()
        }
    }

    /// Writes records in a format, some at a time, with a command that fails. Returns the error, after a check
    /// that no file appears.
    pub(in crate::commands) fn fail(
        set: &dyn MadeSet,
        noun: &'static str,
        (numbers, at_once): (Range<u64>, u64),
        threads: usize,
        form: Form,
    ) -> String {
        let folder = tempfile::tempdir().unwrap();
        let made = MadeRecords {
            noun,
            numbers,
            at_once,
        };
        let mut making = Making {
            noun,
            set,
            verify: true,
            keeps_places: false,
            others: None,
        };
        let (run, output) = (
            RunOptions::without_summary(false),
            folder.path().join("made"),
        );
        let task = Task {
            form: Some(form),
            threads: Some(threads),
            ..Task::making(&made, &run, Sink::One(&output))
        };
        let error = driver::run(&Files::default(), &mut making, &task).unwrap_err();
        let is_empty = |folder: &Path| folder.read_dir().unwrap().next().is_none();
        assert!(is_empty(folder.path()));
        format!("{error:#}")
    }

    #[test]
    fn a_panic_names_the_numbers() {
        let set = Panicking(vec![750, 760, 2900]);
        for threads in [1, 2, 8] {
            for form in [Form::Line, Form::Csv] {
                assert_eq!(
                    fail(&set, "grids", (30..3000, 100), threads, form),
                    "a thread panicked at grids 700 to 799, counted from 0: \
                     this panic is meant: 750"
                );
                assert_eq!(
                    fail(&set, "grids", (2830..2901, 200), threads, form),
                    "a thread panicked at grids 2830 to 2900, counted from 0: \
                     this panic is meant: 2900"
                );
            }
        }
    }

    #[test]
    fn a_part_is_its_share_of_the_whole() {
        let slice = |start, shard: Option<&str>| SliceOptions {
            start,
            shard: shard.map(|text| text.parse().unwrap()),
        };
        assert_eq!(slice(5, None).part(10, 15).unwrap(), 5..15);
        assert_eq!(slice(5, Some("2/2")).whole(10, 15).unwrap(), 5..15);
        assert_eq!(slice(5, Some("2/2")).part(10, 15).unwrap(), 10..15);
        assert!(slice(6, None).part(10, 15).is_err());
        assert!(slice(u64::MAX, None).part(1, u64::MAX).is_err());
    }
}
