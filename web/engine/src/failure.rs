//! Errors, as JavaScript gets them.

use serde::Serialize;
use serde_json::Value;
use std::fmt::Display;
use sudoku_batch::{
    ParseError,
    format::DetectError,
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

    /// An input whose format or columns do not fit.
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

/// A text whose format is not found.
impl From<DetectError> for Failure {
    fn from(error: DetectError) -> Self {
        let (line, column) = match error {
            DetectError::NotLines { line, column, .. } => (line, Some(column)),
            DetectError::Cells { line, .. } | DetectError::Unknown { line, .. } => (line, None),
            _ => (1, None),
        };
        let failure = Self::form(error);
        Self {
            line: Some(line),
            column,
            reason: Some(failure.message.clone()),
            ..failure
        }
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

/// A value that the package gives as JSON: it has looked at the kinds of all values.
pub(crate) fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON of the package")
}

/// The texts of an array, if it is one.
pub(crate) fn texts(value: &Value) -> Option<Vec<&str>> {
    let texts = value.as_array()?.iter();
    Some(texts.filter_map(Value::as_str).collect())
}

/// Reads the options of a call, or says which one the call does not have. `known` are all that it has.
pub(crate) fn options(call: &str, known: &[&str], text: &str) -> Result<Options, Failure> {
    match Options::parse(text) {
        Ok(options) => all_are_known(call, known, &options).map(|()| options),
        // No value of such an option would do.
        Err(error) if !error.setting.is_empty() && !known.contains(&&error.setting[..]) => {
            Err(unknown(call, known, &error.setting))
        }
        Err(error) => Err(error.into()),
    }
}

/// An error for the first option that a call does not have.
pub(crate) fn all_are_known(call: &str, known: &[&str], options: &Options) -> Result<(), Failure> {
    let mut names = options.iter().map(|(name, _)| name);
    let other = names.find(|name| !known.contains(name));
    other.map_or(Ok(()), |name| Err(unknown(call, known, name)))
}

fn unknown(call: &str, known: &[&str], name: &str) -> Failure {
    let known: Vec<_> = known.iter().map(|name| camel(name)).collect();
    let known = match &known[..] {
        [] => "".into(),
        known => format!("; its own are: {}", known.join(", ")),
    };
    Failure::option(format_args!("{call} has no option {}{known}", camel(name)))
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
