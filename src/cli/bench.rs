//! `sudoku-batch bench`.

use super::{
    engines::{OneOrAll, engines, levels},
    making::at_least_one,
    usage_error,
};
use clap::{ValueEnum, error::ErrorKind};
use std::{fmt, path::PathBuf};
use sudoku_batch::{
    Engine, Level, Question,
    puzzle::{Difficulty, Recipe},
};

/// Measure how fast this machine solves puzzles.
///
/// The work goes from text to text in memory, in chunks of the sizes that solve uses. Each thread has a
/// part of the puzzles to itself. All engines, levels and numbers of threads take turns in every round,
/// after one round to warm up.
///
/// In place of this, --generate measures how fast grids are made, --puzzles-of how fast puzzles are made,
/// --against another solver, and --formats what other forms of files and compression cost.
///
/// Every solution of every round is checked. A wrong one ends the run without a figure.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Bench {
    /// Puzzles, as in solve; `-` is standard input [default: three classes that are built in: easy,
    /// minimal and hard].
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// How many puzzles of each file or class: they are cut or repeated to this [default: all of a file;
    /// 20k where there are fewer].
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) puzzles: Option<u64>,

    /// Never repeat puzzles.
    ///
    /// Some thousand puzzles are solved too quickly to be measured well, and repeated ones are kinder to
    /// the branch predictor.
    #[arg(long)]
    pub(crate) exact: bool,

    /// How many rounds are measured.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub(crate) rounds: u32,

    /// Numbers of threads, like 1,2,4 [default: 1 and one for each core].
    #[arg(short = 'j', long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=4096), allow_negative_numbers = true)]
    pub(crate) threads: Vec<u64>,

    /// Which engines [default: all].
    #[arg(long = "engine", value_name = "NAME,…", value_delimiter = ',', value_parser = engines())]
    engines: Vec<OneOrAll<Engine>>,

    /// Levels of the sliced engine, like avx2,portable [default: the best of this CPU].
    #[arg(long = "level", value_name = "NAME,…", value_delimiter = ',', value_parser = levels())]
    levels: Vec<OneOrAll<Level>>,

    /// What is asked of each puzzle: first (a solution, of several the smallest), unique (its only
    /// solution), or a number (how many solutions, up to this) [default: unique].
    #[arg(long, value_name = "LIMIT", value_parser = limit, allow_negative_numbers = true)]
    limit: Option<Question>,

    /// Measure the generator on so many grids, in order and shuffled, to memory and to a file in the
    /// temporary folder (TMPDIR).
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) generate: Option<u64>,

    /// Measure how fast puzzles of these kinds are made in memory; --puzzles says how many in a round
    /// [default: 100k].
    ///
    /// They are the first puzzles of seed 0 that sudoku-batch puzzles makes. Every puzzle is checked to
    /// have one solution, and every round to make the same ones.
    #[arg(long, value_enum, value_name = "KIND,…", value_delimiter = ',', conflicts_with_all = ["files", "generate", "against", "report", "formats", "exact", "limit", "engines", "levels"])]
    pub(crate) puzzles_of: Vec<PuzzlesOf>,

    /// Measure another solver, as a whole process, in turn with sudoku-batch solve; may be repeated.
    ///
    /// sh runs the command. {in} stands for the path of a file of puzzles, and {out} for that of the file
    /// to write; both are quoted already. The command must write a line for each puzzle, in which the last
    /// 81 digits that stand by themselves are its solution. All are checked. The ratio is the time divided
    /// by that of sudoku-batch with the first number of threads.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) against: Vec<String>,

    /// Measure solve from file to file in every form: lines, CSV, JSON lines, from .gz and .zst and to
    /// .zst, as whole processes, beside gzip and zstd on the same files.
    ///
    /// The files are written to the temporary folder (TMPDIR), of 2 million puzzles if --puzzles does not
    /// say otherwise: six gigabytes for 10 million. Where a file has fewer puzzles, the rest are the same
    /// ones with their digits exchanged. Every output is checked. Ratios are of medians.
    #[arg(long, conflicts_with_all = ["generate", "against", "report", "svg", "exact", "limit", "engines", "levels"])]
    pub(crate) formats: bool,

    /// How the figures are printed: a table to read, or a JSON object on each line.
    #[arg(long, value_enum, value_name = "FORM", default_value_t = FiguresForm::Table)]
    pub(crate) format: FiguresForm,

    /// The old name of --format jsonl.
    #[arg(long, hide = true)]
    pub(crate) json: bool,

    /// Write a page with the tables and with plots too: throughput, scaling over threads, and how the
    /// time per puzzle is distributed.
    ///
    /// It is one file that loads nothing from elsewhere. Solving in memory is measured for it in any case.
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,

    /// Write the plot of throughput too, as a picture for other pages.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch bench
      How fast this machine solves. It takes about ten seconds.
  sudoku-batch bench puzzles.txt --threads 1,2,4,8
      Your own puzzles, and how the speed grows with the threads.
  sudoku-batch bench --engine sliced --level all --threads 1
      What each instruction set gives.
  sudoku-batch bench --generate 10M
      How fast grids are made.
  sudoku-batch bench --puzzles-of minimal,45-blanks,hard --threads 1,2
      How fast puzzles are made.
  sudoku-batch bench puzzles.txt --limit first --against 'solver {in} {out}'
      Beside another solver.
  sudoku-batch bench --formats --puzzles 10M --rounds 3
      What CSV, JSON lines and compression cost, beside gzip and zstd.
  sudoku-batch bench --report bench.html
      The same as a page with plots.
  sudoku-batch bench --format jsonl | jq -s 'map({corpus, engine, ns_per_puzzle})'
      The figures for a program.

Columns:
  ns/puzzle  the time of the best round, from the start of the first thread
             to the end of the last, divided by the number of puzzles
  median     the same for the median round
  MB/s       millions of bytes of text read in a second, in the best round
  speed-up   over one thread with the same engine and level
  ratio      with --against: the time divided by that of the first line for
             the same file; with --formats: by that of what is beside it
  checksum   of the solutions in order: 64-bit FNV-1a of the lines that
             solve --unique writes

Exit status:
  0  all was measured, and all solutions are right
  2  wrong usage, a file that cannot be read or has no puzzles, a command
     that fails, or a wrong solution";

/// A form of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FiguresForm {
    /// A table to read.
    Table,
    /// A JSON object on each line.
    Jsonl,
}

/// A kind of puzzles to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PuzzlesOf {
    /// Minimal puzzles.
    Minimal,
    /// Puzzles with 45 blanks.
    #[value(name = "45-blanks")]
    Blanks45,
    /// 33 to 35 blanks; naked singles suffice.
    Easy,
    /// 36 to 38 blanks; naked singles suffice.
    Medium,
    /// 39 to 41 blanks; naked singles suffice.
    Hard,
    /// Minimal; naked and hidden singles do not suffice.
    Expert,
}

impl PuzzlesOf {
    /// Their recipe.
    pub(crate) fn recipe(self) -> Recipe {
        match self {
            Self::Minimal => Recipe::minimal(),
            Self::Blanks45 => Recipe::clues(36..=36).expect("a number of clues"),
            Self::Easy => Recipe::difficulty(Difficulty::Easy),
            Self::Medium => Recipe::difficulty(Difficulty::Medium),
            Self::Hard => Recipe::difficulty(Difficulty::Hard),
            Self::Expert => Recipe::difficulty(Difficulty::Expert),
        }
    }
}

/// Its name, as in the option.
impl fmt::Display for PuzzlesOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value().expect("no kind is hidden");
        f.pad(value.get_name())
    }
}

impl Bench {
    /// Whether the figures are printed as JSON lines.
    pub(crate) fn prints_jsonl(&self) -> bool {
        self.json || self.format == FiguresForm::Jsonl
    }

    /// Refuses options that have no effect beside the others.
    pub(crate) fn check(&self) -> Result<(), clap::Error> {
        let refuse = |given: &str, because: &str| {
            let message = format!("{given} has no effect {because}");
            Err(usage_error("bench", ErrorKind::ArgumentConflict, message))
        };
        let of_memory = [
            ("--engine", !self.engines.is_empty()),
            ("--level", !self.levels.is_empty()),
        ];
        let of_puzzles = [
            ("a file of puzzles", !self.files.is_empty()),
            ("--puzzles", self.puzzles.is_some()),
            ("--exact", self.exact),
            ("--limit", self.limit.is_some()),
        ];
        let given = |options: &[(&'static str, bool)]| {
            let mut given = options.iter().filter(|option| option.1);
            given.next().map(|option| option.0)
        };
        if self.formats || !self.puzzles_of.is_empty() {
            // What it conflicts with is said with the flag.
            return Ok(());
        }
        if self.solves_in_memory() {
            let sliced = self.engines().contains(&Engine::Sliced);
            return match given(&of_memory[1..]) {
                Some(option) if !sliced => refuse(option, "on the scalar engine"),
                _ => Ok(()),
            };
        }
        match (given(&of_memory), given(&of_puzzles)) {
            (Some(option), _) if !self.against.is_empty() => {
                refuse(option, "with --against: whole processes are measured")
            }
            (Some(option), _) | (_, Some(option)) if self.against.is_empty() => {
                refuse(option, "with --generate: no puzzles are solved")
            }
            _ => Ok(()),
        }
    }

    /// Whether solving in memory is measured.
    pub(crate) fn solves_in_memory(&self) -> bool {
        !self.formats
            && self.puzzles_of.is_empty()
            && (self.report.is_some() || self.against.is_empty() && self.generate.is_none())
    }

    /// The engines that are compared.
    pub(crate) fn engines(&self) -> Vec<Engine> {
        match self.engines.is_empty() {
            true => Engine::ALL.to_vec(),
            false => OneOrAll::expand(&self.engines, Engine::ALL.iter().copied()),
        }
    }

    /// The levels that are compared.
    pub(crate) fn levels(&self) -> Vec<Level> {
        match self.levels.is_empty() {
            true => vec![Level::detect()],
            false => {
                let all: Vec<_> = Level::available().collect();
                OneOrAll::expand(&self.levels, all.into_iter())
            }
        }
    }

    /// What is asked of each puzzle.
    pub(crate) fn question(&self) -> Question {
        self.limit.unwrap_or(Question::Unique)
    }
}

fn limit(text: &str) -> Result<Question, String> {
    match text {
        "first" => Ok(Question::Solution),
        "unique" => Ok(Question::Unique),
        _ => match text.parse() {
            Ok(number @ 1..) => Ok(Question::Count(number)),
            _ => Err("first, unique or a number from 1 on is wanted".into()),
        },
    }
}
