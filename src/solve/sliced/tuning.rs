//! The numbers that decide how fast the sliced engine is, and nothing else: the
//! answers are the same whatever they are. All were set by measurement, see
//! `docs/design.md`.

/// The passes between two services, at least. After a branch the first one or two
/// passes often make no cell single, which would look like a stall.
pub(super) const LEAST_PASSES: usize = 4;

/// The passes between two services, at most.
pub(super) const MOST_PASSES: usize = 8;

/// Between these two bounds a service begins when this many of a hundred lanes have
/// nothing to do.
pub(super) const IDLE_PERCENT: usize = 60;

/// The triads of all lanes are counted before this pass after a service, the first
/// pass being number 1 (see [`take_three`](super::pass::take_three)).
pub(super) const COUNT_TRIADS_BEFORE_PASS: usize = 2;

/// Solved lanes are taken out when there are at least this many. Taking out one costs
/// as much as taking out all.
pub(super) const SOLVED_AT_ONCE: usize = 16;

/// Fewer solved lanes are taken out when they have waited for this many services.
pub(super) const LONGEST_WAIT: usize = 3;

/// When a puzzle reaches its limit of solutions, branches are not copied to free lanes
/// until this many fresh puzzles have started. A puzzle with several solutions that
/// keeps to its lane goes straight to the first ones; a puzzle that spreads over lanes
/// does in vain what comes after its last one.
pub(super) const PAUSE_AFTER_LIMIT: usize = 8;

/// The pauses of several puzzles add up to at most this many fresh puzzles.
pub(super) const LONGEST_PAUSE: usize = 2048;

/// When no fresh puzzle is left and lanes and open branches together are no more than
/// this, the scalar engine finishes the batch. A node of the search costs it 0.2 to
/// 0.5 µs; a pass and a service cost 6 µs however few lanes there are.
pub(super) const LEFT_TO_SCALAR: usize = 24;

/// Branches are counted in one of this many services, and count this many times.
pub(super) const COUNT_BRANCHES_EVERY: u32 = 8;

/// A puzzle with more branches than this, and [`BRANCHES_PER_SOLUTION`] for every
/// solution that is asked for, is handed over to the scalar engine. With few clues a
/// search of triads is barren: a band is filled long before its cells contradict each
/// other. (The hardest known puzzles take some hundred branches.)
pub(super) const MOST_BRANCHES: u32 = 1024;

/// See [`MOST_BRANCHES`].
pub(super) const BRANCHES_PER_SOLUTION: u64 = 8;
