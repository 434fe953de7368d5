//! The types of the package for JavaScript, held against the definitions of the questions and of what is made.

use std::{collections::BTreeSet, fs};
use sudoku_batch::{
    format::Values,
    questions::{Audience, Definition, GENERATE, Kind, PUZZLES, RATERS, SOLVERS, Setting, spelled},
};

use crate::{
    regions::{compare, tables, written},
    support::ROOT,
};

/// The types, or nothing: the package on crates.io lacks the other packages of this repository.
fn types() -> Option<String> {
    let package = format!("{ROOT}/web/package");
    let is_here = fs::exists(&package).unwrap();
    is_here.then(|| fs::read_to_string(format!("{package}/index.d.ts")).unwrap())
}

/// The program that reads the WebAssembly has the version of the crate that writes it, by its lock file too: `cargo install` then builds what
/// was tried, and not what a registry has.
#[test]
fn what_writes_the_javascript_has_the_version_of_what_calls_it() {
    if types().is_none() {
        return;
    }
    let read = |name: &str| fs::read_to_string(format!("{ROOT}/{name}")).unwrap();
    let version = |text: &str, start: &str| between(text, start, "\"").to_owned();
    let wanted = version(&read("Cargo.toml"), "\nwasm-bindgen = \"=");
    let manifest = read("web/bindgen/Cargo.toml");
    let lock = read("web/bindgen/Cargo.lock");
    let locked = "name = \"wasm-bindgen-cli-support\"\nversion = \"";
    assert_eq!(version(&manifest, "wasm-bindgen-cli-support = \"="), wanted);
    assert_eq!(version(&lock, locked), wanted);
    let script = read("scripts/web.sh");
    assert!(script.contains("--path web/bindgen --locked"));
    assert!(
        !script.contains("cargo_tool"),
        "it builds what no lock file here names"
    );
}

/// The text between a start and the next end.
fn between<'t>(types: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = types.split_once(start).unwrap_or_else(|| panic!("{start}"));
    rest.split_once(end).unwrap_or_else(|| panic!("{start}")).0
}

/// The optional members of an interface.
fn options(types: &str, interface: &str) -> BTreeSet<String> {
    let start = format!("export interface {interface} ");
    let members = between(types, &start, "\n}").lines();
    let members = members.filter_map(|line| line.strip_prefix("  ")?.split_once("?: "));
    members.map(|(name, _)| name.to_owned()).collect()
}

/// A name as JavaScript has it: `upTo` for `up-to`.
fn camel(name: &str) -> String {
    let mut words = name.split(['-', '_']);
    let mut camel = words.next().unwrap().to_owned();
    for word in words {
        camel += &word[..1].to_uppercase();
        camel += &word[1..];
    }
    camel
}

/// The settings that JavaScript has.
fn settings<Make>(definition: &Definition<Make>) -> BTreeSet<String> {
    let settings = definition.settings.iter();
    let settings = settings.filter(|setting| is_option(setting));
    settings.map(|setting| camel(setting.name)).collect()
}

/// The questions that JavaScript has.
fn questions() -> impl Iterator<Item = &'static Definition> {
    SOLVERS.iter().chain(RATERS).copied()
}

/// Returns true if JavaScript has a setting.
fn is_option(setting: &Setting) -> bool {
    matches!(setting.audience, Audience::All | Audience::Bindings) && !setting.is_beside()
}

/// Names as a type: one of them.
fn one_of<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.map(|name| format!("'{name}'")).collect();
    names.join(" | ")
}

/// The type of a setting.
fn type_of_setting(kind: Kind) -> String {
    match kind {
        Kind::Flag => "boolean".into(),
        Kind::Number(_) => "Whole".into(),
        Kind::Rating | Kind::Digit => "number".into(),
        Kind::Range(..) | Kind::Ratings => "Span".into(),
        Kind::Name(names) => one_of(names.iter().map(|(name, _)| *name)),
        _ => "string".into(),
    }
}

/// The type of a value. There are too many techniques for a list of their names.
fn type_of_value(values: Values) -> String {
    let own = match values {
        Values::Numbers | Values::Bounds | Values::Ratings | Values::Reals => "number".into(),
        Values::Flags => "boolean".into(),
        Values::Names(names) if names.len() < 10 => one_of(names.iter().copied()),
        _ => "string".into(),
    };
    format!("{own} | null")
}

/// A text of help with its settings as JavaScript has them: `upTo` for `{up-to}`. A type says how a range is given.
fn in_javascript(text: &str) -> String {
    let text = text.replace(": a number, or A..B", "");
    spelled(&text, |name| format!("`{}`", camel(name)))
}

/// A comment with these sentences, in lines of at most 120 columns behind two spaces.
fn comment(text: &str) -> Vec<String> {
    const WIDTH: usize = 110;
    let text = in_javascript(text);
    if text.len() <= WIDTH {
        return vec![format!("/** {text} */")];
    }
    let mut lines = vec!["/**".to_owned(), " *".to_owned()];
    for word in text.split(' ') {
        let last = lines.last_mut().unwrap();
        match last.len() + word.len() < WIDTH {
            true => *last += &format!(" {word}"),
            false => lines.push(format!(" * {word}")),
        }
    }
    lines.push(" */".to_owned());
    lines
}

/// The members of the settings of a question, but for these.
fn members_of_settings(question: &str, without: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    for setting in tables(question)
        .0
        .iter()
        .filter(|setting| is_option(setting))
    {
        if !without.contains(&setting.name) {
            let usual = match setting.usual {
                "" => String::new(),
                usual => format!(" Usually {usual}."),
            };
            lines.extend(comment(&format!("{}{usual}", setting.about)));
            lines.push(format!(
                "{}?: {}",
                camel(setting.name),
                type_of_setting(setting.kind)
            ));
        }
    }
    lines
}

/// The members of the settings of all questions. Questions that share one say what it means to each, and each type is there.
fn members_of_all_settings() -> Vec<String> {
    let mut members = Vec::<(String, Vec<String>, Vec<(&str, Vec<&str>)>)>::new();
    for question in questions() {
        for setting in question
            .settings
            .iter()
            .filter(|setting| is_option(setting))
        {
            let (name, kind) = (camel(setting.name), type_of_setting(setting.kind));
            let at = members.iter().position(|(known, ..)| *known == name);
            let at = at.unwrap_or_else(|| {
                members.push((name.clone(), Vec::new(), Vec::new()));
                members.len() - 1
            });
            // `difficulty` is a flag of one question, and a condition of another.
            let kinds = &mut members[at].1;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
            let meanings = &mut members[at].2;
            match meanings
                .iter_mut()
                .find(|(about, _)| *about == setting.about)
            {
                Some((_, questions)) => questions.push(question.name),
                None => meanings.push((setting.about, vec![question.name])),
            }
        }
    }
    let mut lines = Vec::new();
    for (name, kinds, meanings) in members {
        let meanings = meanings.iter().map(|(about, questions)| {
            let questions: Vec<_> = questions.iter().map(|name| format!("`{name}`")).collect();
            format!("{}: {about}", questions.join(", "))
        });
        lines.extend(comment(&meanings.collect::<Vec<_>>().join(" ")));
        lines.push(format!("{name}?: {}", kinds.join(" | ")));
    }
    lines
}

/// The members of a row of a question, as the words of a comment want them.
fn members_of_columns(question: &str, wishes: &[&str]) -> Vec<String> {
    let (settings, columns) = tables(question);
    let is_wanted = |sign: char, name: &str| {
        let mut wishes = wishes.iter();
        wishes.any(|wish| wish.strip_prefix(sign) == Some(name))
    };
    let mut lines = Vec::new();
    for column in columns {
        let is_of_record = matches!(column.values, Values::Record | Values::Status);
        if is_of_record || column.when.is_some_and(|when| is_wanted('-', when)) {
            continue;
        }
        let is_conditional = column.when.is_some_and(|when| {
            let setting = settings
                .iter()
                .find(|setting| setting.name == when)
                .unwrap();
            is_option(setting) && !is_wanted('+', when) || setting.is_beside()
        });
        let renamed = wishes.iter().filter_map(|wish| wish.split_once('='));
        let mut renamed = renamed.filter(|(name, _)| *name == column.name);
        let name = renamed
            .next()
            .map_or(camel(column.name), |(_, name)| name.to_owned());
        let about = column.about;
        lines.extend(comment(&format!(
            "{}{}.",
            about[..1].to_uppercase(),
            &about[1..]
        )));
        let mark = if is_conditional { "?" } else { "" };
        lines.push(format!("{name}{mark}: {}", type_of_value(column.values)));
    }
    lines
}

/// The options of a batch that name columns.
fn members_of_names() -> Vec<String> {
    let mut names = Vec::new();
    for column in questions().flat_map(|question| question.columns) {
        let name = format!("{}Column?: string", camel(column.name));
        if column.can_be_renamed && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The members that follow from a comment, if any do.
fn made_of(comment: &str) -> Option<Vec<String>> {
    let words: Vec<_> = comment.split(' ').collect();
    Some(match words[..] {
        ["questions"] => questions()
            .map(|question| format!("| '{}'", question.name))
            .collect(),
        ["settings", "*"] => members_of_all_settings(),
        ["columns", "*"] => members_of_names(),
        ["settings", question, ref without @ ..] => {
            let without: Vec<_> = without
                .iter()
                .map(|name| name.strip_prefix('-').unwrap())
                .collect();
            members_of_settings(question, &without)
        }
        ["columns", question, ref wishes @ ..] => members_of_columns(question, wishes),
        _ => return None,
    })
}

/// With `SUDOKU_BATCH_PAGES=write` it writes them.
#[test]
fn the_types_of_settings_and_columns_are_those_of_the_definitions() {
    let Some(types) = types() else { return };
    let (text, comments) = written(&types, ["// ", ""], made_of);
    compare("web/package/index.d.ts", &types, &text);
    for comment in ["questions", "settings *", "columns *"] {
        assert!(comments.contains(comment), "{comment}");
    }
    // Each call that asks a question has its settings and its columns.
    for question in ["solve", "check", "count", "rate", "canonical"] {
        let of = |table: &str| {
            let start = format!("{table} {question}");
            comments.iter().any(|comment| comment.starts_with(&start))
        };
        assert!(
            of("columns") && (question == "count" || of("settings")),
            "{question}"
        );
    }
}

/// The part of the engine that answers a question is the one that has it.
#[test]
fn the_package_asks_the_part_that_has_the_question() {
    if types().is_none() {
        return;
    }
    let calls = fs::read_to_string(format!("{ROOT}/web/package/calls.js")).unwrap();
    let rating = between(&calls, "const RATING = new Set([", "])");
    for question in questions() {
        let is_rater = RATERS.iter().any(|rater| rater.name == question.name);
        let is_listed = rating.contains(&format!("'{}'", question.name));
        assert_eq!(is_listed, is_rater, "{}", question.name);
    }
}

#[test]
fn the_types_have_every_setting_of_what_is_made() {
    let Some(types) = types() else { return };
    let own = ["n", "start", "workers", "onProgress"];
    for (settings, interface, own) in [
        (settings(&GENERATE), "GridsOptions", &own[..]),
        (
            settings(&PUZZLES),
            "PuzzlesOptions",
            &[&own[..], &["onMissing"]].concat()[..],
        ),
    ] {
        let mut found = options(&types, "MakeOptions");
        found.extend(options(&types, interface));
        let own = own.iter().map(|&name| name.to_owned());
        let wanted: BTreeSet<String> = settings.into_iter().chain(own).collect();
        assert_eq!(found, wanted, "{interface}");
    }
}
