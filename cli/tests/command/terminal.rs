//! A terminal for what is shown on standard error.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;

/// The end of the test, the end of the program, and its name. The first is read up to an error, when nobody has the
/// other any more.
pub(crate) fn terminal() -> (File, File, String) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
    let theirs = File::options().read(true).write(true).open(&name).unwrap();
    (File::from(ours), theirs, name)
}
