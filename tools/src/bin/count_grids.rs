//! Counts all grids, by the classes of their top bands:
//!
//! ```text
//! cargo run --release --package sudoku-batch-tools --bin count_grids
//! ```
//!
//! How a grid goes on below its top band depends on the contents of the nine
//! columns of that band alone, not on their order. Three columns of a box are a
//! partition of the digits into three triples, one of 280. Renaming the digits and
//! exchanging the boxes change nothing, and leave 44 classes of three
//! partitions. For each the program counts
//!
//! - the bands: by filling a top row, then a middle row, then a bottom row from
//!   the contents of the columns of one member of the class;
//! - the completions: what is left of each column is cut into a middle and
//!   a bottom part, which is possible in 56 ways for the columns of each stack;
//!   then the middle and the bottom band can each be filled as often as a band
//!   with such columns.
//!
//! Bands times completions, summed over the classes, is the number of all grids.
//! B. Felgenhauer and F. Jarvis, *Enumerating possible Sudoku grids* (2005), first
//! found it, with 44 classes as well.
//!
//! The tests take this file in as a module, and hold uniform samples against it.
//! It shares no code with the library.

/// How many partitions there are.
const PARTITIONS: usize = 280;

const ALL: u16 = 0x1ff;

/// Three triples of digits; bit d of a triple is digit d, 0 to 8.
type Triples = [u16; 3];

#[allow(dead_code, reason = "the tests take this file in as a module")]
fn main() {
    let classes = Classes::count();
    println!("{:>16} {:>16}", "bands", "completions");
    for class in &classes.classes {
        println!("{:>16} {:>16}", class.bands, class.completions);
    }
    println!(
        "{} classes, {} grids",
        classes.classes.len(),
        classes.grids()
    );
}

/// A class of bands.
pub struct Class {
    /// How many bands it has.
    pub bands: u64,
    /// How many grids begin with one of its bands.
    pub completions: u64,
}

/// The classes of bands, by their columns.
pub struct Classes {
    /// All of them.
    pub classes: Vec<Class>,
    /// The number of a partition, by its two triples with the smallest digits.
    number: Vec<u16>,
    /// The partition that one becomes when digits are renamed so that another (the
    /// row of the table) becomes partition 0.
    relative: Vec<[u16; PARTITIONS]>,
    /// The class of three partitions of which the first is partition 0.
    class: Vec<u8>,
}

impl Classes {
    /// Finds the classes and counts bands and completions.
    pub fn count() -> Self {
        let partitions = partitions();
        let mut counted = Self {
            classes: Vec::new(),
            number: vec![0; 512 * 512],
            relative: Vec::new(),
            class: vec![u8::MAX; PARTITIONS * PARTITIONS],
        };
        for (n, &[a, b, _]) in (0..).zip(&partitions) {
            counted.number[512 * usize::from(a) + usize::from(b)] = n;
        }
        counted.relative = partitions
            .iter()
            .map(|&p| {
                let digits = p.into_iter().flat_map(digits);
                let mut names = [0; 9];
                for (name, digit) in digits.enumerate() {
                    names[digit] = name;
                }
                std::array::from_fn(|q| counted.number(rename(partitions[q], &names)))
            })
            .collect();

        // A class at a time: all that renaming and exchanging make of the
        // first three partitions that are in no class yet.
        let mut fillings = Vec::new();
        let mut members = Vec::new();
        for start in 0..PARTITIONS * PARTITIONS {
            if counted.class[start] == u8::MAX {
                let class = fillings.len() as u8;
                members.push(counted.spread(start, class, &partitions));
                let [q, r] = [start / PARTITIONS, start % PARTITIONS];
                fillings.push(fillings_of(&[partitions[0], partitions[q], partitions[r]]));
            }
        }

        counted.classes = members
            .iter()
            .zip(&fillings)
            .map(|(&(start, members), &filling)| Class {
                // The first partition is any of 280, and the columns of
                // each box are in any order.
                bands: PARTITIONS as u64 * members * 6u64.pow(3) * filling,
                completions: counted.completions(start, &fillings, &partitions),
            })
            .collect();
        counted
    }

    /// The number of all grids.
    pub fn grids(&self) -> u128 {
        let grids = |class: &Class| u128::from(class.bands) * u128::from(class.completions);
        self.classes.iter().map(grids).sum()
    }

    /// The class of a band, given the digits 0 to 8 in its nine columns as bits.
    #[allow(dead_code, reason = "for the tests")]
    pub fn of(&self, columns: &[u16; 9]) -> usize {
        let [p, q, r] =
            [0, 3, 6].map(|i| self.number([columns[i], columns[i + 1], columns[i + 2]]));
        self.of_partitions(p, q, r)
    }

    fn of_partitions(&self, p: u16, q: u16, r: u16) -> usize {
        let relative = &self.relative[usize::from(p)];
        let [q, r] = [q, r].map(|other| usize::from(relative[usize::from(other)]));
        usize::from(self.class[PARTITIONS * q + r])
    }

    /// The number of a partition.
    fn number(&self, mut triples: Triples) -> u16 {
        triples.sort_unstable_by_key(|triple| triple.trailing_zeros());
        self.number[512 * usize::from(triples[0]) + usize::from(triples[1])]
    }

    /// Puts all that `start` can become into the class. Gives `start` and how
    /// many they are.
    fn spread(&mut self, start: usize, class: u8, partitions: &[Triples]) -> (usize, u64) {
        // These four renamings make all that leave partition 0 as it is.
        let renamings = [
            [1, 0, 2, 3, 4, 5, 6, 7, 8],
            [1, 2, 0, 3, 4, 5, 6, 7, 8],
            [3, 4, 5, 0, 1, 2, 6, 7, 8],
            [3, 4, 5, 6, 7, 8, 0, 1, 2],
        ];
        let (mut open, mut members) = (vec![start], 0);
        self.class[start] = class;
        while let Some(member) = open.pop() {
            members += 1;
            let (q, r) = (member / PARTITIONS, member % PARTITIONS);
            let renamed = |names| [q, r].map(|p| self.number(rename(partitions[p], names)));
            let mut images = renamings.each_ref().map(renamed).to_vec();
            // Boxes 2 and 3 exchanged; boxes 1 and 2 exchanged.
            let relative = &self.relative[q];
            images.push([r as u16, q as u16]);
            images.push([relative[0], relative[r]]);
            for [q, r] in images {
                let image = PARTITIONS * usize::from(q) + usize::from(r);
                if self.class[image] == u8::MAX {
                    self.class[image] = class;
                    open.push(image);
                }
            }
        }
        (start, members)
    }

    /// How many grids begin with one band of the class of these partitions.
    fn completions(&self, start: usize, fillings: &[u64], partitions: &[Triples]) -> u64 {
        let cuts = [0, start / PARTITIONS, start % PARTITIONS].map(|p| {
            let both = |parts: [Triples; 2]| parts.map(|triples| self.number(triples));
            cuts(&partitions[p])
                .into_iter()
                .map(both)
                .collect::<Vec<_>>()
        });
        let mut completions = 0;
        for p in &cuts[0] {
            for q in &cuts[1] {
                for r in &cuts[2] {
                    let [middle, bottom] =
                        [0, 1].map(|i| fillings[self.of_partitions(p[i], q[i], r[i])]);
                    completions += middle * bottom;
                }
            }
        }
        completions
    }
}

/// All partitions in ascending order.
fn partitions() -> Vec<Triples> {
    let mut all = Vec::new();
    for a in triples_of(ALL) {
        for b in triples_of(ALL & !a) {
            let c = ALL & !a & !b;
            if a.trailing_zeros() < b.trailing_zeros() && b.trailing_zeros() < c.trailing_zeros() {
                all.push([a, b, c]);
            }
        }
    }
    assert_eq!(all.len(), PARTITIONS);
    all
}

/// The triples that can be made of the digits of a set.
fn triples_of(set: u16) -> impl Iterator<Item = u16> {
    (0..=ALL).filter(move |&triple| triple & !set == 0 && triple.count_ones() == 3)
}

fn digits(set: u16) -> impl Iterator<Item = usize> {
    (0..9).filter(move |digit| set >> digit & 1 == 1)
}

/// The triples with digit d called `names[d]`.
fn rename(triples: Triples, names: &[usize; 9]) -> Triples {
    triples.map(|triple| digits(triple).map(|d| 1 << names[d]).sum())
}

/// The rest of three columns, cut into a middle and a bottom part: each
/// part of a box has every digit once.
fn cuts(top: &Triples) -> Vec<[Triples; 2]> {
    let mut cuts = Vec::new();
    for a in triples_of(ALL & !top[0]) {
        for b in triples_of(ALL & !top[1] & !a) {
            let c = ALL & !a & !b;
            if c & top[2] == 0 {
                let middle = [a, b, c];
                cuts.push([middle, std::array::from_fn(|i| ALL & !top[i] & !middle[i])]);
            }
        }
    }
    cuts
}

/// How many bands have these columns in this order.
fn fillings_of(boxes: &[Triples; 3]) -> u64 {
    let mut columns: [u16; 9] = std::array::from_fn(|i| boxes[i / 3][i % 3]);
    fill(&mut columns, 0, ALL)
}

/// How often the cells from `cell` on can be filled: `columns` is what each
/// column has left, `row` what the row still needs.
fn fill(columns: &mut [u16; 9], cell: usize, row: u16) -> u64 {
    if cell == 27 {
        return 1;
    }
    let row = if cell.is_multiple_of(9) { ALL } else { row };
    let mut ways = 0;
    for digit in digits(columns[cell % 9] & row) {
        columns[cell % 9] ^= 1 << digit;
        ways += fill(columns, cell + 1, row ^ 1 << digit);
        columns[cell % 9] ^= 1 << digit;
    }
    ways
}
