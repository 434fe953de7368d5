//! The pages for readers: every command on them runs, and prints what they show. CONTRIBUTING.md tells how
//! a page is marked.

use crate::support::{
    cases,
    runner::{Folder, PROGRAM, output},
    tools,
};
use rayon::prelude::*;
use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex},
};

/// Commands that are not run, by their beginning, and the reason. A pipe is not run if one of its
/// commands is not.
const NOT_RUN: &[(&str, &str)] = &[
    (
        "cargo",
        "builds for minutes; .ci/run runs the commands of the README",
    ),
    (
        "CARGO_PROFILE_RELEASE_DEBUG=1 cargo",
        "builds all tests anew, for minutes",
    ),
    ("SUDOKU_BATCH_PAGES=write cargo", "is this test"),
    (
        "pip install ./python",
        "builds a wheel; scripts/check_python.sh does it",
    ),
    (
        "python",
        "serves, or measures; needs the Python package of a release build",
    ),
    ("spark-submit", "needs Java; scripts/check_python.sh has it"),
    ("scripts/", "builds or measures for minutes"),
    (
        "PUZZLES=2000 ROUNDS=5 scripts/compare.sh",
        "needs qqwing, and shows the figures of a machine",
    ),
    ("npm", "needs what scripts/web.sh builds; web/tests does it"),
    ("esbuild", "is no tool of this project"),
    (
        "cc app.c",
        "needs what scripts/capi.sh installs; scripts/check_capi.sh does it",
    ),
    ("cp -r node_modules", "needs what npm installs"),
    ("git", "fetches from elsewhere"),
    ("java", "runs a program from elsewhere"),
    ("skfr", "is a program from elsewhere"),
    ("sukaku-forge-rate", "is a program from elsewhere"),
    (
        "sudoku-batch play",
        "needs a terminal; tests/command/play.rs and scripts/play.sh have one",
    ),
];

/// The programs that are run.
const RUN: &[&str] = &[
    "sudoku-batch",
    "cat",
    "echo",
    "head",
    "join",
    "sort",
    "tail",
    "uniq",
    "zstd",
];

/// Parts of commands that run with a smaller number: on the page, and here. The third and the fourth
/// word: what is then seen, and what the page shows for it.
const SMALLER: &[[&str; 4]] = &[
    [
        "generate 1G --shard 2/4 -o",
        "generate 1k --shard 2/4 -o",
        "",
        "",
    ],
    [
        "puzzles 1M -o million.csv",
        "puzzles 1k -o million.csv",
        "1,000 puzzles: 1,000 made",
        "1,000,000 puzzles: 1,000,000 made",
    ],
    [
        "solve million.csv",
        "solve million.csv",
        "1,000 records: 1,000 unique",
        "1,000,000 records: 1,000,000 unique",
    ],
    [
        "check million.csv",
        "check million.csv",
        "1,000 records: 1,000 unique, 1,000 answers-right",
        "1,000,000 records: 1,000,000 unique, 1,000,000 answers-right",
    ],
    ["puzzles 100 --", "puzzles 5 --", "", ""],
    ["puzzles 10k --contains", "puzzles 40 --contains", "", ""],
    [
        "--per-technique 1000 --relatives 20",
        "--per-technique 10 --relatives 2",
        "",
        "",
    ],
    [
        "easy:80,medium:80,hard:40",
        "easy:8,medium:8,hard:4",
        "",
        "",
    ],
    [
        "--puzzles-of minimal,45-blanks,easy,medium,hard --puzzles 100k --rounds 5",
        "--puzzles-of minimal --puzzles 20 --rounds 1",
        "",
        "",
    ],
    [
        "sudoku-batch bench",
        "sudoku-batch bench --puzzles 40 --rounds 2",
        "",
        "",
    ],
    ["puzzles 1M -o", "puzzles 1k -o", "", ""],
    [
        "puzzles 1G --shard 2/4 -o",
        "puzzles 1k --shard 2/4 -o",
        "",
        "",
    ],
    [
        "--subsample 1000 --copies 1000",
        "--subsample 10 --copies 10",
        "",
        "",
    ],
];

/// A command that takes ten seconds, and by default a part of it, whose rows are among those that the page shows.
const IN_PART: [&str; 2] = [
    "near --minimal --rating 10.6.. seeds.txt",
    "near --minimal --rating 10.6.. --limit 12 -q seeds.txt",
];

/// The languages of blocks that other tests run, or hold against something.
const RUN_ELSEWHERE: &[(&str, &str)] = &[
    ("python", "python/tests/test_docs.py"),
    ("js", "web/tests/package.test.js and vite.test.js"),
    (
        "c",
        "scripts/check_capi.sh, and tests/library/header.rs for all of docs/c.md and capi/examples/README.md",
    ),
    ("cpp", "the same"),
    ("go", "the same"),
    ("java", "nobody; tests/library/header.rs holds the types"),
    ("csharp", "the same"),
];

/// A line without what varies from run to run and from machine to machine: in the last line of a summary
/// the time, the speed, the number of threads and the engine.
fn steady(line: &str) -> String {
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let mut parts = line.split(", ");
    match parts.next().and_then(|time| time.strip_suffix(" s")) {
        Some(time) if is_number(time) => {
            let rest = parts.map(|part| match part.split_once(' ') {
                Some((_, what)) if what.ends_with(" a second") => format!("N {what}"),
                Some((_, "threads" | "thread")) => "N threads".to_owned(),
                Some(("engine", _)) => "engine E".to_owned(),
                _ => part.to_owned(),
            });
            let rest: Vec<_> = rest.collect();
            format!("N s, {}", rest.join(", "))
        }
        _ => line.to_owned(),
    }
}

/// Lines without the figures of a machine: its name, all words with digits, and the names of levels
/// without digits. Rows that are the same then count once, such as those for each number of threads.
fn without_figures<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let is_figure = |word: &str| {
        word.contains(|c: char| c.is_ascii_digit()) || ["neon", "portable"].contains(&word)
    };
    let line = |line: &str| {
        let (_, line) = line.split_once(" cores; ").unwrap_or(("", line));
        let words = line.split_whitespace();
        let words: Vec<_> = words
            .map(|word| if is_figure(word) { "N" } else { word })
            .collect();
        words.join(" ")
    };
    let mut lines: Vec<_> = lines.map(line).collect();
    lines.dedup();
    lines
}

/// Whether a line of a page shows a line that is printed: `…` stands for any part of it.
fn shows(page: &str, seen: &str) -> bool {
    let (page, seen) = (steady(page), steady(seen));
    let mut parts = page.split('…');
    let Some(mut rest) = seen.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut parts: Vec<_> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether lines of a page show what is printed: a line `…` stands for any number of lines.
fn all_shown(page: &[&str], seen: &[String]) -> bool {
    match (page, seen) {
        ([], seen) => seen.is_empty(),
        (["…", page @ ..], seen) => (0..=seen.len()).any(|n| all_shown(page, &seen[n..])),
        ([line, page @ ..], [first, seen @ ..]) => shows(line, first) && all_shown(page, seen),
        _ => false,
    }
}

enum Piece<'a> {
    /// An HTML comment.
    Comment {
        line: usize,
        text: String,
    },
    Block(Block<'a>),
}

/// A block of code, without its fences and its indentation.
struct Block<'a> {
    /// The number of the first line, from 0.
    line: usize,
    /// The word behind the fence; nothing for a block that is indented.
    language: &'a str,
    indentation: &'static str,
    lines: Vec<&'a str>,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = at;
        let after_blank = line == 0 || lines[line - 1].is_empty();
        let end_of = |is_last: &dyn Fn(&str) -> bool| {
            let length = lines[line..].iter().skip(1).position(|line| is_last(line));
            line + 1
                + length
                    .unwrap_or_else(|| panic!("line {} begins something without an end", line + 1))
        };
        if let Some(language) = lines[line].strip_prefix("```") {
            at = end_of(&|line| line == "```");
            pieces.push(Piece::Block(Block {
                line: line + 1,
                language,
                indentation: "",
                lines: lines[line + 1..at].to_vec(),
            }));
        } else if let Some(first) = lines[line].strip_prefix("<!-- ") {
            let is_one = first.ends_with(" -->");
            at = if is_one {
                line
            } else {
                end_of(&|line| line == "-->")
            };
            let text = lines[line..=at].join("\n");
            let text = text["<!-- ".len()..text.len() - "-->".len()]
                .trim()
                .to_owned();
            pieces.push(Piece::Comment { line, text });
        } else if after_blank && lines[line].starts_with("    ") {
            let is_over = |line: &&str| !line.is_empty() && !line.starts_with("    ");
            let length = lines[line..].iter().position(is_over);
            at = length.map_or(lines.len(), |length| line + length);
            while lines[at - 1].is_empty() {
                at -= 1;
            }
            let inner = lines[line..at]
                .iter()
                .map(|line| line.get(4..).unwrap_or_default());
            pieces.push(Piece::Block(Block {
                line,
                language: "",
                indentation: "    ",
                lines: inner.collect(),
            }));
            continue;
        }
        at += 1;
    }
    pieces
}

/// A page that is read from its first line to its last, in a folder of its own with the files that its
/// commands have made so far, and `data`.
struct Reading {
    page: String,
    folder: Folder,
    failures: Vec<String>,
    /// Which lines of the page to replace, and by what. The last come last.
    mends: Vec<(std::ops::Range<usize>, Vec<String>)>,
    /// Whether the figures of the next block may differ.
    figures_vary: bool,
    /// The entries of the lists above that are needed.
    needed: BTreeSet<&'static str>,
}

impl Reading {
    fn new(page: &str) -> Self {
        let folder = Folder::new();
        std::os::unix::fs::symlink(root().join("data"), folder.file("data")).unwrap();
        Self {
            page: page.to_owned(),
            folder,
            failures: Vec::new(),
            mends: Vec::new(),
            figures_vary: false,
            needed: BTreeSet::new(),
        }
    }

    fn fail(&mut self, line: usize, what: String) {
        let place = format!("{}:{}", self.page, line + 1);
        self.failures.push(format!("{place}: {what}"));
    }

    /// Runs commands: whether they succeed, and what they print on a terminal.
    fn run(&self, commands: &str) -> (bool, Vec<String>) {
        // The program has its usual name in a folder of its own.
        static NAMED: LazyLock<Folder> = LazyLock::new(|| {
            let folder = Folder::new();
            std::os::unix::fs::symlink(PROGRAM, folder.file("sudoku-batch")).unwrap();
            folder
        });
        let folders = env::split_paths(&env::var_os("PATH").unwrap()).collect::<Vec<_>>();
        let path = env::join_paths([NAMED.path().to_owned()].iter().chain(&folders)).unwrap();
        let commands = format!("set -e; exec 2>&1\n{commands}");
        let ran = output(self.folder.shell(&commands).env("PATH", path));
        let seen = String::from_utf8(ran.stdout).unwrap();
        (
            ran.status.success(),
            seen.lines().map(str::to_owned).collect(),
        )
    }

    /// Whether a command of the page is to be run.
    fn is_run(&mut self, line: usize, command: &str) -> bool {
        let calls = command.split('|').map(str::trim_start);
        let is_call =
            |(start, _): &&(&str, &str)| calls.clone().any(|call| call.starts_with(start));
        if let Some((start, _)) = NOT_RUN.iter().find(is_call) {
            self.needed.insert(start);
            return false;
        }
        let programs = calls.map(|call| call.split_whitespace().next().unwrap_or_default());
        let programs: Vec<_> = programs.collect();
        let Some(unknown) = programs.iter().find(|name| !RUN.contains(name)) else {
            return programs
                .iter()
                .all(|name| *name == "sudoku-batch" || tools::has(name));
        };
        let what =
            "is no program that is run, nor listed as not run; a drawing is a block of `text`";
        self.fail(line, format!("{unknown}: this {what}"));
        false
    }

    /// Runs one command of the page, and compares what it prints if the page shows that.
    fn command(&mut self, line: usize, command: &str, shown: Option<Shown<'_>>) {
        let [whole, part] = IN_PART;
        if let (true, Some(shown)) = (command.contains(whole) && cases(1) == 1, &shown) {
            let (succeeds, seen) = self.run(&command.replace(whole, part));
            let is_shown = |line: &String| shown.shown.contains(&line.as_str());
            if !succeeds || seen.is_empty() || !seen.iter().all(is_shown) {
                self.fail(line, format!("{part} prints\n{}", seen.join("\n")));
            }
            return;
        }
        let smaller = SMALLER.iter().find(|[large, ..]| command.contains(large));
        let (succeeds, mut seen) = match smaller {
            Some([large, small, ..]) => {
                self.needed.insert(large);
                self.run(&command.replace(large, small))
            }
            None => self.run(command),
        };
        let Some(Shown {
            lines,
            shown,
            indentation,
        }) = shown
        else {
            if !succeeds {
                self.fail(line, format!("this fails: {command}\n{}", seen.join("\n")));
            }
            return;
        };
        if let Some([_, _, small, large]) = smaller {
            seen.iter_mut()
                .for_each(|line| *line = line.replace(small, large));
        }
        let is_shown = if self.figures_vary {
            let page = without_figures(shown.iter().copied());
            let page: Vec<_> = page.iter().map(String::as_str).collect();
            all_shown(&page, &without_figures(seen.iter().map(String::as_str)))
        } else {
            all_shown(&shown, &seen)
        };
        if is_shown {
            return;
        }
        let (expected, actual) = (shown.join("\n"), seen.join("\n"));
        self.fail(
            line,
            format!("{command}\n--- the page shows\n{expected}\n--- it prints\n{actual}\n---"),
        );
        // Lines that are right stay as they are, with what is left out of them.
        let same_number = shown.len() == seen.len();
        let mended = seen.into_iter().enumerate().map(|(n, seen)| {
            let stays = same_number && shows(shown[n], &seen);
            let text = if stays {
                shown[n].to_owned()
            } else {
                abridged(&seen, shown.iter().any(|line| line.contains('…')))
            };
            format!("{indentation}{text}").trim_end().to_owned()
        });
        self.mends.push((lines, mended.collect()));
    }

    /// Runs a block of commands, with what they print after lines with `$`.
    fn shell(&mut self, block: &Block<'_>) {
        let has_output = block.lines.iter().any(|line| line.starts_with("$ "));
        let mut at = 0;
        while at < block.lines.len() {
            let line = at;
            let mut command = block.lines[line]
                .strip_prefix("$ ")
                .unwrap_or(block.lines[line])
                .to_owned();
            while command.ends_with('\\') {
                at += 1;
                command = format!("{command}\n{}", block.lines[at]);
            }
            at += 1;
            if !has_output {
                if !command.trim().is_empty() && self.is_run(block.line + line, &command) {
                    self.command(block.line + line, &command, None);
                }
                continue;
            }
            if !block.lines[line].starts_with("$ ") {
                return self.fail(
                    block.line + line,
                    "a command with `$ ` is missing".to_owned(),
                );
            }
            let start = at;
            while at < block.lines.len() && !block.lines[at].starts_with("$ ") {
                at += 1;
            }
            let shown = Shown {
                lines: block.line + start..block.line + at,
                shown: block.lines[start..at].to_vec(),
                indentation: block.indentation,
            };
            if self.is_run(block.line + line, &command) {
                self.command(block.line + line, &command, Some(shown));
            }
        }
    }

    fn read(&mut self, text: &str) {
        let mut prints: Option<(usize, String)> = None;
        for piece in pieces(text) {
            match (piece, prints.take()) {
                (Piece::Comment { line, text }, None) => {
                    if let Some(commands) = text.strip_prefix("prepare:") {
                        let (succeeds, seen) = self.run(commands);
                        if !succeeds {
                            self.fail(line, format!("this fails: {text}\n{}", seen.join("\n")));
                        }
                    } else if let Some(command) = text.strip_prefix("prints: ") {
                        prints = Some((line, command.to_owned()));
                    } else if text == "varies: figures" {
                        self.figures_vary = true;
                    } else if ["questions", "end"].contains(&text.as_str()) {
                        // `tests/library/python.rs` writes the table in between.
                    } else if !["performance: ", "questions: "]
                        .iter()
                        .any(|mark| text.starts_with(mark))
                    {
                        self.fail(line, "an unknown mark".to_owned());
                    }
                }
                (Piece::Block(block), Some((line, command))) => {
                    // JSON is broken into lines for the reader.
                    let joined: String = block.lines.iter().map(|line| line.trim()).collect();
                    let shown = Shown {
                        lines: block.line..block.line + block.lines.len(),
                        shown: match block.language {
                            "json" => vec![&joined],
                            _ => block.lines,
                        },
                        indentation: block.indentation,
                    };
                    self.command(line, &command, Some(shown));
                }
                (Piece::Comment { line, .. }, Some(_)) => {
                    self.fail(line, "a block after `prints:` is missing".to_owned());
                }
                (Piece::Block(block), None) => match block.language {
                    "" | "sh" => {
                        self.shell(&block);
                        self.figures_vary = false;
                    }
                    "text" => {
                        let is_command = |line: &&str| {
                            line.starts_with("$ ") || line.starts_with("sudoku-batch ")
                        };
                        if block.lines.iter().any(is_command) {
                            self.fail(block.line, "commands are no `text`".to_owned());
                        }
                    }
                    "rust" if !is_in_sources(&block.lines) => {
                        self.fail(
                            block.line,
                            "no file that is compiled has this Rust".to_owned(),
                        );
                    }
                    "rust" => {}
                    language => match RUN_ELSEWHERE.iter().find(|(name, _)| *name == language) {
                        Some((name, _)) => drop(self.needed.insert(name)),
                        None => {
                            self.fail(block.line, format!("nothing runs a block of {language:?}"))
                        }
                    },
                },
            }
        }
    }
}

/// The part of an output that a page shows.
struct Shown<'a> {
    lines: std::ops::Range<usize>,
    shown: Vec<&'a str>,
    indentation: &'static str,
}

/// A line with `…` for all but the first cells of grids, if the page leaves cells out.
fn abridged(line: &str, leaves_out: bool) -> String {
    const KEPT: usize = 18;
    let is_cell = |c: char| c.is_ascii_digit() || c == '.';
    let mut text = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let length = rest.find(|c| !is_cell(c)).unwrap_or(rest.len());
        if leaves_out && length >= 81 {
            text += &rest[..KEPT];
            text.push('…');
            rest = &rest[length..];
        } else {
            let length = length.max(c.len_utf8());
            text += &rest[..length];
            rest = &rest[length..];
        }
    }
    text
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// All files below a folder with this ending.
fn files(folder: &Path, ending: &str, deep: bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && deep {
            found.extend(files(&path, ending, deep));
        } else if path.to_str().unwrap().ends_with(ending) {
            found.push(path);
        }
    }
    found
}

/// Whether lines stand in one of the Rust files that are compiled, one after the other, whatever their
/// indentation and comments. A line that begins with `// ...` stands for any lines.
fn is_in_sources(lines: &[&str]) -> bool {
    fn code<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
        let code = lines.map(|line| line.split("//").next().unwrap().trim().to_owned());
        code.filter(|line| !line.is_empty()).collect()
    }
    let parts = lines.split(|line| line.trim().starts_with("// ..."));
    let parts: Vec<_> = parts.map(|part| code(part.iter().copied())).collect();
    let folders = ["src", "cli", "examples", "tests", "tools"].map(|folder| root().join(folder));
    let mut sources = folders.iter().flat_map(|folder| files(folder, ".rs", true));
    sources.any(|path| {
        let source = code(fs::read_to_string(path).unwrap().lines());
        let mut rest = &source[..];
        parts.iter().all(|part| {
            let at = rest.windows(part.len()).position(|window| window == part);
            at.map(|at| rest = &rest[at + part.len()..]).is_some()
        })
    })
}

/// The example of the README.
#[test]
fn the_library_is_called_as_the_readme_says() -> Result<(), Box<dyn std::error::Error>> {
    use sudoku_batch::{Puzzle, Solver};

    let puzzle: Puzzle =
        "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
            .parse()?;
    let solution = Solver::new().solve_unique(&puzzle)?;
    assert!(solution.as_str().starts_with("496528713"));
    Ok(())
}

/// Most readers have the features by default, and those of a library do not.
#[test]
fn an_example_that_needs_a_feature_says_so() {
    let mut seen = 0;
    for path in files(&root().join("src"), ".rs", true) {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<_> = text.lines().collect();
        for (n, line) in lines.iter().enumerate() {
            let Some((comment, feature)) = line.split_once("# #[cfg(feature = \"") else {
                continue;
            };
            assert!(comment.starts_with("//"), "{path:?}:{}", n + 1);
            let feature = feature.split('"').next().unwrap();
            let before = lines[n.saturating_sub(5)..n].join(" ");
            let says = before.contains("feature") && before.contains(&format!("`{feature}`"));
            assert!(
                says,
                "{}:{}: say that it needs `{feature}`",
                path.display(),
                n + 1
            );
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// With `SUDOKU_BATCH_PAGES=write` it writes what it sees into the pages.
#[test]
fn every_block_of_every_page_runs_and_prints_what_the_page_shows() {
    let folders = [
        "",
        "capi/examples",
        "data",
        "docs",
        "docs/internals",
        "python",
        "web",
        "web/package",
    ];
    let mut pages: Vec<_> = folders
        .iter()
        .flat_map(|folder| files(&root().join(folder), ".md", false))
        .collect();
    pages.sort();
    assert!(pages.len() > 15, "{pages:?}");
    let (failures, needed) = (Mutex::new(Vec::new()), Mutex::new(BTreeSet::new()));
    pages.par_iter().for_each(|path| {
        let text = fs::read_to_string(path).unwrap();
        let mut reading = Reading::new(path.strip_prefix(root()).unwrap().to_str().unwrap());
        reading.read(&text);
        if env::var("SUDOKU_BATCH_PAGES").is_ok_and(|value| value == "write") {
            let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
            for (range, mended) in reading.mends.into_iter().rev() {
                lines.splice(range, mended);
            }
            fs::write(path, lines.join("\n") + "\n").unwrap();
        }
        failures.lock().unwrap().extend(reading.failures);
        needed.lock().unwrap().extend(reading.needed);
    });
    let (mut failures, needed) = (failures.into_inner().unwrap(), needed.into_inner().unwrap());
    let listed = NOT_RUN.iter().chain(RUN_ELSEWHERE).map(|(name, _)| name);
    let listed = listed.chain(SMALLER.iter().map(|[large, ..]| large));
    let unneeded = listed.filter(|name| !needed.contains(*name));
    failures.extend(unneeded.map(|name| format!("tests/command/pages.rs: no page needs {name:?}")));
    assert!(failures.is_empty(), "\n\n{}\n", failures.join("\n\n"));
}

#[test]
fn what_varies_and_what_is_left_out_is_shown() {
    for (page, seen, is_shown) in [
        ("1 records", "1 records", true),
        ("1 records", "2 records", false),
        ("042…,unique", "0421,unique", true),
        ("042…,unique", "0421,multiple", false),
        ("042…7…,9", "042170,9", true),
        ("042…7…,9", "042100,9", false),
        (
            "0.001 s, 26,731 puzzles a second, 2 threads, engine scalar, form csv",
            "10.2 s, 31 puzzles a second, 64 threads, engine sliced avx512, form csv",
            true,
        ),
        (
            "0.001 s, 26,731 puzzles a second, 2 threads, engine scalar, form csv",
            "0.001 s, 26,731 grids a second, 2 threads, engine scalar, form csv",
            false,
        ),
        (
            "0.001 s, 26,731 puzzles a second, 2 threads, form csv",
            "0.001 s, 26,731 puzzles a second, 2 threads, form tsv",
            false,
        ),
    ] {
        assert_eq!(shows(page, seen), is_shown, "{page} {seen}");
    }
    let seen = ["a", "b", "c"].map(str::to_owned);
    assert!(all_shown(&["a", "…"], &seen) && all_shown(&["…", "c"], &seen));
    assert!(!all_shown(&["a", "…", "b"], &seen) && !all_shown(&["a", "b"], &seen));
}
