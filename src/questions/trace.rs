//! The order in which the cells of each record are filled: one row for each record, or one for each step.

use super::{
    Answer, Asked, AtLeast, Audience, Batch, Column, Counts, Definition, Question, Reason,
    Responder, RunOutcome, SettingError, Status, Uniqueness, made,
    settings::{Settings, settings},
    status::StatusColumn,
};
use crate::{
    format::Values,
    technique::Rating,
    trace::{Extras, Pairs, SearchTrace, Trace, TraceRow, Tracer},
};

settings! {
    /// The settings of [`TRACE`] and [`TRACE_STEPS`].
    pub struct TraceSettings {
        /// Record the reference search up to the solution.
        pub search: bool,
        /// Record the search to its end, which shows that there is no other solution.
        #[setting(needs("search"))]
        pub proof: bool,
        /// Give up on a puzzle that takes the search more than N guesses.
        #[setting(needs("search"))]
        pub max_guesses: u64 = "10000",
        /// Add the grid after each step: 81 cells.
        #[setting(excludes("pairs"))]
        pub boards: bool,
        /// Add the candidates after each step: 729 characters, nine for each cell.
        #[setting(excludes("pairs"))]
        pub candidates: bool,
        /// Take no step with a rating over X: the steps of a puzzle that needs one end before it.
        #[setting(excludes("search"))]
        pub up_to: Rating = "11.9",
        /// Give up on a puzzle when the searches for its chains have done this work, as rate does.
        #[setting(excludes("search"))]
        pub max_work: Option<AtLeast<1>>,
        /// Give the cells and digits alone, in place of the steps.
        #[setting(at(Audience::Bindings))]
        pub pairs: bool,
        /// Add the puzzle.
        #[setting(at(Audience::Written))]
        pub with_puzzle: bool,
    }
}

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
    settings: TraceSettings::TABLE,
    columns: &[
        Column::new("puzzle", Values::Puzzles, "the puzzle").when("with-puzzle"),
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
    make: made::<TraceSettings>,
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
    make: |texts| TraceSettings::of_texts(texts)?.steps(),
    ..TRACE
};

/// The question with its settings.
#[derive(Debug)]
struct Tracing {
    settings: TraceSettings,
    /// Whether there is a row for each step.
    has_steps: bool,
    /// The memory of the thread, once it has a batch.
    memory: Option<(Uniqueness, Tracer)>,
}

impl TraceSettings {
    /// The question with a row for each step: that of [`TRACE_STEPS`].
    ///
    /// # Errors
    ///
    /// Two settings do not go together.
    pub fn steps(self) -> Result<Question, SettingError> {
        Question::with_settings(&TRACE_STEPS, self, |settings| settings.tracing(true))
    }

    fn extras(&self) -> Extras {
        Extras {
            boards: self.boards,
            candidates: self.candidates,
        }
    }

    fn tracing(self, has_steps: bool) -> Box<dyn Responder> {
        Box::new(Tracing {
            settings: self,
            has_steps,
            memory: None,
        })
    }
}

impl Asked for TraceSettings {
    fn definition() -> &'static Definition {
        &TRACE
    }

    fn responder(self) -> Box<dyn Responder> {
        self.tracing(false)
    }
}

impl Responder for Tracing {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self {
            settings: self.settings.clone(),
            has_steps: self.has_steps,
            memory: None,
        })
    }

    /// Chains and guesses may take long.
    fn batch(&self) -> usize {
        if self.settings.search || self.settings.up_to > Rating::IN_PLANES {
            512
        } else {
            10_240
        }
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let max_work = self.settings.max_work.map_or(u64::MAX, AtLeast::get);
        let mut memory = self.memory.take().unwrap_or_else(|| {
            let tracer = Tracer::default()
                .with_max_rating(self.settings.up_to)
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
                if self.settings.search {
                    let trace =
                        tracer.search(&puzzle, self.settings.proof, self.settings.max_guesses);
                    reason = trace
                        .is_none()
                        .then_some(Reason::GaveUp(self.settings.max_guesses));
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
        if self.settings.with_puzzle {
            row = match records.error(record) {
                Some(_) => row.nothing(1),
                None => row.own(records.own(record).as_ref()),
            };
        }
        row = if self.settings.search {
            row.number(traced.and_then(Traced::guesses))
        } else {
            row.rating(traced.and_then(Traced::rating))
        };
        if self.settings.pairs {
            row.pairs(traced.map(|traced| Box::new(traced.pairs())));
            return;
        }
        json.clear();
        match traced {
            Some(traced) => traced.write_json(self.settings.extras(), json),
            None if self.settings.with_puzzle => json.extend_from_slice(b"[]"),
            None => {}
        }
        row.text(json);
    }

    /// Adds a row for each step of a record.
    fn add_steps(&self, record: usize, traced: Option<&Traced<'_>>, answer: &mut Answer<'_>) {
        let mut number = 0;
        if let Some(traced) = traced {
            traced.rows(self.settings.extras(), |step| {
                number += 1;
                let row = answer
                    .row(record)
                    .number(Some(number))
                    .display(step.cell)
                    .number(step.digit.map(u64::from))
                    .text(step.technique);
                let mut row = if self.settings.search {
                    row.text(step.house)
                        .number(step.depth.map(|depth| depth as u64))
                } else {
                    let row = row.rating(step.rating).text(step.cells);
                    row.text(step.digits).text(step.strikes)
                };
                if self.settings.boards {
                    row = row.text(step.board);
                }
                if self.settings.candidates {
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
