//! Human techniques: the steps by which a person solves a puzzle, and how hard they are.
//!
//! Books, apps and data sets grade puzzles by the techniques that they need. The best-known
//! scale is that of the program Sudoku Explainer 1.2.1 by Nicolas Juillerat: each technique
//! has a number, from 1.0 for the last cell of a house up to 11.9. This module knows its
//! techniques up to 4.4, see [`Technique`].
//!
//! [`Position::next_step`] finds the easiest step of a position. A [`Step`] knows its cells
//! and digits, and says in words why it holds. [`steps`] solves a puzzle by such steps as
//! far as they go:
//!
//! ```
//! use sudoku_batch::{Puzzle, technique};
//! let puzzle: Puzzle =
//!     "8.6.3......1..2.........8...3.4...........1..2...........5...6.1...8.....4.......".parse()?;
//! for step in technique::steps(&puzzle) {
//!     println!("{} {}: {step}", step.rating(), step.technique);
//! }
//! # Ok::<(), sudoku_batch::ParseError>(())
//! ```
//!
//! Three numbers rate a puzzle ([`Ratings`]): *ER*, the rating of the hardest step when the
//! easiest step is always taken first; *EP*, that of the hardest step up to the first
//! placement; *ED*, that of the first step.
//!
//! # One file a technique
//!
//! Each technique has a module: its rule in words, a drawn example, the search for one
//! position, and the words of a step. Techniques that are the same search with another
//! number, such as naked pairs and naked triplets, share one. [`Technique`] lists them;
//! `ORDER` says in which order they are tried.

mod batch;
mod difficulty;
mod direct_hidden_set;
mod direct_locking;
mod fish;
mod hidden_set;
mod hidden_single;
mod lanes;
mod locking;
mod naked_set;
mod naked_single;
mod passes;
mod planes;
mod position;
mod progress;
mod rater;
mod subsets;
mod words;
mod xy_wing;
mod xyz_wing;

pub use difficulty::{Difficulty, DifficultyError};
pub use position::Position;
pub use rater::Rater;

use crate::{
    grid::{Cell, Digit, Digits, House, Puzzle},
    solve::{NotUnique, Solver, Strike},
};
use position::{Found, View};
use std::{fmt, ops::ControlFlow};

/// How hard a step or a puzzle is, on the scale of Sudoku Explainer.
///
/// ```
/// use sudoku_batch::technique::{Rating, Technique};
/// assert_eq!(Technique::XWing.rating(), Rating::from_tenths(32));
/// assert_eq!(Technique::XWing.rating().to_string(), "3.2");
/// assert_eq!("3.2".parse(), Ok(Rating::from_tenths(32)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rating(u8);

impl Rating {
    /// The rating of a puzzle without empty cells: 0.0.
    pub const NONE: Self = Self(0);

    /// The rating of the hardest technique that the program knows: 4.4.
    pub const HARDEST: Self = Self(44);

    /// The rating of this number of tenths: 32 for 3.2.
    pub const fn from_tenths(tenths: u8) -> Self {
        Self(tenths)
    }

    /// The rating in tenths: 32 for 3.2.
    pub const fn tenths(self) -> u8 {
        self.0
    }
}

/// A number with one decimal: `3.2`.
impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// A text that is no rating.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no rating: a rating is a number from 0.0 to 11.9 with at most one decimal")]
pub struct RatingError(String);

/// Reads `3.2` or `3`.
impl std::str::FromStr for Rating {
    type Err = RatingError;

    fn from_str(text: &str) -> Result<Self, RatingError> {
        let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str, most: usize| {
            let numeral = text.bytes().all(|c| c.is_ascii_digit());
            let number = (numeral && text.len() <= most).then(|| text.parse::<u8>());
            number.and_then(Result::ok)
        };
        let tenths = match (digits(whole, 2), digits(tenth, 1)) {
            (Some(whole), Some(tenth)) if whole < 12 => Some(10 * whole + tenth),
            _ => None,
        };
        tenths.map(Self).ok_or_else(|| RatingError(text.into()))
    }
}

/// A technique, with the name that players use and its rating.
///
/// | rating | technique |
/// |---|---|
/// | 1.0 | last cell of a house |
/// | 1.2, 1.5 | hidden single in a box, in a row or column |
/// | 1.7, 1.9 | direct pointing, direct claiming |
/// | 2.0 | direct hidden pair |
/// | 2.3 | naked single |
/// | 2.5 | direct hidden triplet |
/// | 2.6, 2.8 | pointing, claiming |
/// | 3.0, 3.2, 3.4 | naked pair, X-wing, hidden pair |
/// | 3.6, 3.8, 4.0 | naked triplet, swordfish, hidden triplet |
/// | 4.2, 4.4 | XY-wing, XYZ-wing |
///
/// A *direct* technique places a digit at once and strikes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Technique {
    /// A house has one empty cell.
    LastCell,
    /// A digit has one place in a box.
    HiddenSingleInBox,
    /// A digit has one place in a row or column.
    HiddenSingleInLine,
    /// A digit that is locked in a line of one box has one place left in another box.
    DirectPointing,
    /// A digit that is locked in a box by one line has one place left in another line.
    DirectClaiming,
    /// Two digits share two cells of a house, which leaves a third one place there.
    DirectHiddenPair,
    /// A cell has one candidate.
    NakedSingle,
    /// Three digits share three cells of a house, which leaves a fourth one place there.
    DirectHiddenTriplet,
    /// A digit has places in one line only of a box: the rest of the line loses it.
    Pointing,
    /// A digit has places in one box only of a line: the rest of the box loses it.
    Claiming,
    /// Two cells of a house share two candidates: the other cells lose them.
    NakedPair,
    /// A digit has its places in two lines in the same two crossing lines.
    XWing,
    /// Two digits share two cells of a house, which lose their other candidates.
    HiddenPair,
    /// Three cells of a house share three candidates: the other cells lose them.
    NakedTriplet,
    /// A digit has its places in three lines in the same three crossing lines.
    Swordfish,
    /// Three digits share three cells of a house, which lose their other candidates.
    HiddenTriplet,
    /// A cell with two candidates, and two peers with one of them and a third digit.
    XyWing,
    /// A cell with three candidates, and two peers that share two of them with it.
    XyzWing,
}

impl Technique {
    /// All techniques in the order in which they are tried, the easiest first.
    pub const ALL: &'static [Self] = &[
        Self::LastCell,
        Self::HiddenSingleInBox,
        Self::HiddenSingleInLine,
        Self::DirectPointing,
        Self::DirectClaiming,
        Self::DirectHiddenPair,
        Self::NakedSingle,
        Self::DirectHiddenTriplet,
        Self::Pointing,
        Self::Claiming,
        Self::NakedPair,
        Self::XWing,
        Self::HiddenPair,
        Self::NakedTriplet,
        Self::Swordfish,
        Self::HiddenTriplet,
        Self::XyWing,
        Self::XyzWing,
    ];

    /// Its name: `hidden single in a box`.
    pub const fn name(self) -> &'static str {
        self.name_and_tenths().0
    }

    /// Its rating.
    pub const fn rating(self) -> Rating {
        Rating(self.name_and_tenths().1)
    }

    const fn name_and_tenths(self) -> (&'static str, u8) {
        match self {
            Self::LastCell => ("last cell", 10),
            Self::HiddenSingleInBox => ("hidden single in a box", 12),
            Self::HiddenSingleInLine => ("hidden single in a line", 15),
            Self::DirectPointing => ("direct pointing", 17),
            Self::DirectClaiming => ("direct claiming", 19),
            Self::DirectHiddenPair => ("direct hidden pair", 20),
            Self::NakedSingle => ("naked single", 23),
            Self::DirectHiddenTriplet => ("direct hidden triplet", 25),
            Self::Pointing => ("pointing", 26),
            Self::Claiming => ("claiming", 28),
            Self::NakedPair => ("naked pair", 30),
            Self::XWing => ("X-wing", 32),
            Self::HiddenPair => ("hidden pair", 34),
            Self::NakedTriplet => ("naked triplet", 36),
            Self::Swordfish => ("swordfish", 38),
            Self::HiddenTriplet => ("hidden triplet", 40),
            Self::XyWing => ("XY-wing", 42),
            Self::XyzWing => ("XYZ-wing", 44),
        }
    }
}

/// Its name.
impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Looks for all steps of one or more techniques.
type Finder = fn(&View<'_>, &mut Found<'_>) -> ControlFlow<()>;

/// The searches, in the order of [`Technique::ALL`].
const ORDER: [Finder; 16] = [
    hidden_single::find,
    direct_locking::find_pointing,
    direct_locking::find_claiming,
    direct_hidden_set::find::<2>,
    naked_single::find,
    direct_hidden_set::find::<3>,
    locking::find_pointing,
    locking::find_claiming,
    naked_set::find::<2>,
    fish::find::<2>,
    hidden_set::find::<2>,
    naked_set::find::<3>,
    fish::find::<3>,
    hidden_set::find::<3>,
    xy_wing::find,
    xyz_wing::find,
];

/// A digit that goes into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The cell.
    pub cell: Cell,
    /// The digit.
    pub digit: Digit,
}

/// One step of a solution: it fills a cell or strikes candidates.
///
/// Its text says why: `In box 2, 7 fits only in r3c4.`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The technique.
    pub technique: Technique,
    /// The houses of the pattern. For pointing and claiming these are the house where the
    /// digit is locked and the one it is locked in, and the third house where a direct
    /// step places it. For an X-wing or swordfish they are the lines with the places, and
    /// then the lines that cross them. A naked single and a wing have none.
    pub houses: Vec<House>,
    /// The cells of the pattern. The first cell of a wing is the one that sees the others.
    pub cells: Vec<Cell>,
    /// The digits of the pattern.
    pub digits: Digits,
    /// The digit that it places, if it places one.
    pub place: Option<Placement>,
    /// The candidates that it strikes. A step that places a digit strikes none.
    pub strikes: Vec<Strike>,
}

impl Step {
    /// The rating of its technique.
    pub fn rating(&self) -> Rating {
        self.technique.rating()
    }
}

/// Why the step holds and what it does, in one or two sentences.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match self.technique {
            Technique::LastCell | Technique::HiddenSingleInBox | Technique::HiddenSingleInLine => {
                hidden_single::words(self)
            }
            Technique::DirectPointing | Technique::DirectClaiming => direct_locking::words(self),
            Technique::DirectHiddenPair | Technique::DirectHiddenTriplet => {
                direct_hidden_set::words(self)
            }
            Technique::NakedSingle => naked_single::words(self),
            Technique::Pointing | Technique::Claiming => locking::words(self),
            Technique::NakedPair | Technique::NakedTriplet => naked_set::words(self),
            Technique::HiddenPair | Technique::HiddenTriplet => hidden_set::words(self),
            Technique::XWing | Technique::Swordfish => fish::words(self),
            Technique::XyWing => xy_wing::words(self),
            Technique::XyzWing => xyz_wing::words(self),
        })
    }
}

/// The steps that solve a puzzle, the easiest first each time. See [`steps`].
#[derive(Clone, Debug)]
pub struct Steps {
    position: Position,
}

impl Steps {
    /// How far the steps so far have led.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

/// The steps from a position on.
impl From<Position> for Steps {
    fn from(position: Position) -> Self {
        Self { position }
    }
}

impl Iterator for Steps {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let step = self.position.next_step()?;
        self.position.apply(&step);
        Some(step)
    }
}

/// Solves a puzzle step by step, as far as the techniques go.
///
/// The puzzle should have one solution. The steps of one with several or none show no
/// contradiction; they just end.
///
/// ```
/// use sudoku_batch::{Puzzle, technique::{self, Technique}};
/// let puzzle: Puzzle =
///     "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.".parse()?;
/// let mut steps = technique::steps(&puzzle);
/// let first = steps.next().unwrap();
/// assert_eq!(first.to_string(), "In box 1, 7 fits only in r1c1.");
/// assert_eq!(steps.by_ref().map(|step| step.rating()).max(), Some(Technique::Pointing.rating()));
/// assert!(steps.position().is_solved());
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
pub fn steps(puzzle: &Puzzle) -> Steps {
    Position::of(puzzle).into()
}

/// ER, EP and ED of a puzzle. `None` stands for more than [`Rating::HARDEST`].
///
/// ```
/// use sudoku_batch::technique::{Rating, Ratings};
/// let easy = Some(Rating::from_tenths(12));
/// let ratings = Ratings { er: None, ep: easy, ed: easy };
/// assert_eq!(ratings.to_string(), ">4.4/1.2/1.2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratings {
    /// The rating of the hardest step, when the easiest step is always taken first.
    pub er: Option<Rating>,
    /// The rating of the hardest step up to the first that places a digit.
    pub ep: Option<Rating>,
    /// The rating of the first step.
    pub ed: Option<Rating>,
}

/// `ER/EP/ED`, with `>4.4` for a number that is not known.
impl fmt::Display for Ratings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (separator, rating) in [("", self.er), ("/", self.ep), ("/", self.ed)] {
            f.write_str(separator)?;
            match rating {
                Some(rating) => rating.fmt(f)?,
                None => write!(f, ">{}", Rating::HARDEST)?,
            }
        }
        Ok(())
    }
}

/// Rates a puzzle, or says why it has no single solution. [`Rater`] rates many.
///
/// ```
/// use sudoku_batch::{NotUnique, Puzzle, technique};
/// let puzzle: Puzzle =
///     "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.".parse()?;
/// assert_eq!(technique::rate(&puzzle).unwrap().to_string(), "2.6/1.2/1.2");
/// assert_eq!(technique::rate(&Puzzle::EMPTY), Err(NotUnique::Multiple));
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
pub fn rate(puzzle: &Puzzle) -> Result<Ratings, NotUnique> {
    Solver::new().solve_unique(puzzle)?;
    let (ed, ep) = first_placement(steps(puzzle));
    let mut steps = steps(puzzle);
    let hardest = steps.by_ref().map(|step| step.rating()).max();
    let solved = steps.position().is_filled();
    Ok(Ratings {
        er: solved.then_some(hardest.unwrap_or(Rating::NONE)),
        ep,
        ed,
    })
}

/// ED and EP of a puzzle from its steps.
fn first_placement(mut steps: Steps) -> (Option<Rating>, Option<Rating>) {
    if steps.position().is_filled() {
        return (Some(Rating::NONE), Some(Rating::NONE));
    }
    let (mut ed, mut hardest) = (None, Rating::NONE);
    for step in &mut steps {
        hardest = hardest.max(step.rating());
        ed = ed.or(Some(hardest));
        if step.place.is_some() {
            return (ed, Some(hardest));
        }
    }
    (ed, None)
}
