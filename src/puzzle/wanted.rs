//! The wishes for puzzles, in one place for the command, Python and JavaScript.

use super::{FEWEST_CLUES, PathWishes, Pattern, Recipe, RecipeError, Symmetry};
use crate::{
    grid::{CELLS, Digit, HouseKind},
    technique::{Difficulty, Rating, Technique, Techniques, TrialDepth},
};
use std::ops::RangeInclusive;

/// The fewest clues with which the maker finds easy puzzles. It tries 200 grids for a puzzle: a third of the
/// puzzles of 21 clues that are asked for come, and none of those of 20 clues.
pub(super) const FEWEST_EASY: usize = 21;

/// The wishes for puzzles. Each wish narrows the others; [`recipe`](Self::recipe) says which contradict
/// each other.
///
/// ```
/// use sudoku_batch::puzzle::{Recipe, Wanted};
/// let wanted = Wanted { clues: Some(30..=30), minimal: true, ..Wanted::default() };
/// assert_eq!(wanted.recipe(), Recipe::minimal_with_clues(30..=30));
/// let wanted = Wanted { blanks: Some(51..=51), ..wanted };
/// assert_eq!(wanted.recipe().unwrap_err().to_string(), "blanks cannot be used with clues");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The number of blanks.
    pub blanks: Option<RangeInclusive<usize>>,
    /// The number of clues.
    pub clues: Option<RangeInclusive<usize>>,
    /// The difficulty. Without blanks, clues and `minimal` it decides about the clues too.
    pub difficulty: Option<Difficulty>,
    /// The ER.
    pub rating: Option<RangeInclusive<Rating>>,
    /// The depth of trial and error.
    pub te: Option<RangeInclusive<TrialDepth>>,
    /// The techniques that the hardest step may have; none is no wish.
    pub hardest: Techniques,
    /// The conditions on all steps.
    pub path: PathWishes,
    /// The relatives of each puzzle that is dug, at most.
    pub relatives: u64,
    /// The number of guesses of the reference search.
    pub guesses: Option<RangeInclusive<u64>>,
    /// Naked singles solve it: there is always a cell with one candidate.
    pub naked_singles: bool,
    /// Each clue is needed. Without blanks, clues and a difficulty it always is.
    pub minimal: bool,
    /// The symmetry of the clues.
    pub symmetry: Symmetry,
    /// The number of clues of each row.
    pub clues_per_row: Option<RangeInclusive<usize>>,
    /// The number of clues of each column.
    pub clues_per_column: Option<RangeInclusive<usize>>,
    /// The number of clues of each box.
    pub clues_per_box: Option<RangeInclusive<usize>>,
    /// The number of clues of each digit.
    pub clues_per_digit: Option<RangeInclusive<usize>>,
    /// The digit that no clue has.
    pub missing_digit: Option<Digit>,
    /// It has one solution.
    pub unique: bool,
    /// The cells of the clues.
    pub pattern: Option<Pattern>,
    /// Minimal puzzles with weights.
    pub unbiased: bool,
}

/// Nothing but one solution.
impl Default for Wanted {
    fn default() -> Self {
        Self {
            blanks: None,
            clues: None,
            difficulty: None,
            rating: None,
            te: None,
            hardest: Techniques::NONE,
            path: PathWishes::default(),
            relatives: 0,
            guesses: None,
            naked_singles: false,
            minimal: false,
            symmetry: Symmetry::None,
            clues_per_row: None,
            clues_per_column: None,
            clues_per_box: None,
            clues_per_digit: None,
            missing_digit: None,
            unique: true,
            pattern: None,
            unbiased: false,
        }
    }
}

impl Wanted {
    /// The recipe that all wishes give together.
    ///
    /// # Errors
    ///
    /// Two wishes contradict each other, or no puzzle can have what is wanted.
    pub fn recipe(&self) -> Result<Recipe, RecipeError> {
        self.check_pairs()?;
        self.check_reach()?;
        if self.unbiased {
            return Ok(Recipe::unbiased());
        }
        if let Some(pattern) = self.pattern {
            return self.narrow(Recipe::pattern(pattern, self.minimal)?);
        }
        let recipe = match (&self.blanks, &self.clues, self.difficulty) {
            (Some(blanks), ..) => return self.of_blanks(blanks),
            (None, Some(clues), _) if self.minimal => Recipe::minimal_with_clues(clues.clone())?,
            (None, Some(clues), _) => Recipe::clues(clues.clone())?,
            (None, None, Some(difficulty)) if !self.minimal => Recipe::difficulty(difficulty),
            (None, None, _) => Recipe::minimal(),
        };
        self.narrow(recipe)
    }

    /// Names two wishes that never go together.
    fn check_pairs(&self) -> Result<(), RecipeError> {
        let blanks = (self.blanks.is_some(), "blanks");
        let clues = (self.clues.is_some(), "clues");
        let minimal = (self.minimal, "minimal");
        let hardest = (!self.hardest.is_empty(), "hardest");
        let path = (!self.path.is_empty(), self.path.name());
        let guesses = (self.guesses.is_some(), "guesses");
        let solved_by = (self.naked_singles, "solved-by");
        let several = (!self.unique, "not-unique");
        let difficulty = (self.difficulty.is_some(), "difficulty");
        let rating = (self.rating.is_some(), "rating");
        let te = (self.te.is_some(), "te");
        let symmetry = (self.symmetry != Symmetry::None, "symmetry");
        let pattern = (self.pattern.is_some(), "pattern");
        let per_row = (self.clues_per_row.is_some(), "clues-per-row");
        let per_column = (self.clues_per_column.is_some(), "clues-per-column");
        let per_box = (self.clues_per_box.is_some(), "clues-per-box");
        let per_digit = (self.clues_per_digit.is_some(), "clues-per-digit");
        let missing = (self.missing_digit.is_some(), "missing-digit");
        let unbiased = (self.unbiased, "unbiased");
        let relatives = (self.relatives > 0, "relatives");
        let pairs = [
            (pattern, blanks),
            (pattern, clues),
            (pattern, symmetry),
            (pattern, solved_by),
            (pattern, several),
            (unbiased, pattern),
            (unbiased, blanks),
            (unbiased, clues),
            (unbiased, difficulty),
            (unbiased, rating),
            (unbiased, te),
            (unbiased, hardest),
            (unbiased, path),
            (unbiased, guesses),
            (unbiased, solved_by),
            (unbiased, symmetry),
            (unbiased, several),
            (unbiased, per_row),
            (unbiased, per_column),
            (unbiased, per_box),
            (unbiased, per_digit),
            (unbiased, missing),
            (blanks, clues),
            (blanks, minimal),
            (solved_by, minimal),
            (solved_by, guesses),
            (solved_by, hardest),
            (solved_by, path),
            (solved_by, several),
            (hardest, several),
            (path, several),
            (te, several),
            (relatives, pattern),
            (relatives, unbiased),
            (relatives, solved_by),
            (relatives, symmetry),
            (relatives, several),
        ];
        match pairs.iter().find(|(a, b)| a.0 && b.0) {
            Some((a, b)) => Err(RecipeError::Contradiction(a.1, b.1)),
            None => Ok(()),
        }
    }

    /// Finds wishes that digging does not lead to.
    fn check_reach(&self) -> Result<(), RecipeError> {
        let of_word = self.difficulty.map(Difficulty::ratings);
        let ends = of_word.iter().chain(&self.rating).map(|range| *range.end());
        let most = match (&self.clues, &self.blanks) {
            (Some(clues), _) => Some(*clues.end()),
            (None, Some(blanks)) => CELLS.checked_sub(*blanks.start()),
            (None, None) => None,
        };
        match (ends.min(), most) {
            (Some(rating), Some(clues))
                if rating <= *Difficulty::Easy.ratings().end()
                    && (FEWEST_CLUES..FEWEST_EASY).contains(&clues) =>
            {
                Err(RecipeError::TooFewForEasy { rating, clues })
            }
            _ => Ok(()),
        }
    }

    fn of_blanks(&self, blanks: &RangeInclusive<usize>) -> Result<Recipe, RecipeError> {
        let (first, last) = (*blanks.start(), *blanks.end());
        if first > last || last > CELLS {
            return Err(RecipeError::Range(first, last));
        }
        let recipe = Recipe::clues(CELLS - last..=CELLS - first)?;
        self.narrow(recipe).map_err(|error| match error {
            RecipeError::TooFewClues { .. }
            | RecipeError::Symmetry { .. }
            | RecipeError::Quota(_) => {
                let (blanks, error) = (blanks.clone(), Box::new(error));
                RecipeError::Blanks { blanks, error }
            }
            error => error,
        })
    }

    /// Narrows a recipe that decides about the clues.
    fn narrow(&self, mut recipe: Recipe) -> Result<Recipe, RecipeError> {
        let of_word = self.difficulty.map(Difficulty::ratings);
        for range in of_word.into_iter().chain(self.rating.clone()) {
            recipe = recipe.with_rating(range)?;
        }
        recipe = recipe.with_symmetry(self.symmetry)?;
        if let Some(range) = &self.te {
            recipe = recipe.with_depth(range.clone())?;
        }
        recipe = recipe.with_hardest(self.hardest)?;
        recipe = recipe.with_path(self.path.clone())?;
        self.check_depth(&recipe)?;
        if self.naked_singles {
            recipe = recipe.with_naked_singles()?;
        }
        if let Some(guesses) = &self.guesses {
            recipe = recipe.with_guesses(guesses.clone());
        }
        if !self.unique {
            recipe = recipe.with_several_solutions()?;
        }
        // Its errors come before those of numbers of clues by house.
        recipe.check()?;
        let recipe = self.add_quotas(recipe)?;
        recipe.check()?;
        recipe.with_relatives(self.relatives)
    }

    /// Refuses a depth of trial and error that contradicts the ratings or the steps. Depth 0 means that singles solve
    /// the puzzle.
    fn check_depth(&self, recipe: &Recipe) -> Result<(), RecipeError> {
        let Some(depths) = &self.te else {
            return Ok(());
        };
        let hardest_single = Technique::NakedSingle.rating();
        let (least, most) = match &recipe.ratings {
            Some(range) => (*range.start(), *range.end()),
            None => (Rating::NONE, Rating::HARDEST),
        };
        let wrong = |what: String| Err(RecipeError::Path(what));
        if *depths.end() == TrialDepth::Zero && least > hardest_single {
            return wrong(format!(
                "te 0 stands for puzzles that singles solve: their ER is at most {hardest_single}, and one of {least} or \
                 more is asked for"
            ));
        }
        let only = self.path.only;
        let are_singles = !only.is_empty() && only.and(Techniques::SINGLES) == only;
        if *depths.start() > TrialDepth::Zero
            && (are_singles || most <= Technique::HiddenSingleInLine.rating())
        {
            return wrong("te 1 or more stands for puzzles that singles do not solve".into());
        }
        Ok(())
    }

    /// Narrows the clues of lines.
    fn add_quotas(&self, mut recipe: Recipe) -> Result<Recipe, RecipeError> {
        if let Some(digit) = self.missing_digit {
            recipe = recipe.without_digit(digit)?;
        }
        let houses = [
            (HouseKind::Row, &self.clues_per_row),
            (HouseKind::Column, &self.clues_per_column),
            (HouseKind::Box, &self.clues_per_box),
        ];
        for (kind, clues) in houses {
            if let Some(clues) = clues {
                recipe = recipe.with_clues_per_house(kind, clues.clone())?;
            }
        }
        match &self.clues_per_digit {
            Some(clues) => recipe.with_clues_per_digit(clues.clone()),
            None => Ok(recipe),
        }
    }
}
