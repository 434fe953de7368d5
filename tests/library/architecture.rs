//! The modules that a module may use: the sources keep to the table of modules in
//! `docs/internals/architecture.md`, in `use` items and in paths elsewhere.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Crates for all: errors, and tests in the file.
const FOR_ALL: [&str; 6] = [
    "std",
    "core",
    "alloc",
    "thiserror",
    "proptest",
    "sudoku_batch_test_support",
];

/// The library, as the command knows it.
const LIBRARY: &str = "sudoku_batch";

/// The folders of the command and of the library for C. Their modules begin with these names.
const INTERFACES: [&str; 2] = ["cli", "capi"];

/// The folders of the sources of an interface. The command has two packages.
fn folders_of(interface: &str) -> Vec<String> {
    let mut folders = vec![format!("{interface}/src")];
    if interface == "cli" {
        folders.push("cli/driver/src".into());
    }
    folders
}

/// The folder in which a module is, if it is not the library.
fn interface(module: &str) -> Option<&'static str> {
    INTERFACES
        .into_iter()
        .find(|interface| is_inside(module, interface))
}

/// The modules where `unsafe` may be written.
const UNSAFE: [&str; 5] = [
    "simd",
    "cli/pipeline",
    "capi/border/guard",
    "capi/border/memory",
    "capi/border",
];

/// The table: each module, and the modules and outside crates that it may name. A
/// module is a file with the folder of its name; the longest name that fits a path
/// counts. What all may use: their own children, their parent, and [`FOR_ALL`].
struct ModuleMap(Vec<(String, Vec<String>)>);

impl ModuleMap {
    /// From the rows between the head `| module | may use | … |` and the first line
    /// that is no row.
    fn of(design: &str) -> Self {
        let lines = design.lines();
        let table = lines.skip_while(|line| !line.starts_with("| module | may use |"));
        let rows = table.skip(2).take_while(|line| line.starts_with('|'));
        let row = |row: &str| {
            let mut cells = row.split('|').skip(1).map(str::trim);
            let owner = cells.next().unwrap().to_owned();
            let uses = cells.next().unwrap().split(',').map(str::trim);
            let uses = uses.filter(|name| !name.is_empty());
            (owner, uses.map(str::to_owned).collect())
        };
        Self(rows.map(row).collect())
    }

    fn here() -> Self {
        let root = Path::new(crate::support::ROOT);
        let map =
            Self::of(&fs::read_to_string(root.join("docs/internals/architecture.md")).unwrap());
        assert!(
            map.0.len() > 10,
            "docs/internals/architecture.md has no table of modules"
        );
        map
    }

    /// The module of the table for a path such as `solve/sliced/pass`.
    fn owner(&self, path: &str) -> Option<&str> {
        let fits = |owner: &&str| path == *owner || is_inside(path, owner);
        let map = self.0.iter().map(|owner| owner.0.as_str());
        map.filter(fits).max_by_key(|owner| owner.len())
    }

    fn uses(&self, owner: &str) -> &[String] {
        &self.0.iter().find(|entry| entry.0 == owner).unwrap().1
    }
}

fn is_inside(path: &str, owner: &str) -> bool {
    path.strip_prefix(owner)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// The crates of `Cargo.toml`, as they are spelt in the sources.
fn crates() -> BTreeSet<String> {
    let names = dependencies(&read("Cargo.toml"));
    names.iter().map(|name| name.replace('-', "_")).collect()
}

/// The names that a manifest depends on, for any system and purpose.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut names = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.ends_with("dependencies]");
        } else if let (true, Some((name, _))) = (inside, line.split_once(" = ")) {
            let name = name.trim_end_matches(".workspace");
            if !line.starts_with('#') {
                names.insert(name.to_owned());
            }
        }
    }
    names
}

fn read(path: &str) -> String {
    let path = Path::new(crate::support::ROOT).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every source file of the library and of [`INTERFACES`]: its path without `src/` and `.rs`, and its text
/// without comments and strings. A path of an interface begins with the name of its folder.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(crate::support::ROOT);
    let mut sources = sources_in(&root.join("src"));
    for interface in INTERFACES.into_iter().filter(|interface| exists(interface)) {
        for folder in folders_of(interface) {
            let of_interface = sources_in(&root.join(folder)).into_iter();
            sources.extend(of_interface.map(|(name, code)| (format!("{interface}/{name}"), code)));
        }
    }
    sources
}

/// Every source file of a folder, see [`sources`].
fn sources_in(root: &Path) -> Vec<(String, String)> {
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
    let mut files = Vec::new();
    collect(root, &mut files);
    files.sort();
    let name = |path: &Path| {
        let path = path.strip_prefix(root).unwrap().with_extension("");
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

/// The paths that a module names, from the root: `crate` and `super` are worked
/// out, groups taken apart. Of the paths outside `use` items those that begin with
/// `crate`, `self`, `super`, [`LIBRARY`] or one of these crates; others begin with what a `use`
/// item brought in, or with a child.
fn paths(module: &str, code: &str, crates: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let tokens = tokens(code);
    let tokens: Vec<_> = tokens.iter().map(String::as_str).collect();
    // A module of tests in the file is one level down.
    let mut module = module.to_owned();
    let mut at = 0;
    while at < tokens.len() {
        let (before, rest) = tokens.split_at(at);
        at += 1;
        let begins = |name: &str| {
            let path =
                matches!(name, "crate" | "self" | "super" | LIBRARY) || crates.contains(name);
            let visibility = before.ends_with(&["(", "in"]);
            path && rest[1..].starts_with(&[":", ":"]) && before.last() != Some(&":") && !visibility
        };
        match rest {
            ["mod", "tests", ..] => module += "/tests",
            // `impl Trait + use<>` is a type.
            ["use", "<", ..] => {}
            ["use", item @ ..] => {
                let end = item.iter().position(|&token| token == ";");
                let end = end.unwrap_or(item.len());
                at += end;
                take_apart(&item[..end], &[], &mut |path| {
                    found.insert(absolute(&module, path));
                });
            }
            [first, ..] if begins(first) => {
                let mut path = vec![*first];
                let mut rest = &rest[1..];
                while let [":", ":", name, after @ ..] = rest
                    && is_word(name)
                {
                    path.push(name);
                    rest = after;
                }
                found.insert(absolute(&module, &path));
            }
            _ => {}
        }
    }
    found
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
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
        Some(&"crate") => interface(module).into_iter().collect(),
        _ => Vec::new(),
    };
    for &name in path {
        match name {
            // The modules of the library have no prefix.
            LIBRARY if interface(module).is_some() => {}
            // `$crate` in a macro is `crate`.
            "crate" | "self" | "$" => {}
            "super" => drop(names.pop()),
            name => names.push(name),
        }
    }
    names.join("/")
}

/// Errors of the paths of a module, given all modules and crates.
fn offences(
    map: &ModuleMap,
    (module, code): (&str, &str),
    modules: &BTreeSet<&str>,
    crates: &BTreeSet<String>,
) -> Vec<String> {
    let Some(own) = map.owner(module) else {
        return vec![format!(
            "{module} is in no module of the table: add it to docs/internals/architecture.md"
        )];
    };
    let allowed = map.uses(own);
    let may_use = |path: &String| {
        let first = path.split('/').next().unwrap();
        let target = match map.owner(path) {
            Some(owner) => owner,
            // Names at the top of the library.
            None if interface(module).is_some() && first.starts_with(char::is_uppercase) => {
                return true;
            }
            None => first,
        };
        let child =
            is_inside(target, own) || modules.contains(format!("{module}/{first}").as_str());
        let of_the_file = code.contains(&format!("macro_rules! {first} "));
        let family = target == own || child || of_the_file || is_inside(own, target);
        let anything = FOR_ALL.contains(&first) || ["", "*"].contains(&first);
        family || anything || allowed.iter().any(|name| name == target)
    };
    let paths = paths(module, code, crates);
    let offending = paths.iter().filter(|path| !may_use(path));
    offending
        .map(|path| format!("{module} may not use {path}"))
        .collect()
}

#[test]
fn paths_keep_to_the_table() {
    let (map, crates, sources) = (ModuleMap::here(), crates(), sources());
    assert!(sources.len() > 10, "sources not found");
    assert!(crates.contains("signal_hook"), "crates not found");
    let modules = sources.iter().map(|(module, _)| module.as_str()).collect();
    let offences: Vec<_> = sources
        .iter()
        .flat_map(|(module, code)| offences(&map, (module, code), &modules, &crates))
        .collect();
    assert!(offences.is_empty(), "{offences:#?}");
}

/// Errors of a table, given all modules and crates.
fn misfits(map: &ModuleMap, modules: &BTreeSet<&str>, crates: &BTreeSet<String>) -> Vec<String> {
    let mut misfits = Vec::new();
    let mut earlier = BTreeSet::new();
    for (owner, uses) in &map.0 {
        if !modules.contains(owner.as_str()) {
            misfits.push(format!("{owner} is a module without a file"));
        }
        for name in uses {
            if !earlier.contains(name) && !crates.contains(name) {
                misfits.push(format!(
                    "{owner} may use {name}: no earlier row and no crate"
                ));
            }
        }
        earlier.insert(owner.clone());
    }
    misfits
}

#[test]
fn rooms_exist_and_point_to_earlier_rows() {
    let (map, crates, sources) = (ModuleMap::here(), crates(), sources());
    let modules = sources.iter().map(|(module, _)| module.as_str()).collect();
    let found = misfits(&map, &modules, &crates);
    assert!(found.is_empty(), "{found:#?}");

    let modules = BTreeSet::from(["grid", "solve"]);
    let with = |rows: &str| {
        let map = ModuleMap::of(&format!("| module | may use | |\n|---|---|---|\n{rows}"));
        misfits(&map, &modules, &crates).len()
    };
    assert_eq!(with("| grid | | |\n| solve | grid, memchr | |"), 0);
    assert_eq!(with("| grid | solve | |\n| solve | | |"), 1);
    assert_eq!(with("| grid | | |\n| puzzle | grid | |"), 1);
    assert_eq!(with("| grid | no_such_crate | |"), 1);
}

#[test]
fn the_check_sees_offences() {
    let (map, crates) = (ModuleMap::here(), crates());
    let modules = BTreeSet::from(["cli/commands/show", "cli/commands/show/rejects"]);
    for line in OFFENCES.lines() {
        let (count, source) = line.split_once(' ').unwrap();
        let (module, code) = source.split_once(':').unwrap();
        let found = offences(&map, (module, code), &modules, &crates);
        assert_eq!(found.len().to_string(), count, "{line}");
    }
}

/// How many offences each source has: its module, and its code.
const OFFENCES: &str = "\
0 format: use crate::grid::{CELLS, Grid};
1 format: use crate::technique::Solver;
2 format: use crate::{grid::Grid, technique::{Limit, Solver}};
1 format/line: mod tests { use super::*; use super::super::super::simd; }
0 format/line: use super::super::grid::Grid;
0 format: fn f() -> crate::grid::Grid { todo!() }
1 format: fn f() -> crate::technique::Solver { todo!() }
2 format: fn f() { crate::technique::f(crate::simd::x) }
1 format: fn f() { super::simd::f(); memchr::memchr() }
1 format: fn f() { rayon::join() }
1 format: fn f() { for x in crate::technique::all() {} }
0 format: pub(in crate::technique) fn f() {}
0 questions: fn f() { line::read(self::x) }
0 solve/scalar: use super::{Limit, tables::{BAND, WIDE}};
1 solve/scalar: use super::{Limit, sliced::X};
1 solve/scalar: use std::fmt; use crate::simd::Level;
1 solve: use self::scalar::State; use rayon::prelude::*;
0 cli/commands/show: use crate::driver::Plan; use sudoku_batch::solve::f;
0 cli/commands/show: fn f() { sudoku_batch::Solver::f() }
1 cli/pipeline: use sudoku_batch::solve::f;
1 capi/table: use super::failure::Failure;
0 capi/asking: use super::{table::Table, border::memory::RowsIn};
0 capi/border/memory: use super::super::failure::Failure;
1 capi/border/memory: use super::super::table::Table;
1 grid: fn f() { sudoku_batch::solve::f() }
1 cli/commands/show: use rejects::Rejects; use output::Output;
1 helper:
";

#[test]
fn unsafe_has_few_rooms() {
    let map = ModuleMap::here();
    for (module, code) in sources() {
        let allowed = UNSAFE.contains(&map.owner(&module).unwrap_or_default());
        assert!(
            count_of_unsafe(&code) == 0 || allowed,
            "`unsafe` in {module}"
        );
    }
}

fn count_of_unsafe(code: &str) -> usize {
    let tokens = tokens(code);
    tokens.iter().filter(|token| *token == "unsafe").count()
}

/// The rows of the first table after the first line that begins like this: their cells,
/// without the head.
fn table<'t>(text: &'t str, begins: &str) -> Vec<Vec<&'t str>> {
    let lines = text.lines().skip_while(|line| !line.starts_with(begins));
    let lines = lines.skip_while(|line| !line.starts_with('|'));
    let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.split('|').skip(1).map(str::trim).collect())
        .collect()
}

/// Without the marks of code.
fn plain(cell: &str) -> String {
    cell.replace('`', "")
}

/// Whether a file or folder is here. The package on crates.io lacks the other packages of
/// this repository.
fn exists(path: &str) -> bool {
    Path::new(crate::support::ROOT).join(path).exists()
}

/// Files with `unsafe`, and how often.
#[test]
fn unsafe_is_where_its_page_says() {
    let page = read("docs/internals/unsafe.md");
    let folders = [
        "src",
        "benches",
        "cli/src",
        "cli/driver/src",
        "examples",
        "tools/src",
        "capi/src",
        "python/src",
    ];
    let folders = folders.into_iter().filter(|folder| exists(folder));
    let told: BTreeSet<(String, usize)> = table(&page, "| file |")
        .iter()
        .map(|row| (plain(row[0]), row[1].parse().unwrap()))
        .filter(|(path, _)| {
            let interface = path.split('/').next().expect("a folder");
            !["capi", "python"].contains(&interface) || exists(interface)
        })
        .collect();
    let mut found = BTreeSet::new();
    for folder in folders {
        for (name, code) in sources_in(&Path::new(crate::support::ROOT).join(folder)) {
            let count = count_of_unsafe(&code);
            if count > 0 {
                found.insert((format!("{folder}/{name}.rs"), count));
            }
        }
    }
    assert!(found.len() > 5, "`unsafe` not found");
    assert_eq!(told, found, "docs/internals/unsafe.md and the sources");
}

#[test]
fn the_dependencies_are_listed() {
    let page = read("docs/internals/dependencies.md");
    let listed = |manifest: &str| -> BTreeSet<String> {
        let rows = table(&page, &format!("`{manifest}`"));
        rows.iter().map(|row| plain(row[0])).collect()
    };
    let others = [
        "python/Cargo.toml",
        "fuzz/Cargo.toml",
        "benches/peers/Cargo.toml",
        "web/bindgen/Cargo.toml",
    ];
    let others = others.into_iter().filter(|manifest| exists(manifest));
    for manifest in others {
        let names = dependencies(&read(manifest));
        assert!(!names.is_empty(), "{manifest}");
        assert_eq!(
            listed(manifest),
            names,
            "docs/internals/dependencies.md and {manifest}"
        );
    }
    // The manifest of the workspace names every crate of its packages, and its packages.
    let all = dependencies(&read("Cargo.toml"));
    let mut rows: BTreeSet<_> = [
        "sudoku-batch",
        "sudoku-batch-cli",
        "sudoku-batch-driver",
        "sudoku-batch-test-support",
    ]
    .map(str::to_owned)
    .into();
    for manifest in ["Cargo.toml", "python/Cargo.toml", "web/engine/Cargo.toml"] {
        rows.extend(listed(manifest));
    }
    assert_eq!(rows, all, "docs/internals/dependencies.md and Cargo.toml");
    for manifest in [
        "benches/Cargo.toml",
        "capi/Cargo.toml",
        "cli/Cargo.toml",
        "cli/driver/Cargo.toml",
        "cli/tests/Cargo.toml",
        "tests/Cargo.toml",
        "tests/support/Cargo.toml",
        "tools/Cargo.toml",
        "web/engine/Cargo.toml",
    ] {
        let own = dependencies(&read(manifest));
        assert!(own.is_subset(&all), "{manifest} and Cargo.toml");
    }
    let tests = "python/tests/requirements.txt";
    if !exists(tests) {
        return;
    }
    let names = read(tests);
    let names = names.lines().filter(|line| !line.starts_with('#'));
    let names = names.map(|line| line.split("==").next().unwrap().to_owned());
    assert_eq!(
        listed(tests),
        names.collect(),
        "docs/internals/dependencies.md and {tests}"
    );
}

/// rustdoc builds all examples as one program. If that fails, it builds each alone, which takes 10 s and not 0.3,
/// and says nothing. A file with a path from its source is what cannot be found there.
#[test]
fn examples_include_no_files() {
    for (module, text) in sources() {
        let mut lines = text.lines().map(str::trim_start);
        let is_example = |line: &str| line.starts_with("///") || line.starts_with("//!");
        let found = lines.find(|line| is_example(line) && line.contains("include_"));
        assert_eq!(found, None, "{module}");
    }
}

/// Every paper of the project: its path and its text.
fn papers() -> Vec<(String, String)> {
    let root = Path::new(crate::support::ROOT);
    let pages = |folder: &'static str| {
        let entries = fs::read_dir(root.join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names
            .filter(|name| name.ends_with(".md"))
            .map(move |name| format!("{folder}/{name}"))
    };
    let docs = pages("docs").chain(pages("docs/internals"));
    let others = [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "capi/examples/README.md",
        "data/README.md",
        "python/README.md",
        "web/README.md",
        "web/package/README.md",
    ];
    let others = others.map(str::to_owned).into_iter();
    let papers = docs.chain(others.filter(|path| exists(path)));
    papers.map(|path| (path.clone(), read(&path))).collect()
}

/// The anchors of a paper's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut anchors = BTreeSet::new();
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if !fenced && title.len() < line.len() && title.starts_with(' ') {
            let kept = |&c: &char| c.is_alphanumeric() || "-_ ".contains(c);
            let anchor: String = title.trim().to_lowercase().chars().filter(kept).collect();
            anchors.insert(anchor.replace(' ', "-"));
        }
    }
    anchors
}

/// The links of a paper that lead to no file or to no heading.
fn broken_links(paper: &str, text: &str) -> Vec<String> {
    let folder = Path::new(paper).parent().unwrap();
    let targets = text.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split(')').next());
    let targets = targets.filter(|target| !target.starts_with("http"));
    let is_broken = |target: &&str| {
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        let path = match path {
            "" => paper.to_owned(),
            path => folder.join(path).to_str().unwrap().to_owned(),
        };
        // The package on crates.io lacks the other packages.
        let elsewhere = path.contains("python/") && !exists("python");
        let leads = exists(&path) && (anchor.is_empty() || anchors(&read(&path)).contains(anchor));
        !leads && !elsewhere
    };
    let broken = targets.filter(is_broken);
    broken.map(|target| format!("{paper}: {target}")).collect()
}

#[test]
fn links_of_the_papers_lead_somewhere() {
    let papers = papers();
    assert!(papers.len() > 8, "papers not found");
    let broken = papers
        .iter()
        .flat_map(|(paper, text)| broken_links(paper, text));
    assert_eq!(broken.collect::<Vec<_>>(), Vec::<String>::new());

    let broken = |text| broken_links("docs/internals/architecture.md", text).len();
    assert_eq!(
        broken("[a](ladder.md), [b](https://a.b), [c](#module-map)"),
        0
    );
    assert_eq!(
        broken("[a](../using.md#solve), [b](../../README.md#start)"),
        0
    );
    assert_eq!(broken("[a](solving.md), [b](#no-such-heading)"), 2);
    assert_eq!(broken("[a](../using.md#no-such-heading)"), 1);
}

/// Papers name files and folders of the sources in text and in code.
#[test]
fn named_sources_exist() {
    let folders = [
        "benches", "capi", "cli", "data", "examples", "fuzz", "python", "scripts", "src", "tools",
    ];
    let is_source = |name: &str| {
        let (folder, rest) = name.split_once('/').unwrap_or_default();
        let plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
        folders.contains(&folder) && exists(folder) && rest.chars().all(plain)
    };
    let mut named = Vec::new();
    for (paper, text) in papers() {
        for word in text.split(|c: char| c.is_whitespace() || "`()[]".contains(c)) {
            let name = word.trim_end_matches(['.', ',', ':', ';']);
            if is_source(name) {
                named.push((paper.clone(), name.to_owned()));
            }
        }
    }
    assert!(named.len() > 50, "names not found");
    let is_missing = |(paper, name): &&(String, String)| {
        let beside = Path::new(paper).parent().unwrap().join(name);
        // Modules of an interface have its folder for a prefix.
        let mut owners = interface(name).into_iter().flat_map(|interface| {
            let owner = &name[interface.len() + 1..];
            let files = folders_of(interface).into_iter();
            files.map(move |folder| format!("{folder}/{owner}.rs"))
        });
        !exists(name) && !exists(beside.to_str().unwrap()) && !owners.any(|owner| exists(&owner))
    };
    let missing: Vec<_> = named.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Files name the pages of `docs` in comments and messages.
#[test]
fn named_pages_exist() {
    let root = Path::new(crate::support::ROOT);
    let folders = [
        ".ci", "benches", "capi", "cli", "examples", "fuzz/src", "python", "scripts", "src",
        "tests", "tools",
    ];
    let mut rest: Vec<_> = folders.iter().map(|folder| root.join(folder)).collect();
    let files = ["Cargo.toml", "deny.toml", "fuzz/Cargo.toml", "CHANGELOG.md"];
    rest.extend(files.map(|file| root.join(file)));
    let (mut named, mut missing) = (0, BTreeSet::new());
    while let Some(path) = rest.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            rest.extend(entries.map(|entry| entry.unwrap().path()));
        } else if let Ok(text) = fs::read_to_string(&path) {
            for name in text.split("docs/").skip(1) {
                let end = |c: char| !(c.is_alphanumeric() || "-._/".contains(c));
                let name = name.split(end).next().unwrap().trim_end_matches('.');
                if name.ends_with(".md") {
                    named += 1;
                    if !exists(&format!("docs/{name}")) {
                        missing.insert(format!("{}: docs/{name}", path.display()));
                    }
                }
            }
        }
    }
    assert!(named > 10, "no file names a page");
    assert_eq!(missing, BTreeSet::new());
}

/// The number in `Cargo.toml` is that of all packages, and of a heading of the changelog with a date, or `unreleased`.
#[test]
fn packages_and_papers_have_one_version() {
    let version = env!("CARGO_PKG_VERSION");
    for manifest in [
        "Cargo.toml",
        "capi/Cargo.toml",
        "cli/Cargo.toml",
        "cli/driver/Cargo.toml",
        "python/Cargo.toml",
        "web/engine/Cargo.toml",
    ] {
        let own = read(manifest);
        let own = own.lines().find(|line| line.starts_with("version"));
        assert_eq!(own, Some("version.workspace = true"), "{manifest}");
    }
    assert!(read("python/pyproject.toml").contains("dynamic = [\"version\"]"));
    let package = read("web/package/package.json");
    assert!(package.contains(&format!("\n  \"version\": \"{version}\",\n")));

    let changes = read("CHANGELOG.md");
    let headings = changes
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .filter(|heading| *heading != "Unreleased");
    let headings: Vec<_> = headings.collect();
    assert!(
        headings[0].starts_with(&format!("{version} (")),
        "{headings:?}"
    );
    for heading in headings {
        let date = heading
            .split_once(" (")
            .and_then(|(_, date)| date.strip_suffix(')'));
        let digits: String = date
            .unwrap_or_default()
            .chars()
            .map(|c| if c.is_ascii_digit() { '0' } else { c })
            .collect();
        assert!(
            ["0000-00-00", "unreleased"].contains(&&digits[..]),
            "{heading}"
        );
    }
}
