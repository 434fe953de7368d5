//! Readings of single words and lines: 81 cells together, or apart.

use super::{
    super::s9b,
    evidence::{Found, Kind},
    signs::{self, BLANK, cell, is_cell, is_clue, is_word},
    text::Text,
};

/// The shortest and longest lines and quoted texts in which cells stand apart.
const APART: std::ops::RangeInclusive<usize> = 83..=1200;

fn cells_of(text: &[u8]) -> Option<[u8; 81]> {
    let cells: &[u8; 81] = text.try_into().ok()?;
    Some(cells.map(cell))
}

/// The number of a name, which depends on the name alone: FNV-1a. A word without a name has its number in the line.
fn number_of(name: &[u8]) -> u32 {
    let hash = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(16_777_619);
    name.iter().fold(2_166_136_261, hash) | 1 << 31
}

/// Words of 81 cells, or of several times 81. In a word that is longer, one sign stands for blanks, and its first
/// or last 81 cells count. Returns whether the other end of such a word is as good.
pub(super) fn runs(text: &Text, other_end: bool) -> (Vec<Found>, bool) {
    let (mut found, mut has_other) = (Vec::new(), false);
    for &line in &text.lines {
        if line.end - line.start < 81 {
            continue;
        }
        let bytes = text.line(line);
        let filled = signs::trim(bytes).len();
        let mut ordinal = 0;
        let mut at = 0;
        while at < bytes.len() {
            // The digits of a code are no cells.
            if s9b::is_code(&bytes[at..]) {
                at += s9b::LENGTH;
                continue;
            }
            let is_of_run = |&&byte: &&u8| is_cell(byte) || byte == b'+';
            let length = bytes[at..].iter().take_while(is_of_run).count();
            if length >= 81 {
                let word = &bytes[at..at + length];
                let before = found.len();
                let is_alone = length == filled;
                has_other |= of_word((word, is_alone), line.start + at, other_end, &mut found);
                let is_first_blank = matches!(word[0], b'.' | b'0');
                let mut kept = before;
                for number in before..found.len() {
                    let one: &Found = &found[number];
                    if is_first_blank || one.cells.iter().any(|&cell| cell != BLANK) {
                        found.swap(kept, number);
                        kept += 1;
                    }
                }
                found.truncate(kept);
                for one in &mut found[before..] {
                    let name = name_before(&bytes[..one.place.0 - line.start]);
                    one.key = name.map_or(ordinal, |name| number_of(&name));
                    ordinal += 1;
                }
            }
            at += length.max(1);
        }
    }
    (found, has_other)
}

/// The most characters that stand next to 81 cells and look like cells, such as the end of a sentence or the number
/// of a list.
const OVERHANG: usize = 4;

/// The grids of a long word. A word that is alone on its line has no characters but cells. Returns whether it has two that are as good.
fn of_word(
    (word, is_alone): (&[u8], bool),
    place: usize,
    other_end: bool,
    found: &mut Vec<Found>,
) -> bool {
    let mut push = |at: usize, cells: [u8; 81], length: usize| {
        found.push(Found {
            place: (place + at, place + at + length),
            cells,
            key: 0,
        });
    };
    if word.contains(&b'+') {
        // A plus sign stands before a digit that a player placed.
        let mut cells = Vec::new();
        let mut rest = word;
        loop {
            rest = match rest {
                [b'+', digit, after @ ..] if is_clue(*digit) => {
                    cells.push(BLANK);
                    after
                }
                [b'+', after @ ..] => after,
                [byte, after @ ..] => {
                    cells.push(*byte);
                    after
                }
                [] => break,
            };
        }
        if let Some(cells) = cells_of(&cells) {
            push(0, cells, word.len());
            return false;
        }
    }
    if let Some(cells) = cells_of(word) {
        push(0, cells, 81);
        return false;
    }
    let mut counts = [0u32; 256];
    for &byte in word {
        counts[usize::from(byte)] += u32::from(!is_clue(byte));
    }
    let mut signs: Vec<u8> = (0..=255).filter(|&b| counts[usize::from(b)] > 0).collect();
    signs.sort_unstable_by_key(|&sign| (std::cmp::Reverse(counts[usize::from(sign)]), sign));
    if signs.is_empty() {
        signs.push(BLANK);
    }
    for sign in signs {
        let (mut any, mut has_other) = (false, false);
        let mut at = 0;
        while at < word.len() {
            let is_of_run = |&&byte: &&u8| is_clue(byte) || byte == sign;
            let length = word[at..].iter().take_while(is_of_run).count();
            let run = &word[at..at + length];
            if length >= 81 && length % 81 == 0 {
                for (number, cells) in run.chunks(81).enumerate() {
                    push(at + 81 * number, cells_of(cells).expect("81"), 81);
                }
                any = true;
            } else if (82..=81 + OVERHANG).contains(&length) && !is_alone {
                let ends = [0, length - 81];
                let grids = ends.map(|end| cells_of(&run[end..end + 81]).expect("81"));
                let kinds = grids.map(|cells| worth(Kind::of(&cells)));
                let best = usize::from(kinds[1] > kinds[0]);
                if kinds[best] > 0 {
                    let is_equal = kinds[0] == kinds[1] && grids[0] != grids[1];
                    let chosen = if is_equal && other_end {
                        1 - best
                    } else {
                        best
                    };
                    push(at + ends[chosen], grids[chosen], 81);
                    (any, has_other) = (true, has_other | is_equal);
                }
            }
            at += length.max(1);
        }
        if any {
            return has_other;
        }
    }
    false
}

/// The order of kinds: puzzles before full grids.
fn worth(kind: Kind) -> u8 {
    match kind {
        Kind::Puzzle => 2,
        Kind::Full => 1,
        Kind::Few | Kind::Improper => 0,
    }
}

/// The name that stands before a value: `name = "`, `"name": [`.
fn name_before(before: &[u8]) -> Option<Vec<u8>> {
    let end = before.len().saturating_sub(60);
    let mut rest = &before[end..];
    let strip = |rest: &mut &[u8], of: fn(u8) -> bool| {
        while let [others @ .., last] = *rest
            && of(*last)
        {
            *rest = others;
        }
    };
    strip(&mut rest, |byte| {
        matches!(byte, b'[' | b'"' | b'\'' | b'(' | b'`')
    });
    strip(&mut rest, signs::is_space);
    rest = match rest {
        [rest @ .., b'=', b'>'] | [rest @ .., b':' | b'='] => rest,
        _ => return None,
    };
    strip(&mut rest, signs::is_space);
    rest = match rest {
        [rest @ .., b'"' | b'\''] => rest,
        rest => rest,
    };
    let is_of_name = |&&byte: &&u8| is_word(byte) || matches!(byte, b' ' | b'-');
    let length = rest.iter().rev().take(31).take_while(is_of_name).count();
    let name = &rest[rest.len() - length..];
    let start = name
        .iter()
        .position(|&b| b.is_ascii_alphabetic() || b == b'_')?;
    Some(name[start..].trim_ascii().to_ascii_lowercase())
}

/// 81 characters in quotes, with spaces for blanks.
pub(super) fn quoted_spaces(text: &Text) -> Vec<Found> {
    let mut found = Vec::new();
    let is_of_cells = |&&byte: &&u8| is_clue(byte) || byte == b' ';
    for at in 0..text.bytes.len().saturating_sub(82) {
        let quote = text.bytes[at];
        if !matches!(quote, b'"' | b'\'' | b'`' | b'|') || text.bytes[at + 82] != quote {
            continue;
        }
        let inner = &text.bytes[at + 1..at + 82];
        if inner.iter().take_while(is_of_cells).count() == 81 && inner.iter().any(|&b| is_clue(b)) {
            found.push(Found {
                place: (at, at + 82),
                cells: cells_of(inner).expect("81"),
                key: 0,
            });
        }
    }
    found
}

/// Lines of 81 characters with spaces for blanks, whose ends may be cut off. Returns whether some are.
pub(super) fn lines_of_spaces(text: &Text) -> (Vec<Found>, bool) {
    let (mut found, mut is_cut) = (Vec::new(), false);
    for &line in &text.lines {
        let mut bytes = text.line(line);
        if bytes.len() > 81 {
            bytes = bytes.trim_ascii_end();
        }
        let is_of_cells = |&byte: &u8| is_clue(byte) || byte == b' ';
        let has_clue = || bytes.iter().any(|&byte| is_clue(byte));
        if (60..=81).contains(&bytes.len()) && bytes.iter().all(is_of_cells) && has_clue() {
            let mut cells = [BLANK; 81];
            for (cell, &byte) in cells.iter_mut().zip(bytes) {
                *cell = signs::cell(byte);
            }
            is_cut |= bytes.len() < 81;
            found.push(Found {
                place: (line.start, line.end),
                cells,
                key: 0,
            });
        }
    }
    (found, is_cut)
}

/// The [codes](s9b) of a text.
pub(super) fn codes(text: &Text, masks: bool) -> Vec<Found> {
    let clues = |at| {
        Some(Found {
            place: (at, at + s9b::LENGTH),
            cells: s9b::clues(&text.bytes[at..], masks)?,
            key: 0,
        })
    };
    let starts = memchr::memmem::find_iter(&text.bytes, b"S9");
    starts.filter_map(clues).collect()
}

/// Quoted texts of a line, with their places.
fn quoted(text: &Text) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for &line in &text.lines {
        let bytes = text.line(line);
        let mut at = 0;
        while let Some(start) = memchr::memchr2(b'"', b'\'', &bytes[at..]) {
            let start = at + start;
            let Some(length) = memchr::memchr(bytes[start], &bytes[start + 1..]) else {
                at = start + 1;
                continue;
            };
            if APART.contains(&length) {
                found.push((line.start + start + 1, line.start + start + 1 + length));
                at = start + length + 2;
            } else {
                at = start + 1 + length;
            }
        }
    }
    found
}

/// 81 cells that stand apart, as words of 1, 3, 9 or 27, in a line or in quotes. More words than a grid has are
/// its first or its last. Returns whether there are more.
pub(super) fn apart(text: &Text, in_quotes: bool, last: bool) -> (Vec<Found>, bool) {
    let places = if in_quotes {
        quoted(text)
    } else {
        let lines = text.lines.iter().map(|line| (line.start, line.end));
        lines
            .filter(|(from, to)| APART.contains(&(to - from)))
            .collect()
    };
    let (mut found, mut has_more) = (Vec::new(), false);
    let is_outer = |byte: u8| {
        signs::is_space(byte)
            || matches!(
                byte,
                b'[' | b']'
                    | b'('
                    | b')'
                    | b'{'
                    | b'}'
                    | b'<'
                    | b'>'
                    | b'"'
                    | b'\''
                    | b','
                    | b';'
                    | b'|'
                    | b'/'
            )
    };
    let is_between = |&byte: &u8| {
        signs::is_space(byte) || matches!(byte, b',' | b';' | b'|' | b'/' | b'\\' | b'&')
    };
    for (from, to) in places {
        let bytes = &text.bytes[from..to];
        let inner = signs::trim_of(bytes, is_outer);
        let words: Vec<_> = inner
            .split(is_between)
            .filter(|word| !word.is_empty())
            .collect();
        let has_delimiters = bytes
            .iter()
            .any(|byte| matches!(byte, b',' | b';' | b'\t' | b'|'));
        let mut at = 0;
        while at < words.len() {
            let width = words[at].len();
            let is_alike = |word: &&&[u8]| word.len() == width && word.iter().all(|&b| is_cell(b));
            let count = match width {
                1 | 3 | 9 | 27 => words[at..].iter().take_while(is_alike).count(),
                _ => 0,
            };
            if count > 0 && count >= 81 / width {
                let need = 81 / width;
                let starts = if count % need == 0 {
                    (0..count / need).map(|grid| at + grid * need).collect()
                } else if !has_delimiters {
                    has_more = true;
                    vec![if last { at + count - need } else { at }]
                } else {
                    vec![]
                };
                for start in starts {
                    found.push(Found {
                        place: (from, to),
                        cells: cells_of(&words[start..start + need].concat()).expect("81"),
                        key: start as u32,
                    });
                }
            }
            at += count.max(1);
        }
    }
    (found, has_more)
}

/// A cell on each line.
pub(super) fn one_a_line(text: &Text) -> Vec<Found> {
    let lines = text.lines.iter().filter(|line| line.end - line.start < 40);
    let mut cells = Vec::new();
    let mut all = 0;
    for &line in lines {
        let mut bytes = signs::trim(text.line(line));
        if bytes.is_empty() {
            continue;
        }
        all += 1;
        while let [b'-' | b'*', b' ', rest @ ..] = bytes {
            bytes = rest;
        }
        let bytes = signs::trim(bytes);
        let bytes = bytes.strip_suffix(b",").unwrap_or(bytes);
        if bytes.is_empty() {
            continue;
        }
        if let Some(cell) = signs::value(bytes) {
            cells.push((line.start, cell));
        }
    }
    if cells.is_empty() || cells.len() % 81 != 0 || 10 * all > 13 * cells.len() {
        return Vec::new();
    }
    let grids = cells.chunks(81).map(|chunk| {
        let mut grid = [BLANK; 81];
        for (cell, &(_, value)) in grid.iter_mut().zip(chunk) {
            *cell = value;
        }
        Found {
            place: (chunk[0].0, chunk[80].0),
            cells: grid,
            key: 0,
        }
    });
    grids.collect()
}
