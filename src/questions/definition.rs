//! The definition of a question: its settings, its columns and its work.
//!
//! A [`Definition`] says everything that a door needs to offer a question: the command takes its
//! arguments and its help from it, Python its keywords, JavaScript its options, and the docs their
//! tables. The idea of one table for options, help and documentation is ripgrep's
//! (`crates/core/flags`).
//!
//! A [`Question`] is a definition with settings and the memory of a thread. Its [`Work`] fills the columns of an
//! [`Answer`] for each batch of records.
//!
//! # Several rows or none for a record
//!
//! A question with the column [`Column::RECORD`] may give a record any number of rows. All doors learn this
//! from that column ([`Definition::has_several_rows`]), and the question does this:
//!
//! - It adds the rows of a record with [`Answer::row`], or calls [`Answer::nothing`] for a record without any:
//!   whether such a record keeps a place in the output is for the door to say. The column of the record
//!   takes no values.
//! - Statuses and rejects stay those of records: one status for each, whatever the number of its rows.
//! - If a setting limits the rows of a record, [`Answer::limited`] gets the records that have more.
//! - A record may have more rows than there is memory. If the answer is wanted in [parts](Answer::part), the
//!   question ends a part there and says where the next one begins ([`Answer::go_on_at`]).
//! - [`Question::batch`] is small if a record may have many rows.
//!
//! `SOLUTIONS` (`src/questions/solutions.rs`) does all of this.

use super::{Answer, Counts, Data, Reason, Status, Table, grammar, verification::Check};
use crate::{
    format::{ParseError, Records, Values},
    grid::{CELLS, Digit, Puzzle},
    name::{self, find},
    puzzle::Pattern,
    simd::Level,
    solve::Engine,
    technique::{Difficulty, Rating, Techniques},
};
use std::{
    borrow::Cow,
    fmt::{self, Debug, Display},
};

/// Everything about a question, or about a [set](super::MadeSet) of records that are made, but its work.
#[derive(Debug)]
pub struct Definition<Make = fn() -> Box<dyn Work>> {
    /// Its name: the command, the function of Python, the `question` of JavaScript.
    pub name: &'static str,
    /// One line, without a full stop.
    pub about: &'static str,
    /// More of it: paragraphs.
    pub details: &'static str,
    /// Examples of the command, and notes.
    pub notes: &'static str,
    /// The meaning of exit status 1 of the command.
    pub failure: &'static str,
    /// The effect of `--verify`, if answers can be checked.
    pub verification: &'static str,
    /// The settings.
    pub settings: &'static [Setting],
    /// The columns, in order.
    pub columns: &'static [Column],
    /// Makes the question with the usual settings, or the set with these.
    pub make: Make,
}

/// A setting of a question.
#[derive(Debug)]
pub struct Setting {
    /// Its name, with hyphens: `max-work`.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// The text of its usual value; empty if there is none.
    pub usual: &'static str,
    /// One line, with a full stop.
    pub about: &'static str,
    /// More of it: paragraphs.
    pub details: &'static str,
    /// Another name that the command understands.
    pub alias: &'static str,
    /// A letter for the command.
    pub short: Option<char>,
    /// A setting that cannot be set beside this one.
    pub excludes: &'static str,
    /// A setting that must be set beside this one.
    pub needs: &'static str,
    /// The interfaces that can set it.
    pub doors: Doors,
}

/// The interfaces that can set a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doors {
    /// The command, and the bindings.
    All,
    /// The command alone.
    Command,
    /// Calls of Python alone: the command always sets this flag, and so does `batch` of JavaScript.
    Calls,
    /// The bindings alone.
    Bindings,
    /// Nobody: the command always sets this flag. The rows of a question with such a setting stand alone: they
    /// have its columns, and none of the user's.
    Written,
}

/// The kind of the values of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// It is set, or not.
    Flag,
    /// A whole number from this one up, perhaps with `_`, k, M or G.
    Number(u64),
    /// A rating, such as 4.4.
    Rating,
    /// An instruction set.
    Level,
    /// An engine, or `auto`.
    Engine,
    /// A digit from 1 to 9.
    Digit,
    /// A student number, which stands for a digit: its last two digits added, modulo 9, plus 1.
    Student,
    /// Names of techniques to leave out, with commas between.
    Techniques,
    /// Answers that come with the records, one for each.
    Answers,
    /// Free texts that come with the records, one for each. A question with such a setting needs it.
    Texts,
    /// Names out of this list, with commas between.
    Names(&'static [&'static str]),
    /// A name out of this list. Beside each stands its meaning.
    Name(&'static [(&'static str, &'static str)]),
    /// Whole numbers up to this one: one number, `A..B`, `A..` or `..B`. Then the ends that stand for those that
    /// are missing.
    Range(u64, [u64; 2]),
    /// Ratings: one, `A..B`, `A..` or `..B`.
    Ratings,
    /// Names of techniques and of families of them, with commas between.
    AnyTechniques,
    /// The cells of clues: 81 characters, as a [`Pattern`] has them.
    Pattern,
}

impl Kind {
    /// A word for programs that list options, and the least value where that is a number.
    #[doc(hidden)]
    pub fn word(self) -> (&'static str, Option<u64>) {
        match self {
            Self::Flag => ("flag", None),
            Self::Number(least) => ("number", Some(least)),
            Self::Rating => ("rating", None),
            Self::Digit => ("digit", None),
            Self::Answers => ("answers", None),
            Self::Range(..) | Self::Ratings => ("range", None),
            _ => ("text", None),
        }
    }
}

/// A column of a question.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its usual name.
    pub name: &'static str,
    /// The kind of its values.
    pub values: Values,
    /// Its meaning, in one line without a full stop.
    pub about: &'static str,
    /// The setting that asks for it. Without one it is always there.
    pub when: Option<&'static str>,
    /// The setting that leaves it out.
    pub unless: Option<&'static str>,
    /// Whether an option of the command gives it another name.
    pub can_be_renamed: bool,
    /// Another name of that option.
    pub alias: &'static str,
    /// Whether the format `line` shows it.
    pub in_lines: bool,
    /// The largest number that it can hold, where it holds numbers.
    pub most: u64,
}

impl Column {
    /// A column that is always there.
    pub const fn new(name: &'static str, values: Values, about: &'static str) -> Self {
        Self {
            name,
            values,
            about,
            when: None,
            unless: None,
            can_be_renamed: false,
            alias: "",
            in_lines: true,
            most: u64::MAX,
        }
    }

    /// The same, there with a setting.
    #[must_use]
    pub const fn when(mut self, setting: &'static str) -> Self {
        self.when = Some(setting);
        self
    }

    /// The same, left out with a setting.
    #[must_use]
    pub const fn unless(mut self, setting: &'static str) -> Self {
        self.unless = Some(setting);
        self
    }

    /// The same, with an option of the command for another name.
    #[must_use]
    pub const fn renamed(mut self) -> Self {
        self.can_be_renamed = true;
        self
    }

    /// The same, with another name of that option.
    #[must_use]
    pub const fn alias(mut self, option: &'static str) -> Self {
        self.alias = option;
        self
    }

    /// The same, with numbers up to this one alone.
    #[must_use]
    pub const fn up_to(mut self, most: u64) -> Self {
        self.most = most;
        self
    }

    /// The same, left out of lines.
    #[must_use]
    pub const fn not_in_lines(mut self) -> Self {
        self.in_lines = false;
        self
    }

    /// The number of the record of each row: see the head of this file.
    pub const RECORD: Self =
        Self::new("record", Values::Record, "the number of the record").renamed();

    /// The statuses of records.
    pub const STATUS: Self =
        Self::new("status", Values::Status, "the status of the record").renamed();
}

impl Setting {
    /// A setting for all doors.
    pub const fn new(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self {
            name,
            kind,
            usual: "",
            about,
            details: "",
            alias: "",
            short: None,
            excludes: "",
            needs: "",
            doors: Doors::All,
        }
    }

    /// This setting with a usual value.
    #[must_use]
    pub const fn usual(mut self, text: &'static str) -> Self {
        self.usual = text;
        self
    }

    /// This setting with more to say.
    #[must_use]
    pub const fn details(mut self, details: &'static str) -> Self {
        self.details = details;
        self
    }

    /// The same, with a letter for the command.
    #[must_use]
    pub const fn short(mut self, letter: char) -> Self {
        self.short = Some(letter);
        self
    }

    /// The same, excluding another setting.
    #[must_use]
    pub const fn excludes(mut self, setting: &'static str) -> Self {
        self.excludes = setting;
        self
    }

    /// The same, needing another setting.
    #[must_use]
    pub const fn needs(mut self, setting: &'static str) -> Self {
        self.needs = setting;
        self
    }

    /// Returns true if it is an option of the command.
    pub fn is_option(&self) -> bool {
        matches!(self.doors, Doors::All | Doors::Command)
    }

    /// Returns true if the calls of Python and C can set it.
    pub fn is_for_calls(&self) -> bool {
        !matches!(self.doors, Doors::Command | Doors::Written)
    }

    /// Returns true if it stands for what comes beside the records: answers, or free texts.
    pub fn is_beside(&self) -> bool {
        matches!(self.kind, Kind::Answers | Kind::Texts)
    }

    /// This setting for some interfaces.
    #[must_use]
    pub const fn at(mut self, doors: Doors) -> Self {
        self.doors = doors;
        self
    }

    /// The instruction set of an engine.
    pub const fn level(about: &'static str, details: &'static str) -> Self {
        Self {
            alias: "level",
            ..Self::new("simd", Kind::Level, about).details(details)
        }
        .at(Doors::Command)
    }

    /// The value that a text stands for.
    ///
    /// # Errors
    ///
    /// The text has no value of the kind.
    // For the command and the packages.
    #[doc(hidden)]
    pub fn parse(&'static self, text: &str) -> Result<Value, SettingError> {
        let error = |message: &dyn Display| SettingError {
            setting: self.name.into(),
            message: message.to_string(),
        };
        Ok(match self.kind {
            Kind::Flag | Kind::Answers | Kind::Texts => match text {
                "true" => Value::Flag(true),
                "false" => Value::Flag(false),
                _ => return Err(error(&format!("true or false is wanted, not {text}"))),
            },
            Kind::Number(least) => {
                let number = grammar::number(text).map_err(|wrong| error(&wrong))?;
                if number < least {
                    return Err(error(&format!(
                        "a whole number of at least {least} is wanted"
                    )));
                }
                Value::Number(number)
            }
            Kind::Techniques => Value::Techniques(text.parse().map_err(|wrong| error(&wrong))?),
            Kind::Rating => Value::Rating(text.parse().map_err(|wrong| error(&wrong))?),
            Kind::Level => {
                let level = text.parse().and_then(Level::check);
                Value::Level(level.map_err(|wrong| error(&wrong))?)
            }
            Kind::Engine => Value::Engine(match text {
                "auto" => None,
                text => Some(text.parse().map_err(|wrong| error(&wrong))?),
            }),
            Kind::Digit => {
                let digit = text.parse().ok().and_then(Digit::new);
                Value::Digit(digit.ok_or_else(|| error(&"a digit from 1 to 9 is wanted"))?)
            }
            Kind::Names(known) => {
                let place = |name| name::place(known, name);
                let mut names = text.split(',');
                let bits = names.try_fold(0, |bits, name| Ok(bits | 1 << place(name)?));
                Value::Names(bits.map_err(|advice: String| error(&advice))?)
            }
            Kind::Student => Value::Digit(digit_of_student(text).map_err(|what| error(&what))?),
            Kind::Name(known) => {
                let all: Vec<_> = (0..known.len()).collect();
                let found = find(self.name, &all, |place| known[place].0, text);
                Value::Name(found.map_err(|wrong| error(&wrong))?)
            }
            Kind::Range(most, open) => {
                let wanted = format!(
                    "a number from 0 to {most} is wanted, or A..B, like 45..50; A.. and ..B are open"
                );
                let end = |text: &str| grammar::number(text).ok().filter(|n| *n <= most);
                let ends = grammar::range(text, &wanted, end).map_err(|wrong| error(&wrong))?;
                let [first, last] = filled(ends, open);
                Value::Range(first, last)
            }
            Kind::Ratings => {
                let wanted =
                    "a rating is wanted, like 2.6, or A..B, like 2.0..2.8; A.. and ..B are open";
                let end = |text: &str| text.parse().ok();
                let ends = grammar::range(text, wanted, end).map_err(|wrong| error(&wrong))?;
                let [easy, extreme] =
                    [Difficulty::Easy, Difficulty::Extreme].map(Difficulty::ratings);
                let [first, last] = filled(ends, [*easy.start(), *extreme.end()]);
                Value::Ratings(first, last)
            }
            Kind::AnyTechniques => {
                Value::Techniques(Techniques::named(text).map_err(|wrong| error(&wrong))?)
            }
            Kind::Pattern => Value::Pattern(text.parse().map_err(|wrong| error(&wrong))?),
        })
    }
}

/// The ends of a range. An end that is missing is the open one, or the other end where that lies beyond it.
fn filled<T: PartialOrd + Copy>([first, last]: [Option<T>; 2], open: [T; 2]) -> [T; 2] {
    let [least, most] = open;
    let reaches = |end: T| least <= end && end <= most;
    match (first, last) {
        (Some(first), Some(last)) => [first, last],
        (Some(first), None) if reaches(first) => [first, most],
        (None, Some(last)) if reaches(last) => [least, last],
        (Some(end), None) | (None, Some(end)) => [end, end],
        (None, None) => open,
    }
}

/// The digit of a student number: 2018301780 has 8 + 0, modulo 9, plus 1, which is 9. The rule is that of
/// a course: see docs/course.zh-CN.md.
///
/// # Errors
///
/// The text does not end with two digits.
pub fn digit_of_student(id: &str) -> Result<Digit, &'static str> {
    match id.as_bytes() {
        [.., tens @ b'0'..=b'9', units @ b'0'..=b'9'] => {
            let sum = (tens - b'0') + (units - b'0');
            Ok(Digit::new(sum % 9 + 1).expect("1 to 9"))
        }
        _ => Err("a student number ends with two digits"),
    }
}

/// The value of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// Set or not.
    Flag(bool),
    /// A whole number.
    Number(u64),
    /// A rating.
    Rating(Rating),
    /// An instruction set.
    Level(Level),
    /// An engine; `None` lets the number of records decide.
    Engine(Option<Engine>),
    /// A digit.
    Digit(Digit),
    /// Techniques.
    Techniques(Techniques),
    /// Names, as bits: bit 0 is the first of the list.
    Names(u64),
    /// A name, as its place in the list.
    Name(usize),
    /// The first and the last number.
    Range(u64, u64),
    /// The first and the last rating.
    Ratings(Rating, Rating),
    /// The cells of clues.
    Pattern(Pattern),
}

/// A setting that a question does not have, a value that it does not take, or settings that do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{setting}{}{message}", if setting.is_empty() { "" } else { ": " })]
pub struct SettingError {
    /// The name of the setting. It is empty if the message is about several.
    pub setting: String,
    /// The error.
    pub message: String,
}

impl SettingError {
    /// An error about several settings.
    pub(super) fn of_several(message: String) -> Self {
        let setting = String::new();
        Self { setting, message }
    }
}

/// The answer that comes with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenAnswer {
    /// There is none.
    Missing,
    /// A text that is not 81 cells.
    Malformed,
    /// 81 cells.
    Cells(Puzzle),
}

impl GivenAnswer {
    /// The answer of a text. White space alone, and the `null` of JSON, are no answer.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, questions::GivenAnswer};
    /// let cells = "1".repeat(81);
    /// assert_eq!(GivenAnswer::of_text(cells.as_bytes()), GivenAnswer::Cells(cells.parse()?));
    /// assert_eq!(GivenAnswer::of_text(&cells.as_bytes()[1..]), GivenAnswer::Malformed);
    /// assert_eq!(GivenAnswer::of_text(b""), GivenAnswer::Missing);
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn of_text(text: &[u8]) -> Self {
        let text = text.trim_ascii();
        if matches!(text, b"" | b"null") {
            return Self::Missing;
        }
        let cells = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
        cells.map_or(Self::Malformed, Self::Cells)
    }

    /// The answer that a record is. A record without text is no answer.
    pub fn of_record(records: &Records, record: usize) -> Self {
        match records.puzzle_of_cells(record) {
            Ok(puzzle) => Self::Cells(puzzle),
            Err(ParseError::NOTHING) if records.text(record).is_empty() => Self::Missing,
            Err(_) => Self::Malformed,
        }
    }

    /// The solution that it gives, if it is there. 81 blanks are no solution.
    ///
    /// # Errors
    ///
    /// It is malformed.
    pub fn solution(self) -> Result<Option<Puzzle>, Reason> {
        match self {
            Self::Malformed => Err(Reason::MalformedAnswer),
            given => Ok(given.puzzle().filter(|cells| *cells != Puzzle::EMPTY)),
        }
    }

    /// Its cells, if it has 81.
    pub fn puzzle(self) -> Option<Puzzle> {
        match self {
            Self::Cells(puzzle) => Some(puzzle),
            Self::Missing | Self::Malformed => None,
        }
    }
}

/// The records of a batch, and what comes with them.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'b> {
    /// The records.
    pub records: &'b Records,
    /// The answers that come with them, one for each. There are some where the question has a setting for
    /// [answers](Kind::Answers) that is set.
    pub answers: Option<&'b [GivenAnswer]>,
    /// The free texts that come with them, one for each: `None` is a text that is missing. There are some where
    /// the question has a setting for [texts](Kind::Texts).
    pub texts: Option<&'b [Option<Cow<'b, [u8]>>]>,
}

impl<'b> From<&'b Records> for Batch<'b> {
    fn from(records: &'b Records) -> Self {
        Self {
            records,
            answers: None,
            texts: None,
        }
    }
}

/// The records of a batch whose answers come soon, where each takes about as long as to solve it.
const QUICK_BATCH: usize = 10_240;

/// The work of a question: its settings, and the memory of a thread. [`Question`] says what each part is for.
pub trait Work: Send + Sync {
    /// Sets a setting of the definition. A question without settings has none to set.
    fn set(&mut self, name: &str, _value: Value) {
        unreachable!("{name} is no setting")
    }

    /// A copy for another thread.
    fn fork(&self) -> Box<dyn Work>;

    /// See [`Question::fill`].
    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>);

    /// See [`Question::fill_plain`].
    fn fill_plain(&mut self, _cells: &[[u8; CELLS]], _answer: &mut Answer<'_>) -> bool {
        false
    }

    /// See [`Question::line`].
    fn line(&self, _row: &RowView<'_>, _line: &mut Vec<u8>) -> bool {
        false
    }

    /// See [`Question::shows_puzzle`].
    fn shows_puzzle(&self) -> bool {
        false
    }

    /// See [`Question::expects_grids`].
    fn expects_grids(&self) -> bool {
        false
    }

    /// See [`Question::share`].
    fn share(&mut self, _threads: usize) {}

    /// See [`Question::begin`].
    fn begin(&self, _threads: usize) {}

    /// See [`Question::batch`].
    fn batch(&self) -> usize {
        QUICK_BATCH
    }

    /// See [`Question::check`].
    fn check(&self) -> Option<Check> {
        None
    }

    /// See [`Question::outcome`].
    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome;
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct RowView<'v> {
    /// The records of the batch.
    pub records: &'v Records,
    /// The record of the row.
    pub record: usize,
    /// The text of the number of that record, if it is known.
    pub number: &'v [u8],
    /// The columns.
    pub answer: &'v Answer<'v>,
    /// The place of the row in the columns.
    pub place: usize,
}

impl RowView<'_> {
    /// Appends the text of a column, by its number from 0. Returns false if there is none.
    #[inline]
    pub fn push(&self, column: usize, out: &mut Vec<u8>) -> bool {
        match self.answer.kinds()[column] {
            Values::Record => {
                out.extend_from_slice(self.number);
                !self.number.is_empty()
            }
            _ => (self.answer).push_text(self.record, self.place, column, out),
        }
    }

    /// The text of a column.
    pub fn text(&self, column: usize) -> String {
        let mut text = Vec::new();
        self.push(column, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The rating in a column of ratings.
    #[inline]
    pub fn rating(&self, column: usize) -> Option<Rating> {
        match self.answer.column(column) {
            Data::Ratings(ratings) => ratings[self.place],
            _ => None,
        }
    }

    /// The status of the record.
    #[inline]
    pub fn status(&self) -> Status {
        self.answer.statuses[self.record]
    }
}

/// The meaning of the counts of a whole run: the summary of the command, and the report of a batch in
/// JavaScript.
#[derive(Clone, Debug, Default)]
pub struct RunOutcome {
    /// How many records failed.
    pub failed: u64,
    /// What is wrong with those: `not solved`.
    pub failure: &'static str,
    /// The counts to show.
    pub counts: Counts,
    /// The counts that are parts of the first count.
    pub among_first: Counts,
    /// What a rate counts: `puzzles` a second.
    pub unit: &'static str,
    /// Further facts, by their names.
    pub facts: Vec<(&'static str, Fact)>,
    /// Whether the rejects are worth a list.
    pub is_listed: bool,
}

/// A fact about a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// It does not apply.
    Missing,
    /// A word or several.
    Words(String),
    /// A share from 0 to 1.
    Share(f64),
}

impl RunOutcome {
    /// The outcome that this number of records failed.
    pub fn new(counts: Counts, failed: u64, failure: &'static str) -> Self {
        Self {
            failed,
            failure,
            counts,
            unit: "records",
            ..Self::default()
        }
    }
}

impl Definition {
    /// The question with these settings: names and texts.
    ///
    /// # Errors
    ///
    /// A name is not known, a text is no value of its setting, or two settings do not go together.
    pub fn with<'t>(
        &'static self,
        settings: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Question, SettingError> {
        let values = self.read(settings)?;
        let mut work = (self.make)();
        for (setting, value) in &values {
            work.set(setting.name, *value);
        }
        let given = values
            .iter()
            .filter(|(_, value)| *value != Value::Flag(false));
        let given: Vec<_> = given.map(|(setting, _)| setting.name).collect();
        let mut needed = self.settings.iter();
        if let Some(texts) =
            needed.find(|setting| setting.kind == Kind::Texts && !given.contains(&setting.name))
        {
            return Err(SettingError {
                setting: texts.name.into(),
                message: format!("{} needs a text for each record", self.name),
            });
        }
        let is_there = |column: &&Column| {
            column.when.is_none_or(|when| given.contains(&when))
                && column.unless.is_none_or(|unless| !given.contains(&unless))
        };
        Ok(Question {
            definition: self,
            columns: self.columns.iter().filter(is_there).copied().collect(),
            work,
        })
    }
}

impl<Make> Definition<Make> {
    /// The values of settings: names and texts.
    ///
    /// # Errors
    ///
    /// Those of [`with`](Definition::with).
    pub fn read<'t>(
        &'static self,
        settings: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Vec<(&'static Setting, Value)>, SettingError> {
        let (mut values, mut all) = (Vec::new(), Vec::new());
        for (name, text) in settings {
            let setting = self.setting(name)?;
            let value = setting.parse(text)?;
            values.push((setting, value));
            // A usual value excludes nothing.
            let is_usual = setting.parse(setting.usual) == Ok(value);
            all.extend((value != Value::Flag(false) && !is_usual).then_some(setting));
        }
        for setting in &all {
            let is_given = |name: &str| all.iter().any(|other| other.name == name);
            let wrong = match (setting.excludes, setting.needs) {
                (other, _) if is_given(other) => format!("it cannot be used with {other}"),
                (_, other) if !other.is_empty() && !is_given(other) => {
                    format!("it has no effect without {other}")
                }
                _ => continue,
            };
            return Err(SettingError {
                setting: setting.name.into(),
                message: wrong,
            });
        }
        Ok(values)
    }

    /// Returns true if a record may have several rows, or none: see [`Column::RECORD`].
    pub fn has_several_rows(&self) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|column| column.values == Values::Record)
    }

    /// Returns true if it needs a free text for each record: see [`Kind::Texts`].
    pub fn takes_texts(&self) -> bool {
        let mut settings = self.settings.iter();
        settings.any(|setting| setting.kind == Kind::Texts)
    }

    /// The column with this name.
    ///
    /// # Panics
    ///
    /// There is none.
    pub fn column(&self, name: &str) -> &Column {
        let found = self.columns.iter().find(|column| column.name == name);
        found.expect("a column of the question")
    }

    /// The setting with this name, which the calls of Python and C can set.
    ///
    /// # Errors
    ///
    /// There is none, or only the command has it.
    pub fn setting_of_calls(&'static self, name: &str) -> Result<&'static Setting, SettingError> {
        let setting = self.find(name, Setting::is_for_calls)?;
        if setting.is_for_calls() {
            return Ok(setting);
        }
        Err(SettingError {
            setting: name.into(),
            message: "only the command has this setting".into(),
        })
    }

    /// The setting with this name.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn setting(&'static self, name: &str) -> Result<&'static Setting, SettingError> {
        self.find(name, |_| true)
    }

    /// The setting with this name, or an error that offers some of them.
    fn find(
        &'static self,
        name: &str,
        is_offered: fn(&Setting) -> bool,
    ) -> Result<&'static Setting, SettingError> {
        let is_called_so = |setting: &&Setting| [setting.name, setting.alias].contains(&name);
        let found = self.settings.iter().find(is_called_so);
        found.ok_or_else(|| {
            let offered = self.settings.iter().filter(|setting| is_offered(setting));
            let names: Vec<_> = offered.map(|setting| setting.name).collect();
            SettingError {
                setting: name.into(),
                message: match &names[..] {
                    [] => format!("{} has no settings", self.name),
                    names => format!(
                        "{} has no such setting; one of: {}",
                        self.name,
                        names.join(", ")
                    ),
                },
            }
        })
    }
}

/// A question with its settings, and the memory of a thread. [`Definition::with`] makes one. Make another for each
/// thread by [`fork`](Self::fork), and keep it.
pub struct Question {
    /// The definition.
    pub definition: &'static Definition,
    /// The columns with these settings.
    pub columns: Vec<Column>,
    work: Box<dyn Work>,
}

/// Its name and columns. Work has no `Debug`: the engines would have it in every program that asks a question.
impl Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<_> = self.columns.iter().map(|column| column.name).collect();
        write!(f, "{} {columns:?}", self.definition.name)
    }
}

impl Question {
    /// A question of a door of the project, with work of its own. It has all columns of the definition.
    #[doc(hidden)]
    pub fn of(definition: &'static Definition, work: Box<dyn Work>) -> Self {
        Self {
            definition,
            columns: definition.columns.to_vec(),
            work,
        }
    }

    /// The same question for another thread. What threads share is shared.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            definition: self.definition,
            columns: self.columns.clone(),
            work: self.work.fork(),
        }
    }

    /// An answer with the columns, to be kept from batch to batch.
    pub fn empty<'o>(&self) -> Answer<'o> {
        Answer::of(&self.columns)
    }

    /// An empty table of the columns.
    #[doc(hidden)]
    pub fn table(&self) -> Table {
        Table::new(&self.columns, &self.columns)
    }

    /// Answers the records of a batch.
    pub fn ask<'b>(&mut self, batch: impl Into<Batch<'b>>) -> Answer<'static> {
        let (batch, mut answer) = (batch.into(), self.empty());
        answer.begin(batch.records.len());
        self.fill(batch, &mut answer);
        answer.check();
        answer
    }

    /// Answers the records of a batch. The answer has [begun](Answer::begin) it.
    pub fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        self.work.fill(batch, answer);
    }

    /// Answers records that are 81 digits and points each, and nothing else, without a way through
    /// [`Records`]. The answer has begun as many. Returns false, and does nothing, where that saves no
    /// time: then the records are to be [filled in](Self::fill).
    pub fn fill_plain(&mut self, cells: &[[u8; CELLS]], answer: &mut Answer<'_>) -> bool {
        self.work.fill_plain(cells, answer)
    }

    /// Appends to `line` what the format `line` shows of a row, without the line feed. `false` means the
    /// usual line: the cells of the first column, or all values with tabs between.
    pub fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        self.work.line(row, line)
    }

    /// Returns true if the format `line` has a puzzle with the blank of its record.
    pub fn shows_puzzle(&self) -> bool {
        self.work.shows_puzzle()
    }

    /// Returns true if records are solved grids. Otherwise a door warns of a column that has nothing else.
    pub fn expects_grids(&self) -> bool {
        self.work.expects_grids()
    }

    /// Takes the number of threads that may share one record, those that ask among them.
    pub fn share(&mut self, threads: usize) {
        self.work.share(threads);
    }

    /// Starts threads that share one record, where a question has any. The command calls it once.
    pub fn begin(&self, threads: usize) {
        self.work.begin(threads);
    }

    /// The most records of a batch for which an answer comes soon: in well under a second. A door that must
    /// listen to its user meanwhile asks no more at a time.
    pub fn batch(&self) -> usize {
        self.work.batch()
    }

    /// Returns true if a record may take so long that the records of a second are not known beforehand.
    pub fn takes_long(&self) -> bool {
        self.batch() < QUICK_BATCH
    }

    /// How the answers can be checked, if they can.
    pub fn check(&self) -> Option<Check> {
        self.work.check()
    }

    /// The meaning of the counts of all records.
    pub fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        self.work.outcome(counts, records)
    }
}
