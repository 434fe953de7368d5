//! The order in which the cells of each record are filled: one row for each record, or one for each step.

use super::{
    Answer, Batch, Column, Counts, Definition, Doors, Kind, Reason, RunOutcome, Setting, Status,
    Uniqueness, Value, Work, status::StatusColumn,
};
use crate::{
    format::Values,
    technique::Rating,
    trace::{Extras, Pairs, SearchTrace, Trace, TraceRow, Tracer},
};

/// Traces records: a row for each, with the steps as JSON.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Data, Status, TRACE}};
/// let mut records = Records::default();
/// let text = b"....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.
/// .................................................................................
/// ";
/// line::read(text, &mut records);
/// let answer = TRACE.with([("pairs", "true")])?.ask(&records);
/// let Data::Pairs(pairs) = answer.column(2) else { unreachable!() };
/// assert_eq!(pairs[0].as_ref().unwrap()[0], [0, 7]);
/// assert_eq!(answer.statuses, [Status::Unique, Status::Multiple]);
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static TRACE: Definition = Definition {
    name: "trace",
    about: "Write the order in which cells are filled, and why",
    details: "\
The steps are those of a person who always takes the easiest step, as rate explains them, or with search \
those of the reference search, with its guesses, contradictions and returns. A record without exactly one \
solution has no steps.",
    notes: "",
    failure: "some records have no whole trace",
    verification: "",
    settings: SETTINGS,
    columns: &[
        Column::new("puzzle", Values::Puzzles, "the puzzle").when(WRITTEN),
        Column::STATUS,
        Column::new(
            "rating",
            Values::Ratings,
            "the ER, if the steps fill every cell",
        )
        .unless("search"),
        Column::new("guesses", Values::Numbers, "the guesses of the search").when("search"),
        Column::new(
            "steps",
            Values::Json,
            "the steps, or the events of the search",
        )
        .unless("pairs"),
        Column::new(
            "pairs",
            Values::Pairs,
            "the cells in the order in which they are filled, and their digits",
        )
        .when("pairs"),
    ],
    make: || Box::new(Tracing::default()),
};

/// Traces records: a row for each step.
pub static TRACE_STEPS: Definition = Definition {
    name: "trace-steps",
    about: "List the steps of each puzzle in the order in which its cells are filled",
    details: "\
The steps are those of trace. A record without steps has no row.",
    columns: &[
        Column::RECORD,
        Column::new("step", Values::Numbers, "the number of the step, from 1"),
        Column::new("cell", Values::Text, "the cell that is filled"),
        Column::new("digit", Values::Numbers, "its digit").up_to(9),
        Column::new(
            "technique",
            Values::Text,
            "the technique, or the event of a search",
        ),
        Column::new(
            "house",
            Values::Text,
            "the house that has no place for the digit",
        )
        .when("search"),
        Column::new("depth", Values::Numbers, "the number of guesses that stand").when("search"),
        Column::new("rating", Values::Ratings, "the rating of the step").unless("search"),
        Column::new("cells", Values::Text, "the cells of the pattern").unless("search"),
        Column::new("digits", Values::Text, "the digits of the pattern").unless("search"),
        Column::new("strikes", Values::Text, "the candidates that go").unless("search"),
        Column::new("board", Values::Text, "the grid after the step").when("boards"),
        Column::new("candidates", Values::Text, "the candidates after the step").when("candidates"),
        Column::STATUS,
    ],
    make: || {
        Box::new(Tracing {
            has_steps: true,
            ..Tracing::default()
        })
    },
    ..TRACE
};

/// The setting of rows that are written: they have the puzzle, and `[]` where there are no steps.
const WRITTEN: &str = "with-puzzle";

const SETTINGS: &[Setting] = &[
    Setting::new(
        "search",
        Kind::Flag,
        "Record the reference search up to the solution.",
    ),
    Setting::new(
        "proof",
        Kind::Flag,
        "Record the search to its end, which shows that there is no other solution.",
    )
    .needs("search"),
    Setting::new(
        "max-guesses",
        Kind::Number(0),
        "Give up on a puzzle that takes the search more than N guesses.",
    )
    .usual("10000")
    .needs("search"),
    Setting::new(
        "boards",
        Kind::Flag,
        "Add the grid after each step: 81 cells.",
    )
    .excludes("pairs"),
    Setting::new(
        "candidates",
        Kind::Flag,
        "Add the candidates after each step: 729 characters, nine for each cell.",
    )
    .excludes("pairs"),
    Setting::new(
        "up-to",
        Kind::Rating,
        "Take no step with a rating over X: the steps of a puzzle that needs one end before it.",
    )
    .usual("11.9")
    .excludes("search"),
    Setting::new(
        "max-work",
        Kind::Number(1),
        "Give up on a puzzle when the searches for its chains have done this work, as rate does.",
    )
    .excludes("search"),
    Setting::new(
        "pairs",
        Kind::Flag,
        "Give the cells and digits alone, in place of the steps.",
    )
    .at(Doors::Bindings),
    Setting::new(WRITTEN, Kind::Flag, "Add the puzzle.").at(Doors::Written),
];

/// The question with its settings.
#[derive(Debug)]
struct Tracing {
    /// Whether there is a row for each step.
    has_steps: bool,
    search: bool,
    proof: bool,
    max_guesses: u64,
    extras: Extras,
    up_to: Rating,
    max_work: u64,
    pairs: bool,
    is_written: bool,
    /// The memory of the thread, once it has a batch.
    memory: Option<(Uniqueness, Tracer)>,
}

impl Default for Tracing {
    fn default() -> Self {
        Self {
            has_steps: false,
            search: false,
            proof: false,
            max_guesses: 10_000,
            extras: Extras::default(),
            up_to: Rating::HARDEST,
            max_work: u64::MAX,
            pairs: false,
            is_written: false,
            memory: None,
        }
    }
}

impl Work for Tracing {
    fn set(&mut self, name: &str, value: Value) {
        match (name, value) {
            ("search", Value::Flag(is_set)) => self.search = is_set,
            ("proof", Value::Flag(is_set)) => self.proof = is_set,
            ("max-guesses", Value::Number(most)) => self.max_guesses = most,
            ("boards", Value::Flag(is_set)) => self.extras.boards = is_set,
            ("candidates", Value::Flag(is_set)) => self.extras.candidates = is_set,
            ("up-to", Value::Rating(up_to)) => self.up_to = up_to,
            ("max-work", Value::Number(most)) => self.max_work = most,
            ("pairs", Value::Flag(is_set)) => self.pairs = is_set,
            (WRITTEN, Value::Flag(is_set)) => self.is_written = is_set,
            _ => unreachable!("{name} is no setting of this kind"),
        }
    }

    fn fork(&self) -> Box<dyn Work> {
        Box::new(Self {
            memory: None,
            ..*self
        })
    }

    /// Chains and guesses may take long.
    fn batch(&self) -> usize {
        if self.search || self.up_to > Rating::IN_PLANES {
            512
        } else {
            10_240
        }
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let (up_to, max_work) = (self.up_to, self.max_work);
        let mut memory = self.memory.take().unwrap_or_else(|| {
            let tracer = Tracer::default()
                .with_max_rating(up_to)
                .with_max_work(max_work);
            (Uniqueness::default(), tracer)
        });
        let (uniqueness, tracer) = &mut memory;
        let mut statuses = StatusColumn::of(answer);
        let solved = uniqueness.ask(batch.records).solved;
        let mut rejects = solved.rejects.iter().peekable();
        let mut json = Vec::new();
        for record in 0..batch.records.len() {
            let reject = rejects.next_if(|reject| reject.record == record);
            let mut reason = reject.map(|reject| reject.reason);
            let puzzle = batch.records.puzzle(record).ok();
            let puzzle = puzzle.filter(|_| reason.is_none());
            let traced = puzzle.and_then(|puzzle| {
                if self.search {
                    let trace = tracer.search(&puzzle, self.proof, self.max_guesses);
                    reason = trace.is_none().then_some(Reason::GaveUp(self.max_guesses));
                    trace.map(Traced::Search)
                } else {
                    let trace = tracer.trace(&puzzle);
                    reason = trace.gave_up().then_some(Reason::TooMuchWork(max_work));
                    Some(Traced::Steps(trace))
                }
            });
            statuses.push(reason.map_or(Ok(Status::Unique), Err));
            if self.has_steps {
                self.add_steps(record, traced.as_ref(), answer);
            } else {
                self.add_row((batch, record), traced.as_ref(), &mut json, answer);
            }
        }
        let counts = statuses.counts();
        answer.counts.add("traced", counts.get("unique"));
        answer.counts += counts.without(&["unique"]);
        statuses.swap(answer);
        self.memory = Some(memory);
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let failed = records.saturating_sub(counts.get("traced"));
        RunOutcome {
            unit: "puzzles",
            is_listed: true,
            ..RunOutcome::new(counts.clone(), failed, "not traced")
        }
    }
}

impl Tracing {
    /// Adds the row of a record.
    fn add_row(
        &self,
        (batch, record): (Batch<'_>, usize),
        traced: Option<&Traced<'_>>,
        json: &mut Vec<u8>,
        answer: &mut Answer<'_>,
    ) {
        let records = batch.records;
        let mut row = answer.row(record);
        if self.is_written {
            row = match records.error(record) {
                Some(_) => row.nothing(1),
                None => row.own(records.own(record).as_ref()),
            };
        }
        row = if self.search {
            row.number(traced.and_then(Traced::guesses))
        } else {
            row.rating(traced.and_then(Traced::rating))
        };
        if self.pairs {
            row.pairs(traced.map(|traced| Box::new(traced.pairs())));
            return;
        }
        json.clear();
        match traced {
            Some(traced) => traced.write_json(self.extras, json),
            None if self.is_written => json.extend_from_slice(b"[]"),
            None => {}
        }
        row.text(json);
    }

    /// Adds a row for each step of a record.
    fn add_steps(&self, record: usize, traced: Option<&Traced<'_>>, answer: &mut Answer<'_>) {
        let mut number = 0;
        if let Some(traced) = traced {
            traced.rows(self.extras, |step| {
                number += 1;
                let row = answer
                    .row(record)
                    .number(Some(number))
                    .display(step.cell)
                    .number(step.digit.map(u64::from))
                    .text(step.technique);
                let mut row = if self.search {
                    row.text(step.house)
                        .number(step.depth.map(|depth| depth as u64))
                } else {
                    let row = row.rating(step.rating).text(step.cells);
                    row.text(step.digits).text(step.strikes)
                };
                if self.extras.boards {
                    row = row.text(step.board);
                }
                if self.extras.candidates {
                    row.text(step.candidates);
                }
            });
        }
        if number == 0 {
            answer.nothing(record);
        }
    }
}

/// The trace of a record.
enum Traced<'t> {
    /// The steps of a person.
    Steps(Trace<'t>),
    /// The reference search.
    Search(SearchTrace<'t>),
}

impl Traced<'_> {
    fn rating(&self) -> Option<Rating> {
        match self {
            Self::Steps(trace) => trace.rating(),
            Self::Search(_) => None,
        }
    }

    fn guesses(&self) -> Option<u64> {
        match self {
            Self::Steps(_) => None,
            Self::Search(trace) => Some(trace.guesses()),
        }
    }

    fn pairs(&self) -> Pairs {
        match self {
            Self::Steps(trace) => trace.pairs(),
            Self::Search(trace) => trace.pairs(),
        }
    }

    fn write_json(&self, extras: Extras, out: &mut Vec<u8>) {
        match self {
            Self::Steps(trace) => trace.write_json(extras, out),
            Self::Search(trace) => trace.write_json(extras, out),
        }
    }

    fn rows(&self, extras: Extras, see: impl FnMut(&TraceRow<'_>)) {
        match self {
            Self::Steps(trace) => trace.rows(extras, see),
            Self::Search(trace) => trace.rows(extras, see),
        }
    }
}
