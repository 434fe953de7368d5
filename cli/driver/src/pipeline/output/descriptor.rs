//! Descriptors that the process inherits: those of the standard streams, and others that a
//! shell opens (`3>file`).

use std::{fs::File, io, path::Path};

/// The descriptor that a path such as `/dev/fd/3`, `/dev/stderr` or `/proc/self/fd/3`
/// stands for.
///
/// Symbolic links are not followed here: `/dev/stderr`, itself a link to one of the others,
/// is known once the caller has followed it.
#[cfg(unix)]
pub(super) fn named_by(path: &Path) -> Option<i32> {
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let folder = path.parent()?;
    let ours = format!("/proc/{}", std::process::id());
    let is_ours = |folder: &Path| folder.ends_with("fd") && folder.starts_with(&ours);
    let is_folder_of_descriptors = folder == Path::new("/dev/fd")
        || folder.canonicalize().is_ok_and(|folder| is_ours(&folder));
    is_folder_of_descriptors.then_some(number)
}

#[cfg(not(unix))]
pub(super) fn named_by(_: &Path) -> Option<i32> {
    None
}

/// A descriptor of the same open file as an inherited one, with its place in the file.
///
/// # Errors
///
/// The process did not inherit it.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "a number becomes a descriptor")]
pub(super) fn inherited(number: i32) -> io::Result<File> {
    use rustix::io::{Errno, FdFlags, fcntl_getfd};
    use std::os::fd::BorrowedFd;
    if number < 0 || is_closed(number) {
        return Err(Errno::BADF.into());
    }
    // SAFETY: the number is not -1. It is open, or the next line is an error, and then
    // nothing is done with it. Nothing closes it: what this process opens is closed when
    // another program is executed, what it inherits is not, and only the latter is used.
    let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
    if fcntl_getfd(descriptor)?.contains(FdFlags::CLOEXEC) {
        return Err(Errno::BADF.into());
    }
    Ok(File::from(descriptor.try_clone_to_owned()?))
}

/// Elsewhere to open `/dev/fd/3` is to copy the descriptor.
#[cfg(not(target_os = "linux"))]
pub(super) fn inherited(number: i32) -> io::Result<File> {
    if is_closed(number) {
        return Err(io::Error::other("it is closed"));
    }
    File::options()
        .write(true)
        .open(format!("/dev/fd/{number}"))
}

/// A copy of the descriptor of a standard stream, as a file without a buffer.
#[cfg(unix)]
pub(in super::super) fn as_file(stream: &impl std::os::fd::AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

/// A copy of the handle of a standard stream, as a file without a buffer.
#[cfg(windows)]
pub(in super::super) fn as_file(stream: &impl std::os::windows::io::AsHandle) -> io::Result<File> {
    stream.as_handle().try_clone_to_owned().map(File::from)
}

/// Returns true if a standard stream was closed when the process started.
///
/// Rust opens `/dev/null` in the place of each that is closed, before `main` runs, so that
/// no file gets its number by chance. What is written there is lost without an error. So
/// this looks before that.
pub(in super::super) fn is_closed(number: i32) -> bool {
    #[cfg(target_os = "linux")]
    let closed = at_start::CLOSED.load(std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(target_os = "linux"))]
    let closed = 0u8;
    (0..3).contains(&number) && closed >> number & 1 == 1
}

#[cfg(target_os = "linux")]
mod at_start {
    use std::{
        os::fd::BorrowedFd,
        sync::atomic::{AtomicU8, Ordering},
    };

    /// A bit for each standard stream that was closed.
    pub(super) static CLOSED: AtomicU8 = AtomicU8::new(0);

    /// The C library calls what is listed here before it calls `main`.
    #[used]
    #[allow(unsafe_code, reason = "the section has a meaning")]
    // SAFETY: the section holds addresses of functions of this type.
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    /// Uses system calls and an atomic number, nothing that Rust must set up before.
    extern "C" fn look() {
        for number in 0..3 {
            #[allow(unsafe_code, reason = "a number becomes a descriptor")]
            // SAFETY: nothing else runs that could close it; if it is closed, the
            // call is an error.
            let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
            if rustix::io::fcntl_getfd(descriptor).is_err() {
                CLOSED.fetch_or(1 << number, Ordering::Relaxed);
            }
        }
    }
}
