//! How far candidates reach, all at once.
//!
//! From a candidate that is on, one *jump* is a weak link and then a strong one: it leads
//! to candidates that are on. Row s of the table at depth d holds what s reaches in up to d
//! jumps. Row s at the next depth is the union of the rows of all candidates one jump away.
//! So one depth costs a few unions for each candidate, for all starts together.
//!
//! The idea of rows of bits for all starts is that of skfr by Gérard Penet.

use super::links::{Links, Mode, Row, add, each, meet, set};

/// The jumps of one mode.
pub(super) struct Jumps<const W: usize> {
    pub(super) mode: Mode,
    /// What each candidate sees.
    pub(super) sees: Vec<Row<W>>,
    /// Where each candidate leads in one jump.
    pub(super) jumps: Vec<Row<W>>,
    /// The strong links of each candidate.
    strong: Vec<Row<W>>,
    /// What leads back to each candidate by a weak and a strong link.
    pub(super) closes: Vec<Row<W>>,
}

impl<const W: usize> Jumps<W> {
    pub(super) fn of(links: &Links<W>, mode: Mode) -> Self {
        let count = links.count();
        let empty = || Vec::with_capacity(count);
        let (mut sees, mut strong, mut jumps, mut closes) = (empty(), empty(), empty(), empty());
        sees.extend((0..count as u16).map(|n| links.sees(mode, n)));
        for n in 0..count as u16 {
            let [mut own, mut jump, mut close] = [[0; W]; 3];
            for link in links.strong(mode, n) {
                set(&mut own, link.to);
                add(&mut close, &sees[usize::from(link.to)]);
            }
            for weak in links.weak(mode, n) {
                for link in links.strong(mode, weak.to) {
                    set(&mut jump, link.to);
                }
            }
            strong.push(own);
            jumps.push(jump);
            closes.push(close);
        }
        Self {
            mode,
            sees,
            jumps,
            strong,
            closes,
        }
    }

    /// What each candidate reaches without a jump: itself.
    pub(super) fn start(&self) -> Vec<Row<W>> {
        let own = |n: usize| {
            let mut row = [0; W];
            set(&mut row, n as u16);
            row
        };
        (0..self.sees.len()).map(own).collect()
    }

    /// What each candidate reaches in one jump more. Whether any reaches more.
    pub(super) fn deepen(&self, now: &[Row<W>], next: &mut Vec<Row<W>>) -> bool {
        let mut more = false;
        next.clear();
        for (n, jumps) in self.jumps.iter().enumerate() {
            let mut row = now[n];
            each(jumps, |to| add(&mut row, &now[to]));
            more |= row != now[n];
            next.push(row);
        }
        more
    }

    /// Whether a candidate that is on reaches itself off, by reach of any depth above 0.
    #[inline]
    pub(super) fn strikes(&self, reach: &[Row<W>], n: usize) -> bool {
        meet(&reach[n], &self.sees[n])
    }

    /// Whether a candidate that is off reaches itself on.
    #[inline]
    pub(super) fn places(&self, reach: &[Row<W>], n: usize) -> bool {
        let mut any = false;
        each(&self.strong[n], |to| {
            any |= meet(&reach[to], &self.closes[n])
        });
        any
    }
}

/// The shortest chains of all candidates: from on to off, and from off to on. Lengths are
/// in nodes; 0 stands for no chain.
pub(super) struct Shortest {
    pub(super) to_off: Vec<u16>,
    pub(super) to_on: Vec<u16>,
}

/// Finds the shortest chains: those of all candidates, or, with `first`, only those of the
/// shortest length there is.
pub(super) fn shortest<const W: usize>(jumps: &Jumps<W>, first: bool) -> Shortest {
    let count = jumps.sees.len();
    let mut found = Shortest {
        to_off: vec![0; count],
        to_on: vec![0; count],
    };
    let (mut now, mut next) = (jumps.start(), Vec::with_capacity(count));
    for length in (4..).step_by(2) {
        let more = jumps.deepen(&now, &mut next);
        let mut any = false;
        for n in 0..count {
            if found.to_off[n] == 0 && jumps.strikes(&next, n) {
                found.to_off[n] = length;
                any = true;
            }
            // The way from off to on starts and ends with a strong link.
            if found.to_on[n] == 0 && jumps.places(&now, n) {
                found.to_on[n] = length;
                any = true;
            }
        }
        if !more || first && any {
            break;
        }
        std::mem::swap(&mut now, &mut next);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Jumps, Shortest, shortest};
    use crate::{
        grid::{Digits, Puzzle},
        technique::{
            Position,
            chain::{
                links::{Links, Mode},
                state::State,
            },
        },
    };
    use std::collections::{HashSet, VecDeque};

    /// The number of nodes of the shortest way from a candidate to its opposite, breadth
    /// first, link by link.
    fn walk(links: &Links<12>, mode: Mode, from: u16, on: bool) -> u16 {
        let mut queue = VecDeque::from([(from, on, 1)]);
        let mut met = HashSet::from([(from, on)]);
        while let Some((here, is_on, length)) = queue.pop_front() {
            let steps = if is_on {
                links.weak(mode, here)
            } else {
                links.strong(mode, here)
            };
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
            let links = Links::<12>::of(&State::of(&position));
            for mode in [Mode::X, Mode::Xy] {
                let jumps = Jumps::of(&links, mode);
                let all = shortest(&jumps, false);
                let first = shortest(&jumps, true);
                for n in 0..links.count() {
                    assert_eq!(all.to_off[n], walk(&links, mode, n as u16, true));
                    assert_eq!(all.to_on[n], walk(&links, mode, n as u16, false));
                    chains += usize::from(all.to_off[n] != 0);
                }
                let least = |found: &Shortest| {
                    let lengths = found.to_off.iter().chain(&found.to_on);
                    lengths.copied().filter(|&length| length != 0).min()
                };
                assert_eq!(least(&first), least(&all));
            }
        }
        assert!(chains > 100);
    }
}
