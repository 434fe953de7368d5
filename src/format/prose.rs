//! Grids in free text: in what a person or a language model writes.
//!
//! A text is read once, byte by byte. Its cells make *tokens*, tokens on a line make *rows*, and nine rows make a
//! grid:
//!
//! ```text
//!     Row 1: 5 3 4 | 6 7 8 | 9 1 2        words, marks and brackets end a stretch of tokens
//!            ^^^^^^^^^^^^^^^^^^^^^        a stretch of nine cells is a row
//!     Row 2: 6 7 2 | 1 9 5 | 3 4 8        nine rows with no text between them are a grid
//! ```
//!
//! A cell is a digit or any of `.0_*?x-`. A token is a run of cells that no letter adjoins. The tokens of a
//! stretch have one length (1, 3, 9 or 81), and nine cells in all make a row, 81 make a grid. Between the bars,
//! ampersands, commas, semicolons or tabs of a row of nine fields a cell may be empty.
//!
//! Nothing is guessed: rows of 8 or 10 cells are no rows, and groups of 8 or 10 rows are no grids.
//! `docs/training.md` has all rules, with an example of each format.

use super::s9b;
use crate::grid::{BLANK, CELLS, Puzzle};
use std::ops::Range;

/// Calls `each` with the place and the cells of every grid in a text, in the order of their first cells. The places of
/// two grids side by side overlap. A blank is a dot, whatever the text has for it.
///
/// ```
/// use sudoku_batch::{Puzzle, format::prose};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let rows = puzzle.to_string();
/// let rows: Vec<_> = rows.as_bytes().chunks(9).map(|row| row.escape_ascii().to_string()).collect();
/// let text = format!("I start at 10:45.\n```\n{}\n```\nThat is all I know.", rows.join("\n"));
/// let mut found = Vec::new();
/// prose::each_grid(text.as_bytes(), |place, grid| found.push((place.start, grid)));
/// assert_eq!(found, [(22, puzzle)]);
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
pub fn each_grid(text: &[u8], mut each: impl FnMut(Range<usize>, Puzzle)) {
    Scanner::new(text, &mut each).scan();
}

/// The class of a byte for the scanner.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    /// A digit, or a sign for a blank.
    Cell,
    /// A letter that is no such sign.
    Letter,
    /// White space and quotes: they stand between cells, and say nothing.
    Space,
    /// A sign that stands between fields.
    Delimiter,
    /// The end of a line.
    LineEnd,
    Opening,
    Closing,
    Backslash,
    /// The beginning of a tag, perhaps.
    Less,
    /// Any other sign. It ends a stretch.
    Mark,
    /// A byte of a character beyond ASCII.
    Wide,
}

/// The class of each byte.
static CLASSES: [Class; 256] = {
    let mut classes = [Class::Mark; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'0'..=b'9' | b'.' | b'_' | b'*' | b'?' | b'x' | b'X' | b'-' => Class::Cell,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b' ' | b'"' | b'\'' => Class::Space,
            b'|' | b'&' | b',' | b';' | b'\t' => Class::Delimiter,
            b'\n' | b'\r' => Class::LineEnd,
            b'[' | b'(' | b'{' => Class::Opening,
            b']' | b')' | b'}' => Class::Closing,
            b'\\' => Class::Backslash,
            b'<' => Class::Less,
            0x80.. => Class::Wide,
            _ => Class::Mark,
        };
        byte += 1;
    }
    classes
};

/// The most tokens of a stretch that are looked at: one more than a grid has.
const TOKENS: usize = CELLS + 1;

/// The most rows of a group that may be a grid: nine, a header, and the rules between and around them, of which
/// a line of a frame may have three.
const ROWS: usize = 32;

/// A row of nine cells.
#[derive(Clone, Copy)]
struct Row {
    cells: [u8; 9],
    place: (usize, usize),
    label: Label,
    /// True if there are words on its line before it.
    has_words: bool,
    /// True if its cells are one token.
    is_run: bool,
    side: Side,
}

/// The place of a row on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Alone,
    /// In the first half of 18 cells.
    Left,
    /// In the second half.
    Right,
}

impl Side {
    fn is_half(self) -> bool {
        self != Self::Alone
    }
}

/// A label before the cells of a row that looks like a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Nothing,
    /// A digit.
    Number(u8),
    /// A hyphen or a star at the start of a line.
    Bullet,
}

/// The facts about the line that is being read.
#[derive(Default)]
struct Line {
    start: usize,
    has_rows: bool,
    has_words: bool,
    /// True if it has words, numbers or a code fence: without a row it is text, and ends a group.
    has_text: bool,
    /// True if it has anything but white space.
    is_filled: bool,
    /// True if it has signs that no row is made of.
    has_marks: bool,
    /// The number of cells of its only stretch, if that has fewer than nine.
    few: Option<usize>,
}

/// Rows with no text between them.
#[derive(Default)]
struct Group {
    /// The first rows of all sections.
    rows: Vec<Row>,
    count: usize,
    /// The first rows of the section: those with no blank line or other border between them.
    section: Vec<Row>,
    section_count: usize,
    sections: usize,
    /// True if there are words before the last row, on its line.
    has_words: bool,
    /// True if a line of a few cells adjoins the section.
    is_spoiled: bool,
    /// The grids of the sections.
    grids: Vec<(Range<usize>, Puzzle)>,
}

struct Scanner<'t> {
    text: &'t [u8],
    each: &'t mut dyn FnMut(Range<usize>, Puzzle),
    /// The tokens of the stretch, with their ends.
    tokens: [(usize, usize); TOKENS],
    count: usize,
    /// The number of tokens before the last double quote of the stretch.
    before_quote: usize,
    delimiters: usize,
    /// The place where the stretch begins.
    start: usize,
    line: Line,
    group: Group,
    /// The last bracket, if nothing but white space and delimiters follows it.
    bracket: Option<Class>,
}

impl<'t> Scanner<'t> {
    fn new(text: &'t [u8], each: &'t mut dyn FnMut(Range<usize>, Puzzle)) -> Self {
        Self {
            text,
            each,
            tokens: [(0, 0); TOKENS],
            count: 0,
            before_quote: 0,
            delimiters: 0,
            start: 0,
            line: Line::default(),
            group: Group::default(),
            bracket: None,
        }
    }

    fn scan(mut self) {
        let text = self.text;
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            match CLASSES[usize::from(byte)] {
                Class::Space => {
                    if byte == b'"' && self.count > 0 {
                        self.quote(at);
                    }
                    at += 1;
                }
                Class::Cell | Class::Letter => at = self.word(at),
                Class::Delimiter => {
                    self.delimiters += 1;
                    self.line.is_filled |= byte != b'\t';
                    at += 1;
                }
                Class::LineEnd => {
                    let is_pair = text[at..].starts_with(b"\r\n");
                    self.end_line(at, at + 1 + usize::from(is_pair));
                    at = self.line.start;
                }
                class @ (Class::Opening | Class::Closing) => {
                    self.end_stretch(at, at + 1);
                    self.line.is_filled = true;
                    if self.bracket == Some(class) {
                        self.end_section();
                    }
                    self.bracket = Some(class);
                    at += 1;
                }
                Class::Backslash => at = self.command(at),
                Class::Less => {
                    self.mark(at, at + 1);
                    let is_tag = |c: &u8| c.is_ascii_alphabetic() || *c == b'/';
                    let tag = &text[at + 1..];
                    if tag.first().is_some_and(is_tag) && !tag.starts_with(b"br") {
                        self.end_section();
                    }
                    at += 1;
                }
                Class::Mark => {
                    // A fence of code is no rule between rows.
                    self.line.has_text |= byte == b'`';
                    self.mark(at, at + 1);
                    at += 1;
                }
                Class::Wide => at = self.wide(at),
            }
        }
        self.end_line(at, at);
        self.end_group();
    }

    /// Reads a run of cells and letters. Without a letter it is a token.
    #[inline]
    fn word(&mut self, start: usize) -> usize {
        let (mut at, mut letters) = (start, 0);
        while let Some(&byte) = self.text.get(at) {
            match CLASSES[usize::from(byte)] {
                Class::Cell => {}
                Class::Letter => letters = 1,
                _ => break,
            }
            at += 1;
        }
        self.bracket = None;
        self.line.is_filled = true;
        let word = &self.text[start..at];
        if word == b"-1" {
            // The first sign stands for a blank.
            self.token(start, start + 1);
        } else if letters == 0 || is_nothing(word) {
            self.token(start, at);
        } else {
            self.end_stretch(start, at);
            self.code(start, at);
            self.line.has_words = true;
            self.line.has_text = true;
        }
        at
    }

    /// Takes a double quote, which may end 81 cells: `7,"5 3 4 6 …",8`.
    fn quote(&mut self, at: usize) {
        let quoted = self.before_quote..self.count;
        if quoted.len() == CELLS {
            let places = self.tokens;
            let places = &places[quoted];
            if is_whole(places) == Some(CELLS) && self.grid(places) {
                self.line.has_rows = true;
                (self.count, self.delimiters, self.start) = (0, 0, at + 1);
            }
        }
        self.before_quote = self.count;
    }

    /// Takes a word that may be a code of SudokuWiki.
    fn code(&mut self, start: usize, end: usize) {
        let word = &self.text[start..end];
        if word.len() != s9b::LENGTH {
            return;
        }
        if let Some(cells) = s9b::clues(word, s9b::has_masks([word].into_iter())) {
            self.line.has_rows = true;
            self.end_group();
            (self.each)(start..end, Puzzle::with_blanks_for_others(&cells));
        }
    }

    fn token(&mut self, start: usize, end: usize) {
        if self.count < TOKENS {
            self.tokens[self.count] = (start, end);
            self.count += 1;
        }
    }

    /// Takes a sign that ends a stretch.
    fn mark(&mut self, start: usize, end: usize) {
        self.end_stretch(start, end);
        self.line.is_filled = true;
        self.line.has_marks = true;
        self.bracket = None;
    }

    /// Reads a backslash: an end of a row in LaTeX or in an escaped text, or a command.
    fn command(&mut self, start: usize) -> usize {
        let text = self.text;
        let name = &text[start + 1..];
        self.line.is_filled = true;
        match name {
            [b'\\', ..] => {
                self.end_stretch(start, start + 2);
                return start + 2;
            }
            [b'n', after, ..] if !after.is_ascii_lowercase() || *after == b'x' => {
                self.end_line(start, start + 2);
                return start + 2;
            }
            _ => {}
        }
        let letters = name.iter().take_while(|c| c.is_ascii_alphabetic()).count();
        let end = start + 1 + letters;
        // `\mathbf{5}`
        match text[end..] {
            [b'{', cell, b'}', ..] if CLASSES[usize::from(cell)] == Class::Cell => {
                self.token(end + 1, end + 2);
                end + 3
            }
            _ => end,
        }
    }

    /// Reads a character beyond ASCII, or a byte that is none.
    fn wide(&mut self, start: usize) -> usize {
        match self.text[start..] {
            // Upright lines of frames: │ ┃ ║.
            [0xe2, 0x94, 0x82 | 0x83, ..] | [0xe2, 0x95, 0x91, ..] => {
                self.delimiters += 1;
                self.line.is_filled = true;
                start + 3
            }
            // The other lines of frames.
            [0xe2, 0x94..=0x95, _, ..] => {
                self.mark(start, start + 3);
                start + 3
            }
            // A space that does not break.
            [0xc2, 0xa0, ..] => start + 2,
            _ => {
                self.mark(start, start + 1);
                self.line.has_words = true;
                self.line.has_text = true;
                start + 1
            }
        }
    }

    /// Ends a stretch of tokens at a place. The next one begins at `next`.
    #[inline]
    fn end_stretch(&mut self, end: usize, next: usize) {
        if self.count > 0 || self.delimiters >= 8 {
            self.read_stretch(end);
            self.count = 0;
        }
        self.before_quote = 0;
        self.delimiters = 0;
        self.start = next;
    }

    /// Looks for a row or a grid in the tokens of the stretch.
    fn read_stretch(&mut self, end: usize) {
        let count = self.count;
        let tokens = &self.tokens[..count];
        let cells = tokens.iter().map(|(start, end)| end - start).sum();
        // Most stretches are a number in a sentence.
        if (cells >= 9 || self.delimiters >= 8) && self.read_cells(end) {
            self.line.has_rows = true;
            return;
        }
        let tokens = &self.tokens[..count];
        let is_first = self.line.few.is_none();
        let is_even = count == 1 || cells == count;
        self.line.few = Some(if is_first && is_even {
            cells
        } else {
            usize::MAX
        });
        let has_digit = |&(start, end): &(usize, usize)| {
            let mut cells = self.text[start..end].iter();
            cells.any(u8::is_ascii_digit)
        };
        self.line.has_text |= tokens.iter().any(has_digit);
    }

    /// Reads what may be a row or a grid, or several grids.
    fn read_cells(&mut self, end: usize) -> bool {
        let (count, tokens) = (self.count, self.tokens);
        let tokens = &tokens[..count];
        let mut is_grid = false;
        for &(start, end) in tokens {
            let (start, end) = plain(self.text, (start, end), CELLS);
            if end - start == CELLS {
                is_grid = self.grid(&[(start, end)]);
            }
        }
        // Nine digits in ten fields are a number and a row with an empty cell.
        is_grid || self.read_fields(end) || self.read_tokens(tokens)
    }

    /// Reads tokens of one length, with 9 or 81 cells in all; or a row of them after a label.
    fn read_tokens(&mut self, all: &[(usize, usize)]) -> bool {
        match is_whole(all) {
            Some(9) => return self.row(all, Label::Nothing, Side::Alone),
            Some(18) => return self.rows_side_by_side(all),
            Some(_) => return self.grid(all),
            None => {}
        }
        // The tokens without emphasis, and without the full stop after the last.
        let mut places = [(0, 0); TOKENS];
        let places = &mut places[..all.len()];
        places.copy_from_slice(all);
        let mut places = without_marks(self.text, places);
        let shortest = places.iter().map(|(start, end)| end - start).min();
        // A row may have a label before it.
        let length = match places.len() {
            1 | 2 => 9,
            3 | 4 | 27 => 3,
            9 if shortest >= Some(9) => 9,
            _ => 1,
        };
        for place in places.iter_mut() {
            *place = plain(self.text, *place, length);
        }
        match is_whole(places) {
            Some(9) => return self.row(places, Label::Nothing, Side::Alone),
            Some(CELLS) => return self.grid(places),
            _ => {}
        }
        let Some((&first, _)) = places.split_first() else {
            return false;
        };
        places = &mut places[1..];
        let (start, end) = plain(self.text, first, 1);
        let label = match self.text[start..end] {
            [digit @ b'0'..=b'9'] => Label::Number(digit),
            [b'-' | b'*'] if self.text[self.line.start..start].trim_ascii().is_empty() => {
                Label::Bullet
            }
            _ => return false,
        };
        is_whole(places) == Some(9) && self.row(places, label, Side::Alone)
    }

    /// Reads nine fields, of which some are empty, or ten of which the first is a number.
    fn read_fields(&mut self, end: usize) -> bool {
        if self.delimiters < 8 || self.count > 10 {
            return false;
        }
        let stretch = &self.text[self.start..end];
        // Each upright line of a frame ends with a byte of its own.
        let bars: &[u8] = b"|\x82\x83\x91";
        let kinds = [bars, b"&", b",", b";", b"\t"];
        let has = |kind: &&&[u8]| stretch.iter().any(|c| kind.contains(c));
        let Some(&kind) = kinds.iter().find(has) else {
            return false;
        };
        let mut fields = [(0, 0); 13];
        let (mut count, mut start) = (0, 0);
        let ends = (0..stretch.len()).filter(|&at| kind.contains(&stretch[at]));
        for end in ends.chain([stretch.len()]) {
            let Some(field) = fields.get_mut(count) else {
                return false;
            };
            let is_between = |c: &u8| {
                matches!(
                    c,
                    b' ' | b'\t' | b'"' | b'\'' | 0xe2 | 0x94 | 0x95 | 0xc2 | 0xa0
                )
            };
            let is_content = |at: &usize| !is_between(&stretch[*at]);
            let first = (start..end).find(is_content);
            let last = (start..end).rfind(is_content);
            *field = match first.zip(last) {
                Some((first, last)) => (self.start + first, self.start + last + 1),
                None => (self.start + start, self.start + start),
            };
            (count, start) = (count + 1, end + 1);
        }
        let mut fields = &mut fields[..count];
        // Bars stand around fields, too.
        if kind == bars {
            if let [(start, end), _, ..] = fields
                && start == end
            {
                fields = &mut fields[1..];
            }
            if let [_, .., (start, end)] = fields
                && start == end
            {
                let fewer = fields.len() - 1;
                fields = &mut fields[..fewer];
            }
        } else if kind == b"," && fields.len() == 10 && fields[9].0 == fields[9].1 {
            // A comma after the last field.
            fields = &mut fields[..9];
        }
        for field in fields.iter_mut() {
            *field = plain(self.text, *field, 1);
        }
        let is_field =
            |&(start, end): &(usize, usize)| end - start < 2 || is_nothing(&self.text[start..end]);
        if !fields.iter().all(is_field) {
            return false;
        }
        match (&*fields, fields.len()) {
            (_, 9) => self.row(fields, Label::Nothing, Side::Alone),
            ([(start, end), rest @ ..], 10) => match self.text[*start..*end] {
                [digit @ b'0'..=b'9'] => self.row(rest, Label::Number(digit), Side::Alone),
                _ => false,
            },
            _ => false,
        }
    }

    /// The cells at some places. What is empty, or a word for nothing, is a blank.
    fn cells<const N: usize>(&self, places: &[(usize, usize)]) -> [u8; N] {
        let mut cells = [BLANK; N];
        if places.len() == N {
            for (cell, &(start, end)) in cells.iter_mut().zip(places) {
                if end - start == 1 {
                    *cell = self.text[start];
                }
            }
            return cells;
        }
        let all = places
            .iter()
            .flat_map(|&(start, end)| &self.text[start..end]);
        for (cell, &sign) in cells.iter_mut().zip(all) {
            *cell = sign;
        }
        cells
    }

    /// Adds two rows with a gap between them that is wider than any gap in them: `1 2 3 | … | 7 8 9     4 5 6 | … `.
    fn rows_side_by_side(&mut self, all: &[(usize, usize)]) -> bool {
        let (left, right) = all.split_at(all.len() / 2);
        let gaps = |places: &[(usize, usize)]| {
            let gaps = places.windows(2).map(|pair| pair[1].0 - pair[0].1);
            gaps.max().unwrap_or(1)
        };
        let is_apart = right[0].0 - left[left.len() - 1].1 > gaps(left).max(gaps(right));
        is_apart
            && self.row(left, Label::Nothing, Side::Left)
            && self.row(right, Label::Nothing, Side::Right)
    }

    /// Adds a row.
    fn row(&mut self, places: &[(usize, usize)], label: Label, side: Side) -> bool {
        let row = Row {
            cells: self.cells(places),
            place: (places[0].0, places[places.len() - 1].1),
            label,
            has_words: self.line.has_words,
            is_run: places.len() == 1,
            side,
        };
        // Lines of 18 cells are no rows of the grid above them, and the other way round.
        let last = self.group.rows.last();
        if last.is_some_and(|last| last.side.is_half() != side.is_half()) {
            self.end_group();
        }
        // A row in a sentence is no row of the grid above it. The first row of a grid may be in one.
        if !self.group.has_words && row.has_words {
            self.end_group();
        }
        let group = &mut self.group;
        if group.rows.len() < ROWS {
            group.rows.push(row);
        }
        if group.section.len() < ROWS {
            group.section.push(row);
        }
        group.has_words = row.has_words;
        group.count += 1;
        group.section_count += 1;
        true
    }

    /// Takes a grid that is a stretch of its own.
    fn grid(&mut self, places: &[(usize, usize)]) -> bool {
        self.end_group();
        let place = places[0].0..places[places.len() - 1].1;
        let grid = Puzzle::with_blanks_for_others(&self.cells(places));
        (self.each)(place, grid);
        true
    }

    /// Ends a line at a place. The next one begins at `next`.
    fn end_line(&mut self, end: usize, next: usize) {
        self.end_stretch(end, next);
        let line = std::mem::take(&mut self.line);
        self.line.start = next;
        if line.has_rows {
            return;
        }
        if !line.is_filled {
            self.end_section();
        } else if line.has_text && !line.has_words && !line.has_marks && line.few < Some(9) {
            // A few cells more are no text next to a grid.
            self.group.is_spoiled = true;
            self.end_group();
            self.group.is_spoiled = true;
        } else if line.has_text {
            self.end_group();
        }
    }

    fn end_section(&mut self) {
        self.bracket = None;
        let group = &mut self.group;
        if group.section_count > 0 {
            group.sections += 1;
            if group.section_count <= ROWS && !group.is_spoiled {
                group.grids.extend(grids_of(&group.section));
            }
            group.section.clear();
            group.section_count = 0;
        }
        group.is_spoiled = false;
        // More sections than make one grid: what is found is whole.
        if group.count > ROWS {
            for (place, grid) in group.grids.drain(..) {
                (self.each)(place, grid);
            }
        }
    }

    fn end_group(&mut self) {
        let is_spoiled = self.group.is_spoiled;
        if self.group.count > 0 {
            self.end_section();
        }
        let group = &mut self.group;
        let is_one = group.sections > 1 && group.count <= ROWS && !is_spoiled;
        if is_one {
            let whole = grids_of(&group.rows);
            if !whole.is_empty() {
                group.grids = whole;
            }
        }
        for (place, grid) in group.grids.drain(..) {
            (self.each)(place, grid);
        }
        group.rows.clear();
        (group.count, group.sections, group.is_spoiled) = (0, 0, false);
    }
}

/// Returns true for a word that stands for an empty cell.
fn is_nothing(word: &[u8]) -> bool {
    matches!(word, b"null" | b"None" | b"NaN" | b"nan" | b"NA")
}

/// The number of cells of tokens that have one length, if it is that of a row, two rows or a grid.
fn is_whole(places: &[(usize, usize)]) -> Option<usize> {
    let length = |(start, end): &(usize, usize)| end - start;
    let first = length(places.first()?);
    let cells = first * places.len();
    let is_whole = matches!(first, 1 | 3 | 9) && matches!(cells, 9 | 18 | CELLS);
    (is_whole && places.iter().all(|place| length(place) == first)).then_some(cells)
}

/// A token without the marks around it, if it is longer than wanted: stars or underscores, of which it has no
/// others, and a full stop or question mark at its end, likewise.
fn plain(text: &[u8], place: (usize, usize), wanted: usize) -> (usize, usize) {
    let (mut start, mut end) = place;
    for _ in 0..2 {
        if end - start <= wanted {
            break;
        }
        if let [inside @ .., stop @ (b'.' | b'?')] = &text[start..end]
            && !inside.contains(stop)
        {
            end -= 1;
        }
        let token = &text[start..end];
        if let [mark @ (b'*' | b'_'), ..] = token {
            let before = token.iter().take_while(|c| *c == mark).count();
            let after = token.iter().rev().take_while(|c| *c == mark).count();
            let is_around = before == after && before <= 3 && token.len() > 2 * before;
            if is_around && !token[before..token.len() - after].contains(mark) {
                (start, end) = (start + before, end - after);
            }
        }
    }
    (start, end)
}

/// The tokens of a stretch without the marks that stand around all of it: `**5 3 4 6 7 8 9 1 2**`.
fn without_marks<'p>(text: &[u8], places: &'p mut [(usize, usize)]) -> &'p mut [(usize, usize)] {
    let is_mark = |c: &u8| matches!(c, b'*' | b'_');
    let is_marks = |&(start, end): &(usize, usize)| {
        let token = &text[start..end];
        (2..=3).contains(&token.len()) && is_mark(&token[0]) && token.iter().all(|c| *c == token[0])
    };
    let first = usize::from(places.first().is_some_and(is_marks));
    let last = usize::from(places.len() > first && places.last().is_some_and(is_marks));
    let count = places.len() - last;
    let places = &mut places[first..count];
    if let [(start, _), .., (_, end)] = places {
        let mark = text[*start];
        let before = text[*start..].iter().take_while(|c| **c == mark).count();
        let behind = text[..*end].iter().rev();
        let after = behind.take_while(|c| **c == mark).count();
        let is_cell = |at: Option<&u8>| at.is_some_and(|c| CLASSES[usize::from(*c)] == Class::Cell);
        let (first, last) = (*start + before, (*end).checked_sub(after + 1));
        if is_mark(&mark)
            && before == after
            && (1..=3).contains(&before)
            && is_cell(text.get(first))
            && is_cell(last.and_then(|last| text.get(last)))
        {
            *start += before;
            *end -= after;
        }
    }
    places
}

/// The grid that rows are, or the two grids whose rows share lines.
fn grids_of(rows: &[Row]) -> Vec<(Range<usize>, Puzzle)> {
    let sides = match rows.first() {
        Some(row) if row.side.is_half() => &[Side::Left, Side::Right][..],
        _ => &[Side::Alone],
    };
    let of_side = |&side| {
        let rows = rows.iter().filter(|row| row.side == side);
        grid_of(&rows.copied().collect::<Vec<_>>())
    };
    sides.iter().filter_map(of_side).collect()
}

/// The grid that rows are, if they are one: nine rows, without rules and a header.
fn grid_of(all: &[Row]) -> Option<(Range<usize>, Puzzle)> {
    let is_rule = |row: &&Row| {
        let first = row.cells[0];
        matches!(first, b'-' | b'*' | b'_') && row.cells.iter().all(|cell| *cell == first)
    };
    let rows: Vec<&Row> = all.iter().filter(|row| !is_rule(row)).collect();
    // Rules of nine signs are rows where there are nine with them.
    let rows = if rows.len() < 9 && all.len() == 9 {
        all.iter().collect()
    } else {
        rows
    };
    // Sentences before the rows may have nine cells, too. The last of them may be the first row.
    let words = rows.iter().take_while(|row| row.has_words).count();
    let mut starts = [0, words.saturating_sub(1), words].into_iter();
    let rows = starts.find_map(|start| without_header(&rows[start..]))?;
    let mut cells = [BLANK; CELLS];
    for (place, row) in cells.as_chunks_mut::<9>().0.iter_mut().zip(rows) {
        *place = row.cells;
    }
    let (first, last) = (rows[0], rows[8]);
    let is_numbered = match first.label {
        Label::Number(start @ (b'0' | b'1')) => (start..)
            .zip(rows)
            .all(|(number, row)| row.label == Label::Number(number)),
        Label::Number(_) => false,
        label => rows.iter().all(|row| row.label == label),
    };
    let are_dates = rows.iter().all(|row| row.is_run && is_date(&row.cells));
    (is_numbered && !are_dates).then(|| {
        let place = first.place.0..last.place.1;
        (place, Puzzle::with_blanks_for_others(&cells))
    })
}

/// Nine rows, without a header above them: the numbers of columns, or empty.
fn without_header<'r>(rows: &'r [&'r Row]) -> Option<&'r [&'r Row]> {
    match rows {
        [header, rows @ ..] if rows.len() == 9 => {
            let is_empty = header.cells == [BLANK; 9] && !header.is_run;
            let is_header = is_empty || matches!(&header.cells, b"123456789" | b"012345678");
            is_header.then_some(rows)
        }
        _ => (rows.len() == 9).then_some(rows),
    }
}

/// Returns true if nine cells are a date with a year of four digits: 2024-1-15, 5.11.2024.
fn is_date(cells: &[u8; 9]) -> bool {
    let Some(sign) = cells.iter().find(|cell| !cell.is_ascii_digit()) else {
        return false;
    };
    let parts = || cells.split(|cell| cell == sign);
    let is_number = |part: &[u8]| part.iter().all(u8::is_ascii_digit) && !part.is_empty();
    let mut lengths = [0; 3];
    for (length, part) in lengths.iter_mut().zip(parts()) {
        *length = part.len();
    }
    parts().count() == 3
        && parts().all(is_number)
        && matches!(lengths, [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 4])
}
