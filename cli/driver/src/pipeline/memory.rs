//! The end of a process that gets no memory.
//!
//! The standard library aborts such a process with SIGABRT. Where `RUST_BACKTRACE` is set it
//! looks for a backtrace before, holds a lock meanwhile, and needs memory for it. If there is
//! none, it waits for that lock forever: 2 of 600 runs under `ulimit -v` hung (Rust 1.95).
//! Here the process says what is wrong and ends with exit status 2 at once.

#![allow(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};

/// The allocator of the system. If it has no memory left, the process prints an error and
/// ends with exit status 2. On systems other than Unix the standard library ends it.
///
/// No output takes its place, as with any other end of the process. Temporary files that have
/// a name stay.
#[derive(Debug)]
pub struct Memory;

// SAFETY: all calls go to `System` with the arguments as they came, so what the caller
// promises holds there, and what `System` promises holds here. If a call ends the process, it
// does not return.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the promise of the caller.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the promise of the caller.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the promise of the caller.
        given(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the promise of the caller.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// The memory that was given. Ends the process if there is none.
#[inline]
fn given(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        end_without_memory(size);
    }
    memory
}

/// Writes the error by one call of the system, without memory or a lock, and ends the process
/// without running anything else.
#[cfg(unix)]
#[cold]
fn end_without_memory(size: usize) {
    use std::io::{Cursor, Write};
    let mut text = Cursor::new([0; 100]);
    let _ = writeln!(
        text,
        "sudoku-batch: out of memory: {size} bytes more were needed"
    );
    let length = text.position() as usize;
    // SAFETY: the bytes are there, and this number of them. `_exit` does not return.
    unsafe {
        libc::write(2, text.get_ref().as_ptr().cast(), length);
        libc::_exit(2);
    }
}

#[cfg(not(unix))]
#[cold]
fn end_without_memory(_: usize) {}
