//! `sudoku-batch solve`.

mod rejects;

use super::{complaints::SHOWN, files, interrupt, progress::Progress, summary::Summary};
use crate::cli::solve::Solve;
use anyhow::bail;
use indicatif::HumanCount;
use rejects::{Rejected, Rejects};
use std::process::ExitCode;
use sudoku_batch::{
    Batch, Engine, Level, Question, Reason, Solver,
    batch::Tally,
    grid::GridLine,
    pipeline::{self, input::Input, output::Output},
};

/// Solves a file.
pub(crate) fn run(options: &Solve) -> anyhow::Result<ExitCode> {
    interrupt::handle()?;
    let mut input = files::open(&options.input)?;
    let output = files::create(&options.output.output)?;
    let rejects = match &options.rejects {
        Some(path) => Some(files::create(path)?),
        None => None,
    };
    if rejects
        .as_ref()
        .is_some_and(|file| file.clashes_with(&output))
    {
        bail!("--output and --rejects are the same file: both cannot go there");
    }
    let threads = files::threads(options.output.threads)?;
    let bar = !options.output.quiet
        && !options.output.no_progress
        && !files::is_terminal(&options.output.output);
    let mut progress = Progress::new(bar, input.size(), "records");
    let mut rejects = Rejects::new(options, rejects);

    let done = solve(
        options,
        &mut input,
        &output,
        &threads,
        &mut progress,
        &mut rejects,
    );
    progress.finish();
    let (tally, engines) = done?;
    rejects.commit()?;
    files::commit(output, &options.output.output)?;

    let failed = tally.records - tally.solved();
    if failed > 0 && !options.output.quiet {
        let hint = if failed > SHOWN as u64 && options.rejects.is_none() {
            "; --rejects FILE lists them all"
        } else {
            ""
        };
        super::say(format_args!(
            "sudoku-batch: {} of {} records not solved{hint}",
            HumanCount(failed),
            HumanCount(tally.records),
        ));
    }
    let engines: Vec<_> = engines.iter().map(|engine| engine.name()).collect();
    Summary {
        total: ("records", tally.records),
        among_first: vec![("several", tally.several)],
        counts: std::iter::once(("solved", tally.solved()))
            .chain(Reason::NAMES.into_iter().zip(tally.rejected))
            .collect(),
        unit: "puzzles",
        elapsed: progress.elapsed(),
        threads: threads.current_num_threads(),
        facts: vec![
            ("engine", engines.join("+")),
            ("level", solver(options).level().name().into()),
        ],
    }
    .print(options.output.summary_format());
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// The solver that the options ask for.
fn solver(options: &Solve) -> Solver {
    let level = options.level.unwrap_or_else(Level::detect);
    let solver = Solver::with_level(level).expect("the level was checked with the flags");
    match options.engine.0 {
        Some(engine) => solver.with_engine(engine),
        None => solver,
    }
}

/// What is known of a chunk when it is solved.
struct Done {
    bytes: u64,
    tally: Tally,
    engine: Engine,
    rejected: Rejected,
}

/// Solves all records and writes all lines; gives the counts and the engines
/// that were used.
fn solve(
    options: &Solve,
    input: &mut Input,
    output: &Output,
    threads: &rayon::ThreadPool,
    progress: &mut Progress,
    rejects: &mut Rejects<'_>,
) -> anyhow::Result<(Tally, Vec<Engine>)> {
    let question = if options.unique {
        Question::Unique
    } else {
        Question::Solution
    };
    let kept = rejects.kept();
    let mut total = Tally::default();
    let mut engines = Vec::new();
    pipeline::run(
        threads,
        input.chunks(),
        output,
        || Batch::new(solver(options)),
        |batch, chunk, out| {
            let records = batch.read(&chunk);
            let count = records.count();
            let out = out.exactly(count * size_of::<GridLine>());
            let mut rejected = Rejected::default();
            let tally = records.solve(question, out.as_chunks_mut().0, |reject| {
                if rejected.len() < kept {
                    rejected.push(reject);
                }
            });
            Done {
                bytes: chunk.len() as u64,
                tally,
                engine: batch.solver().engine_for(count),
                rejected,
            }
        },
        |done: Done| {
            rejects.tell(&done.rejected, total.lines, progress)?;
            total += done.tally;
            if !engines.contains(&done.engine) {
                engines.push(done.engine);
            }
            progress.advance(done.bytes, done.tally.records);
            anyhow::Ok(())
        },
    )
    .map_err(|error| files::with_names(error, &options.input, &options.output.output))?;
    Ok((total, engines))
}
