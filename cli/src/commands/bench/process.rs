//! Whole processes: `sudoku-batch solve` and other solvers in turn on the same file.

use super::{
    corpus::{Answers, Corpus, is_solution},
    figures::{CheckResult, Figures, Label},
    options::Bench,
    rounds::{Contender, rounds},
};
use crate::driver::{
    interrupt::{self, Child},
    options::FormOptions,
    reader::RecordReader,
    words::counted,
};
use anyhow::{Context, bail};
use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};
use sudoku_batch::{Goal, grid::CELLS};

/// A process that is measured from its start to its end. No run finds the file of the run before, and
/// `check` checks it. With `is_ours`, exit status 1 only means that some puzzles are not solved.
pub(super) fn process<'p>(
    (label, mut command): (Label, Command),
    is_ours: bool,
    output: &'p Path,
    check: impl Fn(&Path) -> anyhow::Result<CheckResult> + 'p,
) -> Contender<'p> {
    let name = label.engine.clone();
    let turn = move || {
        let _ = fs::remove_file(output);
        // Only its messages go to the user, not its standard output.
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let start = Instant::now();
        let status = Child::start(&mut command).and_then(Child::wait);
        let time = start.elapsed();
        let status = status.with_context(|| format!("cannot run {name}"))?;
        if status.success() || is_ours && status.code() == Some(1) {
            return Ok((time, check(output)?));
        }
        bail!("`{name}` failed: {status}")
    };
    let turn = Box::new(turn);
    Contender { label, turn }
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
        _ => " --unique",
    };
    let answers = Answers::of(corpus, options.question())?;
    let folder = interrupt::scratch_folder()?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    fs::write(&input, &corpus.text).context("cannot write a file of puzzles")?;
    let fed = match options.feed {
        None => input.clone(),
        Some(form) => {
            let fed = folder.path().join("fed");
            let mut convert = this_program()?;
            convert.args(["convert", "--quiet", "--input-format", "line", "--format"]);
            convert
                .arg(form.name())
                .arg("--output")
                .arg(&fed)
                .arg(&input);
            let status = Child::start(&mut convert).and_then(Child::wait);
            if !status.context("cannot run convert")?.success() {
                bail!("--feed: the puzzles have no format {}", form.name());
            }
            fed
        }
    };
    let contender = |engine: String, threads: Option<usize>, command| {
        let label = Label {
            engine: engine.clone(),
            threads,
            limit: threads.map(|_| options.limit()),
            ..corpus.label.clone()
        };
        let answers = &answers;
        let check = move |output: &Path| check(&engine, answers, corpus, output);
        process((label, command), threads.is_some(), &output, check)
    };
    let mut contenders = Vec::new();
    for threads in options.threads() {
        let mut command = this_program()?;
        command.arg("solve").args(unique.split_whitespace());
        command.arg("--quiet").arg(format!("--threads={threads}"));
        command.arg("--output").arg(&output).arg(&input);
        let name = format!("sudoku-batch solve{unique}");
        contenders.push(contender(name, Some(threads), command));
    }
    for line in &options.solver {
        let command = theirs(line, &fed, &output)?;
        contenders.push(contender(line.clone(), None, command));
    }
    let figures = rounds(contenders, options.rounds, "puzzles")?;
    Ok(Figures::compare_with_first(figures))
}

/// Another solver, by the line for a shell.
fn theirs(line: &str, input: &Path, output: &Path) -> anyhow::Result<Command> {
    let mut filled = line.to_owned();
    for (place, path) in [("{in}", input), ("{out}", output)] {
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
/// 81 digits, perhaps under a header, or grids in another format.
fn check(
    name: &str,
    answers: &Answers<'_>,
    corpus: &Corpus,
    output: &Path,
) -> anyhow::Result<CheckResult> {
    let text = fs::read(output).with_context(|| format!("`{name}` wrote no output"))?;
    let mut lines: Vec<_> = text.split_inclusive(|&c| c == b'\n').collect();
    let count = corpus.label.puzzles;
    if lines.len() == count + 1 && solution(lines[0]).is_none() {
        lines.remove(0);
    }
    let grids;
    if lines.len() != count
        && let Some(read) = read_grids(output).filter(|grids| grids.len() == count)
    {
        grids = read;
        lines = grids.iter().map(|grid| &grid[..]).collect();
    }
    if lines.len() != count {
        bail!(
            "`{name}` wrote {} for the {} of {}",
            counted(lines.len() as u64, "lines"),
            counted(count as u64, "puzzles"),
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

/// The grids of a file in any format, a line each; the text of a record that is none.
fn read_grids(path: &Path) -> Option<Vec<Vec<u8>>> {
    let mut reader = RecordReader::open(path, &FormOptions::AUTO).ok()?;
    let records = reader.records(1, None).ok()?.into_iter();
    let grids = records.map(|record| match record.puzzle_of_cells() {
        Ok(puzzle) => puzzle.as_ascii().to_vec(),
        Err(_) => record.text,
    });
    Some(grids.collect())
}

/// The last 81 digits from 1 to 9 of a line that stand by themselves.
fn solution(line: &[u8]) -> Option<&[u8]> {
    let words = line.rsplit(|c| !c.is_ascii_alphanumeric() && *c != b'.');
    let mut grids =
        words.filter(|word| word.len() == CELLS && word.iter().all(|c| (b'1'..=b'9').contains(c)));
    grids.next()
}
