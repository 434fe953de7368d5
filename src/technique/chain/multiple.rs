//! Multiple chains by rows: which groups of chains come first.
//!
//! Without a contradiction, a static run finds all that its start reaches, on the shortest
//! ways. So the rows of [`reach`](super::reach) have all runs at once: what is common to some
//! starts is the AND of their rows, and the depth at which a bit appears gives the length.
//! The rows grow depth by depth, until nothing deeper can be shorter than what is found.
//! Only the group with the shortest hint is then [run](super::run), because the first of
//! several equal hints depends on the order of the queues.
//!
//! A contradiction would cut a run short. There is none where no forcing chain is found:
//! p on that leads to q on and to q off would lead to p off. Where there is one, all groups
//! are run.

use super::{
    links::{Links, Mode, Row, add, and, and_not, each, has, members, set},
    reach::{Net, Reach},
    rows::Rows,
    state::{Candidate, HOUSES_OF, PLACES_OF, State, bits, candidate},
};
use crate::{
    grid::{CELLS, HOUSE_CELLS},
    simd,
};

/// A group of starts: all candidates of a cell, or all places of a digit in a house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Cell(usize),
    /// The first place, and which of its houses.
    Region(Candidate, usize),
}

/// The facts that the rows have about a position.
pub(super) enum Shortest {
    /// There is no hint.
    Nothing,
    /// The first group with the shortest hint, and its length.
    Of(Group, u32),
    /// A run may end in a contradiction.
    Contradiction,
}

/// Looks for the group with the shortest hint. `calm` says that there are no forcing chains.
pub(super) fn shortest(state: &State, calm: bool) -> Shortest {
    if state.count() > 256 {
        return Depths::<12>::of(state).shortest(calm);
    }
    match state.count() {
        ..=128 => simd::with_words!(|| Depths::<2>::of(state).shortest(calm)),
        _ => simd::with_words!(|| Depths::<4>::of(state).shortest(calm)),
    }
}

/// A position and its links.
struct Depths<'a, const W: usize> {
    state: &'a State,
    links: Links<'a, W>,
}

/// A group, with its key and where its starts are in a list.
struct Entry {
    group: Group,
    key: u8,
    first: usize,
    end: usize,
}

impl<'a, const W: usize> Depths<'a, W> {
    #[inline(always)]
    fn of(state: &'a State) -> Self {
        Self {
            state,
            links: Links::of(state),
        }
    }

    #[inline(always)]
    fn shortest(&self, calm: bool) -> Shortest {
        let state = self.state;
        let net = Net::of(&self.links, Mode::Xy);
        let alone = |&digits: &u16| digits != 0 && digits & (digits - 1) == 0;
        if state.cells.iter().any(alone) {
            return Shortest::Contradiction;
        }
        let all = self.all(&net);
        let contradicts = |(n, row): (u16, &[Row<W>; 2])| has(&row[1], n);
        if !calm && (0..).zip(&all).any(contradicts) {
            return Shortest::Contradiction;
        }
        // Most groups have nothing in common at any depth.
        let (mut entries, starts) = self.entries(state);
        entries.retain(|entry| {
            let rows = starts[entry.first..entry.end].iter();
            let both = rows.fold([[u64::MAX; W]; 2], |both, &start| {
                let row = &all[usize::from(start)];
                [and(&both[0], &row[0]), and(&both[1], &row[1])]
            });
            both != [[0; W]; 2]
        });
        if entries.is_empty() {
            return Shortest::Nothing;
        }
        let mut used = [0; W];
        for entry in &entries {
            let starts = starts[entry.first..entry.end].iter();
            starts.for_each(|&start| set(&mut used, start));
        }
        let mut reach = Reach::from_on(&net, members(used));
        let mut met = vec![[[0; W]; 2]; entries.len()];
        // The length, the key and the number of the shortest so far.
        let mut best = (u32::MAX, 0, 0);
        let mut is_open = true;
        // The candidates that are on, and those that are off, by depth.
        let mut tables = [Vec::new(), Vec::new()];
        loop {
            tables[0].push(Rows::copy(&reach.on));
            tables[1].push(Rows::copy(&reach.off));
            let depth = tables[0].len() as u32 - 1;
            // A target of this depth, and the least that another branch adds.
            is_open &= 2 * depth + 2 <= best.0;
            if is_open {
                for (number, entry) in entries.iter().enumerate() {
                    let starts = &starts[entry.first..entry.end];
                    // Each other branch adds one at least.
                    if 2 * depth + starts.len() as u32 <= best.0 {
                        let length = common(&tables, &mut met[number], starts, best.0);
                        best = best.min((length, entry.key, number));
                    }
                }
            }
            if !is_open || !reach.deepen(&net).more {
                break;
            }
        }
        Shortest::Of(entries[best.2].group.clone(), best.0)
    }

    /// All that follows from each candidate that is on: what is on, and what is off.
    #[inline(always)]
    fn all(&self, net: &Net<'_, W>) -> Vec<[Row<W>; 2]> {
        let mut reach = Reach::from_off(net.list.iter().copied());
        while reach.deepen(net).more {}
        let rows = reach.rows(net);
        let of = |(n, sees): (u16, &Row<W>)| {
            let (mut on, mut off) = ([0; W], *sees);
            set(&mut on, n);
            each(&and(sees, &net.ends), |to| {
                let row = usize::from(rows[to]);
                add(&mut on, &reach.on[row]);
                add(&mut off, &reach.off[row]);
            });
            [on, off]
        };
        (0..).zip(net.sees).map(of).collect()
    }

    /// The groups in the order of the search, and their starts.
    fn entries(&self, state: &State) -> (Vec<Entry>, Vec<u16>) {
        let (mut entries, mut starts) = (Vec::with_capacity(256), Vec::with_capacity(1024));
        let mut enter = |key, group, of_group: &mut dyn Iterator<Item = u16>| {
            let first = starts.len();
            starts.extend(of_group);
            let end = starts.len();
            entries.push(Entry {
                group,
                key,
                first,
                end,
            });
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
                        let cells = bits(places).map(|place| HOUSE_CELLS[house][place]);
                        let mut starts = cells.map(|cell| number(cell.into(), digit));
                        let group = Group::Region(candidate(cell, digit), side);
                        enter(6, group, &mut starts);
                    }
                }
            }
            let mut starts = bits(state.cells[cell]).map(|digit| number(cell, digit));
            enter(5, Group::Cell(cell), &mut starts);
        }
        (entries, starts)
    }
}

/// The least length of what all starts reach at this depth and did not all reach before
/// (`met`), if it is no more than a bound.
#[inline(always)]
fn common<const W: usize>(
    tables: &[Vec<Rows<W>>; 2],
    met: &mut [Row<W>; 2],
    starts: &[u16],
    bound: u32,
) -> u32 {
    let mut best = u32::MAX;
    for ((table, met), odd) in tables.iter().zip(met).zip(1..) {
        let last = &table[table.len() - 1];
        let mut common = last[usize::from(starts[0])];
        for &start in &starts[1..] {
            common = and(&common, &last[usize::from(start)]);
        }
        let new = and_not(&common, met);
        *met = common;
        each(&new, |target| {
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
