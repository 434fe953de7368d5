//! The records of other files, of which no symmetric copy is made.

use crate::{
    driver::{
        Files, InputFile,
        options::{NOTHING, ReadOptions, RunOptions},
    },
    sets::dedup::{Comparing, Others, Seen},
};
use sudoku_batch::{
    Grid, Puzzle,
    dataset::{Equivalence, PuzzleHasher},
    questions::PuzzleSet,
};

/// Says which puzzles are left out because other files have them.
#[derive(Debug, clap::Args)]
pub(crate) struct OtherOptions {
    /// Leave out symmetric copies of puzzles in files.
    ///
    /// The maker goes on to another grid for the number of such a puzzle, as for one that is not what is wanted. So N
    /// puzzles are made all the same, and puzzle i depends on the files too. All files up to the next option are compared
    /// with, so N stands before. They may have any format and any compression. They are read first. Standard error reports
    /// their records that are malformed or have not one solution; no puzzle is left out for these.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "unbiased")]
    against: Vec<InputFile>,

    /// With --against: leave out puzzles whose solution is a symmetric copy of the solution of a record.
    ///
    /// A full grid is its own solution. This leaves out more: no reader of the other books meets a solution again.
    #[arg(long, requires = "against")]
    against_solutions: bool,
}

/// The records of the other files.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    /// Their number.
    pub(super) records: u64,
    /// True if some of them failed.
    pub(super) have_failed: bool,
}

impl OtherOptions {
    /// Reads the other files. Returns the set without symmetric copies of their records, and what was read, if any file is
    /// named. `from` is the file of the grids.
    pub(super) fn leave_out(
        &self,
        set: PuzzleSet,
        from: Option<&InputFile>,
        (files, run): (&Files, &RunOptions),
    ) -> anyhow::Result<(PuzzleSet, Option<Compared>)> {
        if self.against.is_empty() {
            return Ok((set, None));
        }
        let by = match (self.against_solutions, set.is_unique()) {
            (true, _) => Equivalence::Solution,
            (false, true) => Equivalence::Symmetry,
            // A puzzle with several solutions has no canonical form.
            (false, false) => Equivalence::Minlex,
        };
        let comparing = Comparing {
            by,
            against: &self.against,
            read: &ReadOptions {
                files: from.cloned().into_iter().collect(),
                ..NOTHING.clone()
            },
            run,
        };
        comparing.check_standard_input()?;
        let hasher = PuzzleHasher::random();
        let mut others = Others::default();
        let seen = comparing.note_others(files, &hasher, Seen::new(None)?, &mut others)?;
        let Seen::InMemory(known) = seen else {
            unreachable!("keys go to disk where the memory is bounded")
        };
        let compared = Compared {
            records: others.records,
            have_failed: others.have_failed,
        };
        let is_known = move |puzzle: &Puzzle, solution: &Grid| {
            let form = by.form(*puzzle, solution);
            known.has(hasher.key(&form))
        };
        let set = set.with_refusal(is_known)?;
        Ok((set, Some(compared)))
    }
}
