//! The recipe for the puzzles that settings ask for, or which settings contradict each other.

use super::{MOST_GUESSES, PuzzlesSettings, counts};
use crate::{
    grid::{CELLS, HouseKind},
    puzzle::{FEWEST_CLUES, FEWEST_EASY, PathWishes, Recipe, RecipeError, Symmetry},
    technique::{Difficulty, Rating, Technique, Techniques, TrialDepth},
};
use std::ops::RangeInclusive;

impl PuzzlesSettings {
    /// The recipe that all settings give together. `for_print` says that puzzles whose clues no setting decides about have
    /// those of printed puzzles. Otherwise they are minimal.
    ///
    /// # Errors
    ///
    /// Two settings contradict each other, or no puzzle can have what is wanted.
    pub(super) fn recipe(&self, for_print: bool) -> Result<Recipe, RecipeError> {
        self.check_pairs()?;
        self.check_reach()?;
        if self.unbiased {
            return Ok(Recipe::unbiased());
        }
        if let Some(pattern) = self.pattern {
            return self.narrow(Recipe::pattern(pattern, self.minimal)?);
        }
        let recipe = match (counts(&self.blanks), counts(&self.clues), self.difficulty) {
            (Some(blanks), ..) => return self.of_blanks(blanks),
            (None, Some(clues), _) if self.minimal => Recipe::minimal_with_clues(clues)?,
            (None, Some(clues), _) => Recipe::clues(clues)?,
            (None, None, Some(difficulty)) if !self.minimal => Recipe::difficulty(difficulty),
            (None, None, None) if for_print && !self.minimal => Recipe::restored(),
            (None, None, _) => Recipe::minimal(),
        };
        self.narrow(recipe)
    }

    /// Returns true if a puzzle may have one solution only.
    fn is_unique(&self) -> bool {
        self.unique && !self.not_unique
    }

    /// The conditions on all steps.
    pub(super) fn path(&self) -> PathWishes {
        PathWishes {
            contains: self.contains,
            first_hard: self.first_hard,
            only: self.only,
            steps: self.steps.clone(),
        }
    }

    /// The guesses that are wanted. Any number is no wish.
    fn wanted_guesses(&self) -> Option<RangeInclusive<u64>> {
        let range = self.guesses.clone();
        range.filter(|range| *range != (0..=MOST_GUESSES))
    }

    /// Names two settings that never go together.
    fn check_pairs(&self) -> Result<(), RecipeError> {
        let blanks = (self.blanks.is_some(), "blanks");
        let clues = (self.clues.is_some(), "clues");
        let minimal = (self.minimal, "minimal");
        let hardest = (!self.hardest.is_empty(), "hardest");
        let path = self.path();
        let path = (!path.is_empty(), path.name());
        let guesses = (self.wanted_guesses().is_some(), "guesses");
        let solved_by = (self.naked_singles, "solved-by");
        let several = (!self.is_unique(), "not-unique");
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

    /// Finds settings that digging does not lead to.
    fn check_reach(&self) -> Result<(), RecipeError> {
        let of_word = self.difficulty.map(Difficulty::ratings);
        let ends = of_word.iter().chain(&self.rating).map(|range| *range.end());
        let most = match (counts(&self.clues), counts(&self.blanks)) {
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

    fn of_blanks(&self, blanks: RangeInclusive<usize>) -> Result<Recipe, RecipeError> {
        let (first, last) = (*blanks.start(), *blanks.end());
        if first > last || last > CELLS {
            return Err(RecipeError::Range(first, last));
        }
        let recipe = Recipe::clues(CELLS - last..=CELLS - first)?;
        self.narrow(recipe).map_err(|error| match error {
            RecipeError::TooFewClues { .. }
            | RecipeError::Symmetry { .. }
            | RecipeError::Quota(_) => {
                let error = Box::new(error);
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
        if let Some(range) = self.depths() {
            recipe = recipe.with_depth(range)?;
        }
        recipe = recipe.with_hardest(self.hardest)?;
        recipe = recipe.with_path(self.path())?;
        self.check_depth(&recipe)?;
        if self.naked_singles {
            recipe = recipe.with_naked_singles()?;
        }
        if let Some(guesses) = self.wanted_guesses() {
            recipe = recipe.with_guesses(guesses);
        }
        if !self.is_unique() {
            recipe = recipe.with_several_solutions()?;
        }
        // Its errors come before those of numbers of clues by house.
        recipe.check()?;
        let recipe = self.add_quotas(recipe)?;
        recipe.check()?;
        recipe.with_relatives(self.relatives)
    }

    /// The depths of trial and error that are wanted.
    fn depths(&self) -> Option<RangeInclusive<TrialDepth>> {
        let depth = |number: &u64| TrialDepth::ALL[(*number).min(3) as usize];
        let range = self.te.as_ref()?;
        Some(depth(range.start())..=depth(range.end()))
    }

    /// Refuses a depth of trial and error that contradicts the ratings or the steps. Depth 0 means that singles solve
    /// the puzzle.
    fn check_depth(&self, recipe: &Recipe) -> Result<(), RecipeError> {
        let Some(depths) = self.depths() else {
            return Ok(());
        };
        let hardest_single = Technique::NakedSingle.rating();
        let (least, most) = match recipe.ratings() {
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
        let only = self.only;
        let are_singles = !only.is_empty() && only.and(Techniques::SINGLES) == only;
        if *depths.start() > TrialDepth::Zero
            && (are_singles || most <= Technique::HiddenSingleInLine.rating())
        {
            return wrong("te 1 or more stands for puzzles that singles do not solve".into());
        }
        Ok(())
    }

    /// Narrows the clues of houses and digits.
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
            if let Some(clues) = counts(clues) {
                recipe = recipe.with_clues_per_house(kind, clues)?;
            }
        }
        match counts(&self.clues_per_digit) {
            Some(clues) => recipe.with_clues_per_digit(clues),
            None => Ok(recipe),
        }
    }
}
