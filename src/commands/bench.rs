//! `sudoku-batch bench`.

mod corpus;
mod figures;
mod machine;
mod measure;
mod table;

use crate::cli::bench::Bench;
use corpus::Corpus;
use figures::Figures;
use indicatif::HumanCount;
use machine::{Machine, cores};
use std::{
    io::{self, Write},
    process::ExitCode,
};
use table::Table;

/// Measures, checks and prints.
pub(crate) fn run(options: &Bench) -> anyhow::Result<ExitCode> {
    let machine = Machine::here();
    let corpora = Corpus::all(options)?;
    let mut figures = Vec::new();
    for corpus in &corpora {
        figures.extend(measure::solving(corpus, options)?);
    }
    print(options, &machine, &corpora, &figures)?;
    Ok(ExitCode::SUCCESS)
}

/// The numbers of threads that are compared.
fn threads(options: &Bench) -> Vec<usize> {
    if options.threads.is_empty() {
        let mut threads = vec![1, cores()];
        threads.dedup();
        return threads;
    }
    options
        .threads
        .iter()
        .map(|&number| number as usize)
        .collect()
}

fn print(
    options: &Bench,
    machine: &Machine,
    corpora: &[Corpus],
    figures: &[Figures],
) -> anyhow::Result<()> {
    let mut text = String::new();
    if options.json {
        for figures in figures {
            text += &figures.json(machine);
            text += "\n";
        }
    } else {
        text += &format!("{}\n\n{}", heading(options, machine), Table::of(figures));
        text += &remarks(corpora);
    }
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// What is true of all figures.
fn heading(options: &Bench, machine: &Machine) -> String {
    let limit = match options.limit.get() {
        1 => "first solution".into(),
        limit => format!("up to {limit} solutions"),
    };
    let plural = if options.rounds == 1 { "" } else { "s" };
    format!(
        "{}\n{limit}; best and median of {} round{plural} after one to warm up",
        machine.line(),
        options.rounds
    )
}

/// What must be known of the puzzles.
fn remarks(corpora: &[Corpus]) -> String {
    let repeated = corpora.iter().filter(|corpus| corpus.is_repeated());
    let remark = |corpus: &Corpus| {
        format!(
            "\n{}: {} puzzles, repeated to {}",
            corpus.name,
            HumanCount(corpus.puzzles.len() as u64),
            HumanCount(corpus.count() as u64),
        )
    };
    let remarks: String = repeated.map(remark).collect();
    let end = if remarks.is_empty() { "" } else { "\n" };
    remarks + end
}
