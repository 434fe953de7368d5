//! The order of the help: the command's own options first, then those that commands share, under
//! headings. The short help leaves out what is rarely needed.

use clap::{Arg, Command};

/// A heading, the options under it that the short help shows, and the others.
const HEADINGS: [(&str, &[&str], &[&str]); 3] = [
    (
        "Input",
        &["column"],
        &["input_format", "strict", "verbose", "rejects", "shard"],
    ),
    (
        "Output",
        &["format", "output"],
        &[
            "array",
            "blank",
            "compress",
            "output_dir",
            "line_buffered",
            "status_column",
            "prompt_column",
            "solution_column",
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

/// Options of single commands that the short help leaves out.
const RARE: [&str; 19] = [
    "subsample",
    "from",
    "student",
    "in_order",
    "first_digit",
    "start",
    "not_unique",
    "solved_by",
    "ascii",
    "theme",
    "no_mouse",
    "exact",
    "grids",
    "keep_place",
    "limit",
    "max_work",
    "canonical_column",
    "transformation_column",
    "automorphisms_column",
];

/// The place of an option: the number of its heading from 1, or 0 for the command's own; and whether
/// the short help shows it.
fn place(arg: &Arg, has_input: bool) -> (usize, bool) {
    let id = arg.get_id().as_str();
    if arg.is_positional() || id == "shard" && !has_input {
        return (0, arg.is_positional());
    }
    let under = |(n, (_, common, rare)): (usize, &(&str, &[&str], &[&str]))| {
        let is_common = common.contains(&id);
        (is_common || rare.contains(&id)).then_some((n + 1, is_common))
    };
    match HEADINGS.iter().enumerate().find_map(under) {
        // Of files that `puzzles --from` and `bench` may read.
        Some((heading, _)) if id == "column" && !has_input => (heading, false),
        Some(place) => place,
        None => (0, !RARE.contains(&id)),
    }
}

/// A command with its options in order.
pub(super) fn arranged(command: Command) -> Command {
    // `bench` has puzzles of its own, and seldom reads others.
    let reads = |arg: &Arg| match arg.get_id().as_str() {
        "files" => !arg.get_default_values().is_empty(),
        id => id == "input",
    };
    let has_input = command.get_arguments().any(reads);
    let mut args: Vec<_> = command.get_arguments().cloned().collect();
    // Headings come in the order of their first options.
    args.sort_by_key(|arg| place(arg, has_input).0);
    let mut args = args.into_iter();
    command.mut_args(|_| {
        let arg = args.next().expect("each option again");
        let (heading, is_common) = place(&arg, has_input);
        let arg = match heading.checked_sub(1) {
            Some(n) => arg.help_heading(HEADINGS[n].0),
            None => arg,
        };
        arg.hide_short_help(!is_common)
    })
}
