//! `sudoku-batch psp`: the arguments of a course project, as those of other commands.

use super::{Command, Program, usage_error};
use crate::driver::{
    Files, InputFile, OutputFile,
    options::help,
    report,
    settings::{Defined, Settings},
};
use clap::error::ErrorKind;
use std::{ffi::OsString, fs::File, io::Read, path::Path, process::ExitCode};
use sudoku_batch::{Grid, Puzzle, grid::CELLS, questions::RankSettings};

/// Behave like sudoku.exe of the course project "PSP" (-c, -s, -n).
///
/// Grids are nine lines of nine digits with a space between, and a blank line between grids. The file
/// appears whole or not at all, in the place of any that was there. If psp cannot have written that one, a message
/// says so.
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = help(EXAMPLES, "some puzzles are not solved"),
    override_usage = "sudoku-batch psp [--out FILE] -c N [--student ID]\n       \
        sudoku-batch psp [--out FILE] -s PATH\n       \
        sudoku-batch psp [--out FILE] -n N [-m 1|2|3] [-r L~U] [-u]",
)]
pub(crate) struct Psp {
    /// Make this number of solved grids, all different: 1 to 1000000.
    #[arg(short = 'c', value_name = "N", num_args = 0..=1, default_missing_value = "", allow_hyphen_values = true)]
    create: Option<String>,

    /// Solve the puzzles of a file, one solution each.
    ///
    /// A puzzle is nine lines of nine cells, with or without spaces between them; 0 or $ is a blank. A
    /// blank line ends a puzzle. Lines that start with # are left out.
    #[arg(short = 's', value_name = "PATH", num_args = 0..=1,
          conflicts_with_all = ["seed", "in_order", "first_digit", "student"])]
    solve: Option<Option<InputFile>>,

    /// Output file. The file of -s is replaced only if --out names it.
    #[arg(long, value_name = "FILE", default_value = "sudoku.txt")]
    out: OutputFile,

    /// With -s: write each puzzle that is not solved to this file, as `solve` does.
    #[arg(long, value_name = "FILE", requires = "solve")]
    rejects: Option<OutputFile>,

    /// Check each grid, solution or puzzle before it is written, as `generate`, `solve` and `puzzles`
    /// do.
    #[arg(long)]
    verify: bool,

    /// Which grids -c makes, and -n makes puzzles from.
    #[command(flatten)]
    sequence: Settings<Self>,

    /// Make this number of puzzles: 1 to 10000.
    ///
    /// Without -m, -r or -u they are of the easy kind.
    #[arg(short = 'n', value_name = "N", num_args = 0..=1, default_missing_value = "", allow_hyphen_values = true)]
    puzzles: Option<String>,

    /// With -n: 1 is easy, 2 medium, 3 hard.
    ///
    /// They have 33 to 35, 36 to 38 or 39 to 41 blanks and one solution, and naked singles solve them.
    #[arg(short = 'm', value_name = "1|2|3", num_args = 0..=1, default_missing_value = "", allow_hyphen_values = true)]
    mode: Option<String>,

    /// With -n: L to U blanks, both from 20 to 55.
    ///
    /// Without -u a puzzle may have several solutions.
    #[arg(short = 'r', value_name = "L~U", num_args = 0..=1, default_missing_value = "", allow_hyphen_values = true)]
    range: Option<String>,

    /// With -n: one solution only. Without -r: 20 to 55 blanks.
    #[arg(short = 'u')]
    unique: bool,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch psp -c 1000000
      A million grids to sudoku.txt.
  sudoku-batch psp -c 20 --student 2018301780
      With the first digit that belongs to a student: 9.
  sudoku-batch psp -s puzzles.txt --out solved.txt
      The solutions of a file of puzzles.
  sudoku-batch psp -n 1000 -m 2
      A thousand puzzles of medium difficulty.
  sudoku-batch psp -n 20 -r 40~50 -u
      With 40 to 50 blanks and one solution each.

A puzzle without a solution, or a malformed one, gives nine lines of dots, so that solutions line up
with puzzles. Standard error reports its line and what is wrong.";

/// The settings of a sequence of grids are those of the question that numbers them.
impl Defined for Psp {
    type Typed = RankSettings;
}

impl Psp {
    pub(crate) fn run(self, files: &Files) -> anyhow::Result<ExitCode> {
        let mut program = match self.arguments() {
            Err(error) => return report::print_clap(&error),
            Ok(arguments) => Program::parse(arguments)?,
        };
        if let Command::Question(solving) = &mut program.command {
            solving.wants_records();
        }
        // A file in the folder of the user may be of another program.
        let replaces_other = files.is_usual_output(&self.out) && is_of_others(&self.out);
        let status = program.run_command()?;
        if replaces_other {
            let path = self.out.display();
            report::say(format_args!(
                "sudoku-batch: {path} was there, and is no file that psp writes: it is replaced (--out FILE names \
                 another file)"
            ));
        }
        Ok(status)
    }

    /// The command that makes or solves what is asked for, with its arguments.
    pub(super) fn arguments(&self) -> Result<Vec<OsString>, clap::Error> {
        self.check()?;
        let wanted = match (&self.create, &self.puzzles, &self.solve) {
            (Some(number), ..) => format!("generate {}", count("-c", number, 1_000_000)?),
            (_, Some(number), _) => {
                let count = count("-n", number, 10_000)?;
                format!("puzzles {count} --sequence {}", self.kind()?)
            }
            (.., Some(Some(_))) => "solve --input-format=block".into(),
            (.., Some(None)) => {
                let message = "-s wants the path of a file";
                return Err(usage(ErrorKind::InvalidValue, message));
            }
            _ => return Err(missing("-c N, -s PATH or -n N is wanted")),
        };
        let sequence = self.sequence.given();
        let sequence = sequence.map(|(name, text)| match text {
            "true" => format!("--{name} "),
            text => format!("--{name}={text} "),
        });
        let sequence: String = sequence.collect();
        let verify = if self.verify { "--verify" } else { "" };
        let line =
            format!("psp {wanted} {sequence} {verify} --format=grid --no-progress --summary=none");
        let outputs = [
            ("--output=", Some(&self.out)),
            ("--rejects=", self.rejects.as_ref()),
        ];
        let outputs = outputs.into_iter().filter_map(|(option, path)| {
            let mut output = OsString::from(option);
            output.push(path?.as_os_str());
            Some(output)
        });
        let words = line.split_ascii_whitespace().map(OsString::from);
        let path = self.solve.iter().flatten();
        let path = path.flat_map(|path| ["--".into(), path.as_os_str().to_owned()]);
        Ok(words.chain(outputs).chain(path).collect())
    }

    /// Checks that the arguments fit together.
    fn check(&self) -> Result<(), clap::Error> {
        let tasks = [
            ("-c", self.create.is_some()),
            ("-s", self.solve.is_some()),
            ("-n", self.puzzles.is_some()),
        ];
        let mut tasks = tasks.iter().filter(|flag| flag.1);
        if let (Some((first, _)), Some((second, _))) = (tasks.next(), tasks.next()) {
            return Err(conflict(first, second));
        }
        let kinds = [
            ("-m", self.mode.is_some()),
            ("-r", self.range.is_some()),
            ("-u", self.unique),
        ];
        match kinds.iter().find(|flag| flag.1) {
            Some((flag, _)) if self.puzzles.is_none() => {
                Err(missing(format!("{flag} goes with -n N")))
            }
            _ => Ok(()),
        }
    }

    /// The arguments of `puzzles` for -m, -r and -u.
    fn kind(&self) -> Result<String, clap::Error> {
        let invalid = |message| Err(usage(ErrorKind::ValueValidation, message));
        let naked = |blanks| Ok(format!("--blanks={blanks} --solved-by=naked-singles"));
        let many = if self.unique { "" } else { "--not-unique" };
        match (self.mode.as_deref(), self.range.as_deref()) {
            (Some(_), Some(_)) => Err(conflict("-m", "-r")),
            (Some(_), None) if self.unique => Err(conflict("-m", "-u")),
            (None, None) if self.unique => Ok("--blanks=20..55".into()),
            (None | Some("1"), None) => naked("33..35"),
            (Some("2"), None) => naked("36..38"),
            (Some("3"), None) => naked("39..41"),
            (Some(mode), None) => invalid(format!("-m wants 1, 2 or 3, not '{mode}'")),
            (None, Some(range)) => match range
                .split_once('~')
                .map(|(l, u)| (l.parse::<u8>(), u.parse::<u8>()))
            {
                Some((Ok(l @ 20..=55), Ok(u @ 20..=55))) if l <= u => {
                    Ok(format!("--blanks={l}..{u} {many}"))
                }
                _ => invalid(format!(
                    "-r wants L~U with 20 <= L <= U <= 55, not '{range}'"
                )),
            },
        }
    }
}

/// The number of bytes of a grid, with the blank line after it.
const GRID: usize = 9 * 18 + 1;

/// Returns true if there is a file that this command cannot have written: it has something else than grids, puzzles
/// with as many blanks as the command makes, and dots, or it does not end with a whole one. A file without bytes
/// holds nothing that can be lost.
fn is_of_others(path: &Path) -> bool {
    /// A file of a million grids has 163 MB.
    const LOOKED_AT: u64 = 400 * GRID as u64;
    // To open a named pipe would wait for its writer.
    let size = path.metadata().ok().filter(|about| about.is_file());
    let size = size.map_or(0, |about| about.len());
    let mut head = Vec::new();
    size > 0
        && File::open(path).is_ok_and(|file| file.take(LOOKED_AT).read_to_end(&mut head).is_ok())
        && (!(size + 1).is_multiple_of(GRID as u64) || !head.chunks(GRID).all(is_written_by_psp))
}

/// Returns true if the text is nine lines that this command may have written, with a blank line after them or the end
/// of the file.
fn is_written_by_psp(text: &[u8]) -> bool {
    let (pairs, end) = text.as_chunks::<2>();
    let is_separated =
        |(place, pair): (usize, &[u8; 2])| pair[1] == if place % 9 == 8 { b'\n' } else { b' ' };
    let cells: Vec<u8> = pairs.iter().map(|pair| pair[0]).collect();
    let Some(cells) = cells.as_array::<CELLS>() else {
        return false;
    };
    let blanks = cells.iter().filter(|&&cell| cell == b'0').count();
    let is_puzzle = || {
        let puzzle = Puzzle::from_digits(&cells.map(|cell| cell.wrapping_sub(b'0')));
        (20..=55).contains(&blanks) && puzzle.is_ok_and(|puzzle| puzzle.conflict().is_none())
    };
    let is_grid = || Grid::from_ascii(cells).is_ok_and(|grid| grid.is_valid());
    matches!(end, b"" | b"\n")
        && pairs.iter().enumerate().all(is_separated)
        && (is_grid() || is_puzzle() || cells.iter().all(|&cell| cell == b'.'))
}

/// The number of an option, from 1 to a limit.
fn count(flag: &str, number: &str, most: u32) -> Result<u32, clap::Error> {
    let count = number.parse().ok();
    count
        .filter(|count| (1..=most).contains(count))
        .ok_or_else(|| {
            let message = format!("{flag} wants a number from 1 to {most}, not '{number}'");
            usage(ErrorKind::ValueValidation, message)
        })
}

fn conflict(one: &str, other: &str) -> clap::Error {
    let message = format!("{one} and {other} cannot be used together");
    usage(ErrorKind::ArgumentConflict, message)
}

fn missing(message: impl Into<String>) -> clap::Error {
    usage(ErrorKind::MissingRequiredArgument, message)
}

fn usage(kind: ErrorKind, message: impl Into<String>) -> clap::Error {
    usage_error("psp", kind, message.into())
}
