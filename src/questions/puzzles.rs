//! Puzzles by their numbers, as columns of an [`Answer`](super::Answer).

mod recipe;

use super::{
    Audience, Column, Definition, MadeSet, MakeRecords, SetDefinition, SettingError, SummaryField,
    columns::{Columns, NewPuzzle, NewText, columns, kind},
    sets::{INDEX, WhichGrids, settings_of_grids},
    settings::{AnyTechniques, NumberRange, Settings, SolvedBy},
    verification::Check,
};
use crate::{
    generate::{Grids, Source},
    grid::{BLANK, CELLS, Digit, Grid, Puzzle},
    name::NameError,
    puzzle::{
        Maker, Nearest, PathReader, PathWishes, Pattern, Recipe, RecipeError, Refusal, Symmetry,
        capacity, clues_by_line,
    },
    simd::Level,
    solve::{Solver, guesses},
    technique::{Difficulty, Rater, Rating, Technique, Techniques, TrialDepth},
};
use std::{
    ops::{Range, RangeInclusive},
    sync::{Arc, Mutex, PoisonError},
};

settings_of_grids! {
    /// The settings of [`PUZZLES`].
    pub struct PuzzlesSettings {
        /// The number of blanks: a number, or A..B.
        ///
        /// Each number from A to B comes equally often. A.. goes up to 59, because few grids lead to a puzzle with
        /// fewer than 22 clues, and ..B begins at 0.
        pub blanks: Option<RangeInclusive<u64>> as Option<NumberRange<{ CELLS as u64 }, 0, { CELLS as u64 - FEWEST }>>,
        /// The number of clues: a number, or A..B.
        ///
        /// Each number from A to B comes equally often. A.. goes up to 81, and ..B begins at 22, because few grids
        /// lead to a puzzle with fewer clues. With {minimal}: minimal puzzles with a number of clues in this range.
        pub clues: Option<RangeInclusive<u64>> as Option<NumberRange<{ CELLS as u64 }, FEWEST, 81>>,
        /// The difficulty, by the ER.
        pub difficulty: Option<Difficulty>,
        /// The ER: a number, or A..B.
        ///
        /// From 1.0 to 11.9; A.. and ..B are open ends. Ratings above 4.4 take longer to make.
        pub rating: Option<RangeInclusive<Rating>>,
        /// The technique that solves them alone; with {blanks} or {clues}.
        #[setting(named("solved-by"))]
        pub naked_singles: bool as SolvedBy,
        /// The depth of trial and error, from 0 to 3: a number, or A..B.
        ///
        /// Nearly all puzzles have 0 or 1.
        pub te: Option<RangeInclusive<u64>> as Option<NumberRange<3, 0, 3>>,
        /// The hardest step is one of these: X-wing.
        ///
        /// The names are those of `rate`, with commas between, and those of families: singles, hidden single (with the
        /// last cell), locked candidates, unique rectangle, unique loop, BUG, uniqueness.
        #[setting(alias("needs"))]
        pub hardest: Techniques as AnyTechniques,
        /// Some step is one of these techniques.
        ///
        /// The steps are those of `rate` with explanations: always the first of the easiest. Techniques up to 4.4 are
        /// looked for before the first step that is harder.
        pub contains: Techniques as AnyTechniques,
        /// The first hard step is one of these techniques.
        ///
        /// A hard step is one with a rating above 2.3, that of a naked single.
        pub first_hard: Techniques as AnyTechniques,
        /// No other technique is used: singles,pointing.
        ///
        /// Direct pointing goes with pointing, and so do the other direct techniques.
        pub only: Techniques as AnyTechniques,
        /// The number of hard steps: a number, or A..B.
        ///
        /// Hard steps have a rating above 2.3. The ER is at most 4.4 unless another setting asks for more.
        pub steps: Option<RangeInclusive<u64>> as Option<NumberRange<999, 0, 999>>,
        /// Follow each puzzle with up to N relatives that have all that is asked for too.
        ///
        /// A relative differs in one clue from the puzzle, or from a relative before it. Rare techniques are found up to
        /// ten times as fast so. The solutions of a puzzle and its relatives are no symmetric copies of each other, but their
        /// steps are often alike. Puzzles 0 to N are related, and so are N + 1 to 2N + 1, and so on.
        pub relatives: u64 = "0",
        /// The guesses of the reference search: a number, or A..B.
        ///
        /// 100.. asks for at least 100.
        pub guesses: Option<RangeInclusive<u64>> as Option<NumberRange<MOST_GUESSES, 0, MOST_GUESSES>>,
        /// Make only minimal puzzles: each clue is needed.
        pub minimal: bool,
        /// A symmetry of the pattern of clues.
        ///
        /// With {minimal}: no group of symmetric clues can be removed.
        pub symmetry: Symmetry = "none",
        /// The number of clues in each row: a number, or A..B.
        pub clues_per_row: Option<RangeInclusive<u64>> as Option<NumberRange<9, 0, 9>>,
        /// The number of clues in each column.
        pub clues_per_column: Option<RangeInclusive<u64>> as Option<NumberRange<9, 0, 9>>,
        /// The number of clues in each box.
        pub clues_per_box: Option<RangeInclusive<u64>> as Option<NumberRange<9, 0, 9>>,
        /// The number of clues of each digit.
        pub clues_per_digit: Option<RangeInclusive<u64>> as Option<NumberRange<9, 0, 9>>,
        /// No clue has this digit.
        pub missing_digit: Option<Digit>,
        /// Clues exactly where this mask has an X.
        ///
        /// 81 characters of X and ., on one line or nine, or for the command a file with them. Goes with
        /// {difficulty}, {rating}, {hardest}, {guesses} and {minimal}.
        pub pattern: Option<Pattern>,
        /// Minimal puzzles with weights for unbiased means.
        ///
        /// The mean weight estimates the number of all minimal puzzles: docs/internals/unbiased.md proves it.
        pub unbiased: bool,
        /// With {blanks} or {clues}: a puzzle may have several solutions.
        #[setting(at(Audience::Command))]
        pub not_unique: bool,
        /// Each puzzle has one solution. Without that, a puzzle with a number of blanks or clues may have several.
        #[setting(at(Audience::Bindings))]
        pub unique: bool = "true",
        /// Take the distinct grids of `generate`, in place of uniform samples of all grids.
        pub sequence: bool,
        /// Add the columns er and technique. Up to an ER of 4.4 they are known, or any if a difficulty or a rating is
        /// wanted.
        #[setting(at(Audience::Bindings))]
        pub ratings: bool,
    }
    in order: #[setting(excludes("seed"), needs("sequence"))]
}

columns! {
    /// The columns of [`PUZZLES`].
    struct PuzzlesColumns, PuzzlesRow for PuzzlesSettings {
        index = INDEX,
        /// the puzzle
        puzzle: kind::Puzzles,
        /// the solution
        solution: kind::Cells,
        /// the number of clues
        #[column(up_to(81))]
        clues: kind::Numbers,
        /// the numbers of clues in rows 1 to 9
        row_clues if clues_per_row: Option<kind::Text>,
        /// the numbers of clues in columns 1 to 9
        column_clues if clues_per_column: Option<kind::Text>,
        /// the numbers of clues in boxes 1 to 9
        box_clues if clues_per_box: Option<kind::Text>,
        /// the numbers of clues of digits 1 to 9, with a missing digit too
        digit_clues if clues_per_digit: Option<kind::Text>,
        /// the difficulty that was asked for
        difficulty if difficulty: Option<kind::Names<Difficulty>>,
        /// the guesses of the reference search
        guesses if guesses: Option<kind::Numbers>,
        /// the depth of trial and error
        te if te: Option<kind::Names<TrialDepth>>,
        /// the rating of the hardest step
        er if rating: Option<kind::Ratings>,
        /// the technique of the hardest step
        technique if rating: Option<kind::Names<Technique>>,
        /// the number of minimal puzzles that it stands for
        weight if unbiased: Option<kind::Reals>,
        /// the first step of the techniques that were asked for
        contains if contains: Option<kind::Names<Technique>>,
        /// the technique of the first hard step
        first_hard if first_hard: Option<kind::Names<Technique>>,
        /// the number of hard steps
        steps if steps: Option<kind::Numbers>,
    }
}

/// Makes puzzles by their numbers.
///
/// ```
/// use sudoku_batch::questions::PUZZLES;
/// let error = PUZZLES.with([("blanks", "51"), ("clues", "30")]).unwrap_err();
/// assert_eq!(error.to_string(), "blanks cannot be used with clues");
/// ```
pub static PUZZLES: SetDefinition = Definition {
    name: "puzzles",
    about: "Make puzzles with exactly one solution",
    details: "",
    settings: PuzzlesSettings::TABLE,
    columns: PuzzlesColumns::TABLE,
    make: |texts| Ok(Box::new(PuzzlesSettings::of_texts(texts)?.set()?)),
};

impl PuzzlesSettings {
    /// The set of puzzles.
    ///
    /// Its level is what the settings ask of ratings and steps. Each level draws uniform grids of its own, from a seed that is
    /// mixed of [`seed`](Self::seed) and the level, so two levels of one seed have no grid in common. (Any two grids
    /// are the same with a probability of 1 in 6.7 · 10^21.) Without a level the grids are those of
    /// [`Grids::uniform`].
    ///
    /// ```
    /// use sudoku_batch::{questions::PuzzlesSettings, technique::{self, Difficulty}};
    /// let settings = PuzzlesSettings {
    ///     difficulty: Some(Difficulty::Hard),
    ///     clues_per_box: Some(2..=4),
    ///     ..PuzzlesSettings::default()
    /// };
    /// let (puzzle, solution) = settings.set()?.iter(0..1).next().flatten().expect("most grids have such puzzles");
    /// assert!(solution.is_solution_of(&puzzle));
    /// let ratings = technique::rate(&puzzle).unwrap();
    /// assert_eq!(Difficulty::of(ratings.er), Difficulty::Hard);
    /// # Ok::<(), sudoku_batch::questions::SettingError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No puzzle can have what is wanted, or a value is one that no text has:
    ///
    /// ```
    /// use sudoku_batch::questions::PuzzlesSettings;
    /// let settings = PuzzlesSettings {
    ///     clues: Some(20..=20),
    ///     clues_per_box: Some(3..=4),
    ///     ..PuzzlesSettings::default()
    /// };
    /// let error = settings.set().unwrap_err();
    /// assert_eq!(error.to_string(), "20 clues are asked for, and the quota of each box takes 27 to 36 clues");
    /// ```
    pub fn set(&self) -> Result<PuzzleSet, SettingError> {
        self.set_of(false)
    }

    /// The set of puzzles, with 22 to 32 clues, as printed puzzles and those of a difficulty have them, where the settings
    /// do not decide about clues otherwise. Clues are given back to a minimal puzzle as long as the rating is the one
    /// that is wanted.
    ///
    /// ```
    /// use sudoku_batch::{questions::PuzzlesSettings, technique::Rating};
    /// let rating = Some(Rating::from_tenths(20)..=Rating::from_tenths(28));
    /// let settings = PuzzlesSettings { rating, ..PuzzlesSettings::default() };
    /// let minimal = settings.set()?.iter(0..20).flatten().map(|(puzzle, _)| puzzle.clue_count());
    /// let printed = settings.printed_set()?.iter(0..20).flatten().map(|(puzzle, _)| puzzle.clue_count());
    /// assert!(printed.sum::<usize>() > minimal.sum());
    /// # Ok::<(), sudoku_batch::questions::SettingError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`set`](Self::set).
    pub fn printed_set(&self) -> Result<PuzzleSet, SettingError> {
        self.set_of(true)
    }

    fn set_of(&self, for_print: bool) -> Result<PuzzleSet, SettingError> {
        self.check()?;
        let mut which = WhichGrids {
            uniform: !self.sequence,
            ..self.which()
        };
        let recipe = self.recipe(for_print).map_err(refused)?;
        let mut grids = which.grids();
        recipe.check_grids(&grids).map_err(refused)?;
        let facts = which.facts();
        // The grids of a sequence have an order that the user asks for: each level has the same.
        if which.uniform {
            which.seed = recipe.seed_of_level(which.seed);
            grids = which.grids();
        }
        let is_rated =
            self.rating.is_some() || !self.hardest.is_empty() || self.difficulty.is_some();
        let set = PuzzleSet {
            grids,
            seed: which.seed,
            recipe,
            refusal: None,
            settings: self.clone(),
            rated_up_to: is_rated.then_some(Rating::HARDEST),
            level: None,
            blank: BLANK,
            facts,
            nearest: Arc::default(),
        };
        Ok(match self.ratings {
            true => set.with_ratings(),
            false => set,
        })
    }
}

/// A wish that no puzzle can have.
fn refused(wrong: RecipeError) -> SettingError {
    SettingError::of_several(wrong.to_string())
}

/// A range of counts of cells and the like.
fn counts(range: &Option<RangeInclusive<u64>>) -> Option<RangeInclusive<usize>> {
    let range = range.as_ref()?;
    Some(*range.start() as usize..=*range.end() as usize)
}

/// The counts of rated puzzles that were tried and did not fit. An interface tells them where some puzzles could not be made.
#[doc(hidden)]
pub const MISSES: [&str; 3] = ["too-easy", "too-hard", "with-other-steps"];

/// The fewest clues with which nearly every puzzle that is asked for is made: of 200, 199 with 22 clues, 73 with 21
/// and 2 with 20. Ranges of clues that name no least number begin there.
const FEWEST: u64 = 22;

/// The most guesses that a range can name. No puzzle with one solution that is known needs a thousandth of it.
const MOST_GUESSES: u64 = 1_000_000_000;

/// Puzzles by their numbers, each with its solution and what is known of it. [`PuzzlesSettings::set`] makes one.
///
/// The columns are `index`, `puzzle`, `solution` and `clues`. A wish for the clues of rows adds `row_clues`, and
/// so on. A wish for a difficulty, for guesses, for a depth, or for a rating or a technique adds `difficulty`, `guesses`,
/// `te`, or `er` and `technique`; conditions on steps add `contains`, `first_hard` and `steps`, and unbiased puzzles have
/// a `weight`.
///
/// ```
/// use sudoku_batch::questions::{Data, MadeSet, PuzzlesSettings};
/// let set = PuzzlesSettings { unbiased: true, ..PuzzlesSettings::default() }.set()?;
/// let answer = set.make(0..2000);
/// let (Data::Reals(weights), Data::Numbers(clues)) = (answer.named("weight"), answer.named("clues")) else {
///     unreachable!()
/// };
/// let (mut sum, mut of_clues) = (0.0, 0.0);
/// for (weight, clues) in weights.iter().zip(clues) {
///     sum += weight.unwrap();
///     of_clues += weight.unwrap() * clues.unwrap() as f64;
/// }
/// // There are 3.1 times 10^37 minimal puzzles. They have 26.6 clues.
/// assert!((1e37..1e38).contains(&(sum / 2000.0)));
/// assert!((26.0..27.2).contains(&(of_clues / sum)));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PuzzleSet {
    grids: Grids,
    /// The seed of the maker: that of the level, where the grids are drawn.
    seed: u64,
    recipe: Recipe,
    refusal: Option<Refusal>,
    settings: PuzzlesSettings,
    /// The ER up to which puzzles are rated, if they are.
    rated_up_to: Option<Rating>,
    level: Option<Level>,
    blank: u8,
    facts: Vec<(&'static str, SummaryField)>,
    /// The nearest of the hard puzzles that were not made, by all threads.
    nearest: Arc<Mutex<Option<Nearest>>>,
}

impl PuzzleSet {
    /// The puzzles and their solutions with these numbers, in order. A place is `None` if [`MOST_TRIES`] grids did not lead to
    /// a puzzle that is wanted, or if no grid was [given](Self::with_grids) for it.
    ///
    /// Some thousand are made at a time, and hard ones that are climbed to in small numbers.
    ///
    /// ```
    /// use sudoku_batch::questions::PuzzlesSettings;
    /// let set = PuzzlesSettings { clues: Some(28..=30), seed: 7, ..PuzzlesSettings::default() }.set()?;
    /// for (puzzle, solution) in set.iter(0..100).flatten() {
    ///     assert!((28..=30).contains(&puzzle.clue_count()));
    ///     assert!(solution.is_solution_of(&puzzle));
    /// }
    /// # Ok::<(), sudoku_batch::questions::SettingError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When there are fewer grids than the numbers require.
    ///
    /// [`MOST_TRIES`]: crate::puzzle::MOST_TRIES
    pub fn iter(
        &self,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = Option<(Puzzle, Grid)>> + use<> {
        let made = self.maker().into_puzzles(numbers);
        made.map(|made| made.map(|made| (made.puzzle, made.solution)))
    }

    fn maker(&self) -> Maker {
        let solver = match self.level {
            Some(level) => Solver::with_level(level).expect("the level is checked"),
            None => Solver::new(),
        };
        let maker = Maker::new(solver, self.grids.clone(), self.seed, self.recipe.clone());
        let maker = maker.expect("the recipe is checked");
        maker.refusing(self.refusal.clone())
    }

    /// The set with these grids in place of others, whatever the level.
    ///
    /// ```
    /// use sudoku_batch::{generate::Grids, questions::PuzzlesSettings};
    /// let grids = Grids::seeded(3);
    /// let set = PuzzlesSettings::default().set()?.with_grids(grids.clone())?;
    /// let (_, solution) = set.iter(5..6).next().flatten().expect("nearly every grid gives a minimal puzzle");
    /// assert_eq!(Some(solution), grids.grid(5));
    /// # Ok::<(), sudoku_batch::questions::SettingError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The puzzles that are wanted are made from samples alone.
    pub fn with_grids(self, grids: Grids) -> Result<Self, SettingError> {
        self.recipe.check_grids(&grids).map_err(refused)?;
        Ok(Self {
            grids,
            seed: self.settings.seed,
            ..self
        })
    }

    /// The set without the puzzles that `refuses` returns true for. It takes a puzzle and its solution. The maker tries
    /// another grid for the number of such a puzzle, as for one that is not what is wanted. So puzzle i depends on `refuses`
    /// too, which should always answer the same about a puzzle.
    ///
    /// ```
    /// use sudoku_batch::questions::PuzzlesSettings;
    /// let settings = PuzzlesSettings { seed: 7, ..PuzzlesSettings::default() };
    /// let (_, known) = settings.set()?.iter(0..1).next().flatten().unwrap();
    /// let set = settings.set()?.with_refusal(move |_, solution| *solution == known)?;
    /// assert_ne!(set.iter(0..1).next().flatten().unwrap().1, known);
    /// # Ok::<(), sudoku_batch::questions::SettingError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The puzzles are [unbiased](PuzzlesSettings::unbiased): the weight of a puzzle is that of its first try, and a sample
    /// without some puzzles is not one of all.
    pub fn with_refusal(
        self,
        refuses: impl Fn(&Puzzle, &Grid) -> bool + Send + Sync + 'static,
    ) -> Result<Self, SettingError> {
        self.recipe.check_refusal().map_err(refused)?;
        Ok(Self {
            refusal: Some(Refusal::new(refuses)),
            ..self
        })
    }

    /// The set, made with this instruction set. The puzzles are the same.
    ///
    /// # Errors
    ///
    /// This CPU does not have it.
    pub fn with_level(self, level: Level) -> Result<Self, NameError> {
        level.check()?;
        Ok(Self {
            level: Some(level),
            ..self
        })
    }

    /// The number of puzzles that are made together, if they are so hard that the maker climbs to them, which takes
    /// seconds.
    pub fn climbs_for(&self) -> Option<u64> {
        self.recipe.climbs_for(&self.grids)
    }

    /// Returns true if each of the puzzles has one solution.
    pub fn is_unique(&self) -> bool {
        self.recipe.is_unique()
    }

    /// The set with `er` and `technique` too. If no wish is about ratings, both are empty above 4.4, because the steps
    /// there take long to find.
    #[must_use]
    pub fn with_ratings(mut self) -> Self {
        let usual = match self.settings.difficulty {
            Some(_) => Rating::HARDEST,
            None => Rating::IN_PLANES,
        };
        self.rated_up_to.get_or_insert(usual);
        self
    }

    /// The set with this character for blanks, such as `b'0'`.
    #[must_use]
    pub fn with_blank(mut self, blank: u8) -> Self {
        self.blank = blank;
        self
    }

    /// Returns true if the columns of a setting are there.
    fn has(&self, setting: &str) -> bool {
        let wanted = &self.settings;
        match setting {
            "difficulty" => wanted.difficulty.is_some(),
            "clues-per-row" => wanted.clues_per_row.is_some(),
            "clues-per-column" => wanted.clues_per_column.is_some(),
            "clues-per-box" => wanted.clues_per_box.is_some(),
            "clues-per-digit" => wanted.clues_per_digit.is_some() || wanted.missing_digit.is_some(),
            "guesses" => wanted.guesses.is_some(),
            "te" => wanted.te.is_some(),
            "rating" => self.rated_up_to.is_some(),
            "unbiased" => wanted.unbiased,
            "contains" => !wanted.contains.is_empty(),
            "first-hard" => !wanted.first_hard.is_empty(),
            "steps" => wanted.steps.is_some(),
            other => unreachable!("{other} asks for no column"),
        }
    }

    fn into_worker(self) -> MakeRecords {
        let mut maker = self.maker();
        let mut rater = self
            .rated_up_to
            .map(|most| Rater::new().with_max_rating(most));
        let columns = PuzzlesColumns::with(|setting| self.has(setting));
        let tallies = [
            columns.row_clues,
            columns.column_clues,
            columns.box_clues,
            columns.digit_clues,
        ];
        let has_tallies = tallies.iter().any(Option::is_some);
        let (path, mut paths) = (self.settings.path(), PathReader::default());
        let mut trials = columns.te.map(|_| Rater::new());
        let mut made = Vec::new();
        Box::new(move |numbers, answer| {
            made.clear();
            made.resize((numbers.end - numbers.start) as usize, None);
            maker.make_batch(numbers.start, &mut made);
            if let Some(nearest) = maker.take_nearest() {
                let mut all = self.nearest.lock().unwrap_or_else(PoisonError::into_inner);
                nearest.note_in(&mut all);
            }
            let count = made.iter().flatten().count();
            answer.counts.add("made", count as u64);
            answer.counts.add("not-made", (made.len() - count) as u64);
            let misses = maker.misses();
            for (name, n) in
                MISSES
                    .into_iter()
                    .zip([misses.too_easy, misses.too_hard, misses.other_path])
            {
                answer.counts.add(name, n);
            }
            let needs_guesses = columns.guesses.is_some_and(|at| answer.is_wanted(at));
            let needs_te = columns.te.is_some_and(|at| answer.is_wanted(at));
            let needs_er = columns.er.is_some_and(|at| answer.is_wanted(at));
            // The maker knows the ratings of puzzles that it has made for one, but for chains of which
            // all are wanted.
            let mut hardest: Vec<_> = made.iter().map(|made| made.as_ref()?.hardest).collect();
            if let Some(rater) = rater.as_mut().filter(|_| needs_er) {
                let unknown: Vec<usize> = (0..made.len())
                    .filter(|&at| made[at].is_some() && hardest[at].is_none())
                    .collect();
                let cells = unknown.iter().flat_map(|&at| &made[at]);
                let cells: Vec<[u8; CELLS]> = cells.map(|made| *made.puzzle.as_ascii()).collect();
                let mut unknown = unknown.into_iter();
                rater.rate_cells(&cells, |ratings| {
                    let at = unknown.next().expect("an answer for each puzzle");
                    // Without the promise of one solution there may be no rating.
                    hardest[at] = ratings
                        .ok()
                        .and_then(|ratings| ratings.er.zip(ratings.technique));
                });
            }
            let mut depths = Vec::new();
            if let Some(rater) = trials.as_mut().filter(|_| needs_te) {
                let puzzles: Vec<_> = made.iter().flatten().map(|made| made.puzzle).collect();
                depths = rater.trial_depths(&puzzles);
            }
            let mut depths = depths.into_iter();
            for (at, (made, hardest)) in made.iter().zip(&hardest).enumerate() {
                let Some(made) = made else {
                    answer.nothing(at);
                    continue;
                };
                let mut puzzle = *made.puzzle.as_ascii();
                if self.blank != BLANK {
                    let blanks = puzzle.iter_mut().filter(|cell| **cell == BLANK);
                    blanks.for_each(|cell| *cell = self.blank);
                }
                let tallies = has_tallies.then(|| {
                    let clues = clues_by_line(&made.puzzle);
                    clues.map(|clues| [b'0' + clues, b' '])
                });
                let tally = |of: usize| match &tallies {
                    Some(tallies) => {
                        NewText::from(tallies[9 * of..][..9].as_flattened().trim_ascii())
                    }
                    None => NewText::Nothing,
                };
                let (er, technique) = hardest.unzip();
                // `only` has no column: its path is not read again.
                let is_shown = columns.contains.is_some()
                    || columns.first_hard.is_some()
                    || columns.steps.is_some();
                let found = is_shown.then(|| paths.find(&made.puzzle, &path).0);
                let row = PuzzlesRow {
                    puzzle: NewPuzzle::Cells(&puzzle),
                    solution: Some(made.solution.as_ascii()),
                    clues: Some(made.puzzle.clue_count() as u64),
                    row_clues: columns.row_clues.map(|_| tally(0)),
                    column_clues: columns.column_clues.map(|_| tally(1)),
                    box_clues: columns.box_clues.map(|_| tally(2)),
                    digit_clues: columns.digit_clues.map(|_| tally(3)),
                    difficulty: columns.difficulty.map(|_| self.settings.difficulty),
                    guesses: columns.guesses.map(|_| match needs_guesses {
                        true => guesses(&made.puzzle, u64::MAX),
                        false => None,
                    }),
                    te: columns.te.map(|_| depths.next().and_then(Result::ok)),
                    er: columns.er.map(|_| er),
                    technique: columns.technique.map(|_| technique),
                    weight: columns.weight.map(|_| made.weight),
                    contains: columns.contains.map(|_| found.as_ref()?.contains),
                    first_hard: columns.first_hard.map(|_| found.as_ref()?.first_hard),
                    steps: columns
                        .steps
                        .map(|_| found.as_ref().map(|found| found.steps)),
                };
                columns.push(answer, at, row);
            }
        })
    }
}

impl MadeSet for PuzzleSet {
    fn columns(&self) -> Vec<Column> {
        let is_there = |column: &&Column| column.when.is_none_or(|setting| self.has(setting));
        PUZZLES.columns.iter().filter(is_there).copied().collect()
    }

    fn worker(&self) -> MakeRecords {
        self.clone().into_worker()
    }

    fn check(&self) -> Check {
        Check::Puzzles(Box::new(self.recipe.clone()))
    }

    fn capacity(&self) -> u64 {
        capacity(&self.grids)
    }

    /// Thousands keep the solver busy. Of those of a pattern hundreds do, and they take far longer. A hard one is made
    /// alone, or with those that share its climb.
    fn batch(&self) -> usize {
        match (self.climbs_for(), self.settings.pattern) {
            (Some(_), _) => self.together(),
            (None, Some(_)) => 256,
            (None, None) => 4096,
        }
    }

    fn together(&self) -> usize {
        self.recipe.together(&self.grids) as usize
    }

    fn facts(&self) -> Vec<(&'static str, SummaryField)> {
        let grids = match self.grids.source {
            Source::Uniform(_) => "uniform",
            Source::Sequence(_) => "sequence",
            Source::Given { .. } => "given",
        };
        let grids = ("grids", SummaryField::Words(grids.into()));
        let nearest = self.nearest.lock().unwrap_or_else(PoisonError::into_inner);
        let nearest = nearest.as_ref().map(|nearest| {
            let words = format!("ER {} {}", nearest.er, nearest.puzzle);
            ("nearest", SummaryField::Words(words))
        });
        let facts = [grids].into_iter().chain(self.facts.clone());
        facts.chain(nearest).collect()
    }
}

/// Refuses conditions on puzzles that are not made if no puzzle can meet them: an ER in a range, one of some difficulties, a
/// technique of the hardest step, and the path.
///
/// # Errors
///
/// No puzzle has all of them. The message says which ratings there are.
pub(super) fn check_how_hard(
    rating: Option<RangeInclusive<Rating>>,
    difficulties: &[Difficulty],
    hardest: Techniques,
    path: &PathWishes,
) -> Result<(), SettingError> {
    let recipes = vec![Recipe::minimal()];
    let recipes = narrowed(recipes, rating.as_slice(), |recipe, range| {
        recipe.with_rating(range.clone())
    });
    let recipes = recipes.and_then(|recipes| {
        narrowed(recipes, difficulties, |recipe, difficulty| {
            recipe.with_rating(difficulty.ratings())
        })
    });
    let recipes = recipes.and_then(|recipes| {
        narrowed(recipes, &[path], |recipe, path| {
            recipe.with_hardest(hardest)?.with_path((*path).clone())
        })
    });
    recipes.map(drop).map_err(refused)
}

/// The recipes with one more wish out of some, as far as they are possible.
fn narrowed<W>(
    recipes: Vec<Recipe>,
    wishes: &[W],
    narrow: impl Fn(Recipe, &W) -> Result<Recipe, RecipeError>,
) -> Result<Vec<Recipe>, RecipeError> {
    if wishes.is_empty() {
        return Ok(recipes);
    }
    let (mut possible, mut wrong) = (Vec::new(), None);
    for recipe in &recipes {
        for wish in wishes {
            match narrow(recipe.clone(), wish) {
                Ok(recipe) => possible.push(recipe),
                Err(error) => wrong = Some(error),
            }
        }
    }
    match wrong {
        Some(wrong) if possible.is_empty() => Err(wrong),
        _ => Ok(possible),
    }
}
