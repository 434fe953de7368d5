//! The check of `--verify` at every level, against the rules cell by cell.

use super::{material, oracle};
use arbitrary::{Result, Unstructured};
use sudoku_batch::{Level, verify};

/// Checks a few grids and solutions, most of them with something wrong.
pub fn run(data: &[u8]) {
    let _ = try_run(&mut Unstructured::new(data));
}

fn try_run(from: &mut Unstructured<'_>) -> Result<()> {
    let (mut puzzles, mut lines) = (Vec::new(), Vec::new());
    for _ in 0..from.int_in_range(0..=20u8)? {
        let (puzzle, line) = puzzle_and_line(from)?;
        puzzles.push(puzzle);
        lines.push(line);
    }
    let is_grid = |line: &[u8; 82]| oracle::is_grid(cells(line)) && line[81] == b'\n';
    let none = [&[b'.'; 81][..], b"\n"].concat();
    let is_solution = |(puzzle, line): (&[u8; 81], &[u8; 82])| {
        let has_clues = (0..81).all(|i| !matches!(puzzle[i], b'1'..=b'9') || puzzle[i] == line[i]);
        line[..] == none || is_grid(line) && has_clues
    };
    let wrong_grid = lines.iter().position(|line| !is_grid(line));
    let wrong_solution = puzzles
        .iter()
        .zip(&lines)
        .position(|pair| !is_solution(pair));
    for level in Level::available() {
        assert_eq!(verify::wrong_grid(level, &lines), wrong_grid, "{level}");
        let found = verify::wrong_solution(level, &puzzles, &lines);
        assert_eq!(found, wrong_solution, "{level}");
    }
    Ok(())
}

fn cells(line: &[u8; 82]) -> &[u8; 81] {
    line.first_chunk().expect("81 of 82")
}

/// A grid as a line and a puzzle of it; then a few changes to both, of all kinds.
fn puzzle_and_line(from: &mut Unstructured<'_>) -> Result<([u8; 81], [u8; 82])> {
    let grid = match from.int_in_range(0..=9u8)? {
        0 => [b'.'; 81],
        1 => from.arbitrary()?,
        _ => material::grid(from)?,
    };
    let kept = from.arbitrary::<u128>()?;
    let mut puzzle: [u8; 81] =
        std::array::from_fn(|i| if kept >> i & 1 == 1 { grid[i] } else { b'.' });
    let mut line = [b'\n'; 82];
    line[..81].copy_from_slice(&grid);
    for _ in 0..from.int_in_range(0..=3u8)? {
        let (a, b) = (
            from.int_in_range(0..=81usize)?,
            from.int_in_range(0..=80usize)?,
        );
        match from.int_in_range(0..=5u8)? {
            0 => line[a] = from.arbitrary()?,
            1 => line[b] = *from.choose(b"123456789")?,
            2 => line.swap(b, from.int_in_range(0..=80usize)?),
            // Digits that change places everywhere: still a grid, but of another puzzle.
            3 => {
                let (x, y) = (*from.choose(b"123456789")?, *from.choose(b"123456789")?);
                for cell in &mut line {
                    *cell = if *cell == x {
                        y
                    } else if *cell == y {
                        x
                    } else {
                        *cell
                    };
                }
            }
            4 => puzzle[b] = from.arbitrary()?,
            _ => puzzle[b] = *from.choose(b"123456789.0")?,
        }
    }
    Ok((puzzle, line))
}
