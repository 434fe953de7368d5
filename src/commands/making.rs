//! Writes the records that a command makes without input, in every form: `generate` makes
//! grids, `puzzles` makes puzzles, and `psp` makes both.
//!
//! A command implements [`Make`]: how a piece of records is made, and the values of its
//! columns. [`write()`] does the rest. It divides the numbers into pieces, makes them on all
//! threads, and writes them in order. A compressed output gets a member or frame for each
//! piece.
//!
//! | form | what is written |
//! |---|---|
//! | `line` | 81 cells; 81 points for a record that could not be made |
//! | `csv`, `tsv` | a header, even before no records; then number, cells and other columns |
//! | `jsonl` | an object with the same names |
//! | `block`, `grid`, `pretty` | nine lines, with a blank line between two records |
//!
//! In all forms except `line`, a record that could not be made is left out.

use super::{
    checker::{self, Checker, Wrong},
    job::{self, Job},
};
use crate::cli::making::MadeForm;
use std::ops::Range;
use sudoku_batch::{
    format::{
        Values,
        block::{BLOCK, PRETTY, write_block, write_pretty},
        csv, jsonl,
    },
    grid::{BLANK, CELLS, GridLine},
    pipeline::{Growing, output::Output},
};

/// Makes records by their numbers.
pub(crate) trait Make: Sync {
    /// What a thread keeps: its tools, and what it knows of the current piece.
    type Kept;

    /// How many records a thread makes at a time.
    const AT_ONCE: u64;

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

    /// Appends the value of one of the [other columns](MadeColumns::others), by its number
    /// from 0, for the record at this place of the piece.
    fn value(&self, kept: &Self::Kept, at: usize, column: usize, to: &mut Vec<u8>);
}

/// What a thread keeps.
struct Kept<K> {
    making: K,
    checker: Option<Checker>,
    lines: Vec<GridLine>,
    /// Memory for values.
    text: Vec<u8>,
}

/// The columns of the records that a command makes. The first is `index`, the number of the
/// record.
pub(crate) struct MadeColumns {
    /// The name of the column of cells.
    pub(crate) cells: &'static str,
    /// The columns after it: names, and what kind of values they have.
    pub(crate) others: Vec<(&'static str, Values)>,
}

/// The name of the column of numbers.
const INDEX: &str = "index";

/// Makes the records with these numbers, over all threads, and writes them. Returns how many
/// were made. `unit` is what the progress bar counts.
pub(crate) fn write<M: Make>(
    job: &mut Job,
    unit: &'static str,
    making: &M,
    range: Range<u64>,
    writer: &MadeWriter,
    output: &Output,
) -> anyhow::Result<u64> {
    let first = range.start;
    let mut total = 0;
    job.begin(unit, Some(range.end - first));
    // Make at least one piece, because a header is written even before no records.
    let pieces = (range.end - first).div_ceil(M::AT_ONCE).max(1);
    let numbers_of = |piece| {
        let start = first + piece * M::AT_ONCE;
        start..range.end.min(start + M::AT_ONCE)
    };
    let pieces = (0..pieces).map(|piece| Ok(numbers_of(piece)));
    // A piece does not know whether a record was made in those before it. So each record has a
    // blank line before it, and the first blank line of all is left out when it is written.
    let is_cut = M::MAY_MISS && writer.is_of_nine_lines();
    let mut nothing_yet = true;
    let mut next = first;
    job.run_in_order(
        pieces,
        output,
        || Kept {
            making: making.keep(),
            checker: making.verifies().then(Checker::new),
            lines: Vec::new(),
            text: Vec::new(),
        },
        |kept, numbers: Range<u64>, out| {
            let Kept {
                making: kept,
                checker,
                lines,
                text,
            } = kept;
            let count = (numbers.end - numbers.start) as usize;
            let mut check = |kept: &M::Kept, lines: &[GridLine]| match checker {
                Some(checker) => making.verify(kept, checker, lines),
                None => Ok(()),
            };
            if writer.form == MadeForm::Line {
                let lines = out.exactly(count * size_of::<GridLine>());
                let lines = lines.as_chunks_mut().0;
                making.make(kept, numbers, lines);
                check(kept, lines)?;
            } else {
                lines.resize(count, [0; CELLS + 1]);
                making.make(kept, numbers.clone(), lines);
                check(kept, lines)?;
                let mut out = out.growing();
                let is_first = numbers.start == first;
                if is_first {
                    writer.header(&mut out);
                }
                let mut begins = is_first && !is_cut;
                for (at, line) in lines.iter().enumerate() {
                    if making.is_made(kept, at) {
                        let value = |column, to: &mut _| making.value(kept, at, column, to);
                        let number = numbers.start + at as u64;
                        writer.record(begins, number, line, value, text, &mut out);
                        begins = false;
                    }
                }
            }
            let made = (0..count).filter(|&at| making.is_made(kept, at)).count();
            Ok((count as u64, made as u64))
        },
        is_cut,
        |report, result: &mut Result<_, Wrong>, bytes| {
            let &mut (done, made) = result.as_mut().map_err(|wrong| {
                let number = next + wrong.record as u64;
                let noun = unit.trim_end_matches('s');
                checker::error(format_args!("{noun} {number}, counted from 0"), &wrong.what)
            })?;
            next += done;
            total += made;
            report.advance(done, made);
            let begins = is_cut && nothing_yet && !bytes.is_empty();
            nothing_yet &= bytes.is_empty();
            Ok(usize::from(begins)..bytes.len())
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

/// Writes records that a command makes in one of the forms.
pub(crate) struct MadeWriter {
    form: MadeForm,
    columns: MadeColumns,
    /// What stands for a blank in the form `grid`.
    blank: u8,
}

impl MadeWriter {
    /// A writer in this form.
    pub(crate) fn new(form: MadeForm, columns: MadeColumns) -> Self {
        Self {
            form,
            columns,
            blank: b'0',
        }
    }

    /// Has blanks be points in the form `grid` too.
    pub(crate) fn with_points(mut self) -> Self {
        self.blank = BLANK;
        self
    }

    /// Writes what comes before the first record: the header of a table.
    fn header(&self, out: &mut Growing<'_>) {
        let Some(delimiter) = self.delimiter() else {
            return;
        };
        out.extend_from_slice(INDEX.as_bytes());
        let others = self.columns.others.iter().map(|(name, _)| *name);
        for name in std::iter::once(self.columns.cells).chain(others) {
            out.extend_from_slice(&[delimiter]);
            out.extend_from_slice(name.as_bytes());
        }
        out.extend_from_slice(b"\n");
    }

    /// Whether a record is written as nine lines, with a blank line between two.
    fn is_of_nine_lines(&self) -> bool {
        matches!(
            self.form,
            MadeForm::Block | MadeForm::Grid | MadeForm::Pretty
        )
    }

    /// The delimiter of a table.
    fn delimiter(&self) -> Option<u8> {
        match self.form {
            MadeForm::Csv => Some(b','),
            MadeForm::Tsv => Some(b'\t'),
            _ => None,
        }
    }

    /// Writes a record: its number, its cells and the values of the other columns.
    ///
    /// `begins` says that no record comes before it. `value` appends the value of a column to
    /// an empty text. `text` is memory for that.
    #[inline]
    pub(crate) fn record(
        &self,
        begins: bool,
        number: u64,
        line: &GridLine,
        value: impl Fn(usize, &mut Vec<u8>),
        text: &mut Vec<u8>,
        out: &mut Growing<'_>,
    ) {
        let cells: &[u8; CELLS] = line.first_chunk().expect("81 of 82");
        match self.form {
            MadeForm::Line => out.extend_from_slice(line),
            MadeForm::Csv => self.row(b',', number, cells, value, text, out),
            MadeForm::Tsv => self.row(b'\t', number, cells, value, text, out),
            MadeForm::Jsonl => self.object(number, cells, value, text, out),
            MadeForm::Block | MadeForm::Grid | MadeForm::Pretty => {
                if !begins {
                    out.extend_from_slice(b"\n");
                }
                self.nine_lines(cells, out);
            }
        }
    }

    #[inline]
    fn row(
        &self,
        delimiter: u8,
        number: u64,
        cells: &[u8; CELLS],
        value: impl Fn(usize, &mut Vec<u8>),
        text: &mut Vec<u8>,
        out: &mut Growing<'_>,
    ) {
        write_number(number, out);
        out.extend_from_slice(&[delimiter]);
        out.extend_from_slice(cells);
        for (column, (_, values)) in self.columns.others.iter().enumerate() {
            out.extend_from_slice(&[delimiter]);
            text.clear();
            value(column, text);
            match values {
                Values::Text => csv::write_field(text, delimiter, out).expect("into memory"),
                Values::Cells | Values::Numbers | Values::Record => out.extend_from_slice(text),
            }
        }
        out.extend_from_slice(b"\n");
    }

    #[inline]
    fn object(
        &self,
        number: u64,
        cells: &[u8; CELLS],
        value: impl Fn(usize, &mut Vec<u8>),
        text: &mut Vec<u8>,
        out: &mut Growing<'_>,
    ) {
        out.extend_from_slice(b"{\"index\":");
        write_number(number, out);
        out.extend_from_slice(b",\"");
        out.extend_from_slice(self.columns.cells.as_bytes());
        out.extend_from_slice(b"\":\"");
        out.extend_from_slice(cells);
        out.extend_from_slice(b"\"");
        for (column, (name, values)) in self.columns.others.iter().enumerate() {
            out.extend_from_slice(b",\"");
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\":");
            text.clear();
            value(column, text);
            match (values, text.is_empty()) {
                (Values::Text | Values::Cells, _) => {
                    jsonl::write_string(text, out).expect("into memory");
                }
                (Values::Numbers | Values::Record, true) => out.extend_from_slice(b"null"),
                (Values::Numbers | Values::Record, false) => out.extend_from_slice(text),
            }
        }
        out.extend_from_slice(b"}\n");
    }

    #[inline]
    fn nine_lines(&self, cells: &[u8; CELLS], out: &mut Growing<'_>) {
        match self.form {
            MadeForm::Grid => {
                let cells = cells.map(|c| if c == BLANK { self.blank } else { c });
                let mut block = [0; BLOCK];
                write_block(&cells, &mut block);
                out.extend_from_slice(&block);
            }
            MadeForm::Pretty => {
                let mut pretty = [0; PRETTY];
                write_pretty(cells, &mut pretty);
                out.extend_from_slice(&pretty);
            }
            _ => {
                for row in cells.as_chunks::<9>().0 {
                    out.extend_from_slice(row);
                    out.extend_from_slice(b"\n");
                }
            }
        }
    }
}

/// Appends a number. It is a sixth of the time of `write!`, which shows in a table of grids.
#[inline]
fn write_number(number: u64, out: &mut Growing<'_>) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut left = number;
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{cli::output::SummaryFormat, commands::job::Settings};
    use std::path::Path;
    use sudoku_batch::solve::NO_SOLUTION;

    /// Makes blank puzzles, and panics at some.
    struct Panicking(Vec<u64>);

    impl Make for Panicking {
        type Kept = ();
        const AT_ONCE: u64 = 100;

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
        const AT_ONCE: u64 = M::AT_ONCE;
        const MAY_MISS: bool = M::MAY_MISS;

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
        form: MadeForm,
    ) -> String {
        let folder = tempfile::tempdir().unwrap();
        let mut job = Job::start(Settings {
            threads,
            quiet: true,
            bar: false,
            summary: SummaryFormat::None,
        })
        .unwrap();
        let output = Output::create(&folder.path().join("made")).unwrap();
        let columns = MadeColumns {
            cells: "grid",
            others: Vec::new(),
        };
        let writer = MadeWriter::new(form, columns);
        let error = write(&mut job, unit, making, numbers, &writer, &output).unwrap_err();
        drop(output);
        let is_empty = |folder: &Path| folder.read_dir().unwrap().next().is_none();
        assert!(is_empty(folder.path()));
        format!("{error:#}")
    }

    #[test]
    fn a_panic_names_the_numbers() {
        let making = Panicking(vec![750, 760, 2900]);
        for threads in [1, 2, 8] {
            for form in [MadeForm::Line, MadeForm::Csv] {
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
}
