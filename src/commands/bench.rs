//! `sudoku-batch bench`.

mod against;
mod corpus;
mod distribution;
mod figures;
mod formats;
mod generator;
mod machine;
mod measure;
mod plot;
mod puzzles;
mod report;
mod table;

use super::{interrupt, job};
use crate::cli::bench::Bench;
use anyhow::Context;
use corpus::Corpus;
use distribution::Distribution;
use figures::Figures;
use indicatif::HumanCount;
use machine::{Machine, cores};
use std::process::ExitCode;
use sudoku_batch::{Question, pipeline::output::Output};
use table::Table;

/// Measures, checks and prints.
pub(crate) fn run(options: &Bench) -> anyhow::Result<ExitCode> {
    if let Err(error) = options.check() {
        return super::tell(&error);
    }
    interrupt::handle()?;
    if options.formats {
        return formats::run(options);
    }
    // Check this before the measurement, so that no measurement is lost.
    let report = options.report.as_deref().map(job::create).transpose()?;
    let svg = options.svg.as_deref().map(job::create).transpose()?;
    let machine = Machine::here();
    let making = match options.puzzles_of.is_empty() {
        true => Vec::new(),
        false => puzzles::making(options)?,
    };
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
    let asked = match options.question() {
        Question::Solution => "a solution, of several the smallest".into(),
        Question::Unique => "the only solution".into(),
        question => format!("up to {} solutions counted", question.limit()),
    };
    let sections = [
        Section::new("Solving in memory", &asked, solving, &corpora),
        Section::new("Generating", "in memory and to a file", generating, &[]),
        Section::new("Making puzzles", "in memory", making, &[]),
        Section::new("Solving as a process", &asked, processes, &corpora),
    ];
    let heading = heading(options, &machine);
    if let Some(output) = report {
        let distributions = corpora
            .iter()
            .map(|corpus| Distribution::of(corpus, options));
        let distributions: Vec<_> = distributions.collect();
        write(output, &report::page(&heading, &sections, &distributions)?)?;
    }
    if let Some(output) = svg {
        let figures = sections.iter().find(|section| !section.figures.is_empty());
        let section = figures.context("there are no figures")?;
        let plot = plot::throughput(section.name, &section.figures, plot::WIDE)?;
        write(output, &plot::as_file(&plot))?;
    }
    super::print(text(options, &machine, &heading, &sections))
}

/// Writes a file that was created.
fn write(output: Output, text: &str) -> anyhow::Result<()> {
    output.write_next(text.as_bytes())?;
    job::deliver([], [output])
}

/// What is measured.
struct Wanted {
    solving: bool,
    processes: bool,
}

impl Wanted {
    fn by(options: &Bench) -> Self {
        Self {
            solving: options.solves_in_memory(),
            processes: !options.against.is_empty(),
        }
    }
}

/// Figures that make one table.
struct Section {
    name: &'static str,
    /// The name and what is true of all figures.
    title: String,
    figures: Vec<Figures>,
    /// The facts needed about the puzzles.
    remarks: Vec<String>,
}

impl Section {
    fn new(name: &'static str, about: &str, figures: Vec<Figures>, corpora: &[Corpus]) -> Self {
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
            name,
            title: format!("{name}, {about}"),
            figures,
            remarks: repeated.map(remark).collect(),
        }
    }
}

/// The limit in the JSON output. It is 1 if any solution will do.
fn limit(options: &Bench) -> u64 {
    match options.question() {
        Question::Solution => 1,
        question => question.limit(),
    }
}

/// The numbers of threads to compare.
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

/// The printed output: the tables, or the JSON objects.
fn text(options: &Bench, machine: &Machine, heading: &str, sections: &[Section]) -> String {
    let mut text = String::new();
    let sections = sections
        .iter()
        .filter(|section| !section.figures.is_empty());
    if options.prints_jsonl() {
        for figures in sections.flat_map(|section| &section.figures) {
            text += &figures.json(machine);
            text += "\n";
        }
    } else {
        text += heading;
        for section in sections {
            text += &format!("\n{}:\n\n{}", section.title, Table::of(&section.figures));
            if !section.remarks.is_empty() {
                text += &format!("\n{}\n", section.remarks.join("\n"));
            }
        }
    }
    text
}

/// The conditions that apply to all figures.
fn heading(options: &Bench, machine: &Machine) -> String {
    let plural = if options.rounds == 1 { "" } else { "s" };
    format!(
        "{}\nbest and median of {} round{plural} after one to warm up\n",
        machine.line(),
        options.rounds
    )
}
