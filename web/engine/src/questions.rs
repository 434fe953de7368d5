//! The questions of a batch, by their definitions: nothing here knows one by name, but for `dedup` and
//! `convert`, which add no columns.

use crate::failure::{Failure, all_are_known};
use sudoku_batch::{
    dataset::{Equivalence, PuzzleHasher},
    format::{Added, ColumnPlace, Layout, Values},
    questions::{
        self, Answer, Batch, Column, Compare, Counts, Data, Definition, Doors, Options, Question,
        Reason, RunOutcome,
    },
};

/// The definitions of the questions that this module answers. It must not name the others: their code
/// would be in it.
static HERE: &[&[&Definition]] = &[
    #[cfg(feature = "solving")]
    questions::SOLVERS,
    #[cfg(feature = "rating")]
    questions::RATERS,
];

/// The definition of a question that this module answers.
pub(crate) fn definition(name: &str) -> Result<&'static Definition, Failure> {
    let here = || HERE.iter().copied().flatten().copied();
    let found = here().find(|definition| definition.name == name);
    found.ok_or_else(|| {
        let names = here().map(|definition| definition.name);
        let names: Vec<_> = names.chain(["dedup", "convert"]).collect();
        let names = names.join(", ");
        Failure::option(format_args!("no question {name:?}; there is: {names}"))
    })
}

/// A question with these settings. All flags that calls can leave out are set.
pub(crate) fn asked(definition: &'static Definition, given: &Options) -> Result<Question, Failure> {
    let of_calls = definition.settings.iter();
    let of_calls = of_calls.filter(|setting| setting.doors == Doors::Calls);
    let set = of_calls.map(|setting| (setting.name, "true"));
    let settings = set.chain(given.iter().filter(|(_, text)| *text != "false"));
    Ok(definition.with(settings)?)
}

/// The question that a batch asks, the column of the records with answers, or with texts that have them, and the
/// columns that it adds.
type OfBatch = (Question, Option<ColumnPlace>, Vec<Added>);

/// What the options of a batch ask.
pub(crate) fn of_batch(given: &mut Options, layout: &Layout) -> Result<OfBatch, Failure> {
    let name = given.take("question").unwrap_or("solve".into());
    #[cfg(feature = "solving")]
    if let "convert" | "dedup" = &name[..] {
        let unchanged = Unchanged::new(given, name == "dedup")?;
        let question = Question::of(&UNCHANGED, Box::new(unchanged));
        return Ok((question, None, Vec::new()));
    }
    let definition = definition(&name)?;
    let mut names = Vec::new();
    let mut columns = definition.columns.iter();
    while let Some(column) = columns.find(|column| column.can_be_renamed) {
        let option = format!("{}-column", column.name.replace('_', "-"));
        names.extend(given.take(&option).map(|new| (column.name, new)));
    }
    let mut settings = definition.settings.iter();
    let mut beside = None;
    if let Some(setting) = settings.find(|setting| setting.is_beside())
        && let Some(column) = given.take("answer-column")
    {
        beside = Some(layout.column(&column).map_err(Failure::form)?);
        given.set(setting.name, "true");
    }
    let question = asked(definition, given)?;
    let added = |column: &Column| {
        let new = names.iter().find(|(name, _)| *name == column.name);
        Added::new(new.map_or(column.name, |(_, new)| new), column.values)
    };
    let added = question.columns.iter().map(added).collect();
    Ok((question, beside, added))
}

/// The key of a record that is malformed: others have 127 bits.
pub(crate) const NO_KEY: u128 = u128::MAX;

/// The question of `dedup` and `convert`, whose rows are the records. Its column has the key of each record for
/// `dedup`, and nothing for `convert`. It is not written.
static UNCHANGED: Definition = Definition {
    name: "convert",
    about: "Write records as they are",
    details: "",
    notes: "",
    failure: "",
    verification: "",
    settings: &[],
    columns: &[Column::new("key", Values::Text, "127 bits")],
    make: || unreachable!("it is made with its work"),
};

/// The work of `dedup` and `convert`.
struct Unchanged {
    by: Equivalence,
    hasher: Option<PuzzleHasher>,
    compare: Compare,
}

impl Unchanged {
    fn new(given: &mut Options, makes_keys: bool) -> Result<Self, Failure> {
        let (mut by, mut hasher) = ("equality".into(), None);
        if makes_keys {
            by = given.take("by").unwrap_or("symmetry".into());
            let seed = given.take_number("key-seed")?.unwrap_or(0);
            hasher = Some(PuzzleHasher::seeded(seed));
        }
        let by = by.parse().map_err(Failure::option)?;
        all_are_known(given)?;
        Ok(Self {
            by,
            hasher,
            compare: Compare::new(by),
        })
    }
}

impl questions::Work for Unchanged {
    fn fork(&self) -> Box<dyn questions::Work> {
        unreachable!("a module has one thread")
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let Some(hasher) = &self.hasher else {
            let all = 0..batch.records.len();
            let errors = all.filter_map(|record| Some((record, batch.records.error(record)?)));
            errors.for_each(|(record, error)| answer.reject(record, Reason::Malformed(error)));
            return answer.counts.add("malformed", answer.rejects.len() as u64);
        };
        let Data::Texts(keys) = answer.column_mut(0) else {
            unreachable!("keys are texts")
        };
        let compared = self.compare.ask(batch.records, |form| {
            let key = form.map_or(NO_KEY, |form| hasher.key(form));
            keys.push(key.to_le_bytes());
        });
        answer.rejects.extend_from_slice(compared.rejects);
        answer.counts = compared.counts;
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let failed = Compare::without_forms(self.by, counts, records);
        RunOutcome::new(counts.without(&["unique"]), failed, "")
    }
}
