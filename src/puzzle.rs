//! Puzzles from grids: [`PuzzlesSettings`](crate::questions::PuzzlesSettings) asks for minimal puzzles, for puzzles with a
//! given number of blanks, and for puzzles of a difficulty or a rating, and its
//! [set](crate::questions::PuzzlesSettings::set) makes them. [`minimal_puzzles`] lists the minimal puzzles inside a puzzle,
//! and [`neighbours`] those near it. Each puzzle comes with its solution. Each is proven to have no other solution,
//! unless the settings drop that promise.
//!
//! ```
//! use sudoku_batch::{Solver, questions::PuzzlesSettings};
//! let set = PuzzlesSettings { seed: 7, ..PuzzlesSettings::default() }.set()?;
//! for (puzzle, solution) in set.iter(1000..1010).flatten() {
//!     assert!(solution.is_solution_of(&puzzle));
//!     assert_eq!(Solver::new().count(&puzzle, 2), 1);
//! }
//! # Ok::<(), sudoku_batch::questions::SettingError>(())
//! ```
//!
//! # Digging
//!
//! The maker removes clues in random order as long as one solution remains. It asks the solver
//! about hundreds of puzzles at a time. Each puzzle is at its own place in its order:
//!
//! ```text
//!     order of a puzzle     40 7 23 61 ... 12 | 55 9 14 | 3 18 70 ...
//!                           gone or needed      group     not asked yet
//! ```
//!
//! The order alone decides which puzzle results. It is the puzzle that comes from asking about one
//! clue after the other. These methods make it faster:
//!
//! - *Groups.* The first clues can nearly always go, so one question asks about many of them. If a
//!   whole group can go, each clue in it can go.
//! - *Unavoidable sets.* Two rows of a band, or two columns of a stack, contain sets of cells in
//!   which the two lines can be exchanged. The last clue in such a set is needed, so the maker asks
//!   no question about it. These sets find 10 of the 24 needed clues.
//! - *Learned sets.* If a group cannot go, the puzzle has another solution. The cells in which
//!   that solution differs from the grid are an unavoidable set too, and all its clues belong to
//!   the group. The maker goes back to the last of these clues, keeps it, and goes on.
//! - *Smaller questions.* For one clue, the maker removes the clue and strikes its digit from its
//!   cell. It then asks whether this puzzle has a solution, as [`Solver::count_struck_batch`] does.
//!
//! A minimal puzzle takes 26 questions instead of 81. With a symmetry, the cells of an orbit
//! go together or stay together.
//!
//! # Climbing
//!
//! Ratings of 9.0 and more, and depths of trial and error of 2 and more, are hardly ever dug. For these the maker goes
//! from a minimal puzzle to its neighbours, towards harder ones. That takes seconds for each. Eight puzzles in
//! a row, of 9.5 and more or of depth 2 and more, come from one climb: they are near to each other, and no symmetric copies.
//!
//! # Numbers
//!
//! Puzzle i depends on the settings and i alone. So any machine can make any slice of a set.
//! Each level of a seed, which is what the settings ask of ratings and steps, draws grids of its own.

mod climbing;
mod digging;
mod families;
mod minimals;
mod path;
mod pattern;
mod quotas;
mod recipe;
mod relatives;
mod symmetry;
mod unbiased;
mod vicinity;

pub(crate) use minimals::Minimals;
pub use minimals::minimal_puzzles;
pub use pattern::Pattern;
pub use symmetry::Symmetry;
pub use vicinity::neighbours;
#[doc(hidden)]
pub use vicinity::{Neighbour, Vicinity};
// The conditions of `filter` on paths.
#[doc(hidden)]
pub use path::{PathFound, PathReader, PathWishes};

use crate::{
    generate::{Grids, Source},
    grid::{Grid, Puzzle},
    solve::Solver,
    technique::{Rating, Technique},
};
use climbing::Climbing;
pub(crate) use climbing::Nearest;
pub(crate) use digging::UnavoidableSets;
use digging::{Digging, Misses};
pub(crate) use quotas::clues_by_line;
use recipe::Goal;
pub(crate) use recipe::{FEWEST_EASY, Recipe, RecipeError};
pub(crate) use relatives::Relatives;
use std::{fmt, ops::Range, sync::Arc};

/// The fewest clues of a puzzle with one solution (McGuire, Tugemann and Civario 2012).
pub const FEWEST_CLUES: usize = 17;

/// The most grids that the maker tries for one puzzle. It tries another grid when the one before
/// does not lead to a puzzle that is wanted. For a rating, it tries each grid in
/// four orders, and for conditions on steps in sixteen.
pub const MOST_TRIES: u32 = 200;

/// A puzzle and its solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Made {
    /// The puzzle.
    pub(crate) puzzle: Puzzle,
    /// The grid that it was made from.
    pub(crate) solution: Grid,
    /// The ER and the technique of the hardest step, where the recipe asks for a rating. It is `None` for a
    /// puzzle above 4.4 where every harder one is wanted: then nobody has looked for its hardest step.
    pub(crate) hardest: Option<(Rating, Technique)>,
    /// The number of minimal puzzles that it stands for, where the recipe is [`Recipe::unbiased`].
    pub(crate) weight: Option<f64>,
}

/// The number of puzzles that the grids are enough for. The uniform samples beyond the first 2^56
/// are reserved for further tries.
pub(crate) fn capacity(grids: &Grids) -> u64 {
    grids.count().min(1 << 56)
}

/// The grid for one try of a puzzle. The first try takes the grid with the number of the puzzle.
/// Further tries take grids from distant parts of the samples or of the sequence. A given grid is
/// used again with another order.
fn grid(grids: &Grids, number: u64, tries: u32) -> Option<Grid> {
    let tries = tries % MOST_TRIES;
    match &grids.source {
        Source::Uniform(_) => grids.grid(number | u64::from(tries) << 56),
        Source::Sequence(sequence) => {
            let capacity = sequence.capacity();
            let step = capacity / u64::from(MOST_TRIES);
            sequence.grid((number + u64::from(tries) * step) % capacity)
        }
        Source::Given { .. } => grids.grid(number),
    }
}

/// Says which puzzles are not to be made, although they fulfil the recipe.
#[derive(Clone)]
pub(crate) struct Refusal(Arc<Refuses>);

type Refuses = dyn Fn(&Puzzle, &Grid) -> bool + Send + Sync;

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refusal").finish_non_exhaustive()
    }
}

impl Refusal {
    pub(crate) fn new(refuses: impl Fn(&Puzzle, &Grid) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(refuses))
    }

    fn refuses(&self, made: &Made) -> bool {
        (self.0)(&made.puzzle, &made.solution)
    }
}

/// Makes puzzles. It holds a recipe, grids, a seed, and a solver with its memory. Make one for each
/// thread and keep it.
#[derive(Debug)]
pub(crate) struct Maker {
    solver: Solver,
    grids: Grids,
    seed: u64,
    recipe: Recipe,
    refusal: Option<Refusal>,
    digging: Digging,
    climbing: Option<Climbing>,
    families: Option<families::Families>,
}

impl Maker {
    /// Returns a maker for the puzzles of a seed from these grids, whatever the recipe. The grids have a seed of their
    /// own, which is usually the same.
    ///
    /// # Errors
    ///
    /// The recipe asks for puzzles with one solution and fewer than 17 clues, or for a pattern or for weights where
    /// the grids are no samples.
    pub(crate) fn new(
        solver: Solver,
        grids: Grids,
        seed: u64,
        recipe: Recipe,
    ) -> Result<Self, RecipeError> {
        recipe.check()?;
        recipe.check_grids(&grids)?;
        Ok(Self {
            digging: Digging::new(&recipe),
            climbing: Climbing::of(&recipe, &grids),
            families: families::Families::of(&recipe),
            solver,
            grids,
            seed,
            recipe,
            refusal: None,
        })
    }

    /// Returns the maker without the puzzles that a [checked](Recipe::check_refusal) refusal names. It tries another grid for
    /// the number of such a puzzle, as for one that does not fit the recipe. The refusal is asked about puzzles that fit the
    /// recipe alone.
    pub(crate) fn refusing(self, refusal: Option<Refusal>) -> Self {
        // A family that is kept may have puzzles that are refused.
        let climbing = Climbing::of(&self.recipe, &self.grids);
        Self {
            refusal,
            climbing,
            ..self
        }
    }

    /// Makes the puzzles from number `start` on, one for each place of `made`. A place is `None` if
    /// [`MOST_TRIES`] grids did not lead to a puzzle that fits the recipe, or if no grid was given.
    /// Thousands of places keep the solver busy.
    ///
    /// # Panics
    ///
    /// When there are fewer grids than the numbers of the puzzles require.
    pub(crate) fn make_batch(&mut self, start: u64, made: &mut [Option<Made>]) {
        let end = start.checked_add(made.len() as u64);
        assert!(
            end.is_some_and(|end| end <= capacity(&self.grids)),
            "a grid for each puzzle"
        );
        let Self {
            solver,
            grids,
            seed,
            recipe,
            refusal,
            digging,
            climbing,
            families,
        } = self;
        let order = climbing::Order {
            recipe,
            refusal: refusal.as_ref(),
            grids,
            seed: *seed,
        };
        if let Some(climbing) = climbing {
            for (number, made) in (start..).zip(made) {
                *made = climbing.make(solver, &order, number);
            }
            return;
        }
        if let Some(families) = families {
            families.run((solver, digging), &order, start, made);
            return;
        }
        let wanted = (&*recipe, refusal.as_ref());
        if let Some(pattern) = &recipe.pattern {
            pattern::run(solver, (grids, *seed), wanted, pattern, start, made);
            return;
        }
        digging.run(
            solver,
            (grids, *seed),
            wanted,
            digging::Numbers::From(start),
            made,
        );
        if recipe.weighted {
            unbiased::weigh(solver, *seed, start, made);
        }
    }

    /// The rated puzzles of the last batch that did not fit; of a pattern none are counted.
    pub(crate) fn misses(&self) -> Misses {
        match &self.families {
            Some(families) => families.misses,
            None => self.digging.misses,
        }
    }

    /// Takes the nearest of the puzzles that were not made since the last call, where hard ones are climbed to.
    pub(crate) fn take_nearest(&mut self) -> Option<Nearest> {
        self.climbing.as_mut()?.take_nearest()
    }

    /// Iterates over the puzzles of a range of numbers, in order. It makes some thousand at a time, and hard ones that it
    /// climbs to in small numbers.
    pub(crate) fn into_puzzles(
        mut self,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = Option<Made>> {
        const AT_ONCE: u64 = 4096;
        let at_once = match self.recipe.climbs_for(&self.grids) {
            Some(together) => together,
            None => AT_ONCE.next_multiple_of(self.recipe.family()),
        };
        // Parts end at multiples, so no family is made twice.
        let parts = numbers.start / at_once..numbers.end.div_ceil(at_once);
        parts.flat_map(move |part| {
            let start = numbers.start.max(part * at_once);
            let end = numbers.end.min((part + 1).saturating_mul(at_once));
            let mut made = vec![None; end.saturating_sub(start) as usize];
            self.make_batch(start, &mut made);
            made
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::technique;
    use sudoku_batch_test_support::cases;

    /// The maker tells the ER and the technique of what it has rated, and of nothing else.
    #[test]
    fn known_ratings_are_those_of_the_rater() {
        let tenths = |first, last| Rating::from_tenths(first)..=Rating::from_tenths(last);
        let minimal = Recipe::minimal;
        for (recipe, all_are_known) in [
            (minimal().with_rating(tenths(20, 28)), true),
            // All that is harder than 4.2 is wanted, so no chain is followed to its end.
            (minimal().with_rating(tenths(42, 119)), false),
        ] {
            // The sources run unoptimised here, so each takes long. More of them have rarer techniques.
            let grids = Grids::uniform(4);
            let mut maker = Maker::new(Solver::new(), grids, 4, recipe.unwrap()).unwrap();
            let mut made = vec![None; cases(2)];
            maker.make_batch(0, &mut made);
            let known = made.iter().filter(|made| made.unwrap().hardest.is_some());
            assert_eq!(known.count() == made.len(), all_are_known);
            for made in made
                .into_iter()
                .flatten()
                .filter(|made| made.hardest.is_some())
            {
                let ratings = technique::rate(&made.puzzle).unwrap();
                assert_eq!(made.hardest, ratings.er.zip(ratings.technique));
            }
        }
    }
}
