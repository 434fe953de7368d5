//! Difficulties and their names.

use super::Rating;
use crate::name::named;
use std::ops::RangeInclusive;

named! {
    /// How hard a puzzle is for a person: a word for a range of ER.
    ///
    /// | word | ER | what the hardest step takes |
    /// |---|---|---|
    /// | `easy` | up to 1.5 | a hidden single |
    /// | `medium` | 1.7 to 2.5 | a naked single, or a hidden single behind locked candidates or a hidden set |
    /// | `hard` | 2.6 to 3.4 | locked candidates, a pair or an X-wing |
    /// | `expert` | 3.6 to 4.4 | a triplet, a swordfish, an XY-wing or an XYZ-wing |
    /// | `extreme` | above 4.4 | more than that |
    ///
    /// ```
    /// use sudoku_batch::technique::{Difficulty, Rating};
    /// assert_eq!(Difficulty::of(Some(Rating::from_tenths(26))), Difficulty::Hard);
    /// assert_eq!(Difficulty::of(None), Difficulty::Extreme);
    /// assert_eq!("hard".parse(), Ok(Difficulty::Hard));
    /// assert_eq!(Difficulty::Hard.to_string(), "hard");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Difficulty, a "difficulty" {
        /// Up to 1.5.
        Easy = "easy",
        /// 1.7 to 2.5.
        Medium = "medium",
        /// 2.6 to 3.4.
        Hard = "hard",
        /// 3.6 to 4.4.
        Expert = "expert",
        /// More than 4.4.
        Extreme = "extreme",
    }
}

impl Difficulty {
    /// The difficulty of a puzzle with this ER. `None` is an ER above 4.4 that is not known.
    pub fn of(er: Option<Rating>) -> Self {
        let fits = |difficulty: &Self| er.is_some_and(|er| er <= *difficulty.ratings().end());
        Self::ALL
            .iter()
            .copied()
            .find(fits)
            .unwrap_or(Self::Extreme)
    }

    /// The ER of its puzzles. Extreme puzzles have 4.5 to 11.9, the top of the scale.
    pub const fn ratings(self) -> RangeInclusive<Rating> {
        let (first, last) = match self {
            Self::Easy => (0, 15),
            Self::Medium => (16, 25),
            Self::Hard => (26, 34),
            Self::Expert => (35, 44),
            Self::Extreme => (45, 119),
        };
        Rating(first)..=Rating(last)
    }

    /// The range of ER in words: `ER 1.7 to 2.5`.
    pub const fn range(self) -> &'static str {
        match self {
            Self::Easy => "ER up to 1.5",
            Self::Medium => "ER 1.7 to 2.5",
            Self::Hard => "ER 2.6 to 3.4",
            Self::Expert => "ER 3.6 to 4.4",
            Self::Extreme => "ER above 4.4",
        }
    }
}
