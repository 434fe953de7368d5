//! A file that is mapped into memory, window by window.

mod lost;

use super::{
    OVERREAD, Problem,
    chunks::{Chunk, End, LineEnd, Memory, Spare, first_end},
};
use lost::Listed;
use memmap2::{MmapOptions, MmapRaw};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// What is mapped of a file at a time. With two threads 10 million easy puzzles take
/// 398 ms, in windows of 4 MiB 419, with the whole file in one 413; read in place of
/// mapped 405.
const WINDOW: u64 = 16 << 20;

/// A file, mapped window by window: each goes with the last of its chunks, by
/// whichever thread has that, and memory stays flat.
pub(super) struct Mapped {
    file: Arc<File>,
    size: u64,
    /// Where the bytes end that are wanted of it.
    end: u64,
    window: Arc<Window>,
    start: u64,
    has_lost_pages: Arc<AtomicBool>,
    copied: Vec<u8>,
    spare: Arc<Spare>,
}

impl Mapped {
    pub(super) fn new(file: &Arc<File>, size: u64) -> io::Result<Self> {
        let has_lost_pages = Arc::default();
        let window = Window::new(file, 0, size.min(WINDOW), &has_lost_pages)?;
        Ok(Self {
            file: Arc::clone(file),
            size,
            end: size,
            window: Arc::new(window),
            has_lost_pages,
            start: 0,
            copied: Vec::new(),
            spare: Arc::default(),
        })
    }

    /// Has the window cover the next bytes, this number or all there are: where in
    /// it they begin, and how many there are.
    fn cover(&mut self, position: u64, wanted: usize) -> Result<(usize, usize), Problem> {
        let left = self.end - position;
        let wanted = left.min(wanted as u64);
        if self.start + (self.window.len() as u64) < position + wanted {
            // What is mapped beyond the end of a file cannot be read.
            if self.file.metadata()?.len() != self.size {
                return Err(Problem::Changed);
            }
            let length = left.min(wanted.max(WINDOW));
            let window = Window::new(&self.file, position, length, &self.has_lost_pages)?;
            self.window = Arc::new(window);
            self.start = position;
        }
        Ok(((position - self.start) as usize, wanted as usize))
    }

    /// The next bytes: this number, or all there are.
    pub(super) fn peek(&mut self, position: u64, wanted: usize) -> Result<&[u8], Problem> {
        let (at, there) = self.cover(position, wanted)?;
        self.copied.resize(there, 0);
        self.window.copy(at, &mut self.copied);
        Ok(&self.copied)
    }

    /// The bytes from `position` on, to be read. It moves the place where the file is read, so
    /// that there may be one of them.
    pub(super) fn section(&self, position: u64) -> io::Result<impl Read + Send + use<>> {
        let mut file = Arc::clone(&self.file);
        file.seek(SeekFrom::Start(position))?;
        Ok(file.take(self.end.saturating_sub(position)))
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    pub(super) fn has_lost_pages(&self) -> bool {
        self.has_lost_pages.load(Ordering::Acquire)
    }

    /// Lets go of all but the bytes before `end`.
    pub(super) fn end_at(&mut self, end: u64) {
        self.end = end;
    }

    pub(super) fn line_end(
        &mut self,
        position: u64,
        from: usize,
        to: usize,
    ) -> Result<LineEnd, Problem> {
        let (at, there) = self.cover(position, to)?;
        let mut block = [0; OVERREAD];
        let mut from = from;
        while from < there {
            let block = &mut block[..(there - from).min(OVERREAD)];
            self.window.copy(at + from, block);
            match first_end(block) {
                End::Before(end) => return Ok(LineEnd::At(from + end)),
                End::PerhapsLast if from + block.len() < there => from += block.len() - 1,
                End::PerhapsLast | End::None => from += block.len(),
            }
        }
        Ok(LineEnd::missing(there, to))
    }

    pub(super) fn split(&self, position: u64, length: usize) -> Chunk {
        let at = (position - self.start) as usize;
        let memory = Memory::Mapped(Arc::clone(&self.window));
        Chunk::new(memory, at..at + length, &self.spare)
    }
}

/// A part of a file in memory, whose bytes others may change at any time. So
/// nothing ever refers to them: they are only copied.
pub(super) struct Window {
    // Off the list before it is unmapped.
    listed: Listed,
    mapping: MmapRaw,
    has_lost_pages: Arc<AtomicBool>,
}

impl Window {
    /// Maps a part of a file. `has_lost_pages` is set when a page turns out to be lost.
    fn new(
        file: &File,
        position: u64,
        length: u64,
        has_lost_pages: &Arc<AtomicBool>,
    ) -> io::Result<Self> {
        let mut options = MmapOptions::new();
        options.offset(position).len(length as usize);
        let mapping = options.map_raw_read_only(file)?;
        Ok(Self {
            has_lost_pages: Arc::clone(has_lost_pages),
            listed: Listed::new(mapping.as_ptr() as usize, mapping.len())?,
            mapping,
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
            self.has_lost_pages.store(true, Ordering::Release);
        }
    }
}
