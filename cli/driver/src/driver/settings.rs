//! The settings of questions as options of a command.

use super::{InputFile, engines, listed::ListedName, options::paragraphs};
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches,
    builder::{PossibleValue, ValueParserFactory},
    error::ErrorKind,
    parser::ValueSource,
};
use std::{borrow::Cow, ffi::OsStr};
use sudoku_batch::questions::{self, Audience, Kind, Setting, Settings as _};

/// The identifier of an option of clap.
pub fn id(name: &str) -> String {
    name.replace('-', "_")
}

/// Returns true if a setting is an option. The command has options of its own for answers and texts.
fn is_option(setting: &Setting) -> bool {
    setting.is_option() && !setting.is_beside()
}

/// The options of settings.
pub fn options(
    settings: impl Iterator<Item = &'static Setting> + Clone,
) -> impl Iterator<Item = Arg> {
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
        // An option that is given twice adds to the list.
        Kind::Names(known) => {
            let arg = arg.value_name("NAME,…").value_delimiter(',');
            let arg = arg.action(ArgAction::Append);
            let value = |&(name, about): &(_, _)| PossibleValue::new(name).help(about);
            match known.iter().all(|(_, about)| about.is_empty()) {
                true => arg.value_parser(parse),
                false => arg.value_parser(ListedName::of(known.iter().map(value))),
            }
        }
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

/// The settings that the command line gives, as a definition takes them. The command sets the flags
/// that calls alone can leave out.
pub fn settings(
    all: impl Iterator<Item = &'static Setting>,
    matches: &ArgMatches,
) -> impl Iterator<Item = (&'static str, Cow<'_, str>)> {
    all.filter_map(|setting| {
        if matches!(setting.audience, Audience::Calls | Audience::Written) {
            return Some((setting.name, "true".into()));
        }
        // The command has the texts, or the question is not asked.
        if setting.kind == Kind::Texts {
            return Some((setting.name, "true".into()));
        }
        if !is_option(setting) {
            return None;
        }
        let id = id(setting.name);
        if matches.value_source(&id) != Some(ValueSource::CommandLine) {
            return None;
        }
        let mut texts = matches.get_raw(&id)?.map(OsStr::to_str);
        let text = match setting.kind {
            Kind::Flag => "true".into(),
            Kind::Names(_) => texts.collect::<Option<Vec<_>>>()?.join(",").into(),
            _ => texts.next_back()??.into(),
        };
        Some((setting.name, text))
    })
}

/// A command with more options asks for these: the settings of a question or of a set, or some of them.
pub trait Defined {
    /// The settings as a struct.
    type Typed: questions::Settings;

    /// The settings that are options of the command: all of them, if it does not choose.
    fn settings() -> impl Iterator<Item = &'static Setting> + Clone {
        Self::Typed::TABLE.iter()
    }
}

/// Settings, as a group of options.
#[derive(Clone, Debug)]
pub struct Settings<D: Defined> {
    /// The settings that are given: names and texts.
    given: Vec<(&'static str, String)>,
    /// All of them.
    typed: D::Typed,
}

impl<D: Defined> Settings<D> {
    /// The settings that are given: names and texts.
    pub fn given(&self) -> impl Iterator<Item = (&str, &str)> {
        self.given.iter().map(|(name, text)| (*name, &text[..]))
    }

    /// The settings as a struct.
    pub fn typed(&self) -> &D::Typed {
        &self.typed
    }
}

impl<D: Defined> FromArgMatches for Settings<D> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Vec::new();
        for (name, text) in settings(D::settings(), matches) {
            let setting = D::settings().find(|setting| setting.name == name);
            let text = match setting.filter(|setting| setting.kind == Kind::Pattern) {
                Some(setting) => mask(setting, &text).map_err(|wrong| {
                    let message = format!("invalid value '{text}' for '--{name}': {wrong}\n");
                    clap::Error::raw(ErrorKind::InvalidValue, message)
                })?,
                None => text.into_owned(),
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
