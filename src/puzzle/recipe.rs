//! Descriptions of the puzzles to make. Nothing outside of this crate has them: it has the settings of puzzles.

use super::{
    FEWEST_CLUES, PathWishes, Pattern, Symmetry, climbing,
    quotas::{Kind, Quotas},
};
use crate::{
    generate::{Grids, Source},
    grid::{CELLS, Digit, HouseKind, Puzzle},
    random::Words,
    solve::guesses,
    technique::{Difficulty, Rating, Technique, Techniques, TrialDepth},
    words::counted,
};
use std::ops::RangeInclusive;

/// The most relatives of a puzzle that is dug.
const MOST_RELATIVES: u64 = 1000;

/// The fewest clues with which the maker finds easy puzzles. It tries 200 grids for a puzzle: a third of the
/// puzzles of 21 clues that are asked for come, and none of those of 20 clues.
pub(crate) const FEWEST_EASY: usize = 21;

/// Describes the puzzles to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    pub(super) goal: Goal,
    pub(super) symmetry: Symmetry,
    pub(super) unique: bool,
    /// True if naked singles must solve it.
    pub(super) naked_singles: bool,
    /// The ER that it must have.
    pub(super) ratings: Option<RangeInclusive<Rating>>,
    /// The number of guesses that it must need.
    pub(super) guesses: Option<RangeInclusive<u64>>,
    /// The techniques that the hardest step may have; none is no condition.
    pub(super) hardest: Techniques,
    /// The conditions on all steps.
    pub(super) path: PathWishes,
    /// True if minimal puzzles get weights.
    pub(super) weighted: bool,
    /// The cells of the clues, if they are given.
    pub(super) pattern: Option<Pattern>,
    /// The clues that each row, column, box and digit may have.
    pub(super) quotas: Quotas,
    /// The depth of trial and error that it must have.
    pub(super) depths: Option<RangeInclusive<TrialDepth>>,
    /// The relatives of each puzzle that is dug, at most.
    pub(super) relatives: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Goal {
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
        fewest = FEWEST_EASY
    )]
    TooFewForEasy {
        /// The most that the rating may be.
        rating: Rating,
        /// The most clues that were asked for.
        clues: usize,
    },
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
pub(super) fn span(first: &usize, last: &usize, plural: &str) -> String {
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
    pub fn difficulty(difficulty: Difficulty) -> Self {
        let recipe = match difficulty {
            Difficulty::Easy => Self::of(Goal::Blanks(
                (CELLS as u8 - 32..=CELLS as u8 - 28).collect(),
            )),
            _ => Self::restored(),
        };
        let recipe = recipe.with_rating(difficulty.ratings());
        recipe.expect("the ranges of words can be made")
    }

    /// Puzzles with clues as those of most [difficulties](Self::difficulty) have them. A rating says how hard they are.
    pub fn restored() -> Self {
        Self::of(Goal::Restored(22..=32))
    }

    /// The recipe for puzzles with a rating in a range: the ER that
    /// [`rate`](crate::technique::rate) gives. It narrows a range that the recipe has already.
    ///
    /// A puzzle that is done is rated, and the maker takes another grid if the rating is not in the
    /// range. Few minimal puzzles have some of the ratings: 2 of 10,000 have 3.8.
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
    pub(super) fn has_guesses(&self, puzzle: &Puzzle) -> bool {
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

    /// The recipe for puzzles whose hardest step is of one of some techniques. No technique is no condition.
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

    pub(super) fn of(goal: Goal) -> Self {
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
    /// # Errors
    ///
    /// Another digit is left out too, or each digit is to have clues.
    pub fn without_digit(self, digit: Digit) -> Result<Self, RecipeError> {
        self.with_quotas(|quotas| quotas.leave_out(digit))
    }

    /// The recipe for puzzles with a depth of trial and error in a range, as
    /// [`TrialDepth`] says.
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
    pub(super) fn family(&self) -> u64 {
        self.relatives + 1
    }

    pub(super) fn is_minimal(&self) -> bool {
        matches!(self.goal, Goal::Minimal(_))
    }

    /// The ER that a puzzle must have.
    pub fn ratings(&self) -> Option<&RangeInclusive<Rating>> {
        self.ratings.as_ref()
    }

    /// Returns true if the recipe promises that a puzzle has one solution.
    pub fn is_unique(&self) -> bool {
        self.unique
    }

    /// Checks that puzzles can be made from these grids, and have them as their solutions.
    pub(crate) fn check_grids(&self, grids: &Grids) -> Result<(), RecipeError> {
        match &grids.source {
            Source::Sequence(_) if self.weighted => Err(RecipeError::NoSamples),
            Source::Sequence(_) if self.pattern.is_some() => {
                Err(RecipeError::OwnSolutions("sequence"))
            }
            Source::Given { .. } if self.pattern.is_some() => {
                Err(RecipeError::OwnSolutions("given grids"))
            }
            Source::Sequence(_) | Source::Given { .. } if self.relatives > 0 => {
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

    /// Checks the conditions that depend on the whole recipe, as [`Maker::new`](super::Maker::new) does.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Settings have one missing digit.
    #[test]
    fn two_missing_digits_are_refused() {
        let [three, five] = [3, 5].map(|digit| Digit::new(digit).unwrap());
        let recipe = Recipe::minimal().without_digit(three).unwrap();
        let error = recipe.without_digit(five).unwrap_err();
        assert_eq!(
            error.to_string(),
            "digits 3 and 5 are missing, so they can change places in any solution"
        );
        let error = Recipe::unbiased().with_clues_per_digit(2..=3).unwrap_err();
        assert!(matches!(error, RecipeError::Quota(_)), "{error}");
    }
}
