//! An input as pieces of whole records.

use std::{mem, ops::Range};
use sudoku_batch::{
    format::{Detected, Layout},
    pipeline::{
        Error,
        input::{Chunk, Chunks, LONGEST_LINE},
    },
};

/// Some whole records, as text.
pub(super) struct Piece {
    text: Text,
    /// How many bytes of the input they are: it may be 0, as the piece after has them.
    pub(super) length: u64,
    /// How many lines stand before the first record, for a header.
    pub(super) skipped_lines: u64,
}

enum Text {
    /// A part of a chunk.
    Chunk(Chunk, Range<usize>),
    /// A record that began in the chunk before, and what is after it.
    Joined(Vec<u8>),
}

impl Piece {
    /// The text.
    pub(super) fn text(&mut self) -> &[u8] {
        match &mut self.text {
            Text::Chunk(chunk, range) => &chunk.bytes()[range.clone()],
            Text::Joined(text) => text,
        }
    }
}

/// The pieces of an input. Chunks are cut at line ends: where a record has several lines,
/// what is left of a chunk after its last whole record goes in front of the chunk after it.
pub(super) struct Pieces<'i> {
    chunks: Chunks<'i>,
    name: String,
    layout: Layout,
    /// What is to be skipped.
    bytes: usize,
    lines: u64,
    /// What is left of the chunks before.
    carried: Vec<u8>,
    position: u64,
}

impl<'i> Pieces<'i> {
    /// Those of an input that was looked at.
    pub(super) fn new(chunks: Chunks<'i>, name: &str, detected: &Detected) -> Self {
        Self {
            chunks,
            name: name.into(),
            layout: detected.layout.clone(),
            bytes: detected.skipped,
            lines: detected.skipped_lines,
            carried: Vec::new(),
            position: 0,
        }
    }

    fn piece(&mut self, mut chunk: Chunk) -> Result<Piece, Error> {
        let length = chunk.len();
        let start = self.bytes.min(length);
        self.bytes -= start;
        self.position += length as u64;
        let text = if self.layout.is_of_lines() {
            Text::Chunk(chunk, start..length)
        } else if self.carried.is_empty() {
            let bytes = &chunk.bytes()[start..];
            let end = start + self.layout.last_record_end(bytes);
            self.carried.extend_from_slice(&chunk.bytes()[end..]);
            Text::Chunk(chunk, start..end)
        } else {
            let mut text = mem::take(&mut self.carried);
            text.extend_from_slice(&chunk.bytes()[start..]);
            let end = self.layout.last_record_end(&text);
            self.carried.extend_from_slice(&text[end..]);
            text.truncate(end);
            Text::Joined(text)
        };
        if self.carried.len() > LONGEST_LINE {
            return Err(Error::LongLine {
                name: self.name.clone(),
                position: self.position,
            });
        }
        Ok(Piece {
            text,
            length: length as u64,
            skipped_lines: mem::take(&mut self.lines),
        })
    }
}

impl Iterator for Pieces<'_> {
    type Item = Result<Piece, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.chunks.next() {
            Some(Ok(chunk)) => Some(self.piece(chunk)),
            Some(Err(error)) => Some(Err(error)),
            None if self.carried.is_empty() => None,
            None => Some(Ok(Piece {
                text: Text::Joined(mem::take(&mut self.carried)),
                length: 0,
                skipped_lines: 0,
            })),
        }
    }
}
