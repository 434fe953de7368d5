//! The input of the searches up to 4.4, and the place for their findings.
//!
//! Each technique has one search, and two make steps of what it finds. A [`Position`](super::Position)
//! makes a [`Step`] with its lists, which can say why it holds. A recorder of traces makes 24 bytes, and
//! keeps a board that follows the steps, so it looks only at houses that have changed. A search knows
//! neither: it is compiled for each [`Desk`].
//!
//! Here the houses have the order in which a person looks through them: boxes 0 to 8, columns 9 to 17,
//! rows 18 to 26. Digits count from 0. A set of houses or digits is a number with a bit for each.

use super::{
    Step, Technique,
    chain::{HOUSES_OF, PLACES_OF},
    position::{Found, View},
};
use crate::{
    grid::{CELLS, Candidate, Cell, Digit, Digits, HOUSE_CELLS, House},
    simd::ones,
};
use std::{array, mem, ops::ControlFlow};

/// The first column, and the first row, among the houses.
pub(crate) const COLUMNS: usize = 9;
pub(crate) const ROWS: usize = 18;

/// All houses, and all digits.
pub(crate) const ALL_HOUSES: u32 = (1 << 27) - 1;
pub(crate) const ALL_DIGITS: u32 = (1 << 9) - 1;

/// The cells of each house.
pub(crate) static CELLS_OF: [[u8; 9]; 27] = {
    let (mut cells, mut n) = ([[0; 9]; 27], 0);
    while n < 27 {
        cells[n] = HOUSE_CELLS[house_index(n)];
        n += 1;
    }
    cells
};

/// The houses of each cell, and its place in each.
pub(crate) static HOMES: [[(u8, u8); 3]; CELLS] = {
    let (mut homes, mut n) = ([[(0, 0); 3]; CELLS], 0);
    while n < 3 * CELLS {
        let (cell, side) = (n / 3, n % 3);
        let house = HOUSES_OF[cell][side] as usize;
        homes[cell][side] = (house_index(house) as u8, PLACES_OF[cell][side]);
        n += 1;
    }
    homes
};

/// The number of a house among [`House::all`], and the other way round: boxes and rows change places.
const fn house_index(house: usize) -> usize {
    match house {
        0..COLUMNS => 18 + house,
        COLUMNS..ROWS => house,
        _ => house - ROWS,
    }
}

/// A house.
pub(crate) fn house_at(house: usize) -> House {
    House::new(house_index(house)).expect("there are 27")
}

/// Returns true if exactly one bit is set.
#[inline(always)]
pub(crate) const fn is_single(places: u16) -> bool {
    places & places.wrapping_sub(1) == 0 && places != 0
}

/// The cells of a house that nine bits name.
#[inline(always)]
pub(crate) fn cells_in(house: usize, places: u16) -> impl Iterator<Item = u8> {
    ones(u64::from(places)).map(move |n| CELLS_OF[house][n])
}

/// Why a step holds.
pub(crate) struct Pattern<H, C> {
    pub(crate) technique: Technique,
    /// See [`Step::houses`].
    pub(crate) houses: H,
    /// See [`Step::cells`].
    pub(crate) cells: C,
    pub(crate) digits: u16,
}

/// The input of a search, and the place for its findings. A search ends when it is told to.
pub(crate) trait Desk {
    /// The places of a digit in a house: bit n for its n-th cell.
    fn places(&self, digit: usize, house: usize) -> u16;

    /// The candidates of a cell.
    fn candidates(&self, cell: usize) -> u16;

    /// How many cells of a house are empty.
    fn empty_count(&self, house: usize) -> u32;

    /// In how many cells a digit does not stand yet.
    fn missing(&self, digit: usize) -> u32;

    /// `false` if no cell has one candidate. Where that can be told at once.
    #[inline(always)]
    fn may_have_single_cell(&self) -> bool {
        true
    }

    /// Notes that the step in the making strikes a candidate.
    fn strike(&mut self, cell: u8, digit: usize);

    /// Ends a step that strikes what was noted. If nothing was, it is no step.
    fn end(
        &mut self,
        pattern: Pattern<impl IntoIterator<Item = usize>, impl IntoIterator<Item = u8>>,
    ) -> ControlFlow<()>;

    /// Ends a step that places a digit.
    fn place(
        &mut self,
        pattern: Pattern<impl IntoIterator<Item = usize>, impl IntoIterator<Item = u8>>,
        cell: u8,
        digit: usize,
    ) -> ControlFlow<()>;

    /// Notes that the step in the making strikes several candidates of a cell.
    #[inline(always)]
    fn strike_all(&mut self, cell: u8, digits: u16) {
        for digit in ones(digits.into()) {
            self.strike(cell, digit);
        }
    }

    /// The places of all digits in a house.
    #[inline(always)]
    fn places_of_all(&self, house: usize) -> [u16; 9] {
        array::from_fn(
            #[inline(always)]
            |digit| self.places(digit, house),
        )
    }

    /// The candidates of all cells of a house.
    #[inline(always)]
    fn candidates_of_all(&self, house: usize) -> [u16; 9] {
        CELLS_OF[house].map(
            #[inline(always)]
            |cell| self.candidates(cell.into()),
        )
    }

    /// The places of a digit in nine houses.
    #[inline(always)]
    fn places_in_nine(&self, digit: usize, first: usize) -> [u16; 9] {
        array::from_fn(
            #[inline(always)]
            |n| self.places(digit, first + n),
        )
    }
}

/// The desk of a position: what is found becomes a [`Step`].
pub(super) struct Page<'p> {
    view: &'p View<'p>,
    found: &'p mut Found<'p>,
    strikes: Vec<Candidate>,
}

impl<'p> Page<'p> {
    pub(super) fn new(view: &'p View<'p>, found: &'p mut Found<'p>) -> Self {
        Self {
            view,
            found,
            strikes: Vec::new(),
        }
    }

    fn show(
        &mut self,
        pattern: Pattern<impl IntoIterator<Item = usize>, impl IntoIterator<Item = u8>>,
        place: Option<Candidate>,
    ) -> ControlFlow<()> {
        (self.found)(Step {
            technique: pattern.technique,
            houses: pattern.houses.into_iter().map(house_at).collect(),
            cells: pattern
                .cells
                .into_iter()
                .map(|cell| Cell::known(cell.into()))
                .collect(),
            digits: Digits::from_bits(pattern.digits),
            place,
            strikes: mem::take(&mut self.strikes),
            detail: None,
        })
    }
}

impl Desk for Page<'_> {
    #[inline(always)]
    fn places(&self, digit: usize, house: usize) -> u16 {
        self.view.places_at(house_index(house), digit)
    }

    #[inline(always)]
    fn candidates(&self, cell: usize) -> u16 {
        self.view.position().candidates_at(cell).bits()
    }

    #[inline(always)]
    fn empty_count(&self, house: usize) -> u32 {
        self.view.empty_count(house_at(house))
    }

    fn missing(&self, digit: usize) -> u32 {
        self.view.missing(Digit::known(digit)) as u32
    }

    fn strike(&mut self, cell: u8, digit: usize) {
        self.strikes.push(Candidate::known(cell.into(), digit));
    }

    fn end(
        &mut self,
        pattern: Pattern<impl IntoIterator<Item = usize>, impl IntoIterator<Item = u8>>,
    ) -> ControlFlow<()> {
        if self.strikes.is_empty() {
            ControlFlow::Continue(())
        } else {
            self.show(pattern, None)
        }
    }

    fn place(
        &mut self,
        pattern: Pattern<impl IntoIterator<Item = usize>, impl IntoIterator<Item = u8>>,
        cell: u8,
        digit: usize,
    ) -> ControlFlow<()> {
        self.show(pattern, Some(Candidate::known(cell.into(), digit)))
    }
}
