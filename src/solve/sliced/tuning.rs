//! The numbers that decide how fast the sliced engine is. They never change an answer.
//! All were set by measurement, see `docs/internals/laboratory.md`.

/// At least this many passes run between two services. After a branch, the first one or
/// two passes often make no cell single, which would look like a stall.
pub(super) const LEAST_PASSES: usize = 4;

/// At most this many passes run between two services.
pub(super) const MOST_PASSES: usize = 8;

/// Between these two bounds, a service begins when at least this many lanes of a hundred
/// have nothing to do.
pub(super) const IDLE_PERCENT: usize = 60;

/// The digits of all triads are counted before this pass after a service. The first pass
/// is number 1. (See [`take_three`](super::pass::take_three).)
pub(super) const COUNT_TRIADS_BEFORE_PASS: usize = 2;

/// Solved lanes are taken out when there are at least this many: one costs as much as all.
pub(super) const SOLVED_AT_ONCE: usize = 16;

/// Fewer solved lanes wait for at most this many services.
pub(super) const LONGEST_WAIT: usize = 3;

/// When a puzzle reaches its limit of solutions, copying of branches pauses. At most this
/// many fresh puzzles start before it resumes. A puzzle with several solutions finds the
/// first two soonest in one lane. If it spreads over more lanes, the work of the others is
/// thrown away.
pub(super) const PAUSE_AFTER_LIMIT: usize = 8;

/// The pauses of several puzzles add up, but to no more than this many fresh puzzles.
pub(super) const LONGEST_PAUSE: usize = 2048;

/// The scalar engine finishes the batch when no fresh puzzle is left, and active lanes and
/// open branches together number no more than this. A node of its search costs 0.2 to
/// 0.5 µs. A pass and a service cost 6 µs, however few lanes there are (Zen 4).
pub(super) const LEFT_TO_SCALAR: usize = 24;

/// Fresh puzzles whose solutions are united wait until one lane of this number is free.
pub(super) const FRESH_UNIONS: usize = 32;

/// The scalar engine goes on with the last unions when so few are left. It takes 40 times as long for one as
/// a full batch, but a pass and a service cost as much for one lane as for all. (Batches of 10,240 of several
/// solutions, Zen 4, 2026-11-24, µs a puzzle: 4 lanes 11.2, 16 lanes 9.9, 32 and 48 lanes 9.7, 64 lanes 9.8.)
pub(super) const UNIONS_LEFT_TO_SCALAR: usize = 32;

/// Branches are counted in one of this many services. Each then counts this many times.
pub(super) const COUNT_BRANCHES_EVERY: u32 = 8;

/// A puzzle goes to the scalar engine when it has more branches than this, plus
/// [`BRANCHES_PER_SOLUTION`] for every solution that is asked for. With few clues, branches
/// on triads lead nowhere: a band is filled long before its cells contradict each other.
/// (The hardest known puzzles take some hundred branches.)
pub(super) const MOST_BRANCHES: u32 = 1024;

/// The same for puzzles that are given by candidates. Minimal ones take 3,000 branches and more, and
/// the scalar engine is no better at them.
pub(super) const MOST_BRANCHES_OF_CANDIDATES: u32 = 1 << 16;

/// See [`MOST_BRANCHES`].
pub(super) const BRANCHES_PER_SOLUTION: u64 = 8;

/// Returns true if a pass counts the candidates of one cell after the other, in place of nine cells while the
/// digits go by. That takes 0.66 to 0.74 of the time at `portable` (x86-64), 0.99 to 1.03 at `avx2`, and
/// 1.1 to 1.16 at `avx512`; at `neon` it takes 1.01 to 1.02 of the instructions.
pub(super) const fn counts_cell_by_cell(lanes: usize, registers: usize) -> bool {
    lanes == 128 && registers < 32
}
