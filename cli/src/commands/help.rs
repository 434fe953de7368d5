//! The order of the help: the command's own options first, then those that commands share, under
//! headings. The short help leaves out what is rarely needed, and ends with the names of that.

use crate::driver::report::NO_BREAK;
use clap::{Arg, Command, builder::StyledStr};

/// Lists of more names than these take too many lines of the short help.
const NAMES: usize = 8;

/// An option that takes one of some names takes it in capitals too. Of a long list, only the long help has all.
pub(super) fn with_names(arg: Arg) -> Arg {
    let values = arg.get_possible_values();
    if values.is_empty() || !arg.get_action().takes_values() {
        return arg;
    }
    let arg = arg.ignore_case(true);
    let is_described = values.iter().any(|value| value.get_help().is_some());
    let names: Vec<_> = values.iter().map(|value| value.get_name()).collect();
    if is_described || names.len() <= NAMES {
        return arg;
    }
    let help = arg.get_long_help().or(arg.get_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let help = format!(
        "{}.\n\nOne of: {}.",
        help.trim_end_matches('.'),
        names.join(", ")
    );
    arg.hide_possible_values(true).long_help(help)
}

/// The text of `--seed` in every command.
const SEED: &str = "Seed of random choices, or `random`";

/// The rest of its long help.
const MORE_OF_SEED: &str = "It is a number from 0 to 18446744073709551615. For `random` the command draws one and prints it.";

/// An option `--seed` has one text. More paragraphs of its long help stay.
pub(super) fn with_seed(arg: Arg) -> Arg {
    if arg.get_long() != Some("seed") {
        return arg;
    }
    let own = arg.get_long_help().map(ToString::to_string);
    let own = own
        .as_deref()
        .and_then(|text| Some(text.split_once("\n\n")?.1));
    let paragraphs = [SEED, MORE_OF_SEED].into_iter().chain(own);
    let text = paragraphs.collect::<Vec<_>>().join("\n\n");
    arg.value_name("N").help(SEED).long_help(text)
}

/// A text of the help in which no line can begin with the name of an option: it would look like the entry of that
/// option. Such a name stays with the word before it.
fn kept_together(text: &str) -> String {
    text.replace(" --", &format!("{NO_BREAK}--"))
}

/// A text in which each paragraph is one line, so that clap wraps it once, and not what is
/// wrapped already. Blank lines, indented lines, and headings (which end with a colon) stay.
pub(super) fn unwrapped(text: &str) -> String {
    let mut unwrapped = String::new();
    let mut may_go_on = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        if !unwrapped.is_empty() {
            unwrapped.push(if is_prose && may_go_on { ' ' } else { '\n' });
        }
        unwrapped += line;
        may_go_on = is_prose && !line.ends_with(':');
    }
    unwrapped
}

/// A command whose texts are [kept together](kept_together), and whose notes are [unwrapped].
pub(super) fn well_wrapped(mut command: Command) -> Command {
    let kept = |text: Option<&StyledStr>| text.map(|text| kept_together(&text.to_string()));
    if let Some(text) = kept(command.get_about()) {
        command = command.about(text);
    }
    if let Some(text) = kept(command.get_long_about()) {
        command = command.long_about(text);
    }
    if let Some(text) = kept(command.get_after_help()) {
        command = command.after_help(text);
    }
    if let Some(text) = command.get_after_long_help() {
        let text = kept_together(&unwrapped(&text.to_string()));
        command = command.after_long_help(text);
    }
    command.mut_args(|mut arg| {
        if let Some(text) = kept(arg.get_help()) {
            arg = arg.help(text);
        }
        if let Some(text) = kept(arg.get_long_help()) {
            arg = arg.long_help(text);
        }
        arg
    })
}

/// A heading, the options under it that the short help shows, and the others.
const HEADINGS: [(&str, &[&str], &[&str]); 3] = [
    (
        "Input",
        &["column", "record"],
        &[
            "sample",
            "sample_seed",
            "input_format",
            "digits",
            "strict",
            "verbose",
            "rejects",
            "shard",
        ],
    ),
    (
        "Output",
        &["format", "output", "columns"],
        &[
            "blank",
            "compress",
            "output_dir",
            "line_buffered",
            "resume",
            "checkpoint",
            "status_column",
            "prompt_column",
            "replace",
        ],
    ),
    (
        "Speed and reports",
        &["threads", "quiet"],
        &[
            "engine",
            "engines",
            "level",
            "levels",
            "no_progress",
            "summary",
        ],
    ),
];

/// Commands, and their own options that the short help leaves out. The first are those of all commands.
const RARE: [(&str, &[&str]); 12] = [
    ("", &["verify", "memory"]),
    ("augment", &["subsample"]),
    ("bench", &["exact", "feed", "rounds", "stop_at", "svg"]),
    (
        "book",
        &[
            "against",
            "answers_per_page",
            "author",
            "candidates",
            "cell_size",
            "date",
            "first_number",
            "footer",
            "givens",
            "header",
            "key",
            "landscape",
            "margin",
            "no_page_numbers",
            "not_unique",
            "repeats",
            "section",
            "subtitle",
            "symmetry",
            "word",
        ],
    ),
    ("check", &["first_digit", "reward", "student"]),
    ("convert", &["template"]),
    (
        "filter",
        &["first_hard", "only", "steps", "symmetry", "template"],
    ),
    (
        "near",
        &["first_hard", "limit", "max_sets", "only", "steps"],
    ),
    ("play", &["ascii", "no_mouse", "theme"]),
    (
        "puzzles",
        &[
            "against",
            "against_solutions",
            "clues_per_box",
            "clues_per_column",
            "clues_per_digit",
            "clues_per_row",
            "first_digit",
            "first_hard",
            "from",
            "guesses",
            "in_order",
            "keep_place",
            "missing_digit",
            "not_unique",
            "only",
            "pattern",
            "relatives",
            "sequence",
            "shard",
            "solved_by",
            "start",
            "steps",
            "student",
            "te",
            "template",
            "unbiased",
        ],
    ),
    ("rate", &["gem", "max_work"]),
    ("show", &["ascii"]),
];

/// Options that name a column of the input. All others that end so name a column of the output, and are rare.
const INPUT_COLUMNS: [&str; 2] = ["answer_column", "weight_column"];

/// Returns true if the short help of a command leaves out this option of its own.
fn is_rare(command: &str, id: &str) -> bool {
    let of_command = RARE
        .iter()
        .filter(|(name, _)| name.is_empty() || *name == command);
    let mut listed = of_command.flat_map(|(_, ids)| *ids);
    listed.any(|rare| *rare == id) || id.ends_with("_column") && !INPUT_COLUMNS.contains(&id)
}

/// The place of an option: the number of its heading from 1, or 0 for the command's own; and whether
/// the short help shows it.
fn place(arg: &Arg, command: &str, has_input: bool) -> (usize, bool) {
    let id = arg.get_id().as_str();
    if arg.is_positional() {
        return (0, true);
    }
    if id == "shard" && !has_input {
        return (0, !is_rare(command, id));
    }
    let under = |(n, (_, common, rare)): (usize, &(&str, &[&str], &[&str]))| {
        let is_common = common.contains(&id);
        (is_common || rare.contains(&id)).then_some((n + 1, is_common))
    };
    match HEADINGS.iter().enumerate().find_map(under) {
        // Of files that `puzzles --from` and `bench` may read.
        Some((heading, _)) if id == "column" && !has_input => (heading, false),
        Some(place) => place,
        None => (0, !is_rare(command, id)),
    }
}

/// A command with its options in order.
pub(super) fn in_order(command: Command) -> Command {
    // `bench` has puzzles of its own, and seldom reads others.
    let reads = |arg: &Arg| match arg.get_id().as_str() {
        "files" => !arg.get_default_values().is_empty(),
        id => id == "input",
    };
    let has_input = command.get_arguments().any(reads);
    let placed = |arg: &Arg| (place(arg, command.get_name(), has_input), arg.clone());
    let mut args = Vec::from_iter(command.get_arguments().map(placed));
    // Headings come in the order of their first options.
    args.sort_by_key(|((heading, _), _)| *heading);
    let mut args = args.into_iter();
    command.mut_args(|_| {
        let ((heading, is_common), arg) = args.next().expect("each option again");
        let arg = match heading.checked_sub(1) {
            Some(n) => arg.help_heading(HEADINGS[n].0),
            None => arg,
        };
        arg.hide_short_help(!is_common)
    })
}

/// The help of the program, with its commands in groups.
pub(super) fn in_groups(program: &Command, groups: &[(&str, &[&str])]) -> String {
    let width = program
        .get_subcommands()
        .map(|command| command.get_name().len());
    let width = width.max().unwrap_or_default();
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (heading, names) in groups {
        text += &format!("\n{heading}:");
        for command in names
            .iter()
            .filter_map(|name| program.find_subcommand(name))
        {
            let about = command
                .get_about()
                .map(ToString::to_string)
                .unwrap_or_default();
            text += &format!(
                "\n  {:width$}  {}",
                command.get_name(),
                about.trim_end_matches('.')
            );
        }
    }
    text + "\n\nOptions:\n{options}{after-help}"
}

/// A command with its options in order, whose short help ends with the names of the options that it leaves out.
pub(super) fn arranged(command: Command) -> Command {
    let command = in_order(command);
    let rest = command
        .get_arguments()
        .filter(|arg| arg.is_hide_short_help_set() && !arg.is_hide_set());
    // Without dashes, so that no line can begin with them.
    let rest: Vec<_> = rest.filter_map(Arg::get_long).collect();
    if rest.is_empty() {
        return command;
    }
    let names = rest.join(", ");
    command.after_help(format!("More options, which --help explains: {names}."))
}
