//! Rank and unrank: positions to grids and back, the order, shards, and the lines of a batch.

use super::{material, oracle};
use arbitrary::{Result, Unstructured};
use sudoku_batch::{
    Digit, Grid,
    generate::{CAPACITY, Grids, base_grids, shard},
};

/// Makes the grids around a few positions of a sequence.
pub fn run(data: &[u8]) {
    let _ = try_run(&mut Unstructured::new(data));
}

fn try_run(from: &mut Unstructured<'_>) -> Result<()> {
    let in_order = from.arbitrary()?;
    let sequence = match in_order {
        true => Grids::in_order(),
        false => Grids::seeded(from.arbitrary()?),
    };
    let digit = Digit::new(from.int_in_range(0..=20u8)?);
    let sequence = match digit {
        Some(digit) => sequence.with_first_digit(digit),
        None => sequence,
    };
    let capacity = sequence.count();
    assert_eq!(
        capacity,
        if digit.is_some() {
            CAPACITY / 9
        } else {
            CAPACITY
        }
    );
    let position = match from.arbitrary()? {
        true => from.int_in_range(0..=capacity - 1)?,
        // About where one block of grids ends and the next begins.
        false => (u64::from(from.arbitrary::<u32>()?) * 40_320 + 40_300).min(capacity - 1),
    };
    let count = u64::from(from.int_in_range(1..=70u8)?).min(capacity - position);
    let mut lines = vec![[0; 82]; count as usize];
    sequence.write_lines(position, &mut lines);
    let mut before: Option<Grid> = None;
    for (number, line) in (position..).zip(&lines) {
        let cells = line.first_chunk().expect("81 of 82");
        assert!(
            oracle::is_grid(cells) && line[81] == b'\n',
            "position {number}"
        );
        let grid = Grid::from_ascii(cells).expect("digits");
        assert!(digit.is_none_or(|digit| digit.to_ascii() == cells[0]));
        if in_order && let Some(before) = before {
            check_order(&before, &grid);
        }
        before = Some(grid);
        // Ranking is the dear part, so not all.
        if number % 16 == position % 16 {
            assert_eq!(sequence.grid(number), Some(grid));
            assert_eq!(sequence.position(&grid), Some(number));
        }
    }
    assert_eq!(sequence.grid(capacity), None);
    check_shards(from, capacity)?;
    check_any_grid(from, &sequence)
}

/// Neighbours in order: in the sequence of all grids the second comes later too, and within a
/// block of equal patterns their first rows ascend.
fn check_order(before: &Grid, grid: &Grid) {
    let all = Grids::in_order();
    assert!(all.position(before) < all.position(grid));
    let row = |grid: &Grid| grid.as_ascii()[..9].to_vec();
    let starts_block = row(grid).is_sorted() || row(grid)[1..].is_sorted();
    assert!(row(before) < row(grid) || starts_block, "{before} {grid}");
}

/// Shards leave nothing out and have nothing twice.
fn check_shards(from: &mut Unstructured<'_>, capacity: u64) -> Result<()> {
    let (a, b) = (
        from.int_in_range(0..=capacity)?,
        from.int_in_range(0..=capacity)?,
    );
    let range = a.min(b)..a.max(b);
    let count = from.int_in_range(1..=40u64)?;
    let mut end = range.start;
    for number in 1..=count {
        let part = shard(range.clone(), number, count);
        assert_eq!(part.start, end);
        let length = part.end - part.start;
        let share = (range.end - range.start) / count;
        assert!((share..=share + 1).contains(&length));
        end = part.end;
    }
    assert_eq!(end, range.end);
    Ok(())
}

/// An image of a base grid, which is in the sequence of all grids; a grid that may not be in
/// it; and 81 digits that may be no grid.
fn check_any_grid(from: &mut Unstructured<'_>, sequence: &Grids) -> Result<()> {
    let base = from.int_in_range(0..=255usize)?;
    let base = base_grids().nth(base).expect("256 base grids");
    let image = material::image(from, base.as_ascii())?;
    let mut other = material::grid(from)?;
    if from.int_in_range(0..=3u8)? == 0 {
        other[from.int_in_range(0..=80usize)?] = *from.choose(b"123456789")?;
    }
    for (cells, is_image) in [(image, true), (other, false)] {
        let grid = Grid::from_ascii(&cells).expect("digits");
        let position = Grids::in_order().position(&grid);
        assert!(position.is_some() || !is_image, "{grid}");
        assert!(position.is_none() || oracle::is_grid(&cells), "{grid}");
        let other = sequence.position(&grid);
        let has_first = sequence.grid(0).map(|first| first.as_ascii()[0]);
        if sequence.count() == CAPACITY || has_first == Some(cells[0]) {
            assert_eq!(other.is_some(), position.is_some(), "{grid}");
        } else {
            assert_eq!(other, None, "{grid}");
        }
        if let Some(position) = other {
            assert_eq!(sequence.grid(position), Some(grid));
        }
    }
    Ok(())
}
