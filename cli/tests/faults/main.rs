//! Faults that are really done to the program: signals, full disks, inputs that change, readers
//! that go away, limits of the system. `docs/internals/evidence.md` has the table of all.

#![cfg(target_os = "linux")]

#[path = "../support/mod.rs"]
mod support;

mod disk;
mod input;
mod limits;
mod place;
mod resume;
mod signals;
mod streams;
