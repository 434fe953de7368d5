//! Techniques inside dynamic chains: locking, hidden pairs, naked pairs and X-wings.
//!
//! They are looked for in the position that a run leaves when nothing follows any more. A
//! hint counts only if the run made it possible: if the pattern has lost a candidate that
//! the start of the run had. These lost candidates are its parents.
//!
//! Houses and sets are gone through in the order of Sudoku Explainer.

use super::{
    proof::Rule,
    run::Applied,
    state::{Candidate, HOUSES_OF, PLACES_OF, State, bits, candidate, is_two},
};
use crate::grid::{CELLS, HOUSE_CELLS, HOUSES};

/// The kinds of houses: the number of the first house of each.
const ROWS: usize = 0;
const COLUMNS: usize = 9;
const BOXES: usize = 18;

/// Looks for one technique: the position at the start of the run, and the present one.
pub(super) type Look = fn(&State, &State) -> Vec<Applied>;

/// The techniques in the order in which they are tried.
pub(super) const ORDER: [Look; 4] = [locking, hidden_pairs, naked_pairs, x_wings];

/// The pairs of the numbers 0 to 8, as sets in ascending order.
pub(super) fn pairs() -> impl Iterator<Item = [usize; 2]> {
    (1..9).flat_map(|second| (0..second).map(move |first| [first, second]))
}

fn add(found: &mut Vec<Applied>, rule: Rule, mut strikes: Vec<Candidate>, parents: Vec<Candidate>) {
    if !strikes.is_empty() && !parents.is_empty() {
        strikes.sort_unstable();
        found.push(Applied {
            rule,
            strikes,
            parents,
            inner: None,
        });
    }
}

/// The candidates of a digit in places of a house.
fn in_house(house: usize, digit: usize, places: u16) -> impl Iterator<Item = Candidate> {
    bits(places).map(move |place| candidate(HOUSE_CELLS[house][place].into(), digit))
}

/// The places of a house that are in another house.
#[inline(always)]
pub(super) fn crossing(house: usize, other: usize) -> u16 {
    CROSSINGS[house][other]
}

/// The crossings of all houses: see [`crossing`].
static CROSSINGS: [[u16; HOUSES]; HOUSES] = {
    let mut crossings = [[0; HOUSES]; HOUSES];
    let mut cell = 0;
    while cell < CELLS {
        let (mut n, houses, places) = (0, HOUSES_OF[cell], PLACES_OF[cell]);
        while n < 9 {
            let (of, with) = (n / 3, n % 3);
            crossings[houses[of] as usize][houses[with] as usize] |= 1 << places[of];
            n += 1;
        }
        cell += 1;
    }
    crossings
};

/// The digits with exactly two places in a house.
fn with_two_places(now: &State, house: usize) -> u16 {
    let places = now.places[house].iter().enumerate();
    places.fold(0, |two, (digit, &places)| {
        two | u16::from(is_two(places)) << digit
    })
}

/// The pairs of a set of numbers, in the order of [`pairs`].
fn pairs_of(set: u16) -> impl Iterator<Item = [usize; 2]> {
    let below = move |second: usize| bits(set & ((1 << second) - 1));
    bits(set).flat_map(move |second| below(second).map(move |first| [first, second]))
}

/// A digit whose places in one house are all in another: the rest of that loses it.
fn locking(start: &State, now: &State) -> Vec<Applied> {
    let mut found = Vec::new();
    for (firsts, seconds) in [
        (BOXES, COLUMNS),
        (BOXES, ROWS),
        (COLUMNS, BOXES),
        (ROWS, BOXES),
    ] {
        for first in firsts..firsts + 9 {
            // Without a place that is lost, a digit has no parents.
            let of_house = now.places[first].iter().zip(&start.places[first]);
            let less = of_house.enumerate().fold(0, |less, (digit, (now, start))| {
                let counts = now != start && now & now.wrapping_sub(1) != 0;
                less | u16::from(counts) << digit
            });
            if less == 0 {
                continue;
            }
            for second in crossed(first, seconds) {
                let (of_first, of_second) = (crossing(first, second), crossing(second, first));
                for digit in bits(less) {
                    let places = now.places[first][digit];
                    let rest = now.places[second][digit] & !of_second;
                    if places & !of_first != 0 || rest == 0 {
                        continue;
                    }
                    let lost = start.places[first][digit] & !places & !of_first;
                    let strikes = in_house(second, digit, rest).collect();
                    add(
                        &mut found,
                        Rule::Locking,
                        strikes,
                        in_house(first, digit, lost).collect(),
                    );
                }
            }
        }
    }
    found
}

/// The three houses of a kind that a house of another kind crosses, one of both kinds being boxes.
fn crossed(house: usize, kind: usize) -> impl Iterator<Item = usize> {
    let n = house % 9;
    let (first, step) = match (house / 9 * 9, kind) {
        (BOXES, COLUMNS) => (n % 3 * 3, 1),
        (COLUMNS, _) => (n / 3, 3),
        _ => (n / 3 * 3, 1),
    };
    (0..3).map(move |nth| kind + first + step * nth)
}

/// Two digits with the same two places in a house: these cells lose their other candidates.
fn hidden_pairs(start: &State, now: &State) -> Vec<Applied> {
    let mut found = Vec::new();
    for house in houses().filter(|&house| now.empty[house] > 4) {
        for digits in pairs_of(with_two_places(now, house)) {
            let places = now.places[house][digits[0]];
            if places != now.places[house][digits[1]] {
                continue;
            }
            let own: u16 = digits.iter().map(|digit| 1 << digit).sum();
            let cells = bits(places).map(|place| usize::from(HOUSE_CELLS[house][place]));
            let strikes = cells.flat_map(|cell| {
                bits(now.cells[cell] & !own).map(move |digit| candidate(cell, digit))
            });
            let parents = bits(0x1FF & !places).flat_map(|place| {
                let cell = usize::from(HOUSE_CELLS[house][place]);
                bits(start.cells[cell] & own).map(move |digit| candidate(cell, digit))
            });
            add(
                &mut found,
                Rule::HiddenPair,
                strikes.collect(),
                parents.collect(),
            );
        }
    }
    found
}

/// Two cells of a house with the same two candidates: the other cells lose these.
fn naked_pairs(start: &State, now: &State) -> Vec<Applied> {
    let mut found = Vec::new();
    for house in houses().filter(|&house| now.empty[house] >= 4) {
        let cell = |place: usize| usize::from(HOUSE_CELLS[house][place]);
        let two = (0..9).fold(0, |two, place| {
            two | u16::from(is_two(now.cells[cell(place)])) << place
        });
        for places in pairs_of(two) {
            let cells = places.map(cell);
            let digits = now.cells[cells[0]];
            if digits != now.cells[cells[1]] {
                continue;
            }
            let own: u16 = places.iter().map(|place| 1 << place).sum();
            let strikes = bits(0x1FF & !own).flat_map(|place| {
                let cell = cell(place);
                bits(now.cells[cell] & digits).map(move |digit| candidate(cell, digit))
            });
            let parents = cells.into_iter().flat_map(|cell| {
                bits(start.cells[cell] & !digits).map(move |digit| candidate(cell, digit))
            });
            add(
                &mut found,
                Rule::NakedPair,
                strikes.collect(),
                parents.collect(),
            );
        }
    }
    found
}

/// A digit whose places in two lines are in the same two crossing lines.
fn x_wings(start: &State, now: &State) -> Vec<Applied> {
    let mut found = Vec::new();
    let open = (0..9).fold(0, |open, digit| {
        open | u16::from(now.placed[digit] <= 5) << digit
    });
    for (bases, covers) in [(COLUMNS, ROWS), (ROWS, COLUMNS)] {
        let two: [u16; 9] = std::array::from_fn(|line| with_two_places(now, bases + line) & open);
        for lines in pairs() {
            for digit in bits(two[lines[0]] & two[lines[1]]) {
                let base = lines.map(|line| bases + line);
                let places = now.places[base[0]][digit];
                if places != now.places[base[1]][digit] {
                    continue;
                }
                let own: u16 = lines.iter().map(|line| 1 << line).sum();
                let strikes = bits(places).flat_map(|cover| {
                    let rest = now.places[covers + cover][digit] & !own;
                    in_house(covers + cover, digit, rest)
                });
                let parents = base
                    .into_iter()
                    .flat_map(|base| in_house(base, digit, start.places[base][digit] & !places));
                add(
                    &mut found,
                    Rule::XWing,
                    strikes.collect(),
                    parents.collect(),
                );
            }
        }
    }
    found
}

/// All houses: boxes, columns, rows.
fn houses() -> impl Iterator<Item = usize> {
    (BOXES..BOXES + 9)
        .chain(COLUMNS..COLUMNS + 9)
        .chain(ROWS..ROWS + 9)
}
