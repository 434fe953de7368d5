//! The partitions of the nine digits into three triples, and how they fit. `docs/internals/uniform.md`
//! proves the numbers.
//!
//! The minirows of a box are such a partition, and so are its minicolumns. A *design* is the
//! partitions of the three boxes of a band; a stack has the same with its minicolumns:
//!
//! ```text
//!     1 2 3        rows       123 456 789      every minirow meets every
//!     4 5 6        columns    147 258 369      minicolumn in one digit:
//!     7 8 9                                    the partitions cross
//!
//!     1 2 3 | 4 5 7 | 6 8 9        first    123 456 789
//!     4 5 6 | 1 8 9 | 2 3 7        second   457 189 236
//!     7 8 9 | 2 3 6 | 1 4 5        third    689 237 145
//! ```

/// The number of partitions: 9! / 3!^3 / 3!.
pub(super) const PARTITIONS: usize = 280;

/// The number of partitions that cross a partition: 3!^3 / 3!.
pub(super) const CROSSING: usize = 36;

/// The number of designs that have a given first partition.
pub(super) const DESIGNS: usize = 56;

/// How many of these have a second that crosses a given partition, if any has.
pub(super) const FITTING: usize = 8;

/// Three triples of digits; bit d of a triple is digit d, 0 to 8.
pub(super) type Triples = [u16; 3];

const ALL: u16 = 0x1ff;

pub(super) type Partition = u16;

/// A design: the number of its first partition, and its number among the 56.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Design {
    pub(super) first: Partition,
    pub(super) number: u8,
}

impl Design {
    #[inline(always)]
    pub(super) const fn new(first: Partition, number: u8) -> Self {
        Self { first, number }
    }
}

/// The tables of partitions: 350 KB.
///
/// They are made on first use, with 17 million instructions. As constants they would be in every binary, and would take
/// the compiler seconds. They took 37 million when each pair of partitions was compared, and each triple renamed digit by
/// digit.
pub(super) struct Tables {
    /// The triples of each partition, by their smallest digits.
    triples: Each<Triples>,
    /// The partitions that cross it.
    crossing: Each<[Partition; CROSSING]>,
    /// The triples as a set of bits.
    crosses: Each<[u64; PARTITIONS.div_ceil(64)]>,
    /// The second and third partition of the designs that begin with it.
    others: Each<[[Partition; 2]; DESIGNS]>,
    /// The second one's triples, each in the row of the first one's.
    seconds: Each<[Triples; DESIGNS]>,
    /// The partition that each other one becomes when digits are renamed so that this
    /// one becomes partition 0. All designs are numbered as those of
    /// partition 0 that they become, so that `fitting` serves for all. (Without
    /// renaming it would be a table of 630 KB.)
    relative: Each<[Partition; PARTITIONS]>,
    /// The designs that begin with partition 0 and whose second crosses this;
    /// zeros if there are none.
    fitting: Each<[u8; FITTING]>,
}

type Each<T> = Box<[T; PARTITIONS]>;

fn each<T>(of: impl FnMut(Partition) -> T) -> Each<T> {
    let all: Vec<T> = (0..PARTITIONS as Partition).map(of).collect();
    all.try_into().ok().expect("one for each")
}

impl Tables {
    pub(super) fn new() -> Self {
        let all = partitions();
        let numbers = Numbers::new(&all);
        let triples = each(|p| all[usize::from(p)]);
        let first_seconds = seconds(&triples[0]);
        // Digit d becomes digit names[d] when partition 0 becomes partition p.
        let names = each(|p| {
            let digits = triples[usize::from(p)].into_iter().flat_map(digits);
            collect::<u16, 9>(digits)
        });
        let seconds = each(|p| {
            let renamed = renamed(&names[usize::from(p)]);
            first_seconds.map(|second| second.map(|triple| renamed[usize::from(triple)]))
        });
        let others = each(|p| {
            let first = triples[usize::from(p)];
            seconds[usize::from(p)]
                .map(|second| [second, third(&first, &second)].map(|of| numbers.of(&of)))
        });
        let relative = each(|p| {
            let mut back = [0; 9];
            for (d, &name) in (0..).zip(&names[usize::from(p)]) {
                back[usize::from(name)] = d;
            }
            let renamed = renamed(&back);
            let image = |q: &Triples| numbers.of(&q.map(|triple| renamed[usize::from(triple)]));
            collect(triples.iter().map(image))
        });
        let cross_the_first = each(|q| cross(&triples[0], &triples[usize::from(q)]));
        let crosses = |p: Partition, q: Partition| {
            cross_the_first[usize::from(relative[usize::from(p)][usize::from(q)])]
        };
        let crossing = each(|p| collect((0..PARTITIONS as Partition).filter(|&q| crosses(p, q))));
        let fitting = each(|q| {
            let fits = |&design: &u8| crosses(others[0][usize::from(design)][0], q);
            let fitting: Vec<u8> = (0..DESIGNS as u8).filter(fits).collect();
            if fitting.is_empty() {
                return [0; FITTING];
            }
            collect(fitting.into_iter())
        });
        Self {
            crosses: each(|p| {
                let mut set = [0; _];
                for q in crossing[usize::from(p)] {
                    set[usize::from(q / 64)] |= 1 << (q % 64);
                }
                set
            }),
            triples,
            crossing,
            others,
            seconds,
            relative,
            fitting,
        }
    }

    #[inline]
    pub(super) fn crossing(&self, p: Partition) -> &[Partition; CROSSING] {
        &self.crossing[usize::from(p)]
    }

    #[inline]
    pub(super) fn cross(&self, p: Partition, q: Partition) -> bool {
        self.crosses[usize::from(p)][usize::from(q / 64)] >> (q % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn others(&self, design: Design) -> [Partition; 2] {
        self.others[usize::from(design.first)][usize::from(design.number)]
    }

    /// The designs that begin with `first` and whose second partition crosses
    /// `q`, by their numbers. If there are none, these are some that do not fit.
    #[inline]
    pub(super) fn fitting(&self, first: Partition, q: Partition) -> &[u8; FITTING] {
        let relative = self.relative[usize::from(first)][usize::from(q)];
        &self.fitting[usize::from(relative)]
    }

    /// The triples of the three boxes of a design: entry i of each box is in
    /// the same row, or column.
    #[inline]
    pub(super) fn triples(&self, design: Design) -> [Triples; 3] {
        let first = self.triples[usize::from(design.first)];
        let second = self.seconds[usize::from(design.first)][usize::from(design.number)];
        [first, second, third(&first, &second)]
    }
}

/// The numbers of partitions, whatever the order of their triples.
///
/// The triple with digit 0 and the one with the smallest other digit say which partition it is. Digit 0 is in the first
/// and not in the second, so eight bits of each are left.
struct Numbers(Vec<Partition>);

impl Numbers {
    fn new(all: &[Triples]) -> Self {
        let mut numbers = vec![0; 1 << 16];
        for (number, triples) in (0..).zip(all) {
            numbers[Self::place(triples)] = number;
        }
        Self(numbers)
    }

    fn of(&self, triples: &Triples) -> Partition {
        self.0[Self::place(triples)]
    }

    fn place(triples: &Triples) -> usize {
        let with = |digit: u32| {
            let [a, b, c] = triples.map(|triple| triple * (triple >> digit & 1));
            a | b | c
        };
        let first = with(0);
        let second = with((ALL & !first).trailing_zeros());
        usize::from(first >> 1) << 8 | usize::from(second >> 1)
    }
}

/// Each set of digits when digit d becomes digit `names[d]`.
fn renamed(names: &[u16; 9]) -> [u16; ALL as usize + 1] {
    let mut images = [0; _];
    for set in 1..=ALL {
        let others = images[usize::from(set & (set - 1))];
        images[usize::from(set)] = others | 1 << names[set.trailing_zeros() as usize];
    }
    images
}

fn partitions() -> Vec<Triples> {
    let mut all = Vec::with_capacity(PARTITIONS);
    for first in triples_of(ALL) {
        for second in triples_of(ALL & !first) {
            let partition = [first, second, ALL & !first & !second];
            if sorted(partition) == partition {
                all.push(partition);
            }
        }
    }
    all.sort_unstable();
    all
}

fn triples_of(set: u16) -> impl Iterator<Item = u16> {
    (0..=ALL).filter(move |&triple| triple & !set == 0 && triple.count_ones() == 3)
}

fn sorted(mut triples: Triples) -> Triples {
    triples.sort_unstable_by_key(|triple| triple.trailing_zeros());
    triples
}

fn digits(triple: u16) -> impl Iterator<Item = u16> {
    (0..9).filter(move |digit| triple >> digit & 1 == 1)
}

fn cross(p: &Triples, q: &Triples) -> bool {
    p.iter()
        .all(|a| q.iter().all(|b| (a & b).count_ones() == 1))
}

/// The seconds of the designs with this first partition.
fn seconds(first: &Triples) -> [Triples; DESIGNS] {
    let all = triples_of(ALL & !first[0]).flat_map(|a| {
        let rest = ALL & !a;
        triples_of(rest & !first[1])
            .map(move |b| [a, b, rest & !b])
            .filter(|second| second[2] & first[2] == 0)
    });
    collect(all)
}

/// The triples that are left for the third box.
#[inline]
fn third(first: &Triples, second: &Triples) -> Triples {
    let left = |i: usize| ALL & !first[i] & !second[i];
    [left(0), left(1), left(2)]
}

/// The expected number of things.
fn collect<T: Copy + Default, const N: usize>(things: impl Iterator<Item = T>) -> [T; N] {
    let mut array = [T::default(); N];
    let mut count = 0;
    for thing in things {
        array[count] = thing;
        count += 1;
    }
    assert_eq!(count, N);
    array
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symmetry::THREE;
    use std::collections::{BTreeMap, BTreeSet};
    use sudoku_batch_test_support::has_turn;

    fn all() -> std::ops::Range<Partition> {
        0..PARTITIONS as Partition
    }

    /// Every way to fill a box gives two partitions that cross, every two that
    /// cross come up, each 3! * 3! times: for every order of rows and columns.
    #[test]
    fn partitions_that_cross_fill_a_box_in_one_way() {
        let tables = Tables::new();
        let numbers: BTreeMap<Triples, Partition> =
            tables.triples.iter().copied().zip(0..).collect();
        // 9! / (3!)^4, all of them different.
        assert_eq!(numbers.len(), 280);
        let is_triple = |set: &u16| set.count_ones() == 3;
        for triples in tables.triples.iter() {
            assert!(triples.iter().all(is_triple) && triples.iter().sum::<u16>() == ALL);
        }
        let mut ways: BTreeMap<_, u32> = BTreeMap::new();
        // Every box has these digits in its rows, in some order. By default one of ten partitions of the rows.
        for rows in all().filter(|&rows| has_turn(rows.into(), 10)) {
            let digits: [[u16; 3]; 3] = tables.triples[usize::from(rows)].map(|triple| {
                let digits = (0..9).map(|digit| 1 << digit);
                collect(digits.filter(|digit| triple & digit != 0))
            });
            for (order, within) in THREE
                .iter()
                .flat_map(|order| (0..216).map(move |n| (order, n)))
            {
                let within = [within / 36, within / 6 % 6, within % 6].map(|n| THREE[n]);
                let cells: [[u16; 3]; 3] = std::array::from_fn(|row| {
                    within[row].map(|i| digits[usize::from(order[row])][usize::from(i)])
                });
                let columns = [0, 1, 2].map(|i| cells.map(|row| row[i]).iter().sum());
                let pair = [rows, numbers[&sorted(columns)]];
                *ways.entry(pair).or_default() += 1;
            }
        }
        assert!(ways.values().all(|&ways| ways == 36));
        for p in all().filter(|&p| has_turn(p.into(), 10)) {
            let crossing: Vec<_> = all().filter(|&q| ways.contains_key(&[p, q])).collect();
            assert_eq!(tables.crossing(p).as_slice(), crossing);
            assert!(all().all(|q| tables.cross(p, q) == crossing.contains(&q)));
        }
    }

    /// The designs with a given first partition are all ways to put a second
    /// next to it: for each row three digits that it does not have yet, no digit
    /// in two rows. The third has three others in each row.
    #[test]
    fn designs_are_all_there_are() {
        let tables = Tables::new();
        for first in all() {
            let found: BTreeSet<_> = (0..DESIGNS as u8)
                .map(|number| {
                    let design = Design::new(first, number);
                    let [a, b, c] = tables.triples(design);
                    assert_eq!(tables.triples[usize::from(first)], a);
                    let others = tables
                        .others(design)
                        .map(|p| tables.triples[usize::from(p)]);
                    assert_eq!([sorted(b), sorted(c)], others);
                    assert!((0..3).all(|i| {
                        [a, b, c].map(|triples| triples[i]).iter().sum::<u16>() == ALL
                    }));
                    b
                })
                .collect();
            let a = tables.triples[usize::from(first)];
            let mut expected = BTreeSet::new();
            for partition in tables.triples.iter() {
                for order in THREE {
                    let b = order.map(|i| partition[usize::from(i)]);
                    if (0..3).all(|i| a[i] & b[i] == 0) {
                        expected.insert(b);
                    }
                }
            }
            assert_eq!(found, expected);
            assert_eq!(found.len(), DESIGNS);
        }
    }

    /// Eight designs fit, or none: none just when a triple is common to both.
    /// From this the ways to fill box 5, as the rows of box 4 and the columns of
    /// box 2 have it.
    #[test]
    fn eight_designs_fit_or_none() {
        let tables = Tables::new();
        let common = |p: Partition, q: Partition| {
            let [p, q] = [p, q].map(|p| tables.triples[usize::from(p)]);
            p.iter().any(|triple| q.contains(triple))
        };
        // Each first one has the same numbers: by default one of ten.
        let firsts = || all().filter(|&first| has_turn(first.into(), 10));
        let mut ways = BTreeMap::new();
        for first in firsts() {
            for q in all() {
                let seconds =
                    (0..DESIGNS as u8).map(|number| tables.others(Design::new(first, number))[0]);
                let fitting: Vec<u8> = (0..)
                    .zip(seconds.clone())
                    .filter(|&(_, second)| tables.cross(second, q))
                    .map(|(number, _)| number)
                    .collect();
                if common(first, q) {
                    assert_eq!(fitting.len(), 0, "{fitting:?}");
                    let some = tables.fitting(first, q).map(usize::from);
                    assert!(
                        some.iter()
                            .all(|&number| !tables.cross(seconds.clone().nth(number).unwrap(), q))
                    );
                } else {
                    assert_eq!(fitting, tables.fitting(first, q));
                }
                // Band 2 begins with `first` in box 4, stack 2 with `q` in box 2.
                let box5 = seconds.filter(|&rows| !common(q, rows)).count() * FITTING;
                *ways.entry(box5).or_insert(0) += 1;
            }
        }
        let kinds = [(384, 27), (392, 54), (400, 162), (432, 1), (448, 36)];
        let number = firsts().count();
        assert_eq!(ways, kinds.map(|(ways, q)| (ways, number * q)).into());
    }
}
