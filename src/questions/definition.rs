//! The definition of a question: its settings, its columns and its responder.
//!
//! A [`Definition`] says everything that an interface needs to offer a question: the command takes its
//! arguments and its help from it, Python its keywords, JavaScript its options, and the docs their
//! tables. The idea of one table for options, help and documentation is ripgrep's
//! (`crates/core/flags`).
//!
//! A [`Question`] is a definition with settings and the memory of a thread. Its [`Responder`] fills the columns of an
//! [`Answer`] for each batch of records.
//!
//! # Several rows or none for a record
//!
//! A question with the column [`Column::RECORD`] may give a record any number of rows. All interfaces learn this
//! from that column ([`Definition::has_several_rows`]), and the question does this:
//!
//! - It adds the rows of a record with [`Answer::row`], or calls [`Answer::nothing`] for a record without any:
//!   whether such a record keeps a place in the output is for the interface to say. The column of the record
//!   takes no values.
//! - Statuses and rejects stay those of records: one status for each, whatever the number of its rows.
//! - If a setting limits the rows of a record, [`Answer::limited`] gets the records that have more.
//! - A record may have more rows than there is memory. If the answer is wanted in [parts](Answer::part), the
//!   question ends a part there and says where the next one begins ([`Answer::go_on_at`]).
//! - [`Question::batch`] is small if a record may have many rows.
//!
//! `SOLUTIONS` (`src/questions/solutions.rs`) does all of this.
//!
//! # A step in order
//!
//! The rows of a question may depend on the records before: `DEDUP` (`src/questions/compare.rs`). Its [`Responder::fill`]
//! does all that takes time, in any thread, and leaves in the answer what the step needs ([`Answer::keys_mut`]).
//! [`Responder::settle`] makes the rows of it. An interface calls [`Question::settle`] in the order of the batches, and
//! reads the rows then: before, they panic.

use super::{
    Answer, Batch, Counts, Data, Kind, Setting, SettingError, Settings, Status, Table,
    verification::Check,
};
use crate::{
    format::{Expected, Records, Values, unexpected},
    grid::{CELLS, are_plain, is_plain},
    technique::Rating,
};
use std::{
    fmt::{self, Debug},
    slice,
};

/// Everything about a question, or about a [set](super::MadeSet) of records that are made.
#[derive(Debug)]
pub struct Definition<Make = fn(&[(usize, &str)]) -> Result<Question, SettingError>> {
    /// Its name: the command, the function of Python, the `question` of JavaScript.
    pub name: &'static str,
    /// One line, without a full stop.
    pub about: &'static str,
    /// More of it: paragraphs.
    pub details: &'static str,
    /// The settings.
    pub settings: &'static [Setting],
    /// The columns, in order.
    pub columns: &'static [Column],
    /// Makes the question or the set with texts of settings, each with its place in the table.
    pub make: Make,
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
    /// Whether the format `line` shows it.
    pub in_lines: bool,
    /// The largest number that it can hold, where it holds numbers.
    pub most: u64,
    /// Whether a record that is missing, such as a null of Python, has a value: it says something about the place of the record.
    pub of_missing: bool,
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
            in_lines: true,
            most: u64::MAX,
            of_missing: false,
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

    /// The same, with numbers up to this one alone.
    #[must_use]
    pub const fn up_to(mut self, most: u64) -> Self {
        self.most = most;
        self
    }

    /// The same, with a value for a record that is missing, too.
    #[must_use]
    pub const fn of_missing(mut self) -> Self {
        self.of_missing = true;
        self
    }

    /// The same, left out of lines.
    #[must_use]
    pub const fn not_in_lines(mut self) -> Self {
        self.in_lines = false;
        self
    }

    /// Whether it is there with these settings.
    pub(super) fn is_there(&self, settings: &impl Settings) -> bool {
        self.when.is_none_or(|when| settings.has(when))
            && self.unless.is_none_or(|unless| !settings.has(unless))
    }

    /// The number of the record of each row: see the head of this file.
    pub const RECORD: Self =
        Self::new("record", Values::Record, "the number of the record").renamed();

    /// The statuses of records.
    pub const STATUS: Self =
        Self::new("status", Values::Status, "the status of the record").renamed();
}

/// The records of a batch whose answers come soon, where each takes about as long as to solve it.
pub(super) const QUICK_BATCH: usize = 10_240;

/// The part of a question that answers records, on one thread: it has the settings and its memory. [`Question`] says what each part is for. Nothing
/// outside of this crate has it, so it is not exported.
pub trait Responder: Send + Sync {
    /// A copy for another thread.
    fn fork(&self) -> Box<dyn Responder>;

    /// See [`Question::fill`].
    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>);

    /// See [`Question::needs_order`].
    fn needs_order(&self) -> bool {
        false
    }

    /// See [`Question::settle`]. It is called if the question [needs order](Self::needs_order), and not for a fork.
    fn settle(&mut self, _answer: &mut Answer<'_>) {}

    /// See [`Question::sum_up`].
    fn sum_up(&self, _answer: &mut Answer<'_>) {}

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
    pub fn push(&self, column: impl Into<usize>, out: &mut Vec<u8>) -> bool {
        let column = column.into();
        match self.answer.kinds()[column] {
            Values::Record => {
                out.extend_from_slice(self.number);
                !self.number.is_empty()
            }
            _ => (self.answer).push_text(self.record, self.place, column, out),
        }
    }

    /// The text of a column.
    pub fn text(&self, column: impl Into<usize>) -> String {
        let mut text = Vec::new();
        self.push(column, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The rating in a column of ratings.
    #[inline]
    pub fn rating(&self, column: impl Into<usize>) -> Option<Rating> {
        match self.answer.column(column.into()) {
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
    pub facts: Vec<(&'static str, SummaryField)>,
    /// Whether the rejects are worth a list.
    pub is_listed: bool,
}

/// A fact about a run.
#[derive(Clone, Debug, PartialEq)]
pub enum SummaryField {
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
        let texts = self.places(settings)?;
        (self.make)(&texts)
    }
}

impl<Make> Definition<Make> {
    /// The settings that names and texts stand for. `S` has the settings of this definition.
    ///
    /// # Errors
    ///
    /// Those of [`with`](Definition::with).
    pub fn read<'t, S: Settings>(
        &'static self,
        settings: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<S, SettingError> {
        S::of_texts(&self.places(settings)?)
    }

    /// The places of settings in the table, with their texts.
    pub(super) fn places<'t>(
        &'static self,
        settings: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Vec<(usize, &'t str)>, SettingError> {
        let settings = settings.into_iter();
        let place = |(name, text)| Ok((self.place(name, |_| true)?, text));
        settings.map(place).collect()
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
        let setting = &self.settings[self.place(name, Setting::is_for_calls)?];
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
        Ok(&self.settings[self.place(name, |_| true)?])
    }

    /// The place of the setting with this name, or an error that offers some of them.
    fn place(
        &'static self,
        name: &str,
        is_offered: fn(&Setting) -> bool,
    ) -> Result<usize, SettingError> {
        let found = self
            .settings
            .iter()
            .position(|setting| !name.is_empty() && [setting.name, setting.alias].contains(&name));
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

/// The settings of a question, which say what answers it. Nothing outside of this crate has it, so it is not exported.
pub trait Asked: Settings {
    /// The definition of the question.
    fn definition() -> &'static Definition;

    /// The responder with these settings.
    fn responder(self) -> Box<dyn Responder>;
}

/// The question with texts of settings: [`Definition::make`] of a question that is asked with `S`.
pub(super) fn made<S: Asked>(texts: &[(usize, &str)]) -> Result<Question, SettingError> {
    Question::new(S::of_texts(texts)?)
}

/// A question with its settings, and the memory of a thread. [`new`](Self::new) makes one of typed settings, and
/// [`Definition::with`] one of texts. Make another for each thread by [`fork`](Self::fork), and keep it.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{CountSettings, Data, Question}};
/// let mut records = Records::default();
/// line::read(&[b'.'; 81], &mut records);
/// let mut question = Question::new(CountSettings { limit: 7 })?;
/// let answer = question.ask(&records);
/// let Data::Bounds(counts) = answer.named("solution_count") else { unreachable!() };
/// assert_eq!(counts[0].unwrap().to_string(), "7+");
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub struct Question {
    /// The definition.
    pub definition: &'static Definition,
    /// The columns with these settings.
    pub columns: Vec<Column>,
    responder: Box<dyn Responder>,
    is_fork: bool,
}

/// Its name and columns. A responder has no `Debug`: the engines would have it in every program that asks a question.
impl Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<_> = self.columns.iter().map(|column| column.name).collect();
        write!(f, "{} {columns:?}", self.definition.name)
    }
}

impl Question {
    /// The question with these settings.
    ///
    /// # Errors
    ///
    /// A value is none of its setting: a number is too small or too large, or the CPU lacks the instruction set. Or two
    /// settings do not go together.
    ///
    /// ```
    /// use sudoku_batch::questions::{NearSettings, Question};
    /// let error = Question::new(NearSettings { max_sets: 0, ..NearSettings::default() }).unwrap_err();
    /// assert_eq!(error.to_string(), "max-sets: a whole number of at least 1 is wanted");
    /// # Ok::<(), sudoku_batch::questions::SettingError>(())
    /// ```
    pub fn new<S: Asked>(settings: S) -> Result<Self, SettingError> {
        Self::with_settings(S::definition(), settings, S::responder)
    }

    /// A question of a definition whose settings others share.
    pub(super) fn with_settings<S: Settings>(
        definition: &'static Definition,
        settings: S,
        responder: impl FnOnce(S) -> Box<dyn Responder>,
    ) -> Result<Self, SettingError> {
        settings.check()?;
        let mut needed = definition.settings.iter();
        let is_missing =
            |setting: &&Setting| setting.kind == Kind::Texts && !settings.has(setting.name);
        if let Some(texts) = needed.find(is_missing) {
            return Err(SettingError {
                setting: texts.name.into(),
                message: format!("{} needs a text for each record", definition.name),
            });
        }
        let columns = definition.columns.iter();
        let columns = columns.filter(|column| column.is_there(&settings));
        Ok(Self {
            definition,
            columns: columns.copied().collect(),
            responder: responder(settings),
            is_fork: false,
        })
    }

    /// A question without settings. It has all columns of the definition.
    pub(super) fn of(definition: &'static Definition, responder: Box<dyn Responder>) -> Self {
        Self {
            definition,
            columns: definition.columns.to_vec(),
            responder,
            is_fork: false,
        }
    }

    /// This question for another thread. Both share all that threads can share. A fork of a question [with a step in
    /// order](Self::needs_order) fills answers, and the question settles them.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            definition: self.definition,
            columns: self.columns.clone(),
            responder: self.responder.fork(),
            is_fork: true,
        }
    }

    /// Returns true if answers depend on the records before. Then each answer that is filled is to be
    /// [settled](Self::settle), in the order of the records. [`DEDUP`](super::DEDUP) is such a question.
    pub fn needs_order(&self) -> bool {
        self.responder.needs_order()
    }

    /// Gives a filled answer its rows, where these depend on the records before. It takes little time. One question, which
    /// is no fork, is to settle the answers to all batches, in their order. Until then nobody can read the rows. Without a step
    /// in order it does nothing.
    ///
    /// # Panics
    ///
    /// The question is a fork, or the answer is settled already.
    ///
    /// ```
    /// use sudoku_batch::{format::{Records, line}, questions::{DEDUP, Data}};
    /// let mut records = Records::default();
    /// line::read(&[[b'.'; 81], [b'\n'; 81], [b'0'; 81]].concat(), &mut records);
    /// let mut question = DEDUP.with([])?;
    /// let mut answer = question.empty();
    /// answer.begin(records.len());
    /// question.fill(&records, &mut answer);
    /// question.settle(&mut answer);
    /// let Data::Flags(kept) = answer.named("kept") else { unreachable!() };
    /// assert_eq!(kept[..], [Some(true), Some(false)]);
    /// # Ok::<(), sudoku_batch::questions::SettingError>(())
    /// ```
    pub fn settle(&mut self, answer: &mut Answer<'_>) {
        if self.needs_order() {
            assert!(
                !self.is_fork,
                "a fork fills answers: the question that it was forked from settles them"
            );
            self.responder.settle(answer);
        }
    }

    /// Adds what the rows of an answer sum up to to its counts, where a question has such sums: [`STATS`](super::STATS). It is
    /// for an interface that gives a summary of counts. `Statistics::of` gives one the sums themselves.
    ///
    /// ```
    /// use sudoku_batch::questions::STATS;
    /// let mut question = STATS.with([])?;
    /// let mut answer = question.ask_cells(&[[b'.'; 81]]);
    /// assert_eq!(answer.counts.get("multiple"), 1);
    /// question.sum_up(&mut answer);
    /// assert!(answer.counts.iter().any(|(name, _)| name == "singles-solve"));
    /// # Ok::<(), sudoku_batch::questions::SettingError>(())
    /// ```
    pub fn sum_up(&self, answer: &mut Answer<'_>) {
        self.responder.sum_up(answer);
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
        self.settle(&mut answer);
        answer.check();
        answer
    }

    /// Answers puzzles that are no [`Records`]: characters `1` to `9` for clues, and `.` or `0` for blanks. A puzzle
    /// with any other byte is malformed. The solver takes the cells where they are.
    ///
    /// ```
    /// use sudoku_batch::questions::{Question, SolveSettings, Status};
    /// let mut question = Question::new(SolveSettings { unique: true, ..SolveSettings::default() })?;
    /// let answer = question.ask_cells(&[[b'0'; 81], [b'a'; 81]]);
    /// assert_eq!(answer.statuses, [Status::Multiple, Status::Malformed]);
    /// assert_eq!(answer.rejects[1].reason.to_string(), "column 1: 'a' where a cell should be");
    /// # Ok::<(), sudoku_batch::questions::SettingError>(())
    /// ```
    pub fn ask_cells(&mut self, cells: &[[u8; CELLS]]) -> Answer<'static> {
        let mut answer = self.empty();
        self.fill_cells(cells, &mut answer);
        self.settle(&mut answer);
        answer.check();
        answer
    }

    /// Answers puzzles as [`ask_cells`](Self::ask_cells) does, into an answer that keeps its memory or has lines that
    /// the caller [lends](Answer::renewed). All that is there goes.
    pub fn fill_cells(&mut self, cells: &[[u8; CELLS]], answer: &mut Answer<'_>) {
        answer.begin(cells.len());
        if are_plain(cells.as_flattened()) && self.fill_plain(cells, answer) {
            return;
        }
        let mut records = Records::default();
        for (line, cells) in (1..).zip(cells) {
            match cells
                .iter()
                .position(|cell| !is_plain(slice::from_ref(cell)))
            {
                None => records.push_cells(line, cells).expect("they are cells"),
                Some(wrong) => {
                    records.push_error(line, unexpected(cells, wrong, Expected::Cell), cells);
                }
            }
        }
        self.fill(&records, answer);
    }

    /// Answers the records of a batch. The answer has [begun](Answer::begin) it.
    pub fn fill<'b>(&mut self, batch: impl Into<Batch<'b>>, answer: &mut Answer<'_>) {
        self.responder.fill(batch.into(), answer);
    }

    /// Answers records that are 81 digits and points each, and nothing else, without a way through
    /// [`Records`]. The answer has begun as many. Returns false, and does nothing, where that saves no
    /// time: then the records are to be [filled in](Self::fill).
    pub fn fill_plain(&mut self, cells: &[[u8; CELLS]], answer: &mut Answer<'_>) -> bool {
        self.responder.fill_plain(cells, answer)
    }

    /// Appends to `line` what the format `line` shows of a row, without the line feed. `false` means the
    /// usual line: the cells of the first column, or all values with tabs between.
    pub fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        self.responder.line(row, line)
    }

    /// Returns true if the format `line` has a puzzle with the blank of its record.
    pub fn shows_puzzle(&self) -> bool {
        self.responder.shows_puzzle()
    }

    /// Returns true if records are solved grids. Otherwise an interface warns of a column that has nothing else.
    pub fn expects_grids(&self) -> bool {
        self.responder.expects_grids()
    }

    /// Takes the number of threads that may share one record, those that ask among them. The answer is the same for any
    /// number.
    ///
    /// ```
    /// use sudoku_batch::{format::{Records, line}, questions::{Data, Question, RateSettings}};
    /// let mut records = Records::default();
    /// line::read(b"..1.36..4.6.8....37...........3...8..2..9..6..7...2...........85....1.9.4..95.1..\n", &mut records);
    /// let mut question = Question::new(RateSettings::default())?;
    /// question.share(2);
    /// let answer = question.ask(&records);
    /// let Data::Ratings(er) = answer.named("er") else { unreachable!() };
    /// assert_eq!(er[0].unwrap().to_string(), "4.6");
    /// # Ok::<(), sudoku_batch::questions::SettingError>(())
    /// ```
    pub fn share(&mut self, threads: usize) {
        self.responder.share(threads);
    }

    /// Starts threads that share one record, where a question has any. The command calls it once.
    pub fn begin(&self, threads: usize) {
        self.responder.begin(threads);
    }

    /// The most records of a batch for which an answer comes soon: in well under a second. An interface that must
    /// listen to its user meanwhile asks no more at a time.
    pub fn batch(&self) -> usize {
        self.responder.batch()
    }

    /// Returns true if a record may take so long that the records of a second are not known beforehand.
    pub fn takes_long(&self) -> bool {
        self.batch() < QUICK_BATCH
    }

    /// How the answers can be checked, if they can.
    pub fn check(&self) -> Option<Check> {
        self.responder.check()
    }

    /// The meaning of the counts of all records.
    pub fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        self.responder.outcome(counts, records)
    }
}
