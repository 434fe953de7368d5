//! An option has one meaning: the rule of docs/internals/architecture.md ("Names of options"), over all commands.

use crate::commands::program;
use clap::Arg;
use std::collections::{BTreeMap, BTreeSet};
use sudoku_batch::questions::RATE;

/// The options that name a column that is read.
const READ: [&str; 3] = ["puzzle-column", "answer-column", "weight-column"];

/// The command that begins with one record, where others take a range of them.
const ONE_RECORD: (&str, &str) = ("play", "record");

/// The kind of the value of an option: `NAME` for `NAME`, `NAME,…` and `NAME:N,…`, `FILE` for `FILE.svg`.
fn kind(arg: &Arg) -> String {
    if !arg.get_action().takes_values() {
        return "nothing".into();
    }
    let names = arg.get_value_names().unwrap_or_default();
    let names: Vec<_> = names.iter().map(|name| name.as_str()).collect();
    let name = names.join(" ");
    let end = name.find([',', ':']).unwrap_or(name.len());
    match &name[..end] {
        "TECHNIQUE" => "NAME".into(),
        file if file.starts_with("FILE.") => "FILE".into(),
        number if number.starts_with("N |") => "N".into(),
        other => other.into(),
    }
}

/// Each name of an option, hidden ones too, with the kinds of its values and the commands that take such.
fn names() -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
    let mut names: BTreeMap<_, BTreeMap<_, BTreeSet<_>>> = BTreeMap::new();
    for command in program().get_subcommands() {
        for arg in command.get_arguments() {
            let aliases = arg.get_all_aliases().unwrap_or_default();
            for name in arg.get_long().into_iter().chain(aliases) {
                let kinds = names.entry(name.to_owned()).or_default();
                let commands = kinds.entry(kind(arg)).or_default();
                commands.insert(command.get_name().to_owned());
            }
        }
    }
    names
}

#[test]
fn an_option_takes_one_kind_of_value_in_all_commands() {
    let names = names();
    assert!(names.len() > 100);
    let mut pairs = Vec::new();
    for (name, mut kinds) in names {
        let (command, one) = ONE_RECORD;
        if name == one {
            let commands = kinds.get_mut("N").expect("one record");
            assert!(commands.remove(command) && commands.is_empty());
            kinds.remove("N");
        }
        if kinds.len() == 1 {
            continue;
        }
        // In `rate` it adds the column that it chooses by elsewhere.
        let adds = RATE
            .columns
            .iter()
            .any(|column| column.name == name && column.when == Some(column.name));
        let flags = kinds.remove("nothing").unwrap_or_default();
        let is_pair = adds && flags == BTreeSet::from(["rate".to_owned()]) && kinds.len() == 1;
        assert!(is_pair, "--{name}: {flags:?} {kinds:?}");
        pairs.push(name);
    }
    assert_eq!(pairs, ["difficulty", "te"]);
}

#[test]
fn an_option_for_a_column_says_whether_it_is_read_or_written() {
    let mut read = BTreeSet::new();
    let mut written = 0;
    for command in program().get_subcommands() {
        for arg in command.get_arguments() {
            // The number of clues in each column of a puzzle is none.
            let is_of_table =
                |name: &&str| name.ends_with("-column") && *name != "clues-per-column";
            let Some(name) = arg.get_long().filter(is_of_table) else {
                continue;
            };
            let usual: Vec<_> = arg
                .get_default_values()
                .iter()
                .map(|value| value.to_string_lossy())
                .collect();
            if READ.contains(&name) {
                assert!(usual.is_empty(), "{} {name}", command.get_name());
                read.insert(name.to_owned());
                continue;
            }
            // A column that is written has a name without the option.
            let column = name.trim_end_matches("-column").replace('-', "_");
            assert_eq!(usual, [column], "{} {name}", command.get_name());
            written += 1;
        }
    }
    assert!(read.len() == READ.len() && written > 10);
}
