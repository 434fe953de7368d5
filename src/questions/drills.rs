//! The positions of each record's path just before a step: one row for each.

use super::{
    Answer, Asked, Batch, Column, Counts, Definition, Reason, Responder, RowView, RunOutcome,
    Status, Uniqueness,
    columns::{Columns, NewPuzzle, NewText, columns, kind},
    made,
    settings::{AnyTechniques, AtLeast, Settings, settings},
    status::StatusColumn,
};
use crate::{
    format::Records,
    grid::{AnyPuzzle, BLANK, CELLS, Candidate, Candidates, Cell, Digits, Grid, Puzzle},
    puzzle::Relatives,
    technique::{Position, Rating, Technique, Techniques},
    trace::{Trace, Tracer},
};

settings! {
    /// The settings of [`DRILLS`].
    pub struct DrillsSettings {
        /// List only steps of these techniques: X-wing.
        ///
        /// The names are those of rate, with commas between, and those of families: singles, hidden single (with the
        /// last cell), locked candidates, unique rectangle, unique loop, BUG, uniqueness.
        pub technique: Techniques as AnyTechniques,
        /// Take no step with a rating over X: the path of a harder puzzle ends before it.
        ///
        /// Up to 4.4 tens of thousands of puzzles a second are searched. Chains take milliseconds and more.
        pub up_to: Rating = "11.9",
        /// Search relatives of each record too: up to N, each with a drill, for each technique of its path.
        ///
        /// A relative differs in one clue from the record, or from a relative before it, and has the technique too. So rare
        /// techniques come up to twenty times as fast as from other puzzles. Of one technique, the record and its relatives have
        /// different solutions, and so different positions, also up to symmetry. A relative of a minimal record is often not
        /// minimal.
        pub relatives: u64 = "0",
        /// Give up on a puzzle when the searches for its chains have done this work, as rate does.
        pub max_work: Option<u64> as Option<AtLeast<1>>,
    }
}

columns! {
    /// The columns of [`DRILLS`].
    struct DrillsColumns, DrillsRow for DrillsSettings {
        record = Column::RECORD,
        /// the relative of the record that the step belongs to; nothing for a step of the record itself
        relative: kind::Puzzles,
        /// the number of the step on the path, from 1
        step: kind::Numbers,
        /// the technique of the step
        technique: kind::Names<Technique>,
        /// the rating of the step
        rating: kind::Ratings,
        /// the filled cells
        grid: kind::Puzzles,
        /// the candidates: nine characters for each cell, a filled one has its digit alone
        candidates: kind::Candidates,
        /// the cells of the pattern
        cells: kind::Text,
        /// the digits of the pattern
        digits: kind::Text,
        /// the cell that is filled, and its digit
        places: kind::Text,
        /// the candidates that go
        strikes: kind::Text,
        /// the step in words
        words: kind::Text,
        status = Column::STATUS,
    }
}

/// Lists drills: positions with the next step as the answer. The command has one more option, and a part of its own for it.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{DRILLS, Data}};
/// let mut records = Records::default();
/// line::read(b"....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.", &mut records);
/// let answer = DRILLS.with([("technique", "pointing")])?.ask(&records);
/// let Data::Ratings(ratings) = answer.named("rating") else { unreachable!() };
/// let Data::Texts(strikes) = answer.named("strikes") else { unreachable!() };
/// assert_eq!((ratings.len(), strikes.len()), (3, 3));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static DRILLS: Definition = Definition {
    name: "drills",
    about: "List the positions just before a step, with the step as the answer",
    details: "\
The steps are those of a person who always takes the first of the easiest steps, as rate explains them. So no easier \
step is in sight in a position. Each position is a row: the number and technique of its step, the grid, the \
candidates, and the answer. With `relatives` the drills of each record are followed by those of its relatives. A record \
without exactly one solution has no row.",
    settings: DrillsSettings::TABLE,
    columns: DrillsColumns::TABLE,
    make: made::<DrillsSettings>,
};

/// The question with its settings.
#[derive(Debug)]
pub struct Drills {
    settings: DrillsSettings,
    /// The drills of the batch, in order.
    found: Vec<Drill>,
    /// The number of records of the batch.
    records: usize,
    statuses: StatusColumn,
    /// The memory of the thread, once it has a batch.
    memory: Option<(Uniqueness, Tracer)>,
    relatives: Relatives,
}

/// A position, and the step that comes next.
#[derive(Debug)]
struct Drill {
    record: usize,
    /// The relative of the record whose step it is, if it is not the record's own.
    relative: Option<Puzzle>,
    solution: Grid,
    /// The number of the step, from 1.
    number: u64,
    technique: Technique,
    position: Position,
}

impl Asked for DrillsSettings {
    fn definition() -> &'static Definition {
        &DRILLS
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Drills::new(self))
    }
}

impl Drills {
    /// The question of a thread with these settings.
    pub fn new(settings: DrillsSettings) -> Self {
        Self {
            settings,
            found: Vec::new(),
            records: 0,
            statuses: StatusColumn::default(),
            memory: None,
            relatives: Relatives::default(),
        }
    }

    /// The question for another thread.
    #[must_use]
    pub fn forked(&self) -> Self {
        Self::new(self.settings.clone())
    }

    /// Returns true if the steps of a technique are asked for.
    pub fn asks_for(&self, technique: Technique) -> bool {
        let asked = self.settings.technique;
        technique.rating() <= self.settings.up_to && (asked.is_empty() || asked.contains(technique))
    }

    /// Returns true if relatives of records are asked for.
    pub fn has_relatives(&self) -> bool {
        self.settings.relatives > 0
    }

    /// Finds the drills of records, but for those of some techniques.
    pub fn find(&mut self, records: &Records, without: impl Fn(Technique) -> bool) {
        let up_to = self.settings.up_to;
        let max_work = self.settings.max_work.unwrap_or(u64::MAX);
        let (mut uniqueness, mut tracer) = self.memory.take().unwrap_or_else(|| {
            let tracer = Tracer::default().with_max_rating(up_to);
            (Uniqueness::default(), tracer.with_max_work(max_work))
        });
        let wanted = |technique: Technique| self.asks_for(technique) && !without(technique);
        let wanted: Techniques = Technique::ALL
            .iter()
            .copied()
            .filter(|one| wanted(*one))
            .collect();
        self.found.clear();
        self.records = records.len();
        self.statuses.clear();
        let solved = uniqueness.ask(records);
        let mut rejects = solved.rejects.iter().peekable();
        for record in 0..records.len() {
            let reject = rejects.next_if(|reject| reject.record == record);
            let mut reason = reject.map(|reject| reject.reason);
            let puzzle = records.puzzle(record).ok().filter(|_| reason.is_none());
            // A record that is given up has a status of its own, also where no drill is wanted any more: which these are
            // depends on the number of threads.
            let is_traced = !wanted.is_empty() || self.settings.max_work.is_some();
            let solved = puzzle.zip(solved.solution(record));
            if let Some((puzzle, solution)) = solved.filter(|_| is_traced) {
                let trace = tracer.trace(puzzle);
                reason = trace.gave_up().then_some(Reason::TooMuchWork(max_work));
                let own = Drill::all(&trace, wanted, (record, None), &solution);
                self.found.extend(own);
                let met: Techniques = trace.techniques().collect();
                let most = self.settings.relatives;
                if let AnyPuzzle::Cells(puzzle) = puzzle.simplest()
                    && most > 0
                {
                    for one in met.and(wanted).iter() {
                        let of = (&puzzle, &solution);
                        let relatives = &mut self.relatives;
                        relatives.find(&mut tracer, of, one, most, |puzzle, solution, trace| {
                            let one = [one].into_iter().collect();
                            let all = Drill::all(trace, one, (record, Some(*puzzle)), solution);
                            self.found.extend(all.into_iter().next());
                        });
                    }
                }
            }
            self.statuses.push(reason.map_or(Ok(Status::Unique), Err));
        }
        self.memory = Some((uniqueness, tracer));
    }

    /// The techniques of the drills and the solutions of their puzzles, in order.
    pub fn found(&self) -> impl Iterator<Item = (Technique, &Grid)> {
        let found = self.found.iter();
        found.map(|drill| (drill.technique, &drill.solution))
    }

    /// Keeps the drills for which `keep` returns true. It gets their places in [`found`](Self::found), in order.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut places = 0..;
        self.found.retain(|_| places.next().is_some_and(&mut keep));
    }

    /// Gives a row for each drill.
    pub fn give(&mut self, answer: &mut Answer<'_>) {
        let mut tally = [0; Technique::ALL.len()];
        let mut drills = self.found.iter().peekable();
        for record in 0..self.records {
            if drills.peek().is_none_or(|drill| drill.record != record) {
                answer.nothing(record);
            }
            while let Some(drill) = drills.next_if(|drill| drill.record == record) {
                tally[drill.technique as usize] += 1;
                drill.give(answer);
            }
        }
        answer.counts.add("drills", self.found.len() as u64);
        for (technique, n) in Technique::ALL.iter().zip(tally) {
            if n > 0 {
                answer.counts.add(technique.name(), n);
            }
        }
        answer.counts += self.statuses.counts();
        self.statuses.swap(answer);
    }

    /// The outcome of a run: see [`Responder::outcome`].
    pub fn sum_up(counts: &Counts, records: u64) -> RunOutcome {
        let names = Vec::from_iter(Technique::ALL.iter().map(|technique| technique.name()));
        let failed = records.saturating_sub(counts.get("unique"));
        let mut without = names.clone();
        without.push("unique");
        RunOutcome {
            unit: "puzzles",
            among_first: counts.only(&names),
            is_listed: true,
            ..RunOutcome::new(counts.without(&without), failed, "without a path")
        }
    }

    /// The line of a drill: its candidates, which are a record, the technique, and the answer.
    pub fn show(row: &RowView<'_>, line: &mut Vec<u8>) {
        let columns = DrillsColumns::all();
        row.push(columns.candidates, line);
        line.push(b'\t');
        row.push(columns.technique, line);
        line.push(b'\t');
        if !row.push(columns.places, line) {
            row.push(columns.strikes, line);
        }
    }
}

impl Drill {
    /// The drills of some techniques on a path: that of a record, or of a relative of it.
    fn all(
        trace: &Trace<'_>,
        wanted: Techniques,
        (record, relative): (usize, Option<Puzzle>),
        solution: &Grid,
    ) -> Vec<Self> {
        let mut all = Vec::new();
        trace.positions(
            |technique| wanted.contains(technique),
            |number, technique, position| {
                all.push(Self {
                    record,
                    relative,
                    solution: *solution,
                    number,
                    technique,
                    position: position.clone(),
                });
            },
        );
        all
    }

    fn give(&self, answer: &mut Answer<'_>) {
        let step = self.position.next_step_within(u64::MAX, |_| true);
        let step = step.expect("the path goes on");
        let filled = self.position.filled();
        let candidates: [Digits; CELLS] = std::array::from_fn(|index| {
            let cell = Cell::known(index);
            match filled.get(cell) {
                Some(digit) => [digit].into_iter().collect(),
                None => self.position.candidates(cell),
            }
        });
        let candidates = AnyPuzzle::Candidates(Candidates::from_cells(&candidates));
        let cells = Vec::from_iter(step.cells.iter().map(Cell::to_string)).join(" ");
        let (place, strikes) = (step.place.map(placed), struck(&step.strikes));
        let relative = self.relative.map(AnyPuzzle::Cells);
        let row = DrillsRow {
            relative: NewPuzzle::of(relative.as_ref(), BLANK),
            step: Some(self.number),
            technique: Some(step.technique),
            rating: Some(step.rating()),
            grid: NewPuzzle::Of(&AnyPuzzle::Cells(*filled), BLANK),
            candidates: NewPuzzle::Of(&candidates, BLANK),
            cells: NewText::from(&cells),
            digits: NewText::Shown(&step.digits),
            places: NewText::shown(place.as_ref()),
            strikes: NewText::from(&strikes),
            words: NewText::Shown(&step),
        };
        DrillsColumns::all().push(answer, self.record, row);
    }
}

impl Responder for Drills {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(self.forked())
    }

    /// Chains may take long, and a record may have dozens of drills, and relatives.
    fn batch(&self) -> usize {
        match self.settings.relatives {
            0 => 512,
            _ => 8,
        }
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        self.find(batch.records, |_| false);
        self.give(answer);
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        Self::show(row, line);
        true
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        Self::sum_up(counts, records)
    }
}

/// The digit of a cell: `r1c2=3`.
pub(super) fn placed(place: Candidate) -> String {
    format!("{}={}", place.cell, place.digit)
}

/// The candidates that go: `r1c2-3 r1c3-3`.
pub(super) fn struck(strikes: &[Candidate]) -> String {
    let strike = |strike: &Candidate| format!("{}-{}", strike.cell, strike.digit);
    Vec::from_iter(strikes.iter().map(strike)).join(" ")
}
