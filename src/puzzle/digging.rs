//! Removes clues from thousands of grids at a time.
//!
//! ```text
//!     numbers --> sites: each has a grid, an order of its orbits and a place in it
//!                   |  ^
//!          questions|  |answers            each as soon as there is one
//!                   v  |
//!                  solver
//! ```
//!
//! A site puts its next question when it has the answer to the last one. When it is done, the next
//! number takes its place. So the solver always has something to do, until the numbers run out. Then puzzles that are
//! rated have several sites each: see [`tries`].

mod site;
mod tries;
mod unavoidable;

use super::{
    Goal, MOST_TRIES, Made, PathReader, Recipe, Refusal, climbing::has_depth, path::Verdict,
};
use crate::{
    generate::Grids,
    grid::{BLANK, CELLS, Candidate, Cell, Digit, GridLine, Puzzle},
    solve::{Interviewer, Limits, NotUniqueError, Questions, Singles, Solver},
    stop,
    technique::{Rater, Rating, Technique, Techniques},
};
pub(super) use site::order_of;
use site::{MOST_OTHERS, Plan, Site};
use std::ops::RangeInclusive;
use tries::Tries;
pub(crate) use unavoidable::UnavoidableSets;

/// The number of sites in work at a time: enough for the lanes of the widest level and those that wait
/// for one. More of them do not stay in the second-level cache.
const SITES: usize = 1536;

/// The number of sites in work when puzzles are rated.
const RATED_SITES: usize = 16_384;

/// The number of sites for few puzzles that are rated: further tries for these keep the lanes full.
const FEWEST_RATED_SITES: usize = 1_024;

/// In how many orders each grid is tried for a rating.
const ORDERS: u32 = 4;

/// In how many orders each grid is tried for conditions on the steps. Of minimal puzzles 35 in 10,000 have an X-wing as the first hard step: 800 tries
/// left out 6 % of the puzzles that were asked for, and 3,200 leave out one in 100,000.
const ORDERS_OF_PATHS: u32 = 16;

/// The number of grids that are made at a time.
const GRIDS: usize = 512;

/// Digging by one recipe, with its memory.
#[derive(Debug)]
pub(super) struct Digging {
    plan: Plan,
    sites: Vec<Site>,
    /// For each site its puzzle without the clues that it asks about, and if it asks about one clue,
    /// the digit of the clue in its cell.
    questions: Questions,
    /// The sites whose puzzle is done and is to be rated.
    done: Vec<u32>,
    /// The sites that have nothing more to do.
    idle: Vec<u32>,
    /// For each site how often the puzzle of its try was rated and did not fit, if puzzles are rated.
    site_misses: Vec<Misses>,
    /// Grids for new sites. Those before `taken` have been taken.
    grids: Vec<GridLine>,
    taken: usize,
    /// Rates puzzles that are done, if the recipe asks for ratings.
    rater: Option<Rater>,
    /// Reads the paths of those that have the rating, if the recipe asks for one.
    paths: PathReader,
    /// The rated puzzles of the last run that did not fit.
    pub(super) misses: Misses,
    /// The tries of each puzzle of the last run, where puzzles are rated.
    pub(super) tries: Vec<u32>,
    /// Finds their depths of trial and error, if it asks for these.
    trials: Option<Rater>,
}

/// The numbers of the puzzles that are dug.
#[derive(Clone, Copy, Debug)]
pub(super) enum Numbers<'a> {
    /// All numbers from one on.
    From(u64),
    /// Some numbers.
    These(&'a [u64]),
}

impl Numbers<'_> {
    fn at(self, place: usize) -> u64 {
        match self {
            Self::From(start) => start + place as u64,
            Self::These(numbers) => numbers[place],
        }
    }
}

struct Order<'a> {
    recipe: &'a Recipe,
    refusal: Option<&'a Refusal>,
    grids: &'a Grids,
    seed: u64,
    numbers: Numbers<'a>,
    made: &'a mut [Option<Made>],
    /// The place of the next one to be begun.
    next: usize,
    /// The tries, if puzzles are rated.
    tries: Option<Tries>,
}

/// The next action of a site.
enum Next {
    Asks,
    IsRated,
    Rests,
}

impl Digging {
    /// Returns true if fewer sites are at work than keep the lanes full.
    fn has_idle_lanes(&self) -> bool {
        2 * (self.sites.len() - self.idle.len()) < FEWEST_RATED_SITES
    }

    pub(super) fn new(recipe: &Recipe) -> Self {
        Self {
            plan: Plan::new(recipe),
            sites: Vec::new(),
            questions: Questions::default(),
            done: Vec::new(),
            idle: Vec::new(),
            site_misses: Vec::new(),
            grids: Vec::new(),
            taken: 0,
            // Nothing over the range is of use.
            rater: recipe
                .ratings
                .as_ref()
                .map(|range| Rater::new().with_max_rating(*range.end())),
            paths: PathReader::default(),
            misses: Misses::default(),
            tries: Vec::new(),
            trials: recipe.depths.as_ref().map(|_| Rater::new()),
        }
    }

    pub(super) fn run(
        &mut self,
        solver: &mut Solver,
        (grids, seed): (&Grids, u64),
        (recipe, refusal): (&Recipe, Option<&Refusal>),
        numbers: Numbers<'_>,
        made: &mut [Option<Made>],
    ) {
        made.fill(None);
        let order = Order {
            recipe,
            refusal,
            grids,
            seed,
            numbers,
            tries: (self.rater.is_some()).then(|| Tries::new(made.len(), most_tries(recipe))),
            made,
            next: 0,
        };
        self.grids.clear();
        self.taken = 0;
        self.idle.clear();
        self.site_misses.clear();
        self.misses = Misses::default();
        self.tries.clear();
        self.done.clear();
        let mut questions = std::mem::take(&mut self.questions);
        questions.cells.clear();
        questions.strikes.clear();
        self.sites.clear();
        let mut work = Work {
            digging: self,
            order,
        };
        let mut ask = work.begin_all(&mut questions);
        work.rate_done(&mut questions, &mut ask);
        work.answer_all(solver, ask, &mut questions);
        if let Some(tries) = work.order.tries {
            self.misses = tries.misses;
            self.tries.extend(tries.taken());
        }
        self.questions = questions;
    }
}

/// The sites at work on an order.
struct Work<'a> {
    digging: &'a mut Digging,
    order: Order<'a>,
}

impl Interviewer for Work<'_> {
    fn found(&mut self, place: usize, holds: &dyn Fn(Cell, Digit) -> bool) {
        self.digging.sites[place].found(&self.digging.plan, holds);
    }

    fn answered(
        &mut self,
        place: usize,
        count: u64,
        questions: &mut Questions,
        ask: &mut Vec<u32>,
    ) {
        let site = &mut self.digging.sites[place];
        // With its digit struck, the grid is not counted.
        if count == u64::from(questions.strikes[place].is_none()) {
            site.drop_group();
        } else {
            site.keep_group(&self.digging.plan, &mut questions.cells[place]);
        }
        let next = self.next_question(place, questions);
        self.go_on(place, next, questions, ask);
        // The rater takes as long for ten puzzles as for hundreds: done ones wait until they are half of all.
        if self.rating_is_due() {
            self.rate_done(questions, ask);
        }
    }
}

impl Work<'_> {
    /// Begins as many sites as there are places. Returns those that ask.
    fn begin_all(&mut self, questions: &mut Questions) -> Vec<u32> {
        // Rated puzzles wait for each other, and need more to do meanwhile.
        let most = if self.digging.rater.is_some() {
            RATED_SITES
        } else {
            SITES
        };
        let mut count = most.min(self.order.made.len());
        if self.digging.rater.is_some() {
            count = count.max(FEWEST_RATED_SITES);
            self.digging.site_misses.resize(count, Misses::default());
        }
        questions.cells.resize(count, [BLANK; CELLS]);
        questions.strikes.resize(count, None);
        let mut ask = Vec::with_capacity(count);
        while self.digging.sites.len() < count
            && let Some(site) = self.begin()
        {
            self.put(self.digging.sites.len(), site, questions, &mut ask);
        }
        ask
    }

    /// Puts a site into a place that has none, which is the next one, or one that rests.
    fn put(&mut self, place: usize, site: Site, questions: &mut Questions, ask: &mut Vec<u32>) {
        questions.cells[place] = *site.grid();
        match self.digging.sites.get_mut(place) {
            Some(resting) => *resting = site,
            None => self.digging.sites.push(site),
        }
        let next = self.next_question(place, questions);
        self.go_on(place, next, questions, ask);
    }

    /// Returns true if the puzzles that are done are to be rated.
    fn rating_is_due(&self) -> bool {
        let digging = &self.digging;
        2 * digging.done.len() >= digging.sites.len() - digging.idle.len()
    }

    /// Lets the solver answer all questions, and the rater rate what is done, until all sites rest.
    fn answer_all(&mut self, solver: &mut Solver, mut ask: Vec<u32>, questions: &mut Questions) {
        let recipe = self.order.recipe;
        if recipe.unique && !recipe.naked_singles {
            let limits = Limits {
                plain: MOST_OTHERS as u64,
                struck: 1,
            };
            solver.interview(questions, ask, limits, self);
            return;
        }
        while !ask.is_empty() {
            stop::check();
            let asked = std::mem::take(&mut ask);
            // Without the promise of one solution any answer will do: all clues can go.
            let mut solved = vec![true; asked.len()];
            if recipe.unique {
                let cells = asked.iter().map(|&place| questions.cells[place as usize]);
                solved = solver.singles_solve_cells(&cells.collect::<Vec<_>>(), Singles::Naked);
            }
            for (place, solved) in asked.into_iter().zip(solved) {
                let place = place as usize;
                let is_struck = questions.strikes[place].is_some();
                self.answered(place, u64::from(solved != is_struck), questions, &mut ask);
            }
        }
    }

    /// Does what a site does next. Other sites take the places of those that are done.
    #[inline(always)]
    fn go_on(
        &mut self,
        place: usize,
        mut next: Next,
        questions: &mut Questions,
        ask: &mut Vec<u32>,
    ) {
        loop {
            match next {
                Next::Asks => return ask.push(place as u32),
                Next::IsRated => return self.digging.done.push(place as u32),
                Next::Rests => {
                    let Some(site) = self.begin() else {
                        return self.digging.idle.push(place as u32);
                    };
                    questions.cells[place] = *site.grid();
                    self.digging.sites[place] = site;
                    next = self.next_question(place, questions);
                }
            }
        }
    }

    /// Lets a site put its next question. If it has none, notes what it made.
    #[inline(always)]
    fn next_question(&mut self, place: usize, questions: &mut Questions) -> Next {
        let Self { digging, order } = self;
        let (site, cells) = (&mut digging.sites[place], &mut questions.cells[place]);
        loop {
            if site.next_group(&digging.plan, cells) {
                questions.strikes[place] = match site.only_cell(&digging.plan) {
                    Some(cell) if !order.recipe.naked_singles => Some(Candidate {
                        cell,
                        digit: site.digit(cell),
                    }),
                    _ => None,
                };
                return Next::Asks;
            }
            // A puzzle to which clues may be given back has too few of them now, at most.
            let is_open = matches!(order.recipe.goal, Goal::Restored(_)) && site.is_open();
            let is_wanted = is_open || site.is_wanted(order.recipe, cells);
            if is_wanted && digging.rater.is_some() {
                return Next::IsRated;
            }
            if is_wanted && !order.refuses(&mut digging.trials, site, cells) {
                order.made[site.place] = Some(site.made(cells));
                return Next::Rests;
            }
            let misses = digging.site_misses.get_mut(place);
            let Some(again) = order.try_again(&digging.plan, site, misses, false) else {
                return Next::Rests;
            };
            *site = again;
            *cells = *site.grid();
        }
    }

    /// Rates the puzzles that are done, until fewer than half of the sites that are left wait for it.
    #[cold]
    fn rate_done(&mut self, questions: &mut Questions, ask: &mut Vec<u32>) {
        let recipe = self.order.recipe;
        let Some(wanted) = &recipe.ratings else {
            return;
        };
        while self.rating_is_due() {
            let done = std::mem::take(&mut self.digging.done);
            let Some(rater) = self.digging.rater.as_mut().filter(|_| !done.is_empty()) else {
                return;
            };
            let puzzles: Vec<_> = done
                .iter()
                .map(|&place| questions.cells[place as usize])
                .collect();
            let paths = &mut self.digging.paths;
            let fits = judge(rater, paths, (recipe, wanted), &puzzles);
            for (place, fit) in done.into_iter().zip(fits) {
                let place = place as usize;
                let wanted = self.digging.sites[place].place;
                let next = self.act_on_rating(place, fit, questions);
                self.go_on(place, next, questions, ask);
                self.try_beside(wanted, questions, ask);
            }
        }
    }

    /// Begins more tries for a puzzle in sites that no other puzzle wants.
    fn try_beside(&mut self, wanted: usize, questions: &mut Questions, ask: &mut Vec<u32>) {
        while self.order.next == self.order.made.len()
            && (self.order.tries.as_ref())
                .is_some_and(|tries| tries.wants_more(wanted, self.digging.has_idle_lanes()))
        {
            let Self { digging, order } = self;
            let resting = digging.idle.last().map(|&place| place as usize);
            let place = resting.unwrap_or(digging.sites.len());
            if place == questions.cells.len() {
                return;
            }
            let Some(site) = order.next_try(&digging.plan, wanted, 0) else {
                return;
            };
            digging.idle.pop();
            self.put(place, site, questions, ask);
        }
    }

    fn act_on_rating(&mut self, place: usize, fit: Fit, questions: &mut Questions) -> Next {
        let Self { digging, order } = self;
        digging.site_misses[place].note(fit);
        let (site, cells) = (&mut digging.sites[place], &mut questions.cells[place]);
        let tries = order.tries.as_ref();
        let counts = tries.is_none_or(|tries| tries.counts(site.place, site.tries));
        let fits = matches!(fit, Fit::Fits(_))
            && counts
            && site.is_wanted(order.recipe, cells)
            && !order.refuses(&mut digging.trials, site, cells);
        if let (Fit::Fits(hardest), true) = (fit, fits) {
            let made = site.made(cells);
            order.made[site.place] = Some(Made { hardest, ..made });
        } else if let Goal::Restored(clues) = &order.recipe.goal
            && counts
            && !matches!(fit, Fit::Fits(_))
            && site.give_back(&digging.plan, cells, fit == Fit::TooEasy, *clues.end())
        {
            return Next::IsRated;
        }
        let misses = digging.site_misses.get_mut(place);
        let Some(again) = order.try_again(&digging.plan, site, misses, fits) else {
            return Next::Rests;
        };
        *site = again;
        *cells = *site.grid();
        self.next_question(place, questions)
    }

    fn begin(&mut self) -> Option<Site> {
        let Self { digging, order } = self;
        while order.next < order.made.len() {
            if digging.taken == digging.grids.len() {
                let count = match order.numbers {
                    Numbers::From(_) => GRIDS.min(order.made.len() - order.next),
                    Numbers::These(_) => 1,
                };
                digging.grids.resize(count, [0; CELLS + 1]);
                let number = order.numbers.at(order.next);
                order.grids.write_lines(number, &mut digging.grids);
                digging.taken = 0;
            }
            let (place, line) = (order.next, &digging.grids[digging.taken]);
            order.next += 1;
            digging.taken += 1;
            // Points stand for a grid that was not given. No puzzle is made from it.
            if line[0] != BLANK {
                if let Some(tries) = &mut order.tries {
                    tries.begin(place);
                }
                let grid = line.first_chunk().expect("81 of 82");
                let number = order.numbers.at(place);
                return Some(Site::new(&digging.plan, grid, order.seed, place, number, 0));
            }
        }
        None
    }
}

/// The answer of the rater about a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    TooEasy,
    /// With the ER and its technique, where both are known: chains are not followed where all are wanted.
    Fits(Option<(Rating, Technique)>),
    /// It has the rating, and its path does not fulfil the conditions.
    OtherPath,
    TooHard,
}

/// The numbers of rated puzzles that did not fit. They are those of the puzzles that were asked for, whatever others
/// were made at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Misses {
    pub(crate) too_easy: u64,
    pub(crate) too_hard: u64,
    pub(crate) other_path: u64,
}

impl Misses {
    fn note(&mut self, fit: Fit) {
        match fit {
            Fit::TooEasy => self.too_easy += 1,
            Fit::TooHard => self.too_hard += 1,
            Fit::OtherPath => self.other_path += 1,
            Fit::Fits(_) => {}
        }
    }

    pub(super) fn add(&mut self, others: Self) {
        self.too_easy += others.too_easy;
        self.too_hard += others.too_hard;
        self.other_path += others.other_path;
    }
}

/// Compares the ratings and the paths of puzzles with those that a recipe asks for.
pub(super) fn judge(
    rater: &mut Rater,
    paths: &mut PathReader,
    (recipe, wanted): (&Recipe, &RangeInclusive<Rating>),
    puzzles: &[[u8; CELLS]],
) -> Vec<Fit> {
    let (wishes, hardest) = (&recipe.path, recipe.hardest);
    let mut fits = vec![Fit::OtherPath; puzzles.len()];
    let mut left: Vec<usize> = (0..puzzles.len()).collect();
    if wishes.is_empty() {
        rate(rater, puzzles, wanted, hardest, &mut fits);
        return fits;
    }
    let rate_left = |rater: &mut Rater, left: &mut Vec<usize>, fits: &mut [Fit]| {
        let cells: Vec<_> = left.iter().map(|&at| puzzles[at]).collect();
        let mut answers = vec![Fit::TooHard; cells.len()];
        rate(rater, &cells, wanted, hardest, &mut answers);
        for (&at, answer) in left.iter().zip(answers) {
            fits[at] = answer;
        }
        left.retain(|&at| matches!(fits[at], Fit::Fits(_)));
    };
    // Few puzzles have the wanted path. Its techniques are looked for first, if no rating above them is refused.
    let soon = wishes.soon();
    let is_first = soon.is_some_and(|most| *wanted.start() <= most)
        && *wanted.end() == Rating::HARDEST
        && hardest.is_empty();
    if !is_first {
        rate_left(rater, &mut left, &mut fits);
    }
    let mut is_open = vec![soon.is_none(); puzzles.len()];
    if let Some(most) = soon {
        let cells: Vec<_> = left.iter().map(|&at| puzzles[at]).collect();
        let mut found = rater.leading(&cells, most);
        left.retain(|&at| {
            let (er, leading) = found.next().expect("an answer for each puzzle");
            if er.is_some_and(|er| er < *wanted.start()) {
                fits[at] = Fit::TooEasy;
                return false;
            }
            let verdict = wishes.judge_leading(leading, most);
            is_open[at] = verdict == Verdict::Open;
            if verdict == Verdict::Fails {
                fits[at] = Fit::OtherPath;
            }
            verdict != Verdict::Fails
        });
    }
    if is_first {
        rate_left(rater, &mut left, &mut fits);
    }
    for at in left.into_iter().filter(|&at| is_open[at]) {
        if !paths.fulfils_soon(&Puzzle::with_blanks_for_others(&puzzles[at]), wishes) {
            fits[at] = Fit::OtherPath;
        }
    }
    fits
}

/// Compares the ratings of puzzles with those that are wanted.
fn rate(
    rater: &mut Rater,
    puzzles: &[[u8; CELLS]],
    wanted: &RangeInclusive<Rating>,
    hardest: Techniques,
    answers: &mut [Fit],
) {
    let most = (*wanted.end()).min(Rating::IN_PLANES);
    // Ratings above 4.4 take long. They are not asked for where all of them are wanted, or none.
    let all_or_none = most == *wanted.end() || *wanted.end() == Rating::HARDEST;
    let begins_in_planes = *wanted.start() <= Rating::from_tenths(45);
    let is_one = |technique| hardest.is_empty() || hardest.contains(technique);
    let is_known = hardest.is_empty() || *wanted.end() <= Rating::IN_PLANES;
    if is_known && all_or_none && begins_in_planes {
        for (answer, er) in answers.iter_mut().zip(rater.ers(puzzles, most)) {
            *answer = match er {
                Some(er) if er < *wanted.start() => Fit::TooEasy,
                Some(er) if er <= *wanted.end() => {
                    let technique = Technique::in_planes(er);
                    match technique.is_none_or(is_one) {
                        true => Fit::Fits(technique.map(|t| (er, t))),
                        // More clues may bring another technique.
                        false => Fit::TooHard,
                    }
                }
                None if most < *wanted.end() => Fit::Fits(None),
                _ => Fit::TooHard,
            };
        }
        return;
    }
    let mut answers = answers.iter_mut();
    rater.rate_cells(puzzles, |ratings| {
        let er = ratings.and_then(|ratings| ratings.er.ok_or(NotUniqueError::NoSolution));
        let technique = ratings.ok().and_then(|ratings| ratings.technique);
        *answers.next().expect("an answer for each puzzle") = match er {
            Ok(er) if er < *wanted.start() => Fit::TooEasy,
            Ok(er) if er > *wanted.end() => Fit::TooHard,
            Ok(er) if technique.is_none_or(is_one) => Fit::Fits(technique.map(|t| (er, t))),
            _ => Fit::TooHard,
        };
    });
}

/// Returns for each puzzle whether all of its clues are needed.
pub(super) fn are_minimal<'m>(
    solver: &mut Solver,
    made: impl Iterator<Item = &'m Made>,
) -> Vec<bool> {
    let (mut fewer, mut strikes, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for Made {
        puzzle, solution, ..
    } in made
    {
        let before = fewer.len();
        for cell in Cell::all().filter(|&cell| puzzle.get(cell).is_some()) {
            let mut without = *puzzle;
            without.set(cell, None);
            fewer.push(without);
            strikes.push(Candidate {
                cell,
                digit: solution.get(cell),
            });
        }
        counts.push(fewer.len() - before);
    }
    let mut others = solver.count_struck_batch(&fewer, &strikes, 1).into_iter();
    let is_minimal = |clues| {
        !others
            .by_ref()
            .take(clues)
            .fold(false, |any, count| any | (count == 0))
    };
    counts.into_iter().map(is_minimal).collect()
}

/// The number of tries for a puzzle, at most.
fn most_tries(recipe: &Recipe) -> u32 {
    let orders = match recipe {
        recipe if !recipe.path.is_empty() => ORDERS_OF_PATHS,
        recipe if recipe.ratings.is_some() => ORDERS,
        _ => 1,
    };
    MOST_TRIES * orders
}

impl Order<'_> {
    /// Returns true if a puzzle that fits the recipe is refused, or has another depth of trial and error.
    #[inline(always)]
    fn refuses(&self, trials: &mut Option<Rater>, site: &Site, cells: &[u8; CELLS]) -> bool {
        /// Apart, so that the loop of those that refuse nothing stays as short as it was.
        #[cold]
        #[inline(never)]
        fn ask(
            order: &Order<'_>,
            trials: &mut Option<Rater>,
            site: &Site,
            cells: &[u8; CELLS],
        ) -> bool {
            let made = site.made(cells);
            let depths = order.recipe.depths.as_ref().zip(trials.as_mut());
            depths.is_some_and(|(range, trials)| !has_depth(trials, range, &made))
                || order.refusal.is_some_and(|refusal| refusal.refuses(&made))
        }
        (self.refusal.is_some() || trials.is_some()) && ask(self, trials, site, cells)
    }

    /// Ends the try of a site. Returns another one for its puzzle, with another grid, if that is of use. A puzzle that is
    /// rated has misses, and the next try begins without any.
    fn try_again(
        &mut self,
        plan: &Plan,
        site: &Site,
        misses: Option<&mut Misses>,
        fits: bool,
    ) -> Option<Site> {
        if let (Some(tries), Some(misses)) = (&mut self.tries, misses) {
            tries.end(site.place, site.tries, std::mem::take(misses), fits);
        }
        self.next_try(plan, site.place, site.tries + 1)
    }

    /// The next try for a puzzle, if there is one. `after` is its number for a puzzle that is not rated: it has one try after
    /// the other.
    fn next_try(&mut self, plan: &Plan, place: usize, after: u32) -> Option<Site> {
        let number = self.numbers.at(place);
        let tries = match &mut self.tries {
            Some(tries) => tries.begin(place)?,
            None => Some(after).filter(|after| *after < most_tries(self.recipe))?,
        };
        let grid = super::grid(self.grids, number, tries)?;
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
    use crate::{generate::Grids, grid::Grid, puzzle::Symmetry, solve::Engine};
    use sudoku_batch_test_support::{cases, has_turn};

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
        // By default each symmetry has one of the two.
        for (row, &symmetry) in Symmetry::ALL.iter().enumerate() {
            let kinds = [Recipe::minimal(), Recipe::clues(30..=33).unwrap()];
            for (column, recipe) in kinds.into_iter().enumerate() {
                if !has_turn(row + column, 2) {
                    continue;
                }
                recipes.push(recipe.with_symmetry(symmetry).unwrap());
            }
        }
        let grids = Grids::uniform(5);
        let mut scalar = Solver::new().with_engine(Engine::Scalar);
        for recipe in recipes {
            let plan = Plan::new(&recipe);
            // The sources run unoptimised here: 4 of each recipe show a rule that is not held, and more of them
            // one that few grids break.
            let mut made = vec![None; cases(4)];
            let wanted = (&recipe, None);
            Digging::new(&recipe).run(
                &mut Solver::new(),
                (&grids, 3),
                wanted,
                Numbers::From(0),
                &mut made,
            );
            let (mut first_tries, made_of) = (0, made.len());
            for (number, made) in (0..).zip(made) {
                let grid = grids.grid(number).unwrap();
                let made = made.expect("made");
                if made.solution != grid {
                    continue;
                }
                first_tries += 1;
                let site = Site::new(&plan, grid.as_ascii(), 3, 0, number, 0);
                let naked = recipe.naked_singles;
                let dug = dig(&grid, &site, &recipe.symmetry.orbits(), &mut |puzzle| {
                    if naked {
                        Solver::new().naked_singles_solve_batch(&[*puzzle])[0]
                    } else {
                        scalar.count(puzzle, 2) == 1
                    }
                });
                assert_eq!(made.puzzle, dug, "{recipe:?}");
            }
            assert!(3 * first_tries > made_of, "{recipe:?}");
        }
    }
}
