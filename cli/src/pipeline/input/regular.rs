//! A regular file, which is read at places: threads need not wait for each other.
//!
//! One thread at a time looks for the end of a chunk, and reads a few kilobytes for it. The thread that
//! works on the chunk reads its bytes. Files were mapped into memory before: that took a handler of
//! SIGBUS for files that are cut short, copies by volatile reads, and more processor time (page faults).

use super::{
    Error, HEAD, Problem,
    chunks::{Chunk, Spare},
};
use std::{
    fs::{File, Metadata},
    io::{self, ErrorKind, Read, Seek, SeekFrom},
    ops::Range,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::SystemTime,
};

/// A file that was opened by its name, or that standard input reads.
pub(super) struct Opened {
    pub(super) file: Arc<File>,
    /// The whole of a regular file is to be read.
    pub(super) is_file: bool,
    /// The size, and the time of the last change. The open handle identifies the file. The time of the
    /// last status change would reveal a time that was set back, but a rename changes it too.
    state: (u64, Option<SystemTime>),
    /// Set when a chunk could not be read whole.
    has_lost_bytes: AtomicBool,
}

impl Opened {
    /// Opens a file. Returns its size too, which is 0 if it is no regular file.
    pub(super) fn new(path: &Path) -> Result<(Arc<Self>, u64), Error> {
        let open = || {
            let file = File::open(path)?;
            let about = file.metadata()?;
            if about.is_dir() {
                return Err(ErrorKind::IsADirectory.into());
            }
            Ok((file, about))
        };
        let (file, about) = open().map_err(|source| Error::Open {
            name: path.display().to_string(),
            source,
        })?;
        let is_file = about.is_file();
        Ok((
            Arc::new(Self::of(file, &about, is_file)),
            state_of(&about).0,
        ))
    }

    /// An open file, which is read from its current place on.
    pub(super) fn read_on(file: File, about: &Metadata) -> Arc<Self> {
        Arc::new(Self::of(file, about, false))
    }

    fn of(file: File, about: &Metadata, is_file: bool) -> Self {
        Self {
            file: Arc::new(file),
            is_file,
            state: state_of(about),
            has_lost_bytes: AtomicBool::new(false),
        }
    }

    /// Checks that the file is as it was, and was read whole.
    pub(super) fn check(&self) -> Result<(), Problem> {
        if state_of(&self.file.metadata()?) != self.state {
            return Err(Problem::Changed);
        }
        if self.has_lost_bytes.load(Ordering::Acquire) {
            return Err(io::Error::other("a part of it could not be read").into());
        }
        Ok(())
    }

    /// Reads bytes at a place. Returns their number, which is smaller if the file ends before.
    fn read_at(&self, to: &mut [u8], position: u64) -> io::Result<usize> {
        let mut there = 0;
        while there < to.len() {
            let (rest, at) = (&mut to[there..], position + there as u64);
            #[cfg(unix)]
            let read = std::os::unix::fs::FileExt::read_at(&*self.file, rest, at);
            #[cfg(windows)]
            let read = std::os::windows::fs::FileExt::seek_read(&*self.file, rest, at);
            match read {
                Ok(0) => break,
                Ok(count) => there += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(there)
    }

    /// Reads all these bytes at a place. If some cannot be read, zeros take their place, and the
    /// [check](Self::check) at the end fails.
    pub(super) fn fill(&self, to: &mut [u8], position: u64) {
        let there = self.read_at(to, position).unwrap_or(0);
        if there < to.len() {
            to[there..].fill(0);
            self.has_lost_bytes.store(true, Ordering::Release);
        }
    }
}

/// The size of a regular file, and the time of its last change. A named pipe or a device has no such
/// state, so it always counts as unchanged.
fn state_of(about: &Metadata) -> (u64, Option<SystemTime>) {
    if about.is_file() {
        (about.len(), about.modified().ok())
    } else {
        (0, None)
    }
}

/// A regular file, from whose bytes chunks are cut.
pub(super) struct Regular {
    opened: Arc<Opened>,
    /// The place where the wanted bytes end.
    end: u64,
    /// The bytes that were looked at last.
    seen: Vec<u8>,
    spare: Arc<Spare>,
}

impl Regular {
    /// All bytes of a file of this size.
    pub(super) fn new(opened: &Arc<Opened>, size: u64) -> Self {
        Self {
            opened: Arc::clone(opened),
            end: size,
            seen: Vec::new(),
            spare: Arc::default(),
        }
    }

    /// The first bytes, or nothing if the file has fewer than its size says.
    pub(super) fn head(&mut self) -> Result<Option<&[u8]>, Problem> {
        match self.peek(0, 0..HEAD) {
            Err(Problem::Changed) => Ok(None),
            read => read.map(Some),
        }
    }

    /// The bytes of a range of those from `position` on, or as many of them as there are.
    pub(super) fn peek(&mut self, position: u64, range: Range<usize>) -> Result<&[u8], Problem> {
        let left = usize::try_from(self.end - position).unwrap_or(usize::MAX);
        let end = range.end.min(left);
        self.seen.resize(end.saturating_sub(range.start), 0);
        let count = self
            .opened
            .read_at(&mut self.seen, position + range.start as u64)?;
        if count < self.seen.len() {
            return Err(Problem::Changed);
        }
        Ok(&self.seen)
    }

    /// The bytes from `position` on, as a stream. It moves the place where the file is read, so
    /// that there may be one of them.
    pub(super) fn section(&self, position: u64) -> io::Result<impl Read + Send + use<>> {
        let mut file = Arc::clone(&self.opened.file);
        file.seek(SeekFrom::Start(position))?;
        Ok(file.take(self.end.saturating_sub(position)))
    }

    /// The place where the wanted bytes end: at first the size of the file.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Lets go of all but the bytes before `end`.
    pub(super) fn end_at(&mut self, end: u64) {
        self.end = end;
    }

    /// The chunk of `length` bytes at a place. They are not read yet.
    pub(super) fn split(&self, position: u64, length: usize) -> Chunk {
        Chunk::unread(&self.opened, position, length, &self.spare)
    }
}
