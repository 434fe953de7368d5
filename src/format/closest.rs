//! The part of a text of unknown format that comes closest to a puzzle, for the message.

use super::is_cell;
use crate::{grid::CELLS, stop};

/// The sizes of grids of other games, and nine for a grid that lacks rows or has too many.
const SIZES: [usize; 8] = [4, 6, 8, 9, 10, 12, 16, 25];

/// The fewest and the most cells that are taken for a damaged puzzle.
const DAMAGED: std::ops::RangeInclusive<usize> = 41..=2 * CELLS;

/// Says which lines come closest to a puzzle, and what they lack.
pub(super) fn closest(text: &[u8]) -> Option<String> {
    // Its distance to 81 cells, its line, and its cells.
    let mut run: Option<(usize, usize, usize)> = None;
    let mut rows = Rows::default();
    let mut grids = Vec::new();
    let mut number = 0;
    for line in text.split(|&byte| byte == b'\n') {
        stop::check();
        number += 1;
        let line = line.trim_ascii();
        for cells in line.split(|&byte| !is_cell(byte)).map(<[u8]>::len) {
            let distance = cells.abs_diff(CELLS);
            if cells != CELLS
                && DAMAGED.contains(&cells)
                && run.is_none_or(|(least, ..)| distance < least)
            {
                run = Some((distance, number, cells));
            }
        }
        let width = width(line);
        if width != rows.width {
            grids.extend(rows.grid());
            rows = Rows {
                width,
                first: number,
                count: 0,
            };
        }
        rows.count += 1;
    }
    grids.extend(rows.grid());
    if let Some((_, line, cells)) = run {
        return Some(format!(
            "line {line} comes closest, with {cells} of {CELLS} cells"
        ));
    }
    grids.into_iter().next()
}

/// Rows of cells, one below the other.
#[derive(Default)]
struct Rows {
    /// The cells of each, or 0 for other lines.
    width: usize,
    /// The number of the first line.
    first: usize,
    count: usize,
}

impl Rows {
    /// The rows in words, if they look like a grid.
    fn grid(&self) -> Option<String> {
        let Self {
            width,
            first,
            count,
        } = *self;
        let is_grid = SIZES.contains(&width)
            && match [width, count] {
                [9, 9] => false,
                [9, rows] => rows > 4,
                [_, 9] => true,
                [width, rows] => width == rows,
            };
        let last = first + count.saturating_sub(1);
        is_grid.then(|| {
            format!(
                "lines {first} to {last} come closest, with {count} rows of {width} cells, and a puzzle has 9 rows of 9"
            )
        })
    }
}

/// The number of cells in a line that has nothing else but bars, commas and spaces.
fn width(line: &[u8]) -> usize {
    let is_between = |byte: &u8| matches!(byte, b' ' | b'\t' | b'|' | b',' | b';');
    let mut words = line.split(is_between).filter(|word| !word.is_empty());
    let is_of_cells = |word: &[u8]| word.iter().all(|&byte| is_cell(byte));
    match (words.next(), words.next()) {
        (Some(word), None) if is_of_cells(word) => word.len(),
        (Some(first), Some(second)) if [first, second].into_iter().all(is_of_cells) => {
            match words.clone().all(is_of_cells) {
                true => 2 + words.count(),
                false => 0,
            }
        }
        _ => 0,
    }
}
