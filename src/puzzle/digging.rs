//! Removes clues from thousands of grids at a time.
//!
//! ```text
//!     numbers --> sites: each has a grid, an order of its orbits and a place in it
//!                   |  ^
//!          questions|  |answers            a round: one question for each site
//!                   v  |
//!                  solver
//! ```
//!
//! When a site is done, the next number takes its place. So the solver gets the same number
//! of questions in every round, until the numbers run out.

mod site;
mod unavoidable;

use super::{Goal, MOST_TRIES, Made, Recipe};
use crate::{
    generate::Grids,
    grid::{BLANK, CELLS, Digit, GridLine},
    solve::{Limits, NO_SOLUTION, NotUnique, Singles, Solver, Strike},
    technique::{Rater, Rating, Technique},
};
use site::{Plan, Site};
use std::ops::RangeInclusive;

/// The number of sites in work at a time. With fewer, the solver's lanes are empty more often
/// at the end of a round. With more, the sites do not stay in the second-level cache. 8192 are
/// 2 to 10 % slower, 2048 are 15 %.
const SITES: usize = 4096;

/// How many solutions a question about several clues looks for. The grid may be one of them. Each
/// other one shows a set of clues that cannot all go. A third takes longer than it saves.
const SOLUTIONS: usize = 2;

/// What the rater answers about a puzzle, in the place of a count of solutions.
const TOO_EASY: u64 = 0;
const FITS: u64 = 1;
const TOO_HARD: u64 = 2;
/// It was not asked yet.
const WAITS: u64 = 3;

/// In how many orders each grid is tried for a rating.
const ORDERS: u32 = 4;

/// How many grids are made at a time.
const GRIDS: usize = 512;

/// Digging by one recipe, with its memory.
#[derive(Debug)]
pub(super) struct Digging {
    plan: Plan,
    sites: Vec<Site>,
    /// For each site its puzzle without the clues that it asks about.
    cells: Vec<[u8; CELLS]>,
    /// For each site that asks about one clue, the digit of the clue in its cell.
    strikes: Vec<Option<Strike>>,
    counts: Vec<u64>,
    /// For each site some of these solutions, if the solver gives them.
    solutions: Vec<[GridLine; SOLUTIONS]>,
    /// Grids for new sites. Those before `taken` have been taken.
    grids: Vec<GridLine>,
    taken: usize,
    /// Rates puzzles that are done, if the recipe asks for ratings.
    rater: Option<Rater>,
}

struct Order<'a> {
    recipe: &'a Recipe,
    grids: &'a Grids,
    seed: u64,
    start: u64,
    made: &'a mut [Option<Made>],
    /// The place of the next one to be begun.
    next: usize,
}

impl Digging {
    pub(super) fn new(recipe: &Recipe) -> Self {
        Self {
            plan: Plan::new(recipe),
            sites: Vec::new(),
            cells: Vec::new(),
            strikes: Vec::new(),
            counts: Vec::new(),
            solutions: Vec::new(),
            grids: Vec::new(),
            taken: 0,
            // Nothing over the range is of use.
            rater: recipe
                .ratings
                .as_ref()
                .map(|range| Rater::new().up_to(*range.end())),
        }
    }

    pub(super) fn run(
        &mut self,
        solver: &mut Solver,
        grids: &Grids,
        seed: u64,
        recipe: &Recipe,
        start: u64,
        made: &mut [Option<Made>],
    ) {
        made.fill(None);
        let mut order = Order {
            recipe,
            grids,
            seed,
            start,
            made,
            next: 0,
        };
        self.grids.clear();
        self.taken = 0;
        loop {
            self.go_on(&mut order);
            if self.sites.is_empty() {
                return;
            }
            self.find_answers(solver, recipe);
        }
    }

    /// Acts on the answers, and lets each site ask its next question. Other sites take the
    /// place of those that are done.
    fn go_on(&mut self, order: &mut Order<'_>) {
        let mut i = 0;
        let mut left = self.sites.len();
        while i < left {
            let asks = self.act_on_answer(i, order) || self.replace(i, order);
            if asks {
                i += 1;
            } else {
                // The last one takes its place, with its answer.
                left -= 1;
                self.sites.swap_remove(i);
                self.cells.swap_remove(i);
                self.strikes.swap_remove(i);
                self.counts[i] = self.counts[left];
                if let Some(solutions) = self.solutions.get(left) {
                    self.solutions[i] = *solutions;
                }
            }
        }
        // Rated puzzles wait for each other, and need more to do meanwhile.
        let most = if self.rater.is_some() {
            4 * SITES
        } else {
            SITES
        };
        while self.sites.len() < most {
            let Some(site) = self.begin(order) else {
                break;
            };
            self.cells.push(*site.grid());
            self.sites.push(site);
            self.strikes.push(None);
            let i = self.sites.len() - 1;
            if !(self.next_question(i, order) || self.replace(i, order)) {
                self.sites.pop();
                self.cells.pop();
                self.strikes.pop();
            }
        }
    }

    /// Acts on the answer for a site. Returns whether the site has another question.
    #[inline(always)]
    fn act_on_answer(&mut self, i: usize, order: &mut Order<'_>) -> bool {
        let (site, cells) = (&mut self.sites[i], &mut self.cells[i]);
        if site.is_rated {
            let answer = self.counts[i];
            if answer == WAITS {
                return true;
            }
            if answer == FITS && site.is_wanted(order.recipe, cells) {
                order.made[site.place] = Some(site.made(cells));
                return false;
            }
            if let Goal::Restored(clues) = &order.recipe.goal
                && answer != FITS
                && site.give_back(&self.plan, cells, answer == TOO_EASY, *clues.end())
            {
                return true;
            }
            let Some(again) = order.try_again(&self.plan, site) else {
                return false;
            };
            *site = again;
            *cells = *site.grid();
            return self.next_question(i, order);
        }
        // With its digit struck, the grid is not counted.
        if self.counts[i] == u64::from(self.strikes[i].is_none()) {
            site.drop_group();
        } else {
            let others = match (self.strikes[i], self.solutions.get(i)) {
                (None, Some(solutions)) => &solutions[..],
                _ => &[],
            };
            site.keep_group(&self.plan, others, cells);
        }
        self.next_question(i, order)
    }

    /// Lets a site put its next question. If it has none, notes what it made. Returns whether
    /// it has one.
    #[inline(always)]
    fn next_question(&mut self, i: usize, order: &mut Order<'_>) -> bool {
        let (site, cells) = (&mut self.sites[i], &mut self.cells[i]);
        loop {
            if site.next_group(&self.plan, cells) {
                self.strikes[i] = match site.only_cell(&self.plan) {
                    Some(cell) if !order.recipe.naked_singles => {
                        let digit = Digit::from_ascii(site.digit(cell)).expect("a digit");
                        Some(Strike { cell, digit })
                    }
                    _ => None,
                };
                return true;
            }
            // A puzzle to which clues may be given back has too few of them now, at most.
            let is_open = matches!(order.recipe.goal, Goal::Restored(_));
            let is_wanted = is_open || site.is_wanted(order.recipe, cells);
            if is_wanted && self.rater.is_some() {
                site.is_rated = true;
                self.strikes[i] = None;
                return true;
            }
            if is_wanted {
                order.made[site.place] = Some(site.made(cells));
                return false;
            }
            let Some(again) = order.try_again(&self.plan, site) else {
                return false;
            };
            *site = again;
            *cells = *site.grid();
        }
    }

    /// Begins a new site in the place of one that is done. Returns whether it has a question.
    fn replace(&mut self, i: usize, order: &mut Order<'_>) -> bool {
        while let Some(site) = self.begin(order) {
            self.cells[i] = *site.grid();
            self.sites[i] = site;
            if self.next_question(i, order) {
                return true;
            }
        }
        false
    }

    fn begin(&mut self, order: &mut Order<'_>) -> Option<Site> {
        while order.next < order.made.len() {
            if self.taken == self.grids.len() {
                let count = GRIDS.min(order.made.len() - order.next);
                self.grids.resize(count, [0; CELLS + 1]);
                let number = order.start + order.next as u64;
                order.grids.write_lines(number, &mut self.grids);
                self.taken = 0;
            }
            let (place, line) = (order.next, &self.grids[self.taken]);
            order.next += 1;
            self.taken += 1;
            // Points stand for a grid that was not given. No puzzle is made from it.
            if line[0] != BLANK {
                let grid = line.first_chunk().expect("81 of 82");
                let number = order.start + place as u64;
                return Some(Site::new(&self.plan, grid, order.seed, place, number, 0));
            }
        }
        None
    }

    /// Asks the solver all questions about clues, and the rater about puzzles that are done.
    fn find_answers(&mut self, solver: &mut Solver, recipe: &Recipe) {
        let mut digging = 0;
        for i in 0..self.sites.len() {
            if !self.sites[i].is_rated {
                self.sites.swap(i, digging);
                self.cells.swap(i, digging);
                self.strikes.swap(i, digging);
                digging += 1;
            }
        }
        let Self {
            cells,
            strikes,
            counts,
            solutions,
            ..
        } = self;
        counts.resize(cells.len(), 0);
        solutions.clear();
        let (cells, done) = cells.split_at(digging);
        let (counts, answers) = counts.split_at_mut(digging);
        let strikes = &strikes[..digging];
        if !recipe.unique {
            // Any answer will do: all clues can go.
            for (count, strike) in counts.iter_mut().zip(strikes) {
                *count = u64::from(strike.is_none());
            }
        } else if recipe.naked_singles {
            let solved = solver.singles_solve_cells(cells, Singles::Naked);
            for (count, solved) in counts.iter_mut().zip(solved) {
                *count = u64::from(solved);
            }
        } else {
            solutions.resize(cells.len(), [NO_SOLUTION; SOLUTIONS]);
            let limits = Limits {
                plain: SOLUTIONS as u64,
                struck: 1,
            };
            let lines = solutions.as_flattened_mut();
            solver.count_lines(cells, strikes, limits, lines, counts);
        }
        // The rater takes as long for ten puzzles as for hundreds: done ones wait until they are half of all.
        if done.len() < digging {
            answers.fill(WAITS);
        } else if let (Some(rater), Some(wanted)) = (&mut self.rater, &recipe.ratings) {
            rate(rater, done, wanted, recipe.needs, answers);
        }
    }
}

/// Compares the ratings of puzzles with those that are wanted.
fn rate(
    rater: &mut Rater,
    puzzles: &[[u8; CELLS]],
    wanted: &RangeInclusive<Rating>,
    needs: Option<Technique>,
    answers: &mut [u64],
) {
    let most = (*wanted.end()).min(Rating::IN_PLANES);
    // Ratings above 4.4 take long. They are not asked for where all of them are wanted, or none.
    let all_or_none = most == *wanted.end() || *wanted.end() == Rating::HARDEST;
    let begins_in_planes = *wanted.start() <= Rating::from_tenths(45);
    if needs.is_none() && all_or_none && begins_in_planes {
        for (answer, er) in answers.iter_mut().zip(rater.ers(puzzles, most)) {
            *answer = match er {
                Some(er) if er < *wanted.start() => TOO_EASY,
                Some(er) if er <= *wanted.end() => FITS,
                None if most < *wanted.end() => FITS,
                _ => TOO_HARD,
            };
        }
        return;
    }
    let mut answers = answers.iter_mut();
    rater.rate_cells(puzzles, |ratings| {
        let er = ratings.and_then(|ratings| ratings.er.ok_or(NotUnique::NoSolution));
        let technique = ratings.ok().and_then(|ratings| ratings.technique);
        *answers.next().expect("an answer for each puzzle") = match er {
            Ok(er) if er < *wanted.start() => TOO_EASY,
            Ok(er) if er > *wanted.end() => TOO_HARD,
            Ok(_) if needs.is_none() || technique == needs => FITS,
            // More clues may bring another technique.
            _ => TOO_HARD,
        };
    });
}

impl Order<'_> {
    /// Another try for the puzzle of a site, with another grid, if there is one.
    fn try_again(&self, plan: &Plan, site: &Site) -> Option<Site> {
        let (place, tries) = (site.place, site.tries + 1);
        let number = self.start + place as u64;
        let orders = if self.recipe.ratings.is_some() {
            ORDERS
        } else {
            1
        };
        let grid =
            (tries < MOST_TRIES * orders).then(|| super::grid(self.grids, number, tries))??;
        Some(Site::new(
            plan,
            grid.as_ascii(),
            self.seed,
            place,
            number,
            tries,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        generate::Uniform,
        grid::{Cell, Grid, Puzzle},
        puzzle::Symmetry,
        solve::Engine,
    };

    /// The rule in words: go through the orbits in the order of the site. Remove an orbit
    /// if it is not larger than the number of cells still to be removed, and if the
    /// remaining puzzle is still good.
    fn dig(
        grid: &Grid,
        site: &Site,
        orbits: &[Vec<Cell>],
        is_good: &mut dyn FnMut(&Puzzle) -> bool,
    ) -> Puzzle {
        let mut puzzle = Puzzle::from(*grid);
        for orbit in site.order(orbits.len()) {
            let orbit = &orbits[usize::from(orbit)];
            let mut fewer = puzzle;
            orbit.iter().for_each(|&cell| fewer.set(cell, None));
            let fits = CELLS - fewer.clue_count() <= site.wanted();
            if fits && is_good(&fewer) {
                puzzle = fewer;
            }
        }
        puzzle
    }

    #[test]
    fn groups_and_sets_change_nothing() {
        let mut recipes = vec![
            Recipe::clues(40..=42)
                .unwrap()
                .with_naked_singles()
                .unwrap(),
        ];
        for &symmetry in Symmetry::ALL {
            for recipe in [Recipe::minimal(), Recipe::clues(30..=33).unwrap()] {
                recipes.push(recipe.with_symmetry(symmetry).unwrap());
            }
        }
        let grids = Grids::Uniform(Uniform::seeded(5));
        let mut scalar = Solver::new().with_engine(Engine::Scalar);
        for recipe in recipes {
            let plan = Plan::new(&recipe);
            let mut made = vec![None; 60];
            Digging::new(&recipe).run(&mut Solver::new(), &grids, 3, &recipe, 0, &mut made);
            let mut first_tries = 0;
            for (number, made) in (0..).zip(made) {
                let grid = grids.grid(number).unwrap();
                let made = made.expect("made");
                if made.solution != grid {
                    continue;
                }
                first_tries += 1;
                let site = Site::new(&plan, grid.as_ascii(), 3, 0, number, 0);
                let naked = recipe.naked_singles;
                let dug = dig(
                    &grid,
                    &site,
                    &recipe.symmetry.orbits(),
                    &mut |puzzle| match naked {
                        true => Solver::new().singles_solve_batch(&[*puzzle], Singles::Naked)[0],
                        false => scalar.count(puzzle, 2) == 1,
                    },
                );
                assert_eq!(made.puzzle, dug, "{recipe:?}");
            }
            assert!(first_tries > 20, "{recipe:?}");
        }
    }
}
