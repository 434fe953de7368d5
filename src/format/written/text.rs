//! A text with a byte for each character, and its lines.

use super::signs::{BOX_DRAWING, LETTER, byte_of, is_space, trim};

/// A text, and where its lines are.
pub(super) struct Text {
    pub(super) bytes: Vec<u8>,
    pub(super) lines: Vec<Line>,
    /// The number of times that each byte is in the text.
    pub(super) counts: [u32; 256],
}

/// A line: its place in the bytes, without its end, and its number in the source, from 1.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) number: u64,
}

/// A text before it is read: the words of its format around the cells are taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transform {
    Plain,
    /// Tables of HTML become lines with tabs.
    HtmlTables,
    /// Tags of HTML become lines.
    Html,
    /// A mark at the start of nearly all lines goes, and perhaps a space after it.
    Marks {
        mark: &'static [u8],
        space: bool,
    },
    /// A backslash and an `n` are the end of a line.
    Escapes,
    /// `%2E` is a dot.
    Percents,
}

impl Transform {
    /// The words before the name of a reading.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::HtmlTables | Self::Html => "HTML, ",
            Self::Marks { .. } => "marks at the starts of lines, ",
            Self::Escapes => "escaped line ends, ",
            Self::Percents => "percent codes, ",
        }
    }
}

impl Transform {
    /// Returns true if every line end of the source is one of the text.
    pub(super) fn keeps_lines(self) -> bool {
        !matches!(self, Self::HtmlTables | Self::Html)
    }
}

const MARKS: [&[u8]; 7] = [b">", b"//", b"#", b";", b"%", b"--", b"*"];

/// Bytes and the lines that they have in the source.
struct Builder {
    bytes: Vec<u8>,
    lines: Vec<Line>,
    start: usize,
    number: u64,
}

impl Builder {
    fn new(size: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(size),
            lines: Vec::new(),
            start: 0,
            number: 1,
        }
    }

    /// Ends a line. The next one has this number in the source.
    fn end_line(&mut self, next: u64) {
        self.push_line(self.bytes.len());
        self.bytes.push(b'\n');
        (self.start, self.number) = (self.bytes.len(), next);
    }

    /// Adds the line that ends at a place.
    fn push_line(&mut self, end: usize) {
        self.lines.push(Line {
            start: self.start,
            end,
            number: self.number,
        });
    }

    /// Adds bytes that are characters, each for itself, and line feeds.
    fn plain(&mut self, source: &[u8]) {
        self.bytes.extend_from_slice(source);
        for end in memchr::memchr_iter(b'\n', source) {
            self.push_line(end);
            (self.start, self.number) = (end + 1, self.number + 1);
        }
    }

    fn text(mut self) -> Text {
        self.push_line(self.bytes.len());
        let mut counts = [0; 256];
        for &byte in &self.bytes {
            counts[usize::from(byte)] += 1;
        }
        Text {
            bytes: self.bytes,
            lines: self.lines,
            counts,
        }
    }
}

impl Text {
    /// A text of UTF-8, or of other bytes that count as letters.
    pub(super) fn new(source: &[u8]) -> Self {
        let mut out = Builder::new(source.len());
        let is_plain = |byte: &u8| byte.is_ascii() && !matches!(byte, b'\r' | b'&' | 0x1a);
        if source.iter().all(is_plain) {
            out.plain(source);
            return out.text();
        }
        for chunk in source.utf8_chunks() {
            let mut rest = chunk.valid();
            loop {
                // Most characters stay as they are.
                let is_other =
                    |byte: u8| !byte.is_ascii() || matches!(byte, b'\r' | b'\n' | b'&' | 0x1a);
                let plain_bytes = rest.bytes().position(is_other).unwrap_or(rest.len());
                out.bytes.extend_from_slice(&rest.as_bytes()[..plain_bytes]);
                rest = &rest[plain_bytes..];
                // Frames have several of these in each line.
                if let [0xe2, second @ 0x94..=0x95, third, ..] = rest.as_bytes() {
                    out.bytes
                        .push(BOX_DRAWING[usize::from((second & 1) << 6 | third & 0x3f)]);
                    rest = &rest[3..];
                    continue;
                }
                let Some(character) = rest.chars().next() else {
                    break;
                };
                let mut length = character.len_utf8();
                match character {
                    '\r' => {
                        length += usize::from(rest[1..].starts_with('\n'));
                        out.end_line(out.number + 1);
                    }
                    '\n' => out.end_line(out.number + 1),
                    '\u{1a}' => {}
                    '&' => match entity(rest) {
                        Some((entity, size)) => {
                            length = size;
                            out.bytes.extend(plain(entity));
                        }
                        None => out.bytes.push(b'&'),
                    },
                    _ => out.bytes.extend(plain(character)),
                }
                rest = &rest[length..];
            }
            out.bytes.extend(chunk.invalid().iter().map(|_| LETTER));
        }
        out.text()
    }

    /// A text with a transform.
    pub(super) fn taken(source: &[u8], transform: Transform) -> Self {
        let plain = Self::new(source);
        plain.transformed(transform).unwrap_or(plain)
    }

    pub(super) fn line(&self, line: Line) -> &[u8] {
        &self.bytes[line.start..line.end]
    }

    /// Returns true if the byte is in the text.
    pub(super) fn has(&self, byte: u8) -> bool {
        self.counts[usize::from(byte)] > 0
    }

    /// The number of clues and other digits from 1 to 9.
    pub(super) fn digits(&self) -> u32 {
        (b'1'..=b'9')
            .map(|digit| self.counts[usize::from(digit)])
            .sum()
    }

    /// The number, from 0, of the line that has the byte at a place.
    pub(super) fn line_at(&self, place: usize) -> usize {
        self.lines.partition_point(|line| line.end < place)
    }

    /// The ways in which this text may be taken.
    pub(super) fn transforms(&self) -> Vec<Transform> {
        let mut found = vec![Transform::Plain];
        if has_tag(&self.bytes, &[b"td", b"th"]) {
            found.push(Transform::HtmlTables);
        } else if has_tag(&self.bytes, LINE_TAGS) {
            found.push(Transform::Html);
        }
        found.extend(self.marks());
        if self.has(b'\\') && self.bytes.windows(2).any(|pair| pair == b"\\n") {
            found.push(Transform::Escapes);
        }
        if self.has(b'%') {
            let is_code = |three: &[u8]| three[0] == b'%' && hex(&three[1..]).is_some();
            if self.bytes.windows(3).any(is_code) {
                found.push(Transform::Percents);
            }
        }
        found
    }

    /// The mark at the start of nearly all lines.
    fn marks(&self) -> Option<Transform> {
        let filled = || {
            let lines = self.lines.iter().map(|&line| trim(self.line(line)));
            lines.filter(|line| !line.is_empty())
        };
        let first = filled().next()?;
        let mark = MARKS.into_iter().find(|mark| first.starts_with(mark))?;
        if mark == b"*" && !first.starts_with(b"* ") {
            return None;
        }
        let all = filled().count();
        let nearly = |count: usize| all > 2 && 20 * count >= 19 * all;
        let marked = filled().filter(|line| line.starts_with(mark)).count();
        let is_apart = |line: &&[u8]| {
            line.starts_with(mark) && line.get(mark.len()).is_none_or(|&b| b == b' ')
        };
        nearly(marked).then(|| Transform::Marks {
            mark,
            space: nearly(filled().filter(is_apart).count()),
        })
    }

    /// The text that a transform makes of this one.
    pub(super) fn transformed(&self, transform: Transform) -> Option<Text> {
        let mut out = Builder::new(self.bytes.len());
        match transform {
            Transform::Plain => return None,
            Transform::HtmlTables => self.without_tags(true, &mut out),
            Transform::Html => self.without_tags(false, &mut out),
            Transform::Marks { mark, space } => {
                for (number, &line) in self.lines.iter().enumerate() {
                    let all = self.line(line);
                    let marked = &all[all.len() - all.trim_ascii_start().len()..];
                    let text = match marked.strip_prefix(mark) {
                        Some([b' ', rest @ ..]) if space => rest,
                        Some(rest) => rest,
                        None => all,
                    };
                    out.number = line.number;
                    out.bytes.extend_from_slice(text);
                    if let Some(next) = self.lines.get(number + 1) {
                        out.end_line(next.number);
                    }
                }
            }
            Transform::Escapes => self.mapped(&mut out, |rest, out, number| match rest {
                [b'\\', b'n', ..] => {
                    out.end_line(number);
                    2
                }
                [b'\\', b'r', ..] => 2,
                [b'\\', b't', ..] => {
                    out.bytes.push(b'\t');
                    2
                }
                _ => 0,
            }),
            Transform::Percents => self.mapped(&mut out, |rest, out, number| match rest {
                [b'%', code @ ..] => match code.get(..2).and_then(hex) {
                    Some(b'\r') => 3,
                    Some(b'\n') => {
                        out.end_line(number);
                        3
                    }
                    Some(byte) => {
                        out.bytes.push(if byte.is_ascii() { byte } else { LETTER });
                        3
                    }
                    None => 0,
                },
                [b'+', ..] => {
                    out.bytes.push(b' ');
                    1
                }
                _ => 0,
            }),
        }
        Some(out.text())
    }

    /// Copies the text. `take` may write something else, and gives the number of bytes that it took.
    fn mapped(&self, out: &mut Builder, take: impl Fn(&[u8], &mut Builder, u64) -> usize) {
        let (mut at, mut line) = (0, 0);
        while at < self.bytes.len() {
            if self.bytes[at] == b'\n' {
                line += 1;
                out.end_line(self.lines[line].number);
                at += 1;
                continue;
            }
            match take(&self.bytes[at..], out, self.lines[line].number) {
                0 => {
                    out.bytes.push(self.bytes[at]);
                    at += 1;
                }
                taken => at += taken,
            }
        }
    }

    /// Copies the text without tags. The rows of tables become lines, and their cells fields between tabs.
    fn without_tags(&self, tables: bool, out: &mut Builder) {
        let (mut at, mut line) = (0, 0);
        // The end of a cell becomes a tab when the next one begins.
        let mut tab = false;
        while at < self.bytes.len() {
            let byte = self.bytes[at];
            at += 1;
            match byte {
                b'\n' => {
                    line += 1;
                    let number = self.lines[line].number;
                    if tables {
                        if !out.bytes.ends_with(b" ") && !out.bytes.ends_with(b"\n") {
                            out.bytes.push(b' ');
                        }
                    } else {
                        out.end_line(number);
                    }
                }
                b'<' => {
                    let Some(length) = memchr::memchr2(b'>', b'\n', &self.bytes[at..]) else {
                        continue;
                    };
                    let tag = &self.bytes[at..at + length];
                    if self.bytes[at + length] != b'>' {
                        continue;
                    }
                    at += length + 1;
                    let number = self.lines[line].number;
                    let is_closing = tag.starts_with(b"/");
                    let name = tag.strip_prefix(b"/").unwrap_or(tag);
                    let end = name
                        .iter()
                        .take_while(|b| b.is_ascii_alphanumeric())
                        .count();
                    let name = name[..end].to_ascii_lowercase();
                    match &name[..] {
                        b"td" | b"th" if tables => {
                            while out.bytes.last().is_some_and(|&b| b == b' ') {
                                out.bytes.pop();
                            }
                            if !is_closing && tab {
                                out.bytes.push(b'\t');
                            }
                            tab = is_closing;
                        }
                        b"input" if tables => out.bytes.extend(input_value(tag)),
                        b"tr" | b"table" if tables => {
                            tab = false;
                            out.end_line(number);
                        }
                        b"p" | b"div" | b"li" | b"row" | b"br" if !tables => out.end_line(number),
                        _ => {}
                    }
                }
                b' ' if tables && out.bytes.len() == out.start => {}
                _ => out.bytes.push(byte),
            }
        }
    }
}

/// Tags that stand for lines.
const LINE_TAGS: &[&[u8]] = &[b"br", b"p", b"div", b"li", b"pre", b"row"];

/// Returns true if the text has one of these tags.
fn has_tag(text: &[u8], names: &[&[u8]]) -> bool {
    memchr::memchr_iter(b'<', text).any(|at| {
        let rest = &text[at + 1..];
        names.iter().any(|name| {
            rest.get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name))
                && !rest.get(name.len()).is_some_and(u8::is_ascii_alphanumeric)
        })
    })
}

/// The digit that a field of HTML shows.
fn input_value(tag: &[u8]) -> Option<u8> {
    let lower = tag.to_ascii_lowercase();
    let at = lower.windows(6).position(|six| six == b"value=")?;
    let value = trim_of_quotes(&tag[at + 6..]);
    value.first().copied().filter(u8::is_ascii_digit)
}

fn trim_of_quotes(text: &[u8]) -> &[u8] {
    match text {
        [b'"' | b'\'', rest @ ..] => rest,
        text => text,
    }
}

/// The byte of two digits of base 16.
fn hex(digits: &[u8]) -> Option<u8> {
    let digits = str::from_utf8(digits).ok()?;
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    are_digits
        .then(|| u8::from_str_radix(digits, 16).ok())
        .flatten()
}

/// The byte of a character, or nothing.
fn plain(character: char) -> Option<u8> {
    match u8::try_from(character) {
        Ok(byte) if byte.is_ascii() => Some(byte),
        _ => byte_of(character),
    }
}

/// The character of an entity of HTML at the start of a text, and the length of the entity.
fn entity(text: &str) -> Option<(char, usize)> {
    let end = text.bytes().take(12).position(|byte| byte == b';')?;
    let character = match &text[1..end] {
        "nbsp" => ' ',
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "middot" => '·',
        "bull" => '•',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        name => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            // A line end would shift the numbers of lines.
            char::from_u32(number).filter(|c| !matches!(c, '\n' | '\r'))?
        }
    };
    Some((character, end + 1))
}

/// Returns true if a text is blank.
pub(super) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|&byte| is_space(byte))
}
