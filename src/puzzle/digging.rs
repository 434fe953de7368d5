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
    solve::{NO_SOLUTION, Singles, Solver, Strike},
};
use site::{Plan, Site};

/// The number of sites in work at a time.
const SITES: usize = 8192;

/// Digging by one recipe, with its memory.
#[derive(Debug)]
pub(super) struct Digging {
    plan: Plan,
    sites: Vec<Site>,
    /// The answer for each site.
    answers: Vec<Answer>,
    /// Grids for new sites.
    lines: Vec<GridLine>,
    /// The questions of a round about one clue. `strikes` holds the digit to strike for
    /// each.
    ones: Questions,
    strikes: Vec<Strike>,
    /// The questions about several clues.
    several: Questions,
}

/// The questions of a round: the puzzles, the site of each, the number of solutions of
/// each, and some of these solutions.
#[derive(Debug, Default)]
struct Questions {
    cells: Vec<[u8; CELLS]>,
    sites: Vec<u32>,
    counts: Vec<u64>,
    lines: Vec<GridLine>,
}

/// The answer that a site gets in a round.
#[derive(Clone, Copy, Debug)]
enum Answer {
    /// The site has not asked.
    None,
    /// The clues can go.
    Yes,
    /// They cannot all go.
    No,
    /// They cannot all go. The solutions with this number and the next prove it.
    Solutions(usize),
}

impl Questions {
    fn clear(&mut self) {
        self.cells.clear();
        self.sites.clear();
    }

    /// Counts the solutions of all puzzles up to `limit`, and keeps `kept` solutions of
    /// each.
    fn count(&mut self, solver: &mut Solver, strikes: &[Strike], limit: u64, kept: usize) {
        // The solver overwrites the fill values.
        self.counts.resize(self.cells.len(), 0);
        self.lines.resize(kept * self.cells.len(), NO_SOLUTION);
        let (lines, counts) = (&mut self.lines, &mut self.counts);
        solver.count_lines(&self.cells, strikes, limit, lines, counts);
    }
}

impl Digging {
    pub(super) fn new(recipe: &Recipe) -> Self {
        Self {
            plan: Plan::new(recipe),
            sites: Vec::new(),
            answers: Vec::new(),
            lines: Vec::new(),
            ones: Questions::default(),
            strikes: Vec::new(),
            several: Questions::default(),
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
        let mut next = 0;
        loop {
            let count = (SITES - self.sites.len()).min(made.len() - next);
            self.begin(grids, seed, start, next, count);
            next += count;
            if self.sites.is_empty() {
                return;
            }
            self.ask(grids, seed, recipe, start, made);
            self.find_answers(solver, recipe);
        }
    }

    /// Acts on the answers, and lets each site ask its next question. Removes the sites
    /// that are done.
    fn ask(
        &mut self,
        grids: &Grids,
        seed: u64,
        recipe: &Recipe,
        start: u64,
        made: &mut [Option<Made>],
    ) {
        let mut i = 0;
        // These solutions belong to the questions of the round before.
        let solutions = std::mem::take(&mut self.several.lines);
        self.ones.clear();
        self.several.clear();
        self.strikes.clear();
        while let Some(site) = self.sites.get_mut(i) {
            match std::mem::replace(&mut self.answers[i], Answer::None) {
                Answer::None => {}
                Answer::Yes => site.drop_group(&self.plan),
                Answer::No => site.keep_group(&self.plan, None),
                Answer::Solutions(first) => {
                    let other = solutions[first..first + 2]
                        .iter()
                        .find(|line| site.differs(line));
                    site.keep_group(&self.plan, other.and_then(|line| line.first_chunk()));
                }
            }
            if site.next_group(&self.plan) {
                self.put_question(i, recipe);
                i += 1;
            } else if site.is_wanted(recipe) {
                made[site.place] = Some(site.made());
                self.leave(i);
            } else if !self.try_again(i, grids, seed, start) {
                self.leave(i);
            }
        }
        self.several.lines = solutions;
    }

    fn leave(&mut self, i: usize) {
        self.sites.swap_remove(i);
        self.answers.swap_remove(i);
    }

    /// Begins new sites for the places from `next` on.
    fn begin(&mut self, grids: &Grids, seed: u64, start: u64, next: usize, count: usize) {
        self.lines
            .resize(count.max(self.lines.len()), [0; CELLS + 1]);
        let lines = &mut self.lines[..count];
        grids.write_lines(start + next as u64, lines);
        for (place, line) in (next..).zip(lines) {
            // Points stand for a grid that was not given. No puzzle is made from it.
            if line[0] != BLANK {
                let grid = line.first_chunk().expect("81 of 82");
                let number = start + place as u64;
                self.sites
                    .push(Site::new(&self.plan, grid, seed, place, number, 0));
                self.answers.push(Answer::None);
            }
        }
    }

    /// Restarts a site with another grid. Returns whether there is one.
    fn try_again(&mut self, i: usize, grids: &Grids, seed: u64, start: u64) -> bool {
        let (place, tries) = (self.sites[i].place, self.sites[i].tries + 1);
        let number = start + place as u64;
        let grid = (tries < MOST_TRIES).then(|| super::grid(grids, number, tries));
        let Some(grid) = grid.flatten() else {
            return false;
        };
        self.sites[i] = Site::new(&self.plan, grid.as_ascii(), seed, place, number, tries);
        true
    }

    /// Adds the question of a site.
    fn put_question(&mut self, i: usize, recipe: &Recipe) {
        let site = &self.sites[i];
        let questions = match site.only_cell(&self.plan) {
            Some(cell) if !matches!(recipe.goal, Goal::NakedSingles(_)) => {
                let digit = Digit::from_ascii(site.digit(cell)).expect("a digit");
                self.strikes.push(Strike { cell, digit });
                &mut self.ones
            }
            _ => &mut self.several,
        };
        questions.cells.push(site.cells);
        questions.sites.push(i as u32);
    }

    /// Asks the solver all questions.
    fn find_answers(&mut self, solver: &mut Solver, recipe: &Recipe) {
        let Self {
            answers,
            ones,
            strikes,
            several,
            ..
        } = self;
        let mut answer = |site: u32, answer| answers[site as usize] = answer;
        let yes_or_no = |yes| if yes { Answer::Yes } else { Answer::No };
        if !recipe.unique {
            let all = ones.sites.iter().chain(&several.sites);
            all.for_each(|&site| answer(site, Answer::Yes));
        } else if matches!(recipe.goal, Goal::NakedSingles(_)) {
            let solved = solver.singles_solve_cells(&several.cells, Singles::Naked);
            let all = several.sites.iter().zip(solved);
            all.for_each(|(&site, solved)| answer(site, yes_or_no(solved)));
        } else {
            // The grid is a solution too, but it is not counted because its digit is
            // struck.
            ones.count(solver, strikes, 1, 0);
            let all = ones.sites.iter().zip(&ones.counts);
            all.for_each(|(&site, &others)| answer(site, yes_or_no(others == 0)));
            several.count(solver, &[], 2, 2);
            let all = several.sites.iter().zip(&several.counts);
            for (i, (&site, &solutions)) in all.enumerate() {
                answer(
                    site,
                    match solutions {
                        1 => Answer::Yes,
                        _ => Answer::Solutions(2 * i),
                    },
                );
            }
        }
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
