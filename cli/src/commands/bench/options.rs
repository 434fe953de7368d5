//! The options and the help of `sudoku-batch bench`.

use crate::{
    commands::{generated::at_least_one, usage_error},
    driver::{
        InputFile, OutputFile,
        engines::{engines, expand, levels},
        listed::ListedName,
        options::{FormOptions, OutputForm, form, number_from},
        words::{listed, said},
    },
    pipeline::Threads,
};
use clap::{
    ArgGroup,
    builder::{PossibleValue, TypedValueParser},
    error::ErrorKind,
};
use sudoku_batch::{Engine, Goal, Level, questions::PuzzlesSettings, technique::Difficulty};

/// Measure how fast this machine solves puzzles.
///
/// The work goes from text to text in memory, in chunks of the sizes that solve uses. Each thread has a
/// part of the puzzles to itself. All engines, levels and numbers of threads take turns in every round,
/// after one round to warm up.
///
/// In place of this, --rate measures how fast puzzles are rated, --ask how fast a question is answered,
/// --generate how fast grids are made, --puzzles-of how fast puzzles are made, and --solver another solver.
///
/// Every answer of every round is checked. A wrong one ends the run without a figure.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
#[command(group = ArgGroup::new("solving").multiple(true).conflicts_with("puzzles_of"))]
pub(crate) struct Bench {
    /// Puzzles, as in solve; `-` is standard input [default: three classes that are built in: easy,
    /// minimal and hard].
    #[arg(value_name = "FILE", group = "solving")]
    pub(crate) files: Vec<InputFile>,

    #[command(flatten)]
    pub(crate) form: FormOptions,

    /// How many puzzles of each file or class: they are cut or repeated to this [default: all of a file;
    /// 20k where there are fewer].
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) puzzles: Option<u64>,

    /// Never repeat puzzles.
    ///
    /// Some thousand puzzles are solved too quickly to be measured well, and repeated ones are kinder to
    /// the branch predictor.
    #[arg(long, group = "solving")]
    pub(crate) exact: bool,

    /// How many rounds are measured.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = number_from::<u32>(1), allow_negative_numbers = true)]
    pub(crate) rounds: u32,

    /// Numbers of threads, like 1,2,4 [default: 1 and one for each core].
    #[arg(short = 'j', long, value_name = "N,…", value_delimiter = ',', value_parser = threads, allow_negative_numbers = true)]
    pub(crate) threads: Vec<u64>,

    /// Which engines [default: all].
    #[arg(long = "engine", value_name = "NAME,…", value_delimiter = ',', value_parser = engines(), group = "solving")]
    engines: Vec<Option<Engine>>,

    /// Levels of the sliced engine, like avx2,portable [default: the best of this CPU].
    #[arg(long = "simd", alias = "level", value_name = "NAME,…", value_delimiter = ',', value_parser = levels(), group = "solving")]
    levels: Vec<Option<Level>>,

    /// Search each puzzle for its first solution, for its unique solution, or for N solutions [default: unique].
    ///
    /// first: a solution, of several the smallest. unique: the only solution, or that there are several. N: the number
    /// of solutions, up to this.
    #[arg(long, value_name = "first|unique|N", value_parser = goal, allow_negative_numbers = true, group = "solving")]
    stop_at: Option<Goal>,

    /// Measure how fast puzzles are rated in memory: up to 4.4, and over the whole scale.
    ///
    /// Puzzles are not repeated without --puzzles. Some puzzles of each file are rated step by step too, and
    /// all rounds must agree.
    #[arg(long, group = "solving")]
    pub(crate) rate: bool,

    /// Measure how fast a question is answered, like rate:te,up-to=1.2.
    ///
    /// It is the name of a question, and options of it after a colon. The option may be repeated. The time is that of reading the text and filling the columns. Puzzles are not repeated without --puzzles. Some
    /// puzzles of each file are asked about alone too, and all rounds must agree.
    #[arg(long, value_name = "QUESTION", value_parser = question_text, group = "solving")]
    pub(crate) ask: Vec<String>,

    /// Measure the generator on N grids, in memory and to a file.
    ///
    /// They are made in order, shuffled and uniform. sudoku-batch generate writes the file to the temporary folder (TMPDIR).
    #[arg(long, value_name = "N", value_parser = at_least_one, group = "solving")]
    pub(crate) generate: Option<u64>,

    /// Measure how fast puzzles of these kinds are made in memory; --puzzles says how many in a round
    /// [default: 100k].
    ///
    /// They are the first puzzles of seed 0 that sudoku-batch puzzles makes. Every puzzle is checked to
    /// have one solution, and every round to make the same ones.
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = kinds())]
    pub(crate) puzzles_of: Vec<Kind>,

    /// Measure another solver, as a process, alternating with solve; may be repeated.
    ///
    /// sh runs the command. {in} stands for the path of a file of puzzles, and {out} for that of the file
    /// to write; both are quoted already. The command must write a line for each puzzle, in which the last
    /// 81 digits that stand by themselves are its solution. All are checked. The ratio is the time divided
    /// by that of sudoku-batch with the first number of threads.
    #[arg(long, value_name = "COMMAND", group = "solving")]
    pub(crate) solver: Vec<String>,

    /// The format of the puzzles that {in} has, such as csv or grid: any that convert writes [default: line].
    ///
    /// {out} may have a line for each puzzle, with a header above or without, or grids in any format that
    /// solve reads. The time of the conversion is not measured.
    #[arg(long, value_name = "FORMAT", value_parser = form(), requires = "solver")]
    pub(crate) feed: Option<OutputForm>,

    /// How the figures are printed: a table to read, or a JSON object on each line.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = FiguresForm::Table)]
    pub(crate) format: FiguresForm,

    /// The old name of --format jsonl.
    #[arg(long, hide = true)]
    pub(crate) json: bool,

    /// Write a page with the tables and with plots too: throughput, scaling over threads, and how the
    /// time per puzzle is distributed.
    ///
    /// It is one file that loads nothing from elsewhere. Solving in memory is measured for it in any case.
    #[arg(long, value_name = "FILE.html", group = "solving")]
    pub(crate) report: Option<OutputFile>,

    /// Write the plot of throughput too, as a picture for other pages.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) svg: Option<OutputFile>,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch bench
      How fast this machine solves. It takes about ten seconds.
  sudoku-batch bench puzzles.txt --threads 1,2,4,8
      Your own puzzles, and how the speed grows with the threads.
  sudoku-batch bench --engine sliced --simd all --threads 1
      The speed of each instruction set.
  sudoku-batch bench --rate --threads 1,2
      How fast puzzles are rated.
  sudoku-batch bench several.txt --ask true-candidates --ask canonical:minlex
      How fast questions are answered.
  sudoku-batch bench --generate 10M
      How fast grids are made.
  sudoku-batch bench --puzzles-of minimal,45-blanks,hard --threads 1,2
      How fast puzzles are made.
  sudoku-batch bench puzzles.txt --stop-at first --solver 'solver {in} {out}'
      Compare with another solver.
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
  ratio      with --solver: the time divided by that of the first line for
             the same file
  checksum   of the answers in order: 64-bit FNV-1a of the lines that
             solve --unique, generate or puzzles writes, of the lines ER/EP/ED
             with --rate, and of the values of all columns with --ask

Exit status:
  0  all was measured, and all solutions are right
  2  wrong usage, a file that cannot be read or has no puzzles, a command
     that fails, or a wrong solution";

/// A format of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FiguresForm {
    /// A table to read.
    Table,
    /// A JSON object on each line.
    Jsonl,
}

/// A kind of puzzles to make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) settings: fn() -> PuzzlesSettings,
    help: &'static str,
}

const fn kind(name: &'static str, help: &'static str, settings: fn() -> PuzzlesSettings) -> Kind {
    Kind {
        name,
        settings,
        help,
    }
}

const fn word(difficulty: Difficulty, settings: fn() -> PuzzlesSettings) -> Kind {
    kind(difficulty.name(), difficulty.range(), settings)
}

fn of(difficulty: Difficulty) -> PuzzlesSettings {
    PuzzlesSettings {
        difficulty: Some(difficulty),
        ..PuzzlesSettings::default()
    }
}

const KINDS: [Kind; 7] = [
    kind("minimal", "Minimal puzzles", PuzzlesSettings::default),
    kind("45-blanks", "Puzzles with 45 blanks", || PuzzlesSettings {
        blanks: Some(45..=45),
        ..PuzzlesSettings::default()
    }),
    word(Difficulty::Easy, || of(Difficulty::Easy)),
    word(Difficulty::Medium, || of(Difficulty::Medium)),
    word(Difficulty::Hard, || of(Difficulty::Hard)),
    word(Difficulty::Expert, || of(Difficulty::Expert)),
    word(Difficulty::Extreme, || of(Difficulty::Extreme)),
];

fn kinds() -> impl TypedValueParser<Value = Kind> {
    let names = KINDS.map(|kind| PossibleValue::new(kind.name).help(kind.help));
    let of = |name: String| {
        let mut kinds = KINDS.into_iter();
        kinds.find(|kind| kind.name == name)
    };
    ListedName::of(names).map(move |name| of(name).expect("one of the names"))
}

impl Bench {
    /// Returns true if the figures are printed as JSON lines.
    pub(crate) fn prints_jsonl(&self) -> bool {
        self.json || self.format == FiguresForm::Jsonl
    }

    /// Refuses options that have no effect with the others.
    pub(crate) fn check(&self) -> Result<(), clap::Error> {
        let solving = self.solves_in_memory();
        let puzzles = self.reads_puzzles();
        let solved = solving || !self.solver.is_empty();
        let sliced = solving && self.engines().contains(&Engine::Sliced);
        let reads = puzzles && !self.files.is_empty();
        let made = puzzles || !self.puzzles_of.is_empty();
        // Each option, whether it is given, and whether it has an effect.
        let options = [
            ("--engine", !self.engines.is_empty(), solving),
            ("--simd", !self.levels.is_empty(), sliced || self.rate),
            ("a file of puzzles", !self.files.is_empty(), puzzles),
            ("--input-format", self.form.input_format.0.is_some(), reads),
            ("--puzzle-column", self.form.column.is_some(), reads),
            ("--puzzles", self.puzzles.is_some(), made),
            ("--exact", self.exact, puzzles),
            ("--stop-at", self.stop_at.is_some(), solved),
        ];
        let idle = options
            .iter()
            .filter(|(_, given, effect)| *given && !effect);
        let idle = Vec::from_iter(idle.map(|(name, ..)| *name));
        let because = match (solving, solved) {
            (true, _) => "on the scalar engine",
            (_, true) => "with --solver: whole processes are measured",
            _ if self.rate => "with --rate: no puzzles are solved",
            _ if !self.ask.is_empty() => "with --ask: no puzzles are solved",
            _ => "with --generate: no puzzles are solved",
        };
        // All at once: each call may take long to write.
        let mut objections = Vec::new();
        if !idle.is_empty() {
            let have = said(idle.len() as u64, "have");
            objections.push(format!("{} {have} no effect {because}", listed(&idle)));
        }
        if !self.solver.is_empty() && matches!(self.question(), Goal::Count(_)) {
            objections.push("--solver goes with --stop-at first or unique".into());
        }
        for line in &self.solver {
            let missing = ["{in}", "{out}"]
                .into_iter()
                .filter(|place| !line.contains(place));
            let missing = Vec::from_iter(missing);
            if !missing.is_empty() {
                let go = if missing.len() == 1 { "goes" } else { "go" };
                let places = listed(&missing);
                objections.push(format!(
                    "--solver '{line}' does not say where {places} {go}"
                ));
            }
        }
        if objections.is_empty() {
            return Ok(());
        }
        let message = objections.join("\n  ");
        Err(usage_error("bench", ErrorKind::ArgumentConflict, message))
    }

    /// Returns true if solving in memory is measured: for the report in any case.
    pub(crate) fn solves_in_memory(&self) -> bool {
        let others =
            self.rate || !self.ask.is_empty() || self.generate.is_some() || !self.solver.is_empty();
        self.report.is_some() || !others && self.puzzles_of.is_empty()
    }

    /// Returns true if anything is measured on puzzles that are read.
    pub(crate) fn reads_puzzles(&self) -> bool {
        self.rate || !self.ask.is_empty() || self.solves_in_memory() || !self.solver.is_empty()
    }

    /// Returns true if these are rated or asked about and nothing else. Some thousand take long enough then.
    pub(crate) fn never_repeats(&self) -> bool {
        !self.solves_in_memory() && self.solver.is_empty()
    }

    /// The engines that are compared.
    pub(crate) fn engines(&self) -> Vec<Engine> {
        if self.engines.is_empty() {
            Engine::ALL.to_vec()
        } else {
            expand(&self.engines, Engine::ALL)
        }
    }

    /// The levels that are compared.
    pub(crate) fn levels(&self) -> Vec<Level> {
        if self.levels.is_empty() {
            vec![Level::detect()]
        } else {
            expand(&self.levels, &Level::available().collect::<Vec<_>>())
        }
    }

    /// The question about each puzzle.
    pub(crate) fn question(&self) -> Goal {
        self.stop_at.unwrap_or(Goal::Unique)
    }

    /// The limit in the JSON output. It is 1 if any solution will do.
    pub(crate) fn limit(&self) -> u64 {
        match self.question() {
            Goal::Solution => 1,
            question => question.limit(),
        }
    }

    /// The numbers of threads to compare.
    pub(crate) fn threads(&self) -> Vec<usize> {
        let cores = Threads::new(0).count();
        let mut threads = vec![1, cores];
        threads.dedup();
        if self.threads.is_empty() {
            threads
        } else {
            self.threads.iter().map(|&number| number as usize).collect()
        }
    }
}

/// A number of threads.
fn threads(text: &str) -> Result<u64, String> {
    const MOST: u64 = 4096;
    let threads = number_from(1)(text)?;
    if threads > MOST {
        return Err(format!("{threads} is over {MOST}"));
    }
    Ok(threads)
}

/// The text of a question, if there is such a one.
fn question_text(text: &str) -> Result<String, String> {
    super::asking::question(text).map(|_| text.into())
}

fn goal(text: &str) -> Result<Goal, String> {
    match text {
        "first" => Ok(Goal::Solution),
        "unique" => Ok(Goal::Unique),
        _ => match number_from(1)(text) {
            Ok(number) => Ok(Goal::Count(number)),
            _ => Err("first, unique or a number from 1 on is wanted".into()),
        },
    }
}
