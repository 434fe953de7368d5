//! Engines and levels by name, with the names that a shell completes.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::str::FromStr;
use sudoku_batch::{Engine, Level};

/// Some things of a kind, or all.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OneOrAll<T> {
    /// One of them.
    One(T),
    /// All that there are.
    All,
}

impl<T: Copy> OneOrAll<T> {
    /// Those that a list names, each once.
    pub(crate) fn expand(list: &[Self], all: impl Iterator<Item = T> + Clone) -> Vec<T>
    where
        T: PartialEq,
    {
        let mut expanded = Vec::new();
        for entry in list {
            let ones = match entry {
                Self::One(one) => vec![*one],
                Self::All => all.clone().collect(),
            };
            for one in ones {
                if !expanded.contains(&one) {
                    expanded.push(one);
                }
            }
        }
        expanded
    }
}

/// What stands for all engines, or all levels.
pub(crate) const ALL: &str = "all";

fn engine_names() -> impl Iterator<Item = PossibleValue> {
    Engine::ALL.iter().map(|engine| engine.name().into())
}

/// The names of all levels, the best first, whether or not this CPU has them.
const LEVELS: [&str; 4] = ["avx512", "avx2", "neon", "portable"];

/// Reads the name of an engine, or `auto` for none in particular.
pub(crate) fn engine() -> PossibleValuesParser {
    PossibleValuesParser::new(engine_names().chain(["auto".into()]))
}

/// Reads the name of an engine or [`ALL`].
pub(crate) fn engines() -> impl TypedValueParser<Value = OneOrAll<Engine>> {
    let names = engine_names().chain([ALL.into()]);
    PossibleValuesParser::new(names)
        .map(|name| Engine::from_str(&name).map_or(OneOrAll::All, OneOrAll::One))
}

/// Reads the name of a level that this CPU has.
pub(crate) fn level() -> impl TypedValueParser<Value = Level> {
    PossibleValuesParser::new(LEVELS).try_map(|name| name.parse().and_then(Level::check))
}

/// Reads the name of a level that this CPU has, or [`ALL`].
pub(crate) fn levels() -> impl TypedValueParser<Value = OneOrAll<Level>> {
    let names = LEVELS.into_iter().chain([ALL]);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        ALL => Ok(OneOrAll::All),
        name => name.parse().and_then(Level::check).map(OneOrAll::One),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_its_name() {
        for level in Level::available() {
            assert!(LEVELS.contains(&level.name()));
        }
    }

    #[test]
    fn lists_name_each_once() {
        let list = [OneOrAll::One(3), OneOrAll::All, OneOrAll::One(1)];
        assert_eq!(OneOrAll::expand(&list, 1..=4), [3, 1, 2, 4]);
        assert_eq!(OneOrAll::expand(&list[..1], 1..=4), [3]);
    }
}
