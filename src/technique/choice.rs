//! Sets of techniques: those that a rating leaves out, and those that a path is to have.

use super::{Rating, Technique};
use crate::name::{NameError, find};
use std::{fmt, str::FromStr};

/// A set of techniques.
///
/// Its text has their names with commas between. Some names stand for a family:
///
/// | family | techniques |
/// |---|---|
/// | `singles` | last cell, hidden single in a box, hidden single in a line, naked single |
/// | `hidden single` | the same without the naked single |
/// | `locked candidates` | pointing and claiming, and their direct variants |
/// | `unique rectangle`, `unique loop`, `BUG` | types 1 to 4 |
/// | `uniqueness` | all that hold only in a puzzle with one solution |
///
/// Some techniques are found by one search, which shows its best step alone: X-cycles, Y-cycles, X-chains,
/// XY-cycles and XY-chains; cell and house forcing chains. A set that is read for [`Steps::without`](super::Steps::without)
/// has all of these or none, for nobody knows which steps the search would find without some of them.
/// [`named`](Self::named) reads any set.
///
/// ```
/// use sudoku_batch::technique::{Rating, Technique, Techniques};
/// let set: Techniques = "X-wing, uniqueness".parse()?;
/// assert!(set.contains(Technique::XWing) && set.contains(Technique::Bug3));
/// assert_eq!((set.iter().count(), set.least()), (13, Some(Rating::from_tenths(32))));
/// let error = "X-cycle".parse::<Techniques>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`X-cycle` comes out of one search with others: name X-cycle, Y-cycle, X-chain, XY-cycle, XY-chain"
/// );
/// # Ok::<(), sudoku_batch::NameError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Techniques(u64);

/// The techniques that one search finds together, showing its best step alone.
const TOGETHER: [Techniques; 2] = {
    [
        Techniques::of(&[
            Technique::XCycle,
            Technique::YCycle,
            Technique::XChain,
            Technique::XyCycle,
            Technique::XyChain,
        ]),
        Techniques::of(&[Technique::CellChains, Technique::HouseChains]),
    ]
};

/// The names that stand for several techniques.
const FAMILIES: [(&str, Techniques); 7] = {
    [
        ("singles", Techniques::SINGLES),
        (
            "hidden single",
            Techniques::of(&[
                Technique::LastCell,
                Technique::HiddenSingleInBox,
                Technique::HiddenSingleInLine,
            ]),
        ),
        (
            "locked candidates",
            Techniques::of(&[
                Technique::DirectPointing,
                Technique::DirectClaiming,
                Technique::Pointing,
                Technique::Claiming,
            ]),
        ),
        (
            "unique rectangle",
            Techniques::of(&[
                Technique::UniqueRectangle1,
                Technique::UniqueRectangle2,
                Technique::UniqueRectangle3,
                Technique::UniqueRectangle4,
            ]),
        ),
        (
            "unique loop",
            Techniques::of(&[
                Technique::UniqueLoop1,
                Technique::UniqueLoop2,
                Technique::UniqueLoop3,
                Technique::UniqueLoop4,
            ]),
        ),
        (
            "BUG",
            Techniques::of(&[
                Technique::Bug1,
                Technique::Bug2,
                Technique::Bug3,
                Technique::Bug4,
            ]),
        ),
        ("uniqueness", Techniques::UNIQUENESS),
    ]
};

/// The techniques that place a digit at once where another only eliminates, and that other.
const DIRECT: [(Technique, Technique); 4] = [
    (Technique::DirectPointing, Technique::Pointing),
    (Technique::DirectClaiming, Technique::Claiming),
    (Technique::DirectHiddenPair, Technique::HiddenPair),
    (Technique::DirectHiddenTriplet, Technique::HiddenTriplet),
];

impl Techniques {
    /// The techniques that fill a cell with its only candidate, or a house with its only place of a digit.
    pub(crate) const SINGLES: Self = Self::of(&[
        Technique::LastCell,
        Technique::HiddenSingleInBox,
        Technique::HiddenSingleInLine,
        Technique::NakedSingle,
    ]);

    /// No technique.
    pub const NONE: Self = Self(0);

    /// All techniques that hold only in a puzzle with one solution:
    /// [`Technique::needs_one_solution`].
    pub const UNIQUENESS: Self = {
        let mut set = Self::NONE;
        let mut n = 0;
        while n < Technique::ALL.len() {
            if Technique::ALL[n].needs_one_solution() {
                set.0 |= 1 << n;
            }
            n += 1;
        }
        set
    };

    const fn of(techniques: &[Technique]) -> Self {
        let mut set = Self::NONE;
        let mut n = 0;
        while n < techniques.len() {
            set.0 |= 1 << techniques[n] as u32;
            n += 1;
        }
        set
    }

    /// Returns true if it has a technique.
    pub const fn contains(self, technique: Technique) -> bool {
        self.0 >> technique as u32 & 1 != 0
    }

    /// Returns true if it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The techniques, the easiest first.
    pub fn iter(self) -> impl Iterator<Item = Technique> {
        let all = Technique::ALL.iter().copied();
        all.filter(move |&technique| self.contains(technique))
    }

    /// The least rating that a step of one of them has.
    pub fn least(self) -> Option<Rating> {
        self.iter().map(Technique::rating).min()
    }

    /// The highest rating that a step of one of them may have. Up to 4.4 a technique has one rating.
    // For the command too.
    #[doc(hidden)]
    pub fn most(self) -> Option<Rating> {
        let most = self.iter().map(Technique::rating).max()?;
        Some(if most > Rating::IN_PLANES {
            Rating::HARDEST
        } else {
            most
        })
    }

    /// The techniques that both sets have.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The techniques that one of two sets has.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set with the direct variants of its techniques: a person who knows hidden pairs knows direct hidden pairs.
    pub(crate) fn with_direct(self) -> Self {
        let direct = DIRECT.iter().filter(|(_, plain)| self.contains(*plain));
        self.iter()
            .chain(direct.map(|(direct, _)| *direct))
            .collect()
    }

    /// Reads names of techniques and families with commas between. Any set will do, unlike with `parse`.
    ///
    /// ```
    /// use sudoku_batch::technique::{Technique, Techniques};
    /// let set = Techniques::named("hidden-single, x_wing")?;
    /// assert_eq!(set.to_string(), "last cell, hidden single in a box, hidden single in a line, X-wing");
    /// # Ok::<(), sudoku_batch::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A name is none of a technique or a family.
    pub fn named(text: &str) -> Result<Self, NameError> {
        let families: Vec<usize> = (0..FAMILIES.len()).collect();
        let mut set = Self::NONE;
        for name in text.split(',').map(str::trim) {
            set.0 |= match find("family", &families, |place| FAMILIES[place].0, name) {
                Ok(place) => FAMILIES[place].1.0,
                Err(_) => {
                    let technique = name.parse().map_err(|wrong: NameError| {
                        let names = FAMILIES.map(|(name, _)| name).join(", ");
                        let message = format!("{wrong}; names of families: {names}");
                        NameError::new("technique", name, message)
                    })?;
                    Self::of(&[technique]).0
                }
            };
        }
        Ok(set)
    }
}

impl FromIterator<Technique> for Techniques {
    fn from_iter<I: IntoIterator<Item = Technique>>(techniques: I) -> Self {
        let bits = techniques
            .into_iter()
            .map(|technique| 1 << technique as u32);
        Self(bits.fold(0, |set, bit: u64| set | bit))
    }
}

/// The names with commas between.
impl fmt::Display for Techniques {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, technique) in self.iter().enumerate() {
            write!(f, "{}{technique}", if n > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Techniques {
    type Err = NameError;

    /// Fails on a name that no technique has, and on a technique without the others of its search.
    fn from_str(text: &str) -> Result<Self, NameError> {
        let set = Self::named(text)?;
        for together in TOGETHER {
            let here = Self(set.0 & together.0);
            if let Some(technique) = here.iter().next().filter(|_| here != together) {
                let message =
                    format!("`{technique}` comes out of one search with others: name {together}");
                return Err(NameError::new("technique", technique.name(), message));
            }
        }
        Ok(set)
    }
}
