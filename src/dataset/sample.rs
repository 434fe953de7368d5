//! Some records of many, at random.

use crate::random::Words;
use std::collections::BinaryHeap;

/// The stream of random words that chooses records.
const STREAM: u32 = 0x7361;

/// Chooses some of a number of records at random: their numbers from 0, in ascending order, or all of them if there are
/// no more. Each choice of this size is equally likely, but for ties of 64-bit numbers.
///
/// A record has a random number that depends on the seed and its own number alone, and the records with the smallest
/// are chosen. So a larger sample of the same seed holds the smaller one. It takes 16 bytes for each record of the
/// sample, and some nanoseconds for each of all.
///
/// ```
/// use sudoku_batch::dataset::sample;
/// let some = sample(1_000, 10, 7);
/// assert!(some.len() == 10 && some.is_sorted() && some[9] < 1_000);
/// let more = sample(1_000, 20, 7);
/// assert!(some.iter().all(|number| more.contains(number)));
/// assert_ne!(some, sample(1_000, 10, 8));
/// assert_eq!(sample(3, 10, 7), [0, 1, 2]);
/// ```
pub fn sample(records: u64, size: usize, seed: u64) -> Vec<u64> {
    // The greatest of the smallest so far is on top.
    let mut smallest = BinaryHeap::new();
    for number in 0..records {
        let entry = (Words::of_stream(seed, number, STREAM).next(), number);
        if smallest.len() < size {
            smallest.push(entry);
        } else if smallest.peek().is_some_and(|greatest| entry < *greatest) {
            smallest.pop();
            smallest.push(entry);
        }
    }
    let mut numbers: Vec<_> = smallest.into_iter().map(|(_, number)| number).collect();
    numbers.sort_unstable();
    numbers
}
