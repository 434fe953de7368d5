//! The questions of a batch, by their definitions: nothing here knows one by name, but for `dedup` and
//! `convert`, which add no columns.

use crate::failure::{Failure, all_are_known};
use sudoku_batch::{
    Puzzle, Reason,
    dataset::{Equivalence, PuzzleHasher},
    format::{Added, ColumnPlace, Form, Layout, Records, RowError, Writer},
    questions::{
        self, Answer, Batch, Compare, Counts, Data, Definition, Doors, Options, Question, Reject,
        RowView, RowWriter,
    },
};

/// The definitions of the questions that this module answers. It must not name the others: their code
/// would be in it.
fn definitions_here() -> impl Iterator<Item = &'static Definition> {
    #[cfg(feature = "solving")]
    let solvers = questions::SOLVERS;
    #[cfg(not(feature = "solving"))]
    let solvers = &[];
    #[cfg(feature = "rating")]
    let raters = questions::RATERS;
    #[cfg(not(feature = "rating"))]
    let raters = &[];
    solvers.iter().chain(raters).copied()
}

/// The definition of a question that this module answers.
pub(crate) fn definition(name: &str) -> Option<&'static Definition> {
    definitions_here().find(|definition| definition.name == name)
}

/// A question with these settings. All flags that calls can leave out are set.
pub(crate) fn asked(definition: &'static Definition, given: &Options) -> Result<Question, Failure> {
    let of_calls = definition.settings.iter();
    let of_calls = of_calls.filter(|setting| setting.doors == Doors::Calls);
    let set = of_calls.map(|setting| (setting.name, "true"));
    let settings = set.chain(given.iter().filter(|(_, text)| *text != "false"));
    Ok(definition.with(settings)?)
}

/// What a batch does with its records.
pub(crate) enum Work {
    Question {
        asked: Box<Question>,
        answers: Option<ColumnPlace>,
        answer: Answer<'static>,
        rows: RowWriter,
        has_several_rows: bool,
    },
    #[cfg(feature = "solving")]
    Dedup {
        by: Equivalence,
        hasher: PuzzleHasher,
        compare: Box<Compare>,
    },
    #[cfg(feature = "solving")]
    Convert,
}

/// What is made of a batch of records.
#[derive(Default)]
pub(crate) struct Made {
    pub(crate) out: Vec<u8>,
    pub(crate) counts: Counts,
    pub(crate) rejects: Vec<Reject>,
    /// For `dedup`: the key of each record (all ones where it is malformed), and where its row
    /// ends.
    pub(crate) keys: Vec<u8>,
    pub(crate) ends: Vec<u32>,
    /// Whether more rows of the same records come.
    pub(crate) goes_on: bool,
}

/// About how many bytes of rows are made together, where a record may have several.
const PART: usize = 1 << 20;

/// A record without a key: keys have 127 bits.
pub(crate) const NO_KEY: u128 = u128::MAX;

/// A record that has no place for its row.
pub(crate) struct Unwritten {
    pub(crate) record: usize,
    pub(crate) error: RowError,
}

impl Work {
    /// The work that options ask for, and the columns that it adds.
    pub(crate) fn new(given: &mut Options, layout: &Layout) -> Result<(Self, Vec<Added>), Failure> {
        let name = given.take("question").unwrap_or("solve".into());
        let seed = given.take_number("key-seed")?.unwrap_or(0);
        #[cfg(feature = "solving")]
        if name == "convert" {
            all_are_known(given)?;
            return Ok((Self::Convert, Vec::new()));
        }
        #[cfg(feature = "solving")]
        if name == "dedup" {
            let by = given.take("by").unwrap_or("symmetry".into());
            let by = by.parse().map_err(Failure::option)?;
            all_are_known(given)?;
            let work = Self::Dedup {
                by,
                hasher: PuzzleHasher::seeded(seed),
                compare: Box::new(Compare::new(by)),
            };
            return Ok((work, Vec::new()));
        }
        let Some(definition) = definition(&name) else {
            let names = definitions_here().map(|definition| definition.name);
            let names: Vec<_> = names.chain(["dedup", "convert"]).collect();
            let message = format!("no question {name:?}; there is: {}", names.join(", "));
            return Err(Failure::option(message));
        };
        let mut names = Vec::new();
        for column in definition
            .columns
            .iter()
            .filter(|column| column.can_be_renamed)
        {
            let option = format!("{}-column", column.name.replace('_', "-"));
            names.push((column.name, given.take(&option)));
        }
        // Answers, and texts that have them, stand in a column of the records.
        let takes_answers = definition
            .settings
            .iter()
            .find(|setting| setting.is_beside());
        let mut answers = None;
        if let Some(setting) = takes_answers
            && let Some(column) = given.take("answer-column")
        {
            answers = Some(layout.column(&column).map_err(Failure::form)?);
            given.set(setting.name, "true");
        }
        let asked = asked(definition, given)?;
        let added = |column: &questions::Column| {
            let name = match names.iter().find(|(name, _)| *name == column.name) {
                Some((_, Some(name))) => name,
                _ => column.name,
            };
            Added::new(name, column.values)
        };
        let columns = asked.columns.iter().map(added).collect();
        let work = Self::Question {
            answers,
            answer: asked.empty(),
            has_several_rows: asked.definition.has_several_rows(),
            asked: Box::new(asked),
            rows: RowWriter::default(),
        };
        Ok((work, columns))
    }

    /// Fills what this form shows.
    pub(crate) fn show_in(&mut self, form: Form) {
        match self {
            Self::Question { asked, answer, .. } => {
                answer.leave_out(|column| form.is_of_lines() && !asked.columns[column].in_lines);
                answer.keep_places(!form.is_of_lines() && !form.is_of_nine_lines());
                answer.in_parts_of(PART);
            }
            #[cfg(feature = "solving")]
            Self::Dedup { .. } | Self::Convert => {}
        }
    }

    /// The counts to show, how many of all records failed, and whether records are solved grids.
    pub(crate) fn outcome(&self, records: u64, counts: &Counts) -> (Counts, u64) {
        match self {
            Self::Question { asked, .. } => {
                let outcome = asked.outcome(counts, records);
                let is_shown = |name: &str| {
                    let mut shown = outcome.counts.iter().chain(outcome.among_first.iter());
                    shown.any(|(known, _)| known == name)
                };
                let mut shown = Counts::default();
                for (name, count) in counts.iter().filter(|(name, _)| is_shown(name)) {
                    shown.add(name.to_owned(), count);
                }
                (shown, outcome.failed)
            }
            #[cfg(feature = "solving")]
            Self::Dedup { by, .. } => {
                let failed = Compare::without_forms(*by, counts, records);
                (counts.without(&["unique"]), failed)
            }
            #[cfg(feature = "solving")]
            Self::Convert => (counts.clone(), counts.get("malformed")),
        }
    }

    /// Returns true if a record may have several rows, each with the number of the record.
    pub(crate) fn has_several_rows(&self) -> bool {
        matches!(
            self,
            Self::Question {
                has_several_rows: true,
                ..
            }
        )
    }

    /// Answers records, the first of which has this number, and writes their rows: all, or a part of them. Then
    /// the next call goes on.
    pub(crate) fn answer(
        &mut self,
        (records, first): (&Records, u64),
        layout: &Layout,
        writer: &Writer,
    ) -> Result<Made, Unwritten> {
        let mut made = Made {
            out: Vec::with_capacity(records.len() * 200),
            ..Made::default()
        };
        let plain = |record, out: &mut Vec<u8>| {
            let done = writer.row(records, record, |_| &[], out);
            done.map_err(|error| Unwritten { record, error })
        };
        match self {
            Self::Question {
                asked,
                answers,
                answer,
                rows,
                has_several_rows,
            } => {
                let takes_texts = asked.definition.takes_texts();
                let column = |is_wanted: bool| answers.as_ref().filter(|_| is_wanted);
                let given = column(!takes_texts).map(|column| {
                    let all = 0..records.len();
                    all.map(|record| cells_in(layout, records, record, column))
                        .collect::<Vec<_>>()
                });
                let texts_of = column(takes_texts).map(|column| {
                    let all = 0..records.len();
                    all.map(|record| layout.value(records.text(record), column))
                        .collect::<Vec<_>>()
                });
                let mut filled = std::mem::take(answer).renewed(None);
                filled.begin(records.len());
                let batch = Batch {
                    records,
                    answers: given.as_deref(),
                    texts: texts_of.as_deref(),
                };
                asked.fill(batch, &mut filled);
                made.counts = std::mem::take(&mut filled.counts);
                made.rejects = std::mem::take(&mut filled.rejects);
                made.goes_on = filled.next().is_some();
                let first = has_several_rows.then_some(first);
                let line = |row: &RowView<'_>, out: &mut Vec<u8>| asked.line(row, out);
                let mut write = |(record, places)| {
                    let (of_record, out) = ((record, places), &mut made.out);
                    let done = rows.write(writer, (records, &filled), of_record, first, line, out);
                    done.map_err(|error| Unwritten { record, error })
                };
                let done = match filled.column(0) {
                    Data::Cells(lines) if writer.form().is_of_lines() => {
                        made.out.extend_from_slice(lines.as_flattened());
                        Ok(())
                    }
                    _ => filled.entries().try_for_each(&mut write),
                };
                *answer = filled;
                done?;
            }
            #[cfg(feature = "solving")]
            Self::Dedup {
                hasher, compare, ..
            } => {
                let mut keys = Vec::with_capacity(records.len());
                let compared = compare.ask(records, |form| {
                    keys.push(form.map(|form| hasher.key(&form)));
                });
                made.rejects = compared.rejects.to_vec();
                made.counts = compared.counts;
                for (record, key) in keys.into_iter().enumerate() {
                    let bits = key.unwrap_or(NO_KEY);
                    made.keys.extend_from_slice(&bits.to_le_bytes());
                    plain(record, &mut made.out)?;
                    made.ends.push(made.out.len() as u32);
                }
            }
            #[cfg(feature = "solving")]
            Self::Convert => {
                for record in 0..records.len() {
                    plain(record, &mut made.out)?;
                    if let Some(error) = records.error(record) {
                        let reason = Reason::Malformed(error);
                        made.rejects.push(Reject { record, reason });
                    }
                }
                made.counts.add("malformed", made.rejects.len() as u64);
            }
        }
        Ok(made)
    }
}

/// The answer that a record has in a column, if it is 81 cells.
fn cells_in(
    layout: &Layout,
    records: &Records,
    record: usize,
    column: &ColumnPlace,
) -> Option<Puzzle> {
    let text = layout.value(records.text(record), column)?;
    str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}
