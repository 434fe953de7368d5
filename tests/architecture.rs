//! Who may know whom: the table below is the one of `docs/design.md`, and the
//! `use` lines of the sources keep to it.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// A room, and the rooms and outside crates that it may name. A room is a
/// file with the folder of its name; the longest name that fits a path counts.
/// What all may use: their own children, and [`FOR_ALL`].
const ROOMS: &[(&str, &[&str])] = &[
    ("grid", &[]),
    ("format", &["grid", "memchr"]),
    ("simd", &[]),
    ("solve", &["grid", "simd"]),
    ("solve/tables", &["grid"]),
    ("solve/scalar", &["grid", "solve", "solve/tables"]),
    ("solve/sliced", &["grid", "simd", "solve", "solve/scalar"]),
    ("generate", &["grid", "simd", "solve"]),
    ("puzzle", &["grid", "solve"]),
    ("batch", &["grid", "format", "solve"]),
    (
        "pipeline",
        &["rayon", "memmap2", "memchr", "tempfile", "rustix"],
    ),
    ("cli", &["clap", "anyhow", "indicatif", "sudoku_batch"]),
    (
        "commands",
        &[
            "cli",
            "sudoku_batch",
            "anyhow",
            "clap",
            "clap_complete",
            "clap_mangen",
            "indicatif",
            "plotters",
            "serde",
            "serde_json",
            "signal_hook",
            "tempfile",
        ],
    ),
    (
        "lib",
        &[
            "batch", "generate", "grid", "pipeline", "puzzle", "simd", "solve", "format",
        ],
    ),
    ("main", &["cli", "commands", "clap", "anyhow"]),
];

/// Crates for all: errors, and tests in the file.
const FOR_ALL: [&str; 4] = ["std", "core", "thiserror", "proptest"];

/// The rooms where `unsafe` may be written.
const UNSAFE: [&str; 2] = ["simd", "pipeline"];

/// Every source file: its path without `src/` and `.rs`, and its text without
/// comments and strings.
fn sources() -> Vec<(String, String)> {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, files);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let name = |path: &Path| {
        let path = path.strip_prefix(&root).unwrap().with_extension("");
        path.to_str().unwrap().replace('\\', "/")
    };
    files
        .iter()
        .map(|path| (name(path), code(&fs::read_to_string(path).unwrap())))
        .collect()
}

/// Text without what follows `//` on a line. (A string with `//` in it loses
/// its end, which hides nothing that is looked for here.)
fn code(text: &str) -> String {
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned() + "\n";
    text.lines().map(code).collect()
}

/// The room of a file or module path such as `solve/sliced/pass`.
fn room(path: &str) -> Option<&'static str> {
    let fits = |room: &&str| path == *room || path.starts_with(&format!("{room}/"));
    ROOMS
        .iter()
        .map(|room| room.0)
        .filter(fits)
        .max_by_key(|room| room.len())
}

/// The words of a text, and `::`, `{`, `}`, `,`, `;` by themselves.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in text.chars() {
        let word = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if word && in_word => last.push(c),
            _ if !c.is_whitespace() => tokens.push(c.into()),
            _ => {}
        }
        in_word = word;
    }
    tokens
}

/// The paths that the `use` items of a module name, from the root: `crate` and
/// `super` are worked out, groups taken apart.
fn uses(module: &str, code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let tokens = tokens(code);
    let mut rest = tokens.iter().map(String::as_str);
    // A module of tests in the file is one level down.
    let mut module = module.to_owned();
    while let Some(token) = rest.next() {
        if token == "mod" && rest.clone().next() == Some("tests") {
            module += "/tests";
        }
        if token == "use" {
            let item: Vec<_> = rest.by_ref().take_while(|&token| token != ";").collect();
            take_apart(&item, &[], &mut |path| {
                found.insert(absolute(&module, path));
            });
        }
    }
    found
}

/// Calls `each` with every path of a tree such as `a::{b, c::{d, e}}`.
fn take_apart<'a>(tree: &[&'a str], before: &[&'a str], each: &mut impl FnMut(&[&'a str])) {
    let Some(open) = tree.iter().position(|&token| token == "{") else {
        let path = tree
            .split(|&token| token == "as")
            .next()
            .unwrap_or_default();
        let path = path.iter().filter(|&&token| token != ":");
        each(&before.iter().chain(path).copied().collect::<Vec<_>>());
        return;
    };
    let own = tree[..open].iter().filter(|&&token| token != ":");
    let before: Vec<_> = before.iter().chain(own).copied().collect();
    let (mut depth, mut start) = (0, open + 1);
    for i in open..tree.len() {
        depth += i32::from(tree[i] == "{") - i32::from(tree[i] == "}");
        if (depth == 1 && tree[i] == ",") || depth == 0 {
            if start < i {
                take_apart(&tree[start..i], &before, each);
            }
            start = i + 1;
        }
        if depth == 0 {
            break;
        }
    }
}

fn absolute(module: &str, path: &[&str]) -> String {
    let mut names: Vec<_> = match path.first() {
        Some(&("self" | "super")) => module.split('/').collect(),
        _ => Vec::new(),
    };
    for &name in path {
        match name {
            "crate" | "self" => {}
            "super" => drop(names.pop()),
            name => names.push(name),
        }
    }
    names.join("/")
}

/// What is wrong with the `use` items of a module, given all modules.
fn offences(module: &str, code: &str, modules: &BTreeSet<&str>) -> Vec<String> {
    let Some(own) = room(module) else {
        return vec![format!("{module} is in no room: add it to the table")];
    };
    let allowed = ROOMS.iter().find(|room| room.0 == own).unwrap().1;
    let may_use = |path: &String| {
        let first = path.split('/').next().unwrap();
        let target = room(path).unwrap_or(first);
        let child = target.starts_with(&format!("{own}/"))
            || modules.contains(format!("{module}/{first}").as_str());
        let inside = target == own || child || FOR_ALL.contains(&first);
        inside || ["", "*"].contains(&first) || allowed.contains(&target)
    };
    let uses = uses(module, code);
    let offending = uses.iter().filter(|path| !may_use(path));
    offending
        .map(|path| format!("{module} may not use {path}"))
        .collect()
}

#[test]
fn use_items_keep_to_the_table() {
    let sources = sources();
    assert!(sources.len() > 10, "sources not found");
    let modules = sources.iter().map(|(module, _)| module.as_str()).collect();
    let offences: Vec<_> = sources
        .iter()
        .flat_map(|(module, code)| offences(module, code, &modules))
        .collect();
    assert!(offences.is_empty(), "{offences:#?}");
}

#[test]
fn the_check_sees_offences() {
    let modules = BTreeSet::from(["commands/solve", "commands/solve/rejects"]);
    for (module, code, count) in [
        ("format", "use crate::grid::{CELLS, Grid};", 0),
        ("format", "use crate::solve::Solver;", 1),
        (
            "format",
            "use crate::{grid::Grid, solve::{Limit, Solver}};",
            2,
        ),
        (
            "format",
            "mod tests { use super::*; use super::super::simd; }",
            1,
        ),
        (
            "solve/scalar",
            "use super::{Limit, tables::{BAND, WIDE}};",
            0,
        ),
        ("solve/scalar", "use super::{Limit, sliced::X};", 1),
        ("solve/scalar", "use std::fmt; use crate::simd::Level;", 1),
        (
            "solve",
            "use self::scalar::State; use rayon::prelude::*;",
            1,
        ),
        (
            "commands/solve",
            "use crate::cli::solve::Solve; use sudoku_batch as b;",
            0,
        ),
        (
            "commands/solve",
            "use rejects::Rejects; use output::Output;",
            1,
        ),
        ("helper", "", 1),
    ] {
        assert_eq!(
            offences(module, code, &modules).len(),
            count,
            "{module}: {code}"
        );
    }
}

#[test]
fn unsafe_has_two_rooms() {
    for (module, code) in sources() {
        let found = tokens(&code).iter().any(|token| token == "unsafe");
        let allowed = UNSAFE.contains(&room(&module).unwrap_or_default());
        assert!(!found || allowed, "`unsafe` in {module}");
    }
}
