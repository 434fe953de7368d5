//! Bands and gangsters: the smallest text of a band, and all ways to divide the digits of three boxes into columns, but for
//! names and orders. They stand here because they run long, and this crate is optimised.

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};
use sudoku_batch::symmetry::BandClass;

/// All orders of three things.
const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

fn classes() -> impl Iterator<Item = BandClass> {
    (1..=BandClass::COUNT).map(|number| BandClass::numbered(number).unwrap())
}

/// The smallest text of a band, by all orders of rows, stacks and columns, and the number of ways to it.
pub fn smallest_band(band: &[[u8; 9]; 3]) -> (Vec<u8>, u64) {
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

/// Three sets of digits that have all nine, in ascending order.
pub type Partition = [u16; 3];

/// All ways to divide the digits of three boxes into columns, if those of the first are 123 456 789: the gangster for each
/// pair of the others, and the partitions that their numbers mean.
pub struct Gangsters {
    /// The partitions, in the order of their numbers.
    pub partitions: Vec<Partition>,
    numbers: HashMap<Partition, usize>,
    of_pairs: Vec<Vec<u32>>,
    /// The number of grids that begin with a band of each gangster.
    pub completions: Vec<u128>,
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
    /// The gangsters of all classes of bands.
    pub fn get() -> &'static Self {
        static GANGSTERS: LazyLock<Gangsters> = LazyLock::new(Gangsters::new);
        &GANGSTERS
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
            completions: Vec::new(),
            of_pairs: vec![vec![0; 280]; 280],
            numbers: partitions.iter().copied().zip(0..).collect(),
            partitions,
        };
        for class in classes() {
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
        gangsters.completions = gangsters.completions();
        gangsters
    }

    fn number(&self, sets: &Partition) -> usize {
        self.numbers[sets]
    }

    /// The pairs with each gangster.
    pub fn pairs(&self) -> BTreeMap<u32, Vec<[usize; 2]>> {
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
        for class in classes() {
            bands[class.gangster() as usize] += class.bands();
        }
        for (gangster, pairs) in self.pairs() {
            let ways = pairs.len() as u64 * 280 * 216;
            assert_eq!(bands[gangster as usize] % ways, 0);
            bands[gangster as usize] /= ways;
        }
        let mut completions = vec![0_u128; 45];
        for class in classes() {
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
