//! No panic crosses the border, and none is printed.
//!
//! Rust prints the message of a panic before it unwinds, by a hook that the whole of a program shares. The
//! hook that takes its place here keeps the message for the caller. In a program of Rust that has these
//! sources as a part (the fuzzers, the tests), the hook that was there before gets what is not the border's.

use super::super::failure::{Failure, SUDOKU_BATCH_OK};
use std::{
    cell::{Cell, RefCell},
    ffi::{c_char, c_int},
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

/// The number of bytes of a message, with the zero behind it.
pub const SUDOKU_BATCH_MESSAGE: usize = 508;

/// The error of a call. It belongs to the caller, and so does its memory: the message stays as long as
/// the caller wants, and each thread has its own.
#[repr(C)]
pub struct Error {
    /// 0, or one of the codes from SUDOKU_BATCH_NULL on.
    pub code: c_int,
    /// The message for people: UTF-8 with a zero at its end. What does not fit is left out.
    pub message: [c_char; SUDOKU_BATCH_MESSAGE],
}

thread_local! {
    /// Whether a call of this thread is under way.
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
    /// The message of the last panic.
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Whether all threads of this Rust are the library's own.
const IS_ALONE: bool = cfg!(not(any(test, fuzzing)));

fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if IS_INSIDE.get() {
                MESSAGE.set(panic.to_string());
            } else if !IS_ALONE {
                before(panic);
            }
        }));
    });
}

/// Does some work of a call. A panic becomes a failure with its message and its place.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    silence();
    let was_inside = IS_INSIDE.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    IS_INSIDE.set(was_inside);
    done.unwrap_or_else(|panicked| {
        // A payload whose end panics would cross the border.
        std::mem::forget(panicked);
        Err(Failure::defect(MESSAGE.take()))
    })
}

/// Does the work of a call, and writes what is wrong with it into `error`, unless that is null.
///
/// # Safety
///
/// `error` is null, or it points to an [`Error`] that nobody else uses meanwhile.
pub(crate) unsafe fn guard(error: *mut Error, work: impl FnOnce() -> Result<(), Failure>) -> c_int {
    let (code, message) = match caught(work) {
        Ok(()) => (SUDOKU_BATCH_OK, String::new()),
        Err(failure) => (failure.code, failure.message),
    };
    if !error.is_null() {
        let mut end = message.len().min(SUDOKU_BATCH_MESSAGE - 1);
        while !message.is_char_boundary(end) {
            end -= 1;
        }
        // A zero within would hide the rest.
        let bytes = message.as_bytes()[..end].iter();
        let bytes = bytes.map(|byte| if *byte == 0 { b' ' } else { *byte } as c_char);
        // SAFETY: the caller of this function promises that it is an `Error`. Each byte goes to its own place,
        // as nothing says that there is a message already.
        unsafe {
            (&raw mut (*error).code).write(code);
            let to = (&raw mut (*error).message).cast::<c_char>();
            bytes
                .enumerate()
                .for_each(|(at, byte)| to.add(at).write(byte));
            to.add(end).write(0);
        }
    }
    code
}
