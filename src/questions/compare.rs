//! Records that count as the same: the first of them, and the parts of a split.
//!
//! [`DEDUP`] is the question with a step in order. Any thread finds the key of each record, which takes nearly all of the time. The
//! step compares the keys with those of all records before:
//!
//! ```text
//!     fill    batch 0: keys   batch 1: keys   batch 2: keys       in any thread, in any order
//!     settle  batch 0: rows,  batch 1: rows,  batch 2: rows       in one question, in the order of the batches
//! ```
//!
//! The command reads the keys and compares them itself, in shards and perhaps on disk
//! (`cli/driver/src/driver/first_seen.rs`): so many threads take the step at the same time.

use super::{
    Answer, Asked, Audience, Batch, Column, Counts, Definition, Reason, Reject, Responder,
    RunOutcome, Status, Uniqueness,
    columns::{Columns, columns, kind},
    made,
    settings::{Settings, Weights, settings},
};
use crate::{
    dataset::{Equivalence, FirstSeen, PuzzleHasher, Split},
    format::Records,
    grid::{AnyPuzzle, Puzzle},
};
use std::sync::OnceLock;

/// The help of the setting `by` of both questions.
macro_rules! help_of_by {
    () => {
        " Compare records by equality, symmetry, solution or minlex."
    };
}

settings! {
    /// The settings of [`DEDUP`].
    pub struct DedupSettings {
        #[doc = help_of_by!()]
        pub by: Equivalence = "symmetry",
        /// Seed of the keys. Without one they are random, and the same in one process.
        #[setting(named("key-seed"), at(Audience::Command))]
        pub hasher: Option<PuzzleHasher>,
    }
}

columns! {
    /// The columns of [`DEDUP`].
    struct DedupColumns, DedupRow for DedupSettings {
        /// whether no record before it is the same
        kept: kind::Flags,
        /// the number, from 0, of the first record that is the same: its own for a record that is kept
        #[column(of_missing())]
        first: kind::Numbers,
        status = Column::STATUS,
    }
}

/// Finds the first of all records that count as the same: [`Equivalence`] says which do. A malformed record is the same as
/// no other. So is, by symmetry and by solution, a record without exactly one solution, but for those with equal cells.
///
/// This answer depends on the records before, of this batch and of those that the same question was asked about.
/// [`Question::ask`] looks after that. Threads that share the work fill answers with [forks](super::Question::fork),
/// and the question itself [settles](super::Question::settle) them in the order of the batches:
///
/// ```
/// use sudoku_batch::{
///     dataset::Equivalence,
///     format::{Records, line},
///     questions::{Data, DedupSettings, Question},
/// };
/// let by = Equivalence::Equality;
/// let mut question = Question::new(DedupSettings { by, ..DedupSettings::default() })?;
/// let mut fork = question.fork();
/// let batches = [[[b'.'; 81], [b'0'; 81]], [[b'0'; 81], [b'.'; 81]]];
/// let answers = batches.map(|batch| {
///     let mut records = Records::default();
///     line::read(&batch.map(|cells| [&cells[..], b"\n"].concat()).concat(), &mut records);
///     let mut answer = fork.empty();
///     answer.begin(records.len());
///     fork.fill(&records, &mut answer);
///     answer
/// });
/// let mut found = Vec::<u64>::new();
/// for mut answer in answers {
///     question.settle(&mut answer);
///     let Data::Numbers(first) = answer.named("first") else { unreachable!() };
///     found.extend(first.iter().flatten());
/// }
/// assert_eq!(found, [0, 0, 0, 0]);
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
///
/// Records are compared by keys, and [`PuzzleHasher`] says how sure that is. An answer that is not settled has these
/// [keys](Answer::keys), for a comparison of one's own.
///
/// The rejects are the records that have no form to compare ([`Equivalence::form`]): malformed ones, which have no key,
/// and by minlex those with a digit twice in a house, by symmetry and by solution all without exactly one solution, whose
/// keys are those of their cells. By equality and by minlex the statuses alone need solutions: nothing is solved if
/// [nobody reads](Answer::leave_out) them.
///
/// [`Question::ask`]: super::Question::ask
pub static DEDUP: Definition = Definition {
    name: "dedup",
    about: "Keep the first of each group of equivalent records",
    details: "",
    settings: DedupSettings::TABLE,
    columns: DedupColumns::TABLE,
    make: made::<DedupSettings>,
};

settings! {
    /// The settings of [`SPLIT`].
    pub struct SplitSettings {
        #[doc = help_of_by!()]
        pub by: Equivalence = "symmetry",
        /// Seed of the split.
        pub seed: u64 = "0",
        /// The weights of the parts, with commas between. They need not add up to anything.
        pub weights: Vec<f64> as Weights = "90,10",
    }
}

columns! {
    /// The columns of [`SPLIT`].
    struct SplitColumns, SplitRow for SplitSettings {
        /// the part of the record; the rejects have one of their own, the last
        part: kind::Numbers,
        status = Column::STATUS,
    }
}

/// Finds the part of a split that each record goes to, by its number from 0. It depends on the form to compare, the seed
/// and the weights alone: not on the other records, their order or their number. So records that count as the same go to
/// the same part, however many files, shards or later additions there are. The rejects, which are those of [`DEDUP`], go to
/// a part of their own: by their cells, symmetric copies of a record without a canonical form would come into other parts.
/// By equality and by minlex the statuses alone need solutions, as for [`DEDUP`].
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
/// let mut question = Question::new(SplitSettings { by, seed: 7, weights })?;
/// let answer = question.ask(&records);
/// let Data::Numbers(parts) = answer.named("part") else { unreachable!() };
/// assert!(parts[0] < Some(2) && parts[1] == Some(2));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static SPLIT: Definition = Definition {
    name: "split",
    about: "Split a set into parts that share nothing equivalent",
    details: "",
    settings: SplitSettings::TABLE,
    columns: SplitColumns::TABLE,
    make: made::<SplitSettings>,
};

/// The name of the part for records that have no form to compare.
pub const REJECTED: &str = "rejected";

/// The words for records that have no form to compare.
const FAILURE: &str = "without a form to compare";

/// The keys of the settings, or those of this process. All forks have the same, also those that a binding keeps from a call to
/// the next.
fn hasher(settings: &DedupSettings) -> PuzzleHasher {
    static OF_PROCESS: OnceLock<PuzzleHasher> = OnceLock::new();
    let of_process = || OF_PROCESS.get_or_init(PuzzleHasher::random).clone();
    settings.hasher.clone().unwrap_or_else(of_process)
}

/// The question for the first of equal records with its settings.
struct Deduplicating {
    settings: DedupSettings,
    columns: DedupColumns,
    hasher: PuzzleHasher,
    comparison: Comparison,
    /// The keys of the records that are settled. A fork has none, and much memory comes with them.
    seen: Option<FirstSeen>,
    /// The number of the records that are settled.
    records: u64,
}

impl Asked for DedupSettings {
    fn definition() -> &'static Definition {
        &DEDUP
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Deduplicating {
            columns: DedupColumns::all(),
            hasher: hasher(&self),
            comparison: Comparison::new(self.by),
            settings: self,
            seen: None,
            records: 0,
        })
    }
}

impl Responder for Deduplicating {
    fn fork(&self) -> Box<dyn Responder> {
        self.settings.clone().responder()
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let columns = self.columns;
        let are_wanted = answer.is_wanted(columns.kept) || answer.is_wanted(columns.first);
        let mut keys = match are_wanted {
            true => std::mem::take(answer.keys_mut()),
            false => Vec::new(),
        };
        keys.clear();
        let each = &mut |_: &mut Answer<'_>, _, form: Option<AnyPuzzle>, _: bool| {
            if are_wanted {
                keys.push(form.map(|form| self.hasher.key(form)));
            }
        };
        let with_statuses = answer.is_wanted(columns.status);
        let counts = (self.comparison).ask(batch.records, answer, with_statuses, each);
        answer.counts += counts;
        if are_wanted {
            *answer.keys_mut() = keys;
        }
    }

    fn needs_order(&self) -> bool {
        true
    }

    fn settle(&mut self, answer: &mut Answer<'_>) {
        let keys = answer.take_keys();
        let before = self.records;
        self.records += keys.len() as u64;
        let numbered = (before..).zip(&keys);
        let numbered: Vec<_> = numbered
            .filter_map(|(number, key)| Some(((*key)?, number)))
            .collect();
        let mut found = Vec::with_capacity(numbered.len());
        let seen = self.seen.get_or_insert_default();
        seen.insert_batch(&numbered, |first| found.push(first));
        let (mut found, mut kept) = (found.into_iter(), 0);
        for (record, key) in keys.iter().enumerate() {
            let first = key.and_then(|_| found.next().expect("an answer for each key"));
            kept += u64::from(first.is_none());
            let row = DedupRow {
                kept: Some(first.is_none()),
                first: Some(first.unwrap_or(before + record as u64)),
            };
            self.columns.push(answer, record, row);
        }
        answer.counts.add("kept", kept);
        answer.counts.add("repeated", keys.len() as u64 - kept);
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
            columns: SplitColumns::all(),
            split: split.expect("the setting was checked"),
            comparison: Comparison::new(self.by),
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
                };
                columns.push(answer, record, row);
            };
        let with_statuses = answer.is_wanted(columns.status);
        let counts = comparison.ask(batch.records, answer, with_statuses, each);
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
    uniqueness: Uniqueness,
}

impl Comparison {
    fn new(by: Equivalence) -> Self {
        Self {
            by,
            uniqueness: Uniqueness::default(),
        }
    }

    /// Calls `each` with the form of each record in order, or `None` for a malformed one. The answer gets the rejects, and
    /// the statuses if the comparison needs them or if they are wanted. Returns their counts, which are of the rejects alone
    /// where the comparison does not need them.
    fn ask(
        &mut self,
        records: &Records,
        answer: &mut Answer<'_>,
        with_statuses: bool,
        each: &mut Each<'_>,
    ) -> Counts {
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
        if with_statuses {
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
