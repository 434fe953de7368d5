//! Pictures of puzzles as text.

use crate::support::puzzles::PUZZLES;
use std::collections::BTreeSet;
use sudoku_batch::{
    Cell, Digit, Puzzle,
    draw::{Picture, Square},
    grid::Digits,
};
use sudoku_batch_cli::lattice::{Canvas, Charset, Ground, Ink, Lattice, Scale};

const CLUES: &str = PUZZLES[0];

fn puzzle(text: &str) -> Puzzle {
    text.parse().unwrap()
}

fn lattice(scale: Scale, charset: Charset) -> Lattice {
    Lattice::new(scale, charset)
}

#[test]
fn a_small_grid_is_drawn_in_unicode_and_ascii() {
    let picture = Picture::new(&puzzle(CLUES));
    let drawn = lattice(Scale::Small, Charset::Unicode).draw(&picture);
    let expected = "\
┌───────┬───────┬───────┐
│ 4 . . │ 5 2 . │ 7 . 3 │
│ . . . │ . . 3 │ . . . │
│ 1 . . │ . . 7 │ . . . │
├───────┼───────┼───────┤
│ . 1 4 │ . . . │ . . 6 │
│ 7 . . │ . 5 . │ . . 1 │
│ 5 . . │ . . . │ 4 2 . │
├───────┼───────┼───────┤
│ . . . │ 4 . . │ . . 5 │
│ . . . │ 8 . . │ . . . │
│ 2 . 1 │ . 7 6 │ . . 8 │
└───────┴───────┴───────┘
";
    assert_eq!(drawn.to_string(), expected);
    let ascii = lattice(Scale::Small, Charset::Ascii).draw(&picture);
    let plain = |c| match c {
        '─' => '-',
        '│' => '|',
        c if c.is_ascii() => c,
        _ => '+',
    };
    assert_eq!(
        ascii.to_string(),
        expected.chars().map(plain).collect::<String>()
    );
    let labelled = lattice(Scale::Small, Charset::Unicode).with_labels();
    let labelled = labelled.draw(&picture).to_string();
    let lines: Vec<_> = labelled.lines().collect();
    assert_eq!(lines[0], "    1 2 3   4 5 6   7 8 9");
    assert_eq!(lines[3], "2 │ . . . │ . . 3 │ . . . │");
    assert_eq!(lines[4], "3 │ 1 . . │ . . 7 │ . . . │");
}

#[test]
fn marks_are_drawn_where_there_is_room() {
    let puzzle = puzzle(CLUES);
    let picture = Picture::new(&puzzle).with_candidates(&puzzle);
    // The first row: r1c2 has 6, 8 and 9, as its row lacks 1, 6, 8 and 9 and column 2 has a
    // 1; r1c3 has 6, 8 and 9 as column 3 has a 1; r1c6 has 1, 8 and 9, as column 6 has a 6;
    // r1c8 has 1, 6, 8 and 9.
    let large = lattice(Scale::Large, Charset::Unicode)
        .draw(&picture)
        .to_string();
    let lines: Vec<_> = large.lines().take(5).collect();
    assert_eq!(
        lines,
        [
            "┏━━━━━━━┯━━━━━━━┯━━━━━━━┳━━━━━━━┯━━━━━━━┯━━━━━━━┳━━━━━━━┯━━━━━━━┯━━━━━━━┓",
            "┃       │       │       ┃       │       │ 1     ┃       │ 1     │       ┃",
            "┃   4   │     6 │     6 ┃   5   │   2   │       ┃   7   │     6 │   3   ┃",
            "┃       │   8 9 │   8 9 ┃       │       │   8 9 ┃       │   8 9 │       ┃",
            "┠───────┼───────┼───────╂───────┼───────┼───────╂───────┼───────┼───────┨",
        ]
    );
    let medium = lattice(Scale::Medium, Charset::Ascii)
        .draw(&picture)
        .to_string();
    let lines: Vec<_> = medium.lines().take(3).collect();
    assert_eq!(
        lines,
        [
            "+------------------+------------------+------------------+",
            "|  4               |  5     2   1     |  7   1       3   |",
            "|      6 89  6 89  |              89  |      6 89        |",
        ]
    );
}

/// Text alone tells digits from pencil marks: one mark that is left looks like no digit.
#[test]
fn no_marks_look_like_a_digit() {
    for scale in [Scale::Medium, Scale::Large] {
        for charset in [Charset::Unicode, Charset::Ascii] {
            let drawn = |change: &dyn Fn(&mut Square)| {
                let mut picture = Picture::new(&Puzzle::EMPTY);
                change(picture.square_mut(Cell::at(4, 4)));
                lattice(scale, charset).draw(&picture).to_string()
            };
            let digits = Digit::all().map(|digit| drawn(&|square| square.digit = Some(digit)));
            let digits: BTreeSet<_> = digits.collect();
            assert_eq!(digits.len(), 9);
            let marks = (0..512).map(|bits| {
                let marks = Digit::all().filter(|digit| bits >> digit.index() & 1 == 1);
                let marks: Digits = marks.collect();
                drawn(&|square| square.marks = marks)
            });
            let marks: BTreeSet<_> = marks.collect();
            assert_eq!(marks.len(), 512, "{scale:?}");
            assert!(digits.is_disjoint(&marks), "{scale:?}");
        }
    }
}

#[test]
fn duplicates_are_marked() {
    let mut puzzle = Puzzle::EMPTY;
    for (row, column) in [(0, 0), (0, 5), (4, 4), (5, 5)] {
        puzzle.set(Cell::at(row, column), Digit::new(7));
    }
    let drawn = lattice(Scale::Small, Charset::Ascii)
        .draw(&Picture::new(&puzzle))
        .to_string();
    let lines: Vec<_> = drawn.lines().collect();
    // r1c1 and r1c6 share the row, r5c5 and r6c6 the box, r1c6 and r6c6 the column.
    assert_eq!(lines[1], "| 7!. . | . . 7!| . . . |");
    assert_eq!(lines[6], "| . . . | . 7!. | . . . |");
    assert_eq!(lines[7], "| . . . | . . 7!| . . . |");
    assert_eq!(drawn.matches('!').count(), 4);
}

#[test]
fn every_cell_is_where_it_is_drawn() {
    for scale in [Scale::Small, Scale::Medium, Scale::Large] {
        for with_labels in [false, true] {
            let mut lattice = lattice(scale, Charset::Unicode);
            if with_labels {
                lattice = lattice.with_labels();
            }
            for cell in Cell::all() {
                let mut picture = Picture::new(&Puzzle::EMPTY);
                let square = picture.square_mut(cell);
                square.digit = Digit::new(5);
                let ground = |other| {
                    if other == cell {
                        Ground::Cursor
                    } else {
                        Ground::Plain
                    }
                };
                let canvas = lattice.draw_on(&picture, ground);
                assert_eq!(
                    (canvas.width(), canvas.height()),
                    (lattice.width(), lattice.height())
                );
                let mut entries = 0;
                for (y, line) in canvas.lines().enumerate() {
                    for (x, glyph) in line.iter().enumerate() {
                        if glyph.ink == Ink::Entry {
                            assert_eq!(glyph.character, '5');
                            assert_eq!(glyph.ground, Ground::Cursor);
                            assert_eq!(lattice.cell_at(x, y), Some(cell));
                            entries += 1;
                        }
                        if glyph.ink == Ink::Line {
                            assert_eq!(lattice.cell_at(x, y), None);
                            assert_eq!(glyph.ground, Ground::Plain);
                        }
                    }
                }
                assert_eq!(entries, 1);
            }
            assert_eq!(lattice.cell_at(lattice.width(), 3), None);
            assert_eq!(lattice.cell_at(3, lattice.height()), None);
        }
    }
}

#[test]
fn all_marks_of_a_cell_are_drawn_once() {
    for scale in [Scale::Medium, Scale::Large] {
        let picture = Picture::new(&Puzzle::EMPTY).with_candidates(&Puzzle::EMPTY);
        let text = lattice(scale, Charset::Unicode).draw(&picture).to_string();
        for digit in Digit::all() {
            assert_eq!(text.matches(&digit.to_string()).count(), 81);
        }
    }
}

#[test]
fn two_stand_side_by_side() {
    let one = lattice(Scale::Small, Charset::Ascii).draw(&Picture::new(&Puzzle::EMPTY));
    let both = one.beside(&Canvas::new(3, 1), 2).beside(&one, 1);
    assert_eq!((both.width(), both.height()), (25 + 2 + 3 + 1 + 25, 13));
    for (both, one) in both.to_string().lines().zip(one.to_string().lines()) {
        assert_eq!(both, format!("{one}      {one}"));
    }
}
