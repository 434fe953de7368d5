//! Puzzles in any writing: drawings, arrays, tables, links and code.
//!
//! A text may be read in several ways. Each way is a *reading*: words of 81 cells, nine rows with one sign for blanks,
//! 81 columns from the third on, and so on. The text is read in every way that it allows, and evidence decides: the
//! number of grids without a digit twice in a house, the digits of the text that a reading leaves out, and, between
//! readings that are nearly as good, whether a sample of the puzzles has exactly one solution.

mod arrays;
mod drawn;
mod evidence;
mod group;
mod signs;
mod spaces;
mod stencil;
mod tables;
mod text;
mod words;

use super::{
    Expected, Form, Records, csv, is_cell, lines_end,
    records::{has_digits_of_puzzle, is_letter},
    s9b, split_line, unexpected,
};
use crate::{order, puzzle::FEWEST_CLUES};
use arrays::Arrays;
use drawn::{Drawing, Drawn};
use evidence::{Found, Kind, extends, score};
use group::Grouping;
use signs::shown;
use spaces::{Empty, Spaced, SpacedLines};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};
use stencil::Stencil;
use tables::{Fields, Nine, Table};
use text::{Text, Transform};

/// A grid of a text: 81 digits, and dots for blanks.
struct WrittenGrid {
    /// The line on which it begins, from 1.
    line: u64,
    /// The line of its last row.
    last_line: u64,
    /// Its cells.
    cells: [u8; 81],
}

/// A way to read a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    transform: Transform,
    way: Way,
    /// Ways that find other puzzles in what this one leaves.
    others: Vec<Way>,
    roles: Roles,
    /// True if the text around the puzzles becomes columns.
    pub(super) has_texts: bool,
}

/// The grids that are no puzzles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Roles {
    /// The columns, keys or places in a line that hold solutions, or later states of the puzzles.
    left_out: Vec<u32>,
    /// True if solutions right before or after their puzzles are left out.
    beside_puzzles: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Way {
    Words {
        other_end: bool,
    },
    QuotedSpaces,
    LinesOfSpaces,
    S9b {
        masks: bool,
    },
    Drawn {
        drawing: Drawing,
        grouping: Grouping,
    },
    Apart {
        in_quotes: bool,
        last: bool,
    },
    Columns81 {
        fields: Fields,
        place: usize,
        /// True if the table has more columns, and nothing but the puzzles tells which hold cells.
        is_open: bool,
    },
    Columns9 {
        fields: Fields,
        nine: Nine,
    },
    Arrays {
        grouping: Grouping,
    },
    OneALine,
    Spaces(Spaced),
}

/// The number of grids at the end of a sample that may differ from those of the whole text: rows of a grid that is cut can
/// make the last grid, and the one before it, begin at another row.
const CUT: usize = 2;

/// The reading that is chosen.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) reading: Reading,
    /// The worth of the puzzles that it found: see [`worth`].
    pub(super) score: f64,
    pub(super) puzzles: Vec<[u8; 81]>,
}

/// An error of a text that cannot be read.
#[derive(Debug)]
pub(super) enum WrittenError {
    /// Nothing in it is a puzzle.
    Nothing,
    /// Two readings are as good, and their puzzles differ.
    Ambiguous(Box<[Reading; 2]>),
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.transform.name())?;
        match &self.way {
            Way::Words { other_end: false } => f.write_str("words of 81 cells"),
            Way::Words { other_end: true } => {
                f.write_str("words of 81 cells at the ends of longer words")
            }
            Way::QuotedSpaces => f.write_str("81 characters in quotes, spaces for blanks"),
            Way::LinesOfSpaces => f.write_str("81 characters a line, spaces for blanks"),
            Way::S9b { masks: false } => f.write_str("S9B, with digits"),
            Way::S9b { masks: true } => f.write_str("S9B, with candidates"),
            Way::Drawn { drawing, grouping } => {
                match grouping.rows {
                    9 => f.write_str("nine rows")?,
                    _ => f.write_str("three rows a line")?,
                }
                match drawing.blank {
                    0 => {}
                    blank => write!(f, ", blank {}", shown(blank))?,
                }
                match drawing.labels {
                    [true, true] => f.write_str(", labels on both sides"),
                    [true, false] => f.write_str(", labels on the left"),
                    [false, true] => f.write_str(", labels on the right"),
                    [false, false] => Ok(()),
                }?;
                f.write_str(grouping.note())
            }
            Way::Apart { in_quotes, last } => {
                f.write_str("81 cells apart")?;
                f.write_str(if *in_quotes {
                    " in quotes"
                } else {
                    " in a line"
                })?;
                f.write_str(if *last { ", the last 81" } else { "" })
            }
            Way::Columns81 { fields, place, .. } => {
                write!(
                    f,
                    "table with {}, cells in columns {} to {}",
                    fields.name(),
                    place + 1,
                    place + 81
                )
            }
            Way::Columns9 { fields, nine } => {
                write!(
                    f,
                    "table with {}, nine columns of cells from column",
                    fields.name()
                )?;
                for (number, columns) in nine.columns.iter().enumerate() {
                    let separator = if number == 0 { " " } else { " and " };
                    write!(f, "{separator}{}", columns.first())?;
                }
                f.write_str(if nine.apart {
                    ", empty rows left out"
                } else {
                    ""
                })?;
                f.write_str(nine.grouping.note())
            }
            Way::Arrays { grouping } => {
                f.write_str("arrays in brackets")?;
                f.write_str(grouping.note())
            }
            Way::OneALine => f.write_str("a cell on each line"),
            Way::Spaces(spaced) => {
                let columns = spaced.geometry.columns();
                let (first, last) = (columns[0] + 1, columns[8] + 1);
                write!(
                    f,
                    "nine rows, spaces for blanks, cells from column {first} to {last}"
                )?;
                match spaced.empty {
                    Empty::Left => Ok(()),
                    Empty::Rows => f.write_str(", empty lines are rows"),
                    Empty::Spaces => f.write_str(", lines of spaces are rows"),
                    Empty::Period { lines, .. } => write!(f, ", a grid every {lines} lines"),
                }?;
                f.write_str(spaced.grouping.note())
            }
        }
    }
}

impl Way {
    /// Returns true if no grid goes over the end of a line.
    fn is_of_lines(&self) -> bool {
        matches!(
            self,
            Self::Words { .. }
                | Self::LinesOfSpaces
                | Self::QuotedSpaces
                | Self::S9b { .. }
                | Self::Apart { .. }
                | Self::Columns81 { .. }
        )
    }

    /// All ways that a text allows, what each finds, and its cost.
    fn all(text: &Text) -> Vec<(Self, Vec<Found>, f64)> {
        let mut all: Vec<(Self, Vec<Found>, f64)> = Vec::new();
        let mut push = |way: Self, found: Vec<Found>, cost: f64| {
            if !found.is_empty() {
                all.push((way, found, cost));
            }
        };
        let (found, has_other) = words::runs(text, false);
        push(Self::Words { other_end: false }, found, 0.0);
        if has_other {
            push(
                Self::Words { other_end: true },
                words::runs(text, true).0,
                2.0,
            );
        }
        push(Self::QuotedSpaces, words::quoted_spaces(text), 1.0);
        let (found, is_cut) = words::lines_of_spaces(text);
        push(Self::LinesOfSpaces, found, if is_cut { 2.0 } else { 1.0 });
        for masks in [false, true] {
            push(
                Self::S9b { masks },
                words::codes(text, masks),
                f64::from(u8::from(masks)),
            );
        }
        for drawing in Drawing::all(text) {
            let Some(drawn) = Drawn::new(text, drawing) else {
                continue;
            };
            let cost = drawing.cost();
            let width = drawn.width();
            if width <= 36 {
                for (at, (grouping, found)) in drawn.rows(9).both(9).into_iter().enumerate() {
                    push(Self::Drawn { drawing, grouping }, found, cost + at as f64);
                }
            }
            if width == 27 {
                for (grouping, found) in drawn.rows(3).both(3) {
                    push(Self::Drawn { drawing, grouping }, found, cost + 0.5);
                }
            }
        }
        for in_quotes in [true, false] {
            let (found, has_more) = words::apart(text, in_quotes, false);
            push(
                Self::Apart {
                    in_quotes,
                    last: false,
                },
                found,
                if has_more { 2.0 } else { 1.5 },
            );
            if has_more {
                push(
                    Self::Apart {
                        in_quotes,
                        last: true,
                    },
                    words::apart(text, in_quotes, true).0,
                    2.0,
                );
            }
        }
        for delimiter in tables::DELIMITERS {
            let Some(fields) = Fields::of(text, delimiter) else {
                continue;
            };
            let table = Table::new(text, fields);
            let more = if delimiter == b' ' { 2.0 } else { 0.0 };
            for place in table.places_of_81() {
                let cost = 1.0 + more + if place > 0 { 0.2 } else { 0.0 };
                let way = Self::Columns81 {
                    fields: table.fields.clone(),
                    place,
                    is_open: table.told.is_none() && table.width() > 81,
                };
                push(way, table.grids_of_81(place), cost);
            }
            for nine in table.nines() {
                let mut cost = 1.0 + more + f64::from(u8::from(nine.grouping.late));
                if matches!(nine.columns[..], [tables::Columns::Gaps(_)]) {
                    cost = 0.5;
                }
                cost += if nine.columns[0].first() > 1 {
                    0.2
                } else {
                    0.0
                };
                cost += f64::from(u8::from(nine.apart));
                let fields = table.fields.clone();
                let found = table.grids_of_nine(&nine);
                push(Self::Columns9 { fields, nine }, found, cost);
            }
        }
        if [b'[', b'(', b'{'].iter().any(|&byte| text.has(byte)) {
            let arrays = Arrays::new(text);
            let groupings: &[_] = match arrays.is_open() {
                false => &[Grouping::EARLY],
                true => &[Grouping::EARLY, Grouping::LATE],
            };
            for (at, &grouping) in groupings.iter().enumerate() {
                push(
                    Self::Arrays { grouping },
                    arrays.grids(grouping),
                    0.4 + at as f64,
                );
            }
        }
        if text.has(b' ') || text.has(b'\t') {
            let lines = SpacedLines::new(text);
            for (spaced, cost) in lines.ways() {
                push(Self::Spaces(spaced), lines.grids(spaced), cost);
            }
        }
        push(Self::OneALine, words::one_a_line(text), 2.0);
        all
    }

    /// The findings of this way in a text.
    fn read(&self, text: &Text) -> Vec<Found> {
        match self {
            &Self::Words { other_end } => words::runs(text, other_end).0,
            Self::QuotedSpaces => words::quoted_spaces(text),
            Self::LinesOfSpaces => words::lines_of_spaces(text).0,
            &Self::S9b { masks } => words::codes(text, masks),
            &Self::Drawn { drawing, grouping } => match Drawn::new(text, drawing) {
                Some(drawn) => drawn.rows(grouping.rows).grids(grouping),
                None => Vec::new(),
            },
            &Self::Apart { in_quotes, last } => words::apart(text, in_quotes, last).0,
            Self::Columns81 { fields, place, .. } => {
                Table::new(text, fields.clone()).grids_of_81(*place)
            }
            Self::Columns9 { fields, nine } => Table::new(text, fields.clone()).grids_of_nine(nine),
            &Self::Arrays { grouping } => Arrays::new(text).grids(grouping),
            Self::OneALine => words::one_a_line(text),
            &Self::Spaces(spaced) => SpacedLines::new(text).grids(spaced),
        }
    }
}

/// Readings whose scores differ by less are rivals: the solver decides between them.
pub(super) const MARGIN: f64 = 25.0;

/// The number of puzzles that the solver looks at.
const SAMPLED: usize = 12;

/// A reading and what it found.
struct Candidate {
    score: f64,
    cost: f64,
    reading: Reading,
    found: Vec<Found>,
}

impl Candidate {
    fn cells(&self) -> Vec<[u8; 81]> {
        self.found.iter().map(|found| found.cells).collect()
    }

    fn is_good(&self) -> bool {
        let proper = self
            .found
            .iter()
            .filter(|f| Kind::of(&f.cells).is_proper())
            .count();
        let is_of_words = matches!(self.reading.way, Way::Words { other_end: false });
        proper > 0 && (10 * proper >= 6 * self.found.len() || is_of_words)
    }
}

/// The share of the puzzles in a sample that have exactly one solution, where the reading that finds most finds this
/// many.
pub(super) fn share_of_unique(
    grids: &[[u8; 81]],
    most: usize,
    has_one: &mut dyn FnMut(&[u8; 81]) -> Option<bool>,
) -> f64 {
    let puzzles: Vec<_> = grids
        .iter()
        .filter(|cells| Kind::of(cells) == Kind::Puzzle)
        .collect();
    if puzzles.is_empty() {
        return 0.5;
    }
    let step = (puzzles.len() / SAMPLED).max(1);
    let sampled = puzzles.iter().step_by(step);
    let count = sampled.len() as f64;
    let shares = sampled.map(|cells| match has_one(cells) {
        Some(true) => 1.0,
        Some(false) => 0.0,
        None => 0.5,
    });
    shares.sum::<f64>() / count * grids.len() as f64 / most.max(1) as f64
}

/// The worth of records that another reader found in a text: the same as that of a reading.
pub(super) fn worth(source: &[u8], grids: &[[u8; 81]]) -> f64 {
    let found = grids.iter().map(|&cells| Found {
        place: (0, 0),
        cells,
        key: 0,
    });
    let digits = source
        .iter()
        .filter(|byte| matches!(byte, b'1'..=b'9'))
        .count();
    score(&found.collect::<Vec<_>>(), 0.0, digits as u32)
}

/// Returns true if 81 cells, with dots for blanks, have no digit twice in a house.
pub(super) fn is_proper(cells: &[u8; 81]) -> bool {
    Kind::of(cells) != Kind::Improper
}

impl Reading {
    /// Chooses how to read a text. `has_one` says whether a puzzle has exactly one solution, or nothing if that would
    /// take long.
    ///
    /// The first lines decide if one reading alone explains them, and if it finds nothing but puzzles in all lines.
    /// That takes a tenth of the time in which all readings compete over all lines.
    pub(super) fn choose(
        source: &[u8],
        has_one: &mut dyn FnMut(&[u8; 81]) -> Option<bool>,
    ) -> Result<Chosen, WrittenError> {
        const FIRST: usize = 6 << 10;
        let text = Text::new(source);
        let first = source.get(..FIRST).filter(|_| source.len() > 2 * FIRST);
        // A text of one line is cut behind a field.
        let end = first.and_then(|first| {
            memchr::memrchr(b'\n', first).or_else(|| memchr::memrchr(b',', first))
        });
        if let (Some(first), Some(end)) = (first, end)
            && let Some((reading, cost)) = Self::without_rivals(&Text::new(&first[..=end]))
        {
            let transformed = text.transformed(reading.transform);
            let text = transformed.as_ref().unwrap_or(&text);
            let all = reading.way.read(text);
            let whole = &all[..all.len().saturating_sub(CUT)];
            if whole.iter().all(|found| Kind::of(&found.cells).is_proper()) {
                let roles = Roles::of(&all);
                let puzzles = roles.puzzles(all);
                return Ok(Chosen {
                    score: score(&puzzles, cost, text.digits()),
                    puzzles: puzzles.iter().map(|found| found.cells).collect(),
                    reading: Self { roles, ..reading },
                });
            }
        }
        let mut good = Self::competing(&text);
        if good.is_empty() {
            return Err(WrittenError::Nothing);
        }
        let mut best = good.remove(0);
        add_others(&mut best, &good, has_one);
        let chosen = decide(best, good, has_one)?;
        Ok(Chosen {
            score: score(&chosen.found, chosen.cost, text.digits()),
            puzzles: chosen.cells(),
            reading: chosen.reading,
        })
    }

    /// How a text in a notation of one line is read, whatever else it may be.
    pub(super) fn of_notation(form: Form, source: &[u8]) -> Self {
        let way = match form {
            Form::S9b => {
                let starts = memchr::memmem::find_iter(source, b"S9");
                Way::S9b {
                    masks: s9b::has_masks(starts.map(|at| &source[at..])),
                }
            }
            _ => Way::Words { other_end: false },
        };
        Self {
            transform: Transform::Plain,
            way,
            others: Vec::new(),
            roles: Roles::default(),
            has_texts: false,
        }
    }

    /// The reading that is better than all others by far, and its cost.
    fn without_rivals(text: &Text) -> Option<(Self, f64)> {
        let mut good = Self::competing(text).into_iter();
        let best = good.next()?;
        let mut rivals = good.take_while(|other| other.score >= best.score - MARGIN);
        let whole = |candidate: &Candidate| {
            let mut cells = candidate.cells();
            cells.truncate(cells.len().saturating_sub(CUT));
            cells
        };
        let cells = whole(&best);
        let is_only = rivals.all(|other| whole(&other) == cells);
        (is_only && cells.len() > 3).then_some((best.reading, best.cost))
    }

    /// All readings of a text that find mostly puzzles, the best first.
    fn competing(plain: &Text) -> Vec<Candidate> {
        let mut all = Vec::new();
        for transform in plain.transforms() {
            let transformed = plain.transformed(transform);
            let text = transformed.as_ref().unwrap_or(plain);
            if text.bytes.len() < 17 {
                continue;
            }
            let digits = text.digits();
            let extra = match transform {
                Transform::Plain => 0.0,
                _ => 0.5,
            };
            for (way, found, cost) in Way::all(text) {
                let cost = cost + extra;
                let score = score(&found, cost, digits);
                let roles = Roles::of(&found);
                let reading = Self {
                    transform,
                    way,
                    others: Vec::new(),
                    roles,
                    has_texts: false,
                };
                let found = reading.roles.puzzles(found);
                all.push(Candidate {
                    score,
                    cost,
                    reading,
                    found,
                });
            }
        }
        all.retain(Candidate::is_good);
        order::sort_by(&mut all, |a, b| b.score.total_cmp(&a.score));
        all
    }

    /// The end of a part of the text after at least this many bytes, so that both parts can be read by themselves.
    pub(super) fn record_end(&self, source: &[u8], least: usize) -> Option<usize> {
        if self.roles.beside_puzzles || !self.others.is_empty() || !self.transform.keeps_lines() {
            return None;
        }
        // Longer parts have fewer borders between grids, at which text is read twice.
        let least = match self.way.is_of_lines() {
            true => least,
            false => least.max(64 << 10),
        };
        self.border(source, least)
    }

    /// The end of a part of a text that is read as it is.
    fn border(&self, source: &[u8], least: usize) -> Option<usize> {
        /// The most bytes of lines between records that stay together with the record below them.
        const MOST: usize = 64 << 10;
        if !self.way.is_of_lines() {
            return self.end_between_grids(source, least);
        }
        // A line without enough digits may be a title of the record below it.
        lines_end(source, least, |line, end| {
            !has_digits_of_puzzle(line) && end < least.saturating_add(MOST)
        })
    }

    /// The end of the lines of a grid, if the line after them is no row, and if the next grid is after that line, or an
    /// array right below it. Both must be puzzles or solutions: then no other way to take nine rows is better.
    fn end_between_grids(&self, source: &[u8], least: usize) -> Option<usize> {
        /// The text behind that place in which the next grid is looked for first.
        const MORE: usize = 4 << 10;
        // The grids before this place do not matter: the first gap after it shows where grids begin.
        let start = match least.saturating_sub(MORE) {
            0 => 0,
            start => start + memchr::memchr(b'\n', source.get(start..)?)? + 1,
        };
        let mut size = least.saturating_add(MORE);
        while size <= source.len() {
            let part = source.get(start..size)?;
            let ends: Vec<_> = memchr::memchr_iter(b'\n', part).collect();
            let text = Text::taken(part, self.transform);
            let grids = placed(&text, &self.puzzles(&text).0);
            let is_proper = |grid: &WrittenGrid| Kind::of(&grid.cells).is_proper();
            let mut pairs = grids.windows(2).filter(|two| two[0].line != two[1].line);
            let end = pairs.find_map(|two| {
                // Lines are numbered from 1: the end of the last line of the first grid.
                let end = start + ends.get(usize::try_from(two[0].last_line).ok()? - 1)? + 1;
                let is_apart = two[1].line > two[0].last_line + self.gap();
                (end >= least && is_apart && two.iter().all(is_proper)).then_some(end)
            });
            if end.is_some() {
                return end;
            }
            size = size.saturating_mul(2);
        }
        None
    }

    /// The lines between the last line of a grid and the first of the next, where a text may be cut.
    fn gap(&self) -> u64 {
        // Brackets tell where rows of arrays begin and end.
        u64::from(!self.way.is_of_lines() && !matches!(self.way, Way::Arrays { .. }))
    }

    /// Reads a text in this way, and appends its records. Digits enough for a puzzle that this reading leaves out, in
    /// lines that are hardly words, are a malformed record.
    pub(super) fn read(&self, source: &[u8], records: &mut Records) {
        /// The text that is read at least, where records do not fit the stencil, and the records that are few.
        const PART: usize = 8 << 10;
        const FEW: usize = 64;
        let mut rest = source;
        if let Some(stencil) = self.stencil(source) {
            let mut part = PART;
            loop {
                let before = records.len();
                rest = self.read_alike(&stencil, rest, records);
                part = match records.len() - before {
                    0..FEW => 2 * part,
                    _ => PART,
                };
                let Some(end) = self.border(rest, part) else {
                    break;
                };
                self.read_each(&rest[..end], records);
                rest = &rest[end..];
            }
        }
        self.read_each(rest, records);
    }

    /// The stencil of the records at the start of a text, if they have one.
    fn stencil(&self, source: &[u8]) -> Option<Stencil> {
        /// The texts that give a stencil: records of nine short lines, and of drawings with a box around each cell.
        const SAMPLES: [usize; 2] = [12 << 10, 48 << 10];
        /// The text, in samples, for which a stencil pays.
        const LEAST: usize = 3;
        let is_regular = match &self.way {
            Way::Words { other_end } => !other_end,
            Way::Drawn { grouping, .. } | Way::Arrays { grouping } => !grouping.late,
            Way::Columns9 { nine, .. } => !nine.grouping.late,
            Way::Spaces(spaced) => {
                !spaced.grouping.late && !matches!(spaced.empty, Empty::Period { .. })
            }
            _ => false,
        };
        let is_alone = self.transform == Transform::Plain
            && self.others.is_empty()
            && self.roles == Roles::default();
        if !is_regular || !is_alone {
            return None;
        }
        SAMPLES.iter().find_map(|&size| {
            let sample = source
                .get(..size)
                .filter(|_| source.len() >= LEAST * size)?;
            let sample = &sample[..=memchr::memrchr(b'\n', sample)?];
            let text = Text::new(sample);
            let grids = placed(&text, &self.puzzles(&text).0);
            // The last grid may be cut.
            let whole = grids.split_last()?.1;
            let stencil = Stencil::of(sample, whole, self.gap(), |is_bare| match &self.way {
                Way::Columns9 { nine, .. } => nine.apart,
                Way::Spaces(_) => is_bare,
                _ => false,
            });
            // Words behind a puzzle in a line are kept.
            stencil.filter(|stencil| !self.way.is_of_lines() || !stencil.has_words_behind())
        })
    }

    /// Reads the records at the start of a text that fit a stencil, but for the last, which others may follow that do
    /// not fit. Returns the rest.
    fn read_alike<'s>(
        &self,
        stencil: &Stencil,
        source: &'s [u8],
        records: &mut Records,
    ) -> &'s [u8] {
        let has_titles = !self.is_table();
        let mut rest = source;
        let mut next = stencil.fit(rest);
        while let Some(one) = next {
            let after = &rest[one.end..];
            next = stencil.fit(after);
            if next.is_none() {
                break;
            }
            if has_titles && one.lead.iter().any(|&byte| is_letter(byte)) {
                let mut lines = SourceLines {
                    next: 1,
                    rest: one.lead,
                };
                lines.line(stencil.lines_before + 1, |_, line| records.push_title(line));
            }
            let line = records.lines() + stencil.lines_before + 1;
            records.push_cells(line, &one.cells).expect("cells");
            records.add_lines(stencil.lines);
            rest = after;
        }
        rest
    }

    /// Returns true if the grids are rows of a table, whose header is no title.
    fn is_table(&self) -> bool {
        matches!(self.way, Way::Columns81 { .. } | Way::Columns9 { .. })
    }

    /// Reads a text in this way, whatever its records look like.
    fn read_each(&self, source: &[u8], records: &mut Records) {
        let before = records.lines();
        let text = Text::taken(source, self.transform);
        let (puzzles, read) = self.puzzles(&text);
        let mut damaged = damaged(&text, &read, self.way.is_of_lines())
            .into_iter()
            .peekable();
        let mut lines = SourceLines {
            next: 1,
            rest: source,
        };
        let push_damaged = |records: &mut Records, lines: &mut SourceLines, number: u64| {
            let line = lines.line(number, |_, _| {});
            let cells = line.iter().take_while(|&&byte| is_cell(byte)).count();
            let error = unexpected(line, cells, Expected::Cell);
            records.push_error(before + number, error, line);
        };
        let is_table = self.is_table();
        let mut last_line = 0;
        for (at, grid) in placed(&text, &puzzles).iter().enumerate() {
            while let Some(number) = damaged.next_if(|&number| number < grid.line) {
                push_damaged(records, &mut lines, number);
            }
            // The lines of the grid before are no titles, and neither is the header of a table.
            let line = lines.line(grid.line, |number, line| {
                if number > last_line && !is_table {
                    records.push_title(line);
                }
            });
            last_line = grid.last_line;
            let pushed = records.push_cells(before + grid.line, &grid.cells);
            pushed.expect("cells");
            if self.way.is_of_lines()
                && let Some(after) = text_after(&text, &puzzles[at..], line)
            {
                records.set_text(&[&grid.cells, &b" "[..], after].concat());
            }
        }
        damaged.for_each(|number| push_damaged(records, &mut lines, number));
        let is_cut = !source.is_empty() && !source.ends_with(b"\n") && !source.ends_with(b"\r");
        records.add_lines(csv::line_ends(source) + u64::from(is_cut));
    }

    /// The puzzles of a text, and the places of all that was read: of puzzles and of grids that are none.
    fn puzzles(&self, text: &Text) -> (Vec<Found>, Vec<(usize, usize)>) {
        let all = self.way.read(text);
        let mut read: Vec<_> = all.iter().map(|found| found.place).collect();
        let mut puzzles = self.roles.puzzles(all);
        for way in &self.others {
            let others = Roles::default().puzzles(way.read(text));
            let free = free(&puzzles, &others);
            read.extend(free.iter().map(|found| found.place));
            puzzles.extend(free);
            order::sort_by_key(&mut puzzles, |found| found.place);
        }
        (puzzles, read)
    }
}

/// The lines of a source, one after the other.
struct SourceLines<'s> {
    /// The number of the next line, from 1.
    next: u64,
    rest: &'s [u8],
}

impl<'s> SourceLines<'s> {
    /// The line with a number, which is that of the next line or later. The lines before it, with their numbers, go to
    /// `pass`.
    fn line(&mut self, number: u64, mut pass: impl FnMut(u64, &'s [u8])) -> &'s [u8] {
        while self.next < number && !self.rest.is_empty() {
            let (line, rest) = split_line(self.rest);
            pass(self.next, line);
            (self.next, self.rest) = (self.next + 1, rest);
        }
        split_line(self.rest).0
    }
}

/// The text behind the first of these puzzles on its line of the source, if words are in it, and no other puzzle.
fn text_after<'s>(text: &Text, puzzles: &[Found], line: &'s [u8]) -> Option<&'s [u8]> {
    let end = puzzles[0].place.1;
    let of_text = text.lines[text.line_at(end)];
    let after = text.bytes.get(end..of_text.end)?;
    let has_words = after.iter().any(|&byte| signs::is_word(byte));
    if !has_words
        || puzzles
            .get(1)
            .is_some_and(|next| next.place.0 < of_text.end)
    {
        return None;
    }
    // Each character is a byte of the text, but for those that say nothing.
    let line = str::from_utf8(line).ok()?;
    let (start, _) = line.char_indices().rev().nth(after.len() - 1)?;
    let found = &line[start..];
    // Signs that close a word or a string say nothing.
    let is_end = |sign: char| sign.is_whitespace() || "`'\",;:|>)]}*".contains(sign);
    let words = found.trim_start_matches(is_end).trim_end();
    (Text::new(found.as_bytes()).bytes == after).then_some(words.as_bytes())
}

/// Lines between two places that are read.
#[derive(Default)]
struct Gap {
    /// The number of the first line with digits.
    first: u64,
    digits: usize,
    /// The lines of nine cells.
    rows: usize,
}

impl Gap {
    fn add(&mut self, number: u64, line: &[u8]) {
        let (digits, is_row) = parts_of_puzzle(line);
        if self.digits == 0 {
            self.first = number;
        }
        self.digits += digits;
        self.rows += usize::from(is_row);
    }

    /// Whether a puzzle was there: it has the digits of one, or it has most rows of one. A puzzle without one of its rows may
    /// have fewer digits than any puzzle.
    fn is_puzzle(&self) -> bool {
        const ROWS: usize = 5;
        const DIGITS: usize = 9;
        self.digits >= FEWEST_CLUES || self.rows >= ROWS && self.digits >= DIGITS
    }
}

/// The lines, by their numbers, at which a puzzle begins that is in none of these places.
fn damaged(text: &Text, read: &[(usize, usize)], is_of_lines: bool) -> Vec<u64> {
    let mut is_read = vec![false; text.lines.len()];
    for &(from, to) in read {
        is_read[text.line_at(from)..=text.line_at(to)].fill(true);
    }
    let mut damaged = Vec::new();
    let mut gap = Gap::default();
    let mut end_gap = |gap: &mut Gap| {
        let gap = std::mem::take(gap);
        damaged.extend(gap.is_puzzle().then_some(gap.first));
    };
    for (&line, is_read) in text.lines.iter().zip(is_read) {
        if !is_read {
            gap.add(line.number, text.line(line));
        }
        if is_read || is_of_lines {
            end_gap(&mut gap);
        }
    }
    end_gap(&mut gap);
    damaged
}

/// The digits of a line that may be a part of a puzzle: of one that is hardly words, or of its longest run of cells. And
/// whether a line that is hardly words is nine cells.
fn parts_of_puzzle(line: &[u8]) -> (usize, bool) {
    /// The fewest cells of a run.
    const RUN: usize = 41;
    /// The most letters of a line that is hardly words.
    const LETTERS: usize = 4;
    let digits = |cells: &[u8]| cells.iter().filter(|&&byte| signs::is_clue(byte)).count();
    let letters = line
        .iter()
        .filter(|&&byte| signs::is_word(byte) && !signs::is_cell(byte));
    if letters.count() <= LETTERS {
        let cells = line.iter().filter(|&&byte| signs::is_cell(byte)).count();
        return (digits(line), cells == 9);
    }
    let runs = line.split(|&byte| !signs::is_cell(byte));
    let longest = runs.filter(|run| run.len() >= RUN).map(digits).max();
    (longest.unwrap_or(0), false)
}

/// Grids with their lines.
fn placed(text: &Text, found: &[Found]) -> Vec<WrittenGrid> {
    let line = |place| text.lines[text.line_at(place)].number;
    let grids = found.iter().map(|found| WrittenGrid {
        line: line(found.place.0),
        last_line: line(found.place.1),
        cells: found.cells,
    });
    grids.collect()
}

/// The puzzles of another way that are in no place of these.
fn free(taken: &[Found], others: &[Found]) -> Vec<Found> {
    // The last byte of each place, by its first.
    let mut places = BTreeMap::new();
    let take = |places: &mut BTreeMap<usize, usize>, (from, to): (usize, usize)| {
        let last = places.entry(from).or_insert(to);
        *last = to.max(*last);
    };
    for found in taken {
        take(&mut places, found.place);
    }
    let mut free: Vec<Found> = Vec::new();
    for found in others {
        let (from, to) = found.place;
        let before = places.range(..=to).next_back();
        let is_free = before.is_none_or(|(_, &last)| last < from);
        if is_free && Kind::of(&found.cells) == Kind::Puzzle {
            free.push(found.clone());
            take(&mut places, found.place);
        }
    }
    free
}

/// Adds ways that find puzzles with one solution in what the best reading leaves.
fn add_others(
    best: &mut Candidate,
    good: &[Candidate],
    has_one: &mut dyn FnMut(&[u8; 81]) -> Option<bool>,
) {
    const MOST: usize = 50;
    let least = best.score - 120.0 * best.found.len() as f64 - 500.0;
    let mut added = 0;
    for other in good {
        let is_table = matches!(other.reading.way, Way::Columns81 { .. });
        if other.reading.transform != best.reading.transform || other.score < least || is_table {
            continue;
        }
        let free = free(&best.found, &other.found);
        let is_new = |found: &Found| best.found.iter().all(|old| old.cells != found.cells);
        if free.is_empty()
            || !free
                .iter()
                .all(|f| is_new(f) && has_one(&f.cells) == Some(true))
        {
            continue;
        }
        added += free.len();
        best.score += 81.0 * free.len() as f64;
        best.found.extend(free);
        order::sort_by_key(&mut best.found, |found| found.place);
        best.reading.others.push(other.reading.way.clone());
        if added > MOST {
            break;
        }
    }
}

/// Decides between the best reading and its rivals.
fn decide(
    best: Candidate,
    good: Vec<Candidate>,
    has_one: &mut dyn FnMut(&[u8; 81]) -> Option<bool>,
) -> Result<Candidate, WrittenError> {
    let least = best.score - MARGIN;
    let mut rivals = vec![best];
    for other in good {
        if other.score < least {
            break;
        }
        let cells = other.cells();
        let best = &rivals[0];
        let is_part = !best.reading.others.is_empty()
            && cells
                .iter()
                .all(|grid| best.found.iter().any(|found| found.cells == *grid));
        if !is_part && rivals.iter().all(|rival| rival.cells() != cells) && rivals.len() < 5 {
            rivals.push(other);
        }
    }
    if rivals.len() == 1 {
        let best = rivals.remove(0);
        // A column more or less is seldom seen in few records: only a puzzle with one solution tells.
        if let Way::Columns81 {
            place,
            is_open: true,
            ..
        } = best.reading.way
            && best.found.len() < 5
            && !best.found.iter().any(|f| has_one(&f.cells) == Some(true))
        {
            let mut other = best.reading.clone();
            if let Way::Columns81 { place: first, .. } = &mut other.way {
                *first = if place == 0 { 1 } else { place - 1 };
            }
            return Err(WrittenError::Ambiguous(Box::new([best.reading, other])));
        }
        return Ok(best);
    }
    // Grids that all of them find say nothing: the last grid of a text that is cut may be all that differs.
    let mut own: Vec<_> = rivals.iter().map(Candidate::cells).collect();
    let of_all: BTreeSet<_> = {
        let (first, others) = own.split_first().expect("rivals");
        let others: Vec<BTreeSet<_>> = others.iter().map(|o| o.iter().copied().collect()).collect();
        let is_of_all = |cells: &&[u8; 81]| others.iter().all(|other| other.contains(*cells));
        first.iter().filter(is_of_all).copied().collect()
    };
    if own
        .iter()
        .all(|cells| cells.iter().any(|c| !of_all.contains(c)))
    {
        for cells in &mut own {
            cells.retain(|cells| !of_all.contains(cells));
        }
    }
    let most = own.iter().map(Vec::len).max().unwrap_or(1);
    let shares = own
        .iter()
        .map(|cells| share_of_unique(cells, most, has_one));
    let mut ranked: Vec<_> = shares.collect::<Vec<_>>().into_iter().zip(rivals).collect();
    order::sort_by(&mut ranked, |a, b| {
        b.0.total_cmp(&a.0).then(b.1.score.total_cmp(&a.1.score))
    });
    let others = ranked[1..].iter().map(|(_, other)| other.score);
    let is_better = ranked[0].0 >= ranked[1].0 + 0.3
        || ranked[0].1.score >= others.fold(f64::MIN, f64::max) + 15.0;
    let [a, b] = [ranked[0].1.cells(), ranked[1].1.cells()];
    let holds = |more: &[[u8; 81]], less: &[[u8; 81]]| {
        more.len() > less.len() && less.iter().all(|grid| more.contains(grid))
    };
    if is_better || holds(&a, &b) {
        return Ok(ranked.remove(0).1);
    }
    if holds(&b, &a) {
        return Ok(ranked.remove(1).1);
    }
    let second = ranked.remove(1).1.reading;
    Err(WrittenError::Ambiguous(Box::new([
        ranked.remove(0).1.reading,
        second,
    ])))
}

impl Roles {
    /// Evidence from the grids themselves: solutions that stand with their puzzles, and all but the first of the
    /// states of a puzzle.
    fn of(found: &[Found]) -> Self {
        let mut roles = Self::default();
        let full = found.iter().filter(|found| is_full(found)).count();
        if full > 0 && full < found.len() {
            // For each column: whether it has a puzzle, and whether all its grids are full.
            let mut columns: BTreeMap<u32, (bool, bool)> = BTreeMap::new();
            for one in found {
                let (has_puzzle, are_full) = columns.entry(one.key).or_insert((false, true));
                *has_puzzle |= Kind::of(&one.cells) == Kind::Puzzle;
                *are_full &= is_full(one);
            }
            let has_puzzles = columns.values().any(|column| column.0);
            let of_solutions = columns.iter().filter(|(_, column)| column.1);
            roles.left_out.extend(of_solutions.map(|(key, _)| *key));
            if !has_puzzles {
                roles.left_out.clear();
            }
            roles.beside_puzzles = roles.left_out.is_empty();
        }
        let mut columns: BTreeMap<u32, Vec<&[u8; 81]>> = BTreeMap::new();
        for one in found {
            if !roles.left_out.contains(&one.key) {
                columns.entry(one.key).or_default().push(&one.cells);
            }
        }
        let mut counts = columns.values().map(Vec::len);
        let first = counts.next();
        if (2..8).contains(&columns.len()) && counts.all(|count| Some(count) == first) {
            for (key, less) in &columns {
                for (other, more) in &columns {
                    if key != other
                        && !roles.left_out.contains(key)
                        && !roles.left_out.contains(other)
                        && less != more
                        && less
                            .iter()
                            .zip(more)
                            .all(|(less, more)| extends(less, more))
                    {
                        roles.left_out.push(*other);
                    }
                }
            }
        }
        roles
    }

    /// The grids that are puzzles.
    fn puzzles(&self, mut found: Vec<Found>) -> Vec<Found> {
        if !self.left_out.is_empty() {
            found.retain(|one| !self.left_out.contains(&one.key));
        }
        if self.beside_puzzles {
            let is_solution = |at: usize| {
                let near = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
                let mut near = near.filter_map(|near| found.get(near));
                is_full(&found[at])
                    && near.any(|near| {
                        Kind::of(&near.cells) == Kind::Puzzle
                            && extends(&near.cells, &found[at].cells)
                    })
            };
            let solutions: Vec<_> = (0..found.len()).map(is_solution).collect();
            let mut solutions = solutions.into_iter();
            found.retain(|_| !solutions.next().expect("one for each"));
        }
        found
    }
}

fn is_full(found: &Found) -> bool {
    Kind::of(&found.cells) == Kind::Full
}
