//! The columns of a question as structs, from which the table of its [`Column`]s follows.
//!
//! [`columns!`] states each column once: its name, the [`kind`] of its values, its meaning, which is its comment, and the
//! setting that asks for it. `if te` and `unless search` name a field of the settings. Such a column is not always there,
//! so its kind is in an `Option`. `#[column(…)]` calls methods of [`Column`], such as `up_to(81)`. `= Column::STATUS` takes
//! a column that many questions have. One without a kind takes no values. An array of a kind is several columns, of a
//! list behind `=>`.
//!
//! ```text
//! columns! {
//!     /// The columns of [`COUNT`].
//!     struct CountColumns, CountRow for CountSettings {
//!         /// the number of solutions
//!         #[column(renamed())]
//!         solution_count: kind::Bounds,
//!         /// the time in seconds
//!         seconds if timed: Option<kind::Reals>,
//!         status = Column::STATUS,
//!     }
//! }
//!
//! becomes
//!
//! struct CountColumns {
//!     solution_count: Handle<kind::Bounds>,
//!     seconds: Option<Handle<kind::Reals>>,
//!     status: Handle<kind::OfRecord>,
//! }
//! impl Columns for CountColumns {
//!     const TABLE: &'static [Column] = &[
//!         Column::new("solution_count", Values::Bounds, "the number of solutions").renamed(),
//!         Column::new("seconds", Values::Reals, "the time in seconds").when("timed"),
//!         Column::STATUS,
//!     ];
//!     fn with(has: impl Fn(&str) -> bool) -> Self { … the places of the columns that are there, in order … }
//! }
//! struct CountRow<'v> {
//!     solution_count: Option<SolutionCount>,
//!     seconds: Option<Option<f64>>,
//! }
//! impl CountColumns {
//!     fn push(&self, answer: &mut Answer<'_>, record: usize, row: CountRow<'_>) { … each value to its column … }
//! }
//! ```
//!
//! So no question counts columns. A value that is forgotten, or that has another type, is an error of the compiler. The
//! value of a column that is not always there is guarded: `seconds: columns.seconds.map(|_| time())` does the work only if
//! somebody asks for it, and [`push`](Place::push) panics where a value and its column are not both there.
//!
//! The kind of a column is checked for each value. To check it once for each batch would borrow all columns at once, apart
//! from the statuses and counts of the answer. (It was not tried: the branch always goes the same way.)

use super::{Column, Data, NO_NAME, Puzzles, Settings, SolutionCount, Texts};
use crate::{
    format::Values,
    grid::{AnyPuzzle, CANDIDATES, CELLS},
    name::names_of,
    solve::NO_SOLUTION,
    technique::{Difficulty, Rating, Technique, TrialDepth},
    trace::Pairs,
};
use std::{fmt::Display, marker::PhantomData};

/// The kind of the values of a column, or of several columns that lie side by side.
pub(super) trait Kind {
    const VALUES: Values;

    /// The number of columns.
    const WIDTH: usize = 1;

    /// The values of a row.
    type Value<'v>;

    /// Adds the value of the next row.
    ///
    /// # Panics
    ///
    /// The columns are of another kind.
    fn push(columns: &mut [Data<'_>], value: Self::Value<'_>);
}

/// The place of a column in the answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle<K> {
    place: usize,
    kind: PhantomData<K>,
}

impl<K> From<Handle<K>> for usize {
    fn from(handle: Handle<K>) -> Self {
        handle.place
    }
}

/// The place of a column that may be missing.
pub(super) trait Place: Copy {
    type Value<'v>;

    /// The next place, if the column is there.
    fn next(next: &mut usize, is_there: bool) -> Self;

    /// Adds the value of a row to the columns of an answer.
    ///
    /// # Panics
    ///
    /// There is a value and no column for it, or a column and no value.
    fn push(self, columns: &mut [Data<'_>], value: Self::Value<'_>);
}

impl<K: Kind + Copy> Place for Handle<K> {
    type Value<'v> = K::Value<'v>;

    fn next(next: &mut usize, _: bool) -> Self {
        let place = *next;
        *next += K::WIDTH;
        Self {
            place,
            kind: PhantomData,
        }
    }

    #[inline]
    fn push(self, columns: &mut [Data<'_>], value: Self::Value<'_>) {
        K::push(&mut columns[self.place..][..K::WIDTH], value);
    }
}

impl<P: Place> Place for Option<P> {
    type Value<'v> = Option<P::Value<'v>>;

    fn next(next: &mut usize, is_there: bool) -> Self {
        is_there.then(|| P::next(next, true))
    }

    #[inline]
    fn push(self, columns: &mut [Data<'_>], value: Self::Value<'_>) {
        match (self, value) {
            (Some(place), Some(value)) => place.push(columns, value),
            (None, None) => {}
            (Some(_), None) => panic!("a column has no value"),
            (None, Some(_)) => panic!("a value has no column"),
        }
    }
}

/// A kind as [`columns!`] takes it: an `Option` is a column that may be missing.
pub(super) trait Declared {
    const VALUES: Values;
    const WIDTH: usize;
    const MAY_BE_MISSING: bool;
    type Place: Place;
}

impl<K: Kind + Copy> Declared for K {
    const VALUES: Values = K::VALUES;
    const WIDTH: usize = K::WIDTH;
    const MAY_BE_MISSING: bool = false;
    type Place = Handle<K>;
}

impl<K: Kind + Copy> Declared for Option<K> {
    const VALUES: Values = K::VALUES;
    const WIDTH: usize = K::WIDTH;
    const MAY_BE_MISSING: bool = true;
    type Place = Option<Handle<K>>;
}

/// The columns of a question: a struct that a macro declares.
pub(super) trait Columns: Copy {
    /// The table that interfaces list.
    const TABLE: &'static [Column];

    /// The places of the columns that are there if `has` returns true for the names of these settings.
    fn with(has: impl Fn(&str) -> bool) -> Self;

    /// The places of the columns that are there with these settings.
    fn of(settings: &impl Settings) -> Self {
        Self::with(|name| settings.has(name))
    }

    /// The places of columns that are always there.
    fn all() -> Self {
        Self::with(|_| true)
    }
}

/// The kinds of columns.
pub(super) mod kind {
    use super::*;

    macro_rules! kinds {
        ($($(#[$about:meta])* $kind:ident, $data:ident, $value:ty;)+) => {$(
            $(#[$about])*
            #[derive(Clone, Copy, Debug)]
            pub(in super::super) struct $kind;

            impl Kind for $kind {
                const VALUES: Values = Values::$kind;
                type Value<'v> = Option<$value>;

                #[inline]
                fn push(columns: &mut [Data<'_>], value: Option<$value>) {
                    match &mut columns[0] {
                        Data::$data(values) => values.push(value),
                        _ => another_kind(),
                    }
                }
            }
        )+};
    }

    kinds! {
        /// Whole numbers.
        Numbers, Numbers, u64;
        /// Numbers of solutions.
        Bounds, Bounds, SolutionCount;
        /// Ratings.
        Ratings, Ratings, Rating;
        /// Numbers with a fraction or an exponent.
        Reals, Reals, f64;
        /// Yes and no.
        Flags, Flags, bool;
        /// The order in which cells are filled.
        Pairs, Pairs, Box<super::Pairs>;
    }

    /// 81 cells, all of them digits.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Cells;

    impl Kind for Cells {
        const VALUES: Values = Values::Cells;
        type Value<'v> = Option<&'v [u8; CELLS]>;

        #[inline]
        fn push(columns: &mut [Data<'_>], cells: Self::Value<'_>) {
            let Data::Cells(lines) = &mut columns[0] else {
                another_kind()
            };
            let mut line = NO_SOLUTION;
            if let Some(cells) = cells {
                line[..CELLS].copy_from_slice(cells);
            }
            lines.push(line);
        }
    }

    /// Kinds whose columns take new values with their own `push`.
    macro_rules! kinds_of {
        ($new:ident in $data:ident: $($(#[$about:meta])* $kind:ident;)+) => {$(
            $(#[$about])*
            #[derive(Clone, Copy, Debug)]
            pub(in super::super) struct $kind;

            impl Kind for $kind {
                const VALUES: Values = Values::$kind;
                type Value<'v> = $new<'v>;

                #[inline]
                fn push(columns: &mut [Data<'_>], value: $new<'_>) {
                    match &mut columns[0] {
                        Data::$data(values) => value.push(values),
                        _ => another_kind(),
                    }
                }
            }
        )+};
    }

    kinds_of! {
        NewPuzzle in Puzzles:
        /// Puzzles of either kind.
        Puzzles;
        /// Puzzles that are given by candidates.
        Candidates;
    }

    kinds_of! {
        NewText in Texts:
        /// Text.
        Text;
        /// JSON.
        Json;
    }

    /// Names of a list.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Names<T>(PhantomData<T>);

    impl<T: Named> Kind for Names<T> {
        const VALUES: Values = Values::Names(T::NAMES);
        type Value<'v> = Option<T>;

        #[inline]
        fn push(columns: &mut [Data<'_>], value: Option<T>) {
            match &mut columns[0] {
                Data::Names(places) => places.push(value.map_or(NO_NAME, T::place)),
                _ => another_kind(),
            }
        }
    }

    /// The numbers of solutions that have each candidate, and their limit, which is the same for all rows. One above it
    /// says that there are more.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct CandidateCounts;

    impl Kind for CandidateCounts {
        const VALUES: Values = Values::CandidateCounts;
        type Value<'v> = (Option<&'v [i16; CANDIDATES]>, i16);

        #[inline]
        fn push(columns: &mut [Data<'_>], (counts, of_rows): Self::Value<'_>) {
            let Data::CandidateCounts { numbers, limit } = &mut columns[0] else {
                another_kind()
            };
            numbers.push(counts.copied().unwrap_or([-1; CANDIDATES]));
            *limit = of_rows;
        }
    }

    /// The record or its status says the value.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct OfRecord;

    impl Kind for OfRecord {
        const VALUES: Values = Values::Record;
        type Value<'v> = ();

        fn push(_: &mut [Data<'_>], (): ()) {}
    }

    /// A column for each place: a function gives their values.
    impl<K: Kind + 'static, const N: usize> Kind for [K; N] {
        const VALUES: Values = K::VALUES;
        const WIDTH: usize = N;
        type Value<'v> = &'v dyn Fn(usize) -> K::Value<'static>;

        #[inline]
        fn push(columns: &mut [Data<'_>], value: Self::Value<'_>) {
            for (place, column) in columns.chunks_mut(1).enumerate() {
                K::push(column, value(place));
            }
        }
    }

    #[cold]
    fn another_kind() -> ! {
        panic!("the column has another kind")
    }
}

/// A type whose values have the names of a column.
pub(super) trait Named: Copy {
    const NAMES: &'static [&'static str];

    /// The place of its name.
    fn place(self) -> u8;
}

macro_rules! named {
    ($($type:ident)+) => {$(
        impl Named for $type {
            const NAMES: &'static [&'static str] = names_of!($type);

            fn place(self) -> u8 {
                self as u8
            }
        }
    )+};
}

named!(Difficulty Technique TrialDepth);

/// The puzzle of a row.
#[derive(Clone, Copy)]
pub(super) enum NewPuzzle<'v> {
    /// There is none.
    Nothing,
    /// A puzzle of either kind, with this character for a blank.
    Of(&'v AnyPuzzle, u8),
    /// 81 cells.
    Cells(&'v [u8; CELLS]),
    /// The text of a record.
    Own(&'v [u8]),
}

impl<'v> NewPuzzle<'v> {
    /// A puzzle of either kind if it is there, with this character for a blank.
    pub(super) fn of(puzzle: Option<&'v AnyPuzzle>, blank: u8) -> Self {
        puzzle.map_or(Self::Nothing, |puzzle| Self::Of(puzzle, blank))
    }

    #[inline]
    fn push(self, puzzles: &mut Puzzles) {
        match self {
            Self::Nothing => puzzles.push_nothing(),
            Self::Of(puzzle, blank) => puzzles.push_puzzle(puzzle, blank),
            Self::Cells(cells) => puzzles.push_cells(cells),
            Self::Own(text) => puzzles.push_own(text),
        }
    }
}

/// The text of a row.
#[derive(Clone, Copy)]
pub(super) enum NewText<'v> {
    /// There is none.
    Nothing,
    /// It is written already.
    Bytes(&'v [u8]),
    /// It is that of a value.
    Shown(&'v dyn Display),
}

impl<'v> NewText<'v> {
    /// The text of a value that may be missing.
    pub(super) fn shown<T: Display>(value: Option<&'v T>) -> Self {
        value.map_or(Self::Nothing, |value| Self::Shown(value))
    }

    #[inline]
    fn push(self, texts: &mut Texts) {
        match self {
            Self::Nothing => texts.push_nothing(),
            Self::Bytes(text) => texts.push(text),
            Self::Shown(value) => texts.push_shown(value),
        }
    }
}

impl<'v, T: AsRef<[u8]> + ?Sized> From<&'v T> for NewText<'v> {
    fn from(text: &'v T) -> Self {
        Self::Bytes(text.as_ref())
    }
}

/// Columns that one line of [`columns!`] declares.
pub(super) struct Part {
    pub(super) columns: &'static [Column],
    /// The kind of their values, but for columns that take none.
    pub(super) values: Option<Values>,
    pub(super) width: usize,
    pub(super) may_be_missing: bool,
    pub(super) when: Option<&'static str>,
    pub(super) unless: Option<&'static str>,
}

/// The number of all columns.
pub(super) const fn count(parts: &[Part]) -> usize {
    let (mut all, mut part) = (0, 0);
    while part < parts.len() {
        all += parts[part].columns.len();
        part += 1;
    }
    all
}

/// The columns of all parts, in order.
pub(super) const fn flat<const N: usize>(parts: &[Part]) -> [Column; N] {
    let mut columns = [Column::STATUS; N];
    let (mut at, mut part) = (0, 0);
    while part < parts.len() {
        let of_part = &parts[part];
        let has_condition = of_part.when.is_some() || of_part.unless.is_some();
        assert!(
            of_part.columns.len() == of_part.width,
            "a kind for each column"
        );
        assert!(
            of_part.may_be_missing == has_condition,
            "a kind with a condition is in an Option"
        );
        let mut n = 0;
        while n < of_part.columns.len() {
            columns[at] = of_part.columns[n];
            columns[at].when = of_part.when;
            columns[at].unless = of_part.unless;
            if let Some(values) = of_part.values {
                columns[at].values = values;
            }
            at += 1;
            n += 1;
        }
        part += 1;
    }
    columns
}

/// Declares the columns of a question: see the head of this file.
macro_rules! columns {
    (
        $(#[doc = $of_struct:expr])+
        struct $name:ident, $row:ident for $settings:ty {$(
            $(#[doc = $doc:expr])*
            $(#[column($($method:ident($($argument:expr),*)),+)])?
            $column:ident $(if $when:ident)? $(unless $unless:ident)? $(: $kind:ty)? $(= $one:expr)? $(=> $several:expr)?,
        )+}
    ) => {
        $(#[doc = $of_struct])+
        #[derive(Clone, Copy, Debug)]
        #[allow(dead_code, reason = "nobody reads some of the columns")]
        struct $name {$(
            $(#[doc = $doc])*
            $column: <$crate::questions::columns::columns!(@kind $($kind)?)
                as $crate::questions::columns::Declared>::Place,
        )+}

        /// A row: the value of each column that takes one.
        #[allow(dead_code, reason = "some questions fill all rows at once")]
        struct $row<'v> {$($(
            $column: <<$kind as $crate::questions::columns::Declared>::Place
                as $crate::questions::columns::Place>::Value<'v>,
        )?)+}

        impl $crate::questions::columns::Columns for $name {
            const TABLE: &'static [$crate::questions::Column] = {
                use $crate::questions::columns::{self as here, Declared, Part, count, flat};
                const PARTS: &[Part] = &[$(Part {
                    columns: here::columns!(
                        @part $column [$($doc)*] [$($(.$method($($argument),*))+)?] [$($one)?] [$($several)?]
                    ),
                    values: here::columns!(@values $($kind)?),
                    width: <here::columns!(@kind $($kind)?) as Declared>::WIDTH,
                    may_be_missing: <here::columns!(@kind $($kind)?) as Declared>::MAY_BE_MISSING,
                    when: here::columns!(@setting $($when)?),
                    unless: here::columns!(@setting $($unless)?),
                }),+];
                &flat::<{ count(PARTS) }>(PARTS)
            };

            fn with(has: impl Fn(&str) -> bool) -> Self {
                use $crate::questions::columns::{self as here, Declared, Place};
                let (mut next, _) = (0, &has);
                // Each setting is a field of the settings.
                let _ = |_settings: &$settings| {
                    $($(_ = &_settings.$when;)? $(_ = &_settings.$unless;)?)+
                };
                Self {$(
                    $column: {
                        let conditions: &[bool] = &[
                            $(has(here::columns!(@name $when)),)?
                            $(!has(here::columns!(@name $unless)),)?
                        ];
                        let is_there = !conditions.contains(&false);
                        <<here::columns!(@kind $($kind)?) as Declared>::Place as Place>::next(&mut next, is_there)
                    },
                )+}
            }
        }

        impl $name {
            /// Adds a row of a record.
            #[allow(dead_code, reason = "some questions fill all rows at once")]
            #[inline]
            fn push(&self, answer: &mut $crate::questions::Answer<'_>, record: usize, row: $row<'_>) {
                let columns = answer.add_row(record);
                $($(<<$kind as $crate::questions::columns::Declared>::Place
                    as $crate::questions::columns::Place>::push(self.$column, columns, row.$column);)?)+
            }
        }
    };
    (@kind) => { $crate::questions::columns::kind::OfRecord };
    (@kind $kind:ty) => { $kind };
    (@part $column:ident [$($doc:expr)+] [$($methods:tt)*] [] []) => {{
        use $crate::{format::Values, questions::{Column, settings::Help}};
        const LINES: &str = concat!($($doc, "\n"),+);
        const HELP: &Help<{ LINES.len() }> = &Help::of(LINES);
        &[Column::new(stringify!($column), Values::Text, HELP.about()) $($methods)*]
    }};
    (@part $column:ident [] [$($methods:tt)*] [$one:expr] []) => { &[$one $($methods)*] };
    (@part $column:ident [$($doc:expr)*] [] [] [$several:expr]) => { &$several };
    (@values) => { None };
    (@values $kind:ty) => { Some(<$kind as $crate::questions::columns::Declared>::VALUES) };
    (@setting) => { None };
    (@setting $setting:ident) => { Some($crate::questions::columns::columns!(@name $setting)) };
    (@name $setting:ident) => {{
        use $crate::questions::settings::{hyphened, text};
        const NAME: &[u8; stringify!($setting).len()] = &hyphened(stringify!($setting));
        text(NAME)
    }};
}

pub(super) use columns;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::questions::{
        Answer,
        settings::{Settings, settings},
    };

    settings! {
        /// Settings of a question that nobody asks.
        #[expect(unreachable_pub, reason = "the settings of questions are public")]
        pub struct Example {
            /// Measure the time.
            pub is_timed: bool,
            /// Leave the words out.
            pub brief: bool,
        }
    }

    const OF_DIGITS: [Column; 2] = [
        Column::new("digit_1", Values::Text, "the number of digits 1").up_to(9),
        Column::new("digit_2", Values::Text, "the number of digits 2").up_to(9),
    ];

    columns! {
        /// The columns of a question that nobody asks.
        struct ExampleColumns, ExampleRow for Example {
            /// the number of solutions,
            /// or more
            #[column(renamed(), not_in_lines())]
            solution_count: kind::Bounds,
            /// the time in seconds
            seconds if is_timed: Option<kind::Reals>,
            status = Column::STATUS,
            /// the numbers of digits
            digits: [kind::Numbers; 2] => OF_DIGITS,
            /// the answer in words
            words if is_timed unless brief: Option<kind::Text>,
            hardest: kind::Names<Technique> = Column::new("technique", Values::Text, "the technique"),
        }
    }

    /// The table is the one that the head of this file shows, written by hand.
    #[test]
    fn columns_are_a_table() {
        let names = Values::Names(names_of!(Technique));
        let by_hand = [
            Column::new(
                "solution_count",
                Values::Bounds,
                "the number of solutions, or more",
            )
            .renamed()
            .not_in_lines(),
            Column::new("seconds", Values::Reals, "the time in seconds").when("is-timed"),
            Column::STATUS,
            Column::new("digit_1", Values::Numbers, "the number of digits 1").up_to(9),
            Column::new("digit_2", Values::Numbers, "the number of digits 2").up_to(9),
            Column::new("words", Values::Text, "the answer in words")
                .when("is-timed")
                .unless("brief"),
            Column::new("technique", names, "the technique"),
        ];
        assert_eq!(
            format!("{:?}", ExampleColumns::TABLE),
            format!("{by_hand:?}")
        );
    }

    /// The answer to one row, with the columns of some settings.
    fn answer(
        settings: &Example,
        row: impl FnOnce(&ExampleColumns) -> ExampleRow<'static>,
    ) -> String {
        let has = |name: Option<&str>| name.map(|name| settings.has(name));
        let is_there =
            |column: &&Column| has(column.when) != Some(false) && has(column.unless) != Some(true);
        let columns = ExampleColumns::of(settings);
        let mut answer = Answer::of(ExampleColumns::TABLE.iter().filter(is_there));
        answer.begin(1);
        columns.push(&mut answer, 0, row(&columns));
        answer.check();
        let mut texts = String::new();
        for column in 0..answer.kinds().len() {
            let mut text = Vec::new();
            if answer.kinds()[column] != Values::Status {
                answer.push_text(0, 0, column, &mut text);
            }
            texts += &format!("{} ", str::from_utf8(&text).unwrap());
        }
        texts
    }

    fn row(columns: &ExampleColumns) -> ExampleRow<'static> {
        ExampleRow {
            solution_count: None,
            seconds: columns.seconds.map(|_| Some(0.5)),
            digits: &|place| Some(place as u64 + 7),
            words: columns.words.map(|_| NewText::Bytes(b"word")),
            hardest: Some(Technique::LastCell),
        }
    }

    #[test]
    fn values_go_to_the_columns_that_are_there() {
        let settings = |is_timed, brief| Example { is_timed, brief };
        let hardest = Technique::LastCell.name();
        for (settings, expected) in [
            (settings(false, false), format!("  7 8 {hardest} ")),
            (settings(true, false), format!(" 0.5  7 8 word {hardest} ")),
            (settings(true, true), format!(" 0.5  7 8 {hardest} ")),
            (settings(false, true), format!("  7 8 {hardest} ")),
        ] {
            assert_eq!(answer(&settings, row), expected, "{settings:?}");
        }
    }

    #[test]
    #[should_panic(expected = "a value has no column")]
    fn a_value_of_a_missing_column_is_found() {
        answer(&Example::default(), |columns| ExampleRow {
            seconds: Some(None),
            ..row(columns)
        });
    }

    #[test]
    #[should_panic(expected = "a column has no value")]
    fn a_missing_value_of_a_column_is_found() {
        let settings = Example {
            is_timed: true,
            brief: true,
        };
        answer(&settings, |columns| ExampleRow {
            seconds: None,
            ..row(columns)
        });
    }
}
