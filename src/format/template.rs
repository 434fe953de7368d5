//! Texts made of records: a template with placeholders.
//!
//! ```text
//!     Solve this Sudoku:        Solve this Sudoku:
//!     {grid}              ->    4 . . 5 2 . 7 . 3
//!                               . . . . 3 . . . .
//!                               …
//! ```
//!
//! A placeholder is the name of a column in braces, or that of a drawing. It is no language: there are no conditions
//! and no formats. `{{name}}` is written as `{name}`, and braces around anything but a name stay as they are.

use super::nine_lines::{compact, framed, spaced};
use crate::grid::CELLS;

/// A column that a template may name.
#[derive(Clone, Copy, Debug)]
pub struct Source<'n> {
    /// Its name.
    pub name: &'n str,
    /// Its number, for [`Template::fill`].
    pub number: usize,
    /// True if it has 81 cells: then there are drawings of it.
    pub has_cells: bool,
}

/// A template whose placeholders are known.
#[derive(Clone, Debug)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(Vec<u8>),
    Column(usize, Option<Drawing>),
}

/// A drawing of 81 cells.
#[derive(Clone, Copy, Debug)]
enum Drawing {
    Grid,
    Rows,
    Frame,
    Table,
    Lists,
}

impl Drawing {
    /// The names of all drawings.
    const ALL: [(&'static str, Self); 5] = [
        ("grid", Self::Grid),
        ("rows", Self::Rows),
        ("frame", Self::Frame),
        ("table", Self::Table),
        ("lists", Self::Lists),
    ];

    /// Draws cells, without a line feed at the end.
    fn draw(self, cells: &[u8; CELLS], out: &mut Vec<u8>) {
        // Nine lines come with a line feed before them, and two after them.
        let mut lines = |text: &[u8]| out.extend_from_slice(&text[1..text.len() - 2]);
        match self {
            Self::Grid => lines(&spaced(cells)),
            Self::Rows => lines(&compact(cells)),
            Self::Frame => lines(&framed(cells)),
            // The first row is the header: a Markdown table has one.
            Self::Table => {
                for (number, row) in cells.as_chunks::<9>().0.iter().enumerate() {
                    if number == 1 {
                        out.extend_from_slice(b"\n|");
                        out.extend_from_slice(&b"---|".repeat(9));
                    }
                    out.extend_from_slice(if number > 0 { b"\n|" } else { b"|" });
                    for cell in row {
                        out.extend_from_slice(&[b' ', *cell, b' ', b'|']);
                    }
                }
            }
            Self::Lists => {
                for (number, row) in cells.as_chunks::<9>().0.iter().enumerate() {
                    out.extend_from_slice(if number > 0 { b"],[" } else { b"[[" });
                    for (column, cell) in row.iter().enumerate() {
                        if column > 0 {
                            out.push(b',');
                        }
                        out.push(if cell.is_ascii_digit() { *cell } else { b'0' });
                    }
                }
                out.extend_from_slice(b"]]");
            }
        }
    }
}

/// An error of a placeholder that stands for nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{{{name}}} stands for nothing here; one of: {}", .known.join(", "))]
pub struct UnknownPlaceholder {
    /// Its name.
    pub name: String,
    /// The names that there are.
    pub known: Vec<String>,
}

impl Template {
    /// A template for records with these columns. The drawings of the first that has cells are called `grid`,
    /// `rows`, `frame`, `table` and `lists`; those of a column `solution` are `solution_grid` and so on.
    ///
    /// # Errors
    ///
    /// A placeholder is none of these.
    ///
    /// ```
    /// use sudoku_batch::format::template::{Source, Template};
    /// let columns = [
    ///     Source { name: "id", number: 0, has_cells: false },
    ///     Source { name: "puzzle", number: 1, has_cells: true },
    /// ];
    /// let template = Template::new("{id}: {{id}} {lists}", &columns)?;
    /// let (cells, mut text) = ("12.".repeat(27), Vec::new());
    /// template.fill(|column, out| out.extend_from_slice(["7", &cells][column].as_bytes()), &mut text);
    /// assert!(text.starts_with(b"7: {id} [[1,2,0,1,2,0,1,2,0],["));
    /// let error = Template::new("{date}", &columns).unwrap_err();
    /// assert!(error.to_string().starts_with("{date} stands for nothing here; one of: {id}, {puzzle}, {grid}"));
    /// # Ok::<(), sudoku_batch::format::template::UnknownPlaceholder>(())
    /// ```
    pub fn new(text: &str, columns: &[Source<'_>]) -> Result<Self, UnknownPlaceholder> {
        let mut known: Vec<_> = columns
            .iter()
            .map(|column| (column.name.to_owned(), Part::Column(column.number, None)))
            .collect();
        let with_cells = columns.iter().filter(|column| column.has_cells);
        for (place, column) in with_cells.enumerate() {
            for (drawing, kind) in Drawing::ALL {
                let name = match place {
                    0 => drawing.to_owned(),
                    _ => format!("{}_{drawing}", column.name),
                };
                // A column of the user comes first.
                if !known.iter().any(|(other, _)| *other == name) {
                    known.push((name, Part::Column(column.number, Some(kind))));
                }
            }
        }
        let (mut parts, mut plain) = (Vec::new(), String::new());
        for piece in pieces(text) {
            let name = match piece {
                Piece::Text(text) => {
                    plain += text;
                    continue;
                }
                Piece::Doubled(name) => {
                    let is_name = !name.contains(char::is_whitespace);
                    plain += &match is_name || known.iter().any(|(known, _)| known == name) {
                        true => format!("{{{name}}}"),
                        false => format!("{{{{{name}}}}}"),
                    };
                    continue;
                }
                Piece::Name(name) => name,
            };
            match known.iter().find(|(known, _)| known == name) {
                Some((_, part)) => {
                    parts.push(Part::Text(std::mem::take(&mut plain).into_bytes()));
                    parts.push(part.clone());
                }
                // Words in braces are text, unless a column has just this name.
                None if name.contains(char::is_whitespace) => plain += &format!("{{{name}}}"),
                None => {
                    return Err(UnknownPlaceholder {
                        name: name.into(),
                        known: known
                            .iter()
                            .map(|(name, _)| format!("{{{name}}}"))
                            .collect(),
                    });
                }
            }
        }
        parts.push(Part::Text(plain.into_bytes()));
        Ok(Self { parts })
    }

    /// The names in braces of a text, each once: placeholders, if they are names of columns.
    ///
    /// ```
    /// use sudoku_batch::format::template::Template;
    /// assert_eq!(Template::names("{id}: {{id}} {grid} {\"a\": 1} {id}"), ["id", "grid"]);
    /// ```
    pub fn names(text: &str) -> Vec<&str> {
        let mut names = Vec::new();
        for piece in pieces(text) {
            if let Piece::Name(name) = piece
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        names
    }

    /// Returns true if a column with this number is in it.
    pub fn shows(&self, number: usize) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| matches!(part, Part::Column(column, _) if *column == number))
    }

    /// Appends the text of a record: `value` appends the value of a column, by its number. A drawing of anything
    /// but 81 cells is that value.
    pub fn fill(&self, mut value: impl FnMut(usize, &mut Vec<u8>), out: &mut Vec<u8>) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.extend_from_slice(text),
                Part::Column(number, None) => value(*number, out),
                Part::Column(number, Some(drawing)) => {
                    let start = out.len();
                    value(*number, out);
                    if let Some(cells) = out[start..].as_array().copied() {
                        out.truncate(start);
                        drawing.draw(&cells, out);
                    }
                }
            }
        }
    }
}

/// A piece of the text of a template.
enum Piece<'t> {
    Text(&'t str),
    /// A name in braces.
    Name(&'t str),
    /// A name in doubled braces, without them.
    Doubled(&'t str),
}

/// The pieces of a text, in order.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let is_doubled = rest.starts_with("{{");
        let (piece, length) = match rest.strip_prefix(if is_doubled { "{{" } else { "{" }) {
            None => {
                let end = rest.find('{').unwrap_or(rest.len());
                (Piece::Text(&rest[..end]), end)
            }
            Some(inside) => {
                let is_part =
                    |c: char| matches!(c, '{' | '}' | '"' | '\'' | ',' | ':' | '\\' | '\n');
                let end = inside.find(is_part).unwrap_or(inside.len());
                let (name, after) = inside.split_at(end);
                let is_name = !name.trim().is_empty();
                match (
                    is_doubled,
                    is_name && after.starts_with(if is_doubled { "}}" } else { "}" }),
                ) {
                    (true, true) => (Piece::Doubled(name), end + 4),
                    (false, true) => (Piece::Name(name), end + 2),
                    (_, false) => (Piece::Text(&rest[..1]), 1),
                }
            }
        };
        rest = &rest[length..];
        Some(piece)
    })
}
