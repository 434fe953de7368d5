//! The order in which the cells of each record are filled.

use super::{Counts, Reason, Reject, Status, Uniqueness, status::StatusColumn};
use crate::{
    format::Records,
    technique::Rating,
    trace::{Extras, Pairs, SearchTrace, TraceRow, Tracer},
};

/// The search of a record ends after this many guesses, if [`Trace::searching`] says no other number.
pub const MOST_TRACED_GUESSES: u64 = 10_000;

/// Asks for the trace of each record with one solution: the steps of a person, or the reference search.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Status, Trace}};
/// let mut records = Records::default();
/// let text = b"....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.
/// .................................................................................
/// ";
/// line::read(text, &mut records);
/// let mut first = Vec::new();
/// let mut question = Trace::default();
/// let traced = question.ask(&records, |_, _, trace| first.push(trace.map(|trace| trace.pairs()[0])));
/// assert_eq!(first, [Some([0, 7]), None]);
/// assert_eq!(traced.statuses, [Status::Unique, Status::Multiple]);
/// ```
#[derive(Debug)]
pub struct Trace {
    uniqueness: Uniqueness,
    tracer: Tracer,
    max_work: u64,
    search: Option<Search>,
    statuses: StatusColumn,
}

/// How the reference search is recorded.
#[derive(Clone, Copy, Debug)]
struct Search {
    proof: bool,
    most: u64,
}

/// The trace of a record.
#[derive(Clone, Copy, Debug)]
pub enum Traced<'t> {
    /// The steps of a person.
    Steps(crate::trace::Trace<'t>),
    /// The reference search.
    Search(SearchTrace<'t>),
}

/// The answer of [`Trace`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Traces<'q> {
    /// The status of each record.
    pub statuses: &'q [Status],
    /// The records without a trace, and those whose trace ends where a bound is reached.
    pub rejects: &'q [Reject],
    /// The number of records of each status.
    pub counts: Counts,
}

impl Default for Trace {
    fn default() -> Self {
        Self {
            uniqueness: Uniqueness::default(),
            tracer: Tracer::default(),
            max_work: u64::MAX,
            search: None,
            statuses: StatusColumn::default(),
        }
    }
}

impl Trace {
    /// Takes no step with a rating over `up_to`: the steps end before it.
    #[must_use]
    pub fn up_to(mut self, up_to: Rating) -> Self {
        self.tracer = self.tracer.with_max_rating(up_to);
        self
    }

    /// Ends the steps when the searches for the chains of a record have done this work.
    #[must_use]
    pub fn with_max_work(mut self, max_work: u64) -> Self {
        self.tracer = self.tracer.with_max_work(max_work);
        self.max_work = max_work;
        self
    }

    /// Records the reference search up to the solution, or with `proof` to its end, which shows that there
    /// is no other. A record that takes more than `most` guesses has no trace.
    #[must_use]
    pub fn searching(mut self, proof: bool, most: u64) -> Self {
        self.search = Some(Search { proof, most });
        self
    }

    /// Traces records. `see` gets each in order: its number, its status and its trace.
    pub fn ask(
        &mut self,
        records: &Records,
        mut see: impl FnMut(usize, Status, Option<Traced<'_>>),
    ) -> Traces<'_> {
        let Self {
            uniqueness,
            tracer,
            max_work,
            search,
            statuses,
        } = self;
        let search = *search;
        statuses.clear();
        let solved = uniqueness.ask(records).solved;
        let mut rejects = solved.rejects.iter().peekable();
        for record in 0..records.len() {
            let reject = rejects.next_if(|reject| reject.record == record);
            let mut reason = reject.map(|reject| reject.reason);
            let puzzle = match reason {
                Some(_) => None,
                None => records.puzzle(record).ok(),
            };
            let traced = match (&puzzle, search) {
                (None, _) => None,
                (Some(puzzle), None) => {
                    let trace = tracer.trace(puzzle);
                    reason = trace.gave_up().then_some(Reason::TooMuchWork(*max_work));
                    Some(Traced::Steps(trace))
                }
                (Some(puzzle), Some(Search { proof, most })) => {
                    let trace = tracer.search(puzzle, proof, most);
                    reason = trace.is_none().then_some(Reason::GaveUp(most));
                    trace.map(Traced::Search)
                }
            };
            see(
                record,
                reason.map_or(Status::Unique, |reason| reason.status()),
                traced,
            );
            statuses.push(reason.map_or(Ok(Status::Unique), Err));
        }
        Traces {
            statuses: &statuses.statuses,
            rejects: &statuses.rejects,
            counts: statuses.counts(),
        }
    }
}

impl Traced<'_> {
    /// The ER of the record, if the steps of a person fill every cell.
    pub fn rating(&self) -> Option<Rating> {
        match self {
            Self::Steps(trace) => trace.rating(),
            Self::Search(_) => None,
        }
    }

    /// The number of guesses of a search.
    pub fn guesses(&self) -> Option<u64> {
        match self {
            Self::Steps(_) => None,
            Self::Search(trace) => Some(trace.guesses()),
        }
    }

    /// The cells that are filled, in order, and their digits.
    pub fn pairs(&self) -> Pairs {
        match self {
            Self::Steps(trace) => trace.pairs(),
            Self::Search(trace) => trace.pairs(),
        }
    }

    /// Appends the steps, or the events of the search, as a JSON array.
    pub fn write_json(&self, extras: Extras, out: &mut Vec<u8>) {
        match self {
            Self::Steps(trace) => trace.write_json(extras, out),
            Self::Search(trace) => trace.write_json(extras, out),
        }
    }

    /// Shows a row for each step or event.
    pub fn rows(&self, extras: Extras, see: impl FnMut(&TraceRow<'_>)) {
        match self {
            Self::Steps(trace) => trace.rows(extras, see),
            Self::Search(trace) => trace.rows(extras, see),
        }
    }
}
