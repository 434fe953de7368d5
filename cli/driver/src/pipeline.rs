//! Items in, bytes out, in order, over all threads. Knows nothing of Sudoku.
//!
//! The command uses this module. It may change with any version.
//!
//! ```text
//!     input.chunks  ──┐
//!     (or any other   ├─> work, a thread ──> its bytes are written and what it returned
//!      iterator)    ──┘   an item            is folded, in order, by one thread at a time
//! ```
//!
//! Threads take items one at a time, in order, from behind a lock. The thread that finishes
//! the item whose turn it is writes that item, and then all finished items that follow. A
//! thread that would run too far ahead of the slowest one waits, so memory use stays flat.
//!
//! ```
//! use sudoku_batch_driver::pipeline::{self, Threads, input::{Cut, Input}, output::Output};
//! let folder = tempfile::tempdir()?;
//! let (from, to) = (folder.path().join("in"), folder.path().join("out"));
//! std::fs::write(&from, "one\ntwo\nthree\n")?;
//!
//! let mut input = Input::open(&from)?;
//! let output = Output::create(&to)?;
//! let mut lines = 0;
//! pipeline::run(
//!     Threads::new(2),
//!     input.chunks(Cut::default()),
//!     Some(&output),
//!     || (),
//!     |(), mut chunk, out| {
//!         let lines = chunk.bytes();
//!         out.exactly(lines.len()).copy_from_slice(&lines.to_ascii_uppercase());
//!         lines.iter().filter(|&&c| c == b'\n').count()
//!     },
//!     |count| {
//!         lines += count;
//!         Ok::<(), pipeline::Error>(())
//!     },
//! )?;
//! input.check_unchanged()?;
//! output.commit()?;
//! assert_eq!(std::fs::read_to_string(&to)?, "ONE\nTWO\nTHREE\n");
//! assert_eq!(lines, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod compression;
pub mod identity;
pub mod input;
pub mod memory;
pub mod output;
pub mod spill;
pub mod turns;
mod unpacking;
mod utf16;

use compression::Packer;
use output::Output;
use std::{
    any::Any,
    collections::VecDeque,
    io::{self, Write},
    mem,
    ops::Range,
    panic::{self, AssertUnwindSafe},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};
use sudoku_batch::{foreign::Foreign, slices, unpacking::Damage};

/// Takes a lock, also where a thread panicked with it: what it guards is whole at any time, or, as with
/// [turns](turns::Turns::abandon), others are told that it is not.
pub fn lock<T>(guarded: &Mutex<T>) -> MutexGuard<'_, T> {
    guarded.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The most items that are taken and not yet folded, for each thread. A larger number keeps
/// the threads busy during a slow item, and takes more memory.
const AHEAD: usize = 4;

/// The bytes of an item begin in memory at a multiple of this, the length of a cache line.
/// In a file they mostly do too (see [`input::chunk_size`]). Where the two alignments agree,
/// the kernel takes 141 ms to write 820 MB, and otherwise 167.
const ALIGN: usize = 64;

/// An error that stopped a pipeline. Each names the input or output that it is about.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("cannot open {name}")]
    Open { name: String, source: io::Error },
    #[error("cannot read {name}")]
    Read { name: String, source: io::Error },
    /// A line, or a record, is too long to be held in memory.
    #[error(
        "{name}:{}no line ends within {} MiB of byte {position}: not a text of lines",
        line.map_or(" ".into(), |line| format!("{line}: ")),
        input::LONGEST_LINE >> 20
    )]
    LongLine {
        name: String,
        /// The place in the input, counted in bytes from 0, at which the end of the line was
        /// looked for.
        position: u64,
        /// The line, counted from 1, where it is known: at first in its chunk, and in the
        /// input after [`Error::after_lines`].
        line: Option<u64>,
    },
    /// A record of several lines is too long to be held in memory.
    #[error(
        "{name}: no record ends within {} MiB of byte {position}: blocks that began with blank \
         lines between them need them everywhere, and a quoted field needs its closing quote",
        input::LONGEST_LINE >> 20
    )]
    LongRecord {
        name: String,
        /// The place in the input, counted in bytes from 0, at which the end of the record was looked for.
        position: u64,
    },
    /// A compressed input is cut short or damaged.
    #[error("{name}: its {damage}")]
    Damaged { name: String, damage: Damage },
    /// The input is of a kind that is not read here: an archive, an array, a picture.
    #[error("{name} is {foreign}{}", unpacked_before(*.packed))]
    Foreign {
        name: String,
        foreign: Foreign,
        /// The compression in which it is.
        packed: Option<compression::Format>,
    },
    /// A shard was asked for of an input that has none.
    #[error("{name} {why}, and only a file that is not compressed can be read in shards")]
    NoShards { name: String, why: &'static str },
    /// Another program wrote to the input while it was read.
    #[error("{name} changed while it was read; output files stay as they were")]
    Changed { name: String },
    #[error("cannot write {name}")]
    Write { name: String, source: io::Error },
    #[error("cannot start thread {number}")]
    Thread { number: usize, source: io::Error },
    #[error("a thread panicked at item {item}: {message}")]
    Panicked {
        /// The item that it worked on, counted from 0. A closure that panics while it gets an
        /// item is reported with the number of that item.
        item: u64,
        message: String,
    },
}

/// The end of the advice about a file inside a compressed one.
fn unpacked_before(packed: Option<compression::Format>) -> String {
    packed.map_or_else(String::new, |format| {
        format!("; {format} -dc unpacks FILE before that")
    })
}

impl Error {
    /// The error, where this number of lines was folded before the chunk that it is about.
    pub fn after_lines(mut self, lines: u64) -> Self {
        if let Self::LongLine {
            line: Some(line), ..
        } = &mut self
        {
            *line += lines;
        }
        self
    }
}

/// The threads that work: this number for each run.
#[derive(Clone, Copy, Debug)]
pub struct Threads(usize);

impl Threads {
    /// So many threads; 0 is one for each core.
    pub fn new(number: usize) -> Self {
        Self(slices::threads(Some(number)))
    }

    pub fn count(self) -> usize {
        self.0
    }
}

/// Works on all items over all threads, and writes what comes of
/// them to the output, if there is one, in the order of the items.
///
/// - `items` are taken one at a time by the thread that is free; an error among
///   them ends the run.
/// - `state` makes what a thread keeps from item to item, before its first.
/// - `work` writes the bytes of an item and returns what else is to be known
///   about it.
/// - `fold` is given that, in order, right before the bytes are written; an error that it returns
///   ends the run.
///
/// If the output is compressed the threads pack the bytes of each item by themselves.
///
/// The output is not committed.
///
/// # Errors
///
/// The first error in the order of the items: of the items, of writing or of `fold`. All items
/// before it are folded, and none after it. What was written by then is any part of the output.
///
/// A closure that panics is such an error too, [`Error::Panicked`]. Which error is the first
/// does not depend on the number of threads.
pub fn run<T, S, R, E>(
    threads: Threads,
    items: impl Iterator<Item = Result<T, Error>> + Send,
    output: Option<&Output>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T, Out<'_>) -> R + Sync,
    mut fold: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<(), E>
where
    T: Send,
    R: Send,
    E: From<Error> + Send,
{
    let fold = |result, bytes: &mut [u8]| fold(result).map(|()| 0..bytes.len());
    let items = items.map(|item| item.map(Some));
    run_in_order(threads, items, output, state, whole(work), false, fold)
}

/// Work on items that come whole, for [`run_in_order`].
pub fn whole<T, S, R>(
    work: impl Fn(&mut S, T, Out<'_>) -> R + Sync,
) -> impl Fn(&mut S, &mut Option<T>, Out<'_>) -> (R, bool) + Sync {
    move |state, item, out| {
        let item = item.take().expect("an item is worked on once");
        (work(state, item, out), false)
    }
}

/// Works as [`run`] does, where an item may come in parts: while `work` returns `true` with its result,
/// that result and its bytes are a part, and `work` is called again with the same item when the
/// part is written. So an item may give more bytes than there is memory. Where a part ends may depend on
/// the item alone.
///
/// The output of an item may also depend on the items before it: `fold` is given the bytes of
/// each item too. If it `edits`, it may change the bytes, and returns the range of them that is to
/// be written; compressed output is then packed by the one thread that writes. If it does
/// not, the bytes may be packed already, and all must be written.
///
/// # Errors
///
/// The first error in the order of the items, as of [`run`].
pub fn run_in_order<T, S, R, E>(
    threads: Threads,
    items: impl Iterator<Item = Result<T, Error>> + Send,
    output: Option<&Output>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &mut T, Out<'_>) -> (R, bool) + Sync,
    edits: bool,
    fold: impl FnMut(R, &mut [u8]) -> Result<Range<usize>, E> + Send,
) -> Result<(), E>
where
    T: Send,
    R: Send,
    E: From<Error> + Send,
{
    let run = Run {
        items: Mutex::new((items, 0)),
        fold: Mutex::new(fold),
        order: Mutex::new(Order {
            first: 0,
            slots: VecDeque::new(),
            folding: false,
            spare: Vec::new(),
            end: None,
        }),
        room: Condvar::new(),
        turn: Condvar::new(),
        part: Condvar::new(),
        window: AHEAD * threads.count(),
        output,
        edits,
        one_at_a_time: output.is_none_or(Output::is_file),
    };
    if let Some(output) = output {
        output.flush()?;
    }
    let run_thread = || {
        let mut kept = None;
        let mut packing = output
            .and_then(Output::packing)
            .filter(|_| !edits)
            .map(|packing| (Packer::new(packing), Vec::new()));
        let mut buffer = Vec::new();
        let mut part = None;
        while let Some((index, mut item)) = part.take().or_else(|| run.take()) {
            let mut bytes = mem::take(&mut buffer);
            let finished = caught(index, || {
                let mut place = 0..0;
                let out = Out {
                    buffer: match &mut packing {
                        Some((_, plain)) => plain,
                        None => &mut bytes,
                    },
                    place: &mut place,
                };
                let (result, has_more) = work(kept.get_or_insert_with(&state), &mut item, out);
                if let Some((packer, plain)) = &mut packing {
                    // An item without bytes has no piece.
                    if place.is_empty() {
                        bytes.clear()
                    } else {
                        packer.pack(&plain[place], &mut bytes)
                    }
                    place = 0..bytes.len();
                }
                let finished = ItemResult {
                    bytes,
                    place,
                    result,
                };
                (finished, has_more)
            });
            match finished {
                Ok((finished, false)) => buffer = run.finish(index, finished),
                Ok((finished, true)) => {
                    buffer = run.write_part(index, finished);
                    part = Some((index, item)).filter(|_| run.goes_on(index));
                }
                // The state of this thread may be half changed, so it takes no more items.
                Err(panicked) => return run.end_at(index, panicked.into()),
            }
        }
    };
    // A pool of rayon is not for this: each of its threads looks for work at all others, and
    // 2,000 threads take 27 s to find out that there is none. These take 0.1 s.
    thread::scope(|scope| {
        for number in 1..=threads.count() {
            if let Err(source) = thread::Builder::new().spawn_scoped(scope, run_thread) {
                run.end_at(0, Error::Thread { number, source }.into());
                break;
            }
        }
    });
    match run.order.into_inner().expect("no thread panicked").end {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// Runs a closure that works on an item, and makes an error of a panic.
//
// `AssertUnwindSafe` promises that nobody sees what a closure leaves half changed. The run ends
// with this error: the thread takes no other item, `fold` is not called again, and
// no more items are asked for. The locks are held outside, so they are not poisoned.
fn caught<R>(item: u64, work: impl FnOnce() -> R) -> Result<R, Error> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|panicked| Error::Panicked {
        item,
        message: message(&*panicked).to_owned(),
    })
}

fn message(panicked: &(dyn Any + Send)) -> &str {
    match (
        panicked.downcast_ref::<&str>(),
        panicked.downcast_ref::<String>(),
    ) {
        (Some(message), _) => message,
        (_, Some(message)) => message,
        _ => "it gave no message",
    }
}

/// The place to which the bytes of one item go: room of a known length, or a buffer that
/// grows. An item for which neither is taken writes nothing.
pub struct Out<'r> {
    buffer: &'r mut Vec<u8>,
    place: &'r mut Range<usize>,
}

impl<'r> Out<'r> {
    /// Room for exactly this number of bytes, all to be written: what stands there is
    /// left from before.
    pub fn exactly(self, length: usize) -> &'r mut [u8] {
        if self.buffer.len() < length + ALIGN {
            self.buffer.resize(length + ALIGN, 0);
        }
        let start = aligned(self.buffer);
        *self.place = start..start + length;
        &mut self.buffer[start..start + length]
    }

    /// A buffer to append to, for bytes whose number is not known in advance. It
    /// is the memory that is written to the output: nothing is copied again, but
    /// when it grows, and it is kept from item to item.
    pub fn growing(self) -> Growing<'r> {
        let start = aligned(self.buffer).min(self.buffer.len());
        *self.place = start..start;
        Growing {
            buffer: self.buffer,
            place: self.place,
        }
    }
}

/// The first place of a buffer that is a multiple of [`ALIGN`] in memory.
fn aligned(buffer: &[u8]) -> usize {
    (buffer.as_ptr() as usize).wrapping_neg() % ALIGN
}

/// The bytes of one item, to be appended to; as a [`Write`] too, which does
/// not fail.
pub struct Growing<'r> {
    buffer: &'r mut Vec<u8>,
    place: &'r mut Range<usize>,
}

impl Growing<'_> {
    #[inline]
    pub fn extend_from_slice(&mut self, bytes: &[u8]) {
        let end = self.place.end + bytes.len();
        if end > self.buffer.len() {
            self.grow(end);
        }
        let start = self.place.end;
        self.place.end += bytes.len();
        self.buffer[start..self.place.end].copy_from_slice(bytes);
    }

    pub fn appended(&self) -> &[u8] {
        &self.buffer[self.place.clone()]
    }

    pub fn len(&self) -> usize {
        self.place.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Has the buffer reach to `end`, and more, so that it seldom grows. What is
    /// in it moves to where it is aligned again.
    #[cold]
    fn grow(&mut self, end: usize) {
        let length = (end + ALIGN).max(2 * self.buffer.len());
        self.buffer.resize(length, 0);
        let start = aligned(self.buffer);
        self.buffer.copy_within(self.place.clone(), start);
        *self.place = start..start + self.place.len();
    }
}

impl Write for Growing<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Run<'r, I, F, R, E> {
    /// The items that are left, and the number of the next.
    items: Mutex<(I, u64)>,
    fold: Mutex<F>,
    order: Mutex<Order<R, E>>,
    /// Signalled when an item is folded, to the one thread that waits to take another.
    room: Condvar,
    /// Signalled when no thread folds any more, to one of those that wait to.
    turn: Condvar,
    /// Signalled then too, and at the end, to those that wait to write a part of an item.
    part: Condvar,
    window: usize,
    output: Option<&'r Output>,
    /// Bytes are changed right before they are written.
    edits: bool,
    /// A thread waits while another writes, and does not leave its bytes
    /// to that. A file is written by one thread at a time in any case: the
    /// kernel locks it. And bytes are best written by the core that has them in
    /// its cache: left to others, 10 million easy puzzles took 630 ms, not 510.
    /// For a pipe the writer may wait long while others can work.
    one_at_a_time: bool,
}

struct Order<R, E> {
    /// The number of the first slot: all items before it are folded, or one is
    /// just being.
    first: u64,
    /// The items that are taken and not yet folded.
    slots: VecDeque<Option<ItemResult<R>>>,
    folding: bool,
    spare: Vec<Vec<u8>>,
    /// The first item that fails, so far, and its error. No item is taken any more. Those before
    /// it are finished and folded, and may fail too.
    end: Option<(u64, E)>,
}

impl<R, E> Order<R, E> {
    /// Returns true if the item whose turn it is comes before the end.
    fn is_before_end(&self) -> bool {
        self.end.as_ref().is_none_or(|&(end, _)| self.first < end)
    }
}

struct ItemResult<R> {
    bytes: Vec<u8>,
    /// The range of them that is to be written.
    place: Range<usize>,
    result: R,
}

impl<T, I, F, R, E> Run<'_, I, F, R, E>
where
    I: Iterator<Item = Result<T, Error>>,
    F: FnMut(R, &mut [u8]) -> Result<Range<usize>, E>,
    E: From<Error>,
{
    fn order(&self) -> MutexGuard<'_, Order<R, E>> {
        self.order.lock().expect("no thread panicked")
    }

    /// The next item and its number; waits while it would be too far ahead.
    fn take(&self) -> Option<(u64, T)> {
        let mut items = self.items.lock().expect("no thread panicked");
        let order = self.order();
        let order = self
            .room
            .wait_while(order, |order| {
                order.end.is_none() && order.slots.len() >= self.window
            })
            .expect("no thread panicked");
        if order.end.is_some() {
            return None;
        }
        drop(order);
        let (items, index) = &mut *items;
        let next = caught(*index, || items.next().transpose());
        match next.and_then(|item| item) {
            Ok(item) => {
                let item = (*index, item?);
                *index += 1;
                self.order().slots.push_back(None);
                Some(item)
            }
            Err(error) => {
                self.end_at(*index, error.into());
                None
            }
        }
    }

    /// Takes what came of an item, and writes and folds all that have their
    /// turn, unless another thread is at it. Gives memory for the next.
    fn finish(&self, index: u64, finished: ItemResult<R>) -> Vec<u8> {
        let mut order = self
            .turn
            .wait_while(self.order(), |order| self.one_at_a_time && order.folding)
            .expect("no thread panicked");
        let slot = (index - order.first) as usize;
        order.slots[slot] = Some(finished);
        if order.folding {
            return order.spare.pop().unwrap_or_default();
        }
        order.folding = true;
        while order.is_before_end()
            && let Some(slot) = order.slots.front_mut()
            && let Some(finished) = slot.take()
        {
            let index = order.first;
            order.slots.pop_front();
            order.first += 1;
            drop(order);
            self.room.notify_one();
            let (bytes, written) = self.write(index, finished);
            if let Err(error) = written {
                self.end_at(index, error);
            }
            order = self.order();
            order.spare.push(bytes);
        }
        self.end_folding(&mut order);
        order.spare.pop().unwrap_or_default()
    }

    fn end_folding(&self, order: &mut Order<R, E>) {
        order.folding = false;
        self.turn.notify_one();
        self.part.notify_all();
    }

    /// Returns true if an item is still to be written.
    fn goes_on(&self, index: u64) -> bool {
        let order = self.order();
        order.end.as_ref().is_none_or(|&(end, _)| index < end)
    }

    /// Waits for the turn of an item, and writes and folds a part of it, unless the run ends before
    /// that. Gives memory for the next.
    fn write_part(&self, index: u64, finished: ItemResult<R>) -> Vec<u8> {
        let is_over =
            |order: &Order<R, E>| order.end.as_ref().is_some_and(|&(end, _)| end <= index);
        let mut order = self
            .part
            .wait_while(self.order(), |order| {
                !is_over(order) && (order.folding || order.first < index)
            })
            .expect("no thread panicked");
        if is_over(&order) {
            return finished.bytes;
        }
        order.folding = true;
        drop(order);
        let (bytes, written) = self.write(index, finished);
        if let Err(error) = written {
            self.end_at(index, error);
        }
        self.end_folding(&mut self.order());
        bytes
    }

    /// Folds and writes what came of the item whose turn it is.
    fn write(&self, index: u64, finished: ItemResult<R>) -> (Vec<u8>, Result<(), E>) {
        let ItemResult {
            mut bytes,
            place,
            result,
        } = finished;
        let mut fold = self.fold.lock().expect("no thread panicked");
        let bytes_of_item = &mut bytes[place];
        let written = caught(index, || {
            let range = fold(result, bytes_of_item)?;
            match self.output {
                None => {}
                Some(output) if self.edits => output.write_next(&bytes_of_item[range])?,
                Some(output) => output.write_piece(&bytes_of_item[range])?,
            }
            Ok(())
        });
        (
            bytes,
            written.unwrap_or_else(|panicked| Err(panicked.into())),
        )
    }

    /// Ends the run at an item that fails, unless it ends before. The first in the order of the
    /// items counts, whichever fails first.
    fn end_at(&self, item: u64, error: E) {
        let mut order = self.order();
        if order.end.as_ref().is_none_or(|&(end, _)| item < end) {
            order.end = Some((item, error));
        }
        // The one thread that waits for room takes no item any more.
        self.room.notify_all();
        self.part.notify_all();
    }
}
