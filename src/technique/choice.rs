//! Sets of techniques: those that a rating leaves out.

use super::{Rating, Technique};
use crate::name::NameError;
use std::{fmt, str::FromStr};

/// A set of techniques.
///
/// Its text has their names with commas between. `uniqueness` stands for all that hold only in a puzzle
/// with one solution.
///
/// Some techniques are found by one search, which shows its best step alone: X-cycles, Y-cycles, X-chains,
/// XY-cycles and XY-chains; cell and house forcing chains. A set has all of these or none, for nobody knows which
/// steps the search would find without some of them.
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

impl Techniques {
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
        let mut set = Self::NONE;
        for name in text.split(',').map(str::trim) {
            if name.eq_ignore_ascii_case("uniqueness") {
                set.0 |= Self::UNIQUENESS.0;
            } else {
                let technique = name.parse().map_err(|wrong: NameError| {
                    let more = "`uniqueness` stands for all that rest on one solution";
                    NameError::new("technique", name, format!("{wrong}; {more}"))
                })?;
                set.0 |= Self::of(&[technique]).0;
            }
        }
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
