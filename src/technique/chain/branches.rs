//! Chains with branches: Nishio (7.5), multiple (8.0), dynamic (8.5) and nested (9.0 and
//! more).
//!
//! Each search [runs](super::run) from candidates that are on, and dynamic ones from
//! candidates that are off too. What it looks for then:
//!
//! ```text
//!     contradiction   p on  -> q on and q off:               p is off (or the other way)
//!     double chain    p on  -> q,  p off -> q:               q holds
//!     cell chain      r1c1 = 2 -> q,  r1c1 = 5 -> q,
//!                     r1c1 = 7 -> q, and r1c1 has no other:  q holds
//!     region chain    the same with the places of a digit in a house
//! ```
//!
//! Nishio looks for contradictions of one digit only. Multiple looks for cell and region
//! chains, static ones: no node is struck on the way. Dynamic looks for all.
//!
//! The shortest hint is taken. Its length is the number of nodes of all its chains. Among
//! equal lengths, the order is: double, cell, region, contradiction; then the order in
//! which they are found.
//!
//! Two peculiarities of Sudoku Explainer decide ratings, and are kept. A region chain is
//! looked for only when the search visits the first place of the digit in the house. And a
//! run that ends in a contradiction is used for the other chains as far as it came.

use super::{
    GaveUpError, Kind, Search, Work,
    closure::Closures,
    length,
    multiple::{self, Group, Shortest},
    nested, nishio, others,
    proof::{self, Brief, Chain, SIDES, chain_to},
    run::{self, Desk, Manner, Run},
    state::{
        CANDIDATES, Candidate, HOUSES_OF, PLACES_OF, State, bits, candidate, cell_of, digit_of,
    },
};
use crate::{
    grid::{HOUSE_CELLS, House},
    technique::Rating,
};
use std::{
    collections::HashSet,
    mem,
    ops::Deref,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// The end of one chain: the start of its run, and the node.
#[derive(Clone, Copy, Debug)]
struct End {
    start: (Candidate, bool),
    node: u16,
}

/// The conclusion of a hint: a candidate that is on or off.
type Conclusion = (Candidate, bool);

/// A hint, before its nodes are listed.
#[derive(Clone, Debug)]
struct Outline {
    length: u32,
    key: u8,
    /// The number of hints that were found before it.
    number: u32,
    kind: Kind,
    conclusion: Conclusion,
    ends: Vec<End>,
}

/// The runs of a search, and the best hints so far.
struct Branches<'a> {
    search: Search,
    state: &'a State,
    work: &'a mut Work,
    /// The runs by start: off, on; and the starts.
    runs: Runs,
    started: Vec<(Candidate, bool)>,
    /// The first hint, or the first for each conclusion.
    best: Vec<Option<Outline>>,
    single: bool,
    /// Longer hints are not looked for.
    most: u32,
    found: u32,
}

/// Runs by start: off, on.
pub(super) type Runs = [Vec<Option<Box<Run>>>; 2];

/// The memory of the runs is kept for the next search.
impl Drop for Branches<'_> {
    fn drop(&mut self) {
        self.forget_all();
        self.work.tables.push(mem::take(&mut self.runs));
    }
}

/// The first hint of a position.
pub(super) fn best(
    search: Search,
    state: &State,
    work: &mut Work,
) -> Result<Option<Brief>, GaveUpError> {
    let calm = work.calm.as_ref() == Some(&state.cells);
    if matches!(search, Search::Nested(_)) {
        nested::Looks::begin(work, state);
    }
    let mut branches = Branches::new(search, state, work, true);
    let shortest = match search {
        Search::Multiple => multiple::shortest(state, calm),
        _ => Shortest::Contradiction,
    };
    match shortest {
        Shortest::Nothing => return Ok(None),
        Shortest::Of(group, length) => {
            branches.most = length;
            let (kind, starts) = members_of(state, &group);
            branches.need_all(&starts)?;
            branches.common_ends(kind, &starts);
        }
        Shortest::Contradiction => branches.search(None)?,
    }
    let Some(outline) = branches.best[0].take() else {
        return Ok(None);
    };
    let nodes = branches.work.nodes;
    if nodes {
        for end in &outline.ends {
            branches.need(end.start)?;
        }
    }
    Ok(Some(branches.hint(&outline, nodes)))
}

/// The hints of a position in order. Of those that strike the same, only the first is
/// there. `take` gets what a hint strikes, and a way to list its nodes. Dynamic chains take the closures of the position
/// if they are at hand.
pub(super) fn all(
    search: Search,
    state: &State,
    closures: Option<Closures>,
    work: &mut Work,
    mut take: impl FnMut(&[Candidate], &dyn Fn() -> Brief),
) -> Result<(), GaveUpError> {
    let mut branches = Branches::new(search, state, work, false);
    branches.search(closures)?;
    let mut outlines: Vec<_> = branches.best.iter().flatten().collect();
    outlines.sort_unstable_by_key(|outline| (outline.length, outline.key, outline.number));
    for outline in outlines {
        take(&branches.strikes(outline.conclusion), &|| {
            branches.hint(outline, true)
        });
    }
    Ok(())
}

/// Follows a start as a search does, and counts the work.
fn follow(
    search: Search,
    state: &State,
    start: (Candidate, bool),
    (limit, most): (u16, u32),
    run: &mut Run,
    work: &mut Work,
) -> Result<(), GaveUpError> {
    let manner = Manner {
        cells: search != Search::Nishio,
        strikes: search != Search::Multiple,
    };
    let mut inner = nested::Inner::of(search);
    // Multiple and forcing chains that need only what was lost before are found before. Dynamic ones may not be.
    let last = match search {
        Search::Nested(2) => Some(Search::Forcing),
        Search::Nested(3) => Some(Search::Multiple),
        _ => None,
    };
    let last = last.filter(|_| most != u32::MAX && nested::is_calm(state, work));
    let end = last.map(|last| (most, last));
    // Runs inside use another desk.
    let mut desk = work.desks.pop().unwrap_or_else(|| Box::new(Desk::new()));
    let look = |start: &State, now: &State| inner.look(start, now, work);
    let followed = run.follow(&mut desk, state, manner, start, limit, end, look);
    work.desks.push(desk);
    followed?;
    run.recount();
    if work.add(run.nodes.len() as u64) {
        Ok(())
    } else {
        Err(GaveUpError)
    }
}

/// Parts of a list with these lengths.
fn parts_of<T>(mut list: &[T], lengths: impl Iterator<Item = usize>) -> impl Iterator<Item = &[T]> {
    lengths.map_while(move |length| {
        let (part, rest) = list.split_at(length.min(list.len()));
        list = rest;
        (!part.is_empty()).then_some(part)
    })
}

/// The goal of a search at one place.
enum Try {
    /// The contradiction of a start.
    Contradiction((Candidate, bool)),
    /// The common ends of a group of starts.
    Group(Kind, Starts),
}

/// Shows what a search looks for in its order. `dynamic` searches look for contradictions and double
/// chains, and at cells with two candidates.
fn each_try(
    state: &State,
    dynamic: bool,
    mut see: impl FnMut(Try) -> Result<(), GaveUpError>,
) -> Result<(), GaveUpError> {
    for cell in 0..state.cells.len() {
        let digits = state.cells[cell];
        let count = digits.count_ones();
        if count < if dynamic { 2 } else { 3 } {
            continue;
        }
        for digit in bits(digits) {
            let candidate = candidate(cell, digit);
            let starts = [(candidate, true), (candidate, false)];
            if dynamic {
                for start in starts {
                    see(Try::Contradiction(start))?;
                }
            }
            if dynamic && count >= 3 {
                see(Try::Group(Kind::Double, starts.into_iter().collect()))?;
            }
            // The houses where this candidate is the first place of its digit.
            for side in 0..3 {
                let house = usize::from(HOUSES_OF[cell][side]);
                let places = state.places[house][digit];
                let is_first = places.trailing_zeros() == u32::from(PLACES_OF[cell][side]);
                if is_first && places & (places - 1) != 0 {
                    let (kind, starts) = members_of(state, &Group::Region(candidate, side));
                    see(Try::Group(kind, starts))?;
                }
            }
        }
        let (kind, starts) = members_of(state, &Group::Cell(cell));
        see(Try::Group(kind, starts))?;
    }
    Ok(())
}

/// A candidate that is on or off, where a run starts.
type Start = (Candidate, bool);

/// The kind of the chains of a group, and their starts.
type Members = (Kind, Starts);

/// The starts of a group: nine at most. Most groups are looked at once, so they have no memory of their own.
#[derive(Clone, Copy, Default)]
struct Starts {
    starts: [Start; 9],
    count: usize,
}

impl Deref for Starts {
    type Target = [Start];
    fn deref(&self) -> &[Start] {
        &self.starts[..self.count]
    }
}

impl FromIterator<Start> for Starts {
    fn from_iter<T: IntoIterator<Item = Start>>(members: T) -> Self {
        let mut starts = Self::default();
        for start in members {
            starts.starts[starts.count] = start;
            starts.count += 1;
        }
        starts
    }
}

/// The members of a group.
fn members_of(state: &State, group: &Group) -> (Kind, Starts) {
    match *group {
        Group::Cell(cell) => {
            let digits = bits(state.cells[cell]);
            let starts = Starts::from_iter(digits.map(|digit| (candidate(cell, digit), true)));
            (Kind::Cell(proof::cell(starts.starts[0].0)), starts)
        }
        Group::Region(first, side) => {
            let (cell, digit) = (cell_of(first), digit_of(first));
            let house = usize::from(HOUSES_OF[cell][side]);
            let places = bits(state.places[house][digit]);
            let start = |place: usize| (candidate(HOUSE_CELLS[house][place].into(), digit), true);
            let starts = places.map(start).collect();
            let house = House::containing(proof::cell(first), SIDES[side]);
            (Kind::Region(house, proof::digit(first)), starts)
        }
    }
}

impl<'a> Branches<'a> {
    fn new(search: Search, state: &'a State, work: &'a mut Work, single: bool) -> Self {
        let none = || (0..CANDIDATES).map(|_| None).collect();
        let runs = work.tables.pop().unwrap_or_else(|| [none(), none()]);
        Self {
            search,
            state,
            work,
            runs,
            started: Vec::new(),
            best: vec![None; if single { 1 } else { 2 * CANDIDATES }],
            single,
            most: u32::MAX,
            found: 0,
        }
    }

    /// The number of ancestors that a node may have that is worth following. What follows from it has one
    /// more, and a chain from another start has one at least.
    ///
    /// With limits, dynamic chains take 0.7 of the time. Searches up to a small length first, and
    /// then longer ones, took 1.3 times as long and more. A limit that is the best from the
    /// start gains nothing.
    fn limit(&self) -> u16 {
        let plain = matches!(
            self.search,
            Search::Nishio | Search::Multiple | Search::Dynamic
        );
        if !self.single || !plain {
            return u16::MAX;
        }
        let best = self.best_length();
        best.min(self.most).saturating_sub(2).min(u16::MAX.into()) as u16
    }

    /// The length of the best hint so far, if only one is wanted.
    fn best_length(&self) -> u32 {
        let best = self.best[0].as_ref().filter(|_| self.single);
        best.map_or(u32::MAX, |best| best.length)
    }

    /// Makes sure that there is a run.
    fn need(&mut self, start: (Candidate, bool)) -> Result<(), GaveUpError> {
        let slot = &mut self.runs[usize::from(start.1)][usize::from(start.0)];
        if slot.is_none() {
            let run = self.work.spare.pop();
            let mut run = run.unwrap_or_else(|| Box::new(Run::new()));
            let limits = (self.limit(), self.best_length());
            let followed = follow(self.search, self.state, start, limits, &mut run, self.work);
            self.keep(start, run);
            return followed;
        }
        Ok(())
    }

    fn keep(&mut self, start: (Candidate, bool), run: Box<Run>) {
        self.runs[usize::from(start.1)][usize::from(start.0)] = Some(run);
        self.started.push(start);
    }

    /// Makes sure that there are runs, with a crew. Only runs with techniques
    /// inside are worth it. They have no limit, so each depends on its start alone, and so does its
    /// work: the search gives up if the sum is over the bound, whoever follows which run.
    fn need_all(&mut self, starts: &[(Candidate, bool)]) -> Result<(), GaveUpError> {
        let is_long = matches!(self.search, Search::Nested(_));
        let Some(crew) = self.work.crew.clone().filter(|_| is_long) else {
            return starts.iter().try_for_each(|&start| self.need(start));
        };
        let mut met = HashSet::new();
        let is_new = |start: &(Candidate, bool)| !self.has_run(*start) && met.insert(*start);
        let starts: Vec<_> = starts.iter().copied().filter(is_new).collect();
        let (search, state, most) = (self.search, self.state, self.work.most);
        let best_length = self.best_length();
        let spare = mem::take(&mut self.work.spare);
        let memory = Mutex::new((spare, mem::take(&mut self.work.mates)));
        let memory_of_all = || nested::lock(&memory);
        let done = AtomicU64::new(self.work.done);
        let runs: Vec<_> = starts.iter().map(|_| OnceLock::new()).collect();
        let looks = self.work.looks.take();
        crew.each(starts.len(), &|n| {
            let Some(left) = most.checked_sub(done.load(Relaxed)) else {
                return;
            };
            let (run, work) = {
                let (spare, mates) = &mut *memory_of_all();
                (spare.pop(), mates.pop())
            };
            let mut run = run.unwrap_or_else(|| Box::new(Run::new()));
            let mut work = work.unwrap_or_else(Work::unbounded);
            work.restart(left);
            work.share_with(Some(Arc::clone(&crew)));
            work.looks = looks.as_ref().map(|looks| Box::new(looks.share()));
            // An excess over the bound shows in the sum.
            let limits = (u16::MAX, best_length);
            let _ = follow(search, state, starts[n], limits, &mut run, &mut work);
            done.fetch_add(work.done, Relaxed);
            let _ = runs[n].set(run);
            memory_of_all().1.push(work);
        });
        let memory = memory.into_inner().unwrap_or_else(PoisonError::into_inner);
        (self.work.spare, self.work.mates) = memory;
        self.work.looks = looks;
        self.work.done = done.into_inner();
        for (start, run) in starts.into_iter().zip(runs) {
            if let Some(run) = run.into_inner() {
                self.keep(start, run);
            }
        }
        if self.work.add(0) {
            Ok(())
        } else {
            Err(GaveUpError)
        }
    }

    fn has_run(&self, (candidate, on): (Candidate, bool)) -> bool {
        self.runs[usize::from(on)][usize::from(candidate)].is_some()
    }

    /// A run that is there.
    fn run(&self, (candidate, on): (Candidate, bool)) -> &Run {
        let run = &self.runs[usize::from(on)][usize::from(candidate)];
        run.as_deref().expect("the run is there")
    }

    /// Looks at all cells.
    fn search(&mut self, closures: Option<Closures>) -> Result<(), GaveUpError> {
        match self.search {
            Search::Nishio => self.nishio(),
            Search::Nested(level) => self.nested(level),
            Search::Dynamic => self.dynamic(closures),
            _ => self.multiple(),
        }
    }

    /// Follows the groups as the search goes on.
    fn multiple(&mut self) -> Result<(), GaveUpError> {
        each_try(self.state, false, |at| {
            if let Try::Group(kind, starts) = at {
                self.need_all(&starts)?;
                self.common_ends(kind, &starts);
            }
            Ok(())
        })
    }

    /// The starts and the groups in their order that may lead to a hint of a dynamic search. The closures say
    /// which these are.
    ///
    /// Contradictions and groups have different keys. So the order among both decides nothing.
    fn hopeful(
        &self,
        closures: Option<&Closures>,
    ) -> Result<(Vec<Start>, Vec<Members>), GaveUpError> {
        let (mut contradictions, mut groups) = (Vec::new(), Vec::new());
        each_try(self.state, true, |at| {
            match at {
                Try::Contradiction(start) => {
                    if closures.is_none_or(|closures| closures.contradicts(start)) {
                        contradictions.push(start);
                    }
                }
                Try::Group(kind, starts) => {
                    if closures.is_none_or(|closures| closures.may_meet(&starts)) {
                        groups.push((kind, starts));
                    }
                }
            }
            Ok(())
        })?;
        Ok((contradictions, groups))
    }

    /// Follows the runs of dynamic chains that may lead to a hint: those with a contradiction first. The runs of
    /// a group follow one by one, as long as it may come before the best hint.
    ///
    /// Of 43 contradictions in a search of magictour, one in 80 is as short as the hint that is taken. To find the least length
    /// of each before, all at once by rounds of nodes, ruled out a quarter of them and took longer: 1.12 in all. Groups without
    /// a contradiction first gained nothing, and contradictions in the order of their lengths would save 3 % of the nodes.
    fn dynamic(&mut self, closures: Option<Closures>) -> Result<(), GaveUpError> {
        let memory = self.work.memory.as_mut().filter(|_| self.single);
        let last = memory.map(|memory| &mut memory.settled);
        let mut closures = closures.or_else(|| Closures::of(self.state, last));
        let (contradictions, groups) = self.hopeful(closures.as_ref())?;
        for start in contradictions {
            self.need(start)?;
            self.tell(&[start], closures.as_mut());
            self.contradiction(start);
        }
        for (kind, starts) in groups {
            let mut may_win = true;
            for &start in &*starts {
                let by = closures.as_ref();
                may_win = by.is_none_or(|closures| self.may_win(kind, &starts, closures));
                if !may_win {
                    break;
                }
                if !self.has_run(start) {
                    self.need(start)?;
                    self.tell(&[start], closures.as_mut());
                }
            }
            if may_win {
                self.common_ends(kind, &starts);
            }
        }
        Ok(())
    }

    /// Follows the runs with techniques inside that may lead to a hint: those with a contradiction first, then
    /// the groups that may come before these. Which runs these are depends on the position alone.
    fn nested(&mut self, level: u8) -> Result<(), GaveUpError> {
        let mut closures = nested::closures(level, self.state, self.work)?;
        let (contradictions, groups) = self.hopeful(closures.as_ref())?;
        // A few runs bound the length of more: parts of 2, 4, 8 runs and so on. Each part goes by the best
        // before it, so whoever follows which of its runs, it is the same.
        let parts = (1..).map(|n| 1 << n);
        for part in parts_of(&contradictions, parts.clone()) {
            self.need_all(part)?;
            self.tell(part, closures.as_mut());
            for &start in part {
                self.contradiction(start);
            }
        }
        for part in parts_of(&groups, parts) {
            let by = closures.as_ref();
            let may_win = |&&(kind, ref starts): &&Members| {
                by.is_none_or(|closures| self.may_win(kind, starts, closures))
            };
            let part: Vec<_> = part.iter().filter(may_win).collect();
            let starts = part.iter().flat_map(|(_, starts)| &**starts);
            let starts: Vec<_> = starts.copied().collect();
            self.need_all(&starts)?;
            self.tell(&starts, closures.as_mut());
            for (kind, starts) in part {
                self.common_ends(*kind, starts);
            }
        }
        Ok(())
    }

    /// Tells the closures what runs have noted.
    fn tell(&self, starts: &[(Candidate, bool)], closures: Option<&mut Closures>) {
        if let Some(closures) = closures {
            for &start in starts {
                let run = self.run(start);
                closures.note(start, &run.nodes[..run.noted()]);
            }
        }
    }

    /// Returns true if some runs may have an end in common that comes before the best hint: by what those that
    /// are there have noted, and what the others know at most.
    fn may_win(&self, kind: Kind, starts: &[(Candidate, bool)], closures: &Closures) -> bool {
        let best = self.best[0].as_ref().filter(|_| self.single);
        let bound = best.map_or((u32::MAX, 0), |best| (best.length, best.key));
        closures.common(starts).any(|end| {
            let length = starts.iter().map(|&start| match self.has_run(start) {
                true => {
                    let run = self.run(start);
                    u32::from(run.nodes[usize::from(run.find(end.0, end.1))].ancestors)
                }
                // An end that is no start follows from one at least.
                false if start == end => 1,
                false => 2,
            });
            (length.sum(), kind.key()) < bound
        })
    }

    /// Nishio: the contradictions of runs that end in one. No run is needed twice. A digit that has had none still has none
    /// with the same places.
    fn nishio(&mut self) -> Result<(), GaveUpError> {
        let state = self.state;
        let memory = self.work.memory.as_ref();
        let before = memory.and_then(|memory| memory.without_nishio.as_ref());
        let digits = before.map_or(0x1FF, |before| state.digits_changed(before));
        let contradicts = nishio::contradictions(state, digits);
        let cells = state.cells.iter().enumerate();
        for (cell, &digits) in cells.filter(|(_, digits)| digits.count_ones() >= 2) {
            for candidate in bits(digits).map(|digit| candidate(cell, digit)) {
                for on in [true, false] {
                    let of = &contradicts[usize::from(on)];
                    if of[usize::from(candidate) / 64] >> (candidate % 64) & 1 != 0 {
                        self.need((candidate, on))?;
                        self.contradiction((candidate, on));
                        self.forget_all();
                    }
                }
            }
        }
        if self.best[0].is_none()
            && let Some(memory) = &mut self.work.memory
        {
            memory.without_nishio = Some(state.cells);
        }
        Ok(())
    }

    /// Takes back all runs, for others.
    fn forget_all(&mut self) {
        for (candidate, on) in self.started.drain(..) {
            let run = self.runs[usize::from(on)][usize::from(candidate)].take();
            self.work.spare.extend(run);
        }
    }

    fn contradiction(&mut self, start: (Candidate, bool)) {
        let (candidate, on) = start;
        if let Some(nodes) = self.run(start).contradiction {
            let ends = nodes.map(|node| End { start, node });
            self.offer(Kind::Contradiction, (candidate, !on), &ends);
        }
    }

    /// Nodes that are in all of some runs: those that are on, then those that are off, in
    /// the order of the first run.
    fn common_ends(&mut self, kind: Kind, starts: &[(Candidate, bool)]) {
        let mut found = Vec::new();
        let first = self.run(starts[0]);
        let mut runs = [first; 9];
        for (run, &start) in runs.iter_mut().zip(starts) {
            *run = self.run(start);
        }
        let others = &runs[1..starts.len()];
        let known = first.noted();
        let key = kind.key();
        let best = self.best[0].as_ref().filter(|_| self.single);
        let mut bound = best.map_or((u32::MAX, 0), |best| (best.length, best.key));
        for on in [true, false] {
            let mut common = first.known[usize::from(on)];
            for other in others {
                for (word, other) in common.iter_mut().zip(&other.known[usize::from(on)]) {
                    *word &= other;
                }
            }
            if common.iter().all(|&word| word == 0) {
                continue;
            }
            let is_common = |node: &run::Node| {
                common[usize::from(node.candidate) / 64] >> (node.candidate % 64) & 1 != 0
            };
            for (number, node) in first.nodes[..known].iter().enumerate() {
                let mut length = u32::from(node.ancestors);
                if node.on != on || (length, key) >= bound || !is_common(node) {
                    continue;
                }
                let mut numbers = [number as u16; 9];
                let mut nested = node.nested;
                let in_all = others.iter().zip(&mut numbers[1..]).all(|(run, number)| {
                    *number = run.find(node.candidate, on);
                    let Some(node) = run.nodes.get(usize::from(*number)) else {
                        return false;
                    };
                    length += u32::from(node.ancestors);
                    nested |= node.nested;
                    true
                });
                if in_all && (length, key) < bound {
                    found.push(((node.candidate, on), numbers));
                    let strikes = !on || self.state.cells[cell_of(node.candidate)].count_ones() > 1;
                    if self.single && !nested && strikes {
                        bound = (length, key);
                    }
                }
            }
        }
        for (conclusion, numbers) in found {
            let ends = starts.iter().zip(numbers);
            let ends: Vec<_> = ends.map(|(&start, node)| End { start, node }).collect();
            self.offer(kind, conclusion, &ends);
        }
    }

    /// The strikes of a conclusion.
    fn strikes(&self, (target, on): Conclusion) -> Vec<Candidate> {
        if on {
            others(self.state, target)
        } else {
            vec![target]
        }
    }

    /// The slot of the hint for a conclusion. A digit that goes into a cell with one
    /// other candidate strikes that candidate: both are one conclusion.
    fn slot(&self, (target, on): Conclusion) -> usize {
        if self.single {
            return 0;
        }
        let others = self.state.cells[cell_of(target)] & !(1 << digit_of(target));
        if on && others.count_ones() == 1 {
            return usize::from(candidate(cell_of(target), others.trailing_zeros() as usize));
        }
        usize::from(target) + if on { CANDIDATES } else { 0 }
    }

    /// Keeps a hint if it comes before the one that is kept.
    fn offer(&mut self, kind: Kind, conclusion: Conclusion, ends: &[End]) {
        self.found += 1;
        let (target, on) = conclusion;
        if on && self.state.cells[cell_of(target)] & !(1 << digit_of(target)) == 0 {
            return;
        }
        let node = |end: &End| self.run(end.start).nodes[usize::from(end.node)];
        let mut length: u32 = ends.iter().map(|end| u32::from(node(end).ancestors)).sum();
        let (slot, key) = (self.slot(conclusion), kind.key());
        let wins = |length| match &self.best[slot] {
            Some(best) => (length, key) < (best.length, best.key),
            None => true,
        };
        if !wins(length) {
            return;
        }
        if ends.iter().any(|end| node(end).nested) {
            // Lists of nodes take long.
            let inner = |end: &End| self.run(end.start).inner.length(end.node);
            if !wins(length + ends.iter().map(inner).max().unwrap_or(0)) {
                return;
            }
            length += proof::inner_length(&self.chains(ends));
            if !wins(length) {
                return;
            }
        }
        self.best[slot] = Some(Outline {
            length,
            key,
            number: self.found,
            kind,
            conclusion,
            ends: ends.to_vec(),
        });
    }

    fn chains(&self, ends: &[End]) -> Vec<Chain> {
        ends.iter()
            .map(|end| chain_to(self.run(end.start), end.node))
            .collect()
    }

    /// A hint, with its nodes if they are wanted.
    fn hint(&self, outline: &Outline, nodes: bool) -> Brief {
        let (target, on) = outline.conclusion;
        Brief {
            search: self.search,
            kind: outline.kind,
            rating: Rating::from_tenths(self.search.base() + length::tenths(outline.length)),
            length: outline.length,
            chains: if nodes {
                self.chains(&outline.ends)
            } else {
                Vec::new()
            },
            strikes: self.strikes(outline.conclusion),
            place: on.then_some(target),
        }
    }
}
