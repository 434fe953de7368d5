//! The questions of a batch, by their definitions: nothing here knows one by name, but for `dedup` and
//! `convert`, which add no columns.

use crate::failure::{Failure, all_are_known, camel};
#[cfg(feature = "solving")]
use sudoku_batch::{
    dataset::{Equivalence, PuzzleHasher},
    questions::{DEDUP, DedupSettings},
};
use sudoku_batch::{
    format::{Added, ColumnPlace, Layout},
    questions::{self, Audience, Column, Definition, Options, Question, Setting, SettingError},
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
        let names = [&NAMES[..], &["convert"]].concat().join(", ");
        Failure::option(format_args!("no question {name:?}; one of: {names}"))
    })
}

/// The names of all questions, those of the other module too.
const NAMES: [&str; questions::SOLVERS.len() + questions::RATERS.len()] = {
    let (mut names, mut place) = ([""; _], 0);
    while place < names.len() {
        let rater = place.checked_sub(questions::SOLVERS.len());
        names[place] = match rater {
            Some(place) => questions::RATERS[place].name,
            None => questions::SOLVERS[place].name,
        };
        place += 1;
    }
    names
};

/// The names of the options of a call: its `own`, and the settings that JavaScript has.
pub(crate) fn names_of<Make>(
    own: &[&'static str],
    definition: &'static Definition<Make>,
) -> Vec<&'static str> {
    let settings = definition.settings.iter().filter(|setting| {
        matches!(setting.audience, Audience::All | Audience::Bindings) && !setting.is_beside()
    });
    let own = own.iter().copied();
    own.chain(settings.map(|setting| setting.name)).collect()
}

/// The error of settings, with all names as JavaScript has them.
pub(crate) fn refused<Make>(definition: &Definition<Make>, mut error: SettingError) -> Failure {
    for setting in definition.settings {
        let name = setting.name;
        if name.contains('-') {
            error.message = error.message.replace(name, &camel(name));
        }
        if name == error.setting && setting.is_beside() {
            error.setting = BESIDE.into();
        }
    }
    error.into()
}

/// The option of a batch that names the column of answers, or of texts.
const BESIDE: &str = "answer-column";

/// A question with these settings, and perhaps with answers or texts for the records. All flags that calls can
/// leave out are set.
pub(crate) fn asked(
    definition: &'static Definition,
    given: &Options,
    has_beside: bool,
) -> Result<Question, Failure> {
    all_are_known(definition.name, &names_of(&[], definition), given)?;
    let set = definition
        .settings
        .iter()
        .filter(|setting| setting.audience == Audience::Calls || has_beside && setting.is_beside());
    let set = set.map(|setting| (setting.name, "true"));
    let question = definition.with(set.chain(given.iter()));
    question.map_err(|error| refused(definition, error))
}

/// The question that a batch asks, the column of the records with answers, or with texts that have them, and the
/// columns that it adds.
type OfBatch = (Question, Option<ColumnPlace>, Vec<Added>);

/// The question that the options of a batch ask.
pub(crate) fn of_batch(given: &mut Options, layout: &Layout) -> Result<OfBatch, Failure> {
    let name = given.take("question").unwrap_or("solve".into());
    #[cfg(feature = "solving")]
    if let "convert" | "dedup" = &name[..] {
        return Ok((of_records(given, name == "dedup")?, None, Vec::new()));
    }
    let definition = definition(&name)?;
    let mut names = Vec::new();
    let mut columns = definition.columns.iter();
    while let Some(column) = columns.find(|column| column.can_be_renamed) {
        let option = format!("{}-column", column.name.replace('_', "-"));
        names.extend(given.take(&option).map(|new| (column.name, new)));
    }
    let takes_beside = definition.settings.iter().any(Setting::is_beside);
    let column = takes_beside.then(|| given.take(BESIDE)).flatten();
    let beside = column.map(|column| layout.column(&column)).transpose();
    let beside = beside.map_err(Failure::form)?;
    let question = asked(definition, given, beside.is_some())?;
    let added = |column: &Column| {
        let new = names.iter().find(|(name, _)| *name == column.name);
        Added::new(new.map_or(column.name, |(_, new)| new), column.values)
    };
    let added = question.columns.iter().map(added).collect();
    Ok((question, beside, added))
}

/// The key of a record that is malformed: others have 127 bits.
pub(crate) const NO_KEY: u128 = u128::MAX;

/// The question of `dedup` and `convert`, whose rows are the records: its columns are not written. `convert` compares nothing.
/// The workers of `dedup` have one seed of keys, which the coordinator draws.
#[cfg(feature = "solving")]
fn of_records(given: &mut Options, is_dedup: bool) -> Result<Question, Failure> {
    if !is_dedup {
        all_are_known("this call", &[], given)?;
        let by = Equivalence::Equality;
        return Ok(Question::new(DedupSettings { by, hasher: None })?);
    }
    let seed = given.take_number("key-seed")?.unwrap_or(0);
    all_are_known("this call", &names_of(&[], &DEDUP), given)?;
    let read = DEDUP.read::<DedupSettings>(given.iter());
    let settings = DedupSettings {
        hasher: Some(PuzzleHasher::seeded(seed)),
        ..read.map_err(|error| refused(&DEDUP, error))?
    };
    Ok(Question::new(settings)?)
}
