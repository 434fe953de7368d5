//! Puzzles whose clues stand in given cells.
//!
//! Blind digging hits a pattern of 26 cells once in a million grids. So a puzzle is filled in and mended: it
//! begins with the digits of a grid in the cells of the pattern, and then clues change their digits as long as
//! that makes the solutions fewer.
//!
//! ```text
//!     grid --> digits in the pattern --> some changes of one clue --> the best of them, if it is not worse
//!                                              ^                          |
//!                                              '--------------------------'  until one solution is left
//! ```
//!
//! The number of solutions says which change is best, up to [`MOST_COUNTED`]. Beyond that it is the number of
//! candidates that occur in a solution. A puzzle that finds no better change for long is changed at random, and
//! after some of that it begins anew with another grid. The same is done with a puzzle that has one solution and
//! is not minimal, or not as hard as it should be: the next one with one solution is near.
//!
//! The idea of changing a few clues of a puzzle is that of the vicinity search of the Patterns Game
//! (M. Dobrichev's gridchecker has it).

use super::{
    Made, Recipe, RecipeError,
    digging::{Fit, rate},
};
use crate::{
    generate::Grids,
    grid::{BLANK, CELLS, Candidate, Cell, HOUSE_CELLS, Puzzle},
    random::{Words, below},
    solve::{Solver, guesses},
    stop,
    technique::Rater,
};
use std::{fmt, str::FromStr};

/// A set of cells for the clues of a puzzle.
///
/// ```
/// use sudoku_batch::puzzle::Pattern;
/// let pattern: Pattern = "
///     .........
///     .XX...XX.
///     X..X.X..X
///     X...X...X
///     X.......X
///     .X.....X.
///     ..X...X..
///     ...X.X...
///     ....X....".parse()?;
/// assert_eq!(pattern.clue_count(), 20);
/// # Ok::<(), sudoku_batch::puzzle::RecipeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// A bit for each cell.
    cells: u128,
}

impl FromStr for Pattern {
    type Err = RecipeError;

    /// Reads 81 characters: `X`, `x`, `#`, `*` or a digit from 1 to 9 for a clue, and `.`, `0`, `-` or `_` for a
    /// blank. White space, `|` and `+` do not count, so a drawing may have nine lines.
    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let (mut cells, mut count) = (0, 0);
        for (line, text) in (1..).zip(text.lines()) {
            for (column, c) in (1..).zip(text.chars()) {
                match c {
                    'X' | 'x' | '#' | '*' | '1'..='9' if count < CELLS => cells |= 1 << count,
                    'X' | 'x' | '#' | '*' | '1'..='9' | '.' | '0' | '-' | '_' => (),
                    c if c.is_whitespace() => continue,
                    c => {
                        return Err(RecipeError::NoPattern(format!(
                            "line {line}, column {column} of the pattern: {c:?} is neither `X` nor `.`"
                        )));
                    }
                }
                count += 1;
            }
        }
        if count == CELLS {
            Ok(Self { cells })
        } else {
            Err(RecipeError::NoPattern(format!(
                "a pattern has 81 cells, and this has {count}"
            )))
        }
    }
}

/// 81 characters: `X` for a clue, `.` for a blank.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = Cell::all().map(|cell| if self.has(cell) { 'X' } else { '.' });
        f.write_str(&cells.collect::<String>())
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({self})")
    }
}

impl Pattern {
    /// The cells of the clues of a puzzle.
    pub fn of(puzzle: &Puzzle) -> Self {
        let clues = Cell::all().filter(|&cell| puzzle.get(cell).is_some());
        Self {
            cells: clues.fold(0, |cells, cell| cells | 1 << cell.index()),
        }
    }

    /// Returns true if the pattern has a clue in a cell.
    pub fn has(&self, cell: Cell) -> bool {
        self.cells >> cell.index() & 1 != 0
    }

    /// The number of clues.
    pub fn clue_count(&self) -> usize {
        self.cells.count_ones() as usize
    }

    /// The reason why no puzzle with these clues has one solution, if there is one that is proven. Most patterns
    /// that have no puzzle have no such reason.
    pub fn impossible(&self) -> Option<String> {
        let clues = self.clue_count();
        if clues < super::FEWEST_CLUES {
            return Some(format!(
                "it has {clues} clues, and no puzzle with fewer than {} has one solution",
                super::FEWEST_CLUES
            ));
        }
        let is_empty = |line: &usize, columns: bool| {
            (0..9).all(|place| {
                let (row, column) = if columns {
                    (place, *line)
                } else {
                    (*line, place)
                };
                !self.has(Cell::at(row, column))
            })
        };
        for (columns, name) in [(false, "row"), (true, "column")] {
            for first in [0, 3, 6] {
                let empty: Vec<_> = (first..first + 3)
                    .filter(|n| is_empty(n, columns))
                    .collect();
                if let [one, other, ..] = empty[..] {
                    return Some(format!(
                        "{name}s {} and {} have no clue, so they can change places in any solution",
                        one + 1,
                        other + 1
                    ));
                }
            }
        }
        None
    }
}

/// The number of puzzles in work at a time.
const SITES: usize = 512;

/// The number of changes that a puzzle compares at a time.
const CHANGES: usize = 8;

/// The number of solutions up to which they are counted.
const MOST_COUNTED: u64 = 64;

/// The number of rounds without a better puzzle after which a puzzle is changed at random.
const PATIENCE: u32 = 24;

/// The number of grids that are filled in for a puzzle, at most.
const MOST_GRIDS: u32 = 20;

/// The number of rounds that a grid is good for, while no puzzle with one solution comes of it.
const MOST_ROUNDS: u32 = 400;

/// How far a puzzle is from one solution: the number of its solutions up to [`MOST_COUNTED`], and where there
/// are more, the number of candidates in them.
type Distance = (u64, usize);

/// A puzzle in work.
#[derive(Debug)]
struct Site {
    place: usize,
    number: u64,
    words: Words,
    cells: [u8; CELLS],
    distance: Distance,
    /// The number of grids before this one.
    tries: u32,
    /// The number of rounds since the last grid or the last puzzle with one solution.
    rounds: u32,
    /// The number of rounds since it was better than before.
    idle: u32,
    /// The number of rounds in which any change will do.
    shaken: u32,
    changes: Vec<[u8; CELLS]>,
}

/// What is the same for all puzzles of a pattern.
struct Work<'a> {
    cells: Vec<Cell>,
    peers: Vec<Vec<usize>>,
    recipe: &'a Recipe,
    grids: &'a Grids,
    rater: Option<Rater>,
}

/// Makes the puzzles of a pattern from number `start` on.
pub(super) fn run(
    solver: &mut Solver,
    grids: &Grids,
    seed: u64,
    (recipe, pattern): (&Recipe, &Pattern),
    start: u64,
    made: &mut [Option<Made>],
) {
    made.fill(None);
    let cells: Vec<_> = Cell::all().filter(|&cell| pattern.has(cell)).collect();
    let peers = cells.iter().map(|cell| {
        let houses = HOUSE_CELLS
            .iter()
            .filter(|house| house.contains(&(cell.index() as _)));
        let peers = houses.flatten().map(|&peer| usize::from(peer));
        peers.filter(|&peer| peer != cell.index()).collect()
    });
    let mut work = Work {
        peers: peers.collect(),
        cells,
        recipe,
        grids,
        rater: (recipe.ratings.as_ref()).map(|range| Rater::new().with_max_rating(*range.end())),
    };
    let (mut next, mut sites) = (0, Vec::new());
    loop {
        stop::check();
        while sites.len() < SITES && next < made.len() {
            let number = start + next as u64;
            let words = Words::of_stream(seed, number, 2);
            let begun = work.begin(next, number, words, 0);
            sites.extend(begun);
            next += 1;
        }
        if sites.is_empty() {
            return;
        }
        work.step(solver, &mut sites);
        work.finish(solver, &mut sites, made);
    }
}

impl Work<'_> {
    /// A site with the digits of the grid of a try, if there is a grid.
    fn begin(&self, place: usize, number: u64, words: Words, tries: u32) -> Option<Site> {
        let grid = super::grid(self.grids, number, tries)?;
        let mut cells = [BLANK; CELLS];
        for cell in &self.cells {
            cells[cell.index()] = grid.as_ascii()[cell.index()];
        }
        Some(Site {
            place,
            number,
            words,
            cells,
            // Any change is better.
            distance: (u64::MAX, usize::MAX),
            tries,
            rounds: 0,
            idle: 0,
            shaken: 0,
            changes: Vec::new(),
        })
    }

    /// Compares changes of each site, and takes the best.
    fn step(&self, solver: &mut Solver, sites: &mut [Site]) {
        let mut asked = Vec::new();
        for site in &mut *sites {
            self.change(site);
            asked.extend(site.changes.iter().map(Puzzle::with_blanks_for_others));
        }
        let counts = solver.count_batch(&asked, MOST_COUNTED);
        // Where a puzzle has a change with few solutions, the candidates of others do not matter.
        let (mut far, mut at) = (Vec::new(), 0);
        let mut are_far = vec![false; asked.len()];
        for site in &*sites {
            let all = at..at + site.changes.len();
            at = all.end;
            let mut few = counts[all.clone()].iter().chain([&site.distance.0]);
            if !few.any(|count| (1..MOST_COUNTED).contains(count)) {
                for change in all.filter(|&change| counts[change] == MOST_COUNTED) {
                    are_far[change] = true;
                    far.push(asked[change]);
                }
            }
        }
        let mut unions = solver.true_candidates_of_several(&far).into_iter();
        let mut distances = counts.into_iter().zip(are_far).map(|(count, is_far)| {
            let union = if is_far { unions.next() } else { None };
            (count, union.map_or(usize::MAX, |union| union.count()))
        });
        for site in sites {
            let count = site.changes.len();
            let of_site: Vec<_> = distances.by_ref().take(count).collect();
            site.choose(&of_site);
        }
    }

    /// Makes changes of a site. Each gives one clue another digit that no clue in its houses has.
    fn change(&self, site: &mut Site) {
        site.changes.clear();
        if site.distance.0 == u64::MAX {
            site.changes.push(site.cells);
        }
        for _ in 0..CHANGES {
            let which = draw(&mut site.words, self.cells.len());
            let cell = self.cells[which].index();
            let mut free = 0x3fe_u16 & !(1 << (site.cells[cell] & 15));
            for &peer in &self.peers[which] {
                free &= !(1 << (site.cells[peer] & 15));
            }
            if free != 0 {
                let mut digits = free;
                for _ in 0..draw(&mut site.words, free.count_ones() as usize) {
                    digits &= digits - 1;
                }
                let mut cells = site.cells;
                cells[cell] = b'0' + digits.trailing_zeros() as u8;
                site.changes.push(cells);
            }
        }
    }

    /// Takes out the puzzles that are done, and moves on those that are not what is wanted.
    fn finish(&mut self, solver: &mut Solver, sites: &mut Vec<Site>, made: &mut [Option<Made>]) {
        let is_one = |site: &Site| site.distance.0 == 1;
        let found: Vec<_> = (0..sites.len()).filter(|&at| is_one(&sites[at])).collect();
        let puzzles: Vec<_> = found.iter().map(|&at| sites[at].cells).collect();
        let fitting = self.fitting(solver, &puzzles);
        for (&at, fits) in found.iter().zip(fitting) {
            let site = &mut sites[at];
            match fits {
                Some(fit) => {
                    made[site.place] = Some(fit);
                    site.tries = u32::MAX;
                }
                None => {
                    site.rounds += MOST_ROUNDS / 16;
                    site.shaken = 2;
                }
            }
        }
        let (mut at, mut kept) = (0, 0);
        while at < sites.len() {
            let site = &mut sites[at];
            let is_done = site.tries == u32::MAX;
            let is_over = site.rounds >= MOST_ROUNDS;
            at += 1;
            if !is_done && is_over {
                let tries = site.tries + 1;
                let again = (tries < MOST_GRIDS).then(|| {
                    let words = site.words.clone();
                    self.begin(site.place, site.number, words, tries)
                });
                let Some(again) = again.flatten() else {
                    continue;
                };
                *site = again;
            }
            if !is_done {
                sites.swap(kept, at - 1);
                kept += 1;
            }
        }
        sites.truncate(kept);
    }

    /// What is made of puzzles with one solution: those that have all that is wanted.
    fn fitting(&mut self, solver: &mut Solver, puzzles: &[[u8; CELLS]]) -> Vec<Option<Made>> {
        let all: Vec<_> = puzzles.iter().map(Puzzle::with_blanks_for_others).collect();
        let solutions = solver.solve_unique_batch(&all);
        let made = all.iter().zip(solutions).map(|(puzzle, solution)| Made {
            puzzle: *puzzle,
            solution: solution.expect("it has one solution"),
            hardest: None,
            weight: None,
        });
        let mut made: Vec<_> = made.map(Some).collect();
        if self.recipe.is_minimal() {
            let are_minimal = self.are_minimal(solver, &made);
            for (made, is_minimal) in made.iter_mut().zip(are_minimal) {
                made.take_if(|_| !is_minimal);
            }
        }
        if let Some(most) = self.recipe.guesses.checked_sub(1) {
            for made in &mut made {
                made.take_if(|made| guesses(&made.puzzle, most).is_some());
            }
        }
        if let (Some(range), Some(rater)) = (&self.recipe.ratings, &mut self.rater) {
            let left: Vec<_> = made.iter_mut().filter(|made| made.is_some()).collect();
            let cells: Vec<_> = left
                .iter()
                .flat_map(|made| made.as_ref())
                .map(|made| *made.puzzle.as_ascii())
                .collect();
            let mut fits = vec![Fit::TooHard; cells.len()];
            rate(rater, &cells, range, self.recipe.needs, &mut fits);
            for (made, fit) in left.into_iter().zip(fits) {
                *made = match (*made, fit) {
                    (Some(made), Fit::Fits(hardest)) => Some(Made { hardest, ..made }),
                    _ => None,
                };
            }
        }
        made
    }

    /// Returns for each puzzle whether all of its clues are needed.
    fn are_minimal(&self, solver: &mut Solver, made: &[Option<Made>]) -> Vec<bool> {
        let (mut fewer, mut strikes) = (Vec::new(), Vec::new());
        for made in made.iter().flatten() {
            for &cell in &self.cells {
                let mut puzzle = made.puzzle;
                puzzle.set(cell, None);
                fewer.push(puzzle);
                strikes.push(Candidate {
                    cell,
                    digit: made.solution.get(cell),
                });
            }
        }
        let others = solver.count_struck_batch(&fewer, &strikes, 1);
        let of_puzzles = others.chunks(self.cells.len());
        of_puzzles.map(|others| !others.contains(&0)).collect()
    }
}

impl Site {
    /// Takes the best change, unless it is worse.
    fn choose(&mut self, distances: &[Distance]) {
        self.rounds += 1;
        let all = distances.iter().copied().enumerate();
        let mut possible = all.filter(|(_, distance)| distance.0 > 0);
        if self.shaken > 0 {
            if let Some((at, distance)) = possible.find(|(_, distance)| distance.0 > 1) {
                self.cells = self.changes[at];
                self.distance = distance;
                self.shaken -= 1;
                self.idle = 0;
            }
            return;
        }
        let best = possible.min_by_key(|(_, distance)| *distance);
        self.idle += 1;
        if let Some((at, distance)) = best.filter(|(_, distance)| *distance <= self.distance) {
            if distance < self.distance {
                self.idle = 0;
            }
            self.cells = self.changes[at];
            self.distance = distance;
        }
        if self.idle >= PATIENCE {
            self.shaken = 2;
        }
    }
}

/// A number under `range`, each as likely as the others.
fn draw(words: &mut Words, range: usize) -> usize {
    loop {
        if let Some(number) = below(range as u64, words.next()) {
            return number as usize;
        }
    }
}
