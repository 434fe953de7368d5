//! The settings of a question as a struct, from which the table of its [`Setting`]s follows.
//!
//! [`settings!`] declares the struct. A field is a setting. Its type says how its text is read ([`SettingValue`]), or
//! `as` names a way to read it: `u64 as AtLeast<1>`.
//! Its name with hyphens is that of the setting. The first paragraph of its comment is the help in one line, and the
//! others are the details. `= "1000000"` is the text of the usual value; without one it is the default of the type.
//! `#[setting(…)]` calls methods of [`Setting`], such as `at(Audience::Calls)`. `checked by METHOD` after the fields names a
//! method that checks all of them together. In a comment `{up-to}` names a setting: each
//! interface spells it in its way ([`spelled`](super::spelled)).
//!
//! ```text
//! settings! {
//!     /// The settings of [`COUNT`].
//!     pub struct CountSettings {
//!         /// Count up to this many solutions.
//!         ///
//!         /// 0 is all of them.
//!         #[setting(short('n'))]
//!         pub limit: u64 = "100",
//!     }
//! }
//!
//! becomes
//!
//! pub struct CountSettings { pub limit: u64 }
//! impl Default for CountSettings {
//!     fn default() -> Self { Self { limit: SettingValue::usual("100") } }
//! }
//! impl Settings for CountSettings {
//!     const TABLE: &'static [Setting] = &[
//!         Setting::new("limit", Kind::Number(0), "Count up to this many solutions.", check::<u64>)
//!             .details("0 is all of them.").usual("100").short('n'),
//!     ];
//!     fn set(&mut self, place: usize, text: &str) -> Result<(), String> { … self.limit = SettingValue::read(text)?; … }
//!     fn is_given(&self, place: usize) -> bool { … self.limit != Self::default().limit … }
//!     fn check_value(&self, place: usize) -> Result<(), String> { … <u64 as SettingValue>::check(&self.limit) … }
//! }
//! ```
//!
//! So the struct, its docs, the help of the command, the options of the other interfaces and the check of a text come
//! from one place. A derive macro would do the same with a crate more.

use super::{Extract, Kind, Reward, Setting, SettingError, Status, grammar};
use crate::{
    dataset::{Equivalence, Operation, PuzzleHasher, Split},
    grid::Digit,
    name::{self, names_of},
    puzzle::{Pattern, Symmetry},
    simd::Level,
    solve::Engine,
    technique::{Difficulty, Rating, Techniques, TrialDepth},
};
use std::{
    fmt::{Debug, Display},
    ops::RangeInclusive,
};

/// The settings of a question or of a set: a struct that a macro declares.
pub trait Settings: Default + Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The table that interfaces list.
    const TABLE: &'static [Setting];

    /// Sets the setting at a place of the table.
    ///
    /// # Errors
    ///
    /// The text has no value of the kind.
    fn set(&mut self, place: usize, text: &str) -> Result<(), String>;

    /// Returns true if the setting at a place of the table has another value than the usual one.
    fn is_given(&self, place: usize) -> bool;

    /// Checks the value of the setting at a place of the table, which a field may have without a text.
    ///
    /// # Errors
    ///
    /// No text has this value.
    fn check_value(&self, place: usize) -> Result<(), String>;

    /// Returns true if the setting with this name has another value than the usual one.
    fn has(&self, name: &str) -> bool {
        let place = Self::TABLE.iter().position(|setting| setting.name == name);
        place.is_some_and(|place| self.is_given(place))
    }

    /// The settings with texts at some places of the table.
    ///
    /// # Errors
    ///
    /// A text has no value of its kind, or two settings do not go together.
    fn of_texts(texts: &[(usize, &str)]) -> Result<Self, SettingError> {
        let mut settings = Self::default();
        for (place, text) in texts {
            let set = settings.set(*place, text);
            set.map_err(|message| SettingError {
                setting: Self::TABLE[*place].name.into(),
                message,
            })?;
        }
        settings.check()?;
        Ok(settings)
    }

    /// Checks the settings together, where one of them says more than that it excludes or needs another.
    ///
    /// # Errors
    ///
    /// No record can meet all of them.
    fn check_all(&self) -> Result<(), SettingError> {
        Ok(())
    }

    /// Checks the values, and that the settings go together. A usual value excludes nothing.
    ///
    /// # Errors
    ///
    /// No text has one of the values. Or one setting excludes another that is given, or needs one that is not. Or it is an error of
    /// [`check_all`](Self::check_all).
    fn check(&self) -> Result<(), SettingError> {
        for (place, setting) in Self::TABLE.iter().enumerate() {
            if !self.is_given(place) {
                continue;
            }
            let message = match (self.check_value(place), setting.excludes, setting.needs) {
                (Err(message), ..) => message,
                (_, other, _) if self.has(other) => format!("it cannot be used with {other}"),
                (.., other) if !other.is_empty() && !self.has(other) => {
                    format!("it has no effect without {other}")
                }
                _ => continue,
            };
            let setting = setting.name.into();
            return Err(SettingError { setting, message });
        }
        self.check_all()
    }
}

/// A way to read the text of a setting. Most types of values are read in one way, which they are themselves.
#[diagnostic::on_unimplemented(message = "`{Self}` is no type of a setting")]
pub(super) trait SettingValue {
    /// The type of the field.
    type Value: Clone + PartialEq + Debug;

    /// The kind that interfaces see.
    const KIND: Kind;

    /// The text for a setting that is not given, where there is one.
    const NONE: Option<&'static str> = None;

    /// The value of a text.
    ///
    /// # Errors
    ///
    /// The error, in words.
    fn read(text: &str) -> Result<Self::Value, String>;

    /// Checks a value that was not read.
    ///
    /// # Errors
    ///
    /// The error of a text with this value.
    fn check(_value: &Self::Value) -> Result<(), String> {
        Ok(())
    }

    /// The value of the text that is usual.
    ///
    /// # Panics
    ///
    /// It has no value.
    fn usual(text: &str) -> Self::Value {
        Self::read(text).expect("a usual value is one of the kind")
    }
}

/// Says what is wrong with a text that is no value of a type.
pub(super) fn check<T: SettingValue>(text: &str) -> Result<(), String> {
    T::read(text).map(|_| ())
}

/// The error of a value in words.
fn said<T>(value: Result<T, impl Display>) -> Result<T, String> {
    value.map_err(|wrong| wrong.to_string())
}

impl SettingValue for bool {
    type Value = Self;
    const KIND: Kind = Kind::Flag;

    fn read(text: &str) -> Result<Self, String> {
        let wrong = || format!("true or false is wanted, not {text}");
        text.parse().map_err(|_| wrong())
    }
}

impl SettingValue for u64 {
    type Value = Self;
    const KIND: Kind = Kind::Number(0);

    fn read(text: &str) -> Result<Self, String> {
        said(grammar::number(text))
    }
}

/// A whole number from a least one up.
pub(super) enum AtLeast<const LEAST: u64> {}

impl<const LEAST: u64> SettingValue for AtLeast<LEAST> {
    type Value = u64;
    const KIND: Kind = Kind::Number(LEAST);

    fn read(text: &str) -> Result<u64, String> {
        let number = u64::read(text)?;
        Self::check(&number).map(|()| number)
    }

    fn check(number: &u64) -> Result<(), String> {
        let wrong = || format!("a whole number of at least {LEAST} is wanted");
        (*number >= LEAST).then_some(()).ok_or_else(wrong)
    }
}

/// Implements the trait for types that are read from texts by themselves.
macro_rules! read_by_itself {
    ($($type:ty = $kind:expr),+ $(,)?) => {
        $(impl SettingValue for $type {
            type Value = Self;
            const KIND: Kind = $kind;

            fn read(text: &str) -> Result<Self, String> {
                said(text.parse())
            }
        })+
    };
}

read_by_itself! {
    Equivalence = Kind::Name(names_of!(Equivalence, about)),
    Extract = Kind::Name(names_of!(Extract, about)),
    Reward = Kind::Name(names_of!(Reward, about)),
    Rating = Kind::Rating,
    Techniques = Kind::Techniques,
    Pattern = Kind::Pattern,
    Difficulty = Kind::Name(names_of!(Difficulty, range)),
    Symmetry = Kind::Name(names_of!(Symmetry, about)),
}

/// A technique that solves a puzzle alone. There is one, so the value is a flag.
pub(super) enum SolvedBy {}

impl SolvedBy {
    const NAKED_SINGLES: &str = "naked-singles";
}

impl SettingValue for SolvedBy {
    type Value = bool;
    const KIND: Kind = Kind::Name(&[(
        Self::NAKED_SINGLES,
        "There is always a cell with one candidate",
    )]);

    fn read(text: &str) -> Result<bool, String> {
        let found = name::find(
            "technique that solves alone",
            &[true],
            |_| Self::NAKED_SINGLES,
            text,
        );
        said(found)
    }
}

/// `None` is `auto`: the number of records decides.
impl SettingValue for Engine {
    type Value = Self;
    const KIND: Kind = Kind::Engine;
    const NONE: Option<&'static str> = Some("auto");

    fn read(text: &str) -> Result<Self, String> {
        said(text.parse())
    }
}

impl SettingValue for Level {
    type Value = Self;
    const KIND: Kind = Kind::Level;

    fn read(text: &str) -> Result<Self, String> {
        said(text.parse().and_then(Self::check))
    }

    fn check(level: &Self) -> Result<(), String> {
        said(Self::check(*level)).map(|_| ())
    }
}

impl SettingValue for Digit {
    type Value = Self;
    const KIND: Kind = Kind::Digit;

    fn read(text: &str) -> Result<Self, String> {
        let digit = text.parse().ok().and_then(Self::new);
        digit.ok_or_else(|| "a digit from 1 to 9 is wanted".into())
    }
}

/// A digit, by a student number that stands for it.
pub(super) enum Student {}

impl SettingValue for Student {
    type Value = Digit;
    const KIND: Kind = Kind::Student;

    fn read(text: &str) -> Result<Digit, String> {
        digit_of_student(text)
    }
}

/// The digit that a student number stands for: its last two digits added, modulo 9, plus 1. So 2018301780 has 8 + 0,
/// modulo 9, plus 1, which is 9. The rule is that of a course: see docs/course.zh-CN.md.
///
/// # Errors
///
/// The text does not end with two digits.
pub fn digit_of_student(text: &str) -> Result<Digit, String> {
    match text.as_bytes() {
        [.., tens @ b'0'..=b'9', units @ b'0'..=b'9'] => {
            let sum = (tens - b'0') + (units - b'0');
            Ok(Digit::new(sum % 9 + 1).expect("1 to 9"))
        }
        _ => Err("a student number ends with two digits".into()),
    }
}

/// Any techniques: names of them and of families of them, with commas between. None is no wish.
pub(super) enum AnyTechniques {}

impl SettingValue for AnyTechniques {
    type Value = Techniques;
    const KIND: Kind = Kind::AnyTechniques;

    fn read(text: &str) -> Result<Techniques, String> {
        said(Techniques::named(text))
    }
}

/// A type whose values have names. A setting may be several of them, with commas between.
pub(super) trait Listed: Copy + PartialEq + Debug + 'static {
    /// The values that a setting may have.
    const KNOWN: &'static [Self];

    /// Their names. With each stands its meaning, or nothing.
    const NAMES: &'static [(&'static str, &'static str)];
}

impl Listed for Operation {
    const KNOWN: &'static [Self] = Self::ALL;
    const NAMES: &'static [(&'static str, &'static str)] = names_of!(Operation, without_meaning);
}

impl Listed for Difficulty {
    const KNOWN: &'static [Self] = Self::ALL;
    const NAMES: &'static [(&'static str, &'static str)] = names_of!(Difficulty, range);
}

/// All patterns have no symmetry, the first one.
impl Listed for Symmetry {
    const KNOWN: &'static [Self] = Self::ALL.split_at(1).1;
    const NAMES: &'static [(&'static str, &'static str)] = names_of!(Symmetry, about).split_at(1).1;
}

/// The others are statuses of questions with a limit, and of grids.
impl Listed for Status {
    const KNOWN: &'static [Self] = Self::ALL.split_at(Self::GaveUp as usize).0;
    const NAMES: &'static [(&'static str, &'static str)] = names_of!(Status, without_meaning)
        .split_at(Self::GaveUp as usize)
        .0;
}

/// Values of a list, with commas between, in the order of the list.
impl<T: Listed> SettingValue for Vec<T> {
    type Value = Self;
    const KIND: Kind = Kind::Names(T::NAMES);

    fn read(text: &str) -> Result<Self, String> {
        let names = Vec::from_iter(T::NAMES.iter().map(|(name, _)| *name));
        let places = text.split(',').map(|name| name::place(&names, name));
        let places = places.collect::<Result<Vec<_>, _>>()?;
        let all = T::KNOWN.iter().enumerate();
        let chosen = all.filter(|(place, _)| places.contains(place));
        Ok(chosen.map(|(_, known)| *known).collect())
    }

    /// A text has one value at least, and none that the list lacks.
    fn check(values: &Self) -> Result<(), String> {
        let are_known = values.iter().all(|value| T::KNOWN.contains(value));
        match are_known && !values.is_empty() {
            true => Ok(()),
            false => Self::read("").map(|_| ()),
        }
    }
}

/// The seed of keys.
impl SettingValue for PuzzleHasher {
    type Value = Self;
    const KIND: Kind = Kind::Number(0);

    fn read(text: &str) -> Result<Self, String> {
        u64::read(text).map(Self::seeded)
    }
}

/// The weights of the parts of a split, with commas between.
pub(super) enum Weights {}

impl SettingValue for Weights {
    type Value = Vec<f64>;
    const KIND: Kind = Kind::Weights;

    fn read(text: &str) -> Result<Vec<f64>, String> {
        let weight = |text: &str| text.trim().parse().unwrap_or(f64::NAN);
        let weights = text.split(',').map(weight).collect();
        Self::check(&weights).map(|()| weights)
    }

    fn check(weights: &Vec<f64>) -> Result<(), String> {
        said(Split::new(0, weights)).map(|_| ())
    }
}

/// A range of whole numbers up to `MOST`. An open end of its text is `FIRST` or `LAST`.
pub(super) enum NumberRange<const MOST: u64, const FIRST: u64, const LAST: u64> {}

impl<const MOST: u64, const FIRST: u64, const LAST: u64> NumberRange<MOST, FIRST, LAST> {
    fn wanted() -> String {
        let up_to = match MOST {
            u64::MAX => String::new(),
            most => format!(" from 0 to {most}"),
        };
        format!("a number{up_to} is wanted, or A..B, like 45..50; A.. and ..B are open")
    }
}

impl<const MOST: u64, const FIRST: u64, const LAST: u64> SettingValue
    for NumberRange<MOST, FIRST, LAST>
{
    type Value = RangeInclusive<u64>;
    const KIND: Kind = Kind::Range(MOST, [FIRST, LAST]);

    fn read(text: &str) -> Result<RangeInclusive<u64>, String> {
        let end = |text: &str| grammar::number(text).ok().filter(|n| *n <= MOST);
        let ends = grammar::range(text, &Self::wanted(), end)?;
        let [first, last] = filled(ends, [FIRST, LAST]);
        Ok(first..=last)
    }

    fn check(range: &RangeInclusive<u64>) -> Result<(), String> {
        let is_known = !range.is_empty() && *range.end() <= MOST;
        is_known.then_some(()).ok_or_else(Self::wanted)
    }
}

impl SettingValue for RangeInclusive<Rating> {
    type Value = Self;
    const KIND: Kind = Kind::Ratings;

    fn read(text: &str) -> Result<Self, String> {
        let wanted = "a rating is wanted, like 2.6, or A..B, like 2.0..2.8; A.. and ..B are open";
        let end = |text: &str| text.parse().ok();
        let ends = grammar::range(text, wanted, end)?;
        let [easy, extreme] = [Difficulty::Easy, Difficulty::Extreme].map(Difficulty::ratings);
        let [first, last] = filled(ends, [*easy.start(), *extreme.end()]);
        Ok(first..=last)
    }
}

/// A range of depths of trial and error.
pub(super) enum Depths {}

impl Depths {
    const WANTED: &str =
        "a depth from 0 to 3, or beyond, is wanted, or A..B, like 1..2; A.. and ..B are open";
}

impl SettingValue for Depths {
    type Value = RangeInclusive<TrialDepth>;
    const KIND: Kind = Kind::Range(3, [0, 3]);

    fn read(text: &str) -> Result<RangeInclusive<TrialDepth>, String> {
        let ends = grammar::range(text, Self::WANTED, |end| end.parse().ok())?;
        let [first, last] = filled(ends, [TrialDepth::Zero, TrialDepth::Beyond]);
        Ok(first..=last)
    }

    fn check(range: &RangeInclusive<TrialDepth>) -> Result<(), String> {
        (!range.is_empty())
            .then_some(())
            .ok_or_else(|| Self::WANTED.into())
    }
}

/// `None` is a setting that is not given.
impl<T: SettingValue> SettingValue for Option<T> {
    type Value = Option<T::Value>;
    const KIND: Kind = T::KIND;

    fn read(text: &str) -> Result<Option<T::Value>, String> {
        match T::NONE {
            Some(none) if none == text => Ok(None),
            _ => T::read(text).map(Some),
        }
    }

    fn check(value: &Option<T::Value>) -> Result<(), String> {
        value.as_ref().map_or(Ok(()), T::check)
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

/// The lines of a comment as help: each is joined with the next by a space, and an empty one ends a paragraph.
///
/// ```text
/// " One line,\n of help.\n\n A detail.\n"    ->    "One line, of help." and "A detail."
/// ```
#[derive(Debug)]
pub(super) struct Help<const N: usize> {
    bytes: [u8; N],
    /// The end of the first paragraph.
    about: usize,
    end: usize,
}

impl<const N: usize> Help<N> {
    /// The help of lines, each with a line feed. Rust puts a space before the text of each.
    pub(super) const fn of(lines: &str) -> Self {
        let lines = lines.as_bytes();
        let mut help = Self {
            bytes: [0; N],
            about: 0,
            end: 0,
        };
        let (mut at, mut ends_paragraph) = (0, false);
        while at < N {
            at += (lines[at] == b' ') as usize;
            if lines[at] == b'\n' {
                ends_paragraph = true;
            } else {
                if help.end > 0 {
                    help.push(if ends_paragraph { b"\n\n" } else { b" " });
                }
                ends_paragraph = false;
                while lines[at] != b'\n' {
                    help.push(&[lines[at]]);
                    at += 1;
                }
            }
            at += 1;
        }
        if help.about == 0 {
            help.about = help.end;
        }
        help
    }

    const fn push(&mut self, bytes: &[u8]) {
        // The first break between paragraphs.
        if bytes.len() == 2 && self.about == 0 {
            self.about = self.end;
        }
        let mut at = 0;
        while at < bytes.len() {
            self.bytes[self.end] = bytes[at];
            self.end += 1;
            at += 1;
        }
    }

    /// The first paragraph.
    pub(super) const fn about(&self) -> &str {
        text(self.bytes.split_at(self.about).0)
    }

    /// The others.
    pub(super) const fn details(&self) -> &str {
        if self.about == self.end {
            return "";
        }
        let others = self.bytes.split_at(self.about + 2).1;
        text(others.split_at(self.end - self.about - 2).0)
    }
}

/// The name of a field with hyphens.
pub(super) const fn hyphened<const N: usize>(field: &str) -> [u8; N] {
    let (mut name, mut at) = ([0; N], 0);
    while at < N {
        let byte = field.as_bytes()[at];
        name[at] = if byte == b'_' { b'-' } else { byte };
        at += 1;
    }
    name
}

/// Bytes as text.
pub(super) const fn text(bytes: &[u8]) -> &str {
    match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("comments and names are UTF-8"),
    }
}

/// Declares the settings of a question: see the head of this file.
macro_rules! settings {
    (
        $(#[$of_struct:meta])*
        pub struct $name:ident {$(
            $(#[doc = $doc:expr])+
            $(#[setting($($method:ident($($argument:expr),*)),+)])?
            pub $field:ident: $type:ty $(as $reader:ty)? $(= $usual:literal)?,
        )*}
        $(checked by $check_all:ident)?
    ) => {
        $(#[$of_struct])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {$(
            $(#[doc = $doc])+
            $(#[doc = concat!("\n\nUsually `", $usual, "`.")])?
            pub $field: $type,
        )*}

        impl Default for $name {
            fn default() -> Self {
                Self {$(
                    $field: $crate::questions::settings::settings!(
                        @usual $type, $crate::questions::settings::settings!(@reader $type $(as $reader)?) $(, $usual)?
                    ),
                )*}
            }
        }

        impl $crate::questions::settings::Settings for $name {
            const TABLE: &'static [$crate::questions::Setting] = &[$({
                use $crate::questions::{Setting, settings::{Help, SettingValue, check, hyphened, text}};
                type Reader = $crate::questions::settings::settings!(@reader $type $(as $reader)?);
                const NAME: &[u8; stringify!($field).len()] = &hyphened(stringify!($field));
                const LINES: &str = concat!($($doc, "\n"),+);
                const HELP: &Help<{ LINES.len() }> = &Help::of(LINES);
                Setting::new(text(NAME), Reader::KIND, HELP.about(), check::<Reader>)
                    .details(HELP.details())
                    $(.usual($usual))?
                    $($(.$method($($argument),*))+)?
            },)*];

            fn set(&mut self, place: usize, text: &str) -> Result<(), String> {
                let mut places = 0..;
                $(if places.next() == Some(place) {
                    type Reader = $crate::questions::settings::settings!(@reader $type $(as $reader)?);
                    self.$field = <Reader as $crate::questions::settings::SettingValue>::read(text)?;
                })*
                Ok(())
            }

            fn check_value(&self, place: usize) -> Result<(), String> {
                let mut places = 0..;
                $(if places.next() == Some(place) {
                    type Reader = $crate::questions::settings::settings!(@reader $type $(as $reader)?);
                    return <Reader as $crate::questions::settings::SettingValue>::check(&self.$field);
                })*
                Ok(())
            }

            $(fn check_all(&self) -> Result<(), $crate::questions::SettingError> {
                self.$check_all()
            })?

            fn is_given(&self, place: usize) -> bool {
                let (usual, mut places) = (Self::default(), 0..);
                $((places.next() == Some(place) && self.$field != usual.$field) ||)* false
            }
        }
    };
    (@usual $type:ty, $reader:ty) => { <$type as Default>::default() };
    (@usual $type:ty, $reader:ty, $usual:literal) => {
        <$reader as $crate::questions::settings::SettingValue>::usual($usual)
    };
    (@reader $type:ty) => { $type };
    (@reader $type:ty as $reader:ty) => { $reader };
}

pub(super) use settings;

#[cfg(test)]
mod tests {
    use super::*;

    settings! {
        /// Settings of a question that nobody asks.
        #[expect(unreachable_pub, reason = "the settings of questions are public")]
        pub struct Example {
            /// Count up to this many solutions,
            /// and no more.
            ///
            /// A detail
            /// of two lines.
            ///
            /// Another one.
            #[setting(short('n'))]
            pub at_most: u64 = "1k",
            /// List them.
            #[setting(needs("at-most"))]
            pub list: bool,
            /// The first digit.
            pub digit: Option<Digit>,
            /// At least two.
            pub two: Option<u64> as Option<AtLeast<2>>,
        }
    }

    /// The table is the one that the head of this file shows, written by hand.
    #[test]
    fn a_struct_is_a_table() {
        let by_hand = [
            Setting::new(
                "at-most",
                Kind::Number(0),
                "Count up to this many solutions, and no more.",
                check::<u64>,
            )
            .details("A detail of two lines.\n\nAnother one.")
            .usual("1k")
            .short('n'),
            Setting::new("list", Kind::Flag, "List them.", check::<bool>).needs("at-most"),
            Setting::new("digit", Kind::Digit, "The first digit.", check::<Digit>),
            Setting::new("two", Kind::Number(2), "At least two.", check::<AtLeast<2>>),
        ];
        let shown = |setting: &Setting| {
            format!(
                "{:?}",
                (
                    setting.name,
                    setting.kind,
                    setting.about,
                    setting.details,
                    setting.usual,
                    setting.short,
                    setting.needs
                )
            )
        };
        assert_eq!(
            Vec::from_iter(Example::TABLE.iter().map(shown)),
            Vec::from_iter(by_hand.iter().map(shown))
        );
    }

    #[test]
    fn texts_are_read_once_and_compared_with_the_usual_values() {
        let read =
            |texts: &[(usize, &str)]| Example::of_texts(texts).map_err(|wrong| wrong.to_string());
        let usual = Example {
            at_most: 1000,
            list: false,
            digit: None,
            two: None,
        };
        assert_eq!(read(&[]), Ok(usual.clone()));
        assert!(!read(&[(0, "1000")]).unwrap().has("at-most"));
        let given = read(&[(0, "7"), (1, "true"), (2, "9"), (3, "2")]).unwrap();
        let expected = Example {
            at_most: 7,
            list: true,
            digit: Digit::new(9),
            two: Some(2),
        };
        assert_eq!(given, expected);
        assert!(
            ["at-most", "list", "digit"]
                .iter()
                .all(|name| given.has(name))
        );
        assert_eq!(
            read(&[(2, "0")]),
            Err("digit: a digit from 1 to 9 is wanted".into())
        );
        assert_eq!(
            read(&[(1, "true")]),
            Err("list: it has no effect without at-most".into())
        );
        let too_few = "two: a whole number of at least 2 is wanted";
        assert_eq!(read(&[(3, "1")]), Err(too_few.into()));
        // A value that no text has is refused in the same words.
        let two = Some(1);
        let wrong = Example { two, ..usual }.check().unwrap_err();
        assert_eq!(wrong.to_string(), too_few);
    }
}
