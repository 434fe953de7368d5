//! `sudoku-batch rate`: options of the command that the question lacks.

mod explain;
mod template;

use super::question::Ask;
use crate::driver::{self, Files};
use clap::{Arg, ArgAction, ArgMatches, Command};
use explain::Explanation;
use std::process::ExitCode;
use sudoku_batch::{
    Puzzle,
    questions::{Data, Question, RateSettings},
    technique::Rating,
};
use template::{Formatted, Template};

/// The ER of puzzles. One without a single solution has none.
pub(super) fn ers<'p>(puzzles: impl Iterator<Item = &'p Puzzle>) -> Vec<Option<Rating>> {
    let cells = Vec::from_iter(puzzles.map(|puzzle| *puzzle.as_ascii()));
    let mut question = Question::new(RateSettings::default()).expect("the usual settings");
    let answer = question.ask_cells(&cells);
    match answer.named("er") {
        Data::Ratings(ers) => ers.clone(),
        _ => unreachable!("the column has ratings"),
    }
}

/// The command `rate` with the options that ask for steps in place of ratings, and for lines of another shape.
pub(super) fn with_lines(command: Command) -> Command {
    if command.get_name() != "rate" {
        return command;
    }
    let explain = Arg::new("explain")
        .long("explain")
        .conflicts_with_all(["difficulty", "counts", "te"])
        .action(ArgAction::SetTrue)
        .help("Print the steps of each record, and why each holds");
    let template = Arg::new("rating_format")
        .long("rating-format")
        .value_name("TEXT")
        .conflicts_with_all(["explain", "difficulty", "counts", "te"])
        .value_parser(str::parse::<Template>)
        .help("Write lines like this: '%g ED=%r/%p/%d'")
        .long_help(
            "Write lines like this: '%g ED=%r/%p/%d'\n\n%g is the puzzle, %r ER, %p EP, %d ED, %n the \
             number of the record, %t the technique of the hardest step, %s the status and %% a percent sign. A \
             record that is not rated has its usual line, the puzzle and its status. Only the format line has \
             such lines.",
        );
    command.arg(explain).arg(template)
}

/// The output that the options ask for in place of the columns of the question.
#[derive(Debug)]
pub(super) enum Lines {
    /// Nothing.
    Usual,
    /// The steps.
    Explained,
    /// Lines of this shape.
    Formatted(Template),
}

impl Lines {
    /// The output that a command line asks for. Only `rate` has the options.
    pub(super) fn of(matches: &ArgMatches) -> Self {
        let template = matches.try_get_one::<Template>("rating_format");
        match template.ok().flatten() {
            Some(template) => Self::Formatted(template.clone()),
            None if matches.try_get_one("explain").ok().flatten() == Some(&true) => Self::Explained,
            None => Self::Usual,
        }
    }
}

/// Runs a question, or shows what it finds in another way.
pub(super) fn run(mut ask: Ask, files: &Files) -> anyhow::Result<ExitCode> {
    let (records, added) = (ask.records.clone(), ask.added.clone());
    let task = records.task().adding(&added);
    match std::mem::replace(&mut ask.lines, Lines::Usual) {
        Lines::Usual => ask.run(files),
        Lines::Explained => driver::run(files, &mut Explanation::new(&ask), &task),
        Lines::Formatted(template) => {
            driver::run(files, &mut Formatted::new(&mut ask, template), &task)
        }
    }
}
