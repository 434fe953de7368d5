//! Multiple chains by rows: which groups of chains come first.
//!
//! Without a contradiction, a static run finds all that its start reaches, on the shortest
//! ways. So the tables of [`reach`](super::reach) have all runs at once: what is common to
//! some starts is the AND of their rows, and the depth at which a bit appears gives the
//! length. Only the group with the shortest hint is then [run](super::run), because the
//! first of several equal hints depends on the order of the queues.
//!
//! A contradiction would cut a run short. There is none where no forcing chain is found:
//! p on that leads to q on and to q off would lead to p off. Where there is one, all groups
//! are run.

use super::{
    links::{Links, Mode, Row, each, has},
    reach::Jumps,
    state::{Candidate, HOUSES_OF, PLACES_OF, State, bits, candidate},
};
use crate::grid::{CELLS, HOUSE_CELLS};

/// A group of starts: all candidates of a cell, or all places of a digit in a house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Cell(usize),
    /// The first place, and which of its houses.
    Region(Candidate, usize),
}

/// What the rows say about a position.
pub(super) enum Shortest {
    /// There is no hint.
    Nothing,
    /// The first group with the shortest hint.
    Of(Group),
    /// A run may end in a contradiction.
    Contradiction,
}

/// Looks for the group with the shortest hint.
pub(super) fn shortest(state: &State) -> Shortest {
    let count: u32 = state.cells.iter().map(|digits| digits.count_ones()).sum();
    if count <= 256 {
        Depths::<4>::of(state).shortest(state)
    } else {
        Depths::<12>::of(state).shortest(state)
    }
}

/// What each candidate that is on reaches, by depth: what is on, and what is off.
struct Depths<const W: usize> {
    links: Links<W>,
    on: Vec<Vec<Row<W>>>,
    off: Vec<Vec<Row<W>>>,
}

impl<const W: usize> Depths<W> {
    fn of(state: &State) -> Self {
        let links = Links::of(state);
        let jumps = Jumps::of(&links, Mode::Xy);
        let (mut on, mut off) = (vec![jumps.start()], vec![jumps.sees.clone()]);
        loop {
            let [mut next_on, mut next_off] = [Vec::new(), Vec::new()];
            let more = jumps.deepen(&on[on.len() - 1], &mut next_on);
            if !more {
                break;
            }
            jumps.deepen(&off[off.len() - 1], &mut next_off);
            on.push(next_on);
            off.push(next_off);
        }
        Self { links, on, off }
    }

    fn shortest(&self, state: &State) -> Shortest {
        let (on, off) = (&self.on[self.on.len() - 1], &self.off[self.off.len() - 1]);
        if on
            .iter()
            .zip(off)
            .any(|(on, off)| super::links::meet(on, off))
        {
            return Shortest::Contradiction;
        }
        let alone = |&digits: &u16| digits != 0 && digits & (digits - 1) == 0;
        if state.cells.iter().any(alone) {
            return Shortest::Contradiction;
        }
        // The length and the key of the shortest so far.
        let (mut best, mut first) = ((u32::MAX, 0), None);
        let mut starts = Vec::with_capacity(9);
        let mut look = |key: u8, starts: &[u16], group: Group| {
            let length = self.common(starts, best.0);
            if (length, key) < best {
                best = (length, key);
                first = Some(group);
            }
        };
        for cell in 0..CELLS {
            if state.cells[cell].count_ones() < 3 {
                continue;
            }
            let number = |cell, digit| self.links.number[usize::from(candidate(cell, digit))];
            for digit in bits(state.cells[cell]) {
                for side in 0..3 {
                    let house = usize::from(HOUSES_OF[cell][side]);
                    let places = state.places[house][digit];
                    let is_first = places.trailing_zeros() == u32::from(PLACES_OF[cell][side]);
                    if is_first && places & (places - 1) != 0 {
                        starts.clear();
                        let cells = bits(places).map(|place| HOUSE_CELLS[house][place]);
                        starts.extend(cells.map(|cell| number(cell.into(), digit)));
                        look(6, &starts, Group::Region(candidate(cell, digit), side));
                    }
                }
            }
            starts.clear();
            starts.extend(bits(state.cells[cell]).map(|digit| number(cell, digit)));
            look(5, &starts, Group::Cell(cell));
        }
        first.map_or(Shortest::Nothing, Shortest::Of)
    }

    /// The least length of what all starts reach, if it is no more than a bound.
    fn common(&self, starts: &[u16], bound: u32) -> u32 {
        let mut best = u32::MAX;
        for (table, odd) in [(&self.on, 1), (&self.off, 2)] {
            let last = &table[table.len() - 1];
            let mut common = last[usize::from(starts[0])];
            for &start in &starts[1..] {
                for (word, other) in common.iter_mut().zip(&last[usize::from(start)]) {
                    *word &= other;
                }
            }
            each(&common, |target| {
                let mut sum = 0;
                for &start in starts {
                    if sum > best.min(bound) {
                        return;
                    }
                    let rows = table.iter().map(|rows| &rows[usize::from(start)]);
                    let depth = rows.take_while(|row| !has(row, target as u16)).count();
                    sum += 2 * depth as u32 + odd;
                }
                best = best.min(sum);
            });
        }
        best
    }
}
