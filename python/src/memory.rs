//! Memory for answers, which is used again.
//!
//! The C library gives the memory of an answer of some 100 kB or more back to the system when
//! it is let go of. The next batch then gets new pages, and the system has to clear each of
//! them: a quarter of the time of batches of 10,000 rows. So some memory is kept for the next
//! batch, up to 32 MB.

use crate::capsules::ask_for_large_pages;
use std::sync::Mutex;

/// What is kept has at least so many bytes. Less does not go back to the system.
const LEAST: usize = 128 << 10;
/// And at most so many: 10,000 rows of numbers of 8 bytes. Whoever holds more makes few calls.
const MOST: usize = 8 << 20;
/// How many are kept.
const COUNT: usize = 4;

/// Those that nobody uses, the newest last.
static KEPT: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

/// Some bytes, kept for others when they are dropped.
pub(crate) struct Memory(Vec<u8>);

impl Memory {
    /// So many bytes, all 0.
    pub(crate) fn zeros(length: usize) -> Self {
        Self::of(length, Vec::clear)
    }

    /// So many bytes of any value, for who writes all of them.
    pub(crate) fn any(length: usize) -> Self {
        Self::of(length, |_| ())
    }

    /// Memory that was kept and is prepared, or new memory.
    fn of(length: usize, prepare: impl FnOnce(&mut Vec<u8>)) -> Self {
        let Some(mut bytes) = Self::kept(length) else {
            // The pages of a large one are made when they are first written to.
            let mut bytes = vec![0; length];
            ask_for_large_pages(&mut bytes);
            return Self(bytes);
        };
        prepare(&mut bytes);
        bytes.resize(length, 0);
        Self(bytes)
    }

    /// One that is long enough and not much too long.
    ///
    /// Nothing waits for the lock: a process that was forked while another thread held it
    /// would wait for ever.
    fn kept(length: usize) -> Option<Vec<u8>> {
        if length < LEAST {
            return None;
        }
        let mut kept = KEPT.try_lock().ok()?;
        let fits = |bytes: &Vec<u8>| (length..=2 * length).contains(&bytes.capacity());
        let place = kept.iter().rposition(fits)?;
        Some(kept.remove(place))
    }

    /// The bytes.
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl AsRef<[u8]> for Memory {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if !(LEAST..=MOST).contains(&self.0.capacity()) {
            return;
        }
        let Ok(mut kept) = KEPT.try_lock() else {
            return;
        };
        if kept.len() == COUNT {
            kept.remove(0);
        }
        kept.push(std::mem::take(&mut self.0));
    }
}
