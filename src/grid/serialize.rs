//! Puzzles, grids and candidates as strings, for serde: 81 or 729 characters, as they are displayed and parsed. A
//! cell is its name, and a digit a number.

use super::{AnyPuzzle, Candidates, Cell, Grid, Puzzle};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Visitor},
};
use std::fmt;

/// A string, as it is displayed: `r5c8`.
impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

macro_rules! strings {
    ($($type:ident: $what:literal;)+) => { $(
        /// A string, as it is displayed.
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        /// Parsed from a string.
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;
                impl Visitor<'_> for Text {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($what)
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$type, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Text)
            }
        }
    )+ };
}

strings! {
    Puzzle: "a string of 81 cells";
    Grid: "a string of 81 digits";
    Candidates: "a string of 729 candidates or 81 cells";
    AnyPuzzle: "a string of 81 cells or 729 candidates";
}
