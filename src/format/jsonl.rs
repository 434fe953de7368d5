//! JSON lines: an object on each line.
//!
//! ```text
//!     {"id": 7, "puzzle": "4.....8.5.3....", "meta": {"rating": 1.5}}
//! ```
//!
//! The puzzle may also be an array of 81 numbers, or of nine such rows, with 0 for a blank.
//!
//! The key of the puzzle may be nested: `game.puzzle` is the key `puzzle` of the object
//! under the key `game`. The text of a line is kept. A writer inserts new keys before the
//! last brace and replaces a value in its place, so every other byte stays the same.

use super::{
    DetectError, Expected, ParseError, Records, array,
    candidates::{self, WithBlank},
    csv::{self, loose_cells},
    puzzle_column::named,
    records::checked,
    split_line, unexpected,
};
use memchr::{memchr, memchr2, memchr3};
use serde::de::{DeserializeSeed, Deserializer as _, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::{Deserializer, value::RawValue};
use std::{
    borrow::Cow,
    fmt,
    io::{self, Write},
    ops::Range,
};

/// A key, with the keys of the objects around it, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key(Vec<String>);

impl Key {
    /// Parses keys with dots between them.
    fn new(path: &str) -> Self {
        Self(path.split('.').map(str::to_owned).collect())
    }

    /// The key that names with dots between them lead to in an object, in any case. An exact name
    /// wins. A name that the object lacks is taken as it is.
    ///
    /// # Errors
    ///
    /// Two keys fit a name, because they differ in case alone.
    pub(super) fn within(object: &str, path: &str) -> Result<Self, DetectError> {
        let mut inner = object;
        let mut keys = Vec::new();
        for name in path.split('.') {
            let (names, values): (Vec<_>, Vec<_>) =
                members(inner).unwrap_or_default().into_iter().unzip();
            let number = named(&names, name)?;
            keys.push(number.map_or(name, |number| &names[number]).to_owned());
            inner = number.map_or("", |number| values[number].json);
        }
        Ok(Self(keys))
    }

    /// A key of the outermost object. Dots in it are part of the key.
    pub(super) fn outermost(name: &str) -> Self {
        Self(vec![name.to_owned()])
    }

    /// Its number among the names of columns: a nested key has its path as its name.
    pub(super) fn number_in(&self, columns: &[String]) -> Option<usize> {
        let name = self.0.join(".");
        columns.iter().position(|column| *column == name)
    }

    /// Returns true if it is in an object within the object.
    pub(super) fn is_nested(&self) -> bool {
        self.0.len() > 1
    }

    /// The key itself, without the keys of the objects around it.
    pub(super) fn last(&self) -> &str {
        self.0.last().expect("a key has one name or more")
    }

    /// The value of the key in an object, and its place. If a key occurs twice, the last
    /// one counts.
    ///
    /// # Errors
    ///
    /// The text is not an object.
    pub(super) fn find<'t>(&self, text: &'t str) -> Result<Option<JsonValue<'t>>, ParseError> {
        let mut deserializer = Deserializer::from_str(text);
        let found = Seek(&self.0).deserialize(&mut deserializer);
        let ended = found.and_then(|found| deserializer.end().map(|()| found));
        match ended {
            Ok(value) => Ok(value.map(|value| {
                // The value borrows from the text, so its address gives its place.
                let start = value.get().as_ptr().addr() - text.as_ptr().addr();
                JsonValue {
                    json: value.get(),
                    place: start..start + value.get().len(),
                }
            })),
            Err(error) => Err(syntax_error(text, &error)),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

/// A value in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JsonValue<'t> {
    /// Its JSON.
    pub(super) json: &'t str,
    /// The place of the value in the line.
    pub(super) place: Range<usize>,
}

impl<'t> JsonValue<'t> {
    /// The content of the value: a string without quotes and escapes, and anything else as
    /// it is written. A string that is no text stays as it is written too: JSON allows an
    /// escape such as `\ud800`, which is half of a character.
    pub(super) fn text(&self) -> Cow<'t, str> {
        let inside = self
            .json
            .strip_prefix('"')
            .and_then(|s| s.strip_suffix('"'));
        match inside {
            None => Cow::Borrowed(self.json),
            Some(inside) if memchr(b'\\', inside.as_bytes()).is_none() => Cow::Borrowed(inside),
            Some(_) => match serde_json::from_str(self.json) {
                Ok(text) => Cow::Owned(text),
                Err(_) => Cow::Borrowed(self.json),
            },
        }
    }
}

/// Turns an error of serde_json into one of ours. serde_json gives the column of the last
/// byte that it read.
fn syntax_error(text: &str, error: &serde_json::Error) -> ParseError {
    let column = if error.is_eof() {
        text.len()
    } else {
        error.column().saturating_sub(1)
    };
    // For a control character in a string, serde_json gives the column before it.
    let is_control = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_control);
    let column = column + usize::from(!is_control(column) && is_control(column + 1));
    // A data error comes from our own visitor: the value is not an object. serde_json
    // notices this at the first byte of the value or after it.
    let expected = if error.is_data() {
        Expected::Object
    } else {
        Expected::Json
    };
    unexpected(text.as_bytes(), column, expected)
}

/// Looks for a key, from the current object inwards.
struct Seek<'k>(&'k [String]);

impl<'de> DeserializeSeed<'de> for Seek<'_> {
    type Value = Option<&'de RawValue>;

    fn deserialize<D: serde::Deserializer<'de>>(self, value: D) -> Result<Self::Value, D::Error> {
        value.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Seek<'_> {
    type Value = Option<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Some((first, rest)) = self.0.split_first() else {
            return Err(A::Error::custom("no key"));
        };
        let mut found = None;
        while let Some(is_it) = map.next_key_seed(IsKey(first))? {
            match (is_it, rest) {
                (false, _) => {
                    map.next_value::<IgnoredAny>()?;
                }
                (true, []) => found = Some(map.next_value()?),
                (true, rest) => found = map.next_value_seed(Seek(rest))?,
            }
        }
        Ok(found)
    }
}

/// Whether a key equals this one, compared without making a string.
struct IsKey<'k>(&'k str);

impl<'de> DeserializeSeed<'de> for IsKey<'_> {
    type Value = bool;

    fn deserialize<D: serde::Deserializer<'de>>(self, key: D) -> Result<bool, D::Error> {
        key.deserialize_str(self)
    }
}

impl Visitor<'_> for IsKey<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<bool, E> {
        Ok(key == self.0)
    }
}

/// All keys of the outermost object with their values, in order.
///
/// # Errors
///
/// The text is not an object.
pub(super) fn members(text: &str) -> Result<Vec<(String, JsonValue<'_>)>, ParseError> {
    struct Members;
    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(String, &'de RawValue)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = map.next_entry()? {
                members.push(member);
            }
            Ok(members)
        }
    }
    let mut deserializer = Deserializer::from_str(text);
    let members = deserializer.deserialize_map(Members);
    let members = members.and_then(|members| deserializer.end().map(|()| members));
    let members = members.map_err(|error| syntax_error(text, &error))?;
    let value = |value: &'_ RawValue| value.get().as_ptr().addr() - text.as_ptr().addr();
    let member = |(key, json): (String, &RawValue)| {
        let start = value(json);
        let end = start + json.get().len();
        let value = JsonValue {
            json: &text[start..end],
            place: start..end,
        };
        (key, value)
    };
    Ok(members.into_iter().map(member).collect())
}

/// Returns true if a text begins with a value of JSON, whole or cut off at the end of the text.
pub(super) fn begins_with_value(text: &[u8]) -> bool {
    // As text: a second deserializer, for bytes, makes the modules of WebAssembly larger.
    let text = text.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let mut values = Deserializer::from_str(text).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Err(error)) => error.is_eof(),
        value => value.is_some(),
    }
}

/// The values in an object and in the objects within it, with their keys. An object at a depth of
/// [`DEEPEST`] is a value itself: each level is read once for each level above it, and the time is to be linear.
pub(super) fn values(text: &str) -> Vec<(Key, JsonValue<'_>)> {
    let mut left = vec![(Vec::new(), text)];
    let mut values = Vec::new();
    while let Some((outer, object)) = left.pop() {
        for (name, value) in members(object).unwrap_or_default() {
            let path = [&outer[..], &[name]].concat();
            match value.json.starts_with('{') && path.len() < DEEPEST {
                true => left.push((path, value.json)),
                false => values.push((Key(path), value)),
            }
        }
    }
    values
}

/// The number of nested objects whose keys are looked at.
const DEEPEST: usize = 16;

/// Reads the lines of a text that holds whole lines, and appends their records. The text of
/// a record is its line. `path` is the key of the puzzle, with the keys of the objects around it before it and
/// dots between: `game.puzzle`.
///
/// ```
/// use sudoku_batch::format::{Records, jsonl};
/// let mut records = Records::default();
/// let text = format!("{{\"puzzle\":\"{}\"}}\n{{\"id\":7}}\n", ".".repeat(81));
/// jsonl::read(text.as_bytes(), "puzzle", &mut records);
/// assert!(records.puzzle(0).is_ok());
/// assert_eq!(
///     records.error(1).unwrap().to_string(),
///     "column 9: end of line where the key of the puzzle should be"
/// );
/// ```
pub fn read(text: &[u8], path: &str, records: &mut Records) {
    read_key(text, &Key::new(path), records);
}

/// The same, with a key.
pub(super) fn read_key(text: &[u8], key: &Key, records: &mut Records) {
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = split_line(rest);
        rest = after;
        records.add_lines(1);
        let number = records.lines();
        if !line.trim_ascii().is_empty() {
            push_object(records, number, line, key);
        }
    }
}

/// Adds the record of an object.
#[inline]
fn push_object(records: &mut Records, number: u64, line: &[u8], key: &Key) {
    match cells(line, key) {
        Ok(Puzzle::Cells(cells)) => records.push_checked(number, &cells, line),
        Ok(Puzzle::Candidates(candidates)) => records.push_candidates(number, &candidates, line),
        Err(error) => records.push_error(number, error, line),
    }
}

/// Reads objects that stand in one array, or over several lines. The text of a record is its object on one line.
pub(super) fn read_spread(text: &[u8], key: &Key, records: &mut Records) {
    let (mut at, mut line) = (0, records.lines() + 1);
    while let Some(part) = next_part(&text[at..]) {
        let (start, end) = (at + part.start, at + part.end);
        line += csv::line_ends(&text[at..start]);
        push_object(records, line, &on_one_line(&text[start..end]), key);
        line += csv::line_ends(&text[start..end]);
        at = end;
    }
    records.add_lines(csv::line_ends(text));
}

/// The next object of a text, or what stands in its place. Brackets, commas and white space stand between objects. An
/// object that does not end goes to the end of the text.
pub(super) fn next_part(text: &[u8]) -> Option<Range<usize>> {
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b"[],".contains(byte);
    let start = text.iter().position(|byte| !is_between(byte))?;
    if text[start] != b'{' {
        let length = text[start..]
            .iter()
            .position(|&byte| byte == b'{' || byte == b'\n');
        return Some(start..length.map_or(text.len(), |length| start + length));
    }
    let (mut at, mut depth) = (start, 0);
    loop {
        let found = memchr3(b'{', b'}', b'"', &text[at..]);
        let Some(found) = found else {
            return Some(start..text.len());
        };
        at += found + 1;
        match text[at - 1] {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(start..at),
            b'}' => depth -= 1,
            // A string ends with a quote that no backslash escapes.
            _ => loop {
                let Some(found) = memchr2(b'"', b'\\', &text[at..]) else {
                    return Some(start..text.len());
                };
                at += found + 1;
                if text[at - 1] == b'"' {
                    break;
                }
                at = (at + 1).min(text.len());
            },
        }
    }
}

/// An object with spaces in place of its line ends and what indents its lines.
pub(super) fn on_one_line(object: &[u8]) -> Cow<'_, [u8]> {
    if memchr2(b'\n', b'\r', object).is_none() {
        return object.into();
    }
    let lines = object
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(&b' ').into()
}

/// A puzzle as an object has it.
enum Puzzle {
    Cells([u8; crate::grid::CELLS]),
    Candidates(WithBlank),
}

/// The puzzle in an object.
#[inline]
fn cells(line: &[u8], key: &Key) -> Result<Puzzle, ParseError> {
    let text = str::from_utf8(line)
        .map_err(|error| unexpected(line, error.valid_up_to(), Expected::Json))?;
    let Some(value) = key.find(text)? else {
        return Err(unexpected(line, line.len(), Expected::Key));
    };
    let said = value.text();
    if let Some(cells) = said.as_bytes().as_array()
        && let Ok(cells) = checked(cells)
    {
        return Ok(Puzzle::Cells(cells));
    }
    if value.json.starts_with('[') {
        let read = array::cells(value.json.as_bytes());
        return match read {
            Ok((cells, _)) => Ok(Puzzle::Cells(
                checked(&cells).expect("only cells were taken"),
            )),
            Err((at, expected)) => Err(unexpected(line, value.place.start + at, expected)),
        };
    }
    let Some(inside) = value.json.strip_prefix('"') else {
        return Err(unexpected(line, value.place.start, Expected::String));
    };
    // If the string has escapes, a place in the string is not the same place in the line.
    let is_escaped = inside.len() != said.len() + 1;
    let escaped = || unexpected(line, value.place.start, Expected::String);
    let ends = |c| c == b'"';
    let start = value.place.start + 1;
    let by_candidates = if is_escaped {
        candidates::read(said.as_bytes(), 0, |_| false, Expected::EndOfField)
            .map(|read| read.map_err(|_| escaped()))
    } else {
        candidates::read(line, start, ends, Expected::EndOfField)
    };
    if let Some(read) = by_candidates {
        return read.map(Puzzle::Candidates);
    }
    let loose = loose_cells(said.as_bytes()).map(Puzzle::Cells);
    loose.map_err(|(at, expected)| {
        if is_escaped {
            escaped()
        } else {
            unexpected(line, start + at, expected)
        }
    })
}

/// Writes a string as JSON. Bytes that are not UTF-8 become U+FFFD.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_string(text: &[u8], out: &mut impl Write) -> io::Result<()> {
    // A loop without branches, so that the compiler can vectorize it.
    let plain = |c: &u8| (*c >= b' ') & (*c <= b'~') & (*c != b'"') & (*c != b'\\');
    if text.iter().fold(true, |all, c| all & plain(c)) {
        out.write_all(b"\"")?;
        out.write_all(text)?;
        return out.write_all(b"\"");
    }
    Ok(serde_json::to_writer(out, &String::from_utf8_lossy(text))?)
}
