//! Repeats among more records than fit into memory, found on disk.
//!
//! ```text
//!     first reading    key, number  ->  a file for each range of keys
//!     between          range by range, in memory: who repeats whom
//!                      number, number of the first  ->  a file for each range of numbers
//!     second reading   range by range of numbers, sorted in memory
//! ```
//!
//! There are so many ranges that each fits into a fraction of the memory. Files have no names:
//! they are gone when the program ends, however it ends.

use anyhow::Context;
use std::{
    fs::File,
    io::{BufReader, BufWriter, ErrorKind, Read, Seek, Write},
};
use sudoku_batch::dataset::{Distinct, Key};

/// The bytes of an entry of the first files: a key and a number.
const ENTRY: usize = 24;

/// How many ranges of keys there are: enough for 10^11 records and 1 GB.
const RANGES: usize = 256;

/// The bytes of a buffer for each file.
const BUFFER: usize = 16 << 10;

/// The keys of records, on disk.
pub(super) struct Spill {
    files: Vec<BufWriter<File>>,
    memory: u64,
}

/// Who repeats whom, on disk.
pub(super) struct Repeats {
    /// A file for each range of numbers, in order: pairs of a number and that of the first.
    files: Vec<File>,
    /// How many numbers are in each range.
    range: u64,
    /// The range that is in memory, and its pairs, the last number first.
    loaded: Option<usize>,
    pairs: Vec<(u64, u64)>,
}

fn new_files(count: usize) -> anyhow::Result<Vec<BufWriter<File>>> {
    let file = |_| {
        let file = tempfile::tempfile().with_context(|| in_folder("cannot create"))?;
        Ok(BufWriter::with_capacity(BUFFER, file))
    };
    (0..count).map(file).collect()
}

/// What cannot be done with a temporary file. It names the folder, because the user chooses
/// that by a variable of the environment.
fn in_folder(cannot: &str) -> String {
    let folder = std::env::temp_dir();
    format!("{cannot} a temporary file in {}", folder.display())
}

fn write_error() -> String {
    in_folder("cannot write")
}

fn read_error() -> String {
    in_folder("cannot read")
}

impl Spill {
    pub(super) fn new(memory: u64) -> anyhow::Result<Self> {
        Ok(Self {
            files: new_files(RANGES)?,
            memory,
        })
    }

    /// Notes the key of a record. Numbers ascend.
    pub(super) fn push(&mut self, key: Key, number: u64) -> anyhow::Result<()> {
        let bits = key.bits();
        let mut entry = [0; ENTRY];
        entry[..16].copy_from_slice(&bits.to_le_bytes());
        entry[16..].copy_from_slice(&number.to_le_bytes());
        // The high bits of 127: the set of distinct keys uses the low ones.
        let range = (bits >> 119) as usize;
        self.files[range]
            .write_all(&entry)
            .with_context(write_error)
    }

    /// Finds the repeats among so many records.
    pub(super) fn find(&mut self, records: u64) -> anyhow::Result<Repeats> {
        // A pair takes 16 bytes in memory and all numbers of a range may have one.
        let range = (self.memory / 2 / 16).max(1);
        let mut found = new_files(usize::try_from(records.div_ceil(range))?.max(1))?;
        for file in std::mem::take(&mut self.files) {
            let mut file = file.into_inner().with_context(write_error)?;
            file.rewind().with_context(read_error)?;
            let mut file = BufReader::with_capacity(64 * BUFFER, file);
            let mut distinct = Distinct::new();
            while let Some(entry) = next_entry::<ENTRY>(&mut file)? {
                let (key, number) = entry.split_first_chunk::<16>().expect("16 of 24");
                let number = u64::from_le_bytes(number.try_into().expect("8 of 24"));
                let key = Key::of_bits(u128::from_le_bytes(*key));
                if let Some(first) = distinct.insert(key, number) {
                    let file = &mut found[(number / range) as usize];
                    file.write_all(&number.to_le_bytes())
                        .with_context(write_error)?;
                    file.write_all(&first.to_le_bytes())
                        .with_context(write_error)?;
                }
            }
        }
        let files = found
            .into_iter()
            .map(|file| file.into_inner().with_context(write_error));
        Ok(Repeats {
            files: files.collect::<anyhow::Result<_>>()?,
            range,
            loaded: None,
            pairs: Vec::new(),
        })
    }
}

impl Repeats {
    /// The number of the first record that is the same as this one, if one before is. Numbers
    /// ascend.
    pub(super) fn first(&mut self, number: u64) -> anyhow::Result<Option<u64>> {
        let range = (number / self.range) as usize;
        if self.loaded != Some(range) {
            self.load(range)?;
        }
        let found = self.pairs.pop_if(|pair| pair.0 == number);
        Ok(found.map(|(_, first)| first))
    }

    fn load(&mut self, range: usize) -> anyhow::Result<()> {
        self.pairs.clear();
        self.loaded = Some(range);
        let Some(file) = self.files.get_mut(range) else {
            return Ok(());
        };
        file.rewind().with_context(read_error)?;
        let mut file = BufReader::with_capacity(64 * BUFFER, file);
        while let Some(pair) = next_entry::<16>(&mut file)? {
            let [number, first] = [&pair[..8], &pair[8..]]
                .map(|bytes| u64::from_le_bytes(bytes.try_into().expect("8 of 16")));
            self.pairs.push((number, first));
        }
        self.pairs.sort_unstable_by(|a, b| b.cmp(a));
        Ok(())
    }
}

fn next_entry<const N: usize>(file: &mut impl Read) -> anyhow::Result<Option<[u8; N]>> {
    let mut entry = [0; N];
    match file.read_exact(&mut entry) {
        Ok(()) => Ok(Some(entry)),
        // Whole entries were written.
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error).with_context(read_error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn repeats_are_found_over_all_ranges() {
        // Few bytes of memory make many ranges of numbers.
        let mut spill = Spill::new(32 * 100).unwrap();
        let key = |number: u64| Key::of_bits(u128::from(number * number % 701) << 117 ^ 5);
        let mut seen = HashMap::new();
        let mut expected = Vec::new();
        for number in 0..3000 {
            // Every seventh record has no key.
            if number % 7 == 0 {
                expected.push(None);
                continue;
            }
            spill.push(key(number), number).unwrap();
            expected.push(seen.get(&key(number)).copied());
            seen.entry(key(number)).or_insert(number);
        }
        let mut repeats = spill.find(3000).unwrap();
        assert_eq!(repeats.files.len(), 30);
        for (number, expected) in (0..).zip(expected) {
            assert_eq!(repeats.first(number).unwrap(), expected);
        }
    }
}
