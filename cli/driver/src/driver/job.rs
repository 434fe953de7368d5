//! The frame of all commands: signals, files, threads, reports during the work, and the
//! end. A command reads as
//!
//! ```text
//!     start    signals, threads
//!     open     inputs; create   outputs
//!     begin    the clock and the progress bar
//!     run      the pipeline; what is folded is reported
//!     write    a text to an output, which takes its place
//!     end      what went wrong, the summary, the exit status
//! ```

use super::{
    Purpose,
    files::{Files, STANDARD},
    interrupt,
    options::{RunOptions, SummaryFormat},
    progress::Progress,
    report::{is_closed_pipe, say},
    summary::Summary,
    words::{counted, grouped, said},
};
use crate::pipeline::{
    self, Error, Out, Threads,
    compression::Packing,
    input::Input,
    output::{self, Ended, Output},
};
use std::{
    borrow::Cow,
    io::{self, IsTerminal},
    ops::Range,
    path::Path,
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use sudoku_batch::{
    Puzzle,
    format::{Layout, Records},
    grid::{AnyPuzzle, CANDIDATES, CELLS},
    puzzle::FEWEST_CLUES,
};

/// The number of threads that each core can use: while some wait for a disk, others work.
const THREADS_OF_A_CORE: usize = 4;

/// The number of faulty records that are reported on standard error.
pub const SHOWN: usize = 10;

/// A command at work.
pub struct Job<'f> {
    pub(super) files: &'f Files,
    threads: Threads,
    report: Report,
    bar: bool,
    summary: SummaryFormat,
}

impl<'f> Job<'f> {
    /// Installs the signal handlers and starts the threads.
    ///
    /// More than [`THREADS_OF_A_CORE`] threads for each core are not started: they only take
    /// memory.
    pub fn start(files: &'f Files, options: &RunOptions, purpose: Purpose) -> anyhow::Result<Self> {
        interrupt::handle()?;
        let quiet = options.quiet || purpose == Purpose::Before;
        let threads = threads(options);
        if options.threads > threads.count() && !quiet && purpose == Purpose::Answer {
            say(format_args!(
                "sudoku-batch: {} in place of {}: more than {THREADS_OF_A_CORE} for each of {} gain nothing",
                counted(threads.count() as u64, "threads"),
                grouped(options.threads as u64),
                counted(Threads::new(0).count() as u64, "cores"),
            ));
        }
        Ok(Self {
            files,
            threads,
            report: Report {
                quiet,
                warnings: 0,
                progress: Progress::new(false, None, ""),
            },
            bar: !quiet && !options.no_progress,
            summary: match purpose {
                Purpose::Answer => options.summary_format(),
                Purpose::Before | Purpose::Compare => SummaryFormat::None,
            },
        })
    }

    /// Starts this number of threads, which may exceed that of the cores.
    #[cfg(test)]
    pub(super) fn with_threads(mut self, threads: Option<usize>) -> Self {
        self.threads = threads.map_or(self.threads, Threads::new);
        self
    }

    /// [Creates](Files::create) an output. Shows no progress bar if an output is a terminal.
    pub fn create(
        &mut self,
        option: &str,
        path: &Path,
        packing: Option<Packing>,
    ) -> anyhow::Result<Output> {
        let output = self.files.create(option, path, packing)?;
        self.bar &= !output.is_terminal();
        Ok(output)
    }

    /// Starts the clock. The progress bar is full at `total`, if that is known. `unit` is
    /// what the bar counts.
    pub fn begin(&mut self, unit: &'static str, total: Option<u64>) {
        let wanted = self.bar && !LISTENS.load(Relaxed);
        self.report.progress = Progress::new(wanted, total, unit);
    }

    /// Begins with the progress of an earlier run: `done` towards the total, and this number of items.
    pub fn begin_after(&mut self, done: u64, count: u64) {
        self.report.progress.begin_after(done, count);
    }

    /// Runs the [pipeline](pipeline::run_in_order). `fold` can report too.
    pub fn run_in_order<T: Send, S, R: Send>(
        &mut self,
        items: impl Iterator<Item = Result<T, Error>> + Send,
        output: Option<&Output>,
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &mut T, Out<'_>) -> (R, bool) + Sync,
        edits: bool,
        mut fold: impl FnMut(&mut Report, R, &mut [u8]) -> anyhow::Result<Range<usize>> + Send,
    ) -> anyhow::Result<()> {
        let Self {
            threads, report, ..
        } = self;
        let fold_one = |result, bytes: &mut [u8]| fold(report, result, bytes);
        let done = pipeline::run_in_order(*threads, items, output, state, work, edits, fold_one);
        self.report.progress.finish();
        done
    }

    /// Reports an error at a place of an input, as [`Report::warn_at`] does.
    pub fn warn_at(&mut self, place: &str, reason: &str, detail: &str) {
        self.report.warn_at(place, reason, detail);
    }

    /// Reports the result and gives the exit status.
    pub fn end(self, summary: &Summary) -> ExitCode {
        if summary.failed > 0 && !self.report.quiet {
            say(format_args!(
                "sudoku-batch: {} of {} {}",
                grouped(summary.failed),
                counted(summary.total, summary.noun),
                said(summary.failed, &summary.failure),
            ));
        }
        summary.print(self.summary, self.threads.count());
        ExitCode::from(u8::from(summary.failed > 0))
    }
}

/// The threads of a command: at most `THREADS_OF_A_CORE` for each core.
pub fn threads(options: &RunOptions) -> Threads {
    Threads::new(
        options
            .threads
            .min(THREADS_OF_A_CORE * Threads::new(0).count()),
    )
}

/// `records 7 to 12`: the names of `count` things after the first `before`, counted from 1.
pub fn numbers(noun: &str, before: u64, count: u64) -> String {
    match count {
        0 | 1 => format!("{noun} {}", before + 1),
        _ => format!("{noun}s {} to {}", before + 1, before + count),
    }
}

/// The records of an argument that is puzzles instead of the name of a file, if no file has that name: 81 cells, 729
/// candidates, or any text that [`Layout::detect`] reads, such as a drawing or a link.
pub fn literal(path: &Path) -> Option<Cow<'_, str>> {
    let text = path.to_str()?;
    let is_line = matches!(text.len(), CELLS | CANDIDATES) && text.parse::<AnyPuzzle>().is_ok();
    let clues = text.bytes().filter(|byte| matches!(byte, b'1'..=b'9'));
    if !is_line && clues.count() < FEWEST_CLUES || path.exists() {
        return None;
    }
    match is_line {
        true => Some(text.into()),
        false => puzzles_of(text).map(Cow::Owned),
    }
}

/// The puzzles of a text, a line for each, if all its records are puzzles.
fn puzzles_of(text: &str) -> Option<String> {
    if let Ok(puzzle) = text.parse::<Puzzle>() {
        return Some(puzzle.to_string());
    }
    let found = Layout::detect(text.as_bytes(), None, None).ok()?;
    let mut records = Records::default();
    let rest = &text.as_bytes()[found.skipped..];
    found.layout.read(rest, &mut records);
    let puzzles = (0..records.len()).map(|record| Some(records.puzzle(record).ok()?.to_string()));
    let puzzles: Vec<_> = puzzles.collect::<Option<_>>()?;
    (!puzzles.is_empty()).then(|| puzzles.join("\n"))
}

/// True if a user types the input. A bar would stand in the way.
static LISTENS: AtomicBool = AtomicBool::new(false);

/// The name of a puzzle on the command line, for messages.
const ARGUMENT: &str = "<argument>";

/// Opens a file, or standard input for `-`. An argument of 81 cells that names no file is
/// itself the input.
pub fn open(path: &Path) -> Result<Input, Error> {
    if let Some(text) = literal(path) {
        let line = io::Cursor::new(format!("{text}\n"));
        return Ok(Input::stream(ARGUMENT, line));
    }
    if path != Path::new(STANDARD) {
        return Input::open(path).map_err(|error| nearly_a_puzzle(path).unwrap_or(error));
    }
    if io::stdin().is_terminal() {
        say("sudoku-batch: reading from the terminal up to Ctrl-D");
        LISTENS.store(true, Relaxed);
    }
    Input::stdin()
}

/// The error that there is no such file, where the argument looks like a puzzle: cells, but not 81.
fn nearly_a_puzzle(path: &Path) -> Option<Error> {
    let name = path.to_str().filter(|_| !path.exists())?;
    let are_cells = name
        .bytes()
        .all(|c| c.is_ascii_digit() || b".*_xX".contains(&c));
    let source = format!(
        "no file has that name, and as a puzzle it has {} of 81 cells",
        name.len()
    );
    (are_cells && (41..=162).contains(&name.len())).then(|| Error::Open {
        name: name.into(),
        source: io::Error::other(source),
    })
}

/// Checks that such an input exists, without opening it. Opening a named pipe would wait
/// for its writer.
pub fn check_there(path: &Path) -> Result<(), Error> {
    if path == Path::new(STANDARD) || literal(path).is_some() {
        return Ok(());
    }
    match path.metadata() {
        Ok(about) if about.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Ok(()),
        Err(error) => Err(error),
    }
    .map_err(|source| {
        nearly_a_puzzle(path).unwrap_or_else(|| Error::Open {
            name: path.display().to_string(),
            source,
        })
    })
}

/// The result of a run over an input, or the error that the input changed meanwhile. What others
/// write to a file may look like damage.
pub fn unless_changed(done: anyhow::Result<()>, input: &Input) -> anyhow::Result<()> {
    // Nobody is left to read about a change.
    if !done.as_ref().is_err_and(is_closed_pipe) {
        input.check_unchanged()?;
    }
    done
}

/// Writes a text, and moves the output to its target.
pub fn write(output: Output, text: &str) -> anyhow::Result<()> {
    output.write_next(text.as_bytes())?;
    commit([output.end()?])
}

/// Moves outputs that are ended to their targets.
pub fn commit(outputs: impl IntoIterator<Item = Ended>) -> anyhow::Result<()> {
    interrupt::check();
    Ok(output::commit_all(outputs)?)
}

/// The reports on standard error during the work.
pub struct Report {
    quiet: bool,
    /// The number of warnings so far.
    warnings: usize,
    progress: Progress,
}

impl Report {
    /// Adds `done` to the progress towards the total, and `count` to the number of items
    /// that are done.
    pub fn advance(&mut self, done: u64, count: u64) {
        self.progress.advance(done, count);
    }

    /// Reports an error at a place of an input: the name of the reason, and its detail.
    /// After [`SHOWN`] reports it only counts.
    pub fn warn_at(&mut self, place: &str, reason: &str, detail: &str) {
        if self.warnings < SHOWN && !self.quiet {
            let colon = if detail.is_empty() { "" } else { ": " };
            let message = format!("{place}: {reason}{colon}{detail}");
            self.progress.say(&message);
        }
        self.warnings += 1;
    }
}
