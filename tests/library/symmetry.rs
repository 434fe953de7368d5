//! Transformations and canonical forms, against their definitions carried out cell by cell
//! over all symmetries.

use proptest::prelude::*;
use std::collections::HashSet;
use sudoku_batch::{
    Cell, Puzzle, Solver,
    generate::Grids,
    grid::AnyPuzzle,
    symmetry::{CanonicalGrid, CanonicalPuzzle, Transformation},
};

use crate::support::{
    brute_force::{Rows, line_orders},
    cases, has_turn,
    puzzles::MOST_AUTOMORPHISMS,
    random_words::Words,
    symmetry::{Symmetry, cells, extreme_image, grid, puzzle, smallest_image},
};

fn parse(text: &str) -> Rows {
    cells(text.as_bytes().try_into().unwrap())
}

/// Grids with automorphisms, and a few without.
pub(crate) fn some_grids() -> Vec<Rows> {
    // Each row is the one above it turned by three, each band by one more: 162 or more.
    let cyclic: Rows = std::array::from_fn(|r| {
        std::array::from_fn(|c| b'1' + ((3 * (r % 3) + r / 3 + c) % 9) as u8)
    });
    let mut grids = vec![
        cyclic,
        // The grid with the most automorphisms, 648.
        parse(MOST_AUTOMORPHISMS),
    ];
    let uniform = Grids::uniform(5);
    grids.extend((0..2).map(|i| cells(uniform.grid(i).unwrap().as_ascii())));
    grids.extend(WITH_AUTOMORPHISMS.map(parse));
    grids
}

/// Completions of clues that an operation maps to themselves are mapped to completions; a
/// unique one is mapped to itself. These two have been found in that way, by transposition with 1 and 2, 3 and 4, 5 and 6
/// exchanged.
const WITH_AUTOMORPHISMS: [&str; 2] = [
    "815473269294865137637219584381752496752694813469138752126387945548926371973541628",
    "761928345583741692249653871975832164136475928824169537458296713397514286612387459",
];

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
        // They are these ways, all of them.
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
            assert_eq!(
                form.transformation().grid(&grid(&original)),
                grid(&smallest)
            );
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

/// Many random symmetries, of grids and puzzles: no form changes, and the
/// transformation leads to it.
#[test]
fn forms_do_not_see_symmetries() {
    let mut words = Words::new(2);
    let uniform = Grids::uniform(1);
    for number in 0..cases(250) as u64 {
        let solution = uniform.grid(number).unwrap();
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
    let uniform = Grids::uniform(3);
    for number in 0..50 {
        let solution = uniform.grid(number).unwrap();
        let form = |clued: &Puzzle| CanonicalPuzzle::new(clued, &solution).puzzle();
        let mut forms = HashSet::new();
        for cell in sudoku_batch::Cell::all() {
            let mut clued = Puzzle::from(solution);
            clued.set(cell, None);
            assert!(forms.insert(form(&clued)), "a grid without automorphisms");
        }
    }
}

/// Some puzzles with any number of solutions: minimal ones, those with fewer clues, sparse and symmetric ones.
fn some_puzzles() -> Vec<Rows> {
    let mut words = Words::new(31);
    let mut all = vec![
        parse("..59...2.......5.72.6.......3.8.9......6....38....31.41.....3.9...42..5..7.....4."),
        parse("62............2.7.9....7.........3....65.3.1...3.7...4......8.5.5.92..3.1...4..96"),
        // Seventeen clues.
        parse("000000010400000000020000000000050407008000300001090000300400200050100000000806000")
            .map(|row| row.map(|c| if c == b'0' { b'.' } else { c })),
        // One row, one box, no clue, two columns of one stack.
        parse(&format!("{}123456789{}", ".".repeat(27), ".".repeat(45))),
        parse(&format!("123......456......789......{}", ".".repeat(54))),
        [[b'.'; 9]; 9],
        std::array::from_fn(|r| {
            let mut row = [b'.'; 9];
            (row[3], row[4]) = (b'1' + r as u8, b'1' + ((r + 4) % 9) as u8);
            row
        }),
        // A clue in each row, column and box, all of them equal, or all different.
        std::array::from_fn(|r| {
            let mut row = [b'.'; 9];
            row[3 * (r % 3) + r / 3] = b'7';
            row
        }),
        std::array::from_fn(|r| {
            let mut row = [b'.'; 9];
            row[3 * (r % 3) + r / 3] = b'1' + r as u8;
            row
        }),
        parse(MOST_AUTOMORPHISMS),
    ];
    let uniform = Grids::uniform(8);
    for (number, clues) in [2, 5, 8, 12, 16, 20, 24, 30, 45, 70]
        .into_iter()
        .enumerate()
    {
        let mut clued = cells(uniform.grid(number as u64).unwrap().as_ascii());
        let mut blanks = 0;
        while blanks < 81 - clues {
            let cell = &mut clued[words.below(9)][words.below(9)];
            blanks += usize::from(*cell != b'.');
            *cell = b'.';
        }
        all.push(clued);
    }
    // Half of a symmetric grid, so that there are automorphisms.
    let mut half = parse(MOST_AUTOMORPHISMS);
    for (r, row) in half.iter_mut().enumerate() {
        for (c, cell) in row.iter_mut().enumerate() {
            if (r + c) % 3 != 0 {
                *cell = b'.';
            }
        }
    }
    all.push(half);
    all
}

#[test]
fn an_extreme_image_is_the_best_of_all_images() {
    let (mut with_automorphisms, mut count) = (0, 0);
    // By default each second puzzle has its smallest image compared, and the others their largest.
    for (number, original) in some_puzzles().into_iter().enumerate() {
        for largest in [false, true] {
            if !has_turn(number + usize::from(largest), 2) {
                continue;
            }
            let (best, ways) = extreme_image(&original, largest);
            let image = match largest {
                true => CanonicalPuzzle::largest_image(&puzzle(&original)),
                false => CanonicalPuzzle::smallest_image(&puzzle(&original)),
            }
            .unwrap();
            assert_eq!(
                image.puzzle(),
                puzzle(&best).into(),
                "{}",
                puzzle(&original)
            );
            let there = |digit: &u8| original.as_flattened().contains(digit);
            let others = (b'1'..=b'9').filter(|digit| !there(digit)).count();
            let names: u64 = (1..=others as u64).product();
            assert_eq!(image.automorphisms(), ways * names, "{}", puzzle(&original));
            let found = image.transformation().puzzle(&puzzle(&original));
            assert_eq!(AnyPuzzle::from(found), image.puzzle());
            with_automorphisms += usize::from(ways > 1);
            count += 1;
        }
    }
    assert!(
        count >= 20 && with_automorphisms >= 7,
        "{with_automorphisms}"
    );
}

/// A thousand images of random puzzles, with few clues and many: no form changes.
#[test]
fn extreme_images_do_not_see_symmetries() {
    let mut words = Words::new(32);
    let uniform = Grids::uniform(4);
    for number in 0..50 {
        let mut clued = Puzzle::from(uniform.grid(number).unwrap());
        let of_nine = words.below(9);
        for cell in Cell::all() {
            if words.below(9) < of_nine {
                clued.set(cell, None);
            }
        }
        type Find = fn(&Puzzle) -> Result<CanonicalPuzzle, sudoku_batch::Conflict>;
        for find in [
            CanonicalPuzzle::smallest_image as Find,
            CanonicalPuzzle::largest_image,
        ] {
            let form = find(&clued).unwrap();
            assert_eq!(
                find(&form.puzzle().clues()).unwrap().puzzle(),
                form.puzzle()
            );
            for _ in 0..20 {
                let symmetry = Symmetry::random(&mut words);
                let image = puzzle(&symmetry.image(&cells(clued.as_ascii())));
                let other = find(&image).unwrap();
                assert_eq!(other.puzzle(), form.puzzle());
                assert_eq!(other.automorphisms(), form.automorphisms());
                let moved = other.transformation().puzzle(&image);
                assert_eq!(AnyPuzzle::from(moved), form.puzzle());
            }
        }
    }
}

/// The number of automorphisms of a puzzle with one solution is that of its canonical form, and puzzles
/// with one clue moved have other images.
#[test]
fn extreme_images_and_canonical_forms_distinguish_the_same_puzzles() {
    let mut half = parse(MOST_AUTOMORPHISMS);
    for (cell, place) in half.as_flattened_mut().iter_mut().zip(0..) {
        if place % 4 == 1 {
            *cell = b'.';
        }
    }
    let solution = grid(&parse(MOST_AUTOMORPHISMS));
    let (mut of_puzzles, mut smallest, mut largest) = (vec![], vec![], vec![]);
    for cell in Cell::all() {
        let mut clued = puzzle(&half);
        clued.set(cell, None);
        let form = CanonicalPuzzle::new(&clued, &solution);
        if Solver::new().solve_unique(&clued).is_err() {
            continue;
        }
        let image = CanonicalPuzzle::smallest_image(&clued).unwrap();
        assert_eq!(image.automorphisms(), form.automorphisms());
        of_puzzles.push(form.puzzle().clues());
        smallest.push(image.puzzle().clues());
        largest.push(
            CanonicalPuzzle::largest_image(&clued)
                .unwrap()
                .puzzle()
                .clues(),
        );
    }
    let distinct = |puzzles: &[Puzzle]| puzzles.iter().collect::<HashSet<_>>().len();
    assert!(distinct(&of_puzzles) > 1 && distinct(&of_puzzles) < of_puzzles.len());
    for (i, j) in (0..of_puzzles.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let same = of_puzzles[i] == of_puzzles[j];
        assert_eq!(same, smallest[i] == smallest[j]);
        assert_eq!(same, largest[i] == largest[j]);
    }
}

#[test]
fn a_digit_twice_in_a_house_has_no_extreme_image() {
    let conflict = puzzle(&parse(&format!("1.......1{}", ".".repeat(72))));
    let found = CanonicalPuzzle::smallest_image(&conflict).unwrap_err();
    assert_eq!(Some(found), conflict.conflict());
    assert!(CanonicalPuzzle::largest_image(&conflict).is_err());
}

#[test]
fn a_transformation_is_what_its_parts_say() {
    let mut words = Words::new(4);
    let uniform = Grids::uniform(2);
    let mut last: Option<(Symmetry, Transformation)> = None;
    for number in 0..2000 {
        let original = cells(uniform.grid(number).unwrap().as_ascii());
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
    for (number, &order) in (0..).zip(line_orders()) {
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
    let error = |text: &str| text.parse::<Transformation>().unwrap_err().to_string();
    for text in [
        "",
        "rows=123456789",
        "rows=123456789/columns=123456789/digits=12345678",
        "rows=123456789/columns=123456789/digits=123456789/",
        "transposed/rows=123456789/columns=123456789/digits=123456789",
        "columns=123456789/rows=123456789/digits=123456789",
    ] {
        let shape = "a transformation reads `rows=123456789/columns=123456789/digits=123456789`, with \
                     `transpose/` before it where the grid is transposed";
        assert_eq!(error(text), shape, "{text}");
    }
    assert_eq!(
        error("rows=123456788/columns=123456789/digits=123456789"),
        "the rows are not 1 to 9, each once"
    );
    assert_eq!(
        error("rows=123456789/columns=123456789/digits=023456789"),
        "the digits are not 1 to 9, each once"
    );
    let apart = error("transpose/rows=123456789/columns=423156789/digits=123456789");
    assert_eq!(
        apart,
        "the columns of one band or stack do not stay together"
    );
}

proptest! {
    #[test]
    fn no_text_panics(text in "(transpose/)?rows=[0-9]{8,10}/columns=[0-9]{9}/digits=[0-9é]{9}") {
        let _ = text.parse::<Transformation>();
    }
}
