//! Input as chunks of whole records, unpacked if it is compressed.
//!
//! ```text
//!     a regular file ── Mapped ──┐
//!     compressed, a pipe,        ├── Input ──┐
//!     records of several lines   │           ├── chunks(inputs, how they are cut)
//!               └───── Stream ───┘   Input ──┘
//! ```

mod chunks;
mod mapped;
mod shard;
mod stream;

pub use chunks::{Chunk, Chunks, Cut, RecordEnd, chunk_size, chunks};
pub use shard::{Shard, ShardError};

use super::{
    Error,
    compression::{Format, Magic},
    output::is_closed,
};
use chunks::LineEnd;
use mapped::Mapped;
use std::{
    fs::{File, Metadata},
    io::{self, Read},
    path::Path,
    sync::Arc,
    time::SystemTime,
};
use stream::Stream;

/// How far after the wished end of a chunk its line may end.
pub const LONGEST_LINE: usize = 16 << 20;

/// The bytes at the start of a chunk that its size may depend on.
pub const HEAD: usize = 4 << 10;

/// What is read beyond the wished end of a chunk, to find the end of the line
/// there without a second read.
const OVERREAD: usize = 1 << 10;

/// The byte-order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// How many of the bytes at a position of an input are a byte-order mark.
fn mark(position: u64, bytes: &[u8]) -> usize {
    match position == 0 && bytes.starts_with(MARK) {
        true => MARK.len(),
        false => 0,
    }
}

/// Bytes to be cut into chunks of whole records: a stream, or a mapped file. It
/// knows its name, and its errors tell it.
///
/// gzip and zstd are told by their first bytes, whatever the name, and unpacked as they are
/// read: all members of gzip, all frames of zstd, and frames to be skipped.
pub struct Input {
    name: String,
    source: Source,
    /// The file that was opened by its name, to see at the end whether it
    /// changed.
    opened: Option<Opened>,
    /// The bytes cut so far, or where those begin that are next: of a compressed input,
    /// in what it unpacks to.
    position: u64,
}

enum Source {
    Mapped(Mapped),
    Stream(Stream),
}

impl Input {
    /// Opens a file and reads it as a stream.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, or is a directory.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let opened = Opened::new(path)?;
        let source = Source::Stream(Stream::new(Arc::clone(&opened.file)));
        Ok(Self::of_file(path, opened, source))
    }

    /// Opens a file, and maps it if it is a regular one: each thread then reads
    /// the pages of its chunks by itself. Anything else is read as by
    /// [`open`](Self::open).
    ///
    /// The caller promises that nobody cuts the file short before this `Input`
    /// and its chunks are dropped. Where that is broken the system ends the
    /// process by a signal (SIGBUS), as it does for every mapping; an
    /// [`Output`](super::output::Output) that was not committed is then lost,
    /// and its target stays as it was.
    ///
    /// A file that others write to meanwhile does no such harm. Every byte is
    /// copied out of the mapping once, by [`Chunk::bytes`], before anything is
    /// decided about it: it is the old one or the new one, and does not change
    /// any more. [`check_unchanged`](Self::check_unchanged) tells of it at the
    /// end. To replace the file by a rename, as `Output` does, is safe.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, or is a directory, or an archive that is not unpacked here.
    pub fn map(path: &Path) -> Result<Self, Error> {
        let opened = Opened::new(path)?;
        // Files under /proc say that they have no bytes; those under /sys, and on
        // some file systems all, cannot be mapped.
        let source = match opened.size.map(|size| Mapped::new(&opened.file, size)) {
            Some(Ok(mapped)) => Source::Mapped(mapped),
            Some(Err(_)) | None => Source::Stream(Stream::new(Arc::clone(&opened.file))),
        };
        let mut input = Self::of_file(path, opened, source);
        if let Source::Mapped(_) = input.source
            && Magic::of(input.next_bytes(HEAD)?) != Some(Magic::Plain)
        {
            // From the start of the file: mapping it moved nothing.
            let file = input.opened.as_ref().map(|opened| Arc::clone(&opened.file));
            let mut stream = Stream::new(file.expect("it was just opened"));
            let recognised = stream.compression();
            recognised.map_err(|problem| problem.named(&input.name))?;
            input.source = Source::Stream(stream);
        }
        Ok(input)
    }

    /// Standard input.
    ///
    /// # Errors
    ///
    /// It is closed.
    pub fn stdin() -> Result<Self, Error> {
        const NAME: &str = "<stdin>";
        let file = stdin_as_file().map_err(|source| Error::Read {
            name: NAME.into(),
            source,
        })?;
        // A larger pipe, if it is one: with the usual 64 KiB `cat |` takes 600 to
        // 720 ms for 820 MB, with 1 MiB 440 to 650.
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&file, 1 << 20);
        Ok(Self::stream(NAME, file))
    }

    /// Any stream, by the name that errors are to call it.
    pub fn stream(name: &str, stream: impl Read + Send + 'static) -> Self {
        Self {
            name: name.into(),
            source: Source::Stream(Stream::new(stream)),
            opened: None,
            position: 0,
        }
    }

    fn of_file(path: &Path, opened: Opened, source: Source) -> Self {
        Self {
            name: path.display().to_string(),
            source,
            opened: Some(opened),
            position: 0,
        }
    }

    /// What it is called in messages: the path as it was given, or `<stdin>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bytes there are, when that is known before they are read: of a compressed file
    /// the packed ones, of a shard its own.
    pub fn size(&self) -> Option<u64> {
        self.opened.as_ref().and_then(|opened| opened.size)
    }

    /// Checks that a file that was opened by its name has the size and the time
    /// of modification that it had then. A stream has nothing to be checked.
    ///
    /// It is the file that was opened which is looked at: one that another took
    /// the place of, by a rename, is unchanged. A change is missed where the
    /// clock of the file system did not move on since the file was opened (some
    /// milliseconds on Linux), where someone sets the time back, and where bytes
    /// are written through a mapping that is not yet synced.
    ///
    /// # Errors
    ///
    /// The file changed, or cannot be looked at.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        let Some(opened) = &self.opened else {
            return Ok(());
        };
        match opened.is_unchanged() {
            Ok(true) => Ok(()),
            Ok(false) => Err(Problem::Changed.named(&self.name)),
            Err(error) => Err(Problem::Read(error).named(&self.name)),
        }
    }

    /// In which format it is compressed. Waits for the first bytes of a stream.
    ///
    /// # Errors
    ///
    /// The input cannot be read, or is an archive that is not unpacked here.
    pub fn compression(&mut self) -> Result<Option<Format>, Error> {
        match &mut self.source {
            Source::Mapped(_) => Ok(None),
            Source::Stream(stream) => {
                let format = stream.compression();
                format.map_err(|problem| problem.named(&self.name))
            }
        }
    }

    /// Looks at the bytes that are next, without a byte-order mark, to see of what form they
    /// are; they stay to be cut.
    ///
    /// Reads until `enough` says so of what there is, until there are `most` bytes, or to the
    /// end. What is written on a pipe in one piece comes in one piece, as a rule, so that a
    /// program that waits for an answer is not waited for as long as `enough` is content with
    /// one record.
    ///
    /// # Errors
    ///
    /// The input cannot be read, or is damaged.
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
            Source::Mapped(file) => file.peek(position, most + MARK.len()),
            Source::Stream(stream) => Ok(stream.available(position).0),
        };
        let bytes = bytes.map_err(|problem| problem.named(&self.name))?;
        let bytes = &bytes[mark(position, bytes)..];
        Ok(&bytes[..bytes.len().min(most)])
    }

    /// The chunks, by [`chunk_size`].
    pub fn chunks(&mut self) -> Chunks<'_> {
        chunks(std::slice::from_mut(self), Cut::default())
    }

    /// The chunks, of [wished sizes](Cut::sizes). The same bytes are cut alike whether mapped,
    /// streamed or unpacked.
    pub fn chunks_of<'a>(
        &'a mut self,
        size: impl FnMut(u64, &[u8]) -> usize + Send + 'a,
    ) -> Chunks<'a> {
        chunks(std::slice::from_mut(self), Cut::default().sizes(size))
    }

    /// The next bytes, so many or all there are.
    fn next_bytes(&mut self, wanted: usize) -> Result<&[u8], Error> {
        let (position, name) = (self.position, &self.name);
        match &mut self.source {
            Source::Mapped(file) => file.peek(position, wanted),
            Source::Stream(stream) => stream.peek(position, wanted),
        }
        .map_err(|problem| problem.named(name))
    }

    /// Looks for the end of a line among the bytes `from..to` of those that are
    /// next.
    fn line_end(&mut self, from: usize, to: usize) -> Result<LineEnd, Error> {
        let found = match &mut self.source {
            Source::Mapped(file) => file.line_end(self.position, from, to),
            Source::Stream(stream) => stream.line_end(self.position, from, to),
        };
        found.map_err(|problem| problem.named(&self.name))
    }

    /// Splits off the next bytes, which are known to be there.
    fn split(&mut self, length: usize) -> Chunk {
        let chunk = match &mut self.source {
            Source::Mapped(file) => file.split(self.position, length),
            Source::Stream(stream) => stream.split(length),
        };
        self.position += length as u64;
        chunk
    }

    /// How far the source is read, in the bytes that [`size`](Self::size) counts.
    fn source_position(&self) -> u64 {
        let packed = match &self.source {
            Source::Mapped(_) => None,
            Source::Stream(stream) => stream.packed_position(),
        };
        packed.unwrap_or(self.position)
    }

    /// Has a mapped file read as a stream, from where it is.
    fn unmap(&mut self) -> Result<(), Error> {
        let Source::Mapped(mapped) = &self.source else {
            return Ok(());
        };
        let section = mapped.section(self.position);
        let section = section.map_err(|error| Problem::Read(error).named(&self.name))?;
        self.source = Source::Stream(Stream::plain(section));
        Ok(())
    }
}

/// What goes wrong with a source, which does not know its name.
pub(super) enum Problem {
    Read(io::Error),
    Changed,
    /// It is an archive of a kind that is not unpacked here.
    OtherArchive {
        kind: &'static str,
        tool: &'static str,
    },
    /// It is not what its format asks for.
    Damaged {
        format: Format,
        /// The packed bytes before the damage.
        position: u64,
        /// The bytes that came out before it.
        unpacked: u64,
        what: String,
    },
}

impl Problem {
    fn named(self, name: &str) -> Error {
        let name = name.to_owned();
        match self {
            Self::Read(source) => Error::Read { name, source },
            Self::Changed => Error::Changed { name },
            Self::OtherArchive { kind, tool } => Error::OtherArchive { name, kind, tool },
            Self::Damaged {
                format,
                position,
                unpacked,
                what,
            } => Error::Damaged {
                name,
                format,
                position,
                unpacked,
                what,
            },
        }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

/// Standard input, not through the buffer of [`io::stdin`]: that takes a third
/// longer.
fn stdin_as_file() -> io::Result<File> {
    if is_closed(0) {
        return Err(io::Error::other("it is closed"));
    }
    #[cfg(unix)]
    let handle = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned()?;
    #[cfg(windows)]
    let handle = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned()?;
    Ok(File::from(handle))
}

/// A file, and what it was like when it was opened.
struct Opened {
    file: Arc<File>,
    /// Of a regular file that has one. Some that the kernel makes up say 0.
    size: Option<u64>,
    is_file: bool,
    state: State,
}

impl Opened {
    fn new(path: &Path) -> Result<Self, Error> {
        let open = || {
            let file = File::open(path)?;
            let about = file.metadata()?;
            if about.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok((file, about))
        };
        let (file, about) = open().map_err(|source| Error::Open {
            name: path.display().to_string(),
            source,
        })?;
        Ok(Self {
            file: Arc::new(file),
            size: (about.is_file() && about.len() > 0).then_some(about.len()),
            is_file: about.is_file(),
            state: State::of(&about),
        })
    }

    fn is_unchanged(&self) -> io::Result<bool> {
        Ok(State::of(&self.file.metadata()?) == self.state)
    }
}

/// What tells whether a file was written to.
///
/// The handle stands for its identity. The time of its last change of status
/// would tell of a time that was set back, but also of a rename.
#[derive(PartialEq, Eq)]
struct State {
    size: u64,
    modified: Option<SystemTime>,
}

impl State {
    /// A named pipe or a device has no such state: it is always the same.
    fn of(about: &Metadata) -> Self {
        let regular = about.is_file();
        Self {
            size: if regular { about.len() } else { 0 },
            modified: about.modified().ok().filter(|_| regular),
        }
    }
}
