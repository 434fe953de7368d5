//! Readings of tables whose fields are cells: 81 or nine columns.

use super::{
    evidence::{Found, Kind},
    group::{Dividers, Grouping, Rows},
    signs::{self, BLANK, is_clue, is_rule, value},
    text::{Text, is_blank},
};
use crate::order;
use std::{borrow::Cow, collections::BTreeMap};

/// A field that is no cell, in the cells of a row.
const NO_CELL: u8 = b'?';

/// How the fields of a table are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fields {
    pub(super) delimiter: u8,
    /// A word that stands for a blank, because so many fields have it.
    pub(super) blank: Option<Vec<u8>>,
}

/// The delimiters that tables have.
pub(super) const DELIMITERS: [u8; 6] = [b',', b';', b'\t', b'|', b'&', b' '];

/// The most fields in which a word for blanks is looked for.
const LOOKED_AT: usize = 3000;

impl Fields {
    /// The fields of a text with this delimiter, if it has enough of them.
    pub(super) fn of(text: &Text, delimiter: u8) -> Option<Self> {
        let least = if matches!(delimiter, b'|' | b' ') {
            1
        } else {
            70
        };
        if text.counts[usize::from(delimiter)] < least {
            return None;
        }
        let mut fields = Self {
            delimiter,
            blank: None,
        };
        if delimiter != b' ' {
            fields.blank = fields.learned(text);
        }
        Some(fields)
    }

    /// The word of nearly a third of all fields that is no cell.
    fn learned(&self, text: &Text) -> Option<Vec<u8>> {
        let mut seen: Vec<(Vec<u8>, usize)> = Vec::new();
        let mut all = 0;
        for &line in &text.lines {
            let line = text.line(line);
            if all > LOOKED_AT {
                break;
            }
            let fields = self.split(line);
            if fields.len() < 9 || !line.iter().any(|&byte| is_clue(byte)) {
                continue;
            }
            all += fields.len();
            for field in fields.iter().filter(|field| value(field).is_none()) {
                let field = signs::trim(field);
                match seen.iter().position(|(word, _)| word == field) {
                    Some(at) => seen[at].1 += 1,
                    // The words of prose are no blanks.
                    None if seen.len() < 64 => seen.push((field.to_vec(), 1)),
                    None => {}
                }
            }
        }
        let (word, count) = seen.into_iter().max_by_key(|(_, count)| *count)?;
        let may_be = word.len() <= 12 && !word.iter().any(|&byte| is_clue(byte));
        (may_be && 10 * count >= 3 * all).then_some(word)
    }

    /// The fields of a line.
    fn split<'t>(&self, line: &'t [u8]) -> Vec<Cow<'t, [u8]>> {
        let mut line = line;
        match self.delimiter {
            b' ' => {
                let words = line.split(|&byte| signs::is_space(byte));
                let words = words.filter(|word| !word.is_empty());
                return words.map(Cow::Borrowed).collect();
            }
            b'|' => {
                line = signs::trim(line);
                line = line.strip_prefix(b"|").unwrap_or(line);
                line = line.strip_suffix(b"|").unwrap_or(line);
            }
            b'&' => {
                let end = memchr::memmem::find(line, br"\\");
                line = &line[..end.unwrap_or(line.len())];
            }
            _ => {}
        }
        if !line.contains(&b'"') {
            return line
                .split(|&byte| byte == self.delimiter)
                .map(Cow::Borrowed)
                .collect();
        }
        // Quotes as in CSV.
        let mut fields = Vec::new();
        let mut at = 0;
        loop {
            let rest = &line[at..];
            if rest.first() != Some(&b'"') {
                let end = memchr::memchr(self.delimiter, rest);
                fields.push(Cow::Borrowed(&rest[..end.unwrap_or(rest.len())]));
                match end {
                    Some(end) => at += end + 1,
                    None => return fields,
                }
                continue;
            }
            let mut field = Vec::new();
            let mut inner = 1;
            while let Some(length) = memchr::memchr(b'"', &rest[inner..]) {
                field.extend_from_slice(&rest[inner..inner + length]);
                inner += length + 1;
                if rest.get(inner) != Some(&b'"') {
                    break;
                }
                field.push(b'"');
                inner += 1;
            }
            let end = memchr::memchr(self.delimiter, &rest[inner.min(rest.len())..]);
            let stop = end.map_or(rest.len(), |end| inner + end);
            field.extend_from_slice(&rest[inner.min(stop)..stop]);
            fields.push(Cow::Owned(field));
            match end {
                Some(_) => at += stop + 1,
                None => return fields,
            }
        }
    }

    /// The cells of fields, with [`NO_CELL`] for what is none.
    fn cells(&self, fields: &[Cow<'_, [u8]>]) -> Vec<u8> {
        let is_learned = |field: &[u8]| {
            self.blank
                .as_ref()
                .is_some_and(|blank| signs::trim(field) == &blank[..])
        };
        let cell = |field: &Cow<'_, [u8]>| match value(field) {
            Some(cell) => cell,
            None if is_learned(field) => BLANK,
            None => NO_CELL,
        };
        fields.iter().map(cell).collect()
    }

    pub(super) fn name(&self) -> &'static str {
        match self.delimiter {
            b',' => "commas",
            b';' => "semicolons",
            b'\t' => "tabs",
            b'|' => "bars",
            b'&' => "ampersands",
            _ => "spaces",
        }
    }
}

/// A row of a table: nine or more fields.
struct TableRow {
    segment: u32,
    place: (usize, usize),
    cells: Vec<u8>,
    /// True for a field that is empty.
    empty: Vec<bool>,
    /// The bytes of a row of few fields, for gaps.
    fields: Vec<Vec<u8>>,
    divided: Dividers,
}

/// A table that is read.
pub(super) struct Table {
    pub(super) fields: Fields,
    wide: Vec<TableRow>,
    nine: Vec<TableRow>,
    /// The number of the first cell, if a header tells.
    pub(super) told: Option<usize>,
}

impl Table {
    pub(super) fn new(text: &Text, fields: Fields) -> Self {
        let (mut wide, mut nine) = (Vec::new(), Vec::new());
        let (mut segment, mut divided) = (0, Dividers::default());
        let mut told = None;
        for &line in &text.lines {
            let bytes = text.line(line);
            let split = fields.split(bytes);
            let cells = fields.cells(&split);
            let place = (line.start, line.end);
            if split.len() >= 81 {
                segment += 1;
                let others = cells.iter().filter(|&&cell| cell == NO_CELL).count();
                if told.is_none() && wide.len() < 3 && others >= 60 {
                    told = names_of_cells(&split);
                }
                wide.push(TableRow {
                    segment,
                    place,
                    cells,
                    empty: Vec::new(),
                    fields: Vec::new(),
                    divided: Dividers::default(),
                });
            } else if split.len() >= 9 {
                let is_rule_of_table = cells.iter().all(|&cell| cell == BLANK)
                    && split
                        .iter()
                        .any(|field| field.iter().any(|b| !b"0. '\"".contains(b)))
                    && split.iter().all(|field| field.iter().all(|&b| is_rule(b)));
                if is_rule_of_table {
                    divided.add(Dividers::RULE);
                    continue;
                }
                nine.push(TableRow {
                    segment,
                    place,
                    cells,
                    empty: split.iter().map(|field| is_blank(field)).collect(),
                    fields: split
                        .iter()
                        .map(|field| signs::trim(field).to_vec())
                        .collect(),
                    divided: std::mem::take(&mut divided),
                });
            } else if is_blank(bytes) {
                divided.add(Dividers::GAP);
            } else if bytes.iter().all(|&b| is_rule(b)) {
                divided.add(Dividers::RULE);
            } else {
                segment += 1;
            }
        }
        Self {
            fields,
            wide,
            nine,
            told,
        }
    }

    /// The number of fields of the longest of the first rows.
    pub(super) fn width(&self) -> usize {
        self.wide
            .iter()
            .take(60)
            .map(|row| row.cells.len())
            .max()
            .unwrap_or(0)
    }

    /// The places of the first of 81 cells, the likeliest first.
    pub(super) fn places_of_81(&self) -> Vec<usize> {
        if self.wide.is_empty() {
            return Vec::new();
        }
        if let Some(told) = self.told {
            return vec![told];
        }
        let places = 0..(self.width().max(80) - 80).min(400);
        let mut good: Vec<(u32, usize)> = Vec::new();
        for place in places {
            let rows = self.wide.iter().take(60);
            let worth: u32 = rows
                .filter_map(|row| row.cells.get(place..place + 81))
                .map(worth)
                .sum();
            if worth > 0 {
                good.push((worth, place));
            }
        }
        order::sort_by_key(&mut good, |&(worth, place)| {
            (std::cmp::Reverse(worth), place)
        });
        good.into_iter().take(3).map(|(_, place)| place).collect()
    }

    /// The grids of 81 columns from this one on.
    pub(super) fn grids_of_81(&self, place: usize) -> Vec<Found> {
        let grids = self.wide.iter().filter_map(|row| {
            let cells: [u8; 81] = row.cells.get(place..place + 81)?.try_into().ok()?;
            (!cells.contains(&NO_CELL)).then_some(Found {
                place: row.place,
                cells,
                key: 0,
            })
        });
        grids.collect()
    }

    /// The usual number of fields of a row of nine cells and perhaps others.
    fn usual_width(&self) -> usize {
        let mut counts = [0; 81];
        for row in &self.nine {
            counts[row.cells.len()] += 1;
        }
        let counts = counts.iter().enumerate();
        counts
            .max_by_key(|(width, count)| (**count, usize::MAX - width))
            .map_or(0, |(width, _)| width)
    }

    /// Whether rows with a digit have an empty field for a blank, and whether they have a blank at all.
    fn has_empty_cells(&self) -> (bool, bool) {
        let (mut empty, mut any) = (false, false);
        for row in self.nine.iter().take(200) {
            if row.cells.iter().any(|&cell| is_clue(cell)) {
                for (&cell, &is_empty) in row.cells.iter().zip(&row.empty) {
                    if cell == BLANK {
                        any = true;
                        empty |= is_empty;
                    }
                }
            }
        }
        (empty, any)
    }

    /// The rows of grids in these columns.
    fn rows(&self, columns: &[Columns], apart: bool, most: usize) -> Rows {
        let (has_empty, has_blanks) = self.has_empty_cells();
        let mut rows = Rows::default();
        for row in self.nine.iter().take(most) {
            rows.divide(row.divided);
            let cells: Option<Vec<_>> = columns
                .iter()
                .map(|columns| columns.of(&row.cells))
                .collect();
            let Some(cells) = cells.map(|cells| cells.concat()) else {
                continue;
            };
            if cells.contains(&NO_CELL) {
                continue;
            }
            let has_clue = cells.iter().any(|&cell| cell != BLANK);
            if !has_clue {
                let are_empty = columns.iter().all(|columns| columns.are(&row.empty));
                // An empty row between others whose blanks are written is no row.
                if apart || are_empty && !has_empty && has_blanks {
                    rows.divide(Dividers::GAP);
                    continue;
                }
            }
            let cost = if has_clue && !cells.starts_with(b"123456789") {
                0.2
            } else {
                0.03
            };
            rows.push(row.segment, (row.place.0, row.place.0), &cells, cost);
        }
        rows
    }

    /// The grids in these columns.
    pub(super) fn grids_of_nine(&self, nine: &Nine) -> Vec<Found> {
        self.rows(&nine.columns, nine.apart, usize::MAX)
            .grids(nine.grouping)
    }

    /// The ways to take nine columns for cells.
    pub(super) fn nines(&self) -> Vec<Nine> {
        let mut ways = Vec::new();
        if self.nine.len() < 9 {
            return ways;
        }
        let width = self.usual_width();
        let mut good: Vec<(i64, usize)> = Vec::new();
        for place in 0..(width.max(8) - 8).min(60) {
            let grids = self
                .rows(&[Columns::From(place)], false, 200)
                .grids(Grouping::EARLY);
            let worth: i64 = grids
                .iter()
                .map(|found| match Kind::of(&found.cells) {
                    Kind::Puzzle => 11,
                    Kind::Full => 10,
                    Kind::Few => 0,
                    Kind::Improper => -10,
                })
                .sum();
            if worth > 0 {
                good.push((worth, place));
            }
        }
        order::sort_by_key(&mut good, |&(worth, place)| {
            (std::cmp::Reverse(worth), place)
        });
        for place in 0..(width.max(10) - 10).min(8) {
            if !self.has_gaps(place, width) {
                continue;
            }
            for apart in [false, true] {
                let nine = Nine {
                    columns: vec![Columns::Gaps(place)],
                    apart,
                    grouping: Grouping::EARLY,
                };
                let grids = self.grids_of_nine(&nine);
                let proper = grids
                    .iter()
                    .filter(|f| Kind::of(&f.cells).is_proper())
                    .count();
                if 2 * proper > grids.len() {
                    ways.push(nine);
                }
            }
        }
        let best = good.first().map_or(0, |&(worth, _)| worth);
        let near: Vec<_> = good
            .iter()
            .filter(|(worth, _)| 10 * worth >= 7 * best)
            .map(|&(_, place)| place)
            .collect();
        let mut picked: Vec<usize> = Vec::new();
        for &place in &near {
            if picked.iter().all(|other| place.abs_diff(*other) >= 9) {
                picked.push(place);
            }
        }
        picked.sort_unstable();
        let mut all = Vec::new();
        if !picked.is_empty() {
            all.push(picked.clone());
        } else if width == 9 {
            all.push(vec![0]);
        }
        all.extend(
            near.iter()
                .take(3)
                .filter(|place| !picked.contains(place))
                .map(|&place| vec![place]),
        );
        let (has_empty, _) = self.has_empty_cells();
        let is_delimited = matches!(self.fields.delimiter, b',' | b';' | b'\t');
        for places in all {
            let columns: Vec<_> = places.into_iter().map(Columns::From).collect();
            if has_empty && is_delimited {
                ways.push(Nine {
                    columns: columns.clone(),
                    apart: true,
                    grouping: Grouping::EARLY,
                });
            }
            for (grouping, _) in self.rows(&columns, false, usize::MAX).both(9) {
                ways.push(Nine {
                    columns: columns.clone(),
                    apart: false,
                    grouping,
                });
            }
        }
        ways
    }

    /// Returns true if three and three and three columns have columns of one value between and around them.
    fn has_gaps(&self, place: usize, width: usize) -> bool {
        let rows = || {
            let rows = self.nine.iter().take(400);
            rows.filter(|row| row.cells.len() == width && row.cells.iter().any(|&c| is_clue(c)))
        };
        let Some(first) = rows().next() else {
            return false;
        };
        let gaps = [
            place.checked_sub(1),
            Some(place + 3),
            Some(place + 7),
            Some(place + 11),
        ];
        let mut gaps = gaps.into_iter().flatten().filter(|&gap| gap < width);
        gaps.all(|gap| {
            let value = &first.fields[gap];
            !value.iter().any(|&byte| is_clue(byte)) && rows().all(|row| row.fields[gap] == *value)
        })
    }
}

/// Nine columns of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    /// Side by side, from this one on.
    From(usize),
    /// Three, a gap, three, a gap and three, from this one on.
    Gaps(usize),
}

impl Columns {
    fn of<T: Copy>(self, fields: &[T]) -> Option<Vec<T>> {
        match self {
            Self::From(place) => fields.get(place..place + 9).map(<[T]>::to_vec),
            Self::Gaps(place) => (0..9)
                .map(|column| fields.get(place + column + column / 3).copied())
                .collect(),
        }
    }

    fn are(self, fields: &[bool]) -> bool {
        self.of(fields)
            .is_some_and(|fields| fields.into_iter().all(|is| is))
    }

    /// The first column, from 1.
    pub(super) fn first(self) -> usize {
        match self {
            Self::From(place) | Self::Gaps(place) => place + 1,
        }
    }
}

/// How nine columns become grids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nine {
    /// The columns of grids side by side.
    pub(super) columns: Vec<Columns>,
    /// True if empty rows are no rows.
    pub(super) apart: bool,
    pub(super) grouping: Grouping,
}

/// The worth of 81 cells at a place of a row.
fn worth(cells: &[u8]) -> u32 {
    let cells = cells.as_array().filter(|cells| !cells.contains(&NO_CELL));
    match cells.map(Kind::of) {
        Some(Kind::Puzzle) => 6,
        Some(Kind::Full) => 5,
        Some(Kind::Few | Kind::Improper) | None => 0,
    }
}

/// The place of 81 names of one shape in a header, such as `A1` to `I9` or `c0` to `c80`.
fn names_of_cells(names: &[Cow<'_, [u8]>]) -> Option<usize> {
    if names.len() <= 81 {
        return None;
    }
    let shape = |name: &Cow<'_, [u8]>| {
        let mut shape: Vec<u8> = Vec::new();
        for &byte in signs::trim(name) {
            let class = match byte {
                b'0'..=b'9' => b'9',
                byte if byte.is_ascii_alphabetic() => b'A',
                byte => byte,
            };
            if class != b'9' || shape.last() != Some(&b'9') {
                shape.push(class);
            }
        }
        shape
    };
    // Each shape has a number. The 81 names have one or two shapes, and the names around them others. A window over the
    // names counts the shapes: to sort those of each window took 95 ms for a line of 64 KiB.
    let mut numbers = BTreeMap::new();
    let shapes: Vec<usize> = names
        .iter()
        .map(|name| {
            let next = numbers.len();
            *numbers.entry(shape(name)).or_insert(next)
        })
        .collect();
    let (mut counts, mut kinds) = (vec![0; numbers.len()], 0);
    let mut places = Vec::new();
    for (at, &shape) in shapes.iter().enumerate() {
        counts[shape] += 1;
        kinds += usize::from(counts[shape] == 1);
        if let Some(before) = at.checked_sub(81) {
            let before = shapes[before];
            counts[before] -= 1;
            kinds -= usize::from(counts[before] == 0);
        }
        let Some(place) = (at + 1).checked_sub(81) else {
            continue;
        };
        let is_alike = |at: Option<usize>| {
            let shape = at.and_then(|at| shapes.get(at));
            shape.is_some_and(|&shape| counts[shape] > 0)
        };
        if kinds <= 2 && !is_alike(place.checked_sub(1)) && !is_alike(Some(place + 81)) {
            places.push(place);
        }
    }
    match places[..] {
        [place] => Some(place),
        _ => None,
    }
}
