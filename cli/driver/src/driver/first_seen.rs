//! Finds the first of all equal records while batches run in parallel.
//!
//! ```text
//!     batch 7   number  shard 0  shard 1  shard 2 ...  shard 15
//!     batch 8           number   shard 0  shard 1 ...            shard 15
//!     batch 9                    number   shard 0 ...
//! ```
//!
//! Each shard of the set takes the batches in their order, so which record is the first never
//! depends on the threads. Batches use different shards at the same time.
//!
//! The question `DEDUP` has a step in order for this, with one set, which the bindings take. The command takes the keys of its
//! answers, and this in place of the step: one set is open to one thread at a time, and the command spills keys to the disk,
//! compares with other files and goes on after a stop.

use crate::pipeline::turns::Turns;
use sudoku_batch::{
    Grid, Puzzle,
    dataset::{FirstSeen, PuzzleHasher},
};

/// The number of shards. With more of them more threads can work at a time, but a batch
/// has fewer keys for each.
const SHARDS: usize = 16;

/// The first of all equal records.
pub struct OrderedFirstSeen {
    /// The number of records that came before.
    records: Turns<u64>,
    shards: Vec<Turns<FirstSeen>>,
}

impl Default for OrderedFirstSeen {
    /// Before the first batch.
    fn default() -> Self {
        let shards = FirstSeen::shards(SHARDS);
        Self {
            records: Turns::new(0),
            shards: shards.into_iter().map(Turns::new).collect(),
        }
    }
}

impl OrderedFirstSeen {
    /// [`find`](Self::find) for the grids of a whole batch.
    pub fn find_grids(
        &self,
        batch: u64,
        grids: &[Option<Grid>],
        hasher: &PuzzleHasher,
    ) -> Vec<Option<u64>> {
        let key = |grid: &Option<Grid>| grid.map(|grid| hasher.key(&Puzzle::from(grid)));
        let keys: Vec<_> = grids.iter().map(key).collect();
        let mut first = Vec::new();
        self.find((batch, true), &keys, &mut first);
        first
    }

    /// For each key of a batch, the number of the first record that has it, if there is one
    /// before. Records without a key equal none. Numbers count from 0, over all batches.
    ///
    /// Returns the number of the first record of the batch. Each batch must come exactly once, or in parts, of which
    /// one is the last.
    pub fn find(
        &self,
        (batch, is_last): (u64, bool),
        keys: &[Option<u128>],
        first: &mut Vec<Option<u64>>,
    ) -> u64 {
        let before = self.records.take_part(batch, is_last, |records| {
            let before = *records;
            *records += keys.len() as u64;
            before
        });
        first.clear();
        first.resize(keys.len(), None);
        let mut of_shards = [const { Vec::new() }; SHARDS];
        for (number, key) in (before..).zip(keys) {
            if let Some(key) = *key {
                of_shards[FirstSeen::shard_of(key, SHARDS)].push((key, number));
            }
        }
        for (shard, keys) in self.shards.iter().zip(&of_shards) {
            shard.take_part(batch, is_last, |distinct| {
                let mut numbers = keys.iter().map(|(_, number)| number - before);
                distinct.insert_batch(keys, |found| {
                    let record = numbers.next().expect("an answer for each key");
                    first[record as usize] = found;
                });
            });
        }
        before
    }

    /// Whether a record so far has a key, between two runs.
    pub fn has(&self, key: u128) -> bool {
        let shard = &self.shards[FirstSeen::shard_of(key, SHARDS)];
        shard.with(|distinct| distinct.first(key).is_some())
    }

    /// The records that were seen, before the first batch of another run. Numbers go on.
    #[must_use]
    pub fn again(self) -> Self {
        Self {
            records: self.records.again(),
            shards: self.shards.into_iter().map(Turns::again).collect(),
        }
    }

    /// The number of records so far, between two runs.
    pub fn records(&self) -> u64 {
        self.records.with(|records| *records)
    }

    /// Ends the waiting for a batch, see [`Turns::abandon`].
    pub fn abandon(&self, batch: u64) {
        self.records.abandon(batch);
        self.shards.iter().for_each(|shard| shard.abandon(batch));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::HashMap, thread};

    /// Against the standard map, for any number of threads.
    #[test]
    fn firsts_do_not_depend_on_threads() {
        let key = |number: u64| {
            let bits = u128::from(number.wrapping_mul(number) % 1009);
            (!number.is_multiple_of(7)).then(|| bits.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c))
        };
        // Batches of different lengths, some empty.
        let batches: Vec<std::ops::Range<u64>> = (0..60)
            .scan(0, |start, batch| {
                let range = *start..*start + batch * 37 % 101;
                *start = range.end;
                Some(range)
            })
            .collect();
        let mut map = HashMap::new();
        let mut expected = Vec::new();
        for number in 0..batches.last().unwrap().end {
            expected.push(key(number).and_then(|key| {
                let first = *map.entry(key).or_insert(number);
                (first != number).then_some(first)
            }));
        }
        for threads in [1, 2, 5] {
            let firsts = OrderedFirstSeen::default();
            thread::scope(|scope| {
                for thread in 0..threads {
                    let (firsts, batches, expected) = (&firsts, &batches, &expected);
                    scope.spawn(move || {
                        for batch in (thread..batches.len()).step_by(threads) {
                            let range = batches[batch].clone();
                            let keys: Vec<_> = range.clone().map(key).collect();
                            let mut found = Vec::new();
                            let before = firsts.find((batch as u64, true), &keys, &mut found);
                            assert_eq!(before, range.start);
                            let range = range.start as usize..range.end as usize;
                            assert_eq!(found, expected[range]);
                        }
                    });
                }
            });
        }
    }
}
