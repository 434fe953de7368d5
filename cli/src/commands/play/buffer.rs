//! What is on the screen: a rectangle of cells, each with its character and its look.
//!
//! It does what the game used of the crate `ratatui`, which brought 40 crates and 16 s of processor time to the
//! first build.

use crossterm::{
    cursor::MoveTo,
    queue,
    style::{Attribute, ContentStyle, Print, SetAttribute, SetStyle},
};
use std::{io, ops::Range};
use unicode_width::UnicodeWidthChar;

/// A rectangle of the screen, in columns and lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) width: u16,
    pub(super) height: u16,
}

impl Rect {
    pub(super) const fn new(x: u16, y: u16, width: u16, height: u16) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    /// The column after the last one.
    pub(super) const fn right(self) -> u16 {
        self.x.saturating_add(self.width)
    }

    /// The line after the last one.
    pub(super) const fn bottom(self) -> u16 {
        self.y.saturating_add(self.height)
    }

    pub(super) fn columns(self) -> Range<u16> {
        self.x..self.right()
    }

    pub(super) fn lines(self) -> Range<u16> {
        self.y..self.bottom()
    }

    pub(super) fn contains(self, x: u16, y: u16) -> bool {
        self.columns().contains(&x) && self.lines().contains(&y)
    }
}

/// A cell of the screen. A wide character stands in its first cell, and a blank in the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Symbol {
    character: char,
    /// Accents and other characters without a width of their own, which are drawn over the first.
    accents: String,
    style: ContentStyle,
}

impl Symbol {
    fn new(character: char, style: ContentStyle) -> Self {
        Self {
            character,
            accents: String::new(),
            style,
        }
    }

    fn is_wide(&self) -> bool {
        self.character.width() == Some(2)
    }
}

/// The contents of a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Buffer {
    area: Rect,
    /// Line by line.
    symbols: Vec<Symbol>,
}

impl Buffer {
    /// A screen of blanks with a look.
    pub(super) fn blank(width: u16, height: u16, style: ContentStyle) -> Self {
        let count = usize::from(width) * usize::from(height);
        Self {
            area: Rect::new(0, 0, width, height),
            symbols: vec![Symbol::new(' ', style); count],
        }
    }

    pub(super) fn area(&self) -> Rect {
        self.area
    }

    /// Puts a character of one column at a place. Nothing is drawn outside of the screen.
    pub(super) fn put(&mut self, x: u16, y: u16, character: char, style: ContentStyle) {
        if let Some(symbol) = self.symbol_mut(x, y) {
            *symbol = Symbol::new(character, style);
        }
    }

    /// Writes the beginning of a text that fits into some columns. Control characters are left out.
    pub(super) fn write(&mut self, x: u16, y: u16, text: &str, room: u16, style: ContentStyle) {
        let end = x.saturating_add(room).min(self.area.right());
        let (mut x, mut last) = (x, None);
        for character in text.chars() {
            match character.width() {
                None => {}
                Some(0) => {
                    if let Some(symbol) = last.and_then(|last| self.symbol_mut(last, y)) {
                        symbol.accents.push(character);
                    }
                }
                Some(width) => {
                    let width = width as u16;
                    if x.saturating_add(width) > end {
                        break;
                    }
                    self.put(x, y, character, style);
                    for hidden in x + 1..x + width {
                        self.put(hidden, y, ' ', style);
                    }
                    last = Some(x);
                    x += width;
                }
            }
        }
    }

    /// Writes a text into an area, in lines that end between words. A word that is wider than the area goes on in
    /// the next line.
    pub(super) fn write_wrapped(&mut self, area: Rect, text: &str, style: ContentStyle) {
        let lines = text.lines().flat_map(|line| wrapped(line, area.width));
        for (y, line) in area.lines().zip(lines) {
            self.write(area.x, y, line, area.width, style);
        }
    }

    /// Writes the commands that make this screen of another one of this size.
    ///
    /// # Errors
    ///
    /// An error of the writer.
    pub(super) fn write_changes(&self, before: &Self, to: &mut Vec<u8>) -> io::Result<()> {
        let width = usize::from(self.area.width).max(1);
        let mut style = ContentStyle::default();
        let lines = self.symbols.chunks(width).zip(before.symbols.chunks(width));
        for (y, (line, before)) in lines.enumerate() {
            if line == before {
                continue;
            }
            // Half of a wide character may be left of one that goes: its line is written whole.
            let is_whole = line.iter().chain(before).any(Symbol::is_wide);
            let (mut next, mut hidden) = (None, false);
            for (x, (symbol, before)) in line.iter().zip(before).enumerate() {
                if hidden || (symbol == before && !is_whole) {
                    hidden = false;
                    continue;
                }
                if next != Some(x) {
                    queue!(to, MoveTo(x as u16, y as u16))?;
                }
                if symbol.style != style {
                    style = symbol.style;
                    queue!(to, SetAttribute(Attribute::Reset), SetStyle(style))?;
                }
                queue!(to, Print(symbol.character), Print(&symbol.accents))?;
                hidden = symbol.is_wide();
                // Terminals differ in the width of what is wide or has accents.
                next = (!hidden && symbol.accents.is_empty()).then_some(x + 1);
            }
        }
        queue!(to, SetAttribute(Attribute::Reset))
    }

    /// The character and the look of a cell.
    #[cfg(test)]
    pub(super) fn at(&self, x: u16, y: u16) -> (char, ContentStyle) {
        let index = usize::from(y) * usize::from(self.area.width) + usize::from(x);
        let symbol = &self.symbols[index];
        (symbol.character, symbol.style)
    }

    fn symbol_mut(&mut self, x: u16, y: u16) -> Option<&mut Symbol> {
        if !self.area.contains(x, y) {
            return None;
        }
        let index = usize::from(y) * usize::from(self.area.width) + usize::from(x);
        self.symbols.get_mut(index)
    }
}

/// Cuts a line of text into lines of a width, without the blanks between them. An empty line stays.
fn wrapped(text: &str, width: u16) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text.trim_matches(' ');
    loop {
        // The end of the last whole word, and the end of the room.
        let (mut columns, mut words, mut room) = (0, 0, rest.len());
        for (at, character) in rest.char_indices() {
            if character == ' ' && !rest[..at].ends_with(' ') {
                words = at;
            }
            columns += character.width().unwrap_or(0);
            if columns > width.into() && character != ' ' {
                room = at;
                break;
            }
        }
        let has_room = room == rest.len();
        let end = if has_room || words == 0 { room } else { words };
        lines.push(&rest[..end]);
        rest = rest[end..].trim_start_matches(' ');
        // An end at 0 means that not even one character has room.
        if rest.is_empty() || end == 0 {
            return lines;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::style::Color;

    const PLAIN: ContentStyle = ContentStyle {
        foreground_color: None,
        background_color: None,
        underline_color: None,
        attributes: crossterm::style::Attributes::none(),
    };

    fn bold_on(ground: u8) -> ContentStyle {
        ContentStyle {
            background_color: Some(Color::AnsiValue(ground)),
            attributes: Attribute::Bold.into(),
            ..PLAIN
        }
    }

    /// A terminal: for each cell its text and the parameters of its look, by ECMA-48. Half of a wide character that is
    /// written over becomes a question mark, since terminals differ there.
    struct Terminal {
        width: usize,
        cells: Vec<(String, Vec<String>)>,
    }

    impl Terminal {
        fn new(width: usize, height: usize) -> Self {
            let cells = vec![(" ".into(), Vec::new()); width * height];
            Self { width, cells }
        }

        fn take(&mut self, output: &[u8]) {
            let mut rest = std::str::from_utf8(output).unwrap();
            let (mut at, mut look) = (0, Vec::new());
            while let Some(character) = rest.chars().next() {
                rest = &rest[character.len_utf8()..];
                if character == '\u{1b}' {
                    let end = rest.find(char::is_alphabetic).unwrap();
                    let numbers = rest[1..end].split(';').map(str::to_owned);
                    match &rest[end..=end] {
                        "H" => {
                            let place: Vec<usize> = numbers.map(|n| n.parse().unwrap()).collect();
                            at = (place[0] - 1) * self.width + place[1] - 1;
                        }
                        "m" => look.extend(numbers),
                        other => panic!("{other}"),
                    }
                    if let Some(reset) = look.iter().rposition(|number| number == "0") {
                        look.drain(..=reset);
                    }
                    rest = &rest[end + 1..];
                    continue;
                }
                match character.width().unwrap() {
                    0 => self.cells[at - 1].0.push(character),
                    width => {
                        if self.cells[at].0.is_empty() {
                            self.cells[at - 1].0 = "?".into();
                        }
                        let after = self.cells.get_mut(at + width);
                        if let Some(after) = after.filter(|after| after.0.is_empty()) {
                            after.0 = "?".into();
                        }
                        self.cells[at] = (character.to_string(), look.clone());
                        if width == 2 {
                            self.cells[at + 1] = (String::new(), look.clone());
                        }
                        at += width;
                    }
                }
            }
        }

        fn text(&self) -> Vec<String> {
            let lines = self.cells.chunks(self.width);
            let text = |line: &[(String, _)]| line.iter().map(|cell| &cell.0[..]).collect();
            lines.map(text).collect()
        }
    }

    #[test]
    fn changes_make_the_next_screen() {
        let screens: [&[(u16, u16, &str, ContentStyle)]; 6] = [
            &[(0, 0, "abcdefgh", PLAIN), (1, 1, "数独数", bold_on(24))],
            &[(0, 0, "abXdefgh", bold_on(58)), (0, 1, "数独数", PLAIN)],
            &[(0, 0, "abXdefgh", bold_on(58)), (2, 1, "数", PLAIN)],
            &[(5, 0, "e\u{301}e\u{301}x", PLAIN), (7, 1, "数", PLAIN)],
            &[(0, 0, "a\tb\u{7}c", PLAIN)],
            &[],
        ];
        let text = [
            ["abcdefgh", " 数独数 "],
            ["abXdefgh", "数独数  "],
            ["abXdefgh", "  数    "],
            ["     e\u{301}e\u{301}x", "        "],
            ["abc     ", "        "],
            ["        ", "        "],
        ];
        let draw = |screen: &[(u16, u16, &str, ContentStyle)]| {
            let mut buffer = Buffer::blank(8, 2, PLAIN);
            for &(x, y, text, style) in screen {
                buffer.write(x, y, text, 8, style);
            }
            buffer
        };
        for before in screens {
            for (after, text) in screens.into_iter().zip(text) {
                let (blank, before, after) = (draw(&[]), draw(before), draw(after));
                let (mut changed, mut fresh) = (Terminal::new(8, 2), Terminal::new(8, 2));
                for (from, to) in [(&blank, &before), (&before, &after)] {
                    let mut output = Vec::new();
                    to.write_changes(from, &mut output).unwrap();
                    changed.take(&output);
                }
                let mut output = Vec::new();
                after.write_changes(&blank, &mut output).unwrap();
                fresh.take(&output);
                assert_eq!(changed.text(), text);
                assert_eq!(changed.cells, fresh.cells);
            }
        }
        let mut output = Vec::new();
        draw(screens[0])
            .write_changes(&draw(screens[1]), &mut output)
            .unwrap();
        let mut look = Terminal::new(8, 2);
        look.take(&output);
        let wanted = ["48", "5", "24", "1"].map(str::to_owned);
        assert_eq!(look.cells[9].1, wanted);
    }

    #[test]
    fn lines_end_between_words() {
        for (text, width, lines) in [
            ("", 5, &[""][..]),
            ("one two", 7, &["one two"]),
            ("one two", 6, &["one", "two"]),
            ("one two", 3, &["one", "two"]),
            ("one   two ", 5, &["one", "two"]),
            ("a  b cd", 4, &["a  b", "cd"]),
            ("a word", 3, &["a", "wor", "d"]),
            ("数独 数", 4, &["数独", "数"]),
            ("数独", 3, &["数", "独"]),
        ] {
            assert_eq!(wrapped(text, width), lines, "{text:?} {width}");
        }
        assert_eq!(wrapped("数独", 1).concat(), "");
    }
}
