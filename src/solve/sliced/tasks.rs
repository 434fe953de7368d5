//! A batch: its puzzles, where their answers go, and how far each puzzle is.

use super::{
    super::{Batch, Interviewer, Limits, NO_SOLUTION, Questions, scalar},
    tuning,
};
use crate::grid::{CELLS, Candidate, Cell, Digit, GridLine};

/// Stands for the branches of a puzzle that the scalar engine has solved.
const HANDED_OVER: u32 = u32::MAX;

/// The source of puzzles, see [`BatchEngine`](super::super::BatchEngine).
pub(super) enum Source<'a> {
    Batch(Batch<'a>, &'a [Option<Candidate>]),
    Interview(&'a mut Questions, &'a mut dyn Interviewer),
}

/// See [`BatchEngine`](super::super::BatchEngine).
pub(super) struct Tasks<'a> {
    pub(super) source: Source<'a>,
    pub(super) limits: Limits,
    /// So many for each puzzle as `kept` says.
    pub(super) lines: &'a mut [GridLine],
    pub(super) kept: usize,
    pub(super) counts: &'a mut [u64],
    pub(super) any_handed_over: bool,
    /// Branches of each puzzle so far, or [`HANDED_OVER`].
    pub(super) branches: Vec<u32>,
}

impl Tasks<'_> {
    #[inline(always)]
    pub(super) fn puzzles(&self) -> Batch<'_> {
        match &self.source {
            Source::Batch(puzzles, _) => *puzzles,
            Source::Interview(questions, _) => Batch::Cells(&questions.cells),
        }
    }

    #[inline(always)]
    pub(super) fn strikes(&self) -> &[Option<Candidate>] {
        match &self.source {
            Source::Batch(_, strikes) => strikes,
            Source::Interview(questions, _) => &questions.strikes,
        }
    }

    #[inline(always)]
    pub(super) fn strike(&self, puzzle: u32) -> Option<Candidate> {
        self.strikes().get(puzzle as usize).copied().flatten()
    }

    #[inline(always)]
    pub(super) fn interviewer(&mut self) -> Option<&mut dyn Interviewer> {
        match &mut self.source {
            Source::Batch(..) => None,
            Source::Interview(_, interviewer) => Some(*interviewer),
        }
    }

    /// Passes the answer for a puzzle on. The places that ask again are added to `ask`.
    pub(super) fn answer(&mut self, puzzle: u32, ask: &mut Vec<u32>) {
        if let Source::Interview(questions, interviewer) = &mut self.source {
            let before = ask.len();
            let count = self.counts[puzzle as usize];
            interviewer.answered(puzzle as usize, count, questions, ask);
            for &puzzle in &ask[before..] {
                self.counts[puzzle as usize] = 0;
                self.branches[puzzle as usize] = 0;
            }
        }
    }

    #[inline(always)]
    pub(super) fn limit(&self, puzzle: u32) -> u64 {
        match &self.source {
            Source::Batch(..) => self.limits.of(self.strike(puzzle)),
            Source::Interview(questions, _) => questions.limit(puzzle as usize, self.limits),
        }
    }

    /// Returns true if nothing more is to be found out about a puzzle: its solutions have reached
    /// the limit, or the scalar engine has solved it.
    #[inline(always)]
    pub(super) fn is_decided(&self, puzzle: u32) -> bool {
        self.counts[puzzle as usize] >= self.limit(puzzle)
            || self.branches[puzzle as usize] == HANDED_OVER
    }

    /// Counts branches of a puzzle. If there are too many, the scalar engine solves the
    /// puzzle. Returns whether it just did.
    #[inline(always)]
    pub(super) fn count_branches(&mut self, puzzle: u32, count: u32) -> bool {
        let limit = self.limit(puzzle);
        let most = match self.puzzles() {
            Batch::Cells(_) => tuning::MOST_BRANCHES,
            Batch::Candidates(_) => tuning::MOST_BRANCHES_OF_CANDIDATES,
        };
        let branches = &mut self.branches[puzzle as usize];
        *branches = branches.saturating_add(count);
        let for_solutions = limit.saturating_mul(tuning::BRANCHES_PER_SOLUTION);
        let most = most.saturating_add(for_solutions.min(1 << 31) as u32);
        let over = *branches > most && *branches != HANDED_OVER;
        if over {
            self.hand_over(puzzle);
        }
        over
    }

    /// Lets the scalar engine solve a puzzle from its clues. Its count replaces that of
    /// the lanes.
    #[cold]
    #[inline(never)]
    pub(super) fn hand_over(&mut self, puzzle: u32) {
        let (strike, limit) = (self.strike(puzzle), self.limit(puzzle));
        let puzzle = puzzle as usize;
        let mut candidates = self.puzzles().masks(puzzle);
        if let Some(strike) = strike {
            candidates[strike.cell.index()] &= !(1 << strike.digit.index());
        }
        let mut line = NO_SOLUTION;
        self.counts[puzzle] = scalar::count_from(&candidates, limit, &mut line);
        if self.kept > 0 {
            self.lines[self.kept * puzzle] = line;
        }
        self.branches[puzzle] = HANDED_OVER;
        self.any_handed_over = true;
    }

    /// Lets the scalar engine count the solutions of one lane or open branch of a puzzle,
    /// from the candidates of each cell. Adds them to the puzzle's count.
    #[cold]
    #[inline(never)]
    pub(super) fn finish(&mut self, puzzle: u32, candidates: &[u16; CELLS]) {
        if self.is_decided(puzzle) {
            return;
        }
        let limit = self.limit(puzzle);
        let puzzle = puzzle as usize;
        let mut line = NO_SOLUTION;
        let missing = limit - self.counts[puzzle];
        let count = scalar::count_from(candidates, missing, &mut line);
        let before = self.counts[puzzle] as usize;
        if before < self.kept && count != 0 {
            self.lines[self.kept * puzzle + before] = line;
        }
        self.counts[puzzle] += count;
        if count != 0 && self.strike(puzzle as u32).is_none() {
            let holds = |cell: Cell, digit: Digit| line[cell.index()] == digit.to_ascii();
            if let Some(interviewer) = self.interviewer() {
                interviewer.found(puzzle, &holds);
            }
        }
    }
}
