//! Repeats among more items than fit into memory, found on disk.
//!
//! ```text
//!     first reading    key, number  ->  a file for each range of keys
//!     between          range by range, in memory: who repeats whom
//!                      number, number of the first  ->  a file for each range of numbers
//!     second reading   range by range of numbers, sorted in memory
//! ```
//!
//! There are enough ranges that each fits into a fraction of the memory. Files have no names:
//! they are gone when the program ends, however it ends.

use super::Error;
use std::{
    fs::File,
    io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write},
};

/// The bytes of an entry of the first files: a key and a number.
const ENTRY: usize = 24;

/// The number of ranges of keys: enough for 10^11 records and 1 GB.
const RANGES: usize = 256;

const BUFFER: usize = 16 << 10;

#[derive(Debug)]
pub struct Spill {
    files: Vec<BufWriter<File>>,
    memory: u64,
}

/// Pairs of a repeated record and the record that it repeats, on disk.
#[derive(Debug)]
pub struct Repeats {
    /// A file for each range of numbers, in order: pairs of a number and that of the first.
    files: Vec<File>,
    range: u64,
    /// The range that is in memory, and its pairs, the last number first.
    loaded: Option<usize>,
    pairs: Vec<(u64, u64)>,
}

fn new_files(count: usize) -> Result<Vec<BufWriter<File>>, Error> {
    let file = |_| {
        let file = tempfile::tempfile().map_err(write_error)?;
        Ok(BufWriter::with_capacity(BUFFER, file))
    };
    (0..count).map(file).collect()
}

/// The name of a temporary file in errors. It has the folder, because the user chooses that by a
/// variable of the environment.
fn name() -> String {
    format!("a temporary file in {}", std::env::temp_dir().display())
}

fn write_error(source: io::Error) -> Error {
    let name = name();
    Error::Write { name, source }
}

fn read_error(source: io::Error) -> Error {
    let name = name();
    Error::Read { name, source }
}

impl Spill {
    /// Creates the files. `memory` is how many bytes [`Repeats`] may take.
    pub fn new(memory: u64) -> Result<Self, Error> {
        Ok(Self {
            files: new_files(RANGES)?,
            memory,
        })
    }

    /// Notes the key of an item, under 2^127. Numbers ascend from 0; an item without a key is left
    /// out. Memory suffices where the high bits of keys are evenly spread.
    pub fn push(&mut self, key: u128, number: u64) -> Result<(), Error> {
        let mut entry = [0; ENTRY];
        entry[..16].copy_from_slice(&key.to_le_bytes());
        entry[16..].copy_from_slice(&number.to_le_bytes());
        let range = (key >> 119) as usize;
        self.files[range].write_all(&entry).map_err(write_error)
    }

    /// Finds the repeats among `items` items: each number was under that.
    ///
    /// `set` makes an empty set of keys. Given a key and its number, the set gives the number of the
    /// first item with this key, or `None` if it is this one. No key can be noted any more.
    pub fn find<S>(&mut self, items: u64, set: impl Fn() -> S) -> Result<Repeats, Error>
    where
        S: FnMut(u128, u64) -> Option<u64>,
    {
        // A pair takes 16 bytes in memory and all numbers of a range may have one.
        let range = (self.memory / 2 / 16).max(1);
        let mut found = new_files(items.div_ceil(range).max(1) as usize)?;
        for file in self.files.drain(..) {
            let mut file = written(file)?;
            file.rewind().map_err(read_error)?;
            let mut file = BufReader::with_capacity(64 * BUFFER, file);
            let mut first_of = set();
            while let Some(entry) = next_entry::<ENTRY>(&mut file)? {
                let (key, number) = entry.split_first_chunk::<16>().expect("16 of 24");
                let number = u64::from_le_bytes(number.try_into().expect("8 of 24"));
                if let Some(first) = first_of(u128::from_le_bytes(*key), number) {
                    let pair = [number.to_le_bytes(), first.to_le_bytes()].concat();
                    let file = &mut found[(number / range) as usize];
                    file.write_all(&pair).map_err(write_error)?;
                }
            }
        }
        Ok(Repeats {
            files: found.into_iter().map(written).collect::<Result<_, _>>()?,
            range,
            loaded: None,
            pairs: Vec::new(),
        })
    }
}

/// The file of a buffer, with all that was written.
fn written(file: BufWriter<File>) -> Result<File, Error> {
    let file = file.into_inner();
    file.map_err(|error| write_error(error.into_error()))
}

impl Repeats {
    /// The number of ranges of numbers, of which one is in memory at a time.
    pub fn ranges(&self) -> usize {
        self.files.len()
    }

    /// The number of the first item with the key of this one, if one before has it. Ask for
    /// numbers in ascending order; some may be left out.
    pub fn first(&mut self, number: u64) -> Result<Option<u64>, Error> {
        let range = (number / self.range) as usize;
        if self.loaded != Some(range) {
            self.load(range)?;
        }
        while self.pairs.pop_if(|pair| pair.0 < number).is_some() {}
        let found = self.pairs.pop_if(|pair| pair.0 == number);
        Ok(found.map(|(_, first)| first))
    }

    fn load(&mut self, range: usize) -> Result<(), Error> {
        self.pairs.clear();
        self.loaded = Some(range);
        let Some(file) = self.files.get_mut(range) else {
            return Ok(());
        };
        file.rewind().map_err(read_error)?;
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

fn next_entry<const N: usize>(file: &mut impl Read) -> Result<Option<[u8; N]>, Error> {
    let mut entry = [0; N];
    match file.read_exact(&mut entry) {
        Ok(()) => Ok(Some(entry)),
        // Whole entries were written.
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(read_error(error)),
    }
}
