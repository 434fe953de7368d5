//! Grids in any text: places are in order, and cells are there; a grid that is put behind any text is found.

use super::material;
use sudoku_batch::{Puzzle, format::prose};

/// Looks for the grids of a text, and of the same text with another one behind it.
pub fn run(data: &[u8]) {
    let text = material::text(data);
    let found = grids(&text);
    let mut end = 0;
    for (start, next, grid) in &found {
        assert!(end <= *start && start < next && *next <= text.len());
        // Each digit of the grid is in the text, in its order.
        let mut cells = text[*start..*next].iter();
        for digit in grid.as_ascii().iter().filter(|cell| cell.is_ascii_digit()) {
            assert!(cells.any(|cell| cell == digit), "{}", text.escape_ascii());
        }
        end = *next;
    }
    let last = Puzzle::from_ascii(material::PUZZLES[data.len() % 6]).expect("a puzzle");
    let rows = last
        .as_ascii()
        .chunks(9)
        .map(|row| row.escape_ascii().to_string());
    let rows: Vec<_> = rows.collect();
    for behind in [
        format!("\n\nThe answer\n{}\n", rows.join("\n")),
        format!("\n\nThe answer <answer>{last}</answer>\n"),
        format!("\n\nThe answer\n[\"{}\"]\n", rows.join("\", \"")),
    ] {
        let more = [&text, behind.as_bytes()].concat();
        let all = grids(&more);
        let (_, _, grid) = all.last().expect("a grid");
        assert_eq!(*grid, last, "{}", more.escape_ascii());
    }
}

fn grids(text: &[u8]) -> Vec<(usize, usize, Puzzle)> {
    let mut found = Vec::new();
    prose::each_grid(text, |place, grid| {
        found.push((place.start, place.end, grid))
    });
    found
}
