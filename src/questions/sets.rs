//! Sets of records that are made by their numbers: grids and puzzles, as columns of an [`Answer`].
//!
//! An interface makes any slice of a set, on any number of threads. It writes the columns by their kinds, as it
//! writes those of a question.
//!
//! ```
//! use sudoku_batch::{generate::Grids, questions::{Answer, Data, GENERATE}};
//! let set = GENERATE.with([("seed", "7")])?;
//! let mut answer = Answer::of(&set.columns());
//! answer.begin(3);
//! set.worker()(40..43, &mut answer);
//! let Data::Cells(lines) = answer.named("grid") else { unreachable!() };
//! assert_eq!(lines[2][..81], *Grids::seeded(7).grid(42).unwrap().as_ascii());
//! # Ok::<(), sudoku_batch::questions::SettingError>(())
//! ```

use super::{
    Answer, Audience, Column, Definition, PUZZLES, SettingError, SummaryField,
    columns::{Columns, columns, kind},
    settings::Settings,
    verification::Check,
};
use crate::{format::Values, generate::Grids, grid::Digit};
use std::{fmt::Debug, ops::Range};

/// A set of records that are made by their numbers.
pub trait MadeSet: Debug + Send + Sync {
    /// The columns. The first is the number of the record, counted from 0, and takes no values.
    fn columns(&self) -> Vec<Column>;

    /// The work of a thread, with its memory. It makes the records with some numbers, as rows of an answer that
    /// has [begun](Answer::begin) with as many records. A record that cannot be made has
    /// [nothing](Answer::nothing).
    fn worker(&self) -> MakeRecords;

    /// The records with these numbers, made by this thread. [Workers](Self::worker) make many of them in less time: each
    /// keeps its memory, and threads share the numbers.
    ///
    /// ```
    /// use sudoku_batch::questions::{Data, GenerateSettings};
    /// let grids = GenerateSettings { seed: 7, ..GenerateSettings::default() }.set();
    /// let answer = grids.make(40..43);
    /// let Data::Cells(lines) = answer.named("grid") else { unreachable!() };
    /// assert_eq!(lines.len(), 3);
    /// ```
    ///
    /// # Panics
    ///
    /// When a number is not below the [capacity](Self::capacity).
    fn make(&self, numbers: Range<u64>) -> Answer<'static> {
        let mut answer = Answer::of(&self.columns());
        answer.begin((numbers.end - numbers.start) as usize);
        self.worker()(numbers, &mut answer);
        answer
    }

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
    pub(super) fn grids(&self) -> Grids {
        let grids = match (self.uniform, self.in_order) {
            (true, _) => Grids::uniform(self.seed),
            (false, true) => Grids::in_order(),
            (false, false) => Grids::seeded(self.seed),
        };
        match self.first_digit {
            Some(digit) => grids.with_first_digit(digit),
            None => grids,
        }
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
pub(super) const INDEX: Column = Column::new(
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
