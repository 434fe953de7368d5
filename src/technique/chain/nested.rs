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
    GaveUpError, Hint, Search, Work, branches, forcing,
    proof::{Rule, lost_before},
    rules,
    run::Applied,
    state::{Candidate, State},
};
use crate::grid::CELLS;
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// The techniques inside the runs of a search.
pub(super) struct Inner {
    rules: bool,
    chains: &'static [Search],
}

impl Inner {
    pub(super) fn of(search: Search) -> Self {
        let chains: &[Search] = match search {
            Search::Nested(2) => &[Search::Forcing],
            Search::Nested(3) => &[Search::Forcing, Search::Multiple],
            Search::Nested(4) => &[Search::Dynamic],
            Search::Nested(5) => &[Search::Dynamic, Search::Nested(2)],
            _ => &[],
        };
        Self {
            rules: matches!(search, Search::Nested(_)),
            chains,
        }
    }

    /// The hints of the first technique that strikes something.
    pub(super) fn look(
        &mut self,
        start: &State,
        now: &State,
        work: &mut Work,
    ) -> Result<Vec<Applied>, GaveUpError> {
        if !self.rules {
            return Ok(Vec::new());
        }
        let rules = |_: &mut Work| {
            let mut found = rules::ORDER.iter().map(|look| look(start, now));
            Ok(found.find(|found| !found.is_empty()).unwrap_or_default())
        };
        let found = found_before(None, start, now, work, rules)?;
        if !found.is_empty() {
            return Ok(found);
        }
        for &search in self.chains {
            let chains = |work: &mut Work| chains(search, start, now, work);
            let found = found_before(Some(search), start, now, work, chains)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }
}

/// The finds of techniques inside runs, in the positions that the runs of one position left, and the work of each.
/// The rules are no search.
///
/// Runs lead to equal positions, and a search of a level goes through the positions of the level below once more. A find
/// depends on the two positions alone.
#[derive(Clone, Debug)]
pub(super) struct Looks {
    /// The position at the start of the runs.
    start: State,
    /// By the technique and the candidates.
    found: HashMap<(Option<Search>, [u16; CELLS]), Finds>,
}

/// The finds of a technique in a position, and the work of the search.
type Finds = (Arc<[Applied]>, u64);

impl Looks {
    /// Keeps what is found in runs from this position from now on, and forgets what was found in those from another one.
    pub(super) fn begin(work: &mut Work, start: &State) {
        if work
            .looks
            .as_ref()
            .is_none_or(|looks| looks.start != *start)
        {
            work.looks = Some(Box::new(Self {
                start: start.clone(),
                found: HashMap::new(),
            }));
        }
    }
}

/// The finds of a technique in the position that a run left, or those in an equal one before: they count the same work.
fn found_before(
    technique: Option<Search>,
    start: &State,
    now: &State,
    work: &mut Work,
    look: impl FnOnce(&mut Work) -> Result<Vec<Applied>, GaveUpError>,
) -> Result<Vec<Applied>, GaveUpError> {
    // Runs inside of runs start from positions that seldom come again.
    let Some(looks) = work.looks.as_ref().filter(|looks| looks.start == *start) else {
        return look(work);
    };
    let key = (technique, now.cells);
    if let Some((found, cost)) = looks.found.get(&key) {
        let (found, cost) = (Arc::clone(found), *cost);
        return match work.add(cost) {
            true => Ok(found.to_vec()),
            false => Err(GaveUpError),
        };
    }
    let before = work.done();
    let found = look(work)?;
    let cost = work.done() - before;
    if let Some(looks) = work.looks.as_mut().filter(|looks| looks.start == *start) {
        looks.found.insert(key, (found.as_slice().into(), cost));
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
    let mut found: Vec<Applied> = Vec::new();
    let mut struck: HashSet<Candidate> = HashSet::new();
    let mut take = |strikes: &[Candidate], hint: &dyn Fn() -> Hint| {
        // A candidate keeps the first chain that strikes it.
        if strikes.iter().all(|strike| struck.contains(strike)) {
            return;
        }
        let hint = hint();
        let parents = lost_before(&hint, start, now);
        if !parents.is_empty() {
            struck.extend(strikes);
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
        Search::Forcing => {
            if !work.add(8 * now.candidates().count() as u64) {
                return Err(GaveUpError);
            }
            forcing::all(now, take);
        }
        _ => branches::all(search, now, work, &mut take)?,
    }
    Ok(found)
}
