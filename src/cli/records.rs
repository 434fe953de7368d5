//! Options shared by all commands that answer record by record.

use super::output::{CompressionOption, OutputOptions};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use sudoku_batch::{format::Form, pipeline::input::Shard};

/// Says which records to read, in which form, and where the answers go.
#[derive(Debug, clap::Args)]
pub(crate) struct RecordOptions {
    /// The records; `-` is standard input. Several files are read one after the other. An argument of 81
    /// cells that names no file is a puzzle.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) files: Vec<PathBuf>,

    /// The form of the input and the column of its puzzles.
    #[command(flatten)]
    pub(crate) form: FormOptions,

    /// The form of the output [default: the form of the input].
    #[arg(long, value_name = "FORM", value_parser = form())]
    pub(crate) format: Option<Form>,

    /// Overwrite a column of the input if a new column has the same name.
    ///
    /// Without it, such a column is an error.
    #[arg(long)]
    pub(crate) replace: bool,

    /// Stop at the first malformed record, with exit status 2 and no output.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print the form of each input, and the column of its puzzles, on standard error.
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// Write all records that fail to this file; `-` is standard output.
    ///
    /// The file has a line for each record: line number, reason, detail and the record as it was
    /// read, with tabs between. A record of several lines has spaces in place of its line ends.
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,

    /// Write the answers for each input to a file named after it in this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub(crate) output_dir: Option<PathBuf>,

    /// The compression of the output.
    #[command(flatten)]
    pub(crate) compression: CompressionOption,

    /// Answer only the K-th of M parts of the input.
    ///
    /// The parts are ranges of bytes, cut between records. The input files must not be compressed.
    /// The outputs of all parts, joined in order, equal the output of the whole. Messages give the
    /// byte offset of a record instead of its line.
    #[arg(long, value_name = "K/M")]
    pub(crate) shard: Option<Shard>,

    /// Answer each record as soon as it arrives. Use this when a program at the other end of a pipe
    /// waits for the answer.
    #[arg(long)]
    pub(crate) line_buffered: bool,

    /// Where the answers go.
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

impl RecordOptions {
    /// The form of the output for an input of a form.
    pub(crate) fn output_form(&self, input: Form) -> Form {
        self.format.unwrap_or(input)
    }
}

/// Says how records are laid out in an input.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct FormOptions {
    /// The form of the input.
    ///
    /// auto decides from the first records. docs/files.md shows every form.
    #[arg(long, value_name = "FORM", default_value = "auto", value_parser = input_form())]
    pub(crate) input_format: InputForm,

    /// The column of the puzzles: its name, or its number from 1. In JSON lines it is the key, with
    /// dots between nested keys.
    ///
    /// Without this option, the command finds the column by its name (puzzle, quizzes, question,
    /// sudoku and the like) or by looking for cells.
    #[arg(long, value_name = "NAME|N")]
    pub(crate) column: Option<String>,
}

/// The requested form of the input; `None` means auto.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputForm(pub(crate) Option<Form>);

/// The name of the column of statuses.
#[derive(Debug, clap::Args)]
pub(crate) struct StatusColumn {
    /// The name of the column, or key, for the status of each record.
    #[arg(long, value_name = "NAME", default_value = "status")]
    pub(crate) status_column: String,
}

/// The name of the column of solutions.
#[derive(Debug, clap::Args)]
pub(crate) struct SolutionColumn {
    /// The name of the column, or key, for the solution of each record.
    #[arg(long, value_name = "NAME", default_value = "solution")]
    pub(crate) solution_column: String,
}

fn input_form() -> impl TypedValueParser<Value = InputForm> {
    PossibleValuesParser::new(["auto"].into_iter().chain(form_names()))
        .map(|name| InputForm(form_of(&name)))
}

fn form() -> impl TypedValueParser<Value = Form> {
    PossibleValuesParser::new(form_names())
        .map(|name| form_of(&name).expect("clap takes the names of forms alone"))
}

fn form_names() -> impl Iterator<Item = &'static str> {
    Form::ALL.iter().map(|(_, name)| *name)
}

fn form_of(name: &str) -> Option<Form> {
    let found = Form::ALL.iter().find(|(_, known)| *known == name);
    found.map(|(form, _)| *form)
}
