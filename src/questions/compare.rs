//! Records that count as the same: their keys, and the parts of a split.
//!
//! [`KEYS`] and [`SPLIT`] are in no list of an interface. The commands `dedup` and `split`, and the functions of Python with
//! these names, ask them and have more options.

use super::{
    Answer, Asked, Batch, Column, Counts, Data, Definition, Reason, Reject, Responder, RunOutcome,
    Status, Uniqueness,
    columns::{Columns, NewText, columns, kind},
    made,
    settings::{Settings, Weights, settings},
};
use crate::{
    dataset::{Equivalence, PuzzleHasher, Split},
    format::Records,
    grid::{AnyPuzzle, Puzzle},
};

settings! {
    /// The settings of [`KEYS`].
    pub struct KeysSettings {
        /// Compare records by equality, symmetry, solution or minlex.
        pub by: Equivalence = "symmetry",
        /// Seed of the keys, which are the same on every machine. Random keys have no seed: see [`PuzzleHasher::random`].
        #[setting(named("key-seed"))]
        pub hasher: PuzzleHasher = "0",
        /// Find the status of each record where the comparison does not need it, too.
        pub statuses: bool,
    }
}

columns! {
    /// The columns of [`KEYS`].
    struct KeysColumns, KeysRow for KeysSettings {
        /// the key in 16 bytes, which [`keys`] reads; nothing for a malformed record
        key: kind::Text,
        status if statuses: Option<kind::OfRecord> = Column::STATUS,
    }
}

/// Gives a key for each record. Records that count as the same have the same key, others have another:
/// [`Equivalence`] says which count as the same, and [`PuzzleHasher`] how sure that is.
///
/// The rejects are the records that have no form to compare ([`Equivalence::form`]): malformed ones, which have no key,
/// and by minlex those with a digit twice in a house, by symmetry and by solution all without exactly one solution, whose
/// keys are those of their cells. By equality and by minlex nothing is solved: without
/// [`statuses`](KeysSettings::statuses) there are none then.
///
/// ```
/// use sudoku_batch::{
///     dataset::{Equivalence, FirstSeen, PuzzleHasher},
///     format::{Records, line},
///     questions::{KeysSettings, Question, keys},
/// };
/// let mut records = Records::default();
/// line::read([&[b'.'; 81], &b"\n11\n"[..], &[b'0'; 81]].concat().as_slice(), &mut records);
/// let mut question = Question::new(KeysSettings {
///     by: Equivalence::Equality,
///     hasher: PuzzleHasher::random(),
///     ..KeysSettings::default()
/// })?;
/// let answer = question.ask(&records);
/// assert_eq!(answer.rejects[0].reason.name(), "malformed");
/// let mut seen = FirstSeen::new();
/// let first = (0..).zip(keys(&answer)).map(|(record, key)| seen.insert(key?, record));
/// assert_eq!(first.collect::<Vec<_>>(), [None, None, Some(0)]);
/// // Several solutions have no canonical form: the cells are compared.
/// let mut question = Question::new(KeysSettings::default())?;
/// assert_eq!(question.ask(&records).rejects.len(), 3);
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static KEYS: Definition = Definition {
    name: "keys",
    about: "Give keys that are equal for records that count as the same",
    details: "",
    settings: KeysSettings::TABLE,
    columns: KeysColumns::TABLE,
    make: made::<KeysSettings>,
};

/// The keys that an answer of [`KEYS`] has, one for each record. A malformed record has none.
///
/// # Panics
///
/// It is an answer of another question.
pub fn keys(answer: &Answer<'_>) -> impl Iterator<Item = Option<u128>> {
    let Data::Texts(keys) = answer.column(0) else {
        panic!("the first column has keys")
    };
    (0..keys.len()).map(|place| Some(u128::from_le_bytes(*keys.get(place).as_array()?)))
}

settings! {
    /// The settings of [`SPLIT`].
    pub struct SplitSettings {
        /// Keep apart by equality, symmetry, solution or minlex.
        pub by: Equivalence = "symmetry",
        /// Seed of the split.
        pub seed: u64 = "0",
        /// The weights of the parts. They need not add up to anything.
        pub weights: Vec<f64> as Weights = "90,10",
        /// Find the status of each record where the comparison does not need it, too.
        pub statuses: bool,
    }
}

columns! {
    /// The columns of [`SPLIT`].
    struct SplitColumns, SplitRow for SplitSettings {
        /// the number of the part, from 0; that of the rejects comes after those with a weight
        part: kind::Numbers,
        status if statuses: Option<kind::OfRecord> = Column::STATUS,
    }
}

/// Finds the part of a split that each record goes to. It depends on the form to compare, the seed and the weights alone:
/// not on the other records, their order or their number. So records that count as the same go to the same part, however
/// many files, shards or later additions there are. The rejects, which are those of [`KEYS`], go to a part of their own: by their cells, symmetric copies of a
/// record without a canonical form would come into other parts.
///
/// ```
/// use sudoku_batch::{
///     dataset::Equivalence,
///     format::{Records, line},
///     questions::{Data, Question, SplitSettings},
/// };
/// let mut records = Records::default();
/// line::read(&[&[b'.'; 81], &b"\n11"[..]].concat(), &mut records);
/// let by = Equivalence::Equality;
/// let weights = vec![90.0, 10.0];
/// let mut question = Question::new(SplitSettings { by, seed: 7, weights, ..SplitSettings::default() })?;
/// let answer = question.ask(&records);
/// let Data::Numbers(parts) = answer.named("part") else { unreachable!() };
/// assert!(parts[0] < Some(2) && parts[1] == Some(2));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static SPLIT: Definition = Definition {
    name: "split",
    about: "Find the parts of a split that shares nothing equivalent",
    details: "",
    settings: SplitSettings::TABLE,
    columns: SplitColumns::TABLE,
    make: made::<SplitSettings>,
};

/// The name of the part for records that have no form to compare.
pub const REJECTED: &str = "rejected";

/// The words for records that have no form to compare.
const FAILURE: &str = "without a form to compare";

/// The question for keys with its settings.
struct Keys {
    settings: KeysSettings,
    columns: KeysColumns,
    comparison: Comparison,
}

impl Asked for KeysSettings {
    fn definition() -> &'static Definition {
        &KEYS
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Keys {
            columns: KeysColumns::of(&self),
            comparison: Comparison::new(self.by, self.statuses),
            settings: self,
        })
    }
}

impl Responder for Keys {
    fn fork(&self) -> Box<dyn Responder> {
        self.settings.clone().responder()
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let Self {
            settings,
            columns,
            comparison,
        } = self;
        let each = &mut |answer: &mut Answer<'_>, record, form: Option<AnyPuzzle>, _: bool| {
            let form = form.filter(|_| answer.is_wanted(columns.key));
            let key = form.map(|form| settings.hasher.key(form).to_le_bytes());
            let row = KeysRow {
                key: key.as_ref().map_or(NewText::Nothing, NewText::from),
                status: columns.status.map(|_| ()),
            };
            columns.push(answer, record, row);
        };
        let counts = comparison.ask(batch.records, answer, each);
        answer.counts += counts;
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let failed = without_forms(self.settings.by, counts, records);
        RunOutcome::new(counts.without(&["unique"]), failed, FAILURE)
    }
}

/// The question for parts with its settings.
struct Splitting {
    settings: SplitSettings,
    columns: SplitColumns,
    split: Split,
    comparison: Comparison,
}

impl Asked for SplitSettings {
    fn definition() -> &'static Definition {
        &SPLIT
    }

    fn responder(self) -> Box<dyn Responder> {
        let split = Split::new(self.seed, &self.weights);
        Box::new(Splitting {
            columns: SplitColumns::of(&self),
            split: split.expect("the setting was checked"),
            comparison: Comparison::new(self.by, self.statuses),
            settings: self,
        })
    }
}

impl Responder for Splitting {
    fn fork(&self) -> Box<dyn Responder> {
        self.settings.clone().responder()
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let Self {
            settings,
            columns,
            split,
            comparison,
        } = self;
        let each =
            &mut |answer: &mut Answer<'_>, record, form: Option<AnyPuzzle>, is_reject: bool| {
                let form = form.filter(|_| !is_reject);
                let part = form.map_or(split.parts(), |form| split.part(form));
                let row = SplitRow {
                    part: Some(part as u64),
                    status: columns.status.map(|_| ()),
                };
                columns.push(answer, record, row);
            };
        let counts = comparison.ask(batch.records, answer, each);
        if settings.by.needs_solution() {
            answer.counts += counts;
        }
        answer.counts.add(REJECTED, answer.rejects.len() as u64);
    }

    fn outcome(&self, counts: &Counts, _: u64) -> RunOutcome {
        RunOutcome::new(counts.clone(), counts.get(REJECTED), FAILURE)
    }
}

/// Takes the answer, the number of a record, its form, and whether it is a reject.
type Each<'e> = dyn FnMut(&mut Answer<'_>, usize, Option<AnyPuzzle>, bool) + 'e;

/// A comparison of records, with the memory of a thread.
struct Comparison {
    by: Equivalence,
    /// Whether the statuses are given where nothing is to be solved.
    has_statuses: bool,
    uniqueness: Uniqueness,
}

impl Comparison {
    fn new(by: Equivalence, has_statuses: bool) -> Self {
        Self {
            by,
            has_statuses,
            uniqueness: Uniqueness::default(),
        }
    }

    /// Calls `each` with the form of each record in order, or `None` for a malformed one. The answer gets the rejects, and
    /// the statuses if they are known. Returns their counts, which are of the rejects alone where nothing is solved.
    fn ask(&mut self, records: &Records, answer: &mut Answer<'_>, each: &mut Each<'_>) -> Counts {
        if self.by.needs_solution() {
            let solutions = self.uniqueness.ask(records);
            for record in 0..records.len() {
                let pair = solutions.pair(records, record);
                let is_reject = pair.is_none();
                let form = match pair {
                    Some((puzzle, solution)) => Some(self.by.form(&puzzle, Some(&solution))),
                    None => {
                        let puzzle = records.puzzle(record).ok();
                        puzzle.map(|puzzle| self.by.form(&puzzle, None))
                    }
                };
                each(answer, record, form, is_reject);
            }
            let counts = solutions.counts;
            self.uniqueness.give(answer);
            return counts;
        }
        if self.has_statuses {
            let solved = self.uniqueness.ask(records);
            answer.statuses.extend_from_slice(solved.statuses);
        }
        for record in 0..records.len() {
            let puzzle = records.puzzle(record);
            let reason = match self.by {
                Equivalence::Minlex => cells_of_image(records, record).err(),
                _ => puzzle.err().map(Reason::Malformed),
            };
            let reject = reason.map(|reason| Reject { record, reason });
            answer.rejects.extend(reject);
            let form = puzzle.ok().map(|puzzle| self.by.form(&puzzle, None));
            each(answer, record, form, reject.is_some());
        }
        let mut counts = Counts::default();
        for status in without_solution(self.by) {
            let rejects = answer.rejects.iter();
            let rejects = rejects.filter(|reject| reject.reason.status() == *status);
            counts.add(status.name(), rejects.count() as u64);
        }
        counts
    }
}

/// The number of the records that have no form, by the counts of all batches.
fn without_forms(by: Equivalence, counts: &Counts, records: u64) -> u64 {
    if by.needs_solution() {
        return records.saturating_sub(counts.get(Status::Unique.name()));
    }
    let statuses = without_solution(by).iter();
    statuses.map(|status| counts.get(status.name())).sum()
}

/// The statuses of records without a form, where no solution is needed.
fn without_solution(by: Equivalence) -> &'static [Status] {
    match by {
        Equivalence::Minlex => &[
            Status::Malformed,
            Status::RowDuplicate,
            Status::ColumnDuplicate,
            Status::BoxDuplicate,
        ],
        _ => &[Status::Malformed],
    }
}

/// The cells of a record that has a smallest image, or the reason why it has none.
pub(super) fn cells_of_image(records: &Records, record: usize) -> Result<Puzzle, Reason> {
    let puzzle = records.puzzle_of_cells(record).map_err(Reason::Malformed)?;
    match puzzle.conflict() {
        Some(conflict) => Err(Reason::Duplicate(conflict)),
        None => Ok(puzzle),
    }
}
