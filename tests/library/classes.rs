//! Classes of bands, gangsters and automorphisms, against counts that are known and searches that share no code.

use crate::{
    support::{
        brute_force, cases,
        gangsters::{Gangsters, Partition, smallest_band},
        one_of, symmetry,
    },
    symmetry::some_grids,
};
use sudoku_batch::{
    Grid,
    format::{Records, line},
    generate::Grids,
    questions::{CLASSES, Data},
    symmetry::BandClass,
};

/// The number of all grids, which B. Felgenhauer and F. Jarvis found in 2005.
const GRIDS: u128 = 6_670_903_752_021_072_936_960;

fn all() -> impl Iterator<Item = BandClass> {
    (1..=BandClass::COUNT).map(|number| BandClass::numbered(number).unwrap())
}

#[test]
fn classes_have_all_bands() {
    assert_eq!(
        all().map(BandClass::bands).sum::<u64>(),
        362_880 * 2_612_736
    );
    assert!(all().is_sorted_by(|a, b| a < b && a.smallest() < b.smallest()));
    assert_eq!(BandClass::numbered(0), None);
    assert_eq!(BandClass::numbered(417), None);
    // The smallest text of each is that of its own class, and its symmetries are those that lead to it.
    for class in all().step_by(one_of(5)) {
        let band = *class.smallest().as_chunks::<9>().0.as_array().unwrap();
        let (smallest, ways) = smallest_band(&band);
        assert_eq!(smallest, class.smallest(), "class {}", class.number());
        assert_eq!(class.automorphisms(), ways, "class {}", class.number());
    }
}

#[test]
fn bands_of_grids_have_the_class_of_their_smallest_text() {
    let uniform = Grids::uniform(71);
    for number in 0..cases(8) as u64 {
        let grid = uniform.grid(number).unwrap();
        let rows = symmetry::cells(grid.as_ascii());
        let sides = [rows, brute_force::transposed(&rows)];
        let bands = sides.iter().flat_map(|side| side.as_chunks::<3>().0);
        let classes = BandClass::of_grid(&grid);
        for (band, class) in bands.zip(classes) {
            assert_eq!(smallest_band(band).0, class.smallest());
        }
        let (form, _) = brute_force::canonical_form(&grid);
        let least = classes.iter().min().unwrap();
        assert_eq!(form.as_flattened()[..27], least.smallest()[..]);
    }
}

/// The gangsters are what symmetries of columns lead to, in the order of their smallest texts.
#[test]
fn gangsters_have_all_columns() {
    let gangsters = Gangsters::get();
    let pairs = gangsters.pairs();
    assert_eq!(pairs.len(), 44);
    assert!(pairs.keys().copied().eq(1..=BandClass::GANGSTERS));
    let text = |sets: &Partition| -> String {
        let digits = sets
            .iter()
            .flat_map(|set| (0..9).filter(move |d| set >> d & 1 == 1));
        digits.map(|digit| (b'1' + digit) as char).collect()
    };
    let texts: Vec<String> = gangsters.partitions.iter().map(text).collect();
    let smallest = pairs.values().map(|pairs| {
        let texts = pairs.iter().map(|pair| pair.map(|n| &texts[n]));
        texts.min().unwrap()
    });
    assert!(smallest.is_sorted_by(|a, b| a < b));
}

/// The grids of all bands are all grids.
#[test]
fn completions_of_gangsters_make_all_grids() {
    let completions = &Gangsters::get().completions;
    let grids =
        all().map(|class| u128::from(class.bands()) * completions[class.gangster() as usize]);
    assert_eq!(grids.sum::<u128>(), GRIDS);
}

/// The first bands of uniform grids have the classes that these numbers foretell.
#[test]
fn uniform_grids_have_bands_as_often_as_they_should() {
    let completions = &Gangsters::get().completions;
    let grids = cases(20_000) as u64;
    let uniform = Grids::uniform(416);
    let mut found = vec![0_u64; 417];
    for number in 0..grids {
        found[BandClass::of_grid(&uniform.grid(number).unwrap())[0].number() as usize] += 1;
    }
    // Classes that are rare count together.
    let mut cells = vec![(0.0, 0)];
    for class in all() {
        let grids_of_class = u128::from(class.bands()) * completions[class.gangster() as usize];
        let expected = grids_of_class as f64 / GRIDS as f64 * grids as f64;
        // docs/datasets.md has some of these.
        if [1, 2, 3, 29, 130, 300, 400, 416].contains(&class.number()) {
            let (bands, found) = (class.bands(), found[class.number() as usize]);
            println!("{} {bands} {expected:.1} {found}", class.number());
        }
        match expected < 5.0 {
            true => {
                cells[0].0 += expected;
                cells[0].1 += found[class.number() as usize];
            }
            false => cells.push((expected, found[class.number() as usize])),
        }
    }
    cells.retain(|(expected, _)| *expected > 0.0);
    let square = |(expected, found): &(f64, u64)| (*found as f64 - expected).powi(2) / expected;
    let sum: f64 = cells.iter().map(square).sum();
    let freedom = cells.len() as f64 - 1.0;
    println!("{grids} grids: chi-square {sum:.1} with {freedom} degrees of freedom");
    // Four standard deviations.
    assert!(
        (sum - freedom).abs() < 4.0 * (2.0 * freedom).sqrt(),
        "{sum} of {freedom}"
    );
}

/// The numbers of records, in the order of the columns.
fn asked(grids: &[Grid]) -> Vec<([u64; 3], String)> {
    let mut records = Records::default();
    let lines: Vec<_> = grids.iter().map(Grid::as_str).collect();
    line::read(lines.join("\n").as_bytes(), &mut records);
    let mut question = CLASSES.with([]).unwrap();
    let answer = question.ask(&records);
    let number = |column, row: usize| {
        let Data::Numbers(numbers) = answer.column(column) else {
            unreachable!("numbers");
        };
        numbers[row].unwrap()
    };
    let Data::Texts(texts) = answer.column(3) else {
        unreachable!("texts");
    };
    let text = |row| String::from_utf8(texts.get(row).to_vec()).unwrap();
    let rows = 0..grids.len();
    rows.map(|row| ([0, 1, 2].map(|column| number(column, row)), text(row)))
        .collect()
}

/// Grids of all kinds: those with many automorphisms, those with two bands of one class and no automorphisms, and others.
#[test]
fn answers_are_those_of_brute_force() {
    let uniform = Grids::uniform(72);
    let mut grids: Vec<Grid> = (0..cases(1) as u64)
        .map(|number| uniform.grid(number).unwrap())
        .collect();
    let has_two_of_a_class = |grid: &Grid| {
        let classes = BandClass::of_grid(grid);
        (1..6).any(|n| classes[..n].contains(&classes[n]))
    };
    grids.extend(
        (1000..)
            .map(|number| uniform.grid(number).unwrap())
            .filter(has_two_of_a_class)
            .take(cases(2)),
    );
    let with_automorphisms = some_grids();
    grids.extend(with_automorphisms.iter().map(symmetry::grid));
    for (grid, (numbers, bands)) in grids.iter().zip(asked(&grids)) {
        let (form, automorphisms) = brute_force::canonical_form(grid);
        let classes = BandClass::of_grid(grid);
        let texts = classes.map(|class| class.number().to_string());
        assert_eq!(bands, texts.join(" "));
        let least = classes.iter().min().unwrap();
        assert_eq!(form.as_flattened()[..27], least.smallest()[..]);
        let expected: [u64; 3] = [
            least.number().into(),
            least.gangster().into(),
            automorphisms.into(),
        ];
        assert_eq!(numbers, expected, "{grid}");
    }
}
