//! The commands: parsing, and one file or folder for each.

mod bench;
#[cfg(feature = "book")]
mod book;
mod check;
mod drills;
mod generate;
mod generated;
mod help;
mod manual;
mod near;
#[cfg(any(test, fuzzing))]
#[path = "../../fuzz/src/options.rs"]
pub(crate) mod options_fuzzer;
#[cfg(feature = "tui")]
mod play;
mod psp;
mod puzzles;
mod question;
mod rate;
mod show;
mod stats;
#[cfg(test)]
mod tests;
mod tips;
mod trace;

use crate::driver::{Files, files, interrupt, report};
use crate::pipeline::output;
use crate::sets::{augment, convert, dedup, filter, split};
use anyhow::bail;
use clap::{ArgMatches, Args, FromArgMatches, error::ErrorKind, parser::ValueSource};
use std::{
    ffi::OsString,
    hash::{BuildHasher, RandomState},
    process::ExitCode,
};

/// A command line: the command, with its options.
#[derive(Debug)]
pub(crate) struct Program {
    command: Command,

    /// The files that the command line names.
    files: Files,
}

const EXAMPLE: &str = "Example: sudoku-batch solve puzzles.txt -o solved.txt";

const EXAMPLES: &str = "\
Examples:
  sudoku-batch solve puzzles.txt -o solved.txt    a line out for every record in
  sudoku-batch generate 10M -o grids.txt          ten million grids, all different
  sudoku-batch puzzles 1M -o puzzles.txt          a million minimal puzzles
  sudoku-batch bench                              how fast this machine solves
  sudoku-batch help solve                         all about one command

Exit status:
  0  all went well, or the reader of the output stopped reading (| head)
  1  some records failed
  2  wrong usage, or a file that cannot be read or written
After Ctrl-C a shell shows 130, and after SIGTERM 143: the process dies of the signal.";

/// Declares the commands that are no questions: their names, the types of their options, which are boxed where they are
/// large, and their work.
///
/// For `Convert(convert::Convert) = "convert", |options, files| …` it has the variant `Command::Convert(convert::Convert)`.
/// The derived code of clap for an enum of commands builds the options of all of them whenever the program starts: 2 of
/// the 7 million instructions until `solve` begins.
macro_rules! commands {
    ($(
        $(#[$attribute:meta])*
        $variant:ident($options:ty) = $name:literal, |$given:ident, $files:pat_param| $run:expr;
    )*) => {
        /// The commands, each with its options, its help and its work in a file or folder of its own.
        #[derive(Debug)]
        enum Command {
            /// A question, by its definition.
            Question(Box<question::Ask>),
            $($(#[$attribute])* $variant($options),)*
        }

        /// The command of this name with its options, if it is no question.
        fn declared(name: &str) -> Option<clap::Command> {
            Some(match name {
                $($(#[$attribute])* $name => <$options>::augment_args(clap::Command::new($name)),)*
                _ => return None,
            })
        }

        impl Command {
            /// The command of this name that a command line calls.
            fn read(name: &str, matches: &ArgMatches) -> Result<Self, clap::Error> {
                Ok(match name {
                    $($(#[$attribute])* $name => Self::$variant(<$options>::from_arg_matches(matches)?),)*
                    name => {
                        let definition = question::definition(name);
                        let definition = definition.expect("clap knows no other command");
                        Self::Question(Box::new(question::Ask::new(definition, matches)?))
                    }
                })
            }

            fn run(self, files: &Files) -> anyhow::Result<ExitCode> {
                match self {
                    Self::Question(asked) => rate::run(*asked, files),
                    $($(#[$attribute])* Self::$variant($given) => {
                        let $files = files;
                        $run
                    })*
                }
            }
        }

        /// Whether a command that is no question has this name, and the features have it.
        fn is_declared(name: &str) -> bool {
            match name {
                $($(#[$attribute])* $name => true,)*
                _ => false,
            }
        }

        /// The names of the commands that are no questions.
        #[cfg(test)]
        const DECLARED: &[&str] = &[$($name,)*];
    };
}

commands! {
    Convert(convert::Convert) = "convert", |options, files| options.run(files);
    Check(check::Check) = "check", |options, files| options.run(files);
    Dedup(dedup::Dedup) = "dedup", |options, files| options.run(files);
    Near(near::Near) = "near", |options, files| options.run(files);
    Filter(filter::Filter) = "filter", |options, files| options.run(files);
    Augment(augment::Augment) = "augment", |options, files| options.run(files);
    Split(split::Split) = "split", |options, files| options.run(files);
    Stats(stats::Stats) = "stats", |options, files| options.run(files);
    Generate(generate::Generate) = "generate", |options, files| generate::run(&options, files);
    Puzzles(puzzles::Puzzles) = "puzzles", |options, files| puzzles::run(&options, files);
    Trace(trace::Trace) = "trace", |options, files| options.run(files);
    Drills(drills::Drills) = "drills", |options, files| options.run(files);
    Psp(psp::Psp) = "psp", |options, files| options.run(files);
    Show(show::Show) = "show", |options, files| show::run(&options, files);
    #[cfg(feature = "book")]
    Book(Box<book::Book>) = "book", |options, files| book::run(&options, files);
    #[cfg(feature = "tui")]
    Play(play::Play) = "play", |options, _| play::run(&options);
    Bench(bench::Bench) = "bench", |options, files| bench::run(&options, files);
    Man(manual::Man) = "man", |options, _| options.run();
    Completions(manual::Completions) = "completions", |options, _| options.run();
}

/// Refuses several files behind `--against` where no input is named: the last of them may be meant as the input, and all
/// of them where they come from a pattern of the shell.
fn inputs_are_named(name: &str, matches: &ArgMatches) -> Result<(), clap::Error> {
    let has = |id| matches.try_contains_id(id).unwrap_or_default();
    // `puzzles` reads no records, so no file can be taken for its input.
    if !has(AGAINST)
        || !has("files")
        || matches.value_source("files") != Some(ValueSource::DefaultValue)
    {
        return Ok(());
    }
    let occurrences = matches.get_raw_occurrences(AGAINST);
    let mut several = occurrences
        .into_iter()
        .flatten()
        .map(Iterator::collect::<Vec<_>>);
    let Some(files) = several.find(|files| files.len() > 1) else {
        return Ok(());
    };
    let [first, last] = [files[0], files[files.len() - 1]].map(|file| file.to_string_lossy());
    let message = format!(
        "all {} files behind --against are compared with, and no input is named. Name the input first, or - for \
         standard input: {name} {last} --against {first}\n",
        files.len()
    );
    Err(clap::Error::raw(
        ErrorKind::MissingRequiredArgument,
        message,
    ))
}

/// The option that compares with other files.
const AGAINST: &str = "against";

/// A seed that is seldom drawn twice, and short enough to be typed.
fn some_seed() -> u64 {
    // The standard library has no other source of random words.
    RandomState::new().hash_one(()) % 1_000_000_000
}

/// Draws the seed of `--seed random`, and tells it: the same command line with this seed writes the same bytes.
fn draw_seed(arguments: &mut [OsString]) {
    const RANDOM: &str = "random";
    let mut is_value = false;
    for argument in arguments {
        if argument == "--" {
            return;
        }
        let is_drawn = is_value && argument == RANDOM;
        let is_joined = argument == "--seed=random";
        is_value = argument == "--seed";
        if is_drawn || is_joined {
            let seed = some_seed();
            report::say(format_args!(
                "sudoku-batch: the seed is {seed}: --seed {seed}"
            ));
            *argument = match is_joined {
                true => format!("--seed={seed}").into(),
                false => seed.to_string().into(),
            };
        }
    }
}

impl Program {
    /// The command line, parsed.
    ///
    /// # Errors
    ///
    /// Help, the version, or what is wrong.
    pub(crate) fn parse(
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, clap::Error> {
        let mut arguments: Vec<_> = arguments.into_iter().collect();
        draw_seed(&mut arguments);
        let mut words = arguments.iter().skip(1).map(|word| word.to_str());
        let name = words.next().flatten().unwrap_or_default().to_owned();
        let mut program = program_for(&name);
        let matches = match program.try_get_matches_from_mut(&arguments) {
            Ok(matches) => matches,
            Err(version) if version.kind() == ErrorKind::DisplayVersion => return Err(version),
            // A text that clap prints now, the help above all, has the texts in full.
            Err(_) => {
                let explained = match &*name {
                    "help" => words.next().flatten().unwrap_or_default(),
                    name => name,
                };
                program = explaining(explained);
                let read = program.try_get_matches_from_mut(&arguments);
                read.map_err(|error| tips::with_tip(error, &name))?
            }
        };
        let (name, matches) = matches.subcommand().expect("clap asks for a command");
        let command = inputs_are_named(name, matches).and_then(|()| Command::read(name, matches));
        let command = command.map_err(|error| error.format(&mut program))?;
        let clap = program.find_subcommand(name).expect("it was found");
        // Files are named in the order of the help.
        let files = Files::of(&help::in_order(clap.clone()), matches);
        Ok(Self { command, files })
    }

    /// Runs the command. An error is for exit status 2, unless it is
    /// [a closed pipe](report::is_closed_pipe).
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let done = self.run_command();
        interrupt::check();
        if done.is_err() {
            drop(interrupt::remove_new_folders());
        }
        match done {
            // The reader of one output has what it wanted, but another output is missing.
            Err(error) if report::is_closed_pipe(&error) && output::has_unfinished_files() => {
                bail!("{error:#}; output files stay as they were")
            }
            done => done,
        }
    }

    fn run_command(self) -> anyhow::Result<ExitCode> {
        self.files.check()?;
        self.command.run(&self.files)
    }
}

/// The groups of the commands, in the order of the help.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Solve and check",
        &[
            "solve",
            "check",
            "count",
            "solutions",
            "true-candidates",
            "candidate-counts",
        ],
    ),
    ("Make", &["generate", "puzzles", "rank", "psp"]),
    (
        "Rate, explain, play",
        &[
            "rate",
            "backdoors",
            "features",
            "trace",
            "drills",
            "show",
            "book",
            "play",
        ],
    ),
    (
        "Sets",
        &["convert", "filter", "dedup", "split", "augment", "stats"],
    ),
    (
        "Research",
        &[
            "canonical",
            "patterns",
            "minimals",
            "near",
            "expand",
            "classes",
            "unavoidable",
        ],
    ),
    ("Program", &["bench", "man", "completions"]),
];

/// The names of the commands, in the order of the help.
fn names() -> impl Iterator<Item = &'static str> {
    let names = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
    names.filter(|name| is_declared(name) || question::definition(name).is_some())
}

/// The command of this name as clap knows it, if it is there.
fn command(name: &str) -> Option<clap::Command> {
    let command = declared(name).or_else(|| question::definition(name).map(question::command))?;
    // Its options say what they take.
    Some(command.mut_args(|argument| help::with_seed(help::with_names(files::with_hint(argument)))))
}

/// The program with these commands.
fn with_commands(commands: impl IntoIterator<Item = clap::Command>) -> clap::Command {
    clap::Command::new("sudoku-batch")
        .bin_name("sudoku-batch")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Solve, check and make Sudoku in bulk")
        .after_help(EXAMPLE)
        .after_long_help(EXAMPLES)
        .max_term_width(100)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(commands)
}

/// A program or a command with the texts of its help.
fn documented(command: clap::Command) -> clap::Command {
    help::well_wrapped(help::arranged(command))
}

/// The program with the options of all commands, and with texts as they stand at the options.
fn all_options() -> clap::Command {
    let commands = names().filter_map(command).zip(0..);
    with_commands(commands.map(|(command, place)| command.display_order(place)))
}

/// The program as clap knows it, with its help.
pub(crate) fn program() -> clap::Command {
    documented(in_groups().mut_subcommands(documented))
}

/// The program with its commands in groups.
fn in_groups() -> clap::Command {
    let program = all_options();
    let template = help::in_groups(&program, &GROUPS);
    program.help_template(template)
}

/// The program as a command line is read by it: with the options of the command that it names alone, and with the
/// texts of the help as they stand at the options. The options of all commands took 1 ms of the 5 until a command
/// began. To prepare the texts took 16 of 20 ms in the program that the tests run, whose other crates are not
/// optimised.
fn program_for(name: &str) -> clap::Command {
    let others = names().filter(|other| *other != name);
    with_commands(others.map(clap::Command::new).chain(command(name)))
}

/// The program that prints the help of this command, or an error about it. If there is no such command, that is the
/// help of the program. The texts of all commands would take six times as long.
fn explaining(name: &str) -> clap::Command {
    documented(match names().any(|known| known == name) {
        true => program_for(name).mut_subcommand(name, documented),
        false => in_groups(),
    })
}

/// A wrong use of the flags of a command, as clap prints it, with the usage of the command.
pub(crate) fn usage_error(command: &str, kind: ErrorKind, message: String) -> clap::Error {
    let mut program = explaining(command);
    program.build();
    let command = program.find_subcommand_mut(command);
    command.expect("the command is there").error(kind, message)
}

#[cfg(test)]
mod parsing_tests {
    use super::{DECLARED, help::unwrapped, is_declared, names, program, question};
    use std::collections::BTreeSet;

    /// The program has the commands of the groups, so one that is in none would be missing.
    #[test]
    fn each_command_is_in_a_group() {
        let questions = question::definitions().map(|definition| definition.name);
        let declared = DECLARED.iter().copied().filter(|name| is_declared(name));
        let known: BTreeSet<_> = questions.chain(declared).collect();
        assert_eq!(names().collect::<BTreeSet<_>>(), known);
        assert_eq!(names().count(), known.len());
    }

    #[test]
    fn the_flags_fit_together() {
        program().debug_assert();
    }

    /// So the driver knows it, and the table of `tests/command/outputs.rs` finds it in the help.
    #[test]
    fn an_argument_that_names_a_file_has_a_type_and_a_name_of_its_own() {
        let of_paths = clap::builder::ValueParser::path_buf().type_id();
        for command in program().get_subcommands() {
            for argument in command.get_arguments() {
                let names = argument.get_value_names().unwrap_or_default();
                let is_file = |name: &str| ["FILE", "DIR", "PATH"].iter().any(|n| name.contains(n));
                let is_named = names.iter().any(|name| is_file(name));
                let place = format!("{} {}", command.get_name(), argument.get_id());
                assert_eq!(super::files::names_file(argument), is_named, "{place}");
                assert_ne!(argument.get_value_parser().type_id(), of_paths, "{place}");
            }
        }
    }

    #[test]
    fn paragraphs_are_lines() {
        let text = "Examples:\n  a\n    b\n\nOne two\nthree.\n\nList:\n  1\nfour\nfive";
        let lines = "Examples:\n  a\n    b\n\nOne two three.\n\nList:\n  1\nfour five";
        assert_eq!(unwrapped(text), lines);
    }
}
