//! A part of the inputs, for machines that work on them without knowing of each other.

use super::{
    Error, HEAD, Input, LONGEST_LINE, OVERREAD, Problem, RecordEnd, Source, chunks::last_line,
    mark, stream::Stream,
};
use std::{fmt, str::FromStr};

/// One of several parts of the inputs, by bytes: `3/8` is the third of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    part: u64,
    parts: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("K/M is wanted, the K-th of M parts, with K from 1 to M: like 3/8")]
pub struct ShardError;

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (part, parts) = text.split_once('/').ok_or(ShardError)?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| ShardError);
        let (part, parts) = (number(part)?, number(parts)?);
        let is_there = (1..=parts).contains(&part);
        is_there.then_some(Self { part, parts }).ok_or(ShardError)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

impl Shard {
    pub fn part(self) -> u64 {
        self.part
    }

    pub fn parts(self) -> u64 {
        self.parts
    }

    /// Returns true for the first part, the one with the first record.
    pub fn is_first(self) -> bool {
        self.part == 1
    }

    /// The bytes of the part among `total` bytes, before it is cut at records.
    fn range(self, total: u64) -> [u64; 2] {
        let at = |part: u64| {
            let at = u128::from(total) * u128::from(part) / u128::from(self.parts);
            at as u64
        };
        [at(self.part - 1), at(self.part)]
    }

    /// The bytes of the part in each of the inputs, by their sizes: from and to, before they are
    /// moved to the next border of records. The inputs are taken as one sequence of bytes. Both
    /// places are equal in an input that has nothing of the part.
    pub fn places(self, sizes: &[u64]) -> Vec<[u64; 2]> {
        let [from, to] = self.range(sizes.iter().sum());
        let mut before = 0;
        let mut places = Vec::new();
        for size in sizes {
            places.push([from, to].map(|at| at.clamp(before, before + size) - before));
            before += size;
        }
        places
    }
}

impl Input {
    /// The size of a file that can be read in shards.
    pub fn whole_size(&mut self) -> Result<u64, Error> {
        let compressed = self.compression()?.is_some();
        let is_utf16 = match &mut self.source {
            Source::Mapped(_) => Ok(false),
            Source::Stream(stream) => stream.is_utf16(),
        };
        let is_utf16 = is_utf16.map_err(|problem| problem.named(&self.name))?;
        let is_file = self.opened.as_ref().is_some_and(|opened| opened.is_file);
        let why = match &self.source {
            Source::Mapped(file) => return Ok(file.end()),
            Source::Stream(_) if compressed => "is compressed",
            Source::Stream(_) if is_utf16 => "is UTF-16",
            // An empty file is a stream.
            Source::Stream(_) if is_file && self.size.is_none() => return Ok(0),
            Source::Stream(_) => "is no regular file",
        };
        let name = self.name.clone();
        Err(Error::NoShards { name, why })
    }

    /// Keeps only the records that begin between two places of a file, or where the record
    /// before them ends. So every record is in one shard, and what the shards give, one after
    /// the other, is what the whole gives.
    ///
    /// `record_end` is that of [`Cut::records`](super::Cut::records), `None` where line feeds
    /// end records. With it the file is read from its start to the end of the part: where a
    /// record begins may depend on all that is before.
    ///
    /// To be called after the first look at the input, and before it is cut.
    pub fn keep(
        &mut self,
        places: [u64; 2],
        record_end: Option<&mut RecordEnd<'_>>,
    ) -> Result<(), Error> {
        let [from, to] = match record_end {
            None => [self.next_line(places[0])?, self.next_line(places[1])?],
            Some(record_end) => self.next_records(places, record_end)?,
        };
        if let Source::Mapped(file) = &mut self.source {
            file.end_at(to);
            self.position = from;
            self.size = Some(to - from);
        }
        Ok(())
    }

    /// The place where the first line begins at byte `at` of a file or later, or its end.
    fn next_line(&mut self, at: u64) -> Result<u64, Error> {
        let Source::Mapped(file) = &mut self.source else {
            return Ok(0);
        };
        if at == 0 || at >= file.end() {
            return Ok(at);
        }
        // The start of the line with the byte before tells whether it is a comment.
        let mut size = OVERREAD as u64;
        let before = loop {
            let from = at.saturating_sub(size);
            let bytes = file.peek(from, 0..(at - from) as usize);
            let bytes = bytes.map_err(|problem| problem.named(&self.name))?;
            match last_line(bytes) as u64 {
                0 if from > 0 && size < LONGEST_LINE as u64 => size *= 2,
                start => break at - from - start,
            }
        };
        self.position = at - before;
        let mark = mark(self.position, self.next_bytes(HEAD)?);
        match self.records_of(before as usize, mark, None) {
            Ok(length) => Ok(self.position + length as u64),
            // The lines before are not counted.
            Err(Error::LongLine { name, position, .. }) => Err(Error::LongLine {
                name,
                position,
                line: None,
            }),
            Err(error) => Err(error),
        }
    }

    /// The places where the first records begin at these bytes of a file or later, or its end. They
    /// are in order.
    fn next_records(
        &self,
        places: [u64; 2],
        record_end: &mut RecordEnd<'_>,
    ) -> Result<[u64; 2], Error> {
        /// Records that are passed over at a time.
        const STEP: u64 = 1 << 20;
        let Source::Mapped(file) = &self.source else {
            return Ok([0, 0]);
        };
        let section = file.section(0);
        let section = section.map_err(|error| Problem::Read(error).named(&self.name))?;
        let source = Source::Stream(Stream::plain(section));
        let mut passed = Self::new(self.name.clone(), source);
        let mut borders = [0, 0];
        for (border, place) in borders.iter_mut().zip(places) {
            while passed.position < place.min(file.end()) {
                let size = (place - passed.position).min(STEP) as usize;
                let mark = mark(passed.position, passed.next_bytes(HEAD)?);
                let length = passed.records_of(size, mark, Some(&mut *record_end))?;
                drop(passed.split(length));
            }
            *border = passed.position;
        }
        Ok(borders)
    }
}
