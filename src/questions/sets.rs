//! Sets of records that are made by their numbers: grids and puzzles, as columns of an [`Answer`].
//!
//! A door makes any slice of a set, on any number of threads. It writes the columns by their kinds, as it
//! writes those of a question.
//!
//! ```
//! use sudoku_batch::{generate::Sequence, questions::{Answer, Data, GENERATE}};
//! let set = GENERATE.with([("seed", "7")])?;
//! let mut answer = Answer::of(&set.columns());
//! answer.begin(3);
//! set.worker()(40..43, &mut answer);
//! let Data::Cells(lines) = answer.column(1) else { unreachable!() };
//! assert_eq!(lines[2][..81], *Sequence::seeded(7).grid(42).unwrap().as_ascii());
//! # Ok::<(), sudoku_batch::questions::SettingError>(())
//! ```

use super::{
    Answer, Column, Definition, Doors, Fact, Kind, Setting, SettingError, Value,
    verification::Check,
};
use crate::{
    format::Values,
    generate::{Grids, Sequence, Uniform},
    grid::{BLANK, CELLS, Digit},
    name::names_of,
    puzzle::{
        Made, Maker, Nearest, Recipe, RecipeError, Refusal, Symmetry, Wanted, capacity,
        clues_by_line,
    },
    solve::{Solver, guesses},
    technique::{Difficulty, Rater, Rating, Technique, TrialDepth},
};
use std::{
    fmt::Debug,
    ops::Range,
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

    /// The most records that a thread should make at a time, where a door must listen to its user meanwhile.
    fn batch(&self) -> usize {
        10_240
    }

    /// Facts for a summary: which grids.
    fn facts(&self) -> Vec<(&'static str, Fact)> {
        Vec::new()
    }
}

/// Makes the records with these numbers: see [`MadeSet::worker`]. A door keeps it from call to call.
#[doc(hidden)]
pub type MakeRecords = Box<dyn FnMut(Range<u64>, &mut Answer<'_>) + Send>;

/// The definition of a set.
#[doc(hidden)]
pub type SetDefinition =
    Definition<fn(&[(&'static Setting, Value)]) -> Result<Box<dyn MadeSet>, SettingError>>;

impl SetDefinition {
    /// The set with these settings: names and texts.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read), and that no record can have what is wanted.
    pub fn with<'t>(
        &'static self,
        settings: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Box<dyn MadeSet>, SettingError> {
        (self.make)(&self.read(settings)?)
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
    notes: "",
    failure: "",
    verification: "",
    settings: &[
        SEED,
        IN_ORDER,
        FIRST_DIGIT,
        STUDENT,
        Setting::new(
            "uniform",
            Kind::Flag,
            "Uniform samples of all grids, in place of the sequence of distinct ones.",
        )
        .details(
            "\
Sample i of a seed is made from the seed and i alone, so slices and shards work as in the sequence.",
        )
        .excludes("in-order"),
    ],
    columns: &[INDEX, Column::new("grid", Values::Cells, "the grid")],
    make: |settings| Ok(Box::new(GridSet::of(settings))),
};

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
    notes: "",
    failure: "",
    verification: "",
    settings: &[
        Setting::new(
            "blanks",
            Kind::Range(CELLS as u64, [0, CELLS as u64 - FEWEST]),
            "The number of blanks: a number, or A..B.",
        )
        .details(
            "Each number from A to B comes equally often. A.. goes up to 59, because few grids lead to a puzzle with \
             fewer than 22 clues, and ..B begins at 0.",
        ),
        Setting::new(
            "clues",
            Kind::Range(CELLS as u64, [FEWEST, CELLS as u64]),
            "The number of clues: a number, or A..B.",
        )
        .details(
            "Each number from A to B comes equally often. A.. goes up to 81, and ..B begins at 22, because few grids \
             lead to a puzzle with fewer clues. With --minimal: minimal puzzles with a number of clues in this range.",
        ),
        Setting::new(
            "difficulty",
            Kind::Name(names_of!(Difficulty, range)),
            "The difficulty, by the ER.",
        ),
        Setting::new(
            "rating",
            Kind::Ratings,
            "The ER: a number, or A..B.",
        )
        .details(
            "From 1.0 to 11.9; A.. and ..B are open ends. Ratings above 4.4 take longer to make.",
        ),
        Setting::new(
            "solved-by",
            Kind::Name(&[(
                "naked-singles",
                "There is always a cell with one candidate",
            )]),
            "The technique that solves them alone; with --blanks or --clues.",
        ),
        Setting::new(
            "needs",
            Kind::Technique,
            "The technique of the hardest step: X-wing.",
        )
        .details("The names are those of `rate`."),
        Setting::new(
            "te",
            Kind::Range(3, [0, 3]),
            "The depth of trial and error, from 0 to 3: a number, or A..B.",
        )
        .details("Nearly all puzzles have 0 or 1."),
        Setting::new(
            "guesses",
            Kind::Number(0),
            "At least this many guesses of the reference search.",
        ),
        Setting::new(
            "minimal",
            Kind::Flag,
            "Minimal puzzles: each clue is needed.",
        ),
        Setting::new(
            "symmetry",
            Kind::Name(names_of!(Symmetry, about)),
            "A symmetry of the pattern of clues.",
        )
        .usual(Symmetry::None.name())
        .details("With --minimal: no group of symmetric clues can be removed."),
        clues_per("clues-per-row", "The number of clues in each row: a number, or A..B."),
        clues_per("clues-per-column", "The number of clues in each column."),
        clues_per("clues-per-box", "The number of clues in each box."),
        clues_per("clues-per-digit", "The number of clues of each digit."),
        Setting::new(
            "missing-digit",
            Kind::Digit,
            "No clue has this digit.",
        ),
        Setting::new(
            "pattern",
            Kind::Pattern,
            "Clues exactly where this mask has an X.",
        )
        .details(
            "81 characters of X and ., on one line or nine, or for the command a file with them. Goes with --difficulty, \
             --rating, --needs, --guesses and --minimal.",
        ),
        Setting::new(
            "unbiased",
            Kind::Flag,
            "Minimal puzzles with weights for unbiased means.",
        )
        .details("The mean weight estimates the number of all minimal puzzles: docs/internals/unbiased.md proves it."),
        Setting::new(
            "not-unique",
            Kind::Flag,
            "With --blanks or --clues: a puzzle may have several solutions.",
        )
        .at(Doors::Command),
        Setting::new(
            "unique",
            Kind::Flag,
            "Each puzzle has one solution. Without that, a puzzle with a number of blanks or clues may have several.",
        )
        .usual("true")
        .at(Doors::Bindings),
        Setting::new(
            "grids",
            Kind::Name(&[
                ("uniform", "Independent samples: all grids there are are equally likely"),
                ("sequence", "The sequence of distinct grids that `generate` makes"),
            ]),
            "Which grids the puzzles are made from.",
        )
        .usual("uniform"),
        SEED,
        IN_ORDER.needs("grids"),
        FIRST_DIGIT,
        STUDENT,
        Setting::new(
            "ratings",
            Kind::Flag,
            "Add the columns er and technique. Up to an ER of 4.4 they are known, or any if a difficulty or a rating is wanted.",
        )
        .at(Doors::Bindings),
    ],
    columns: &[
        INDEX,
        Column::new("puzzle", Values::Puzzles, "the puzzle"),
        Column::new("solution", Values::Cells, "the solution"),
        Column::new("clues", Values::Numbers, "the number of clues").up_to(81),
        Column::new("row_clues", Values::Text, "the numbers of clues in rows 1 to 9")
            .when("clues-per-row"),
        Column::new("column_clues", Values::Text, "the numbers of clues in columns 1 to 9")
            .when("clues-per-column"),
        Column::new("box_clues", Values::Text, "the numbers of clues in boxes 1 to 9")
            .when("clues-per-box"),
        Column::new("digit_clues", Values::Text, "the numbers of clues of digits 1 to 9")
            .when("clues-per-digit"),
        Column::new(
            "difficulty",
            Values::Names(names_of!(Difficulty)),
            "the difficulty that was asked for",
        )
        .when("difficulty"),
        Column::new("guesses", Values::Numbers, "the guesses of the reference search")
            .when("guesses"),
        Column::new(
            "te",
            Values::Names(names_of!(TrialDepth)),
            "the depth of trial and error",
        )
        .when("te"),
        Column::new("er", Values::Ratings, "the rating of the hardest step").when("rating"),
        Column::new(
            "technique",
            Values::Names(names_of!(Technique)),
            "the technique of the hardest step",
        )
        .when("rating"),
        Column::new("weight", Values::Reals, "the number of minimal puzzles that it stands for")
            .when("unbiased"),
    ],
    make: |settings| Ok(Box::new(PuzzleSet::of(settings)?)),
};

/// The fewest clues with which nearly every puzzle that is asked for is made: of 200, 199 with 22 clues, 73 with 21
/// and 2 with 20. Ranges of clues that name no least number begin there.
const FEWEST: u64 = 22;

/// A setting for the number of clues of each line of a kind.
const fn clues_per(name: &'static str, about: &'static str) -> Setting {
    Setting::new(name, Kind::Range(9, [0, 9]), about)
}

/// The columns with the clues of rows, columns, boxes and digits, by the settings that ask for them.
const TALLIES: [&str; 4] = [
    "clues-per-row",
    "clues-per-column",
    "clues-per-box",
    "clues-per-digit",
];

/// The sets that have a definition.
pub static SETS: &[&SetDefinition] = &[&GENERATE, &PUZZLES];

/// The setting of a seed, which is that of questions about the same grids too.
pub(super) const SEED: Setting = Setting::new(
    "seed",
    Kind::Number(0),
    "Seed of the random choice: a number.",
)
.details("From 0 to 18446744073709551615. The command draws one for `random`, and tells it.")
.usual("0");

pub(super) const IN_ORDER: Setting = Setting::new(
    "in-order",
    Kind::Flag,
    "Number the grids in plain order, in which neighbours look alike.",
)
.excludes("seed");

pub(super) const FIRST_DIGIT: Setting = Setting::new(
    "first-digit",
    Kind::Digit,
    "Only grids with this digit in the top left cell.",
);

pub(super) const STUDENT: Setting = Setting::new(
    "student",
    Kind::Student,
    "Only grids whose first digit belongs to a student number: its last two digits added, modulo 9, plus 1.",
)
.excludes("first-digit")
.at(Doors::Command);

/// The grids that these settings ask for.
#[derive(Clone, Debug, Default)]
pub(super) struct WhichGrids {
    seed: u64,
    in_order: bool,
    uniform: bool,
    first_digit: Option<Digit>,
}

impl WhichGrids {
    /// Takes a setting.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        match (name, value) {
            ("seed", Value::Number(seed)) => self.seed = seed,
            ("in-order", Value::Flag(is_set)) => self.in_order = is_set,
            ("first-digit" | "student", Value::Digit(digit)) => self.first_digit = Some(digit),
            ("uniform", Value::Flag(is_set)) => self.uniform = is_set,
            ("grids", Value::Name(place)) => self.uniform = place == 0,
            _ => unreachable!("{name} is no setting of this kind"),
        }
    }

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
    pub(super) fn facts(&self) -> Vec<(&'static str, Fact)> {
        let order = if self.in_order {
            ("order", Fact::Words("index".into()))
        } else {
            ("seed", Fact::Words(self.seed.to_string()))
        };
        let digit = self
            .first_digit
            .map(|digit| ("first_digit", Fact::Words(digit.to_string())));
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
    facts: Vec<(&'static str, Fact)>,
}

impl GridSet {
    /// The set that settings of [`GENERATE`] ask for.
    fn of(settings: &[(&'static Setting, Value)]) -> Self {
        let mut which = WhichGrids::default();
        for (setting, value) in settings {
            which.set(setting.name, *value);
        }
        let sampling = which
            .uniform
            .then(|| ("sampling", Fact::Words("uniform".into())));
        Self {
            grids: which.grids(),
            facts: sampling.into_iter().chain(which.facts()).collect(),
        }
    }
}

impl MadeSet for GridSet {
    fn columns(&self) -> Vec<Column> {
        GENERATE.columns.to_vec()
    }

    fn worker(&self) -> MakeRecords {
        let grids = self.grids.clone();
        Box::new(move |numbers, answer| grids.write_lines(numbers.start, answer.lines()))
    }

    fn check(&self) -> Check {
        Check::Grids
    }

    fn capacity(&self) -> u64 {
        self.grids.count()
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        self.facts.clone()
    }
}

/// Puzzles by their numbers, each with its solution and what is known of it.
///
/// The columns are `index`, `puzzle`, `solution` and `clues`. A wish for the clues of rows adds `row_clues`, and
/// so on. A wish for a difficulty, for guesses or for a
/// rating or a technique adds `difficulty`, `guesses`, or `er` and `technique`; unbiased ones have `weight`.
#[derive(Clone, Debug)]
pub struct PuzzleSet {
    grids: Grids,
    /// The seed of the maker: that of the level, where the grids are drawn.
    seed: u64,
    /// The seed that was asked for, with which other grids are used.
    asked_seed: u64,
    recipe: Recipe,
    refusal: Option<Refusal>,
    difficulty: Option<Difficulty>,
    /// Whether there is a column of each of [`TALLIES`].
    tallies: [bool; 4],
    has_guesses: bool,
    has_depths: bool,
    has_weights: bool,
    has_pattern: bool,
    /// The ER up to which puzzles are rated, if they are.
    rated_up_to: Option<Rating>,
    blank: u8,
    facts: Vec<(&'static str, Fact)>,
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
            wanted.rating.is_some() || wanted.needs.is_some() || wanted.difficulty.is_some();
        let recipe = wanted.recipe()?;
        recipe.check_grids(&grids)?;
        Ok(Self {
            grids,
            seed,
            asked_seed: seed,
            recipe,
            refusal: None,
            difficulty: wanted.difficulty,
            tallies: [
                wanted.clues_per_row.is_some(),
                wanted.clues_per_column.is_some(),
                wanted.clues_per_box.is_some(),
                wanted.clues_per_digit.is_some() || wanted.missing_digit.is_some(),
            ],
            has_guesses,
            has_depths: wanted.te.is_some(),
            has_weights: wanted.unbiased,
            has_pattern: wanted.pattern.is_some(),
            rated_up_to: is_rated.then_some(Rating::HARDEST),
            blank: BLANK,
            facts: Vec::new(),
            nearest: Arc::default(),
        })
    }

    /// The set that settings of [`PUZZLES`] ask for, as [`read`](Definition::read) gives them. Each level draws uniform
    /// grids of its own, as [`Maker::seeded`] does.
    ///
    /// # Errors
    ///
    /// No puzzle can have what is wanted.
    pub fn of(settings: &[(&'static Setting, Value)]) -> Result<Self, SettingError> {
        let mut which = WhichGrids {
            uniform: true,
            ..WhichGrids::default()
        };
        let (mut wanted, mut has_guesses, mut has_ratings) = (Wanted::default(), false, false);
        for &(setting, value) in settings {
            let cells = |first: u64, last: u64| Some(first as usize..=last as usize);
            match (setting.name, value) {
                ("blanks", Value::Range(first, last)) => wanted.blanks = cells(first, last),
                ("clues", Value::Range(first, last)) => wanted.clues = cells(first, last),
                ("difficulty", Value::Name(at)) => wanted.difficulty = Some(Difficulty::ALL[at]),
                ("rating", Value::Ratings(least, most)) => wanted.rating = Some(least..=most),
                ("te", Value::Range(least, most)) => {
                    let [least, most] = [least, most].map(|depth| TrialDepth::ALL[depth as usize]);
                    wanted.te = Some(least..=most);
                }
                ("needs", Value::Technique(technique)) => wanted.needs = Some(technique),
                ("guesses", Value::Number(least)) => (wanted.guesses, has_guesses) = (least, true),
                ("solved-by", Value::Name(_)) => wanted.naked_singles = true,
                ("minimal", Value::Flag(is_set)) => wanted.minimal = is_set,
                ("pattern", Value::Pattern(pattern)) => wanted.pattern = Some(pattern),
                ("unbiased", Value::Flag(is_set)) => wanted.unbiased = is_set,
                ("clues-per-row", Value::Range(least, most)) => {
                    wanted.clues_per_row = cells(least, most);
                }
                ("clues-per-column", Value::Range(least, most)) => {
                    wanted.clues_per_column = cells(least, most);
                }
                ("clues-per-box", Value::Range(least, most)) => {
                    wanted.clues_per_box = cells(least, most);
                }
                ("clues-per-digit", Value::Range(least, most)) => {
                    wanted.clues_per_digit = cells(least, most);
                }
                ("missing-digit", Value::Digit(digit)) => wanted.missing_digit = Some(digit),
                ("symmetry", Value::Name(at)) => wanted.symmetry = Symmetry::ALL[at],
                ("unique", Value::Flag(is_set)) => wanted.unique = is_set,
                ("not-unique", Value::Flag(is_set)) => wanted.unique = !is_set,
                ("ratings", Value::Flag(is_set)) => has_ratings = is_set,
                (name, value) => which.set(name, value),
            }
        }
        let set = Self::new(which.grids(), which.seed, &wanted, has_guesses);
        let mut set = set.map_err(|wrong| SettingError::of_several(wrong.to_string()))?;
        set.facts = which.facts();
        // The grids of a sequence have an order that the user asks for: each level has the same.
        if which.uniform {
            which.seed = set.recipe.seed_of_level(which.seed);
            set.seed = which.seed;
            set.grids = which.grids();
        }
        Ok(if has_ratings { set.with_ratings() } else { set })
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

    /// Returns true if its puzzles are so hard that the maker climbs to them, which takes seconds for each.
    pub fn climbs(&self) -> bool {
        self.recipe.climbs(&self.grids)
    }

    /// Returns true if each of the puzzles has one solution.
    pub fn is_unique(&self) -> bool {
        self.recipe.is_unique()
    }

    /// The same with `er` and `technique`, whatever is wanted. Where no wish is about ratings, nothing above
    /// 4.4 is looked for, which would take long.
    #[must_use]
    pub fn with_ratings(mut self) -> Self {
        let usual = match self.difficulty {
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

    fn into_worker(self) -> MakeRecords {
        let (grids, recipe) = (self.grids.clone(), self.recipe.clone());
        let maker = Maker::new(Solver::new(), grids, self.seed, recipe);
        let maker = maker.expect("the recipe is checked");
        let mut maker = maker.refusing(self.refusal.clone());
        let mut rater = self
            .rated_up_to
            .map(|most| Rater::new().with_max_rating(most));
        let mut trials = self.has_depths.then(Rater::new);
        let mut made = Vec::new();
        Box::new(move |numbers, answer| {
            made.clear();
            made.resize((numbers.end - numbers.start) as usize, None);
            maker.make_batch(numbers.start, &mut made);
            if let Some(nearest) = maker.take_nearest() {
                let mut all = self.nearest.lock().unwrap_or_else(PoisonError::into_inner);
                if all.as_ref().is_none_or(|before| nearest.is_before(before)) {
                    *all = Some(nearest);
                }
            }
            let count = made.iter().flatten().count();
            answer.counts.add("made", count as u64);
            answer.counts.add("not-made", (made.len() - count) as u64);
            let tallies = self.tallies.iter().filter(|has| **has).count();
            let guesses_at = 4 + tallies + usize::from(self.difficulty.is_some());
            let te_at = guesses_at + usize::from(self.has_guesses);
            let er_at = te_at + usize::from(self.has_depths);
            // The maker knows the ratings of puzzles that it has made for one, but for chains of which
            // all are wanted.
            let mut hardest: Vec<_> = made.iter().map(|made| made.as_ref()?.hardest).collect();
            if let Some(rater) = rater.as_mut().filter(|_| answer.is_wanted(er_at)) {
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
            if let Some(rater) = trials.as_mut().filter(|_| answer.is_wanted(te_at)) {
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
                let needs_guesses = self.has_guesses && answer.is_wanted(guesses_at);
                let mut row = answer
                    .row(at)
                    .cells(Some(&puzzle))
                    .cells(Some(made.solution.as_ascii()))
                    .number(Some(made.puzzle.clue_count() as u64));
                let clues = clues_by_line(&made.puzzle);
                for (has, clues) in self.tallies.iter().zip(clues.as_chunks::<9>().0) {
                    if *has {
                        let text = clues.map(|clues| [b'0' + clues, b' ']);
                        row = row.text(text.as_flattened().trim_ascii());
                    }
                }
                if let Some(difficulty) = self.difficulty {
                    row = row.name(Some(difficulty as usize));
                }
                if self.has_guesses {
                    row = row.number(match needs_guesses {
                        true => guesses(&made.puzzle, u64::MAX),
                        false => None,
                    });
                }
                if self.has_depths {
                    let depth = depths.next().and_then(Result::ok);
                    row = row.name(depth.map(|depth| depth as usize));
                }
                if self.rated_up_to.is_some() {
                    let (er, technique) = hardest.unzip();
                    row = row
                        .rating(er)
                        .name(technique.map(|technique: Technique| technique as usize));
                }
                if self.has_weights {
                    row.real(made.weight);
                }
            }
        })
    }
}

impl MadeSet for PuzzleSet {
    fn columns(&self) -> Vec<Column> {
        let is_there = |column: &&Column| match column.when {
            Some("difficulty") => self.difficulty.is_some(),
            Some("guesses") => self.has_guesses,
            Some("te") => self.has_depths,
            Some("unbiased") => self.has_weights,
            Some(when) if TALLIES.contains(&when) => {
                let mut tallies = TALLIES.iter().zip(self.tallies);
                tallies.any(|(name, has)| has && *name == when)
            }
            Some(_) => self.rated_up_to.is_some(),
            None => true,
        };
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

    /// Thousands keep the solver busy. Of those of a pattern hundreds do, and they take far longer. A hard one is made alone.
    fn batch(&self) -> usize {
        match self.has_pattern {
            _ if self.climbs() => 1,
            true => 256,
            false => 4096,
        }
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        let grids = match self.grids {
            Grids::Uniform(_) => "uniform",
            Grids::Sequence(_) => "sequence",
            Grids::Given { .. } => "given",
        };
        let grids = ("grids", Fact::Words(grids.into()));
        let nearest = self.nearest.lock().unwrap_or_else(PoisonError::into_inner);
        let nearest = nearest.as_ref().map(|nearest| {
            let words = format!("ER {} {}", nearest.er, nearest.puzzle);
            ("nearest", Fact::Words(words))
        });
        let facts = [grids].into_iter().chain(self.facts.clone());
        facts.chain(nearest).collect()
    }
}
