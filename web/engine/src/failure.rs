//! Errors, as JavaScript gets them.

use serde::{Deserialize, Serialize};
use std::fmt::Display;
use sudoku_batch::{
    ParseError,
    questions::{Options, SettingError},
};
use wasm_bindgen::JsValue;

/// An error: a code for programs, a message for people, and the place where it is.
#[derive(Debug, Default, Serialize)]
pub struct Failure {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// The place in the array of the caller, from 0.
    pub(crate) index: Option<usize>,
    pub(crate) line: Option<u64>,
    pub(crate) column: Option<usize>,
    pub(crate) reason: Option<String>,
}

impl Failure {
    /// A failure without a place.
    pub(crate) fn new(code: &'static str, message: impl Display) -> Self {
        Self {
            code,
            message: message.to_string(),
            ..Self::default()
        }
    }

    /// A value of the caller that cannot be.
    pub(crate) fn option(message: impl Display) -> Self {
        Self::new("option", message)
    }

    /// An input whose form or columns do not fit.
    pub(crate) fn form(message: impl Display) -> Self {
        Self::new("form", message)
    }

    /// A text that is no puzzle.
    pub(crate) fn malformed(line: u64, error: ParseError) -> Self {
        Self {
            code: "malformed",
            column: Some(error.column),
            ..Self::record(line, error)
        }
    }

    /// A record that cannot be answered.
    pub(crate) fn record(line: u64, reason: impl Display) -> Self {
        Self {
            line: Some(line),
            reason: Some(reason.to_string()),
            ..Self::new("record", format_args!("line {line}: {reason}"))
        }
    }

    /// The failure of one of many, which the caller has at this place of an array.
    pub(crate) fn at(mut self, array: &str, index: usize) -> Self {
        self.message = format!("{array}[{index}]: {}", self.message);
        self.index = Some(index);
        self
    }
}

/// A setting that is wrong, as JavaScript names it.
impl From<SettingError> for Failure {
    fn from(mut error: SettingError) -> Self {
        error.setting = camel(&error.setting);
        Self::option(error)
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        json(&failure).into()
    }
}

/// A value as JSON.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("these types have text as keys")
}

/// Reads what a call is given as JSON.
pub(crate) fn read<'o, T: Deserialize<'o>>(text: &'o str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        // The place in the JSON says nothing to the caller.
        Failure::option(message.split(" at line ").next().unwrap_or_default())
    })
}

/// An error for an option that nobody has taken.
pub(crate) fn all_are_known(options: &Options) -> Result<(), Failure> {
    let unknown = options.iter().next().map(|(name, _)| camel(name));
    let error = |name| Failure::option(format_args!("there is no option {name}"));
    unknown.map_or(Ok(()), |name| Err(error(name)))
}

/// The name of an option in JavaScript.
pub(crate) fn camel(name: &str) -> String {
    let mut words = name.split(['-', '_']);
    let mut text = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(1.min(word.len()));
        text += &first.to_ascii_uppercase();
        text += rest;
    }
    text
}
