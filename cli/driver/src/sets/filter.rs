//! `sudoku-batch filter`.

mod condition;
mod decimal;
mod tokens;

use super::prompts::PromptOptions;
use crate::driver::{
    self, Asking, Files, Plan, RecordCommand, RecordOptions, Worker, WrongInput,
    options::help,
    settings::{Defined, Settings},
};
use condition::Condition;
use std::process::ExitCode;
use sudoku_batch::{
    format::{ChoiceError, ColumnReader, Form, Layout, Records},
    questions::{
        self, Answer, Audience, BACKDOORS, CANONICAL, CHECK, COUNT, Data, FilterSettings, Kind,
        Question, RATE, SOLVE, Setting, Settings as _,
    },
};

/// Keep the records that meet all conditions, as they are.
///
/// A record that does not meet them is left out. --invert keeps exactly the records that would be left
/// out without it. Nothing is computed that no condition needs.
///
/// A malformed record meets no condition but --status malformed. One that is left out is reported, unless
/// --status names malformed.
///
/// Ranges include both ends. A.. and ..B are open.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some malformed records are left out, and --status does not name them"))]
pub struct Filter {
    #[command(flatten)]
    conditions: Settings<Self>,

    /// Keep records by their own columns: "rating>=7".
    ///
    /// A test is a column, one of = != < <= > >= and a number, or a text in quotes: status = 'unique'. It may be
    /// clues in 22..24 (a range), clues in (17, 20..22), rating is missing, or rating is present. There are and, or, not and brackets.
    ///
    /// The columns are those that --columns takes. A name with spaces stands in brackets: [my column].
    ///
    /// A comparison with a number takes the value as a number: 7 is 7.0. One with a text takes its characters. A value that is empty, and one that
    /// is no number where a number is wanted, make it false, that of != too.
    #[arg(long = "where", id = "where", value_name = "EXPR")]
    condition: Option<Condition>,

    /// The columns of the condition in the input that is read.
    #[arg(skip)]
    columns: Vec<ColumnReader>,

    #[command(flatten)]
    prompts: PromptOptions,

    #[command(flatten)]
    records: RecordOptions,
}

/// The conditions are the settings of the definition.
impl Defined for Filter {
    type Typed = FilterSettings;
}

/// The conditions for which puzzles are rated, or their steps are taken.
#[derive(Clone, Debug)]
pub struct HowHard;

impl Defined for HowHard {
    type Typed = FilterSettings;

    fn settings() -> impl Iterator<Item = &'static Setting> + Clone {
        let settings = FilterSettings::TABLE.iter();
        settings.filter(|setting| {
            matches!(
                setting.name,
                "difficulty"
                    | "rating"
                    | "te"
                    | "hardest"
                    | "contains"
                    | "first-hard"
                    | "only"
                    | "steps"
            )
        })
    }
}

const NOTES: &str = r#"Examples:
  sudoku-batch filter --status unique --clues ..24 puzzles.csv -o few-clues.csv
  sudoku-batch filter --difficulty hard --minimal puzzles.txt -o hard.txt
  sudoku-batch filter --hardest X-wing --symmetry rotate180 puzzles.txt -o x-wings.txt
  sudoku-batch filter --contains X-wing,swordfish --rating ..4.4 puzzles.txt -o fish.txt
  sudoku-batch filter --te 2.. puzzles.txt -o deep.txt
  sudoku-batch filter --where "er >= 7 and technique != 'X-wing'" rated.csv -o hard.csv
      Ratings that are in the file are not computed again.
  sudoku-batch rate puzzles.txt --format csv | sudoku-batch filter --where "er in 2.0..4.4 or er is missing"
  sudoku-batch filter --where "source = 'forum' and [my rank] <= 100" --rating 9.0.. puzzles.jsonl
      Only records that fulfil the condition are rated.
  sudoku-batch filter --guesses 10.. --rating 4.5.. puzzles.txt -o extreme.txt
  sudoku-batch filter --status unique --invert puzzles.txt -o not-proper.txt
      All that is no proper puzzle: several solutions, none, or malformed."#;

impl Filter {
    pub fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        let records = self.records.clone();
        let prompts = self.prompts.read()?;
        prompts.run(&mut self, |command| {
            driver::run(files, command, &records.task())
        })
    }
}

/// The questions that give a record one row, with what is known of it.
const OF_RECORDS: [&questions::Definition; 6] =
    [&RATE, &SOLVE, &CHECK, &COUNT, &CANONICAL, &BACKDOORS];

/// The advice to someone who asks for a column that the input does not have: the command that makes it.
fn advice(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let wanted = match name.as_str() {
        "clues" => return "; --clues A..B needs no column".into(),
        // The rating of a puzzle is its ER.
        "rating" => "er",
        name => name,
    };
    let option = |definition: &questions::Definition, column: &questions::Column| {
        let Some(when) = column.when else {
            return Some(String::new());
        };
        let mut settings = definition.settings.iter();
        let setting = settings.find(|setting| setting.name == when)?;
        match setting.audience {
            // The command always sets it.
            Audience::Calls | Audience::Written => Some(String::new()),
            _ => (setting.kind == Kind::Flag).then(|| format!(" --{when}")),
        }
    };
    let found = OF_RECORDS.into_iter().find_map(|definition| {
        let mut columns = definition.columns.iter();
        let column = columns.find(|column| column.name == wanted)?;
        Some((definition.name, column.name, option(definition, column)?))
    });
    found.map_or_else(String::new, |(command, column, option)| {
        format!(
            "; {command}{option} makes the column {column}: sudoku-batch {command}{option} FILE --format csv | \
             sudoku-batch filter --where \"{column} …\""
        )
    })
}

impl Filter {
    /// The question, with the conditions that need no column of the input.
    fn question(&self) -> Question {
        let conditions = self.conditions.typed().clone();
        Question::new(conditions).expect("the conditions were checked")
    }

    /// Returns true if the columns of a record fulfil the condition. A malformed record may have columns that cannot be
    /// told apart.
    fn has_columns(&self, records: &Records, record: usize) -> bool {
        self.condition.as_ref().is_none_or(|condition| {
            let value = |column: usize| self.columns[column].value(records, record);
            !records.is_torn(record) && condition.holds(value)
        })
    }

    /// The numbers of the records whose columns fulfil the condition.
    fn with_columns(&self, records: &Records) -> Vec<usize> {
        let all = 0..records.len();
        all.filter(|&record| self.has_columns(records, record))
            .collect()
    }

    /// Answers a batch if there is a condition on columns: the question is asked of the records that fulfil it.
    fn answer_by_columns(&self, asking: &mut Asking, records: &Records, answer: &mut Answer<'_>) {
        let conditions = self.conditions.typed();
        let named = self.with_columns(records);
        let kept = kept(asking.answer(&records.chosen(&named)));
        let mut asked = named.into_iter().zip(kept).peekable();
        let meets = |record| {
            let found = asked.next_if(|(number, _)| *number == record);
            (found.is_some_and(|(_, kept)| kept != conditions.invert), ())
        };
        conditions.choose(records, answer, meets, |answer, record, is_kept, ()| {
            if is_kept {
                answer.row(record);
            }
        });
    }
}

/// Whether each record is kept, by an answer of `FILTER`.
pub fn kept<'a>(answer: &'a Answer<'_>) -> impl Iterator<Item = bool> + 'a {
    let Data::Flags(kept) = answer.named("kept") else {
        unreachable!("the column has flags")
    };
    kept.iter().map(|kept| *kept == Some(true))
}

impl RecordCommand for Filter {
    fn plan(&mut self, input: &Layout, _: Form) -> anyhow::Result<Plan> {
        let names = self.condition.iter().flat_map(Condition::columns);
        let columns = names.map(|name| {
            ColumnReader::find(input, name).map_err(|wrong| {
                let advice = match &wrong {
                    ChoiceError::Unknown { .. } => advice(name),
                    _ => String::new(),
                };
                let form = match input {
                    Layout::Table(_) | Layout::Objects(_) => String::new(),
                    _ => format!(
                        "; the format {} has no names of other columns",
                        input.form()
                    ),
                };
                WrongInput(format!("--where: {wrong}{form}{advice}"))
            })
        });
        self.columns = columns.collect::<Result<_, _>>()?;
        Ok(Plan::new([]).taking_long(self.question().takes_long()))
    }

    fn worker(&self) -> Worker<'_> {
        let mut asking = Asking::of(&self.question()).without_statuses();
        Box::new(move |batch, answer| {
            if self.condition.is_some() {
                self.answer_by_columns(&mut asking, batch.records, answer);
                return Ok(());
            }
            for (record, kept) in kept(asking.ask(batch, answer)).enumerate() {
                if kept {
                    answer.row(record);
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::iter;

    /// The options of the command.
    #[derive(clap::Parser)]
    struct Options {
        #[command(flatten)]
        filter: Filter,
    }

    /// No question has the records that a condition on columns refuses: they are neither solved nor rated.
    #[test]
    fn a_record_that_is_refused_is_in_no_question() {
        let puzzle =
            "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
        let rows = (0..100).map(|number| match number % 10 {
            3 => format!("{number},1{},{}\n", &puzzle[1..], number % 4),
            5 => format!("{number},{},{}\n", &puzzle[1..], number % 4),
            7 => format!("{number},{},{}\n", ".".repeat(81), number % 4),
            _ => format!("{number},{puzzle},{}\n", number % 4),
        });
        let text: String = iter::once("id,puzzle,n\n".to_owned()).chain(rows).collect();
        let found = Layout::detect(text.as_bytes(), None, None).unwrap();
        let mut records = Records::default();
        found
            .layout
            .read(&text.as_bytes()[found.skipped..], &mut records);
        let arguments = "filter --rating 4.5 --status unique,malformed --where";
        let arguments = arguments.split(' ').chain(["n = 1 or id in 90..95"]);
        let mut filter = <Options as clap::Parser>::parse_from(arguments).filter;
        filter.plan(&found.layout, Form::Csv).unwrap();
        let left = filter.with_columns(&records);
        let is_wanted = |id: &usize| id % 4 == 1 || (90..=95).contains(id);
        assert!(left.iter().copied().eq((0..100).filter(is_wanted)));
        let asked = records.chosen(&left);
        assert_eq!(asked.len(), left.len());
        for (place, number) in left.into_iter().enumerate() {
            assert_eq!(asked.puzzle(place), records.puzzle(number));
        }
    }
}
