//! `sudoku-batch rate`.

mod explain;

use super::{
    job::SHOWN,
    stream::{self, Done, Lot, RecordCommand, RowView, Rows, added},
    summary::Summary,
};
use crate::cli::rate::Rate;
use explain::Explaining;
use std::{ops::AddAssign, process::ExitCode};
use sudoku_batch::{
    Level, NotUnique, Reason,
    format::{Added, Form, Layout, Records, Values},
    grid::{BLANK, CELLS},
    solve::guesses,
    technique::{Grade, Rater, Rating, Ratings},
};

/// Rates files.
pub(crate) fn run(options: &Rate) -> anyhow::Result<ExitCode> {
    match options.explain {
        true => stream::run(Explaining::new(options), &options.records),
        false => {
            let in_lines = false;
            stream::run(RatingCommand { options, in_lines }, &options.records)
        }
    }
}

/// The reference search stops after this many guesses, which take about a second.
const MOST_GUESSES: u64 = 1_000_000;

/// The command, as the driver knows it.
struct RatingCommand<'o> {
    options: &'o Rate,
    /// Whether the output has the form `line`, which does not show guesses.
    in_lines: bool,
}

/// The counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Total {
    records: u64,
    /// Records of each grade, by its place in [`Grade::ALL`].
    grades: [u64; Grade::ALL.len()],
    rejected: [u64; Reason::NAMES.len()],
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        for (sum, more) in self.grades.iter_mut().zip(other.grades) {
            *sum += more;
        }
        for (sum, more) in self.rejected.iter_mut().zip(other.rejected) {
            *sum += more;
        }
    }
}

impl Total {
    /// Counts a record.
    pub(super) fn add(&mut self, rating: &Result<Ratings, Reason>) {
        self.records += 1;
        match rating {
            Ok(ratings) => self.grades[Grade::of(ratings.er) as usize] += 1,
            Err(reason) => self.rejected[reason.kind()] += 1,
        }
    }

    /// The summary of either form of the command.
    pub(super) fn summary(&self, level: Option<Level>, done: &Done) -> Summary {
        let rated: u64 = self.grades.iter().sum();
        let failed = self.records - rated;
        let grades = Grade::ALL.iter().map(|grade| grade.name());
        let level = level.unwrap_or_else(Level::detect);
        let facts = [("level", level.name().to_owned())];
        Summary {
            total: ("records", self.records),
            counts: std::iter::once(("rated", rated))
                .chain(Reason::counts(self.rejected))
                .collect(),
            among_first: grades.zip(self.grades).collect(),
            unit: "puzzles",
            facts: facts.into_iter().chain(done.facts()).collect(),
            failed,
            failure: match failed > SHOWN as u64 && !done.has_rejects {
                true => "not rated; --rejects FILE lists them all",
                false => "not rated",
            },
        }
    }
}

/// Why a record has no rating.
pub(super) fn reason(records: &Records, record: usize, error: NotUnique) -> Reason {
    match (records.puzzle(record), error) {
        (Err(error), _) => Reason::Malformed(error),
        (Ok(_), NotUnique::Multiple) => Reason::Multiple,
        (Ok(puzzle), NotUnique::NoSolution) => Reason::of_unsolvable(&puzzle),
    }
}

/// The rater for the options.
pub(super) fn rater(options: &Rate) -> Rater {
    let level = options.level.unwrap_or_else(Level::detect);
    Rater::with_level(level).expect("the level was checked with the flags")
}

/// Rates the records of a batch. Malformed ones have a reason too.
pub(super) fn rate_records(
    rater: &mut Rater,
    records: &Records,
    mut take: impl FnMut(usize, Result<Ratings, Reason>),
) {
    let mut record = 0;
    rater.rate_cells(records.cells(), |rating| {
        let malformed = match rating {
            Ok(_) => None,
            Err(error) => Some(reason(records, record, error)),
        };
        take(
            record,
            rating.map_err(|_| malformed.expect("it has no rating")),
        );
        record += 1;
    });
}

/// Ratings as text: `2.6`, `>4.4`, `>4.4/1.2/1.2`.
///
/// Millions of puzzles a second are shown, so this is no `String`.
pub(super) struct Shown {
    text: [u8; 17],
    length: usize,
}

impl Shown {
    const NOTHING: Self = Self {
        text: [0; 17],
        length: 0,
    };

    fn push(&mut self, text: &[u8]) {
        self.text[self.length..self.length + text.len()].copy_from_slice(text);
        self.length += text.len();
    }

    fn push_rating(&mut self, rating: Option<Rating>) {
        let tenths = rating.unwrap_or(Rating::HARDEST).tenths();
        if rating.is_none() {
            self.push(b">");
        }
        if tenths >= 100 {
            self.push(b"1");
        }
        let [whole, tenth] = [tenths / 10 % 10, tenths % 10].map(|digit| b'0' + digit);
        self.push(&[whole, b'.', tenth]);
    }
}

impl AsRef<[u8]> for Shown {
    fn as_ref(&self) -> &[u8] {
        &self.text[..self.length]
    }
}

/// A rating.
pub(super) fn shown(rating: Option<Rating>) -> Shown {
    let mut shown = Shown::NOTHING;
    shown.push_rating(rating);
    shown
}

/// ER/EP/ED.
fn shown_together(ratings: &Ratings) -> Shown {
    let mut shown = Shown::NOTHING;
    shown.push_rating(ratings.er);
    for rating in [ratings.ep, ratings.ed] {
        shown.push(b"/");
        shown.push_rating(rating);
    }
    shown
}

/// The cells of a record that is not malformed as they are written: digits and points.
fn push_puzzle(line: &mut Vec<u8>, records: &Records, record: usize) {
    let digit_or_blank = |c: u8| if c.wrapping_sub(b'1') < 9 { c } else { BLANK };
    line.extend_from_slice(&records.cells()[record].map(digit_or_blank));
}

/// The cells of any record as they are written. A malformed record gives 81 points.
pub(super) fn push_cells(line: &mut Vec<u8>, records: &Records, record: usize) {
    match records.puzzle(record) {
        Ok(puzzle) => line.extend_from_slice(puzzle.as_ascii()),
        Err(_) => line.extend_from_slice(&[BLANK; CELLS]),
    }
}

/// What is in the columns, by their numbers. In lines, the first has all three numbers.
const ER: usize = 0;
const STATUS: usize = 4;
const GRADE: usize = 5;

impl RecordCommand for RatingCommand<'_> {
    type Kept = Rater;
    type Total = Total;

    fn columns(&mut self, input: &Layout) -> anyhow::Result<Vec<Added>> {
        let form = self.options.records.output_form(input.form());
        self.in_lines = form == Form::Line;
        let status = &self.options.status.status_column;
        let mut columns = vec![
            added("er", Values::Text),
            added("ep", Values::Text),
            added("ed", Values::Text),
            added("guesses", Values::Numbers),
            added(status, Values::Text),
        ];
        if self.options.grade {
            columns.push(added("grade", Values::Text));
        }
        Ok(columns)
    }

    fn keep(&self) -> Rater {
        rater(self.options)
    }

    fn answer(&self, rater: &mut Rater, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        let mut total = Total::default();
        rate_records(rater, lot.records, |record, rating| {
            total.add(&rating);
            if let Err(reason) = &rating {
                rows.reject(record, reason.name(), reason);
            }
            let row = rows.row(record);
            let row = match &rating {
                // A line shows the three numbers together, and nothing else but the grade.
                Ok(ratings) if self.in_lines => {
                    let row = row.value(shown_together(ratings));
                    row.nothing().nothing().nothing().nothing()
                }
                Ok(ratings) => {
                    let row = row.value(shown(ratings.er)).value(shown(ratings.ep));
                    let row = row.value(shown(ratings.ed));
                    match self.guesses(lot.records, record, ratings) {
                        Some(guesses) => row.display(guesses),
                        None => row.nothing(),
                    }
                    .value("unique")
                }
                Err(reason) => {
                    let row = row.nothing().nothing().nothing().nothing();
                    row.value(reason.name())
                }
            };
            if self.options.grade {
                match &rating {
                    Ok(ratings) => row.value(Grade::of(ratings.er).name()),
                    Err(_) => row.nothing(),
                };
            }
        });
        total
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        if row.value(ER).is_empty() {
            push_cells(line, row.records, row.record);
            line.push(b' ');
            line.extend_from_slice(row.value(STATUS));
            return true;
        }
        push_puzzle(line, row.records, row.record);
        line.push(b' ');
        line.extend_from_slice(row.value(ER));
        if self.options.grade {
            line.push(b' ');
            line.extend_from_slice(row.value(GRADE));
        }
        true
    }

    fn summary(&self, total: &Total, done: &Done) -> Summary {
        total.summary(self.options.level, done)
    }
}

impl RatingCommand<'_> {
    /// The guesses for a puzzle whose ER is not known, where they are shown.
    fn guesses(&self, records: &Records, record: usize, ratings: &Ratings) -> Option<u64> {
        if ratings.er.is_some() {
            return None;
        }
        let puzzle = records.puzzle(record).ok()?;
        guesses(&puzzle, MOST_GUESSES)
    }
}
