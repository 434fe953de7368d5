//! An open file, and the check at the end that it is as it was.

use super::{Error, Problem};
use std::{
    fs::{File, Metadata},
    io::{self, ErrorKind},
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
    /// Set when a page of a mapping turned out to be lost.
    has_lost_pages: AtomicBool,
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
            has_lost_pages: AtomicBool::new(false),
        }
    }

    /// Checks that the file is as it was, and was read whole.
    pub(super) fn check(&self) -> Result<(), Problem> {
        if state_of(&self.file.metadata()?) != self.state {
            return Err(Problem::Changed);
        }
        if self.has_lost_pages.load(Ordering::Acquire) {
            return Err(io::Error::other("a part of it could not be read").into());
        }
        Ok(())
    }

    /// Notes that a page of a mapping is lost: the [check](Self::check) at the end fails.
    pub(super) fn lose_pages(&self) {
        self.has_lost_pages.store(true, Ordering::Release);
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
