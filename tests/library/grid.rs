//! Cells, houses and peers by the rule of Sudoku, and clues that contradict each other.

use std::collections::HashSet;
use sudoku_batch::{
    Cell, Digit, Grid, HouseKind, Puzzle,
    grid::{AnyPuzzle, HOUSE_CELLS, House, PEERS},
};

#[test]
fn houses_obey_the_rule() {
    for (i, house) in HOUSE_CELLS.iter().enumerate() {
        let expected: Vec<u8> = Cell::all()
            .filter(|c| [c.row(), c.column(), c.box_index()][i / 9] == i % 9)
            .map(|c| c.index() as u8)
            .collect();
        assert_eq!(house.as_slice(), expected);
    }
}

#[test]
fn peers_share_a_house() {
    for cell in Cell::all() {
        let expected: Vec<u8> = (0..81u8)
            .filter(|&other| {
                usize::from(other) != cell.index()
                    && HOUSE_CELLS
                        .iter()
                        .any(|h| h.contains(&other) && h.contains(&(cell.index() as u8)))
            })
            .collect();
        assert_eq!(PEERS[cell.index()].as_slice(), expected);
    }
}

/// A grid is valid if no digit comes twice in a house, and one of a puzzle if each cell with a clue has its digit.
#[test]
fn grids_are_checked_house_by_house() {
    let solved =
        *b"496528713875143692132967854314289576729654381568731429687492135943815267251376948";
    let mut grids: HashSet<[u8; 81]> = [solved].into();
    // Another digit breaks three houses. Two cells that change places break columns, rows or boxes alone.
    for cell in 0..81 {
        grids.extend((b'1'..=b'9').map(|digit| {
            let mut grid = solved;
            grid[cell] = digit;
            grid
        }));
        grids.extend((0..cell).map(|other| {
            let mut grid = solved;
            grid.swap(cell, other);
            grid
        }));
    }
    // Whole lines that change places leave a grid valid, or break boxes alone.
    for (one, other) in [(0, 1), (0, 3), (2, 7)] {
        let (mut rows, mut columns) = (solved, solved);
        for place in 0..9 {
            rows.swap(9 * one + place, 9 * other + place);
            columns.swap(9 * place + one, 9 * place + other);
        }
        grids.extend([rows, columns]);
    }
    let mut valid = 0;
    for cells in grids {
        let grid = Grid::from_ascii(&cells).unwrap();
        let is_valid = HOUSE_CELLS.iter().all(|house| {
            let digits: HashSet<u8> = house.iter().map(|&cell| cells[usize::from(cell)]).collect();
            digits.len() == 9
        });
        assert_eq!(grid.is_valid(), is_valid, "{grid}");
        valid += u32::from(is_valid);
        for step in [1, 2, 40] {
            let mut puzzle = Puzzle::EMPTY;
            for cell in Cell::all().step_by(step) {
                puzzle.set(cell, Digit::new(solved[cell.index()] - b'0'));
            }
            let allows = (0..81)
                .step_by(step)
                .all(|cell| cells[cell] == solved[cell]);
            assert_eq!(AnyPuzzle::from(puzzle).allows(&grid), allows, "{grid}");
            assert_eq!(grid.is_solution_of(puzzle), is_valid && allows, "{grid}");
        }
    }
    assert_eq!(
        valid, 3,
        "the grid itself, and with two rows or columns of a band or stack changed"
    );
}

#[test]
fn conflicts_are_looked_for_in_rows_then_columns_then_boxes() {
    let conflict = |cells: &[(usize, usize, u8)]| {
        let mut puzzle = Puzzle::EMPTY;
        for &(row, column, digit) in cells {
            puzzle.set(Cell::at(row, column), Digit::new(digit));
        }
        puzzle.conflict().map(|c| (c.house, c.to_string()))
    };
    assert_eq!(conflict(&[(0, 0, 1), (1, 3, 1), (5, 8, 1)]), None);
    let in_box = (0, 0, 1);
    assert_eq!(
        conflict(&[in_box, (1, 1, 1)]),
        Some((HouseKind::Box, "1 at r1c1 and r2c2".into()))
    );
    assert_eq!(
        conflict(&[in_box, (1, 1, 1), (7, 1, 1)]),
        Some((HouseKind::Column, "1 at r2c2 and r8c2".into()))
    );
    assert_eq!(
        conflict(&[in_box, (1, 1, 1), (7, 1, 1), (8, 0, 9), (8, 8, 9)]),
        Some((HouseKind::Row, "9 at r9c1 and r9c9".into()))
    );
}

#[test]
fn a_house_holds_its_cells() {
    for house in House::all() {
        for cell in Cell::all() {
            assert_eq!(house.contains(cell), house.cells().contains(&cell));
        }
        assert!(House::all_of(house.kind()).any(|other| other == house));
        assert_eq!(House::new(house.index()), Some(house));
    }
    assert_eq!(House::new(27), None);
}
