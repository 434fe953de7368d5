//! XY-wing: a cell with two candidates that leaves a third digit to one of two peers.
//!
//! A cell has the candidates x and y. One of its peers has x and z, another y and z. If the
//! cell is x, the first peer is z; if it is y, the second is. So one of the two is z, and
//! every cell that sees both loses it.
//!
//! ```text
//!     xy  -  -  | .  .  xz | .  .  .      The cells - see both xz and yz:
//!     .   .  .  | .  .  .  | .  .  .      they lose z.
//!     .   .  yz | -  -  -  | .  .  .
//! ```
//!
//! Rated 4.2.

use super::{
    Step, Technique,
    planes::{Planes, strike},
    position::{Found, View},
    subsets::two_and_three,
    words::strikes,
};
use crate::{
    grid::{CELLS, Cell, Digits, PEERS},
    simd::{Isa, Vector},
    solve::Strike,
};
use std::ops::ControlFlow;

/// The peers of a cell.
pub(super) fn peers(cell: Cell) -> impl Iterator<Item = Cell> + Clone {
    let peers = PEERS[cell.index()].iter();
    peers.filter_map(|&peer| Cell::new(peer.into()))
}

/// The other cells that see all of these and have the digit.
pub(super) fn strikes_of(view: &View<'_>, cells: &[Cell], digits: Digits) -> Vec<Strike> {
    let mut strikes = Vec::new();
    for cell in peers(cells[0]) {
        let sees_all = cells.iter().all(|&other| peers(other).any(|c| c == cell));
        for digit in digits.iter() {
            if sees_all && view.position().is_candidate(cell, digit) {
                strikes.push(Strike { cell, digit });
            }
        }
    }
    strikes
}

pub(super) fn find(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    let candidates = |cell: Cell| view.position().candidates(cell);
    for pivot in Cell::all().filter(|&cell| candidates(cell).len() == 2) {
        let xy = candidates(pivot).bits();
        let one_of_two = |&cell: &Cell| {
            let digits = candidates(cell);
            digits.len() == 2 && (digits.bits() & xy).count_ones() == 1
        };
        let wings = peers(pivot).filter(one_of_two);
        for first in wings.clone() {
            // The second peer has the other digit of the pair, and the same third digit.
            let other = candidates(first).bits() ^ xy;
            let second = |&cell: &Cell| cell > first && candidates(cell).bits() == other;
            for second in wings.clone().filter(second) {
                let z = Digits::from_bits(candidates(first).bits() & other);
                let strikes = strikes_of(view, &[first, second], z);
                if strikes.is_empty() {
                    continue;
                }
                found(Step {
                    technique: Technique::XyWing,
                    houses: Vec::new(),
                    cells: vec![pivot, first, second],
                    digits: Digits::from_bits(xy | other),
                    place: None,
                    strikes,
                    detail: None,
                })?;
            }
        }
    }
    ControlFlow::Continue(())
}

pub(super) fn words(step: &Step) -> String {
    let [pivot, first, second] = step.cells[..] else {
        unreachable!("a wing has three cells");
    };
    let z = step.strikes[0].digit;
    format!(
        "{pivot} has two candidates. One makes {first} {z}, the other makes {second} {z}. \
         So no cell that sees both can be {z}. {}",
        strikes(step)
    )
}

/// What distinguishes the sets of candidates in a test for XY-wings: for each cell seven
/// bits, whether digit n and digit 8 are both candidates or both not, n from 1 to 7.
///
/// The three cells of a wing have each of three digits twice. So the bits of the three
/// cells add up to zero. The other way round, three cells of two candidates have six
/// together. If the bits add up to zero, each of the digits 1 to 8 is there an even number
/// of times, or each an odd number, which would take eight; and then 9 is there an even
/// number of times too. No candidate three times and no digit twice in one cell leaves xy,
/// xz and yz.
type Code<V> = [V; 7];

/// XY-wings in all lanes at once; returns those where a candidate was struck.
///
/// Two wings in one house with the pivot are a naked triplet, which is easier. So one of
/// them is in a line of the pivot outside its box, and the other in its box, but not in
/// that line, or else in the other line of the pivot outside the box:
///
/// ```text
///     xy  -  -  | .  xz  .  | .  .  .         xy  .  .  | .  xz  .  | .  .  .
///     .   .  .  | .  .   .  | .  .  .         .   .  .  | .  .   .  | .  .  .
///     .   .  yz | -  -   -  | .  .  .         .   .  .  | .  .   .  | .  .  .
///                                             ----------+-----------+--------
///                                             yz  .  .  | .  -   .  | .  .  .
/// ```
#[inline(always)]
pub(super) fn strike_planes<I: Isa>(isa: I, planes: &mut Planes<I::V>, lanes: I::V) -> I::V {
    let zero = isa.zeros();
    let (mut codes, mut twos) = ([[zero; 7]; CELLS], [zero; CELLS]);
    for (cell, (code, two)) in codes.iter_mut().zip(&mut twos).enumerate() {
        let digits = planes.candidates(cell);
        for (code, digit) in code.iter_mut().zip(digits) {
            *code = digit.xor(digits[7]);
        }
        *two = two_and_three(&digits)[0].and(lanes);
    }
    let mut wings = Wings {
        open: &mut planes.open,
        codes: &codes,
        twos: &twos,
        changed: zero,
    };
    for pivot in 0..CELLS {
        for direction in DIRECTIONS {
            wings.strike_band(isa, Geometry { pivot, direction });
        }
        wings.strike_rectangles(isa, pivot);
    }
    wings.changed
}

/// Along the row, or along the column.
#[derive(Clone, Copy)]
pub(super) enum Direction {
    Row,
    Column,
}

pub(super) const DIRECTIONS: [Direction; 2] = [Direction::Row, Direction::Column];

/// The band of a pivot, or its stack turned like a band.
#[derive(Clone, Copy)]
pub(super) struct Geometry {
    pub(super) pivot: usize,
    pub(super) direction: Direction,
}

impl Geometry {
    /// The cell in a line of the band, and a place along the line.
    #[inline(always)]
    fn cell(self, line: usize, place: usize) -> usize {
        match self.direction {
            Direction::Row => 9 * line + place,
            Direction::Column => 9 * place + line,
        }
    }

    /// The pivot's line, and its place there.
    #[inline(always)]
    fn line_and_place(self) -> (usize, usize) {
        match self.direction {
            Direction::Row => (self.pivot / 9, self.pivot % 9),
            Direction::Column => (self.pivot % 9, self.pivot / 9),
        }
    }

    /// The two other lines of the band.
    #[inline(always)]
    pub(super) fn other_lines(self) -> [usize; 2] {
        let line = self.line_and_place().0;
        [line / 3 * 3 + (line + 1) % 3, line / 3 * 3 + (line + 2) % 3]
    }

    /// The three cells of a line in the box of the pivot (0), or in the next one of the
    /// band or the one after it.
    #[inline(always)]
    pub(super) fn in_box(self, line: usize, next: usize) -> [usize; 3] {
        let first = (self.line_and_place().1 / 3 + next) % 3 * 3;
        [
            self.cell(line, first),
            self.cell(line, first + 1),
            self.cell(line, first + 2),
        ]
    }

    /// The three cells of the pivot's own line.
    #[inline(always)]
    pub(super) fn own(self, next: usize) -> [usize; 3] {
        self.in_box(self.line_and_place().0, next)
    }

    /// The six cells of the pivot's own line outside its box.
    #[inline(always)]
    fn along(self) -> [usize; 6] {
        let ([a, b, c], [d, e, f]) = (self.own(1), self.own(2));
        [a, b, c, d, e, f]
    }

    /// The two other cells of the pivot's line in its box.
    #[inline(always)]
    pub(super) fn beside(self) -> [usize; 2] {
        let (line, place) = self.line_and_place();
        let first = place / 3 * 3;
        [
            self.cell(line, first + (place + 1) % 3),
            self.cell(line, first + (place + 2) % 3),
        ]
    }
}

/// The search of all lanes.
struct Wings<'a, V> {
    open: &'a mut [[V; CELLS]; 9],
    codes: &'a [Code<V>; CELLS],
    /// The cells with two candidates.
    twos: &'a [V; CELLS],
    changed: V,
}

impl<V: Vector> Wings<'_, V> {
    /// The sum of the codes of a pivot and a wing, and where both have two candidates.
    #[inline(always)]
    fn pair(&self, pivot: usize, wing: usize) -> (Code<V>, V) {
        let mut sum = self.codes[pivot];
        for (sum, code) in sum.iter_mut().zip(&self.codes[wing]) {
            *sum = sum.xor(*code);
        }
        (sum, self.twos[pivot].and(self.twos[wing]))
    }

    /// The lanes where such a pair and another cell are a wing.
    #[inline(always)]
    fn complete<I: Isa<V = V>>(&self, isa: I, (sum, two): &(Code<V>, V), wing: usize) -> V {
        let mut differ = isa.zeros();
        for (sum, code) in sum.iter().zip(&self.codes[wing]) {
            differ = differ.or_xor(*sum, *code);
        }
        two.and(self.twos[wing]).and_not(differ)
    }

    /// Wings in the pivot's box, with others in its line.
    #[inline(always)]
    fn strike_band<I: Isa<V = V>>(&mut self, isa: I, geometry: Geometry) {
        let beside = geometry.beside();
        for line in geometry.other_lines() {
            for first in geometry.in_box(line, 0) {
                let pair = self.pair(geometry.pivot, first);
                for next in [1, 2] {
                    let seconds = geometry.own(next);
                    let wings = [
                        self.complete(isa, &pair, seconds[0]),
                        self.complete(isa, &pair, seconds[1]),
                        self.complete(isa, &pair, seconds[2]),
                    ];
                    if wings[0].or3(wings[1], wings[2]).any() {
                        let victims = geometry.in_box(line, next);
                        self.strike(first, seconds, wings, &victims);
                        self.strike(first, seconds, wings, &beside);
                    }
                }
            }
        }
    }

    /// Strikes the digit that the first wing shares with any of the others.
    #[inline(always)]
    fn strike<const N: usize>(
        &mut self,
        first: usize,
        seconds: [usize; N],
        wings: [V; N],
        victims: &[usize],
    ) {
        for open in self.open.iter_mut() {
            let mut lanes = open[seconds[0]].and(wings[0]);
            for n in 1..N {
                lanes = lanes.or_and(open[seconds[n]], wings[n]);
            }
            let lanes = lanes.and(open[first]);
            for &victim in victims {
                strike(&mut open[victim], lanes, &mut self.changed);
            }
        }
    }

    /// Wings in the pivot's row, with others in its column, all outside its box.
    #[inline(always)]
    fn strike_rectangles<I: Isa<V = V>>(&mut self, isa: I, pivot: usize) {
        let [row, column] = DIRECTIONS.map(
            #[inline(always)]
            |direction| Geometry { pivot, direction }.along(),
        );
        for first in row {
            let pair = self.pair(pivot, first);
            for second in column {
                let wing = self.complete(isa, &pair, second);
                if wing.any() {
                    let victim = second / 9 * 9 + first % 9;
                    self.strike(first, [second], [wing], &[victim]);
                }
            }
        }
    }
}
