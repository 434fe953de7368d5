//! How far candidates reach, all at once.
//!
//! A candidate that is off puts others on by strong links, these put others off by weak
//! links, and so on. For each candidate a row of bits holds what is on when it is off, and
//! another what is off. One depth more costs the union of the rows of what is new: all
//! starts go on together, and no tree is grown.
//!
//! ```text
//!     s on -> a off => b on -> c off => d on -> s off        => a strong link, -> a weak one
//!             |----------- depth 1 ------|
//! ```
//!
//! A chain strikes s if it sees both ends of such a way, and places a if a itself is on
//! when it is off. So the rows need only start at candidates with strong links.
//!
//! The idea of rows of bits for all starts is that of skfr by Gérard Penet.

use super::{
    links::{Links, Mode, Row, add, and, and_not, each, has, set},
    rows::Rows,
};

/// The links of one mode as rows.
pub(super) struct Net<'a, const W: usize> {
    pub(super) mode: Mode,
    /// The candidates that each candidate sees.
    pub(super) sees: &'a [Row<W>],
    /// The strong links of each candidate.
    pub(super) strong: &'a [Row<W>],
    /// The candidates with strong links, as a set and as a list.
    pub(super) ends: Row<W>,
    pub(super) list: Vec<u16>,
    /// The candidates that are off after that.
    after: Rows<W>,
}

impl<'a, const W: usize> Net<'a, W> {
    #[inline(always)]
    pub(super) fn of(links: &'a Links<'_, W>, mode: Mode) -> Self {
        let mut net = Self {
            mode,
            sees: links.sees_rows(mode),
            strong: links.strong_rows(mode),
            ends: [0; W],
            list: Vec::with_capacity(links.count()),
            after: Rows::empty(links.count()),
        };
        for (n, row) in (0..).zip(net.strong) {
            let mut off = [0; W];
            if *row != [0; W] {
                set(&mut net.ends, n);
                net.list.push(n);
                each(row, |to| add(&mut off, &net.sees[to]));
            }
            net.after[usize::from(n)] = off;
        }
        net
    }

    /// The targets of a candidate that is on, in one jump: a weak link and then a strong one.
    #[inline(always)]
    pub(super) fn jump(&self, from: u16) -> Row<W> {
        let mut row = [0; W];
        let off = and(&self.sees[usize::from(from)], &self.ends);
        each(&off, |n| add(&mut row, &self.strong[n]));
        row
    }
}

/// The consequences of each start, up to some depth: when a candidate with strong links is off,
/// or when a candidate is on.
pub(super) struct Reach<const W: usize> {
    /// The starts, each with the number of its row.
    pub(super) starts: Vec<(u16, u16)>,
    /// For each start: what is on, and what is off, itself too.
    pub(super) on: Rows<W>,
    pub(super) off: Rows<W>,
    /// The candidates that are off since the last depth and have strong links.
    fresh: Rows<W>,
}

/// The findings at one depth.
pub(super) struct Depth<const W: usize> {
    /// The candidates that see both ends of a way of this length.
    pub(super) strikes: Row<W>,
    /// The candidates that are on when they are off.
    pub(super) places: Row<W>,
    /// True if anything new is reached.
    pub(super) more: bool,
}

impl<const W: usize> Reach<W> {
    /// Candidates that are off, with one row after the other.
    #[inline(always)]
    pub(super) fn from_off(starts: impl Iterator<Item = u16>) -> Self {
        let starts: Vec<_> = starts.zip(0..).collect();
        let count = starts.len();
        let mut reach = Self {
            starts,
            on: Rows::empty(count),
            off: Rows::empty(count),
            fresh: Rows::empty(count),
        };
        for &(n, row) in &reach.starts {
            set(&mut reach.off[usize::from(row)], n);
            set(&mut reach.fresh[usize::from(row)], n);
        }
        reach
    }

    /// The row of each candidate that is a start.
    #[inline(always)]
    pub(super) fn rows(&self, net: &Net<'_, W>) -> Vec<u16> {
        let mut rows = vec![0; net.sees.len()];
        for &(n, row) in &self.starts {
            rows[usize::from(n)] = row;
        }
        rows
    }

    /// Candidates that are on. The number of a row is that of its candidate.
    #[inline(always)]
    pub(super) fn from_on(net: &Net<'_, W>, starts: impl Iterator<Item = u16>) -> Self {
        let count = net.sees.len();
        let mut on = Rows::empty(count);
        let mut fresh = Rows::copy(net.sees);
        for (n, (on, fresh)) in (0..).zip(on.iter_mut().zip(fresh.iter_mut())) {
            set(on, n);
            *fresh = and(fresh, &net.ends);
        }
        Self {
            starts: starts.map(|n| (n, n)).collect(),
            on,
            off: Rows::copy(net.sees),
            fresh,
        }
    }

    /// Goes one strong link and one weak link on.
    #[inline(always)]
    pub(super) fn deepen(&mut self, net: &Net<'_, W>) -> Depth<W> {
        let (mut strikes, mut places, mut more) = ([0; W], [0; W], [0; W]);
        let after = &*net.after;
        for &(start, row) in &self.starts {
            let n = usize::from(row);
            if self.fresh[n] == [0; W] {
                continue;
            }
            // One loop for both: what was on before adds nothing that is not off already.
            let (mut on, mut off) = ([0; W], [0; W]);
            each(
                &self.fresh[n],
                #[inline(always)]
                |to| {
                    add(&mut on, &net.strong[to]);
                    add(&mut off, &after[to]);
                },
            );
            let new = and_not(&on, &self.on[n]);
            add(&mut more, &new);
            add(&mut self.on[n], &new);
            if has(&new, start) {
                set(&mut places, start);
            }
            let new = and_not(&off, &self.off[n]);
            add(&mut self.off[n], &new);
            add(&mut strikes, &and(&new, &net.sees[usize::from(start)]));
            self.fresh[n] = and(&new, &net.ends);
        }
        let more = more != [0; W];
        Depth {
            strikes,
            places,
            more,
        }
    }
}

/// The shortest chains, length by length from 4 nodes on: those from on to off, and those
/// from off to on.
///
/// Only the first length at which there are any is known for each candidate, if not all candidates are
/// starts. What is right in the only solution is enough: a chain that strikes can be read both ways,
/// and one of its ends is right; and what is placed is right itself.
pub(super) struct Shortest<const W: usize> {
    pub(super) reach: Reach<W>,
    /// The candidates that were off at the depths before, one after the other.
    before: Rows<W>,
    /// The strikes and placements of chains of the present length.
    pub(super) strikes: Row<W>,
    pub(super) places: Row<W>,
    /// The strikes of the next length.
    next: Row<W>,
    pub(super) length: u16,
    more: bool,
}

impl<const W: usize> Shortest<W> {
    #[inline(always)]
    pub(super) fn new(net: &Net<'_, W>, right: &Row<W>) -> Self {
        let starts = net.list.iter().copied().filter(|&n| has(right, n));
        let mut reach = Reach::from_off(starts);
        let first = reach.deepen(net);
        Self {
            reach,
            before: Rows::none(),
            strikes: [0; W],
            places: [0; W],
            next: first.strikes,
            length: 2,
            more: first.more,
        }
    }

    /// The candidates that were off at a depth, or at the last one.
    #[inline(always)]
    pub(super) fn off_at(&self, depth: usize) -> &[Row<W>] {
        let mut depths = self.before.chunks_exact(self.reach.off.len());
        depths.nth(depth).unwrap_or(&self.reach.off)
    }

    /// Goes to the next length. The rows are then one strong link deeper than the strikes.
    /// Whether there may be chains of this length.
    #[inline(always)]
    pub(super) fn advance(&mut self, net: &Net<'_, W>) -> bool {
        if !self.more && self.next == [0; W] {
            return false;
        }
        self.before.append(&self.reach.off);
        let depth = self.reach.deepen(net);
        self.strikes = self.next;
        self.next = depth.strikes;
        self.places = depth.places;
        self.more = depth.more;
        self.length += 2;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Net, Shortest};
    use crate::{
        grid::{Digits, Puzzle},
        technique::{
            Position,
            chain::{
                links::{Links, Mode, members},
                state::State,
            },
        },
    };
    use std::collections::{HashSet, VecDeque};

    /// The number of nodes of the shortest way from a candidate to its opposite, breadth
    /// first, link by link.
    fn walk(links: &Links<'_, 12>, mode: Mode, from: u16, on: bool) -> u16 {
        let mut queue = VecDeque::from([(from, on, 1)]);
        let mut met = HashSet::from([(from, on)]);
        while let Some((here, is_on, length)) = queue.pop_front() {
            let mut steps = Vec::new();
            if is_on {
                links.weak(mode, here, &[u64::MAX; 12], |step| {
                    steps.push(step);
                    true
                });
            } else {
                steps.extend(links.strong(mode, here));
            }
            for step in steps {
                if step.to == from && is_on == on {
                    return length + 1;
                }
                if met.insert((step.to, !is_on)) {
                    queue.push_back((step.to, !is_on, length + 1));
                }
            }
        }
        0
    }

    /// The table of reach gives the lengths of a plain walk.
    #[test]
    fn shortest_chains_are_those_of_a_walk() {
        let states = include_str!("../../../tests/support/chains.txt").lines();
        let mut chains = 0;
        for line in states.step_by(3) {
            let hex = |cell: usize| &line[82 + 3 * cell..85 + 3 * cell];
            let bits = |cell| u16::from_str_radix(hex(cell), 16).unwrap();
            let candidates = std::array::from_fn(|cell| Digits::from_bits(bits(cell)));
            let filled: Puzzle = line[..81].parse().unwrap();
            let position = Position::with_candidates(&filled, &candidates);
            let state = State::new(&position);
            let links = Links::<12>::of(&state);
            for mode in [Mode::X, Mode::Xy] {
                let net = Net::of(&links, mode);
                let mut shortest = Shortest::new(&net, &[u64::MAX; 12]);
                let mut found = vec![[0; 2]; links.count()];
                while shortest.advance(&net) {
                    for (row, side) in [(shortest.strikes, 0), (shortest.places, 1)] {
                        for n in members(row) {
                            let known = &mut found[usize::from(n)][side];
                            if *known == 0 {
                                *known = shortest.length;
                                chains += 1;
                            }
                        }
                    }
                }
                for (n, found) in (0..).zip(found) {
                    let walked = [true, false].map(|on| walk(&links, mode, n, on));
                    assert_eq!(found, walked);
                }
            }
        }
        assert!(chains > 100);
    }
}
