//! Puzzles whose clues stand in given cells.
//!
//! Blind digging hits a pattern of 26 cells once in a million grids. So a puzzle is filled in and mended: it
//! begins with the digits of a grid in the cells of the pattern, and then walks. A step proposes another digit
//! for one clue, which no clue in its houses has. It is taken if the solutions become fewer, or not too many more:
//!
//! ```text
//!     grid --> digits in the pattern ---- far: 64 solutions or more --------+
//!                                         judged by the candidates in them  |
//!                                                                           v
//!     puzzle <-- one solution, and all that is wanted <---- near: fewer than 64 solutions,
//!                                                           judged by their number
//! ```
//!
//! How many more are not too many is drawn for each step (N. Metropolis and others 1953, *Equation of state
//! calculations by fast computing machines*). With c solutions now, a step to n is taken with the probability
//! (c / n)². The draw comes first, so that nobody counts further than it says.
//!
//! A puzzle of 22 clues takes some 3,000 steps of which about one in twelve is taken. So steps are tried before
//! it is known that those before them are not taken, and the random numbers of step t depend on t alone. That
//! keeps the lanes of the engine full, and changes no puzzle.
//!
//! The search before this one compared eight changes of each puzzle by all their solutions up to 64, and took
//! the best. In one run, with 512 puzzles in work, this one was five times as fast for patterns of 22 clues.
//!
//! The idea of changing a few clues of a puzzle is that of the vicinity search of the Patterns Game
//! (M. Dobrichev's gridchecker has it).

use super::{
    Made, Recipe, Refusal,
    climbing::has_depth,
    digging::{Fit, are_minimal, judge},
    path::PathReader,
};
use crate::{
    generate::Grids,
    grid::{BLANK, CELLS, Cell, Digit, Grid, HOUSE_CELLS, Puzzle},
    name::NameError,
    random::{Words, below},
    solve::{Interviewer, Limits, Questions, Solver},
    stop,
    technique::Rater,
    words::counted,
};
use std::{collections::VecDeque, fmt, str::FromStr};

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
/// # Ok::<(), sudoku_batch::NameError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// A bit for each cell.
    cells: u128,
}

impl FromStr for Pattern {
    type Err = NameError;

    /// Reads 81 characters: `X`, `x`, `#`, `*` or a digit from 1 to 9 for a clue, and `.`, `0`, `-` or `_` for a
    /// blank. White space, `|` and `+` do not count, so a drawing may have nine lines.
    fn from_str(text: &str) -> Result<Self, NameError> {
        let wrong = |what: String| Err(NameError::new("pattern", text, what));
        let (mut cells, mut count) = (0, 0);
        for (line, text) in (1..).zip(text.lines()) {
            for (column, c) in (1..).zip(text.chars()) {
                match c {
                    'X' | 'x' | '#' | '*' | '1'..='9' if count < CELLS => cells |= 1 << count,
                    'X' | 'x' | '#' | '*' | '1'..='9' | '.' | '0' | '-' | '_' => (),
                    c if c.is_whitespace() => continue,
                    c => {
                        return wrong(format!(
                            "line {line}, column {column} of the pattern: {c:?} is neither `X` nor `.`"
                        ));
                    }
                }
                count += 1;
            }
        }
        if count == CELLS {
            Ok(Self { cells })
        } else {
            wrong(format!("a pattern has 81 cells, and this has {count}"))
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
                "it has {}, and no puzzle with fewer than {} has one solution",
                counted(clues as u64, "clues"),
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

/// The number of steps that are tried at a time, for all puzzles together: twice the lanes of the widest level.
const STEPS: usize = 1024;

/// The most steps of one puzzle that are tried at a time. Of those after one that is taken nothing is used.
const MOST_AHEAD: usize = 8;

/// The number of solutions from which on a puzzle is far.
const FAR: u64 = 64;

/// The number of grids that are filled in for a puzzle, at most.
const MOST_GRIDS: u32 = 32;

/// The number of steps of a grid in which a puzzle has to come near.
const MOST_FAR_STEPS: u32 = 100;

/// The number of steps of a grid after which the next one is filled in.
const MOST_STEPS: u32 = 4000;

/// The number of steps that a puzzle with one solution counts as, if it is not what is wanted.
const STEPS_OF_UNFIT: u32 = MOST_STEPS / 16;

/// The number of random words that a step has, more than it takes.
const WORDS_OF_STEP: u64 = 8;

/// The data that all puzzles of a pattern share.
struct Work<'a> {
    seed: u64,
    cells: Vec<Cell>,
    peers: Vec<Vec<usize>>,
    recipe: &'a Recipe,
    refusal: Option<&'a Refusal>,
    grids: &'a Grids,
    rater: Option<Rater>,
    paths: PathReader,
    trials: Option<Rater>,
}

/// A puzzle in work.
#[derive(Debug)]
struct Site {
    place: usize,
    number: u64,
    /// The number of grids before this one.
    tries: u32,
    cells: [u8; CELLS],
    /// The number of solutions, [`FAR`] at most.
    solutions: u64,
    /// The number of candidates in the solutions, if the puzzle is far.
    candidates: usize,
    /// The number of the next step that is not decided.
    step: u32,
    /// The number of steps after which the grid is given up. Puzzles that do not fit make them fewer.
    steps: u32,
    /// The number of times that the puzzle has changed. Steps that were tried before do not count.
    changes: u32,
    /// The facts about the steps from `step` on that are tried.
    tried: VecDeque<Tried>,
}

/// A step that is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    Waiting,
    Refused,
    /// Taken if no step before it is, with the cells and the number of solutions after it.
    Good([u8; CELLS], u64),
}

/// A change of one clue, and up to where it is taken.
struct Step {
    cells: [u8; CELLS],
    /// The most solutions.
    most: u64,
    /// The number of candidates that may come, if the puzzle is far and stays so.
    more: usize,
}

/// Makes the puzzles of a pattern from number `start` on.
pub(super) fn run(
    solver: &mut Solver,
    (grids, seed): (&Grids, u64),
    (recipe, refusal): (&Recipe, Option<&Refusal>),
    pattern: &Pattern,
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
        seed,
        peers: peers.collect(),
        cells,
        recipe,
        refusal,
        grids,
        rater: (recipe.ratings.as_ref()).map(|range| Rater::new().with_max_rating(*range.end())),
        paths: PathReader::default(),
        trials: recipe.depths.as_ref().map(|_| Rater::new()),
    };
    let (mut next, mut sites) = (0, Vec::new());
    loop {
        stop::check();
        while sites.len() < SITES && next < made.len() {
            sites.extend(work.begin(next, start + next as u64, 0));
            next += 1;
        }
        if sites.is_empty() {
            return;
        }
        work.come_near(solver, &mut sites);
        work.walk(solver, &mut sites);
        work.finish(solver, &mut sites, made);
    }
}

impl Work<'_> {
    /// A site with the digits of the grid of a try, if there is a grid.
    fn begin(&self, place: usize, number: u64, tries: u32) -> Option<Site> {
        let grid = super::grid(self.grids, number, tries)?;
        let mut cells = [BLANK; CELLS];
        for cell in &self.cells {
            cells[cell.index()] = grid.as_ascii()[cell.index()];
        }
        if self.recipe.quotas.bind_digits() {
            self.replace_missing(&mut cells);
        }
        Some(Site {
            place,
            number,
            tries,
            cells,
            solutions: FAR,
            candidates: usize::MAX,
            step: 0,
            steps: MOST_STEPS,
            changes: 0,
            tried: VecDeque::new(),
        })
    }

    /// Gives the clues of a missing digit another digit, where one fits. The others stay, for steps to change.
    #[cold]
    fn replace_missing(&self, cells: &mut [u8; CELLS]) {
        for (cell, peers) in self.cells.iter().zip(&self.peers) {
            if self.recipe.quotas.leaves_out(cells[cell.index()]) {
                let fits = |digit: &u8| {
                    !self.recipe.quotas.leaves_out(*digit)
                        && peers.iter().all(|&peer| cells[peer] != *digit)
                };
                if let Some(digit) = (b'1'..=b'9').find(fits) {
                    cells[cell.index()] = digit;
                }
            }
        }
    }

    /// The step of a site with a number, or nothing if the clue that it is about can have no other digit. Step 0
    /// changes nothing: it finds out what the digits of the grid are worth.
    fn propose(&self, site: &Site, step: u32) -> Option<Step> {
        let (mut cells, solutions) = (site.cells, site.solutions);
        if step == 0 {
            let (most, more) = (FAR - 1, 0);
            return Some(Step { cells, most, more });
        }
        let at = (u64::from(site.tries) << 32 | u64::from(step)) * WORDS_OF_STEP;
        let mut words = Words::of_stream(self.seed, site.number, 2).from(at);
        let which = draw(&mut words, self.cells.len());
        let cell = self.cells[which].index();
        let mut free = 0x3fe_u16 & !(1 << (cells[cell] & 15));
        for &peer in &self.peers[which] {
            free &= !(1 << (cells[peer] & 15));
        }
        if free == 0 {
            return None;
        }
        for _ in 0..draw(&mut words, free.count_ones() as usize) {
            free &= free - 1;
        }
        let (from, to) = (cells[cell], b'0' + free.trailing_zeros() as u8);
        let quotas = &self.recipe.quotas;
        if quotas.bind_digits() && !quotas.allow_exchange(&cells, from, to) {
            return None;
        }
        cells[cell] = to;
        let word = words.next();
        // n solutions are taken if (n / c)² < 2^64 / word.
        let is_taken = |n: &u64| {
            u128::from(n * n) * u128::from(word) < u128::from(solutions * solutions) << 64
        };
        let most = (solutions..FAR - 1).take_while(|n| is_taken(&(n + 1)));
        Some(Step {
            cells,
            most: (solutions + most.count() as u64).min(FAR - 1),
            // k more candidates and above have the probability (3/4)^k.
            more: (0..32).take_while(|at| word >> (2 * at) & 3 != 0).count(),
        })
    }

    /// Moves the sites that are far, until each is near or given up.
    fn come_near(&self, solver: &mut Solver, sites: &mut [Site]) {
        let mut far: Vec<_> = sites.iter_mut().filter(|site| site.is_far()).collect();
        while !far.is_empty() {
            stop::check();
            let ahead = (STEPS / 2 / far.len()).clamp(1, MOST_AHEAD / 2) as u32;
            let proposed = |site: &&mut Site| -> Vec<_> {
                let numbers = site.step..(site.step + ahead).min(MOST_FAR_STEPS);
                let steps = numbers.map(|number| Some((number, self.propose(site, number)?)));
                steps.flatten().collect()
            };
            let steps: Vec<_> = far.iter().map(proposed).collect();
            let puzzles = steps.iter().flatten();
            let puzzles = puzzles.map(|(_, step)| Puzzle::with_blanks_for_others(&step.cells));
            let puzzles: Vec<_> = puzzles.collect();
            let counts = solver.count_batch(&puzzles, FAR);
            let still_far = puzzles.iter().zip(&counts);
            let still_far = still_far.filter(|(_, count)| **count == FAR);
            let still_far: Vec<_> = still_far.map(|(puzzle, _)| *puzzle).collect();
            let mut unions = solver.true_candidates_of_several(&still_far).into_iter();
            let mut answers = counts.into_iter().map(|count| {
                let union = if count == FAR { unions.next() } else { None };
                (count, union.map_or(0, |union| union.count()))
            });
            for (site, steps) in far.iter_mut().zip(steps) {
                let answers: Vec<_> = answers.by_ref().take(steps.len()).collect();
                let mut answered = steps.into_iter().zip(answers);
                let taken = answered.find(|((_, step), (count, candidates))| {
                    *count > 0 && *candidates <= site.candidates.saturating_add(step.more)
                });
                if let Some(((number, step), (count, candidates))) = taken {
                    site.take(number, step.cells, count);
                    site.candidates = candidates;
                } else {
                    site.step += ahead;
                }
            }
            far.retain(|site| site.is_far() && site.step < MOST_FAR_STEPS);
        }
    }

    /// Moves the sites that are near, until a fourth of them has one solution or is given up. The others keep
    /// what they know.
    fn walk(&self, solver: &mut Solver, sites: &mut [Site]) {
        let is_moving = |site: &&mut Site| !site.is_far() && !site.is_done();
        let sites: Vec<_> = sites.iter_mut().filter(is_moving).collect();
        if sites.is_empty() {
            return;
        }
        let ahead = (STEPS / sites.len()).clamp(1, MOST_AHEAD);
        let places = sites.len() * ahead;
        let mut questions = Questions {
            cells: vec![[BLANK; CELLS]; places],
            strikes: vec![None; places],
            limits: vec![FAR; places],
        };
        let mut walk = Walk {
            work: self,
            ahead,
            moving: sites.len(),
            fewest: sites.len() * 3 / 4,
            asked: vec![None; places],
            sites,
        };
        let mut ask = Vec::new();
        for at in 0..walk.sites.len() {
            walk.ask(at, &mut questions, &mut ask);
        }
        solver.interview(&mut questions, ask, Limits::same(FAR), &mut walk);
    }

    /// Takes out the puzzles that are done, and fills in the next grid for those that are given up.
    fn finish(&mut self, solver: &mut Solver, sites: &mut Vec<Site>, made: &mut [Option<Made>]) {
        let found: Vec<_> = sites
            .iter_mut()
            .filter(|site| site.solutions == 1)
            .collect();
        let puzzles: Vec<_> = found.iter().map(|site| site.cells).collect();
        let mut is_made = vec![false; made.len()];
        for (site, fit) in found.into_iter().zip(self.fitting(solver, &puzzles)) {
            if fit.is_some() {
                made[site.place] = fit;
                is_made[site.place] = true;
            } else {
                site.steps = site.steps.saturating_sub(STEPS_OF_UNFIT);
                // The walk goes on from here, where puzzles with one solution are near.
                site.solutions = UNFIT;
            }
        }
        sites.retain_mut(|site| {
            if is_made[site.place] {
                return false;
            }
            if !site.is_far() && site.step < site.steps {
                return true;
            }
            // The next grid, if there is one.
            let tries = site.tries + 1;
            let again = (tries < MOST_GRIDS).then(|| self.begin(site.place, site.number, tries));
            again.flatten().map(|again| *site = again).is_some()
        });
    }

    /// The results from puzzles with one solution: those that have all that is wanted.
    fn fitting(&mut self, solver: &mut Solver, puzzles: &[[u8; CELLS]]) -> Vec<Option<Made>> {
        let all: Vec<_> = puzzles.iter().map(Puzzle::with_blanks_for_others).collect();
        let solutions = solver.solve_unique_batch(&all);
        let first_digit = self.grids.first_digit();
        let made = all.iter().zip(solutions).map(|(puzzle, solution)| {
            let solution = solution.expect("it has one solution");
            let (puzzle, solution) = match first_digit {
                Some(digit) => beginning_with(digit, puzzle, &solution),
                None => (*puzzle, solution),
            };
            Made {
                puzzle,
                solution,
                hardest: None,
                weight: None,
            }
        });
        let mut made: Vec<_> = made.map(Some).collect();
        for made in &mut made {
            made.take_if(|made| !self.recipe.quotas.are_met_by(&made.puzzle));
        }
        if self.recipe.is_minimal() {
            let are_minimal = are_minimal(solver, made.iter().flatten());
            let left = made.iter_mut().filter(|made| made.is_some());
            for (made, is_minimal) in left.zip(are_minimal) {
                made.take_if(|_| !is_minimal);
            }
        }
        if let (Some(range), Some(trials)) = (&self.recipe.depths, &mut self.trials) {
            for made in &mut made {
                made.take_if(|made| !has_depth(trials, range, made));
            }
        }
        for made in &mut made {
            made.take_if(|made| !self.recipe.has_guesses(&made.puzzle));
        }
        if let (Some(range), Some(rater)) = (&self.recipe.ratings, &mut self.rater) {
            let left: Vec<_> = made.iter_mut().filter(|made| made.is_some()).collect();
            let cells: Vec<_> = left
                .iter()
                .flat_map(|made| made.as_ref())
                .map(|made| *made.puzzle.as_ascii())
                .collect();
            let fits = judge(rater, &mut self.paths, (self.recipe, range), &cells);
            for (made, fit) in left.into_iter().zip(fits) {
                *made = match (*made, fit) {
                    (Some(made), Fit::Fits(hardest)) => Some(Made { hardest, ..made }),
                    _ => None,
                };
            }
        }
        if let Some(refusal) = self.refusal {
            for made in &mut made {
                made.take_if(|made| refusal.refuses(made));
            }
        }
        made
    }
}

/// Stands for the one solution of a puzzle that is not what is wanted: it is no reason to stop.
const UNFIT: u64 = 2;

impl Site {
    fn is_far(&self) -> bool {
        self.solutions == FAR
    }

    /// Returns true if the puzzle has one solution, or its grid is given up.
    fn is_done(&self) -> bool {
        self.solutions == 1 || self.step >= self.steps
    }

    /// The first step that is not tried.
    fn next_step(&self) -> u32 {
        self.step + self.tried.len() as u32
    }

    /// Takes a step.
    fn take(&mut self, step: u32, cells: [u8; CELLS], solutions: u64) {
        (self.cells, self.solutions) = (cells, solutions);
        self.step = step + 1;
        self.changes += 1;
        self.tried.clear();
    }

    /// Decides the steps whose answers are there, in their order.
    fn decide(&mut self) {
        while !self.is_done() {
            match self.tried.front() {
                Some(&Tried::Good(cells, solutions)) => self.take(self.step, cells, solutions),
                Some(Tried::Refused) => {
                    self.tried.pop_front();
                    self.step += 1;
                }
                Some(Tried::Waiting) | None => return,
            }
        }
    }
}

/// The walk of near puzzles. Each has `ahead` places among the questions.
struct Walk<'a, 'b> {
    work: &'a Work<'a>,
    sites: Vec<&'b mut Site>,
    ahead: usize,
    /// The question of each place.
    asked: Vec<Option<Asked>>,
    /// The number of puzzles that are not done.
    moving: usize,
    /// With fewer than these the walk ends.
    fewest: usize,
}

/// The question of a place.
#[derive(Clone, Copy, Debug)]
struct Asked {
    /// The number of times that the puzzle had changed.
    changes: u32,
    step: u32,
    /// The most solutions with which the step is taken.
    most: u64,
}

impl Walk<'_, '_> {
    /// Asks about the next steps of a puzzle at those of its places that have their answers, unless the walk ends.
    fn ask(&mut self, at: usize, questions: &mut Questions, ask: &mut Vec<u32>) {
        let site = &mut *self.sites[at];
        if site.is_done() {
            return;
        }
        for place in at * self.ahead..(at + 1) * self.ahead {
            if self.asked[place].is_some() {
                continue;
            }
            let step = loop {
                // Nothing that comes after a good step can be tried yet.
                let last = site.tried.back();
                let is_full = matches!(last, Some(Tried::Good(..)))
                    || site.tried.len() >= MOST_AHEAD * self.ahead;
                if is_full || self.moving < self.fewest {
                    return;
                }
                if let Some(step) = self.work.propose(site, site.next_step()) {
                    break step;
                }
                site.tried.push_back(Tried::Refused);
                site.decide();
                if site.is_done() {
                    self.moving -= 1;
                    return;
                }
            };
            self.asked[place] = Some(Asked {
                changes: site.changes,
                step: site.next_step(),
                most: step.most,
            });
            site.tried.push_back(Tried::Waiting);
            questions.cells[place] = step.cells;
            questions.limits[place] = step.most + 1;
            ask.push(place as u32);
        }
    }
}

impl Interviewer for Walk<'_, '_> {
    fn answered(
        &mut self,
        place: usize,
        count: u64,
        questions: &mut Questions,
        ask: &mut Vec<u32>,
    ) {
        let asked = self.asked[place]
            .take()
            .expect("a place that was asked about");
        let at = place / self.ahead;
        let site = &mut *self.sites[at];
        if asked.changes == site.changes && !site.is_done() {
            site.tried[(asked.step - site.step) as usize] = if (1..=asked.most).contains(&count) {
                Tried::Good(questions.cells[place], count)
            } else {
                Tried::Refused
            };
            site.decide();
            self.moving -= usize::from(site.is_done());
        }
        self.ask(at, questions, ask);
    }
}

/// The puzzle in which the first digit of the solution and this one have changed places, and its solution. Whatever is
/// wanted is asked about this puzzle: the reference search takes the digits in their order.
pub(super) fn beginning_with(digit: Digit, puzzle: &Puzzle, solution: &Grid) -> (Puzzle, Grid) {
    let [one, other] = [digit, solution.get(Cell::at(0, 0))].map(Digit::to_ascii);
    let exchanged = |cells: &[u8; CELLS]| {
        cells.map(|cell| match cell {
            cell if cell == one => other,
            cell if cell == other => one,
            cell => cell,
        })
    };
    let solution = Grid::from_ascii(&exchanged(solution.as_ascii()));
    (
        Puzzle::with_blanks_for_others(&exchanged(puzzle.as_ascii())),
        solution.expect("all cells have digits"),
    )
}

/// A number under `range`, each as likely as the others.
fn draw(words: &mut Words, range: usize) -> usize {
    loop {
        if let Some(number) = below(range as u64, words.next()) {
            return number as usize;
        }
    }
}
