//! Unique rectangles and unique loops: cells around which two digits could be exchanged.
//!
//! A loop of cells goes through every house twice or not at all. If all of its cells had the
//! same two candidates and no other, the digits would alternate around the loop, in one way
//! or the other, and the rest of the grid would not know which. So the puzzle would have two
//! solutions. A puzzle with one solution never comes to that: some cell of the loop takes one
//! of its *extra* candidates. A loop of four cells is called a rectangle.
//!
//! ```text
//!     a rectangle on 2 and 7                 a loop of six cells on 2 and 7
//!
//!     27 .  .  | 27 .  .  | .  .  .          27 .  .  | .  .  .  | 27#.  .
//!     27 .  .  | 27#.  .  | .  .  .          27 .  .  | 27 .  .  | .  .  .
//!     .  .  .  | .  .  .  | .  .  .          .  .  .  | 27 .  .  | 27 .  .
//! ```
//!
//! There are four types, by the cells # with extra candidates:
//!
//! | type | condition | what it strikes |
//! |---|---|---|
//! | 1 | one cell has extra candidates | the two digits of the loop from that cell |
//! | 2 | two or more cells, all with the same extra digit | the extra digit from all cells that see all of them |
//! | 3 | two cells that share a house, with two or more extra digits | one of the cells takes an extra digit. With other cells of the house they are a naked set: strike its digits from the rest of the house. Or the other, which takes no extra digit, makes a hidden set of the two digits with other digits: strike the rest from the cells of the set |
//! | 4 | two cells that share a house, in which one digit of the loop fits nowhere else | one of the cells takes that digit: strike the other digit of the loop from both |
//!
//! # Exactly as Sudoku Explainer
//!
//! A strike can destroy a loop: its cells must have both digits. So the choice among several
//! loops decides what is found later, and both are just as in Sudoku Explainer 1.2.1, whose
//! source is the definition. A loop is sought from each cell with two candidates, depth
//! first, through boxes, rows and columns in this order, but not twice in a row through the
//! same kind. Up to two cells may have any extra candidates. Beyond that, a cell with extra
//! candidates is entered only if all that the search has seen so far are the same digit.
//! Two errors belong to the definition:
//!
//! - What the search has seen so far is shared by all cells that it tries from one cell of
//!   the path. So the extra candidates of a cell that it has left again can keep it from
//!   entering another. Some loops with three or more such cells are lost by that.
//! - A hidden set of type 3 begins with as many digits as there are extra digits, where two
//!   would do.
//!
//! Of all loops the one with the lowest rating is taken, then the one with the lowest type,
//! then the first.
//!
//! # Rating
//!
//! | cells | type 1, 2, 4 | type 3 with n digits: naked, hidden |
//! |---:|---:|---|
//! | 4 | 4.5 | 4.5 + 0.1 (n - 1), 4.5 + 0.1 (n - 2) |
//! | 6 | 4.6 | the same from 4.6 |
//! | 8 | 4.7 | from 4.7 |
//! | 10 or more | 5.0 | from 5.0 |

use super::{
    Detail, Rating, Step, Technique,
    cells::CellSet,
    position::{Found, View, cells_of},
    subsets::sets_within,
    words::{list, strikes},
};
use crate::grid::{Candidate, Cell, Digit, Digits, House, HouseKind};
use crate::order;
use std::ops::ControlFlow;

/// The order in which the kinds of houses are gone through.
pub(super) const KINDS: [HouseKind; 3] = [HouseKind::Box, HouseKind::Row, HouseKind::Column];

pub(super) fn find(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    let (mut rings, mut known, mut loops) = (Vec::new(), Vec::new(), Vec::new());
    for start in view.cells_of_size(2).iter() {
        let pair = view.position().candidates(start);
        // Cells with the same pair are few: most pairs have no loop at all.
        let ring = match rings.iter().position(|ring: &Ring| ring.pair == pair) {
            Some(n) => &rings[n],
            None => rings.push_mut(Ring::of(view, pair)),
        };
        if !ring.able.contains(start) || !ring.can_close(view, start) {
            continue;
        }
        for cells in Search::new(view, ring, start).loops() {
            // The same cells in another order show nothing new.
            let set: CellSet = cells.iter().copied().collect();
            if !known.contains(&set) {
                known.push(set);
                add_types(view, &cells, pair, &mut loops);
            }
        }
    }
    order::sort_by(&mut loops, |a, b| {
        let by_difficulty = a.difficulty.total_cmp(&b.difficulty);
        by_difficulty.then(a.kind.number().cmp(&b.kind.number()))
    });
    loops
        .into_iter()
        .try_for_each(|unique| found(unique.step()))
}

/// The steps that the extra candidates allow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// One cell has them.
    One(Cell),
    /// These cells have the same one.
    Same(Vec<Cell>, Digit),
    /// Two cells with these extra digits, and a naked or hidden set in a house.
    WithSet {
        cells: [Cell; 2],
        extra: Digits,
        set: Set,
    },
    /// Two cells, and the digit that fits nowhere else in a house.
    Locked([Cell; 2], House, Digit),
}

impl Kind {
    /// The number of its type.
    const fn number(&self) -> u8 {
        match self {
            Self::One(_) => 1,
            Self::Same(..) => 2,
            Self::WithSet { .. } => 3,
            Self::Locked(..) => 4,
        }
    }
}

/// The set next to two cells of a loop: the digits, and the other cells of the house that
/// take them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Set {
    pub(super) house: House,
    pub(super) digits: Digits,
    pub(super) cells: Vec<Cell>,
    pub(super) hidden: bool,
}

/// A loop with a type and what it strikes.
struct UniqueLoop {
    cells: Vec<Cell>,
    pair: Digits,
    kind: Kind,
    /// A sum of decimal fractions, made as Sudoku Explainer makes it: 4.6 + 0.1 is less than
    /// 4.5 + 0.2 there, and the order of loops depends on that.
    difficulty: f64,
    strikes: Vec<Candidate>,
}

impl UniqueLoop {
    fn step(self) -> Step {
        let rectangle = self.cells.len() == 4;
        let technique = match self.kind {
            Kind::One(_) if rectangle => Technique::UniqueRectangle1,
            Kind::Same(..) if rectangle => Technique::UniqueRectangle2,
            Kind::WithSet { .. } if rectangle => Technique::UniqueRectangle3,
            Kind::Locked(..) if rectangle => Technique::UniqueRectangle4,
            Kind::One(_) => Technique::UniqueLoop1,
            Kind::Same(..) => Technique::UniqueLoop2,
            Kind::WithSet { .. } => Technique::UniqueLoop3,
            Kind::Locked(..) => Technique::UniqueLoop4,
        };
        let houses = match &self.kind {
            Kind::WithSet { set, .. } => vec![set.house],
            Kind::Locked(_, house, _) => vec![*house],
            _ => Vec::new(),
        };
        Step {
            technique,
            houses,
            cells: self.cells,
            digits: self.pair,
            place: None,
            strikes: self.strikes,
            detail: Some(Box::new(Detail::UniqueLoop {
                rating: Rating((self.difficulty * 10.0).round() as u8),
                kind: self.kind,
            })),
        }
    }

    /// Returns true if both are of one type and go through the same cells; those of type 3 also have
    /// the same set.
    fn equals(&self, other: &Self) -> bool {
        let kinds = match (&self.kind, &other.kind) {
            (Kind::WithSet { set: a, .. }, Kind::WithSet { set: b, .. }) => a == b,
            (a, b) => a.number() == b.number(),
        };
        kinds
            && self.cells.len() == other.cells.len()
            && self.cells.iter().all(|cell| other.cells.contains(cell))
    }
}

/// The cells that loops on a pair of digits go through.
struct Ring {
    pair: Digits,
    /// The cells with both digits.
    both: CellSet,
    /// The cells among them that have no other candidate.
    plain: CellSet,
    /// The cells of `both` that can be part of a loop: each has another one in each of its houses.
    able: CellSet,
    /// No loop has more cells.
    longest: usize,
}

impl Ring {
    fn of(view: &View<'_>, pair: Digits) -> Self {
        let with = |digit| view.cells_with(digit);
        let both = pair.iter().map(with).fold(view.open_cells(), CellSet::and);
        let plain = both.and(view.cells_of_size(2));
        let mut ring = Self {
            pair,
            both,
            plain,
            able: both,
            longest: 0,
        };
        loop {
            // Fewer than four cells are no loop.
            if ring.able.len() < 4 {
                ring.able = CellSet::NONE;
                return ring;
            }
            let fit = ring.able.iter();
            let fit: CellSet = fit.filter(|&cell| has_partners(ring.able, cell)).collect();
            if fit == ring.able {
                break;
            }
            ring.able = fit;
        }
        // Two cells at most have any extra candidates, or any number have the same one.
        let three = both.and(view.cells_of_size(3));
        let same = |digit| three.and(with(digit)).len();
        let same = if three.has_two() {
            Digit::all().map(same).max().unwrap_or(0)
        } else {
            0
        };
        ring.longest = (plain.len() + same.max(2)) as usize;
        if ring.longest < 4 {
            ring.able = CellSet::NONE;
        }
        ring
    }

    /// Returns true if some cells, this one among them, visit every house twice or not at all, once in
    /// each parity, with extra candidates as a loop may have them. Any loop does, so most of
    /// the time this ends it before the search, which follows its path link by link.
    fn can_close(&self, view: &View<'_>, start: Cell) -> bool {
        let begun = Cover {
            cells: [start].into_iter().collect(),
            visited: [houses_of(start), 0],
            others: 0,
            extras: 0,
        };
        begun.can_close(view, self, self.longest - 1)
    }
}

/// Cells of a loop in any order, as [`Ring::can_close`] collects them.
#[derive(Clone, Copy)]
struct Cover {
    cells: CellSet,
    /// The houses of the cells of each parity.
    visited: [u32; 2],
    /// The number of cells that have extra candidates, and these.
    others: u32,
    extras: u16,
}

impl Cover {
    /// Returns true if this number of cells more can close all houses.
    fn can_close(self, view: &View<'_>, ring: &Ring, left: usize) -> bool {
        let open = self.visited[0] ^ self.visited[1];
        if open == 0 {
            return true;
        }
        if open.count_ones() as usize > 3 * left {
            return false;
        }
        // A house that is open has to be closed: the box, if one is open, else a line.
        let house = House::new(open.ilog2() as usize).expect("there are 27 houses");
        let parity = usize::from(self.visited[0] >> house.index() & 1 != 0);
        let cells = ring.able.and(CellSet::of_house(house));
        cells.and_not(self.cells).iter().any(|cell| {
            let fits = houses_of(cell) & self.visited[parity] == 0;
            fits && self
                .with(view, ring, cell, parity)
                .is_some_and(|cover| cover.can_close(view, ring, left - 1))
        })
    }

    /// With one more cell, unless it has extra candidates that a loop may not have.
    fn with(mut self, view: &View<'_>, ring: &Ring, cell: Cell, parity: usize) -> Option<Self> {
        self.cells.insert(cell);
        self.visited[parity] |= houses_of(cell);
        if !ring.plain.contains(cell) {
            self.others += 1;
            self.extras |= view.position().candidates(cell).bits() & !ring.pair.bits();
        }
        (self.others <= 2 || self.extras.is_power_of_two()).then_some(self)
    }
}

/// The search for loops from a cell with two candidates.
struct Search<'v> {
    view: &'v View<'v>,
    ring: &'v Ring,
    start: Cell,
    path: Vec<Cell>,
    on_path: CellSet,
    /// The houses of the cells at even and at odd places of the path.
    visited: [u32; 2],
    loops: Vec<Vec<Cell>>,
    /// The number of cells that the search has entered. `None` when it gave up.
    entered: Option<u32>,
}

/// The search enters a few dozen cells. After this number it looks whether there is a
/// contradiction, in which it might not end.
const MANY: u32 = 2000;

/// The row, the column and the box of a cell, as a set of houses.
fn houses_of(cell: Cell) -> u32 {
    1 << cell.row() | 1 << (9 + cell.column()) | 1 << (18 + cell.box_index())
}

impl<'v> Search<'v> {
    fn new(view: &'v View<'v>, ring: &'v Ring, start: Cell) -> Self {
        Self {
            view,
            ring,
            start,
            path: vec![start],
            on_path: [start].into_iter().collect(),
            visited: [houses_of(start), 0],
            loops: Vec::new(),
            entered: Some(0),
        }
    }

    fn loops(mut self) -> Vec<Vec<Cell>> {
        self.go_on(None, 2, 0);
        match self.entered {
            Some(_) => self.loops,
            None => Vec::new(),
        }
    }

    /// Tries all cells after the last one of the path. `extras` are the extra digits seen so
    /// far, and this number of cells are allowed to have any.
    fn go_on(&mut self, last: Option<HouseKind>, allowed: i32, mut extras: u16) {
        let here = self.path[self.path.len() - 1];
        // Once no other cell with extra digits can follow, none has to be looked at.
        let only_plain = allowed <= 0 && !extras.is_power_of_two();
        let mut tried = if only_plain {
            self.ring.plain.and(self.ring.able)
        } else {
            self.ring.both
        };
        tried = tried.and_not(self.on_path);
        if self.path.len() >= 4 {
            tried.insert(self.start);
        }
        for kind in KINDS.into_iter().filter(|&kind| Some(kind) != last) {
            for next in tried
                .and(CellSet::of_house(House::containing(here, kind)))
                .iter()
            {
                if next == self.start {
                    // The houses of even and odd cells are the same: two cells in each.
                    if self.visited[0] == self.visited[1] {
                        self.loops.push(self.path.clone());
                    }
                    continue;
                }
                let candidates = self.view.position().candidates(next);
                // One set for all cells that are tried from here: see the head of this file.
                extras |= candidates.bits() & !self.ring.pair.bits();
                let extra = !self.ring.plain.contains(next);
                if !extra || extras.is_power_of_two() || allowed > 0 {
                    self.enter(next, kind, allowed - i32::from(extra), extras);
                }
            }
        }
    }

    /// Goes on from a cell, if the path can still become a loop with it.
    fn enter(&mut self, cell: Cell, kind: HouseKind, allowed: i32, extras: u16) {
        let parity = self.path.len() % 2;
        let houses = houses_of(cell);
        let full = self.path.len() == self.ring.longest || self.visited[parity] & houses != 0;
        if full || !self.ring.able.contains(cell) || self.gives_up() {
            return;
        }
        self.visited[parity] |= houses;
        self.path.push(cell);
        self.on_path.insert(cell);
        self.go_on(Some(kind), allowed, extras);
        self.on_path.remove(cell);
        self.path.pop();
        self.visited[parity] &= !houses;
    }

    /// Counts a cell, and gives up in a contradiction.
    fn gives_up(&mut self) -> bool {
        self.entered = self.entered.map(|entered| entered + 1);
        if self.entered == Some(MANY) && is_crowded(self.view, self.ring.both, self.ring.pair) {
            self.entered = None;
        }
        self.entered.is_none()
    }
}

/// Returns true if a house has more cells of these than digits for them: three with no extra digit,
/// or four with the same one. Then there is no solution.
fn is_crowded(view: &View<'_>, both: CellSet, pair: Digits) -> bool {
    let within = |digits: u16| -> CellSet {
        let fits = |cell: &Cell| view.position().candidates(*cell).bits() & !digits == 0;
        both.iter().filter(fits).collect()
    };
    let crowded = |cells: CellSet, most: u32| {
        House::all().any(|house| cells.and(CellSet::of_house(house)).len() > most)
    };
    crowded(within(pair.bits()), 2)
        || Digit::all().any(|digit| crowded(within(pair.bits() | 1 << digit.index()), 3))
}

/// Returns true if each house of a cell has another of these cells.
fn has_partners(cells: CellSet, cell: Cell) -> bool {
    let mut others = cells;
    others.remove(cell);
    let partner = |kind| others.and(CellSet::of_house(House::containing(cell, kind)));
    KINDS.into_iter().all(|kind| !partner(kind).is_empty())
}

/// Adds what a loop allows, unless an equal one is there.
fn add_types(view: &View<'_>, cells: &[Cell], pair: Digits, loops: &mut Vec<UniqueLoop>) {
    let candidates = |cell: Cell| view.position().candidates(cell);
    let others = cells.iter().copied();
    let others: Vec<Cell> = others.filter(|&cell| candidates(cell).len() > 2).collect();
    let extra = |cells: &[Cell]| {
        let all = cells.iter().map(|&cell| candidates(cell).bits());
        Digits::from_bits(all.fold(0, |all, bits| all | bits) & !pair.bits())
    };
    let mut add = |kind: Kind, strikes: Vec<Candidate>| {
        if strikes.is_empty() {
            return;
        }
        let unique = UniqueLoop {
            cells: cells.to_vec(),
            pair,
            difficulty: difficulty(cells.len(), &kind),
            kind,
            strikes,
        };
        if !loops.iter().any(|known| known.equals(&unique)) {
            loops.push(unique);
        }
    };
    let extra = extra(&others);
    let one = extra.iter().next().filter(|_| extra.len() == 1);
    match (&others[..], one) {
        ([], _) => {}
        (&[cell], _) => {
            let strike = |digit| Candidate { cell, digit };
            add(Kind::One(cell), pair.iter().map(strike).collect());
        }
        (&[a, b], None) => {
            each_set(view, [a, b], pair, extra, &mut add);
            add_locked(view, [a, b], pair, &mut add);
        }
        (_, Some(digit)) => {
            let seen = others.iter().map(|&cell| CellSet::peers(cell));
            let seen = seen.fold(view.cells_with(digit), CellSet::and);
            let strikes = seen.iter().map(|cell| Candidate { cell, digit });
            add(Kind::Same(others.clone(), digit), strikes.collect());
            if let [a, b] = others[..] {
                add_locked(view, [a, b], pair, &mut add);
            }
        }
        // The search enters a third cell only with the same extra digit.
        _ => {}
    }
}

/// The difficulty as Sudoku Explainer adds it up.
fn difficulty(cells: usize, kind: &Kind) -> f64 {
    let loop_only = match cells {
        ..6 => 4.5,
        6..8 => 4.5 + 0.1,
        8..10 => 4.5 + 0.2,
        _ => 4.5 + 0.3 + 0.2,
    };
    match kind {
        // A naked set of n digits has n - 1 other cells, a hidden one n - 2 of them.
        Kind::WithSet { set, .. } if set.hidden => loop_only + (set.cells.len() as f64 - 1.0) * 0.1,
        Kind::WithSet { set, .. } => loop_only + set.cells.len() as f64 * 0.1,
        _ => loop_only,
    }
}

/// Type 4: one digit of the pair fits nowhere else in a house of both cells.
fn add_locked(
    view: &View<'_>,
    cells: [Cell; 2],
    pair: Digits,
    add: &mut impl FnMut(Kind, Vec<Candidate>),
) {
    let two: CellSet = cells.into_iter().collect();
    let shared = shared_houses(cells);
    for digit in pair.iter() {
        let only_there = |house: &&House| {
            let places = view.cells_with(digit).and(CellSet::of_house(**house));
            places.and_not(two).is_empty()
        };
        // The last house where it is so: the box only if no line is.
        if let Some(&house) = shared.iter().rfind(only_there) {
            let other = pair.iter().find(|&other| other != digit);
            let other = other.expect("a pair has two digits");
            let strike = |cell| Candidate { cell, digit: other };
            let strikes = cells.map(strike).to_vec();
            add(Kind::Locked(cells, house, digit), strikes);
            return;
        }
    }
}

/// The houses that two cells share.
fn shared_houses([a, b]: [Cell; 2]) -> Vec<House> {
    let kinds = KINDS.into_iter();
    let shared = kinds.filter(|&kind| House::containing(a, kind) == House::containing(b, kind));
    shared.map(|kind| House::containing(a, kind)).collect()
}

/// The place of a cell in a house that it lies in.
fn place_in(house: House, cell: Cell) -> u16 {
    let place = house.cells().iter().position(|&other| other == cell);
    1 << place.expect("the house has the cell")
}

/// Type 3: the sets next to two cells, in the order in which they are sought.
fn each_set(
    view: &View<'_>,
    cells: [Cell; 2],
    pair: Digits,
    extra: Digits,
    add: &mut impl FnMut(Kind, Vec<Candidate>),
) {
    for n in extra.len() as u32..=7 {
        for house in shared_houses(cells) {
            let mut add = |set: Set, strikes| {
                let kind = Kind::WithSet { cells, extra, set };
                add(kind, strikes);
            };
            if 2 * n <= view.empty_count(house) {
                each_naked(view, house, cells, extra, n, &mut add);
            }
            if 2 * n < view.empty_count(house) {
                each_hidden(view, house, cells, [pair, extra], n, &mut add);
            }
        }
    }
}

/// Naked sets of `n` digits: other cells of the house, one fewer, have all of them, or they
/// have all but digits that both cells of the loop have as extra ones.
fn each_naked(
    view: &View<'_>,
    house: House,
    cells: [Cell; 2],
    extra: Digits,
    n: u32,
    add: &mut impl FnMut(Set, Vec<Candidate>),
) {
    let candidates = view.house_candidates(house);
    let [first, second] = cells.map(|cell| place_in(house, cell));
    let usable = |place: &usize| (2..=n).contains(&candidates[*place].count_ones());
    let usable: u16 = (0..9).filter(usable).map(|place| 1 << place).sum();
    let in_both = cells.map(|cell| view.position().candidates(cell).bits());
    let in_both = extra.bits() & in_both[0] & in_both[1];
    let sets = sets_within((usable | first) & !second);
    for set in sets.filter(|set| set.count_ones() == n && set & first != 0) {
        let others = set & !first;
        let members = (0..9).filter(|place| others >> place & 1 != 0);
        let union = members.fold(0, |all, place| all | candidates[place]);
        let digits = union | extra.bits();
        if digits.count_ones() != n || union | in_both != digits {
            continue;
        }
        let mut struck = Vec::new();
        for cell in cells_of(house, 0x1FF & !(set | second)) {
            let lost = view.position().candidates(cell).bits() & digits;
            let lost = Digits::from_bits(lost).iter();
            struck.extend(lost.map(|digit| Candidate { cell, digit }));
        }
        let set = Set {
            house,
            digits: Digits::from_bits(digits),
            cells: cells_of(house, others),
            hidden: false,
        };
        add(set, struck);
    }
}

/// Hidden sets of `n` digits: the pair and others that are not extra digits fit only in one
/// of the two cells and `n - 1` others of the house.
fn each_hidden(
    view: &View<'_>,
    house: House,
    cells: [Cell; 2],
    [pair, extra]: [Digits; 2],
    n: u32,
    add: &mut impl FnMut(Set, Vec<Candidate>),
) {
    let [first, second] = cells.map(|cell| place_in(house, cell));
    let free = Digits::ALL.bits() & !pair.bits() & !extra.bits();
    let others = std::iter::once(0).chain(sets_within(free));
    for other in others.filter(|set| set.count_ones() == n - 2) {
        let digits = Digits::from_bits(pair.bits() | other);
        let places = |digit| view.places(house, digit) & !second;
        if digits.iter().any(|digit| places(digit) == 0) {
            continue;
        }
        let taken = digits.iter().fold(0, |all, digit| all | places(digit));
        if taken.count_ones() != n {
            continue;
        }
        let taken = cells_of(house, taken & !first);
        let mut struck = Vec::new();
        for &cell in &taken {
            let lost = view.position().candidates(cell).bits() & !digits.bits();
            let lost = Digits::from_bits(lost).iter();
            struck.extend(lost.map(|digit| Candidate { cell, digit }));
        }
        let set = Set {
            house,
            digits,
            cells: taken,
            hidden: true,
        };
        add(set, struck);
    }
}

pub(super) fn words(step: &Step, kind: &Kind) -> String {
    let (cells, pair) = (list(&step.cells), list(step.digits.iter()));
    let exchange = format!(
        "Around {cells}, {pair} could be exchanged if these cells had no other candidates, and \
         the puzzle would have two solutions."
    );
    let why = match kind {
        Kind::One(cell) => format!("So {cell} takes another."),
        Kind::Same(cells, digit) => format!("So one of {} is {digit}.", list(cells)),
        Kind::WithSet { cells, extra, set } => {
            let (two, extra) = (list(cells), list(extra.iter()));
            let (house, others) = (set.house, list(&set.cells));
            let digits = list(set.digits.iter());
            let first = format!(
                "So one of {two} takes {extra}.",
                extra = extra.replace(" and ", " or ")
            );
            if set.hidden {
                format!(
                    "{first} That leaves only one of the two cells and {others} for {digits} in \
                     {house}."
                )
            } else {
                format!("{first} With {others}, that takes {digits} in {house}.")
            }
        }
        Kind::Locked(cells, house, digit) => {
            let two = list(cells);
            let other = step.digits.iter().find(|other| other != digit);
            let other = other.expect("a pair has two digits");
            format!(
                "In {house}, {digit} fits only in {two}. So one of them is {digit}, and if the \
                 other were {other}, neither would take another candidate."
            )
        }
    };
    format!("{exchange} {why} {}", strikes(step))
}
