//! Clues taken away, thousands of grids at a time.
//!
//! ```text
//!     numbers --> sites: each has a grid, an order of its orbits and a place in it
//!                   |  ^
//!          questions|  |answers            a round: one question for each site
//!                   v  |
//!                  solver
//! ```
//!
//! A site that is done makes room for the next number, so that the solver has as many
//! questions in every round, until the numbers run out.

use super::{Goal, MOST_TRIES, Made, Recipe};
use crate::{
    generate::Grids,
    grid::{BLANK, CELLS, Cell, Grid, GridLine, Puzzle},
    random::{Words, below},
    solve::{Singles, Solver, Strike, guesses},
};

/// Sites that are worked on at a time.
const SITES: usize = 4096;

/// Digging by one recipe, with its memory.
#[derive(Debug)]
pub(super) struct Digging {
    orbits: Vec<Vec<Cell>>,
    sites: Vec<Site>,
    /// The questions of a round about one clue: the puzzles without it, what is struck,
    /// and whose they are.
    ones: Questions,
    strikes: Vec<Strike>,
    /// The questions about several clues.
    several: Questions,
    lines: Vec<GridLine>,
    counts: Vec<u64>,
}

#[derive(Debug, Default)]
struct Questions {
    cells: Vec<[u8; CELLS]>,
    sites: Vec<usize>,
}

impl Questions {
    fn clear(&mut self) {
        self.cells.clear();
        self.sites.clear();
    }
}

/// One puzzle in the making.
#[derive(Debug)]
struct Site {
    /// Its place in what is made.
    place: usize,
    tries: u32,
    grid: Grid,
    cells: [u8; CELLS],
    /// The orbits in the order in which they are asked about.
    order: [u8; CELLS],
    /// How many of them are behind.
    behind: usize,
    /// How many are asked about together.
    group: usize,
    blanks: usize,
    /// The blanks that are wanted; more than there are cells for as many as can be.
    wanted: usize,
}

impl Digging {
    pub(super) fn new(recipe: &Recipe) -> Self {
        Self {
            orbits: recipe.symmetry.orbits(),
            sites: Vec::new(),
            ones: Questions::default(),
            strikes: Vec::new(),
            several: Questions::default(),
            lines: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// See [`Maker::make_batch`](super::Maker::make_batch).
    pub(super) fn run(
        &mut self,
        solver: &mut Solver,
        grids: &Grids,
        seed: u64,
        recipe: &Recipe,
        start: u64,
        made: &mut [Option<Made>],
    ) {
        let site = |orbits: &[Vec<Cell>], place: usize, tries: u32| {
            let number = start + place as u64;
            let grid = super::grid(grids, number, tries)?;
            Some(Site::new(orbits, recipe, grid, seed, place, number, tries))
        };
        let mut next = 0;
        loop {
            while self.sites.len() < SITES && next < made.len() {
                // Without a grid, nothing is made.
                made[next] = None;
                self.sites.extend(site(&self.orbits, next, 0));
                next += 1;
            }
            if self.sites.is_empty() {
                return;
            }
            self.ask(solver, recipe);
            let mut i = 0;
            while i < self.sites.len() {
                let done = &mut self.sites[i];
                if !done.is_done(&self.orbits) {
                    i += 1;
                } else if done.is_wanted(recipe) {
                    made[done.place] = Some(done.made());
                    self.sites.swap_remove(i);
                } else if done.tries + 1 < MOST_TRIES
                    && let Some(again) = site(&self.orbits, done.place, done.tries + 1)
                {
                    *done = again;
                    i += 1;
                } else {
                    self.sites.swap_remove(i);
                }
            }
        }
    }

    /// Asks one question for each site and acts on the answer.
    fn ask(&mut self, solver: &mut Solver, recipe: &Recipe) {
        self.ones.clear();
        self.several.clear();
        self.strikes.clear();
        let naked = matches!(recipe.goal, Goal::NakedSingles(_));
        for (i, site) in self.sites.iter_mut().enumerate() {
            let Some(cells) = site.without_group(&self.orbits) else {
                continue;
            };
            if !recipe.unique {
                site.answer(true, cells, &self.orbits);
                continue;
            }
            let questions = match site.only_cell(&self.orbits) {
                Some(cell) if !naked => {
                    let digit = site.grid.get(cell);
                    self.strikes.push(Strike { cell, digit });
                    &mut self.ones
                }
                _ => &mut self.several,
            };
            questions.cells.push(cells);
            questions.sites.push(i);
        }
        if naked {
            let solved = solver.singles_solve_cells(&self.several.cells, Singles::Naked);
            self.several
                .answer(&mut self.sites, &self.orbits, |i| solved[i]);
            return;
        }
        for (questions, strikes, limit) in [
            (&self.ones, &self.strikes[..], 1),
            (&self.several, &[][..], 2),
        ] {
            // What is not there before is overwritten.
            self.lines.resize(questions.cells.len(), [0; CELLS + 1]);
            self.counts.resize(questions.cells.len(), 0);
            let (lines, counts) = (&mut self.lines, &mut self.counts);
            solver.count_lines(&questions.cells, strikes, limit, lines, counts);
            // The grid itself is a solution, unless its digit is struck.
            let unique = limit - 1;
            questions.answer(&mut self.sites, &self.orbits, |i| counts[i] == unique);
        }
    }
}

impl Questions {
    fn answer(&self, sites: &mut [Site], orbits: &[Vec<Cell>], can_go: impl Fn(usize) -> bool) {
        for (i, (&site, cells)) in self.sites.iter().zip(&self.cells).enumerate() {
            sites[site].answer(can_go(i), *cells, orbits);
        }
    }
}

impl Site {
    fn new(
        orbits: &[Vec<Cell>],
        recipe: &Recipe,
        grid: Grid,
        seed: u64,
        place: usize,
        number: u64,
        tries: u32,
    ) -> Self {
        // Stream 0 makes the grid.
        let mut words = Words::of_stream(seed, number, 1 + tries);
        let wanted = match &recipe.goal {
            Goal::Blanks(blanks) | Goal::NakedSingles(blanks) => {
                usize::from(blanks[draw(&mut words, blanks.len())])
            }
            Goal::Minimal(_) | Goal::Guesses(_) => CELLS + 1,
        };
        let order = random_order(orbits, wanted, &mut words);
        let mut site = Self {
            place,
            tries,
            grid,
            cells: *grid.as_ascii(),
            order,
            behind: 0,
            group: 1,
            blanks: 0,
            wanted,
        };
        site.group = site.next_group(orbits);
        site
    }

    /// How many orbits to ask about together, by how many cells are blank already. The
    /// puzzle is the same whatever this is.
    fn next_group(&self, orbits: &[Vec<Cell>]) -> usize {
        let cells = match self.blanks {
            0..16 => 24 - self.blanks,
            16..28 => 6,
            28..34 => 3,
            _ => 1,
        };
        (cells * orbits.len()).div_ceil(CELLS)
    }

    /// The orbits of the group. One with more cells than are left to go stays.
    fn group<'o>(&self, orbits: &'o [Vec<Cell>]) -> impl Iterator<Item = &'o [Cell]> + use<'o> {
        let order = self.order;
        let end = (self.behind + self.group).min(orbits.len());
        let mut left = self.wanted - self.blanks;
        (self.behind..end).filter_map(move |i| {
            let orbit = orbits[usize::from(order[i])].as_slice();
            left = left.checked_sub(orbit.len())?;
            Some(orbit)
        })
    }

    /// The puzzle without the clues of the group. Groups in which everything stays are
    /// passed over, and `None` is for the end.
    fn without_group(&mut self, orbits: &[Vec<Cell>]) -> Option<[u8; CELLS]> {
        while !self.is_done(orbits) {
            let mut cells = self.cells;
            for &cell in self.group(orbits).flatten() {
                cells[cell.index()] = BLANK;
            }
            if cells != self.cells {
                return Some(cells);
            }
            self.pass_over(orbits);
        }
        None
    }

    /// The cell of the group, when it has but one.
    fn only_cell(&self, orbits: &[Vec<Cell>]) -> Option<Cell> {
        let mut cells = self.group(orbits).flatten();
        let only = cells.next().copied();
        only.filter(|_| cells.next().is_none())
    }

    /// Takes the clues of the group away, which gives these cells, or keeps them.
    fn answer(&mut self, can_go: bool, cells: [u8; CELLS], orbits: &[Vec<Cell>]) {
        if can_go {
            self.cells = cells;
            self.blanks += self.group(orbits).map(<[_]>::len).sum::<usize>();
            self.pass_over(orbits);
        } else if self.group > 1 {
            self.group /= 2;
        } else {
            self.pass_over(orbits);
        }
    }

    /// Goes on to the orbits behind the group.
    fn pass_over(&mut self, orbits: &[Vec<Cell>]) {
        self.behind = (self.behind + self.group).min(orbits.len());
        self.group = self.next_group(orbits);
    }

    fn is_done(&self, orbits: &[Vec<Cell>]) -> bool {
        self.behind == orbits.len() || self.blanks == self.wanted
    }

    /// Whether a puzzle that is done is what the recipe asks for.
    fn is_wanted(&self, recipe: &Recipe) -> bool {
        match &recipe.goal {
            Goal::Blanks(_) | Goal::NakedSingles(_) => self.blanks == self.wanted,
            Goal::Minimal(clues) => clues.contains(&(CELLS - self.blanks)),
            Goal::Guesses(0) => true,
            Goal::Guesses(least) => guesses(&self.made().puzzle, least - 1).is_none(),
        }
    }

    fn made(&self) -> Made {
        Made {
            puzzle: Puzzle::from_ascii(&self.cells).expect("clues and blanks"),
            solution: self.grid,
        }
    }
}

/// The orbits in a random order. Where one cell is an orbit by itself and all others are in
/// larger ones, the number of blanks tells whether it must go: then it is the first, and
/// otherwise it is the last.
fn random_order(orbits: &[Vec<Cell>], wanted: usize, words: &mut Words) -> [u8; CELLS] {
    let mut order = [0; CELLS];
    for (orbit, place) in (0..).zip(&mut order[..orbits.len()]) {
        *place = orbit;
    }
    for last in (1..orbits.len()).rev() {
        order.swap(last, draw(words, last + 1));
    }
    let alone = |&orbit: &u8| orbits[usize::from(orbit)].len() == 1;
    let order_of = &mut order[..orbits.len()];
    if wanted <= CELLS
        && orbits.len() > 1
        && order_of.iter().filter(|orbit| alone(orbit)).count() == 1
    {
        let at = order_of.iter().position(alone).expect("there is one");
        let size = orbits[0].len();
        let end = if wanted % size == 1 {
            0
        } else {
            orbits.len() - 1
        };
        order_of.swap(at, end);
    }
    order
}

/// A number under `range`, each as likely as the others.
fn draw(words: &mut Words, range: usize) -> usize {
    loop {
        if let Some(number) = below(range as u64, words.next()) {
            return number as usize;
        }
    }
}
