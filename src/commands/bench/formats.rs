//! Rounds of `sudoku-batch solve` from file to file in every form, in turn with the tools
//! `gzip` and `zstd` on the same files.

use super::{
    super::{interrupt, job, progress::Progress},
    against::Contender,
    corpus::{Answers, Corpus},
    machine::{Machine, cores},
    table::Table,
};
use crate::cli::bench::Bench;
use anyhow::{Context, bail};
use serde::Serialize;
use std::{
    env, fs,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::Duration,
};
use sudoku_batch::{
    Question,
    grid::CELLS,
    pipeline::{input::Input, output::Output},
};

/// How many puzzles there are if nothing is said: enough that a process is measured, and not
/// its start.
const ENOUGH: usize = 2_000_000;

/// The bytes of a line of cells.
const LINE: usize = CELLS + 1;

/// Measures, checks and prints.
pub(super) fn run(options: &Bench) -> anyhow::Result<ExitCode> {
    let machine = Machine::here();
    let corpus = corpus(options)?;
    let texts = Texts::of(&corpus, options)?;
    let folder = interrupt::scratch_folder()?;
    let bench = Rounds {
        folder: folder.path().to_owned(),
        tools: Tools::here(),
        program: env::current_exe().context("cannot find this program")?,
        threads: options.threads.first().copied(),
        texts,
    };
    bench.write_inputs()?;
    let measured = bench.measure(options.rounds)?;
    print(options, &machine, &bench, &measured)?;
    Ok(ExitCode::SUCCESS)
}

/// The first file of the options, or the built-in class of easy puzzles.
fn corpus(options: &Bench) -> anyhow::Result<Corpus> {
    if options.files.len() > 1 {
        bail!("--formats takes one file");
    }
    // All of them, once each.
    let mut all = options.clone();
    (all.puzzles, all.exact) = (None, true);
    let first = Corpus::all(&all)?.into_iter().next();
    first.context("there are no puzzles")
}

/// The puzzles and what `solve --unique` is to make of them, a line each.
struct Texts {
    name: String,
    puzzles: Vec<u8>,
    solved: Vec<u8>,
    /// How many puzzles the corpus has by itself.
    distinct: usize,
}

impl Texts {
    /// Takes the puzzles of a corpus again and again, each time with other digits: compressed
    /// text would be too easy if it repeated itself.
    fn of(corpus: &Corpus, options: &Bench) -> anyhow::Result<Self> {
        let count = match options.puzzles {
            Some(number) => usize::try_from(number)?,
            None => ENOUGH,
        };
        let answers = Answers::of(corpus, Question::Unique)?;
        let known: Vec<_> = answers.records().collect();
        let (mut puzzles, mut solved) = (Vec::new(), Vec::new());
        for at in 0..count {
            let (puzzle, (_, solution)) = known[at % known.len()];
            let digits = permutation(at / known.len());
            let exchanged = |&cell: &u8| match cell {
                b'1'..=b'9' => digits[usize::from(cell - b'1')],
                other => other,
            };
            puzzles.extend(puzzle.as_ascii().iter().map(exchanged));
            puzzles.push(b'\n');
            solved.extend(solution.iter().map(exchanged));
        }
        Ok(Self {
            name: corpus.name.clone(),
            puzzles,
            solved,
            distinct: known.len(),
        })
    }

    fn count(&self) -> usize {
        self.puzzles.len() / LINE
    }

    /// Each puzzle and its solution.
    fn pairs(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let lines = self.puzzles.chunks(LINE).zip(self.solved.chunks(LINE));
        lines.map(|(puzzle, solution)| (&puzzle[..CELLS], &solution[..CELLS]))
    }
}

/// One of the orders of the nine digits. Each time that all are through they begin anew.
fn permutation(number: usize) -> [u8; 9] {
    let mut digits = *b"123456789";
    let mut rest = number;
    for left in (2..=9).rev() {
        digits[9 - left..].swap(0, rest % left);
        rest /= left;
    }
    digits
}

/// Which peers are installed.
struct Tools {
    gzip: bool,
    zstd: bool,
}

impl Tools {
    fn here() -> Self {
        let runs = |program: &str| {
            let mut command = Command::new(program);
            command
                .arg("--version")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        Self {
            gzip: runs("gzip"),
            zstd: runs("zstd"),
        }
    }
}

/// What an output has to be.
#[derive(Clone, Copy)]
enum Expected {
    /// The lines of solutions, compressed or not.
    Solved,
    /// The lines of puzzles.
    Puzzles,
    /// A header, and rows of a puzzle, its solution and more.
    Csv,
    /// An object with a puzzle, its solution and more in each line.
    JsonLines,
    /// Nothing is written.
    Nothing,
}

/// One line of the table.
struct Case {
    name: &'static str,
    /// The files of `solve`; `/dev/null` for none.
    input: &'static str,
    output: &'static str,
    expected: Expected,
    beside: Beside,
    /// How many times as long as its peer it may take.
    most: Option<f64>,
}

/// What a case is compared with.
enum Beside {
    /// The first case.
    Lines,
    /// A shell's line, which writes a file `peer`.
    Tool {
        program: &'static str,
        line: &'static str,
        writes: Expected,
    },
}

const CASES: [Case; 8] = [
    Case {
        name: "line to line",
        input: "in.txt",
        output: "out.txt",
        expected: Expected::Solved,
        beside: Beside::Lines,
        most: None,
    },
    Case {
        name: "CSV to CSV",
        input: "in.csv",
        output: "out.csv",
        expected: Expected::Csv,
        beside: Beside::Lines,
        most: Some(4.0),
    },
    Case {
        name: "JSON lines to JSON lines",
        input: "in.jsonl",
        output: "out.jsonl",
        expected: Expected::JsonLines,
        beside: Beside::Lines,
        most: Some(6.0),
    },
    Case {
        name: "from .gz",
        input: "in.txt.gz",
        output: "out.txt",
        expected: Expected::Solved,
        beside: Beside::Tool {
            program: "gzip",
            line: "gzip -dc in.txt.gz > peer",
            writes: Expected::Puzzles,
        },
        most: Some(1.1),
    },
    Case {
        name: "from .gz, to nothing",
        input: "in.txt.gz",
        output: "/dev/null",
        expected: Expected::Nothing,
        beside: Beside::Tool {
            program: "gzip",
            line: "gzip -dc in.txt.gz > /dev/null",
            writes: Expected::Nothing,
        },
        most: Some(1.1),
    },
    Case {
        name: "from .zst",
        input: "in.txt.zst",
        output: "out.txt",
        expected: Expected::Solved,
        beside: Beside::Tool {
            program: "zstd",
            line: "zstd -q -dc in.txt.zst > peer",
            writes: Expected::Puzzles,
        },
        most: Some(1.3),
    },
    Case {
        name: "from .zst, to nothing",
        input: "in.txt.zst",
        output: "/dev/null",
        expected: Expected::Nothing,
        beside: Beside::Tool {
            program: "zstd",
            line: "zstd -q -dc in.txt.zst > /dev/null",
            writes: Expected::Nothing,
        },
        most: Some(1.3),
    },
    Case {
        name: "to .zst",
        input: "in.txt",
        output: "out.txt.zst",
        expected: Expected::Solved,
        beside: Beside::Tool {
            program: "zstd",
            line: "zstd -q -1 -T2 -c solved.txt > peer",
            writes: Expected::Solved,
        },
        most: Some(1.5),
    },
];

/// The times of a case and of its peer, if there is one, of each round.
#[derive(Default)]
struct Times {
    ours: Vec<Duration>,
    peer: Vec<Duration>,
}

/// The median, the longer one in the middle of an even number.
fn median(times: &[Duration]) -> Option<f64> {
    let mut times = times.to_vec();
    times.sort();
    times.get(times.len() / 2).map(Duration::as_secs_f64)
}

struct Rounds {
    folder: PathBuf,
    tools: Tools,
    program: PathBuf,
    threads: Option<u64>,
    texts: Texts,
}

impl Rounds {
    /// Writes the puzzles in every form.
    fn write_inputs(&self) -> anyhow::Result<()> {
        let write = |name: &str, rows: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>| {
            let file = fs::File::create(self.folder.join(name));
            let written = file.and_then(|file| {
                let mut file = BufWriter::with_capacity(1 << 20, file);
                rows(&mut file)?;
                file.flush()
            });
            written.context("cannot write to the temporary folder")
        };
        let texts = &self.texts;
        write("in.txt", &mut |to| to.write_all(&texts.puzzles))?;
        write("solved.txt", &mut |to| to.write_all(&texts.solved))?;
        write("in.csv", &mut |to| {
            to.write_all(b"puzzle\n")?;
            to.write_all(&texts.puzzles)
        })?;
        write("in.jsonl", &mut |to| {
            for (puzzle, _) in texts.pairs() {
                to.write_all(b"{\"puzzle\":\"")?;
                to.write_all(puzzle)?;
                to.write_all(b"\"}\n")?;
            }
            Ok(())
        })?;
        self.compress(
            self.tools.gzip,
            "gzip -1 -c in.txt > in.txt.gz",
            "in.txt.gz",
        )?;
        self.compress(
            self.tools.zstd,
            "zstd -q -c in.txt > in.txt.zst",
            "in.txt.zst",
        )
    }

    /// Compresses the puzzles with a tool, or without it.
    fn compress(&self, has_tool: bool, line: &str, name: &str) -> anyhow::Result<()> {
        if has_tool {
            self.shell(line).run()?;
            return Ok(());
        }
        let output: Output = job::create(&self.folder.join(name))?;
        output.write_next(&self.texts.puzzles)?;
        job::deliver([], [output])
    }

    /// A line for a shell in the temporary folder.
    fn shell(&self, line: &str) -> Contender {
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(&self.folder);
        Contender {
            name: line.into(),
            threads: None,
            command,
            is_ours: false,
        }
    }

    /// `sudoku-batch solve` for a case.
    fn ours(&self, case: &Case) -> Contender {
        let mut command = Command::new(&self.program);
        command.args(["solve", "--unique", "--quiet"]);
        if let Some(threads) = self.threads {
            command.arg(format!("--threads={threads}"));
        }
        command.args([case.input, "--output", case.output]);
        command.current_dir(&self.folder);
        Contender {
            name: format!("sudoku-batch solve {}", case.input),
            threads: None,
            command,
            is_ours: true,
        }
    }

    fn has(&self, program: &str) -> bool {
        match program {
            "gzip" => self.tools.gzip,
            _ => self.tools.zstd,
        }
    }

    /// The times of each case. Each round runs all, one after the other; the first is to warm
    /// up.
    fn measure(&self, rounds: u32) -> anyhow::Result<Vec<Times>> {
        let mut times: Vec<_> = CASES.iter().map(|_| Times::default()).collect();
        let runs = u64::from(rounds + 1) * CASES.len() as u64;
        let mut progress = Progress::new(true, Some(runs), "puzzles");
        for round in 0..=rounds {
            for (case, times) in CASES.iter().zip(&mut times) {
                let time = self.run(&mut self.ours(case), case.output, case.expected)?;
                let mut peer = None;
                if let Beside::Tool {
                    program,
                    line,
                    writes,
                } = &case.beside
                    && self.has(program)
                {
                    peer = Some(self.run(&mut self.shell(line), "peer", *writes)?);
                }
                if round > 0 {
                    times.ours.push(time);
                    times.peer.extend(peer);
                }
                progress.advance(1, self.texts.count() as u64);
            }
        }
        progress.finish();
        Ok(times)
    }

    /// Runs a process, checks what it wrote and removes that.
    fn run(
        &self,
        contender: &mut Contender,
        output: &str,
        expected: Expected,
    ) -> anyhow::Result<Duration> {
        let time = contender.run()?;
        let output = self.folder.join(output);
        let right = self.is_right(&output, expected);
        if !right.with_context(|| format!("cannot check `{}`", contender.name))? {
            bail!("`{}` wrote something wrong", contender.name);
        }
        if output.starts_with(&self.folder) {
            // A peer that writes nothing has no file.
            let _ = fs::remove_file(&output);
        }
        Ok(time)
    }

    fn is_right(&self, output: &Path, expected: Expected) -> anyhow::Result<bool> {
        let texts = &self.texts;
        match expected {
            Expected::Nothing => Ok(true),
            Expected::Solved => is_text(output, &texts.solved),
            Expected::Puzzles => is_text(output, &texts.puzzles),
            Expected::Csv => {
                let mut rows = vec![(&b"puzzle"[..], &b"solution"[..])];
                rows.extend(texts.pairs());
                are_rows(output, &rows, |line, (puzzle, solution)| {
                    let mut fields = line.split(|&c| c == b',');
                    fields.next() == Some(puzzle) && fields.next() == Some(solution)
                })
            }
            Expected::JsonLines => {
                let rows: Vec<_> = texts.pairs().collect();
                are_rows(output, &rows, |line, (puzzle, solution)| {
                    let object: Result<serde_json::Value, _> = serde_json::from_slice(line);
                    object.is_ok_and(|object| {
                        let is = |key: &str, cells: &[u8]| {
                            object[key].as_str().map(str::as_bytes) == Some(cells)
                        };
                        is("puzzle", puzzle) && is("solution", solution)
                    })
                })
            }
        }
    }
}

/// Whether a file, unpacked if it is compressed, is a text.
fn is_text(path: &Path, text: &[u8]) -> anyhow::Result<bool> {
    let mut input = Input::map(path)?;
    let mut rest = text;
    for chunk in input.chunks() {
        let mut chunk = chunk?;
        match rest.strip_prefix(chunk.bytes()) {
            Some(after) => rest = after,
            None => return Ok(false),
        }
    }
    Ok(rest.is_empty())
}

/// Whether each line of a file is right for a row, and there are as many.
fn are_rows<'r>(
    path: &Path,
    rows: &[(&'r [u8], &'r [u8])],
    is_right: impl Fn(&[u8], (&'r [u8], &'r [u8])) -> bool,
) -> anyhow::Result<bool> {
    let mut input = Input::map(path)?;
    let mut rows = rows.iter();
    for chunk in input.chunks() {
        let mut chunk = chunk?;
        let text = chunk.bytes().strip_suffix(b"\n");
        for line in text.unwrap_or_default().split(|&c| c == b'\n') {
            if !rows.next().is_some_and(|&row| is_right(line, row)) {
                return Ok(false);
            }
        }
    }
    Ok(rows.next().is_none())
}

/// What is told of a case.
#[derive(Serialize)]
struct Told<'t> {
    case: &'t str,
    puzzles: usize,
    rounds: usize,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<f64>,
    #[serde(flatten)]
    machine: &'t Machine,
}

fn print(
    options: &Bench,
    machine: &Machine,
    bench: &Rounds,
    measured: &[Times],
) -> anyhow::Result<()> {
    let of_lines = median(&measured[0].ours).context("no round was measured")?;
    let told = |(case, times): (&'static Case, &Times)| {
        let seconds = median(&times.ours).unwrap_or_default();
        let (beside, beside_seconds) = match &case.beside {
            Beside::Lines if case.most.is_none() => (None, None),
            Beside::Lines => (Some(CASES[0].name), Some(of_lines)),
            Beside::Tool { line, .. } => (Some(*line), median(&times.peer)),
        };
        Told {
            case: case.name,
            puzzles: bench.texts.count(),
            rounds: times.ours.len(),
            seconds,
            beside,
            beside_seconds,
            ratio: beside_seconds.map(|beside| seconds / beside),
            at_most: case.most,
            machine,
        }
    };
    let told: Vec<_> = CASES.iter().zip(measured).map(told).collect();
    let mut text = String::new();
    if options.prints_jsonl() {
        for told in &told {
            text += &serde_json::to_string(told)?;
            text.push('\n');
        }
    } else {
        text += &heading(options, machine, bench);
        text += &table(&told).to_string();
        for (has, program) in [(bench.tools.gzip, "gzip"), (bench.tools.zstd, "zstd")] {
            if !has {
                text += &format!("{program} is not installed: nothing is compared with it\n");
            }
        }
    }
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn heading(options: &Bench, machine: &Machine, bench: &Rounds) -> String {
    let texts = &bench.texts;
    format!(
        "{}\n{}, {} of them by themselves and the others with their digits exchanged; {} \
         threads; medians of {} rounds after one to warm up\n\n",
        machine.line(),
        format_args!("{} puzzles of {}", texts.count(), texts.name),
        texts.distinct.min(texts.count()),
        bench.threads.unwrap_or(cores() as u64),
        options.rounds,
    )
}

fn table(told: &[Told<'_>]) -> Table {
    let mut table = Table::titled(&["solve", "seconds", "beside", "seconds", "ratio", "at most"]);
    let number = |number: Option<f64>, digits: usize| match number {
        Some(number) => format!("{number:.digits$}"),
        None => "-".into(),
    };
    for told in told {
        table.add(vec![
            told.case.into(),
            number(Some(told.seconds), 3),
            told.beside.unwrap_or("-").into(),
            number(told.beside_seconds, 3),
            number(told.ratio, 2),
            number(told.at_most, 1),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn all_orders_of_the_digits_come_once() {
        let orders: HashSet<_> = (0..362_880).map(permutation).collect();
        assert_eq!(orders.len(), 362_880);
        for order in [0, 1, 99_999, 362_880].map(permutation) {
            let mut sorted = order;
            sorted.sort_unstable();
            assert_eq!(&sorted, b"123456789");
        }
        assert_eq!(permutation(362_880), permutation(0));
    }

    #[test]
    fn medians() {
        let seconds =
            |times: &[u64]| -> Vec<_> { times.iter().copied().map(Duration::from_secs).collect() };
        assert_eq!(median(&seconds(&[5, 1, 3])), Some(3.0));
        assert_eq!(median(&seconds(&[5, 1, 3, 4])), Some(4.0));
        assert_eq!(median(&[]), None);
    }
}
