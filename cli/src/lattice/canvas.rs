//! A rectangle of characters that know their roles.

use super::Ground;
use std::fmt;

/// The role of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ink {
    /// Text without a special role.
    #[default]
    Plain,
    /// A line of the grid.
    Line,
    /// The number of a row or a column.
    Label,
    /// A clue.
    Clue,
    /// A digit that was found.
    Entry,
    /// A pencil mark, or the dot of a blank cell.
    Mark,
    /// A pencil mark that stands out.
    Bright,
    /// A pencil mark that is struck out.
    Struck,
    /// A digit with which something is wrong, and the exclamation mark behind it.
    Wrong,
}

/// A character and its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Glyph {
    /// The character, one column wide.
    pub character: char,
    /// Its role.
    pub ink: Ink,
    /// The background.
    pub ground: Ground,
}

impl Default for Glyph {
    fn default() -> Self {
        Self {
            character: ' ',
            ink: Ink::Plain,
            ground: Ground::Plain,
        }
    }
}

/// A rectangle of characters that know their roles.
///
/// A canvas as text is its lines, without the blanks at their ends, each with a line feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    glyphs: Vec<Glyph>,
}

impl Canvas {
    /// An empty canvas: a width in columns and a height in lines.
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            glyphs: vec![Glyph::default(); width * height],
        }
    }

    /// How many columns it has.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// How many lines it has.
    pub const fn height(&self) -> usize {
        match self.width {
            0 => 0,
            width => self.glyphs.len() / width,
        }
    }

    /// Its lines from the top.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = &[Glyph]> {
        self.glyphs.chunks_exact(self.width.max(1))
    }

    /// The character in a column and a line, both from 0.
    ///
    /// # Panics
    ///
    /// When there is no such place.
    pub fn glyph_mut(&mut self, x: usize, y: usize) -> &mut Glyph {
        assert!(x < self.width);
        &mut self.glyphs[y * self.width + x]
    }

    /// Puts a character of a role in a place, and leaves what it lies on.
    ///
    /// # Panics
    ///
    /// When there is no such place.
    pub fn put(&mut self, x: usize, y: usize, character: char, ink: Ink) {
        let glyph = self.glyph_mut(x, y);
        (glyph.character, glyph.ink) = (character, ink);
    }

    /// The two side by side, with some columns between them. The lower one has empty lines
    /// at its end.
    #[must_use]
    pub fn beside(&self, other: &Self, gap: usize) -> Self {
        let height = self.height().max(other.height());
        let mut both = Self::new(self.width + gap + other.width, height);
        for (canvas, from) in [(self, 0), (other, self.width + gap)] {
            for (y, line) in canvas.lines().enumerate() {
                let start = y * both.width + from;
                both.glyphs[start..start + line.len()].copy_from_slice(line);
            }
        }
        both
    }
}

impl fmt::Display for Canvas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.lines() {
            let line: String = line.iter().map(|glyph| glyph.character).collect();
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
