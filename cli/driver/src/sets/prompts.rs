//! `--template`: a text for each record, made of its columns and of drawings of it.

use crate::driver::{
    Continuation, Done, InputFile, Plan, RecordBatch, RecordCommand, Summary, Worker,
};
use crate::pipeline::output::Output;
use anyhow::{Context, bail};
use std::{fs, path::Path};
use sudoku_batch::{
    format::{
        Added, ColumnPlace, Form, Layout, Values,
        template::{Source, Template},
    },
    questions::{Answer, Counts, RowView},
};

/// Asks for a text for each record.
#[derive(Clone, Debug, clap::Args)]
pub struct PromptOptions {
    /// Make a text for each record from a template.
    ///
    /// The template is a file with placeholders such as {puzzle} and {solution}. A placeholder is the name of a column of the output, or a drawing of the puzzle: grid (nine lines with
    /// spaces), rows (without), frame, table (of Markdown), lists (of JSON, 0 for a blank); with solution_ before
    /// it, of the solution. The text is a column of a table and a key of JSON lines. In the format line it is all
    /// that is written.
    #[arg(long, value_name = "FILE")]
    pub template: Option<InputFile>,

    /// The name of the column, or key, for the text of --template.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "prompt",
        requires = "template"
    )]
    pub prompt_column: String,
}

/// A command whose rows have a text more.
pub struct Prompting<'c> {
    command: &'c mut dyn RecordCommand,
    name: &'c str,
    text: String,
    template: Option<Template>,
    values: Vec<Value>,
    /// The number of the column of texts.
    column: usize,
}

/// The value that a placeholder stands for.
enum Value {
    /// A column of the command, by its number.
    Added(usize),
    /// The number of the record.
    Number,
    /// The puzzle of the record.
    Puzzle,
    /// A column of the user.
    Own(ColumnPlace),
}

impl PromptOptions {
    /// Reads the template, if there is one, without the line feed at its end: each text is on lines of its own.
    pub fn read(&self) -> anyhow::Result<Prompts> {
        let read = |path: &Path| {
            let mut text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            if text.ends_with('\n') {
                text.pop();
            }
            anyhow::Ok(text)
        };
        Ok(Prompts {
            name: self.prompt_column.clone(),
            text: self.template.as_deref().map(read).transpose()?,
        })
    }
}

/// A template, and the name of the column of its texts.
pub struct Prompts {
    name: String,
    text: Option<String>,
}

impl Prompts {
    /// Returns true if the template has this placeholder.
    pub fn shows(&self, name: &str) -> bool {
        let text = self.text.as_ref();
        text.is_some_and(|text| text.contains(&format!("{{{name}}}")))
    }

    /// Runs a command, with texts if there is a template.
    pub fn run<T>(
        self,
        command: &mut dyn RecordCommand,
        run: impl FnOnce(&mut dyn RecordCommand) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let Some(text) = self.text else {
            return run(command);
        };
        run(&mut Prompting {
            command,
            name: &self.name,
            text,
            template: None,
            values: Vec::new(),
            column: 0,
        })
    }
}

impl Prompting<'_> {
    fn write(&self, batch: &RecordBatch<'_>, answer: &mut Answer<'_>) {
        let Some(template) = &self.template else {
            return;
        };
        answer.write_texts(self.column, |answer, record, place, out| {
            let is_read = batch.numbers.is_empty();
            if is_read && batch.records.error(record).is_some() {
                return;
            }
            let value = |number: usize, out: &mut Vec<u8>| match &self.values[number] {
                Value::Added(column) => _ = answer.push_text(record, place, *column, out),
                Value::Number => {
                    let number = batch.numbers.start + record as u64;
                    out.extend_from_slice(number.to_string().as_bytes());
                }
                Value::Puzzle => out.extend_from_slice(batch.records.own(record).as_ref()),
                Value::Own(column) => {
                    out.extend_from_slice(&batch.value(record, column).unwrap_or_default());
                }
            };
            // A record that could not be made has no text.
            let has_puzzle = || {
                let column = answer.kinds().iter().position(|kind| kind.are_cells());
                let mut cells = Vec::new();
                column.is_none_or(|column| answer.push_text(record, place, column, &mut cells))
            };
            if is_read || has_puzzle() {
                template.fill(value, out);
            }
        });
    }
}

impl RecordCommand for Prompting<'_> {
    fn plan(&mut self, input: &Layout, output: Form) -> anyhow::Result<Plan> {
        let plan = self.command.plan(input, output)?;
        // Records that are read give way to lines, or the driver says what the format holds.
        let has_only_cells = output.is_of_nine_lines() || output.is_notation();
        if output == Form::Text || has_only_cells && plan.is_alone() {
            bail!("--template has no effect: the format {output} has no room for texts (--format)");
        }
        let (mut names, mut values) = (Vec::new(), Vec::new());
        let mut add = |name: &str, has_cells: bool, value: Value| {
            if !names
                .iter()
                .any(|(known, _): &(String, bool)| known == name)
            {
                names.push((name.to_owned(), has_cells));
                values.push(value);
            }
        };
        for (number, column) in plan.columns().iter().enumerate() {
            let value = match column.values {
                Values::Record => Value::Number,
                _ => Value::Added(number),
            };
            add(&column.name, column.values.are_cells(), value);
            // The rating of a puzzle is its ER.
            if column.name == "er" {
                add("rating", false, Value::Added(number));
            }
        }
        if !plan.is_alone() {
            add("puzzle", true, Value::Puzzle);
            let puzzle = input.puzzle_column();
            let answers = input.columns_of_answers();
            let columns = input.all_columns().into_iter().zip(input.columns());
            for (number, (column, name)) in columns.enumerate() {
                if puzzle == Some(number) {
                    add(name, false, Value::Puzzle);
                } else {
                    add(name, answers.contains(&column), Value::Own(column));
                }
            }
        }
        let sources: Vec<_> = names
            .iter()
            .enumerate()
            .map(|(number, (name, has_cells))| Source {
                name,
                number,
                has_cells: *has_cells,
            })
            .collect();
        self.template = Some(Template::new(&self.text, &sources).context("--template")?);
        self.values = values;
        self.column = plan.columns().len();
        // The template may show what the format has no room for.
        Ok(plan
            .with(Added::new(self.name, Values::Text))
            .hiding(Vec::new()))
    }

    fn worker(&self) -> Worker<'_> {
        let mut work = self.command.worker();
        Box::new(move |batch, answer| {
            work(batch, answer)?;
            self.write(batch, answer);
            Ok(())
        })
    }

    /// The text alone.
    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        row.push(self.column, line);
        true
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn expects_grids(&self) -> bool {
        self.command.expects_grids()
    }

    fn continuation(&self) -> Continuation {
        self.command.continuation()
    }

    fn abandon(&self, batch: u64) {
        self.command.abandon(batch);
    }

    fn finish(&mut self, counts: &Counts) -> anyhow::Result<Vec<Output>> {
        self.command.finish(counts)
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        self.command.summary(counts, done)
    }
}
