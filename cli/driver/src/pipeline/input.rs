//! Input as chunks of whole records. Compressed input is unpacked, and UTF-16 becomes UTF-8.
//!
//! ```text
//!     a regular file ── Mapped ───┐
//!     packed, UTF-16, a pipe,     ├── Input ── chunks(how they are cut)
//!     records of several lines    │
//!               └───── Stream ────┘
//! ```

mod chunks;
mod mapped;
mod opened;
mod shard;
mod stream;

pub use chunks::{Chunk, Cut, RecordEnd, chunk_size};
pub use shard::{Shard, ShardError};

use super::{
    Error,
    compression::{Format, Magic},
    output::{as_file, is_closed},
};
use mapped::Mapped;
use opened::Opened;
use std::{
    fs::File,
    io::{self, Read},
    ops::Range,
    path::Path,
    sync::Arc,
};
use stream::Stream;
use sudoku_batch::{foreign::Foreign, unpacking::Damage};

/// The most bytes that the line at the wished end of a chunk may reach beyond that end.
pub const LONGEST_LINE: usize = 16 << 20;

/// The number of bytes at the start of a chunk that may decide its size.
pub const HEAD: usize = 4 << 10;

/// The bytes to read beyond the wished end of a chunk. They usually contain the end of the
/// line, so no second read is needed.
const OVERREAD: usize = 1 << 10;

const MARK: &[u8] = b"\xef\xbb\xbf";

/// The number of bytes of a byte-order mark at a position of an input.
fn mark(position: u64, bytes: &[u8]) -> usize {
    if position == 0 && bytes.starts_with(MARK) {
        MARK.len()
    } else {
        0
    }
}

/// Bytes to cut into chunks of whole records: a stream or a regular file. An input knows its
/// name, and its errors include the name.
///
/// The input detects gzip and zstd by their first bytes, whatever its name. It unpacks them
/// while it reads: all members of gzip, and all frames of zstd, including skippable frames.
pub struct Input {
    name: String,
    source: Source,
    /// The file, if it was opened by its name or is standard input. It is used at the end to
    /// check for changes.
    opened: Option<Arc<Opened>>,
    /// The number of bytes, if it is known. Files that the kernel makes up say 0, and have none.
    size: Option<u64>,
    /// The position of the next byte to cut. In a compressed input it counts the unpacked
    /// bytes.
    position: u64,
    /// The number of the next chunk.
    index: u64,
}

enum Source {
    Mapped(Mapped),
    Stream(Stream),
}

impl Input {
    /// Opens a file. It maps a regular file, so that each thread reads the pages of its own
    /// chunks. Anything else is read as a stream.
    ///
    /// It is safe if others write to the file or cut it short meanwhile. [`Chunk::bytes`] copies every byte
    /// out of the mapping once, before any code decides anything about it. The copy has
    /// either the old or the new byte, and it does not change any more. Where the file has no
    /// byte any more it has a zero: the first mapping of a process installs a handler for
    /// SIGBUS.
    /// [`check_unchanged`](Self::check_unchanged) reports the change at the end. Replacing
    /// the file by a rename, as `Output` does, is safe too.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, is a directory, or is of a kind that this program does not
    /// read: an archive, an array, a picture.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let (opened, size) = Opened::new(path)?;
        let source = Source::of_file(&opened, size).map_err(|problem| problem.named(&name))?;
        Ok(Self {
            opened: Some(opened),
            size: Some(size).filter(|&size| size > 0),
            ..Self::new(name, source)
        })
    }

    /// Standard input.
    pub fn stdin() -> Result<Self, Error> {
        const NAME: &str = "<stdin>";
        let cannot_read = |source| Error::Read {
            name: NAME.into(),
            source,
        };
        let file = stdin_as_file().map_err(cannot_read)?;
        // The size is not the number of bytes to come: the process that opened the file may
        // have read some of it.
        let about = file.metadata();
        // Windows has no attributes of a pipe.
        if cfg!(windows) && about.is_err() {
            return Ok(Self::stream(NAME, file));
        }
        let opened = Opened::read_on(file, &about.map_err(cannot_read)?);
        let file = Arc::clone(&opened.file);
        // Enlarges the pipe, if it is one. For 820 MB, `cat |` takes 600 to 720 ms with the
        // usual 64 KiB, and 440 to 650 ms with 1 MiB.
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&file, 1 << 20);
        Ok(Self {
            opened: Some(opened),
            ..Self::stream(NAME, file)
        })
    }

    /// Wraps any stream. Errors call it by this name.
    pub fn stream(name: &str, stream: impl Read + Send + 'static) -> Self {
        Self::new(name.into(), Source::Stream(Stream::new(stream)))
    }

    fn new(name: String, source: Source) -> Self {
        Self {
            name,
            source,
            opened: None,
            size: None,
            position: 0,
            index: 0,
        }
    }

    /// Its name in messages: the path as given, or `<stdin>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of bytes, if it is known before they are read. For a compressed file it
    /// counts the packed bytes. For a shard it counts the bytes of the shard.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// The place of the next byte to cut. In a compressed input it counts the unpacked bytes.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The number of the next chunk. It decides about the size of the chunk.
    pub fn chunk_number(&self) -> u64 {
        self.index
    }

    /// Gives the next chunk this number.
    pub fn renumber(&mut self, number: u64) {
        self.index = number;
    }

    /// Checks that a file that was opened by its name, or that standard input reads, still
    /// has the same size and modification time. Other streams are not checked.
    ///
    /// The check looks at the file that was opened. If another file took its name by a
    /// rename, the opened file is unchanged. The check misses a change in three cases: the
    /// clock of the file system did not advance since the file was opened (some
    /// milliseconds on Linux); someone sets the time back; or someone writes through a
    /// mapping that is not yet synced.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        let checked = self.opened.as_ref().map_or(Ok(()), |opened| opened.check());
        checked.map_err(|problem| problem.named(&self.name))
    }

    /// The compression format. Waits for the first bytes of a stream.
    pub fn compression(&mut self) -> Result<Option<Format>, Error> {
        match &mut self.source {
            Source::Mapped(_) => Ok(None),
            Source::Stream(stream) => {
                let format = stream.compression();
                format.map_err(|problem| problem.named(&self.name))
            }
        }
    }

    /// Looks at the next bytes, without a byte-order mark, to detect their format. The bytes
    /// stay in the input.
    ///
    /// Reads until `enough` accepts the bytes so far, until there are `most` bytes, or to
    /// the end. A pipe usually delivers in one piece what was written in one piece. So if
    /// `enough` accepts one record, a program that waits for an answer does not have to
    /// write more.
    pub fn peek(
        &mut self,
        most: usize,
        mut enough: impl FnMut(&[u8]) -> bool,
    ) -> Result<&[u8], Error> {
        let position = self.position;
        if let Source::Stream(stream) = &mut self.source {
            loop {
                let (bytes, ended) = stream.available(position);
                let bytes = &bytes[mark(position, bytes)..];
                if ended || bytes.len() >= most || !bytes.is_empty() && enough(bytes) {
                    break;
                }
                let more = stream.read_more(position);
                more.map_err(|problem| problem.named(&self.name))?;
            }
        }
        let bytes = match &mut self.source {
            Source::Mapped(file) => file.peek(position, 0..most + MARK.len()),
            Source::Stream(stream) => Ok(stream.available(position).0),
        };
        let bytes = bytes.map_err(|problem| problem.named(&self.name))?;
        let bytes = &bytes[mark(position, bytes)..];
        Ok(&bytes[..bytes.len().min(most)])
    }

    fn next_bytes(&mut self, wanted: usize) -> Result<&[u8], Error> {
        self.bytes_ahead(0..wanted)
    }

    /// The bytes of a range of those that are next, or as many of them as there are.
    fn bytes_ahead(&mut self, range: Range<usize>) -> Result<&[u8], Error> {
        match &mut self.source {
            Source::Mapped(file) => file.peek(self.position, range),
            Source::Stream(stream) => stream.peek(self.position, range),
        }
        .map_err(|problem| problem.named(&self.name))
    }

    /// Splits off the next bytes. The caller knows that they exist.
    fn split(&mut self, length: usize) -> Chunk {
        let chunk = match &mut self.source {
            Source::Mapped(file) => file.split(self.position, length),
            Source::Stream(stream) => stream.split(length),
        };
        self.position += length as u64;
        chunk
    }

    /// The position in the source, in the bytes that [`size`](Self::size) counts.
    fn source_position(&self) -> u64 {
        let packed = match &self.source {
            Source::Mapped(_) => None,
            Source::Stream(stream) => stream.packed_position(),
        };
        packed.unwrap_or(self.position)
    }

    /// Switches a mapped file to a stream, from the current position.
    fn become_stream(&mut self) -> Result<(), Error> {
        if let Source::Mapped(file) = &self.source {
            let section = file.section(self.position);
            let section = section.map_err(|error| Problem::Read(error).named(&self.name))?;
            self.source = Source::Stream(Stream::plain(section));
        }
        Ok(())
    }
}

impl Source {
    /// A regular file that is not compressed, of this size; otherwise a stream.
    fn of_file(opened: &Arc<Opened>, size: u64) -> Result<Self, Problem> {
        // Files under /proc report a size of 0. Files under /sys, and all files on some
        // file systems, cannot be mapped.
        let mapped = (size > 0).then(|| Mapped::new(opened, size));
        let Some(Ok(mut file)) = mapped else {
            return Ok(Self::Stream(Stream::new(Arc::clone(&opened.file))));
        };
        let head = file.peek(0, 0..HEAD)?;
        if let Some(Some(tar)) = Foreign::tar(head) {
            return Err(Problem::foreign(tar));
        }
        // A file of a byte or two may begin as a compressed one does, and be plain.
        match Magic::of(head, true) {
            Some(Magic::Foreign(foreign)) => Err(Problem::foreign(foreign)),
            Some(Magic::Compressed(_) | Magic::Utf16(_)) => {
                Ok(Self::Stream(Stream::new(file.section(0)?)))
            }
            Some(Magic::Plain) | None => Ok(Self::Mapped(file)),
        }
    }
}

/// An error of a source. The source does not know its name.
pub(super) enum Problem {
    Read(io::Error),
    Changed,
    Foreign {
        foreign: Foreign,
        /// The compression in which it is.
        packed: Option<Format>,
    },
    Damaged(Damage),
}

impl Problem {
    /// The problem of a file of a kind that is not read here.
    fn foreign(foreign: Foreign) -> Self {
        Self::Foreign {
            foreign,
            packed: None,
        }
    }

    fn named(self, name: &str) -> Error {
        let name = name.to_owned();
        match self {
            Self::Read(source) => Error::Read { name, source },
            Self::Changed => Error::Changed { name },
            Self::Foreign { foreign, packed } => Error::Foreign {
                name,
                foreign,
                packed,
            },
            Self::Damaged(damage) => Error::Damaged { name, damage },
        }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

/// Standard input, without the buffer of [`io::stdin`]. That buffer makes reading a third
/// slower.
fn stdin_as_file() -> io::Result<File> {
    if is_closed(0) {
        return Err(io::Error::other("it is closed"));
    }
    as_file(&io::stdin())
}
