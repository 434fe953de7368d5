//! Names of lists: neither capitals nor spaces, `-` and `_` matter, and the nearest name is told.

use std::{fmt::Debug, str::FromStr};
use sudoku_batch::{
    Engine, NameError,
    dataset::Equivalence,
    format::Form,
    puzzle::Symmetry,
    questions::Status,
    technique::{Difficulty, Technique},
};

/// All spellings of each name stand for it, and so for no other one.
fn spellings<T>(all: &[T], name: impl Fn(&T) -> &'static str)
where
    T: FromStr<Err = NameError> + PartialEq + Debug,
{
    for value in all {
        let name = name(value);
        let words = name.replace(['-', '_'], " ");
        for spelling in [
            name.to_owned(),
            name.to_uppercase(),
            words.replace(' ', ""),
            words.replace(' ', "-"),
            words.replace(' ', "_").to_uppercase(),
        ] {
            assert_eq!(&spelling.parse::<T>().unwrap(), value, "{spelling}");
        }
    }
}

#[test]
fn names_are_read_in_any_spelling() {
    spellings(Technique::ALL, |one| one.name());
    spellings(Difficulty::ALL, |one| one.name());
    spellings(Symmetry::ALL, |one| one.name());
    spellings(Equivalence::ALL, |one| one.name());
    spellings(Form::ALL, |one| one.name());
    spellings(Status::ALL, |one| one.name());
    spellings(Engine::ALL, |one| one.name());
}

/// One letter that is left out or doubled is near, and what shares no letter is not.
#[test]
fn the_nearest_name_is_told() {
    for technique in Technique::ALL {
        let name = technique.name();
        let twice = &name[..1];
        let wrong = format!("{twice}{name}{twice}");
        if name.len() < 5 {
            continue;
        }
        let error = wrong.parse::<Technique>().unwrap_err().to_string();
        assert_eq!(
            error,
            format!("no technique is called {wrong:?}; the nearest is {name}")
        );
    }
    let error = "zzzzzz".parse::<Technique>().unwrap_err().to_string();
    let all: Vec<_> = Technique::ALL.iter().map(|one| one.name()).collect();
    assert_eq!(
        error,
        format!(
            "no technique is called \"zzzzzz\"; one of: {}",
            all.join(", ")
        )
    );
}
