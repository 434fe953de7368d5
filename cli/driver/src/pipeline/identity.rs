//! The identity of files: two names may lead to one file.

use super::output::{End, STDOUT, as_file, folder_of, follow_links};
use std::{ffi::OsString, fs::File, io, path::Path};

/// The identity of a file, a named pipe or a folder. Names that lead to the same one (`./a`, links,
/// `/dev/fd/3`) have equal identities.
///
/// A file that does not exist yet has the identity of its folder, and a name in it. Windows and
/// macOS do not tell names apart by their case.
///
/// ```
/// use sudoku_batch_driver::pipeline::identity::Identity;
/// let folder = tempfile::tempdir()?;
/// let [one, same] = ["one", "./one"].map(|name| folder.path().join(name));
/// assert_eq!(Identity::of(&one), Identity::of(&same));
/// assert_ne!(Identity::of(&one), Identity::of(folder.path()));
/// std::fs::write(&one, "")?;
/// assert!(Identity::of(&one).is_some_and(|one| Some(one) == Identity::of(&same)));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The device and the number of the file, or of the deepest folder that exists.
    place: (u64, u64),
    /// The names below that folder, the last one first.
    names: Vec<OsString>,
}

impl Identity {
    /// The identity of what a path leads to. Devices and sockets have none: several may write there.
    pub fn of(path: &Path) -> Option<Self> {
        let path = match follow_links(path) {
            Ok(End::Descriptor(STDOUT)) => return Some(Self::stdout()),
            Ok(End::Path(path)) => path,
            // The system follows a descriptor itself, and a folder may not exist yet.
            Ok(End::Descriptor(_)) | Err(_) => path.to_owned(),
        };
        let (mut path, mut names) = (&*path, Vec::new());
        loop {
            match place_of(path) {
                Ok(place) => return place.map(|place| Self { place, names }),
                Err(error) if error.kind() != io::ErrorKind::NotFound => return None,
                Err(_) => names.push(if cfg!(any(windows, target_vendor = "apple")) {
                    path.file_name()?.to_ascii_lowercase()
                } else {
                    path.file_name()?.to_owned()
                }),
            }
            path = folder_of(path);
        }
    }

    /// The identity of the file or pipe that standard output leads to. Otherwise it stands for
    /// standard output itself.
    pub fn stdout() -> Self {
        let of_stream = as_file(&io::stdout()).and_then(|file| place_of_file(&file));
        Self {
            place: of_stream.ok().flatten().unwrap_or((u64::MAX, 1)),
            names: Vec::new(),
        }
    }

    /// The identity of the file or pipe that standard input reads.
    pub fn stdin() -> Option<Self> {
        let place = as_file(&io::stdin()).and_then(|file| place_of_file(&file));
        place.ok().flatten().map(|place| Self {
            place,
            names: Vec::new(),
        })
    }
}

/// The device and the number of what a path leads to, unless it is a device or a socket.
#[cfg(unix)]
fn place_of(path: &Path) -> io::Result<Option<(u64, u64)>> {
    std::fs::metadata(path).map(|about| place(&about))
}

#[cfg(unix)]
fn place_of_file(file: &File) -> io::Result<Option<(u64, u64)>> {
    file.metadata().map(|about| place(&about))
}

#[cfg(unix)]
fn place(about: &std::fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let kind = about.file_type();
    let is_shared = kind.is_char_device() || kind.is_block_device() || kind.is_socket();
    (!is_shared).then(|| (about.dev(), about.ino()))
}

/// The number of the volume and that of the file.
#[cfg(windows)]
fn place_of(path: &Path) -> io::Result<Option<(u64, u64)>> {
    place(winapi_util::Handle::from_path_any(path)?)
}

#[cfg(windows)]
fn place_of_file(file: &File) -> io::Result<Option<(u64, u64)>> {
    place(file)
}

#[cfg(windows)]
fn place(handle: impl winapi_util::AsHandleRef) -> io::Result<Option<(u64, u64)>> {
    // Pipes and the console have no such numbers.
    let about = winapi_util::file::information(handle).ok();
    Ok(about.map(|about| (about.volume_serial_number(), about.file_index())))
}
