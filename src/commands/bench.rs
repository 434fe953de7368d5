//! `sudoku-batch bench`.

mod against;
mod corpus;
mod figures;
mod generator;
mod machine;
mod measure;
mod table;

use super::interrupt;
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
    interrupt::handle()?;
    let machine = Machine::here();
    let wanted = Wanted::by(options);
    let corpora = match wanted.solving || wanted.processes {
        true => Corpus::all(options)?,
        false => Vec::new(),
    };
    let mut solving = Vec::new();
    let mut generating = Vec::new();
    let mut processes = Vec::new();
    for corpus in corpora.iter().filter(|_| wanted.solving) {
        solving.extend(measure::solving(corpus, options)?);
    }
    if let Some(count) = options.generate {
        generating = generator::generating(count, options)?;
    }
    for corpus in corpora.iter().filter(|_| wanted.processes) {
        processes.extend(against::processes(corpus, options)?);
    }
    let sections = [
        Section::new("Solving, in memory", solving, &corpora),
        Section::new("Generating", generating, &[]),
        Section::new("Solving, whole processes", processes, &corpora),
    ];
    print(options, &machine, &sections)?;
    Ok(ExitCode::SUCCESS)
}

/// What is measured.
struct Wanted {
    solving: bool,
    processes: bool,
}

impl Wanted {
    fn by(options: &Bench) -> Self {
        let processes = !options.against.is_empty();
        Self {
            solving: !processes && options.generate.is_none(),
            processes,
        }
    }
}

/// Figures that make one table.
struct Section {
    title: &'static str,
    figures: Vec<Figures>,
    /// What must be known of the puzzles.
    remarks: Vec<String>,
}

impl Section {
    fn new(title: &'static str, figures: Vec<Figures>, corpora: &[Corpus]) -> Self {
        let repeated = corpora.iter().filter(|corpus| corpus.is_repeated());
        let remark = |corpus: &Corpus| {
            format!(
                "{}: {} puzzles, repeated to {}",
                corpus.name,
                HumanCount(corpus.puzzles.len() as u64),
                HumanCount(corpus.count() as u64),
            )
        };
        Self {
            title,
            figures,
            remarks: repeated.map(remark).collect(),
        }
    }
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

fn print(options: &Bench, machine: &Machine, sections: &[Section]) -> anyhow::Result<()> {
    let mut text = String::new();
    let sections = sections
        .iter()
        .filter(|section| !section.figures.is_empty());
    if options.json {
        for figures in sections.flat_map(|section| &section.figures) {
            text += &figures.json(machine);
            text += "\n";
        }
    } else {
        text += &heading(options, machine);
        for section in sections {
            text += &format!("\n{}:\n\n{}", section.title, Table::of(&section.figures));
            if !section.remarks.is_empty() {
                text += &format!("\n{}\n", section.remarks.join("\n"));
            }
        }
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
        "{}\n{limit}; best and median of {} round{plural} after one to warm up\n",
        machine.line(),
        options.rounds
    )
}
