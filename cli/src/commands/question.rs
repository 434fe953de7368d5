//! The commands of questions: one command for each definition, with its settings as options.
//!
//! Nothing here knows a question by name. What a question is called, its help, its options and its
//! columns come from its [`Definition`].

use super::rate::Lines;
use crate::driver::{
    self, AddedColumns, Done, Files, Plan, RecordCommand, RecordOptions, Summary, Worker, added,
    engines, job,
    options::{help, paragraphs},
    summary::fact,
};
use anyhow::bail;
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, error::ErrorKind,
    parser::ValueSource,
};
use std::process::ExitCode;
use sudoku_batch::{
    format::{Form, Layout, Values},
    questions::{
        Asked, Batch, Column, Counts, Definition, Doors, Kind, RowView, Setting, Value, all,
    },
};

/// A question and the run that the options ask for.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(super) asked: Asked,
    verify: bool,
    /// The names of the columns.
    names: Vec<String>,
    pub(super) added: AddedColumns,
    pub(super) records: RecordOptions,
    /// The settings that are given.
    pub(super) settings: Vec<(&'static str, Value)>,
    /// What `rate` shows in place of the columns.
    pub(super) lines: Lines,
}

/// The definitions that are commands as they are. A definition without notes belongs to a command
/// with more options.
pub(super) fn definitions() -> impl Iterator<Item = &'static Definition> {
    all().filter(|definition| !definition.notes.is_empty())
}

/// The commands of all questions.
pub(super) fn commands() -> impl Iterator<Item = Command> {
    definitions().map(|definition| {
        let settings = definition.settings.iter();
        let settings = settings.filter(|setting| setting.doors != Doors::Calls);
        let (about, long) = paragraphs(&format!("{}.\n\n{}", definition.about, definition.details));
        let command = Command::new(definition.name)
            .about(about)
            .long_about(long)
            .after_long_help(help(definition.notes, definition.failure))
            .args(settings.map(option))
            .args(verification(definition))
            .args(definition.columns.iter().filter_map(name_of_column));
        RecordOptions::augment_args(AddedColumns::augment_args(command))
    })
}

/// The identifier of an option of clap.
fn id(name: &str) -> String {
    name.replace('-', "_")
}

/// The option of a setting.
pub(super) fn option(setting: &'static Setting) -> Arg {
    let (about, long) = paragraphs(&match setting.details {
        "" => setting.about.to_owned(),
        details => format!("{}\n\n{details}", setting.about),
    });
    let arg = Arg::new(id(setting.name)).long(setting.name).help(about);
    let arg = match setting.details {
        "" => arg,
        _ => arg.long_help(long),
    };
    let arg = match setting.alias {
        "" => arg,
        alias => arg.alias(alias),
    };
    let arg = match setting.excludes {
        "" => arg,
        other => arg.conflicts_with(id(other)),
    };
    let arg = match setting.usual {
        "" => arg,
        usual => arg.default_value(usual),
    };
    let parse = move |text: &str| match setting.parse(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(error.message),
    };
    match setting.kind {
        Kind::Flag | Kind::Answers => arg.action(ArgAction::SetTrue),
        Kind::Engine => arg.value_name("NAME").value_parser(engines::engine()),
        Kind::Level => arg.value_name("NAME").value_parser(engines::level()),
        Kind::Rating => arg.value_name("X").value_parser(parse),
        Kind::Techniques => arg.value_name("NAME,…").value_parser(parse),
        Kind::Digit => arg
            .value_name("D")
            .allow_negative_numbers(true)
            .value_parser(parse),
        Kind::Student => arg
            .value_name("ID")
            .allow_negative_numbers(true)
            .value_parser(parse),
        _ => arg
            .value_name("N")
            .allow_negative_numbers(true)
            .value_parser(parse),
    }
}

/// `--verify`, if the answers can be checked.
fn verification(definition: &Definition) -> Option<Arg> {
    let (about, long) = paragraphs(definition.verification);
    let arg = Arg::new("verify")
        .long("verify")
        .help(about)
        .long_help(long);
    (!definition.verification.is_empty()).then(|| arg.action(ArgAction::SetTrue))
}

/// The option for another name of a column. The options that all commands with statuses share have
/// that of the status.
fn name_of_column(column: &Column) -> Option<Arg> {
    let option = format!("{}-column", column.name.replace('_', "-"));
    let is_own = column.can_be_renamed && column.name != Column::STATUS.name;
    is_own.then(|| {
        let arg = Arg::new(id(&option)).long(option);
        let arg = match column.alias {
            "" => arg,
            alias => arg.alias(alias),
        };
        arg.value_name("NAME")
            .default_value(column.name)
            .help(format!(
                "The name of the column, or key, for {}",
                column.about
            ))
    })
}

/// The settings that the command line gives, as a definition takes them. The command sets the flags
/// that calls alone can leave out.
pub(super) fn settings<'m>(
    definition: &'static Definition,
    matches: &'m ArgMatches,
) -> Vec<(&'static str, &'m str)> {
    let of_setting = |setting: &'static Setting| {
        if setting.doors == Doors::Calls {
            return Some((setting.name, "true"));
        }
        let id = id(setting.name);
        if matches.value_source(&id) != Some(ValueSource::CommandLine) {
            return None;
        }
        Some(match setting.kind {
            Kind::Flag => (setting.name, "true"),
            _ => (setting.name, matches.get_raw(&id)?.next_back()?.to_str()?),
        })
    };
    definition.settings.iter().filter_map(of_setting).collect()
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
        let texts = settings(definition, matches);
        let values = texts.iter().filter_map(|(name, text)| {
            let value = definition.setting(name).ok()?.parse(text).ok()?;
            Some((*name, value))
        });
        let values = values.collect();
        let mut asked = definition.with(texts.iter().copied()).map_err(|error| {
            super::usage_error(
                definition.name,
                ErrorKind::ArgumentConflict,
                error.to_string(),
            )
        })?;
        let added = AddedColumns::from_arg_matches(matches)?;
        let records = RecordOptions::from_arg_matches(matches)?;
        asked.question.share(job::threads(&records.set.run).count());
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
            settings: values,
            lines: Lines::of(matches),
            verify: matches.try_get_one("verify").ok().flatten() == Some(&true),
            asked,
            added,
            records,
        })
    }

    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        let (records, added) = (self.records.clone(), self.added.clone());
        self.asked
            .question
            .begin(job::threads(&records.set.run).count());
        driver::run(files, &mut self, &records.task().adding(&added))
    }
}

/// The summary of a question.
pub(super) fn summary(asked: &Asked, counts: &Counts, done: &Done) -> Summary {
    let outcome = asked.question.outcome(counts, done.records);
    let summary = Summary::of_records(done, outcome.counts)
        .among_first(outcome.among_first)
        .per_second(outcome.unit)
        .failed(outcome.failed, outcome.failure);
    let facts = outcome.facts.into_iter();
    let summary = facts.fold(summary, |summary, (name, value)| {
        summary.fact(name, fact(value))
    });
    match outcome.is_listed {
        true => summary.listed(done),
        false => summary,
    }
}

impl RecordCommand for Ask {
    fn plan(&mut self, _: &Layout, output: Form) -> anyhow::Result<Plan> {
        let mut columns = self.asked.columns.iter();
        let has_candidates = columns.any(|column| column.values == Values::Candidates);
        if has_candidates && output.is_of_nine_lines() && output != Form::Pencilmarks {
            bail!(
                "--format {output} has no room for candidates: line, candidates, pencilmarks, npy and tables have"
            );
        }
        let columns = self.asked.columns.iter().zip(&self.names);
        let columns = columns.map(|(column, name)| added(name, column.values));
        let hidden = self.asked.columns.iter();
        let hidden = hidden.map(|column| output.is_of_lines() && !column.in_lines);
        let check = self.asked.question.check();
        Ok(Plan::new(columns.collect::<Vec<_>>())
            .verified(self.verify, check)
            .hiding(hidden.collect()))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = self.asked.question.fork();
        Box::new(move |batch, answer| {
            question.fill(Batch::from(batch.records), answer);
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        self.asked.question.line(row, line)
    }

    fn shows_puzzle(&self) -> bool {
        self.asked.question.shows_puzzle()
    }

    fn expects_grids(&self) -> bool {
        self.asked.question.expects_grids()
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        summary(&self.asked, counts, done)
    }
}
