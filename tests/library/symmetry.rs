//! Transformations and canonical forms, against their definitions carried out cell by cell
//! over all symmetries.

use proptest::prelude::*;
use std::collections::HashSet;
use sudoku_batch::{
    Digit, Grid, Puzzle, Solver,
    generate::Uniform,
    symmetry::{CanonicalGrid, CanonicalPuzzle, Transformation, TransformationError},
};

use crate::support::{puzzles::MOST_AUTOMORPHISMS, random_words::Words};

type Cells = [[u8; 9]; 9];

fn cells(ascii: &[u8; 81]) -> Cells {
    std::array::from_fn(|r| std::array::from_fn(|c| ascii[9 * r + c]))
}

fn grid(cells: &Cells) -> Grid {
    Grid::from_ascii(cells.as_flattened().try_into().unwrap()).unwrap()
}

fn puzzle(cells: &Cells) -> Puzzle {
    Puzzle::from_ascii(cells.as_flattened().try_into().unwrap()).unwrap()
}

/// The orders of 0, 1, 2.
const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// All 1296 orders of nine lines that keep bands together.
fn line_orders() -> Vec<[usize; 9]> {
    let mut orders = Vec::new();
    for bands in ORDERS {
        for a in ORDERS {
            for b in ORDERS {
                for c in ORDERS {
                    let within = [a, b, c];
                    let line = |i: usize| 3 * bands[i / 3] + within[i / 3][i % 3];
                    orders.push(std::array::from_fn(line));
                }
            }
        }
    }
    orders
}

fn transposed(cells: &Cells) -> Cells {
    std::array::from_fn(|r| std::array::from_fn(|c| cells[c][r]))
}

fn rearranged(cells: &Cells, rows: &[usize; 9], columns: &[usize; 9]) -> Cells {
    rows.map(|row| columns.map(|column| cells[row][column]))
}

/// One symmetry as the tests know it.
struct Symmetry {
    transposed: bool,
    rows: [usize; 9],
    columns: [usize; 9],
    names: [u8; 256],
}

impl Symmetry {
    fn image(&self, cells: &Cells) -> Cells {
        let side = if self.transposed {
            transposed(cells)
        } else {
            *cells
        };
        let image = rearranged(&side, &self.rows, &self.columns);
        image.map(|row| row.map(|c| self.names[usize::from(c)]))
    }

    /// The same as the library knows it.
    fn transformation(&self) -> Transformation {
        Transformation::new(
            self.transposed,
            self.rows.map(|row| row as u8),
            self.columns.map(|column| column as u8),
            std::array::from_fn(|d| Digit::from_ascii(self.names[d + usize::from(b'1')]).unwrap()),
        )
        .unwrap()
    }

    fn random(words: &mut Words) -> Self {
        let orders = line_orders();
        let mut names = [b'.'; 256];
        let mut left: Vec<u8> = (b'1'..=b'9').collect();
        for digit in b'1'..=b'9' {
            names[usize::from(digit)] = left.swap_remove(words.below(left.len()));
        }
        Self {
            transposed: words.below(2) == 1,
            rows: orders[words.below(1296)],
            columns: orders[words.below(1296)],
            names,
        }
    }
}

/// The names that make the first row 123456789.
fn names_of(first_row: impl IntoIterator<Item = u8>) -> [u8; 256] {
    let mut names = [b'.'; 256];
    for (digit, name) in first_row.into_iter().zip(b'1'..) {
        names[usize::from(digit)] = name;
    }
    names
}

/// The smallest image of a grid over all 2 * 1296 * 1296 orders of its lines, each with all
/// 9! names, and all symmetries that lead to it. Of the names, those that make the first
/// row 123456789 are the smallest, for any order of the lines.
fn smallest_image(grid: &Cells) -> (Cells, Vec<Symmetry>) {
    let orders = line_orders();
    let mut best = [[u8::MAX; 9]; 9];
    let mut ways = Vec::new();
    for (transposed, side) in [(false, *grid), (true, transposed(grid))] {
        for rows in &orders {
            for columns in &orders {
                let names = names_of(columns.map(|column| side[rows[0]][column]));
                let mut less = false;
                let mut image = best;
                'cells: for (i, row) in image.iter_mut().enumerate() {
                    for (j, cell) in row.iter_mut().enumerate() {
                        let name = names[usize::from(side[rows[i]][columns[j]])];
                        if !less && name > *cell {
                            // The first cell that differs is greater.
                            *cell = u8::MAX;
                            break 'cells;
                        }
                        less |= name < *cell;
                        *cell = name;
                    }
                }
                if image.as_flattened().contains(&u8::MAX) {
                    continue;
                }
                if less {
                    best = image;
                    ways.clear();
                }
                ways.push(Symmetry {
                    transposed,
                    rows: *rows,
                    columns: *columns,
                    names,
                });
            }
        }
    }
    (best, ways)
}

fn parse(text: &str) -> Cells {
    cells(text.as_bytes().try_into().unwrap())
}

/// Grids with automorphisms, and a few without.
fn some_grids() -> Vec<Cells> {
    // Each row is the one above it turned by three, each band by one more: 162 or more.
    let cyclic: Cells = std::array::from_fn(|r| {
        std::array::from_fn(|c| b'1' + ((3 * (r % 3) + r / 3 + c) % 9) as u8)
    });
    let mut grids = vec![
        cyclic,
        // The grid with the most automorphisms, 648.
        parse(MOST_AUTOMORPHISMS),
    ];
    let uniform = Uniform::seeded(5);
    grids.extend((0..2).map(|i| cells(uniform.grid(i).as_ascii())));
    grids.extend(grids_with_automorphisms());
    grids
}

/// Completions of clues that an operation maps to themselves are mapped to completions; a
/// unique one is mapped to itself. These two have been found in that way: the first by
/// transposition and renaming, the second by turning the bands.
fn grids_with_automorphisms() -> Vec<Cells> {
    let mut words = Words::new(11);
    let mut found = Vec::new();
    let mut solver = Solver::new();
    // Renaming 1 <-> 2, 3 <-> 4, 5 <-> 6 with a transposition.
    let partner = |c: u8| match c {
        b'1'..=b'6' => ((c - b'1') ^ 1) + b'1',
        other => other,
    };
    while found.len() < 2 {
        let mut clues = [[b'.'; 9]; 9];
        for _ in 0..14 {
            let (r, c) = (words.below(9), words.below(9));
            let digit = if r == c {
                b'7' + words.below(3) as u8
            } else {
                b'1' + words.below(9) as u8
            };
            (clues[r][c], clues[c][r]) = (digit, partner(digit));
        }
        if let Ok(solution) = solver.solve_unique(&puzzle(&clues)) {
            found.push(cells(solution.as_ascii()));
        }
    }
    found
}

#[test]
fn the_form_of_a_grid_is_the_smallest_of_all_its_images() {
    let mut words = Words::new(1);
    let mut with_automorphisms = 0;
    for original in some_grids() {
        let (smallest, ways) = smallest_image(&original);
        let canonical = CanonicalGrid::new(&grid(&original));
        assert_eq!(canonical.grid(), grid(&smallest));
        assert_eq!(canonical.automorphisms() as usize, ways.len());
        with_automorphisms += usize::from(ways.len() > 1);
        // The same ways, all of them.
        let expected: HashSet<_> = ways.iter().map(Symmetry::transformation).collect();
        let found: HashSet<_> = canonical.transformations().copied().collect();
        assert_eq!(found, expected);
        assert!(found.contains(canonical.transformation()));

        // Puzzles: the smallest image over those ways.
        for clues in [0, 1, 4, 8, 17, 30, 60, 81] {
            let mut clued = original;
            for _ in 0..81 - clues {
                let blanks = clued.as_flattened().iter().filter(|&&c| c == b'.').count();
                let gone = words.below(81 - blanks);
                let clue = clued
                    .as_flattened_mut()
                    .iter_mut()
                    .filter(|c| **c != b'.')
                    .nth(gone);
                *clue.unwrap() = b'.';
            }
            let images: Vec<Puzzle> = ways.iter().map(|way| puzzle(&way.image(&clued))).collect();
            let form = CanonicalPuzzle::new(&puzzle(&clued), &grid(&original));
            assert_eq!(form.puzzle().clues(), *images.iter().min().unwrap());
            assert_eq!(form.solution(), grid(&smallest));
            let same = images
                .iter()
                .filter(|&&image| image == form.puzzle().clues())
                .count();
            assert_eq!(form.automorphisms() as usize, same);
            assert_eq!(
                form.transformation().puzzle(&puzzle(&clued)),
                form.puzzle().clues()
            );
            assert!(expected.contains(form.transformation()));
        }
    }
    assert!(with_automorphisms >= 4, "{with_automorphisms}");
}

/// A hundred thousand random symmetries, of grids and puzzles: no form changes, and the
/// transformation leads to it.
#[test]
fn forms_do_not_see_symmetries() {
    let mut words = Words::new(2);
    let uniform = Uniform::seeded(1);
    for number in 0..1000 {
        let solution = uniform.grid(number);
        let mut clued = Puzzle::from(solution);
        for cell in sudoku_batch::Cell::all() {
            if words.below(3) > 0 {
                clued.set(cell, None);
            }
        }
        let (of_grid, of_puzzle) = (
            CanonicalGrid::new(&solution),
            CanonicalPuzzle::new(&clued, &solution),
        );
        for _ in 0..100 {
            let symmetry = Symmetry::random(&mut words);
            let image = grid(&symmetry.image(&cells(solution.as_ascii())));
            let clues = puzzle(&symmetry.image(&cells(clued.as_ascii())));
            let canonical = CanonicalGrid::new(&image);
            assert_eq!(canonical.grid(), of_grid.grid());
            assert_eq!(canonical.transformation().grid(&image), of_grid.grid());
            let canonical = CanonicalPuzzle::new(&clues, &image);
            assert_eq!(canonical.puzzle(), of_puzzle.puzzle());
            assert_eq!(canonical.automorphisms(), of_puzzle.automorphisms());
        }
    }
}

/// Puzzles of one solution with one clue more or less have other forms.
#[test]
fn forms_tell_puzzles_apart() {
    let uniform = Uniform::seeded(3);
    for number in 0..50 {
        let solution = uniform.grid(number);
        let form = |clued: &Puzzle| CanonicalPuzzle::new(clued, &solution).puzzle();
        let mut forms = HashSet::new();
        for cell in sudoku_batch::Cell::all() {
            let mut clued = Puzzle::from(solution);
            clued.set(cell, None);
            assert!(forms.insert(form(&clued)), "a grid without automorphisms");
        }
    }
}

#[test]
fn a_transformation_is_what_its_parts_say() {
    let mut words = Words::new(4);
    let uniform = Uniform::seeded(2);
    let mut last: Option<(Symmetry, Transformation)> = None;
    for number in 0..2000 {
        let original = cells(uniform.grid(number).as_ascii());
        let mut clued = original;
        clued
            .as_flattened_mut()
            .iter_mut()
            .step_by(2)
            .for_each(|cell| *cell = b'.');
        let symmetry = Symmetry::random(&mut words);
        let transformation = symmetry.transformation();
        assert_eq!(
            transformation.grid(&grid(&original)),
            grid(&symmetry.image(&original))
        );
        let image = transformation.puzzle(&puzzle(&clued));
        assert_eq!(image, puzzle(&symmetry.image(&clued)));
        assert_eq!(transformation.inverse().puzzle(&image), puzzle(&clued));
        assert_eq!(
            transformation.then(&transformation.inverse()),
            Transformation::IDENTITY
        );
        assert_eq!(transformation.to_string().parse(), Ok(transformation));
        if let Some((before, first)) = &last {
            let both = symmetry.image(&before.image(&clued));
            assert_eq!(
                first.then(&transformation).puzzle(&puzzle(&clued)),
                puzzle(&both)
            );
        }
        last = Some((symmetry, transformation));
    }
}

#[test]
fn transformations_are_numbered() {
    assert_eq!(Transformation::COUNT, 1_218_998_108_160);
    assert_eq!(Transformation::numbered(0), Transformation::IDENTITY);
    let text = |number| Transformation::numbered(number).to_string();
    assert_eq!(text(1), "rows=123456789/columns=123456789/digits=123456798");
    assert_eq!(
        text(362_880),
        "rows=123456789/columns=123456798/digits=123456789"
    );
    assert_eq!(
        text(362_880 * 1296),
        "rows=123456798/columns=123456789/digits=123456789"
    );
    assert_eq!(
        text(Transformation::COUNT - 1),
        "transpose/rows=987654321/columns=987654321/digits=987654321"
    );
    for (number, order) in (0..).zip(line_orders()) {
        let rows = Transformation::numbered(number * 1296 * 362_880).rows();
        let columns = Transformation::numbered(number * 362_880).columns();
        assert_eq!(
            [rows, columns].map(|lines| lines.map(usize::from)),
            [order; 2]
        );
    }
    let mut seen = HashSet::new();
    for number in (0..Transformation::COUNT).step_by(12_345_678_901) {
        assert!(seen.insert(Transformation::numbered(number)));
    }
}

#[test]
fn a_text_that_is_no_transformation_says_why() {
    let error = |text: &str| text.parse::<Transformation>().unwrap_err();
    for text in [
        "",
        "rows=123456789",
        "rows=123456789/columns=123456789/digits=12345678",
        "rows=123456789/columns=123456789/digits=123456789/",
        "transposed/rows=123456789/columns=123456789/digits=123456789",
        "columns=123456789/rows=123456789/digits=123456789",
    ] {
        assert_eq!(error(text), TransformationError::Text, "{text}");
    }
    assert_eq!(
        error("rows=123456788/columns=123456789/digits=123456789"),
        TransformationError::NotAllNine("rows")
    );
    assert_eq!(
        error("rows=123456789/columns=123456789/digits=023456789"),
        TransformationError::NotAllNine("digits")
    );
    let apart = error("transpose/rows=123456789/columns=423156789/digits=123456789");
    assert_eq!(apart, TransformationError::Apart("columns"));
    assert_eq!(
        apart.to_string(),
        "the columns of one band or stack do not stay together"
    );
}

proptest! {
    #[test]
    fn no_text_panics(text in "(transpose/)?rows=[0-9]{8,10}/columns=[0-9]{9}/digits=[0-9é]{9}") {
        let _ = text.parse::<Transformation>();
    }
}
