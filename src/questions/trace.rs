//! The order in which the cells of each record are filled: one row for each record, or one for each step.

use super::{
    Answer, Asked, Audience, Batch, Column, Counts, Definition, Question, Reason, Responder,
    RunOutcome, SettingError, Status, Uniqueness,
    columns::{Columns, NewPuzzle, NewText, columns, kind},
    made,
    settings::{AtLeast, Settings, settings},
    status::StatusColumn,
};
use crate::{
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
        pub max_work: Option<u64> as Option<AtLeast<1>>,
        /// Give the cells and digits alone, in place of the steps.
        #[setting(at(Audience::Bindings))]
        pub pairs: bool,
        /// Add the puzzle.
        #[setting(at(Audience::Written))]
        pub with_puzzle: bool,
    }
}

columns! {
    /// The columns of [`TRACE`].
    struct TraceColumns, TracedRow for TraceSettings {
        /// the puzzle
        puzzle if with_puzzle: Option<kind::Puzzles>,
        status = Column::STATUS,
        /// the ER, if the steps fill every cell
        rating unless search: Option<kind::Ratings>,
        /// the guesses of the search
        guesses if search: Option<kind::Numbers>,
        /// the steps, or the events of the search
        steps unless pairs: Option<kind::Json>,
        /// the cells in the order in which they are filled, and their digits
        pairs if pairs: Option<kind::Pairs>,
    }
}

columns! {
    /// The columns of [`TRACE_STEPS`].
    struct StepColumns, StepRow for TraceSettings {
        record = Column::RECORD,
        /// the number of the step, from 1
        step: kind::Numbers,
        /// the cell that is filled
        cell: kind::Text,
        /// its digit
        #[column(up_to(9))]
        digit: kind::Numbers,
        /// the technique, or the event of a search
        technique: kind::Text,
        /// the house that has no place for the digit
        house if search: Option<kind::Text>,
        /// the number of guesses that stand
        depth if search: Option<kind::Numbers>,
        /// the rating of the step
        rating unless search: Option<kind::Ratings>,
        /// the cells of the pattern
        cells unless search: Option<kind::Text>,
        /// the digits of the pattern
        digits unless search: Option<kind::Text>,
        /// the candidates that go
        strikes unless search: Option<kind::Text>,
        /// the grid after the step
        board if boards: Option<kind::Text>,
        /// the candidates after the step
        candidates if candidates: Option<kind::Text>,
        status = Column::STATUS,
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
/// let Data::Pairs(pairs) = answer.named("pairs") else { unreachable!() };
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
    columns: TraceColumns::TABLE,
    make: made::<TraceSettings>,
};

/// Traces records: a row for each step.
pub static TRACE_STEPS: Definition = Definition {
    name: "trace-steps",
    about: "List the steps of each puzzle in the order in which its cells are filled",
    details: "\
The steps are those of trace. A record without steps has no row.",
    columns: StepColumns::TABLE,
    make: |texts| TraceSettings::of_texts(texts)?.steps(),
    ..TRACE
};

/// The question with its settings.
#[derive(Debug)]
struct Tracing {
    settings: TraceSettings,
    /// Whether there is a row for each step.
    has_steps: bool,
    columns: TraceColumns,
    columns_of_steps: StepColumns,
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
            columns: TraceColumns::of(&self),
            columns_of_steps: StepColumns::of(&self),
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
            memory: None,
            ..*self
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
        let max_work = self.settings.max_work.unwrap_or(u64::MAX);
        let mut memory = self.memory.take().unwrap_or_else(|| {
            let tracer = Tracer::default()
                .with_max_rating(self.settings.up_to)
                .with_max_work(max_work);
            (Uniqueness::default(), tracer)
        });
        let (uniqueness, tracer) = &mut memory;
        let mut statuses = StatusColumn::of(answer);
        let solved = uniqueness.ask(batch.records);
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
        let columns = &self.columns;
        let own = columns.puzzle.map(|_| records.own(record));
        json.clear();
        if columns.steps.is_some() {
            match traced {
                Some(traced) => traced.write_json(self.settings.extras(), json),
                None if own.is_some() => json.extend_from_slice(b"[]"),
                None => {}
            }
        }
        let row = TracedRow {
            puzzle: own.as_ref().map(|own| match records.error(record) {
                Some(_) => NewPuzzle::Nothing,
                None => NewPuzzle::Own(own.as_ref()),
            }),
            rating: columns.rating.map(|_| traced.and_then(Traced::rating)),
            guesses: columns.guesses.map(|_| traced.and_then(Traced::guesses)),
            steps: columns.steps.map(|_| NewText::from(&*json)),
            pairs: (columns.pairs).map(|_| traced.map(|traced| Box::new(traced.pairs()))),
        };
        columns.push(answer, record, row);
    }

    /// Adds a row for each step of a record.
    fn add_steps(&self, record: usize, traced: Option<&Traced<'_>>, answer: &mut Answer<'_>) {
        let mut number = 0;
        if let Some(traced) = traced {
            let columns = &self.columns_of_steps;
            traced.rows(self.settings.extras(), |step| {
                number += 1;
                let row = StepRow {
                    step: Some(number),
                    cell: NewText::shown(step.cell.as_ref()),
                    digit: step.digit.map(u64::from),
                    technique: NewText::from(step.technique),
                    house: columns.house.map(|_| NewText::from(step.house)),
                    depth: (columns.depth).map(|_| step.depth.map(|depth| depth as u64)),
                    rating: columns.rating.map(|_| step.rating),
                    cells: columns.cells.map(|_| NewText::from(step.cells)),
                    digits: columns.digits.map(|_| NewText::from(step.digits)),
                    strikes: columns.strikes.map(|_| NewText::from(step.strikes)),
                    board: columns.board.map(|_| NewText::from(step.board)),
                    candidates: (columns.candidates).map(|_| NewText::from(step.candidates)),
                };
                columns.push(answer, record, row);
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
