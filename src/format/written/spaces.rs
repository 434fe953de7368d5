//! Grids whose blanks are spaces: the columns in which digits stand tell where the cells are.

use super::{
    evidence::{Found, Kind},
    group::{Dividers, Grouping, Rows},
    signs::{BLANK, is_clue, is_rule},
    text::{Text, is_blank},
};
use crate::order;

/// The columns of the nine cells of a row in a line: at `first`, and then each `stride`, with `gap` more between boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    first: usize,
    stride: usize,
    gap: usize,
}

impl Geometry {
    pub(super) fn columns(self) -> [usize; 9] {
        let column = |at: usize| self.first + self.stride * at + self.gap * (at / 3);
        std::array::from_fn(column)
    }

    /// The cells of a line, if every clue of the line is one of them.
    fn cells(self, line: &[u8]) -> Option<[u8; 9]> {
        let at = |column| line.get(column).copied().filter(|&byte| is_clue(byte));
        let cells = self.columns().map(|column| at(column).unwrap_or(BLANK));
        let clues = |text: &[u8]| text.iter().filter(|&&byte| is_clue(byte)).count();
        (clues(line) == clues(&cells)).then_some(cells)
    }
}

/// The kinds of lines without a digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Empty {
    /// Empty lines are no rows.
    Left,
    /// Empty lines are rows.
    Rows,
    /// Lines of spaces alone are rows, and empty lines are none.
    Spaces,
    /// Nine lines are a grid, and the next grid begins after this number of lines.
    Period { lines: usize, start: usize },
}

/// How a text with spaces for blanks is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spaced {
    pub(super) geometry: Geometry,
    pub(super) empty: Empty,
    pub(super) grouping: Grouping,
}

/// A line with spaces for tabs and without labels.
struct SpacedLine {
    place: usize,
    bytes: Vec<u8>,
    /// True if it has digits, spaces and bars alone.
    fits: bool,
    has_clue: bool,
}

/// The most lines that tell where cells are.
const LOOKED_AT: usize = 180;

/// The longest line of a drawing.
const LONGEST: usize = 120;

/// The lines of a text with spaces for blanks.
pub(super) struct SpacedLines(Vec<SpacedLine>);

fn is_bar(byte: u8) -> bool {
    matches!(byte, b'|' | b':' | b'!')
}

fn fits(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .all(|&byte| is_clue(byte) || byte == b' ' || is_bar(byte))
}

fn has_clue(bytes: &[u8]) -> bool {
    bytes.iter().any(|&byte| is_clue(byte))
}

impl SpacedLines {
    pub(super) fn new(text: &Text) -> Self {
        let mut lines: Vec<_> = text
            .lines
            .iter()
            .map(|&line| {
                let mut bytes = Vec::new();
                for &byte in text.line(line).iter().take(LONGEST + 1) {
                    match byte {
                        b'\t' => bytes.extend(b"    "),
                        byte => bytes.push(byte),
                    }
                }
                without_letter(&mut bytes);
                let fits = fits(&bytes);
                SpacedLine {
                    place: line.start,
                    has_clue: fits && has_clue(&bytes),
                    fits,
                    bytes,
                }
            })
            .collect();
        without_numbers(&mut lines);
        untrimmed(&mut lines);
        Self(lines)
    }

    fn with_clues(&self) -> impl Iterator<Item = &SpacedLine> {
        self.0
            .iter()
            .filter(|line| line.has_clue && line.bytes.len() < LONGEST)
    }

    /// The ways that fit the columns in which digits stand.
    pub(super) fn ways(&self) -> Vec<(Spaced, f64)> {
        let mut ways = Vec::new();
        let sampled: Vec<_> = self.with_clues().take(LOOKED_AT).collect();
        if sampled.len() < 6 {
            return ways;
        }
        let (mut clues, mut bars) = ([0u32; LONGEST], [0u32; LONGEST]);
        let mut width = 0;
        for line in &sampled {
            width = width.max(line.bytes.len());
            for (at, &byte) in line.bytes.iter().enumerate() {
                clues[at] += u32::from(is_clue(byte));
                bars[at] += u32::from(is_bar(byte));
            }
        }
        let is_bar_column = |at: usize| 2 * bars[at] as usize >= sampled.len();
        let barred: Vec<_> = (0..LONGEST).filter(|&at| is_bar_column(at)).collect();
        let geometries = geometries(&clues, &barred, width);
        let is_uncut = self.with_clues().any(|line| line.bytes.ends_with(b" "));
        for (geometry, asymmetry) in geometries {
            let cost = 2.0 + asymmetry.min(3) as f64;
            if barred.is_empty() {
                let mut regular = Vec::new();
                for lines in 9..13 {
                    for start in 0..=lines - 9 {
                        if let Some(found) = self.periodic(geometry, lines, start, is_uncut)
                            && (found.len() > 1 || self.filled().len() == 9)
                            && found.iter().all(|f| {
                                Kind::of(&f.cells) != Kind::Improper
                                    && Kind::of(&f.cells) != Kind::Few
                            })
                        {
                            regular.push((Empty::Period { lines, start }, found));
                        }
                    }
                }
                let cells = |found: &[Found]| found.iter().map(|f| f.cells).collect::<Vec<_>>();
                let is_only = regular
                    .windows(2)
                    .all(|two| cells(&two[0].1) == cells(&two[1].1));
                for (empty, _) in regular {
                    let spaced = Spaced {
                        geometry,
                        empty,
                        grouping: Grouping::EARLY,
                    };
                    ways.push((spaced, cost - if is_only { 20.0 } else { 0.0 }));
                }
            }
            let empties: &[Empty] = match (is_uncut, barred.is_empty()) {
                (true, _) => &[Empty::Left, Empty::Spaces],
                (false, true) => &[Empty::Left, Empty::Rows],
                (false, false) => &[Empty::Left],
            };
            for &empty in empties {
                let more = match empty {
                    Empty::Rows => 0.3,
                    Empty::Spaces => 0.6,
                    _ => 0.0,
                };
                for (at, (grouping, _)) in
                    self.rows(geometry, empty).both(9).into_iter().enumerate()
                {
                    let spaced = Spaced {
                        geometry,
                        empty,
                        grouping,
                    };
                    ways.push((spaced, cost + more + 0.5 * at as f64));
                }
            }
        }
        ways
    }

    /// The findings of a way.
    pub(super) fn grids(&self, way: Spaced) -> Vec<Found> {
        match way.empty {
            Empty::Period { lines, start } => {
                let is_uncut = self.with_clues().any(|line| line.bytes.ends_with(b" "));
                self.periodic(way.geometry, lines, start, is_uncut)
                    .unwrap_or_default()
            }
            empty => self.rows(way.geometry, empty).grids(way.grouping),
        }
    }

    fn rows(&self, geometry: Geometry, empty: Empty) -> Rows {
        let mut rows = Rows::default();
        let mut segment = 0;
        for line in &self.0 {
            if line.has_clue {
                match geometry.cells(&line.bytes) {
                    Some(cells) => {
                        let cost = if cells == *b"123456789" { 0.05 } else { 0.2 };
                        rows.push(segment, (line.place, line.place), &cells, cost);
                    }
                    None if empty == Empty::Left => {}
                    None => segment += 1,
                }
            } else if is_blank(&line.bytes) {
                if empty == Empty::Rows || empty == Empty::Spaces && !line.bytes.is_empty() {
                    rows.push(segment, (line.place, line.place), &[BLANK; 9], 0.01);
                } else {
                    rows.divide(Dividers::GAP);
                }
            } else if line.fits {
                rows.push(segment, (line.place, line.place), &[BLANK; 9], 0.1);
            } else if line.bytes.iter().all(|&byte| is_rule(byte)) {
                rows.divide(Dividers::RULE);
            } else {
                segment += 1;
            }
        }
        rows
    }

    /// The lines without the end of the last.
    fn filled(&self) -> &[SpacedLine] {
        match &self.0[..] {
            [lines @ .., last] if last.bytes.is_empty() => lines,
            lines => lines,
        }
    }

    /// The grids of nine lines at a distance.
    fn periodic(
        &self,
        geometry: Geometry,
        lines: usize,
        start: usize,
        is_uncut: bool,
    ) -> Option<Vec<Found>> {
        let all = self.filled();
        let rest = all.len().checked_sub(start)?;
        let grids = (rest + lines - 9) / lines;
        if grids == 0 || (lines == 9 && start > 0) {
            return None;
        }
        let after = rest as i64 - (grids * lines) as i64 + (lines as i64 - 9);
        if after < 0 || after > lines as i64 - 9 || all[..start].iter().any(|line| line.has_clue) {
            return None;
        }
        let mut found = Vec::new();
        for grid in 0..grids {
            let at = start + grid * lines;
            let mut cells = [BLANK; 81];
            for (row, line) in cells.chunks_mut(9).zip(&all[at..at + 9]) {
                if !line.fits || is_uncut && line.bytes.is_empty() {
                    return None;
                }
                row.copy_from_slice(&geometry.cells(&line.bytes)?);
            }
            let gap = &all[(at + 9).min(all.len())..(at + lines).min(all.len())];
            if gap.iter().any(|line| line.has_clue) {
                return None;
            }
            found.push(Found {
                place: (all[at].place, all[at + 8].place),
                cells,
                key: 0,
            });
        }
        Some(found)
    }
}

/// Makes spaces of the letter of a row before its cells.
fn without_letter(bytes: &mut [u8]) {
    let start = bytes.len() - bytes.trim_ascii_start().len();
    let [letter, rest @ ..] = &bytes[start..] else {
        return;
    };
    if !matches!(letter, b'A'..=b'I' | b'a'..=b'i' | b'R' | b'r') {
        return;
    }
    let digits = usize::from(rest.first().is_some_and(u8::is_ascii_digit));
    if matches!(rest.get(digits), Some(b' ' | b'.' | b':' | b')' | b'|'))
        && fits(&rest[digits + 1..])
    {
        bytes[start..=start + digits].fill(b' ');
    }
}

/// Makes spaces of the numbers of rows, if they count.
fn without_numbers(lines: &mut [SpacedLine]) {
    let label = |line: &SpacedLine| {
        let start = line.bytes.len() - line.bytes.trim_ascii_start().len();
        let is_spaced = line
            .bytes
            .iter()
            .any(|&byte| !is_clue(byte) && byte != b' ');
        let is_label = line.fits
            && (is_spaced || line.has_clue)
            && line.bytes.get(start).is_some_and(|&byte| is_clue(byte))
            && line
                .bytes
                .get(start + 1)
                .is_some_and(|byte| b" |.:)".contains(byte));
        is_label.then(|| (start, line.bytes[start] - b'0'))
    };
    let labels: Vec<_> = lines.iter().map(label).collect();
    let numbers: Vec<_> = labels.iter().flatten().map(|&(_, number)| number).collect();
    let steps = numbers
        .windows(2)
        .filter(|two| (two[1] + 9 - two[0]) % 9 == 1)
        .count();
    if numbers.len() < 9 || 10 * steps < 8 * (numbers.len() - 1) {
        return;
    }
    for (line, label) in lines.iter_mut().zip(labels) {
        let digits = line
            .bytes
            .iter()
            .filter(|byte| !matches!(byte, b' ' | b'|'));
        let is_header = digits.copied().eq(*b"123456789");
        if let Some((at, _)) = label
            && !is_header
        {
            line.bytes[at] = b' ';
            line.has_clue = has_clue(&line.bytes);
        }
    }
}

/// Moves the first line to the right if its spaces were cut off, as those before an argument are.
fn untrimmed(lines: &mut [SpacedLine]) {
    let Some((first, others)) = lines.split_first_mut() else {
        return;
    };
    let last = others.len().saturating_sub(1);
    let widths: Vec<_> = others[..last]
        .iter()
        .filter(|line| line.has_clue)
        .map(|line| line.bytes.len())
        .collect();
    if let Some(&width) = widths.first()
        && widths.len() >= 5
        && widths.iter().all(|&other| other == width)
        && first.has_clue
        && first.bytes[0] != b' '
        && first.bytes.len() < width
    {
        let missing = width - first.bytes.len();
        first.bytes.splice(0..0, std::iter::repeat_n(b' ', missing));
    }
}

/// The geometries that hold the most clues, and how far each is from the middle of the lines.
fn geometries(clues: &[u32], barred: &[usize], width: usize) -> Vec<(Geometry, usize)> {
    let is_used = |&at: &usize| clues[at] > 0;
    let Some(low) = (0..LONGEST).find(is_used) else {
        return Vec::new();
    };
    let high = (0..LONGEST).rfind(is_used).unwrap_or(low);
    let all: u32 = clues.iter().sum();
    let mut fitting = Vec::new();
    for stride in 1..7 {
        for gap in 0..6 {
            let span = 8 * stride + 2 * gap;
            for first in high.saturating_sub(span + 2 * stride)..=low + 2 {
                let geometry = Geometry { first, stride, gap };
                let columns = geometry.columns();
                if barred.iter().any(|bar| columns.contains(bar)) {
                    continue;
                }
                let of_columns = columns.iter().filter_map(|&column| clues.get(column));
                let held: u32 = of_columns.clone().sum();
                if 10 * held < 9 * all {
                    continue;
                }
                let [left, right] = [columns[0], columns[8]];
                let between = |at: usize, bar: usize| columns[at] < bar && bar < columns[at + 1];
                let of_boxes = |bar: &usize| between(2, *bar) || between(5, *bar);
                let inner: Vec<_> = barred
                    .iter()
                    .copied()
                    .filter(|&bar| left < bar && bar < right)
                    .collect();
                let has_both = [2, 5]
                    .iter()
                    .all(|&at| inner.iter().any(|&bar| between(at, bar)));
                if gap > 0 && !inner.is_empty() && !has_both
                    || barred.iter().filter(|&&bar| bar < left).count() > 1
                    || barred.iter().filter(|&&bar| bar > right).count() > 1
                    || inner.len() < 8 && !inner.iter().all(of_boxes)
                {
                    continue;
                }
                let used = of_columns.filter(|&&count| count > 0).count();
                let asymmetry = match width.checked_sub(1 + right) {
                    Some(rest) => rest.abs_diff(first),
                    None => 3,
                };
                fitting.push(((all - held, 9 - used, asymmetry, gap, first), geometry));
            }
        }
    }
    order::sort_by_key(&mut fitting, |&(order, _)| order);
    let best = fitting.first().map(|(order, _)| order.0);
    let best = fitting.iter().filter(|(order, _)| Some(order.0) == best);
    best.take(4)
        .map(|&(order, geometry)| (geometry, order.2))
        .collect()
}
