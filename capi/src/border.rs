//! The border to C: functions, pointers, and Arrow's structs. All that is `unsafe` is in here.
//!
//! Each function checks what it can see of its arguments (null, sizes), makes views of the caller's memory
//! ([`memory`]), and calls the safe rest through a [`guard`] that lets no panic out.

#![allow(unsafe_code, reason = "C has no other functions and pointers")]

pub mod arrow;
pub mod calls;
pub mod guard;
pub(crate) mod memory;
pub mod tables;
