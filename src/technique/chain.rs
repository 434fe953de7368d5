//! Chains: what follows from a candidate that is on or off, link by link.
//!
//! A candidate is *on* if its cell holds the digit, and *off* if not. A candidate that is on
//! puts off what it sees. A candidate that is off puts on what is left alone without it. So
//! a chain leads from an assumption to something that cannot be, or to something that holds
//! either way.
//!
//! | search | rating | chains |
//! |---|---|---|
//! | [`Search::Forcing`] | 6.5 to 7.x | cycles, and chains from a candidate to its opposite |
//! | [`Search::Nishio`] | 7.5 and more | contradictions of one digit |
//! | [`Search::Multiple`] | 8.0 and more | chains from all candidates of a cell, or all places of a digit in a house |
//! | [`Search::Dynamic`] | 8.5 and more | these, contradictions and double chains, with strikes on the way |
//! | [`Search::Nested`] | 9.0 to 11.x | the same, with techniques inside the chains |
//!
//! The ratings are those of Sudoku Explainer 1.2.1 by Nicolas Juillerat. In each position
//! [`find`] gives the hint that it takes first, with its strikes and its length. Which hint
//! that is depends on the order in which links are followed and hints are found, so this
//! order is kept. The rules were read from its sources (its file `Chaining.java`), and
//! compared with it and with sukaku-forge on many thousands of positions.
//!
//! ```
//! use sudoku_batch::{Puzzle, technique::{Position, Rating, chain::{self, Search, State, Work}}};
//! let puzzle: Puzzle =
//!     "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..".parse()?;
//! let mut position = Position::new(&puzzle);
//! // Up to where the easier techniques end.
//! while let Some(step) = position.next_step().filter(|step| step.rating() <= Rating::IN_PLANES) {
//!     position.apply(&step);
//! }
//! let (state, mut work) = (State::new(&position), Work::unbounded());
//! assert_eq!(chain::find(Search::Forcing, &state, &mut work), Ok(None));
//! let searches = Search::ALL.into_iter();
//! let hint = searches.filter_map(|search| chain::find(search, &state, &mut work).unwrap()).next();
//! let hint = hint.expect("a chain leads on");
//! println!("{} {:?}: {} nodes", hint.rating, hint.kind, hint.length);
//! # Ok::<(), sudoku_batch::ParseError>(())
//! ```
//!
//! # Files
//!
//! `state` has the candidates by cell and by house, `links` the links between them. `reach`
//! finds what all candidates reach at once; `forcing` and `cycles` build on it, and so does
//! `multiple`. `closure` asks for many runs at once
//! what they know in the end, so that few are needed; so does `nishio` for those of one digit, and `board` with
//! techniques inside, by what `struck` says of chains. `run`
//! follows one candidate in the order of the queues, and `branches` puts runs together. `rules` and `nested` are the techniques inside runs. `proof` lists nodes,
//! `length` rates them.

mod board;
mod branches;
mod closure;
mod cycles;
mod forcing;
mod length;
mod links;
mod multiple;
mod nested;
mod nishio;
mod proof;
mod reach;
mod rows;
mod rules;
mod run;
mod state;
mod struck;

pub use proof::{Node, Reason, Rule};
pub use state::State;
pub(super) use state::{HOUSES_OF, PLACES_OF};

use super::Rating;
use crate::{
    grid::{self, CELLS, Cell, Digit, GridLine, House},
    stop,
};
use state::Candidate;
use std::{fmt, mem, sync::Arc};

/// The kind of chain that a hint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A cycle of links of one digit.
    XCycle,
    /// A cycle through cells with two candidates.
    YCycle,
    /// A cycle of links of both sorts.
    XyCycle,
    /// A chain of one digit that leads from a candidate to its opposite.
    XChain,
    /// Such a chain with links of both sorts.
    XyChain,
    /// Two chains from one assumption that contradict each other.
    Contradiction,
    /// Two chains, from a candidate that is on and off, with the same end.
    Double,
    /// Chains from all candidates of a cell with the same end.
    Cell(Cell),
    /// Chains from all places of a digit in a house with the same end.
    Region(House, Digit),
}

impl Kind {
    /// Its name: `X-cycle`, `contradiction`, `cell` and so on.
    ///
    /// ```
    /// use sudoku_batch::technique::chain::Kind;
    /// assert_eq!(Kind::XyChain.name(), "XY-chain");
    /// assert_eq!(Kind::XyChain.start(), None);
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::XCycle => "X-cycle",
            Self::YCycle => "Y-cycle",
            Self::XyCycle => "XY-cycle",
            Self::XChain => "X-chain",
            Self::XyChain => "XY-chain",
            Self::Contradiction => "contradiction",
            Self::Double => "double",
            Self::Cell(_) => "cell",
            Self::Region(..) => "house",
        }
    }

    /// The cell, or the digit and the house, whose candidates its chains start from.
    pub fn start(self) -> Option<String> {
        match self {
            Self::Cell(cell) => Some(cell.to_string()),
            Self::Region(house, digit) => Some(format!("{digit} in {house}")),
            _ => None,
        }
    }

    /// Which of two chains of equal length comes first.
    fn key(self) -> u8 {
        match self {
            Self::Double => 1,
            Self::XCycle | Self::XChain => 2,
            Self::YCycle => 3,
            Self::XyCycle | Self::XyChain => 4,
            Self::Cell(_) => 5,
            Self::Region(..) => 6,
            Self::Contradiction => 7,
        }
    }

    /// Returns true if it is a cycle.
    fn is_cycle(self) -> bool {
        matches!(self, Self::XCycle | Self::YCycle | Self::XyCycle)
    }

    /// Why the starts of its chains are looked at together.
    fn start_reason(self) -> Option<Reason> {
        match self {
            Self::Cell(_) => Some(Reason::Cell),
            Self::Region(house, _) => Some(Reason::House(house.kind())),
            _ => None,
        }
    }
}

/// Which chains are searched. Each search starts where those before it find nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Search {
    /// Cycles and forcing chains: 6.5 and more.
    Forcing,
    /// Contradictions of one digit: 7.5 and more.
    Nishio,
    /// Cell and region chains: 8.0 and more.
    Multiple,
    /// Dynamic chains: 8.5 and more.
    Dynamic,
    /// Dynamic chains with other techniques inside: level 1 is 9.0 and more, level 5 is
    /// 11.0 and more.
    Nested(u8),
}

impl Search {
    /// All searches, in the order in which they are tried.
    pub const ALL: [Self; 9] = [
        Self::Forcing,
        Self::Nishio,
        Self::Multiple,
        Self::Dynamic,
        Self::Nested(1),
        Self::Nested(2),
        Self::Nested(3),
        Self::Nested(4),
        Self::Nested(5),
    ];

    /// The rating of a short chain, in tenths.
    fn base(self) -> u8 {
        match self {
            Self::Forcing => 65,
            Self::Nishio => 75,
            Self::Multiple => 80,
            Self::Dynamic => 85,
            Self::Nested(1) => 90,
            Self::Nested(level) => 95 + 5 * (level - 2),
        }
    }
}

/// The result of one or more chains: they strike candidates or place a digit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hint {
    /// The search that finds it.
    #[doc(hidden)]
    pub search: Search,
    /// The kind of chain.
    #[doc(hidden)]
    pub kind: Kind,
    /// Its rating.
    pub rating: Rating,
    /// Its length, in nodes: those of all of its chains and of the chains inside them.
    pub length: u32,
    /// Its chains, each backwards: its target, the parents of that, their parents and so on, generation
    /// by generation. No node is there twice. The number of nodes is the length by which Sudoku Explainer
    /// rates.
    pub chains: Vec<Vec<Node>>,
    /// The candidates that it strikes, cell by cell, the digits ascending.
    pub strikes: Vec<grid::Candidate>,
    /// The digit that it places. It strikes the other candidates of the cell.
    pub place: Option<grid::Candidate>,
}

impl Hint {
    /// The name of the kind of chain: `X-cycle`, `contradiction`, `cell` and so on.
    pub const fn kind_name(&self) -> &'static str {
        self.kind.name()
    }

    /// The cell, or the digit and the house, whose candidates its chains start from.
    pub fn start(&self) -> Option<String> {
        self.kind.start()
    }
}

/// How much work searches may do, and how much they have done.
///
/// It counts work, not time: the nodes that runs note. So the same search does the same
/// work on every machine. Before runs with techniques inside, and before chains inside them, sets say which runs are
/// needed. These count too, by the number of candidates: eight for each for cycles, forcing chains and multiple chains, 64 for
/// dynamic ones, and with techniques inside so much for each start as a look inside counts.
///
/// It also keeps memory from search to search. [`Work::restart`] counts from 0 again and
/// keeps the memory.
#[derive(Clone, Debug)]
pub struct Work {
    done: u64,
    most: u64,
    /// Runs to use again, and the tables of a run that goes on.
    #[expect(
        clippy::vec_box,
        reason = "runs move from list to list, and a box moves faster"
    )]
    spare: Vec<Box<run::Run>>,
    desks: Vec<Box<run::Desk>>,
    /// Tables of runs, empty.
    tables: Vec<branches::Runs>,
    /// The candidates of the last state without cycles and forcing chains.
    calm: Option<[u16; CELLS]>,
    /// The memory of the puzzle of a position, if there is one.
    memory: Option<Memory>,
    /// The finds inside the runs from the last position.
    looks: Option<Box<nested::Looks>>,
    /// True if hints list their nodes.
    nodes: bool,
    /// True if sets are not asked: all runs are followed.
    #[cfg(test)]
    without_sets: bool,
    /// The helpers that may do parts of a search, and the memory for that.
    crew: Option<Arc<dyn Crew>>,
    mates: Vec<Work>,
}

/// The memory of one puzzle, from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// The candidates of its last positions in which the searches for cycles and forcing chains, and for Nishio, found
    /// nothing.
    without_forcing: Option<[u16; CELLS]>,
    without_nishio: Option<[u16; CELLS]>,
    /// The consequences in its last position with a search for dynamic chains.
    settled: Option<Box<closure::Settled>>,
}

/// The threads that do a search together.
///
/// The result of a search, and the work that it counts, are the same with any crew and without one. So
/// what a search keeps in memory may save time, but never work.
pub trait Crew: fmt::Debug + Send + Sync {
    /// Does the parts of a search, each number below `count` once, in any order and at once. It
    /// returns when all are done.
    fn each(&self, count: usize, part: &(dyn Fn(usize) + Sync));
}

impl Work {
    /// Work without a bound.
    pub const fn unbounded() -> Self {
        Self::up_to(u64::MAX)
    }

    /// Work up to a bound.
    pub const fn up_to(most: u64) -> Self {
        Self {
            done: 0,
            most,
            spare: Vec::new(),
            desks: Vec::new(),
            tables: Vec::new(),
            calm: None,
            memory: None,
            looks: None,
            nodes: true,
            #[cfg(test)]
            without_sets: false,
            crew: None,
            mates: Vec::new(),
        }
    }

    /// Work for hints whose chains are not asked for: [`Hint::chains`] stays empty.
    #[must_use]
    pub const fn without_nodes(mut self) -> Self {
        self.nodes = false;
        self
    }

    /// Searches in positions of one puzzle from now on, with its memory, or of none. Returns the memory of the one before.
    pub(super) fn search_in(&mut self, memory: Option<Memory>) -> Option<Memory> {
        mem::replace(&mut self.memory, memory)
    }

    /// Does the work with these, or alone.
    pub fn share_with(&mut self, crew: Option<Arc<dyn Crew>>) {
        self.crew = crew;
    }

    /// Counts from 0 again, up to a bound.
    pub fn restart(&mut self, most: u64) {
        (self.done, self.most) = (0, most);
    }

    /// The work that has been done.
    pub const fn done(&self) -> u64 {
        self.done
    }

    /// Adds work. Whether the bound still holds.
    fn add(&mut self, work: u64) -> bool {
        stop::check();
        self.done += work;
        self.done <= self.most
    }
}

/// A search gave up: it reached the bound of its [`Work`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search for chains reached its bound")]
pub struct GaveUpError;

/// The chain that Sudoku Explainer takes first, among those of one search.
///
/// The answer depends on the candidates alone, not on the work done before. Sudoku Explainer
/// tries the searches in the order of [`Search::ALL`], and each assumes that those before it
/// find nothing.
///
/// # Errors
///
/// [`GaveUpError`]: the work reached its bound.
///
/// # Panics
///
/// When the level of [`Search::Nested`] is not 1 to 5.
pub fn find(search: Search, state: &State, work: &mut Work) -> Result<Option<Hint>, GaveUpError> {
    find_knowing(search, state, None, work)
}

/// The same, faster: with the only solution of the puzzle, if it is known.
pub(super) fn find_knowing(
    search: Search,
    state: &State,
    solution: Option<&GridLine>,
    work: &mut Work,
) -> Result<Option<Hint>, GaveUpError> {
    if let Search::Nested(level) = search {
        assert!((1..=5).contains(&level), "there is no level {level}");
    }
    match search {
        Search::Forcing => {
            let memory = work.memory.as_ref();
            let before = memory.and_then(|memory| memory.without_forcing.as_ref());
            // A chain needs a strong link that was none before. A cycle that strikes has a chain that does.
            let hint = match before {
                Some(before) if !state.has_new_strong_link(state.gone_since(before)) => None,
                _ => forcing::best(state, solution, work.nodes),
            };
            if hint.is_none() {
                work.calm = Some(state.cells);
                if let Some(memory) = &mut work.memory {
                    memory.without_forcing = Some(state.cells);
                }
            }
            Ok(hint.map(|hint| hint.hint()))
        }
        _ => Ok(branches::best(search, state, work)?.map(|hint| hint.hint())),
    }
}

/// The strikes of a placement: the other candidates of its cell.
fn others(state: &State, target: Candidate) -> Vec<Candidate> {
    let (cell, digit) = (state::cell_of(target), state::digit_of(target));
    state::bits(state.cells[cell] & !(1 << digit))
        .map(|d| state::candidate(cell, d))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Memory, Search, State, Work, closure::is_settled, find};
    use crate::{
        grid::Puzzle,
        technique::{Position, Steps},
    };
    use sudoku_batch_test_support::one_of;

    /// The memory of a puzzle spares searches that would find nothing, and no other.
    #[test]
    fn searches_with_memory_find_what_others_find() {
        let (mut spared_links, mut spared_digits) = (0, 0);
        // The sources run unoptimised here: 15 puzzles have 80 searches that are spared, and more of them rarer ones.
        let puzzles = include_str!("../../data/hard.txt").lines();
        for puzzle in puzzles.skip(20).step_by(one_of(40)) {
            let mut remembers = Work::unbounded();
            remembers.search_in(Some(Memory::default()));
            let mut position = Position::new(puzzle.parse::<Puzzle>().unwrap());
            for step in Steps::from(position.clone()) {
                let state = State::new(&position);
                position.apply(&step);
                if !is_settled(&state) {
                    continue;
                }
                let memory = remembers.memory.as_ref().unwrap();
                let before = memory.without_forcing.as_ref();
                spared_links +=
                    usize::from(before.is_some_and(|before| {
                        !state.has_new_strong_link(state.gone_since(before))
                    }));
                let before = memory.without_nishio.as_ref();
                spared_digits +=
                    usize::from(before.is_some_and(|before| state.digits_changed(before) != 0x1FF));
                for search in [Search::Forcing, Search::Nishio] {
                    let hint = find(search, &state, &mut remembers);
                    assert_eq!(
                        hint,
                        find(search, &state, &mut Work::unbounded()),
                        "{puzzle}"
                    );
                }
            }
        }
        assert!(
            spared_links > 5 && spared_digits > 50,
            "{spared_links}, {spared_digits}"
        );
    }
}
