//! The commands that read a set of records and write another, record by record: much of their time is their own.

pub mod augment;
pub mod convert;
pub mod dedup;
pub mod filter;
pub mod prompts;
pub mod split;
