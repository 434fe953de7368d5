//! The driver with commands that do what no command should.

use super::*;
use crate::pipeline::turns::Turns;
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
pub struct Place {
    folder: tempfile::TempDir,
    input: PathBuf,
    output: PathBuf,
}

impl Place {
    pub fn with(name: &str, text: impl AsRef<[u8]>) -> Self {
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
    fn fail(&self, mut command: Panicking, threads: usize, more: &[&str]) -> String {
        let options: NoOptions = self.options(more);
        let mut task = options.records.task();
        task.threads = Some(threads);
        self.fail_with(&mut command, &task)
    }

    /// The options of a command, with the input, the output and more of them.
    pub fn options<O: clap::Args>(&self, more: &[&str]) -> O {
        Line::parse_from(["-"].into_iter().chain(self.arguments(more))).options
    }

    /// The arguments of a command: the input, the output and more of them.
    pub fn arguments<'a>(&'a self, more: &'a [&str]) -> impl Iterator<Item = &'a str> {
        let [input, output] = [&self.input, &self.output].map(|path| path.to_str().unwrap());
        [input, "-o", output, "-q"]
            .into_iter()
            .chain(more.iter().copied())
    }

    /// Runs a command, and checks that it writes nothing. Returns the error.
    pub fn fail_with(&self, command: &mut dyn RecordCommand, task: &Task<'_>) -> String {
        let input = self.input.to_str().unwrap();
        let error = format!("{:#}", run(&Files::default(), command, task).unwrap_err());
        assert_eq!(fs::read_to_string(&self.output).unwrap(), "as before");
        assert_eq!(fs::read_dir(self.folder.path()).unwrap().count(), 2);
        let message = error.strip_prefix(&format!("{input}:"));
        let message = message.unwrap_or_else(|| panic!("{error}"));
        message.trim_start().to_owned()
    }
}

/// The step at which a command panics, at a blank puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Doing {
    Answer,
    /// Its turn comes.
    Turn,
    /// It returns an error in place of a panic.
    Fail,
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

impl RecordCommand for Panicking {
    fn worker(&self) -> Worker<'_> {
        Box::new(|batch, answer| {
            let mut has_blank = false;
            for record in 0..batch.records.len() {
                let is_blank = batch
                    .records
                    .puzzle(record)
                    .is_ok_and(|puzzle| puzzle.clue_count() == 0);
                has_blank |= is_blank;
                self.panic_at(Doing::Answer, is_blank);
                answer.row(record);
            }
            if has_blank && self.doing == Doing::Fail {
                bail!("this error is meant");
            }
            self.turns.take(batch.number, |()| {
                self.panic_at(Doing::Turn, has_blank);
            });
            Ok(())
        })
    }

    fn abandon(&self, batch: u64) {
        self.turns.abandon(batch);
    }

    fn summary(&self, _: &Counts, _: &Done) -> Summary {
        unreachable!("the run fails")
    }
}

const DOINGS: [Doing; 2] = [Doing::Answer, Doing::Turn];
pub const PUZZLE: &str =
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

/// An error of a command ends the run, although later batches wait for the batch that has it.
#[test]
fn an_error_ends_the_run() {
    let place = Place::with("puzzles.txt", records(30_000, &[15_000]).join("\n"));
    let options: NoOptions = place.options(&[]);
    for threads in [1, 2, 8] {
        let mut task = options.records.task();
        task.threads = Some(threads);
        let error = run(&Files::default(), &mut Panicking::new(Doing::Fail), &task).unwrap_err();
        assert_eq!(error.to_string(), "this error is meant");
    }
}
