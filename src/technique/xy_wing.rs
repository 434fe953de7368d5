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
    desk::{Desk, HOMES, Pattern},
    planes::{Planes, strike},
    subsets::two_and_three,
    words::{list, strikes},
};
use crate::{
    grid::{CELLS, PEERS},
    simd::{Isa, Vector},
};
use std::ops::ControlFlow;

/// The peers of a cell with two candidates that `wanted` accepts, and how many there are.
#[inline(always)]
pub(super) fn wings(
    desk: &impl Desk,
    pivot: usize,
    wanted: impl Fn(u16) -> bool,
) -> ([u8; 20], usize) {
    let (mut wings, mut count) = ([0; 20], 0);
    for peer in PEERS[pivot] {
        let candidates = desk.candidates(peer.into());
        if candidates.count_ones() == 2 && wanted(candidates) {
            wings[count] = peer;
            count += 1;
        }
    }
    (wings, count)
}

/// Strikes a digit from the other cells that see all of these.
#[inline(always)]
pub(super) fn strike_seen(desk: &mut impl Desk, cells: &[u8], digit: u16) {
    for peer in PEERS[usize::from(cells[0])] {
        let sees = |&other: &u8| {
            let (of_peer, of_other) = (&HOMES[usize::from(peer)], &HOMES[usize::from(other)]);
            peer != other && of_peer.iter().zip(of_other).any(|(a, b)| a.0 == b.0)
        };
        if desk.candidates(peer.into()) & digit != 0 && cells[1..].iter().all(sees) {
            desk.strike(peer, digit.trailing_zeros() as usize);
        }
    }
}

#[inline(always)]
pub(super) fn find<D: Desk>(desk: &mut D) -> ControlFlow<()> {
    for pivot in 0..CELLS {
        let xy = desk.candidates(pivot);
        if xy.count_ones() != 2 {
            continue;
        }
        let (wings, count) = wings(desk, pivot, |digits| (digits & xy).count_ones() == 1);
        for (n, &first) in wings[..count].iter().enumerate() {
            // The second peer has the other digit of the pair, and the same third digit.
            let of_first = desk.candidates(first.into());
            let other = of_first ^ xy;
            for &second in &wings[n + 1..count] {
                if desk.candidates(second.into()) != other {
                    continue;
                }
                strike_seen(desk, &[first, second], of_first & other);
                desk.end(Pattern {
                    technique: Technique::XyWing,
                    houses: [],
                    cells: [pivot as u8, first, second],
                    digits: xy | other,
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
    let pair = list(step.digits.iter().filter(|digit| *digit != z));
    format!(
        "{pivot} has {pair}. One makes {first} {z}, the other makes {second} {z}. \
         So no cell that sees both can be {z}. {}",
        strikes(step)
    )
}

/// The features of the sets of candidates in a test for XY-wings: for each cell seven
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
