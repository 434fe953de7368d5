//! docs/reference.md is made from the definitions: commands, options, columns, statuses and formats.

use crate::{
    commands::{GROUPS, program, question},
    driver::report::NO_BREAK,
};
use clap::{Arg, Command};
use std::{collections::BTreeMap, env, fmt::Write, fs};
use sudoku_batch::{
    format::Values,
    questions::{self, Audience, Column, Definition, OTHERS, SETS, Status, spelled},
};
use sudoku_batch_test_support::{
    english::{offences, paragraphs},
    formats::FORMATS,
};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference.md");

/// A text as a field of a table: signs of Markdown outside of code stay as they are.
fn field(text: &str) -> String {
    let text = text.replace(NO_BREAK, " ").replace(['\n', '\r'], " ");
    let parts = text.split('`').enumerate().map(|(n, part)| match n % 2 {
        0 => part
            .chars()
            .map(|c| {
                if "*_<[".contains(c) {
                    format!("\\{c}")
                } else {
                    c.to_string()
                }
            })
            .collect(),
        _ => part.to_owned(),
    });
    let parts: Vec<String> = parts.collect();
    parts
        .join("`")
        .replace('|', "\\|")
        .trim_end_matches('.')
        .to_owned()
}

/// An option as it is typed.
fn typed(arg: &Arg) -> String {
    let mut text = String::new();
    if let Some(short) = arg.get_short() {
        write!(text, "-{short}, ").unwrap();
    }
    write!(text, "--{}", arg.get_long().unwrap()).unwrap();
    if arg.get_action().takes_values() {
        let names = arg.get_value_names().unwrap_or_default();
        let names: Vec<_> = names.iter().map(ToString::to_string).collect();
        write!(text, " {}", names.join(" ")).unwrap();
    }
    format!("`{}`", text.replace('|', "\\|"))
}

/// The help of an option, with its values and its default.
fn help(arg: &Arg) -> String {
    let mut text = field(&arg.get_help().map(ToString::to_string).unwrap_or_default());
    let values = arg.get_possible_values();
    let values: Vec<_> = values
        .iter()
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if arg.get_action().takes_values() && !values.is_empty() {
        write!(text, ": {}", values.join(", ")).unwrap();
    }
    let defaults = arg.get_default_values();
    let defaults: Vec<_> = defaults
        .iter()
        .map(|value| value.to_string_lossy())
        .collect();
    if arg.get_action().takes_values() && !defaults.is_empty() && !arg.is_hide_default_value_set() {
        write!(text, " [default: {}]", defaults.join(" ")).unwrap();
    }
    text
}

fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    let options = command
        .get_arguments()
        .filter(|arg| !arg.is_positional() && !arg.is_hide_set());
    options.filter(|arg| {
        arg.get_long()
            .is_some_and(|long| long != "help" && long != "version")
    })
}

/// A shared option as it is typed, its help, and the commands that have it.
type Shared<'a> = (String, String, Vec<&'a str>);

/// The commands in groups, each with its own options, and the options that commands share.
fn commands(text: &mut String) {
    let mut program = program();
    program.build();
    // Under each heading the options, with their texts and the commands that have them.
    let mut shared: BTreeMap<String, Vec<Shared<'_>>> = BTreeMap::new();
    text.push_str("## Commands\n");
    for (group, names) in GROUPS {
        write!(text, "\n### {group}\n").unwrap();
        for name in names {
            let Some(command) = program.find_subcommand(name) else {
                continue;
            };
            let about = field(&command.get_about().unwrap().to_string());
            write!(text, "\n#### {name}\n\n{about}.\n").unwrap();
            let (mut own, mut others) = (Vec::new(), 0);
            for arg in options(command) {
                let Some(heading) = arg.get_help_heading() else {
                    own.push(format!("| {} | {} |\n", typed(arg), help(arg)));
                    continue;
                };
                others += 1;
                let list = shared.entry(heading.to_owned()).or_default();
                let (typed, help) = (typed(arg), help(arg));
                match list
                    .iter_mut()
                    .find(|entry| entry.0 == typed && entry.1 == help)
                {
                    Some(entry) => entry.2.push(name),
                    None => list.push((typed, help, vec![name])),
                }
            }
            if !own.is_empty() {
                write!(text, "\n| option | |\n|---|---|\n{}", own.concat()).unwrap();
            }
            if others > 0 {
                write!(text, "\n{others} [shared options](#shared-options).\n").unwrap();
            }
        }
    }
    text.push_str("\n## Shared options\n");
    for (heading, list) in shared {
        write!(text, "\n### {heading}\n").unwrap();
        // The options of the same commands stand together.
        let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
        for (typed, help, commands) in list {
            let row = format!("| {typed} | {help} |\n");
            match groups.iter_mut().find(|group| group.0 == commands) {
                Some(group) => group.1 += &row,
                None => groups.push((commands, row)),
            }
        }
        for (commands, rows) in groups {
            let names: Vec<_> = commands.iter().map(|name| format!("`{name}`")).collect();
            write!(
                text,
                "\n{}:\n\n| option | |\n|---|---|\n{rows}",
                names.join(", ")
            )
            .unwrap();
        }
    }
}

/// The kind of the values of a column.
fn kind(column: &Column) -> &'static str {
    match column.values {
        Values::Names(_) | Values::Status => "a name",
        Values::Cells => "81 digits",
        Values::Puzzles => "a puzzle",
        Values::Candidates => "729 candidates",
        Values::CandidateCounts => "729 numbers",
        Values::Ratings => "a rating",
        Values::Flags => "true or false",
        Values::Numbers | Values::Bounds | Values::Reals | Values::Record => "a number",
        _ => "text",
    }
}

/// A text of a definition as a field of a table: settings are options.
fn of_definition(text: &str) -> String {
    field(&spelled(text, |name| format!("--{name}")))
}

/// The columns of a question or a set of records.
fn columns<Make>(text: &mut String, definition: &'static Definition<Make>) {
    write!(
        text,
        "\n### {}\n\n{}.",
        definition.name,
        of_definition(definition.about)
    )
    .unwrap();
    let bindings = definition
        .settings
        .iter()
        .filter(|setting| setting.audience == Audience::Bindings);
    for setting in bindings {
        write!(
            text,
            " Python has the option `{}`: {}.",
            setting.name.replace('-', "_"),
            of_definition(setting.about)
        )
        .unwrap();
    }
    text.push_str("\n\n| column | kind | content |\n|---|---|---|\n");
    // Of many columns with one setting the table has the first and the last.
    const MANY: usize = 8;
    let same = |column: &Column| {
        let others = definition.columns.iter();
        let others = others.filter(|other| column.when.is_some() && other.when == column.when);
        others.map(|other| other.name).collect::<Vec<_>>()
    };
    for column in definition.columns {
        let mut name = format!("`{}`", column.name);
        if let [first, .., last] = same(column)[..]
            && same(column).len() > MANY
        {
            if column.name != first {
                continue;
            }
            name = format!("{} columns from `{first}` to `{last}`", same(column).len());
        }
        let setting = column.when.and_then(|when| definition.setting(when).ok());
        let when = match setting {
            Some(setting) if setting.is_option() => format!(" (with `--{}`)", setting.name),
            Some(setting) if setting.audience == Audience::Bindings => {
                format!(" (with `{}`)", setting.name)
            }
            _ => String::new(),
        };
        writeln!(
            text,
            "| {name} | {} | {}{when} |",
            kind(column),
            of_definition(column.about)
        )
        .unwrap();
    }
}

/// The statuses, in the order of their codes.
fn statuses(text: &mut String) {
    text.push_str("\n## Statuses\n\n| code in arrays | status |\n|---:|---|\n");
    for (code, name) in Status::ALL.iter().enumerate() {
        let name = name.name();
        writeln!(text, "| {code} | `{name}` |").unwrap();
    }
    text.push_str("\n[using.md](using.md#answers-and-statuses) says what they mean.\n");
}

/// The formats that people share puzzles in, each with its first line that has a cell.
fn formats(text: &mut String) {
    const PUZZLE: &str =
        "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
    const SOLUTION: &str =
        "496528713857913264132467859214789536768354921539612487423896175675141328981275643";
    const LONGEST: usize = 56;
    let all = [[PUZZLE.to_owned(), SOLUTION.to_owned()]];
    text.push_str("\n## Formats that are read\n\n[formats.md](formats.md) says how the program decides.\n\n| format | a line |\n|---|---|\n");
    for (name, write) in FORMATS {
        let drawn = write(&all);
        let line = drawn
            .lines()
            .find(|line| line.contains('4') && line.contains('5'));
        let line = line
            .or_else(|| drawn.lines().find(|line| line.contains('4')))
            .unwrap();
        let mut shown: String = line.chars().take(LONGEST).collect();
        if shown != line {
            shown.push('…');
        }
        let shown = shown.replace('|', "\\|");
        let quotes = if shown.contains('`') {
            ["`` ", " ``"]
        } else {
            ["`"; 2]
        };
        writeln!(text, "| {name} | {}{shown}{} |", quotes[0], quotes[1]).unwrap();
    }
}

/// With `SUDOKU_BATCH_PAGES=write` it writes the page.
#[test]
fn the_reference_is_that_of_the_definitions() {
    let mut text = String::from(
        "# Reference\n\nCommands, options, columns, statuses and formats. A test makes this page from the definitions:\n\
         `SUDOKU_BATCH_PAGES=write cargo test --release --test command-units reference` writes it.\n\n\
         [Commands](#commands) · [Shared options](#shared-options) · [Questions](#questions) · [Statuses](#statuses) ·\n\
         [Formats that are read](#formats-that-are-read)\n\n",
    );
    commands(&mut text);
    let names = |all: &[&Definition]| {
        let names: Vec<_> = all
            .iter()
            .map(|question| format!("`{}`", question.name))
            .collect();
        names.join(", ")
    };
    let texts: Vec<_> = questions::all()
        .filter(|question| question.takes_texts())
        .collect();
    let no_commands = questions::all().filter(|question| {
        let commands = GROUPS.iter().flat_map(|(_, names)| names.iter());
        !commands.into_iter().any(|name| *name == question.name)
    });
    let no_commands: Vec<_> = no_commands.collect();
    assert!(question::definitions().count() > 5 && !texts.is_empty());
    write!(
        text,
        "\n## Questions\n\nA question answers record by record, under one name in all languages. `dedup` compares a record with \
         those before.\nPython has all of them, and gives the sum of the columns of `stats`. The command has no\n{} (`check --extract`, \
         `trace --format csv` and `rate --explain` are the same), JavaScript no {}, and C no {}. `generate` and\n\
         `puzzles` make records.\n",
        names(&no_commands),
        names(OTHERS),
        names(&texts),
    )
    .unwrap();
    questions::all().for_each(|question| columns(&mut text, question));
    SETS.iter().for_each(|set| columns(&mut text, set));
    statuses(&mut text);
    formats(&mut text);
    if env::var("SUDOKU_BATCH_PAGES").is_ok_and(|mode| mode == "write") {
        fs::write(PATH, &text).unwrap();
        return;
    }
    let page = fs::read_to_string(PATH).unwrap();
    assert!(
        page == text,
        "docs/reference.md is old: SUDOKU_BATCH_PAGES=write cargo test --release --test command-units reference"
    );
}

/// The whole help of all commands.
#[test]
fn help_has_plain_words() {
    let mut program = program();
    program.build();
    let mut texts = Vec::new();
    for command in program.get_subcommands() {
        let name = command.get_name();
        let mut add = |place: &str, text: Option<&clap::builder::StyledStr>| {
            let text = text.map(ToString::to_string).unwrap_or_default();
            texts.push((format!("{name} {place}"), text.replace(NO_BREAK, " ")));
        };
        add("about", command.get_long_about().or(command.get_about()));
        add("notes", command.get_after_long_help());
        for arg in command.get_arguments() {
            add(
                arg.get_id().as_str(),
                arg.get_long_help().or(arg.get_help()),
            );
        }
    }
    assert!(texts.len() > 200);
    let mut found = Vec::new();
    for (place, text) in texts {
        for paragraph in paragraphs(&text) {
            found.extend(
                offences(&paragraph)
                    .iter()
                    .map(|one| format!("{place}: {one}: {paragraph}")),
            );
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
