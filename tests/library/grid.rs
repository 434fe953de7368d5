//! Cells, houses and peers by the rule of Sudoku, and clues that contradict each other.

use sudoku_batch::{
    Cell, Digit, HouseKind, Puzzle,
    grid::{HOUSE_CELLS, House, PEERS},
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
