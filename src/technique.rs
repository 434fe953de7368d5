//! Human techniques: the steps by which a person solves a puzzle, and how hard they are.
//!
//! Books, apps and data sets grade puzzles by the techniques that they need. The best-known
//! scale is that of the program Sudoku Explainer 1.2.1 by Nicolas Juillerat: each technique
//! has a number, from 1.0 for the last cell of a house up to 11.9. This module knows all
//! of its techniques, see [`Technique`].
//!
//! [`Position::next_step`] finds the easiest step of a position. A [`Step`] knows its cells
//! and digits, and says in words why it holds. [`steps`] solves a puzzle by such steps as
//! far as they go:
//!
//! ```
//! use sudoku_batch::{Puzzle, technique};
//! let puzzle: Puzzle =
//!     "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.".parse()?;
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
//! position, and the words of a step. Up to 4.4 the same search finds the steps of
//! traces: it is compiled for both, see `desk`. Techniques that are the same search with another
//! number, such as naked pairs and naked triplets, share one. [`Technique`] lists them;
//! `ORDER` says in which order they are tried.

mod aligned_exclusion;
mod batch;
mod cells;
#[doc(hidden)]
pub mod chain;
mod choice;
mod climb;
pub(crate) mod desk;
mod difficulty;
mod direct_hidden_set;
mod direct_locking;
mod fish;
mod forcing_chain;
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
mod trial;
mod unique_loop;
mod universal_grave;
mod words;
mod xy_wing;
mod xyz_wing;

pub use chain::{Hint, Node};
pub use choice::Techniques;
pub use difficulty::Difficulty;
pub(crate) use hidden_single::each as each_hidden_single;
pub(crate) use position::HINT_WORK;
pub use position::Position;
pub(crate) use rater::Rater;
pub use trial::TrialDepth;
pub(crate) use trial::{Closures, Refutations};

use crate::{
    grid::{BatchPuzzle, CELLS, Candidate, Cell, Digits, House, Puzzle},
    name::{NameError, find},
    solve::{NotUniqueError, Solver},
};
use chain::Work;
use desk::{ALL_DIGITS, ALL_HOUSES, Desk, Page};
use position::{Found, Known, View};
use std::{fmt, ops::ControlFlow, sync::Arc};

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

    /// The hardest rating that the program gives: 11.9. All techniques whose ratings are at most that are known. A
    /// step with a higher rating is not taken.
    pub const HARDEST: Self = Self(119);

    /// The rating up to which the order of steps does not matter, and a batch is rated in
    /// planes alone: 4.4.
    pub const IN_PLANES: Self = Self(44);

    /// The rating of this number of tenths: 32 for 3.2.
    pub const fn from_tenths(tenths: u8) -> Self {
        Self(tenths)
    }

    /// Appends the text of the rating: `3.2`. Millions of puzzles a second are shown, so this is not
    /// [`Display`](std::fmt::Display).
    #[inline]
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        let tenths = self.tenths();
        if tenths >= 100 {
            out.push(b'1');
        }
        out.extend_from_slice(&[b'0' + tenths / 10 % 10, b'.', b'0' + tenths % 10]);
    }

    /// The rating in tenths: 32 for 3.2.
    pub const fn tenths(self) -> u8 {
        self.0
    }
}

/// The rating as a number: 3.2.
impl From<Rating> for f64 {
    fn from(rating: Rating) -> Self {
        Self::from(rating.tenths()) / 10.0
    }
}

/// A number with one decimal: `3.2`.
impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// Reads `3.2` or `3`.
impl std::str::FromStr for Rating {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
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
        tenths.map(Self).ok_or_else(|| {
            let what = "a rating is a number from 0.0 to 11.9 with at most one decimal";
            NameError::new("rating", text, format!("`{text}` is no rating: {what}"))
        })
    }
}

/// Declares the techniques in the order in which they are tried: the name and the least rating, in tenths, of each.
macro_rules! techniques {
    ($(#[$of_type:meta])* pub enum Technique { $($(#[$about:meta])* $value:ident = $name:literal, $tenths:literal;)+ }) => {
        $(#[$of_type])*
        pub enum Technique {
            $($(#[$about])* $value,)+
        }

        impl Technique {
            /// All techniques in the order in which they are tried, the easiest first.
            pub const ALL: &'static [Self] = &[$(Self::$value,)+];

            const fn name_and_tenths(self) -> (&'static str, u8) {
                match self {
                    $(Self::$value => ($name, $tenths),)+
                }
            }
        }
    };
}

techniques! {
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
    /// | 4.5 and more | unique rectangle and loop, types 1 to 4 |
    /// | 5.0, 5.2, 5.4 | naked quad, jellyfish, hidden quad |
    /// | 5.6, 5.7, 5.8 and more | BUG type 1, types 2 and 4, type 3 |
    /// | 6.2 | aligned pair exclusion |
    /// | 6.5, 6.6, 7.0 and more | cycles and forcing chains |
    /// | 7.5 | aligned triplet exclusion |
    /// | 7.5 and more | Nishio |
    /// | 8.0 and more | cell and house forcing chains |
    /// | 8.5 and more | dynamic forcing chains |
    /// | 9.0 to 11.9 | dynamic forcing chains with techniques and chains inside |
    ///
    /// A *direct* technique places a digit at once and strikes nothing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Technique {
        /// A house has one empty cell.
        LastCell = "last cell", 10;
        /// A digit has one place in a box.
        HiddenSingleInBox = "hidden single in a box", 12;
        /// A digit has one place in a row or column.
        HiddenSingleInLine = "hidden single in a line", 15;
        /// A digit that is locked in a line of one box has one place left in another box.
        DirectPointing = "direct pointing", 17;
        /// A digit that is locked in a box by one line has one place left in another line.
        DirectClaiming = "direct claiming", 19;
        /// Two digits share two cells of a house, which leaves a third one place there.
        DirectHiddenPair = "direct hidden pair", 20;
        /// A cell has one candidate.
        NakedSingle = "naked single", 23;
        /// Three digits share three cells of a house, which leaves a fourth one place there.
        DirectHiddenTriplet = "direct hidden triplet", 25;
        /// A digit has places in one line only of a box: the rest of the line loses it.
        Pointing = "pointing", 26;
        /// A digit has places in one box only of a line: the rest of the box loses it.
        Claiming = "claiming", 28;
        /// Two cells of a house share two candidates: the other cells lose them.
        NakedPair = "naked pair", 30;
        /// A digit has its places in two lines in the same two crossing lines.
        XWing = "X-wing", 32;
        /// Two digits share two cells of a house, which lose their other candidates.
        HiddenPair = "hidden pair", 34;
        /// Three cells of a house share three candidates: the other cells lose them.
        NakedTriplet = "naked triplet", 36;
        /// A digit has its places in three lines in the same three crossing lines.
        Swordfish = "swordfish", 38;
        /// Three digits share three cells of a house, which lose their other candidates.
        HiddenTriplet = "hidden triplet", 40;
        /// A cell with two candidates, and two peers with one of them and a third digit.
        XyWing = "XY-wing", 42;
        /// A cell with three candidates, and two peers that share two of them with it.
        XyzWing = "XYZ-wing", 44;
        /// Two digits could be exchanged in four cells, if one of them had no other candidate.
        UniqueRectangle1 = "unique rectangle type 1", 45;
        /// Two digits could be exchanged in four cells, if some of them had no third candidate.
        UniqueRectangle2 = "unique rectangle type 2", 45;
        /// Two digits could be exchanged in four cells, if two of them were not part of a set.
        UniqueRectangle3 = "unique rectangle type 3", 45;
        /// Two digits could be exchanged in four cells, and one of them is locked in two of these.
        UniqueRectangle4 = "unique rectangle type 4", 45;
        /// Like the rectangle, with six cells or more.
        UniqueLoop1 = "unique loop type 1", 46;
        /// Like the rectangle, with six cells or more.
        UniqueLoop2 = "unique loop type 2", 46;
        /// Like the rectangle, with six cells or more.
        UniqueLoop3 = "unique loop type 3", 46;
        /// Like the rectangle, with six cells or more.
        UniqueLoop4 = "unique loop type 4", 46;
        /// Four cells of a house share four candidates: the other cells lose them.
        NakedQuad = "naked quad", 50;
        /// A digit has its places in four lines in the same four crossing lines.
        Jellyfish = "jellyfish", 52;
        /// Four digits share four cells of a house, which lose their other candidates.
        HiddenQuad = "hidden quad", 54;
        /// Every digit could be exchanged, if one cell had no other candidate.
        Bug1 = "BUG type 1", 56;
        /// Every digit could be exchanged, but for one digit in some cells.
        Bug2 = "BUG type 2", 57;
        /// Every digit could be exchanged, but for two cells, which share a digit.
        Bug4 = "BUG type 4", 57;
        /// Every digit could be exchanged, but for some cells that are part of a set.
        Bug3 = "BUG type 3", 58;
        /// Two cells that see two others, and all pairs of digits with one of them are excluded.
        AlignedPair = "aligned pair exclusion", 62;
        /// Links of one digit that come back to their start.
        XCycle = "X-cycle", 65;
        /// Cells with two candidates whose links come back to their start.
        YCycle = "Y-cycle", 65;
        /// Links of one digit from a candidate to its opposite.
        XChain = "X-chain", 66;
        /// Links of both sorts that come back to their start.
        XyCycle = "XY-cycle", 70;
        /// Links of both sorts from a candidate to its opposite.
        XyChain = "XY-chain", 70;
        /// The same as [`AlignedPair`](Self::AlignedPair) with three cells.
        AlignedTriplet = "aligned triplet exclusion", 75;
        /// A digit in a cell leads to a contradiction of that digit.
        Nishio = "Nishio", 75;
        /// Chains from all candidates of a cell that lead to the same end.
        CellChains = "cell forcing chains", 80;
        /// Chains from all places of a digit in a house that lead to the same end.
        HouseChains = "house forcing chains", 80;
        /// Chains that branch and join.
        DynamicChains = "dynamic forcing chains", 85;
        /// Dynamic chains with locked digits, pairs and X-wings inside.
        DynamicPlus = "dynamic forcing chains +", 90;
        /// Dynamic chains with cycles and forcing chains inside.
        Nested2 = "nested forcing chains level 2", 95;
        /// Dynamic chains with cell and house chains inside.
        Nested3 = "nested forcing chains level 3", 100;
        /// Dynamic chains with dynamic chains inside.
        Nested4 = "nested forcing chains level 4", 105;
        /// Dynamic chains inside dynamic chains, with forcing chains inside those.
        Nested5 = "nested forcing chains level 5", 110;
    }
}

impl Technique {
    /// Its name: `hidden single in a box`.
    pub const fn name(self) -> &'static str {
        self.name_and_tenths().0
    }

    /// Returns true if it holds only in a puzzle with one solution: unique rectangles and loops, and
    /// BUG.
    pub const fn needs_one_solution(self) -> bool {
        matches!(
            self,
            Self::UniqueRectangle1
                | Self::UniqueRectangle2
                | Self::UniqueRectangle3
                | Self::UniqueRectangle4
                | Self::UniqueLoop1
                | Self::UniqueLoop2
                | Self::UniqueLoop3
                | Self::UniqueLoop4
                | Self::Bug1
                | Self::Bug2
                | Self::Bug3
                | Self::Bug4
        )
    }

    /// Its rating, or the least of its ratings where they depend on the step: see
    /// [`Step::rating`].
    pub const fn rating(self) -> Rating {
        Rating(self.name_and_tenths().1)
    }

    /// The technique with a rating up to 4.4. There is one for each, so ER names it.
    pub(crate) const fn in_planes(rating: Rating) -> Option<Self> {
        const NAMED: [Option<Technique>; Rating::IN_PLANES.0 as usize + 1] = {
            let mut named = [None; Rating::IN_PLANES.0 as usize + 1];
            let mut n = 0;
            while Technique::ALL[n].rating().0 <= Rating::IN_PLANES.0 {
                named[Technique::ALL[n].rating().0 as usize] = Some(Technique::ALL[n]);
                n += 1;
            }
            named
        };
        NAMED[rating.0 as usize]
    }
}

/// Reads its name: neither capitals nor spaces, `-` and `_` matter.
///
/// ```
/// use sudoku_batch::technique::Technique;
/// assert_eq!("xwing".parse(), Ok(Technique::XWing));
/// let error = "X-wings".parse::<Technique>().unwrap_err();
/// assert_eq!(error.to_string(), "no technique is called \"X-wings\"; the nearest is X-wing");
/// ```
impl std::str::FromStr for Technique {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        find("technique", Self::ALL, Self::name, text)
    }
}

/// Its name.
impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Looks for all steps of one or more techniques.
type Find = fn(&View<'_>, &mut Found<'_>) -> ControlFlow<()>;

/// A search for all steps of one or more techniques.
#[derive(Clone, Copy)]
enum Finder {
    Plain(Find),
    /// It may give up.
    Chains(chain::Search),
}

/// A search, and the least rating of its steps.
#[derive(Clone, Copy)]
struct Producer {
    least: Rating,
    finder: Finder,
}

impl Producer {
    const fn of(technique: Technique, find: Find) -> Self {
        Self {
            least: technique.rating(),
            finder: Finder::Plain(find),
        }
    }

    const fn chains(technique: Technique, search: chain::Search) -> Self {
        Self {
            least: technique.rating(),
            finder: Finder::Chains(search),
        }
    }

    fn find(&self, view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        match self.finder {
            Finder::Plain(find) => find(view, found),
            Finder::Chains(search) => forcing_chain::find(search, view, found),
        }
    }
}

/// A search that is compiled for a [`Desk`], here for a position. It may want a list of what
/// to look at.
macro_rules! search {
    ($find:expr $(, $all:expr)?) => {
        |view, found| $find(&mut Page::new(view, found) $(, &mut { $all })?)
    };
}

/// The searches in the order of Sudoku Explainer. [`find_easy`] repeats the order up to 4.4 for
/// traces. A step is the first that a search finds. The least ratings ascend.
///
/// The order is not the order of ratings: a loop of ten cells (5.0) comes before a naked quad
/// (5.0), and an X-chain of 7.6 before an aligned triplet (7.5).
static ORDER: [Producer; 32] = {
    use self::{Technique::*, chain::Search};
    [
        Producer::of(LastCell, search!(hidden_single::find)),
        Producer::of(DirectPointing, search!(direct_locking::find_pointing)),
        Producer::of(DirectClaiming, search!(direct_locking::find_claiming)),
        Producer::of(
            DirectHiddenPair,
            search!(direct_hidden_set::find::<2, _>, ALL_HOUSES),
        ),
        Producer::of(NakedSingle, search!(naked_single::find)),
        Producer::of(
            DirectHiddenTriplet,
            search!(direct_hidden_set::find::<3, _>, ALL_HOUSES),
        ),
        Producer::of(Pointing, search!(locking::find_pointing, ALL_HOUSES)),
        Producer::of(Claiming, search!(locking::find_claiming, ALL_HOUSES)),
        Producer::of(NakedPair, search!(naked_set::find::<2, _>, ALL_HOUSES)),
        Producer::of(XWing, search!(fish::find::<2, _>, ALL_DIGITS)),
        Producer::of(HiddenPair, search!(hidden_set::find::<2, _>, ALL_HOUSES)),
        Producer::of(NakedTriplet, search!(naked_set::find::<3, _>, ALL_HOUSES)),
        Producer::of(Swordfish, search!(fish::find::<3, _>, ALL_DIGITS)),
        Producer::of(HiddenTriplet, search!(hidden_set::find::<3, _>, ALL_HOUSES)),
        Producer::of(XyWing, search!(xy_wing::find)),
        Producer::of(XyzWing, search!(xyz_wing::find)),
        // From here on the planes do not help.
        Producer::of(UniqueRectangle1, unique_loop::find),
        Producer::of(NakedQuad, search!(naked_set::find::<4, _>, ALL_HOUSES)),
        Producer::of(Jellyfish, search!(fish::find::<4, _>, ALL_DIGITS)),
        Producer::of(HiddenQuad, search!(hidden_set::find::<4, _>, ALL_HOUSES)),
        Producer::of(Bug1, universal_grave::find),
        Producer::of(AlignedPair, aligned_exclusion::find_pairs),
        Producer::chains(XCycle, Search::Forcing),
        Producer::of(AlignedTriplet, aligned_exclusion::find_triplets),
        Producer::chains(Nishio, Search::Nishio),
        Producer::chains(CellChains, Search::Multiple),
        Producer::chains(DynamicChains, Search::Dynamic),
        Producer::chains(DynamicPlus, Search::Nested(1)),
        Producer::chains(Nested2, Search::Nested(2)),
        Producer::chains(Nested3, Search::Nested(3)),
        Producer::chains(Nested4, Search::Nested(4)),
        Producer::chains(Nested5, Search::Nested(5)),
    ]
};

/// The changes since each search of traces last found nothing there: houses, or digits.
#[derive(Clone, Copy, Default)]
pub(crate) struct Todo {
    direct_pair: u32,
    direct_triplet: u32,
    pointing: u32,
    claiming: u32,
    naked_pair: u32,
    hidden_pair: u32,
    naked_triplet: u32,
    hidden_triplet: u32,
    x_wing: u32,
    swordfish: u32,
}

impl Todo {
    /// Adds houses and digits that have changed.
    #[inline(always)]
    pub(crate) fn add(&mut self, houses: u32, digits: u32) {
        for todo in [
            &mut self.direct_pair,
            &mut self.direct_triplet,
            &mut self.pointing,
            &mut self.claiming,
            &mut self.naked_pair,
            &mut self.hidden_pair,
            &mut self.naked_triplet,
            &mut self.hidden_triplet,
        ] {
            *todo |= houses;
        }
        self.x_wing |= digits;
        self.swordfish |= digits;
    }
}

/// Looks for the next step up to 4.4, and up to the bound, where there is no hidden single. The order is
/// that of [`ORDER`], but for direct claiming, which is never the easiest step
/// (`direct_locking` says why).
#[inline(always)]
pub(crate) fn find_easy<D: Desk>(desk: &mut D, todo: &mut Todo, up_to: Rating) -> ControlFlow<()> {
    macro_rules! each {
        ($($technique:ident: $found:expr;)*) => {
            $(
                if Technique::$technique.rating() > up_to {
                    return ControlFlow::Continue(());
                }
                $found?;
            )*
        };
    }
    each! {
        DirectPointing: direct_locking::find_pointing(desk);
        DirectHiddenPair: direct_hidden_set::find::<2, _>(desk, &mut todo.direct_pair);
        NakedSingle: naked_single::find(desk);
        DirectHiddenTriplet: direct_hidden_set::find::<3, _>(desk, &mut todo.direct_triplet);
        Pointing: locking::find_pointing(desk, &mut todo.pointing);
        Claiming: locking::find_claiming(desk, &mut todo.claiming);
        NakedPair: naked_set::find::<2, _>(desk, &mut todo.naked_pair);
        XWing: fish::find::<2, _>(desk, &mut todo.x_wing);
        HiddenPair: hidden_set::find::<2, _>(desk, &mut todo.hidden_pair);
        NakedTriplet: naked_set::find::<3, _>(desk, &mut todo.naked_triplet);
        Swordfish: fish::find::<3, _>(desk, &mut todo.swordfish);
        HiddenTriplet: hidden_set::find::<3, _>(desk, &mut todo.hidden_triplet);
        XyWing: xy_wing::find(desk);
        XyzWing: xyz_wing::find(desk);
    }
    ControlFlow::Continue(())
}

/// The searches for steps over 4.4.
fn above_planes() -> &'static [Producer] {
    let easier = |producer: &Producer| producer.least <= Rating::IN_PLANES;
    &ORDER[ORDER.partition_point(easier)..]
}

/// The next step over 4.4 of a puzzle with one solution, where no step up to 4.4 leads on.
pub(crate) fn harder_step(
    filled: &Puzzle,
    candidates: &[Digits; CELLS],
    up_to: Rating,
    work: &mut Work,
) -> Result<Option<Step>, chain::GaveUpError> {
    let position = Position::from_parts(*filled, *candidates);
    position.first_step_of(above_planes(), up_to, Known::NOTHING, work, |_| true)
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
    /// then the lines that cross them. For a unique loop and BUG it is the house of the set or
    /// of the locked digit, if there is one. A naked single and a wing have none.
    pub houses: Vec<House>,
    /// The cells of the pattern. The first cell of a wing is the one that sees the others. Of
    /// a unique loop they are its cells in order, of a BUG those with extra candidates.
    pub cells: Vec<Cell>,
    /// The digits of the pattern.
    pub digits: Digits,
    /// The digit that it places, if it places one.
    pub place: Option<Candidate>,
    /// The candidates that it strikes. Of the steps that place a digit, only chains strike: the
    /// other candidates of the cell.
    pub strikes: Vec<Candidate>,
    /// The other parts of the pattern.
    detail: Option<Box<Detail>>,
}

/// The parts of a pattern that only some techniques have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Detail {
    UniqueLoop {
        rating: Rating,
        kind: unique_loop::Kind,
    },
    Grave {
        rating: Rating,
        /// The cells with extra candidates, and these.
        extra: Vec<(Cell, Digits)>,
        set: Option<universal_grave::NakedSet>,
    },
    Exclusion {
        excluders: Vec<Cell>,
    },
    Chain(chain::Hint),
}

impl Step {
    /// Its rating. Most techniques have one rating, but that of a loop depends on its length.
    pub fn rating(&self) -> Rating {
        match self.detail.as_deref() {
            Some(Detail::UniqueLoop { rating, .. } | Detail::Grave { rating, .. }) => *rating,
            Some(Detail::Chain(hint)) => hint.rating,
            _ => self.technique.rating(),
        }
    }

    /// The chains of a cycle or forcing chain, with their nodes.
    pub fn chain(&self) -> Option<&Hint> {
        match self.detail.as_deref() {
            Some(Detail::Chain(hint)) => Some(hint),
            _ => None,
        }
    }

    /// The cells that the pattern needs besides [`cells`](Self::cells): a naked or hidden set
    /// next to a unique loop or BUG, and the cells whose candidates aligned cells cannot take.
    pub fn side_cells(&self) -> &[Cell] {
        match self.detail.as_deref() {
            Some(Detail::UniqueLoop {
                kind: unique_loop::Kind::WithSet { set, .. },
                ..
            }) => &set.cells,
            Some(Detail::Grave { set: Some(set), .. }) => &set.cells,
            Some(Detail::Exclusion { excluders }) => excluders,
            _ => &[],
        }
    }
}

impl Step {
    /// Why the step holds and what it does, in lines. The first is a summary. Below it a step of chains has a line
    /// for each chain, indented by two spaces, and further in the chains inside of it. Other steps have one line.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, technique};
    /// let puzzle: Puzzle =
    ///     "...8....3..5...17.2...6.8..13..........7.8..........92..7.1...4.81...6..4....2...".parse()?;
    /// let chain = technique::steps(&puzzle).find(|step| step.chain().is_some()).unwrap();
    /// let lines = chain.lines();
    /// assert!(lines[1].starts_with("  If ") && lines[1].contains(", then "));
    /// assert_eq!(format!("{chain:#}"), lines.join("\n"));
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn lines(&self) -> Vec<String> {
        match self.chain() {
            Some(hint) => forcing_chain::lines(self, hint),
            None => vec![self.to_string()],
        }
    }
}

/// Why the step holds and what it does, in a few sentences. With `{:#}` in [lines](Step::lines).
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f.write_str(&self.lines().join("\n"));
        }
        f.write_str(&match self.detail.as_deref() {
            Some(Detail::UniqueLoop { kind, .. }) => unique_loop::words(self, kind),
            Some(Detail::Grave { extra, set, .. }) => {
                universal_grave::words(self, extra, set.as_ref())
            }
            Some(Detail::Exclusion { excluders }) => aligned_exclusion::words(self, excluders),
            Some(Detail::Chain(hint)) => forcing_chain::words(self, hint),
            None => self.plain_words(),
        })
    }
}

impl Step {
    /// The words of a step whose pattern has no more parts.
    fn plain_words(&self) -> String {
        match self.technique {
            Technique::LastCell | Technique::HiddenSingleInBox | Technique::HiddenSingleInLine => {
                hidden_single::words(self)
            }
            Technique::DirectPointing | Technique::DirectClaiming => direct_locking::words(self),
            Technique::DirectHiddenPair | Technique::DirectHiddenTriplet => {
                direct_hidden_set::words(self)
            }
            Technique::NakedSingle => naked_single::words(self),
            Technique::Pointing | Technique::Claiming => locking::words(self),
            Technique::NakedPair | Technique::NakedTriplet | Technique::NakedQuad => {
                naked_set::words(self)
            }
            Technique::HiddenPair | Technique::HiddenTriplet | Technique::HiddenQuad => {
                hidden_set::words(self)
            }
            Technique::XWing | Technique::Swordfish | Technique::Jellyfish => fish::words(self),
            Technique::XyWing => xy_wing::words(self),
            Technique::XyzWing => xyz_wing::words(self),
            _ => unreachable!("the others have a detail"),
        }
    }
}

/// The steps that solve a puzzle, the easiest first each time. See [`steps`].
#[derive(Clone, Debug)]
pub struct Steps {
    position: Position,
    up_to: Rating,
    without: Techniques,
    work: Work,
    gave_up: bool,
}

impl Steps {
    /// The steps that end before the first with a rating over `up_to`.
    pub fn with_max_rating(self, up_to: Rating) -> Self {
        let up_to = up_to.min(Rating::HARDEST);
        Self { up_to, ..self }
    }

    /// The steps without those of some techniques: where one would come next, the next other step of the same
    /// order is taken. Techniques inside of chains stay.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, technique::{self, Technique}};
    /// let puzzle: Puzzle =
    ///     "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.".parse()?;
    /// let mut steps = technique::steps(&puzzle).without("pointing".parse()?);
    /// assert!(steps.all(|step| step.technique != Technique::Pointing));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without(self, techniques: Techniques) -> Self {
        let without = techniques;
        Self { without, ..self }
    }

    /// The steps that end when the searches for chains have done this work, counted in nodes
    /// of chains. Without a bound, a search in a puzzle with many solutions can take hours.
    pub fn with_max_work(mut self, max_work: u64) -> Self {
        self.work.restart(max_work);
        self
    }

    /// The steps that are searched with these, or alone. They are the same.
    #[must_use]
    pub(crate) fn with_crew(mut self, crew: Option<Arc<dyn chain::Crew>>) -> Self {
        self.work.share_with(crew);
        self
    }

    /// Takes the steps of a puzzle from the first to the last, shows each, and gives the ratings.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, technique};
    /// let puzzle: Puzzle =
    ///     "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.".parse()?;
    /// let mut sentences = Vec::new();
    /// let ratings = technique::steps(&puzzle).ratings(|step| sentences.push(step.to_string()));
    /// assert_eq!(ratings.to_string(), "2.6/1.2/1.2");
    /// assert_eq!(sentences[0], "In box 1, 7 fits only in r1c1.");
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn ratings(mut self, mut see: impl FnMut(Step)) -> Ratings {
        let is_filled = self.position.is_filled();
        let (ed, ep, mut hardest) = first_placement(self.by_ref(), is_filled, &mut see);
        for step in self.by_ref() {
            hardest.note(&step);
            see(step);
        }
        let solved = self.position.is_filled();
        Ratings {
            er: solved.then_some(hardest.rating),
            ep,
            ed,
            technique: hardest.technique.filter(|_| solved),
            up_to: self.up_to,
            gave_up: self.gave_up,
        }
    }

    /// Returns true if the steps ended because a search gave up.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// How far the steps so far have led.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

/// The steps from a position on.
impl From<Position> for Steps {
    fn from(position: Position) -> Self {
        Self {
            position,
            up_to: Rating::HARDEST,
            without: Techniques::NONE,
            work: Work::unbounded(),
            gave_up: false,
        }
    }
}

impl Iterator for Steps {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let (position, work) = (&self.position, &mut self.work);
        let is_wanted = |step: &Step| !self.without.contains(step.technique);
        let step = position.first_step_of(&ORDER, self.up_to, Known::NOTHING, work, is_wanted);
        self.gave_up |= step.is_err();
        let step = step.ok()??;
        self.position.apply(&step);
        Some(step)
    }
}

/// Solves a puzzle step by step, as far as the techniques go.
///
/// The puzzle should have one solution: unique loops and BUG count on that. The steps of one
/// with several or none show no contradiction; they just end, or they lead to one of several
/// solutions.
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
pub fn steps(puzzle: impl BatchPuzzle) -> Steps {
    Position::new(puzzle).into()
}

/// ER, EP and ED of a puzzle. `None` stands for more than [`up_to`](Self::up_to).
///
/// ```
/// use sudoku_batch::technique::{Rating, Ratings};
/// let easy = Some(Rating::from_tenths(12));
/// let up_to = Rating::IN_PLANES;
/// let ratings =
///     Ratings { er: None, ep: easy, ed: easy, technique: None, up_to, gave_up: false };
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
    /// The technique of the hardest step; of several, that of the first. `None` without ER, and for
    /// a full grid.
    pub technique: Option<Technique>,
    /// The rating up to which steps were taken.
    pub up_to: Rating,
    /// True if a search for chains gave up, see [`Steps::with_max_work`]. Then a number that is
    /// missing need not be over the bound.
    pub gave_up: bool,
}

impl Ratings {
    /// [`up_to`](Self::up_to), if a number is missing because it is over it.
    pub fn beyond(&self) -> Option<Rating> {
        let is_known = self.er.and(self.ep).and(self.ed).is_some();
        (!is_known && !self.gave_up).then_some(self.up_to)
    }

    /// The difficulty, unless ER is missing and may be 4.4 or less.
    pub fn difficulty(&self) -> Option<Difficulty> {
        let is_known = self.er.is_some() || !self.gave_up && self.up_to >= Rating::IN_PLANES;
        is_known.then(|| Difficulty::of(self.er))
    }
}

/// `ER/EP/ED`, with `>6.2` for a number that is not known.
impl fmt::Display for Ratings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (separator, rating) in [("", self.er), ("/", self.ep), ("/", self.ed)] {
            f.write_str(separator)?;
            match rating {
                Some(rating) => rating.fmt(f)?,
                None => write!(f, ">{}", self.up_to)?,
            }
        }
        Ok(())
    }
}

/// Rates a puzzle, or says why it has no single solution. [`RATE`](crate::questions::RATE) rates many.
///
/// ```
/// use sudoku_batch::{NotUniqueError, Puzzle, technique};
/// let puzzle: Puzzle =
///     "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.".parse()?;
/// assert_eq!(technique::rate(&puzzle).unwrap().to_string(), "2.6/1.2/1.2");
/// assert_eq!(technique::rate(&Puzzle::EMPTY), Err(NotUniqueError::Multiple));
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
pub fn rate(puzzle: impl BatchPuzzle) -> Result<Ratings, NotUniqueError> {
    rate_up_to(puzzle, Rating::HARDEST)
}

/// Rates a puzzle as [`rate`] does, but takes no step with a rating over `up_to`.
///
/// ```
/// use sudoku_batch::{Puzzle, technique::{self, Rating}};
/// let puzzle: Puzzle =
///     "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.".parse()?;
/// let ratings = technique::rate_up_to(&puzzle, Rating::from_tenths(20)).unwrap();
/// assert_eq!(ratings.to_string(), ">2.0/1.2/1.2");
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
pub fn rate_up_to(puzzle: impl BatchPuzzle, up_to: Rating) -> Result<Ratings, NotUniqueError> {
    let puzzle = puzzle.into();
    Solver::new().solve_unique(puzzle)?;
    Ok(steps(puzzle).with_max_rating(up_to).ratings(|_| ()))
}

/// The hardest step so far; of several, the first.
#[derive(Clone, Copy)]
struct Hardest {
    rating: Rating,
    technique: Option<Technique>,
}

impl Hardest {
    const NONE: Self = Self {
        rating: Rating::NONE,
        technique: None,
    };

    fn note(&mut self, step: &Step) {
        if step.rating() > self.rating {
            (self.rating, self.technique) = (step.rating(), Some(step.technique));
        }
    }
}

/// ED and EP of a puzzle from its steps, and the hardest so far. A filled grid takes none.
fn first_placement(
    steps: impl Iterator<Item = Step>,
    is_filled: bool,
    see: &mut dyn FnMut(Step),
) -> (Option<Rating>, Option<Rating>, Hardest) {
    let mut hardest = Hardest::NONE;
    if is_filled {
        return (Some(Rating::NONE), Some(Rating::NONE), hardest);
    }
    let mut ed = None;
    for step in steps {
        hardest.note(&step);
        ed = ed.or(Some(hardest.rating));
        let places = step.place.is_some();
        see(step);
        if places {
            return (ed, Some(hardest.rating), hardest);
        }
    }
    (ed, None, hardest)
}
