//! Options as JSON: an object of names and values. They become the texts that definitions read.

use super::failure::Failure;
use serde_json::Value;

/// Options: names with hyphens, and texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options(Vec<(String, String)>);

impl Options {
    /// Reads an object such as `{"up-to": 4.4, "grade": true}`. A name may have `_` for `-`. Values are true
    /// or false, numbers, texts, or two numbers for a range; `null` is not given. An empty text has no options.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let value: Value = serde_json::from_str(text)
            .map_err(|error| Failure::option(format_args!("the options are no JSON: {error}")))?;
        let Value::Object(members) = value else {
            return Err(Failure::option(
                "the options are no JSON object such as {\"limit\": 10}",
            ));
        };
        let mut options = Self::default();
        for (name, value) in members {
            let name = name.replace('_', "-");
            if options.get(&name).is_some() {
                return Err(Failure::option(format_args!("{name}: it is given twice")));
            }
            if let Some(text) = text_of(&name, &value)? {
                options.0.push((name, text));
            }
        }
        Ok(options)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, text)| &text[..])
    }

    /// Sets an option, whatever was given.
    pub(crate) fn set(&mut self, name: &str, text: &str) {
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.into(), text.into()));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (&name[..], &text[..]))
    }
}

/// The text of a value, if it is given.
fn text_of(name: &str, value: &Value) -> Result<Option<String>, Failure> {
    let wrong = || {
        Failure::option(format_args!(
            "{name}: true or false, a number, a text or two numbers are wanted"
        ))
    };
    Ok(Some(match value {
        Value::Null => return Ok(None),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(ends) => match &ends[..] {
            [Value::Number(first), Value::Number(last)] => format!("{first}..{last}"),
            _ => return Err(wrong()),
        },
        Value::Object(_) => return Err(wrong()),
    }))
}
