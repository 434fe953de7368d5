//! Rounds of whole processes: `sudoku-batch solve` and other solvers in turn
//! on the same file.

use super::{
    super::{
        interrupt::{self, Child},
        progress::Progress,
    },
    corpus::{Answers, Corpus, is_solution},
    figures::Figures,
};
use crate::cli::bench::Bench;
use anyhow::{Context, bail};
use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use sudoku_batch::{Question, grid::CELLS};

/// A process that is measured.
pub(super) struct Contender {
    pub(super) name: String,
    pub(super) threads: Option<usize>,
    pub(super) command: Command,
    /// Whether exit status 1 only says that some puzzles are not solved.
    pub(super) is_ours: bool,
}

/// Measures all that the options ask for on one corpus.
pub(super) fn processes(corpus: &Corpus, options: &Bench) -> anyhow::Result<Vec<Figures>> {
    let answers = Answers::of(corpus, options.question())?;
    let folder = interrupt::scratch_folder()?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    fs::write(&input, &corpus.text).context("cannot write a file of puzzles")?;
    let mut contenders = ours(options, &input, &output)?;
    for line in &options.against {
        contenders.push(theirs(line, &input, &output)?);
    }
    let mut times = vec![Vec::new(); contenders.len()];
    let runs = u64::from(options.rounds + 1) * contenders.len() as u64;
    let mut progress = Progress::new(true, Some(runs), "puzzles");
    for round in 0..=options.rounds {
        for (contender, times) in contenders.iter_mut().zip(&mut times) {
            let _ = fs::remove_file(&output);
            let time = contender.run()?;
            check(contender, &answers, corpus, &output)?;
            if round > 0 {
                times.push(time);
            }
            progress.advance(1, corpus.count() as u64);
        }
    }
    progress.finish();
    let checked = answers.checked();
    let figures = contenders.into_iter().zip(times);
    let figures = figures.map(|(contender, times)| Figures {
        distinct: Some(corpus.distinct as u64),
        bytes: corpus.text.len(),
        engine: contender.name,
        threads: contender.threads,
        limit: contender.is_ours.then(|| super::limit(options)),
        solved: checked.solved,
        checksum: checked.checksum,
        ..Figures::new(&corpus.name, corpus.count(), times)
    });
    let mut figures: Vec<_> = figures.collect();
    let base = figures[0].ns_per_puzzle();
    for figures in &mut figures {
        figures.ratio = Some(figures.ns_per_puzzle() / base);
    }
    Ok(figures)
}

/// `sudoku-batch solve` with each number of threads.
fn ours(options: &Bench, input: &Path, output: &Path) -> anyhow::Result<Vec<Contender>> {
    let unique = match options.question() {
        Question::Solution => "",
        Question::Unique => " --unique",
        _ => bail!("--against goes with --limit first or unique"),
    };
    let program = env::current_exe().context("cannot find this program")?;
    let contender = |threads: usize| {
        let mut command = Command::new(&program);
        command.arg("solve").args(unique.split_whitespace());
        command.arg("--quiet").arg(format!("--threads={threads}"));
        command.arg("--output").arg(output).arg(input);
        Contender {
            name: format!("sudoku-batch solve{unique}"),
            threads: Some(threads),
            command,
            is_ours: true,
        }
    };
    Ok(super::threads(options).into_iter().map(contender).collect())
}

/// Another solver, by the line that a shell is given.
fn theirs(line: &str, input: &Path, output: &Path) -> anyhow::Result<Contender> {
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
        for place in [
            format!("'{place}'"),
            format!("\"{place}\""),
            place.to_owned(),
        ] {
            filled = filled.replace(&place, &quoted);
        }
    }
    let mut command = Command::new("sh");
    command.arg("-c").arg(filled);
    Ok(Contender {
        name: line.into(),
        threads: None,
        command,
        is_ours: false,
    })
}

impl Contender {
    /// Runs it: the time from its start to its end.
    pub(super) fn run(&mut self) -> anyhow::Result<Duration> {
        // Its standard output is not ours; its complaints are the user's.
        self.command.stdin(Stdio::null()).stdout(Stdio::null());
        let start = Instant::now();
        let status = Child::start(&mut self.command).and_then(Child::wait);
        let time = start.elapsed();
        let status = status.with_context(|| format!("cannot run {}", self.name))?;
        if status.success() || self.is_ours && status.code() == Some(1) {
            return Ok(time);
        }
        bail!("`{}` failed: {status}", self.name)
    }
}

/// Checks what a process wrote: a line for each puzzle, in which its solution is
/// the last thing of 81 digits.
fn check(
    contender: &Contender,
    answers: &Answers<'_>,
    corpus: &Corpus,
    output: &Path,
) -> anyhow::Result<()> {
    let name = &contender.name;
    let text = fs::read(output).with_context(|| format!("`{name}` wrote no output"))?;
    let text = text.strip_suffix(b"\n").unwrap_or(&text);
    let lines: Vec<_> = text.split(|&c| c == b'\n').collect();
    if lines.len() != corpus.count() || text.is_empty() {
        bail!(
            "`{name}` wrote {} lines for the {} puzzles of {}",
            if text.is_empty() { 0 } else { lines.len() },
            corpus.count(),
            corpus.name
        );
    }
    for (number, (line, (puzzle, &(count, _)))) in
        (1..).zip(lines.into_iter().zip(answers.records()))
    {
        let right = match (solution(line), count) {
            (Some(grid), 1..) => is_solution(grid, puzzle),
            (Some(_), 0) | (None, 1) => false,
            (None, 0) => true,
            // A solver may refuse a puzzle that has several solutions.
            (None, 2..) => true,
        };
        if !right {
            bail!(
                "`{name}` is wrong about puzzle {number} of {}: {}",
                corpus.name,
                String::from_utf8_lossy(line)
            );
        }
    }
    Ok(())
}

/// The last 81 digits from 1 to 9 of a line that stand by themselves.
fn solution(line: &[u8]) -> Option<&[u8]> {
    let words = line.rsplit(|c| !c.is_ascii_alphanumeric() && *c != b'.');
    let mut grids =
        words.filter(|word| word.len() == CELLS && word.iter().all(|c| (b'1'..=b'9').contains(c)));
    grids.next()
}

#[cfg(test)]
mod tests {
    use super::solution;

    #[test]
    fn the_solution_in_a_line() {
        let (one, two) = ("1".repeat(81), "2".repeat(81));
        for (line, found) in [
            (one.clone(), Some(&one)),
            (format!("{one}\r"), Some(&one)),
            (format!("{one},{two}"), Some(&two)),
            (format!("{two}:1:{one}:0.5ms"), Some(&one)),
            (format!("{one}1"), None),
            (one.replace('1', "."), None),
            (String::new(), None),
        ] {
            assert_eq!(
                solution(line.as_bytes()),
                found.map(String::as_bytes),
                "{line}"
            );
        }
    }
}
