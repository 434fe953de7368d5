//! The sizes of the pages, and the words that must not come back to pages, help and messages.

use crate::support::{
    ROOT,
    english::{offences, paragraphs, seen},
};
use std::{fs, path::Path};
use sudoku_batch::questions::{self, Definition, SETS};

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

/// The pages of a folder: path and text.
fn pages(folder: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(Path::new(ROOT).join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut paths: Vec<_> = names
        .filter(|name| name.ends_with(".md"))
        .map(|name| format!("{folder}/{name}"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| (path.clone(), read(&path)))
        .collect()
}

/// The page that is made from the definitions.
const MADE: &str = "docs/reference.md";

#[test]
fn pages_for_users_stay_short() {
    let lines = |text: &str| seen(text).lines().count();
    let readme = lines(&read("README.md"));
    assert!(readme <= 170, "README.md has {readme} lines");
    let sizes = pages("docs").into_iter().filter(|(path, _)| path != MADE);
    let sizes: Vec<_> = sizes.map(|(path, text)| (lines(&text), path)).collect();
    let all: usize = sizes.iter().map(|(lines, _)| lines).sum();
    assert!(sizes.len() > 10 && all <= 2_600, "{all} lines: {sizes:#?}");
    assert_eq!(seen("a\n<!-- b\nc -->\n\nd\n"), "a\nd\n");
}

#[test]
fn offences_are_seen() {
    for (text, number) in [
        ("The canonical form is kept. A format too.", 0),
        ("Some records have no form.", 1),
        ("What comes in decides.", 1),
        ("What is ER? A number. As one, it grows.", 1),
        ("Every door asks by turns.", 2),
        ("A platform, a transformation and a classroom.", 0),
    ] {
        assert_eq!(offences(text).len(), number, "{text}: {:?}", offences(text));
    }
    let page = "# Where\n\nA `form` is code.\n\n    form\n\n| form | x |\n";
    let found: Vec<_> = paragraphs(page)
        .iter()
        .flat_map(|text| offences(text))
        .collect();
    assert_eq!(found, ["Where …", "form"]);
}

/// The pages, and the help of the definitions.
#[test]
fn plain_words_stay() {
    let mut texts = pages("docs");
    texts.extend(pages("docs/internals"));
    texts.retain(|(path, _)| path != MADE && !path.contains("zh-CN"));
    for path in ["README.md", "CONTRIBUTING.md", "python/README.md"] {
        texts.push((path.to_owned(), read(path)));
    }
    fn help<Make>(definition: &Definition<Make>) -> Vec<(String, String)> {
        let place = |part: &str| format!("{} {part}", definition.name);
        let mut texts = vec![
            (place("about"), definition.about.to_owned()),
            (place("details"), definition.details.to_owned()),
        ];
        for setting in definition.settings {
            texts.push((place(setting.name), setting.about.to_owned()));
            texts.push((place(setting.name), setting.details.to_owned()));
        }
        for column in definition.columns {
            texts.push((place(column.name), column.about.to_owned()));
        }
        texts
    }
    texts.extend(questions::all().flat_map(help));
    texts.extend(SETS.iter().flat_map(|set| help(set)));
    let mut found = Vec::new();
    for (place, text) in texts {
        for paragraph in paragraphs(&text) {
            for offence in offences(&paragraph) {
                found.push(format!("{place}: {offence}: {}", paragraph.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
