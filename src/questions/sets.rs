//! Sets of records that are made by their numbers: grids and puzzles, as columns of an [`Answer`].
//!
//! An interface makes any slice of a set, on any number of threads. It writes the columns by their kinds, as it
//! writes those of a question.
//!
//! ```
//! use sudoku_batch::{generate::Sequence, questions::{Answer, Data, GENERATE}};
//! let set = GENERATE.with([("seed", "7")])?;
//! let mut answer = Answer::of(&set.columns());
//! answer.begin(3);
//! set.worker()(40..43, &mut answer);
//! let Data::Cells(lines) = answer.named("grid") else { unreachable!() };
//! assert_eq!(lines[2][..81], *Sequence::seeded(7).grid(42).unwrap().as_ascii());
//! # Ok::<(), sudoku_batch::questions::SettingError>(())
//! ```

use super::{
    Answer, Audience, Column, Definition, SettingError, SummaryField,
    columns::{Columns, NewPuzzle, NewText, columns, kind},
    settings::{AnyTechniques, NumberRange, Settings, SolvedBy},
    verification::Check,
};
use crate::{
    format::Values,
    generate::{Grids, Sequence, Uniform},
    grid::{BLANK, CELLS, Digit},
    puzzle::{
        Made, Maker, Nearest, PathReader, PathWishes, Pattern, Recipe, RecipeError, Refusal,
        Symmetry, Wanted, capacity, clues_by_line,
    },
    solve::{Solver, guesses},
    technique::{Difficulty, Rater, Rating, Technique, Techniques, TrialDepth},
};
use std::{
    fmt::Debug,
    ops::{Range, RangeInclusive},
    sync::{Arc, Mutex, PoisonError},
};

/// A set of records that are made by their numbers.
pub trait MadeSet: Debug + Send + Sync {
    /// The columns. The first is the number of the record, counted from 0, and takes no values.
    fn columns(&self) -> Vec<Column>;

    /// The work of a thread, with its memory. It makes the records with some numbers, as rows of an answer that
    /// has [begun](Answer::begin) with as many records. A record that cannot be made has
    /// [nothing](Answer::nothing).
    fn worker(&self) -> MakeRecords;

    /// How the records are checked by a method that shares no code with the one that made them.
    fn check(&self) -> Check;

    /// The number of records: they have the numbers below this.
    fn capacity(&self) -> u64;

    /// The numbers of `count` records from `first` on.
    ///
    /// # Errors
    ///
    /// There are not so many.
    fn numbers(&self, first: u64, count: u64) -> Result<Range<u64>, SettingError> {
        let capacity = self.capacity();
        let end = first.checked_add(count).filter(|end| *end <= capacity);
        let message =
            || format!("there are {capacity}, and {count} from number {first} on are asked for");
        end.map(|end| first..end)
            .ok_or_else(|| SettingError::of_several(message()))
    }

    /// The most records that a thread should make at a time, where an interface must listen to its user meanwhile.
    fn batch(&self) -> usize {
        10_240
    }

    /// The number of records that are made together: those whose numbers have the same quotient by it. Parts of them made by
    /// several threads take each thread as long as all of them.
    fn together(&self) -> usize {
        1
    }

    /// Facts for a summary: which grids.
    fn facts(&self) -> Vec<(&'static str, SummaryField)> {
        Vec::new()
    }
}

/// Makes the records with these numbers: see [`MadeSet::worker`]. An interface keeps it from call to call.
#[doc(hidden)]
pub type MakeRecords = Box<dyn FnMut(Range<u64>, &mut Answer<'_>) + Send>;

/// The definition of a set.
#[doc(hidden)]
pub type SetDefinition = Definition<fn(&[(usize, &str)]) -> Result<Box<dyn MadeSet>, SettingError>>;

impl SetDefinition {
    /// The set with these settings: names and texts.
    ///
    /// # Errors
    ///
    /// A name is not known, a text is no value of its setting, two settings do not go together, or no record can
    /// have what is wanted.
    pub fn with<'t>(
        &'static self,
        settings: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Box<dyn MadeSet>, SettingError> {
        (self.make)(&self.places(settings)?)
    }
}

/// Declares settings with those of grids at the end, which questions about the same grids have too. `in order` takes
/// the settings that `in-order` excludes and needs.
macro_rules! settings_of_grids {
    (
        $(#[$of_struct:meta])*
        pub struct $name:ident { $($own:tt)* }
        in order: $($of_order:tt)*
    ) => {
        $crate::questions::settings::settings! {
            $(#[$of_struct])*
            pub struct $name {
                $($own)*
                /// Seed of random choices.
                pub seed: u64 = "0",
                /// Number the grids in plain order, in which neighbours look alike.
                $($of_order)*
                pub in_order: bool,
                /// Only grids with this digit in the top left cell.
                pub first_digit: Option<$crate::grid::Digit>,
                /// Only grids whose first digit belongs to a student number: its last two digits added, modulo 9, plus 1.
                #[setting(excludes("first-digit"), at(Audience::Command))]
                pub student: Option<$crate::grid::Digit> as Option<$crate::questions::settings::Student>,
            }
        }

        impl $name {
            /// The grids of the sequence that they ask for.
            pub(super) fn which(&self) -> $crate::questions::sets::WhichGrids {
                $crate::questions::sets::WhichGrids {
                    seed: self.seed,
                    in_order: self.in_order,
                    uniform: false,
                    first_digit: self.first_digit.or(self.student),
                }
            }
        }
    };
}

pub(super) use settings_of_grids;

settings_of_grids! {
    /// The settings of [`GENERATE`].
    pub struct GenerateSettings {
        /// Make uniform samples of all grids, in place of the sequence of distinct ones.
        ///
        /// Sample i of a seed is made from the seed and i alone, so slices and shards work as in the sequence.
        #[setting(excludes("in-order"))]
        pub uniform: bool,
    }
    in order: #[setting(excludes("seed"))]
}

columns! {
    /// The columns of [`GENERATE`].
    struct GenerateColumns, GenerateRow for GenerateSettings {
        index = INDEX,
        /// the grid
        grid: kind::Cells,
    }
}

/// Makes solved grids by their numbers.
///
/// ```
/// use sudoku_batch::questions::GENERATE;
/// let set = GENERATE.with([("seed", "7"), ("first-digit", "4")])?;
/// assert_eq!(set.columns().iter().map(|column| column.name).collect::<Vec<_>>(), ["index", "grid"]);
/// assert_eq!(set.capacity(), 34_673_723_965_440);
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static GENERATE: SetDefinition = Definition {
    name: "generate",
    about: "Make solved grids: all different, or uniform samples",
    details: "",
    settings: GenerateSettings::TABLE,
    columns: GenerateColumns::TABLE,
    make: |texts| Ok(GenerateSettings::of_texts(texts)?.set()),
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
    /// The set of puzzles. Each level draws uniform grids of its own, as [`Maker::seeded`]
    /// does.
    ///
    /// # Errors
    ///
    /// No puzzle can have what is wanted, or a value is one that no text has.
    pub fn set(&self) -> Result<PuzzleSet, SettingError> {
        self.check()?;
        let mut which = WhichGrids {
            uniform: !self.sequence,
            ..self.which()
        };
        let wanted = self.wanted();
        let has_guesses = self.guesses.is_some();
        let set = PuzzleSet::new(which.grids(), which.seed, &wanted, has_guesses);
        let mut set = set.map_err(|wrong| SettingError::of_several(wrong.to_string()))?;
        set.facts = which.facts();
        // The grids of a sequence have an order that the user asks for: each level has the same.
        if which.uniform {
            which.seed = set.recipe.seed_of_level(which.seed);
            set.seed = which.seed;
            set.grids = which.grids();
        }
        Ok(if self.ratings {
            set.with_ratings()
        } else {
            set
        })
    }

    /// The wishes for each puzzle.
    fn wanted(&self) -> Wanted {
        Wanted {
            blanks: counts(&self.blanks),
            clues: counts(&self.clues),
            difficulty: self.difficulty,
            rating: self.rating.clone(),
            te: self.te.as_ref().map(|te| {
                let depth = |number: &u64| TrialDepth::ALL[(*number).min(3) as usize];
                depth(te.start())..=depth(te.end())
            }),
            hardest: self.hardest,
            path: PathWishes {
                contains: self.contains,
                first_hard: self.first_hard,
                only: self.only,
                steps: self.steps.clone(),
            },
            relatives: self.relatives,
            // Any number is no wish.
            guesses: self
                .guesses
                .clone()
                .filter(|range| *range != (0..=MOST_GUESSES)),
            naked_singles: self.naked_singles,
            minimal: self.minimal,
            symmetry: self.symmetry,
            clues_per_row: counts(&self.clues_per_row),
            clues_per_column: counts(&self.clues_per_column),
            clues_per_box: counts(&self.clues_per_box),
            clues_per_digit: counts(&self.clues_per_digit),
            missing_digit: self.missing_digit,
            pattern: self.pattern,
            unbiased: self.unbiased,
            unique: self.unique && !self.not_unique,
        }
    }
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

/// The sets that have a definition.
pub static SETS: &[&SetDefinition] = &[&GENERATE, &PUZZLES];

/// The grids that these settings ask for.
#[derive(Clone, Debug, Default)]
pub(super) struct WhichGrids {
    pub(super) seed: u64,
    pub(super) in_order: bool,
    pub(super) uniform: bool,
    pub(super) first_digit: Option<Digit>,
}

impl WhichGrids {
    /// The sequence of distinct grids.
    pub(super) fn sequence(&self) -> Sequence {
        let sequence = if self.in_order {
            Sequence::in_order()
        } else {
            Sequence::seeded(self.seed)
        };
        match self.first_digit {
            Some(digit) => sequence.with_first_digit(digit),
            None => sequence,
        }
    }

    fn grids(&self) -> Grids {
        if !self.uniform {
            return Grids::Sequence(self.sequence());
        }
        let uniform = Uniform::seeded(self.seed);
        Grids::Uniform(match self.first_digit {
            Some(digit) => uniform.with_first_digit(digit),
            None => uniform,
        })
    }

    /// The order and the first digit, for a summary.
    pub(super) fn facts(&self) -> Vec<(&'static str, SummaryField)> {
        let order = if self.in_order {
            ("order", SummaryField::Words("index".into()))
        } else {
            ("seed", SummaryField::Words(self.seed.to_string()))
        };
        let digit = self
            .first_digit
            .map(|digit| ("first_digit", SummaryField::Words(digit.to_string())));
        [order].into_iter().chain(digit).collect()
    }
}

/// The number of a record that is made.
const INDEX: Column = Column::new(
    "index",
    Values::Record,
    "the number of the record, counted from 0",
);

/// Solved grids by their numbers.
#[derive(Clone, Debug)]
struct GridSet {
    grids: Grids,
    facts: Vec<(&'static str, SummaryField)>,
}

impl GenerateSettings {
    /// The set of grids.
    ///
    /// ```
    /// use sudoku_batch::questions::GenerateSettings;
    /// let settings = GenerateSettings { seed: 7, ..GenerateSettings::default() };
    /// assert_eq!(settings.set().capacity(), 312_063_515_688_960);
    /// ```
    pub fn set(&self) -> Box<dyn MadeSet> {
        let which = WhichGrids {
            uniform: self.uniform,
            ..self.which()
        };
        let sampling = which
            .uniform
            .then(|| ("sampling", SummaryField::Words("uniform".into())));
        Box::new(GridSet {
            grids: which.grids(),
            facts: sampling.into_iter().chain(which.facts()).collect(),
        })
    }
}

impl MadeSet for GridSet {
    fn columns(&self) -> Vec<Column> {
        GENERATE.columns.to_vec()
    }

    fn worker(&self) -> MakeRecords {
        let grids = self.grids.clone();
        Box::new(move |numbers, answer| {
            grids.write_lines(numbers.start, answer.lines(GenerateColumns::all().grid))
        })
    }

    fn check(&self) -> Check {
        Check::Grids
    }

    fn capacity(&self) -> u64 {
        self.grids.count()
    }

    fn facts(&self) -> Vec<(&'static str, SummaryField)> {
        self.facts.clone()
    }
}

/// Puzzles by their numbers, each with its solution and what is known of it.
///
/// The columns are `index`, `puzzle`, `solution` and `clues`. A wish for the clues of rows adds `row_clues`, and
/// so on. A wish for a difficulty, for guesses, for a depth, or for a rating or a technique adds `difficulty`, `guesses`,
/// `te`, or `er` and `technique`; conditions on steps add `contains`, `first_hard` and `steps`, and unbiased puzzles have
/// a `weight`.
#[derive(Clone, Debug)]
pub struct PuzzleSet {
    grids: Grids,
    /// The seed of the maker: that of the level, where the grids are drawn.
    seed: u64,
    /// The seed that was asked for, with which other grids are used.
    asked_seed: u64,
    recipe: Recipe,
    refusal: Option<Refusal>,
    wanted: Wanted,
    has_guesses: bool,
    /// The ER up to which puzzles are rated, if they are.
    rated_up_to: Option<Rating>,
    blank: u8,
    facts: Vec<(&'static str, SummaryField)>,
    /// The nearest of the hard puzzles that were not made, by all threads.
    nearest: Arc<Mutex<Option<Nearest>>>,
}

impl PuzzleSet {
    /// The puzzles of a seed that are made from these grids, whatever the level. `has_guesses` asks for the column of
    /// guesses.
    ///
    /// # Errors
    ///
    /// No puzzle can have what is wanted.
    pub fn new(
        grids: Grids,
        seed: u64,
        wanted: &Wanted,
        has_guesses: bool,
    ) -> Result<Self, RecipeError> {
        let is_rated =
            wanted.rating.is_some() || !wanted.hardest.is_empty() || wanted.difficulty.is_some();
        let recipe = wanted.recipe()?;
        recipe.check_grids(&grids)?;
        Ok(Self {
            grids,
            seed,
            asked_seed: seed,
            recipe,
            refusal: None,
            wanted: wanted.clone(),
            has_guesses,
            rated_up_to: is_rated.then_some(Rating::HARDEST),
            blank: BLANK,
            facts: Vec::new(),
            nearest: Arc::default(),
        })
    }

    /// The set with these grids in place of others, whatever the level.
    ///
    /// # Errors
    ///
    /// The puzzles that are wanted are made from samples alone.
    pub fn with_grids(self, grids: Grids) -> Result<Self, RecipeError> {
        self.recipe.check_grids(&grids)?;
        Ok(Self {
            grids,
            seed: self.asked_seed,
            ..self
        })
    }

    /// The set without the puzzles that `refuses` returns true for: see [`Maker::with_refusal`].
    ///
    /// # Errors
    ///
    /// The puzzles have weights.
    pub fn with_refusal(
        self,
        refuses: impl Fn(&Made) -> bool + Send + Sync + 'static,
    ) -> Result<Self, RecipeError> {
        self.recipe.check_refusal()?;
        Ok(Self {
            refusal: Some(Refusal::new(refuses)),
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
        let usual = match self.wanted.difficulty {
            Some(_) => Rating::HARDEST,
            None => Rating::IN_PLANES,
        };
        self.rated_up_to.get_or_insert(usual);
        self
    }

    /// The same with this character for blanks.
    #[must_use]
    pub fn with_blank(mut self, blank: u8) -> Self {
        self.blank = blank;
        self
    }

    /// Returns true if the columns of a setting are there.
    fn has(&self, setting: &str) -> bool {
        let wanted = &self.wanted;
        match setting {
            "difficulty" => wanted.difficulty.is_some(),
            "clues-per-row" => wanted.clues_per_row.is_some(),
            "clues-per-column" => wanted.clues_per_column.is_some(),
            "clues-per-box" => wanted.clues_per_box.is_some(),
            "clues-per-digit" => wanted.clues_per_digit.is_some() || wanted.missing_digit.is_some(),
            "guesses" => self.has_guesses,
            "te" => wanted.te.is_some(),
            "rating" => self.rated_up_to.is_some(),
            "unbiased" => wanted.unbiased,
            "contains" => !wanted.path.contains.is_empty(),
            "first-hard" => !wanted.path.first_hard.is_empty(),
            "steps" => wanted.path.steps.is_some(),
            other => unreachable!("{other} asks for no column"),
        }
    }

    fn into_worker(self) -> MakeRecords {
        let (grids, recipe) = (self.grids.clone(), self.recipe.clone());
        let maker = Maker::new(Solver::new(), grids, self.seed, recipe);
        let maker = maker.expect("the recipe is checked");
        let mut maker = maker.refusing(self.refusal.clone());
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
        let (path, mut paths) = (self.wanted.path.clone(), PathReader::default());
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
                    difficulty: columns.difficulty.map(|_| self.wanted.difficulty),
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
        match (self.climbs_for(), self.wanted.pattern) {
            (Some(_), _) => self.together(),
            (None, Some(_)) => 256,
            (None, None) => 4096,
        }
    }

    fn together(&self) -> usize {
        self.recipe.together(&self.grids) as usize
    }

    fn facts(&self) -> Vec<(&'static str, SummaryField)> {
        let grids = match self.grids {
            Grids::Uniform(_) => "uniform",
            Grids::Sequence(_) => "sequence",
            Grids::Given { .. } => "given",
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
