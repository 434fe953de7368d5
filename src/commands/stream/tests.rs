//! The driver with commands that do what no command should.

use super::*;
use crate::cli::{
    augment::Augment, canonical::Canonical, rank::Rank, solutions::Solutions, solve::Solve,
};
use crate::commands::{augment, canonical, rank, solutions, solve, turns::Turns};
use clap::Parser;
use std::{fs, ops::Range, path::PathBuf};
use sudoku_batch::grid::CELLS;

/// The options of a command without options of its own.
#[derive(Debug, clap::Args)]
struct NoOptions {
    #[command(flatten)]
    records: RecordOptions,
}

/// The command line of any command.
#[derive(Debug, clap::Parser)]
struct Line<O: clap::Args> {
    #[command(flatten)]
    options: O,
}

/// A folder with an input and an output that is there before.
struct Place {
    folder: tempfile::TempDir,
    input: PathBuf,
    output: PathBuf,
}

impl Place {
    fn with(name: &str, text: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join(name), folder.path().join("out"));
        fs::write(&input, text).unwrap();
        fs::write(&output, "as before").unwrap();
        Self {
            folder,
            input,
            output,
        }
    }

    /// Runs a command, and checks that it writes nothing. Returns the error.
    fn fail<C: RecordCommand>(&self, command: C, threads: usize, more: &[&str]) -> String {
        let options: NoOptions = self.options(threads, more);
        self.fail_with(command, &options.records)
    }

    /// The options for a number of threads, and more of them.
    fn options<O: clap::Args>(&self, threads: usize, more: &[&str]) -> O {
        let [input, output] = [&self.input, &self.output].map(|path| path.to_str().unwrap());
        let threads = threads.to_string();
        let arguments = ["-", input, "-o", output, "-q", "-j", &threads];
        Line::parse_from(arguments.iter().chain(more)).options
    }

    fn fail_with<C: RecordCommand>(&self, command: C, options: &RecordOptions) -> String {
        let input = self.input.to_str().unwrap();
        let error = format!("{:#}", run(command, options).unwrap_err());
        assert_eq!(fs::read_to_string(&self.output).unwrap(), "as before");
        assert_eq!(fs::read_dir(self.folder.path()).unwrap().count(), 2);
        let message = error.strip_prefix(&format!("{input}:"));
        let message = message.unwrap_or_else(|| panic!("{error}"));
        message.trim_start().to_owned()
    }
}

/// What a command that panics at a blank puzzle is about to do.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Doing {
    Answer,
    /// Its turn comes.
    Turn,
    Select,
    Add,
}

struct Panicking {
    doing: Doing,
    turns: Turns<()>,
}

impl Panicking {
    fn new(doing: Doing) -> Self {
        let turns = Turns::new(());
        Self { doing, turns }
    }

    fn panic_at(&self, doing: Doing, is_there: bool) {
        if doing == self.doing && is_there {
            panic!("this panic is meant: {doing:?}");
        }
    }
}

/// Whether a batch has a blank puzzle, and the addition is to panic.
#[derive(Default)]
struct Blank(bool, bool);

impl AddAssign for Blank {
    fn add_assign(&mut self, other: Self) {
        assert!(!other.1, "this panic is meant: Add");
    }
}

impl RecordCommand for Panicking {
    type Kept = ();
    type Total = Blank;
    const SELECTS: bool = true;

    fn columns(&mut self, _: &Layout) -> anyhow::Result<Vec<Added>> {
        Ok(Vec::new())
    }

    fn keep(&self) {}

    fn answer(&self, (): &mut (), lot: &Lot<'_>, rows: &mut Rows<'_>) -> Blank {
        let mut has_blank = false;
        for record in 0..lot.records.len() {
            let is_blank = lot.records.cells()[record] == [b'.'; CELLS];
            has_blank |= is_blank;
            self.panic_at(Doing::Answer, is_blank);
            rows.row(record);
        }
        self.turns.take(lot.number, |()| {
            self.panic_at(Doing::Turn, has_blank);
        });
        Blank(has_blank, has_blank && self.doing == Doing::Add)
    }

    fn select(&self, _: &Blank, batch: &mut Blank, _: &mut [bool]) {
        self.panic_at(Doing::Select, batch.0);
    }

    fn abandon(&self, batch: u64) {
        self.turns.abandon(batch);
    }

    fn summary(&self, _: &Blank, _: &Done) -> Summary {
        unreachable!("the run fails")
    }
}

const DOINGS: [Doing; 4] = [Doing::Answer, Doing::Turn, Doing::Select, Doing::Add];
const PUZZLE: &str =
    "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";

/// Records, of which those with these numbers, from 1, are blank.
fn records(count: usize, blank: &[usize]) -> Vec<String> {
    let mut records = vec![PUZZLE.to_owned(); count];
    for &number in blank {
        records[number - 1] = ".".repeat(CELLS);
    }
    records
}

/// The two numbers of a range in a message, after some words, and what follows.
fn range<'m>(message: &'m str, words: &str) -> (Range<usize>, &'m str) {
    let rest = message.strip_prefix(words).expect(message);
    let (first, rest) = rest.split_once(" to ").expect(message);
    let digits = rest.find(|c: char| !c.is_ascii_digit()).expect(message);
    let (last, rest) = rest.split_at(digits);
    let [first, last] = [first, last].map(|number| number.parse::<usize>().unwrap());
    (first..last + 1, rest)
}

/// A thread that panics: the records in its work are named, the first of them if several threads
/// panic. No output, no hang, and the same for any number of threads.
#[test]
fn a_panic_names_the_records() {
    let text = records(30_000, &[15_000, 15_001, 29_000]).join("\n");
    let place = Place::with("puzzles.txt", text);
    for doing in DOINGS {
        let fail = |threads| place.fail(Panicking::new(doing), threads, &[]);
        let message = fail(1);
        let (records, rest) = range(&message, "a thread panicked at records ");
        assert!(records.contains(&15_000) && records.len() < 10_000);
        let (lines, rest) = range(rest, " (lines ");
        assert_eq!(lines, records);
        assert_eq!(rest, format!("): this panic is meant: {doing:?}"));
        for threads in [2, 8] {
            assert_eq!(fail(threads), message);
        }
    }
}

/// Lines are not records: a comment comes before each, and a header before all.
#[test]
fn a_panic_names_records_and_their_lines() {
    let lines = records(20_000, &[12_000]).join("\n# a comment\n");
    let message = Place::with("lines", lines).fail(Panicking::new(Doing::Answer), 2, &[]);
    let (records, rest) = range(&message, "a thread panicked at records ");
    let (lines, _) = range(rest, " (lines ");
    assert!(records.contains(&12_000) && lines.contains(&(2 * 12_000 - 1)));
    assert!(lines.len().abs_diff(2 * records.len()) <= 1);

    let rows = (self::records(3, &[2]).iter().enumerate())
        .fold("id,puzzle\n".to_owned(), |text, (id, puzzle)| {
            text + &format!("{id},{puzzle}\n")
        });
    let message = Place::with("table.csv", rows).fail(Panicking::new(Doing::Answer), 2, &[]);
    assert_eq!(
        message,
        "a thread panicked at records 1 to 3 (lines 1 to 4): this panic is meant: Answer"
    );
}

/// A shard knows no lines, so bytes are named.
#[test]
fn a_panic_in_a_shard_names_bytes() {
    let place = Place::with("puzzles.txt", records(30_000, &[20_000]).join("\n"));
    for threads in [1, 2, 8] {
        let command = Panicking::new(Doing::Turn);
        let message = place.fail(command, threads, &["--shard", "2/2"]);
        let (bytes, rest) = range(&message, "a thread panicked at bytes ");
        let wanted = 82 * 19_999;
        assert!(
            bytes.contains(&wanted) && bytes.len() < 1_000_000,
            "{bytes:?}"
        );
        assert_eq!(rest, " of the text: this panic is meant: Turn");
    }
}

/// A command whose answers are changed before they are checked.
struct Corrupting<C> {
    command: C,
    /// The records with these cells are changed, in this column.
    cells: [u8; CELLS],
    column: usize,
    change: fn(&mut [u8]),
}

impl<C: RecordCommand> RecordCommand for Corrupting<C> {
    type Kept = C::Kept;
    type Total = C::Total;

    fn columns(&mut self, input: &Layout) -> anyhow::Result<Vec<Added>> {
        self.command.columns(input)
    }

    fn keep(&self) -> C::Kept {
        self.command.keep()
    }

    fn rows_of_a_record(&self) -> usize {
        self.command.rows_of_a_record()
    }

    fn answer(&self, kept: &mut C::Kept, lot: &Lot<'_>, rows: &mut Rows<'_>) -> C::Total {
        let total = self.command.answer(kept, lot, rows);
        for (record, cells) in lot.records.cells().iter().enumerate() {
            if *cells == self.cells {
                rows.corrupt(record, self.column, self.change);
            }
        }
        total
    }

    fn verifies(&self) -> bool {
        self.command.verifies()
    }

    fn verify(&self, checker: &mut Checker, lot: &Lot<'_>, made: &Made<'_>) -> Result<(), Wrong> {
        self.command.verify(checker, lot, made)
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        self.command.line(row, line)
    }

    fn summary(&self, total: &C::Total, done: &Done) -> Summary {
        self.command.summary(total, done)
    }
}

/// A puzzle with one solution, in which r1c1 is blank, and the solution.
const OTHER: &str =
    "..65.84..52........87....31..3.1..8.9..863..5.5..9.6..13....25........74..52.63..";

/// Runs a real command with `--verify` on a file in which records number 4,000 and 5,900, from 1,
/// are answered wrongly: `change` is done to the first row, in this column. Checks that the first
/// is named with its line and what is wrong, for any number of threads. Then runs it as it is.
fn check_wrong_answers<C: RecordCommand, O: clap::Args + 'static>(
    texts: [&str; 2],
    arguments: &[&str],
    command: impl Fn(&'static O) -> (C, &'static RecordOptions),
    (column, change): (usize, fn(&mut [u8])),
    what: &str,
) {
    let [common, wrong] = texts;
    let mut lines = vec![common; 6000];
    lines[3999] = wrong;
    lines[5899] = wrong;
    let place = Place::with("puzzles.txt", lines.join("\n"));
    for threads in [1, 2, 8] {
        let mut arguments = arguments.to_vec();
        arguments.push("--verify");
        // A command borrows its options.
        let options: &O = Box::leak(Box::new(place.options(threads, &arguments)));
        let (command, records) = command(options);
        let cells = wrong.split('"').find(|part| part.len() == CELLS).unwrap();
        let corrupting = Corrupting {
            command,
            cells: cells.as_bytes().try_into().unwrap(),
            column,
            change,
        };
        assert_eq!(
            place.fail_with(corrupting, records),
            format!("4000: --verify found a wrong answer: {what}; output files stay as they were")
        );
    }
}

/// Exchanges the first two cells.
fn swap(cells: &mut [u8]) {
    cells.swap(0, 1);
}

#[test]
fn a_wrong_solution_is_named() {
    let command = |options: &'static Solve| (solve::command(options), &options.records);
    for more in [
        &[][..],
        &["--format", "csv"],
        &["--engine", "scalar"],
        &["--format", "jsonl"],
    ] {
        let check = |change, what| {
            check_wrong_answers([PUZZLE, OTHER], more, command, (0, change), what);
        };
        check(swap, "column 1 does not hold each digit once");
        check(|cells| cells[80] = b'x', "r9c9 is not a digit");
        // A grid, with other digits than the clues.
        check(
            |cells| {
                for cell in cells {
                    *cell = match *cell {
                        b'6' => b'5',
                        b'5' => b'6',
                        cell => cell,
                    };
                }
            },
            "r1c3 is not the clue 6",
        );
        check(
            |cells| cells.fill(b'.'),
            "no answer, but the other engine finds one solution",
        );
    }
}

#[test]
fn a_wrong_solution_of_several_is_named() {
    let command = |options: &'static Solutions| (solutions::command(options), &options.records);
    // The digits 1 and 2 may change places in r1c1, r1c2, r4c1 and r4c2.
    let two = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642";
    for more in [&[][..], &["--format", "csv"]] {
        let check = |text, change, what| {
            check_wrong_answers([PUZZLE, text], more, command, (1, change), what);
        };
        check(OTHER, swap, "column 1 does not hold each digit once");
        let second: fn(&mut [u8]) = |cells| {
            // The second of the two.
            cells.swap(0, 1);
            cells.swap(27, 28);
        };
        check(two, second, "its solutions are not in order");
    }
}

#[test]
fn a_wrong_form_is_named() {
    let command = |options: &'static Canonical| (canonical::command(options), &options.records);
    let check = |more: &[&str], column, change, what| {
        check_wrong_answers([PUZZLE, OTHER], more, command, (column, change), what);
    };
    for more in [
        &[][..],
        &["--format", "csv"],
        &["--automorphisms", "--transformation"],
    ] {
        // A puzzle without clues.
        let blank = |cells: &mut [u8]| cells.fill(b'.');
        check(
            more,
            0,
            blank,
            "by the other engine the form has not one solution",
        );
        // Another clue, which another column cannot hold.
        let first: fn(&mut [u8]) = |cells| {
            let clues = cells.iter().filter(|c| **c != b'.');
            let [first, other] = [1, 2].map(|n| clues.clone().copied().nth(n).unwrap());
            cells.iter_mut().for_each(|cell| {
                *cell = match *cell {
                    c if c == first => other,
                    c => c,
                }
            });
        };
        check(
            more,
            0,
            first,
            "by the other engine the form has not one solution",
        );
    }
    // Two digits change places in the form: the puzzle is as good, but not the image.
    let renamed: fn(&mut [u8]) = |cells| {
        cells.iter_mut().for_each(|cell| {
            *cell = match *cell {
                b'1' => b'2',
                b'2' => b'1',
                cell => cell,
            }
        });
    };
    let what = "the transformation does not lead to the form";
    check(&["--transformation"], 0, renamed, what);
    let none: fn(&mut [u8]) = |text| text.fill(b'-');
    check(
        &["--transformation"],
        1,
        none,
        "the transformation is malformed",
    );
}

#[test]
fn a_wrong_number_is_named() {
    let command = |options: &'static Rank| (rank::command(options), &options.records);
    let sequence = sudoku_batch::generate::Sequence::seeded(5);
    let grids = [7, 123_456].map(|number| sequence.grid(number).unwrap());
    let texts = grids.each_ref().map(|grid| grid.as_str());
    let change: fn(&mut [u8]) = |number| number.reverse();
    let what = "654321 is the number of another grid";
    for more in [&["--seed", "5"][..], &["--seed", "5", "--format", "csv"]] {
        check_wrong_answers(texts, more, command, (0, change), what);
    }
}

#[test]
fn a_wrong_image_is_named() {
    let command = |options: &'static Augment| (augment::command(options), &options.records);
    let remove: fn(&mut [u8]) = |cells| {
        let clue = cells.iter_mut().find(|cell| **cell != b'.');
        *clue.unwrap() = b'.';
    };
    let check = |change, what| {
        check_wrong_answers([PUZZLE, OTHER], &["-k", "3"], command, (0, change), what);
    };
    check(remove, "an image has not the digits of the record");
    // The same digits elsewhere.
    let what = "an image has not as many solutions as the record";
    check(|cells| cells.sort_unstable(), what);
    // The second column are solutions. The first object has a wrong one, so its images have too.
    let object = |puzzle: &str, solution: &str| {
        format!(r#"{{"puzzle":"{puzzle}","solution":"{solution}"}}"#)
    };
    let objects = [
        object(PUZZLE, &".".repeat(CELLS)),
        object(
            OTHER,
            "316578492529134768487629531263415987974863125851792643138947256692351874745286319",
        ),
    ];
    let objects = objects.each_ref().map(String::as_str);
    let check = |change, what| {
        check_wrong_answers(objects, &["-k", "3"], command, (1, change), what);
    };
    check(|cells| cells[7] = b'x', "r1c8 is not a digit");
    check(|cells| cells.fill(b'.'), "an image has no solution");
}
