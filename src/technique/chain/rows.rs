//! Tables of rows of bits, in memory that is used again.
//!
//! A search for chains needs a dozen tables of some kilobytes, and takes a few dozen microseconds.
//! Getting the memory for them each time took a tenth of that.

use super::links::Row;
use std::{
    cell::RefCell,
    ops::{Deref, DerefMut},
};

thread_local! {
    /// The memory that no table has now.
    static FREE: RefCell<Vec<Vec<u64>>> = const { RefCell::new(Vec::new()) };
}

/// A table of rows.
#[derive(Debug)]
pub(super) struct Rows<const W: usize>(Vec<u64>);

impl<const W: usize> Rows<W> {
    /// A table without rows.
    pub(super) fn none() -> Self {
        let mut words = FREE.with_borrow_mut(Vec::pop).unwrap_or_default();
        words.clear();
        Self(words)
    }

    /// This number of empty rows.
    pub(super) fn empty(count: usize) -> Self {
        let mut rows = Self::none();
        rows.0.resize(W * count, 0);
        rows
    }

    /// A copy of some rows.
    pub(super) fn copy(of: &[Row<W>]) -> Self {
        let mut rows = Self::none();
        rows.append(of);
        rows
    }

    /// Keeps this number of rows.
    pub(super) fn truncate(&mut self, count: usize) {
        self.0.truncate(W * count);
    }

    pub(super) fn append(&mut self, rows: &[Row<W>]) {
        self.0.extend_from_slice(rows.as_flattened());
    }
}

impl<const W: usize> Clone for Rows<W> {
    fn clone(&self) -> Self {
        Self::copy(self)
    }
}

impl<const W: usize> Drop for Rows<W> {
    fn drop(&mut self) {
        let words = std::mem::take(&mut self.0);
        // At the end of a thread there may be no list any more.
        let _ = FREE.try_with(|free| free.borrow_mut().push(words));
    }
}

impl<const W: usize> Deref for Rows<W> {
    type Target = [Row<W>];
    #[inline(always)]
    fn deref(&self) -> &[Row<W>] {
        self.0.as_chunks().0
    }
}

impl<const W: usize> DerefMut for Rows<W> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Row<W>] {
        self.0.as_chunks_mut().0
    }
}
