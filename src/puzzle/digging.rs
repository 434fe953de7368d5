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
    solve::{Limits, NO_SOLUTION, Singles, Solver, Strike},
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
    /// For each site how many solutions were found.
    counts: Vec<u64>,
    /// For each site some of these solutions, if the solver gives them.
    solutions: Vec<[GridLine; SOLUTIONS]>,
    /// Grids for new sites. Those before `taken` have been taken.
    grids: Vec<GridLine>,
    taken: usize,
    /// Rates puzzles that are done, if the recipe asks for ratings. The others are its memory.
    rater: Option<Rater>,
    rated: Vec<[u8; CELLS]>,
    rated_sites: Vec<u32>,
}

/// The puzzles to make.
struct Order<'a> {
    recipe: &'a Recipe,
    grids: &'a Grids,
    seed: u64,
    /// The number of the first.
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
            rater: match &recipe.goal {
                Goal::Rating(range) => Some(Rater::new().up_to(*range.end())),
                _ => None,
            },
            rated: Vec::new(),
            rated_sites: Vec::new(),
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
        while self.sites.len() < SITES {
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
            if self.counts[i] == 1 {
                order.made[site.place] = Some(site.made(cells));
                return false;
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
                    Some(cell) if !matches!(order.recipe.goal, Goal::NakedSingles(_)) => {
                        let digit = Digit::from_ascii(site.digit(cell)).expect("a digit");
                        Some(Strike { cell, digit })
                    }
                    _ => None,
                };
                return true;
            }
            if self.rater.is_some() {
                site.is_rated = true;
                self.strikes[i] = None;
                return true;
            }
            if site.is_wanted(order.recipe, cells) {
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

    /// Begins the next site.
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

    /// Asks the solver all questions.
    fn find_answers(&mut self, solver: &mut Solver, recipe: &Recipe) {
        let Self {
            cells,
            strikes,
            counts,
            solutions,
            ..
        } = self;
        counts.resize(cells.len(), 0);
        solutions.clear();
        if !recipe.unique {
            // Any answer will do: all clues can go.
            for (count, strike) in counts.iter_mut().zip(strikes) {
                *count = u64::from(strike.is_none());
            }
        } else if matches!(recipe.goal, Goal::NakedSingles(_)) {
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
        if let Goal::Rating(range) = &recipe.goal {
            self.find_ratings(range, recipe.needs);
        }
    }

    /// Rates the puzzles that are done. The answer is 1 for a rating in the range and the technique
    /// that is needed, and 0 for any other. (It takes the place of the count of solutions, which is 1.)
    fn find_ratings(&mut self, range: &RangeInclusive<Rating>, needs: Option<Technique>) {
        self.rated.clear();
        self.rated_sites.clear();
        for (i, site) in (0..).zip(&self.sites) {
            if site.is_rated {
                self.rated.push(self.cells[i as usize]);
                self.rated_sites.push(i);
            }
        }
        let rater = self.rater.as_mut().expect("made for this goal");
        let mut sites = self.rated_sites.iter();
        rater.rate_cells(&self.rated, |ratings| {
            let fits = ratings.is_ok_and(|ratings| {
                let has_technique = needs.is_none() || ratings.technique == needs;
                ratings.er.is_some_and(|er| range.contains(&er)) && has_technique
            });
            let site = *sites.next().expect("a site for each puzzle");
            self.counts[site as usize] = u64::from(fits);
        });
    }
}

impl Order<'_> {
    /// Another try for the puzzle of a site, with another grid, if there is one.
    fn try_again(&self, plan: &Plan, site: &Site) -> Option<Site> {
        let (place, tries) = (site.place, site.tries + 1);
        let number = self.start + place as u64;
        let grid = (tries < MOST_TRIES).then(|| super::grid(self.grids, number, tries))??;
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
        puzzle::{Difficulty, Symmetry},
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
        let mut recipes = vec![Recipe::difficulty(Difficulty::Hard)];
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
                let naked = matches!(recipe.goal, Goal::NakedSingles(_));
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
