//! A setting as the interfaces see it: its name, its kind, its help, and whether a text is a value of it.
//!
//! [`settings!`](super::settings) makes these entries from the fields of a struct.

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
    /// Another name that is understood.
    pub alias: &'static str,
    /// A letter for the command.
    pub short: Option<char>,
    /// A setting that cannot be set beside this one.
    pub excludes: &'static str,
    /// A setting that must be set beside this one.
    pub needs: &'static str,
    /// The interfaces that can set it.
    pub audience: Audience,
    /// Says in words what is wrong with a text that is no value of it.
    pub try_text: fn(&str) -> Result<(), String>,
}

/// The interfaces that can set a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
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
    /// Names out of this list, with commas between. With each stands its meaning, or nothing.
    Names(&'static [(&'static str, &'static str)]),
    /// A name out of this list. With each stands its meaning.
    Name(&'static [(&'static str, &'static str)]),
    /// Whole numbers up to this one: one number, `A..B`, `A..` or `..B`. Then the ends that stand for those that
    /// are missing.
    Range(u64, [u64; 2]),
    /// Ratings: one, `A..B`, `A..` or `..B`.
    Ratings,
    /// Names of techniques and of families of them, with commas between.
    AnyTechniques,
    /// Numbers from 0 up, one of them above 0, with commas between.
    Weights,
    /// The cells of clues: 81 characters, as a [`Pattern`](crate::puzzle::Pattern) has them.
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

impl Setting {
    /// A setting for all interfaces. `try_text` says what is wrong with a text that is no value of it.
    pub const fn new(
        name: &'static str,
        kind: Kind,
        about: &'static str,
        try_text: fn(&str) -> Result<(), String>,
    ) -> Self {
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
            audience: Audience::All,
            try_text,
        }
    }

    /// Checks that a text is a value of it.
    ///
    /// # Errors
    ///
    /// The text has no value of the kind.
    pub fn check(&self, text: &str) -> Result<(), SettingError> {
        (self.try_text)(text).map_err(|message| SettingError {
            setting: self.name.into(),
            message,
        })
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
        matches!(self.audience, Audience::All | Audience::Command)
    }

    /// Returns true if the calls of Python and C can set it.
    pub fn is_for_calls(&self) -> bool {
        !matches!(self.audience, Audience::Command | Audience::Written)
    }

    /// Returns true if it stands for what comes beside the records: answers, or free texts.
    pub fn is_beside(&self) -> bool {
        matches!(self.kind, Kind::Answers | Kind::Texts)
    }

    /// This setting for some interfaces.
    #[must_use]
    pub const fn at(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// The same, with another name.
    #[must_use]
    pub const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// The same, with another name that is understood, and that no help shows.
    #[must_use]
    pub const fn alias(mut self, name: &'static str) -> Self {
        self.alias = name;
        self
    }

    /// The same, with values of another kind that are read alike.
    #[must_use]
    pub const fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }
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

/// A text of help with its settings as an interface spells them: in the text `{up-to}` stands for the setting `up-to`.
///
/// ```
/// use sudoku_batch::questions::spelled;
/// let text = "With {minlex} or {maxlex} there may be more.";
/// assert_eq!(spelled(text, |name| format!("--{name}")), "With --minlex or --maxlex there may be more.");
/// ```
pub fn spelled(text: &str, mut spell: impl FnMut(&str) -> String) -> String {
    let mut parts = text.split('{');
    let mut spelled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}') {
            Some((name, rest)) => spelled.extend([&spell(name), rest]),
            None => spelled.extend(["{", part]),
        }
    }
    spelled
}
