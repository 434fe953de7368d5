//! Attributes that a new file takes over from the file whose place it takes.

use std::{
    fs::{File, Metadata},
    io,
};

/// Gives a new file the owner, the permissions, the access control list and the user's
/// extended attributes of an old one.
///
/// If the process may not give files away, the new file stays its own. If the file
/// system has no attributes, there are none to keep.
pub(super) fn keep(old: &File, about: &Metadata, new: &File) -> io::Result<()> {
    keep_owner(new, about);
    new.set_permissions(about.permissions())?;
    keep_extended(old, new);
    Ok(())
}

#[cfg(unix)]
fn keep_owner(new: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(new, Some(old.uid()), Some(old.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

/// The list is kept in an attribute too. Other attributes of the system are not copied:
/// they say what the kernel may do with a file (capabilities, labels), and belong to the
/// content that was there.
#[cfg(target_os = "linux")]
fn keep_extended(old: &File, new: &File) {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    /// No name is longer than 255 bytes and no value than 64 KiB.
    const MOST: usize = 64 << 10;
    let mut names = vec![0; MOST];
    let Ok(length) = flistxattr(old, &mut names[..]) else {
        return;
    };
    let mut value = vec![0; MOST];
    for name in names[..length].split(|&c| c == 0) {
        if !name.starts_with(b"user.") && name != b"system.posix_acl_access" {
            continue;
        }
        if let Ok(length) = fgetxattr(old, name, &mut value[..]) {
            let _ = fsetxattr(new, name, &value[..length], XattrFlags::empty());
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn keep_extended(_: &File, _: &File) {}
