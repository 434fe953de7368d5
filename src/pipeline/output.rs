//! Output that appears whole or not at all, and streams.
//!
//! A regular file is written beside its target and takes its place at the end,
//! by a rename: until then an existing target stays as it was. On Linux the
//! file that is being written has no name, so that nothing is left of it
//! however the process ends; where a file system cannot do that, it has a
//! temporary name, which [`abandon`] takes away.
//!
//! An output may be compressed. Its bytes are then packed in independent pieces, one for each
//! item of a [run](super::run) that has bytes, by the threads that work.
//!
//! This guards against a process that ends. It does not guard against a power failure:
//! files are not fsynced.

mod attributes;
mod descriptor;

pub(super) use descriptor::is_closed;

use super::{
    Error,
    compression::{Packer, Packing},
};
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};
use tempfile::{NamedTempFile, TempPath};

/// Where bytes go. It knows its name, and its errors tell it.
#[derive(Debug)]
pub struct Output {
    name: String,
    kind: Kind,
    packed: Option<Packed>,
}

#[derive(Debug)]
enum Kind {
    Atomic(AtomicFile),
    Stream(File),
    Stdout(File),
}

impl Output {
    /// Output to a file. One that exists is replaced when the output is committed. Its
    /// owner, permissions, access control list and user attributes are kept, and a
    /// symbolic link is followed. Its other names (hard links) keep the old content.
    ///
    /// What is no regular file (a device, a named pipe) is written as it is. So is what the
    /// process inherits as an open file and names by its descriptor (`/dev/fd/3`,
    /// `/dev/stderr`, `/proc/self/fd/1`), a regular file too: it belongs to whoever opened
    /// it.
    ///
    /// # Errors
    ///
    /// The target is a directory, may not be written, or its folder is missing
    /// or may not be written.
    pub fn create(target: &Path) -> Result<Self, Error> {
        Self::of(target.display().to_string(), Kind::create(target))
    }

    /// Standard output, unbuffered.
    ///
    /// # Errors
    ///
    /// It is closed.
    pub fn stdout() -> Result<Self, Error> {
        Self::of("<stdout>".into(), Kind::stdout())
    }

    fn of(name: String, kind: io::Result<Kind>) -> Result<Self, Error> {
        match kind {
            Ok(kind) => Ok(Self {
                name,
                kind,
                packed: None,
            }),
            Err(source) => Err(Error::Write { name, source }),
        }
    }

    /// Has all that is written from now on compressed.
    ///
    /// # Errors
    ///
    /// It is a terminal.
    pub fn compressed(mut self, packing: Packing) -> Result<Self, Error> {
        if self.is_terminal() {
            let what = "compressed bytes are not for a terminal";
            return Err(self.cannot_write(io::Error::other(what)));
        }
        self.packed = Some(Packed::new(packing));
        Ok(self)
    }

    /// How it is compressed.
    pub fn packing(&self) -> Option<Packing> {
        self.packed.as_ref().map(|packed| packed.packing)
    }

    /// What it is called in messages: the path as it was given, or `<stdout>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether both would write the same file, or standard output.
    pub fn clashes_with(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Atomic(one), Kind::Atomic(other)) => one.target == other.target,
            (Kind::Stdout(_), Kind::Stdout(_)) => true,
            (Kind::Stream(one) | Kind::Stdout(one), Kind::Stream(other) | Kind::Stdout(other)) => {
                is_same_file(one, other)
            }
            _ => false,
        }
    }

    /// Writes the next bytes, for output that is made in order. Where it is compressed they
    /// are packed when there are enough of them, before a [run](super::run), or at the end.
    ///
    /// # Errors
    ///
    /// Those of [`Write::write_all`].
    pub fn write_next(&self, bytes: &[u8]) -> Result<(), Error> {
        match &self.packed {
            None => self.write_as_they_are(bytes),
            Some(packed) => {
                let mut pieces = packed.pieces();
                pieces.pending.extend_from_slice(bytes);
                while pieces.pending.len() >= PIECE {
                    self.write_as_they_are(pieces.pack(PIECE))?;
                }
                Ok(())
            }
        }
    }

    /// Packs and writes what waits to be packed with more.
    pub(super) fn flush(&self) -> Result<(), Error> {
        let Some(packed) = &self.packed else {
            return Ok(());
        };
        let mut pieces = packed.pieces();
        match pieces.pending.len() {
            0 => Ok(()),
            length => self.write_as_they_are(pieces.pack(length)),
        }
    }

    /// Writes the next bytes, which are a whole piece if the output is compressed.
    pub(super) fn write_piece(&self, bytes: &[u8]) -> Result<(), Error> {
        if let Some(packed) = &self.packed {
            packed.pieces().none &= bytes.is_empty();
        }
        self.write_as_they_are(bytes)
    }

    fn write_as_they_are(&self, bytes: &[u8]) -> Result<(), Error> {
        let mut file = match &self.kind {
            Kind::Atomic(atomic) => {
                atomic.reserve(bytes.len() as u64);
                &atomic.file
            }
            Kind::Stream(stream) | Kind::Stdout(stream) => stream,
        };
        file.write_all(bytes)
            .map_err(|source| self.cannot_write(source))
    }

    fn cannot_write(&self, source: io::Error) -> Error {
        Error::Write {
            name: self.name.clone(),
            source,
        }
    }

    /// Whether it is a regular file. Writing to one waits for no reader.
    pub fn is_file(&self) -> bool {
        match &self.kind {
            Kind::Atomic(_) => true,
            Kind::Stream(file) | Kind::Stdout(file) => {
                file.metadata().is_ok_and(|about| about.is_file())
            }
        }
    }

    /// Whether it is a terminal.
    pub fn is_terminal(&self) -> bool {
        match &self.kind {
            Kind::Atomic(_) => false,
            Kind::Stream(file) | Kind::Stdout(file) => file.is_terminal(),
        }
    }

    /// Ends the output, and puts a file in the place of its target. Without it the target
    /// stays as it was.
    ///
    /// # Errors
    ///
    /// The last bytes cannot be written, or the file cannot be linked or renamed.
    pub fn commit(self) -> Result<(), Error> {
        self.flush()?;
        if let Some(packed) = &self.packed {
            let mut pieces = packed.pieces();
            if pieces.none {
                // Not one byte is no gzip and no zstd.
                self.write_as_they_are(pieces.pack(0))?;
            }
        }
        let Self { name, kind, .. } = self;
        match kind {
            Kind::Atomic(atomic) => {
                (atomic.commit()).map_err(|source| Error::Write { name, source })
            }
            Kind::Stream(_) | Kind::Stdout(_) => Ok(()),
        }
    }
}

/// Bytes that are packed together where they are written in order.
const PIECE: usize = 1 << 20;

/// What a compressed output keeps.
#[derive(Debug)]
struct Packed {
    packing: Packing,
    pieces: Mutex<Pieces>,
}

struct Pieces {
    packer: Packer,
    /// What is not packed yet.
    pending: Vec<u8>,
    /// The last piece.
    piece: Vec<u8>,
    /// Whether no piece was written.
    none: bool,
}

impl Packed {
    fn new(packing: Packing) -> Self {
        Self {
            packing,
            pieces: Mutex::new(Pieces {
                packer: Packer::new(packing),
                pending: Vec::new(),
                piece: Vec::new(),
                none: true,
            }),
        }
    }

    fn pieces(&self) -> MutexGuard<'_, Pieces> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pieces {
    /// Packs the first pending bytes.
    fn pack(&mut self, length: usize) -> &[u8] {
        self.packer.pack(&self.pending[..length], &mut self.piece);
        self.pending.drain(..length);
        self.none = false;
        &self.piece
    }
}

impl std::fmt::Debug for Pieces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pieces").finish_non_exhaustive()
    }
}

impl Kind {
    fn create(target: &Path) -> io::Result<Self> {
        let target = match follow_links(target)? {
            End::Descriptor(STDOUT) => return Self::stdout(),
            End::Descriptor(number) => return descriptor::inherited(number).map(Self::Stream),
            End::Path(target) => target,
        };
        let about = match fs::metadata(&target) {
            Ok(about) => about,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self::Atomic(AtomicFile::beside(target)?));
            }
            Err(error) => return Err(error),
        };
        if about.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Regular files are opened too: a rename would replace one that is
        // write-protected.
        let existing = OpenOptions::new().write(true).open(&target)?;
        if !about.is_file() {
            return Ok(Self::Stream(existing));
        }
        let atomic = AtomicFile::beside(target)?;
        attributes::keep(&existing, &about, &atomic.file)?;
        Ok(Self::Atomic(atomic))
    }

    fn stdout() -> io::Result<Self> {
        if is_closed(STDOUT) {
            return Err(io::Error::other("it is closed"));
        }
        #[cfg(unix)]
        let handle = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
        #[cfg(windows)]
        let handle =
            std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?;
        Ok(Self::Stdout(File::from(handle)))
    }
}

/// Whether two descriptors are of one regular file, where what is written to both would mix.
#[cfg(unix)]
fn is_same_file(one: &File, other: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |file: &File| {
        let about = file.metadata().ok().filter(fs::Metadata::is_file);
        about.map(|about| (about.dev(), about.ino()))
    };
    identity(one).is_some_and(|one| Some(one) == identity(other))
}

#[cfg(not(unix))]
fn is_same_file(_: &File, _: &File) -> bool {
    false
}

/// The descriptor of standard output.
const STDOUT: i32 = 1;

/// What a path leads to.
enum End {
    /// A file that was opened before.
    Descriptor(i32),
    /// A file of this name, or none yet.
    Path(PathBuf),
}

/// Where a path leads, through symbolic links; the last may dangle.
fn follow_links(path: &Path) -> io::Result<End> {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if let Some(number) = descriptor::named_by(&path) {
            return Ok(End::Descriptor(number));
        }
        match fs::symlink_metadata(&path) {
            Ok(about) if about.is_symlink() => {
                let link = fs::read_link(&path)?;
                path = folder_of(&path).join(link);
            }
            Ok(_) => return fs::canonicalize(&path).map(End::Path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = fs::canonicalize(folder_of(&path))?;
                let Some(name) = path.file_name() else {
                    return Err(error);
                };
                return Ok(End::Path(folder.join(name)));
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A file that is written out of sight.
#[derive(Debug)]
struct AtomicFile {
    file: File,
    /// Its temporary name, where it could not do without.
    name: Option<TempPath>,
    target: PathBuf,
    extent: Mutex<Extent>,
}

/// How far a file is written, and how far space is set aside for it.
#[derive(Debug, Default)]
struct Extent {
    written: u64,
    reserved: u64,
}

impl AtomicFile {
    fn beside(target: PathBuf) -> io::Result<Self> {
        let (file, name) = match unnamed(folder_of(&target)) {
            Ok(file) => (file, None),
            Err(_) => {
                let (file, name) = named(&target)?;
                (file, Some(name))
            }
        };
        Ok(Self {
            file,
            name,
            target,
            extent: Mutex::default(),
        })
    }

    /// Has space set aside before more bytes are written, in large steps: then
    /// the file system need not look for it at each write. On ext4 820 MB take
    /// 92 ms in place of 141, and to rename over a file of that size took 0.15 s
    /// in place of 0.4, without a flush; as a whole, replacing one was not seen to
    /// be faster. Others were not measured, and on btrfs such a file is not
    /// compressed.
    #[cfg(target_os = "linux")]
    fn reserve(&self, more: u64) {
        use rustix::fs::{FallocateFlags, fallocate, fstatfs};
        /// Files that stay smaller are not worth it.
        const FIRST: u64 = 1 << 20;
        const LARGEST_STEP: u64 = 256 << 20;
        let mut extent = self.extent();
        let start = extent.written;
        extent.written += more;
        if extent.written < FIRST || extent.written <= extent.reserved {
            return;
        }
        let length = more + extent.written.min(LARGEST_STEP);
        // The magic number is that of ext4, from <linux/magic.h>.
        let reserved = fstatfs(&self.file).is_ok_and(|about| about.f_type == 0xef53)
            && fallocate(&self.file, FallocateFlags::KEEP_SIZE, start, length).is_ok();
        // If there is no room, it shows when the bytes are written.
        extent.reserved = if reserved { start + length } else { u64::MAX };
    }

    #[cfg(not(target_os = "linux"))]
    fn reserve(&self, _: u64) {}

    fn extent(&self) -> MutexGuard<'_, Extent> {
        self.extent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn commit(self) -> io::Result<()> {
        // Held, so that `abandon` comes before or after.
        let _names = temporary_names();
        let Extent { written, reserved } = *self.extent();
        if reserved > written {
            self.file.set_len(written)?;
        }
        let name = match self.name {
            Some(name) => name,
            None => match link(&self.file, &self.target) {
                // A link cannot replace a file, a rename can.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    make_beside(&self.target, |path| link(&self.file, path))?.into_temp_path()
                }
                result => return result,
            },
        };
        name.persist(&self.target).map_err(|error| error.error)
    }
}

/// A file with a temporary name, beside the target.
fn named(target: &Path) -> io::Result<(File, TempPath)> {
    // Held over both steps, so that `abandon` misses no file.
    let mut names = temporary_names();
    let create = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
    let (file, name) = make_beside(target, create)?.into_parts();
    names.push(name.to_path_buf());
    Ok((file, name))
}

/// Makes something of a name not yet taken in the folder of the target.
fn make_beside<R>(
    target: &Path,
    make: impl FnMut(&Path) -> io::Result<R>,
) -> io::Result<NamedTempFile<R>> {
    tempfile::Builder::new()
        .prefix(".incomplete-")
        .make_in(folder_of(target), make)
}

/// A file without a name that can be given one later.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    // The process' mask takes away what the user does not want.
    let file = File::from(open(folder, flags, Mode::from_raw_mode(0o666))?);
    // Without /proc it would keep without a name.
    fs::symlink_metadata(name_in_proc(&file))?;
    Ok(file)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives a file without a name one that is not taken.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    let flags = AtFlags::SYMLINK_FOLLOW;
    Ok(linkat(CWD, name_in_proc(file), CWD, path, flags)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
fn name_in_proc(file: &File) -> PathBuf {
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

/// All temporary names ever given by this process, for [`abandon`]. Locked
/// while a file comes to its name.
static TEMPORARY_NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporary_names() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY_NAMES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all outputs, for a process that ends in the middle of its
/// work (after Ctrl-C). It waits for a commit that has begun. Any later commit waits for
/// ever.
pub fn abandon() {
    let names = temporary_names();
    remove(&names);
    std::mem::forget(names);
}

fn remove(names: &[PathBuf]) {
    for name in names {
        // Most no longer exist: they were renamed or removed.
        let _ = fs::remove_file(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_a_temporary_name_does_as_well() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        let entries = || fs::read_dir(folder.path()).unwrap().count();
        let begin = || {
            let (file, name) = named(&target).unwrap();
            (&file).write_all(b"all").unwrap();
            AtomicFile {
                file,
                name: Some(name),
                target: target.clone(),
                extent: Mutex::default(),
            }
        };
        drop(begin());
        assert_eq!(entries(), 0);
        for _ in 0..2 {
            begin().commit().unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), "all");
            assert_eq!(entries(), 1);
        }
        let under_way = begin();
        assert_eq!(entries(), 2);
        let known = temporary_names().clone();
        remove(&known);
        assert_eq!(entries(), 1);
        assert!(under_way.commit().is_err());
        assert_eq!(fs::read_to_string(&target).unwrap(), "all");
    }
}
