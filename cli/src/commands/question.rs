//! The commands of questions: one command for each definition, with its settings as options.
//!
//! The name of a question, its meaning, its options and its columns come from its [`Definition`]. [`notes`] has the help that
//! only the command needs.

mod notes;

use super::rate::{self, Lines};
use crate::driver::{
    self, AddedColumns, Done, Files, InputFile, Plan, RecordCommand, RecordOptions, SetOptions,
    Summary, Task, Worker, engines, job,
    listed::ListedName,
    options::{ShardOption, help, paragraphs},
};
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches,
    builder::{PossibleValue, ValueParserFactory},
    error::ErrorKind,
    parser::ValueSource,
};
use notes::{CommandHelp, OF_OTHER_COMMANDS};
use std::process::ExitCode;
use sudoku_batch::{
    format::{Added, Form, Layout},
    questions::{
        self, Audience, Batch, Column, Counts, Definition, Kind, Question, RowView, RunOutcome,
        Setting, Settings as _, all,
    },
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

/// The identifier of an option of clap.
fn id(name: &str) -> String {
    name.replace('-', "_")
}

/// Returns true if a setting is an option. The command has options of its own for answers and texts.
fn is_option(setting: &Setting) -> bool {
    setting.is_option() && !setting.is_beside()
}

/// The options of settings.
fn options(settings: impl Iterator<Item = &'static Setting> + Clone) -> impl Iterator<Item = Arg> {
    let settings = settings.filter(|setting| is_option(setting));
    settings.clone().map(move |setting| {
        let other = |name: &str| settings.clone().find(|other| other.name == name);
        let [excluded, needed] = [setting.excludes, setting.needs].map(other);
        let arg = option(setting).conflicts_with_all(excluded.map(|other| id(other.name)));
        match needed {
            None => arg,
            Some(other) => arg.requires(id(other.name)),
        }
    })
}

/// The option of a setting.
fn option(setting: &'static Setting) -> Arg {
    let (about, long) = paragraphs(&match setting.details {
        "" => setting.about.to_owned(),
        details => format!("{}\n\n{details}", setting.about),
    });
    let arg = Arg::new(id(setting.name)).long(setting.name).help(about);
    let some = |text: &'static str| Some(text).filter(|text| !text.is_empty());
    let arg = match setting.details {
        "" => arg,
        _ => arg.long_help(long),
    };
    let arg = arg
        .alias(some(setting.alias))
        .short(setting.short)
        .default_value(some(setting.usual));
    let parse = move |text: &str| (setting.try_text)(text).map(|()| text.to_owned());
    match setting.kind {
        Kind::Flag | Kind::Answers | Kind::Texts => arg.action(ArgAction::SetTrue),
        Kind::Engine => arg.value_name("NAME").value_parser(engines::engine()),
        Kind::Level => arg.value_name("NAME").value_parser(engines::level()),
        Kind::Name(known) => {
            let value = |&(name, about): &(_, _)| PossibleValue::new(name).help(about);
            arg.value_name("NAME")
                .value_parser(ListedName::of(known.iter().map(value)))
        }
        Kind::Range(..) | Kind::Ratings => arg
            .value_name("A..B")
            .allow_hyphen_values(true)
            .value_parser(parse),
        Kind::Pattern => arg
            .value_name("MASK|FILE")
            .allow_hyphen_values(true)
            .value_parser(<InputFile as ValueParserFactory>::value_parser()),
        Kind::Rating => arg.value_name("X").value_parser(parse),
        Kind::Techniques | Kind::AnyTechniques => arg.value_name("NAME,…").value_parser(parse),
        Kind::Names(_) => arg
            .value_name(setting.name.to_uppercase())
            .value_parser(parse),
        number => {
            let name = match number {
                Kind::Digit => "D",
                Kind::Student => "ID",
                _ => "N",
            };
            arg.value_name(name)
                .allow_negative_numbers(true)
                .value_parser(parse)
        }
    }
}

/// A pattern, or the text of the file that has it.
fn mask(setting: &'static Setting, text: &str) -> Result<String, String> {
    let Err(of_mask) = (setting.try_text)(text) else {
        return Ok(text.to_owned());
    };
    let of_file = std::fs::read_to_string(text)
        .map_err(|error| format!("{of_mask}; and as the name of a file: {error}"))?;
    (setting.try_text)(&of_file).map(|()| of_file)
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

/// The settings that the command line gives, as a definition takes them. The command sets the flags
/// that calls alone can leave out.
fn settings(
    all: impl Iterator<Item = &'static Setting>,
    matches: &ArgMatches,
) -> impl Iterator<Item = (&'static str, &str)> {
    all.filter_map(|setting| {
        if matches!(setting.audience, Audience::Calls | Audience::Written) {
            return Some((setting.name, "true"));
        }
        // The command has the texts, or the question is not asked.
        if setting.kind == Kind::Texts {
            return Some((setting.name, "true"));
        }
        if !is_option(setting) {
            return None;
        }
        let id = id(setting.name);
        if matches.value_source(&id) != Some(ValueSource::CommandLine) {
            return None;
        }
        Some(match setting.kind {
            Kind::Flag => (setting.name, "true"),
            _ => (setting.name, matches.get_raw(&id)?.next_back()?.to_str()?),
        })
    })
}

/// A command with more options asks for these: the settings of a question or of a set, or some of them.
pub(super) trait Defined {
    /// The settings as a struct.
    type Typed: questions::Settings;

    /// The settings that are options of the command: all of them, if it does not choose.
    fn settings() -> impl Iterator<Item = &'static Setting> + Clone {
        Self::Typed::TABLE.iter()
    }
}

/// Settings, as a group of options.
#[derive(Clone, Debug)]
pub(crate) struct Settings<D: Defined> {
    /// The settings that are given: names and texts.
    given: Vec<(&'static str, String)>,
    /// All of them.
    typed: D::Typed,
}

impl<D: Defined> Settings<D> {
    /// The settings that are given: names and texts.
    pub(super) fn given(&self) -> impl Iterator<Item = (&str, &str)> {
        self.given.iter().map(|(name, text)| (*name, &text[..]))
    }

    /// The settings as a struct.
    pub(super) fn typed(&self) -> &D::Typed {
        &self.typed
    }
}

impl<D: Defined> FromArgMatches for Settings<D> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Vec::new();
        for (name, text) in settings(D::settings(), matches) {
            let setting = D::settings().find(|setting| setting.name == name);
            let text = match setting.filter(|setting| setting.kind == Kind::Pattern) {
                Some(setting) => mask(setting, text).map_err(|wrong| {
                    let message = format!("invalid value '{text}' for '--{name}': {wrong}\n");
                    clap::Error::raw(ErrorKind::InvalidValue, message)
                })?,
                None => text.to_owned(),
            };
            given.push((name, text));
        }
        let place = |name| {
            let mut table = D::Typed::TABLE.iter();
            table.position(|setting| setting.name == name)
        };
        let texts = given.iter();
        let texts = texts.map(|(name, text)| (place(*name).expect("it is defined"), &text[..]));
        let typed = D::Typed::of_texts(&texts.collect::<Vec<_>>());
        let typed = typed
            .map_err(|wrong| clap::Error::raw(ErrorKind::ArgumentConflict, format!("{wrong}\n")))?;
        Ok(Self { given, typed })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<D: Defined> Args for Settings<D> {
    fn augment_args(command: Command) -> Command {
        command.args(options(D::settings()))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
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
        let mut asked = definition.with(texts.iter().copied()).map_err(|error| {
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
            settings: Vec::from_iter(texts.iter().map(|(name, text)| (*name, (*text).to_owned()))),
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
