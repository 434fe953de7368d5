//! `sudoku-batch solve`.

mod rejects;

use super::{
    job::{self, Job, SHOWN},
    summary::Summary,
};
use crate::cli::solve::Solve;
use anyhow::bail;
use rejects::{Rejected, Rejects};
use std::process::ExitCode;
use sudoku_batch::{
    Batch, Engine, Level, Question, Solver,
    batch::Tally,
    format::{Records, line},
    grid::GridLine,
    pipeline::{input::Input, output::Output},
};

/// Solves a file.
pub(crate) fn run(options: &Solve) -> anyhow::Result<ExitCode> {
    let mut job = Job::start(&options.output)?;
    let mut input = job::open(&options.input)?;
    let output = job.create(&options.output.output)?;
    let rejects = options.rejects.as_deref();
    let rejects = rejects.map(|path| job.create(path)).transpose()?;
    if rejects
        .as_ref()
        .is_some_and(|file| file.clashes_with(&output))
    {
        bail!("--output and --rejects are the same file: both cannot go there");
    }
    let mut rejects = Rejects::new(rejects, input.name());
    let done = solve(options, &mut job, &mut input, &output, &mut rejects)?;
    job::deliver([input], rejects.into_file().into_iter().chain([output]))?;
    Ok(job.end(&summary(options, &done)))
}

fn summary(options: &Solve, (tally, engines): &(Tally, Vec<Engine>)) -> Summary {
    let failed = tally.records - tally.solved();
    let engines: Vec<_> = engines.iter().map(|engine| engine.name()).collect();
    Summary {
        total: ("records", tally.records),
        among_first: vec![("several", tally.several)],
        counts: std::iter::once(("solved", tally.solved()))
            .chain(tally.rejected())
            .collect(),
        unit: "puzzles",
        facts: vec![
            ("engine", engines.join("+")),
            ("level", solver(options).level().name().into()),
        ],
        failed,
        failure: if failed > SHOWN as u64 && options.rejects.is_none() {
            "not solved; --rejects FILE lists them all"
        } else {
            "not solved"
        },
    }
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
    lines: u64,
    tally: Tally,
    engine: Engine,
    rejected: Rejected,
}

/// Solves all records and writes all lines; gives the counts and the engines
/// that were used.
fn solve(
    options: &Solve,
    job: &mut Job,
    input: &mut Input,
    output: &Output,
    rejects: &mut Rejects,
) -> anyhow::Result<(Tally, Vec<Engine>)> {
    let question = if options.unique {
        Question::Unique
    } else {
        Question::Solution
    };
    let kept = rejects.kept();
    let (mut total, mut lines) = (Tally::default(), 0);
    let mut engines = Vec::new();
    job.begin("records", input.size());
    job.run(
        input.chunks(),
        output,
        || (Records::default(), Batch::new(solver(options))),
        |(records, batch), mut chunk, out| {
            records.clear();
            line::read(chunk.bytes(), records);
            let out = out.exactly(records.len() * size_of::<GridLine>());
            let answers = batch.solve(records, question, out.as_chunks_mut().0);
            let (tally, rejects) = (answers.tally(), answers.rejects());
            Done {
                bytes: chunk.len() as u64,
                lines: records.lines(),
                tally,
                rejected: Rejected::of(records, rejects.iter().take(kept)),
                engine: batch.solver().engine_for(records.len()),
            }
        },
        |report, done: Done| {
            rejects.tell(&done.rejected, lines, report)?;
            lines += done.lines;
            total += done.tally;
            if !engines.contains(&done.engine) {
                engines.push(done.engine);
            }
            report.advance(done.bytes, done.tally.records);
            Ok(())
        },
    )?;
    Ok((total, engines))
}
