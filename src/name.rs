//! Enums whose values have names, such as `unique`, `scalar` or `gzip`: one list of the names
//! gives all that goes with them.

/// A name, or a text that stands for a value, that stands for nothing here: it is not known, this machine lacks what it
/// stands for, or it has to come with others.
///
/// ```
/// use sudoku_batch::Engine;
/// let error = "warp".parse::<Engine>().unwrap_err();
/// assert_eq!(error.to_string(), "no engine is called \"warp\"; there is: scalar, sliced");
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

/// The one of `all` with a name, in capitals or not.
#[doc(hidden)]
pub fn find<T: Copy>(
    kind: &'static str,
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
    name: &str,
) -> Result<T, NameError> {
    let found = all
        .iter()
        .copied()
        .find(|one| name_of(*one).eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let known: Vec<_> = all.iter().map(|one| name_of(*one)).collect();
        let known = known.join(", ");
        let message = format!("no {kind} is called {name:?}; there is: {known}");
        NameError::new(kind, name, message)
    })
}

/// Declares an enum with a name for each value, and its `ALL`, `name`, `Display` and `FromStr`.
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
