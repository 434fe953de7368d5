//! A stream, read into memory chunk by chunk, and unpacked if it is compressed.

use super::{
    HEAD, Problem,
    chunks::{Chunk, Spare, room},
};
use crate::pipeline::{
    compression::{Format, Magic},
    unpacking::Unpacked,
    utf16::Utf16,
};
use std::{
    io::{self, Cursor, Read},
    ops::Range,
    sync::Arc,
};
use sudoku_batch::foreign::Foreign;

/// The bytes that are asked for at a time where a chunk ends as soon as it can.
const AT_ONCE: usize = 64 << 10;

type Reader = Box<dyn Read + Send>;

/// A stream that may be compressed or UTF-16, which its first bytes show when they are read.
enum Bytes {
    Unknown(Reader),
    Plain(Reader),
    Packed(Box<Unpacked<Reader>>),
    Utf16(Box<Utf16<Reader>>),
}

impl Bytes {
    /// Reads the first bytes, if that was not done, to see whether it is compressed. Waits for
    /// no more of them than it takes to decide.
    fn recognise(&mut self) -> Result<(), Problem> {
        let Self::Unknown(reader) = self else {
            return Ok(());
        };
        let mut head = vec![0; HEAD];
        let mut read = 0;
        let mut ended = false;
        let magic = loop {
            if let Some(magic) = Magic::of(&head[..read], ended) {
                break magic;
            }
            let count = read_some(reader, &mut head[read..])?;
            read += count;
            ended = count == 0;
        };
        head.truncate(read);
        let reader = std::mem::replace(reader, Box::new(io::empty()));
        let whole: Reader = Box::new(Cursor::new(head).chain(reader));
        *self = match magic {
            Magic::Plain => Self::Plain(whole),
            Magic::Compressed(format) => Self::Packed(Box::new(Unpacked::new(format, whole)?)),
            Magic::Utf16(order) => Self::Utf16(Box::new(Utf16::new(order, whole))),
            Magic::Foreign(foreign) => return Err(Problem::foreign(foreign)),
        };
        Ok(())
    }

    /// The format in which it is compressed, if that is known.
    fn packed_format(&self) -> Option<Format> {
        match self {
            Self::Packed(unpacked) => Some(unpacked.format()),
            _ => None,
        }
    }

    fn read(&mut self, to: &mut [u8]) -> Result<usize, Problem> {
        self.recognise()?;
        match self {
            Self::Unknown(_) => unreachable!("it was just recognised"),
            Self::Plain(reader) => read_some(reader, to),
            Self::Packed(unpacked) => unpacked.read(to),
            Self::Utf16(utf16) => utf16.read(to),
        }
    }
}

fn read_some(reader: &mut Reader, to: &mut [u8]) -> Result<usize, Problem> {
    loop {
        match reader.read(to) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result.map_err(Problem::Read),
        }
    }
}

pub(super) struct Stream {
    bytes: Bytes,
    /// The first bytes, unpacked, until they show that they are of no kind that is not read.
    first: Option<Vec<u8>>,
    ended: bool,
    /// The memory of the next chunk, and the range of it that is read.
    next: Option<(Vec<u8>, Range<usize>)>,
    carried: Vec<u8>,
    spare: Arc<Spare>,
}

impl Stream {
    pub(super) fn new(stream: impl Read + Send + 'static) -> Self {
        let bytes = Bytes::Unknown(Box::new(stream));
        Self::of(bytes, Some(Vec::new()))
    }

    pub(super) fn plain(stream: impl Read + Send + 'static) -> Self {
        Self::of(Bytes::Plain(Box::new(stream)), None)
    }

    fn of(bytes: Bytes, first: Option<Vec<u8>>) -> Self {
        Self {
            bytes,
            first,
            ended: false,
            next: None,
            carried: Vec::new(),
            spare: Arc::default(),
        }
    }

    /// The format in which it is compressed. Waits for its first bytes.
    pub(super) fn compression(&mut self) -> Result<Option<Format>, Problem> {
        self.bytes.recognise()?;
        Ok(self.bytes.packed_format())
    }

    /// Returns true if it is UTF-16. Waits for its first bytes.
    pub(super) fn is_utf16(&mut self) -> Result<bool, Problem> {
        self.bytes.recognise()?;
        Ok(matches!(self.bytes, Bytes::Utf16(_)))
    }

    /// The number of packed bytes that were read, if it is known to be compressed or UTF-16.
    pub(super) fn packed_position(&self) -> Option<u64> {
        match &self.bytes {
            Bytes::Packed(unpacked) => Some(unpacked.position()),
            Bytes::Utf16(utf16) => Some(utf16.position()),
            _ => None,
        }
    }

    /// The memory of the next chunk, with what is already read of it.
    fn begun(&mut self, position: u64) -> &mut (Vec<u8>, Range<usize>) {
        self.next.get_or_insert_with(|| {
            let (mut memory, read) = room(&self.spare, position, self.carried.len());
            memory[read.clone()].copy_from_slice(&self.carried);
            self.carried.clear();
            (memory, read)
        })
    }

    /// Reads once, so that up to `length` bytes are there.
    fn read_once(&mut self, position: u64, length: usize) -> Result<(), Problem> {
        self.begun(position);
        let Some((memory, read)) = &mut self.next else {
            unreachable!("it was just begun");
        };
        let end = read.start + length;
        if memory.len() < end {
            memory.resize(end, 0);
        }
        if read.end < end && !self.ended {
            let to = &mut memory[read.end..end];
            let count = self.bytes.read(to)?;
            if let Some(first) = &mut self.first {
                first.extend_from_slice(&to[..count.min(HEAD)]);
                // The program `tar` unpacks by itself.
                let packed = self.bytes.packed_format();
                let kinds = [
                    (Foreign::tar(first), None),
                    (Foreign::of(first, count == 0), packed),
                ];
                for (kind, packed) in kinds {
                    if let Some(Some(foreign)) = kind {
                        return Err(Problem::Foreign { foreign, packed });
                    }
                }
                if kinds.iter().all(|(kind, _)| kind.is_some()) {
                    self.first = None;
                }
            }
            read.end += count;
            self.ended = count == 0;
        }
        Ok(())
    }

    /// The bytes of a range of those that are next, or as many of them as there are.
    pub(super) fn peek(&mut self, position: u64, range: Range<usize>) -> Result<&[u8], Problem> {
        while self.available(position).0.len() < range.end && !self.ended {
            self.read_once(position, range.end)?;
        }
        let bytes = self.available(position).0;
        let end = range.end.min(bytes.len());
        Ok(bytes.get(range.start..end).unwrap_or_default())
    }

    /// The next bytes that are read already, and whether they are all there are.
    pub(super) fn available(&mut self, position: u64) -> (&[u8], bool) {
        let ended = self.ended;
        let (memory, read) = self.begun(position);
        (&memory[read.clone()], ended)
    }

    pub(super) fn read_more(&mut self, position: u64) -> Result<(), Problem> {
        let length = self.available(position).0.len();
        self.read_once(position, length + AT_ONCE)
    }

    pub(super) fn split(&mut self, length: usize) -> Chunk {
        let (memory, read) = self.next.take().expect("it was read");
        let lines = read.start..read.start + length;
        self.carried.clear();
        self.carried.extend_from_slice(&memory[lines.end..read.end]);
        Chunk::read(memory, lines, &self.spare)
    }
}
