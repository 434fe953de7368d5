//! `sudoku-batch generate`.

use super::{
    checker::{Checker, Wrong},
    job::{self, Job},
    making::{self, MadeColumns, MadeWriter, Make},
    summary::Summary,
};
use crate::cli::{generate::Generate, making::MadeForm};
use std::{ops::Range, process::ExitCode};
use sudoku_batch::{generate::Grids, grid::GridLine, pipeline::output::Output};

/// How many grids a thread makes at a time: about as much text as fits into
/// its second-level cache.
pub(super) const AT_ONCE: u64 = 4096;

/// Makes grids.
pub(crate) fn run(options: &Generate) -> anyhow::Result<ExitCode> {
    let grids = options.grids();
    let range = options.range(&grids)?;
    let count = range.end - range.start;
    let made = &options.made;
    let mut job = Job::start(&made.output)?;
    let output = job.create_packed(&made.output.output, made.compress())?;
    let making = GridSet {
        grids,
        verify: options.verify,
    };
    making.write(&mut job, range, made.format, &output)?;
    job::deliver([], [output])?;
    Ok(job.end(&Summary {
        total: ("grids", count),
        counts: Vec::new(),
        among_first: Vec::new(),
        unit: "grids",
        facts: options.facts(),
        failed: 0,
        failure: "",
    }))
}

/// A set of grids, from which any slice can be made.
pub(super) struct GridSet {
    pub(super) grids: Grids,
    /// Whether each is checked.
    pub(super) verify: bool,
}

impl GridSet {
    /// Writes the grids of a range.
    pub(super) fn write(
        &self,
        job: &mut Job,
        range: Range<u64>,
        form: MadeForm,
        output: &Output,
    ) -> anyhow::Result<()> {
        let columns = MadeColumns {
            cells: "grid",
            others: Vec::new(),
        };
        let writer = MadeWriter::new(form, columns);
        making::write(job, "grids", self, range, &writer, output)?;
        Ok(())
    }
}

impl Make for GridSet {
    type Kept = ();
    const AT_ONCE: u64 = AT_ONCE;

    fn keep(&self) {}

    fn make(&self, (): &mut (), numbers: Range<u64>, lines: &mut [GridLine]) {
        self.grids.write_lines(numbers.start, lines);
    }

    fn verifies(&self) -> bool {
        self.verify
    }

    fn verify(&self, (): &(), checker: &mut Checker, lines: &[GridLine]) -> Result<(), Wrong> {
        checker.grids(lines)
    }

    fn value(&self, (): &(), _: usize, _: usize, _: &mut Vec<u8>) {
        unreachable!("there are no other columns");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::making::tests::{Corrupting, fail};
    use sudoku_batch::generate::{Sequence, Uniform};

    #[test]
    fn a_wrong_grid_is_named() {
        let sets = [
            Grids::Sequence(Sequence::seeded(3)),
            Grids::Uniform(Uniform::seeded(3)),
        ];
        let changes: [(fn(&mut GridLine), _); 3] = [
            (
                |line| line[..81].fill(b'1'),
                "row 1 does not hold each digit once",
            ),
            (|line| line[40] = b'.', "r5c5 is not a digit"),
            (
                |line| line[81] = b' ',
                "the line does not end after 81 characters",
            ),
        ];
        for grids in sets {
            for (change, what) in changes {
                let grids = grids.clone();
                let making = Corrupting {
                    making: GridSet {
                        grids,
                        verify: true,
                    },
                    numbers: vec![9001, 9000, 15_000],
                    change,
                };
                for threads in [1, 2, 8] {
                    for form in [MadeForm::Line, MadeForm::Csv, MadeForm::Grid] {
                        let error = fail(&making, "grids", 5..20_000, threads, form);
                        let place = "grid 9000, counted from 0: --verify found a wrong answer: ";
                        let end = "; output files stay as they were";
                        assert_eq!(error, format!("{place}{what}{end}"));
                    }
                }
            }
        }
    }
}
