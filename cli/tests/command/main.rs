//! The command as its users see it: a file for each subcommand or subject.

#[path = "../support/mod.rs"]
mod support;

mod arrays;
mod bench;
mod blanks;
#[cfg(feature = "book")]
mod book;
mod candidates;
mod check;
mod choosing;
mod chosen;
mod columns;
mod conditions;
mod count;
mod drills;
mod files;
mod filter;
mod free_forms;
mod generate;
mod grammar;
mod kept;
#[cfg(unix)]
mod linear;
mod manual;
mod near;
mod outputs;
#[cfg(unix)]
mod pages;
#[cfg(all(target_os = "linux", feature = "tui"))]
mod play;
mod process;
mod psp;
mod puzzles;
mod rate;
mod score;
mod sets;
mod shared_forms;
mod show;
mod solve;
#[cfg(unix)]
mod streams;
#[cfg(unix)]
mod terminal;
mod trace;
mod verify;
mod wishes;
