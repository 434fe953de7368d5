//! Hard puzzles, by climbing from neighbour to neighbour.
//!
//! Of 200,000 minimal puzzles that digging makes, none is rated 9.0 or more. But a neighbour of a hard puzzle is often
//! hard, and sometimes harder. (The players of the New Sudoku Players' Forum find their hardest puzzles so.) So a climb
//! begins at a minimal puzzle and goes from one to the next. A step takes out a clue that chance chooses, and finds all
//! minimal puzzles that come from another clue in its place:
//!
//! ```text
//!     dig a minimal puzzle --> by suppositions --> by rating --> what is wanted
//!          ^                                           |
//!          +------------- no better for long ----------+
//! ```
//!
//! 1. *By suppositions.* Each false candidate that singles leave is supposed, and closed by singles: see
//!    [`Closures`]. A supposition that ends in a contradiction is a simple way on. So a puzzle is worth the number
//!    of suppositions that do not fail, less that of those that fail. A neighbour that is worth as much or more is taken.
//!    That takes some tenths of a millisecond, and leads from ratings around 7 to around 9.
//! 2. *By rating.* The neighbours that are worth most are rated. One with the same ER or a higher one is taken.
//!
//! The number of suppositions that fail alone leads to puzzles with few candidates: 58 climbs of 100 steps without a
//! better one ended at ratings of 2.0 to 6.7, but for one of 8.4 and one of 8.9.
//!
//! From 9.5 on, and from depth 2 of trial and error, such a climb leads nowhere: see [`families`].
//!
//! Puzzle i depends on the seed, the recipe and i alone: each attempt has random words of its own. Attempts end after
//! [`MOST_ATTEMPTS`], and then the nearest that was seen is told.

mod families;
mod suppositions;

use super::{
    Goal, Made, PathReader, Recipe, Refusal, Symmetry,
    digging::{Digging, Numbers},
    pattern::beginning_with,
    vicinity::Vicinity,
};
use crate::{
    generate::{Grids, Source},
    grid::{CELLS, Cell, Grid, Puzzle},
    order,
    random::{Words, below},
    solve::Solver,
    stop,
    technique::{Rater, Rating, TrialDepth},
};
pub(super) use families::FAMILY;
use families::Families;
use std::{cmp::Reverse, ops::RangeInclusive};
use suppositions::Suppositions;

/// The rating from which on puzzles are climbed to.
pub(super) const HARD: Rating = Rating::from_tenths(90);

/// The most clues of a minimal puzzle that a climb begins with.
const MOST_CLUES: usize = 27;

/// The number of climbs for a puzzle, at most.
const MOST_ATTEMPTS: u32 = 40;

/// The steps without a better puzzle after which suppositions, and then ratings, lead no further.
const PATIENCE: [u32; 2] = [100, 100];

/// The most neighbours that are compared in a step by suppositions, and that are rated in a step by rating.
const COMPARED: usize = 8;
const RATED: usize = 3;

/// The work after which a rating is given up. Puzzles up to 10.9 take far less.
const MOST_WORK: u64 = 4_000_000;

/// The streams of random words of climbs, one for each attempt. No grid and no order takes words of these.
const CLIMBS: u32 = 1 << 23;

/// Climbs by one recipe, with its memory.
pub(super) struct Climbing {
    start: Recipe,
    judge: Judge,
    suppositions: Suppositions,
    vicinity: Vicinity,
    /// The families, if the puzzles come in such.
    families: Option<Families>,
    nearest: Option<Nearest>,
}

/// Says which puzzles are wanted.
struct Judge {
    rater: Rater,
    /// Reads the paths of those that have the rating, if the recipe asks for one.
    paths: PathReader,
}

/// The nearest of those that are not what is wanted: how far it is in tenths, the number that it was made for, and itself.
#[derive(Clone, Debug)]
pub(crate) struct Nearest {
    distance: u8,
    number: u64,
    /// The puzzle.
    pub(crate) puzzle: Puzzle,
    /// Its rating.
    pub(crate) er: Rating,
}

impl Nearest {
    /// Returns true if it is nearer than another. Of two that are as near it is the one for the lower number.
    fn is_before(&self, other: &Self) -> bool {
        (self.distance, self.number) < (other.distance, other.number)
    }

    /// Puts it in the place of one that it is before, or of none.
    pub(crate) fn note_in(self, nearest: &mut Option<Self>) {
        if nearest.as_ref().is_none_or(|before| self.is_before(before)) {
            *nearest = Some(self);
        }
    }
}

impl std::fmt::Debug for Climbing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Climbing").finish_non_exhaustive()
    }
}

/// The recipe for the puzzles that a climb begins with, if a recipe asks for hard puzzles and no wish stands against a
/// climb: neighbours have other solutions, and clues in other cells.
pub(super) fn start(recipe: &Recipe, grids: &Grids) -> Option<Recipe> {
    let is_hard = recipe
        .ratings
        .as_ref()
        .is_some_and(|range| *range.start() >= HARD)
        || recipe
            .depths
            .as_ref()
            .is_some_and(|range| *range.start() >= TrialDepth::Two)
            && (recipe.ratings.as_ref()).is_none_or(|range| *range.end() >= HARD);
    let is_free = recipe.is_unique()
        && !recipe.naked_singles
        && recipe.pattern.is_none()
        && recipe.symmetry == Symmetry::None
        && recipe.quotas.are_open()
        && matches!(grids.source, Source::Uniform(_));
    let clues = match &recipe.goal {
        Goal::Minimal(clues) | Goal::Restored(clues) => clues.clone(),
        Goal::Blanks(blanks) => match blanks[..] {
            [blanks] => CELLS - usize::from(blanks)..=CELLS - usize::from(blanks),
            _ => return None,
        },
    };
    let climbs = is_hard && is_free && *clues.start() <= MOST_CLUES;
    climbs.then(|| Recipe::of(Goal::Minimal(clues)))
}

/// Returns true if the puzzles that are climbed to come in families: those of 9.5 and more, and of depth 2 and more.
pub(super) fn comes_in_families(recipe: &Recipe) -> bool {
    let ratings = recipe.ratings.as_ref();
    let depths = recipe.depths.as_ref();
    ratings.is_some_and(|range| *range.start() >= families::LEAST)
        || depths.is_some_and(|range| *range.start() >= TrialDepth::Two)
}

/// The puzzles that are wanted.
pub(super) struct Order<'a> {
    pub(super) recipe: &'a Recipe,
    pub(super) refusal: Option<&'a Refusal>,
    pub(super) grids: &'a Grids,
    pub(super) seed: u64,
}

/// A puzzle with its solution.
type Solved = (Puzzle, Grid);

impl Climbing {
    /// The climbing of a recipe from these grids, if it is climbed to.
    pub(super) fn of(recipe: &Recipe, grids: &Grids) -> Option<Self> {
        let start = start(recipe, grids)?;
        let most = recipe
            .ratings
            .as_ref()
            .map_or(Rating::HARDEST, |range| *range.end());
        let is_family = comes_in_families(recipe);
        // Families come from puzzles beyond the range too.
        let most = if is_family { Rating::HARDEST } else { most };
        Some(Self {
            start,
            judge: Judge {
                rater: Rater::new().with_max_rating(most).with_max_work(MOST_WORK),
                paths: PathReader::default(),
            },
            suppositions: Suppositions::default(),
            vicinity: Vicinity::new(0, 1, true),
            families: is_family.then(Families::default),
            nearest: None,
        })
    }

    /// Takes the nearest of the puzzles that were not made since the last call.
    pub(super) fn take_nearest(&mut self) -> Option<Nearest> {
        self.nearest.take()
    }

    /// Makes the puzzle of a number.
    pub(super) fn make(
        &mut self,
        solver: &mut Solver,
        order: &Order<'_>,
        number: u64,
    ) -> Option<Made> {
        let mut nearest = None;
        let made = match &mut self.families {
            Some(_) => self.member(solver, order, number, &mut nearest),
            None => self.climb(solver, order, number, &mut nearest),
        };
        if made.is_none()
            && let Some(nearest) = nearest
        {
            nearest.note_in(&mut self.nearest);
        }
        made
    }

    /// The puzzle of a number in its family.
    fn member(
        &mut self,
        solver: &mut Solver,
        order: &Order<'_>,
        number: u64,
        nearest: &mut Option<Nearest>,
    ) -> Option<Made> {
        let Self {
            start,
            judge,
            suppositions,
            families,
            ..
        } = self;
        let mut tools = families::Tools {
            start,
            judge,
            suppositions,
            solver,
        };
        families
            .as_mut()?
            .member(&mut tools, order, number, nearest)
    }

    /// Climbs to the puzzle of a number.
    fn climb(
        &mut self,
        solver: &mut Solver,
        order: &Order<'_>,
        number: u64,
        nearest: &mut Option<Nearest>,
    ) -> Option<Made> {
        for attempt in 0..MOST_ATTEMPTS {
            let mut words = Words::of_stream(order.seed, number, CLIMBS + attempt);
            let mut made = [None];
            let starts = (order.grids, words.next());
            let wanted = (&self.start, None);
            let numbers = Numbers::From(number);
            Digging::new(&self.start).run(solver, starts, wanted, numbers, &mut made);
            let Some(Made {
                puzzle, solution, ..
            }) = made[0]
            else {
                continue;
            };
            let start = self.climb_by_suppositions(&mut words, order, (puzzle, solution));
            let made = self.climb_by_rating(&mut words, order, number, start, nearest);
            if made.is_some() {
                return made;
            }
        }
        None
    }

    /// Takes neighbours in which no fewer suppositions hold out.
    fn climb_by_suppositions(
        &mut self,
        words: &mut Words,
        order: &Order<'_>,
        start: Solved,
    ) -> Solved {
        let mut current = start;
        let mut worth = self.suppositions.worths(&[start])[0];
        let mut since = 0;
        while since < PATIENCE[0] {
            since += 1;
            let near = self.neighbours(words, order, &current.0, COMPARED);
            let worths = self.suppositions.worths(&near);
            let best = (0..near.len()).max_by_key(|&at| worths[at]);
            if let Some(at) = best.filter(|&at| worths[at] >= worth) {
                if worths[at] > worth {
                    since = 0;
                }
                (current, worth) = (near[at], worths[at]);
            }
        }
        current
    }

    /// Takes neighbours that are rated no lower, until one is what is wanted.
    fn climb_by_rating(
        &mut self,
        words: &mut Words,
        order: &Order<'_>,
        number: u64,
        start: Solved,
        nearest: &mut Option<Nearest>,
    ) -> Option<Made> {
        let (mut current, mut er) = (start, Rating::NONE);
        let mut near = vec![start];
        let mut since = 0;
        loop {
            let puzzles: Vec<_> = near.iter().map(|(puzzle, _)| *puzzle).collect();
            let ratings = self.judge.rater.rate_batch(&puzzles);
            let mut is_better = false;
            for (&(puzzle, solution), ratings) in near.iter().zip(ratings) {
                // Beyond the range, given up, or without one solution by another reason.
                let Some((found, technique)) = ratings
                    .ok()
                    .filter(|ratings| !ratings.gave_up)
                    .and_then(|ratings| ratings.er.zip(ratings.technique))
                else {
                    continue;
                };
                let made = Made {
                    puzzle,
                    solution,
                    hardest: Some((found, technique)),
                    weight: None,
                };
                if found >= er && self.judge.is_wanted(order, &made) {
                    return Some(made);
                }
                let next = Nearest {
                    distance: distance(order.recipe.ratings.as_ref(), found),
                    number,
                    puzzle,
                    er: found,
                };
                next.note_in(nearest);
                if found >= er {
                    is_better |= found > er;
                    (current, er) = ((puzzle, solution), found);
                }
            }
            since = if is_better { 0 } else { since + 1 };
            if since > PATIENCE[1] {
                return None;
            }
            near = self.neighbours(words, order, &current.0, usize::MAX);
            let worths = self.suppositions.worths(&near);
            let mut best: Vec<_> = (0..near.len()).collect();
            order::sort_by_key(&mut best, |&at| Reverse(worths[at]));
            near = best.into_iter().take(RATED).map(|at| near[at]).collect();
        }
    }

    /// The minimal puzzles with one other clue in place of one that chance chooses: this number at most, which chance
    /// chooses too.
    fn neighbours(
        &mut self,
        words: &mut Words,
        order: &Order<'_>,
        puzzle: &Puzzle,
        most: usize,
    ) -> Vec<Solved> {
        stop::check();
        let clues: Vec<_> = Cell::all()
            .filter(|&cell| puzzle.get(cell).is_some())
            .collect();
        let mut rest = *puzzle;
        rest.set(clues[draw(words, clues.len())], None);
        self.vicinity.begin([(0, rest, u64::MAX)]);
        let near = self.vicinity.by_ref().filter(|near| near.puzzle != *puzzle);
        let first_digit = order.grids.first_digit();
        let mut near: Vec<_> = near
            .map(|near| match first_digit {
                Some(digit) => beginning_with(digit, &near.puzzle, &near.solution),
                None => (near.puzzle, near.solution),
            })
            .collect();
        for at in 0..near.len().min(most) {
            let other = at + draw(words, near.len() - at);
            near.swap(at, other);
        }
        near.truncate(most);
        near
    }
}

impl Judge {
    /// Returns true if a puzzle has all that is wanted.
    fn is_wanted(&mut self, order: &Order<'_>, made: &Made) -> bool {
        let recipe = order.recipe;
        let Some((er, technique)) = made.hardest else {
            return false;
        };
        let is_rated = recipe
            .ratings
            .as_ref()
            .is_none_or(|range| range.contains(&er))
            && (recipe.hardest.is_empty() || recipe.hardest.contains(technique));
        is_rated
            && recipe.has_guesses(&made.puzzle)
            && (recipe.path.is_empty() || self.paths.fulfils_soon(made.puzzle, &recipe.path))
            && (recipe.depths.as_ref()).is_none_or(|range| has_depth(&mut self.rater, range, made))
            && order.refusal.is_none_or(|refusal| !refusal.refuses(made))
    }
}

/// Returns true if the depth of trial and error of a puzzle is in a range.
pub(super) fn has_depth(
    rater: &mut Rater,
    range: &RangeInclusive<TrialDepth>,
    made: &Made,
) -> bool {
    let depths = rater.trial_depths(&[made.puzzle]);
    depths[0].is_ok_and(|depth| range.contains(&depth))
}

/// How many tenths a rating is from a range.
fn distance(range: Option<&RangeInclusive<Rating>>, er: Rating) -> u8 {
    let range = range.cloned().unwrap_or(Rating::HARDEST..=Rating::HARDEST);
    let below = range.start().tenths().saturating_sub(er.tenths());
    below.max(er.tenths().saturating_sub(range.end().tenths()))
}

/// A number under `range`, each as likely as the others.
pub(super) fn draw(words: &mut Words, range: usize) -> usize {
    loop {
        if let Some(number) = below(range as u64, words.next()) {
            return number as usize;
        }
    }
}
