//! BUG, bivalue universal grave: a grid in which every digit could be exchanged.
//!
//! If every empty cell had two candidates, and every digit no place or two in every house,
//! then two solutions or none would be left. A puzzle with one solution never comes to that.
//! So where a few candidates are all that is missing from such a grid, the *extra* ones, one
//! of them is right.
//!
//! ```text
//!     BUG type 1: all other empty cells have two candidates
//!
//!     27  .   59  | .   .   .          2 has three places in row 1, 5, 7 and 9 have two.
//!     .   .   .   | .   25  79         So 2 is the extra candidate of r1c9. Without it, r1c9
//!     ...                              would be part of a grave: it is 2.
//!                  29#: 259
//! ```
//!
//! | type | condition | what it strikes | rating |
//! |---|---|---|---|
//! | 1 | one cell has extra candidates | its other candidates | 5.6 |
//! | 2 | all extra candidates are the same digit | the digit from all cells that see all of them | 5.7 |
//! | 4 | two cells that share a house, and just one other candidate | from both cells all but that candidate and their own extra ones: one of them takes an extra one, the other the shared one | 5.7 |
//! | 3 | the cells share a house, and with n - 1 other cells of it they are a naked set of n digits | the digits from the rest of the house | 5.7 + 0.1 (n - 1) |
//!
//! # Exactly as Sudoku Explainer
//!
//! A strike can turn one type into another. So the search is just that of Sudoku Explainer
//! 1.2.1, whose source is the definition. It looks for houses in which a digit has another
//! number of places than none and two. The one cell there with three candidates or more has
//! the digit as an extra candidate. If there are several such cells, another house has to
//! say which. If there is none, there is no BUG. Two errors belong to the definition: some
//! graves with several such cells in a house are lost, and of several sets of type 3 the
//! first is taken, not the easiest.

use super::{
    Detail, Rating, Step, Technique,
    cells::CellSet,
    position::{Found, View},
    subsets::sets_within,
    unique_loop::KINDS,
    words::{list, strikes},
};
use crate::grid::{CELLS, Candidate, Cell, Digit, Digits, House};
use std::ops::ControlFlow;

pub(super) fn find(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    match Grave::of(view) {
        Some(grave) => grave.find(view, found),
        None => ControlFlow::Continue(()),
    }
}

/// Cells with extra candidates, without which the grid is a grave.
struct Grave {
    /// In the order in which they are found.
    cells: Vec<Cell>,
    /// The extra candidates of each cell of the grid.
    extra: [u16; CELLS],
    /// The extra candidates of all cells.
    digits: Digits,
    /// The cells that see all of them.
    seen: CellSet,
}

/// The naked set of a grave of type 3.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct NakedSet {
    pub(super) cells: Vec<Cell>,
    pub(super) digits: Digits,
}

impl Grave {
    fn of(view: &View<'_>) -> Option<Self> {
        let two = view.cells_of_size(2);
        let larger = view.open_cells().and_not(two);
        // Cells with different extra candidates all see one cell. One with four candidates has two that are extra.
        const MOST_SEEN: u32 = 20;
        let three = view.cells_of_size(3);
        if larger.len() > MOST_SEEN && !larger.and_not(three).is_empty() {
            return None;
        }
        let mut grave = Self {
            cells: Vec::new(),
            extra: [0; CELLS],
            digits: Digits::NONE,
            seen: CellSet::NONE,
        };
        for house in KINDS.into_iter().flat_map(House::all_of) {
            let in_house = CellSet::of_house(house);
            for digit in Digit::all() {
                let places = view.places(house, digit).count_ones();
                if places == 0 || places == 2 {
                    continue;
                }
                let here = larger.and(in_house).and(view.cells_with(digit));
                let cell = here.iter().next()?;
                if here.len() == 1 && !grave.add(cell, digit) {
                    return None;
                }
            }
        }
        (!grave.cells.is_empty() && grave.is_whole(view)).then_some(grave)
    }

    /// Adds an extra candidate, unless the cells are too many to have one thing in common.
    fn add(&mut self, cell: Cell, digit: Digit) -> bool {
        self.seen = if self.cells.is_empty() {
            CellSet::peers(cell)
        } else {
            self.seen.and(CellSet::peers(cell))
        };
        if !self.cells.contains(&cell) {
            self.cells.push(cell);
        }
        for &cell in &self.cells {
            self.seen.remove(cell);
        }
        self.extra[cell.index()] |= 1 << digit.index();
        self.digits.insert(digit);
        self.cells.len() == 1 || self.digits.len() == 1 || !self.seen.is_empty()
    }

    /// Returns true if the grid is a grave without the extra candidates.
    fn is_whole(&self, view: &View<'_>) -> bool {
        let rest = |cell: Cell| {
            let candidates = view.position().candidates(cell).bits();
            candidates & !self.extra[cell.index()]
        };
        let empty = |cell: &Cell| view.position().filled().get(*cell).is_none();
        let mut empty_cells = Cell::all().filter(empty);
        empty_cells.all(|cell| rest(cell).count_ones() == 2)
            && House::all().all(|house| {
                // Digits with one place at least, with two, and with three.
                let [mut one, mut two, mut three] = [0_u16; 3];
                for cell in house.cells() {
                    let digits = rest(cell);
                    three |= two & digits;
                    two |= one & digits;
                    one |= digits;
                }
                one == two && three == 0
            })
    }

    fn find(&self, view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        if let [cell] = self.cells[..] {
            let lost = view.position().candidates(cell).bits() & !self.digits.bits();
            let lost = Digits::from_bits(lost).iter();
            let strikes = lost.map(|digit| Candidate { cell, digit }).collect();
            return found(self.step(Technique::Bug1, Rating(56), None, strikes, None));
        }
        if let (1, Some(digit)) = (self.digits.len(), self.digits.iter().next()) {
            let struck = self.seen.and(view.cells_with(digit)).iter();
            let strikes: Vec<_> = struck.map(|cell| Candidate { cell, digit }).collect();
            if !strikes.is_empty() {
                found(self.step(Technique::Bug2, Rating(57), None, strikes, None))?;
            }
            return self.find_shared(view, found);
        }
        if self.seen.is_empty() {
            return ControlFlow::Continue(());
        }
        self.find_shared(view, found)?;
        self.find_sets(view, found)
    }

    /// Type 4: two cells that share just one candidate that is not an extra one.
    fn find_shared(&self, view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let candidates = |cell: Cell| view.position().candidates(cell).bits();
        let [a, b] = self.cells[..] else {
            return ControlFlow::Continue(());
        };
        let shared = candidates(a) & candidates(b) & !self.digits.bits();
        let Some(house) = self.shared_houses().next() else {
            return ControlFlow::Continue(());
        };
        if shared.count_ones() != 1 {
            return ControlFlow::Continue(());
        }
        let mut strikes = Vec::new();
        for cell in [a, b] {
            let lost = candidates(cell) & !shared & !self.extra[cell.index()];
            let lost = Digits::from_bits(lost).iter();
            strikes.extend(lost.map(|digit| Candidate { cell, digit }));
        }
        found(self.step(Technique::Bug4, Rating(57), Some(house), strikes, None))
    }

    /// Type 3: naked sets with other cells of a house.
    fn find_sets(&self, view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let candidates = |cell: Cell| view.position().candidates(cell).bits();
        for house in self.shared_houses() {
            let others = self.others_in(house);
            for n in 2..=others.len().min(6) as u32 {
                let sets = sets_within((1 << others.len()) - 1);
                for set in sets.filter(|set| set.count_ones() == n - 1) {
                    let members = members(&others, set);
                    let union = members.iter().fold(0, |all, &cell| all | candidates(cell));
                    let each = members
                        .iter()
                        .all(|&cell| candidates(cell).count_ones() > 1);
                    let digits = union | self.digits.bits();
                    if !each || digits != union || digits.count_ones() != n {
                        continue;
                    }
                    let mut strikes = Vec::new();
                    for &cell in others.iter().filter(|cell| !members.contains(cell)) {
                        let lost = Digits::from_bits(candidates(cell) & digits).iter();
                        strikes.extend(lost.map(|digit| Candidate { cell, digit }));
                    }
                    if strikes.is_empty() {
                        continue;
                    }
                    let set = NakedSet {
                        cells: members,
                        digits: Digits::from_bits(digits),
                    };
                    let rating = Rating(57 + n as u8 - 1);
                    found(self.step(Technique::Bug3, rating, Some(house), strikes, Some(set)))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The houses in which all of the cells lie.
    fn shared_houses(&self) -> impl Iterator<Item = House> {
        let kinds = KINDS.into_iter();
        kinds.filter_map(|kind| {
            let house = House::containing(self.cells[0], kind);
            let shared = self.cells.iter().all(|&cell| house.contains(cell));
            shared.then_some(house)
        })
    }

    /// The cells of a house that see all of the cells: filled ones too, which count for the
    /// number of them. They come in the order of the peers of the first cell: its box, its
    /// row, its column.
    fn others_in(&self, house: House) -> Vec<Cell> {
        let first = self.cells[0];
        let houses = KINDS.into_iter().map(|kind| House::containing(first, kind));
        let peers = houses.flat_map(House::cells);
        let mut others = Vec::new();
        for cell in peers.filter(|&cell| self.seen.contains(cell) && house.contains(cell)) {
            if !others.contains(&cell) {
                others.push(cell);
            }
        }
        others
    }

    fn step(
        &self,
        technique: Technique,
        rating: Rating,
        house: Option<House>,
        strikes: Vec<Candidate>,
        set: Option<NakedSet>,
    ) -> Step {
        let extra = |cell: &Cell| (*cell, Digits::from_bits(self.extra[cell.index()]));
        Step {
            technique,
            houses: house.into_iter().collect(),
            cells: self.cells.clone(),
            digits: self.digits,
            place: None,
            strikes,
            detail: Some(Box::new(Detail::Grave {
                rating,
                extra: self.cells.iter().map(extra).collect(),
                set,
            })),
        }
    }
}

/// The members of a list that a set of bits names.
fn members(cells: &[Cell], set: u16) -> Vec<Cell> {
    let numbered = cells.iter().enumerate();
    let members = numbered.filter(|(n, _)| set >> n & 1 != 0);
    members.map(|(_, &cell)| cell).collect()
}

pub(super) fn words(step: &Step, extra: &[(Cell, Digits)], set: Option<&NakedSet>) -> String {
    let each = extra
        .iter()
        .map(|(cell, digits)| format!("{} in {cell}", list(digits.iter())));
    let cells = list(extra.iter().map(|(cell, _)| cell));
    let grave = format!(
        "Without {}, every empty cell would have two candidates and every digit two places in \
         its houses, and the puzzle would not have one solution.",
        list(each)
    );
    let digits = list(step.digits.iter());
    let why = match (step.technique, set) {
        (Technique::Bug1, _) => format!("So {cells} is {}.", digits.replace(" and ", " or ")),
        (Technique::Bug2, _) => format!("So one of {cells} is {digits}."),
        (_, Some(set)) => format!(
            "So one of {cells} takes one of these. With {}, that takes {} in {}.",
            list(&set.cells),
            list(set.digits.iter()),
            step.houses[0]
        ),
        _ => format!(
            "So one of {cells} takes one of these, and the other the digit that they share in \
             {}.",
            step.houses[0]
        ),
    };
    format!("{grave} {why} {}", strikes(step))
}
