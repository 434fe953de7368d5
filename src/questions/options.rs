//! JSON for bindings: options that come as an object, those of C and of JavaScript, and definitions as C and Python list
//! them.

use super::{Audience, Definition, SettingError, grammar::number, setting::spelled};
use serde_json::{Value, json};

impl<Make> Definition<Make> {
    /// The facts about it that programs list: its name and its meaning, the options that calls can set, and the columns that they can
    /// get, each with the setting that asks for it or leaves it out.
    ///
    /// ```
    /// use sudoku_batch::questions::CANONICAL;
    /// let about = CANONICAL.to_json();
    /// assert_eq!(about["name"], "canonical");
    /// assert_eq!(about["columns"][0]["name"], "canonical");
    /// assert!(about["options"].as_array().is_some_and(|options| !options.is_empty()));
    /// ```
    pub fn to_json(&'static self) -> Value {
        let options = self.settings.iter();
        let options = options.filter(|setting| setting.is_for_calls());
        let options = options.map(|setting| {
            let (kind, least) = setting.kind.word();
            json!({
                "name": setting.name,
                "kind": kind,
                "least": least,
                "usual": setting.usual,
                "about": of_object(setting.about),
                "details": of_object(setting.details),
                "excludes": setting.excludes,
            })
        });
        let is_written = |name| {
            let setting = self.setting(name);
            setting.is_ok_and(|setting| setting.audience == Audience::Written)
        };
        let columns = self.columns.iter();
        let columns = columns.filter(|column| !column.when.is_some_and(is_written));
        let columns = columns.map(|column| {
            json!({
                "name": column.name,
                "about": of_object(column.about),
                "when": column.when.or(column.unless),
            })
        });
        json!({
            "name": self.name,
            "about": of_object(self.about),
            "details": of_object(self.details),
            "options": options.collect::<Vec<_>>(),
            "columns": columns.collect::<Vec<_>>(),
        })
    }
}

/// A text of help for whoever gives settings as an object: names are as they stand there.
fn of_object(text: &str) -> String {
    spelled(text, str::to_owned)
}

/// Options by their names, as the texts that definitions read: `{"maxWork": 7}` is `max-work` and `7`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options(Vec<(String, String)>);

impl Options {
    /// Reads an object such as `{"up-to": 4.4, "difficulty": true}`. A name may have `_` for `-`, or capital letters.
    /// Values are true or false, numbers, texts, or two numbers for a range, one of which may be `null` for an open end.
    /// `null` alone is not given. An empty text has no options.
    ///
    /// # Errors
    ///
    /// The text is no such object, or names an option twice.
    pub fn parse(text: &str) -> Result<Self, SettingError> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let value: Value = serde_json::from_str(text).map_err(|error| {
            SettingError::of_several(format!("the options are no JSON: {error}"))
        })?;
        let Value::Object(members) = value else {
            let message = "the options are no JSON object such as {\"limit\": 10}";
            return Err(SettingError::of_several(message.into()));
        };
        let mut options = Self::default();
        for (name, value) in members {
            let name = hyphened(&name);
            let wrong = |message: &str| SettingError {
                setting: name.clone(),
                message: message.into(),
            };
            if options.get(&name).is_some() {
                return Err(wrong("it is given twice"));
            }
            if value.is_null() {
                continue;
            }
            let text = text_of(&value).map_err(wrong)?;
            options.0.push((name, text));
        }
        Ok(options)
    }

    /// The text of an option.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, text)| &text[..])
    }

    /// Takes an option out.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let place = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(place).1)
    }

    /// Takes a whole number out.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn take_number(&mut self, name: &str) -> Result<Option<u64>, SettingError> {
        let number = self.take(name).map(|text| number(&text)).transpose();
        number.map_err(|wrong| SettingError {
            setting: name.into(),
            message: wrong.to_string(),
        })
    }

    /// Takes a flag out. Returns true if it is set.
    ///
    /// # Errors
    ///
    /// It is neither true nor false.
    pub fn take_flag(&mut self, name: &str) -> Result<bool, SettingError> {
        match self.take(name).as_deref() {
            Some("true") => Ok(true),
            None | Some("false") => Ok(false),
            Some(_) => Err(SettingError {
                setting: name.into(),
                message: "true or false is wanted".into(),
            }),
        }
    }

    /// Sets an option, whatever was given.
    pub fn set(&mut self, name: &str, text: &str) {
        self.take(name);
        self.0.push((name.into(), text.into()));
    }

    /// The names and texts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (&name[..], &text[..]))
    }
}

/// A name with hyphens: `maxWork`, `max_work` and `MAX_WORK` are `max-work`.
fn hyphened(name: &str) -> String {
    let mut hyphened = String::new();
    let mut was_lowercase = false;
    for c in name.chars() {
        // A capital letter begins a word where the one before is none.
        if was_lowercase && c.is_ascii_uppercase() {
            hyphened.push('-');
        }
        was_lowercase = c.is_ascii_lowercase();
        hyphened.push(if c == '_' {
            '-'
        } else {
            c.to_ascii_lowercase()
        });
    }
    hyphened
}

/// The text of a value, or what is wrong with it.
fn text_of(value: &Value) -> Result<String, &'static str> {
    let wanted = "true or false, a number, a text or two numbers are wanted";
    Ok(match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.to_string(),
            (None, Some(number)) => number.to_string(),
            (None, None) => {
                let number = number.as_f64().and_then(decimal);
                number.ok_or("the number is out of range")?
            }
        },
        Value::String(text) => text.clone(),
        Value::Array(ends) => match &ends[..] {
            [
                first @ (Value::Number(_) | Value::Null),
                last @ (Value::Number(_) | Value::Null),
            ] => {
                let end = |value: &Value| match value {
                    Value::Null => Ok(String::new()),
                    number => text_of(number),
                };
                format!("{}..{}", end(first)?, end(last)?)
            }
            _ => return Err(wanted),
        },
        Value::Null | Value::Object(_) => return Err(wanted),
    })
}

/// A number with up to nine digits after its point: what a sum has beyond them is no part of it. Text of floating
/// point would be 20 kB of the WebAssembly.
fn decimal(number: f64) -> Option<String> {
    const ONE: u64 = 1_000_000_000;
    let parts = (number.abs() * ONE as f64).round();
    let parts = (parts < 1e18).then_some(parts as u64)?;
    let sign = if number < 0.0 { "-" } else { "" };
    let text = format!("{sign}{}.{:09}", parts / ONE, parts % ONE);
    Some(text.trim_end_matches('0').trim_end_matches('.').into())
}
