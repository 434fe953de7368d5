//! Inputs that are read twice: the second reading must be of the same files.
//!
//! The driver sees what changes during a reading, but not what changes between two.

use super::InputFile;
use crate::pipeline::{Error, identity::Identity};
use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The input files and their states before the first of two readings. There are none if there is one reading.
#[derive(Debug, Default, PartialEq)]
pub struct ReadTwice(Vec<(PathBuf, Option<FileState>)>);

/// The identity of a file, its size and its time of modification: a new file of the same name differs too.
type FileState = (Identity, u64, Option<SystemTime>);

fn state(path: &Path) -> Option<FileState> {
    let about = path.metadata().ok()?;
    Some((Identity::of(path)?, about.len(), about.modified().ok()))
}

impl ReadTwice {
    /// One reading.
    pub const NO: Self = Self(Vec::new());

    /// The states of the files now.
    pub fn of(files: &[InputFile]) -> Self {
        let files = files.iter().map(|path| (path.to_path_buf(), state(path)));
        Self(files.collect())
    }

    /// Checks that the files are as they were.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        let mut files = self.0.iter();
        match files.find(|(path, before)| *before != state(path)) {
            Some((path, _)) => {
                let name = path.display().to_string();
                Err(Error::Changed { name })
            }
            None => Ok(()),
        }
    }
}
