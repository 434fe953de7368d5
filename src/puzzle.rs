//! Makes puzzles from grids: minimal puzzles, puzzles with a given number of blanks, and puzzles of
//! a difficulty or a rating. [`minimal_puzzles`] lists the minimal puzzles inside a puzzle, and
//! [`neighbours`] those near it. Each puzzle comes with its solution. Each is proven to have no other solution,
//! unless the recipe drops that promise.
//!
//! ```
//! use sudoku_batch::{generate::{Grids, Uniform}, puzzle::{Maker, Recipe}, Solver};
//! let recipe = Recipe::minimal();
//! let mut maker = Maker::new(Solver::new(), Grids::Uniform(Uniform::seeded(7)), 7, recipe)?;
//! let made = maker.make(1000).expect("nearly every grid gives a minimal puzzle");
//! assert!(made.solution.is_solution_of(&made.puzzle));
//! assert_eq!(Solver::new().count(&made.puzzle, 2), 1);
//! # Ok::<(), sudoku_batch::puzzle::RecipeError>(())
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
//! Puzzle i depends on the seed, the recipe and i alone. So any machine can make any slice of a set.
//! [`Maker::seeded`] draws other grids for each level.

mod climbing;
mod digging;
mod families;
mod minimals;
mod path;
mod pattern;
mod quotas;
mod relatives;
mod symmetry;
mod unbiased;
mod vicinity;
mod wanted;

pub(crate) use minimals::Minimals;
pub use minimals::minimal_puzzles;
pub use pattern::Pattern;
pub use symmetry::Symmetry;
pub use vicinity::neighbours;
#[doc(hidden)]
pub use vicinity::{Neighbour, Vicinity};
// The wishes of the settings of puzzles, and those of `filter` about paths. A user has a recipe.
#[doc(hidden)]
pub use path::{PathFound, PathReader, PathWishes};
#[doc(hidden)]
pub use wanted::Wanted;

use crate::{
    generate::{Grids, Uniform},
    grid::{CELLS, Digit, Grid, HouseKind, Puzzle},
    random::Words,
    solve::{Solver, guesses},
    technique::{Difficulty, Rating, Technique, Techniques, TrialDepth},
    words::counted,
};
use climbing::Climbing;
pub(crate) use climbing::Nearest;
pub(crate) use digging::UnavoidableSets;
use digging::{Digging, Misses};
pub(crate) use quotas::clues_by_line;
use quotas::{Kind, Quotas};
pub(crate) use relatives::Relatives;
use std::{fmt, ops::RangeInclusive, sync::Arc};

/// The fewest clues of a puzzle with one solution (McGuire, Tugemann and Civario 2012).
pub const FEWEST_CLUES: usize = 17;

/// The most grids that the maker tries for one puzzle. It tries another grid when the one before
/// does not lead to a puzzle that fits the recipe. For a rating, it tries each grid in
/// four orders, and for conditions on steps in sixteen.
pub const MOST_TRIES: u32 = 200;

/// The most relatives of a puzzle that is dug.
const MOST_RELATIVES: u64 = 1000;

/// A puzzle and its solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The grid that it was made from.
    pub solution: Grid,
    /// The ER and the technique of the hardest step, where the recipe asks for a rating. It is `None` for a
    /// puzzle above 4.4 where every harder one is wanted: then nobody has looked for its hardest step.
    pub hardest: Option<(Rating, Technique)>,
    /// The number of minimal puzzles that it stands for, where the recipe is [`Recipe::unbiased`].
    pub weight: Option<f64>,
}

/// The number of puzzles that the grids are enough for. The uniform samples beyond the first 2^56
/// are reserved for further tries.
pub fn capacity(grids: &Grids) -> u64 {
    grids.count().min(1 << 56)
}

/// The grid for one try of a puzzle. The first try takes the grid with the number of the puzzle.
/// Further tries take grids from distant parts of the samples or of the sequence. A given grid is
/// used again with another order.
fn grid(grids: &Grids, number: u64, tries: u32) -> Option<Grid> {
    let tries = tries % MOST_TRIES;
    match grids {
        Grids::Uniform(_) => grids.grid(number | u64::from(tries) << 56),
        Grids::Sequence(sequence) => {
            let capacity = sequence.capacity();
            let step = capacity / u64::from(MOST_TRIES);
            sequence.grid((number + u64::from(tries) * step) % capacity)
        }
        Grids::Given { .. } => grids.grid(number),
    }
}

/// Describes the puzzles to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    goal: Goal,
    symmetry: Symmetry,
    unique: bool,
    /// True if naked singles must solve it.
    naked_singles: bool,
    /// The ER that it must have.
    ratings: Option<RangeInclusive<Rating>>,
    /// The number of guesses that it must need.
    guesses: Option<RangeInclusive<u64>>,
    /// The techniques that the hardest step may have; none is no condition.
    hardest: Techniques,
    /// The conditions on all steps.
    path: PathWishes,
    /// True if minimal puzzles get weights.
    weighted: bool,
    /// The cells of the clues, if they are given.
    pattern: Option<Pattern>,
    /// The clues that each row, column, box and digit may have.
    quotas: Quotas,
    /// The depth of trial and error that it must have.
    depths: Option<RangeInclusive<TrialDepth>>,
    /// The relatives of each puzzle that is dug, at most.
    relatives: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Goal {
    /// The allowed numbers of blanks, all equally likely.
    Blanks(Vec<u8>),
    /// Minimal: no orbit can be removed. Holds the allowed numbers of clues.
    Minimal(RangeInclusive<usize>),
    /// Minimal, and then clues are given back until the rating fits. Holds the allowed numbers of
    /// clues.
    Restored(RangeInclusive<usize>),
}

/// The reason why a recipe is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// A range that holds no number of clues or blanks.
    #[error("{0} to {1} is no range of numbers from 0 to 81")]
    Range(usize, usize),
    /// A range of ratings that is empty, or that goes beyond the scale.
    #[error(
        "{0} to {1} is no range of ratings from 0.0 to {hardest}",
        hardest = Rating::HARDEST
    )]
    Rating(Rating, Rating),
    /// A range of ratings that no puzzle has.
    #[error(
        "no puzzle has an ER from {0} to {1}; one of: {steps}, and above 4.4 nearly every tenth",
        steps = ratings_in_planes()
    )]
    NoStep(Rating, Rating),
    /// Easy puzzles with fewer clues than digging leads to.
    #[error(
        "with an ER up to {rating} the maker finds no puzzles of {}: there are some from {fewest} clues on",
        counted(*clues as u64, "clues"),
        fewest = wanted::FEWEST_EASY
    )]
    TooFewForEasy {
        /// The most that the rating may be.
        rating: Rating,
        /// The most clues that were asked for.
        clues: usize,
    },
    /// A text that is no pattern: what is wrong with it.
    #[error("{0}")]
    NoPattern(String),
    /// Two ranges of ratings have none in common.
    #[error("the difficulty, the rating and the technique have no ER in common")]
    NoRating,
    /// Conditions on the path of a puzzle that contradict each other or its ER, with the reason.
    #[error("{0}")]
    Path(String),
    /// No puzzle with so few clues has one solution.
    #[error(
        "no puzzle with fewer than {FEWEST_CLUES} clues has one solution, and {clues} were asked for"
    )]
    TooFewClues {
        /// The most clues that were asked for.
        clues: usize,
    },
    /// The orbits of the symmetry cannot add up to the requested number.
    #[error(
        "{symmetry} puzzles cannot have {}: the nearest number is {nearest}",
        counted(*clues as u64, "clues")
    )]
    Symmetry {
        /// The symmetry.
        symmetry: Symmetry,
        /// The number of clues that was asked for.
        clues: usize,
        /// The nearest possible number.
        nearest: usize,
    },
    /// Numbers of clues in each row, column or box, or of each digit, that no puzzle has: the reason.
    #[error("{0}")]
    Quota(String),
    /// Two wishes that never go together.
    #[error("{0} cannot be used with {1}")]
    Contradiction(&'static str, &'static str),
    /// The error of the clues that a range of blanks leaves.
    #[error(
        "{} {} {}: {error}",
        span(blanks.start(), blanks.end(), "blanks"),
        if (blanks.start(), blanks.end()) == (&1, &1) { "leaves" } else { "leave" },
        span(&(CELLS - blanks.end()), &(CELLS - blanks.start()), "clues")
    )]
    Blanks {
        /// The range of blanks.
        blanks: RangeInclusive<usize>,
        /// The error of the clues.
        error: Box<RecipeError>,
    },
    /// The clues of a pattern are changed until one solution is left, which is none of these grids.
    #[error("pattern cannot be used with {0}: its puzzles have solutions of their own")]
    OwnSolutions(&'static str),
    /// Weights are those of independent samples.
    #[error("unbiased puzzles are made from uniform grids: sequence has no samples")]
    NoSamples,
    /// A pattern that no puzzle with one solution has, with the reason.
    #[error("no puzzle with this pattern has one solution: {0}")]
    Pattern(String),
    /// Relatives that are not searched, with the reason.
    #[error("{0}")]
    Relatives(&'static str),
    /// Only a recipe for a number of blanks can drop the single solution.
    #[error("a puzzle with several solutions is made by its number of clues or blanks only")]
    NotUnique,
    /// Only a recipe for a number of blanks can ask for naked singles.
    #[error("a puzzle that naked singles solve is made by its number of clues or blanks only")]
    NakedSingles,
}

/// Returns true if a rating up to 4.4 is that of a technique, and not of direct claiming: where that would be the
/// hardest step, an easier one is found (docs/rating.md).
fn is_hardest(rating: Rating) -> bool {
    Technique::in_planes(rating).is_some_and(|technique| technique != Technique::DirectClaiming)
}

/// The ratings of steps up to 4.4.
fn ratings_in_planes() -> String {
    let all = (0..=Rating::IN_PLANES.tenths()).map(Rating::from_tenths);
    let all = all.filter(|rating| is_hardest(*rating));
    let all: Vec<_> = all.map(|rating| rating.to_string()).collect();
    all.join(", ")
}

/// `65 to 70 clues`, or `65 clues` for one number.
fn span(first: &usize, last: &usize, plural: &str) -> String {
    if first == last {
        counted(*first as u64, plural)
    } else {
        format!("{first} to {last} {plural}")
    }
}

impl Recipe {
    /// Minimal puzzles: removing any clue gives a second solution.
    pub fn minimal() -> Self {
        Self::of(Goal::Minimal(0..=CELLS))
    }

    /// Minimal puzzles with weights, such that weighted means are those of all minimal puzzles. From uniform
    /// grids, the mean of the weights of many puzzles is an unbiased estimate of the number of all minimal
    /// puzzles, and the mean of weight times f that of the sum of any f over all of them. Weights are
    /// positive, and around 10^37. docs/internals/unbiased.md has the proof.
    ///
    /// ```
    /// use sudoku_batch::{generate::{Grids, Uniform}, puzzle::{Maker, Recipe}, Solver};
    /// let grids = Grids::Uniform(Uniform::seeded(0));
    /// let mut maker = Maker::new(Solver::new(), grids, 0, Recipe::unbiased())?;
    /// let mut made = [None; 2000];
    /// maker.make_batch(0, &mut made);
    /// let weighted = made.iter().flatten().map(|made| (made.weight.unwrap(), made.puzzle.clue_count()));
    /// let (mut sum, mut clues) = (0.0, 0.0);
    /// for (weight, count) in weighted {
    ///     sum += weight;
    ///     clues += weight * count as f64;
    /// }
    /// // There are 3.1 times 10^37 minimal puzzles. They have 26.6 clues.
    /// assert!((1e37..1e38).contains(&(sum / 2000.0)));
    /// assert!((26.0..27.2).contains(&(clues / sum)));
    /// # Ok::<(), sudoku_batch::puzzle::RecipeError>(())
    /// ```
    pub fn unbiased() -> Self {
        Self {
            weighted: true,
            ..Self::minimal()
        }
    }

    /// Puzzles whose clues stand exactly in the cells of a pattern. They are minimal if that is wanted; the
    /// symmetry is that of the pattern. Their solutions are not the grids that they begin with, so these are uniform
    /// samples.
    ///
    /// ```
    /// use sudoku_batch::{generate::{Grids, Uniform}, puzzle::{Maker, Pattern, Recipe}, Solver};
    /// let heart: Pattern = "
    ///     .........
    ///     .XX...XX.
    ///     X..X.X..X
    ///     X...X...X
    ///     X.......X
    ///     X.......X
    ///     .X.....X.
    ///     ..XX.XX..
    ///     ....X....".parse()?;
    /// let recipe = Recipe::pattern(heart, false)?;
    /// let mut maker = Maker::new(Solver::new(), Grids::Uniform(Uniform::seeded(0)), 0, recipe)?;
    /// let made = maker.make(0).expect("many hearts have one solution");
    /// assert_eq!(Pattern::of(&made.puzzle), heart);
    /// assert_eq!(Solver::new().count(&made.puzzle, 2), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No puzzle with such clues has one solution, by a reason that is [proven](Pattern::impossible).
    pub fn pattern(pattern: Pattern, minimal: bool) -> Result<Self, RecipeError> {
        if let Some(reason) = pattern.impossible() {
            return Err(RecipeError::Pattern(reason));
        }
        let clues = pattern.clue_count();
        let goal = if minimal {
            Goal::Minimal(clues..=clues)
        } else {
            Goal::Blanks(vec![(CELLS - clues) as u8])
        };
        Ok(Self {
            pattern: Some(pattern),
            ..Self::of(goal)
        })
    }

    /// Minimal puzzles with a number of clues in a range.
    ///
    /// # Errors
    ///
    /// The range is empty, or it ends below 17.
    pub fn minimal_with_clues(clues: RangeInclusive<usize>) -> Result<Self, RecipeError> {
        Self::check_range(&clues)?;
        Self::check_clues(*clues.end())?;
        Ok(Self::of(Goal::Minimal(clues)))
    }

    /// Puzzles with a number of clues, drawn evenly from a range.
    ///
    /// # Errors
    ///
    /// The range is empty.
    pub fn clues(clues: RangeInclusive<usize>) -> Result<Self, RecipeError> {
        Self::check_range(&clues)?;
        let blanks = clues.map(|clues| (CELLS - clues) as u8).rev();
        Ok(Self::of(Goal::Blanks(blanks.collect())))
    }

    /// Puzzles of a difficulty, with clues as printed puzzles have them: easy ones have 28 to 32, evenly
    /// drawn. The others have 22 to 32, and mostly 24 to 26: the maker digs a minimal puzzle, and gives
    /// clues back until the puzzle is easy enough.
    ///
    /// ```
    /// use sudoku_batch::{generate::{Grids, Uniform}, puzzle::{Maker, Recipe}, Solver};
    /// use sudoku_batch::technique::{self, Difficulty};
    /// let recipe = Recipe::difficulty(Difficulty::Hard);
    /// let mut maker = Maker::new(Solver::new(), Grids::Uniform(Uniform::seeded(0)), 0, recipe)?;
    /// let made = maker.make(0).expect("every grid has such puzzles");
    /// let ratings = technique::rate(&made.puzzle).unwrap();
    /// assert_eq!(Difficulty::of(ratings.er), Difficulty::Hard);
    /// # Ok::<(), sudoku_batch::puzzle::RecipeError>(())
    /// ```
    pub fn difficulty(difficulty: Difficulty) -> Self {
        let goal = match difficulty {
            Difficulty::Easy => Goal::Blanks((CELLS as u8 - 32..=CELLS as u8 - 28).collect()),
            _ => Goal::Restored(22..=32),
        };
        let recipe = Self::of(goal).with_rating(difficulty.ratings());
        recipe.expect("the ranges of words can be made")
    }

    /// Puzzles with a rating in a range, made as those of a [`difficulty`](Self::difficulty).
    ///
    /// # Errors
    ///
    /// The errors of [`with_rating`](Self::with_rating).
    pub fn rating(range: RangeInclusive<Rating>) -> Result<Self, RecipeError> {
        Self::of(Goal::Restored(22..=32)).with_rating(range)
    }

    /// The recipe for puzzles with a rating in a range: the ER that
    /// [`rate`](crate::technique::rate) gives. It narrows a range that the recipe has already.
    ///
    /// A puzzle that is done is rated, and the maker takes another grid if the rating is not in the
    /// range. Few minimal puzzles have some of the ratings: 2 of 10,000 have 3.8.
    ///
    /// ```
    /// use sudoku_batch::{puzzle::Recipe, technique::Rating};
    /// let range = Rating::from_tenths(20)..=Rating::from_tenths(28);
    /// let recipe = Recipe::clues(24..=26)?.with_rating(range)?;
    /// # Ok::<(), sudoku_batch::puzzle::RecipeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No rating is left, or the range ends beyond [`Rating::HARDEST`].
    pub fn with_rating(mut self, range: RangeInclusive<Rating>) -> Result<Self, RecipeError> {
        let (mut first, mut last) = range.into_inner();
        if let Some(range) = &self.ratings {
            (first, last) = (first.max(*range.start()), last.min(*range.end()));
        }
        if first > last && self.ratings.is_some() {
            return Err(RecipeError::NoRating);
        }
        if first > last || last > Rating::HARDEST {
            return Err(RecipeError::Rating(first, last));
        }
        // Up to there all ratings of steps are known.
        let mut tenths = first.tenths()..=last.tenths();
        let has_step = |tenths| is_hardest(Rating::from_tenths(tenths));
        if last <= Rating::IN_PLANES && !tenths.any(has_step) {
            return Err(RecipeError::NoStep(first, last));
        }
        self.ratings = Some(first..=last);
        Ok(self)
    }

    /// The recipe for puzzles for which the [reference search](crate::solve::guesses) needs a number of guesses in this
    /// range.
    #[must_use]
    pub fn with_guesses(mut self, guesses: RangeInclusive<u64>) -> Self {
        self.guesses = Some(guesses);
        self
    }

    /// Returns true if a puzzle needs as many guesses as it must.
    fn has_guesses(&self, puzzle: &Puzzle) -> bool {
        self.guesses.as_ref().is_none_or(|range| {
            let number = guesses(puzzle, *range.end());
            number.is_some_and(|number| range.contains(&number))
        })
    }

    /// The recipe for puzzles that naked singles solve.
    ///
    /// # Errors
    ///
    /// The recipe is not for a number of clues or blanks, or not for one solution.
    pub fn with_naked_singles(mut self) -> Result<Self, RecipeError> {
        self.naked_singles = true;
        match self.goal {
            Goal::Blanks(_) if self.unique => Ok(self),
            _ => Err(RecipeError::NakedSingles),
        }
    }

    /// The recipe for puzzles whose hardest step is of a technique, as
    /// [`Ratings::technique`](crate::technique::Ratings::technique) gives it.
    ///
    /// # Errors
    ///
    /// No rating of the technique is in the range that the recipe has already.
    pub fn with_technique(self, technique: Technique) -> Result<Self, RecipeError> {
        self.with_hardest([technique].into_iter().collect())
    }

    /// The recipe for puzzles whose hardest step is of one of some techniques. No technique is no condition.
    ///
    /// ```
    /// use sudoku_batch::{puzzle::{Maker, Recipe}, technique::{self, Techniques}};
    /// let techniques = Techniques::named("locked candidates")?;
    /// let mut maker = Maker::seeded(0, Recipe::minimal().with_hardest(techniques)?)?;
    /// let made = maker.make(0).expect("many puzzles need pointing");
    /// let hardest = technique::rate(&made.puzzle).unwrap().technique;
    /// assert!(techniques.contains(hardest.unwrap()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No rating of the techniques is in the range that the recipe has already.
    pub fn with_hardest(mut self, techniques: Techniques) -> Result<Self, RecipeError> {
        self.hardest = techniques;
        match techniques.least().zip(techniques.most()) {
            Some((least, most)) => self.with_rating(least..=most),
            None => Ok(self),
        }
    }

    /// The recipe for puzzles whose path fulfils conditions. Where the number of hard steps is the only condition on the
    /// difficulty, the ER is at most 4.4: chains take long.
    ///
    /// # Errors
    ///
    /// The conditions contradict each other, or the ER that the recipe has already.
    #[doc(hidden)]
    pub fn with_path(mut self, path: PathWishes) -> Result<Self, RecipeError> {
        if path.is_empty() {
            return Ok(self);
        }
        let range = path.ratings()?;
        let (least, mut most) = range.into_inner();
        if path.steps.is_some() && self.ratings.is_none() && least <= Rating::IN_PLANES {
            most = most.min(Rating::IN_PLANES);
        }
        let allowed = path.only.with_direct();
        if !allowed.is_empty() && !self.hardest.is_empty() && self.hardest.and(allowed).is_empty() {
            let hardest = self.hardest;
            return Err(RecipeError::Path(format!(
                "hardest asks for {hardest}, which only leaves out"
            )));
        }
        let name = path.name();
        self.path = path;
        let asked = self.ratings.clone();
        self.with_rating(least..=most).map_err(|error| match (error, asked) {
            (RecipeError::NoRating, Some(asked)) => {
                let (first, last) = asked.into_inner();
                RecipeError::Path(format!(
                    "{name} needs an ER from {least} to {most}, and one from {first} to {last} is asked for"
                ))
            }
            (error, _) => error,
        })
    }

    fn of(goal: Goal) -> Self {
        Self {
            goal,
            symmetry: Symmetry::None,
            unique: true,
            naked_singles: false,
            ratings: None,
            guesses: None,
            hardest: Techniques::NONE,
            path: PathWishes::default(),
            weighted: false,
            pattern: None,
            quotas: Quotas::default(),
            depths: None,
            relatives: 0,
        }
    }

    /// The recipe for puzzles whose rows, columns or boxes each have a number of clues in a range. It leaves out the
    /// numbers of clues of a puzzle that nine such houses cannot have.
    ///
    /// ```
    /// use sudoku_batch::{HouseKind, puzzle::{Maker, Recipe}};
    /// let recipe = Recipe::clues(27..=30)?.with_clues_per_house(HouseKind::Box, 3..=4)?;
    /// let made = Maker::seeded(7, recipe)?.make(0).expect("most grids have such puzzles");
    /// let clues = |cells: [usize; 9]| cells.map(|cell| made.puzzle.as_ascii()[cell]).iter().filter(|clue| **clue != b'.').count();
    /// assert!((3..=4).contains(&clues([0, 1, 2, 9, 10, 11, 18, 19, 20])));
    /// let error = Recipe::clues(20..=20)?.with_clues_per_house(HouseKind::Box, 3..=4).unwrap_err();
    /// assert_eq!(error.to_string(), "20 clues are asked for, and the quota of each box takes 27 to 36 clues");
    /// # Ok::<(), sudoku_batch::puzzle::RecipeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No puzzle can have such clues.
    pub fn with_clues_per_house(
        self,
        kind: HouseKind,
        clues: RangeInclusive<usize>,
    ) -> Result<Self, RecipeError> {
        self.with_quotas(|quotas| quotas.narrow(kind.into(), &clues))
    }

    /// The recipe for puzzles with a number of clues of each digit in a range. A digit that is
    /// [left out](Self::without_digit) has none.
    ///
    /// # Errors
    ///
    /// No puzzle can have such clues.
    pub fn with_clues_per_digit(self, clues: RangeInclusive<usize>) -> Result<Self, RecipeError> {
        self.with_quotas(|quotas| quotas.narrow(Kind::Digit, &clues))
    }

    /// The recipe for puzzles without a clue of this digit.
    ///
    /// ```
    /// use sudoku_batch::{Digit, puzzle::{Maker, Recipe}};
    /// let recipe = Recipe::minimal().without_digit(Digit::new(5).unwrap())?;
    /// let made = Maker::seeded(7, recipe)?.make(0).expect("most grids have such puzzles");
    /// assert!(!made.puzzle.as_str().contains('5'));
    /// # Ok::<(), sudoku_batch::puzzle::RecipeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Another digit is left out too, or each digit is to have clues.
    pub fn without_digit(self, digit: Digit) -> Result<Self, RecipeError> {
        self.with_quotas(|quotas| quotas.leave_out(digit))
    }

    /// The recipe for puzzles with a depth of trial and error in a range, as
    /// [`Rater::trial_depths`](crate::technique::Rater::trial_depths) gives it.
    ///
    /// # Errors
    ///
    /// The range is empty, or the recipe does not promise one solution.
    pub fn with_depth(mut self, range: RangeInclusive<TrialDepth>) -> Result<Self, RecipeError> {
        if range.is_empty() {
            let (first, last) = (*range.start() as usize, *range.end() as usize);
            return Err(RecipeError::Range(first, last));
        }
        if !self.unique {
            return Err(RecipeError::NotUnique);
        }
        self.depths = Some(range);
        Ok(self)
    }

    /// The recipe with narrower quotas, and the numbers of clues that they allow.
    fn with_quotas(
        mut self,
        narrow: impl FnOnce(&mut Quotas) -> Result<(), RecipeError>,
    ) -> Result<Self, RecipeError> {
        if self.weighted {
            return Err(RecipeError::Quota(
                "unbiased puzzles are samples of all minimal ones, whatever their clues".into(),
            ));
        }
        narrow(&mut self.quotas)?;
        let unique = self.unique;
        match &mut self.goal {
            Goal::Minimal(clues) | Goal::Restored(clues) => {
                *clues = self.quotas.clues_of(clues.clone(), unique)?;
            }
            Goal::Blanks(blanks) => {
                let numbers = blanks.iter().map(|&blanks| CELLS - usize::from(blanks));
                let (least, most) = (numbers.clone().min(), numbers.max());
                let clues = least.zip(most).map(|(least, most)| least..=most);
                let clues = clues.expect("a recipe has a number of blanks");
                let clues = self.quotas.clues_of(clues, unique)?;
                blanks.retain(|&blanks| clues.contains(&(CELLS - usize::from(blanks))));
                if blanks.is_empty() {
                    return Err(RecipeError::Quota(format!(
                        "{} puzzles have none of {}, as the quotas want",
                        self.symmetry,
                        span(clues.start(), clues.end(), "clues")
                    )));
                }
            }
        }
        if let Some(pattern) = &self.pattern {
            self.quotas.check_pattern(pattern)?;
        }
        Ok(self)
    }

    fn check_range(range: &RangeInclusive<usize>) -> Result<(), RecipeError> {
        if range.is_empty() || *range.end() > CELLS {
            Err(RecipeError::Range(*range.start(), *range.end()))
        } else {
            Ok(())
        }
    }

    fn check_clues(most: usize) -> Result<(), RecipeError> {
        if most < FEWEST_CLUES {
            Err(RecipeError::TooFewClues { clues: most })
        } else {
            Ok(())
        }
    }

    /// The recipe with a symmetry of the clues. It leaves out the numbers of clues that the
    /// symmetry cannot have.
    ///
    /// # Errors
    ///
    /// The symmetry can have none of the numbers.
    pub fn with_symmetry(mut self, symmetry: Symmetry) -> Result<Self, RecipeError> {
        self.symmetry = symmetry;
        if let Goal::Blanks(blanks) = &mut self.goal {
            let first = usize::from(blanks[0]);
            blanks.retain(|&blanks| symmetry.can_have(usize::from(blanks)));
            if blanks.is_empty() {
                let distance = |&blanks: &usize| blanks.abs_diff(first);
                let can = (0..=CELLS).filter(|&blanks| symmetry.can_have(blanks));
                let nearest = can.min_by_key(distance).expect("0 blanks can always be");
                return Err(RecipeError::Symmetry {
                    symmetry,
                    clues: CELLS - first,
                    nearest: CELLS - nearest,
                });
            }
        }
        Ok(self)
    }

    /// The recipe for families: each puzzle that is dug is followed by up to this number of relatives, which have all that
    /// is wanted too. A relative differs in one clue from the puzzle, or from a relative before it. The solutions of a family
    /// are no symmetric copies of each other. Puzzles `i * (relatives + 1)` and up to `relatives` after it are a family. If it
    /// has fewer relatives, more of its puzzles are dug.
    ///
    /// Techniques that are rare are found several times as fast so, and what is found is less varied.
    ///
    /// ```
    /// use sudoku_batch::{puzzle::{Maker, Recipe}, technique::{self, Technique}};
    /// let recipe = Recipe::minimal().with_technique(Technique::NakedPair)?.with_relatives(3)?;
    /// let mut made = [None; 4];
    /// Maker::seeded(7, recipe)?.make_batch(0, &mut made);
    /// let [dug, relative, ..] = made.map(|made| made.expect("the family is complete"));
    /// let hardest = technique::rate(&relative.puzzle).unwrap().technique;
    /// assert_eq!(hardest, Some(Technique::NakedPair));
    /// let cells = dug.puzzle.as_ascii().iter().zip(relative.puzzle.as_ascii());
    /// assert!(cells.filter(|(one, other)| one != other).count() <= 2);
    /// # Ok::<(), sudoku_batch::puzzle::RecipeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The recipe asks for no rating, technique or path, or for a pattern or a symmetry, as a clue changes its place. Or there
    /// would be more than 1000 relatives.
    pub fn with_relatives(mut self, relatives: u64) -> Result<Self, RecipeError> {
        self.relatives = relatives;
        self.check_relatives()?;
        Ok(self)
    }

    fn check_relatives(&self) -> Result<(), RecipeError> {
        if self.relatives == 0 {
            return Ok(());
        }
        let others = [
            (self.weighted, "unbiased"),
            (self.pattern.is_some(), "pattern"),
            (self.symmetry != Symmetry::None, "symmetry"),
        ];
        if let Some((_, other)) = others.into_iter().find(|(is_asked_for, _)| *is_asked_for) {
            return Err(RecipeError::Contradiction("relatives", other));
        }
        let wrong = |what| Err(RecipeError::Relatives(what));
        match &self.ratings {
            _ if self.relatives > MOST_RELATIVES => wrong("a puzzle has at most 1000 relatives"),
            None => wrong(
                "relatives has no effect without a wish about the steps or the rating, such as contains",
            ),
            Some(_) => Ok(()),
        }
    }

    /// The recipe without the promise of a single solution.
    ///
    /// # Errors
    ///
    /// The recipe is not for a number of clues or blanks alone.
    pub fn with_several_solutions(mut self) -> Result<Self, RecipeError> {
        self.unique = false;
        let is_of_clues_alone = !self.naked_singles
            && self.ratings.is_none()
            && self.guesses.is_none()
            && self.depths.is_none();
        match self.goal {
            Goal::Blanks(_) if is_of_clues_alone => Ok(self),
            _ => Err(RecipeError::NotUnique),
        }
    }

    /// Returns true if a puzzle has a number of clues and a symmetry that the recipe asks for. This does
    /// not show whether it has one solution, whether it is minimal, or how hard it is.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, puzzle::Recipe};
    /// let puzzle: Puzzle =
    ///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
    /// assert!(Recipe::clues(25..=30)?.has_clues_for(&puzzle));
    /// assert!(!Recipe::clues(30..=40)?.has_clues_for(&puzzle));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn has_clues_for(&self, puzzle: &Puzzle) -> bool {
        let clues = puzzle.clue_count();
        let is_allowed = match &self.goal {
            Goal::Blanks(blanks) => blanks
                .iter()
                .any(|&blanks| usize::from(blanks) + clues == CELLS),
            Goal::Minimal(range) | Goal::Restored(range) => range.contains(&clues),
        };
        is_allowed
            && self.symmetry.is_kept_by(puzzle)
            && self.quotas.are_met_by(puzzle)
            && (self
                .pattern
                .is_none_or(|pattern| pattern == Pattern::of(puzzle)))
    }

    /// The seed for uniform grids that are drawn for the recipe, and for the orders of digging. A level has a seed of its
    /// own, mixed of `seed` and the level. Without a level it is `seed`.
    ///
    /// The level of a recipe is what it asks of the ratings and the steps: the range of the ER, the technique of the hardest
    /// step, and the conditions on the path.
    /// A book has several levels of one seed, and a reader who has solved an easy puzzle must not meet its solution
    /// again as a hard one. Clues, symmetry and guesses make no level: a set by these is seldom put next to another of its
    /// seed, and its bytes stay those of the versions before.
    pub(crate) fn seed_of_level(&self, seed: u64) -> u64 {
        /// No grid and no order takes words of this stream.
        const LEVELS: u32 = 1 << 22;
        let Some(ratings) = &self.ratings else {
            return seed;
        };
        let ends = [ratings.start().tenths(), ratings.end().tenths()];
        let techniques = self
            .hardest
            .iter()
            .flat_map(|technique| technique.name().bytes());
        let path = match self.path.is_empty() {
            true => String::new(),
            false => self.path.key(),
        };
        // FNV-1a: a technique keeps its name, while its number changes with the list.
        let level = { ends.into_iter() }
            .chain(techniques)
            .chain(path.bytes())
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Words::of_stream(seed, level, LEVELS).next()
    }

    /// The number of puzzles that are made together from these grids: see
    /// [`MadeSet::together`](crate::questions::MadeSet::together).
    pub(crate) fn together(&self, grids: &Grids) -> u64 {
        self.climbs_for(grids).unwrap_or(self.family())
    }

    /// The number of puzzles that share a climb, if its puzzles are climbed to from these grids.
    pub(crate) fn climbs_for(&self, grids: &Grids) -> Option<u64> {
        climbing::start(self, grids)
            .is_some()
            .then(|| match climbing::comes_in_families(self) {
                true => climbing::FAMILY,
                false => 1,
            })
    }

    /// The number of puzzles in a family: one that is dug, with its relatives.
    fn family(&self) -> u64 {
        self.relatives + 1
    }

    fn is_minimal(&self) -> bool {
        matches!(self.goal, Goal::Minimal(_))
    }

    /// Returns true if the recipe promises that a puzzle has one solution.
    pub fn is_unique(&self) -> bool {
        self.unique
    }

    /// Checks that puzzles can be made from these grids, and have them as their solutions.
    pub(crate) fn check_grids(&self, grids: &Grids) -> Result<(), RecipeError> {
        match grids {
            Grids::Sequence(_) if self.weighted => Err(RecipeError::NoSamples),
            Grids::Sequence(_) if self.pattern.is_some() => {
                Err(RecipeError::OwnSolutions("sequence"))
            }
            Grids::Given { .. } if self.pattern.is_some() => {
                Err(RecipeError::OwnSolutions("given grids"))
            }
            Grids::Sequence(_) | Grids::Given { .. } if self.relatives > 0 => {
                Err(RecipeError::Relatives(
                    "relatives have solutions of their own: they cannot be used with sequence or given grids",
                ))
            }
            _ if self.relatives > 0 && climbing::start(self, grids).is_some() => {
                Err(RecipeError::Relatives(
                    "relatives cannot be used with an ER of 9.0 and more or te 2 and more: these puzzles are climbed to",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Checks that some of the puzzles may be refused.
    pub(crate) fn check_refusal(&self) -> Result<(), RecipeError> {
        if self.weighted {
            return Err(RecipeError::Contradiction("unbiased", "against"));
        }
        Ok(())
    }

    /// Checks the conditions that depend on the whole recipe, as [`Maker::new`] does.
    ///
    /// # Errors
    ///
    /// The recipe asks for puzzles with one solution and fewer than 17 clues, or for minimal ones with quotas that none
    /// meets.
    pub fn check(&self) -> Result<(), RecipeError> {
        self.check_relatives()?;
        // With a symmetry, groups of clues are needed, and not each clue.
        if matches!(self.goal, Goal::Minimal(_))
            && self.symmetry == Symmetry::None
            && self.pattern.is_none()
        {
            self.quotas.check_minimal()?;
        }
        match &self.goal {
            Goal::Blanks(blanks) if self.unique => {
                let fewest = blanks
                    .iter()
                    .min()
                    .expect("a recipe has a number of blanks");
                Self::check_clues(CELLS - usize::from(*fewest))
            }
            _ => Ok(()),
        }
    }
}

/// Says which puzzles are not to be made, although they fulfil the recipe.
#[derive(Clone)]
pub(crate) struct Refusal(Arc<dyn Fn(&Made) -> bool + Send + Sync>);

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refusal").finish_non_exhaustive()
    }
}

impl Refusal {
    pub(crate) fn new(refuses: impl Fn(&Made) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(refuses))
    }

    fn refuses(&self, made: &Made) -> bool {
        (self.0)(made)
    }
}

/// Makes puzzles. It holds a recipe, grids, a seed, and a solver with its memory. Make one for each
/// thread and keep it.
#[derive(Debug)]
pub struct Maker {
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
    /// Returns a maker for the puzzles of a seed from uniform grids: the puzzles that the command `puzzles --seed` makes.
    ///
    /// A recipe with a difficulty, a rating or a technique draws its grids from a seed that is mixed of this one and the
    /// range of ratings, so two levels of one seed have no grid in common. (Any two grids are the same with a
    /// probability of 1 in 6.7 · 10^21.) Any other recipe has the grids of `Uniform::seeded(seed)`.
    ///
    /// ```
    /// use sudoku_batch::puzzle::{Maker, Recipe};
    /// let mut maker = Maker::seeded(7, Recipe::clues(28..=30)?)?;
    /// let made = maker.make(0).expect("the first grids have such puzzles");
    /// assert!((28..=30).contains(&made.puzzle.clue_count()));
    /// assert!(made.solution.is_solution_of(&made.puzzle));
    /// # Ok::<(), sudoku_batch::puzzle::RecipeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`new`](Self::new).
    pub fn seeded(seed: u64, recipe: Recipe) -> Result<Self, RecipeError> {
        let seed = recipe.seed_of_level(seed);
        let grids = Grids::Uniform(Uniform::seeded(seed));
        Self::new(Solver::new(), grids, seed, recipe)
    }

    /// Returns a maker for the puzzles of a seed from these grids, whatever the recipe. The grids have a seed of their
    /// own, which is usually the same.
    ///
    /// # Errors
    ///
    /// The recipe asks for puzzles with one solution and fewer than 17 clues, or for a pattern or for weights where
    /// the grids are no samples.
    pub fn new(
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

    /// Returns the maker without the puzzles that `refuses` returns true for. The maker tries another grid for the number
    /// of such a puzzle, as for one that does not fit the recipe. So puzzle i depends on `refuses` too, which should
    /// always answer the same about a puzzle. It is asked about puzzles that fit the recipe alone. Their hardest steps may not be known to it.
    ///
    /// ```
    /// use sudoku_batch::puzzle::{Maker, Recipe};
    /// let known = Maker::seeded(7, Recipe::minimal())?.make(0).unwrap();
    /// let maker = Maker::seeded(7, Recipe::minimal())?;
    /// let mut maker = maker.with_refusal(move |made| made.solution == known.solution)?;
    /// assert_ne!(maker.make(0).unwrap().solution, known.solution);
    /// # Ok::<(), sudoku_batch::puzzle::RecipeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The recipe is [`Recipe::unbiased`]: the weight of a puzzle is that of its first try, and a sample without some
    /// puzzles is not one of all.
    pub fn with_refusal(
        self,
        refuses: impl Fn(&Made) -> bool + Send + Sync + 'static,
    ) -> Result<Self, RecipeError> {
        self.recipe.check_refusal()?;
        Ok(self.refusing(Some(Refusal::new(refuses))))
    }

    /// Returns the maker with a refusal that is checked, or without one.
    pub(crate) fn refusing(self, refusal: Option<Refusal>) -> Self {
        // A family that is kept may have puzzles that are refused.
        let climbing = Climbing::of(&self.recipe, &self.grids);
        Self {
            refusal,
            climbing,
            ..self
        }
    }

    /// Makes one puzzle. Returns `None` when [`MOST_TRIES`] grids did not lead to a puzzle that
    /// fits the recipe, or when no grid was given for it. Making many at a time takes far less time
    /// for each: see [`make_batch`](Self::make_batch).
    ///
    /// # Panics
    ///
    /// When there are fewer grids than the number of the puzzle requires.
    pub fn make(&mut self, number: u64) -> Option<Made> {
        let mut made = [None];
        self.make_batch(number, &mut made);
        made[0]
    }

    /// Makes the puzzles from number `start` on, one for each place of `made`. A place is `None` if
    /// [`MOST_TRIES`] grids did not lead to a puzzle that fits the recipe, or if no grid was given.
    /// Thousands of places keep the solver busy.
    ///
    /// ```
    /// use sudoku_batch::{generate::{Grids, Uniform}, puzzle::{Maker, Recipe}, Solver};
    /// let grids = Grids::Uniform(Uniform::seeded(0));
    /// let recipe = Recipe::clues(40..=42)?.with_naked_singles()?;
    /// let mut maker = Maker::new(Solver::new(), grids, 0, recipe)?;
    /// let mut made = [None; 100];
    /// maker.make_batch(0, &mut made);
    /// let blanks = made.iter().flatten().map(|made| 81 - made.puzzle.clue_count());
    /// assert!(blanks.clone().count() == 100 && blanks.clone().all(|n| (39..=41).contains(&n)));
    /// # Ok::<(), sudoku_batch::puzzle::RecipeError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When there are fewer grids than the numbers of the puzzles require.
    pub fn make_batch(&mut self, start: u64, made: &mut [Option<Made>]) {
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
    pub fn iter(&mut self, numbers: std::ops::Range<u64>) -> impl Iterator<Item = Option<Made>> {
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
