//! The commands of questions: one command for each definition, with its settings as options.
//!
//! The name of a question, its meaning, its options and its columns come from its [`Definition`]. [`notes`] has the help that
//! only the command needs.

mod notes;

use super::rate::{self, Lines};
use crate::driver::{
    self, AddedColumns, Done, Files, Plan, RecordCommand, RecordOptions, SetOptions, Summary, Task,
    Worker, job,
    options::{ShardOption, help, paragraphs},
    settings::{id, options, settings},
};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, error::ErrorKind};
use notes::{CommandHelp, OF_OTHER_COMMANDS};
use std::process::ExitCode;
use sudoku_batch::{
    format::{Added, Form, Layout},
    questions::{Batch, Column, Counts, Definition, Question, RowView, RunOutcome, all},
};

/// A question and the run that the options ask for.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(super) asked: Question,
    verify: bool,
    /// The names of the columns.
    names: Vec<String>,
    pub(super) added: AddedColumns,
    pub(super) records: RecordOptions,
    /// The settings that are given: names and texts.
    pub(super) settings: Vec<(&'static str, String)>,
    /// What `rate` shows in place of the columns.
    pub(super) lines: Lines,
    /// Whether a record without values has a row: the format of the output has room for other columns.
    keeps_places: bool,
    /// Whether an input without records is an error.
    wants_records: bool,
}

/// About how many bytes of rows are written together, where a record may have several: so many are in
/// memory, for each thread.
const PART: usize = 1 << 20;

/// The definitions that are commands as they are.
pub(super) fn definitions() -> impl Iterator<Item = &'static Definition> {
    all().filter(|definition| !OF_OTHER_COMMANDS.contains(&definition.name))
}

/// The definition of the command of this name, if it is a question.
pub(super) fn definition(name: &str) -> Option<&'static Definition> {
    definitions().find(|definition| definition.name == name)
}

/// The command of a definition.
pub(super) fn command(definition: &'static Definition) -> Command {
    let (about, long) = paragraphs(&format!("{}.\n\n{}", definition.about, definition.details));
    let of_command = CommandHelp::of(definition.name);
    let command = Command::new(definition.name)
        .after_long_help(help(of_command.notes, of_command.failure))
        .args(options(definition.settings.iter()))
        .args(verification(of_command.verification))
        .args(definition.columns.iter().filter_map(name_of_column));
    let command = AddedColumns::augment_args(command);
    // The numbers of records depend on the whole input, which a part of it does not know.
    let command = if definition.has_several_rows() {
        SetOptions::augment_args(command)
    } else {
        RecordOptions::augment_args(command)
    };
    // Groups of options bring a description of their own.
    rate::with_lines(command.about(about).long_about(long))
}

/// `--verify` with this help, if there is any.
fn verification(text: &str) -> Option<Arg> {
    let (about, long) = paragraphs(text);
    let arg = Arg::new("verify")
        .long("verify")
        .help(about)
        .long_help(long);
    (!text.is_empty()).then(|| arg.action(ArgAction::SetTrue))
}

/// The option for another name of a column. The options that all commands with statuses share have
/// that of the status.
fn name_of_column(column: &Column) -> Option<Arg> {
    let option = format!("{}-column", column.name.replace('_', "-"));
    let is_own = column.can_be_renamed && column.name != Column::STATUS.name;
    is_own.then(|| {
        let arg = Arg::new(id(&option)).long(option);
        arg.value_name("NAME")
            .default_value(column.name)
            .help(format!(
                "The name of the column, or key, for {}",
                column.about
            ))
    })
}

impl Ask {
    /// The question that a command line asks.
    ///
    /// # Errors
    ///
    /// The settings do not go together.
    pub(super) fn new(
        definition: &'static Definition,
        matches: &ArgMatches,
    ) -> Result<Self, clap::Error> {
        let texts: Vec<_> = settings(definition.settings.iter(), matches).collect();
        let given = texts.iter().map(|(name, text)| (*name, &**text));
        let mut asked = definition.with(given).map_err(|error| {
            super::usage_error(
                definition.name,
                ErrorKind::ArgumentConflict,
                error.to_string(),
            )
        })?;
        let added = AddedColumns::from_arg_matches(matches)?;
        let records = if definition.has_several_rows() {
            RecordOptions {
                set: SetOptions::from_arg_matches(matches)?,
                shard: ShardOption { shard: None },
            }
        } else {
            RecordOptions::from_arg_matches(matches)?
        };
        asked.share(job::threads(&records.set.run).count());
        let name = |column: &Column| match column.name {
            "status" => added.status_column.clone(),
            name => {
                let id = id(&format!("{name}_column"));
                let given = matches.try_get_one::<String>(&id).ok().flatten();
                given.map_or(name, String::as_str).to_owned()
            }
        };
        Ok(Self {
            names: asked.columns.iter().map(name).collect(),
            settings: Vec::from_iter(
                texts
                    .into_iter()
                    .map(|(name, text)| (name, text.into_owned())),
            ),
            lines: Lines::of(matches),
            verify: matches.try_get_one("verify").ok().flatten() == Some(&true),
            keeps_places: false,
            wants_records: false,
            asked,
            added,
            records,
        })
    }

    /// Makes an input without records an error, and its output no file.
    pub(super) fn wants_records(&mut self) {
        self.wants_records = true;
    }

    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        let (records, added) = (self.records.clone(), self.added.clone());
        self.asked.begin(job::threads(&records.set.run).count());
        let task = Task {
            wants_records: self.wants_records,
            ..records.task().adding(&added)
        };
        driver::run(files, &mut self, &task)
    }
}

/// The summary of a question.
pub(super) fn summary(asked: &Question, counts: &Counts, done: &Done) -> Summary {
    summary_of(asked.outcome(counts, done.records), done)
}

/// The summary of a run with this outcome.
pub(super) fn summary_of(outcome: RunOutcome, done: &Done) -> Summary {
    let summary = Summary::of_records(done, outcome.counts)
        .among_first(outcome.among_first)
        .per_second(outcome.unit)
        .failed(outcome.failed, outcome.failure)
        .facts(outcome.facts);
    match outcome.is_listed {
        true => summary.listed(done),
        false => summary,
    }
}

impl RecordCommand for Ask {
    fn plan(&mut self, _: &Layout, output: Form) -> anyhow::Result<Plan> {
        self.keeps_places = !output.is_of_lines() && !output.is_of_nine_lines();
        let columns = self.asked.columns.iter().zip(&self.names);
        let columns = columns.map(|(column, name)| Added::new(name, column.values));
        let hidden = self.asked.columns.iter();
        let hidden = hidden.map(|column| output.is_of_lines() && !column.in_lines);
        let check = self.asked.check();
        Ok(Plan::new(columns.collect::<Vec<_>>())
            .taking_long(self.asked.takes_long())
            .verified(self.verify, check)
            .hiding(hidden.collect()))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = self.asked.fork();
        let has_several_rows = self.asked.definition.has_several_rows();
        Box::new(move |batch, answer| {
            if has_several_rows {
                answer.keep_places(self.keeps_places);
                answer.in_parts_of(PART);
            }
            question.fill(Batch::from(batch.records), answer);
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        self.asked.line(row, line)
    }

    fn shows_puzzle(&self) -> bool {
        self.asked.shows_puzzle()
    }

    fn expects_grids(&self) -> bool {
        self.asked.expects_grids()
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        summary(&self.asked, counts, done)
    }
}
