//! A set of keys, each with the number of the record that had it first.
//!
//! ```text
//!     key, 127 bits    part (10 bits) | place in the part (64) | the rest
//!
//!     part 0     [key, number] [free] [key, number] ...     20 bytes an entry
//!     part 1     [free] [key, number] ...
//!     ...        1024 parts, each with a size of its own
//! ```
//!
//! Each part is sorted by key, with free entries between: an entry stands at or soon after the place
//! that its key has in proportion. A part that is 89 % full grows by a sixth, alone, and the parts
//! begin with different sizes, so that they do not all grow at once. So hardly more memory than the
//! parts themselves is ever in use: about 24 bytes an entry, where a single table that doubles has
//! up to three times its entries. (Growing by a ninth from 85 % on took more, for a part leaves a
//! gap in the heap when it grows: 10 million records 325 MB, not 311 as by a sixth from 82 % on.)
//!
//! A large set is not in the cache. A batch reads the places of sixteen keys before it uses the
//! first, and the CPU waits for all of them at once. A set may be in shards, which have the parts in
//! turn: several threads can insert keys at the same time, each into another shard.

/// The largest number of records: their numbers have 40 bits.
pub const MOST_RECORDS: u64 = (1 << 40) - 1;

const PARTS: usize = 1024;

/// The bytes of an entry: 15 of its key, without the bits that name the part, and 5 of the
/// number.
type Entry = [u8; 20];

const FREE: Entry = [0xff; 20];

/// A set of distinct puzzles by their keys. It says who came first.
///
/// It takes under 32 bytes of memory for each distinct puzzle, when they are many.
///
/// ```
/// use sudoku_batch::{Puzzle, dataset::{FirstSeen, PuzzleHasher}};
/// let maker = PuzzleHasher::random();
/// let mut seen = FirstSeen::new();
/// let mut other = Puzzle::EMPTY;
/// other.set(sudoku_batch::Cell::at(0, 0), sudoku_batch::Digit::new(5));
/// assert_eq!(seen.insert(maker.key(&Puzzle::EMPTY), 0), None);
/// assert_eq!(seen.insert(maker.key(&other), 1), None);
/// assert_eq!(seen.insert(maker.key(&Puzzle::EMPTY), 2), Some(0));
/// assert_eq!(seen.len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct FirstSeen {
    parts: Vec<Part>,
    len: usize,
    /// The number of this shard, and how many there are.
    shard: (usize, usize),
}

impl Default for FirstSeen {
    fn default() -> Self {
        Self::new()
    }
}

impl FirstSeen {
    /// An empty set.
    pub fn new() -> Self {
        Self::shard(0, 1)
    }

    /// An empty set in `count` shards, a power of two up to 256. Shard `i` is for the keys
    /// whose [`shard_of`](Self::shard_of) is `i`.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, dataset::{FirstSeen, PuzzleHasher}};
    /// let mut shards = FirstSeen::shards(16);
    /// let key = PuzzleHasher::random().key(&Puzzle::EMPTY);
    /// let shard = &mut shards[FirstSeen::shard_of(key, 16)];
    /// assert_eq!((shard.insert(key, 0), shard.insert(key, 1)), (None, Some(0)));
    /// ```
    ///
    /// # Panics
    ///
    /// The number is none of these.
    pub fn shards(count: usize) -> Vec<Self> {
        assert!(count.is_power_of_two() && count <= 256, "{count} shards");
        (0..count).map(|shard| Self::shard(shard, count)).collect()
    }

    /// The shard of a key, among this number.
    #[inline]
    pub const fn shard_of(key: u128, count: usize) -> usize {
        key as usize % count
    }

    fn shard(shard: usize, count: usize) -> Self {
        let parts = (shard..PARTS).step_by(count);
        Self {
            parts: parts.map(Part::new).collect(),
            len: 0,
            shard: (shard, count),
        }
    }

    /// The number of distinct keys.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds the key of a record. Where the set has it already: the number of the record that
    /// had it first.
    ///
    /// # Panics
    ///
    /// The number is not below [`MOST_RECORDS`], or the key belongs to another shard.
    pub fn insert(&mut self, key: u128, number: u64) -> Option<u64> {
        assert!(number < MOST_RECORDS, "a number of 40 bits");
        let (shard, count) = self.shard;
        assert_eq!(Self::shard_of(key, count), shard, "the shard of the key");
        let first = self.parts[key as usize % PARTS / count].insert(key >> 10, number);
        self.len += usize::from(first.is_none());
        first
    }

    /// The number of the record that had a key first, if the set has the key. The set stays as it is.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, dataset::{FirstSeen, PuzzleHasher}};
    /// let key = PuzzleHasher::random().key(&Puzzle::EMPTY);
    /// let mut seen = FirstSeen::new();
    /// assert_eq!(seen.first(key), None);
    /// seen.insert(key, 7);
    /// assert_eq!(seen.first(key), Some(7));
    /// ```
    ///
    /// # Panics
    ///
    /// The key belongs to another shard.
    pub fn first(&self, key: u128) -> Option<u64> {
        self.part(key).find(&entry(key >> 10, 0)).ok()
    }

    /// The part of a key, which belongs to this shard.
    #[inline(always)]
    fn part(&self, key: u128) -> &Part {
        let (shard, count) = self.shard;
        assert_eq!(Self::shard_of(key, count), shard, "the shard of the key");
        &self.parts[key as usize % PARTS / count]
    }

    /// Does the same as [`insert`](Self::insert) for each key and number, in order, and gives
    /// what it returns to `first`. It is faster where the set is large.
    ///
    /// # Panics
    ///
    /// See [`insert`](Self::insert).
    pub fn insert_batch(&mut self, keys: &[(u128, u64)], mut first: impl FnMut(Option<u64>)) {
        /// The number that a core reads from memory at a time.
        const AHEAD: usize = 16;
        for keys in keys.chunks(AHEAD) {
            // The sum is of no use, but none of the reads waits for another.
            let read = keys.iter().map(|(key, _)| self.read_place(*key));
            std::hint::black_box(read.fold(0, u8::wrapping_add));
            for &(key, number) in keys {
                first(self.insert(key, number));
            }
        }
    }

    /// Reads what stands at the place of a key and after it, which brings it into the cache.
    #[inline]
    fn read_place(&self, key: u128) -> u8 {
        /// Entries in this distance are in another cache line, of 64 bytes.
        const LINE: usize = 3;
        let part = &self.parts[key as usize % PARTS / self.shard.1];
        if part.entries.is_empty() {
            return 0;
        }
        let at = part.place((key >> 10) as u64);
        let byte = |entry: usize| part.entries.get(entry).map_or(0, |entry| entry[0]);
        byte(at)
            .wrapping_add(byte(at + LINE))
            .wrapping_add(byte(at + 2 * LINE))
    }

    /// Forgets all, and the memory too.
    pub fn clear(&mut self) {
        let (shard, count) = self.shard;
        *self = Self::shard(shard, count);
    }
}

#[derive(Clone, Debug)]
struct Part {
    entries: Box<[Entry]>,
    taken: usize,
    /// The number of entries that there are room for at first.
    first: u32,
}

fn entry(key: u128, number: u64) -> Entry {
    let mut entry = FREE;
    entry[..15].copy_from_slice(&key.to_le_bytes()[..15]);
    entry[15..].copy_from_slice(&number.to_le_bytes()[..5]);
    entry
}

/// The low 64 bits of the key, by which entries are sorted. No key is below that of a free
/// entry.
#[inline(always)]
fn low(entry: &Entry) -> u64 {
    u64::from_le_bytes(*entry.first_chunk().expect("8 of 20"))
}

/// The number of the record of an entry; none where it is free.
#[inline(always)]
fn number(entry: &Entry) -> Option<u64> {
    let mut bytes = [0; 8];
    bytes[..5].copy_from_slice(&entry[15..]);
    Some(u64::from_le_bytes(bytes)).filter(|&number| number < MOST_RECORDS)
}

impl Part {
    /// At the end there is room for entries that are moved beyond their place.
    const TAIL: usize = 16;

    /// Part `number`. The sizes of all parts spread over one step of growth.
    fn new(number: usize) -> Self {
        let step = (7.0_f64 / 6.0).powf(number as f64 / PARTS as f64);
        Self {
            entries: Box::default(),
            taken: 0,
            first: (64.0 * step) as u32,
        }
    }

    fn insert(&mut self, key: u128, number: u64) -> Option<u64> {
        let new = entry(key, number);
        if self.entries.is_empty() {
            self.grow();
        }
        loop {
            let at = match self.find(&new) {
                Ok(first) => return Some(first),
                Err(at) => at,
            };
            if self.taken * 100 < self.entries.len() * 89 && self.put(at, new) {
                self.taken += 1;
                return None;
            }
            self.grow();
        }
    }

    /// The number of the entry with the key of another, or the place where that one belongs.
    #[inline(always)]
    fn find(&self, new: &Entry) -> Result<u64, usize> {
        if self.entries.is_empty() {
            return Err(0);
        }
        let mut at = self.place(low(new));
        while at < self.entries.len() && low(&self.entries[at]) < low(new) {
            at += 1;
        }
        // Of equal low bits, in any order, one may have the other bits too.
        let mut same = at;
        while same < self.entries.len() && low(&self.entries[same]) == low(new) {
            let entry = &self.entries[same];
            match number(entry) {
                Some(first) if entry[..15] == new[..15] => return Ok(first),
                Some(_) => same += 1,
                None => break,
            }
        }
        Err(at)
    }

    /// The earliest position of an entry.
    #[inline(always)]
    fn place(&self, low: u64) -> usize {
        let length = self.entries.len() - Self::TAIL;
        ((u128::from(low) * length as u128) >> 64) as usize
    }

    /// Puts an entry at a place. What stands there moves up to the next free place; `false`
    /// where there is none.
    fn put(&mut self, at: usize, new: Entry) -> bool {
        let mut entries = self.entries[at..].iter();
        let Some(free) = entries.position(|entry| number(entry).is_none()) else {
            return false;
        };
        self.entries.copy_within(at..at + free, at + 1);
        self.entries[at] = new;
        true
    }

    #[cold]
    fn grow(&mut self) {
        let mut length = self.entries.len();
        let entries = std::mem::take(&mut self.entries);
        loop {
            length = (length + length / 6).max(self.first as usize);
            self.entries = vec![FREE; length].into_boxed_slice();
            if self.fill(&entries) {
                return;
            }
        }
    }

    /// Puts the entries of a smaller part into an empty one; `false` where the end has no room.
    fn fill(&mut self, entries: &[Entry]) -> bool {
        let mut next = 0;
        for entry in entries {
            if number(entry).is_some() {
                let at = next.max(self.place(low(entry)));
                match self.entries.get_mut(at) {
                    Some(place) => *place = *entry,
                    None => return false,
                }
                next = at + 1;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Words;
    use sudoku_batch_test_support::cases;

    #[test]
    fn entries_take_under_32_bytes() {
        let mut words = Words::new(2, 1);
        let mut set = FirstSeen::new();
        // Each part grows nine times from 50,000 keys on.
        for number in 0..cases(200_000) as u64 {
            let key = u128::from(words.next()) << 63 ^ u128::from(words.next());
            set.insert(key, number);
            if number % 1000 == 999 && number > 50_000 {
                let bytes: usize = set.parts.iter().map(|part| 20 * part.entries.len()).sum();
                assert!(bytes < 32 * set.len(), "{bytes} bytes for {}", set.len());
            }
        }
    }
}
