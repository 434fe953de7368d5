//! How far a puzzle is solved, and what a step does to it.

use super::{Finder, ORDER, Step};
use crate::{
    grid::{CELLS, Cell, Digit, Digits, Grid, HOUSE_CELLS, HOUSES, House, PEERS, Puzzle},
    solve::Strike,
};
use std::ops::ControlFlow;

/// A puzzle on the way to its solution: the digits of the filled cells, and the candidates
/// of the others.
///
/// ```
/// use sudoku_batch::{Puzzle, technique::Position};
/// let puzzle: Puzzle =
///     "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.".parse()?;
/// let mut position = Position::of(&puzzle);
/// while let Some(step) = position.next_step() {
///     println!("{} {step}", step.rating());
///     position.apply(&step);
/// }
/// assert!(position.is_solved());
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    filled: Puzzle,
    /// The candidates of each empty cell. A filled cell has none.
    candidates: [Digits; CELLS],
}

impl Position {
    /// The position at the start: a digit is a candidate of a cell if none of its peers
    /// has it as a clue.
    pub fn of(puzzle: &Puzzle) -> Self {
        Self::with_candidates(puzzle, &[Digits::ALL; CELLS])
    }

    /// The position with these cells filled, and these candidates in the others. A digit
    /// that a peer of a cell has is no candidate, even if it is given here.
    ///
    /// For games: `filled` has the clues and what the player filled in, `candidates` what
    /// the player or an earlier step left.
    pub fn with_candidates(filled: &Puzzle, candidates: &[Digits; CELLS]) -> Self {
        let mut position = Self {
            filled: *filled,
            candidates: *candidates,
        };
        for cell in Cell::all() {
            if let Some(digit) = filled.get(cell) {
                position.place(cell, digit);
            }
        }
        position
    }

    /// The filled cells: the clues and what was placed.
    pub fn filled(&self) -> &Puzzle {
        &self.filled
    }

    /// The candidates of a cell. A filled cell has none.
    pub fn candidates(&self, cell: Cell) -> Digits {
        self.candidates[cell.index()]
    }

    /// Whether an empty cell has a digit as a candidate.
    pub fn is_candidate(&self, cell: Cell, digit: Digit) -> bool {
        self.candidates(cell).contains(digit)
    }

    /// Fills a cell. Its peers lose the candidate.
    pub fn place(&mut self, cell: Cell, digit: Digit) {
        self.filled.set(cell, Some(digit));
        self.candidates[cell.index()] = Digits::NONE;
        for peer in PEERS[cell.index()] {
            self.candidates[usize::from(peer)].remove(digit);
        }
    }

    /// Strikes a candidate.
    pub fn strike(&mut self, strike: Strike) {
        self.candidates[strike.cell.index()].remove(strike.digit);
    }

    /// Does what a step says: it fills a cell, or it strikes candidates.
    pub fn apply(&mut self, step: &Step) {
        if let Some(place) = step.place {
            self.place(place.cell, place.digit);
        }
        for &strike in &step.strikes {
            self.strike(strike);
        }
    }

    /// Whether every cell is filled.
    pub fn is_filled(&self) -> bool {
        self.filled.clue_count() == CELLS
    }

    /// Whether every cell is filled and no rule is broken.
    pub fn is_solved(&self) -> bool {
        Grid::from_ascii(self.filled.as_ascii()).is_ok_and(|grid| grid.is_valid())
    }

    /// The easiest step that leads on, or `None` if the cells are filled or no technique
    /// that the program knows leads on. Techniques are tried in the order of
    /// [`Technique::ALL`](super::Technique::ALL).
    pub fn next_step(&self) -> Option<Step> {
        let mut first = None;
        self.find(|step| {
            first = Some(step);
            ControlFlow::Break(())
        });
        first
    }

    /// All steps that lead on, in the order of their techniques. Several steps may place
    /// the same digit or strike the same candidates.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        self.find(|step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        steps
    }

    /// Shows all steps in the order of their techniques, until `found` asks it to stop.
    fn find(&self, mut found: impl FnMut(Step) -> ControlFlow<()>) {
        let view = View::of(self);
        let found: &mut Found<'_> = &mut found;
        let look = |finder: &Finder| finder(&view, found);
        let _ = ORDER.iter().try_for_each(look);
    }
}

/// Takes a step, and says whether to look for more.
pub(super) type Found<'a> = dyn FnMut(Step) -> ControlFlow<()> + 'a;

/// A position as the techniques look at it.
pub(super) struct View<'a> {
    position: &'a Position,
    /// The places of each digit in each house: bit n for the n-th cell of the house.
    places: [[u16; 9]; HOUSES],
    /// The empty cells of each house.
    empty: [u16; HOUSES],
}

impl<'a> View<'a> {
    fn of(position: &'a Position) -> Self {
        let (mut places, mut empty) = ([[0; 9]; HOUSES], [0; HOUSES]);
        for (house, cells) in HOUSE_CELLS.iter().enumerate() {
            for (n, &cell) in cells.iter().enumerate() {
                let cell = Cell::new(cell.into()).expect("a house has cells");
                for digit in position.candidates(cell).iter() {
                    places[house][digit.index()] |= 1 << n;
                }
                empty[house] |= u16::from(position.filled.get(cell).is_none()) << n;
            }
        }
        Self {
            position,
            places,
            empty,
        }
    }

    /// The position.
    pub(super) fn position(&self) -> &Position {
        self.position
    }

    /// The cells of a house where a digit is a candidate: bit n for the n-th cell.
    pub(super) fn places(&self, house: House, digit: Digit) -> u16 {
        self.places[house.index()][digit.index()]
    }

    /// The places of all digits in a house.
    pub(super) fn all_places(&self, house: House) -> &[u16; 9] {
        &self.places[house.index()]
    }

    /// The candidates of the nine cells of a house.
    pub(super) fn house_candidates(&self, house: House) -> [u16; 9] {
        house
            .cells()
            .map(|cell| self.position.candidates(cell).bits())
    }

    /// How many cells of a house are empty.
    pub(super) fn empty_count(&self, house: House) -> u32 {
        self.empty[house.index()].count_ones()
    }

    /// In how many cells a digit does not stand yet. None in a puzzle that contradicts itself
    /// and has the digit more than nine times.
    pub(super) fn missing(&self, digit: Digit) -> usize {
        let filled = self.position.filled.as_ascii();
        let count = filled.iter().filter(|&&c| c == digit.to_ascii()).count();
        9usize.saturating_sub(count)
    }
}

/// The cells of a house that a set of nine bits names.
pub(super) fn cells_of(house: House, places: u16) -> Vec<Cell> {
    let cells = house.cells().into_iter().enumerate();
    cells
        .filter(|(n, _)| places >> n & 1 != 0)
        .map(|(_, cell)| cell)
        .collect()
}

/// The only cell of a house that a set of nine bits names, or `None` if there are more or
/// none.
pub(super) fn only_cell(house: House, places: u16) -> Option<Cell> {
    places
        .is_power_of_two()
        .then(|| house.cells()[places.trailing_zeros() as usize])
}
