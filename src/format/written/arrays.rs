//! Readings of arrays in brackets of any kind.

use super::{
    evidence::Found,
    group::{Dividers, Grouping, Rows},
    signs::{self, is_cell, value},
    text::Text,
};
use crate::order;

/// The lengths of what is in the innermost brackets of a row or of a grid.
const INNERMOST: std::ops::RangeInclusive<usize> = 9..=3000;

/// The places of what is in innermost brackets.
fn innermost(text: &Text) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut opened = None;
    for (at, byte) in text.bytes.iter().enumerate() {
        match byte {
            b'[' | b'(' | b'{' => opened = Some(at + 1),
            b']' | b')' | b'}' => {
                if let Some(start) = opened.take()
                    && INNERMOST.contains(&(at - start))
                {
                    found.push((start, at));
                }
            }
            _ => {}
        }
    }
    found
}

fn is_space(byte: u8) -> bool {
    signs::is_space(byte) || byte == b'\n'
}

/// The values of all fields, if they are cells.
fn values(fields: &[&[u8]]) -> Option<Vec<u8>> {
    fields
        .iter()
        .map(|field| value(signs::trim_of(field, is_space)))
        .collect()
}

/// The cells of a row that is nine digits with a comma and perhaps a space between. Most rows are such.
fn plain_row(inner: &[u8]) -> Option<[u8; 9]> {
    let mut cells = [0; 9];
    let mut rest = inner;
    for (at, cell) in cells.iter_mut().enumerate() {
        let [digit @ b'0'..=b'9', after @ ..] = rest else {
            return None;
        };
        *cell = signs::cell(*digit);
        rest = match after {
            [b',', b' ', next @ ..] | [b',', next @ ..] if at < 8 => next,
            [] if at == 8 => after,
            _ => return None,
        };
    }
    Some(cells)
}

/// Whether the text between two rows is more than what separates rows of one grid: words, or the brackets of two grids.
fn divides(between: &[u8]) -> bool {
    let is_closing = |byte: &&u8| matches!(byte, b']' | b')' | b'}');
    between.iter().any(|&byte| signs::is_word(byte))
        || between.iter().filter(is_closing).count() > 1
}

/// The rows of nine and the whole grids in brackets.
pub(super) struct Arrays {
    rows: Rows,
    grids: Vec<Found>,
}

impl Arrays {
    pub(super) fn new(text: &Text) -> Self {
        let (mut rows, mut grids) = (Rows::default(), Vec::new());
        let mut behind = 0;
        for (start, end) in innermost(text) {
            if divides(&text.bytes[behind..start]) {
                rows.divide(Dividers::GAP);
            }
            behind = end;
            if let Some(cells) = plain_row(&text.bytes[start..end]) {
                let has_clue = cells.iter().any(|&cell| cell != signs::BLANK);
                rows.push(0, (start, end), &cells, if has_clue { 0.2 } else { 0.1 });
                continue;
            }
            let inner = signs::trim_of(&text.bytes[start..end], is_space);
            let inner = signs::trim_of(inner, |byte| matches!(byte, b',' | b';') || is_space(byte));
            let has_delimiters = inner.iter().any(|byte| matches!(byte, b',' | b';'));
            let words = |of: fn(&u8) -> bool| -> Vec<&[u8]> {
                let words = inner.split(of);
                words.filter(|word| !word.is_empty()).collect()
            };
            let apart: fn(&u8) -> bool = |byte| is_space(*byte) || matches!(byte, b',' | b';');
            let mut fields = if has_delimiters {
                inner.split(|byte| matches!(byte, b',' | b';')).collect()
            } else {
                words(|byte| is_space(*byte))
            };
            let mut push = |cells: &[u8]| {
                grids.push(Found {
                    place: (start, end),
                    cells: cells.try_into().expect("81 cells"),
                    key: 0,
                });
            };
            if fields.len() == 9 {
                if let Some(cells) = values(&fields) {
                    let has_clue = cells.iter().any(|&cell| cell != signs::BLANK);
                    rows.push(0, (start, end), &cells, if has_clue { 0.2 } else { 0.1 });
                    continue;
                }
                let is_outer = |byte| is_space(byte) || matches!(byte, b'"' | b'\'' | b'`');
                let of_rows = fields.iter().map(|field| signs::trim_of(field, is_outer));
                let of_rows: Vec<_> = of_rows.collect();
                if of_rows
                    .iter()
                    .all(|row| row.len() == 9 && row.iter().all(|&b| is_cell(b)))
                {
                    let cells: Vec<_> = of_rows.concat().into_iter().map(signs::cell).collect();
                    push(&cells);
                    continue;
                }
                fields = words(apart);
            } else if fields.len() != 81 && inner.len() > 160 {
                fields = words(apart);
            }
            if fields.len() == 81
                && let Some(cells) = values(&fields)
            {
                push(&cells);
            }
        }
        Self { rows, grids }
    }

    /// The kind of the arrays.
    pub(super) fn grids(&self, grouping: Grouping) -> Vec<Found> {
        let mut found = self.grids.clone();
        found.extend(self.rows.grids(grouping));
        order::sort_by_key(&mut found, |found| found.place);
        found
    }

    /// Returns true if the order of rows can be understood in two ways.
    pub(super) fn is_open(&self) -> bool {
        self.rows.len() >= 9 && self.rows.both(9).len() > 1
    }
}
