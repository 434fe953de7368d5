//! Dynamic chains with techniques inside: 9.0 (level 1) to 11.0 (level 5) and more.
//!
//! When nothing follows any more in a run, techniques are tried in the position that it
//! leaves, one after the other, until one strikes something: the [rules](super::rules), and
//! then chains. All hints of this technique count. The run goes on with what they strike.
//!
//! ```text
//!     level   rating   chains inside, after the rules
//!       1      9.0     none
//!       2      9.5     cycles and forcing chains
//!       3     10.0     these, then multiple chains
//!       4     10.5     dynamic chains
//!       5     11.0     these, then dynamic chains of level 2
//! ```
//!
//! Sudoku Explainer takes the strikes of one hint in the order of a table by memory address.
//! The order here is cell by cell, the digits ascending.

use super::{
    Crew, GaveUpError, Search, Work,
    board::{self, Board},
    branches,
    closure::{Closures, is_settled},
    forcing,
    links::{Row, has, set},
    proof::{Brief, Rule, lost_before},
    rules,
    run::{Applied, Finds, Known},
    state::{Candidate, State},
    struck::{self, Sights},
};
use crate::{grid::CELLS, stop};
use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasherDefault, Hasher},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

/// The techniques inside the runs of a search.
pub(super) struct Inner {
    rules: bool,
    chains: &'static [Search],
}

/// The chains inside the runs of a level, in the order in which they are tried.
pub(super) fn chains_inside(level: u8) -> &'static [Search] {
    match level {
        2 => &[Search::Forcing],
        3 => &[Search::Forcing, Search::Multiple],
        4 => &[Search::Dynamic],
        5 => &[Search::Dynamic, Search::Nested(2)],
        _ => &[],
    }
}

/// The work that a search counts for its sets in a position with this number of candidates: eight for each candidate, eight
/// times that for dynamic chains. With techniques inside, it is eight for each start, and what a look inside counts.
///
/// Sets take less where a search goes on from the one before. The work does not depend on that.
pub(super) fn cost_of_sets(search: Search, candidates: u64) -> u64 {
    match search {
        Search::Dynamic => 64 * candidates,
        Search::Nested(level) => {
            let inside = chains_inside(level).iter();
            let look: u64 = inside.map(|&chains| cost_of_sets(chains, candidates)).sum();
            2 * candidates * (8 + look)
        }
        _ => 8 * candidates,
    }
}

impl Inner {
    pub(super) fn of(search: Search) -> Self {
        match search {
            Search::Nested(level) => Self {
                rules: true,
                chains: chains_inside(level),
            },
            _ => Self {
                rules: false,
                chains: &[],
            },
        }
    }

    /// The hints of the first technique that strikes something, if there is one.
    pub(super) fn look(
        &mut self,
        start: &State,
        now: &State,
        work: &mut Work,
    ) -> Result<Option<Finds>, GaveUpError> {
        if !self.rules {
            return Ok(None);
        }
        let rules = |_: &mut Work| {
            let mut found = rules::ORDER.iter().map(|look| look(start, now));
            Ok(found.find(|found| !found.is_empty()).unwrap_or_default())
        };
        let found = found_before(None, start, now, work, rules)?;
        if found.is_some() {
            return Ok(found);
        }
        for &search in self.chains {
            let chains = |work: &mut Work| chains(search, start, now, work);
            let found = found_before(Some(search), start, now, work, chains)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// The knowledge of the positions that the runs of one position leave: the finds of techniques inside, with the work of each,
/// and what [sets](super::struck) say. The rules are no search.
///
/// Runs lead to equal positions, and a search of a level goes through the positions of the level below once more. A find
/// depends on the two positions alone.
#[derive(Debug)]
pub(super) struct Looks {
    /// The position at the start of the runs.
    start: State,
    /// The finds of all threads of a search. Each depends on the positions alone, whoever finds it.
    shared: Arc<Shared>,
    /// `None` if there are too many candidates for sets.
    sights: Option<Arc<Sights>>,
    /// All runs at each level that was asked for.
    boards: [Option<Board>; LEVELS],
    /// The finds in the last position before, with its candidates.
    before: [Option<([u16; CELLS], Board)>; LEVELS],
}

/// The answers of techniques in positions, by the candidates of these.
type ByPosition<T, R> = Mutex<HashMap<(T, [u16; CELLS]), R, HashPositions>>;

/// The knowledge of all threads of a search.
#[derive(Debug, Default)]
struct Shared {
    found: ByPosition<Option<Search>, Found>,
    /// The strikes that sets allow at most.
    struck: ByPosition<Search, Row<4>>,
    /// Whether the start has no forcing chain.
    is_calm: OnceLock<bool>,
}

pub(super) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The finds of a technique in a position, and the work of the search.
type Found = (Option<Finds>, u64);

/// Hashes of positions: those of the standard library took a fiftieth of the time of hard ratings.
type HashPositions = BuildHasherDefault<PositionHasher>;

/// A product over the words of a key.
#[derive(Default)]
struct PositionHasher(u64);

impl Hasher for PositionHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        // The multiplier is that of a generator of random numbers by Steele and Vigna (2021).
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0xD134_2543_DE82_EF95);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// Levels by their numbers.
const LEVELS: usize = 6;

/// Memory only saves time, so a copy needs none.
impl Clone for Looks {
    fn clone(&self) -> Self {
        Self::of(&self.start)
    }
}

impl Looks {
    fn of(start: &State) -> Self {
        Self {
            start: start.clone(),
            shared: Arc::default(),
            sights: Sights::of(start).map(Arc::new),
            boards: [const { None }; _],
            before: [const { None }; _],
        }
    }

    /// A view of this knowledge for another thread of a search.
    pub(super) fn share(&self) -> Self {
        Self {
            start: self.start.clone(),
            shared: Arc::clone(&self.shared),
            sights: self.sights.clone(),
            boards: [const { None }; _],
            before: [const { None }; _],
        }
    }

    /// Keeps what is found in runs from this position from now on, and forgets what was found in those from another one.
    pub(super) fn begin(work: &mut Work, start: &State) {
        if work
            .looks
            .as_ref()
            .is_some_and(|looks| looks.start == *start)
        {
            return;
        }
        let mut looks = Self::of(start);
        // Of the same puzzle, after one more step.
        if let Some(old) = work.looks.take().filter(|_| is_settled(start)) {
            let has_less = |of: &[u16; CELLS]| {
                let both = start.cells.iter().zip(of);
                both.fold(0, |more, (now, before)| more | now & !before) == 0
            };
            let boards = old.boards.into_iter().zip(old.before);
            for (before, (last, earlier)) in looks.before.iter_mut().zip(boards) {
                let last = last.map(|board| (old.start.cells, board));
                *before = last.or(earlier).filter(|(cells, _)| has_less(cells));
            }
        }
        work.looks = Some(Box::new(looks));
    }

    /// The most that a search strikes in positions that runs left.
    fn struck(
        &self,
        search: Search,
        states: &[State],
        crew: Option<&Arc<dyn Crew>>,
    ) -> Vec<Row<4>> {
        let sights = self.sights.as_deref().expect("there are sights");
        let mut met = HashSet::<_, HashPositions>::default();
        let new: Vec<&State> = {
            let struck = lock(&self.shared.struck);
            let is_new = |state: &&State| {
                !struck.contains_key(&(search, state.cells)) && met.insert(state.cells)
            };
            states.iter().filter(is_new).collect()
        };
        let answer = |state: &State| {
            stop::check();
            sights.struck(search, state)
        };
        let answers: Vec<Row<4>> = match crew {
            Some(crew) if new.len() > part_of(search) => {
                let parts: Vec<_> = new.chunks(part_of(search)).collect();
                let answers: Vec<_> = parts.iter().map(|_| OnceLock::new()).collect();
                crew.each(parts.len(), &|n| {
                    let part: Vec<_> = parts[n].iter().map(|state| answer(state)).collect();
                    let _ = answers[n].set(part);
                });
                let answers = answers.into_iter().map(OnceLock::into_inner);
                answers
                    .flat_map(|part| part.expect("each part was done"))
                    .collect()
            }
            _ => new.iter().map(|state| answer(state)).collect(),
        };
        let keys = new.iter().map(|state| (search, state.cells));
        let mut struck = lock(&self.shared.struck);
        struck.extend(keys.zip(answers));
        let known = states.iter().map(|state| struck[&(search, state.cells)]);
        known.collect()
    }

    /// Notes what dynamic chains strike at most in a position that a run left, unless that is known. The closures are what
    /// takes long.
    fn note_struck_by_dynamic(&self, now: &State) -> Option<Closures> {
        let sights = self.sights.as_deref()?;
        let key = (Search::Dynamic, now.cells);
        if lock(&self.shared.struck).contains_key(&key) {
            return None;
        }
        let closures = Closures::of(now, None)?;
        let struck = sights.of_closures(now, &closures);
        lock(&self.shared.struck).insert(key, struck);
        Some(closures)
    }
}

/// The number of positions that are worth a thread.
const fn part_of(search: Search) -> usize {
    match search {
        Search::Nested(_) => 1,
        Search::Dynamic => 4,
        _ => 64,
    }
}

/// The most that the runs of a level know, unless there are too many candidates.
pub(super) fn closures(
    level: u8,
    state: &State,
    work: &mut Work,
) -> Result<Option<Closures>, GaveUpError> {
    #[cfg(test)]
    if work.without_sets {
        return Ok(None);
    }
    if state.count() > struck::MOST {
        return Ok(None);
    }
    let cost = cost_of_sets(Search::Nested(level), state.count().into());
    if !work.add(cost) {
        return Err(GaveUpError);
    }
    let crew = work.crew.clone();
    let looks = work.looks.as_mut().filter(|looks| looks.start == *state);
    let Some(looks) = looks else {
        return Ok(Some(board::closures(state, level)));
    };
    let sights = looks.sights.clone().expect("there are no more candidates");
    let number = usize::from(level);
    if looks.boards[number].is_none() {
        let below = looks.boards[..number].iter().rev().flatten().next();
        let mut board = below.map_or_else(|| Board::of(state, sights), Board::clone);
        if let Some((_, before)) = looks.before[number].take() {
            board.take_over(&before);
        }
        board.close(state, level, &mut |_, search, states| {
            looks.struck(search, states, crew.as_ref())
        });
        looks.boards[number] = Some(board);
    }
    let board = looks.boards[number].as_ref();
    Ok(board.map(Board::closures))
}

/// Returns true if no forcing chain is there at the start. Then each in a later position needs what a run has lost.
pub(super) fn is_calm(start: &State, work: &Work) -> bool {
    #[cfg(test)]
    if work.without_sets {
        return false;
    }
    match work.looks.as_ref().filter(|looks| looks.start == *start) {
        Some(looks) => *looks.shared.is_calm.get_or_init(|| forcing::is_calm(start)),
        None => forcing::is_calm(start),
    }
}

/// Returns true if sets say that a search finds nothing in a position that a run left. Notes the closures of dynamic chains if
/// it looks for these.
fn finds_nothing(
    search: Search,
    start: &State,
    now: &State,
    work: &mut Work,
    closures: &mut Option<Closures>,
) -> bool {
    #[cfg(test)]
    if work.without_sets {
        return false;
    }
    let looks = work.looks.as_mut().filter(|looks| looks.start == *start);
    let struck = match looks {
        Some(looks) if looks.sights.is_some() => {
            if search == Search::Dynamic {
                *closures = looks.note_struck_by_dynamic(now);
            }
            looks.struck(search, std::slice::from_ref(now), None)[0]
        }
        _ => match Sights::of(now) {
            Some(sights) => sights.struck(search, now),
            None => return false,
        },
    };
    struck == [0; 4]
}

/// The finds of a technique in the position that a run left, or those in an equal one before: they count the same work.
fn found_before(
    technique: Option<Search>,
    start: &State,
    now: &State,
    work: &mut Work,
    look: impl FnOnce(&mut Work) -> Result<Vec<Applied>, GaveUpError>,
) -> Result<Option<Finds>, GaveUpError> {
    let finds = |found: Vec<Applied>| (!found.is_empty()).then(|| found.into());
    // Runs inside of runs start from positions that seldom come again.
    let Some(looks) = work.looks.as_ref().filter(|looks| looks.start == *start) else {
        return look(work).map(finds);
    };
    let key = (technique, now.cells);
    let known = lock(&looks.shared.found).get(&key).cloned();
    if let Some((found, cost)) = known {
        return match work.add(cost) {
            true => Ok(found),
            false => Err(GaveUpError),
        };
    }
    let before = work.done();
    let found = finds(look(work)?);
    let cost = work.done() - before;
    if let Some(looks) = work.looks.as_ref().filter(|looks| looks.start == *start) {
        lock(&looks.shared.found).insert(key, (found.clone(), cost));
    }
    Ok(found)
}

/// The chains of a search that follow from what a run has struck.
fn chains(
    search: Search,
    start: &State,
    now: &State,
    work: &mut Work,
) -> Result<Vec<Applied>, GaveUpError> {
    if !work.add(cost_of_sets(search, now.count().into())) {
        return Err(GaveUpError);
    }
    // Sets that are new are used again.
    let mut closures = None;
    if finds_nothing(search, start, now, work, &mut closures) {
        return Ok(Vec::new());
    }
    let mut found: Vec<Applied> = Vec::new();
    let mut struck: Known = [0; _];
    let mut take = |strikes: &[Candidate], hint: &dyn Fn() -> Brief| {
        // A candidate keeps the first chain that strikes it.
        if strikes.iter().all(|&strike| has(&struck, strike)) {
            return;
        }
        let hint = hint();
        let parents = lost_before(&hint, start, now);
        if !parents.is_empty() {
            strikes.iter().for_each(|&strike| set(&mut struck, strike));
            let (strikes, inner) = (strikes.to_vec(), Some(Arc::new(hint)));
            found.push(Applied {
                rule: Rule::Chain,
                strikes,
                parents,
                inner,
            });
        }
    };
    match search {
        Search::Forcing => forcing::all(now, is_calm(start, work), take),
        _ => branches::all(search, now, closures, work, &mut take)?,
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::{Hint, Search, Work, find};
    use crate::{
        grid::{Digits, Puzzle},
        technique::{Position, chain::state::State},
    };
    use sudoku_batch_test_support::one_of;

    /// The recorded positions of `tests/support/chains.txt`, with the search that finds a hint.
    fn positions() -> impl Iterator<Item = (State, &'static str)> {
        let lines = include_str!("../../../tests/support/chains.txt").lines();
        lines.map(|line| {
            let hex = |cell: usize| &line[82 + 3 * cell..85 + 3 * cell];
            let bits = |cell| u16::from_str_radix(hex(cell), 16).unwrap();
            let candidates = std::array::from_fn(|cell| Digits::from_bits(bits(cell)));
            let filled: Puzzle = line[..81].parse().unwrap();
            let position = Position::with_candidates(&filled, &candidates);
            (State::new(&position), line.split(' ').nth(3).unwrap())
        })
    }

    /// The hint of a level, node by node, is that of a search that follows all runs to the end, asks no sets, and looks
    /// for all cycles inside. Levels that are not the first that finds a hint have more hints to choose from.
    #[track_caller]
    fn compare(level: u8, state: &State) {
        let search = Search::Nested(level);
        let mut plain = Work::unbounded();
        plain.without_sets = true;
        let expected = find(search, state, &mut plain).unwrap();
        let mut work = Work::unbounded();
        if level > 1 {
            // The sets go on from those of the level below.
            find(Search::Nested(level - 1), state, &mut work).unwrap();
        }
        assert_eq!(find(search, state, &mut work).unwrap(), expected);
        let mut alone = Work::unbounded();
        assert_eq!(find(search, state, &mut alone).unwrap(), expected);
        // A longer list of nodes is not asked for.
        let mut short = Work::unbounded().without_nodes();
        let hint = find(search, state, &mut short).unwrap();
        let of = |hint: &Hint| (hint.kind, hint.length, hint.strikes.clone(), hint.place);
        assert_eq!(hint.as_ref().map(of), expected.as_ref().map(of));
    }

    #[test]
    fn sets_change_no_hint_of_levels_1_and_2() {
        // The sources run unoptimised here. Each position has a search of its own, and more of them have rarer sets.
        positions()
            .step_by(one_of(16))
            .for_each(|(state, _)| compare(1, &state));
        let mut nested = positions().filter(|(_, search)| *search == "nested-2");
        compare(2, &nested.next().unwrap().0);
    }

    /// All positions at levels 1 to 4, and one at level 5.
    #[test]
    #[ignore = "many minutes: cargo test --release --test units -- --ignored sets_change"]
    fn sets_change_no_hint_of_all_positions() {
        for (number, (state, search)) in positions().enumerate() {
            for level in 1..=5 {
                if level < 5 || search == "nested-4" {
                    eprintln!("{number} {level}");
                    compare(level, &state);
                }
            }
        }
    }
}
