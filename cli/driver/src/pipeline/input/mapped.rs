//! A regular file, mapped into memory and only copied from there.

mod lost;

use super::{
    Problem,
    chunks::{Chunk, Spare},
    opened::Opened,
};
use lost::Listed;
use memmap2::{MmapOptions, MmapRaw};
use std::{
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    sync::Arc,
};

/// The number of bytes that are mapped of a file at a time. With two threads 10 million easy puzzles take
/// 398 ms, in windows of 4 MiB 419, with the whole file in one 413; read in place of
/// mapped 405.
//
// Chunks that each thread reads at their places (`pread`) were tried: as fast within the noise, 22 MB of
// memory in place of 35, and no handler of SIGBUS.
const WINDOW: u64 = 16 << 20;

/// A file, mapped window by window: each goes with the last of its chunks, by
/// whichever thread has that, and memory stays flat.
pub(super) struct Mapped {
    opened: Arc<Opened>,
    size: u64,
    /// The place where the wanted bytes end: at first the size.
    end: u64,
    window: Arc<Window>,
    start: u64,
    copied: Vec<u8>,
    spare: Arc<Spare>,
}

impl Mapped {
    pub(super) fn new(opened: &Arc<Opened>, size: u64) -> io::Result<Self> {
        let window = Window::new(opened, 0, size.min(WINDOW))?;
        Ok(Self {
            opened: Arc::clone(opened),
            size,
            end: size,
            window: Arc::new(window),
            start: 0,
            copied: Vec::new(),
            spare: Arc::default(),
        })
    }

    /// Has the window cover the next bytes, this number or all there are. Returns where in
    /// it they begin, and their number.
    fn cover(&mut self, position: u64, wanted: usize) -> Result<(usize, usize), Problem> {
        let left = self.end - position;
        let wanted = left.min(wanted as u64);
        let end = self.start + self.window.len() as u64;
        if position < self.start || end < position + wanted {
            // Pages beyond the end of a file cannot be read.
            if self.opened.file.metadata()?.len() != self.size {
                return Err(Problem::Changed);
            }
            let length = left.min(wanted.max(WINDOW));
            self.window = Arc::new(Window::new(&self.opened, position, length)?);
            self.start = position;
        }
        Ok(((position - self.start) as usize, wanted as usize))
    }

    /// The bytes of a range of those from `position` on, or as many of them as there are.
    pub(super) fn peek(&mut self, position: u64, range: Range<usize>) -> Result<&[u8], Problem> {
        let (at, there) = self.cover(position, range.end)?;
        self.copied.resize(there.saturating_sub(range.start), 0);
        self.window
            .copy(at + range.start.min(there), &mut self.copied);
        Ok(&self.copied)
    }

    /// The bytes from `position` on, as a stream. It moves the place where the file is read, so
    /// that there may be one of them.
    pub(super) fn section(&self, position: u64) -> io::Result<impl Read + Send + use<>> {
        let mut file = Arc::clone(&self.opened.file);
        file.seek(SeekFrom::Start(position))?;
        Ok(file.take(self.end.saturating_sub(position)))
    }

    /// The place where the wanted bytes end: at first the size of the file.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Lets go of all but the bytes before `end`.
    pub(super) fn end_at(&mut self, end: u64) {
        self.end = end;
    }

    /// The chunk of `length` bytes at a place, which the window covers. They are not copied yet.
    pub(super) fn split(&self, position: u64, length: usize) -> Chunk {
        let at = (position - self.start) as usize;
        Chunk::uncopied(&self.window, at, length, &self.spare)
    }
}

/// A part of a file in memory, whose bytes others may change at any time. So
/// nothing ever refers to them: they are only copied.
pub(super) struct Window {
    // Off the list before it is unmapped.
    listed: Listed,
    mapping: MmapRaw,
    opened: Arc<Opened>,
}

impl Window {
    /// Maps a part of a file.
    fn new(opened: &Arc<Opened>, position: u64, length: u64) -> io::Result<Self> {
        let mut options = MmapOptions::new();
        options.offset(position).len(length as usize);
        let mapping = options.map_raw_read_only(&*opened.file)?;
        Ok(Self {
            listed: Listed::new(mapping.as_ptr() as usize, mapping.len())?,
            mapping,
            opened: Arc::clone(opened),
        })
    }

    fn len(&self) -> usize {
        self.mapping.len()
    }

    pub(super) fn address(&self) -> usize {
        self.mapping.as_ptr() as usize
    }

    /// Copies the bytes from `start` on.
    ///
    /// They are read once each and in volatile words: were they read as those of
    /// a slice, the compiler might read a byte again, take the two for the same,
    /// and be wrong.
    #[allow(unsafe_code, reason = "the one place where a mapping is read")]
    pub(super) fn copy(&self, start: usize, to: &mut [u8]) {
        type Word = u64;
        assert!(start <= self.len() && to.len() <= self.len() - start);
        let from = self.mapping.as_ptr().wrapping_add(start);
        let before = from.align_offset(size_of::<Word>()).min(to.len());
        let (first, rest) = to.split_at_mut(before);
        let (words, last) = rest.as_chunks_mut::<{ size_of::<Word>() }>();
        let after = from.wrapping_add(before + words.as_flattened().len());
        for (i, byte) in first.iter_mut().enumerate() {
            // SAFETY: see below; a byte has no alignment to keep to.
            *byte = unsafe { from.add(i).read_volatile() };
        }
        let aligned = from.wrapping_add(before).cast::<Word>();
        for (i, word) in words.iter_mut().enumerate() {
            // SAFETY: all `to.len()` bytes from `from` on are part of the mapping,
            // which was just asserted, and the mapping lasts as long as `self`.
            // It is readable, and any bytes are a `u64`. `aligned` is a multiple of
            // its alignment: `before` bytes lead there, or fewer where `to` is
            // shorter, and then there are no words. No reference to the mapping
            // exists, so that no write by others breaks a rule of references, and
            // a volatile read of memory that is none of Rust's own gives what is
            // there, old or new. If the file was cut short, it gives zeros ([`lost`]).
            *word = unsafe { aligned.add(i).read_volatile() }.to_ne_bytes();
        }
        for (i, byte) in last.iter_mut().enumerate() {
            // SAFETY: as above.
            *byte = unsafe { after.add(i).read_volatile() };
        }
        if self.listed.has_lost_pages() {
            self.opened.lose_pages();
        }
    }
}
