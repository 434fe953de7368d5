//! `sudoku-batch solve`.

use crate::driver::{
    self, AddedColumns, Done, Files, Plan, RecordCommand, RecordOptions, SolutionColumn, Summary,
    Worker, added,
    engines::{AUTO, Choice, engine, level},
    options::help,
    report, status_column,
    verify::Check,
};
use clap::error::ErrorKind;
use std::{process::ExitCode, sync::Mutex};
use sudoku_batch::{
    Engine, Level, Question, Solver,
    format::{Form, Layout, Values},
    questions::{self, Counts},
};

/// Solve puzzles: lines, tables, JSON lines, blocks.
///
/// The command detects the form of the input, and the output has the same form. For a line it gives
/// a line of 81 digits, the solution, or 81 points if there is none. A table keeps its columns and
/// gets two more, solution and status. JSON lines get the same two as keys. Every record gets an
/// answer, in the order of the input.
///
/// A cell is a digit for a clue, or any of . 0 * _ - ? x X for a blank. docs/using.md shows every form.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records are not solved"))]
pub(crate) struct Solve {
    /// Count a puzzle as solved only if it has exactly one solution.
    #[arg(long)]
    unique: bool,

    /// Give up on puzzles that need more guesses than N.
    ///
    /// The reference search (docs/design.md) counts the guesses of every puzzle and answers it, so
    /// the same puzzles are given up at any level, with any engine and beside any neighbours. Such
    /// a record has the reason gave-up. An ordinary puzzle needs no more than a few dozen guesses.
    #[arg(long, value_name = "N")]
    max_guesses: Option<u64>,

    /// Solve with one engine.
    ///
    /// scalar solves one puzzle at a time. sliced solves hundreds at a time. auto uses sliced for
    /// all but the smallest inputs.
    #[arg(long, value_name = "NAME", default_value = AUTO, value_parser = engine())]
    engine: Choice,

    /// Run the sliced engine with this instruction set.
    ///
    /// The default is the best one that the CPU has. One that the CPU lacks is an error.
    #[arg(long = "simd", alias = "level", value_name = "NAME", value_parser = level())]
    level: Option<Level>,

    /// Check each record before it is written, by a method that shares no code with the solver.
    ///
    /// A solution must be a grid, and have the clues of its own record. This is read from the 81
    /// characters that are about to be written, and costs about 20 ns a record. A record without a
    /// solution is solved again by the other engine, which costs about 1 to 30 µs. The first record
    /// that fails ends the command with exit status 2 and no output.
    #[arg(long)]
    verify: bool,

    #[command(flatten)]
    solution: SolutionColumn,

    #[command(flatten)]
    added: AddedColumns,

    #[command(flatten)]
    pub(super) records: RecordOptions,

    /// The engines that solved batches.
    #[arg(skip)]
    engines: Mutex<Vec<Engine>>,
}

const NOTES: &str = "\
Examples:
  sudoku-batch solve puzzles.txt -o solved.txt
      Solve a file with all cores.
  sudoku-batch solve --unique puzzles.txt -o solved.txt --rejects bad.tsv
      Take only proper puzzles, and learn what is wrong with the others.
  sudoku-batch solve sudoku.csv -o solved.csv
      Solve a table: each row gets its solution and its status.
  sudoku-batch solve train.csv.gz --column question --replace -o train.csv.zst
      Name the column of the puzzles, and write into a column solution that is there.
  sudoku-batch solve -q < puzzles.txt | paste -d, puzzles.txt - > pairs.csv
      Work in a pipe: lines out match records in.
  sudoku-batch solve --max-guesses 10000 crawled.txt -o solved.txt
      Bound the time that a single record can take.
  sudoku-batch solve puzzles.txt -o /dev/null --summary json
      Only count.
  sudoku-batch solve 4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8
      One puzzle: an argument of 81 cells that names no file.

Reasons why a record is not solved:
  malformed          not 81 cells: the column, and what stood there
  row-duplicate      a digit twice in a row: the digit and the two cells
  column-duplicate   the same in a column
  box-duplicate      the same in a box
  no-solution        no grid fits the clues
  multiple           more than one does (only with --unique)
  gave-up            it needs more guesses than --max-guesses allows
Standard error reports the first ten with their line numbers, and then the number of all.

Do not write to an input file while it is read. If another program does, that is an error, and output
files stay as they were.";

impl Solve {
    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        if let (Some(Engine::Scalar), Some(_)) = (self.engine.0, self.level) {
            let message = "--simd has no effect on the scalar engine".into();
            let error = super::usage_error("solve", ErrorKind::ArgumentConflict, message);
            return report::print_clap(&error);
        }
        let (records, added) = (self.records.clone(), self.added.clone());
        driver::run(files, &mut self, &records.task().adding(&added))
    }

    fn question(&self) -> Question {
        match self.unique {
            true => Question::Unique,
            false => Question::Solution,
        }
    }

    fn level(&self) -> Level {
        self.level.unwrap_or_else(Level::detect)
    }
}

impl RecordCommand for Solve {
    fn plan(&mut self, _: &Layout, _: Form) -> anyhow::Result<Plan> {
        let columns = [
            added(&self.solution.solution_column, Values::Cells),
            status_column(&self.added.status_column),
        ];
        let check = Check::Solutions {
            question: self.question(),
            level: self.level(),
            engine: self.engine.0,
            max_guesses: self.max_guesses,
        };
        Ok(Plan::new(columns).verified(self.verify, check))
    }

    fn worker(&self) -> Worker<'_> {
        let solver = Solver::with_level(self.level()).expect("the level was checked by clap");
        let solver = match self.engine.0 {
            Some(engine) => solver.with_engine(engine),
            None => solver,
        };
        let mut question = match self.unique {
            true => questions::Solve::unique(solver),
            false => questions::Solve::new(solver),
        };
        if let Some(most) = self.max_guesses {
            question = question.with_max_guesses(most);
        }
        Box::new(move |batch, rows, counts| {
            if !batch.records.is_empty() {
                let engine = question.solver().engine_for(batch.records.len());
                let mut engines = self.engines.lock().expect("no thread panicked with it");
                if !engines.contains(&engine) {
                    engines.push(engine);
                }
            }
            let solved = question.ask(batch.records, rows.lines());
            rows.rejects(solved.rejects);
            if rows.wants_values() {
                for (record, status) in solved.statuses.iter().enumerate() {
                    rows.row(record).value(status.name());
                }
            }
            *counts += solved.counts;
            Ok(())
        })
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let multiple = if self.unique {
            0
        } else {
            counts.get("multiple")
        };
        let failed = done.records - counts.get("unique") - multiple;
        let mut engines = self.engines.lock().expect("no thread panicked with it");
        engines.sort_by_key(|engine| engine.name());
        let names: Vec<_> = engines.iter().map(|engine| engine.name()).collect();
        // The scalar engine has no level.
        let has_level = engines.contains(&Engine::Sliced);
        let or_null = |word: String| (!word.is_empty()).then_some(word);
        Summary::of_records(done, counts.clone())
            .per_second("puzzles")
            .fact("engine", or_null(names.join("+")))
            .fact("level", has_level.then(|| self.level().name()))
            .failed(failed, "not solved")
            .listed(done)
    }
}
