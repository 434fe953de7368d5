//! Classes of bands, gangsters and automorphisms, against counts that are known and searches that share no code.

use crate::{
    support::{brute_force, cases, one_of, symmetry},
    symmetry::some_grids,
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::OnceLock,
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

/// All orders of three things.
const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// The smallest text of a band, by all orders of rows, stacks and columns, and the number of ways to it.
fn smallest_band(band: &[[u8; 9]; 3]) -> (Vec<u8>, u64) {
    let mut smallest = (vec![u8::MAX], 0);
    for rows in ORDERS {
        for stacks in ORDERS {
            for within in 0..216 {
                let within = [
                    ORDERS[within / 36],
                    ORDERS[within / 6 % 6],
                    ORDERS[within % 6],
                ];
                let columns: Vec<_> = (0..9)
                    .map(|place| 3 * stacks[place / 3] + within[place / 3][place % 3])
                    .collect();
                let mut names = [0; 10];
                let mut text = Vec::new();
                for (row, column) in rows
                    .iter()
                    .flat_map(|row| columns.iter().map(move |c| (row, c)))
                {
                    let digit = usize::from(band[*row][*column] - b'0');
                    if names[digit] == 0 {
                        names[digit] = b'1' + text.len() as u8;
                    }
                    text.push(names[digit]);
                }
                if text < smallest.0 {
                    smallest = (text.clone(), 0);
                }
                smallest.1 += u64::from(text == smallest.0);
            }
        }
    }
    smallest
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

/// Three sets of digits that have all nine, in ascending order.
type Partition = [u16; 3];

/// All ways to divide the digits of three boxes into columns, if those of the first are 123 456 789: the gangster for each
/// pair of the others, and the partitions that their numbers mean.
struct Gangsters {
    partitions: Vec<Partition>,
    numbers: HashMap<Partition, usize>,
    of_pairs: Vec<Vec<u32>>,
}

const FIRST: Partition = [0o7, 0o70, 0o700];

fn partition(mut sets: Partition) -> Partition {
    // In the order of their texts: that with the smallest digit comes first.
    sets.sort_by_key(|set| set.trailing_zeros());
    sets
}

fn named(sets: &Partition, names: &[usize; 9]) -> Partition {
    let name = |set: u16| {
        (0..9)
            .filter(|d| set >> d & 1 == 1)
            .map(|d| 1 << names[d])
            .sum()
    };
    partition(sets.map(name))
}

/// Names that make this partition the first.
fn names_for(sets: &Partition) -> [usize; 9] {
    let mut names = [0; 9];
    let digits = sets
        .iter()
        .flat_map(|set| (0..9).filter(move |d| set >> d & 1 == 1));
    for (name, digit) in digits.enumerate() {
        names[digit] = name;
    }
    names
}

fn columns_of(class: BandClass) -> [Partition; 3] {
    let text = class.smallest();
    let set = |column: usize| (0..3).map(|row| 1 << (text[9 * row + column] - b'1')).sum();
    [0, 3, 6].map(|first| [first, first + 1, first + 2].map(set))
}

impl Gangsters {
    fn get() -> &'static Self {
        static GANGSTERS: OnceLock<Gangsters> = OnceLock::new();
        GANGSTERS.get_or_init(Self::new)
    }

    /// Spreads the gangster of each class over what symmetries lead to. Two that meet are one.
    fn new() -> Self {
        let threes: Vec<u16> = (0..512_u16).filter(|set| set.count_ones() == 3).collect();
        let mut partitions = Vec::new();
        for &a in threes.iter().filter(|set| *set & 1 == 1) {
            for &b in threes.iter().filter(|set| *set & a == 0) {
                let third = 0o777 & !(a | b);
                if b.trailing_zeros() < third.trailing_zeros() {
                    partitions.push([a, b, third]);
                }
            }
        }
        assert_eq!(partitions.len(), 280);
        let mut gangsters = Self {
            of_pairs: vec![vec![0; 280]; 280],
            numbers: partitions.iter().copied().zip(0..).collect(),
            partitions,
        };
        for class in all() {
            let [first, second, third] = columns_of(class).map(partition);
            let names = names_for(&first);
            let mut open = vec![[named(&second, &names), named(&third, &names)]];
            while let Some([second, third]) = open.pop() {
                let [a, b] = [second, third].map(|sets| gangsters.number(&sets));
                let known = &mut gangsters.of_pairs[a][b];
                if *known != 0 {
                    assert_eq!(*known, class.gangster(), "class {}", class.number());
                    continue;
                }
                *known = class.gangster();
                // Other names that keep the first partition.
                for names in [
                    [1, 0, 2, 3, 4, 5, 6, 7, 8],
                    [0, 2, 1, 3, 4, 5, 6, 7, 8],
                    [3, 4, 5, 0, 1, 2, 6, 7, 8],
                    [0, 1, 2, 6, 7, 8, 3, 4, 5],
                ] {
                    open.push([named(&second, &names), named(&third, &names)]);
                }
                // Other orders of the boxes.
                open.push([third, second]);
                let names = names_for(&second);
                open.push([named(&FIRST, &names), named(&third, &names)]);
            }
        }
        gangsters
    }

    fn number(&self, sets: &Partition) -> usize {
        self.numbers[sets]
    }

    /// The pairs with each gangster.
    fn pairs(&self) -> BTreeMap<u32, Vec<[usize; 2]>> {
        let mut pairs = BTreeMap::<_, Vec<_>>::new();
        for (a, row) in self.of_pairs.iter().enumerate() {
            for (b, gangster) in row.iter().enumerate() {
                pairs.entry(*gangster).or_default().push([a, b]);
            }
        }
        pairs
    }

    /// The number of grids that begin with a band of each gangster.
    fn completions(&self) -> Vec<u128> {
        // Bands with the same columns: all bands of the gangster, in as many ways to have columns.
        let mut bands = vec![0; 45];
        for class in all() {
            bands[class.gangster() as usize] += class.bands();
        }
        for (gangster, pairs) in self.pairs() {
            let ways = pairs.len() as u64 * 280 * 216;
            assert_eq!(bands[gangster as usize] % ways, 0);
            bands[gangster as usize] /= ways;
        }
        let mut completions = vec![0_u128; 45];
        for class in all() {
            let gangster = class.gangster() as usize;
            if completions[gangster] > 0 {
                continue;
            }
            // The other digits of the columns of each box go to the bands below: three digits each.
            let halves = columns_of(class).map(|columns| self.halves(&columns));
            for upper_and_lower in &halves[0] {
                let names = upper_and_lower.map(|sets| names_for(&sets));
                let numbers = |halves: &[[Partition; 2]]| -> Vec<[usize; 2]> {
                    let number = |half: &[Partition; 2]| {
                        [0, 1].map(|n| self.number(&named(&half[n], &names[n])))
                    };
                    halves.iter().map(number).collect()
                };
                let thirds = numbers(&halves[2]);
                for [upper, lower] in numbers(&halves[1]) {
                    for third in &thirds {
                        let [upper, lower] = [(upper, third[0]), (lower, third[1])]
                            .map(|(a, b)| u128::from(bands[self.of_pairs[a][b] as usize]));
                        completions[gangster] += upper * lower;
                    }
                }
            }
        }
        completions
    }

    /// The columns of the box below a box, and of the box below that: 56 ways.
    fn halves(&self, columns: &Partition) -> Vec<[Partition; 2]> {
        let mut halves = Vec::new();
        for sets in &self.partitions {
            for order in ORDERS {
                let upper = order.map(|n| sets[n]);
                if (0..3).all(|n| upper[n] & columns[n] == 0) {
                    let lower = [0, 1, 2].map(|n| 0o777 & !(upper[n] | columns[n]));
                    halves.push([partition(upper), partition(lower)]);
                }
            }
        }
        assert_eq!(halves.len(), 56);
        halves
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
    let smallest = pairs.values().map(|pairs| {
        let texts = pairs
            .iter()
            .map(|pair| pair.map(|n| text(&gangsters.partitions[n])));
        texts.min().unwrap()
    });
    assert!(smallest.is_sorted_by(|a, b| a < b));
}

/// The grids of all bands are all grids.
#[test]
fn completions_of_gangsters_make_all_grids() {
    let completions = Gangsters::get().completions();
    let grids =
        all().map(|class| u128::from(class.bands()) * completions[class.gangster() as usize]);
    assert_eq!(grids.sum::<u128>(), GRIDS);
}

/// The first bands of uniform grids have the classes that these numbers foretell.
#[test]
fn uniform_grids_have_bands_as_often_as_they_should() {
    let completions = Gangsters::get().completions();
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
