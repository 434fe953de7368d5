//! Tips for a command line that names an option or a command that is not there.
//!
//! In this order: what people type for it elsewhere ([`OPTIONS`], [`COMMANDS`]), the commands that have an option of
//! that name, and the nearest name. Likeness comes last: `print` is near `split`, and means `book`.

use crate::driver::words::listed;
use clap::{
    Arg, Command,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};
use std::path::Path;
use sudoku_batch::name::nearest;

/// Names that people type for an option, and the options that are meant: the tip names the first that the command has. `N` and `FILE` are arguments
/// without an option, and `= NAME` is a command.
const OPTIONS: [(&[&str], &[&str]); 47] = [
    (
        &[
            "t",
            "p",
            "jobs",
            "workers",
            "cores",
            "cpus",
            "parallel",
            "processes",
            "nproc",
            "num-threads",
            "concurrency",
        ],
        &["--threads", "--title", "--theme", "--record"],
    ),
    (
        &["n", "count", "number", "num", "amount", "how-many", "size"],
        &["N", "--puzzles", "--limit", "--copies", "= count"],
    ),
    (&["c"], &["N", "--clues", "--puzzle-column"]),
    (&["k"], &["--copies", "--limit"]),
    (
        &[
            "f",
            "type",
            "fmt",
            "to",
            "as",
            "output-type",
            "json",
            "jsonl",
            "csv",
            "tsv",
            "numpy",
        ],
        &["--format", "--html"],
    ),
    (
        &["d"],
        &["--difficulty", "--duplicates", "--output-dir", "--drop"],
    ),
    (
        &["level", "hardness", "hard", "easy", "medium", "grade"],
        &["--difficulty", "--rating", "--compress", "= rate"],
    ),
    (&["depth"], &["--te"]),
    (
        &["er", "rate", "score", "rated"],
        &["--rating", "--ratings", "= rate"],
    ),
    (
        &[
            "technique",
            "techniques",
            "method",
            "strategy",
            "require",
            "requires",
        ],
        &["--hardest", "--without", "--counts"],
    ),
    (
        &["force", "overwrite", "clobber", "yes", "y"],
        &["an output takes the place of an old file unasked; --replace writes over columns"],
    ),
    (
        &[
            "i",
            "in",
            "input",
            "infile",
            "input-file",
            "file",
            "filename",
        ],
        &["FILE"],
    ),
    (
        &[
            "outfile",
            "out-file",
            "output-file",
            "dest",
            "destination",
            "out",
            "save",
        ],
        &["--output", "--out", "--output-dir", "--svg"],
    ),
    (
        &["dir", "directory", "folder", "outdir", "out-dir"],
        &["--output-dir"],
    ),
    (
        &["from-format", "in-format", "input-type", "reader"],
        &["--input-format"],
    ),
    (
        &["z", "gzip", "gz", "zstd", "compression", "compress-level"],
        &["--compress"],
    ),
    (&["silent", "no-warnings"], &["--quiet"]),
    (&["debug", "log", "log-level"], &["--verbose"]),
    (&["no-bar", "progress"], &["--no-progress"]),
    (&["fields", "select", "cols"], &["--columns"]),
    (&["against", "solver"], &["--solver", "--engine"]),
    (&["solution-column"], &["--answer-column"]),
    (&["grids"], &["--sequence"]),
    (&["cell"], &["--cell-size"]),
    (&["answer-column"], &["--solution-column"]),
    (&["col", "field", "key"], &["--puzzle-column"]),
    (
        &[
            "errors",
            "error-file",
            "bad",
            "failed",
            "invalid",
            "unsolved",
        ],
        &["--rejects"],
    ),
    (
        &["timeout", "time-limit", "max-time", "effort"],
        &["--max-guesses", "--max-work", "--guesses", "= solve"],
    ),
    (&["e", "backend", "algorithm"], &["--engine"]),
    (&["avx2", "avx512", "neon", "sse", "isa"], &["--simd"]),
    (&["check", "validate"], &["--verify", "= check"]),
    (&["s", "rng", "random-seed", "random"], &["--seed"]),
    (&["sym", "symmetric"], &["--symmetry"]),
    (
        &["givens", "hints", "num-clues", "n-clues", "filled"],
        &["--clues"],
    ),
    (
        &["holes", "empty", "zeros", "removed"],
        &["--blanks", "--blank"],
    ),
    (&["b"], &["--blanks", "--by", "--blank"]),
    (&["offset", "skip", "begin"], &["--start", "--record"]),
    (&["random-sample", "subset"], &["--sample", "--subsample"]),
    (&["line", "index", "row", "nth"], &["--record"]),
    (
        &["l", "limit", "len", "head", "take", "max", "first", "most"],
        &["--limit", "--stop-at", "--record"],
    ),
    (&["m"], &["--minimal", "--memory"]),
    (&["r"], &["--rating", "--record", "--rejects"]),
    (
        &["rotate", "mirror", "relabel", "transform", "transforms"],
        &["--include", "= augment"],
    ),
    (&["all", "all-solutions"], &["--solutions", "= solutions"]),
    (
        &["explanation", "hint", "step", "steps", "how", "solve"],
        &["--explain", "= trace"],
    ),
    (&["colour", "no-color", "no-colour"], &["--color"]),
    (&["pencilmarks", "marks", "notes"], &["--candidates"]),
];

/// Names that people type for a command, and the commands that are meant.
const COMMANDS: [(&[&str], &[&str]); 28] = [
    (
        &["compare", "diff", "cmp"],
        &["check --answers", "dedup --against", "bench --solver"],
    ),
    (
        &["sample", "subset", "shuffle", "head", "take", "slice"],
        &["convert --sample", "convert --record", "split"],
    ),
    (
        &["draw", "display", "view", "render", "picture", "svg"],
        &["show"],
    ),
    (
        &["print", "pdf", "sheet", "worksheet", "html"],
        &["book", "show"],
    ),
    (
        &["make", "create", "new", "gen", "puzzle"],
        &["puzzles", "generate"],
    ),
    (&["grids", "grid"], &["generate"]),
    (
        &["verify", "validate", "valid", "test", "lint", "is-valid"],
        &["check"],
    ),
    (
        &["score", "accuracy", "evaluate", "eval"],
        &["check --answers", "check --extract"],
    ),
    (&["grade", "difficulty", "classify"], &["rate"]),
    (
        &[
            "unique",
            "uniq",
            "distinct",
            "duplicates",
            "deduplicate",
            "dedupe",
        ],
        &["dedup", "count"],
    ),
    (
        &["benchmark", "speed", "perf", "time", "measure"],
        &["bench"],
    ),
    (
        &["transform", "permute", "symmetries", "isomorphs", "rotate"],
        &["augment"],
    ),
    (
        &[
            "canonicalize",
            "canonicalise",
            "canon",
            "normalize",
            "normalise",
            "minlex",
        ],
        &["canonical"],
    ),
    (
        &["minimal", "minimize", "minimise", "reduce"],
        &["minimals", "check --minimal"],
    ),
    (
        &["hint", "hints", "explain", "steps", "step", "how"],
        &["show --explain", "rate --explain", "trace"],
    ),
    (
        &["candidates", "pencilmarks"],
        &["true-candidates", "show --candidates"],
    ),
    (
        &[
            "info",
            "describe",
            "statistics",
            "summary",
            "summarize",
            "summarise",
        ],
        &["stats"],
    ),
    (&["game", "tui", "interactive"], &["play"]),
    (
        &["export", "import", "format", "reformat", "cat", "translate"],
        &["convert"],
    ),
    (
        &["select", "grep", "search", "where", "query", "find"],
        &["filter"],
    ),
    (&["partition", "train", "folds"], &["split"]),
    (&["neighbours", "neighbors", "vicinity"], &["near"]),
    (&["enumerate", "all", "all-solutions"], &["solutions"]),
    (&["number", "index"], &["rank"]),
    (&["sudoku.exe", "sudoku", "./sudoku.exe"], &["psp"]),
    (&["count-solutions", "solution-count"], &["count"]),
    (&["rows", "records", "wc", "len"], &["stats"]),
    (&["version"], &["--version"]),
];

/// An error of a command line, with a tip if there is one. clap would suggest to put `--` before an option that it does
/// not know, as if it were a file: that stays where there is such a file.
///
/// `name` is the command that is called.
pub(super) fn with_tip(error: Error, name: &str) -> Error {
    match error.kind() {
        ErrorKind::UnknownArgument => for_option(error, &super::all_options(), name),
        ErrorKind::InvalidSubcommand => for_command(error),
        ErrorKind::MissingRequiredArgument => for_number(error),
        _ => error,
    }
}

/// `--against` takes all that stands behind it, the number of puzzles too. The usage that clap prints has this order.
fn for_number(error: Error) -> Error {
    let lacks_number = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(lacking)) => lacking.iter().any(|name| name == "<N>"),
        _ => false,
    };
    let usage = error.get(ContextKind::Usage).map(ToString::to_string);
    if lacks_number && usage.is_some_and(|usage| usage.contains("--against")) {
        let tip = "N stands before --against, which takes all files behind it";
        return tipped(error, tip.to_owned());
    }
    error
}

fn for_command(mut error: Error) -> Error {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let typed = given.to_ascii_lowercase();
    if let Some((_, meant)) = COMMANDS
        .iter()
        .find(|(known, _)| known.contains(&&typed[..]))
    {
        let tip = match meant {
            [one] => format!("there is {one}"),
            several => format!("there are {}", listed(several)),
        };
        error.remove(ContextKind::SuggestedSubcommand);
        return tipped(error, tip);
    }
    let names = Vec::from_iter(super::names().chain(["help"]));
    match nearest(&names, given) {
        Some(near) => {
            let near = ContextValue::Strings(vec![near.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, near);
        }
        None => _ = error.remove(ContextKind::SuggestedSubcommand),
    }
    error
}

fn for_option(mut error: Error, program: &Command, name: &str) -> Error {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    if Path::new(given).exists() {
        return error;
    }
    error.remove(ContextKind::Suggested);
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else {
        unreachable!("it was there");
    };
    let given = given.split('=').next().unwrap_or_default().to_owned();
    let typed = given.trim_start_matches('-').to_ascii_lowercase();
    let Some(command) = program.find_subcommand(name) else {
        // Before a command there are none but those of the program.
        let mut commands = program.get_subcommands();
        error.remove(ContextKind::SuggestedArg);
        return match commands.find(|command| has(command, &given)) {
            Some(command) => {
                let name = command.get_name();
                tipped(
                    error,
                    format!("it goes after a command: sudoku-batch {name} {given}"),
                )
            }
            None => error,
        };
    };
    let meant = OPTIONS
        .iter()
        .find(|(known, _)| known.contains(&&typed[..]));
    let meant = meant.map_or(&[] as &[&str], |(_, meant)| meant);
    let of_command = meant.iter().find_map(|meant| told(program, command, meant));
    let is_long = given.starts_with("--");
    let elsewhere = || owners(program, &given);
    let found = of_command
        .or_else(|| is_long.then(elsewhere).flatten())
        .or_else(|| meant.iter().find_map(|meant| owners(program, meant)))
        .or_else(elsewhere);
    if let Some(tip) = found {
        error.remove(ContextKind::SuggestedArg);
        return tipped(error, tip);
    }
    let options = Vec::from_iter(command.get_arguments().filter_map(Arg::get_long));
    match nearest(&options, &typed).filter(|_| is_long) {
        Some(near) => {
            let near = ContextValue::String(format!("--{near}"));
            error.insert(ContextKind::SuggestedArg, near);
        }
        None => _ = error.remove(ContextKind::SuggestedArg),
    }
    error
}

/// The tip for what is meant, if it is there.
fn told(program: &Command, command: &Command, meant: &str) -> Option<String> {
    let name = command.get_name();
    let takes = |value: &str| {
        let mut arguments = command.get_positionals();
        arguments.any(|argument| {
            let names = argument.get_value_names().unwrap_or_default();
            names
                .iter()
                .any(|name| name.split(' ').any(|name| name == value))
        })
    };
    match meant {
        "N" => takes("N").then(|| format!("the number stands alone: sudoku-batch {name} N")),
        "FILE" => takes("FILE").then(|| format!("the file stands alone: sudoku-batch {name} FILE")),
        option if option.starts_with("--") => has(command, option).then(|| {
            let mut arguments = command.get_arguments();
            let argument = arguments.find(|argument| is_called(argument, option));
            match argument.and_then(Arg::get_short) {
                Some(short) => format!("{name} has {option} (-{short})"),
                None => format!("{name} has {option}"),
            }
        }),
        _ => match meant.strip_prefix("= ") {
            Some(other) => program
                .find_subcommand(other)
                .map(|_| format!("there is {other}")),
            None => Some(meant.to_owned()),
        },
    }
}

/// The commands that have an option, in words.
fn owners(program: &Command, option: &str) -> Option<String> {
    /// More than these are most of them.
    const NAMED: usize = 6;
    if !option.starts_with('-') {
        return None;
    }
    let commands = program.get_subcommands();
    let names = commands.filter(|command| has(command, option));
    let names: Vec<_> = names.map(Command::get_name).collect();
    match &names[..] {
        [] => None,
        [one] => Some(format!("{one} has {option}")),
        several if several.len() > NAMED => Some(format!("other commands have {option}")),
        several => Some(format!("{} have {option}", listed(several))),
    }
}

/// Returns true if an option is called so: `--jobs`, `-j`.
fn is_called(argument: &Arg, option: &str) -> bool {
    match (option.strip_prefix("--"), option.strip_prefix('-')) {
        (Some(long), _) => argument.get_long() == Some(long),
        (None, Some(short)) => {
            let mut letters = short.chars();
            argument.get_short().is_some() && argument.get_short() == letters.next()
        }
        (None, None) => false,
    }
}

fn has(command: &Command, option: &str) -> bool {
    command
        .get_arguments()
        .any(|argument| is_called(argument, option))
}

fn tipped(mut error: Error, tip: String) -> Error {
    let tips = ContextValue::StyledStrs(vec![tip.into()]);
    error.insert(ContextKind::Suggested, tips);
    error
}

#[cfg(test)]
mod tests {
    use super::{super::program, *};
    use std::collections::HashSet;

    /// A name that is typed stands once, and an option or a command that is meant is there.
    #[test]
    fn the_tables_name_what_is_there() {
        let program = program();
        let mut typed = HashSet::new();
        for (known, meant) in OPTIONS {
            for known in known {
                assert!(typed.insert(*known), "{known}");
            }
            for meant in meant {
                let is_there = match meant.strip_prefix("= ") {
                    Some(command) => program.find_subcommand(command).is_some(),
                    None if meant.starts_with("--") => owners(&program, meant).is_some(),
                    None => *meant == "N" || *meant == "FILE" || meant.contains(' '),
                };
                assert!(is_there, "{meant}");
            }
        }
        let mut typed = HashSet::new();
        for (known, meant) in COMMANDS {
            for known in known {
                assert!(typed.insert(*known), "{known}");
                assert!(program.find_subcommand(known).is_none(), "{known}");
            }
            for meant in meant.iter().filter(|meant| !meant.starts_with('-')) {
                let (name, option) = meant.split_once(' ').unwrap_or((meant, "--help"));
                let command = program.find_subcommand(name);
                let command = command.unwrap_or_else(|| panic!("{meant}"));
                assert!(option == "--help" || has(command, option), "{meant}");
            }
        }
    }
}
