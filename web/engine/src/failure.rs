//! Errors, as JavaScript gets them.

use serde::{Deserialize, Deserializer, Serialize, de};
use std::fmt::{self, Display};
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

/// The options of a question, as texts by their names: `maxWork: 7` is `max-work` and `7`. A value that is
/// `null` is not given.
#[derive(Default)]
pub(crate) struct Given(Vec<(String, String)>);

impl Given {
    /// Takes an option out.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let place = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.swap_remove(place).1)
    }

    /// Takes a whole number out.
    pub(crate) fn number(&mut self, name: &str) -> Result<Option<u64>, Failure> {
        let text = self.take(name);
        let number = text.map(|text| text.parse::<u64>()).transpose();
        number.map_err(|_| Failure::option(format_args!("{name}: a whole number is wanted")))
    }

    /// Gives an option.
    pub(crate) fn put(&mut self, name: &str, text: &str) {
        self.0.push((name.into(), text.into()));
    }

    /// The options that nobody has taken.
    pub(crate) fn rest(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (&name[..], &text[..]))
    }

    /// An error for an option that nobody has taken.
    pub(crate) fn all_are_known(&self) -> Result<(), Failure> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => Err(Failure::option(format_args!(
                "unknown field `{}`",
                camel(name)
            ))),
        }
    }
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

impl<'d> Deserialize<'d> for Given {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
        struct Options;

        impl<'d> de::Visitor<'d> for Options {
            type Value = Given;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of options")
            }

            fn visit_map<A: de::MapAccess<'d>>(self, mut map: A) -> Result<Given, A::Error> {
                let mut given = Given::default();
                while let Some(name) = map.next_key::<String>()? {
                    let mut hyphened = String::new();
                    for c in name.chars() {
                        if c.is_ascii_uppercase() {
                            hyphened.push('-');
                        }
                        hyphened.push(c.to_ascii_lowercase());
                    }
                    if let Text(Some(text)) = map.next_value()? {
                        given.0.push((hyphened, text));
                    }
                }
                Ok(given)
            }
        }

        from.deserialize_map(Options)
    }
}

/// The text of a value that is true or false, a number, two numbers, or a text.
struct Text(Option<String>);

impl<'d> Deserialize<'d> for Text {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
        struct Value;

        impl<'d> de::Visitor<'d> for Value {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false, a number, two numbers or a text")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Text, E> {
                Ok(Text(Some(if value { "true" } else { "false" }.into())))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Text, E> {
                Ok(Text(Some(value.to_string())))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Text, E> {
                Ok(Text(Some(value.to_string())))
            }

            /// Ratings alone have a fraction, of one digit.
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Text, E> {
                let tenths = (value * 10.0).round();
                if !(0.0..1000.0).contains(&tenths) || (tenths / 10.0 - value).abs() > 1e-9 {
                    return Err(E::custom(
                        "a rating is a number from 0.0 to 11.9 with at most one decimal",
                    ));
                }
                let tenths = tenths as u32;
                Ok(Text(Some(format!("{}.{}", tenths / 10, tenths % 10))))
            }

            fn visit_str<E>(self, value: &str) -> Result<Text, E> {
                Ok(Text(Some(value.to_owned())))
            }

            /// The least and the most of a range.
            fn visit_seq<A: de::SeqAccess<'d>>(self, mut ends: A) -> Result<Text, A::Error> {
                match (
                    ends.next_element()?,
                    ends.next_element()?,
                    ends.next_element::<Text>()?,
                ) {
                    (Some(Text(Some(least))), Some(Text(Some(most))), None) => {
                        Ok(Text(Some(format!("{least}..{most}"))))
                    }
                    _ => Err(de::Error::custom("a range has a least and a most number")),
                }
            }

            fn visit_unit<E>(self) -> Result<Text, E> {
                Ok(Text(None))
            }
        }

        from.deserialize_any(Value)
    }
}
