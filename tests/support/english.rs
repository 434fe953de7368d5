//! The words that must not come back to pages, help and messages: CONTRIBUTING.md, "English", has the rules.

/// A page as a reader sees it, without the comments that tests read.
pub fn seen(text: &str) -> String {
    let mut parts = text.split("<!--");
    let mut seen = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.split_once("-->").map_or(part, |(_, rest)| rest);
        seen += rest
            .strip_prefix("\n\n")
            .or(rest.strip_prefix('\n'))
            .unwrap_or(rest);
    }
    seen
}

/// The words of a text outside of code, with the paragraph, the item or the field of a table that they are in.
pub fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    let mut fenced = false;
    for line in seen(text).lines() {
        if line.starts_with("```") {
            fenced = !fenced;
            paragraphs.push(String::new());
            continue;
        }
        if fenced || line.starts_with("    ") {
            continue;
        }
        if line.starts_with("| ") {
            paragraphs.extend(line.split(" | ").map(str::to_owned));
            continue;
        }
        let begins = ["- ", "* ", "#"].iter().any(|mark| line.starts_with(mark));
        if line.is_empty() || begins {
            paragraphs.push(String::new());
        }
        let last = paragraphs.last_mut().unwrap();
        *last += line.trim_start_matches(['-', '#', ' ']);
        last.push(' ');
    }
    // Code between back quotes is no English.
    let english = |text: &String| {
        let parts = text.split('`').enumerate();
        parts
            .map(|(n, part)| if n % 2 == 0 { part } else { "code" })
            .collect::<String>()
    };
    paragraphs.iter().map(english).collect()
}

/// Words in a private sense, and openings without a subject.
pub fn offences(paragraph: &str) -> Vec<String> {
    const WORDS: [&str; 12] = [
        "door",
        "doors",
        "room",
        "rooms",
        "form",
        "forms",
        "mended",
        "anew",
        "as ever",
        "by turns",
        "held against",
        "in turn",
    ];
    /// Before or after "form".
    const CANONICAL: [&str; 2] = ["canonical form", "canonical forms"];
    const OPENINGS: [&str; 7] = [
        "What ",
        "Where ",
        "Those ",
        "The same ",
        "As ",
        "Who ",
        "Whoever ",
    ];
    let mut lower = format!(" {} ", paragraph.to_lowercase());
    for canonical in CANONICAL {
        lower = lower.replace(canonical, "");
    }
    let words: String = lower
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '-' || c == '_' {
                c
            } else {
                ' '
            }
        })
        .collect();
    let has = |word: &&&str| words.contains(&format!(" {word} "));
    let mut found: Vec<_> = WORDS
        .iter()
        .filter(has)
        .map(|word| (*word).to_owned())
        .collect();
    let starts = paragraph
        .match_indices(". ")
        .map(|(at, dot)| at + dot.len());
    for at in [0].into_iter().chain(starts) {
        let sentence = paragraph[at..].trim_start_matches(['*', '_', '"']);
        let is_question = sentence
            .split(['.', '?'])
            .next()
            .is_some_and(|one| sentence[one.len()..].starts_with('?'));
        let opening = OPENINGS
            .iter()
            .find(|opening| sentence.starts_with(**opening));
        found.extend(
            opening
                .filter(|_| !is_question)
                .map(|opening| format!("{opening}…")),
        );
    }
    found
}
