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
use std::{collections::HashSet, sync::Arc};

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
        let rules = rules::ORDER.iter().map(|look| look(start, now));
        if let Some(found) = rules.into_iter().find(|found| !found.is_empty()) {
            return Ok(found);
        }
        for &search in self.chains {
            let found = chains(search, start, now, work)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }
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
