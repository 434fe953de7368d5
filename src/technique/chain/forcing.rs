//! Cycles and forcing chains: 6.5 to 7.x.
//!
//! A *forcing chain* leads from a candidate that is on to the same candidate off, which
//! strikes it, or from off to on, which places it. Links alternate: a weak one from on to
//! off, a strong one from off to on.
//!
//! ```text
//!     r1c1 is 5 -> r1c7 is not 5 -> r8c7 is 5 -> r8c2 is not 5 -> r3c2 is 5 -> r1c1 is not 5
//!          on           off             on           off            on            off
//! ```
//!
//! Three searches find all of them: with links of one digit (X: cycles 6.5, chains 6.6),
//! with strong links in cells only (Y: cycles 6.5), and with all (XY: 7.0). The length
//! adds to these. Among all hints of a position, the first by difficulty, length, search
//! and candidate is taken.
//!
//! For forcing chains only the length counts, so [`reach`](super::reach) finds the shortest
//! of all candidates at once. The nodes are searched for the one that is taken.
//!
//! If the only solution of the puzzle is known, few candidates need to be starts: see
//! [`Shortest`].

mod hints;
mod rank;

use super::{
    cycles::Tree,
    length,
    links::{Links, Mode, Row, and, each, has, lowest, meet, set},
    proof::Brief,
    reach::{Net, Shortest},
    state::{Candidate, State, cell_of, digit_of},
    struck::Ways,
};
use crate::{grid::GridLine, simd};
use rank::{CYCLE, First, PLACE, Rank, STRIKE};

/// The first hint of a position, with its nodes or without. The solution is the only one, if it is
/// known.
pub(super) fn best(state: &State, solution: Option<&GridLine>, nodes: bool) -> Option<Brief> {
    match state.count() {
        ..=128 => simd::with_words!(|| Forcing::<2>::of(state).knowing(solution).best(nodes)),
        129..=256 => simd::with_words!(|| Forcing::<4>::of(state).knowing(solution).best(nodes)),
        // Rows of more words are rare, and one build of them is enough.
        _ => Forcing::<12>::of(state).knowing(solution).best(nodes),
    }
}

/// The hints of a position in order that may strike something new. `take` gets what a hint strikes, and a way to
/// list its nodes. `chains_count` says that it counts each chain: a cycle that comes after the chains
/// for all of its strikes is not there then.
pub(super) fn all(
    state: &State,
    chains_count: bool,
    take: impl FnMut(&[Candidate], &dyn Fn() -> Brief),
) {
    match state.count() {
        ..=128 => simd::with_words!(|| Forcing::<2>::of(state).all(chains_count, take)),
        129..=256 => simd::with_words!(|| Forcing::<4>::of(state).all(chains_count, take)),
        _ => Forcing::<12>::of(state).all(chains_count, take),
    }
}

/// Returns true if no chain leads from a candidate to its opposite.
pub(super) fn is_calm(state: &State) -> bool {
    let links = Links::<12>::of(state);
    let ways = Ways::of(links.sees_rows(Mode::Xy), links.strong_rows(Mode::Xy));
    ways.opposites() == [[0; 12]; 2]
}

struct Forcing<'a, const W: usize> {
    links: Links<'a, W>,
    /// The candidates from which chains and cycles start.
    starts: Row<W>,
    /// The candidates that the solution has, or all if it is not known.
    right: Row<W>,
}

impl<'a, const W: usize> Forcing<'a, W> {
    #[inline(always)]
    fn of(state: &'a State) -> Self {
        let links = Links::of(state);
        // Chains start in cells with two candidates or more.
        let mut starts = [0; W];
        for (n, &candidate) in links.candidates.iter().enumerate() {
            let digits = state.cells[cell_of(candidate)];
            if digits & (digits - 1) != 0 {
                set(&mut starts, n as u16);
            }
        }
        Self {
            links,
            starts,
            right: [u64::MAX; W],
        }
    }

    #[inline(always)]
    fn knowing(mut self, solution: Option<&GridLine>) -> Self {
        if let Some(solution) = solution {
            self.right = [0; W];
            for (n, &candidate) in (0..).zip(&self.links.candidates) {
                if usize::from(solution[cell_of(candidate)] - b'1') == digit_of(candidate) {
                    set(&mut self.right, n);
                }
            }
        }
        self
    }

    #[inline(always)]
    fn best(&self, nodes: bool) -> Option<Brief> {
        let mut first = First {
            hint: None,
            most: 2 * self.links.count() as u32,
        };
        let mut tree = Tree::new();
        // A loop, because three calls are three copies for each level and width: they took a
        // seventh of the time in which the library is compiled.
        for mode in [Mode::X, Mode::Y, Mode::Xy] {
            if mode != Mode::Xy || first.is_open() {
                self.first_of(mode, &mut tree, &mut first);
            }
        }
        let (rank, mode, cycle) = first.hint?;
        Some(self.hint(rank, mode, cycle, nodes))
    }

    /// The first hint of one mode, if it comes before the first so far.
    #[inline(always)]
    fn first_of(&self, mode: Mode, tree: &mut Tree<W>, first: &mut First) {
        let net = Net::of(&self.links, mode);
        if net.list.is_empty() {
            return;
        }
        let mut shortest = Shortest::new(&net, &self.right);
        while shortest.advance(&net) {
            let strike = lowest(&and(&shortest.strikes, &self.starts));
            let place = lowest(&and(&shortest.places, &self.starts));
            if mode != Mode::Y {
                let length = shortest.length.into();
                for (sort, from) in [(STRIKE, strike), (PLACE, place)] {
                    let Some(from) = from else { continue };
                    let rank = Rank::new(mode, length, from, sort);
                    first.offer(rank, mode, || None);
                }
            }
            let any = strike.is_some() || mode != Mode::Y && place.is_some();
            if any || shortest.strikes != [0; W] {
                self.first_cycle(&net, &mut shortest, tree, first);
                if !any {
                    continue;
                }
                return;
            }
        }
    }

    /// Looks for cycles that come before the first hint so far, where no chain strikes
    /// anything that is shorter than those of `shortest`.
    ///
    /// A cycle that strikes s has a node that is on and one that is off, both of the digit of
    /// s and seen by s. From one to the other, a part of the cycle is a chain that strikes s,
    /// with two nodes more than the cycle at most. So without such chains there are no
    /// cycles, and few states have two nodes that fit.
    #[inline(always)]
    fn first_cycle(
        &self,
        net: &Net<'_, W>,
        shortest: &mut Shortest<W>,
        tree: &mut Tree<W>,
        first: &mut First,
    ) {
        let [before, after] = first.bounds(net.mode);
        // No chain that strikes is shorter than this.
        let chain = u32::from(shortest.length) + if shortest.strikes == [0; W] { 2 } else { 0 };
        // The chain comes before longer cycles, also where it is offered only later.
        let easy = length::difficulty(70, chain);
        let lengths = (4..=before.max(after)).step_by(2);
        let is_easy = |&length: &u32| length::difficulty(65, length) <= easy;
        let most = lengths.take_while(is_easy).last().unwrap_or(0);
        while u32::from(shortest.length) < most && shortest.advance(net) {}
        if most < 4.max(chain - 2) || !self.may_strike(net, shortest, most, chain) {
            return;
        }
        tree.prepare(net);
        let mut closed = vec![0; net.list.len()];
        for length in (4.max(chain - 2)..=most).step_by(2) {
            let mut found = false;
            for (&from, closed) in net.list.iter().zip(&mut closed) {
                let bound = if first.is_before(from) { before } else { after };
                if *closed == 0 {
                    *closed = tree.closed(net, from, most);
                }
                let closes = *closed >> (length / 2).min(63) & 1 != 0;
                if length > bound || !closes || !has(&self.starts, from) {
                    continue;
                }
                tree.cycles(&self.links, net, from, length, |links, path| {
                    if links < length || path.strikes(&self.links) == [0; W] {
                        return length;
                    }
                    let rank = Rank::new(net.mode, length, from, CYCLE);
                    first.offer(rank, net.mode, || Some(path.cycle()));
                    found = true;
                    0
                });
                if found {
                    return;
                }
            }
        }
    }

    /// Returns true if a cycle of up to this length may strike anything: whether two nodes of a closed
    /// way are of one digit, one on and one off, and see a third. The part of the way that is
    /// a chain is as long as `chain` or longer.
    ///
    /// In one of its two directions, the nodes that are off are the right ones. The way back from
    /// the node that is on begins at one of these too.
    #[inline(always)]
    fn may_strike(
        &self,
        net: &Net<'_, W>,
        shortest: &Shortest<W>,
        length: u32,
        chain: u32,
    ) -> bool {
        let back = (length / 2 + 1 - chain / 2) as usize;
        let table = back.checked_sub(1).map(|depth| shortest.off_at(depth));
        let reach = &shortest.reach;
        let rows = reach.rows(net);
        let lasts = and(&net.ends, &self.right);
        for &(from, row) in &reach.starts {
            let n = usize::from(from);
            let own = &self.links.same_digit[n];
            let on = &reach.on[usize::from(row)];
            let mut closes = false;
            each(&and(on, self.links.digit_row(from)), |to| {
                if closes || !meet(own, &self.links.same_digit[to]) {
                    return;
                }
                closes = has(&net.sees[n], to as u16);
                if let Some(table) = table {
                    each(&and(&net.sees[to], &lasts), |last| {
                        closes |= has(&table[usize::from(rows[last])], from);
                    });
                }
            });
            if closes {
                return true;
            }
        }
        false
    }
}
