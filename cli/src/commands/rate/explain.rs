//! `rate --explain`: a row for each step, which a question of its own gives.

use crate::{
    commands::question::{self, Ask},
    driver::{Done, Plan, RecordCommand, Summary, Worker, job},
};
use sudoku_batch::{
    format::{Added, Form, Layout},
    questions::{Batch, Column, Counts, ExplainSettings, Question, RATE, RateSettings, RowView},
};

/// The command, as the driver knows it.
pub(super) struct Explanation<'o> {
    ask: &'o Ask,
    settings: ExplainSettings,
    asked: Question,
}

impl RecordCommand for Explanation<'_> {
    fn plan(&mut self, _: &Layout, output: Form) -> anyhow::Result<Plan> {
        self.settings.in_lines = output.is_of_lines();
        self.asked = question_of(self.ask, &self.settings);
        let name = |column: &Column| match column.name {
            name if name == Column::STATUS.name => self.ask.added.status_column.clone(),
            name => name.to_owned(),
        };
        let columns = self.asked.columns.iter();
        let columns = columns.map(|column| Added::new(&name(column), column.values));
        Ok(Plan::new(columns.collect::<Vec<_>>()).taking_long(true))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = self.asked.fork();
        Box::new(move |batch, answer| {
            answer.keep_places(true);
            question.fill(Batch::from(batch.records), answer);
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        self.asked.line(row, line)
    }

    fn shows_puzzle(&self) -> bool {
        self.asked.shows_puzzle()
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        question::summary(&self.asked, counts, done)
    }
}

impl<'o> Explanation<'o> {
    pub(super) fn new(ask: &'o Ask) -> Self {
        let settings = ask.settings.iter();
        let settings = settings.map(|(name, text)| (*name, &text[..]));
        let settings: RateSettings = RATE
            .read(settings)
            .expect("the question was asked with them");
        let settings = ExplainSettings {
            up_to: settings.up_to,
            max_work: settings.max_work,
            without: settings.without,
            level: settings.level,
            in_lines: false,
            without_record: true,
        };
        Self {
            asked: question_of(ask, &settings),
            ask,
            settings,
        }
    }
}

/// The question with some settings, whose threads share a puzzle that takes long.
fn question_of(ask: &Ask, settings: &ExplainSettings) -> Question {
    let asked = Question::new(settings.clone());
    let mut asked = asked.expect("the settings are those of the question that was asked");
    asked.share(job::threads(&ask.records.set.run).count());
    asked
}
