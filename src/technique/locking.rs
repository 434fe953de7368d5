//! Pointing and claiming: a digit that is locked where a box and a line meet.
//!
//! If all places of a digit in a house lie in a second house too, the digit stands in their
//! intersection. So the rest of the second house loses it.
//!
//! ```text
//!     pointing, 2.6                        claiming, 2.8
//!
//!     x  .  x | .  -  - | .  -  .          x  .  x | .  .  . | .  .  .
//!     .  .  . | .  .  . | .  .  .          -  -  . | .  .  . | .  .  .
//!     .  .  . | .  .  . | .  .  .          .  .  - | .  .  . | .  .  .
//!
//!     In box 1 the digit has places x      In row 1 the digit has places x
//!     in row 1 only: the rest of the       in box 1 only: the rest of the
//!     row loses it.                        box loses it.
//! ```

use super::{
    Step, Technique,
    desk::{COLUMNS, Desk, Pattern, ROWS, cells_in},
    planes::{Planes, strike, triads},
    words::{list, strikes},
};
use crate::simd::{Isa, Vector, ones};
use std::ops::ControlFlow;

/// The cells of a box in a row of it, and in a column of it. The first are those of a line in a box,
/// too.
const ACROSS: [u16; 3] = [0b000_000_111, 0b000_111_000, 0b111_000_000];
const DOWN: [u16; 3] = [0b001_001_001, 0b010_010_010, 0b100_100_100];

/// For the places of a digit in a house, two or more: in the low half the third of three neighbours
/// that holds them all, counted from 1, and in the high half the column of a box that does.
static LOCKED: [u8; 512] = {
    let (mut locked, mut places) = ([0; 512], 0_u16);
    while places < 512 {
        if places & places.wrapping_sub(1) != 0 {
            let mut n = 0;
            while n < 3 {
                if places & !ACROSS[n] == 0 {
                    locked[places as usize] |= n as u8 + 1;
                }
                if places & !DOWN[n] == 0 {
                    locked[places as usize] |= (n as u8 + 1) << 4;
                }
                n += 1;
            }
        }
        places += 1;
    }
    locked
};

/// A digit whose places in one house all lie in a second house, of which one is a box and
/// the other a line.
pub(super) struct Locked {
    pub(super) digit: usize,
    pub(super) home: usize,
    /// Its places in the first house.
    pub(super) places: u16,
    pub(super) other: usize,
    /// The places of the second house that lie in the first.
    crossing: u16,
    /// The houses of the kind of the first that cross the second, among them the first.
    pub(super) thirds: [usize; 3],
    /// The places of each of those that lie in the second.
    pub(super) inside: u16,
}

/// A way to lock a digit: the kind of house whose places lie in a house of another kind.
#[derive(Clone, Copy)]
pub(super) enum Way {
    BoxInColumn,
    BoxInRow,
    ColumnInBox,
    RowInBox,
}

/// The ways in the order in which they are tried.
pub(super) const POINTING: [Way; 2] = [Way::BoxInColumn, Way::BoxInRow];
pub(super) const CLAIMING: [Way; 2] = [Way::ColumnInBox, Way::RowInBox];

impl Way {
    /// The houses whose digits may be locked this way.
    const fn homes(self) -> u32 {
        match self {
            Self::BoxInColumn | Self::BoxInRow => 0x1FF,
            Self::ColumnInBox => 0x1FF << COLUMNS,
            Self::RowInBox => 0x1FF << ROWS,
        }
    }

    /// A digit that has these places in a house, if it has two or more, and all lie in a second house.
    #[inline(always)]
    fn locked(self, digit: usize, home: usize, places: u16) -> Option<Locked> {
        let locked = LOCKED[usize::from(places)];
        let n = match self {
            Self::BoxInColumn => locked >> 4,
            _ => locked & 15,
        };
        let n = usize::from(n.checked_sub(1)?);
        // The band or stack of the first house, and its number there.
        let (block, within) = match self {
            Self::BoxInColumn => (home % 3, home / 3),
            _ => (home % 9 / 3, home % 3),
        };
        let (other, crossing, first, step, inside) = match self {
            Self::BoxInColumn => (COLUMNS + 3 * block + n, ACROSS[within], block, 3, DOWN[n]),
            Self::BoxInRow => (
                ROWS + 3 * block + n,
                ACROSS[within],
                3 * block,
                1,
                ACROSS[n],
            ),
            Self::ColumnInBox => (
                3 * n + block,
                DOWN[within],
                COLUMNS + 3 * block,
                1,
                ACROSS[n],
            ),
            Self::RowInBox => (
                3 * block + n,
                ACROSS[within],
                ROWS + 3 * block,
                1,
                ACROSS[n],
            ),
        };
        Some(Locked {
            digit,
            home,
            places,
            other,
            crossing,
            thirds: [first, first + step, first + 2 * step],
            inside,
        })
    }
}

/// Shows each digit that has two or more places in a house, all of which lie in a second
/// house. Houses leave the list when they were looked at in all ways.
#[inline(always)]
pub(super) fn each_locked<D: Desk>(
    desk: &mut D,
    ways: [Way; 2],
    homes: &mut u32,
    mut see: impl FnMut(&mut D, Locked) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for way in ways {
        for home in ones((*homes & way.homes()).into()) {
            for digit in 0..9 {
                let places = desk.places(digit, home);
                if let Some(locked) = way.locked(digit, home, places) {
                    see(desk, locked)?;
                }
            }
            if !matches!(way, Way::BoxInColumn) {
                *homes &= !(1 << home);
            }
        }
    }
    ControlFlow::Continue(())
}

#[inline(always)]
pub(super) fn find_pointing<D: Desk>(desk: &mut D, homes: &mut u32) -> ControlFlow<()> {
    find(desk, homes, POINTING, Technique::Pointing)
}

#[inline(always)]
pub(super) fn find_claiming<D: Desk>(desk: &mut D, homes: &mut u32) -> ControlFlow<()> {
    find(desk, homes, CLAIMING, Technique::Claiming)
}

#[inline(always)]
fn find<D: Desk>(
    desk: &mut D,
    homes: &mut u32,
    ways: [Way; 2],
    technique: Technique,
) -> ControlFlow<()> {
    each_locked(
        desk,
        ways,
        homes,
        #[inline(always)]
        |desk, locked| {
            let Locked {
                digit, home, other, ..
            } = locked;
            for cell in cells_in(other, desk.places(digit, other) & !locked.crossing) {
                desk.strike(cell, digit);
            }
            desk.end(Pattern {
                technique,
                houses: [home, other],
                cells: cells_in(home, locked.places),
                digits: 1 << digit,
            })
        },
    )
}

pub(super) fn words(step: &Step) -> String {
    let (digits, cells) = (step.digits, list(&step.cells));
    let [home, other] = step.houses[..] else {
        unreachable!("a digit is locked in two houses");
    };
    let strikes = strikes(step);
    format!("In {home}, {digits} fits only in {cells}, which lie in {other}. {strikes}")
}

/// The lanes that use each kind of a locked digit. Direct claiming is left out, because it
/// never leads on, see [`direct_locking`](super::direct_locking).
pub(super) struct Lanes<V> {
    pub(super) direct_pointing: V,
    pub(super) pointing: V,
    pub(super) claiming: V,
}

/// The triads of a digit that have one place or more, and two or more.
struct Triads<V> {
    one: [V; 27],
    two: [V; 27],
    /// 1 for minirows, 9 for minicolumns.
    stride: usize,
}

/// A band or stack.
#[derive(Clone, Copy)]
struct Block(usize);

impl<V: Vector> Triads<V> {
    /// Entry (i, j) of the matrix of a block: its row i and box j, or column i and box j.
    #[inline(always)]
    fn entry(&self, Block(block): Block, [i, j]: [usize; 2]) -> usize {
        match self.stride {
            1 => 9 * block + 3 * i + j,
            _ => 9 * j + 3 * block + i,
        }
    }

    /// The first cell of an entry.
    #[inline(always)]
    fn first_cell(&self, Block(block): Block, [i, j]: [usize; 2]) -> usize {
        match self.stride {
            1 => 27 * block + 9 * i + 3 * j,
            _ => 27 * j + 3 * block + i,
        }
    }

    /// The lanes where one entry is open and two others are not.
    #[inline(always)]
    fn alone(&self, block: Block, entry: [usize; 2], others: [[usize; 2]; 2]) -> V {
        let [a, b, c] = [entry, others[0], others[1]];
        let others = self.one[self.entry(block, b)].or(self.one[self.entry(block, c)]);
        self.one[self.entry(block, a)].and_not(others)
    }

    /// The lanes where two entries have one place together.
    #[inline(always)]
    fn one_left(&self, block: Block, [a, b]: [[usize; 2]; 2]) -> V {
        let (a, b) = (self.entry(block, a), self.entry(block, b));
        self.one[a]
            .xor(self.one[b])
            .and_not(self.two[a].or(self.two[b]))
    }

    /// The lanes where an entry is struck.
    #[inline(always)]
    fn struck(&self, block: Block, [i, j]: [usize; 2], lanes: &Lanes<V>) -> V {
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        // Pointing: another entry of the row is the only one of its box.
        let left = self.one_left(block, [[i1, j], [i2, j]]);
        let here = self.alone(block, [i, j1], [[i1, j1], [i2, j1]]);
        let there = self.alone(block, [i, j2], [[i1, j2], [i2, j2]]);
        let pointing = lanes.pointing.or_and(lanes.direct_pointing, left);
        let pointed = pointing.and(here.or(there));
        // Claiming: another entry of the box is the only one of its row.
        let here = self.alone(block, [i1, j], [[i1, j1], [i1, j2]]);
        let there = self.alone(block, [i2, j], [[i2, j1], [i2, j2]]);
        pointed.or_and(lanes.claiming, here.or(there))
    }
}

/// Pointing and claiming in all lanes at once; returns those where a candidate was struck.
///
/// The nine minirows of a band are a matrix, rows by boxes. If an entry is the only one of
/// its box that is open to the digit, the other entries of its row are struck; if it is the
/// only one of its row, the other entries of its box.
///
/// ```text
///     x .  -  -  -        x: the only open minirow of its box, so the minirows - lose
///     .    a1 .           the digit. A direct step does that only where one place is left
///     .    .  .           in the box of a minirow -, say a1: it becomes a hidden single.
/// ```
///
/// So with minicolumns and stacks.
#[inline(always)]
pub(super) fn strike_planes<I: Isa>(
    isa: I,
    planes: &mut Planes<I::V>,
    lanes: &Lanes<I::V>,
) -> I::V {
    let mut changed = isa.zeros();
    for open in &mut planes.open {
        for stride in [1, 9] {
            let (one, two) = triads(open, stride);
            let triads = Triads { one, two, stride };
            for block in [Block(0), Block(1), Block(2)] {
                for n in 0..9 {
                    let entry = [n / 3, n % 3];
                    let struck = triads.struck(block, entry, lanes);
                    let first = triads.first_cell(block, entry);
                    for cell in [first, first + stride, first + 2 * stride] {
                        strike(&mut open[cell], struck, &mut changed);
                    }
                }
            }
        }
    }
    changed
}
