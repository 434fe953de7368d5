//! The types of the package for JavaScript, held against the definitions of the questions and of what is made.

use std::{collections::BTreeSet, fs};
use sudoku_batch::questions::{Audience, Definition, GENERATE, PUZZLES, RATERS, SOLVERS};

use crate::support::ROOT;

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
    let settings =
        settings.filter(|setting| matches!(setting.audience, Audience::All | Audience::Bindings));
    let settings = settings.filter(|setting| !setting.is_beside());
    settings.map(|setting| camel(setting.name)).collect()
}

#[test]
fn the_types_have_every_question_with_its_options_and_the_names_of_its_columns() {
    let Some(types) = types() else { return };
    let named = between(&types, "export type Question =", "\nexport").split('\'');
    let named: BTreeSet<_> = named.skip(1).step_by(2).collect();
    let options = options(&types, "BatchOptions");
    let mut known = BTreeSet::from(["dedup", "convert"]);
    for question in SOLVERS.iter().chain(RATERS) {
        known.insert(question.name);
        let columns = question.columns.iter();
        let columns = columns.filter(|column| column.can_be_renamed);
        let columns = columns.map(|column| format!("{}Column", camel(column.name)));
        for option in settings(question).into_iter().chain(columns) {
            assert!(options.contains(&option), "{}: {option}", question.name);
        }
    }
    assert!(known.len() > 10);
    assert_eq!(named, known);
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
