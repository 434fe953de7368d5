//! Enums whose values have names, such as `unique`, `scalar` or `gzip`: one list of the names
//! gives all that goes with them.

/// A name, or a text that stands for a value, that stands for nothing here: it is not known, this machine lacks what it
/// stands for, or it has to come with others.
///
/// ```
/// use sudoku_batch::Engine;
/// let error = "warp".parse::<Engine>().unwrap_err();
/// assert_eq!(error.to_string(), "no engine is called \"warp\"; one of: scalar, sliced");
/// let error = "scaler".parse::<Engine>().unwrap_err();
/// assert_eq!(error.to_string(), "no engine is called \"scaler\"; the nearest is scalar");
/// assert_eq!("Scalar".parse(), Ok(Engine::Scalar));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct NameError {
    /// The kind of thing that the name should be of, such as `engine`.
    pub kind: &'static str,
    /// The name or the text.
    pub name: String,
    message: String,
}

impl NameError {
    pub(crate) fn new(kind: &'static str, name: &str, message: String) -> Self {
        let name = name.into();
        Self {
            kind,
            name,
            message,
        }
    }
}

/// A name as it is compared: in lower case, without spaces, `-` and `_` after its first letter.
fn folded(name: &str) -> String {
    let letters = name.char_indices();
    // `-1` is not `1`.
    let letters = letters.filter(|(place, c)| *place == 0 || !matches!(c, ' ' | '-' | '_'));
    letters.flat_map(|(_, c)| c.to_lowercase()).collect()
}

/// The number of letters to put in, to leave out, to replace or to exchange with the next one until a text is
/// another.
fn distance(one: &str, other: &str) -> usize {
    let [one, other] = [one, other].map(|text| text.chars().collect::<Vec<_>>());
    let mut rows = vec![(0..=other.len()).collect::<Vec<_>>()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let differs = usize::from(one[i - 1] != other[j - 1]);
            let edits = [
                rows[i - 1][j] + 1,
                row[j - 1] + 1,
                rows[i - 1][j - 1] + differs,
            ];
            let mut least = edits.into_iter().min().expect("three ways");
            let are_exchanged =
                i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
            if are_exchanged {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// The one of some names that a misspelt name means: at most every third letter is wrong.
///
/// ```
/// use sudoku_batch::name::nearest;
/// assert_eq!(nearest(&["solve", "solutions"], "sovle"), Some("solve"));
/// assert_eq!(nearest(&["X-wing", "XY-wing"], "x wings"), Some("X-wing"));
/// assert_eq!(nearest(&["solve", "split"], "print"), None);
/// ```
#[doc(hidden)]
pub fn nearest<'n>(known: &[&'n str], name: &str) -> Option<&'n str> {
    let wanted = folded(name);
    let distances = known
        .iter()
        .map(|known| (distance(&folded(known), &wanted), *known));
    let (wrong, known) = distances.min_by_key(|(wrong, _)| *wrong)?;
    (wrong <= wanted.chars().count() / 3).then_some(known)
}

/// The place of a name in a list: neither capitals nor spaces, `-` and `_` matter. Without such a name those that begin
/// so, or else the nearest one, or else the list.
#[doc(hidden)]
pub fn place(known: &[&str], name: &str) -> Result<usize, String> {
    let wanted = folded(name);
    let found = known.iter().position(|known| folded(known) == wanted);
    found.ok_or_else(|| {
        let begins_so = |known: &&str| !wanted.is_empty() && folded(known).starts_with(&wanted);
        let longer = Vec::from_iter(known.iter().copied().filter(begins_so));
        match nearest(known, name) {
            _ if !longer.is_empty() => format!("one of: {}", longer.join(", ")),
            Some(nearest) => format!("the nearest is {nearest}"),
            None => format!("one of: {}", known.join(", ")),
        }
    })
}

/// The one of `all` with a name, as [`place`] compares names.
#[doc(hidden)]
pub fn find<T: Copy>(
    kind: &'static str,
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
    name: &str,
) -> Result<T, NameError> {
    let names = Vec::from_iter(all.iter().map(|one| name_of(*one)));
    find_place(kind, &names, name).map(|place| all[place])
}

/// [`find`] for all types: its code is there once.
fn find_place(kind: &'static str, names: &[&str], name: &str) -> Result<usize, NameError> {
    place(names, name).map_err(|advice| {
        let message = format!("no {kind} is called {name:?}; {advice}");
        NameError::new(kind, name, message)
    })
}

/// Declares an enum with a name for each value, and its `ALL`, `name`, `Display` and `FromStr`.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    (
        $(#[$of_type:meta])*
        pub enum $type:ident, a $kind:literal {
            $($(#[$of_value:meta])* $value:ident = $name:literal,)+
        }
    ) => {
        $(#[$of_type])*
        pub enum $type {
            $($(#[$of_value])* $value,)+
        }

        impl $type {
            /// All values, in order.
            pub const ALL: &'static [Self] = &[$(Self::$value,)+];

            /// The name, spelt the same in every option and output.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::name::NameError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $crate::name::find($kind, Self::ALL, Self::name, name)
            }
        }
    };
}

pub use named;

/// The names of a type with `ALL` and `name`.
macro_rules! names_of {
    ($named:ident) => {{
        const NAMES: [&str; $named::ALL.len()] = {
            let mut names = [""; $named::ALL.len()];
            let mut at = 0;
            while at < names.len() {
                names[at] = $named::ALL[at].name();
                at += 1;
            }
            names
        };
        &NAMES
    }};
    // With no meaning of any.
    ($named:ident, without_meaning) => {{
        const NAMES: [(&str, &str); $named::ALL.len()] = {
            let mut names = [("", ""); $named::ALL.len()];
            let mut at = 0;
            while at < names.len() {
                names[at].0 = $named::ALL[at].name();
                at += 1;
            }
            names
        };
        &NAMES
    }};
    // The same, with what a constant function says of each.
    ($named:ident, $about:ident) => {{
        const NAMES: [(&str, &str); $named::ALL.len()] = {
            let mut names = [("", ""); $named::ALL.len()];
            let mut at = 0;
            while at < names.len() {
                names[at] = ($named::ALL[at].name(), $named::ALL[at].$about());
                at += 1;
            }
            names
        };
        &NAMES
    }};
}

pub(crate) use names_of;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_edits() {
        for (one, other, edits) in [
            ("", "abc", 3),
            ("solve", "sovle", 1),
            ("kitten", "sitting", 3),
            ("xwings", "xwing", 1),
            ("ab", "ba", 1),
            ("same", "same", 0),
        ] {
            assert_eq!(distance(one, other), edits, "{one} {other}");
            assert_eq!(distance(other, one), edits, "{other} {one}");
        }
    }
}
