//! Names of a list on the command line: read as names are read everywhere, shown and completed as clap does it.

use clap::{
    Arg, Command,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    error::Error,
};
use std::ffi::OsStr;
use sudoku_batch::name::place;

/// Reads one of some names, and gives it as the list spells it: neither capitals nor spaces, `-` and `_` matter.
#[derive(Clone, Debug)]
pub struct ListedName(PossibleValuesParser);

impl ListedName {
    /// One of these.
    pub fn of(names: impl IntoIterator<Item = impl Into<PossibleValue>>) -> Self {
        Self(PossibleValuesParser::new(names.into_iter().map(Into::into)))
    }
}

impl TypedValueParser for ListedName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        let known = Vec::from_iter(self.0.possible_values().into_iter().flatten());
        let names = Vec::from_iter(known.iter().map(PossibleValue::get_name));
        let found = value.to_str().and_then(|text| place(&names, text).ok());
        match found {
            Some(place) => Ok(known[place].get_name().to_owned()),
            None => self.0.parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}
