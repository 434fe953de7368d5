//! How far a puzzle is solved, and what a step does to it.

use super::{
    Finder, ORDER, Producer, Rating, Step,
    cells::CellSet,
    chain::{GaveUpError, HOUSES_OF, PLACES_OF, State, Work},
};
use crate::{
    grid::{
        AnyPuzzle, BatchPuzzle, CELLS, Candidate, Cell, Digit, Digits, Grid, GridLine, HOUSES,
        House, PEERS, Puzzle,
    },
    simd, stop,
};
use std::{
    cell::{self, RefCell},
    mem,
    ops::ControlFlow,
};

/// A puzzle on the way to its solution: the digits of the filled cells, and the candidates
/// of the others.
///
/// ```
/// use sudoku_batch::{Puzzle, technique::Position};
/// let puzzle: Puzzle =
///     "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.".parse()?;
/// let mut position = Position::new(&puzzle);
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
    /// The position at the start: the clues are filled, and a digit is a candidate of another cell if the
    /// puzzle does not rule it out and none of the cell's peers has it as a clue.
    ///
    /// ```
    /// use sudoku_batch::{Candidates, Puzzle, technique::Position};
    /// let puzzle: Puzzle =
    ///     "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.".parse()?;
    /// assert_eq!(Position::new(&Candidates::from(puzzle)), Position::new(&puzzle));
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn new(puzzle: impl BatchPuzzle) -> Self {
        match puzzle.into() {
            AnyPuzzle::Cells(puzzle) => Self::with_candidates(&puzzle, &[Digits::ALL; CELLS]),
            AnyPuzzle::Candidates(candidates) => {
                Self::with_candidates(&candidates.clues(), &candidates.cells())
            }
        }
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

    /// The position with these cells filled, whose peers have lost their digits.
    pub(super) fn from_parts(filled: Puzzle, candidates: [Digits; CELLS]) -> Self {
        Self { filled, candidates }
    }

    /// The filled cells: the clues and what was placed.
    pub fn filled(&self) -> &Puzzle {
        &self.filled
    }

    /// The candidates of a cell. A filled cell has none.
    pub fn candidates(&self, cell: Cell) -> Digits {
        self.candidates[cell.index()]
    }

    /// The same of the cell with an index.
    pub(super) fn candidates_at(&self, cell: usize) -> Digits {
        self.candidates[cell]
    }

    /// Returns true if an empty cell has a digit as a candidate.
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
    pub fn strike(&mut self, strike: Candidate) {
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

    /// Returns true if every cell is filled.
    pub fn is_filled(&self) -> bool {
        self.filled.clue_count() == CELLS
    }

    /// Returns true if every cell is filled and no rule is broken.
    pub fn is_solved(&self) -> bool {
        Grid::from_ascii(self.filled.as_ascii()).is_ok_and(|grid| grid.is_valid())
    }

    /// The step that Sudoku Explainer takes next, or `None` if the cells are filled or no
    /// technique that the program knows leads on. Techniques are tried in the order of
    /// [`Technique::ALL`](super::Technique::ALL).
    ///
    /// Some techniques hold only if the puzzle has one solution, see
    /// [`Technique::needs_one_solution`](super::Technique::needs_one_solution). The search for chains gives up
    /// after some seconds. Only the hardest puzzles need more, and those with many solutions.
    pub fn next_step(&self) -> Option<Step> {
        self.next_step_within(HINT_WORK, |_| true)
    }

    /// The first step in the order of techniques that `wanted` accepts. The searches for chains end after this
    /// work.
    pub(crate) fn next_step_within(
        &self,
        max_work: u64,
        wanted: impl FnMut(&Step) -> bool,
    ) -> Option<Step> {
        let mut work = Work::up_to(max_work);
        let found = self.first_step_of(&ORDER, Rating::HARDEST, Known::NOTHING, &mut work, wanted);
        found.ok()?
    }

    /// The first step of some producers that `wanted` accepts. `None` if there is none, or if its rating is over
    /// `up_to`. The step does not depend on what is known, only the time that it takes.
    pub(super) fn first_step_of(
        &self,
        producers: &[Producer],
        up_to: Rating,
        known: Known<'_>,
        work: &mut Work,
        mut wanted: impl FnMut(&Step) -> bool,
    ) -> Result<Option<Step>, GaveUpError> {
        let mut first = None;
        self.find(producers, up_to, known, work, |step| {
            if !wanted(&step) {
                return ControlFlow::Continue(());
            }
            first = Some(step);
            ControlFlow::Break(())
        })?;
        Ok(first.filter(|step| step.rating() <= up_to))
    }

    /// All steps that lead on, in the order in which techniques are tried. Several steps may
    /// place the same digit or strike the same candidates. Above 6.2 there is one, and only where
    /// no easier technique leads on.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let plain = ORDER
            .iter()
            .position(|producer| matches!(producer.finder, Finder::Chains(_)));
        let plain = &ORDER[..plain.unwrap_or(ORDER.len())];
        let mut work = Work::unbounded();
        let found = self.find(plain, Rating::HARDEST, Known::NOTHING, &mut work, |step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        found.expect("only searches for chains give up");
        if steps.is_empty() {
            self.next_step().into_iter().collect()
        } else {
            steps
        }
    }

    /// Shows the steps of the producers that may give a rating up to a bound, in their order,
    /// until it is asked to stop.
    fn find(
        &self,
        producers: &[Producer],
        up_to: Rating,
        known: Known<'_>,
        work: &mut Work,
        mut found: impl FnMut(Step) -> ControlFlow<()>,
    ) -> Result<(), GaveUpError> {
        let work_here = mem::replace(work, Work::unbounded());
        let view = View::of(self, known, work_here);
        let found: &mut Found<'_> = &mut found;
        // The least ratings ascend, so nothing after the first that is too hard can be easier.
        let mut within = producers.iter().take_while(|p| p.least <= up_to);
        let _ = within.try_for_each(|producer| {
            stop::check();
            producer.find(&view, found)
        });
        *work = view.work.into_inner();
        if view.gave_up.get() {
            Err(GaveUpError)
        } else {
            Ok(())
        }
    }
}

/// The bound of [`Position::next_step`]: some seconds.
pub(crate) const HINT_WORK: u64 = 100_000_000;

/// Takes a step, and says whether to look for more.
pub(super) type Found<'a> = dyn FnMut(Step) -> ControlFlow<()> + 'a;

/// The facts about a position besides its candidates. Searches leave out what it rules out.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// The only solution.
    pub(super) solution: Option<&'a GridLine>,
    /// The cells that have changed since the searches for aligned pairs, and for aligned triplets, last
    /// found nothing; or all.
    pub(super) changed: [CellSet; 2],
}

impl Known<'_> {
    pub(super) const NOTHING: Self = Self {
        solution: None,
        changed: [CellSet::ALL; 2],
    };
}

/// A position as the techniques look at it.
pub(super) struct View<'a> {
    position: &'a Position,
    /// The places of each digit in each house: bit n for the n-th cell of the house.
    places: [[u16; 9]; HOUSES],
    /// The empty cells of each house.
    empty: [u16; HOUSES],
    /// The cells that have each digit as a candidate.
    cells_with: [CellSet; 9],
    /// The cells with no candidate, with one, with two, and so on.
    cells_of_size: [CellSet; 10],
    known: Known<'a>,
    /// The work that searches for chains may do and have done.
    work: RefCell<Work>,
    /// True if one of them gave up.
    gave_up: cell::Cell<bool>,
}

impl<'a> View<'a> {
    pub(super) fn of(position: &'a Position, known: Known<'a>, work: Work) -> Self {
        let mut view = Self {
            position,
            places: [[0; 9]; HOUSES],
            empty: [0; HOUSES],
            cells_with: [CellSet::NONE; 9],
            cells_of_size: [CellSet::NONE; 10],
            known,
            work: RefCell::new(work),
            gave_up: cell::Cell::new(false),
        };
        simd::with_words!(|| view.see());
        view
    }

    /// Sorts the candidates by house and by digit.
    #[inline(always)]
    fn see(&mut self) {
        /// The places of all digits in a house. A vector has more than nine of them.
        type Places = [u16; 16];
        const BITS: Places = {
            let (mut bits, mut digit) = ([0; 16], 0);
            while digit < 9 {
                bits[digit] = 1 << digit;
                digit += 1;
            }
            bits
        };
        let mut places = [[0; 16]; HOUSES];
        for (cell, digits) in self.position.candidates.iter().enumerate() {
            let digits = digits.bits();
            let has: Places = simd::array!(|d| if digits & BITS[d] != 0 { u16::MAX } else { 0 });
            for (house, place) in HOUSES_OF[cell].into_iter().zip(PLACES_OF[cell]) {
                let of_house = &mut places[usize::from(house)];
                *of_house = simd::array!(|d| of_house[d] | has[d] & 1 << place);
            }
        }
        for (places, of_house) in self.places.iter_mut().zip(&places) {
            places.copy_from_slice(&of_house[..9]);
        }
        for (digit, cells) in self.cells_with.iter_mut().enumerate() {
            *cells = CellSet::of_rows(simd::array!(|row| places[row][digit]));
        }
        for (cell, digits) in Cell::all().zip(&self.position.candidates) {
            self.cells_of_size[digits.len()].insert(cell);
            if self.position.filled.get(cell).is_none() {
                let (houses, places) = (HOUSES_OF[cell.index()], PLACES_OF[cell.index()]);
                for (house, place) in houses.into_iter().zip(places) {
                    self.empty[usize::from(house)] |= 1 << place;
                }
            }
        }
    }

    /// Lets a search work, and notes when it gives up: then nothing else is tried.
    pub(super) fn search<T>(
        &self,
        search: impl FnOnce(&mut Work) -> Result<T, GaveUpError>,
    ) -> ControlFlow<(), T> {
        match search(&mut self.work.borrow_mut()) {
            Ok(found) => ControlFlow::Continue(found),
            Err(GaveUpError) => {
                self.gave_up.set(true);
                ControlFlow::Break(())
            }
        }
    }

    /// The cells that have a digit as a candidate.
    pub(super) fn cells_with(&self, digit: Digit) -> CellSet {
        self.cells_with[digit.index()]
    }

    /// The same for the digit with an index.
    pub(super) fn cells_with_index(&self, digit: usize) -> CellSet {
        self.cells_with[digit]
    }

    /// The cells with this number of candidates.
    #[inline]
    pub(super) fn cells_of_size(&self, candidates: usize) -> CellSet {
        self.cells_of_size[candidates]
    }

    /// The cells with two candidates or more.
    pub(super) fn open_cells(&self) -> CellSet {
        let sets = self.cells_of_size[2..].iter();
        sets.fold(CellSet::NONE, |all, &set| all.or(set))
    }

    /// The facts besides the candidates.
    pub(super) fn known(&self) -> &Known<'a> {
        &self.known
    }

    /// The digit of a cell in the only solution, if that is known.
    #[inline]
    pub(super) fn right(&self, cell: Cell) -> Option<usize> {
        let solution = self.known.solution?;
        Some(usize::from(solution[cell.index()] - b'1'))
    }

    /// Returns true if a cell is known to have a digit in the only solution.
    #[inline]
    pub(super) fn is_right(&self, cell: Cell, digit: usize) -> bool {
        self.right(cell) == Some(digit)
    }

    /// The candidates as the searches for chains look at them.
    pub(super) fn state(&self) -> State {
        let placed = self.position.filled.as_ascii().iter();
        let mut state = State {
            cells: self.position.candidates.map(Digits::bits),
            places: self.places,
            empty: self.empty.map(|empty| empty.count_ones() as u8),
            placed: [0; 9],
        };
        for digit in placed.filter_map(|&c| c.checked_sub(b'1')) {
            state.placed[usize::from(digit)] += 1;
        }
        state
    }

    /// The position.
    pub(super) fn position(&self) -> &Position {
        self.position
    }

    /// The cells of a house where a digit is a candidate: bit n for the n-th cell.
    pub(super) fn places(&self, house: House, digit: Digit) -> u16 {
        self.places[house.index()][digit.index()]
    }

    /// The places of the digit with an index in the house with an index.
    pub(super) fn places_at(&self, house: usize, digit: usize) -> u16 {
        self.places[house][digit]
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
