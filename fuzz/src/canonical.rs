//! Canonical forms: of images, against the definition on a part of the symmetries.

use super::{material, oracle};
use arbitrary::{Result, Unstructured};
use sudoku_batch::{
    Grid, Puzzle,
    symmetry::{CanonicalGrid, CanonicalPuzzle, Transformation},
};

/// Finds the form of a grid and of a puzzle of it, and of images of both.
pub fn run(data: &[u8]) {
    let _ = try_run(&mut Unstructured::new(data));
}

fn try_run(from: &mut Unstructured<'_>) -> Result<()> {
    let cells = match from.int_in_range(0..=3u8)? {
        0 => material::grid(from)?,
        _ => solved(from)?,
    };
    let grid = Grid::from_ascii(&cells).expect("digits");
    let canonical = CanonicalGrid::new(&grid);
    let form = canonical.grid();
    check_form(from, &cells, &canonical)?;

    // The form of an image, which this module makes itself, is the same.
    let image = Grid::from_ascii(&material::image(from, &cells)?).expect("digits");
    let of_image = CanonicalGrid::new(&image);
    assert_eq!(of_image.grid(), form, "{grid} {image}");
    assert_eq!(of_image.automorphisms(), canonical.automorphisms());
    assert_eq!(CanonicalGrid::new(&form).grid(), form);

    // Puzzles: the form is one for all images, by a symmetry that is told.
    let kept = from.arbitrary::<u128>()?;
    let clue = |i: usize| if kept >> i & 1 == 1 { cells[i] } else { b'.' };
    let puzzle = Puzzle::from_ascii(&std::array::from_fn(clue)).expect("cells");
    let transformation = Transformation::numbered(from.arbitrary::<u64>()? % Transformation::COUNT);
    let of_puzzle = CanonicalPuzzle::new(&puzzle, &grid);
    let moved = CanonicalPuzzle::new(&transformation.puzzle(&puzzle), &transformation.grid(&grid));
    assert_eq!(of_puzzle.puzzle().clues(), moved.puzzle().clues());
    assert_eq!(of_puzzle.transformation().grid(&grid), form);
    assert_eq!(
        of_puzzle.transformation().puzzle(&puzzle),
        of_puzzle.puzzle().clues()
    );
    let images = canonical.transformations().map(|t| t.puzzle(&puzzle));
    let all: Vec<_> = images.collect();
    assert_eq!(all.iter().min(), Some(&of_puzzle.puzzle().clues()));
    let least = all
        .iter()
        .filter(|image| **image == of_puzzle.puzzle().clues())
        .count();
    assert_eq!(least as u64, of_puzzle.automorphisms());
    check_transformations(&transformation, &grid)
}

/// A grid: the smallest or another solution of a few clues.
fn solved(from: &mut Unstructured<'_>) -> Result<[u8; 81]> {
    let mut cells = [b'.'; 81];
    for _ in 0..12 {
        let cell = from.int_in_range(0..=80usize)?;
        let free = oracle::free(&cells, cell);
        let digits: Vec<u8> = (0..9).filter(|digit| free >> digit & 1 == 1).collect();
        if !digits.is_empty() {
            cells[cell] = b'1' + *from.choose(&digits)?;
        }
    }
    let found = oracle::solutions(&cells, 1).found;
    found
        .first()
        .copied()
        .map_or_else(|| material::grid(from), Ok)
}

/// The form is an image of the grid, and no larger than any image that begins with `123456789`
/// of some of the 2 * 9 * 1296 ways to choose the first row and the order of the columns. All
/// ways would take too long for each run.
fn check_form(from: &mut Unstructured<'_>, cells: &[u8; 81], found: &CanonicalGrid) -> Result<()> {
    let form = found.grid();
    assert!(oracle::is_grid(form.as_ascii()));
    for transformation in found.transformations() {
        assert_eq!(applied(transformation, cells), *form.as_ascii());
    }
    let steps = from.int_in_range(1..=40usize)?;
    for _ in 0..steps {
        let transposed = from.arbitrary()?;
        let row = from.int_in_range(0..=8usize)?;
        let columns = material::line_order(from)?;
        let image = smallest_image(cells, transposed, row, columns);
        assert!(
            form.as_ascii() <= &image,
            "{form} is larger than {}",
            image.escape_ascii()
        );
    }
    // No other order of the first two rows' columns is smaller either: what the form itself
    // becomes, transposed or not, with each of its rows first.
    for transposed in [false, true] {
        for row in 0..9 {
            let image =
                smallest_image(form.as_ascii(), transposed, row, std::array::from_fn(|i| i));
            assert!(form.as_ascii() <= &image);
        }
    }
    Ok(())
}

/// The smallest image with this row first and this order of the columns: both force the names
/// of the digits, and the other rows are sorted.
fn smallest_image(
    cells: &[u8; 81],
    transposed: bool,
    first: usize,
    columns: [usize; 9],
) -> [u8; 81] {
    let at = |row: usize, column: usize| match transposed {
        false => cells[9 * row + column],
        true => cells[9 * column + row],
    };
    let mut names = [0; 10];
    for (place, &column) in columns.iter().enumerate() {
        names[usize::from(at(first, column) - b'0')] = b'1' + place as u8;
    }
    let row = |row: usize| columns.map(|column| names[usize::from(at(row, column) - b'0')]);
    let mut bands: Vec<Vec<[u8; 9]>> = (0..3)
        .map(|band| {
            let mut rows: Vec<_> = (0..3).map(|i| row(3 * band + i)).collect();
            rows.sort_unstable();
            rows
        })
        .collect();
    bands.sort_unstable();
    let rows = bands.concat();
    std::array::from_fn(|cell| rows[cell / 9][cell % 9])
}

/// A transformation by its words, done cell by cell.
fn applied(transformation: &Transformation, cells: &[u8; 81]) -> [u8; 81] {
    let (rows, columns) = (transformation.rows(), transformation.columns());
    std::array::from_fn(|cell| {
        let (row, column) = (usize::from(rows[cell / 9]), usize::from(columns[cell % 9]));
        let from = match transformation.is_transposed() {
            false => 9 * row + column,
            true => 9 * column + row,
        };
        let digit = sudoku_batch::Digit::from_ascii(cells[from]).expect("a digit");
        transformation.digit(digit).to_ascii()
    })
}

/// A transformation as text, back, twice, and cell by cell.
fn check_transformations(transformation: &Transformation, grid: &Grid) -> Result<()> {
    let text = transformation.to_string();
    assert_eq!(text.parse::<Transformation>().as_ref(), Ok(transformation));
    let image = transformation.grid(grid);
    assert_eq!(applied(transformation, grid.as_ascii()), *image.as_ascii());
    assert_eq!(transformation.inverse().grid(&image), *grid);
    assert_eq!(
        transformation.then(&transformation.inverse()),
        Transformation::IDENTITY
    );
    let rest = text.replace('=', "");
    assert!(rest.parse::<Transformation>().is_err());
    Ok(())
}
