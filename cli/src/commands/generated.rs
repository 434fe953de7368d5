//! Options and work of the commands that make records without input, in every form: `generate` makes
//! grids, `puzzles` makes puzzles, and `psp` makes both.
//!
//! A command implements [`Make`]: how a piece of records is made, and the values of its
//! columns. [`write()`] does the rest. It divides the numbers into pieces, makes them on all
//! threads, and writes them in order with [`Writer::generated_row`]. A compressed output gets a
//! member or frame for each piece. A record that could not be made is left out.

use crate::driver::{
    Arrays, arrays,
    job::{self, Job},
    options::{ArrayOption, CompressionOption, OutputForm, OutputOption, RunOptions},
    verify,
};
use crate::pipeline::{input::Shard, output::Output, whole};
use anyhow::bail;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use indicatif::HumanCount;
use std::ops::{Range, RangeInclusive};
use sudoku_batch::{
    format::{Added, Form, Place, Values, Writer},
    generate::shard,
    grid::{BLANK, CELLS, GridLine},
    questions::verification::{Checker, Wrong},
    technique::{Difficulty, Rating},
};

/// Says which records of a sequence to make. A record has a number, counted from 0.
#[derive(Debug, clap::Args)]
pub(crate) struct SliceOptions {
    /// Begin with the record of this number, counted from 0.
    #[arg(long, value_name = "I", default_value = "0", value_parser = quantity, allow_negative_numbers = true)]
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
            _ if start == 0 => bail!("too many grids: there are {}", HumanCount(most)),
            _ => bail!(
                "--start {start} leaves too few grids: there are {}",
                HumanCount(most)
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

/// Says in which form the records are written, and where they go.
#[derive(Debug, clap::Args)]
pub(crate) struct MadeOptions {
    /// The form of the output.
    ///
    /// Without it: npy if the name of the output ends in .npy, otherwise line.
    #[arg(long, alias = "output-format", value_name = "FORM", value_parser = made_form())]
    pub(crate) format: Option<OutputForm>,

    #[command(flatten)]
    pub(crate) arrays: ArrayOption,

    /// The compression.
    #[command(flatten)]
    pub(crate) compression: CompressionOption,

    /// Where the records go.
    #[command(flatten)]
    pub(crate) output: OutputOption,

    #[command(flatten)]
    pub(crate) run: RunOptions,
}

/// The forms of records that a command makes, with their help.
const MADE_FORMS: [(Form, &str); 7] = [
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
];

fn made_form() -> impl TypedValueParser<Value = OutputForm> {
    let values = MADE_FORMS.map(|(form, help)| PossibleValue::new(form.name()).help(help));
    let npy =
        PossibleValue::new("npy").help("Arrays of numpy, a file for each column, 0 for a blank");
    PossibleValuesParser::new(values.into_iter().chain([npy])).map(|name| {
        let named = MADE_FORMS.iter().find(|(form, _)| form.name() == name);
        named.map_or(OutputForm::Npy, |(form, _)| OutputForm::Text(*form))
    })
}

impl MadeOptions {
    /// Whether arrays are written.
    pub(crate) fn is_npy(&self) -> bool {
        OutputForm::is_npy(self.format, &self.output.output, &self.arrays.array)
    }

    /// The form of the records: a table where arrays are written, because it has all columns.
    pub(crate) fn form(&self) -> Form {
        match self.format {
            Some(OutputForm::Text(form)) => form,
            _ if self.is_npy() => Form::Csv,
            _ => Form::Line,
        }
    }

    /// Creates the outputs. `chosen` is one more column for arrays.
    pub(crate) fn target(
        &self,
        job: &mut Job<'_>,
        writer: &Writer,
        chosen: Option<&String>,
    ) -> anyhow::Result<Target> {
        let (path, packing) = (&self.output.output, self.compression.compress);
        if !self.is_npy() {
            let outputs = vec![job.create("--output", path, packing)?];
            return Ok(Target {
                outputs,
                arrays: None,
            });
        }
        arrays::check(self.format, packing.is_some())?;
        let chosen: Vec<_> = self.arrays.array.iter().chain(chosen).cloned().collect();
        let arrays = Arrays::generated(writer.columns(), &chosen, self.run.quiet)?;
        let paths = arrays.paths(&[path.to_path_buf()])?.into_iter();
        let outputs = paths.map(|path| job.create("--output", &path, None));
        Ok(Target {
            outputs: arrays.with_heads(outputs.collect::<Result<_, _>>()?)?,
            arrays: Some(arrays),
        })
    }
}

/// Where records go: to one output as text, or each column to one as an array.
pub(crate) struct Target {
    pub(crate) outputs: Vec<Output>,
    arrays: Option<Arrays>,
}

/// A number like `250`, `1_000_000`, `10k`, `10M` or `2G`, in capitals or not. One that is beyond
/// 64 bits is their largest, which is over any capacity.
pub(crate) fn quantity(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.as_bytes().split_last() {
        Some((b'k' | b'K', digits)) => (digits, 1_000),
        Some((b'm' | b'M', digits)) => (digits, 1_000_000),
        Some((b'g' | b'G', digits)) => (digits, 1_000_000_000),
        _ => (text.as_bytes(), 1),
    };
    let well_formed = digits.first().is_some_and(u8::is_ascii_digit)
        && digits.last().is_some_and(u8::is_ascii_digit)
        && digits.iter().all(|&c| c == b'_' || c.is_ascii_digit());
    if !well_formed {
        return Err("a number is wanted, like 250, 1_000_000, 10k, 10M or 2G".into());
    }
    let digits = digits.iter().filter(|&&c| c != b'_');
    let number = digits.fold(0u64, |number, c| {
        number
            .saturating_mul(10)
            .saturating_add(u64::from(c - b'0'))
    });
    Ok(number.saturating_mul(factor))
}

pub(crate) fn at_least_one(text: &str) -> Result<u64, String> {
    match quantity(text)? {
        0 => Err("at least 1 is wanted".into()),
        number => Ok(number),
    }
}

/// Says how hard puzzles are for a person.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct HowHard {
    /// Puzzles of a difficulty: a word for the ER that `sudoku-batch rate` gives.
    #[arg(long, value_name = "NAME", value_parser = difficulty())]
    pub(crate) difficulty: Option<Difficulty>,

    /// Puzzles with this ER: a number, or A..B
    ///
    /// From 1.0 to 11.9; A.. and ..B are open ends. Ratings above 4.4 take longer to make.
    #[arg(long, value_name = "A..B", value_parser = ratings, allow_hyphen_values = true)]
    pub(crate) rating: Option<RangeInclusive<Rating>>,
}

/// The difficulties, with their ranges.
fn difficulty() -> impl TypedValueParser<Value = Difficulty> {
    let value = |known: Difficulty| PossibleValue::new(known.name()).help(known.range());
    PossibleValuesParser::new(Difficulty::ALL.map(value)).map(|name| {
        let named = name.parse();
        named.expect("clap takes these names alone")
    })
}

/// A rating, or two with `..` between. One of the two may be missing.
fn ratings(text: &str) -> Result<RangeInclusive<Rating>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let [least, most] = [Difficulty::Easy, Difficulty::Extreme].map(Difficulty::ratings);
    let end = |text: &str, open: &Rating| match text {
        "" => Ok(*open),
        text => text.parse(),
    };
    match (end(first, least.start()), end(last, most.end())) {
        (Ok(first), Ok(last)) if first > last => Err(format!(
            "{first} is over {last}: the smaller rating comes first"
        )),
        (Ok(first), Ok(last)) if !matches!(text, "" | "..") => Ok(first..=last),
        _ => Err("a rating is wanted, like 2.6, or A..B, like 2.0..2.8".into()),
    }
}

/// Makes records by their numbers.
pub(crate) trait Make: Sync {
    /// What a thread keeps: its tools, and what it knows of the current piece.
    type Kept;

    /// How many records of this number a thread makes at a time, at least 1.
    ///
    /// It must not depend on the threads: each piece is packed by itself, and packed bytes are the
    /// same for any number of threads.
    fn at_once(&self, count: u64) -> u64;

    /// Whether there may be records that cannot be made.
    const MAY_MISS: bool = false;

    /// What a thread keeps, before its first piece.
    fn keep(&self) -> Self::Kept;

    /// Makes the records with these numbers, and writes the cells of each to its line. A
    /// record that cannot be made has a line of 81 points.
    fn make(&self, kept: &mut Self::Kept, numbers: Range<u64>, lines: &mut [GridLine]);

    /// Whether records are checked before they are written (`--verify`).
    fn verifies(&self) -> bool {
        false
    }

    /// Checks the records of a piece, which are about to be written. The check must not rely on
    /// [`make`](Self::make).
    ///
    /// # Errors
    ///
    /// A record is wrong: the first, by its place in the piece. It ends the run.
    fn verify(&self, _: &Self::Kept, _: &mut Checker, _: &[GridLine]) -> Result<(), Wrong> {
        Ok(())
    }

    /// Whether a record was made: the one at this place of the piece, from 0.
    fn is_made(&self, _kept: &Self::Kept, _at: usize) -> bool {
        true
    }

    /// How blanks are written.
    fn blank(&self) -> u8 {
        BLANK
    }

    /// Whether the form `line` has 81 points for a record that could not be made.
    fn keeps_place(&self) -> bool {
        false
    }

    /// Appends the value of one of the other columns, by its number from 0, for the record at
    /// this place of the piece.
    fn value(&self, kept: &Self::Kept, at: usize, column: usize, to: &mut Vec<u8>);
}

/// What a thread keeps.
struct Kept<K> {
    making: K,
    checker: Option<Checker>,
    lines: Vec<GridLine>,
    /// The values of the other columns of a record.
    values: Vec<Vec<u8>>,
}

/// A writer of the records that a command makes: their numbers in a column `index`, their cells,
/// and other columns.
pub(crate) fn writer(
    form: Form,
    cells: &'static str,
    others: impl IntoIterator<Item = (&'static str, Values)>,
) -> Writer {
    let column = |(name, values): (&str, Values)| Added {
        name: name.into(),
        place: Place::End,
        values,
    };
    let first = [("index", Values::Numbers), (cells, Values::Cells)];
    Writer::generated(form, first.into_iter().chain(others).map(column).collect())
}

/// Makes the records with these numbers, over all threads, and writes them. Returns how many
/// were made. `unit` is what the progress bar counts.
pub(crate) fn write<M: Make>(
    job: &mut Job<'_>,
    unit: &'static str,
    making: &M,
    range: Range<u64>,
    writer: &Writer,
    target: &Target,
) -> anyhow::Result<u64> {
    let first = range.start;
    let mut total = 0;
    job.begin(unit, Some(range.end - first));
    // Make at least one piece, because a header is written even before no records.
    let count = range.end - first;
    let size = making.at_once(count);
    let pieces = count.div_ceil(size).max(1);
    let numbers_of = |piece| {
        let start = first + piece * size;
        start..range.end.min(start + size)
    };
    let pieces = (0..pieces).map(|piece| Ok(Some(numbers_of(piece))));
    // The first blank line of all is left out. Where records may be missing, a piece does not know
    // whether a record was made in those before it. So that line goes when the piece is written.
    let is_cut = writer.begins_with_blank_line() && M::MAY_MISS;
    let leaves_out = writer.form() == Form::Line && M::MAY_MISS && !making.keeps_place();
    let mut nothing_yet = true;
    let others = writer.columns().len() - 2;
    let has_columns = !writer.form().is_of_nine_lines();
    let mut next = first;
    job.run_in_order(
        pieces,
        target.outputs.first(),
        || Kept {
            making: making.keep(),
            checker: making.verifies().then(Checker::default),
            lines: Vec::new(),
            values: vec![Vec::new(); others],
        },
        whole(|kept: &mut Kept<M::Kept>, numbers: Range<u64>, out| {
            let Kept {
                making: kept,
                checker,
                lines,
                values,
            } = kept;
            let count = (numbers.end - numbers.start) as usize;
            let mut of_others = Vec::new();
            let mut make = |kept: &mut M::Kept, lines: &mut [GridLine]| {
                making.make(kept, numbers.clone(), lines);
                if let Some(checker) = checker {
                    making.verify(kept, checker, lines)?;
                }
                if making.blank() != BLANK {
                    let lines = lines.iter_mut().enumerate();
                    let made = lines.filter(|&(at, _)| making.is_made(kept, at));
                    let cells = made.flat_map(|(_, line)| line);
                    cells
                        .filter(|c| **c == BLANK)
                        .for_each(|c| *c = making.blank());
                }
                Ok(())
            };
            if writer.form() == Form::Line {
                let lines = out.exactly(count * size_of::<GridLine>());
                let lines = lines.as_chunks_mut().0;
                make(kept, lines)?;
                if leaves_out {
                    let made = (0..count).filter(|&at| making.is_made(kept, at));
                    made.enumerate().for_each(|(to, at)| lines[to] = lines[at]);
                }
            } else {
                lines.resize(count, [0; CELLS + 1]);
                make(kept, lines)?;
                let mut out = out.growing();
                let mut buffers = vec![Vec::new(); target.outputs.len()];
                if numbers.start == first && target.arrays.is_none() {
                    writer.header(&mut out).expect("into memory");
                }
                let mut number = Number::new(numbers.start);
                for (at, line) in lines.iter().enumerate() {
                    if at > 0 {
                        number.count();
                    }
                    if !making.is_made(kept, at) {
                        continue;
                    }
                    // Nine lines have no room for them.
                    let others = if has_columns {
                        &mut values[..]
                    } else {
                        &mut []
                    };
                    for (column, value) in others.iter_mut().enumerate() {
                        value.clear();
                        making.value(kept, at, column, value);
                    }
                    let value = |column: usize| match column {
                        0 => number.digits(),
                        1 => &line[..CELLS],
                        other => &values[other - 2],
                    };
                    if let Some(arrays) = &target.arrays {
                        arrays.write_made(value, &mut buffers);
                        continue;
                    }
                    let is_first = numbers.start == first && at == 0;
                    let done = match is_first && writer.begins_with_blank_line() && !is_cut {
                        false => writer.generated_row(value, &mut out),
                        true => {
                            let mut row = Vec::new();
                            let done = writer.generated_row(value, &mut row);
                            out.extend_from_slice(&row[1..]);
                            done
                        }
                    };
                    done.expect("into memory");
                }
                if target.arrays.is_some() {
                    let others = buffers.split_off(1);
                    out.extend_from_slice(&buffers[0]);
                    buffers = others;
                }
                of_others = buffers;
            }
            let made = (0..count).filter(|&at| making.is_made(kept, at)).count();
            Ok((count as u64, made as u64, of_others))
        }),
        is_cut || leaves_out,
        |report, result: &mut Result<_, Wrong>, bytes| {
            let (done, made, of_others) = result.as_mut().map_err(|wrong| {
                let number = next + wrong.record as u64;
                let noun = unit.trim_end_matches('s');
                verify::error(format_args!("{noun} {number}, counted from 0"), &wrong.what)
            })?;
            let (done, made) = (*done, *made);
            for (output, bytes) in target.outputs.iter().skip(1).zip(of_others) {
                output.write_next(bytes)?;
            }
            next += done;
            total += made;
            report.advance(done, made);
            let begins = is_cut && nothing_yet && !bytes.is_empty();
            nothing_yet &= bytes.is_empty();
            let end = match leaves_out {
                true => made as usize * size_of::<GridLine>(),
                false => bytes.len(),
            };
            Ok(usize::from(begins)..end)
        },
    )
    .map_err(|error| {
        job::with_place(error, |piece| {
            let Range { start, end } = numbers_of(piece);
            let last = end.saturating_sub(1).max(start);
            format!("a thread panicked at {unit} {start} to {last}, counted from 0")
        })
    })?;
    Ok(total)
}

/// A number as text, which counts up. Dividing each number by ten takes a tenth of the time of a
/// table of grids, and `write!` six times as long as that.
struct Number {
    text: [u8; 20],
    start: usize,
}

impl Number {
    fn new(mut left: u64) -> Self {
        let mut text = [b'0'; 20];
        let mut start = text.len();
        loop {
            start -= 1;
            text[start] = b'0' + (left % 10) as u8;
            left /= 10;
            if left == 0 {
                return Self { text, start };
            }
        }
    }

    /// The next number. No piece counts beyond the largest `u64`, so there is room for its digits.
    #[inline]
    fn count(&mut self) {
        let mut at = self.text.len() - 1;
        while self.text[at] == b'9' {
            self.text[at] = b'0';
            at -= 1;
        }
        self.text[at] += 1;
        self.start = self.start.min(at);
    }

    #[inline]
    fn digits(&self) -> &[u8] {
        &self.text[self.start..]
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::driver::Files;
    use std::path::Path;
    use sudoku_batch::solve::NO_SOLUTION;

    /// Makes blank puzzles, and panics at some.
    struct Panicking(Vec<u64>);

    impl Make for Panicking {
        type Kept = ();

        fn at_once(&self, _: u64) -> u64 {
            100
        }

        fn keep(&self) {}

        fn make(&self, (): &mut (), numbers: Range<u64>, lines: &mut [GridLine]) {
            for number in &self.0 {
                assert!(!numbers.contains(number), "this panic is meant: {number}");
            }
            lines.fill(NO_SOLUTION);
        }

        fn value(&self, (): &(), _: usize, _: usize, _: &mut Vec<u8>) {}
    }

    /// Makes records of which some are changed before they are checked.
    pub(in crate::commands) struct Corrupting<M> {
        pub(in crate::commands) making: M,
        pub(in crate::commands) numbers: Vec<u64>,
        pub(in crate::commands) change: fn(&mut GridLine),
    }

    impl<M: Make> Make for Corrupting<M> {
        type Kept = M::Kept;
        const MAY_MISS: bool = M::MAY_MISS;

        fn at_once(&self, count: u64) -> u64 {
            self.making.at_once(count)
        }

        fn keep(&self) -> M::Kept {
            self.making.keep()
        }

        fn make(&self, kept: &mut M::Kept, numbers: Range<u64>, lines: &mut [GridLine]) {
            self.making.make(kept, numbers.clone(), lines);
            for number in &self.numbers {
                if numbers.contains(number) {
                    (self.change)(&mut lines[(number - numbers.start) as usize]);
                }
            }
        }

        fn verifies(&self) -> bool {
            self.making.verifies()
        }

        fn verify(
            &self,
            kept: &M::Kept,
            checker: &mut Checker,
            lines: &[GridLine],
        ) -> Result<(), Wrong> {
            self.making.verify(kept, checker, lines)
        }

        fn is_made(&self, kept: &M::Kept, at: usize) -> bool {
            self.making.is_made(kept, at)
        }

        fn value(&self, kept: &M::Kept, at: usize, column: usize, to: &mut Vec<u8>) {
            self.making.value(kept, at, column, to);
        }
    }

    /// Writes records in a form, with a command that fails. Returns the error, after a check that
    /// no file appears.
    pub(in crate::commands) fn fail<M: Make>(
        making: &M,
        unit: &'static str,
        numbers: Range<u64>,
        threads: usize,
        form: Form,
    ) -> String {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::default();
        let mut job = Job::start(&files, &RunOptions::without_summary(false), true).unwrap();
        job.set_threads(threads);
        let output = Output::create(&folder.path().join("made")).unwrap();
        let writer = writer(form, "grid", []);
        let target = Target {
            outputs: vec![output],
            arrays: None,
        };
        let error = write(&mut job, unit, making, numbers, &writer, &target).unwrap_err();
        drop(target);
        let is_empty = |folder: &Path| folder.read_dir().unwrap().next().is_none();
        assert!(is_empty(folder.path()));
        format!("{error:#}")
    }

    #[test]
    fn a_panic_names_the_numbers() {
        let making = Panicking(vec![750, 760, 2900]);
        for threads in [1, 2, 8] {
            for form in [Form::Line, Form::Csv] {
                assert_eq!(
                    fail(&making, "grids", 30..3000, threads, form),
                    "a thread panicked at grids 730 to 829, counted from 0: \
                     this panic is meant: 750"
                );
                assert_eq!(
                    fail(&making, "grids", 2830..2901, threads, form),
                    "a thread panicked at grids 2830 to 2900, counted from 0: \
                     this panic is meant: 2900"
                );
            }
        }
    }

    #[test]
    fn numbers_count_up() {
        for start in [0, 95, 999_990, u64::MAX - 12] {
            let mut number = Number::new(start);
            for expected in start..=start + 12 {
                assert_eq!(number.digits(), expected.to_string().as_bytes());
                if expected < start + 12 {
                    number.count();
                }
            }
        }
    }

    #[test]
    fn quantities() {
        let good = [
            ("0", 0),
            ("007", 7),
            ("1_000_000", 1_000_000),
            ("10k", 10_000),
            ("10K", 10_000),
            ("1_0M", 10_000_000),
            ("1m", 1_000_000),
            ("2g", 2_000_000_000),
            ("312063G", 312_063_000_000_000),
            ("99999999999999999999", u64::MAX),
            ("99999999999G", u64::MAX),
        ];
        for (text, number) in good {
            assert_eq!(quantity(text), Ok(number), "{text}");
        }
        for text in [
            "", "k", "_", "_1", "1_", "1_k", "-3", "+3", "1.5M", "1mm", "1kk", "abc", " 1", "１",
        ] {
            assert!(quantity(text).is_err(), "{text}");
        }
        assert!(at_least_one("0k").is_err());
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
