//! Whether a step over 4.4 holds, from what it says alone: an independent check of each
//! premise on sets of cells. Nothing is shared with the library but the names.

use std::collections::BTreeSet;
use sudoku_batch::{
    Cell, Digit,
    grid::{Digits, House},
    technique::{Position, Step, Technique},
};

type Cells = BTreeSet<Cell>;

fn houses_of(cell: Cell) -> impl Iterator<Item = House> {
    House::all().filter(move |house| house.contains(cell))
}

fn see(a: Cell, b: Cell) -> bool {
    a != b && houses_of(a).any(|house| house.contains(b))
}

fn union(position: &Position, cells: impl IntoIterator<Item = Cell>) -> BTreeSet<Digit> {
    let cells = cells.into_iter();
    cells
        .flat_map(|cell| position.candidates(cell).iter())
        .collect()
}

fn set(digits: Digits) -> BTreeSet<Digit> {
    digits.iter().collect()
}

/// The places of a digit in a house.
fn places(position: &Position, house: House, digit: Digit) -> Cells {
    let cells = house.cells().into_iter();
    cells
        .filter(|&cell| position.is_candidate(cell, digit))
        .collect()
}

/// The candidates that a step eliminates.
fn struck(step: &Step) -> BTreeSet<(Cell, Digit)> {
    let strikes = step.strikes.iter();
    strikes.map(|strike| (strike.cell, strike.digit)).collect()
}

/// Whether [`holds`] checks a technique.
pub fn is_checked(technique: Technique) -> bool {
    technique.needs_one_solution()
        || matches!(
            technique,
            Technique::AlignedPair | Technique::AlignedTriplet
        )
}

/// Whether a step of one of these techniques holds and strikes all that it allows. Other
/// techniques have no check here: `None`.
pub fn holds(position: &Position, step: &Step) -> Option<bool> {
    use Technique::*;
    Some(match step.technique {
        UniqueRectangle1 | UniqueLoop1 => is_loop(position, step) && loop_1(position, step),
        UniqueRectangle2 | UniqueLoop2 => is_loop(position, step) && loop_2(position, step),
        UniqueRectangle3 | UniqueLoop3 => is_loop(position, step) && loop_3(position, step),
        UniqueRectangle4 | UniqueLoop4 => is_loop(position, step) && loop_4(position, step),
        Bug1 | Bug2 | Bug3 | Bug4 => is_grave(position, step) && grave(position, step),
        AlignedPair | AlignedTriplet => exclusion(position, step),
        _ => return None,
    })
}

/// The cells have both digits. Every house has none of them, or two that are an odd number of
/// places apart. Neighbours share a house. So the two digits can be exchanged around it.
fn is_loop(position: &Position, step: &Step) -> bool {
    let (cells, pair) = (&step.cells, set(step.digits));
    let distinct: Cells = cells.iter().copied().collect();
    let has_both = |&cell: &Cell| pair.is_subset(&set(position.candidates(cell)));
    let twice = |house: House| {
        let here: Vec<usize> = (0..cells.len())
            .filter(|&n| house.contains(cells[n]))
            .collect();
        here.is_empty() || here.len() == 2 && (here[1] - here[0]) % 2 == 1
    };
    let next = |n: usize| cells[(n + 1) % cells.len()];
    let length = match step.technique.name().contains("rectangle") {
        true => cells.len() == 4,
        false => cells.len() > 4,
    };
    length
        && pair.len() == 2
        && distinct.len() == cells.len()
        && cells.iter().all(has_both)
        && House::all().all(twice)
        && (0..cells.len()).all(|n| see(cells[n], next(n)))
}

/// The cells of a loop with other candidates, and these.
fn extras(position: &Position, step: &Step) -> (Vec<Cell>, BTreeSet<Digit>) {
    let extra = |cell: Cell| &set(position.candidates(cell)) - &set(step.digits);
    let cells = step.cells.iter().copied();
    let cells: Vec<Cell> = cells.filter(|&cell| !extra(cell).is_empty()).collect();
    let digits = cells.iter().flat_map(|&cell| extra(cell)).collect();
    (cells, digits)
}

fn loop_1(position: &Position, step: &Step) -> bool {
    let (cells, _) = extras(position, step);
    let all = step.digits.iter().map(|digit| (cells[0], digit)).collect();
    cells.len() == 1 && struck(step) == all
}

fn loop_2(position: &Position, step: &Step) -> bool {
    let (cells, digits) = extras(position, step);
    let Some(&digit) = digits.first() else {
        return false;
    };
    cells.len() >= 2 && digits.len() == 1 && struck(step) == seen_by_all(position, &cells, digit)
}

/// The candidates of a digit that see all of some cells.
fn seen_by_all(position: &Position, cells: &[Cell], digit: Digit) -> BTreeSet<(Cell, Digit)> {
    let sees = |&cell: &Cell| cells.iter().all(|&other| see(cell, other));
    let cells = Cell::all().filter(sees);
    let cells = cells.filter(|&cell| position.is_candidate(cell, digit));
    cells.map(|cell| (cell, digit)).collect()
}

/// One of two cells takes an extra digit. The other cells of the set are `side_cells`.
fn loop_3(position: &Position, step: &Step) -> bool {
    let (cells, extra) = extras(position, step);
    let [house] = step.houses[..] else {
        return false;
    };
    let side: Cells = step.side_cells().iter().copied().collect();
    let in_house = |&cell: &Cell| house.contains(cell);
    let two = cells.len() == 2 && cells.iter().all(in_house) && side.iter().all(in_house);
    if !two || cells.iter().any(|cell| side.contains(cell)) {
        return false;
    }
    let rest = house.cells().into_iter();
    let rest = rest.filter(|cell| !side.contains(cell) && !cells.contains(cell));
    // Naked: the side cells and the one that takes an extra digit have no more digits than
    // they are.
    let naked = &union(position, side.iter().copied()) | &extra;
    if naked.len() == side.len() + 1 {
        let lost = |cell: Cell| {
            let lost = &set(position.candidates(cell)) & &naked;
            lost.into_iter().map(move |digit| (cell, digit))
        };
        if struck(step) == rest.clone().flat_map(lost).collect() {
            return true;
        }
    }
    // Hidden: as many digits as side cells and one more have no place in the rest, and none of
    // them is an extra digit.
    let fits_not = |digit: &Digit| !rest.clone().any(|cell| position.is_candidate(cell, *digit));
    let hidden: BTreeSet<Digit> = Digit::all()
        .filter(|digit| !extra.contains(digit) && !places(position, house, *digit).is_empty())
        .filter(fits_not)
        .collect();
    let lost = |&cell: &Cell| {
        let lost = &set(position.candidates(cell)) - &hidden;
        lost.into_iter().map(move |digit| (cell, digit))
    };
    hidden.len() == side.len() + 1 && struck(step) == side.iter().flat_map(lost).collect()
}

fn loop_4(position: &Position, step: &Step) -> bool {
    let (cells, _) = extras(position, step);
    let [house] = step.houses[..] else {
        return false;
    };
    let two: Cells = cells.iter().copied().collect();
    two.len() == 2
        && step.digits.iter().any(|locked| {
            let other = step.digits.iter().filter(|&digit| digit != locked);
            let all = other.flat_map(|digit| cells.iter().map(move |&cell| (cell, digit)));
            places(position, house, locked) == two && struck(step) == all.collect()
        })
}

/// The extra candidates are those without which the grid is a grave: of all sets of the
/// digits of the pattern in its cells, only one makes every empty cell have two candidates and
/// every digit no place or two in every house.
fn extra_candidates(position: &Position, step: &Step) -> Option<BTreeSet<(Cell, Digit)>> {
    let cells = &step.cells;
    let mut extra = BTreeSet::new();
    for house in House::all() {
        for digit in step.digits.iter() {
            let places = places(position, house, digit);
            let buggy: Vec<_> = places.iter().filter(|cell| cells.contains(cell)).collect();
            if places.len() == 3 && buggy.len() == 1 {
                extra.insert((*buggy[0], digit));
            }
        }
    }
    let of_cell = |cell: Cell| extra.iter().filter(|(other, _)| *other == cell).count();
    let each = cells.iter().all(|&cell| of_cell(cell) > 0);
    each.then_some(extra)
}

fn is_grave(position: &Position, step: &Step) -> bool {
    let Some(extra) = extra_candidates(position, step) else {
        return false;
    };
    let rest = |cell: Cell| {
        let digits = position.candidates(cell).iter();
        digits
            .filter(|&digit| !extra.contains(&(cell, digit)))
            .collect::<BTreeSet<_>>()
    };
    let mut empty = Cell::all().filter(|&cell| position.filled().get(cell).is_none());
    let houses_fit = House::all().all(|house| {
        Digit::all().all(|digit| {
            let cells = house.cells();
            let count = cells
                .iter()
                .filter(|&&cell| rest(cell).contains(&digit))
                .count();
            count == 0 || count == 2
        })
    });
    empty.all(|cell| rest(cell).len() == 2) && houses_fit
}

fn grave(position: &Position, step: &Step) -> bool {
    let extra = extra_candidates(position, step).expect("it is a grave");
    let digits: BTreeSet<Digit> = extra.iter().map(|&(_, digit)| digit).collect();
    let all = |cell: Cell| set(position.candidates(cell));
    let of_cell = |cell: Cell| {
        let own = extra.iter().filter(move |(other, _)| *other == cell);
        own.map(|&(_, digit)| digit).collect::<BTreeSet<_>>()
    };
    let cells = &step.cells;
    let lost = |keep: &dyn Fn(Cell) -> BTreeSet<Digit>| {
        let lost = |&cell: &Cell| {
            let lost = &all(cell) - &keep(cell);
            lost.into_iter().map(move |digit| (cell, digit))
        };
        cells.iter().flat_map(lost).collect::<BTreeSet<_>>()
    };
    match (step.technique, &cells[..], &step.houses[..]) {
        (Technique::Bug1, [_], []) => struck(step) == lost(&of_cell),
        (Technique::Bug2, _, []) => {
            let digit = *digits.first().expect("it has an extra digit");
            digits.len() == 1 && struck(step) == seen_by_all(position, cells, digit)
        }
        // One of the two takes an extra digit, so the other takes the shared one, which has
        // no other place in the house.
        (Technique::Bug4, &[a, b], &[house]) => {
            let shared = &(&all(a) & &all(b)) - &digits;
            let keep = |cell: Cell| &of_cell(cell) | &shared;
            let locked = shared
                .iter()
                .all(|&digit| places(position, house, digit) == [a, b].into_iter().collect());
            shared.len() == 1 && locked && struck(step) == lost(&keep)
        }
        (Technique::Bug3, _, &[house]) => {
            let side: Cells = step.side_cells().iter().copied().collect();
            let set = &union(position, side.iter().copied()) | &digits;
            let rest = house.cells().into_iter();
            let rest = rest.filter(|cell| !side.contains(cell) && !cells.contains(cell));
            let lost = |cell: Cell| {
                let lost = &all(cell) & &set;
                lost.into_iter().map(move |digit| (cell, digit))
            };
            cells.iter().chain(&side).all(|&cell| house.contains(cell))
                && set.len() == side.len() + 1
                && struck(step) == rest.flat_map(lost).collect()
        }
        _ => false,
    }
}

/// Each way to fill the cells with a struck candidate has the same digit twice in a house, or
/// takes all candidates of a cell that sees all of them; and each other candidate has a way.
fn exclusion(position: &Position, step: &Step) -> bool {
    let cells = &step.cells;
    let mut ways = vec![Vec::new()];
    for &cell in cells {
        let longer = |way: &Vec<Digit>| {
            let digits = position.candidates(cell).iter();
            let way = way.clone();
            digits.map(move |digit| [&way[..], &[digit]].concat())
        };
        ways = ways.iter().flat_map(longer).collect();
    }
    let seeing = |&cell: &Cell| cells.iter().all(|&other| see(cell, other));
    let excluders: Vec<_> = Cell::all()
        .filter(seeing)
        .map(|cell| set(position.candidates(cell)))
        .filter(|digits| !digits.is_empty())
        .collect();
    ways.retain(|way| {
        let digits: BTreeSet<Digit> = way.iter().copied().collect();
        let twice = (0..way.len()).any(|i| {
            let clash = |j: usize| way[i] == way[j] && see(cells[i], cells[j]);
            (0..i).any(clash)
        });
        !twice && !excluders.iter().any(|excluder| excluder.is_subset(&digits))
    });
    let mut lost = BTreeSet::new();
    for (n, &cell) in cells.iter().enumerate() {
        for digit in position.candidates(cell).iter() {
            if !ways.iter().any(|way| way[n] == digit) {
                lost.insert((cell, digit));
            }
        }
    }
    struck(step) == lost
}
