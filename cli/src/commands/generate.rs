//! `sudoku-batch generate`.

use super::generated::{MadeOptions, Making, SliceOptions, at_least_one};
use crate::driver::{
    Files, MadeRecords,
    settings::{Defined, Settings},
};
use std::{ops::Range, process::ExitCode};
use sudoku_batch::questions::{GenerateSettings, MadeSet};

/// Make solved grids: all different, or uniform samples.
///
/// No grid comes twice, however many are made and on however many machines: grid number i is made without
/// those before it. There are 312,063,515,688,960 of them (symmetric copies of 256 base grids),
/// and a ninth of that with the first digit fixed.
///
/// With --uniform each grid is an independent sample: all 6,670,903,752,021,072,936,960 grids are equally
/// likely. Use samples for statistics and for data sets. Two of n samples are equal with a probability of
/// n² / (1.33·10²²).
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Generate {
    /// How many, such as 500, 10k or 2M.
    ///
    /// Any number of the command may have `_` between its digits, and k, M or G after them.
    #[arg(value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) count: u64,

    /// Which grids.
    #[command(flatten)]
    settings: Settings<Self>,

    /// Check each grid before it is written: each digit once in every row, column and box.
    ///
    /// This is read from the 81 characters that are about to be written, and costs about 15 ns a grid. The
    /// first grid that fails ends the command with exit status 2 and no output.
    #[arg(long)]
    pub(crate) verify: bool,

    /// The part of them.
    #[command(flatten)]
    pub(crate) slice: SliceOptions,

    /// The format of the grids, and where they go.
    #[command(flatten)]
    pub(crate) made: MadeOptions,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch generate 10M -o grids.txt
      Ten million grids, 82 bytes each: grid i starts at byte 82 i.
  sudoku-batch generate 5 --seed 7 --format grid
      Five grids of another order, as nine lines each.
  sudoku-batch generate 1M --uniform -o samples.txt
      A million independent samples of all grids there are.
  sudoku-batch generate 1G --shard 2/4 -o part2.txt
      The second quarter of a billion, on the second of four machines.
  sudoku-batch generate 10M -o grids.csv.zst
      A compressed table with the columns index and grid.
  sudoku-batch generate 1k --student 2018301780 --format grid -o sudoku.txt
      A course project's grids: 9 comes first.
  sudoku-batch generate 3 --start 1M | sudoku-batch rank
      Back from grids to numbers: 1000000 to 1000002.

Exit status:
  0  all went well, or the reader of the output stopped reading (| head)
  2  wrong usage, or a file that cannot be written";

/// The settings of grids are those of the definition.
impl Defined for Generate {
    type Typed = GenerateSettings;
}

impl Generate {
    /// The grids that are asked for.
    pub(crate) fn set(&self) -> Box<dyn MadeSet> {
        self.settings.typed().set()
    }

    /// The positions that are asked for, of so many.
    pub(crate) fn range(&self, capacity: u64) -> anyhow::Result<Range<u64>> {
        self.slice.part(self.count, capacity)
    }
}

/// How many grids a thread makes at a time: about as much text as fits into
/// its second-level cache.
pub(super) const AT_ONCE: u64 = 4096;

/// Makes grids.
pub(crate) fn run(options: &Generate, files: &Files) -> anyhow::Result<ExitCode> {
    let set = options.set();
    let made = MadeRecords {
        noun: "grids",
        numbers: options.range(set.capacity())?,
        at_once: AT_ONCE,
    };
    let mut making = Making {
        noun: "grids",
        set: &*set,
        verify: options.verify,
        keeps_places: false,
        others: None,
    };
    options.made.run(files, (&mut making, &made), None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::generated::tests::{Change, Corrupting, fail};
    use sudoku_batch::{format::Form, questions::GENERATE};
    use sudoku_batch_test_support::cases;

    #[test]
    fn a_wrong_grid_is_named() {
        let seed = ("seed", "3");
        let sets = [vec![seed], vec![seed, ("uniform", "true")]];
        let changes: [(Change, _); 3] = [
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
        // A run makes this many at once. By default there are fewer, and each takes the same time.
        let at_once = (cases(410) as u64).min(AT_ONCE);
        for settings in sets {
            let made = GENERATE.with(settings).unwrap();
            for (change, what) in changes {
                let set = Corrupting {
                    set: &*made,
                    numbers: vec![2 * at_once + 809, 2 * at_once + 808, 3 * at_once + 2712],
                    change,
                };
                for threads in [1, 2, 8] {
                    for form in [Form::Line, Form::Csv, Form::Grid] {
                        let numbers = 5..4 * at_once + 3616;
                        let error = fail(&set, "grids", (numbers, at_once), threads, form);
                        let wrong = 2 * at_once + 808;
                        let place = format!(
                            "grid {wrong}, counted from 0: --verify found a wrong answer: "
                        );
                        let end = "; output files stay as they were";
                        assert_eq!(error, format!("{place}{what}{end}"));
                    }
                }
            }
        }
    }
}
