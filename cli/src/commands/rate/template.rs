//! `rate --rating-format`: lines as the lists of the forum have them.

use crate::{
    commands::question::Ask,
    driver::{Done, Plan, RecordCommand, Summary, Worker},
};
use anyhow::bail;
use std::str::FromStr;
use sudoku_batch::{
    format::{Added, Form, Layout, Values},
    questions::{Counts, RATE, RowView, Status},
};

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(Vec<u8>),
    Puzzle,
    /// The number of the record.
    Number,
    /// A column of the question, by its name.
    Column(&'static str),
}

/// The letters, what each stands for, and the part. Sudoku Explainer's `serate` has the first five, as gsf
/// added them; sukaku-forge and others have `%g`, `%r`, `%p` and `%d` of them.
const LETTERS: [(char, &str, Part); 7] = [
    ('g', "the puzzle", Part::Puzzle),
    ('r', "ER", Part::Column("er")),
    ('p', "EP", Part::Column("ep")),
    ('d', "ED", Part::Column("ed")),
    ('n', "the number of the record, from 1", Part::Number),
    (
        't',
        "the technique of the hardest step",
        Part::Column("technique"),
    ),
    ('s', "the status", Part::Column("status")),
];

/// The look of a line of ratings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) struct Template(Vec<Part>);

impl FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            if character.is_control() && character != '\t' {
                return Err("a line has no control characters but tabs".into());
            }
            if character != '%' {
                plain.push(character);
                continue;
            }
            let letter = characters.next();
            if letter == Some('%') {
                plain.push('%');
                continue;
            }
            let known = LETTERS.iter().find(|(known, ..)| Some(*known) == letter);
            let Some((.., part)) = known else {
                let letters = LETTERS.map(|(letter, what, _)| format!("%{letter} ({what})"));
                let found = letter.map_or("nothing follows %".into(), |letter| {
                    format!("%{letter} is no letter")
                });
                return Err(format!("{found}; one of: {}, %%", letters.join(", ")));
            };
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain).into_bytes()));
            }
            parts.push(part.clone());
        }
        if !plain.is_empty() {
            parts.push(Part::Text(plain.into_bytes()));
        }
        match parts.iter().any(|part| !matches!(part, Part::Text(_))) {
            true => Ok(Self(parts)),
            false => Err("it says nothing of a record: %g ED=%r/%p/%d is an example".into()),
        }
    }
}

/// The question, with lines of another shape.
pub(super) struct Formatted<'a> {
    ask: &'a mut Ask,
    template: Template,
}

impl<'a> Formatted<'a> {
    pub(super) fn new(ask: &'a mut Ask, template: Template) -> Self {
        Self { ask, template }
    }

    /// The number of a column.
    fn place(&self, name: &str) -> usize {
        let columns = &self.ask.asked.columns;
        let found = columns.iter().position(|column| column.name == name);
        found.expect("a column that is always there")
    }
}

impl RecordCommand for Formatted<'_> {
    fn plan(&mut self, input: &Layout, output: Form) -> anyhow::Result<Plan> {
        if output != Form::Line {
            bail!(
                "--rating-format has no effect: the format is {output}, and only lines have a format (--format line)"
            );
        }
        let plan = self.ask.plan(input, output)?;
        // The driver counts records where a column asks for their number.
        Ok(match self.template.0.contains(&Part::Number) {
            true => plan.with(Added::new("record", Values::Record)),
            false => plan,
        })
    }

    fn worker(&self) -> Worker<'_> {
        self.ask.worker()
    }

    /// The line of the template. A record that is not rated has its usual line: the puzzle and its status.
    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        if row.status() != Status::Unique {
            return self.ask.line(row, line);
        }
        for part in &self.template.0 {
            match part {
                Part::Text(text) => line.extend_from_slice(text),
                Part::Puzzle => line.extend_from_slice(row.records.own(row.record).as_ref()),
                Part::Number => line.extend_from_slice(row.number),
                Part::Column(name) => {
                    if !row.push(self.place(name), line) {
                        self.push_missing(name, row, line);
                    }
                }
            }
        }
        true
    }

    fn shows_puzzle(&self) -> bool {
        self.template.0.contains(&Part::Puzzle)
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        self.ask.summary(counts, done)
    }
}

impl Formatted<'_> {
    /// `>4.4` for a rating that is over the bound, and `-` for a technique that is not known.
    fn push_missing(&self, name: &str, row: &RowView<'_>, line: &mut Vec<u8>) {
        if RATE.column(name).values == Values::Ratings {
            line.push(b'>');
            row.push(self.place("beyond"), line);
        } else {
            line.push(b'-');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Template;

    #[test]
    fn letters_are_parts_and_others_are_named() {
        let parts = |text: &str| text.parse::<Template>().map(|template| template.0.len());
        assert_eq!(parts("%g ED=%r/%p/%d"), Ok(7));
        assert_eq!(parts("%n%%"), Ok(2));
        for (wrong, what) in [
            ("%g %e", "%e is no letter; one of: %g (the puzzle), %r (ER)"),
            ("%", "nothing follows %"),
            ("ED=", "it says nothing of a record"),
            ("%g\n", "control"),
        ] {
            let error = parts(wrong).unwrap_err();
            assert!(error.contains(what), "{error}");
        }
    }
}
