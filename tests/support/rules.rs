//! The rule of each technique as its definition reads, on sets of cells: slow, and nothing
//! shared with the library but the names.

use std::{
    collections::BTreeSet,
    ops::{BitAnd, BitOr, Sub},
    sync::LazyLock,
};
use sudoku_batch::technique::Technique;

/// The effect of a technique in a position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effect {
    /// The technique.
    pub technique: Technique,
    /// The cells of its pattern.
    pub cells: BTreeSet<usize>,
    /// The digits of its pattern.
    pub digits: BTreeSet<u8>,
    /// The cell and the digit that it places.
    pub place: Option<(usize, u8)>,
    /// The cells and digits that it eliminates.
    pub strikes: BTreeSet<(usize, u8)>,
}

/// A set of cells, of digits or of lines: bit `n` is the member `n`. The tests that replay steps spend most
/// of their time in such sets.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Set(u128);

impl Set {
    fn contains(self, member: usize) -> bool {
        self.0 >> member & 1 == 1
    }

    fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    fn is_subset(self, of: Self) -> bool {
        self.0 & !of.0 == 0
    }

    fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    fn first(self) -> Option<usize> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as usize)
    }

    /// The members, the smallest first.
    fn iter(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let first = self.first()?;
            self.0 &= self.0 - 1;
            Some(first)
        })
    }

    /// The members that a condition holds for.
    fn filter(self, condition: impl Fn(usize) -> bool) -> Self {
        self.iter().filter(|&member| condition(member)).collect()
    }
}

impl FromIterator<usize> for Set {
    fn from_iter<I: IntoIterator<Item = usize>>(members: I) -> Self {
        Self(members.into_iter().fold(0, |set, member| set | 1 << member))
    }
}

impl<const N: usize> From<[usize; N]> for Set {
    fn from(members: [usize; N]) -> Self {
        members.into_iter().collect()
    }
}

impl FromIterator<Set> for Set {
    fn from_iter<I: IntoIterator<Item = Set>>(sets: I) -> Self {
        sets.into_iter().fold(Self::default(), |all, set| all | set)
    }
}

impl BitAnd for Set {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Set {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Sub for Set {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// The kinds of houses.
const ROWS: usize = 0;
const COLUMNS: usize = 1;
const BOXES: usize = 2;

/// Row, column and box of a cell.
fn houses_of(cell: usize) -> [usize; 3] {
    [cell / 9, cell % 9, cell / 27 * 3 + cell % 9 / 3]
}

/// The cells of each house by its kind: the rules ask for them thousands of times a position.
static HOUSES: LazyLock<[[Set; 9]; 3]> = LazyLock::new(|| {
    let in_house = |kind: usize, n| move |&cell: &usize| houses_of(cell)[kind] == n;
    std::array::from_fn(|kind| std::array::from_fn(|n| (0..81).filter(in_house(kind, n)).collect()))
});

fn house(kind: usize, n: usize) -> Set {
    HOUSES[kind][n]
}

fn see(a: usize, b: usize) -> bool {
    a != b && (0..3).any(|kind| houses_of(a)[kind] == houses_of(b)[kind])
}

/// All sets of `n` members.
fn choose(mut from: Set, n: usize) -> Vec<Set> {
    if n == 0 {
        return vec![Set::default()];
    }
    let mut sets = Vec::new();
    while let Some(first) = from.first() {
        from = from - [first].into();
        sets.extend(
            choose(from, n - 1)
                .into_iter()
                .map(|set| set | [first].into()),
        );
    }
    sets
}

struct Position<'a> {
    filled: &'a [u8; 81],
    candidates: Vec<Set>,
    /// The cells that have each digit as a candidate, and those that are empty.
    with_digit: [Set; 10],
    empty_cells: Set,
    effects: BTreeSet<Effect>,
}

/// The techniques that have a rule here.
pub fn has_rule(technique: Technique) -> bool {
    let quad = [
        Technique::NakedQuad,
        Technique::Jellyfish,
        Technique::HiddenQuad,
    ];
    technique <= Technique::XyzWing || quad.contains(&technique)
}

/// The effects of each technique in a position: its filled cells as text, and the candidates of
/// each empty cell.
pub fn effects(filled: &[u8; 81], candidates: &[BTreeSet<usize>]) -> BTreeSet<Effect> {
    let candidates = candidates.iter();
    let candidates: Vec<Set> = candidates
        .map(|digits| digits.iter().copied().collect())
        .collect();
    let all_cells: Set = (0..81).collect();
    let mut position = Position {
        filled,
        with_digit: std::array::from_fn(|digit| {
            all_cells.filter(|cell| candidates[cell].contains(digit))
        }),
        empty_cells: all_cells.filter(|cell| filled[cell] == b'.'),
        candidates,
        effects: BTreeSet::new(),
    };
    for kind in [ROWS, COLUMNS, BOXES] {
        for n in 0..9 {
            position.hidden_singles(kind, house(kind, n));
            for size in [2, 3, 4] {
                position.naked_sets(size, house(kind, n));
                position.hidden_sets(size, house(kind, n));
            }
        }
    }
    position.naked_singles();
    for line in [ROWS, COLUMNS] {
        position.locked(
            BOXES,
            line,
            [Technique::DirectPointing, Technique::Pointing],
        );
        position.locked(
            line,
            BOXES,
            [Technique::DirectClaiming, Technique::Claiming],
        );
        for size in [2, 3, 4] {
            position.fish(size, line);
        }
    }
    position.wings();
    position.effects
}

impl Position<'_> {
    fn places(&self, digit: usize, cells: Set) -> Set {
        cells & self.with_digit[digit]
    }

    /// The number of empty cells.
    fn empty(&self, cells: Set) -> usize {
        (cells & self.empty_cells).len()
    }

    fn add(
        &mut self,
        technique: Technique,
        cells: Set,
        digits: Set,
        place: Option<(usize, usize)>,
        strikes: &[(usize, usize)],
    ) {
        if place.is_some() || !strikes.is_empty() {
            self.effects.insert(Effect {
                technique,
                cells: cells.iter().collect(),
                digits: digits.iter().map(|digit| digit as u8).collect(),
                place: place.map(|(cell, digit)| (cell, digit as u8)),
                strikes: strikes.iter().map(|&(c, digit)| (c, digit as u8)).collect(),
            });
        }
    }

    /// All candidates in cells, of digits.
    fn candidates_in(&self, cells: Set, digits: Set) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for cell in cells.iter() {
            let here = self.candidates[cell] & digits;
            found.extend(here.iter().map(|digit| (cell, digit)));
        }
        found
    }

    /// A digit has one place in a house.
    fn hidden_singles(&mut self, kind: usize, house: Set) {
        let empty = self.empty(house);
        for digit in 1..=9 {
            let places = self.places(digit, house);
            if places.len() != 1 {
                continue;
            }
            let technique = match (empty, kind) {
                (1, _) => Technique::LastCell,
                (_, BOXES) => Technique::HiddenSingleInBox,
                _ => Technique::HiddenSingleInLine,
            };
            let cell = places.first().unwrap();
            let place = Some((cell, digit));
            self.add(technique, places, [digit].into(), place, &[]);
        }
    }

    /// A cell has one candidate.
    fn naked_singles(&mut self) {
        for cell in 0..81 {
            let digits = self.candidates[cell];
            if digits.len() == 1 {
                let place = Some((cell, digits.first().unwrap()));
                self.add(Technique::NakedSingle, [cell].into(), digits, place, &[]);
            }
        }
    }

    /// All places of a digit in a house of one kind, two or more, lie in a house of another
    /// kind.
    fn locked(&mut self, home_kind: usize, other_kind: usize, names: [Technique; 2]) {
        for digit in 1..=9 {
            for (h, o) in (0..81).map(|i| (i / 9, i % 9)) {
                let (home, other) = (house(home_kind, h), house(other_kind, o));
                let places = self.places(digit, home);
                if places.len() < 2 || !places.is_subset(other) {
                    continue;
                }
                let digits = [digit].into();
                let strikes = self.candidates_in(other - home, digits);
                self.add(names[1], places, digits, None, &strikes);
                // Another house of the home's kind that crosses the other house.
                for t in (0..9).filter(|&t| t != h) {
                    let third = house(home_kind, t);
                    let outside = self.places(digit, third - other);
                    let crosses = !third.is_disjoint(other);
                    if crosses && self.places(digit, third).len() >= 2 && outside.len() == 1 {
                        let place = Some((outside.first().unwrap(), digit));
                        self.add(names[0], places, digits, place, &[]);
                    }
                }
            }
        }
    }

    /// Cells of a house, with two candidates each or more, that have as many candidates
    /// together as they are.
    fn naked_sets(&mut self, size: usize, house: Set) {
        let empty = self.empty(house);
        if empty < 2 * size {
            return;
        }
        let two_or_more = house.filter(|cell| self.candidates[cell].len() >= 2);
        for cells in choose(two_or_more, size) {
            let all: Set = cells.iter().map(|cell| self.candidates[cell]).collect();
            if all.len() == size {
                let strikes = self.candidates_in(house - cells, all);
                let names = [
                    Technique::NakedPair,
                    Technique::NakedTriplet,
                    Technique::NakedQuad,
                ];
                self.add(names[size - 2], cells, all, None, &strikes);
            }
        }
    }

    /// Digits, with two places each or more in a house, that have as many places together
    /// as they are.
    fn hidden_sets(&mut self, size: usize, house: Set) {
        let empty = self.empty(house);
        if size > 3 && empty <= 2 * size {
            return;
        }
        let all_digits: Set = (1..=9).collect();
        let two_or_more = all_digits.filter(|digit| self.places(digit, house).len() >= 2);
        for digits in choose(two_or_more, size) {
            let places = digits.iter().map(|digit| self.places(digit, house));
            let cells: Set = places.collect();
            if cells.len() != size {
                continue;
            }
            if empty > 2 * size {
                let strikes = self.candidates_in(cells, all_digits - digits);
                let names = [
                    Technique::HiddenPair,
                    Technique::HiddenTriplet,
                    Technique::HiddenQuad,
                ];
                self.add(names[size - 2], cells, digits, None, &strikes);
            }
            // Direct ones have two or three digits.
            if size > 3 {
                continue;
            }
            for digit in (all_digits - digits).iter() {
                let left = self.places(digit, house) - cells;
                if empty > size && left.len() == 1 && self.places(digit, house).len() > 1 {
                    let place = Some((left.first().unwrap(), digit));
                    let names = [Technique::DirectHiddenPair, Technique::DirectHiddenTriplet];
                    self.add(names[size - 2], cells, digits, place, &[]);
                }
            }
        }
    }

    /// A digit has its places in some lines, two in each or more, in as many crossing
    /// lines.
    fn fish(&mut self, size: usize, kind: usize) {
        let crossing = 1 - kind;
        for digit in 1..=9 {
            let text = b'0' + digit as u8;
            let missing = 9 - self.filled.iter().filter(|&&c| c == text).count();
            if missing < 2 * size {
                continue;
            }
            let in_lines: [Set; 9] =
                std::array::from_fn(|line| self.places(digit, house(kind, line)));
            let two_or_more = (0..9).filter(|&line| in_lines[line].len() >= 2);
            for lines in choose(two_or_more.collect(), size) {
                let cells: Set = lines.iter().map(|line| in_lines[line]).collect();
                let covers: Set = cells.iter().map(|c| houses_of(c)[crossing]).collect();
                if covers.len() != size {
                    continue;
                }
                let covered: Set = covers.iter().map(|n| house(crossing, n)).collect();
                let digits = [digit].into();
                let strikes = self.candidates_in(covered - cells, digits);
                let names = [Technique::XWing, Technique::Swordfish, Technique::Jellyfish];
                self.add(names[size - 2], cells, digits, None, &strikes);
            }
        }
    }

    /// xy, xz and yz; and xyz, xz and yz, where the first cell sees the two others.
    fn wings(&mut self) {
        let with = |n: usize| -> Vec<usize> {
            let cells = (0..81).filter(|&cell| self.candidates[cell].len() == n);
            cells.collect()
        };
        let (twos, threes) = (with(2), with(3));
        for (pivots, technique) in [(&twos, Technique::XyWing), (&threes, Technique::XyzWing)] {
            for &pivot in pivots {
                for &a in twos.iter().filter(|&&a| see(pivot, a)) {
                    for &b in twos.iter().filter(|&&b| b > a && see(pivot, b)) {
                        self.wing(technique, pivot, a, b);
                    }
                }
            }
        }
    }

    fn wing(&mut self, technique: Technique, pivot: usize, a: usize, b: usize) {
        let [p, q, r] = [pivot, a, b].map(|cell| self.candidates[cell]);
        let (shared, all) = (q & r, p | q | r);
        let is_xyz = technique == Technique::XyzWing;
        if shared.len() != 1 || all.len() != 3 || shared.is_subset(p) != is_xyz {
            return;
        }
        let sees_all = |c: &usize| see(*c, a) && see(*c, b) && (!is_xyz || see(*c, pivot));
        let strikes = self.candidates_in((0..81).filter(sees_all).collect(), shared);
        self.add(technique, [pivot, a, b].into(), all, None, &strikes);
    }
}
