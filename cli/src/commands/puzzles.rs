//! `sudoku-batch puzzles`.

mod given;
mod others;

use super::generated::{MadeOptions, Making, SliceOptions, at_least_one};
use crate::driver::{
    Files, InputFile, MadeRecords,
    options::{FormOptions, blank, help},
    settings::{Defined, Settings},
};
use crate::sets::{dedup::status_after, prompts::PromptOptions};
use anyhow::bail;
use others::OtherOptions;
use std::{ops::Range, process::ExitCode};
use sudoku_batch::{
    format::Form,
    questions::{MadeSet, PuzzleSet, PuzzlesSettings, SettingError},
    technique::Rating,
};

/// Make puzzles with exactly one solution.
///
/// Clues are taken away from a solved grid in random order, as long as one solution remains. Without
/// options the puzzles are minimal. A number of --clues or --blanks, a --difficulty, a --rating and a
/// --symmetry go together freely.
///
/// Puzzle number i is made from the seed, the options and i alone. So any machine can make any part of a
/// set, and the output is the same for any number of threads. Each level of a seed (--difficulty, --rating, --hardest)
/// draws grids of its own, so two levels share no solution.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(EXAMPLES, "some puzzles could not be made, or some records of --against are malformed or have not one solution"))]
pub(crate) struct Puzzles {
    /// How many, such as 500, 10k or 2M.
    ///
    /// Any number of the command may have `_` between its digits, and k, M or G after them.
    #[arg(value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) count: u64,

    /// The wishes, and the grids.
    #[command(flatten)]
    settings: Settings<Self>,

    /// Make puzzle i from grid i of a file, counted from 0; `-` is standard input.
    ///
    /// The file has grids in any format that solve reads: lines, tables, JSON lines, blocks, compressed
    /// or not. --input-format and --puzzle-column say which, if detection fails.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sequence", "in_order", "first_digit", "student"])]
    pub(crate) from: Option<InputFile>,

    /// The format of that file.
    #[command(flatten)]
    pub(crate) form: FormOptions,

    #[command(flatten)]
    others: OtherOptions,

    /// Check each puzzle before it is written.
    ///
    /// It is solved again by the other engine. It must have one solution (without --not-unique), the one that is
    /// written with it, and the number of clues and the symmetry that were asked for. This costs 1 to 3 µs a puzzle.
    /// The first puzzle that fails ends the command with exit status 2 and no output. `check --minimal` shows
    /// whether a puzzle is minimal.
    #[arg(long)]
    pub(crate) verify: bool,

    /// Write a line of 81 dots for a puzzle that could not be made, so that line i is puzzle i. Only for
    /// the format line.
    #[arg(long)]
    pub(crate) keep_place: bool,

    #[command(flatten)]
    pub(crate) prompts: PromptOptions,

    /// Write blanks as `0` or as `.` [default: `.`; the format grid has 0].
    #[arg(long, value_name = "0|.", value_parser = blank())]
    pub(crate) blank: Option<u8>,

    /// The part of them.
    #[command(flatten)]
    pub(crate) slice: SliceOptions,

    /// The format of the puzzles, and where they go.
    #[command(flatten)]
    pub(crate) made: MadeOptions,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch puzzles 1M -o puzzles.txt
      A million minimal puzzles, one on each line.
  sudoku-batch puzzles 100 --blanks 45..50 -o puzzles.csv
      With 45 to 50 blanks; the columns are index, puzzle, solution and clues.
  sudoku-batch puzzles 12 --difficulty medium --symmetry rotate180 --format grid
      For a book: nine lines each, and a pattern that looks the same upside down.
  sudoku-batch puzzles 100 --rating 9.0..9.4 --format csv
      Hard ones: each takes a second or more.
  sudoku-batch puzzles 100 --clues 27 --clues-per-box 3
      Three clues in each box.
  sudoku-batch puzzles 10k --minimal --clues 20..22
      Minimal puzzles with few clues.
  sudoku-batch puzzles 5k --guesses 100..
      Minimal puzzles that are hard for programs.
  sudoku-batch puzzles 1000 --blanks 36..38 --solved-by naked-singles
      For a first program.
  sudoku-batch puzzles 100 --rating 2.0..2.8 --format csv
      No step is harder than claiming, and some step is not much easier.
  sudoku-batch puzzles 100 --difficulty medium --columns puzzle,er,solution -o book.csv
      Only these columns, in this order.
  sudoku-batch puzzles 20 --hardest XY-chain --format csv
      The hardest step of each is an XY-chain.
  sudoku-batch puzzles 1000 --first-hard X-wing --format csv
      The first step above singles is an X-wing.
  sudoku-batch puzzles 10k --contains swordfish --relatives 20 -o swordfish.csv
      Each puzzle with a swordfish is followed by twenty puzzles near it that have one too.
  sudoku-batch puzzles 100 --only hidden-single,pointing --contains pointing
      Hidden singles and pointing solve them, and pointing is needed.
  sudoku-batch puzzles 10k --clues 30 --template prompt.txt -o prompts.jsonl
      For a language model: the key prompt has the text of prompt.txt, with {grid} and the like filled in.
  sudoku-batch puzzles 50 --pattern heart.txt --difficulty hard
      Clues exactly where heart.txt has an X: nine lines of X and . or one line of 81.
  sudoku-batch puzzles 100k --unbiased -o unbiased.csv
      Minimal puzzles with weights. Then stats --weight-column weight gives means
      of all minimal puzzles, and their number.
  sudoku-batch puzzles 1G --shard 2/4 -o part2.txt
      The second quarter of a billion, on the second of four machines.
  sudoku-batch generate 1k --seed 5 | sudoku-batch puzzles 1k --from -
      From your own grids.
  sudoku-batch puzzles 200 --difficulty hard --against book-*.txt -o new.txt
      None is a symmetric copy of a puzzle in the earlier books.

Difficulties:
  easy     ER up to 1.5   28 to 32 clues
  medium   1.7 to 2.5     22 to 32 clues, mostly 24 to 26
  hard     2.6 to 3.4     the same
  expert   3.6 to 4.4     the same
  extreme  above 4.4      the same
With --clues, --blanks or --minimal these decide about the clues.

200 grids are tried for a puzzle. If none of them leads to what is wanted, the puzzle is left out, or
with --keep-place a line of 81 dots stands for it. Standard error says how many puzzles could not be
made. For a pattern 32 grids are filled in, and the clues of each are changed in up to 4,000 steps.
For a rating from 9.0 up, one clue of a minimal puzzle is changed again and again, in 40 climbs at
most. From 9.5 up and for --te 2.. two clues are, in 10 climbs at most for eight puzzles in a row:
they are near relatives, but no symmetric copies. The summary shows the nearest that was seen.
Puzzles with 20 clues or fewer are mostly out of reach; 3.2, 3.6, 3.8 and 4.0 alone are sometimes.";

/// The settings of puzzles are those of the definition.
impl Defined for Puzzles {
    type Typed = PuzzlesSettings;
}

impl Puzzles {
    /// The puzzles that are asked for.
    pub(crate) fn set(&self) -> Result<PuzzleSet, SettingError> {
        self.settings.typed().set()
    }

    /// How many of this number of puzzles a thread makes at a time.
    ///
    /// Puzzles of a rating are made in many rounds, and the last rounds have few puzzles. 32,768 at
    /// once take 20 to 40 % less time each than 8192, and 65,536 take as long. A rating above 4.4
    /// takes longer than all rounds, so there the first puzzles should come soon.
    fn at_once(&self, count: u64) -> u64 {
        let settings = self.settings.typed();
        let rating = settings.rating.as_ref().map(|rating| *rating.end());
        let PuzzlesSettings {
            hardest,
            contains,
            first_hard,
            only,
            ..
        } = settings;
        let path = [hardest, contains, first_hard, only];
        let technique = path.into_iter().filter_map(|set| set.most()).max();
        // A puzzle of a pattern takes milliseconds, and 512 at once take half as long each as 128.
        if settings.pattern.is_some() {
            return count.div_ceil(4).clamp(128, 512);
        }
        let (least, most) = match rating.max(technique) {
            Some(most) if most > Rating::IN_PLANES => (1024, 4096),
            // With more families at a time, lanes are full for longer.
            _ if settings.relatives > 0 => (16_384, 65_536),
            None if settings.difficulty.is_none() => (8192, 8192),
            _ => (8192, 32_768),
        };
        // A fourth of them leaves work for four threads.
        count.div_ceil(4).clamp(least, most)
    }

    /// The numbers of all puzzles, and of those that are made here.
    pub(crate) fn ranges(&self, capacity: u64) -> anyhow::Result<[Range<u64>; 2]> {
        let whole = self.slice.whole(self.count, capacity)?;
        let part = self.slice.part(self.count, capacity)?;
        Ok([whole, part])
    }
}

/// Makes puzzles.
pub(crate) fn run(options: &Puzzles, files: &Files) -> anyhow::Result<ExitCode> {
    let mut set = options.set()?;
    let made_options = &options.made;
    let form = made_options.form();
    if options.keep_place && form != Form::Line {
        bail!("--keep-place has no effect: only the format line has a place for each puzzle");
    }
    if options.from.is_none()
        && (options.form.column.is_some() || options.form.input_format.0.is_some())
    {
        bail!("--puzzle-column and --input-format have no effect without --from");
    }
    let [whole, numbers] = options.ranges(match options.from {
        Some(_) => u64::MAX,
        None => set.capacity(),
    })?;
    let run = (files, &made_options.run);
    let compared;
    (set, compared) = options.others.leave_out(set, options.from.as_ref(), run)?;
    if let Some(path) = &options.from {
        let quiet = made_options.run.quiet;
        set = set.with_grids(given::read(path, &options.form, &whole, &numbers, quiet)?)?;
    }
    if let Some(blank) = options.blank {
        set = set.with_blank(blank);
    }
    let prompts = options.prompts.read()?;
    let shows = |name: &str| {
        let mut columns = made_options.columns.columns.iter();
        prompts.shows(name)
            || columns.any(|column| column == name || column.ends_with(&format!("={name}")))
    };
    if ["rating", "er", "technique"].into_iter().any(shows) {
        set = set.with_ratings();
    }
    let made = MadeRecords {
        noun: "puzzles",
        at_once: match set.climbs_for() {
            Some(together) => together,
            None => {
                let at_once = options.at_once(numbers.end - numbers.start);
                at_once.next_multiple_of(set.together() as u64)
            }
        },
        numbers,
    };
    let mut making = Making {
        noun: "puzzles",
        set: &set,
        verify: options.verify,
        keeps_places: options.keep_place,
        others: compared.map(|compared| compared.records),
    };
    let status = prompts.run(&mut making, |making| {
        made_options.run(files, (making, &made), options.blank)
    })?;
    let have_failed = compared.is_some_and(|compared| compared.have_failed);
    Ok(status_after(have_failed, status))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{
        generated::tests::{Change, Corrupting, fail},
        tests::{exchange, remove_a_clue},
    };
    use sudoku_batch::{generate::Grids, puzzle::Symmetry};
    use sudoku_batch_test_support::cases;

    /// The puzzles of grids of seed 3.
    fn set(settings: &PuzzlesSettings) -> PuzzleSet {
        let settings = PuzzlesSettings {
            seed: 3,
            ..settings.clone()
        };
        let set = settings.set().unwrap();
        set.with_grids(Grids::uniform(3)).unwrap()
    }

    /// How many puzzles are made at once: 8192 as in a run, or fewer by default, which are made as quickly each.
    fn at_once() -> u64 {
        cases(820).min(8192) as u64
    }

    /// Checks that changed puzzles are named, with what is wrong.
    fn check(settings: &PuzzlesSettings, change: Change, what: &str) {
        let set = set(settings);
        let set = Corrupting {
            set: &set,
            numbers: vec![at_once() + 108, at_once() + 58, 2 * at_once() + 116],
            change,
        };
        for threads in [1, 2, 8] {
            for form in [Form::Line, Form::Csv] {
                let numbers = 5..2 * at_once() + 216;
                let error = fail(&set, "puzzles", (numbers, at_once()), threads, form);
                let wrong = at_once() + 58;
                let place =
                    format!("puzzle {wrong}, counted from 0: --verify found a wrong answer: ");
                let end = "; output files stay as they were";
                assert_eq!(error, format!("{place}{what}{end}"));
            }
        }
    }

    #[test]
    fn a_wrong_puzzle_is_named() {
        let not_unique = "by the other engine it has not one solution, or another one";
        let other_clues = "its clues are not those that were asked for";
        let minimal = PuzzlesSettings::default();
        check(&minimal, remove_a_clue, not_unique);
        let clues = PuzzlesSettings {
            clues: Some(30..=30),
            ..PuzzlesSettings::default()
        };
        check(&clues, remove_a_clue, other_clues);
        let several = PuzzlesSettings {
            unique: false,
            ..clues.clone()
        };
        check(&several, remove_a_clue, other_clues);
        // Any puzzle has all digits but one: two of them change places, and so does the solution.
        let rename: Change = |line| exchange(line, b'1', b'2');
        for wanted in [&minimal, &clues, &several] {
            let wrong = at_once() + 58;
            let mut puzzles = set(wanted).iter(wrong..wrong + 1);
            let (puzzle, _) = puzzles.next().flatten().unwrap();
            let is_changed = |&cell: &u8| matches!(cell, b'1' | b'2');
            let first = puzzle.as_ascii().iter().position(is_changed).unwrap();
            let clue = match puzzle.as_ascii()[first] {
                b'1' => 2,
                _ => 1,
            };
            let what = format!(
                "r{}c{} is not the clue {clue}",
                first / 9 + 1,
                first % 9 + 1
            );
            check(wanted, rename, &what);
        }
        let symmetric = PuzzlesSettings {
            symmetry: Symmetry::Rotate180,
            ..minimal
        };
        check(&symmetric, remove_a_clue, other_clues);
    }
}
