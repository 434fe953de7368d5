//! `sudoku-batch bench`.

mod asking;
mod corpus;
mod distribution;
mod figures;
mod machine;
mod making;
mod options;
mod plot;
mod process;
mod rating;
mod report;
mod rounds;
mod solving;
mod table;

use crate::chart;
use crate::driver::{
    Files, OutputFile,
    files::STANDARD,
    interrupt, job, report as output_report,
    words::{counted, grouped},
};
use anyhow::Context;
use corpus::Corpus;
#[cfg(feature = "book")]
pub(super) use corpus::{NO_BYTES, fnv};
use distribution::Distribution;
use figures::Figures;
use machine::Machine;
pub(crate) use options::Bench;
use std::process::ExitCode;
use sudoku_batch::{Goal, grid::CELLS};
use table::Table;

/// 81 cells and a line feed.
type Line = [u8; CELLS + 1];

/// Measures, checks and prints.
pub(crate) fn run(options: &Bench, files: &Files) -> anyhow::Result<ExitCode> {
    if let Err(error) = options.check() {
        return output_report::print_clap(&error);
    }
    interrupt::handle()?;
    // Check this before the measurement, so that no measurement is lost.
    files.claim("the printed figures", STANDARD.as_ref())?;
    let create = |option, path: &Option<OutputFile>| {
        let path = path.as_deref();
        path.map(|path| files.create(option, path, None))
            .transpose()
    };
    let report = create("--report", &options.report)?;
    let svg = create("--svg", &options.svg)?;
    let machine = Machine::here();
    let corpora = if options.reads_puzzles() {
        Corpus::all(options)?
    } else {
        Vec::new()
    };
    let sections = sections(options, &corpora)?;
    let heading = heading(options, &machine);
    if let Some(output) = report {
        let distributions = corpora.iter();
        let distributions = distributions.map(|corpus| Distribution::of(corpus, options));
        let distributions: Vec<_> = distributions.collect();
        job::write(output, &report::page(&heading, &sections, &distributions))?;
    }
    if let Some(output) = svg {
        let section = sections.first().context("there are no figures")?;
        let plot = plot::throughput(section.name, &section.figures, chart::WIDE);
        job::write(output, &chart::as_file(&plot))?;
    }
    output_report::print(text(options, &machine, &heading, &sections))
}

/// Measures all that the options ask for.
fn sections(options: &Bench, corpora: &[Corpus]) -> anyhow::Result<Vec<Section>> {
    let asked: String = match options.question() {
        Goal::Solution => "a solution, of several the smallest".into(),
        Goal::Unique => "the only solution".into(),
        question => format!("up to {} counted", counted(question.limit(), "solutions")),
    };
    let on_corpora = |measure: fn(&Corpus, &Bench) -> anyhow::Result<Vec<Figures>>| {
        let figures = corpora.iter().map(|corpus| measure(corpus, options));
        anyhow::Ok(figures.collect::<Result<Vec<_>, _>>()?.concat())
    };
    let mut sections = Vec::new();
    if options.solves_in_memory() {
        let figures = on_corpora(solving::solving)?;
        sections.push(Section::new("Solving in memory", &asked, figures, corpora));
    }
    if options.rate {
        let figures = on_corpora(rating::rating)?;
        let about = "up to 4.4 and over the whole scale";
        sections.push(Section::new("Rating in memory", about, figures, corpora));
    }
    if !options.ask.is_empty() {
        let figures = on_corpora(asking::asking)?;
        let about = "each by its name";
        sections.push(Section::new("Questions in memory", about, figures, corpora));
    }
    if let Some(count) = options.generate {
        let (about, figures) = ("in memory and to a file", making::grids(count, options)?);
        sections.push(Section::new("Generating", about, figures, &[]));
    }
    if !options.puzzles_of.is_empty() {
        let figures = making::puzzles(options)?;
        sections.push(Section::new("Making puzzles", "in memory", figures, &[]));
    }
    if !options.solver.is_empty() {
        let figures = on_corpora(process::processes)?;
        sections.push(Section::new(
            "Solving as a process",
            &asked,
            figures,
            corpora,
        ));
    }
    Ok(sections)
}

/// Figures that make one table.
struct Section {
    name: &'static str,
    /// The name and what is true of all figures.
    title: String,
    figures: Vec<Figures>,
    /// Notes on the puzzles, and on what disturbed the measurement.
    remarks: Vec<String>,
}

impl Section {
    fn new(name: &'static str, about: &str, figures: Vec<Figures>, corpora: &[Corpus]) -> Self {
        let repeated = corpora.iter().filter(|corpus| corpus.is_repeated());
        let remark = |Corpus { label, puzzles, .. }: &Corpus| {
            let by_itself = counted(puzzles.len() as u64, "puzzles");
            let all = grouped(label.puzzles as u64);
            format!("{}: {by_itself}, repeated to {all}", label.corpus)
        };
        let remarks = repeated.map(remark).chain(figures::disturbance(&figures));
        Self {
            name,
            title: format!("{name}, {about}"),
            remarks: remarks.collect(),
            figures,
        }
    }
}

/// The printed output: the tables, or the JSON objects.
fn text(options: &Bench, machine: &Machine, heading: &str, sections: &[Section]) -> String {
    let mut text = String::new();
    if options.prints_jsonl() {
        for figures in sections.iter().flat_map(|section| &section.figures) {
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
    format!(
        "{}\nbest and median of {} after one to warm up\n",
        machine.line(),
        counted(options.rounds.into(), "rounds")
    )
}
