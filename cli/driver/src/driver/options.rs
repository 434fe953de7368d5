//! Options that commands share, in groups: a command takes the groups that it can honour.

use super::{
    InputFile, MadeRecords, OutputFile, Purpose, Sink, Task, chosen::PartOptions,
    listed::ListedName, names,
};
use crate::pipeline::{compression::Packing, input::Shard};
use clap::builder::TypedValueParser;
use std::{path::Path, str::FromStr};
use sudoku_batch::{
    format::Form,
    questions::{NumberError, number, range, spelled},
};

/// The text after the options of a command: examples and notes, and what each exit status means.
/// `failures` is the meaning of 1.
pub fn help(notes: &str, failures: &str) -> String {
    format!(
        "{notes}

Exit status:
  0  all went well, or the reader of the output stopped reading (| head)
  1  {failures}
  2  wrong usage, or a file that cannot be read or written
After Ctrl-C a shell shows 130, and after SIGTERM 143: the process dies of the signal."
    )
}

/// A text of paragraphs as clap shows it: the short help, which is the first paragraph without its full
/// stop, and the long one. Settings are options: `{up-to}` becomes `--up-to`.
pub fn paragraphs(text: &str) -> (String, String) {
    let text = spelled(text, |name| format!("--{name}"));
    let first = text.split("\n\n").next().unwrap_or_default();
    (first.trim_end_matches('.').to_owned(), text)
}

/// A range of numbers with both ends, as in `2..5`. An end that is missing is open: `2..`, `..5`. One value is both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Between {
    pub from: Option<u64>,
    pub to: Option<u64>,
}

impl FromStr for Between {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = "a number is wanted, like 24, or a range, like 22..24, 24.. or ..24";
        let [from, to] = range(text, wanted, |end| number(end).ok())?;
        Ok(Self { from, to })
    }
}

/// Reads a whole number from `least` on, such as `7`, `1_000`, `10k` or `2M`.
pub fn number_from<T: TryFrom<u64>>(
    least: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text| {
        let number = number(text).map_err(|wrong| wrong.to_string())?;
        if number < least {
            return Err(format!("a whole number of at least {least} is wanted"));
        }
        T::try_from(number).map_err(|_| NumberError::TooLarge.to_string())
    }
}

/// Says which records to read.
#[derive(Clone, Debug, clap::Args)]
pub struct ReadOptions {
    /// Files of records, or puzzles; `-` is standard input.
    ///
    /// Several files are read one after the other. An argument of 81 cells that names no file is a puzzle.
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<InputFile>,

    /// The format of the input and the column of its puzzles.
    #[command(flatten)]
    pub form: FormOptions,

    #[command(flatten)]
    pub part: PartOptions,

    /// Stop at the first malformed record, with exit status 2 and no output.
    #[arg(long)]
    pub strict: bool,

    /// Print the format of each input, and the column of its puzzles, on standard error.
    #[arg(short, long)]
    pub verbose: bool,

    /// Write all records that fail to this file; `-` is standard output.
    ///
    /// The file has a line for each record: line number, reason, detail and the record as it was
    /// read, with tabs between. A record of several lines has spaces in place of its line ends.
    #[arg(long, value_name = "FILE")]
    pub rejects: Option<OutputFile>,
}

/// Nothing is read.
pub static NOTHING: ReadOptions = ReadOptions {
    files: Vec::new(),
    form: FormOptions::AUTO,
    part: PartOptions::ALL,
    strict: false,
    verbose: false,
    rejects: None,
};

/// Says in which format rows are written.
#[derive(Clone, Debug, clap::Args)]
pub struct WriteOptions {
    /// The format of the output [default: by the ending of its name, or else that of the input].
    ///
    /// The names end in .csv, .tsv, .jsonl or .npy, with .gz or .zst after that if you like.
    #[arg(long, alias = "output-format", value_name = "FORMAT", value_parser = form())]
    pub format: Option<OutputForm>,

    #[command(flatten)]
    pub columns: ColumnsOption,

    /// Character for blanks [default: the first one that the record uses].
    #[arg(long, value_name = "0|.", value_parser = blank())]
    pub blank: Option<u8>,

    /// The compression of the output.
    #[command(flatten)]
    pub compression: CompressionOption,
}

/// Says which columns are written.
#[derive(Clone, Debug, clap::Args)]
pub struct ColumnsOption {
    /// Write only these columns, in order: Id,solution,er.
    ///
    /// They are columns of the input and of the command. In JSON lines a key may be in an object within the object,
    /// with dots between: meta.id. Of a line of the format line or text there are puzzle, before and after (the words
    /// around it) and each word by its number, from 1 on or from -1 back. NEW=COLUMN gives a column another name. The formats csv, tsv
    /// and jsonl have them under their names; line has the values with tabs between; with npy they are the
    /// arrays, and a single one is exactly the file of --output.
    #[arg(long, alias = "array", value_name = "COLUMN,…", value_delimiter = ',')]
    pub columns: Vec<String>,
}

/// A format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputForm {
    /// Text.
    Text(Form),
    /// Arrays of numpy.
    Npy,
    /// The folder of the training programs HRM and TRM: `augment` alone writes it.
    Hrm,
}

impl OutputForm {
    /// The format of an output: the one that is asked for, or the one that the ending of its name says.
    pub fn of(asked: Option<Self>, output: &Path) -> Option<Self> {
        asked.or_else(|| names::form(output))
    }

    /// The format of text, if it is one.
    pub fn text(self) -> Option<Form> {
        match self {
            Self::Text(form) => Some(form),
            Self::Npy | Self::Hrm => None,
        }
    }

    /// The name of the format, as `--format` has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text(form) => form.name(),
            Self::Npy => "npy",
            Self::Hrm => "hrm",
        }
    }
}

/// A share, such as 10% or 0.1.
pub fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number, 100.0),
        None => (text, 1.0),
    };
    let share = number.parse::<f64>().map(|number| number / unit);
    share
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a share from 0 to 1, or from 0% to 100%".into())
}

/// `0` or `.`
pub fn blank() -> impl TypedValueParser<Value = u8> {
    ListedName::of(["0", "."]).map(|text| text.as_bytes()[0])
}

/// Says where rows go.
#[derive(Clone, Debug, clap::Args)]
pub struct SinkOptions {
    /// The output.
    #[command(flatten)]
    pub output: OutputOption,

    #[command(flatten)]
    pub resume: ResumeOptions,

    /// Write the answers for each input to a file named after it in this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub output_dir: Option<OutputFile>,

    /// Answer each record as soon as it arrives. Use this when a program at the other end of a pipe
    /// waits for the answer.
    #[arg(long)]
    pub line_buffered: bool,
}

impl SinkOptions {
    /// The sink: one output, or one for each input.
    pub fn sink(&self) -> Sink<'_> {
        match &self.output_dir {
            Some(folder) => Sink::PerInput(folder),
            None => Sink::One(&self.output.output),
        }
    }

    /// Returns true if rows go to files, and not to standard output.
    pub fn is_file(&self) -> bool {
        self.output_dir.is_some() || *self.output.output != *"-"
    }
}

/// Says which part of the input to answer.
#[derive(Clone, Debug, clap::Args)]
pub struct ShardOption {
    /// Answer only the K-th of M parts of the input.
    ///
    /// The parts are ranges of bytes, cut between records. The input files must not be compressed.
    /// The outputs of all parts, joined in order, equal the output of the whole. Messages give the
    /// byte offset of a record instead of its line.
    #[arg(long, value_name = "K/M")]
    pub shard: Option<Shard>,
}

/// The options of a command whose answers depend on the whole input.
#[derive(Clone, Debug, clap::Args)]
pub struct SetOptions {
    #[command(flatten)]
    pub read: ReadOptions,
    #[command(flatten)]
    pub write: WriteOptions,
    #[command(flatten)]
    pub sink: SinkOptions,
    #[command(flatten)]
    pub run: RunOptions,
}

impl SetOptions {
    /// The run that the options ask for.
    pub fn task(&self) -> Task<'_> {
        let task = Task::new(&self.read, &self.run, self.sink.sink()).writing(&self.write);
        Task {
            at_once: self.sink.line_buffered,
            resume: Some(&self.sink.resume),
            ..task
        }
    }
}

/// The options of a command that answers each record by itself.
#[derive(Clone, Debug, clap::Args)]
pub struct RecordOptions {
    #[command(flatten)]
    pub set: SetOptions,
    #[command(flatten)]
    pub shard: ShardOption,
}

impl RecordOptions {
    /// The run that the options ask for.
    pub fn task(&self) -> Task<'_> {
        Task {
            shard: self.shard.shard,
            ..self.set.task()
        }
    }
}

impl<'o> Task<'o> {
    /// A run with the sink. Rows have the format of the input.
    pub fn new(read: &'o ReadOptions, run: &'o RunOptions, sink: Sink<'o>) -> Self {
        Self {
            read,
            made: None,
            run,
            shard: None,
            sink,
            form: None,
            arrays: None,
            columns: &[],
            blank: None,
            packing: None,
            replace: false,
            at_once: false,
            reduce: false,
            wants_records: false,
            resume: None,
            purpose: Purpose::Answer,
            #[cfg(test)]
            threads: None,
        }
    }

    /// Returns true if the run reports nothing on standard error but errors.
    pub fn is_quiet(&self) -> bool {
        self.run.quiet || self.purpose == Purpose::Before
    }

    /// A run that makes records, with the sink.
    pub fn making(made: &'o MadeRecords, run: &'o RunOptions, sink: Sink<'o>) -> Self {
        let made = Some(made);
        Self {
            made,
            ..Self::new(&NOTHING, run, sink)
        }
    }

    /// Writes rows as these options say.
    pub fn writing(self, write: &'o WriteOptions) -> Self {
        let path = match self.sink {
            Sink::One(path) => path,
            _ => Path::new(""),
        };
        let form = OutputForm::of(write.format, path);
        Self {
            form: form.and_then(OutputForm::text),
            arrays: (form == Some(OutputForm::Npy)).then_some(&write.columns.columns),
            columns: &write.columns.columns,
            blank: write.blank,
            packing: write.compression.compress,
            ..self
        }
    }

    /// Writes columns as these options say.
    pub fn adding(self, added: &AddedColumns) -> Self {
        Self {
            replace: added.replace,
            ..self
        }
    }
}

/// Says where one output goes.
#[derive(Clone, Debug, clap::Args)]
pub struct OutputOption {
    /// Output file; `-` is standard output.
    ///
    /// The ending of the name chooses the format (.csv, .tsv, .jsonl, .npy) and the compression (.gz, .zst).
    ///
    /// A file appears whole or not at all. It is written out of sight. At the end it takes its place,
    /// or the place of an existing file, which may be the input. No other option may name an input, or
    /// the file of another output. Folders that are not there are made.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: OutputFile,
}

/// Says how a run that takes long keeps its work, and whether it goes on with that of an earlier run.
#[derive(Clone, Debug, clap::Args)]
pub struct ResumeOptions {
    /// Go on with a run that was stopped.
    ///
    /// The command, the input and the version must be those of the run that was stopped. The output is then the same as
    /// that of one run. Without earlier work the run starts from the beginning.
    #[arg(long)]
    pub resume: bool,

    /// Keep the work of a run that takes longer, and note it so often; 0 keeps nothing.
    ///
    /// The output so far is in FILE.partial, and FILE.resume says how far the run is. Both go when the output is complete.
    /// If the run is stopped (by Ctrl-C, a signal, a full disk, a power failure), --resume goes on with them. Standard
    /// input and pipes cannot be read again, so such a run keeps nothing.
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds, allow_negative_numbers = true)]
    pub checkpoint: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok();
    let seconds = seconds.filter(|seconds| (0.0..=1e6).contains(seconds));
    seconds.ok_or_else(|| "a number of seconds is wanted, such as 60 or 0.5".into())
}

/// Says how a command works, and what it reports.
#[derive(Clone, Debug, clap::Args)]
pub struct RunOptions {
    /// The number of threads; 0 is one for each core.
    ///
    /// The output is the same for any number. At most four threads for each core are started.
    #[arg(
        short = 'j',
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = number_from::<usize>(0),
        allow_negative_numbers = true
    )]
    pub threads: usize,

    /// Print errors only: no summary, no reports.
    ///
    /// There is no progress either. Records that fail are not reported: see the exit status and --rejects.
    #[arg(short, long)]
    pub quiet: bool,

    /// Show no progress bar.
    ///
    /// There is one only if standard error is a terminal and the work takes over half a second.
    #[arg(long)]
    pub no_progress: bool,

    /// Summary on standard error at the end [default: text, or none with --quiet].
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub summary: Option<SummaryFormat>,
}

impl RunOptions {
    /// All cores and no summary.
    #[cfg(test)]
    pub fn without_summary(shows_progress: bool) -> Self {
        Self {
            threads: 0,
            quiet: false,
            no_progress: !shows_progress,
            summary: Some(SummaryFormat::None),
        }
    }

    /// The format of the summary.
    pub fn summary_format(&self) -> SummaryFormat {
        self.summary.unwrap_or(if self.quiet {
            SummaryFormat::None
        } else {
            SummaryFormat::Text
        })
    }
}

/// Says how the output of records is compressed.
#[derive(Clone, Debug, clap::Args)]
pub struct CompressionOption {
    /// Compress the output: gzip or zstd, with a level after a colon if you like, as in zstd:19
    /// [default: by the ending of its name, .gz or .zst].
    ///
    /// Each piece of the output is a member or frame of its own, so that all threads compress.
    #[arg(long, value_name = "FORMAT[:LEVEL]")]
    pub compress: Option<Packing>,
}

/// A format of the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum SummaryFormat {
    /// Two lines to read.
    Text,
    /// One JSON object on a line.
    Json,
    /// Nothing.
    None,
}

/// Says how records are laid out in an input.
#[derive(Clone, Debug, clap::Args)]
pub struct FormOptions {
    /// The format of the input.
    ///
    /// auto decides from the first records. docs/using.md shows every format.
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = input_form())]
    pub input_format: InputForm,

    /// Column of the puzzles: its name or its number.
    ///
    /// Numbers begin at 1. In JSON lines it is the key, with dots between nested keys. Without this option, names (puzzle, quizzes, question, sudoku and the like) and the records in
    /// the first 64 KiB choose it: grids with blanks come before full grids, and names of solutions and
    /// answers come last.
    #[arg(long = "puzzle-column", alias = "column", value_name = "NAME|N")]
    pub column: Option<String>,

    /// The digits of the puzzles [default: 1-9; a file that seems to have 0-8 is refused].
    ///
    /// With 0-8, a 0 is a digit and no blank. The output has the digits 1 to 9.
    #[arg(long, value_name = "0-8|1-9", value_parser = digits())]
    pub digits: Option<FirstDigit>,

    /// The name of the option of this column, for messages.
    #[arg(skip = FormOptions::AUTO.column_option)]
    pub column_option: &'static str,
}

impl FormOptions {
    /// The input chooses its format and its column.
    pub const AUTO: Self = Self {
        input_format: InputForm(None),
        column: None,
        digits: None,
        column_option: "--puzzle-column",
    };
}

/// The first of the nine digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstDigit {
    Zero,
    One,
}

fn digits() -> impl TypedValueParser<Value = FirstDigit> {
    ListedName::of(["0-8", "1-9"]).map(|range| match &range[..] {
        "0-8" => FirstDigit::Zero,
        _ => FirstDigit::One,
    })
}

/// The requested format of the input; `None` means auto.
#[derive(Clone, Copy, Debug)]
pub struct InputForm(pub Option<Form>);

/// Says how a command adds columns.
#[derive(Clone, Debug, clap::Args)]
pub struct AddedColumns {
    /// The name of the column, or key, for the status of each record.
    #[arg(long, value_name = "NAME", default_value = "status")]
    pub status_column: String,

    /// Overwrite a column of the input if a new column has the same name.
    ///
    /// Without it, no value of such a column is lost: an empty one is filled, one that says the same
    /// stays, and the first row with another value is an error.
    #[arg(long)]
    pub replace: bool,
}

fn input_form() -> impl TypedValueParser<Value = InputForm> {
    ListedName::of(["auto"].into_iter().chain(form_names())).map(|name| InputForm(form_of(&name)))
}

/// The format of an output.
pub fn form() -> impl TypedValueParser<Value = OutputForm> {
    ListedName::of(form_names().chain(["npy"]))
        .map(|name| form_of(&name).map_or(OutputForm::Npy, OutputForm::Text))
}

/// The names of all formats of text.
pub fn form_names() -> impl Iterator<Item = &'static str> {
    Form::ALL.iter().map(|form| form.name())
}

/// The format with this name.
pub fn form_of(name: &str) -> Option<Form> {
    name.parse().ok()
}
