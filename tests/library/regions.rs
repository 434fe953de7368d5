//! Files by hand with lines that follow from the definitions: those between a comment such as `// columns rate` and `// end`.

use std::{collections::BTreeSet, env, fs};
use sudoku_batch::questions::{Column, SETS, Setting, all};

use crate::support::ROOT;

/// The settings and the columns of a question or a set.
pub(crate) fn tables(name: &str) -> (&'static [Setting], &'static [Column]) {
    let asked = all().map(|asked| (asked.name, asked.settings, asked.columns));
    let made = SETS.iter().map(|set| (set.name, set.settings, set.columns));
    let mut found = asked.chain(made).filter(|(known, ..)| *known == name);
    let (_, settings, columns) = found.next().unwrap_or_else(|| panic!("{name}"));
    (settings, columns)
}

/// The text of a file whose regions are new, and the comments that begin them. A comment stands between two signs.
/// `made_of` gives the lines that follow from it, or `None` if none do.
pub(crate) fn written<'t>(
    text: &'t str,
    [open, close]: [&str; 2],
    made_of: impl Fn(&str) -> Option<Vec<String>>,
) -> (String, BTreeSet<&'t str>) {
    let comment = |line: &'t str| {
        let (indent, rest) = line.split_once(open)?;
        let comment = rest.strip_suffix(close)?;
        indent.trim().is_empty().then_some((indent, comment))
    };
    let (mut new, mut comments) = (String::new(), BTreeSet::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        new += &format!("{line}\n");
        let region = comment(line).and_then(|(indent, name)| Some((indent, name, made_of(name)?)));
        let Some((indent, name, members)) = region else {
            continue;
        };
        comments.insert(name);
        for member in members {
            new += format!("{indent}{member}").trim_end();
            new.push('\n');
        }
        let is_end = |line: &&'t str| comment(line).is_some_and(|(_, name)| name == "end");
        let end = lines.by_ref().find(is_end);
        let end = end.unwrap_or_else(|| panic!("{name} has no end"));
        new += &format!("{end}\n");
    }
    (new, comments)
}

/// Compares a file with the text that it should have. With `SUDOKU_BATCH_PAGES=write` it writes that.
pub(crate) fn compare(path: &str, old: &str, new: &str) {
    if old != new && env::var("SUDOKU_BATCH_PAGES").is_ok_and(|mode| mode == "write") {
        fs::write(format!("{ROOT}/{path}"), new).unwrap();
    }
    let lines = old.lines().zip(new.lines());
    let wrong = lines.enumerate().find(|(_, (old, new))| old != new);
    assert_eq!((wrong, old.len()), (None, new.len()), "{path} is old");
}
