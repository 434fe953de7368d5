//! All files of a command: what it reads, and where it writes.
//!
//! The type of an option says which it is: [`InputFile`] or [`OutputFile`]. [`Files`] collects the
//! options of these types from the command line, whatever the command is. It refuses an output that
//! is an input or another output, by the identity of the files, before anything is opened or created.
//! `--output` alone may name the records, which it then replaces. Names that a command makes up
//! (arrays, parts, the files of `--output-dir`) come to [`Files::claim`] as soon as they are known,
//! and to [`Files::create`] in any case: nothing else creates an output.

use super::{checkpoint::KeptOutput, interrupt, names};
use crate::pipeline::{
    compression::Packing,
    identity::Identity,
    lock,
    output::{self, Output},
};
use anyhow::{Context, anyhow, bail};
use clap::{
    ArgMatches, Command, ValueHint,
    builder::{PathBufValueParser, TypedValueParser, ValueParserFactory},
    parser::ValueSource,
};
use std::{
    collections::HashMap,
    ops::Deref,
    path::{Path, PathBuf},
    sync::Mutex,
};

/// The path that stands for standard input and standard output.
pub const STANDARD: &str = "-";

/// The error of an option that names a file twice.
pub(super) fn written_twice(option: &str, path: &Path) -> anyhow::Error {
    let path = path.display();
    anyhow!("two outputs of {option} would both be written to {path}")
}

/// The options that may name the records, and replace them.
const REPLACING: [&str; 2] = ["output", "out"];

/// The arguments that name the records.
const RECORDS: [&str; 2] = ["files", "solve"];

/// The path of a file or a folder that the command line names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileArgument<const OUTPUT: bool>(PathBuf);

/// A file to read.
pub type InputFile = FileArgument<false>;

/// A file to write, or a folder to write files to.
pub type OutputFile = FileArgument<true>;

impl<const OUTPUT: bool> Deref for FileArgument<OUTPUT> {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl<const OUTPUT: bool> ValueParserFactory for FileArgument<OUTPUT> {
    type Parser = clap::builder::MapValueParser<PathBufValueParser, fn(PathBuf) -> Self>;

    fn value_parser() -> Self::Parser {
        PathBufValueParser::new().map(Self)
    }
}

/// Returns true if an argument names a file, by its type.
pub fn names_file(argument: &clap::Arg) -> bool {
    use clap::builder::ValueParser;
    let parsers = [
        ValueParser::from(InputFile::value_parser()),
        ValueParser::from(OutputFile::value_parser()),
    ];
    let of_argument = argument.get_value_parser().type_id();
    parsers.iter().any(|parser| parser.type_id() == of_argument)
}

/// Completions offer files for the arguments that name them.
pub fn with_hint(argument: clap::Arg) -> clap::Arg {
    if names_file(&argument) {
        argument.value_hint(ValueHint::AnyPath)
    } else {
        argument
    }
}

/// The files that a command reads and writes, by their identities.
#[derive(Debug, Default)]
pub struct Files {
    named: Vec<Claim>,
    /// The command, and its arguments that decide about the output.
    asked: Vec<String>,
    /// The outputs with which this run goes on.
    kept: Mutex<Vec<KeptOutput>>,
    /// The contradiction between the name of an output and the options.
    misnamed: Option<String>,
    known: Mutex<HashMap<Identity, Claim>>,
}

/// A file, and what names it.
#[derive(Clone, Debug)]
struct Claim {
    option: String,
    path: PathBuf,
    role: Role,
    /// The path is the usual one: nobody gave the option.
    is_usual: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    /// The records that the command answers: `--output` may replace them.
    Records,
    /// Another input.
    Input,
    /// It may replace the records.
    Output,
    /// Any other output.
    OtherOutput,
    /// An output that is created.
    Created,
}

impl Files {
    /// All files that a command line names.
    pub fn of(command: &Command, matches: &ArgMatches) -> Self {
        /// The arguments that do not change a byte of the output.
        const WITHOUT_EFFECT: [&str; 7] = [
            "threads",
            "quiet",
            "no_progress",
            "summary",
            "verbose",
            "resume",
            "checkpoint",
        ];
        let (mut named, mut misnamed) = (Vec::new(), None);
        let mut asked = vec![command.get_name().to_owned()];
        for argument in command.get_arguments().filter(|a| names_file(a)) {
            let id = argument.get_id().as_str();
            let option = match (argument.get_long(), argument.get_short()) {
                (Some(long), _) => format!("--{long}"),
                (None, Some(short)) => format!("-{short}"),
                (None, None) => "the input".into(),
            };
            let is_there = matches.try_contains_id(id).is_ok_and(|is_there| is_there);
            let is_usual = is_there && matches.value_source(id) == Some(ValueSource::DefaultValue);
            let mut add = |path: &Path, role| {
                named.push(Claim {
                    option: option.clone(),
                    path: path.to_owned(),
                    role,
                    is_usual,
                });
            };
            let input = if RECORDS.contains(&id) {
                Role::Records
            } else {
                Role::Input
            };
            // Nothing replaces the records unasked.
            let output = if REPLACING.contains(&id) && !is_usual {
                Role::Output
            } else {
                Role::OtherOutput
            };
            let inputs = matches.try_get_many::<InputFile>(id).ok().flatten();
            inputs
                .into_iter()
                .flatten()
                .for_each(|path| add(path, input));
            let is_folder = |names: &[clap::builder::Str]| names.iter().any(|name| name == "DIR");
            let is_folder = argument.get_value_names().is_some_and(is_folder);
            let outputs = matches.try_get_many::<OutputFile>(id).ok().flatten();
            for path in outputs.into_iter().flatten() {
                add(path, output);
                if !is_folder && misnamed.is_none() {
                    misnamed = names::wrong(command, matches, (id, &option), path);
                }
            }
        }
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            let is_given = matches.try_contains_id(id).unwrap_or_default()
                && matches.value_source(id) == Some(ValueSource::CommandLine);
            if !is_given || WITHOUT_EFFECT.contains(&id) {
                continue;
            }
            let values = matches.get_raw(id).into_iter().flatten();
            let values = values.map(|value| value.to_string_lossy().into_owned());
            let name = argument.get_long().map(|long| format!("--{long}"));
            let words: Vec<_> = name.into_iter().chain(values).collect();
            asked.push(words.join(" "));
        }
        // Inputs first.
        named.sort_by_key(|known| matches!(known.role, Role::Output | Role::OtherOutput));
        Self {
            named,
            asked,
            kept: Mutex::default(),
            misnamed,
            known: Mutex::default(),
        }
    }

    /// Refuses an output that is an input or another output, or has a name that the options contradict. Nothing
    /// is opened or created yet.
    pub fn check(&self) -> anyhow::Result<()> {
        if let Some(wrong) = &self.misnamed {
            bail!("{wrong}");
        }
        for named in &self.named {
            let is_standard = *named.path == *STANDARD;
            match named.role {
                Role::Records | Role::Input => {
                    let identity = match is_standard {
                        true => Identity::stdin(),
                        // A name without a file may be a puzzle.
                        false => named
                            .path
                            .exists()
                            .then(|| Identity::of(&named.path))
                            .flatten(),
                    };
                    if let Some(identity) = identity {
                        lock(&self.known)
                            .entry(identity)
                            .or_insert_with(|| named.clone());
                    }
                }
                // Not every command writes to standard output where its name is the default.
                _ if is_standard => {}
                _ => self.add(named.clone())?,
            }
        }
        Ok(())
    }

    /// Makes known that the command will write to this path, which no option names alone: `option`
    /// leads to it.
    ///
    /// # Errors
    ///
    /// It is an input or another output.
    pub fn claim(&self, option: &str, path: &Path) -> anyhow::Result<()> {
        self.add(Claim {
            option: option.into(),
            path: path.into(),
            role: Role::OtherOutput,
            is_usual: false,
        })
    }

    /// The command, and its arguments that decide about the output.
    pub(super) fn asked(&self) -> &[String] {
        &self.asked
    }

    /// The paths of the inputs that the command line names.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Path> {
        let is_input = |claim: &&Claim| matches!(claim.role, Role::Records | Role::Input);
        self.named.iter().filter(is_input).map(|claim| &*claim.path)
    }

    /// Goes on with these outputs where they are [created](Self::create).
    pub(super) fn go_on_with(&self, outputs: Vec<KeptOutput>) {
        *lock(&self.kept) = outputs;
    }

    /// The output of an earlier run to this file, with which this one goes on.
    pub(super) fn kept(&self, target: &Path) -> Option<KeptOutput> {
        let kept = lock(&self.kept);
        kept.iter().find(|kept| kept.is_of(target)).cloned()
    }

    /// Returns true if an output goes to this path, and no option names it.
    pub fn is_usual_output(&self, path: &Path) -> bool {
        let mut named = self.named.iter();
        named.any(|known| known.is_usual && known.role == Role::OtherOutput && known.path == path)
    }

    fn add(&self, new: Claim) -> anyhow::Result<()> {
        let identity = if *new.path == *STANDARD {
            Some(Identity::stdout())
        } else {
            Identity::of(&new.path)
        };
        let Some(identity) = identity else {
            return Ok(());
        };
        let mut known = lock(&self.known);
        let Some(old) = known.get(&identity) else {
            known.insert(identity, new);
            return Ok(());
        };
        let is_the_same = old.option == new.option && old.path == new.path;
        let [one, other] = [&new, old].map(|known| {
            // A redirection of the shell has no option.
            if *known.path == *STANDARD {
                match known.role {
                    Role::Records | Role::Input => "standard input".into(),
                    _ => "standard output".to_owned(),
                }
            } else {
                format!("{} {}", known.option, known.path.display())
            }
        });
        match (old.role, new.role) {
            (Role::Records, Role::Output) => {}
            (Role::Output | Role::OtherOutput, Role::Created) if is_the_same => {}
            (Role::Records | Role::Input, _) if new.is_usual => {
                let (option, path) = (&new.option, new.path.display());
                bail!(
                    "the output goes to {path}, which is the input: {option} FILE names another file, and {option} \
                     {path} replaces the input"
                )
            }
            (Role::Records | Role::Input, _) => bail!(
                "{one} is the same file as {other}: the output would overwrite an input (only \
                 --output may name the records, and replaces them)"
            ),
            _ if old.option == new.option => return Err(written_twice(&old.option, &new.path)),
            _ => bail!("{other} and {one} are the same file: both cannot go there"),
        }
        known.insert(identity, new);
        Ok(())
    }

    /// Creates an output, and the folders around it, or takes standard output for `-`. It is compressed as asked
    /// for. Without a wish the ending of its name decides.
    ///
    /// # Errors
    ///
    /// It cannot be created, or it is an input or another output.
    pub fn create(
        &self,
        option: &str,
        path: &Path,
        packing: Option<Packing>,
    ) -> anyhow::Result<Output> {
        self.add(Claim {
            option: option.into(),
            path: path.into(),
            role: Role::Created,
            is_usual: false,
        })?;
        // Before there is a file that a signal must remove.
        interrupt::handle()?;
        let kept = || self.kept(&output::target_of(path)?);
        let kept = if *path == *STANDARD { None } else { kept() };
        let output = if let Some(kept) = &kept {
            kept.go_on()?
        } else if *path == *STANDARD {
            Output::stdout()?
        } else {
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            // A file in place of a folder is told with the name of the output.
            if let Some(folder) = folder.filter(|folder| !folder.exists()) {
                self.make_folder(folder)?;
            }
            Output::create(path)?
        };
        let output = match packing.or_else(|| Packing::by_ending(path)) {
            Some(packing) => output.compressed(packing)?,
            None => output,
        };
        Ok(match kept {
            Some(kept) => kept.with_pending(output),
            None => output,
        })
    }

    /// Creates a folder for outputs, and the folders around it. They are removed again if the
    /// command fails.
    pub fn make_folder(&self, path: &Path) -> anyhow::Result<()> {
        if path.is_dir() {
            return Ok(());
        }
        let made = interrupt::make_folder(path);
        made.with_context(|| format!("cannot create the folder {}", path.display()))?;
        // The files of the folder have another identity now.
        let mut known = lock(&self.known);
        let renewed = known.drain().map(|(identity, known)| {
            let renewed = Identity::of(&known.path).filter(|_| *known.path != *STANDARD);
            (renewed.unwrap_or(identity), known)
        });
        *known = renewed.collect::<Vec<_>>().into_iter().collect();
        Ok(())
    }
}
