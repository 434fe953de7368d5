//! Rules inside chains.
use super::{GaveUp, Search, Work, run::Applied, state::State};

pub(super) struct Inner { level: u8 }

impl Inner {
    pub(super) fn of(search: Search) -> Self {
        Self { level: match search { Search::Nested(level) => level, _ => 0 } }
    }
    pub(super) fn look(&mut self, _start: &State, _now: &State, _work: &mut Work) -> Result<Vec<Applied>, GaveUp> {
        if self.level == 0 { return Ok(Vec::new()); }
        Ok(Vec::new())
    }
}
