//! Memory for answers, which is used again.
//!
//! The C library gives the memory of an answer of some 100 kB or more back to the system when
//! it is let go of. The next batch then gets new pages, and the system has to clear each of
//! them: a quarter of the time of batches of 10,000 rows. So some memory is kept for the next
//! batch, up to 32 MB.

use crate::capsules::ask_for_large_pages;
use sudoku_batch::slices::Kept;

/// Memory that is kept has at least so many bytes. Less does not go back to the system.
const LEAST: usize = 128 << 10;
/// And at most so many: 10,000 rows of numbers of 8 bytes. Whoever holds more makes few calls.
const MOST: usize = 8 << 20;
/// How many are kept.
const COUNT: usize = 4;

/// Memory that nobody uses, by its capacity: a power of two.
static KEPT: Kept<Vec<u8>> = Kept::new();

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
        let is_kept = (LEAST..=MOST).contains(&length);
        let capacity = if is_kept {
            length.next_power_of_two()
        } else {
            length
        };
        let kept = is_kept.then(|| KEPT.take(&capacity.to_string()));
        let mut bytes = if let Some(mut bytes) = kept.flatten() {
            prepare(&mut bytes);
            bytes
        } else {
            // The pages of a large one are made when they are first written to.
            let mut bytes = vec![0; capacity];
            ask_for_large_pages(&mut bytes);
            bytes
        };
        bytes.resize(length, 0);
        Self(bytes)
    }

    /// The place where the bytes begin.
    pub(crate) fn start(&mut self) -> *mut u8 {
        self.0.as_mut_ptr()
    }

    /// The number of bytes.
    pub(crate) fn length(&self) -> usize {
        self.0.len()
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
        let capacity = self.0.capacity();
        if (LEAST..=MOST).contains(&capacity) {
            KEPT.keep(&capacity.to_string(), std::mem::take(&mut self.0), COUNT);
        }
    }
}
