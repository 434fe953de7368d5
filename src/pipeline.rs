//! Items in, bytes out, in order, over all threads. Knows nothing of Sudoku.
//!
//! ```text
//!     input::Chunks ──┐                     ┌─ a file: every thread writes its own, at its offset
//!     (or any other   ├─> work, a thread ──>┤
//!      iterator)    ──┘   an item           └─ a pipe: in order, by whoever finishes the next one
//!                              │
//!                              └─> fold: what `work` returned, in order
//! ```
//!
//! Threads take items one at a time, in order, from behind a lock. A thread
//! says how many bytes it will write before it makes them ([`Out::exactly`]),
//! so offsets are known long before they are needed and nobody waits. A thread
//! that would run too far ahead of the slowest one waits: memory stays flat.
//!
//! ```
//! use sudoku_batch::pipeline::{self, input::Input, output::Output};
//! let folder = tempfile::tempdir()?;
//! let (from, to) = (folder.path().join("in"), folder.path().join("out"));
//! std::fs::write(&from, "one\ntwo\nthree\n")?;
//!
//! let mut input = Input::open(&from)?;
//! let output = Output::create(&to)?;
//! let mut lines = 0;
//! pipeline::run(
//!     &rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap(),
//!     input.chunks(),
//!     &output,
//!     || (),
//!     |(), chunk, out| {
//!         out.exactly(chunk.len()).copy_from_slice(&chunk.to_ascii_uppercase());
//!         chunk.iter().filter(|&&c| c == b'\n').count()
//!     },
//!     |count| {
//!         lines += count;
//!         Ok::<(), pipeline::Error>(())
//!     },
//! )?;
//! output.commit()?;
//! assert_eq!(std::fs::read_to_string(&to)?, "ONE\nTWO\nTHREE\n");
//! assert_eq!(lines, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod input;
pub mod output;

use output::Output;
use std::{
    collections::VecDeque,
    io,
    sync::{Condvar, Mutex, MutexGuard},
};

/// Items that may be taken and not yet folded, for each thread. More lets
/// threads run on beside a slow item, and holds more of a pipe's output.
const AHEAD: usize = 4;

/// What stopped a pipeline.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input cannot be read.
    #[error("cannot read")]
    Input(#[source] io::Error),
    /// A line is too long to be held in memory.
    #[error(
        "no line ends within {} MiB of byte {position}: not a text of lines",
        input::LONGEST_LINE >> 20
    )]
    LongLine {
        /// Where in the input, counted in bytes from 0, the end of the line was
        /// looked for.
        position: u64,
    },
    /// The output cannot be written.
    #[error("cannot write")]
    Output(#[source] io::Error),
}

/// Works on all items over the threads of a pool, and writes what comes of
/// them to the output in the order of the items.
///
/// - `items` are taken one at a time by the thread that is free; an error among
///   them ends the run.
/// - `state` makes what a thread keeps from item to item, before its first.
/// - `work` writes the bytes of an item and returns what else is to be known
///   about it.
/// - `fold` is given that, in order; an error that it returns ends the run.
///
/// The output is not committed.
///
/// # Errors
///
/// The first error of the items, of writing or of `fold`. What was written by
/// then is any part of the output.
///
/// # Panics
///
/// When one of the closures does.
pub fn run<T, S, R, E>(
    pool: &rayon::ThreadPool,
    items: impl Iterator<Item = Result<T, Error>> + Send,
    output: &Output,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T, Out<'_>) -> R + Sync,
    fold: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<(), E>
where
    T: Send,
    R: Send,
    E: From<Error> + Send,
{
    let line = Line {
        items: Mutex::new((items, 0)),
        fold: Mutex::new(fold),
        order: Mutex::new(Order {
            first: 0,
            slots: VecDeque::new(),
            offsets_known: 0,
            end: 0,
            folding: false,
            spare: Vec::new(),
            stopped: false,
            error: None,
        }),
        changed: Condvar::new(),
        window: AHEAD * pool.current_num_threads(),
        output,
    };
    pool.broadcast(|_| {
        let _guard = StopOnPanic(&line);
        let mut kept = None;
        let mut buffer = Vec::new();
        while let Some((index, item)) = line.take() {
            let mut length = None;
            let out = Out {
                buffer: &mut buffer,
                length: &mut length,
                announce: &|length| line.announce(index, length),
            };
            let result = work(kept.get_or_insert_with(&state), item, out);
            if length.is_none() {
                line.announce(index, 0);
            }
            let length = length.unwrap_or(0);
            let bytes = if output.has_offsets() {
                line.write(index, &buffer[..length]);
                Vec::new()
            } else {
                std::mem::replace(&mut buffer, line.spare())
            };
            line.finish(
                index,
                Finished {
                    bytes,
                    length,
                    result,
                },
            );
        }
    });
    match line.order.into_inner().expect("no thread panicked").error {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Where the bytes of one item go.
pub struct Out<'r> {
    buffer: &'r mut Vec<u8>,
    length: &'r mut Option<usize>,
    announce: &'r dyn Fn(usize),
}

impl<'r> Out<'r> {
    /// Room for exactly so many bytes, all to be written: what stands there is
    /// left from before. Called as soon as the number is known, before the work
    /// itself, it spares the threads behind this one a wait. An item for which
    /// it is not called writes nothing.
    pub fn exactly(self, length: usize) -> &'r mut [u8] {
        *self.length = Some(length);
        (self.announce)(length);
        if self.buffer.len() < length {
            self.buffer.resize(length, 0);
        }
        &mut self.buffer[..length]
    }
}

/// What the threads of a run share.
struct Line<'r, I, F, R, E> {
    /// The items that are left, and the number of the next.
    items: Mutex<(I, u64)>,
    fold: Mutex<F>,
    order: Mutex<Order<R, E>>,
    /// Signalled when `order` changed in a way that a thread may wait for.
    changed: Condvar,
    window: usize,
    output: &'r Output,
}

struct Order<R, E> {
    /// The number of the first slot: all items before it are folded, or one is
    /// just being.
    first: u64,
    /// The items that are taken and not yet folded.
    slots: VecDeque<Slot<R>>,
    /// How many items have an offset, and where in the output the next begins.
    offsets_known: u64,
    end: u64,
    /// Whether a thread is folding.
    folding: bool,
    /// Buffers to be used again.
    spare: Vec<Vec<u8>>,
    stopped: bool,
    error: Option<E>,
}

/// An item that is taken.
struct Slot<R> {
    length: Option<usize>,
    offset: u64,
    finished: Option<Finished<R>>,
}

struct Finished<R> {
    /// The bytes, when they are still to be written.
    bytes: Vec<u8>,
    length: usize,
    result: R,
}

impl<R, E> Order<R, E> {
    fn slot(&mut self, index: u64) -> &mut Slot<R> {
        &mut self.slots[(index - self.first) as usize]
    }
}

impl<T, I, F, R, E> Line<'_, I, F, R, E>
where
    I: Iterator<Item = Result<T, Error>>,
    F: FnMut(R) -> Result<(), E>,
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
            .changed
            .wait_while(order, |order| {
                !order.stopped && order.slots.len() >= self.window
            })
            .expect("no thread panicked");
        if order.stopped {
            return None;
        }
        drop(order);
        let item = match items.0.next()? {
            Ok(item) => item,
            Err(error) => {
                self.stop(Some(error.into()));
                return None;
            }
        };
        let index = items.1;
        items.1 += 1;
        self.order().slots.push_back(Slot {
            length: None,
            offset: 0,
            finished: None,
        });
        Some((index, item))
    }

    /// Notes how many bytes an item gives.
    fn announce(&self, index: u64, length: usize) {
        let mut order = self.order();
        order.slot(index).length = Some(length);
        // Slots are folded only once their offset is known, so those from
        // `offsets_known` on are still there.
        while let from = order.offsets_known - order.first
            && let Some(slot) = order.slots.get(from as usize)
            && let Some(length) = slot.length
        {
            let end = order.end;
            order.slots[from as usize].offset = end;
            order.end += length as u64;
            order.offsets_known += 1;
        }
        self.changed.notify_all();
    }

    /// Writes the bytes of an item at their offset, once all items before it
    /// are announced.
    fn write(&self, index: u64, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let mut order = self
            .changed
            .wait_while(self.order(), |order| {
                !order.stopped && order.offsets_known <= index
            })
            .expect("no thread panicked");
        if order.stopped {
            return;
        }
        let offset = order.slot(index).offset;
        drop(order);
        if let Err(error) = self.output.write_at(bytes, offset) {
            self.stop(Some(Error::Output(error).into()));
        }
    }

    /// Notes that an item is done, and folds all that have their turn, unless
    /// another thread is at it.
    fn finish(&self, index: u64, finished: Finished<R>) {
        let mut order = self.order();
        if order.stopped {
            return;
        }
        order.slot(index).finished = Some(finished);
        if order.folding {
            return;
        }
        order.folding = true;
        while !order.stopped
            && let Some(slot) = order.slots.front_mut()
            && let Some(finished) = slot.finished.take()
        {
            order.slots.pop_front();
            order.first += 1;
            drop(order);
            self.changed.notify_all();
            let Finished {
                bytes,
                length,
                result,
            } = finished;
            let folded = match self.output.write_next(&bytes[..length.min(bytes.len())]) {
                Ok(()) => (self.fold.lock().expect("no thread panicked"))(result),
                Err(error) => Err(Error::Output(error).into()),
            };
            if let Err(error) = folded {
                self.stop(Some(error));
            }
            order = self.order();
            if bytes.capacity() > 0 {
                order.spare.push(bytes);
            }
        }
        order.folding = false;
    }

    fn spare(&self) -> Vec<u8> {
        self.order().spare.pop().unwrap_or_default()
    }

    fn stop(&self, error: Option<E>) {
        let mut order = self.order();
        order.stopped = true;
        if order.error.is_none() {
            order.error = error;
        }
        self.changed.notify_all();
    }
}

/// Stops the run when a closure panics, or the other threads would wait for
/// ever for the item that never finishes.
struct StopOnPanic<'l, 'r, I, F, R, E>(&'l Line<'r, I, F, R, E>);

impl<I, F, R, E> Drop for StopOnPanic<'_, '_, I, F, R, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            if let Ok(mut order) = self.0.order.lock() {
                order.stopped = true;
            }
            self.0.changed.notify_all();
        }
    }
}
