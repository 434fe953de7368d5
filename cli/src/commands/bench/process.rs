//! Whole processes: `sudoku-batch solve` and other solvers in turn on the same file.

use super::{
    corpus::{Answers, Corpus, is_solution},
    figures::{Checked, Figures, Label},
    options::Bench,
    rounds::{Contender, rounds},
};
use crate::driver::interrupt::{self, Child};
use anyhow::{Context, bail};
use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use sudoku_batch::{Goal, grid::CELLS};

/// Checks a file that the named process wrote.
type CheckFile<'p> = dyn Fn(&str, &Path) -> anyhow::Result<Checked> + 'p;

/// A process that is measured from its start to its end.
pub(super) struct Process<'p> {
    pub(super) label: Label,
    pub(super) command: Command,
    /// Whether exit status 1 only means that some puzzles are not solved.
    pub(super) is_ours: bool,
    /// The file that it writes. No run finds the file of the run before.
    pub(super) output: &'p Path,
    /// Checks the file.
    pub(super) check: Box<CheckFile<'p>>,
}

impl Contender for Process<'_> {
    fn label(&self) -> &Label {
        &self.label
    }

    fn run(&mut self) -> anyhow::Result<Duration> {
        let _ = fs::remove_file(self.output);
        // Only its messages go to the user, not its standard output.
        self.command.stdin(Stdio::null()).stdout(Stdio::null());
        let start = Instant::now();
        let status = Child::start(&mut self.command).and_then(Child::wait);
        let time = start.elapsed();
        let name = &self.label.engine;
        let status = status.with_context(|| format!("cannot run {name}"))?;
        if status.success() || self.is_ours && status.code() == Some(1) {
            return Ok(time);
        }
        bail!("`{name}` failed: {status}")
    }

    fn check(&mut self) -> anyhow::Result<Checked> {
        (self.check)(&self.label.engine, self.output)
    }
}

/// This program, to run a command of it.
pub(super) fn this_program() -> anyhow::Result<Command> {
    let path = env::current_exe().context("cannot find this program")?;
    Ok(Command::new(path))
}

/// Measures all that the options ask for on one corpus.
pub(super) fn processes(corpus: &Corpus, options: &Bench) -> anyhow::Result<Vec<Figures>> {
    let unique = match options.question() {
        Goal::Solution => "",
        Goal::Unique => " --unique",
        _ => bail!("--against goes with --limit first or unique"),
    };
    let answers = Answers::of(corpus, options.question())?;
    let folder = interrupt::scratch_folder()?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    fs::write(&input, &corpus.text).context("cannot write a file of puzzles")?;
    let contender = |engine, threads: Option<usize>, command| Process {
        label: Label {
            engine,
            threads,
            limit: threads.map(|_| options.limit()),
            ..corpus.label.clone()
        },
        command,
        is_ours: threads.is_some(),
        output: &output,
        check: Box::new(|name, output| check(name, &answers, corpus, output)),
    };
    let mut contenders: Vec<Box<dyn Contender>> = Vec::new();
    for threads in options.threads() {
        let mut command = this_program()?;
        command.arg("solve").args(unique.split_whitespace());
        command.arg("--quiet").arg(format!("--threads={threads}"));
        command.arg("--output").arg(&output).arg(&input);
        let name = format!("sudoku-batch solve{unique}");
        contenders.push(Box::new(contender(name, Some(threads), command)));
    }
    for line in &options.against {
        let command = theirs(line, &input, &output)?;
        contenders.push(Box::new(contender(line.clone(), None, command)));
    }
    let figures = rounds(contenders, options.rounds, "puzzles")?;
    Ok(Figures::compare_with_first(figures))
}

/// Another solver, by the line for a shell.
fn theirs(line: &str, input: &Path, output: &Path) -> anyhow::Result<Command> {
    let mut filled = line.to_owned();
    for (place, path) in [("{in}", input), ("{out}", output)] {
        if !line.contains(place) {
            bail!("--against '{line}' does not say where {place} goes");
        }
        let path = path
            .to_str()
            .context("the temporary folder's name is not UTF-8")?;
        let quoted = format!("'{}'", path.replace('\'', r"'\''"));
        // The place may be quoted or not: quotes within quotes would end them.
        for place in [format!("'{place}'"), format!("\"{place}\""), place.into()] {
            filled = filled.replace(&place, &quoted);
        }
    }
    let mut command = Command::new("sh");
    command.arg("-c").arg(filled);
    Ok(command)
}

/// Checks the output of a process: a line for each puzzle, in which its solution is the last
/// 81 digits.
fn check(
    name: &str,
    answers: &Answers<'_>,
    corpus: &Corpus,
    output: &Path,
) -> anyhow::Result<Checked> {
    let text = fs::read(output).with_context(|| format!("`{name}` wrote no output"))?;
    let lines: Vec<_> = text.split_inclusive(|&c| c == b'\n').collect();
    if lines.len() != corpus.label.puzzles {
        bail!(
            "`{name}` wrote {} lines for the {} puzzles of {}",
            lines.len(),
            corpus.label.puzzles,
            corpus.label.corpus
        );
    }
    for (number, (line, (puzzle, &(count, _)))) in (1..).zip(lines.iter().zip(answers.records())) {
        let right = match (solution(line), count) {
            (Some(grid), 1..) => is_solution(grid, puzzle),
            (Some(_), 0) | (None, 1) => false,
            // A solver may refuse a puzzle that has several solutions.
            (None, 0 | 2..) => true,
        };
        if !right {
            bail!(
                "`{name}` is wrong about puzzle {number} of {}: {}",
                corpus.label.corpus,
                String::from_utf8_lossy(line).trim_end()
            );
        }
    }
    Ok(answers.checked)
}

/// The last 81 digits from 1 to 9 of a line that stand by themselves.
fn solution(line: &[u8]) -> Option<&[u8]> {
    let words = line.rsplit(|c| !c.is_ascii_alphanumeric() && *c != b'.');
    let mut grids =
        words.filter(|word| word.len() == CELLS && word.iter().all(|c| (b'1'..=b'9').contains(c)));
    grids.next()
}
