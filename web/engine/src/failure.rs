//! Errors, as JavaScript gets them.

use serde::{Deserialize, Deserializer, Serialize, de};
use std::fmt::Display;
use sudoku_batch::ParseError;
use wasm_bindgen::JsValue;

/// An error: a code for programs, a message for people, and the place where it is.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Failure {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) line: Option<u64>,
    pub(crate) column: Option<usize>,
    pub(crate) reason: Option<String>,
}

impl Failure {
    /// A value of the caller that cannot be.
    pub(crate) fn option(message: impl Display) -> Self {
        Self {
            code: "option",
            message: message.to_string(),
            ..Self::default()
        }
    }

    /// An input whose form or columns do not fit.
    pub(crate) fn form(message: impl Display) -> Self {
        Self {
            code: "form",
            message: message.to_string(),
            ..Self::default()
        }
    }

    /// A text that is no puzzle.
    pub(crate) fn malformed(line: u64, error: ParseError) -> Self {
        Self {
            code: "malformed",
            message: format!("line {line}: {error}"),
            line: Some(line),
            column: Some(error.column),
            reason: Some(error.to_string()),
        }
    }

    /// A record that cannot be answered.
    pub(crate) fn record(line: u64, reason: impl Display) -> Self {
        Self {
            code: "record",
            message: format!("line {line}: {reason}"),
            line: Some(line),
            column: None,
            reason: Some(reason.to_string()),
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

/// Reads the options of a call.
pub(crate) fn options<'o, T: Deserialize<'o>>(text: &'o str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        // The place in the JSON says nothing to the caller.
        Failure::option(message.split(" at line ").next().unwrap_or_default())
    })
}

/// Reads a number of 64 bits, which JavaScript has as a number or as a BigInt (a text here).
pub(crate) fn number<'d, D: Deserializer<'d>>(from: D) -> Result<Option<u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Number {
        Small(u64),
        Text(String),
    }
    match Option::<Number>::deserialize(from) {
        Ok(None) => Ok(None),
        Ok(Some(Number::Small(number))) => Ok(Some(number)),
        Ok(Some(Number::Text(text))) => text.parse().map(Some).map_err(|_| {
            de::Error::custom(format!("`{text}` is no number from 0 to {}", u64::MAX))
        }),
        Err(_) => Err(de::Error::custom(format!(
            "a number from 0 to {} is wanted",
            u64::MAX
        ))),
    }
}
