//! The questions that a batch can be asked, with the columns and lines of the command.

use crate::{
    failure::{Failure, number},
    puzzles::{LIMIT, rating},
};
use serde::Deserialize;
use std::{fmt::Display, io::Write};
use sudoku_batch::{
    Puzzle, Reason, Solver,
    dataset::{Equivalence, PuzzleHasher},
    format::{Added, Column, Form, Layout, Place, Records, RowError, Values, Writer},
    grid::{CELLS, GridLine},
    questions::{Canonicalize, Check, Compare, Count, Counts, Rate, Reject, Solve},
    solve::NO_SOLUTION,
    technique::Difficulty,
};

/// The options of a batch.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Options {
    pub(crate) question: String,
    unique: bool,
    minimal: bool,
    grade: bool,
    #[serde(deserialize_with = "number")]
    limit: Option<u64>,
    up_to: Option<f64>,
    #[serde(deserialize_with = "number")]
    max_work: Option<u64>,
    by: Option<String>,
    answer_column: Option<String>,
    solution_column: Option<String>,
    status_column: Option<String>,
    pub(crate) replace: bool,
    /// The column of the puzzles.
    pub(crate) column: Option<String>,
    pub(crate) input_format: Option<String>,
    pub(crate) format: Option<String>,
    /// The name of the file, which may say that it is a table.
    pub(crate) name: Option<String>,
    /// What the keys of `dedup` are made from: the same in all workers of a batch.
    #[serde(deserialize_with = "number")]
    seed: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            question: "solve".into(),
            unique: false,
            minimal: false,
            grade: false,
            limit: None,
            up_to: None,
            max_work: None,
            by: None,
            answer_column: None,
            solution_column: None,
            status_column: None,
            replace: false,
            column: None,
            input_format: None,
            format: None,
            name: None,
            seed: None,
        }
    }
}

/// A question, with its memory.
pub(crate) enum Asked {
    Solve {
        question: Box<Solve>,
        unique: bool,
    },
    Check {
        question: Check,
        minimal: bool,
        answers: Option<Column>,
    },
    Rate {
        question: Box<Rate>,
        grade: bool,
    },
    Count(Box<Count>),
    Canonical(Box<Canonicalize>),
    Dedup {
        by: Equivalence,
        hasher: PuzzleHasher,
        compare: Box<Compare>,
    },
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
}

/// A record without a key: keys have 127 bits.
pub(crate) const NO_KEY: u128 = u128::MAX;

/// A record that has no place for its row.
pub(crate) struct Unwritten {
    pub(crate) record: usize,
    pub(crate) error: RowError,
}

impl Asked {
    pub(crate) fn new(options: &Options, layout: &Layout) -> Result<Self, Failure> {
        Ok(match options.question.as_str() {
            #[cfg(feature = "solving")]
            "solve" => Self::Solve {
                question: Box::new(match options.unique {
                    true => Solve::unique(Solver::new()),
                    false => Solve::new(Solver::new()),
                }),
                unique: options.unique,
            },
            #[cfg(feature = "solving")]
            "check" => {
                let name = options.answer_column.as_deref();
                let answers = name.map(|name| layout.column(name)).transpose();
                let question = Check::default();
                Self::Check {
                    question: if options.minimal {
                        question.minimal()
                    } else {
                        question
                    },
                    minimal: options.minimal,
                    answers: answers.map_err(Failure::form)?,
                }
            }
            #[cfg(feature = "rating")]
            "rate" => {
                let mut question = Rate::default();
                if let Some(up_to) = options.up_to {
                    question = question.up_to(rating(up_to)?);
                }
                if let Some(most) = options.max_work {
                    question = question.with_max_work(most);
                }
                Self::Rate {
                    question: Box::new(question),
                    grade: options.grade,
                }
            }
            #[cfg(feature = "solving")]
            "count" => {
                let limit = options.limit.unwrap_or(LIMIT);
                Self::Count(Box::new(Count::new((limit > 0).then_some(limit))))
            }
            #[cfg(feature = "solving")]
            "canonical" => Self::Canonical(Box::default()),
            #[cfg(feature = "solving")]
            "dedup" => {
                let by = options.by.as_deref().unwrap_or("symmetry");
                let by = by.parse().map_err(Failure::option)?;
                Self::Dedup {
                    by,
                    hasher: PuzzleHasher::seeded(options.seed.unwrap_or(0)),
                    compare: Box::new(Compare::new(by)),
                }
            }
            #[cfg(feature = "solving")]
            "convert" => Self::Convert,
            other => {
                return Err(Failure::option(format!(
                    "no question {other:?}; there is: solve, check, rate, count, canonical, dedup, convert"
                )));
            }
        })
    }

    /// The question for an output of this form: lines show no guesses.
    pub(crate) fn in_form(self, form: Form) -> Self {
        match self {
            Self::Rate { question, grade } if form != Form::Line => Self::Rate {
                question: Box::new(question.with_guesses()),
                grade,
            },
            other => other,
        }
    }

    /// The columns that it adds.
    pub(crate) fn columns(&self, options: &Options) -> Vec<Added> {
        let status = options.status_column.as_deref().unwrap_or("status");
        let solution = options.solution_column.as_deref().unwrap_or("solution");
        let columns: Vec<(&str, Values)> = match self {
            Self::Solve { .. } => vec![(solution, Values::Cells), (status, Values::Text)],
            Self::Check {
                minimal, answers, ..
            } => {
                let mut columns = vec![(status, Values::Text), ("clue_count", Values::Numbers)];
                if *minimal {
                    columns.push(("redundant_clues", Values::Numbers));
                }
                if answers.is_some() {
                    let names = ["answer_right", "wrong_cells", "changed_clues"];
                    columns.extend(names.map(|name| (name, Values::Numbers)));
                }
                columns
            }
            Self::Rate { grade, .. } => {
                let mut columns = ["er", "ep", "ed", "beyond"]
                    .map(|name| (name, Values::Numbers))
                    .to_vec();
                columns.extend([
                    ("technique", Values::Text),
                    ("guesses", Values::Numbers),
                    (status, Values::Text),
                ]);
                if *grade {
                    columns.push(("grade", Values::Text));
                }
                columns
            }
            Self::Count(_) => vec![("solution_count", Values::Text), (status, Values::Text)],
            Self::Canonical(_) => vec![("canonical", Values::Cells), (status, Values::Text)],
            Self::Dedup { .. } | Self::Convert => Vec::new(),
        };
        let added = |(name, values): (&str, Values)| Added {
            name: name.into(),
            place: Place::End,
            values,
        };
        columns.into_iter().map(added).collect()
    }

    /// Counts that are kept for a sum, and that no summary shows.
    pub(crate) fn hidden(&self) -> &'static [&'static str] {
        match self {
            Self::Check { .. } => &[
                "cells",
                "cells-right",
                "blank-cells",
                "blank-cells-right",
                "failed",
            ],
            Self::Dedup { .. } => &["unique"],
            _ => &[],
        }
    }

    /// How many records of all failed.
    pub(crate) fn failed(&self, records: u64, counts: &Counts) -> u64 {
        let unique = records - counts.get("unique").min(records);
        match self {
            Self::Solve { unique: true, .. } | Self::Canonical(_) => unique,
            Self::Solve { .. } => unique.saturating_sub(counts.get("multiple")),
            Self::Check { .. } => counts.get("failed"),
            Self::Rate { .. } => records.saturating_sub(counts.get("rated")),
            Self::Dedup { by, .. } if by.needs_solution() => unique,
            Self::Count(_) | Self::Dedup { .. } | Self::Convert => counts.get("malformed"),
        }
    }

    /// Answers records, and writes their rows.
    pub(crate) fn answer(
        &mut self,
        records: &Records,
        layout: &Layout,
        writer: &Writer,
    ) -> Result<Made, Unwritten> {
        let mut made = Made::default();
        let in_lines = writer.form() == Form::Line;
        let mut rows = Rows::new(records, writer);
        match self {
            #[cfg(feature = "solving")]
            Self::Solve { question, .. } => {
                let mut lines = vec![NO_SOLUTION; records.len()];
                let solved = question.ask(records, &mut lines);
                made.rejects = solved.rejects.to_vec();
                made.counts = solved.counts;
                if in_lines {
                    made.out = lines.into_flattened();
                    return Ok(made);
                }
                for (record, line) in lines.iter().enumerate() {
                    let status = solved.statuses[record].name();
                    rows.write(record, |column| match column {
                        0 => cells(line),
                        _ => status.as_bytes(),
                    })?;
                }
            }
            #[cfg(feature = "solving")]
            Self::Check {
                question, answers, ..
            } => {
                let answers = answers.as_ref().map(|column| {
                    let all = 0..records.len();
                    all.map(|record| answer(layout, records, record, column))
                        .collect::<Vec<_>>()
                });
                let checked = question.ask(records, answers.as_deref());
                made.rejects = checked.rejects.to_vec();
                made.counts.add("failed", made.rejects.len() as u64);
                made.counts += checked.counts;
                for (record, status) in checked.statuses.iter().enumerate() {
                    let mut row = rows.row();
                    row.value(status.name());
                    row.optional(checked.clues[record]);
                    if let Some(redundant) = checked.redundant.get(record) {
                        row.optional(*redundant);
                    }
                    if let Some(answer) = checked.answers.get(record) {
                        row.value(answer.right);
                        row.optional(answer.score.map(|score| score.wrong_blanks));
                        row.optional(answer.score.map(|score| score.changed_clues));
                    }
                    rows.end(record)?;
                }
            }
            #[cfg(feature = "rating")]
            Self::Rate {
                question, grade, ..
            } => {
                let rated = question.ask(records);
                made.rejects = rated.rejects.to_vec();
                made.counts.add("rated", rated.counts.get("unique"));
                made.counts += rated.grades();
                for (name, count) in rated.counts.iter().filter(|(name, _)| *name != "unique") {
                    made.counts.add(name.to_owned(), count);
                }
                for (record, ratings) in rated.ratings.iter().enumerate() {
                    let status = rated.statuses[record].name();
                    let word = ratings.and_then(|ratings| ratings.grade());
                    let word = word.map(Difficulty::name).filter(|_| *grade);
                    if in_lines {
                        rows.out.extend_from_slice(records.own(record).as_ref());
                        let shown = ratings.filter(|ratings| !ratings.gave_up);
                        rows.line(match shown {
                            Some(ratings) => format!(" {ratings}"),
                            None => format!(" {status}"),
                        });
                        if let (Some(_), true) = (shown, *grade) {
                            rows.line(format_args!(" {}", word.unwrap_or_default()));
                        }
                        rows.out.push(b'\n');
                        continue;
                    }
                    let mut row = rows.row();
                    match ratings {
                        Some(ratings) => {
                            row.optional(ratings.er);
                            row.optional(ratings.ep);
                            row.optional(ratings.ed);
                            row.optional(ratings.beyond());
                            row.optional(ratings.technique);
                            row.optional(rated.guesses[record]);
                        }
                        None => (0..6).for_each(|_| row.value("")),
                    }
                    row.value(status);
                    if *grade {
                        row.value(word.unwrap_or_default());
                    }
                    rows.end(record)?;
                }
            }
            #[cfg(feature = "solving")]
            Self::Count(question) => {
                let counted = question.ask(records);
                made.rejects = counted.rejects.to_vec();
                made.counts = counted.counts;
                for (record, solutions) in counted.solutions.iter().enumerate() {
                    let status = counted.statuses[record].name();
                    if in_lines {
                        match solutions {
                            Some(solutions) => rows.line(solutions),
                            None => rows.line(status),
                        }
                        rows.out.push(b'\n');
                        continue;
                    }
                    let mut row = rows.row();
                    row.optional(*solutions);
                    row.value(status);
                    rows.end(record)?;
                }
            }
            #[cfg(feature = "solving")]
            Self::Canonical(question) => {
                let answer = question.ask(records);
                made.rejects = answer.solved.rejects.to_vec();
                for (record, form) in answer.forms.iter().enumerate() {
                    let mut row = rows.row();
                    row.optional(form.as_ref().map(|form| form.as_given()));
                    row.value(answer.solved.statuses[record].name());
                    rows.end(record)?;
                }
                made.counts = answer.solved.counts;
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
                    let bits = key.map_or(NO_KEY, |key| key.bits());
                    made.keys.extend_from_slice(&bits.to_le_bytes());
                    rows.write(record, |_| &[])?;
                    made.ends.push(rows.out.len() as u32);
                }
            }
            #[cfg(feature = "solving")]
            Self::Convert => {
                for record in 0..records.len() {
                    rows.write(record, |_| &[])?;
                    if let Some(error) = records.error(record) {
                        let reason = Reason::Malformed(error);
                        made.rejects.push(Reject { record, reason });
                    }
                }
                made.counts.add("malformed", made.rejects.len() as u64);
            }
            #[cfg(not(all(feature = "solving", feature = "rating")))]
            _ => unreachable!("`new` makes no question of the other module"),
        }
        made.out = rows.out;
        Ok(made)
    }
}

/// The cells of a line, or nothing for points.
fn cells(line: &GridLine) -> &[u8] {
    match line[0] {
        b'.' => &[],
        _ => &line[..CELLS],
    }
}

/// The answer that a record has in a column, if it is 81 cells.
fn answer(layout: &Layout, records: &Records, record: usize, column: &Column) -> Option<Puzzle> {
    let text = layout.value(records.text(record), column)?;
    str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

/// Rows in the making.
struct Rows<'r> {
    records: &'r Records,
    writer: &'r Writer,
    out: Vec<u8>,
    /// The values of the row, one after the other, and the end of each.
    text: Vec<u8>,
    ends: Vec<usize>,
}

struct Row<'r>(&'r mut Vec<u8>, &'r mut Vec<usize>);

impl Row<'_> {
    fn value(&mut self, value: impl Display) {
        write!(self.0, "{value}").expect("into memory");
        self.1.push(self.0.len());
    }

    /// The value, or an empty field.
    fn optional(&mut self, value: Option<impl Display>) {
        match value {
            Some(value) => self.value(value),
            None => self.value(""),
        }
    }
}

impl<'r> Rows<'r> {
    fn new(records: &'r Records, writer: &'r Writer) -> Self {
        Self {
            records,
            writer,
            out: Vec::with_capacity(records.len() * 200),
            text: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn row(&mut self) -> Row<'_> {
        self.text.clear();
        self.ends.clear();
        Row(&mut self.text, &mut self.ends)
    }

    /// Writes the row that was filled.
    fn end(&mut self, record: usize) -> Result<(), Unwritten> {
        let (text, ends) = (&self.text, &self.ends);
        let value = |column: usize| {
            let start = column.checked_sub(1).map_or(0, |before| ends[before]);
            &text[start..ends[column]]
        };
        let done = self.writer.row(self.records, record, value, &mut self.out);
        done.map_err(|error| Unwritten { record, error })
    }

    /// Writes a row with these values.
    fn write<'v>(
        &mut self,
        record: usize,
        value: impl Fn(usize) -> &'v [u8],
    ) -> Result<(), Unwritten>
    where
        'r: 'v,
    {
        let done = self.writer.row(self.records, record, value, &mut self.out);
        done.map_err(|error| Unwritten { record, error })
    }

    /// Adds to a line.
    fn line(&mut self, text: impl Display) {
        write!(self.out, "{text}").expect("into memory");
    }
}
