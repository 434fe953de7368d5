//! The steps of each record, and why each holds: a row for each.

use super::{
    Answer, Asked, Audience, Batch, Column, Counts, Definition, RateSettings, Responder, RowView,
    RunOutcome,
    chains::chains,
    columns::{Columns, NewText, columns, kind},
    drills::{placed, struck},
    made,
    rate::{Rate, outcome},
    settings::{AtLeast, Settings, settings},
};
use crate::{
    grid::Cell,
    simd::Level,
    technique::{Hint, Rating, Ratings, Step, Technique, Techniques},
};
use serde_json::Value;

settings! {
    /// The settings of [`EXPLAIN`].
    pub struct ExplainSettings {
        /// Take no step with a rating over X: the steps of a harder puzzle end before it.
        pub up_to: Rating = "11.9",
        /// Give up on a puzzle when the searches for its chains have done this work, as rate does.
        pub max_work: Option<u64> as Option<AtLeast<1>>,
        /// Take no step of these techniques.
        pub without: Techniques,
        /// Search with this instruction set.
        #[setting(named("simd"), at(Audience::Command))]
        pub level: Option<Level>,
        /// Give the rows of the format line: those of a record begin with its ratings, and words have several lines.
        #[setting(at(Audience::Command))]
        pub in_lines: bool,
        /// Leave out the number of the record: the rows have the columns of the user.
        #[setting(at(Audience::Command))]
        pub without_record: bool,
    }
}

columns! {
    /// The columns of [`EXPLAIN`].
    struct ExplainColumns, ExplainRow for ExplainSettings {
        record unless without_record: Option<kind::OfRecord> = Column::RECORD,
        /// the number of the step, from 1
        step: kind::Numbers,
        /// the rating of the step
        rating: kind::Ratings,
        /// the technique of the step
        technique: kind::Names<Technique>,
        /// the cells of the pattern
        cells: kind::Text,
        /// the digits of the pattern
        digits: kind::Text,
        /// the cell that is filled, and its digit
        places: kind::Text,
        /// the candidates that go
        strikes: kind::Text,
        /// the chains
        chains: kind::Json,
        /// the step in words, or why there is no further one
        words: kind::Text,
        status = Column::STATUS,
    }
}

/// Lists the steps of each puzzle.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Data, ExplainSettings, Question}};
/// let mut records = Records::default();
/// line::read(b"....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.", &mut records);
/// let mut question = Question::new(ExplainSettings::default())?;
/// let answer = question.ask(&records);
/// let Data::Texts(words) = answer.named("words") else { unreachable!() };
/// assert_eq!(words.len(), 60);
/// assert_eq!(words.get(0), b"In box 1, 7 fits only in r1c1.");
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static EXPLAIN: Definition = Definition {
    name: "explain",
    about: "List the steps of each puzzle, and why each holds",
    details: "\
The steps are those of a person who always takes the first of the easiest steps. Together they give the ratings of rate. \
A record without exactly one solution has no row, and neither has a solved grid.",
    settings: ExplainSettings::TABLE,
    columns: ExplainColumns::TABLE,
    make: made::<ExplainSettings>,
};

/// The start of a line of words below another, in lines: the words do not hide the techniques.
const LINE_BELOW: &str = "\n          ";

/// The question with its settings.
#[derive(Debug)]
struct Explaining {
    settings: ExplainSettings,
    columns: ExplainColumns,
    rate: Rate,
}

impl Asked for ExplainSettings {
    fn definition() -> &'static Definition {
        &EXPLAIN
    }

    fn responder(self) -> Box<dyn Responder> {
        let settings = RateSettings {
            up_to: self.up_to,
            max_work: self.max_work,
            without: self.without,
            level: self.level,
            ..RateSettings::default()
        };
        Box::new(Explaining {
            columns: ExplainColumns::of(&self),
            settings: self,
            rate: Rate::new(settings).with_steps(),
        })
    }
}

impl Responder for Explaining {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self {
            settings: self.settings.clone(),
            columns: self.columns,
            rate: self.rate.fork(),
        })
    }

    /// Chains may take long.
    fn batch(&self) -> usize {
        512
    }

    fn share(&mut self, threads: usize) {
        self.rate.share(threads);
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let Self {
            settings,
            columns,
            rate,
        } = self;
        let rated = rate.ask(batch.records);
        rated.count(&mut answer.counts);
        for (record, ratings) in rated.ratings.iter().enumerate() {
            match ratings {
                Some(ratings) => {
                    let steps = &rated.steps[record];
                    columns.add_steps(settings.in_lines, record, (ratings, steps), answer);
                }
                None => answer.nothing(record),
            }
        }
        rate.give_statuses(answer);
    }

    /// The puzzle and ER/EP/ED, or the status in their place. Then a line for each step: its number, rating, technique and
    /// words.
    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        let columns = &self.columns;
        if row.text(columns.step).is_empty() && row.text(columns.words).is_empty() {
            line.extend_from_slice(row.records.own(row.record).as_ref());
            line.push(b' ');
            // The texts of all three ratings, which belong to no step.
            return row.push(columns.cells, line) || row.push(columns.status, line);
        }
        line.extend_from_slice(format!("{:>4}  ", row.text(columns.step)).as_bytes());
        let rating = match row.rating(columns.rating) {
            None => format!(">{}", self.settings.up_to),
            Some(rating) => rating.to_string(),
        };
        let technique = row.text(columns.technique);
        line.extend_from_slice(format!("{rating:>4}  {technique:<31}").as_bytes());
        row.push(columns.words, line);
        true
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        outcome(self.settings.level, counts, records)
    }
}

impl ExplainColumns {
    /// Adds the rows of a record, one for each step; for lines one with its ratings before.
    fn add_steps(
        &self,
        in_lines: bool,
        record: usize,
        (ratings, steps): (&Ratings, &[Step]),
        answer: &mut Answer<'_>,
    ) {
        let nothing = || ExplainRow {
            record: self.record.map(|_| ()),
            step: None,
            rating: None,
            technique: None,
            cells: NewText::Nothing,
            digits: NewText::Nothing,
            places: NewText::Nothing,
            strikes: NewText::Nothing,
            chains: NewText::Nothing,
            words: NewText::Nothing,
        };
        if in_lines {
            let shown = Some(ratings).filter(|_| !ratings.gave_up);
            let row = ExplainRow {
                cells: NewText::shown(shown),
                ..nothing()
            };
            self.push(answer, record, row);
        } else if steps.is_empty() && ratings.er.is_some() {
            answer.nothing(record);
        }
        for (number, step) in (1..).zip(steps) {
            let words = match in_lines {
                true => step.lines().join(LINE_BELOW),
                false => step.to_string(),
            };
            let cells = Vec::from_iter(step.cells.iter().map(Cell::to_string)).join(" ");
            let (place, strikes) = (step.place.map(placed), struck(&step.strikes));
            let chains = step.chain().map(chains_of);
            let row = ExplainRow {
                step: Some(number),
                rating: Some(step.rating()),
                technique: Some(step.technique),
                cells: NewText::from(&cells),
                digits: NewText::Shown(&step.digits),
                places: NewText::from(place.as_deref().unwrap_or_default()),
                strikes: NewText::from(&strikes),
                chains: NewText::shown(chains.as_ref()),
                words: NewText::from(&words),
                ..nothing()
            };
            self.push(answer, record, row);
        }
        if ratings.er.is_none() {
            let words = match ratings.gave_up {
                true => "The search for chains ends at --max-work.".to_owned(),
                false => format!("Every further step is over {}.", ratings.up_to),
            };
            let row = ExplainRow {
                step: Some(steps.len() as u64 + 1),
                words: NewText::from(&words),
                ..nothing()
            };
            self.push(answer, record, row);
        }
    }
}

/// The chains of a step, with what they show.
fn chains_of(hint: &Hint) -> Value {
    chains(hint, |hint, shown| {
        shown["places"] = hint.place.map(placed).unwrap_or_default().into();
        shown["strikes"] = struck(&hint.strikes).into();
    })
}
