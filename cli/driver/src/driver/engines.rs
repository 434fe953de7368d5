//! Engines and levels by name, with the names that a shell completes.

use super::listed::ListedName;
use clap::builder::{PossibleValue, TypedValueParser};
use std::str::FromStr;
use sudoku_batch::{Engine, Level};

/// The things that a list names, each once: `None` stands for all that there are.
pub fn expand<T: Copy + PartialEq>(list: &[Option<T>], all: &[T]) -> Vec<T> {
    let mut expanded = Vec::new();
    for entry in list {
        for one in entry.as_ref().map_or(all, std::slice::from_ref) {
            if !expanded.contains(one) {
                expanded.push(*one);
            }
        }
    }
    expanded
}

/// The name that stands for all engines, or all levels.
pub const ALL: &str = "all";

fn engine_names() -> impl Iterator<Item = PossibleValue> {
    Engine::ALL.iter().map(|engine| engine.name().into())
}

/// The names of all levels, the best first, whether or not this CPU has them.
fn level_names() -> impl Iterator<Item = PossibleValue> {
    Level::ALL.iter().map(|level| level.name().into())
}

/// Reads the name of an engine, or `auto` for none in particular.
pub fn engine() -> ListedName {
    ListedName::of(engine_names().chain(["auto".into()]))
}

/// Reads the name of an engine, or [`ALL`] for `None`.
pub fn engines() -> impl TypedValueParser<Value = Option<Engine>> {
    let names = engine_names().chain([ALL.into()]);
    ListedName::of(names).map(|name| Engine::from_str(&name).ok())
}

/// Reads the name of a level that this CPU has.
pub fn level() -> impl TypedValueParser<Value = Level> {
    ListedName::of(level_names()).try_map(|name| name.parse().and_then(Level::check))
}

/// Reads the name of a level that this CPU has, or [`ALL`] for `None`.
pub fn levels() -> impl TypedValueParser<Value = Option<Level>> {
    let names = level_names().chain([ALL.into()]);
    ListedName::of(names).try_map(|name| match name.as_str() {
        ALL => Ok(None),
        name => name.parse().and_then(Level::check).map(Some),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_name_each_once() {
        let list = [Some(3), None, Some(1)];
        assert_eq!(expand(&list, &[1, 2, 3, 4]), [3, 1, 2, 4]);
        assert_eq!(expand(&list[..1], &[1, 2, 3, 4]), [3]);
    }
}
